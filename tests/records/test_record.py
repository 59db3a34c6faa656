"""Records: what is written reads back to the same match, and a record that cannot be right says where."""

from __future__ import annotations

from dataclasses import replace

import pytest

import muang
from muang import BadRecord, Match
from muang.records import Heading, Record, json, read, text
from records.played import HORSES, SMALL, horses, sowing

ODD = {0: ["a } brace, a { and a \\ back\nslash"], 3: ["", "two", "  spaces  "]}


def same(match: Match, **kwargs: object) -> Record:
    """Write, read, replay; everything must come back."""
    names = {match.seats[0]: 'Ann "the\\quick"\n\u2028สมชาย'}
    record = Record.from_match(match, names, "2026-08-04", ODD, tags={"Event": "a [test]"}, **kwargs)
    as_text, as_json = text.write(record), json.write(record)
    assert text.read(as_text) == record
    assert json.read(as_json) == record
    assert read(as_text) == read(as_json) == record
    assert text.write(read(as_text)) == as_text
    assert json.write(read(as_json)) == as_json
    again = read(as_text).match()
    assert again.log == match.log
    assert str(again.position) == str(match.position)
    assert again.result == match.result
    assert again.seed == match.seed
    return record


@pytest.mark.parametrize("pace", ["lockstep", "steady", "by_hand"])
@pytest.mark.parametrize(("name", "options"), SMALL)
def test_whole_matches(name: str, options: dict[str, object], pace: str) -> None:
    for seed in range(3):
        record = same(sowing(name, options, pace, seed))
        assert pace == record.pace


@pytest.mark.parametrize("pace", ["steady", "by_hand"])
def test_matches_broken_off_in_a_race(pace: str) -> None:
    standing = set()
    for steps in range(1, 40, 3):
        match = sowing("mak-khum", {"ruleset": "songkhla", "holes": 3, "seeds": 3}, pace, steps, steps)
        record = same(match)
        standing.add((match.phase, record.clock is not None))
    assert ("race", True) in standing


def test_a_race_that_was_stopped_keeps_the_moment() -> None:
    """A leave or a draw in a live race has its time: what the hands had dropped by then counts (MK-56)."""
    start = muang.game("mak-khum").start(3, pace="steady", first="S")
    racing = start.play("S", "S1", at=0).play("N", "N2", at=40).at(1500)
    same(racing.leave("N", "resigned"))
    same(racing.agree_draw())


@pytest.mark.parametrize("options", HORSES)
@pytest.mark.parametrize("seats", [(0, 2), (0, 1, 3), (0, 1, 2, 3)])
def test_horses(options: dict[str, object], seats: tuple[int, ...]) -> None:
    for seed in range(4):
        same(horses(options, seats, seed))
    same(horses(options, seats, 9, steps=50))


def test_a_match_from_a_position() -> None:
    line = "mak-khum rules=turns round=1 first=S opened=S S=1,1,0,1,0,1,7/85 N=0,1,0,1,0,0,0/0 turn=N"
    match = muang.position(line).start(5)
    match = match.play("N", "N2")
    assert same(match, position=line).position == line
    horse_line = "ca-ngua rules=phone seats=0,2 0=stable,12 2=slot2,55 turn=0"
    match = muang.position(horse_line).start(5).roll((1, 2)).play(0, "12-15")
    assert same(match, position=horse_line).position == horse_line


def test_an_agreed_draw_and_a_flag() -> None:
    match = muang.game("mak-khum", "turns").start(1, first="S").play("S", "S2")
    assert same(match.agree_draw()).result.reason == "agreed"
    assert same(match.leave("S", "flag")).result.winner == "N"


def test_a_choice_that_waits_for_the_other_is_left_out() -> None:
    """MK-24: both choices are made before either is shown, in records too."""
    match = muang.game("mak-khum").start(1, first="N").play("S", "S4")
    record = Record.from_match(match)
    assert record.entries == ()
    assert "S4" not in text.write(record)
    assert "S4" not in json.write(record)
    both = Record.from_match(match.play("N", "N1"))
    assert [entry.action for entry in both.entries] == ["S4", "N1"]


