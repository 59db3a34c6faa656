"""Owns the search in Cờ cá ngựa: from a solved table where there is one, else by evaluation and sampled games. Values are chances to win.

**With a table** of the two players in play the values are exact: of every action, or of the position before the roll.

**Without** one, and with three or four players, three stages follow each other, as far as the limits allow: the evaluation after each
action; the mean of it over all rolls, one and then two ahead; then games sampled to their end, in which everybody moves by the evaluation.
All actions of a choice are sampled with the same dice, so that luck hardly tells between them; one that is clearly worse is left out from
then on. The value is a mean of the second stage's and of the games (``PRIOR``).

The evaluation knows the turns that each seat would need alone on the board (exactly, mean and variance), adds what kicks at the next rolls
will cost, and compares seats by the spread of both. Its numbers were fitted to the winners of a million positions of its own games.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from muang.errors import BadAction
from muang.games import lots
from muang.games._jit import compiled
from muang.games.ca_ngua import kernel as rules
from muang.games.ca_ngua.rules import CaNgua
from muang.games.core import Match
from muang.search import horses_kernel as fast
from muang.search import pairs
from muang.search.limits import Info, Limits, Line, OnInfo, Stop, Tables, watched

__all__ = ["ENOUGH", "PRIOR", "analyse_horses", "shares", "sight"]

ENOUGH = 4_000_000
"""Rolls that are sampled when no limit is given: sampled chances never become exact. About a second of one core."""
PRIOR = 1_000
"""Sampled games that the mean over two rolls is worth: with 100 the choices of four players were worse than without sampling."""
PRIOR_ALL = 100
"""The same for what all actions have in common."""
FIRST, MOST = 64, 4096
"""Games a round of sampling, at first and at most."""
CLEAR = 4.0
"""Standard errors by which an action has to be worse to be left out."""

WEIGHTS = {2: (0.5, 0.35, 0.5, 0.05, 0.86), 3: (1.05, 0.7, 0.31, 0.05, 0.69), 4: (1.1, 0.7, 0.22, 0.05, 0.57)}
"""By players: turns lost for a kick by who is to roll, by the others, turns that a later roll costs, and the spread: a + b · variance."""
LONG = 1 << 30

_U: Callable[[Any], Any] = np.uint64 if compiled() else int


def analyse_horses(
    match: Match, limits: Limits, on_info: OnInfo | None = None, tables: Tables | None = None, stop: Stop | None = None
) -> Info:
    """The chance to win of the seat on turn: a line for each action, best first; before a roll one line without actions.

    ``match``: Cờ cá ngựa, not over. ``limits.depth`` is in rolls ahead: 1 and 2 look at all rolls, from 3 on games are sampled and cut
    there. ``limits.nodes`` counts positions and sampled rolls. With no limit it ends after ``ENOUGH`` of them. The same limits and seed
    give the same values for any number of ``threads``, unless time ends the search. Never changes ``match``.
    """
    game = match.game
    if not isinstance(game, CaNgua):
        raise BadAction(f"{game.name} has no horses", allowed=("ca-ngua",))
    position: Any = match.position
    key: int = position.key
    seat = (key >> 52) & 3
    playing = tuple(s for s in range(4) if key >> (48 + s) & 1)
    track, doubles, gate, _ = game.numbers
    names: tuple[str, ...] = ("",)
    keys = [key]
    if match.phase == "move":
        names = tuple(position.choices)
        keys = [int(rules.play(key, track, doubles, gate, number, None)[0]) for number in position.choices.values()]
    table = tables.horses(game, (playing[0], playing[1])) if tables is not None and len(playing) == 2 else None
    with watched(limits, stop) as (switch, clock):
        if table is not None:
            values = [pairs.value(table, game, after, seat) for after in keys]
            info = Info(seat, "chance", _lines(seat, names, values, (True,) * len(keys)), 0, len(keys), clock(), table=table.name)
            if on_info is not None:
                on_info(info)
            return info
        work = _Search(game, seat, names, keys, len(playing), limits, switch, clock, on_info)
        return work.run()


def shares(match: Match) -> dict[int, float]:
    """Each seat's chance to win by the evaluation alone, without search; a choice that is due is made by it first."""
    game = match.game
    assert isinstance(game, CaNgua)
    position: Any = match.position
    track, doubles, gate, keep = game.numbers
    out = np.zeros(4)
    if position.over:
        return {seat: float(seat == position.winner) for seat in position.seats}
    seen = sight(game, len(position.playing))
    key = position.key
    if position.phase == "move":
        if position.extra:
            key = fast.settled(key, track, doubles, gate, seen, out)
        else:
            key = fast.step(key & ~(63 << 54), track, doubles, gate, keep, position.dice[0], position.dice[1], seen, out)
    fast.evaluate(key, track, seen, out)
    return {seat: float(out[seat]) for seat in position.seats}


