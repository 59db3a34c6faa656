"""Owns reading and writing the log of all matches. Knows no rule; what is appended is never changed.

One writer task commits for all matches at once: whoever appends while a commit is under way shares the next one, so a thousand matches cost
a few commits a second and each ``append`` still returns only when its entries are on disk.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from pydantic import ValidationError
from sqlalchemy import URL, Connection, bindparam, delete, event, func, insert, make_url, select, text, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from muang.store.errors import DamagedStore, NoSuchMatch, StoreError, damaged, inside, translate_error
from muang.store.migrate import check, migrate
from muang.store.tables import entries, matches
from muang.store.writing import SqliteWriter
from muang.wire import LogEntry, Setup, seat_from_text

__all__ = ["MatchRow", "Stage", "Store", "database_url", "sqlite_url"]

MOST_A_COMMIT = 500
MANY, GATHER_SECONDS = 3, 0.008
"""After a commit for so many callers the next one waits so long for more: a commit costs about as much as a move."""
CROWD, CROWD_SECONDS = 16, 0.02
"""After one for a crowd it waits longer: what is saved serves everybody in it sooner."""
BUSY_SECONDS = 5
TOUCH_MS = 10_000
"""``touched`` is written anew only when it is so much behind: a match that is played fast costs one row a move, not two."""
MOST_TOUCHED = 50_000

Stage: TypeAlias = Literal["meeting", "playing", "over"]


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match in a list. ``created``: ms since 1970; ``length``: entries in its log."""

    id: str
    game: str
    created: int
    length: int


@dataclass(slots=True)
class _Batch:
    """What one caller wants in the log."""

    made: list[dict[str, Any]]
    """Rows of new matches; ``new``: of entries."""
    new: list[dict[str, Any]]
    done: asyncio.Future[None]
    marks: dict[str, Any] = field(default_factory=dict)
    """``which`` match was touched at which ``moment``, and at which stage it is ``now_at``; empty if there is nothing to write about it."""


def sqlite_url(path: Path) -> str:
    """The address of a SQLite file."""
    return URL.create("sqlite+aiosqlite", database=str(path)).render_as_string(hide_password=False)


def database_url(address: str) -> URL:
    """The address with the driver that we use. ``StoreError`` names the databases that can be used."""
    try:
        url = make_url(address)
    except SQLAlchemyError:
        raise StoreError("a database address is sqlite:///FILE or postgresql://USER@HOST/NAME") from None
    drivers = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}
    backend = url.drivername.partition("+")[0]
    if backend not in drivers:
        raise StoreError(f"cannot use {backend!r} as a database (allowed: sqlite, postgresql)")
    return url.set(drivername=drivers[backend])


