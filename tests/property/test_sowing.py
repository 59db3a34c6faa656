"""Properties of the sowing games that hold on every position and in every match."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import muang
from muang.games import lots
from muang.games.sowing import batch, kernel
from muang.games.sowing.layout import TURN

GAMES = [
    ("mak-khum", None, {}),
    ("mak-khum", "songkhla", {"max_rounds": 4}),
    ("mak-khum", "congkak", {"max_rounds": 3}),
    ("mak-khum", "chongka", {}),
    ("mak-khum", "turns", {"holes": 3, "seeds": 3}),
    ("mak-khum", "turns", {"holes": 9, "seeds": 2, "skip_origin": True}),
    ("mak-khum", None, {"widows": "near", "rounds": 4, "seeds": 4}),
    ("abalalae", None, {"max_rounds": 4}),
    ("abalalae", "courlander", {"max_rounds": 3}),
    ("abalalae", "turns", {"columns": 4, "seeds": 2, "quiet_turns": 20}),
]
seeds = st.integers(0, 2**32)
games = st.sampled_from(GAMES)


def make(choice: tuple[str, str | None, dict[str, Any]]) -> Any:
    name, ruleset, options = choice
    return muang.game(name, ruleset, **options)


def pick(seed: int, i: int, actions: tuple[str, ...]) -> str:
    return actions[lots.below(seed, "test", i, len(actions))]


def walk_through(match: Any, seed: int, most: int = 5000) -> Any:
    """Every match from here to the end, each choice drawn from ``seed``."""
    for i in range(most):
        if match.phase == "over":
            return
        seat = match.to_act[0]
        match = match.play(seat, pick(seed, i, match.legal(seat)))
        yield match
    raise AssertionError("the match has not ended")


def total(match: Any) -> int:
    view = match.view()
    held = sum(hand["seeds"] for hand in view["hands"].values() if hand)
    return held + sum(sum(n or 0 for n in view["board"][seat]) + view["board"]["stores"][seat] for seat in ("S", "N"))


@settings(max_examples=30, deadline=None)
@given(games, seeds)
def test_every_match_ends_with_all_its_seeds_and_its_positions_read_back(choice: Any, seed: int) -> None:
    of = make(choice)
    match = start = of.start(seed=seed)
    for match in walk_through(start, seed):
        assert total(match) == of.layout.total
    assert sum(match.result.seeds.values()) == of.layout.total
    assert str(muang.position(str(match.position))) == str(match.position)


@settings(max_examples=25, deadline=None)
@given(games, seeds)
def test_a_position_read_back_goes_on_alike(choice: Any, seed: int) -> None:
    for i, match in enumerate(walk_through(make(choice).start(seed=seed), seed)):
        if i % 7 == 0 and match.phase != "over" and not match.view()["chosen"]:
            again = muang.position(str(match.position)).start()
            assert str(again.position) == str(match.position)
            assert {seat: again.legal(seat) for seat in ("S", "N")} == {seat: match.legal(seat) for seat in ("S", "N")}


@settings(max_examples=25, deadline=None)
@given(games, seeds)
def test_the_folded_trace_is_the_result(choice: Any, seed: int) -> None:
    of = make(choice)
    index, before = of.layout.index, of.start(seed=seed)
    for match in walk_through(before, seed):
        if before.phase == "turn" and match.phase == "turn" and match.round == before.round:
            board = before._board.copy()
            for who, kind, *rest in match.events:
                if kind == "lift":
                    board[index[rest[0]]] -= rest[1]
                elif kind == "drop":
                    board[index[rest[0]]] += 1
                elif kind == "capture":
                    board[index[rest[0]]] -= rest[1]
                    board[index[f"{who}H"]] += rest[1]
            assert board.tolist() == match._board.tolist()
        before = match


@settings(max_examples=60, deadline=None)
@given(games, seeds)
def test_budget_1_repeated_is_one_call(choice: Any, seed: int) -> None:
    of = make(choice)
    for i, match in enumerate(walk_through(of.start(seed=seed), seed)):
        if match.phase != "turn" or i > 60:
            continue
        seat = 0 if match.turn == "S" else 1
        place = of.layout.index[match.legal(match.turn)[-1]]
        ends = []
        for budget in (1 << 62, 1, 3):
            board, hands, state = match._board.copy(), np.zeros((2, 3), np.int64), kernel.WALKING
            kernel.lift(board, hands, seat, place, None, 0)
            while state == kernel.WALKING:
                state, _, _ = kernel.advance(of.record, board, hands, seat, TURN, budget, match._round.widows, None, 0)
            ends.append((state, board.tolist(), hands[seat, 0]))
        assert ends[0] == ends[1] == ends[2]


@settings(max_examples=25, deadline=None)
@given(games, seeds)
def test_mirrored_seats_give_mirrored_results(choice: Any, seed: int) -> None:
    other = {"S": "N", "N": "S"}
    of = make(choice)
    one, two = of.start(seed=seed, first="S"), of.start(seed=seed, first="N")
    i = 0
    while one.phase != "over":
        seat = one.to_act[0] if len(one.to_act) == 1 else "S"
        assert set(two.to_act) == {other[s] for s in one.to_act}
        action = pick(seed, i, one.legal(seat))
        one, two, i = one.play(seat, action), two.play(other[seat], other[action[0]] + action[1:]), i + 1
    mirrored = {other[s]: n for s, n in two.result.seeds.items()}
    assert dict(one.result.seeds) == mirrored
    assert two.result.winner == (None if one.result.winner is None else other[one.result.winner])


class Stream:
    """The documented generator of a random match (see ``batch``)."""

    def __init__(self, state: int) -> None:
        self.state = state

    def below(self, k: int) -> int:
        x = self.state
        x ^= x >> 12
        x = (x ^ (x << 25)) & lots.MASK
        self.state = x ^ (x >> 27)
        return ((self.state * 0x2545F4914F6CDD1D & lots.MASK) >> 32) * k >> 32


@pytest.mark.parametrize("choice", GAMES, ids=str)
def test_a_match_of_a_batch_is_the_same_match_step_by_step(choice: Any) -> None:
    of = make(choice)
    rows = batch.random_matches(of, 6, seed=9)
    for number, row in enumerate(rows.tolist()):
        stream = Stream(lots.draw(9, "sowing-batch", number) or 1)
        match = of.start(first=("S", "N")[stream.below(2)])
        while match.phase != "over":
            seats = match.to_act if match.phase == "race" else (match.turn,)
            picks = []
            for seat in seats:
                legal = match.legal(seat)
                store = of.layout.index[f"{seat}H"]
                full = [of.layout.names[p] for p in range(store - of.layout.holes, store) if match._board[p]]
                hole = full.pop(stream.below(len(full)))
                while hole not in legal:  # an endless hole is drawn again among the others
                    hole = full.pop(stream.below(len(full)))
                picks.append((seat, hole))
            for seat, hole in picks:
                match = match.play(seat, hole)
        winner = {"S": 0, "N": 1, None: 2}[match.result.winner]
        turns = sum(past["turns"] for past in match.view()["rounds"])
        ours = [winner, ("S", "N").index(match.first), len(match.view()["rounds"]), turns, match.result.seeds["S"], match.result.seeds["N"]]
        assert ours == [row[i] for i in (0, 1, 2, 4, 6, 7)]


@settings(max_examples=20, deadline=None)
@given(seeds, st.sampled_from(["steady", "by_hand"]))
def test_late_inputs_are_as_if_they_had_come_in_order(seed: int, pace: str) -> None:
    """The result of a race depends on the times of its inputs, not on the order in which they arrive."""
    start = muang.game("mak-khum", "songkhla").start(seed=seed, pace=pace, tempo=100, min_gap=50)
    inputs = []
    now = {"S": 0, "N": 7}
    match = start
    for i in range(30):
        seat = ("S", "N")[lots.below(seed, "who", i, 2)]
        now[seat] += 60 + lots.below(seed, "gap", i, 200)
        options = match.legal(seat) if seat in match.to_act else ("drop",)
        inputs.append((seat, pick(seed, i, options), now[seat]))
    shuffled = sorted(inputs, key=lambda item: lots.draw(seed, "order", item[2]))
    ends = []
    for order in (sorted(inputs, key=lambda item: item[2]), shuffled):
        match = start
        for seat, action, ms in order:
            if match.phase == "race":
                match = match.play(seat, action, at=ms)
        if match.phase == "race":
            match = match.at(20_000)
        ends.append(match)
    if all(match.phase == "race" for match in ends):
        assert ends[0]._board.tolist() == ends[1]._board.tolist()
        assert ends[0].view()["hands"] == ends[1].view()["hands"]


def test_an_illegal_action_changes_nothing() -> None:
    match = muang.game("mak-khum", "turns").start(first="S")
    before = str(match.position)
    for seat, action in (("N", "N1"), ("S", "N1"), ("S", "drop"), ("S", "slip"), ("S", "S9"), ("X", "S1")):
        with pytest.raises(muang.RulesError):
            match.play(seat, action)
    assert str(match.position) == before


def test_keys_are_whole() -> None:
    for name in ("mak-khum", "abalalae"):
        of: Any = muang.game(name)
        boards = np.zeros((3, 32), np.uint8)
        for i, match in enumerate(list(walk_through(of.start(seed=1), 1))[5:8]):
            boards[i] = match._board
        seats, quiet, widows = np.array([0, 1, 0]), np.array([0, 5, 99]), np.array([0, 1 << 8, 3])
        keys = batch.pack(of, boards, seats, quiet, widows)
        assert len({tuple(key) for key in keys.tolist()}) == 3
        for ours, back in zip((boards, seats, quiet, widows), batch.unpack(of, keys), strict=True):
            assert ours.tolist() == back.tolist()


PLAIN = """
import sys, muang
from muang.games import lots
out = []
for name, ruleset in (("mak-khum", None), ("abalalae", "single")):
    match = muang.game(name, ruleset).start(seed=4)
    i = 0
    while match.phase != "over":
        seat = match.to_act[0]
        legal = match.legal(seat)
        match = match.play(seat, legal[lots.below(4, "plain", i, len(legal))])
        i += 1
    out.append(str(match.position))
print("numba" in sys.modules, *out, sep="|")
"""


def test_plain_kernels_give_the_same() -> None:
    lines = []
    for jit in ("on", "off"):
        env = {**os.environ, "MUANG_JIT": jit}
        run = subprocess.run([sys.executable, "-c", PLAIN], capture_output=True, text=True, env=env, check=True)
        lines.append(run.stdout.strip().split("|"))
    assert (lines[0][0], lines[1][0]) == ("True", "False")
    assert lines[0][1:] == lines[1][1:]
