"""Owns the picture of what one horse is worth by where it stands, read from a solved table of Cờ cá ngựa. Judges nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from muang.games.ca_ngua.position import CaNguaPosition, Place
from muang.games.ca_ngua.rules import CaNgua
from muang.search.limits import HorseTable
from muang.search.pairs import value

__all__ = ["FORMATS", "draw", "worth"]

FORMATS = ("svg", "png", "pdf")
SLOTS: tuple[Place, ...] = ("slot1", "slot2", "slot3", "slot4")


def worth(table: HorseTable, of: CaNgua, seats: tuple[int, int], turn: int) -> list[tuple[Place, float]]:
    """The chance of ``seats[0]`` where one of its horses stands on each place in turn and the other three are in their stables.

    The first entry has all four there. ``turn``: who is to roll.
    """
    places: list[Place] = ["stable", *range(of.options["track"]), *SLOTS]
    found = []
    for place in places:
        at = CaNguaPosition.build(of, {seats[0]: ("stable", place), seats[1]: ("stable", "stable")}, turn)
        found.append((place, value(table, of, at.key, seats[0])))
    return found


def draw(table: HorseTable, of: CaNgua, seats: tuple[int, int], target: Path, form: str = "svg") -> None:
    """Write the picture to ``target`` in one of ``FORMATS``: two lines, by who is to roll."""
    import matplotlib
    from matplotlib.figure import Figure

    track = of.options["track"]
    rules: dict[Any, Any] = {"svg.fonttype": "none", "svg.hashsalt": "muang", "text.parse_math": False}
    with matplotlib.rc_context(rules):
        figure = Figure(figsize=(9.0, 4.2), layout="constrained")
        axes = figure.add_subplot()
        for turn, mark, colour, label in (
            (seats[0], "o", "#1b6ca8", "its own seat is to roll"),
            (seats[1], "s", "#c2402a", "the other seat is to roll"),
        ):
            chances = [chance for _, chance in worth(table, of, seats, turn)]
            axes.plot(range(-1, track + len(SLOTS)), chances, color=colour, marker=mark, markersize=3, linewidth=1.2, label=label)
        axes.axhline(0.5, color="#444444", linewidth=0.8)
        for edge in (-0.5, track - 0.5):
            axes.axvline(edge, color="#888888", linewidth=0.8, linestyle=":")
        quarter = track // 4
        start = (seats[1] - seats[0]) % 4 * quarter
        axes.annotate("the other's start", (start, 0.16), xycoords=("data", "axes fraction"), rotation=90, ha="right", fontsize=8)
        ticks = [-1, *range(0, track, quarter // 2), track - 1, *range(track, track + len(SLOTS))]
        axes.set_xticks(ticks, ["stable", *map(str, range(0, track, quarter // 2)), "gate", *map(str, SLOTS)], rotation=90, fontsize=8)
        axes.set_xlabel("where the horse stands; the other three are in their stables")
        axes.set_ylabel("chance to win")
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        axes.margins(x=0.01)
        axes.legend(loc="upper left", frameon=False, fontsize=9)
        figure.savefig(target, format=form, dpi=150, metadata={"Date": None} if form == "svg" else {})
