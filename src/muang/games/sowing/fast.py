"""Owns random turns at full speed: whole laps as vector adds, for both sowing games. The landing rules are ``kernel``'s, lap by lap.

A test holds these bodies to ``kernel.advance`` on every position they are given. ``state`` is uint64[1], the generator:
xorshift64* (Vigna 2016). A choice among ``k`` things is ``((x >> 32) * k) >> 32`` of the generator's output ``x``, as in the C
reference of ``benchmarks/``; it favours no hole by more than one part in 600 million.
``add``, ``last`` and ``gain`` are the tables of ``simd.laps``, for one or more patterns of widows after each other; ``pattern`` says which.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from muang.games._jit import compiled, kernel
from muang.games.sowing.kernel import same
from muang.games.sowing.layout import PLACES
from muang.games.sowing.simd import add_lap_16, add_lap_32, copy_32, filled_16, filled_32

__all__ = ["choose", "fixed_race", "loop_turns", "row_turns", "step"]

# kernels mix no signed with unsigned numbers: Numba would make floats of them; as plain Python both are int
_U: Any = np.uint64 if compiled() else int
_I: Any = np.int64 if compiled() else int
_MASK = (1 << 64) - 1

LAPS_BEFORE_LOOKING = 256
"""Laps without a capture after which a walk of Abalala'e is tested for being endless (AB-45): nearly all end long before."""

STEPS_BEFORE_LOOKING = 2048
"""Drops after which a race is tested for a situation that comes back (AB-45)."""


@kernel
def step(x: Any) -> Any:
    """The generator's next state; the output is ``state * 0x2545F4914F6CDD1D`` modulo 2**64."""
    x = x ^ (x >> _U(12))
    x = (x ^ (x << _U(25))) & _U(_MASK)
    return x ^ (x >> _U(27))


@kernel
def choose(x: Any, k: int) -> int:
    """A number below ``k`` from a state of the generator."""
    high = ((x * _U(0x2545F4914F6CDD1D)) & _U(_MASK)) >> _U(32)
    return _I((high * _U(k)) >> _U(32))  # type: ignore[no-any-return]


@kernel
def row_turns(
    rules: Any,
    add: Any,
    last: Any,
    gain: Any,
    pattern: int,
    select: Any,
    counts: Any,
    board: Any,
    seat: int,
    state: Any,
    wide: bool,
    only: int,
    budget: int,
) -> tuple[int, int, int]:
    """The turns of a round of Mak Khum's kind, every choice at random, to its end (MK-30). Gives (choices, turns, drops).

    ``only``: the hole (from 0) that is chosen, -1 for any by lot. ``budget``: choices after which it stops. So a hole and a budget of 1 are
    one walk, after which the other seat is to choose if a turn has been counted.
    """
    g = rules[0]
    holes, most = int(g["holes"]), int(g["holes"] * g["seeds"] * 2 + 1)
    rest_ends, capture_last = g["rest_ends"], g["capture_last"]
    row_bits = (1 << holes) - 1
    base_row = pattern * 2 * PLACES * most
    x = state[0]
    choices = turns = drops = 0
    while choices < budget:
        base = seat * (holes + 1)
        store = base + holes
        full = filled_32(board) if wide else filled_16(board)
        row = (full >> base) & row_bits
        if row == 0:
            break
        if only >= 0:
            at = base + only
        else:
            x = step(x)
            at = base + int(select[_U((row << 4) + choose(x, counts[_U(row)]))])
        choices += 1
        rows = base_row + seat * PLACES * most
        held = int(board[_U(at)])
        while True:
            drops += held
            lap = _U(rows + at * most + held)
            at = int(last[lap])
            held = int(board[_U(at)] + gain[lap]) & 255
            if wide:
                add_lap_32(board, add, lap)
            else:
                add_lap_16(board, add, lap)
            if at == store or held == 1:
                break
        if at == store:
            full = filled_32(board) if wide else filled_16(board)
            if not rest_ends and (full >> base) & row_bits:
                continue
        elif base <= at < store:  # MK-14: the facing hole is the mirror image
            facing = _U(2 * holes - at)
            if board[facing] > 0:
                board[_U(store)] += board[facing]
                board[facing] = 0
                if capture_last:
                    board[_U(store)] += 1
                    board[_U(at)] = 0
        seat = 1 - seat
        turns += 1
    state[0] = x
    return choices, turns, drops


