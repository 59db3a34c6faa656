"""Owns how little a frame costs on its way: uvicorn's WebSocket, with an ear for what comes and one call for all that is written at once.

uvicorn stops reading after each message until the app has taken it out of a queue, and writes each frame by itself. With a thousand
matches these are a good part of what a move costs. Nothing else of the protocol is changed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import lru_cache
from typing import Any, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State

__all__ = ["PROTOCOL", "GatheredProtocol"]

PROTOCOL = "muang.protocol"
"""In the scope of a connection: its ``GatheredProtocol``."""


@lru_cache(maxsize=1)
def _framed(text: str) -> bytes:
    """A text as one frame of the protocol: the same bytes for every screen that is told the same."""
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


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

    ear: Callable[[str], bool] | None = None
    """Takes a text at once and says so; what it does not take goes the long way, through the app's queue, and so does all after it until
    the app has come for that."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(cast(asyncio.Transport, _Transport(transport, self.loop)))

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:
            cast(dict[str, Any], self.scope)[PROTOCOL] = self

    def send_receive_event_to_app(self) -> None:
        if self.ear is not None and self.curr_msg_data_type == "text" and self.queue.empty() and not self.close_sent:
            try:
                text = (self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)).decode()
            except UnicodeDecodeError:
                pass
            else:
                if self.ear(text):
                    self.frames = []
                    return
        super().send_receive_event_to_app()

    def line(self, text: str) -> bool:
        """Send a text at once. False if something is in the way: the connection is not open, or what was sent is not taken."""
        if not self.writable.is_set() or self.close_sent or self.conn.state is not State.OPEN or self.conn.extensions:
            return False
        self.transport.write(_framed(text))
        return True
