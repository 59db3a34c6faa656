"""Owns the time of a live race: its clock, and when an input from a client counts. Reads no clock: ``now`` (ms) is always an argument."""

from __future__ import annotations

from collections import deque

__all__ = ["ClientClock", "RaceClock"]


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


class ClientClock:
    """Puts a client's own times on the server's clock.

    The smallest of the last differences (arrival − client time) is taken as the way between the two clocks: what arrives with more delay
    than the quickest of its neighbours was held up on its way, and is dated back by that, at most by ``max_lag``. An input is never
    dated before an earlier one of the same client.
    """

    KEEP = 32

    def __init__(self) -> None:
        self._ways: deque[float] = deque(maxlen=self.KEEP)
        self._last: int | None = None

    def effective(self, now: int, client_at: float | None, max_lag: int) -> int:
        """The ``now`` at which an input that arrives at ``now`` counts."""
        moment = now
        if client_at is not None:
            self._ways.append(now - client_at)
            moment = max(now - max_lag, min(now, round(client_at + min(self._ways))))
        if self._last is not None:
            moment = max(moment, min(self._last, now))
        self._last = moment
        return moment
