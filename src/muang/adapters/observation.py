"""Owns the arrays that environments show: ``encode`` a match for a seat, ``decode`` the position again. NumPy only; decides nothing.

An observation is int32[n], n fixed by the game and its options. It is told from the seat that looks: *own* comes first, *the other* second
(in Cờ cá ngựa: own, then the seats after it round the table). Seats as values are 0 nobody, 1 own, 2 the other (3, 4 in Cờ cá ngựa).
Its parts, in this order (``form(game).parts`` tells where each stands):

Sowing games, h holes a seat
  ``board`` 2h + 2      the seeds now: own holes 1…h, own store, the other's holes 1…h and store; seeds in a hand are not on the board
  ``widows`` 2h         1 where a hole is closed, own then other (Mak Khum)
  ``hands`` 4           in a race: place of the own hand (0 none, else its index in ``board`` + 1), its seeds, the same of the other's
  ``race`` 3            in a race: who steps next, then whether the own hand and the other's have died (1) for this race
  ``to_act`` 2          1 for a seat that has to choose now; both are 1 until both choices of a race are made (MK-24)
  ``turn`` 1            the seat on turn
  ``match`` 5           round, ``first``, who opened (MK-45, AB-24), quiet turns (AB-44), 1 in a race
  ``over`` 2            winner (3 a draw) and reason, once it is over
  ``start`` 2h + 2      in a race: the board at its start, as ``board``
  ``trail`` n           in a race: the choices since, in their order, for ``decode`` only; see ``PER_WORD``
Cờ cá ngựa
  ``horses`` 12         for each seat: 0 not in the game, 1 in it, 2 left; its horse farther back; its other horse: 0 in the stable, p + 1
                        for p squares from its start, T + n for slot n (CN-3)
  ``turn`` 1 · ``dice`` 2 (0 not rolled) · ``extra`` 1 (CN-22) · ``again`` 1 (CN-12) · ``winner`` 1
Both, at the end
  ``seat`` 1            the seat that looks: 0 South, 1 North; 0…3
  ``rules`` k + 2       the options in the order of ``option_list`` (the number of the named value, numbers after those), ruleset, game

What a seat must not know is not in it: a choice made at the same time and not yet shown is left out, as in ``Match.position``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from muang.errors import BadAction, BadPosition, BadRuleset, RulesError
from muang.games.core import GAMES, MOST, Game, Match, Option, Position, Seat, game

__all__ = ["MISSING", "PER_WORD", "Array", "Form", "decode", "encode", "form"]

Array = npt.NDArray[np.int32]

PER_WORD = 4
"""Choices of a race in one number of ``trail``, the first in the lowest five bits: 1 + the place, South's holes first. So every number is
below 2**20 and survives float32."""
MISSING = -1
"""What ``trail`` begins with where a race has more choices than it holds; ``decode`` then refuses. Random races use a quarter of it."""
REASONS = ("seeds", "widows", "broke", "all-seeds", "left", "resigned", "flag", "agreed")
SEATS = ("S", "N")
SEAT_COUNT = 4
DRAW = 3


@dataclass(frozen=True)
class Form:
    """How a game's observations are laid out: where each part stands, and the largest value of every number (the least is 0, in
    ``trail`` -1)."""

    game: Game
    parts: Mapping[str, slice]
    high: Array
    low: Array

    @property
    def size(self) -> int:
        """How many numbers an observation has."""
        return len(self.high)


@lru_cache(maxsize=256)
def form(of: Game) -> Form:
    """The form of a game's observations; it depends on the options, not on the ruleset's name."""
    sizes = _horse_parts(of) if of.name == "ca-ngua" else _sowing_parts(of)
    highest = [_highest(option) for option in of.option_list]
    sizes["seat"] = [SEAT_COUNT - 1 if of.name == "ca-ngua" else 1]
    sizes["rules"] = [*highest, len(of.rulesets) - 1, len(GAMES) - 1]
    parts, at = {}, 0
    for name, part in sizes.items():
        parts[name] = slice(at, at + len(part))
        at += len(part)
    high = np.array([most for part in sizes.values() for most in part], np.int32)
    low = np.zeros(at, np.int32)
    if "trail" in parts:
        low[parts["trail"]] = MISSING
    high.setflags(write=False)
    low.setflags(write=False)
    return Form(of, parts, high, low)


def _sowing_parts(of: Any) -> dict[str, list[int]]:
    holes, total = of.layout.holes, of.layout.total
    board = [total] * (2 * holes + 2)
    mak_khum = of.name == "mak-khum"
    # Abalala'e's race has no choices: at lockstep it is over as soon as it begins
    raced = mak_khum and of.options["race"] != "none"
    parts = {"board": board}
    if mak_khum:
        parts["widows"] = [1] * (2 * holes)
    if raced:
        parts |= {"hands": [2 * holes + 2, total] * 2, "race": [2, 1, 1]}
    parts |= {"to_act": [1, 1], "turn": [2], "match": [MOST, 2, 2, MOST, 1], "over": [DRAW, len(REASONS)]}
    if raced:
        parts |= {"start": board, "trail": [(1 << 5 * PER_WORD) - 1] * total}
    return parts


def _horse_parts(of: Game) -> dict[str, list[int]]:
    farthest = of.options["track"] + 4
    return {
        "horses": [2, farthest, farthest] * SEAT_COUNT,
        "turn": [SEAT_COUNT],
        "dice": [6, 6],
        "extra": [1],
        "again": [1],
        "winner": [SEAT_COUNT],
    }


# ── options as numbers ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _highest(option: Option) -> int:
    numbers = 0 if option.least is None else (MOST if option.most is None else option.most) - option.least + 1
    return max(1, len(option.choices) + numbers - 1)


def _code(option: Option, value: Any) -> int:
    for i, choice in enumerate(option.choices):
        if value == choice and type(value) is type(choice):
            return i
    return len(option.choices) + int(value) - int(option.least or 0)


def _value(option: Option, code: int) -> Any:
    if 0 <= code < len(option.choices):
        return option.choices[code]
    return option.check(code - len(option.choices) + int(option.least or 0))


_known: dict[int, tuple[Game, Form, tuple[int, ...]]] = {}


def _known_form(of: Game) -> tuple[Game, Form, tuple[int, ...]]:
    """A game with its form and the numbers of its rules, found by identity: a game's hash takes longer than the rest of ``encode``."""
    found = _known.get(id(of))
    if found is None or found[0] is not of:
        codes = [_code(option, of.options[option.name]) for option in of.option_list]
        found = (of, form(of), (*codes, list(of.rulesets).index(of.ruleset), GAMES.index(of.name)))
        if len(_known) >= 256:
            _known.clear()
        _known[id(of)] = found
    return found


