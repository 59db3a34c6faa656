"""Owns a batch of games of Cờ cá ngựa: its arrays, and, compiled, the dice between choices. The rules are ``kernel``'s."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from muang.errors import BadAction
from muang.games import drawn, lots
from muang.games._jit import compiled, kernel, lean
from muang.games.ca_ngua.kernel import DUE_OVER, PASS, dice_of, due_next, extra_moves, make, move_ends, no_move, roll_moves, seen
from muang.games.ca_ngua.position import PASS as PASS_NAME
from muang.games.ca_ngua.position import CaNguaPosition, action_names
from muang.games.ca_ngua.rules import CaNgua
from muang.games.core import Game, Seat
from muang.games.table import PHASES, Batch

__all__ = ["CaNguaBatch", "columns"]

# kernels mix no signed with unsigned numbers: Numba would make floats of them; as plain Python both are int
_I: Callable[[Any], Any] = np.int64 if compiled() else int
_REJECTED = drawn.rejected(36)
_DICE = lots.stream_hash("dice")
_MOVE, _OVER = PHASES.index("move"), PHASES.index("over")


@kernel
def carry_on(track: int, doubles: int, gate: int, keep: int, key: int, taken: int, stream: Any, rolls: int) -> tuple[int, int, int]:
    """Roll from ``key`` on until there is something to choose or it is over. Gives (key, moves, rolls made so far)."""
    while key >> 54 == 0:
        pair = drawn.below(drawn.lot(stream, rolls), 36, _REJECTED)
        rolls += 1
        d1, d2 = pair // 6 + 1, pair % 6 + 1
        seat = (key >> 52) & 3
        mask = roll_moves((key >> (12 * seat)) & 4095, seen(taken, track, seat), track, doubles, gate, d1, d2)
        if mask != 0:
            return key | ((6 * d1 + d2 - 6) << 54), mask, rolls
        key = no_move(key, taken, track, doubles, gate, keep, d1, d2)
    if key >> 54 == DUE_OVER:
        return key, 0, rolls
    seat = (key >> 52) & 3
    d1, _ = dice_of(key >> 54)
    return key, extra_moves((key >> (12 * seat)) & 4095, seen(taken, track, seat), track, gate, d1) | (1 << PASS), rolls


@kernel
def begin_each(
    track: int, doubles: int, gate: int, keep: int, seats: Any, g: Any, lots: Any, first: int, chosen: Any, start: int, stop: int
) -> None:
    """New games in those of ``start…stop-1`` that are ``chosen``. ``lots`` (``drawn.first_of``) say who is first unless ``first`` does."""
    keys, taken, masks, rolls, choices, streams = g
    playing = 0
    for i in range(len(seats)):
        playing |= 1 << (48 + _I(seats[i]))
    for i in range(start, stop):
        if chosen[i]:
            choices[i] = 0
            taken[i] = 0
            streams[i] = drawn.stream_of(lots, i, _DICE)
            key = playing | (_I(seats[drawn.first_of(lots, i, len(seats)) if first < 0 else first]) << 52)
            keys[i], masks[i], rolls[i] = carry_on(track, doubles, gate, keep, key, 0, streams[i], 0)


@lean
def illegal_each(masks: Any, actions: Any, start: int, stop: int) -> int:
    """The first of the games ``start…stop-1`` whose action is not legal, or -1; a game that is over takes any."""
    for i in range(start, stop):
        if masks[i] != 0 and not (0 <= actions[i] <= PASS and _I(masks[i]) >> _I(actions[i]) & 1):
            return i
    return -1


@lean
def step_each(
    track: int, doubles: int, gate: int, keep: int, seats: Any, g: Any, actions: Any, rewards: Any, start: int, stop: int
) -> None:
    """One choice in each of the games ``start…stop-1`` that are not over, and the rolls up to the next. Where that ends a game, its rewards
    (float32[n, seats], given as zeros) are filled in."""
    keys, taken, masks, rolls, choices, streams = g
    for i in range(start, stop):
        if masks[i] == 0:
            continue
        key, squares_taken, move = _I(keys[i]), _I(taken[i]), _I(actions[i])
        due = key >> 54
        if move == PASS:
            key = due_next(key, (key >> 52) & 3, due > 42)
        else:
            d1, d2 = dice_of(due)
            key, squares_taken, _ = make(key, squares_taken, track, doubles, gate, d1, d2, due > 36, move, None)
        choices[i] += 1
        taken[i] = squares_taken
        keys[i], masks[i], rolls[i] = carry_on(track, doubles, gate, keep, key, squares_taken, streams[i], _I(rolls[i]))
        if masks[i] == 0:
            for k in range(len(seats)):
                rewards[i, k] = 1 if seats[k] == _I(keys[i]) >> 52 & 3 else -1 / (len(seats) - 1)


@lean
def sample_each(masks: Any, choices: Any, lots: Any, stream: Any, out: Any, start: int, stop: int) -> None:
    """A move by lot for each of the games ``start…stop-1``, every one equally likely. ``lots`` and ``stream``: see
    ``drawn.choice_of``."""
    for i in range(start, stop):
        mask = _I(masks[i])
        count = 0
        for move in range(PASS + 1):
            count += mask >> move & 1
        left = 0 if count == 0 else drawn.below(drawn.choice_of(lots, i, stream, _I(choices[i])), count, 0)
        move = 0
        while mask >> move != 0 and (left > 0 or not mask >> move & 1):
            left -= mask >> move & 1
            move += 1
        out[i] = move


@lean
def masks_each(masks: Any, out: Any, start: int, stop: int) -> None:
    """The legal moves of the games ``start…stop-1``: bool[n, 6]."""
    for i in range(start, stop):
        for move in range(PASS + 1):
            out[i, move] = _I(masks[i]) >> move & 1 == 1


@kernel
def observe_each(seats: Any, keys: Any, out: Any, start: int, stop: int) -> None:
    """What the seat that chooses sees, the columns of ``columns``: int32[n, 2 k + 5], given as zeros."""
    count = len(seats)
    for i in range(start, stop):
        key = _I(keys[i])
        turn = (key >> 52) & 3
        at = 0
        for k in range(count):
            if seats[k] == turn:
                at = k
        for k in range(count):
            pair = (key >> (12 * _I(seats[(at + k) % count]))) & 4095
            out[i, 2 * k] = pair & 63
            out[i, 2 * k + 1] = pair >> 6
        row = out[i, 2 * count :]
        row[0] = at
        due = key >> 54
        if 0 < due < DUE_OVER:
            d1, d2 = dice_of(due)
            row[1] = d1
            row[2] = d2
            row[3] = due > 36
            row[4] = due > 42 or (due <= 36 and (d1 == d2 or (d1 * d2 == 6 and d1 + d2 == 7)))


def columns(seats: int) -> tuple[str, ...]:
    """The numbers of an observation, from the side of the seat that chooses.

    The horses of the own seat and of the others round the table, the one farther back first: 0 in the stable, 1 … T on the track counted
    from the owner's start, T + 1 … T + 4 the slots. ``seat`` is the index of the own seat; the dice; ``extra`` 1 for an extra choice
    (CN-22); ``again`` 1 if the seat rolls again whatever it chooses (CN-12).
    """
    horses = ["own_back", "own_front"]
    for k in range(1, seats):
        horses += [f"next_{k}_back", f"next_{k}_front"]
    return (*horses, "seat", "die_1", "die_2", "extra", "again")


class CaNguaBatch(Batch):
    """Many games of Cờ cá ngựa. Actions are the moves of ``kernel``: 0 the horse ahead by one die, 1 the same horse by the total or a
    climb, 2 and 3 the same for the horse behind, 4 a horse enters, 5 an extra choice is passed."""

    game: CaNgua
    num_actions = PASS + 1

    def __init__(self, of: Game, n: int, seed: int, seats: tuple[Seat, ...], first: Seat | None, threads: int) -> None:
        super().__init__(of, n, seed, seats, first, threads)
        self.columns = columns(len(seats))
        self._table = tuple(int(seat) for seat in seats)
        self._keys_of_games = np.zeros(n, np.int64)
        self._taken = np.zeros(n, np.int64)
        self._mask_bits = np.zeros(n, np.uint8)
        self._rolls = np.zeros(n, np.int64)
        self._choices = np.zeros(n, np.int64)
        self._streams = np.zeros(n, np.uint64)

    @property
    def _games(self) -> tuple[Any, ...]:
        return self._keys_of_games, self._taken, self._mask_bits, self._rolls, self._choices, self._streams

    @property
    def _seat_array(self) -> npt.NDArray[np.int64]:
        return np.array(self._table, np.int64)

    def _reseed(self) -> None:
        self._each(drawn.streams_each, self._lots, np.uint64(_DICE), self._streams)

    def _begin(self, chosen: npt.NDArray[np.bool_], start: int, stop: int) -> None:
        begin_each(*self.game.numbers, self._seat_array, self._games, self._lots, self._first, chosen, start, stop)

    def _illegal(self, actions: npt.NDArray[np.int64], start: int, stop: int) -> int:
        return int(illegal_each(self._mask_bits, actions, start, stop))

    def _step(self, actions: npt.NDArray[np.int64], rewards: npt.NDArray[np.float32], start: int, stop: int) -> None:
        step_each(*self.game.numbers, self._seat_array, self._games, actions, rewards, start, stop)

    def _sample(self, stream: np.uint64, out: npt.NDArray[np.int64], start: int, stop: int) -> None:
        sample_each(self._mask_bits, self._choices, self._lots, stream, out, start, stop)

    def _masks(self, out: npt.NDArray[np.bool_], start: int, stop: int) -> None:
        masks_each(self._mask_bits, out, start, stop)

    def _observe(self, out: npt.NDArray[np.int32], start: int, stop: int) -> None:
        observe_each(self._seat_array, self._keys_of_games, out, start, stop)

    def _turns(self) -> npt.NDArray[np.int8]:
        """The index of the seat on turn, or of the winner."""
        index = np.zeros(4, np.int8)
        index[list(self._table)] = range(len(self._table))
        turns: npt.NDArray[np.int8] = index[self._keys_of_games >> 52 & 3]
        return turns

    @property
    def current_player(self) -> npt.NDArray[np.int8]:
        return np.where(self.terminated, np.int8(-1), self._turns())

    @property
    def terminated(self) -> npt.NDArray[np.bool_]:
        over: npt.NDArray[np.bool_] = self._mask_bits == 0
        return over

    @property
    def phase(self) -> npt.NDArray[np.int8]:
        return np.where(self.terminated, np.int8(_OVER), np.int8(_MOVE))

    @property
    def simultaneous(self) -> npt.NDArray[np.bool_]:
        return np.zeros(self.n, np.bool_)

    @property
    def winner(self) -> npt.NDArray[np.int8]:
        return np.where(self.terminated, self._turns(), np.int8(-1))

    @property
    def steps(self) -> npt.NDArray[np.int64]:
        return self._choices.copy()

    @property
    def rolls(self) -> npt.NDArray[np.int64]:
        """int64[n]: rolls made in each game."""
        return self._rolls.copy()

    def position(self, i: int) -> CaNguaPosition:
        return CaNguaPosition(self.game, self._table, int(self._keys_of_games[self._number(i)]))

    def action_name(self, i: int, action: int) -> str:
        key = int(self._keys_of_games[self._number(i)])
        if not 0 <= action <= PASS or not int(self._mask_bits[i]) >> action & 1:
            raise BadAction(f"game {i} has no action {action} now", allowed=np.flatnonzero(self.take([i]).legal_action_mask[0]).tolist())
        if action == PASS:
            return PASS_NAME
        track, _, gate, _ = self.game.numbers
        start, end = move_ends(key, track, gate, action)
        return action_names(track)[start][end]

    def _number(self, i: int) -> int:
        if not 0 <= i < self.n:
            raise BadAction(f"there is no game {i}", allowed=(f"0 to {self.n - 1}",))
        return int(i)
