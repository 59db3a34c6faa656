"""Mak Khum (หมากขุม): its board, lap endings, options, named rulesets and how rounds follow each other.

The sowing itself is ``sowing.kernel``'s.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from muang.games.core import MOST, Option
from muang.games.sowing.game import SowingGame
from muang.games.sowing.layout import CAPTURE, DIE, OTHER, OWN, RACE, RELAY, REST, SPILL, STORE, TURN, Layout, pack, row_layout

__all__ = ["MakKhum"]

ENDINGS = {
    (TURN, OWN): (RELAY, CAPTURE),  # MK-11, MK-14
    (TURN, OTHER): (RELAY, DIE),  # MK-11, MK-13
    (TURN, STORE): (REST, REST),  # MK-12
    (RACE, OWN): (RELAY, CAPTURE),  # MK-21: the race follows the same rules
    (RACE, OTHER): (RELAY, DIE),
    (RACE, STORE): (REST, REST),
    (SPILL, OWN): (DIE, DIE),
    (SPILL, OTHER): (DIE, DIE),
    (SPILL, STORE): (DIE, DIE),
}
RACE_MODES = {"round": 0, "opening": 1, "none": 0}


class MakKhum(SowingGame):
    """Mak Khum with its options fixed (rules MK-1 to MK-57)."""

    name = "mak-khum"
    title = "หมากขุม"
    rulesets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "trang": {},
        "songkhla": {"race": "opening", "rounds": "until_broke"},
        "single": {"race": "opening", "rounds": 1},
        "congkak": {"race": "opening", "capture_last": True, "opener": "smaller", "rounds": "until_broke"},
        "chongka": {"race": "none", "store_landing": "end", "rounds": 1},
        "turns": {"race": "none", "rounds": 1},
    }
    option_list = (
        Option("race", "MK-22", "round", ("round", "opening", "none")),
        Option("store_landing", "MK-12", "again", ("again", "end")),
        Option("capture_last", "MK-15", False, (False, True)),
        Option("skip_origin", "MK-16", False, (False, True)),
        Option("widows", "MK-42", "far", ("far", "near")),
        Option("slips", "MK-44", True, (True, False)),
        Option("opener", "MK-45", "larger", ("larger", "smaller")),
        Option("rounds", "MK-50", 2, ("until_broke",), 1, MOST),
        Option("max_rounds", "MK-52", 30, (), 1, MOST),
        Option("choice_seconds", "MK-26", None, (None,), 1, 3600),
        Option("holes", "MK-1", 7, (), 1, 15),
        Option("seeds", "MK-2", 7, (), 1, 8),
    )

    @cached_property
    def layout(self) -> Layout:
        """Two rows and two stores."""
        return row_layout(self.options["holes"], self.options["seeds"])

    @cached_property
    def record(self) -> NDArray[Any]:
        """The tables that kernels read."""
        o = self.options
        return pack(
            self.layout,
            ENDINGS,
            capture_last=o["capture_last"],
            skip_origin=o["skip_origin"],
            rest_ends=o["store_landing"] == "end",
            race_mode=RACE_MODES[o["race"]],
        )

    @cached_property
    def limits(self) -> NDArray[np.int64]:
        """MK-40, 42, 45, 50…52 as ``sowing.rounds`` reads them."""
        o = self.options
        last = o["max_rounds"] if o["rounds"] == "until_broke" else o["rounds"]
        return np.array([o["rounds"] == 1, last, o["widows"] == "near", o["opener"] == "smaller", o["race"] != "none", 0], np.int64)

    def refill(self, seeds: tuple[int, int]) -> tuple[list[int], int]:
        """MK-41, MK-42."""
        from muang.games.sowing.rounds import row_refill

        cells = [0] * (2 * self.layout.holes + 2)
        widows = row_refill(board := self.board(cells), self.layout.holes, self.layout.seeds, self.limits[2], *seeds)
        return board[: len(cells)].tolist(), int(widows)

    def widow_counts(self, seeds: tuple[int, int]) -> tuple[int, int]:
        """MK-50: the holes that each seat could not fill now."""
        holes, each = self.layout.holes, self.layout.seeds
        return holes - min(holes, seeds[0] // each), holes - min(holes, seeds[1] // each)

    def verdict(self, number: int, seeds: tuple[int, int]) -> tuple[int, int]:
        """MK-50, MK-51, MK-52."""
        from muang.games.sowing.rounds import row_verdict

        return row_verdict(self.limits, self.layout.holes, self.layout.seeds, number, *seeds)
