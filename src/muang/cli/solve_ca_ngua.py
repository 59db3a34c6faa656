"""Owns ``muang solve ca-ngua``: two players of Cờ cá ngựa. The solving is ``muang.solver.ca_ngua``'s."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from muang.cli.common import FINDING, OptionPairs, Ruleset, WrongUse, build_game, err, out

if TYPE_CHECKING:
    from muang.games.ca_ngua.rules import CaNgua
    from muang.solver.files import Table

__all__ = ["ca_ngua"]


def ca_ngua(
    ruleset: Ruleset = None,
    option: OptionPairs = None,
    seats: Annotated[str, typer.Option(metavar="SEATS", help="The two seats: 0,2 are opposite, 0,1 neighbours.")] = "0,2",
    epsilon: Annotated[float, typer.Option(metavar="E", help="How near the two bounds of every chance have to come.")] = 1e-9,
    threads: Annotated[int, typer.Option(min=0, max=1024, help="Threads; 0 for one a core.")] = 0,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Its file, if not in the user's folder; of --variants: the results."),
    ] = None,
    check: Annotated[int, typer.Option(min=0, max=1_000_000_000, help="Re-derive so many random entries, match by match.")] = 0,
    rounded: Annotated[bool, typer.Option("--rounded", help="Write also a table a quarter as large, and measure what it loses.")] = False,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw what a horse is worth by where it stands: svg, png or pdf.")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Work it out also where the table is there already.")] = False,
    variants: Annotated[
        bool, typer.Option("--variants", help="All rules and both kinds of seats: what the start is worth; no table.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")] = False,
) -> int:
    """Solve Cờ cá ngựa for two players: the chance to win from every position, with best play of both.

    A table that is there already is not worked out again. Ctrl-C keeps the bounds so far. Exit code 1 if --check finds an entry that is
    wrong.
    """
    form = "svg" if plot is None else plot.suffix[1:].lower()
    if form not in ("svg", "png", "pdf"):
        raise WrongUse(f"a plot is written as svg, png or pdf, not {form!r}")
    if variants:
        return _variants(epsilon, threads, output, as_json)
    from muang.cli.working import working
    from muang.errors import TableMissing
    from muang.solver import ca_ngua as solver
    from muang.solver.ca_ngua_check import check as checked
    from muang.solver.files import folder
    from muang.solver.work import in_units

    of = solver.canonical(build_game("ca-ngua", ruleset, option))
    if not all(seat.isascii() and seat.isdigit() for seat in seats.split(",")):
        raise WrongUse(f"seats are numbers with commas, not {seats!r}")
    pair = solver.two([int(seat) for seat in seats.split(",")])
    path = output or folder() / solver.file_name(of, pair)
    table = None
    if not again:
        try:
            table = solver.read_file(path, of)
            solver.check_seats_of(table, pair)
            if table.parameters.get("epsilon", 1.0) > epsilon:
                table = None
        except TableMissing:
            table = None
    if table is None:
        memory, disk = (in_units(size) for size in solver.needs(of, pair))
        err().print(f"muang: up to {memory} of memory and {disk} of disk: {path}")
        kept = "whole sweeps are kept: the same command goes on from there (rolls are listed anew)"
        with working("ca-ngua, two players:", kept=kept) as (stop, heard):
            solver.solve_ca_ngua(of, pair, epsilon=epsilon, path=path, threads=threads, on_progress=heard, stop=stop)
        table = solver.read_file(path, of)
    small = None
    if rounded:
        target = path.with_name(path.stem + "-rounded" + path.suffix)
        with working("rounded:", kept="the table is unchanged") as (stop, heard):
            small = solver.round_ca_ngua(table, path=target, threads=threads, on_progress=heard, stop=stop)
    result = None
    if check:
        with working("checking:", kept="the table is unchanged") as (stop, heard):
            result = checked(solver.horse_table(table), of, pair, check, on_progress=heard, stop=stop)
    if plot is not None:
        from muang.lab.ca_ngua_plot import draw

        draw(solver.horse_table(table), of, pair, plot, form)
    _tell(of, pair, table, small, result, as_json)
    return FINDING if result is not None and result.wrong else 0


def _starts(table: Table, pair: tuple[int, int]) -> dict[int, tuple[float, float]]:
    """Bounds of the chance of whoever rolls first, by its seat."""
    starts = [(float(low), float(high)) for low, high in table.parameters["starts"]]
    return {seat: starts[-1 if (other - seat) % 4 == 3 else 0] for seat, other in (pair, pair[::-1])}


def _tell(of: CaNgua, pair: tuple[int, int], table: Table, small: Table | None, result: Any, as_json: bool) -> None:
    import json
    from dataclasses import asdict

    starts = _starts(table, pair)
    told = dict(table.parameters)
    if as_json:
        line = {"file": str(table.path), "created": table.created, "code": table.code, "options": of.options, "seats": pair, **told}
        line |= {"first": {str(seat): bounds for seat, bounds in starts.items()}}
        if small is not None:
            line["rounded"] = {"file": str(small.path), **small.parameters}
        if result is not None:
            line["checked"] = asdict(result)
        print(json.dumps(line))
        return
    console = out()
    changes = "".join(f", {name} {str(value).lower()}" for name, value in of.changes().items())
    console.print(f"ca-ngua{changes}, seats {pair[0]} and {pair[1]}: {told['states']:,} positions before a roll, solved")
    for seat, (low, high) in starts.items():
        console.print(f"seat {seat} rolls first and wins with chance {(low + high) / 2:.9f}  (proved: {low:.12f} to {high:.12f})")
        if told["opposite"]:
            console.print(f"seat {pair[1]} rolls first: the same")
            break
    console.print(f"no entry is farther from the truth than {told['error']:.1e}")
    if "sweeps" in told:
        console.print(f"{told['sweeps']} sweeps in {told['seconds']:.1f} s on {told['threads']} threads: {table.path}")
    if small is not None:
        losses = small.parameters["losses"]
        lost = max(losses["start"])
        console.print(f"rounded to 16 bits: {small.path}")
        console.print(f"whoever plays by it loses {lost:.1e} of the chance to win from the start, {losses['most']:.1e} from anywhere")
    if result is not None:
        console.print(f"{result.entries:,} random entries re-derived: {result.wrong:,} wrong, the largest difference {result.most:.1e}")


def _variants(epsilon: float, threads: int, output: Path | None, as_json: bool) -> int:
    """Solve every ruleset and both kinds of seats, and print what the start is worth. Rows that the file holds are not worked out again."""
    import json

    from rich.table import Table as Rows

    from muang.cli.working import working
    from muang.solver import ca_ngua_variants as solver

    rows = solver.read_rows(output) if output is not None else {}
    with working("variants:", kept="what is done is kept in FILE" if output else "nothing is kept without -o FILE") as (stop, heard):
        for done in solver.solve_variants(rows, epsilon=epsilon, threads=threads, on_progress=heard, stop=stop):
            if output is not None:
                output.write_text(json.dumps(done, indent=1) + "\n", encoding="utf-8")
            rows = done
    if as_json:
        print(json.dumps(rows))
        return 0
    out().print("The chance of who rolls first, where the other's start lies 1/2 (opposite), 1/4 or 3/4 (neighbours) of the track ahead.")
    told = Rows("track", "doubles", "gate", "keep_repeat", "1/2", "1/4", "3/4", "s", box=None)
    for row in solver.by_rules(rows):
        told.add_row(*row)
    out().print(told)
    return 0
