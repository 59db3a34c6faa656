"""Owns measuring whether a race over a network is fair: two equally fast people over links of their own, through the real room and its
clocks, thousands of times. Owns no rule and judges nothing; time is counted, never waited for.

A simulated player taps as people do: its next step a random time after its own last one. It sees at once where its own seeds go (as the
page predicts) and everything else when the server has told it. Its clock is set to any time and goes a little wrong. A lost packet comes
after the time in which TCP sends it again, and holds up what was sent after it.
"""

from __future__ import annotations

import heapq
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any

from muang.errors import RulesError
from muang.games.core import Match, Seat, game
from muang.lab.workers import in_order
from muang.rooms import Answered, Join, Order, Outcome, Play, Room, Timing
from muang.wire import (
    AckFrame,
    CommandFrame,
    CountdownFrame,
    EchoFrame,
    ErrorFrame,
    EventFrame,
    PlayFrame,
    ProbeFrame,
    SeatSetup,
    Setup,
    StateFrame,
    hash_token,
)

__all__ = ["GAMES", "Link", "Races", "Tally", "measure", "play"]

GAMES: dict[str, dict[str, Any]] = {"abalalae": {"ruleset": "single"}, "mak-khum": {"ruleset": "single", "race": "opening"}}
"""The races that are run: of both, the hand that dies first moves first in the turns, so it has won the race."""

STEP_MS, STEP_SPREAD, QUICKEST = 125.0, 0.2, 85.0
"""Eight drops a second, a fifth more or less; nobody's own two taps are closer together than the game allows."""
REACTION_MS, REACTION_SPREAD = 250.0, 0.15
"""From the signal to the first tap."""
DRIFT = 50e-6
"""A quartz clock goes wrong by at most so much."""
MOST_MS = 600_000.0
"""No race takes ten minutes."""
SERVER_CLOCK = 1_700_000_000_000


@dataclass(frozen=True, slots=True)
class Link:
    """A way to the server. ``trip``: round trip in ms without anything in the way; ``jitter``: up to so many ms more, each way and each
    message by itself; ``loss``: share of packets that are lost and sent again."""

    trip: float
    jitter: float = 0.0
    loss: float = 0.0


@dataclass(frozen=True, slots=True)
class Races:
    """What is measured: one of ``GAMES``, the links of the near and the far player, how far back an input may count (0: in the order of
    arrival), and by how many ms the near player's own clock dates its inputs back (a liar)."""

    name: str
    near: Link
    far: Link
    max_lag: int = 250
    lie: float = 0.0


@dataclass
class Tally:
    """What came of races. ``near_first``: twice the races in which the near player's first tap after the signal counted before the far
    player's (once where both counted at the same ms): nothing but quickness decides that, while a race has turns of its own. ``early``: how
    many ms, in all, inputs of each counted before they were really made, on the server's clock; ``most_early``: the most of one input."""

    races: int = 0
    near_wins: int = 0
    near_first: int = 0
    steps: int = 0
    late: int = 0
    ms: int = 0
    inputs: Counter[str] = field(default_factory=Counter)
    early: Counter[str] = field(default_factory=Counter)
    most_early: dict[str, int] = field(default_factory=dict)

    def add(self, other: Tally) -> None:
        """Take the races of another tally in."""
        self.races += other.races
        self.near_wins += other.near_wins
        self.near_first += other.near_first
        self.steps += other.steps
        self.late += other.late
        self.ms += other.ms
        self.inputs.update(other.inputs)
        self.early.update(other.early)
        for who, ms in other.most_early.items():
            self.most_early[who] = max(ms, self.most_early.get(who, ms))

    @property
    def share(self) -> float:
        """Of the races, how many the near player won (0 to 1)."""
        return self.near_wins / self.races

    @property
    def error(self) -> float:
        """Its standard error."""
        return math.sqrt(self.share * (1 - self.share) / self.races)

    @property
    def first_share(self) -> float:
        """Of the races, in how many the near player's first tap came first (0 to 1)."""
        return self.near_first / 2 / self.races

    def mean_early(self, who: str) -> float:
        """``near`` or ``far``: ms by which its inputs counted too early, on average."""
        return self.early[who] / self.inputs[who] if self.inputs[who] else 0.0


class _Way:
    """One direction of a link: what is sent arrives in its order."""

    def __init__(self, link: Link, lots: random.Random) -> None:
        self.link, self.lots, self.free = link, lots, 0.0

    def arrival(self, sent: float) -> float:
        link = self.link
        moment = sent + link.trip / 2 + self.lots.random() * link.jitter
        wait = max(200.0, link.trip + 4 * link.jitter)  # RFC 6298 as systems have it: no shorter than 200 ms, longer each time
        while link.loss and self.lots.random() < link.loss:
            moment += wait
            wait *= 2
        self.free = max(self.free, moment)
        return self.free


