"""People come to a table: free seats, the beginning, who is there, absence, clocks of turns, phrases, another match."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from muang.rooms import Answered, Computed, Join, Rematched, Room, Say, Sit, Timing, Visit
from muang.rooms.fair import Lots
from muang.wire import ClockSetup, CommandFrame, EchoFrame, PlayFrame, SayFrame, SeatSetup, Setup, commitment_of, hash_token
from rooms.desk import TIMING, Desk, setup

SECRET = "5a" * 32


def met(game: str = "mak-khum", ruleset: str | None = None, timing: Timing = TIMING, seats: Any = None, **more: Any) -> Desk:
    """A table that nobody sits at but the one who made it, in the first seat; the others are free."""
    of = setup(game, ruleset, seats=seats, **more.pop("options", {}))
    chairs = [of.seats[0], *(SeatSetup(seat=seat.seat, kind="open") for seat in of.seats[1:])]
    of = of.model_copy(update={"seats": tuple(chairs), "secret": SECRET, "seed": 0, "first": None, **more})
    desk = Desk(of, Room.create(of, timing))
    desk.tables = True
    return desk


def sit(desk: Desk, token: str, seat: Any = None, name: str = "Guest", entropy: str | None = None) -> Any:
    frames = desk.do(Sit(-1, seat, name, hash_token(token), entropy))
    return next(frame for frame in frames if frame.type in ("ack", "error"))


def table(desk: Desk, screen: int) -> Any:
    """What the screen was told last of the people at the table."""
    return [frame.table for frame in desk.told[screen] if hasattr(frame, "table")][-1]


# ── meeting ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_nothing_is_played_before_every_seat_is_taken() -> None:
    desk = met(ruleset="turns")
    desk.join(1, "S")
    assert table(desk, 1).stage == "meeting"
    refused = [frame for frame in desk.play(1, "S", "S1") if frame.type == "error"]
    assert "not begun" in refused[0].message
    assert sit(desk, "token-N", entropy="mine").type == "ack"
    assert table(desk, 1).stage == "playing"
    assert [entry.kind for entry in desk.log] == ["sit", "sit", "begin"]


def test_the_lots_come_from_the_secret_and_from_what_the_players_mixed_in() -> None:
    desk = met("ca-ngua")
    desk.join(1, 0)
    assert desk.told[1][0].table.commitment == commitment_of(SECRET)
    assert desk.told[1][0].table.secret is None
    sit(desk, "token-2", entropy="abc")
    lots = Lots(SECRET, "test", {2: "abc"})
    assert desk.room.shown.first == lots.first((0, 2))
    assert desk.room.state.seed == lots.seed()
    desk.wait(TIMING.roll)
    assert desk.log[-1].dice == lots.dice(0)
    again = Room.replay(desk.setup, desk.log, TIMING)
    assert (again.state.seed, again.shown.first) == (desk.room.state.seed, desk.room.shown.first)


def test_a_seat_is_given_once_and_to_one_token() -> None:
    desk = met()
    desk.join(1, "S")
    assert sit(desk, "x", seat="S").code == "seat-taken"
    assert sit(desk, "token-S").code == "seat-taken"
    assert sit(desk, "x", seat="N").type == "ack"
    assert sit(desk, "y").code == "seat-taken"
    assert desk.room.state.chairs["N"].token == hash_token("x")


def test_a_free_seat_may_be_filled_with_the_computer() -> None:
    desk = met()
    desk.join(1, "S")
    order = CommandFrame(n=9, seat="S", name="fill", about="N", player="nobody")
    assert desk.do(Visit(-7, "v", ("token-S",), order))[-1].code == "bad-action"
    assert desk.do(Visit(-7, "v", ("token-S",), order.model_copy(update={"player": "greedy"})))[-1].type == "ack"
    assert desk.room.state.begun
    assert (desk.room.state.chairs["N"].kind, desk.room.state.chairs["N"].player) == ("computer", "greedy")
    assert desk.do(Visit(-7, "v", ("token-S",), order))[-1].type == "ack", "sent again: the same answer"


def test_four_seats_begin_when_the_last_is_taken() -> None:
    desk = met("ca-ngua", seats=(0, 1, 2, 3))
    desk.join(1, 0)
    for n, seat in enumerate((2, 1, 3)):
        assert not desk.room.state.begun
        assert sit(desk, f"t{n}", seat=seat).type == "ack"
    assert desk.room.state.begun


def test_a_visitor_without_a_seat_can_do_nothing() -> None:
    desk = met(ruleset="turns")
    desk.join(1, "S")
    sit(desk, "token-N")
    answer = desk.do(Visit(-3, "v", ("nonsense",), PlayFrame(n=1, seat="S", action="S1")))
    assert [frame.code for frame in answer] == ["not-your-seat"]


# ── who is there ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_everybody_hears_who_is_there_and_who_watches() -> None:
    desk = met(ruleset="turns")
    desk.join(1, "S")
    sit(desk, "token-N")
    desk.join(2, "N")
    desk.join(3)
    told = table(desk, 1)
    assert (told.here, told.watchers) == (["S", "N"], 1)
    desk.part(2)
    assert table(desk, 1).here == ["S"]


def test_pings_are_measured_by_the_server_and_false_echoes_mean_nothing() -> None:
    timing = replace(TIMING, probe=1000, rare_probe=1000)
    desk = met(ruleset="turns", timing=timing)
    desk.join(1, "S")
    sit(desk, "token-N")
    desk.join(2, "N")
    desk.wait(1000)
    probes = [frame for frame in desk.told[2] if frame.type == "probe"]
    desk.now += 40
    desk.do(Answered(2, EchoFrame(s=probes[-1].s, t=5.0)))
    assert table(desk, 1).pings == {"N": desk.now - probes[-1].s}
    assert any(frame.type == "probe" for frame in desk.told[1]), "who was there first is probed too"
    before = len(desk.told[1])
    desk.do(Answered(2, EchoFrame(s=probes[-1].s, t=5.0)))
    desk.do(Answered(2, EchoFrame(s=12345, t=5.0)))
    assert len(desk.told[1]) == before


def test_mk_26_somebody_who_has_gone_is_absent_only_while_the_match_waits_for_him() -> None:
    desk = met(ruleset="turns", timing=replace(TIMING, away=5000), first="S")
    desk.join(1, "S")
    sit(desk, "token-N")
    desk.join(2, "N")
    desk.part(2)
    desk.wait(60_000)
    assert desk.room.state.chairs["N"].kind == "person", "it is the other's turn"
    desk.play(1, "S", "S1")
    while desk.room.shown.turn == "S":
        desk.play(1, "S", desk.room.shown.legal("S")[0])
    assert table(desk, 1).away == {"N": 5000}
    desk.wait(4999)
    assert desk.room.state.chairs["N"].kind == "person"
    desk.wait(1)
    assert desk.room.state.chairs["N"].kind == "absent"
    desk.join(2, "N")
    assert desk.room.state.chairs["N"].kind == "person", "back, and in the seat again"


def test_mk_26_whoever_sits_down_and_never_comes_is_waited_for_too() -> None:
    """A seat taken from outside, as by a phone that loses its network at that moment."""
    desk = met(ruleset="turns", timing=replace(TIMING, away=5000), first="N")
    desk.join(1, "S")
    sit(desk, "token-N")
    assert table(desk, 1).away == {"N": 5000}
    desk.wait(5000)
    assert desk.room.state.chairs["N"].kind == "absent"


def test_after_a_restart_everything_waits_until_all_are_back_or_have_been_waited_for() -> None:
    desk = met("ca-ngua", timing=replace(TIMING, away=5000), first=0)
    desk.join(1, 0)
    sit(desk, "token-2")
    desk.join(2, 2)
    desk.wait(TIMING.roll)
    rolled = len(desk.log)
    again = Desk(desk.setup, Room.replay(desk.setup, desk.log, replace(TIMING, away=5000)), desk.now + 9000)
    again.join(1, 0)
    again.wait(4000)
    assert len(again.log) == rolled
    again.wait(1000)
    assert (again.log[rolled].kind, again.log[rolled].seat, again.log[rolled].action) == ("seat", 2, "absent")


# ── clocks of turns ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def clocked(kind: Any, seconds: int, increment: int = 0, per_drop: int = 0) -> Desk:
    clock = ClockSetup(kind=kind, seconds=seconds, increment=increment, per_drop=per_drop, most_back=2000)
    desk = met(ruleset="turns", first="S", clock=clock)
    desk.join(1, "S")
    sit(desk, "token-N")
    desk.join(2, "N")
    return desk


def to_the_other(desk: Desk) -> None:
    seat = desk.room.shown.turn
    while desk.room.shown.turn == seat:
        desk.play(1 if seat == "S" else 2, seat, desk.room.shown.legal(seat or "S")[0])


def test_mk_56_a_fischer_clock_goes_down_in_the_own_turn_and_up_after_it() -> None:
    desk = clocked("fischer", 60, 5)
    desk.wait(10_000)
    to_the_other(desk)
    assert desk.room.state.left == {"S": 55_000, "N": 60_000}
    desk.wait(7000)
    clocks = table(desk, 1).clocks
    assert (clocks.running, desk.now - clocks.since) == ("N", 7000)
    again = Room.replay(desk.setup, desk.log, TIMING)
    assert again.state.left == desk.room.state.left


def test_mk_56_a_fallen_flag_loses_the_match_and_the_result_says_so() -> None:
    desk = clocked("per-turn", 10)
    desk.wait(9_999)
    assert desk.room.shown.result is None
    desk.wait(1)
    result = desk.room.shown.result
    assert result is not None
    assert (result.winner, result.reason) == ("N", "flag")


def test_a_time_per_turn_is_whole_again_with_every_turn() -> None:
    desk = clocked("per-turn", 10)
    desk.wait(9000)
    to_the_other(desk)
    desk.wait(9000)
    to_the_other(desk)
    assert desk.room.state.left == {"S": 10_000, "N": 10_000}


def test_watching_a_walk_costs_the_next_player_nothing_up_to_the_cap() -> None:
    desk = clocked("fischer", 60, 0, per_drop=100)
    to_the_other(desk)
    clocks = table(desk, 1).clocks
    assert 0 < clocks.since - desk.now <= 2000
    desk.wait(clocks.since - desk.now)
    to_the_other(desk)
    assert desk.room.state.left["N"] == 60_000


def test_the_clock_stands_while_nobody_is_there() -> None:
    desk = clocked("fischer", 60)
    desk.wait(10_000)
    desk.part(1)
    desk.part(2)
    desk.wait(500_000)
    desk.join(1, "S")
    desk.join(2, "N")
    desk.wait(5000)
    to_the_other(desk)
    assert desk.room.state.left["S"] == 45_000


# ── phrases, another match ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_only_players_say_phrases_and_only_those_there_are() -> None:
    desk = met()
    desk.join(1, "S")
    desk.join(3)
    desk.do(Say(1, SayFrame(seat="S", phrase="hello")))
    assert [(frame.seat, frame.phrase) for frame in desk.told[3] if frame.type == "phrase"] == [("S", "hello")]
    assert desk.do(Say(3, SayFrame(seat="S", phrase="hello")))[-1].code == "not-your-seat"
    with pytest.raises(ValueError, match="phrase"):
        SayFrame(seat="S", phrase="you fool")


def test_another_match_is_made_when_both_want_it_with_everybody_in_the_next_seat() -> None:
    desk = met(ruleset="turns")
    desk.join(1, "S")
    sit(desk, "token-N", name="Malee")
    desk.join(2, "N")
    early = desk.order(1, "S", "rematch")
    assert early[-1].type == "error"
    desk.order(1, "S", "resign")
    desk.order(1, "S", "rematch")
    assert table(desk, 2).rematch.by == ["S"]
    logged = len(desk.log)
    desk.order(1, "S", "rematch")
    assert len(desk.log) == logged, "once is enough"
    wanted: list[Setup] = []
    take = desk.take
    desk.take = lambda outcome: (wanted.append(outcome.rematch) if outcome.rematch else None, take(outcome))[1]  # type: ignore[method-assign]
    desk.order(2, "N", "rematch")
    assert len(wanted) == 1
    seats = {seat.seat: (seat.name, seat.token) for seat in wanted[0].seats}
    assert seats == {"S": ("Malee", hash_token("token-N")), "N": ("PS", hash_token("token-S"))}
    assert (wanted[0].again, wanted[0].secret) == ("test", None)
    # the server ends before the match is made, and before anybody hears of it: it is made when somebody is back
    again = Room.replay(desk.setup, desk.log)
    assert again.state.again_by == {"S", "N"}
    assert again.handle(Join(9, "watches", ()), desk.now).rematch is not None
    desk.do(Rematched("next"))
    assert table(desk, 1).rematch.match == "next"
    told = Room.replay(desk.setup, desk.log)
    assert told.state.again_match == "next"
    assert told.handle(Join(9, "watches", ()), desk.now).rematch is None


# ── races at different screens ───────────────────────────────────────────────────────────────────────────────────────────────


def racing(pace: str = "by_hand", game: str = "abalalae") -> Desk:
    of = setup(game, pace=pace, **({"race": "opening"} if game == "mak-khum" else {}))
    desk = Desk(of, Room.create(of, TIMING))
    desk.join(1, "S")
    desk.join(2, "N")
    desk.start_race((1, "S"), (2, "N"))
    return desk


def drop_until(desk: Desk, over: Any) -> int:
    """Both drop at 100 ms intervals, their clocks as the server's, until ``over``; gives how often."""
    for times in range(500):
        for screen, seat in ((1, "S"), (2, "N")):
            if "drop" in desk.room.shown.legal(seat) and not over():
                desk.play(screen, seat, "drop", at=float(desk.now))
        if over():
            return times
        desk.wait(100)
    raise AssertionError("the race did not end")


