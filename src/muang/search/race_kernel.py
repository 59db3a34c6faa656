"""Owns searching a race by sampling, compiled: a tree of positions at which somebody chooses, grown by one playout after another.

Where both choose at once each plays by regret matching (Hart and Mas-Colell 2000; at simultaneous nodes of a tree: Lisý et al. 2013), where
one chooses alone by upper confidence bounds (UCB1, Auer et al. 2002). A playout runs to the race's end and judges what then lies there.
Values are South's, in seeds: the difference at the end of the round.

A tree is arrays of ``size`` rows, a row a node: ``boards`` uint8[size, 32], ``hands`` int64[size, 2, 3], ``races`` int64[size, 8] as in
``games.sowing.lockstep``, ``due`` int64[size] who must choose (0: the race is over), ``visits`` int64[size], ``sums`` float64[size],
``child`` int32[size, (holes + 1)²] by South's hole and North's, 0 … holes - 1, ``holes`` for none; 0 is no child. ``regret`` and ``mix``
float64[size, 2, holes]: regrets and summed strategies of both at nodes where both choose. ``counts`` int64[4]: [USED] nodes in use,
[DEEPEST] choices after one another, [PLAYED] playouts.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from muang.games._jit import compiled, kernel
from muang.games.sowing.fast import choose, step
from muang.games.sowing.kernel import row_mask, same, turn
from muang.games.sowing.layout import PLACES
from muang.games.sowing.lockstep import DEAD, OPENING, PICK, run

__all__ = ["DEEPEST", "PLAYED", "USED", "estimate", "final", "grow", "new_tree", "seed_tree"]

USED, DEEPEST, PLAYED = 0, 1, 2
FOREVER = 1 << 62
PATH = 512

EXPLORE = 0.07
"""How far upper confidence bounds look aside, in shares of all seeds each way."""
GAMMA = 0.1
"""The share of choices made blindly where both choose at once."""
REST_WORTH = 9
"""What another walk at once is worth, in seeds: about what a walk brings in."""
BEAM = 4
"""Chains of walks followed at once by ``estimate`` …"""
CHAIN = 24
"""… and walks in one at most."""
OWN_WORTH, TURN_WORTH = 0.6, 0.1
"""What a seed more in the own row is worth, and a seed in play for being on turn."""

_I: Any = np.int64 if compiled() else int


def new_tree(holes: int, size: int) -> tuple[Any, ...]:
    """An empty tree with room for ``size`` nodes."""
    return (
        np.zeros((size, PLACES), np.uint8),
        np.zeros((size, 2, 3), np.int64),
        np.zeros((size, 8), np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(size, np.float64),
        np.zeros((size, (holes + 1) ** 2), np.int32),
        np.zeros((size, 2, holes), np.float64),
        np.zeros((size, 2, holes), np.float64),
        np.zeros(4, np.int64),
    )


@kernel
def seed_tree(tree: Any, board: Any, hands: Any, race: Any, due: int) -> None:
    """Make a position at which somebody chooses the root of an empty tree."""
    tree[0][0], tree[1][0], tree[2][0] = board, hands, race
    tree[3][0] = due
    tree[9][USED] = 1


@kernel
def row_sum(board: Any, base: int, holes: int) -> int:
    """The seeds of a row."""
    total = 0
    for i in range(holes):
        total += _I(board[base + i])
    return total


@kernel
def best_walk(rules: Any, board: Any, seat: int, widows: int, scratch: Any) -> int:
    """The hole index whose walk brings in most, a rest counting ``REST_WORTH`` more; the lowest among equals. -1 with an empty row."""
    holes = int(rules[0]["holes"])
    base = seat * (holes + 1)
    best, most = -1, -1
    for i in range(holes):
        if board[base + i] == 0:
            continue
        scratch[:] = board
        code = int(turn(rules, scratch, seat, base + i, widows))
        worth = _I(scratch[base + holes]) - _I(board[base + holes])
        if code & 0x40000 and not rules[0]["rest_ends"]:
            worth += REST_WORTH
        if worth > most:
            best, most = i, worth
    return best


@kernel
def estimate(rules: Any, board: Any, seat: int, widows: int) -> float:
    """The mover's difference at the end of the round, guessed from its first turn alone: the best of its chains of walks that a beam finds.

    Chains decide: who moves first after a race wins 43 seeds on average. On 110 such positions this goes with the values of searches of
    400,000 positions at a correlation of 0.82 (a greedy play of both to the end: 0.33).
    """
    g = rules[0]
    holes = int(g["holes"])
    own, their = seat * (holes + 1), (1 - seat) * (holes + 1)
    if row_mask(rules, board, seat) == 0:
        return float(_I(board[own + holes]) - _I(board[their + holes]) - row_sum(board, their, holes))
    beam, fresh = np.zeros((BEAM, PLACES), np.uint8), np.zeros((BEAM, PLACES), np.uint8)
    scores = np.zeros(BEAM, np.float64)
    scratch = np.zeros(PLACES, np.uint8)
    beam[0] = board
    count, level = 1, 0
    best = -np.inf
    while count > 0:
        level += 1
        many = 0
        for k in range(count):
            for i in range(holes):
                if beam[k, own + i] == 0:
                    continue
                scratch[:] = beam[k]
                code = int(turn(rules, scratch, seat, own + i, widows))
                mine, yours = row_sum(scratch, own, holes), row_sum(scratch, their, holes)
                ahead = float(_I(scratch[own + holes]) - _I(scratch[their + holes]))
                if code & 0x80000:
                    best = max(best, ahead + mine - yours)
                elif (code >> 16) & 1 != seat or level == CHAIN:
                    best = max(best, ahead + (mine - yours) * OWN_WORTH - (mine + yours) * TURN_WORTH)
                else:
                    score = ahead + 0.3 * (mine - yours)
                    place = many
                    for z in range(many):
                        if scores[z] == score and same(fresh[z], scratch):
                            place = -1
                    if place == BEAM:
                        place = 0
                        for z in range(1, BEAM):
                            if scores[z] < scores[place]:
                                place = z
                        if scores[place] >= score:
                            place = -1
                    if place >= 0:
                        fresh[place] = scratch
                        scores[place] = score
                        many = max(many, place + 1)
        beam[:] = fresh
        count = many
    return float(best)


@kernel
def final(rules: Any, board: Any, race: Any, widows: int) -> float:
    """South's difference of a race that is over: the rows go to their sides (MK-31), or turns follow (MK-22)."""
    holes = int(rules[0]["holes"])
    if rules[0]["race_mode"] == OPENING:
        if race[DEAD] == 1:
            return estimate(rules, board, 0, widows)
        return -estimate(rules, board, 1, widows)
    south = row_sum(board, 0, holes) + _I(board[holes])
    north = row_sum(board, holes + 1, holes) + _I(board[2 * holes + 1])
    return float(south - north)


