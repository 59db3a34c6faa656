"""Owns the one face that all drivers show to the screens, and the advice of the search in the shape of the server's hints.

A driver tells frames of ``muang.wire`` and takes what the player wants. Where the match lives, here or far away, is its own matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from muang.errors import IllegalAction
from muang.games.core import Match, Seat
from muang.records import Record
from muang.records.lines import by_turn, value_phrase
from muang.search.analyse import analyse
from muang.search.limits import Info, Limits, Stop
from muang.search.players import solved_tables
from muang.tui.session import Said
from muang.wire.told import ServerFrame

__all__ = ["HINT_MS", "LIVE_HINT_MS", "Advice", "Driver", "Listener", "advise"]

HINT_MS = 500
"""How long a hint is thought about."""
LIVE_HINT_MS = 150
"""The same in a race that goes on meanwhile."""


class Listener(Protocol):
    """Who hears what a driver tells."""

    def told(self, frame: ServerFrame) -> None:
        """A frame, in order: after a gap a ``state`` comes first."""

    def linked(self, state: str, why: str) -> None:
        """``open``: in step with the match; ``lost``: it cannot be reached and is tried again; ``closed``: it is over for good."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A hint: the choices of the seat's turn in their order. ``share``: of 100, where the best choice is drawn by lot."""

    seat: Seat
    actions: tuple[str, ...]
    share: int | None
    say: Sequence[tuple[str, Mapping[str, Any]]]


class Driver(Protocol):
    """A match somewhere. Nothing here waits for the player; ``MuangError`` says what cannot be."""

    local: bool

    async def start(self, listener: Listener) -> None:
        """Begin to tell."""

    def hasten(self, times: float) -> None:
        """So many times as fast as usual are people here shown things; waits that are there for the eye may be as much shorter."""

    def play(self, seat: Seat, action: str, version: int, at: float | None) -> None:
        """An action; ``at``: when the key was pressed, on the terminal's own clock, in races."""

    def command(self, seat: Seat, name: str, about: Seat | None = None, player: str | None = None) -> None:
        """Something about the match itself, one of ``wire.COMMANDS``."""

    def say(self, seat: Seat, phrase: str) -> None:
        """One of the phrases."""

    def waits(self, seat: Seat) -> bool:
        """Whether inputs of the seat have no answer yet."""

    async def advice(self) -> Advice:
        """A hint for this screen, where nobody is harmed by it."""

    async def match(self) -> Match:
        """The match as it stands, to be analysed."""

    async def told(self) -> tuple[int, list[Said]]:
        """What has happened up to a version of the match, in sentences."""

    async def record(self) -> Record:
        """Its record up to now."""

    def again(self, match_id: str) -> Driver:
        """The match that was made for who wanted to play again."""

    async def close(self) -> None:
        """End without a word more."""


def advise(match: Match, seat: Seat, time_ms: int, stop: Stop) -> Advice:
    """What the search would choose for a seat. Takes its time: for a thread of its own. ``IllegalAction`` where nothing is to choose."""
    # whatever has to be compiled or read takes no time away
    analyse(match, Limits(nodes=1), None, solved_tables(), seat=seat, stop=stop)
    info: Info = analyse(match, Limits(time_ms=time_ms), None, solved_tables(), seat=seat, stop=stop)
    if not info.lines or not info.lines[0].actions:
        raise IllegalAction("there is nothing to choose now")
    best = info.lines[0]
    phrase = value_phrase(info.seat, info.unit, best.value, best.exact, best.bound)
    share = info.mix.get(best.action)
    told = None if share is None or share > 0.995 else round(100 * share)
    return Advice(info.seat, by_turn(best.actions)[0][1], told, [(phrase.msgid, dict(phrase.args))])