def test_the_seed_can_be_kept_back() -> None:
    match = horses({}, (0, 2), 123456789)
    record = Record.from_match(match, tell_seed=False)
    for written in (text.write(record), json.write(record)):
        assert "123456789" not in written
        assert read(written).match().result == match.result


def test_voids_stand_in_the_record() -> None:
    """MK-24: an input that came to nothing is kept and is marked."""
    match = muang.game("mak-khum").start(1, pace="by_hand", first="S")
    match = match.play("S", "S3", at=0).play("S", "drop", at=10).play("S", "drop", at=90)
    record = same(match)
    assert record.voids == {1}
    assert "S:drop@10!void" in text.write(record)
    with pytest.raises(BadRecord, match=r"action 2: .*counted"):
        replace(record, voids=frozenset()).match()
    with pytest.raises(BadRecord, match=r"action 3: .*came to nothing"):
        replace(record, voids=frozenset({1, 2})).match()


# ── records that cannot be right ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def good() -> Record:
    return Record.from_match(sowing("mak-khum", {}, "lockstep", 4))


def test_the_action_that_does_not_fit_is_named(good: Record) -> None:
    for index in (0, 7, len(good.entries) - 1):
        entries = list(good.entries)
        entries[index] = replace(entries[index], action="S9" if entries[index].seat == "S" else "N9")
        with pytest.raises(BadRecord) as caught:
            replace(good, entries=tuple(entries)).match()
        assert caught.value.entry == index + 1
        assert str(caught.value).startswith(f"action {index + 1}: MK-10")


def test_actions_after_the_end(good: Record) -> None:
    with pytest.raises(BadRecord, match=f"action {len(good.entries) + 1}: .*over"):
        replace(good, entries=(*good.entries, good.entries[-1])).match()


def test_the_result_is_checked(good: Record) -> None:
    result = good.result
    assert result is not None
    other = "N" if result.winner == "S" else "S"
    for wrong in (
        replace(result, winner=other),
        replace(result, winner=None),
        replace(result, reason="seeds"),
        replace(result, seeds={"S": 49, "N": 49}),
        replace(result, widows={}),
    ):
        with pytest.raises(BadRecord, match="the rules say"):
            replace(good, result=wrong).match()
    with pytest.raises(BadRecord, match="the match is over"):
        replace(good, result=None).match()
    with pytest.raises(BadRecord, match="not over"):
        replace(good, entries=good.entries[:-1]).match()


def test_headings_are_checked(good: Record) -> None:
    assert good.headings[0] == Heading("race", 1)
    second = max(good.headings)
    with pytest.raises(BadRecord, match=f"action {second + 1}: .*race 2.*stands at round 2"):
        replace(good, headings={**good.headings, second: Heading("race", 2)}).match()
    record = Record.from_match(horses({}, (0, 2), 1))
    with pytest.raises(BadRecord, match="no races and rounds"):
        replace(record, headings={0: Heading("round", 1)}).match()


def test_older_and_newer_rules_are_refused(good: Record) -> None:
    for version in (0, 2):
        with pytest.raises(BadRecord, match=f"rules version {version}"):
            replace(good, rules_version=version).match()


def test_a_position_that_does_not_fit_its_tags() -> None:
    line = "mak-khum rules=turns round=1 first=S opened=S S=1,1,0,1,0,1,7/85 N=0,1,0,1,0,0,0/0 turn=N"
    record = Record.from_match(muang.position(line).start(), position=line)
    with pytest.raises(BadRecord, match="first is 'N'"):
        replace(record, first="N").match()
    with pytest.raises(BadRecord, match="the game is"):
        replace(record, game=muang.game("mak-khum")).match()
    with pytest.raises(BadRecord, match="MK-2"):
        replace(record, position=line.replace("85", "84")).match()


def test_a_clock_needs_a_race(good: Record) -> None:
    with pytest.raises(BadRecord, match="stands in no race"):
        replace(good, clock=5).match()


def test_bad_tables_are_refused() -> None:
    record = Record.from_match(horses({}, (0, 2), 1))
    with pytest.raises(BadRecord, match="CN-2"):
        replace(record, seats=(0, 0)).match()
    with pytest.raises(BadRecord, match="CN-14"):
        replace(record, first=1).match()
