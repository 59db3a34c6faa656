"""Owns how the holes of a sowing board lie for whoever draws it in letters. Draws nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["rows_of"]


def rows_of(view: Mapping[str, Any], flipped: bool = False) -> list[list[str]]:
    """The names of the holes of a match's ``view`` as they lie, from above; South's row nearest, or turned by half."""
    count = len(view["board"]["S"])
    if view["game"] == "mak-khum":
        rows = [[f"N{i}" for i in range(1, count + 1)], [f"S{i}" for i in range(count, 0, -1)]]
    else:  # three rows; a seat owns the nearest and the half of the middle one to its right (AB-2)
        wide = count * 2 // 3
        rows = [
            [f"N{i}" for i in range(wide, 0, -1)],
            [f"N{i}" for i in range(wide + 1, count + 1)] + [f"S{i}" for i in range(count, wide, -1)],
            [f"S{i}" for i in range(1, wide + 1)],
        ]
    return [row[::-1] for row in rows[::-1]] if flipped else rows
