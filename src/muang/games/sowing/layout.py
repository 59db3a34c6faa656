"""Owns where things are: places, paths, owners, facing holes, and the table of what a lap's last seed does.

Places are numbers: ``S1…Sn`` are ``0…n-1``, ``SH`` is ``n``, ``N1…Nn`` are ``n+1…2n``, ``NH`` is ``2n+1``.
Seats are 0 (South) and 1 (North).
Both games are tables of this module; the kernel has no branch for either.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "CAPTURE",
    "CAPTURE_ON",
    "DIE",
    "PLACES",
    "RACE",
    "RELAY",
    "REST",
    "RULES_DTYPE",
    "SEATS",
    "SPILL",
    "TURN",
    "Layout",
    "loop_layout",
    "pack",
    "row_layout",
]

SEATS = ("S", "N")
PLACES = 32
"""Room for places in kernel tables: one AVX register of bytes."""

# phases: the first index of the ending table
TURN, RACE, SPILL = 0, 1, 2
# endings: what becomes of the hand when its last seed has fallen
RELAY, REST, DIE, CAPTURE, CAPTURE_ON = 0, 1, 2, 3, 4
OWN, OTHER, STORE = 0, 1, 2

RULES_DTYPE = np.dtype(
    [
        ("next", np.int8, (2, PLACES)),  # the next place on each seat's path
        ("whose", np.int8, (2, PLACES)),  # OWN, OTHER or STORE, as each seat sees a place
        ("facing", np.int8, (PLACES, 2)),  # the holes that a capture takes, -1 for none
        ("ending", np.int8, (3, 3, 2)),  # [phase, whose, was_empty]
        ("holes", np.int32),  # a seat's holes
        ("seeds", np.int32),  # seeds a hole at the start
        ("capture_last", np.int32),
        ("skip_origin", np.int32),
        ("rest_ends", np.int32),  # store_landing: end
        ("cyclic", np.int32),  # walks may be endless (AB-45)
        ("either_row", np.int32),  # a round ends when either row is empty (AB-31), not only the mover's (MK-30)
        ("race_mode", np.int32),  # 0 round, 1 opening, 2 one fixed walk each (AB-20)
        ("stop_lap", np.int32),  # race_loser: stop_lap
    ]
)


@dataclass(frozen=True)
class Layout:
    """A board. ``paths[seat]`` lists the places in the order in which that seat sows, its own hole 1 first."""

    holes: int
    seeds: int
    paths: tuple[tuple[int, ...], tuple[int, ...]]
    facing: tuple[tuple[int, ...], ...]
    names: tuple[str, ...] = field(init=False)
    index: dict[str, int] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        names = []
        for seat in SEATS:
            names += [f"{seat}{i}" for i in range(1, self.holes + 1)] + [f"{seat}H"]
        object.__setattr__(self, "names", tuple(names))
        object.__setattr__(self, "index", {name: place for place, name in enumerate(names)})

    @property
    def total(self) -> int:
        """All seeds of the game."""
        return 2 * self.holes * self.seeds

    def base(self, seat: int) -> int:
        """The place of a seat's hole 1."""
        return seat * (self.holes + 1)

    def store(self, seat: int) -> int:
        """The place of a seat's store (in Abalala'e the pile beside the board)."""
        return self.base(seat) + self.holes

    def own(self, seat: int) -> range:
        """The places of a seat's holes, hole 1 first."""
        return range(self.base(seat), self.base(seat) + self.holes)

    def seat_of(self, place: int) -> int:
        """The seat that owns a place."""
        return 0 if place <= self.holes else 1

    def view(self) -> dict[str, Any]:
        """Names only, for screens: ``places``, ``paths``, ``facing``, ``owners``."""
        name = self.names
        return {
            "places": list(name),
            "paths": {seat: [name[p] for p in self.paths[i]] for i, seat in enumerate(SEATS)},
            "facing": {name[p]: [name[f] for f in faced] for p, faced in enumerate(self.facing) if faced},
            "owners": {name[p]: SEATS[self.seat_of(p)] for p in range(len(name))},
        }


def row_layout(holes: int, seeds: int) -> Layout:
    """Mak Khum's board (MK-1…4): two rows, a store at each end; the other seat's store is passed over."""
    south, north = list(range(holes)), list(range(holes + 1, 2 * holes + 1))
    facing: list[tuple[int, ...]] = [()] * (2 * holes + 2)
    for i in range(holes):
        facing[i] = (2 * holes - i,)
        facing[2 * holes - i] = (i,)
    return Layout(holes, seeds, ((*south, holes, *north), (*north, 2 * holes + 1, *south)), tuple(facing))


def loop_layout(columns: int, seeds: int, track: str) -> Layout:
    """Abalala'e's board (AB-0…5): three rows; each seat owns its near row and the half of the middle row to its right."""
    half = columns // 2
    holes = columns + half
    at: dict[tuple[int, int], int] = {}  # (column, row) -> place, both from 1, seen from South
    for i in range(columns):
        at[i + 1, 1] = i
        at[columns - i, 3] = holes + 1 + i
    for i in range(half):
        at[columns - i, 2] = columns + i
        at[i + 1, 2] = holes + 1 + columns + i
    south, north = tuple(range(holes)), tuple(range(holes + 1, 2 * holes + 1))
    if track == "courlander":
        paths = (south + north, north + south)
    else:
        across = range(1, columns + 1)
        path = [at[c, 1] for c in across] + [at[c, 2] for c in reversed(across)] + [at[c, 3] for c in across]
        paths = (tuple(path), tuple(reversed(path)))
    facing: list[tuple[int, ...]] = [()] * (2 * holes + 2)
    for (column, row), place in at.items():
        mine = place < holes
        rows = sorted((r for r in (1, 2, 3) if (at[column, r] < holes) != mine), key=lambda r: abs(r - row))
        facing[place] = tuple(at[column, r] for r in rows)
    return Layout(holes, seeds, paths, tuple(facing))


def pack(layout: Layout, endings: dict[tuple[int, int], tuple[int, int]], **flags: int) -> NDArray[Any]:
    """The one-element record array that kernels read: shape (1,), dtype ``RULES_DTYPE``.

    ``endings`` maps (phase, whose) to the endings of a last seed that fell among seeds, and into an empty place.
    """
    rules = np.zeros(1, RULES_DTYPE)
    record = rules[0]
    for seat in (0, 1):
        path = layout.paths[seat]
        for place, following in zip(path, (*path[1:], path[0]), strict=True):
            record["next"][seat, place] = following
        for place in range(2 * layout.holes + 2):
            mine = layout.seat_of(place) == seat
            record["whose"][seat, place] = STORE if place == layout.store(seat) else OWN if mine else OTHER
        # A walk never begins in a store, but a hand may stand in its own
        if layout.store(seat) not in path:
            record["next"][seat, layout.store(seat)] = path[0]
    record["facing"][:] = -1
    for place, faced in enumerate(layout.facing):
        for i, hole in enumerate(faced):
            record["facing"][place, i] = hole
    for (phase, whose), (among, alone) in endings.items():
        record["ending"][phase, whose] = (among, alone)
    record["holes"], record["seeds"] = layout.holes, layout.seeds
    for name, value in flags.items():
        record[name] = value
    return rules
