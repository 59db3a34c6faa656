"""The short form of ``benchmarks/survival.py``: matches of every kind go on through ``kill -9``, and nothing acknowledged is lost."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parents[2] / "benchmarks"


def test_matches_of_every_kind_end_through_three_kills_and_nothing_acknowledged_is_lost() -> None:
    command = [sys.executable, "-W", "error", str(HERE / "survival.py"), "--matches", "12", "--kills", "3", "--seed", "4", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=500)
    assert done.stdout, done.stderr
    found = json.loads(done.stdout)
    assert found["wrong"] == []
    assert (found["matches"], found["over"], found["kills"]) == (12, 12, 3)
    assert found["acknowledged"] > 500
    assert found["sent_again"] > 0, "a kill came between an input and its answer, or nothing is tested here"
    assert done.returncode == 0, done.stderr
