"""What holds for every position, every event and every match of the two sowing games."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import muang
from muang.errors import RulesError
from muang.games import lots
from muang.games.core import Event, Match
from muang.games.sowing import batch, kernel
from muang.games.sowing.game import SowingGame
from muang.games.sowing.layout import RACE, SPILL, TURN
from property import sowing_report

OTHER = {"S": "N", "N": "S"}
SEEDS = st.integers(0, 2**32)
Choice = tuple[str, str, dict[str, Any]]


@st.composite
def games(draw: st.DrawFn, **fixed: Any) -> SowingGame:
    """Either game with any options, half of the time on a board of another size."""
    some: dict[str, Any] = {}
    if draw(st.booleans()):
        name = "mak-khum"
        values: dict[str, tuple[Any, ...]] = {
            "race": ("round", "opening", "none"), "store_landing": ("again", "end"), "capture_last": (False, True),
            "widows": ("far", "near"), "skip_origin": (False, True), "opener": ("larger", "smaller"),
            "rounds": (1, 2, 3, "until_broke"), "slips": (True, False),
            "max_rounds": (2, 4),
        }  # fmt: skip
        size = {"holes": (3, 3, 1, 2, 5, 9, 10), "seeds": (1, 2, 3, 4, 5, 6, 7)}
    else:
        name = "abalalae"
        values = {
            "track": ("pankhurst", "courlander"), "race": ("opening", "opening", "none"), "race_loser": ("finish", "stop_lap"),
            "race_rounds": ("all", "first"), "quiet_turns": (3, 20, 100), "max_rounds": (1, 2, 4),
        }  # fmt: skip
        size = {"columns": (2, 4, 8), "seeds": (1, 2, 3, 4)}
    for option, allowed in (values | (size if draw(st.booleans()) else {})).items():
        some[option] = draw(st.sampled_from(allowed))
    made = muang.game(name, **(some | {option: value for option, value in fixed.items() if option in values}))
    assert isinstance(made, SowingGame)
    return made


PACE = st.sampled_from([("lockstep", 250, 80), ("steady", 10, 80), ("by_hand", 250, 1)])


def begun(of: SowingGame, seed: int, pace: tuple[str, int, int]) -> Match:
    return of.start(seed=seed, pace=pace[0], tempo=pace[1], min_gap=pace[2])


def walk(match: Match, seed: int, most: int) -> Iterator[Match]:
    """The matches that up to ``most`` random inputs lead to: legal ones, in a live race now and then a void one, or time that passes."""
    for i in range(most):
        if match.phase == "over":
            return
        now = match.view()["ms"]
        if now is None:
            seat = match.to_act[lots.below(seed, "seat", i, len(match.to_act))]
            legal = match.legal(seat)
            match = match.play(seat, legal[lots.below(seed, "action", i, len(legal))])
        elif not match.to_act or (match.pace == "steady" and lots.below(seed, "wait", i, 3)):
            due = match.next_due
            match = match.at(now + 1 + lots.below(seed, "time", i, 40) if due is None else due + lots.below(seed, "time", i, 25))
        else:
            seat = (match.to_act or ("S", "N"))[lots.below(seed, "seat", i, len(match.to_act) or 2)]
            legal = match.legal(seat) if lots.below(seed, "void", i, 12) else ("drop", "slip", f"{seat}1", f"{OTHER[seat]}1")
            match = match.play(seat, legal[lots.below(seed, "action", i, len(legal))], at=now + 1 + lots.below(seed, "gap", i, 2))
        yield match


class Fold:
    """A board and two hands, changed by events alone: what a screen does. After every event all seeds are there."""

    def __init__(self, match: Match) -> None:
        view = match.view()
        self.of: Any = match.game
        self.hands = {seat: hand["seeds"] if hand else 0 for seat, hand in view["hands"].items()}
        self.cells: dict[str, int] = {}
        for seat in "SN":
            self.cells |= {f"{seat}{i}": seeds or 0 for i, seeds in enumerate(view["board"][seat], 1)}
            self.cells[f"{seat}H"] = view["board"]["stores"][seat]
        self.check()

    def check(self) -> None:
        assert sum(self.cells.values()) + sum(self.hands.values()) == self.of.layout.total
        assert min(*self.cells.values(), *self.hands.values()) >= 0

    def take(self, event: Event) -> None:
        seat, kind, *rest = event
        if kind == "lift":
            assert self.hands[seat] == 0
            assert self.cells[rest[0]] == rest[1] > 0
            self.cells[rest[0]], self.hands[seat] = 0, rest[1]
        elif kind == "drop":
            self.cells[rest[0]] += 1
            self.hands[seat] -= 1
        elif kind == "slip":
            self.cells[f"{OTHER[seat]}H"] += 1
            self.hands[seat] -= 1
        elif kind == "capture":
            assert self.cells[rest[0]] == rest[1] > 0
            self.cells[rest[0]] = 0
            self.cells[f"{seat}H"] += rest[1]
        elif kind == "sweep":
            row = [name for name in self.cells if name[0] == seat and name[1:] != "H"]
            assert rest == [f"{seat}H", sum(self.cells[name] for name in row)]
            self.cells |= dict.fromkeys(row, 0)
            self.cells[rest[0]] += rest[1]
        elif kind == "round":
            totals = (self.cells["SH"], self.cells["NH"])
            assert sum(totals) == self.of.layout.total
            self.cells = dict(zip(self.of.layout.names, self.of.refill(totals)[0], strict=True))
        elif kind in ("rest", "die"):
            assert self.hands[seat] == 0
        else:
            assert kind in ("race", "open", "pass", "void", "win"), event
        self.check()

    @property
    def state(self) -> tuple[Any, ...]:
        return self.cells, self.hands


@settings(max_examples=60, deadline=None)
@given(games(), SEEDS, PACE)
def test_seeds_are_conserved_at_every_event_and_the_folded_trace_is_the_result(of: SowingGame, seed: int, pace: Any) -> None:
    match = begun(of, seed, pace)
    for after in walk(match, seed, 60 if pace[0] == "by_hand" else 40):
        fold = Fold(match)
        for event in after.events:
            fold.take(event)
        if after.result is None:
            assert fold.state == Fold(after).state, (str(match.position), after.log[-1])
        else:
            assert {seat: fold.cells[f"{seat}H"] for seat in "SN"} == after.result.seeds
        assert (after.result is not None) == any(event[1] == "win" for event in after.events)
        match = after


@st.composite
def boards(draw: st.DrawFn) -> tuple[SowingGame, Any, int]:
    """A game, a kernel board with all its seeds, rows thin or full, and a mask of widows that hold none."""
    of = draw(games())
    layout = of.layout
    widows = 0
    if of.name == "mak-khum":
        for place in draw(st.sets(st.sampled_from([p for seat in (0, 1) for p in layout.own(seat)]), max_size=layout.holes)):
            widows |= 1 << place
    places = [p for seat in (0, 1) for p in (*layout.own(seat), layout.store(seat)) if not widows >> p & 1]
    seed = draw(SEEDS)
    few = places[: 1 + draw(st.integers(0, len(places) - 1))] if draw(st.booleans()) else places
    board = np.zeros(32, np.uint8)
    for i in range(layout.total):
        board[few[lots.below(seed, "place", i, len(few))]] += 1
    return of, board, widows


@settings(max_examples=120, deadline=None)
@given(boards(), st.sampled_from([TURN, RACE, SPILL]), st.integers(2, 9), st.booleans())
def test_budget_1_repeated_is_one_call(case: Any, phase: int, parts: int, traced: bool) -> None:
    of, start, widows = case
    for seat in (0, 1):
        for place in of.layout.own(seat):
            if not start[place]:
                continue
            ends = []
            for budgets in ([400], [1] * 400, [parts] * (400 // parts) + [400 % parts]):
                board, hands = start.copy(), np.zeros((2, 3), np.int64)
                trace = np.full((2000, 4), -1, np.int16) if traced else None
                n = kernel.lift(board, hands, seat, place, trace, 0)
                state = kernel.WALKING
                captured = 0
                for budget in budgets:
                    if state == kernel.WALKING:
                        state, taken, n = kernel.advance(of.record, board, hands, seat, phase, budget, widows, trace, n)
                        captured += taken
                ends.append((state, captured, n, board.tolist(), hands.tolist(), trace is not None and trace.tolist()))
            assert ends[0] == ends[1] == ends[2]
            assert sum(ends[0][3]) + ends[0][4][seat][1] == of.layout.total


def mirrored(thing: Any) -> Any:
    """The same with South and North exchanged, names of holes included."""
    if isinstance(thing, dict):
        return {mirrored(key): mirrored(value) for key, value in thing.items()}
    if isinstance(thing, (list, tuple)):
        return [mirrored(value) for value in thing]
    if isinstance(thing, str) and re.fullmatch(r"[SN](\d+|H)?", thing):
        return OTHER[thing[0]] + thing[1:]
    return thing


def in_order(events: tuple[Event, ...]) -> list[Any]:
    """Events with what both seats do at once (sweeps; lifts, drops of one moment keep their order) in one order."""
    listed = [list(event) for event in events]
    sweeps = [event for event in listed if event[1] == "sweep"]
    at = listed.index(sweeps[0]) if sweeps else 0
    return [*listed[:at], *sorted(sweeps), *[event for event in listed[at:] if event[1] != "sweep"]]


@settings(max_examples=50, deadline=None)
@given(games(), SEEDS, PACE)
def test_mirrored_seats_give_mirrored_results(of: SowingGame, seed: int, pace: Any) -> None:
    options: dict[str, Any] = {"pace": pace[0], "tempo": pace[1], "min_gap": pace[2]}
    one, two = of.start(first="S", **options), of.start(first="N", **options)
    assert in_order(two.events) == in_order(tuple(mirrored(one.events)))
    for after in walk(one, seed, 40):
        entry = after.log[-1] if len(after.log) > len(one.log) else None
        if entry is None:
            two = two.at(after.view()["ms"] if after.phase == "race" and after.view()["ms"] is not None else 10**7)
        else:
            two = two.play(mirrored(entry.seat), mirrored(entry.action), at=entry.at)
        one = after
        assert in_order(two.events) == in_order(tuple(mirrored(one.events)))
        ours, theirs = mirrored(one.view()), two.view()
        for view in (ours, theirs):
            view["to_act"].sort()
        assert ours == theirs


@settings(max_examples=60, deadline=None)
@given(games(), SEEDS, PACE)
def test_positions_read_back_in_every_phase_and_go_on_alike(of: SowingGame, seed: int, pace: Any) -> None:
    """In races, mid-walk by hand, when over; a copy from the line then plays the same match to the same end."""
    copies: list[Match] = []
    match = begun(of, seed, pace)
    for i, after in enumerate(walk(match, seed, 50)):
        position = after.position
        line = str(position)
        assert "\n" not in line
        again = muang.position(line)
        assert (again, str(again)) == (position, line)
        entry = after.log[-1] if len(after.log) > len(match.log) else None
        for number, copy in enumerate(copies):
            if entry is None:
                copies[number] = copy.at(after.view()["ms"] if after.phase == "race" else 10**7)
            else:
                copies[number] = copy.play(entry.seat or "", entry.action or "", at=entry.at)
            assert str(copies[number].position) == line
            assert copies[number].events == after.events
        match = after
        if i % 9 == 4 and not after.view()["chosen"]:
            copies.append(again.start())
            fresh, view = copies[-1].view(), after.view()
            for matters_no_more in ("rounds", "tempo", "min_gap", *(["quiet"] if after.phase == "over" else [])):
                del fresh[matters_no_more], view[matters_no_more]
            assert fresh == view


GAMES: list[Choice] = [
    ("mak-khum", "trang", {}),
    ("mak-khum", "songkhla", {"max_rounds": 4}),
    ("mak-khum", "single", {}),
    ("mak-khum", "congkak", {"max_rounds": 3}),
    ("mak-khum", "chongka", {}),
    ("mak-khum", "turns", {}),
    ("abalalae", "pankhurst", {"max_rounds": 3}),
    ("abalalae", "courlander", {"max_rounds": 3}),
    ("abalalae", "single", {}),
    ("abalalae", "turns", {}),
    *[("mak-khum", "trang", {"holes": 3, "seeds": seeds, "rounds": 3}) for seeds in range(1, 8)],
    ("mak-khum", "songkhla", {"holes": 9, "seeds": 5, "max_rounds": 5, "widows": "near"}),
    ("mak-khum", "congkak", {"holes": 9, "seeds": 2, "max_rounds": 4, "skip_origin": True}),
    ("mak-khum", "chongka", {"holes": 1, "seeds": 3}),
    ("mak-khum", "trang", {"holes": 7, "seeds": 4, "rounds": 4, "skip_origin": True, "store_landing": "end"}),
    ("mak-khum", "turns", {"holes": 12, "seeds": 8, "rounds": 3, "race": "none"}),
    ("abalalae", "pankhurst", {"columns": 2, "seeds": 3, "race_rounds": "first", "max_rounds": 6}),
    ("abalalae", "pankhurst", {"columns": 2, "seeds": 2, "race_loser": "stop_lap", "max_rounds": 6}),
    ("abalalae", "courlander", {"columns": 4, "seeds": 2, "race": "none", "quiet_turns": 5, "max_rounds": 6}),
    ("abalalae", "single", {"columns": 8, "seeds": 1}),
]


def make(choice: Choice) -> SowingGame:
    made = muang.game(choice[0], choice[1], **choice[2])
    assert isinstance(made, SowingGame)
    return made


class Stream:
    """The generator of a random match, as ``batch`` describes it."""

    def __init__(self, state: int) -> None:
        self.state = state or 1

    def below(self, k: int) -> int:
        x = self.state
        x ^= x >> 12
        x = (x ^ (x << 25)) & lots.MASK
        self.state = x ^ (x >> 27)
        return ((self.state * 0x2545F4914F6CDD1D & lots.MASK) >> 32) * k >> 32


def by_lots(of: SowingGame, seed: int, number: int) -> list[int]:
    """Match ``number`` of a batch, choice by choice through ``Match``: a row of ``batch.COLUMNS``."""
    stream = Stream(lots.draw(seed, "sowing-batch", number))
    first = stream.below(2)
    match = of.start(first="SN"[first])
    choices, drops = 0, sum(event[1] == "drop" for event in match.events)

    def filled(seat: Any) -> list[str]:
        return [f"{seat}{i}" for i, seeds in enumerate(match.view()["board"][seat], 1) if seeds]

    while match.phase != "over":
        picks = []
        for seat in sorted(match.to_act, reverse=True):  # South's lot before North's
            legal, row = match.legal(seat), filled(seat)
            hole = row.pop(stream.below(len(row)))
            while hole not in legal:  # an endless hole is drawn again among the others
                hole = row.pop(stream.below(len(row)))
            picks.append((seat, hole))
        for seat, hole in picks:
            match = match.play(seat, hole)
            choices += 1
            drops += sum(event[1] == "drop" for event in match.events)
            for event in match.events:
                if event[1] == "pass":  # every hole has been drawn and was endless
                    for left in range(len(filled(event[0])), 0, -1):
                        stream.below(left)
    assert match.result is not None
    winner = {"S": 0, "N": 1, None: 2}[match.result.winner]  # type: ignore[index]
    rounds = match.view()["rounds"]
    turns = sum(past["turns"] for past in rounds)
    return [winner, first, len(rounds), choices, turns, drops, match.result.seeds["S"], match.result.seeds["N"]]


@pytest.mark.parametrize("choice", GAMES, ids=str)
def test_a_match_of_a_batch_is_the_same_match_step_by_step(choice: Choice) -> None:
    of = make(choice)
    number = 5 if of.layout.total > 30 else 12
    rows = batch.random_matches(of, number, seed=9, begin=2)
    assert rows.tolist() == [by_lots(of, 9, 2 + i) for i in range(number)]


@pytest.mark.parametrize("choice", GAMES, ids=str)
def test_every_random_match_ends(choice: Choice) -> None:
    of = make(choice)
    rows = batch.random_matches(of, 60 if of.name == "abalalae" else 400, seed=3)
    assert set(rows[:, 0].tolist()) <= {0, 1, 2}
    assert (rows[:, 6] + rows[:, 7] == of.layout.total).all()
    assert rows[:, 2].min() >= 1
    assert rows[:, 2].max() <= of.limits[1]
    assert (rows[:, 5] >= rows[:, 3]).all(), "every choice drops a seed"


def test_batches_do_not_depend_on_their_number_or_on_threads() -> None:
    of = make(("mak-khum", "trang", {"holes": 3, "seeds": 3}))
    n = 2 * batch.CHUNK + 5
    one, two = batch.simulate(of, n, seed=4), batch.simulate(of, n, seed=4, threads=2)
    assert one == two
    assert one.games == sum(one.wins) == n
    rows = batch.random_matches(of, n, seed=4)
    assert [int((rows[:, 0] == winner).sum()) for winner in range(3)] == one.wins
    assert batch.random_matches(of, 7, seed=4, begin=100).tolist() == rows[100:107].tolist()


@settings(max_examples=25, deadline=None)
@given(SEEDS, st.sampled_from(["steady", "by_hand"]), st.sampled_from([1, 5, 40]))
def test_a_live_race_does_not_depend_on_how_its_inputs_arrive(seed: int, pace: str, grain: int) -> None:
    """In order, out of order, late, with or without time passing between: the same race. ``grain``: how often two fall on one moment."""
    start = muang.game("mak-khum").start(seed=seed, pace=pace, tempo=30, min_gap=20)
    inputs: list[tuple[str, str, int]] = []
    match, ms = start, 0
    for i in range(24):
        ms += lots.below(seed, "gap", i, 45) // grain * grain
        seat = "SN"[lots.below(seed, "who", i, 2)]
        options = match.legal(seat) if lots.below(seed, "odd", i, 6) else ("drop", "slip", f"{seat}2", f"{OTHER[seat]}3")
        if options:
            inputs.append((seat, options[lots.below(seed, "what", i, len(options))], ms))
            match = match.play(*inputs[-1][:2], at=ms)
    end = ms + 200
    in_order = match.at(end)
    assume(in_order.phase == "race")
    # inputs of one seat and moment keep their order, as they come on one wire
    shuffled = sorted(inputs, key=lambda item: (lots.draw(seed, item[0], item[2]), item[0], item[2]))
    late = start
    for seat, action, at in shuffled:
        late = late.play(seat, action, at=at)
        assume(late.phase == "race")
    ticking = start
    for seat, action, at in sorted(shuffled, key=lambda item: item[2]):
        for tick in range(ticking.view()["ms"], at, 7):
            ticking = ticking.at(tick)
        ticking = ticking.play(seat, action, at=at)
    hasty = start.at(end)  # everything arrives when all is over
    for seat, action, at in shuffled:
        hasty = hasty.play(seat, action, at=at)
    for other in (late.at(end), ticking.at(end), hasty):
        assert other.view() == in_order.view()
        assert other.next_due == in_order.next_due
    again = muang.position(str(hasty.position)).start()
    assert {**again.view(), "tempo": 30, "min_gap": 20} == in_order.view()


@settings(max_examples=60, deadline=None)
@given(games(race="opening"), SEEDS)
def test_hidden_choices_do_not_show(of: SowingGame, seed: int) -> None:
    assume(of.name == "mak-khum")
    shown = 0
    match = of.start(seed=seed)
    for after in [match, *walk(match, seed, 30)]:
        if after.phase != "race" or len(after.to_act) != 2:
            continue
        shown += 1
        for seat in "SN":
            other = OTHER[seat]
            told = set()
            for hole in after.legal(seat):
                hidden = after.play(seat, hole)
                view = hidden.view()
                assert (view.pop("chosen"), view.pop("to_act")) == ([seat], [other])
                told.add((str(hidden.position), hidden.events, hidden.legal(seat), hidden.legal(other), repr(view), hidden.ms))  # type: ignore[attr-defined]
            assert len(told) == 1, "whatever was chosen, the same can be seen"
            assert str(after.position) in {line for line, *_ in told}
        mine, theirs = after.legal("S")[-1], after.legal("N")[0]
        one, two = after.play("S", mine).play("N", theirs), after.play("N", theirs).play("S", mine)
        assert (one.view(), one.events, str(one.position)) == (two.view(), two.events, str(two.position))
    assert shown


JUNK = st.one_of(
    st.text(max_size=6),
    st.none(),
    st.integers(),
    st.binary(max_size=3),
    st.sampled_from(["drop", "slip", "SH", "NH", "S0", "pass", "S1", "N9"]),
)


@settings(max_examples=60, deadline=None)
@given(games(), SEEDS, PACE, st.lists(st.tuples(st.sampled_from(["S", "N", "S", "N", "W", 0, None]), JUNK), min_size=4, max_size=12))
def test_an_illegal_action_says_so_and_changes_nothing(of: SowingGame, seed: int, pace: Any, tries: list[tuple[Any, Any]]) -> None:
    for i, match in enumerate([begun(of, seed, pace), *walk(begun(of, seed, pace), seed, 12)]):
        if i % 4:
            continue
        before = (match.view(), str(match.position), match.log, match.events)
        for seat, action in tries:
            legal = seat in ("S", "N") and action in match.legal(seat)
            if legal:
                match.play(seat, action)
            else:
                with pytest.raises(RulesError) as caught:
                    match.play(seat, action)
                assert caught.value.clause
                assert caught.value.allowed or seat not in match.to_act, "a seat that has to act is told what it may do"
            assert (match.view(), str(match.position), match.log, match.events) == before


@settings(max_examples=40, deadline=None)
@given(st.lists(boards(), min_size=1, max_size=1), SEEDS)
def test_keys_are_whole_and_arrays_of_games_go_as_single_ones(cases: list[Any], seed: int) -> None:
    of, _, _ = cases[0]
    matches = [match for match in [of.start(seed=seed), *walk(of.start(seed=seed), seed, 60)] if match.phase == "turn" and match.to_act]
    assume(matches)
    positions = [match.position for match in matches]
    stacked = np.zeros((len(matches), 32), np.uint8)
    for i, position in enumerate(positions):
        stacked[i, : len(position.cells)] = position.cells  # type: ignore[attr-defined]
    seats = np.array([position.turn for position in positions], np.int64)  # type: ignore[attr-defined]
    quiet = np.array([position.quiet for position in positions], np.int64)  # type: ignore[attr-defined]
    widows = np.array([position.widows for position in positions], np.int64)  # type: ignore[attr-defined]
    keys = batch.pack(of, stacked, seats, quiet, widows)
    for ours, back in zip((stacked, seats, quiet, widows), batch.unpack(of, keys), strict=True):
        assert ours.tolist() == back.tolist()
    # one key for one position
    states = {(position.cells, position.turn, position.quiet, position.widows) for position in positions}  # type: ignore[attr-defined]
    assert len({tuple(key) for key in keys.tolist()}) == len(states)
    names = of.layout.names
    legal = [match.legal(match.to_act[0]) for match in matches]
    holes = np.array([names.index(some[lots.below(seed, "key", i, len(some))]) for i, some in enumerate(legal)], np.int64)
    codes = np.zeros(len(matches), np.int64)
    batch.turn_each(of.record, stacked, seats, holes, widows, codes)
    for i, match in enumerate(matches):
        after = match.play(match.to_act[0], names[holes[i]])
        if after.phase == "turn" and after.view()["round"] == match.view()["round"] and after.events[-1][1] != "pass":
            assert (stacked[i, : len(names)].tolist(), "SN"[codes[i] >> 16 & 1]) == (list(after.position.cells), after.turn)  # type: ignore[attr-defined]


def test_plain_python_kernels_do_the_same() -> None:
    plain = subprocess.run(
        [sys.executable, str(Path(sowing_report.__file__))],
        env={**os.environ, "MUANG_JIT": "off"},
        check=True,
        capture_output=True,
        text=True,
    )
    assert plain.stderr == ""
    assert plain.stdout == sowing_report.report()


def test_an_input_at_the_present_moment_does_not_play_the_race_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Taps of two hands meet at one millisecond all the time: the work of a race grows with its inputs, not with their square."""
    from muang.games.sowing.live import LiveRace

    moments = 0
    real = LiveRace._moment

    def counted(self: LiveRace, *given: Any) -> None:
        nonlocal moments
        moments += 1
        real(self, *given)

    monkeypatch.setattr(LiveRace, "_moment", counted)
    match: Any = muang.game("mak-khum").start(seed=2, pace="by_hand")
    inputs = 0
    while match.phase == "race":
        seat = match.to_act[inputs % len(match.to_act)]
        match = match.play(seat, match.legal(seat)[0])
        inputs += 1
    assert inputs > 200
    assert moments < 10 * inputs
