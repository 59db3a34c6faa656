"""A server for tests: in this process, or as a program of its own that can be killed; and a client that plays by the protocol."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from muang.rooms import Timing
from muang.server.app import create_app
from muang.server.owner import Owner
from muang.server.serve import Announced, config_of, listen
from muang.server.settings import Settings
from muang.store import Store
from muang.wire import parse_server

QUICK = Timing(countdown=50, roll=1, no_move=2, drop=3000, max_lag=250)
PEOPLE = {"mak-khum": ("S", "N"), "abalalae": ("S", "N"), "ca-ngua": (0, 2)}


@contextlib.asynccontextmanager
async def running(data: Path, store: Store | None = None, owner: Owner | None = None, **settings: Any) -> AsyncIterator[tuple[str, Any]]:
    """A server in this process; gives ``127.0.0.1:PORT`` and the app."""
    settings.setdefault("rate_frames", "2000/second")  # clients of tests answer at once
    chosen = Settings(data_dir=data, timing=settings.pop("timing", QUICK), warm=settings.pop("warm", False), **settings)
    app = create_app(chosen, store, owner)
    bound = listen("127.0.0.1", 0)
    port = bound.getsockname()[1]
    server = Announced(config_of(app), lambda: None)
    server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign, assignment]
    task = asyncio.create_task(server.serve([bound]))
    try:
        while not server.started:
            if task.done():
                await task
            await asyncio.sleep(0.01)
        yield f"127.0.0.1:{port}", app
    finally:
        server.should_exit = True
        await task
        bound.close()


PROGRAM = """
import sys
from pathlib import Path
from muang.server.serve import serve

sys.exit(serve(port=int(sys.argv[2]), data_dir=Path(sys.argv[1]), open_browser=False))
"""


class Program:
    """The server as a program of its own."""

    def __init__(self, data: Path, port: int) -> None:
        quick = {f"MUANG_TIMING_{name}": str(value) for name, value in (("COUNTDOWN", 50), ("ROLL", 1), ("NO_MOVE", 2))}
        self.process = subprocess.Popen(
            [sys.executable, "-W", "error", "-c", PROGRAM, str(data), str(port)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **quick, "MUANG_WARM": "0"},
        )
        assert self.process.stdout is not None
        self.first = self.process.stdout.readline()

    def end(self, kill: bool = False) -> tuple[int, str]:
        """Stop it; gives its exit code and what it said on stderr."""
        self.process.kill() if kill else self.process.terminate()
        _, err = self.process.communicate(timeout=20)
        return self.process.returncode, err


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def ask(
    base: str, path: str, body: Any = None, headers: dict[str, str] | None = None, raw: bytes | None = None
) -> tuple[int, dict[str, str], bytes]:
    """One HTTP request: status, headers, body."""
    data = raw if raw is not None else None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"http://{base}{path}", data, {"content-type": "application/json", **(headers or {})})
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, {k.lower(): v for k, v in answer.headers.items()}, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, {k.lower(): v for k, v in error.headers.items()}, error.read()


async def aask(
    base: str, path: str, body: Any = None, headers: dict[str, str] | None = None, raw: bytes | None = None
) -> tuple[int, dict[str, str], bytes]:
    return await asyncio.to_thread(ask, base, path, body, headers, raw)


async def make(base: str, game: str = "mak-khum", computers: tuple[Any, ...] | dict[Any, str] = (), **more: Any) -> dict[str, Any]:
    """A new match: id, tokens, url. ``computers``: seats of the quickest computer player, or seat → which one."""
    players = computers if isinstance(computers, dict) else dict.fromkeys(computers, "greedy")
    seats = [{"seat": seat, "kind": "computer", "player": players[seat]} if seat in players else {"seat": seat} for seat in PEOPLE[game]]
    status, _, body = await aask(base, "/api/matches", {"game": game, "seats": seats, **more})
    assert status == 201, body
    made: dict[str, Any] = json.loads(body)
    return made


class Client:
    """A screen that follows a match by the protocol, and checks the protocol as it does."""

    def __init__(self, base: str, match: dict[str, Any], *seats: Any, client: str | None = None) -> None:
        self.base, self.id, self.seats, self.client = base, match["id"], seats, client
        self.tokens = [match["tokens"][str(seat)] for seat in seats]
        self.entropy: str | None = None
        self.n = 0
        self.version: int | None = None
        self.state: dict[str, Any] = {}
        self.match: dict[str, Any] = {}
        self.frames: list[dict[str, Any]] = []
        self.acked: dict[int, int] = {}
        self.last: dict[str, Any] = {}
        self.table: dict[str, Any] = {}
        self.echoes = True
        """Whether probes are answered."""
        self.socket: ClientConnection

    async def __aenter__(self) -> Client:
        self.socket = await connect(f"ws://{self.base}/ws/{self.id}")
        hello = {"v": 1, "type": "hello", "tokens": self.tokens, "version": self.version}
        given = {"client": self.client, "entropy": self.entropy}
        await self.send(hello | {key: word for key, word in given.items() if word})
        await self.until("state", "table")  # what was missed, with the people at the table at its end, or everything
        self.client = self.state["client"]
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.socket.close()

    async def send(self, frame: dict[str, Any] | str) -> None:
        await self.socket.send(frame if isinstance(frame, str) else json.dumps(frame))

    async def hear(self, seconds: float = 30) -> dict[str, Any]:
        text = str(await asyncio.wait_for(self.socket.recv(), seconds))
        parse_server(text)  # nothing is sent that the schema does not have
        frame: dict[str, Any] = json.loads(text)
        self.frames.append(frame)
        if frame["type"] == "probe" and self.echoes:
            await self.send({"v": 1, "type": "echo", "s": frame["s"], "t": time.monotonic() * 1000})
        if frame["type"] == "state":
            self.state, self.match, self.version, self.table = frame, frame["match"], frame["version"], frame["table"]
        elif frame["type"] == "event":
            assert self.version is not None
            assert frame["version"] == self.version + 1, "no gaps"
            self.version, self.match = frame["version"], frame["match"]
            self.state = {**self.state, **{key: frame[key] for key in ("race_clock", "awaiting", "offer", "clock")}}
            self.table = frame["table"] or self.table
        elif frame["type"] == "table":
            self.table = frame["table"]
        elif frame["type"] == "ack":
            self.acked[frame["n"]] = frame["version"]
        return frame

    async def until(self, *types: str) -> dict[str, Any]:
        while True:
            frame = await self.hear()
            if frame["type"] in types:
                return frame

    async def play(self, seat: Any, action: str, at: float | None = None, n: int | None = None) -> dict[str, Any]:
        """Play and wait for the answer, ``ack`` or ``error``."""
        self.n = n or self.n + 1
        frame = {"v": 1, "type": "play", "n": self.n, "seat": seat, "version": self.version, "action": action, "at": at}
        self.last = frame
        await self.send(frame)
        while True:
            answer = await self.until("ack", "error")
            if answer["n"] == self.n:
                return answer

    async def order(self, seat: Any, name: str, **more: Any) -> dict[str, Any]:
        self.n += 1
        await self.send({"v": 1, "type": "command", "n": self.n, "seat": seat, "name": name, **more})
        return await self.until("ack", "error")

    def mine(self) -> list[Any]:
        """The own seats that have to act."""
        running = self.match["phase"] != "race" or self.match["pace"] == "lockstep" or self.state["race_clock"]["running"]
        return [seat for seat in self.seats if seat in self.match["to_act"] and running]
