"""Owns how many sowing games go on from choice to choice, compiled: turns, races and rounds one after another, until a seat chooses.

The bodies are those of ``fast``, ``lockstep`` and ``rounds``; here is only their order, as ``match`` has it for one game. Arrays are handed
over in tuples:

- ``t``, the game: (rules, limits, add, last, gain, select, counts), see ``batch.Tables``;
- ``work``, room to work in, one for each thread: (board uint8[32], two boards uint8[2, 32], a generator uint64[1]);
- ``g``, the n games: (boards uint8[n, 32], info int32[16, n], hands int64[n, 2, 3], races int64[n, 8], began uint8[n, 32],
  picks uint8[n, m], ahead uint8[n, 32]). ``hands`` to ``picks`` belong to races with choices; ``began`` is the board on which the race
  began, ``picks`` the places chosen in it. ``ahead`` belongs to Abalala'e: the board after the walk from hole ``AHEAD - 1``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from muang.games import drawn
from muang.games._jit import inlined, kernel, lean
from muang.games.sowing import lockstep, rounds
from muang.games.sowing.batch import pattern_of, race
from muang.games.sowing.fast import choose, loop_turns, row_turns, step
from muang.games.sowing.kernel import row_mask
from muang.games.sowing.layout import PLACES
from muang.games.sowing.simd import copy_32, filled_16, filled_32

__all__ = ["begin_each", "illegal_each", "masks_each", "sample_each", "step_loops", "step_rows", "work"]

# the rows of ``info``
MODE, SEAT, MASK, PROVED, NUMBER, STEPPING, OPENED, QUIET, WIDOWS, PATTERN, WINNER, REASON, DUE, PICKED, CHOICES, AHEAD = range(16)
"""``MODE``: OVER, RACE or TURN · ``SEAT``: who chooses · ``MASK``: its holes, of which those in ``PROVED`` are known to end (AB-45) ·
``STEPPING``: who steps first in this round's race · ``OPENED``: see ``game.Round``, -1 for none · ``WINNER``: as ``rounds`` has it ·
``DUE``: in a race the seats that have still to choose before it goes on · ``PICKED``: choices in this race."""
ROWS = 16
OVER, RACE, TURN = 0, 1, 2
LAY, RUN, OPEN, CHOOSE, END = range(5)
FOREVER = 1 << 62

_row_turns, _loop_turns = inlined(row_turns), inlined(loop_turns)


@kernel
def prove(
    rules: Any,
    add: Any,
    last: Any,
    gain: Any,
    select: Any,
    counts: Any,
    board: Any,
    seat: int,
    mask: int,
    proved: int,
    scratch: Any,
    room: Any,
    state: Any,
) -> int:
    """AB-45: the holes of ``mask`` without those whose walk never ends; ``proved`` are known to end."""
    for hole in range(int(rules[0]["holes"])):
        if (mask & ~proved) >> hole & 1:
            copy_32(scratch, board)
            walks, _, _ = _loop_turns(rules, add, last, gain, select, counts, scratch, seat, FOREVER, state, room, hole, 1)
            if walks == 0:
                mask &= ~(1 << hole)
    return mask


_prove = inlined(prove)


@kernel
def one_of(t: Any, board: Any, seat: int, mask: int, scratch: Any, room: Any, state: Any) -> tuple[int, int]:
    """AB-45: ``mask`` without holes that were found to be endless on the way to one that ends, and that one; 0 and 0 if there is none."""
    rules, _, add, last, gain, select, counts = t
    proved = 0
    while mask != 0 and proved == 0:
        bit = mask & -mask
        if prove(rules, add, last, gain, select, counts, board, seat, bit, 0, scratch, room, state):
            proved = bit
        else:
            mask &= ~bit
    return mask, proved


@kernel
def carry_on(t: Any, g: Any, i: int, stage: int, mover: int, scratch: Any, room: Any, state: Any) -> None:
    """Game ``i`` from ``stage`` until a seat has to choose or the match is over; ``mover`` is to move in OPEN and CHOOSE."""
    rules, limits = t[0], t[1]
    boards, info, hands, races, began, _, _ = g
    board = boards[i]
    holes, each, mode = int(rules[0]["holes"]), int(rules[0]["seeds"]), int(rules[0]["race_mode"])
    loop, either = rules[0]["cyclic"] != 0, rules[0]["either_row"] != 0
    passes = 0
    while True:
        if stage == LAY:
            south, north = sides(board, holes)
            number = int(info[NUMBER, i]) + 1
            info[NUMBER, i] = number
            widows = rounds.refill(board, loop, limits, holes, each, south, north)
            info[WIDOWS, i] = widows
            info[PATTERN, i] = pattern_of(holes, widows)
            info[QUIET, i] = 0
            if limits[rounds.RACES] == 2 or (limits[rounds.RACES] == 1 and number == 1):
                if number > 1:  # MK-25
                    info[STEPPING, i] = 1 - info[STEPPING, i]
                if mode == lockstep.FIXED:
                    mover, _, _, _ = race(rules, board, int(info[STEPPING, i]), widows, state)
                    info[OPENED, i] = mover
                    stage = OPEN
                else:
                    info[OPENED, i] = -1
                    info[PICKED, i] = 0
                    copy_32(began[i], board)
                    lockstep.clear(hands[i], races[i], int(info[STEPPING, i]))
                    stage = RUN
            else:
                mover = int(info[STEPPING, i]) if number == 1 else rounds.opener(limits, south, north, int(info[OPENED, i]))
                info[OPENED, i] = mover
                stage = OPEN
        elif stage == RUN:
            due, _ = lockstep.run(rules, board, hands[i], races[i], int(info[WIDOWS, i]), FOREVER, None, 0)
            if due != 0:
                mover = 0 if due & 1 else 1
                info[MODE, i] = RACE
                info[DUE, i] = due
                info[SEAT, i] = mover
                info[MASK, i] = row_mask(rules, board, mover)
                info[PROVED, i] = info[MASK, i]
                return
            info[OPENED, i] = info[STEPPING, i]  # MK-45
            mover = 0 if races[i, lockstep.DEAD] == 1 else 1
            stage = END if mode == lockstep.ROUND else OPEN
        elif stage == OPEN:
            info[MODE, i] = TURN
            info[DUE, i] = 0
            stage = CHOOSE
        elif stage == CHOOSE:
            mask, proved = row_mask(rules, board, mover), 0
            if mask == 0 or (either and row_mask(rules, board, 1 - mover) == 0):  # MK-30, AB-31
                stage = END
                continue
            if loop:
                mask, proved = one_of(t, board, mover, mask, scratch, room, state)
            if mask != 0:
                info[SEAT, i], info[MASK, i], info[PROVED, i] = mover, mask, proved
                return
            passes += 1  # AB-45: seeds, and only endless walks
            info[QUIET, i] += 1
            mover = 1 - mover
            if passes == 2 or info[QUIET, i] >= limits[rounds.QUIET]:
                stage = END
        else:
            south, north = sides(board, holes)
            for place in range(2 * holes + 2):
                board[place] = 0
            board[holes] = south
            board[2 * holes + 1] = north
            winner, reason = rounds.verdict(limits, loop, holes, each, int(info[NUMBER, i]), south, north)
            if winner != rounds.GO_ON:
                info[MODE, i], info[MASK, i], info[DUE, i], info[QUIET, i] = OVER, 0, 0, 0
                info[WINNER, i], info[REASON, i] = winner, reason
                return
            passes = 0
            stage = LAY


def work() -> tuple[Any, Any, Any]:
    """Room to work in."""
    return np.zeros(PLACES, np.uint8), np.zeros((2, PLACES), np.uint8), np.ones(1, np.uint64)


@kernel
def sides(board: Any, holes: int) -> tuple[int, int]:
    """The seeds on each seat's side, its store included."""
    south = north = 0
    for place in range(holes + 1):
        south += int(board[place])
        north += int(board[holes + 1 + place])
    return south, north


