"""The one tree of errors. Owns their names, clause ids and wire codes; raises nothing itself.

MuangError
├── RulesError (ValueError)      has .clause and .allowed
│   ├── BadPosition              a position that cannot be read or cannot exist
│   ├── BadAction                an action that cannot be read
│   ├── IllegalAction            a readable action that the rules do not allow here
│   └── BadRuleset               an unknown or contradictory ruleset or option
├── BadRecord (ValueError)       a record that cannot be read or does not replay
├── TableMissing                there is no solved table for these rules
├── BadTable                    a file that is no table, is damaged, or belongs to other rules
├── NotEnough                   the memory or the disk does not hold what was asked for
├── MissingExtra (ImportError)   a package that only an extra brings; the message names the extra
└── WireError
    ├── BadFrame
    ├── StaleVersion
    ├── NotYourSeat
    ├── SeatTaken
    └── RateLimited
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = [
    "BadAction",
    "BadFrame",
    "BadPosition",
    "BadRecord",
    "BadRuleset",
    "BadTable",
    "IllegalAction",
    "MissingExtra",
    "MuangError",
    "NotEnough",
    "NotYourSeat",
    "RateLimited",
    "RulesError",
    "SeatTaken",
    "StaleVersion",
    "TableMissing",
    "WireError",
]


class MuangError(Exception):
    """Base of every error that Muang raises on purpose. ``code`` is its name on the wire."""

    code = "error"

    @property
    def told(self) -> str:
        """What anybody may be told of it."""
        return str(self)


class RulesError(MuangError, ValueError):
    """Something that the rules do not allow.

    ``clause`` is the id of the rule (``"MK-10"``) or ``""``; ``allowed`` lists what would have been accepted.
    """

    code = "rules"

    def __init__(self, message: str, *, clause: str = "", allowed: Iterable[object] = ()) -> None:
        self.clause = clause
        self.allowed = tuple(str(item) for item in allowed)
        self.reason = message
        text = f"{clause}: {message}" if clause else message
        if self.allowed:
            text += f" (allowed: {', '.join(self.allowed)})"
        super().__init__(text)


class BadPosition(RulesError):
    code = "bad-position"


class BadAction(RulesError):
    code = "bad-action"


class IllegalAction(RulesError):
    code = "illegal-action"


class BadRuleset(RulesError):
    code = "bad-ruleset"


class BadRecord(MuangError, ValueError):
    """A record that cannot be read, or that does not replay; ``entry`` is the number of the action where it stops (from 1)."""

    code = "bad-record"

    def __init__(self, message: str, *, entry: int | None = None) -> None:
        self.entry = entry
        super().__init__(message if entry is None else f"action {entry}: {message}")


class TableMissing(MuangError):
    code = "table-missing"


class BadTable(MuangError):
    code = "bad-table"


class NotEnough(MuangError):
    code = "not-enough"


class MissingExtra(MuangError, ImportError):
    """A package that comes with an extra is not installed: ``MissingExtra("pettingzoo", "rl", "the PettingZoo environments")``."""

    code = "missing-extra"

    def __init__(self, package: str, extra: str, what: str) -> None:
        self.package, self.extra = package, extra
        super().__init__(f"{what} need the package {package}, which is not installed: pip install 'muang[{extra}]'")


class WireError(MuangError):
    code = "wire"


class BadFrame(WireError):
    code = "bad-frame"


class StaleVersion(WireError):
    code = "stale-version"


class NotYourSeat(WireError):
    code = "not-your-seat"


class SeatTaken(WireError):
    """The seat that somebody wants is not free."""

    code = "seat-taken"


class RateLimited(WireError):
    code = "rate-limited"
