"""Owns playing a live race between computer players: each chooses and drops when its own time has come. Time is counted, never waited for.

A player's reaction and hand speed are its ``wait_ms``; who is faster gets more steps, as at a board.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from muang.errors import MuangError
from muang.games.core import Match, Seat
from muang.games.sowing.match import SowingMatch
from muang.search.players import Player

__all__ = ["live_race"]

Choose = Callable[[Match, Seat], str]


def live_race(match: Match, players: Mapping[Seat, Player], choices: Counter[Seat], choose: Choose) -> Iterator[Match]:
    """Every state of a race in time up to the first that is none. ``choose`` asks a player; ``choices`` counts what each has chosen.

    Whoever has to act is given its time from the moment it can. What has happened meanwhile is seen: a choice is made when it is due.
    """
    due: dict[Seat, int] = {}
    now = _now(match)
    while match.phase == "race":
        for seat in match.to_act:
            if seat not in due:
                due[seat] = now + players[seat].wait_ms(match, seat, match.seed, choices[seat])
        falls = match.next_due
        seat = min(due, key=lambda one: (due[one], str(one))) if due else match.seats[0]
        if seat in due and (falls is None or due[seat] <= falls):
            now = due.pop(seat)
            match = match.at(now)
            if match.phase == "race" and seat in match.to_act:
                match = match.play(seat, choose(match, seat), at=now)
        elif falls is not None:
            now = falls
            match = match.at(now)
        else:
            raise MuangError(f"nobody can act in this race: {match.position}")
        yield match


def _now(match: Match) -> int:
    return (match.ms or 0) if isinstance(match, SowingMatch) else 0
