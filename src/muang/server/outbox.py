"""Owns what waits to be sent to one screen. A screen that does not keep up loses what waits and is sent the whole state instead."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

__all__ = ["Outbox"]


class Outbox:
    """Texts for one socket, at most ``size`` of them. Putting never waits, so a slow screen never holds up a match.

    ``line``: sends a text at once and says so, or says that it cannot just now.
    """

    def __init__(self, size: int, line: Callable[[str], bool] | None = None) -> None:
        self._size, self._line = size, line
        self._texts: list[str] = []
        self._reader: asyncio.Future[None] | None = None
        self._given = False
        """Somebody has taken a text and not come for the next one: it may not be sent yet, and nothing may overtake it."""
        self.behind = False
        """Something was dropped: nothing is taken until the whole state comes."""
        self._told = False
        self.closed: tuple[int, str] | None = None

    def put(self, text: str, whole: bool = False) -> None:
        """Send ``text`` when its turn comes. ``whole``: it is the whole state, after which nothing is missing any more."""
        if whole:
            self.behind = self._told = False
        if self.behind or self.closed is not None:
            return
        if not self._texts and not self._given and self._line is not None and self._line(text):
            return
        if len(self._texts) >= self._size:
            self._texts.clear()
            self.behind = True
        else:
            self._texts.append(text)
        self._wake()

    def close(self, code: int, reason: str) -> None:
        """End the connection after what waits has been sent."""
        self.closed = self.closed or (code, reason)
        self._wake()

    async def get(self) -> str | None:
        """The next text; None once when the screen has fallen behind, and when all is sent and the connection is to end."""
        self._given = False
        while not self._texts:
            if self.closed is not None:
                return None
            if self.behind and not self._told:
                self._told = True
                return None
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        self._given = True
        return self._texts.pop(0)

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)
