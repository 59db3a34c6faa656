"""Every Cờ cá ngựa case of the conformance vectors."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest

from muang.lab.conform_ca_ngua import check

HERE = Path(__file__).parent
CASES = {
    path.name: [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] for path in sorted(HERE.glob("ca-ngua-*.jsonl"))
}


def test_the_files_are_there() -> None:
    assert {name: len(cases) for name, cases in CASES.items()} == {"ca-ngua-matches.jsonl": 40, "ca-ngua-moves.jsonl": 500}


@pytest.mark.parametrize("name", CASES)
def test_every_case_agrees(name: str) -> None:
    differences = {case["id"]: difference for case in CASES[name] if (difference := check(case))}
    assert differences == {}


def _first(name: str, wanted: str) -> dict:
    return copy.deepcopy(next(case for case in CASES[name] if case.get(wanted)))


def test_a_wrong_case_is_found_out() -> None:
    """The check itself must be able to fail, in each thing it compares."""
    moves = _first("ca-ngua-moves.jsonl", "moves")
    for change in (
        {"rolls_again": not moves["rolls_again"]},
        {"moves": moves["moves"][1:]},
        {"moves": [{**moves["moves"][0], "kicks": 3}, *moves["moves"][1:]]},
        {"moves": [{**moves["moves"][0], "wins": True}, *moves["moves"][1:]]},
        {"moves": [{**moves["moves"][0], "after": moves["horses"]}, *moves["moves"][1:]]},
        {"dice": [7, 1]},
        {"kind": "walk"},
    ):
        assert check({**moves, **change}) is not None, change
    match = _first("ca-ngua-matches.jsonl", "log")
    for change in (
        {"winner": 5},
        {"horses": {**match["horses"], "0": ["stable", 1]}},
        {"log": match["log"][:-1]},
        {"log": [*match["log"], [0, "leave"]]},
        {"log": [[0, [1, 6], None]]},
        {"log": [[0, [1, 2], ["stable", 0]]]},
        {"log": [[2, [1, 6], ["stable", 0]]]},
    ):
        assert check({**match, **change}) is not None, change
