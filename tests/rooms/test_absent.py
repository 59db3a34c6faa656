"""Choices not made in time (MK-26, AB-21, CN-42), and what the table does with a seat that is absent."""

from __future__ import annotations

from muang.games.core import game
from muang.rooms import Room
from muang.rooms.rules import system_choice
from rooms.desk import Desk, error, kinds, same_state, setup


def race(pace: str, **options: object) -> Desk:
    desk = Desk(setup(pace=pace, choice_seconds=5, **options))
    desk.join(1, "S")
    desk.join(2, "N")
    if pace != "lockstep":
        desk.start_race((1, "S"), (2, "N"))
    return desk


def chosen(desk: Desk) -> list[tuple[object, ...]]:
    return [(entry.seat, entry.action, entry.by, entry.at) for entry in desk.log if entry.kind == "play"]


def test_mk_26_the_system_takes_the_lowest_hole_when_the_time_is_over() -> None:
    desk = race("steady")
    desk.wait(1000)
    desk.play(2, "N", "N3")
    assert desk.told[1][-1].clock == {"S": 4000}
    desk.wait(3999)
    assert len(chosen(desk)) == 1
    desk.wait(1)
    assert chosen(desk)[-1] == ("S", "S1", "system", 5000)
    frame = next(frame for frame in reversed(desk.told[1]) if frame.type == "event" and frame.entry)
    assert frame.entry.by == "system"


def test_mk_26_the_clock_begins_anew_for_each_choice_and_each_seat() -> None:
    desk = race("steady")
    desk.play(1, "S", "S1")  # 7 seeds: rests in SH after 1750 ms
    desk.wait(1750)
    assert desk.told[2][-1].clock == {"S": 5000, "N": 3250}


def test_mk_26_both_hidden_choices_at_lockstep() -> None:
    desk = race("lockstep")
    desk.wait(4000)
    desk.play(2, "N", "N6")
    desk.wait(1000)
    assert [entry[:3] for entry in chosen(desk)] == [("N", "N6", "player"), ("S", "S1", "system")]


def test_mk_26_a_drop_not_made_within_3_seconds_is_made_by_the_system_and_the_third_makes_absent() -> None:
    desk = race("by_hand")
    desk.play(1, "S", "S3")
    desk.play(2, "N", "N3")
    for second in range(1, 4):
        desk.wait(1000)
        desk.play(2, "N", "drop")
        assert len([entry for entry in chosen(desk) if entry[0] == "S" and entry[2] == "system"]) == (second == 3)
    for _ in range(2):
        desk.wait(2900)
        desk.play(2, "N", "drop")
    desk.wait(1000)
    system = [entry for entry in chosen(desk) if entry[2] == "system"]
    assert [entry[0] for entry in system] == ["S"] * 3
    assert desk.log[-1].kind == "seat"
    assert (desk.log[-1].seat, desk.log[-1].action, desk.log[-1].by) == ("S", "absent", "system")
    assert desk.room.state.chairs["S"].kind == "absent"


def test_a_choice_of_ones_own_begins_the_count_again() -> None:
    desk = race("by_hand")
    desk.play(1, "S", "S3")
    desk.wait(6000)
    assert desk.room.state.chairs["S"].missed == 2
    desk.play(1, "S", "drop")
    assert desk.room.state.chairs["S"].missed == 0
    desk.play(2, "N", "N3")
    desk.wait(6000)
    assert desk.room.state.chairs["S"].kind == "person"


def absent_south() -> Desk:
    desk = race("by_hand")
    desk.play(1, "S", "S3")
    for _ in range(3):
        desk.play(2, "N", "N3" if _ == 0 else "drop")
        desk.wait(2500)
        desk.play(2, "N", "drop")
        desk.wait(600)
    assert desk.room.state.chairs["S"].kind == "absent"
    return desk


def test_an_absent_seat_is_waited_for() -> None:
    desk = absent_south()
    count = len(chosen(desk))
    for _ in range(4):
        desk.wait(2500)
        desk.play(2, "N", "drop")
    assert len([one for one in chosen(desk)[count:] if one[0] == "S"]) == 0
    assert "S" not in desk.told[2][-1 if desk.told[2][-1].type == "event" else -2].clock


