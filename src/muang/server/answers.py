"""Owns the shapes of what the HTTP interface answers, for its OpenAPI description and for whoever reads it. Makes no answer itself."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from muang.wire.log import WireSeat

__all__ = [
    "ERRORS",
    "ErrorBody",
    "Games",
    "Health",
    "Hint",
    "Lobby",
    "LobbyMatch",
    "LobbySeat",
    "Made",
    "Seated",
    "Shown",
    "Told",
    "errors",
]


class ErrorBody(BaseModel):
    """What was wrong, by which clause of the rules, and what would have been accepted."""

    code: str = Field(examples=["illegal-action"])
    clause: str = Field(examples=["MK-10"])
    message: str
    allowed: list[str]


TEXTS = {
    400: "What was asked for cannot be read: a damaged log, or one by rules that are not here.",
    403: "The seat is not yours, or a page of another site asks.",
    404: "There is no such match, page or language.",
    405: "This cannot be done at this address.",
    408: "The rest of the request did not come.",
    409: "Not now: no free seat, or the match is still played by others.",
    413: "More than may be sent.",
    421: "This server has another name.",
    422: "What was sent cannot be read, or the rules do not allow it.",
    429: "Too much at once from one address; `Retry-After` says after how many seconds.",
    503: "Not now: the server is full, or its disk or database does not write.",
}


def errors(*codes: int) -> dict[int | str, dict[str, Any]]:
    """The errors that a route may answer, as FastAPI wants them."""
    found: dict[int | str, dict[str, Any]] = {}
    for code in codes:
        found[code] = {"model": ErrorBody, "description": TEXTS[code]}
        if code == 429:
            found[code]["headers"] = {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer", "minimum": 1}}}
    return found


ERRORS = errors(403, 408, 413, 421, 422, 503)
"""Of every route."""


class Health(BaseModel):
    """``warm``: its kernels are compiled; ``writable``: the log can be written; ``matches``: in memory."""

    status: Literal["ok", "not-writable"]
    version: str
    warm: bool
    writable: bool
    matches: int


class Games(BaseModel):
    """``games``: their rulesets, options and seats. ``players``: the computer players. Texts are English."""

    games: list[dict[str, Any]]
    players: list[str]
    paces: list[str]


class Made(BaseModel):
    """A match that has been made. ``tokens``: seat → its secret token, of seats in which people sit. ``commitment``: SHA-256 of what all
    lots come from (CN-50), None where a seed was given."""

    id: str
    tokens: dict[str, str]
    url: str
    commitment: str | None


class Seated(BaseModel):
    """A seat that has been taken, and the secret token that acts for it."""

    seat: WireSeat
    token: str
    url: str


class Shown(BaseModel):
    """A match as everybody may see it: ``match``, ``seats`` and ``layout`` as in a ``state`` frame."""

    id: str
    version: int
    created: int
    match: dict[str, Any]
    seats: list[dict[str, Any]]
    layout: dict[str, Any]
    table: dict[str, Any]


class Told(BaseModel):
    """What has happened, as sentences (msgids with their arguments); the last ones with ``events``, ``before`` and ``after``."""

    version: int
    told: list[dict[str, Any]]


class Hint(BaseModel):
    """What the search would choose. ``share``: of 100, where the best choice is drawn by lot."""

    version: int
    seat: WireSeat
    actions: list[str]
    unit: str
    value: float
    exact: bool
    share: int | None
    say: list[tuple[str, dict[str, Any]]]


class LobbySeat(BaseModel):
    """Who sits where. ``kind``: ``person``, ``computer``, ``absent`` or ``open``."""

    seat: WireSeat
    kind: str
    name: str


class LobbyMatch(BaseModel):
    """A match that its players show to everybody. ``created``: ms since 1970."""

    id: str
    url: str
    game: str
    ruleset: str
    pace: str
    seats: list[LobbySeat]
    watchers: int
    created: int


class Lobby(BaseModel):
    """``open``: matches with a free seat; ``live``: matches to watch."""

    open: list[LobbyMatch]
    live: list[LobbyMatch]
