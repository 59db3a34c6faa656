"""Owns lines of play in words: the choices of one turn told together, and what a value means. Owns no search and no translation.

Used wherever an analysis is told to people: the command line, the page's hints. A value is in seeds (own minus other's at the end of the
round) or a chance to win; see ``muang.search.limits``, from which plain numbers come in here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from muang.errors import RulesError
from muang.games.core import Match, Seat
from muang.records.words import Phrase, tell

__all__ = ["by_turn", "said_first", "value_phrase"]


def by_turn(actions: Iterable[tuple[Seat, str]]) -> list[tuple[Seat, tuple[str, ...]]]:
    """The actions of a line, those that a seat makes in a row together: ``[("S", ("S3", "S5")), ("N", ("N1",))]``."""
    turns: list[tuple[Seat, tuple[str, ...]]] = []
    for seat, action in actions:
        if turns and turns[-1][0] == seat:
            turns[-1] = (seat, (*turns[-1][1], action))
        else:
            turns.append((seat, (action,)))
    return turns


def said_first(match: Match, actions: Sequence[tuple[Seat, str]]) -> list[Phrase]:
    """What the first turn of a line does, told as if it had been played; in a race only which hole is lifted, for the rest is open.

    A line that does not fit the match is told as far as it fits.
    """
    phrases: list[Phrase] = []
    for seat, action in actions:
        if seat != actions[0][0]:
            break
        if match.phase == "race":
            return [Phrase("{seat} lifts {hole}.", {"seat": seat, "hole": action})]
        before = match
        try:
            match = before.play(seat, action)
        except RulesError:
            break
        phrases += tell(before, match)
        if match.phase != before.phase and match.phase != "roll":  # the round is over: what follows is another one
            break
    return phrases


def value_phrase(seat: Seat, unit: str, value: float, exact: bool = False, bound: str = "") -> Phrase:
    """What a value means to ``seat``. ``unit``: ``seeds`` or ``chance``; ``bound``: ``lower``, ``upper`` or empty."""
    if unit == "chance":
        args = {"seat": seat, "percent": f"{100 * value:.1f}"}
        if exact:
            return Phrase("{seat} wins in {percent} of 100 matches with best play. This is exact.", args)
        return Phrase("{seat} wins in about {percent} of 100 matches.", args)
    # the seeds of a board are even in number, so differences are too; an average is told as the nearest that can be
    count = abs(round(value)) if exact or bound else 2 * abs(round(value / 2))
    args = {"seat": seat, "count": str(count)}
    if exact and not bound:
        return _exact(args, count, value)
    if bound == "lower" and value > 0:
        return Phrase("{seat} ends the round at least {count} seeds ahead.", args)
    if bound == "upper" and value < 0:
        return Phrase("{seat} ends the round at least {count} seeds behind.", args)
    if count == 0:
        return Phrase("Both end the round with about the same number of seeds.", args)
    if value > 0:
        return Phrase("{seat} ends the round about {count} seeds ahead, as far as can be seen.", args)
    return Phrase("{seat} ends the round about {count} seeds behind, as far as can be seen.", args)


def _exact(args: Mapping[str, object], count: int, value: float) -> Phrase:
    if count == 0:
        return Phrase("With best play both end the round with the same number of seeds. This is exact.", args)
    if value > 0:
        return Phrase("{seat} ends the round {count} seeds ahead with best play. This is exact.", args)
    return Phrase("{seat} ends the round {count} seeds behind with best play. This is exact.", args)
