"""Races between a near and a far player, in the short: who is nearer does not win more often, and a liar gains no more than ``max_lag``.

``muang lab fairness`` runs them by the thousand; here the bounds are wide, and the means of how inputs are dated are sharp.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from functools import cache

import pytest

from muang.cli import run
from muang.lab.fairness import Link, Races, Tally, measure, play

NEAR, FAR = Link(20, 30), Link(250, 30)
USUAL = Races("abalalae", NEAR, FAR)
N = 60
FOUR_ERRORS = 4 * math.sqrt(0.25 / N)
"""Of a share of one half among ``N`` races: a fair game is farther off once in 16,000 seeds, and the seed is fixed."""


@cache
def tally(races: Races, n: int = 24) -> Tally:
    return play(races, 1, 0, n)


@pytest.mark.parametrize("name", ["abalalae", "mak-khum"])
def test_the_near_player_has_no_advantage(name: str) -> None:
    found = tally(replace(USUAL, name=name), N)
    assert found.races == N
    assert abs(found.share - 0.5) < FOUR_ERRORS
    assert abs(found.first_share - 0.5) < FOUR_ERRORS
    for who in ("near", "far"):
        assert abs(found.mean_early(who)) < 5
    assert found.late > N  # the far player's inputs do come late, and are put in their places


def test_by_arrival_the_far_player_is_set_back_by_its_way() -> None:
    found = tally(replace(USUAL, max_lag=0))
    assert found.late == 0
    assert -45 < found.mean_early("near") < -15  # half the round trip and half the jitter, a little more where it waits its turn
    assert -165 < found.mean_early("far") < -130
    assert found.first_share > 0.8, "the measure can fail: with 115 ms more the first tap is nearly always the near player's"


def test_a_far_player_beyond_the_bound_loses_what_is_beyond() -> None:
    found = tally(replace(USUAL, far=Link(800, 30)))
    assert found.mean_early("far") == pytest.approx(250 - 400 - 15, abs=12)
    assert abs(found.mean_early("near")) < 8


def test_lost_packets_set_back_only_what_is_beyond_the_bound() -> None:
    found = tally(replace(USUAL, far=Link(250, 30, 0.02)))
    assert -60 < found.mean_early("far") < 0
    assert abs(found.mean_early("near")) < 8


@pytest.mark.parametrize("lie", [100.0, 1e6])
def test_a_liar_gains_at_most_the_bound(lie: float) -> None:
    found = tally(replace(USUAL, lie=lie))
    assert found.most_early["near"] <= min(lie + 20, 250)
    assert found.mean_early("near") == pytest.approx(min(lie, 250 - 10 - 15), abs=15)
    assert abs(found.mean_early("far")) < 8


def test_races_depend_on_the_seed_alone() -> None:
    parts = list(measure(USUAL, 6, 3, 1, chunk=2))
    together = Tally()
    for part in parts:
        together.add(part)
    assert [part.races for part in parts] == [2, 2, 2]
    assert together == play(USUAL, 3, 0, 6)
    assert play(USUAL, 4, 0, 6) != together


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lab", "fairness", "abalalae", "-n", "5", "--workers", "1", "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert (line["game"], line["races"], line["by_arrival"]["races"]) == ("abalalae", 5, 1)
    assert run(["lab", "fairness", "mak-khum", "-n", "2", "--workers", "1", "--far", "400", "--liar", "50"]) == 0
    told = capsys.readouterr().out
    assert "mak-khum: near player 20 ms; jitter 30 ms" in told
    assert "400 ms; near lies 50 " in told
    assert run(["lab", "fairness", "ca-ngua"]) == 2
    assert "allowed: abalalae, mak-khum" in capsys.readouterr().err
