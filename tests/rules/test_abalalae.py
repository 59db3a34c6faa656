"""Abalala'e, clause by clause."""

from __future__ import annotations

from pathlib import Path

import pytest

import muang
from muang.errors import BadAction, BadPosition, BadRuleset, IllegalAction
from muang.games import lots
from muang.games.core import PACES, Event, Match
from muang.games.sowing import kernel
from muang.records.layout import layout
from rooms.desk import Desk, setup
from rules.abalalae import THREES, Row, at, ended, game, line
from rules.sowing import board, drops, refusal

OTHER = {"S": "N", "N": "S"}


# ── board ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

SOUTH_PATH = "A1 B1 C1 D1 E1 F1 F2 E2 D2 C2 B2 A2 A3 B3 C3 D3 E3 F3".split()  # noqa: SIM905  as the clause lists them
HOLES = [f"{seat}{i}" for seat in "SN" for i in range(1, 10)]
SQUARES = dict(zip(HOLES, "A1 B1 C1 D1 E1 F1 F2 E2 D2 F3 E3 D3 C3 B3 A3 A2 B2 C2".split(), strict=True))  # noqa: SIM905


def test_AB_0_the_common_loop_of_the_region() -> None:
    of = game("courlander")
    paths = of.layout.view()["paths"]
    loop = "A1 B1 C1 D1 E1 F1 F2 E2 D2 F3 E3 D3 C3 B3 A3 A2 B2 C2".split()  # noqa: SIM905
    assert [SQUARES[place] for place in paths["S"]] == loop
    assert [SQUARES[place] for place in paths["N"]] == loop[9:] + loop[:9]
    for same in ("owners", "facing", "places"):
        assert of.layout.view()[same] == game().layout.view()[same]
    match = at({9: 2}, {5: 3}, rules="turns,track:courlander").play("S", "S9")
    assert drops(match) == ["N1", "N2"]
    assert drops(at({9: 2}, {5: 3}).play("S", "S9")) == ["N9", "N8"]
    with pytest.raises(BadRuleset, match=r"AB-0: track cannot be 'common' \(allowed: pankhurst, courlander\)"):
        game(track="common")


def test_AB_1_three_rows_of_six_and_54_seeds() -> None:
    match = game("turns").start(seed=1)
    assert board(match) == (THREES, THREES, 0, 0)
    assert match.seats == ("S", "N")
    # no stores on the board: a walk once round meets 18 holes
    walked = at({1: 19}, {5: 1}, 10).play("S", "S1")
    around = sorted(SQUARES, key=lambda name: SOUTH_PATH.index(SQUARES[name]))
    assert drops(walked)[:19] == [*around[1:], "S1", "S2"]
    with pytest.raises(BadPosition, match="AB-1: 55 seeds, but abalalae is played with 54"):
        muang.position(line(THREES, THREES).replace("/0", "/1", 1))
    small = game(columns=4, seeds=2).start(first="S", pace="by_hand").view()["board"]
    assert (len(small["S"]), len(small["N"]), small["S"][1:], small["N"][1:]) == (6, 6, [2] * 5, [2] * 5)
    for name, wrong in (("columns", 1), ("columns", 12), ("columns", "6"), ("seeds", 0), ("seeds", 9), ("seeds", True)):
        with pytest.raises(BadRuleset, match=f"AB-1: {name} cannot be"):
            game(**{name: wrong})  # type: ignore[arg-type]


def test_AB_2_the_nearest_row_and_the_right_half_of_the_middle_row() -> None:
    places = layout("abalalae")["places"]
    middle = places["S8"]["y"]
    for seat, side in (("S", 1), ("N", -1)):
        near = [places[f"{seat}{i}"] for i in range(1, 7)]
        right = [places[f"{seat}{i}"] for i in range(7, 10)]
        assert all((place["y"] - middle) * side > 50 for place in near)
        assert all(place["y"] == middle and place["x"] * side > 0 for place in right), "to its right, as it sees the board"
    owners = game().layout.view()["owners"]
    assert [owners[f"{seat}{i}"] for seat in "SN" for i in range(1, 10)] == ["S"] * 9 + ["N"] * 9
    for columns in (3, 5, 7, 9):
        with pytest.raises(BadRuleset, match=rf"AB-2: .*columns cannot be {columns} \(allowed: 2, 4, 6, 8, 10\)"):
            game(columns=columns)


