"""Loads a server on this machine and measures it: ``python benchmarks/load.py [turns|races|memory|peer|all]``; ``--help`` for more.

Starts ``muang serve`` on SQLite in a folder of its own, with the limits of one address lifted, and plays in it from this process:

``turns``   N matches of two players, Mak Khum in turns and Cờ cá ngựa by halves, a move a second in each;
``races``   N races ``by_hand``, Abalala'e and Mak Khum by halves, 8 inputs a second from each hand;
``memory``  N matches with two screens each in which nothing happens, and again after everybody has gone;
``peer``    Mak Khum in turns beside a game of as many moves at boardgame.io's server (``npm install`` in ``benchmarks/boardgame_io``),
            one after the other, several times.

A latency is measured from the sending of an input to its arrival at the later of the two screens, on one clock. CPU time is given for the
server and for this client, because a client that has no time left measures itself. Linux only (``/proc``).
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import random
import resource
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from load_links import PeerLink, Screen, post

HERE = Path(__file__).parent
PEER = HERE / "boardgame_io"
MOVE, DROP = 1.0, 0.125
TURNS: list[dict[str, Any]] = [
    {"game": "mak-khum", "ruleset": "turns", "options": {"rounds": "until_broke"}, "seats": [{"seat": "S"}, {"seat": "N"}]},
    {"game": "ca-ngua", "seats": [{"seat": 0}, {"seat": 2}]},
]
RACES: list[dict[str, Any]] = [
    {"game": "abalalae", "pace": "by_hand", "seats": [{"seat": "S"}, {"seat": "N"}]},
    {"game": "mak-khum", "pace": "by_hand", "options": {"race": "opening"}, "seats": [{"seat": "S"}, {"seat": "N"}]},
]
CLOCK_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Tally:
    """What is measured between ``begin`` and the end. Latencies in ms, CPU in seconds."""

    latencies: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    sent: int = 0
    open: bool = False

    def arrived(self, sent: float, moment: float) -> None:
        if self.open:
            self.latencies.append((moment - sent) * 1000)

    def figures(self) -> dict[str, Any]:
        if len(self.latencies) < 2:
            return {"inputs": len(self.latencies), "errors": dict(Counter(self.errors))}
        cuts = statistics.quantiles(self.latencies, n=1000, method="inclusive")
        named = {name: round(cuts[at], 2) for name, at in (("p50", 499), ("p95", 949), ("p99", 989))}
        return {"inputs": len(self.latencies), **named, "max": round(max(self.latencies), 2), "errors": dict(Counter(self.errors))}


class Inputs:
    """Inputs of one match that have been sent and not been seen by both screens yet."""

    def __init__(self, tally: Tally) -> None:
        self.tally = tally
        self.waiting: dict[Any, tuple[float, int]] = {}

    def sent(self, key: Any) -> None:
        self.tally.sent += 1
        self.waiting[key] = (time.perf_counter(), 2)

    def seen(self, key: Any, moment: float) -> None:
        began, left = self.waiting.pop(key, (0.0, 0))
        if left == 1:
            self.tally.arrived(began, moment)
        elif left:
            self.waiting[key] = (began, left - 1)


class Duel:
    """A Muang match between two screens of one seat each."""

    def __init__(self, port: int, wanted: dict[str, Any], tally: Tally, lots: random.Random) -> None:
        self.port, self.wanted, self.tally, self.lots = port, wanted, tally, lots
        self.inputs = Inputs(tally)
        self.screens: list[Screen] = []
        self.last: list[dict[str, Any]] = [{}, {}]
        self.over = self.playing = False

    async def make(self) -> None:
        made = await post(self.port, "/api/matches", self.wanted)
        self.id = made["id"]
        for index, (seat, token) in enumerate(made["tokens"].items()):
            hear = lambda frame, moment, index=index: self.hear(index, frame, moment)  # noqa: E731
            self.screens.append(Screen(hear, (int(seat) if seat.isdigit() else seat,), [token]))

    async def join(self) -> None:
        for screen in self.screens:
            await screen.join(self.port, self.id)

    def hear(self, index: int, frame: dict[str, Any], moment: float) -> None:
        kind = frame["type"]
        if kind == "error":
            self.tally.errors.append(frame["code"])
            self.refused(index)
        if frame.get("table") is not None:  # left out of events where nothing has changed at it
            self.playing = frame["table"]["stage"] != "meeting"
        if kind == "table" and self.last[index]:
            self.told(index, self.last[index])
        if kind not in ("state", "event"):
            return
        entry = frame.get("entry")
        if entry is not None and entry["kind"] == "play":
            self.inputs.seen((entry["seat"], entry["n"]), moment)
        self.last[index] = frame
        self.told(index, frame)

    def refused(self, index: int) -> None:
        """An input was refused."""

    def told(self, index: int, frame: dict[str, Any]) -> None:
        """Something has happened."""

    def play(self, index: int) -> bool:
        """Play anything that is allowed now. False if nothing is."""
        frame, screen = self.last[index], self.screens[index]
        seat = screen.seats[0]
        legal = frame["match"]["legal"].get(str(seat), ())
        if not legal or screen.transport.is_closing():
            return False
        number = screen.play(seat, self.lots.choice(legal), frame["version"])
        self.inputs.sent((seat, number))
        return True

    def close(self) -> None:
        self.over = True
        for screen in self.screens:
            screen.close()


class Turns(Duel):
    """A move a second."""

    next = 0.0
    planned: Any = None
    held = True

    def go(self, first: float) -> None:
        """Begin to play, at ``first`` on the loop's clock."""
        self.next, self.held = first, False
        for index, frame in enumerate(self.last):
            self.told(index, frame)

    def told(self, index: int, frame: dict[str, Any]) -> None:
        if not self.playing or self.over or self.held or self.planned is not None:
            return
        if self.screens[index].seats[0] not in frame["match"]["to_act"]:
            return
        loop = asyncio.get_running_loop()
        self.next = max(self.next, loop.time() - MOVE)  # what rolls without a move have cost is made up for
        self.planned = loop.call_at(self.next, self.move, index)

    def move(self, index: int) -> None:
        self.planned = None
        if not self.over and self.play(index):
            self.next += MOVE

    def refused(self, index: int) -> None:
        self.told(index, self.last[index])


