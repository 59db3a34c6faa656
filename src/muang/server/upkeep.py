"""Owns what whoever runs a server does to its database from a shell: copy it, put a copy back, bring it up to date, forget matches.

Each of them names what it worked on. Nothing is printed here.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import time
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from muang.server.owner import hold_file, other_workers
from muang.server.settings import Settings
from muang.store import Copied, NoSuchMatch, Store, StoreBusy, StoreError, backup, database_file, restore
from muang.store.errors import translate_error

__all__ = ["DAY_MS", "copy_database", "forget_matches", "forget_older", "migrate_database", "restore_database", "settings_for"]

DAY_MS = 86_400_000

T = TypeVar("T")


def settings_for(data_dir: Path | None) -> Settings:
    """The settings that a server in this environment would have. ``BadSetting``."""
    given: dict[str, Any] = {} if data_dir is None else {"data_dir": data_dir}
    return Settings.from_env(**given)


def _run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


def _existing(settings: Settings) -> None:
    """``StoreError`` where a SQLite file would have to be made first."""
    file = database_file(settings.address)
    if file is not None and not file.exists():
        raise StoreError(f"there is no database at {file}; --data FOLDER names another place, MUANG_DATABASE another database")


@contextlib.contextmanager
def _nobody_serving(settings: Settings) -> Iterator[None]:
    """Keep servers out of a SQLite file meanwhile. ``StoreBusy`` if one uses it."""
    file = database_file(settings.address)
    if file is None:
        yield
        return
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{file.parent} cannot be made ({error.strerror or error})") from error
    lock = hold_file(file)
    try:
        yield
    finally:
        lock.release()


def migrate_database(data_dir: Path | None = None) -> str:
    """Bring the database up to date and say which one it was. ``StoreError``; ``StoreBusy`` while a server uses a SQLite file."""
    settings = settings_for(data_dir)

    async def work() -> str:
        store = await Store.open(settings.address, upgrade=True)
        await store.close()
        return store.where

    with _nobody_serving(settings):
        return _run(work())


def copy_database(path: Path, data_dir: Path | None = None, force: bool = False) -> tuple[Copied, str]:
    """Copy everything to ``path`` while servers may go on. ``StoreError``."""
    settings = settings_for(data_dir)
    _existing(settings)
    if path.exists() and not force:
        raise StoreError(f"there is a file {path} already; --force writes the copy in its place")

    async def work() -> tuple[Copied, str]:
        store = await Store.open(settings.address, upgrade=False)
        try:
            return await backup(store, path), store.where
        finally:
            await store.close()

    return _run(work())


def restore_database(path: Path, data_dir: Path | None = None, force: bool = False) -> tuple[Copied, str, Path | None]:
    """Put a copy in the database's place: what was in it, which database, and where the old file is kept. ``StoreError``, ``StoreBusy``."""
    settings = settings_for(data_dir)

    async def work() -> tuple[Copied, str, Path | None]:
        file = database_file(settings.address)
        if file is None:
            where = await _no_workers(settings)
        else:
            where = str(file)
        copied, kept = await restore(settings.address, path, replace=force)
        return copied, where, kept

    with _nobody_serving(settings):
        return _run(work())


async def _no_workers(settings: Settings) -> str:
    store = await Store.open(settings.address, upgrade=True)
    try:
        there = await other_workers(store)
    finally:
        await store.close()
    if there:
        raise StoreBusy(
            f"{there} Muang server{'s use' if there > 1 else ' uses'} {store.where}; stop {'them' if there > 1 else 'it'} first"
        )
    return store.where


def forget_matches(ids: list[str], data_dir: Path | None = None, compact: bool = False) -> int:
    """Delete these matches, all of them or none. ``NoSuchMatch`` names one that is not there."""

    async def work(store: Store) -> int:
        missing = [match_id for match_id in ids if match_id not in await store.known(ids)]
        if missing:
            raise NoSuchMatch(f"there is no match {missing[0]!r}; nothing was deleted")
        return await store.delete_all(ids)

    return _run(_forget(settings_for(data_dir), work, compact))


def forget_older(days: int, data_dir: Path | None = None, compact: bool = False, now: int | None = None) -> int:
    """Delete all matches without an entry for so many days; gives how many that were."""
    moment = time.time_ns() // 1_000_000 if now is None else now
    before = moment - days * DAY_MS

    async def work(store: Store) -> int:
        gone = 0
        while ids := await store.expired(before, before):
            gone += await store.delete_all(ids)
        return gone

    return _run(_forget(settings_for(data_dir), work, compact))


async def _forget(settings: Settings, work: Any, compact: bool) -> int:
    _existing(settings)
    store = await Store.open(settings.address, upgrade=False)
    try:
        gone = int(await work(store))
        if compact:
            await _compact(store)
        return gone
    finally:
        await store.close()


async def _compact(store: Store) -> None:
    """Give the disk back what deleted matches took."""
    try:
        if store.sqlite:
            with contextlib.closing(sqlite3.connect(str(store.engine.url.database), isolation_level=None)) as file:
                file.execute("VACUUM")
            return
        async with store.engine.connect() as connection:
            await connection.execution_options(isolation_level="AUTOCOMMIT")
            await connection.execute(text("VACUUM FULL matches, entries"))
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        raise translate_error(error, store.where) from error
