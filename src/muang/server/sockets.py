"""Owns the live connection of one screen: hello first, then frames both ways. Decides nothing about the match."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import structlog
from fastapi import APIRouter, WebSocket
from starlette.websockets import WebSocketDisconnect, WebSocketState

from muang.errors import BadFrame, MuangError
from muang.rooms import Order, Play, Resync
from muang.server.hub import Hub, new_id
from muang.server.outbox import Outbox
from muang.server.table import Table
from muang.store import NoSuchMatch
from muang.wire import CommandFrame, HelloFrame, PingFrame, PlayFrame, PongFrame, encode, error_frame, parse_client

__all__ = ["router"]

log = structlog.get_logger("muang.sockets")
router = APIRouter()

BAD_FRAMES, NO_MATCH, NO_HELLO, FULL, BROKEN = 4400, 4404, 4408, 1013, 1011
HELLO_SECONDS = 10
MOST_BAD_FRAMES = 20


@router.websocket("/ws/{match_id}")
async def live(socket: WebSocket, match_id: str) -> None:
    """The live protocol (see ``muang.wire``)."""
    hub: Hub = socket.app.state.hub
    await socket.accept()
    if hub.sockets >= hub.settings.most_sockets:
        await _close(socket, FULL, "this server carries as many screens as it can; try again later")
        return
    hub.sockets += 1
    try:
        await _Talk(hub, socket, match_id).run()
    except WebSocketDisconnect:
        pass
    finally:
        hub.sockets -= 1


class _Talk:
    def __init__(self, hub: Hub, socket: WebSocket, match_id: str) -> None:
        self.hub, self.socket, self.match_id = hub, socket, match_id
        self.outbox = Outbox(hub.settings.outbox)
        self.number = hub.number()
        self.bad = 0

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
            table = await self.hub.table(self.match_id)
            while not table.open:  # it was let go this very moment
                table = await self.hub.table(self.match_id)
        except MuangError as error:
            await self.socket.send_text(encode(error_frame(error)))
            await _close(self.socket, NO_MATCH if isinstance(error, NoSuchMatch) else BROKEN, str(error)[:100])
            return
        await table.join(self.number, hello.client or new_id(), tuple(hello.tokens), self.outbox)
        sender = asyncio.create_task(self._send(table), name=f"sends-{self.number}")
        try:
            await self._receive(table)
        finally:
            self.outbox.close(1000, "")
            with suppress(WebSocketDisconnect, RuntimeError, asyncio.CancelledError):
                sender.cancel()
                await sender
            await table.part(self.number)

    async def _text(self) -> str:
        message = await self.socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1006), message.get("reason"))
        text = message.get("text")
        if text is None:
            raise BadFrame("a frame is a text message, this is a binary one")
        return str(text)

    async def _hello(self) -> HelloFrame:
        frame = parse_client(await self._text())
        if not isinstance(frame, HelloFrame):
            raise BadFrame(f"the first frame has to be a hello, not {frame.type}")
        return frame

    async def _receive(self, table: Table) -> None:
        while True:
            try:
                frame = parse_client(await self._text())
                if isinstance(frame, HelloFrame):
                    raise BadFrame("only the first frame is a hello")
            except BadFrame as error:
                self.outbox.put(encode(error_frame(error)))
                self.bad += 1
                if self.bad >= MOST_BAD_FRAMES:
                    await _close(self.socket, BAD_FRAMES, "too many frames that cannot be read")
                    return
                continue
            if isinstance(frame, PingFrame):
                self.outbox.put(encode(PongFrame(t=frame.t, now=self.hub.now())))
            elif table.task.done():
                raise WebSocketDisconnect(BROKEN)
            elif isinstance(frame, PlayFrame):
                await table.put(Play(self.number, frame))
            elif isinstance(frame, CommandFrame):
                await table.put(Order(self.number, frame))
            else:
                await table.put(Resync(self.number))

    async def _send(self, table: Table) -> None:
        """Send what the outbox holds; when the screen has fallen behind, ask for the whole state."""
        while True:
            text = await self.outbox.get()
            if text is not None:
                await self.socket.send_text(text)
            elif self.outbox.closed is not None:
                await _close(self.socket, *self.outbox.closed)
                return
            else:
                await table.put(Resync(self.number))


async def _close(socket: WebSocket, code: int, reason: str) -> None:
    if socket.application_state is WebSocketState.CONNECTED and socket.client_state is WebSocketState.CONNECTED:
        with suppress(RuntimeError, WebSocketDisconnect):
            await socket.close(code, reason[:120])
