"""Mak Khum and Abalala'e: boards, single steps, walks, legal holes and races. Knows neither time nor rounds.

A board is a dict from place to seeds, ``None`` for a widow; stores (in Abalala'e the piles beside the board) are ``SH`` and ``NH``.
Events are lists, the seat first: ``["S", "lift", "S3", 7]``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Board = dict[str, int | None]
Event = list[Any]

SEATS = ("S", "N")
OTHER = {"S": "N", "N": "S"}

MAK_KHUM_OPTIONS: dict[str, Any] = {
    "store_landing": "again",  # MK-12
    "capture_last": False,  # MK-15
    "skip_origin": False,  # MK-16
    "race": "round",  # MK-22
    "widows": "far",  # MK-42
    "slips": True,  # MK-44
    "opener": "larger",  # MK-45
    "rounds": 2,  # MK-50
    "max_rounds": 30,  # MK-52
}
ABALALAE_OPTIONS: dict[str, Any] = {
    "track": "pankhurst",  # AB-0
    "race_loser": "finish",  # AB-23
    "race_rounds": "all",  # AB-24
    "race": "opening",  # AB-25
    "max_rounds": 30,  # AB-43
    "quiet_turns": 100,  # AB-44
}


class Rules:
    """A sowing game with all its options and its geometry.

    ``holes``: per row in Mak Khum (7); columns in Abalala'e (6, even numbers only: each half of the middle row has an owner).
    ``seeds``: in each hole at the start (7 or 3).
    """

    def __init__(self, game: str, options: Mapping[str, Any] | None = None, holes: int | None = None, seeds: int | None = None) -> None:
        self.game = game
        self.mak_khum = game == "mak-khum"
        known = MAK_KHUM_OPTIONS if self.mak_khum else ABALALAE_OPTIONS
        self.options = dict(known)
        for name, value in (options or {}).items():
            assert name in known, name
            self.options[name] = value
        self.seeds = seeds if seeds is not None else (7 if self.mak_khum else 3)
        if self.mak_khum:
            self._lay_out_mak_khum(holes if holes is not None else 7)
        else:
            self._lay_out_abalalae(holes if holes is not None else 6)
        self.index = {seat: {place: i for i, place in enumerate(self.path[seat])} for seat in SEATS}
        self.owner = {hole: seat for seat in SEATS for hole in self.holes[seat]}
        self.total = self.seeds * len(self.owner)

    def _lay_out_mak_khum(self, n: int) -> None:
        self.holes = {seat: [f"{seat}{i}" for i in range(1, n + 1)] for seat in SEATS}
        # MK-4: own row, own store, the other row; never the other store
        self.path = {seat: [*self.holes[seat], f"{seat}H", *self.holes[OTHER[seat]]] for seat in SEATS}
        # MK-3: Si faces N(8-i)
        self.facing = {f"{seat}{i}": [f"{OTHER[seat]}{n + 1 - i}"] for seat in SEATS for i in range(1, n + 1)}

    def _lay_out_abalalae(self, columns: int) -> None:
        assert columns % 2 == 0
        half = columns // 2
        # squares as (column, row), both from 0, seen from South
        south = [(c, 0) for c in range(columns)] + [(c, 1) for c in range(columns - 1, half - 1, -1)]
        north = [(columns - 1 - c, 2 - r) for c, r in south]  # the same seen from the other side of the board
        name = {square: f"S{i}" for i, square in enumerate(south, 1)} | {square: f"N{i}" for i, square in enumerate(north, 1)}
        self.holes = {"S": [name[square] for square in south], "N": [name[square] for square in north]}
        if self.options["track"] == "courlander":
            self.path = {seat: self.holes[seat] + self.holes[OTHER[seat]] for seat in SEATS}
        else:
            # AB-3: nearest row left to right, middle row right to left, farthest row left to right
            forth, back = list(range(columns)), list(range(columns - 1, -1, -1))
            loop = [(c, 0) for c in forth] + [(c, 1) for c in back] + [(c, 2) for c in forth]
            self.path = {
                "S": [name[square] for square in loop],
                "N": [name[columns - 1 - c, 2 - r] for c, r in loop],
            }
        # AB-5: the opponent's holes of the same column, nearest first
        self.facing = {}
        for column, row in [*south, *north]:
            hole = name[column, row]
            away = range(row + 1, 3) if hole[0] == "S" else range(row - 1, -1, -1)
            self.facing[hole] = [name[column, r] for r in away if name[column, r][0] != hole[0]]

    def __getitem__(self, option: str) -> Any:
        return self.options[option]

    def start_board(self) -> Board:
        """MK-2, AB-1."""
        return {**dict.fromkeys(self.owner, self.seeds), "SH": 0, "NH": 0}

    def board(self, rows: Mapping[str, Any]) -> Board:
        """A board from ``{"S": [...], "N": [...], "stores": {...}}``, counts in the owner's order, ``None`` for a widow."""
        board: Board = {f"{seat}H": rows["stores"][seat] for seat in SEATS}
        for seat in SEATS:
            assert len(rows[seat]) == len(self.holes[seat])
            board.update(zip(self.holes[seat], rows[seat], strict=True))
        return board

    def rows(self, board: Mapping[str, int | None]) -> dict[str, Any]:
        """The inverse of ``board``."""
        rows: dict[str, Any] = {seat: [board[hole] for hole in self.holes[seat]] for seat in SEATS}
        return rows | {"stores": {seat: board[f"{seat}H"] for seat in SEATS}}

    def filled(self, board: Mapping[str, int | None], seat: str) -> list[str]:
        """The holes of ``seat`` that hold seeds. MK-10, AB-30."""
        return [hole for hole in self.holes[seat] if board[hole]]


