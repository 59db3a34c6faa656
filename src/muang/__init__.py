"""Muang: Mak Khum, Abalala'e and Cờ cá ngựa, exactly as they are described.

game = muang.game("mak-khum")
match = game.start(seed=7)
match = match.play("S", "S1")
"""

from muang.errors import (
    BadAction,
    BadPosition,
    BadRecord,
    BadRuleset,
    IllegalAction,
    MuangError,
    RulesError,
)
from muang.games.batch import batch
from muang.games.core import GAMES, Entry, Game, Match, Position, Result, game, lockstep, position

__all__ = [
    "GAMES",
    "BadAction",
    "BadPosition",
    "BadRecord",
    "BadRuleset",
    "Entry",
    "Game",
    "IllegalAction",
    "Match",
    "MuangError",
    "Position",
    "Result",
    "RulesError",
    "__version__",
    "batch",
    "game",
    "lockstep",
    "position",
]

__version__ = "0.1.0"
