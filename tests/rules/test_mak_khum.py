"""Mak Khum, clause by clause, and what its positions, actions and options refuse."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import muang
from muang.errors import BadAction, BadPosition, BadRuleset, IllegalAction, RulesError
from muang.games import lots
from muang.games.core import PACES, Match
from muang.games.mak_khum import MakKhum
from muang.games.sowing import batch
from muang.records.layout import layout
from muang.rooms.rules import system_choice
from rooms.desk import Desk, setup
from rooms.desk import events as told_by

Row = list[int | None]
NONE: Row = [0, 0, 0, 0, 0, 0, 0]


def game(ruleset: str | None = None, **options: Any) -> MakKhum:
    made = muang.game("mak-khum", ruleset, **options)
    assert isinstance(made, MakKhum)
    return made


def row(seeds: Row) -> str:
    return ",".join("-" if count is None else str(count) for count in seeds)


def line(south: Row, north: Row, stores: int | tuple[int, int] = 0, rules: str = "turns", **fields: str) -> str:
    """A position's line. ``stores``: South's, and North's holds what is left; or both. ``fields``: South is on turn unless given."""
    held = sum(count or 0 for count in south + north)
    sh, nh = stores if isinstance(stores, tuple) else (stores, 98 - held - stores)
    more = {"round": "1", "first": "S", "opened": "S", **fields}
    if not {"turn", "race", "over"} & set(more):
        more["turn"] = "S"
    words = " ".join(f"{key}={value}" for key, value in more.items())
    return f"mak-khum rules={rules} S={row(south)}/{sh} N={row(north)}/{nh} {words}"


def at(south: Row, north: Row, stores: int | tuple[int, int] = 0, rules: str = "turns", **fields: str) -> Match:
    return muang.position(line(south, north, stores, rules, **fields)).start()


def drops(match: Match) -> list[str]:
    """Where the seeds of the last walk fell."""
    return [event[2] for event in match.events if event[1] == "drop"]


def board(match: Match) -> tuple[Row, Row, int, int]:
    view = match.view()["board"]
    return view["S"], view["N"], view["stores"]["S"], view["stores"]["N"]


def refusal(match: Match, seat: str, action: Any, kind: type[RulesError] = IllegalAction, **more: Any) -> RulesError:
    """The error that an action meets; nothing may have changed."""
    before, log, events = str(match.position), match.log, match.events
    with pytest.raises(kind) as caught:
        match.play(seat, action, **more)
    assert (str(match.position), match.log, match.events) == (before, log, events)
    return caught.value


# ── board ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_MK_1_two_rows_of_seven_and_two_stores_in_their_proportions() -> None:
    match = game().start(seed=1)
    south, north, *stores = board(match)
    assert (len(south), len(north), len(stores)) == (7, 7, 2)
    assert game().layout.view()["places"] == [f"{seat}{hole}" for seat in "SN" for hole in (*range(1, 8), "H")]
    drawn = layout("mak-khum")["board"]
    cm = drawn["width"] / 20
    assert (drawn["length"] / cm, drawn["hole"] / cm, drawn["store"] / cm) == pytest.approx((130, 7, 11))
    for holes in (1, 3, 15):
        assert len(game(holes=holes).start().view()["board"]["N"]) == holes
    for wrong in (0, 16, "7", None, 7.0, True):
        with pytest.raises(BadRuleset, match="MK-1: holes cannot be"):
            game(holes=wrong)


def test_MK_2_two_players_and_98_seeds() -> None:
    match = game().start(seed=1)
    assert match.seats == ("S", "N")
    assert board(match) == ([7] * 7, [7] * 7, 0, 0)
    assert game(holes=3, seeds=4).start().view()["board"]["S"] == [4] * 3
    for seats in (("N", "S"), ("S",), ("S", "N", "S"), (0, 1)):
        with pytest.raises(BadAction, match=r"MK-2: .*\(allowed: S, N\)"):
            game().start(seats=seats)
    for seat in ("W", "s", 0, None, ["S"]):
        for use in (match.legal, match.leave, lambda seat: match.play(seat, "S1")):
            with pytest.raises(BadAction, match="MK-2: there is no seat"):
                use(seat)  # type: ignore[operator]
    with pytest.raises(BadPosition, match="MK-2: 99 seeds, but mak-khum is played with 98"):
        at([7] * 7, [7] * 7, (1, 0))
    with pytest.raises(BadPosition, match="MK-2: 97 seeds"):
        at([7] * 7, [7] * 6 + [6], (0, 0))


def test_MK_3_stores_at_the_left_end_and_facing_holes() -> None:
    facing = game().layout.view()["facing"]
    assert facing == {f"{a}{i}": [f"{b}{8 - i}"] for a, b in ("SN", "NS") for i in range(1, 8)}
    places = layout("mak-khum")["places"]
    path = [places[name] for name in game().layout.view()["paths"]["S"]]
    turning = sum(a["x"] * b["y"] - b["x"] * a["y"] for a, b in pairwise([*path, path[0]]))
    assert turning > 0, "seen from above, y pointing down, a clockwise round has a positive area"
    assert [places[f"S{i}"]["x"] for i in range(1, 8)] == [places[f"N{8 - i}"]["x"] for i in range(1, 8)]
    assert places["SH"]["x"] < places["S7"]["x"] < places["S1"]["x"] < places["NH"]["x"]


@pytest.mark.parametrize(("seat", "other"), ["SN", "NS"])
def test_MK_4_the_path_passes_the_other_store_over(seat: str, other: str) -> None:
    rows: dict[str, Row] = {seat: [0, 0, 18, 0, 0, 0, 0], other: NONE}
    match = at(rows["S"], rows["N"], turn=seat).play(seat, f"{seat}3")
    own, far = [f"{seat}{i}" for i in range(1, 8)], [f"{other}{i}" for i in range(1, 8)]
    assert drops(match)[:18] == [*own[3:], f"{seat}H", *far, *own[:6]]
    first = game("turns").start(first=seat).play(seat, f"{seat}1")
    assert first.events[-1] == (seat, "rest", f"{seat}H")
    assert len(drops(first)) == 7


# ── a walk ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_MK_10_any_own_hole_with_seeds_is_lifted_whole() -> None:
    match = at([0, 3, 0, 1, 0, 0, 5], [4, 0, 0, 0, 0, 0, 0])
    assert match.legal("S") == ("S2", "S4", "S7")
    assert match.legal("N") == ()
    after = match.play("S", "S2")
    assert after.events[:2] == (("S", "lift", "S2", 3), ("S", "drop", "S3"))
    assert after.view()["board"]["S"][1] == 0
    empty = refusal(match, "S", "S1")
    assert (empty.clause, empty.reason, empty.allowed) == ("MK-10", "S1 is empty", ("S2", "S4", "S7"))
    theirs = refusal(match, "S", "N1")
    assert (theirs.clause, theirs.reason, theirs.allowed) == ("MK-10", "N1 is not a hole of S", ("S2", "S4", "S7"))
    for wrong in ("S8", "S0", "SH", "s2", "2", "", "S2 ", None, 2, ("S2",), "x" * 500):
        assert refusal(match, "S", wrong, BadAction).clause == "MK-10"


def test_MK_11_relay_on_either_side() -> None:
    match = at([2, 0, 3, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0, 0], 20).play("S", "S1")
    assert match.events[:-1] == (
        ("S", "lift", "S1", 2), ("S", "drop", "S2"), ("S", "drop", "S3"),
        ("S", "lift", "S3", 4), ("S", "drop", "S4"), ("S", "drop", "S5"), ("S", "drop", "S6"), ("S", "drop", "S7"),
        ("S", "lift", "S7", 2), ("S", "drop", "SH"), ("S", "drop", "N1"),
        ("S", "lift", "N1", 2), ("S", "drop", "N2"), ("S", "drop", "N3"),
    )  # fmt: skip
    assert match.events[-1] == ("S", "die", "N3")
    assert board(match)[:3] == ([0, 1, 0, 1, 1, 1, 0], [0, 1, 1, 0, 0, 0, 0], 21)


