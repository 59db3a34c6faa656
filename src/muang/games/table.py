"""Owns what a batch of games is to those who use it: its arrays, its checks, its seeds and its threads. Knows no rule.

The shape is that of pgx and other array environments: ``init``, ``step``, ``legal_action_mask``, ``rewards``, ``terminated``. What a game
is stands in its own ``table`` module, which fills the gaps of ``Batch`` with compiled kernels. Work is shared among threads by slices of
games; no result depends on how many there are.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from muang.errors import BadAction, IllegalAction
from muang.games import drawn, lots
from muang.games._jit import compiled
from muang.games.core import Game, Position, Seat

__all__ = ["PHASES", "STREAM", "Batch", "check_seed"]

STREAM = "batch"
PHASES = ("over", "race", "turn", "move")
"""The numbers in ``Batch.phase``, by the names that a match has for them."""
SLICE = 4096
"""Games that are worth a thread's while: a step of so many takes about as long as waking a thread several times."""


class Batch(ABC):
    """``n`` games of one kind side by side, each at a choice of one seat or over. Made by ``muang.batch``.

    Game ``i`` is ``batch.game.start(int(batch.seeds[i]), first=…, seats=…)`` at ``lockstep`` with the same choices and the dice of its
    seed (``muang.games.lots.dice``), bit for bit, for any number of threads. One step is one choice of the seat in ``current_player``.
    Where both seats of a race choose at once (``simultaneous``), South is asked first and then North, who is shown nothing of South's
    choice. Dice are rolled between choices; a roll without a move is over at once.

    Every array is a new one and yours. In these shapes ``A`` is ``num_actions``, ``k`` the number of seats:

    =====================  ============  ==================================================================================
    ``current_player``     int8[n]       who chooses, as an index into ``seats``; -1 where it is over
    ``legal_action_mask``  bool[n, A]    its legal actions; none where it is over
    ``rewards``            float32[n, k]  of the last step: 1 for the winner, -1 / (k - 1) for others; 0 in a draw and before
    ``terminated``         bool[n]       whether the match is over; it then stands still, whatever ``step`` is given
    ``observation``        int32[n, C]   what the seat that chooses sees; ``columns`` names the C numbers
    ``phase``              int8[n]       a number of ``PHASES``
    ``simultaneous``       bool[n]       both seats choose at once here, and this is the first of them
    ``winner``             int8[n]       an index into ``seats``; -1 for a draw and while it goes on
    ``seeds``              uint64[n]     the seed of each match
    ``steps``              int64[n]      choices made in it
    =====================  ============  ==================================================================================
    """

    num_actions: int
    columns: tuple[str, ...]
    _by_row: ClassVar[frozenset[str]] = frozenset()
    """Arrays that have the games along their second axis."""

    game: Game
    seats: tuple[Seat, ...]

    def __init__(self, of: Game, n: int, seed: int, seats: tuple[Seat, ...], first: Seat | None, threads: int) -> None:
        self.game, self.n, self.seats, self.threads = of, n, seats, threads
        self._first = -1 if first is None else seats.index(first)
        self.seed = seed
        self.episodes = np.zeros(n, np.int64)
        self._keys = np.zeros(n, np.uint64)
        self.rewards: npt.NDArray[np.float32] = np.zeros((n, len(seats)), np.float32)

    # ---------------------------------------------------------------- beginning
    def init(self, seed: int | None = None) -> None:
        """All games anew, from ``seed`` or from the batch's own. The same seed gives the same games."""
        self.seed = self.seed if seed is None else check_seed(seed)
        with np.errstate(over="ignore"):
            drawn.keys_of(np.uint64(lots.stream_key(self.seed, STREAM)), self._keys)
        self.episodes[:] = 0
        self._start(np.ones(self.n, np.bool_))

    def reset(self, mask: npt.ArrayLike | None = None) -> None:
        """New matches, each from the next seed of its game, where ``mask`` (bool[n]) is true; left out, where the match is over."""
        chosen = self.terminated if mask is None else np.array(mask)
        if chosen.dtype != np.bool_ or chosen.shape != (self.n,):
            raise BadAction(f"the mask is {chosen.dtype}{list(chosen.shape)}", allowed=(f"bool[{self.n}]",))
        self.episodes += chosen
        self._start(chosen)

    def _start(self, chosen: npt.NDArray[np.bool_]) -> None:
        self._each(self._begin, chosen)
        self.rewards = np.zeros((self.n, len(self.seats)), np.float32)

    @property
    def _lots(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
        """Where the seeds of each game come from, as ``drawn.seed_of`` takes it."""
        return self._keys, self.episodes

    # ---------------------------------------------------------------- going on
    def step(self, actions: npt.ArrayLike) -> npt.NDArray[np.float32]:
        """One choice in every game that is not over: ``actions`` int[n], numbers below ``num_actions``. Gives ``rewards``.

        ``BadAction`` for another shape or kind of array; ``IllegalAction`` names the first game whose action is not legal, and nothing has
        changed.
        """
        given = np.asarray(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise BadAction(f"actions are {given.dtype}{list(given.shape)}", allowed=(f"whole numbers, [{self.n}]",))
        chosen = np.array(given, np.int64)
        wrong = [i for i in self._each(self._illegal, chosen) if i >= 0]
        if wrong:
            self._refuse(min(wrong), int(chosen[min(wrong)]))
        rewards = np.zeros((self.n, len(self.seats)), np.float32)
        self._each(self._step, chosen, rewards)
        self.rewards = rewards
        return rewards

    def _refuse(self, i: int, action: int) -> None:
        legal = [f"{a} ({self.action_name(i, a)})" for a in np.flatnonzero(self.take([i]).legal_action_mask[0]).tolist()]
        raise IllegalAction(f"game {i} cannot play action {action} at {str(self.position(i))!r}", allowed=legal)

    def sample(self, seed: int = 0) -> npt.NDArray[np.int64]:
        """A legal action for every game, all equally likely; 0 where it is over. Cheaper than using the mask.

        The lot is drawn from ``seed``, the match and the number of its choice: asked again at the same choice, it is the same.
        """
        out = np.zeros(self.n, np.int64)
        self._each(self._sample, np.uint64(lots.stream_key(check_seed(seed), "sample")), out)
        return out

    def take(self, games: npt.ArrayLike, seed: int | None = None) -> Batch:
        """A batch of copies of these games (int[m], the same one as often as wanted): to look ahead, this one does not change.

        A copy rolls the dice that its original would roll; give a ``seed`` for others, so that a search does not know what is to come.
        """
        index = np.asarray(games)
        if index.ndim != 1 or not len(index) or index.dtype.kind not in "iu" or int(index.min()) < 0 or int(index.max()) >= self.n:
            raise BadAction("games to take are a list of their numbers", allowed=(f"0 to {self.n - 1}",))
        copy = object.__new__(type(self))
        for name, value in vars(self).items():  # ``np.take`` keeps the order of memory: for another, kernels would be compiled anew
            if name in self._by_row:
                value = np.take(value, index, axis=1)
            elif isinstance(value, np.ndarray) and len(value) == self.n:
                value = np.take(value, index, axis=0)
            setattr(copy, name, value)
        copy.n = len(index)
        if seed is not None:
            copy.seed = check_seed(seed)
            with np.errstate(over="ignore"):
                drawn.keys_of(np.uint64(lots.stream_key(copy.seed, STREAM)), copy._keys)
            copy._reseed()
        return copy

    def __copy__(self) -> Batch:
        return self.take(np.arange(self.n))

    def _reseed(self) -> None:  # noqa: B027  a game without dice has nothing to do
        """The seeds of the games have changed: lots still to be drawn come from them."""

    def _each(self, work: Callable[..., Any], *arrays: Any) -> list[Any]:
        """``work(*arrays, start, stop)`` for slices of the games, in as many threads as there are."""
        parts = max(1, min(self.threads, self.n // SLICE)) if compiled() else 1
        if parts == 1:
            with np.errstate(over="ignore"):  # uncompiled kernels wrap around on purpose too
                return [work(*arrays, 0, self.n)]
        edges = [self.n * k // parts for k in range(parts + 1)]
        others = [_pool(self.threads).submit(work, *arrays, edges[k], edges[k + 1]) for k in range(1, parts)]
        return [work(*arrays, edges[0], edges[1]), *(other.result() for other in others)]

    # ---------------------------------------------------------------- what stands
    @property
    def seeds(self) -> npt.NDArray[np.uint64]:
        """The seed of each match: lot ``episodes[i]`` of a stream of lots that begins at lot ``i`` of the batch's stream."""
        out = np.zeros(self.n, np.uint64)
        self._each(drawn.seeds_each, self._lots, out)
        return out

    @property
    def legal_action_mask(self) -> npt.NDArray[np.bool_]:
        """bool[n, A]: what ``current_player`` may choose."""
        out = np.zeros((self.n, self.num_actions), np.bool_)
        self._each(self._masks, out)
        return out

    @property
    def observation(self) -> npt.NDArray[np.int32]:
        """int32[n, C]: what the seat that chooses sees, the numbers that ``columns`` names."""
        out = np.zeros((self.n, len(self.columns)), np.int32)
        self._each(self._observe, out)
        return out

    def action_number(self, i: int, action: str) -> int:
        """The number of one of game ``i``'s legal actions by the name that a match has for it. ``IllegalAction`` lists them."""
        numbers = np.flatnonzero(self.take([i]).legal_action_mask[0]).tolist()
        names = {self.action_name(i, number): number for number in numbers}
        if action not in names:
            raise IllegalAction(f"game {i} has no action {action!r} now", allowed=names)
        return names[action]

    @property
    @abstractmethod
    def current_player(self) -> npt.NDArray[np.int8]:
        """int8[n]: an index into ``seats``, -1 where it is over."""

    @property
    @abstractmethod
    def terminated(self) -> npt.NDArray[np.bool_]:
        """bool[n]: the match is over."""

    @property
    @abstractmethod
    def phase(self) -> npt.NDArray[np.int8]:
        """int8[n]: a number of ``PHASES``."""

    @property
    @abstractmethod
    def simultaneous(self) -> npt.NDArray[np.bool_]:
        """bool[n]: both seats choose at once, and the first of them is asked."""

    @property
    @abstractmethod
    def winner(self) -> npt.NDArray[np.int8]:
        """int8[n]: an index into ``seats``; -1 for a draw and while it goes on."""

    @property
    @abstractmethod
    def steps(self) -> npt.NDArray[np.int64]:
        """int64[n]: choices made in each match."""

    @abstractmethod
    def position(self, i: int) -> Position:
        """Game ``i`` as a position, the one that its match has."""

    @abstractmethod
    def action_name(self, i: int, action: int) -> str:
        """What a match calls action ``action`` of game ``i``'s ``current_player``: ``S3``, ``12-19``."""

    # the games' own parts; each works on games start … stop - 1
    @abstractmethod
    def _begin(self, chosen: npt.NDArray[np.bool_], start: int, stop: int) -> None: ...
    @abstractmethod
    def _illegal(self, actions: npt.NDArray[np.int64], start: int, stop: int) -> int: ...
    @abstractmethod
    def _step(self, actions: npt.NDArray[np.int64], rewards: npt.NDArray[np.float32], start: int, stop: int) -> None: ...
    @abstractmethod
    def _sample(self, stream: np.uint64, out: npt.NDArray[np.int64], start: int, stop: int) -> None: ...
    @abstractmethod
    def _masks(self, out: npt.NDArray[np.bool_], start: int, stop: int) -> None: ...
    @abstractmethod
    def _observe(self, out: npt.NDArray[np.int32], start: int, stop: int) -> None: ...

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        return f"<{self.n} games of {self.game!r}, seed {self.seed}, {int(self.terminated.sum())} over>"


@lru_cache(maxsize=4)
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="muang-batch")


def check_seed(seed: object) -> int:
    """The seed, if it is one. ``BadAction``."""
    if type(seed) is not int or not 0 <= seed < 1 << 64:
        raise BadAction(f"the seed cannot be {seed!r}", allowed=("0 to 2**64 - 1",))
    return seed