def _game_of(numbers: list[int]) -> Game:
    """The game that the end of an observation names."""
    if not numbers or not 0 <= numbers[-1] < len(GAMES):
        raise BadPosition(f"the last number names the game, so it cannot be {numbers[-1:]}", allowed=range(len(GAMES)))
    plain = game(GAMES[numbers[-1]])
    names = tuple(plain.rulesets)
    codes = numbers[-2 - len(plain.option_list) : -2]
    if len(codes) < len(plain.option_list) or not 0 <= numbers[-2] < len(names):
        raise BadPosition("the numbers of the rules cannot be read: too few, or an unknown ruleset", allowed=range(len(names)))
    values = {option.name: _value(option, code) for option, code in zip(plain.option_list, codes, strict=True)}
    return game(plain.name, names[numbers[-2]], **values)


# ── encoding ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def encode(match: Match, seat: Seat) -> Array:
    """What ``seat`` sees of the match: int32[``form(match.game).size``], a new array. ``BadAction`` for a seat that does not take part.

    The match stands at ``lockstep`` (MK-24): seeds and times of live races have no place here.
    """
    if seat not in match.seats:
        raise BadAction(f"there is no seat {seat!r}"[:100], allowed=match.seats)
    if match.pace != "lockstep":
        raise BadAction(f"a match at {match.pace} has no observation", clause="MK-24", allowed=("lockstep",))
    _, of, rules = _known_form(match.game)
    out = np.zeros(of.size, np.int32)
    if match.game.name == "ca-ngua":
        _encode_horses(match, int(seat), of, out)
    else:
        _encode_sowing(match, SEATS.index(str(seat)), of, out)
    out[of.parts["rules"]] = rules
    return out


