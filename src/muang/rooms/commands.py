"""Owns what goes into a room and what comes out of it: plain data. Decides nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from muang.games.core import Seat
from muang.wire import CommandFrame, LogEntry, PlayFrame, ServerFrame

__all__ = ["Command", "Computed", "Join", "Order", "Outcome", "Outgoing", "Part", "Play", "Resync", "Timing", "Wanted"]


@dataclass(frozen=True, slots=True)
class Join:
    """A screen has come. ``screen`` is the number of its connection, ``client`` the id under which its inputs are counted."""

    screen: int
    client: str
    tokens: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A screen has gone."""

    screen: int


@dataclass(frozen=True, slots=True)
class Resync:
    """A screen asks for the whole state."""

    screen: int


@dataclass(frozen=True, slots=True)
class Play:
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


Command: TypeAlias = Join | Part | Resync | Play | Order | Computed


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A frame for one screen, or for all of them (``to`` None)."""

    frame: ServerFrame
    to: int | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a command or of time passing: ``entries`` go into the log first, then ``frames`` go out."""

    entries: tuple[LogEntry, ...] = ()
    frames: tuple[Outgoing, ...] = ()


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
    shown (CN-41); ``drop``: a drop that a hand owes at ``by_hand`` (MK-26); ``max_lag``: how far back an input may be dated.
    """

    countdown: int = 3000
    roll: int = 400
    no_move: int = 1600
    drop: int = 3000
    max_lag: int = 250


@dataclass(slots=True)
class Outbox:
    """Collects an ``Outcome``."""

    entries: list[LogEntry] = field(default_factory=list)
    frames: list[Outgoing] = field(default_factory=list)

    def take(self) -> Outcome:
        """What has been collected; the box is empty afterwards."""
        outcome = Outcome(tuple(self.entries), tuple(self.frames))
        self.entries, self.frames = [], []
        return outcome
