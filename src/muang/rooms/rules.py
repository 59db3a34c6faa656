"""Owns which versions of the rules a log can be replayed by, and the choices that the system makes for a player who does not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from muang.errors import MuangError
from muang.games.core import RULES_VERSION, Game, Match, Seat, game
from muang.wire import Setup

__all__ = ["ENGINES", "RulesVersion", "game_of", "start", "system_choice"]

ENGINES: Mapping[int, Callable[..., Game]] = {RULES_VERSION: game}
"""Rules version → how to build a game that plays by it. An old version stays here as long as its rules are kept in the package."""


class RulesVersion(MuangError):
    """A log that was written by rules which this Muang does not have."""

    code = "rules-version"


def game_of(setup: Setup) -> Game:
    """The game of a match, by the rules that its log was written with. ``RulesVersion`` if they are not here any more."""
    engine = ENGINES.get(setup.rules_version)
    if engine is None:
        known = ", ".join(str(version) for version in sorted(ENGINES))
        raise RulesVersion(
            f"match {setup.id} was played by version {setup.rules_version} of the rules; this Muang has {known} and cannot replay it"
        )
    return _made(engine, setup.game, setup.ruleset, tuple(setup.options.items()))


@lru_cache(maxsize=256)
def _made(engine: Callable[..., Game], name: str, ruleset: str, options: tuple[tuple[str, Any], ...]) -> Game:
    """One game for all matches by the same rules: it never changes, and its tables are a good part of what an idle match would keep."""
    return engine(name, ruleset, **dict(options))


def start(setup: Setup, seed: int | None = None, first: Seat | None = None) -> Match:
    """The match before its first input; ``seed`` and ``first`` where lots have been drawn since it was made.

    ``RulesVersion``, ``BadRuleset`` or ``BadAction``.
    """
    seats = tuple(seat.seat for seat in setup.seats)
    return game_of(setup).start(
        seed=setup.seed if seed is None else seed,
        pace=setup.pace,
        first=setup.first if first is None else first,
        seats=seats,
        tempo=setup.tempo,
        min_gap=setup.min_gap,
    )


def system_choice(match: Match, seat: Seat) -> str:
    """What the system plays for a seat that did not choose in time (MK-26, CN-42)."""
    legal = match.legal(seat)
    if match.game.name != "ca-ngua":
        return "drop" if "drop" in legal else min(legal, key=lambda hole: int(hole[1:]))
    farthest: str = match.farthest  # type: ignore[attr-defined]  # Cờ cá ngựa only
    return farthest
