"""Owns ``muang solve turns`` and ``muang solve check``: rounds of Mak Khum solved from the start, and their certificates checked."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from muang.cli.common import FINDING, OptionPairs, WrongUse, build_game, err, out

if TYPE_CHECKING:
    from muang.games.core import Game
    from muang.solver.turns import FirstHole

__all__ = ["check", "turns"]


def turns(
    seeds: Annotated[int, typer.Option(min=1, max=8, help="Seeds in each hole at the start.")] = 7,
    holes: Annotated[int, typer.Option(min=1, max=15, help="Holes in a row.")] = 7,
    ruleset: Annotated[str, typer.Option(metavar="NAME", help="turns, or chongka (a rest ends the turn).")] = "turns",
    option: OptionPairs = None,
    memory_mb: Annotated[int, typer.Option("--memory-mb", min=1, max=1 << 20, help="Memory for positions that have been seen.")] = 512,
    threads: Annotated[int, typer.Option(min=0, max=1024, help="First holes that are solved at once; 0 for one a core.")] = 0,
    table: Annotated[bool, typer.Option("--table", help="Read the endgame table of the user's folder at the leaves.")] = False,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the certificate here too.")] = None,
    again: Annotated[bool, typer.Option("--again", help="Solve it also where the user's folder has it already.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the certificate instead of a table.")] = False,
) -> None:
    """Work out what every first hole of Mak Khum is worth in turns.

    The values are exact: best play of both sides to the end of the round. They are kept with a certificate, which `muang solve check`
    replays without searching.
    """
    from muang.cli.working import working
    from muang.solver.files import folder
    from muang.solver.library import Library
    from muang.solver.turns import certificate, opening_board, solve_round
    from muang.solver.work import need

    of = build_game("mak-khum", ruleset, [f"seeds={seeds}", f"holes={holes}", *(option or ())])
    opening_board(of)
    path = folder() / f"round-{_name(of)}.json"
    told = None if again else _kept(path, of)
    if told is None:
        need((memory_mb << 20) + (64 << 20), 16 << 20, path.parent, "this search")
        part = path.with_suffix(".part.json")
        known = {} if again else _solved(part, of)

        def keep(hole: FirstHole) -> None:
            known[hole.hole] = hole
            _write(part, {"options": of.options, "holes": [asdict(entry) for entry in known.values()]})

        with working(f"{holes} × {seeds}, first holes:") as (stop, heard):
            search, found = solve_round(
                of,
                memory_mb=memory_mb,
                threads=threads,
                table=Library().turns(of) if table else None,
                known=dict(known),
                on_hole=keep,
                on_progress=heard,
                stop=stop,
            )
            told = certificate(search, found)
        _write(path, told)
        part.unlink(missing_ok=True)
    if output is not None:
        _write(output, told)
    if as_json:
        print(json.dumps(told, ensure_ascii=False))
        return
    _table(told, path)


def check(
    certificate: Annotated[Path, typer.Argument(metavar="CERTIFICATE", help="A file of `muang solve turns`.")],
) -> int:
    """Check a certificate by replaying it.

    Exit code 1 if anything in it does not hold.
    """
    from muang.errors import BadRecord
    from muang.solver.certificate import check_certificate

    try:
        data = json.loads(certificate.read_text(encoding="utf-8"))
    except ValueError as error:
        raise WrongUse(f"{certificate} is no JSON") from error
    try:
        found = check_certificate(data)
    except BadRecord as error:
        err().print(f"muang: {certificate}: {error}")
        return FINDING
    out().print(f"the certificate holds: {found.best} is worth {found.value:+d}, {found.lines} lines replayed to the end")
    for seat, positions in (("South", found.south), ("North", found.north)):
        if positions is None:
            out().print(f"it has no strategy for {seat}: that side of the value rests on the search")
        elif positions == 0:
            out().print(f"nothing to prove for {seat}: nobody can win more than all seeds")
        else:
            out().print(f"{seat}'s strategy holds in every one of {positions:,} positions that can come up")
    return 0


def _name(of: Game) -> str:
    extra = "".join(f"-{key}-{value}" for key, value in sorted(of.changes().items()) if key not in ("holes", "seeds"))
    return f"{of.options['holes']}x{of.options['seeds']}-{of.ruleset}{extra}".lower()


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (ValueError, OSError):
        err().print(f"muang: {path} cannot be read and is made anew")
        return None


def _kept(path: Path, of: Game) -> dict[str, Any] | None:
    """The certificate that is there already, if it belongs to these rules and still holds."""
    from muang.errors import MuangError
    from muang.solver.certificate import check_certificate

    data = _read(path)
    if data is None:
        return None
    try:
        check_certificate(data)
        if data["options"] != of.options:
            return None
    except (MuangError, KeyError, TypeError) as error:
        err().print(f"muang: {path} does not hold and is made anew: {error}")
        return None
    return dict(data)


def _solved(path: Path, of: Game) -> dict[str, FirstHole]:
    """First holes that an earlier run has solved before it was stopped."""
    from muang.solver.turns import FirstHole

    data = _read(path)
    try:
        if data is None or data["options"] != of.options:
            return {}
        return {entry["hole"]: FirstHole(**{**entry, "line": tuple(entry["line"])}) for entry in data["holes"]}
    except (KeyError, TypeError):
        err().print(f"muang: {path} cannot be read; everything is solved anew")
        return {}


def _write(path: Path, data: dict[str, Any]) -> None:
    """Write JSON so that no half file ever has this name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(path.name + ".tmp")
    draft.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    draft.replace(path)


def _table(told: dict[str, Any], path: Path) -> None:
    from rich.table import Table

    console = out()
    options = told["options"]
    board = f"Mak Khum, {told['ruleset']}, {options['holes']} holes × {options['seeds']} seeds"
    console.print(
        f"{board}, capture_last {str(options['capture_last']).lower()}: South, who begins, gets {told['value']:+d} with {told['best']}"
    )
    table = Table("first hole", "value", "positions", "CPU s", box=None)
    for hole in told["holes"]:
        table.add_row(hole["hole"], f"{hole['value']:+d}", f"{hole['nodes']:,}", f"{hole['seconds']:.1f}")
    console.print(table)
    best = next(hole for hole in told["holes"] if hole["hole"] == told["best"])
    console.print(f"best play: {' '.join(best['line'])}")
    for seat, name in (("South", "south"), ("North", "north")):
        if told.get(name) is None:
            console.print(f"no strategy for {seat} is kept: it has too many positions; that side rests on the search")
        elif told[name]:
            bound = "at least" if name == "south" else "no more than"
            console.print(f"{seat}'s strategy: {len(told[name]):,} choices prove {bound} {told['value']:+d}")
    console.print(f"certificate: {path}")
