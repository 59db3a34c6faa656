"""Abalala'e, clause by clause, through the public interface. The clause ids are those of docs/rules/abalalae.md."""

from __future__ import annotations

from typing import Any

import pytest

import muang
from muang.games.sowing import batch, rounds

FULL = "3,3,3,3,3,3,3,3,3/0"


def of(ruleset: str | None = None, **options: Any) -> Any:
    return muang.game("abalalae", ruleset, **options)


def at(south: str, north: str, *, turn: str = "S", rules: str = "turns") -> Any:
    """A match from two rows, each ``holes/pile``."""
    return muang.position(f"abalalae rules={rules} S={south} N={north} turn={turn}").start()


def first_to_the_end(match: Any) -> Any:
    while match.phase != "over":
        match = match.play(match.turn, match.legal(match.turn)[0])
    return match


def test_AB_0_the_common_loop() -> None:
    paths = of("courlander").layout.view()["paths"]
    assert paths["S"] == [f"S{i}" for i in range(1, 10)] + [f"N{i}" for i in range(1, 10)]
    assert paths["N"] == paths["S"][9:] + paths["S"][:9]


def test_AB_1_three_seeds_in_eighteen_holes() -> None:
    assert of().layout.total == 54
    with pytest.raises(muang.BadPosition, match="AB-1: 55 seeds"):
        at("3,3,3,3,3,3,3,3,3/1", FULL)


def test_AB_2_nine_holes_each_and_an_even_number_of_columns() -> None:
    owners = of().layout.view()["owners"]
    assert sum(owner == "S" for place, owner in owners.items() if place != "SH") == 9
    with pytest.raises(muang.BadRuleset, match="AB-2"):
        of(columns=5)


def test_AB_3_the_paths_are_each_other_backwards() -> None:
    paths = of().layout.view()["paths"]
    assert paths["S"] == "S1 S2 S3 S4 S5 S6 S7 S8 S9 N9 N8 N7 N6 N5 N4 N3 N2 N1".split()  # noqa: SIM905  as the clause lists them
    assert paths["N"] == paths["S"][::-1]


def test_AB_4_each_seat_owns_the_first_nine_holes_of_its_path() -> None:
    view = of().layout.view()
    for seat in ("S", "N"):
        assert {view["owners"][place] for place in view["paths"][seat][:9]} == {seat}


def test_AB_5_facing_holes() -> None:
    expected = {1: "76", 2: "85", 3: "94", 4: "3", 5: "2", 6: "1", 7: "1", 8: "2", 9: "3"}
    facing = of().layout.view()["facing"]
    for hole, faced in expected.items():
        assert facing[f"S{hole}"] == [f"N{i}" for i in faced]
        assert facing[f"N{hole}"] == [f"S{i}" for i in faced]


def test_AB_10_lift_and_drop_along_the_own_path() -> None:
    match = at(FULL, FULL).play("S", "S1")
    assert match.events[:4] == (("S", "lift", "S1", 3), ("S", "drop", "S2"), ("S", "drop", "S3"), ("S", "drop", "S4"))


def test_AB_11_relay() -> None:
    assert at(FULL, FULL).play("S", "S1").events[4] == ("S", "lift", "S4", 4)


def test_AB_12_an_empty_hole_of_the_other_ends_the_walk() -> None:
    match = at("1,0,0,0,0,0,0,0,1/25", "1,0,0,0,0,0,0,0,0/26").play("S", "S9")
    assert match.events[-1] == ("S", "die", "N9")


def test_AB_13_a_capture_takes_all_facing_holes_and_walks_on() -> None:
    match = at("1,0,0,0,0,0,0,0,0/20", "1,0,0,0,2,0,0,3,0/27").play("S", "S1")
    assert match.events[:5] == (
        ("S", "lift", "S1", 1),
        ("S", "drop", "S2"),
        ("S", "capture", "N8", 3),
        ("S", "capture", "N5", 2),
        ("S", "lift", "S2", 1),
    )
    assert match.events[-1] == ("S", "die", "S3")


