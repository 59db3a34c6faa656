"""The load benchmark in its shortest form: it plays, measures and ends, and nothing that it sends is refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

LOAD = Path(__file__).parents[2] / "benchmarks" / "load.py"


@pytest.mark.parametrize(("what", "matches"), [("turns", 20), ("races", 4)])
def test_the_load_client_plays_and_is_never_refused(what: str, matches: int) -> None:
    command = [sys.executable, "-W", "error", str(LOAD), what, "--matches", str(matches), "--seconds", "2", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env={**os.environ, "MUANG_WARM": "0"})
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)[what]
    assert found["inputs"] > 0
    assert found["p50"] <= found["p99"] <= found["max"]
    assert found["server_cpu"] > 0
    if what == "turns":
        assert found["errors"] == {}
