"""Owns the solved game of two players of Cờ cá ngựa: working its table out with certified bounds, keeping it, loading it.

**What is proved.** Let v be the chances of the roller under best play of both. They obey v = G v, where G takes the mean over the 36 rolls
of the best choice after each, a chance c of the other seat counting as 1 - c. Every entry has a lower bound l and an upper bound u. They
begin as 0 and 1, which are true, and a sweep only ever replaces l by the smallest and u by the largest value that G can give where all
other entries lie within their bounds, moved outwards by more than the rounding of that computation (``ca_ngua_kernel.sweep``). So
l <= v <= u holds after every step, whatever the order, however many threads, and wherever the work is stopped; nothing has to be known
about how fast it converges, nor that v = G v has one solution only (where the bounds meet, it has). Where they have met within
``epsilon`` everywhere the game is solved. Of rules under which a game could go on for ever they would not meet; that is said
(``NotSolved``) once sweeps change nothing any more. ``climb`` and ``jump`` with ``doubles: total`` would be such rules, and are refused
(CN-25); all others are solved.

**How it converges.** Except for a kick, every move adds to the total progress of the four horses, so set-ups are swept in falling order
of it and one sweep carries a result from the end of the game to its start; kicks are why more than one is needed. Rolls without a move
are solved in closed form. Set-ups of one level (``ca_ngua_setups``) do not depend on each other, so threads share them and the result is
the same to the bit for any number of threads; under ``doubles: extra`` a few do, and the last digits there depend on who was first, the
truth of the bounds does not.

**The file** (``files``, kind ``ca-ngua``) holds ``values`` by ``search.pairs`` index: float64, the middle of both bounds; in a rounded
table uint16, in 65535ths. Parameters: ``opposite``; ``error``, which no entry is farther from the truth than; ``starts``, the lower and
upper bound of who rolls first, for each side of the table; ``sweeps``, ``states``, ``epsilon``, ``seconds``, ``threads``; in a rounded
table ``losses``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import log
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from muang.errors import BadAction, BadTable, MuangError, TableMissing
from muang.games._jit import kernel_digest
from muang.games.ca_ngua.rules import CaNgua, check_seats
from muang.games.core import Game, game
from muang.search.limits import HorseTable, Stop
from muang.search.pairs import are_opposite, table_size
from muang.solver.ca_ngua_kernel import loss_sweep, sweep
from muang.solver.ca_ngua_setups import Chunk, SetUps, listed, over_all, set_ups
from muang.solver.files import Table, folder, read_table, write_table
from muang.solver.work import OnProgress, Stopped, Work, need

__all__ = [
    "EPSILON",
    "NotSolved",
    "canonical",
    "file_name",
    "horse_table",
    "load_ca_ngua",
    "needs",
    "round_ca_ngua",
    "solve_ca_ngua",
    "two",
]

EPSILON = 1e-9
"""How near the bounds of every entry come if nothing else is asked for."""
LEAST_EPSILON = 1e-11
"""Nearer than this they cannot come for sure: outward rounding keeps them apart."""

_KIND, _PARTIAL, _ROUNDED = "ca-ngua", "ca-ngua, unfinished", "ca-ngua, rounded"
_MODULE = "solver.ca_ngua_kernel"
_LISTING = 0.4
_STEPS = 65535
_PATIENCE = 50
_FAR = 16


class NotSolved(MuangError):
    """Sweeps have ceased to bring the bounds nearer to each other before they met."""

    code = "not-solved"


def canonical(of: Any) -> CaNgua:
    """The game with every option that does not matter to a table at its default. ``BadAction`` for another game."""
    if not isinstance(of, CaNgua):
        raise BadAction(f"{of!r} has no table of two players", allowed=("ca-ngua",))
    made = game("ca-ngua", **{name: value for name, value in of.options.items() if name != "turn_seconds"})
    assert isinstance(made, CaNgua)
    return made


def two(seats: Sequence[int]) -> tuple[int, int]:
    """The two seats in rising order. ``BadAction`` if they are not two different seats."""
    chosen = check_seats(tuple(seats))
    if len(chosen) != 2:
        raise BadAction(f"a table is of two players, not of seats {chosen}", clause="CN-2", allowed=("0,2", "0,1"))
    return chosen[0], chosen[1]


def file_name(of: CaNgua, seats: Sequence[int] = (0, 2), *, rounded: bool = False) -> str:
    """The name of a table's file: ``ca-ngua-opposite-56.muang``; options that are not the default stand in it."""
    of = canonical(of)
    words = [f"{name}-{value}".lower() for name, value in sorted(of.changes().items()) if name != "track"]
    table = "opposite" if are_opposite(two(seats)) else "neighbours"
    return "-".join(["ca-ngua", table, str(of.options["track"]), *words, *(["rounded"] if rounded else [])]) + ".muang"


