"""Owns searching a race: the mixed choice where both choose at once, the best hole where one does; exact where few seeds are left.

The search is at ``lockstep``. A race at a live pace is looked at as the nearest lockstep race: who has to choose steps next, and the hands
drop by turns from then on; how fast a hand is at ``by_hand`` is left out. What is hidden from a seat stays hidden from its search.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from muang.games.core import Match, Seat
from muang.games.lots import draw
from muang.games.sowing import lockstep
from muang.games.sowing.game import SowingGame
from muang.games.sowing.kernel import row_mask
from muang.games.sowing.layout import SEATS
from muang.search import race_exact as exact
from muang.search import race_kernel as k
from muang.search.limits import Info, Limits, Line, OnInfo, Stop, Tables, watched
from muang.search.matrix import equilibrium

__all__ = ["Point", "analyse_race", "drawn", "pick_holes", "point_of"]

CHUNK = 64
"""Playouts between two looks at the clock, at first; doubled as long as somebody listens."""
TRY_SEEDS = 24
"""Seeds outside the stores up to which an exact value is tried before sampling …"""
TRY_POSITIONS = 40_000
"""… for so many positions: less than a tenth of a second."""
PER_DEPTH = 2000
"""Playouts for each choice ahead, where a depth is the only limit."""
LEAST_SHARE = 0.01
"""A choice of a smaller share is what is left of looking around."""


@dataclass(frozen=True)
class Point:
    """A lockstep race at which ``due`` must choose (1 South, 2 North, 3 both; 0: it is over). Arrays as in ``games.sowing.lockstep``."""

    game: SowingGame
    board: NDArray[np.uint8]
    hands: NDArray[np.int64]
    race: NDArray[np.int64]
    widows: int
    due: int

    @property
    def ahead(self) -> int:
        """South's store minus North's."""
        layout = self.game.layout
        return int(self.board[layout.store(0)]) - int(self.board[layout.store(1)])

    def holes(self, seat: int) -> list[int]:
        """The holes, from 0, that a seat may choose now."""
        mask = row_mask(self.game.record, self.board, seat) if self.due >> seat & 1 else 0
        return [i for i in range(self.game.layout.holes) if mask >> i & 1]

    def name(self, seat: int, hole: int) -> str:
        """A hole's name."""
        return self.game.layout.names[self.game.layout.base(seat) + hole]

    def after(self, south: int | None, north: int | None) -> Point:
        """The next point, once these holes have been chosen."""
        board, hands, race = self.board.copy(), self.hands.copy(), self.race.copy()
        for seat, hole in enumerate((south, north)):
            if hole is not None:
                race[lockstep.PICK + seat] = self.game.layout.base(seat) + hole
        return _settled(self.game, board, hands, race, self.widows)


def _settled(game: SowingGame, board: NDArray[np.uint8], hands: NDArray[np.int64], race: NDArray[np.int64], widows: int) -> Point:
    due, _ = lockstep.run(game.record, board, hands, race, widows, 1 << 62, None, 0)
    return Point(game, board, hands, race, widows, int(due))


def point_of(match: Match, seat: Seat) -> Point:
    """The race of a match as the search of ``seat`` sees it: at the next choice, without what the other has chosen in secret."""
    at: Any = match
    game: SowingGame = at.game
    widows = at._round.widows
    who = SEATS.index(str(seat))
    if at._live is None:
        board, hands, race = at._board.copy(), at._hands.copy(), at._lockstep.copy()
        race[lockstep.PICK : lockstep.PICK + 2] = -1
        return _settled(game, board, hands, race, widows)
    live = at._live
    board, hands = live.board.copy(), live.hands.copy()
    steps_next = who if hands[who, 1] == 0 else min((0, 1), key=live._age)
    race = lockstep.new_race(steps_next)
    for order, dead in enumerate(live.deaths):
        race[lockstep.DEAD + dead] = order + 1
    for each in (0, 1):
        race[lockstep.SPILLS + each] = live.spills[each]
    return _settled(game, board, hands, race, widows)


def drawn(info: Info, seed: int, n: int = 0) -> str:
    """The action that a lot draws from the mix of an info, lot ``n`` of the seed; its best action where there is no mix.

    Whoever always takes the largest share can be foreseen.
    """
    lot = draw(seed, "mix", n) / 2**64
    for action, share in info.mix.items():
        lot -= share
        if lot < 0:
            return action
    return info.action


