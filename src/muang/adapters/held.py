"""Owns a match in the hands of programs that copy and pickle everything they hold. Plays nothing.

A match knows the matches before it. Copied or pickled naively that chain is slow, and when it is long too deep for Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from muang.games.core import Entry, Game, Match, Seat, position
from muang.games.notation import read_rules, write_rules

__all__ = ["Held", "Kept", "begin", "begin_at", "played_again"]


class Kept:
    """What never changes, and so is its own deep copy."""

    __slots__ = ()

    def __deepcopy__(self, memo: object) -> Any:
        return self


class Held(Kept):
    """A match. It is pickled as how it began and its log, and read by playing that again."""

    __slots__ = ("begun", "match")

    def __init__(self, match: Match, begun: tuple[Any, ...]) -> None:
        self.match, self.begun = match, begun

    def then(self, match: Match) -> Held:
        """What follows on this match."""
        return Held(match, self.begun)

    def __reduce__(self) -> tuple[Any, ...]:
        return played_again, (self.begun, tuple((e.kind, e.seat, e.action, e.dice) for e in self.match.log))


def begin(of: Game, seats: tuple[Seat, ...], first: Seat | None = None, seed: int = 0) -> Held:
    """A match from its start. ``BadAction`` as ``Game.start``."""
    return Held(of.start(seed, first=first, seats=seats), (of.name, write_rules(of), seats, first, seed))


def begin_at(line: str, seed: int = 0) -> Held:
    """A match that goes on from a position. ``BadPosition`` if the line cannot be read."""
    return Held(position(line).start(seed), (line, seed))


def played_again(begun: tuple[Any, ...], log: Sequence[tuple[Any, ...]]) -> Held:
    """What was written down as (how it began, log)."""
    if len(begun) == 2:
        held = begin_at(*begun)
    else:
        name, rules, seats, first, seed = begun
        held = begin(read_rules(name, rules), seats, first, seed)
    match = held.match
    for entry in log:
        match = match.apply(Entry(*entry))
    return held.then(match)
