"""Owns the one task and the one inbox of a live match: commands in their order, time, computer players, the log, the telling.

The log is written before anybody is told. If it cannot be written, the room is made anew from what is on disk, so nothing that was told
is ever lost and nothing that was lost was ever told.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import structlog

from muang.errors import MuangError, RulesError
from muang.games.core import Match, Seat
from muang.rooms import Command, Computed, Join, Outcome, Part, Room, Wanted
from muang.search.limits import Stop
from muang.search.players import player
from muang.server.outbox import Outbox
from muang.store import StoreError
from muang.wire import AckFrame, StateFrame, encode, error_frame

if TYPE_CHECKING:
    from muang.server.hub import Hub

__all__ = ["Table"]

T = TypeVar("T")

log = structlog.get_logger("muang.table")
DEEP = frozenset({"level-6", "level-7", "level-8"})
"""Players that may think for long: they wait for each other, and nobody else for them."""
GOING_AWAY, BROKEN = 1012, 1011


@dataclass(slots=True)
class _Screen:
    outbox: Outbox
    join: Join
    knows: bool = False
    """It has been sent the whole state, so what happens afterwards means something to it."""

    def tell(self, text: str, whole: bool) -> None:
        self.knows = self.knows or whole
        self.outbox.put(text, whole)


@dataclass(slots=True)
class _Ask:
    """A question from outside, answered in its turn: never from a state that is not in the log yet."""

    make: Callable[[Room], Any]
    answer: asyncio.Future[Any]


class Table:
    """A live match in memory."""

    def __init__(self, hub: Hub, room: Room) -> None:
        self.hub, self.room = hub, room
        self.id = room.state.setup.id
        self.inbox: asyncio.Queue[tuple[Command | _Ask | None, int]] = asyncio.Queue(hub.settings.inbox)
        self.screens: dict[int, _Screen] = {}
        self.thinking: dict[Seat, tuple[int, asyncio.Task[None]]] = {}
        self.hinting: Stop | None = None
        """Ends the hint that is being thought about, if one is; ``hinted``: when the last one was done."""
        self.hinted = 0
        self.task = asyncio.create_task(self._run(), name=f"table-{self.id}")

    @property
    def open(self) -> bool:
        """Whether it still takes commands."""
        return self.hub.tables.get(self.id) is self

    # ── for sockets ──────────────────────────────────────────────────────────────────────────────────────────────────────────

    async def ask(self, make: Callable[[Room], T]) -> T:
        """What ``make`` says of the room as it is in the log. It must not change anything."""
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        await self.inbox.put((_Ask(make, answer), self.hub.now()))
        waiting: list[asyncio.Future[Any]] = [answer, self.task]
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        if not answer.done():
            raise StoreError("the match has just been stopped; ask again")
        return answer.result()

    async def put(self, command: Command) -> None:
        """Hand in a command; waits while the inbox is full, so a flood is held back where it comes from."""
        await self.inbox.put((command, self.hub.now()))

    async def join(self, number: int, client: str, tokens: tuple[str, ...], outbox: Outbox) -> None:
        """A screen has come."""
        join = Join(number, client, tokens)
        self.screens[number] = _Screen(outbox, join)
        await self.put(join)

    async def part(self, number: int) -> None:
        """A screen has gone."""
        if self.screens.pop(number, None) is not None and not self.task.done():
            await self.put(Part(number))

    async def close(self) -> None:
        """Log how far a race has come and stop."""
        if not self.task.done():
            await self.inbox.put((None, self.hub.now()))
            with suppress(asyncio.CancelledError):
                await self.task

    # ── the task ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

    async def _run(self) -> None:
        try:
            while True:
                command, now = await self._next()
                if command is None and now < 0:
                    break
                if isinstance(command, _Ask):
                    self._answer(command)
                    continue
                await self._carry(self.room.handle(command, now) if command is not None else self.room.tick(now))
                self._think(self.hub.now())
            for number in list(self.room.screens):
                await self._carry(self.room.handle(Part(number), self.hub.now()))
            self._end(GOING_AWAY, "the server is being restarted")
        except asyncio.CancelledError:
            raise
        except Exception as error:
            log.exception("table.broken", match=self.id)
            self._end(BROKEN, str(error)[:100] if isinstance(error, MuangError) else "the server has made a mistake")
        finally:
            self.hub.forget(self)
            for _, task in self.thinking.values():
                task.cancel()
            if self.hinting is not None:
                self.hinting.set()

    def _answer(self, question: _Ask) -> None:
        if question.answer.done():
            return
        try:
            question.answer.set_result(question.make(self.room))
        except Exception as error:
            question.answer.set_exception(error)

    async def _next(self) -> tuple[Command | _Ask | None, int]:
        """The next command with its moment; (None, now) when time has something to do; (None, -1) when this table is to end."""
        deadline = self.room.next_deadline(self.hub.now())
        idle = deadline is None and not self.screens and not self.room.screens
        wait = None
        if deadline is not None:
            wait = max(0.0, (deadline - self.hub.now()) / 1000)
        elif idle:
            wait = self.hub.settings.idle_seconds
        try:
            async with asyncio.timeout(wait):
                command, now = await self.inbox.get()
        except TimeoutError:
            if not idle or self.screens:
                return None, self.hub.now()
            self.hub.forget(self)
            return None, -1
        return (command, now) if command is not None else (None, -1)

    async def _carry(self, outcome: Outcome) -> None:
        """Write what came of something, then tell it."""
        if outcome.entries:
            first = len(self.room.state.entries) - len(outcome.entries) + 1
            try:
                await self.hub.store.append(self.id, first, outcome.entries)
            except StoreError as error:
                log.error("table.not-written", match=self.id, error=str(error))
                await self._recover(error, outcome)
                return
        for outgoing in outcome.frames:
            text, whole = encode(outgoing.frame), isinstance(outgoing.frame, StateFrame)
            if outgoing.to is None:
                for screen in self.screens.values():
                    if screen.knows:
                        screen.tell(text, whole)
            elif outgoing.to in self.screens:
                self.screens[outgoing.to].tell(text, whole)

    async def _recover(self, error: StoreError, lost: Outcome) -> None:
        """What could not be written has not happened: go on from what is on disk. ``StoreError`` if that cannot be read either."""
        numbers = {outgoing.to: outgoing.frame.n for outgoing in lost.frames if isinstance(outgoing.frame, AckFrame)}
        for number, screen in self.screens.items():
            screen.outbox.put(encode(error_frame(error, numbers.get(number))))
            screen.knows = False
        self.room = await self.hub.load_room(self.id)
        for _, task in self.thinking.values():
            task.cancel()
        self.thinking.clear()
        for screen in list(self.screens.values()):
            await self._carry(self.room.handle(screen.join, self.hub.now()))

    def _end(self, code: int, reason: str) -> None:
        for screen in self.screens.values():
            screen.outbox.close(code, reason)

    # ── computer players ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _think(self, now: int) -> None:
        """See to it that every computer player that has to choose is at it."""
        wanted = {want.seat: want for want in self.room.wanted(now)}
        for seat, (ticket, task) in list(self.thinking.items()):
            if task.done() or seat not in wanted or wanted[seat].ticket != ticket:
                task.cancel()
                del self.thinking[seat]
        for seat, want in wanted.items():
            if seat not in self.thinking:
                self.thinking[seat] = (want.ticket, asyncio.create_task(self._choose(want), name=f"thinks-{self.id}-{seat}"))

    async def _choose(self, want: Wanted) -> None:
        action = await self._computed(want, self.room.shown) if want.early else None
        await asyncio.sleep(max(0, want.due - self.hub.now()) / 1000)
        if action is None:
            action = await self._computed(want, self.room.shown)
        if action is not None:
            await self.put(Computed(want.seat, want.ticket, action))

    async def _computed(self, want: Wanted, match: Match) -> str | None:
        seed = self.room.state.setup.seed
        choose: Callable[[], str] = lambda: player(want.player).choose(match, want.seat, seed, want.n)  # noqa: E731
        try:
            return await asyncio.get_running_loop().run_in_executor(self.hub.deep if want.player in DEEP else self.hub.pool, choose)
        except RulesError:  # the choice has passed while it was thought about
            return None
        except Exception:
            log.exception("table.player", match=self.id, player=want.player)
            return None
