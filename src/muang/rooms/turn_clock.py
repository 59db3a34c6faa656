"""Owns the clock of turns while it goes (MK-56): whose it is and since when. What each seat has left is the log's (``State.left``).

Reads no clock: ``now`` (ms) is always an argument.
"""

from __future__ import annotations

from muang.games.core import Match, Seat
from muang.wire import ClockSetup

__all__ = ["TurnClock", "chooser", "drops_in", "left_after"]


def chooser(match: Match) -> Seat | None:
    """The seat whose turn it is to choose, or None: in races, before rolls and after the end no clock of turns goes."""
    return match.to_act[0] if match.phase in ("turn", "move") and len(match.to_act) == 1 else None


def drops_in(match: Match) -> int:
    """How many seeds there were to watch in what happened last."""
    return sum(1 for event in match.events if event[1] == "drop")


def left_after(setup: ClockSetup, left: int, spent: int, passed: bool) -> int:
    """Ms that a seat has after it has spent ``spent``; ``passed``: its turn is over."""
    if setup.kind == "per-turn":
        return setup.seconds * 1000 if passed else max(0, left - spent)
    return max(0, left - spent) + (setup.increment * 1000 if passed else 0)


class TurnClock:
    """The clock of the seat on turn. It can be stopped (nobody is there) and go on."""

    def __init__(self, setup: ClockSetup) -> None:
        self.setup = setup
        self.seat: Seat | None = None
        self.since: int | None = None
        self._before = 0

    def give(self, seat: Seat | None, now: int, drops: int) -> None:
        """It is the clock of ``seat`` from now on, after the walk of so many drops has been watched."""
        held = min(self.setup.most_back, self.setup.per_drop * drops)
        self.seat, self._before = seat, 0
        self.since = None if seat is None else now + held

    def stop(self, now: int) -> None:
        """Stand still."""
        if self.since is not None:
            self._before += max(0, now - self.since)
            self.since = None

    def go(self, now: int) -> None:
        """Go on."""
        if self.seat is not None and self.since is None:
            self.since = now

    def spent(self, now: int) -> int:
        """Ms that the seat has spent since the clock is its own."""
        return self._before + (max(0, now - self.since) if self.since is not None else 0)

    def started(self) -> int | None:
        """The moment from which the seat's whole time would count, or None while it stands."""
        return None if self.since is None else self.since - self._before