@kernel
def playout(rules: Any, board: Any, hands: Any, race: Any, due: int, widows: int, lots: Any, scratch: Any) -> float:
    """South's difference after a race whose choices are half by lot, half by ``best_walk``. Plays on its arguments."""
    holes = int(rules[0]["holes"])
    x = lots[0]
    while due != 0:
        for seat in range(2):
            if (due >> seat) & 1:
                mask = row_mask(rules, board, seat)
                x = step(x)
                hole = -1
                if choose(x, 2) == 0:
                    hole = best_walk(rules, board, seat, widows, scratch)
                else:
                    many = 0
                    for i in range(holes):
                        many += (mask >> i) & 1
                    x = step(x)
                    nth = choose(x, many)
                    for i in range(holes):
                        if (mask >> i) & 1:
                            if nth == 0:
                                hole = i
                            nth -= 1
                race[PICK + seat] = seat * (holes + 1) + hole
        due, _ = run(rules, board, hands, race, widows, FOREVER, None, 0)
    lots[0] = x
    return final(rules, board, race, widows)


@kernel
def regret_pick(regret: Any, mask: int, holes: int, gamma: float, x: Any) -> int:
    """A hole by regret matching with blind choices mixed in, from a state of the generator."""
    many = 0
    positive = 0.0
    for i in range(holes):
        if (mask >> i) & 1:
            many += 1
            positive += max(0.0, regret[i])
    lot = choose(x, 1 << 24) / (1 << 24)
    last = 0
    for i in range(holes):
        if (mask >> i) & 1:
            share = max(0.0, regret[i]) / positive if positive > 0 else 1.0 / many
            lot -= gamma / many + (1.0 - gamma) * share
            last = i
            if lot < 0:
                return i
    return last


@kernel
def bound_pick(tree: Any, node: int, seat: int, mask: int, holes: int, total: int, x: Any) -> int:
    """A hole by upper confidence bounds; those not yet tried first, by lot where to begin."""
    visits, sums, child = tree[4], tree[5], tree[6]
    best, most = 0, -np.inf
    spread = EXPLORE * 2.0 * total
    log = np.log(visits[node] + 1.0)
    begin = choose(x, holes)
    for k in range(holes):
        i = (begin + k) % holes
        if (mask >> i) & 1 == 0:
            continue
        at = child[node, i * (holes + 1) + holes] if seat == 0 else child[node, holes * (holes + 1) + i]
        if at == 0:
            return i
        value = sums[at] / visits[at]
        worth = (value if seat == 0 else -value) + spread * np.sqrt(log / visits[at])
        if worth > most:
            best, most = i, worth
    return best


