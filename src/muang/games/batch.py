"""Owns ``muang.batch``: how a batch of games is asked for. What it then is stands in ``table``. Free of NumPy until called."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from muang.errors import BadAction
from muang.games.core import Game, Seat
from muang.games.core import game as game_of

if TYPE_CHECKING:
    from muang.games.table import Batch

__all__ = ["MOST_GAMES", "batch"]

MOST_GAMES = 1 << 30


def _whole(name: str, value: object, most: int) -> int:
    if type(value) is not int or not 1 <= value <= most:
        raise BadAction(f"{name} cannot be {value!r}", allowed=(f"1 to {most}",))
    return value


def batch(
    game: str | Game,
    n: int,
    seed: int = 0,
    *,
    ruleset: str | None = None,
    seats: Sequence[Seat] | None = None,
    first: Seat | None = None,
    threads: int | None = None,
    **options: Any,
) -> Batch:
    """``n`` games side by side, ready for their first choice: ``muang.batch("ca-ngua", 4096, seed=7, seats=(0, 1, 2))``. See ``Batch``.

    ``game``: a name, with ``ruleset`` and ``options`` as ``muang.game`` takes them, or a ``Game``. ``seats``: who is at the table in Cờ cá
    ngựa. ``first``: who is first in every game; left out, it is drawn. ``threads``: all cores if left out; results do not depend on it.
    ``BadRuleset`` or ``BadAction`` says what is wrong.
    """
    if isinstance(game, Game):
        if ruleset is not None or options:
            raise BadAction("a Game has its options already", allowed=("a name with options", "a Game without"))
        of = game
    else:
        of = game_of(game, ruleset, **options)
    count = _whole("n", n, MOST_GAMES)
    shares = _whole("threads", threads, 4096) if threads is not None else os.cpu_count() or 1
    if seats is not None and (isinstance(seats, str) or not isinstance(seats, Iterable)):
        raise BadAction(f"the seats cannot be {seats!r}"[:100], clause="CN-2", allowed=("a sequence of seats, such as (0, 1, 2)",))
    table = of.start(seed, first=first, seats=None if seats is None else tuple(seats)).seats
    if of.name == "ca-ngua":
        from muang.games.ca_ngua.table import CaNguaBatch

        made: Batch = CaNguaBatch(of, count, seed, table, first, shares)
    else:
        from muang.games.sowing.table import SowingBatch

        made = SowingBatch(of, count, seed, table, first, shares)
    made.init()
    return made
