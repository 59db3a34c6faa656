"""Owns ``muang arena``: many matches between two players, told as a table and as JSON. Playing and statistics are ``muang.lab``'s."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from muang.cli.common import GameName, OptionPairs, Ruleset, WrongUse, build_game, err, out

if TYPE_CHECKING:
    from muang.lab.arena import Standing

__all__ = ["arena"]

MOST_MATCHES = 10_000
"""Matches of a test that does not end by itself, if not told."""


def arena(
    first: Annotated[str, typer.Argument(metavar="A", help="A player: random, greedy, level-1 … level-8, search, or ugi:COMMAND.")],
    second: Annotated[str, typer.Argument(metavar="B", help="The player against it.")],
    name: GameName,
    n: Annotated[int | None, typer.Option("-n", min=1, max=10_000_000, help="How many matches; 100, or 10000 with --sprt.")] = None,
    sprt: Annotated[
        str, typer.Option(metavar="H0,H1", help="Stop when sure: two shares of A (0.5,0.6) or two Elo differences (0,10).")
    ] = "",
    error: Annotated[float, typer.Option(metavar="CHANCE", help="With --sprt: the chance of each kind of mistake.")] = 0.05,
    ruleset: Ruleset = None,
    option: OptionPairs = None,
    seats: Annotated[str, typer.Option(metavar="SEATS", help="Cờ cá ngựa: who sits where, for example 0,1,2.")] = "",
    pace: Annotated[str, typer.Option(metavar="PACE", help="How races go: lockstep, steady or by_hand.")] = "lockstep",
    seed: Annotated[int, typer.Option(min=0, max=(1 << 64) - 1, help="Decides every lot: the same seed plays the same matches.")] = 0,
    opening: Annotated[int, typer.Option(min=-1, max=1000, help="Choices by lot at the start; -1: 4 in the sowing games, else 0.")] = -1,
    nodes: Annotated[int | None, typer.Option(min=1, max=1 << 39, help="For search and ugi: nodes a choice.")] = None,
    time_ms: Annotated[int | None, typer.Option(min=1, max=1 << 39, help="For search and ugi: ms a choice.")] = None,
    timeout: Annotated[float, typer.Option(min=0.1, max=86400, help="For ugi: seconds after which a silent program loses.")] = 60,
    tables: Annotated[bool, typer.Option("--tables", help="Let players read the solved tables kept on this machine.")] = False,
    workers: Annotated[int, typer.Option(min=0, max=4096, help="Processes; 0 for one a core.")] = 0,
    cluster: Annotated[str, typer.Option(metavar="ADDRESS", help="A Dask scheduler whose machines do the work, tcp://HOST:8786.")] = "",
    json_path: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the result as JSON; - for standard output.")
    ] = None,
) -> int:
    """Let two players play many matches, sides swapped.

    Says how much stronger A is, and how sure that is.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from muang.lab.arena import Standing, run
    from muang.lab.arena_group import Arena
    from muang.lab.sprt import Sprt

    of = build_game(name, ruleset, option)
    if seats and not all(seat.isdigit() and len(seat) < 3 for seat in seats.split(",")):
        raise WrongUse(f"seats are numbers with commas, not {seats!r}")
    table = tuple(int(seat) for seat in seats.split(",")) if seats else None
    of_run = Arena(of, (first, second), seed, table, pace, opening, nodes, time_ms, timeout, tables)
    test = Sprt.read(sprt, len(of_run.table()), error) if sprt else None
    matches = n or (MOST_MATCHES if test else 100)
    if json_path is not None and str(json_path) != "-":
        json_path.open("a").close()  # what cannot be written is said now, not after hours
    standing = Standing(of_run, test)
    before, stopped = time.perf_counter(), False
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err(), transient=True, disable=not err().is_terminal) as bar:
        task = bar.add_task(of.name, total=matches)

        def tell(now: Standing) -> None:
            nonlocal standing
            standing = now
            bar.update(task, completed=now.matches, description=f"{now.points[1.0]} : {now.points[0.0]}")

        try:
            standing = run(of_run, matches, test=test, workers=workers or None, cluster=cluster, progress=tell)
        except KeyboardInterrupt:
            stopped = True
    if not standing.matches:
        err().print("muang: stopped")
        return 130
    summary = standing.summary()
    if json_path is not None and str(json_path) != "-":
        json_path.write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")
    if json_path is not None and str(json_path) == "-":
        print(json.dumps(summary, indent=2))
    else:
        _table(summary, standing, time.perf_counter() - before)
    if stopped:
        err().print("muang: stopped before the end")
        return 130
    return 0


def _table(summary: dict[str, Any], standing: Standing, seconds: float) -> None:
    from rich.table import Table

    console = out()
    a, b = summary["players"]
    total = summary["matches"]
    console.print(f"{summary['game']}, {summary['ruleset']}, seed {summary['seed']}: {total} matches in {seconds:.1f} s")
    rows = Table("", "won", "drawn", "lost", "%", "ms a choice", box=None)
    share = 100 * summary["share"]
    won, drawn, lost = summary["won"], summary["drawn"], summary["lost"]
    rows.add_row(a, f"{won}", f"{drawn}", f"{lost}", f"{share:.1f}", f"{standing.ms(0):.1f}")
    if len(summary["seats"]) == 2:
        rows.add_row(b, f"{lost}", f"{drawn}", f"{won}", f"{100 - share:.1f}", f"{standing.ms(1):.1f}")
    else:
        others = len(summary["seats"]) - 1
        rows.add_row(f"{others} × {b}", f"{lost}", f"{drawn}", f"{won}", f"{100 - share:.1f}", f"{standing.ms(1):.1f}")
    console.print(rows)
    low, high = summary["share_95"]
    console.print(f"share of {a}: {share:.1f} % (95 %: {100 * low:.1f} to {100 * high:.1f}); even is {100 / len(summary['seats']):.1f} %")
    elo = [_elo(summary["elo"], summary["share"]), *(_elo(*pair) for pair in zip(summary["elo_95"], (low, high), strict=True))]
    console.print(f"Elo: {elo[0]} (95 %: {elo[1]} to {elo[2]})")
    test = summary["sprt"]
    if test is not None:
        told = {"H1": "yes", "H0": "no", None: "not decided"}[test["verdict"]]
        question = f"{100 * test['share1']:.1f} % or more, rather than {100 * test['share0']:.1f} % or less?"
        console.print(f"test: {question} {told} (LLR {test['llr']:.2f}, ends at ±{test['bound']:.2f})")
    wins = ", ".join(f"{count} from seat {seat}" for seat, count in summary["won_by_seat"].items())
    console.print(f"{a} won {wins}; who was first won {summary['won_by_first']} of {total}")
    console.print(f"{summary['different']} of {total} matches are different; {summary['choices']:.1f} choices a match")
    for who, count in summary["faults"].items():
        console.print(f"{who} lost {count} by its own fault; the first: {summary['first_faults'][0]['why']}")


def _elo(elo: float | None, share: float) -> str:
    if elo is None:
        return "-∞" if share < 0.5 else "+∞"
    return f"{elo:+.0f}"