def needs(of: CaNgua, seats: Sequence[int] = (0, 2)) -> tuple[int, int]:
    """Bytes of memory that solving takes at most, and of disk: the table, and beside it the bounds while it is unfinished."""
    size = table_size(of.options["track"], are_opposite(two(seats)))
    return (280 if of.options["doubles"] == "extra" else 240) * size + (100 << 20), 24 * size + (1 << 20)


def solve_ca_ngua(
    of: CaNgua,
    seats: Sequence[int] = (0, 2),
    *,
    epsilon: float = EPSILON,
    path: Path | None = None,
    threads: int = 0,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
    keep: bool = True,
) -> Table:
    """Work the table of two players on these seats out and write it; gives it, ``values`` writable.

    ``path``: the file, else one in the user's folder. Bounds that an earlier run has left there unfinished are gone on from. ``threads``: 0
    for one a core. Without ``keep`` nothing is read or written. ``NotEnough`` before anything begins if memory or disk do not hold it;
    ``Stopped`` when it is asked to stop, the bounds so far kept; ``NotSolved`` if the bounds do not meet; ``BadAction`` for what cannot be.
    """
    of, seats = canonical(of), two(seats)
    if not LEAST_EPSILON <= epsilon <= 1:
        raise BadAction(f"bounds {epsilon:g} apart cannot be asked for", allowed=(f"{LEAST_EPSILON:g} to 1",))
    path = folder() / file_name(of, seats) if path is None else path
    memory, disk = needs(of, seats)
    need(memory, disk if keep else 0, path.parent, f"the table of {of.name}")
    partial = path.with_name(path.name + ".part")
    with Work(1.0, threads=threads, on_progress=on_progress, stop=stop) as work:
        these = set_ups(of.options["track"], are_opposite(seats))
        bounds = np.tile([0.0, 1.0], these.state_count)
        bounds[:4] = 1.0, 1.0, 0.0, 0.0
        state: dict[str, Any] = {"sweeps": 0, "seconds": 0.0, "gap": 1.0}
        if keep and (found := _unfinished(partial, of, bounds)) is not None:
            bounds, state = found
        levels = listed(of, these, work, _LISTING)
        try:
            _tighten(of, levels, bounds, state, epsilon, work)
        except (Stopped, KeyboardInterrupt):
            if keep and state["sweeps"]:
                state["seconds"] = round(state["seconds"] + work.seconds, 2)
                write_table(partial, _PARTIAL, of, state, {"bounds": bounds}, module=_MODULE)
            raise
        del levels
        low, high = bounds[::2], bounds[1::2]
        values = (low + high) / 2
        values[:2] = 1.0, 0.0
        parameters = {
            "opposite": are_opposite(seats),
            "epsilon": epsilon,
            "error": state["gap"] / 2 + 2.0**-52,  # and the rounding of the middle
            "starts": [[float(low[at]), float(high[at])] for at in these.starts],
            "states": int((these.states > 1).sum()),
            "sweeps": state["sweeps"],
            "seconds": round(state["seconds"] + work.seconds, 2),
            "threads": work.threads,
        }
        arrays = {"values": _by_index(these, values)}
    if not keep:
        return Table(_KIND, of, parameters, arrays, kernel_digest(_MODULE))
    table = write_table(path, _KIND, of, parameters, arrays, module=_MODULE)
    with suppress(FileNotFoundError):
        partial.unlink()
    return table


