"""Owns many games of Cờ cá ngựa at once: random games by the million, and steps on arrays of keys. The rules are ``kernel``'s.

**Lots of a random game.** Game ``g`` of a batch with ``seed`` has the key ``lots.draw(seed, "ca-ngua-batch", g)``, and its lot ``j``
(from 0) is ``mix(key + (j + 1) * GOLDEN)``: SplitMix64 by position, as ``games/lots`` describes it. A lot gives a number ``r`` below
2160 = 36 · 60 from its high 32 bits by multiplication with rejection (a rejected lot is replaced by ``mix`` of itself). ``r // 60`` is
a pair of dice, ``r % 60`` a choice: number ``r % 60 % n`` of ``n`` things, exactly even because 1 to 6 divide 60. Lot 0 chooses who
rolls first; then every roll takes one lot, for its dice and for the choice of its move, and every extra choice (CN-22) one more.
Moves are numbered in the order of CN-40, a pass last. So game ``g`` does not depend on how many games are played or in how many threads,
and ``lot`` lets anybody play it again by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

import numpy as np
import numpy.typing as npt

from muang.errors import BadAction
from muang.games import lots
from muang.games._jit import compiled, kernel
from muang.games.ca_ngua.kernel import DUE_OVER, ENTER, PASS, due_next, extra_moves, make, moves, no_move, play, roll, roll_moves, seen
from muang.games.ca_ngua.rules import DEFAULT_SEATS, CaNgua, check_seats
from muang.games.drawn import mix as _mix

__all__ = ["CHUNK", "COUNTS", "Totals", "lot", "moves_of", "play_each", "random_games", "roll_each", "simulate"]

COUNTS = ("rolls", "no_moves", "moves", "entries", "kicks", "repeats", "extras", "passes", "first_wins")
"""What ``random_games`` counts, in this order. ``no_moves``: rolls whose move was impossible; ``moves``: without passes; ``repeats``:
rolls by the seat that rolled last; ``extras``: extra choices (CN-22), passes among them; ``first_wins``: games won by who rolled first."""
ROLLS, NO_MOVES, MOVES, ENTRIES, KICKS, REPEATS, EXTRAS, PASSES, FIRST_WINS = range(len(COUNTS))

CHUNK = 4096
"""Games per call of the kernel in ``simulate``: what memory holds, however many games are played."""

STREAM = "ca-ngua-batch"
# kernels mix no signed with unsigned numbers: Numba would make floats of them; as plain Python both are int
_U: Callable[[Any], Any] = np.uint64 if compiled() else int
_I: Callable[[Any], Any] = np.int64 if compiled() else int
_MASK = (1 << 64) - 1
_GOLDEN = lots.GOLDEN
_LOW = (1 << 32) - 1
_CHOICES = 60
_KINDS = 36 * _CHOICES
_REJECT = (1 << 32) % _KINDS


def lot(seed: int, number: int, j: int) -> tuple[tuple[int, int], int]:
    """Lot ``j`` of game ``number``: a pair of dice and a choice from 0 to 59. The readable form of what the kernel draws."""
    x = lots.mix(lots.draw(seed, STREAM, number) + (j + 1) * _GOLDEN)
    while (x >> 32) * _KINDS & _LOW < _REJECT:
        x = lots.mix(x)
    pair, choice = divmod((x >> 32) * _KINDS >> 32, _CHOICES)
    return (pair // 6 + 1, pair % 6 + 1), choice


@kernel
def _below_2160(x: Any) -> int:
    """A lot as a number below 2160, none favoured."""
    product = (x >> _U(32)) * _U(_KINDS)
    while product & _U(_LOW) < _U(_REJECT):
        x = _mix(x)
        product = (x >> _U(32)) * _U(_KINDS)
    return _I(product >> _U(32))  # type: ignore[no-any-return]


def _picks() -> npt.NDArray[np.int8]:
    """For each mask of moves and each choice from 0 to 59 the move: number ``choice % n`` of the mask's n."""
    table = np.zeros((1 << (PASS + 1), _CHOICES), np.int8)
    for mask in range(1, len(table)):
        bits = [move for move in range(PASS + 1) if mask >> move & 1]
        table[mask] = np.resize(bits, _CHOICES)
    return table


_PICKS = _picks()


