"""Every conformance case of the two sowing games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from muang.lab.conform_sowing import check

FILES = ("walks", "races", "steps", "slips", "matches")
CASES = [json.loads(line) for name in FILES for line in (Path(__file__).parent / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def test_no_case_is_missing() -> None:
    assert len(CASES) == 679


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_agrees(case: dict[str, Any]) -> None:
    assert check(case) is None


def test_the_check_can_fail() -> None:
    case = dict(CASES[0], ends="rest" if CASES[0]["ends"] == "die" else "die")
    assert "ends" in (check(case) or "")
