"""The oracle itself against every vector and against the facts that the rules list."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

from oracle import ca_ngua, matches, sowing

VECTORS = Path(__file__).resolve().parent.parent / "vectors"


def cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (VECTORS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def setting(case: dict[str, Any]) -> tuple[sowing.Rules, sowing.Board]:
    rules = sowing.Rules(case["game"], case["rules"])
    return rules, rules.board(case["board"]) if "board" in case else rules.start_board()


def unordered(horses: dict[Any, list[Any]]) -> dict[str, list[Any]]:
    return {str(seat): sorted(two, key=str) for seat, two in horses.items()}


def test_walks() -> None:
    for case in cases("walks"):
        rules, board = setting(case)
        assert sowing.legal(rules, board, case["seat"]) == case["legal"], case["id"]
        if case["kind"] == "legal":
            assert sowing.endless(rules, board, case["seat"]) == case["endless"], case["id"]
            continue
        events, after, ends = sowing.walk(rules, board, case["seat"], case["hole"])
        assert [event[1:] for event in events] == case["events"], case["id"]
        assert (rules.rows(after), ends) == (case["after"], case["ends"]), case["id"]


def test_races() -> None:
    for case in cases("races"):
        rules, board = setting(case)
        race = sowing.lockstep_race(rules, board, case["first"], case["choices"])
        assert rules.rows(race.table.board) == case["after"], case["id"]
        assert race.events[: len(case["events_head"])] == case["events_head"], case["id"]
        assert len(race.events) == case["events_total"], case["id"]
        assert len(race.steps) == case.get("steps", len(race.steps)), case["id"]
        assert race.deaths == (case["deaths"] or []), case["id"]


@pytest.mark.parametrize("name", ["steps", "slips"])
def test_single_steps(name: str) -> None:
    for case in cases(name):
        rules, board = setting(case)
        events, table = sowing.play_steps(rules, board, case["steps"])
        assert rules.rows(table.board) == case["after"], case["id"]
        assert len(events) == case["events_total"], case["id"]
        assert events[-len(case["events_tail"]) :] == case["events_tail"], case["id"]
        hands = {seat: {"at": hand.at, "seeds": hand.seeds} if hand else None for seat, hand in table.hands.items()}
        assert hands == case.get("hands", hands), case["id"]


def test_matches() -> None:
    for case in cases("matches"):
        match = matches.play_match(sowing.Rules(case["game"], case["rules"]), case["first"], case["choices"])
        assert match.phase == "over", case["id"]
        assert (match.winner, match.seeds) == (case["winner"], case["seeds"]), case["id"]
        assert match.widows == case.get("widows", {}), case["id"]
        assert len(match.rounds) == len(case["rounds"]), case["id"]
        for ours, theirs in zip(match.rounds, case["rounds"], strict=True):
            # widows are written as 0 in `start` and listed in `widows`
            ours = ours | {"start": {place: seeds or 0 for place, seeds in ours["start"].items()}}
            for key, value in theirs.items():
                assert ours[key] == value, (case["id"], key)


def test_ca_ngua_moves() -> None:
    for case in cases("ca-ngua-moves"):
        table = ca_ngua.Table(ca_ngua.options(case["rules"]), {int(seat): two for seat, two in case["horses"].items()})
        assert table.moves(case["seat"], case["dice"]) == {(move["from"], move["to"]) for move in case["moves"]}, case["id"]
        assert ca_ngua.is_release(case["dice"]) == case["rolls_again"], case["id"]
        for move in case["moves"]:
            after = copy.deepcopy(table)
            assert after.make(case["seat"], (move["from"], move["to"])) == move["kicks"], case["id"]
            assert unordered(after.horses) == unordered(move["after"]), case["id"]
            assert after.has_won(case["seat"]) == move["wins"], case["id"]


def test_ca_ngua_matches() -> None:
    for case in cases("ca-ngua-matches"):
        match = ca_ngua.play_log(ca_ngua.options(case["rules"]), case["seats"], case["log"])
        assert (match.phase, match.winner) == ("over", case["winner"]), case["id"]
        assert unordered(match.table.horses) == unordered(case["horses"]), case["id"]


# the facts at the end of each rules file


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [7, 36, 227, 1378, 8065]),
        ({"capture_last": True}, [7, 36, 230, 1406, 8295]),
        ({"store_landing": "end"}, [7, 37, 227, 1369, 8231]),
    ],
)
def test_mak_khum_tree(options: dict[str, Any], expected: list[int]) -> None:
    rules = sowing.Rules("mak-khum", options)
    assert list(sowing.leaves(rules, rules.start_board(), "S", 5)) == expected


def test_mak_khum_first_walks() -> None:
    rules = sowing.Rules("mak-khum")
    for hole in rules.holes["S"]:
        events, after, ends = sowing.walk(rules, rules.start_board(), "S", hole)
        drops = sum(event[1] == "drop" for event in events)
        assert (drops, ends, after["SH"]) == ((7, "rest", 1) if hole == "S1" else (15, "die", 9))


def test_mak_khum_longest_walk() -> None:
    rules = sowing.Rules("mak-khum")
    rows = {"S": [10, 7, 3, 15, 8, 11, 14], "N": [5, 0, 1, 2, 8, 10, 4]}
    board = rules.board(rows | {"stores": {"S": 0, "N": 0}})
    events, _, ends = sowing.walk(rules, board, "S", "S6")
    assert [sum(event[1] == kind for event in events) for kind in ("drop", "lift")] == [947, 149]
    assert ends == "rest"


def test_mak_khum_thirty_six_choices() -> None:
    match = matches.Match(sowing.Rules("mak-khum", {"race": "none", "rounds": 1}), "S")
    for hole in "125215223432316531713136757623174212":
        match.play("S", f"S{hole}")
    rows = match.rules.rows(match.board)
    assert rows == {"S": [1, 1, 0, 1, 0, 1, 7], "N": [0, 1, 0, 1, 0, 0, 0], "stores": {"S": 85, "N": 0}}
    assert match.to_act == ["N"]


@pytest.mark.parametrize("first", ["S", "N"])
@pytest.mark.parametrize("race_loser", ["finish", "stop_lap"])
@pytest.mark.parametrize(("track", "drops"), [("pankhurst", 51), ("courlander", 16)])
def test_abalalae_race(first: str, race_loser: str, track: str, drops: int) -> None:
    rules = sowing.Rules("abalalae", {"track": track, "race_loser": race_loser})
    race = sowing.lockstep_race(rules, rules.start_board(), first, [])
    for seat in sowing.SEATS:
        assert sum(event[:2] == [seat, "drop"] for event in race.events) == drops
    assert race.deaths == [first, sowing.OTHER[first]]
    if track == "pankhurst":
        row = [4, 3, 1, 3, 2, 3, 2, 0, 9]
        assert rules.rows(race.table.board) == {"S": row, "N": row, "stores": {"S": 0, "N": 0}}


def test_abalalae_trees() -> None:
    rules = sowing.Rules("abalalae")
    assert list(sowing.leaves(rules, rules.start_board(), "S", 5)) == [9, 72, 516, 3704, 26229]
    raced = sowing.lockstep_race(rules, rules.start_board(), "S", []).table.board
    assert list(sowing.leaves(rules, raced, "S", 5)) == [8, 52, 359, 2555, 17744]


def test_abalalae_endless_walk() -> None:
    rules = sowing.Rules("abalalae")
    counts = map(int, "121201010210121010")
    board: sowing.Board = {"SH": 0, "NH": 0}
    board.update(zip(rules.path["S"], counts, strict=True))
    assert board[rules.path["S"][3]] == 2
    assert sowing.walk(rules, board, "S", rules.path["S"][3])[2] == "endless"


def test_abalalae_geometry() -> None:
    rules = sowing.Rules("abalalae")
    facing = {1: [7, 6], 2: [8, 5], 3: [9, 4], 4: [3], 5: [2], 6: [1], 7: [1], 8: [2], 9: [3]}
    for seat, other in sowing.OTHER.items():
        assert {hole: rules.facing[hole] for hole in rules.holes[seat]} == {
            f"{seat}{i}": [f"{other}{j}" for j in js] for i, js in facing.items()
        }
    assert rules.path["N"] == rules.path["S"][::-1]
    common = sowing.Rules("abalalae", {"track": "courlander"})
    south = common.path["S"]
    start = south.index("N1")
    assert common.path["N"] == south[start:] + south[:start]


@pytest.mark.parametrize(("seats", "rolls"), [((0, 2), 66), ((0, 1, 2), 98), ((0, 1, 2, 3), 133)])
def test_ca_ngua_random_games(seats: tuple[int, ...], rolls: int) -> None:
    lots = random.Random(2)
    counts, lost = [], 0
    for _ in range(120):
        match = ca_ngua.Match(ca_ngua.options(), seats, seats[0])
        count = 0
        while match.phase != "over":
            match.roll((lots.randint(1, 6), lots.randint(1, 6)))
            count += 1
            if match.phase == "roll":
                lost += 1
            else:
                match.play(lots.choice(sorted(match.choices(), key=str)))
        counts.append(count)
    mean = sum(counts) / len(counts)
    assert abs(mean - rolls) < 0.12 * rolls
    assert 0.3 < lost / sum(counts) < 0.5
