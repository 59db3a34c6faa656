"""Owns who is there: the screens of a match, the seats that they hold, how far away they are, who has gone since when. Decides nothing.

Reads no clock: ``now`` (ms) is always an argument.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from muang.games.core import Seat
from muang.rooms.clock import ClientClock
from muang.rooms.state import State
from muang.wire import hash_token

__all__ = ["People", "Screen"]

MOST_CLOCKS = 64


@dataclass(slots=True)
class Screen:
    """A connection. ``seats``: those that its tokens hold; ``probe_at``: when it is probed next."""

    number: int
    client: str
    seats: tuple[Seat, ...]
    clock: ClientClock = field(default_factory=ClientClock)
    probe_at: int | None = None


class _Known(NamedTuple):
    """What follows from who is there and who sits where (``key``)."""

    key: tuple[int, int]
    here: list[Seat]
    missing: list[Seat]
    apart: bool
    watchers: int
    awake: bool


class People:
    """Everybody at a table."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.screens: dict[int, Screen] = {}
        self.gone: dict[Seat, int] = {}
        """Seat → since when it has no screen."""
        self._clocks: dict[str, ClientClock] = {}
        self._owners: dict[str, tuple[Seat, ...]] = {}
        self.moves = 0
        """Counts who has come and gone."""
        self._known: _Known | None = None

    def seats_of(self, tokens: Iterable[str]) -> tuple[Seat, ...]:
        """The seats that the tokens hold."""
        hashes = {hash_token(token) for token in tokens}
        return tuple(seat for seat, chair in self.state.chairs.items() if chair.token is not None and chair.token in hashes)

    def visitor(self, number: int, client: str, tokens: Iterable[str]) -> Screen:
        """A screen that is not at the table. A client that comes back has its clock as it was.

        Two programs that call themselves by one word are still two: inputs are counted by client, so the later one gets a name of its own.
        """
        seats = self.seats_of(tokens)
        owner = self._owners.get(client) or self.state.clients.get(client)
        if seats and owner and not set(seats) & set(owner):
            client = f"{client[:56]}.{seats[0]}"
        if seats:
            self._owners[client] = seats
        clock = self._clocks.get(client)
        if clock is None:
            clock = self._clocks[client] = ClientClock()
            while len(self._clocks) > MOST_CLOCKS:
                oldest = next(iter(self._clocks))
                del self._clocks[oldest]
                self._owners.pop(oldest, None)
        return Screen(number, client, seats, clock)

    def join(self, screen: Screen, now: int) -> None:
        """A screen comes to the table."""
        self.screens[screen.number] = screen
        self.moves += 1
        for seat in screen.seats:
            self.gone.pop(seat, None)
        for seat in self.missing():
            self.gone.setdefault(seat, now)

    def part(self, number: int, now: int) -> bool:
        """A screen goes. False if it was not there."""
        screen = self.screens.pop(number, None)
        if screen is None:
            return False
        self.moves += 1
        for seat in screen.seats:
            if not self.holders(seat):
                self.gone[seat] = now
        return True

    def holders(self, seat: Seat) -> list[Screen]:
        """The screens that hold a seat."""
        return [screen for screen in self.screens.values() if seat in screen.seats]

    def persons(self) -> Iterator[Seat]:
        """The seats in which people sit and are not absent."""
        return (seat for seat, chair in self.state.chairs.items() if chair.kind == "person")

    def _now(self) -> _Known:
        """Who is here, who is missing, whether people are apart, how many watch: worked out when somebody has come, gone or sat down."""
        key = (self.moves, self.state.seated)
        if self._known is None or self._known.key != key:
            held = {seat for screen in self.screens.values() for seat in screen.seats}
            persons = list(self.persons())
            apart = len(persons) > 1 and not any(set(persons) <= set(screen.seats) for screen in self.screens.values())
            played = any(chair.token is not None for chair in self.state.chairs.values())
            self._known = _Known(
                key,
                [seat for seat in self.state.chairs if seat in held],
                [seat for seat in persons if seat not in held],
                apart,
                sum(1 for screen in self.screens.values() if not screen.seats),
                bool(held) if played else bool(self.screens),
            )
        return self._known

    def here(self) -> list[Seat]:
        """The seats with a screen."""
        return self._now().here

    def missing(self) -> list[Seat]:
        """The people's seats without a screen."""
        return self._now().missing

    def apart(self) -> bool:
        """Whether people play from different screens, so that what one does may be overtaken by what another does."""
        return self._now().apart

    def awake(self) -> bool:
        """Whether time goes on: somebody is there who plays. Where only computers play, somebody who watches."""
        return self._now().awake

    def watchers(self) -> int:
        """Screens that hold no seat."""
        return self._now().watchers

    def pings(self) -> dict[str, int]:
        """Seat → round trip in ms of its nearest screen, where it is known."""
        found: dict[str, int] = {}
        for screen in self.screens.values():
            trip = screen.clock.trip
            if trip is not None:
                for seat in screen.seats:
                    found[str(seat)] = min(trip, found.get(str(seat), trip))
        return found
