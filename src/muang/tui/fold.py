"""Owns the reading of a trace: what each event does to counts, hands and horses, what a move leaves to be marked, how it is ticked off.

Pure: no widget and no clock. It repeats what events say and knows no rule. How long a tick lasts is as on the page, in ms at normal speed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

__all__ = ["Board", "Mark", "Tick", "ticks"]

Event = Sequence[Any]

DROP = 250.0
"""How long one seed takes; later laps of a walk go faster."""
LONGEST = 24_000.0
"""No trace takes longer."""
WEIGHT = {"drop": 1.0, "slip": 1.2, "lift": 0.7, "capture": 1.6, "rest": 0.5, "die": 0.7, "sweep": 3.0}
"""Shares of a seed's time, by event."""
LAID_OUT = 900.0
"""How long a new round is looked at before anything moves in it."""
ROLL, HOP, KICK, NO_MOVE = 700.0, 110.0, 450.0, 1300.0


@dataclass
class Mark:
    """What the last move of a seat left: the hole where its walk began and with how many seeds, where it is or ended, what it took."""

    start: str | None = None
    lifted: int = 0
    end: str | None = None
    taken: dict[str, int] = field(default_factory=dict)


@dataclass
class Board:
    """What a board shows. ``counts``: seeds by place, None for a widow; ``hands``: seat → ``{"at", "seeds"}``; ``horses``: seat → the place
    of its horse 1 and 2; ``flash``: what is happening at this moment, place → kind of event."""

    counts: dict[str, int | None] = field(default_factory=dict)
    hands: dict[str, dict[str, Any] | None] = field(default_factory=dict)
    marks: dict[str, Mark] = field(default_factory=dict)
    horses: dict[str, list[Any]] = field(default_factory=dict)
    dice: tuple[int, int] | None = None
    flash: dict[str, str] = field(default_factory=dict)
    race: bool = False

    def copy(self) -> Board:
        """Another one that changes by itself."""
        return Board(
            dict(self.counts),
            {seat: dict(hand) if hand else None for seat, hand in self.hands.items()},
            {seat: Mark(mark.start, mark.lifted, mark.end, dict(mark.taken)) for seat, mark in self.marks.items()},
            {seat: list(places) for seat, places in self.horses.items()},
            self.dice,
            dict(self.flash),
            self.race,
        )

    def show(self, view: Mapping[str, Any]) -> None:
        """Everything as a view has it. Marks stay; horses keep their numbers as far as that can be told."""
        self.flash = {}
        if view["game"] == "ca-ngua":
            if view["dice"] is not None:  # what was rolled last can be read until the next roll
                self.dice = (view["dice"][0], view["dice"][1])
            for seat, places in view["horses"].items():
                if sorted(map(str, self.horses.get(seat, ()))) != sorted(map(str, places)):
                    self.horses[seat] = list(places)
            return
        board = view["board"]
        for seat in ("S", "N"):
            for number, seeds in enumerate(board[seat], 1):
                self.counts[f"{seat}{number}"] = seeds
            self.counts[f"{seat}H"] = board["stores"][seat]
            hand = view["hands"].get(seat)
            self.hands[seat] = dict(hand) if hand else None
        self.race = view["phase"] == "race"

    # ── one event ────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def happen(self, event: Event) -> None:
        """Let an event of a sowing game happen."""
        seat, kind = event[0], event[1]
        place = str(event[2]) if len(event) > 2 else ""
        hand = self.hands.get(seat)
        self.mark(event)
        self.flash[place] = kind
        match kind:
            case "lift":
                self.counts[place] = 0
                self.hands[seat] = {"at": place, "seeds": event[3]}
            case "drop" | "slip":
                goes = place if kind == "drop" else f"{_other(seat)}H"
                self.counts[goes] = (self.counts.get(goes) or 0) + 1
                if hand:
                    hand["seeds"] -= 1
                    hand["at"] = place
            case "capture":
                self.counts[place] = (self.counts.get(place) or 0) - event[3]
                self.counts[f"{seat}H"] = (self.counts.get(f"{seat}H") or 0) + event[3]
            case "rest" | "die":
                self.hands[seat] = None
            case "sweep":
                for hole in self._swept(seat, event[3]):
                    self.counts[hole] = 0
                self.counts[place] = (self.counts.get(place) or 0) + event[3]

    def _swept(self, seat: str, count: int) -> list[str]:
        """The holes that a sweep empties: the seat's own if they hold just what it gets (MK-31, AB-44), else all (AB-31)."""
        holes = [name for name, seeds in self.counts.items() if not name.endswith("H") and seeds]
        own = [name for name in holes if name[0] == seat]
        return own if sum(self.counts[name] or 0 for name in own) == count else holes

    def mark(self, event: Event) -> None:
        """Take an event into what is marked. A chosen lift (of an empty hand) begins a mark anew: in a race its seat's, in turns both."""
        seat, kind = event[0], event[1]
        if kind in ("race", "open"):
            self.race = kind == "race"
        if kind == "round":
            self.marks = {}
        if seat not in ("S", "N") or len(event) < 3:
            return
        place = str(event[2])
        if kind == "lift" and not self.hands.get(seat):
            if not self.race:
                self.marks = {}
            self.marks[seat] = Mark(place, event[3])
        mark = self.marks.setdefault(seat, Mark())
        if kind in ("lift", "drop", "slip"):
            mark.end = place
        if kind == "capture" and place[0] != seat:
            mark.taken[place] = mark.taken.get(place, 0) + event[3]

    def unfold(self, events: Sequence[Event]) -> Board | None:
        """The board before some events, from this one after them; None where it cannot be told (a sweep does not say from where)."""
        before = self.copy()
        counts, hands = before.counts, before.hands
        for event in reversed(events):
            seat, kind = event[0], event[1]
            place = str(event[2]) if len(event) > 2 else ""
            held = hands.get(seat)
            if kind == "sweep":
                return None
            if kind == "lift":
                counts[place], hands[seat] = event[3], None
            elif kind in ("drop", "slip"):
                goes = place if kind == "drop" else f"{_other(seat)}H"
                counts[goes] = (counts.get(goes) or 0) - 1
                hands[seat] = {"at": place, "seeds": (held["seeds"] if held else 0) + 1}
            elif kind == "capture":
                counts[place] = (counts.get(place) or 0) + event[3]
                counts[f"{seat}H"] = (counts.get(f"{seat}H") or 0) - event[3]
        return before

    # ── horses ───────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def ride(self, seat: str, start: Any, end: Any) -> int:
        """Put the seat's horse that stands on ``start`` on ``end``; gives its index, -1 if there is none."""
        places = self.horses.get(seat, [])
        if start not in places:
            return -1
        index = places.index(start)
        places[index] = end
        return index