def test_mk_24_what_ends_a_race_waits_until_nothing_earlier_can_arrive() -> None:
    desk = racing()
    drop_until(desk, lambda: bool(desk.room.judge.held))
    ending = desk.room.judge.held[0]
    assert desk.room.shown.phase == "race"
    assert not any(entry.n == ending.entry.n and entry.client == ending.entry.client for entry in desk.log), "not in the log yet"
    acked = [frame.n for frame in desk.told[ending.screen or 0] if frame.type == "ack"]
    assert ending.entry.n not in acked, "and not acknowledged"
    desk.wait(250)
    assert desk.room.shown.phase == "race"
    desk.wait(1)
    assert desk.room.shown.phase == "turn"
    assert ending.entry.n in [frame.n for frame in desk.told[ending.screen or 0] if frame.type == "ack"]
    assert desk.log[-1].at == ending.at


@pytest.mark.parametrize(("dated", "winner"), [(20, "S"), (-1, "N")])
def test_an_earlier_input_that_arrives_later_is_put_before_the_end(dated: int, winner: str) -> None:
    desk = racing()
    for _ in range(51):  # the race of Abalala'e has no choices: at one rhythm both hands die with their 52nd drop
        for screen, seat in ((1, "S"), (2, "N")):
            desk.play(screen, seat, "drop", at=float(desk.now))
        desk.wait(100)
    last = desk.now
    desk.play(2, "N", "drop", at=float(last))
    desk.wait(100)
    desk.play(1, "S", "drop", at=float(last - dated))
    desk.wait(400)
    assert desk.room.shown.phase == "turn"
    assert desk.room.shown.turn == winner, "who died first moves first"
    assert Room.replay(desk.setup, desk.log, TIMING).state.hash == desk.room.state.hash