def test_MK_12_a_rest_lets_the_player_choose_again() -> None:
    match = at([2, 0, 0, 0, 0, 0, 1], [3, 0, 0, 0, 0, 0, 0]).play("S", "S7")
    assert match.events == (("S", "lift", "S7", 1), ("S", "drop", "SH"), ("S", "rest", "SH"))
    assert (match.turn, match.to_act, match.legal("S")) == ("S", ("S",), ("S1",))
    bare = at([0, 0, 0, 0, 0, 0, 1], [3, 0, 0, 0, 0, 0, 0]).play("S", "S7")
    assert (bare.phase, bare.turn, bare.legal("N")) == ("turn", "N", ("N1",))


def test_MK_12_store_landing_end() -> None:
    match = at([2, 0, 0, 0, 0, 0, 1], [3, 0, 0, 0, 0, 0, 0], rules="turns,store_landing:end").play("S", "S7")
    assert match.events[-1] == ("S", "rest", "SH")
    assert (match.turn, match.legal("N")) == ("N", ("N1",))
    # in an `opening` race the hand has died at that drop
    race = game(race="opening", store_landing="end").start(first="N").play("N", "N1").play("S", "S1")
    assert race.view()["rounds"] == []
    assert (race.phase, race.turn, race.events[-1]) == ("turn", "N", ("N", "open", 1))
    again = game(race="opening").start(first="N").play("N", "N1").play("S", "S1")
    assert (again.phase, again.to_act) == ("race", ("S", "N"))


def test_MK_13_the_last_seed_into_an_empty_hole_of_the_other_row() -> None:
    match = at([0, 0, 0, 0, 0, 3, 0], [0, 9, 0, 0, 0, 0, 0]).play("S", "S6")
    assert match.events[-2:] == (("S", "drop", "N1"), ("S", "die", "N1"))
    assert board(match)[:3] == ([0, 0, 0, 0, 0, 0, 1], [1, 9, 0, 0, 0, 0, 0], 1)  # N1 faces S7, and nothing happens
    assert match.turn == "N"


def test_MK_14_the_facing_hole_is_captured() -> None:
    match = at([1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 2, 5, 3], 10).play("S", "S1")
    assert match.events[1:] == (("S", "drop", "S2"), ("S", "capture", "N6", 5), ("S", "die", "S2"))
    assert board(match)[:3] == ([0, 1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 2, 0, 3], 15)
    assert match.turn == "N"
    north = at([1, 0, 0, 0, 0, 4, 0], [1, 0, 0, 0, 0, 0, 0], (49, 43), turn="N").play("N", "N1")
    assert north.events[2] == ("N", "capture", "S6", 4)
    assert board(north)[3] == 47
    nothing = at([1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 2, 0, 3]).play("S", "S1")
    assert nothing.events[1:] == (("S", "drop", "S2"), ("S", "die", "S2"))
    widow = at([1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 2, None, 3]).play("S", "S1")
    assert widow.events[1:] == (("S", "drop", "S2"), ("S", "die", "S2"))


def test_MK_15_capture_last() -> None:
    south: Row = [1, 0, 0, 0, 0, 0, 0]
    stays = at(south, [2, 0, 0, 0, 0, 5, 0], 10).play("S", "S1")
    assert (stays.view()["board"]["S"][1], board(stays)[2]) == (1, 15)
    moves = at(south, [2, 0, 0, 0, 0, 5, 0], 10, "turns,capture_last:true").play("S", "S1")
    assert moves.events[2:] == (("S", "capture", "N6", 5), ("S", "capture", "S2", 1), ("S", "die", "S2"))
    assert (moves.view()["board"]["S"][1], board(moves)[2]) == (0, 16)
    # a seed that captures nothing stays
    none = at(south, [2, 0, 0, 0, 0, 0, 0], 10, "turns,capture_last:true").play("S", "S1")
    assert (none.view()["board"]["S"][1], board(none)[2]) == (1, 10)


def test_MK_16_the_hole_a_lap_was_lifted_from() -> None:
    comes_round = at([0, 0, 16, 0, 0, 0, 0], NONE).play("S", "S3")
    assert drops(comes_round)[14:16] == ["S3", "S4"]
    skips = at([0, 0, 16, 0, 0, 0, 0], NONE, rules="turns,skip_origin:true").play("S", "S3")
    assert drops(skips)[13:16] == ["S2", "S4", "S5"]
    # it is the lap's hole that is skipped, not the walk's
    relay = at([1, 15, 0, 0, 0, 0, 0], NONE, rules="turns,skip_origin:true").play("S", "S1")
    assert drops(relay)[:1] + drops(relay)[14:17] == ["S2", "S1", "S3", "S4"]


# ── round one: the race ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_MK_20_both_begin_from_any_own_hole() -> None:
    for pace in PACES:
        match = game().start(seed=3, pace=pace)
        assert (match.phase, match.turn, match.to_act) == ("race", None, ("S", "N"))
        assert match.events == (("-", "race", 1),)
        for seat in "SN":
            assert match.legal(seat) == tuple(f"{seat}{i}" for i in range(1, 8))


def test_MK_21_steps_in_turn_on_one_board() -> None:
    match = game().start(first="N").play("S", "S7").play("N", "N7")
    assert match.events[:8] == (
        ("N", "lift", "N7", 7), ("S", "lift", "S7", 7), ("N", "drop", "NH"), ("S", "drop", "SH"),
        ("N", "drop", "S1"), ("S", "drop", "N1"), ("N", "drop", "S2"), ("S", "drop", "N2"),
    )  # fmt: skip
    # a relay lifts what the steps before it have left there: S6 got one from North, and then South's own last seed
    assert next(event for event in match.events if event[1] == "lift" and event[2] == "N6") == ("S", "lift", "N6", 8)
    # seeds in a hand are not on the board
    live = game().start(first="S", pace="by_hand").play("S", "S3", at=0).play("S", "drop", at=100)
    view = live.view()
    assert view["board"]["S"] == [7, 7, 0, 8, 7, 7, 7]
    assert view["hands"] == {"S": {"at": "S4", "seeds": 6}, "N": None}


def test_MK_21_a_step_is_a_drop_with_all_that_follows() -> None:
    live = at([1, 0, 0, 0, 0, 0, 2], [3, 0, 0, 0, 0, 5, 1], 10, "trang", race="", pace="by_hand:80")
    captured = live.play("S", "S1", at=0).play("S", "drop", at=80)
    assert captured.events == (("S", "drop", "S2"), ("S", "capture", "N6", 5), ("S", "die", "S2"))
    relayed = live.play("S", "S7", at=0).play("S", "drop", at=80).play("S", "drop", at=160)
    assert relayed.events == (("S", "drop", "N1"), ("S", "lift", "N1", 4))


def test_MK_22_round_the_whole_round_is_raced() -> None:
    driven = muang.lockstep(game().start(first="S"), S=lambda m, s: m.legal(s)[0], N=lambda m, s: m.legal(s)[-1])
    assert (driven.phase, driven.round) == ("turn", 2)  # type: ignore[attr-defined]
    match = game().start(first="S").play("S", "S2").play("N", "N5")
    assert match.phase == "race"
    deaths = [event for event in match.events if event[1] == "die"]
    assert deaths, "a hand has died and may lift again at once"
    assert match.to_act
    assert match.legal(match.to_act[0])
    while match.round == 1:  # type: ignore[attr-defined]
        seat = match.to_act[0]
        match = match.play(seat, match.legal(seat)[0])
    past = match.view()["rounds"][0]
    assert (past["opener"], past["deaths"], past["turns"]) == (None, None, 0)
    assert match.phase == "turn"


