"""Owns the count of the choices tree (perft): leaves at a depth, one choice a level. The sowing is the games' own.

A walk that rests keeps the move, so its next choice is the next level. A roll that is due is a level with 21 branches, the different
pairs of dice. In a race at ``lockstep`` each seat's choice is a level of its own, South's first where both are due. A match that is
over has no leaves below it. The turns of Mak Khum's last round are counted by its compiled batch, everything else through ``Match``.
"""

from __future__ import annotations

from collections.abc import Iterator

from muang.games.core import Match

__all__ = ["leaves", "perft"]

PAIRS = tuple((a, b) for a in range(1, 7) for b in range(a, 7))


def leaves(match: Match, depth: int) -> int:
    """The number of ways to make ``depth`` choices one after another from ``match``."""
    if depth > 2 and _last_turns(match):
        return _compiled(match, depth)
    return walked(match, depth)


def walked(match: Match, depth: int) -> int:
    """The same, always through ``Match``."""
    if depth == 0:
        return 1
    if match.phase == "roll":
        return sum(walked(match.roll(pair), depth - 1) for pair in PAIRS)
    if not match.to_act:
        return 0
    seat = match.to_act[0]
    actions = match.legal(seat)
    if depth == 1:
        return len(actions)
    return sum(walked(match.play(seat, action), depth - 1) for action in actions)


def perft(match: Match, depth: int) -> Iterator[tuple[int, int]]:
    """``(d, leaves)`` for every depth from 1 to ``depth``."""
    for d in range(1, depth + 1):
        yield d, leaves(match, d)


def _last_turns(match: Match) -> bool:
    """Whether only turns can follow: the compiled count knows no further round, no race and no pass (AB-45)."""
    if match.game.name != "mak-khum" or match.phase != "turn" or match.pace == "by_hand":
        return False
    rounds = match.game.options["rounds"]
    return isinstance(rounds, int) and int(match.view()["round"]) >= rounds


def _compiled(match: Match, depth: int) -> int:
    from muang.games.sowing.batch import perft as count
    from muang.games.sowing.game import SowingGame
    from muang.games.sowing.layout import SEATS

    of = match.game
    assert isinstance(of, SowingGame)
    board = match.view()["board"]
    cells: list[int] = []
    widows = 0
    for name in SEATS:
        for seeds in board[name]:
            widows |= (seeds is None) << len(cells)
            cells.append(seeds or 0)
        cells.append(board["stores"][name])
    return count(of, cells, SEATS.index(str(match.turn)), widows, depth)
