"""Owns a race at the paces ``steady`` and ``by_hand``: a pure function of its inputs and their times (MK-24). Reads no clock.

Steps fall due at whole milliseconds since the race began. Of several at one millisecond, the seat that stepped longer ago goes
first. An input that comes late is the caller's matter: it builds the race anew from its inputs (``LiveRace.again``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from muang.games.core import Event
from muang.games.sowing.kernel import DIED, KINDS, RESTED, WALKING, advance, lift, row_mask, slip
from muang.games.sowing.layout import PLACES, RACE, SEATS, SPILL, Layout

__all__ = ["Input", "LiveRace", "rows_to_events"]

Input = tuple[int, str, int]
"""(seat, action, ms since the race began)"""

FOREVER = 1 << 62


_COUNTED = frozenset({KINDS.index("lift"), KINDS.index("capture")})


@cache
def _plain(names: tuple[str, ...]) -> list[Event | None]:
    """Every event that counts nothing, by kind, seat and place: a walk has dozens of them, and they are always the same few."""
    return [
        (SEATS[seat], what, names[place]) if place < len(names) and kind not in _COUNTED else None
        for kind, what in enumerate(KINDS)
        for seat in (0, 1)
        for place in range(PLACES)
    ]


def rows_to_events(rows: NDArray[np.int16], names: tuple[str, ...]) -> list[Event]:
    """Trace rows as events: ``("S", "lift", "S3", 7)``, ``("S", "drop", "S4")``."""
    plain = _plain(names)
    codes = ((rows[:, 0] * 2 + rows[:, 1]) * PLACES + rows[:, 2]).tolist()
    events: list[Event] = []
    for at, code in enumerate(codes):
        event = plain[code]
        if event is None:
            kind, seat, place, count = rows[at].tolist()
            event = (SEATS[seat], KINDS[kind], names[place], count)
        events.append(event)
    return events


@dataclass(slots=True)
class LiveRace:
    """A race in time. Mutable while it is driven; ``copy`` before driving what a match holds.

    ``board`` uint8[32], ``hands`` int64[2, 3] as in ``kernel``; ``last`` (ms, order) of each seat's last step or None; ``deaths`` seats in
    order; ``won`` the seat that an endless race goes to (AB-45), else None; ``told`` the number of events that ``drive`` has given.
    """

    layout: Layout
    rules: NDArray[Any]
    widows: int
    pace: str
    tempo: int
    min_gap: int
    slips: bool
    first: int
    board: NDArray[np.uint8]
    hands: NDArray[np.int64] = field(default_factory=lambda: np.zeros((2, 3), np.int64))
    last: list[tuple[int, int] | None] = field(default_factory=lambda: [None, None])
    now: int = 0
    steps: int = 0
    stepped_first: int | None = None
    deaths: list[int] = field(default_factory=list)
    spills: list[bool] = field(default_factory=lambda: [False, False])
    won: int | None = None
    seen: set[bytes] | None = None
    inputs: list[Input] = field(default_factory=list)
    over: bool = False
    told: int = 0

    def copy(self) -> LiveRace:
        """The same race, to be driven on its own."""
        return LiveRace(
            self.layout, self.rules, self.widows, self.pace, self.tempo, self.min_gap, self.slips, self.first,
            self.board.copy(), self.hands.copy(), list(self.last), self.now, self.steps, self.stepped_first,
            list(self.deaths), list(self.spills), self.won, None if self.seen is None else set(self.seen), list(self.inputs), self.over,
            self.told,
        )  # fmt: skip

    def begin(self) -> list[Event]:
        """AB-20: the system lifts hole 1 of both at the start signal. Mak Khum begins with nothing in the hands."""
        events: list[Event] = []
        if self.rules[0]["race_mode"] == 2:
            for seat in (self.first, 1 - self.first):
                self._step(seat, self.layout.names[self.layout.base(seat)], 0, events)
            if self.pace == "steady":
                self.seen = {self._situation()}
        return events

    @property
    def next_due(self) -> int | None:
        """The ms of the next drop that happens by itself, or None."""
        if self.over or self.pace != "steady":
            return None
        due = [self._due(seat) for seat in (0, 1) if self.hands[seat, 1] > 0]
        return min(due) if due else None

    def _due(self, seat: int) -> int:
        last = self.last[seat]
        return self.tempo if last is None else last[0] + self.tempo

    def earliest(self, seat: int) -> int:
        """The first ms, from now on, at which an input of a seat is not too early."""
        last = self.last[seat]
        if self.pace == "by_hand" and last is not None:
            return max(self.now, last[0] + self.min_gap)
        return self.now

    def possible(self, seat: int) -> list[str]:
        """What the hand of a seat can do, times aside."""
        if self.over or seat in self.deaths:
            return []
        if self.hands[seat, 1] > 0:
            if self.pace == "steady":
                return []
            return ["drop", "slip"] if self._faces_widow(seat) else ["drop"]
        mask = row_mask(self.rules, self.board, seat)
        base = self.layout.base(seat)
        return [self.layout.names[base + i] for i in range(self.layout.holes) if mask >> i & 1]

    def _faces_widow(self, seat: int) -> bool:
        following = int(self.rules[0]["next"][seat, self.hands[seat, 0]])
        return self.slips and bool(self.widows >> following & 1)

    def drive(self, inputs: Iterable[Input], until: int) -> list[Event]:
        """Let time pass to ``until`` (inclusive) with these further inputs, none of them before ``now``. Gives what happened."""
        events: list[Event] = []
        waiting = sorted(inputs, key=lambda item: item[2])
        self.inputs += waiting
        while not self.over:
            due = self.next_due
            ms = FOREVER if due is None else due
            if waiting:
                ms = min(ms, waiting[0][2])
            if ms > until or ms == FOREVER:
                break
            here = [item for item in waiting if item[2] == ms]
            waiting = waiting[len(here) :]
            self._moment(ms, here, events)
        for seat, action, ms in waiting:
            self.now = max(self.now, ms)
            events.append((SEATS[seat], "void", action))
        if until < FOREVER and not self.over:
            self.now = max(self.now, until)
        self.told += len(events)
        return events

    def _moment(self, ms: int, inputs: list[Input], events: list[Event]) -> None:
        """All that is due at one millisecond, the seat that stepped longer ago first (MK-24)."""
        self.now = ms
        queues: list[list[str]] = [[], []]
        own = [self.pace == "steady" and bool(self.hands[seat, 1] > 0) and self._due(seat) == ms for seat in (0, 1)]
        for seat in (0, 1):
            if own[seat]:
                queues[seat].append("drop")
            queues[seat] += [action for who, action, _ in inputs if who == seat]
        while (queues[0] or queues[1]) and not self.over:
            seat = min((seat for seat in (0, 1) if queues[seat]), key=self._age)
            action = queues[seat].pop(0)
            if own[seat]:
                own[seat] = False
                self._step(seat, action, ms, events)
            elif self._void(seat, action, ms):
                events.append((SEATS[seat], "void", action))
            else:
                self._step(seat, action, ms, events)
        events += [(SEATS[seat], "void", action) for seat in (0, 1) for action in queues[seat]]

    def _age(self, seat: int) -> tuple[int, int, int]:
        last = self.last[seat]
        return (-1, -1, 0 if seat == self.first else 1) if last is None else (*last, 0)

    def _void(self, seat: int, action: str, ms: int) -> bool:
        last = self.last[seat]
        if self.pace == "by_hand" and last is not None and ms - last[0] < self.min_gap:
            return True
        return action not in self.possible(seat)

    def _step(self, seat: int, action: str, ms: int, events: list[Event]) -> None:
        trace = np.empty((8, 4), np.int16)
        state = WALKING
        if action == "drop":
            phase = SPILL if self.spills[seat] else RACE
            state, _, n = advance(self.rules, self.board, self.hands, seat, phase, 1, self.widows, trace, 0)
        elif action == "slip":
            state, n = slip(self.rules, self.board, self.hands, seat, trace, 0)
        else:
            n = lift(self.board, self.hands, seat, self.layout.index[action], trace, 0)
        events += rows_to_events(trace[:n], self.layout.names)
        self.last[seat] = (ms, self.steps)
        self.steps += 1
        if self.stepped_first is None:
            self.stepped_first = seat
        self._settle(seat, state)

    def _settle(self, seat: int, state: int) -> None:
        """MK-22, MK-23, AB-22, AB-23 and AB-45 after a step."""
        g = self.rules[0]
        if g["race_mode"] != 0:
            if state == DIED or (state == RESTED and g["rest_ends"]):
                self._bury(seat)
            if g["race_mode"] == 1:
                for each in (seat, 1 - seat):  # a hand that should choose and has no seed has died
                    if self.hands[each, 1] == 0 and each not in self.deaths and row_mask(self.rules, self.board, each) == 0:
                        self._bury(each)
            self.over = len(self.deaths) == 2
            if g["cyclic"] and not self.over and self.won is None:
                self._look_for_return()
        elif self.hands[0, 1] == 0 and self.hands[1, 1] == 0:
            self.over = any(row_mask(self.rules, self.board, each) == 0 for each in (0, 1))

    def _bury(self, seat: int) -> None:
        self.deaths.append(seat)
        if self.rules[0]["stop_lap"]:
            self.spills[1 - seat] = True

    def _situation(self) -> bytes:
        hands = [tuple(self.hands[seat, :2].tolist()) if self.hands[seat, 1] > 0 else None for seat in (0, 1)]
        return self.board.tobytes() + repr((hands, sorted(self.deaths))).encode()

    def _look_for_return(self) -> None:
        """AB-45: at ``by_hand`` only a lone hand is tested."""
        if self.pace == "by_hand" and not self.deaths:
            return
        situation = self._situation()
        if self.seen is None:
            self.seen = set()
        elif situation in self.seen:
            self.won = self.deaths[0] if self.deaths else self.stepped_first
            self.spills = [True, True]
        self.seen.add(situation)

    @property
    def winner(self) -> int | None:
        """The seat that has won a race whose deaths count: it moves first in the turns."""
        if self.won is not None:
            return self.won
        return self.deaths[0] if self.deaths else None
