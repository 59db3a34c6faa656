"""Owns the list of public matches: those that wait for players and those that can be watched, with who sits where as the log says.

Knows nothing of who is there: that is the live tables' matter.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from pydantic import ValidationError
from sqlalchemy import select

from muang.errors import BadAction
from muang.store.store import Stage, Store
from muang.store.tables import entries, matches
from muang.wire import Setup, seat_from_text

__all__ = ["LobbyMatch", "LobbySeat", "lobby"]

MEETING_MS = 24 * 3_600_000
PLAYING_MS = 15 * 60_000
"""How long after its last entry a match is still shown."""


@dataclass(frozen=True, slots=True)
class LobbySeat:
    """A seat as the log has it. ``kind``: ``open``, ``person``, ``computer`` or ``absent``."""

    seat: str | int
    kind: str
    name: str = ""
    player: str | None = None


@dataclass(frozen=True, slots=True)
class LobbyMatch:
    """A public match. ``created`` and ``touched`` (its last entry, 10 s behind at most): ms since 1970."""

    id: str
    game: str
    ruleset: str
    pace: str
    created: int
    touched: int
    stage: Stage
    seats: tuple[LobbySeat, ...]


async def lobby(store: Store, limit: int = 50, now: int | None = None) -> list[LobbyMatch]:
    """Public matches in stage ``meeting`` (of the last day), then those in which something was played lately, the newest first.

    At most ``limit`` of each. A match whose setup cannot be read is left out: it is not for the lobby to say so.
    """
    moment = time.time_ns() // 1_000_000 if now is None else now
    found: list[LobbyMatch] = []
    async with store.reading() as connection:
        for stage, since in (("meeting", moment - MEETING_MS), ("playing", moment - PLAYING_MS)):
            query = (
                select(matches.c.id, matches.c.setup, matches.c.touched)
                .where(matches.c.public == 1, matches.c.stage == stage, matches.c.touched >= since)
                .order_by(matches.c.touched.desc())
                .limit(limit)
            )
            rows = (await connection.execute(query)).all()
            told: dict[str, list[tuple[str, str, str | None, str | None]]] = {row.id: [] for row in rows}
            changes = (
                select(entries.c.match_id, entries.c.kind, entries.c.seat, entries.c.action, entries.c.name)
                .where(entries.c.match_id.in_(list(told)), entries.c.kind.in_(("sit", "seat")), entries.c.seat.is_not(None))
                .order_by(entries.c.match_id, entries.c.seq)
            )
            for change in (await connection.execute(changes)).all() if told else ():
                told[change.match_id].append((change.kind, change.seat, change.action, change.name))
            for row in rows:
                try:
                    setup = Setup.model_validate_json(row.setup)
                    seats = _seats(setup, told[row.id])
                except (ValidationError, BadAction, KeyError):
                    continue
                shown: Stage = "meeting" if stage == "meeting" else "playing"
                found.append(LobbyMatch(setup.id, setup.game, setup.ruleset, setup.pace, setup.created, row.touched, shown, seats))
    return found


def _seats(setup: Setup, changes: list[tuple[str, str, str | None, str | None]]) -> tuple[LobbySeat, ...]:
    """Who sits where after these changes: ``(kind, seat, action, name)``."""
    seats = {one.seat: LobbySeat(one.seat, one.kind, one.name, one.player) for one in setup.seats}
    for kind, text, action, name in changes:
        seat = seat_from_text(text)
        if kind == "sit":
            seats[seat] = LobbySeat(seat, "person", seats[seat].name if name is None else name)
        else:
            who, _, player = (action or "").partition(":")
            seats[seat] = LobbySeat(seat, who, seats[seat].name, player or None)
    return tuple(seats.values())
