"""Owns exact values of a whole round of Mak Khum in turns: every first hole, principal lines, strategies that prove them, certificates.

A certificate is a JSON file. For each first hole it holds the value (South's seeds minus North's at the end of the round, South first)
and the principal line: best play of both to the end. For the best hole it may hold two *strategies*: what South chooses, whatever
North does, in every position that can then come up, and so gets at least the value; and what North chooses, and so loses by no more.
``solver.certificate`` checks all of it without any search.

The search is ``search.turns`` to the end of the round: rounds of Mak Khum cannot repeat a position (MK-55), so every value is exact.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from muang.errors import BadRuleset
from muang.games._jit import kernel_digest
from muang.games.core import RULES_VERSION, Game
from muang.games.sowing.game import SowingGame
from muang.games.sowing.layout import SEATS
from muang.search.limits import Stop, TurnTable
from muang.search.turns import Aborted, Board, TurnSearch
from muang.solver.work import OnProgress, Stopped, Work

__all__ = ["FORM", "FirstHole", "board_key", "certificate", "opening_board", "principal_line", "solve_round", "strategy"]

FORM = 1
"""The number of the certificate's form."""

MOST_POSITIONS = 50_000
"""A strategy with more positions is left out of a certificate."""


@dataclass(frozen=True, slots=True)
class FirstHole:
    """What the round is worth after a first hole: South's seeds minus North's; best play of both after it; what it took to know."""

    hole: str
    value: int
    line: tuple[str, ...]
    nodes: int
    seconds: float


def opening_board(game: Game) -> tuple[SowingGame, list[int]]:
    """A game of Mak Khum's kind and its full board by place. ``BadRuleset`` for the others: their rounds have no such value."""
    if not isinstance(game, SowingGame) or game.name != "mak-khum":
        raise BadRuleset("only rounds of mak-khum are solved from the start", allowed=("mak-khum",))
    half = game.layout.total // 2
    cells, _ = game.refill((half, half))
    return game, cells


