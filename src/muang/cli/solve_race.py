"""Owns ``muang solve race`` and ``muang solve openings``: their options, tables and picture. The solving is ``muang.solver``'s."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from muang.cli.common import OptionPairs, WrongUse, build_game, out

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from muang.games.sowing.game import SowingGame
    from muang.solver.openings import Opening, Outcome
    from muang.solver.race import Equilibrium

__all__ = ["openings", "race"]

COUNTED = {
    "races": "races",
    "positions behind them": "positions",
    "won by who died first": "won",
    "drawn": "drawn",
    "lost": "lost",
    "not proved": "unproved",
    "its store ahead by": "ahead",
    "proved, behind": "behind",
    "of these won": "behind_won",
    "winners behind, most": "worst",
}
"""What is told of a summary, and its field."""

WAYS = {"last": "the last hole always", "greedy": "the best single walk", "search": "what a search takes"}
"""How pairs of first holes go on, where that is one race each."""

RaceRuleset = Annotated[str, typer.Option(metavar="NAME", help="A named ruleset of Mak Khum.")]


def race(
    holes: Annotated[int, typer.Option(min=1, max=7, help="Holes a row.")] = 4,
    seeds: Annotated[int, typer.Option(min=1, max=8, help="Seeds a hole.")] = 4,
    ruleset: RaceRuleset = "single",
    option: OptionPairs = None,
    aim: Annotated[str, typer.Option(metavar="AIM", help="What is played for: seeds, or win (the chance to win).")] = "seeds",
    memory: Annotated[int, typer.Option(min=1, max=1 << 20, metavar="MB", help="Memory for positions.")] = 1024,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")] = False,
) -> None:
    """Solve Mak Khum's race on a small board: its value, and how often to lift which hole first.

    At lockstep, South stepping first; turns after the race are solved to their end.
    """
    from muang.cli.working import working
    from muang.solver.race import raced, solve_race

    of = raced(build_game("mak-khum", ruleset, [f"holes={holes}", f"seeds={seeds}", *(option or ())]))
    if aim not in ("seeds", "win"):
        raise WrongUse(f"the aim cannot be {aim!r} (allowed: seeds, win)")
    with working(f"the race on {holes} x {seeds}", kept="nothing is kept of a race broken off") as (stop, heard):
        found = solve_race(of, aim, memory_mb=memory, on_progress=heard, stop=stop)
    if as_json:
        told = {"game": of.name, "ruleset": of.ruleset, "options": of.changes()}
        print(json.dumps(told | asdict(found) | {"payoff": found.payoff.tolist()}))
        return
    _tell_race(of, found)


def _tell_race(game: SowingGame, found: Equilibrium) -> None:
    from rich.table import Table

    from muang.solver.race import names

    console = out()
    south, north = names(game, 0), names(game, 1)
    unit = "seeds" if found.aim == "seeds" else "chance to win minus chance to lose"
    console.print(f"the race ({game.options['race']}), {game.layout.holes} holes x {game.layout.seeds} seeds, South steps first")
    console.print(f"value for South: {found.value:+.9f} ({unit})")
    rows = Table("", *north, "share", "at most", box=None)
    for i, hole in enumerate(south):
        cells = [f"{value:+.3f}" for value in found.payoff[i]]
        rows.add_row(hole, *cells, f"{found.south[i]:.6f}", f"{found.south_most[i]:.4f}")
    rows.add_row("share", *(f"{share:.6f}" for share in found.north), "", "")
    rows.add_row("at most", *(f"{share:.4f}" for share in found.north_most), "", "")
    for column in rows.columns[1:]:
        column.justify = "right"
    console.print(rows)
    console.print(f"{found.positions:,} positions in the race, {found.turns:,} in turns, {found.nodes:,} choices, {found.seconds:.1f} s")


def openings(
    n: Annotated[
        int, typer.Option("-n", min=0, max=1_000_000, help="How many races wholly by lot, beside all pairs of first holes.")
    ] = 1000,
    lots: Annotated[int, typer.Option(min=0, max=10_000, help="How many times each pair goes on by lot.")] = 4,
    ruleset: RaceRuleset = "single",
    option: OptionPairs = None,
    nodes: Annotated[int, typer.Option(min=1, max=1 << 40, help="The most positions looked at for one proof.")] = 20_000_000,
    threads: Annotated[int, typer.Option(min=0, max=1024, help="Threads; 0 for one a core.")] = 0,
    keep: Annotated[Path | None, typer.Option(metavar="FILE", help="Where outcomes are kept, and read again: JSON lines.")] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Draw who wins by first holes: .svg, .png.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")] = False,
) -> None:
    """Find who wins after many lockstep races, with best play of both: a proof each.

    All pairs of first holes, each going on with the last hole always, the best single walk, a search, and by lot; and races wholly by lot.
    """
    from muang.cli.working import working
    from muang.lab.evalplot import FORMATS
    from muang.solver.files import folder
    from muang.solver.library import Library
    from muang.solver.openings import openings as list_openings
    from muang.solver.openings import solve_openings, south_wins, turns_of
    from muang.solver.race import raced

    if output is not None and output.suffix[1:].lower() not in FORMATS:
        raise WrongUse(f"the picture's file must end in {', '.join('.' + form for form in FORMATS)}, not {str(output)!r}")
    of = raced(build_game("mak-khum", ruleset, option))
    races = list(list_openings(of, n, (("last", 1), ("greedy", 1), ("search", 1), ("random", lots))))
    path = keep
    if path is None:
        folder().mkdir(parents=True, exist_ok=True)
        path = folder() / f"openings-{of.layout.holes}x{of.layout.seeds}-{of.ruleset}{'-' + _tag(of) if _tag(of) else ''}.jsonl"
    tables = Library()
    table = tables.turns(turns_of(of))
    with working("who wins") as (stop, heard):
        outcomes = solve_openings(of, races, nodes=nodes, threads=threads, path=path, tables=tables, on_progress=heard, stop=stop)
    groups = _groups(races)
    grids = {way: south_wins([race for race in races if race.later == way], outcomes, of.layout.holes) for way in WAYS}
    if output is not None:
        _draw(of, grids, output)
    if as_json:
        from muang.solver.openings import summary

        told = {"game": of.name, "ruleset": of.ruleset, "options": of.changes(), "file": str(path)}
        sums = {title: asdict(summary(group, outcomes)) for title, group in groups}
        wins = {way: [[None if value != value else float(value) for value in row] for row in grid] for way, grid in grids.items()}
        print(json.dumps(told | {"groups": sums, "south_wins": wins}))
        return
    _tell_openings(of, groups, outcomes, grids)
    known = f"with solved endgames of up to {table.seeds} seeds" if table is not None else "without solved endgames, which shorten proofs"
    out().print(f"{known}; kept in {path}")


def _tag(game: SowingGame) -> str:
    """The changed options of a game, for a file's name."""
    return "-".join(f"{name}-{value}".lower() for name, value in sorted(game.changes().items()) if name not in ("holes", "seeds"))