def test_AB_3_both_paths_are_the_same_holes_in_opposite_order() -> None:
    paths = game().layout.view()["paths"]
    assert [SQUARES[place] for place in paths["S"]] == SOUTH_PATH
    assert [SQUARES[place] for place in paths["N"]] == SOUTH_PATH[::-1]
    south = at({8: 3}, {9: 1}).play("S", "S8")
    assert drops(south)[:3] == ["S9", "N9", "N8"]
    north = at({9: 1}, {8: 3}, turn="N").play("N", "N8")
    assert drops(north)[:3] == ["N9", "S9", "S8"]


def test_AB_4_the_names_of_the_holes() -> None:
    places = layout("abalalae")["places"]
    columns = sorted({places[f"S{i}"]["x"] for i in range(1, 7)})
    rows = sorted({places[name]["y"] for name in ("S1", "S8", "N1")}, reverse=True)
    assert len(columns), len(rows) == (6, 3)
    for name, square in SQUARES.items():
        assert (places[name]["x"], places[name]["y"]) == (columns["ABCDEF".index(square[0])], rows[int(square[1]) - 1])
    for seat in "SN":
        assert game().layout.view()["paths"][seat][:9] == [f"{seat}{i}" for i in range(1, 10)]


FACING = {1: "76", 2: "85", 3: "94", 4: "3", 5: "2", 6: "1", 7: "1", 8: "2", 9: "3"}


@pytest.mark.parametrize("seat", ["S", "N"])
def test_AB_5_facing_holes(seat: str) -> None:
    other = OTHER[seat]
    facing = game().layout.view()["facing"]
    for i, faced in FACING.items():
        assert facing[f"{seat}{i}"] == [f"{other}{n}" for n in faced]
        if i == 1:
            continue
        # … and that is what a capture takes
        mine, theirs = {i - 1: 1}, {int(n): int(n) + 1 for n in faced} | {i: 1 for i in (1, 9) if str(i) not in faced}
        match = at(*((mine, theirs) if seat == "S" else (theirs, mine)), turn=seat).play(seat, f"{seat}{i - 1}")
        assert match.events[2 : 2 + len(faced)] == tuple((seat, "capture", f"{other}{n}", int(n) + 1) for n in faced)
        assert match.events[2 + len(faced)][:3] == (seat, "lift", f"{seat}{i}")


# ── a walk ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_AB_10_lift_all_and_drop_from_the_next_hole() -> None:
    match = at({2: 4, 5: 1}, {1: 1}).play("S", "S2")
    assert match.events[:5] == (
        ("S", "lift", "S2", 4), ("S", "drop", "S3"), ("S", "drop", "S4"), ("S", "drop", "S5"), ("S", "drop", "S6"),
    )  # fmt: skip
    assert match.view()["board"]["S"][1] == 0


def test_AB_11_relay_whoever_owns_the_hole() -> None:
    own = at({1: 1, 2: 2}, {1: 1}).play("S", "S1")
    assert own.events[:4] == (("S", "lift", "S1", 1), ("S", "drop", "S2"), ("S", "lift", "S2", 3), ("S", "drop", "S3"))
    theirs = at({1: 1, 9: 1}, {9: 2}).play("S", "S9")
    assert theirs.events[:4] == (("S", "lift", "S9", 1), ("S", "drop", "N9"), ("S", "lift", "N9", 3), ("S", "drop", "N8"))


def test_AB_12_an_empty_hole_of_the_opponent_ends_the_walk() -> None:
    match = at({1: 1, 3: 5, 9: 1}, {1: 1}).play("S", "S9")
    assert match.events == (("S", "lift", "S9", 1), ("S", "drop", "N9"), ("S", "die", "N9"))
    assert match.turn == "N"
    assert match.view()["board"]["S"][2] == 5, "nothing is taken, though N9 faces S3"


