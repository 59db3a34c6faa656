"""Owns how it reads that a server refuses something, in a reader's language. Its own sentences are English and say more than these."""

from __future__ import annotations

from muang.i18n import N_, translate

__all__ = ["REFUSALS", "refusal"]

_FULL_DISK = N_("That could not be kept: the server's disk or database does not write now. Nothing has changed.")
REFUSALS: dict[str, str] = {
    "illegal-action": N_("The rules do not allow that now."),
    "not-your-seat": N_("That seat is not yours."),
    "seat-taken": N_("Somebody else has just taken that seat."),
    "still-played": N_("Other people are playing this match. Resign it first."),
    "no-such-match": N_("There is no such match on this server."),
    "rate-limited": N_("That was too much at once from this network. Please try again in a moment."),
    "server-full": N_("This server is full. Please try again later."),
    "store": _FULL_DISK,
    "store-busy": _FULL_DISK,
    "store-damaged": _FULL_DISK,
}
"""The code of an error that people can bring about → the English text, translated by whoever shows it."""


def refusal(code: str, message: str, lang: str) -> str:
    """The server's own ``message`` in English; in other languages what is known of the ``code``, if anything is."""
    return message if lang == "en" or code not in REFUSALS else translate(REFUSALS[code], lang)
