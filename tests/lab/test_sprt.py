"""The statistics of the arena: against closed forms, and against matches of known strength."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from muang.errors import BadAction
from muang.games.lots import below
from muang.lab.sprt import Sprt, elo_of, interval, llr, mean, share_of


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_elo_and_shares_are_each_others_inverse(seats: int) -> None:
    assert share_of(0, seats) == pytest.approx(1 / seats)
    assert elo_of(1 / seats, seats) == pytest.approx(0, abs=1e-9)
    for elo in (-400, -12.5, 3, 250):
        assert elo_of(share_of(elo, seats), seats) == pytest.approx(elo)
    assert (elo_of(0, seats), elo_of(1, seats)) == (-math.inf, math.inf)


def test_elo_is_the_usual_one_at_two_seats() -> None:
    assert share_of(400) == pytest.approx(10 / 11)
    assert elo_of(0.75) == pytest.approx(400 * math.log10(3))


def test_the_interval_is_the_normal_one_with_many_groups() -> None:
    scores = {0.0: 1000, 0.5: 2000, 1.0: 1000}
    low, high = interval(scores)
    reach = 1.96 * math.sqrt(0.125 / 4000)
    assert mean(scores) == 0.5
    assert low == pytest.approx(0.5 - reach, abs=1e-4)
    assert high == pytest.approx(0.5 + reach, abs=1e-4)


def test_few_or_equal_groups_are_not_taken_for_certainty() -> None:
    assert interval({})[0] == 0
    assert interval({})[1] == 1
    low, high = interval({1.0: 100})
    assert 0.95 < low < 0.98
    assert high == 1
    low, high = interval({0.5: 3})
    assert low < 0.25 < 0.75 < high


@pytest.mark.parametrize("share", [0.5, 0.6])
def test_the_interval_holds_the_truth_about_as_often_as_it_says(share: float) -> None:
    held = 0
    for run in range(400):
        wins = Counter(float(below(run, "coin", i, 1000) < share * 1000) for i in range(200))
        low, high = interval(wins)
        held += low <= share <= high
    assert 365 <= held <= 395  # 380 are expected


def test_the_ratio_is_the_plain_one_where_scores_are_wins_and_losses() -> None:
    """With two outcomes a distribution of given mean is one only: the generalised ratio is Wald's."""
    won, lost = 70, 50
    assert llr({1.0: won, 0.0: lost}, 0.5, 0.6) == pytest.approx(won * math.log(0.6 / 0.5) + lost * math.log(0.4 / 0.5), abs=1e-6)
    assert llr({}, 0.5, 0.6) == 0


def test_the_ratio_of_pairs_is_the_normal_approximation_nearby() -> None:
    scores = {0.0: 90, 0.25: 210, 0.5: 400, 0.75: 215, 1.0: 100}
    total, middle = sum(scores.values()), mean(scores)
    variance = sum(count * (score - middle) ** 2 for score, count in scores.items()) / total
    low, high = 0.5, 0.51
    normal = total * (high - low) * (2 * middle - low - high) / (2 * variance)
    assert llr(scores, low, high) == pytest.approx(normal, rel=0.02)
    assert llr(scores, low, high) == pytest.approx(llr({1 - score: count for score, count in scores.items()}, 1 - low, 1 - high))
    assert llr(scores, high, low) == pytest.approx(-llr(scores, low, high))


def test_scores_that_never_came_are_thought_possible() -> None:
    assert llr({1.0: 1}, 0.5, 0.6) == pytest.approx(math.log(1.2), rel=0.01)
    assert llr({0.5: 50}, 0.5, 0.6) < 0
    assert math.isfinite(llr({0.5: 100_000}, 0.01, 0.99))


@pytest.mark.parametrize(("share", "right"), [(0.5, "H0"), (0.6, "H1")])
def test_the_test_errs_about_as_often_as_it_says(share: float, right: str) -> None:
    test = Sprt(0.5, 0.6, 0.05)
    wrong, lengths = 0, []
    for run in range(100):
        scores: Counter[float] = Counter()
        for i in range(10_000):
            pair = (below(run, "first", i, 1000) < share * 1000) + (below(run, "second", i, 1000) < share * 1000)
            scores[pair / 2] += 1
            if i % 5 == 4 and test.verdict(scores):
                break
        wrong += test.verdict(scores) != right
        lengths.append(i + 1)
    assert wrong <= 13  # 5 are expected, fewer as the ratio oversteps its bound; 13 is four deviations more
    assert sum(lengths) / len(lengths) < 200


def test_hypotheses_are_read() -> None:
    assert Sprt.read("0.5,0.6") == Sprt(0.5, 0.6)
    elo = Sprt.read("0,10", 3, 0.01)
    assert (elo.share0, elo.share1, elo.error) == (pytest.approx(1 / 3), pytest.approx(share_of(10, 3)), 0.01)
    assert elo.bound == pytest.approx(math.log(99))
    assert Sprt.read("-5,0.5").share0 == pytest.approx(share_of(-5))


@pytest.mark.parametrize("text", ["", "0.5", "0.6,0.5", "0.5,0.5", "a,b", "0,10,20", "10,0", "nan,1", "0,inf", "0,1e9"])
def test_hypotheses_that_are_none(text: str) -> None:
    with pytest.raises(BadAction):
        Sprt.read(text)


@pytest.mark.parametrize("error", [0, 0.5, -1, float("nan")])
def test_errors_that_cannot_be(error: float) -> None:
    with pytest.raises(BadAction, match="chance of an error"):
        Sprt(0.5, 0.6, error)
