"""Matches for the tests of records: whole ones and broken-off ones, of every game at every pace, from a seed."""

from __future__ import annotations

import muang
from muang import Match
from muang.games.lots import below, dice

SMALL = (
    ("mak-khum", {"holes": 3, "seeds": 3}),
    ("mak-khum", {"ruleset": "songkhla", "holes": 3, "seeds": 4, "max_rounds": 3}),
    ("mak-khum", {"ruleset": "congkak", "holes": 4, "seeds": 3, "widows": "near", "max_rounds": 3}),
    ("mak-khum", {"ruleset": "chongka", "skip_origin": True}),
    ("abalalae", {"max_rounds": 2}),
    ("abalalae", {"ruleset": "courlander", "max_rounds": 2, "race_loser": "stop_lap"}),
)
HORSES = ({}, {"doubles": "extra", "keep_repeat": False}, {"ruleset": "gate", "track": 48})


def sowing(name: str, options: dict[str, object], pace: str, seed: int, steps: int = 600) -> Match:
    """A random match of at most ``steps`` inputs. At the live paces inputs come at random times, some late, some impossible."""
    match = muang.game(name, **options).start(seed, pace=pace, tempo=100 + seed % 200, min_gap=20 + seed % 50)
    for n in range(steps):
        if match.result is not None:
            break

        def lot(size: int, what: str, n: int = n) -> int:
            return below(seed, what, n, size)

        if match.phase == "race" and pace != "lockstep":
            now = match.view()["ms"]
            due = match.next_due
            if due is not None and (not match.to_act or lot(2, "wait")):
                match = match.at(due if lot(3, "due") else now + 1 + lot(200, "ms"))
                continue
            seat = match.to_act[lot(len(match.to_act), "seat")]
            legal = match.legal(seat)
            action = "drop" if lot(12, "odd") == 0 else legal[lot(len(legal), "action")]
            match = match.play(seat, action, at=max(0, now + lot(220, "time") - 30))
        else:
            seat = match.to_act[lot(len(match.to_act), "seat")]
            legal = match.legal(seat)
            match = match.play(seat, legal[lot(len(legal), "action")])
    return match


def horses(options: dict[str, object], seats: tuple[int, ...], seed: int, steps: int = 2000) -> Match:
    """A random match of Cờ cá ngựa; with three or four at the table somebody leaves on the way."""
    match = muang.game("ca-ngua", **options).start(seed, seats=seats)
    rolls = 0
    for n in range(steps):
        if match.result is not None:
            break
        if len(seats) > 2 and n == 40 + seed % 50:
            match = match.leave(seats[seed % len(seats)], ("left", "resigned", "flag")[seed % 3])
        elif match.phase == "roll":
            match = match.roll(dice(seed, rolls))
            rolls += 1
        else:
            seat = match.to_act[0]
            legal = match.legal(seat)
            match = match.play(seat, legal[below(seed, "action", n, len(legal))])
    return match
