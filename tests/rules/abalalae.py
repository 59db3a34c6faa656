"""Owns positions of Abalala'e as its clause tests write them."""

from __future__ import annotations

from typing import Any

import muang
from muang.games.abalalae import Abalalae
from muang.games.core import Match

__all__ = ["THREES", "Row", "at", "ended", "game", "line"]

Row = list[int]
THREES = [3] * 9


def game(ruleset: str | None = None, **options: Any) -> Abalalae:
    made = muang.game("abalalae", ruleset, **options)
    assert isinstance(made, Abalalae)
    return made


def line(south: dict[int, int] | Row, north: dict[int, int] | Row, pile: int | None = None, rules: str = "turns", **fields: str) -> str:
    """A position's line. Rows as lists, or as hole → seeds; South's pile holds what is left of the 54, or ``pile``, North's the rest."""
    rows = [[row.get(i, 0) for i in range(1, 10)] if isinstance(row, dict) else row for row in (south, north)]
    left = 54 - sum(map(sum, rows))
    piles = (left if pile is None else pile, 0 if pile is None else left - pile)
    more = {"round": "1", "first": "S", "opened": "S", **fields}
    if not {"turn", "race", "over"} & set(more):
        more["turn"] = "S"
    text = [f"{seat}={','.join(map(str, row))}/{held}" for seat, row, held in zip("SN", rows, piles, strict=True)]
    return f"abalalae rules={rules} {' '.join(text)} " + " ".join(f"{key}={value}" for key, value in more.items())


def at(south: dict[int, int] | Row, north: dict[int, int] | Row, pile: int | None = None, rules: str = "turns", **fields: str) -> Match:
    return muang.position(line(south, north, pile, rules, **fields)).start()


def ended(south: int, north: int, rules: str = "pankhurst", **fields: str) -> Match:
    """A round that has just ended with these totals: South's last seed dies in North's N9."""
    return at({9: 1}, {1: 1}, south, rules, **fields).play("S", "S9")
