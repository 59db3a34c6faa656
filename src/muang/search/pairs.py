"""Owns how a solved table of two players of Cờ cá ngựa is indexed, and reading a chance from one. Solves nothing, loads no file.

**A seat's pair.** Its two horses (``games.ca_ngua.kernel``: 12 bits, the one farther back first) are number 0 with both in the stable, else
``front * (front - 1) / 2 + back + 1`` with ``front`` and ``back`` as the key stores them. So there are ``pairs(track)`` =
``1 + (T + 4) * (T + 5) / 2`` numbers (1,831 at T = 56), and every one is a pair that can stand on an empty board.

**A table** holds the chance to win of the seat that is to roll, in a flat array indexed by ``(side * P + own) * P + other``: ``own`` and
``other`` are the pairs' numbers, ``P`` is ``pairs(track)``. Opposite seats look alike from both sides, so they have one side (0). Of two
neighbouring seats ``side`` is 0 where the other's start lies a quarter of the track ahead of the roller's, 1 where it lies three quarters
ahead. The table depends on the seats only through that, so there are two tables a ruleset: ``opposite`` and ``neighbours``. Entries of
pairs that cannot stand together (two horses on one square) are 0 and never read.

A roll is due in what the index names. ``chance`` also knows the value of a choice that is due: the best of what may be chosen.
"""

from __future__ import annotations

from typing import Any

from muang.errors import BadPosition
from muang.games._jit import kernel
from muang.games.ca_ngua.kernel import DUE_OVER, PASS, moves, play
from muang.search.limits import HorseTable

__all__ = ["are_opposite", "chance", "index", "index_between", "pair_number", "pairs", "table_size", "value"]


@kernel
def pairs(track: int) -> int:
    """How many pairs a seat's two horses can be."""
    return 1 + (track + 4) * (track + 5) // 2


@kernel
def pair_number(pair: int) -> int:
    """The number of a seat's 12 bits."""
    front = pair >> 6
    return 0 if front == 0 else front * (front - 1) // 2 + (pair & 63) + 1


@kernel
def index_between(key: int, seat: int, other: int, track: int) -> int:
    """The table index where ``seat`` is to roll against ``other``, whoever is on turn in the key and whoever else plays."""
    each = pairs(track)
    own = pair_number((key >> (12 * seat)) & 4095)
    foe = pair_number((key >> (12 * other)) & 4095)
    side = 1 if (other - seat) & 3 == 3 else 0
    return (side * each + own) * each + foe


@kernel
def index(key: int, track: int) -> int:
    """The table index of a key of two players in which a roll is due."""
    seat = (key >> 52) & 3
    other = (seat + 1) & 3
    while (key >> (48 + other)) & 1 == 0:
        other = (other + 1) & 3
    return index_between(key, seat, other, track)


@kernel
def at_rest(values: Any, key: int, track: int, seat: int) -> float:
    """The chance of ``seat`` where no choice is due: it is over, or a roll is due."""
    if key >> 54 == DUE_OVER:
        return 1.0 if (key >> 52) & 3 == seat else 0.0
    own = float(values[index(key, track)])
    return own if (key >> 52) & 3 == seat else 1.0 - own


@kernel
def chance(values: Any, key: int, track: int, doubles: int, gate: int, seat: int) -> float:
    """The chance that ``seat`` wins with best play of both from any key of two players: over, a roll due, or a choice due.

    ``values``: a table's array for these rules and seats; ``track``, ``doubles``, ``gate``: as ``CaNgua.numbers``.
    """
    due = key >> 54
    if due == 0 or due == DUE_OVER:
        return at_rest(values, key, track, seat)
    chooser = (key >> 52) & 3
    best = -1.0
    mask = moves(key, track, doubles, gate)
    for move in range(PASS + 1):
        if mask >> move & 1 == 0:
            continue
        after, _ = play(key, track, doubles, gate, move, None)
        due = after >> 54
        if due == 0 or due == DUE_OVER:
            best = max(best, at_rest(values, after, track, chooser))
            continue
        second = moves(after, track, doubles, gate)  # the extra choice (CN-22); after it no choice is due
        for extra in range(PASS + 1):
            if second >> extra & 1 != 0:
                last, _ = play(after, track, doubles, gate, extra, None)
                best = max(best, at_rest(values, last, track, chooser))
    return best if chooser == seat else 1.0 - best


def are_opposite(seats: tuple[int, int]) -> bool:
    """Whether two seats sit across the table from each other; else they are neighbours."""
    return (seats[1] - seats[0]) & 3 == 2


def table_size(track: int, opposite: bool) -> int:
    """How many entries a table has."""
    return (1 if opposite else 2) * pairs(track) ** 2


def value(table: HorseTable, game: Any, key: int, seat: int) -> float:
    """The chance that ``seat`` wins from a key, with best play of both, within ``table.error``.

    ``table`` must be that of ``game`` and of the two seats in play. ``BadPosition`` if the key has not two seats in play, ``seat`` is not
    one of them, or the table is one for other seats or another track.
    """
    playing = tuple(s for s in range(4) if key >> (48 + s) & 1)
    track, doubles, gate, _ = game.numbers
    if len(playing) == 1 and key >> 54 == DUE_OVER:  # the last one left has won (CN-31)
        return 1.0 if playing[0] == seat else 0.0
    if len(playing) != 2 or seat not in playing:
        raise BadPosition(f"a table of two players knows nothing of seat {seat} among seats {playing}", clause="CN-2")
    if len(table.values) != table_size(track, are_opposite((playing[0], playing[1]))):
        raise BadPosition(f"the table {table.name} is not one for seats {playing} on a track of {track}", clause="CN-1")
    return float(chance(table.values, key, track, doubles, gate, seat))
