"""What holds for every position and every game of Cờ cá ngựa."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tracemalloc
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import muang
from muang.errors import BadAction, BadPosition
from muang.games import lots
from muang.games.ca_ngua import batch
from muang.games.ca_ngua.match import CaNguaMatch
from muang.games.ca_ngua.position import CaNguaPosition, pack, unpack
from muang.games.ca_ngua.rules import CaNgua
from property import ca_ngua_report

COMBINATIONS = [
    {"track": track, "doubles": doubles, "gate": gate, "keep_repeat": keep}
    for track, doubles, gate, keep in product((56, 52, 48), ("face", "total", "extra"), ("run_in", "climb", "jump"), (True, False))
    if doubles != "total" or gate == "run_in"
]
PAIRS = list(product(range(1, 7), repeat=2))
S = "stable"


def game(options: dict[str, Any]) -> CaNgua:
    made = muang.game("ca-ngua", **options)
    assert isinstance(made, CaNgua)
    return made


@st.composite
def positions(draw: st.DrawFn) -> CaNguaPosition:
    """Any position that can be built, in any phase, with crowded tracks and lanes as likely as empty ones."""
    of = game(draw(st.sampled_from(COMBINATIONS)))
    track = of.options["track"]
    seats = draw(st.sampled_from(CaNgua.seat_choices))
    crowd = draw(st.integers(1, track))  # horses on squares below this, or near a gate
    places = st.one_of(
        st.just(S), st.integers(0, crowd - 1), st.integers(track - 8, track - 1), st.sampled_from([f"slot{n}" for n in range(1, 5)])
    )
    taken: set[int] = set()
    horses: dict[int, tuple[Any, Any]] = {}
    left = draw(st.lists(st.sampled_from(seats), unique=True, max_size=len(seats) - 2)) if len(seats) > 2 else []
    for seat in seats:
        pair: list[Any] = []
        for _ in range(2):
            place = draw(places)
            square = (place + seat * track // 4) % track if isinstance(place, int) else None
            if seat in left or square in taken or place in pair:
                place, square = S, None
            taken |= {square} if square is not None else set()
            pair.append(place)
        horses[seat] = (pair[0], pair[1])
    turn = draw(st.sampled_from([seat for seat in seats if seat not in left]))
    try:
        position = CaNguaPosition.build(of, horses, turn, left=left)
    except BadPosition:  # somebody has won
        position = (
            CaNguaPosition.build(of, horses, None, left=left)
            if [set(pair) for pair in horses.values()].count({"slot3", "slot4"}) == 1
            else None
        )
    assume(position is not None)
    match = position.start()
    if match.phase == "roll" and draw(st.booleans()):
        match = match.roll(draw(st.sampled_from(PAIRS)))
        if match.phase == "move" and draw(st.booleans()):
            match = match.play(match.to_act[0], draw(st.sampled_from(match.legal(match.to_act[0]))))
    return match.position


def successors(match: CaNguaMatch) -> list[CaNguaMatch]:
    """Every match that one input leads to."""
    if match.phase == "roll":
        after = [match.roll(dice) for dice in PAIRS]
    else:
        after = [match.play(seat, action) for seat in match.to_act for action in match.legal(seat)]
    return after + ([match.leave(seat) for seat in match.position.playing] if match.phase != "over" else [])


@settings(max_examples=250, deadline=None)
@given(positions())
def test_lines_keys_and_views_round_trip(position: CaNguaPosition) -> None:
    line = str(position)
    assert "\n" not in line
    read = muang.position(line)
    assert read == position
    assert str(read) == line
    assert unpack(position.game, pack(position), position.seats) == position
    view = position.view()
    assert json.loads(json.dumps(view)) == view == position.start().view()
    for after in successors(position.start())[:40]:
        assert muang.position(str(after.position)) == after.position


def fold(position: CaNguaPosition, events: tuple[Any, ...]) -> dict[int, set[Any] | list[Any]]:
    """The horses after some events."""
    horses = {seat: list(pair) for seat, pair in position.horses.items()}
    for seat, what, *rest in events:
        if what == "enter":
            horses[seat][horses[seat].index(S)] = rest[0]
        elif what == "step":
            horses[seat][horses[seat].index(rest[0])] = rest[1]
        elif what == "kick":
            horses[rest[0]][horses[rest[0]].index(rest[1])] = S
        elif what == "leave":
            horses[seat] = [S, S]
    return {seat: sorted(map(str, pair)) for seat, pair in horses.items()}


@settings(max_examples=150, deadline=None)
@given(positions())
def test_events_folded_are_the_result(position: CaNguaPosition) -> None:
    match = position.start()
    for after in successors(match):
        assert fold(position, after.events) == {seat: sorted(map(str, pair)) for seat, pair in after.position.horses.items()}
        kinds = [event[1] for event in after.events]
        assert (after.result is not None) == (kinds[-1] == "win")
        assert (kinds[-1] == "no-move") == (kinds[0] == "roll" and after.phase == "roll")
        kicked = [event[2] for event in after.events if event[1] == "kick"]
        if match.phase == "move" and kinds[0] in ("enter", "step"):
            move = next(move for move in match.moves if move.action == after.log[-1].action)
            assert [move.kicks] == (kicked or [None])


@settings(max_examples=100, deadline=None)
@given(positions(), st.integers(1, 3))
def test_rotated_seats_give_rotated_results(position: CaNguaPosition, by: int) -> None:
    def rotated(at: CaNguaPosition) -> CaNguaPosition:
        horses = {(seat + by) % 4: pair for seat, pair in at.horses.items()}
        turn = None if at.turn is None else (at.turn + by) % 4
        left = [(seat + by) % 4 for seat in at.left]
        return CaNguaPosition.build(at.game, horses, turn, dice=at.dice, left=left, extra=at.extra, again=at.again or not at.extra)

    ours, theirs = successors(position.start()), successors(rotated(position).start())
    assert {rotated(match.position) for match in ours} == {match.position for match in theirs}
    if position.turn is not None:
        assert position.start().legal(position.turn) == rotated(position).start().legal((position.turn + by) % 4)


@settings(max_examples=150, deadline=None)
@given(positions())
def test_one_horse_a_square_and_seats_in_turn(position: CaNguaPosition) -> None:
    for after in successors(position.start()):
        at = after.position
        rebuilt = CaNguaPosition.build(
            at.game, at.horses, at.turn, dice=at.dice, left=at.left, extra=at.extra, again=at.again or not at.extra
        )
        assert rebuilt == at
        assert after.legal(position.seats[0]) == () or after.to_act == (position.seats[0],)


def play_by_lots(options: dict[str, Any], seats: tuple[int, ...], seed: int, number: int) -> tuple[CaNguaMatch, dict[str, int]]:
    """Game ``number`` of a batch, by hand through ``Match``."""
    _, choice = batch.lot(seed, number, 0)
    first = seats[choice % len(seats)]
    match = game(options).start(seats=seats, first=first)
    counts = dict.fromkeys(batch.COUNTS, 0)
    j, last = 1, None
    while match.phase != "over":
        turn = match.turn
        dice, choice = batch.lot(seed, number, j)
        j += 1
        if match.phase == "roll":
            counts["rolls"] += 1
            counts["repeats"] += turn == last
            last = turn
            match = match.roll(dice)
            if match.phase == "roll" or match.position.extra:
                counts["no_moves"] += 1
                continue
        else:
            counts["extras"] += 1
        assert turn is not None
        legal = match.legal(turn)
        match = match.play(turn, legal[choice % len(legal)])
        kinds = [event[1] for event in match.events]
        counts["moves"] += kinds[0] != "pass"
        counts["passes"] += kinds[0] == "pass"
        counts["entries"] += kinds[0] == "enter"
        counts["kicks"] += "kick" in kinds
    assert match.result is not None
    counts["first_wins"] += match.result.winner == first
    return match, counts


@pytest.mark.parametrize("seats", [(0, 2), (1, 3), (0, 1, 2), (1, 2, 3), (0, 1, 2, 3)])
def test_batch_games_equal_games_step_by_step(seats: tuple[int, ...]) -> None:
    for seed, options in enumerate(COMBINATIONS):
        n = 2
        winners, lengths, counts = np.zeros(n, np.int8), np.zeros(n, np.int32), np.zeros(len(batch.COUNTS), np.int64)
        batch.random_games(game(options), seed, winners, lengths, counts, start=seed, seats=seats)
        total = np.zeros(len(batch.COUNTS), np.int64)
        for i in range(n):
            match, one = play_by_lots(options, seats, seed, seed + i)
            assert match.result is not None
            assert (winners[i], lengths[i]) == (match.result.winner, match.rolls), (options, i)
            total += list(one.values())
        assert counts.tolist() == total.tolist(), options


def test_lots_of_a_batch_are_even() -> None:
    pairs = np.zeros((7, 7), int)
    choices = np.zeros(60, int)
    for j in range(36_000):
        (d1, d2), choice = batch.lot(3, 1, j)
        pairs[d1, d2] += 1
        choices[choice] += 1
    assert pairs[0].sum() == pairs[:, 0].sum() == 0
    for observed in (pairs[1:, 1:].ravel(), choices):
        expected = 36_000 / len(observed)
        chi = float(((observed - expected) ** 2 / expected).sum())
        assert chi < 2 * len(observed), observed


@pytest.mark.parametrize("options", [options for options in COMBINATIONS if options["track"] == 56])
def test_every_random_match_ends(options: dict[str, Any]) -> None:
    for seats in ((0, 2), (0, 1, 2), (0, 1, 2, 3)):
        totals = batch.simulate(game(options), 400, seed=8, seats=seats)
        assert sum(totals.wins.values()) == totals.games == 400
        assert 0 < totals.shortest < totals.mean < totals.longest < 5000
        assert totals.deviation > 0


def test_threads_change_nothing() -> None:
    chunks = 3 * batch.CHUNK + 7
    told: list[int] = []
    one = batch.simulate(game({}), chunks, seed=2, progress=told.append)
    assert (sum(told), len(told)) == (chunks, 4)
    told.clear()
    three = batch.simulate(game({}), chunks, seed=2, threads=3, progress=told.append)
    assert (sum(told), len(told)) == (chunks, 4)
    assert one == three
    assert batch.simulate(game({}), 0, threads=2) == batch.simulate(game({}), 0)
    assert batch.simulate(game({}), 0).mean == batch.simulate(game({}), 0).deviation == 0


def test_memory_does_not_grow_with_the_number_of_games() -> None:
    peaks = []
    batch.simulate(game({}), 1)
    for chunks in (2, 12):
        tracemalloc.start()
        batch.simulate(game({}), chunks * batch.CHUNK, seed=1)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 10_000


def test_a_batch_refuses_wrong_arrays_and_numbers() -> None:
    good = (np.zeros(3, np.int8), np.zeros(3, np.int32), np.zeros(len(batch.COUNTS), np.int64))
    for place, wrong in (
        (0, np.zeros(3, np.int64)),
        (1, np.zeros(4, np.int32)),
        (2, np.zeros(3, np.int64)),
        (0, np.zeros((3, 1), np.int8)),
    ):
        arrays = list(good)
        arrays[place] = wrong
        with pytest.raises(BadAction):
            batch.random_games(game({}), 1, *arrays)
    for more in ({"seed": -1}, {"seed": 1 << 64}, {"start": -1}, {"seats": (0, 0)}):
        with pytest.raises(BadAction):
            batch.random_games(game({}), more.pop("seed", 1), *good, **more)
    for games, threads in ((-1, 1), (1, 0)):
        with pytest.raises(BadAction):
            batch.simulate(game({}), games, threads=threads)


@pytest.mark.parametrize("options", [{}, {"doubles": "extra", "keep_repeat": False}, {"gate": "climb", "track": 52}])
def test_arrays_of_keys_go_as_single_matches_do(options: dict[str, Any]) -> None:
    of = game(options)
    matches = [of.start(seed=seed, seats=(0, 1, 3)) for seed in range(40)]
    for step in range(150):
        matches = [match if match.phase != "over" else of.start(seed=step) for match in matches]
        keys = np.array([pack(match.position) for match in matches])
        masks = batch.moves_of(of, keys)
        assert masks.tolist() == [sum(1 << number for number in match.position.choices.values()) for match in matches]
        rolling = [i for i, match in enumerate(matches) if match.phase == "roll"]
        moving = [i for i, match in enumerate(matches) if match.phase == "move"]
        dice = [lots.dice(step, i) for i in rolling]
        chosen = {
            i: list(matches[i].position.choices.items())[lots.below(step, "arrays", i, len(matches[i].position.choices))] for i in moving
        }
        rolled = batch.roll_each(of, keys[rolling], np.array(dice, np.uint8).reshape(-1, 2))
        played = batch.play_each(of, keys[moving], np.array([number for _, number in chosen.values()], np.uint8))
        for i, pair in zip(rolling, dice, strict=True):
            matches[i] = matches[i].roll(pair)
        for i, (action, _) in chosen.items():
            matches[i] = matches[i].play(matches[i].to_act[0], action)
        assert rolled.tolist() == [pack(matches[i].position) for i in rolling]
        assert played.tolist() == [pack(matches[i].position) for i in moving]


def test_plain_python_kernels_do_the_same() -> None:
    plain = subprocess.run(
        [sys.executable, str(Path(ca_ngua_report.__file__))],
        env={**os.environ, "MUANG_JIT": "off"},
        check=True,
        capture_output=True,
        text=True,
    )
    assert plain.stdout == ca_ngua_report.report()
    assert plain.stderr == ""
