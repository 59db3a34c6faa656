"""Owns the command ``muang``: which commands there are, exit codes, and one clear line for every error. The commands are thin.

Exit codes: 0 done · 1 a finding (a case that fails, a record that does not replay) · 2 wrong use. Commands import what they need when
they run, so that ``muang --help`` does not wait for Numba.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from muang import __version__
from muang.cli import analyse, arena, check, dataset, dice, engine, info, lab, play, record, serve, simulate, solve, tui, upkeep
from muang.cli.common import WRONG_USE, err
from muang.errors import MuangError

__all__ = ["app", "main", "run"]

app = typer.Typer(
    name="muang",
    help="Mak Khum, Abalala'e and Cờ cá ngựa: play, replay, check and measure.",
    add_completion=False,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    rich_markup_mode=None,
)

# every refusal of the command line itself (an unknown option, a missing argument) descends from this; typer keeps it private
_Complaint: type[Exception] = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")


def _version(value: bool) -> None:
    if value:
        print(f"muang {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")] = False,
) -> None:
    """Mak Khum, Abalala'e and Cờ cá ngựa: play, replay, check and measure."""


for command in (
    info.games,
    info.rules,
    play.play,
    tui.tui,
    record.show,
    record.replay,
    record.picture,
    analyse.analyse,
    check.conform,
    check.perft,
    simulate.simulate,
    dataset.dataset,
    arena.arena,
    engine.engine,
    serve.bench,
    serve.serve,
    upkeep.backup,
    upkeep.restore,
    upkeep.migrate,
    upkeep.forget,
    upkeep.doctor,
):
    app.command()(command)
for group in (solve, dice, lab):
    app.add_typer(group.app)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command; gives its exit code. Errors become one line on standard error."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without Thai letters still gets its board
    try:
        code = app(args=None if arguments is None else list(arguments), prog_name="muang", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except _Complaint as error:
        complaint = error.format_message()  # type: ignore[attr-defined]
        if complaint:
            err().print(f"muang: {complaint}")
        return WRONG_USE
    except (typer.Abort, KeyboardInterrupt, EOFError):
        err().print("muang: stopped")
        return 130
    except BrokenPipeError:  # `muang rules mak-khum | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        err().print(f"muang: {error.filename or 'input or output'}: {error.strerror or error}")
        return WRONG_USE
    except MuangError as error:
        err().print(f"muang: {error}")
        return WRONG_USE


def main() -> None:
    """The entry point of the command ``muang``."""
    sys.exit(run())