class Store:
    """An open log. Use ``Store.open``; ``close`` it in the end."""

    def __init__(self, engine: AsyncEngine, where: str) -> None:
        self.engine, self.where = engine, where
        self._waiting: list[_Batch] = []
        self._come = asyncio.Event()
        """Something waits to be written, or the writer is to end."""
        self._closing = False
        self._writer: asyncio.Task[None] | None = None
        self._touched: dict[str, int] = {}
        self._file: SqliteWriter | None = None
        """Writes where the database is a plain SQLite file."""
        self.commits = 0

    @classmethod
    async def open(cls, address: str, *, upgrade: bool | None = None) -> Store:
        """Open the database at ``address``. ``upgrade``: bring its tables up to date first (None: yes for SQLite, no for PostgreSQL).

        ``StoreError`` and its kinds say what is wrong: damaged, locked, of another version, not to be reached.
        """
        url = database_url(address)
        where = url.set(drivername=url.get_backend_name()).render_as_string(hide_password=True)
        sqlite = url.get_backend_name() == "sqlite"
        if sqlite:
            where = url.database or ":memory:"
            engine = create_async_engine(url, connect_args={"timeout": BUSY_SECONDS})
            event.listen(engine.sync_engine, "connect", _sqlite_connect)
            event.listen(engine.sync_engine, "begin", _sqlite_begin)
        else:
            engine = create_async_engine(url, pool_pre_ping=True)
        store = cls(engine, where)
        try:
            if upgrade or (upgrade is None and sqlite):
                await migrate(engine, where)
            await check(engine, where)
            if sqlite:
                await store._quick_check()
        except BaseException:
            await _dispose(engine)
            raise
        if sqlite and url.database and not url.query:
            store._file = SqliteWriter(url.database, _sqlite_connect, BUSY_SECONDS)
        store._writer = asyncio.create_task(store._write(), name="store-writer")
        return store

    async def close(self) -> None:
        """Write what waits and close."""
        if self._writer is not None:
            self._closing = True
            self._come.set()
            await self._writer
            self._writer = None
        if self._file is not None:
            await self._file.close()
            self._file = None
        await _dispose(self.engine)

    async def _quick_check(self) -> None:
        async with self.reading() as connection:
            found = (await connection.execute(text("PRAGMA quick_check(1)"))).scalar()
        if found != "ok":
            raise damaged(self.where, str(found))

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection to read from, within this layer; its errors are ours."""
        try:
            async with self.engine.connect() as connection:
                yield connection
        except (SQLAlchemyError, OSError) as error:
            raise translate_error(error, self.where) from error

    # ── writing ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

    async def create(self, setup: Setup) -> None:
        """Keep a new match. ``LogConflict`` if its id is taken."""
        row = {
            "id": setup.id,
            "game": setup.game,
            "rules_version": setup.rules_version,
            "created": setup.created,
            "setup": setup.model_dump_json(),
            "public": int(setup.public),
            "stage": "meeting" if setup.secret is not None or any(seat.kind == "open" for seat in setup.seats) else "playing",
            "touched": setup.created or _wall_clock(),
        }
        await self._commit([row], [])

    async def append(self, match_id: str, first: int, new: Sequence[LogEntry], stage: Stage | None = None) -> None:
        """Add entries to a match's log, the first of them under number ``first`` (from 1). Returns when they are on disk.

        All of them are written or none. ``LogConflict`` if another program has written there; ``StoreError`` if it cannot be written.
        ``stage``: where the match stands from now on, if that has changed; an entry ``begin`` says it by itself.
        """
        if not new:
            return
        moment = max(entry.t for entry in new) or _wall_clock()
        if stage is None and any(entry.kind == "begin" for entry in new):
            stage = "playing"
        marks: dict[str, Any] = {}
        if stage is not None or moment - self._touched.get(match_id, 0) >= TOUCH_MS:
            marks = {"which": match_id, "moment": moment, "now_at": stage}
        await self._commit([], [_row(match_id, first + i, entry) for i, entry in enumerate(new)], marks)

    async def delete(self, match_id: str) -> None:
        """Forget a match with its log and the names in it. ``NoSuchMatch``."""
        if await self.delete_all([match_id]) == 0:
            raise NoSuchMatch(f"there is no match {match_id!r}")

    async def delete_all(self, ids: Sequence[str]) -> int:
        """Forget these matches, all of them or none; gives how many there were. In a SQLite file their bytes are overwritten at once."""
        try:
            async with self.engine.begin() as connection:
                await connection.execute(delete(entries).where(entries.c.match_id.in_(ids)))
                gone = await connection.execute(delete(matches).where(matches.c.id.in_(ids)))
            if self.sqlite:  # the log ahead of the file still holds the old pages
                async with self.engine.connect() as connection:
                    await connection.execution_options(isolation_level="AUTOCOMMIT")
                    await connection.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))
        except (SQLAlchemyError, OSError) as error:
            raise translate_error(error, self.where) from error
        for match_id in ids:
            self._touched.pop(match_id, None)
        return int(gone.rowcount)

    async def expired(self, before: int, meeting_before: int, limit: int = 200) -> list[str]:
        """Matches that nobody has touched since ``before``, and those that never began since ``meeting_before`` (ms since 1970)."""
        old = (matches.c.touched < before) | ((matches.c.stage == "meeting") & (matches.c.touched < meeting_before))
        async with self.reading() as connection:
            found = await connection.execute(select(matches.c.id).where(old).order_by(matches.c.touched).limit(limit))
            return [str(row[0]) for row in found]

    @property
    def sqlite(self) -> bool:
        """Whether the database is a SQLite file."""
        return self.engine.dialect.name == "sqlite"

    def _commit(self, made: list[dict[str, Any]], new: list[dict[str, Any]], marks: dict[str, Any] | None = None) -> asyncio.Future[None]:
        if self._writer is None or self._writer.done():
            raise inside(StoreError(f"{self.where} is closed"))
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Batch(made, new, done, marks or {}))
        self._come.set()
        return done

    async def _write(self) -> None:
        """Commit what waits, all of it at once; if that fails, each caller's part by itself."""
        while self._waiting or not self._closing:
            await self._come.wait()
            batches, self._waiting = self._waiting[:MOST_A_COMMIT], self._waiting[MOST_A_COMMIT:]
            if not self._waiting and not self._closing:
                self._come.clear()
            if not batches:
                continue
            if len(batches) == 1 or await self._try(batches) is not None:
                for batch in batches:
                    await self._try([batch], last=True)
            if len(batches) >= MANY and not self._closing:
                await asyncio.sleep(GATHER_SECONDS if len(batches) < CROWD else CROWD_SECONDS)

    async def _try(self, batches: list[_Batch], last: bool = False) -> StoreError | None:
        """One transaction. When it fails for the ``last`` time, the callers are told why."""
        made = [row for batch in batches for row in batch.made]
        new = [row for batch in batches for row in batch.new]
        marks: dict[str, dict[str, Any]] = {}
        for mark in (batch.marks for batch in batches if batch.marks):
            before = marks.get(mark["which"])
            marks[mark["which"]] = mark if before is None else {**mark, "now_at": mark["now_at"] or before["now_at"]}
        problem: StoreError | None = None
        try:
            await self._put(made, new, list(marks.values()))
            self.commits += 1
            if len(self._touched) > MOST_TOUCHED:
                self._touched.clear()
            self._touched.update((which, mark["moment"]) for which, mark in marks.items())
        except (SQLAlchemyError, sqlite3.Error, OSError) as error:
            problem = translate_error(error, self.where)
        except Exception as error:  # a fault of ours must not end the writer: every match hangs on it
            problem = inside(StoreError(f"{self.where}: {type(error).__name__}: {error}"))
        if problem is None or last:
            for batch in batches:
                if not batch.done.done():
                    batch.done.set_result(None) if problem is None else batch.done.set_exception(problem)
        return problem

    async def _put(self, made: list[dict[str, Any]], new: list[dict[str, Any]], marks: list[dict[str, Any]]) -> None:
        """All of it in one transaction."""
        if self._file is not None:
            await self._file.write(made, new, marks)
            return
        async with self.engine.begin() as connection:
            if made:
                await connection.execute(insert(matches), made)
            if new:
                await connection.execute(insert(entries), new)
            if marks:
                await connection.execute(_MARK, marks)

    # ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

    async def load(self, match_id: str) -> tuple[Setup, list[LogEntry]]:
        """A match's setup and its whole log. ``NoSuchMatch``; ``DamagedStore`` if what is there cannot be read."""
        async with self.reading() as connection:
            kept = (await connection.execute(select(matches.c.setup).where(matches.c.id == match_id))).scalar()
            if kept is None:
                raise NoSuchMatch(f"there is no match {match_id!r}")
            found = await connection.execute(select(entries).where(entries.c.match_id == match_id).order_by(entries.c.seq))
            rows = found.mappings().all()
        try:
            if [row["seq"] for row in rows] != list(range(1, len(rows) + 1)):
                raise inside(DamagedStore(f"{self.where}: the log of match {match_id} has a gap"))
            return Setup.model_validate_json(kept), [_entry(dict(row)) for row in rows]
        except (ValidationError, ValueError) as error:
            raise inside(
                DamagedStore(f"{self.where}: the log of match {match_id} cannot be read ({str(error).splitlines()[0]})")
            ) from error

    async def known(self, ids: Sequence[str]) -> set[str]:
        """Those of the ids that are matches."""
        async with self.reading() as connection:
            return set((await connection.execute(select(matches.c.id).where(matches.c.id.in_(ids)))).scalars())

    async def list(self, limit: int = 50) -> list[MatchRow]:
        """The newest matches."""
        length = func.count(entries.c.seq).label("length")
        query = (
            select(matches.c.id, matches.c.game, matches.c.created, length)
            .outerjoin(entries, entries.c.match_id == matches.c.id)
            .group_by(matches.c.id)
            .order_by(matches.c.created.desc())
            .limit(limit)
        )
        async with self.reading() as connection:
            return [MatchRow(*row) for row in (await connection.execute(query)).all()]


