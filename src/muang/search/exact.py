"""Owns whether a computer player plays exactly: whether every choice that it has comes from a solved table. Searches nothing."""

from __future__ import annotations

from typing import Any

from muang.games.core import Match
from muang.search.players import LEVELS, solved_tables

__all__ = ["plays_exactly"]

READS_TABLES = f"level-{LEVELS}"


def plays_exactly(name: str | None, match: Match) -> bool:
    """Whether the player of this name plays perfectly from here to the end of the round, or of the match where it has no rounds.

    So does the top level where a table holds every position that can follow: two players of Cờ cá ngựa, and the end of a round with few
    seeds in play. What a search may prove besides is not foreseen here.
    """
    tables = solved_tables()
    if name != READS_TABLES or tables is None or match.phase == "over":
        return False
    at: Any = match.position
    if match.game.name == "ca-ngua":
        return len(match.seats) == 2 and tables.horses(match.game, (int(match.seats[0]), int(match.seats[1]))) is not None
    if match.phase != "turn":
        return False
    table = tables.turns(match.game, at.widows)
    if table is None or table.low is not table.high:
        return False
    layout = at.game.layout
    stores = (layout.store(0), layout.store(1))
    in_play = sum(int(seeds) for place, seeds in enumerate(at.cells) if place not in stores)
    held = 0 if at.hand is None else int(at.hand[1])
    return in_play + held <= table.seeds
