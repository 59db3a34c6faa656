"""Owns the exact value of a race on few seeds: a memo over race positions, a matrix game where both choose at once, turns to their end.

Compiled. Values are float64 in seeds: what the seat that steps (in turns: the mover) still gains, minus what the other does, with best
play of both; or, with ``WIN``, the chance to win the round minus the chance to lose it. A memo's keys are whole: no position is taken for
another.

``memo`` is (uint64[size] first word, uint64[size] second word, float64[size] value, int64[5]); ``size`` a power of two, a first word of 0
is an empty slot. int64[5]: [FILLED] slots in use, [NODES] positions looked at, [CHOICES] race positions in the memo, [TURNS] positions in
turns in it, [LIMIT] the most positions to look at. Other arrays as in ``games.sowing.lockstep``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from muang.games._jit import compiled, kernel
from muang.games.sowing.kernel import row_mask, turn
from muang.games.sowing.layout import PLACES
from muang.games.sowing.lockstep import DEAD, OPENING, PICK, STEPPER, run
from muang.search.matrix import equilibrium

__all__ = ["CHOICES", "FILLED", "LIMIT", "NODES", "SEEDS", "TURNS", "UNKNOWN", "WIN", "fits", "new_memo", "race_value", "turn_value"]

FILLED, NODES, CHOICES, TURNS, LIMIT = 0, 1, 2, 3, 4
SEEDS, WIN = 0, 1
UNKNOWN = -1e9
"""What is given when the memo is full, the stack too short, the limit reached or the search was stopped."""
DEPTH = 640
"""Choices after one another; rounds of 98 seeds have about 60, and more than the stack holds is ``UNKNOWN``, never wrong."""
FOREVER = 1 << 62

# kernels mix no signed with unsigned numbers: Numba would make floats of them; as plain Python both are int
_U: Any = np.uint64 if compiled() else int
_I: Any = np.int64 if compiled() else int
_MASK = (1 << 64) - 1


def new_memo(slots: int) -> tuple[Any, Any, Any, Any]:
    """An empty memo with room for ``slots`` entries, rounded up to a power of two; 24 bytes each."""
    size = 1 << max(4, (slots - 1).bit_length())
    counts = np.zeros(5, np.int64)
    counts[LIMIT] = FOREVER
    return np.zeros(size, np.uint64), np.zeros(size, np.uint64), np.zeros(size, np.float64), counts


def fits(holes: int, total: int) -> bool:
    """Whether a position of such a board goes into the two words of a key: a row each, and 15 bits beside it."""
    return holes * total.bit_length() <= 49


@kernel
def pack_row(board: Any, base: int, holes: int, bits: int) -> Any:
    """A row as one word, ``bits`` a hole."""
    word = _U(0)
    for i in range(holes):
        word = (word << _U(bits)) | _U(board[base + i])
    return word


@kernel
def slot_of(memo: Any, first: Any, second: Any) -> int:
    """The slot that holds a key, or the empty one where it belongs."""
    words, others = memo[0], memo[1]
    x = ((first * _U(0x9E3779B97F4A7C15)) & _U(_MASK)) ^ ((second * _U(0xC2B2AE3D27D4EB4F)) & _U(_MASK))
    x = ((x ^ (x >> _U(29))) * _U(0xBF58476D1CE4E5B9)) & _U(_MASK)
    mask = _U(len(words) - 1)
    at = (x ^ (x >> _U(32))) & mask
    while words[at] != _U(0) and (words[at] != first or others[at] != second):
        at = (at + _U(1)) & mask
    return _I(at)  # type: ignore[no-any-return]


@kernel
def keep(memo: Any, slot: int, first: Any, second: Any, value: float, kind: int) -> bool:
    """Write an entry into its slot. False when the memo is as full as it may get."""
    counts = memo[3]
    if counts[FILLED] * 4 >= len(memo[0]) * 3:
        return False
    memo[0][slot] = first
    memo[1][slot] = second
    memo[2][slot] = value
    counts[FILLED] += 1
    counts[kind] += 1
    return True


@kernel
def turn_key(rules: Any, board: Any, seat: int, widows: int, bits: int) -> tuple[Any, Any]:
    """The key of a position in turns: the mover's row, the other's row; the mover too where widows make the sides differ."""
    holes = int(rules[0]["holes"])
    first = pack_row(board, seat * (holes + 1), holes, bits)
    second = pack_row(board, (1 - seat) * (holes + 1), holes, bits)
    side = _U(seat) if widows != 0 else _U(0)
    return (first << _U(15)) | _U(1), (second << _U(15)) | side


@kernel
def race_key(rules: Any, board: Any, hands: Any, race: Any, widows: int, bits: int, margin: int) -> tuple[Any, Any]:
    """The key of a race position where the stepper has to choose, seen from the stepper's side; ``margin`` 0 to 254 goes into it."""
    g = rules[0]
    holes = int(g["holes"])
    seat = int(race[STEPPER])
    other = 1 - seat
    at = count = origin = 0
    if hands[other, 1] > 0:
        shift = 0 if seat == 0 or widows != 0 else holes + 1
        places = 2 * holes + 2
        at = (int(hands[other, 0]) + shift) % places
        count = int(hands[other, 1])
        if g["skip_origin"]:
            origin = (int(hands[other, 2]) + shift) % places
    side = seat if widows != 0 else 0
    dead = 1 if race[DEAD + other] > 0 else 0
    first = pack_row(board, seat * (holes + 1), holes, bits)
    second = pack_row(board, other * (holes + 1), holes, bits)
    first = (first << _U(15)) | _U((at << 10) | (count << 3) | (dead << 2) | 2)
    return first, (second << _U(15)) | _U((margin << 7) | (origin << 2) | side)


