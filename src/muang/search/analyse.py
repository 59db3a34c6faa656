"""Owns the one way to ask for a good action: ``analyse``. Hands every phase of every game to the search that knows it."""

from __future__ import annotations

from muang.errors import IllegalAction
from muang.games.core import Match, Seat
from muang.search.limits import Info, Limits, OnInfo, Stop, Tables

__all__ = ["analyse"]


def analyse(
    match: Match,
    limits: Limits | None = None,
    on_info: OnInfo | None = None,
    tables: Tables | None = None,
    *,
    seat: Seat | None = None,
    stop: Stop | None = None,
) -> Info:
    """The best actions of a seat, as far as ``limits`` allow; ``on_info`` hears of every step on the way.

    ``seat``: whose choice it is about; left out, the first of ``match.to_act`` (who rolls, where a roll is due). ``tables``: solved
    tables to read. ``stop``: ends the search from another thread; what is known by then is given. ``IllegalAction`` when the seat has
    nothing to choose. Never changes ``match``, never draws a lot that ``limits.seed`` does not decide.
    """
    limits = Limits() if limits is None else limits
    if match.phase == "over":
        raise IllegalAction("the match is over", clause="MK-50")
    if match.game.name == "ca-ngua":
        from muang.search.horses import analyse_horses

        if seat is not None and seat != match.turn:
            raise IllegalAction(f"seat {seat} has nothing to choose", allowed=(match.turn,))
        return analyse_horses(match, limits, on_info, tables, stop)
    if seat is None:
        if not match.to_act:
            raise IllegalAction("nobody has anything to choose now: time has to pass", clause="MK-24")
        seat = match.to_act[0]
    if not match.legal(seat):
        raise IllegalAction(f"seat {seat} has nothing to choose", allowed=match.to_act)
    if match.phase == "race":
        from muang.search.race import analyse_race

        return analyse_race(match, seat, limits, on_info, tables, stop)
    from muang.search.turns import analyse_turns

    return analyse_turns(match, limits, on_info, tables, stop)
