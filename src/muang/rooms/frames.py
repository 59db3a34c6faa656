"""Owns how a room's state is put into frames for screens: public views only, hidden choices left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from muang.games.core import Match, Seat
from muang.records.words import tell
from muang.rooms import deadlines
from muang.rooms.people import Screen
from muang.rooms.state import State
from muang.search.exact import plays_exactly
from muang.wire import LogEntry, RaceClockView, RematchView, SeatView, StateFrame, TableView, ToldEntry, TurnClockView

if TYPE_CHECKING:
    from muang.rooms.room import Room

__all__ = ["exact_seats", "layout_of", "no_move", "said", "seat_views", "standing", "state_frame", "table_print", "table_view", "told"]


def layout_of(match: Match) -> dict[str, Any]:
    """What a screen has to know of the board: places, paths, facing and owners, or track and starts."""
    if match.game.name == "ca-ngua":
        track = int(match.game.options["track"])
        return {"track": track, "seats": list(match.seats), "starts": {str(seat): int(seat) * track // 4 for seat in match.seats}}
    layout: dict[str, Any] = match.game.layout.view()  # type: ignore[attr-defined]  # sowing games only
    return layout


def seat_views(state: State, yours: Sequence[Seat] = ()) -> list[SeatView]:
    """The seats as one screen sees them."""
    views = []
    for chair in state.chairs.values():
        kind: Any = chair.kind
        views.append(SeatView.made(seat=chair.seat, kind=kind, name=chair.name, player=chair.player, yours=chair.seat in yours))
    return views


def exact_seats(state: State, match: Match) -> tuple[Seat, ...]:
    """The seats whose computer player plays perfectly from here, out of a solved table."""
    computers = [chair for chair in state.chairs.values() if chair.kind == "computer"]
    return tuple(chair.seat for chair in computers if plays_exactly(chair.player, match)) if computers else ()


def told(entry: LogEntry, view: dict[str, Any]) -> ToldEntry:
    """A log entry as everybody may see it now. ``view``: of the match after it."""
    hidden = entry.kind == "play" and entry.seat in view.get("chosen", ())
    action = None if hidden else entry.action
    return ToldEntry.made(kind=entry.kind, seat=entry.seat, action=action, dice=entry.dice, at=entry.at, n=entry.n, by=entry.by)


def said(before: Match, after: Match, views: tuple[dict[str, Any], dict[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
    """The sentences about what happened between two states. Single seeds of a race in time are not worth one, and come by the hundred."""
    if after.phase == "race" and after.pace != "lockstep" and all(event[1] == "drop" for event in after.events):
        return []
    return [(phrase.msgid, dict(phrase.args)) for phrase in tell(before, after, views)]


def no_move(match: Match) -> bool:
    """Whether the last thing that happened was a roll without a move (CN-41)."""
    events = match.events
    return bool(events) and events[-1][1] == "no-move"


def standing(room: Room, now: int, table: bool = True) -> dict[str, Any]:
    """What every state and every event says of the table: the fields that both frames share."""
    state, clock = room.state, room.clock
    return {
        "race_clock": RaceClockView.made(running=clock.running(now), ms=clock.ms(now)) if state.live else None,
        "awaiting": list(room.awaiting()),
        "offer": None if state.offer is None else {"seat": state.offer[0], "about": state.offer[1]},
        "clock": {str(seat): max(0, moment - now) for seat, moment in deadlines.choices(room).items()},
        "exact": list(room.exact),
        "table": table_view(room, now) if table else None,
    }


def state_frame(room: Room, screen: Screen, now: int) -> StateFrame:
    """Everything, as ``screen`` may see it."""
    return StateFrame.made(
        version=room.version,
        match=room.view,
        seats=seat_views(room.state, screen.seats),
        layout=layout_of(room.shown),
        countdown=room.clock.left(now) if room.counting else None,
        client=screen.client,
        **(standing(room, now) | {"exact": list(exact_seats(room.state, room.shown))}),
    )


def table_print(room: Room) -> tuple[Any, ...]:
    """Changes whenever something at the table has changed that people are to hear of (pings have frames of their own)."""
    state, clock = room.state, room.turn_clock
    return (
        room.view["phase"] == "over",
        state.begun,
        state.seated,
        room.people.moves,
        tuple(deadlines.away(room)) if room.people.gone else (),
        None if clock is None else (clock.seat, clock.started(), tuple(state.left.values())),
    )


def table_view(room: Room, now: int) -> TableView:
    """The people at the table."""
    state, people = room.state, room.people
    over = room.view["phase"] == "over"
    setup = state.setup
    return TableView.made(
        stage="over" if over else "playing" if state.begun else "meeting",
        now=now,
        here=people.here(),
        watchers=people.watchers(),
        pings=people.pings() if people.apart() else {},
        away={str(seat): max(0, moment - now) for seat, moment in deadlines.away(room).items()},
        clocks=_turn_clocks(room),
        rematch=RematchView.made(by=sorted(state.again_by, key=str), match=state.again_match) if state.again_by else None,
        commitment=state.commitment,
        entropy={str(seat): word for seat, word in state.entropy.items()},
        secret=setup.secret if over else None,
        public=setup.public,
    )


def _turn_clocks(room: Room) -> TurnClockView | None:
    clock = room.turn_clock
    if clock is None:
        return None
    left = {str(seat): ms for seat, ms in room.state.left.items()}
    return TurnClockView.made(kind=clock.setup.kind, left=left, running=clock.seat, since=clock.started())
