"""Owns ``muang lab``: experiments about live play. ``fairness`` measures whether a race over a network is fair; the races are run by
``muang.lab.fairness``."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from muang.cli.common import WrongUse, err, out

if TYPE_CHECKING:
    from muang.lab.fairness import Link, Races, Tally

__all__ = ["app"]

app = typer.Typer(name="lab", help="Experiments about live play.", no_args_is_help=True, rich_markup_mode=None)
ARRIVAL_SHARE = 5
"""One race in so many is run again with inputs in the order of their arrival, for comparison."""


@app.callback()
def _group() -> None:
    """Experiments about live play."""


@app.command()
def fairness(
    name: Annotated[str, typer.Argument(metavar="[GAME]", help="abalalae or mak-khum; both if left out.")] = "",
    n: Annotated[int, typer.Option("-n", min=1, max=1_000_000, help="How many races.")] = 10_000,
    near: Annotated[float, typer.Option(min=0, max=10_000, metavar="MS", help="Round trip of the near player.")] = 20,
    far: Annotated[float, typer.Option(min=0, max=10_000, metavar="MS", help="Round trip of the far player.")] = 250,
    jitter: Annotated[float, typer.Option(min=0, max=10_000, metavar="MS", help="Up to so much more, each way, each message.")] = 30,
    loss: Annotated[float, typer.Option(min=0, max=50, metavar="PERCENT", help="Packets of the far player lost and sent again.")] = 0,
    liar: Annotated[float, typer.Option(min=0, max=10_000, metavar="MS", help="The near player's clock dates its inputs back so far.")] = 0,
    max_lag: Annotated[int, typer.Option(min=0, max=10_000, metavar="MS", help="How far before its arrival an input may count.")] = 250,
    worse: Annotated[bool, typer.Option("--worse", help="Also, with a fifth of the races: worse links, lost packets and a liar.")] = False,
    seed: Annotated[int, typer.Option(min=0, max=(1 << 64) - 1, help="The same seed runs the same races.")] = 0,
    workers: Annotated[int, typer.Option(min=0, max=4096, help="Processes; 0 for one a core.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object for each line of the table.")] = False,
) -> None:
    """Measure whether a race by hand over a network is fair.

    Two equally fast players tap over simulated links, through the real room and clocks; seats and first go round. Beside it stands what
    the order of arrival would give.
    """
    from muang.lab.fairness import GAMES, Link, Races

    if name and name not in GAMES:
        raise WrongUse(f"there is no race of {name!r} to measure (allowed: {', '.join(GAMES)})")
    for game in [name] if name else GAMES:
        usual = Races(game, Link(near, jitter), Link(far, jitter, loss / 100), max_lag, liar)
        lines = [(usual, n)]
        if worse:
            few = max(1, n // ARRIVAL_SHARE)
            links = [Link(400, jitter), Link(800, jitter), Link(far, jitter, 0.02)]
            lines += [(replace(usual, far=link, lie=0.0), few) for link in links]
            lines += [(replace(usual, lie=lie), few) for lie in (100.0, 1000.0)]
        _lines(lines, seed, workers or None, as_json)


def _lines(lines: list[tuple[Races, int]], seed: int, workers: int | None, as_json: bool) -> None:
    from rich.table import Table

    table = Table(box=None)
    for title in ("far player", "races", "near wins %", "by arrival", "taps first %", "by arrival", "early ms", "most"):
        table.add_column(title, no_wrap=True)
    before = time.perf_counter()
    for races, n in lines:
        judged = _run(races, n, seed, workers)
        arrival = _run(replace(races, max_lag=0, lie=0.0), max(1, n // ARRIVAL_SHARE), seed, workers)
        if as_json:
            print(json.dumps(_data(races, judged, arrival)), flush=True)
            continue
        table.add_row(
            _about(races.far, races.lie),
            str(judged.races),
            f"{100 * judged.share:.1f} ± {100 * judged.error:.1f}",
            f"{100 * arrival.share:.1f} ± {100 * arrival.error:.1f}",
            f"{100 * judged.first_share:.1f}",
            f"{100 * arrival.first_share:.1f}",
            f"{judged.mean_early('near'):.1f}, {judged.mean_early('far'):.1f}",
            str(max(judged.most_early.values())),
        )
    if not as_json:
        races, _ = lines[0]
        console = out()
        console.print(
            f"{races.name}: near player {_about(races.near)}; jitter {races.near.jitter:g} ms; an input counts at most {races.max_lag} ms "
            f"before its arrival; {time.perf_counter() - before:.0f} s"
        )
        out(width=120).print(table)


def _about(link: Link, lie: float = 0.0) -> str:
    words = f"{link.trip:g} ms"
    if link.loss:
        words += f", loss {100 * link.loss:g}%"
    return f"{words}; near lies {lie:g}" if lie else words


def _data(races: Races, judged: Tally, arrival: Tally) -> dict[str, Any]:
    def link(of: Link) -> dict[str, float]:
        return {"trip": of.trip, "jitter": of.jitter, "loss": of.loss}

    return {
        "game": races.name,
        "near": link(races.near),
        "far": link(races.far),
        "max_lag": races.max_lag,
        "lie": races.lie,
        "races": judged.races,
        "near_share": judged.share,
        "error": judged.error,
        "near_first": judged.first_share,
        "by_arrival": {"races": arrival.races, "near_share": arrival.share, "error": arrival.error, "near_first": arrival.first_share},
        "early_ms": {who: judged.mean_early(who) for who in ("near", "far")},
        "most_early_ms": dict(judged.most_early),
        "steps": judged.steps / judged.races,
        "ms": judged.ms / judged.races,
        "late": judged.late / judged.races,
    }


def _run(races: Races, n: int, seed: int, workers: int | None) -> Tally:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from muang.lab.fairness import Tally, measure

    tally = Tally()
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err(), transient=True, disable=not err().is_terminal) as bar:
        task = bar.add_task(races.name, total=n)
        for part in measure(races, n, seed, workers):
            tally.add(part)
            bar.advance(task, part.races)
    return tally
