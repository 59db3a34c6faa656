"""Owns the compiled work of solving two players of Cờ cá ngựa: listing what every roll leads to, and sweeps. Checks nothing.

A *set-up* is where four horses stand, without who is to roll. Set-ups are numbered from 1; set-up c gives two *states*: 2c the first
seat is to roll, 2c + 1 the second is. State 0 is won by who reads it, state 1 lost. For every state and each of the 16 rolls that differ
(``ROLLS``) there is a list of the states that the roller can choose to be in next, as *codes*::

    state << 4 | times << 2 | last << 1 | turned      1 << times: of 36 rolls, how many are this one · last: the roll's list ends
                                                      turned: the other seat is to roll there, so a chance c counts as 1 - c

Rolls without any move have no list: of 36, ``stays[state, 0]`` leave the same seat to roll in the same set-up (CN-12), ``stays[state, 1]``
the other. The rules themselves are ``games.ca_ngua.kernel``'s.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from muang.games._jit import kernel
from muang.games.ca_ngua.kernel import DUE_OVER, PASS, due_next, extra_moves, is_release, make, no_move, play, roll_moves, seen, squares
from muang.search.pairs import index

__all__ = ["CODES", "DEEP_CODES", "OUTWARD", "ROLLS", "list_rolls", "loss_sweep", "sweep"]


def _rolls() -> NDArray[np.int64]:
    """``ROLLS``. What a roll allows depends on its total, on whether it is doubles, and on whether it is a release roll (CN-11, 20…26)."""
    kinds: dict[tuple[int, bool, bool], list[int]] = {}
    for d1 in range(1, 7):
        for d2 in range(d1, 7):
            kind = kinds.setdefault((d1 + d2, d1 == d2, bool(is_release(d1, d2))), [d1, d2, 0])
            kind[2] += 1 if d1 == d2 else 2
    return np.array([(d1, d2, ways.bit_length() - 1) for d1, d2, ways in kinds.values()], np.int64)


ROLLS = _rolls()
"""The rolls that differ, int64[16, 3]: two dice, and the power of two that says how many of 36 rolls mean the same."""
CODES = 16 * 3
"""A state's codes at most, without the extra choice: of two horses on the track either can advance, on doubles by a die too."""
DEEP_CODES = 10 * 2 + 6 * 4 * 3
"""The same with the extra choice: a move of each kind and then an advance of either horse, or a pass."""
OUTWARD = 1e-14
"""By how much every bound is moved outwards after it has been computed, over 1 - q q' (see ``sweep``): more than its rounding."""


@kernel
def code_of(after: int, track: int, seat: int, states: Any, times: int) -> int:
    """The code of a key in which no choice is due, for a roller ``seat``; the list goes on."""
    if after >> 54 == DUE_OVER:
        return times << 2  # who has just moved has won
    turned = 1 if (after >> 52) & 3 != seat else 0
    return (int(states[index(after, track)]) << 4) | (times << 2) | turned


@kernel
def list_extra(key: int, track: int, doubles: int, gate: int, seat: int, states: Any, codes: Any, at: int) -> int:
    """Add what the extra choice that is due in ``key`` can lead to; gives where the codes now end."""
    due = key >> 54
    codes[at] = code_of(due_next(key, seat, due > 42), track, seat, states, 0)
    at += 1
    mask = extra_moves((key >> (12 * seat)) & 4095, seen(squares(key, track), track, seat), track, gate, (due - 1) % 6 + 1)
    for move in range(PASS):
        if (mask >> move) & 1 != 0:
            last, _ = play(key, track, doubles, gate, move, None)
            codes[at] = code_of(last, track, seat, states, 0)
            at += 1
    return at


