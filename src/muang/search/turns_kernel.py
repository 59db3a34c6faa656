"""Owns the search of turns in the sowing games as compiled code: whole walks on packed boards, alpha-beta over chains of choices.

A position is seen by the player who has to choose, the *mover*: words ``a``, ``b`` hold its row, ``c``, ``d`` the other's. Seeds in stores
are not on the board: a value is the *future difference*, what the mover will still gain minus what the other will, rows that are
left at the end included (MK-31, AB-31, AB-44). After a rest the same player chooses again and its value is added; only when
the other chooses is it taken negative (MK-12).

Packed boards: with ``WIDE`` 0 a row is one word of ``BITS`` bits a hole, hole 1 lowest; with ``WIDE`` 1 it is two words of eight holes of 8
bits. *Fields* number the holes: the mover's 0…h-1, the other's h…2h-1.

``par`` int64[16], see the names below. ``tab`` int64, one row of 3 (wide: 5) a lap, number ``field * MOST + seeds`` of its set:
what it adds to the words (the lifted hole emptied before), then what is known of its last seed (``pack_last``). ``sets`` is 2 where
widows make the players' paths differ, else 1. ``faces`` int64[2h, 2]: fields that a capture from a field takes, -1 for none.
``tt`` int64[entries, 4] or [entries, 8]: the transposition table, two entries a bucket, keys whole (a collision would be a false proof).
Words are stored exclusive-or the entry's data (Hyatt's way), so that an entry torn by two threads is not found instead of being wrong.
"""

from __future__ import annotations

from typing import Any

from muang.games._jit import kernel

__all__ = [
    "ABORTED",
    "BITS",
    "CALM",
    "CAPTURE_LAST",
    "CYCLIC",
    "DEEPEST",
    "ESTIMATED",
    "FRAME",
    "HOLES",
    "KID",
    "KIDS",
    "LIMIT",
    "MOST",
    "NODES",
    "NODE_LIMIT",
    "ONES",
    "OWN_WORTH",
    "PASS",
    "PLIES",
    "REST_ENDS",
    "SETS",
    "TABLE_SEEDS",
    "TEMPO_WORTH",
    "TURN_COST",
    "WIDE",
    "beside",
    "expand",
    "field_of",
    "pack_last",
    "search",
]

# par
HOLES, BITS, MOST, WIDE, CYCLIC, REST_ENDS, CAPTURE_LAST, LIMIT, SETS, TABLE_SEEDS, OWN_WORTH, TEMPO_WORTH, ONES, TURN_COST = range(14)
CALM = 14  # quiet turns that must be left for the solved boards to be true (AB-44); 1: always
# counts: nodes so far, and at how many to stop
NODES, NODE_LIMIT = 0, 1

DEEPEST = 255
"""A depth that no search of a game without cycles uses up: the search is then to the end of the round.

Depth counts in *steps*: a turn that passes on costs ``par[TURN_COST]``, a choice after a rest 1, so that a long chain of rests does not
hide behind one turn (Mak Khum 2: two more choices count as a turn; Abalala'e 1: each turn is one walk).
"""
PLIES = 1024
"""Choices in one line; a longer one is estimated from there."""
KIDS = 16
KID = 8
PASS = 15
"""The move of a player who has only endless walks (AB-45)."""

ABORTED, ESTIMATED = 1, 2

# frames
A, B, C, D, N, QUIET, SET, DEPTH, ALPHA, BETA, FLOOR, BEST, MOVE, GUESS, GUESS_BEST, COUNT, AT, BEGUN, LEFT, HASH, KID_NOW = range(21)
LATER, CUT = 21, 22
FRAME = 24
# kids: words, then
GAIN, KIND, HOLE, SCORE = 4, 5, 6, 7
SAME, OTHER, OVER = 0, 1, 2

LAPS_BEFORE_LOOKING = 256
"""Laps without a capture after which a walk is tested for being endless (AB-45): nearly all end long before."""

M62 = (1 << 62) - 1


@kernel
def pack_last(shift: int, word: int, stored: int, row: int, store: int) -> int:
    """What is known of a lap's last seed: the bits to shift by, its word 0…3, seeds that fell into the store, its field's first row."""
    return shift | (word << 6) | (store << 8) | (stored << 9) | (row << 20)