@pytest.mark.parametrize("first", ["S", "N"])
def test_MK_22_opening_who_died_first_moves_first(first: str) -> None:
    seen = set()
    for south in range(1, 8):
        for north in range(1, 8):
            match = game(race="opening").start(first=first).play("S", f"S{south}").play("N", f"N{north}")
            told = list(match.events)
            while match.phase == "race":
                seat = match.to_act[-1]
                match = match.play(seat, match.legal(seat)[-1])
                told += match.events
            deaths = [event[0] for event in told if event[1] == "die"]
            assert len(deaths) == 2
            if match.round == 1:  # type: ignore[attr-defined]
                assert (match.turn, match.events[-1]) == (deaths[0], (deaths[0], "open", 1))
                assert match.legal(deaths[0])
                seen.add(deaths[0])
    assert seen == {"S", "N"}


def test_MK_22_none_turns_from_the_start() -> None:
    for first in "SN":
        match = game(race="none").start(first=first)
        assert (match.phase, match.turn, match.events) == ("turn", first, ((first, "open", 1),))


FED = ([0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 3])
"""South's one seed goes to its store; North's three to its store and to South's row."""


def test_MK_23_round_a_hand_with_an_empty_row_waits_to_be_fed() -> None:
    match = at(*FED, 40, "trang", race="", first="S").play("S", "S7").play("N", "N7")
    assert match.events[-1] == ("N", "drop", "S1")
    assert (match.phase, match.to_act, match.legal("S")) == ("race", ("S",), ("S1",))
    match = match.play("S", "S1")
    # both hands are empty then and North's row is: the round is over, what is left goes to South
    kinds = [event[:3] for event in match.events]
    assert ("S", "die", "S4") in kinds
    assert match.view()["rounds"][0]["seeds"] == {"S": 43, "N": 55}


def test_MK_23_round_not_over_while_a_hand_holds_seeds() -> None:
    live = at(*FED, 40, "trang", race="", pace="by_hand:1").play("S", "S7", at=0)
    walking = live.play("N", "N7", at=1).play("S", "drop", at=2)
    assert (board(walking)[0], board(walking)[1], walking.phase, walking.to_act) == (NONE, NONE, "race", ("N",))
    assert walking.play("N", "drop", at=3).phase == "race"
    # with both hands empty it is over at once, though North has seeds to choose
    over = live.play("S", "drop", at=1)
    assert over.events[:4] == (("S", "drop", "SH"), ("S", "rest", "SH"), ("N", "sweep", "NH", 3), ("-", "round", 2))


def test_MK_23_opening_a_hand_with_nothing_to_choose_has_died() -> None:
    # at lockstep when its step comes: North's drop before it feeds South
    match = at(*FED, 40, "single", race="", first="N").play("S", "S7").play("N", "N7")
    assert (match.phase, match.to_act) == ("race", ("S",))
    # with South's step before, it has died, and first
    match = at(*FED, 40, "single", race="", first="S").play("S", "S7").play("N", "N7")
    assert (match.phase, match.turn, match.events[-1]) == ("turn", "S", ("S", "open", 1))
    # at the live paces as soon as it rests
    live = at(*FED, 40, "single", race="", first="N", pace="steady:100").play("N", "N7", at=0).play("S", "S7", at=0).at(100)
    assert (live.phase, live.legal("S"), live.to_act) == ("race", (), ())
    live = live.at(300)
    assert (live.phase, live.turn, live.events[-1]) == ("turn", "S", ("S", "open", 1))


def test_MK_24_paces_and_their_times() -> None:
    start = game().start(seed=5)
    assert (start.pace, start.view()["tempo"], start.view()["min_gap"]) == ("lockstep", 250, 80)
    for wrong in ("slow", "", None, "Steady"):
        with pytest.raises(BadAction, match=r"MK-24: the pace cannot be .*\(allowed: lockstep, steady, by_hand\)"):
            game().start(pace=wrong)  # type: ignore[arg-type]
    for name in ("tempo", "min_gap"):
        assert game().start(pace="steady", **{name: 1}).view()[name] == 1
        for wrong_ms in (0, -1, 2.5, True, "80", 60_001):
            with pytest.raises(BadAction, match=f"MK-24: {name} cannot be"):
                game().start(pace="steady", **{name: wrong_ms})  # type: ignore[arg-type]


def test_MK_24_lockstep_choices_are_made_before_either_is_shown() -> None:
    start = game().start(first="S")
    for one, other in ("SN", "NS"):
        chosen = start.play(one, f"{one}3")
        assert chosen.events == ()
        assert str(chosen.position) == str(start.position)
        assert (chosen.to_act, chosen.legal(one), chosen.legal(other)) == ((other,), (), start.legal(other))
        view = chosen.view()
        assert view["chosen"] == [one]
        assert view["hands"] == {"S": None, "N": None}
        hidden = {**view, "chosen": [], "to_act": ["S", "N"], "legal": start.view()["legal"]}
        assert hidden == start.view(), "nothing else tells what was chosen"
        both = chosen.play(other, f"{other}5")
        assert both.events[0][:2] == ("S", "lift")  # `first` steps first, whoever chose first
        assert both.view()["chosen"] == []
    # a hand that walks by itself asks nobody
    for action, clause in (("drop", "MK-24"), ("slip", "MK-24"), ("N1", "MK-10")):
        assert refusal(start, "S", action).clause == clause
    waits = refusal(start.play("S", "S3"), "S", "S4")
    assert (waits.clause, waits.allowed) == ("MK-24", ("N: a hole",))


def test_MK_24_lockstep_a_resting_hand_must_lift_when_its_step_comes() -> None:
    # South rests with its 7th drop; one step of North, and nothing goes on until South has chosen
    match = game().start(first="S").play("S", "S1").play("N", "N3")
    assert match.events[-3:] == (("S", "rest", "SH"), ("N", "drop", "S2"), ("N", "lift", "S2", 9))
    assert (match.to_act, match.view()["chosen"]) == (("S",), [])
    assert match.legal("S") == ("S1", "S3", "S4", "S5", "S6", "S7")
    on = match.play("S", "S3")
    assert on.events[:3] == (("S", "lift", "S3", 8), ("N", "drop", "S3"), ("S", "drop", "S4"))
    assert refusal(match, "N", "N1").clause == "MK-24"


def test_MK_24_lockstep_a_hand_that_cannot_step_is_passed_over() -> None:
    match = game(race="opening").start(first="S").play("S", "S2").play("N", "N1")
    events = list(match.events)
    while match.phase == "race":
        seat = match.to_act[0]
        match = match.play(seat, match.legal(seat)[0])
        events += match.events
    dead = next(event[0] for event in events if event[1] == "die")
    after = events[events.index(next(event for event in events if event[1] == "die")) + 1 :]
    assert {event[0] for event in after if event[1] in ("lift", "drop")} == {"N" if dead == "S" else "S"}


