"""Owns endgame tables of the two sowing games: every board with few seeds in play, and what best play makes of it in the rest of the round.

The value of a board is the *future difference*: the seeds that its mover still gains minus those that the other gains, seeds left in rows
at the end included (MK-31, AB-31); what lies in stores already does not matter. Boards are numbered by ``search.ranks``, one int8 each.
Widows are not in these tables.

**Mak Khum** has no cycles: a walk that neither drops a seed into the store nor captures stays in the mover's own row, and all its seeds
have come nearer to the store. So boards are worked out by seeds in play, then by the sum of the seeds' distances to their owners' stores;
those with equal sums do not depend on each other and are shared out among threads.

**Abalala'e** has cycles, and its quiet count (AB-44) decides how they end. With ``V(b, r)`` the value of a board when the round ends
after ``r`` more quiet turns, and ``E(b) = V(b, 0)`` what each then has in its own holes, a quiet walk to ``b'`` is worth ``-V(b', r -
1)``, a capture of ``k`` seeds ``k - V(b', q)`` with the full count ``q``. The tables hold ``low(b) <= V(b, r) <= high(b)`` for every ``r
>= 1`` and every ``q``: these are true of ±(seeds in play), and if they are true of what a board leads to, they are true of the board when
each quiet walk is taken to be worth anything from ``-max(high(b'), E(b'))`` to ``-min(low(b'), E(b'))``, as it may be the last. They are
tightened so until nothing changes, a number of seeds at a time, fewer first. Any bounds that agree with themselves in this way are true,
by induction over ``r`` and the seeds in play: that is what ``check`` looks at. Where ``low`` and ``high`` meet, the value is exact
whatever the count.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from muang.errors import BadRuleset, BadTable, TableMissing
from muang.games.core import Game, game
from muang.games.lots import below
from muang.games.sowing.game import SowingGame
from muang.search.limits import Stop, TurnTable
from muang.search.ranks import binomials, boards, layer
from muang.solver import endgame_kernel as kernels
from muang.solver.files import Table, folder, read_table, write_table
from muang.solver.work import OnProgress, Stopped, Work, need

__all__ = [
    "DEFAULT_SEEDS",
    "MOST_SEEDS",
    "Layer",
    "canonical",
    "check",
    "file_name",
    "layers",
    "load_endgame",
    "solve_endgame",
    "turn_table",
]

DEFAULT_SEEDS = {"mak-khum": 16, "abalalae": 12}
"""The seeds in play up to which tables go if nothing else is asked for."""
MOST_SEEDS = 60
"""No table goes further: values are int8, and no disk holds more."""

_KIND, _PARTIAL = "endgame", "endgame, unfinished"
_MODULE = "solver.endgame"
_SAVE_EVERY = 600.0
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Layer:
    """What a table says of the boards with ``seeds`` seeds in play: shares in which the mover gains more, less, and the mean difference.

    ``unmet``: the share of boards whose bounds do not meet (0 in Mak Khum); the other three are of the boards whose do.
    """

    seeds: int
    boards: int
    unmet: float
    ahead: float
    behind: float
    mean: float


def canonical(of: Game) -> SowingGame:
    """The game with every option that does not matter to boards in turns at its default. ``BadRuleset`` for Cờ cá ngựa."""
    o = of.options
    if of.name == "mak-khum":
        keep = {name: o[name] for name in ("holes", "store_landing", "capture_last", "skip_origin")}
    elif of.name == "abalalae":
        keep = {name: o[name] for name in ("columns", "track")}
    else:
        raise BadRuleset(f"{of.name} has no endgame tables of seeds", allowed=DEFAULT_SEEDS)
    made = game(of.name, "turns", **keep)
    assert isinstance(made, SowingGame)
    return made


def file_name(of: Game, seeds: int) -> str:
    """The name of a table's file: ``endgame-mak-khum-7-16.muang``; options that are not the game's own stand in it."""
    of = canonical(of)
    size = of.options["holes" if of.name == "mak-khum" else "columns"]
    words = [f"{name}-{value}".lower() for name, value in sorted(of.changes().items()) if name not in ("holes", "columns")]
    return "-".join([_KIND, of.name, str(size), *words, f"{seeds}.muang"])


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

    names: tuple[str, ...]

    def __init__(self, of: SowingGame, seeds: int, path: Path) -> None:
        self.of, self.seeds, self.path = of, seeds, path
        self.partial = path.with_name(path.name + ".part")
        self.holes = of.layout.holes
        self.count = boards(self.holes, seeds)
        self.state: dict[str, Any] = {"seeds": seeds, "layer": 1, "level": 0, "seconds": 0.0, "layers": []}
        self.arrays: dict[str, NDArray[np.int8]] = {}
        self.saved = time.monotonic()

    def memory(self) -> int:
        raise NotImplementedError

    def disk(self) -> int:
        return len(self.names) * self.count + (1 << 20)

    def solve(self, work: Work) -> None:
        raise NotImplementedError

    def resume(self, work: Work) -> None:
        """Go on from the unfinished file, if there is one that fits; else begin anew."""
        try:
            table = read_table(self.partial, _PARTIAL, self.of, mapped=False)
        except (TableMissing, BadTable):
            table = None
        if table is None or table.parameters["seeds"] != self.seeds or set(table.arrays) != set(self.names):
            self.arrays = {name: np.zeros(self.count, np.int8) for name in self.names}
            return
        self.state = dict(table.parameters)
        self.arrays = dict(table.arrays)
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
        parameters = {name: value for name, value in self.told(work).items() if name in ("seeds", "seconds", "layers")}
        return write_table(self.path, _KIND, self.of, parameters | {"threads": work.threads}, self.arrays, module=_MODULE)


class _Rows(_Job):
    """Mak Khum."""

    names = ("values",)

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

    names = ("low", "high")

    def memory(self) -> int:
        return 2 * self.count + 24 * len(layer(self.holes, self.seeds)) + (64 << 20)

    def solve(self, work: Work) -> None:
        holes, layout = self.holes, self.of.layout
        place = [p if p < holes else p - 1 for p in range(2 * holes + 1)]
        following = np.zeros(2 * holes, np.int8)
        path = layout.paths[0]
        for at, to in zip(path, (*path[1:], path[0]), strict=True):
            following[place[at]] = place[to]
        facing = np.full((holes, 2), -1, np.int8)
        for at in range(holes):
            facing[at, : len(layout.facing[at])] = [place[other] for other in layout.facing[at]]
        choose, low, high = binomials(holes, self.seeds), self.arrays["low"], self.arrays["high"]
        expected = 12
        for s in range(self.state["layer"], self.seeds + 1):
            ranks = layer(holes, s)
            bounds = np.zeros((len(ranks), 4), np.int8)
            begins = range(ranks.start, ranks.stop, _CHUNK)
            tasks = [(b, min(b + _CHUNK, ranks.stop), ranks.start, following, facing, holes, choose, low, high, bounds) for b in begins]
            work.note = f"{s} seeds"
            pieces = work.run(kernels.loop_expand, tasks, weight=lambda i: 0.4 * (tasks[i][1] - tasks[i][0]))  # noqa: B023  run at once
            rest, sweeps, changed = 0.6 * len(ranks), 0, 1
            while changed:
                sweep = [(b - ranks.start, piece[0], piece[1], bounds) for b, piece in zip(begins, pieces, strict=True)]
                changed = sum(work.run(kernels.loop_sweep, sweep))
                sweeps += 1
                share = min(0.6 * len(ranks) / expected, rest)
                rest -= share
                work.advance(share, f"{s} seeds, sweep {sweeps}: {changed:,} changed")
            low[ranks.start : ranks.stop], high[ranks.start : ranks.stop] = bounds[:, 0], bounds[:, 1]
            counts = [int(sum(column)) for column in zip(*((len(piece[1]), *piece[2:]) for piece in pieces), strict=True)]
            told = dict(zip(("quiet", "endless", "passes"), counts, strict=True))
            self.state |= {"layer": s + 1, "layers": [*self.state["layers"], {"seeds": s, "sweeps": sweeps, **told}]}
            expected = sweeps + 1
            self.save_now_and_then(work)
            work.advance(rest)


def boards_of_row(holes: int, seeds: int) -> int:
    """How many rows there are with up to ``seeds`` seeds."""
    from math import comb

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


def load_endgame(of: Game, where: Path | None = None, *, verify: bool = True) -> Table:
    """The largest table of these rules in a folder (the user's), or the one in a file. ``TableMissing`` says how to make one."""
    of = canonical(of)
    where = folder() if where is None else where
    if where.is_dir() or not where.exists():
        sizes = [seeds for seeds in range(MOST_SEEDS, 0, -1) if (where / file_name(of, seeds)).exists()]
        if not sizes:
            options = "".join(f" --option {name}={str(value).lower()}" for name, value in of.changes().items())
            raise TableMissing(f"there is no endgame table of these rules in {where}: muang solve endgame {of.name}{options}")
        where = where / file_name(of, sizes[0])
    table = read_table(where, _KIND, of, verify=verify)
    try:
        lengths = {len(array) for array in table.arrays.values()}
        if lengths != {boards(of.layout.holes, table.parameters["seeds"])} or set(table.arrays) not in ({"values"}, {"low", "high"}):
            raise ValueError
    except (KeyError, TypeError, ValueError) as error:
        raise BadTable(f"{where} does not hold what an endgame table holds") from error
    return table


def turn_table(table: Table) -> TurnTable:
    """The table as a search reads it."""
    arrays = table.arrays
    low, high = (arrays["values"], arrays["values"]) if "values" in arrays else (arrays["low"], arrays["high"])
    return TurnTable(table.path.stem if table.path is not None else "endgame", table.parameters["seeds"], low, high)


def check(table: Table, entries: int = 1_000_000, seed: int = 0, *, on_progress: OnProgress | None = None, stop: Stop | None = None) -> int:
    """How many of so many random entries differ from what one choice ahead says, by the kernel of the rules and not by the solver's.

    ``seed`` decides which entries. 0 is what a sound table gives.
    """
    of, seeds = table.game, table.parameters["seeds"]
    assert isinstance(of, SowingGame)
    holes = of.layout.holes
    choose = binomials(holes, seeds)
    values = turn_table(table)
    size, chunk = len(values.low), 20_000
    ranks = np.array([below(seed, "endgame", i, size) for i in range(entries)], np.int64)
    parts = [ranks[i : i + chunk] for i in range(0, entries, chunk)]
    with Work(float(entries), on_progress=on_progress, stop=stop) as work:
        work.note = "checking"
        if of.name == "mak-khum":
            found = work.run(kernels.check_row, [(of.record, p, choose, values.low) for p in parts], weight=lambda i: len(parts[i]))
        else:
            tasks = [(of.record, part, choose, values.low, values.high) for part in parts]
            found = work.run(kernels.check_loop, tasks, weight=lambda i: len(parts[i]))
    return int(sum(found))


def layers(table: Table) -> list[Layer]:
    """What a table says, by seeds in play."""
    of = table.game
    assert isinstance(of, SowingGame)
    values = turn_table(table)
    told = []
    for seeds in range(table.parameters["seeds"] + 1):
        ranks = layer(of.layout.holes, seeds)
        counts = np.zeros(256, np.int64)
        for begin in range(ranks.start, ranks.stop, 1 << 24):
            piece = slice(begin, min(begin + (1 << 24), ranks.stop))
            low = values.low[piece]
            met = low if values.low is values.high else low[low == values.high[piece]]
            counts += np.bincount(met.view(np.uint8), minlength=256)
        met_count, number = int(counts.sum()), np.arange(256).astype(np.uint8).view(np.int8).astype(np.int64)
        share = 1 / max(met_count, 1)
        told.append(
            Layer(
                seeds,
                len(ranks),
                1 - met_count / len(ranks),
                float(counts[number > 0].sum() * share),
                float(counts[number < 0].sum() * share),
                float((counts * number).sum() * share),
            )
        )
    return told
