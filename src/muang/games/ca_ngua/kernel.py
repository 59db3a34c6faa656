"""Owns the rules of Cờ cá ngựa as compiled code: which moves a roll gives, what a move does, who rolls next. Checks nothing.

A position is one whole number, its *key* (60 bits, never negative):

====== ====================================================================================================
bits   content
====== ====================================================================================================
0…47   seat s: its two horses, 6 bits each from bit 12·s, the one farther back first. 0 = stable, p + 1 = progress p
       (CN-3), with slot n as progress T + n - 1; so 1…T is the track and T + 1…T + 4 the lane. A seat that does not
       play, or has left, has 0 0.
48…51  the seats in play, bit 48 + s
52…53  the seat on turn; the winner when it is over
54…59  what is due. 0: a roll · 1…36: a move with the dice (n - 1) / 6 + 1 and (n - 1) % 6 + 1 · 37…42: the extra choice
       (CN-22) after doubles of n - 36 where a pass loses the turn · 43…48: the same with doubles of n - 42 where the seat
       rolls again whatever it chooses · 63: nothing, it is over
====== ====================================================================================================

The moves of a key are a mask whose bits stand in the order of CN-40: 1 the farther horse by one die, 2 the same horse by the total
(or a climb), 4 and 8 the same for the horse farther back, 16 enter, 32 pass (extra choice only). A *move* is the bit's number.

Rules come as whole numbers: ``track`` T; ``doubles`` 0 face, 1 total, 2 extra; ``gate`` 0 run_in, 1 climb, 2 jump; ``keep`` 1 for
keep_repeat. ``trace`` is None or an int16 array of ``TRACE_ROWS`` × 4 that gets one row (kind, seat, a, b) an event; places in it are
progress as above, -1 for the stable.
"""

from __future__ import annotations

from typing import Any

from muang.games._jit import kernel

__all__ = [
    "DUE_OVER",
    "ENTER",
    "EVENT_ENTER",
    "EVENT_KICK",
    "EVENT_LEAVE",
    "EVENT_NO_MOVE",
    "EVENT_PASS",
    "EVENT_ROLL",
    "EVENT_STEP",
    "EVENT_WIN",
    "PASS",
    "TRACE_ROWS",
    "due_next",
    "extra_moves",
    "leave",
    "make",
    "move_ends",
    "moves",
    "no_move",
    "play",
    "roll",
    "roll_moves",
    "seen",
    "squares",
]

ENTER, PASS = 4, 5
DUE_OVER = 63
TRACE_ROWS = 4
EVENT_ROLL, EVENT_ENTER, EVENT_STEP, EVENT_KICK, EVENT_NO_MOVE, EVENT_PASS, EVENT_LEAVE, EVENT_WIN = range(8)
_BELOW_TURN = (1 << 52) - 1


@kernel
def note(trace: Any, row: int, kind: int, seat: int, a: int, b: int) -> int:
    """Write one event, if there is a trace; gives the next row."""
    if trace is not None:
        trace[row, 0] = kind
        trace[row, 1] = seat
        trace[row, 2] = a
        trace[row, 3] = b
    return row + 1


@kernel
def squares(key: int, track: int) -> int:
    """The track squares that are taken: bit q for square q counted from seat 0's start (CN-1)."""
    taken = 0
    for seat in range(4):
        pair = (key >> (12 * seat)) & 4095
        for horse in (pair & 63, pair >> 6):
            if horse != 0 and horse <= track:
                square = horse - 1 + seat * (track >> 2)
                taken |= 1 << (square if square < track else square - track)
    return taken


@kernel
def seen(taken: int, track: int, seat: int) -> int:
    """The same squares as ``seat`` counts them: bit p for its progress p."""
    turned = seat * (track >> 2)
    return (taken >> turned) | ((taken & ((1 << turned) - 1)) << (track - turned))


@kernel
def can_advance(taken: int, own: int, horse: int, steps: int, track: int, gate: int) -> int:
    """1 if the horse (1…T, on the track) may go ``steps`` squares on, else 0 (CN-21, 23, 24, 25)."""
    end = horse - 1 + steps
    last = track + 3
    path = ((1 << (steps - 1)) - 1) << horse
    if gate != 0:
        if horse != track:
            last = track - 1
        elif gate == 1:
            last = -1
    return int(end <= last and (taken & path) == 0 and (own >> end) & 1 == 0)


@kernel
def is_release(d1: int, d2: int) -> bool:
    """Doubles, or a 1 and a 6 (CN-11)."""
    return d1 == d2 or (d1 + d2 == 7 and d1 * d2 == 6)


