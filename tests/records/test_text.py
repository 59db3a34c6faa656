"""The readable form of records: what it looks like, and that no text makes it fail in any way but ``BadRecord``."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import muang
from muang import BadRecord
from muang.records import Record, json, read, text
from records.played import HORSES, SMALL, horses, sowing

quick = settings(deadline=None, max_examples=120)


@cache
def kept() -> tuple[Record, ...]:
    """One record of every kind, small."""
    matches = [sowing(name, options, pace, 1, 60) for name, options in SMALL[:2] + SMALL[4:5] for pace in ("lockstep", "steady", "by_hand")]
    matches += [horses(options, (0, 1, 3), 2, 120) for options in HORSES[:2]]
    return tuple(Record.from_match(match, {match.seats[0]: "An"}, "2026-08-04", {2: ["a comment"]}) for match in matches)


def test_what_a_record_looks_like() -> None:
    match = muang.game("mak-khum", "single").start(7, first="N")
    for seat, hole in (("N", "N1"), ("S", "S2"), ("N", "N3")):
        match = match.play(seat, hole)
    while match.phase == "race":
        seat = match.to_act[0]
        match = match.play(seat, match.legal(seat)[0])
    match = match.play(match.turn, match.legal(match.turn)[-1])
    record = Record.from_match(match, {"S": "Somchai", "N": "greedy"}, "2026-08-04", {0: ["Both are quick."]})
    lines = text.write(record).splitlines()
    assert lines[:9] == [
        '[Game "mak-khum"]',
        '[Ruleset "single"]',
        '[Seed "7"]',
        '[First "N"]',
        '[Pace "lockstep"]',
        '[South "Somchai"]',
        '[North "greedy"]',
        '[Date "2026-08-04"]',
        '[RulesVersion "1"]',
    ]
    assert lines[9:11] == ["", "{Both are quick.}"]
    assert lines[11].startswith("race 1: N1 S2 N3 ")
    assert lines[12].startswith("round 1: 1. ")
    assert lines[-1] == "*"


def test_drops_of_a_turn_are_counted_together() -> None:
    """At ``by_hand`` every seed of a turn is an action; the record writes them with a number."""
    match = muang.game("mak-khum", "turns").start(1, first="S", pace="by_hand").play("S", "S1")
    for _ in range(7):
        match = match.play("S", "drop")
    record = Record.from_match(match)
    assert "round 1: 1. S1 S:drop*7" in text.write(record)
    commented = Record.from_match(match, comments={3: ["here"]})
    assert "S:drop*2\n{here}\nS:drop*5" in text.write(commented)
    assert read(text.write(commented)) == commented
    assert len(record.entries) == 8


def test_horses_are_written_a_turn_a_line() -> None:
    match = muang.game("ca-ngua").start(1, first=0)
    match = match.roll((3, 5)).roll((1, 6)).play(2, "stable-0").roll((2, 3)).play(2, "0-5").roll((1, 1))
    match = match.leave(2, "resigned")
    written = text.write(Record.from_match(match))
    assert written.endswith("\n1. seat0 3-5: -\n2. seat2 1-6: stable-0 2-3: 0-5\n3. seat0 1-1: seat2 resigned\n= seat0 last-left\n")


def test_numbers_and_layout_are_only_for_the_eye() -> None:
    record = kept()[0]
    head, _, body = text.write(record).partition("\n\n")
    words = body.replace("{a comment}", "{one}").split()
    loose = head + "\r\n\r\n" + "\r\n".join(word for word in words if not word.endswith("."))
    assert read(loose) == replace(record, comments={2: ("one",)})
    assert read("\ufeff" + text.write(record)) == record


def test_few_tags_are_enough() -> None:
    record = read('[Game "mak-khum"]\n[Seed "7"]\n\n*')
    assert record.first == muang.game("mak-khum").start(7).first
    assert record.match().seed == 7
    line = "mak-khum rules=turns round=1 first=S opened=S S=1,1,0,1,0,1,7/85 N=0,1,0,1,0,0,0/0 turn=N"
    placed = read(f'[Game "mak-khum"]\n[Ruleset "turns"]\n[Position "{line}"]\nround 1: 1. N2 *')
    assert placed.first == "S"
    assert placed.match().log[0].action == "N2"


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("", "Game must name"),
        ('[Game "chess"]\n*', "Game must name one of mak-khum"),
        ('[Game "mak-khum"]\n[Game "mak-khum"]\n*', "line 2: the tag Game stands twice"),
        ('[Game "mak-khum]\n*', "line 1: a tag is written"),
        ('[Game "mak-khum"]\n[Event "\\q"]\n*', "line 2: cannot read the value"),
        ('[Game "mak-khum"]\n[Ruleset "phone"]\n*', "Ruleset.*no ruleset 'phone'"),
        ('[Game "mak-khum"]\n[Ruleset "trang,rounds:0"]\n*', "MK-50"),
        ('[Game "mak-khum"]\n[Seat0 "A"]\n*', "the tag Seat0 is not for mak-khum"),
        ('[Game "ca-ngua"]\n[South "A"]\n*', "the tag South is not for ca-ngua"),
        ('[Game "ca-ngua"]\n[Seat1 "A"]\n*', "Seat1 names a seat that is not at this table"),
        ('[Game "ca-ngua"]\n[Seats "0 9"]\n*', "Seats needs whole numbers from 0 to 3"),
        ('[Game "ca-ngua"]\n[Seats "0 0"]\n*', "CN-2"),
        ('[Game "mak-khum"]\n[Seed "18446744073709551616"]\n*', "Seed needs whole numbers|2\\*\\*64"),
        ('[Game "mak-khum"]\n[Seed "-1"]\n*', "Seed needs whole numbers"),
        ('[Game "mak-khum"]\n[First "W"]\n*', "First: there is no seat 'W'"),
        ('[Game "mak-khum"]\n[Pace "slow"]\n*', "Pace must be one of lockstep"),
        ('[Game "mak-khum"]\n[Position "nothing"]\n*', "begins with the game's name"),
        ('[Game "mak-khum"]\n[Result "S"]\n*', "Result is written"),
        ('[Game "mak-khum"]\n[Seeds "S:98 N:0"]\n*', "there is no Result"),
        ('[Game "mak-khum"]\n[Result "S seeds"]\n*', "the last line must be '= S seeds'"),
        ('[Game "mak-khum"]\n= S seeds', "the last line must be '\\*'"),
        ('[Game "mak-khum"]\nrace 1: S1', "action 1: the record is cut off"),
        ('[Game "mak-khum"]\nrace 1: race 2: S1 *', "without any action"),
        ('[Game "mak-khum"]\nS1 {no end *', "a comment has no end"),
        ('[Game "mak-khum"]\nS1 drop *', "action 2: line 2: no seat is named"),
        ('[Game "mak-khum"]\nS1 S+2 *', "action 2: line 2: cannot read"),
        ('[Game "ca-ngua"]\n3-5: *', "action 1: line 2: no seat is named"),
        ('[Game "ca-ngua"]\nseat0 - *', "no roll stands before"),
        ('[Game "ca-ngua"]\nseat0 3-7: *', "cannot read"),
    ],
)
def test_what_is_wrong_is_said(wrong: str, why: str) -> None:
    with pytest.raises(BadRecord, match=why):
        read(wrong)


anything = st.text(st.characters(exclude_categories=()), max_size=40)


@quick
@given(anything, anything, st.lists(anything, max_size=3), st.integers(0, 8), anything)
@example("", "\\", ["}", "{", "\\}"], 0, '"]')
@example("\ud800", "\x00\x7f\x85", ["\u2028\r\n", "\\u0041"], 60, "\ufeff")
def test_nothing_is_lost(name: str, date: str, comments: list[str], index: int, value: str) -> None:
    for record in kept()[:1] + kept()[-1:]:
        at = min(index, len(record.entries))
        full = replace(
            record,
            names={record.seats[0]: name, record.seats[1]: value},
            date=date,
            comments={at: tuple(comments)} if comments else {},
            tags={"Event": value, "X9": name},
        )
        written = text.write(full)
        assert read(written) == full
        assert read(written.encode("utf-8").decode("utf-8")) == full  # what is written can be kept in a file
        assert json.read(json.write(full)) == full


@quick
@given(st.integers(0, 10), st.data())
def test_damage_never_does_worse_than_a_bad_record(which: int, data: st.DataObject) -> None:
    """Cut, change, double or drop a piece of a record: it reads and replays, or it is refused with a reason."""
    record = kept()[which]
    written = data.draw(st.sampled_from([text.write(record), json.write(record)]))
    start = data.draw(st.integers(0, len(written)))
    end = data.draw(st.integers(start, min(len(written), start + 30)))
    pieces = ["", written[start:end] * 2, "-1", "9", "S3", '"', "{", "null", "[]", "0" * 30, "é", "*9999"]
    piece = data.draw(st.sampled_from(pieces) | anything)
    with suppress(BadRecord):
        read(written[:start] + piece + written[end:]).match()


words = st.sampled_from(['[Game "mak-khum"]', '[Game "ca-ngua"]', "seat0", "1.", "S1", "3-5:", "*", "{x}", "="])


@quick
@given(anything | st.lists(words).map(" ".join))
def test_garbage_is_a_bad_record(garbage: str) -> None:
    with suppress(BadRecord):
        read(garbage).match()


def test_own_tags_cannot_take_the_names_of_ours() -> None:
    for name in ("Seed", "South", "no capital", "A-B", ""):
        with pytest.raises(BadRecord, match="a tag of your own"):
            text.write(replace(kept()[0], tags={name: "x"}))


def test_a_record_cannot_fill_the_memory() -> None:
    with pytest.raises(BadRecord, match="at most 1000000 actions"):
        read('[Game "mak-khum"]\n' + "S:drop*99999 " * 20 + "*")


def test_lines_stay_short() -> None:
    for record in kept():
        for line in text.write(record).splitlines():
            assert len(line) <= 88 or line.startswith(("[", "{"))
