"""Owns checking a table of two players of Cờ cá ngựa by another path than the one that made it: match by match, in plain Python."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from muang.games import lots
from muang.games.ca_ngua.match import CaNguaMatch
from muang.games.ca_ngua.position import CaNguaPosition, Place
from muang.games.ca_ngua.rules import CaNgua
from muang.search.limits import HorseTable, Stop
from muang.solver.work import OnProgress, Work

__all__ = ["Checked", "chance_of", "check", "random_positions"]


@dataclass(frozen=True, slots=True)
class Checked:
    """How a check came out. ``most``: the largest difference that was seen."""

    entries: int
    wrong: int
    most: float


def check(
    table: HorseTable,
    of: CaNgua,
    seats: tuple[int, int],
    entries: int = 1000,
    seed: int = 0,
    *,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> Checked:
    """Re-derive so many random entries: all rolls and all choices of each are played as matches, and what they lead to is looked up.

    An entry is wrong if it differs by more than ``2 * table.error`` from the mean over its rolls. ``seed`` decides which entries.
    """
    wrong, most, tested = 0, 0.0, 0
    with Work(float(entries), threads=1, on_progress=on_progress, stop=stop) as work:
        for position in random_positions(of, seats, entries, seed):
            mean = 0.0
            for d1 in range(1, 7):
                for d2 in range(d1, 7):
                    mean += (1 if d1 == d2 else 2) / 36 * _best(table, position.start().roll((d1, d2)), position.turn)
            difference = abs(mean - chance_of(table, position))
            wrong += difference > 2 * table.error + 1e-12
            most = max(most, difference)
            tested += 1
            if tested % 20 == 0 or tested == entries:
                work.advance(float(tested) - work.done)
    return Checked(entries, wrong, most)


def _best(table: HorseTable, match: CaNguaMatch, seat: int | None) -> float:
    """The chance of ``seat`` with its best choice, of one choice or of two (CN-22)."""
    if match.phase == "move":
        return max(_best(table, match.play(match.to_act[0], action), seat) for action in match.legal(match.to_act[0]))
    if match.result is not None:
        return float(match.result.winner == seat)
    own = chance_of(table, match.position)
    return own if match.turn == seat else 1.0 - own


def chance_of(table: HorseTable, position: CaNguaPosition) -> float:
    """What the table says of who is to roll, looked up by the horses' places as people see them, not by the key."""
    track = position.game.options["track"]
    own = position.turn
    assert own is not None
    other = next(seat for seat in position.playing if seat != own)
    each = 1 + (track + 4) * (track + 5) // 2

    def number(places: tuple[Place, Place]) -> int:
        back, front = (0 if p == "stable" else p + 1 if isinstance(p, int) else track + int(p[4:]) for p in places)
        return 0 if front == 0 else sum(range(front)) + back + 1

    side = int((other - own) % 4 == 3)
    return float(table.values[(side * each + number(position.horses[own])) * each + number(position.horses[other])])


def random_positions(of: CaNgua, seats: tuple[int, int], count: int, seed: int) -> Iterator[CaNguaPosition]:
    """So many random positions in which a roll is due, every one that can stand as likely as any other."""
    track = of.options["track"]
    places: list[Place] = ["stable", *range(track), "slot1", "slot2", "slot3", "slot4"]
    pairs = [(places[back], places[front]) for front in range(1, len(places)) for back in range(front)] + [("stable", "stable")]
    at = 0
    while count:
        own, other, turn = (lots.below(seed, "ca-ngua-check", 3 * at + i, n) for i, n in enumerate((len(pairs), len(pairs), 2)))
        at += 1
        horses = {seats[0]: pairs[own], seats[1]: pairs[other]}
        squares = [{(p + seat * track // 4) % track for p in pair if isinstance(p, int)} for seat, pair in horses.items()]
        if squares[0] & squares[1] or ("slot3", "slot4") in horses.values():
            continue
        count -= 1
        yield CaNguaPosition.build(of, horses, seats[turn])
