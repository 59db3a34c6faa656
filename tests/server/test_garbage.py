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


async def test_a_whole_search_waits_until_nobody_does_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[int] = []
    hub: Any = SimpleNamespace(busy=0, clock=0)
    hub.now = lambda: hub.clock

    def search() -> int:
        searches.append(hub.clock)
        return 1 << 60

    async def second(_: float) -> None:
        hub.clock += 1000
        if hub.clock < 200_000:
            hub.busy = hub.clock
        if hub.clock >= 400_000:
            raise asyncio.CancelledError

    monkeypatch.setattr(garbage, "search_all", search)
    monkeypatch.setattr(garbage, "asyncio", SimpleNamespace(sleep=second))
    monkeypatch.setattr(garbage, "gc", SimpleNamespace(freeze=lambda: None))
    with pytest.raises(asyncio.CancelledError):
        await garbage.keep_clean(hub)
    assert searches == [0, 202_000], "once at the beginning and once when it is quiet"


async def test_memory_that_grows_and_grows_is_searched_while_matches_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[int] = []
    hub: Any = SimpleNamespace(busy=0, clock=0)
    hub.now = lambda: hub.clock

    def search() -> int:
        searches.append(hub.clock)
        return -garbage.MOST_GROWN  # this process has grown by more since, whatever it takes

    async def second(_: float) -> None:
        hub.clock += 1000
        hub.busy = hub.clock
        if hub.clock >= 130_000:
            raise asyncio.CancelledError

    monkeypatch.setattr(garbage, "search_all", search)
    monkeypatch.setattr(garbage, "asyncio", SimpleNamespace(sleep=second))
    monkeypatch.setattr(garbage, "gc", SimpleNamespace(freeze=lambda: None))
    with pytest.raises(asyncio.CancelledError):
        await garbage.keep_clean(hub)
    assert searches == [0, garbage.BETWEEN_MS, 2 * garbage.BETWEEN_MS]
