"""A trace that is folded step by step ends where the rules say, in every game at every pace."""

from __future__ import annotations

import random
from typing import Any

import pytest

from muang.games.core import PACES, Match, game, position
from muang.tui.fold import Board, ticks

GAMES = [
    ("mak-khum", "trang", {}),
    ("mak-khum", "songkhla", {"holes": 5, "seeds": 4}),
    ("mak-khum", "congkak", {}),
    ("abalalae", "pankhurst", {"max_rounds": 3}),
    ("abalalae", "courlander", {"columns": 4, "race": "none"}),
]


def onwards(match: Match, lots: random.Random) -> Match:
    """One more thing that happens: a choice, a drop, a roll, or time."""
    if match.phase == "roll":
        return match.roll((lots.randint(1, 6), lots.randint(1, 6)))
    due = match.next_due
    if due is not None and (not match.to_act or lots.random() < 0.7):
        return match.at(due)
    seat = lots.choice(match.to_act)
    legal = match.legal(seat)
    return match.play(seat, "drop" if "drop" in legal and lots.random() < 0.9 else lots.choice(legal))


def folded(board: Board, events: Any, before: dict[str, Any], after: dict[str, Any]) -> Board:
    for tick in ticks(events, before, after):
        assert tick.ms >= 0
        tick.do(board)
    return board


@pytest.mark.parametrize("pace", PACES)
@pytest.mark.parametrize(("name", "ruleset", "options"), GAMES, ids=lambda value: str(value) if isinstance(value, str) else "")
def test_a_sowing_trace_folds_to_the_view_after_it(name: str, ruleset: str, options: dict[str, Any], pace: str) -> None:
    lots = random.Random(f"{name} {ruleset} {pace}")
    match = game(name, ruleset, **options).start(lots.randrange(1 << 60), pace=pace)
    board = Board()
    board.show(match.view())
    seen = 0
    for _ in range(400):
        if match.phase == "over":
            break
        before, match = match.view(), onwards(match, lots)
        after = match.view()
        folded(board, match.events, before, after)
        told = Board()
        told.show(after)
        kinds = {event[1] for event in match.events}
        if not (kinds & {"round"} and kinds & {"sweep"} and after["phase"] == "over"):
            assert board.counts == told.counts, match.events
            assert {seat: hand for seat, hand in board.hands.items() if hand} == {seat: hand for seat, hand in told.hands.items() if hand}
            seen += len(match.events)
        board.show(after)
    assert seen > 100


def test_horses_keep_their_numbers() -> None:
    lots = random.Random(7)
    match = game("ca-ngua").start(3, seats=(0, 1, 2, 3))
    board = Board()
    board.show(match.view())
    kicked = 0
    while match.phase != "over":
        before = match.view()
        stood = {seat: list(places) for seat, places in board.horses.items()}
        match = onwards(match, lots)
        after = match.view()
        folded(board, match.events, before, after)
        for seat, places in after["horses"].items():
            assert sorted(map(str, board.horses[seat])) == sorted(map(str, places)), match.events
            moved = sum(one != two for one, two in zip(stood[seat], board.horses[seat], strict=True))
            assert moved <= 1  # no other horse has changed its number with it
        kicked += sum(event[1] == "kick" for event in match.events)
        board.show(after)
    assert kicked > 1


def test_the_last_move_is_marked() -> None:
    match = game("mak-khum", "turns").start(1, first="S")
    board = Board()
    board.show(match.view())
    before, match = match.view(), match.play("S", "S3")
    folded(board, match.events, before, match.view())
    mark = board.marks["S"]
    taken = {event[2]: event[3] for event in match.events if event[1] == "capture"}
    assert (mark.start, mark.lifted, mark.taken) == ("S3", 7, taken)
    assert mark.end == [event[2] for event in match.events if event[1] in ("drop", "lift")][-1]
    before, match = match.view(), match.play("N", match.legal("N")[0])
    folded(board, match.events, before, match.view())
    assert set(board.marks) == {"N"}  # a new turn begins new marks


def test_no_trace_lasts_too_long() -> None:
    """The longest known walk: 947 drops in 149 laps (MK-55)."""
    line = "mak-khum rules=turns round=1 first=S opened=S S=10,7,3,15,8,11,14/0 N=5,0,1,2,8,10,4/0 turn=S"
    match = position(line).start(1)
    after = match.play("S", "S6")
    assert sum(event[1] == "drop" for event in after.events) == 947
    assert sum(tick.ms for tick in ticks(after.events, match.view(), after.view())) == pytest.approx(24_000)
