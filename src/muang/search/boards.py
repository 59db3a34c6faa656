"""Owns sowing boards as ``turns_kernel`` reads them: packed words, tables of laps, what every choice leads to. Searches nothing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from muang.games.sowing import rounds
from muang.games.sowing.game import SowingGame
from muang.search import turns_kernel as k

__all__ = ["Board", "Packed", "packed"]

TURN_COST = {"mak-khum": 2, "abalalae": 1}
"""Steps of depth that a turn costs (see ``turns_kernel.DEEPEST``)."""

WORTH = {"mak-khum": (155, 25), "abalalae": (130, 10)}
"""How ``estimate`` counts a seed more in the own row, and one in play for being on turn, in 256ths: (own, turn)."""


@dataclass(frozen=True)
class Board:
    """A position between walks, packed: ``words`` as the mover sees it, seeds in play, turns without a capture, the mover's seat."""

    words: tuple[int, int, int, int]
    n: int
    quiet: int
    seat: int


class Packed:
    """A sowing game with one mask of widows, as tables for the kernel (see ``turns_kernel``)."""

    def __init__(self, game: SowingGame, widows: int) -> None:
        layout = game.layout
        holes, total = layout.holes, layout.total
        self.game, self.widows, self.holes = game, widows, holes
        self.bits = min(62 // holes, 8)
        self.wide = total >= 1 << self.bits
        if self.wide:
            self.bits = 8
        rules = game.record[0]
        self.cyclic = bool(rules["cyclic"])
        par = np.zeros(16, np.int64)
        par[k.HOLES], par[k.BITS], par[k.MOST], par[k.WIDE] = holes, self.bits, total + 1, self.wide
        par[k.CYCLIC], par[k.REST_ENDS], par[k.CAPTURE_LAST] = rules["cyclic"], rules["rest_ends"], rules["capture_last"]
        quiet = int(game.limits[rounds.QUIET])
        par[k.LIMIT] = quiet if quiet else 1 << 40
        par[k.SETS] = 2 if widows else 1
        par[k.ONES] = 0 if self.wide else sum(1 << self.bits * i for i in range(holes))
        par[k.TABLE_SEEDS], par[k.CALM] = -1, 1
        par[k.TURN_COST] = TURN_COST[game.name]
        par[k.OWN_WORTH], par[k.TEMPO_WORTH] = WORTH[game.name]
        self.par = par
        self.tab = np.concatenate([self._laps(seat) for seat in range(int(par[k.SETS]))])
        faces = np.full((2 * holes, 2), -1, np.int64)
        for place, faced in enumerate(layout.facing):
            if faced:
                faces[self._field(0, place), : len(faced)] = [self._field(0, hole) for hole in faced]
        self.faces = faces

    def _field(self, seat: int, place: int) -> int:
        """A hole's place as a field of the board as ``seat`` sees it; -1 for a store."""
        layout = self.game.layout
        owner = layout.seat_of(place)
        if place == layout.store(owner):
            return -1
        return place - layout.base(owner) + (0 if owner == seat else self.holes)

    def _at(self, field: int) -> tuple[int, int]:
        """The word (0…3) and the bits to shift by of a field."""
        side, i = divmod(field, self.holes)
        if self.wide:
            return 2 * side + i // 8, 8 * (i % 8)
        return 2 * side, self.bits * i

    def _laps(self, seat: int) -> NDArray[np.int64]:
        """The rows of ``tab`` for the laps of a seat."""
        layout, wide = self.game.layout, self.wide
        most, stride = layout.total + 1, 5 if wide else 3
        skip = bool(self.game.options.get("skip_origin"))
        table = np.zeros((2 * self.holes, most, stride), np.int64)
        walk = [p for p in layout.paths[seat] if not self.widows >> p & 1]
        for place in walk:
            field = self._field(seat, place)
            if field < 0:
                continue
            start = walk.index(place)
            order = walk[start + 1 :] + walk[:start] + ([] if skip else [place])
            if not order:
                continue
            words, stored = [0, 0, 0, 0], 0
            for seeds in range(1, most):
                to = self._field(seat, order[(seeds - 1) % len(order)])
                if to < 0:
                    stored += 1
                    last = k.pack_last(0, 0, stored, 0, 1)
                else:
                    word, shift = self._at(to)
                    words[word] += 1 << shift
                    # kernels name words 0 and 1 (narrow: the mover's, the other's) or 0…3
                    last = k.pack_last(shift, word if wide else word // 2, stored, to * most, 0)
                row = [_signed(w) for w in words]
                table[field, seeds] = [*row, last] if wide else [row[0], row[2], last]
        return table.reshape(-1)

    def pack(self, cells: tuple[int, ...] | list[int], seat: int, quiet: int = 0) -> Board:
        """The board from seeds by place, as ``seat``, who has to choose, sees it."""
        layout = self.game.layout
        words = [0, 0, 0, 0]
        n = 0
        for owner in (seat, 1 - seat):
            for place in layout.own(owner):
                word, shift = self._at(self._field(seat, place))
                words[word] += int(cells[place]) << shift
                n += int(cells[place])
        a, b, c, d = (_signed(w) for w in words)
        return Board((a, b, c, d), n, quiet, seat)

    def kids(self, board: Board) -> list[tuple[str, int, Board | None]]:
        """What every choice leads to: (hole, what the mover gains, the next board), best first as the search would try them.

        The board is None when the round is over: then all that is left is in the gain.
        """
        scratch = np.zeros((k.KIDS, k.KID), np.int64)
        set_ = board.seat if self.widows else 0
        count = k.expand(self.tab, self.par, self.faces, scratch, 0, *board.words, board.quiet, set_, -1, -1)
        found: list[tuple[str, int, Board | None]] = []
        names = self.game.layout.names
        for row in sorted(scratch[:count].tolist(), key=lambda row: -row[k.SCORE]):
            hole = "pass" if row[k.HOLE] == k.PASS else names[self.game.layout.base(board.seat) + row[k.HOLE]]
            if row[k.KIND] == k.OVER:
                found.append((hole, row[k.GAIN], None))
                continue
            same = row[k.KIND] == k.SAME
            quiet = 0 if same or row[k.GAIN] or not self.cyclic else board.quiet + 1
            seat = board.seat if same else 1 - board.seat
            a, b, c, d = row[:4]
            found.append((hole, row[k.GAIN], Board((a, b, c, d), board.n - row[k.GAIN], quiet, seat)))
        return found

    def rows(self, board: Board) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The seeds of South's holes and of North's, hole 1 first."""
        seeds = [k.field_of(*board.words, self.holes, self.bits, int(self.wide), field) for field in range(2 * self.holes)]
        own, other = tuple(seeds[: self.holes]), tuple(seeds[self.holes :])
        return (own, other) if board.seat == 0 else (other, own)


def _signed(word: int) -> int:
    """A word of 64 bits as int64 holds it."""
    word &= (1 << 64) - 1
    return word - (1 << 64) if word >> 63 else word


@lru_cache(maxsize=64)
def packed(game: SowingGame, widows: int) -> Packed:
    """The tables of a game with a mask of widows, kept for the next search."""
    return Packed(game, widows)