@kernel
def begin_each(t: Any, g: Any, lots: Any, first: int, chosen: Any, start: int, stop: int) -> None:
    """New matches in those of the games ``start…stop-1`` that are ``chosen`` (bool[n]). ``lots`` (see ``drawn.first_of``) say who is first,
    unless ``first`` is 0 or 1."""
    rules = t[0]
    boards, info = g[0], g[1]
    holes, half = int(rules[0]["holes"]), int(rules[0]["holes"] * rules[0]["seeds"])
    scratch, room, state = np.zeros(PLACES, np.uint8), np.zeros((2, PLACES), np.uint8), np.ones(1, np.uint64)
    for i in range(start, stop):
        if chosen[i]:
            for place in range(2 * holes + 2):
                boards[i, place] = half if place == holes or place == 2 * holes + 1 else 0
            for row in range(ROWS):
                info[row, i] = 0
            info[STEPPING, i] = drawn.first_of(lots, i, 2) if first < 0 else first
            info[OPENED, i] = info[WINNER, i] = -1
            carry_on(t, g, i, LAY, 0, scratch, room, state)


@lean
def illegal_each(t: Any, g: Any, work: Any, actions: Any, start: int, stop: int) -> int:
    """The first of the games ``start…stop-1`` whose action (int64[n]) is not legal, or -1. Proves holes, and changes nothing else."""
    rules, _, add, last, gain, select, counts = t
    boards, info = g[0], g[1]
    loop, holes = rules[0]["cyclic"] != 0, int(rules[0]["holes"])
    scratch, room, state = work
    for i in range(start, stop):
        if info[MODE, i] != OVER:
            action = int(actions[i])
            if not 0 <= action < holes:
                return i
            bit = 1 << action
            if not info[MASK, i] & bit:
                return i
            if loop and not info[PROVED, i] & bit:
                if not prove(rules, add, last, gain, select, counts, boards[i], int(info[SEAT, i]), bit, 0, scratch, room, state):
                    info[MASK, i] &= ~bit
                    return i
                info[PROVED, i] |= bit
    return -1


