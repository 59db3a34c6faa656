"""Owns a match in this process: a room, its time, its computer players in threads. Tells the same frames as a server, decides nothing."""

from __future__ import annotations

import asyncio
import datetime
import secrets
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TypeVar

from muang.errors import MuangError, RulesError
from muang.games.core import Match, Seat, game
from muang.records import Record
from muang.rooms import Command, Computed, Join, Order, Outcome, Play, Rematched, Room, Say, Timing, Wanted
from muang.rooms.hints import hint_seat
from muang.rooms.proof import arrivals_of, tags_of
from muang.search.limits import Stop
from muang.search.players import player
from muang.tui.driver import HINT_MS, LIVE_HINT_MS, Advice, Listener, advise
from muang.tui.session import Said
from muang.wire import CommandFrame, PlayFrame, SayFrame, Setup, encode, parse_server
from muang.wire.told import AckFrame

__all__ = ["Local"]

T = TypeVar("T")
SCREEN, CLIENT = 1, "terminal"


class Local:
    """A driver for a room of its own; one screen holds the seats of all people."""

    local = True

    def __init__(self, setup: Setup, tokens: dict[Seat, str], timing: Timing | None = None) -> None:
        self.setup, self.tokens = setup, tokens
        self.usual = self.timing = timing or Timing()
        self.room: Room
        self.listener: Listener
        self.n = 0
        self.timer: asyncio.TimerHandle | None = None
        self.thinking: dict[Seat, tuple[int, asyncio.Task[None]]] = {}
        self.pool = ThreadPoolExecutor(max_workers=2, thread_name_prefix="player")
        self.stop = Stop()
        self.next: Local | None = None
        self.closed = False
        self._epoch = time.time_ns() // 1_000_000 - time.monotonic_ns() // 1_000_000

    def now(self) -> int:
        """Ms since 1970, by a clock that never goes back."""
        return self._epoch + time.monotonic_ns() // 1_000_000

    async def start(self, listener: Listener) -> None:
        """Lay the match out and sit down. ``RulesError`` says what the setup has wrong."""
        self.listener = listener
        self.room = await self._thread(partial(_made, self.setup, self.timing))
        if not self.closed:
            listener.linked("open", "")
            self._do(Join(SCREEN, CLIENT, tuple(self.tokens.values()), secrets.token_urlsafe(8)))

    def hasten(self, times: float) -> None:
        """Dice fall earlier or later, and a roll without a move stands for a shorter or longer time."""
        usual = self.usual
        self.timing = replace(usual, roll=max(1, round(usual.roll / times)), no_move=max(1, round(usual.no_move / times)))
        if hasattr(self, "room"):
            self.room.timing = self.timing

    # ── what the player wants ────────────────────────────────────────────────────────────────────────────────────────────────

    def play(self, seat: Seat, action: str, version: int, at: float | None) -> None:
        """An action."""
        self.n += 1
        self._do(Play(SCREEN, PlayFrame(n=self.n, seat=seat, version=version, action=action, at=at)))

    def command(self, seat: Seat, name: str, about: Seat | None = None, player: str | None = None) -> None:
        """Something about the match itself."""
        self.n += 1
        self._do(Order(SCREEN, CommandFrame(n=self.n, seat=seat, name=name, about=about, player=player)))

    def say(self, seat: Seat, phrase: str) -> None:
        """A phrase."""
        self._do(Say(SCREEN, SayFrame.model_validate({"seat": seat, "phrase": phrase})))

    def waits(self, seat: Seat) -> bool:
        """Nothing waits here: every input is answered at once."""
        return False

    async def advice(self) -> Advice:
        """A hint. ``MuangError`` says why there is none."""
        match, seat = hint_seat(self.room, self.tokens.values())
        live = match.phase == "race" and match.pace != "lockstep"
        return await self._thread(partial(advise, match, seat, LIVE_HINT_MS if live else HINT_MS, self.stop))

    async def match(self) -> Match:
        """The match as it is shown."""
        return self.room.shown

    async def told(self) -> tuple[int, list[Said]]:
        """Nothing: the one screen has seen everything."""
        return -1, []

    async def record(self) -> Record:
        """The record; all lots are told, for nobody else is playing."""
        if not hasattr(self, "room"):
            raise MuangError("the match has not begun")  # it is ended while everything is still laid out
        return record_of(self.room, self.now())

    def again(self, match_id: str) -> Local:
        """The rematch that has just been made."""
        if self.next is None:
            raise MuangError("there is no other match")
        return self.next

    async def close(self) -> None:
        """Stop time and thoughts."""
        self.closed = True
        self.stop.set()
        if self.timer is not None:
            self.timer.cancel()
        for _, task in self.thinking.values():
            task.cancel()
        self.pool.shutdown(wait=False, cancel_futures=True)

    # ── the room ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _do(self, command: Command | None = None) -> None:
        """One command, or what time has brought; then the computers and the next moment."""
        if self.closed:
            return
        now = self.now()
        try:
            self._carry(self.room.tick(now) if command is None else self.room.handle(command, now))
        except Exception as error:
            self.closed = True
            self.listener.linked("closed", error.told if isinstance(error, MuangError) else f"{type(error).__name__}: {error}")
            return
        self._think()
        if self.timer is not None:
            self.timer.cancel()
        deadline = self.room.next_deadline(self.now())
        if deadline is not None:
            wait = max(0, deadline - self.now()) / 1000
            self.timer = asyncio.get_running_loop().call_later(wait, self._do)

    def _carry(self, outcome: Outcome) -> None:
        for outgoing in outcome.frames:
            if outgoing.to in (None, SCREEN) and not isinstance(outgoing.frame, AckFrame):
                self.listener.told(parse_server(encode(outgoing.frame)))  # exactly what comes over a line
        if outcome.rematch is not None:
            lots = {"id": secrets.token_urlsafe(16), "secret": secrets.token_hex(32), "created": self.now()}
            self.next = Local(outcome.rematch.model_copy(update=lots), self.tokens, self.usual)
            self._carry(self.room.handle(Rematched(self.next.setup.id), self.now()))

    # ── computer players ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _think(self) -> None:
        """See to it that every computer player that has to choose is at it."""
        wanted = {want.seat: want for want in self.room.wanted(self.now())}
        for seat, (ticket, task) in list(self.thinking.items()):
            if task.done() or seat not in wanted or wanted[seat].ticket != ticket:
                task.cancel()
                del self.thinking[seat]
        for seat, want in wanted.items():
            if seat not in self.thinking:
                self.thinking[seat] = (want.ticket, asyncio.create_task(self._choose(want), name=f"thinks-{seat}"))

    async def _choose(self, want: Wanted) -> None:
        action = await self._computed(want) if want.early else None
        await asyncio.sleep(max(0, want.due - self.now()) / 1000)
        if action is None:
            action = await self._computed(want)
        if action is not None:
            # not from here: what follows may end this very task
            asyncio.get_running_loop().call_soon(self._do, Computed(want.seat, want.ticket, action))

    async def _computed(self, want: Wanted) -> str | None:
        match, seed = self.room.shown, self.room.state.seed
        with suppress(RulesError):  # the choice has passed while it was thought about
            return await self._thread(lambda: player(want.player).choose(match, want.seat, seed, want.n))
        return None

    async def _thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self.pool, work)


def _made(setup: Setup, timing: Timing) -> Room:
    """The room, after everything that it needs has been compiled: what comes later is done while somebody waits."""
    match = game(setup.game, setup.ruleset, **setup.options).start(
        1, pace=setup.pace, seats=tuple(seat.seat for seat in setup.seats), tempo=setup.tempo, min_gap=setup.min_gap
    )
    for number in range(4):
        if match.phase == "roll":
            match = match.roll((number % 6 + 1, 6))
        elif match.next_due is not None:
            match = match.at(match.next_due)
        for seat in match.to_act[:1]:
            match = match.play(seat, match.legal(seat)[0])
        str(match.position), match.view(), match.events
    return Room.create(setup, timing)


def record_of(room: Room, now: int) -> Record:
    """The record of a room of this process."""
    state = room.state
    names = {seat: chair.name or chair.player or "" for seat, chair in state.chairs.items()}
    date = datetime.datetime.fromtimestamp(now / 1000).date().isoformat()
    known = {seat: name for seat, name in names.items() if name}
    return Record.from_match(room.shown, known, date, tell_seed=True, tags=tags_of(state, True), arrivals=arrivals_of(state, room.shown))