def _tighten(of: CaNgua, levels: list[list[Chunk]], bounds: NDArray[np.float64], state: dict[str, Any], epsilon: float, work: Work) -> None:
    """Sweep until no bounds are farther apart than ``epsilon``; ``state`` tells of it."""
    rounds = _rounds(of)
    gaps = [float(state["gap"])]
    widest: dict[int, float] = {}

    def tighten(c: Chunk) -> float:
        """Bounds that are near enough by far need not be looked at again: they are true as they are."""
        if widest.get(c.first, 1.0) > epsilon / _FAR:
            widest[c.first] = sweep(c.codes, c.counts, c.stays, c.first, bounds, rounds)
        return widest[c.first]

    reached = 0.0
    while True:
        share = (1 - _LISTING) * min(1.0, log(min(1.0, gaps[-1])) / log(epsilon) if epsilon < 1 else 1.0)
        work.advance(max(0.0, share - reached), f"sweep {state['sweeps'] + 1}, bounds {gaps[-1]:.1e} apart")
        reached = max(reached, share)
        if gaps[-1] <= epsilon:
            return
        if len(gaps) > _PATIENCE and gaps[-1] > 0.99 * gaps[-_PATIENCE - 1]:
            raise NotSolved(f"the bounds stay {gaps[-1]:.2e} apart after {state['sweeps']} sweeps: under these rules a game may never end")
        gap = over_all(work, levels, tighten)
        if not work.stop:
            state |= {"gap": gap, "sweeps": state["sweeps"] + 1}
            gaps.append(gap)


def _rounds(of: CaNgua) -> int:
    """How often a set-up is looked at in a sweep: after a pass of the extra choice it may lead to itself."""
    return 3 if of.options["doubles"] == "extra" else 1


def _by_index(these: SetUps, values: NDArray[Any]) -> NDArray[Any]:
    """Values by state as values by ``search.pairs`` index."""
    return np.where(these.states < 0, values.dtype.type(0), values[these.states])


def _unfinished(partial: Path, of: CaNgua, bounds: NDArray[np.float64]) -> tuple[NDArray[np.float64], dict[str, Any]] | None:
    """The bounds of an earlier run of the same code, if there are any."""
    try:
        table = read_table(partial, _PARTIAL, of, mapped=False)
    except (TableMissing, BadTable):
        return None
    kept = table.arrays.get("bounds")
    if table.code != kernel_digest(_MODULE) or kept is None or kept.shape != bounds.shape or kept.dtype != bounds.dtype:
        return None
    return kept, dict(table.parameters)


def round_ca_ngua(
    table: Table, *, path: Path | None = None, threads: int = 0, on_progress: OnProgress | None = None, stop: Stop | None = None
) -> Table:
    """Write a smaller table with 16 bits an entry, and measure what choosing by it loses; gives it.

    ``losses`` in its parameters: how much less than its due a player wins who chooses by the rounded table (of choices that look equal the
    worst) against one who plays as well as can be: ``start``, from the start where it rolls first, each side of the table; ``most``, from
    whatever position it does most harm.
    """
    assert isinstance(table.game, CaNgua)
    of, exact = table.game, table.parameters
    seats = (0, 2) if exact["opposite"] else (0, 1)
    path = folder() / file_name(of, seats, rounded=True) if path is None else path
    memory, disk = needs(of, seats)
    need(memory, disk, path.parent, f"the rounded table of {of.name}")
    with Work(1.0, threads=threads, on_progress=on_progress, stop=stop) as work:
        these = set_ups(of.options["track"], exact["opposite"])
        known = these.states >= 0
        values = np.zeros(these.state_count)
        values[these.states[known]] = table.arrays["values"][known]
        if exact["opposite"]:
            _mirror(these, values)
        rounded = np.rint(values * _STEPS).astype(np.uint16)
        chances = np.repeat(values, 2)
        levels = listed(of, these, work, _LISTING)
        rounds, change = _rounds(of), 1.0
        while change > 1e-10:
            change = over_all(work, levels, lambda c: loss_sweep(c.codes, c.counts, c.stays, c.first, rounded, chances, rounds))
            work.advance(0.03, f"losses change by {change:.1e}")
        loss = values - chances[::2]
    losses = {"start": [float(loss[at]) for at in these.starts], "most": float(loss.max())}
    parameters = {name: exact[name] for name in ("opposite", "starts", "states")}
    parameters |= {"error": exact["error"] + 0.5 / _STEPS + 2.0**-24, "losses": losses}
    return write_table(path, _ROUNDED, of, parameters, {"values": _by_index(these, rounded)}, module=_MODULE)


