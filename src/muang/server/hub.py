"""Owns the matches in memory: made, fetched from the log when somebody asks for them, let go when nobody does; the clock."""

from __future__ import annotations

import asyncio
import secrets
import time
from concurrent.futures import ThreadPoolExecutor

import structlog

from muang.errors import MuangError
from muang.rooms import Room
from muang.server.settings import Settings
from muang.server.table import Table
from muang.store import Store
from muang.wire import Setup

__all__ = ["Hub", "ServerFull"]

log = structlog.get_logger("muang.hub")


class ServerFull(MuangError):
    """More than this server is set to carry."""

    code = "server-full"


class Hub:
    """All live matches of this process."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings, self.store = settings, store
        self.pool = ThreadPoolExecutor(max_workers=max(1, settings.thinkers), thread_name_prefix="player")
        self.deep = ThreadPoolExecutor(max_workers=max(1, settings.deep), thread_name_prefix="deep")
        self.tables: dict[str, Table] = {}
        self.sockets = 0
        self.warm = asyncio.Event()
        """Set when the kernels are compiled: a match that had to compile them would hold up every other one."""
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._numbers = 0
        self._epoch = time.time_ns() // 1_000_000 - time.monotonic_ns() // 1_000_000

    def now(self) -> int:
        """Ms since 1970, by a clock that never goes back while the process lives."""
        return self._epoch + time.monotonic_ns() // 1_000_000

    def number(self) -> int:
        """A number for a new connection."""
        self._numbers += 1
        return self._numbers

    async def create(self, setup: Setup) -> None:
        """Keep a new match. ``RulesError`` if it cannot be played."""
        await self.warm.wait()
        Room.create(setup, self.settings.timing)
        await self.store.create(setup)

    async def load_room(self, match_id: str) -> Room:
        """The room of a match, from its log."""
        setup, entries = await self.store.load(match_id)
        await self.warm.wait()
        return Room.replay(setup, entries, self.settings.timing)

    async def table(self, match_id: str) -> Table:
        """The match's table, from memory or from the log.

        ``NoSuchMatch``, ``DamagedStore``, ``BadRecord``, ``RulesVersion``, ``ServerFull`` say why there is none.
        """
        found = self.tables.get(match_id)
        if found is not None:
            return found
        loading = self._loading.get(match_id)
        if loading is None:
            if len(self.tables) >= self.settings.most_tables:
                raise ServerFull("this server carries as many matches as it can; try again later")
            loading = asyncio.create_task(self._load(match_id))
            self._loading[match_id] = loading
            loading.add_done_callback(lambda _: self._loading.pop(match_id, None))
        return await asyncio.shield(loading)

    async def _load(self, match_id: str) -> Table:
        table = Table(self, await self.load_room(match_id))
        self.tables[match_id] = table
        return table

    def forget(self, table: Table) -> None:
        """Let a table go that has ended."""
        if self.tables.get(table.id) is table:
            del self.tables[table.id]

    async def close(self) -> None:
        """Stop every match where it is."""
        await asyncio.gather(*(table.close() for table in list(self.tables.values())), return_exceptions=True)
        for pool in (self.pool, self.deep):
            pool.shutdown(wait=False, cancel_futures=True)


def new_id() -> str:
    """A word that nobody guesses: the address of a match, or the token of a seat."""
    return secrets.token_urlsafe(16)
