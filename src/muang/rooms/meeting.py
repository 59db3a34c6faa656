"""Owns how people come to a table: free seats, the first time somebody is there, the beginning; and the table after this one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from muang.errors import BadAction, IllegalAction, SeatTaken
from muang.games.core import Seat
from muang.rooms.commands import Sit
from muang.search.players import PLAYERS
from muang.wire import LogEntry, SeatSetup, Setup

if TYPE_CHECKING:
    from muang.rooms.people import Screen
    from muang.rooms.room import Room

__all__ = ["again", "begin_if_all_are_there", "fill", "make_again", "met", "sit", "wants_again"]


def sit(room: Room, command: Sit, now: int) -> None:
    """Somebody takes a free seat. ``SeatTaken`` or ``BadAction`` says why not."""
    chairs = room.state.chairs
    free = [seat for seat, chair in chairs.items() if chair.kind == "open"]
    seat = command.seat if command.seat is not None else next(iter(free), None)
    if seat is not None and seat not in chairs:
        raise BadAction(f"there is no seat {seat}", allowed=tuple(chairs))
    if seat is None or seat not in free:
        raise SeatTaken("no seat is free" if not free else f"seat {seat} is taken; free: {', '.join(map(str, free))}")
    if any(chair.token == command.token for chair in chairs.values()):
        raise SeatTaken("this token holds a seat already")
    entry = LogEntry(kind="sit", seat=seat, name=command.name, token=command.token, entropy=command.entropy)
    room.record(entry, now)
    room.people.gone.setdefault(seat, now)  # no screen holds it yet: waited for like one that has lost its screen
    begin_if_all_are_there(room, now)


def met(room: Room, screen: Screen, entropy: str | None, now: int) -> None:
    """The players of a screen are there for the first time."""
    if room.state.begun:
        return
    for seat in screen.seats:
        if room.state.chairs[seat].kind == "person" and seat not in room.state.met:
            room.record(LogEntry(kind="sit", seat=seat, entropy=entropy), now)
    begin_if_all_are_there(room, now)


def fill(room: Room, seat: Seat | None, name: str | None, number: tuple[str, int], now: int) -> None:
    """The computer ``name`` takes a free seat. ``number``: the command's client and ``n``."""
    free = [one for one, chair in room.state.chairs.items() if chair.kind == "open"]
    if seat not in free:
        raise IllegalAction(f"seat {seat} is not free", allowed=free)
    if name not in PLAYERS:
        raise BadAction(f"there is no computer player {name!r}", allowed=PLAYERS)
    room.record(LogEntry(kind="seat", seat=seat, action=f"computer:{name}", client=number[0], n=number[1]), now)
    begin_if_all_are_there(room, now)


def begin_if_all_are_there(room: Room, now: int) -> None:
    """Settle all lots and begin."""
    if room.state.can_begin:
        room.record(LogEntry(kind="begin", by="system"), now)


def wants_again(room: Room, seat: Seat, number: tuple[str, int], now: int) -> None:
    """A player wants the same match again; when all people do, it is made. ``number``: the command's client and ``n``."""
    if room.shown.phase != "over":
        raise IllegalAction("the match is not over")
    if seat not in room.state.again_by:
        room.record(LogEntry(kind="again", seat=seat, client=number[0], n=number[1]), now)
    make_again(room, now)


def make_again(room: Room, now: int) -> None:
    """Have the next match made, if everybody wants it and it is not: also where the server has ended in between."""
    state = room.state
    people = {one for one, chair in state.chairs.items() if chair.kind == "person"}
    if state.again_by and people <= state.again_by and state.again_match is None:
        room.want(again(room, now))


def again(room: Room, now: int) -> Setup:
    """The same match with everybody in the next seat: tokens, names and computers move on. Who is first is drawn anew."""
    setup, chairs = room.state.setup, list(room.state.chairs.values())
    seats = []
    for before, chair in zip([chairs[-1], *chairs[:-1]], chairs, strict=True):
        kind = "person" if before.token is not None else "computer"
        player = None if kind == "person" else before.player or "level-2"
        seats.append(
            SeatSetup.model_validate(
                {"seat": chair.seat, "kind": kind, "name": before.name if kind == "person" else "", "player": player, "token": before.token}
            )
        )
    return setup.model_copy(
        update={"seats": tuple(seats), "first": None, "again": setup.id, "created": now, "secret": None, "seed": 0, "public": False}
    )