def test_AB_14_an_own_empty_hole_facing_nothing_ends_the_walk() -> None:
    match = at("1,0,0,0,0,0,0,0,0/26", "1,0,0,0,0,0,0,0,0/26").play("S", "S1")
    assert [event[1] for event in match.events] == ["lift", "drop", "die"]


def test_AB_15_the_lifted_hole_gets_a_seed() -> None:
    match = at("0,0,18,0,0,0,0,0,0/17", "1,0,0,0,0,0,0,0,0/18").play("S", "S3")
    assert match.events[18] == ("S", "drop", "S3")


def test_AB_20_both_lift_hole_1_first_first() -> None:
    events = of().start(first="N").events
    assert events[1:3] == (("N", "lift", "N1", 3), ("S", "lift", "S1", 3))


def test_AB_21_no_captures_in_the_race() -> None:
    for first in ("S", "N"):
        match = of().start(first=first)
        race = match.events[: next(i for i, event in enumerate(match.events) if event[1] == "open")]
        assert not [event for event in race if event[1] == "capture"]


def test_AB_22_the_first_to_die_moves_first() -> None:
    match = of().start(first="N")
    assert [event[0] for event in match.events if event[1] == "die"][0] == match.turn == "N"  # noqa: RUF015


def test_AB_23_the_other_hand_finishes_or_drops_what_it_holds() -> None:
    finish = muang.position("abalalae rules=pankhurst round=1 first=S S=1,0,4,3,3,3,3,3,4/1 N=5,4,3,3,3,3,3,3,2/0 race=").start()
    stop = muang.position(
        "abalalae rules=pankhurst,race_loser:stop_lap round=1 first=S S=1,0,4,3,3,3,3,3,4/1 N=5,4,3,3,3,3,3,3,2/0 race="
    ).start()
    count = [sum(event[1] == "drop" for event in match.events) for match in (finish, stop)]
    assert count[0] >= count[1]
    assert finish.turn == stop.turn == "S"


def test_AB_24_every_round_or_only_the_first_begins_with_a_race() -> None:
    assert [of().raced(number) for number in (1, 2, 3)] == [True, True, True]
    assert [of(race_rounds="first").raced(number) for number in (1, 2, 3)] == [True, False, False]
    assert rounds.opener(of(race_rounds="first").limits, 20, 34, 0) == 1
    assert rounds.opener(of(race_rounds="first").limits, 27, 27, 0) == 1


def test_AB_25_without_a_race_first_opens() -> None:
    assert of("turns").start(first="N").turn == "N"


def test_AB_30_any_own_hole_with_seeds() -> None:
    match = of("turns").start(first="S")
    assert match.legal("S") == tuple(f"S{i}" for i in range(1, 10))
    with pytest.raises(muang.IllegalAction, match="AB-30"):
        match.play("S", "N1")
    assert match.play("S", "S2").turn == "N", "a turn is one walk"


def test_AB_31_the_round_is_over_when_a_seat_has_no_seed() -> None:
    with pytest.raises(muang.BadPosition, match="AB-31"):
        at("0,0,0,0,0,0,0,0,0/27", "3,3,3,3,3,3,3,3,3/0")
    match = at("0,0,0,0,0,0,0,0,1/26", "1,0,0,0,0,0,0,0,0/26").play("S", "S9")
    assert match.phase == "over"
    assert dict(match.result.seeds) == {"S": 26, "N": 28}


def test_AB_40_the_poorer_lays_out_all_the_richer_as_many_holes() -> None:
    cells, closed = of().refill((20, 34))
    assert cells == [3, 3, 3, 3, 3, 3, 2, 0, 0, 0, 3, 3, 3, 3, 3, 3, 3, 0, 0, 13]
    assert closed == 0
    assert of().refill((27, 27))[0] == [3] * 9 + [0] + [3] * 9 + [0]


