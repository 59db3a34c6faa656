"""Owns what goes into a room and what comes out of it: plain data. Decides nothing.

What there are thousands of in a second are named tuples: a frozen dataclass costs several times as much to make.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from muang.games.core import Seat
from muang.wire import CommandFrame, EchoFrame, LogEntry, PlayFrame, SayFrame, ServerFrame, Setup

__all__ = [
    "Answered",
    "Command",
    "Computed",
    "Join",
    "Order",
    "Outcome",
    "Outgoing",
    "Part",
    "Play",
    "Rematched",
    "Resync",
    "Say",
    "Sit",
    "Timing",
    "Visit",
    "Wanted",
]


@dataclass(frozen=True, slots=True)
class Join:
    """A screen has come. ``screen`` is the number of its connection, ``client`` the id under which its inputs are counted."""

    screen: int
    client: str
    tokens: tuple[str, ...] = ()
    entropy: str | None = None


@dataclass(frozen=True, slots=True)
class Sit:
    """Somebody wants a free seat (None: the first one). ``token`` is its hash. Answered to ``screen`` by ``AckFrame(n=0)`` or an error."""

    screen: int
    seat: Seat | None
    name: str
    token: str
    entropy: str | None = None


@dataclass(frozen=True, slots=True)
class Visit:
    """An input from somebody without a screen (a bot over HTTP): as from a screen with these tokens; the answer goes to ``screen``."""

    screen: int
    client: str
    tokens: tuple[str, ...]
    frame: PlayFrame | CommandFrame | SayFrame


@dataclass(frozen=True, slots=True)
class Say:
    """Somebody says one of the phrases."""

    screen: int
    frame: SayFrame


@dataclass(frozen=True, slots=True)
class Answered:
    """A screen has answered a probe."""

    screen: int
    frame: EchoFrame


@dataclass(frozen=True, slots=True)
class Rematched:
    """The rematch that was wanted has been made: its id."""

    match: str


@dataclass(frozen=True, slots=True)
class Part:
    """A screen has gone."""

    screen: int


@dataclass(frozen=True, slots=True)
class Resync:
    """A screen asks for the whole state."""

    screen: int


class Play(NamedTuple):
    """An action from a screen."""

    screen: int
    frame: PlayFrame


@dataclass(frozen=True, slots=True)
class Order:
    """Something about the match itself from a screen: ready, resign, offers."""

    screen: int
    frame: CommandFrame


@dataclass(frozen=True, slots=True)
class Computed:
    """What a computer player has chosen for the choice ``ticket``; dropped without a word if that choice has passed."""

    seat: Seat
    ticket: int
    action: str


Command: TypeAlias = Join | Part | Resync | Play | Order | Computed | Sit | Visit | Say | Answered | Rematched


class Outgoing(NamedTuple):
    """A frame for one screen, or for all of them (``to`` None)."""

    frame: ServerFrame
    to: int | None = None


class Outcome(NamedTuple):
    """What came of a command or of time passing: ``entries`` go into the log first, then ``frames`` go out.

    ``rematch``: a match that is wanted now, all but its ``id``, ``seed`` and ``secret``; ``Rematched`` tells the room when it is made.
    """

    entries: tuple[LogEntry, ...] = ()
    frames: tuple[Outgoing, ...] = ()
    rematch: Setup | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """A choice that a computer player has to make. ``due``: the earliest moment to hand it in, on the clock of ``now_ms``.

    ``early``: it may be computed before ``due``; in a live race the board goes on changing, so there it is computed then. ``n`` picks
    the lot.
    """

    seat: Seat
    player: str
    ticket: int
    n: int
    due: int
    early: bool


@dataclass(frozen=True, slots=True)
class Timing:
    """Lengths in ms that are no rule of any game.

    ``countdown`` before a race begins or goes on; ``roll`` before the system rolls; ``no_move``: how long a roll without a move is
    shown (CN-41); ``drop``: a drop that a hand owes at ``by_hand`` (MK-26); ``max_lag``: how far back an input may be dated (taken into the
    setup of matches made by this server); ``away``: how long the match waits for somebody who has no screen before the seat is absent;
    ``probe``: between two probes of a screen in and before a race, ``rare_probe`` otherwise (0: never).
    """

    countdown: int = 3000
    roll: int = 400
    no_move: int = 1600
    drop: int = 3000
    max_lag: int = 250
    away: int = 30_000
    probe: int = 1000
    rare_probe: int = 20_000


@dataclass(slots=True)
class Outbox:
    """Collects an ``Outcome``."""

    entries: list[LogEntry] = field(default_factory=list)
    frames: list[Outgoing] = field(default_factory=list)
    rematch: Setup | None = None

    def take(self) -> Outcome:
        """What has been collected; the box is empty afterwards."""
        outcome = Outcome(tuple(self.entries), tuple(self.frames), self.rematch)
        self.entries, self.frames, self.rematch = [], [], None
        return outcome
