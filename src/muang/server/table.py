"""Owns the one task and the one inbox of a live match: commands in their order, time, computer players, the log, the telling.

The log is written before anybody is told. If it cannot be written, the room is made anew from what is on disk, so nothing that was told
is ever lost and nothing that was lost was ever told.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import structlog

from muang.errors import MuangError, RulesError
from muang.games.core import Match, Seat
from muang.rooms import Command, Computed, Join, Order, Outcome, Part, Play, Rematched, Room, Sit, Visit, Wanted
from muang.search.limits import Stop
from muang.search.players import player
from muang.server.inbox import Inbox
from muang.server.outbox import Outbox
from muang.store import Stage, StoreError
from muang.wire import (
    AckFrame,
    CountdownFrame,
    ErrorFrame,
    EventFrame,
    PhraseFrame,
    ServerFrame,
    Setup,
    StateFrame,
    TableFrame,
    encode,
    error_frame,
)

if TYPE_CHECKING:
    from muang.server.hub import Hub

__all__ = ["Table"]

T = TypeVar("T")

log = structlog.get_logger("muang.table")
DEEP = frozenset({"level-6", "level-7", "level-8"})
"""Players that may think for long: they wait for each other, and nobody else for them."""
GOING_AWAY, BROKEN, DELETED = 1012, 1011, 4410
TAIL = 64
"""Events kept for screens that come back after a short while."""
TAIL_SECONDS = 60.0
"""When nothing happens for so long, they are let go: whoever was away longer gets the whole state."""
MOST_KNOWN = 64
ANSWER_SECONDS = 20.0
"""An input of a race may have to wait for earlier ones that are still on their way."""


@dataclass(slots=True)
class _Screen:
    outbox: Outbox
    join: Join
    version: int | None = None
    """The version that it had when it came back; None once it has been told what it missed."""
    knows: bool = False
    """It has been sent the whole state, so what happens afterwards means something to it."""


@dataclass(slots=True)
class _Ask:
    """A question from outside, answered in its turn: never from a state that is not in the log yet."""

    make: Callable[[Room], Any]
    answer: asyncio.Future[Any]


class Table:
    """A live match in memory."""

    def __init__(self, hub: Hub, room: Room, address: str = "") -> None:
        self.hub, self.room, self.address = hub, room, address
        self.id = room.state.setup.id
        self.inbox: Inbox[tuple[Command | _Ask | None, int]] = Inbox(hub.settings.inbox)
        self.screens: dict[int, _Screen] = {}
        self.desk: dict[int, asyncio.Future[AckFrame | ErrorFrame]] = {}
        """Who waits for one answer without being a screen: somebody who wants a seat, an input over HTTP."""
        self.tail: deque[tuple[int, str]] = deque(maxlen=TAIL)
        self.known: dict[str, frozenset[str]] = {}
        """Clients that have been sent the whole state, with the tokens that they had then."""
        self.stage: Stage = "over" if room.state.match.phase == "over" else "playing"
        self.leaving = (GOING_AWAY, "the server is being restarted")
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
        return await self._waited(answer)

    async def answer(self, make: Callable[[int], Sit | Visit]) -> AckFrame | ErrorFrame:
        """Hand in the command that ``make`` makes of a number, and wait for its answer: it is in the log, or why not."""
        number = self.hub.number()
        waiting = self.desk[number] = asyncio.get_running_loop().create_future()
        try:
            await self.put(make(number))
            async with asyncio.timeout(ANSWER_SECONDS):
                return await self._waited(waiting)
        except TimeoutError:
            raise StoreError("no answer has come of this; ask again") from None
        finally:
            self.desk.pop(number, None)

    async def _waited(self, answer: asyncio.Future[T]) -> T:
        waiting: list[asyncio.Future[Any]] = [answer, self.task]
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        if not answer.done():
            raise StoreError("the match has just been stopped; ask again")
        return answer.result()

    async def put(self, command: Command) -> None:
        """Hand in a command; waits while the inbox is full, so a flood is held back where it comes from."""
        now = self.hub.busy = self.hub.now()
        await self.inbox.put((command, now))

    def take(self, command: Command) -> None:
        """Hand in a command at once; only where the inbox is not full."""
        now = self.hub.busy = self.hub.now()
        self.inbox.take((command, now))

    async def join(self, join: Join, outbox: Outbox, version: int | None = None) -> None:
        """A screen has come. ``version``: the last one that it knows, if it was here before."""
        if self.known.get(join.client) != frozenset(join.tokens):
            version = None  # other seats: the events do not say which are its own
        self.screens[join.screen] = _Screen(outbox, join, version)
        await self.put(join)

    async def part(self, number: int) -> None:
        """A screen has gone."""
        if self.screens.pop(number, None) is not None and not self.task.done():
            await self.put(Part(number))

    async def close(self, code: int = GOING_AWAY, reason: str = "the server is being restarted") -> None:
        """Log how far a race has come and stop; the screens are told why."""
        self.leaving = (code, reason)
        if not self.task.done():
            await self.inbox.put((None, self.hub.now()))
            with suppress(asyncio.CancelledError):
                await self.task

    def stop(self) -> None:
        """End at once, without another word to the log: another worker may have the match already. The screens come back, to that one."""
        self._end(GOING_AWAY, "the match goes on elsewhere; come back")
        self.task.cancel()

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
                await self._do(command, now)
                self._think(self.hub.now())
            for number in list(self.room.screens):
                await self._carry(self.room.handle(Part(number), self.hub.now()))
            self._end(*self.leaving)
        except asyncio.CancelledError:
            raise
        except Exception as error:
            log.exception("table.broken", match=self.id[:4])
            self.hub.metrics.broken.inc()
            self._end(BROKEN, error.told[:100] if isinstance(error, MuangError) else "the server has made a mistake")
        finally:
            self.hub.forget(self)
            self.inbox.close()
            for _, task in self.thinking.values():
                task.cancel()
            if self.hinting is not None:
                self.hinting.set()

    async def _do(self, command: Command | None, now: int) -> None:
        """One command, or what time has brought."""
        outcome = self.room.tick(now) if command is None else self.room.handle(command, now)
        await self._carry(outcome)
        if outcome.rematch is not None:
            await self._rematch(outcome.rematch)
        if isinstance(command, (Play, Order, Computed, Visit)):
            self.hub.metrics.move.observe((self.hub.now() - now) / 1000)

    async def _rematch(self, setup: Setup) -> None:
        """Make the match that everybody wants, and tell them which one it is."""
        try:
            made = await self.hub.rematch(setup)
        except MuangError as error:
            log.error("table.no-rematch", match=self.id[:4], error=str(error))
            self._tell_all(encode(error_frame(error)))
            return
        await self._carry(self.room.handle(Rematched(made.id), self.hub.now()))

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
        if self.tail and (wait is None or wait > TAIL_SECONDS):
            wait = TAIL_SECONDS
        came = await self.inbox.get(wait)
        if came is None:
            if wait == TAIL_SECONDS:
                self.tail.clear()
            if not idle or self.screens or wait != self.hub.settings.idle_seconds:
                return None, self.hub.now()
            self.hub.forget(self)
            return None, -1
        return came if came[0] is not None else (None, -1)

    async def _carry(self, outcome: Outcome) -> None:
        """Write what came of something, then tell it."""
        if outcome.entries:
            first = len(self.room.state.entries) - len(outcome.entries) + 1
            began = time.perf_counter()
            try:
                await self.hub.store.append(self.id, first, outcome.entries, self._stage())
            except StoreError as error:
                log.error("table.not-written", match=self.id[:4], error=str(error))
                await self._recover(error, outcome)
                return
            self.hub.metrics.append.observe(time.perf_counter() - began)
        last: ServerFrame | None = None
        text = ""
        for outgoing in outcome.frames:
            frame = outgoing.frame
            if isinstance(frame, ErrorFrame):
                self.hub.metrics.refusals.labels(frame.code).inc()
            if frame is not last and (outgoing.to is None or outgoing.to in self.screens):
                last, text = frame, encode(frame)  # once, however many screens are told
            if outgoing.to is None:
                if isinstance(frame, EventFrame):
                    self.tail.append((frame.version, text))
                self._tell_all(text)
            elif outgoing.to in self.screens:
                self._tell_one(self.screens[outgoing.to], frame, text)
            elif outgoing.to in self.desk and isinstance(frame, (AckFrame, ErrorFrame)) and not self.desk[outgoing.to].done():
                self.desk[outgoing.to].set_result(frame)

    def _stage(self) -> Stage | None:
        """Where the match stands, if that has changed since it was last written."""
        stage: Stage = "over" if self.room.state.match.phase == "over" else "playing"
        changed, self.stage = stage != self.stage, stage
        return stage if changed else None

    def _tell_all(self, text: str) -> None:
        for screen in self.screens.values():
            if screen.knows:
                screen.outbox.put(text)

    def _tell_one(self, screen: _Screen, frame: ServerFrame, text: str) -> None:
        if not isinstance(frame, StateFrame):
            if screen.knows or not isinstance(frame, (EventFrame, TableFrame, CountdownFrame, PhraseFrame)):
                screen.outbox.put(text)
            return
        tail, screen.version = self._tail(screen, frame), None
        self.known.pop(screen.join.client, None)
        self.known[screen.join.client] = frozenset(screen.join.tokens)
        while len(self.known) > MOST_KNOWN:
            del self.known[next(iter(self.known))]
        screen.knows = True
        if tail is None:
            screen.outbox.put(text, whole=True)
            return
        for missed in [*tail, encode(TableFrame(table=frame.table))]:
            screen.outbox.put(missed)

    def _tail(self, screen: _Screen, state: StateFrame) -> list[str] | None:
        """The events that a screen has missed; None if it needs the whole state, or has missed nothing (the state says so then).

        A race clock that goes needs it: what an event says of the clock holds for the moment of the event.
        """
        if screen.version is None or state.countdown is not None or (state.race_clock is not None and state.race_clock.running):
            return None
        missed = [(version, text) for version, text in self.tail if version > screen.version]
        if [version for version, _ in missed] != list(range(screen.version + 1, state.version + 1)):
            return None
        return [text for _, text in missed] or None

    async def _recover(self, error: StoreError, lost: Outcome) -> None:
        """What could not be written has not happened: go on from what is on disk. ``StoreError`` if that cannot be read either."""
        numbers = {outgoing.to: outgoing.frame.n for outgoing in lost.frames if isinstance(outgoing.frame, AckFrame)}
        for number, screen in self.screens.items():
            screen.outbox.put(encode(error_frame(error, numbers.get(number))))
            screen.knows, screen.version = False, None
        for number, waiting in self.desk.items():
            if number in numbers and not waiting.done():
                waiting.set_result(error_frame(error, numbers[number]))
        self.tail.clear()
        self.known.clear()
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
        choices = self.room.wanted(now)
        if not choices and not self.thinking:
            return
        wanted = {want.seat: want for want in choices}
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
        state = self.room.state
        choose: Callable[[], str] = lambda: player(want.player).choose(match, want.seat, state.seed, want.n)  # noqa: E731
        try:
            return await self.hub.thought(self.address or self.id, want.player in DEEP, choose)
        except RulesError:  # the choice has passed while it was thought about
            return None
        except Exception:
            log.exception("table.player", match=self.id[:4], player=want.player)
            return None
