"""Mak Khum, clause by clause: the end of a round, later rounds, the match."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

import muang
from muang.errors import BadAction, BadPosition, BadRuleset, IllegalAction
from muang.games.core import Match
from muang.games.mak_khum import MakKhum
from rules.mak_khum import FED, NONE, at, game, line
from rules.sowing import Row, board, drops, refusal

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
