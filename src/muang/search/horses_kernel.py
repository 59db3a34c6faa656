"""Owns the compiled part of the search in Cờ cá ngựa: an evaluation of any position, a quick policy, sampled games. Moves by ``games``.

Keys and rules' numbers are those of ``games.ca_ngua.kernel``. ``sight`` is float64[SIGHT], all that the evaluation knows (``horses`` fills
it): from 0 the turns that a seat alone on the board needs from each pair of horses (its 12 bits), from ``VAR`` their variance, from ``HIT``
the chance of a roll that goes exactly d squares, from ``WEIGHTS`` the fitted numbers. ``shares`` float64[4] is scratch: chances by seat.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from muang.games._jit import compiled, kernel
from muang.games.ca_ngua.kernel import DUE_OVER, PASS, due_next, extra_moves, is_release, make, no_move, roll_moves, seen, squares

__all__ = ["HIT", "SIGHT", "VAR", "WEIGHTS", "evaluate", "expect", "sample", "settled", "solo", "step"]

PAIRS = 4096
VAR, HIT, WEIGHTS = PAIRS, 2 * PAIRS, 2 * PAIRS + 16
SIGHT = WEIGHTS + 8

# kernels mix no signed with unsigned numbers: Numba would make floats of them; as plain Python both are int
_U: Callable[[Any], Any] = np.uint64 if compiled() else int
_I: Callable[[Any], Any] = np.int64 if compiled() else int
_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15


@kernel
def mix(z: Any) -> Any:
    """``lots.mix`` on an unsigned 64-bit number."""
    z = ((z ^ (z >> _U(30))) * _U(0xBF58476D1CE4E5B9)) & _U(_MASK)
    z = ((z ^ (z >> _U(27))) * _U(0x94D049BB133111EB)) & _U(_MASK)
    return z ^ (z >> _U(31))


# ── alone on the board ───────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def solo(track: int, doubles: int, gate: int, keep: int, sight: Any) -> None:
    """Fill in mean and variance of the turns that a seat with no other on the board still loses before it has won, moving for the
    smallest mean. Every move adds progress, so one pass from the end backwards is exact; a pair stays only where a roll gives no move."""
    last = track + 4
    for total in range(2 * last - 2, -1, -1):
        for back in range(max(0, total - last), total // 2 + 1):
            front = total - back
            if front == back and back != 0:
                continue
            pair = back | (front << 6)
            key = pair | (1 << 48)
            taken = squares(key, track)
            mean = square = stays = lost = 0.0
            for d1 in range(1, 7):
                for d2 in range(1, 7):
                    again = is_release(d1, d2)
                    mask = roll_moves(pair, seen(taken, track, 0), track, doubles, gate, d1, d2)
                    least = 1e300
                    best = pair
                    for move in range(5):
                        if (mask >> move) & 1:
                            after, then, _ = make(key, taken, track, doubles, gate, d1, d2, False, move, None)
                            end = _best_extra(after, then, track, doubles, gate, d1, sight)
                            if sight[end] < least:
                                least = sight[end]
                                best = end
                    if mask == 0:
                        after = no_move(key, taken, track, doubles, gate, keep, d1, d2)
                        if after >> 54 != 0:  # an extra choice: standing still is never better
                            extra = extra_moves(pair, taken, track, gate, d1)
                            for move in range(5):
                                if (extra >> move) & 1:
                                    moved, _, _ = make(after, taken, track, doubles, gate, d1, d2, True, move, None)
                                    if sight[moved & 4095] < least:
                                        least = sight[moved & 4095]
                                        best = moved & 4095
                        else:
                            stays += 1 / 36
                            lost += 0.0 if again and keep == 1 else 1 / 36
                            continue
                    if best == (track + 3) | ((track + 4) << 6):
                        continue
                    cost = 0.0 if again else 1.0
                    mean += (cost + sight[best]) / 36
                    square += (cost + 2 * cost * sight[best] + sight[VAR + best] + sight[best] * sight[best]) / 36
            mean = (mean + lost) / (1 - stays)
            square = (square + lost * (1 + 2 * mean)) / (1 - stays)
            sight[pair] = mean
            sight[VAR + pair] = max(square - mean * mean, 0.0)


@kernel
def _best_extra(after: int, taken: int, track: int, doubles: int, gate: int, die: int, sight: Any) -> int:
    """Seat 0's pair after the best extra choice, if one is due; else its pair as it is."""
    pair = after & 4095
    if after >> 54 <= 36 or after >> 54 == DUE_OVER:
        return pair
    mask = extra_moves(pair, taken, track, gate, die)
    best = pair
    for move in range(5):
        if (mask >> move) & 1:
            moved, _, _ = make(after, taken, track, doubles, gate, die, die, True, move, None)
            if sight[moved & 4095] < sight[best]:
                best = moved & 4095
    return best


