"""Owns what the groups of a run come to, and running them over processes and machines. The statistics are ``sprt``'s."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from muang.lab import sprt
from muang.lab.arena_group import Arena, Group, close_players, play_group
from muang.lab.workers import in_order

__all__ = ["Standing", "run"]

MOST_FAULTS = 20
"""Faults that are kept with their reasons."""


@dataclass
class Standing:
    """What the groups so far have come to, for the first player."""

    arena: Arena
    test: sprt.Sprt | None = None
    scores: Counter[float] = field(default_factory=Counter)
    points: Counter[float] = field(default_factory=Counter)
    seats: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    first: int = 0
    choices: int = 0
    marks: set[int] = field(default_factory=set)
    faults: list[dict[str, Any]] = field(default_factory=list)
    faulty: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    asked: list[int] = field(default_factory=lambda: [0, 0])

    def add(self, group: Group) -> None:
        """Count a group."""
        self.scores[group.score] += 1
        for match in group.played:
            self.points[match.points] += 1
            self.seats[str(match.seat)] += match.points == 1
            self.first += match.winner is not None and match.winner == match.first
            self.reasons[match.reason] += 1
            self.choices += match.choices
            self.marks.add(match.mark)
            for which, why in match.faults:
                self.faulty[which] += 1
                if len(self.faults) < MOST_FAULTS:
                    self.faults.append({"group": group.number, "player": which, "why": why})
            for which in (0, 1):
                self.seconds[which] += match.seconds[which]
                self.asked[which] += match.asked[which]

    @property
    def matches(self) -> int:
        return self.points.total()

    @property
    def verdict(self) -> str:
        """``H1``, ``H0``, or empty: the test goes on, or there is none."""
        return "" if self.test is None else self.test.verdict(self.scores)

    def ms(self, which: int) -> float:
        """What a player took for a choice, on average. The only figure that no seed decides."""
        return 1000 * self.seconds[which] / self.asked[which] if self.asked[which] else 0.0

    def summary(self) -> dict[str, Any]:
        """Plain data, the same for the same run. Shares and Elo with their 95 % interval; an Elo without end is None."""
        of, seats = self.arena.game, len(self.arena.table())
        share, (low, high) = sprt.mean(self.scores), sprt.interval(self.scores)
        test = None
        if self.test is not None:
            test = {
                "share0": round(self.test.share0, 6),
                "share1": round(self.test.share1, 6),
                "error": self.test.error,
                "llr": round(sprt.llr(self.scores, self.test.share0, self.test.share1), 4),
                "bound": round(self.test.bound, 4),
                "verdict": self.verdict or None,
            }
        return {
            "game": of.name,
            "ruleset": of.ruleset,
            "options": of.changes(),
            "seats": list(self.arena.table()),
            "players": list(self.arena.players),
            "seed": self.arena.seed,
            "pace": self.arena.pace,
            "opening": self.arena.drawn(),
            "nodes": self.arena.nodes,
            "time_ms": self.arena.time_ms,
            "matches": self.matches,
            "groups": self.scores.total(),
            "won": self.points[1.0],
            "drawn": self.points[0.5],
            "lost": self.points[0.0],
            "share": round(share, 6),
            "share_95": [round(low, 6), round(high, 6)],
            "elo": _finite(sprt.elo_of(share, seats)),
            "elo_95": [_finite(sprt.elo_of(low, seats)), _finite(sprt.elo_of(high, seats))],
            "scores": {f"{score:g}": count for score, count in sorted(self.scores.items())},
            "won_by_seat": dict(sorted(self.seats.items())),
            "won_by_first": self.first,
            "reasons": dict(sorted(self.reasons.items())),
            "choices": round(self.choices / self.matches, 3) if self.matches else 0,
            "different": len(self.marks),
            "faults": {self.arena.players[which]: count for which, count in sorted(self.faulty.items())},
            "first_faults": self.faults,
            "sprt": test,
        }


def _finite(elo: float) -> float | None:
    return round(elo, 2) if abs(elo) < float("inf") else None


def run(
    arena: Arena,
    matches: int,
    *,
    test: sprt.Sprt | None = None,
    workers: int | None = None,
    cluster: str = "",
    progress: Callable[[Standing], None] | None = None,
) -> Standing:
    """Play ``matches`` matches, whole groups of them, or fewer if ``test`` ends before. ``progress`` is told after each group.

    Groups are counted in their order, and the test looks after each, so that the run ends at the same group whatever does the work.
    """
    standing = Standing(arena, test)
    seats = len(arena.table())
    groups = in_order(play_group, ((arena, number) for number in range(-(-matches // seats))), workers, cluster)
    try:
        for group in groups:
            standing.add(group)
            if progress is not None:
                progress(standing)
            if standing.verdict:
                break
    finally:
        groups.close()
        close_players()
    return standing
