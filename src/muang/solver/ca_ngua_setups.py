"""Owns which set-ups of two players of Cờ cá ngựa there are, in which order they are swept, and their listed rolls. Solves nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from muang.games.ca_ngua.rules import CaNgua
from muang.search.pairs import pairs, table_size
from muang.solver.ca_ngua_kernel import CODES, DEEP_CODES, list_rolls
from muang.solver.work import Work

__all__ = ["Chunk", "SetUps", "listed", "over_all", "set_ups"]

CHUNK = 1024
"""Set-ups that a thread takes at once, at most."""
LANE = 4


@dataclass(frozen=True)
class SetUps:
    """The set-ups that have to be solved, in the order of sweeps: falling progress of all four horses, of equal ones more in stables first.

    A *level* has the same progress and as many horses in stables. No roll leads from a set-up to another one of its level: a move adds to
    the progress, unless it kicks; then it adds to the horses in stables, or it enters, and the horse kicked loses more than a quarter of
    the track. The one exception is an entry and then a kick by the extra choice (CN-22).

    ``seats``: the first seat and the second, (0, 2) or (0, 1); others are the same turned. ``horses`` int64[n]: where the horses stand, as
    a key's bits. ``states`` int32 by ``search.pairs`` index: the state there (see ``ca_ngua_kernel``), -1 where no position has this
    index. ``levels`` int64: where each level begins, and the end.
    """

    seats: tuple[int, int]
    horses: NDArray[np.int64]
    states: NDArray[np.int32]
    levels: NDArray[np.int64]

    @property
    def state_count(self) -> int:
        """Two a set-up, and the two of a game that is over."""
        return 2 * len(self.horses) + 2

    @property
    def starts(self) -> tuple[int, ...]:
        """The state of the start (all horses in the stable) of each side of the table."""
        half = len(self.states) if self.seats == (0, 2) else len(self.states) // 2
        return tuple(int(self.states[at]) for at in range(0, len(self.states), half))


@dataclass(frozen=True)
class Chunk:
    """The rolls of a run of set-ups of one level, as ``ca_ngua_kernel.list_rolls`` lists them; the first has state ``first``."""

    first: int
    codes: NDArray[np.int32]
    counts: NDArray[np.uint8]
    stays: NDArray[np.uint8]


def set_ups(track: int, opposite: bool) -> SetUps:
    """All set-ups of two players on opposite or on neighbouring seats that can stand and are not over."""
    seats = (0, 2) if opposite else (0, 1)
    each = pairs(track)
    fronts = np.arange(1, track + LANE + 1)
    front = np.concatenate([[0], np.repeat(fronts, fronts)])
    back = np.concatenate([[0], *(np.arange(n) for n in fronts)])
    pair = back | front << 6
    won = pair == (track + LANE - 1 | (track + LANE) << 6)
    taken = np.zeros((2, each), np.uint64)
    for row, seat in enumerate(seats):
        for horse in (back, front):
            square = (horse - 1 + seat * (track // 4)) % track
            taken[row] |= np.where((horse > 0) & (horse <= track), np.uint64(1) << square.astype(np.uint64), np.uint64(0))
    # of the first seat's pair by the second's
    fine = (taken[0][:, None] & taken[1][None, :]) == 0
    fine[won.argmax(), won.argmax()] = False
    wanted = fine & ~won[:, None] & ~won[None, :]
    if opposite:
        wanted = np.triu(wanted)  # the other half is the same from the other side
    first, second = np.nonzero(wanted)
    standing = 8 * (front + back) + (front == 0) + (back == 0)
    progress = standing[first] + standing[second]
    order = np.argsort(-progress, kind="stable")
    first, second, progress = first[order], second[order], progress[order]
    levels = np.concatenate([[0], np.flatnonzero(np.diff(progress)) + 1, [len(first)]])
    numbers = np.arange(1, len(first) + 1, dtype=np.int32)
    states = np.full((table_size(track, opposite) // each**2, each, each), -1, np.int32)
    over = np.full((each, each), -1, np.int32)
    over[won, :] = 0
    over[:, won] = 1
    over[~fine] = -1
    states[0] = over
    if not opposite:
        states[1] = np.where(over < 0, over, 1 - over).T
    states[-1, second, first] = 2 * numbers + 1
    states[0, first, second] = 2 * numbers
    return SetUps(seats, pair[first] << 12 * seats[0] | pair[second] << 12 * seats[1], states.reshape(-1), levels)


def listed(of: CaNgua, these: SetUps, work: Work, share: float) -> list[list[Chunk]]:
    """The rolls of all set-ups, by level and in chunks; advances ``work`` by ``share`` on the way. ``Stopped`` when it is asked to stop."""
    cuts, rows = [], []
    for begin, end in zip(these.levels[:-1], these.levels[1:], strict=True):
        edges = np.linspace(begin, end, -(-int(end - begin) // CHUNK) + 1).astype(int)
        rows.append(len(edges) - 1)
        cuts += list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))
    total = len(these.horses)
    size = 2 * CHUNK * (DEEP_CODES if of.options["doubles"] == "extra" else CODES)
    buffers = threading.local()

    def chunk(begin: int, end: int) -> Chunk:
        if not hasattr(buffers, "codes"):
            buffers.codes = np.zeros(size, np.int32)
        counts, stays = np.zeros(2 * (end - begin), np.uint8), np.zeros((2 * (end - begin), 2), np.uint8)
        used = list_rolls(*of.numbers, *these.seats, these.horses[begin:end], these.states, buffers.codes, counts, stays)
        return Chunk(2 * begin + 2, buffers.codes[:used].copy(), counts, stays)

    work.note = "listing rolls"
    chunk(0, 1)  # compile once, before threads would each wait for it
    made = iter(work.run(chunk, cuts, weight=lambda i: share * (cuts[i][1] - cuts[i][0]) / total))
    return [[next(made) for _ in range(n)] for n in rows]


def over_all(work: Work, levels: list[list[Chunk]], each: Callable[[Chunk], float]) -> float:
    """``each`` of every chunk, level after level, the chunks of a level shared out among the threads; gives the largest result.

    When it is asked to stop it comes back early: what it gives then means nothing, and the next ``work.check`` raises ``Stopped``.
    """
    barrier = threading.Barrier(work.threads)

    def part(thread: int) -> float:
        largest = 0.0
        try:
            for level, after in zip(levels, [*levels[1:], []], strict=True):
                for chunk in level[thread :: work.threads]:
                    largest = max(largest, each(chunk))
                if work.stop:
                    barrier.abort()
                if len(level) > 1 or len(after) > 1:  # else the first thread does both
                    barrier.wait()
        except threading.BrokenBarrierError:
            return largest
        except BaseException:
            barrier.abort()
            raise
        return largest

    return max(work.run(part, [(thread,) for thread in range(work.threads)]))
