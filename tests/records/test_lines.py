"""Lines of play in words: what belongs to one turn, what a value means, and nothing that has not been played."""

from __future__ import annotations

import pytest

import muang
from muang.records.lines import by_turn, said_first, value_phrase
from muang.records.words import render


def test_choices_of_one_turn_stand_together() -> None:
    line = [("S", "S3"), ("S", "S5"), ("N", "N1"), ("S", "S2")]
    assert by_turn(line) == [("S", ("S3", "S5")), ("N", ("N1",)), ("S", ("S2",))]
    assert by_turn([]) == []


def test_the_first_turn_is_told_and_no_more() -> None:
    match = muang.game("mak-khum", "turns").start(first="S")
    told = render(said_first(match, [("S", "S1"), ("S", "S2"), ("N", "N1")]))
    assert told.startswith("South lifts 7 seeds from S1. The last seed falls into South's store: South chooses again. South lifts 8 seeds")
    assert "North lifts" not in told
    assert match.to_act == ("S",), "the match is as it was"


def test_a_line_that_does_not_fit_is_told_as_far_as_it_fits() -> None:
    match = muang.game("mak-khum", "turns").start(first="S")
    assert said_first(match, [("S", "S9")]) == []
    assert said_first(match, []) == []
    assert render(said_first(match, [("S", "S1"), ("S", "X")])).startswith("South lifts 7 seeds from S1.")


def test_in_a_race_only_the_hole_is_told() -> None:
    match = muang.game("mak-khum").start(1)
    assert render(said_first(match, [("S", "S3"), ("N", "N2"), ("S", "S4")])) == "South lifts S3."


def test_a_horse() -> None:
    match = muang.game("ca-ngua").start(1, first=0).roll((1, 6))
    assert render(said_first(match, [(0, "stable-0")])) == "Red brings a horse onto the track. Red rolls again."


@pytest.mark.parametrize(
    ("value", "exact", "bound", "text"),
    [
        (12, True, "", "South ends the round 12 seeds ahead with best play. This is exact."),
        (-12, True, "", "South ends the round 12 seeds behind with best play. This is exact."),
        (0, True, "", "With best play both end the round with the same number of seeds. This is exact."),
        (11.3, False, "", "South ends the round about 12 seeds ahead, as far as can be seen."),
        (-1.9, False, "", "South ends the round about 2 seeds behind, as far as can be seen."),
        (0.6, False, "", "Both end the round with about the same number of seeds."),
        (6, True, "lower", "South ends the round at least 6 seeds ahead."),
        (-6, False, "upper", "South ends the round at least 6 seeds behind."),
        (-6, False, "lower", "South ends the round about 6 seeds behind, as far as can be seen."),
    ],
)
def test_what_seeds_mean(value: float, exact: bool, bound: str, text: str) -> None:
    assert render([value_phrase("S", "seeds", value, exact, bound)]) == text


def test_what_chances_mean() -> None:
    assert render([value_phrase(0, "chance", 0.513865849, True)]) == "Red wins in 51.4 of 100 matches with best play. This is exact."
    assert render([value_phrase(2, "chance", 0.3)], "en", {2: "An"}) == "An wins in about 30.0 of 100 matches."
