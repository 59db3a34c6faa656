"""Owns forgetting: matches older than the settings say are deleted, with their logs and the names in them. An hourly task of the server."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import structlog

from muang.store import StoreError

if TYPE_CHECKING:
    from muang.server.hub import Hub

__all__ = ["keep_tidy", "tidy"]

log = structlog.get_logger("muang.retention")

EVERY_SECONDS = 3600
FIRST_SECONDS = 30
DAY_MS = 86_400_000


async def tidy(hub: Hub, now: int) -> int:
    """Delete what has been kept long enough; gives how many matches that were. A match that is open on a table stays. ``StoreError``."""
    before, meeting_before = (now - days * DAY_MS if days > 0 else 0 for days in (hub.settings.keep_days, hub.settings.keep_meeting_days))
    gone = 0
    while True:
        mine = []
        for match_id in await hub.store.expired(before, meeting_before, limit=200 + len(hub.tables)):
            if match_id not in hub.tables and await hub.owner.claim(match_id):
                mine.append(match_id)
        try:
            deleted = await hub.store.delete_all(mine) if mine else 0
        finally:
            for match_id in mine:
                hub.owner.release(match_id)
        if deleted == 0:
            return gone
        gone += deleted
        await asyncio.sleep(0.05)  # others write too


async def keep_tidy(hub: Hub) -> None:
    """``tidy`` soon after the start and every hour, for ever."""
    await asyncio.sleep(FIRST_SECONDS)
    while True:
        try:
            gone = await tidy(hub, hub.now())
            if gone:
                log.info("retention.deleted", matches=gone)
        except StoreError as error:
            log.warning("retention.failed", error=str(error))
        await asyncio.sleep(EVERY_SECONDS)
