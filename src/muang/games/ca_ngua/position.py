"""Owns one position of Cờ cá ngựa: its whole-number key, its line of text, its plain data, and which positions can exist.

Applies no move: the kernel does, and ``match`` asks it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from muang.errors import BadAction, BadPosition
from muang.games.ca_ngua import kernel
from muang.games.ca_ngua.rules import CaNgua, check_seats
from muang.games.core import Position
from muang.games.notation import write_line

if TYPE_CHECKING:
    from muang.games.ca_ngua.match import CaNguaMatch

__all__ = ["PASS", "STABLE", "CaNguaPosition", "Move", "Place", "pack", "read_fields", "unpack"]

Place: TypeAlias = int | str
"""``"stable"``, 0…T-1 on the track counted from the seat's own start, ``"slot1"`` … ``"slot4"`` (CN-3)."""

STABLE = "stable"
PASS = "pass"
HORSES = 2
SLOTS = 4
_AGAIN = frozenset({1, 8, 15, 22, 29, 36, 6, 31})
"""What is due after doubles, or a 1 and a 6 (CN-12)."""


@dataclass(frozen=True, slots=True)
class Move:
    """One possible move: its action, from where to where in the mover's own progress, and the seat it kicks."""

    action: str
    start: Place
    end: Place
    kicks: int | None
    number: int
    """The kernel's number of the move."""


def place_of(stored: int, track: int) -> Place:
    """The place that a horse's six bits name."""
    if stored == 0:
        return STABLE
    return stored - 1 if stored <= track else f"slot{stored - track}"


def stored_of(place: object, track: int) -> int:
    """A place as six bits. ``BadPosition`` if there is no such place."""
    if type(place) is int and 0 <= place < track:
        return place + 1
    if place == STABLE:
        return 0
    if isinstance(place, str) and place in ("slot1", "slot2", "slot3", "slot4"):
        return track + int(place[4])
    raise BadPosition(f"a horse cannot stand on {place!r}"[:100], clause="CN-3", allowed=(STABLE, f"0 to {track - 1}", "slot1 to slot4"))


@cache
def action_names(track: int) -> tuple[tuple[str, ...], ...]:
    """Actions by where the move begins and ends, both as stored."""
    names = [str(place_of(stored, track)) for stored in range(track + SLOTS + 1)]
    return tuple(tuple(f"{start}-{end}" for end in names) for start in names)


