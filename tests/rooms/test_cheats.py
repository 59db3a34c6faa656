"""What somebody might try at a table, or what befalls two people at once: each of these was found by trying."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from muang.errors import IllegalAction
from muang.games.lots import below
from muang.rooms import Room, Visit
from muang.rooms.hints import hint_seat
from muang.wire import ClockSetup, CommandFrame, PlayFrame, SayFrame
from rooms.desk import TIMING, Desk, setup
from rooms.test_meeting import met, racing, sit, to_the_other


def away(**more: Any) -> Desk:
    """S has played, N has the turn, has gone and is absent."""
    desk = met(ruleset="turns", timing=replace(TIMING, away=5000), first="S", **more)
    desk.join(1, "S")
    sit(desk, "token-N")
    desk.join(2, "N")
    to_the_other(desk)
    desk.part(2)
    desk.wait(5000)
    assert desk.room.state.chairs["N"].kind == "absent"
    return desk


def last(frames: list[Any], kind: str = "error") -> Any:
    return [frame for frame in frames if frame.type == kind][-1]


def test_nothing_is_taken_back_behind_the_back_of_somebody_who_is_away() -> None:
    desk = away()
    desk.order(1, "S", "takeback")
    assert desk.log[-1].kind == "offer"
    assert desk.room.shown.turn == "N"
    desk.order(1, "S", "decline")
    desk.order(1, "S", "sit-in", about="N")
    desk.order(1, "S", "takeback")
    assert desk.log[-1].kind == "offer", "whose seat the computer keeps is asked too"


def test_the_clock_goes_for_whoever_takes_a_seat_back() -> None:
    desk = away(clock=ClockSetup(kind="per-turn", seconds=60, per_drop=0))
    desk.order(1, "S", "sit-in", about="N")
    assert desk.room.turn_clock is not None
    assert desk.room.turn_clock.seat is None, "computers have no clock"
    desk.join(2, "N")
    desk.order(2, "N", "return")
    assert desk.room.turn_clock.seat == "N"
    desk.wait(60_000)
    assert desk.room.shown.result is not None
    assert desk.room.shown.result.reason == "flag"


def test_the_leaving_of_a_third_gives_no_time_to_whoever_is_on_turn() -> None:
    clock = ClockSetup(kind="per-turn", seconds=6, per_drop=0)
    desk = met("ca-ngua", seats=(0, 1, 2), first=0, clock=clock)
    desk.join(1, 0)
    for seat in (1, 2):
        sit(desk, f"token-{seat}", seat=seat)
        desk.join(seat + 1, seat)
    for _ in range(400):
        if desk.room.shown.phase == "move":
            break
        desk.wait(400)
    turn = desk.room.shown.turn
    other = next(seat for seat in (0, 1, 2) if seat != turn)
    desk.wait(4000)
    desk.order(other + 1, other, "resign")
    desk.wait(1999)
    assert desk.log[-1].action != "flag"
    desk.wait(1)
    assert [entry.action for entry in desk.log if entry.kind == "leave"][-1] == "flag"


def test_two_programs_by_one_name_are_two() -> None:
    desk = met(ruleset="turns", first="S")
    desk.join(1, "S", client="bot")
    sit(desk, "token-N")
    desk.join(2, "N", client="bot")
    desk.play(1, "S", "S1")
    desk.order(2, "N", "resign")
    assert desk.room.shown.result is not None, "the first input of the second is not taken for one that was done"
    assert len({entry.client for entry in desk.log if entry.n == 1}) == 2
    again = Desk(desk.setup, Room.replay(desk.setup, desk.log, TIMING))
    answer = again.do(Visit(-1, "bot", ("token-N",), CommandFrame(n=1, seat="N", name="resign")))
    assert last(answer, "ack").version == desk.log[-1].version, "after a restart too: this one was done, and is not done twice"


def test_a_second_screen_of_a_seat_cannot_go_before_what_the_first_has_done() -> None:
    desk = racing("by_hand", "mak-khum")
    desk.wait(500)
    desk.play(1, "S", "S7", at=float(desk.now))
    done = desk.log[-1].at
    desk.wait(150)
    answer = desk.do(Visit(-1, "another", ("token-S",), PlayFrame(n=1, seat="S", action="S3", at=float(desk.now - 220))))
    assert done is not None
    assert all(entry.at >= done for entry in desk.log if entry.kind == "play" and entry.at is not None), answer
    assert desk.room.shown.view()["hands"]["S"]["at"] == "S7"


def test_what_waits_at_the_end_of_a_match_is_answered() -> None:
    desk = racing()
    for _ in range(51):
        for screen, seat in ((1, "S"), (2, "N")):
            desk.play(screen, seat, "drop", at=float(desk.now))
        desk.wait(100)
    desk.play(1, "S", "drop", at=float(desk.now))
    desk.play(2, "N", "drop", at=float(desk.now))
    assert desk.room.judge.held
    waiting = desk.room.judge.held[0].entry.n
    frames = desk.order(1, "S", "resign")
    assert [frame.n for frame in frames if frame.type == "error"] == [waiting]


def test_leaving_does_not_end_a_race_that_is_not_certain_yet() -> None:
    """The last drop of a steady race waits for what may still arrive; so does everything that logs how far the race has come."""
    desk = Desk(setup("abalalae", pace="steady"))
    desk.join(1, "S")
    desk.join(2, "N")
    desk.start_race((1, "S"), (2, "N"))
    for _ in range(400):
        due = desk.room.shown.next_due
        assert due is not None
        if desk.room.clock.ms(desk.now) > due:
            break
        desk.wait(50)
    desk.room.log_moment(desk.now)
    assert desk.room.shown.phase == "race"
    desk.take(desk.room.tick(desk.now))
    desk.wait(300)
    assert desk.room.shown.phase == "turn"


def test_an_impossible_input_brings_nobody_back() -> None:
    desk = away()
    before = desk.room.version
    empty = "N" + str(below(1, "hole", 0, 7) + 1)
    wrong = "S1" if empty in desk.room.shown.legal("N") else empty
    answer = desk.do(Visit(-1, "v", ("token-N",), PlayFrame(n=1, seat="N", version=before, action=wrong)))
    assert last(answer).n == 1
    assert (desk.room.version, desk.room.state.chairs["N"].kind) == (before, "absent")


def test_mk_26_whoever_comes_back_into_a_race_has_its_time_from_then_on() -> None:
    of = setup("abalalae", pace="by_hand", choice_seconds=20)
    desk = Desk(of, Room.create(of, TIMING))
    desk.join(1, "S")
    desk.join(2, "N")
    desk.start_race((1, "S"), (2, "N"))
    for _ in range(20):
        desk.wait(1000)
        if "drop" in desk.room.shown.legal("N"):
            desk.play(2, "N", "drop", at=float(desk.now))
    assert desk.room.state.chairs["S"].kind == "absent"
    known = len(desk.log)
    moment = desk.room.clock.ms(desk.now)
    desk.order(1, "S", "return")
    desk.wait(5000)
    assert all(entry.at is None or entry.at >= moment for entry in desk.log[known:]), "nothing is done in the past"
    assert not any(frame.late for frame in desk.told[2] if frame.type == "event")


def test_one_phrase_at_a_time() -> None:
    desk = met()
    desk.join(1, "S")
    answers = [desk.do(Visit(-1, "v", ("token-S",), SayFrame(seat="S", phrase="wow")))[-1] for _ in range(3)]
    assert [answer.type for answer in answers] == ["phrase", "error", "error"]
    assert answers[-1].code == "rate-limited"
    desk.wait(700)
    assert desk.do(Visit(-1, "v", ("token-S",), SayFrame(seat="S", phrase="wow")))[-1].type == "phrase"


def test_time_stands_still_when_only_watchers_are_left() -> None:
    desk = met(ruleset="turns", first="S", clock=ClockSetup(kind="per-turn", seconds=10, per_drop=0))
    desk.join(1, "S")
    sit(desk, "token-N")
    desk.join(2, "N")
    desk.join(3)
    desk.part(1)
    desk.part(2)
    desk.wait(100_000)
    assert desk.room.shown.result is None
    desk.join(1, "S")
    desk.join(2, "N")
    desk.wait(9_999)
    assert desk.room.shown.result is None
    desk.wait(1)
    assert desk.room.shown.result is not None


def test_no_hint_against_somebody_who_may_come_back() -> None:
    """The computer keeps the seat; the screen that plays on is told nothing that would harm its owner."""
    desk = away()
    desk.order(1, "S", "sit-in", about="N")
    assert desk.room.state.chairs["N"].kind == "computer"
    with pytest.raises(IllegalAction, match="different screens"):
        hint_seat(desk.room, ["token-S"])
