"""Owns what waits to be done at one table: a queue with one reader, who can wait with a limit, and writers, who wait while it is full.

A queue of ``asyncio`` with ``asyncio.timeout`` does the same; with a thousand tables that is a tenth of what a move costs.
"""

from __future__ import annotations

import asyncio
import math
import sys
from collections import deque
from typing import Generic, TypeVar

__all__ = ["Inbox"]

T = TypeVar("T")
TICK = 1e-6
"""Seconds; the clocks of event loops are no finer, and the last bits of their sums are not to be waited for."""


class Inbox(Generic[T]):
    """At most ``size`` things, given out in their order. One reader only."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._things: deque[T] = deque()
        self._reader: asyncio.Future[None] | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._writers: list[asyncio.Future[None]] = []

    @property
    def full(self) -> bool:
        """There is no room, or somebody waits for it already."""
        return len(self._things) >= self._size or bool(self._writers)

    def take(self, thing: T) -> None:
        """Hand something in at once; only where it is not ``full``."""
        self._things.append(thing)
        self._wake()

    async def put(self, thing: T) -> None:
        """Hand something in; waits while the inbox is full."""
        while len(self._things) >= self._size:
            turn = asyncio.get_running_loop().create_future()
            self._writers.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():  # it was this one's turn: the next one's then
                    self._call_writer()
                raise
        self._things.append(thing)
        self._wake()

    async def get(self, seconds: float | None) -> T | None:
        """The next thing; None if nothing comes within ``seconds`` (None: wait for ever)."""
        if not self._things and (seconds is None or seconds > 0):
            loop = asyncio.get_running_loop()
            until = math.inf if seconds is None else loop.time() + seconds
            while not self._things and until - loop.time() > TICK:
                self._set_alarm(loop, until)
                self._reader = loop.create_future()
                try:
                    await self._reader
                finally:
                    self._reader = None
        if not self._things:
            return None
        thing = self._things.popleft()
        self._call_writer()
        return thing

    def close(self) -> None:
        """Nobody reads any more: nobody waits for room either, and what is handed in is lost."""
        self._size = sys.maxsize
        while self._writers:
            self._call_writer()
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _set_alarm(self, loop: asyncio.AbstractEventLoop, until: float) -> None:
        """Wake the reader at ``until``, or earlier: an alarm that is set is left as it is, for most of them never ring."""
        if self._alarm is not None:
            if self._alarm.when() <= until:
                return
            self._alarm.cancel()
            self._alarm = None
        if until < math.inf:
            self._alarm = loop.call_at(until, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        self._wake()

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    def _call_writer(self) -> None:
        while self._writers:
            turn = self._writers.pop(0)
            if not turn.done():
                turn.set_result(None)
                return