@kernel
def roll_moves(pair: int, taken: int, track: int, doubles: int, gate: int, d1: int, d2: int) -> int:
    """The mask of moves that a roll gives a seat (CN-20…27), without the extra choice.

    ``pair``: the seat's 12 bits; ``taken``: the squares as it sees them (``seen``).
    """
    back = pair & 63
    front = pair >> 6
    total = d1 + d2
    release = is_release(d1, d2)
    if front == 0:
        return (1 << ENTER) if release else 0
    own = ((1 << front) | (1 << back)) >> 1
    taken |= own
    mask = 0
    for which in range(2):
        horse = back if which == 1 else front
        if horse == 0:
            if release and own & 1 == 0:
                mask |= 1 << ENTER
        elif horse > track or (horse == track and gate == 1):
            slot = horse - track + 1
            if slot <= 4 and (release or total == slot) and (own >> horse) & 1 == 0:
                mask |= 2 << (2 * which)
        else:
            mask |= can_advance(taken, own, horse, total, track, gate) << (2 * which + 1)
            if d1 == d2 and doubles == 0:
                mask |= can_advance(taken, own, horse, d1, track, gate) << (2 * which)
    return mask


@kernel
def extra_moves(pair: int, taken: int, track: int, gate: int, die: int) -> int:
    """The mask of advances by one die that the extra choice gives (CN-22); climbing and entering are no advances."""
    back = pair & 63
    front = pair >> 6
    own = ((1 << front) | (1 << back)) >> 1
    taken |= own
    mask = 0
    if 0 < front <= track:
        mask |= can_advance(taken, own, front, die, track, gate)
    if 0 < back <= track:
        mask |= can_advance(taken, own, back, die, track, gate) << 2
    return mask


@kernel
def reach(pair: int, track: int, gate: int, d1: int, d2: int, move: int) -> tuple[int, int]:
    """Where a move begins and ends, as stored: 0 = stable, p + 1 = progress p. Not for a pass."""
    if move == ENTER:
        return 0, 1
    horse = pair >> 6 if move < 2 else pair & 63
    if move & 1 == 0:
        return horse, horse + d2
    if horse > track or (horse == track and gate == 1):
        return horse, horse + 1
    return horse, horse + d1 + d2


@kernel
def next_seat(key: int, seat: int) -> int:
    """The seat in play that comes after ``seat``, round the table (CN-14)."""
    seat = (seat + 1) & 3
    while (key >> (48 + seat)) & 1 == 0:
        seat = (seat + 1) & 3
    return seat


@kernel
def due_next(key: int, seat: int, again: bool) -> int:
    """The key with the next roll due: by the same seat if it rolls again (CN-12), else by the next."""
    after = seat if again else next_seat(key, seat)
    return (key & _BELOW_TURN) | (after << 52)


@kernel
def no_move(key: int, taken: int, track: int, doubles: int, gate: int, keep: int, d1: int, d2: int) -> int:
    """The key after a roll that gave the seat no move: an extra choice may still be due (CN-22), else the roll is lost (CN-13)."""
    seat = (key >> 52) & 3
    if doubles == 2 and d1 == d2 and extra_moves((key >> (12 * seat)) & 4095, seen(taken, track, seat), track, gate, d1) != 0:
        # nothing has been moved yet: without keep_repeat a pass makes it a roll without a move (CN-12)
        return key | (((42 if keep == 1 else 36) + d1) << 54)
    return due_next(key, seat, keep == 1 and is_release(d1, d2))


@kernel
def kick(key: int, track: int, seat: int, end: int, row: int, trace: Any) -> tuple[int, int]:
    """The key after another seat's horse on square ``end`` (as stored by ``seat``) has gone back to its stable (CN-24), if one is there."""
    for other in range(4):
        foe = (key >> (12 * other)) & 4095
        if other == seat or foe == 0:
            continue
        place = end + (seat - other) * (track >> 2)
        if place < 1:
            place += track
        elif place > track:
            place -= track
        if foe & 63 == place or foe >> 6 == place:
            stays = foe >> 6 if foe & 63 == place else foe & 63
            return key ^ ((foe ^ (stays << 6)) << (12 * other)), note(trace, row, EVENT_KICK, seat, other, place - 1)
    return key, row


