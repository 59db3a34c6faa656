"""Owns how endgame tables are worked out: in which order, on several threads, stopped, taken up again. What they are says ``endgame``."""

from __future__ import annotations

import time
from contextlib import suppress
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from muang.errors import BadRuleset, BadTable, TableMissing
from muang.games.core import Game
from muang.games.sowing.game import SowingGame
from muang.search.limits import Stop
from muang.search.ranks import binomials, boards, layer
from muang.solver import endgame_kernel as kernels
from muang.solver.endgame import ARRAYS, DEFAULT_SEEDS, KIND, MOST_SEEDS, canonical, file_name
from muang.solver.files import Table, folder, read_table, write_table
from muang.solver.work import OnProgress, Stopped, Work, need

__all__ = ["MOST_CALM", "solve_endgame"]

MOST_CALM = 64
"""Sweeps for many quiet turns left: more would make bounds that hold only when most of a usual quiet count (AB-44) is left."""

_PARTIAL = "endgame, unfinished"
_MODULE = "solver.endgame_solve"
_SAVE_EVERY = 600.0
_CHUNK = 1 << 20


def solve_endgame(
    of: Game, seeds: int = 0, *, path: Path | None = None, threads: int = 0, on_progress: OnProgress | None = None, stop: Stop | None = None
) -> Table:
    """Work out the table of all boards with up to ``seeds`` seeds in play (0: the default size) and write it; gives it.

    ``path``: the file, else one in the user's folder. What an earlier run has left there unfinished is gone on from. ``threads``: 0 for
    one a core. ``NotEnough`` before anything begins if memory or disk do not hold it; ``Stopped`` when it is asked to stop, what is done
    kept.
    """
    of = canonical(of)
    seeds = DEFAULT_SEEDS[of.name] if seeds == 0 else seeds
    if not 1 <= seeds <= MOST_SEEDS:
        raise BadRuleset(f"an endgame table cannot have {seeds} seeds in play", allowed=(f"1 to {MOST_SEEDS}",))
    path = folder() / file_name(of, seeds) if path is None else path
    job = (_Rows if of.name == "mak-khum" else _Loops)(of, seeds, path)
    need(job.memory(), job.disk(), path.parent, f"the table of {of.name} with up to {seeds} seeds")
    with Work(float(job.count), threads=threads, on_progress=on_progress, stop=stop) as work:
        job.resume(work)
        try:
            job.solve(work)
        except (Stopped, KeyboardInterrupt):
            job.save(work)
            raise
        table = job.finish(work)
    with suppress(FileNotFoundError):
        job.partial.unlink()
    return table


class _Job:
    """A table that is being worked out. ``state`` says how far it is, in plain data, and is kept with what is unfinished."""

    def __init__(self, of: SowingGame, seeds: int, path: Path) -> None:
        self.of, self.seeds, self.path = of, seeds, path
        self.names = ARRAYS[of.name]
        self.partial = path.with_name(path.name + ".part")
        self.holes = of.layout.holes
        self.count = boards(self.holes, seeds)
        self.state: dict[str, Any] = {"seeds": seeds, "layer": 1, "level": 0, "seconds": 0.0, "layers": []}
        self.tables: NDArray[np.int8] = np.zeros((0, 0), np.int8)
        self.arrays: dict[str, NDArray[np.int8]] = {}
        self.saved = time.monotonic()

    def memory(self) -> int:
        raise NotImplementedError

    def disk(self) -> int:
        return len(self.names) * self.count + (1 << 20)

    def solve(self, work: Work) -> None:
        raise NotImplementedError

    def resume(self, work: Work) -> None:
        """Begin, or go on from the unfinished file if there is one that fits."""
        self.tables = np.zeros((len(self.names), self.count), np.int8)
        self.arrays = dict(zip(self.names, self.tables, strict=True))
        try:
            table = read_table(self.partial, _PARTIAL, self.of)
        except (TableMissing, BadTable):
            return
        if table.parameters["seeds"] != self.seeds or set(table.arrays) != set(self.names):
            return
        self.state = dict(table.parameters)
        for name, array in table.arrays.items():
            self.arrays[name][:] = array
        work.done = work.begun_at = float(boards(self.holes, self.state["layer"] - 1) + self.state.get("done", 0))

    def save(self, work: Work) -> None:
        """Keep what is done in the unfinished file."""
        self.saved = time.monotonic()
        write_table(self.partial, _PARTIAL, self.of, self.told(work), self.arrays, module=_MODULE)

    def save_now_and_then(self, work: Work) -> None:
        if time.monotonic() - self.saved > _SAVE_EVERY:
            self.save(work)

    def told(self, work: Work) -> dict[str, Any]:
        return self.state | {"seconds": round(self.state["seconds"] + work.seconds, 2)}

    def finish(self, work: Work) -> Table:
        work.note = "writing"
        parameters = {name: value for name, value in self.told(work).items() if name in ("seeds", "seconds", "layers", "calm")}
        return write_table(self.path, KIND, self.of, parameters | {"threads": work.threads}, self.arrays, module=_MODULE)