@dataclass(frozen=True)
class CaNguaPosition(Position):
    """A position: the game, the seats that took part, and the key that ``kernel`` describes. Build it with ``build`` or from text.

    As a line: ``ca-ngua rules=phone seats=0,2 0=stable,12 2=slot2,55 turn=0 dice=3,3``. Fields: ``seats`` who took part; one field a
    seat with its two horses, the one farther back first; ``left`` the seats that left (only if any); ``turn`` the seat on turn, ``-``
    when it is over; ``dice`` if a choice is due, else a roll is; ``extra=true`` if the choice is the extra one (CN-22), with
    ``again=false`` if a pass then loses the turn (CN-12).
    """

    game: CaNgua
    seats: tuple[int, ...]
    key: int

    @classmethod
    def initial(cls, game: CaNgua, seats: tuple[int, ...], first: int) -> CaNguaPosition:
        """All horses in the stable, ``first`` to roll (CN-2, CN-14). Trusts its arguments."""
        return cls(game, seats, sum(1 << (48 + seat) for seat in seats) | first << 52)

    @classmethod
    def build(
        cls,
        game: CaNgua,
        horses: Mapping[int, Sequence[Place]],
        turn: int | None,
        *,
        dice: tuple[int, int] | None = None,
        left: Sequence[int] = (),
        extra: bool = False,
        again: bool = True,
    ) -> CaNguaPosition:
        """The position of these horses (two for each seat that took part). ``BadPosition`` says why it cannot exist.

        ``turn`` is None when it is over. ``again`` matters for an extra choice only: whether a pass gives another roll.
        """
        position = cls(game, _seats(horses), _key(game, horses, turn, dice, left, extra, again))
        _check_reachable(position)
        return position

    @property
    def due(self) -> int:
        """What is due, as the kernel numbers it."""
        return self.key >> 54

    @property
    def over(self) -> bool:
        return self.key >> 54 == kernel.DUE_OVER

    @property
    def phase(self) -> str:
        """``roll`` · ``move`` · ``over``."""
        due = self.key >> 54
        return "roll" if due == 0 else "over" if due == kernel.DUE_OVER else "move"

    @property
    def turn(self) -> int | None:
        """The seat on turn; None when it is over."""
        return None if self.key >> 54 == kernel.DUE_OVER else (self.key >> 52) & 3

    @property
    def winner(self) -> int | None:
        return (self.key >> 52) & 3 if self.over else None

    @property
    def reason(self) -> str | None:
        """Why it is over: ``horses`` (CN-30) or ``last-left`` (CN-31); None while it goes on."""
        if not self.over:
            return None
        return "last-left" if len(self.playing) == 1 else "horses"

    @property
    def dice(self) -> tuple[int, int] | None:
        """The dice that have been rolled and not been used up."""
        if not 1 <= self.due <= 48:
            return None
        second = (self.due - 1) % 6 + 1
        return (second, second) if self.due > 36 else ((self.due - 1) // 6 + 1, second)

    @property
    def extra(self) -> bool:
        """Whether the choice that is due is the extra one (CN-22)."""
        return 36 < self.due <= 48

    @property
    def again(self) -> bool:
        """Whether the seat rolls again after this choice whatever it chooses (CN-12); False where a roll is due."""
        due = self.key >> 54
        if due > 36:
            return 42 < due <= 48
        return due in _AGAIN

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that have not left."""
        return tuple(seat for seat in self.seats if self.key >> (48 + seat) & 1)

    @property
    def left(self) -> tuple[int, ...]:
        """The seats that have left (CN-31)."""
        return tuple(seat for seat in self.seats if not self.key >> (48 + seat) & 1)

    @property
    def horses(self) -> dict[int, tuple[Place, Place]]:
        """Each seat's two horses, the one farther back first."""
        track, key = self.game.numbers[0], self.key
        return {seat: (place_of(key >> 12 * seat & 63, track), place_of(key >> 12 * seat + 6 & 63, track)) for seat in self.seats}

    @property
    def to_act(self) -> tuple[int, ...]:
        return ((self.key >> 52) & 3,) if 0 < self.key >> 54 < kernel.DUE_OVER else ()

    @property
    def choices(self) -> Mapping[str, int]:
        """The actions of the choice that is due and the kernel's number of each, in the order of CN-40, a pass last."""
        found: dict[str, int] | None = self.__dict__.get("_choices")
        if found is None:  # functools.cached_property would take a lock, which costs more than the look-up
            track, doubles, gate, _ = self.game.numbers
            names = action_names(track)
            mask = kernel.moves(self.key, track, doubles, gate)
            found = {}
            for number in range(kernel.PASS):
                if mask >> number & 1:
                    start, end = kernel.move_ends(self.key, track, gate, number)
                    found[names[start][end]] = number
            if mask >> kernel.PASS:
                found[PASS] = kernel.PASS
            self.__dict__["_choices"] = found
        return found

    @property
    def actions(self) -> tuple[str, ...]:
        """What the seat on turn may choose: the moves in the order of CN-40, and after them a pass where there is one."""
        return tuple(self.choices)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the choice that is due, in the order of CN-40, without a pass."""
        key = self.key
        track, _, gate, _ = self.game.numbers
        seat = (key >> 52) & 3
        others: dict[int, int] = {}  # square, counted from seat 0's start → whose horse stands there
        for other in self.playing:
            if other != seat:
                for stored in (key >> (12 * other) & 63, key >> (12 * other + 6) & 63):
                    if 0 < stored <= track:
                        others[(stored - 1 + other * track // 4) % track] = other
        found = []
        for action, number in self.choices.items():
            if number != kernel.PASS:
                stored, reached = kernel.move_ends(key, track, gate, number)
                kicks = others.get((reached - 1 + seat * track // 4) % track) if reached <= track else None
                found.append(Move(action, place_of(stored, track), place_of(reached, track), kicks, number))
        return tuple(found)

    def __str__(self) -> str:
        fields = {"seats": ",".join(map(str, self.seats))}
        fields |= {str(seat): f"{back},{front}" for seat, (back, front) in self.horses.items()}
        if self.left:
            fields["left"] = ",".join(map(str, self.left))
        fields["turn"] = "-" if self.over else str(self.turn)
        if self.dice:
            fields["dice"] = f"{self.dice[0]},{self.dice[1]}"
        if self.extra:
            fields["extra"] = "true"
            if not self.again:
                fields["again"] = "false"
        return write_line(self.game, fields)

    def start(self, seed: int = 0) -> CaNguaMatch:
        """A match that goes on from here; its ``first`` is the seat on turn. ``seed``: 0 to 2**64 - 1."""
        from muang.games.ca_ngua.match import CaNguaMatch

        if type(seed) is not int or not 0 <= seed < 1 << 64:
            raise BadAction(f"the seed cannot be {seed!r}", clause="CN-14", allowed=("0 to 2**64 - 1",))
        return CaNguaMatch.begin(self, seed=seed)

    def view(self) -> dict[str, Any]:
        """Plain data for screens; ``moves`` are in the order of CN-40, ``again`` as the property says."""
        dice, phase = self.dice, self.phase
        legal: list[str] = []
        moves: list[dict[str, Any]] = []
        if phase == "move":
            legal = list(self.choices)
            moves = [{"action": move.action, "from": move.start, "to": move.end, "kicks": move.kicks} for move in self.moves]
        to_act = list(self.to_act)
        result: dict[str, Any] | None = None
        if self.over:
            result = {"winner": self.winner, "seeds": {}, "widows": {}, "reason": self.reason}
        return {
            "game": self.game.name,
            "ruleset": self.game.ruleset,
            "options": dict(self.game.options),
            "seats": list(self.seats),
            "phase": phase,
            "turn": self.turn,
            "dice": list(dice) if dice else None,
            "again": self.again,
            "extra": self.extra,
            "horses": {str(seat): list(pair) for seat, pair in self.horses.items()},
            "left": list(self.left),
            "to_act": to_act,
            "legal": {str(seat): legal for seat in to_act},
            "moves": moves,
            "result": result,
        }


def pack(position: CaNguaPosition) -> int:
    """A position's key: a whole number below 2**60, laid out as ``kernel`` says. With the game and the seats it is the whole position."""
    return position.key


def unpack(game: CaNgua, key: int, seats: Sequence[int] | None = None) -> CaNguaPosition:
    """The position of a key. ``seats`` took part; left out, those in play. ``BadPosition`` if no position has this key."""
    if type(key) is not int or not 0 <= key < 1 << 60:
        raise BadPosition(f"a key is a whole number below 2**60, not {key!r}"[:100])
    playing = tuple(seat for seat in range(4) if key >> (48 + seat) & 1)
    if seats is None and len(playing) < 2:
        raise BadPosition(f"a key with {len(playing)} seats in play needs the seats that took part", clause="CN-2")
    took_part = playing if seats is None else check_seats(seats)
    raw = CaNguaPosition(game, took_part, key)
    if 48 < raw.due < kernel.DUE_OVER:
        raise BadPosition(f"nothing that can be due has the number {raw.due}", clause="CN-10")
    track = game.options["track"]
    pairs = {seat: (key >> (12 * seat) & 63, key >> (12 * seat + 6) & 63) for seat in took_part}
    if any(stored > track + SLOTS for pair in pairs.values() for stored in pair):
        raise BadPosition("a horse stands beyond slot 4", clause="CN-3")
    horses = {seat: tuple(place_of(stored, track) for stored in pair) for seat, pair in pairs.items()}
    built = CaNguaPosition.build(game, horses, raw.turn, dice=raw.dice, left=raw.left, extra=raw.extra, again=raw.again)
    if built.key != key:
        raise BadPosition("the key has parts that no position has, or its horses are out of order", clause="CN-3")
    return built


def _seats(horses: Mapping[int, object]) -> tuple[int, ...]:
    try:
        return check_seats(list(horses))
    except BadAction as error:
        raise BadPosition(error.reason, clause=error.clause, allowed=error.allowed) from None


def _key(
    game: CaNgua,
    horses: Mapping[int, Sequence[Place]],
    turn: int | None,
    dice: tuple[int, int] | None,
    left: Sequence[int],
    extra: bool,
    again: bool,
) -> int:
    """The key of these parts, each part checked by itself and against the others; ``_check_reachable`` asks the kernel for the rest."""
    track = game.options["track"]
    seats = sorted(horses)
    key = 0
    taken: dict[int, int] = {}
    for seat in seats:
        pair = horses[seat]
        if len(pair) != HORSES:
            raise BadPosition(f"seat {seat} has {len(pair)} horses", clause="CN-2", allowed=(HORSES,))
        back, front = sorted(stored_of(place, track) for place in pair)
        if back and back == front:
            raise BadPosition(f"both horses of seat {seat} stand on {place_of(back, track)}", clause="CN-24")
        for stored in (back, front):
            square = (stored - 1 + seat * track // 4) % track
            if 0 < stored <= track:
                if square in taken:
                    raise BadPosition(f"horses of seats {taken[square]} and {seat} stand on one square", clause="CN-24")
                taken[square] = seat
        key |= (back | front << 6) << (12 * seat)
    for seat in left:
        if seat not in seats or list(left).count(seat) > 1:
            raise BadPosition(f"seat {seat} cannot have left", clause="CN-31", allowed=seats)
        if key >> (12 * seat) & 4095:
            raise BadPosition(f"seat {seat} has left, so its horses are in the stable", clause="CN-31")
    playing = [seat for seat in seats if seat not in left]
    key |= sum(1 << (48 + seat) for seat in playing)
    home = track + 3 | (track + 4) << 6
    winners = [seat for seat in playing if key >> (12 * seat) & 4095 == home]
    if not playing or len(winners) > 1 or (winners and len(playing) == 1):
        raise BadPosition("a game ends with one winner, before anything else can happen", clause="CN-30" if playing else "CN-31")
    if winners or len(playing) == 1:
        if turn is not None or dice is not None or extra:
            raise BadPosition("the game is over: nobody is on turn and no dice are out", clause="CN-30" if winners else "CN-31")
        return key | (winners or playing)[0] << 52 | kernel.DUE_OVER << 54
    if turn is None or type(turn) is not int or turn not in playing:
        raise BadPosition(f"it cannot be seat {turn}'s turn", clause="CN-14", allowed=playing)
    key |= turn << 52
    if dice is None:
        if extra:
            raise BadPosition("an extra choice needs the dice that were rolled", clause="CN-22")
        return key
    first, second = dice
    if not (type(first) is type(second) is int and 1 <= first <= 6 and 1 <= second <= 6):
        raise BadPosition(f"the dice cannot show {first!r} and {second!r}"[:100], clause="CN-10", allowed=("1 to 6",))
    if not extra:
        return key | (6 * first + second - 6) << 54
    if game.options["doubles"] != "extra" or first != second:
        raise BadPosition("an extra choice comes only after doubles, with doubles extra", clause="CN-22")
    if not again and game.options["keep_repeat"]:
        raise BadPosition("with keep_repeat a pass never loses the turn", clause="CN-12")
    return key | ((42 if again else 36) + first) << 54


def _check_reachable(position: CaNguaPosition) -> None:
    """Refuse a choice without anything to choose: such a roll is lost as soon as it is made."""
    if position.phase == "move" and set(position.choices) <= {PASS}:
        raise BadPosition(
            f"seat {position.turn} has no move with {position.dice}: the roll would be over", clause="CN-22" if position.extra else "CN-13"
        )


def read_fields(game: CaNgua, fields: Mapping[str, str]) -> CaNguaPosition:
    """The position that a line's fields describe. ``BadPosition`` says which field is wrong."""
    seats = _numbers(fields, "seats", "CN-2") if "seats" in fields else None
    if seats is None:
        raise BadPosition("the field seats is missing", clause="CN-2", allowed=("seats=0,2",))
    if _seats(dict.fromkeys(seats)) != seats or len(set(seats)) != len(seats):
        raise BadPosition("seats are written once each, in rising order", clause="CN-2")
    known = ("seats", *map(str, seats), "left", "turn", "dice", "extra", "again")
    for name in fields:
        if name not in known:
            raise BadPosition(f"there is no field {name[:40]!r}", allowed=known)
    horses: dict[int, tuple[Place, ...]] = {}
    for seat in seats:
        if str(seat) not in fields:
            raise BadPosition(f"the horses of seat {seat} are missing", clause="CN-2", allowed=(f"{seat}=stable,stable",))
        words = fields[str(seat)].split(",")
        horses[seat] = tuple(_number(word) if word[:1].isdigit() else word for word in words[:5])
    left = _numbers(fields, "left", "CN-31") if "left" in fields else ()
    if "turn" not in fields:
        raise BadPosition("the field turn is missing", clause="CN-14", allowed=(*seats, "-"))
    turn = None if fields["turn"] == "-" else _number(fields["turn"])
    dice = _numbers(fields, "dice", "CN-10") if "dice" in fields else None
    if dice is not None and len(dice) != 2:
        raise BadPosition(f"two dice are rolled, not {len(dice)}", clause="CN-10", allowed=("dice=3,5",))
    extra, again = _truth(fields, "extra", False), _truth(fields, "again", True)
    if not extra and "again" in fields:
        raise BadPosition("again belongs to an extra choice", clause="CN-22")
    return CaNguaPosition.build(game, horses, turn, dice=(dice[0], dice[1]) if dice else None, left=left, extra=extra, again=again)


def _number(word: str) -> int:
    if word.isascii() and word.isdigit() and len(word) < 4 and str(int(word)) == word:
        return int(word)
    raise BadPosition(f"{word[:40]!r} is not a number here")


def _numbers(fields: Mapping[str, str], name: str, clause: str) -> tuple[int, ...]:
    try:
        return tuple(_number(word) for word in fields[name].split(","))
    except BadPosition:
        raise BadPosition(f"the field {name} holds numbers with commas, not {fields[name][:40]!r}", clause=clause) from None


def _truth(fields: Mapping[str, str], name: str, default: bool) -> bool:
    if name not in fields:
        return default
    if fields[name] not in ("true", "false"):
        raise BadPosition(f"the field {name} cannot be {fields[name][:40]!r}", clause="CN-22", allowed=("true", "false"))
    return fields[name] == "true"