def test_AB_13_capture_and_walk_on() -> None:
    match = at({1: 1}, {5: 2, 8: 3, 9: 1}, 20).play("S", "S1")
    assert match.events[:10] == (
        ("S", "lift", "S1", 1), ("S", "drop", "S2"), ("S", "capture", "N8", 3), ("S", "capture", "N5", 2),
        ("S", "lift", "S2", 1), ("S", "drop", "S3"), ("S", "capture", "N9", 1),  # it captures again
        ("S", "lift", "S3", 1), ("S", "drop", "S4"), ("S", "die", "S4"),
    )  # fmt: skip
    one = at({1: 1}, {8: 3, 9: 1}, 20).play("S", "S1")
    assert one.events[2:4] == (("S", "capture", "N8", 3), ("S", "lift", "S2", 1)), "one of two facing holes is enough"
    relays = at({1: 1, 3: 4}, {5: 2, 7: 1}, 20).play("S", "S1")
    assert relays.events[2:6] == (("S", "capture", "N5", 2), ("S", "lift", "S2", 1), ("S", "drop", "S3"), ("S", "lift", "S3", 5))
    assert board(relays)[2] == 22, "captured seeds lie beside the board"


def test_AB_14_an_own_empty_hole_facing_nothing_ends_the_walk() -> None:
    match = at({1: 1}, {1: 1}).play("S", "S1")
    assert match.events == (("S", "lift", "S1", 1), ("S", "drop", "S2"), ("S", "die", "S2"))
    assert match.turn == "N"


def test_AB_15_a_long_lap_drops_into_the_hole_it_was_lifted_from() -> None:
    match = at({3: 20}, {1: 1}).play("S", "S3")
    assert drops(match)[16:20] == ["S2", "S3", "S4", "S5"]


# ── phase one: the race ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("first", ["S", "N"])
def test_AB_20_the_system_lifts_both_leftmost_holes(first: str) -> None:
    second = OTHER[first]
    lifts = ((first, "lift", f"{first}1", 3), (second, "lift", f"{second}1", 3))
    for pace in PACES:
        match = game().start(first=first, pace=pace)
        assert match.events[:3] == (("-", "race", 1), *lifts), "before any drop"
        assert all(event[1] != "lift" or event in lifts or pace == "lockstep" for event in match.events)
        if pace == "lockstep":
            assert match.phase == "turn", "there is no choice"
        else:
            assert match.view()["hands"] == {seat: {"at": f"{seat}1", "seeds": 3} for seat in "SN"}
            for seat in "SN":
                assert match.legal(seat) == (() if pace == "steady" else ("drop",))
                void = match.play(seat, f"{seat}2", at=10)
                assert void.events == ((seat, "void", f"{seat}2"),)


def test_AB_21_no_captures_in_the_race() -> None:
    south, north = {1: 1, 4: 1}, {1: 2, 5: 3, 8: 2}
    race = at(south, north, 20, "pankhurst", race="", pace="steady:100").at(100)
    assert race.events[:2] == (("S", "drop", "S2"), ("S", "die", "S2"))
    assert (race.view()["board"]["N"][4], race.view()["board"]["stores"]["S"]) == (3, 20)
    turn = at(south, north, 20).play("S", "S1")
    assert ("S", "capture", "N5", 3) in turn.events


def test_AB_21_paces_as_in_mak_khum() -> None:
    steady = game().start(first="N", pace="steady", tempo=100)
    assert steady.next_due == 100
    assert (steady.at(99).events, steady.at(100).events) == ((), (("N", "drop", "N2"), ("S", "drop", "S2")))
    by_hand = game().start(first="S", pace="by_hand", min_gap=50)
    assert by_hand.play("N", "drop", at=49).events == (("N", "void", "drop"),)
    assert by_hand.play("N", "drop", at=50).events == (("N", "drop", "N2"),)
    # two steps at one millisecond: South lifted first, so it stepped longer ago
    both = by_hand.play("N", "drop", at=60).play("S", "drop", at=60)
    assert [event for event in both.events if event[1] == "drop"] == [("S", "drop", "S2"), ("N", "drop", "N2")]
    for wrong in ("fast", None):
        with pytest.raises(BadAction, match="MK-24: the pace cannot be"):
            game().start(pace=wrong)  # type: ignore[arg-type]
    drawn = [game("turns").start(seed=seed).first for seed in range(100)]
    assert drawn == ["SN"[lots.below(seed, "first", 0, 2)] for seed in range(100)]
    with pytest.raises(BadRuleset, match="AB-21: choice_seconds cannot be 0"):
        game(choice_seconds=0)


