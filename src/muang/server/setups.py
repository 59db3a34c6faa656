"""Owns what may be asked for when a match is made, and the setup that comes of it. Makes no match and knows no request."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from muang.errors import BadAction
from muang.games.core import RULES_VERSION, Game, Seat, game
from muang.search.players import PLAYERS
from muang.wire import ClockSetup, SeatSetup, Setup, hash_token
from muang.wire.log import WireSeat
from muang.wire.parts import Word

__all__ = ["ONLINE_SECONDS", "MatchRequest", "SeatRequest", "SitRequest", "clean_name", "seat_sets", "setup_of"]

USUAL_PLAYER = "level-2"
"""The computer where none is named: one that a beginner may beat."""
ONLINE_SECONDS = 20
"""How long somebody who plays over a network may choose where nothing is said (MK-26, CN-42)."""


class SeatRequest(BaseModel):
    """Who sits where. ``open``: a free seat for whoever comes. ``player``: which computer."""

    model_config = ConfigDict(extra="forbid")

    seat: WireSeat
    kind: Literal["person", "computer", "open"] = "person"
    name: Annotated[str, Field(max_length=200)] = ""
    player: Annotated[str, Field(max_length=40)] | None = None


class ClockRequest(BaseModel):
    """The clock of turns. ``per-turn``: ``seconds`` for each turn. ``fischer``: ``seconds`` for the match and ``increment`` more after
    each turn."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["per-turn", "fischer"]
    seconds: Annotated[int, Field(ge=1, le=86_400)]
    increment: Annotated[int, Field(ge=0, le=3_600)] = 0


class MatchRequest(BaseModel):
    """A match to be made. Options that are left out are the ruleset's.

    ``public``: shown in the lobby. ``seed``: every lot comes from it, so whoever knows it knows them; leave it out for lots that nobody
    knows and everybody can check. Where a seat is open, ``choice_seconds`` (``turn_seconds``) is 20 if nothing else is said.
    """

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"game": "ca-ngua", "seats": [{"seat": 0, "name": "Lan"}, {"seat": 2, "kind": "open"}]},
                {"game": "mak-khum", "ruleset": "turns", "seats": [{"seat": "S"}, {"seat": "N", "kind": "computer", "player": "level-3"}]},
            ]
        },
    )

    game: Annotated[str, Field(max_length=40)]
    ruleset: Annotated[str, Field(max_length=40)] | None = None
    options: Annotated[dict[str, str | int | bool | None], Field(max_length=40)] = {}
    pace: Literal["lockstep", "steady", "by_hand"] | None = None
    tempo: Annotated[int, Field(ge=1, le=60_000)] = 250
    min_gap: Annotated[int, Field(ge=1, le=60_000)] = 80
    seats: Annotated[list[SeatRequest], Field(min_length=1, max_length=4)]
    first: WireSeat | None = None
    clock: ClockRequest | None = None
    public: bool = False
    seed: Annotated[int, Field(ge=0, lt=2**64, strict=True)] | None = None


class SitRequest(BaseModel):
    """A free seat is wanted: this one, or the first. ``entropy``: any random word, mixed into the lots (CN-50)."""

    model_config = ConfigDict(extra="forbid")

    seat: WireSeat | None = None
    name: Annotated[str, Field(max_length=200)] = ""
    entropy: Word | None = None


def seat_sets(of: Game) -> tuple[tuple[Seat, ...], ...]:
    """Which seats can be taken together."""
    sets: tuple[tuple[Seat, ...], ...] = getattr(of, "seat_choices", (("S", "N"),))
    return sets


def setup_of(wanted: MatchRequest, tokens: Mapping[str, str], match_id: str, secret: str | None, created: int, max_lag: int) -> Setup:
    """The match as asked for. ``BadRuleset`` and ``BadAction`` say what cannot be."""
    online = any(seat.kind == "open" for seat in wanted.seats)
    options = dict(wanted.options)
    if online:
        options = _limits(wanted) | options
    of = game(wanted.game, wanted.ruleset, **options)
    order = [seat.seat for seat in wanted.seats]
    sets = seat_sets(of)
    chosen = next((seats for seats in sets if set(seats) == set(order) and len(order) == len(seats)), None)
    if chosen is None:
        raise BadAction(f"nobody can sit at {order}", allowed=[", ".join(map(str, seats)) for seats in sets])
    by_seat = {seat.seat: seat for seat in wanted.seats}
    return Setup(
        id=match_id,
        game=of.name,
        ruleset=of.ruleset,
        options=of.options,
        pace="lockstep" if of.name == "ca-ngua" else wanted.pace or "lockstep",
        tempo=wanted.tempo,
        min_gap=wanted.min_gap,
        first=wanted.first,
        seed=wanted.seed or 0,
        seats=tuple(_seat(by_seat[name], tokens) for name in chosen),
        rules_version=RULES_VERSION,
        created=created,
        secret=secret if wanted.seed is None else None,
        clock=None if wanted.clock is None else ClockSetup(**wanted.clock.model_dump()),
        max_lag=max_lag,
        public=wanted.public,
    )


def _limits(wanted: MatchRequest) -> dict[str, str | int | bool | None]:
    """How long may be chosen where people wait for each other and nothing is said of it."""
    if wanted.game == "ca-ngua":
        return {} if wanted.clock is not None else {"turn_seconds": ONLINE_SECONDS}
    return {"choice_seconds": ONLINE_SECONDS}


def _seat(seat: SeatRequest, tokens: Mapping[str, str]) -> SeatSetup:
    player = None
    if seat.kind == "computer":
        player = seat.player or USUAL_PLAYER
        if player not in PLAYERS:
            raise BadAction(f"there is no computer player {player!r}", allowed=PLAYERS)
    token = tokens.get(str(seat.seat))
    name = "" if seat.kind == "open" else clean_name(seat.name)
    return SeatSetup(seat=seat.seat, kind=seat.kind, name=name, player=player, token=None if token is None else hash_token(token))


def clean_name(name: str) -> str:
    """A name on one line: no control characters, nothing that turns the direction of the text, at most 40 characters."""
    kept = "".join(char if unicodedata.category(char)[0] not in "CZ" else " " for char in unicodedata.normalize("NFC", name))
    return " ".join(kept.split())[:40]
