"""Owns who wins after lockstep openings of the whole board: lists races, proves the turns behind them, keeps and counts outcomes.

The searching is ``search.turns``'s. Files are JSON lines: a first line that says what they are of, then one a position, written as it is
solved, so that the same command goes on where it was stopped.
"""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from muang.errors import BadRuleset, BadTable
from muang.games.core import RULES_VERSION, Game
from muang.games.core import game as build
from muang.games.lots import below
from muang.games.sowing import lockstep
from muang.games.sowing.game import SowingGame
from muang.games.sowing.layout import PLACES
from muang.games.sowing.position import SowingPosition
from muang.search.limits import Stop, Tables, TurnTable
from muang.search.race import pick_holes
from muang.search.race_kernel import best_walk
from muang.search.turns import Aborted, TurnSearch
from muang.solver.race import raced, start_of
from muang.solver.work import OnProgress, Work, need

__all__ = ["LATER", "Opening", "Outcome", "Summary", "openings", "solve_openings", "south_wins", "summary", "turns_of"]

LATER = ("last", "greedy", "search", "random")
"""How a race goes on after its first choices: the hole farthest from the store, the best single walk, a search's choice, or by lot."""
PLAYOUTS = 300
"""What a search's choice is based on."""
WIN, DRAW, LOSS = 1, 0, -1
FIRST_TRY = 16
"""Every position is first tried with this part of the nodes."""


@dataclass(frozen=True)
class Opening:
    """A lockstep race of ``opening``, South stepping first, and where it led.

    ``first``: both first holes, 0 …; ``later``: one of ``LATER`` (empty: the first choices are by lot too); ``seed``: of the lots.
    ``died``: the seat that died first and moves; ``position``: the line of the position in turns, seen from that seat as South;
    ``cells``: its seeds by place. ``ahead``: what the store of that seat holds more than the other's.
    """

    first: tuple[int, int]
    later: str
    seed: int
    died: int
    position: str
    cells: tuple[int, ...]
    ahead: int


@dataclass(frozen=True)
class Outcome:
    """What a position in turns was proved to be for the mover: 1 won, 0 drawn, -1 lost, None not proved within the nodes allowed."""

    result: int | None
    nodes: int
    seconds: float


def openings(
    game: Game, random: int, pairs: Iterable[tuple[str, int]] = (("last", 1), ("greedy", 1), ("search", 1), ("random", 1))
) -> Iterator[Opening]:
    """All pairs of first holes, each going on in every way of ``pairs`` (way, how many seeds), and ``random`` races wholly by lot."""
    of = raced(game)
    if of.options["race"] != "opening":
        raise BadRuleset("only an opening race is followed by turns", clause="MK-22", allowed=("race=opening",))
    holes = of.layout.holes
    for south in range(holes):
        for north in range(holes):
            for later, seeds in pairs:
                for seed in range(seeds):
                    yield _race(of, (south, north), later, seed)
    for seed in range(random):
        yield _race(of, None, "", seed)


def _race(game: SowingGame, first: tuple[int, int] | None, later: str, seed: int) -> Opening:
    """Play a race to its end."""
    point = start_of(game)
    scratch = np.zeros(PLACES, np.uint8)
    lots = 0
    picked: list[tuple[int, int]] = []
    while point.due:
        chosen: list[int | None] = [None, None]
        if later == "search" and (picked or first is None):
            chosen[:] = pick_holes(point, PLAYOUTS, (seed << 32) + lots)
            lots += 1
        for seat in (0, 1):
            able = point.holes(seat)
            if not able or chosen[seat] is not None:
                continue
            if not picked and first is not None:
                chosen[seat] = first[seat]
            elif later == "last":
                chosen[seat] = able[0]
            elif later == "greedy":
                chosen[seat] = int(best_walk(game.record, point.board, seat, point.widows, scratch))
            else:
                chosen[seat] = able[below(seed, f"race:{first}", lots, len(able))]
                lots += 1
        if not picked:
            assert chosen[0] is not None
            assert chosen[1] is not None
            picked.append((chosen[0], chosen[1]))
        point = point.after(*chosen)
    died = 0 if point.race[lockstep.DEAD] == 1 else 1
    layout = game.layout
    cells = tuple(int(point.board[place]) for seat in (died, 1 - died) for place in (*layout.own(seat), layout.store(seat)))
    line = str(SowingPosition(turns_of(game), cells, 0, 1, 0, 0, 0))
    return Opening(picked[0], later, seed, died, line, cells, cells[layout.holes] - cells[2 * layout.holes + 1])


@lru_cache(maxsize=8)
def turns_of(game: SowingGame) -> SowingGame:
    """The same rules for turns, without a race."""
    kept = ("store_landing", "capture_last", "skip_origin", "holes", "seeds")
    turns = build("mak-khum", "turns", **{name: game.options[name] for name in kept})
    assert isinstance(turns, SowingGame)
    return turns


