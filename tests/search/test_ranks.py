"""The numbering of boards: every board once, fewer seeds first, whatever the arrays look like."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from muang.search.ranks import binomials, boards, following, layer, rank, unrank


@pytest.mark.parametrize(("holes", "seeds"), [(1, 4), (2, 5), (3, 4)])
def test_every_board_has_one_rank(holes: int, seeds: int) -> None:
    choose = binomials(holes, seeds)
    store = holes  # what lies in stores must not matter
    board = np.zeros(2 * holes + 2, np.uint8)
    board[store] = 77
    seen = set()
    for r in range(boards(holes, seeds)):
        assert rank(board, 0, holes + 1, holes, choose) == r
        again = np.full(2 * holes + 2, 9, np.int64)
        again[[store, 2 * holes + 1]] = board[[store, 2 * holes + 1]]
        unrank(r, again, 0, holes + 1, holes, choose)
        assert again.tolist() == board.tolist()
        in_play = int(board.sum()) - 77
        assert r in layer(holes, in_play)
        seen.add(tuple(board.tolist()))
        following(board, 0, holes + 1, holes)
    assert len(seen) == boards(holes, seeds)
    assert int(board.sum()) - 77 == seeds + 1


def test_the_mover_s_row_comes_first_wherever_it_lies() -> None:
    choose = binomials(3, 9)
    board = np.array([1, 0, 2, 50, 3, 1, 0, 60], np.uint8)
    turned = np.array([3, 1, 0, 60, 1, 0, 2, 50], np.uint8)
    assert rank(board, 4, 0, 3, choose) == rank(turned, 0, 4, 3, choose) != rank(board, 0, 4, 3, choose)


def test_ranks_do_not_depend_on_how_far_a_table_goes() -> None:
    board = np.array([0, 1, 2, 3, 0, 1, 0, 0, 0, 0, 1, 0, 2, 1], np.int8)
    assert rank(board, 0, 7, 7, binomials(7, 11)) == rank(board, 0, 7, 7, binomials(7, 98))


def test_sizes() -> None:
    assert boards(7, 16) == comb(30, 14) == 145_422_675
    assert len(layer(9, 12)) == comb(29, 17)
    assert layer(7, 0) == range(1)
    with pytest.raises(OverflowError):
        binomials(15, 120)