@dataclass
class Hand:
    """Seeds being carried: ``at`` is the last place lifted from or dropped into, ``origin`` the hole the lap was lifted from."""

    at: str
    seeds: int
    origin: str


@dataclass
class Table:
    """A board and two hands; ``None`` is an empty hand. The methods are the atomic steps of MK-21; they change the table.

    Each returns its events and how the walk stands: ``"walk"`` · ``"rest"`` · ``"die"``.
    """

    rules: Rules
    board: Board
    hands: dict[str, Hand | None] = field(default_factory=lambda: {"S": None, "N": None})

    def lift(self, seat: str, hole: str) -> tuple[list[Event], str]:
        count = self.board[hole]
        assert count, f"nothing to lift in {hole}"
        self.board[hole] = 0
        self.hands[seat] = Hand(hole, count, hole)
        return [[seat, "lift", hole, count]], "walk"

    def next_place(self, seat: str) -> str:
        """Where the next drop of ``seat`` falls: widows are passed over (MK-43), with ``skip_origin`` the lap's origin too (MK-16)."""
        hand = self.hands[seat]
        assert hand
        skip = hand.origin if self.rules.mak_khum and self.rules["skip_origin"] else None
        place = self._after(seat, hand.at)
        while self.board[place] is None or place == skip:
            place = self._after(seat, place)
        return place

    def _after(self, seat: str, place: str) -> str:
        path = self.rules.path[seat]
        return path[(self.rules.index[seat][place] + 1) % len(path)]

    def can_slip(self, seat: str) -> bool:
        """MK-44: the very next place on the path is a widow."""
        hand = self.hands[seat]
        if not self.rules.mak_khum or not self.rules["slips"] or hand is None:
            return False
        return self.board[self._after(seat, hand.at)] is None

    def slip(self, seat: str) -> tuple[list[Event], str]:
        """MK-44: a seed into a widow goes to the other player's store; the last one ends the walk there."""
        assert self.can_slip(seat)
        hand = self.hands[seat]
        assert hand
        hand.at = self._after(seat, hand.at)
        hand.seeds -= 1
        self._add(f"{OTHER[seat]}H", 1)
        events: list[Event] = [[seat, "slip", hand.at]]
        if hand.seeds:
            return events, "walk"
        self.hands[seat] = None
        return [*events, [seat, "die", hand.at]], "die"

    def drop(self, seat: str, *, captures: bool = True, relays: bool = True) -> tuple[list[Event], str]:
        """One seed and what follows. ``captures``: off in Abalala'e's race (AB-21); ``relays``: off for a hand that only lets go."""
        rules, board, hand = self.rules, self.board, self.hands[seat]
        assert hand
        place = self.next_place(seat)
        before = board[place]
        self._add(place, 1)
        hand.at, hand.seeds = place, hand.seeds - 1
        events: list[Event] = [[seat, "drop", place]]
        if hand.seeds:
            return events, "walk"
        self.hands[seat] = None
        if place == f"{seat}H":  # MK-12
            return [*events, [seat, "rest", place]], "die" if rules["store_landing"] == "end" else "rest"
        if before and relays:  # MK-11, AB-11
            lifted, state = self.lift(seat, place)
            return events + lifted, state
        if not before and captures and rules.owner[place] == seat:  # MK-14, AB-13
            taken = [(hole, count) for hole in rules.facing[place] if (count := board[hole])]
            for hole, count in taken:
                board[hole] = 0
                self._add(f"{seat}H", count)
                events.append([seat, "capture", hole, count])
            if taken and not rules.mak_khum:  # AB-13: the seed that captured goes on
                lifted, state = self.lift(seat, place)
                return events + lifted, state
            if taken and rules["capture_last"]:  # MK-15
                board[place] = 0
                self._add(f"{seat}H", 1)
                events.append([seat, "capture", place, 1])
        return [*events, [seat, "die", place]], "die"

    def _add(self, place: str, seeds: int) -> None:
        held = self.board[place]
        assert held is not None, f"{place} is a widow"
        self.board[place] = held + seeds

    def situation(self) -> tuple[Any, ...]:
        """Board and hands, as something that can be compared and kept in a set."""
        south, north = self.hands["S"], self.hands["N"]
        return (*self.board.values(), south and (south.at, south.seeds), north and (north.at, north.seeds))

    def seeds(self) -> int:
        """All seeds, wherever they are."""
        return sum(count or 0 for count in self.board.values()) + sum(hand.seeds for hand in self.hands.values() if hand)


