"""Owns a batch of sowing games: its arrays, and how they are read. ``carry`` carries the games on."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from muang.errors import BadAction
from muang.games._jit import kernel
from muang.games.core import Game, Seat
from muang.games.lots import stream_key
from muang.games.sowing import carry, lockstep, rounds
from muang.games.sowing.batch import tables
from muang.games.sowing.game import SowingGame
from muang.games.sowing.layout import PLACES, SEATS
from muang.games.sowing.position import SowingPosition
from muang.games.table import PHASES, Batch

__all__ = ["SowingBatch", "columns"]

_PHASE = np.array([PHASES.index(name) for name in ("over", "race", "turn")], np.int8)
_ROOM = 64
"""Choices of a race for which there is room before it has to grow."""


def columns(holes: int) -> tuple[str, ...]:
    """The numbers of an observation, from the side of the seat that chooses.

    Holes and stores hold seeds, -1 for a widow. ``seat`` is 0 for South; ``phase`` as ``carry`` numbers it (0 over, 1 race, 2 turn);
    ``stepped`` and ``opened`` are 1 for the own seat (MK-25, MK-45; ``opened`` -1 in a race). Hands in a race: seeds; the place they
    stand on and the one the lap was lifted from, as 1 + the number of the hole or store among these columns, 0 for none. ``dead``: 1 for
    the first hand that has died in it, 2 for the second; ``steps_next`` 1 if the own hand steps next.
    """
    own = [f"own_{i}" for i in range(1, holes + 1)]
    other = [f"other_{i}" for i in range(1, holes + 1)]
    return (
        *own, "own_store", *other, "other_store", "seat", "phase", "round", "quiet", "stepped", "opened",
        "hand", "hand_at", "hand_from", "other_hand", "other_hand_at", "other_hand_from", "dead", "other_dead", "steps_next",
    )  # fmt: skip


@kernel
def observe_each(t: Any, g: Any, raced: bool, out: Any, start: int, stop: int) -> None:
    """What the seat that chooses sees, the columns of ``columns``: int32[n, columns], given as zeros. ``raced``: races
    have choices."""
    boards, info, hands, races, _, _, _ = g
    holes = int(t[0][0]["holes"])
    places = 2 * holes + 2
    for i in range(start, stop):
        seat = int(info[carry.SEAT, i])
        base = seat * (holes + 1)
        widows = int(info[carry.WIDOWS, i])
        for k in range(places):
            place = (base + k) % places
            out[i, k] = -1 if widows >> place & 1 else int(boards[i, place])
        row = out[i, places:]
        row[0], row[1], row[2], row[3] = seat, info[carry.MODE, i], info[carry.NUMBER, i], info[carry.QUIET, i]
        row[4] = info[carry.STEPPING, i] == seat
        row[5] = -1 if info[carry.OPENED, i] < 0 else int(info[carry.OPENED, i] == seat)
        if raced and info[carry.MODE, i] == carry.RACE:
            for k in range(2):
                whose = (seat + k) & 1
                if hands[i, whose, 1] > 0:
                    row[6 + 3 * k] = hands[i, whose, 1]
                    row[7 + 3 * k] = (hands[i, whose, 0] - base) % places + 1
                    row[8 + 3 * k] = (hands[i, whose, 2] - base) % places + 1
                row[12 + k] = races[i, lockstep.DEAD + whose]
            row[14] = races[i, lockstep.STEPPER] == seat


class SowingBatch(Batch):
    """Many games of Mak Khum or Abalala'e. Action ``a`` is the own hole ``a + 1``: ``S1`` for South is ``N1`` for North."""

    game: SowingGame
    _by_row = frozenset({"_info"})

    def __init__(self, of: Game, n: int, seed: int, seats: tuple[Seat, ...], first: Seat | None, threads: int) -> None:
        super().__init__(of, n, seed, seats, first, threads)
        holes = self.game.layout.holes
        self.num_actions = holes
        self.columns = columns(holes)
        made = tables(self.game)
        self._tables = (self.game.record, self.game.limits, made.add, made.last, made.gain, made.select, made.counts)
        self._wide = made.wide
        self._raced = bool(self.game.limits[rounds.RACES]) and int(self.game.record[0]["race_mode"]) != lockstep.FIXED
        races = n if self._raced else 0
        self._stream = np.uint64(stream_key(0, "sample"))
        self._boards = np.zeros((n, PLACES), np.uint8)
        self._info = np.zeros((carry.ROWS, n), np.int32)
        self._hands, self._races = np.zeros((races, 2, 3), np.int64), np.zeros((races, 8), np.int64)
        self._loop = bool(self.game.record[0]["cyclic"])
        self._ahead = np.zeros((n if self._loop else 0, PLACES), np.uint8)
        self._began, self._picks = np.zeros((races, PLACES), np.uint8), np.zeros((races, _ROOM), np.uint8)

    @property
    def _games(self) -> tuple[Any, ...]:
        return self._boards, self._info, self._hands, self._races, self._began, self._picks, self._ahead

    def _begin(self, chosen: npt.NDArray[np.bool_], start: int, stop: int) -> None:
        carry.begin_each(self._tables, self._games, self._lots, self._first, chosen, start, stop)

    def _illegal(self, actions: npt.NDArray[np.int64], start: int, stop: int) -> int:
        return int(carry.illegal_each(self._tables, self._games, carry.work(), actions, start, stop))

    def step(self, actions: npt.ArrayLike) -> npt.NDArray[np.float32]:
        if self._raced and int(self._info[carry.PICKED].max()) + 1 >= self._picks.shape[1]:
            self._picks = np.concatenate([self._picks, np.zeros_like(self._picks)], axis=1)
        return super().step(actions)

    def _step(self, actions: npt.NDArray[np.int64], rewards: npt.NDArray[np.float32], start: int, stop: int) -> None:
        if self._loop:
            carry.step_loops(self._tables, self._games, carry.work(), self._lots, self._stream, actions, rewards, start, stop)
        else:
            carry.step_rows(self._tables, self._games, carry.work(), self._wide, actions, rewards, start, stop)

    def _sample(self, stream: np.uint64, out: npt.NDArray[np.int64], start: int, stop: int) -> None:
        self._stream = stream  # the lots that the next step expects to be drawn
        carry.sample_each(self._tables, self._games, carry.work(), self._lots, stream, out, start, stop)

    def _masks(self, out: npt.NDArray[np.bool_], start: int, stop: int) -> None:
        carry.masks_each(self._tables, self._games, carry.work(), out, start, stop)

    def _observe(self, out: npt.NDArray[np.int32], start: int, stop: int) -> None:
        observe_each(self._tables, self._games, self._raced, out, start, stop)

    @property
    def current_player(self) -> npt.NDArray[np.int8]:
        return np.where(self.terminated, np.int8(-1), np.array(self._info[carry.SEAT], np.int8))

    @property
    def terminated(self) -> npt.NDArray[np.bool_]:
        over: npt.NDArray[np.bool_] = self._info[carry.MODE] == carry.OVER
        return over

    @property
    def phase(self) -> npt.NDArray[np.int8]:
        phases: npt.NDArray[np.int8] = _PHASE[self._info[carry.MODE]]
        return phases

    @property
    def simultaneous(self) -> npt.NDArray[np.bool_]:
        both: npt.NDArray[np.bool_] = self._info[carry.DUE] == 3
        return both

    @property
    def winner(self) -> npt.NDArray[np.int8]:
        won = self._info[carry.WINNER]
        return np.where(won == rounds.DRAW, -1, won).astype(np.int8)

    @property
    def steps(self) -> npt.NDArray[np.int64]:
        return np.array(self._info[carry.CHOICES], np.int64)

    @property
    def board(self) -> npt.NDArray[np.uint8]:
        """uint8[n, places]: the seeds by place, in the order of ``game.layout.names``: South's holes and store, then North's."""
        return self._boards[:, : 2 * self.game.layout.holes + 2].copy()

    def position(self, i: int) -> SowingPosition:
        i = self._number(i)
        info = self._info[:, i].tolist()
        cells = tuple(self._boards[i, : 2 * self.game.layout.holes + 2].tolist())
        opened = None if info[carry.OPENED] < 0 else info[carry.OPENED]
        at: dict[str, Any] = {"cells": cells, "opened": opened, "turn": None, "quiet": info[carry.QUIET]}
        if info[carry.MODE] == carry.OVER:
            winner = None if info[carry.WINNER] == rounds.DRAW else info[carry.WINNER]
            at |= {"over": (winner, rounds.REASONS[info[carry.REASON]])}
        elif info[carry.MODE] == carry.TURN:
            at |= {"turn": info[carry.SEAT]}
        else:
            picked = self._picks[i, : info[carry.PICKED]].tolist()
            if info[carry.DUE] == 2 and self._races[i, lockstep.PICK] >= 0:  # South has chosen, and nobody sees it yet
                picked.pop()
            layout = self.game.layout
            at |= {"race": tuple((layout.seat_of(place), layout.names[place], None) for place in picked)}
            at |= {"cells": tuple(self._began[i, : len(cells)].tolist()), "opened": None}
        return SowingPosition(self.game, widows=info[carry.WIDOWS], number=info[carry.NUMBER], first=info[carry.STEPPING], **at)

    def action_name(self, i: int, action: int) -> str:
        seat = int(self._info[carry.SEAT, self._number(i)])
        if not 0 <= action < self.num_actions:
            raise BadAction(f"there is no action {action}", allowed=(f"0 to {self.num_actions - 1}",))
        return f"{SEATS[seat]}{action + 1}"

    def _number(self, i: int) -> int:
        if not 0 <= i < self.n:
            raise BadAction(f"there is no game {i}", allowed=(f"0 to {self.n - 1}",))
        return int(i)