def _encode_sowing(match: Any, who: int, of: Form, out: Array) -> None:
    at, parts = match.position, of.parts
    half = match.game.layout.holes + 1
    turned = who * half
    cells = at.cells
    out[parts["to_act"]] = [seat in match.to_act for seat in (SEATS[who], SEATS[1 - who])]
    if at.race is not None:
        from muang.search.race import point_of

        point = point_of(match, SEATS[who])
        out[parts["start"]] = _turn_round(cells, turned)
        cells = point.board[: 2 * half].tolist()
        dead = []
        for i, each in enumerate((who, 1 - who)):
            place, seeds, _ = point.hands[each].tolist()
            if seeds:
                out[parts["hands"].start + 2 * i : parts["hands"].start + 2 * i + 2] = ((place - turned) % (2 * half) + 1, seeds)
            dead.append(bool(point.race[1 + each]))
        out[parts["race"]] = (_seen(int(point.race[0]), who), *dead)
        out[parts["to_act"]] = [bool(point.due >> each & 1) for each in (who, 1 - who)]
        _write_trail(at, half, out[parts["trail"]])
    out[parts["board"]] = _turn_round(cells, turned)
    if at.widows:
        closed = _turn_round([at.widows >> place & 1 for place in range(2 * half)], turned)
        out[parts["widows"]] = closed[: half - 1] + closed[half:-1]
    out[parts["turn"]] = _seen(at.turn, who)
    out[parts["match"]] = (at.number, _seen(at.first, who), _seen(at.opened, who), at.quiet, at.race is not None)
    if at.over is not None:
        winner, reason = at.over
        out[parts["over"]] = (DRAW if winner is None else _seen(winner, who), REASONS.index(reason) + 1)
    out[parts["seat"]] = who


def _seen(seat: int | None, who: int) -> int:
    return 0 if seat is None else 1 + (seat ^ who)


def _turn_round(cells: Any, by: int) -> list[int]:
    """Seeds by place as the seat sees them whose hole 1 is at place ``by``."""
    row = list(cells)
    return row[by:] + row[:by]


def _write_trail(at: Any, half: int, trail: Array) -> None:
    places = at.game.layout.index
    if len(at.race) > PER_WORD * len(trail):
        trail[0] = MISSING
        return
    codes = [places[action] + 1 for _, action, _ in at.race]
    codes += [0] * (-len(codes) % PER_WORD)
    words = np.array(codes, np.int32).reshape(-1, PER_WORD) << np.arange(0, 5 * PER_WORD, 5, dtype=np.int32)
    trail[: len(words)] = words.sum(axis=1)


def _encode_horses(match: Any, who: int, of: Form, out: Array) -> None:
    at, parts = match.position, of.parts
    for i in range(SEAT_COUNT):
        seat = (who + i) % SEAT_COUNT
        if seat in at.seats:
            pair = at.key >> 12 * seat
            state = 1 if at.key >> (48 + seat) & 1 else 2
            out[parts["horses"].start + 3 * i : parts["horses"].start + 3 * i + 3] = (state, pair & 63, pair >> 6 & 63)
    out[parts["turn"]] = 0 if at.turn is None else (at.turn - who) % SEAT_COUNT + 1
    out[parts["dice"]] = at.dice or (0, 0)
    out[parts["extra"]], out[parts["again"]] = at.extra, at.again
    out[parts["winner"]] = 0 if at.winner is None else (at.winner - who) % SEAT_COUNT + 1
    out[parts["seat"]] = who


