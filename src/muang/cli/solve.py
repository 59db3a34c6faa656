"""Owns ``muang solve``: which exact results can be worked out. Each command has its own module; the solving is ``muang.solver``'s."""

from __future__ import annotations

import typer

from muang.cli import solve_ca_ngua, solve_endgame, solve_race, solve_turns

__all__ = ["app"]

app = typer.Typer(name="solve", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def solve() -> None:
    """Work out exact results: tables and proofs, kept in the user's folder."""


for command in (
    solve_turns.turns,
    solve_turns.check,
    solve_endgame.endgame,
    solve_ca_ngua.ca_ngua,
    solve_race.race,
    solve_race.openings,
):
    app.command()(command)