@kernel
def seeds_in(board: Any, base: int, holes: int) -> int:
    """The seeds of a row."""
    total = 0
    for i in range(holes):
        total += _I(board[base + i])
    return total


@kernel
def turn_value(rules: Any, board: Any, seat: int, widows: int, bits: int, memo: Any, stop: Any) -> float:
    """What the mover still gains in turns, minus what the other does, best play of both (MK-30, MK-31, MK-40). Leaves ``board``."""
    holes = int(rules[0]["holes"])
    own, their = seat * (holes + 1), (1 - seat) * (holes + 1)
    if row_mask(rules, board, seat) == 0:
        return float(-seeds_in(board, their, holes))
    first, second = turn_key(rules, board, seat, widows, bits)
    slot = slot_of(memo, first, second)
    if memo[0][slot] != _U(0):
        return float(memo[2][slot])
    boards = np.zeros((DEPTH, PLACES), np.uint8)
    movers, masks, best, gains = np.zeros(DEPTH, np.int64), np.zeros(DEPTH, np.int64), np.zeros(DEPTH, np.int64), np.zeros(DEPTH, np.int64)
    scratch = np.zeros(PLACES, np.uint8)
    boards[0] = board
    movers[0], masks[0], best[0] = seat, row_mask(rules, board, seat), -1000
    top = 0
    while True:
        mover = int(movers[top])
        if masks[top] == 0:  # all holes of this position are known
            first, second = turn_key(rules, boards[top], mover, widows, bits)
            value = int(best[top])
            if not keep(memo, slot_of(memo, first, second), first, second, float(value), TURNS):
                return UNKNOWN
            if top == 0:
                return float(value)
            top -= 1
            value = int(gains[top]) + (value if movers[top] == mover else -value)
            best[top] = max(best[top], value)
            continue
        hole = 0
        while (int(masks[top]) >> hole) & 1 == 0:
            hole += 1
        masks[top] &= ~(1 << hole)
        if stop[0] != 0 or memo[3][NODES] >= memo[3][LIMIT]:
            return UNKNOWN
        memo[3][NODES] += 1
        own, their = mover * (holes + 1), (1 - mover) * (holes + 1)
        scratch[:] = boards[top]
        code = int(turn(rules, scratch, mover, own + hole, widows))
        gained = _I(scratch[own + holes]) - _I(boards[top, own + holes]) - _I(scratch[their + holes]) + _I(boards[top, their + holes])
        chooser = (code >> 16) & 1
        if code & 0x80000 != 0:
            best[top] = max(best[top], gained + seeds_in(scratch, own, holes) - seeds_in(scratch, their, holes))
            continue
        first, second = turn_key(rules, scratch, chooser, widows, bits)
        slot = slot_of(memo, first, second)
        if memo[0][slot] != _U(0):
            value = int(memo[2][slot])
            best[top] = max(best[top], gained + (value if chooser == mover else -value))
            continue
        if top + 1 >= DEPTH:
            return UNKNOWN
        gains[top] = gained
        top += 1
        boards[top] = scratch
        movers[top], masks[top], best[top] = chooser, code & 0x7FFF, -1000


@kernel
def ended_value(rules: Any, board: Any, race: Any, widows: int, bits: int, aim: int, memo: Any, stop: Any) -> float:
    """South's value of a race that is over: what the rows bring (MK-31), or the turns of who died first (MK-22). ``WIN``: 1, 0, -1."""
    holes = int(rules[0]["holes"])
    if rules[0]["race_mode"] == OPENING:
        mover = 0 if race[DEAD] == 1 else 1
        value = turn_value(rules, board, mover, widows, bits, memo, stop)
        if value == UNKNOWN:
            return UNKNOWN
        if mover == 1:
            value = -value
    else:
        value = float(seeds_in(board, 0, holes) - seeds_in(board, holes + 1, holes))
    if aim == WIN:
        value += _I(board[holes]) - _I(board[2 * holes + 1])
        return 1.0 if value > 0 else -1.0 if value < 0 else 0.0
    return value