def test_MK_24_steady_a_drop_every_tempo() -> None:
    match = game().start(first="S", pace="steady", tempo=100)
    assert match.next_due is None
    match = match.play("S", "S4", at=30)
    assert (match.events, match.next_due, match.view()["ms"]) == ((("S", "lift", "S4", 7),), 130, 30)
    assert (match.at(129).events, match.at(129).view()["hands"]["S"]["seeds"]) == ((), 7)
    assert match.at(130).events == (("S", "drop", "S5"),)
    assert match.at(430).events == tuple(("S", "drop", place) for place in ("S5", "S6", "S7", "SH"))
    assert match.at(430).at(530).events == (("S", "drop", "N1"),)
    assert match.at(430).legal("S") == (), "the hand sows by itself"
    assert refusal(match, "S", "drop").clause == "MK-24"
    # the other player chooses whenever it is ready
    later = match.play("N", "N7", at=455)
    assert later.events[-1] == ("N", "lift", "N7", 7)
    assert later.next_due == 530
    # at the millisecond at which the hand rests it may be lifted again, after the rest
    rest = game().start(first="S", pace="steady", tempo=100).play("S", "S1", at=0).play("S", "S2", at=700)
    assert rest.events[-3:] == (("S", "drop", "SH"), ("S", "rest", "SH"), ("S", "lift", "S2", 8))
    for ms in (-1, 1.5, "3", None, True):
        with pytest.raises(BadAction, match="MK-24: the time cannot be"):
            match.at(ms)  # type: ignore[arg-type]


def test_MK_24_by_hand_every_drop_is_the_players_own() -> None:
    match = game().start(first="S", pace="by_hand", min_gap=80).play("S", "S4", at=10)
    assert match.next_due is None
    assert match.at(10**6).view()["hands"]["S"]["seeds"] == 7
    assert match.legal("S") == ("drop",)
    early = match.play("S", "drop", at=89)
    assert early.events == (("S", "void", "drop"),)
    assert early.view()["hands"] == match.view()["hands"]
    assert early.log[-1].action == "drop", "it stays in the record"
    dropped = early.play("S", "drop", at=90)
    assert dropped.events == (("S", "drop", "S5"),)
    assert match.play("S", "drop").log[-1].at == 90  # left out: the first moment that is not void
    # a void drop does not begin the gap anew, and the lift is a step too
    assert early.play("S", "drop", at=91).events == (("S", "drop", "S5"),)
    rested = game().start(first="S", pace="by_hand").play("S", "S1", at=0)
    for i in range(1, 8):
        rested = rested.play("S", "drop", at=80 * i)
    assert rested.play("S", "S2", at=600).events == (("S", "void", "S2"),)
    assert rested.play("S", "S2", at=640).events == (("S", "lift", "S2", 8),)


def test_MK_24_turns_at_each_pace() -> None:
    for pace in ("lockstep", "steady"):
        match = game("turns").start(first="S", pace=pace).play("S", "S1")
        assert len(drops(match)) == 7, "the walk runs to its end by itself"
        assert refusal(match, "S", "drop").clause == "MK-24"
    by_hand = game("turns").start(first="S", pace="by_hand")
    assert refusal(by_hand, "S", "drop").reason == "the hand is empty: choose a hole first"
    by_hand = by_hand.play("S", "S1")
    assert (by_hand.legal("S"), by_hand.legal("N"), by_hand.turn) == (("drop",), (), "S")
    assert refusal(by_hand, "S", "S2").clause == "MK-24"
    assert refusal(by_hand, "N", "N1").clause == "MK-40"
    told = list(by_hand.events)
    for _ in range(7):
        by_hand = by_hand.play("S", "drop")
        told += by_hand.events
    at_once = game("turns").start(first="S").play("S", "S1")
    assert tuple(told) == at_once.events
    assert (by_hand.legal("S"), board(by_hand)) == (at_once.legal("S"), board(at_once))


def test_MK_24_two_steps_at_one_millisecond() -> None:
    # neither has stepped: `first`
    for first, other in ("SN", "NS"):
        match = game().start(first=first, pace="steady").play(other, f"{other}4", at=5).play(first, f"{first}4", at=5)
        assert [event[0] for event in match.at(255).events] == [first, other], "who has lifted first drops first"
    # the seat that stepped longer ago goes first
    match = game().start(first="N", pace="steady", tempo=100).play("S", "S4", at=0).play("N", "N4", at=50)
    match = match.at(200)
    for at_ms, order in ((250, "N"), (300, "S")):
        match = match.at(at_ms)
        assert [event[0] for event in match.events if event[1] == "drop"] == [order]
    # who has not stepped counts as longest ago: before a drop that is due
    match = game().start(first="S", pace="steady", tempo=100).play("S", "S4", at=0).at(99).play("N", "N4", at=100)
    assert [event[:2] for event in match.events] == [("N", "lift"), ("S", "drop")]
    by_hand = game().start(first="S", pace="by_hand").play("S", "S4", at=0).play("N", "N4", at=40)
    by_hand = by_hand.play("N", "drop", at=120).play("S", "drop", at=120)
    assert [event[0] for event in by_hand.events if event[1] == "drop"] == ["S", "N"], "the record keeps the order"


def test_MK_24_impossible_inputs_are_void() -> None:
    match = game().start(first="S", pace="by_hand").play("S", "S4", at=0)
    for seat, action in (("S", "S5"), ("S", "slip"), ("N", "drop"), ("N", "S5"), ("N", "slip")):
        void = match.play(seat, action, at=500)
        assert void.events == ((seat, "void", action),)
        assert void.view() == {**match.view(), "ms": 500}
        entry = void.log[-1]
        assert (entry.kind, entry.seat, entry.action, entry.at) == ("play", seat, action, 500)
    # without a time there is no moment to be void at: it is refused
    assert refusal(match, "N", "drop").clause == "MK-24"
    for ms in (-1, 1.5, "3", True, 1 << 40):
        assert refusal(match, "S", "drop", BadAction, at=ms).clause == "MK-24"


def test_MK_25_first_is_drawn_from_the_seed_or_given() -> None:
    drawn = [game().start(seed=seed).first for seed in range(400)]
    assert drawn == ["SN"[lots.below(seed, "first", 0, 2)] for seed in range(400)]
    assert 160 < drawn.count("S") < 240
    for first in "SN":
        match = game().start(seed=1, first=first)
        assert (match.first, match.view()["first"]) == (first, first)
        assert f" first={first} " in str(match.position)
    for wrong in ("W", 0, "s"):
        with pytest.raises(BadAction, match=r"MK-25: first cannot be .*\(allowed: S, N\)"):
            game().start(first=wrong)
    for seed in (-1, 1 << 64, 1.0, True, None, "7"):
        with pytest.raises(BadAction, match="MK-25: the seed cannot be"):
            game().start(seed=seed)  # type: ignore[arg-type]
    # rounds without a race do not change it
    match = game(rounds=4).start(seed=1, first="N")
    while match.phase != "over":
        seat = match.to_act[0]
        match = match.play(seat, match.legal(seat)[0])
        assert match.view()["first"] == "N"
    assert len(match.view()["rounds"]) > 1


@pytest.mark.parametrize("pace", ["lockstep", "steady"])
def test_MK_26_a_choice_not_made_in_time(pace: str) -> None:
    desk = Desk(setup(pace=pace, choice_seconds=5))
    desk.join(1, "S")
    desk.join(2, "N")
    if pace == "steady":
        desk.start_race((1, "S"), (2, "N"))
    desk.play(1, "S", "S1")
    desk.wait(4999)
    assert [entry for entry in desk.log if entry.by == "system" and entry.kind == "play"] == []
    desk.wait(1)
    entry = next(entry for entry in desk.log if entry.by == "system" and entry.kind == "play")
    assert (entry.seat, entry.action) == ("N", "N1"), "the lowest-numbered legal hole"
    free = Desk(setup(pace="lockstep"))
    free.join(1, "S", "N")
    assert free.room.next_deadline(free.now) is None, "no limit unless the option sets one"
    assert game().options["choice_seconds"] is None
    for wrong in (0, 3601, "20", 2.5):
        with pytest.raises(BadRuleset, match="MK-26: choice_seconds cannot be"):
            game(choice_seconds=wrong)


