"""Owns which key does what: one table from which the keys work, the help is written and the last line of the screen is made.

A terminal tells what a key writes, not where it stands, and only some terminals tell shift with Space; so slips have keys of their own
too. Who writes Thai need not change the keyboard: its letters are read as the Latin ones on the same keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from muang.i18n import N_

__all__ = ["KEYS", "NORTH_DROPS", "NORTH_HOLES", "NORTH_SLIPS", "Held", "Key", "keys_for", "latin"]

NORTH_HOLES = "qwertyuio"
"""North's holes 1…9 where two people race on one keyboard. South has the digits."""
NORTH_DROPS = "asd"
NORTH_SLIPS = "ASD"
SOUTH_SLIPS = ("0", "shift+space", "shift+enter")
HANDS = frozenset(("enter", "space", *"123456789", *SOUTH_SLIPS, *NORTH_HOLES, *NORTH_DROPS, *NORTH_SLIPS))
"""What hands press in a race."""


@dataclass(frozen=True, slots=True)
class Key:
    """``keys``: what the terminal calls them; ``shown``: as people read them; ``text``: what they do (a msgid; none where the
    line above tells it too); ``where``: sowing, horses,
    record or all; ``foot``: the word on the last line of the screen, if it stands there."""

    keys: tuple[str, ...]
    action: str
    shown: str
    text: str
    where: str = "all"
    foot: str = ""


KEYS = (
    Key((), "hole", "1–9", N_("choose a hole and sow"), "sowing"),
    Key(("left", "right", "up", "down"), "arrow", "← → ↑ ↓", N_("go from hole to hole"), "sowing"),
    Key(("enter", "space"), "act", "Enter Space", N_("lift, or drop a seed; say that the race may begin"), "sowing"),
    Key(SOUTH_SLIPS, "slip", "0", N_("slip into a widow (by hand); Shift with Space too, where the terminal tells"), "sowing"),
    Key((), "move", "1–9", N_("choose a move"), "horses"),
    Key(("right", "down"), "next", "→ ↓", N_("the next possible move"), "horses"),
    Key(("left", "up"), "before", "← ↑", N_("the one before"), "horses"),
    Key(("enter", "space"), "act", "Enter Space", N_("make the move"), "horses"),
    Key(("right", "]"), "later", "→ ←", N_("one step on, one step back"), "record"),
    Key(("left", "["), "earlier", "", "", "record"),
    Key(("pagedown", "down"), "later_turn", "↓ ↑", N_("ten steps on, ten back"), "record"),
    Key(("pageup", "up"), "earlier_turn", "", "", "record"),
    Key(("home",), "first", "Home End", N_("to the beginning, to the end"), "record"),
    Key(("end",), "last", "", "", "record"),
    Key(("space", "enter", "k"), "run", "Space", N_("play by itself, and stop"), "record", N_("Play")),
    Key(("<", ","), "slower", "< > =", N_("slower, faster, back to normal speed"), "all", N_("Speed")),
    Key((">", "."), "faster", "", ""),
    Key(("=",), "usual", "", ""),
    Key(("escape",), "skip", "Esc", N_("show the end of what is moving")),
    Key(("k",), "pause", "K", N_("pause and go on"), "match"),
    Key(("r",), "replay", "R", N_("show the last move again"), "match"),
    Key(("[", "pageup"), "earlier", "[ ]", N_("step back while the match goes on, and forward again"), "match", N_("Step back")),
    Key(("]", "pagedown"), "later", "", "", "match"),
    Key(("p",), "path", "P", N_("show the path"), "sowing"),
    Key(("f",), "flip", "F", N_("turn the board round"), "sowing"),
    Key(("f",), "flip", "F", "turn the board round", "record"),
    Key(("h",), "hint", "H", N_("a hint, where nobody plays from another screen"), "all", N_("Hint")),
    Key(("a",), "analysis", "A", N_("analysis: values and best lines; once more closes it"), "all", N_("Analysis")),
    Key(("y",), "yes", "Y N", N_("accept or decline what is offered"), "match"),
    Key(("n",), "no", "", "", "match"),
    Key(("m",), "menu", "M", N_("resign, offer a draw, take back, save the record and so on"), "sowing", N_("Menu")),
    Key(("m",), "menu", "M", N_("leave the match, save the record and so on"), "horses", "Menu"),
    Key(("m",), "menu", "M", N_("save the record, the rules and so on"), "record", "Menu"),
    Key(("f2",), "look", "F2", N_("light or dark colours")),
    Key(("?",), "help", "?", N_("this help"), "all", N_("Help")),
    Key((), "suspend", "Ctrl-Z", N_("to the shell; fg comes back")),
    Key(("q",), "quit", "Q", N_("leave; Ctrl-C always does"), "all", N_("Leave")),
)

_THAI = "ๆqไwำeพrะtัyีuรiนoยpฟaหsกdดfเg้h่jาkสlผzปxแcอvิbืnทm"
_PAIRS: Mapping[str, str] = dict(zip(_THAI[::2], _THAI[1::2], strict=True))
"""The Thai letters (Kedmanee) on the keys of Latin ones."""
_SHIFTED = dict(zip("ฤฆฏ", NORTH_SLIPS, strict=True))
_DIGITS = dict(zip("ๅ/-ภถุึคตจ", "1234567890", strict=True))


def latin(character: str, lang: str) -> str:
    """What a Thai keyboard writes as what stands on the same key in Latin; anything else as it is."""
    if lang == "th" and character in _DIGITS:
        return _DIGITS[character]
    return _PAIRS.get(character) or _SHIFTED.get(character, character)


def keys_for(where: str) -> Iterator[Key]:
    """The keys of a screen: ``sowing``, ``horses`` or ``record``."""
    match = where != "record"
    return (key for key in KEYS if key.where in ("all", where) or (match and key.where == "match"))


class Held:
    """Tells a key that is held down from one that is pressed again: a terminal repeats it many times a second, no finger does."""

    REPEAT_MS = 55.0

    def __init__(self) -> None:
        self.last: dict[str, float] = {}

    def repeats(self, key: str, at: float) -> bool:
        """Whether this is only a key that is still down."""
        before, self.last[key] = self.last.get(key), at
        return before is not None and at - before < self.REPEAT_MS