def walk(rules: Rules, board: Mapping[str, int | None], seat: str, hole: str) -> tuple[list[Event], Board, str]:
    """A whole walk in turns: its events, the board after it, and ``"rest"``, ``"die"`` or ``"endless"`` (AB-45)."""
    table = Table(rules, dict(board))
    events, state = table.lift(seat, hole)
    seen = {table.situation()}
    while state == "walk":
        more, state = table.drop(seat)
        events += more
        if more[-1][1] == "lift" and not rules.mak_khum:
            # a situation that comes back does so again at the lift that follows it, so comparing at lifts misses nothing
            situation = table.situation()
            if situation in seen:
                return events, table.board, "endless"
            seen.add(situation)
    return events, table.board, state


def legal(rules: Rules, board: Mapping[str, int | None], seat: str) -> list[str]:
    """The holes that ``seat`` may choose in turns: MK-10; AB-30 without the endless ones (AB-45)."""
    holes = rules.filled(board, seat)
    return holes if rules.mak_khum else [hole for hole in holes if walk(rules, board, seat, hole)[2] != "endless"]


def endless(rules: Rules, board: Mapping[str, int | None], seat: str) -> list[str]:
    """The non-empty holes whose walk never ends."""
    allowed = legal(rules, board, seat)
    return [hole for hole in rules.filled(board, seat) if hole not in allowed]


def leaves(rules: Rules, board: Mapping[str, int | None], seat: str, depth: int) -> Iterator[int]:
    """How many lines of 1 … ``depth`` choices there are in turns; a walk that rests keeps the move, a round that is over has no more."""
    level = [(board, seat)]
    for _ in range(depth):
        following: list[tuple[Mapping[str, int | None], str]] = []
        for now, mover in level:
            if not rules.mak_khum and not all(rules.filled(now, each) for each in SEATS):
                continue  # AB-31
            for hole in rules.filled(now, mover):
                _, after, ends = walk(rules, now, mover, hole)
                if ends != "endless":
                    stays = ends == "rest" and bool(rules.filled(after, mover))
                    following.append((after, mover if stays else OTHER[mover]))
        level = following
        yield len(level)


