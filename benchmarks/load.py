"""Loads a server on this machine and measures it: ``python benchmarks/load.py [turns|races|memory|peer|all]``; ``--help`` for more.

Starts ``muang serve`` on SQLite in a folder of its own, with the limits of one address lifted, and plays in it from this process:

``turns``   N matches of two players, a third of each game (the sowing games in turns), a move a second in each;
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
import statistics
import subprocess
import time
from collections.abc import Callable
from typing import Any

from load_matches import MOVE, Duel, PeerDuel, Race, Tally, Turns
from load_servers import Server, muang, peer, peer_missing

TURNS: list[dict[str, Any]] = [
    {"game": "mak-khum", "ruleset": "turns", "options": {"rounds": "until_broke"}, "seats": [{"seat": "S"}, {"seat": "N"}]},
    {"game": "abalalae", "ruleset": "turns", "seats": [{"seat": "S"}, {"seat": "N"}]},
    {"game": "ca-ngua", "seats": [{"seat": 0}, {"seat": 2}]},
]
RACES: list[dict[str, Any]] = [
    {"game": "abalalae", "pace": "by_hand", "seats": [{"seat": "S"}, {"seat": "N"}]},
    {"game": "mak-khum", "pace": "by_hand", "options": {"race": "opening"}, "seats": [{"seat": "S"}, {"seat": "N"}]},
]


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
    gc.disable()  # the client's own collections are none of the server's latencies
    cpu, mine, began = server.cpu(), time.process_time(), time.perf_counter()
    tally.open, tally.sent = True, 0
    tally.errors.clear()
    profiler = _profiler(server, seconds)
    await asyncio.sleep(seconds)
    tally.open = False
    gc.enable()
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


async def turns(matches: int, seconds: float, kinds: int = len(TURNS)) -> dict[str, Any]:
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
        duels = [PeerDuel(server.port, server.lobby, tally, lots) for _ in range(matches)]
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
