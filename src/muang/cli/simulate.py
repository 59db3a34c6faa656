"""Owns ``muang simulate``: many matches between computer players, and a table of what they came to. The playing is ``muang.lab``'s."""

from __future__ import annotations

import json
import time
from typing import Annotated, Any

import typer

from muang.cli.common import GameName, OptionPairs, Ruleset, WrongUse, build_game, err, out

__all__ = ["simulate"]


def simulate(
    name: GameName,
    n: Annotated[int, typer.Option("-n", min=1, max=10_000_000, help="How many matches.")] = 100,
    players: Annotated[str, typer.Option(metavar="NAMES", help="One player, or one for each seat, with commas.")] = "random,greedy",
    seed: Annotated[int, typer.Option(min=0, max=(1 << 64) - 1, help="Decides every lot: the same seed plays the same matches.")] = 0,
    ruleset: Ruleset = None,
    option: OptionPairs = None,
    seats: Annotated[str, typer.Option(metavar="SEATS", help="Cờ cá ngựa: who sits where, for example 0,1,2.")] = "",
    workers: Annotated[int, typer.Option(min=0, max=4096, help="Processes; 0 for one a core.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")] = False,
) -> None:
    """Play many matches between computer players.

    Says who wins, how long matches last and how many seeds are dropped.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from muang.lab.simulate import simulate as run

    of = build_game(name, ruleset, option)
    table = None
    if seats:
        if not all(seat.isdigit() for seat in seats.split(",")):
            raise WrongUse(f"seats are numbers with commas, not {seats!r}")
        table = tuple(int(seat) for seat in seats.split(","))
    before = time.perf_counter()
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err(), transient=True, disable=not err().is_terminal) as bar:
        task = bar.add_task(name, total=n)
        statistics = run(
            of, n, players.split(","), seed, seats=table, workers=workers or None, progress=lambda done: bar.advance(task, done)
        )
    summary = statistics.summary()
    if as_json:
        head = {"game": of.name, "ruleset": of.ruleset, "options": of.changes(), "players": players.split(","), "seed": seed}
        print(json.dumps(head | summary))
        return
    _table(f"{of.name}, {of.ruleset}, seed {seed}", summary, time.perf_counter() - before)


def _table(title: str, summary: dict[str, Any], seconds: float) -> None:
    from rich.table import Table

    console = out()
    total = summary["games"]
    console.print(f"{title}: {total} matches in {seconds:.1f} s, {total / seconds:,.0f} a second")
    wins = Table("", "matches", "%", box=None)
    shares = [(f"won by {name}", count) for name, count in summary["wins"].items()]
    shares += [(f"won from seat {seat}", count) for seat, count in summary["wins_by_seat"].items()]
    shares += [("won by who was first", summary["wins_by_first"]), ("drawn", summary["draws"])]
    shares += [(f"ended by {reason}", count) for reason, count in summary["reasons"].items()]
    for label, count in shares:
        wins.add_row(label, f"{count}", f"{100 * count / total:.1f}")
    console.print(wins)
    spreads = Table("a match", "mean", "least", "median", "most", box=None)
    for name, spread in summary.items():
        if isinstance(spread, dict) and "median" in spread:
            spreads.add_row(name.replace("_", " "), f"{spread['mean']:.1f}", *(f"{spread[key]:.0f}" for key in ("least", "median", "most")))
    console.print(spreads)
