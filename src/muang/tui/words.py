"""Owns what things are called on the screens of the terminal: seats, places, paces, players, what a seat is to do, reasons, clocks.

The texts are those of the page, from the same catalogues. No Thai may stand in aligned cells (its marks break columns), so cells get the
short Latin names of ``SIGNS`` and ``LETTERS`` only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from muang.games.core import Seat
from muang.i18n import N_, translate
from muang.records.words import SEAT_ARGS, SEAT_NAMES

__all__ = [
    "LETTERS",
    "SPEEDS",
    "clock_text",
    "level_word",
    "pace_help",
    "pace_name",
    "place_name",
    "player_name",
    "reason_name",
    "seat_name",
    "sign",
    "tell",
]

LETTERS: Mapping[str, str] = {"S": "S", "N": "N", "0": "R", "1": "B", "2": "Y", "3": "G"}
"""One letter for each seat: North, South, Red, Blue, Yellow, Green."""
SIGNS = {"S": "▲", "N": "▼", "0": "●", "1": "■", "2": "▲", "3": "◆"}
SPEEDS = (("slow", N_("Slow"), 0.5), ("normal", N_("Normal"), 1.0), ("fast", N_("Fast"), 2.0), ("very-fast", N_("Very fast"), 5.0))
"""As on the page: name, text, how many times as fast as normal."""
PACES = {"steady": N_("Steady"), "by_hand": N_("By hand"), "lockstep": N_("In step")}
PACE_HELP = {
    "steady": N_("Both hands sow by themselves, equally fast. You choose the holes, whenever you are ready."),
    "by_hand": N_("Every seed is your own tap or key press. Nimble fingers win."),
    "lockstep": N_("The hands take turns seed by seed, and choices are hidden until both are made. No hurry."),
}
LEVELS = (
    N_("just learning"),
    N_("gentle"),
    N_("easy-going"),
    N_("attentive"),
    N_("practised"),
    N_("strong"),
    N_("very strong"),
    N_("as strong as it can"),
)
REASONS = {
    "widows": N_("fewer widows"),
    "seeds": N_("more seeds"),
    "broke": N_("the other side cannot fill a single hole"),
    "all-seeds": N_("all seeds in one hand"),
    "horses": N_("both horses home"),
    "last-left": N_("the last player left"),
    "resigned": N_("the other side resigned"),
    "left": N_("the other side left"),
    "flag": N_("the other side ran out of time"),
    "agreed": N_("agreed by both"),
}


def sign(seat: Seat, plain: bool) -> str:
    """A shape that goes with the seat's colour; its letter where there is only ASCII."""
    return LETTERS[str(seat)] if plain else SIGNS[str(seat)]


def seat_name(seat: Seat, lang: str) -> str:
    """South, Red …"""
    return translate(SEAT_NAMES[seat], lang)


def player_name(player: str, lang: str) -> str:
    """What a computer player is called: ``Level 3``."""
    if player.startswith("level-"):
        return translate("Level {level}", lang, level=player.removeprefix("level-"))
    return translate({"greedy": N_("Greedy"), "random": N_("Random")}.get(player, player), lang)


def level_word(player: str, lang: str) -> str:
    """What to expect of a computer player, in a word or two."""
    if player.startswith("level-"):
        return translate(LEVELS[int(player.removeprefix("level-")) - 1], lang)
    known = {"greedy": N_("takes the most it can see in one move"), "random": N_("plays anything that is allowed")}
    return translate(known[player], lang)


def pace_name(pace: str, lang: str) -> str:
    """Steady, By hand, In step."""
    return translate(PACES[pace], lang)


def pace_help(pace: str, lang: str) -> str:
    """One sentence about a pace."""
    return translate(PACE_HELP[pace], lang)


def place_name(place: str, lang: str, called: Mapping[Seat, str]) -> str:
    """A hole as it is; a store, a stable or a slot in words."""
    if place in ("SH", "NH"):
        return translate("{seat}'s store", lang, seat=called.get(place[0]) or seat_name(place[0], lang))
    return place


def reason_name(result: Mapping[str, Any], lang: str) -> str:
    """How a match ended, in a clause that stands by itself."""
    reason = str(result["reason"])
    if result["winner"] is None and reason in ("widows", "seeds"):
        return translate("the same on both sides", lang)
    return translate(REASONS.get(reason, reason), lang)


def tell(said: Iterable[tuple[str, Mapping[str, Any]]], lang: str, called: Mapping[Seat, str]) -> str:
    """Sentences of a frame in ``lang``, with the players' names."""
    texts = []
    for msgid, args in said:
        filled = dict(args)
        for key in SEAT_ARGS:
            if key in filled:
                filled[key] = called.get(filled[key]) or seat_name(filled[key], lang)
        for key in ("hole", "place"):
            if key in filled:
                filled[key] = place_name(str(filled[key]), lang, called)
        texts.append(translate(msgid, lang, **filled))
    return " ".join(texts)


def clock_text(ms: float, tenths: bool = False) -> str:
    """``1:05`` or ``0:07.3``."""
    ms = max(0, int(ms))
    text = f"{ms // 60_000}:{ms % 60_000 // 1000:02d}"
    return f"{text}.{ms % 1000 // 100}" if tenths else text
