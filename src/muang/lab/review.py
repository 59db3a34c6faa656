"""Owns the review of a record: a value after every choice, what it lost against the best one, and what that is called. Searches nothing.

The search is handed in (``muang.search.analyse.analyse`` or anything of its form). Times of the record play no part: a race at a live pace
is reviewed choice by choice, from the board as it stood at each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from muang.games.core import Match, Seat
from muang.i18n import N_
from muang.records.record import Record, Transition
from muang.search.limits import Info, Limits, Stop

__all__ = ["GRADES", "LOSSES", "Analyse", "Choice", "Summary", "choices_of", "grade_of", "review", "summaries"]

GRADES = (N_("inaccuracy"), N_("mistake"), N_("blunder"))
LOSSES: Mapping[str, tuple[float, float, float]] = {"seeds": (0.02, 0.06, 0.15), "chance": (0.02, 0.05, 0.10)}
"""From which loss on a choice has the names of ``GRADES``: in the sowing games as a share of all seeds of the board (2, 6 and 15 of Mak
Khum's 98), in Cờ cá ngựa as a chance to win."""
STEPS = ("drop", "slip")


class Analyse(Protocol):
    """The form of ``muang.search.analyse.analyse``, as far as a review needs it."""

    def __call__(self, match: Match, limits: Limits, *, seat: Seat, stop: Stop | None) -> Info:
        """The best actions of ``seat``."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice of a record and what became of it.

    ``index``: the entry, from 0. ``value`` and ``best``: what the action played and the best one are worth to ``seat`` (``value`` is None
    where the search gave none). ``lost``: the difference, never below 0. ``forced``: there was nothing else. ``grade``: one of ``GRADES``
    or empty. ``round`` is 0 in Cờ cá ngựa. ``exact``: both values are proved.
    """

    index: int
    seat: Seat
    action: str
    round: int
    racing: bool
    unit: str
    value: float | None
    best: float
    best_action: str
    lost: float
    forced: bool
    exact: bool
    grade: str
    info: Info

    def for_seat(self, seat: Seat) -> float | None:
        """The value after the choice as ``seat`` sees it, in a match of two."""
        if self.value is None or seat == self.seat:
            return self.value
        return 1 - self.value if self.unit == "chance" else -self.value


@dataclass(frozen=True, slots=True)
class Summary:
    """A seat's choices in numbers. ``choices`` leaves out forced ones and those without a value; ``best``: how many lost nothing."""

    seat: Seat
    choices: int
    best: int
    lost: float
    grades: Mapping[str, int]

    @property
    def mean(self) -> float:
        """What a choice lost on average."""
        return self.lost / self.choices if self.choices else 0.0


def choices_of(record: Record) -> Iterator[tuple[Transition, Match]]:
    """Every choice of a record, with the match as whoever chose could see it. ``BadRecord`` where the record does not replay.

    Single drops and inputs that came to nothing are no choices. Where both choose at once in secret, neither sees what the other chose.
    """
    open_board: Match | None = None
    for step in record.transitions():
        hidden = step.before.phase == "race" and step.before.pace == "lockstep" and step.before.view()["chosen"]
        if not hidden or open_board is None:
            open_board = step.before
        if step.entry is None or step.entry.kind != "play" or step.entry.action in STEPS or step.index in record.voids:
            continue
        seat = step.entry.seat
        seen = open_board if hidden else _just_before(step)
        if seat is not None and step.entry.action in seen.legal(seat):
            yield step, seen


def _just_before(step: Transition) -> Match:
    """The board at the moment of an input: in a race in time hands have sown since the input before it."""
    match, at = step.before, None if step.entry is None else step.entry.at
    if match.phase != "race" or match.pace == "lockstep" or at is None or at <= match.view()["ms"]:
        return match
    return match.at(at)


def review(record: Record, limits: Limits, analyse: Analyse, stop: Stop | None = None) -> Iterator[Choice]:
    """The choices of ``record``, judged one by one within ``limits`` each; ends early when ``stop`` turns."""
    for step, seen in choices_of(record):
        if stop:
            return
        assert step.entry is not None
        assert step.entry.seat is not None
        yield _judge(step.index, seen, step.entry.seat, str(step.entry.action), limits, analyse, stop)


def _judge(index: int, match: Match, seat: Seat, action: str, limits: Limits, analyse: Analyse, stop: Stop | None) -> Choice:
    legal = match.legal(seat)
    info = analyse(match, replace(limits, lines=len(legal)), seat=seat, stop=stop)
    best = info.lines[0]
    played = next((line for line in info.lines if line.action == action and not (line.bound and line is not best)), None)
    lost = max(0.0, best.value - played.value) if played is not None else 0.0
    forced = len(legal) == 1
    return Choice(
        index=index,
        seat=seat,
        action=action,
        round=0 if match.game.name == "ca-ngua" else int(match.view()["round"]),
        racing=match.phase == "race",
        unit=info.unit,
        value=None if played is None else played.value,
        best=best.value,
        best_action=best.action,
        lost=lost,
        forced=forced,
        exact=best.exact and played is not None and played.exact,
        grade="" if forced else grade_of(lost, info.unit, seeds_of(match)),
        info=info,
    )


def seeds_of(match: Match) -> int:
    """All seeds of the board, in holes, stores and hands; 0 in Cờ cá ngựa."""
    view: dict[str, Any] = match.view()
    if match.game.name == "ca-ngua":
        return 0
    board = view["board"]
    rows = sum(seeds or 0 for seat in ("S", "N") for seeds in board[seat])
    return int(rows + sum(board["stores"].values()) + sum(hand["seeds"] for hand in view["hands"].values() if hand))


def grade_of(lost: float, unit: str, seeds: int = 0) -> str:
    """What a loss is called; empty if it is too small for a name. ``seeds``: all seeds of the board."""
    scale = seeds if unit == "seeds" else 1
    reached = [name for name, least in zip(GRADES, LOSSES[unit], strict=True) if lost >= max(1e-9, _rounded(least * scale, unit))]
    return reached[-1] if reached else ""


def _rounded(least: float, unit: str) -> float:
    """Losses in seeds begin at whole numbers."""
    return max(1.0, round(least)) if unit == "seeds" else least


def summaries(choices: list[Choice], seats: tuple[Seat, ...]) -> list[Summary]:
    """Each seat's choices in numbers, in the order of ``seats``."""
    result = []
    for seat in seats:
        own = [choice for choice in choices if choice.seat == seat and not choice.forced and choice.value is not None]
        grades = {grade: sum(choice.grade == grade for choice in own) for grade in GRADES}
        best = sum(choice.lost < 1e-9 for choice in own)
        result.append(Summary(seat, len(own), best, sum(choice.lost for choice in own), grades))
    return result
