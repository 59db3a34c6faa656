"""Owns what players can say to each other: a fixed list, so that there is nothing to moderate and children can play with anybody."""

from __future__ import annotations

from muang.i18n import N_

__all__ = ["PHRASES"]

PHRASES: dict[str, str] = {
    "hello": N_("Hello!"),
    "good-luck": N_("Good luck!"),
    "well-played": N_("Well played!"),
    "wow": N_("Wow!"),
    "oops": N_("Oops!"),
    "thinking": N_("Let me think …"),
    "moment": N_("One moment, please."),
    "back": N_("I am back."),
    "your-turn": N_("It is your turn."),
    "sorry": N_("Sorry!"),
    "thanks": N_("Thank you!"),
    "again": N_("Shall we play again?"),
    "bye": N_("Good-bye!"),
}
"""What is sent → the English text, translated by whoever shows it."""
