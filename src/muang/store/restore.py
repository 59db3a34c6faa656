"""Owns putting a copy in the place of a database: a SQLite file is built beside the old one and takes its name at the end, which is kept.

Who may do it while a server runs is not decided here.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import time
from pathlib import Path

from muang.store.copies import Copied, fill, inspect_copy, sync_folder
from muang.store.errors import StoreBusy, StoreError
from muang.store.store import Store, database_url, sqlite_url

__all__ = ["database_file", "held", "restore"]


def database_file(address: str) -> Path | None:
    """The SQLite file of an address; None for PostgreSQL. ``StoreError`` for an address that cannot be used or a database in memory."""
    url = database_url(address)
    if url.get_backend_name() != "sqlite":
        return None
    if not url.database or url.database == ":memory:":
        raise StoreError("a database in memory has no file")
    return Path(url.database)


async def restore(address: str, path: Path, *, replace: bool = False) -> tuple[Copied, Path | None]:
    """Put the copy at ``path`` in the database's place. Nothing is changed before the whole copy has been read and written beside it.

    Gives what was in the copy, and where the old SQLite file is kept (None: there was none, or nothing in it). ``StoreError``: the copy is
    not whole, there is something in the database and ``replace`` is False, or it cannot be written.
    """
    file = database_file(address)
    if file is None:
        inspect_copy(path)
        store = await Store.open(address, upgrade=True)
        try:
            return await fill(store, path, replace=replace), None
        finally:
            await store.close()
    copied = inspect_copy(path)
    there = held(file)
    if there and not replace:
        what = "is damaged" if there == "damaged" else f"holds {there} matches"
        raise StoreError(f"{file} {what}; with --force the copy takes its place, and the file is kept beside it")
    beside = file.with_name(f".{file.name}.{os.getpid()}.new")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        store = await Store.open(sqlite_url(beside), upgrade=True)
        try:
            await fill(store, path, replace=True)
        finally:
            await store.close()
        kept = _set_aside(file) if there != 0 else None
        with contextlib.suppress(FileNotFoundError):
            shutil.copymode(file, beside)
        for end in ("-wal", "-shm"):  # of an empty database: it must not be taken for the new one's
            file.with_name(file.name + end).unlink(missing_ok=True)
        os.replace(beside, file)
        sync_folder(file.parent)
    except OSError as error:
        raise StoreError(f"{file} cannot be replaced: {error.strerror or error}") from error
    finally:
        for end in ("", "-wal", "-shm", "-journal"):
            with contextlib.suppress(OSError):
                beside.with_name(beside.name + end).unlink(missing_ok=True)
    return copied, kept


def held(file: Path) -> int | str:
    """How many matches a SQLite file holds; ``"damaged"`` where that cannot be read. ``StoreBusy`` if another program holds it."""
    if not file.exists():
        return 0
    try:
        with contextlib.closing(sqlite3.connect(file, timeout=1)) as connection:
            if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                return "damaged"
            if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'matches'").fetchone():
                return 0
            return int(connection.execute("SELECT count(*) FROM matches").fetchone()[0])
    except sqlite3.OperationalError as error:
        if "locked" in str(error) or "busy" in str(error):
            raise StoreBusy(f"{file} is locked by another program; close it and try again") from error
        return "damaged"
    except sqlite3.DatabaseError:
        return "damaged"


def _set_aside(file: Path) -> Path:
    """Give the old file a second name, whole: what still stands in the log ahead of it is put into it first."""
    kept = file.with_name(f"{file.name}.before-{time.strftime('%Y%m%d-%H%M%S')}")
    number = 1
    while kept.exists():
        number += 1
        kept = kept.with_name(f"{kept.name.partition('~')[0]}~{number}")
    try:
        with contextlib.closing(sqlite3.connect(file, timeout=1)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            if connection.execute("PRAGMA journal_mode=DELETE").fetchone() != ("delete",):
                raise StoreBusy(f"{file} is used by another program; close it and try again")
    except sqlite3.OperationalError as error:
        if "locked" in str(error) or "busy" in str(error):
            raise StoreBusy(f"{file} is used by another program; close it and try again") from error
    except sqlite3.DatabaseError:  # damaged: kept as it is
        pass
    for end in ("-wal", "-shm"):
        left = file.with_name(file.name + end)
        if left.exists():
            os.replace(left, kept.with_name(kept.name + end))
    try:
        os.link(file, kept)
    except OSError:  # a file system without second names
        shutil.copy2(file, kept)
    return kept