def analyse_race(match: Match, seat: Seat, limits: Limits, on_info: OnInfo | None, tables: Tables | None, stop: Stop | None) -> Info:
    """The best hole of a seat in a race, or its best mixed choice where both choose at once (``Info.mix``). See ``analyse``.

    A node is a playout, or a position of an exact search; ``depth`` counts choices ahead. Values are differences in seeds at the end of the
    round; of a sampled line what the playouts brought on average. Where only a drop is possible the line is that drop.
    """
    point = point_of(match, seat)
    who = SEATS.index(str(seat))
    actions = match.legal(seat)
    forced = actions[0] if actions and actions[0] in ("drop", "slip") else ""
    with watched(limits, stop) as (switch, clock):
        found = _exact(point, who, forced, limits, switch, clock)
        if found is None:
            found = _sampled(point, who, forced, limits, on_info, switch, clock)
    if on_info is not None:
        on_info(found)
    return found


def pick_holes(point: Point, nodes: int, seed: int) -> tuple[int | None, int | None]:
    """What searches of so many playouts would lift for South and for North, each drawn by lot from its mix; None for who has no choice."""
    limits = Limits(nodes=nodes, seed=seed)
    picked: list[int | None] = [None, None]
    for who in (0, 1):
        able = point.holes(who)
        if len(able) > 1:
            found = _exact(point, who, "", limits, Stop(), lambda: 0) or _sampled(point, who, "", limits, None, Stop(), lambda: 0)
            picked[who] = point.game.holes[drawn(found, seed, who)][1]
        elif able:
            picked[who] = able[0]
    return picked[0], picked[1]


