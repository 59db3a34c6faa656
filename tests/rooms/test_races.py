"""Races in time: ready and countdown, steady hands, hands of one's own, late inputs, restarts, pauses."""

from __future__ import annotations

import pytest

from muang.rooms import Computed, Room
from muang.rooms.clock import ClientClock, RaceClock
from rooms.desk import Desk, error, events, kinds, same_state, setup


def live(pace: str, game: str = "mak-khum", computers: str = "", ruleset: str | None = None, **options: object) -> Desk:
    """A race under way at 0 ms: South at screen 1, North at screen 2."""
    desk = Desk(setup(game, ruleset, pace=pace, computers=computers, **options))
    desk.join(1, "S")
    if not computers:
        desk.join(2, "N")
        desk.start_race((1, "S"), (2, "N"))
    else:
        desk.start_race((1, "S"))
    return desk


def lifted(desk: Desk) -> dict[str, str | None]:
    return {seat: hand and hand["at"] for seat, hand in desk.room.shown.view()["hands"].items()}


# ── beginning ────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_race_waits_for_both_players_and_counts_down() -> None:
    desk = Desk(setup(pace="steady"))
    desk.join(1, "S")
    desk.join(2, "N")
    assert desk.told[1][0].awaiting == ["S", "N"]
    assert desk.told[1][0].race_clock.model_dump() == {"running": False, "ms": 0}
    assert error(desk.play(1, "S", "S3")).message.startswith("the race has not begun")
    frames = desk.order(1, "S", "start")
    assert kinds(frames) == ["event", "ack"]
    assert frames[0].awaiting == ["N"]
    assert desk.wait(60_000) == []
    frames = desk.order(2, "N", "start")
    assert kinds(frames) == ["event", "countdown", "ack"]
    assert frames[1].ms == 3000
    assert error(desk.play(1, "S", "S3")).code == "illegal-action"
    assert desk.wait(2999) == []
    (go,) = desk.wait(1)
    assert go.entry.kind == "start"
    assert go.race_clock.model_dump() == {"running": True, "ms": 0}
    assert desk.log[-1].kind == "start"


def test_everybody_at_one_screen_is_ready_at_once_and_computers_always_are() -> None:
    desk = Desk(setup(pace="by_hand"))
    desk.join(1, "S", "N")
    assert "countdown" in kinds(desk.order(1, "N", "start"))
    other = Desk(setup(pace="by_hand", computers="N"))
    other.join(1, "S")
    assert other.told[1][0].awaiting == ["S"]
    assert "countdown" in kinds(other.order(1, "S", "start"))
    other.wait(3000)
    assert error(other.order(1, "S", "start")).code == "illegal-action", "it has begun"


def test_every_further_race_has_a_beginning_of_its_own() -> None:
    """Abalala'e begins every round with a race (AB-24); each has its own clock."""
    desk = live("steady", "abalalae", max_rounds=3)
    while desk.room.shown.view()["round"] == 1:
        if desk.room.shown.turn is None:
            desk.wait(1000)
        else:
            seat = desk.room.shown.turn
            legal = desk.room.shown.legal(seat)
            desk.play(1 if seat == "S" else 2, seat, legal[len(desk.log) % len(legal)])
    assert desk.room.shown.phase == "race"
    assert not desk.room.state.started
    assert desk.room.awaiting() == ("S", "N")
    assert desk.room.clock.ms(desk.now) == 0
    line = desk.line
    desk.wait(60_000)
    assert desk.line == line, "nothing moves before the start"
    desk.start_race((1, "S"), (2, "N"))
    desk.wait(250)
    assert desk.line != line
    assert same_state(Room.replay(desk.setup, desk.log), desk.room)
    assert desk.again().room.shown_ms == 0


# ── steady ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_steady_drops_are_told_when_they_happen() -> None:
    desk = live("steady")
    desk.wait(100)
    desk.play(1, "S", "S3")
    assert desk.log[-1].at == 100
    assert desk.room.next_deadline(desk.now) == desk.now + 250
    versions = [desk.room.version]
    for place in ("S4", "S5", "S6"):
        assert desk.wait(249) == []
        (frame,) = desk.wait(1)
        assert (frame.entry, [tuple(event) for event in frame.events]) == (None, [("S", "drop", place)])
        assert frame.race_clock.running
        versions.append(frame.version)
    assert versions == list(range(versions[0], versions[0] + 4))
    assert frame.race_clock.ms == 850
    assert desk.log[-1].kind == "play", "drops that happen by themselves are not logged"


