"""Mak Khum: what its rulesets, options and positions are and refuse, and the facts of its rules page."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

import muang
from muang.errors import BadPosition, BadRuleset, RulesError
from muang.games import lots
from muang.games.core import PACES, Match
from muang.games.mak_khum import MakKhum
from muang.games.sowing import batch
from rules.mak_khum import at, game, line
from rules.sowing import board, drops

# ── rulesets, options, positions ─────────────────────────────────────────────────────────────────────────────────────────────

DEFAULTS = {
    "race": "round", "store_landing": "again", "capture_last": False, "skip_origin": False, "widows": "far", "slips": True,
    "opener": "larger", "rounds": 2, "max_rounds": 30, "choice_seconds": None, "holes": 7, "seeds": 7,
}  # fmt: skip


@pytest.mark.parametrize(
    ("ruleset", "changes"),
    [
        ("trang", {}),
        ("songkhla", {"race": "opening", "rounds": "until_broke"}),
        ("single", {"race": "opening", "rounds": 1}),
        ("congkak", {"race": "opening", "capture_last": True, "opener": "smaller", "rounds": "until_broke"}),
        ("chongka", {"race": "none", "store_landing": "end", "rounds": 1}),
        ("turns", {"race": "none", "rounds": 1}),
    ],
)
def test_rulesets(ruleset: str, changes: dict[str, Any]) -> None:
    assert game(ruleset).options == {**DEFAULTS, **changes}
    assert game(ruleset) == game(**changes)
    assert (game(ruleset).ruleset, game(ruleset).changes()) == (ruleset, {})
    assert next(iter(MakKhum.rulesets)) == "trang"
    assert len(MakKhum.rulesets) == 6
    rows = batch.random_matches(game(ruleset), 20, 3)
    assert (rows[:, 6] + rows[:, 7] == 98).all()


def test_unknown_rulesets_options_and_values() -> None:
    with pytest.raises(BadRuleset, match=r"mak-khum has no ruleset 'lanna' \(allowed: trang, songkhla, single, congkak, chongka, turns\)"):
        game("lanna")
    with pytest.raises(BadRuleset, match=r"mak-khum has no option 'track' \(allowed: race, store_landing, "):
        game(track="courlander")
    with pytest.raises(BadRuleset, match=r"there is no game 'mancala' \(allowed: mak-khum, abalalae, ca-ngua\)"):
        muang.game("mancala")
    for name, clause, wrong in (
        ("race", "MK-22", "rounds"), ("store_landing", "MK-12", "stop"), ("capture_last", "MK-15", 1), ("skip_origin", "MK-16", "true"),
        ("opener", "MK-45", "winner"), ("seeds", "MK-2", 0), ("seeds", "MK-2", 9),
    ):  # fmt: skip
        with pytest.raises(BadRuleset) as caught:
            game(**{name: wrong})
        assert (caught.value.clause, caught.value.reason) == (clause, f"{name} cannot be {wrong!r}")
        assert caught.value.allowed
    assert all(option.clause.startswith("MK-") for option in MakKhum.option_list)


def test_rules_load_without_numba() -> None:
    code = "import sys, muang; muang.game('mak-khum', 'songkhla', rounds=3); assert 'numba' not in sys.modules, sorted(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


GOOD = line([7] * 7, [7] * 7, (0, 0))


@pytest.mark.parametrize(
    ("field", "clause"),
    [
        ("turn=W", ""), ("turn=S over=S:seeds", ""), ("turn=", ""), ("S=7,7,7,7,7,7/0", ""), ("S=7,7,7,7,7,7,7", ""),
        ("S=7,7,7,7,7,7,7/x", "MK-42"), ("S=7,7,7,7,7,7,7/-", "MK-42"), ("S=-7,7,7,7,7,7,7/14", "MK-42"),
        ("S=7,7,7,7,7,7,٧/0", "MK-42"), ("S=1000,0,0,0,0,0,0/0", "MK-42"), ("round=0", ""), ("round=one", ""),
        ("first=W", ""), ("first=", ""), ("opened=3", ""), ("pace=fast:1", "MK-24"), ("pace=steady", "MK-24"),
        ("pace=steady:0", "MK-24"), ("pace=by_hand:x", "MK-24"), ("quiet=1", ""), ("colour=red", ""), ("now=5", "MK-24"),
        ("hand=S1:1:S1:0", "MK-24"), ("race=S1", ""), ("rules=lanna", ""), ("rules=trang,rounds", ""), ("rules=trang,rounds:0", "MK-50"),
    ],
)  # fmt: skip
def test_impossible_positions(field: str, clause: str) -> None:
    names = [word.partition("=")[0] for word in field.split()]
    words = [word for word in GOOD.split() if word.partition("=")[0] not in names]
    with pytest.raises(RulesError) as caught:
        muang.position(" ".join([*words, *field.split()]))
    assert caught.value.clause == clause
    assert isinstance(caught.value, (BadPosition, BadRuleset))


def test_positions_that_cannot_be_read() -> None:
    for text in ("", "mancala S=1", "mak-khum S", "mak-khum =3", f"{GOOD} turn=N", "mak-khum rules=turns", "mak-khum " + "x=y " * 60_000):
        with pytest.raises(BadPosition):
            muang.position(text)
    for race in ("S8", "S3,S3,S3", "N3@5", "Sdrop", "x", "S3,,N9"):
        with pytest.raises(BadPosition):
            muang.position(GOOD.replace("rules=turns", "rules=trang").replace("turn=S", f"race={race}").replace("opened=S ", ""))


def test_a_position_of_a_race_is_one_line_whoever_chose_first_and_whatever_was_tried() -> None:
    start = game().start(first="N")
    lines = {str(start.play(one, f"{one}3").play(other, f"{other}3").position) for one, other in ("SN", "NS")}
    assert [line.rpartition(" ")[2] for line in lines] == ["race=N3,S3"]
    # South tries North's hole: void, and no choice of North's in the line
    live = game().start(first="S", pace="steady").play("S", "S3", at=0).play("S", "N4", at=10)
    assert live.events == (("S", "void", "N4"),)
    assert str(live.position).endswith(" race=S3@0 now=10")
    # … but what could count if an earlier input came late is kept
    assert str(live.play("N", "drop", at=20).position).endswith(" race=S3@0,Ndrop@20 now=20")
    for race in ("S3", "S3@0,N3"):
        with pytest.raises(BadPosition, match="at live paces S3@0"):
            at([7] * 7, [7] * 7, 0, "trang", race=race, pace="steady:100")


def test_the_log_replays() -> None:
    for pace in PACES:
        match = start = game(rounds=3).start(seed=11, pace=pace, tempo=3, min_gap=2)
        n = 0
        while match.phase != "over" and n < 120:
            if not match.to_act:
                due = match.next_due
                assert due is not None
                match = match.at(due)
                continue
            seat = match.to_act[lots.below(1, "seat", n, len(match.to_act))]
            legal = match.legal(seat)
            match = match.play(seat, legal[lots.below(1, "hole", n, len(legal))])
            n += 1
        again = start
        for entry in match.log:
            again = again.apply(entry)
        if match.view()["ms"] is not None:
            again = again.at(match.view()["ms"])
        assert again.view() == match.view()
        assert again.log == match.log


# ── facts ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("options", "leaves"),
    [
        ({}, [7, 36, 227, 1378, 8065, 46707]),
        ({"capture_last": True}, [7, 36, 230, 1406, 8295]),
        ({"store_landing": "end"}, [7, 37, 227, 1369, 8231]),
    ],
)
def test_fact_leaves_of_the_choices_tree(options: dict[str, Any], leaves: list[int]) -> None:
    of = game("turns", **options)
    for seat in (0, 1):
        start = of.refill((49, 49))[0]
        assert [batch.perft(of, start, seat, 0, depth) for depth in range(1, len(leaves) + 1)] == leaves


def test_fact_first_walks() -> None:
    for seat in "SN":
        start = game("turns").start(first=seat)
        assert len(drops(start.play(seat, f"{seat}1"))) == 7
        for hole in range(2, 8):
            match = start.play(seat, f"{seat}{hole}")
            assert (match.events[-1][1], len(drops(match)), match.view()["board"]["stores"][seat]) == ("die", 15, 9)


LINE = "1 2 5 2 1 5 2 2 3 4 3 2 3 1 6 5 3 1 7 1 3 1 3 6 7 5 7 6 2 3 1 7 4 2 1 2"


def test_fact_thirty_six_choices_and_a_forced_win_of_all() -> None:
    match = game("turns").start(first="S")
    for choice in LINE.split():
        match = match.play(match.to_act[0], f"{match.turn}{choice}")
    assert board(match) == ([1, 1, 0, 1, 0, 1, 7], [0, 1, 0, 1, 0, 0, 0], 85, 0)
    assert match.turn == "N"
    known: dict[str, bool] = {}

    def all_of_them(now: Match) -> bool:
        """Whether South can force all 98 seeds."""
        key = str(now.position)
        if now.result is not None:
            return now.result.seeds["S"] == 98
        if now.view()["board"]["stores"]["N"]:
            return False
        if key not in known:
            seat = now.to_act[0]
            quantifier = any if seat == "S" else all
            known[key] = quantifier(all_of_them(now.play(seat, hole)) for hole in now.legal(seat))
        return known[key]

    assert all_of_them(match)
    assert len(known) > 10
