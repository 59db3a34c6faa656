"""Owns the sheet of cells that boards are drawn on, the colours of both looks and the signs with their ASCII forms. Knows no game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rich.cells import cell_len
from rich.text import Text

__all__ = ["Sheet", "Style", "style_of"]

LINES = {"h": "─", "v": "│", "tl": "┌", "tm": "┬", "tr": "┐", "ml": "├", "mm": "┼", "mr": "┤", "bl": "└", "bm": "┴", "br": "┘"}
SIGNS = {**LINES, "seed": "●", "lifted": "↑", "end": "•", "taken": "−", "widow": "×", "free": "·", "hint": "★", "arrow": "→", "here": "›"}
ASCII = {
    **dict.fromkeys(LINES, "+"),
    "h": "-",
    "v": "|",
    "seed": "o",
    "lifted": "^",
    "end": "*",
    "taken": "-",
    "widow": "x",
    "free": ".",
    "hint": "!",
    "arrow": "->",
    "here": ">",
}
DARK = {
    "S": "#7fd6a4",
    "N": "#f0b35a",
    "0": "#ff7b6b",
    "1": "#7db4ff",
    "2": "#f2d45c",
    "3": "#7fd68a",
    "line": "#8a7a63",
    "dim": "#8f8f8f",
    "hint": "#e6c3ff",
    "tile": "on #3a3329",
}
LIGHT = {
    "S": "#0b6b3a",
    "N": "#8f4a00",
    "0": "#b3201a",
    "1": "#0f4fa8",
    "2": "#7a5d00",
    "3": "#1a6b2a",
    "line": "#8a7a63",
    "dim": "#666666",
    "hint": "#7a1fa8",
    "tile": "on #e9dfcc",
}


@dataclass(frozen=True)
class Style:
    """How things are drawn: ``signs`` by name, ``colours`` by name (empty: without colours). ``plain``: ASCII only."""

    plain: bool
    signs: Mapping[str, str]
    colours: Mapping[str, str] = field(default_factory=dict)

    def colour(self, name: str, more: str = "") -> str:
        """A Rich style: the colour of a seat or thing, and what more is said of it. What matters is never told by colour alone."""
        return f"{self.colours.get(name, '')} {more}".strip()


def style_of(plain: bool, colour: bool, dark: bool) -> Style:
    """The style for a terminal."""
    return Style(plain, ASCII if plain else SIGNS, (DARK if dark else LIGHT) if colour else {})


class Sheet:
    """A rectangle of cells; what is put outside of it is not seen."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.cells = [[" "] * width for _ in range(height)]
        self.styles = [[""] * width for _ in range(height)]
        self.areas: list[tuple[int, int, int, int, str]] = []
        """Where names lie, for the mouse: x, y, width, height, name."""

    def put(self, x: int, y: int, text: str, style: str = "") -> None:
        """Write ``text`` (each letter one cell wide) from x, y to the right."""
        if not 0 <= y < self.height:
            return
        for at, letter in enumerate(text, x):
            if 0 <= at < self.width:
                self.cells[y][at], self.styles[y][at] = letter, style

    def fill(self, x: int, y: int, width: int, height: int, style: str) -> None:
        """Style a rectangle."""
        for row in range(max(0, y), min(self.height, y + height)):
            for column in range(max(0, x), min(self.width, x + width)):
                self.styles[row][column] = f"{self.styles[row][column]} {style}".strip()

    def area(self, x: int, y: int, width: int, height: int, name: str) -> None:
        """Remember where a name lies."""
        self.areas.append((x, y, width, height, name))

    def at(self, x: int, y: int) -> str | None:
        """The name that lies there."""
        return next((name for left, top, width, height, name in self.areas if left <= x < left + width and top <= y < top + height), None)

    def text(self) -> Text:
        """The sheet as lines of text."""
        whole = Text(no_wrap=True, end="")
        for row, (cells, styles) in enumerate(zip(self.cells, self.styles, strict=True)):
            if row:
                whole.append("\n")
            start = 0
            for at in range(1, self.width + 1):
                if at == self.width or styles[at] != styles[start]:
                    whole.append("".join(cells[start:at]), styles[start] or None)
                    start = at
        return whole

    def lines(self) -> list[str]:
        """The letters alone."""
        rows = ["".join(row) for row in self.cells]
        assert all(cell_len(row) == self.width for row in rows), "a cell holds one letter that is one cell wide"
        return rows