@kernel
def _random_games(
    track: int, doubles: int, gate: int, keep: int, seats: Any, stream: Any, start: int, winners: Any, lengths: Any, counts: Any
) -> None:
    """Play games ``start`` … ``start + len(winners) - 1``; see ``random_games``. ``stream``: where the batch's lots begin, uint64."""
    playing = 0
    for i in range(len(seats)):
        playing |= 1 << (48 + _I(seats[i]))
    all_rolls = no_moves = moved = entries = kicks = repeats = extras = passes = first_wins = 0
    for i in range(len(winners)):
        at = _mix((_U(stream) + _U(start + i + 1) * _U(_GOLDEN)) & _U(_MASK))
        at = (at + _U(_GOLDEN)) & _U(_MASK)
        first = _I(seats[_below_2160(_mix(at)) % _CHOICES % len(seats)])
        key = playing | (first << 52)
        taken = 0
        rolls = 0
        last = -1
        d1 = d2 = 0
        due = 0
        while due != DUE_OVER:
            at = (at + _U(_GOLDEN)) & _U(_MASK)
            lot = _below_2160(_mix(at))
            seat = (key >> 52) & 3
            pair = (key >> (12 * seat)) & 4095
            if due == 0:
                d1 = lot // _CHOICES // 6 + 1
                d2 = lot // _CHOICES % 6 + 1
                repeats += seat == last
                last = seat
                rolls += 1
                mask = roll_moves(pair, seen(taken, track, seat), track, doubles, gate, d1, d2)
                if mask == 0:
                    key = no_move(key, taken, track, doubles, gate, keep, d1, d2)
                    due = key >> 54
                    no_moves += 1
                    continue
            else:
                mask = extra_moves(pair, seen(taken, track, seat), track, gate, d1) | (1 << PASS)
                extras += 1
            move = _I(_PICKS[mask, lot % _CHOICES])
            if move == PASS:
                key = due_next(key, seat, due > 42)
                passes += 1
            else:
                key, taken, events = make(key, taken, track, doubles, gate, d1, d2, due != 0, move, None)
                moved += 1
                entries += move == ENTER
                kicks += events - 1
            due = key >> 54
        winner = (key >> 52) & 3
        winners[i] = winner
        lengths[i] = rolls
        all_rolls += rolls
        first_wins += winner == first
        kicks -= 1  # the last move's other event was the win
    counts[ROLLS] += all_rolls
    counts[NO_MOVES] += no_moves
    counts[MOVES] += moved
    counts[ENTRIES] += entries
    counts[KICKS] += kicks
    counts[REPEATS] += repeats
    counts[EXTRAS] += extras
    counts[PASSES] += passes
    counts[FIRST_WINS] += first_wins


def random_games(
    game: CaNgua,
    seed: int,
    winners: npt.NDArray[np.int8],
    lengths: npt.NDArray[np.int32],
    counts: npt.NDArray[np.int64],
    *,
    start: int = 0,
    seats: Sequence[int] = DEFAULT_SEATS[2],
) -> None:
    """Play games number ``start``, ``start + 1``, … of the batch ``seed`` into the caller's arrays, in this thread, without the GIL.

    ``winners`` int8[n] gets the winning seat of each game, ``lengths`` int32[n] its rolls, ``counts`` int64[len(COUNTS)] is added to.
    ``BadAction`` names what is wrong with ``seats``, ``seed`` or the arrays.
    """
    table = np.array(check_seats(tuple(seats)), np.int64)
    for name, array, dtype in (("winners", winners, np.int8), ("lengths", lengths, np.int32), ("counts", counts, np.int64)):
        size = len(COUNTS) if name == "counts" else len(winners)
        if array.dtype != dtype or array.shape != (size,):
            raise BadAction(f"{name} is {array.dtype}{list(array.shape)}", allowed=(f"{np.dtype(dtype)}[{size}]",))
    if not 0 <= seed <= _MASK or start < 0:
        raise BadAction(f"seed {seed} or start {start} is out of range", allowed=("0 to 2**64 - 1", "0 or more"))
    _random_games(*game.numbers, table, _U(lots.stream_key(seed, STREAM)), start, winners, lengths, counts)


@dataclass(frozen=True, slots=True)
class Totals:
    """What came out of many random games."""

    games: int
    wins: dict[int, int]
    """Games won, by seat."""
    counts: dict[str, int]
    """Sums over all games, by the names in ``COUNTS``."""
    shortest: int
    longest: int
    """Rolls of the shortest and the longest game; 0 if there was none."""
    squares: int
    """The sum of the squares of the games' rolls, for the spread."""

    @property
    def mean(self) -> float:
        """Rolls a game."""
        return self.counts["rolls"] / self.games if self.games else 0.0

    @property
    def deviation(self) -> float:
        """Standard deviation of rolls a game."""
        return max(self.squares / self.games - self.mean**2, 0.0) ** 0.5 if self.games else 0.0