def test_MK_26_a_drop_not_made_within_three_seconds_and_three_such_in_a_row() -> None:
    assert system_choice(at([0, 0, 4, 1, 0, 0, 0], NONE), "S") == "S3"
    desk = Desk(setup(pace="by_hand", choice_seconds=20))
    desk.join(1, "S")
    desk.join(2, "N")
    desk.start_race((1, "S"), (2, "N"))
    desk.play(1, "S", "S4")
    desk.play(2, "N", "N1")
    assert [event for event in told_by(desk.wait(2900)) if event[1] == "drop"] == []
    desk.play(2, "N", "drop")
    for _ in range(3):
        assert desk.room.state.chairs["S"].kind == "person"
        assert [entry.seat for entry in desk.log[-1:]] == ["N"]
        assert [event[:2] for event in told_by(desk.wait(100))] == [("S", "drop")]
        assert (desk.log[-1].seat, desk.log[-1].by) == ("S", "system")
        desk.wait(2800)
        desk.play(2, "N", "drop")
        desk.wait(100)
    assert desk.room.state.chairs["S"].kind == "absent"
    desk.order(2, "N", "claim", about="S")
    result = desk.room.shown.result
    assert result is not None
    assert (result.winner, result.reason) == ("N", "left")


# ── end of a round ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def ended(south: int, north: int, rules: str = "turns", **fields: str) -> Match:
    """A round that South has just ended with its last seed, with these totals."""
    return at([0, 0, 0, 0, 0, 0, 1], NONE, (south - 1, north), rules, **fields).play("S", "S7")


def test_MK_30_the_mover_has_no_seed_at_the_start_of_its_turn() -> None:
    # North's row is empty, but South moves and feeds it: the round goes on
    match = at([0, 0, 0, 0, 0, 0, 2], NONE).play("S", "S7")
    assert (match.phase, match.turn, match.legal("N")) == ("turn", "N", ("N1",))
    # South's seeds do not help North
    over = at([1, 0, 0, 3, 0, 0, 0], NONE).play("S", "S1")
    assert over.phase == "over"
    # not in the midst of a turn: South rests and walks on, though North has nothing
    midst = at([2, 0, 0, 0, 0, 0, 1], NONE).play("S", "S7")
    assert (midst.phase, midst.turn) == ("turn", "S")
    with pytest.raises(BadPosition, match="MK-30: N is on turn and has no seed"):
        at([1, 0, 0, 0, 0, 0, 0], NONE, turn="N")


def test_MK_31_what_is_left_goes_to_its_own_sides_store() -> None:
    match = at([1, 0, 0, 3, 0, 5, 0], NONE, (40, 49)).play("S", "S1")
    assert match.events[2:] == (("S", "die", "S2"), ("S", "sweep", "SH", 9), ("-", "win", "seeds"))
    assert board(match) == (NONE, NONE, 49, 49)
    north = at([0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 6, 0, 1], (40, 50), turn="N").play("N", "N7").play("N", "N5").play("S", "S1")
    assert north.phase == "turn", "both rows still hold seeds"
    raced = at(*FED, 40, "trang", race="", first="N", pace="by_hand:1").play("S", "S7", at=0).play("S", "drop", at=1)
    assert ("N", "sweep", "NH", 3) in raced.events, "a raced round ends so too"


# ── later rounds ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_MK_40_turns_of_one_or_more_walks() -> None:
    match = game("turns").start(first="N").play("N", "N1")
    assert (match.turn, match.view()["board"]["stores"]["N"]) == ("N", 1), "after a rest the same player walks on"
    error = refusal(match, "S", "S1")
    assert (error.clause, error.reason, error.allowed) == ("MK-40", "it is N's turn, not S's", match.legal("N"))
    ends = {hole: match.play("N", hole) for hole in match.legal("N")}
    assert {hole: after.turn for hole, after in ends.items()} == {
        hole: "N" if after.events[-1][1] == "rest" else "S" for hole, after in ends.items()
    }
    assert {after.turn for after in ends.values()} == {"S", "N"}
    # the rounds after a raced one are played in turns
    match = game().start(seed=4)
    while match.round == 1:  # type: ignore[attr-defined]
        match = match.play(match.to_act[0], match.legal(match.to_act[0])[0])
    assert match.phase == "turn"
    assert ("-", "round", 2) in match.events
    for ruleset in MakKhum.rulesets:
        assert [game(ruleset).raced(number) for number in (1, 2, 3)] == [game(ruleset).options["race"] != "none", False, False]
    with pytest.raises(BadPosition, match="MK-22: round 2 has no race"):
        at([7] * 7, [7] * 7, 0, "trang", round="2", race="")


@pytest.mark.parametrize(
    ("south", "north", "rows", "stores"),
    [
        (55, 43, ([7] * 7, [None] + [7] * 6), (6, 1)),
        (49, 49, ([7] * 7, [7] * 7), (0, 0)),
        (50, 48, ([7] * 7, [None] + [7] * 6), (1, 6)),
        (91, 7, ([7] * 7, [None] * 6 + [7]), (42, 0)),
        (13, 85, ([None] * 6 + [7], [7] * 7), (6, 36)),
    ],
)
def test_MK_41_full_holes_from_the_own_store(south: int, north: int, rows: tuple[Row, Row], stores: tuple[int, int]) -> None:
    match = ended(south, north, "trang")
    assert match.events[-2:] == (("-", "round", 2), ("S" if south >= north and (south, north) != (49, 49) else "N", "open", 2))
    assert board(match) == (*rows, *stores)
    assert sum(count or 0 for side in rows for count in side) + sum(stores) == 98


def test_MK_42_where_widows_are() -> None:
    assert board(ended(70, 28, "trang"))[1] == [None, None, None, 7, 7, 7, 7]
    assert board(ended(70, 28, "trang,widows:near"))[1] == [7, 7, 7, 7, None, None, None]
    assert board(ended(28, 70, "trang,widows:near"))[0] == [7, 7, 7, 7, None, None, None]
    with pytest.raises(BadRuleset, match=r"MK-42: widows cannot be 'left' \(allowed: far, near\)"):
        game(widows="left")


def test_MK_43_widows_are_passed_over_and_never_lifted() -> None:
    match = at([0, 0, 0, 0, 0, 3, 0], [None, None, 0, 1, 0, 0, 0], 20).play("S", "S6")
    assert match.events == (
        ("S", "lift", "S6", 3), ("S", "drop", "S7"), ("S", "drop", "SH"), ("S", "drop", "N3"), ("S", "die", "N3"),
    )  # fmt: skip
    assert match.view()["board"]["N"][:2] == [None, None]
    error = refusal(match, "N", "N1")
    assert (error.clause, error.reason, error.allowed) == ("MK-43", "N1 is a widow", ("N3", "N4"))
    # the owner passes it over too
    own = at([0, 0, 0, 0, 0, 2, None], [0, 0, 4, 0, 0, 0, 0], 20).play("S", "S6")
    assert drops(own) == ["SH", "N1"]
    with pytest.raises(BadPosition, match="MK-42: S cannot hold 'x'"):
        muang.position(line(NONE, [7] * 7).replace("S=0,", "S=x,"))
    with pytest.raises(BadPosition, match="a lap never begins in a widow"):
        at([0, 0, None, 0, 0, 0, 0], [1] * 7, turn="S", pace="by_hand:80", hand="S5:2:S3:0", stores=(0, 89))


def slipping(hand: str = "S6:3:S4:0", rules: str = "turns", north: Row | None = None) -> Match:
    """South holds seeds; what is next after S7 and the store are widows of North."""
    stores = (20, 98 - 24 - int(hand[3]))
    return at([0, 0, 0, 0, 0, 0, None], north or [None, None, 0, 4, 0, 0, 0], stores, rules, pace="by_hand:80", hand=hand)