def test_two_steady_hands_and_a_race_that_ends_by_itself() -> None:
    desk = live("steady", ruleset="songkhla")
    desk.play(1, "S", "S2")
    desk.wait(40)
    desk.play(2, "N", "N2")
    while desk.room.shown.phase == "race":
        assert desk.wait(100_000)
    ended = desk.log[-1]
    assert (ended.kind, ended.by) == ("time", "system")
    assert ended.at is not None
    turn = desk.room.shown.turn
    assert turn == "S", "South died first and opens the turns (MK-22)"
    assert desk.told[1][-1].race_clock is None
    assert desk.room.next_deadline(desk.now) is None
    again = desk.again()
    assert again.line == desk.line
    desk.play(1, "S", desk.room.shown.legal("S")[0])
    assert same_state(Room.replay(desk.setup, desk.log), desk.room)


# ── by hand ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_inputs_carry_whole_ms_since_the_race_began_and_too_quick_ones_are_void() -> None:
    desk = live("by_hand")
    desk.wait(10)
    desk.play(1, "S", "S3", version=0)
    desk.wait(100)
    desk.play(1, "S", "drop", version=None)
    desk.wait(79)
    frames = desk.play(1, "S", "drop")
    assert ("S", "void", "drop") in events(frames)
    assert kinds(frames) == ["event", "ack"]
    desk.wait(1)
    desk.play(1, "S", "drop")
    assert [(entry.action, entry.at) for entry in desk.log if entry.kind == "play"] == [
        ("S3", 10),
        ("drop", 110),
        ("drop", 189),
        ("drop", 190),
    ]
    assert lifted(desk) == {"S": "S5", "N": None}


def test_an_input_that_was_held_up_on_its_way_is_put_where_it_belongs() -> None:
    """Both lift and drop; South's second drop arrives late. The outcome is the same as if it had come in time."""

    def run(held_up: int) -> Desk:
        desk = live("by_hand")
        start = desk.now
        desk.play(1, "S", "S3", at=5000.0)
        desk.play(2, "N", "N3", at=900.0)
        desk.wait(100)
        desk.play(1, "S", "drop", at=5100.0)
        desk.wait(100)
        late = (start + 200 + held_up, 5200.0)
        moments = sorted([(start + 210, 1110.0), (start + 300, 1200.0), late])
        for moment, at in moments:
            desk.wait(moment - desk.now)
            desk.play(*((1, "S") if at > 5000 else (2, "N")), "drop", at=at)
        return desk

    in_time, held_up = run(5), run(160)
    late = [frame for frame in held_up.told[2] if frame.type == "event" and frame.late]
    assert len(late) == 1
    assert late[0].events == [], "a correction is not animated"
    assert late[0].match["board"] == held_up.room.shown.view()["board"]
    assert [entry.at for entry in held_up.log if entry.seat == "S" and entry.kind == "play"] == [0, 100, 200]
    assert held_up.room.shown.view()["board"] == in_time.room.shown.view()["board"]
    assert held_up.room.shown.view()["hands"] == in_time.room.shown.view()["hands"]
    assert same_state(Room.replay(held_up.setup, held_up.log), held_up.room)


def test_nobody_gains_more_than_max_lag_by_a_false_clock() -> None:
    clock = ClientClock()
    assert clock.effective(10_000, 500.0, 250)[0] == 10_000
    assert clock.effective(11_000, 500.0, 250)[0] == 10_750, "a client that claims no time has passed"
    assert clock.effective(11_100, 99_999.0, 250)[0] >= 10_850
    assert clock.effective(11_200, 0.0, 250)[0] >= 10_950


def test_a_client_that_was_never_probed_is_as_near_as_its_quickest_input() -> None:
    clock = ClientClock()
    moments = [clock.effective(now, at, 250)[0] for now, at in [(1000, 0.0), (1200, 100.0), (1210, 205.0), (1300, None)]]
    assert moments == [1000, 1100, 1205, 1300], "the delay of the second one is taken off"