class _Sums:
    """The running totals of one thread: buffers for one chunk, and nothing that grows."""

    def __init__(self, game: CaNgua, seed: int, seats: tuple[int, ...]) -> None:
        self.game, self.seed, self.seats = game, seed, seats
        self.winners = np.zeros(CHUNK, np.int8)
        self.lengths = np.zeros(CHUNK, np.int32)
        self.counts = np.zeros(len(COUNTS), np.int64)
        self.wins = np.zeros(4, np.int64)
        self.games = self.shortest = self.longest = self.squares = 0

    def play(self, start: int, games: int) -> None:
        winners, lengths = self.winners[:games], self.lengths[:games]
        random_games(self.game, self.seed, winners, lengths, self.counts, start=start, seats=self.seats)
        if not games:
            return
        self.wins += np.bincount(winners, minlength=4)
        self.shortest = min(self.shortest or int(lengths.max()), int(lengths.min()))
        self.longest = max(self.longest, int(lengths.max()))
        self.squares += int((lengths.astype(np.int64) ** 2).sum())
        self.games += games


def simulate(
    game: CaNgua,
    games: int,
    *,
    seed: int = 0,
    seats: Sequence[int] = DEFAULT_SEATS[2],
    threads: int = 1,
    progress: Callable[[int], object] | None = None,
) -> Totals:
    """Play ``games`` random games, number 0 on, in ``threads`` threads; the totals do not depend on ``threads``.

    ``progress`` is called from this thread with the number of games finished since its last call. Memory is ``threads`` chunks.
    ``BadAction`` if a number is out of range.
    """
    if games < 0 or threads < 1:
        raise BadAction(f"{games} games in {threads} threads cannot be played", allowed=("0 or more games", "1 or more threads"))
    chosen = check_seats(tuple(seats))
    sums = [_Sums(game, seed, chosen) for _ in range(threads)]
    starts = range(0, games, CHUNK)
    if threads == 1:
        for start in starts:
            sums[0].play(start, min(CHUNK, games - start))
            if progress is not None:
                progress(min(CHUNK, games - start))
    else:
        sums[0].play(0, 0)  # compile once, before threads would each wait for it
        _share(sums, starts, games, progress)
    wins = sum((part.wins for part in sums), np.zeros(4, np.int64))
    counts = sum((part.counts for part in sums), np.zeros(len(COUNTS), np.int64))
    played = [part for part in sums if part.games]
    return Totals(
        games=games,
        wins={seat: int(wins[seat]) for seat in chosen},
        counts=dict(zip(COUNTS, map(int, counts), strict=True)),
        shortest=min((part.shortest for part in played), default=0),
        longest=max((part.longest for part in played), default=0),
        squares=sum(part.squares for part in sums),
    )


def _share(sums: list[_Sums], starts: range, games: int, progress: Callable[[int], object] | None) -> None:
    """Let one thread per element of ``sums`` take chunks until none is left; finished chunks are reported from this thread."""
    chunks = iter(starts)  # taking the next of a range is one step of the interpreter, so no two threads get the same
    done: SimpleQueue[int] = SimpleQueue()

    def work(part: _Sums) -> None:
        try:
            for start in chunks:
                size = min(CHUNK, games - start)
                part.play(start, size)
                done.put(size)
        finally:
            done.put(0)

    with ThreadPoolExecutor(len(sums)) as pool:
        futures = [pool.submit(work, part) for part in sums]
        running = len(futures)
        while running:
            size = done.get()
            if size == 0:
                running -= 1
            elif progress is not None:
                progress(size)
        for future in futures:
            future.result()


@kernel
def _moves_of(keys: Any, track: int, doubles: int, gate: int, out: Any) -> None:
    for i in range(len(keys)):
        out[i] = moves(_I(keys[i]), track, doubles, gate)


@kernel
def _roll_each(keys: Any, track: int, doubles: int, gate: int, keep: int, dice: Any, out: Any) -> None:
    for i in range(len(keys)):
        out[i], _ = roll(_I(keys[i]), track, doubles, gate, keep, _I(dice[i, 0]), _I(dice[i, 1]), None)


@kernel
def _play_each(keys: Any, track: int, doubles: int, gate: int, chosen: Any, out: Any) -> None:
    for i in range(len(keys)):
        out[i], _ = play(_I(keys[i]), track, doubles, gate, _I(chosen[i]), None)


def moves_of(game: CaNgua, keys: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
    """For each of n keys (int64[n], see ``kernel``) the mask of moves of the choice that is due, uint8[n]. Trusts the keys."""
    out = np.zeros(len(keys), np.uint8)
    _moves_of(keys, *game.numbers[:3], out)
    return out


def roll_each(game: CaNgua, keys: npt.NDArray[np.int64], dice: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """The n keys after one roll each: ``dice`` is uint8[n, 2]. Trusts that a roll is due everywhere."""
    out = np.zeros(len(keys), np.int64)
    _roll_each(keys, *game.numbers, dice, out)
    return out


def play_each(game: CaNgua, keys: npt.NDArray[np.int64], chosen: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """The n keys after one move each: ``chosen`` holds numbers of moves, uint8[n]. Trusts that each is one of its key's moves."""
    out = np.zeros(len(keys), np.int64)
    _play_each(keys, *game.numbers[:3], chosen, out)
    return out