def test_MK_44_a_slip_forfeits_the_seed() -> None:
    match = slipping()
    assert match.legal("S") == ("drop", "slip")
    slipped = match.play("S", "slip")
    assert slipped.events == (("S", "slip", "S7"),)
    assert slipped.view()["hands"]["S"] == {"at": "S7", "seeds": 2}, "the walk goes on from the widow's place"
    assert board(slipped) == (board(match)[0], board(match)[1], 20, board(match)[3] + 1)
    assert slipped.legal("S") == ("drop",)
    # a drop passes the widow over by itself
    dropped = match.play("S", "drop")
    assert dropped.events == (("S", "drop", "SH"),)
    assert refusal(slipped, "S", "slip").clause == "MK-44"


def test_MK_44_several_widows_in_a_row_and_the_last_seed() -> None:
    match = slipping("SH:3:S4:0")
    one = match.play("S", "slip")
    assert (one.events, one.legal("S")) == ((("S", "slip", "N1"),), ("drop", "slip"))
    two = one.play("S", "slip")
    assert two.events == (("S", "slip", "N2"),)
    assert two.legal("S") == ("drop",)
    assert one.play("S", "drop").events[0] == ("S", "drop", "N3")
    # the last seed dies there, with no capture
    last = slipping("S6:1:S4:0").play("S", "slip")
    assert last.events == (("S", "slip", "S7"), ("S", "die", "S7"))
    assert (last.turn, last.view()["hands"]["S"]) == ("N", None)
    facing = slipping("S6:1:S4:0", north=[4, None, 0, 0, 0, 0, 0]).play("S", "slip")
    assert (board(facing)[1][0], board(facing)[2]) == (4, 20)


def test_MK_44_only_by_hand_and_only_with_the_option() -> None:
    assert slipping(rules="turns,slips:false").legal("S") == ("drop",)
    error = refusal(slipping(rules="turns,slips:false"), "S", "slip")
    assert (error.clause, error.allowed) == ("MK-44", ("drop",))
    by_itself = at([0, 0, 0, 0, 0, 3, None], [2, 0, 0, 0, 0, 0, 0])
    assert refusal(by_itself, "S", "slip").clause == "MK-44"
    assert by_itself.legal("S") == ("S6",)
    empty = at([0, 0, 0, 0, 0, 3, None], [2, 0, 0, 0, 0, 0, 0], pace="by_hand:80")
    assert refusal(empty, "S", "slip").reason == "a slip needs a hand under way at by_hand"
    for value in ("yes", 1, None):
        with pytest.raises(BadRuleset, match=r"MK-44: slips cannot be .* \(allowed: true, false\)"):
            game(slips=value)


def test_MK_45_who_opens_the_next_round() -> None:
    for south, larger in ((55, "S"), (43, "N")):
        assert ended(south, 98 - south, "trang").turn == larger
        assert ended(south, 98 - south, "trang,opener:smaller").turn == ("N" if larger == "S" else "S")
    for opened, following in ("SN", "NS"):
        for opener in ("larger", "smaller"):
            match = ended(49, 49, f"trang,rounds:4,opener:{opener}", round="2", opened=opened)
            assert (match.turn, match.view()["opened"]) == (following, following)
    # after a round with any race: the seat that did not step first in it
    for first, following in ("SN", "NS"):
        match = at(*FED, 46, "trang", race="", first=first).play("S", "S7").play("N", "N7").play("S", "S1")
        assert match.view()["rounds"][0]["seeds"] == {"S": 49, "N": 49}
        assert match.turn == following
    # … whoever was `first`: here South stepped, and North not at all
    live = at(*FED, 48, "trang", race="", first="N", pace="by_hand:1").play("S", "S7", at=0).play("S", "drop", at=1)
    assert (live.view()["rounds"][0]["seeds"], live.turn) == ({"S": 49, "N": 49}, "N")
    # … and also where turns have followed: South has stepped first and died last, so North opened the turns
    race = at([0, 0, 0, 0, 0, 0, 2], [0, 0, 0, 0, 0, 1, 0], (48, 47), "trang,race:opening", race="", first="S")
    race = race.play("S", "S7").play("N", "N6")
    assert race.events[-1] == ("N", "open", 1)
    race = race.play("N", "N1")
    assert (race.view()["rounds"][0]["seeds"], race.events[-1]) == ({"S": 49, "N": 49}, ("N", "open", 2))


def test_MK_46_the_round_ends_as_the_first() -> None:
    match = at([1, 0, 0, 3, 0, 5, 0], [None, 0, 0, 0, 0, 0, 0], (40, 49), "trang", round="2").play("S", "S1")
    assert match.events[2:4] == (("S", "die", "S2"), ("S", "sweep", "SH", 9))
    assert match.phase == "over"
    feeding = at([0, 0, 0, 0, 0, 0, 2], [None, None, 0, 0, 0, 0, 0], rules="trang", round="2").play("S", "S7")
    assert (feeding.phase, feeding.legal("N")) == ("turn", ("N3",))


# ── match ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_MK_50_two_rounds_then_widows_are_counted() -> None:
    for south, widows, winner in ((55, (0, 1), "S"), (50, (0, 1), "S"), (48, (1, 0), "N"), (49, (0, 0), None), (70, (0, 3), "S")):
        result = ended(south, 98 - south, "trang", round="2").result
        assert result is not None
        assert (result.winner, result.reason, dict(result.widows)) == (winner, "widows", dict(zip("SN", widows, strict=True)))
    assert ended(55, 43, "trang", round="1").result is None
    assert ended(55, 43, "trang,rounds:5", round="4").result is None
    assert ended(55, 43, "trang,rounds:5", round="5").result is not None
    drawn = ended(49, 49, "trang", round="2")
    assert drawn.events[-1] == ("-", "win", "widows")
    assert drawn.view()["result"]["winner"] is None
    for wrong in (0, -1, 2.0, "two", True, None):
        with pytest.raises(BadRuleset, match="MK-50: rounds cannot be"):
            game(rounds=wrong)


def test_MK_50_one_round_goes_by_seeds() -> None:
    for south, winner in ((50, "S"), (48, "N"), (49, None), (91, "S"), (7, "N")):
        result = ended(south, 98 - south, "turns").result
        assert result is not None
        assert (result.winner, result.reason) == (winner, "seeds")
    broke = ended(92, 6, "turns").result  # MK-51
    assert broke is not None
    assert (broke.winner, broke.reason) == ("S", "broke")


def test_MK_51_who_cannot_fill_a_hole_has_lost_at_once() -> None:
    for rules in ("trang", "trang,rounds:9", "songkhla"):
        for south, winner in ((92, "S"), (98, "S"), (6, "N"), (1, "N")):
            match = ended(south, 98 - south, rules)
            assert match.events[-1] == (winner, "win", "broke")
            assert match.result is not None
            assert match.result.widows[{"S": "N", "N": "S"}[winner]] == 7
        assert ended(91, 7, rules).phase == "turn"
    for number in ("2", "17", "29"):
        assert ended(91, 7, "songkhla", round=number).phase == "turn", "until_broke plays on until then"


def test_MK_52_until_broke_ends_after_max_rounds() -> None:
    match = ended(55, 43, "songkhla", round="30")
    assert match.result is not None
    assert (match.result.winner, match.result.reason, match.result.widows) == ("S", "widows", {"S": 0, "N": 1})
    assert ended(55, 43, "songkhla,max_rounds:3", round="2").result is None
    assert ended(55, 43, "songkhla,max_rounds:3", round="3").result is not None
    assert ended(49, 49, "songkhla,max_rounds:1").events[-1] == ("-", "win", "widows")
    # used only with until_broke
    assert ended(55, 43, "trang,max_rounds:1", round="1").result is None
    assert ended(55, 43, "trang,max_rounds:30", round="2").result is not None
    for wrong in (0, -3, "until_broke", 1.5):
        with pytest.raises(BadRuleset, match=r"MK-52: max_rounds cannot be .* \(allowed: 1 "):
            game(max_rounds=wrong)