@kernel
def loop_turns(
    rules: Any,
    add: Any,
    last: Any,
    gain: Any,
    select: Any,
    counts: Any,
    board: Any,
    seat: int,
    limit: int,
    state: Any,
    room: Any,
    only: int,
    budget: int,
) -> tuple[int, int, int]:
    """The turns of a round of Abalala'e's kind, every choice at random, to its end (AB-31, AB-44, AB-45). Gives (choices, turns, drops).

    A lot that falls on an endless hole is drawn again among the others, so that every legal hole is equally likely. ``room``: uint8[2, 32]
    to work in. ``only``: the hole (from 0) that is chosen, -1 for any by lot. ``budget``: turns after which it stops. So a hole and a
    budget of 1 are one walk, or none (0 choices) if it is endless.
    """
    g = rules[0]
    holes, most = int(g["holes"]), int(g["holes"] * g["seeds"] * 2 + 1)
    facing = g["facing"]
    row_bits = (1 << holes) - 1
    saved, mark = room[0], room[1]
    mark_at = -1
    x = state[0]
    choices = turns = drops = quiet = passes = 0
    while quiet < limit and passes < 2 and turns < budget:
        base = seat * (holes + 1)
        store = base + holes
        full = filled_32(board)
        row = (full >> base) & row_bits
        if row == 0 or (full >> ((1 - seat) * (holes + 1))) & row_bits == 0:
            break
        if only >= 0:
            row = 1 << only
        rows = seat * PLACES * most
        copy_32(saved, board)
        ended = False
        before, taken = drops, 0
        while row != 0 and not ended:
            hole = only
            if only < 0:
                x = step(x)
                hole = int(select[_U((row << 4) + choose(x, counts[_U(row)]))])
            at = base + hole
            laps = taken = 0
            drops = before
            ended = True
            held = int(board[_U(at)])
            while True:
                drops += held
                lap = _U(rows + at * most + held)
                at = int(last[lap])
                held = int(board[_U(at)] + gain[lap]) & 255
                add_lap_32(board, add, lap)
                if held == 1:  # it was empty
                    if not base <= at < store:  # AB-12
                        break
                    near, far = int(facing[_U(at), 0]), int(facing[_U(at), 1])
                    here = int(board[_U(near)])
                    board[_U(near)] = 0
                    if far >= 0:
                        here += int(board[_U(far)])
                        board[_U(far)] = 0
                    if here == 0:  # AB-14
                        break
                    board[_U(store)] += here  # AB-13: the seed that captured is the next lap
                    taken += here
                    laps = 0
                laps += 1
                if laps >= LAPS_BEFORE_LOOKING:  # see ``kernel.endless``
                    if laps == LAPS_BEFORE_LOOKING:
                        copy_32(mark, board)
                        mark_at = at
                    elif at == mark_at and same(mark, board):
                        copy_32(board, saved)
                        row &= ~(1 << hole)
                        ended = False
                        break
        if ended:
            choices += 1
            passes = 0
        else:  # AB-45: every hole is endless
            drops = before
            passes += 1
        quiet = 0 if taken > 0 and ended else quiet + 1
        turns += 1
        seat = 1 - seat
    state[0] = x
    return choices, turns, drops


@kernel
def fixed_race(rules: Any, board: Any, first: int) -> tuple[int, int]:
    """A lockstep race of one walk each (AB-20…23), both hands in registers. Gives (the seat that died first, drops).

    (-1, 0) if it has not ended after ``STEPS_BEFORE_LOOKING`` drops: the board is then spoilt, and ``lockstep.walk_out`` decides.
    """
    g = rules[0]
    following, stop_lap = g["next"], g["stop_lap"] != 0
    second = 1 - first
    at_a, at_b = first * (int(g["holes"]) + 1), second * (int(g["holes"]) + 1)
    held_a, held_b = int(board[at_a]), int(board[at_b])
    board[at_a] = 0
    board[at_b] = 0
    died = -1
    drops = 0
    while drops < STEPS_BEFORE_LOOKING:
        if held_a > 0:
            at_a = int(following[first, at_a])
            board[at_a] += 1
            held_a -= 1
            drops += 1
            if held_a == 0:
                if board[at_a] > 1 and not (stop_lap and died >= 0):
                    held_a = int(board[at_a])
                    board[at_a] = 0
                elif died < 0:
                    died = first
        if held_b > 0:
            at_b = int(following[second, at_b])
            board[at_b] += 1
            held_b -= 1
            drops += 1
            if held_b == 0:
                if board[at_b] > 1 and not (stop_lap and died >= 0):
                    held_b = int(board[at_b])
                    board[at_b] = 0
                elif died < 0:
                    died = second
        if held_a == 0 and held_b == 0:
            return died, drops
    return -1, 0
