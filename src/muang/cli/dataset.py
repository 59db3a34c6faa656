"""Owns ``muang dataset``: matches between computer players as a Parquet file. Playing and writing are ``muang.lab``'s."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from muang.cli.common import GameName, OptionPairs, Ruleset, WrongUse, build_game, err, out

__all__ = ["dataset"]


def dataset(
    name: GameName,
    path: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The Parquet file to write.")],
    n: Annotated[int, typer.Option("-n", min=1, max=10_000_000, help="How many matches.")] = 100,
    players: Annotated[
        str, typer.Option(metavar="NAMES", help="One player, or one for each seat, with commas; or search:nodes=2000.")
    ] = "random,greedy",
    seed: Annotated[int, typer.Option(min=0, max=(1 << 64) - 1, help="Decides every lot: the same seed gives the same file.")] = 0,
    ruleset: Ruleset = None,
    option: OptionPairs = None,
    seats: Annotated[str, typer.Option(metavar="SEATS", help="Cờ cá ngựa: who sits where, for example 0,1,2.")] = "",
    value_nodes: Annotated[
        int, typer.Option(min=0, max=1 << 39, metavar="NODES", help="Give every choice the value of a search of so many nodes.")
    ] = 0,
    opening: Annotated[int, typer.Option(min=-1, max=1000, help="Choices by lot at the start; -1: 4 in the sowing games, else 0.")] = -1,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Make the file anew if it is there.")] = False,
    workers: Annotated[int, typer.Option(min=0, max=4096, help="Processes; 0 for one a core.")] = 0,
) -> int:
    """Write matches between computer players as a data set.

    One row a choice: position, legal actions, action, value, result. A run that was stopped goes on with the same command.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from muang.lab.dataset import DataSet, write

    of = build_game(name, ruleset, option)
    if seats and not all(seat.isdigit() and len(seat) < 3 for seat in seats.split(",")):
        raise WrongUse(f"seats are numbers with commas, not {seats!r}")
    table = tuple(int(seat) for seat in seats.split(",")) if seats else None
    made = DataSet(of, n, tuple(_names(players)), seed, table, value_nodes, opening)
    before = time.perf_counter()
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err(), transient=True, disable=not err().is_terminal) as bar:
        task = bar.add_task(name, total=n)
        try:
            rows = write(made, path, overwrite=overwrite, workers=workers or None, progress=lambda done: bar.advance(task, done))
        except KeyboardInterrupt:
            bar.stop()
            err().print("muang: stopped; the same command goes on from here")
            return 130
    out().print(f"{path}: {rows} choices of {n} matches, {path.stat().st_size:,} bytes, in {time.perf_counter() - before:.1f} s")
    return 0


def _names(text: str) -> list[str]:
    """Players with commas between them; the limits of a search have commas too."""
    names: list[str] = []
    for word in text.split(","):
        if names and "=" in word and ":" not in word:
            names[-1] += f",{word}"
        else:
            names.append(word)
    return names