def test_AB_41_holes_without_seeds_are_not_closed() -> None:
    match = muang.position("abalalae rules=turns round=1 S=3,3,3,3,3,3,2,0,0/0 N=3,3,3,3,3,3,3,0,0/13 turn=S").start()
    assert "S8" in [event[2] for event in match.play("S", "S7").events if event[1] == "drop"]


def test_AB_42_all_seeds_win() -> None:
    assert rounds.loop_verdict(of().limits, 1, 54, 0) == (0, rounds.ALL_SEEDS)
    assert rounds.loop_verdict(of().limits, 1, 53, 1)[0] == rounds.GO_ON


def test_AB_43_after_max_rounds_more_seeds_win() -> None:
    limits = of(max_rounds=3).limits
    assert rounds.loop_verdict(limits, 3, 20, 34) == (1, rounds.SEEDS)
    assert rounds.loop_verdict(limits, 3, 27, 27)[0] == rounds.DRAW


def test_AB_44_quiet_turns_end_the_round_and_are_in_the_position() -> None:
    match = of("turns", quiet_turns=2, max_rounds=1).start(first="S")
    quiet = 0
    while match.phase != "over":
        quiet = match.view()["quiet"]
        match = match.play(match.turn, match.legal(match.turn)[0])
    assert match.view()["rounds"][0]["end"] in ("quiet", "empty")
    assert quiet < 2
    position = muang.position(f"abalalae rules=turns S={FULL} N={FULL} quiet=7 turn=S")
    assert "quiet=7" in str(position)
    assert position.start().view()["quiet"] == 7


def test_AB_45_an_endless_walk_is_not_legal() -> None:
    match = at("1,2,1,2,0,1,0,1,0/38", "0,1,0,1,2,1,0,1,2/0")
    assert match.legal("S") == ("S1", "S2", "S3", "S6", "S8")
    with pytest.raises(muang.IllegalAction, match="AB-45"):
        match.play("S", "S4")


def test_AB_45_an_endless_race_is_dropped_without_relay() -> None:
    line = "abalalae rules=pankhurst,columns:2,seeds:4 round=1 first=N S=8,3,3/0 N=6,4,0/0 race="
    match = muang.position(line).start()
    assert match.phase in ("turn", "over")
    deaths = [event[0] for event in match._after if event[1] == "die"] if match.events else []
    assert len(deaths) in (0, 2)
    assert sum(match.totals()) == 24


def test_AB_46_the_same_endings_as_mak_khum() -> None:
    match = of().start(first="S")
    assert match.leave("N", "resigned").result.winner == "S"
    assert match.agree_draw().result.reason == "agreed"
    assert str(match.play("S", "S1").take_back().position) == str(match.position)
    assert first_to_the_end(of("single").start(seed=4)).result.reason in ("seeds", "all-seeds")


def test_named_rulesets() -> None:
    assert of("pankhurst").options["track"] == "pankhurst"
    assert of("courlander").options["track"] == "courlander"
    assert of("single").options["max_rounds"] == 1
    assert (of("turns").options["race"], of("turns").options["max_rounds"]) == ("none", 1)


@pytest.mark.parametrize("first", ["S", "N"])
def test_facts_the_race_from_the_start(first: str) -> None:
    match = of().start(first=first)
    assert [sum(e[:2] == (seat, "drop") for e in match.events) for seat in ("S", "N")] == [51, 51]
    row = [4, 3, 1, 3, 2, 3, 2, 0, 9]
    assert (match.view()["board"]["S"], match.view()["board"]["N"], match.turn) == (row, row, first)
    loop = of("courlander").start(first=first)
    assert [sum(e[:2] == (seat, "drop") for e in loop.events) for seat in ("S", "N")] == [16, 16]


def test_facts_turn_trees() -> None:
    start = of().refill((27, 27))[0]
    assert [batch.perft(of(), start, 0, 0, depth) for depth in range(1, 5)] == [9, 72, 516, 3704]
    row = [4, 3, 1, 3, 2, 3, 2, 0, 9, 0]
    assert [batch.perft(of(), row * 2, 0, 0, depth) for depth in range(1, 6)] == [8, 52, 359, 2555, 17744]
