"""Owns the time of a live race: its clock, and when an input from a client counts. Reads no clock: ``now`` (ms) is always an argument."""

from __future__ import annotations

from typing import TypeVar

__all__ = ["ClientClock", "RaceClock", "bounded"]

KEEP_WAYS, KEEP_SENT = 32, 8

T = TypeVar("T")


def _keep(kept: list[T], one: T, most: int) -> None:
    """Add to the last ``most``. Lists, because each of thousands of idle screens would pay for the room that a deque takes."""
    kept.append(one)
    if len(kept) > most:
        del kept[0]


class RaceClock:
    """Whole milliseconds since a race began. It can be stopped and go on, also after a countdown (``since`` lies in the future)."""

    def __init__(self) -> None:
        self.base = 0
        self.since: int | None = None

    def ms(self, now: int) -> int:
        """What the clock shows."""
        return self.base if self.since is None else self.base + max(0, now - self.since)

    def running(self, now: int) -> bool:
        """Whether it runs: not stopped, and no countdown left."""
        return self.since is not None and now >= self.since

    def left(self, now: int) -> int | None:
        """Ms of the countdown that are left, or None."""
        return self.since - now if self.since is not None and now < self.since else None

    def moment(self, ms: int) -> int:
        """The ``now`` at which the clock shows ``ms``. ``ValueError`` while it is stopped."""
        if self.since is None:
            raise ValueError("the race clock is stopped")
        return self.since + ms - self.base

    def run(self, now: int, after: int = 0) -> None:
        """Go on in ``after`` ms."""
        self.base = self.ms(now)
        self.since = now + after

    def stop(self, now: int) -> None:
        """Stand still."""
        self.base = self.ms(now)
        self.since = None

    def reset(self, base: int = 0) -> None:
        """Stand still at ``base``."""
        self.base, self.since = base, None


def bounded(client_at: int, offset: int, arrival: int, max_lag: int) -> int:
    """When an input counts that arrived at ``arrival``: when its client says, on the clock of ``arrival``, but not after its arrival and at
    most ``max_lag`` ms before it."""
    return max(arrival - max_lag, min(arrival, client_at + offset))


class ClientClock:
    """Where a client's clock stands against the server's, and how far away the client is.

    The server sends probes; of the last echoes the one with the shortest round trip is believed, half of its way there and half back (as in
    NTP). While inputs come the estimate moves by at most ``SLEW`` ms in a second, so it never puts two inputs closer together than they
    were made. A client that was never probed is taken to be as near as its quickest input."""

    KEEP = 24
    SLEW = 4

    def __init__(self) -> None:
        self._ways: list[float] = []
        self._echoes: list[tuple[int, float]] = []
        self._sent: list[int] = []
        self._offset: float | None = None
        self._moved = 0

    @property
    def trip(self) -> int | None:
        """The round trip in ms: the middle one of the last echoes; None before the first."""
        if not self._echoes:
            return None
        trips = sorted(trip for trip, _ in self._echoes)
        return trips[len(trips) // 2]

    def probed(self, now: int) -> None:
        """A probe was sent."""
        _keep(self._sent, now, KEEP_SENT)

    def echoed(self, sent: int, now: int, client_at: float) -> bool:
        """A probe was answered. False for one that was never sent, or has been answered."""
        if sent not in self._sent:
            return False
        self._sent.remove(sent)
        _keep(self._echoes, (now - sent, (sent + now) / 2 - client_at), self.KEEP)
        return True

    def _target(self) -> float | None:
        if self._echoes:
            return min(self._echoes)[1]
        return min(self._ways) if self._ways else None

    def offset(self, now: int, client_at: float) -> int:
        """What to add to the client's time of an input that arrives at ``now`` to have it on the server's clock."""
        _keep(self._ways, now - client_at, KEEP_WAYS)
        target = self._target()
        assert target is not None
        if self._offset is None or not self._echoes:
            self._offset = target
        else:
            most = max(0.0, (now - self._moved) * self.SLEW / 1000)
            self._offset += max(-most, min(most, target - self._offset))
        self._moved = now
        return round(self._offset)

    def settle(self) -> None:
        """A race begins: what has been learnt up to now is believed at once."""
        self._offset = None

    def effective(self, now: int, client_at: float | None, max_lag: int) -> tuple[int, int | None]:
        """The ``now`` at which an input that arrives at ``now`` counts, and the offset by which (None if it carries no time)."""
        if client_at is None:
            return now, None
        offset = self.offset(now, client_at)
        return bounded(round(client_at), offset, now, max_lag), offset
