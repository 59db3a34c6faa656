"""Mak Khum, clause by clause, through the public interface. The clause ids are those of docs/rules/mak-khum.md."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import muang
from muang.games.sowing import batch
from muang.rooms import Room

LINE = [int(hole) for hole in "125215223432316531713136757623174212"]


def at(south: str, north: str, *, turn: str = "S", rules: str = "turns", **fields: object) -> Any:
    """A match from two rows, each ``holes/store``."""
    more = "".join(f" {key}={value}" for key, value in fields.items())
    return muang.position(f"mak-khum rules={rules} S={south} N={north} turn={turn}{more}").start()


def kinds(match: Any) -> list[str]:
    return [event[1] for event in match.events]


def drops(match: Any) -> list[str]:
    return [event[2] for event in match.events if event[1] == "drop"]


def first_to_the_end(match: Any) -> Any:
    """Play the lowest-numbered hole whenever a choice is due."""
    while match.phase != "over":
        seat = match.to_act[0]
        match = match.play(seat, match.legal(seat)[0])
    return match


EMPTY = "0,0,0,0,0,0,0"


def test_MK_1_two_rows_of_seven_and_two_stores() -> None:
    layout = muang.game("mak-khum").layout  # type: ignore[attr-defined]
    assert layout.names == (*(f"S{i}" for i in range(1, 8)), "SH", *(f"N{i}" for i in range(1, 8)), "NH")


def test_MK_2_seven_seeds_in_each_hole_stores_empty() -> None:
    view = muang.game("mak-khum").start(first="S").view()
    assert view["board"] == {"S": [7] * 7, "N": [7] * 7, "stores": {"S": 0, "N": 0}}
    with pytest.raises(muang.BadPosition, match=r"MK-2: 99 seeds"):
        at("7,7,7,7,7,7,7/1", "7,7,7,7,7,7,7/0")


def test_MK_3_holes_are_numbered_in_sowing_order_and_face_each_other() -> None:
    facing = muang.game("mak-khum").layout.view()["facing"]  # type: ignore[attr-defined]
    assert {hole: facing[hole] for hole in ("S1", "S3", "S7", "N7")} == {"S1": ["N7"], "S3": ["N5"], "S7": ["N1"], "N7": ["S1"]}


def test_MK_4_the_path_passes_the_own_store_and_never_the_other() -> None:
    match = muang.game("mak-khum", "turns").start(first="S").play("S", "S1")
    assert drops(match) == ["S2", "S3", "S4", "S5", "S6", "S7", "SH"]
    long = at("0,0,0,0,0,0,20/0", "0,0,0,0,0,0,1/77")
    assert "NH" not in drops(long.play("S", "S7"))


def test_MK_10_lift_any_own_hole_with_seeds() -> None:
    match = at("0,3,0,0,0,0,7/39", "7,7,7,7,7,7,7/0")
    assert match.legal("S") == ("S2", "S7")
    for hole, why in (("S1", "empty"), ("N1", "not a hole of S")):
        with pytest.raises(muang.IllegalAction, match=rf"MK-10.*{why}"):
            match.play("S", hole)
    with pytest.raises(muang.BadAction, match="MK-10"):
        match.play("S", "S8")
    assert match.legal("S") == ("S2", "S7")


def test_MK_11_a_last_seed_among_seeds_is_lifted_with_the_hole() -> None:
    match = at("1,2,0,0,0,0,0/90", "0,0,0,0,0,0,5/0").play("S", "S1")
    assert match.events[:3] == (("S", "lift", "S1", 1), ("S", "drop", "S2"), ("S", "lift", "S2", 3))
    other = at("0,0,0,0,0,0,2/90", "1,0,0,0,0,0,5/0").play("S", "S7")
    assert ("S", "lift", "N1", 2) in other.events


@pytest.mark.parametrize(("landing", "turn"), [("again", "S"), ("end", "N")])
def test_MK_12_a_last_seed_in_the_own_store_rests(landing: str, turn: str) -> None:
    match = muang.game("mak-khum", "turns", store_landing=landing).start(first="S").play("S", "S1")
    assert match.events[-1] == ("S", "rest", "SH")
    assert match.turn == turn


def test_MK_12_with_no_seed_left_the_turn_is_over() -> None:
    match = at("0,0,0,0,0,0,1/90", "0,0,0,0,0,0,7/0").play("S", "S7")
    assert kinds(match) == ["lift", "drop", "rest"]
    assert match.turn == "N"


def test_MK_13_an_empty_hole_of_the_other_row_ends_the_walk() -> None:
    match = at("0,0,0,0,0,0,2/90", "0,0,0,0,0,0,6/0").play("S", "S7")
    assert match.events[-1] == ("S", "die", "N1")
    assert "capture" not in kinds(match)


def test_MK_14_an_empty_own_hole_takes_the_facing_one() -> None:
    match = at("1,0,0,0,0,0,0/90", "0,0,0,0,0,5,2/0").play("S", "S1")
    assert match.events[-2:] == (("S", "capture", "N6", 5), ("S", "die", "S2"))
    assert match.view()["board"]["stores"]["S"] == 95
    nothing = at("1,0,0,0,0,0,0/90", "0,0,0,0,0,0,7/0").play("S", "S1")
    assert kinds(nothing) == ["lift", "drop", "die"]


def test_MK_15_the_seed_that_captured_stays_unless_the_option_takes_it() -> None:
    for take, row, store in ((False, 1, 95), (True, 0, 96)):
        match = at("1,0,0,0,0,0,0/90", "0,0,0,0,0,5,2/0", rules=f"turns,capture_last:{str(take).lower()}").play("S", "S1")
        assert (match.view()["board"]["S"][1], match.view()["board"]["stores"]["S"]) == (row, store)
    nothing = at("1,0,0,0,0,0,0/90", "0,0,0,0,0,0,7/0", rules="turns,capture_last:true").play("S", "S1")
    assert nothing.view()["board"]["S"][1] == 1, "nothing was captured, so nothing is taken"


def test_MK_16_the_lifted_hole_gets_a_seed_unless_the_option_skips_it() -> None:
    position = ("0,0,0,16,0,0,0/40", "0,0,0,0,0,0,42/0")
    plain = at(*position).play("S", "S4")
    skipped = at(*position, rules="turns,skip_origin:true").play("S", "S4")
    assert drops(plain)[14] == "S4"
    assert drops(skipped)[14] == "S5"


def test_MK_20_both_choose_any_own_hole_at_the_start() -> None:
    match = muang.game("mak-khum").start(first="S")
    assert match.phase == "race"
    assert match.to_act == ("S", "N")
    assert match.legal("N") == tuple(f"N{i}" for i in range(1, 8))


def test_MK_21_steps_of_both_hands_are_in_one_order() -> None:
    match = muang.game("mak-khum").start(first="N").play("S", "S2").play("N", "N4")
    assert [event[:3] for event in match.events[:4]] == [("N", "lift", "N4"), ("S", "lift", "S2"), ("N", "drop", "N5"), ("S", "drop", "S3")]


def test_MK_22_round_opening_and_none() -> None:
    whole = muang.lockstep(muang.game("mak-khum").start(first="S"), S=lambda m, s: m.legal(s)[0], N=lambda m, s: m.legal(s)[0])
    assert whole.round == 2, "the whole first round was raced"
    opening = muang.lockstep(
        muang.game("mak-khum", race="opening").start(first="S"), S=lambda m, s: m.legal(s)[-1], N=lambda m, s: m.legal(s)[-1]
    )
    assert opening.round == 1
    deaths = [event[0] for event in opening.events if event[1] == "die"]
    assert opening.turn == "S", "with mirrored choices the seat that steps first dies first"
    assert deaths[:1] in ([], ["S"], ["N"])
    assert muang.game("mak-khum", race="none").start(first="N").turn == "N"


def test_MK_23_a_round_is_over_when_both_hands_and_a_row_are_empty() -> None:
    match = muang.game("mak-khum").start(seed=5)
    while match.round == 1:
        match = match.play(match.to_act[0], match.legal(match.to_act[0])[-1])
    sweeps = {event[0] for event in match.events if event[1] == "sweep"}
    assert len(sweeps) <= 1, "one of the rows had no seed"
    live = muang.game("mak-khum", race="opening").start(pace="by_hand", first="S", min_gap=1)
    assert live.legal("S") == tuple(f"S{i}" for i in range(1, 8))


def test_MK_24_lockstep_hides_simultaneous_choices() -> None:
    match = muang.game("mak-khum").start(first="S").play("S", "S3")
    assert match.events == ()
    assert "S3" not in json.dumps(match.view()["legal"])
    assert "S3" not in str(match.position)
    assert match.view()["chosen"] == ["S"]
    with pytest.raises(muang.IllegalAction, match="MK-24"):
        match.play("N", "drop")


def test_MK_24_steady_hands_sow_by_themselves() -> None:
    match = muang.game("mak-khum").start(first="S", pace="steady", tempo=100).play("S", "S3", at=50)
    assert match.next_due == 150
    assert drops(match.at(350)) == ["S4", "S5", "S6"]
    assert match.at(350).legal("S") == ()
    void = match.play("S", "drop", at=60)
    assert void.events == (("S", "void", "drop"),)


def test_MK_24_by_hand_every_seed_is_an_input_and_quick_ones_are_void() -> None:
    match = muang.game("mak-khum").start(first="S", pace="by_hand", min_gap=80).play("S", "S1", at=0)
    assert match.play("S", "drop", at=79).events == (("S", "void", "drop"),)
    assert match.play("S", "drop", at=80).events == (("S", "drop", "S2"),)
    turns = muang.game("mak-khum", "turns").start(first="S", pace="by_hand").play("S", "S1")
    assert turns.legal("S") == ("drop",)
    assert drops(turns.play("S", "drop")) == ["S2"]


def test_MK_24_at_one_millisecond_the_seat_that_stepped_longer_ago_goes_first() -> None:
    match = muang.game("mak-khum").start(first="N", pace="by_hand").play("S", "S1", at=0).play("N", "N1", at=10)
    both = match.play("N", "drop", at=200).play("S", "drop", at=200)
    moves = [event for event in both.events if event[1] == "drop"]
    assert moves[0][0] == "S" or both.position.race[-1][0] == 0
    fresh = muang.game("mak-khum").start(first="N", pace="by_hand").play("S", "S1", at=0).play("N", "N1", at=0)
    assert next(event[0] for event in fresh.events if event[1] == "lift") == "N", "neither has stepped: first goes first"


def test_MK_25_first_is_drawn_from_the_seed_and_changes_with_raced_rounds() -> None:
    firsts = [muang.game("mak-khum").start(seed=seed).first for seed in range(64)]
    assert set(firsts) == {"S", "N"}
    assert firsts == [muang.game("mak-khum").start(seed=seed).first for seed in range(64)]
    assert muang.game("mak-khum").start(seed=1, first="N").first == "N"


def test_MK_26_a_choice_not_made_in_time_is_the_lowest_hole() -> None:
    assert muang.game("mak-khum", choice_seconds=20).options["choice_seconds"] == 20
    assert muang.game("mak-khum").options["choice_seconds"] is None
    with pytest.raises(muang.BadRuleset, match="MK-26"):
        muang.game("mak-khum", choice_seconds=0)
    assert hasattr(Room, "tick"), "the system's choices are the room's: tests/rooms/test_absent.py"


def test_MK_30_the_round_is_over_when_the_mover_has_no_seed() -> None:
    match = at("0,0,0,0,0,0,1/90", "0,0,0,0,0,0,0/7", turn="S").play("S", "S7")
    assert match.phase == "over"
    with pytest.raises(muang.BadPosition, match="MK-30"):
        at(EMPTY + "/91", "0,0,0,0,0,0,7/0")


def test_MK_31_what_is_left_goes_to_its_own_side() -> None:
    match = at("0,0,0,0,0,0,2/40", "0,3,0,0,0,0,0/53", turn="S").play("S", "S7")
    assert match.turn == "N"
    end = at("1,0,0,0,0,0,0/40", "0,0,0,0,0,1,0/56", turn="N")
    end = end.play("N", "N6")
    assert end.result is None or sum(end.result.seeds.values()) == 98


def test_MK_40_a_turn_goes_on_after_a_rest() -> None:
    match = muang.game("mak-khum", "turns").start(first="S").play("S", "S1")
    with pytest.raises(muang.IllegalAction, match="MK-40: it is S's turn"):
        match.play("N", "N1")
    assert match.play("S", "S2").events[0] == ("S", "lift", "S2", 8)


def test_MK_41_holes_are_filled_with_sevens_as_far_as_the_store_goes() -> None:
    cells, _ = muang.game("mak-khum").refill((58, 40))  # type: ignore[attr-defined]
    assert cells == [7] * 7 + [9] + [0, 0, 7, 7, 7, 7, 7] + [5]


@pytest.mark.parametrize(("widows", "closed"), [("far", ["N1", "N2"]), ("near", ["N6", "N7"])])
def test_MK_42_holes_without_seeds_are_widows(widows: str, closed: list[str]) -> None:
    of = muang.game("mak-khum", widows=widows)
    _, mask = of.refill((58, 40))  # type: ignore[attr-defined]
    assert [name for place, name in enumerate(of.layout.names) if mask >> place & 1] == closed  # type: ignore[attr-defined]


def test_MK_43_nobody_sows_into_a_widow_or_lifts_or_captures_one() -> None:
    match = at("7,7,7,7,7,7,9/9", "-,-,7,7,7,7,7/3", rules="trang", round=2)
    assert not {"N1", "N2"} & set(drops(match.play("S", "S7")))
    north = at("7,7,7,7,7,7,9/9", "-,-,7,7,7,7,7/3", rules="trang", round=2, turn="N")
    with pytest.raises(muang.IllegalAction, match="MK-43: N1 is a widow"):
        north.play("N", "N1")


def test_MK_44_a_slip_forfeits_the_seed_to_the_other_store() -> None:
    match = at("7,7,7,7,7,7,9/9", "-,-,7,7,7,7,7/3", rules="trang", round=2, pace="by_hand:80").play("S", "S7").play("S", "drop")
    assert match.legal("S") == ("drop", "slip")
    slipped = match.play("S", "slip").play("S", "slip")
    assert slipped.events == (("S", "slip", "N2"),)
    assert slipped.view()["board"]["stores"]["N"] == 5
    assert slipped.legal("S") == ("drop",)
    strict = at("7,7,7,7,7,7,9/9", "-,-,7,7,7,7,7/3", rules="trang,slips:false", round=2, pace="by_hand:80").play("S", "S7")
    assert strict.play("S", "drop").legal("S") == ("drop",)
    with pytest.raises(muang.IllegalAction, match="MK-44"):
        slipped.play("S", "slip")


@pytest.mark.parametrize(("opener", "expected"), [("larger", 0), ("smaller", 1)])
def test_MK_45_the_player_with_more_seeds_opens(opener: str, expected: int) -> None:
    from muang.games.sowing import rounds

    limits = muang.game("mak-khum", opener=opener).limits  # type: ignore[attr-defined]
    assert rounds.opener(limits, 58, 40, 1) == expected
    assert rounds.opener(limits, 49, 49, 1) == 0, "49 each: the one who did not open the round before"


def test_MK_46_later_rounds_end_alike() -> None:
    match = first_to_the_end(muang.game("mak-khum", rounds=3).start(seed=3))
    assert [summary["end"] for summary in match.view()["rounds"]] == ["empty"] * len(match.view()["rounds"])


def test_MK_50_more_widows_loses_and_one_round_is_by_seeds() -> None:
    match = first_to_the_end(muang.game("mak-khum").start(seed=3))
    south, north = match.result.widows["S"], match.result.widows["N"]
    assert len(match.view()["rounds"]) == 2
    assert match.result.reason in ("widows", "broke")
    assert match.result.winner == (None if south == north else "S" if south < north else "N")
    from muang.games.sowing import rounds

    limits = muang.game("mak-khum", "turns").limits  # type: ignore[attr-defined]
    assert rounds.row_verdict(limits, 7, 7, 1, 49, 49)[0] == rounds.DRAW
    assert rounds.row_verdict(limits, 7, 7, 1, 50, 48)[0] == 0


def test_MK_51_who_cannot_fill_a_hole_has_lost_at_once() -> None:
    from muang.games.sowing import rounds

    limits = muang.game("mak-khum", rounds=9).limits  # type: ignore[attr-defined]
    assert rounds.row_verdict(limits, 7, 7, 1, 6, 92) == (1, rounds.BROKE)
    assert rounds.row_verdict(limits, 7, 7, 1, 7, 91)[0] == rounds.GO_ON


def test_MK_52_until_broke_ends_after_max_rounds() -> None:
    match = first_to_the_end(muang.game("mak-khum", rounds="until_broke", max_rounds=3, race="none").start(seed=1))
    assert len(match.view()["rounds"]) <= 3


def test_MK_53_totals_add_to_98() -> None:
    for seed in range(5):
        result = first_to_the_end(muang.game("mak-khum", "songkhla", max_rounds=4).start(seed=seed)).result
        assert sum(result.seeds.values()) == 98
        assert set(result.widows) == {"S", "N"}


def test_MK_54_widows_are_counted_anew() -> None:
    of = muang.game("mak-khum")
    assert of.refill((40, 58))[1] != 0  # type: ignore[attr-defined]
    assert of.refill((49, 49))[1] == 0  # type: ignore[attr-defined]


def test_MK_55_the_longest_known_walk() -> None:
    match = at("10,7,3,15,8,11,14/0", "5,0,1,2,8,10,4/0").play("S", "S6")
    told = kinds(match)
    assert told.count("drop") == 947
    assert told.count("lift") == 149
    assert told[-1] == "rest"


def test_MK_56_resigning_leaving_draws_and_taking_back() -> None:
    match = muang.game("mak-khum", "turns").start(first="S")
    assert match.leave("S", "resigned").result.winner == "N"
    assert match.leave("N").result.reason == "left"
    assert match.agree_draw().result.winner is None
    walked = match.play("S", "S2")
    assert str(walked.take_back().position) == str(match.position)
    with pytest.raises(muang.IllegalAction, match="MK-56"):
        muang.game("mak-khum").start(first="S").take_back()
    with pytest.raises(muang.IllegalAction, match="MK-56"):
        match.agree_draw().leave("S")


def test_MK_57_the_keys_are_in_the_page() -> None:
    import muang.web as web_folder  # type: ignore[import-not-found]

    pages = Path(next(iter(web_folder.__path__))) / "static"
    keys = "\n".join(path.read_text(encoding="utf-8") for path in pages.rglob("*.js"))
    for word in ("Digit", "Numpad5", "ArrowLeft", "shiftKey"):
        assert word in keys


def test_named_rulesets() -> None:
    expected: dict[str, dict[str, Any]] = {
        "trang": {"race": "round", "rounds": 2},
        "songkhla": {"race": "opening", "rounds": "until_broke"},
        "single": {"race": "opening", "rounds": 1},
        "congkak": {"race": "opening", "capture_last": True, "opener": "smaller", "rounds": "until_broke"},
        "chongka": {"race": "none", "store_landing": "end", "rounds": 1},
        "turns": {"race": "none", "rounds": 1},
    }
    for name, options in expected.items():
        assert options.items() <= muang.game("mak-khum", name).options.items()
    with pytest.raises(muang.BadRuleset, match="no ruleset"):
        muang.game("mak-khum", "siam")


@pytest.mark.parametrize(
    ("options", "leaves"),
    [
        ({}, [7, 36, 227, 1378, 8065, 46707]),
        ({"capture_last": True}, [7, 36, 230, 1406, 8295]),
        ({"store_landing": "end"}, [7, 37, 227, 1369, 8231]),
    ],
)
def test_facts_choices_tree(options: dict[str, Any], leaves: list[int]) -> None:
    of: Any = muang.game("mak-khum", "turns", **options)
    cells, widows = of.refill((49, 49))
    assert [batch.perft(of, cells, 0, widows, depth) for depth in range(1, len(leaves) + 1)] == leaves


def test_facts_thirty_six_choices() -> None:
    match = muang.game("mak-khum", "turns").start(first="S")
    for hole in LINE:
        match = match.play("S", f"S{hole}")
    assert match.view()["board"] == {"S": [1, 1, 0, 1, 0, 1, 7], "N": [0, 1, 0, 1, 0, 0, 0], "stores": {"S": 85, "N": 0}}
    assert match.turn == "N"


def test_facts_first_holes() -> None:
    start = muang.game("mak-khum", "turns").start(first="S")
    for hole in range(2, 8):
        match = start.play("S", f"S{hole}")
        assert kinds(match).count("drop") == 15
        assert match.events[-1][1] == "die"
        assert match.view()["board"]["stores"]["S"] == 9