def _mirror(these: SetUps, values: NDArray[np.float64]) -> None:
    """Opposite seats with the same pair: one index for two states, of which only the first has been given its value."""
    same = np.flatnonzero((these.horses & 4095) == these.horses >> 24)
    values[2 * same + 3] = values[2 * same + 2]


def load_ca_ngua(of: Game, seats: Sequence[int] = (0, 2), where: Path | None = None, *, verify: bool = True) -> HorseTable:
    """The table of these rules and seats in a folder (the user's), or the one in a file; a rounded one where there is no other.

    ``TableMissing`` says how to make one, ``BadTable`` what is wrong with the file.
    """
    of, seats = canonical(of), two(seats)
    where = folder() if where is None else where
    if where.is_dir() or not where.exists():
        found = [path for rounded in (False, True) if (path := where / file_name(of, seats, rounded=rounded)).exists()]
        if not found:
            options = "".join(f" --option {name}={str(value).lower()}" for name, value in of.changes().items())
            options += "" if are_opposite(seats) else f" --seats {seats[0]},{seats[1]}"
            raise TableMissing(f"there is no table of these rules in {where}: muang solve ca-ngua{options}")
        where = found[0]
    table = read_file(where, of, verify=verify)
    check_seats_of(table, seats)
    return horse_table(table)


def check_seats_of(table: Table, seats: tuple[int, int]) -> None:
    """``BadTable`` if the table is one of opposite seats and these are neighbours, or the other way round."""
    if table.parameters["opposite"] != are_opposite(seats):
        raise BadTable(f"{table.path} is a table of {'opposite' if table.parameters['opposite'] else 'neighbouring'} seats")


def read_file(path: Path, of: CaNgua | None = None, *, verify: bool = True) -> Table:
    """The table in a file, exact or rounded. ``TableMissing``, ``BadTable``."""
    try:
        table = read_table(path, _KIND, of, verify=verify)
    except BadTable as wrong:
        try:
            table = read_table(path, _ROUNDED, of, verify=verify)
        except BadTable:
            raise wrong from None
    _check_table(path, table)
    return table


def _check_table(path: Path, table: Table) -> None:
    told: Mapping[str, Any] = table.parameters
    try:
        if table.game is None:
            raise ValueError
        size = table_size(table.game.options["track"], bool(told["opposite"]))
        dtype = np.uint16 if table.kind == _ROUNDED else np.float64
        if set(table.arrays) != {"values"} or table.arrays["values"].shape != (size,) or table.arrays["values"].dtype != dtype:
            raise ValueError
        float(told["error"])
    except (KeyError, TypeError, ValueError) as error:
        raise BadTable(f"{path} does not hold what a table of ca-ngua holds") from error


def horse_table(table: Table) -> HorseTable:
    """The table as a search reads it."""
    values = np.asarray(table.arrays["values"])
    if values.dtype == np.uint16:
        values = values.astype(np.float32) / np.float32(_STEPS)
    name = table.path.stem if table.path is not None else "ca-ngua"
    return HorseTable(name, values, float(table.parameters["error"]))