def test_MK_53_the_result_carries_seeds_and_widows() -> None:
    result = ended(43, 55, "trang", round="2").result
    assert result is not None
    assert (result.seeds, result.widows) == ({"S": 43, "N": 55}, {"S": 1, "N": 0})
    # in mid-walk the hand belongs to its seat, and totals add to 98
    walking = game().start(first="S", pace="by_hand").play("S", "S5", at=0).play("S", "drop", at=80).play("N", "N2", at=90)
    left = walking.leave("N")
    assert left.result is not None
    assert (left.result.seeds, left.result.widows) == ({"S": 49, "N": 49}, {"S": 0, "N": 0})
    assert str(left.position).count("/") == 2
    assert muang.position(str(left.position)).start().result == left.result
    assert left.view()["result"] == {
        "winner": "S", "reason": "left", "seeds": {"S": 49, "N": 49}, "widows": {"S": 0, "N": 0},
    }  # fmt: skip


def test_MK_54_widows_are_counted_anew_each_round() -> None:
    match = at([0, 0, 0, 0, 0, 0, 1], [None, None, 0, 0, 0, 0, 0], (47, 50), "trang,rounds:4", round="2").play("S", "S7")
    assert match.round == 3  # type: ignore[attr-defined]
    assert board(match) == ([None] + [7] * 6, [7] * 7, 6, 1)
    assert match.view()["rounds"][0]["next_widows"] == {"S": 1, "N": 0}


LONGEST = ([10, 7, 3, 15, 8, 11, 14], [5, 0, 1, 2, 8, 10, 4])


def test_MK_55_a_walk_always_ends_the_longest_known_after_947_drops() -> None:
    match = at(*LONGEST).play("S", "S6")
    assert (len(drops(match)), sum(event[1] == "lift" for event in match.events)) == (947, 149)
    assert match.events[-1] == ("S", "rest", "SH")
    north = at(LONGEST[1], LONGEST[0], (0, 0), turn="N").play("N", "N6")
    assert [event[2].replace("N", "X") for event in north.events] == [
        event[2].replace("N", "-").replace("S", "X").replace("-", "S") for event in match.events
    ]
    # every lap round the board puts a seed in the own store
    into_the_store = [i for i, place in enumerate(drops(match)) if place == "SH"]
    assert max(b - a for a, b in pairwise(into_the_store)) <= 15
    by_hand = at(*LONGEST, pace="by_hand:80").play("S", "S6")
    for _ in range(947):
        by_hand = by_hand.play("S", "drop")
    assert board(by_hand) == board(match)


def test_MK_56_leaving() -> None:
    match = game("turns").start(first="S").play("S", "S2")
    for seat, winner in ("SN", "NS"):
        for reason in ("resigned", "left", "flag"):
            over = match.leave(seat, reason)
            assert over.result is not None
            assert (over.result.winner, over.result.reason) == (winner, reason)
            assert (over.events, over.phase, over.to_act, over.legal("S")) == (((winner, "win", reason),), "over", (), ())
            assert (over.log[-1].kind, over.log[-1].seat, over.log[-1].action) == ("leave", seat, reason)
            for use in (over.agree_draw, lambda over=over: over.leave("S")):
                with pytest.raises(IllegalAction, match="MK-56: the match is over"):
                    use()
            assert refusal(over, "S", "S1").reason == "the match is over"
    assert game().start(seed=1).leave("S").phase == "over", "in a race too"
    with pytest.raises(BadAction, match=r"MK-56: the reason cannot be 'bored' \(allowed: left, resigned, flag\)"):
        match.leave("S", "bored")


def test_MK_56_draws_and_taking_back() -> None:
    start = game("turns").start(first="S")
    drawn = start.play("S", "S2").agree_draw()
    assert (drawn.result and (drawn.result.winner, drawn.result.reason), drawn.events) == ((None, "agreed"), (("-", "win", "agreed"),))
    assert drawn.log[-1].kind == "draw"
    rested = start.play("S", "S1")
    assert rested.turn == "S"
    turned = rested.play("S", "S4")
    assert turned.turn == "N"
    for match in (rested, turned):  # a turn is all its walks
        assert str(match.take_back().position) == str(start.position)
        assert match.take_back().log == ()
    after = turned.play("N", turned.legal("N")[3])
    assert str(after.take_back().position) == str(turned.position)
    won = at([0, 0, 0, 0, 0, 0, 1], NONE)
    assert str(won.play("S", "S7").take_back().position) == str(won.position)
    by_hand = game("turns").start(first="S", pace="by_hand").play("S", "S2").play("S", "drop")
    assert by_hand.take_back().log == ()
    with pytest.raises(IllegalAction, match="MK-56: there is no turn to take back"):
        start.take_back()
    for stopped in (drawn, turned.leave("S"), ended(55, 43, "trang").leave("N", "resigned")):
        with pytest.raises(IllegalAction, match="MK-56: only a turn is taken back"):
            stopped.take_back()
    race = game().start(seed=2)
    for match in (race, race.play("S", "S1"), race.play("S", "S1").play("N", "N1")):
        with pytest.raises(IllegalAction, match="MK-56: nothing is taken back in a race"):
            match.take_back()


def test_MK_57_the_key_maps_of_the_page() -> None:
    """What the keys then do is tested in a browser (tests/web): here that each key of the clause has its place in both maps."""
    static = Path(muang.__file__).parent / "web" / "static"
    of_board, of_page = ((static / name).read_text("utf-8") for name in ("board/input.js", "race.js"))
    for found in (re.search(r"const ACT = (\[.*?\])", of_board), re.search(r"ACT_KEYS = (\[.*?\])", of_page)):
        assert found
        assert set(re.findall(r'"(\w+)"', found[1])) == {"Enter", "NumpadEnter", "Space", "Numpad5"}
    sowing, keys = ((static / name).read_text("utf-8") for name in ("board/sowing.js", "keys.js"))
    assert "/^Digit[1-9]$/.test(key)" in sowing
    assert "/^Digit([1-9])$/.exec(event.code)" in keys, "the main keyboard's digits, not the numpad's"
    assert set(re.findall(r"\bArrow\w+", sowing)) == {"ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"}
    assert 'slip || widow ? "slip" : "drop"' in sowing
    assert 'scene().use(desk.current(), "key", shifted(event), null)' in of_board, "Shift with one of them slips"


# ── rulesets, options, positions ─────────────────────────────────────────────────────────────────────────────────────────────

DEFAULTS = {
    "race": "round", "store_landing": "again", "capture_last": False, "skip_origin": False, "widows": "far", "slips": True,
    "opener": "larger", "rounds": 2, "max_rounds": 30, "choice_seconds": None, "holes": 7, "seeds": 7,
}  # fmt: skip


@pytest.mark.parametrize(
    ("ruleset", "changes"),
    [
        ("trang", {}),
        ("songkhla", {"race": "opening", "rounds": "until_broke"}),
        ("single", {"race": "opening", "rounds": 1}),
        ("congkak", {"race": "opening", "capture_last": True, "opener": "smaller", "rounds": "until_broke"}),
        ("chongka", {"race": "none", "store_landing": "end", "rounds": 1}),
        ("turns", {"race": "none", "rounds": 1}),
    ],
)
def test_rulesets(ruleset: str, changes: dict[str, Any]) -> None:
    assert game(ruleset).options == {**DEFAULTS, **changes}
    assert game(ruleset) == game(**changes)
    assert (game(ruleset).ruleset, game(ruleset).changes()) == (ruleset, {})
    assert next(iter(MakKhum.rulesets)) == "trang"
    assert len(MakKhum.rulesets) == 6
    rows = batch.random_matches(game(ruleset), 20, 3)
    assert (rows[:, 6] + rows[:, 7] == 98).all()


