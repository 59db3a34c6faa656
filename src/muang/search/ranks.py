"""Owns the numbering of boards by which solved tables are read: every board with at most so many seeds in play has one rank.

A board is read as its mover sees it: the mover's holes 1…n, then the other's holes 1…n; stores do not count. With ``t(i)`` the seeds in
the first ``i + 1`` of these ``2n`` holes, the rank is the sum of the binomials ``C(t(i) + i, i + 1)`` (the combinatorial number system: its
digits are the places of the bars between holes). So boards with fewer seeds come first, each number of seeds is one contiguous range
(``layer``), and a rank does not depend on how far a table goes.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from muang.games._jit import kernel

__all__ = ["binomials", "boards", "following", "layer", "rank", "unrank"]


@lru_cache(maxsize=16)
def binomials(holes: int, seeds: int) -> NDArray[np.int64]:
    """The table that ``rank`` and ``unrank`` read: int64[2 * holes, seeds + 2], ``[i, t]`` is ``C(t + i, i + 1)``. Read-only.

    ``holes`` a seat, ``seeds`` the most in play. ``OverflowError`` where the ranks do not fit into 64 bits.
    """
    table = np.array([[comb(t + i, i + 1) for t in range(seeds + 2)] for i in range(2 * holes)], np.int64)
    table.setflags(write=False)
    return table


def boards(holes: int, seeds: int) -> int:
    """How many boards there are with up to ``seeds`` seeds in play on ``2 * holes`` holes: the length of their table."""
    return comb(seeds + 2 * holes, 2 * holes)


def layer(holes: int, seeds: int) -> range:
    """The ranks of the boards with exactly ``seeds`` seeds in play."""
    return range(boards(holes, seeds - 1) if seeds else 0, boards(holes, seeds))


@kernel
def rank(board: Any, first: int, second: int, holes: int, choose: Any) -> int:
    """The rank of a board: the mover's row is ``board[first : first + holes]``, the other's ``board[second : second + holes]``.

    ``board`` is any array of whole numbers, ``choose`` is ``binomials(holes, …)`` for no fewer seeds than the two rows hold.
    """
    t = 0
    r = 0
    for i in range(holes):
        t += int(board[first + i])
        r += choose[i, t]
    for i in range(holes):
        t += int(board[second + i])
        r += choose[holes + i, t]
    return r


@kernel
def unrank(r: int, board: Any, first: int, second: int, holes: int, choose: Any) -> None:
    """Lay out the board with this rank: the opposite of ``rank``. Writes the two rows and nothing else."""
    t = choose.shape[1] - 1
    after = -1
    for i in range(2 * holes - 1, -1, -1):
        while choose[i, t] > r:
            t -= 1
        r -= choose[i, t]
        if after >= 0:
            at = first + i + 1 if i + 1 < holes else second + i + 1 - holes
            board[at] = after - t
        after = t
    board[first] = after


@kernel
def following(board: Any, first: int, second: int, holes: int) -> None:
    """Make of a board the one with the next rank, also across the number of seeds."""
    held = int(board[first])
    board[first] = 0
    for i in range(1, 2 * holes):
        at = first + i if i < holes else second + i - holes
        if board[at] > 0:
            board[at] -= 1
            before = at - 1 if i != holes else first + holes - 1
            board[before] = held + 1
            return
    at = second + holes - 1
    board[at] = held + 1