def test_an_input_sent_again_while_it_waits_is_neither_lost_nor_doubled() -> None:
    desk = racing()
    drop_until(desk, lambda: bool(desk.room.judge.held))
    ending = desk.room.judge.held[0]
    assert ending.screen is not None
    desk.play(ending.screen, ending.entry.seat, "drop", at=float(desk.now), n=ending.entry.n)
    assert len(desk.room.judge.held) == 1
    desk.wait(251)
    assert [entry.n for entry in desk.log if entry.client == ending.entry.client].count(ending.entry.n) == 1


def test_what_comes_after_the_end_of_a_race_is_refused_when_the_end_is_certain() -> None:
    desk = racing()
    drop_until(desk, lambda: bool(desk.room.judge.held))
    ending = desk.room.judge.held[0]
    assert ending.screen is not None
    desk.wait(50)
    frames = desk.play(ending.screen, ending.entry.seat, "drop", at=float(desk.now))
    assert frames == [], "it waits behind the end"
    sent = desk.wait(300)
    assert [frame.n for frame in sent if frame.type == "error"] == [desk.numbers[ending.screen]]


def test_on_one_screen_a_race_ends_at_once() -> None:
    of = setup("abalalae", pace="by_hand")
    desk = Desk(of, Room.create(of, TIMING))
    desk.join(1, "S", "N")
    desk.start_race((1, "S"))
    for _ in range(300):
        for seat in ("S", "N"):
            if desk.room.state.live and "drop" in desk.room.shown.legal(seat):
                desk.play(1, seat, "drop", at=float(desk.now))
        assert not desk.room.judge.held
        if not desk.room.state.live:
            break
        desk.wait(100)
    assert desk.room.shown.phase == "turn"