# ── exact ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _exact(point: Point, who: int, forced: str, limits: Limits, switch: Stop, clock: Callable[[], int]) -> Info | None:
    """The value by whole search, or None where that is too much for the limits."""
    game, layout = point.game, point.game.layout
    if game.name != "mak-khum" or not exact.fits(layout.holes, layout.total):
        return None
    open_ended = limits.time_ms is None and limits.nodes is None and limits.depth is None
    left = layout.total - int(point.board[layout.store(0)]) - int(point.board[layout.store(1)])
    if left > TRY_SEEDS and not open_ended:
        return None
    most = limits.memory_mb * (1 << 20) // 24 if open_ended else min(TRY_POSITIONS, limits.nodes or TRY_POSITIONS)
    memo = exact.new_memo(most * 4 // 3 + 16)
    memo[3][exact.LIMIT] = (1 << 60) if open_ended else most
    bits = layout.total.bit_length()
    solver = _Exact(point.game.record, bits, memo, switch.flag)
    value = solver.value(point)
    if value is None:
        return None
    sign = 1 if who == 0 else -1
    seat = SEATS[who]
    lines, mix = [], {}
    if forced:
        lines = [Line(((seat, forced),), sign * value, True)]
    else:
        table = solver.matrix(point, who)
        if table is None:  # the limit came between the value and the table it rests on
            return None
        payoff, rows, columns = table
        x, y = np.zeros(16), np.zeros(16)
        equilibrium(payoff, len(rows), len(columns), x, y)
        other = int(np.argmax(y[: len(columns)]))
        for i, row in enumerate(rows):
            worth = float(payoff[i, : len(columns)] @ y[: len(columns)])
            pair = _pair(who, row, columns[other])
            told = _first(point, pair, who) + solver.line(point.after(*pair))
            lines.append(Line(tuple(told), worth, True))
        order = sorted(range(len(rows)), key=lambda i: (-x[i], -lines[i].value, i))
        if point.due == 3:
            mix = {point.name(who, rows[i]): float(x[i]) for i in order if x[i] > 1e-12}
        lines = [lines[i] for i in order][: limits.lines]
    return Info(seat, "seeds", tuple(lines), 0, int(memo[3][exact.NODES]), clock(), mix)


class _Exact:
    """Exact values of the points of one race, in one memo."""

    def __init__(self, rules: Any, bits: int, memo: Any, flag: NDArray[np.int64]) -> None:
        self.rules, self.bits, self.memo, self.flag = rules, bits, memo, flag
        self.payoff = np.zeros((15, 15))

    def value(self, point: Point) -> float | None:
        """South's difference at the end of the round, or None."""
        if point.due == 0:
            value = exact.ended_value(self.rules, point.board, point.race, point.widows, self.bits, exact.SEEDS, self.memo, self.flag)
        else:
            value = exact.race_value(
                self.rules, point.board, point.hands, point.race, point.widows, self.bits, exact.SEEDS, self.memo, self.flag, self.payoff
            )
            if value != exact.UNKNOWN and point.race[lockstep.STEPPER] == 1:
                value = -value
        return None if value == exact.UNKNOWN else float(value) + point.ahead

    def matrix(self, point: Point, who: int) -> tuple[NDArray[np.float64], list[int], list[int | None]] | None:
        """What each pair of choices brings ``who``; its holes, the other's (None: none to choose). None where a limit came before."""
        rows = point.holes(who)
        columns: list[int | None] = [*point.holes(1 - who)] or [None]
        payoff = np.zeros((16, 16))
        for i, row in enumerate(rows):
            for j, column in enumerate(columns):
                value = self.value(point.after(*_pair(who, row, column)))
                if value is None:
                    return None
                payoff[i, j] = value if who == 0 else -value
        return payoff, rows, columns

    def line(self, point: Point) -> list[tuple[Seat, str]]:
        """Best play to the race's end; of a mixed choice the largest share."""
        told: list[tuple[Seat, str]] = []
        x, y = np.zeros(16), np.zeros(16)
        while point.due != 0:
            who = 0 if point.due & 1 else 1
            table = self.matrix(point, who)
            if table is None:
                break
            payoff, rows, columns = table
            equilibrium(payoff, len(rows), len(columns), x, y)
            pair = _pair(who, rows[int(np.argmax(x[: len(rows)]))], columns[int(np.argmax(y[: len(columns)]))])
            told += _first(point, pair, int(point.race[lockstep.STEPPER]))
            point = point.after(*pair)
        return told


def _pair(who: int, own: int | None, other: int | None) -> tuple[int | None, int | None]:
    """(South's hole, North's hole)."""
    return (own, other) if who == 0 else (other, own)


def _first(point: Point, pair: tuple[int | None, int | None], who: int) -> list[tuple[Seat, str]]:
    """The choices of a pair as a line tells them, those of ``who`` first."""
    told: list[tuple[Seat, str]] = []
    for seat in (who, 1 - who):
        hole = pair[seat]
        if hole is not None:
            told.append((SEATS[seat], point.name(seat, hole)))
    return told


# ── by sampling ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _sampled(point: Point, who: int, forced: str, limits: Limits, on_info: OnInfo | None, switch: Stop, clock: Callable[[], int]) -> Info:
    game, layout = point.game, point.game.layout
    sign = 1 if who == 0 else -1
    if point.due == 0:  # nobody chooses any more: the end of the race stands fast
        value = k.final(game.record, point.board, point.race, point.widows)
        return Info(SEATS[who], "seeds", (Line(((SEATS[who], forced),), sign * value),), 0, 1, clock())
    most = limits.nodes
    if limits.depth is not None and most is None and limits.time_ms is None:
        most = PER_DEPTH * limits.depth
    a_node = 32 + 48 + 64 + 24 + 4 * (layout.holes + 1) ** 2 + 32 * layout.holes
    size = max(64, limits.memory_mb * (1 << 20) // a_node // limits.threads)
    if most is not None:
        size = min(size, most + 2)
    trees, lots = [], []
    for thread in range(limits.threads):
        tree = k.new_tree(layout.holes, size)
        k.seed_tree(tree, point.board, point.hands, point.race, point.due)
        trees.append(tree)
        lots.append(np.array([draw(limits.seed, f"race:{thread}", 0) | 1], np.uint64))
    played, chunk = 0, CHUNK
    depth = k.PATH if limits.depth is None else min(limits.depth, k.PATH)
    told = -1
    with ThreadPoolExecutor(limits.threads) as pool:
        while not switch and (most is None or played < most):
            share = chunk if most is None else min(chunk, -(-(most - played) // limits.threads))

            def work(thread: int, share: int = share) -> int:
                return int(k.grow(game.record, trees[thread], point.widows, share, depth, lots[thread], switch.flag))

            played += work(0) if limits.threads == 1 else sum(pool.map(work, range(limits.threads)))
            if on_info is not None and clock() > 2 * told + 50:
                told = clock()
                on_info(_told(point, who, forced, trees, played, told, limits.lines))
            chunk = min(2 * chunk, 4096)
    if played == 0:  # stopped before it began: one playout is still needed to say anything
        k.grow(game.record, trees[0], point.widows, 2 * layout.holes, depth, lots[0], np.zeros(1, np.int64))
        played = 2 * layout.holes
    return _told(point, who, forced, trees, played, clock(), limits.lines)


def _told(point: Point, who: int, forced: str, trees: list[Any], played: int, ms: int, lines: int) -> Info:
    """What the trees know, as an info."""
    holes = point.game.layout.holes
    sign = 1 if who == 0 else -1
    seat = SEATS[who]
    visits, sums = np.zeros((holes + 1, holes + 1)), np.zeros((holes + 1, holes + 1))
    for tree in trees:
        for at, cell in enumerate(tree[6][0].tolist()):
            if cell:
                visits[divmod(at, holes + 1)] += tree[4][cell]
                sums[divmod(at, holes + 1)] += tree[5][cell]
    depth = max(int(tree[9][k.DEEPEST]) for tree in trees)
    if forced or not point.due >> who & 1:
        value = sign * float(sums.sum() / max(1.0, visits.sum()))
        return Info(seat, "seeds", (Line(((seat, forced),), value),), depth, played, ms)
    if who == 1:
        visits, sums = visits.T, sums.T
    own = point.holes(who)
    mix: dict[str, float] = {}
    if point.due == 3:
        shares = [_shares(sum(tree[8][0, each] for tree in trees), point.holes(each)) for each in (who, 1 - who)]
        answers = np.zeros(holes + 1)
        for hole, share in shares[1].items():
            answers[hole] = share
        weight = {hole: shares[0].get(hole, 0.0) for hole in own}
    else:
        answers = np.zeros(holes + 1)
        answers[holes] = 1.0
        weight = {hole: float(visits[hole].sum()) for hole in own}
    told = []
    for hole in own:
        seen = (visits[hole] > 0) * answers
        value = float((seen * sums[hole] / np.maximum(1.0, visits[hole])).sum() / max(1e-9, seen.sum())) if seen.sum() > 0 else -999.0
        told.append((hole, sign * value if value != -999.0 else value, float(visits[hole].sum())))
    if point.due == 3:
        told.sort(key=lambda item: (-weight[item[0]], -item[1], item[0]))
        mix = {point.name(who, hole): weight[hole] for hole, _, _ in told if weight[hole] > 0}
    else:  # by value, among those that were looked at often
        enough = max(weight.values()) / 8
        told.sort(key=lambda item: (item[2] < enough, -item[1], item[0]))
    answer = int(np.argmax(answers))
    found = []
    for hole, value, _ in told[:lines]:
        pair = _pair(who, hole, answer if point.due == 3 else None)
        found.append(Line(tuple(_first(point, pair, who) + _path(point, trees[0], pair)), value))
    return Info(seat, "seeds", tuple(found), depth, played, ms, mix)


def _shares(summed: NDArray[np.float64], holes: list[int]) -> dict[int, float]:
    """A summed strategy as shares of one, without what is left of looking around."""
    total = float(sum(summed[hole] for hole in holes)) or 1.0
    kept = {hole: summed[hole] / total for hole in holes if summed[hole] / total >= LEAST_SHARE} or dict.fromkeys(holes, 1.0)
    whole = sum(kept.values())
    return {hole: float(share / whole) for hole, share in kept.items()}


def _path(point: Point, tree: Any, pair: tuple[int | None, int | None]) -> list[tuple[Seat, str]]:
    """The play that a tree has looked at most after a pair of choices at its root."""
    holes = point.game.layout.holes
    due, visits, child = tree[3], tree[4], tree[6]
    told: list[tuple[Seat, str]] = []
    node = int(child[0, _cell(pair, holes)])
    while node and due[node]:
        cells = child[node]
        best = max(range(len(cells)), key=lambda cell: visits[cells[cell]] if cells[cell] else 0)
        if not cells[best] or visits[cells[best]] < 4:
            break
        south, north = divmod(best, holes + 1)
        for seat in (0, 1) if tree[2][node, lockstep.STEPPER] == 0 else (1, 0):
            hole = (south, north)[seat]
            if hole < holes:
                told.append((SEATS[seat], point.name(seat, hole)))
        node = int(cells[best])
    return told


def _cell(pair: tuple[int | None, int | None], holes: int) -> int:
    south, north = (holes if hole is None else hole for hole in pair)
    return south * (holes + 1) + north
