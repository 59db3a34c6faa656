"""Owns the live connection of one screen: hello first, then frames both ways. Decides nothing about the match."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress

import structlog
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from muang.errors import BadFrame, MuangError
from muang.rooms import Answered, Command, Join, Order, Play, Resync, Say
from muang.server.gathered import PROTOCOL, GatheredProtocol
from muang.server.hub import Hub, new_id
from muang.server.limits import TooMany, address_of
from muang.server.outbox import Outbox
from muang.server.owner import Elsewhere
from muang.server.table import Table
from muang.store import NoSuchMatch
from muang.wire import (
    ClientFrame,
    CommandFrame,
    EchoFrame,
    HelloFrame,
    PingFrame,
    PlayFrame,
    PongFrame,
    SayFrame,
    encode,
    error_frame,
    parse_client,
)

__all__ = ["CLOSE_CODES", "SCREENS", "Sockets"]

log = structlog.get_logger("muang.sockets")
PATH = re.compile(r"/ws/([^/]+)")

BAD_FRAMES, NO_MATCH, NO_HELLO, TOO_MANY, FULL, BROKEN = 4400, 4404, 4408, 4429, 1013, 1011
CLOSE_CODES = {
    BROKEN: "the server has made a mistake, or cannot read the match",
    1012: "the server is being restarted: come back",
    FULL: "the server carries as much as it can: try again later",
    BAD_FRAMES: "the first frame was no hello, or too many frames could not be read",
    4403: "a page of another site, or another name of this server",
    NO_MATCH: "there is no such match",
    NO_HELLO: "no hello came in time",
    4410: "the match has been deleted",
    TOO_MANY: "more than one address may do",
}
"""Why a connection ends; ``docs/protocol.md`` says what to do then."""
SCREENS = "screens"
HELLO_SECONDS = 10
MOST_BAD_FRAMES = 20
MOST_TOO_FAST = 200


class Sockets:
    """ASGI middleware that serves ``/ws/ID`` itself: what routes keep for each connection would be a fifth of an idle match's memory."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        here = PATH.fullmatch(scope["path"].removeprefix(scope.get("root_path", ""))) if scope["type"] == "websocket" else None
        if here is None:
            await self.app(scope, receive, send)
        else:
            await _live(WebSocket(scope, receive, send), here[1])


async def _live(socket: WebSocket, match_id: str) -> None:
    """The live protocol (see ``muang.wire``)."""
    hub: Hub = socket.app.state.hub
    address = address_of(socket.scope)
    if not await hub.here(match_id, address):  # said before the handshake: a proxy can go on to the worker that has it
        await socket.send_denial_response(Response("another worker has this match", 503, {"retry-after": "1"}))
        return
    await socket.accept()
    if hub.sockets >= hub.settings.most_sockets:
        await _close(socket, FULL, "this server carries as many screens as it can; try again later")
        return
    try:
        hub.limits.hit("looks", address)
        with hub.limits.holding(SCREENS, address, hub.settings.sockets_per_address):
            hub.sockets += 1
            try:
                await _Talk(hub, socket, match_id, address).run()
            finally:
                hub.sockets -= 1
    except TooMany as error:
        hub.metrics.refusals.labels(error.code).inc()
        with suppress(WebSocketDisconnect, RuntimeError):
            await socket.send_text(encode(error_frame(error)))
        await _close(socket, TOO_MANY, str(error))
    except WebSocketDisconnect:
        pass