def test_an_input_is_dated_by_the_clock_that_probes_have_found() -> None:
    of = setup("abalalae", pace="by_hand")
    desk = Desk(of, Room.create(of, replace(TIMING, probe=500)))
    desk.join(1, "S")
    desk.join(2, "N")
    shift, way = -987_654, 60
    for screen, seat in ((1, "S"), (2, "N")):
        desk.order(screen, seat, "start")
    for _ in range(6):
        probe = [frame for frame in desk.told[2] if frame.type == "probe"][-1]
        desk.now = probe.s + 2 * way
        desk.do(Answered(2, EchoFrame(s=probe.s, t=float(probe.s + way + shift))))
        desk.wait(500 - 2 * way)
    desk.wait(TIMING.countdown)
    assert desk.room.state.started
    desk.now += way
    desk.play(2, "N", "drop", at=float(desk.now - way + shift))
    assert desk.log[-1].lag == way
    assert desk.log[-1].client_at is not None
    assert desk.log[-1].offset is not None
    assert desk.log[-1].client_at + desk.log[-1].offset == desk.log[-1].at


@pytest.mark.parametrize("game", ["mak-khum", "abalalae"])
def test_computers_race_when_somebody_watches(game: str) -> None:
    desk = met(game, pace="steady", tempo=1)
    seats = tuple(SeatSetup(seat=seat, kind="computer", player="random") for seat in ("S", "N"))
    room = Room.create(desk.setup.model_copy(update={"seats": seats}), TIMING)
    now = 10_000_000
    room.handle(Join(1, "watcher", (), None), now)
    while room.shown.phase == "race":
        wanted = room.wanted(now)
        moments = [want.due for want in wanted] + [moment for moment in (room.next_deadline(now),) if moment is not None]
        assert moments, "nothing would ever happen"
        now = max(now, min(moments))
        for want in wanted:
            if want.due <= now:
                room.handle(Computed(want.seat, want.ticket, room.shown.legal(want.seat)[0]), now)
        room.tick(now)
    assert room.state.entries[0].kind == "begin"
    assert any(entry.kind == "start" for entry in room.state.entries)
