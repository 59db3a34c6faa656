"""Owns what Mak Khum and Abalala'e share as games: options of geometry, rounds, how a match is started and a position read.

A game is tables (``layout``, ``record``) and four questions about rounds; it has no sowing of its own. Free of Numba: kernels are imported
when a match starts.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from muang.errors import BadAction
from muang.games.core import PACES, Game, Match, Result, Seat
from muang.games.lots import below
from muang.games.sowing.layout import PLACES, SEATS, Layout

__all__ = ["Round", "SowingGame"]


@dataclass(frozen=True, slots=True)
class Round:
    """A round as it was laid out. Seats are 0 and 1; ``first`` steps first in a race; ``opened`` is the seat that opened its turns, or
    stepped first in its race (MK-45), None as long as neither has happened; ``past`` sums up the rounds before."""

    number: int
    raced: bool
    first: int
    widows: int = 0
    opened: int | None = None
    deaths: tuple[int, ...] | None = None
    past: tuple[dict[str, Any], ...] = ()


class SowingGame(Game):
    """A sowing game with its options fixed."""

    @cached_property
    @abstractmethod
    def layout(self) -> Layout:
        """The board."""

    @cached_property
    @abstractmethod
    def record(self) -> NDArray[Any]:
        """The one-element record array that kernels read."""

    @cached_property
    def holes(self) -> dict[str, tuple[int, int, int]]:
        """Every hole's name: its seat, its bit in masks, its place."""
        return {self.layout.names[p]: (seat, i, p) for seat in (0, 1) for i, p in enumerate(self.layout.own(seat))}

    @cached_property
    def chances(self) -> dict[tuple[int, int], tuple[str, ...]]:
        """The names of holes by seat and mask, filled as they are asked for (``match.Setup.choices``)."""
        return {}

    @cached_property
    @abstractmethod
    def limits(self) -> NDArray[np.int64]:
        """What ``sowing.rounds`` has to know of the options: int64[6]."""

    def raced(self, number: int) -> bool:
        """MK-22, MK-40, AB-24: whether round ``number`` (from 1) begins with a race."""
        races = int(self.limits[4])
        return races == 2 or (races == 1 and number == 1)

    @abstractmethod
    def refill(self, seeds: tuple[int, int]) -> tuple[list[int], int]:
        """The board by place, and the mask of widows, that seats with so many seeds in all lay out."""

    @abstractmethod
    def verdict(self, number: int, seeds: tuple[int, int]) -> tuple[int, int]:
        """After round ``number``: (-1 to go on, 2 for a draw, else the winner; the reason's number in ``rounds.REASONS``)."""

    def widow_counts(self, seeds: tuple[int, int]) -> tuple[int, int] | None:
        """MK-50: the holes that each seat could not fill; None in a game without widows."""
        return None

    def board(self, cells: list[int]) -> NDArray[np.uint8]:
        """A kernel board from seeds by place."""
        board = np.zeros(PLACES, np.uint8)
        board[: len(cells)] = cells
        return board

    def start(
        self,
        seed: int = 0,
        *,
        pace: str = "lockstep",
        first: Seat | None = None,
        seats: tuple[Seat, ...] | None = None,
        tempo: int = 250,
        min_gap: int = 80,
    ) -> Match:
        """A new match from the full board. See ``Game.start``."""
        if type(seed) is not int or not 0 <= seed < 1 << 64:
            raise BadAction(f"the seed cannot be {seed!r}", clause="MK-25", allowed=("0 to 2**64 - 1",))
        if first is None:
            first = SEATS[below(seed, "first", 0, 2)]
        check_pace(pace, tempo, min_gap)
        if first not in SEATS:
            raise BadAction(f"first cannot be {first!r}", clause="MK-25", allowed=SEATS)
        if seats is not None and tuple(seats) != SEATS:
            raise BadAction(f"the seats of {self.name} cannot be {seats!r}", clause="MK-2", allowed=("S, N",))
        from muang.games.sowing.match import new_match

        half = self.layout.total // 2
        cells, widows = self.refill((half, half))
        opening = Round(1, self.raced(1), SEATS.index(str(first)), widows)
        return new_match(self, seed, pace, tempo, min_gap, cells, opening)

    def read_position(self, fields: Mapping[str, str]) -> Any:
        """The position that a line's fields describe. ``BadPosition`` says which field is wrong."""
        from muang.games.sowing.position import read_fields

        return read_fields(self, fields)

    def result(self, winner: int | None, seeds: tuple[int, int], reason: str) -> Result:
        """MK-53: a result with totals and widow counts."""
        widows = self.widow_counts(seeds)
        return Result(
            None if winner is None else SEATS[winner],
            dict(zip(SEATS, seeds, strict=True)),
            {} if widows is None else dict(zip(SEATS, widows, strict=True)),
            reason,
        )


def check_pace(pace: str, tempo: int, min_gap: int) -> None:
    """MK-24: refuse an unknown pace or a time that is no whole number of ms from 1 on."""
    if pace not in PACES:
        raise BadAction(f"the pace cannot be {pace!r}", clause="MK-24", allowed=PACES)
    for name, value in (("tempo", tempo), ("min_gap", min_gap)):
        if type(value) is not int or not 1 <= value <= 60_000:
            raise BadAction(f"{name} cannot be {value!r}", clause="MK-24", allowed=("1 to 60000 ms",))
