"""Owns searching the turns of a sowing game: a search with its memory, iterative deepening, lines in holes. ``boards`` packs the boards.

What the round is worth is told in seeds: own minus other's at the end of the round. Rounds to come do not count.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np

from muang.errors import BadAction
from muang.games.core import Match, Seat
from muang.games.sowing.game import SowingGame
from muang.games.sowing.layout import SEATS
from muang.search import turns_kernel as k
from muang.search.boards import Board, Packed, packed
from muang.search.limits import Info, Limits, Line, OnInfo, Stop, Tables, TurnTable, watched
from muang.search.ranks import binomials

__all__ = ["DEEPEST_LOOP", "Aborted", "Board", "Packed", "TurnSearch", "analyse_turns", "packed"]

DEEPEST_LOOP = 200
"""Turns ahead at most where walks go in a loop (Abalala'e): a search has no other end there."""


WORTH_THREADS = 8
"""Steps of depth from which a search on several threads is worth their start."""


class Aborted(Exception):
    """The search was stopped, or has used up its nodes."""


class TurnSearch:
    """A search with its memory: values of boards of one game and one mask of widows, on one or more threads.

    ``memory_mb``: the transposition table, 32 bytes an entry (64 on wide boards). ``table``: solved boards to read at the leaves.
    """

    def __init__(
        self,
        game: SowingGame,
        widows: int = 0,
        memory_mb: int = 64,
        table: TurnTable | None = None,
        threads: int = 1,
        stop: Stop | None = None,
    ) -> None:
        self.at = packed(game, widows)
        self.game = game
        self.par = self.at.par.copy()
        columns = 8 if self.at.wide else 4
        bits = max(8, (memory_mb * (1 << 20) // (8 * columns) // 2).bit_length() - 1)
        self.mask = (1 << bits) - 1
        try:
            self.tt = np.zeros((2 << bits, columns), np.int64)
        except MemoryError as error:
            raise BadAction(f"there is no memory for {memory_mb} MB of positions") from error
        self.low = self.high = np.zeros(1, np.int8)
        self.choose = binomials(game.layout.holes, 1)
        if table is not None:
            self.par[k.TABLE_SEEDS], self.par[k.CALM] = table.seeds, table.calm
            self.low, self.high = table.low, table.high
            self.choose = binomials(game.layout.holes, table.seeds)
        self.stop = Stop() if stop is None else stop
        self.threads = threads
        self._scratch()
        self.pool: ThreadPoolExecutor | None = ThreadPoolExecutor(threads) if threads > 1 else None
        self.twins: list[TurnSearch] = [self.twin() for _ in range(threads)] if threads > 1 else []
        self.set_nodes(None)

    def _scratch(self) -> None:
        self.frames = np.zeros((k.PLIES, k.FRAME), np.int64)
        self.kids = np.zeros((k.PLIES * k.KIDS, k.KID), np.int64)
        self.counts = np.zeros(2, np.int64)

    def twin(self) -> TurnSearch:
        """Another search on one thread that shares this one's memory and stop: to search beside it."""
        other = copy(self)
        other._scratch()
        other.threads, other.pool, other.twins = 1, None, []
        other.set_nodes(None)
        return other

    def set_nodes(self, most: int | None) -> None:
        """Stop after ``most`` nodes, counted from here (None: never); on several threads after about so many."""
        self.counts[k.NODES] = 0
        self.counts[k.NODE_LIMIT] = 1 << 60 if most is None else -(-most // self.threads)
        for twin in self.twins:
            twin.set_nodes(None if most is None else -(-most // self.threads))

    @property
    def nodes(self) -> int:
        """Positions visited so far, all threads together."""
        return int(self.counts[k.NODES]) + sum(twin.nodes for twin in self.twins)

    def _run(self, board: Board, depth: int, alpha: int, beta: int, cut: bool, way: int, stop: Any) -> tuple[int, int]:
        return k.search(
            self.at.tab, self.par, self.at.faces, self.tt, self.mask, self.choose, self.low, self.high, self.frames, self.kids, stop,
            self.counts, *board.words, board.n, board.quiet, board.seat if self.at.widows else 0, depth, alpha, beta, int(cut), way,
        )  # fmt: skip

    def window(self, board: Board, depth: int, alpha: int, beta: int, cut: bool = True) -> tuple[int, bool]:
        """One search with a window: (value, whether the value or bound is proved). Raises ``Aborted``.

        ``cut``: whether ``beta`` is expected to be reached. On several threads the first that is done decides.
        """
        if self.pool is None or depth < WORTH_THREADS:
            value, flags = self._run(board, depth, alpha, beta, cut, 0, self.stop.flag)
        else:
            value, flags = self._together(board, depth, alpha, beta, cut)
        if flags & k.ABORTED:
            raise Aborted
        return value, not flags & k.ESTIMATED

    def _together(self, board: Board, depth: int, alpha: int, beta: int, cut: bool) -> tuple[int, int]:
        """The same window on every thread, each going its own way through one memory."""
        assert self.pool is not None
        halt = np.zeros(1, np.int64)
        running = {self.pool.submit(twin._run, board, depth, alpha, beta, cut, way, halt) for way, twin in enumerate(self.twins)}
        answer = (0, k.ABORTED)
        while running:
            done, running = wait(running, 0.01, FIRST_COMPLETED)
            for future in done:
                found = future.result()
                if not found[1] & k.ABORTED and answer[1] & k.ABORTED:
                    answer = found
                    halt[0] = 1
            if self.stop:
                halt[0] = 1
        return answer

    def value(self, board: Board, depth: int, guess: int = 0) -> tuple[int, bool]:
        """The value within ``depth`` steps, by null windows (MTD(f), Plaat 1996) from ``guess``; and whether it is proved."""
        low, high = -board.n, board.n
        low_proved = high_proved = True
        guess = first = min(max(guess, low), high)
        while low < high:
            beta = guess + 1 if guess == low else guess
            guess, proved = self.window(board, depth, beta - 1, beta, beta <= first)
            if guess < beta:
                high, high_proved = guess, proved
            else:
                low, low_proved = guess, proved
        return guess, low_proved and high_proved

    @property
    def end(self) -> int:
        """The depth in steps of a search to the end of the round."""
        return DEEPEST_LOOP if self.at.cyclic else k.DEEPEST

    def steps(self, turns: int) -> int:
        """A depth in turns as one in steps, no deeper than ``end``."""
        return min(turns * int(self.par[k.TURN_COST]), self.end)

    def deeper(self, depth: int, same: bool) -> int:
        """What is left of a depth in steps after a choice; ``same``: the same player chooses again."""
        return depth if depth >= k.DEEPEST else max(0, depth - (1 if same else int(self.par[k.TURN_COST])))

    def line(self, board: Board, depth: int, most: int = 40) -> list[tuple[Seat, str]]:
        """Best play as the memory holds it, from a board whose value has just been found: (seat, hole) each."""
        told: list[tuple[Seat, str]] = []
        at: Board | None = board
        while at is not None and len(told) < most and depth > 0:
            move = self._remembered(at, depth)
            kid = next((kid for kid in self.at.kids(at) if self.number(kid[0], at.seat) == move), None)
            if kid is None:
                break
            told.append((SEATS[at.seat], kid[0]))
            if kid[2] is not None:
                depth = self.deeper(depth, kid[2].seat == at.seat)
            at = kid[2]
        return told

    def number(self, hole: str, seat: int) -> int:
        """A choice as the kernel numbers it."""
        return k.PASS if hole == "pass" else self.game.layout.index[hole] - self.game.layout.base(seat)

    def _remembered(self, board: Board, depth: int) -> int:
        """The choice that the memory calls best; -1 where it has forgotten."""
        left = int(self.par[k.LIMIT]) - board.quiet if self.at.cyclic else 0
        more = k.beside(self.par, left, depth, board.seat if self.at.widows else 0)
        slot, data = k.find(self.tt, self.mask, int(self.at.wide), *board.words, more, k.mix(*board.words, more))
        return data >> 28 & 15 if slot >= 0 else -1

    def close(self) -> None:
        """Let the threads go."""
        if self.pool is not None:
            self.pool.shutdown()


def analyse_turns(match: Match, limits: Limits, on_info: OnInfo | None, tables: Tables | None, stop: Stop | None) -> Info:
    """The best holes of the seat on turn: iterative deepening in turns, each choice's value by null windows. See ``analyse``."""
    game = match.game
    assert isinstance(game, SowingGame)
    position: Any = match.position
    if position.hand is not None:
        return _walk_on(match, limits, on_info, tables, stop)
    seat = int(position.turn)
    layout = game.layout
    cells = position.cells
    ahead = int(cells[layout.store(seat)]) - int(cells[layout.store(1 - seat)])
    table = tables.turns(game, position.widows) if tables is not None else None
    with watched(limits, stop) as (switch, clock):
        memory = limits.memory_mb
        if limits.nodes is not None:  # no more than so many positions need: clearing memory takes time too
            memory = min(memory, 1 + limits.nodes // (1 << 14))
        search = TurnSearch(game, position.widows, memory, table, limits.threads, switch)
        search.set_nodes(limits.nodes)
        board = search.at.pack(cells, seat, position.quiet)
        try:
            return _deepen(search, board, ahead, limits, on_info, clock)
        finally:
            search.close()


def _deepen(search: TurnSearch, board: Board, ahead: int, limits: Limits, on_info: OnInfo | None, clock: Callable[[], int]) -> Info:
    kids = search.at.kids(board)
    seat = SEATS[board.seat]
    values = {hole: (0, False) for hole, _, _ in kids}
    order = [hole for hole, _, _ in kids]
    by_hole = {hole: (gain, after) for hole, gain, after in kids}
    info = Info(seat, "seeds", tuple(Line(((seat, hole),), float(ahead + by_hole[hole][0])) for hole in order))
    deepest = search.end if limits.depth is None else search.steps(limits.depth)
    turns = depth = 0
    bounds: dict[str, str] = {}  # by hole: "" or the kind of bound that its value is
    while depth < deepest:
        turns += 1
        depth = search.steps(turns)
        found, aborted = _all_kids(search, board, order, by_hole, depth, values, limits.lines)
        if not found:  # broken off in the first choice: nothing new but what it took
            return replace(info, nodes=search.nodes, time_ms=clock())
        # the best is the best of what this depth has found, also where it was broken off
        values.update({hole: (value, proved) for hole, (value, proved, _) in found.items()})
        bounds.update({hole: bound for hole, (_, _, bound) in found.items()})
        best = max((hole for hole in order if hole in found and not bounds[hole]), key=lambda hole: values[hole][0])
        order.sort(key=lambda hole: (hole != best, -values[hole][0], bounds.get(hole, "") != ""))
        info = _info(search, board, ahead, order, values, by_hole, bounds, depth, info.depth if aborted else turns, limits, clock)
        if on_info is not None:
            on_info(info)
        if aborted or all(values[hole][1] for hole in order):
            break
    return info


def _all_kids(
    search: TurnSearch,
    board: Board,
    order: list[str],
    by_hole: dict[str, tuple[int, Board | None]],
    depth: int,
    values: dict[str, tuple[int, bool]],
    lines: int,
) -> tuple[dict[str, tuple[int, bool, str]], bool]:
    """One depth: what every choice is worth, as ``_kid_value`` gives it, in order; and whether it was broken off."""
    found: dict[str, tuple[int, bool, str]] = {}
    for hole in order:
        best = sorted((value for value, _, _ in found.values()), reverse=True)
        enough = best[lines - 1] if len(best) >= lines else None
        try:
            found[hole] = _kid_value(search, board, *by_hole[hole], depth, values[hole], enough)
        except Aborted:
            return found, True
    return found, False


def _kid_value(
    search: TurnSearch, board: Board, gain: int, after: Board | None, depth: int, before: tuple[int, bool], enough: int | None
) -> tuple[int, bool, str]:
    """A choice's future difference for the mover: (value, proved, "" or ``upper`` when it is no better than ``enough``)."""
    if after is None:
        return gain, True, ""
    same = after.seat == board.seat
    sign = 1 if same else -1
    deep = search.deeper(depth, same)
    if deep == 0:
        value, proved = search.window(after, 0, -after.n - 1, after.n + 1)
        return gain + sign * value, proved, ""
    if enough is not None:
        limit = sign * (enough - gain)  # no better than `enough`?
        if same:
            value, proved = search.window(after, deep, limit, limit + 1, False)
            if value <= limit:
                return gain + value, proved, "upper"
        else:
            value, proved = search.window(after, deep, limit - 1, limit)
            if value >= limit:
                return gain - value, proved, "upper"
    value, proved = search.value(after, deep, sign * (before[0] - gain))
    return gain + sign * value, proved, ""


def _info(
    search: TurnSearch,
    board: Board,
    ahead: int,
    order: list[str],
    values: dict[str, tuple[int, bool]],
    by_hole: dict[str, tuple[int, Board | None]],
    bounded: dict[str, str],
    depth: int,
    turns: int,
    limits: Limits,
    clock: Callable[[], int],
) -> Info:
    seat = SEATS[board.seat]
    lines = []
    for i, hole in enumerate(order):
        after = by_hole[hole][1]
        told: list[tuple[Seat, str]] = [(seat, hole)]
        if after is not None and i < limits.lines:
            told += search.line(after, search.deeper(depth, after.seat == board.seat))
        value, proved = values[hole]
        lines.append(Line(tuple(told), float(ahead + value), proved and not bounded.get(hole), bounded.get(hole, "")))
    return Info(seat, "seeds", tuple(lines), turns, search.nodes, clock())


def _walk_on(match: Match, limits: Limits, on_info: OnInfo | None, tables: Tables | None, stop: Stop | None) -> Info:
    """A hand under way at ``by_hand``: to drop on is the one thing to do; its value is that of the board after the walk."""
    seat = match.turn
    assert seat is not None
    after = match
    while after.turn == seat and "drop" in after.legal(seat):
        after = after.play(seat, "drop")
    drop = ((seat, "drop"),)
    if after.phase != "turn" or after.view()["round"] != match.view()["round"]:
        last = after.view()["rounds"][-1]["seeds"] if after.view()["rounds"] else after.view()["board"]["stores"]
        other = SEATS[1 - SEATS.index(str(seat))]
        return Info(seat, "seeds", (Line(drop, float(last[str(seat)] - last[other]), True),))
    info = analyse_turns(after, limits, on_info, tables, stop)
    best = info.lines[0]
    value = best.value if info.seat == seat else -best.value
    return Info(seat, "seeds", (Line(drop + best.actions, value, best.exact),), info.depth, info.nodes, info.time_ms, table=info.table)
