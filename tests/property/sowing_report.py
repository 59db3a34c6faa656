"""What kernels and batches of the sowing games compute, as one text: run in processes with and without compilation, it must be the same."""

from __future__ import annotations

import json
import sys
from typing import Any

import muang
from muang.games import lots
from muang.games._jit import compiled
from muang.games.core import Match
from muang.games.sowing import batch

MATCHES: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("mak-khum", "trang", "lockstep", {}),
    ("mak-khum", "congkak", "by_hand", {"holes": 3, "seeds": 5, "max_rounds": 3}),
    ("mak-khum", "songkhla", "steady", {"max_rounds": 2, "widows": "near", "skip_origin": True}),
    ("abalalae", "single", "lockstep", {}),
    ("abalalae", "courlander", "by_hand", {"columns": 2, "seeds": 2, "max_rounds": 3, "race_loser": "stop_lap"}),
)
BATCHES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("mak-khum", "single", {}),
    ("mak-khum", "chongka", {"holes": 9, "seeds": 2}),
    ("abalalae", "pankhurst", {"columns": 2, "seeds": 3, "max_rounds": 3}),
)


def played(match: Match) -> list[Any]:
    """Up to 150 inputs of a random match: what it told, and where it stands."""
    told: list[Any] = []
    for i in range(150):
        if match.phase == "over":
            break
        if not match.to_act:
            due = match.next_due
            assert due is not None
            match = match.at(due)
        else:
            seat = match.to_act[lots.below(5, "seat", i, len(match.to_act))]
            legal = match.legal(seat)
            ms = match.view()["ms"]
            match = match.play(seat, legal[lots.below(5, "hole", i, len(legal))], at=None if ms is None else ms + 100)
        told += match.events
    return [told, str(match.position)]


def report() -> str:
    parts: list[Any] = []
    for name, ruleset, pace, options in MATCHES:
        parts.append(played(muang.game(name, ruleset, **options).start(seed=6, pace=pace)))
    for name, ruleset, options in BATCHES:
        of: Any = muang.game(name, ruleset, **options)
        parts.append(batch.random_matches(of, 4, 2).tolist())
        parts.append(batch.perft(of, of.refill((of.layout.total // 2,) * 2)[0], 0, 0, 2))
    parts.append([int(value) for value in batch.stream(of, 2, 77)[1]])
    return json.dumps(parts)


if __name__ == "__main__":
    assert not compiled()
    assert "numba" not in sys.modules
    sys.stdout.write(report())
