"""Owns the kernels of endgame tables: one board's best value from values already known, for each of the two sowing games. Checks nothing.

A board here is uint8, as its mover sees it. Mak Khum (``row_*``): the mover's holes 0…n-1, its store n, the other's holes n+1…2n; the
path of the mover is this order. Abalala'e (``loop_*``): the mover's holes 0…n-1, the other's n…2n-1, the path in ``following``. These
walks are written for few seeds and say what ``games.sowing.kernel`` says, where the rules are; tests hold them to it, and so does
``check_*``, which reads a table through that kernel alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from muang.games._jit import kernel
from muang.games.sowing.kernel import legal_mask, row_mask, turn
from muang.search.ranks import following as next_board
from muang.search.ranks import rank, unrank

__all__ = ["calm_sweep", "check_loop", "check_row", "loop_expand", "loop_sweep", "loop_walk", "row_level", "row_walk"]

CAPTURE_LAST, SKIP_ORIGIN, REST_ENDS = 1, 2, 4
"""Bits of ``flags``: MK-15, MK-16, MK-12."""

LAPS_BEFORE_LOOKING = 64
"""Laps without a capture after which a walk is compared with what it was, to see whether it ever ends (AB-45)."""

ENDLESS = -1


@kernel
def row_sum(board: Any, begin: int, length: int) -> int:
    """The seeds in so many places from ``begin`` on."""
    seeds = 0
    for i in range(begin, begin + length):
        seeds += int(board[i])
    return seeds


# ── Mak Khum ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def row_walk(board: Any, holes: int, hole: int, flags: int) -> bool:
    """MK-10…16: a whole walk of the mover from a hole, its seeds into ``board[holes]``. Gives whether it rested."""
    places = 2 * holes + 1
    at = hole
    count = int(board[at])
    board[at] = 0
    origin = at
    while True:
        while count > 0:
            at += 1
            if at == places:
                at = 0
            if flags & SKIP_ORIGIN and at == origin:
                continue
            board[at] += 1
            count -= 1
        if at == holes:
            return True
        if board[at] > 1:
            count = int(board[at])
            board[at] = 0
            origin = at
            continue
        if at < holes and board[2 * holes - at] > 0:
            board[holes] += board[2 * holes - at]
            board[2 * holes - at] = 0
            if flags & CAPTURE_LAST:
                board[at] = 0
                board[holes] += 1
        return False


@kernel
def row_value(board: Any, trial: Any, holes: int, seeds: int, flags: int, choose: Any, values: Any) -> int:
    """The future difference for the mover of a board with ``seeds`` in play, from the values of what its walks lead to."""
    best = -seeds  # MK-30, 31: with an empty row the round is over, and the seeds in play are the other's
    for i in range(holes):
        hole = holes - 1 - i
        if board[hole] == 0:
            continue
        for j in range(2 * holes + 1):
            trial[j] = board[j]
        rested = row_walk(trial, holes, hole, flags)
        value = int(trial[holes])
        again = False
        if rested and not flags & REST_ENDS:
            for j in range(holes):
                if trial[j] > 0:
                    again = True
                    break
        if again:  # the same player chooses: its value, not the other's
            value += int(values[rank(trial, 0, holes + 1, holes, choose)])
        else:
            value -= int(values[rank(trial, holes + 1, 0, holes, choose)])
        if value > best:
            best = value
            if best == seeds:
                break
    return best


@kernel
def row_level(tasks: Any, rows: Any, holes: int, seeds: int, flags: int, choose: Any, values: Any) -> None:
    """Work out every board whose mover's row is ``rows[a:b]`` and whose other row is ``rows[c:d]``, for each task (a, b, c, d).

    ``tasks`` int64[k, 4], ``rows`` uint8[…, holes]. All that these boards lead to must stand in ``values`` already.
    """
    board = np.zeros(2 * holes + 1, np.uint8)
    trial = np.zeros(2 * holes + 1, np.uint8)
    for t in range(tasks.shape[0]):
        for x in range(tasks[t, 0], tasks[t, 1]):
            for j in range(holes):
                board[j] = rows[x, j]
            for y in range(tasks[t, 2], tasks[t, 3]):
                for j in range(holes):
                    board[holes + 1 + j] = rows[y, j]
                values[rank(board, 0, holes + 1, holes, choose)] = row_value(board, trial, holes, seeds, flags, choose, values)


@kernel
def check_row(rules: Any, ranks: Any, choose: Any, values: Any) -> int:
    """How many of the boards ``ranks`` (int64) have another value than one choice ahead says, through the kernel of the rules."""
    holes = int(rules[0]["holes"])
    wrong = 0
    for r in ranks:
        board = np.zeros(32, np.uint8)
        unrank(r, board, 0, holes + 1, holes, choose)
        mask = row_mask(rules, board, 0)
        best = -128
        if mask == 0:
            best = -row_sum(board, 0, 2 * holes + 1)
        for hole in range(holes):
            if (mask >> hole) & 1:
                trial = board.copy()
                code = turn(rules, trial, 0, hole, 0)
                value = int(trial[holes])
                own = row_sum(trial, 0, holes)
                other = row_sum(trial, holes + 1, holes)
                if (code >> 19) & 1:  # MK-31
                    value += own - other
                elif (code >> 16) & 1:
                    value -= int(values[rank(trial, holes + 1, 0, holes, choose)])
                else:
                    value += int(values[rank(trial, 0, holes + 1, holes, choose)])
                best = max(best, value)
        if best != values[r]:
            wrong += 1
    return wrong


# ── Abalala'e ────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def loop_walk(board: Any, saved: Any, following: Any, facing: Any, holes: int, hole: int) -> int:
    """AB-10…15: a whole walk of the mover from a hole; gives the seeds captured, or ENDLESS (AB-45), and then the board is of no use.

    ``following`` int8[2n]: the next place on the mover's path. ``facing`` int8[n, 2]: what a capture takes, -1 for none. ``saved`` is
    scratch. A lap without a capture can be undone in one way only, so a walk that never ends comes back to any situation after its last
    capture.
    """
    at = hole
    count = int(board[at])
    board[at] = 0
    taken = 0
    laps = 0
    saved_at = -1
    saved_count = 0
    while True:
        while count > 0:
            at = int(following[at])
            board[at] += 1
            count -= 1
        if board[at] == 1:
            here = 0
            if at < holes:
                for i in range(2):
                    other = int(facing[at, i])
                    if other >= 0 and board[other] > 0:
                        here += int(board[other])
                        board[other] = 0
            if here == 0:
                return taken
            taken += here
            laps = 0
            saved_at = -1
        count = int(board[at])
        board[at] = 0
        laps += 1
        if laps >= LAPS_BEFORE_LOOKING:
            if saved_at < 0:
                for j in range(2 * holes):
                    saved[j] = board[j]
                saved_at, saved_count = at, count
            elif at == saved_at and count == saved_count:
                equal = True
                for j in range(2 * holes):
                    if board[j] != saved[j]:
                        equal = False
                        break
                if equal:
                    return ENDLESS


@kernel
def loop_expand(
    begin: int, end: int, base: int, following: Any, facing: Any, holes: int, choose: Any, tables: Any, bounds: Any, calm: Any
) -> tuple[Any, Any, int, int]:
    """Look at every walk of the boards with ranks ``begin`` to ``end`` of one layer, which begins at rank ``base``.

    ``tables`` int8[4, …] holds the layers below: lower and upper bounds for every quiet count, then those for many quiet turns left.
    ``bounds`` int8[layer, 4] and ``calm`` int8[layer, 2] are filled for ``loop_sweep`` and ``calm_sweep``. Gives where each board's quiet
    walks begin (uint32[k + 1]), where these lead (uint32, within the layer), and how many walks were endless and boards passed.
    """
    size = 2 * holes
    board = np.zeros(size, np.uint8)
    trial = np.zeros(size, np.uint8)
    saved = np.zeros(size, np.uint8)
    starts = np.zeros(end - begin + 1, np.uint32)
    leads = np.empty((end - begin) * holes, np.uint32)
    n = endless = passes = 0
    unrank(begin, board, 0, holes, holes, choose)
    for r in range(begin, end):
        own = other = 0
        for j in range(holes):
            own += int(board[j])
            other += int(board[holes + j])
        seeds = own + other
        first = n
        least = most = calm_least = calm_most = -seeds
        legal = False
        if own > 0 and other > 0:
            for hole in range(holes):
                if board[hole] == 0:
                    continue
                for j in range(size):
                    trial[j] = board[j]
                taken = loop_walk(trial, saved, following, facing, holes, hole)
                if taken == ENDLESS:
                    endless += 1
                    continue
                legal = True
                after = rank(trial, holes, 0, holes, choose)
                if taken > 0:
                    least = max(least, taken - int(tables[1, after]))
                    most = max(most, taken - int(tables[0, after]))
                    calm_least = max(calm_least, taken - int(tables[3, after]))
                    calm_most = max(calm_most, taken - int(tables[2, after]))
                else:
                    leads[n] = after - base
                    n += 1
            if not legal:  # AB-45: a pass, and if the other has to pass too the round is over
                passes += 1
                answer = False
                for hole in range(holes):
                    if board[holes + hole] > 0 and not answer:
                        for j in range(holes):
                            trial[j], trial[holes + j] = board[holes + j], board[j]
                        answer = loop_walk(trial, saved, following, facing, holes, hole) != ENDLESS
                if answer:
                    leads[n] = rank(board, holes, 0, holes, choose) - base
                    n += 1
        i = r - base
        if n == first and not legal:  # AB-31, AB-45: over
            least = most = calm_least = calm_most = own - other
        bounds[i, 0] = least
        bounds[i, 1] = seeds if n > first else most
        bounds[i, 2] = own - other
        bounds[i, 3] = most
        calm[i, 0] = calm_least
        calm[i, 1] = calm_most
        starts[r - begin + 1] = n
        next_board(board, 0, holes, holes)
    return starts, leads[:n].copy(), endless, passes


@kernel
def any_fresh(fresh: Any, leads: Any, begin: int, end: int) -> bool:
    """Whether any of these boards has changed: bit ``i & 7`` of ``fresh[i >> 3]``. The bits fit into a cache where the bounds do not."""
    for j in range(begin, end):
        to = int(leads[j])
        if (fresh[to >> 3] >> (to & 7)) & 1:
            return True
    return False


@kernel
def loop_sweep(begin: int, starts: Any, leads: Any, bounds: Any, fresh: Any, now: Any) -> int:
    """Tighten the bounds for every quiet count in a piece of a layer, from board ``begin`` of it on; gives how many boards changed.

    ``bounds`` int8[layer, 4]: lower bound, upper bound, the value if the round ends here, and the most that a capture brings. A quiet
    walk leads to a board of the same layer or, should it be the last quiet turn (AB-44), to the end there: this allows for both.
    ``fresh`` uint8[…], a bit a board: what the sweep before has changed; ``now``: what this one changes, all 0 before. Pieces begin at
    multiples of 8, so that no two threads write one byte.
    """
    changed = 0
    for k in range(len(starts) - 1):
        i = begin + k
        least, most = int(bounds[i, 0]), int(bounds[i, 1])
        if least == most:
            continue
        first, last = int(starts[k]), int(starts[k + 1])
        if not any_fresh(fresh, leads, first, last) and not any_fresh(now, leads, first, last):
            continue
        lower = least
        upper = int(bounds[i, 3])
        for j in range(first, last):
            to = int(leads[j])
            ends = int(bounds[to, 2])
            lower = max(lower, -max(int(bounds[to, 1]), ends))
            upper = max(upper, -min(int(bounds[to, 0]), ends))
        upper = min(upper, most)
        if lower != least or upper != most:
            bounds[i, 0], bounds[i, 1] = lower, upper
            now[i >> 3] |= 1 << (i & 7)
            changed += 1
    return changed


@kernel
def calm_sweep(begin: int, starts: Any, leads: Any, calm: Any, before: Any, after: Any, fresh: Any, now: Any) -> int:
    """The bounds of a piece of a layer with one more quiet turn left than ``before`` supposes; gives how many boards differ.

    ``before`` and ``after`` int8[layer, 2] are lower and upper bounds, ``calm`` int8[layer, 2] the least and most that a capture brings.
    Reads ``before`` only: a bound must not rest on one that supposes as many turns as itself. ``fresh`` and ``now`` as in ``loop_sweep``.
    """
    changed = 0
    for k in range(len(starts) - 1):
        i = begin + k
        least, most = int(before[i, 0]), int(before[i, 1])
        lower, upper = least, most
        first, last = int(starts[k]), int(starts[k + 1])
        if least != most and (first == last or any_fresh(fresh, leads, first, last)):
            lower = max(lower, int(calm[i, 0]))
            upper = int(calm[i, 1])
            for j in range(first, last):
                to = int(leads[j])
                lower = max(lower, -int(before[to, 1]))
                upper = max(upper, -int(before[to, 0]))
            upper = min(upper, most)
            if lower != least or upper != most:
                now[i >> 3] |= 1 << (i & 7)
                changed += 1
        after[i, 0], after[i, 1] = lower, upper
    return changed


@kernel
def check_loop(rules: Any, ranks: Any, choose: Any, low: Any, high: Any, calm: bool, settled: bool) -> int:
    """How many of the boards ``ranks`` (int64) have other bounds than one choice ahead says, through the kernel of the rules.

    ``calm``: the bounds suppose that the round does not end at a quiet turn. Where they are not ``settled``, they may be wider than that.
    """
    holes = int(rules[0]["holes"])
    second = holes + 1
    wrong = 0
    hands = np.zeros((2, 3), np.int64)
    for r in ranks:
        board = np.zeros(32, np.uint8)
        unrank(r, board, 0, second, holes, choose)
        own, other = row_sum(board, 0, holes), row_sum(board, second, holes)
        least = most = -(own + other)
        if own == 0 or other == 0:
            least = most = own - other
        else:
            mask = legal_mask(rules, board, hands, 0, 0)
            if mask == 0:
                if legal_mask(rules, board, hands, 1, 0) == 0:
                    least = most = own - other
                else:
                    there = rank(board, second, 0, holes, choose)
                    upper, lower = int(high[there]), int(low[there])
                    if not calm:
                        upper, lower = max(upper, other - own), min(lower, other - own)
                    least, most = -upper, -lower
            for hole in range(holes):
                if (mask >> hole) & 1:
                    trial = board.copy()
                    code = turn(rules, trial, 0, hole, 0)
                    taken = int(trial[holes])
                    there = rank(trial, second, 0, holes, choose)
                    upper, lower = int(high[there]), int(low[there])
                    if not calm and not (code >> 17) & 1:
                        ends = row_sum(trial, second, holes) - row_sum(trial, 0, holes)
                        upper, lower = max(upper, ends), min(lower, ends)
                    least, most = max(least, taken - upper), max(most, taken - lower)
        if least < low[r] or most > high[r] or (settled and (least != low[r] or most != high[r])):
            wrong += 1
    return wrong
