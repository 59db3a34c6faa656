"""Owns many matches at once: random matches by the thousand in compiled code, and boards as whole keys.

**Lots of a random match.** Match ``g`` of a batch with ``seed`` starts xorshift64* at ``lots.draw(seed, "sowing-batch", g)`` (1
if that is 0) and takes its choices from it as ``fast.choose`` says: first who is ``first``, among S and N; then in a lockstep race
one hole whenever a choice falls due (South's before North's if both do), in turns one hole for each walk, counted along the row among
the non-empty holes. In Abalala'e a lot that falls on an endless hole is drawn again among the others. So match ``g`` does not depend on
how many are played, in how many threads, and ``Match`` plays the same one step by step.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from muang.errors import BadAction
from muang.games import lots
from muang.games._jit import kernel
from muang.games.sowing import lockstep, rounds
from muang.games.sowing.fast import choose, fixed_race, loop_turns, row_turns, step
from muang.games.sowing.game import SowingGame
from muang.games.sowing.kernel import legal_mask, row_mask, turn
from muang.games.sowing.layout import PLACES
from muang.games.sowing.simd import laps, select_table, width

__all__ = ["CHUNK", "COLUMNS", "Tables", "Totals", "pack", "perft", "random_matches", "simulate", "stream", "unpack"]

CHUNK = 4096
"""Matches per call of the kernel in ``simulate``: what memory holds, however many are played."""

COLUMNS = ("winner", "first", "rounds", "choices", "turns", "drops", "south", "north")
"""What is kept of each match: ``winner`` 0 South, 1 North, 2 draw; seeds of both at the end."""


@dataclass(frozen=True)
class Tables:
    """What the batch kernels read of a game beside its rules; one pattern of widows after the other (see ``pattern_of``)."""

    add: NDArray[np.uint8]
    last: NDArray[np.uint8]
    gain: NDArray[np.uint8]
    select: NDArray[np.uint8]
    counts: NDArray[np.uint8]
    wide: bool


@lru_cache(maxsize=8)
def tables(game: SowingGame) -> Tables:
    """The tables of a game, all the patterns of widows that its rounds can have: none, 1…n of South's, 1…n of North's."""
    layout = game.layout
    skip = bool(game.options.get("skip_origin"))
    masks = [0]
    if game.name == "mak-khum":
        for seat in (0, 1):
            own = layout.own(seat)
            for closed in range(1, layout.holes + 1):
                holes = own[layout.holes - closed :] if game.limits[rounds.NEAR] else own[:closed]
                masks.append(sum(1 << p for p in holes))
    size = PLACES if game.name == "abalalae" else width(layout)
    triples = [laps(layout, skip, mask, size) for mask in masks]
    counts = np.array([mask.bit_count() for mask in range(1 << layout.holes)], np.uint8)
    add, last, gain = (np.concatenate(column) for column in zip(*triples, strict=True))
    return Tables(add, last, gain, select_table(layout.holes), counts, size == PLACES)


@kernel
def pattern_of(holes: int, widows: int) -> int:
    """The number of a pattern of widows in ``tables``; one seat at most has any."""
    closed = 0
    for place in range(2 * holes + 2):
        closed += widows >> place & 1
    return closed + holes if closed and widows >> (holes + 1) else closed


@kernel
def race(rules: Any, board: Any, first: int, widows: int, state: Any) -> tuple[int, int, int, int]:
    """A lockstep race with random choices. Gives (the seat that moves first afterwards or -1, choices, drops, who stepped first)."""
    if rules[0]["race_mode"] == 2:
        saved = board.copy()
        died, drops = fixed_race(rules, board, first)
        if died >= 0:
            return died, 0, drops, first
        board[:] = saved
    race_state, hands = lockstep.new_race(first), np.zeros((2, 3), np.int64)
    if rules[0]["race_mode"] == 2:
        won, _ = lockstep.walk_out(rules, board, hands, race_state, widows, None, 0)
        return won, 0, int(race_state[lockstep.STEPS]), first
    choices = 0
    while True:
        due, _ = lockstep.run(rules, board, hands, race_state, widows, 1 << 62, None, 0)
        if due == 0:
            break
        for seat in range(2):
            if due >> seat & 1:
                mask = row_mask(rules, board, seat)
                total = 0
                for i in range(16):
                    total += mask >> i & 1
                state[0] = step(state[0])
                k = choose(state[0], total)
                hole = 0
                while k > 0 or not mask >> hole & 1:
                    k -= mask >> hole & 1
                    hole += 1
                race_state[lockstep.PICK + seat] = seat * (rules[0]["holes"] + 1) + hole
                choices += 1
    won = -1
    if rules[0]["race_mode"] == 1:
        won = 0 if race_state[lockstep.DEAD] == 1 else 1
    return won, choices, int(race_state[lockstep.STEPS]) - choices, first


@kernel
def play_out(
    rules: Any,
    limits: Any,
    add: Any,
    last: Any,
    gain: Any,
    select: Any,
    counts: Any,
    wide: bool,
    keys: Any,
    out: Any,
    start: int,
    stop: int,
) -> None:
    """Play the matches ``start…stop-1``: keys uint64[n], out int64[n, 8], a row of ``COLUMNS`` each."""
    holes, each = int(rules[0]["holes"]), int(rules[0]["seeds"])
    loop = rules[0]["cyclic"] != 0
    board, room, state = np.zeros(PLACES, np.uint8), np.zeros((2, PLACES), np.uint8), np.zeros(1, np.uint64)
    for game in range(start, stop):
        state[0] = step(keys[game])
        first = choose(state[0], 2)
        out[game, 1] = first
        choices = turns = drops = 0
        south = north = holes * each
        opened = stepping = first
        number = 0
        winner = rounds.GO_ON
        while winner == rounds.GO_ON:
            number += 1
            widows = rounds.refill(board, loop, limits, holes, each, south, north)
            raced = limits[rounds.RACES] == 2 or (limits[rounds.RACES] == 1 and number == 1)
            if raced:
                if number > 1:
                    stepping = 1 - stepping
                mover, c, d, stepped = race(rules, board, stepping, widows, state)
                choices += c
                drops += d
                opened = mover if loop else stepped
            else:
                mover = first if number == 1 else rounds.opener(limits, south, north, opened)
                opened = mover
            if mover >= 0:
                if loop:
                    c, t, d = loop_turns(
                        rules, add, last, gain, select, counts, board, mover, limits[rounds.QUIET], state, room, -1, 1 << 62
                    )
                else:
                    c, t, d = row_turns(
                        rules, add, last, gain, pattern_of(holes, widows), select, counts, board, mover, state, wide, -1, 1 << 62
                    )
                choices += c
                turns += t
                drops += d
            south = north = 0
            for place in range(holes + 1):
                south += board[place]
                north += board[holes + 1 + place]
            winner, _ = rounds.verdict(limits, loop, holes, each, number, south, north)
        out[game, 0] = winner
        out[game, 2] = number
        out[game, 3] = choices
        out[game, 4] = turns
        out[game, 5] = drops
        out[game, 6] = south
        out[game, 7] = north


def keys_of(seed: int, begin: int, n: int) -> NDArray[np.uint64]:
    """The generator's start of matches ``begin … begin+n-1``."""
    return np.array([lots.draw(seed, "sowing-batch", begin + i) or 1 for i in range(n)], np.uint64)