def sight(game: CaNgua, players: int) -> NDArray[np.float64]:
    """What the evaluation knows of these rules with so many players in play: float64[SIGHT], read only."""
    return _sight(game.numbers, players)


@lru_cache(maxsize=64)
def _sight(numbers: tuple[int, int, int, int], players: int) -> NDArray[np.float64]:
    known = np.zeros(fast.SIGHT)
    fast.solo(*numbers, known)
    for first in range(1, 7):
        for second in range(1, 7):
            known[fast.HIT + first + second] += 1 / 36
            if first == second and numbers[1] != 1:  # doubles by one die, as an alternative or an extra (CN-22)
                known[fast.HIT + first] += 1 / 36
    weights = WEIGHTS[max(players, 2)]
    known[fast.WEIGHTS : fast.WEIGHTS + len(weights)] = weights
    known.setflags(write=False)
    return known


def _lines(seat: int, names: tuple[str, ...], values: list[float], exact: tuple[bool, ...]) -> tuple[Line, ...]:
    """Lines best first; of equal ones the first in the order of CN-40."""
    order = sorted(range(len(names)), key=lambda i: -values[i])
    return tuple(Line(((seat, names[i]),) if names[i] else (), values[i], exact[i]) for i in order)


class _Search:
    """One search without a table: the stages after each other, and what is known after each."""

    def __init__(
        self, game: CaNgua, seat: int, names: tuple[str, ...], keys: list[int], players: int, limits: Limits, switch: Stop,
        clock: Callable[[], int], on_info: OnInfo | None,
    ) -> None:  # fmt: skip
        self.game, self.seat, self.names, self.limits, self.switch, self.clock, self.on_info = (
            game, seat, names, limits, switch, clock, on_info,
        )  # fmt: skip
        track, doubles, gate, _ = game.numbers
        self.sight = sight(game, players)
        self.players = players
        self.scratch = np.zeros(4)
        self.keys = [int(fast.settled(key, track, doubles, gate, self.sight, self.scratch)) for key in keys]
        self.exact = tuple(key >> 54 == rules.DUE_OVER for key in self.keys)
        self.nodes = 0
        self.budget = limits.nodes if limits.nodes is not None else LONG if limits.time_ms or limits.depth else ENOUGH
        self.values = [0.0] * len(keys)

    def run(self) -> Info:
        """As far as the limits allow."""
        info = self._look(0)
        assert info is not None
        depth = self.limits.depth or LONG
        for ahead, cost in ((1, 22), (2, 463)):
            enough = depth < ahead or self.nodes + cost * len(self.keys) > self.budget
            if enough or self.switch or all(self.exact):
                return info
            found = self._look(ahead)
            info = info if found is None else found
        return info if depth < 3 else self._sampled(info, depth)

    def _told(self, depth: int) -> Info:
        info = Info(self.seat, "chance", _lines(self.seat, self.names, self.values, self.exact), depth, self.nodes, self.clock())
        if self.on_info is not None:
            self.on_info(info)
        return info

    def _look(self, ahead: int) -> Info | None:
        """The mean over all rolls so far ahead; None if it was stopped in the middle."""
        values = []
        for key in self.keys:
            flag = self.switch.flag if ahead else np.zeros(1, np.int64)  # something has to be known, however short the time
            value, nodes = fast.expect(key, self.seat, ahead, *self.game.numbers, self.sight, self.scratch, flag)
            self.nodes += int(nodes)
            if value < 0:
                return None
            values.append(float(value))
        self.values = values
        return self._told(ahead)

    def _sampled(self, info: Info, depth: int) -> Info:
        """Rounds of games from every action that may still be best."""
        n = len(self.keys)
        prior = np.array(self.values)
        totals = np.zeros((n, n + 1))  # of chances in the last column, of squared differences before it
        games = np.zeros(n, np.int64)
        alive = [i for i in range(n) if not self.exact[i]]
        if any(self.exact) or not alive:  # who wins at once looks no further
            return info
        stream = _U(lots.stream_key(self.limits.seed, "horses"))
        size, played, length = FIRST, 0, 40.0 * self.players
        with ThreadPoolExecutor(self.limits.threads) as pool:
            while not self.switch:
                room = int((self.budget - self.nodes) / (length * len(alive)))
                number = min(size, room)
                if number < 1:
                    break
                keys = np.array([self.keys[i] for i in alive], np.int64)
                parts = _split(played, number, self.limits.threads)
                sums = [np.zeros((len(alive), len(alive) + 1), np.int64) for _ in parts]
                jobs = [
                    pool.submit(fast.sample, keys, self.seat, *self.game.numbers, min(depth, LONG), stream, at, count, self.sight, out,
                                self.switch.flag)
                    for (at, count), out in zip(parts, sums, strict=True)
                ]  # fmt: skip
                done = [job.result() for job in jobs]
                made, rolls = sum(int(part[0]) for part in done), sum(int(part[1]) for part in done)
                self.nodes += rolls
                played += number
                size = min(2 * size, MOST)
                if made:
                    length = max(rolls / (made * len(alive)), 1.0)
                    whole = sum(sums, np.zeros_like(sums[0])) / (1 << 20)
                    totals[np.ix_(alive, [*alive, n])] += whole
                    games[alive] += made
                    self.values = _blended(prior, totals[:, n], games, alive)
                    info = self._told(min(depth, round(length)))
                    alive = _still(alive, totals, games, n)
        return info