class Race:
    """Two hands on one board, step by step, whatever says whose step it is (MK-20 to MK-24, AB-20 to AB-23, AB-45)."""

    def __init__(self, rules: Rules, board: Mapping[str, int | None], first: str, pace: str = "lockstep") -> None:
        self.rules, self.first, self.pace = rules, first, pace
        self.table = Table(rules, dict(board))
        self.events: list[Event] = []
        self.deaths: list[str] = []
        self.steps: list[str] = []  # the seat of every step so far
        self.letting_go = False  # AB-45: a situation has come back
        self.endless_pair = False  # … while both hands were walking
        self._seen: set[tuple[Any, ...]] = set()
        if rules.mak_khum:
            self._bury()
        else:  # AB-20: the system lifts, `first` first
            for seat in (first, OTHER[first]):
                self.lift(seat, rules.holes[seat][0])

    # what may be done

    def walking(self, seat: str) -> bool:
        return self.table.hands[seat] is not None

    def can_lift(self, seat: str) -> bool:
        return self.rules.mak_khum and not self.walking(seat) and seat not in self.deaths and bool(self.choices(seat))

    def choices(self, seat: str) -> list[str]:
        return self.rules.filled(self.table.board, seat)

    @property
    def over(self) -> bool:
        if self.rules.mak_khum and self.rules["race"] == "round":  # MK-23
            hands_empty = not self.walking("S") and not self.walking("N")
            return hands_empty and not (self.choices("S") and self.choices("N"))
        return len(self.deaths) == 2

    @property
    def winner(self) -> str | None:
        """Who moves first when turns follow: MK-22, AB-22, AB-45. None where no turns follow (``race: round``)."""
        if self.endless_pair:
            return self.steps[0]
        return self.deaths[0] if self.deaths else None

    # steps

    def lift(self, seat: str, hole: str) -> None:
        self._after(seat, *self.table.lift(seat, hole))

    def drop(self, seat: str) -> None:
        stop_lap = not self.rules.mak_khum and self.rules["race_loser"] == "stop_lap" and bool(self.deaths)  # AB-23
        relays = not (stop_lap or self.letting_go)
        self._after(seat, *self.table.drop(seat, captures=self.rules.mak_khum, relays=relays))

    def slip(self, seat: str) -> None:
        self._after(seat, *self.table.slip(seat))

    def give_up(self, seat: str) -> None:
        """MK-23, ``opening`` at lockstep: its step has come and it has nothing to choose."""
        self.deaths.append(seat)

    def _after(self, seat: str, events: list[Event], state: str) -> None:
        self.events += events
        self.steps.append(seat)
        one_death = not self.rules.mak_khum or self.rules["race"] == "opening"
        if state == "die" and one_death:
            self.deaths.append(seat)
            if self.pace == "by_hand":
                self._seen.clear()  # AB-45: only a lone hand is tested, from here on
        self._bury(seat)
        if not self.rules.mak_khum and len(self.steps) >= 2:
            self._look_for_endless(seat)

    def _bury(self, stepped: str = "S") -> None:
        """MK-23, ``opening`` at the live paces: a hand that would have to choose and cannot has died."""
        if self.pace == "lockstep" or not self.rules.mak_khum or self.rules["race"] != "opening":
            return
        for seat in (stepped, OTHER[stepped]):
            if not self.walking(seat) and seat not in self.deaths and not self.choices(seat):
                self.deaths.append(seat)

    def _look_for_endless(self, stepped: str) -> None:
        """AB-45."""
        walking = [seat for seat in SEATS if self.walking(seat)]
        if self.letting_go or not walking or (self.pace == "by_hand" and len(walking) == 2):
            return
        following = None
        if self.pace == "lockstep":
            following = OTHER[stepped] if self.walking(OTHER[stepped]) else stepped
        situation = (self.table.situation(), tuple(self.deaths), following)
        if situation in self._seen:
            self.letting_go = True
            self.endless_pair = len(walking) == 2
        self._seen.add(situation)


class Lockstep:
    """A race at ``lockstep``: ``due`` names who has to choose, ``choose`` takes a choice, the rest happens by itself (MK-24)."""

    def __init__(self, rules: Rules, board: Mapping[str, int | None], first: str) -> None:
        self.race = Race(rules, board, first, "lockstep")
        self.to_step = first
        self.chosen: dict[str, str] = {}
        self._run()

    @property
    def due(self) -> list[str]:
        """Who must choose now; the one whose step it is comes first."""
        if self.race.over:
            return []
        asked = [seat for seat in (self.to_step, OTHER[self.to_step]) if self.race.can_lift(seat)]
        return [seat for seat in asked if seat not in self.chosen]

    def choose(self, seat: str, hole: str) -> None:
        assert seat in self.due, (seat, self.due)
        assert hole in self.race.choices(seat)
        self.chosen[seat] = hole
        self._run()

    def _run(self) -> None:
        race = self.race
        while not race.over:
            seat = self.to_step
            if race.walking(seat):
                race.drop(seat)
            elif race.can_lift(seat):
                if self.due:  # both choices are made before either is shown
                    return
                race.lift(seat, self.chosen.pop(seat))
            elif seat not in race.deaths and race.rules.mak_khum and race.rules["race"] == "opening":
                race.give_up(seat)
            self.to_step = OTHER[seat]


def lockstep_race(rules: Rules, board: Mapping[str, int | None], first: str, choices: Iterable[str]) -> Race:
    """A whole race at lockstep; ``choices`` in the order in which they fall due."""
    lock = Lockstep(rules, board, first)
    rest = list(choices)
    while lock.due:
        lock.choose(lock.due[0], rest.pop(0))
    assert not rest, f"{len(rest)} choices too many"
    return lock.race


def play_steps(rules: Rules, board: Mapping[str, int | None], steps: Iterable[Sequence[str]]) -> tuple[list[Event], Table]:
    """Any order of single steps ``[seat, "lift", hole]``, ``[seat, "drop"]``, ``[seat, "slip"]``; Abalala'e without captures."""
    table = Table(rules, dict(board))
    events: list[Event] = []
    for seat, kind, *hole in steps:
        if kind == "lift":
            more, _ = table.lift(seat, hole[0])
        elif kind == "slip":
            more, _ = table.slip(seat)
        else:
            more, _ = table.drop(seat, captures=rules.mak_khum)
        events += more
    return events, table