def test_screens_are_told_which_seats_are_theirs_when_seats_change() -> None:
    desk = absent_south()
    for screen, seat in ((1, "S"), (2, "N")):
        frame = next(frame for frame in reversed(desk.told[screen]) if frame.type == "event" and frame.seats)
        assert [(view.seat, view.kind, view.yours) for view in frame.seats] == [
            ("S", "absent", seat == "S"),
            ("N", "person", seat == "N"),
        ]


def test_the_others_let_the_computer_sit_in_and_the_absent_one_comes_back() -> None:
    desk = absent_south()
    assert error(desk.order(2, "N", "sit-in", about="N")).clause == "MK-26"
    desk.order(2, "N", "sit-in", about="S")
    assert [one.seat for one in desk.room.wanted(desk.now)] == ["S"]
    desk.compute()
    assert chosen(desk)[-1][:3] == ("S", "drop", "computer")
    assert error(desk.play(1, "S", "drop")).code == "not-your-seat"
    desk.order(1, "S", "return")
    assert desk.room.wanted(desk.now) == []
    assert error(desk.order(1, "S", "return")).code == "illegal-action"
    desk.wait(100)
    assert "ack" in kinds(desk.play(1, "S", "drop"))
    assert same_state(Room.replay(desk.setup, desk.log), desk.room)


def test_an_absent_player_who_plays_is_there_again() -> None:
    desk = absent_south()
    desk.wait(100)
    desk.play(1, "S", "drop")
    assert [(entry.kind, entry.action) for entry in desk.log[-2:]] == [("seat", "person"), ("play", "drop")]
    assert desk.room.state.chairs["S"].kind == "person"


def test_the_others_claim_the_match() -> None:
    desk = absent_south()
    assert error(desk.order(2, "N", "claim", about="N")).code == "illegal-action"
    desk.order(2, "N", "claim", about="S")
    result = desk.room.shown.result
    assert result is not None
    assert (result.winner, result.reason) == ("N", "left")


def test_no_clock_runs_while_nobody_is_there_or_without_the_option() -> None:
    desk = race("lockstep")
    desk.part(1)
    desk.part(2)
    desk.wait(100_000)
    assert chosen(desk) == []
    desk.join(1, "S")
    assert desk.told[1][-1].clock == {}, "it waits for the other player"
    desk.join(2, "N")
    assert desk.told[2][-1].clock == {"S": 5000, "N": 5000}
    free = Desk(setup())
    free.join(1, "S", "N")
    assert free.room.next_deadline(free.now) is None


# ── Cờ cá ngựa ───────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_cn_42_the_farthest_move_after_turn_seconds_and_absent_after_three() -> None:
    desk = Desk(setup("ca-ngua", turn_seconds=7, seed=3))
    desk.join(1, 0)
    desk.join(2, 2)
    made = []
    while desk.room.state.chairs[0].kind == "person":
        if desk.room.shown.phase == "move" and desk.room.shown.turn == 2:
            desk.play(2, 2, desk.room.shown.legal(2)[0])
        elif desk.room.shown.phase == "move":
            expected = system_choice(desk.room.shown, 0)
            begun = desk.now
            assert desk.room.next_deadline(desk.now) == desk.now + 7000
            desk.wait(7000)
            played = [entry for entry in desk.log if entry.kind == "play" and entry.by == "system"]
            assert (played[-1].action, desk.now - begun) == (expected, 7000)
            made.append(expected)
        else:
            desk.wait(max(0, (desk.room.next_deadline(desk.now) or 0) - desk.now))
    assert len(made) == 3
    line = desk.line
    desk.order(2, 2, "claim", about=0)
    assert desk.room.shown.result is not None
    assert desk.room.shown.result.reason == "last-left"
    assert line != desk.line


def test_cn_42_an_entry_counts_nothing_and_an_extra_choice_is_passed() -> None:
    match = game("ca-ngua").start(seed=1, first=0)
    match = match.roll((6, 6)).play(0, "stable-0").roll((6, 6)).play(0, "0-12").roll((3, 3))
    assert set(match.legal(0)) == {"12-15", "12-18", "stable-0"}
    assert system_choice(match, 0) == "12-18", "six squares before three, and before an entry"
    extra = game("ca-ngua", doubles="extra").start(seed=1, first=0)
    extra = extra.roll((2, 2)).play(0, "stable-0")
    assert "pass" in extra.legal(0)
    assert system_choice(extra, 0) == "pass"