class Race(Duel):
    """Races one after the other, 8 inputs a second from each hand."""

    going = False

    def told(self, index: int, frame: dict[str, Any]) -> None:
        screen = self.screens[index]
        if frame["type"] == "state" or (frame["entry"] or {}).get("kind") == "begin":
            if screen.seats[0] in frame["awaiting"]:
                screen.order(screen.seats[0], "start")
        elif not self.going and (frame["race_clock"] or {}).get("running"):
            self.going = True
            for one in (0, 1):
                asyncio.get_running_loop().call_later(self.lots.random() * DROP, self.drop, one)
        if self.going and frame["match"]["phase"] != "race" and not self.over:
            self.over = True
            if not self.ended.done():
                self.ended.set_result(None)

    def drop(self, index: int) -> None:
        if self.over:
            return
        asyncio.get_running_loop().call_later(DROP, self.drop, index)
        self.play(index)

    async def run(self) -> None:
        self.ended = asyncio.get_running_loop().create_future()
        await self.join()
        await self.ended
        self.close()


class PeerDuel:
    """A match of boardgame.io between two clients, a move a second."""

    def __init__(self, server: Server, tally: Tally, lots: random.Random) -> None:
        self.server, self.tally, self.lots = server, tally, lots
        self.inputs = Inputs(tally)
        self.links: list[PeerLink] = []
        self.over = self.playing = False
        self.held = True
        self.next = 0.0
        self.planned: Any = None

    def go(self, first: float) -> None:
        """Begin to play, at ``first`` on the loop's clock."""
        self.next, self.held = first, False
        for index in (0, 1):
            self.turn(index)

    async def make(self) -> None:
        self.id = (await post(self.server.lobby, "/games/sowing/create", {"numPlayers": 2}))["matchID"]
        for seat in ("0", "1"):
            body = {"playerID": seat, "playerName": seat}
            credentials = (await post(self.server.lobby, f"/games/sowing/{self.id}/join", body))["playerCredentials"]
            index = len(self.links)
            hear = lambda state, moment, index=index: self.hear(index, state, moment)  # noqa: E731
            self.links.append(PeerLink(hear, seat, credentials))

    async def join(self) -> None:
        for link in self.links:
            await link.join(self.server.port, self.id)

    def hear(self, index: int, state: dict[str, Any], moment: float) -> None:
        self.inputs.seen(state["G"]["moves"], moment)
        self.state, self.playing = state, True
        self.turn(index)

    def turn(self, index: int) -> None:
        if self.state["ctx"]["currentPlayer"] != str(index) or self.over or self.held or self.planned is not None:
            return
        loop = asyncio.get_running_loop()
        self.next = max(self.next, loop.time())
        self.planned = loop.call_at(self.next, self.move, index)

    def move(self, index: int) -> None:
        self.planned = None
        if self.over:
            return
        houses = self.state["G"]["houses"]
        house = self.lots.choice([one for one in range(7 * index, 7 * index + 7) if houses[one]] or [-1])
        self.links[index].play(house, self.state["_stateID"])
        self.inputs.sent(self.state["G"]["moves"] + 1)
        self.next += MOVE

    def close(self) -> None:
        self.over = True
        for link in self.links:
            link.close()


