"""Owns the tags by which anybody can check the lots of a match that a server has kept (CN-50). Draws no lot; ``rooms.fair`` does.

They are tags like any other (``Record.tags``): ``Match``, ``Commitment``, ``Entropy``, ``FirstBy``, and ``Secret`` when the match is over.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from muang.errors import BadRecord
from muang.games.core import Seat
from muang.records.record import Record

__all__ = ["MAX_LAG", "Proof", "max_lag_of"]

MAX_LAG = "MaxLag"
"""The tag that tells how many ms before its arrival an input of a race could count."""

_WORD = re.compile(r"[A-Za-z0-9_-]{1,64}")
_DIGITS = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Proof:
    """What the lots of a match were drawn from.

    ``match``: its id; ``commitment``: SHA-256 of the secret, 64 hexadecimal digits; ``secret``: the same, None while the match goes on;
    ``entropy``: what the players mixed in; ``first_drawn``: whether ``first`` was drawn too, not chosen.
    """

    match: str
    commitment: str
    secret: str | None = None
    entropy: Mapping[Seat, str] = field(default_factory=dict)
    first_drawn: bool = True

    def tags(self) -> dict[str, str]:
        """The tags of the record."""
        tags = {"Match": self.match, "Commitment": self.commitment}
        if self.entropy:
            tags["Entropy"] = " ".join(f"{seat}:{word}" for seat, word in self.entropy.items())
        tags["FirstBy"] = "lot" if self.first_drawn else "choice"
        if self.secret is not None:
            tags["Secret"] = self.secret
        return tags

    @classmethod
    def of(cls, record: Record) -> Proof | None:
        """What a record tells; None if it has no ``Commitment``. ``BadRecord`` names the tag that is wrong."""
        tags = record.tags
        if "Commitment" not in tags:
            return None
        first_by = tags.get("FirstBy", "lot")
        if first_by not in ("lot", "choice"):
            raise BadRecord(f"the tag FirstBy must be lot or choice, not {first_by[:40]!r}")
        match, secret = tags.get("Match", ""), tags.get("Secret")
        if not _WORD.fullmatch(match):
            raise BadRecord("the tag Match must be the id of the match: 1 to 64 letters (A-Z, a-z), digits, - or _")
        for name, digits in (("Commitment", tags["Commitment"]), ("Secret", secret)):
            if digits is not None and not _DIGITS.fullmatch(digits):
                raise BadRecord(f"the tag {name} must have 64 hexadecimal digits (0-9, a-f), not {digits[:70]!r}")
        by_text = {str(seat): seat for seat in record.seats}
        entropy: dict[Seat, str] = {}
        for part in tags.get("Entropy", "").split():
            seat, _, word = part.partition(":")
            if seat not in by_text or by_text[seat] in entropy or not _WORD.fullmatch(word):
                raise BadRecord(f"the tag Entropy is written SEAT:WORD for each seat of {', '.join(by_text)}, not {part[:80]!r}")
            entropy[by_text[seat]] = word
        ordered = {seat: entropy[seat] for seat in record.seats if seat in entropy}
        return cls(match, tags["Commitment"], secret, ordered, first_by == "lot")


def max_lag_of(record: Record) -> int | None:
    """The tag ``MaxLag`` in ms; None if there is none. ``BadRecord`` if it is no number."""
    text = record.tags.get(MAX_LAG)
    if text is None:
        return None
    if not re.fullmatch(r"[0-9]{1,5}", text):
        raise BadRecord(f"the tag {MAX_LAG} must be a number of ms below 100000, not {text[:40]!r}")
    return int(text)
