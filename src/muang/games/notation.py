"""Owns the frame of a position's line: the game's name, then ``key=value`` fields. What the fields mean is each game's own matter."""

from __future__ import annotations

from collections.abc import Mapping

from muang.errors import BadPosition, BadRuleset
from muang.games.core import GAMES, Game, Position, game, text_of

__all__ = ["read_line", "read_rules", "write_line", "write_rules"]

LONGEST = 100_000


def write_rules(of: Game) -> str:
    """``trang,rounds:4``: the ruleset and the options that differ from it."""
    return ",".join([of.ruleset, *(f"{name}:{text_of(value)}" for name, value in sorted(of.changes().items()))])


def read_rules(name: str, text: str) -> Game:
    """The game that ``write_rules`` wrote. ``BadRuleset`` says what is wrong."""
    ruleset, *pairs = text.split(",")
    known = {option.name: option for option in game(name).option_list}
    changes = {}
    for pair in pairs:
        key, colon, value = pair.partition(":")
        if not colon or key not in known:
            raise BadRuleset(f"{name} has no option {pair!r}", allowed=known)
        changes[key] = known[key].read(value)
    return game(name, ruleset or None, **changes)


def write_line(of: Game, fields: Mapping[str, str]) -> str:
    """One line from a game and its fields, in the order given."""
    return " ".join([of.name, f"rules={write_rules(of)}", *(f"{key}={value}" for key, value in fields.items())])


def read_line(text: str) -> Position:
    """The position of a line. ``BadPosition`` or ``BadRuleset`` says what is wrong."""
    if len(text) > LONGEST:
        raise BadPosition(f"a position has at most {LONGEST} characters, this has {len(text)}")
    name, *words = text.split() or [""]
    if name not in GAMES:
        raise BadPosition(f"a position begins with the game's name, not {name[:40]!r}", allowed=GAMES)
    fields: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise BadPosition(f"cannot read {word[:60]!r}: fields are key=value")
        if key in fields:
            raise BadPosition(f"the field {key!r} stands twice")
        fields[key] = value
    of = read_rules(name, fields.pop("rules", ""))
    return of.read_position(fields)
