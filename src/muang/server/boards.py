"""Owns what is asked of games and boards and of no match: rulesets and options, pictures, layouts. Owns no rule."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response

import muang
from muang.errors import BadRuleset
from muang.games.core import GAMES, PACES, game
from muang.records.layout import layout
from muang.records.picture import svg
from muang.rulebook import load
from muang.search.players import PLAYERS
from muang.server.answers import Games, errors
from muang.server.hub import Hub
from muang.server.limits import address_of
from muang.server.pages import language_of
from muang.server.setups import seat_sets

__all__ = ["router"]

router = APIRouter(tags=["boards"])
MOST_POSITION = 20_000


@router.get("/api/games", response_model=Games)
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
        "seats": [list(seats) for seats in seat_sets(first)],
    }


@router.get(
    "/api/picture.svg",
    response_class=Response,
    responses={200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}}, **errors(429)},
)
def picture(
    request: Request,
    position: Annotated[str | None, Query(max_length=MOST_POSITION, pattern=r"^[ -~]*$")] = None,
    game: Annotated[str | None, Query(max_length=40)] = None,
    upright: bool = False,
) -> Response:
    """The picture of a position, or of a game's board at the start."""
    hub: Hub = request.app.state.hub
    hub.limits.hit("costly", address_of(request.scope))
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


@router.get("/api/layout", response_model=dict[str, Any])
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