def random_matches(game: SowingGame, n: int, seed: int = 0, begin: int = 0) -> NDArray[np.int64]:
    """Whole matches at lockstep, every choice at random: int64[n, 8], a row of ``COLUMNS`` each."""
    t = tables(game)
    out = np.zeros((n, len(COLUMNS)), np.int64)
    with np.errstate(over="ignore"):  # uncompiled kernels wrap around on purpose too
        play_out(game.record, game.limits, t.add, t.last, t.gain, t.select, t.counts, t.wide, keys_of(seed, begin, n), out, 0, n)
    return out


@dataclass
class Totals:
    """What a number of matches came to; adds up, so its size does not grow with their number."""

    games: int = 0
    wins: list[int] = field(default_factory=lambda: [0, 0, 0])
    first_wins: int = 0
    sums: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COLUMNS[2:], 0))

    def add(self, rows: NDArray[np.int64]) -> None:
        """Count the rows of ``random_matches``."""
        self.games += len(rows)
        for winner in range(3):
            self.wins[winner] += int((rows[:, 0] == winner).sum())
        self.first_wins += int((rows[:, 0] == rows[:, 1]).sum())
        for i, name in enumerate(COLUMNS[2:], 2):
            self.sums[name] += int(rows[:, i].sum())


def simulate(game: SowingGame, n: int, seed: int = 0, threads: int = 1) -> Totals:
    """Random matches in chunks, on ``threads`` threads; the same totals for any number of threads. ``BadAction`` below 0 matches."""
    if n < 0 or threads < 1:
        raise BadAction(f"cannot play {n} matches on {threads} threads", allowed=("0 or more matches", "1 or more threads"))
    totals = Totals()
    begins = range(0, n, CHUNK)
    with ThreadPoolExecutor(threads) as pool:
        for rows in pool.map(lambda begin: random_matches(game, min(CHUNK, n - begin), seed, begin), begins):
            totals.add(rows)
    return totals


