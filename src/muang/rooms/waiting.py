"""Owns when time goes on for a room, and whom it waits for: waking, resting, countdowns, probes, since when a seat has been waited for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from muang.games.core import Seat
from muang.rooms import frames, inputs
from muang.wire import CountdownFrame, ProbeFrame

if TYPE_CHECKING:
    from muang.rooms.people import Screen
    from muang.rooms.room import Room

__all__ = ["count_down", "probe", "rested", "sleep", "tell_countdown", "touch", "wake"]


def wake(room: Room, now: int) -> None:
    """The first screen is there (again)."""
    room.since.clear()
    touch(room, now)
    if not room.resting:
        _go_on(room, now)


def rested(room: Room, now: int) -> None:
    """Go on after a rest if nobody is missing any more."""
    if room.resting and room.people.awake() and not room.people.missing():
        room.resting = False
        room.since.clear()
        touch(room, now)
        _go_on(room, now)
        if room.counting:
            tell_countdown(room, now)


def _go_on(room: Room, now: int) -> None:
    if room.turn_clock is not None:
        if room.turn_clock.seat is None:
            room.turn_clock_after(room.shown, room.shown, now)
        room.turn_clock.go(now)
    if room.state.begun and room.state.live and (room.state.started or not room.awaiting()):
        _count(room, now)


def sleep(room: Room, now: int) -> None:
    """The last screen has gone."""
    inputs.release(room, now, certain=True)
    room.log_moment(now)
    room.clock.stop(now)
    if room.turn_clock is not None:
        room.turn_clock.stop(now)
    room.counting = False
    room.roll_at = None
    room.resting = room.state.begun
    room.since.clear()
    room.waits.clear()


def count_down(room: Room, now: int) -> None:
    """The race clock starts after the countdown, and everybody is told."""
    _count(room, now)
    tell_countdown(room, now)
    for screen in room.people.screens.values():
        probe(room, screen, now)


def _count(room: Room, now: int) -> None:
    room.clock.run(now, room.timing.countdown)
    room.counting = True


def tell_countdown(room: Room, now: int) -> None:
    """Tell everybody at which moment the race clock starts."""
    assert room.clock.since is not None
    room.send(CountdownFrame(ms=room.clock.since - now, goes=room.clock.since))


def probe(room: Room, screen: Screen, now: int) -> None:
    """Measure how far away a player is, where it matters: people at different screens."""
    wait = room.timing.probe if room.state.live or not room.state.begun else room.timing.rare_probe
    screen.probe_at = None
    if wait and screen.seats and room.people.apart():
        screen.clock.probed(now)
        room.send(ProbeFrame(s=now), screen.number)
        screen.probe_at = now + wait


def touch(room: Room, now: int, acted: Seat | None = None) -> None:
    """Note since when each seat has been waited for, and when a roll is due."""
    state, since = room.state, room.since
    awake = room.people.awake() and state.begun and not room.resting
    view = room.view
    to_act: list[Seat] = view["to_act"] if awake else []
    for seat in [seat for seat in since if seat not in to_act]:
        del since[seat]
    for seat in to_act:
        need = "drop" if "drop" in view["legal"][str(seat)] else "choose"
        if seat == acted or seat not in since or since[seat][0] != need:
            since[seat] = (need, now)
    if room.roll_at is None and awake and view["phase"] == "roll":
        room.roll_at = now + (room.timing.no_move if frames.no_move(room.shown) else room.timing.roll)
    _note_waits(room, to_act, now)
    if awake and state.live and not state.started and not room.counting and next(room.people.persons(), None) is None:
        count_down(room, now)  # computers race, and nobody has to say that they may


def _note_waits(room: Room, to_act: Sequence[Seat], now: int) -> None:
    """Note for whom the match waits: an absence counts only then."""
    if not room.people.awake() or not room.state.begun or room.view["phase"] == "over":
        waited: set[Seat] = set()
    elif room.resting:
        waited = set(room.people.missing())
    else:
        waited = {seat for seat in (room.awaiting() or to_act) if room.state.chairs[seat].kind == "person"}
    for seat in [seat for seat in room.waits if seat not in waited]:
        del room.waits[seat]
    for seat in waited:
        room.waits.setdefault(seat, now)
