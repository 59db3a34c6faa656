"""Owns who may be given a hint, and about what. Searches nothing.

A hint helps one side, so it is given only where nobody else is harmed: every seat in which a person sits, or to which one may come back,
is held by the screen that asks.
"""

from __future__ import annotations

from collections.abc import Iterable

from muang.errors import IllegalAction, NotYourSeat
from muang.games.core import Match, Seat
from muang.rooms.room import Room

__all__ = ["hint_seat"]

STEPS = ("drop", "slip")


def hint_seat(room: Room, tokens: Iterable[str]) -> tuple[Match, Seat]:
    """The match and the seat that a hint would be about now. ``NotYourSeat`` or ``IllegalAction`` says why there is none."""
    held = room.seats_of(tokens)
    people = [seat for seat, chair in room.state.chairs.items() if chair.kind != "computer" or chair.token is not None]
    if not people or not set(people) & set(held):
        raise NotYourSeat("hints are for who plays here")
    if any(seat not in held for seat in people):
        raise IllegalAction("there are no hints where people play against each other from different screens")
    match = room.shown
    if match.phase == "over":
        raise IllegalAction("the match is over")
    for seat in match.to_act:
        if seat in people and any(action not in STEPS for action in match.legal(seat)):
            return match, seat
    raise IllegalAction("there is nothing to choose now")
