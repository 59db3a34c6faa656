"""Owns the frames that the server sends, version 1. What they say of a match comes from its room.

``table`` in a frame is everything about the people at the table; it comes whole or not at all, so a screen never has to put it together.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from muang.wire.log import WireSeat
from muang.wire.parts import Frame, Part

__all__ = [
    "AckFrame",
    "CountdownFrame",
    "ErrorFrame",
    "EventFrame",
    "NoticeFrame",
    "PhraseFrame",
    "PongFrame",
    "ProbeFrame",
    "RaceClockView",
    "RematchView",
    "SeatView",
    "ServerFrame",
    "StateFrame",
    "TableFrame",
    "TableView",
    "ToldEntry",
    "TurnClockView",
]


class RaceClockView(Part):
    """The clock of a live race: whether it runs and what it shows, in ms since the race began."""

    running: bool
    ms: int


class SeatView(Part):
    """A seat as a screen sees it. ``player``: the computer player that sits there, if one does."""

    seat: WireSeat
    kind: Literal["person", "computer", "absent", "open"]
    name: str
    player: str | None = None
    yours: bool = False


class ToldEntry(Part):
    """The input behind an event. ``action`` is None while a simultaneous choice is hidden. ``by``: who made it."""

    kind: str
    seat: WireSeat | None = None
    action: str | None = None
    dice: tuple[int, int] | None = None
    at: int | None = None
    n: int | None = None
    by: Literal["player", "system", "computer"] = "player"


class TurnClockView(Part):
    """The clocks of turns. ``left``: ms that each seat had (``per-turn``: for this turn; ``fischer``: for the match) when the clock of
    ``running`` began to go, at ``since`` on the server's clock; that may lie in the future, while the last walk is still watched."""

    kind: Literal["per-turn", "fischer"]
    left: dict[str, int]
    running: WireSeat | None = None
    since: int | None = None


class RematchView(Part):
    """Another match, sides swapped: the seats that want it, and the id of the match once it is made (each seat's token holds the next seat
    there, in the order of the seats)."""

    by: list[WireSeat] = []
    match: str | None = None


class TableView(Part):
    """The people at the table. ``stage``: ``meeting`` (seats are free, or not everybody has been here yet; nothing can be played),
    ``playing``, ``over``. ``now``: the server's clock (ms since 1970) when this was sent. ``here``: seats with a screen; ``watchers``:
    screens that hold no seat; ``pings``: seat → round trip in ms, as the server measured it. ``away``: seat → ms until a seat that the
    match waits for and that has no screen counts as absent. ``commitment``: SHA-256 of the secret that all lots come from; ``entropy``:
    seat → what its player mixed in; ``secret``: only when the match is over. ``public``: shown in the lobby."""

    stage: Literal["meeting", "playing", "over"] = "playing"
    now: int = 0
    here: list[WireSeat] = []
    watchers: int = 0
    pings: dict[str, int] = {}
    away: dict[str, int] = {}
    clocks: TurnClockView | None = None
    rematch: RematchView | None = None
    commitment: str | None = None
    entropy: dict[str, str] = {}
    secret: str | None = None
    public: bool = False


class StateFrame(Frame):
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
    table: TableView = TableView()
    client: str = ""


class EventFrame(Frame):
    """Something happened. ``entry`` is None where only time passed (drops of ``steady`` hands, a clock that starts).

    ``match`` is the view afterwards; ``late``: an input that belongs before things already told was put in its place, so ``match``
    corrects what was shown and ``events`` are not to be animated. ``table``: None where nothing has changed in it since it was told last.
    ``pause``: ms for which the screen should let this be read (CN-41)."""

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
    table: TableView | None = None
    late: bool = False
    pause: int = 0


class AckFrame(Frame):
    """Input ``n`` is in the log (again, if it was sent again)."""

    type: Literal["ack"] = "ack"
    n: int
    version: int


class ErrorFrame(Frame):
    """Input ``n`` (None: the frame itself) was refused and nothing changed."""

    type: Literal["error"] = "error"
    n: int | None = None
    code: str
    clause: str = ""
    message: str
    allowed: list[str] = []


class PongFrame(Frame):
    """``t`` as it was sent, ``now``: the server's clock in ms."""

    type: Literal["pong"] = "pong"
    t: float
    now: int


class NoticeFrame(Frame):
    """Something to tell people that is not part of the match."""

    type: Literal["notice"] = "notice"
    say: list[tuple[str, dict[str, Any]]]


class CountdownFrame(Frame):
    """The race clock starts (or goes on) in ``ms``: when the server's clock shows ``goes``, so that everybody sees it begin at once."""

    type: Literal["countdown"] = "countdown"
    ms: int
    goes: int = 0


class TableFrame(Frame):
    """The people at the table have changed, not the match: somebody came or went, another ping. It has no version."""

    type: Literal["table"] = "table"
    table: TableView


class PhraseFrame(Frame):
    """Somebody in ``seat`` says ``phrase``, one of ``PHRASES``."""

    type: Literal["phrase"] = "phrase"
    seat: WireSeat
    phrase: str


class ProbeFrame(Frame):
    """To be answered at once with an ``echo`` frame that carries the same ``s``: so the server measures round trip and clock."""

    type: Literal["probe"] = "probe"
    s: int


ServerFrame: TypeAlias = (
    StateFrame | EventFrame | AckFrame | ErrorFrame | PongFrame | NoticeFrame | CountdownFrame | TableFrame | PhraseFrame | ProbeFrame
)
SERVER_FRAMES: TypeAlias = Annotated[ServerFrame, Field(discriminator="type")]