class _Rows(_Job):
    """Mak Khum."""

    def memory(self) -> int:
        return self.count + 32 * boards_of_row(self.holes, self.seeds) + (64 << 20)

    def solve(self, work: Work) -> None:
        holes, o = self.holes, self.of.options
        flags = o["capture_last"] * kernels.CAPTURE_LAST + o["skip_origin"] * kernels.SKIP_ORIGIN
        flags += (o["store_landing"] == "end") * kernels.REST_ENDS
        choose, values = binomials(holes, self.seeds), self.arrays["values"]
        rows, groups = rows_by_distance(holes, self.seeds)
        for s in range(self.state["layer"], self.seeds + 1):
            for level in range(max(self.state["level"], s), s * holes + 1):
                tasks = _tasks(groups, s, level)
                weights = (tasks[:, 1] - tasks[:, 0]) * (tasks[:, 3] - tasks[:, 2])
                size = int(weights.sum())
                shares = 1 if size < 20_000 else 8 * work.threads
                parts = [tasks[k::shares] for k in range(shares)]
                work.run(kernels.row_level, [(part, rows, holes, s, flags, choose, values) for part in parts if len(part)])
                self.state |= {"level": level + 1, "done": self.state.get("done", 0) + size}
                self.save_now_and_then(work)
                work.advance(size, f"{s} seeds")
            self.state |= {"layer": s + 1, "level": 0, "done": 0}


