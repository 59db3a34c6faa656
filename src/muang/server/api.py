"""Owns the HTTP interface: what games there are, making a match, its public view, record and picture. Owns no rule."""

from __future__ import annotations

import secrets
import unicodedata
from functools import lru_cache
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from pydantic import BaseModel, ConfigDict, Field

import muang
from muang.errors import BadAction, BadRuleset
from muang.games.core import GAMES, PACES, RULES_VERSION, Game, Seat, game
from muang.records import Record
from muang.records import json as record_json
from muang.records import write as record_text
from muang.records.layout import layout
from muang.records.picture import svg
from muang.rooms import Room
from muang.rooms.frames import layout_of, seat_views
from muang.rulebook import load
from muang.search.players import PLAYERS
from muang.server.hub import Hub, new_id
from muang.server.pages import language_of
from muang.wire import SeatSetup, Setup, hash_token
from muang.wire.log import WireSeat

__all__ = ["record_of", "router"]

router = APIRouter()
MOST_POSITION = 20_000
USUAL_PLAYER = "level-2"
"""The computer where none is named: one that a beginner may beat."""


class SeatRequest(BaseModel):
    """Who sits where. ``player``: which computer."""

    model_config = ConfigDict(extra="forbid")

    seat: WireSeat
    kind: Literal["person", "computer"] = "person"
    name: Annotated[str, Field(max_length=200)] = ""
    player: Annotated[str, Field(max_length=40)] | None = None


class MatchRequest(BaseModel):
    """A match to be made. Options that are left out are the ruleset's."""

    model_config = ConfigDict(extra="forbid")

    game: Annotated[str, Field(max_length=40)]
    ruleset: Annotated[str, Field(max_length=40)] | None = None
    options: Annotated[dict[str, str | int | bool | None], Field(max_length=40)] = {}
    pace: Literal["lockstep", "steady", "by_hand"] | None = None
    tempo: Annotated[int, Field(ge=1, le=60_000)] = 250
    min_gap: Annotated[int, Field(ge=1, le=60_000)] = 80
    seats: Annotated[list[SeatRequest], Field(min_length=1, max_length=4)]
    first: WireSeat | None = None
    seed: Annotated[int, Field(ge=0, lt=2**64, strict=True)] | None = None


def _hub(request: Request) -> Hub:
    hub: Hub = request.app.state.hub
    return hub


@router.get("/health")
async def health(request: Request) -> dict[str, Any]:
    """Whether the server answers, and whether its kernels are compiled."""
    hub = _hub(request)
    return {"status": "ok", "version": muang.__version__, "warm": hub.warm.is_set(), "matches": len(hub.tables)}


@router.get("/api/games")
def games() -> dict[str, Any]:
    """The games with their rulesets and options. ``label`` and ``text`` are English and are translated by whoever shows them."""
    return _games()


@lru_cache(maxsize=1)
def _games() -> dict[str, Any]:
    return {"games": [_game(name) for name in GAMES], "players": list(PLAYERS), "paces": list(PACES)}


def _game(name: str) -> dict[str, Any]:
    first, book = game(name), load(name)
    rulesets = []
    for ruleset in first.rulesets:
        words = book.rulesets[ruleset]
        rulesets.append({"name": ruleset, "options": game(name, ruleset).options, "label": words.label, "text": words.text})
    options = []
    for option in first.option_list:
        told = book.options[option.name]
        options.append(
            {
                "name": option.name,
                "clause": option.clause,
                "default": option.default,
                "choices": list(option.choices),
                "least": option.least,
                "most": option.most,
                "label": told.label,
                "values": dict(told.values),
                "number": told.number,
            }
        )
    return {
        "name": name,
        "title": first.title,
        "rulesets": rulesets,
        "options": options,
        "seats": [list(seats) for seats in _seat_sets(first)],
    }


def _seat_sets(of: Game) -> tuple[tuple[Seat, ...], ...]:
    sets: tuple[tuple[Seat, ...], ...] = getattr(of, "seat_choices", (("S", "N"),))
    return sets


@router.post("/api/matches", status_code=201)
async def make_match(request: Request, wanted: MatchRequest) -> dict[str, Any]:
    """Make a match: its id, a secret token for each seat in which a person sits, and the address where it is played."""
    tokens = {str(seat.seat): new_id() for seat in wanted.seats if seat.kind == "person"}
    setup = _setup(wanted, tokens, _hub(request).now())
    await _hub(request).create(setup)
    return {"id": setup.id, "tokens": tokens, "url": f"/play/{setup.id}"}


