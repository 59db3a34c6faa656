"""Owns the measurement of speed: ours and others', turn about in one run, told as ratios (medians). Asserts nothing.

One alternation runs the C reference (``benchmarks/reference.c``, where a C compiler and the source are found), then each of ours, then the
peers that are installed. CPU time of the process counts, wall time only for two threads against one.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from muang.games import lots
from muang.games.batch import batch as batch_of
from muang.games.core import MOST, Game, Match, game
from muang.games.sowing import batch
from muang.games.sowing.game import SowingGame
from muang.search.analyse import analyse
from muang.search.limits import Limits

__all__ = ["ROUNDS", "STATE", "Reference", "run"]

ROUNDS, STATE = 200_000, 88172645463325252
KNOWN = {1000: 0x9AB8FBB3D57FDC07, 200_000: 0x03DEAAF9F4A22CAE}
ALTERNATIONS = 9
LOOP_ROUNDS, HORSE_GAMES, STEPS, PEER_GAMES = 20_000, 50_000, 40_000, 20
BATCH, BATCH_ALL, BATCH_GAMES = 4096, 32_768, 20_000
SEARCHES, SEARCH_NODES, SEARCH_DEPTH = 8, 200_000, 9


class Reference:
    """The C reference, built in a temporary folder; ``None`` of ``build`` says why there is none."""

    def __init__(self, program: Path) -> None:
        self.program = program

    @classmethod
    def build(cls, folder: Path, source: Path | None = None) -> Reference | None:
        """Compile ``source`` (``benchmarks/reference.c`` of this checkout if left out) into ``folder``."""
        source = source or Path(__file__).parents[3] / "benchmarks" / "reference.c"
        compiler = next((found for name in ("cc", "gcc", "clang") if (found := shutil.which(name))), None)
        if compiler is None or not source.is_file():
            return None
        program = folder / "reference"
        subprocess.run([compiler, "-O3", "-march=native", "-o", str(program), str(source)], check=True)
        return cls(program)

    def run(self, rounds: int, state: int) -> tuple[float, int, int]:
        """(CPU seconds, choices, checksum) of one run."""
        out = subprocess.run([str(self.program), str(rounds), str(state)], check=True, capture_output=True, text=True).stdout.split()
        return float(out[1]), int(out[2]), int(out[3], 16)


def _cpu(work: Callable[[], Any]) -> tuple[float, Any]:
    begun = time.process_time()
    result = work()
    return time.process_time() - begun, result


def _wall(work: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def _steps(of: SowingGame, walks: int, seed: int) -> int:
    """Random rounds through the Python interface, ``legal`` and ``play`` for each walk, until ``walks`` have been walked."""
    done = number = 0
    while done < walks:
        match = of.start(seed=seed, first="S")
        key = lots.stream_key(seed, f"bench {number}")
        number += 1
        while match.phase != "over":
            seat = match.turn
            assert seat is not None
            legal = match.legal(seat)
            key = (key * 6364136223846793005 + 1442695040888963407) & lots.MASK
            match = match.play(seat, legal[(key >> 33) * len(legal) >> 31])
            done += 1
    return done


def _horses(games: int) -> None:
    from muang.games.ca_ngua import batch as horses
    from muang.games.ca_ngua.rules import CaNgua

    of = game("ca-ngua")
    assert isinstance(of, CaNgua)
    horses.simulate(of, games, seed=1)


def _batch(of: Game, threads: int) -> Callable[[int], None]:
    """Random play on ``muang.batch``, driven from Python: so many games, begun anew as they end."""
    games = batch_of(of, BATCH if threads == 1 else BATCH_ALL, seed=1, threads=threads)

    def play(count: int) -> None:
        ended = int(games.episodes.sum())
        while int(games.episodes.sum()) - ended < count:
            games.step(games.sample())
            games.reset()

    play(1)  # compiles
    return play


def positions(name: str, count: int = SEARCHES) -> list[Match]:
    """Matches in turns after 4, 6, 8 … walks by lot: what searches are measured on, always the same."""
    found = []
    for number in range(count):
        match = game(name, "turns").start(seed=number)
        for walk in range(4 + 2 * number):
            assert match.turn is not None
            legal = match.legal(match.turn)
            after = match.play(match.turn, legal[lots.below(number, "bench", walk, len(legal))])
            if after.phase != "turn":
                break
            match = after
        found.append(match)
    return found


def _search(matches: list[Match], limits: Limits) -> int:
    """The nodes of a search of each position."""
    return sum(analyse(match, limits).nodes for match in matches)


def _peers() -> dict[str, Callable[[int], None]]:
    """Programs of others that are installed here and do comparable work, driven from Python: one random game after another."""
    found: dict[str, Callable[[int], None]] = {}
    try:
        import pyspiel
    except ImportError:
        pass
    else:

        def kalah(games: int) -> None:
            import random

            draw = random.Random(1)
            of = pyspiel.load_game("mancala")
            for _ in range(games):
                state = of.new_initial_state()
                while not state.is_terminal():
                    state.apply_action(draw.choice(state.legal_actions()))

        found["OpenSpiel Kalah, driven from Python (games)"] = kalah
    try:
        from ludo_engine import LudoGame, PlayerColor
    except ImportError:
        pass
    else:

        def ludo(games: int) -> None:
            """Its own turns, dice and all, with the first legal move: cheaper than a random one."""
            for _ in range(games):
                play = LudoGame([PlayerColor.RED, PlayerColor.YELLOW])
                while not play.game_over:
                    play.play_turn()

        found["ludo-king-engine, two players (games)"] = ludo
    return found


def _memory() -> int:
    """Peak memory of this process so far, in kB; 0 where it is not told."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def measure(alternations: int = ALTERNATIONS, source: Path | None = None, tell: Callable[[str], None] = lambda _: None) -> dict[str, Any]:
    """All figures of this machine: ``ratios`` against the C reference of the same run, ``rates`` per second, and the checksums."""
    rows, loop = game("mak-khum", "turns"), game("abalalae")
    assert isinstance(rows, SowingGame)
    assert isinstance(loop, SowingGame)
    check, _ = batch.stream(rows, 1000, STATE)  # compiles; its checksum is known
    batch.stream(loop, 10, STATE)
    _horses(10)
    _steps(rows, 100, 1)
    batches = {
        # as the rounds beside it: from the full board, no end by quiet turns
        "Mak Khum": game("mak-khum", "turns"),
        "Abalala'e": game("abalalae", "single", quiet_turns=MOST),
        "Cờ cá ngựa": game("ca-ngua"),
    }
    alone, together = ({name: _batch(of, threads) for name, of in batches.items()} for threads in (1, os.cpu_count() or 1))
    searched = {name: positions(name) for name in ("mak-khum", "abalalae")}
    deep = Limits(depth=SEARCH_DEPTH)
    signature = {name: _search(matches, Limits(depth=5)) for name, matches in searched.items()}
    checks = {"1000 rounds": f"{check:016x}", "as known": check == KNOWN[1000]}
    peers = _peers()
    series: dict[str, list[float]] = {}

    def keep(name: str, value: float) -> None:
        series.setdefault(name, []).append(value)

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        reference = Reference.build(Path(folder), source)
        for number in range(alternations):
            tell(f"alternation {number + 1} of {alternations}")
            c_rounds = c_choices = 0.0
            if reference is not None:
                seconds, choices, c_check = reference.run(ROUNDS, STATE)
                c_rounds, c_choices = ROUNDS / seconds, choices / seconds
                keep("C reference: rounds", c_rounds)
            seconds, (check, _) = _cpu(lambda: batch.stream(rows, ROUNDS, STATE))
            ours = ROUNDS / seconds
            keep("Mak Khum, random rounds", ours)
            checks[f"{ROUNDS} rounds"] = f"{check:016x}"
            checks["as known"] = bool(checks["as known"]) and check == KNOWN[ROUNDS]
            if reference is not None:
                checks["as the C reference"] = check == c_check
                keep("ratio: Mak Khum rounds / C rounds", ours / c_rounds)
            random_play = {"Mak Khum": ours}
            one = _wall(lambda: batch.stream(rows, ROUNDS, STATE))
            two = _wall(lambda: list(pool.map(lambda state: batch.stream(rows, ROUNDS, state), (STATE, STATE + 1))))
            keep("ratio: two threads / one (wall time)", 2 * one / two)
            for name, count, work in (
                ("Abalala'e, random rounds", LOOP_ROUNDS, lambda start=STATE + number: batch.stream(loop, LOOP_ROUNDS, start)),
                ("Cờ cá ngựa, random two-player games", HORSE_GAMES, lambda: _horses(HORSE_GAMES)),
            ):
                rate = count / _cpu(work)[0]
                keep(name, rate)
                random_play[name.partition(",")[0]] = rate
                if reference is not None:
                    keep(f"ratio: {name} / C rounds", rate / c_rounds)
            for name, rate in random_play.items():
                seconds, _ = _cpu(lambda name=name: alone[name](BATCH_GAMES))  # type: ignore[misc]
                keep(f"{name}, games of a batch driven from Python", BATCH_GAMES / seconds)
                keep(f"ratio: {name}, batch / random play, a core each", BATCH_GAMES / seconds / rate)
                seconds = _wall(lambda name=name: together[name](BATCH_GAMES))  # type: ignore[misc]
                keep(f"ratio: {name}, batch on all cores (wall time) / random play on one", BATCH_GAMES / seconds / rate)
            for name, matches in searched.items():
                seconds, nodes = _cpu(lambda matches=matches: _search(matches, Limits(nodes=SEARCH_NODES)))  # type: ignore[misc]
                keep(f"search in turns, {name} (nodes)", nodes / seconds)
                if reference is not None:
                    keep(f"ratio: search nodes, {name} / C choices", nodes / seconds / c_choices)
            one = _wall(lambda: _search(searched["mak-khum"], deep))
            two = _wall(lambda: _search(searched["mak-khum"], Limits(depth=SEARCH_DEPTH, threads=2)))
            keep("ratio: search to a depth, two threads / one (wall time)", one / two)
            seconds, walks = _cpu(lambda: _steps(rows, STEPS, 1))
            keep("Mak Khum, walks through the Python interface", walks / seconds)
            if reference is not None:
                keep("ratio: Python walks / 1000 C choices", 1000 * walks / seconds / c_choices)
            for name, peer in peers.items():
                seconds, _ = _cpu(lambda peer=peer: peer(PEER_GAMES))  # type: ignore[misc]
                keep(name, PEER_GAMES / seconds)
    batch.simulate(rows, 2 * batch.CHUNK, seed=1, threads=2)  # compiles
    before = _memory()
    batch.simulate(rows, 20 * batch.CHUNK, seed=1, threads=2)
    medians = {name: statistics.median(values) for name, values in series.items()}
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "alternations": alternations,
        "reference": "C, built here" if reference is not None else "none: no C compiler, or benchmarks/reference.c is not here",
        "checksums": checks,
        "signature": signature,
        "rates": {name: round(value, 1) for name, value in medians.items() if not name.startswith("ratio")},
        "ratios": {name[7:]: round(value, 3) for name, value in medians.items() if name.startswith("ratio")},
        "spread": {name: [round(min(v), 3), round(max(v), 3)] for name, v in series.items() if name.startswith("ratio")},
        "memory": {"growth over 20 chunks of matches, kB": _memory() - before},
    }


def run(as_json: bool = False, alternations: int = ALTERNATIONS, source: Path | None = None) -> int:
    """Measure and print. 1 if a checksum is wrong, else 0."""
    figures = measure(alternations, source, lambda line: print(line, file=sys.stderr))
    if as_json:
        print(json.dumps(figures, indent=2, ensure_ascii=False))
    else:
        from rich.console import Console
        from rich.table import Table

        table = Table(title=f"Python {figures['python']}, {figures['machine']}, medians of {alternations} alternations")
        table.add_column("what")
        table.add_column("median", justify="right")
        for name, value in figures["rates"].items():
            table.add_row(name, f"{value:,.0f} a second")
        for name, value in figures["ratios"].items():
            table.add_row(name, f"{value:.3f}")
        for name, value in (*figures["checksums"].items(), *figures["memory"].items(), ("reference", figures["reference"])):
            table.add_row(name, str(value))
        Console().print(table)
        print("search signature, nodes to depth 5:", ", ".join(f"{name} {nodes}" for name, nodes in figures["signature"].items()))
    agree = figures["checksums"]
    return 0 if agree["as known"] and agree.get("as the C reference", True) else 1
