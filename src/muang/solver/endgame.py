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

Most boards do depend on a quiet end that is near. So there is a second pair of bounds, ``calm_low`` and ``calm_high``, true of
``V(b, r)`` for every ``r >= calm`` when the full count ``q`` is no less than ``calm``, a number that the table gives. They begin as the
first pair, true from ``r = 1`` on; if they are true from ``r`` on, then one sweep that takes a quiet walk to be worth ``-calm_high(b')`` to
``-calm_low(b')`` makes them true from ``r + 1`` on. Sweeps end when one changes nothing (the bounds then hold for every greater ``r``) or
after ``endgame_solve.MOST_CALM``. What is still open at such a standstill depends on the quiet count however far its end is.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from muang.errors import BadRuleset, BadTable, TableMissing
from muang.games.core import Game, game
from muang.games.lots import below
from muang.games.sowing.game import SowingGame
from muang.search.limits import Stop, TurnTable
from muang.search.ranks import binomials, boards, layer
from muang.solver import endgame_kernel as kernels
from muang.solver.files import Table, folder, read_table
from muang.solver.work import OnProgress, Work

__all__ = [
    "ARRAYS",
    "DEFAULT_SEEDS",
    "KIND",
    "MOST_SEEDS",
    "Layer",
    "canonical",
    "check",
    "file_name",
    "layers",
    "load_endgame",
    "turn_table",
]

DEFAULT_SEEDS = {"mak-khum": 16, "abalalae": 12}
"""The seeds in play up to which tables go if nothing else is asked for."""
MOST_SEEDS = 60
"""No table goes further: values are int8, and no disk holds more."""

KIND = "endgame"
ARRAYS = {"mak-khum": ("values",), "abalalae": ("low", "high", "calm_low", "calm_high")}
"""The arrays of a table, int8 by rank."""


@dataclass(frozen=True, slots=True)
class Layer:
    """What a table says of the boards with ``seeds`` seeds in play: shares in which the mover gains more, less, and the mean difference.

    Those three are of the boards whose bounds meet, the calm ones where there are any. ``unmet``: the share of boards whose bounds for
    every quiet count do not meet; ``calm_unmet``: those whose bounds for many quiet turns left do not. Both are 0 in Mak Khum.
    """

    seeds: int
    boards: int
    unmet: float
    calm_unmet: float
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
    return "-".join([KIND, of.name, str(size), *words, f"{seeds}.muang"])


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
    table = read_table(where, KIND, of, verify=verify)
    try:
        lengths = {len(array) for array in table.arrays.values()}
        if lengths != {boards(of.layout.holes, table.parameters["seeds"])} or set(table.arrays) != set(ARRAYS[of.name]):
            raise ValueError
    except (KeyError, TypeError, ValueError) as error:
        raise BadTable(f"{where} does not hold what an endgame table holds") from error
    return table


def turn_table(table: Table, calm: bool = False) -> TurnTable:
    """The table as a search reads it. ``calm``: the bounds for when at least ``table.parameters["calm"]`` quiet turns are left (AB-44)."""
    arrays, which = table.arrays, "calm_" if calm else ""
    low, high = (arrays["values"], arrays["values"]) if "values" in arrays else (arrays[which + "low"], arrays[which + "high"])
    reach = table.parameters["calm"] if calm and "values" not in arrays else 1
    return TurnTable(table.path.stem if table.path is not None else "endgame", table.parameters["seeds"], low, high, reach)


def check(table: Table, entries: int = 1_000_000, seed: int = 0, *, on_progress: OnProgress | None = None, stop: Stop | None = None) -> int:
    """How many of so many random entries differ from what one choice ahead says, by the kernel of the rules and not by the solver's.

    ``seed`` decides which entries. 0 is what a sound table gives. In Abalala'e both pairs of bounds are looked at; calm ones that sweeps
    have left before their standstill may be wider than what one choice ahead says.
    """
    of, seeds = table.game, table.parameters["seeds"]
    assert isinstance(of, SowingGame)
    holes = of.layout.holes
    choose = binomials(holes, seeds)
    values = turn_table(table)
    size, chunk = len(values.low), 10_000
    ranks = np.array([below(seed, "endgame", i, size) for i in range(entries)], np.int64)
    parts = [ranks[i : i + chunk] for i in range(0, entries, chunk)]
    with Work(float(entries), on_progress=on_progress, stop=stop) as work:
        work.note = "checking"
        if of.name == "mak-khum":
            found = work.run(kernels.check_row, [(of.record, p, choose, values.low) for p in parts], weight=lambda i: len(parts[i]))
        else:
            calm = turn_table(table, calm=True)
            settled = all(row["settled"] for row in table.parameters["layers"])
            tasks = [(of.record, part, choose, values.low, values.high, False, True) for part in parts]
            tasks += [(of.record, part, choose, calm.low, calm.high, True, settled) for part in parts]
            found = work.run(kernels.check_loop, tasks, weight=lambda i: len(parts[i % len(parts)]) / 2)
    return int(sum(found))


def layers(table: Table) -> list[Layer]:
    """What a table says, by seeds in play."""
    of = table.game
    assert isinstance(of, SowingGame)
    every, calm = turn_table(table), turn_table(table, calm=True)
    number = np.arange(256).astype(np.uint8).view(np.int8).astype(np.int64)
    told = []
    for seeds in range(table.parameters["seeds"] + 1):
        ranks = layer(of.layout.holes, seeds)
        counts, met = np.zeros(256, np.int64), 0
        for begin in range(ranks.start, ranks.stop, 1 << 24):
            piece = slice(begin, min(begin + (1 << 24), ranks.stop))
            low = calm.low[piece]
            if calm.low is not calm.high:
                low = low[low == calm.high[piece]]
            counts += np.bincount(low.view(np.uint8), minlength=256)
            met += len(low) if every.low is every.high else int(np.count_nonzero(every.low[piece] == every.high[piece]))
        exact = int(counts.sum())
        ahead, behind = (float(counts[which].sum()) / max(exact, 1) for which in (number > 0, number < 0))
        mean = float((counts * number).sum()) / max(exact, 1)
        told.append(Layer(seeds, len(ranks), 1 - met / len(ranks), 1 - exact / len(ranks), ahead, behind, mean))
    return told
