"""Owns ``muang backup``, ``restore``, ``migrate``, ``forget`` and ``doctor``: looking after a server. The work is ``server``'s."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from muang.cli.common import FINDING, WrongUse, out

__all__ = ["backup", "doctor", "forget", "migrate", "restore"]

Data = Annotated[Path | None, typer.Option(metavar="FOLDER", help="Where matches are kept; the user's data folder if left out.")]


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The copy, for example muang-backup.gz.")],
    data: Data = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
) -> int:
    """Copy all matches to a file, while the server may go on."""
    from muang.server.upkeep import copy_database

    copied, where = copy_database(file, data, force)
    size = file.stat().st_size
    out().print(f"{copied.matches} matches with {copied.entries} entries of {where} are in {file} ({size / 1e6:.1f} MB)")
    return 0


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A copy made by muang backup, of either kind of database.")],
    data: Data = None,
    force: Annotated[bool, typer.Option("--force", help="Also where there are matches; the copy takes their place.")] = False,
) -> int:
    """Put a copy in the database's place. Nothing is changed unless the copy is whole."""
    from muang.server.upkeep import restore_database

    copied, where, kept = restore_database(file, data, force)
    out().print(f"{where} holds the {copied.matches} matches with {copied.entries} entries of {file}")
    if kept is not None:
        out().print(f"what was there before is kept in {kept}; delete it when you do not need it any more")
    return 0


def migrate(data: Data = None) -> int:
    """Bring the database up to date for this version, after an upgrade."""
    from muang.server.upkeep import migrate_database

    out().print(f"{migrate_database(data)} has the tables of this version")
    return 0


def forget(
    match: Annotated[list[str] | None, typer.Argument(metavar="MATCH", help="Ids of matches, as in their addresses.")] = None,
    older_than: Annotated[
        int | None, typer.Option("--older-than", metavar="DAYS", min=0, help="All matches without an entry for so many days.")
    ] = None,
    compact: Annotated[bool, typer.Option("--compact", help="Give the disk back what they took; matches stand still meanwhile.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    data: Data = None,
) -> int:
    """Delete matches with their logs and the names in them."""
    from muang.server.upkeep import forget_matches, forget_older

    if bool(match) == (older_than is not None):
        raise WrongUse("name the matches to forget, or say --older-than DAYS")
    if not yes:
        what = f"{len(match)} matches" if match else f"all matches without an entry for {older_than} days"
        typer.confirm(f"Delete {what}? They cannot be had back", abort=True)
    gone = forget_matches(match, data, compact) if match else forget_older(older_than or 0, data, compact)
    out().print(f"{gone} matches are deleted")
    return 0


def doctor(
    data: Data = None,
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="The port to look at; the usual one if left out.")] = None,
    newest: Annotated[int | None, typer.Option(metavar="NUMBER", min=0, help="Replay only so many of the newest matches.")] = None,
) -> int:
    """Look a server over: settings, folder, database, every match's log, port, kernels. Exit code 1 if something has to be done."""
    from muang.server.doctor import examine

    console, bad = out(), 0
    for finding in examine(data, port, newest):
        bad += finding.grade == "bad"
        console.print(f"{finding.grade:<4}  {finding.what}")
    console.print("all is well" if not bad else f"{bad} things to be done" if bad > 1 else "1 thing to be done")
    return FINDING if bad else 0
