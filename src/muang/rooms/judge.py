"""Owns when the inputs of a live race count, and when a race may be taken to be over. Changes no state: it keeps what has to wait.

An input counts at the moment at which its player made it, as far as that can be known (``rooms.clock``). So one that arrives later may
belong before one that arrived earlier, also before the one that ended the race. Where people race from different screens, what would end a
race therefore waits until nothing that is earlier can arrive any more, and whatever comes after it waits behind it."""

from __future__ import annotations

from dataclasses import dataclass

from muang.errors import IllegalAction
from muang.games.core import Match, Seat
from muang.rooms.clock import RaceClock
from muang.rooms.people import Screen
from muang.wire import LogEntry, PlayFrame

__all__ = ["Held", "Judge", "ends_race"]


def ends_race(after: Match) -> bool:
    """Whether what has just been done ended the race that was on (another may have begun)."""
    return after.phase != "race" or any(event[:2] == ("-", "race") for event in after.events)


@dataclass(frozen=True, slots=True)
class Held:
    """An input that waits. ``screen``: to whom the answer goes, None for the system's and the computers'."""

    at: int
    entry: LogEntry
    screen: int | None


class Judge:
    """The inputs of one race that wait for earlier ones."""

    def __init__(self, max_lag: int) -> None:
        self.max_lag = max_lag
        self.held: list[Held] = []
        self.late: list[Held] = []
        """Inputs that waited when the race ended: they are still to be refused."""
        self._last: dict[Seat, int] = {}

    def clear(self) -> None:
        """Another race, or none."""
        self.late += self.held
        self.held.clear()
        self._last.clear()

    def counted(self, seat: Seat, at: int) -> None:
        """An input of a seat counts at ``at``: none of its later ones counts before it, from whichever screen it comes."""
        self._last[seat] = max(at, self._last.get(seat, 0))

    def hold(self, entry: LogEntry, screen: int | None) -> None:
        """Let an input wait in its place."""
        assert entry.at is not None
        self.held.append(Held(entry.at, entry, screen))
        self.held.sort(key=lambda one: one.at)

    def behind(self, at: int) -> bool:
        """Whether an input of ``at`` comes after one that waits."""
        return bool(self.held) and at >= self.held[0].at

    def certain(self, at: int) -> int:
        """The ms of the race from which nothing of ``at`` or earlier can arrive any more."""
        return at + self.max_lag + 1

    @property
    def due(self) -> int | None:
        """The ms of the race at which the first that waits may be taken."""
        return self.certain(self.held[0].at) if self.held else None

    def dated(self, screen: Screen, frame: PlayFrame, clock: RaceClock, now: int) -> tuple[int, int, int | None]:
        """``(at, lag, offset)`` of an input, on the race's clock. ``IllegalAction`` while the race stands still."""
        if not clock.running(now):
            raise IllegalAction("the race stands still", clause="MK-24")
        moment, offset = screen.clock.effective(now, frame.at, self.max_lag)
        at, arrival = clock.ms(moment), clock.ms(now)
        at = max(at, min(self._last.get(frame.seat, 0), arrival))
        shown = None
        if offset is not None and frame.at is not None:
            assert clock.since is not None
            shown = offset - clock.since + clock.base
            if moment < clock.since:  # nothing is dated before the signal
                shown = at - round(frame.at)
        return at, arrival - at, shown
