"""Turns in a room: versions, acknowledgements, who may act, errors that change nothing."""

from __future__ import annotations

import pytest

from muang.rooms import Computed
from muang.wire import hash_token
from rooms.desk import Desk, error, events, kinds, setup


@pytest.fixture
def desk() -> Desk:
    desk = Desk(setup("mak-khum", "turns"))
    desk.join(1, "S")
    desk.join(2, "N")
    return desk


def test_a_hello_is_answered_with_everything_and_says_which_seats_are_yours(desk: Desk) -> None:
    state = desk.told[1][0]
    assert state.type == "state"
    assert state.match == desk.room.shown.view()
    assert [(view.seat, view.yours, view.name) for view in state.seats] == [("S", True, "PS"), ("N", False, "PN")]
    assert state.layout["paths"]["S"][:8] == ["S1", "S2", "S3", "S4", "S5", "S6", "S7", "SH"]
    assert state.client == "client1"
    assert [view.yours for view in desk.told[2][0].seats] == [False, True]


def test_a_move_is_logged_told_to_all_and_acknowledged_to_its_sender(desk: Desk) -> None:
    frames = desk.play(1, "S", "S3")
    assert kinds(frames) == ["event", "ack"]
    told, ack = frames
    assert (told.version, ack.version, ack.n) == (1, 1, 1)
    assert told.entry.action == "S3"
    assert told.entry.by == "player"
    assert ("S", "lift", "S3", 7) in events(frames)
    assert any("lifts" in sentence for sentence, _ in told.say)
    assert told.match == desk.room.shown.view()
    assert desk.told[2][-1] is told, "the ack goes to its sender alone"
    entry = desk.log[-1]
    assert (entry.kind, entry.seat, entry.action, entry.client, entry.n, entry.version) == ("play", "S", "S3", "client1", 1, 1)
    assert len(desk.room.state.hash) == 16


def test_a_stale_version_is_refused_in_turns(desk: Desk) -> None:
    desk.play(1, "S", "S3")
    before = desk.line
    seat = desk.room.shown.turn
    screen = 1 if seat == "S" else 2
    hole = desk.room.shown.legal(seat)[0]
    for version in (0, None, 99):
        refused = error(desk.play(screen, seat, hole, version=version))
        assert refused.code == "stale-version"
    assert desk.line == before
    assert kinds(desk.play(screen, seat, hole)) == ["event", "ack"]


def test_an_offer_in_between_does_not_make_a_move_stale(desk: Desk) -> None:
    seen = desk.room.version
    desk.order(2, "N", "draw")
    assert desk.room.version == seen + 1
    assert kinds(desk.play(1, "S", "S3", version=seen)) == ["event", "ack"]


def test_an_input_that_comes_twice_is_acknowledged_twice_and_applied_once(desk: Desk) -> None:
    desk.play(1, "S", "S3", n=5)
    length, line = len(desk.log), desk.line
    again = desk.play(1, "S", "S3", version=0, n=5)
    assert kinds(again) == ["ack"]
    assert (again[0].n, again[0].version) == (5, 1)
    assert (len(desk.log), desk.line) == (length, line)


def test_an_input_that_comes_again_after_a_restart_is_still_known(desk: Desk) -> None:
    desk.play(1, "S", "S3", n=5)
    after = desk.again()
    after.join(9, "S", client="client1")
    assert kinds(after.play(9, "S", "S3", version=0, n=5)) == ["ack"]
    assert after.log == desk.log
    after.join(10, "S", client="another")
    assert kinds(after.play(10, "S", "S3", version=0, n=5)) == ["error"], "another client's number 5 is another input"


def test_only_the_token_of_a_seat_acts_for_it(desk: Desk) -> None:
    before = desk.line
    assert error(desk.play(2, "S", "S3")).code == "not-your-seat"
    desk.join(3)
    desk.join(4, "nobody")
    for spectator in (3, 4):
        assert error(desk.play(spectator, "S", "S3")).code == "not-your-seat"
        assert error(desk.order(spectator, "S", "resign")).code == "not-your-seat"
    assert error(desk.play(1, 2, "S3")).code == "bad-action"
    assert (desk.line, desk.log) == (before, [])
    assert desk.room.seats_of(["token-S", hash_token("token-N")]) == ("S",), "the hash of a token is no token"


def test_an_action_that_the_rules_refuse_changes_nothing_and_names_clause_and_choices(desk: Desk) -> None:
    before = desk.line
    refused = error(desk.play(1, "S", "N3"))
    assert (refused.code, refused.clause, refused.n) == ("illegal-action", "MK-10", 1)
    assert refused.allowed == [f"S{i}" for i in range(1, 8)]
    assert error(desk.play(2, "N", "N3")).clause == "MK-40"
    assert error(desk.play(1, "S", "S9")).code == "bad-action"
    assert error(desk.play(1, "S", "drop")).clause == "MK-24"
    assert (desk.line, desk.log) == (before, [])
    assert kinds(desk.told[2]) == ["state", "error"], "others hear nothing of it"


def test_a_computer_says_what_it_will_play_and_stale_thoughts_are_dropped() -> None:
    desk = Desk(setup("mak-khum", "turns", computers="N"))
    assert desk.room.wanted(desk.now) == []
    desk.join(1, "S")
    while desk.room.shown.turn == "S":
        desk.play(1, "S", desk.room.shown.legal("S")[0])
    (want,) = desk.room.wanted(desk.now)
    assert (want.seat, want.player, want.n, want.early) == ("N", "greedy", 0, True)
    assert 300 <= want.due - desk.now <= 1500
    line = desk.line
    assert desk.do(Computed("N", want.ticket + 1, "N1")) == []
    assert desk.do(Computed("S", want.ticket, "S1")) == []
    assert desk.line == line
    frames = desk.do(Computed("N", want.ticket, "N1"))
    assert kinds(frames) == ["event"]
    assert desk.log[-1].by == "computer"
    assert desk.do(Computed("N", want.ticket, "N2")) == [], "the same thought twice"
    assert error(desk.play(1, "N", "N2")).code == "not-your-seat"


def test_by_hand_drops_in_turns_need_no_fresh_version() -> None:
    desk = Desk(setup("mak-khum", "turns", pace="by_hand"))
    desk.join(1, "S", "N")
    seen = desk.room.version
    desk.play(1, "S", "S3", version=seen)
    for _ in range(7):
        assert kinds(desk.play(1, "S", "drop", version=seen))[0] == "event"
    assert desk.room.shown.view()["board"]["stores"]["S"] == 1
    assert error(desk.play(1, "S", "S1", version=seen)).code in ("stale-version", "illegal-action")


def test_the_match_over_refuses_everything(desk: Desk) -> None:
    desk.order(2, "N", "resign")
    assert desk.room.shown.result is not None
    assert (desk.room.shown.result.winner, desk.room.shown.result.reason) == ("S", "resigned")
    assert error(desk.play(1, "S", "S3")).code == "illegal-action"
    assert error(desk.order(1, "S", "draw")).code == "illegal-action"
    assert desk.room.next_deadline(desk.now) is None
    assert desk.room.wanted(desk.now) == []
