"""Owns what time does to a room: signals, drops, rolls, choices of the system, fallen flags, absences, probes. When: ``deadlines``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from muang.games.core import Seat
from muang.rooms import inputs, waiting
from muang.rooms.judge import ends_race
from muang.rooms.rules import system_choice
from muang.rooms.state import ABSENT_AFTER
from muang.wire import LogEntry

if TYPE_CHECKING:
    from muang.rooms.room import Room

__all__ = ["bring"]

MOST_UNLOGGED = 2000
"""Events told without a log entry between two entries; the moment of the race is logged then."""


def bring(room: Room, now: int) -> None:
    """Everything that time has brought by ``now``, in its order."""
    while (due := room.due()) is not None and due.moment <= now:
        room.done()
        match due.what:
            case "go":
                _go(room, due.moment)
            case "drop":
                _advance(room, due.moment)
            case "held":
                inputs.release(room, due.moment)
            case "roll":
                room.roll_at = None
                room.record(LogEntry.made(kind="roll", seat=room.shown.turn, dice=room.state.roll(), by="system"), due.moment)
            case "choose" if due.about is not None:
                _choose_for(room, due.about, due.moment)
            case "flag" if due.about is not None:
                room.record(LogEntry.made(kind="leave", seat=due.about, action="flag", by="system"), due.moment)
            case "away" if due.about is not None:
                room.waits.pop(due.about, None)
                room.record(LogEntry.made(kind="seat", seat=due.about, action="absent", by="system"), due.moment)
                waiting.rested(room, due.moment)
            case "probe" if isinstance(due.about, int):
                waiting.probe(room, room.people.screens[due.about], due.moment)


def _go(room: Room, now: int) -> None:
    """The countdown is over."""
    room.counting = False
    for screen in room.people.screens.values():
        screen.clock.settle()
    if not room.state.started:
        room.record(LogEntry.made(kind="start", at=0, by="system"), now)
    else:
        room.version += 1
        room.tell(now)
    room.since.clear()
    waiting.touch(room, now)


def _advance(room: Room, now: int) -> None:
    """Hands that sow by themselves have gone on (``steady``)."""
    before, then = room.shown, room.view
    due = before.next_due
    ending = room.drop_ends is not None and room.drop_ends[0] is before and room.drop_ends[1]
    ms = due if ending and due is not None else room.clock.ms(now)
    after = before.at(ms)
    if after is before:
        raise RuntimeError(f"match {room.state.setup.id}: a drop due at {before.next_due} did not happen by {ms}")
    if ends_race(after) or room.unlogged >= MOST_UNLOGGED:
        room.record(LogEntry.made(kind="time", at=ms, by="system"), now)
        return
    room.shown, room.shown_ms = after, ms
    room.version += 1
    room.unlogged += 1
    waiting.touch(room, now)
    room.tell(now, before=(before, then))


def _choose_for(room: Room, seat: Seat, now: int) -> None:
    """The system chooses for a seat that did not; the third time in a row the seat is absent."""
    at = room.clock.ms(now) if room.state.live else None
    spent = room.turn_clock.spent(now) if room.turn_clock is not None and room.turn_clock.seat == seat else None
    entry = LogEntry.made(kind="play", seat=seat, action=system_choice(room.shown, seat), at=at, spent=spent, by="system")
    inputs.take(room, entry, None, now)
    if room.state.chairs[seat].missed >= ABSENT_AFTER:
        room.record(LogEntry.made(kind="seat", seat=seat, action="absent", by="system"), now)
