"""Owns when this process looks for garbage in circles: never while matches are being played, as far as memory allows.

CPython stops everything while it looks, for half a second with a million objects, and matches keep hundreds of thousands. Nearly all
that they leave is let go by count, at once. So whatever has lived for a second is put aside (``gc.freeze``, which looks at nothing), and
a whole search is made in a quiet moment.
"""

from __future__ import annotations

import asyncio
import gc
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from muang.server.hub import Hub

__all__ = ["keep_clean", "search_young"]

YOUNG = 100_000
"""So many new objects, and the newest are looked through. A thousand matches leave fewer in a second, and then they are put aside."""
QUIET_MS = 3_000
"""Nobody has done anything for so long: a whole search holds up nobody …"""
BETWEEN_MS = 60_000
"""… and is made at most so often;"""
MOST_GROWN = 1 << 30
"""or at once, if so many bytes of memory have been taken since the last one."""


def search_young() -> None:
    """From now on only what is new is looked through by itself."""
    gc.set_threshold(YOUNG, 1_000, 1_000)


def search_all() -> int:
    """Look through everything, and put aside what is left. Gives the memory that this process has then, in bytes."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    return int(psutil.Process().memory_info().rss)


async def keep_clean(hub: Hub) -> None:
    """Put aside what lasts, and search when it is quiet, for as long as the server lives."""
    searched, size = hub.now(), search_all()
    while True:
        await asyncio.sleep(1)
        gc.freeze()
        now = hub.now()
        if now - searched < BETWEEN_MS:
            continue
        quiet = hub.busy > searched and now - hub.busy >= QUIET_MS
        if quiet or int(psutil.Process().memory_info().rss) - size > MOST_GROWN:
            searched, size = now, search_all()
