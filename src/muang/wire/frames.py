"""Owns the frames of the live protocol, version 1: what a browser or bot may send, what the server sends, and how both are checked.

A frame is one JSON object in one text message. Client frames are strict: unknown fields, wrong types and oversized values are
``BadFrame`` with a message that says which field and what is allowed. What a frame does to a match is the room's matter.

A client keeps a ``client`` id of its own (any random word; the server makes one where it is left out) and numbers its inputs ``n`` =
1, 2, 3 …; an input that was not acknowledged is sent again, after a reconnection too, with the same ``client`` and ``n``, and is never
applied twice.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from muang.errors import BadFrame, MuangError, RulesError
from muang.wire.log import WireSeat

__all__ = [
    "COMMANDS",
    "MAX_FRAME_BYTES",
    "WIRE_VERSION",
    "AckFrame",
    "ClientFrame",
    "CommandFrame",
    "CountdownFrame",
    "ErrorFrame",
    "EventFrame",
    "HelloFrame",
    "NoticeFrame",
    "PingFrame",
    "PlayFrame",
    "PongFrame",
    "RaceClockView",
    "ResyncFrame",
    "SeatView",
    "ServerFrame",
    "StateFrame",
    "ToldEntry",
    "client_schema",
    "encode",
    "error_frame",
    "parse_client",
    "parse_server",
    "server_schema",
]

WIRE_VERSION: Literal[1] = 1
MAX_FRAME_BYTES = 4096
"""The longest client frame: a hello with four tokens needs less than 600."""

# pydantic's patterns are Rust's: `$` is the end of the text and nothing else
Word: TypeAlias = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
Number: TypeAlias = Annotated[int, Field(ge=0, le=2**53)]
Millis: TypeAlias = Annotated[float, Field(ge=0, le=2**53, allow_inf_nan=False)]

COMMANDS = (
    "start",
    "resign",
    "draw",
    "draw-accept",
    "takeback",
    "takeback-accept",
    "decline",
    "sit-in",
    "claim",
    "return",
)
"""``start``: ready for the race. ``sit-in``: the computer takes the absent seat ``about``; ``claim``: the absent seat ``about`` has left;
``return``: the sender takes its own seat back."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _Frame(_Part):
    v: Literal[1] = WIRE_VERSION


# ── client → server ──────────────────────────────────────────────────────────────────────────────────────────────────────────


class HelloFrame(_Frame):
    """The first frame: the ``tokens`` of the seats that this screen holds (none: a spectator) and the ``version`` last seen."""

    type: Literal["hello"] = "hello"
    tokens: Annotated[list[Word], Field(max_length=4)] = []
    version: Number | None = None
    client: Word | None = None


class PlayFrame(_Frame):
    """An action. ``version`` is the one that the player saw: in turns a stale one is refused, in races it does not matter.

    ``at``: the client's own monotonic clock in ms (races), e.g. ``performance.now()``.
    """

    type: Literal["play"] = "play"
    n: Number
    seat: WireSeat
    version: Number | None = None
    action: Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{1,24}$")]
    at: Millis | None = None


class CommandFrame(_Frame):
    """Something about the match itself, one of ``COMMANDS``. ``about`` is the other seat, for ``sit-in`` and ``claim``."""

    type: Literal["command"] = "command"
    n: Number
    seat: WireSeat
    name: Literal["start", "resign", "draw", "draw-accept", "takeback", "takeback-accept", "decline", "sit-in", "claim", "return"]
    about: WireSeat | None = None


class PingFrame(_Frame):
    """``t`` comes back in the pong; it is the client's own clock in ms."""

    type: Literal["ping"] = "ping"
    t: Millis = 0


class ResyncFrame(_Frame):
    """Asks for the whole state again (a gap in the versions)."""

    type: Literal["resync"] = "resync"


ClientFrame: TypeAlias = HelloFrame | PlayFrame | CommandFrame | PingFrame | ResyncFrame
_CLIENT: TypeAdapter[ClientFrame] = TypeAdapter(Annotated[ClientFrame, Field(discriminator="type")])


# ── server → client ──────────────────────────────────────────────────────────────────────────────────────────────────────────


class RaceClockView(_Part):
    """The clock of a live race: whether it runs and what it shows, in ms since the race began."""

    running: bool
    ms: int


class SeatView(_Part):
    """A seat as a screen sees it. ``player``: the computer player that sits there, if one does."""

    seat: WireSeat
    kind: Literal["person", "computer", "absent"]
    name: str
    player: str | None = None
    yours: bool = False


class ToldEntry(_Part):
    """The input behind an event. ``action`` is None while a simultaneous choice is hidden. ``by``: who made it."""

    kind: str
    seat: WireSeat | None = None
    action: str | None = None
    dice: tuple[int, int] | None = None
    at: int | None = None
    n: int | None = None
    by: Literal["player", "system", "computer"] = "player"


