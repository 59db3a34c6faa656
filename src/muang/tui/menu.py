"""Owns what can be asked of a table now, as a list to choose from. What comes of a choice is the match screen's matter."""

from __future__ import annotations

from muang.i18n import N_, translate
from muang.tui import words
from muang.tui.session import Session
from muang.wire.phrases import PHRASES

__all__ = ["entries", "phrases"]

SITS_DOWN = "level-3"
"""Who takes a free seat when nobody comes."""


def entries(session: Session, local: bool, record: bool) -> list[tuple[str, str]]:
    """``(name, text)`` of everything that is possible now. A name may end in a seat: ``resign:S``."""
    lang = session.lang
    found: list[tuple[str, str]] = []
    if not record and session.view:
        found += _table(session)
        if session.mine() and not local:
            found.append(("say", translate("Say something", lang)))
    if session.view:
        found.append(("save", translate(N_("Save the record"), lang)))
        found.append(("rules", translate("Rules", lang)))
    found.append(("new", translate("New match", lang)))
    found.append(("leave", translate(N_("Leave"), lang)))
    return found


def _table(session: Session) -> list[tuple[str, str]]:
    lang, view, mine = session.lang, session.view, session.mine()
    found: list[tuple[str, str]] = []
    if session.over:
        return [("again", translate("Play again", lang))] if mine else []
    for info in session.seats:
        if info.kind == "open":
            who = f"{session.name(info.seat)} ({words.player_name(SITS_DOWN, lang)})"
            found.append((f"fill:{info.seat}", translate("Let the computer play {seat}", lang, seat=who)))
    if session.meeting:
        return found if mine else []
    sowing = not session.horses
    if mine and sowing and view["phase"] != "race":
        found.append(("takeback", translate("Take back", lang)))
    if mine and sowing:
        found.append(("draw", translate("Offer a draw", lang)))
    for seat in mine:
        if seat in view.get("left", ()):
            continue
        resigns = "{seat} resigns" if sowing else "{seat} leaves"
        found.append((f"resign:{seat}", translate(resigns, lang, seat=session.name(seat))))
    for info in session.seats:
        if info.yours and info.kind == "computer":
            found.append((f"return:{info.seat}", translate("Take the seat back", lang)))
        elif info.kind == "absent" and not info.yours and mine:
            found.append((f"sit-in:{info.seat}", f"{session.name(info.seat)}: {translate('Let the computer play', lang)}"))
            claim = translate("Claim the win", lang) if sowing else translate("Go on without {seat}", lang, seat=session.name(info.seat))
            found.append((f"claim:{info.seat}", claim))
    return found


def phrases(lang: str) -> list[tuple[str, str]]:
    """What can be said."""
    return [(name, translate(text, lang)) for name, text in PHRASES.items()]