def test_AB_21_a_drop_not_made_in_time_is_made_by_the_system() -> None:
    desk = Desk(setup("abalalae", pace="by_hand", choice_seconds=20))
    desk.join(1, "S")
    desk.join(2, "N")
    desk.start_race((1, "S"), (2, "N"))
    desk.wait(2999)
    assert [entry for entry in desk.log if entry.kind == "play"] == []
    desk.wait(1)
    assert {(entry.seat, entry.action, entry.by) for entry in desk.log if entry.kind == "play"} == {
        ("S", "drop", "system"), ("N", "drop", "system"),
    }  # fmt: skip


RACE = ({1: 1, 5: 2}, {1: 2, 2: 1, 3: 3, 6: 1})
"""South dies with its first drop, in S2; North relays from N3."""


def test_AB_22_who_dies_first_moves_first() -> None:
    for first in "SN":
        match = at(*RACE, rules="pankhurst", race="", first=first)
        assert (match.phase, match.turn, match.view()["opened"]) == ("turn", "S", "S")
    # by hand the quicker one may die first
    live = at({1: 3, 5: 2}, {1: 1, 6: 1}, rules="pankhurst", race="", first="S", pace="by_hand:10")
    live = live.play("N", "drop", at=10)
    assert live.events == (("N", "drop", "N2"), ("N", "die", "N2"))
    assert (live.phase, live.legal("N"), live.legal("S"), live.to_act) == ("race", (), ("drop",), ("S",))
    for ms in (20, 40, 60):
        live = live.play("S", "drop", at=ms)
    assert live.events[-1] == ("N", "open", 1)
    assert (live.phase, live.turn, live.legal("S")) == ("turn", "N", ())


def test_AB_23_the_other_hand_finishes_its_walk() -> None:
    match = at(*RACE, rules="pankhurst", race="", pace="steady:100").at(100)
    assert match.view()["hands"] == {"S": None, "N": {"at": "N2", "seeds": 1}}
    match = match.at(200)
    assert match.events == (("N", "drop", "N3"), ("N", "lift", "N3", 4))
    assert match.phase == "race"
    match = match.at(10_000)
    assert (match.events[-2][:2], match.events[-1]) == (("N", "die"), ("S", "open", 1))


def test_AB_23_stop_lap() -> None:
    match = at(*RACE, rules="pankhurst,race_loser:stop_lap", race="", pace="steady:100").at(200)
    assert match.events[-3:] == (("N", "drop", "N3"), ("N", "die", "N3"), ("S", "open", 1))
    assert match.view()["board"]["N"][:3] == [0, 2, 4], "its last seed stays where it falls, among the others"
    at_once = at(*RACE, rules="pankhurst,race_loser:stop_lap", race="")
    assert board(at_once) == board(match)
    # before anybody has died laps are relayed
    relays = at({1: 1, 2: 4}, {1: 1, 6: 1}, rules="pankhurst,race_loser:stop_lap", race="", pace="steady:100").at(100)
    assert relays.events[:2] == (("S", "drop", "S2"), ("S", "lift", "S2", 5))
    with pytest.raises(BadRuleset, match=r"AB-23: race_loser cannot be 'stop' \(allowed: finish, stop_lap\)"):
        game(race_loser="stop")


def test_AB_24_each_round_begins_with_a_race() -> None:
    match = ended(30, 24, first="S")
    assert match.events[2:7] == (
        ("S", "die", "N9"), ("N", "sweep", "NH", 2), ("-", "round", 2), ("-", "race", 2), ("N", "lift", "N1", 3),
    )  # fmt: skip
    assert (match.view()["first"], match.first) == ("N", "S"), "with every raced round `first` changes (MK-25)"
    firsts = []
    long = game().start(seed=8, first="S")
    for i in range(2000):
        if long.phase == "over" or len(firsts) == 4:
            break
        if long.view()["round"] > len(firsts):
            firsts.append(long.view()["first"])
        legal = long.legal(long.to_act[0])
        long = long.play(long.to_act[0], legal[lots.below(8, "hole", i, len(legal))])
    assert firsts == ["S", "N", "S", "N"]