@kernel
def list_rolls(
    track: int, doubles: int, gate: int, keep: int, first: int, second: int, setups: Any, states: Any, codes: Any, counts: Any, stays: Any
) -> int:
    """List the rolls of both states of n set-ups; gives the number of codes.

    ``setups`` int64[n]: the horses' bits of a key; ``first``, ``second``: the seats; ``states`` int32: states by ``search.pairs`` index.
    Filled: ``codes`` int32 from its start, ``counts`` uint8[2n] codes of a state, ``stays`` uint8[2n, 2].
    """
    at = 0
    for n in range(len(setups)):
        for half in range(2):
            seat = second if half == 1 else first
            key = int(setups[n]) | (1 << (48 + first)) | (1 << (48 + second)) | (seat << 52)
            pair = (key >> (12 * seat)) & 4095
            taken = squares(key, track)
            view = seen(taken, track, seat)
            begun = at
            stay = turn = 0
            for roll in range(len(ROLLS)):
                d1, d2, times = ROLLS[roll, 0], ROLLS[roll, 1], ROLLS[roll, 2]
                mask = roll_moves(pair, view, track, doubles, gate, d1, d2)
                before = at
                if mask == 0:
                    after = no_move(key, taken, track, doubles, gate, keep, d1, d2)
                    if after >> 54 != 0:
                        at = list_extra(after, track, doubles, gate, seat, states, codes, at)
                    elif (after >> 52) & 3 == seat:
                        stay += 1 << times
                    else:
                        turn += 1 << times
                else:
                    for move in range(PASS):
                        if (mask >> move) & 1 == 0:
                            continue
                        after, _, _ = make(key, taken, track, doubles, gate, d1, d2, False, move, None)
                        if after >> 54 == 0 or after >> 54 == DUE_OVER:
                            codes[at] = code_of(after, track, seat, states, times)
                            at += 1
                        else:
                            at = list_extra(after, track, doubles, gate, seat, states, codes, at)
                if at > before:
                    codes[at - 1] |= 2
            counts[2 * n + half] = at - begun
            stays[2 * n + half, 0] = stay
            stays[2 * n + half, 1] = turn
    return at


