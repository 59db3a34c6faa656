"""Kills the server again and again while bots play: ``python benchmarks/survival.py``; ``--help`` for more.

Every kind of match is among them, races at every pace too. ``kill -9`` comes at moments by lot; after each one the log is read from
disk and compared with what the clients were told:

* an input that was acknowledged is in the log, once;
* an input that was refused is not.

Then the server starts again on the same file, the clients come back by themselves and send again, under its number, what was not
answered. In the end every match has to be over, and its log has to lead to what both its screens show. Exit code 1 if any of this does
not hold.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from load_links import Screen, post
from load_servers import free_port
from muang.rooms import Room
from muang.store import Store, sqlite_url

SOWING = [{"seat": "S"}, {"seat": "N"}]
KINDS: list[dict[str, Any]] = [
    {"game": "mak-khum", "ruleset": "turns", "options": {"rounds": 1, "seeds": 4}, "seats": SOWING},
    {"game": "mak-khum", "options": {"rounds": 1, "race": "opening", "seeds": 4}, "seats": SOWING},
    {"game": "mak-khum", "options": {"rounds": 1, "race": "opening", "seeds": 3}, "pace": "steady", "tempo": 20, "seats": SOWING},
    {"game": "mak-khum", "options": {"rounds": 1, "race": "round", "seeds": 2}, "pace": "by_hand", "min_gap": 1, "seats": SOWING},
    {"game": "abalalae", "options": {"max_rounds": 1, "quiet_turns": 20}, "pace": "by_hand", "min_gap": 1, "seats": SOWING},
    {"game": "abalalae", "options": {"max_rounds": 2, "quiet_turns": 20}, "pace": "steady", "tempo": 20, "seats": SOWING},
    {"game": "ca-ngua", "seats": [{"seat": 0}, {"seat": 2}]},
    {"game": "ca-ngua", "seats": [{"seat": 0}, {"seat": 1}, {"seat": 2}, {"seat": 3}]},
]
QUICK = {"COUNTDOWN": 30, "ROLL": 1, "NO_MOVE": 2, "PROBE": 200}
RETRY, ANSWERED_IN = 0.1, 15.0


class Bot:
    """One screen of a match, that comes back whenever it is thrown out. Plays one input at a time."""

    def __init__(self, run: Run, match: str, seat: Any, token: str, name: str) -> None:
        self.run, self.match, self.seat, self.token, self.name = run, match, seat, token, name
        self.screen: Screen | None = None
        self.number = 0
        self.open: dict[str, Any] | None = None
        """The input that has been sent and not been answered."""
        self.acked: set[int] = set()
        self.refused: dict[int, str] = {}
        self.last: dict[str, Any] = {}
        self.awaiting: list[Any] = []
        self.clock: dict[str, Any] | None = None
        self.playing = self.over = False
        self.again = 0

    async def live(self) -> None:
        """Be there until the match is over and everything is answered."""
        while not self.over or self.open is not None:
            self.screen = Screen(self.hear, (self.seat,), [self.token], self.name)
            try:
                await self.screen.join(self.run.port, self.match)
            except OSError:
                await asyncio.sleep(RETRY)
                continue
            await self.screen.lost

    def hear(self, frame: dict[str, Any], moment: float) -> None:
        kind = frame["type"]
        if kind == "ack" and self.open is not None and frame["n"] == self.open["n"]:
            self.acked.add(frame["n"])
            self.run.acknowledged += 1
            self.open = None
            if self.over and self.screen is not None:
                self.screen.close()
        elif kind == "error" and frame["n"] is not None:
            if self.open is None or frame["n"] != self.open["n"]:
                raise AssertionError(f"an error about nothing that was sent: {frame}")
            self.refused[frame["n"]] = frame["code"]
            self.open = None
            if self.over and self.screen is not None:
                self.screen.close()
        if frame.get("table") is not None:
            self.playing = frame["table"]["stage"] == "playing"
        if kind in ("state", "event"):
            self.last = frame
            self.awaiting, self.clock = frame["awaiting"], frame["race_clock"]
            if frame["match"]["phase"] == "over" and self.screen is not None:
                self.over = True
                if self.open is None:
                    self.screen.close()
        if kind == "state" and self.open is not None:
            self.again += 1
            self.send(self.open)
        elif self.open is None and not self.over:
            self.act()

    def act(self) -> None:
        """Do something, if there is anything to do."""
        match = self.last.get("match")
        if match is None or not self.playing:
            return
        if self.seat in self.awaiting:
            self.input(type="command", name="start")
        elif self.seat in match["to_act"] and (self.clock is None or self.clock["running"]):
            action = self.run.lots.choice(match["legal"][str(self.seat)])
            self.input(type="play", action=action, version=self.last["version"], at=time.perf_counter() * 1000)

    def standing(self) -> str:
        """Where it stands, for whoever looks for the reason."""
        match = self.last.get("match", {})
        shown = {name: match.get(name) for name in ("phase", "pace", "to_act")}
        return (
            f"{shown} waits for {self.open}, {len(self.acked)} acknowledged, refused {dict(Counter(self.refused.values()))}, {self.clock}"
        )

    def input(self, **frame: Any) -> None:
        self.number += 1
        self.open = {"n": self.number, "seat": self.seat, **frame}
        self.send(self.open)

    def send(self, frame: dict[str, Any]) -> None:
        assert self.screen is not None
        self.screen.say(**frame)


class Run:
    """All matches, their server and what is found."""

    def __init__(self, data: Path, seed: int) -> None:
        self.data, self.port, self.lots = data, free_port(), random.Random(seed)
        self.acknowledged = 0
        self.matches: dict[str, list[Bot]] = {}
        self.wrong: list[str] = []

    def serve(self) -> None:
        """Start the server; it is waited for by whoever calls."""
        most = dict.fromkeys(("MOST_SOCKETS", "SOCKETS_PER_ADDRESS", "TABLES_PER_ADDRESS", "MOST_TABLES"), 100_000)
        rates = dict.fromkeys((f"RATE_{name}" for name in ("MATCHES", "LOOKS", "FRAMES")), "off")
        settings = {**most, **rates, **{f"TIMING_{name}": value for name, value in QUICK.items()}}
        settings["WARM"] = 0  # kernels are compiled already: each start needs only those that are played
        env = {**os.environ, **{f"MUANG_{name}": str(value) for name, value in settings.items()}}
        command = [sys.executable, "-c", "from muang.cli import main; main()", "serve", "--no-browser"]
        command += ["--port", str(self.port), "--data", str(self.data)]
        self.server = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)

    async def served(self) -> None:
        assert self.server.stdout is not None
        if not await asyncio.to_thread(self.server.stdout.readline):
            raise SystemExit("the server did not start")

    async def make(self, number: int) -> None:
        made = await post(self.port, "/api/matches", KINDS[number % len(KINDS)])
        bots = []
        for seat, token in made["tokens"].items():
            bots.append(Bot(self, made["id"], int(seat) if seat.isdigit() else seat, token, f"bot-{seat}"))
        self.matches[made["id"]] = bots

    def bots(self) -> list[Bot]:
        return [bot for bots in self.matches.values() for bot in bots]

    def compare(self) -> None:
        """What the clients were told against what is on disk; nobody writes there now."""
        with sqlite3.connect(self.data / "muang.db") as database:
            rows = database.execute("SELECT match_id, client, n FROM entries WHERE client IS NOT NULL AND n IS NOT NULL").fetchall()
        database.close()
        logged = Counter(rows)
        for bot in self.bots():
            for n in bot.acked:
                times = logged[bot.match, bot.name, n]
                if times != 1:
                    self.wrong.append(f"{bot.match} {bot.name}: input {n} was acknowledged and is {times} times in the log")
            for n, code in bot.refused.items():
                if logged[bot.match, bot.name, n]:
                    self.wrong.append(f"{bot.match} {bot.name}: input {n} was refused ({code}) and is in the log")

    async def kill(self) -> None:
        self.server.kill()
        await asyncio.to_thread(self.server.wait)
        self.compare()
        self.serve()
        await self.served()

    async def same_everywhere(self) -> None:
        """Every log leads to what its screens show."""
        store = await Store.open(sqlite_url(self.data / "muang.db"))
        for match, bots in self.matches.items():
            setup, entries = await store.load(match)
            view = json.loads(json.dumps(Room.replay(setup, entries).shown.view()))
            for bot in bots:
                if bot.over and bot.last["match"] != view:
                    self.wrong.append(f"{match} {bot.name}: the screen does not show what the log leads to")
        await store.close()


async def survive(matches: int, kills: int, seed: int, data: Path, most_seconds: float) -> dict[str, Any]:
    """Play ``matches`` to their ends through ``kills``; gives what was found."""
    run = Run(data, seed)
    lots = random.Random(seed + 1)
    began = time.monotonic()
    run.serve()
    await run.served()
    done = 0
    try:
        for number in range(matches):
            await run.make(number)
        living = [asyncio.create_task(bot.live()) for bot in run.bots()]
        everybody = asyncio.gather(*living)
        async with asyncio.timeout(most_seconds):
            while done < kills and not everybody.done():
                goal = run.acknowledged + lots.randint(1, max(20, 60 * matches // max(1, kills)))
                while run.acknowledged < goal and not everybody.done():
                    await asyncio.sleep(0.005)
                await asyncio.sleep(lots.random() * 0.05)
                if not everybody.done():
                    await run.kill()
                    done += 1
            await everybody
    except TimeoutError:
        for bot in run.bots():
            if not bot.over:
                run.wrong.append(f"{bot.match} {bot.name}: not over after {most_seconds:.0f} s: {bot.standing()}")
    finally:
        run.server.terminate()
        await asyncio.to_thread(run.server.wait)
    run.compare()
    await run.same_everywhere()
    bots = run.bots()
    refused = Counter(code for bot in bots for code in bot.refused.values())
    return {
        "matches": matches,
        "kills": done,
        "over": sum(all(bot.over for bot in bots) for bots in run.matches.values()),
        "acknowledged": run.acknowledged,
        "sent_again": sum(bot.again for bot in bots),
        "refused": dict(refused),
        "wrong": run.wrong,
        "seconds": round(time.monotonic() - began, 1),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=float, default=420.0, help="seconds")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as data:
        found = asyncio.run(survive(given.matches, given.kills, given.seed, Path(data), given.most))
    if given.json:
        print(json.dumps(found, indent=1))
    else:
        for name, value in found.items():
            print(f"{name:14}{value}")
    return 0 if not found["wrong"] and found["over"] == found["matches"] else 1


if __name__ == "__main__":
    raise SystemExit(main())