# ── any position ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def _danger(key: int, taken: int, track: int, seat: int, sight: Any) -> tuple[float, float]:
    """The turns that ``seat`` expects to lose to kicks by the seat that is to roll, and by the others at their next roll."""
    pair = (key >> (12 * seat)) & 4095
    to_roll = (key >> 52) & 3
    now = later = 0.0
    quarter = track >> 2
    mine = seen(taken, track, seat)
    for which in range(2):
        horse = pair & 63 if which == 0 else pair >> 6
        if horse == 0 or horse > track:
            continue
        stays = pair >> 6 if which == 0 else pair & 63
        loss = sight[stays << 6] - sight[pair]
        for step in range(1, 4):
            other = (seat + step) & 3
            foe = (key >> (12 * other)) & 4095
            if (key >> (48 + other)) & 1 == 0:
                continue
            chance = 0.0
            at_home = horse - 1 == step * quarter and foe & 63 == 0  # it stands on the other's start
            if at_home:
                chance += 8 / 36
            for far in range(2):
                other_horse = foe & 63 if far == 0 else foe >> 6
                if other_horse == 0 or other_horse > track:
                    continue
                place = other_horse - 1 + step * quarter  # in my count
                place = place if place < track else place - track
                gap = horse - 1 - place
                if gap < 0:
                    gap += track
                if gap > 12 or other_horse + gap > track:
                    continue
                if _free(mine, place, gap, track):
                    chance += sight[HIT + gap]
            if other == to_roll:
                now += chance * loss
            else:
                later += chance * loss
    return now, later


@kernel
def _free(taken: int, place: int, gap: int, track: int) -> bool:
    """Whether no horse stands between a square and the one ``gap`` squares on."""
    path = ((1 << (gap - 1)) - 1) << (place + 1)
    return taken & (path | (path >> track)) & ((1 << track) - 1) == 0


@kernel
def evaluate(key: int, track: int, sight: Any, shares: Any) -> None:
    """Each seat's chance to win, estimated; a roll is due, or it is over. Turns needed and in danger, compared by the spread of both."""
    if key >> 54 == DUE_OVER:
        for seat in range(4):
            shares[seat] = 0.0
        shares[(key >> 52) & 3] = 1.0
        return
    taken = squares(key, track)
    to_roll = (key >> 52) & 3
    playing = (key >> 48) & 15
    count = 0
    least = 1e300
    spread = 0.0
    order = 0
    w = WEIGHTS
    for step in range(4):
        seat = (to_roll + step) & 3
        if (playing >> seat) & 1 == 0:
            shares[seat] = 0.0
            continue
        pair = (key >> (12 * seat)) & 4095
        now, later = _danger(key, taken, track, seat, sight)
        turns = sight[pair] + sight[w] * now + sight[w + 1] * later + sight[w + 2] * order
        order += 1
        count += 1
        spread += sight[VAR + pair]
        shares[seat] = turns
        least = min(least, turns)
    scale = 1 / np.sqrt(sight[w + 3] + sight[w + 4] * spread / count)
    total = 0.0
    for seat in range(4):
        if (playing >> seat) & 1:
            shares[seat] = np.exp((least - shares[seat]) * scale)
            total += shares[seat]
    for seat in range(4):
        shares[seat] /= total


@kernel
def _worth(key: int, taken: int, seat: int, track: int, doubles: int, gate: int, d1: int, sight: Any, shares: Any) -> tuple[float, int]:
    """The chance of ``seat``, which has just moved, and the key to go on from: an extra choice that is due is made (CN-22)."""
    if key >> 54 == 0 or key >> 54 == DUE_OVER:
        evaluate(key, track, sight, shares)
        return shares[seat], key
    return _extra(key, taken, seat, track, doubles, gate, d1, sight, shares)


@kernel
def _extra(key: int, taken: int, seat: int, track: int, doubles: int, gate: int, die: int, sight: Any, shares: Any) -> tuple[float, int]:
    """The best extra choice by the evaluation, a pass among them."""
    best = due_next(key, seat, key >> 54 > 42)
    evaluate(best, track, sight, shares)
    most = shares[seat]
    mask = extra_moves((key >> (12 * seat)) & 4095, seen(taken, track, seat), track, gate, die)
    for move in range(PASS):
        if (mask >> move) & 1:
            after, _, _ = make(key, taken, track, doubles, gate, die, die, True, move, None)
            evaluate(after, track, sight, shares)
            if shares[seat] > most:
                most = shares[seat]
                best = after
    return most, best


