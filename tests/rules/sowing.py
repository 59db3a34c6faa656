"""Owns what the clause tests of both sowing games ask of a match: its board, and what an action is refused for."""

from __future__ import annotations

from typing import Any

import pytest

from muang.errors import IllegalAction, RulesError
from muang.games.core import Match

__all__ = ["Row", "board", "drops", "refusal"]

Row = list[int | None]
"""Seeds of a row, hole 1 first; None for a widow."""


def drops(match: Match, seat: str = "SN") -> list[str]:
    """Where the seeds of the last transition fell."""
    return [event[2] for event in match.events if event[1] == "drop" and event[0] in seat]


def board(match: Match) -> tuple[Row, Row, int, int]:
    view = match.view()["board"]
    return view["S"], view["N"], view["stores"]["S"], view["stores"]["N"]


def refusal(match: Match, seat: str, action: Any, kind: type[RulesError] = IllegalAction, **more: Any) -> RulesError:
    """The error that an action meets; nothing may have changed."""
    before, log, events = str(match.position), match.log, match.events
    with pytest.raises(kind) as caught:
        match.play(seat, action, **more)
    assert (str(match.position), match.log, match.events) == (before, log, events)
    return caught.value
