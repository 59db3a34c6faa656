"""Owns live matches: seats, screens, clocks, races in time, offers, absent players. Pure and synchronous; time is an argument.

Knows no socket, no database and no event loop.
"""

from muang.rooms.commands import Command, Computed, Join, Order, Outcome, Outgoing, Part, Play, Resync, Timing, Wanted
from muang.rooms.room import Room
from muang.rooms.rules import RulesVersion

__all__ = [
    "Command",
    "Computed",
    "Join",
    "Order",
    "Outcome",
    "Outgoing",
    "Part",
    "Play",
    "Resync",
    "Room",
    "RulesVersion",
    "Timing",
    "Wanted",
]
