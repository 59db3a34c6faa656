"""A room is what its log says: any interleaving of commands, replayed, gives the same state; logs that do not fit are refused."""

from __future__ import annotations

import functools
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from muang.errors import BadFrame, BadRecord
from muang.rooms import Computed, Order, Play, Room, RulesVersion
from muang.search.players import player
from muang.wire import COMMANDS, CommandFrame, LogEntry, PlayFrame, parse_client
from rooms.desk import TIMING, Desk, same_state, setup

SETUPS = [
    ("mak-khum", "turns", "lockstep", "", {}),
    ("mak-khum", None, "lockstep", "", {"choice_seconds": 2}),
    ("mak-khum", "songkhla", "steady", "", {"choice_seconds": 1}),
    ("mak-khum", "single", "by_hand", "N", {}),
    ("mak-khum", "single", "by_hand", "", {"choice_seconds": 1}),
    ("abalalae", None, "steady", "N", {"max_rounds": 2, "quiet_turns": 3}),
    ("abalalae", None, "by_hand", "", {"choice_seconds": 3}),
    ("abalalae", "turns", "lockstep", "S", {}),
    ("ca-ngua", None, "lockstep", "2", {"turn_seconds": 2}),
    ("ca-ngua", "phone", "lockstep", "", {"doubles": "extra"}),
]

steps = st.lists(
    st.one_of(
        st.tuples(st.just("play"), st.integers(0, 3), st.integers(0, 40), st.sampled_from([None, 0, -40, -400])),
        st.tuples(st.just("play"), st.integers(0, 3), st.integers(0, 40), st.none()),
        st.tuples(st.just("wait"), st.sampled_from([1, 30, 80, 90, 250, 400, 1000, 3000, 10_000]), st.none(), st.none()),
        st.tuples(st.just("compute"), st.none(), st.none(), st.none()),
        st.tuples(st.just("order"), st.integers(0, 3), st.sampled_from(COMMANDS), st.integers(0, 3)),
        st.tuples(st.just("part"), st.integers(0, 2), st.none(), st.none()),
        st.tuples(st.just("join"), st.integers(0, 2), st.none(), st.none()),
        st.tuples(st.just("start"), st.none(), st.none(), st.none()),
        st.tuples(st.just("kill"), st.none(), st.none(), st.none()),
    ),
    max_size=60,
)


