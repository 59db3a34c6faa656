"""Owns the question which server a live match belongs to: on PostgreSQL one worker at a time, on SQLite the only server there may be.

A match of PostgreSQL is held by an advisory lock of a session of our own: it falls when the worker dies, and another takes the match over
from the log. The locks keep two workers from serving one match for long; that no entry is ever overwritten is the log's own matter (its
numbers are unique), so even a worker that has not noticed yet that its locks are gone can spoil nothing.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import structlog
from filelock import FileLock, Timeout
from sqlalchemy import URL, text

from muang.store import Store, StoreBusy, StoreError, database_url
from muang.store.errors import inside

if TYPE_CHECKING:
    from psycopg import AsyncConnection

__all__ = ["Alone", "Elsewhere", "Owner", "SessionOwner", "hold_file", "open_owner", "other_workers"]

log = structlog.get_logger("muang.owner")

NAME = "muang-owner"
"""The session's name, as ``pg_stat_activity`` shows it."""
PING_SECONDS = 1.0
ANSWER_SECONDS = 4.0
RETRY_SECONDS = (0.3, 1.0, 2.0, 5.0)
SESSION = {"idle_session_timeout": 15_000, "tcp_keepalives_idle": 5, "tcp_keepalives_interval": 2, "tcp_keepalives_count": 3}
"""How soon the database gives up a worker that is silent (ms) or cannot be reached any more (s). Not every version knows all of them."""


class Elsewhere(StoreError):
    """Another worker owns the match, or this one cannot own any now; ask again, and the request will find the right one."""

    code = "elsewhere"


class Owner(Protocol):
    """Who may serve a match."""

    alone: bool
    """Whether no other worker can own anything."""

    on_lost: Callable[[], None]
    """Called when everything that was claimed has been lost."""

    async def claim(self, match_id: str) -> bool:
        """Take the match, or say that another worker has it. Each claim is given back by one ``release``."""

    def holds(self, match_id: str) -> bool:
        """Whether a claim still stands."""

    def release(self, match_id: str) -> None:
        """Give it back."""

    async def close(self) -> None:
        """Give everything back."""


def _nothing() -> None:
    """Nobody wants to hear of a loss."""


class Alone:
    """The only server on its database. ``lock``: what keeps the others out, if anything does."""

    alone = True

    def __init__(self, lock: FileLock | None = None) -> None:
        self.lock = lock
        self.on_lost: Callable[[], None] = _nothing

    async def claim(self, match_id: str) -> bool:
        """Always."""
        return True

    def holds(self, match_id: str) -> bool:
        """Always."""
        return True

    def release(self, match_id: str) -> None:
        """Nothing to give back."""

    async def close(self) -> None:
        """Let another server in."""
        if self.lock is not None:
            self.lock.release()


