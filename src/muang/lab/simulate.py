"""Owns matches between computer players by the thousand, and what is counted in them. Draws nothing: every lot comes from the seed.

Match ``i`` of a run is the same on every machine, whatever the number of processes: its seed is lot ``i`` of the stream ``simulate``, and
the players change seats from match to match, so that each sits everywhere equally often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from muang.errors import BadAction, MuangError
from muang.games.core import Game, Match, Result, Seat, game
from muang.games.lots import dice, draw
from muang.lab.workers import in_order
from muang.search.players import Player, player

__all__ = ["Forfeit", "Spread", "Statistics", "play_one", "simulate"]

CHUNK = 25
"""Matches that a process plays before it reports."""
MOST_ROLLS = 100_000
"""Rolls after which a match of Cờ cá ngựa is called endless: no match with players who move comes near."""


@dataclass
class Spread:
    """How a whole number is spread over matches, kept as counts, so that memory does not grow with the number of matches."""

    counts: Counter[int] = field(default_factory=Counter)

    def add(self, value: int) -> None:
        self.counts[value] += 1

    def merge(self, other: Spread) -> None:
        self.counts.update(other.counts)

    def summary(self) -> dict[str, float]:
        """``mean``, ``least``, ``median``, ``most``."""
        total = self.counts.total()
        seen, middle = 0, 0
        for value in sorted(self.counts):
            seen += self.counts[value]
            if 2 * seen >= total:
                middle = value
                break
        mean = sum(value * count for value, count in self.counts.items()) / total
        return {"mean": round(mean, 3), "least": min(self.counts), "median": middle, "most": max(self.counts)}


@dataclass
class Statistics:
    """What a number of matches came to. ``wins`` by player (``random`` or, where a name sits twice, ``random#2``), ``seats`` by the
    winner's seat, ``first`` those won by the seat that was first by lot, ``spreads`` of lengths and seeds."""

    games: int = 0
    draws: int = 0
    first: int = 0
    wins: Counter[str] = field(default_factory=Counter)
    seats: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    spreads: dict[str, Spread] = field(default_factory=dict)

    def add(self, match: Match, names: Mapping[Seat, str], counts: Mapping[str, int]) -> None:
        """Count one match that is over."""
        result = match.result
        assert isinstance(result, Result)
        self.games += 1
        self.reasons[result.reason] += 1
        if result.winner is None:
            self.draws += 1
        else:
            self.wins[names[result.winner]] += 1
            self.seats[str(result.winner)] += 1
            self.first += result.winner == match.first
        for name, value in counts.items():
            self.spreads.setdefault(name, Spread()).add(value)

    def merge(self, other: Statistics) -> None:
        """Count the matches of another part of the run too."""
        self.games += other.games
        self.draws += other.draws
        self.first += other.first
        for mine, theirs in ((self.wins, other.wins), (self.seats, other.seats), (self.reasons, other.reasons)):
            mine.update(theirs)
        for name, spread in other.spreads.items():
            self.spreads.setdefault(name, Spread()).merge(spread)

    def summary(self) -> dict[str, Any]:
        """Plain data, the same for the same run."""
        return {
            "games": self.games,
            "wins": dict(sorted(self.wins.items())),
            "draws": self.draws,
            "wins_by_seat": dict(sorted(self.seats.items())),
            "wins_by_first": self.first,
            "reasons": dict(sorted(self.reasons.items())),
            **{name: spread.summary() for name, spread in self.spreads.items()},
        }


def simulate(
    of: Game,
    n: int,
    players: Sequence[str] = ("random", "greedy"),
    seed: int = 0,
    *,
    seats: tuple[Seat, ...] | None = None,
    workers: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Statistics:
    """Play ``n`` matches of ``of`` at ``lockstep``. One name in ``players`` sits everywhere; else there is one for each seat.

    ``workers``: processes, all cores if left out. ``progress`` is told how many matches have been played since it was last told.
    ``BadAction`` for an unknown player or a number of players that does not fit.
    """
    table = of.start(seed=0, seats=seats).seats
    labels = _labels(players, len(table))
    total = Statistics()
    job = (of.name, of.ruleset, of.changes(), seats, labels, seed)
    for part in in_order(_play, ((*job, start, min(start + CHUNK, n)) for start in range(0, n, CHUNK)), workers):
        total.merge(part)
        if progress is not None:
            progress(part.games)
    return total


def _labels(players: Sequence[str], count: int) -> tuple[str, ...]:
    """The players' names, told apart where one sits twice: ``random#1``, ``random#2``."""
    for name in players:
        player(name)
    if len(players) == 1:
        players = tuple(players) * count
    if len(players) != count:
        raise BadAction(f"there are {count} seats and {len(players)} players", allowed=("one player for all seats", f"{count} players"))
    twice = Counter(players)
    seen: Counter[str] = Counter()
    labels = []
    for name in players:
        seen[name] += 1
        labels.append(f"{name}#{seen[name]}" if twice[name] > 1 else name)
    return tuple(labels)


def _play(
    name: str,
    ruleset: str,
    changes: Mapping[str, Any],
    seats: tuple[Seat, ...] | None,
    labels: tuple[str, ...],
    seed: int,
    start: int,
    end: int,
) -> Statistics:
    """Matches ``start`` … ``end - 1``, in a process of its own."""
    of = game(name, ruleset, **changes)
    part = Statistics()
    for i in range(start, end):
        match = of.start(draw(seed, "simulate", i), seats=seats)
        names = {seat: labels[(place + i) % len(labels)] for place, seat in enumerate(match.seats)}
        match, counts = play_one(match, {seat: label.partition("#")[0] for seat, label in names.items()})
        part.add(match, names, counts)
    return part


class Forfeit(MuangError):
    """Raised by a player that cannot go on; its text says why. Its seat leaves the match."""

    code = "forfeit"


def play_one(match: Match, players: Mapping[Seat, str | Player]) -> tuple[Match, dict[str, int]]:
    """Play a match to its end. ``players``: for each seat one of ``PLAYERS`` by name, or a player.

    Gives the match and what was counted in it.
    """
    seated = {seat: player(who) if isinstance(who := players[seat], str) else who for seat in match.seats}
    choices: Counter[Seat] = Counter()
    rolls = sum(entry.kind == "roll" for entry in match.log)
    happened: Counter[str] = Counter()
    while match.result is None:
        if match.phase == "roll":
            match = match.roll(dice(match.seed, rolls))
            _count(happened, match)
            rolls += 1
            if rolls > MOST_ROLLS:
                raise BadAction(f"this match goes on after {MOST_ROLLS} rolls", clause="CN-12")
        elif match.phase == "race" and match.pace != "lockstep":
            match = _race(match, seated, choices, happened)
        else:
            picks = []
            gone = []
            for seat in match.to_act:  # all before any is played: none sees another's choice (MK-24)
                try:
                    picks.append((seat, seated[seat].choose(match, seat, match.seed, choices[seat])))
                except Forfeit:
                    gone.append(seat)
                choices[seat] += 1
            for seat in gone[:1]:  # where both have to choose and both fail, the match ends with the first
                match, picks = match.leave(seat), []
            for seat, action in picks:
                match = match.play(seat, action)
                _count(happened, match)
    counts = {"choices": sum(choices.values())}
    if match.game.name == "ca-ngua":
        counts |= {"rolls": rolls, "no_moves": happened["no-move"], "kicks": happened["kick"]}
    else:
        view = match.view()
        counts |= {"rounds": len(view["rounds"]), "drops": happened["drop"], "captured": happened["capture"]}
        counts |= {f"seeds_{seat}": count for seat, count in match.result.seeds.items()}
    return match, counts


def _race(match: Match, seated: Mapping[Seat, Player], choices: Counter[Seat], happened: Counter[str]) -> Match:
    """The match after its live race, or after somebody has left it."""
    from muang.lab.live import live_race

    gone: list[Seat] = []

    def choose(now: Match, seat: Seat) -> str:
        choices[seat] += 1
        try:
            return seated[seat].choose(now, seat, now.seed, choices[seat] - 1)
        except Forfeit:
            gone.append(seat)
            raise

    try:
        for after in live_race(match, seated, choices, choose):
            match = after
            _count(happened, match)
    except Forfeit:
        match = match.leave(gone[0])
    return match


def _count(happened: Counter[str], match: Match) -> None:
    for event in match.events:
        happened[event[1]] += event[3] if event[1] == "capture" else 1