def solve_round(
    game: Game,
    *,
    memory_mb: int = 512,
    threads: int = 0,
    table: TurnTable | None = None,
    known: Mapping[str, FirstHole] | None = None,
    on_hole: Callable[[FirstHole], None] | None = None,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> tuple[TurnSearch, list[FirstHole]]:
    """The exact value of every first hole from the full board in turns. Gives the search with its memory, and the holes in order.

    ``threads`` holes are solved at once (0: one a core) and share the memory of ``memory_mb``. ``known``: holes that are solved already;
    ``on_hole`` hears of each that is solved now. ``Stopped`` when ``stop`` is set: what ``on_hole`` has heard is done.
    """
    of, cells = opening_board(game)
    found = dict(known or {})
    with Work(float(of.layout.holes), done=float(len(found)), threads=threads, on_progress=on_progress, stop=stop) as work:
        search = TurnSearch(of, 0, memory_mb, table, 1, work.stop)
        board = search.at.pack(cells, 0)
        todo = [(hole, gain, after) for hole, gain, after in search.at.kids(board) if hole not in found]
        todo.sort(key=lambda kid: kid[0])
        with ThreadPoolExecutor(work.threads) as pool:
            running: set[Future[FirstHole]] = {pool.submit(_solve_hole, search.twin(), board, *kid) for kid in todo}
            try:
                while running:
                    done, running = wait(running, timeout=0.5, return_when=FIRST_COMPLETED)
                    for future in done:
                        hole = future.result()
                        found[hole.hole] = hole
                        if on_hole is not None:
                            on_hole(hole)
                        work.advance(1.0, f"{hole.hole} {hole.value:+d}")
                    work.advance(0.0)
            except Aborted:
                raise Stopped("stopped") from None
            finally:
                if running:
                    work.stop.set()
                    for future in running:
                        future.cancel()
    return search, [found[hole] for hole in sorted(found, key=lambda name: int(name[1:]))]


def _solve_hole(search: TurnSearch, board: Board, hole: str, gain: int, after: Board | None) -> FirstHole:
    begun = time.thread_time()
    if after is None:
        return FirstHole(hole, gain, (hole,), 0, 0.0)
    same = after.seat == board.seat
    # the whole board is the first guess: from full boards one side often takes nearly all
    value, proved = search.value(after, search.end, after.n if same else -after.n)
    if not proved:
        raise AssertionError("a search to the end has used an estimate")
    line = (hole, *principal_line(search, after, value))
    return FirstHole(hole, gain + (value if same else -value), line, search.nodes, round(time.thread_time() - begun, 2))


def principal_line(search: TurnSearch, board: Board, value: int) -> list[str]:
    """Best play of both from a board whose exact future difference is known, to the end of the round."""
    told = []
    at: Board | None = board
    while at is not None:
        for hole, gain, after in search.at.kids(at):
            if after is None:
                if gain != value:
                    continue
                told.append(hole)
                at = None
                break
            same = after.seat == at.seat
            need = value - gain if same else gain - value
            # the mover's own value must reach what is needed, the other's must not be more than that
            got, _ = search.window(after, search.end, need - 1 if same else need, need if same else need + 1)
            if got >= need if same else got <= need:
                told.append(hole)
                at, value = after, need
                break
        else:
            raise AssertionError("no choice reaches the value that was proved")
    return told


def board_key(south: tuple[int, ...], north: tuple[int, ...], seat: str) -> str:
    """A position as certificates name it: ``"S 0,8,8 7,7,7"``: who chooses, South's row, North's row, hole 1 first."""
    return f"{seat} {','.join(map(str, south))} {','.join(map(str, north))}"


def strategy(search: TurnSearch, board: Board, seat: int, value: int, most: int = MOST_POSITIONS) -> dict[str, str] | None:
    """Choices by which ``seat`` makes sure of a future difference of at least ``value`` for itself, whatever the other does.

    By position (``board_key``), for every position that can come up. None if there are more than ``most`` of them.
    """
    choices: dict[str, str] = {}
    needs: dict[str, int] = {}
    todo = [(board, value)]
    while todo:
        at, need = todo.pop()
        key = board_key(*search.at.rows(at), SEATS[at.seat])
        if needs.get(key, -1000) >= need:
            continue
        needs[key] = need
        if len(needs) > most:
            return None
        kids = search.at.kids(at)
        if at.seat != seat:
            todo += [(after, need + gain) for _, gain, after in kids if after is not None]
            continue
        for hole, gain, after in kids:
            if after is None:
                good = gain >= need
            elif after.seat == seat:
                good = search.window(after, search.end, need - gain - 1, need - gain)[0] >= need - gain
            else:
                good = search.window(after, search.end, gain - need, gain - need + 1)[0] <= gain - need
            if good:
                choices[key] = hole
                if after is not None:
                    todo.append((after, need - gain))
                break
        else:
            raise AssertionError("no choice reaches the value that was proved")
    return choices


def certificate(search: TurnSearch, holes: list[FirstHole], *, strategies: bool = True) -> dict[str, Any]:
    """The certificate of a solved round as plain data; see the module's head."""
    game = search.game
    _, cells = opening_board(game)
    board = search.at.pack(cells, 0)
    best = max(holes, key=lambda hole: hole.value)
    told: dict[str, Any] = {
        "muang": "certificate",
        "form": FORM,
        "game": game.name,
        "ruleset": game.ruleset,
        "options": game.options,
        "rules": RULES_VERSION,
        "code": kernel_digest("solver.turns"),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "value": best.value,
        "best": best.hole,
        "holes": [asdict(hole) for hole in holes],
    }
    if strategies:
        told["south"] = strategy(search, board, 0, best.value)
        told["north"] = strategy(search, board, 1, -best.value) if best.value < game.layout.total else {}
    return told
