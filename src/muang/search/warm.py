"""Owns compiling the kernels before anybody waits for them: a few actions of each game at each pace, a look ahead in each phase."""

from __future__ import annotations

from muang.games.core import PACES, Match, game
from muang.search.analyse import analyse
from muang.search.limits import Limits
from muang.search.players import player, solved_tables

__all__ = ["warm_up"]


def warm_up() -> None:
    """Play a little of everything that a match can ask for. Takes a minute or two on a new machine, about two seconds later."""
    horses = game("ca-ngua").start(seed=1)
    for pair in ((3, 3), (1, 2)):
        horses = horses.roll(pair)
        while horses.phase == "move":
            for seat in horses.to_act:
                horses = horses.play(seat, player("greedy").choose(horses, seat, 1, 0))
    horses.leave(0)
    _search(game("ca-ngua").start(seed=1).roll((3, 3)))
    _search(game("ca-ngua").start(seed=1, seats=(0, 1, 2)).roll((1, 6)))
    for name, ruleset in (("mak-khum", None), ("mak-khum", "turns"), ("abalalae", None), ("abalalae", "turns")):
        for pace in PACES:
            match = game(name, ruleset).start(seed=1, pace=pace)
            if pace == PACES[0]:
                _search(match)
            for n in range(6):
                if match.next_due is not None:
                    match = match.at(match.next_due)
                for seat in match.to_act[:1]:
                    match = match.play(seat, player("greedy").choose(match, seat, 1, n))
            str(match.position), match.view(), match.events


def _search(match: Match) -> None:
    """A look ahead as levels and hints take it: without tables, and with those there are, which kernels see as another kind of array."""
    analyse(match, Limits(nodes=2_000, memory_mb=1))
    if solved_tables() is not None:
        analyse(match, Limits(nodes=200, memory_mb=1), tables=solved_tables())
