"""Owns what one hand does on the board: lift, drop with its consequences, slip. The only place where the sowing rules exist.

Kernels trust their arguments. Arrays: ``rules`` is the record array of ``layout.pack``; ``board`` uint8[32], seeds by place, widows 0;
``hands`` int64[2, 3], a row a seat: the last place dropped into or lifted from, seeds held, the hole this lap was lifted from;
``widows`` a bit mask of closed places; ``trace`` None or int16[rows, 4] of (kind, seat, place, count), ``n`` its next free row.
A full trace is not written past its end, but ``n`` goes on counting: ``n > len(trace)`` says that it was too short.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from muang.games._jit import kernel
from muang.games.sowing.layout import CAPTURE, CAPTURE_ON, DIE, RELAY, REST, TURN

__all__ = [
    "CAPTURED",
    "DIED",
    "DROP",
    "KINDS",
    "LIFT",
    "RESTED",
    "SLIP",
    "WALKING",
    "advance",
    "after_walk",
    "endless",
    "legal_mask",
    "lift",
    "row_mask",
    "same",
    "slip",
    "turn",
]

# kinds of trace rows, and their names in events
LIFT, DROP, CAPTURED, RESTED_IN, SLIP, DIED_IN = 0, 1, 2, 3, 4, 5
KINDS = ("lift", "drop", "capture", "rest", "slip", "die")

# what became of a walk
WALKING, RESTED, DIED = 0, 1, 2

UNLIMITED = 1 << 62


@kernel
def note(trace: Any, n: int, kind: int, seat: int, place: int, count: int) -> int:
    """Write one trace row; gives the next free row."""
    if trace is not None:
        if n < len(trace):
            trace[n, 0] = kind
            trace[n, 1] = seat
            trace[n, 2] = place
            trace[n, 3] = count
        return n + 1
    return n


@kernel
def lift(board: Any, hands: Any, seat: int, place: int, trace: Any, n: int) -> int:
    """MK-10, AB-10: take all seeds of a hole into the hand. Gives the next trace row."""
    count = int(board[place])
    board[place] = 0
    hands[seat, 0] = place
    hands[seat, 1] = count
    hands[seat, 2] = place
    return note(trace, n, LIFT, seat, place, count)


@kernel
def advance(
    rules: Any, board: Any, hands: Any, seat: int, phase: int, budget: int, widows: int, trace: Any, n: int
) -> tuple[int, int, int]:
    """Up to ``budget`` drops of one hand, each with all that MK-11…15 and AB-11…14 make of it.

    Gives (WALKING | RESTED | DIED, seeds captured, next trace row). The hand stays in registers and is written back on exit.
    """
    g = rules[0]
    following, whose, facing, ending = g["next"], g["whose"], g["facing"], g["ending"]
    store = seat * (g["holes"] + 1) + g["holes"]
    skip_origin, capture_last = g["skip_origin"], g["capture_last"]
    at = int(hands[seat, 0])
    count = int(hands[seat, 1])
    origin = int(hands[seat, 2])
    taken = 0
    state = WALKING
    while budget > 0 and count > 0:
        budget -= 1
        at = int(following[seat, at])
        while (widows >> at) & 1 or (skip_origin and at == origin):  # MK-43, MK-16
            at = int(following[seat, at])
        alone = 1 if board[at] == 0 else 0
        board[at] += 1
        count -= 1
        n = note(trace, n, DROP, seat, at, 1)
        if count > 0:
            continue
        end = ending[phase, whose[seat, at], alone]
        if end == CAPTURE or end == CAPTURE_ON:  # noqa: SIM109  compiled
            here = 0
            for i in range(2):
                hole = int(facing[at, i])
                if hole >= 0 and board[hole] > 0:  # a widow holds none
                    seeds = int(board[hole])
                    board[hole] = 0
                    board[store] += seeds
                    here += seeds
                    n = note(trace, n, CAPTURED, seat, hole, seeds)
            taken += here
            if here > 0 and end == CAPTURE_ON:  # AB-13: the seed that captured walks on
                end = RELAY
            else:  # AB-14, MK-13, MK-14
                if here > 0 and capture_last:  # MK-15
                    board[at] -= 1
                    board[store] += 1
                    n = note(trace, n, CAPTURED, seat, at, 1)
                end = DIE
        if end == RELAY:  # MK-11, AB-11
            count = int(board[at])
            board[at] = 0
            origin = at
            n = note(trace, n, LIFT, seat, at, count)
        elif end == REST:  # MK-12
            state = RESTED
            n = note(trace, n, RESTED_IN, seat, at, 0)
        else:
            state = DIED
            n = note(trace, n, DIED_IN, seat, at, 0)
    hands[seat, 0] = at
    hands[seat, 1] = count
    hands[seat, 2] = origin
    return state, taken, n


@kernel
def slip(rules: Any, board: Any, hands: Any, seat: int, trace: Any, n: int) -> tuple[int, int]:
    """MK-44: drop a seed into the widow that is next on the path; it goes to the other player's store.

    Gives (WALKING | DIED, next trace row). The caller has checked that the next place is a widow.
    """
    g = rules[0]
    other = (1 - seat) * (g["holes"] + 1) + g["holes"]
    at = int(g["next"][seat, hands[seat, 0]])
    hands[seat, 0] = at
    hands[seat, 1] -= 1
    board[other] += 1
    n = note(trace, n, SLIP, seat, at, 1)
    if hands[seat, 1] == 0:
        return DIED, note(trace, n, DIED_IN, seat, at, 0)
    return WALKING, n


@kernel
def row_mask(rules: Any, board: Any, seat: int) -> int:
    """The non-empty holes of a seat, bit ``i - 1`` for hole ``i``."""
    holes = rules[0]["holes"]
    base = seat * (holes + 1)
    mask = 0
    for i in range(holes):
        if board[base + i] > 0:
            mask |= 1 << i
    return mask


@kernel
def same(a: Any, b: Any) -> bool:
    """Whether two boards hold the same."""
    for i in range(len(a)):  # noqa: SIM110  `all(...)` is not compiled
        if a[i] != b[i]:
            return False
    return True


@kernel
def endless(rules: Any, board: Any, hands: Any, seat: int, phase: int, widows: int) -> bool:
    """AB-45: whether the walk in ``hands`` comes back to the same board, place and count. Changes ``board`` and ``hands``: give copies.

    Exact. A lap without a capture can be undone in one way only (take back one seed from each hole, backwards, up to the first empty
    one), so a walk that never ends comes back to the very situation it was in after its last capture: one saved situation is enough.
    """
    saved, at, count = board.copy(), -1, 0
    while True:
        # one lap; the first may begin in the middle of one, so it is nothing to compare with
        state, taken, _ = advance(rules, board, hands, seat, phase, int(hands[seat, 1]), widows, None, 0)
        if state != WALKING:
            return False
        if taken > 0 or at < 0:
            saved[:] = board
            at, count = int(hands[seat, 0]), int(hands[seat, 1])
        elif hands[seat, 0] == at and hands[seat, 1] == count and same(board, saved):
            return True


@kernel
def ends(rules: Any, board: Any, hands: Any, seat: int, hole: int, widows: int) -> bool:
    """AB-45: whether the walk from a hole ends. ``hands`` is scratch; ``board`` is left as it was."""
    trial = board.copy()
    lift(trial, hands, seat, hole, None, 0)
    state, _, _ = advance(rules, trial, hands, seat, TURN, 4096, widows, None, 0)
    finite = state != WALKING or not endless(rules, trial, hands, seat, TURN, widows)
    hands[seat, 1] = 0
    return finite


@kernel
def legal_mask(rules: Any, board: Any, hands: Any, seat: int, widows: int) -> int:
    """The holes that a seat may choose, bit ``i - 1`` for hole ``i``. ``hands`` is scratch: both must be empty."""
    mask = row_mask(rules, board, seat)
    g = rules[0]
    if g["cyclic"]:
        base = seat * (g["holes"] + 1)
        for i in range(g["holes"]):
            if (mask >> i) & 1 and not ends(rules, board, hands, seat, base + i, widows):
                mask &= ~(1 << i)
    return mask


@kernel
def turn(rules: Any, board: Any, seat: int, hole: int, widows: int) -> int:
    """One whole walk in turns from a legal hole, and who chooses next.

    Bits of the result: 0…15 the next chooser's legal holes · 16 the next chooser · 17 something was captured · 18 the walk rested ·
    19 the round is over (MK-30, AB-31). With bit 19 clear and no legal holes the next chooser has to pass (AB-45).
    """
    hands = np.zeros((2, 3), np.int64)
    lift(board, hands, seat, hole, None, 0)
    state, taken, _ = advance(rules, board, hands, seat, TURN, UNLIMITED, widows, None, 0)
    return after_walk(rules, board, hands, seat, state, widows) | (0x20000 if taken > 0 else 0)


@kernel
def after_walk(rules: Any, board: Any, hands: Any, seat: int, state: int, widows: int) -> int:
    """Who chooses after a walk of ``seat`` has rested or died: the bits that ``turn`` gives, without bit 17."""
    g = rules[0]
    code = 0x40000 if state == RESTED else 0
    if g["either_row"]:
        if row_mask(rules, board, 0) == 0 or row_mask(rules, board, 1) == 0:
            return code | 0x80000
        seat = 1 - seat
        return code | (seat << 16) | legal_mask(rules, board, hands, seat, widows)
    if state == RESTED and not g["rest_ends"]:
        mask = row_mask(rules, board, seat)
        if mask != 0:
            return code | (seat << 16) | mask
    seat = 1 - seat
    mask = row_mask(rules, board, seat)
    if mask == 0:
        return code | (seat << 16) | 0x80000
    return code | (seat << 16) | mask
