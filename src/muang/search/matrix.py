"""Owns small matrix games: the value of a table of payoffs when both choose at once, and the best mixed choices. Knows no game.

A game is float64[rows, columns]: what the rows' player wins of the columns' player. Up to ``MOST`` each way.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from muang.errors import BadAction
from muang.games._jit import kernel

__all__ = ["MOST", "equilibrium", "matrix_game", "share_at_most"]

MOST = 15
"""The most choices of either player: the most holes that a row can have."""

TINY = 1e-11
BLAND_AFTER = 200
"""Pivots after which the rule changes to Bland's, which cannot go round in circles."""


@kernel
def equilibrium(payoff: Any, rows: int, columns: int, x: Any, y: Any) -> float:
    """The value of ``payoff[:rows, :columns]``; fills ``x`` and ``y`` (float64, at least that long) with one best mix of each player.

    A saddle point is looked for first: its value is exact, and the mixes are pure (the lowest such row and column). Otherwise the simplex
    method on ``max Σu, Au ≤ 1, u ≥ 0`` with ``A`` shifted to be at least 1 (von Neumann 1928, Dantzig 1951).
    """
    least, best_row = -np.inf, 0
    low = np.inf
    for i in range(rows):
        worst = np.inf
        for j in range(columns):
            worst = min(worst, payoff[i, j])
        low = min(low, worst)
        if worst > least:
            least, best_row = worst, i
    most, best_column = np.inf, 0
    high = -np.inf
    for j in range(columns):
        worst = -np.inf
        for i in range(rows):
            worst = max(worst, payoff[i, j])
        high = max(high, worst)
        if worst < most:
            most, best_column = worst, j
    for i in range(rows):
        x[i] = 0.0
    for j in range(columns):
        y[j] = 0.0
    if least >= most:
        x[best_row] = 1.0
        y[best_column] = 1.0
        return float(least)
    # payoffs between 1 and 2, so that one measure of "nothing" fits all
    scale = high - low
    width = columns + rows + 1
    table = np.zeros((rows + 1, width))
    basis = np.zeros(rows, np.int64)
    for i in range(rows):
        for j in range(columns):
            table[i, j] = (payoff[i, j] - low) / scale + 1.0
        table[i, columns + i] = 1.0
        table[i, width - 1] = 1.0
        basis[i] = columns + i
    for j in range(columns):
        table[rows, j] = -1.0
    pivots = 0
    while True:
        enter = -1
        steepest = -TINY
        for j in range(width - 1):
            if table[rows, j] < steepest:
                enter = j
                if pivots >= BLAND_AFTER:
                    break
                steepest = table[rows, j]
        if enter < 0:
            break
        leave, ratio = -1, np.inf
        for i in range(rows):
            if table[i, enter] > TINY:
                here = table[i, width - 1] / table[i, enter]
                if here < ratio - TINY or (here <= ratio + TINY and leave >= 0 and basis[i] < basis[leave]):
                    leave, ratio = i, here
        if leave < 0:  # cannot be: every payoff is at least 1, so the program is bounded
            break
        pivot = table[leave, enter]
        for j in range(width):
            table[leave, j] /= pivot
        for i in range(rows + 1):
            if i != leave and table[i, enter] != 0.0:
                factor = table[i, enter]
                for j in range(width):
                    table[i, j] -= factor * table[leave, j]
        basis[leave] = enter
        pivots += 1
    total = table[rows, width - 1]
    for i in range(rows):
        if basis[i] < columns:
            y[basis[i]] = max(0.0, table[i, width - 1]) / total
        x[i] = max(0.0, table[rows, columns + i]) / total
    return float((1.0 / total - 1.0) * scale + low)


def matrix_game(payoff: Any) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
    """``(value, mix of the rows' player, mix of the columns' player)`` of a table of payoffs.

    ``BadAction`` for one that is no such table.
    """
    table = np.array(payoff, np.float64)
    if table.ndim != 2 or not all(1 <= size <= MOST for size in table.shape) or not np.isfinite(table).all():
        raise BadAction("a matrix game is a table of numbers", allowed=(f"1 to {MOST} rows and columns",))
    x, y = np.zeros(table.shape[0]), np.zeros(table.shape[1])
    return float(equilibrium(table, len(x), len(y), x, y)), x, y


def share_at_most(payoff: Any, row: int, step: float = 1e-6) -> float:
    """The largest share that ``row`` has in any best mix of the rows' player, to about ``step``; 0 where it is in none.

    Best mixes are often not unique, and one of them says little about a row that it leaves out. The value's slope when all payoffs
    of the row grow is the largest such share (Mills 1956).
    """
    table = np.array(payoff, np.float64)
    value, _, _ = matrix_game(table)
    table[row] += step
    share = (matrix_game(table)[0] - value) / step
    return float(min(1.0, share)) if share > 1e-4 else 0.0