@dataclass
class Solved:
    """Outcomes by position, with the file that keeps them."""

    path: Path | None
    header: dict[str, Any]
    outcomes: dict[str, Outcome] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        if self.path is None:
            return
        if self.path.exists() and self.path.stat().st_size:
            self._read(self.path)
        else:
            self.path.write_text(json.dumps(self.header) + "\n", encoding="utf-8")

    def _read(self, path: Path) -> None:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)
        try:
            found = json.loads(lines[0])
        except ValueError:
            raise BadTable(f"{path} is no file of openings") from None
        if found != self.header:
            raise BadTable(f"{path} is of other openings: {json.dumps(found)[:200]}, not {json.dumps(self.header)}")
        if not lines[-1].endswith("\n"):  # stopped in mid-write
            lines.pop()
            path.write_text("".join(lines), encoding="utf-8")
        for number, line in enumerate(lines[1:], 2):
            try:
                entry = json.loads(line)
                outcome = Outcome(entry["result"], entry["nodes"], entry["seconds"])
                if outcome.result not in (WIN, DRAW, LOSS, None):
                    raise ValueError
                self.outcomes[entry["position"]] = outcome
            except (ValueError, KeyError, TypeError):
                raise BadTable(f"{path}, line {number}, is no outcome of a position") from None

    def settled(self, position: str, nodes: int) -> bool:
        """Whether a position needs no more work: proved, or given up after at least so many nodes."""
        outcome = self.outcomes.get(position)
        return outcome is not None and (outcome.result is not None or outcome.nodes >= nodes)

    def add(self, position: str, outcome: Outcome) -> None:
        """Keep an outcome, at once."""
        with self._lock:
            self.outcomes[position] = outcome
            if self.path is not None:
                with self.path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"position": position} | asdict(outcome)) + "\n")


def solve_openings(
    game: Game,
    races: Iterable[Opening],
    *,
    nodes: int = 20_000_000,
    memory_mb: int = 128,
    threads: int = 0,
    path: Path | None = None,
    tables: Tables | None = None,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> dict[str, Outcome]:
    """Who wins the position in turns behind each race, with best play of both: a proof each, within ``nodes``; outcomes by position.

    ``tables``: solved endgames to read; they make proofs shorter. ``path``: where outcomes are kept, and read if they are there.
    ``BadTable`` for a file of something else, ``Stopped``.
    """
    of = raced(game)
    header = {"openings": 1, "game": of.name, "ruleset": of.ruleset, "options": of.changes(), "rules_version": RULES_VERSION}
    solved = Solved(path, header)
    by_position = {race.position: race for race in races}
    table = None if tables is None else tables.turns(turns_of(of))
    left = sum(not solved.settled(position, nodes) for position in by_position)
    with Work(len(by_position), done=len(by_position) - left, threads=threads, on_progress=on_progress, stop=stop) as work:
        need(memory_mb * (1 << 20) * work.threads, 1 << 20, Path() if path is None else path.absolute().parent, "proving openings")

        def solve(race: Opening, most: int) -> None:
            outcome = _outcome(of, race, most, memory_mb, table, work.stop)
            if outcome is not None:
                solved.add(race.position, outcome)

        for most in (max(1, nodes // FIRST_TRY), nodes):  # what is easy first
            todo = [race for position, race in by_position.items() if not solved.settled(position, most)]

            def weight(i: int, todo: list[Opening] = todo) -> float:
                return float(solved.settled(todo[i].position, nodes))

            work.run(solve, [(race, most) for race in todo], weight=weight)
            work.check()
    return {position: solved.outcomes[position] for position in by_position}


def _outcome(game: SowingGame, race: Opening, nodes: int, memory_mb: int, table: TurnTable | None, stop: Stop) -> Outcome | None:
    """One position, by two null windows at most: more than the seeds the mover is behind, else as many. None when stopped."""
    began = time.perf_counter()
    holes = game.layout.holes
    if not any(race.cells[:holes]):  # MK-30: the round is over at once
        final = race.ahead - sum(race.cells[holes + 1 : 2 * holes + 1])
        return Outcome(WIN if final > 0 else LOSS if final < 0 else DRAW, 0, 0.0)
    search = TurnSearch(turns_of(game), 0, memory_mb, table, 1, stop)
    search.set_nodes(nodes)
    board = search.at.pack(race.cells, 0)
    behind = -race.ahead
    result: int | None = None
    try:
        value, proved = search.window(board, search.end, behind, behind + 1)
        if proved and value > behind:
            result = WIN
        elif proved:
            value, proved = search.window(board, search.end, behind - 1, behind)
            result = None if not proved else DRAW if value >= behind else LOSS
    except Aborted:
        if stop:
            return None
    return Outcome(result, search.nodes, round(time.perf_counter() - began, 3))


@dataclass(frozen=True)
class Summary:
    """Races counted: won, drawn, lost and not proved, for who died first; how far ahead that seat's store was on average.

    ``behind``: of the proved races in which it was behind, how many, and won. ``worst``: the most that a winner was behind.
    """

    races: int
    positions: int
    won: int
    drawn: int
    lost: int
    unproved: int
    ahead: float
    behind: int
    behind_won: int
    worst: int


def summary(races: Iterable[Opening], outcomes: dict[str, Outcome]) -> Summary:
    """Count races by their outcomes."""
    told = list(races)
    results = Counter(outcomes[race.position].result for race in told)
    proved = [race for race in told if outcomes[race.position].result is not None]
    behind = [race for race in proved if race.ahead < 0]
    winners = [race for race in behind if outcomes[race.position].result == WIN]
    return Summary(
        len(told),
        len({race.position for race in told}),
        results[WIN],
        results[DRAW],
        results[LOSS],
        results[None],
        sum(race.ahead for race in told) / max(1, len(told)),
        len(behind),
        len(winners),
        max((-race.ahead for race in winners), default=0),
    )


def south_wins(races: Iterable[Opening], outcomes: dict[str, Outcome], holes: int) -> NDArray[np.float64]:
    """By first holes float64[holes, holes]: the mean of 1 where South wins, 0 drawn, -1 lost, over proved races; NaN without one."""
    sums, counts = np.zeros((holes, holes)), np.zeros((holes, holes))
    for race in races:
        result = outcomes[race.position].result
        if result is not None and race.later:
            sums[race.first] += result if race.died == 0 else -result
            counts[race.first] += 1
    with np.errstate(invalid="ignore"):
        return sums / counts