def _blended(prior: NDArray[np.float64], sums: NDArray[np.float64], games: NDArray[np.int64], alive: list[int]) -> list[float]:
    """Values from the whole rolls' means and the sampled games. The rolls tell actions apart well, but may be wrong about all of them
    alike: how far all are off is believed of the games much sooner than by how much one is better."""
    off = np.where(games > 0, sums / np.maximum(games, 1) - prior, 0.0)
    played = int(games[alive[0]])
    shift = float(off[alive].mean()) * played / (played + PRIOR_ALL)
    return [float(v) for v in prior + shift + (off - shift) * games / (games + PRIOR)]


def _split(start: int, number: int, threads: int) -> list[tuple[int, int]]:
    """``number`` games from ``start`` on as one piece (first, how many) for each thread; none is empty."""
    edges = [start + number * i // threads for i in range(threads + 1)]
    return [(a, b - a) for a, b in pairwise(edges) if b > a]


def _still(alive: list[int], totals: NDArray[np.float64], games: NDArray[np.int64], n: int) -> list[int]:
    """The actions that are not clearly worse than the best: by the paired differences, in standard errors."""
    best = max(alive, key=lambda i: totals[i, n])
    kept = []
    for i in alive:
        gap = (totals[best, n] - totals[i, n]) / games[best]
        spread = totals[best, i] / games[best] - gap * gap
        if i == best or games[best] < 2 * FIRST or gap * gap * games[best] <= CLEAR**2 * max(spread, 1e-4):
            kept.append(i)
    return kept
