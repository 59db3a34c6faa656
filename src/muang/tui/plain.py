"""Owns the last step before the terminal: nothing that would command it; where it can show little, only ASCII, as wide as before.

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

__all__ = ["PlainFilter", "harmless", "plainly"]

JOINERS = "\u200c\u200d"
"""What some scripts need between letters; it is as wide as nothing."""
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


def harmless(text: str) -> str:
    """A text without what would command the terminal: names and sentences may come from anybody's record or server."""
    return "".join(letter for letter in text if letter.isprintable() or letter in JOINERS)


class PlainFilter(LineFilter):
    """Lets nothing through that would command the terminal, with ``plain`` no sign beyond ASCII, with ``letters`` no letter either."""

    def __init__(self, plain: bool, letters: bool) -> None:
        super().__init__()
        self.plain, self.letters = plain, letters

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """A line of the screen."""
        return [Segment(self._through(text), style, control) for text, style, control in segments]

    def _through(self, text: str) -> str:
        shown = text if text.isprintable() else harmless(text)
        return plainly(shown, self.letters) if self.plain else shown
