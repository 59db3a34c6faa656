"""Owns boards drawn with letters, for terminals. Draws ``view()`` data and knows no rule.

Sowing boards stand as South sees them: its row nearest. The track of Cờ cá ngựa is a square ring, run counter-clockwise from the lower left
corner, where seat 0 starts; horses are the capital letters of their seats.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from muang.games.core import Seat
from muang.i18n import translate
from muang.records.rows import rows_of
from muang.records.words import SEAT_NAMES

__all__ = ["LETTERS", "draw", "seat_name"]

LETTERS = "RBYG"
CORNERS = dict(zip(("tl", "tm", "tr", "ml", "mm", "mr", "bl", "bm", "br"), "┌┬┐├┼┤└┴┘", strict=True))
LINES = {"h": "─", "v": "│", **CORNERS, "free": "·", "shut": "×"}
ASCII = {**dict.fromkeys(LINES, "+"), "h": "-", "v": "|", "free": ".", "shut": "x"}


def seat_name(seat: Seat, lang: str, names: Mapping[Seat, str] | None = None) -> str:
    """The player's name, or the seat's in ``lang``."""
    return (names or {}).get(seat) or translate(SEAT_NAMES[seat], lang)


def draw(view: Mapping[str, Any], lang: str = "en", names: Mapping[Seat, str] | None = None, plain: bool = False) -> str:
    """The board of a view as lines of text. ``plain``: ASCII only; so it is too where the terminal can show no more."""
    signs = ASCII if plain or not _shows("".join(LINES.values())) else LINES
    if view["game"] == "ca-ngua":
        return "\n".join(_horses(view, lang, names, signs))
    return "\n".join(_sowing(view, lang, names, signs))


def _shows(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


# ── sowing ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _sowing(view: Mapping[str, Any], lang: str, names: Mapping[Seat, str] | None, signs: Mapping[str, str]) -> list[str]:
    board = view["board"]

    def cell(name: str) -> str:
        seeds = board[name[0]][int(name[1:]) - 1]
        return f"{name:<3}{signs['shut'] if seeds is None else seeds:>3}"

    rows = rows_of(view)
    margin = "        "
    lines = [f"{margin}{seat_name('N', lang, names)}: NH {board['stores']['N']}"]
    for index, row in enumerate(rows):
        lines.append(margin + _rule(signs, "t" if index == 0 else "m", len(row)))
        lines.append(margin + signs["v"] + signs["v"].join(f" {cell(name)} " for name in row) + signs["v"])
    lines.append(margin + _rule(signs, "b", len(rows[0])))
    lines.append(f"{margin}{seat_name('S', lang, names)}: SH {board['stores']['S']}")
    for seat in ("S", "N"):
        hand = view["hands"][seat]
        if hand:
            args = {"seat": seat_name(seat, lang, names), "count": hand["seeds"], "hole": hand["at"]}
            lines.append(margin + translate("In the hand of {seat}: {count}. Last place: {hole}.", lang, **args))
    return lines


def _rule(signs: Mapping[str, str], at: str, cells: int) -> str:
    return signs[f"{at}l"] + signs[f"{at}m"].join([signs["h"] * 8] * cells) + signs[f"{at}r"]


# ── Cờ cá ngựa ───────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _horses(view: Mapping[str, Any], lang: str, names: Mapping[Seat, str] | None, signs: Mapping[str, str]) -> list[str]:
    track = int(view["options"]["track"])
    side = track // 4
    grid = {_square(index, side): signs["free"] for index in range(track)}
    for seat in view["seats"]:
        grid[_square(seat * side, side)] = LETTERS[seat].lower()
        grid.update({_slot(seat, slot, side): str(slot) for slot in range(1, 5)})
    legend = []
    for seat in view["seats"]:
        places = []
        for place in view["horses"][str(seat)]:
            if isinstance(place, int):
                grid[_square((place + seat * side) % track, side)] = LETTERS[seat]
                places.append(translate("square {square}", lang, square=place))
            elif place == "stable":
                places.append(translate("stable", lang))
            else:
                grid[_slot(seat, int(place[4:]), side)] = LETTERS[seat]
                places.append(translate("slot {slot}", lang, slot=place[4:]))
        gone = f" ({translate('has left', lang)})" if seat in view["left"] else ""
        legend.append(f"    {LETTERS[seat]} {seat_name(seat, lang, names)}{gone}: {', '.join(places)}")
    rows = [" ".join(grid.get((x, y), " ") for x in range(side + 1)) for y in range(side, -1, -1)]
    return [f"    {row}".rstrip() for row in rows] + legend


def _square(index: int, side: int) -> tuple[int, int]:
    """Where a square stands: x to the right, y upwards. Square 0 is the lower left corner; the ring runs counter-clockwise (CN-1)."""
    run, along = divmod(index, side)
    return ((along, 0), (side, along), (side - along, side), (0, side - along))[run]


def _slot(seat: int, slot: int, side: int) -> tuple[int, int]:
    """A lane leads inward from the gate, the square before the start."""
    return ((slot, 1), (side - 1, slot), (side - slot, side - 1), (1, side - slot))[seat]
