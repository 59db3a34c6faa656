"""Owns the shape of what is kept of a match: its setup and one entry of its append-only log. Knows neither database nor room.

A log holds inputs, not results: everything else is recomputed by playing them again. Each entry carries a short hash of the state after
it, so a log that does not replay to the same states is noticed.
"""

from __future__ import annotations

import hashlib
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, ConfigDict, Field, WithJsonSchema

from muang.errors import BadAction
from muang.games.core import RULES_VERSION, Entry, Seat
from muang.wire.parts import Made

__all__ = [
    "KINDS",
    "ClockSetup",
    "LogEntry",
    "SeatSetup",
    "Setup",
    "WireSeat",
    "commitment_of",
    "hash_state",
    "hash_token",
    "seat_from_text",
]

KINDS = ("play", "roll", "leave", "draw", "takeback", "time", "seat", "ready", "start", "offer", "decline", "sit", "begin", "again")
"""``play`` · ``roll`` · ``leave`` · ``draw`` (agreed) as in a match's own log; ``takeback``: the last turn is taken back; ``time``: a live
race had reached ``at`` by itself (it ended there, or its clock was stopped there); ``seat``: who sits there from now (``person`` ·
``absent`` · ``computer:greedy``); ``ready`` and ``start`` before a race; ``offer`` and ``decline`` of a draw or a takeback; ``sit``:
somebody takes a free seat (``name``, ``token``), or a player who has a seat is there for the first time, with ``entropy``; ``begin``: every
seat is taken and all lots are settled from now on; ``again``: ``seat`` wants another match, or that match has been made (``action`` is its
id)."""

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


class _Kept(Made):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SeatSetup(_Kept):
    """A seat when the match was made. ``token``: the hash of the token that may act for it (people only). ``open``: free for whoever
    comes."""

    seat: WireSeat
    kind: Literal["person", "computer", "absent", "open"]
    name: Annotated[str, Field(max_length=40)] = ""
    player: str | None = None
    token: str | None = None


class ClockSetup(_Kept):
    """The clock of turns (MK-56). ``per-turn``: ``seconds`` for each turn. ``fischer``: ``seconds`` for the match and ``increment`` seconds
    more after each turn. Before a clock goes, the walk that is to be watched gives back ``per_drop`` ms for each seed, at most
    ``most_back``."""

    kind: Literal["per-turn", "fischer"]
    seconds: Annotated[int, Field(ge=1, le=86_400)]
    increment: Annotated[int, Field(ge=0, le=3_600)] = 0
    per_drop: Annotated[int, Field(ge=0, le=1_000)] = 120
    most_back: Annotated[int, Field(ge=0, le=60_000)] = 15_000


class Setup(_Kept):
    """Everything about a match that was settled when it was made. ``created`` is wall-clock time in ms since 1970.

    ``secret`` (64 hexadecimal digits) is told when the match is over: every lot comes from it and from what the players mix in (CN-50).
    Where it is None, every lot comes from ``seed``, which whoever made the match chose. ``options`` holds every option of the game.
    ``max_lag``: how many ms an input of a race may be dated back. ``public``: shown in the lobby. ``again``: the match of which this is the
    rematch."""

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
    secret: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None
    clock: ClockSetup | None = None
    max_lag: Annotated[int, Field(ge=0, le=10_000)] = 250
    public: bool = False
    again: str | None = None


class LogEntry(_Kept):
    """One input. ``at``: effective ms since the race began (live races only). ``client`` and ``n``: who sent it under which number;
    ``client_at``: that client's own clock in ms; ``version``: the room's version after it; ``hash``: of the state after it, where it is
    marked (not every entry is); ``t``: the server's clock when it came (ms since 1970).

    In a race ``offset`` puts the client's clock on the race's (``client_at + offset``, before it is bounded) and ``lag`` is how much
    earlier than its arrival the input counts (it arrived at ``at + lag``). ``spent``: ms of the clock of turns that a
    choice took. ``name``, ``token`` (its hash) and ``entropy``: of a ``sit``.
    """

    kind: Literal[
        "play", "roll", "leave", "draw", "takeback", "time", "seat", "ready", "start", "offer", "decline", "sit", "begin", "again"
    ]
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
    t: int = 0
    spent: int | None = None
    name: Annotated[str, Field(max_length=40)] | None = None
    token: Annotated[str, Field(max_length=64)] | None = None
    entropy: Annotated[str, Field(max_length=64)] | None = None

    def rules_entry(self) -> Entry:
        """The entry as a match reads it (kinds ``play``, ``roll``, ``leave`` and ``draw``)."""
        return Entry(self.kind, self.seat, self.action, self.dice, self.at)


def hash_state(text: str) -> str:
    """A short fingerprint of a state's text: 16 hexadecimal digits."""
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def commitment_of(secret: str) -> str:
    """What is told of a secret before anything is drawn from it: the SHA-256 of its bytes, in hexadecimal digits."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


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
