"""Owns what an input does: who may make it, when it counts, whether it waits for earlier ones, how it is answered. Knows no timers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from muang.errors import BadAction, IllegalAction, MuangError, NotYourSeat, RateLimited, RulesError, StaleVersion
from muang.rooms import orders
from muang.rooms.commands import Computed
from muang.rooms.judge import ends_race
from muang.wire import AckFrame, CommandFrame, LogEntry, PhraseFrame, PlayFrame, SayFrame, error_frame

if TYPE_CHECKING:
    from muang.rooms.people import Screen
    from muang.rooms.room import Room

__all__ = ["answer", "computed", "refuse_late", "release", "take"]

SAY_MS = 700
"""Between two phrases of one player."""


def answer(room: Room, screen: Screen, frame: PlayFrame | CommandFrame | SayFrame, now: int) -> None:
    """Carry out what a screen wants, once; tell it that it is done, or why not."""
    number = None if isinstance(frame, SayFrame) else frame.n
    try:
        if frame.seat not in room.state.chairs:
            raise BadAction(f"there is no seat {frame.seat}", allowed=tuple(room.state.chairs))
        if frame.seat not in screen.seats:
            raise NotYourSeat(f"this screen does not hold the seat {frame.seat}")
        if isinstance(frame, SayFrame):
            if now - room.said.get(frame.seat, 0) < SAY_MS:
                raise RateLimited("one phrase at a time, please")
            room.said[frame.seat] = now
            room.send(PhraseFrame(seat=frame.seat, phrase=frame.phrase))
            return
        again = room.state.seen.get((screen.client, frame.n))
        if again is not None:
            room.send(AckFrame.made(n=frame.n, version=again), screen.number)
            return
        if isinstance(frame, PlayFrame):
            if not _play(room, screen, frame, now):
                return
        else:
            orders.carry_out(room, screen, frame, now)
        room.send(AckFrame.made(n=frame.n, version=room.version), screen.number)
    except MuangError as error:
        room.send(error_frame(error, number), screen.number)


def _play(room: Room, screen: Screen, frame: PlayFrame, now: int) -> bool:
    """Play. False if the input waits for earlier ones that may still arrive; it is answered later then."""
    state, seat = room.state, frame.seat
    chair = state.chairs[seat]
    if chair.kind == "computer":
        raise NotYourSeat("the computer sits there now; take the seat back first")
    at: int | None = None
    lag: int | None = None
    offset: int | None = None
    spent: int | None = None
    if state.live:
        if not state.started:
            raise IllegalAction("the race has not begun", clause="MK-24")
        if any(one.entry.client == screen.client and one.entry.n == frame.n for one in room.judge.held):
            return False
        at, lag, offset = room.judge.dated(screen, frame, room.clock, now)
    else:
        if room.shown.phase != "race" and frame.action not in ("drop", "slip"):
            # drops follow each other faster than they can be told; who may drop is checked by the match itself
            _check_version(room, frame.version)
        if room.turn_clock is not None and room.turn_clock.seat == seat:
            # the way to the server and back, within ``max_lag``, is not counted
            lag = min(screen.clock.trip or 0, state.setup.max_lag)
            spent = max(0, room.turn_clock.spent(now) - lag)
    entry = LogEntry.made(
        kind="play",
        seat=seat,
        action=frame.action,
        at=at,
        client=screen.client,
        n=frame.n,
        client_at=None if frame.at is None else round(frame.at),
        lag=lag,
        offset=offset,
        spent=spent,
    )
    if chair.kind == "absent":
        if not (state.live and at is not None and room.judge.behind(at)):
            state.check(entry)  # who cannot do this is not back by it
        room.record(LogEntry.made(kind="seat", seat=seat, action="person"), now)
    taken = take(room, entry, screen.number, now)
    if at is not None and state.live:
        room.judge.counted(seat, at)  # what is refused is not in the log, and holds back nothing that is
    return taken


def take(room: Room, entry: LogEntry, screen: int | None, now: int) -> bool:
    """Take an input in, or let it wait in its place if it would end the race before all earlier ones can have come."""
    live = room.state.live and entry.at is not None
    if live and entry.at is not None and room.judge.behind(entry.at):
        room.judge.hold(entry, screen)
        return False
    after = room.state.check(entry)
    if live and room.people.apart() and ends_race(after):
        room.judge.hold(entry, screen)
        return False
    room.record(entry, now, after)
    if room.judge.held:
        release(room, now)
    return True


def release(room: Room, now: int, certain: bool = False) -> None:
    """Take in what waited and need not wait any more; answer for it. ``certain``: nobody is there from whom something could arrive."""
    held = room.judge.held
    while held:
        first = held[0]
        try:
            after = room.state.check(first.entry)
        except MuangError as error:
            del held[0]
            _refuse(room, first.entry, first.screen, error)
            continue
        if not certain and ends_race(after) and room.clock.ms(now) < room.judge.certain(first.at):
            return
        del held[0]
        room.record(first.entry, now, after)
        _ack(room, first.entry, first.screen)


def refuse_late(room: Room) -> None:
    """Answer for what waited when the race ended."""
    late, room.judge.late = room.judge.late, []
    for one in late:
        _refuse(room, one.entry, one.screen, IllegalAction("the race was over", clause="MK-24"))


def _ack(room: Room, entry: LogEntry, screen: int | None) -> None:
    if screen is not None and entry.n is not None:
        room.send(AckFrame.made(n=entry.n, version=room.version), screen)


def _refuse(room: Room, entry: LogEntry, screen: int | None, error: MuangError) -> None:
    if screen is not None:
        room.send(error_frame(error, entry.n), screen)


def _check_version(room: Room, version: int | None) -> None:
    if version is None or version < room.state.changed or version > room.version:
        raise StaleVersion(f"the match has moved on: this was meant for version {version}, it is at {room.version}")


def computed(room: Room, command: Computed, now: int) -> None:
    """A computer player has chosen; nothing happens if its choice has passed meanwhile."""
    chair = room.state.chairs.get(command.seat)
    if chair is None or chair.kind != "computer" or chair.ticket != command.ticket or not room.people.awake() or room.resting:
        return
    live = room.state.live
    if live and not (room.state.started and room.clock.running(now)):
        return
    entry = LogEntry.made(kind="play", seat=command.seat, action=command.action, at=room.clock.ms(now) if live else None, by="computer")
    try:
        if not take(room, entry, None, now):
            chair.ticket += 1
    except RulesError:  # the board has changed under a choice in a race: it will be asked again
        chair.ticket += 1
