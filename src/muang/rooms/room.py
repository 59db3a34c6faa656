"""Owns one live match: who sits where, what a command does, what time does. Pure and synchronous: ``now`` (ms) is an argument everywhere.

``handle`` and ``tick`` give log entries and frames; the caller appends the entries first and sends the frames then. Nothing is awaited,
no clock is read. The board is the match's own matter, the meaning of the log is ``State``'s, who is there is ``People``'s, when an input
of a race counts is ``Judge``'s; here these are brought together.

With no player there, everything stands still: the race clock, clocks of turns, time limits, rolls and computer players. After that, and
after a restart, it goes on when everybody is back, or has been waited for long enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from muang.errors import MuangError
from muang.games.core import Match, Seat
from muang.i18n import N_
from muang.rooms import deadlines, frames, inputs, meeting, passing, waiting
from muang.rooms.clock import RaceClock
from muang.rooms.commands import (
    Answered,
    Command,
    Computed,
    Join,
    Order,
    Outbox,
    Outcome,
    Outgoing,
    Part,
    Play,
    Rematched,
    Resync,
    Say,
    Sit,
    Timing,
    Visit,
    Wanted,
)
from muang.rooms.judge import Judge
from muang.rooms.people import People, Screen
from muang.rooms.state import State
from muang.rooms.turn_clock import TurnClock, chooser, drops_in
from muang.search.players import player
from muang.wire import AckFrame, EventFrame, LogEntry, ServerFrame, Setup, StateFrame, TableFrame, error_frame

__all__ = ["RESTART_JUMP", "Room"]

RESTART_JUMP = 4096
"""Versions go on so far beyond the last logged one after a restart: no screen can have seen a higher one (see
``passing.MOST_UNLOGGED``)."""
EXACT = N_("{seat} plays exactly from here on: every choice comes from a solved table.")


class Room:
    """A live match."""

    def __init__(self, state: State, timing: Timing) -> None:
        self.state = state
        self.timing = timing
        self.people = People(state)
        self.judge = Judge(state.setup.max_lag)
        self.shown: Match = state.match
        """The match as it was last told: ``state.match`` and what time has done since."""
        self.shown_ms = state.logged_ms
        self.clock = RaceClock()
        self.clock.reset(state.logged_ms)
        self.turn_clock = None if state.setup.clock is None else TurnClock(state.setup.clock)
        self.version = 0
        self._viewed: tuple[Match, dict[str, Any]] | None = None
        self._table_told: tuple[Any, ...] = ()
        self._due: tuple[deadlines.Due | None] | None = None
        self.since: dict[Seat, tuple[str, int]] = {}
        """Seat → what it has to do and since when."""
        self.waits: dict[Seat, int] = {}
        """Seat → since when the match cannot go on without it."""
        self.roll_at: int | None = None
        self.counting = False
        self.resting = False
        """Not everybody is back yet since nobody was there."""
        self.drop_ends: tuple[Match, bool] | None = None
        """Whether the next drop that falls due by itself in that state ends the race."""
        self.exact: tuple[Seat, ...] = ()
        """Seats whose computer plays exactly; ``exact_told``: of which that has been said."""
        self.exact_told: tuple[Seat, ...] = ()
        self.said: dict[Seat, int] = {}
        """Seat → when its player said something last."""
        self.unlogged = 0
        self._out = Outbox()

    @classmethod
    def create(cls, setup: Setup, timing: Timing | None = None) -> Room:
        """A new room. ``RulesError`` says what the setup has wrong."""
        return cls(State(setup), timing or Timing())

    @classmethod
    def replay(cls, setup: Setup, entries: Iterable[LogEntry], timing: Timing | None = None) -> Room:
        """The room that a log describes; a race stands at its last logged moment until everybody is back.

        ``BadRecord`` names the entry that does not fit, ``RulesVersion`` says that the rules it was played by are not here.
        """
        state = State(setup)
        state.replay(entries)
        room = cls(state, timing or Timing())
        if state.entries:
            room.version = state.entries[-1].version + RESTART_JUMP
            room.exact = room.exact_told = frames.exact_seats(state, room.shown)
            room.resting = True
        return room

    # ── what the caller does ─────────────────────────────────────────────────────────────────────────────────────────────────

    def handle(self, command: Command, now: int) -> Outcome:
        """What a command does, after all that time has done before it. Errors are frames to whoever caused them; nothing changes then."""
        passing.bring(self, now)
        _DOING[type(command)](self, command, now)
        self._due = None
        return self._out.take()

    def tick(self, now: int) -> Outcome:
        """What time has done by ``now``."""
        passing.bring(self, now)
        return self._out.take()

    def next_deadline(self, now: int) -> int | None:
        """The next moment (on the clock of ``now``) at which ``tick`` has something to do, or None."""
        due = self.due()
        return None if due is None else due.moment

    def due(self) -> deadlines.Due | None:
        """What time brings next. It does not depend on the time, only on what has been done since it was worked out."""
        if self._due is None:
            self._due = (deadlines.next_due(self),)
        return self._due[0]

    def done(self) -> None:
        """Something has been done: what time brings next may be another thing."""
        self._due = None

    def wanted(self, now: int) -> list[Wanted]:
        """The choices that computer players have to make now."""
        state = self.state
        if not self.people.awake() or self.resting or not state.begun:
            return []
        if state.live and not (state.started and self.clock.running(now)):
            return []
        choices = []
        for seat in self.view["to_act"]:
            chair = state.chairs[seat]
            if chair.kind == "computer" and seat in self.since:
                name = chair.player or "greedy"
                due = self.since[seat][1] + player(name).wait_ms(self.shown, seat, state.seed, chair.plays)
                choices.append(Wanted(seat, name, chair.ticket, chair.plays, due, early=not state.live))
        return choices

    @property
    def view(self) -> dict[str, Any]:
        """The match as everybody may see it. Made once for each state, and never changed."""
        if self._viewed is None or self._viewed[0] is not self.shown:
            self._viewed = (self.shown, self.shown.view())
        return self._viewed[1]

    @property
    def screens(self) -> dict[int, Screen]:
        """The screens at the table."""
        return self.people.screens

    def seats_of(self, tokens: Iterable[str]) -> tuple[Seat, ...]:
        """The seats that the tokens hold."""
        return self.people.seats_of(tokens)

    def state_frame(self, screen: Screen, now: int) -> StateFrame:
        """Everything, as ``screen`` may see it."""
        return frames.state_frame(self, screen, now)

    # ── commands ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _join(self, command: Join, now: int) -> None:
        people = self.people
        screen = people.visitor(command.screen, command.client, command.tokens)
        slept = not people.awake()
        people.join(screen, now)
        for seat in screen.seats:
            if self.state.chairs[seat].kind == "absent":
                self.record(LogEntry.made(kind="seat", seat=seat, action="person"), now)
        first = slept and people.awake()
        if first:
            waiting.wake(self, now)
        meeting.met(self, screen, command.entropy, now)
        meeting.make_again(self, now)
        waiting.rested(self, now)
        waiting.touch(self, now)
        self.send(self.state_frame(screen, now), screen.number)
        if self.counting and self.clock.since is not None and first:
            waiting.tell_countdown(self, now)
        for other in people.screens.values():
            if other is screen or other.probe_at is None:  # with the second player it begins to matter
                waiting.probe(self, other, now)
        self.tell_table(now, but=screen.number)

    def _part(self, command: Part, now: int) -> None:
        awake = self.people.awake()
        if not self.people.part(command.screen, now):
            return
        if awake and not self.people.awake():
            waiting.sleep(self, now)
        waiting.touch(self, now)
        self.tell_table(now)

    def _resync(self, command: Resync, now: int) -> None:
        if command.screen in self.people.screens:
            self.send(self.state_frame(self.people.screens[command.screen], now), command.screen)

    def _echo(self, command: Answered, now: int) -> None:
        screen = self.people.screens.get(command.screen)
        if screen is None:
            return
        before = screen.clock.trip
        screen.clock.echoed(command.frame.s, now, command.frame.t)
        after = screen.clock.trip
        if after is not None and (before is None or abs(after - before) * 5 > before + 25):
            self.tell_table(now)

    def _visit(self, command: Visit, now: int) -> None:
        inputs.answer(self, self.people.visitor(command.screen, command.client, command.tokens), command.frame, now)

    def _answered(self, command: Play | Order | Say, now: int) -> None:
        if command.screen in self.people.screens:
            inputs.answer(self, self.people.screens[command.screen], command.frame, now)

    def _sit(self, command: Sit, now: int) -> None:
        try:
            meeting.sit(self, command, now)
            self.send(AckFrame(n=0, version=self.version), command.screen)
        except MuangError as error:
            self.send(error_frame(error, 0), command.screen)

    def _rematched(self, command: Rematched, now: int) -> None:
        self.record(LogEntry(kind="again", by="system", action=command.match), now)

    # ── one entry more ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def record(self, entry: LogEntry, now: int, after: Match | None = None) -> None:
        """Take an entry into the log and tell everybody. ``RulesError`` if it cannot follow; nothing changed then.

        ``after``: what ``state.check`` has just said of this entry.
        """
        before, logged, live = self.shown, self.state.match, self.state.live
        then = self.view
        late = live and entry.at is not None and entry.at < self.shown_ms
        entry = self.state.fold(entry, self.version + 1, after, now)
        self.version += 1
        self.unlogged = 0
        self._out.entries.append(entry)
        fresh = before
        if entry.kind in ("play", "roll", "leave", "draw", "takeback", "time", "begin"):
            fresh = self._show(entry, before, logged, live, late)
        if entry.kind == "seat" and entry.seat is not None:
            self.since.pop(entry.seat, None)  # whoever sits there now has its time from now on
        self.turn_clock_after(before, fresh, now, again=entry.kind in ("play", "takeback", "begin"))
        waiting.touch(self, now, acted=entry.seat if entry.kind == "play" else None)
        self.tell(now, entry, (before, then), late)
        if self.judge.late:
            inputs.refuse_late(self)

    def _show(self, entry: LogEntry, before: Match, logged: Match, live: bool, late: bool) -> Match:
        """Bring what is shown in step with the log. ``logged``: the match in the log before ``entry``."""
        now_logged = self.state.match
        if live and not late and entry.kind == "play":
            # gives only what is new since the last telling
            self.shown = now_logged if before is logged else before.apply(entry.rules_entry())
            self.shown_ms = entry.at or 0
        elif late and self.state.live:
            self.shown = now_logged.at(self.shown_ms)
        elif entry.kind == "time":
            self.shown = before.at(entry.at or 0)
            self.shown_ms = entry.at or 0
        else:
            self.shown = now_logged
        if self.state.live and not self.state.started and self.state.logged_ms == 0:
            self._new_race()
        elif live and not self.state.live:
            self.clock.reset(0)
            self.counting = False
            self.judge.clear()
        if self.shown.phase != "roll":
            self.roll_at = None
        return self.shown

    def _new_race(self) -> None:
        self.clock.reset(0)
        self.judge.clear()
        self.shown_ms, self.counting = 0, False

    def turn_clock_after(self, before: Match, fresh: Match, now: int, again: bool = False) -> None:
        """The clock of turns goes on to whoever has to choose now; computers have none.

        ``again``: what the seat has spent is in the log, so a clock that is its own already begins anew.
        """
        if self.turn_clock is None:
            return
        seat = chooser(fresh)
        if seat is not None and self.state.chairs[seat].kind == "computer":
            seat = None
        if seat == self.turn_clock.seat and not again:
            return
        self.turn_clock.give(seat, now, drops_in(fresh) if fresh is not before else 0)
        if self.resting or not self.people.awake():
            self.turn_clock.stop(now)

    # ── time ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def log_moment(self, now: int) -> None:
        """Log how far a live race has come, where what follows depends on it."""
        ms, due = self.clock.ms(now), self.shown.next_due
        if due is not None and due <= ms:
            ms = due - 1  # a drop that would end the race, and waits until it is certain
        if self.state.live and self.state.started and ms > self.state.logged_ms:
            self.record(LogEntry.made(kind="time", at=ms, by="system"), now)

    def awaiting(self) -> tuple[Seat, ...]:
        """The seats whose players have not said that they are ready for the race."""
        if not self.state.live or self.state.started or not self.state.begun:
            return ()
        return tuple(seat for seat in self.people.persons() if seat not in self.state.ready)

    # ── telling ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def send(self, frame: ServerFrame, to: int | None = None) -> None:
        """Send a frame to one screen, or to all."""
        self._out.frames.append(Outgoing(frame, to))

    def want(self, setup: Setup) -> None:
        """Another match is to be made."""
        self._out.rematch = setup

    def tell_table(self, now: int, but: int | None = None) -> None:
        """Tell everybody (but one screen) who is there."""
        others = [number for number in self.people.screens if number != but]
        if not others:
            return
        frame = TableFrame(table=frames.table_view(self, now))
        for number in others:
            self.send(frame, number)

    def tell(self, now: int, entry: LogEntry | None = None, before: tuple[Match, dict[str, Any]] | None = None, late: bool = False) -> None:
        """Tell everybody what has happened since ``before`` (the match and its view then).

        Each screen hears which seats are its own when the seats have changed.
        """
        shown, view = self.shown, self.view
        events: list[Any] = []
        say: list[tuple[str, dict[str, Any]]] = []
        pause = 0
        if before is not None and shown is not before[0]:
            events = list(shown.events)
            pause = self.timing.no_move if frames.no_move(shown) else 0
            if (entry is None or entry.kind != "begin") and (not late or view["phase"] != before[1]["phase"]):
                say = frames.said(before[0], shown, (before[1], view))
            if late:
                events = []
        exact = frames.exact_seats(self.state, shown)
        self.exact = exact
        if entry is None or entry.kind not in ("sit", "begin"):  # said with the first thing that happens, when people are there to hear it
            say += [(EXACT, {"seat": seat}) for seat in exact if seat not in self.exact_told]
            self.exact_told = exact
        table = frames.table_print(self)
        same, self._table_told = table == self._table_told, table
        # not validated: every value is our own, and there are thousands a second
        event = EventFrame.made(
            version=self.version,
            entry=None if entry is None else frames.told(entry, view),
            events=events,
            say=say,
            match=view,
            late=late,
            pause=pause,
            seats=None,
            **frames.standing(self, now, table=not same),
        )
        if entry is None or entry.kind not in ("seat", "sit", "begin"):
            self.send(event)
            return
        for number, screen in self.people.screens.items():
            self.send(event.but(seats=frames.seat_views(self.state, screen.seats)), number)


# of the class: a room that held its own methods would be let go by nobody but the search for garbage
_DOING: dict[type, Callable[..., None]] = {
    Join: Room._join,
    Part: Room._part,
    Resync: Room._resync,
    Play: Room._answered,
    Order: Room._answered,
    Say: Room._answered,
    Visit: Room._visit,
    Sit: Room._sit,
    Answered: Room._echo,
    Computed: inputs.computed,
    Rematched: Room._rematched,
}