@kernel
def race_choice(t: Any, g: Any, i: int, hole: int, scratch: Any, room: Any, state: Any) -> None:
    """The choice of a hole in game ``i``'s race; once all who are due have chosen, it goes on."""
    rules, boards, info, races, picks = t[0], g[0], g[1], g[3], g[5]
    seat = int(info[SEAT, i])
    place = seat * (int(rules[0]["holes"]) + 1) + hole
    races[i, lockstep.PICK + seat] = place
    at = int(info[PICKED, i])
    if races[i, lockstep.PICK + 1 - seat] >= 0 and races[i, lockstep.STEPPER] == seat:
        picks[i, at] = picks[i, at - 1]  # of two choices made at once the first is the one that is carried out first
        at -= 1
    picks[i, at] = place
    info[PICKED, i] += 1
    info[DUE, i] &= ~(1 << seat)
    if info[DUE, i]:
        info[SEAT, i] = 1 - seat
        info[MASK, i] = row_mask(rules, boards[i], 1 - seat)
    else:
        carry_on(t, g, i, RUN, 0, scratch, room, state)


@kernel
def pay(info: Any, i: int, rewards: Any) -> None:
    """What a match that has just ended is worth to its seats."""
    if info[MODE, i] == OVER and info[WINNER, i] != rounds.DRAW:
        winner = int(info[WINNER, i])
        rewards[i, winner] = 1
        rewards[i, 1 - winner] = -1


@lean
def step_rows(t: Any, g: Any, work: Any, wide: bool, actions: Any, rewards: Any, start: int, stop: int) -> None:
    """Mak Khum's kind: one choice in each of the games ``start…stop-1`` that are not over; ``actions`` int64[n] are legal. Where that ends
    a match, its rewards (float32[n, 2], given as zeros) are filled in."""
    rules, _, add, last, gain, select, counts = t
    boards, info = g[0], g[1]
    holes, bits = int(rules[0]["holes"]), (1 << int(rules[0]["holes"])) - 1
    scratch, room, state = work
    for i in range(start, stop):
        mode, seat, hole = info[MODE, i], int(info[SEAT, i]), int(actions[i])
        if mode == OVER:
            continue
        info[CHOICES, i] += 1
        if mode == TURN:
            board = boards[i]
            _, turned, _ = _row_turns(rules, add, last, gain, int(info[PATTERN, i]), select, counts, board, seat, state, wide, hole, 1)
            seat ^= turned
            full = filled_32(board) if wide else filled_16(board)
            mask = (full >> (seat * (holes + 1))) & bits
            info[SEAT, i] = seat
            info[MASK, i] = mask
            if mask == 0:  # MK-30
                carry_on(t, g, i, END, 0, scratch, room, state)
                pay(info, i, rewards)
        else:
            race_choice(t, g, i, hole, scratch, room, state)
            pay(info, i, rewards)


@kernel
def pick(
    rules: Any,
    add: Any,
    last: Any,
    gain: Any,
    select: Any,
    counts: Any,
    board: Any,
    seat: int,
    row: int,
    mask: int,
    proved: int,
    x: Any,
    after: Any,
    room: Any,
    state: Any,
) -> tuple[int, int, bool]:
    """A legal hole by lot ``x`` among the non-empty ones of ``row``; a lot that falls on an endless hole is drawn again among the others.

    What is known already, ``mask`` and ``proved``, saves walking and changes nothing. Gives (the hole or -1, the mask without holes found
    to be endless, whether ``after`` now is the board after its walk).
    """
    while row != 0:
        hole = int(select[(row << 4) + choose(x, counts[row])])
        bit = 1 << hole
        if proved & bit:
            return hole, mask, False
        if mask & bit:
            copy_32(after, board)
            walks, _, _ = _loop_turns(rules, add, last, gain, select, counts, after, seat, FOREVER, state, room, hole, 1)
            if walks != 0:
                return hole, mask, True
            mask &= ~bit
        row &= ~bit
        x = step(x)
    return -1, mask, False


