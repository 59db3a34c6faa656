"""Owns the count of the choices tree (perft): leaves at a depth, one choice a level. Uses compiled counting where a game has it.

A walk that rests keeps the move, so its next choice is the next level. A roll that is due is a level with 21 branches, the different
pairs of dice. In a race at ``lockstep`` each seat's choice is a level of its own, South's first where both are due. A match that is
over has no leaves below it.
"""

from __future__ import annotations

from collections.abc import Iterator

from muang.games.core import Match

__all__ = ["leaves", "perft"]

PAIRS = tuple((a, b) for a in range(1, 7) for b in range(a, 7))


def leaves(match: Match, depth: int) -> int:
    """The number of ways to make ``depth`` choices one after another from ``match``."""
    if depth == 0:
        return 1
    if match.phase == "roll":
        return sum(leaves(match.roll(pair), depth - 1) for pair in PAIRS)
    if not match.to_act:
        return 0
    seat = match.to_act[0]
    actions = match.legal(seat)
    if depth == 1:
        return len(actions)
    return sum(leaves(match.play(seat, action), depth - 1) for action in actions)


def perft(match: Match, depth: int) -> Iterator[tuple[int, int]]:
    """``(d, leaves)`` for every depth from 1 to ``depth``."""
    for d in range(1, depth + 1):
        yield d, leaves(match, d)
