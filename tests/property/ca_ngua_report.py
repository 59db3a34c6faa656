"""What kernels and batches of Cờ cá ngựa compute, as one text: run in processes with and without compilation, it must be the same."""

from __future__ import annotations

import json
import sys

import numpy as np

import muang
from muang.games import lots
from muang.games._jit import compiled
from muang.games.ca_ngua import batch, kernel
from muang.games.ca_ngua.rules import CaNgua

RULES = (
    {},
    {"doubles": "total", "track": 52},
    {"doubles": "extra", "keep_repeat": False},
    {"gate": "climb", "track": 48},
    {"gate": "jump", "doubles": "extra"},
)


def walk(game: CaNgua, seats: tuple[int, ...], steps: int) -> list[object]:
    """Random keys of one long walk, each with its mask and the trace that led to it."""
    numbers = game.numbers
    start = key = game.start(seed=1, seats=seats).position.key
    told: list[object] = []
    for i in range(steps):
        trace = np.zeros((kernel.TRACE_ROWS, 4), np.int16)
        mask = kernel.moves(key, *numbers[:3])
        if mask:
            moves = [move for move in range(6) if mask >> move & 1]
            move = moves[lots.below(5, "walk", i, len(moves))]
            key, rows = kernel.play(key, *numbers[:3], move, trace)
        elif key >> 54 == kernel.DUE_OVER:
            key, rows = start, 0
        elif i % 97 == 96:
            key, rows = kernel.leave(key, (key >> 52) & 3, trace)
        else:
            key, rows = kernel.roll(key, *numbers, *lots.dice(5, i), trace)
        told.append([int(key), mask, trace[:rows].tolist()])
    return told


def report() -> str:
    parts = []
    for number, options in enumerate(RULES):
        game = muang.game("ca-ngua", **options)
        assert isinstance(game, CaNgua)
        for seats in ((0, 2), (1, 2, 3), (0, 1, 2, 3)):
            winners, lengths, counts = np.zeros(5, np.int8), np.zeros(5, np.int32), np.zeros(len(batch.COUNTS), np.int64)
            batch.random_games(game, (1 << 64) - 1 - number, winners, lengths, counts, start=number, seats=seats)
            parts.append([walk(game, seats, 400), winners.tolist(), lengths.tolist(), counts.tolist()])
    return json.dumps(parts)


if __name__ == "__main__":
    assert not compiled()
    sys.stdout.write(report())