# a match keeps its stage where none is given
_MARK = (
    update(matches)
    .where(matches.c.id == bindparam("which"))
    .values(
        touched=bindparam("moment"),
        stage=func.coalesce(bindparam("now_at", type_=matches.c.stage.type), matches.c.stage),
    )
)


def _wall_clock() -> int:
    return time.time_ns() // 1_000_000


def _sqlite_connect(connection: Any, _record: Any) -> None:
    """A reader never waits for the writer, and what is committed survives a crash of the machine."""
    connection.isolation_level = None  # the driver's own transactions would commit before every change of a table
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute("PRAGMA secure_delete=ON")  # a name that is deleted is gone from the file, not only from the tables
    cursor.close()


def _sqlite_begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")


def _row(match_id: str, seq: int, entry: LogEntry) -> dict[str, Any]:
    row = {**entry.__dict__, "match_id": match_id, "seq": seq}
    row["clock_offset"] = row.pop("offset")
    if entry.seat is not None:
        row["seat"] = str(entry.seat)
    if entry.dice is not None:
        row["dice"] = 10 * entry.dice[0] + entry.dice[1]
    return row


def _entry(row: dict[str, Any]) -> LogEntry:
    del row["match_id"], row["seq"]
    row["offset"] = row.pop("clock_offset")
    row["seat"] = None if row["seat"] is None else seat_from_text(row["seat"])
    row["dice"] = None if row["dice"] is None else divmod(row["dice"], 10)
    return LogEntry.model_validate(row)


async def _dispose(engine: AsyncEngine) -> None:
    """Close all connections, and let aiosqlite's threads of dropped ones answer while the event loop is still there to hear them."""
    await engine.dispose()
    for _ in range(40):
        if not any("_connection_worker" in thread.name for thread in threading.enumerate()):
            break
        await asyncio.sleep(0.005)
