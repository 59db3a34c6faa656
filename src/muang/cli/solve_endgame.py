"""Owns ``muang solve endgame``: tables of boards with few seeds. The solving is ``muang.solver.endgame``'s."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from muang.cli.common import FINDING, GameName, OptionPairs, Ruleset, WrongUse, build_game, out

if TYPE_CHECKING:
    from muang.solver.files import Table

__all__ = ["endgame"]


def endgame(
    name: GameName,
    seeds: Annotated[int, typer.Option(min=0, max=60, help="The most seeds in play; 0: 16 in Mak Khum, 12 in Abalala'e.")] = 0,
    ruleset: Ruleset = None,
    option: OptionPairs = None,
    threads: Annotated[int, typer.Option(min=0, max=1024, help="Threads; 0 for one a core.")] = 0,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Its file, if not in the user's folder.")] = None,
    check: Annotated[int, typer.Option(min=0, max=1_000_000_000, help="Re-derive so many random entries of the table.")] = 0,
    again: Annotated[bool, typer.Option("--again", help="Work it out also where the table is there already.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")] = False,
) -> int:
    """Work out all boards of a sowing game with few seeds in play.

    A table that is there already is not worked out again. Exit code 1 if --check finds an entry that is wrong.
    """
    from muang.cli.working import working
    from muang.errors import TableMissing
    from muang.solver import endgame as solver
    from muang.solver.endgame_solve import solve_endgame
    from muang.solver.files import folder

    of = solver.canonical(build_game(name, ruleset, option))
    seeds = seeds or solver.DEFAULT_SEEDS[of.name]
    path = output or folder() / solver.file_name(of, seeds)
    if path.is_dir():
        raise WrongUse(f"{path} is a folder, not a file")
    table = None
    if not again:
        try:
            table = solver.load_endgame(of, path)
        except TableMissing:
            table = None
        if table is not None and table.parameters["seeds"] != seeds and output is not None:
            table = None
    if table is None:
        with working(f"{of.name}, up to {seeds} seeds:") as (stop, heard):
            solve_endgame(of, seeds, path=path, threads=threads, on_progress=heard, stop=stop)
        table = solver.load_endgame(of, path)
    wrong = None
    if check:
        with working(f"{of.name}, up to {seeds} seeds:", kept="the table is unchanged") as (stop, heard):
            wrong = solver.check(table, check, on_progress=heard, stop=stop)
    _tell(table, check, wrong, as_json)
    return FINDING if wrong else 0


def _tell(table: Table, entries: int, wrong: int | None, as_json: bool) -> None:
    import json
    from dataclasses import asdict

    from rich.table import Table as Rows

    from muang.solver import endgame as solver

    layers = solver.layers(table)
    if as_json:
        told = {
            "file": str(table.path),
            "created": table.created,
            "code": table.code,
            **table.parameters,
            "values": [asdict(row) for row in layers],
        }
        print(json.dumps(told if wrong is None else told | {"checked": entries, "wrong": wrong}))
        return
    console = out()
    assert table.game is not None
    of = solver.canonical(table.game)
    options = "".join(f", {name} {str(value).lower()}" for name, value in of.changes().items())
    console.print(f"{of.name}{options}, up to {table.parameters['seeds']} seeds: {sum(row.boards for row in layers):,} boards")
    calm = table.parameters.get("calm")
    open_ones = () if calm is None else ("bounds apart %", f"{calm} quiet turns left %")
    rows = Rows("seeds", "boards", *open_ones, "mover gains more %", "less %", "mean difference", box=None)
    for column in rows.columns:
        column.justify = "right"
    for row in layers:
        apart = () if calm is None else (row.unmet, row.calm_unmet)
        shares = [f"{100 * share:.2f}" for share in (*apart, row.ahead, row.behind)]
        rows.add_row(str(row.seeds), f"{row.boards:,}", *shares, f"{row.mean:+.3f}")
    console.print(rows)
    console.print(f"solved in {table.parameters['seconds']:.1f} s on {table.parameters['threads']} threads: {table.path}")
    if wrong is not None:
        console.print(f"{entries:,} random entries re-derived: {wrong:,} wrong")
