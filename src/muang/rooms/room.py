"""Owns one live match: who sits where, what a command does, what time does. Pure and synchronous: ``now`` (ms) is an argument everywhere.

``handle`` and ``tick`` give log entries and frames; the caller appends the entries first and sends the frames then. Nothing is awaited,
no clock is read. The board is the match's own matter, the meaning of the log is ``State``'s; here are screens, timers and offers.

With no screen there, everything stands still: the race clock, time limits, rolls and computer players.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from muang.errors import BadAction, IllegalAction, MuangError, NotYourSeat, RulesError, StaleVersion
from muang.games.core import Match, Seat
from muang.games.lots import dice
from muang.i18n import N_
from muang.rooms import frames, orders
from muang.rooms.clock import ClientClock, RaceClock
from muang.rooms.commands import Command, Computed, Join, Order, Outbox, Outcome, Outgoing, Part, Play, Resync, Timing, Wanted
from muang.rooms.rules import system_choice
from muang.rooms.state import ABSENT_AFTER, State
from muang.search.players import player
from muang.wire import (
    AckFrame,
    CommandFrame,
    CountdownFrame,
    EventFrame,
    LogEntry,
    NoticeFrame,
    PlayFrame,
    RaceClockView,
    ServerFrame,
    Setup,
    StateFrame,
    error_frame,
    hash_token,
)

__all__ = ["RESTART_JUMP", "Room", "Screen"]

RESTART_JUMP = 4096
"""Versions go on so far beyond the last logged one after a restart: no screen can have seen a higher one (see ``MOST_UNLOGGED``)."""
EXACT = N_("{seat} plays exactly from here on: every choice comes from a solved table.")
MOST_UNLOGGED = 2000
"""Events told without a log entry between two entries; the moment of the race is logged then."""


@dataclass(slots=True)
class Screen:
    """A connection. ``seats``: those that its tokens hold."""

    number: int
    client: str
    seats: tuple[Seat, ...]
    clock: ClientClock = field(default_factory=ClientClock)


class Room:
    """A live match."""

    def __init__(self, state: State, timing: Timing) -> None:
        self.state = state
        self.timing = timing
        self.shown: Match = state.match
        """The match as it was last told: ``state.match`` and what time has done since."""
        self.shown_ms = state.logged_ms
        self.clock = RaceClock()
        self.clock.reset(state.logged_ms)
        self.version = 0
        self.screens: dict[int, Screen] = {}
        self._since: dict[Seat, tuple[str, int]] = {}
        self._roll_at: int | None = None
        self.counting = False
        self.exact: tuple[Seat, ...] = ()
        """Seats of which it has been told that their computer plays exactly."""
        self._unlogged = 0
        self._out = Outbox()

    @classmethod
    def create(cls, setup: Setup, timing: Timing | None = None) -> Room:
        """A new room. ``RulesError`` says what the setup has wrong."""
        return cls(State(setup), timing or Timing())

    @classmethod
    def replay(cls, setup: Setup, entries: Iterable[LogEntry], timing: Timing | None = None) -> Room:
        """The room that a log describes; a race stands at its last logged moment until a screen is back.

        ``BadRecord`` names the entry that does not fit, ``RulesVersion`` says that the rules it was played by are not here.
        """
        state = State(setup)
        state.replay(entries)
        room = cls(state, timing or Timing())
        if state.entries:
            room.version = state.entries[-1].version + RESTART_JUMP
            room.exact = frames.exact_seats(state, room.shown)
        return room

    # ── what the caller does ─────────────────────────────────────────────────────────────────────────────────────────────────

    def handle(self, command: Command, now: int) -> Outcome:
        """What a command does, after all that time has done before it. Errors are frames to whoever caused them; nothing changes then."""
        self._time(now)
        match command:
            case Join():
                self._join(command, now)
            case Part(number):
                self._part(number, now)
            case Resync(number) if number in self.screens:
                self._send(self.state_frame(self.screens[number], now), number)
            case Play(number, frame) if number in self.screens:
                self._answer(self.screens[number], frame, now)
            case Order(number, order) if number in self.screens:
                self._answer(self.screens[number], order, now)
            case Computed():
                self._computed(command, now)
        return self._out.take()

    def tick(self, now: int) -> Outcome:
        """What time has done by ``now``."""
        self._time(now)
        return self._out.take()

    def next_deadline(self, now: int) -> int | None:
        """The next moment (on the clock of ``now``) at which ``tick`` has something to do, or None."""
        due = self._next_due(now)
        return None if due is None else due[0]

    def wanted(self, now: int) -> list[Wanted]:
        """The choices that computer players have to make now."""
        if not self.screens or (self.state.live and not (self.state.started and self.clock.running(now))):
            return []
        choices = []
        for seat in self.shown.to_act:
            chair = self.state.chairs[seat]
            if chair.kind == "computer" and seat in self._since:
                name = chair.player or "greedy"
                wait = player(name).wait_ms(self.shown, seat, self.state.setup.seed, chair.plays)
                due = self._since[seat][1] + wait
                choices.append(Wanted(seat, name, chair.ticket, chair.plays, due, early=not self.state.live))
        return choices

    def seats_of(self, tokens: Iterable[str]) -> tuple[Seat, ...]:
        """The seats that the tokens hold."""
        hashes = {hash_token(token) for token in tokens}
        return tuple(seat for seat, chair in self.state.chairs.items() if chair.token is not None and chair.token in hashes)

    def state_frame(self, screen: Screen, now: int) -> StateFrame:
        """Everything, as ``screen`` may see it."""
        return StateFrame(
            version=self.version,
            match=self.shown.view(),
            seats=frames.seat_views(self.state, screen.seats),
            layout=frames.layout_of(self.shown),
            race_clock=self._race_clock(now),
            countdown=self.clock.left(now) if self.counting else None,
            awaiting=list(self.awaiting()),
            offer=frames.offer_view(self.state),
            clock=self._clocks(now),
            exact=list(frames.exact_seats(self.state, self.shown)),
            client=screen.client,
        )

    # ── commands ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _join(self, command: Join, now: int) -> None:
        screen = Screen(command.screen, command.client, self.seats_of(command.tokens))
        first = not self.screens
        self.screens[screen.number] = screen
        if first:
            self._wake(now)
        self._send(self.state_frame(screen, now), screen.number)
        if first and self.counting:
            self._send(CountdownFrame(ms=self.timing.countdown))

    def _part(self, number: int, now: int) -> None:
        if self.screens.pop(number, None) is not None and not self.screens:
            self._sleep(now)

    def _answer(self, screen: Screen, frame: PlayFrame | CommandFrame, now: int) -> None:
        """Carry out what a screen wants, once; tell it that it is done, or why not."""
        try:
            again = self.state.seen.get((screen.client, frame.n))
            if frame.seat not in self.state.chairs:
                raise BadAction(f"there is no seat {frame.seat}", allowed=tuple(self.state.chairs))
            if frame.seat not in screen.seats:
                raise NotYourSeat(f"this screen does not hold the seat {frame.seat}")
            if again is not None:
                self._send(AckFrame(n=frame.n, version=again), screen.number)
                return
            if isinstance(frame, PlayFrame):
                self._play(screen, frame, now)
            else:
                orders.carry_out(self, screen, frame, now)
            self._send(AckFrame(n=frame.n, version=self.version), screen.number)
        except MuangError as error:
            self._send(error_frame(error, frame.n), screen.number)

    def _play(self, screen: Screen, frame: PlayFrame, now: int) -> None:
        state, seat = self.state, frame.seat
        chair = state.chairs[seat]
        if chair.kind == "computer":
            raise NotYourSeat("the computer sits there now; take the seat back first")
        at = None
        if state.live:
            at = self._effective(screen, frame, now)
        elif self.shown.phase != "race" and frame.action not in ("drop", "slip"):
            # drops follow each other faster than they can be told; who may drop is checked by the match itself
            self._check_version(frame.version)
        entry = LogEntry(
            kind="play",
            seat=seat,
            action=frame.action,
            at=at,
            client=screen.client,
            n=frame.n,
            client_at=None if frame.at is None else round(frame.at),
        )
        state.check(entry)
        if chair.kind == "absent":
            self.record(LogEntry(kind="seat", seat=seat, action="person"), now)
        self.record(entry, now)

    def _check_version(self, version: int | None) -> None:
        if version is None or version < self.state.changed or version > self.version:
            raise StaleVersion(f"the match has moved on: this was meant for version {version}, it is at {self.version}")

    def _effective(self, screen: Screen, frame: PlayFrame, now: int) -> int:
        if not self.state.started or not self.clock.running(now):
            raise IllegalAction("the race has not begun" if not self.state.started else "the race stands still", clause="MK-24")
        return self.clock.ms(screen.clock.effective(now, frame.at, self.timing.max_lag))

    def _computed(self, command: Computed, now: int) -> None:
        chair = self.state.chairs.get(command.seat)
        if chair is None or chair.kind != "computer" or chair.ticket != command.ticket or not self.screens:
            return
        live = self.state.live
        if live and not (self.state.started and self.clock.running(now)):
            return
        entry = LogEntry(kind="play", seat=command.seat, action=command.action, at=self.clock.ms(now) if live else None, by="computer")
        try:
            self.state.check(entry)
        except RulesError:  # the board has changed under a choice in a race: it will be asked again
            chair.ticket += 1
            return
        self.record(entry, now)

    # ── one entry more ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def record(self, entry: LogEntry, now: int) -> None:
        """Take an entry into the log and tell everybody. ``RulesError`` if it cannot follow; nothing changed then."""
        before, live = self.shown, self.state.live
        late = live and entry.at is not None and entry.at < self.shown_ms
        entry = self.state.fold(entry, self.version + 1)
        self.version += 1
        self._unlogged = 0
        self._out.entries.append(entry)
        fresh = before
        if entry.kind in ("play", "roll", "leave", "draw", "takeback", "time"):
            fresh = self._show(entry, before, live, late, now)
        self._touch(now, acted=entry.seat if entry.kind == "play" else None)
        moved = fresh is not before
        self._tell(
            EventFrame(
                version=self.version,
                entry=frames.told(entry, fresh),
                events=list(fresh.events) if moved and not late else [],
                say=frames.said(before, fresh) if moved and not late else [],
                match=fresh.view(),
                late=late,
                pause=self.timing.no_move if moved and frames.no_move(fresh) else 0,
            ),
            now,
            seats=entry.kind == "seat",
        )

    def _show(self, entry: LogEntry, before: Match, live: bool, late: bool, now: int) -> Match:
        """Bring what is shown in step with the log."""
        logged = self.state.match
        if live and not late and entry.kind == "play":
            self.shown = before.apply(entry.rules_entry())  # gives only what is new since the last telling
            self.shown_ms = entry.at or 0
        elif late and self.state.live:
            self.shown = logged.at(self.shown_ms)
        elif entry.kind == "time":
            self.shown = before.at(entry.at or 0)
            self.shown_ms = entry.at or 0
        else:
            self.shown = logged
        if self.state.live and not self.state.started and self.state.logged_ms == 0:
            self._new_race()
        elif live and not self.state.live:
            self.clock.reset(0)
            self.counting = False
        if self.shown.phase != "roll":
            self._roll_at = None
        return self.shown

    def _new_race(self) -> None:
        self.clock.reset(0)
        self.shown_ms, self.counting = 0, False

    # ── time ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _time(self, now: int) -> None:
        """Everything that time has brought by ``now``, in its order."""
        while (due := self._next_due(now)) is not None and due[0] <= now:
            moment, what, seat = due
            if what == "go":
                self._go(moment)
            elif what == "drop":
                self._advance(moment)
            elif what == "roll":
                self._roll_at = None
                pair = dice(self.state.setup.seed, self.state.rolls)
                self.record(LogEntry(kind="roll", seat=self.shown.turn, dice=pair, by="system"), moment)
            elif seat is not None:
                self._choose_for(seat, moment)

    def _next_due(self, now: int) -> tuple[int, str, Seat | None] | None:
        """The next thing that time brings: when, what, for which seat."""
        if not self.screens or self.shown.phase == "over":
            return None
        dues: list[tuple[int, int, str, Seat | None]] = []
        if self.counting and self.clock.since is not None:
            dues.append((self.clock.since, 0, "go", None))
        elif self.state.live and self.state.started and self.clock.since is not None and self.shown.next_due is not None:
            dues.append((self.clock.moment(self.shown.next_due), 1, "drop", None))
        if self.shown.phase == "roll" and self._roll_at is not None:
            dues.append((self._roll_at, 2, "roll", None))
        dues += [(moment, 3, "choose", seat) for seat, moment in self._deadlines().items()]
        if not dues:
            return None
        moment, _, what, seat = min(dues, key=lambda due: due[:2])
        return moment, what, seat

    def _deadlines(self) -> dict[Seat, int]:
        """When each seat's time to choose is over (MK-26, CN-42)."""
        options = self.shown.game.options
        choice_seconds, turn_seconds = options.get("choice_seconds"), options.get("turn_seconds")
        if choice_seconds is None and turn_seconds is None:
            return {}
        running = self.state.started and not self.counting and self.clock.since is not None
        limits: dict[Seat, int] = {}
        for seat, (need, since) in self._since.items():
            if self.state.chairs[seat].kind != "person" or (self.state.live and not running):
                continue
            if self.shown.phase == "race" and choice_seconds is not None:
                limits[seat] = since + (self.timing.drop if need == "drop" else choice_seconds * 1000)
            elif self.shown.phase == "move" and turn_seconds is not None:
                limits[seat] = since + turn_seconds * 1000
        return limits

    def _go(self, now: int) -> None:
        """The countdown is over."""
        self.counting = False
        if not self.state.started:
            self.record(LogEntry(kind="start", at=0, by="system"), now)
        else:
            self.version += 1
            self._tell(EventFrame(version=self.version, match=self.shown.view()), now)
        self._since.clear()
        self._touch(now)

    def _advance(self, now: int) -> None:
        """Hands that sow by themselves have gone on (``steady``)."""
        ms, before = self.clock.ms(now), self.shown
        after = before.at(ms)
        if after is before:
            raise RuntimeError(f"match {self.state.setup.id}: a drop due at {before.next_due} did not happen by {ms}")
        over = after.phase != "race" or any(event[:2] == ("-", "race") for event in after.events)
        if over or self._unlogged >= MOST_UNLOGGED:
            self.record(LogEntry(kind="time", at=ms, by="system"), now)
            return
        self.shown, self.shown_ms = after, ms
        self.version += 1
        self._unlogged += 1
        self._touch(now)
        event = EventFrame(version=self.version, events=list(after.events), say=frames.said(before, after), match=after.view())
        self._tell(event, now)

    def _choose_for(self, seat: Seat, now: int) -> None:
        """The system chooses for a seat that did not; the third time in a row the seat is absent."""
        at = self.clock.ms(now) if self.state.live else None
        self.record(LogEntry(kind="play", seat=seat, action=system_choice(self.shown, seat), at=at, by="system"), now)
        if self.state.chairs[seat].missed >= ABSENT_AFTER:
            self.record(LogEntry(kind="seat", seat=seat, action="absent", by="system"), now)

    def log_moment(self, now: int) -> None:
        """Log how far a live race has come, where what follows depends on it."""
        if self.state.live and self.state.started and self.clock.ms(now) > self.state.logged_ms:
            self.record(LogEntry(kind="time", at=self.clock.ms(now), by="system"), now)

    def _wake(self, now: int) -> None:
        """The first screen is there (again)."""
        self._since.clear()
        self._touch(now)
        if self.state.live and (self.state.started or not self.awaiting()):
            self._count(now)

    def _sleep(self, now: int) -> None:
        """The last screen has gone."""
        self.log_moment(now)
        self.clock.stop(now)
        self.counting = False
        self._roll_at = None
        self._since.clear()

    def count_down(self, now: int) -> None:
        """The race clock starts after the countdown, and everybody is told."""
        self._count(now)
        self._send(CountdownFrame(ms=self.timing.countdown))

    def _count(self, now: int) -> None:
        self.clock.run(now, self.timing.countdown)
        self.counting = True

    def awaiting(self) -> tuple[Seat, ...]:
        """The seats whose players have not said that they are ready for the race."""
        if not self.state.live or self.state.started:
            return ()
        people = (seat for seat, chair in self.state.chairs.items() if chair.kind == "person")
        return tuple(seat for seat in people if seat not in self.state.ready)

    def _touch(self, now: int, acted: Seat | None = None) -> None:
        """Note since when each seat has been waited for, and when a roll is due."""
        to_act = self.shown.to_act if self.screens else ()
        for seat in [seat for seat in self._since if seat not in to_act]:
            del self._since[seat]
        for seat in to_act:
            need = "drop" if "drop" in self.shown.legal(seat) else "choose"
            if seat == acted or self._since.get(seat, ("", 0))[0] != need:
                self._since[seat] = (need, now)
        if self.shown.phase == "roll" and self._roll_at is None and self.screens:
            self._roll_at = now + (self.timing.no_move if frames.no_move(self.shown) else self.timing.roll)

    # ── telling ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _race_clock(self, now: int) -> RaceClockView | None:
        return RaceClockView(running=self.clock.running(now), ms=self.clock.ms(now)) if self.state.live else None

    def _clocks(self, now: int) -> dict[str, int]:
        return {str(seat): max(0, moment - now) for seat, moment in self._deadlines().items()}

    def _send(self, frame: ServerFrame, to: int | None = None) -> None:
        self._out.frames.append(Outgoing(frame, to))

    def notice(self, frame: NoticeFrame) -> None:
        """Tell everybody something that is not part of the match."""
        self._send(frame)

    def _tell(self, event: EventFrame, now: int, seats: bool = False) -> None:
        """Send an event to everybody; each screen is told which seats are its own when the seats have changed."""
        exact = frames.exact_seats(self.state, self.shown)
        fresh = [(EXACT, {"seat": seat}) for seat in exact if seat not in self.exact]
        self.exact = exact
        event = event.model_copy(
            update={
                "say": [*event.say, *fresh],
                "exact": list(exact),
                "race_clock": self._race_clock(now),
                "awaiting": list(self.awaiting()),
                "offer": frames.offer_view(self.state),
                "clock": self._clocks(now),
            }
        )
        if not seats:
            self._send(event)
            return
        for number, screen in self.screens.items():
            self._send(event.model_copy(update={"seats": frames.seat_views(self.state, screen.seats)}), number)
