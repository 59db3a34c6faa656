"""Owns the list of matches that their players show to everybody: those with a free seat, and those to watch."""

from __future__ import annotations

from fastapi import APIRouter, Request

from muang.rooms import Room
from muang.server.answers import Lobby, LobbyMatch, LobbySeat, errors
from muang.server.api import hub_of
from muang.server.hub import Hub
from muang.server.limits import address_of
from muang.store.lobby import LobbyMatch as Kept
from muang.store.lobby import lobby

__all__ = ["router"]

router = APIRouter(tags=["matches"])
MOST = 50
FRESH_MS = 1000
"""However many people look at the lobby, the log is asked only so often."""


@router.get("/api/lobby", responses=errors(429))
async def show_lobby(request: Request) -> Lobby:
    """Public matches: ``open`` ones with a free seat, ``live`` ones to watch, the newest first."""
    hub = hub_of(request)
    hub.limits.hit("looks", address_of(request.scope))
    if hub.lobby is None or hub.now() - hub.lobby[0] > FRESH_MS:
        hub.lobby = (hub.now(), await _lobby(hub))
    return hub.lobby[1]


async def _lobby(hub: Hub) -> Lobby:
    found = Lobby(open=[], live=[])
    for kept in await lobby(hub.store, MOST):
        table = hub.tables.get(kept.id)
        match = _kept(kept) if table is None else _live(table.room)
        if any(seat.kind == "open" for seat in match.seats):
            found.open.append(match)
        elif kept.stage == "playing" and table is not None and table.room.screens:
            found.live.append(match)
    return found


def _kept(kept: Kept) -> LobbyMatch:
    """A match that is not in memory: nobody is there."""
    seats = [LobbySeat(seat=seat.seat, kind=seat.kind, name=seat.name) for seat in kept.seats]
    return LobbyMatch(
        id=kept.id,
        url=f"/play/{kept.id}",
        game=kept.game,
        ruleset=kept.ruleset,
        pace=kept.pace,
        seats=seats,
        watchers=0,
        created=kept.created,
    )


def _live(room: Room) -> LobbyMatch:
    setup, state = room.state.setup, room.state
    return LobbyMatch(
        id=setup.id,
        url=f"/play/{setup.id}",
        game=setup.game,
        ruleset=setup.ruleset,
        pace=setup.pace,
        seats=[LobbySeat(seat=chair.seat, kind=chair.kind, name=chair.name) for chair in state.chairs.values()],
        watchers=room.people.watchers(),
        created=setup.created,
    )
