"""Abalala'e: its board and tracks, lap endings, options, named rulesets and how rounds follow each other.

The sowing itself is ``sowing.kernel``'s.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

from numpy.typing import NDArray

from muang.errors import BadRuleset
from muang.games.core import Option
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
        Option("max_rounds", "AB-43", 30, (), 1),
        Option("quiet_turns", "AB-44", 100, (), 1),
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

    def raced(self, number: int) -> bool:
        """AB-24, AB-25."""
        return self.options["race"] != "none" and (number == 1 or self.options["race_rounds"] == "all")

    def refill(self, seeds: tuple[int, int]) -> tuple[list[int], int]:
        """AB-40: the poorer seat lays out all it has, the richer full holes in the same number."""
        layout, each = self.layout, self.layout.seeds
        cells = [0] * (2 * layout.holes + 2)
        less = min(seeds)
        count = min(layout.holes, -(-less // each))
        for seat, have in enumerate(seeds):
            left = have
            for place in layout.own(seat)[:count]:
                cells[place] = min(each, left)
                left -= cells[place]
            cells[layout.store(seat)] = left
        return cells, 0

    def verdict(self, number: int, seeds: tuple[int, int]) -> tuple[int | None, str] | None:
        """AB-42, AB-43."""
        for seat in (0, 1):
            if seeds[seat] == self.layout.total:
                return seat, "all-seeds"
        if number < self.options["max_rounds"]:
            return None
        return (None if seeds[0] == seeds[1] else int(seeds[1] > seeds[0])), "seeds"

    def opener(self, seeds: tuple[int, int], opened: int | None) -> int:
        """AB-24, AB-25."""
        if seeds[0] == seeds[1]:
            return 0 if opened is None else 1 - opened
        return int(seeds[1] > seeds[0])

    @property
    def quiet_limit(self) -> int:
        """AB-44."""
        return int(self.options["quiet_turns"])