def test_the_race_clock_stands_and_goes_on() -> None:
    clock = RaceClock()
    clock.run(1000, after=3000)
    assert (clock.ms(2000), clock.running(2000), clock.left(2000)) == (0, False, 2000)
    assert (clock.ms(4500), clock.running(4500), clock.left(4500)) == (500, True, None)
    assert clock.moment(800) == 4800
    clock.stop(5000)
    assert (clock.ms(9999), clock.running(9999)) == (1000, False)
    with pytest.raises(ValueError, match="stopped"):
        clock.moment(5)
    clock.run(10_000)
    assert clock.ms(10_001) == 1001


# ── breaks ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_after_a_restart_the_race_goes_on_from_its_last_logged_moment_when_everybody_is_back() -> None:
    desk = live("steady")
    desk.wait(400)
    desk.play(1, "S", "S3")
    desk.wait(600)
    again = desk.again()
    assert again.room.next_deadline(again.now) is None, "it stands until somebody is there"
    again.wait(60_000)
    again.join(1, "S")
    state = again.told[1][0]
    assert state.race_clock.model_dump() == {"running": False, "ms": 400}
    assert state.match["hands"]["S"] == {"at": "S3", "seeds": 7}
    assert again.room.version > desk.room.version, "no screen can have seen a version as high"
    again.wait(60_000)
    assert not again.room.counting, "it waits for the other player"
    again.join(2, "N")
    again.wait(3000)
    assert again.told[1][-1].race_clock.running
    again.wait(250)
    assert lifted(again)["S"] == "S4"
    assert again.room.shown_ms == 650


def test_a_race_stands_while_nobody_is_there_and_the_moment_is_kept() -> None:
    desk = live("steady", computers="N")
    desk.play(1, "S", "S3")
    desk.wait(600)
    desk.part(1)
    assert (desk.log[-1].kind, desk.log[-1].at) == ("time", 600)
    line = desk.line
    assert desk.room.wanted(desk.now) == []
    desk.wait(1_000_000)
    assert desk.line == line
    assert same_state(Room.replay(desk.setup, desk.log), desk.room)
    frames = desk.join(1, "S")
    assert "countdown" in kinds(frames)
    desk.wait(3000 + 150)
    assert desk.room.shown_ms == 750


def test_the_other_player_leaving_its_screen_does_not_stop_the_race() -> None:
    desk = live("steady")
    desk.play(1, "S", "S3")
    desk.part(2)
    desk.wait(250)
    assert lifted(desk)["S"] == "S4"


def test_a_countdown_that_nobody_watches_begins_again() -> None:
    desk = Desk(setup(pace="by_hand", computers="N"))
    desk.join(1, "S")
    desk.order(1, "S", "start")
    desk.wait(1000)
    desk.part(1)
    desk.wait(10_000)
    assert not desk.room.state.started
    assert "countdown" in kinds(desk.join(1, "S"))
    desk.wait(3000)
    assert desk.room.state.started


def test_a_computer_races_at_its_own_pace() -> None:
    desk = live("by_hand", computers="N")
    (want,) = desk.room.wanted(desk.now)
    assert not want.early
    assert 300 <= want.due - desk.now <= 1500
    desk.compute()
    assert desk.log[-1].by == "computer"
    assert desk.log[-1].at is not None
    for _ in range(5):
        before = desk.now
        desk.compute()
        assert 200 <= desk.now - before <= 400
        assert desk.log[-1].action == "drop"
    stale = desk.room.wanted(desk.now)[0]
    desk.part(1)
    assert desk.do(Computed("N", stale.ticket, "drop")) == [], "nobody is there to see it"


def test_the_computer_asks_again_when_its_hole_has_changed_under_its_thoughts() -> None:
    desk = live("steady", computers="N")
    (want,) = desk.room.wanted(desk.now)
    frames = desk.do(Computed("N", want.ticket, "S1"))
    assert ("N", "void", "S1") in events(frames)
    (then,) = desk.room.wanted(desk.now)
    assert (then.ticket, then.n) == (want.ticket + 1, want.n + 1)


def test_a_race_left_in_its_middle_ends_there() -> None:
    desk = live("steady")
    desk.play(1, "S", "S3")
    desk.wait(600)
    desk.order(2, "N", "resign")
    assert [(entry.kind, entry.at) for entry in desk.log[-2:]] == [("time", 600), ("leave", None)]
    assert desk.room.shown.result is not None
    assert same_state(Room.replay(desk.setup, desk.log), desk.room)