@kernel
def make(
    key: int, taken: int, track: int, doubles: int, gate: int, d1: int, d2: int, extra: bool, move: int, trace: Any
) -> tuple[int, int, int]:
    """The key, the taken ``squares`` and the number of events after a move with these dice; ``extra``: it is the extra choice's."""
    seat = (key >> 52) & 3
    pair = (key >> (12 * seat)) & 4095
    start, end = reach(pair, track, gate, d1, d2, move)
    row = note(trace, 0, EVENT_ENTER if start == 0 else EVENT_STEP, seat, start - 1, end - 1)
    stays = pair & 63 if move < 2 else pair >> 6
    after = (stays | (end << 6)) if end > stays else (end | (stays << 6))
    key = (key & _BELOW_TURN) ^ ((pair ^ after) << (12 * seat))
    if start != 0 and start <= track:
        square = start - 1 + seat * (track >> 2)
        taken ^= 1 << (square if square < track else square - track)
    if end <= track:
        square = end - 1 + seat * (track >> 2)
        bit = 1 << (square if square < track else square - track)
        if taken & bit != 0:
            key, row = kick(key, track, seat, end, row, trace)
        taken |= bit
    elif after == (track + 3) | ((track + 4) << 6):  # CN-30
        return key | (seat << 52) | (DUE_OVER << 54), taken, note(trace, row, EVENT_WIN, seat, 0, 0)
    if doubles == 2 and d1 == d2 and not extra and extra_moves(after, seen(taken, track, seat), track, gate, d1) != 0:
        return key | (seat << 52) | ((42 + d1) << 54), taken, row
    return due_next(key, seat, is_release(d1, d2)), taken, row


@kernel
def dice_of(due: int) -> tuple[int, int]:
    """The dice of a choice that is due."""
    second = (due - 1) % 6 + 1
    return (second if due > 36 else (due - 1) // 6 + 1), second


@kernel
def moves(key: int, track: int, doubles: int, gate: int) -> int:
    """The mask of moves of the choice that is due; 0 if none is."""
    due = key >> 54
    if due == 0 or due == DUE_OVER:
        return 0
    seat = (key >> 52) & 3
    pair = (key >> (12 * seat)) & 4095
    taken = seen(squares(key, track), track, seat)
    d1, d2 = dice_of(due)
    if due > 36:
        return extra_moves(pair, taken, track, gate, d1) | (1 << PASS)
    return roll_moves(pair, taken, track, doubles, gate, d1, d2)


@kernel
def move_ends(key: int, track: int, gate: int, move: int) -> tuple[int, int]:
    """Where a move of the choice that is due begins and ends, as stored; not for a pass."""
    d1, d2 = dice_of(key >> 54)
    return reach((key >> (12 * ((key >> 52) & 3))) & 4095, track, gate, d1, d2, move)


@kernel
def roll(key: int, track: int, doubles: int, gate: int, keep: int, d1: int, d2: int, trace: Any) -> tuple[int, int]:
    """The key after the roll that is due, and the number of events. A roll without a move is over at once (CN-13)."""
    seat = (key >> 52) & 3
    row = note(trace, 0, EVENT_ROLL, seat, d1, d2)
    taken = squares(key, track)
    if roll_moves((key >> (12 * seat)) & 4095, seen(taken, track, seat), track, doubles, gate, d1, d2) != 0:
        return key | ((6 * d1 + d2 - 6) << 54), row
    after = no_move(key, taken, track, doubles, gate, keep, d1, d2)
    if after >> 54 == 0:
        row = note(trace, row, EVENT_NO_MOVE, seat, 0, 0)
    return after, row


@kernel
def play(key: int, track: int, doubles: int, gate: int, move: int, trace: Any) -> tuple[int, int]:
    """The key after one move of the choice that is due, and the number of events."""
    due = key >> 54
    if move == PASS:
        seat = (key >> 52) & 3
        return due_next(key, seat, due > 42), note(trace, 0, EVENT_PASS, seat, 0, 0)
    d1, d2 = dice_of(due)
    key, _, row = make(key, squares(key, track), track, doubles, gate, d1, d2, due > 36, move, trace)
    return key, row


@kernel
def leave(key: int, seat: int, trace: Any) -> tuple[int, int]:
    """The key after ``seat`` has left (CN-31), and the number of events."""
    row = note(trace, 0, EVENT_LEAVE, seat, 0, 0)
    key &= ~((4095 << (12 * seat)) | (1 << (48 + seat)))
    on_turn = (key >> 52) & 3
    after = next_seat(key, seat)
    if next_seat(key, after) == after:
        row = note(trace, row, EVENT_WIN, after, 1, 0)
        return (key & _BELOW_TURN) | (after << 52) | (DUE_OVER << 54), row
    if on_turn == seat:
        return (key & _BELOW_TURN) | (after << 52), row
    return key, row
