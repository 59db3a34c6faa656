"""Owns the boards of the sowing games drawn with letters, small (80 × 24) and large. Knows no rule: it draws counts, hands and marks.

Every hole tells by letters what colour tells too: its name, what the last move did there (``↑7`` lifted seven, ``−5`` lost five, ``•`` the
end), its seeds, and the hands above it (``▲3``: South's, with three).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from muang.records.rows import rows_of
from muang.tui.fold import Board
from muang.tui.paint import Sheet, Style
from muang.tui.words import sign

__all__ = ["Look", "draw_sowing", "size_of"]

STORE_WIDTHS = (8, 14)
HEIGHTS = (3, 5)
"""Lines inside a hole, small and large."""
WIDEST = (7, 11)
NARROWEST = 4


@dataclass(frozen=True)
class Look:
    """What is shown besides the board: the hole with the focus, those that can be chosen, a hint, the path from the focus on."""

    focus: str | None = None
    legal: Sequence[str] = ()
    hint: str | None = None
    path: Mapping[str, int] = field(default_factory=dict)
    flipped: bool = False


@dataclass(frozen=True)
class _Shape:
    """Sizes: inner width and height of a hole, width of a store (0: it stands beside the board)."""

    wide: int
    high: int
    store: int


def _shape(view: Mapping[str, Any], width: int, height: int) -> _Shape:
    rows = rows_of(view)
    columns = len(rows[0])
    stores = (True, False) if view["game"] == "mak-khum" else (False,)
    for stored in stores:
        for large in (1, 0):
            high, store = HEIGHTS[large], STORE_WIDTHS[large] if stored else 0
            room = (width - 1 - 2 * (store + 1 if store else 0)) // columns - 1
            if len(rows) * (high + 1) + 1 <= height and room >= WIDEST[large] - (2 if large else 1):
                return _Shape(min(room, WIDEST[large]), high, store)
    return _Shape(max(NARROWEST, (width - 1) // columns - 1), HEIGHTS[0], 0)


def size_of(view: Mapping[str, Any], width: int, height: int) -> tuple[int, int]:
    """How many cells the board takes, of those there are."""
    shape, rows = _shape(view, width, height), rows_of(view)
    return len(rows[0]) * (shape.wide + 1) + 1 + (2 * (shape.store + 1) if shape.store else 0), len(rows) * (shape.high + 1) + 1


def draw_sowing(view: Mapping[str, Any], board: Board, look: Look, style: Style, width: int, height: int) -> Sheet:
    """The board in ``width`` × ``height`` cells at most."""
    shape = _shape(view, width, height)
    rows = rows_of(view, look.flipped)
    sheet = Sheet(*size_of(view, width, height))
    left = shape.store + 1 if shape.store else 0
    _frame(sheet, len(rows[0]), len(rows), shape, left, style)
    for y, row in enumerate(rows):
        for x, name in enumerate(row):
            _hole(sheet, left + 1 + x * (shape.wide + 1), 1 + y * (shape.high + 1), name, board, look, shape, style)
    if shape.store:
        stores = ("NH", "SH") if look.flipped else ("SH", "NH")
        for x, name in zip((1, sheet.width - 1 - shape.store), stores, strict=True):
            _store(sheet, x, name, board, shape, style)
    return sheet


def _frame(sheet: Sheet, columns: int, rows: int, shape: _Shape, left: int, style: Style) -> None:
    line, signs = style.colour("line"), style.signs
    step, last = shape.high + 1, sheet.height - 1
    for y in range(sheet.height):
        rule, edge = y % step == 0, "t" if y == 0 else "b" if y == last else "m"
        for column in range(columns + 1):
            x = left + column * (shape.wide + 1)
            inner = bool(left) or 0 < column < columns
            side = "m" if inner else "l" if column == 0 else "r"
            if left and edge == "m" and column in (0, columns):
                side = "l" if column == 0 else "r"
            sheet.put(x, y, signs[f"{edge}{side}"] if rule else signs["v"], line)
            if rule and column < columns:
                sheet.put(x + 1, y, signs["h"] * shape.wide, line)
        if left:
            for x, side in ((0, "l"), (sheet.width - 1, "r")):
                sheet.put(x, y, signs[f"{edge}{side}"] if edge != "m" else signs["v"], line)
            if edge != "m":
                for x in (1, sheet.width - 1 - shape.store):
                    sheet.put(x, y, signs["h"] * shape.store, line)


def _hole(sheet: Sheet, x: int, y: int, name: str, board: Board, look: Look, shape: _Shape, style: Style) -> None:
    seat, wide = name[0], shape.wide
    seeds = board.counts.get(name)
    focus, legal, moving = name == look.focus, name in look.legal, name in board.flash
    sheet.area(x, y, wide, shape.high, name)
    sheet.put(x, y, name, style.colour(seat, "bold" if legal else ""))
    note, noted = _note(name, board, look, style)
    if len(note) + len(name) <= wide:
        sheet.put(x + wide - len(note), y, note, noted)
    if shape.high > 3 and seeds:
        per = wide - 2
        for line in range(2):
            dots = min(per, max(0, seeds - line * per))
            sheet.put(x + 1, y + 1 + line, style.signs["seed"] * dots, style.colour(seat))
        if seeds > 2 * per:
            sheet.put(x + wide - 1, y + 2, "+", style.colour(seat))
    figure = style.signs["widow"] if seeds is None else str(seeds)
    row = y + shape.high - 2
    start = x + (wide - len(figure)) // 2
    sheet.put(start, row, figure, style.colour("dim" if not seeds else seat, "reverse bold" if moving else "bold" if seeds else ""))
    if focus:
        gap = 2 if wide > NARROWEST + 1 else 1
        sheet.put(start - gap, row, "[", style.colour("hint", "bold"))
        sheet.put(start + len(figure) + gap - 1, row, "]", style.colour("hint", "bold"))
    hands = [(one, hand) for one, hand in board.hands.items() if hand and hand["at"] == name]
    at = x + (wide - 4 * len(hands)) // 2 if len(hands) > 1 else x + (wide - 3) // 2
    for one, hand in hands:
        sheet.put(at, y + shape.high - 1, f"{sign(one, style.plain)}{hand['seeds']}", style.colour(one, "reverse bold"))
        at += 4


def _note(name: str, board: Board, look: Look, style: Style) -> tuple[str, str]:
    """What stands in the corner of a hole: the hint, the path, or what the last moves did there."""
    if name == look.hint:
        return style.signs["hint"], style.colour("hint", "bold reverse")
    if name in look.path:
        return f"+{look.path[name]}", style.colour("dim", "italic")
    for seat, mark in board.marks.items():
        if name in mark.taken:
            return f"{style.signs['taken']}{mark.taken[name]}", style.colour(seat)
        if name == mark.start:
            return f"{style.signs['lifted']}{mark.lifted}", style.colour(seat)
        if name == mark.end:
            return style.signs["end"], style.colour(seat)
    return "", ""


def _store(sheet: Sheet, x: int, name: str, board: Board, shape: _Shape, style: Style) -> None:
    seat = name[0]
    seeds = board.counts.get(name) or 0
    middle = sheet.height // 2
    label = f"{sign(seat, style.plain)} {name}"
    sheet.put(x + (shape.store - len(label)) // 2, middle - 1, label, style.colour(seat))
    figure = str(seeds)
    sheet.put(
        x + (shape.store - len(figure)) // 2, middle + 1, figure, style.colour(seat, "bold reverse" if name in board.flash else "bold")
    )
    if shape.high > 3:
        per = shape.store - 2
        for line in range(sheet.height // 2 - 2):
            dots = min(per, max(0, seeds - line * per))
            row = sheet.height - 2 - line if line < sheet.height // 2 - 3 else 0
            if dots and row > middle + 1:
                sheet.put(x + 1, row, style.signs["seed"] * dots, style.colour(seat))
    hand = board.hands.get(seat)
    if hand and hand["at"] == name:
        sheet.put(x + (shape.store - 3) // 2, middle + 2, f"{sign(seat, style.plain)}{hand['seeds']}", style.colour(seat, "reverse bold"))
