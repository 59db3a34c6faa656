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
    "leave",
    "move_ends",
    "moves",
    "play",
    "roll",
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
def ahead(key: int, track: int, seat: int) -> int:
    """The squares that are taken as ``seat`` sees them: bit p for its progress p; the lane holds only its own horses (CN-1)."""
    taken = 0
    for other in range(4):
        pair = (key >> (12 * other)) & 4095
        if pair == 0:
            continue
        shift = (other - seat) * (track >> 2)
        for horse in (pair & 63, pair >> 6):
            if horse != 0 and horse <= track:
                square = horse - 1 + shift
                if square < 0:
                    square += track
                elif square >= track:
                    square -= track
                taken |= 1 << square
            elif other == seat:
                taken |= (1 << horse) >> 1
    return taken


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
        else:
            path = 0
    return int(end <= last and (taken & path) == 0 and (own >> end) & 1 == 0)


@kernel
def moves(key: int, track: int, doubles: int, gate: int) -> int:
    """The mask of moves of the choice that is due; 0 if none is."""
    due = key >> 54
    if due == 0 or due == DUE_OVER:
        return 0
    seat = (key >> 52) & 3
    if due > 36:
        return extra_moves(key, track, gate, seat, (due - 1) % 6 + 1) | (1 << PASS)
    return roll_moves(key, track, doubles, gate, seat, (due - 1) // 6 + 1, (due - 1) % 6 + 1)


@kernel
def roll_moves(key: int, track: int, doubles: int, gate: int, seat: int, d1: int, d2: int) -> int:
    """The mask of moves that a roll gives ``seat`` (CN-20…27), without the extra choice."""
    pair = (key >> (12 * seat)) & 4095
    back = pair & 63
    front = pair >> 6
    total = d1 + d2
    release = d1 == d2 or (total == 7 and (d1 == 1 or d2 == 1))
    if front == 0:
        return (1 << ENTER) if release else 0
    taken = ahead(key, track, seat)
    own = ((1 << front) | (1 << back)) >> 1
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
def extra_moves(key: int, track: int, gate: int, seat: int, die: int) -> int:
    """The mask of advances by one die that the extra choice gives (CN-22); climbing and entering are no advances."""
    pair = (key >> (12 * seat)) & 4095
    back = pair & 63
    front = pair >> 6
    taken = ahead(key, track, seat)
    own = ((1 << front) | (1 << back)) >> 1
    mask = 0
    if 0 < front <= track:
        mask |= can_advance(taken, own, front, die, track, gate)
    if 0 < back <= track:
        mask |= can_advance(taken, own, back, die, track, gate) << 2
    return mask


@kernel
def move_ends(key: int, track: int, gate: int, move: int) -> tuple[int, int]:
    """Where a move of the choice that is due begins and ends, as stored: 0 = stable, p + 1 = progress p. Not for a pass."""
    due = key >> 54
    pair = (key >> (12 * ((key >> 52) & 3))) & 4095
    if move == ENTER:
        return 0, 1
    horse = pair >> 6 if move < 2 else pair & 63
    die = (due - 1) % 6 + 1
    if move & 1 == 0:
        return horse, horse + die
    if horse > track or (horse == track and gate == 1):
        return horse, horse + 1
    return horse, horse + die + (due - 1) // 6 + 1


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
def roll(key: int, track: int, doubles: int, gate: int, keep: int, d1: int, d2: int, trace: Any) -> tuple[int, int]:
    """The key after the roll that is due, and the number of events. A roll without a move is over at once (CN-13)."""
    seat = (key >> 52) & 3
    row = note(trace, 0, EVENT_ROLL, seat, d1, d2)
    if roll_moves(key, track, doubles, gate, seat, d1, d2) != 0:
        return key | ((6 * d1 + d2 - 6) << 54), row
    if doubles == 2 and d1 == d2 and extra_moves(key, track, gate, seat, d1) != 0:
        # nothing has been moved: without keep_repeat a pass now makes it a roll without a move (CN-12)
        return key | (((42 if keep == 1 else 36) + d1) << 54), row
    row = note(trace, row, EVENT_NO_MOVE, seat, 0, 0)
    release = d1 == d2 or (d1 + d2 == 7 and (d1 == 1 or d2 == 1))
    return due_next(key, seat, release and keep == 1), row


@kernel
def shift_horse(key: int, track: int, seat: int, start: int, end: int, row: int, trace: Any) -> tuple[int, int]:
    """The key after one horse of ``seat`` went from ``start`` to ``end`` (as stored), with whom it kicks there (CN-24)."""
    pair = (key >> (12 * seat)) & 4095
    other_own = pair ^ (start if pair & 63 == start else start << 6)
    rest = other_own | (other_own >> 6)
    rest &= 63
    low = min(rest, end)
    high = max(rest, end)
    key ^= (pair ^ (low | (high << 6))) << (12 * seat)
    row = note(trace, row, EVENT_ENTER if start == 0 else EVENT_STEP, seat, start - 1, end - 1)
    if end <= track:
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
                left = foe >> 6 if foe & 63 == place else foe & 63
                key ^= (foe ^ (left << 6)) << (12 * other)
                row = note(trace, row, EVENT_KICK, seat, other, place - 1)
                break
    return key, row


@kernel
def play(key: int, track: int, doubles: int, gate: int, move: int, trace: Any) -> tuple[int, int]:
    """The key after one move of the choice that is due, and the number of events."""
    seat = (key >> 52) & 3
    due = key >> 54
    if move == PASS:
        return due_next(key, seat, due > 42), note(trace, 0, EVENT_PASS, seat, 0, 0)
    start, end = move_ends(key, track, gate, move)
    key, row = shift_horse(key, track, seat, start, end, 0, trace)
    if (key >> (12 * seat)) & 4095 == (track + 3) | ((track + 4) << 6):  # CN-30
        row = note(trace, row, EVENT_WIN, seat, 0, 0)
        return (key & _BELOW_TURN) | (seat << 52) | (DUE_OVER << 54), row
    if due > 36:
        return due_next(key, seat, True), row
    d1 = (due - 1) // 6 + 1
    d2 = (due - 1) % 6 + 1
    if doubles == 2 and d1 == d2 and extra_moves(key, track, gate, seat, d1) != 0:
        return (key & _BELOW_TURN) | (seat << 52) | ((42 + d1) << 54), row
    return due_next(key, seat, d1 == d2 or (d1 + d2 == 7 and (d1 == 1 or d2 == 1))), row


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
