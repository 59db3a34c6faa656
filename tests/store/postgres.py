"""A PostgreSQL server of our own on loopback, for as long as the tests run."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest


def binaries() -> Path | None:
    """Where PostgreSQL's programs are, the newest version first."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: float(path.parts[4]), reverse=True)
    if found:
        return found[0].parent
    program = shutil.which("postgres")
    return Path(program).parent if program else None


def need() -> Path:
    """The programs, or the reason why this test is left out; with MUANG_REQUIRE=all it fails instead."""
    found, reason = binaries(), "PostgreSQL is not installed (package postgresql)"
    if found is not None and os.geteuid() == 0 and not _has_postgres_user():
        found, reason = None, "PostgreSQL does not run as root, and there is no user postgres"
    if found is None:
        if os.environ.get("MUANG_REQUIRE") == "all":
            pytest.fail(reason)
        pytest.skip(reason)
    return found


def _has_postgres_user() -> bool:
    try:
        pwd.getpwnam("postgres")
    except KeyError:
        return False
    return True


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def server() -> Iterator[str]:
    """A running server; gives the address of its database without a name: ``postgresql://muang@127.0.0.1:PORT/``."""
    programs = need()
    folder = Path(tempfile.mkdtemp(prefix="muang-pg-"))
    who: dict[str, Any] = {}
    if os.geteuid() == 0:
        user = pwd.getpwnam("postgres")
        os.chown(folder, user.pw_uid, user.pw_gid)
        who = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    port = _free_port()
    data = folder / "data"
    common: dict[str, Any] = {"cwd": folder, "env": {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": str(folder)}, **who}
    try:
        made = subprocess.run(
            [programs / "initdb", "-D", data, "-U", "muang", "-A", "trust", "-E", "UTF8", "--no-sync"],
            capture_output=True,
            text=True,
            **common,
        )
        assert made.returncode == 0, made.stderr
        with (folder / "log").open("wb") as log:
            running = subprocess.Popen(
                [programs / "postgres", "-D", data, "-h", "127.0.0.1", "-p", str(port), "-k", folder, "-F"],
                stdout=log,
                stderr=log,
                **common,
            )
        try:
            _wait(port, running, folder / "log")
            yield f"postgresql://muang@127.0.0.1:{port}/"
        finally:
            running.terminate()
            running.wait(20)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _wait(port: int, running: subprocess.Popen[bytes], log: Path) -> None:
    import psycopg

    for _ in range(200):
        assert running.poll() is None, log.read_text()
        try:
            psycopg.connect(f"postgresql://muang@127.0.0.1:{port}/postgres", connect_timeout=2).close()
            return
        except psycopg.OperationalError:
            time.sleep(0.05)
    raise AssertionError(log.read_text())
