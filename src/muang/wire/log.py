"""Owns the shape of what is kept of a match: its setup and one entry of its append-only log. Knows neither database nor room.

A log holds inputs, not results: everything else is recomputed by playing them again. Each entry carries a short hash of the state after
it, so a log that does not replay to the same states is noticed.
"""

from __future__ import annotations

import hashlib
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema

from muang.errors import BadAction
from muang.games.core import RULES_VERSION, Entry, Seat

__all__ = ["KINDS", "LogEntry", "SeatSetup", "Setup", "WireSeat", "hash_state", "hash_token", "seat_from_text"]

KINDS = ("play", "roll", "leave", "draw", "takeback", "time", "seat", "ready", "start", "offer", "decline")
"""``play`` · ``roll`` · ``leave`` · ``draw`` (agreed) as in a match's own log; ``takeback``: the last turn is taken back; ``time``: a live
race had reached ``at`` by itself (it ended there, or its clock was stopped there); ``seat``: who sits there from now (``person`` ·
``absent`` · ``computer:greedy``); ``ready`` and ``start`` before a race; ``offer`` and ``decline`` of a draw or a takeback."""

SEAT_NAMES = ("S", "N", 0, 1, 2, 3)


def _a_seat(seat: Seat) -> Seat:
    if seat not in SEAT_NAMES:
        raise ValueError("a seat is S or N, or 0 to 3")
    return seat


WireSeat: TypeAlias = Annotated[
    Annotated[str, Field(strict=True)] | Annotated[int, Field(strict=True)],
    AfterValidator(_a_seat),
    WithJsonSchema({"enum": list(SEAT_NAMES)}),
]
"""``"S"`` or ``"N"`` in the sowing games, 0 to 3 in Cờ cá ngựa."""


class _Kept(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SeatSetup(_Kept):
    """A seat when the match was made. ``token``: the hash of the token that may act for it (people only)."""

    seat: WireSeat
    kind: Literal["person", "computer", "absent"]
    name: Annotated[str, Field(max_length=40)] = ""
    player: str | None = None
    token: str | None = None


class Setup(_Kept):
    """Everything about a match that was settled when it was made. ``created`` is wall-clock time in ms since 1970.

    ``seed`` is secret until the match is over: every lot comes from it. ``options`` holds every option of the game.
    """

    id: str
    game: str
    ruleset: str
    options: dict[str, Any] = {}
    pace: str = "lockstep"
    tempo: int = 250
    min_gap: int = 80
    first: WireSeat | None = None
    seed: Annotated[int, Field(ge=0, lt=2**64)]
    seats: tuple[SeatSetup, ...]
    rules_version: int = RULES_VERSION
    created: int = 0


class LogEntry(_Kept):
    """One input. ``at``: effective ms since the race began (live races only). ``client`` and ``n``: who sent it under which number;
    ``client_at``: that client's own clock in ms; ``version``: the room's version after it; ``hash``: of the state after it.

    ``lag`` and ``offset`` (ms) and ``commitment`` and ``entropy`` are filled where a match is played over a network.
    """

    kind: Literal["play", "roll", "leave", "draw", "takeback", "time", "seat", "ready", "start", "offer", "decline"]
    seat: WireSeat | None = None
    action: Annotated[str, Field(max_length=64)] | None = None
    dice: tuple[int, int] | None = None
    at: int | None = None
    by: Literal["player", "system", "computer"] = "player"
    client: Annotated[str, Field(max_length=64)] | None = None
    n: int | None = None
    client_at: int | None = None
    version: int = 0
    rules_version: int = RULES_VERSION
    hash: str = ""
    lag: int | None = None
    offset: int | None = None
    commitment: str | None = None
    entropy: str | None = None

    def rules_entry(self) -> Entry:
        """The entry as a match reads it (kinds ``play``, ``roll``, ``leave`` and ``draw``)."""
        return Entry(self.kind, self.seat, self.action, self.dice, self.at)


def hash_state(text: str) -> str:
    """A short fingerprint of a state's text: 16 hexadecimal digits."""
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def hash_token(token: str) -> str:
    """What is kept of a seat's token. Tokens are long random words, so a plain hash cannot be searched back."""
    return hashlib.sha256(token.encode()).hexdigest()


def seat_from_text(text: str) -> Seat:
    """``"S"`` → ``"S"``, ``"2"`` → ``2``. ``BadAction`` for anything else."""
    if text in ("S", "N"):
        return text
    if text in ("0", "1", "2", "3"):
        return int(text)
    raise BadAction(f"there is no seat {text[:10]!r}", allowed=("S", "N", 0, 1, 2, 3))
