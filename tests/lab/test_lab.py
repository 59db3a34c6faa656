"""Conformance files, perft and simulation: right answers, and clear words for damaged files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import muang
from muang import BadAction
from muang.lab import conform, perft
from muang.lab.simulate import Spread, simulate

VECTORS = Path(__file__).parent.parent / "vectors"


def some_cases() -> list[dict[str, Any]]:
    """A case of each kind of each file."""
    cases = []
    for path in sorted(VECTORS.glob("*.jsonl")):
        kinds = set()
        with path.open(encoding="utf-8") as lines:
            for case in map(json.loads, lines):
                if (case["game"], case["kind"]) not in kinds:
                    kinds.add((case["game"], case["kind"]))
                    cases.append(case)
    return cases


def test_a_case_of_each_kind_agrees() -> None:
    cases = some_cases()
    assert {case["kind"] for case in cases} == {"walk", "legal", "race", "steps", "match", "moves"}
    assert {case["game"] for case in cases} == {"mak-khum", "abalalae", "ca-ngua"}
    for case in cases:
        assert conform.check(case) is None


@pytest.mark.parametrize("field", ["after", "events", "legal", "winner", "moves", "rounds", "events_total"])
def test_a_changed_case_is_found(field: str) -> None:
    changed = 0
    for case in some_cases():
        if field in case:
            value = case[field]
            if isinstance(value, list):
                case[field] = value[:-1]
            elif isinstance(value, int):
                case[field] = value + 1
            elif isinstance(value, str):
                case[field] = "N" if value == "S" else "S"
            else:
                case[field] = {**value, "S": [0] * 9} if value else 3
            if case[field] != value:
                changed += 1
                assert conform.check(case), case["id"]
    assert changed


def test_any_missing_field_fails_the_case() -> None:
    """Damage is never agreement. (A case may leave out its board, its pace and some of what it would compare.)"""
    asks_less = {"board", "pace", "hands", "widows", "steps"}
    for case in some_cases():
        for field in case:
            if field not in asks_less:
                less = {key: value for key, value in case.items() if key != field}
                assert conform.check(less), (case["id"], field)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "cannot read the line"),
        ("[1]", "a case is a JSON object, not list"),
        ("{}", "it has no 'id'"),
        ('{"id":"x","game":"chess","rules":{},"kind":"walk"}', "there is no game 'chess'"),
        ('{"id":"x","game":"mak-khum","rules":{},"kind":"dance"}', "dance"),
        ('{"id":"x","game":"mak-khum","rules":{"rounds":0},"kind":"walk"}', "MK-50"),
        ('{"id":"x","game":"mak-khum","rules":3,"kind":"walk"}', "TypeError"),
        ('{"id":"x","game":"ca-ngua","rules":{},"kind":"moves","seats":[0,2],"horses":{"0":[1,2,3]},"seat":0,"dice":[1,2]}', "horses"),
        ("\x00", "cannot read the line"),
        ("[" * 50_000, "cannot read the line"),
    ],
)
def test_damaged_lines_fail_with_a_reason(tmp_path: Path, line: str, why: str) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text("\n" + line + "\n\n", encoding="utf-8")
    (outcome,) = conform.run([path])
    assert outcome.differs is not None
    assert why in outcome.differs
    assert outcome.line == 2


def test_nothing_to_check_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("\n\n")
    (tmp_path / "bytes.jsonl").write_bytes(b"\xff\xfe{}\n")
    for paths, why in (
        ([tmp_path / "absent"], "no file or folder"),
        ([tmp_path / "empty.jsonl"], "no cases in"),
        ([tmp_path / "bytes.jsonl"], "not UTF-8"),
    ):
        with pytest.raises(conform.NoCases, match=why):
            list(conform.run(conform.files(paths)))
    (tmp_path / "inner").mkdir()
    with pytest.raises(conform.NoCases, match=r"no \.jsonl file"):
        conform.files([tmp_path / "inner"])
    assert [path.name for path in conform.files([tmp_path, tmp_path / "empty.jsonl"])] == ["bytes.jsonl", "empty.jsonl"]


# ── perft: the facts at the end of the rules ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "options", "counts"),
    [
        ("mak-khum", {}, [7, 36, 227, 1378, 8065, 46707]),
        ("mak-khum", {"capture_last": True}, [7, 36, 230, 1406, 8295]),
        ("mak-khum", {"store_landing": "end"}, [7, 37, 227, 1369, 8231]),
        ("abalalae", {}, [9, 72, 516, 3704]),
    ],
)
def test_choices_tree(name: str, options: dict[str, Any], counts: list[int]) -> None:
    match = muang.game(name, "turns", **options).start(first="S")
    assert list(perft.perft(match, len(counts))) == list(enumerate(counts, 1))


def test_the_compiled_count_is_the_same() -> None:
    """Positions with widows, near the end of a round, with every landing option."""
    for line in (
        "mak-khum rules=trang round=2 first=S opened=N S=-,-,1,0,2,1,3/50 N=1,0,0,2,0,1,1/36 turn=N",
        "mak-khum rules=turns,capture_last:true,skip_origin:true round=1 first=S opened=S S=1,0,0,0,0,1,0/60 N=0,1,0,0,0,0,2/33 turn=S",
        "mak-khum rules=chongka round=1 first=S opened=S S=3,0,0,9,0,1,0/52 N=0,1,0,0,0,0,2/30 turn=N",
    ):
        match = muang.position(line).start()
        for depth in range(7):
            assert perft.leaves(match, depth) == perft.walked(match, depth)


def test_choices_tree_after_the_race_of_abalalae() -> None:
    match = muang.game("abalalae", "single").start(first="S")
    assert [count for _, count in perft.perft(match, 4)] == [8, 52, 359, 2555]


def test_choices_tree_of_a_race_and_of_dice() -> None:
    race = muang.game("mak-khum").start(first="S")
    assert [count for _, count in perft.perft(race, 2)] == [7, 49]
    dice = muang.game("ca-ngua").start(first=0)
    assert perft.leaves(dice, 1) == 21  # rolls
    assert perft.leaves(dice, 2) == 7 + 14 * 21  # an entry after doubles or 1-6, else the next seat's roll
    over = dice.leave(0)
    assert perft.leaves(over, 0) == 1
    assert perft.leaves(over, 1) == 0


# ── simulation ────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_same_run_whatever_the_number_of_processes() -> None:
    game = muang.game("ca-ngua")
    told: list[int] = []
    alone = simulate(game, 60, ("random", "greedy"), 3, workers=1)
    together = simulate(game, 60, ("random", "greedy"), 3, workers=2, progress=told.append)
    assert alone.summary() == together.summary()
    assert sum(told) == 60
    assert alone.summary() != simulate(game, 60, ("random", "greedy"), 4, workers=1).summary()


def test_what_is_counted() -> None:
    summary = simulate(muang.game("mak-khum", "songkhla", max_rounds=3), 40, ("random",), 3, workers=1).summary()
    assert summary["games"] == 40
    assert sum(summary["wins"].values()) + summary["draws"] == sum(summary["wins_by_seat"].values()) + summary["draws"] == 40
    assert set(summary["wins"]) <= {"random#1", "random#2"}
    assert sum(summary["reasons"].values()) == 40
    assert summary["rounds"]["most"] <= 3
    assert round(summary["seeds_S"]["mean"] + summary["seeds_N"]["mean"], 2) == 98
    assert summary["drops"]["least"] > summary["choices"]["least"]


def test_players_sit_everywhere_equally_often() -> None:
    """One player always wins against nobody: with the same strength, seats and wins spread over names."""
    summary = simulate(muang.game("ca-ngua"), 90, ("random", "random", "greedy"), 3, seats=(0, 1, 3), workers=1).summary()
    assert set(summary["wins_by_seat"]) == {"0", "1", "3"}
    assert set(summary["wins"]) == {"random#1", "random#2", "greedy"}


def test_wrong_players() -> None:
    game = muang.game("mak-khum")
    with pytest.raises(BadAction, match="no computer player"):
        simulate(game, 1, ("genius",))
    with pytest.raises(BadAction, match="2 seats and 3 players"):
        simulate(game, 1, ("random",) * 3)


def test_a_spread() -> None:
    spread = Spread()
    for value in (4, 1, 1, 10):
        spread.add(value)
    assert spread.summary() == {"mean": 4.0, "least": 1, "median": 1, "most": 10}
