"""Owns the hint on request: who may have one is the room's matter, what it says the search's. Changes nothing in a match."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from muang.errors import IllegalAction, RateLimited
from muang.games.core import Match, Seat
from muang.records.lines import by_turn, value_phrase
from muang.rooms import Room
from muang.rooms.hints import hint_seat
from muang.search.analyse import analyse
from muang.search.limits import Info, Limits, Stop
from muang.search.players import solved_tables
from muang.server.answers import Hint, errors
from muang.server.api import table_of
from muang.server.hub import Hub
from muang.server.table import Table
from muang.wire.parts import Word

__all__ = ["HINT_MS", "router"]

router = APIRouter(tags=["matches"])

HINT_MS = 500
"""How long a hint is thought about."""
LIVE_MS = 150
"""The same in a race that goes on meanwhile."""
REST_MS = 300
"""Between two hints of a match."""


class HintRequest(BaseModel):
    """The tokens of the seats that this screen holds."""

    model_config = ConfigDict(extra="forbid")

    tokens: Annotated[list[Word], Field(max_length=4)]


@router.post("/api/matches/{match_id}/hint", response_model=Hint, responses=errors(400, 404, 429))
async def hint(request: Request, match_id: str, wanted: HintRequest) -> dict[str, Any]:
    """What the search would choose for the seat that has to, and what it is worth.

    ``actions``: the choices of that turn in their order, the first one now. ``exact``: proved. ``share``: of 100, where the best choice is
    drawn by lot because both choose at once. ``version``: of the match that it was thought about; whoever has a newer one forgets it.
    """
    hub: Hub = request.app.state.hub
    table = await table_of(request, match_id, "hints")
    version, match, seat = await table.ask(partial(_asked, tokens=wanted.tokens))
    now = hub.now()
    if table.hinting is not None or now < table.hinted + REST_MS:
        raise RateLimited("one hint after the other")
    live = match.phase == "race" and match.pace != "lockstep"
    table.hinting = stop = Stop()
    try:
        info = await _thought(hub, table, match, seat, LIVE_MS if live else HINT_MS, stop)
    finally:
        table.hinting, table.hinted = None, hub.now()
    return _told(version, info)


def _asked(room: Room, tokens: list[str]) -> tuple[int, Match, Seat]:
    return room.version, *hint_seat(room, tokens)


async def _thought(hub: Hub, table: Table, match: Match, seat: Seat, time_ms: int, stop: Stop) -> Info:
    # not the match's own seed: from that come its dice, and a hint must not know them
    def work() -> Info:
        analyse(
            match, Limits(nodes=1), None, solved_tables(), seat=seat, stop=stop
        )  # whatever has to be compiled or read takes no time away
        return analyse(match, Limits(time_ms=time_ms), None, solved_tables(), seat=seat, stop=stop)

    try:
        return await hub.thought(table.address or table.id, True, work)
    except asyncio.CancelledError:
        stop.set()
        raise


def _told(version: int, info: Info) -> dict[str, Any]:
    if not info.lines or not info.lines[0].actions:
        raise IllegalAction("there is nothing to choose now")
    best = info.lines[0]
    own = by_turn(best.actions)[0][1]
    phrase = value_phrase(info.seat, info.unit, best.value, best.exact, best.bound)
    share = info.mix.get(best.action)
    return {
        "version": version,
        "seat": info.seat,
        "actions": list(own),
        "unit": info.unit,
        "value": best.value,
        "exact": best.exact and not best.bound,
        "share": None if share is None or share > 0.995 else round(100 * share),
        "say": [(phrase.msgid, dict(phrase.args))],
    }
