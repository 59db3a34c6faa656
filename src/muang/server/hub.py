"""Owns the matches in memory: made, fetched from the log when somebody asks for them, let go when nobody does; the clock."""

from __future__ import annotations

import asyncio
import secrets
import time
import weakref
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import structlog
from sqlalchemy import update
from sqlalchemy.exc import SQLAlchemyError

from muang.errors import MuangError, NotYourSeat
from muang.rooms import Room
from muang.server.answers import Lobby
from muang.server.limits import Limits
from muang.server.metrics import Metrics
from muang.server.owner import Alone, Elsewhere, Owner
from muang.server.settings import Settings
from muang.server.table import DELETED, Table
from muang.store import NoSuchMatch, Store
from muang.store.errors import translate_error
from muang.store.tables import matches
from muang.wire import Setup

__all__ = ["Hub", "ServerFull", "StillPlayed", "new_id", "new_secret"]

T = TypeVar("T")
HELD = "matches in memory"
TRIED_MS = 2000

log = structlog.get_logger("muang.hub")


class ServerFull(MuangError):
    """More than this server is set to carry."""

    code = "server-full"


class StillPlayed(MuangError):
    """A match that other people are playing cannot be deleted."""

    code = "still-played"


class Hub:
    """All live matches of this process."""

    def __init__(self, settings: Settings, store: Store, owner: Owner | None = None) -> None:
        self.settings, self.store = settings, store
        self.owner: Owner = owner or Alone()
        self.owner.on_lost = self.lost
        self.pool = ThreadPoolExecutor(max_workers=max(1, settings.thinkers), thread_name_prefix="player")
        self.deep = ThreadPoolExecutor(max_workers=max(1, settings.deep), thread_name_prefix="deep")
        self.tables: dict[str, Table] = {}
        self.sockets = 0
        self.streams = 0
        self.limits = Limits(settings.rates)
        self.metrics = Metrics()
        self.metrics.watch(self.metrics.matches, lambda: len(self.tables))
        self.metrics.watch(self.metrics.sockets, lambda: self.sockets)
        self.metrics.watch(self.metrics.streams, lambda: self.streams)
        self.warm = asyncio.Event()
        """Set when the kernels are compiled: a match that had to compile them would hold up every other one."""
        self.busy = 0
        """When somebody did something last."""
        self.ending = False
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self.leaving: set[asyncio.Task[None]] = set()
        """Streams that have just ended and are leaving their tables."""
        self.lobby: tuple[int, Lobby] | None = None
        """The list of public matches, and when it was made."""
        self._writable: tuple[int, bool] | None = None
        self._deleted: set[str] = set()
        self._lines: weakref.WeakValueDictionary[str, asyncio.Semaphore] = weakref.WeakValueDictionary()
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
        self.metrics.made.inc()

    async def writable(self) -> bool:
        """Whether the log can be written, as it was tried within the last seconds."""
        if self._writable is None or self.now() - self._writable[0] > TRIED_MS:
            self._writable = (self.now(), await self._try_to_write())
        return self._writable[1]

    async def _try_to_write(self) -> bool:
        nothing = update(matches).where(matches.c.id == "").values(stage=matches.c.stage)
        try:
            async with self.store.engine.begin() as connection:
                await connection.execute(nothing)
        except (SQLAlchemyError, OSError) as error:
            log.error("hub.not-writable", error=str(translate_error(error, self.store.where)))
            return False
        return True

    async def rematch(self, setup: Setup) -> Setup:
        """Make a match of a setup that lacks its id, its lots and its date. Gives it whole."""
        whole = setup.model_copy(update={"id": new_id(), "secret": new_secret(), "seed": 0, "created": self.now()})
        await self.create(whole)
        return whole

    async def delete(self, match_id: str, tokens: Iterable[str]) -> None:
        """Forget a match with its log and the names in it, for somebody who has a seat in it.

        ``NotYourSeat``; ``StillPlayed`` while other people are playing it; ``NoSuchMatch``.
        """
        table = await self.table(match_id)
        seats, others = await table.ask(lambda room: _seats(room, tokens))
        if not seats:
            raise NotYourSeat("only who has a seat in a match can delete it")
        if others:
            raise StillPlayed("other people are playing this match; resign it first")
        self._deleted.add(match_id)
        try:
            await table.close(DELETED, "this match has been deleted")
            await self.store.delete(match_id)
        finally:
            self._deleted.discard(match_id)

    async def thought(self, address: str, deep: bool, work: Callable[[], T]) -> T:
        """Have something computed beside the event loop.

        What one address asks for waits in a line of its own, so it holds up nobody else.
        """
        line = self._lines.get(address)
        if line is None:
            line = self._lines[address] = asyncio.Semaphore(max(1, self.settings.thoughts_per_address))
        self.metrics.thinking.inc()
        try:
            async with line:
                return await asyncio.get_running_loop().run_in_executor(self.deep if deep else self.pool, work)
        finally:
            self.metrics.thinking.dec()

    async def load_room(self, match_id: str) -> Room:
        """The room of a match, from its log."""
        setup, entries = await self.store.load(match_id)
        await self.warm.wait()
        return Room.replay(setup, entries, self.settings.timing)

    async def table(self, match_id: str, address: str = "") -> Table:
        """The match's table, from memory or from the log. ``address``: who asks, and has one more match in memory by it.

        ``NoSuchMatch``, ``DamagedStore``, ``BadRecord``, ``RulesVersion``, ``ServerFull``, ``TooMany`` and ``Elsewhere`` say why there
        is none.
        """
        if self.ending:
            raise ServerFull("the server is being restarted; come back in a moment")
        if match_id in self._deleted:
            raise NoSuchMatch("this match has been deleted")
        found = self.tables.get(match_id)
        if found is not None:
            return found
        loading = self._loading.get(match_id)
        if loading is None:
            if len(self.tables) >= self.settings.most_tables:
                raise ServerFull("this server carries as many matches as it can; try again later")
            loading = asyncio.create_task(self._load(match_id, address))
            self._loading[match_id] = loading
            loading.add_done_callback(lambda _: self._loading.pop(match_id, None))
        return await asyncio.shield(loading)

    async def _load(self, match_id: str, address: str) -> Table:
        if address:
            self.limits.take(HELD, address, self.settings.tables_per_address)
        try:
            table = Table(self, await self._claimed_room(match_id), address)
        except BaseException:
            if address:
                self.limits.give(HELD, address)
            raise
        self.tables[match_id] = table
        table.task.add_done_callback(lambda _: self.owner.release(match_id))
        return table

    async def _claimed_room(self, match_id: str) -> Room:
        """The room of a match that is this worker's from now on. ``Elsewhere``."""
        if not await self.owner.claim(match_id):
            raise Elsewhere("another worker of this server has the match; ask again")
        try:
            room = await self.load_room(match_id)
            if not self.owner.holds(match_id):
                raise Elsewhere("the match has just been lost to another worker; ask again")
        except BaseException:
            self.owner.release(match_id)
            raise
        return room

    async def here(self, match_id: str, address: str = "") -> bool:
        """Whether a request about the match has come to the right worker: nobody else has it."""
        if self.owner.alone:
            return True
        try:
            await self.table(match_id, address)
        except Elsewhere:
            return False
        except MuangError:  # for whoever asks next to tell
            return True
        return True

    def lost(self) -> None:
        """Stop every match at once: another worker may have it already."""
        for table in list(self.tables.values()):
            table.stop()

    def forget(self, table: Table) -> None:
        """Let a table go that has ended."""
        if self.tables.get(table.id) is table:
            del self.tables[table.id]
            if table.address:
                self.limits.give(HELD, table.address)

    async def leave(self) -> None:
        """Stop every match where it is and take no other one: the screens are told, streams end."""
        self.ending = True
        await asyncio.gather(*(table.close() for table in list(self.tables.values())), return_exceptions=True)

    async def close(self) -> None:
        """Stop everything."""
        await self.leave()
        await asyncio.gather(*self.leaving, return_exceptions=True)
        for pool in (self.pool, self.deep):
            pool.shutdown(wait=False, cancel_futures=True)


def new_id() -> str:
    """A word that nobody guesses: the address of a match, or the token of a seat."""
    return secrets.token_urlsafe(16)


def new_secret() -> str:
    """What all lots of a match come from (CN-50): 32 random bytes in hexadecimal digits."""
    return secrets.token_hex(32)


def _seats(room: Room, tokens: Iterable[str]) -> tuple[bool, bool]:
    """Whether the tokens hold a seat, and whether somebody else is playing."""
    held, state = room.seats_of(tokens), room.state
    others = any(chair.kind in ("person", "absent") and seat not in held for seat, chair in state.chairs.items())
    maker = any(seat.token is not None and seat.seat in held for seat in state.setup.seats)
    protected = state.match.phase != "over" and (state.begun or not maker)
    return bool(held), others and protected
