"""Owns what time will bring a room, and when: signals, drops, rolls, choices not made, fallen flags, absent players, probes.

Does none of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from muang.games.core import Seat
from muang.rooms.judge import ends_race

if TYPE_CHECKING:
    from muang.rooms.room import Room

__all__ = ["Due", "away", "choices", "flag", "next_due"]


class Due(NamedTuple):
    """``moment`` on the clock of ``now``; of several at once the lowest ``order`` is first; ``about``: a seat, or the number of a
    screen."""

    moment: int
    order: int
    what: str
    about: Seat | None = None


def next_due(room: Room) -> Due | None:
    """The next thing that time brings."""
    people = room.people
    if not people.awake():
        return None
    dues = _of_the_match(room) if room.state.begun and room.shown.phase != "over" else []
    probes = [(screen.probe_at, screen.number) for screen in people.screens.values() if screen.probe_at is not None and screen.seats]
    if probes:
        moment, number = min(probes)
        dues.append(Due(moment, 9, "probe", number))
    return min(dues, key=lambda due: due[:2], default=None)


def _of_the_match(room: Room) -> list[Due]:
    state, clock = room.state, room.clock
    dues = [Due(moment, 5, "away", seat) for seat, moment in away(room).items()] if room.people.gone else []
    if room.counting and clock.since is not None:
        dues.append(Due(clock.since, 0, "go"))
    elif state.live and state.started and clock.since is not None:
        held = room.judge.due
        if held is not None:
            dues.append(Due(clock.moment(held), 1, "held"))
        elif room.shown.next_due is not None:
            dues.append(Due(clock.moment(_drop_at(room, room.shown.next_due)), 1, "drop"))
    if room.roll_at is not None and room.shown.phase == "roll":
        dues.append(Due(room.roll_at, 2, "roll"))
    dues += [Due(moment, 3, "choose", seat) for seat, moment in choices(room).items()]
    fallen = flag(room)
    if fallen is not None:
        dues.append(Due(fallen, 4, "flag", room.turn_clock.seat if room.turn_clock else None))
    return dues


def _drop_at(room: Room, ms: int) -> int:
    """When a drop that falls due by itself is taken: one that ends the race waits until no earlier input can arrive."""
    if room.drop_ends is None or room.drop_ends[0] is not room.shown:
        room.drop_ends = (room.shown, ends_race(room.shown.at(ms)))
    return room.judge.certain(ms) if room.drop_ends[1] and room.people.apart() else ms


def choices(room: Room) -> dict[Seat, int]:
    """When each seat's time to choose is over (MK-26, CN-42)."""
    options = room.shown.game.options
    choice_seconds, turn_seconds = options.get("choice_seconds"), options.get("turn_seconds")
    if (choice_seconds is None and turn_seconds is None) or room.resting or room.judge.held:
        return {}
    running = room.state.started and not room.counting and room.clock.since is not None
    limits: dict[Seat, int] = {}
    for seat, (need, since) in room.since.items():
        if room.state.chairs[seat].kind != "person" or (room.state.live and not running):
            continue
        if room.shown.phase == "race" and choice_seconds is not None:
            limits[seat] = since + (room.timing.drop if need == "drop" else choice_seconds * 1000)
        elif room.shown.phase == "move" and turn_seconds is not None:
            limits[seat] = since + turn_seconds * 1000
    return limits


def flag(room: Room) -> int | None:
    """When the flag of the seat on turn falls (MK-56)."""
    clock = room.turn_clock
    if clock is None or clock.seat is None or (started := clock.started()) is None:
        return None
    return started + room.state.left[clock.seat]


def away(room: Room) -> dict[Seat, int]:
    """When each seat that the match waits for and that has no screen counts as absent."""
    gone = room.people.gone
    return {seat: max(gone[seat], since) + room.timing.away for seat, since in room.waits.items() if seat in gone}