class Run:
    """Drives a desk by numbers, so that any numbers are a run."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.seats = desk.room.shown.seats
        self.join(0)
        self.join(1)

    def join(self, screen: int) -> None:
        if screen not in self.desk.room.screens:
            held = [(self.seats[0],), self.seats[1:], ()][screen]
            self.desk.join(screen, *held)

    def step(self, what: str, a: Any, b: Any, c: Any) -> None:
        desk = self.desk
        if what == "play":
            seat = self.seats[a % len(self.seats)]
            legal = desk.room.shown.legal(seat) or ("S1", "drop", "stable-0")
            at = None if c is None else max(0, desk.now + c)
            desk.play(0 if seat == self.seats[0] else 1, seat, legal[b % len(legal)], at=at)
        elif what == "wait":
            desk.wait(a)
        elif what == "compute" and desk.room.wanted(desk.now):
            desk.compute()
        elif what == "order":
            seat = self.seats[a % len(self.seats)]
            desk.order(0 if seat == self.seats[0] else 1, seat, b, about=self.seats[c % len(self.seats)])
        elif what == "part":
            desk.part(a)
        elif what == "join":
            self.join(a)
        elif what == "start":
            for screen, seat in ((0, self.seats[0]), (1, self.seats[1])):
                desk.order(screen, seat, "start")
            desk.wait(TIMING.countdown)
        elif what == "kill":
            fresh = desk.again()
            assert same_state(fresh.room, desk.room)
            assert str(fresh.room.shown.position) == str(fresh.room.state.match.position)
            self.desk = fresh
            self.join(0)
            self.join(1)


@pytest.mark.parametrize("which", range(len(SETUPS)))
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(script=steps)
def test_any_interleaving_replays_to_the_same_state(which: int, script: list[tuple[Any, ...]]) -> None:
    game, ruleset, pace, computers, options = SETUPS[which]
    run = Run(Desk(setup(game, ruleset, pace=pace, computers=computers, **options)))
    run.step("start", None, None, None)
    for step in script:
        run.step(*step)
    desk = run.desk
    again = Room.replay(desk.setup, desk.log, TIMING)
    assert same_state(again, desk.room)
    shown = desk.room.state.match.at(desk.room.shown_ms) if desk.room.state.live else desk.room.state.match
    assert str(shown.position) == str(desk.room.shown.position), "what is shown is the log and what time has done since"
    assert [entry.version for entry in desk.log] == sorted({entry.version for entry in desk.log}), "versions only rise"


@functools.cache
def _desk() -> Desk:
    desk = Desk(setup())
    desk.join(1, "S", "N")
    return desk


@settings(max_examples=100, deadline=None)
@given(text=st.one_of(st.text(max_size=80), st.builds(str, st.binary(max_size=40))))
def test_garbage_frames_change_nothing(text: str) -> None:
    desk = _desk()
    _throw(desk, text)
    assert desk.log == []


words = st.sampled_from(["S", "N", 0, 2, 7, True, None, "S3", "drop", "play", "command", "hello", "resign", "x" * 70, -1, 1.5, 10**30])


@settings(max_examples=150, deadline=None)
@given(
    frame=st.dictionaries(
        st.sampled_from(["v", "type", "n", "seat", "version", "action", "at", "name", "about", "more"]), words, max_size=9
    )
)
def test_frames_that_are_nearly_right_never_raise(frame: dict[str, Any]) -> None:
    desk = Desk(setup())
    desk.join(1, "S")
    line = desk.line
    _throw(desk, json.dumps({"v": 1, "type": "play", "n": 1, "seat": "N", "version": 0, "action": "S3", **frame}))
    if not desk.log:
        assert desk.line == line


def _throw(desk: Desk, text: str) -> None:
    try:
        frame = parse_client(text)
    except BadFrame:
        return
    if isinstance(frame, PlayFrame):
        desk.do(Play(1, frame))
    elif isinstance(frame, CommandFrame):
        desk.do(Order(1, frame))


# ── logs that do not fit ─────────────────────────────────────────────────────────────────────────────────────────────────────


def played() -> Desk:
    desk = Desk(setup("mak-khum", "turns", store_landing="end"))
    desk.join(1, "S", "N")
    for _ in range(4):
        seat = desk.room.shown.turn
        assert seat is not None
        desk.play(1, seat, desk.room.shown.legal(seat)[0])
    return desk


def test_a_log_by_other_rules_says_that_it_cannot_be_replayed() -> None:
    desk = played()
    with pytest.raises(RulesVersion, match="version 0 of the rules; this Muang has 1"):
        Room.replay(desk.setup.model_copy(update={"rules_version": 0}), desk.log)
    mixed = [*desk.log[:2], desk.log[2].model_copy(update={"rules_version": 9})]
    with pytest.raises(RulesVersion, match=r"entry 3 .* version 9"):
        Room.replay(desk.setup, mixed)


def test_a_log_that_does_not_fit_names_the_entry() -> None:
    desk = played()
    with pytest.raises(BadRecord, match="action 2"):
        Room.replay(desk.setup, [desk.log[0], *desk.log[2:]])
    with pytest.raises(BadRecord, match=r"action 1: .*another state"):
        Room.replay(desk.setup, [desk.log[0].model_copy(update={"hash": "0" * 16})])
    with pytest.raises(BadRecord, match="action 1"):
        Room.replay(desk.setup, [LogEntry(kind="play", seat="S", action="N1")])


def test_a_computer_that_thinks_after_the_match_is_over_is_not_heard() -> None:
    desk = Desk(setup("mak-khum", "turns", computers="N"))
    desk.join(1, "S")
    while desk.room.shown.turn == "S":
        desk.play(1, "S", desk.room.shown.legal("S")[0])
    (want,) = desk.room.wanted(desk.now)
    action = player("greedy").choose(desk.room.shown, "N", 1, 0)
    desk.order(1, "S", "resign")
    assert desk.do(Computed("N", want.ticket, action)) == []
