"""Owns a match of Cờ cá ngựa from Python: checks every input, lets the kernel move, keeps the log. Knows no clock and draws no dice.

One input is one transition: a roll, a choice, or a seat that leaves. A roll without a move is over within the same transition
(event ``no-move``, CN-13). Events, seat first:

``(seat, "roll", d1, d2)`` · ``(seat, "enter", 0)`` · ``(seat, "step", from, to)`` · ``(seat, "kick", other, place)`` ·
``(seat, "no-move")`` · ``(seat, "pass")`` · ``(seat, "leave")`` · ``(seat, "win", reason)``

``from`` and ``to`` are the mover's own places; ``place`` is where the kicked horse stood, in the kicked seat's own progress (CN-3).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from muang.errors import BadAction, IllegalAction
from muang.games.ca_ngua import kernel
from muang.games.ca_ngua.position import PASS, CaNguaPosition, Move, place_of
from muang.games.ca_ngua.rules import CaNgua
from muang.games.core import Entry, Event, Match, Result, Seat

__all__ = ["LEAVE_REASONS", "CaNguaMatch"]

LEAVE_REASONS = ("left", "resigned", "flag")
_WIN_REASONS = ("horses", "last-left")


class CaNguaMatch(Match):
    """A match as it stands; ``play``, ``roll`` and ``leave`` give the next one. Made by ``CaNgua.start`` or ``CaNguaPosition.start``."""

    game: CaNgua
    seats: tuple[int, ...]
    first: int

    __slots__ = ("_before", "_events", "_log", "_position", "beginning", "first", "game", "pace", "rolls", "seats", "seed")

    def __init__(
        self,
        position: CaNguaPosition,
        beginning: CaNguaPosition,
        seed: int,
        pace: str,
        rolls: int,
        before: CaNguaPosition | None,
        log: tuple[Entry, ...],
    ) -> None:
        self.game, self.seats, self._position = position.game, position.seats, position
        self.beginning = beginning
        """The position that the log starts from."""
        turn = beginning.turn
        self.first = turn if turn is not None else beginning.seats[0]
        self.seed, self.pace = seed, pace
        self.rolls = rolls
        """How many rolls the log holds: the number of the next one, counted from 0."""
        self._before, self._log = before, log
        self._events: tuple[Event, ...] | None = None

    @classmethod
    def begin(cls, position: CaNguaPosition, *, seed: int = 0, pace: str = "lockstep") -> CaNguaMatch:
        """A match that starts at ``position``, which is trusted."""
        return cls(position, position, seed, pace, 0, None, ())

    @property
    def phase(self) -> str:
        return self._position.phase

    @property
    def turn(self) -> int | None:
        return self._position.turn

    @property
    def to_act(self) -> tuple[Seat, ...]:
        return self._position.to_act

    @property
    def events(self) -> tuple[Event, ...]:
        """What the last transition did: told on demand, by making it again with a trace."""
        if self._events is None:
            self._events = _told(self._before, self._log[-1]) if self._before else ()
        return self._events

    @property
    def log(self) -> tuple[Entry, ...]:
        return self._log

    @property
    def position(self) -> CaNguaPosition:
        return self._position

    @property
    def result(self) -> Result | None:
        at = self._position
        return Result(at.winner, {}, {}, at.reason or "") if at.over else None

    def view(self) -> dict[str, Any]:
        """The position's plain data: this game hides nothing."""
        return self._position.view()

    def legal(self, seat: Seat) -> tuple[str, ...]:
        """The actions of ``seat`` in the order of CN-40, an extra choice's ``pass`` last; empty if it is not to act."""
        return self._position.actions if seat in self._position.to_act else ()

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the choice that is due, in the order of CN-40, with whom they kick; without a pass."""
        return self._position.moves

    @property
    def farthest(self) -> str | None:
        """What the system chooses when the time is over (CN-42): the move over most squares, of equal ones that of the horse ahead;
        an entry counts 0 and a climb 1. An extra choice is passed. None if no choice is due."""
        at = self._position
        if at.phase != "move":
            return None
        if at.extra:
            return PASS
        track = self.game.options["track"]

        def squares(move: Move) -> tuple[int, int]:
            stored, reached = kernel.move_ends(at.key, track, self.game.numbers[2], move.number)
            return (0 if stored == 0 else reached - stored, reached)

        return max(at.moves, key=squares).action

    def play(self, seat: Seat, action: str, at: int | None = None) -> CaNguaMatch:
        """The match after ``seat`` has chosen ``action``. ``at`` means nothing here: this game has no race.

        ``IllegalAction`` if the seat is not to act or the rules do not allow it; ``BadAction`` if it cannot be read.
        """
        here = self._position
        self._check_seat(seat)
        if here.over:
            raise IllegalAction("the game is over", clause="CN-30" if here.reason == "horses" else "CN-31")
        if seat != here.turn:
            raise IllegalAction(f"it is seat {here.turn}'s turn, not seat {seat}'s", clause="CN-14", allowed=(f"seat {here.turn}",))
        if here.phase == "roll":
            raise IllegalAction("the dice have not been rolled yet", clause="CN-10", allowed=("a roll",))
        number = here.choices.get(action, -1) if isinstance(action, str) else -1
        if number < 0:
            raise _refusal(here, action)
        track, doubles, gate, _ = self.game.numbers
        key, _ = kernel.play(here.key, track, doubles, gate, number, None)
        return self._next(key, Entry("play", seat, action))

    def roll(self, dice: tuple[int, int]) -> CaNguaMatch:
        """The match after the roll that is due (CN-10). ``BadAction`` unless ``dice`` are two whole numbers from 1 to 6."""
        here = self._position
        if not (isinstance(dice, (tuple, list)) and len(dice) == 2 and all(type(die) is int and 1 <= die <= 6 for die in dice)):
            raise BadAction(f"the dice cannot be {dice!r}"[:100], clause="CN-10", allowed=("two numbers from 1 to 6",))
        if here.over:
            raise IllegalAction("the game is over", clause="CN-30" if here.reason == "horses" else "CN-31")
        if here.phase == "move":
            raise IllegalAction(f"seat {here.turn} has to choose first", clause="CN-13", allowed=here.actions)
        first, second = dice
        key, _ = kernel.roll(here.key, *self.game.numbers, first, second, None)
        return self._next(key, Entry("roll", here.turn, dice=(first, second)))

    def leave(self, seat: Seat, reason: str = "left") -> CaNguaMatch:
        """The match after ``seat`` has gone (CN-31). ``reason``: ``left`` · ``resigned`` · ``flag``; the log keeps it."""
        here = self._position
        self._check_seat(seat)
        if reason not in LEAVE_REASONS:
            raise BadAction(f"nobody leaves for {reason!r}"[:100], clause="CN-31", allowed=LEAVE_REASONS)
        if here.over:
            raise IllegalAction("the game is over", clause="CN-30" if here.reason == "horses" else "CN-31")
        if seat not in here.playing:
            raise IllegalAction(f"seat {seat} has left already", clause="CN-31", allowed=here.playing)
        key, _ = kernel.leave(here.key, seat, None)
        return self._next(key, Entry("leave", seat, reason))

    def _check_seat(self, seat: Seat) -> None:
        if type(seat) is not int or seat not in self.seats:
            raise BadAction(f"there is no seat {seat!r}"[:100], clause="CN-2", allowed=self.seats)

    def _next(self, key: int, entry: Entry) -> CaNguaMatch:
        position = CaNguaPosition(self.game, self.seats, int(key))
        rolls = self.rolls + 1 if entry.kind == "roll" else self.rolls
        return CaNguaMatch(position, self.beginning, self.seed, self.pace, rolls, self._position, (*self._log, entry))

    def __repr__(self) -> str:
        return f"<match: {self._position}>"


def _told(before: CaNguaPosition, entry: Entry) -> tuple[Event, ...]:
    """The events of one entry that was made at ``before``."""
    numbers = before.game.numbers
    track, doubles, gate, _ = numbers
    trace = np.empty((kernel.TRACE_ROWS, 4), np.int16)
    if entry.dice is not None:
        _, rows = kernel.roll(before.key, *numbers, *entry.dice, trace)
    elif isinstance(entry.seat, int) and entry.kind == "leave":
        _, rows = kernel.leave(before.key, entry.seat, trace)
    else:
        _, rows = kernel.play(before.key, track, doubles, gate, before.choices[entry.action or ""], trace)
    return tuple(_event(row, track) for row in trace[:rows].tolist())


def _event(row: list[int], track: int) -> Event:
    """One row of the kernel's trace as an event."""
    kind, seat, a, b = row
    if kind == kernel.EVENT_ROLL:
        return (seat, "roll", a, b)
    if kind == kernel.EVENT_ENTER:
        return (seat, "enter", b)
    if kind == kernel.EVENT_STEP:
        return (seat, "step", place_of(a + 1, track), place_of(b + 1, track))
    if kind == kernel.EVENT_KICK:
        return (seat, "kick", a, place_of(b + 1, track))
    if kind == kernel.EVENT_WIN:
        return (seat, "win", _WIN_REASONS[a])
    return (seat, {kernel.EVENT_NO_MOVE: "no-move", kernel.EVENT_PASS: "pass", kernel.EVENT_LEAVE: "leave"}[kind])