@kernel
def race_value(rules: Any, board: Any, hands: Any, race: Any, widows: int, bits: int, aim: int, memo: Any, stop: Any, payoff: Any) -> float:
    """The value of a race position at which the stepper, or both, must choose, for the stepper. Arguments are left as they were.

    ``payoff`` float64[15, 15] is filled with the position's own matrix: the stepper's holes against the other's, both in the order of their
    row, only those that can be lifted; one column where the stepper alone chooses. ``UNKNOWN`` when it cannot be told.
    """
    g = rules[0]
    holes = int(g["holes"])
    room = 15 if holes > 7 else 8
    boards = np.zeros((DEPTH, PLACES), np.uint8)
    hand_of = np.zeros((DEPTH, 2, 3), np.int64)
    race_of = np.zeros((DEPTH, 8), np.int64)
    row_of, column_of = np.zeros((DEPTH, room), np.int64), np.zeros((DEPTH, room), np.int64)
    rows, columns, cell = np.zeros(DEPTH, np.int64), np.zeros(DEPTH, np.int64), np.zeros(DEPTH, np.int64)
    table = np.zeros((DEPTH, room, room))
    x, y = np.zeros(room), np.zeros(room)
    b, h, r = board.copy(), hands.copy(), race.copy()
    total = int(g["seeds"]) * holes * 2
    top = -1
    entering = True
    value = 0.0
    while True:
        if entering:  # b, h, r stand where a choice is due that is not in the memo
            top += 1
            if top >= DEPTH:
                return UNKNOWN
            boards[top], hand_of[top], race_of[top] = b, h, r
            stepper = int(r[STEPPER])
            mask = row_mask(rules, b, stepper)
            rows[top] = columns[top] = 0
            for i in range(holes):
                if (mask >> i) & 1:
                    row_of[top, rows[top]] = stepper * (holes + 1) + i
                    rows[top] += 1
            other = 1 - stepper
            mask = row_mask(rules, b, other)
            if h[other, 1] == 0 and r[DEAD + other] == 0 and r[PICK + other] < 0 and mask != 0:
                for i in range(holes):
                    if (mask >> i) & 1:
                        column_of[top, columns[top]] = other * (holes + 1) + i
                        columns[top] += 1
            else:
                columns[top] = 1
                column_of[top, 0] = -1
            cell[top] = 0
            entering = False
        stepper = int(race_of[top, STEPPER])
        if cell[top] == rows[top] * columns[top]:  # the matrix is full
            value = equilibrium(table[top], rows[top], columns[top], x, y)
            if top == 0:
                for i in range(rows[0]):
                    for j in range(columns[0]):
                        payoff[i, j] = table[0, i, j]
            margin = _I(boards[top, stepper * (holes + 1) + holes]) - _I(boards[top, (1 - stepper) * (holes + 1) + holes])
            first, second = race_key(rules, boards[top], hand_of[top], race_of[top], widows, bits, margin + total if aim == WIN else 0)
            slot = slot_of(memo, first, second)
            if memo[0][slot] == _U(0) and not keep(memo, slot, first, second, value, CHOICES):
                return UNKNOWN
            if top == 0:
                return value
            south = value if stepper == 0 else -value
            gained = _I(boards[top, holes]) - _I(boards[top, 2 * holes + 1])
            top -= 1
        else:
            i, j = int(cell[top]) // int(columns[top]), int(cell[top]) % int(columns[top])
            b[:], h[:], r[:] = boards[top], hand_of[top], race_of[top]
            r[PICK + stepper] = row_of[top, i]
            r[PICK + 1 - stepper] = column_of[top, j] if column_of[top, j] >= 0 else race_of[top, PICK + 1 - stepper]
            due, _ = run(rules, b, h, r, widows, FOREVER, None, 0)
            if stop[0] != 0 or memo[3][NODES] >= memo[3][LIMIT]:
                return UNKNOWN
            memo[3][NODES] += 1
            gained = _I(b[holes]) - _I(b[2 * holes + 1])
            if due == 0:
                south = ended_value(rules, b, r, widows, bits, aim, memo, stop)
                if south == UNKNOWN:
                    return UNKNOWN
            else:
                mover = int(r[STEPPER])
                margin = _I(b[mover * (holes + 1) + holes]) - _I(b[(1 - mover) * (holes + 1) + holes])
                first, second = race_key(rules, b, h, r, widows, bits, margin + total if aim == WIN else 0)
                slot = slot_of(memo, first, second)
                if memo[0][slot] == _U(0):
                    entering = True
                    continue
                value = float(memo[2][slot])
                south = value if mover == 0 else -value
        # south's value of the cell just looked at; seeds that have come into the stores on the way count with it
        stepper = int(race_of[top, STEPPER])
        if aim == SEEDS:
            south += gained - (_I(boards[top, holes]) - _I(boards[top, 2 * holes + 1]))
        i, j = int(cell[top]) // int(columns[top]), int(cell[top]) % int(columns[top])
        table[top, i, j] = south if stepper == 0 else -south
        cell[top] += 1
