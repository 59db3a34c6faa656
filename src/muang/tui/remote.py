"""Owns the line to a match on a server: its link, a seat in it, one WebSocket that comes back by itself. Knows the protocol, draws nothing.

As ``docs/protocol.md`` asks: inputs are numbered and sent again until they are answered, probes are echoed at once, a gap asks for the
whole state, and whoever is lost waits a little longer each time.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from pydantic import BaseModel
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI

from muang.errors import BadFrame, MuangError
from muang.games.core import GAMES, Match, Seat
from muang.records import Record, read
from muang.tui.driver import Advice, Listener
from muang.tui.session import Said, clock
from muang.wire import CommandFrame, EchoFrame, HelloFrame, PingFrame, PlayFrame, ResyncFrame, SayFrame, encode, parse_server
from muang.wire.told import AckFrame, CountdownFrame, ErrorFrame, EventFrame, PongFrame, ProbeFrame, StateFrame, TableFrame

__all__ = ["BadLink", "Link", "Remote", "Unreachable", "look", "sit"]

RETRY = (0.3, 0.7, 1.5, 3.0, 4.0)
QUIET, DEAD = 3.0, 9.0
"""Seconds without a word after which the line is asked, and after which it is taken for lost."""
FINAL = {4400, 4403, 4404, 4410}
"""Why a connection ends for good; see the protocol."""
MOST_BYTES = 1 << 22


class BadLink(MuangError):
    """A link that does not lead to a match."""

    code = "bad-link"


class Unreachable(MuangError):
    """A server that does not answer, or does not answer as one of ours."""

    code = "unreachable"


@dataclass(frozen=True, slots=True)
class Link:
    """Where a match is: ``base`` without a slash at its end (``http://127.0.0.1:8642``), and its id."""

    base: str
    id: str

    @classmethod
    def read(cls, text: str) -> Link:
        """The link that somebody was given. ``BadLink`` says how one looks."""
        text = text.strip()
        example = "a link looks like http://127.0.0.1:8642/play/MATCH"
        try:
            parts = urlsplit(text)
            ours = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
        except ValueError:
            raise BadLink(f"{text[:80]!r} is no link: {example}") from None
        path, slash, match_id = parts.path.rstrip("/").rpartition("/play/")
        good = 0 < len(match_id) <= 64 and match_id.isascii() and match_id.replace("-", "").replace("_", "").isalnum()
        named = all(letter.isalnum() or letter in ".-:[]" for letter in parts.netloc)
        if not (ours and slash and good and named):
            raise BadLink(f"{text[:80]!r} is no link to a match: {example}")
        return cls(f"{parts.scheme}://{parts.netloc}{path}", match_id)

    def api(self, what: str = "") -> str:
        """The address of the match for programs."""
        return f"{self.base}/api/matches/{self.id}{what}"

    @property
    def socket(self) -> str:
        """Where it is played."""
        return f"ws{self.base.removeprefix('http')}/ws/{self.id}"


def _ask(url: str, body: dict[str, Any] | None = None) -> str:
    """One request. ``Unreachable``, or ``MuangError`` with what the server said."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json"})
    where = urlsplit(url).netloc
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return str(answer.read(MOST_BYTES).decode())
    except urllib.error.HTTPError as error:
        with error:
            text = error.read(10_000).decode(errors="replace")
        try:
            said = json.loads(text)
            refused = MuangError(str(said["message"]))
            refused.code = str(said["code"])
            raise refused
        except (ValueError, KeyError, TypeError):
            raise Unreachable(f"at {where} there is no Muang server (HTTP {error.code})") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        reason = getattr(reason, "strerror", None) or reason
        raise Unreachable(f"the server at {where} cannot be reached: {reason}") from None


async def _asked(url: str, body: dict[str, Any] | None = None) -> Any:
    text = await asyncio.to_thread(_ask, url, body)
    try:
        return json.loads(text)
    except ValueError:
        raise Unreachable(f"at {urlsplit(url).netloc} there is no Muang server") from None


@contextmanager
def _readable(link: Link) -> Iterator[None]:
    """What is read in here has the shape that our servers give it, or it is ``Unreachable``."""
    try:
        yield
    except (KeyError, TypeError, ValueError):
        raise Unreachable(f"at {urlsplit(link.base).netloc} there is no Muang server that this program knows") from None


async def look(link: Link) -> list[Seat]:
    """The free seats of the match. ``MuangError`` if there is no such match, or no such server."""
    found = await _asked(link.api())
    with _readable(link):
        return [seat["seat"] for seat in found["seats"] if seat["kind"] == "open"]


async def sit(link: Link, seat: Seat | None, name: str) -> str:
    """Take a free seat; gives its token. ``MuangError`` if somebody was quicker."""
    body = {"name": name, "entropy": secrets.token_urlsafe(8)} | ({} if seat is None else {"seat": seat})
    seated = await _asked(link.api("/sit"), body)
    with _readable(link):
        return str(seated["token"])


class Remote:
    """A driver for a match on a server. ``tokens``: of the seats that this screen holds; none: it watches."""

    local = False

    def __init__(self, link: Link, tokens: tuple[str, ...] = ()) -> None:
        self.link, self.tokens = link, tokens
        self.listener: Listener
        self.client = secrets.token_urlsafe(12)
        self.n = 0
        self.version: int | None = None
        self.asked = self.ready = self.closed = False
        self.pending: dict[int, PlayFrame | CommandFrame] = {}
        """Inputs without an answer, by their number."""
        self.outbox: asyncio.Queue[str] = asyncio.Queue()
        self.offset: float | None = None
        """The server's clock minus the terminal's own, in ms, from the quickest answer to a ping."""
        self.trip = float("inf")
        self.task: asyncio.Task[None] | None = None
        self.socket_now: ClientConnection | None = None

    async def start(self, listener: Listener) -> None:
        """Connect, and stay so."""
        self.listener = listener
        self.task = asyncio.create_task(self._run(), name="line")

    # ── what the player wants ────────────────────────────────────────────────────────────────────────────────────────────────

    def hasten(self, times: float) -> None:
        """Nothing: others play at the same table, and its server has the time."""

    def play(self, seat: Seat, action: str, version: int, at: float | None) -> None:
        """An action."""
        self.n += 1
        self._input(PlayFrame(n=self.n, seat=seat, version=version, action=action, at=at))

    def command(self, seat: Seat, name: str, about: Seat | None = None, player: str | None = None) -> None:
        """Something about the match itself."""
        self.n += 1
        self._input(CommandFrame(n=self.n, seat=seat, name=name, about=about, player=player))

    def say(self, seat: Seat, phrase: str) -> None:
        """A phrase; lost with the line."""
        self._send(SayFrame.model_validate({"seat": seat, "phrase": phrase}))

    def waits(self, seat: Seat) -> bool:
        """Whether inputs of the seat are on their way."""
        return any(frame.seat == seat for frame in self.pending.values())

    async def advice(self) -> Advice:
        """The server's hint. ``MuangError`` says why there is none."""
        told = await _asked(self.link.api("/hint"), {"tokens": list(self.tokens)})
        with _readable(self.link):
            return Advice(told["seat"], tuple(told["actions"]), told["share"], [(msgid, args) for msgid, args in told["say"]])

    async def match(self) -> Match:
        """The match, played again from its record."""
        record = await self.record()
        return await asyncio.to_thread(record.match)

    async def told(self) -> tuple[int, list[Said]]:
        """What the server tells who comes late."""
        found = await _asked(self.link.api("/told"))
        with _readable(self.link):
            return found["version"], [[(msgid, args) for msgid, args in line["say"]] for line in found["told"]]

    async def record(self) -> Record:
        """The record as the server tells it; of a match that goes on without what is still secret."""
        return read(await asyncio.to_thread(_ask, self.link.api("/record")))

    def again(self, match_id: str) -> Remote:
        """The next match: the token of each seat holds the seat after it."""
        return Remote(Link(self.link.base, match_id), self.tokens)

    async def close(self) -> None:
        """Hang up."""
        self.closed = True
        if self.task is not None:
            self.task.cancel()
            with suppress(asyncio.CancelledError):
                await self.task

    # ── the line ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _input(self, frame: PlayFrame | CommandFrame) -> None:
        self.pending[frame.n] = frame
        if self.ready:
            self._send(frame)

    def _send(self, frame: BaseModel) -> None:
        self.outbox.put_nowait(frame.model_dump_json())

    async def _run(self) -> None:
        tries = 0
        while not self.closed:
            why = ""
            try:
                async with connect(self.link.socket, open_timeout=8, ping_interval=None, close_timeout=1, max_size=MOST_BYTES) as socket:
                    await self._talk(socket)
                why = "the line is silent"
            except InvalidStatus as error:
                if error.response.status_code not in (429, 502, 503, 504):
                    self._end(f"HTTP {error.response.status_code}")
                    return
            except ConnectionClosed as error:
                why = error.rcvd.reason if error.rcvd else ""
                if error.rcvd and error.rcvd.code in FINAL:
                    self._end("deleted" if error.rcvd.code == 4410 else why)
                    return
            except (OSError, TimeoutError, InvalidHandshake, EOFError) as error:
                why = str(error)
            except InvalidURI as error:
                self._end(str(error))
                return
            if self.ready:
                tries = 0
            self.ready = False
            self.listener.linked("lost", why)
            await asyncio.sleep(RETRY[min(tries, len(RETRY) - 1)])
            tries += 1

    def _end(self, why: str) -> None:
        self.closed, self.ready = True, False
        self.listener.linked("closed", why)

    async def _talk(self, socket: ClientConnection) -> None:
        """One connection, till it ends or is silent for too long."""
        self.socket_now = socket
        self.outbox = asyncio.Queue()
        self.trip = float("inf")
        entropy = secrets.token_urlsafe(8)
        hello = HelloFrame(tokens=list(self.tokens), version=self.version, client=self.client, entropy=entropy)
        await socket.send(encode(hello))
        sender = asyncio.create_task(self._sender(socket))
        silent = 0.0
        try:
            while silent < DEAD:
                try:
                    async with asyncio.timeout(QUIET):
                        text = await socket.recv()
                except TimeoutError:
                    silent += QUIET
                    self._send(PingFrame(t=clock()))
                    continue
                silent = 0.0
                if isinstance(text, str):
                    self._hear(text)
        finally:
            sender.cancel()

    async def _sender(self, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            while True:
                await socket.send(await self.outbox.get())

    def _hear(self, text: str) -> None:
        try:
            frame = parse_server(text)
        except BadFrame:
            return  # of a newer server: what it says besides is not for us
        match frame:
            case ProbeFrame():
                self._send(EchoFrame(s=frame.s, t=clock()))
            case StateFrame() if frame.match.get("game") not in GAMES:
                self._end(f"this program does not know the game {str(frame.match.get('game'))[:40]!r}")
            case StateFrame():
                self.version, self.asked, self.client = frame.version, False, frame.client or self.client
                self._glimpse(frame.table.now)
                self._open()
                self.listener.told(frame)
            case EventFrame():
                self._event(frame)
            case AckFrame():
                self.pending.pop(frame.n, None)
            case ErrorFrame():
                if frame.n is not None and self.pending.pop(frame.n, None) is None:
                    return
                if frame.code == "stale-version":
                    self._resync()
                self.listener.told(frame)
            case PongFrame():
                self._clock(frame)
            case CountdownFrame():
                left = frame.goes - (clock() + self.offset) if frame.goes and self.offset is not None else frame.ms
                self.listener.told(CountdownFrame(ms=max(0, round(left)), goes=frame.goes))
            case TableFrame():
                self._glimpse(frame.table.now)
                self._open()  # the server answers a hello after which nothing has happened with this alone
                self.listener.told(frame)
            case _:
                self.listener.told(frame)

    def _event(self, frame: EventFrame) -> None:
        if self.version is not None and frame.version <= self.version:
            return
        if self.version is None or frame.version > self.version + 1:
            self._resync()
            return
        self.version = frame.version
        self._open()
        self.listener.told(frame)

    def _resync(self) -> None:
        if not self.asked:
            self._send(ResyncFrame())
        self.asked = True

    def _open(self) -> None:
        """In step with the server again: what was not answered is sent once more."""
        if self.ready or self.version is None:
            return
        self.ready = True
        self.listener.linked("open", "")
        for frame in self.pending.values():
            self._send(frame)
        self._send(PingFrame(t=clock()))

    def _glimpse(self, now: int) -> None:
        """The server's clock, before there is a better measure."""
        if now and self.offset is None:
            self.offset = now - clock()

    def _clock(self, frame: PongFrame) -> None:
        trip = clock() - frame.t
        if frame.now and trip <= self.trip:
            self.trip, self.offset = trip, frame.now - (frame.t + trip / 2)
