"""Owns how few system calls a screen costs: uvicorn's WebSocket, with what is written in one turn of the event loop sent at once.

uvicorn stops reading after each message until the app has taken it, and writes each frame by itself. With a thousand matches these calls
are a good part of what a move costs. Nothing else of the protocol is changed.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

__all__ = ["GatheredProtocol"]


class _Transport:
    """A transport that gathers what is written, and stops reading only if it is still to be stopped a turn later."""

    def __init__(self, inner: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._inner, self._loop = inner, loop
        self._parts: list[bytes] = []
        self._paused = self._stopped = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def write(self, data: bytes) -> None:
        """Send with whatever else is written in this turn; nothing where the connection is lost."""
        if self._inner.is_closing():
            return
        if not self._parts:
            self._loop.call_soon(self._flush)
        self._parts.append(data)

    def _flush(self) -> None:
        parts, self._parts = self._parts, []
        if parts and not self._inner.is_closing():
            self._inner.write(parts[0] if len(parts) == 1 else b"".join(parts))

    def close(self) -> None:
        """Send what waits and close."""
        self._flush()
        self._inner.close()

    def pause_reading(self) -> None:
        """Stop reading, unless the app takes what has come at once."""
        self._paused = True
        self._loop.call_soon(self._stop)

    def _stop(self) -> None:
        if self._paused and not self._stopped and not self._inner.is_closing():
            self._stopped = True
            self._inner.pause_reading()

    def resume_reading(self) -> None:
        """Read on."""
        self._paused = False
        if self._stopped:
            self._stopped = False
            self._inner.resume_reading()


class GatheredProtocol(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket over such a transport."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(cast(asyncio.Transport, _Transport(transport, self.loop)))
