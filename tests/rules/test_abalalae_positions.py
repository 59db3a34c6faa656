"""Abalala'e: what its rulesets, options and positions are and refuse, and the facts of its rules page."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

import muang
from muang.errors import BadPosition, BadRuleset, RulesError
from muang.games.abalalae import Abalalae
from muang.games.sowing import batch
from rules.abalalae import THREES, game, line
from rules.sowing import board, drops

OTHER = {"S": "N", "N": "S"}


# ── rulesets, options, positions ─────────────────────────────────────────────────────────────────────────────────────────────

DEFAULTS = {
    "track": "pankhurst", "race": "opening", "race_loser": "finish", "race_rounds": "all", "max_rounds": 30, "quiet_turns": 100,
    "choice_seconds": None, "columns": 6, "seeds": 3,
}  # fmt: skip


@pytest.mark.parametrize(
    ("ruleset", "changes"),
    [
        ("pankhurst", {}),
        ("courlander", {"track": "courlander"}),
        ("single", {"max_rounds": 1}),
        ("turns", {"race": "none", "max_rounds": 1}),
    ],
)
def test_rulesets(ruleset: str, changes: dict[str, Any]) -> None:
    assert game(ruleset).options == {**DEFAULTS, **changes}
    assert game(ruleset) == game(**changes)
    assert next(iter(Abalalae.rulesets)) == "pankhurst"
    assert len(Abalalae.rulesets) == 4
    rows = batch.random_matches(game(ruleset), 10, 3)
    assert (rows[:, 6] + rows[:, 7] == 54).all()


def test_unknown_rulesets_and_options() -> None:
    with pytest.raises(BadRuleset, match=r"abalalae has no ruleset 'gabata' \(allowed: pankhurst, courlander, single, turns\)"):
        game("gabata")
    with pytest.raises(BadRuleset, match=r"abalalae has no option 'widows' \(allowed: track, race, "):
        game(widows="far")
    assert all(option.clause.startswith("AB-") for option in Abalalae.option_list)


def test_rules_load_without_numba() -> None:
    code = "import sys, muang; muang.game('abalalae', 'single', quiet_turns=3); assert 'numba' not in sys.modules, sorted(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("field", "clause"),
    [
        ("turn=W", ""), ("S=3,3,3,3,3,3,3,3/0", ""), ("S=3,3,3,3,3,3,3,3,4/0", "AB-1"), ("quiet=-1", ""), ("quiet=x", ""),
        ("race= turn=S", ""), ("race=", "AB-24"), ("now=3", "MK-24"), ("rules=pankhurst,quiet_turns:0", "AB-44"), ("rules=gabata", ""),
        ("hand=S1:2:S1:0 pace=by_hand:80", "AB-1"), ("hand=SH:2:S1:0 pace=by_hand:80 S=3,3,3,3,3,3,3,3,1/0", ""),
        ("hand=S1:0:S1:0 pace=by_hand:80", ""), ("hand=S1:x:S1:0 pace=by_hand:80", ""), ("hand=S1:2:S1 pace=by_hand:80", ""),
    ],
)  # fmt: skip
def test_impossible_positions(field: str, clause: str) -> None:
    names = [word.partition("=")[0] for word in field.split()]
    if "race" in names and "turn" not in names:
        names.append("turn")
    words = [word for word in line(THREES, THREES).split() if word.partition("=")[0] not in names]
    with pytest.raises(RulesError) as caught:
        muang.position(" ".join([*words, *field.split()]))
    assert caught.value.clause == clause
    assert isinstance(caught.value, (BadPosition, BadRuleset))


# ── facts ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("first", ["S", "N"])
def test_fact_the_race_from_the_start(first: str) -> None:
    match = game().start(first=first)
    deaths = [event[0] for event in match.events if event[1] == "die"]
    assert (len(drops(match, "S")), len(drops(match, "N")), deaths[0]) == (51, 51, first)
    assert board(match)[:2] == ([4, 3, 1, 3, 2, 3, 2, 0, 9],) * 2
    loop = game("courlander").start(first=first)
    assert (len(drops(loop, "S")), len(drops(loop, "N"))) == (16, 16)


def test_fact_leaves_of_the_turn_tree() -> None:
    of = game()
    result = [4, 3, 1, 3, 2, 3, 2, 0, 9, 0] * 2
    for seat, depths in ((0, range(1, 6)), (1, range(1, 4))):
        trees = [[batch.perft(of, cells, seat, 0, depth) for depth in depths] for cells in (of.refill((27, 27))[0], result)]
        assert trees == [[9, 72, 516, 3704, 26229][: len(depths)], [8, 52, 359, 2555, 17744][: len(depths)]]
