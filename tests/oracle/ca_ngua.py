"""Cờ cá ngựa: moves and whole logs. CN-1 to CN-31.

A seat's horses are a list of two progresses: ``"stable"``, squares 0 … T-1 counted from the seat's own start, or ``"slot1"`` … ``"slot4"``.
A move is ``(from, to)``; ``None`` stands for "no move was possible", ``"pass"`` for an ``extra`` choice that is passed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Progress = int | str
Move = tuple[Progress, Progress]
Horses = dict[int, list[Progress]]

OPTIONS: dict[str, Any] = {"track": 56, "keep_repeat": True, "doubles": "face", "gate": "run_in"}


def options(changes: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """All options; CN-25 refuses a gate that stops horses where doubles give no alternative."""
    full = {**OPTIONS, **(changes or {})}
    assert set(full) == set(OPTIONS), full
    assert full["gate"] == "run_in" or full["doubles"] != "total", "CN-25"
    return full


def is_double(dice: Sequence[int]) -> bool:
    return dice[0] == dice[1]


def is_release(dice: Sequence[int]) -> bool:
    """CN-11."""
    return is_double(dice) or sorted(dice) == [1, 6]


def slot_number(progress: Progress) -> int | None:
    return int(progress[4:]) if isinstance(progress, str) and progress.startswith("slot") else None


def square(seat: int, progress: Progress, track: int) -> int | None:
    """The absolute square of a horse on the track: CN-1."""
    return (seat * track // 4 + progress) % track if isinstance(progress, int) else None


def rank(progress: Progress, track: int) -> int:
    """How far a horse has come: -1 in the stable, then the squares, then the slots."""
    if progress == "stable":
        return -1
    number = slot_number(progress)
    return int(progress) if number is None else track - 1 + number


def ordered(moves: Iterable[Move], track: int) -> list[Move]:
    """CN-40: by `from`, farthest first, then by `to`."""
    return sorted(moves, key=lambda move: (-rank(move[0], track), rank(move[1], track)))


def farthest(moves: Iterable[Move], track: int) -> Move:
    """CN-42: what the system chooses."""

    def squares(move: Move) -> tuple[int, int]:
        before, after = rank(move[0], track), rank(move[1], track)
        return (0 if before < 0 else after - before, after)

    return max(moves, key=squares)


@dataclass
class Table:
    """Horses and options. Seats that have left stay in ``horses`` with both horses in the stable (CN-31)."""

    opts: dict[str, Any]
    horses: Horses

    @property
    def gate(self) -> int:
        return int(self.opts["track"]) - 1

    def free(self, seat: int, progress: Progress) -> bool:
        """No horse stands there: anyone's on the track, only the own ones come into the lane."""
        if slot_number(progress) is not None:
            return progress not in self.horses[seat]
        here = square(seat, progress, self.opts["track"])
        return all(square(s, p, self.opts["track"]) != here for s, two in self.horses.items() for p in two)

    def kicked(self, seat: int, progress: Progress) -> int | None:
        """The other seat whose horse stands there: CN-24."""
        here = square(seat, progress, self.opts["track"])
        if here is None:
            return None
        for other, two in self.horses.items():
            if other != seat and any(square(other, p, self.opts["track"]) == here for p in two):
                return other
        return None

    def line(self, progress: int, steps: int) -> list[Progress] | None:
        """The places of an advance, the last one where it ends; None if it leads too far. CN-25."""
        places: list[Progress] = []
        for far in range(progress + 1, progress + steps + 1):
            if far <= self.gate:
                places.append(far)
            elif far <= self.gate + 4:
                places.append(f"slot{far - self.gate}")
            else:
                return None
        entered = slot_number(places[-1]) is not None
        if entered and self.opts["gate"] == "climb":
            return None
        if entered and self.opts["gate"] == "jump" and progress != self.gate:
            return None
        return places

    def advances(self, seat: int, steps: int) -> set[Move]:
        """CN-21, 23, 24, 25: every horse on the track, by ``steps``."""
        moves: set[Move] = set()
        for progress in self.horses[seat]:
            if not isinstance(progress, int):
                continue
            places = self.line(progress, steps)
            if places is None or places[-1] in self.horses[seat]:
                continue
            if all(self.free(seat, place) for place in places[:-1]):
                moves.add((progress, places[-1]))
        return moves

    def moves(self, seat: int, dice: Sequence[int]) -> set[Move]:
        """What ``seat`` may do with a roll."""
        total = sum(dice)
        moves = self.advances(seat, total)
        if is_double(dice) and self.opts["doubles"] == "face":  # CN-22
            moves |= self.advances(seat, dice[0])
        if is_release(dice) and "stable" in self.horses[seat] and 0 not in self.horses[seat]:  # CN-20, 24, 27
            moves.add(("stable", 0))
        for progress in self.horses[seat]:  # CN-26
            number = slot_number(progress)
            if progress == self.gate and self.opts["gate"] == "climb":
                number = 0
            if number is None or number == 4:
                continue
            following = f"slot{number + 1}"
            if following not in self.horses[seat] and (is_release(dice) or total == number + 1):
                moves.add((progress, following))
        return moves

    def extra_moves(self, seat: int, dice: Sequence[int]) -> set[Move]:
        """CN-22, ``extra``: one horse by the number of one die."""
        return self.advances(seat, dice[0])

    def make(self, seat: int, move: Move) -> int | None:
        """Make a move; gives the seat whose horse was kicked."""
        before, after = move
        other = self.kicked(seat, after)
        if other is not None:
            here = square(seat, after, self.opts["track"])
            two = self.horses[other]
            two[[square(other, p, self.opts["track"]) for p in two].index(here)] = "stable"
        self.horses[seat][self.horses[seat].index(before)] = after
        return other

    def has_won(self, seat: int) -> bool:
        """CN-30."""
        return set(self.horses[seat]) == {"slot3", "slot4"}


