"""Owns the levels 1 to 8: players for people, each stronger than the one below. Weak ones make people's mistakes, never random ones.

**Sowing games, in turns.** A level sees each hole as far as its eye follows the seeds, and now and then overlooks one: more often the
farther it is from the store (``Eye``).

=====  ======================================================  ======================================================
level  Mak Khum                                                Abalala'e
=====  ======================================================  ======================================================
1      takes the fullest hole that it sees                     the same
2      where the first lap ends: the store is best             what the first lap captures
3      five laps, what they capture, a rest                    three laps
4      the whole walk and its gain, a rest                     the whole walk and its gain
5      after a rest the next walk too                          the best answer too
6      its whole turn and the answer, in ``NODES[6]``          the same
       positions
7      as far as ``NODES[7]`` positions reach                  the same
8      as far as ``THINK_8_MS`` reach on two threads, with every solved table there is
=====  ==============================================================================================================

**In a race** levels 1 to 4 judge a hole by the board as it stands, with the same eyes; from 5 on they search, level 8 for ``RACE_8_MS``
where time runs. ``WAITS``: how long each takes to choose, and to drop a seed at ``by_hand``.

**Cờ cá ngựa.** 1 runs with the horse nearest home, and brings one in only when nothing else moves; 2 thinks of the second horse when the
first is nearly round; 3 brings horses in first; 4 sees kicks, and is ``greedy``; 5 has the search's evaluation; 6 looks one roll ahead, 7
samples games; 8 plays from the solved table of two players, and samples games for its time where there is none.

Levels 1 to 7 are pure functions of match, seat and lot. Level 8 reads time through its limit, so that it may choose otherwise elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from muang.games.core import Match, Seat
from muang.games.lots import below, draw
from muang.search.analyse import analyse
from muang.search.limits import Limits
from muang.search.players import Base, board_of, progress, solved_tables

if TYPE_CHECKING:
    from muang.games.ca_ngua.position import Move
    from muang.games.sowing.game import SowingGame
    from muang.search.turns import Board, Packed

__all__ = ["NODES", "THINK_8_MS", "WAITS", "Level"]

THINK_8_MS = 1500
"""How long level 8 thinks for one choice, on two threads."""
RACE_8_MS = 250
"""The same in a race that is played live: whoever thinks longer falls behind."""


@dataclass(frozen=True, slots=True)
class Eye:
    """How far a level sees in the turns of a sowing game.

    ``laps``: of a walk, 0 none (the fullest hole is taken). ``walks``: of an own chain. ``answer``: the other's best walk is taken off.
    ``forgets``: of a hundred looks at the hole farthest from the store, how many it forgets; at the nearest none, between them evenly.
    """

    laps: int = 1 << 20
    walks: int = 1
    answer: bool = False
    forgets: int = 0


EYES = {
    "mak-khum": {
        1: Eye(0, forgets=50),
        2: Eye(1, forgets=40),
        3: Eye(5, forgets=20),
        4: Eye(forgets=15),
        5: Eye(walks=2, forgets=10),
    },
    "abalalae": {
        1: Eye(0, forgets=50),
        2: Eye(1, forgets=40),
        3: Eye(3, forgets=20),
        4: Eye(forgets=15),
        5: Eye(answer=True, forgets=10),
    },
}
REST_WORTH = 9
"""What another walk at once is worth, in seeds, to those who do not plan it: about what a walk brings in."""
CHAIN_WORTH = 15
"""The same at the end of a chain that was planned: with 9, two walks ahead played worse than one."""
MOST_LAPS = 2_000
"""Laps of a walk that is followed to its end: more than any has."""
PLANNED = 400
"""Walks that a planned chain looks at, at most."""
NODES = {6: 6_000, 7: 30_000}
"""Positions that a level searches for one choice of a turn, a quarter more or less, so that it does not play one game only."""
DEPTH = {("mak-khum", 6): 2, ("abalalae", 6): 2}
"""Turns ahead that it looks at most."""
RACE_NODES = {5: 200, 6: 700, 7: 2_000}
"""Playouts for one choice of a race."""
HORSE_NODES, HORSE_DEPTH = 40_000, 20
"""Positions and rolls for one choice of level 7 in Cờ cá ngựa, and after how many its games are cut: whole ones would be too few."""

WAITS = {
    1: ((1500, 3500), (450, 700)),
    2: ((1200, 2900), (380, 600)),
    3: ((1000, 2400), (320, 500)),
    4: ((800, 1900), (260, 420)),
    5: ((650, 1500), (210, 340)),
    6: ((500, 1100), (170, 270)),
    7: ((400, 800), (130, 210)),
    8: ((300, 600), (100, 160)),
}
"""By level: ms to choose, and ms between two drops at ``by_hand``, each from … to."""


class Level(Base):
    """A level from 1 to 8; see the module."""

    def __init__(self, level: int) -> None:
        self.level = level
        self.name = f"level-{level}"
        self.think_ms, self.drop_ms = WAITS[level]

    def _pick(self, match: Match, seat: Seat, legal: tuple[str, ...], seed: int, n: int) -> str:
        if match.game.name == "ca-ngua":
            return self._horse(match, seat, legal, seed, n)
        eye = EYES[match.game.name].get(self.level)
        race = match.phase == "race"
        if eye is None or (race and self.level in RACE_NODES):
            return self._searched(match, seat, seed, n)
        if race or eye.laps < 1 << 20:
            return self._looked(match, seat, legal, eye, seed, n)
        return self._planned(match, seat, eye, seed, n)

    def _searched(self, match: Match, seat: Seat, seed: int, n: int) -> str:
        lot = draw(seed, f"search:{seat}", n)
        race = match.phase == "race"
        if self.level == 8:
            time_ms = RACE_8_MS if race and match.pace != "lockstep" else THINK_8_MS
            info = analyse(match, Limits(time_ms=time_ms, threads=2, seed=lot), tables=solved_tables(), seat=seat)
        elif race:
            info = analyse(match, Limits(nodes=RACE_NODES[self.level], seed=lot), seat=seat)
        else:
            nodes = NODES[self.level] * (75 + lot % 51) // 100
            info = analyse(match, Limits(nodes=nodes, depth=DEPTH.get((match.game.name, self.level)), memory_mb=4), seat=seat)
        if info.mix:
            from muang.search.race import drawn

            return drawn(info, draw(lot, "mix", 0))
        return info.action

    def _planned(self, match: Match, seat: Seat, eye: Eye, seed: int, n: int) -> str:
        """The walk, or the chain of walks, that gains most seeds; a lot among equals."""
        from muang.search.turns import packed

        position: Any = match.position
        at = packed(position.game, position.widows)
        board = at.pack(position.cells, position.turn, position.quiet)
        kids = [kid for kid in at.kids(board) if not self._forgets(at.game, kid[0], eye, seat, seed, n)] or at.kids(board)
        start = draw(seed, f"ties:{seat}", n) % len(kids)
        left = [PLANNED]
        return _chain(at, board, kids[start:] + kids[:start], eye, eye.walks, left)[1]

    def _forgets(self, game: SowingGame, hole: str, eye: Eye, seat: Seat, seed: int, n: int) -> bool:
        """Whether a level overlooks a hole this time."""
        holes = game.layout.holes
        _, number, _ = game.holes[hole]
        chance = eye.forgets * (holes - 1 - number) // max(holes - 1, 1)
        return below(seed, f"looks:{seat}", n * holes + number, 100) < chance

    def _looked(self, match: Match, seat: Seat, legal: tuple[str, ...], eye: Eye, seed: int, n: int) -> str:
        """By the board as it stands, each hole by itself: the best that is seen, the fuller of equals."""
        from muang.games.sowing.layout import SEATS

        game: Any = match.game
        cells, widows = board_of(match)
        own = SEATS.index(str(seat))
        best, most = "", (-1, -1)
        for hole in legal:
            if not self._forgets(game, hole, eye, seat, seed, n):
                place = game.layout.index[hole]
                worth = (_glance(game, cells, widows, own, place, eye.laps), cells[place])
                if worth > most:
                    best, most = hole, worth
        return best or legal[-1]

    # ── Cờ cá ngựa ───────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _horse(self, match: Match, seat: Seat, legal: tuple[str, ...], seed: int, n: int) -> str:
        if self.level >= 5:
            limits = Limits(nodes=1)
            if self.level == 6:
                limits = Limits(depth=1)
            elif self.level == 7:
                limits = Limits(nodes=HORSE_NODES, depth=HORSE_DEPTH, seed=draw(seed, f"search:{seat}", n))
            elif self.level == 8:
                limits = Limits(time_ms=THINK_8_MS, threads=2, seed=draw(seed, f"search:{seat}", n))
            return analyse(match, limits, tables=solved_tables() if self.level == 8 else None).action
        position: Any = match.position
        moves: dict[str, Move] = {move.action: move for move in position.moves}
        track = int(match.game.options["track"])
        best = legal[0]
        most: tuple[float, ...] = (-1e9,)
        for action in legal:
            if action in moves:
                worth = self._move(position.horses[seat], moves[action], track)
                if worth > most:
                    best, most = action, worth
        return best

    def _move(self, horses: tuple[Any, ...], move: Move, track: int) -> tuple[float, ...]:
        """How levels 1 to 4 rank a move: the largest is played, of equal ones the first in the order of CN-40."""
        start, end = progress(move.start, track), progress(move.end, track)
        ahead = max(progress(place, track) for place in horses)
        kicks = 2.0 if self.level >= 4 and move.kicks is not None else 0.0
        enters = 1.0 if start < 0 and (self.level >= 3 or (self.level == 2 and 4 * ahead >= 3 * track)) else 0.0
        return (kicks + enters, float(end if self.level == 4 else start))


def _glance(game: SowingGame, cells: list[int], widows: int, own: int, place: int, laps: int) -> int:
    """What a hole seems to bring, from so many laps of its walk: seeds in the store, and ``REST_WORTH`` for a rest."""
    from muang.games.sowing import kernel
    from muang.games.sowing.layout import TURN

    rules, store = game.record, game.layout.store(own)
    board, hands = game.board(cells), np.zeros((2, 3), np.int64)
    kernel.lift(board, hands, own, place, None, 0)
    state = kernel.WALKING
    for _ in range(min(laps, MOST_LAPS)):
        if state != kernel.WALKING:
            break
        state, _, _ = kernel.advance(rules, board, hands, own, TURN, int(hands[own, 1]), widows, None, 0)
    return int(board[store]) - cells[store] + (REST_WORTH if state == kernel.RESTED and not rules[0]["rest_ends"] else 0)


def _chain(at: Packed, board: Board, kids: list[Any], eye: Eye, walks: int, left: list[int]) -> tuple[int, str]:
    """The most that a chain of up to ``walks`` walks gains, and its first hole; ``left[0]`` walks are looked at, the first ones first."""
    left[0] -= len(kids)
    best: int | None = None
    first = ""
    for hole, gain, after in sorted(kids, key=lambda kid: -kid[1]):
        if after is not None and after.seat == board.seat:
            if walks > 1 and left[0] > 0:
                gain += _chain(at, after, at.kids(after), eye, walks - 1, left)[0]
            else:
                gain += REST_WORTH if eye.walks == 1 else CHAIN_WORTH
        elif after is not None and eye.answer:
            gain -= max((answer[1] for answer in at.kids(after)), default=0)
        if best is None or gain > best:
            best, first = gain, hole
    return best or 0, first