def test_AB_24_only_the_first_round() -> None:
    rules = "pankhurst,race_rounds:first"
    for south, opener in ((30, "S"), (24, "N")):
        for opened in "SN":
            match = ended(south, 54 - south, rules, opened=opened)
            assert match.events[-2:] == (("-", "round", 2), (opener, "open", 2))
            assert (match.turn, match.view()["opened"]) == (opener, opener)
            assert match.view()["first"] == "S"
    for opened, opener in ("SN", "NS"):  # 27 each: the one who did not open it
        assert ended(27, 27, rules, opened=opened).turn == opener
        # … which after a race is who did not win it, whoever stepped first
        live = at({1: 3, 5: 2}, {1: 1, 6: 1}, rules=rules, race="", first=opened, pace="by_hand:10").play("N", "drop", at=10)
        for ms in (20, 40, 60):
            live = live.play("S", "drop", at=ms)
        assert live.view()["opened"] == "N"
    assert game(race_rounds="first").start(first="S").events[0] == ("-", "race", 1)
    with pytest.raises(BadPosition, match="AB-24: round 2 has no race"):
        at(THREES, THREES, rules=rules, race="", round="2")
    with pytest.raises(BadRuleset, match=r"AB-24: race_rounds cannot be 'none' \(allowed: all, first\)"):
        game(race_rounds="none")


def test_AB_25_without_a_race() -> None:
    for first in "SN":
        match = game(race="none").start(first=first)
        assert (match.phase, match.turn, match.events) == ("turn", first, ((first, "open", 1),))
    assert ended(24, 30, "pankhurst,race:none").events[-1] == ("N", "open", 2)
    assert ended(27, 27, "pankhurst,race:none", opened="N").turn == "S"
    with pytest.raises(BadRuleset, match=r"AB-25: race cannot be 'round' \(allowed: opening, none\)"):
        game(race="round")


# ── phase two: turns ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_AB_30_one_walk_from_any_own_hole_with_seeds() -> None:
    match = at({2: 1, 5: 3, 9: 1}, {1: 1, 4: 2})
    assert (match.legal("S"), match.legal("N"), match.to_act) == (("S2", "S5", "S9"), (), ("S",))
    for hole in match.legal("S"):
        assert match.play("S", hole).turn != "S", "a turn is one walk"
    empty, theirs = refusal(match, "S", "S1"), refusal(match, "S", "N1")
    assert (empty.clause, empty.reason, empty.allowed) == ("AB-30", "S1 is empty", ("S2", "S5", "S9"))
    assert (theirs.clause, theirs.reason) == ("AB-30", "N1 is not a hole of S")
    out_of_turn = refusal(match, "N", "N1")
    assert (out_of_turn.clause, out_of_turn.allowed) == ("MK-40", ("S2", "S5", "S9"))
    for wrong in ("S10", "SH", "A1", "", None, 3):
        assert refusal(match, "S", wrong, BadAction).clause == "MK-10"
    for action, clause in (("drop", "MK-24"), ("slip", "MK-44")):
        assert refusal(match, "S", action).clause == clause


def test_AB_31_a_seat_without_seeds_ends_the_round_and_the_other_takes_the_rest() -> None:
    # the mover has given its last seed away
    match = at({9: 1}, {1: 2, 4: 5}, 20).play("S", "S9")
    assert match.events[2:5] == (("S", "die", "N9"), ("N", "sweep", "NH", 8), ("N", "win", "seeds"))
    assert board(match) == ([0] * 9, [0] * 9, 20, 34)
    # the opponent has lost its last one, though it would be its turn
    bare = at({1: 1, 4: 2}, {5: 2}, 20).play("S", "S1")
    assert bare.phase == "over"
    assert bare.view()["rounds"][0]["end"] == "empty"
    # never while a hand holds seeds
    held = at({8: 2}, {1: 1}, 20, pace="by_hand:80").play("S", "S8")
    assert (held.view()["board"]["S"], held.phase, held.turn) == ([0] * 9, "turn", "S")
    assert held.play("S", "drop").phase == "turn"
    lost = at({1: 1}, {5: 2}, 20, pace="by_hand:80").play("S", "S1").play("S", "drop")
    assert (lost.view()["board"]["N"], lost.phase, lost.legal("S")) == ([0] * 9, "turn", ("drop",))
    race = at({1: 2}, {1: 2}, 20, "pankhurst", race="", pace="by_hand:80")
    assert (board(race)[:2], race.phase) == (([0] * 9, [0] * 9), "race")
    for seat, rows in (("S", ({}, {1: 1})), ("S", ({1: 1}, {})), ("N", ({1: 1}, {}))):
        with pytest.raises(BadPosition, match="AB-31: a seat has no seed in its holes: the round is over"):
            at(*rows, turn=seat)


