"""Owns what a search is asked and what it answers: limits, lines, infos, stopping, and the protocol by which it reads solved tables.

The only module of ``search`` that has to do with time: a limit in ms ends a search, and nothing else about it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from muang.errors import BadAction
from muang.games.core import Seat

__all__ = ["HorseTable", "Info", "Limits", "Line", "OnInfo", "Stop", "Tables", "TurnTable", "watched"]


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search ends: at whichever comes first. With none of ``time_ms``, ``nodes`` and ``depth`` it ends when the value is exact.

    ``depth`` counts turns ahead in the sowing games, rolls ahead in Cờ cá ngựa. ``threads`` 1 with ``nodes`` is repeatable to the node.
    ``lines``: how many of the best actions get a value of their own. ``memory_mb``: the transposition table. ``seed``: the lots of sampling
    searches (races, three and four horses' players). ``BadAction`` for a number that cannot be.
    """

    time_ms: int | None = None
    nodes: int | None = None
    depth: int | None = None
    threads: int = 1
    lines: int = 1
    memory_mb: int = 64
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("time_ms", "nodes", "depth", "threads", "lines", "memory_mb"):
            value = getattr(self, name)
            if value is None and name in ("time_ms", "nodes", "depth"):
                continue
            if type(value) is not int or not 1 <= value < 1 << 40:
                raise BadAction(f"the limit {name} cannot be {value!r}", allowed=("whole numbers from 1",))
        if type(self.seed) is not int or not 0 <= self.seed < 1 << 64:
            raise BadAction(f"the seed cannot be {self.seed!r}", allowed=("0 to 2**64 - 1",))


@dataclass(frozen=True, slots=True)
class Line:
    """An action and what it is worth to the seat that was asked about.

    ``actions``: the action first, then best play of everybody as far as the search saw, ``(seat, action)`` each. In a race what follows is
    a forecast at lockstep, without drops, and guesses a choice that the other has made and not shown: it need not be playable.
    ``value``: in the sowing games the difference in seeds, own minus other's, at the end of the round; in Cờ cá ngựa the chance to win.
    ``exact``: proved, not estimated. ``bound``: "" · ``lower`` · ``upper`` (the value is at least, at most this).
    """

    actions: tuple[tuple[Seat, str], ...]
    value: float
    exact: bool = False
    bound: str = ""

    @property
    def action(self) -> str:
        """The action that the line begins with; empty where none is due (a roll is)."""
        return self.actions[0][1] if self.actions else ""


@dataclass(frozen=True, slots=True)
class Info:
    """What a search knows, while it runs and at its end. ``lines`` best first; ``unit`` is ``seeds`` or ``chance``.

    Where a depth was broken off, the choices that it did not come to keep what the depth before said of them.

    ``mix``: where both choose at once (a race, MK-24), the share of each action in the best mixed choice; empty elsewhere.
    ``table``: where the value came from a solved table, its name.
    """

    seat: Seat
    unit: str
    lines: tuple[Line, ...]
    depth: int = 0
    nodes: int = 0
    time_ms: int = 0
    mix: Mapping[str, float] = field(default_factory=dict)
    table: str = ""

    @property
    def action(self) -> str:
        """The action to play."""
        return self.lines[0].action

    @property
    def value(self) -> float:
        """The value of the best line."""
        return self.lines[0].value

    @property
    def exact(self) -> bool:
        """Whether the best line's value is proved."""
        return self.lines[0].exact


OnInfo = Callable[[Info], None]


class Stop:
    """A switch that ends searches from another thread: ``flag`` is int64[1], read by kernels; 0 until ``set``."""

    __slots__ = ("flag",)

    def __init__(self) -> None:
        self.flag = np.zeros(1, np.int64)

    def set(self) -> None:
        """End the searches that watch this switch."""
        self.flag[0] = 1

    def __bool__(self) -> bool:
        return bool(self.flag[0])


@contextmanager
def watched(limits: Limits, stop: Stop | None) -> Iterator[tuple[Stop, Callable[[], int]]]:
    """A switch that turns by itself after ``limits.time_ms``, and a clock: the ms since the search began."""
    switch = Stop() if stop is None else stop
    begun = time.perf_counter()
    timer = None
    if limits.time_ms is not None:
        timer = threading.Timer(limits.time_ms / 1000, switch.set)
        timer.daemon = True
        timer.start()
    try:
        yield switch, lambda: int((time.perf_counter() - begun) * 1000)
    finally:
        if timer is not None:
            timer.cancel()


@dataclass(frozen=True)
class TurnTable:
    """Solved boards of a sowing game with up to ``seeds`` seeds in play, by ``ranks`` (see ``search.ranks``).

    ``low`` and ``high`` are int8 by rank: bounds of the future difference in seeds, mover's minus other's. They are one and the same array
    where every value is exact. They hold where at least ``calm`` quiet turns are left before the round ends by AB-44; 1: always.
    """

    name: str
    seeds: int
    low: NDArray[np.int8]
    high: NDArray[np.int8]
    calm: int = 1


@dataclass(frozen=True)
class HorseTable:
    """The solved game of two players in Cờ cá ngựa: ``values`` by the index of ``search.pairs``, chances of who is to roll.

    ``values`` is float64 (float32 in a rounded table); no entry is farther than ``error`` from the true chance.
    """

    name: str
    values: NDArray[Any]
    error: float = 0.0


class Tables(Protocol):
    """Where solved tables come from. ``None`` where there is none for these rules: a search then does without."""

    def turns(self, game: Any, widows: int = 0) -> TurnTable | None:
        """The table of a sowing game's turns with this mask of widows."""

    def horses(self, game: Any, seats: tuple[int, int]) -> HorseTable | None:
        """The table of two players of Cờ cá ngựa on these seats."""