@kernel
def learn(tree: Any, node: int, south: int, north: int, value: float, holes: int) -> None:
    """Regrets of both after their holes brought ``value``: what each other hole has brought so far against the same answer."""
    visits, sums, child, regret = tree[4], tree[5], tree[6], tree[7]
    for i in range(holes):
        at = child[node, i * (holes + 1) + north]
        if at != 0 and i != south:
            regret[node, 0, i] = max(0.0, regret[node, 0, i] + sums[at] / visits[at] - value)
        at = child[node, south * (holes + 1) + i]
        if at != 0 and i != north:
            regret[node, 1, i] = max(0.0, regret[node, 1, i] - sums[at] / visits[at] + value)


@kernel
def add_strategy(tree: Any, node: int, seat: int, mask: int, holes: int) -> None:
    """Add what regret matching plays now to the summed strategy of a seat."""
    regret, mix = tree[7], tree[8]
    many = 0
    positive = 0.0
    for i in range(holes):
        if (mask >> i) & 1:
            many += 1
            positive += max(0.0, regret[node, seat, i])
    for i in range(holes):
        if (mask >> i) & 1:
            mix[node, seat, i] += max(0.0, regret[node, seat, i]) / positive if positive > 0 else 1.0 / many


@kernel
def grow(rules: Any, tree: Any, widows: int, playouts: int, depth: int, lots: Any, stop: Any) -> int:
    """Up to ``playouts`` more; gives how many were made. Ends early when ``stop`` int64[1] is set. ``lots`` uint64[1]: the generator.

    Nodes are added up to ``depth`` choices from the root, at most ``PATH``; a full tree goes on learning without growing.
    """
    boards, hands, races, due, visits, sums, child = tree[0], tree[1], tree[2], tree[3], tree[4], tree[5], tree[6]
    counts = tree[9]
    holes = int(rules[0]["holes"])
    total = int(rules[0]["seeds"]) * holes * 2
    b, h, r = np.zeros(PLACES, np.uint8), np.zeros((2, 3), np.int64), np.zeros(8, np.int64)
    scratch = np.zeros(PLACES, np.uint8)
    nodes, souths, norths = np.zeros(PATH, np.int64), np.zeros(PATH, np.int64), np.zeros(PATH, np.int64)
    done = 0
    while done < playouts:
        if stop[0] != 0:
            break
        done += 1
        node, length = 0, 0
        value = 0.0
        while True:
            who = int(due[node])
            if who == 0:  # over: what it is worth was found when it was first met
                value = sums[node] / visits[node]
                break
            south = north = holes
            both = who == 3
            for seat in range(2):
                if (who >> seat) & 1:
                    mask = row_mask(rules, boards[node], seat)
                    lots[0] = step(lots[0])
                    if both:
                        add_strategy(tree, node, seat, mask, holes)
                        hole = regret_pick(tree[7][node, seat], mask, holes, GAMMA, lots[0])
                    else:
                        hole = bound_pick(tree, node, seat, mask, holes, total, lots[0])
                    if seat == 0:
                        south = hole
                    else:
                        north = hole
            nodes[length], souths[length], norths[length] = node, south, north
            length += 1
            at = int(child[node, south * (holes + 1) + north])
            if at != 0:
                node = at
                continue
            b[:], h[:], r[:] = boards[node], hands[node], races[node]
            if south < holes:
                r[PICK] = south
            if north < holes:
                r[PICK + 1] = holes + 1 + north
            who, _ = run(rules, b, h, r, widows, FOREVER, None, 0)
            full = counts[USED] >= len(due) or length >= depth
            if not full:
                at = int(counts[USED])
                counts[USED] += 1
                boards[at], hands[at], races[at] = b, h, r
                due[at] = who
                child[node, south * (holes + 1) + north] = at
            value = playout(rules, b, h, r, who, widows, lots, scratch)
            if not full:
                visits[at] = 1
                sums[at] = value
            break
        counts[DEEPEST] = max(counts[DEEPEST], length)
        if due[node] == 0:
            visits[node] += 1
            sums[node] += value
        for k in range(length):
            node = nodes[k]
            visits[node] += 1
            sums[node] += value
            if due[node] == 3:
                learn(tree, node, souths[k], norths[k], value, holes)
    counts[PLAYED] += done
    return done
