"""Owns playing over plain HTTP, for programs: a stream of frames that is a screen like any other, and inputs one by one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from muang.rooms import Join, Resync, Visit
from muang.server.answers import errors
from muang.server.api import Refused, bearer, table_of
from muang.server.hub import Hub, ServerFull, new_id
from muang.server.limits import address_of
from muang.server.outbox import Outbox
from muang.server.sockets import SCREENS
from muang.server.table import Table
from muang.wire import AckFrame, CommandFrame, ErrorFrame, PlayFrame, PongFrame, encode, hash_token
from muang.wire.frames import Name
from muang.wire.log import WireSeat
from muang.wire.parts import Number, Word

__all__ = ["HEARTBEAT", "router"]

router = APIRouter(tags=["bots"])
HEARTBEAT = 10.0
"""Seconds without a frame after which a ``pong`` is sent, so that both ends notice a dead line."""
PLAYS = errors(400, 404, 409, 429)


class _Input(BaseModel):
    model_config = ConfigDict(extra="forbid")

    token: Word
    client: Word | None = None
    """Whose numbers ``n`` are; the token's own if it is left out."""

    def who(self) -> str:
        return self.client or client_of(self.token)


class PlayRequest(_Input):
    """An action. ``n``: 1, 2, 3 …, the same again when it is sent again. ``version``: the one that was seen (needed in turns)."""

    n: Number
    seat: WireSeat
    action: Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{1,24}$")]
    version: Number | None = None


class CommandRequest(_Input):
    """Something about the match itself; as the ``command`` frame."""

    n: Number
    seat: WireSeat
    name: Name
    about: WireSeat | None = None
    player: Word | None = None


def client_of(token: str) -> str:
    """The id under which the inputs of a token are counted where it names none."""
    return f"http-{hash_token(token)[:24]}"


@router.get(
    "/api/matches/{match_id}/stream",
    response_class=Response,
    responses={200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}, **errors(400, 404, 429)},
)
async def stream(
    request: Request,
    match_id: str,
    token: Annotated[list[Word] | None, Query(max_length=4)] = None,
    version: Annotated[int | None, Query(ge=0, le=2**53)] = None,
    client: Annotated[Word | None, Query()] = None,
    entropy: Annotated[Word | None, Query()] = None,
    authorization: Annotated[str | None, Header(max_length=200)] = None,
) -> StreamingResponse:
    """The frames of a match as they come, one JSON object a line: a ``state`` first, then ``event`` and the others.

    ``token`` (or ``Authorization: Bearer``): of the seats that this screen holds; none: a spectator. After a lost line come back with the
    last ``version``. A line without news carries a ``pong``.
    """
    hub: Hub = request.app.state.hub
    address = address_of(request.scope)
    tokens = tuple((token or []) + bearer(authorization))
    table = await table_of(request, match_id)
    if hub.sockets + hub.streams >= hub.settings.most_sockets:
        raise ServerFull("this server carries as many screens as it can; try again later")
    with hub.limits.holding(SCREENS, address, hub.settings.sockets_per_address):
        pass  # said while there can still be an answer; a stream that is never read takes nothing
    number = hub.number()
    outbox = Outbox(hub.settings.outbox)
    known = client or (client_of(tokens[0]) if tokens else new_id())

    async def lines() -> AsyncIterator[str]:
        hub.limits.take(SCREENS, address, hub.settings.sockets_per_address)
        hub.streams += 1
        try:
            await table.join(Join(number, known, tokens, entropy), outbox, version)
            while (text := await _next(hub, table, outbox, number)) is not None:
                if '"type":"probe"' not in text[:40]:  # only a socket can answer one in time
                    hub.metrics.frames_out += 1
                    yield text + "\n"
        finally:
            hub.streams -= 1
            hub.limits.give(SCREENS, address)
            # by itself: this one may be cancelled while it ends
            leaving = asyncio.create_task(table.part(number))
            hub.leaving.add(leaving)
            leaving.add_done_callback(hub.leaving.discard)

    return StreamingResponse(lines(), media_type="application/x-ndjson", headers={"x-accel-buffering": "no"})


async def _next(hub: Hub, table: Table, outbox: Outbox, number: int) -> str | None:
    """The next line; None when the stream is to end."""
    while True:
        try:
            async with asyncio.timeout(HEARTBEAT):
                text = await outbox.get()
        except TimeoutError:
            return encode(PongFrame(t=0, now=hub.now()))
        if text is not None or outbox.closed is not None:
            return text
        hub.metrics.resyncs.inc()
        await table.put(Resync(number))


@router.post("/api/matches/{match_id}/play", responses=PLAYS)
async def play(request: Request, match_id: str, wanted: PlayRequest) -> AckFrame:
    """Play an action. The answer is the ``ack``: it is in the log. An error says why not, and nothing has changed then."""
    frame = PlayFrame(n=wanted.n, seat=wanted.seat, version=wanted.version, action=wanted.action)
    return await _visit(request, match_id, wanted, frame)


@router.post("/api/matches/{match_id}/command", responses=PLAYS)
async def command(request: Request, match_id: str, wanted: CommandRequest) -> AckFrame:
    """Ready for the race, resign, offers, take a seat back and so on. The answer is the ``ack``."""
    frame = CommandFrame(n=wanted.n, seat=wanted.seat, name=wanted.name, about=wanted.about, player=wanted.player)
    return await _visit(request, match_id, wanted, frame)


async def _visit(request: Request, match_id: str, wanted: _Input, frame: PlayFrame | CommandFrame) -> AckFrame:
    table = await table_of(request, match_id, "plays")
    answer = await table.answer(lambda number: Visit(number, wanted.who(), (wanted.token,), frame))
    if isinstance(answer, ErrorFrame):
        raise Refused(answer)
    return answer
