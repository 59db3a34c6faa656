"""What is left behind goes at once, and a whole search waits for a quiet moment."""

from __future__ import annotations

import asyncio
import gc
import weakref
from types import SimpleNamespace
from typing import Any

import pytest

from muang.rooms import Room, Timing
from muang.server import garbage
from rooms.desk import setup


def test_a_room_is_let_go_without_a_search() -> None:
    gc.collect()
    gc.disable()
    try:
        room = Room.create(setup("mak-khum", "turns"), Timing())
        seen = weakref.ref(room), weakref.ref(room.state)
        del room
        assert [one() for one in seen] == [None, None]
    finally:
        gc.enable()


async def searches(monkeypatch: pytest.MonkeyPatch, size: int, busy_until: int, end: int) -> list[int]:
    """When whole searches are made (ms), with somebody doing something each second until ``busy_until``; ``size`` is left after each."""
    found: list[int] = []
    hub: Any = SimpleNamespace(busy=0, clock=0)
    hub.now = lambda: hub.clock

    def search() -> int:
        found.append(hub.clock)
        return size

    async def second(_: float) -> None:
        hub.clock += 1000
        if hub.clock < busy_until:
            hub.busy = hub.clock
        if hub.clock >= end:
            raise asyncio.CancelledError

    monkeypatch.setattr(garbage, "search_all", search)
    monkeypatch.setattr(garbage, "asyncio", SimpleNamespace(sleep=second))
    monkeypatch.setattr(garbage, "gc", SimpleNamespace(freeze=lambda: None))
    with pytest.raises(asyncio.CancelledError):
        await garbage.keep_clean(hub)
    return found


async def test_a_whole_search_waits_until_nobody_does_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    assert await searches(monkeypatch, 1 << 60, busy_until=200_000, end=400_000) == [0, 202_000], "at the beginning, and when it is quiet"


async def test_memory_that_grows_and_grows_is_searched_while_matches_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    size = -garbage.MOST_GROWN  # this process has grown by more since, whatever it takes
    assert await searches(monkeypatch, size, busy_until=1 << 40, end=130_000) == [0, garbage.BETWEEN_MS, 2 * garbage.BETWEEN_MS]
