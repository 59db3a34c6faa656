"""Owns how long a request may take to come: uvicorn's HTTP with an end to heads that stay away, and the time a body has.

uvicorn itself waits for ever for the rest of a head: whoever opens connections and says nothing could hold all that a machine has.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["BODY_SECONDS", "HEAD_SECONDS", "TimedProtocol"]

HEAD_SECONDS = 20.0
"""From the opening of a connection, or from the first byte of another request on it, until its head is whole."""
BODY_SECONDS = 20.0
"""The longest pause in a body."""


class TimedProtocol(H11Protocol):
    """Closes connections whose requests do not come."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._heard()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before or self.transport.get_protocol() is not self:
            self._heard()  # the head has come; a WebSocket has a protocol of its own
        elif self._late is None and (before is None or before.response_complete):
            self._wait()

    def _wait(self) -> None:
        self._late = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _heard(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