class _Player:
    """A person with a browser."""

    def __init__(self, who: str, seat: Seat, number: int, link: Link, lots: random.Random, lie: float) -> None:
        self.who, self.seat, self.number, self.lots, self.lie = who, seat, number, lots, lie
        self.up, self.down = _Way(link, lots), _Way(link, lots)
        self.ahead, self.rate = lots.uniform(0, 1e7), 1 + lots.uniform(-DRIFT, DRIFT)
        self.guess: tuple[float, float] = (math.inf, 0.0)
        """Round trip of the quickest pong, and what it says has to be added to the own clock to have the server's."""
        self.known: Match | None = None
        self.waiting: list[tuple[int, str]] = []
        self.n = 0
        self.tapping = True
        self.made: dict[int, float] = {}
        """Number of an input → when it was really made."""

    def clock(self, real: float) -> float:
        """What the own clock shows: like ``performance.now()``, to a tenth of a ms."""
        return round(self.ahead + (real - SERVER_CLOCK) * self.rate, 1)

    def real(self, shown: float) -> float:
        """When the own clock shows that."""
        return SERVER_CLOCK + (shown - self.ahead) / self.rate

    def pause(self) -> float:
        """From one own step to the next."""
        return max(QUICKEST, self.lots.lognormvariate(math.log(STEP_MS), STEP_SPREAD))

    def hear(self, frame: Any, shown: Match) -> None:
        """Something that the server has told. ``shown``: the board with it."""
        if isinstance(frame, (EventFrame, StateFrame)):
            self.known = shown
        done = frame.n if isinstance(frame, (AckFrame, ErrorFrame)) else None
        if isinstance(frame, EventFrame) and frame.entry is not None and frame.entry.seat == self.seat:
            done = frame.entry.n
        if done is not None:
            self.waiting = [one for one in self.waiting if one[0] > done]

    @property
    def alive(self) -> bool:
        """Whether the hand can still do something, as far as is known."""
        return self.known is None or bool(self.known.phase == "race" and self.known.legal(self.seat))

    def next_step(self) -> str:
        """What this player does next, as far as it can see: choose a hole with an empty hand, else drop.

        It goes on dropping until it is told that its hand has died: what the last seed does depends on the other hand too.
        """
        match = self.known
        if match is None or match.game.name == "abalalae":
            return "drop"
        for _, action in self.waiting:
            try:
                match = match.play(self.seat, action)
            except RulesError:
                continue  # the board has changed under it; the server will say so
        holes = match.legal(self.seat) if match.phase == "race" else ()
        return "drop" if not holes or holes[0] in ("drop", "slip") else self.lots.choice(holes)