@kernel
def stream_rounds(
    rules: Any, add: Any, last: Any, gain: Any, select: Any, counts: Any, wide: bool, first: int, n: int, state: Any, sums: Any
) -> Any:
    """Random rounds of turns from the full board on one stream. Adds (choices, turns, drops) to ``sums``; gives the checksum."""
    holes, each = int(rules[0]["holes"]), int(rules[0]["seeds"])
    loop = rules[0]["cyclic"] != 0
    board, room = np.zeros(PLACES, np.uint8), np.zeros((2, PLACES), np.uint8)
    check = state[0] & state[0] ^ state[0]  # an unsigned zero
    for _ in range(n):
        if loop:
            rounds.loop_refill(board, holes, each, holes * each, holes * each)
            race(rules, board, first, 0, state)
            c, t, d = loop_turns(rules, add, last, gain, select, counts, board, first, 1 << 40, state, room, -1, 1 << 62)
        else:
            rounds.row_refill(board, holes, each, 0, holes * each, holes * each)
            c, t, d = row_turns(rules, add, last, gain, 0, select, counts, board, first, state, wide, -1, 1 << 62)
        south = 0
        for place in range(holes + 1):
            south += int(board[place])
        check = check * np.uint64(31) + np.uint64(south * 131 + c)
        sums[0] += c
        sums[1] += t
        sums[2] += d
    return check


def stream(game: SowingGame, n: int, state: int) -> tuple[int, NDArray[np.int64]]:
    """``n`` random rounds from the full board, South first, on one stream of xorshift64* that stands at ``state``.

    Gives the checksum of the C reference in ``benchmarks/`` (``31 * sum + 131 * South's seeds + choices``, modulo 2**64) and the sums
    int64[3] of choices, turns and drops. In Abalala'e each round begins with its race.
    """
    t = tables(game)
    sums = np.zeros(3, np.int64)
    with np.errstate(over="ignore"):
        check = stream_rounds(game.record, t.add, t.last, t.gain, t.select, t.counts, t.wide, 0, n, np.array([state], np.uint64), sums)
    return int(check), sums


# -------------------------------------------------------------------- arrays of games
def pack(game: SowingGame, boards: NDArray[np.uint8], seats: NDArray[np.int64], quiet: NDArray[np.int64], widows: NDArray[np.int64]) -> Any:
    """Whole keys of positions between turns: uint64[n, words + 1]. No two positions share a key.

    The first words are the board, a byte a place, lowest first (2 words on boards up to 7 holes, else 4); the last holds the seat on
    turn (bit 0), the quiet count (bits 1…31) and the widows (bits 32…63).
    """
    words = width(game.layout) // 8
    keys = np.empty((len(boards), words + 1), np.uint64)
    keys[:, :words] = np.ascontiguousarray(boards[:, : words * 8]).view("<u8")
    keys[:, words] = seats.astype(np.uint64) | quiet.astype(np.uint64) << np.uint64(1) | widows.astype(np.uint64) << np.uint64(32)
    return keys


def unpack(game: SowingGame, keys: NDArray[np.uint64]) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Boards uint8[n, 32], seats, quiet counts and widows int64[n] of keys."""
    words = width(game.layout) // 8
    boards = np.zeros((len(keys), PLACES), np.uint8)
    boards[:, : words * 8] = np.ascontiguousarray(keys[:, :words].astype("<u8")).view(np.uint8)
    rest = keys[:, words]
    quiet = (rest >> np.uint64(1)) & np.uint64((1 << 31) - 1)
    return boards, (rest & np.uint64(1)).astype(np.int64), quiet.astype(np.int64), (rest >> np.uint64(32)).astype(np.int64)


@kernel
def turn_each(rules: Any, boards: Any, seats: Any, holes: Any, widows: Any, codes: Any) -> None:
    """One walk in each of n games: boards uint8[n, 32], seats, places and widows int64[n]; ``codes`` int64[n] as ``kernel.turn`` gives."""
    for i in range(len(boards)):
        codes[i] = turn(rules, boards[i], seats[i], holes[i], widows[i])


@kernel
def count_leaves(rules: Any, boards: Any, depth: int, level: int, seat: int, mask: int, widows: int) -> int:
    """Leaves of the choices tree: ``boards`` uint8[depth + 1, 32], one a level, the position at ``level``."""
    if level == depth:
        return 1
    total = 0
    base = seat * (rules[0]["holes"] + 1)
    for hole in range(rules[0]["holes"]):
        if mask >> hole & 1:
            boards[level + 1] = boards[level]
            code = turn(rules, boards[level + 1], seat, base + hole, widows)
            if level + 1 == depth:
                total += 1
            elif not code & 0x80000:
                total += count_leaves(rules, boards, depth, level + 1, code >> 16 & 1, code & 0xFFFF, widows)
    return total


def perft(game: SowingGame, cells: list[int], seat: int, widows: int, depth: int) -> int:
    """Leaves of the tree of choices in turns at ``depth``; a walk that rests keeps the move, a round that is over has no further leaves."""
    boards = np.zeros((depth + 1, PLACES), np.uint8)
    boards[0] = game.board(cells)
    mask = legal_mask(game.record, boards[0], np.zeros((2, 3), np.int64), seat, widows)
    return int(count_leaves(game.record, boards, depth, 0, seat, mask, widows))
