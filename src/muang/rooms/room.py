"""Owns one live match: who sits where, what a command does, what time does. Pure and synchronous: ``now`` (ms) is an argument everywhere.

``handle`` and ``tick`` give log entries and frames; the caller appends the entries first and sends the frames then. Nothing is awaited,
no clock is read. The board is the match's own matter, the meaning of the log is ``State``'s, who is there is ``People``'s, when an input
of a race counts is ``Judge``'s; here these are brought together.

With no screen there, everything stands still: the race clock, clocks of turns, time limits, rolls and computer players. After that, and
after a restart, it goes on when everybody is back, or has been waited for long enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from muang.errors import BadAction, IllegalAction, MuangError, NotYourSeat, RulesError, StaleVersion
from muang.games.core import Match, Seat
from muang.i18n import N_
from muang.rooms import deadlines, frames, meeting, orders
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
from muang.rooms.judge import Judge, ends_race
from muang.rooms.people import People, Screen
from muang.rooms.rules import system_choice
from muang.rooms.state import ABSENT_AFTER, State
from muang.rooms.turn_clock import TurnClock, chooser, drops_in
from muang.search.players import player
from muang.wire import (
    AckFrame,
    CommandFrame,
    CountdownFrame,
    EventFrame,
    LogEntry,
    PhraseFrame,
    PlayFrame,
    ProbeFrame,
    SayFrame,
    ServerFrame,
    Setup,
    StateFrame,
    TableFrame,
    error_frame,
)

__all__ = ["RESTART_JUMP", "Room"]

RESTART_JUMP = 4096
"""Versions go on so far beyond the last logged one after a restart: no screen can have seen a higher one (see ``MOST_UNLOGGED``)."""
EXACT = N_("{seat} plays exactly from here on: every choice comes from a solved table.")
MOST_UNLOGGED = 2000
"""Events told without a log entry between two entries; the moment of the race is logged then."""


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
        """Seats of which it has been told that their computer plays exactly."""
        self.again_by: set[Seat] = set()
        self.again_match: str | None = None
        self._unlogged = 0
        self._out = Outbox()
        self._doing: dict[type, Callable[..., None]] = {
            Join: self._join,
            Part: self._part,
            Resync: self._resync,
            Play: self._answered,
            Order: self._answered,
            Say: self._answered,
            Visit: self._visit,
            Sit: self._sit,
            Answered: self._echo,
            Computed: self._computed,
            Rematched: self._rematched,
        }

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
            room.exact = frames.exact_seats(state, room.shown)
            room.resting = True
        return room

    # ── what the caller does ─────────────────────────────────────────────────────────────────────────────────────────────────

    def handle(self, command: Command, now: int) -> Outcome:
        """What a command does, after all that time has done before it. Errors are frames to whoever caused them; nothing changes then."""
        self._time(now)
        self._doing[type(command)](command, now)
        return self._out.take()

    def tick(self, now: int) -> Outcome:
        """What time has done by ``now``."""
        self._time(now)
        return self._out.take()

    def next_deadline(self, now: int) -> int | None:
        """The next moment (on the clock of ``now``) at which ``tick`` has something to do, or None."""
        due = deadlines.next_due(self)
        return None if due is None else due.moment

    def wanted(self, now: int) -> list[Wanted]:
        """The choices that computer players have to make now."""
        state = self.state
        if not self.people.screens or self.resting or not state.begun:
            return []
        if state.live and not (state.started and self.clock.running(now)):
            return []
        choices = []
        for seat in self.shown.to_act:
            chair = state.chairs[seat]
            if chair.kind == "computer" and seat in self.since:
                name = chair.player or "greedy"
                due = self.since[seat][1] + player(name).wait_ms(self.shown, seat, state.seed, chair.plays)
                choices.append(Wanted(seat, name, chair.ticket, chair.plays, due, early=not state.live))
        return choices

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
        first = not people.screens
        people.join(screen, now)
        for seat in screen.seats:
            if self.state.chairs[seat].kind == "absent":
                self.record(LogEntry(kind="seat", seat=seat, action="person"), now)
        if first:
            self._wake(now)
        meeting.met(self, screen, command.entropy, now)
        self._rested(now)
        self._touch(now)
        self._send(self.state_frame(screen, now), screen.number)
        if self.counting and self.clock.since is not None and first:
            self._tell_countdown(now)
        self._probe(screen, now)
        self.tell_table(now, but=screen.number)

    def _part(self, command: Part, now: int) -> None:
        if not self.people.part(command.screen, now):
            return
        if not self.people.screens:
            self._sleep(now)
        self._touch(now)
        self.tell_table(now)

    def _resync(self, command: Resync, now: int) -> None:
        if command.screen in self.people.screens:
            self._send(self.state_frame(self.people.screens[command.screen], now), command.screen)

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
        self._answer(self.people.visitor(command.screen, command.client, command.tokens), command.frame, now)

    def _answered(self, command: Play | Order | Say, now: int) -> None:
        if command.screen in self.people.screens:
            self._answer(self.people.screens[command.screen], command.frame, now)

    def _sit(self, command: Sit, now: int) -> None:
        try:
            meeting.sit(self, command, now)
            self._send(AckFrame(n=0, version=self.version), command.screen)
        except MuangError as error:
            self._send(error_frame(error, 0), command.screen)

    def _rematched(self, command: Rematched, now: int) -> None:
        self.again_match = command.match
        self.tell_table(now)

    def _answer(self, screen: Screen, frame: PlayFrame | CommandFrame | SayFrame, now: int) -> None:
        """Carry out what a screen wants, once; tell it that it is done, or why not."""
        number = None if isinstance(frame, SayFrame) else frame.n
        try:
            if frame.seat not in self.state.chairs:
                raise BadAction(f"there is no seat {frame.seat}", allowed=tuple(self.state.chairs))
            if frame.seat not in screen.seats:
                raise NotYourSeat(f"this screen does not hold the seat {frame.seat}")
            if isinstance(frame, SayFrame):
                self._send(PhraseFrame(seat=frame.seat, phrase=frame.phrase))
                return
            again = self.state.seen.get((screen.client, frame.n))
            if again is not None:
                self._send(AckFrame(n=frame.n, version=again), screen.number)
                return
            if isinstance(frame, PlayFrame):
                if not self._play(screen, frame, now):
                    return
            else:
                orders.carry_out(self, screen, frame, now)
            self._send(AckFrame(n=frame.n, version=self.version), screen.number)
        except MuangError as error:
            self._send(error_frame(error, number), screen.number)

    def _play(self, screen: Screen, frame: PlayFrame, now: int) -> bool:
        """Play. False if the input waits for earlier ones that may still arrive; it is answered later then."""
        state, seat = self.state, frame.seat
        chair = state.chairs[seat]
        if chair.kind == "computer":
            raise NotYourSeat("the computer sits there now; take the seat back first")
        times: dict[str, int | None] = {}
        if state.live:
            if not state.started:
                raise IllegalAction("the race has not begun", clause="MK-24")
            if any(one.entry.client == screen.client and one.entry.n == frame.n for one in self.judge.held):
                return False
            times = dict(zip(("at", "lag", "offset"), self.judge.dated(screen, frame, self.clock, now), strict=True))
        else:
            if self.shown.phase != "race" and frame.action not in ("drop", "slip"):
                # drops follow each other faster than they can be told; who may drop is checked by the match itself
                self._check_version(frame.version)
            times = self._spent(screen, seat, now)
        entry = LogEntry(
            kind="play",
            seat=seat,
            action=frame.action,
            client=screen.client,
            n=frame.n,
            client_at=None if frame.at is None else round(frame.at),
        ).model_copy(update=times)
        if chair.kind == "absent":
            self.record(LogEntry(kind="seat", seat=seat, action="person"), now)
        return self._judged(entry, screen.number, now)

    def _judged(self, entry: LogEntry, screen: int | None, now: int) -> bool:
        """Take an input in, or let it wait in its place if it would end the race before all earlier ones can have come."""
        live = self.state.live and entry.at is not None
        if live and entry.at is not None and self.judge.behind(entry.at):
            self.judge.hold(entry, screen)
            return False
        after = self.state.check(entry)
        if live and self.people.apart() and ends_race(after):
            self.judge.hold(entry, screen)
            return False
        self.record(entry, now, after)
        if self.judge.held:
            self._release(now)
        return True

    def _release(self, now: int) -> None:
        """Take in what waited and need not wait any more; answer for it."""
        held = self.judge.held
        while held:
            first = held[0]
            try:
                after = self.state.check(first.entry)
                if ends_race(after) and self.clock.ms(now) < self.judge.certain(first.at):
                    return
                del held[0]
                rest = list(held)
                self.record(first.entry, now, after)
                if self.state.live and self.state.started:
                    held[:] = rest
                elif rest:  # the race is over: what came after its end has come too late
                    for one in rest:
                        self._refuse(one.entry, one.screen, IllegalAction("the race was over", clause="MK-24"))
                    held.clear()
                self._ack(first.entry, first.screen)
            except MuangError as error:
                held.remove(first)
                self._refuse(first.entry, first.screen, error)

    def _ack(self, entry: LogEntry, screen: int | None) -> None:
        if screen is not None and entry.n is not None:
            self._send(AckFrame(n=entry.n, version=self.version), screen)

    def _refuse(self, entry: LogEntry, screen: int | None, error: MuangError) -> None:
        if screen is not None:
            self._send(error_frame(error, entry.n), screen)

    def _spent(self, screen: Screen, seat: Seat, now: int) -> dict[str, int | None]:
        """What a choice took of its clock; the way to the server and back, within ``max_lag``, is not counted."""
        if self.turn_clock is None or self.turn_clock.seat != seat:
            return {}
        back = min(screen.clock.trip or 0, self.state.setup.max_lag)
        return {"spent": max(0, self.turn_clock.spent(now) - back), "lag": back}

    def _check_version(self, version: int | None) -> None:
        if version is None or version < self.state.changed or version > self.version:
            raise StaleVersion(f"the match has moved on: this was meant for version {version}, it is at {self.version}")

    def _computed(self, command: Computed, now: int) -> None:
        chair = self.state.chairs.get(command.seat)
        if chair is None or chair.kind != "computer" or chair.ticket != command.ticket or not self.people.screens or self.resting:
            return
        live = self.state.live
        if live and not (self.state.started and self.clock.running(now)):
            return
        entry = LogEntry(kind="play", seat=command.seat, action=command.action, at=self.clock.ms(now) if live else None, by="computer")
        try:
            if not self._judged(entry, None, now):
                chair.ticket += 1
        except RulesError:  # the board has changed under a choice in a race: it will be asked again
            chair.ticket += 1

    # ── one entry more ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def record(self, entry: LogEntry, now: int, after: Match | None = None) -> None:
        """Take an entry into the log and tell everybody. ``RulesError`` if it cannot follow; nothing changed then.

        ``after``: what ``state.check`` has just said of this entry.
        """
        before, logged, live = self.shown, self.state.match, self.state.live
        late = live and entry.at is not None and entry.at < self.shown_ms
        entry = self.state.fold(entry.model_copy(update={"t": now}), self.version + 1, after)
        self.version += 1
        self._unlogged = 0
        self._out.entries.append(entry)
        fresh = before
        if entry.kind in ("play", "roll", "leave", "draw", "takeback", "time", "begin"):
            fresh = self._show(entry, before, logged, live, late)
            self._turn_clock_after(before, fresh, now)
        self._touch(now, acted=entry.seat if entry.kind == "play" else None)
        moved = fresh is not before
        self._tell(
            EventFrame(
                version=self.version,
                entry=frames.told(entry, fresh),
                events=list(fresh.events) if moved and not late else [],
                say=frames.said(before, fresh) if moved and not late and entry.kind != "begin" else [],
                match=fresh.view(),
                late=late,
                pause=self.timing.no_move if moved and frames.no_move(fresh) else 0,
            ),
            now,
            seats=entry.kind in ("seat", "sit", "begin"),
        )

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

    def _turn_clock_after(self, before: Match, fresh: Match, now: int) -> None:
        """The clock of turns goes on to whoever has to choose now; computers have none."""
        if self.turn_clock is None:
            return
        seat = chooser(fresh)
        if seat is not None and self.state.chairs[seat].kind == "computer":
            seat = None
        self.turn_clock.give(seat, now, drops_in(fresh) if fresh is not before else 0)
        if self.resting or not self.people.screens:
            self.turn_clock.stop(now)

    # ── time ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _time(self, now: int) -> None:
        """Everything that time has brought by ``now``, in its order."""
        while (due := deadlines.next_due(self)) is not None and due.moment <= now:
            match due.what:
                case "go":
                    self._go(due.moment)
                case "drop":
                    self._advance(due.moment)
                case "held":
                    self._release(due.moment)
                case "roll":
                    self.roll_at = None
                    self.record(LogEntry(kind="roll", seat=self.shown.turn, dice=self.state.roll(), by="system"), due.moment)
                case "choose" if due.about is not None:
                    self._choose_for(due.about, due.moment)
                case "flag" if due.about is not None:
                    self.record(LogEntry(kind="leave", seat=due.about, action="flag", by="system"), due.moment)
                case "away" if due.about is not None:
                    self.waits.pop(due.about, None)
                    self.record(LogEntry(kind="seat", seat=due.about, action="absent", by="system"), due.moment)
                    self._rested(due.moment)
                case "probe" if isinstance(due.about, int):
                    self._probe(self.people.screens[due.about], due.moment)

    def _go(self, now: int) -> None:
        """The countdown is over."""
        self.counting = False
        for screen in self.people.screens.values():
            screen.clock.settle()
        if not self.state.started:
            self.record(LogEntry(kind="start", at=0, by="system"), now)
        else:
            self.version += 1
            self._tell(EventFrame(version=self.version, match=self.shown.view()), now)
        self.since.clear()
        self._touch(now)

    def _advance(self, now: int) -> None:
        """Hands that sow by themselves have gone on (``steady``)."""
        before = self.shown
        due = before.next_due
        ending = self.drop_ends is not None and self.drop_ends[0] is before and self.drop_ends[1]
        ms = due if ending and due is not None else self.clock.ms(now)
        after = before.at(ms)
        if after is before:
            raise RuntimeError(f"match {self.state.setup.id}: a drop due at {before.next_due} did not happen by {ms}")
        if ends_race(after) or self._unlogged >= MOST_UNLOGGED:
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
        spent = self.turn_clock.spent(now) if self.turn_clock is not None and self.turn_clock.seat == seat else None
        entry = LogEntry(kind="play", seat=seat, action=system_choice(self.shown, seat), at=at, spent=spent, by="system")
        self._judged(entry, None, now)
        if self.state.chairs[seat].missed >= ABSENT_AFTER:
            self.record(LogEntry(kind="seat", seat=seat, action="absent", by="system"), now)

    def log_moment(self, now: int) -> None:
        """Log how far a live race has come, where what follows depends on it."""
        if self.state.live and self.state.started and self.clock.ms(now) > self.state.logged_ms:
            self.record(LogEntry(kind="time", at=self.clock.ms(now), by="system"), now)

    def _wake(self, now: int) -> None:
        """The first screen is there (again)."""
        self.since.clear()
        self._touch(now)
        if not self.resting:
            self._go_on(now)

    def _rested(self, now: int) -> None:
        """Go on after a rest if nobody is missing any more."""
        if self.resting and self.people.screens and not self.people.missing():
            self.resting = False
            self.since.clear()
            self._touch(now)
            self._go_on(now)
            if self.counting:
                self._tell_countdown(now)

    def _go_on(self, now: int) -> None:
        if self.turn_clock is not None:
            if self.turn_clock.seat is None:
                self._turn_clock_after(self.shown, self.shown, now)
            self.turn_clock.go(now)
        if self.state.begun and self.state.live and (self.state.started or not self.awaiting()):
            self._count(now)

    def _sleep(self, now: int) -> None:
        """The last screen has gone."""
        self._release_all(now)
        self.log_moment(now)
        self.clock.stop(now)
        if self.turn_clock is not None:
            self.turn_clock.stop(now)
        self.counting = False
        self.roll_at = None
        self.resting = self.state.begun
        self.since.clear()
        self.waits.clear()

    def _release_all(self, now: int) -> None:
        """Nobody is there any more from whom something could arrive."""
        while self.judge.held:
            first = self.judge.held.pop(0)
            try:
                self.record(first.entry, now)
            except RulesError:
                continue

    def count_down(self, now: int) -> None:
        """The race clock starts after the countdown, and everybody is told."""
        self._count(now)
        self._tell_countdown(now)
        for screen in self.people.screens.values():
            self._probe(screen, now)

    def _count(self, now: int) -> None:
        self.clock.run(now, self.timing.countdown)
        self.counting = True

    def _tell_countdown(self, now: int) -> None:
        assert self.clock.since is not None
        self._send(CountdownFrame(ms=self.clock.since - now, goes=self.clock.since))

    def _probe(self, screen: Screen, now: int) -> None:
        """Measure how far away a player is, where it matters: people at different screens."""
        wait = self.timing.probe if self.state.live or not self.state.begun else self.timing.rare_probe
        screen.probe_at = None
        if wait and screen.seats and self.people.apart():
            screen.clock.probed(now)
            self._send(ProbeFrame(s=now), screen.number)
            screen.probe_at = now + wait

    def awaiting(self) -> tuple[Seat, ...]:
        """The seats whose players have not said that they are ready for the race."""
        if not self.state.live or self.state.started or not self.state.begun:
            return ()
        return tuple(seat for seat in self.people.persons() if seat not in self.state.ready)

    def _touch(self, now: int, acted: Seat | None = None) -> None:
        """Note since when each seat has been waited for, and when a roll is due."""
        awake = bool(self.people.screens) and self.state.begun and not self.resting
        to_act = self.shown.to_act if awake else ()
        for seat in [seat for seat in self.since if seat not in to_act]:
            del self.since[seat]
        for seat in to_act:
            need = "drop" if "drop" in self.shown.legal(seat) else "choose"
            if seat == acted or self.since.get(seat, ("", 0))[0] != need:
                self.since[seat] = (need, now)
        if self.shown.phase == "roll" and self.roll_at is None and awake:
            self.roll_at = now + (self.timing.no_move if frames.no_move(self.shown) else self.timing.roll)
        self._note_waits(to_act, now)

    def _note_waits(self, to_act: tuple[Seat, ...], now: int) -> None:
        """Note for whom the match waits: an absence counts only then."""
        if not self.people.screens or not self.state.begun or self.shown.phase == "over":
            waited: set[Seat] = set()
        elif self.resting:
            waited = set(self.people.missing())
        else:
            waited = {seat for seat in (self.awaiting() or to_act) if self.state.chairs[seat].kind == "person"}
        for seat in [seat for seat in self.waits if seat not in waited]:
            del self.waits[seat]
        for seat in waited:
            self.waits.setdefault(seat, now)

    # ── telling ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _send(self, frame: ServerFrame, to: int | None = None) -> None:
        self._out.frames.append(Outgoing(frame, to))

    def want(self, setup: Setup) -> None:
        """Another match is to be made."""
        self._out.rematch = setup

    def notice(self, frame: ServerFrame) -> None:
        """Tell everybody something that is not part of the match."""
        self._send(frame)

    def tell_table(self, now: int, but: int | None = None) -> None:
        """Tell everybody (but one screen) who is there."""
        others = [number for number in self.people.screens if number != but]
        if not others:
            return
        frame = TableFrame(table=frames.table_view(self, now))
        for number in others:
            self._send(frame, number)

    def _tell(self, event: EventFrame, now: int, seats: bool = False) -> None:
        """Send an event to everybody; each screen is told which seats are its own when the seats have changed."""
        exact = frames.exact_seats(self.state, self.shown)
        fresh = [(EXACT, {"seat": seat}) for seat in exact if seat not in self.exact]
        self.exact = exact
        event = event.model_copy(update={"say": [*event.say, *fresh], **frames.standing(self, now)})
        if not seats:
            self._send(event)
            return
        for number, screen in self.people.screens.items():
            self._send(event.model_copy(update={"seats": frames.seat_views(self.state, screen.seats)}), number)
