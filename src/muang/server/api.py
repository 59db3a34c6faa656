"""Owns the HTTP interface of matches: making one, taking a seat, its public view, its record, its QR code, deleting it. Owns no rule."""

from __future__ import annotations

import datetime
import io
from functools import partial
from typing import Annotated, Any

import segno
from fastapi import APIRouter, Body, Header, Request
from fastapi.responses import PlainTextResponse, Response
from pydantic import BaseModel, ConfigDict

import muang
from muang.errors import NotYourSeat
from muang.records import Record
from muang.records import json as record_json
from muang.records import write as record_text
from muang.rooms import Room, Sit
from muang.rooms.frames import layout_of, seat_views, table_view
from muang.rooms.proof import arrivals_of, tags_of
from muang.server.answers import Health, Made, Seated, Shown, errors
from muang.server.guard import base_url
from muang.server.hub import Hub, new_id, new_secret
from muang.server.limits import address_of
from muang.server.setups import MatchRequest, SitRequest, clean_name, setup_of
from muang.server.table import Table
from muang.wire import ErrorFrame, commitment_of, hash_token
from muang.wire.parts import Word

__all__ = ["Refused", "bearer", "hub_of", "record_of", "router", "table_of"]

router = APIRouter(tags=["matches"])
SEES = errors(400, 404, 429)


class Refused(Exception):
    """What a room has refused, as it says so."""

    def __init__(self, frame: ErrorFrame) -> None:
        self.frame = frame
        super().__init__(frame.message)


class TokenRequest(BaseModel):
    """The token of a seat."""

    model_config = ConfigDict(extra="forbid")

    token: Word


def hub_of(request: Request) -> Hub:
    """The matches of this server."""
    hub: Hub = request.app.state.hub
    return hub


async def table_of(request: Request, match_id: str, cost: str = "looks") -> Table:
    """The live match that a request is about, counted as one ``cost`` more of its address."""
    hub, address = hub_of(request), address_of(request.scope)
    hub.limits.hit(cost, address)
    return await hub.table(match_id, address)


def bearer(header: str | None) -> list[str]:
    """The token of an ``Authorization: Bearer`` header, if there is one."""
    scheme, _, token = (header or "").partition(" ")
    return [token.strip()] if scheme.lower() == "bearer" and token.strip() else []


@router.get("/health", tags=["server"], responses={503: {"model": Health, "description": "The log cannot be written."}})
async def health(request: Request, response: Response) -> Health:
    """Whether the server answers, its kernels are compiled and its log can be written."""
    hub = hub_of(request)
    writable = await hub.writable()
    if not writable:
        response.status_code = 503
    return Health(
        status="ok" if writable else "not-writable",
        version=muang.__version__,
        warm=hub.warm.is_set(),
        writable=writable,
        matches=len(hub.tables),
    )


@router.post("/api/matches", status_code=201, responses=errors(429))
async def make_match(request: Request, wanted: MatchRequest) -> Made:
    """Make a match: its id, a secret token for each seat in which a person sits, and the address where it is played."""
    hub = hub_of(request)
    hub.limits.hit("matches", address_of(request.scope))
    tokens = {str(seat.seat): new_id() for seat in wanted.seats if seat.kind == "person"}
    setup = setup_of(wanted, tokens, new_id(), new_secret(), hub.now(), hub.settings.timing.max_lag)
    await hub.create(setup)
    commitment = None if setup.secret is None else commitment_of(setup.secret)
    return Made(id=setup.id, tokens=tokens, url=f"/play/{setup.id}", commitment=commitment)


@router.post("/api/matches/{match_id}/sit", responses=errors(400, 404, 409, 429))
async def sit(request: Request, match_id: str, wanted: SitRequest) -> Seated:
    """Take a free seat: this one, or the first. ``seat-taken`` if it is not free."""
    table = await table_of(request, match_id, "sits")
    token = new_id()
    answer = await table.answer(lambda number: Sit(number, wanted.seat, clean_name(wanted.name), hash_token(token), wanted.entropy))
    if isinstance(answer, ErrorFrame):
        raise Refused(answer)
    seats = await table.ask(lambda room: room.seats_of([token]))
    return Seated(seat=seats[0], token=token, url=f"/play/{match_id}")


@router.delete("/api/matches/{match_id}", status_code=204, responses=errors(400, 404, 409, 429))
async def delete_match(
    request: Request,
    match_id: str,
    wanted: Annotated[TokenRequest | None, Body()] = None,
    authorization: Annotated[str | None, Header(max_length=200)] = None,
) -> Response:
    """Forget a match for good, its log and the names in it. Only for who has a seat in it, and not while other people are playing it."""
    hub, address = hub_of(request), address_of(request.scope)
    hub.limits.hit("looks", address)
    tokens = bearer(authorization) + ([] if wanted is None else [wanted.token])
    if not tokens:
        raise NotYourSeat("deleting a match needs the token of a seat in it")
    await hub.delete(match_id, tokens)
    return Response(status_code=204)


def _public(room: Room, now: int) -> dict[str, Any]:
    setup = room.state.setup
    return {
        "id": setup.id,
        "version": room.version,
        "created": setup.created,
        "match": room.shown.view(),
        "seats": [view.model_dump(exclude={"yours"}) for view in seat_views(room.state)],
        "layout": layout_of(room.shown),
        "table": table_view(room, now).model_dump(),
    }


def record_of(room: Room) -> Record:
    """The record as anybody may read it: seed and secret only when the match is over, hidden choices never."""
    state, over = room.state, room.shown.phase == "over"
    names = {seat: chair.name for seat, chair in state.chairs.items() if chair.name}
    date = _date(state.setup.created)
    return Record.from_match(room.shown, names, date, tell_seed=over, tags=tags_of(state, over), arrivals=arrivals_of(state, room.shown))


def _date(created: int) -> str:
    return datetime.datetime.fromtimestamp(created / 1000, datetime.UTC).date().isoformat()


@router.get("/api/matches/{match_id}", response_model=Shown, responses=SEES)
async def show_match(request: Request, match_id: str) -> dict[str, Any]:
    """A match as everybody may see it."""
    table = await table_of(request, match_id)
    return await table.ask(partial(_public, now=hub_of(request).now()))


@router.get("/api/matches/{match_id}/record", response_class=PlainTextResponse, responses=SEES)
async def show_record(request: Request, match_id: str) -> PlainTextResponse:
    """The record as readable text."""
    record = await (await table_of(request, match_id, "costly")).ask(record_of)
    return PlainTextResponse(record_text(record), headers={"content-disposition": 'inline; filename="match.muang"'})


@router.get(
    "/api/matches/{match_id}/record.json",
    response_class=Response,
    responses={200: {"content": {"application/json": {"schema": {"type": "object"}}}}, **SEES},
)
async def show_record_json(request: Request, match_id: str) -> Response:
    """The record as JSON."""
    record = await (await table_of(request, match_id, "costly")).ask(record_of)
    return Response(record_json.write(record), media_type="application/json")


@router.get(
    "/api/matches/{match_id}/qr.svg",
    response_class=Response,
    responses={200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}}, **SEES},
)
async def show_qr(request: Request, match_id: str) -> Response:
    """The address of a match as a QR code: whoever opens it takes a free seat or watches."""
    await table_of(request, match_id, "costly")
    base = base_url(request.scope, hub_of(request).settings)
    return Response(_qr(f"{base}/play/{match_id}"), media_type="image/svg+xml")


def _qr(text: str) -> bytes:
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        out, kind="svg", border=4, xmldecl=False, light="#fff", dark="#000", omitsize=True, title=text
    )
    return out.getvalue()
