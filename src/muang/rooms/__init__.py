"""Owns live matches: seats, screens, clocks, races in time, offers, absent players. Pure and synchronous; time is an argument.

Knows no socket, no database and no event loop.
"""

from muang.rooms.commands import (
    Answered,
    Command,
    Computed,
    Join,
    Order,
    Outcome,
    Outgoing,
    Part,
    Play,
    Rematched,
    Resync,
    Say,
    Sit,
    Timing,
    Visit,
    Wanted,
)
from muang.rooms.room import Room
from muang.rooms.rules import RulesVersion

__all__ = [
    "Answered",
    "Command",
    "Computed",
    "Join",
    "Order",
    "Outcome",
    "Outgoing",
    "Part",
    "Play",
    "Rematched",
    "Resync",
    "Room",
    "RulesVersion",
    "Say",
    "Sit",
    "Timing",
    "Visit",
    "Wanted",
]