# ── next round and match ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("south", "north", "rows", "piles"),
    [
        (20, 34, ([3, 3, 3, 3, 3, 3, 2, 0, 0], [3, 3, 3, 3, 3, 3, 3, 0, 0]), (0, 13)),
        (30, 24, ([3] * 8 + [0], [3] * 8 + [0]), (6, 0)),
        (27, 27, (THREES, THREES), (0, 0)),
        (29, 25, (THREES, [3] * 8 + [1]), (2, 0)),
        (1, 53, ([1] + [0] * 8, [3] + [0] * 8), (0, 50)),
        (52, 2, ([3] + [0] * 8, [2] + [0] * 8), (49, 0)),
    ],
)
def test_AB_40_the_poorer_lays_out_all_and_the_richer_as_many_holes(
    south: int, north: int, rows: tuple[Row, Row], piles: tuple[int, int]
) -> None:
    match = ended(south, north, "pankhurst,race:none")
    assert board(match) == (*rows, *piles)
    assert match.view()["round"] == 2


def test_AB_41_empty_holes_are_not_closed() -> None:
    match = ended(20, 34, "pankhurst,race:none").play("N", "N7")
    assert drops(match)[:3] == ["N8", "N9", "S9"]
    assert None not in board(match)[0] + board(match)[1]
    with pytest.raises(BadPosition, match="MK-42: S cannot hold '-'"):
        muang.position(line({2: 1}, {1: 1}).replace("S=0,", "S=-,"))


def test_AB_42_all_seeds_win_at_once() -> None:
    for number in ("1", "7"):
        match = at({1: 1, 4: 2}, {5: 2}, rules="pankhurst", round=number).play("S", "S1")
        assert match.result is not None
        assert (match.result.winner, match.result.reason, match.result.seeds) == ("S", "all-seeds", {"S": 54, "N": 0})
        assert match.events[-1] == ("S", "win", "all-seeds")
    assert ended(52, 2).result is None
    assert ended(2, 52).result is None


def test_AB_43_after_max_rounds_more_seeds_win() -> None:
    for south, winner in ((30, "S"), (24, "N"), (27, None)):
        match = ended(south, 54 - south, round="30")
        assert match.result is not None
        assert (match.result.winner, match.result.reason, match.result.widows) == (winner, "seeds", {})
        assert match.result.seeds == {"S": south, "N": 54 - south}
        assert ended(south, 54 - south, round="29").result is None
        assert ended(south, 54 - south, "pankhurst,max_rounds:3", round="2").result is None
        assert ended(south, 54 - south, "pankhurst,max_rounds:3", round="3").result is not None
    for wrong in (0, -1, "until_broke", None, 2.0):
        with pytest.raises(BadRuleset, match=r"AB-43: max_rounds cannot be .* \(allowed: 1 "):
            game(max_rounds=wrong)


def test_AB_44_turns_without_a_capture() -> None:
    rows = ({1: 1, 8: 2}, {1: 1, 7: 4})
    quiet = at(*rows, 20, quiet="40").play("S", "S8")
    assert (quiet.events[-1][1], quiet.view()["quiet"]) == ("die", 41)
    assert "quiet=41" in str(quiet.position)
    assert at(*rows, 20).view()["quiet"] == 0
    # a capture begins the count anew
    taken = at({1: 1, 8: 2}, {1: 1, 8: 4}, 20, quiet="40").play("S", "S1")
    assert ("S", "capture", "N8", 4) in taken.events
    assert taken.view()["quiet"] == 0
    assert "quiet" not in str(taken.position)
    # at the limit each player takes the seeds in its own holes
    over = at(*rows, 20, quiet="99").play("S", "S8")
    assert over.view()["rounds"][0]["end"] == "quiet"
    assert (over.view()["rounds"][0]["seeds"], over.phase) == ({"S": 22, "N": 32}, "over")
    assert at(*rows, 20, "turns,quiet_turns:3", quiet="2").play("S", "S8").phase == "over"
    assert at(*rows, 20, "turns,quiet_turns:3", quiet="1").play("S", "S8").phase == "turn"
    # each round begins it anew
    assert ended(30, 24, quiet="70").view()["quiet"] == 0
    with pytest.raises(BadPosition, match="quiet cannot be '100'"):
        at(*rows, 20, quiet="100")
    for wrong in (0, None, "never"):
        with pytest.raises(BadRuleset, match="AB-44: quiet_turns cannot be"):
            game(quiet_turns=wrong)