class _Loops(_Job):
    """Abalala'e."""

    def memory(self) -> int:
        return 4 * self.count + 30 * len(layer(self.holes, self.seeds)) + (64 << 20)

    def solve(self, work: Work) -> None:
        following, facing = loop_tables(self.of)
        choose = binomials(self.holes, self.seeds)
        for s in range(self.state["layer"], self.seeds + 1):
            work.note = f"{s} seeds"
            self._layer(work, s, following, facing, choose)
            self.save_now_and_then(work)

    def _layer(self, work: Work, s: int, following: NDArray[np.int8], facing: NDArray[np.int8], choose: NDArray[np.int64]) -> None:
        """All boards with ``s`` seeds."""
        ranks = layer(self.holes, s)
        size = len(ranks)
        here = slice(ranks.start, ranks.stop)
        told = self.state["layers"]
        expected = told[-1]["sweeps"] + told[-1]["calm_sweeps"] + 2 if told else 12
        rest = 0.5 * size

        def swept(sweep: int, changed: int) -> None:
            nonlocal rest
            share = min(0.5 * size / expected, rest)
            rest -= share
            work.advance(share, f"{s} seeds, sweep {sweep}: {changed:,} changed")

        bounds, calm = np.zeros((size, 4), np.int8), np.zeros((size, 2), np.int8)
        begins = range(ranks.start, ranks.stop, _CHUNK)
        tables = self.tables
        tasks = [(b, min(b + _CHUNK, here.stop), here.start, following, facing, self.holes, choose, tables, bounds, calm) for b in begins]
        pieces = work.run(kernels.loop_expand, tasks, weight=lambda i: 0.5 * (tasks[i][1] - tasks[i][0]))
        parts = [(b - here.start, piece[0], piece[1]) for b, piece in zip(begins, pieces, strict=True)]
        sweeps = calm_sweeps = 0
        changed = 1
        fresh = np.full(-(-size // 8), 255, np.uint8)
        while changed:
            now = np.zeros_like(fresh)
            changed = sum(work.run(kernels.loop_sweep, [(*part, bounds, fresh, now) for part in parts]))
            fresh = now
            sweeps += 1
            swept(sweeps, changed)
        before, after = np.ascontiguousarray(bounds[:, :2]), np.empty((size, 2), np.int8)
        tables[0, here], tables[1, here] = bounds[:, 0], bounds[:, 1]
        del bounds
        changed = 1
        fresh[:] = 255
        while changed and calm_sweeps < MOST_CALM:
            now = np.zeros_like(fresh)
            changed = sum(work.run(kernels.calm_sweep, [(*part, calm, before, after, fresh, now) for part in parts]))
            before, after, fresh = after, before, now
            calm_sweeps += 1
            swept(sweeps + calm_sweeps, changed)
        tables[2, here], tables[3, here] = before[:, 0], before[:, 1]
        counts = [int(sum(column)) for column in zip(*((len(piece[1]), *piece[2:]) for piece in pieces), strict=True)]
        row = {"seeds": s, "sweeps": sweeps, "calm_sweeps": calm_sweeps, "settled": changed == 0}
        row |= dict(zip(("quiet", "endless", "passes"), counts, strict=True))
        # the last sweep has changed nothing: what it gives was true with a turn less already
        reach = calm_sweeps + (0 if changed == 0 else 1)
        self.state |= {"layer": s + 1, "layers": [*told, row], "calm": max(self.state.get("calm", 1), reach)}
        work.advance(rest)


def loop_tables(of: SowingGame) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """The path and the facing holes of Abalala'e as the mover sees them, for ``endgame_kernel.loop_walk``."""
    layout, holes = of.layout, of.layout.holes
    place = [p if p < holes else p - 1 for p in range(2 * holes + 1)]
    following = np.zeros(2 * holes, np.int8)
    path = layout.paths[0]
    for at, to in zip(path, (*path[1:], path[0]), strict=True):
        following[place[at]] = place[to]
    facing = np.full((holes, 2), -1, np.int8)
    for at in range(holes):
        facing[at, : len(layout.facing[at])] = [place[other] for other in layout.facing[at]]
    return following, facing


def boards_of_row(holes: int, seeds: int) -> int:
    """How many rows there are with up to ``seeds`` seeds."""
    return comb(seeds + holes, holes)


def rows_by_distance(holes: int, seeds: int) -> tuple[NDArray[np.uint8], dict[tuple[int, int], tuple[int, int]]]:
    """All rows with up to ``seeds`` seeds, uint8[…, holes], by seeds and distance to the store; where each such group begins and ends."""
    rows = np.zeros((1, 0), np.uint8)
    left = np.full(1, seeds)
    for _ in range(holes):
        times = left + 1
        rows = np.repeat(rows, times, axis=0)
        ends = np.cumsum(times)
        put = np.arange(ends[-1]) - np.repeat(ends - times, times)
        left = np.repeat(left, times) - put
        rows = np.column_stack([rows, put.astype(np.uint8)])
    held = rows.sum(axis=1, dtype=np.int64)
    key = held * 1024 + rows.astype(np.int64) @ np.arange(holes, 0, -1)
    order = np.argsort(key, kind="stable")
    keys, starts = np.unique(key[order], return_index=True)
    ends = np.append(starts[1:], len(order))
    groups = {(int(k) >> 10, int(k) & 1023): (int(a), int(b)) for k, a, b in zip(keys, starts, ends, strict=True)}
    return np.ascontiguousarray(rows[order]), groups


def _tasks(groups: dict[tuple[int, int], tuple[int, int]], seeds: int, level: int) -> NDArray[np.int64]:
    """All pairs of groups of rows with so many seeds and such a sum of distances together, in pieces: int64[k, 4]."""
    found = []
    for (held, distance), (a, b) in groups.items():
        other = groups.get((seeds - held, level - distance))
        if other is not None:
            piece = max(1, 50_000 // (other[1] - other[0]))
            found += [(i, min(i + piece, b), *other) for i in range(a, b, piece)]
    return np.array(found, np.int64).reshape(-1, 4)
