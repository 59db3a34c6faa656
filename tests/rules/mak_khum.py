"""Owns positions of Mak Khum as its clause tests write them."""

from __future__ import annotations

from typing import Any

import muang
from muang.games.core import Match
from muang.games.mak_khum import MakKhum
from rules.sowing import Row

__all__ = ["FED", "NONE", "at", "game", "line", "row"]

NONE: Row = [0, 0, 0, 0, 0, 0, 0]
FED = ([0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 3])
"""South's one seed goes to its store; North's three to its store and to South's row."""


def game(ruleset: str | None = None, **options: Any) -> MakKhum:
    made = muang.game("mak-khum", ruleset, **options)
    assert isinstance(made, MakKhum)
    return made


def row(seeds: Row) -> str:
    return ",".join("-" if count is None else str(count) for count in seeds)


def line(south: Row, north: Row, stores: int | tuple[int, int] = 0, rules: str = "turns", **fields: str) -> str:
    """A position's line. ``stores``: South's, and North's holds what is left; or both. ``fields``: South is on turn unless given."""
    held = sum(count or 0 for count in south + north)
    sh, nh = stores if isinstance(stores, tuple) else (stores, 98 - held - stores)
    more = {"round": "1", "first": "S", "opened": "S", **fields}
    if not {"turn", "race", "over"} & set(more):
        more["turn"] = "S"
    words = " ".join(f"{key}={value}" for key, value in more.items())
    return f"mak-khum rules={rules} S={row(south)}/{sh} N={row(north)}/{nh} {words}"


def at(south: Row, north: Row, stores: int | tuple[int, int] = 0, rules: str = "turns", **fields: str) -> Match:
    return muang.position(line(south, north, stores, rules, **fields)).start()