def _setup(wanted: MatchRequest, tokens: dict[str, str], created: int) -> Setup:
    """The match as asked for. ``BadRuleset`` and ``BadAction`` say what cannot be."""
    of = game(wanted.game, wanted.ruleset, **wanted.options)
    order = [seat.seat for seat in wanted.seats]
    sets = _seat_sets(of)
    chosen = next((seats for seats in sets if set(seats) == set(order) and len(order) == len(seats)), None)
    if chosen is None:
        raise BadAction(f"nobody can sit at {order}", allowed=[", ".join(map(str, seats)) for seats in sets])
    by_seat = {seat.seat: seat for seat in wanted.seats}
    seats = []
    for name in chosen:
        seat = by_seat[name]
        token = tokens.get(str(name))
        player = None
        if seat.kind == "computer":
            player = seat.player or USUAL_PLAYER
            if player not in PLAYERS:
                raise BadAction(f"there is no computer player {player!r}", allowed=PLAYERS)
        seats.append(
            SeatSetup(seat=name, kind=seat.kind, name=_clean(seat.name), player=player, token=None if token is None else hash_token(token))
        )
    pace = wanted.pace or "lockstep"
    return Setup(
        id=new_id(),
        game=of.name,
        ruleset=of.ruleset,
        options=of.options,
        pace="lockstep" if of.name == "ca-ngua" else pace,
        tempo=wanted.tempo,
        min_gap=wanted.min_gap,
        first=wanted.first,
        seed=secrets.randbits(64) if wanted.seed is None else wanted.seed,
        seats=tuple(seats),
        rules_version=RULES_VERSION,
        created=created,
    )


def _clean(name: str) -> str:
    """A name on one line: no control characters, nothing that turns the direction of the text, at most 40 characters."""
    kept = "".join(char if unicodedata.category(char)[0] not in "CZ" else " " for char in unicodedata.normalize("NFC", name))
    return " ".join(kept.split())[:40]


# ── a match ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _public(room: Room) -> dict[str, Any]:
    setup = room.state.setup
    return {
        "id": setup.id,
        "version": room.version,
        "created": setup.created,
        "match": room.shown.view(),
        "seats": [view.model_dump(exclude={"yours"}) for view in seat_views(room.state)],
        "layout": layout_of(room.shown),
    }


def record_of(room: Room) -> Record:
    """The record as anybody may read it: the seed only when the match is over, hidden choices never."""
    state = room.state
    names = {seat: chair.name for seat, chair in state.chairs.items() if chair.name}
    date = _date(state.setup.created)
    return Record.from_match(room.shown, names, date, tell_seed=room.shown.phase == "over")


def _date(created: int) -> str:
    import datetime

    return datetime.datetime.fromtimestamp(created / 1000, datetime.UTC).date().isoformat()


@router.get("/api/matches/{match_id}")
async def show_match(request: Request, match_id: str) -> dict[str, Any]:
    """A match as everybody may see it."""
    return await (await _hub(request).table(match_id)).ask(_public)


@router.get("/api/matches/{match_id}/record", response_class=PlainTextResponse)
async def show_record(request: Request, match_id: str) -> PlainTextResponse:
    """The record as readable text."""
    record = await (await _hub(request).table(match_id)).ask(record_of)
    return PlainTextResponse(record_text(record), headers={"content-disposition": 'inline; filename="match.muang"'})


@router.get("/api/matches/{match_id}/record.json")
async def show_record_json(request: Request, match_id: str) -> Response:
    """The record as JSON."""
    record = await (await _hub(request).table(match_id)).ask(record_of)
    return Response(record_json.write(record), media_type="application/json")


# ── boards ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@router.get("/api/picture.svg")
def picture(
    request: Request,
    position: Annotated[str | None, Query(max_length=MOST_POSITION)] = None,
    game: Annotated[str | None, Query(max_length=40)] = None,
    upright: bool = False,
) -> Response:
    """The picture of a position, or of a game's board at the start."""
    lang = language_of(request)
    if position is not None:
        text = svg(muang.position(position), upright, lang)
    elif game is not None:
        text = _start_picture(game, upright, lang)
    else:
        raise BadRuleset("a picture needs a position or a game", allowed=GAMES)
    return Response(text, media_type="image/svg+xml")


@lru_cache(maxsize=32)
def _start_picture(name: str, upright: bool, lang: str) -> str:
    of = game(name, "turns") if name in ("mak-khum", "abalalae") else game(name)  # laid out, before anything has been sown
    return svg(of.start(seed=0), upright, lang)


@router.get("/api/layout")
def show_layout(
    game: Annotated[str, Query(max_length=40)],
    track: Annotated[str | None, Query(max_length=20)] = None,
    seats: Annotated[str | None, Query(max_length=20)] = None,
    holes: Annotated[int | None, Query(ge=1, le=12)] = None,
    upright: bool = False,
) -> JSONResponse:
    """Where everything of a board is drawn. ``seats``: ``0,2``; ``track``: the option of that name."""
    if game not in GAMES:
        raise BadRuleset(f"there is no game {game!r}", allowed=GAMES)
    options: dict[str, Any] = {}
    if track is not None:
        options["track"] = next(option for option in _class_options(game) if option.name == "track").read(track)
    chosen = None
    if seats is not None and game == "ca-ngua":
        chosen = [int(seat) for seat in seats.split(",") if seat in ("0", "1", "2", "3")]
    try:
        return JSONResponse(layout(game, options, chosen, upright, holes))
    except ValueError as error:
        raise BadRuleset(str(error)) from error


def _class_options(name: str) -> tuple[Any, ...]:
    found = tuple(option for option in game(name).option_list if option.name == "track")
    if not found:
        raise BadRuleset(f"{name} has no option 'track'")
    return found
