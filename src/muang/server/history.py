"""Owns what a screen that comes late is told of a match: the sentences of everything so far, and the last boards. Owns no sentence."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

from fastapi import APIRouter, Request

from muang.records import Record
from muang.records.words import tell
from muang.rooms import Room
from muang.server.answers import Told, errors
from muang.server.api import record_of, table_of
from muang.server.hub import Hub

__all__ = ["router"]

router = APIRouter(tags=["matches"])

MOST_LINES = 400
"""As many as the page lists."""
MOST_BOARDS = 20
"""So many of the last ones can be seen again; the boards of a whole match would be megabytes."""


@router.get("/api/matches/{match_id}/told", response_model=Told, responses=errors(400, 404, 429))
async def show_told(request: Request, match_id: str) -> dict[str, Any]:
    """What has happened, in order: ``say`` (msgids with their arguments) and ``seat``; the last also ``events``, ``before``, ``after``.

    ``version``: of the match up to which it goes.
    """
    hub: Hub = request.app.state.hub
    version, record = await (await table_of(request, match_id, "costly")).ask(_asked)
    told = await asyncio.get_running_loop().run_in_executor(hub.pool, _told, record)
    return {"version": version, "told": told}


def _asked(room: Room) -> tuple[int, Record]:
    return room.version, record_of(room)


def _told(record: Record) -> list[dict[str, Any]]:
    lines: deque[tuple[dict[str, Any], Any, int]] = deque(maxlen=MOST_LINES)
    race, count = 0, 0
    for step in record.transitions():
        if step.entry is None and step.after.events == step.before.events:
            continue  # time has passed, and nothing else
        events = step.after.events
        begins = getattr(step.before, "round", 0) if step.before.phase == "race" else 0
        if begins != race:
            race, count = begins, 0
        if events and events[0][:2] == (
            "-",
            "again",
        ):  # a late input: what came after it is told anew, and the sentences of before are not true
            count = events[0][2]
            while lines and lines[-1][2] >= count and lines[-1][0]["race"] == race:
                lines.pop()
        say = [(phrase.msgid, dict(phrase.args)) for phrase in tell(step.before, step.after)]
        if say:
            seat = None if step.entry is None else step.entry.seat
            lines.append(({"say": say, "seat": seat, "race": race}, step, count))
        count += sum(event[:2] != ("-", "again") for event in events)
    found = []
    for place, (line, step, _) in enumerate(lines):
        del line["race"]
        if place >= len(lines) - MOST_BOARDS:
            line |= {"events": list(step.after.events), "before": step.before.view(), "after": step.after.view()}
        found.append(line)
    return found