class _Race:
    """One race from the first hello to its end."""

    def __init__(self, races: Races, seed: int, number: int) -> None:
        self.races = races
        # the same two people four times: each of them is near and far, first and second
        lots = random.Random(f"{seed} {number // 4}")
        near_seat, first = ("S", "N")[number % 2], ("S", "N")[number // 2 % 2]
        far_seat = "N" if near_seat == "S" else "S"
        people = {seat: random.Random(lots.random()) for seat in ("S", "N")}
        self.players = {
            1: _Player("near", near_seat, 1, races.near, people[near_seat], races.lie),
            2: _Player("far", far_seat, 2, races.far, people[far_seat], 0.0),
        }
        self.room = Room.create(_setup(races, first), Timing())
        self.now = SERVER_CLOCK
        self.moment = float(SERVER_CLOCK)
        self.began: int | None = None
        self.due: int | None = None
        self.queue: list[tuple[float, int, Callable[[], None]]] = []
        self.order = 0
        self.tally = Tally()
        for one in self.players.values():
            arrives = one.up.arrival(self.now + lots.uniform(0, 500))
            self.at(arrives, partial(self.command, Join(one.number, f"client{one.number}", (f"token-{one.seat}",))))
            for _ in range(4):
                self.at(self.now + lots.uniform(500, 2000), partial(self.ping, one))
            self.at(self.now + lots.uniform(2000, 3500), partial(self.ready, one))

    def at(self, moment: float, act: Callable[[], None]) -> None:
        self.order += 1
        heapq.heappush(self.queue, (moment, self.order, act))

    def run(self) -> Tally:
        """The race, and who won it."""
        room = self.room
        end = self.now + MOST_MS
        while room.state.live and self.now < end:
            due, moment = self.due, self.queue[0][0]
            if due is not None and due <= moment:
                self.now = max(self.now, due)
                self.tell(room.tick(self.now))
                continue
            _, _, act = heapq.heappop(self.queue)
            self.now = max(self.now, math.floor(moment))
            self.moment = moment
            act()
        winner = room.shown.turn
        if room.state.live or winner is None:
            raise RuntimeError(f"a race without an end: {room.shown.position}")
        self.tally.races = 1
        self.tally.near_wins = int(winner == self.players[1].seat)
        self.tally.ms = room.state.logged_ms
        self._look_back()
        return self.tally

    def _look_back(self) -> None:
        """How each input was dated, against the moment at which it was really made."""
        tally = self.tally
        taps: dict[str, int] = {}
        for entry in self.room.state.entries:
            if entry.kind != "play" or entry.at is None or entry.n is None or self.began is None:
                continue
            one = next(one for one in self.players.values() if one.seat == entry.seat)
            taps[one.who] = min(entry.at, taps.get(one.who, entry.at))
            early = round(one.made[entry.n] - (self.began + entry.at))
            tally.steps += 1
            tally.inputs[one.who] += 1
            tally.early[one.who] += early
            tally.most_early[one.who] = max(early, tally.most_early.get(one.who, early))
        tally.near_first = 1 + (taps["near"] < taps["far"]) - (taps["near"] > taps["far"])

    # ── at the server ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def command(self, command: Any) -> None:
        """Something arrives at the room."""
        self.tell(self.room.handle(command, self.now))

    def tell(self, outcome: Outcome) -> None:
        """What the room says goes on its way."""
        shown = self.room.shown
        self.due = self.room.next_deadline(self.now)
        for outgoing in outcome.frames:
            frame = outgoing.frame
            self.tally.late += isinstance(frame, EventFrame) and frame.late
            if isinstance(frame, CountdownFrame):
                self.began = frame.goes
            for number in (outgoing.to,) if outgoing.to is not None else tuple(self.players):
                one = self.players[number]
                if number in self.room.screens:
                    self.at(one.down.arrival(self.now), partial(self.hear, one, frame, shown))

    # ── at the players ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def send(self, one: _Player, command: Any) -> None:
        """Something that a player sends now goes on its way."""
        self.at(one.up.arrival(self.moment), partial(self.command, command))

    def hear(self, one: _Player, frame: Any, shown: Match) -> None:
        if isinstance(frame, ProbeFrame):
            self.send(one, Answered(one.number, EchoFrame(s=frame.s, t=one.clock(self.moment))))
        elif isinstance(frame, CountdownFrame):
            _, ahead = one.guess
            reaction = one.lots.lognormvariate(math.log(REACTION_MS), REACTION_SPREAD)
            self.at(max(self.moment, one.real(frame.goes - ahead)) + reaction, partial(self.tap, one))
        else:
            one.hear(frame, shown)
            if one.n > 1 and not one.tapping and one.alive:  # a correction: the hand has not died after all
                one.tapping = True
                self.at(self.moment + one.pause(), partial(self.tap, one))

    def ping(self, one: _Player) -> None:
        """The page asks for the server's clock: there, and back."""
        sent = self.moment
        there = one.up.arrival(sent)
        self.at(there, lambda: self.at(one.down.arrival(self.now), partial(self.pong, one, sent, self.now)))

    def pong(self, one: _Player, sent: float, now: int) -> None:
        shown, before = one.clock(self.moment), one.clock(sent)
        if shown - before < one.guess[0]:
            one.guess = (shown - before, now - (shown + before) / 2)

    def ready(self, one: _Player) -> None:
        one.n += 1
        self.send(one, Order(one.number, CommandFrame(n=one.n, seat=one.seat, name="start")))

    def tap(self, one: _Player) -> None:
        """The next step of a hand, and when the one after it comes."""
        action = one.next_step()
        one.n += 1
        one.made[one.n] = self.moment
        one.waiting.append((one.n, action))
        shown = max(0.0, one.clock(self.moment) - one.lie)
        self.send(one, Play(one.number, PlayFrame(n=one.n, seat=one.seat, action=action, at=shown)))
        one.tapping = one.alive
        if one.tapping:
            self.at(self.moment + one.pause(), partial(self.tap, one))


@lru_cache(maxsize=8)
def _seats() -> tuple[SeatSetup, ...]:
    return tuple(SeatSetup(seat=seat, kind="person", token=hash_token(f"token-{seat}")) for seat in ("S", "N"))


def _setup(races: Races, first: Seat) -> Setup:
    of = game(races.name, **GAMES[races.name])
    return Setup(
        id="fairness", game=of.name, ruleset=of.ruleset, options=of.options, pace="by_hand", seed=1, first=first, seats=_seats(),
        max_lag=races.max_lag,
    )  # fmt: skip


def play(races: Races, seed: int, start: int, end: int) -> Tally:
    """The races ``start`` to ``end`` - 1 of those that a seed means. Four in a row are between the same two people: who is near and who is
    ``first`` go round, so that neither their luck nor a seat favours the near one."""
    tally = Tally()
    for number in range(start, end):
        tally.add(_Race(races, seed, number).run())
    return tally


def measure(races: Races, n: int, seed: int = 0, workers: int | None = None, chunk: int = 100) -> Iterator[Tally]:
    """The same, in parts, on so many processes; together ``n`` races."""
    yield from in_order(play, ((races, seed, start, min(n, start + chunk)) for start in range(0, n, chunk)), workers)
