"""Cờ cá ngựa, clause by clause, and what its positions, actions and options refuse."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import product
from typing import Any

import pytest

import muang
from muang.errors import BadAction, BadPosition, BadRuleset, IllegalAction, RulesError
from muang.games import lots
from muang.games.ca_ngua.batch import simulate
from muang.games.ca_ngua.match import CaNguaMatch
from muang.games.ca_ngua.position import CaNguaPosition, pack, unpack
from muang.games.ca_ngua.rules import CaNgua

S = "stable"
Horses = dict[int, tuple[Any, Any]]


def game(**options: Any) -> CaNgua:
    made = muang.game("ca-ngua", **options)
    assert isinstance(made, CaNgua)
    return made


def at(horses: Horses, turn: int = 0, dice: tuple[int, int] | None = None, **options: Any) -> CaNguaMatch:
    """A match in which ``turn`` rolls ``dice`` from these horses; without dice the roll is still due."""
    match = CaNguaPosition.build(game(**options), horses, turn).start()
    return match if dice is None else match.roll(dice)


def legal(horses: Horses, dice: tuple[int, int], **options: Any) -> set[str]:
    """What seat 0 may do with these dice."""
    return set(at(horses, 0, dice, **options).legal(0))


def horses_of(match: CaNguaMatch, seat: int) -> set[Any]:
    return set(match.position.horses[seat])


# ── board ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("track", [56, 52, 48])
def test_CN_1_track_starts_gate_and_lane(track: int) -> None:
    quarter = track // 4
    for mover, other in product(range(4), repeat=2):
        if mover == other:
            continue
        # the mover goes from its start to 5; the other stands on the same square, counted from its own start
        same = (5 + (mover - other) * quarter) % track
        match = at({mover: (S, 0), other: (S, same)}, mover, (2, 3), track=track).play(mover, "0-5")
        assert match.events == ((mover, "step", 0, 5), (mover, "kick", other, same))
    assert f"{track - 3}-{track - 1}" in legal({0: (S, track - 3), 2: (S, S)}, (1, 1), track=track)
    assert legal({0: (S, track - 1), 2: (S, S)}, (1, 3), track=track) == {f"{track - 1}-slot4"}
    # the lane is the seat's own: a horse of seat 2 in its slot 1 is in nobody's way
    assert legal({0: (S, track - 1), 2: (S, "slot1")}, (1, 2), track=track) == {f"{track - 1}-slot3"}
    with pytest.raises(BadPosition, match="CN-3"):
        CaNguaPosition.build(game(track=track), {0: (S, track), 2: (S, S)}, 0)


def test_CN_1_track_has_no_other_length() -> None:
    with pytest.raises(BadRuleset, match=r"CN-1: track cannot be 54 \(allowed: 56, 52, 48\)"):
        game(track=54)


def test_CN_2_seats() -> None:
    assert game().start().seats == (0, 2)
    for seats in ((0, 2), (0, 1), (1, 3), (0, 1, 2), (1, 2, 3), (0, 1, 2, 3)):
        match = game().start(seats=seats)
        assert match.seats == seats
        assert match.position.horses == dict.fromkeys(seats, (S, S))
    assert game().start(seats=(3, 0)).seats == (0, 3)
    assert len(set(CaNgua.seat_choices)) == 11
    assert CaNgua.seat_choices[:3] == ((0, 2), (0, 1, 2), (0, 1, 2, 3))
    for wrong in ((0,), (0, 0), (0, 4), (-1, 2), (0, 1, 2, 3, 3), ("S", "N"), (True, 2), 2, ()):
        with pytest.raises(BadAction, match="CN-2"):
            game().start(seats=wrong)  # type: ignore[arg-type]


def test_CN_3_progress() -> None:
    start = at({0: (S, 0), 2: (S, S)}, dice=(5, 5))
    assert start.legal(0) == ("0-5", "0-10")
    line = "ca-ngua rules=phone seats=0,2 0=stable,0 2=55,slot1 turn=0"
    assert muang.position(line).view()["horses"] == {"0": [S, 0], "2": [55, "slot1"]}
    for wrong in ("56", "-1", "slot0", "slot5", "slot", "01", "gate", "", "٣", "1" * 50):
        with pytest.raises(BadPosition):
            muang.position(line.replace("55,", f"{wrong},"))


# ── turn ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_CN_10_the_system_rolls() -> None:
    match = game().start(seed=1, first=0)
    assert (match.phase, match.turn, match.to_act, match.legal(0)) == ("roll", 0, (), ())
    with pytest.raises(IllegalAction, match="CN-10"):
        match.play(0, "stable-0")
    moving = match.roll((6, 6))
    assert (moving.phase, moving.turn, moving.to_act, moving.legal(0), moving.legal(2)) == ("move", 0, (0,), ("stable-0",), ())
    with pytest.raises(IllegalAction, match=r"CN-13: .*stable-0"):
        moving.roll((1, 2))
    for wrong in ((0, 1), (1, 7), (1,), (1, 2, 3), (True, 1), (1.0, 1), "12", None):
        with pytest.raises(BadAction, match="CN-10"):
            match.roll(wrong)  # type: ignore[arg-type]


def test_CN_11_release_rolls() -> None:
    released = {dice for dice in product(range(1, 7), repeat=2) if legal({0: (S, S), 2: (S, S)}, dice)}
    assert released == {(n, n) for n in range(1, 7)} | {(1, 6), (6, 1)}


@pytest.mark.parametrize("keep", [True, False])
def test_CN_12_a_release_roll_rolls_again(keep: bool) -> None:
    for dice in ((3, 3), (1, 6), (6, 1)):
        moved = at({0: (S, 10), 2: (S, S)}, 0, dice, keep_repeat=keep).play(0, "stable-0")
        assert (moved.phase, moved.turn) == ("roll", 0)
        stuck = at({0: (53, "slot4"), 2: (S, 26)}, 0, dice, keep_repeat=keep)  # square 54 is taken, and slot 4 is too near
        assert stuck.events == ((0, "roll", *dice), (0, "no-move"))
        assert (stuck.phase, stuck.turn) == ("roll", 0 if keep else 2)
    repeats = at({0: (S, "slot1"), 2: (S, S)}, 0, (6, 6), keep_repeat=keep).play(0, "slot1-slot2")
    for square in range(0, 48, 2):  # no limit to repeats
        dice, action = ((6, 6), "stable-0") if square == 0 else ((1, 1), f"{square - 2}-{square}")
        repeats = repeats.roll(dice).play(0, action)
        assert repeats.turn == 0


def test_CN_12_other_rolls_pass_the_turn() -> None:
    moved = at({0: (S, 10), 2: (S, S)}, 0, (3, 4)).play(0, "10-17")
    assert (moved.phase, moved.turn) == ("roll", 2)


def test_CN_13_a_roll_without_a_move_is_lost_and_a_move_is_compulsory() -> None:
    lost = at({0: (S, S), 2: (S, S)}, 0, (3, 4))
    assert lost.events == ((0, "roll", 3, 4), (0, "no-move"))
    assert (lost.phase, lost.turn) == ("roll", 2)
    forced = at({0: (S, 10), 2: (S, S)}, 0, (3, 4))
    with pytest.raises(IllegalAction, match=r"CN-13: .*\(allowed: 10-17\)"):
        forced.play(0, "pass")


def test_CN_14_the_starter_is_drawn_from_the_seed() -> None:
    seats = (0, 1, 3)
    drawn = [game().start(seed=seed, seats=seats).first for seed in range(600)]
    assert drawn == [seats[lots.below(seed, "first", 0, 3)] for seed in range(600)]
    assert all(150 < drawn.count(seat) < 250 for seat in seats)
    given = game().start(seed=1, seats=seats, first=3)
    assert (given.first, given.turn) == (3, 3)
    for _ in range(2):  # then round the table in rising number
        turns = []
        for _ in seats:
            turns.append(given.turn)
            given = given.roll((1, 2))
        assert turns == [3, 0, 1]
    for wrong in (2, "S", True):
        with pytest.raises(BadAction, match="CN-14"):
            game().start(seats=seats, first=wrong)  # type: ignore[arg-type]
    for seed in (-1, 1 << 64, "7"):
        with pytest.raises(BadAction, match="CN-14"):
            game().start(seed=seed)  # type: ignore[arg-type]
    with pytest.raises(IllegalAction, match="CN-14: it is seat 0's turn"):
        at({0: (S, 10), 2: (S, 5)}, 0, (3, 4)).play(2, "5-12")


# ── moves ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_CN_20_enter() -> None:
    entered = at({0: (S, S), 2: (S, S)}, 0, (6, 1)).play(0, "stable-0")
    assert entered.events == ((0, "enter", 0),)
    assert horses_of(entered, 0) == {S, 0}
    assert entered.phase == "roll"  # the roll is used up
    assert legal({0: (S, 10), 2: (S, S)}, (2, 3)) == {"10-15"}
    with pytest.raises(IllegalAction, match="CN-20"):
        at({0: (S, 10), 2: (S, S)}, 0, (2, 3)).play(0, "stable-0")


def test_CN_21_advance_by_the_total() -> None:
    for dice in product(range(1, 7), repeat=2):
        assert f"10-{10 + sum(dice)}" in legal({0: (S, 10), 2: (S, S)}, dice)
    assert legal({0: (40, 10), 2: (S, S)}, (1, 2)) == {"10-13", "40-43"}
    with pytest.raises(IllegalAction, match=r"CN-21: .*\(allowed: 10-13\)"):
        at({0: (S, 10), 2: (S, S)}, 0, (1, 2)).play(0, "10-14")


def test_CN_22_doubles_face() -> None:
    assert legal({0: (S, 10), 2: (S, S)}, (3, 3)) == {"stable-0", "10-13", "10-16"}
    after = at({0: (S, 10), 2: (S, S)}, 0, (3, 3)).play(0, "10-13")
    assert (after.phase, after.turn) == ("roll", 0)  # one move a roll
    assert legal({0: (S, 10), 2: (S, S)}, (1, 6)) == {"stable-0", "10-17"}
    # the total is blocked, one die is not
    assert legal({0: (S, 10), 2: (S, 42)}, (3, 3)) == {"stable-0", "10-13"}


def test_CN_22_doubles_total() -> None:
    assert legal({0: (S, 10), 2: (S, S)}, (3, 3), doubles="total") == {"stable-0", "10-16"}
    with pytest.raises(IllegalAction, match="CN-22: doubles move by the total"):
        at({0: (S, 10), 2: (S, S)}, 0, (3, 3), doubles="total").play(0, "10-13")


def test_CN_22_doubles_extra() -> None:
    rolled = at({0: (S, 10), 2: (S, S)}, 0, (3, 3), doubles="extra")
    assert rolled.legal(0) == ("10-16", "stable-0")
    assert rolled.view()["extra"] is False
    for first, second in (("10-16", "16-19"), ("stable-0", "0-3"), ("stable-0", "10-13")):
        extra = rolled.play(0, first)
        assert (extra.phase, extra.turn, extra.position.dice, extra.view()["extra"]) == ("move", 0, (3, 3), True)
        assert second in extra.legal(0)
        assert extra.legal(0)[-1] == "pass"
        for action in (second, "pass"):
            after = extra.play(0, action)
            assert (after.phase, after.turn) == ("roll", 0)
    assert rolled.play(0, "10-16").play(0, "pass").events == ((0, "pass"),)
    # not after other release rolls, and not where no horse can advance by one die
    assert at({0: (S, 10), 2: (S, S)}, 0, (1, 6), doubles="extra").play(0, "10-17").phase == "roll"
    assert at({0: (S, S), 2: (S, S)}, 0, (3, 3), doubles="extra").play(0, "stable-0").legal(0) == ("0-3", "pass")
    assert at({0: ("slot1", S), 2: (S, 31)}, 0, (3, 3), doubles="extra").play(0, "slot1-slot2").phase == "roll"
    # also when no move by the total was possible
    only = at({0: (54, S), 2: (S, 28)}, 0, (3, 3), doubles="extra")
    assert only.legal(0) == ("stable-0",)
    only = at({0: (54, "slot4"), 2: (S, S)}, 0, (3, 3), doubles="extra")
    assert only.events == ((0, "roll", 3, 3),)
    assert only.legal(0) == ("54-slot2", "pass")
    # a climb is no advance, neither in the lane nor from the gate
    assert "slot1-slot2" not in at({0: ("slot1", 20), 2: (S, S)}, 0, (3, 3), doubles="extra").play(0, "20-26").legal(0)
    assert at({0: (20, 55), 2: (S, S)}, 0, (1, 1), doubles="extra", gate="climb").play(0, "20-22").legal(0) == ("22-23", "pass")
    with pytest.raises(IllegalAction, match="CN-22"):
        rolled.play(0, "10-16").play(0, "16-22")


def test_CN_22_extra_kicks_blocks_and_wins() -> None:
    kicks = at({0: (10, 20), 2: (S, 51)}, 0, (3, 3), doubles="extra").play(0, "10-16")
    assert kicks.view()["moves"] == [
        {"action": "20-23", "from": 20, "to": 23, "kicks": 2},
        {"action": "16-19", "from": 16, "to": 19, "kicks": None},
    ]
    blocked = at({0: (10, 20), 2: (S, 50)}, 0, (3, 3), doubles="extra").play(0, "10-16")
    assert blocked.legal(0) == ("16-19", "pass")
    extra = at({0: (55, "slot4"), 2: (S, S)}, 0, (3, 3), doubles="extra")
    assert extra.position.extra
    won = extra.play(0, "55-slot3")
    assert won.events == ((0, "step", 55, "slot3"), (0, "win", "horses"))
    # not after a win
    assert at({0: (54, "slot4"), 2: (S, S)}, 0, (2, 2), doubles="extra").play(0, "54-slot3").phase == "over"


def test_CN_22_extra_and_CN_12() -> None:
    """Without ``keep_repeat`` a roll is without a move if neither its move nor the extra one was made."""
    for keep in (True, False):
        rolled = at({0: (54, "slot4"), 2: (S, S)}, 0, (3, 3), doubles="extra", keep_repeat=keep)
        assert rolled.view()["again"] is keep
        assert rolled.play(0, "pass").turn == (0 if keep else 2)
        assert rolled.play(0, "54-slot2").turn == 0
        moved = at({0: (10, "slot4"), 2: (S, S)}, 0, (3, 3), doubles="extra", keep_repeat=keep).play(0, "10-16")
        assert moved.play(0, "pass").turn == 0


def test_CN_23_a_horse_on_the_way_blocks() -> None:
    for between in range(11, 16):
        assert legal({0: (S, 10), 2: (S, (between - 28) % 56)}, (2, 4)) == set()  # another's
        assert "10-16" not in legal({0: (between, 10), 2: (S, S)}, (2, 4))  # an own one
        with pytest.raises(IllegalAction, match="CN-23"):
            at({0: (between, 10), 2: (S, S)}, 0, (2, 4)).play(0, "10-16")
    for beside in (9, 17):
        assert "10-16" in legal({0: (S, 10), 2: (S, (beside - 28) % 56)}, (2, 4))
    assert "54-slot4" not in legal({0: (54, "slot2"), 2: (S, S)}, (1, 4))  # in the lane too
    # round the end of the other's counting: seat 2 passes seat 0's start
    assert at({0: (S, 0), 2: (S, 26)}, 2, (1, 3)).events[-1] == (2, "no-move")


def test_CN_24_kick() -> None:
    match = at({0: (S, 10), 2: (3, 44)}, 0, (2, 4))
    assert match.view()["moves"] == [{"action": "10-16", "from": 10, "to": 16, "kicks": 2}]
    kicked = match.play(0, "10-16")
    assert kicked.events == ((0, "step", 10, 16), (0, "kick", 2, 44))
    assert horses_of(kicked, 2) == {S, 3}
    # entering kicks as well
    entry = at({0: (S, S), 2: (28, 30)}, 0, (6, 6)).play(0, "stable-0")
    assert entry.events == ((0, "enter", 0), (0, "kick", 2, 28))
    assert horses_of(entry, 2) == {S, 30}
    # never an own horse
    assert legal({0: (10, 16), 2: (S, S)}, (2, 4)) == {"16-22"}
    assert legal({0: (S, 0), 2: (S, S)}, (1, 6)) == {"0-7"}
    with pytest.raises(IllegalAction, match="CN-24"):
        at({0: (10, 16), 2: (S, S)}, 0, (2, 4)).play(0, "10-16")
    # a horse in its lane stands on no square
    assert at({0: (S, 26), 2: (S, "slot1")}, 0, (1, 1)).play(0, "26-28").events == ((0, "step", 26, 28),)


def test_CN_25_run_in() -> None:
    assert legal({0: (S, 50), 2: (S, S)}, (4, 5)) == {"50-slot4"}
    assert legal({0: (S, 50), 2: (S, S)}, (4, 6)) == set()  # no farther than slot 4
    assert legal({0: (S, 55), 2: (S, S)}, (1, 1)) == {"stable-0", "55-slot1", "55-slot2"}
    assert legal({0: (S, 55), 2: (S, S)}, (1, 6)) == {"stable-0"}  # from the gate it advances, it does not climb
    assert legal({0: ("slot3", 55), 2: (S, S)}, (1, 3)) == {"slot3-slot4"}  # blocked by the horse in slot 3


def test_CN_25_climb() -> None:
    options = {"gate": "climb"}
    assert legal({0: (S, 50), 2: (S, S)}, (1, 4), **options) == {"50-55"}
    assert legal({0: (S, 50), 2: (S, S)}, (2, 4), **options) == set()
    assert legal({0: (S, 55), 2: (S, S)}, (1, 1), **options) == {"stable-0", "55-slot1"}
    assert legal({0: (S, 55), 2: (S, S)}, (1, 6), **options) == {"stable-0", "55-slot1"}
    assert legal({0: (S, 55), 2: (S, S)}, (1, 3), **options) == set()
    assert legal({0: ("slot1", 55), 2: (S, S)}, (6, 6), **options) == {"slot1-slot2"}
    with pytest.raises(IllegalAction, match="CN-25"):
        at({0: (20, 50), 2: (S, S)}, 0, (2, 4), **options).play(0, "50-slot1")
    with pytest.raises(IllegalAction, match="CN-25"):
        at({0: (20, 55), 2: (S, S)}, 0, (1, 3), **options).play(0, "55-slot4")
    assert muang.game("ca-ngua", ruleset="gate").options["gate"] == "climb"


def test_CN_25_jump() -> None:
    options = {"gate": "jump"}
    assert legal({0: (S, 50), 2: (S, S)}, (2, 4), **options) == set()
    assert legal({0: (S, 55), 2: (S, S)}, (1, 3), **options) == {"55-slot4"}
    assert legal({0: (S, 55), 2: (S, S)}, (2, 3), **options) == set()
    assert legal({0: ("slot1", 55), 2: (S, S)}, (1, 3), **options) == set()  # the slots passed must be free
    assert legal({0: ("slot1", 55), 2: (S, S)}, (1, 2), **options) == set()
    with pytest.raises(IllegalAction, match="CN-23"):
        at({0: ("slot1", 55), 2: (S, S)}, 0, (1, 1), **options).play(0, "55-slot2")
    assert legal({0: ("slot3", 55), 2: (S, S)}, (1, 1), **options) == {"slot3-slot4", "55-slot1", "55-slot2"}
    assert legal({0: ("slot3", 55), 2: (S, S)}, (1, 2), **options) == set()  # the slot itself is not
    assert legal({0: (S, 55), 2: (S, S)}, (2, 2), **options) == {"stable-0", "55-slot2", "55-slot4"}
    assert legal({0: (S, 55), 2: (S, S)}, (1, 6), **options) == {"stable-0"}  # CN-26 does not apply on the gate


def test_CN_25_a_gate_that_stops_contradicts_doubles_total() -> None:
    for gate in ("climb", "jump"):
        with pytest.raises(BadRuleset, match="CN-25") as caught:
            game(gate=gate, doubles="total")
        assert caught.value.allowed
    with pytest.raises(BadRuleset, match="CN-25"):
        muang.game("ca-ngua", ruleset="gate", doubles="total")
    assert game(gate="run_in", doubles="total").options["doubles"] == "total"


def test_CN_26_climb_in_the_lane() -> None:
    for slot, dice in ((1, (1, 1)), (2, (1, 2)), (3, (1, 3)), (3, (2, 2)), (1, (1, 6)), (2, (5, 5))):
        assert f"slot{slot}-slot{slot + 1}" in legal({0: (S, f"slot{slot}"), 2: (S, S)}, dice)
    for slot, dice in ((1, (1, 2)), (2, (1, 3)), (3, (2, 3)), (4, (2, 3)), (2, (3, 4))):
        assert legal({0: (S, f"slot{slot}"), 2: (S, S)}, dice) == set()
    assert legal({0: ("slot2", "slot3"), 2: (S, S)}, (1, 2)) == set()  # the next slot must be free
    assert legal({0: ("slot2", "slot3"), 2: (S, S)}, (4, 4)) == {"slot3-slot4"}
    climbed = at({0: (S, "slot1"), 2: (S, S)}, 0, (4, 4)).play(0, "slot1-slot2")
    assert climbed.events == ((0, "step", "slot1", "slot2"),)
    with pytest.raises(IllegalAction, match="CN-26"):
        at({0: (20, "slot1"), 2: (S, S)}, 0, (1, 2)).play(0, "slot1-slot3")


def test_CN_27_one_enter_move() -> None:
    assert at({0: (S, S), 2: (S, S)}, 0, (6, 6)).legal(0) == ("stable-0",)


# ── end ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_CN_30_both_horses_in_slots_4_and_3() -> None:
    match = at({0: ("slot4", "slot2"), 2: (S, 5)}, 0, (1, 2)).play(0, "slot2-slot3")
    assert match.events == ((0, "step", "slot2", "slot3"), (0, "win", "horses"))
    assert match.result is not None
    assert (match.result.winner, match.result.reason, match.result.seeds) == (0, "horses", {})
    assert (match.phase, match.turn, match.to_act, match.legal(0), match.legal(2)) == ("over", None, (), (), ())
    assert match.view()["result"] == {"winner": 0, "seeds": {}, "widows": {}, "reason": "horses"}
    for action in (lambda: match.roll((1, 2)), lambda: match.play(2, "5-8"), lambda: match.leave(2)):
        with pytest.raises(IllegalAction, match="CN-30"):
            action()
    assert at({0: ("slot4", "slot1"), 2: (S, S)}, 0, (1, 1)).play(0, "slot1-slot2").result is None


def test_CN_31_leaving_on_turn() -> None:
    match = at({0: (5, 9), 1: (S, 20), 2: (S, S)}, 0, (3, 3))
    left = match.leave(0)
    assert left.events == ((0, "leave"),)
    assert (left.phase, left.turn, left.position.left, horses_of(left, 0)) == ("roll", 1, (0,), {S})
    turns = []
    for _ in range(4):  # it never rolls again
        turns.append(left.turn)
        left = left.roll((1, 2))
        left = left.play(left.turn, left.legal(left.turn)[0]) if left.phase == "move" else left
    assert turns == [1, 2, 1, 2]


def test_CN_31_leaving_out_of_turn() -> None:
    match = at({0: (5, 9), 1: (S, 20), 2: (S, S)}, 0, (3, 4))
    left = match.leave(1)
    assert (left.phase, left.turn, left.position.dice) == ("move", 0, (3, 4))
    blocked = at({0: (5, 40), 1: (S, 52), 2: (S, S)}, 0, (3, 4))  # seat 1's horse on square 10 blocks 5-12
    assert blocked.legal(0) == ("40-47",)
    freed = blocked.leave(1, "flag")
    assert freed.legal(0) == ("40-47", "5-12")  # and then blocks nothing
    assert freed.log[-1] == muang.Entry("leave", 1, "flag")
    waiting = at({0: (5, 9), 1: (S, S), 2: (S, S)}, 0)
    assert waiting.leave(2).turn == 0


def test_CN_31_the_last_one_left_wins() -> None:
    for turn in (0, 1, 3):
        match = at({0: (5, 9), 1: (S, 20), 3: (S, S)}, turn).leave(3).leave(0, "resigned")
        assert match.events == ((0, "leave"), (1, "win", "last-left"))
        assert match.result is not None
        assert (match.result.winner, match.result.reason) == (1, "last-left")
        with pytest.raises(IllegalAction, match="CN-31"):
            match.leave(1)
    with pytest.raises(IllegalAction, match=r"CN-31: seat 3 has left already \(allowed: 0, 1\)"):
        at({0: (5, 9), 1: (S, 20), 3: (S, S)}).leave(3).leave(3)
    with pytest.raises(BadAction, match=r"CN-31: .*left, resigned, flag"):
        at({0: (5, 9), 2: (S, S)}).leave(0, "bored")
    with pytest.raises(BadAction, match="CN-2"):
        at({0: (5, 9), 2: (S, S)}).leave(1)


# ── controls and dice ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_CN_40_order_of_moves() -> None:
    assert at({0: (S, 10), 2: (S, S)}, 0, (3, 3)).legal(0) == ("10-13", "10-16", "stable-0")
    assert at({0: (40, 10), 2: (S, S)}, 0, (2, 2)).legal(0) == ("40-42", "40-44", "10-12", "10-14")
    assert at({0: (54, "slot1"), 2: (S, S)}, 0, (2, 2)).legal(0) == ("slot1-slot2",)
    assert at({0: ("slot3", 20), 2: (S, S)}, 0, (1, 1)).legal(0) == ("slot3-slot4", "20-21", "20-22")
    view = at({0: (S, 10), 2: (S, 44)}, 0, (3, 3)).view()
    assert [move["action"] for move in view["moves"]] == view["legal"]["0"]
    assert [move["kicks"] for move in view["moves"]] == [None, 2, None]  # whom it would kick is always shown


def test_CN_41_no_move_is_said() -> None:
    match = at({0: (S, S), 2: (S, S)}, 0, (2, 5))
    assert match.events == ((0, "roll", 2, 5), (0, "no-move"))  # the dice to show, and why nothing follows


def test_CN_42_the_move_that_goes_farthest() -> None:
    assert at({0: (S, 10), 2: (S, S)}, 0, (3, 3)).farthest == "10-16"
    assert at({0: (40, 10), 2: (S, S)}, 0, (2, 3)).farthest == "40-45"  # of equal ones the higher progress
    assert at({0: ("slot1", S), 2: (S, S)}, 0, (2, 2)).farthest == "slot1-slot2"  # an entry counts 0, a climb 1
    assert at({0: ("slot1", 5), 2: (S, S)}, 0, (1, 1)).farthest == "5-7"
    assert at({0: (S, S), 2: (S, S)}, 0, (2, 2)).farthest == "stable-0"
    assert at({0: (S, 10), 2: (S, S)}, 0, (3, 3), doubles="extra").play(0, "10-16").farthest == "pass"
    assert at({0: (S, S), 2: (S, S)}, 0).farthest is None
    assert game().options["turn_seconds"] is None
    assert game(turn_seconds=20).options["turn_seconds"] == 20
    for wrong in (0, 3601, "20", True, 2.5):
        with pytest.raises(BadRuleset, match="CN-42"):
            game(turn_seconds=wrong)


def test_CN_50_dice_come_from_outside() -> None:
    """The same dice and choices lead to the same place, whatever the seed."""
    ends = set()
    for seed in (1, 2, 3):
        match = game().start(seed=seed, first=2)
        for number in range(200):
            if match.phase == "roll":
                match = match.roll(lots.dice(99, number))
            elif match.turn is not None:
                match = match.play(match.turn, match.legal(match.turn)[0])
        ends.add(str(match.position))
    assert len(ends) == 1


# ── facts ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("seats", "rolls"), [((0, 2), 66), ((0, 1, 2), 98), ((0, 1, 2, 3), 133)])
def test_length_of_random_games(seats: tuple[int, ...], rolls: int) -> None:
    totals = simulate(game(), 20_000, seed=5, seats=seats)
    assert abs(totals.mean - rolls) < 1
    assert 0.35 < totals.counts["no_moves"] / totals.counts["rolls"] < 0.43


# ── options, positions, actions ──────────────────────────────────────────────────────────────────────────────────────────────


def test_rulesets_and_options() -> None:
    assert tuple(CaNgua.rulesets) == ("phone", "gate")
    assert game().options == {"track": 56, "doubles": "face", "gate": "run_in", "keep_repeat": True, "turn_seconds": None}
    assert all(option.clause.startswith("CN-") for option in CaNgua.option_list)
    for wrong in ({"doubles": "both"}, {"gate": "open"}, {"keep_repeat": 1}, {"colour": "red"}):
        with pytest.raises(BadRuleset):
            game(**wrong)


def test_rules_load_without_numba() -> None:
    code = "import sys, muang; muang.game('ca-ngua', doubles='extra');assert not {'numba', 'numpy'} & set(sys.modules), sorted(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("change", "clause"),
    [
        ("0=12,12", "CN-24"),
        ("0=12,40", "CN-24"),  # square 40 of seat 0 is 12 of seat 2
        ("0=stable", "CN-2"),
        ("0=1,2,3", "CN-2"),
        ("0=1,99", "CN-3"),
        ("0=slot4,slot4", "CN-24"),
        ("turn=1", "CN-14"),
        ("turn=x", ""),
        ("turn=-", "CN-14"),
        ("dice=0,1", "CN-10"),
        ("dice=1,7", "CN-10"),
        ("dice=1", "CN-10"),
        ("dice=1,2,3", "CN-10"),
        ("dice=-", "CN-10"),
        ("dice=5,6 0=stable,stable", "CN-13"),
        ("left=0", "CN-31"),
        ("left=0,0 0=stable,stable", "CN-31"),
        ("left=1", "CN-31"),
        ("left=0,2 0=stable,stable 2=stable,stable", "CN-31"),
        ("left=2 2=stable,stable", "CN-31"),  # over, but somebody is on turn
        ("left=2 2=stable,stable 0=slot3,slot4 turn=-", "CN-30"),
        ("0=slot3,slot4", "CN-30"),
        ("0=slot3,slot4 2=slot3,slot4 turn=-", "CN-30"),
        ("dice=3,3 extra=true", "CN-22"),
        ("extra=true", "CN-22"),
        ("extra=yes", "CN-22"),
        ("again=false", "CN-22"),
        ("seats=0", "CN-2"),
        ("seats=2,0", "CN-2"),
        ("seats=0,0", "CN-2"),
        ("seats=0,5", "CN-2"),
        ("seats=0,1,2", "CN-2"),
        ("1=stable,stable", ""),
        ("wind=3", ""),
    ],
)
def test_impossible_positions(change: str, clause: str) -> None:
    fields = {"seats": "0,2", "0": "stable,5", "2": "stable,12", "turn": "0"}
    fields |= dict(pair.split("=") for pair in change.split())
    with pytest.raises(BadPosition) as caught:
        muang.position("ca-ngua rules=phone " + " ".join(f"{key}={value}" for key, value in fields.items()))
    assert caught.value.clause == clause, caught.value


def test_missing_fields() -> None:
    fields = ["seats=0,2", "0=stable,5", "2=stable,12", "turn=0"]
    for missing in fields:
        with pytest.raises(BadPosition):
            muang.position("ca-ngua rules=phone " + " ".join(field for field in fields if field != missing))


def test_extra_positions() -> None:
    line = "ca-ngua rules=phone,doubles:extra,keep_repeat:false seats=0,2 0=54,slot4 2=stable,stable turn=0 dice=3,3 extra=true again=false"
    position = muang.position(line)
    assert str(position) == line
    assert position.start().legal(0) == ("54-slot2", "pass")
    assert position.view()["again"] is False
    with pytest.raises(BadPosition, match="CN-12"):
        muang.position(line.replace(",keep_repeat:false", ""))
    with pytest.raises(BadPosition, match="CN-22"):
        muang.position(line.replace("dice=3,3", "dice=1,6"))
    with pytest.raises(BadPosition, match="CN-22"):
        muang.position(line.replace("dice=3,3", "dice=6,6"))  # nothing to choose


@pytest.mark.parametrize(
    "line",
    [
        "ca-ngua rules=phone seats=0,2 0=stable,12 2=55,slot2 turn=0 dice=3,3",
        "ca-ngua rules=gate,track:48 seats=0,1,3 0=stable,12 1=stable,stable 3=47,slot1 left=1 turn=3",
        "ca-ngua rules=phone seats=0,2 0=slot3,slot4 2=stable,stable turn=-",
        "ca-ngua rules=phone,turn_seconds:20 seats=1,3 1=stable,stable 3=0,9 left=1 turn=-",
    ],
)
def test_lines_of_positions(line: str) -> None:
    position = muang.position(line)
    assert str(position) == line
    assert isinstance(position, CaNguaPosition)
    match = position.start(seed=4)
    assert match.position == position
    assert (match.log, match.events, match.seed) == ((), (), 4)
    assert match.view() == position.view() == json.loads(json.dumps(position.view()))
    key = pack(position)
    assert unpack(position.game, key, position.seats) == position
    assert 0 <= key < 1 << 60


def test_keys_that_no_position_has() -> None:
    position = muang.position("ca-ngua rules=phone seats=0,2 0=5,12 2=stable,55 turn=0")
    assert isinstance(position, CaNguaPosition)
    key = pack(position)
    assert unpack(position.game, key) == position
    swapped = key & ~4095 | 13 | 6 << 6
    wrong = (-1, 1 << 60, 0, "7", swapped, key | 1 << 12, key | 63 << 30, key | 50 << 54, key | 1 << 52, key & ~(1 << 50))
    for bad in wrong:
        with pytest.raises(BadPosition):
            unpack(position.game, bad)  # type: ignore[arg-type]
    with pytest.raises(RulesError):
        unpack(position.game, key, (0, 1))


def test_wrong_actions_name_what_is_allowed_and_change_nothing() -> None:
    match = at({0: (S, 10), 2: (S, S)}, 0, (3, 4))
    line, log = str(match.position), match.log
    for action in ("", "10", "10-", "10-17-20", "ten-17", "10-99", "10–17", "slot1", None, 7, ("10", "17")):
        with pytest.raises(BadAction) as bad:
            match.play(0, action)  # type: ignore[arg-type]
        assert bad.value.allowed == ("10-17",)
    for action in ("11-18", "stable-0", "10-16", "10-slot1", "slot1-slot2", "pass", "10-10", "10-3"):
        with pytest.raises(IllegalAction) as illegal:
            match.play(0, action)
        assert illegal.value.allowed == ("10-17",)
        assert illegal.value.clause.startswith("CN-")
    for seat in (1, 3, 4, "0", None, True):
        with pytest.raises(BadAction, match="CN-2"):
            match.play(seat, "10-17")  # type: ignore[arg-type]
    with pytest.raises(IllegalAction):
        match.take_back()
    with pytest.raises(IllegalAction, match="CN-30"):
        match.agree_draw()
    assert (str(match.position), match.log) == (line, log)
    after = match.play(0, "10-17", at=5)
    assert (str(match.position), match.log) == (line, log)
    assert after.log == (*log, muang.Entry("play", 0, "10-17"))


def test_the_log_replays() -> None:
    match = game(doubles="extra").start(seed=11, seats=(0, 1, 3))
    while match.phase != "over":
        if match.phase == "roll":
            match = match.leave(1) if match.rolls == 30 and 1 in match.position.playing else match.roll(lots.dice(11, match.rolls))
        else:
            seat = match.to_act[0]
            actions = match.legal(seat)
            match = match.play(seat, actions[lots.below(11, "test", len(match.log), len(actions))])
    again: muang.Match = game(doubles="extra").start(seed=11, seats=(0, 1, 3))
    for entry in match.log:
        again = again.apply(entry)
    assert again.position == match.position
    assert again.events == match.events
    assert match.rolls == sum(entry.kind == "roll" for entry in match.log)