@dataclass(frozen=True)
class Tick:
    """One thing that is seen: ``do`` changes the board, then it is looked at for ``ms``."""

    ms: float
    do: Callable[[Board], None]


def _other(seat: str) -> str:
    return "S" if seat == "N" else "N"


def ticks(events: Sequence[Event], before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Tick]:
    """A trace as what is seen one after the other, from ``before`` to ``after`` (views)."""
    return _horses(events, before) if before["game"] == "ca-ngua" else _hurry(_sowing(events, before, after))


# ── sowing ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _sowing(events: Sequence[Event], before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Tick]:
    live = before["phase"] == "race" and before["pace"] != "lockstep"
    base = min(DROP, (before["tempo"] if before["pace"] == "steady" else 160) * 0.8) if live else DROP
    shown: list[Tick] = []
    for start, some in _parts(events, before, after):
        if start is not None:
            shown.append(Tick(1 if live else LAID_OUT, _laid_out(start)))
        laps = 0.0
        steps = [step for step in _steps(some) if any(event[1] in WEIGHT for event in step)]
        at = 0
        while at < len(steps):
            group = steps[at : at + 2] if _side_by_side(steps[at : at + 2]) else steps[at : at + 1]
            at += len(group)
            if any(step[-1][1] == "lift" for step in group):
                laps += 1 / len(group)
            shown += _group(group, base * max(0.4, 0.9 ** max(0.0, laps - 2)))
    return shown


