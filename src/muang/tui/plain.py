"""Owns the last step before a terminal that can show little: every sign that is not ASCII becomes one that is, as wide as before.

Boards draw their plain form themselves; this is for the rest: lines of windows, arrows of keys, names with marks. A Latin letter loses its
marks rather than becoming a question mark; letters of other scripts are left where the terminal has them.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

__all__ = ["PlainFilter", "plainly"]

SIGNS = dict(zip("·…×→←↑↓−–—“”‘’●•★✓·đĐ", "-.x><^v---\"\"''o*!v-dD", strict=True))


@lru_cache(maxsize=1024)
def _plain(letter: str, letters: bool) -> str:
    """One character in ASCII. ``letters``: those of words too."""
    if letter.isascii() or (not letters and unicodedata.category(letter)[0] in "LM"):
        return letter
    if letter in SIGNS:
        return SIGNS[letter]
    name = unicodedata.name(letter, "")
    if name.startswith("BOX DRAWINGS"):
        across, down = "HORIZONTAL" in name, "VERTICAL" in name
        return "+" if across == down else "-" if across else "|"
    if name.endswith("BLOCK") or "BLOCK" in name or "ONE EIGHTH" in name:
        return " "
    base = "".join(one for one in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(one))
    return base if base.isascii() and len(base) == cell_len(letter) else "?" * cell_len(letter)


def plainly(text: str, letters: bool) -> str:
    """A text in ASCII, as many cells wide. ``letters``: those of words too, else only signs."""
    return text if text.isascii() else "".join(_plain(letter, letters) for letter in text)


class PlainFilter(LineFilter):
    """Lets nothing through that the terminal cannot show."""

    def __init__(self, letters: bool) -> None:
        super().__init__()
        self.letters = letters

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """A line of the screen."""
        return [Segment(plainly(text, self.letters), style, control) for text, style, control in segments]
