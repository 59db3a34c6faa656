"""Races in time: ``steady`` and ``by_hand`` as a pure function of inputs and their milliseconds (MK-24, MK-23, AB-20, AB-45).

An input is ``(at, seat, action)``: ``at`` ms since the race began, ``action`` a hole, ``"drop"`` or ``"slip"``. Two readings of MK-24 that
the text leaves open: the ``min_gap`` of ``by_hand`` holds for every input of a hand, its lifts and slips too, and means
``at - last_step < min_gap``; a drop of a ``steady`` hand that is due at the millisecond of an input of the same seat comes first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from oracle.sowing import SEATS, Event, Race, Rules

Input = tuple[int, str, str]


class LiveRace:
    """A race in time. ``until`` lets time pass, ``play`` takes one input; inputs come in the order of the record."""

    def __init__(self, rules: Rules, board: Mapping[str, int | None], first: str, pace: str, tempo: int = 250, min_gap: int = 80) -> None:
        assert pace in ("steady", "by_hand")
        self.pace, self.tempo, self.min_gap, self.first = pace, tempo, min_gap, first
        self.now = 0
        self.stepped_at: dict[str, int] = {}
        self.count = 0
        self.order: dict[str, int] = {}  # the number of each seat's last step
        self.timed: list[tuple[int, list[Event]]] = []  # each step with its ms
        self.race = Race(rules, board, first, pace)
        for seat in self.race.steps:  # Abalala'e: the system has lifted both hands at 0
            self._note(0, seat)
        if self.race.events:
            self.timed = [(0, [event]) for event in self.race.events]

    def _note(self, ms: int, seat: str) -> None:
        self.stepped_at[seat] = ms
        self.count += 1
        self.order[seat] = self.count

    def longest_ago(self, seats: Sequence[str]) -> str:
        """MK-24: of several seats with a step at the same ms, the one that goes first."""
        if len(set(seats)) == 1:
            return seats[0]
        if not self.order:
            return self.first
        return min(seats, key=lambda seat: self.order.get(seat, 0))

    def due(self, seat: str) -> int | None:
        """When ``seat`` drops by itself: ``steady`` only."""
        if self.pace != "steady" or not self.race.walking(seat) or self.race.over:
            return None
        return self.stepped_at[seat] + self.tempo

    @property
    def next_due(self) -> int | None:
        times = [ms for ms in map(self.due, SEATS) if ms is not None]
        return min(times) if times else None

    def _drop_due(self, ms: int) -> None:
        """The one drop due at ``ms`` that goes first."""
        seat = self.longest_ago([seat for seat in SEATS if self.due(seat) == ms])
        self._step(ms, seat, "drop")

    def _step(self, ms: int, seat: str, action: str) -> None:
        known = len(self.race.events)
        if action == "drop":
            self.race.drop(seat)
        elif action == "slip":
            self.race.slip(seat)
        else:
            self.race.lift(seat, action)
        self._note(ms, seat)
        self.timed.append((ms, self.race.events[known:]))

    def until(self, ms: int | None = None, *, before: bool = False) -> None:
        """Let time pass: drops due up to ``ms`` happen (``before``: up to but not at it); None: all that ever fall due by themselves."""
        while (when := self.next_due) is not None and (ms is None or when < ms or (when == ms and not before)):
            self.now = when
            self._drop_due(when)
        if ms is not None:
            self.now = max(self.now, ms)

    def possible(self, seat: str, action: str, ms: int) -> bool:
        """Whether an input does anything at its moment; if not it is void."""
        race = self.race
        if self.pace == "by_hand" and seat in self.stepped_at and ms - self.stepped_at[seat] < self.min_gap:
            return False
        if action == "drop":
            return self.pace == "by_hand" and race.walking(seat)
        if action == "slip":
            return self.pace == "by_hand" and race.table.can_slip(seat)
        return race.can_lift(seat) and action in race.choices(seat)

    def play(self, ms: int, seat: str, action: str) -> str:
        """One input: ``"done"``, ``"void"``, or ``"late"`` if the race was over before it. The last two leave a void event."""
        assert ms >= self.now, "inputs come in order"
        self.until(ms, before=True)
        # drops due at the very same ms: those that go before this input
        while self.next_due == ms:
            rivals = [other for other in SEATS if self.due(other) == ms]
            if seat not in rivals and self.longest_ago([*rivals, seat]) == seat:
                break
            self._drop_due(ms)
        late = self.race.over
        if late or not self.possible(seat, action, ms):
            self.race.events.append([seat, "void", action])
            return "late" if late else "void"
        self.now = ms
        self._step(ms, seat, action)
        return "done"


def live_race(
    rules: Rules,
    board: Mapping[str, int | None],
    first: str,
    pace: str,
    inputs: Iterable[Input],
    tempo: int = 250,
    min_gap: int = 80,
    until: int | None = None,
) -> tuple[LiveRace, list[tuple[Input, str]]]:
    """The race that these inputs make, in whatever order they are given, as it stands at ``until`` (None: when nothing more happens).

    Also the inputs in the order in which they counted, each ``"done"``, ``"void"`` or ``"late"``. At the same millisecond the seat that
    stepped longer ago goes first; inputs of one seat keep their order.
    """
    live = LiveRace(rules, board, first, pace, tempo, min_gap)
    queues = {seat: sorted((one for one in inputs if one[1] == seat), key=lambda one: one[0]) for seat in SEATS}
    fates: list[tuple[Input, str]] = []
    while heads := [queue[0] for queue in queues.values() if queue]:
        ms = min(head[0] for head in heads)
        live.until(ms, before=True)
        asking = {head[1] for head in heads if head[0] == ms}
        dropping = {seat for seat in SEATS if live.due(seat) == ms}
        seat = live.longest_ago(sorted(asking | dropping))
        if seat in dropping:
            live._drop_due(ms)
        else:
            one = queues[seat].pop(0)
            fates.append((one, live.play(*one)))
    live.until(until)
    return live, fates