@kernel
def sweep(codes: Any, counts: Any, stays: Any, first: int, bounds: Any, rounds: int) -> float:
    """Tighten the bounds of a run of set-ups, the first of which has state ``first``; gives the widest that is left.

    ``bounds`` float64[2 · states]: lower and upper bound of each state's chance. ``rounds``: how often each set-up is looked at (1, or
    more where a list may name the set-up itself, as after a pass).

    With the bounds of all other set-ups given, the chance v of the roller and v' of the other in this set-up obey v = a + q (1 - v') and
    v' = a' + q' (1 - v): a is what the rolls with a move are worth, q the share of rolls that end the turn without one, both among the
    rolls that change anything. Solved: v = (a + q (1 - a' - q')) / (1 - q q'). This rises with a and falls with a', so the lower bound
    of a and the upper one of a' give a lower bound of v. Rounding: one operation is off by at most 2^-53 of its result. a is a sum of at
    most 16 positive terms, each off by 2^-53 at most, divided once, so it is off by less than 20 · 2^-53 < 3e-15; 1 - a' - q' by less
    than 4e-15; the result by less than (3e-15 + 4e-15 + 1e-15) / (1 - q q'). Every bound is moved outwards by ``OUTWARD`` / (1 - q q').
    """
    widest = 0.0
    at = 0
    for n in range(len(counts) // 2):
        begin = at
        where = first + 2 * n
        for _ in range(rounds):
            at = begin
            low0 = low1 = high0 = high1 = 0.0
            for half in range(2):
                low = high = best_low = best_high = 0.0
                for _ in range(int(counts[2 * n + half])):
                    code = int(codes[at])
                    at += 1
                    i = (code >> 4) << 1
                    x = bounds[i]
                    y = bounds[i + 1]
                    if code & 1 != 0:
                        x, y = 1.0 - y, 1.0 - x
                    best_low = max(best_low, x)
                    best_high = max(best_high, y)
                    if code & 2 != 0:
                        ways = float(1 << ((code >> 2) & 3))
                        low += ways * best_low
                        high += ways * best_high
                        best_low = best_high = 0.0
                if half == 0:
                    low0, high0 = low, high
                else:
                    low1, high1 = low, high
            rest0 = 36.0 - stays[2 * n, 0]
            rest1 = 36.0 - stays[2 * n + 1, 0]
            if rest0 == 0.0 or rest1 == 0.0:
                break  # nothing ever changes here: the bounds stay
            q0 = stays[2 * n, 1] / rest0
            q1 = stays[2 * n + 1, 1] / rest1
            loop = 1.0 - q0 * q1
            if loop < 1e-6:
                break  # nobody can move, whatever is rolled
            low0, high0, low1, high1 = low0 / rest0, high0 / rest0, low1 / rest1, high1 / rest1
            outward = OUTWARD / loop
            i = 2 * where
            bounds[i] = max(bounds[i], (low0 + q0 * (1.0 - high1 - q1)) / loop - outward)
            bounds[i + 1] = min(bounds[i + 1], (high0 + q0 * (1.0 - low1 - q1)) / loop + outward)
            bounds[i + 2] = max(bounds[i + 2], (low1 + q1 * (1.0 - high0 - q0)) / loop - outward)
            bounds[i + 3] = min(bounds[i + 3], (high1 + q1 * (1.0 - low0 - q0)) / loop + outward)
        i = 2 * where
        widest = max(widest, bounds[i + 1] - bounds[i], bounds[i + 3] - bounds[i + 2])
    return widest


@kernel
def loss_sweep(codes: Any, counts: Any, stays: Any, first: int, rounded: Any, chances: Any, rounds: int) -> float:
    """Bring nearer what a player is worth that chooses by rounded chances, against the best play there is; gives the largest change.

    ``rounded`` uint16: each state's chance in 65535ths, by which the player chooses, of equal ones the worst. ``chances``
    float64[2 · states]: the roller's chance where the roller is that player, and where the other seat is. The rest as in ``sweep``.
    """
    change = 0.0
    at = 0
    for n in range(len(counts) // 2):
        begin = at
        for _ in range(rounds):
            at = begin
            by0 = by1 = to0 = to1 = 0.0
            for half in range(2):
                by = to = best_by = best_to = 0.0
                seen_best = -1
                for _ in range(int(counts[2 * n + half])):
                    code = int(codes[at])
                    at += 1
                    i = (code >> 4) << 1
                    looks = int(rounded[code >> 4])
                    x = chances[i]
                    y = chances[i + 1]
                    if code & 1 != 0:
                        looks = 65535 - looks
                        x, y = 1.0 - y, 1.0 - x
                    if looks > seen_best or (looks == seen_best and x < best_by):
                        seen_best = looks
                        best_by = x
                    best_to = max(best_to, y)
                    if code & 2 != 0:
                        weight = float(1 << ((code >> 2) & 3))
                        by += weight * best_by
                        to += weight * best_to
                        best_by = best_to = 0.0
                        seen_best = -1
                if half == 0:
                    by0, to0 = by, to
                else:
                    by1, to1 = by, to
            rest0 = 36.0 - stays[2 * n, 0]
            rest1 = 36.0 - stays[2 * n + 1, 0]
            if rest0 == 0.0 or rest1 == 0.0:
                break
            q0 = stays[2 * n, 1] / rest0
            q1 = stays[2 * n + 1, 1] / rest1
            loop = 1.0 - q0 * q1
            if loop < 1e-6:
                break
            by0, to0, by1, to1 = by0 / rest0, to0 / rest0, by1 / rest1, to1 / rest1
            i = 2 * (first + 2 * n)
            new0 = (by0 + q0 * (1.0 - to1 - q1)) / loop
            new1 = (to0 + q0 * (1.0 - by1 - q1)) / loop
            new2 = (by1 + q1 * (1.0 - to0 - q0)) / loop
            new3 = (to1 + q1 * (1.0 - by0 - q0)) / loop
            change = max(change, abs(new0 - chances[i]), abs(new1 - chances[i + 1]), abs(new2 - chances[i + 2]), abs(new3 - chances[i + 3]))
            chances[i] = new0
            chances[i + 1] = new1
            chances[i + 2] = new2
            chances[i + 3] = new3
    return change