class _Talk:
    def __init__(self, hub: Hub, socket: WebSocket, match_id: str, address: str) -> None:
        self.hub, self.socket, self.match_id, self.address = hub, socket, match_id, address
        self.protocol: GatheredProtocol | None = socket.scope.get(PROTOCOL)
        self.outbox = Outbox(hub.settings.outbox, self._line())
        self.number = hub.number()
        self.listening = False
        """Nothing that has come before is still being dealt with, so the next frame can be taken the moment it comes."""
        self.bad = self.fast = 0

    async def run(self) -> None:
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                hello = await self._hello()
        except TimeoutError:
            await _close(self.socket, NO_HELLO, "no hello came")
            return
        except BadFrame as error:
            await self.socket.send_text(encode(error_frame(error)))
            await _close(self.socket, BAD_FRAMES, "the first frame has to be a hello")
            return
        try:
            table = await self.hub.table(self.match_id, self.address)
            while not table.open:  # it was let go this very moment
                table = await self.hub.table(self.match_id, self.address)
        except TooMany:
            raise
        except Elsewhere:
            await _close(self.socket, FULL, "another worker has this match; come back")
            return
        except MuangError as error:
            await self.socket.send_text(encode(error_frame(error)))
            await _close(self.socket, NO_MATCH if isinstance(error, NoSuchMatch) else BROKEN, error.told[:100])
            return
        join = Join(self.number, hello.client or new_id(), tuple(hello.tokens), hello.entropy)
        await table.join(join, self.outbox, hello.version)
        sender = asyncio.create_task(self._send(table), name=f"sends-{self.number}")
        try:
            await self._receive(table)
        finally:
            self.listening = False
            if self.protocol is not None:
                self.protocol.ear = None  # it holds the table, and the protocol stands in a circle with its own app
            self.outbox.close(1000, "")
            with suppress(WebSocketDisconnect, RuntimeError, asyncio.CancelledError):
                sender.cancel()
                await sender
            await table.part(self.number)

    def _line(self) -> Callable[[str], bool] | None:
        """Sends at once what nothing is in the way of, where the server can do that (``gathered``)."""
        if self.protocol is None:
            return None
        line, metrics = self.protocol.line, self.hub.metrics

        def send(text: str) -> bool:
            if not line(text):
                return False
            metrics.frames_out += 1
            return True

        return send

    async def _text(self) -> str:
        message = await self.socket.receive()
        self.listening = False
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1006), message.get("reason"))
        self.hub.metrics.frames_in += 1
        text = message.get("text")
        if text is None:
            raise BadFrame("a frame is a text message, this is a binary one")
        return str(text)

    async def _hello(self) -> HelloFrame:
        frame = parse_client(await self._text())
        if not isinstance(frame, HelloFrame):
            raise BadFrame(f"the first frame has to be a hello, not {frame.type}")
        return frame

    def _ear(self, table: Table) -> Callable[[str], bool]:
        """Takes a frame the moment it comes, if there is nothing to be said against it; ``_receive`` deals with all others."""
        hub, who = self.hub, str(self.number)

        def hear(text: str) -> bool:
            if not self.listening:
                return False
            try:
                frame = parse_client(text)
            except BadFrame:
                return False
            if isinstance(frame, (HelloFrame, PingFrame)) or table.task.done() or table.inbox.full:
                return False
            try:
                hub.limits.hit("frames", who)  # counted here only if it is taken here
            except TooMany:
                return False
            table.take(self._command(frame))
            hub.metrics.frames_in += 1
            return True

        return hear

    async def _receive(self, table: Table) -> None:
        if self.protocol is not None:
            self.protocol.ear = self._ear(table)
        while True:
            self.listening = True
            try:
                frame = parse_client(await self._text())
                if isinstance(frame, HelloFrame):
                    raise BadFrame("only the first frame is a hello")
            except BadFrame as error:
                self._refuse(error)
                self.bad += 1
                if self.bad >= MOST_BAD_FRAMES:
                    await _close(self.socket, BAD_FRAMES, "too many frames that cannot be read")
                    return
                continue
            try:
                self.hub.limits.hit("frames", str(self.number))
            except TooMany as error:
                self._refuse(error, getattr(frame, "n", None))
                self.fast += 1
                if self.fast >= MOST_TOO_FAST:
                    await _close(self.socket, TOO_MANY, str(error))
                    return
                continue
            if isinstance(frame, PingFrame):
                self.outbox.put(encode(PongFrame(t=frame.t, now=self.hub.now())))
            elif table.task.done():
                raise WebSocketDisconnect(BROKEN)
            else:
                await table.put(self._command(frame))

    def _refuse(self, error: MuangError, n: int | None = None) -> None:
        self.hub.metrics.refusals.labels(error.code).inc()
        self.outbox.put(encode(error_frame(error, n)))

    def _command(self, frame: ClientFrame) -> Command:
        if isinstance(frame, PlayFrame):
            return Play(self.number, frame)
        if isinstance(frame, CommandFrame):
            return Order(self.number, frame)
        if isinstance(frame, EchoFrame):
            return Answered(self.number, frame)
        if isinstance(frame, SayFrame):
            return Say(self.number, frame)
        self.hub.metrics.resyncs.inc()
        return Resync(self.number)

    async def _send(self, table: Table) -> None:
        """Send what the outbox holds; when the screen has fallen behind, ask for the whole state."""
        send = self.socket.send
        while True:
            text = await self.outbox.get()
            if text is not None:
                try:
                    await send({"type": "websocket.send", "text": text})
                except OSError:
                    raise WebSocketDisconnect(1006) from None
                self.hub.metrics.frames_out += 1
            elif self.outbox.closed is not None:
                await _close(self.socket, *self.outbox.closed)
                return
            else:
                self.hub.metrics.resyncs.inc()
                await table.put(Resync(self.number))


async def _close(socket: WebSocket, code: int, reason: str) -> None:
    if socket.application_state is WebSocketState.CONNECTED and socket.client_state is WebSocketState.CONNECTED:
        with suppress(RuntimeError, WebSocketDisconnect):
            await socket.close(code, reason.encode()[:120].decode(errors="ignore"))