@dataclass
class Match:
    """A match as it stands: ``roll``, then ``play`` where there is something to choose. ``phase``: ``roll`` · ``move`` · ``over``."""

    opts: dict[str, Any]
    seats: tuple[int, ...]
    turn: int
    table: Table = field(init=False)
    phase: str = "roll"
    dice: tuple[int, int] | None = None
    extra: bool = False
    moved: bool = False
    left: list[int] = field(default_factory=list)
    winner: int | None = None
    reason: str = ""

    def __post_init__(self) -> None:
        self.table = Table(self.opts, {seat: ["stable", "stable"] for seat in self.seats})

    def choices(self) -> set[Move]:
        """The moves to choose from; at an ``extra`` choice passing is allowed besides."""
        assert self.phase == "move"
        assert self.dice
        return self.table.extra_moves(self.turn, self.dice) if self.extra else self.table.moves(self.turn, self.dice)

    def roll(self, dice: tuple[int, int]) -> None:
        assert self.phase == "roll"
        self.dice, self.extra, self.moved, self.phase = dice, False, False, "move"
        if not self.choices():  # CN-13
            self._after_move()

    def play(self, move: Move | None) -> int | None:
        """Make a move; ``None`` passes an ``extra`` choice. Gives the seat that was kicked."""
        assert self.phase == "move"
        kicked = None
        if move is None:
            assert self.extra
        else:
            assert move in self.choices(), (move, self.choices())
            kicked = self.table.make(self.turn, move)
            self.moved = True
            if self.table.has_won(self.turn):
                self.phase, self.winner, self.reason = "over", self.turn, "horses"
                return kicked
        self._after_move()
        return kicked

    def _after_move(self) -> None:
        """CN-12, CN-22."""
        assert self.dice
        if self.opts["doubles"] == "extra" and is_double(self.dice) and not self.extra:
            self.extra = True
            if self.choices():
                return
        again = is_release(self.dice) and (self.moved or self.opts["keep_repeat"])
        self.dice, self.extra, self.phase = None, False, "roll"
        if not again:
            self.turn = self._next(self.turn)

    def _next(self, seat: int) -> int:
        """CN-14: round the table in rising number."""
        later = [other for other in self.seats if other > seat and other not in self.left]
        return later[0] if later else next(other for other in self.seats if other not in self.left)

    def leave(self, seat: int) -> None:
        """CN-31."""
        assert seat not in self.left
        assert self.phase != "over"
        self.left.append(seat)
        self.table.horses[seat] = ["stable", "stable"]
        staying = [other for other in self.seats if other not in self.left]
        if len(staying) == 1:
            self.phase, self.winner, self.reason = "over", staying[0], "last-left"
        elif seat == self.turn:
            self.turn = self._next(seat)
            self.dice, self.extra, self.phase = None, False, "roll"


def play_log(opts: dict[str, Any], seats: Sequence[int], log: Iterable[Sequence[Any]]) -> Match:
    """A whole log of ``[seat, dice, [from, to]]``, ``[seat, dice, None]`` and ``[seat, "leave"]``; the first of ``seats`` rolls first.

    With ``doubles: extra`` a second entry ``[seat, dice, move, "extra"]`` holds the choice, ``None`` for a pass.
    """
    match = Match(opts, tuple(sorted(seats)), seats[0])
    for entry in log:
        if entry[1] == "leave":
            match.leave(entry[0])
            continue
        seat, dice, move, *extra = entry
        assert match.turn == seat, (entry, match.turn)
        if not extra:
            match.roll((dice[0], dice[1]))
            if move is None:
                assert match.phase == "roll" or match.extra, entry
                continue
        assert bool(extra) == match.extra, entry
        match.play(None if move is None else (move[0], move[1]))
    return match
