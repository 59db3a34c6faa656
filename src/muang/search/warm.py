"""Owns compiling the kernels before anybody waits for them: a few actions of each game at each pace. Keeps nothing."""

from __future__ import annotations

from muang.games.core import PACES, game
from muang.search.players import player

__all__ = ["warm_up"]


def warm_up() -> None:
    """Play a little of everything that a match can ask for. Takes seconds on a new machine, next to nothing later."""
    horses = game("ca-ngua").start(seed=1)
    for pair in ((3, 3), (1, 2)):
        horses = horses.roll(pair)
        while horses.phase == "move":
            for seat in horses.to_act:
                horses = horses.play(seat, player("greedy").choose(horses, seat, 1, 0))
    horses.leave(0)
    for name, ruleset in (("mak-khum", None), ("mak-khum", "turns"), ("abalalae", None), ("abalalae", "turns")):
        for pace in PACES:
            match = game(name, ruleset).start(seed=1, pace=pace)
            for n in range(6):
                if match.next_due is not None:
                    match = match.at(match.next_due)
                for seat in match.to_act[:1]:
                    match = match.play(seat, player("greedy").choose(match, seat, 1, n))
            str(match.position), match.view(), match.events