# ── decoding ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def decode(observation: npt.ArrayLike) -> Position:
    """The position that an observation was made of; whole numbers in floats will do. ``BadPosition`` or ``BadRuleset`` if there is none.

    All numbers have to fit together, as ``encode`` writes them. A hidden choice of a race is not in it; nor are earlier rounds' results,
    which change nothing that follows.
    """
    raw = np.asarray(observation)
    if raw.ndim != 1 or raw.dtype.kind not in "iuf" or (raw.dtype.kind == "f" and not np.all(np.mod(raw, 1) == 0)):
        raise BadPosition(f"an observation is one row of whole numbers, not {raw.dtype}{list(raw.shape)}")
    numbers = [int(x) for x in raw]
    named = _game_of(numbers)
    of = form(named)
    if len(numbers) != of.size:
        raise BadPosition(f"{len(numbers)} numbers, but with these rules an observation has {of.size}")
    for i, (x, least, most) in enumerate(zip(numbers, of.low.tolist(), of.high.tolist(), strict=True)):
        if not least <= x <= most:
            raise BadPosition(f"number {i} ({_part(of, i)}) cannot be {x}", allowed=(f"{least} to {most}",))
    parts = {name: numbers[where] for name, where in of.parts.items()}
    try:
        found = _decode_horses(named, parts) if named.name == "ca-ngua" else _decode_sowing(named, parts)
        who = parts["seat"][0]
        again = encode(found.start(), who if named.name == "ca-ngua" else SEATS[who]).tolist()
    except BadRuleset:
        raise
    except RulesError as error:
        raise BadPosition(error.reason, clause=error.clause, allowed=error.allowed) from None
    # some numbers follow from others (a race's board from its start and its choices): those have to fit too
    for i, (given, right) in enumerate(zip(numbers, again, strict=True)):
        if given != right:
            raise BadPosition(f"number {i} ({_part(of, i)}) cannot be {given} beside the others", allowed=(right,))
    return found


def _part(of: Form, i: int) -> str:
    return next(name for name, where in of.parts.items() if where.start <= i < where.stop)


def _decode_sowing(of: Any, parts: dict[str, list[int]]) -> Position:
    from muang.games.core import position
    from muang.games.sowing.position import SowingPosition

    half, who = of.layout.holes + 1, parts["seat"][0]

    def seat_of(seen: int) -> int | None:
        return None if seen == 0 else (seen - 1) ^ who

    number, first, opened, quiet, in_race = parts["match"]
    cells = tuple(_turn_round(parts["start"] if in_race and "start" in parts else parts["board"], who * half))
    widows = 0
    if "widows" in parts:
        own, other = parts["widows"][: half - 1], parts["widows"][half - 1 :]
        south, north = (own, other) if who == 0 else (other, own)
        for i, closed in enumerate([*south, 0, *north, 0]):
            widows |= closed << i
    over = None
    if parts["over"][0]:
        if not parts["over"][1]:
            raise BadPosition("an end needs a reason", allowed=range(1, len(REASONS) + 1))
        winner, reason = parts["over"]
        over = (None if winner == DRAW else seat_of(winner), REASONS[reason - 1])
    race = _read_trail(of, parts["trail"]) if in_race and "trail" in parts else () if in_race else None
    turn = seat_of(parts["turn"][0])
    made = SowingPosition(of, cells, widows, number, seat_of(first) or 0, seat_of(opened), turn, quiet, race=race, over=over)
    return position(str(made))  # which checks everything


def _read_trail(of: Any, trail: list[int]) -> tuple[tuple[int, str, int | None], ...]:
    if trail and trail[0] == MISSING:
        raise BadPosition("this race has more choices than its observation holds")
    half, choices = of.layout.holes + 1, []
    for word in trail:
        for i in range(PER_WORD):
            place = (word >> 5 * i & 31) - 1
            if place < 0:
                break
            if place >= 2 * half or place % half == half - 1:
                raise BadPosition(f"no hole has the number {place} in a trail")
            choices.append((place // half, of.layout.names[place], None))
    return tuple(choices)


def _decode_horses(of: Any, parts: dict[str, list[int]]) -> Position:
    from muang.games.ca_ngua.position import CaNguaPosition, Place, place_of

    who, track = parts["seat"][0], of.options["track"]
    horses: dict[int, tuple[Place, Place]] = {}
    left = []
    for i in range(SEAT_COUNT):
        state, back, front = parts["horses"][3 * i : 3 * i + 3]
        if state:
            seat = (who + i) % SEAT_COUNT
            horses[seat] = (place_of(back, track), place_of(front, track))
            if state == 2:
                left.append(seat)
    turn = None if parts["turn"][0] == 0 else (parts["turn"][0] - 1 + who) % SEAT_COUNT
    dice = (parts["dice"][0], parts["dice"][1]) if any(parts["dice"]) else None
    extra = bool(parts["extra"][0])
    again = bool(parts["again"][0]) if extra else True
    return CaNguaPosition.build(of, dict(sorted(horses.items())), turn, dice=dice, left=sorted(left), extra=extra, again=again)