# ── servers ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────


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
            await post(port, "/api/matches", TURNS[0])  # waits until the kernels are compiled
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


# ── runs ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def _all(makers: list[Callable[[], Any]], at_once: int = 20) -> None:
    """Await all of them, a few at a time."""
    lane = asyncio.Semaphore(at_once)

    async def one(make: Callable[[], Any]) -> None:
        async with lane:
            await make()

    await asyncio.gather(*(one(make) for make in makers))


def _give_up(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """A mistake of this client: nothing that is measured after it means anything."""
    loop.set_exception_handler(None)
    loop.default_exception_handler(context)
    os._exit(1)


async def _measured(server: Server, tally: Tally, seconds: float, settle: float = 4.0) -> dict[str, Any]:
    asyncio.get_running_loop().set_exception_handler(_give_up)
    await asyncio.sleep(settle)
    gc.collect()
    gc.freeze()  # the client's own collections are none of the server's latencies
    cpu, mine, began = server.cpu(), time.process_time(), time.perf_counter()
    tally.open, tally.sent = True, 0
    tally.errors.clear()
    profiler = _profiler(server, seconds)
    await asyncio.sleep(seconds)
    tally.open = False
    passed = time.perf_counter() - began
    figures = {**tally.figures(), "per_second": round(len(tally.latencies) / passed, 1)}
    used = server.cpu() - cpu
    if profiler is not None:
        await asyncio.to_thread(profiler.wait)
    return {
        **figures,
        "server_cpu": round(used / passed, 3),
        "server_ms_an_input": round(1000 * used / max(1, len(tally.latencies)), 3),
        "client_cpu": round((time.process_time() - mine) / passed, 3),
    }


def _profiler(server: Server, seconds: float) -> subprocess.Popen[bytes] | None:
    """py-spy at work, if a profile was asked for (``LOAD_PROFILE=FILE``, collapsed stacks): it slows the server."""
    where = os.environ.get("LOAD_PROFILE")
    if where is None:
        return None
    command = [
        "py-spy",
        "record",
        "-p",
        str(server.process.pid),
        "-d",
        str(max(1, int(seconds))),
        "-r",
        "200",
        "-t",
        "-f",
        "raw",
        "-o",
        where,
    ]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


async def _spread(duels: list[Any]) -> None:
    """Join them all, then let them begin one after the other within a second, so that a move a second in each comes evenly."""
    await _all([duel.make for duel in duels])
    await _all([duel.join for duel in duels])
    while not all(duel.playing for duel in duels):
        await asyncio.sleep(0.1)
    now = asyncio.get_running_loop().time() + 1
    for number, duel in enumerate(duels):
        duel.go(now + MOVE * number / len(duels))


async def turns(matches: int, seconds: float, kinds: int = 2) -> dict[str, Any]:
    """A move a second in each of ``matches``; ``kinds``: how many of the games."""
    tally, lots = Tally(), random.Random(1)
    async with muang() as server:
        duels = [Turns(server.port, TURNS[number % kinds], tally, lots) for number in range(matches)]
        await _spread(duels)
        figures = await _measured(server, tally, seconds)
        for duel in duels:
            duel.close()
        return {"matches": matches, **figures}


async def races(matches: int, seconds: float) -> dict[str, Any]:
    """``matches`` races at a time: where one ends, another begins."""
    tally, lots = Tally(), random.Random(1)
    async with muang() as server:

        async def lane(wanted: dict[str, Any]) -> None:
            while True:
                race = Race(server.port, wanted, tally, lots)
                await race.make()
                await race.run()

        lanes = []
        for number in range(matches):
            lanes.append(asyncio.create_task(lane(RACES[number % 2])))
            await asyncio.sleep(0.02)
        figures = await _measured(server, tally, seconds)
        for task in lanes:
            task.cancel()
        failed = [str(one) for one in await asyncio.gather(*lanes, return_exceptions=True) if isinstance(one, Exception)]
        return {"races": matches, **figures, "failed": failed[:3]}


async def peer_turns(matches: int, seconds: float) -> dict[str, Any]:
    """The same turns at boardgame.io's server."""
    tally, lots = Tally(), random.Random(1)
    async with peer() as server:
        duels = [PeerDuel(server, tally, lots) for _ in range(matches)]
        await _spread(duels)
        figures = await _measured(server, tally, seconds)
        for duel in duels:
            duel.close()
        return {"matches": matches, **figures}


async def memory(matches: int) -> dict[str, Any]:
    """Bytes of a match in which nothing happens: with two screens, and when all have gone."""
    tally, lots = Tally(), random.Random(1)
    async with muang(idle_seconds=1) as server:
        for _ in range(20):
            warm = Turns(server.port, TURNS[0], tally, lots)
            await warm.make()
            await warm.join()
            warm.close()
        await asyncio.sleep(2)
        before = server.memory()
        duels = [Duel(server.port, TURNS[number % 2], tally, lots) for number in range(matches)]
        await _all([duel.make for duel in duels])
        await _all([duel.join for duel in duels])
        await asyncio.sleep(2)
        idle = server.memory()
        for duel in duels:
            duel.close()
        await asyncio.sleep(4)
        return {
            "matches": matches,
            "kb_with_two_screens": round((idle - before) / matches / 1000, 1),
            "kb_when_all_have_gone": round((server.memory() - before) / matches / 1000, 1),
        }


async def against_peer(matches: int, seconds: float, runs: int) -> dict[str, Any]:
    """Both servers in turns, so that what this machine does beside it falls on both; medians of the runs."""
    found: dict[str, list[dict[str, Any]]] = {"muang": [], "boardgame.io": []}
    for _ in range(runs):
        found["muang"].append(await turns(matches, seconds, kinds=1))
        found["boardgame.io"].append(await peer_turns(matches, seconds))
    numbers = [key for key, value in found["muang"][0].items() if isinstance(value, (int, float))]
    medians = {name: {key: statistics.median(run[key] for run in done) for key in numbers} for name, done in found.items()}
    ratios = {key: round(medians["muang"][key] / medians["boardgame.io"][key], 2) for key in ("p50", "p99", "server_cpu")}
    return {**medians, "ratio": ratios, "runs": runs}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", nargs="?", choices=("turns", "races", "memory", "peer", "all"), default="all")
    parser.add_argument("--matches", type=int, help="1000, and 200 races, if left out")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--runs", type=int, default=3, help="of each server, against the peer")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard if hard < 65_536 else max(soft, 65_536), hard))
    results: dict[str, Any] = {}
    if given.what in ("turns", "all"):
        results["turns"] = asyncio.run(turns(given.matches or 1000, given.seconds))
    if given.what in ("races", "all"):
        results["races"] = asyncio.run(races(given.matches or 200, given.seconds))
    if given.what in ("memory", "all"):
        results["memory"] = asyncio.run(memory(given.matches or 1000))
    if given.what in ("peer", "all"):
        missing = peer_missing()
        if missing is None:
            results["peer"] = asyncio.run(against_peer(given.matches or 1000, given.seconds, max(1, given.runs)))
        else:
            results["peer"] = {"left out": missing}
    if given.json:
        print(json.dumps(results, indent=1))
        return 0
    for name, figures in results.items():
        print(name)
        for key, value in figures.items():
            print(f"  {key:24}{value}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
