"""A run on a Dask cluster of two worker processes, one of which is killed half-way: the same result as without a cluster.

In a process of its own: Dask's event loops and their warnings are not this test's matter.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

pytest.importorskip("distributed")

SCRIPT = """
import json, os, signal, sys, time
from pathlib import Path

from distributed import Client, LocalCluster

import muang
from muang.lab.arena import run
from muang.lab.arena_group import Arena
from muang.lab.sprt import Sprt

def main() -> None:
    arena = Arena(muang.game("ca-ngua"), ("greedy", "random"), 6, seats=(0, 1, 2, 3))
    killed = []
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1") as cluster:
        pids = {worker: nanny.pid for worker, nanny in cluster.workers.items()}

        def tell(now):
            if now.matches == 40 and not killed:
                victim = next(iter(pids.values()))
                os.kill(victim, signal.SIGKILL)
                killed.append(victim)

        spread = run(arena, 240, cluster=cluster.scheduler_address, progress=tell).summary()
        tested = run(arena, 240, test=Sprt(0.25, 0.5, 0.05), cluster=cluster.scheduler_address).summary()
    Path(sys.argv[1]).write_text(json.dumps({"killed": killed, "spread": spread, "tested": tested}))

if __name__ == "__main__":
    main()
"""


def test_a_worker_is_killed_and_the_result_is_the_same(tmp_path) -> None:  # type: ignore[no-untyped-def]
    import muang
    from muang.lab.arena import run
    from muang.lab.arena_group import Arena
    from muang.lab.sprt import Sprt

    script, told = tmp_path / "run.py", tmp_path / "told.json"
    script.write_text(SCRIPT, encoding="utf-8")
    ran = subprocess.run([sys.executable, str(script), str(told)], capture_output=True, text=True, timeout=400, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr[-2000:]
    spread = json.loads(told.read_text(encoding="utf-8"))
    assert len(spread["killed"]) == 1
    arena = Arena(muang.game("ca-ngua"), ("greedy", "random"), 6, seats=(0, 1, 2, 3))
    assert spread["spread"] == run(arena, 240, workers=1).summary()
    assert spread["tested"] == run(arena, 240, test=Sprt(0.25, 0.5, 0.05), workers=1).summary()
    assert spread["tested"]["matches"] < 240
