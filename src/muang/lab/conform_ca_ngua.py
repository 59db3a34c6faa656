"""Owns the reading of Cờ cá ngựa's conformance cases (``tests/vectors/README.md``): plays each through ``Match`` and says what differs.

Finds no files and prints nothing: ``muang conform`` and the tests do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import muang
from muang.errors import RulesError
from muang.games.ca_ngua.match import CaNguaMatch
from muang.games.ca_ngua.position import CaNguaPosition, Place
from muang.games.ca_ngua.rules import CaNgua

__all__ = ["check"]


def check(case: Mapping[str, Any]) -> str | None:
    """None if the product agrees with one case of ``kind`` ``moves`` or ``match``; otherwise one sentence on the first difference."""
    game = muang.game("ca-ngua", **case["rules"])
    assert isinstance(game, CaNgua)
    try:
        if case["kind"] == "moves":
            return _check_moves(game, case)
        if case["kind"] == "match":
            return _check_match(game, case)
    except RulesError as error:
        return f"refused: {error}"
    return f"there is no kind {case['kind']!r} of Cờ cá ngựa case"


def _check_moves(game: CaNgua, case: Mapping[str, Any]) -> str | None:
    seat = case["seat"]
    horses = {int(name): pair for name, pair in case["horses"].items()}
    if sorted(horses) != sorted(case["seats"]):
        return f"seats {case['seats']} but horses of {sorted(horses)}"
    due = CaNguaPosition.build(game, horses, seat).start()
    match = due.roll(tuple(case["dice"]))
    wanted = {f"{move['from']}-{move['to']}": move for move in case["moves"]}
    found = {move.action: move for move in match.moves}
    if set(found) != set(wanted):
        return f"moves {sorted(found)} instead of {sorted(wanted)}"
    if tuple(found) != match.legal(seat):
        return f"legal gives {match.legal(seat)} and moves {tuple(found)}"
    if not wanted:
        return _turn(match, seat, case["rolls_again"])
    for action, move in wanted.items():
        if found[action].kicks != move["kicks"]:
            return f"{action} kicks {found[action].kicks} instead of {move['kicks']}"
        after = match.play(seat, action)
        if _sorted(after) != _unordered(move["after"].items()):
            return f"after {action}: {after.view()['horses']} instead of {move['after']}"
        if (after.result is not None) != move["wins"]:
            return f"{action} {'wins' if after.result else 'does not win'}"
        if after.result is None and (differs := _turn(after, seat, case["rolls_again"])):
            return f"after {action}: {differs}"
    return None


def _turn(match: CaNguaMatch, seat: int, again: bool) -> str | None:
    if match.phase != "roll" or (match.turn == seat) != again:
        return f"phase {match.phase} of seat {match.turn}, but seat {seat} {'rolls again' if again else 'has had its turn'}"
    return None


def _check_match(game: CaNgua, case: Mapping[str, Any]) -> str | None:
    seats = tuple(case["seats"])
    match = game.start(seats=seats, first=seats[0])
    for number, (seat, what, *rest) in enumerate(case["log"], 1):
        here = f"entry {number}"
        if match.result is not None:
            return f"{here}: the game is over already"
        if what == "leave":
            match = match.leave(seat)
            continue
        if match.turn != seat or match.phase != "roll":
            return f"{here}: phase {match.phase} of seat {match.turn}, but seat {seat} should roll"
        match = match.roll(tuple(what))
        if rest[0] is None:
            if (seat, "no-move") not in match.events:
                return f"{here}: {match.legal(seat)} are possible, but no move should be"
        else:
            action = f"{rest[0][0]}-{rest[0][1]}"
            if action not in match.legal(seat):
                return f"{here}: {action} is not among {match.legal(seat)}"
            match = match.play(seat, action)
    if match.result is None or match.result.winner != case["winner"]:
        return f"winner {match.result and match.result.winner} instead of {case['winner']}"
    if _sorted(match) != _unordered(case["horses"].items()):
        return f"horses {match.view()['horses']} instead of {case['horses']}"
    return None


def _sorted(match: CaNguaMatch) -> dict[str, list[str]]:
    return _unordered((str(seat), pair) for seat, pair in match.position.horses.items())


def _unordered(horses: Iterable[tuple[str, Sequence[Place]]]) -> dict[str, list[str]]:
    """A seat's two horses are not told apart, so neither is their order."""
    return {seat: sorted(map(str, pair)) for seat, pair in horses}
