"""nginx on loopback, with the configuration of ``deploy/`` in which only addresses are other ones."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

DEPLOY = Path(__file__).parents[2] / "deploy"


def need() -> str:
    """The program, or the reason why this test is left out; with MUANG_REQUIRE=all it fails instead."""
    found = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    if found is None:
        reason = "nginx is not installed (package nginx-light)"
        if os.environ.get("MUANG_REQUIRE") == "all":
            pytest.fail(reason)
        pytest.skip(reason)
    return found


def rendered(port: int, workers: list[int]) -> str:
    """``deploy/nginx.conf`` with these ports."""
    text = (DEPLOY / "nginx.conf").read_text()
    swaps = {"listen 80;": f"listen 127.0.0.1:{port};"}
    swaps |= {f"server muang-{i}:8642 ": f"server 127.0.0.1:{worker} " for i, worker in enumerate(workers, 1)}
    for old, new in swaps.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


@contextlib.contextmanager
def nginx(folder: Path, port: int, workers: list[int]) -> Iterator[str]:
    """nginx before these workers; gives ``127.0.0.1:PORT``."""
    program = need()
    folder.mkdir(exist_ok=True)
    (folder / "muang.conf").write_text(rendered(port, workers))
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    (folder / "nginx.conf").write_text(
        ("user root;\n" if os.geteuid() == 0 else "")
        + "daemon off;\nworker_processes 1;\npid nginx.pid;\nerror_log stderr warn;\nevents {}\nhttp {\naccess_log off;\n"
        + "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
        + f"include {folder}/muang.conf;\n}}\n"
    )
    with (folder / "log").open("wb") as log:
        running = subprocess.Popen([program, "-p", str(folder), "-c", str(folder / "nginx.conf")], stdout=log, stderr=log)
    try:
        for _ in range(200):
            assert running.poll() is None, (folder / "log").read_text()
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.02)
        else:
            raise AssertionError((folder / "log").read_text())
        yield f"127.0.0.1:{port}"
    finally:
        running.terminate()
        running.wait(10)
