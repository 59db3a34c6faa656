"""Owns what a run of the arena is, and one group of its matches: those that share a seed. Counts nothing; ``simulate`` plays.

Group ``i`` of a run has lot ``i`` of the stream ``arena`` as its seed: who is first, the dice, the opening and the players' own lots
come from it, and the first player sits once on every seat against the second on all others. So a group is the same on every machine,
unless a player thinks for a time or is another program.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import Any, Protocol

from muang.errors import BadAction
from muang.games.core import Entry, Game, Match, Seat, game
from muang.games.lots import below, dice, draw
from muang.lab.external import External
from muang.lab.simulate import Forfeit, play_one
from muang.search.analyse import analyse
from muang.search.limits import Limits
from muang.search.players import PLAYERS, Player, player, solved_tables, use_tables

__all__ = ["OPENING", "Arena", "Group", "Played", "close_players", "opening", "play_group"]

SEARCH = "search"
"""The player that asks ``analyse`` under the run's limits, or its own: ``search:nodes=2000``."""
SEARCH_LIMITS = {"nodes": "nodes", "depth": "depth", "time": "time_ms", "threads": "threads"}
OPENING = {"mak-khum": 4, "abalalae": 4, "ca-ngua": 0}
"""Choices drawn by lot at the start of a match, if not told: players without lots of their own would play one match over and over."""


class Contender(Player, Protocol):
    """A player of a run, who is told when a match begins."""

    def begin(self, match: Match, seed: int) -> None:
        """A new match; ``seed`` is for lots of one's own."""


@dataclass(frozen=True)
class Arena:
    """What a run is: the rules, the two players, and all that decides the matches. ``BadAction`` for what cannot be.

    ``players``: two of ``PLAYERS``, ``search`` with or without limits of its own, or ``ugi:COMMAND``. ``nodes`` and ``time_ms``: limits for
    ``search`` and programs. ``opening``: choices drawn by lot, -1 for the game's own number; none in races in time, where waits are drawn.
    ``tables``: let players read the solved tables that are kept on the machine that plays. ``timeout``: seconds that a program may take for
    a choice.
    """

    game: Game
    players: tuple[str, str]
    seed: int = 0
    seats: tuple[Seat, ...] | None = None
    pace: str = "lockstep"
    opening: int = -1
    nodes: int | None = None
    time_ms: int | None = None
    timeout: float = 60.0
    tables: bool = False

    def __post_init__(self) -> None:
        for text in self.players:
            self.check(text)
        self.start(0)
        if self.opening > 0 and self.pace != "lockstep":
            raise BadAction("an opening is drawn at lockstep only", allowed=("0 choices",))

    def __getstate__(self) -> dict[str, Any]:
        """A game is sent to other processes by its name: it holds compiled records."""
        return {**self.__dict__, "game": (self.game.name, self.game.ruleset, self.game.changes())}

    def __setstate__(self, state: dict[str, Any]) -> None:
        name, ruleset, changes = state["game"]
        self.__dict__.update({**state, "game": game(name, ruleset, **changes)})

    def start(self, seed: int) -> Match:
        """A match of the run."""
        return self.game.start(seed, seats=self.seats, pace=self.pace)

    def table(self) -> tuple[Seat, ...]:
        """The seats of every match."""
        return self.start(0).seats

    def drawn(self) -> int:
        """How many choices are drawn at the start of a match."""
        if self.opening >= 0 or self.pace != "lockstep":
            return max(self.opening, 0)
        return OPENING[self.game.name]

    def check(self, text: str) -> None:
        """Refuse a player that there is not."""
        if text.startswith("ugi:"):
            if not text[4:].strip():
                raise BadAction("a program is named by ugi:COMMAND")
        elif text.partition(":")[0] == SEARCH:
            limits = self.limits(text)
            if limits.nodes is None and limits.time_ms is None and limits.depth is None:
                raise BadAction(f"{text} has no limit", allowed=("--nodes", "--time-ms", f"{SEARCH}:nodes=2000", f"{SEARCH}:depth=2"))
        elif text not in PLAYERS:
            raise BadAction(f"there is no computer player {text!r}", allowed=(*PLAYERS, SEARCH, "ugi:COMMAND"))

    def limits(self, text: str, seed: int = 0) -> Limits:
        """The limits of ``search`` as it is written."""
        own: dict[str, int] = {}
        for pair in text.partition(":")[2].split(",") if ":" in text else ():
            key, _, value = pair.partition("=")
            if key not in SEARCH_LIMITS or not (value.isascii() and value.isdigit() and len(value) < 13):
                raise BadAction(f"cannot read {pair[:40]!r} in {text[:60]!r}", allowed=tuple(f"{name}=NUMBER" for name in SEARCH_LIMITS))
            own[SEARCH_LIMITS[key]] = int(value)
        if not own.keys() & {"nodes", "depth", "time_ms"}:
            own |= {name: value for name, value in (("nodes", self.nodes), ("time_ms", self.time_ms)) if value is not None}
        return Limits(**own, seed=seed)

    def contender(self, which: int) -> Contender:
        """The first player (0) or the second (1)."""
        text = self.players[which]
        if text.startswith("ugi:"):
            words = [f"nodes {self.nodes}"] if self.nodes is not None else []
            words += [f"movetime {self.time_ms}"] if self.time_ms is not None else []
            return External(text[4:].strip(), " ".join(words), self.timeout)
        return _Ours(self, text)