class StateFrame(_Frame):
    """Everything that a screen needs, at hello and after a gap. It replaces whatever the screen knew, whatever its version was.

    ``clock``: ms left for each seat that has to choose in time (MK-26, CN-42). ``offer``: an open offer, ``{"seat": "S", "about":
    "draw"}``. ``awaiting``: seats that have not said ``start`` yet. ``client``: the id under which this client's inputs are counted.
    ``exact``: seats whose computer player plays perfectly from here, out of a solved table.
    """

    type: Literal["state"] = "state"
    version: int
    match: dict[str, Any]
    seats: list[SeatView]
    layout: dict[str, Any]
    race_clock: RaceClockView | None = None
    countdown: int | None = None
    awaiting: list[WireSeat] = []
    offer: dict[str, Any] | None = None
    clock: dict[str, int] = {}
    exact: list[WireSeat] = []
    client: str = ""


class EventFrame(_Frame):
    """Something happened. ``entry`` is None where only time passed (drops of ``steady`` hands, a clock that starts).

    ``match`` is the view afterwards; ``late``: an input that belongs before things already told was put in its place, so ``match``
    corrects what was shown and ``events`` are not to be animated. ``pause``: ms for which the screen should let this be read (CN-41).
    """

    type: Literal["event"] = "event"
    version: int
    entry: ToldEntry | None = None
    events: list[tuple[Any, ...]] = []
    say: list[tuple[str, dict[str, Any]]] = []
    match: dict[str, Any]
    race_clock: RaceClockView | None = None
    seats: list[SeatView] | None = None
    awaiting: list[WireSeat] = []
    offer: dict[str, Any] | None = None
    clock: dict[str, int] = {}
    exact: list[WireSeat] = []
    late: bool = False
    pause: int = 0


class AckFrame(_Frame):
    """Input ``n`` is in the log (again, if it was sent again)."""

    type: Literal["ack"] = "ack"
    n: int
    version: int


class ErrorFrame(_Frame):
    """Input ``n`` (None: the frame itself) was refused and nothing changed."""

    type: Literal["error"] = "error"
    n: int | None = None
    code: str
    clause: str = ""
    message: str
    allowed: list[str] = []


class PongFrame(_Frame):
    """``t`` as it was sent, ``now``: the server's clock in ms."""

    type: Literal["pong"] = "pong"
    t: float
    now: int


class NoticeFrame(_Frame):
    """Something to tell people that is not part of the match."""

    type: Literal["notice"] = "notice"
    say: list[tuple[str, dict[str, Any]]]


class CountdownFrame(_Frame):
    """The race clock starts (or goes on) in ``ms``."""

    type: Literal["countdown"] = "countdown"
    ms: int


ServerFrame: TypeAlias = StateFrame | EventFrame | AckFrame | ErrorFrame | PongFrame | NoticeFrame | CountdownFrame
_SERVER: TypeAdapter[ServerFrame] = TypeAdapter(Annotated[ServerFrame, Field(discriminator="type")])


# ── reading and writing ──────────────────────────────────────────────────────────────────────────────────────────────────────


def parse_client(text: str) -> ClientFrame:
    """The frame that a client sent. ``BadFrame`` says what is wrong with it and what is allowed."""
    if len(text) > MAX_FRAME_BYTES or len(text.encode("utf-8", "replace")) > MAX_FRAME_BYTES:
        raise BadFrame(f"a frame has at most {MAX_FRAME_BYTES} bytes")
    try:
        return _CLIENT.validate_json(text)
    except ValidationError as error:
        raise BadFrame(_explain(error, text)) from None
    except (ValueError, RecursionError) as error:  # lone surrogates and the like
        raise BadFrame(f"this is not a JSON text: {str(error)[:80]}") from None


def parse_server(text: str) -> ServerFrame:
    """The frame that a server sent (for bots and tests). ``BadFrame`` if it is none."""
    try:
        # lax: JSON has no tuples, and a screen may be older than a server's numbers
        return _SERVER.validate_json(text, strict=False)
    except ValidationError as error:
        raise BadFrame(_explain(error, text)) from None


def encode(frame: ServerFrame | ClientFrame) -> str:
    """The frame as JSON text."""
    return frame.model_dump_json()


def error_frame(error: MuangError, n: int | None = None) -> ErrorFrame:
    """How an error is told to the client that caused it."""
    if isinstance(error, RulesError):
        return ErrorFrame(n=n, code=error.code, clause=error.clause, message=error.reason, allowed=list(error.allowed))
    return ErrorFrame(n=n, code=error.code, message=str(error))


def client_schema() -> dict[str, Any]:
    """JSON schema of everything that a client may send."""
    return _CLIENT.json_schema()


def server_schema() -> dict[str, Any]:
    """JSON schema of everything that the server sends."""
    return _SERVER.json_schema(mode="serialization")


def _explain(error: ValidationError, text: str) -> str:
    """One line about the first thing that is wrong; what was sent is never echoed at length."""
    first = error.errors(include_url=False, include_context=True)[0]
    place = ".".join(str(part) for part in first["loc"] if part not in ("hello", "play", "command", "ping", "resync"))
    kind = _frame_type(text)
    what = str(first["msg"])[:160]
    if first["type"] in ("union_tag_invalid", "union_tag_not_found"):
        return "a frame needs a type, one of hello, play, command, ping, resync"
    if first["type"] == "extra_forbidden":
        return f"a {kind} frame has no field {place[:40]!r}"
    return f"{kind} frame, field {place[:40]!r}: {what}" if place else f"this is not a frame: {what}"


def _frame_type(text: str) -> str:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return "broken"
    kind = value.get("type") if isinstance(value, dict) else None
    return kind[:20] if isinstance(kind, str) else "nameless"