ENDLESS = "1 2 1 2 0 1 0 1 0 2 1 0 1 2 1 0 1 0"


def along_the_path(seat: str) -> dict[str, Row]:
    """The endless board of the facts, along a seat's path."""
    counts = dict(zip(game().layout.view()["paths"][seat], map(int, ENDLESS.split()), strict=True))
    return {each: [counts[f"{each}{i}"] for i in range(1, 10)] for each in "SN"}


@pytest.mark.parametrize("seat", ["S", "N"])
def test_AB_45_an_endless_walk_is_not_legal(seat: str) -> None:
    rows = along_the_path(seat)
    match = at(rows["S"], rows["N"], turn=seat)
    assert match.legal(seat) == tuple(f"{seat}{i}" for i in (1, 2, 3, 6, 8))
    error = refusal(match, seat, f"{seat}4")
    assert (error.clause, error.reason) == ("AB-45", f"the walk from {seat}4 would never end")
    by_hand = at(rows["S"], rows["N"], turn=seat, pace="by_hand:80")
    assert by_hand.legal(seat) == match.legal(seat), "nor by hand"


STUCK = "abalalae rules={rules} round=1 first=S opened=S S=3,5,0/0 N=1,2,1/0 {quiet}turn=S"
"""Both holes that South could lift are endless."""


def test_AB_45_who_has_only_endless_holes_passes() -> None:
    match = muang.position(STUCK.format(rules="turns,columns:2,seeds:2", quiet="quiet=7 ")).start()
    assert match.events == (("S", "pass"),)
    assert (match.turn, match.view()["quiet"], match.legal("N")) == ("N", 8, ("N1", "N2", "N3"))
    # a pass counts as a quiet turn
    last = muang.position(STUCK.format(rules="turns,columns:2,seeds:2,quiet_turns:8", quiet="quiet=7 ")).start()
    assert (last.view()["rounds"][0]["end"], last.view()["rounds"][0]["seeds"]) == ("quiet", {"S": 8, "N": 4})


def test_AB_45_two_passes_running_end_the_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """No board is known on which both have only endless holes, so here every hole is said to be one."""
    position = muang.position(STUCK.format(rules="turns,columns:2,seeds:2", quiet=""))
    monkeypatch.setattr(kernel, "legal_mask", lambda *_: 0)
    match = position.start()
    assert match.events[:2] == (("S", "pass"), ("N", "pass"))
    assert (match.view()["rounds"][0]["end"], match.view()["rounds"][0]["seeds"]) == ("endless", {"S": 8, "N": 4})


def first_return(match: Match, events: tuple[Event, ...]) -> int | None:
    """The number of events after which a race's situation first comes back: board, hands and who has died. Knows no rules of sowing."""
    view = match.view()
    cells = {f"{seat}{i}": n for seat in "SN" for i, n in enumerate(view["board"][seat], 1)}
    hands = {seat: (hand["at"], hand["seeds"]) for seat, hand in view["hands"].items()}
    dead: set[str] = set()
    seen = {(tuple(cells.values()), tuple(hands.values()), frozenset(dead))}
    for number, event in enumerate(events):
        seat, kind, hole = event[:3]
        if kind == "drop":
            cells[hole] += 1
            hands[seat] = (hole, hands[seat][1] - 1)
        elif kind == "lift":
            cells[hole], hands[seat] = 0, (hole, event[3])
        elif kind == "die":
            dead.add(seat)
            hands[seat] = ("", 0)
        if number + 1 < len(events) and events[number + 1][1] in ("lift", "die"):
            continue  # one step with what follows of it
        situation = (tuple(cells.values()), tuple(hands.values()), frozenset(dead))
        if situation in seen:
            return number + 1
        seen.add(situation)
    return None