_pick = inlined(pick)


@lean
def step_loops(t: Any, g: Any, work: Any, lots: Any, stream: Any, actions: Any, rewards: Any, start: int, stop: int) -> None:
    """As ``step_rows``, for Abalala'e's kind. The next seat needs a hole that ends (AB-45): the first one tried is the one that
    ``sample_each`` will draw from ``lots`` and ``stream``, and its walk is kept."""
    rules, limits, add, last, gain, select, counts = t
    boards, info, ahead = g[0], g[1], g[6]
    holes, bits, quiet = int(rules[0]["holes"]), (1 << int(rules[0]["holes"])) - 1, int(limits[rounds.QUIET])
    scratch, room, state = work
    for i in range(start, stop):
        if info[MODE, i] == OVER:
            continue
        seat, hole = int(info[SEAT, i]), int(actions[i])
        info[CHOICES, i] += 1
        board = boards[i]
        store = (seat + 1) * (holes + 1) - 1
        before = board[store]
        if info[AHEAD, i] == hole + 1:
            copy_32(board, ahead[i])
        else:
            _loop_turns(rules, add, last, gain, select, counts, board, seat, FOREVER, state, room, hole, 1)
        info[AHEAD, i] = 0
        info[QUIET, i] = 0 if board[store] > before else info[QUIET, i] + 1
        seat = 1 - seat
        full = filled_32(board)
        mask, other = (full >> (seat * (holes + 1))) & bits, (full >> ((1 - seat) * (holes + 1))) & bits
        if mask == 0 or other == 0 or info[QUIET, i] >= quiet:  # AB-31, AB-44
            carry_on(t, g, i, END, 0, scratch, room, state)
            pay(info, i, rewards)
            continue
        x = drawn.choice_of(lots, i, stream, int(info[CHOICES, i]))
        hole, mask, _ = _pick(rules, add, last, gain, select, counts, board, seat, mask, mask, 0, x, ahead[i], room, state)
        if hole >= 0:
            info[SEAT, i] = seat
            info[MASK, i] = mask
            info[PROVED, i] = 1 << hole
            info[AHEAD, i] = hole + 1
        else:
            carry_on(t, g, i, CHOOSE, seat, scratch, room, state)
            pay(info, i, rewards)


@lean
def sample_each(t: Any, g: Any, work: Any, lots: Any, stream: Any, out: Any, start: int, stop: int) -> None:
    """A legal action by lot for each of the games ``start…stop-1``, every one equally likely; 0 where it is over. ``lots`` and
    ``stream``: see ``drawn.choice_of``. In Abalala'e the walk is kept for ``step_loops``: only walking tells whether a hole is legal."""
    rules, _, add, last, gain, select, counts = t
    boards, info, ahead = g[0], g[1], g[6]
    loop, holes, bits = rules[0]["cyclic"] != 0, int(rules[0]["holes"]), (1 << int(rules[0]["holes"])) - 1
    _, room, state = work
    for i in range(start, stop):
        mask, x = int(info[MASK, i]), drawn.choice_of(lots, i, stream, int(info[CHOICES, i]))
        if mask == 0:
            out[i] = 0
        elif not loop:
            out[i] = select[(mask << 4) + choose(x, counts[mask])]
        else:
            seat = int(info[SEAT, i])
            row = (filled_32(boards[i]) >> (seat * (holes + 1))) & bits
            hole, mask, walked = _pick(
                rules, add, last, gain, select, counts, boards[i], seat, row, mask, int(info[PROVED, i]), x, ahead[i], room, state
            )
            out[i] = hole
            info[MASK, i] = mask
            info[PROVED, i] |= 1 << hole
            if walked:
                info[AHEAD, i] = hole + 1


@lean
def masks_each(t: Any, g: Any, work: Any, out: Any, start: int, stop: int) -> None:
    """The legal holes of the games ``start…stop-1``: bool[n, holes]."""
    rules, _, add, last, gain, select, counts = t
    boards, info = g[0], g[1]
    holes, loop = int(rules[0]["holes"]), rules[0]["cyclic"] != 0
    scratch, room, state = work
    for i in range(start, stop):
        mask = int(info[MASK, i])
        if loop and mask != 0:
            mask = _prove(
                rules, add, last, gain, select, counts, boards[i], int(info[SEAT, i]), mask, int(info[PROVED, i]), scratch, room, state
            )
            info[MASK, i] = info[PROVED, i] = mask
        for hole in range(holes):
            out[i, hole] = mask >> hole & 1 == 1
