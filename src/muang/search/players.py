"""Owns the list of computer players, and those that need no search: ``random`` and ``greedy``. Knows the rules only through ``Match``.

A player is a pure function of the match, its seat and a lot: the same seed plays the same match everywhere. It says how long it would
wait, but never waits and never reads a clock. ``levels`` has the stronger and the more human ones; of these only ``level-8`` thinks for a
time instead of a number of positions, so that its choices may differ from one machine to another.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from muang.errors import BadAction, IllegalAction
from muang.games.core import Match, Seat
from muang.games.lots import below
from muang.search.limits import Tables

__all__ = ["PLAYERS", "Base", "Greedy", "Player", "Random", "player", "solved_tables", "use_tables"]

LEVELS = 8
PLAYERS = ("random", "greedy", *(f"level-{number}" for number in range(1, LEVELS + 1)))

REST_WORTH = 9
"""What another walk at once is worth to the greedy player, in seeds: about what a walk brings in."""
THINK_MS = (300, 1500)
DROP_MS = (200, 280)
"""How long a nimble person takes for a choice, and for a drop at ``by_hand``."""


class Player(Protocol):
    """Somebody who chooses actions for a seat."""

    @property
    def name(self) -> str:
        """One of ``PLAYERS``."""

    def choose(self, match: Match, seat: Seat, seed: int, n: int) -> str:
        """An action from ``match.legal(seat)``; ``n`` counts this seat's choices (from 0) and picks the lot.

        A hand that holds seeds at the pace ``by_hand`` just drops: computer players never slip. ``IllegalAction`` when the seat has
        nothing to choose.
        """

    def wait_ms(self, match: Match, seat: Seat, seed: int, n: int) -> int:
        """How long this player would take for this choice, or for a drop (never within ``min_gap``)."""


class Base:
    """What players share: nothing to choose where there is one thing to do, and waits drawn evenly from ``think_ms`` and ``drop_ms``."""

    name = ""
    think_ms = THINK_MS
    drop_ms = DROP_MS

    def choose(self, match: Match, seat: Seat, seed: int, n: int) -> str:
        legal = match.legal(seat)
        if not legal:
            raise IllegalAction(f"seat {seat} has nothing to choose", allowed=match.to_act)
        if "drop" in legal:
            return "drop"
        if len(legal) == 1:
            return legal[0]
        return self._pick(match, seat, legal, seed, n)

    def wait_ms(self, match: Match, seat: Seat, seed: int, n: int) -> int:
        dropping = "drop" in match.legal(seat)
        least, most = self.drop_ms if dropping else self.think_ms
        wait = least + below(seed, f"wait:{seat}", n, most - least + 1)
        if dropping:
            gap = int(match.view()["min_gap"])
            wait = max(wait, gap + wait - least)
        return wait

    def _pick(self, match: Match, seat: Seat, legal: tuple[str, ...], seed: int, n: int) -> str:
        raise NotImplementedError


class Random(Base):
    """Every legal action equally likely."""

    name = "random"

    def _pick(self, match: Match, seat: Seat, legal: tuple[str, ...], seed: int, n: int) -> str:
        return legal[below(seed, f"player:{seat}", n, len(legal))]


class Greedy(Base):
    """The best single action, seen by itself.

    Sowing games: the walk that gains most seeds, a rest counting ``REST_WORTH`` more; the lowest hole among equals. In a race the walk
    is judged as if the other hand stood still. Cờ cá ngựa: win, else kick the horse that has come farthest, else enter, else move or
    climb what stands farthest, else pass. (Moving before entering loses to random play.)
    """

    name = "greedy"

    def _pick(self, match: Match, seat: Seat, legal: tuple[str, ...], seed: int, n: int) -> str:
        if match.game.name == "ca-ngua":
            return max(_horse_moves(match, seat, legal))[-1]
        return _best_hole(match, seat, legal)


def player(name: str) -> Player:
    """The player of that name. ``BadAction`` lists the names there are."""
    if name == "random":
        return Random()
    if name == "greedy":
        return Greedy()
    if name in PLAYERS:
        from muang.search.levels import Level

        return Level(int(name.removeprefix("level-")))
    raise BadAction(f"there is no computer player {name!r}", allowed=PLAYERS)


_shelf: list[Tables | None] = [None]


def use_tables(tables: Tables | None) -> None:
    """Let the levels of this process that read solved tables read these; None for none. Until told, they have none."""
    _shelf[0] = tables


def solved_tables() -> Tables | None:
    """What ``use_tables`` has been given."""
    return _shelf[0]


# ── sowing ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def board_of(match: Match) -> tuple[list[int], int]:
    """The seeds by place and the mask of widows, as everybody sees them now: in a race seeds in a hand are not on the board."""
    from muang.games.sowing.layout import SEATS

    shown = match.view()["board"]
    cells: list[int] = []
    widows = 0
    for name in SEATS:
        for seeds in shown[name]:
            widows |= (seeds is None) << len(cells)
            cells.append(seeds or 0)
        cells.append(shown["stores"][name])
    return cells, widows


def _best_hole(match: Match, seat: Seat, legal: tuple[str, ...]) -> str:
    """The hole whose walk, alone on the board as it stands, leaves most seeds in the own store."""
    from muang.games.sowing import kernel  # not before a walk is looked at: this is what loads Numba
    from muang.games.sowing.game import SowingGame
    from muang.games.sowing.layout import SEATS, TURN

    of = match.game
    assert isinstance(of, SowingGame)
    cells, widows = board_of(match)
    rules, own = of.record, SEATS.index(str(seat))
    store = of.layout.store(own)
    best, most = "", -1
    for hole in legal:  # lowest first, so equals go to the lowest
        board, hands = of.board(cells), np.zeros((2, 3), np.int64)
        kernel.lift(board, hands, own, of.layout.index[hole], None, 0)
        state, _, _ = kernel.advance(rules, board, hands, own, TURN, 1 << 62, widows, None, 0)
        worth = int(board[store]) - cells[store]
        if state == kernel.RESTED and not rules[0]["rest_ends"]:
            worth += REST_WORTH
        if worth > most:
            best, most = hole, worth
    return best


# ── Cờ cá ngựa ───────────────────────────────────────────────────────────────────────────────────────────────────────────────


def progress(place: Any, track: int) -> int:
    """A horse's progress as a number: -1 in the stable, 0 … track - 1, then the four slots (CN-3)."""
    if place == "stable":
        return -1
    if isinstance(place, str) and place.startswith("slot"):
        return track - 1 + int(place[4:])
    return int(place)


def _horse_moves(match: Match, seat: Seat, legal: tuple[str, ...]) -> list[tuple[int, int, int, int, str]]:
    """Each action behind its rank: the largest is the one to play."""
    view = match.view()
    track = int(match.game.options["track"])

    def squares(horses: dict[str, list[Any]], owner: Seat) -> int:
        return sum(progress(place, track) for place in horses[str(owner)])

    ranked = []
    for order, action in enumerate(legal):
        move = next((move for move in view["moves"] if move["action"] == action), None)
        if move is None:  # pass
            ranked.append((0, 0, 0, -order, action))
            continue
        start, end = progress(move["from"], track), progress(move["to"], track)
        after = match.play(seat, action)
        if after.result is not None and after.result.winner == seat:
            ranked.append((4, 0, 0, -order, action))
        elif move["kicks"] is not None:
            lost = squares(view["horses"], move["kicks"]) - squares(after.view()["horses"], move["kicks"])
            ranked.append((3, lost, end, -order, action))
        else:
            ranked.append((1 if start >= 0 else 2, end, start, -order, action))
    return ranked