@pytest.mark.parametrize(
    ("south", "north", "pile", "opener"),
    [([2, 0, 2], [4, 1, 0], 3, "S"), ([3, 1, 0], [4, 1, 1], 2, "N"), ([4, 0, 1], [2, 2, 1], 2, "S"), ([2, 0, 1], [2, 2, 3], 2, "S")],
)
def test_AB_45_an_endless_race(south: Row, north: Row, pile: int, opener: str) -> None:
    """The first two with one hand still walking, which goes on alone; the others with both, so it goes to who stepped first."""
    words = f"abalalae rules=pankhurst,columns:2,seeds:2 round=1 first=S S={south[0]},{south[1]},{south[2]}/{pile} N={north[0]},{north[1]},{north[2]}/0 race="  # noqa: E501
    start = muang.position(f"{words} pace=steady:10").start()
    match = start.at(10**7)
    events = match.events[:-1]
    assert match.events[-1] == (opener, "open", 1)
    cut = first_return(start, events)
    assert cut is not None
    after = events[cut:]
    assert {event[1] for event in after} <= {"drop", "die"}, "the seeds that are held are dropped without relay"
    alone = [event[0] for event in events[:cut] if event[1] == "die"]
    assert {event[0] for event in after if event[1] == "die"} == {"S", "N"} - set(alone)
    assert opener == (alone[0] if alone else "S")
    # at lockstep it is the same race
    at_once = muang.position(words).start()
    assert (board(at_once), at_once.turn) == (board(match), opener)


def test_AB_45_by_hand_only_a_lone_hand_is_tested() -> None:
    words = "abalalae rules=pankhurst,columns:2,seeds:2 round=1 first=S S={}/{} N={}/0 race= pace=by_hand:1"
    both = muang.position(words.format("4,0,1", 2, "2,2,1")).start()
    for ms in range(1, 400):
        both = both.play("S", "drop", at=3 * ms).play("N", "drop", at=3 * ms + 1)
    assert (both.phase, both.to_act) == ("race", ("S", "N")), "two people may walk in circles as long as they like"
    lone = muang.position(words.format("2,0,2", 3, "4,1,0")).start()
    steps = 0
    while lone.phase == "race":
        seats, steps = lone.to_act, steps + 1
        assert steps < 200
        for seat in seats:
            if lone.phase == "race" and seat in lone.to_act:
                lone = lone.play(seat, "drop")
    assert lone.phase == "turn"


def test_AB_46_leaving_draws_and_taking_back() -> None:
    start = game("turns").start(first="S")
    for reason in ("resigned", "left", "flag"):
        over = start.leave("S", reason)
        assert over.result is not None
        assert (over.result.winner, over.result.reason, over.result.seeds) == ("N", reason, {"S": 27, "N": 27})
        with pytest.raises(IllegalAction, match="MK-56"):
            over.agree_draw()
    drawn = start.agree_draw()
    assert drawn.result is not None
    assert (drawn.result.winner, drawn.result.reason) == (None, "agreed")
    one = start.play("S", "S2")
    two = one.play("N", one.legal("N")[-1])
    assert str(two.take_back().position) == str(one.position)
    assert str(one.take_back().position) == str(start.position)
    with pytest.raises(IllegalAction, match="MK-56: there is no turn to take back"):
        start.take_back()
    race = game().start(first="S", pace="by_hand")
    with pytest.raises(IllegalAction, match="MK-56: nothing is taken back in a race"):
        race.take_back()
    raced = game().start(first="S")
    with pytest.raises(IllegalAction, match="MK-56"):
        raced.take_back()
    walking = race.play("S", "drop", at=80).leave("N")
    assert walking.result is not None
    assert (walking.result.seeds, walking.phase) == ({"S": 27, "N": 27}, "over")


def test_AB_46_the_default_pace_of_a_live_race_is_by_hand() -> None:
    with_the_lot = {first: game().start(first=first, pace="steady", tempo=10).at(10_000).turn for first in "SN"}
    assert with_the_lot == {"S": "S", "N": "N"}, "a steady race is decided by the lot alone"
    form = (Path(muang.__file__).parent / "web" / "static" / "plan.js").read_text("utf-8")
    assert 'this.pace = game.name === "abalalae" ? "by_hand" : "steady";' in form, "so the form for a new match begins with it"