def _refusal(here: CaNguaPosition, action: object) -> BadAction | IllegalAction:
    """The error that says why an action is not among those allowed, with the clause that forbids it where one can be named."""
    if action == PASS:
        return IllegalAction("a roll with a move cannot be passed", clause="CN-13", allowed=here.actions)
    track = here.game.options["track"]
    ends = action.split("-") if isinstance(action, str) else []
    names = {str(place_of(stored, track)): stored for stored in range(track + 5)}
    if len(ends) != 2 or ends[0] not in names or ends[1] not in names:
        return BadAction(f"cannot read the action {action!r}"[:100], clause="CN-3", allowed=here.actions)
    start, end = names[ends[0]], names[ends[1]]
    seat, dice = here.turn or 0, here.dice or (0, 0)
    own = [here.key >> (12 * seat) & 63, here.key >> (12 * seat + 6) & 63]
    if start not in own:
        return IllegalAction(f"seat {seat} has no horse on {ends[0]}", clause="CN-3", allowed=here.actions)
    if end in own and end:
        return IllegalAction(f"an own horse stands on {ends[1]}", clause="CN-24", allowed=here.actions)
    if here.extra:
        clause, why = "CN-22", f"the extra choice is one horse by {dice[0]}, or a pass"
    elif start == 0:
        clause, why = "CN-20", "a horse enters on its start, after doubles or a 1 and a 6"
    elif start > track:
        clause, why = "CN-26", "in the lane a horse climbs one slot, after doubles, a 1 and a 6, or a total of that slot's number"
    elif start == track and here.game.options["gate"] == "climb":
        clause, why = "CN-25", "from the gate a horse climbs into slot 1, after doubles or a 1 and a 6"
    elif end - start not in (sum(dice), dice[0] if dice[0] == dice[1] else 0):
        clause, why = "CN-21", f"{dice[0]} and {dice[1]} do not move a horse from {ends[0]} to {ends[1]}"
    elif dice[0] == dice[1] and end - start == dice[0] and here.game.options["doubles"] != "face":
        clause, why = "CN-22", f"doubles move by the total with doubles {here.game.options['doubles']}"
    elif here.game.options["gate"] != "run_in" and start < track < end:
        clause, why = "CN-25", "a horse short of the gate cannot pass it"
    else:
        clause, why = "CN-23", f"a horse stands between {ends[0]} and {ends[1]}"
    return IllegalAction(why, clause=clause, allowed=here.actions)