@kernel
def step(key: int, track: int, doubles: int, gate: int, keep: int, d1: int, d2: int, sight: Any, shares: Any) -> int:
    """The key after a roll and the choice that the evaluation likes best, an extra one included: the policy of sampled games."""
    seat = (key >> 52) & 3
    taken = squares(key, track)
    mask = roll_moves((key >> (12 * seat)) & 4095, seen(taken, track, seat), track, doubles, gate, d1, d2)
    if mask == 0:
        after = no_move(key, taken, track, doubles, gate, keep, d1, d2)
        if after >> 54 != 0:
            _, after = _extra(after, taken, seat, track, doubles, gate, d1, sight, shares)
        return after
    best = 0
    most = -1.0
    alone = mask & (mask - 1) == 0
    for move in range(PASS):
        if (mask >> move) & 1:
            after, then, _ = make(key, taken, track, doubles, gate, d1, d2, False, move, None)
            if alone and (after >> 54 == 0 or after >> 54 == DUE_OVER):
                return after
            worth, after = _worth(after, then, seat, track, doubles, gate, d1, sight, shares)
            if worth > most:
                most = worth
                best = after
    return best


@kernel
def expect(
    key: int, seat: int, depth: int, track: int, doubles: int, gate: int, keep: int, sight: Any, shares: Any, stop: Any
) -> tuple[float, int]:
    """The chance of ``seat`` as the mean of all rolls, ``depth`` of them (0, 1 or 2) ahead, everybody choosing by the evaluation.

    A roll is due, or it is over. Gives (chance, positions looked at).
    """
    if depth == 0 or key >> 54 == DUE_OVER:
        evaluate(key, track, sight, shares)
        return shares[seat], 1
    total = 0.0
    nodes = 1
    for d1 in range(1, 7):
        for d2 in range(d1, 7):
            if stop[0] != 0:
                return -1.0, nodes
            after = step(key, track, doubles, gate, keep, d1, d2, sight, shares)
            part = 0.0
            if depth == 1 or after >> 54 == DUE_OVER:
                evaluate(after, track, sight, shares)
                part = shares[seat]
                nodes += 1
            else:
                for e1 in range(1, 7):
                    for e2 in range(e1, 7):
                        then = step(after, track, doubles, gate, keep, e1, e2, sight, shares)
                        evaluate(then, track, sight, shares)
                        part += shares[seat] * (1 if e1 == e2 else 2) / 36
                nodes += 22
            total += part * (1 if d1 == d2 else 2) / 36
    return total, nodes


@kernel
def sample(
    keys: Any, seat: int, track: int, doubles: int, gate: int, keep: int, depth: int, stream: Any, start: int, number: int, sight: Any,
    sums: Any, stop: Any,
) -> tuple[int, int]:  # fmt: skip
    """Play games ``start`` … ``start + number - 1`` from each of the keys on, every key with the same dice, everybody by ``step``.

    A game is cut after ``depth`` rolls and evaluated. ``sums`` int64[len(keys), len(keys) + 1] is added to: in units of 2**-20, the chances
    of ``seat`` and the sums of squares of the differences between each two keys, in units of 2**-20 too. Whole numbers, so that the order
    of threads means nothing. ``stop`` int64[1] ends it between two games. Gives (games played, rolls).
    """
    shares = np.zeros(4)
    n = len(keys)
    worth = np.zeros(n)
    rolls = 0
    for game in range(start, start + number):
        if stop[0] != 0:
            return game - start, rolls
        at = mix((stream + _U(game + 1) * _U(_GOLDEN)) & _U(_MASK))
        for i in range(n):
            key = _I(keys[i])
            x = at
            left = depth
            while key >> 54 != DUE_OVER and left > 0:
                x = (x + _U(_GOLDEN)) & _U(_MASK)
                pair = _I(((mix(x) >> _U(32)) * _U(36)) >> _U(32))  # favours no pair by more than one part in 100 million
                key = step(key, track, doubles, gate, keep, pair // 6 + 1, pair % 6 + 1, sight, shares)
                left -= 1
                rolls += 1
            if key >> 54 == DUE_OVER:
                worth[i] = 1.0 if (key >> 52) & 3 == seat else 0.0
            else:
                evaluate(key, track, sight, shares)
                worth[i] = shares[seat]
            sums[i, n] += _I(worth[i] * 1048576 + 0.5)
        for i in range(n):
            for j in range(n):
                gap = worth[i] - worth[j]
                sums[i, j] += _I(gap * gap * 1048576 + 0.5)
    return number, rolls


@kernel
def settled(key: int, track: int, doubles: int, gate: int, sight: Any, shares: Any) -> int:
    """The key once a roll is due, or it is over: an extra choice that is due is made by the evaluation (CN-22)."""
    due = key >> 54
    if due == 0 or due == DUE_OVER:
        return key
    _, key = _extra(key, squares(key, track), (key >> 52) & 3, track, doubles, gate, (due - 1) % 6 + 1, sight, shares)
    return key
