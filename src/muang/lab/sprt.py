"""Owns the statistics of matches between two players: shares, Elo with its error, the sequential test. Plays nothing.

The unit is a **group**: the matches that share one seed, in which the first player sits once on every seat (two matches at a table of
two). Matches of a group depend on each other (the same dice, the same opening), groups do not, so that all errors are taken from groups.
A group's score is the first player's share of its points, 0 to 1; a draw is half a point.

At a table of ``k`` seats equal players win ``1/k`` each. Elo is told from the odds against one other: with the share ``s``,
``400 log10(s (k - 1) / (1 - s))``; at two seats that is the usual one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from muang.errors import BadAction

__all__ = ["Sprt", "elo_of", "interval", "llr", "mean", "share_of"]

Scores = Mapping[float, int]
"""How many groups had each score."""

NORMAL_95 = 1.959963984540054
SMALL = 1e-3
"""What a score that never came is counted as, so that the test can think of it as possible."""


def elo_of(share: float, seats: int = 2) -> float:
    """The Elo difference that a share means; infinite at 0 and 1."""
    if share <= 0 or share >= 1:
        return -math.inf if share <= 0 else math.inf
    return 400 * math.log10(share * (seats - 1) / (1 - share))


def share_of(elo: float, seats: int = 2) -> float:
    """The share that an Elo difference means."""
    return 1 / (1 + (seats - 1) * 10 ** (-elo / 400))


def mean(scores: Scores) -> float:
    """The mean score; 0 without any."""
    total = sum(scores.values())
    return sum(score * count for score, count in scores.items()) / total if total else 0.0


def interval(scores: Scores) -> tuple[float, float]:
    """The 95 % interval of the mean score, from the variance between groups.

    One group all lost and one all won are counted in with the others: with few groups, or when all score alike, the plain interval would be
    far too narrow. With 100 groups all won it begins at 0.97, as the rule of three says.
    """
    added = {0.0: 0, 1.0: 0} | dict(scores)
    added[0.0] += 1
    added[1.0] += 1
    total = sum(added.values())
    middle = mean(added)
    variance = sum(count * (score - middle) ** 2 for score, count in added.items()) / (total - 1)
    reach = NORMAL_95 * math.sqrt(variance / total)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def llr(scores: Scores, share0: float, share1: float) -> float:
    """The log-likelihood ratio of "the mean score is ``share1``" against "it is ``share0``".

    The generalised ratio: under each the likeliest distribution of scores with that mean (Van den Bergh's method, used for pairs of games).
    """
    full = {0.0: 0.0, 1.0: 0.0} | {score: float(count) for score, count in scores.items()}
    if not sum(full.values()):
        return 0.0
    counts = {score: count or SMALL for score, count in full.items()}
    total = sum(counts.values())
    shares = {score: count / total for score, count in counts.items()}
    under0, under1 = _likeliest(shares, share0), _likeliest(shares, share1)
    return total * sum(shares[score] * math.log(under1[score] / under0[score]) for score in shares)


def _likeliest(shares: Mapping[float, float], wanted: float) -> dict[float, float]:
    """The distribution with mean ``wanted`` under which ``shares`` are likeliest: each share over ``1 + t (score - wanted)``."""
    low = -1 / (max(shares) - wanted)
    high = 1 / (wanted - min(shares))
    while low < (t := (low + high) / 2) < high:  # the sum falls as t grows; halving ends where doubles leave nothing between
        rest = sum(share * (score - wanted) / (1 + t * (score - wanted)) for score, share in shares.items())
        if rest > 0:
            low = t
        else:
            high = t
    return {score: share / (1 + t * (score - wanted)) for score, share in shares.items()}


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test of the mean score: ``share0`` against the larger ``share1``, each kind of mistake as likely as ``error``.

    ``BadAction`` for hypotheses that are none.
    """

    share0: float
    share1: float
    error: float = 0.05

    def __post_init__(self) -> None:
        if not 0 < self.share0 < self.share1 < 1:
            raise BadAction("the test needs two shares between 0 and 1, the smaller first", allowed=("0.5,0.6",))
        if not 0 < self.error < 0.5:
            raise BadAction(f"the chance of an error cannot be {self.error}", allowed=("more than 0, less than 0.5",))

    @classmethod
    def read(cls, text: str, seats: int = 2, error: float = 0.05) -> Sprt:
        """``0.5,0.6``: shares, if both are between 0 and 1; ``0,10``: Elo. ``BadAction`` for anything else."""
        try:
            low, high = (float(word) for word in text.split(","))
        except ValueError:
            raise BadAction(f"the test cannot be {text!r}", allowed=("two shares, 0.5,0.6", "two Elo differences, 0,10")) from None
        if 0 < low < 1 and 0 < high < 1:
            return cls(low, high, error)
        if not (abs(low) <= 2000 and abs(high) <= 2000):
            raise BadAction(f"the test cannot be {text!r}", allowed=("Elo differences up to 2000",))
        return cls(share_of(low, seats), share_of(high, seats), error)

    @property
    def bound(self) -> float:
        """The ratio at which the test ends, upwards or downwards."""
        return math.log((1 - self.error) / self.error)

    def verdict(self, scores: Scores) -> str:
        """``H1`` (the share is ``share1`` or more, rather than ``share0`` or less), ``H0`` (the other way), or empty: go on."""
        ratio = llr(scores, self.share0, self.share1)
        return "H1" if ratio >= self.bound else "H0" if ratio <= -self.bound else ""
