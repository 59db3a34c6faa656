"""Owns how long work looks in the terminal: a bar with an estimate, Ctrl-C that keeps what is done. Does no work itself."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import typer
from rich.progress import BarColumn, TaskProgressColumn, TextColumn
from rich.progress import Progress as Bar

from muang.cli.common import err
from muang.search.limits import Stop
from muang.solver.work import OnProgress, Progress, Stopped, ctrl_c

__all__ = ["STOPPED", "duration", "working"]

STOPPED = 130
"""Exit code: stopped with Ctrl-C."""
_EVERY = 30.0


@contextmanager
def working(title: str, kept: str = "what is done is kept: the same command goes on from here") -> Iterator[tuple[Stop, OnProgress]]:
    """A switch that Ctrl-C turns, and what hears of progress; for ``solver.work.Work``.

    A terminal gets a bar, anything else a line every half minute. ``Stopped`` ends the command with exit code 130 and ``kept``.
    """
    stop, console = Stop(), err()
    last = time.monotonic()
    with Bar(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[left]}"),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as bar:
        task = bar.add_task(title, total=1.0, left="")

        def heard(step: Progress) -> None:
            nonlocal last
            left = "" if step.left is None else f"{duration(step.left)} left"
            share = step.done / step.total if step.total else 1.0
            if console.is_terminal:
                bar.update(task, completed=share, description=f"{title} {step.note}".strip(), left=left)
            elif time.monotonic() - last >= _EVERY:
                last = time.monotonic()
                console.print(f"{title} {step.note}: {share:.1%}, {left}")

        try:
            with ctrl_c(stop):
                yield stop, heard
        except Stopped:
            bar.stop()
            console.print(f"muang: stopped; {kept}")
            raise typer.Exit(STOPPED) from None


def duration(seconds: float) -> str:
    """``9.3 s``, ``4 min 10 s``, ``2 h 05 min``."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02} min"
