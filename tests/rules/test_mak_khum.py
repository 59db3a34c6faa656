"""Mak Khum, clause by clause: the board, a walk, the race."""

from __future__ import annotations

from itertools import pairwise

import pytest

import muang
from muang.errors import BadAction, BadPosition, BadRuleset
from muang.games import lots
from muang.games.core import PACES
from muang.records.layout import layout
from muang.rooms.rules import system_choice
from rooms.desk import Desk, setup
from rooms.desk import events as told_by
from rules.mak_khum import FED, NONE, at, game
from rules.sowing import Row, board, drops, refusal

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