def _groups(races: list[Opening]) -> list[tuple[str, list[Opening]]]:
    """The races by how they were chosen, and all of them."""
    titles = {"last": "last hole", "greedy": "best walk", "search": "search", "random": "by lot", "": "all by lot"}
    parts = [(title, [race for race in races if race.later == later]) for later, title in titles.items()]
    return [(title, part) for title, part in parts if part] + [("all", races)]


def _tell_openings(
    game: SowingGame, groups: list[tuple[str, list[Opening]]], outcomes: dict[str, Outcome], grids: dict[str, NDArray[Any]]
) -> None:
    from rich.table import Table

    from muang.solver.openings import summary
    from muang.solver.race import names

    console = out()
    console.print("Who died first moves first in the turns. Is that seat the winner, with best play of both?")
    sums = [summary(group, outcomes) for _, group in groups]
    rows = Table("how races went on", *(title for title, _ in groups), box=None)
    for column in rows.columns[1:]:
        column.justify = "right"
    for label, name in COUNTED.items():
        rows.add_row(label, *(f"{getattr(s, name):+.1f}" if name == "ahead" else f"{getattr(s, name)}" for s in sums))
    console.print(rows)
    for way, grid in grids.items():
        console.print(f"South's result by first holes (rows South's), going on with {WAYS[way]}: 1 won, -1 lost, ? not proved")
        rows = Table("", *names(game, 1), "mean", box=None)
        for column in rows.columns[1:]:
            column.justify = "right"
        for hole, row in zip(names(game, 0), grid, strict=True):
            known = row[row == row]
            cells = [f"{x:+.0f}" if x == x else "?" for x in row]
            rows.add_row(hole, *cells, f"{known.mean():+.2f}" if len(known) else "?")
        console.print(rows)
    total = sum(outcome.nodes for outcome in outcomes.values())
    console.print(
        f"{len(outcomes)} proofs, {total:,} positions looked at, {sum(o.seconds for o in outcomes.values()):.0f} s of all threads"
    )


def _draw(game: SowingGame, grids: dict[str, NDArray[Any]], path: Path) -> None:
    """Heat maps of South's results by first holes, one for each way to go on."""
    import matplotlib

    form = path.suffix[1:].lower()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "muang"}):
        _heat_maps(game, grids, path, form)


def _heat_maps(game: SowingGame, grids: dict[str, NDArray[Any]], path: Path, form: str) -> None:
    from matplotlib.figure import Figure

    from muang.solver.race import names

    figure = Figure(figsize=(4 * len(grids), 4.3), layout="constrained")
    panels = figure.subplots(1, len(grids), sharey=True)
    for axes, (way, grid) in zip(panels, grids.items(), strict=True):
        axes.imshow(grid, cmap="PuOr", vmin=-1.6, vmax=1.6)
        axes.set_xticks(range(len(grid)), names(game, 1))
        axes.set_yticks(range(len(grid)), names(game, 0))
        axes.set_xlabel("North lifts first")
        axes.set_title(f"going on with {WAYS[way]}", fontsize=10)
        for (i, j), value in _cells(grid):
            sign = "?" if value != value else "S" if value > 0 else "N" if value < 0 else "="
            axes.text(j, i, sign, ha="center", va="center", fontsize=9)
    panels[0].set_ylabel("South lifts first")
    figure.suptitle("Who wins with best play after the race: S, N, or = for a draw", fontsize=12)
    figure.savefig(path, format=form, dpi=150, metadata={"Date": None} if form == "svg" else {})


def _cells(grid: NDArray[Any]) -> list[tuple[tuple[int, int], float]]:
    """Every cell of a grid with its row and column."""
    return [((i, j), float(value)) for i, row in enumerate(grid) for j, value in enumerate(row)]