def test_unknown_rulesets_options_and_values() -> None:
    with pytest.raises(BadRuleset, match=r"mak-khum has no ruleset 'lanna' \(allowed: trang, songkhla, single, congkak, chongka, turns\)"):
        game("lanna")
    with pytest.raises(BadRuleset, match=r"mak-khum has no option 'track' \(allowed: race, store_landing, "):
        game(track="courlander")
    with pytest.raises(BadRuleset, match=r"there is no game 'mancala' \(allowed: mak-khum, abalalae, ca-ngua\)"):
        muang.game("mancala")
    for name, clause, wrong in (
        ("race", "MK-22", "rounds"), ("store_landing", "MK-12", "stop"), ("capture_last", "MK-15", 1), ("skip_origin", "MK-16", "true"),
        ("opener", "MK-45", "winner"), ("seeds", "MK-2", 0), ("seeds", "MK-2", 9),
    ):  # fmt: skip
        with pytest.raises(BadRuleset) as caught:
            game(**{name: wrong})
        assert (caught.value.clause, caught.value.reason) == (clause, f"{name} cannot be {wrong!r}")
        assert caught.value.allowed
    assert all(option.clause.startswith("MK-") for option in MakKhum.option_list)


def test_rules_load_without_numba() -> None:
    code = "import sys, muang; muang.game('mak-khum', 'songkhla', rounds=3); assert 'numba' not in sys.modules, sorted(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


GOOD = line([7] * 7, [7] * 7, (0, 0))


@pytest.mark.parametrize(
    ("field", "clause"),
    [
        ("turn=W", ""), ("turn=S over=S:seeds", ""), ("turn=", ""), ("S=7,7,7,7,7,7/0", ""), ("S=7,7,7,7,7,7,7", ""),
        ("S=7,7,7,7,7,7,7/x", "MK-42"), ("S=7,7,7,7,7,7,7/-", "MK-42"), ("S=-7,7,7,7,7,7,7/14", "MK-42"),
        ("S=7,7,7,7,7,7,٧/0", "MK-42"), ("S=1000,0,0,0,0,0,0/0", "MK-42"), ("round=0", ""), ("round=one", ""),
        ("first=W", ""), ("first=", ""), ("opened=3", ""), ("pace=fast:1", "MK-24"), ("pace=steady", "MK-24"),
        ("pace=steady:0", "MK-24"), ("pace=by_hand:x", "MK-24"), ("quiet=1", ""), ("colour=red", ""), ("now=5", "MK-24"),
        ("hand=S1:1:S1:0", "MK-24"), ("race=S1", ""), ("rules=lanna", ""), ("rules=trang,rounds", ""), ("rules=trang,rounds:0", "MK-50"),
    ],
)  # fmt: skip
def test_impossible_positions(field: str, clause: str) -> None:
    names = [word.partition("=")[0] for word in field.split()]
    words = [word for word in GOOD.split() if word.partition("=")[0] not in names]
    with pytest.raises(RulesError) as caught:
        muang.position(" ".join([*words, *field.split()]))
    assert caught.value.clause == clause
    assert isinstance(caught.value, (BadPosition, BadRuleset))


def test_positions_that_cannot_be_read() -> None:
    for text in ("", "mancala S=1", "mak-khum S", "mak-khum =3", f"{GOOD} turn=N", "mak-khum rules=turns", "mak-khum " + "x=y " * 60_000):
        with pytest.raises(BadPosition):
            muang.position(text)
    for race in ("S8", "S3,S3,S3", "N3@5", "Sdrop", "x", "S3,,N9"):
        with pytest.raises(BadPosition):
            muang.position(GOOD.replace("rules=turns", "rules=trang").replace("turn=S", f"race={race}").replace("opened=S ", ""))


def test_a_position_of_a_race_is_one_line_whoever_chose_first_and_whatever_was_tried() -> None:
    start = game().start(first="N")
    lines = {str(start.play(one, f"{one}3").play(other, f"{other}3").position) for one, other in ("SN", "NS")}
    assert [line.rpartition(" ")[2] for line in lines] == ["race=N3,S3"]
    # South tries North's hole: void, and no choice of North's in the line
    live = game().start(first="S", pace="steady").play("S", "S3", at=0).play("S", "N4", at=10)
    assert live.events == (("S", "void", "N4"),)
    assert str(live.position).endswith(" race=S3@0 now=10")
    # … but what could count if an earlier input came late is kept
    assert str(live.play("N", "drop", at=20).position).endswith(" race=S3@0,Ndrop@20 now=20")
    for race in ("S3", "S3@0,N3"):
        with pytest.raises(BadPosition, match="at live paces S3@0"):
            at([7] * 7, [7] * 7, 0, "trang", race=race, pace="steady:100")


def test_the_log_replays() -> None:
    for pace in PACES:
        match = start = game(rounds=3).start(seed=11, pace=pace, tempo=3, min_gap=2)
        n = 0
        while match.phase != "over" and n < 120:
            if not match.to_act:
                due = match.next_due
                assert due is not None
                match = match.at(due)
                continue
            seat = match.to_act[lots.below(1, "seat", n, len(match.to_act))]
            legal = match.legal(seat)
            match = match.play(seat, legal[lots.below(1, "hole", n, len(legal))])
            n += 1
        again = start
        for entry in match.log:
            again = again.apply(entry)
        if match.view()["ms"] is not None:
            again = again.at(match.view()["ms"])
        assert again.view() == match.view()
        assert again.log == match.log


# ── facts ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("options", "leaves"),
    [
        ({}, [7, 36, 227, 1378, 8065, 46707]),
        ({"capture_last": True}, [7, 36, 230, 1406, 8295]),
        ({"store_landing": "end"}, [7, 37, 227, 1369, 8231]),
    ],
)
def test_fact_leaves_of_the_choices_tree(options: dict[str, Any], leaves: list[int]) -> None:
    of = game("turns", **options)
    for seat in (0, 1):
        start = of.refill((49, 49))[0]
        assert [batch.perft(of, start, seat, 0, depth) for depth in range(1, len(leaves) + 1)] == leaves


def test_fact_first_walks() -> None:
    for seat in "SN":
        start = game("turns").start(first=seat)
        assert len(drops(start.play(seat, f"{seat}1"))) == 7
        for hole in range(2, 8):
            match = start.play(seat, f"{seat}{hole}")
            assert (match.events[-1][1], len(drops(match)), match.view()["board"]["stores"][seat]) == ("die", 15, 9)


LINE = "1 2 5 2 1 5 2 2 3 4 3 2 3 1 6 5 3 1 7 1 3 1 3 6 7 5 7 6 2 3 1 7 4 2 1 2"


def test_fact_thirty_six_choices_and_a_forced_win_of_all() -> None:
    match = game("turns").start(first="S")
    for choice in LINE.split():
        match = match.play(match.to_act[0], f"{match.turn}{choice}")
    assert board(match) == ([1, 1, 0, 1, 0, 1, 7], [0, 1, 0, 1, 0, 0, 0], 85, 0)
    assert match.turn == "N"
    known: dict[str, bool] = {}

    def all_of_them(now: Match) -> bool:
        """Whether South can force all 98 seeds."""
        key = str(now.position)
        if now.result is not None:
            return now.result.seeds["S"] == 98
        if now.view()["board"]["stores"]["N"]:
            return False
        if key not in known:
            seat = now.to_act[0]
            quantifier = any if seat == "S" else all
            known[key] = quantifier(all_of_them(now.play(seat, hole)) for hole in now.legal(seat))
        return known[key]

    assert all_of_them(match)
    assert len(known) > 10
