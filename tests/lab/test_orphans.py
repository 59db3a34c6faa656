"""Processes that do part of the work end with the one that gives it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

GIVER = """
from pathlib import Path
import os, sys, time
from muang.lab.workers import in_order

def work(folder, name):
    Path(folder, f"{name}.{os.getpid()}").touch()
    time.sleep(600)

if __name__ == "__main__":
    list(in_order(work, [(sys.argv[1], "a"), (sys.argv[1], "b")], 2))
"""


def lives(process: int) -> bool:
    """Whether there is such a process, and it is no mere entry of one that has ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
def test_who_works_for_a_killed_process_ends(tmp_path: Path) -> None:
    program = tmp_path / "giver.py"
    program.write_text(GIVER)
    done = tmp_path / "done"
    done.mkdir()
    giver = subprocess.Popen([sys.executable, str(program), str(done)])
    end = time.monotonic() + 60
    while len(list(done.iterdir())) < 2:
        assert time.monotonic() < end
        time.sleep(0.05)
    workers = [int(path.suffix[1:]) for path in done.iterdir()]
    assert all(lives(worker) for worker in workers)
    os.kill(giver.pid, signal.SIGKILL)
    giver.wait()
    end = time.monotonic() + 30
    while any(lives(worker) for worker in workers):
        assert time.monotonic() < end
        time.sleep(0.05)