class _Ours:
    """A player of this program."""

    def __init__(self, arena: Arena, text: str) -> None:
        self.arena, self.name = arena, text
        self.inner = None if text.partition(":")[0] == SEARCH else player(text)
        self.hand = self.inner or player("greedy")  # in races in time a search has a nimble person's

    def begin(self, match: Match, seed: int) -> None:
        pass

    def choose(self, match: Match, seat: Seat, seed: int, n: int) -> str:
        if self.inner is not None:
            return self.inner.choose(match, seat, seed, n)
        legal = match.legal(seat)
        if len(legal) == 1:
            return legal[0]
        lot = draw(seed, f"search:{seat}", n)
        info = analyse(match, self.arena.limits(self.name, lot), None, solved_tables(), seat=seat)
        if not info.mix:
            return info.action
        from muang.search.race import drawn

        return drawn(info, lot)

    def wait_ms(self, match: Match, seat: Seat, seed: int, n: int) -> int:
        return self.hand.wait_ms(match, seat, seed, n)


class _Watched:
    """A player on its seats in one match: how long it takes, whether it keeps to the rules."""

    def __init__(self, inner: Contender) -> None:
        self.inner, self.name = inner, inner.name
        self.seconds, self.choices = 0.0, 0
        self.fault = ""

    def choose(self, match: Match, seat: Seat, seed: int, n: int) -> str:
        begun = time.perf_counter()
        try:
            action = self.inner.choose(match, seat, seed, n)
        except Forfeit as error:
            self.fault = str(error)
            raise
        self.seconds += time.perf_counter() - begun
        self.choices += 1
        return action

    def wait_ms(self, match: Match, seat: Seat, seed: int, n: int) -> int:
        return self.inner.wait_ms(match, seat, seed, n)


# ── one group ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Played:
    """A match as it went: where the first player sat, its points (1, ½, 0), who won, why, after how many choices.

    ``mark`` tells different matches apart; ``faults`` are reasons by player; ``seconds`` is what each took for its ``asked`` choices.
    """

    seat: Seat
    points: float
    winner: Seat | None
    first: Seat
    reason: str
    choices: int
    mark: int
    faults: tuple[tuple[int, str], ...]
    seconds: tuple[float, float]
    asked: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Group:
    """The matches of one seed."""

    number: int
    played: tuple[Played, ...]

    @property
    def score(self) -> float:
        """The first player's share of the points."""
        return sum(match.points for match in self.played) / len(self.played)


def opening(match: Match, count: int) -> Match:
    """The match after ``count`` choices drawn from its seed, or its end. Rolls come as they are due and are not counted."""
    rolls = made = 0
    while match.result is None and (made < count or (count and match.phase == "roll")):
        if match.phase == "roll":
            match, rolls = match.roll(dice(match.seed, rolls)), rolls + 1
            continue
        picks = []
        for seat in match.to_act:  # where both choose at once, both are drawn
            legal = match.legal(seat)
            picks.append((seat, legal[below(match.seed, "opening", made, len(legal))]))
            made += 1
        for seat, action in picks:
            match = match.play(seat, action)
    return match


_here = threading.local()


def _contenders(arena: Arena) -> tuple[Contender, Contender]:
    """The two players, kept from group to group in each thread, so that programs are started once."""
    key = (arena.players, arena.nodes, arena.time_ms, arena.timeout)
    known: dict[Any, tuple[Contender, Contender]] = _here.__dict__.setdefault("known", {})
    if key not in known:
        close_players()
        known = _here.__dict__.setdefault("known", {})
        known[key] = arena.contender(0), arena.contender(1)
    return known[key]


def close_players() -> None:
    """End the programs that this thread has started."""
    for pair in _here.__dict__.pop("known", {}).values():
        for one in pair:
            if isinstance(one, External):
                one.close()


def play_group(arena: Arena, number: int) -> Group:
    """Group ``number``: the first player once on every seat."""
    if arena.tables and solved_tables() is None:
        from muang.solver.library import Library

        use_tables(Library())
    pair = _contenders(arena)
    start = opening(arena.start(draw(arena.seed, "arena", number)), arena.drawn())
    played = []
    for seat in start.seats:
        watched = tuple(_Watched(one) for one in pair)
        for which, one in enumerate(pair):
            one.begin(start, draw(start.seed, f"player {which}", 0))
        end, _ = play_one(start, {other: watched[0] if other == seat else watched[1] for other in start.seats})
        assert end.result is not None
        winner = end.result.winner
        played.append(
            Played(
                seat,
                0.5 if winner is None else float(winner == seat),
                winner,
                end.first,
                end.result.reason,
                sum(one.choices for one in watched),
                _mark(end.log),
                tuple((which, one.fault) for which, one in enumerate(watched) if one.fault),
                (watched[0].seconds, watched[1].seconds),
                (watched[0].choices, watched[1].choices),
            )
        )
    return Group(number, tuple(played))


def _mark(log: tuple[Entry, ...]) -> int:
    """A number that is the same for the same inputs, on every machine."""
    import hashlib

    told = "\n".join(f"{entry.kind} {entry.seat} {entry.action} {entry.dice} {entry.at}" for entry in log)
    return int.from_bytes(hashlib.blake2b(told.encode(), digest_size=8).digest(), "little")