@kernel
def field_of(a: int, b: int, c: int, d: int, holes: int, bits: int, wide: int, field: int) -> int:
    """The seeds of a field."""
    i = field if field < holes else field - holes
    if wide:
        if i < 8:
            return ((a if field < holes else c) >> (8 * i)) & 255
        return ((b if field < holes else d) >> (8 * i - 64)) & 255
    return ((a if field < holes else c) >> (bits * i)) & ((1 << bits) - 1)


@kernel
def row_sum(par: Any, low: int, high: int) -> int:
    """The seeds of a row. Narrow: one multiplication; no partial sum leaves its hole's bits, as all seeds of the game fit in one."""
    if par[WIDE]:
        total = 0
        for i in range(par[HOLES]):
            total += ((low >> (8 * i)) if i < 8 else (high >> (8 * i - 64))) & 255
        return total
    bits = par[BITS]
    return int(((low * par[ONES]) >> (bits * (par[HOLES] - 1))) & ((1 << bits) - 1))


@kernel
def walk_narrow(tab: Any, par: Any, faces: Any, row: int, a: int, c: int, field: int) -> tuple[int, int, int, int]:
    """One whole walk of the mover (MK-10…15, AB-10…14). ``row``: the first row of its set. Gives the words, its gain and an ending.

    The ending: 0 died · 1 rested in the store · 2 endless.
    """
    holes, bits, most, cyclic = par[HOLES], par[BITS], par[MOST], par[CYCLIC]
    full = (1 << bits) - 1
    gain = 0
    word = 0
    shift = field * bits
    at = row + field * most
    held = (a >> shift) & full
    laps = 0
    mark_a = mark_c = mark_at = -1
    while True:
        if word == 0:
            a &= ~(full << shift)
        else:
            c &= ~(full << shift)
        lap = (at + held) * 3
        a += tab[lap]
        c += tab[lap + 1]
        last = tab[lap + 2]
        gain += (last >> 9) & 255
        if (last >> 8) & 1:
            return a, c, gain, 1
        shift = last & 63
        word = (last >> 6) & 3
        at = row + (last >> 20)
        held = ((a if word == 0 else c) >> shift) & full
        if held == 1:  # it was empty
            if word != 0:
                return a, c, gain, 0
            near = (2 * holes - 1 - (at - row) // most) if not cyclic else faces[(at - row) // most, 0]
            turned = (near - holes) * bits
            here = (c >> turned) & full
            c &= ~(full << turned)
            if not cyclic:
                if here > 0 and par[CAPTURE_LAST]:
                    a &= ~(full << shift)
                    here += 1
                return a, c, gain + here, 0
            far = faces[(at - row) // most, 1]
            if far >= 0:
                turned = (far - holes) * bits
                here += (c >> turned) & full
                c &= ~(full << turned)
            if here == 0:
                return a, c, gain, 0
            gain += here  # AB-13: the seed that captured walks on
            laps = 0
        if cyclic:
            laps += 1
            if laps >= LAPS_BEFORE_LOOKING:
                if laps == LAPS_BEFORE_LOOKING:
                    mark_a, mark_c, mark_at = a, c, at
                elif at == mark_at and a == mark_a and c == mark_c:
                    return a, c, gain, 2


@kernel
def walk_wide(tab: Any, par: Any, faces: Any, row: int, a: int, b: int, c: int, d: int, field: int) -> tuple[int, int, int, int, int, int]:
    """The same on rows of two words each. Gives the four words, the gain and the ending."""
    holes, most, cyclic = par[HOLES], par[MOST], par[CYCLIC]
    gain = 0
    word = field >> 3
    shift = 8 * (field & 7)
    at = row + field * most
    held = ((a if word == 0 else b) >> shift) & 255
    laps = 0
    mark_a = mark_b = mark_c = mark_d = mark_at = -1
    while True:
        hole = ~(255 << shift)
        if word == 0:
            a &= hole
        elif word == 1:
            b &= hole
        elif word == 2:
            c &= hole
        else:
            d &= hole
        lap = (at + held) * 5
        a += tab[lap]
        b += tab[lap + 1]
        c += tab[lap + 2]
        d += tab[lap + 3]
        last = tab[lap + 4]
        gain += (last >> 9) & 255
        if (last >> 8) & 1:
            return a, b, c, d, gain, 1
        shift = last & 63
        word = (last >> 6) & 3
        at = row + (last >> 20)
        held = ((a if word == 0 else b if word == 1 else c if word == 2 else d) >> shift) & 255
        if held == 1:
            if word > 1:
                return a, b, c, d, gain, 0
            here = 0
            for which in range(2):
                faced = faces[(at - row) // most, which]
                if faced >= 0:
                    i = faced - holes
                    here += field_of(a, b, c, d, holes, 8, 1, faced)
                    if i < 8:
                        c &= ~(255 << (8 * i))
                    else:
                        d &= ~(255 << (8 * i - 64))
            if not cyclic:
                if here > 0 and par[CAPTURE_LAST]:
                    if word == 0:
                        a &= ~(255 << shift)
                    else:
                        b &= ~(255 << shift)
                    here += 1
                return a, b, c, d, gain + here, 0
            if here == 0:
                return a, b, c, d, gain, 0
            gain += here
            laps = 0
        if cyclic:
            laps += 1
            if laps >= LAPS_BEFORE_LOOKING:
                if laps == LAPS_BEFORE_LOOKING:
                    mark_a, mark_b, mark_c, mark_d, mark_at = a, b, c, d, at
                elif at == mark_at and a == mark_a and b == mark_b and c == mark_c and d == mark_d:
                    return a, b, c, d, gain, 2


@kernel
def any_legal(tab: Any, par: Any, faces: Any, row: int, a: int, b: int, c: int, d: int) -> bool:
    """AB-45: whether the mover has a walk that ends."""
    holes, bits, wide = par[HOLES], par[BITS], par[WIDE]
    for field in range(holes):
        if field_of(a, b, c, d, holes, bits, wide, field) > 0:
            if wide:
                _, _, _, _, _, ending = walk_wide(tab, par, faces, row, a, b, c, d, field)
            else:
                _, _, _, ending = walk_narrow(tab, par, faces, row, a, c, field)
            if ending != 2:
                return True
    return False


@kernel
def expand(
    tab: Any, par: Any, faces: Any, kids: Any, ply: int, a: int, b: int, c: int, d: int, quiet: int, set_: int, only: int, but: int
) -> int:
    """Write what every choice of the mover leads to: rows ``ply * KIDS …`` of ``kids`` int64[:, KID]. Gives their number.

    ``only``: this hole alone (-1: all); ``but``: all but this one (-1: no exception).

    A row: the words as the next mover sees them, the gain, SAME | OTHER | OVER (then the gain is the final value), the hole (0…), a score
    for the order: rests first (they keep the move), then by gain, the hole next to the store first.
    """
    holes, bits, wide, cyclic = par[HOLES], par[BITS], par[WIDE], par[CYCLIC]
    row = set_ * 2 * holes * par[MOST]
    full = (1 << bits) - 1
    count = 0
    base = ply * KIDS
    for field in range(holes - 1, -1, -1):
        if field == but or (only >= 0 and field != only):
            continue
        if (field_of(a, b, c, d, holes, bits, wide, field) if wide else (a >> (bits * field)) & full) == 0:
            continue
        if wide:
            a1, b1, c1, d1, gain, ending = walk_wide(tab, par, faces, row, a, b, c, d, field)
        else:
            a1, c1, gain, ending = walk_narrow(tab, par, faces, row, a, c, field)
            b1 = d1 = 0
        if ending == 2:
            continue
        kind = OTHER
        if cyclic:
            if (a1 | b1) == 0 or (c1 | d1) == 0 or (gain == 0 and quiet + 1 >= par[LIMIT]):
                kind = OVER
        elif ending == 1 and not par[REST_ENDS] and (a1 | b1) != 0:
            kind = SAME
        elif (c1 | d1) == 0:
            kind = OVER
        score = 2 * gain
        if kind == OVER:
            gain += row_sum(par, a1, b1) - row_sum(par, c1, d1)
            score = 1000 + gain
        elif kind == SAME:
            score += 500
        kid = base + count
        if kind == OTHER:
            a1, b1, c1, d1 = c1, d1, a1, b1
        kids[kid, A] = a1
        kids[kid, B] = b1
        kids[kid, C] = c1
        kids[kid, D] = d1
        kids[kid, GAIN] = gain
        kids[kid, KIND] = kind
        kids[kid, HOLE] = field
        kids[kid, SCORE] = score
        count += 1
    if count == 0 and but < 0:  # AB-45: only endless walks
        kids[base, A] = c
        kids[base, B] = d
        kids[base, C] = a
        kids[base, D] = b
        kids[base, GAIN] = 0
        kids[base, KIND] = OTHER
        kids[base, HOLE] = PASS
        kids[base, SCORE] = 0
        if quiet + 1 >= par[LIMIT] or not any_legal(
            tab, par, faces, (1 - set_ if par[SETS] == 2 else 0) * 2 * holes * par[MOST], c, d, a, b
        ):
            kids[base, GAIN] = row_sum(par, a, b) - row_sum(par, c, d)
            kids[base, KIND] = OVER
        count = 1
    return count


@kernel
def next_kid(kids: Any, base: int, count: int) -> int:
    """The row with the best score that has not been taken yet; its score is then spent. Rows are few and most are never asked for."""
    best = base
    for i in range(base + 1, base + count):
        if kids[i, SCORE] > kids[best, SCORE]:
            best = i
    kids[best, SCORE] = -1
    return best


@kernel
def turn_round(kids: Any, base: int, count: int, way: int) -> None:
    """Another order of the choices, for threads that search beside the first: the opposite one (``way`` 1), or one by a hash."""
    for kid in range(base, base + count):
        if way == 1:
            kids[kid, SCORE] = 4000 - kids[kid, SCORE]
        else:
            kids[kid, SCORE] = ((kids[kid, HOLE] + 1) * way * 7919) & 1023


@kernel
def estimate(par: Any, a: int, b: int, n: int) -> int:
    """A guess of the future difference for the mover, from the seeds in both rows; between minus and plus all seeds in play."""
    own = row_sum(par, a, b)
    return int(((2 * own - n) * par[OWN_WORTH] + n * par[TEMPO_WORTH]) >> 8)


@kernel
def rank_of(par: Any, choose: Any, a: int, b: int, c: int, d: int) -> int:
    """``ranks.rank`` of a packed board."""
    holes, bits, wide = par[HOLES], par[BITS], par[WIDE]
    t = r = 0
    for field in range(2 * holes):
        t += field_of(a, b, c, d, holes, bits, wide, field)
        r += choose[field, t]
    return r


@kernel
def beside(par: Any, left: int, depth: int, set_: int) -> int:
    """What a key holds beside the board: the quiet turns left (AB-44) where a search of this depth could feel them, and the set."""
    return (left if left < depth + par[CALM] else 0) | (set_ << 8)


@kernel
def mix(a: int, b: int, c: int, d: int, more: int) -> int:
    """A hash of a key; 62 bits."""
    h = (a * 0x1E3779B97F4A7C15 + c * 0x3F58476D1CE4E5B9 + more * 0x14D049BB133111EB + (b ^ (d << 7)) * 0x2545F4914F6CDD1D) & M62
    h ^= h >> 31
    h = (h * 0x369DEA0F31A53F85) & M62
    return h ^ (h >> 29)


# the data of an entry: bits 0…8 low + 256 · 9…17 high + 256 · 18, 19 whether each is proved · 20…27 depth · 28…31 move · 32…39 turns left
# before a quiet end, 0 if that is out of reach · 40 the set · 41…46 effort · 47 in use
LOW_PROVED, HIGH_PROVED, USED = 1 << 18, 1 << 19, 1 << 47


@kernel
def spread(data: int) -> int:
    """What the second words of an entry are stored exclusive-or: far from ``data`` itself."""
    return (data * 0x369DEA0F31A53F85) & M62


@kernel
def find(tt: Any, mask: int, wide: int, a: int, b: int, c: int, d: int, more: int, hashed: int) -> tuple[int, int]:
    """The entry of a key (``more``: its bits 32…40 of the data) and its data, read once; (-1, 0) if there is none."""
    base = (hashed & mask) * 2
    for slot in range(base, base + 2):
        data = int(tt[slot, 2])
        if (data >> 32) & 511 == more and data & USED and (tt[slot, 0] ^ data) == a and (tt[slot, 1] ^ spread(data)) == c:  # noqa: SIM102  compiled
            if not wide or ((tt[slot, 4] ^ data) == b and (tt[slot, 5] ^ spread(data)) == d):
                return slot, data
    return -1, 0


@kernel
def keep(
    tt: Any, mask: int, wide: int, cyclic: int, a: int, b: int, c: int, d: int, more: int, hashed: int, depth: int, move: int,
    low: int, low_proved: int, high: int, high_proved: int, effort: int,
) -> None:  # fmt: skip
    """Store bounds; those of an older entry of the same key that still hold are kept with them."""
    slot, data = find(tt, mask, wide, a, b, c, d, more, hashed)
    old_depth = (data >> 20) & 255
    if slot >= 0 and cyclic and old_depth != depth:  # what it proves may hold for its own depth only (``usable``)
        pass
    elif slot >= 0:
        old_low, old_high = (data & 511) - 256, ((data >> 9) & 511) - 256
        if data & LOW_PROVED:
            if not low_proved or old_low > low:
                low, low_proved = max(low, old_low), int(old_low >= low or low_proved)
        elif not low_proved and old_depth >= depth:
            low = max(low, old_low)
        if data & HIGH_PROVED:
            if not high_proved or old_high < high:
                high, high_proved = min(high, old_high), int(old_high <= high or high_proved)
        elif not high_proved and old_depth >= depth:
            high = min(high, old_high)
        if low > high:  # an estimate against a proof, or two estimates
            if low_proved:
                high = low
            else:
                low = high
        effort = max(effort, (data >> 41) & 63)
    else:
        base = (hashed & mask) * 2
        slot = base
        if tt[base, 2] & USED and (tt[base, 2] >> 41) & 63 > effort:  # the first of the two keeps what was hard to find
            slot = base + 1
    data = (
        (low + 256) | ((high + 256) << 9) | (low_proved << 18) | (high_proved << 19) | (depth << 20) | (move << 28) | (more << 32)
        | (effort << 41) | USED
    )  # fmt: skip
    tt[slot, 0] = a ^ data
    tt[slot, 1] = c ^ spread(data)
    tt[slot, 2] = data
    if wide:
        tt[slot, 4] = b ^ data
        tt[slot, 5] = d ^ spread(data)


@kernel
def search(
    tab: Any, par: Any, faces: Any, tt: Any, mask: int, choose: Any, table_low: Any, table_high: Any, frames: Any, kids: Any,
    stop: Any, counts: Any, a: int, b: int, c: int, d: int, n: int, quiet: int, set_: int, depth: int, alpha: int, beta: int,
    cut: int, way: int,
) -> tuple[int, int]:  # fmt: skip
    """The future difference of a position for its mover within ``depth`` steps, as far as the window asks (fail-soft).

    Gives (value, flags): up to ``alpha`` the value is an upper bound, from ``beta`` on a lower bound, else exact.
    ``ESTIMATED``: an estimate beyond the depth has decided it; without it the value or bound is proved. ``ABORTED``: ``stop``
    int64[1] was set, or ``counts`` int64[2] has reached its limit of nodes.
    ``n``: seeds in play; ``quiet``: turns without a capture (AB-44); ``set_``: the mover's set of laps.
    ``cut``: 1 where the mover is expected to reach ``beta``. ``way``: 0, or the number of a thread beside the first, which takes the
    choices in another order wherever all of them are expected to be searched, so that the threads meet instead of following each other.
    ``frames`` int64[PLIES, FRAME] and ``kids`` int64[PLIES * KIDS, KID] are scratch.
    """
    wide, cyclic, limit, two_sets = par[WIDE], par[CYCLIC], par[LIMIT], par[SETS] == 2
    solved, calm = par[TABLE_SEEDS], par[CALM]
    ply = 0
    while True:
        # ── enter the position a, b, c, d, n, quiet, set_, depth, alpha, beta at this ply
        counts[NODES] += 1
        if stop[0] != 0 or counts[NODES] > counts[NODE_LIMIT]:
            return 0, ABORTED
        value = guess = 0
        first = -1
        more = 0
        hashed = 0
        known = True
        if n <= alpha:
            value = n
        elif -n >= beta:
            value = -n
        else:
            known = False
            left = limit - quiet if cyclic else 0
            if n <= solved and (not cyclic or left >= calm):
                at = rank_of(par, choose, a, b, c, d)
                low, high = int(table_low[at]), int(table_high[at])
                if low == high or low >= beta:
                    value, known = low, True
                elif high <= alpha:
                    value, known = high, True
                else:
                    alpha, beta = max(alpha, low - 1), min(beta, high + 1)
            if not known and (depth == 0 or ply == PLIES - 1):
                value, guess, known = estimate(par, a, b, n), ESTIMATED, True
            if not known:
                more = beside(par, left, depth, set_)
                hashed = mix(a, b, c, d, more)
                slot, data = find(tt, mask, wide, a, b, c, d, more, hashed)
                if slot >= 0:
                    first = (data >> 28) & 15
                    old_depth = (data >> 20) & 255
                    # in a game with cycles a proof holds while its turns end before a quiet end comes into reach, of the solved boards too
                    valid = not cyclic or more & 255 != 0 or old_depth == depth or left >= old_depth + calm
                    if valid:
                        low, high = (data & 511) - 256, ((data >> 9) & 511) - 256
                        low_proved, high_proved = (data >> 18) & 1, (data >> 19) & 1
                        deep = old_depth >= depth
                        if low >= beta and (low_proved or deep):
                            value, guess, known = low, 0 if low_proved else ESTIMATED, True
                        elif high <= alpha and (high_proved or deep):
                            value, guess, known = high, 0 if high_proved else ESTIMATED, True
                        elif low == high and ((low_proved and high_proved) or deep):
                            value, guess, known = low, 0 if low_proved and high_proved else ESTIMATED, True
        if not known:
            if first == PASS or (way != 0 and cut == 0):
                first = -1
            if first < 0 and cut != 0 and not cyclic and not two_sets:  # a hole that ends in the store can be seen without walking
                for field in range(par[HOLES] - 1, -1, -1):
                    if field_of(a, b, c, d, par[HOLES], par[BITS], wide, field) == par[HOLES] - field:
                        first = field
                        break
            # the choice that was best here before is mostly enough: the others are walked when it was not
            count = expand(tab, par, faces, kids, ply, a, b, c, d, quiet, set_, first, -1)
            if way != 0 and cut == 0:
                turn_round(kids, ply * KIDS, count, way)
            frames[ply, A] = a
            frames[ply, B] = b
            frames[ply, C] = c
            frames[ply, D] = d
            frames[ply, N] = n
            frames[ply, QUIET] = quiet
            frames[ply, SET] = set_
            frames[ply, DEPTH] = depth
            frames[ply, ALPHA] = alpha
            frames[ply, BETA] = beta
            frames[ply, FLOOR] = alpha
            frames[ply, BEST] = -1000
            frames[ply, MOVE] = 0
            frames[ply, GUESS] = 0
            frames[ply, GUESS_BEST] = 0
            frames[ply, COUNT] = count
            frames[ply, AT] = 0
            frames[ply, KID_NOW] = 0
            frames[ply, LATER] = first
            frames[ply, CUT] = cut
            frames[ply, BEGUN] = counts[NODES]
            frames[ply, LEFT] = more
            frames[ply, HASH] = hashed
        # ── on to the next choice that has to be searched, taking values up on the way
        while True:
            if known:
                if ply == 0:
                    return value, guess
                ply -= 1
                kid = frames[ply, KID_NOW]
                value = kids[kid, GAIN] + value if kids[kid, KIND] == SAME else kids[kid, GAIN] - value
                known = False
                frames[ply, GUESS] |= guess
                if value > frames[ply, BEST]:
                    frames[ply, BEST] = value
                    frames[ply, MOVE] = kids[kid, HOLE]
                    frames[ply, GUESS_BEST] = guess
                    if value > frames[ply, ALPHA]:
                        frames[ply, ALPHA] = value
            best = frames[ply, BEST]
            if frames[ply, AT] >= frames[ply, COUNT] and frames[ply, LATER] >= 0 and best < frames[ply, BETA]:
                frames[ply, COUNT] = expand(
                    tab, par, faces, kids, ply, frames[ply, A], frames[ply, B], frames[ply, C], frames[ply, D], frames[ply, QUIET],
                    frames[ply, SET], -1, frames[ply, LATER],
                )  # fmt: skip
                frames[ply, AT] = 0
                frames[ply, LATER] = -1
            if best >= frames[ply, BETA] or frames[ply, AT] >= frames[ply, COUNT]:
                n = frames[ply, N]
                low, high, low_proved, high_proved = -n, n, 0, 0
                guess = frames[ply, GUESS]
                if best >= frames[ply, BETA]:
                    guess = frames[ply, GUESS_BEST]
                    low, low_proved = best, int(guess == 0)
                elif best <= frames[ply, FLOOR]:
                    high, high_proved = best, int(guess == 0)
                else:
                    low = high = best
                    low_proved, high_proved = int(frames[ply, GUESS_BEST] == 0), int(guess == 0)
                effort, spent = 0, counts[NODES] - frames[ply, BEGUN]
                while spent > 0:
                    effort += 1
                    spent >>= 1
                keep(
                    tt, mask, wide, cyclic, frames[ply, A], frames[ply, B], frames[ply, C], frames[ply, D], frames[ply, LEFT],
                    frames[ply, HASH], frames[ply, DEPTH], frames[ply, MOVE], low, low_proved, high, high_proved, effort,
                )  # fmt: skip
                value, known = best, True
                continue
            kid = next_kid(kids, ply * KIDS, frames[ply, COUNT])
            frames[ply, AT] += 1
            frames[ply, KID_NOW] = kid
            gain = kids[kid, GAIN]
            if kids[kid, KIND] == OVER:
                if gain > best:
                    frames[ply, BEST] = gain
                    frames[ply, MOVE] = kids[kid, HOLE]
                    frames[ply, GUESS_BEST] = 0
                    if gain > frames[ply, ALPHA]:
                        frames[ply, ALPHA] = gain
                continue
            if kids[kid, KIND] == OTHER and frames[ply, DEPTH] <= par[TURN_COST] and frames[ply, N] - gain > solved:
                # the last step of depth: what entering that position would give, without entering it
                counts[NODES] += 1
                if counts[NODES] > counts[NODE_LIMIT]:
                    return 0, ABORTED
                n = frames[ply, N] - gain
                if n <= gain - frames[ply, BETA]:
                    value, guess = gain - n, 0
                elif -n >= gain - frames[ply, ALPHA]:
                    value, guess = gain + n, 0
                else:
                    value, guess = gain - estimate(par, kids[kid, A], kids[kid, B], n), ESTIMATED
                frames[ply, GUESS] |= guess
                if value > best:
                    frames[ply, BEST] = value
                    frames[ply, MOVE] = kids[kid, HOLE]
                    frames[ply, GUESS_BEST] = guess
                    if value > frames[ply, ALPHA]:
                        frames[ply, ALPHA] = value
                continue
            a, b, c, d = kids[kid, A], kids[kid, B], kids[kid, C], kids[kid, D]
            n = frames[ply, N] - gain
            if kids[kid, KIND] == SAME:
                quiet, set_, cut = 0, frames[ply, SET], frames[ply, CUT]
                depth = frames[ply, DEPTH] - 1 if frames[ply, DEPTH] < DEEPEST else DEEPEST
                alpha, beta = frames[ply, ALPHA] - gain, frames[ply, BETA] - gain
            else:
                quiet = 0 if gain > 0 or not cyclic else frames[ply, QUIET] + 1
                set_ = 1 - frames[ply, SET] if two_sets else 0
                cut = 1 - frames[ply, CUT]
                depth = max(0, frames[ply, DEPTH] - par[TURN_COST]) if frames[ply, DEPTH] < DEEPEST else DEEPEST
                alpha, beta = gain - frames[ply, BETA], gain - frames[ply, ALPHA]
            ply += 1
            break
