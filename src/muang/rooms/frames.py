"""Owns how a room's state is put into frames for screens: public views only, hidden choices left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from muang.games.core import Match, Seat
from muang.records.words import tell
from muang.rooms.state import State, hidden_choice
from muang.search.exact import plays_exactly
from muang.wire import LogEntry, SeatView, ToldEntry

__all__ = ["exact_seats", "layout_of", "no_move", "offer_view", "said", "seat_views", "told"]


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
        views.append(SeatView(seat=chair.seat, kind=kind, name=chair.name, player=chair.player, yours=chair.seat in yours))
    return views


def offer_view(state: State) -> dict[str, Any] | None:
    """The open offer, if there is one."""
    return None if state.offer is None else {"seat": state.offer[0], "about": state.offer[1]}


def exact_seats(state: State, match: Match) -> tuple[Seat, ...]:
    """The seats whose computer player plays perfectly from here, out of a solved table."""
    computers = (chair for chair in state.chairs.values() if chair.kind == "computer")
    return tuple(chair.seat for chair in computers if plays_exactly(chair.player, match))


def told(entry: LogEntry, after: Match) -> ToldEntry:
    """A log entry as everybody may see it now."""
    action = None if hidden_choice(after, entry) else entry.action
    return ToldEntry(kind=entry.kind, seat=entry.seat, action=action, dice=entry.dice, at=entry.at, n=entry.n, by=entry.by)


def said(before: Match, after: Match) -> list[tuple[str, dict[str, Any]]]:
    """The sentences about what happened between two states."""
    return [(phrase.msgid, dict(phrase.args)) for phrase in tell(before, after)]


def no_move(match: Match) -> bool:
    """Whether the last thing that happened was a roll without a move (CN-41)."""
    return any(event[1] == "no-move" for event in match.events)
