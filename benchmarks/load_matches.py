"""Owns the matches that a load client plays: when inputs are sent, and how long it is until both screens have seen them."""

from __future__ import annotations

import asyncio
import random
import statistics
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from load_links import PeerLink, Screen, post

__all__ = ["MOVE", "Duel", "PeerDuel", "Race", "Tally", "Turns"]

MOVE, DROP = 1.0, 0.125
"""Seconds between two moves of a match, and between two inputs of a hand in a race."""


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

    def __init__(self, port: int, lobby: int, tally: Tally, lots: random.Random) -> None:
        self.port, self.lobby, self.tally, self.lots = port, lobby, tally, lots
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
        self.id = (await post(self.lobby, "/games/sowing/create", {"numPlayers": 2}))["matchID"]
        for seat in ("0", "1"):
            body = {"playerID": seat, "playerName": seat}
            credentials = (await post(self.lobby, f"/games/sowing/{self.id}/join", body))["playerCredentials"]
            index = len(self.links)
            hear = lambda state, moment, index=index: self.hear(index, state, moment)  # noqa: E731
            self.links.append(PeerLink(hear, seat, credentials))

    async def join(self) -> None:
        for link in self.links:
            await link.join(self.port, self.id)

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