def _side_by_side(pair: Sequence[list[Event]]) -> bool:
    """Whether two steps are of two hands that sow at the same time."""
    return len(pair) == 2 and pair[0][0][0] != pair[1][0][0] and all(step[0][1] != "sweep" for step in pair)


def _group(group: Sequence[list[Event]], base: float) -> list[Tick]:
    """The events of one step, or of one step of each of two hands: those share their time, in the order in which they happened."""
    share = base / len(group)
    return [Tick(WEIGHT.get(event[1], 0.0) * share, _happens(event)) for step in group for event in step]


def _happens(event: Event) -> Callable[[Board], None]:
    def do(board: Board) -> None:
        board.flash = {}
        board.happen(event)

    return do


def _laid_out(start: Board) -> Callable[[Board], None]:
    def do(board: Board) -> None:
        board.counts, board.hands = dict(start.counts), start.copy().hands
        board.marks, board.flash = {}, {}

    return do


def _parts(events: Sequence[Event], before: Mapping[str, Any], after: Mapping[str, Any]) -> list[tuple[Board | None, list[Event]]]:
    """The parts of a trace that follow from one board each: a new round lays it out anew, and a late input makes the steps since be played
    again. With the board that a part begins from, None for the first one; a part whose beginning cannot be told is left out."""
    parts: list[list[Event]] = [[]]
    for event in events:
        if event[1] in ("round", "again"):
            parts.append([])
        parts[-1].append(event)
    found: list[tuple[Board | None, list[Event]]] = [(None, parts[0])]
    if len(parts) > 1:
        end = Board()
        end.show(after)
        start = end.unfold(parts[-1])
        if start is not None:
            found.append((start, parts[-1]))
    return found


def _steps(events: Sequence[Event]) -> list[list[Event]]:
    """Single steps of hands (MK-21) with what each brings about: ``[[lift], [drop, capture, die], …]``."""
    found: list[list[Event]] = []
    current: dict[Any, list[Event]] = {}
    for event in events:
        step = current.get(event[0])
        if step is not None and event[1] in ("capture", "die", "rest", "lift") and step[-1][1] not in ("lift", "rest", "die"):
            step.append(event)
        else:
            current[event[0]] = step = [event]
            found.append(step)
    return found


def _hurry(shown: list[Tick]) -> list[Tick]:
    total = sum(tick.ms for tick in shown)
    return shown if total <= LONGEST else [Tick(tick.ms * LONGEST / total, tick.do) for tick in shown]


# ── Cờ cá ngựa ───────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _horses(events: Sequence[Event], before: Mapping[str, Any]) -> list[Tick]:
    track = int(before["options"]["track"])
    shown: list[Tick] = []
    for event in events:
        seat, kind = str(event[0]), event[1]
        if kind == "roll":
            shown.append(Tick(ROLL, _rolled(event[2], event[3])))
        elif kind == "no-move":
            shown.append(Tick(NO_MOVE, _nothing))
        elif kind == "enter":
            shown.append(Tick(KICK, _rides(seat, "stable", 0)))
        elif kind == "step":
            way = _way(event[2], event[3], track)
            shown += [Tick(HOP, _rides(seat, one, two)) for one, two in pairwise(way)]
        elif kind == "kick":
            shown.append(Tick(KICK, _rides(str(event[2]), event[3], "stable")))
    return shown


def _nothing(board: Board) -> None:
    board.flash = {}


def _rolled(one: int, two: int) -> Callable[[Board], None]:
    def do(board: Board) -> None:
        board.dice, board.flash = (one, two), {}

    return do


def _rides(seat: str, start: Any, end: Any) -> Callable[[Board], None]:
    def do(board: Board) -> None:
        index = board.ride(seat, start, end)
        board.flash = {f"{seat}.{index}": "ride"} if index >= 0 else {}

    return do


def _way(start: Any, end: Any, track: int) -> list[Any]:
    """The squares and slots from one place of a horse to another, both with it."""
    line: list[Any] = [*range(track), "slot1", "slot2", "slot3", "slot4"]
    return line[line.index(start) : line.index(end) + 1]
