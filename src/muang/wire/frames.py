"""Owns the frames that a browser or bot may send, version 1 of the live protocol, and how the frames of both directions are checked.

A frame is one JSON object in one text message. Client frames are strict: unknown fields, wrong types and oversized values are
``BadFrame`` with a message that says which field and what is allowed. What a frame does to a match is the room's matter.

A client keeps a ``client`` id of its own (any random word; the server makes one where it is left out) and numbers its inputs ``n`` =
1, 2, 3 …; an input that was not acknowledged is sent again, after a reconnection too, with the same ``client`` and ``n``, and is never
applied twice.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, TypeAlias

import orjson
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from muang.errors import BadFrame, MuangError, RulesError
from muang.wire.log import WireSeat
from muang.wire.parts import Frame, Millis, Number, Word
from muang.wire.phrases import PHRASES
from muang.wire.told import SERVER_FRAMES, ErrorFrame, ServerFrame

__all__ = [
    "COMMANDS",
    "MAX_FRAME_BYTES",
    "ClientFrame",
    "CommandFrame",
    "EchoFrame",
    "HelloFrame",
    "PingFrame",
    "PlayFrame",
    "ResyncFrame",
    "SayFrame",
    "client_schema",
    "encode",
    "error_frame",
    "parse_client",
    "parse_server",
    "server_schema",
]

MAX_FRAME_BYTES = 4096
"""The longest client frame: a hello with four tokens needs less than 600."""

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
    "fill",
    "rematch",
)
"""``start``: ready for the race. ``sit-in``: the computer takes the absent seat ``about``; ``claim``: the absent seat ``about`` has left;
``return``: the sender takes its own seat back; ``fill``: the computer ``player`` takes the free seat ``about``; ``rematch``: the sender
wants the same match again with the next seat for everybody (made when all people in it want it)."""


Name: TypeAlias = Literal[COMMANDS]  # type: ignore[valid-type]
"""The name of a command."""


# ── client → server ──────────────────────────────────────────────────────────────────────────────────────────────────────────


class HelloFrame(Frame):
    """The first frame: the ``tokens`` of the seats that this screen holds (none: a spectator) and the ``version`` last seen.

    ``entropy``: any random word, mixed into the lots of the match if it has not begun yet (CN-50); choose it after the commitment is shown.
    """

    type: Literal["hello"] = "hello"
    tokens: Annotated[list[Word], Field(max_length=4)] = []
    version: Number | None = None
    client: Word | None = None
    entropy: Word | None = None


class PlayFrame(Frame):
    """An action. ``version`` is the one that the player saw: in turns a stale one is refused, in races it does not matter.

    ``at``: the client's own monotonic clock in ms (races), e.g. ``performance.now()``.
    """

    type: Literal["play"] = "play"
    n: Number
    seat: WireSeat
    version: Number | None = None
    action: Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{1,24}$")]
    at: Millis | None = None


class CommandFrame(Frame):
    """Something about the match itself, one of ``COMMANDS``. ``about`` is the other seat, for ``sit-in``, ``claim`` and ``fill``."""

    type: Literal["command"] = "command"
    n: Number
    seat: WireSeat
    name: Name
    about: WireSeat | None = None
    player: Word | None = None


class PingFrame(Frame):
    """``t`` comes back in the pong; it is the client's own clock in ms."""

    type: Literal["ping"] = "ping"
    t: Millis = 0


class ResyncFrame(Frame):
    """Asks for the whole state again (a gap in the versions)."""

    type: Literal["resync"] = "resync"


class SayFrame(Frame):
    """Say one of the phrases that there are (``PHRASES``); there is no other chat."""

    type: Literal["say"] = "say"
    seat: WireSeat
    phrase: Literal[tuple(PHRASES)]  # type: ignore[valid-type]


class EchoFrame(Frame):
    """The answer to a ``probe``: ``s`` as it came, ``t`` the client's own monotonic clock in ms."""

    type: Literal["echo"] = "echo"
    s: Number
    t: Millis


ClientFrame: TypeAlias = HelloFrame | PlayFrame | CommandFrame | PingFrame | ResyncFrame | SayFrame | EchoFrame
_CLIENT: TypeAdapter[ClientFrame] = TypeAdapter(Annotated[ClientFrame, Field(discriminator="type")])
_SERVER: TypeAdapter[ServerFrame] = TypeAdapter(SERVER_FRAMES)
CLIENT_TYPES = ("hello", "play", "command", "ping", "resync", "say", "echo")


# ── reading and writing ──────────────────────────────────────────────────────────────────────────────────────────────────────


def parse_client(text: str) -> ClientFrame:
    """The frame that a client sent. ``BadFrame`` says what is wrong with it and what is allowed."""
    if len(text) > MAX_FRAME_BYTES or (not text.isascii() and len(text.encode("utf-8", "replace")) > MAX_FRAME_BYTES):
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
    return orjson.dumps(frame, _fields).decode()


def _fields(part: BaseModel) -> dict[str, Any]:
    """What a frame, or a part of one, consists of."""
    return part.__dict__


def error_frame(error: MuangError, n: int | None = None) -> ErrorFrame:
    """How an error is told to the client that caused it."""
    if isinstance(error, RulesError):
        return ErrorFrame(n=n, code=error.code, clause=error.clause, message=error.reason, allowed=list(error.allowed))
    return ErrorFrame(n=n, code=error.code, message=error.told)


def client_schema() -> dict[str, Any]:
    """JSON schema of everything that a client may send."""
    return _CLIENT.json_schema()


def server_schema() -> dict[str, Any]:
    """JSON schema of everything that the server sends."""
    return _SERVER.json_schema(mode="serialization")


def _explain(error: ValidationError, text: str) -> str:
    """One line about the first thing that is wrong; what was sent is never echoed at length."""
    first = error.errors(include_url=False, include_context=True)[0]
    place = ".".join(str(part) for part in first["loc"] if part not in CLIENT_TYPES)
    kind = _frame_type(text)
    what = str(first["msg"])[:160]
    if first["type"] in ("union_tag_invalid", "union_tag_not_found"):
        return f"a frame needs a type, one of {', '.join(CLIENT_TYPES)}"
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
