"""Owns the load client's side of the wire: one lean WebSocket, Muang's live protocol, boardgame.io's transport. Measures nothing.

A client that loads a server must not be what is measured, so this is no library's WebSocket: text frames without
extensions, nothing more.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import struct
import time
from collections.abc import Callable
from typing import Any

__all__ = ["Link", "PeerLink", "Screen", "post"]

Hear = Callable[[dict[str, Any], float], None]
"""What is done with a frame and the moment (``time.perf_counter``) at which its last byte came."""
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class Link(asyncio.Protocol):
    """One WebSocket of a client. ``open`` it; then every text comes to ``text``."""

    def __init__(self) -> None:
        self.transport: asyncio.Transport
        self.buffer = b""
        self.upgraded = asyncio.get_running_loop().create_future()
        self.lost = asyncio.get_running_loop().create_future()
        self.part: list[bytes] = []

    async def open(self, port: int, path: str) -> None:
        """Connect to this machine's ``port``. ``ConnectionError`` if there is no WebSocket at ``path``."""
        loop = asyncio.get_running_loop()
        self.path, self.port = path, port
        await loop.create_connection(lambda: self, "127.0.0.1", port)
        await self.upgraded

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET {self.path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def connection_lost(self, error: Exception | None) -> None:
        if not self.upgraded.done():
            self.upgraded.set_exception(ConnectionError(f"{self.path}: closed before it was a WebSocket"))
        if not self.lost.done():
            self.lost.set_result(None)

    def data_received(self, data: bytes) -> None:
        moment = time.perf_counter()
        self.buffer += data
        if not self.upgraded.done():
            head, end, rest = self.buffer.partition(b"\r\n\r\n")
            if not end:
                return
            if not head.startswith(b"HTTP/1.1 101"):
                self.upgraded.set_exception(ConnectionError(f"{self.path}: {head.splitlines()[0].decode()}"))
                self.transport.close()
                return
            self.buffer = rest
            self.upgraded.set_result(None)
        buffer, at = self.buffer, 0
        while len(buffer) - at >= 2:
            size, begin = buffer[at + 1] & 127, at + 2
            if size == 126:
                begin += 2
            elif size == 127:
                begin += 8
            if len(buffer) < begin:
                break
            if size >= 126:
                size = int.from_bytes(buffer[at + 2 : begin], "big")
            if len(buffer) < begin + size:
                break
            first, payload, at = buffer[at], buffer[begin : begin + size], begin + size
            kind = first & 15
            if kind in (0, TEXT):
                self.part.append(payload)
                if first & 128:
                    whole, self.part = b"".join(self.part), []
                    self.text(whole, moment)
            elif kind == PING:
                self._write(PONG, payload)
            elif kind == CLOSE:
                self.transport.close()
        self.buffer = buffer[at:]

    def _write(self, kind: int, payload: bytes) -> None:
        """One frame, masked with zeros: the server has to unmask it all the same."""
        if self.transport.is_closing():
            return
        size = len(payload)
        length = bytes([128 | size]) if size < 126 else struct.pack(">BH", 254, size)
        self.transport.write(bytes([128 | kind]) + length + b"\0\0\0\0" + payload)

    def send(self, text: str) -> None:
        """Send a text of at most 64 kB."""
        self._write(TEXT, text.encode())

    def text(self, text: bytes, moment: float) -> None:
        """A text has come."""
        raise NotImplementedError

    def close(self) -> None:
        """Leave."""
        self.transport.close()


class Screen(Link):
    """A screen of a Muang match that holds ``seats``. ``hear`` gets states, events, tables, acks and errors; probes are answered here."""

    def __init__(self, hear: Hear, seats: tuple[Any, ...], tokens: list[str], client: str | None = None) -> None:
        super().__init__()
        self.hear, self.seats, self.tokens, self.client = hear, seats, tokens, client
        self.number = 0

    async def join(self, port: int, match: str) -> None:
        """Take the seats."""
        await self.open(port, f"/ws/{match}")
        self.say(type="hello", tokens=self.tokens, client=self.client)

    def say(self, **frame: Any) -> None:
        """Send a frame."""
        self.send(json.dumps({"v": 1, **frame}))

    def play(self, seat: Any, action: str, version: int) -> int:
        """Play, under the next number, which is given back."""
        self.number += 1
        at = time.perf_counter() * 1000
        self.say(type="play", n=self.number, seat=seat, version=version, action=action, at=at)
        return self.number

    def order(self, seat: Any, name: str) -> None:
        """A command, under the next number."""
        self.number += 1
        self.say(type="command", n=self.number, seat=seat, name=name)

    def text(self, text: bytes, moment: float) -> None:
        frame = json.loads(text)
        if frame["type"] == "probe":
            self.say(type="echo", s=frame["s"], t=time.perf_counter() * 1000)
        elif frame["type"] in ("state", "event", "table", "ack", "error"):
            self.hear(frame, moment)


class PeerLink(Link):
    """A client of boardgame.io: the few packets of engine.io and socket.io that its transport uses. ``hear`` gets states."""

    def __init__(self, hear: Hear, seat: str, credentials: str) -> None:
        super().__init__()
        self.hear, self.seat, self.credentials = hear, seat, credentials

    async def join(self, port: int, match: str) -> None:
        """Take the seat."""
        self.match = match
        await self.open(port, "/socket.io/?EIO=4&transport=websocket")
        self.send("40/sowing,")

    def play(self, house: int, state: int) -> None:
        """Make the one move that the game has."""
        payload = {"type": "sow", "args": [house], "playerID": self.seat, "credentials": self.credentials}
        action = {"type": "MAKE_MOVE", "payload": payload}
        self.send("42/sowing," + json.dumps(["update", action, state, self.match, self.seat]))

    def text(self, text: bytes, moment: float) -> None:
        if text.startswith(b"2"):
            self.send("3")
        elif text.startswith(b"40/sowing"):
            self.send("42/sowing," + json.dumps(["sync", self.match, self.seat, self.credentials, 2]))
        elif text.startswith(b"42/sowing,"):
            name, *told = json.loads(text[10:])
            if name == "sync":
                self.hear(told[1]["state"], moment)
            elif name == "update":
                self.hear(told[1], moment)
        elif text.startswith(b"44"):
            raise ConnectionError(f"boardgame.io refuses: {text[:200]!r}")


async def post(port: int, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """One HTTP request with a JSON body; gives the JSON answer. ``ConnectionError`` if it is refused."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    data = json.dumps(body).encode()
    writer.write(
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n"
        "Connection: close\r\n\r\n".encode()
        + data
    )
    answer = await reader.read()
    writer.close()
    head, _, text = answer.partition(b"\r\n\r\n")
    if not head.split(b" ", 2)[1].startswith(b"2"):
        raise ConnectionError(f"{path}: {head.splitlines()[0].decode()} {text[:300].decode(errors='replace')}")
    if b"chunked" in head.lower():
        text = text.split(b"\r\n", 2)[1]
    answer_body: dict[str, Any] = json.loads(text)
    return answer_body
