"""Owns ``muang conform`` and ``muang perft``: whether the rules are what they should be. The checking itself is ``muang.lab``'s."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from muang.cli.common import FINDING, GameName, OptionPairs, Ruleset, WrongUse, build_game, err, out

__all__ = ["conform", "perft"]


def conform(paths: Annotated[list[Path], typer.Argument(metavar="PATH…", help="Case files (.jsonl), or folders of them.")]) -> int:
    """Check conformance cases.

    The last line says how many passed and failed; exit code 1 if any failed.
    """
    from rich.progress import Progress

    from muang.lab import conform as lab

    found = lab.files(paths)
    console = out()
    passed = failed = 0
    with Progress(console=err(), transient=True, disable=not err().is_terminal) as bar:
        task = bar.add_task("", total=None)
        for outcome in lab.run(found):
            bar.update(task, advance=1, description=outcome.path.name)
            if outcome.differs is None:
                passed += 1
            else:
                failed += 1
                console.print(f"{outcome.path}:{outcome.line}: {outcome.id or 'no id'}: {outcome.differs}")
    console.print(f"{passed} passed, {failed} failed")
    return FINDING if failed else 0


def perft(
    name: GameName,
    depth: Annotated[int, typer.Option(min=1, max=40, help="How many choices deep.")],
    ruleset: Ruleset = None,
    option: OptionPairs = None,
    position: Annotated[str, typer.Option(metavar="LINE", help="Count from this position instead of the start.")] = "",
    first: Annotated[str, typer.Option(metavar="SEAT", help="Who opens; drawn by lot from seed 0 if left out.")] = "",
) -> None:
    """Count the choices tree: leaves at each depth up to N."""
    from muang.games.core import position as read_position
    from muang.lab import perft as lab

    of = build_game(name, ruleset, option)
    if position:
        if ruleset or option or first:
            raise WrongUse("a position brings its own rules: leave out --ruleset, --option and --first")
        at = read_position(position)
        if at.game.name != name:
            raise WrongUse(f"this is a position of {at.game.name}, not of {name}")
        match = at.start()
    else:
        match = of.start(first=(int(first) if first.isdigit() else first) if first else None)
    console = out()
    console.print("depth           leaves   seconds")
    for d in range(1, depth + 1):
        before = time.perf_counter()
        count = lab.leaves(match, d)
        console.print(f"{d:5} {count:16,} {time.perf_counter() - before:9.3f}")
