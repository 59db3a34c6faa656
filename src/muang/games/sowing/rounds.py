"""Owns what happens between rounds: refills, widows, who has won, who opens. Whole numbers in, whole numbers out; compiled for batches.

``limits`` is int64[6]: [MATCH] 1 if the match is one round by seeds (MK-50), [LAST] the last round, [NEAR] widows stand next to the store,
[SMALLER] the poorer seat opens, [RACES] 0 no race, 1 in the first round, 2 in every round, [QUIET] turns without a capture that end a
round (0: no limit).
"""

from __future__ import annotations

from typing import Any

from muang.games._jit import kernel

__all__ = [
    "ALL_SEEDS",
    "BROKE",
    "DRAW",
    "GO_ON",
    "LAST",
    "NEAR",
    "ONE_ROUND",
    "QUIET",
    "RACES",
    "REASONS",
    "SEEDS",
    "SMALLER",
    "WIDOWS",
    "loop_refill",
    "loop_verdict",
    "opener",
    "refill",
    "row_refill",
    "row_verdict",
    "verdict",
]

ONE_ROUND, LAST, NEAR, SMALLER, RACES, QUIET = 0, 1, 2, 3, 4, 5
GO_ON, DRAW = -1, 2
SEEDS, WIDOWS, BROKE, ALL_SEEDS = 0, 1, 2, 3
REASONS = ("seeds", "widows", "broke", "all-seeds")


@kernel
def row_refill(board: Any, holes: int, each: int, near: int, south: int, north: int) -> int:
    """MK-41, MK-42: full holes as far as the seeds go, the rest in the store. Fills ``board`` and gives the mask of widows."""
    widows = 0
    for seat in range(2):
        have = south if seat == 0 else north
        base = seat * (holes + 1)
        full = min(holes, have // each)
        for i in range(holes):
            filled = i < full if near else i >= holes - full
            board[base + i] = each if filled else 0
            if not filled:
                widows |= 1 << (base + i)
        board[base + holes] = have - full * each
    return widows


@kernel
def loop_refill(board: Any, holes: int, each: int, south: int, north: int) -> int:
    """AB-40: the poorer seat lays out all it has, the richer full holes in the same number. Fills ``board``; no hole is closed (AB-41)."""
    count = min(holes, (min(south, north) + each - 1) // each)
    for seat in range(2):
        left = south if seat == 0 else north
        base = seat * (holes + 1)
        for i in range(holes):
            seeds = min(each, left) if i < count else 0
            board[base + i] = seeds
            left -= seeds
        board[base + holes] = left
    return 0


@kernel
def row_verdict(limits: Any, holes: int, each: int, number: int, south: int, north: int) -> tuple[int, int]:
    """MK-50…52 after round ``number``: (GO_ON | winner | DRAW, reason)."""
    if south < each:  # whatever the number of rounds
        return 1, BROKE
    if north < each:
        return 0, BROKE
    if limits[ONE_ROUND]:
        return (DRAW if south == north else 0 if south > north else 1), SEEDS
    if number < limits[LAST]:
        return GO_ON, 0
    south, north = holes - min(holes, south // each), holes - min(holes, north // each)
    return (DRAW if south == north else 0 if south < north else 1), WIDOWS


@kernel
def loop_verdict(limits: Any, number: int, south: int, north: int) -> tuple[int, int]:
    """AB-42, AB-43 after round ``number``: (GO_ON | winner | DRAW, reason)."""
    if north == 0:
        return 0, ALL_SEEDS
    if south == 0:
        return 1, ALL_SEEDS
    if number < limits[LAST]:
        return GO_ON, 0
    return (DRAW if south == north else 0 if south > north else 1), SEEDS


@kernel
def refill(board: Any, loop: bool, limits: Any, holes: int, each: int, south: int, north: int) -> int:
    """The board of a round of either game. Fills ``board`` and gives the mask of widows."""
    if loop:
        return loop_refill(board, holes, each, south, north)
    return row_refill(board, holes, each, limits[NEAR], south, north)


@kernel
def verdict(limits: Any, loop: bool, holes: int, each: int, number: int, south: int, north: int) -> tuple[int, int]:
    """After round ``number`` of either game: (GO_ON | winner | DRAW, reason)."""
    if loop:
        return loop_verdict(limits, number, south, north)
    return row_verdict(limits, holes, each, number, south, north)


@kernel
def opener(limits: Any, south: int, north: int, opened: int) -> int:
    """MK-45, AB-24: who opens a round without a race; ``opened`` did so the round before, or stepped first in its race."""
    if south == north:
        return 1 - opened
    larger = 0 if south > north else 1
    return 1 - larger if limits[SMALLER] else larger