def hold_file(file: Path) -> FileLock:
    """Hold a SQLite file for this program, until it is released or the program ends. ``StoreBusy`` if another Muang server does."""
    lock = FileLock(file.with_name(file.name + ".lock"), timeout=0, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        raise StoreBusy(f"another Muang server uses {file}; stop that one, or keep matches elsewhere with --data FOLDER") from None
    except OSError as error:
        raise StoreError(f"{file} cannot be written ({error.strerror or error}); check the folder and its permissions") from error
    return lock


def _key(match_id: str) -> int:
    """A match's number among PostgreSQL's advisory locks: 64 bits, signed."""
    return int.from_bytes(hashlib.blake2b(b"muang-match:" + match_id.encode(), digest_size=8).digest(), signed=True)


class SessionOwner:
    """A worker among others: holds its matches by locks of one session. When that is lost, so are they: ``on_lost`` is called."""

    alone = False

    def __init__(self, url: URL) -> None:
        plain = url.set(drivername="postgresql").update_query_dict({"application_name": NAME})
        self._address, self._where = plain.render_as_string(hide_password=False), plain.render_as_string(hide_password=True)
        self.on_lost: Callable[[], None] = _nothing
        self.held: dict[str, int] = {}
        """How many claims of each match there are."""
        self._connection: AsyncConnection[Any] | None = None
        self._turn = asyncio.Lock()
        self._watch: asyncio.Task[None] | None = None
        self._later: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Connect. ``StoreError``."""
        await self._connect()
        self._watch = asyncio.create_task(self._keep(), name="owner")

    async def claim(self, match_id: str) -> bool:
        """Take the match, unless another worker has it. ``Elsewhere`` while the database cannot be reached."""
        async with self._turn:
            if match_id in self.held:
                self.held[match_id] += 1
                return True
            if not await self._ask("SELECT pg_try_advisory_lock(%s)", _key(match_id)):
                return False
            self.held[match_id] = 1
            return True

    def holds(self, match_id: str) -> bool:
        """Whether a claim still stands: the session that took it lives."""
        return match_id in self.held

    def release(self, match_id: str) -> None:
        """Give one claim back, soon."""
        task = asyncio.get_running_loop().create_task(self._release(match_id))
        self._later.add(task)
        task.add_done_callback(self._later.discard)

    async def _release(self, match_id: str) -> None:
        with suppress(StoreError):
            async with self._turn:
                count = self.held.get(match_id, 0)
                if count > 1:
                    self.held[match_id] = count - 1
                elif count == 1:
                    del self.held[match_id]
                    await self._ask("SELECT pg_advisory_unlock(%s)", _key(match_id))

    async def close(self) -> None:
        """End the session, and with it every lock."""
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, *self._later, return_exceptions=True)
        if self._connection is not None:
            await self._connection.close()
            self._connection = None

    async def _connect(self) -> None:
        try:
            import psycopg
        except ModuleNotFoundError:
            raise StoreError("PostgreSQL needs the package psycopg: pip install 'muang[postgresql]'") from None
        try:
            connection = await psycopg.AsyncConnection.connect(self._address, autocommit=True, connect_timeout=int(ANSWER_SECONDS))
        except (psycopg.Error, OSError) as error:
            raise inside(
                StoreError(f"{self._where}: {str(error).splitlines()[0][:200] if str(error) else type(error).__name__}")
            ) from error
        try:
            for name, value in SESSION.items():
                with suppress(psycopg.Error):
                    await connection.execute(f"SET {name} = {value}")
        except BaseException:
            await connection.close()
            raise
        self._connection = connection

    async def _ask(self, query: str, *values: Any) -> Any:
        """One answer over the session; if there is none, the session is lost. Only within ``_turn``."""
        connection = self._connection
        if connection is None:
            raise Elsewhere("the database cannot be reached at the moment; try again")
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                row = await (await connection.execute(query, values)).fetchone()
        except asyncio.CancelledError:
            await self._lose(connection)  # what it was about to answer is not known any more
            raise
        except Exception as error:
            await self._lose(connection)
            log.warning("owner.no-answer", where=self._where, error=type(error).__name__)
            raise Elsewhere("the database does not answer at the moment; try again") from error  # told to anybody: no address in it
        return None if row is None else row[0]

    async def _lose(self, connection: AsyncConnection[Any]) -> None:
        if self._connection is connection:
            self._connection = None
            had, self.held = len(self.held), {}
            log.warning("owner.lost", matches=had)
            self.on_lost()
        with suppress(Exception):
            async with asyncio.timeout(1):
                await connection.close()

    async def _keep(self) -> None:
        """Ask for a sign of life each second; after a loss, connect again."""
        tries = 0
        while True:
            await asyncio.sleep(PING_SECONDS if self._connection is not None else RETRY_SECONDS[min(tries, len(RETRY_SECONDS) - 1)])
            try:
                async with self._turn:
                    if self._connection is None:
                        await self._connect()
                        log.info("owner.back")
                    else:
                        await self._ask("SELECT 1")
                tries = 0
            except StoreError as error:
                tries += 1
                log.warning("owner.unreachable", error=str(error))


async def open_owner(address: str) -> Owner:
    """What decides for a server on the database at ``address`` who may serve a match. ``StoreBusy``, ``StoreError``."""
    url = database_url(address)
    if url.get_backend_name() == "sqlite":
        file = url.database
        return Alone(hold_file(Path(file)) if file and file != ":memory:" else None)
    owner = SessionOwner(url)
    await owner.open()
    return owner


async def other_workers(store: Store) -> int:
    """How many workers are connected to this PostgreSQL database."""
    async with store.reading() as connection:
        query = "SELECT count(*) FROM pg_stat_activity WHERE application_name = :name AND datname = current_database()"
        return int((await connection.execute(text(query), {"name": NAME})).scalar_one())
