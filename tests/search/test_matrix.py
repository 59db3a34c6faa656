"""Matrix games: known values, proofs by both mixes, tables with nothing to choose, and refusals."""

from __future__ import annotations

import numpy as np
import pytest

from muang import BadAction
from muang.games.lots import below
from muang.search.matrix import matrix_game, share_at_most


@pytest.mark.parametrize(
    ("payoff", "value", "x"),
    [
        ([[3]], 3, [1]),
        ([[1, -1], [-1, 1]], 0, [0.5, 0.5]),  # matching pennies
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0, [1 / 3] * 3),  # rock, paper, scissors
        ([[3, -1], [-2, 1]], 1 / 7, [3 / 7, 4 / 7]),
        ([[4, 1, 3], [2, 3, 4]], 2.5, [0.25, 0.75]),
        ([[5, 2, 7], [4, 1, 0]], 2, [1, 0]),  # a saddle point
        ([[-98, -98], [-98, -98]], -98, [1, 0]),
    ],
)
def test_known_games(payoff: list[list[float]], value: float, x: list[float]) -> None:
    found, mix, _ = matrix_game(payoff)
    assert found == pytest.approx(value, abs=1e-12)
    assert mix == pytest.approx(x, abs=1e-12)


def test_both_mixes_prove_the_value() -> None:
    """Each player's mix alone guarantees the value: no table, however degenerate, is answered wrongly without this failing."""
    n = 0
    for size in range(1500):
        rows, columns = below(1, "rows", size, 15) + 1, below(1, "columns", size, 15) + 1
        span = (2, 3, 9, 199)[size % 4]  # few different payoffs make many ties
        table = np.array([below(1, "payoff", n + i, span) - span // 2 for i in range(rows * columns)], float).reshape(rows, columns)
        n += rows * columns
        value, x, y = matrix_game(table)
        for mix in (x, y):
            assert mix.min() >= 0
            assert mix.sum() == pytest.approx(1, abs=1e-9)
        assert (x @ table).min() == pytest.approx(value, abs=1e-8)
        assert (table @ y).max() == pytest.approx(value, abs=1e-8)


def test_a_row_that_only_some_best_mixes_have() -> None:
    """Two equal rows: each may carry all of what either carries. A row that loses everywhere is in no best mix."""
    table = [[1, -1], [1, -1], [-1, 1], [-2, -2]]
    assert [share_at_most(table, row) for row in range(4)] == pytest.approx([0.5, 0.5, 0.5, 0], abs=1e-4)


@pytest.mark.parametrize("payoff", [[], [[]], [1, 2], [[1, float("nan")]], [[0] * 16], [[0]] * 16])
def test_what_is_no_table_is_refused(payoff: list[list[float]]) -> None:
    with pytest.raises(BadAction, match="a matrix game is a table of numbers"):
        matrix_game(payoff)
