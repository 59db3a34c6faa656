"""Owns the board of Cờ cá ngựa drawn with letters: the cross with its squares, lanes and stables, horses by letter and number, two sizes.

A horse is never told by its colour alone: ``R1`` and ``R2`` are Red's, ``B``, ``Y`` and ``G`` those of Blue, Yellow and Green.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from muang.records.layout_horses import SLOTS, cross
from muang.tui.fold import Board
from muang.tui.paint import Sheet, Style
from muang.tui.words import LETTERS, sign

__all__ = ["Pointer", "dice_text", "draw_horses", "horse_of", "size_of"]

CELLS = ((3, 1), (5, 2))
"""Width and height of a square, small and large."""
PIPS = {1: "    o    ", 2: "o       o", 3: "o   o   o", 4: "o o   o o", 5: "o o o o o", 6: "o oo oo o"}


@dataclass(frozen=True)
class Pointer:
    """The move that is chosen, or a hint: whose, from and to which place of its own way, and whom it would kick."""

    seat: str
    start: Any
    end: Any
    kicks: Any = None


def size_of(track: int, width: int, height: int) -> tuple[int, int]:
    """How many cells the board takes, of those there are."""
    reach = cross(track)[2]
    for wide, high in reversed(CELLS):
        size = (2 * reach + 1) * wide, (2 * reach + 1) * high
        if size[0] <= width and size[1] <= height:
            return size
    return (2 * reach + 1) * CELLS[0][0], (2 * reach + 1) * CELLS[0][1]


def horse_of(board: Board, seat: str, place: Any) -> str:
    """What a horse is called: ``R2``; of two in the stable the first one."""
    places = board.horses.get(seat, [])
    return f"{LETTERS[seat]}{places.index(place) + 1}" if place in places else LETTERS[seat]


def draw_horses(view: Mapping[str, Any], board: Board, pointer: Pointer | None, style: Style, width: int, height: int) -> Sheet:
    """The board in ``width`` × ``height`` cells at most."""
    track = int(view["options"]["track"])
    squares, lanes, reach = cross(track)
    sheet = Sheet(*size_of(track, width, height))
    wide, high = sheet.width // (2 * reach + 1), sheet.height // (2 * reach + 1)

    def spot(cell: tuple[float, float]) -> tuple[int, int]:
        return int((cell[0] + reach) * wide), int((cell[1] + reach) * high)

    quarter = track // 4
    for index, cell in enumerate(squares):
        seat, offset = divmod(index, quarter)
        letter = LETTERS[str(seat)].lower() if offset == 0 and seat in view["seats"] else style.signs["free"]
        _tile(sheet, spot(cell), wide, high, letter, style.colour(str(seat)) if offset == 0 else style.colour("dim"), style)
    for seat in view["seats"]:
        for slot, cell in enumerate(lanes[seat], 1):
            _tile(sheet, spot(cell), wide, high, str(slot), style.colour(str(seat)), style)
    for seat in view["seats"]:
        _stable(sheet, str(seat), spot(_corner(seat, reach)), view, board, style)
        for index, place in enumerate(board.horses.get(str(seat), ())):
            if place != "stable":
                x, y = spot(_cell(str(seat), place, track, squares, lanes))
                moving = board.flash.get(f"{seat}.{index}")
                sheet.put(x, y, f"{LETTERS[str(seat)]}{index + 1}", style.colour(str(seat), "bold reverse" if moving else "bold"))
    if pointer is not None and pointer.end not in ("", None):
        _point(sheet, pointer, spot(_cell(pointer.seat, pointer.end, track, squares, lanes)), style)
        if pointer.start != "stable":
            x, y = spot(_cell(pointer.seat, pointer.start, track, squares, lanes))
            sheet.fill(x, y, 2, 1, "reverse")
    return sheet


def _cell(seat: str, place: Any, track: int, squares: list[tuple[int, int]], lanes: list[list[tuple[int, int]]]) -> tuple[int, int]:
    """Where a place of a seat's own way lies on the cross."""
    if isinstance(place, str) and place.startswith("slot"):
        return lanes[int(seat)][int(place[4:]) - 1]
    return squares[(int(place) + int(seat) * track // 4) % track]


def _tile(sheet: Sheet, at: tuple[int, int], wide: int, high: int, letter: str, colour: str, style: Style) -> None:
    x, y = at
    sheet.put(x, y, f"{letter} ", colour)
    sheet.fill(x, y, wide - 1, max(1, high - 1), style.colours.get("tile", ""))


def _point(sheet: Sheet, pointer: Pointer, at: tuple[int, int], style: Style) -> None:
    """The place where the chosen move ends: brackets, or the kicked horse between strokes."""
    x, y = at
    if pointer.kicks is None:
        sheet.put(x, y, "[]", style.colour(pointer.seat, "bold reverse"))
    else:
        sheet.put(x, y, f"{LETTERS[str(pointer.kicks)]}{style.signs['widow']}", style.colour(str(pointer.kicks), "bold reverse"))


def _corner(seat: int, reach: int) -> tuple[float, float]:
    """The upper left cell of a seat's stable."""
    far = -reach + 0.5
    return ((2.5, 2.5), (2.5, far), (far, far), (far, 2.5))[seat]


def _stable(sheet: Sheet, seat: str, at: tuple[int, int], view: Mapping[str, Any], board: Board, style: Style) -> None:
    x, y = at
    wide = 13 if sheet.width < 60 else 22
    high = 4 if sheet.width < 60 else 6
    signs, line = style.signs, style.colour(seat)
    for row in range(high):
        edge = "t" if row == 0 else "b" if row == high - 1 else ""
        inner = signs["h"] * (wide - 2) if edge else " " * (wide - 2)
        ends = (signs[f"{edge}l"], signs[f"{edge}r"]) if edge else (signs["v"], signs["v"])
        sheet.put(x, y + row, f"{ends[0]}{inner}{ends[1]}", line)
    left = int(seat) in view["left"]
    label = f"{sign(seat, style.plain)} {LETTERS[seat]}" if not style.plain else LETTERS[seat]
    sheet.put(x + 2, y + 1, label, style.colour(seat, "bold"))
    waiting = [f"{LETTERS[seat]}{index + 1}" for index, place in enumerate(board.horses.get(seat, ())) if place == "stable"]
    if left:
        sheet.put(x + wide - 3, y + 1, signs["widow"], line)
    for number, horse in enumerate(waiting):
        sheet.put(x + 2 + number * 4, y + high - 2, horse, style.colour(seat, "bold"))


def dice_text(dice: tuple[int, int] | None, style: Style, fresh: bool) -> Text:
    """Two dice with their pips, three lines high; dim when they are of a roll that is over."""
    if dice is None:
        return Text("\n\n\n\n", end="")
    signs = style.signs
    pip = "o" if style.plain else "●"
    tops = f"{signs['tl']}{signs['h'] * 7}{signs['tr']}  " * 2
    rows = [tops]
    for line in range(3):
        row = ""
        for die in dice:
            pips = PIPS[die][3 * line : 3 * line + 3].replace("o", pip)
            row += f"{signs['v']} {' '.join(pips)} {signs['v']}  "
        rows.append(row)
    rows.append(f"{signs['bl']}{signs['h'] * 7}{signs['br']}  " * 2)
    return Text("\n".join(rows), style=style.colour("" if fresh else "dim", "bold" if fresh else ""), no_wrap=True, end="")


assert SLOTS == 4
