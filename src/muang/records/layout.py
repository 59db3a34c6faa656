"""Owns where everything of a board is drawn: the one geometry that pictures, pages and prints share. Draws nothing, knows no rule.

A layout is plain data (it goes to the browser as JSON). Lengths are in the units of its ``viewBox``: millimetres of the real board for
Mak Khum lying wide, otherwise any unit; an *upright* layout is 360 wide, so that on a phone 360 px wide a unit is a pixel.

``viewBox``   ``[x, y, width, height]``
``defs``      gradients and clips; ``art`` the scene that never changes, in the order of painting. Colours are names: ``"$wood"``
``places``    name → ``x``, ``y``, ``r``, ``kind``, ``owner`` and what is drawn there
``seats``     seat → where its name, sign and turn mark stand
``paths``     seat → its places in the order in which it goes through them; ``routes`` the same as a line to draw, with arrows

Sowing boards: a place has ``plate`` (where its digits stand, and their size), ``number`` (its engraved name), ``hands`` (where each seat's
hand hovers), ``spots`` (20 seeds) and ``heap`` (what lies on top beyond 20), each ``[x, y, turn in degrees]``.
Cờ cá ngựa: squares ``sq0…``, slots ``lane0-1…``, stalls ``stall0-0``; ``starts`` seat → absolute square, ``track`` the squares.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

__all__ = ["HEAP_FROM", "drawn_seeds", "layout", "layout_of", "layouts"]

HEAP_FROM = 20
"""So many seeds are drawn one by one; more are a heap (its digit stays exact)."""

HEAP_MOST = 18

DEFAULT_SEATS: Mapping[str, tuple[str | int, ...]] = {"mak-khum": ("S", "N"), "abalalae": ("S", "N"), "ca-ngua": (0, 2)}


def drawn_seeds(count: int) -> tuple[int, int]:
    """How many seeds are drawn for ``count``: single ones, and ones on top of the heap (one for four)."""
    if count <= HEAP_FROM:
        return count, 0
    return HEAP_FROM, min(HEAP_MOST, ceil((count - HEAP_FROM) / 4))


def layout(
    game_name: str,
    options: Mapping[str, Any] | None = None,
    seats: Sequence[str | int] | None = None,
    upright: bool = False,
    holes: int | None = None,
) -> dict[str, Any]:
    """The layout of a game's board.

    ``options``: the game's; only those that change the board matter (``track``, ``holes``, ``columns``). ``seats``: who plays (Cờ cá ngựa).
    ``holes``: a seat's holes in a sowing game, if the options do not say; 7 in Mak Khum, 9 in Abalala'e (a multiple of 3).
    ``ValueError`` for a game that does not exist or a board that cannot.
    """
    chosen = dict(options or {})
    if game_name not in DEFAULT_SEATS:
        raise ValueError(f"there is no board for {game_name!r} (allowed: {', '.join(DEFAULT_SEATS)})")
    if game_name == "ca-ngua":
        from muang.records.layout_horses import horse_layout

        playing = tuple(int(seat) for seat in (seats or DEFAULT_SEATS[game_name]))
        return horse_layout(int(chosen.get("track", 56)), playing, upright)
    from muang.records.layout_sowing import boat_layout, three_row_layout

    if game_name == "mak-khum":
        return boat_layout(holes or int(chosen.get("holes", 7)), upright)
    return three_row_layout(holes or int(chosen.get("columns", 6)) // 2 * 3, str(chosen.get("track", "pankhurst")), upright)


def layout_of(view: Mapping[str, Any], upright: bool = False) -> dict[str, Any]:
    """The layout that fits a view (``match.view()``)."""
    board = view.get("board")
    holes = len(board["S"]) if board else None
    return layout(str(view["game"]), view.get("options"), view.get("seats"), upright, holes)


def layouts(view: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Both ways of laying out a view's board, as the page takes them: ``{"wide": …, "upright": …}``."""
    return {"wide": layout_of(view), "upright": layout_of(view, upright=True)}
