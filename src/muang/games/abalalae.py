"""Abalala'e: its board and tracks, lap endings, options, named rulesets and how rounds follow each other.

The sowing itself is ``sowing.kernel``'s.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from muang.errors import BadRuleset
from muang.games.core import MOST, Option
from muang.games.sowing.game import SowingGame
from muang.games.sowing.layout import CAPTURE_ON, DIE, OTHER, OWN, RACE, RELAY, SPILL, STORE, TURN, Layout, loop_layout, pack

__all__ = ["Abalalae"]

ENDINGS = {
    (TURN, OWN): (RELAY, CAPTURE_ON),  # AB-11, AB-13
    (TURN, OTHER): (RELAY, DIE),  # AB-11, AB-12
    (RACE, OWN): (RELAY, DIE),  # AB-21: no captures in the race
    (RACE, OTHER): (RELAY, DIE),
    (SPILL, OWN): (DIE, DIE),  # AB-23, AB-45: dropped without relay
    (SPILL, OTHER): (DIE, DIE),
    # The piles are not on the track
    (TURN, STORE): (DIE, DIE),
    (RACE, STORE): (DIE, DIE),
    (SPILL, STORE): (DIE, DIE),
}


class Abalalae(SowingGame):
    """Abalala'e with its options fixed (rules AB-0 to AB-46)."""

    name = "abalalae"
    title = "Abalala'e"
    rulesets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "pankhurst": {},
        "courlander": {"track": "courlander"},
        "single": {"max_rounds": 1},
        "turns": {"race": "none", "max_rounds": 1},
    }
    option_list = (
        Option("track", "AB-0", "pankhurst", ("pankhurst", "courlander")),
        Option("race", "AB-25", "opening", ("opening", "none")),
        Option("race_loser", "AB-23", "finish", ("finish", "stop_lap")),
        Option("race_rounds", "AB-24", "all", ("all", "first")),
        Option("max_rounds", "AB-43", 30, (), 1, MOST),
        Option("quiet_turns", "AB-44", 100, (), 1, MOST),
        Option("choice_seconds", "AB-21", None, (None,), 1, 3600),
        Option("columns", "AB-1", 6, (), 2, 10),
        Option("seeds", "AB-1", 3, (), 1, 8),
    )

    def _check(self) -> None:
        if self.options["columns"] % 2:
            raise BadRuleset(
                f"the middle row is halved, so columns cannot be {self.options['columns']}", clause="AB-2", allowed=(2, 4, 6, 8, 10)
            )

    @cached_property
    def layout(self) -> Layout:
        """Three rows; piles beside the board."""
        return loop_layout(self.options["columns"], self.options["seeds"], self.options["track"])

    @cached_property
    def record(self) -> NDArray[Any]:
        """The tables that kernels read."""
        stop = self.options["race_loser"] == "stop_lap"
        return pack(self.layout, ENDINGS, cyclic=1, either_row=1, race_mode=2, stop_lap=stop)

    @cached_property
    def limits(self) -> NDArray[np.int64]:
        """AB-24, 25, 43, 44 as ``sowing.rounds`` reads them."""
        o = self.options
        races = 0 if o["race"] == "none" else 2 if o["race_rounds"] == "all" else 1
        return np.array([0, o["max_rounds"], 0, 0, races, o["quiet_turns"]], np.int64)

    def refill(self, seeds: tuple[int, int]) -> tuple[list[int], int]:
        """AB-40."""
        from muang.games.sowing.rounds import loop_refill

        cells = [0] * (2 * self.layout.holes + 2)
        loop_refill(board := self.board(cells), self.layout.holes, self.layout.seeds, *seeds)
        return board[: len(cells)].tolist(), 0

    def verdict(self, number: int, seeds: tuple[int, int]) -> tuple[int, int]:
        """AB-42, AB-43."""
        from muang.games.sowing.rounds import loop_verdict

        return loop_verdict(self.limits, number, *seeds)
