"""Owns the race's equilibrium on small boards: a game of two who choose at once, solved whole. The searching is ``search.race_exact``'s."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from muang.errors import BadRuleset, NotEnough
from muang.games.core import Game
from muang.games.sowing import lockstep
from muang.games.sowing.game import SowingGame
from muang.search import race_exact as exact
from muang.search.limits import Stop
from muang.search.matrix import equilibrium, share_at_most
from muang.search.race import Point
from muang.solver.work import OnProgress, Work, need

__all__ = ["Equilibrium", "names", "raced", "solve_race", "start_of"]


def raced(game: Game) -> SowingGame:
    """The game, if its first race has choices. ``BadRuleset`` if not."""
    if not isinstance(game, SowingGame) or game.name != "mak-khum" or not game.raced(1):
        raise BadRuleset("there is no race with choices under these rules", clause="MK-22", allowed=("mak-khum with a race",))
    return game


def names(game: SowingGame, seat: int) -> list[str]:
    """A seat's holes."""
    return [game.layout.names[place] for place in game.layout.own(seat)]


def start_of(game: SowingGame, first: int = 0) -> Point:
    """The race of round one before the first choices, which both make at once."""
    half = game.layout.total // 2
    cells, widows = game.refill((half, half))
    return Point(game, game.board(cells), np.zeros((2, 3), np.int64), lockstep.new_race(first), widows, 3)


@dataclass(frozen=True)
class Equilibrium:
    """The race as a game of two who choose at once, solved. South steps first.

    ``value``: South's difference in seeds at the end of the round (with ``aim`` win: its chance to win minus its chance to lose).
    ``payoff`` float64[holes, holes]: the same by both first holes, best play from there. ``south``, ``north``: one best mix each;
    ``south_most``, ``north_most``: the largest share that a hole has in any best mix. ``positions`` where somebody chooses in the race,
    ``turns``: positions in turns behind it, ``nodes``: choices tried.
    """

    aim: str
    value: float
    payoff: NDArray[np.float64]
    south: tuple[float, ...]
    north: tuple[float, ...]
    south_most: tuple[float, ...]
    north_most: tuple[float, ...]
    positions: int
    turns: int
    nodes: int
    seconds: float


def solve_race(
    game: Game, aim: str = "seeds", *, memory_mb: int = 1024, on_progress: OnProgress | None = None, stop: Stop | None = None
) -> Equilibrium:
    """The race of round one, whole: every position that can come up, each where both choose as a matrix game, turns to their end.

    Values are exact up to float64: each is made of at most a few hundred sums and matrix games of relative error below 1e-12.
    ``BadRuleset`` where there is no race with choices, ``NotEnough`` where ``memory_mb`` does not hold it, ``Stopped``.
    """
    of = raced(game)
    layout = of.layout
    if aim not in ("seeds", "win"):
        raise BadRuleset(f"the aim cannot be {aim!r}", allowed=("seeds", "win"))
    if not exact.fits(layout.holes, layout.total):
        raise NotEnough(f"positions of {layout.holes} holes and {layout.total} seeds do not fit into the keys of this search")
    slots = 1 << max(10, (memory_mb * (1 << 20) // 24).bit_length() - 1)
    need(slots * 24, 0, Path(), f"a memo of {memory_mb} MB")
    goal = exact.WIN if aim == "win" else exact.SEEDS
    memo = exact.new_memo(slots)
    began = time.perf_counter()
    root = start_of(of)
    holes, bits = layout.holes, layout.total.bit_length()
    payoff, scratch = np.zeros((holes, holes)), np.zeros((15, 15))
    with Work(holes * holes, threads=1, on_progress=on_progress, stop=stop) as work, ThreadPoolExecutor(1) as pool:
        flag = work.stop.flag
        for south in range(holes):
            for north in range(holes):
                point = root.after(south, north)
                # on another thread, so that Ctrl-C is heard while a kernel runs
                if point.due:
                    value = pool.submit(
                        exact.race_value, of.record, point.board, point.hands, point.race, point.widows, bits, goal, memo, flag, scratch
                    ).result()
                else:
                    value = pool.submit(
                        exact.ended_value, of.record, point.board, point.race, point.widows, bits, goal, memo, flag
                    ).result()
                work.check()
                if value == exact.UNKNOWN:
                    raise NotEnough(f"a memo of {memory_mb} MB does not hold this race: more than {int(memo[3][exact.FILLED]):,} positions")
                if point.due and point.race[lockstep.STEPPER] == 1:
                    value = -value
                payoff[south, north] = value + (point.ahead if aim == "seeds" else 0)
                work.advance(1, f"{int(memo[3][exact.FILLED]):,} positions")
    x, y = np.zeros(holes), np.zeros(holes)
    value = equilibrium(payoff, holes, holes, x, y)
    most = [tuple(share_at_most(table, hole) for hole in range(holes)) for table in (payoff, -payoff.T)]
    counts = memo[3]
    return Equilibrium(
        aim, float(value), payoff, tuple(x.tolist()), tuple(y.tolist()), most[0], most[1], int(counts[exact.CHOICES]) + 1,
        int(counts[exact.TURNS]), int(counts[exact.NODES]), time.perf_counter() - began,
    )  # fmt: skip
