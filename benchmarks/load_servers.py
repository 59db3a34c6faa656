"""Owns the servers that are loaded: each a process of its own, with what it has used. Linux only (``/proc``)."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from load_links import post

__all__ = ["Server", "free_port", "muang", "peer", "peer_missing"]

PEER = Path(__file__).parent / "boardgame_io"
CLOCK_TICKS = os.sysconf("SC_CLK_TCK")
FIRST: dict[str, Any] = {"game": "mak-khum", "ruleset": "turns", "seats": [{"seat": "S"}, {"seat": "N"}]}


class Server:
    """A server as a process of its own."""

    def __init__(self, process: subprocess.Popen[str], port: int, lobby: int = 0) -> None:
        self.process, self.port, self.lobby = process, port, lobby

    def cpu(self) -> float:
        """CPU seconds so far, of all its threads."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / CLOCK_TICKS

    def memory(self) -> int:
        """Bytes of its own in memory."""
        for line in Path(f"/proc/{self.process.pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Rss:"):
                return int(line.split()[1]) * 1024
        return 0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@asynccontextmanager
async def muang(idle_seconds: int = 600) -> AsyncIterator[Server]:
    """``muang serve`` with nothing in it."""
    port = free_port()
    many = dict.fromkeys(("MOST_SOCKETS", "MOST_TABLES", "SOCKETS_PER_ADDRESS", "TABLES_PER_ADDRESS"), "100000")
    rates = {f"RATE_{name}": "off" for name in ("MATCHES", "SITS", "LOOKS", "PLAYS", "FRAMES")}
    settings = {
        **many,
        **rates,
        "IDLE_SECONDS": str(idle_seconds),
        "TIMING_COUNTDOWN": "500",
        "TIMING_ROLL": "200",
        "TIMING_NO_MOVE": "200",
    }
    env = {**os.environ, **{f"MUANG_{name}": value for name, value in settings.items()}}
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-c", "from muang.cli import main; main()", "serve", "--no-browser", "--port", str(port), "--data", data]
        process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)
        server = Server(process, port)
        try:
            assert process.stdout is not None
            if not await asyncio.to_thread(process.stdout.readline):
                raise SystemExit("muang serve did not start")
            await post(port, "/api/matches", FIRST)  # waits until the kernels are compiled
            yield server
        finally:
            process.terminate()
            await asyncio.to_thread(process.wait)


@asynccontextmanager
async def peer() -> AsyncIterator[Server]:
    """boardgame.io's server, its matches in memory."""
    port, lobby = free_port(), free_port()
    env = {**os.environ, "NODE_ENV": "production"}
    process = subprocess.Popen(["node", "server.js", str(port), str(lobby)], cwd=PEER, env=env, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        while "ready" not in (line := await asyncio.to_thread(process.stdout.readline)):
            if not line:
                raise SystemExit("boardgame.io's server did not start")
        yield Server(process, port, lobby)
    finally:
        process.terminate()
        await asyncio.to_thread(process.wait)


def peer_missing() -> str | None:
    """Why boardgame.io cannot be measured here."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return "there is no node and npm here"
    if not (PEER / "node_modules" / "boardgame.io").is_dir():
        return "boardgame.io is not installed: run npm install in benchmarks/boardgame_io"
    return None
