"""What players ask of the table: leaving, draws, takebacks; and the dice of Cờ cá ngựa."""

from __future__ import annotations

from muang.games.lots import dice
from muang.rooms import Room
from rooms.desk import TIMING, Desk, error, events, kinds, same_state, setup


def two(game: str = "mak-khum", ruleset: str | None = "turns", **options: object) -> Desk:
    desk = Desk(setup(game, ruleset, **options))
    first, second = desk.room.shown.seats[:2]
    desk.join(1, first)
    desk.join(2, second)
    return desk


def moves(desk: Desk, count: int, screens: dict[object, int] | None = None) -> None:
    for _ in range(count):
        seat = desk.room.shown.turn
        assert seat is not None
        desk.play((screens or {"S": 1, "N": 2})[seat], seat, desk.room.shown.legal(seat)[-1])


# ── draws ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_draw_needs_both() -> None:
    desk = two()
    assert error(desk.order(2, "N", "draw-accept")).clause == "MK-56"
    (told, _) = desk.order(1, "S", "draw")
    assert told.offer == {"seat": "S", "about": "draw"}
    assert error(desk.order(1, "S", "draw-accept")).code == "illegal-action", "nobody accepts its own offer"
    assert error(desk.order(2, "N", "takeback-accept")).code == "illegal-action"
    desk.order(2, "N", "draw-accept")
    result = desk.room.shown.result
    assert result is not None
    assert (result.winner, result.reason) == (None, "agreed")
    assert same_state(Room.replay(desk.setup, desk.log), desk.room)


def test_an_offer_can_be_declined_and_lapses_with_the_next_move() -> None:
    desk = two()
    desk.order(1, "S", "draw")
    desk.order(2, "N", "decline")
    assert desk.room.state.offer is None
    assert error(desk.order(2, "N", "decline")).code == "illegal-action"
    desk.order(1, "S", "draw")
    assert desk.again().room.state.offer == ("S", "draw"), "an offer survives a restart"
    moves(desk, 1)
    assert error(desk.order(2, "N", "draw-accept")).code == "illegal-action"


def test_two_offers_are_an_agreement_and_one_screen_agrees_with_itself() -> None:
    desk = two()
    desk.order(1, "S", "draw")
    desk.order(2, "N", "draw")
    assert desk.room.shown.phase == "over"
    alone = Desk(setup("mak-khum", "turns"))
    alone.join(1, "S", "N")
    alone.order(1, "S", "draw")
    assert alone.room.shown.phase == "over"


def test_a_computer_declines_a_draw() -> None:
    desk = Desk(setup("mak-khum", "turns", computers="N"))
    desk.join(1, "S")
    frames = desk.order(1, "S", "draw")
    assert kinds(frames) == ["notice", "ack"]
    assert frames[0].say == [("{seat} declines the draw.", {"seat": "N"})]
    assert desk.log == []


def test_there_is_no_draw_in_ca_ngua_and_no_takeback() -> None:
    desk = two("ca-ngua", None)
    assert error(desk.order(1, 0, "draw")).clause == "CN-30"
    assert error(desk.order(1, 0, "takeback")).code == "illegal-action"


# ── takebacks ────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_takeback_by_agreement_goes_back_to_the_turn_of_the_one_who_asked() -> None:
    desk = two(store_landing="end")
    moves(desk, 2)
    line = desk.line
    assert desk.room.shown.turn == "S"
    moves(desk, 1)
    desk.order(1, "S", "takeback")
    desk.order(2, "N", "takeback-accept")
    assert desk.line == line
    assert desk.log[-1].kind == "takeback"
    desk.order(1, "S", "takeback")
    desk.order(2, "N", "takeback-accept")
    assert desk.room.shown.turn == "S"
    assert desk.line == str(Desk(desk.setup).room.shown.position)
    assert error(desk.order(1, "S", "takeback")).clause == "MK-56", "nothing is left to take back"
    assert same_state(Room.replay(desk.setup, desk.log), desk.room)
    moves(desk, 1)
    assert same_state(Room.replay(desk.setup, desk.log), desk.room)


def test_with_both_seats_on_one_screen_or_a_computer_a_takeback_happens_at_once() -> None:
    desk = Desk(setup("mak-khum", "turns", store_landing="end"))
    desk.join(1, "S", "N")
    start = desk.line
    desk.play(1, "S", "S3")
    desk.order(1, "S", "takeback")
    assert desk.line == start
    against = Desk(setup("mak-khum", "turns", computers="N", store_landing="end"))
    against.join(1, "S")
    against.play(1, "S", "S3")
    against.compute()
    assert against.room.shown.turn == "S"
    (first, second, _) = against.order(1, "S", "takeback")
    assert (first.entry.kind, second.entry.kind) == ("takeback", "takeback")
    assert against.line == start


def test_nothing_is_taken_back_in_a_race_or_across_it() -> None:
    desk = Desk(setup("mak-khum", "songkhla"))
    desk.join(1, "S", "N")
    assert error(desk.order(1, "S", "takeback")).clause == "MK-56"
    while desk.room.shown.phase == "race":
        for seat in desk.room.shown.to_act:
            desk.play(1, seat, desk.room.shown.legal(seat)[-1])
    assert error(desk.order(1, "S", "takeback")).clause == "MK-56"


# ── leaving ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_cn_31_a_leaver_of_three_and_the_game_goes_on() -> None:
    desk = Desk(setup("ca-ngua", seats=(0, 1, 2)))
    for screen, seat in ((1, 0), (2, 1), (3, 2)):
        desk.join(screen, seat)
    frames = desk.order(2, 1, "resign")
    assert (1, "leave") in events(frames)
    assert desk.room.shown.phase != "over"
    assert error(desk.order(2, 1, "resign")).clause == "CN-31"
    desk.wait(2000)
    desk.order(3, 2, "resign")
    assert desk.room.shown.result is not None
    assert (desk.room.shown.result.winner, desk.room.shown.result.reason) == (0, "last-left")
    assert desk.room.next_deadline(desk.now) is None


# ── dice ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_cn_10_the_system_rolls_by_itself_and_logs_each_roll() -> None:
    desk = two("ca-ngua", None, seed=11)
    assert desk.room.next_deadline(desk.now) == desk.now + TIMING.roll
    for _ in range(300):
        seat = desk.room.shown.turn
        if desk.room.shown.phase == "over":
            break
        if desk.room.shown.phase == "move":
            assert desk.room.next_deadline(desk.now) is None
            desk.play({0: 1, 2: 2}[seat], seat, desk.room.shown.legal(seat)[0])
            assert desk.room.next_deadline(desk.now) in (None, desk.now + TIMING.roll)
        else:
            due = desk.room.next_deadline(desk.now)
            assert due is not None
            desk.wait(due - desk.now)
            assert desk.log[-1].kind == "roll"
            assert desk.log[-1].by == "system"
            assert desk.log[-1].seat == seat
    rolls = [entry.dice for entry in desk.log if entry.kind == "roll"]
    assert rolls == [dice(11, i) for i in range(len(rolls))]
    assert len(rolls) > 40
    assert same_state(Room.replay(desk.setup, desk.log), desk.room)


def test_cn_41_a_roll_without_a_move_stands_long_enough_to_be_read() -> None:
    desk = two("ca-ngua", None, seed=11)
    for _ in range(100):
        due = desk.room.next_deadline(desk.now)
        assert due is not None
        (frame,) = desk.wait(due - desk.now)
        if ("no-move") in [event[1] for event in frame.events]:
            assert frame.pause == TIMING.no_move
            assert desk.room.next_deadline(desk.now) == desk.now + TIMING.no_move
            return
        assert frame.pause == 0
        seat = desk.room.shown.turn
        desk.play({0: 1, 2: 2}[seat], seat, desk.room.shown.legal(seat)[0])
    raise AssertionError("every roll had a move")


def test_the_seed_of_the_dice_is_never_told_while_the_match_goes_on() -> None:
    desk = two("ca-ngua", None, seed=987654321987654321)
    desk.wait(10_000)
    from muang.wire import encode

    assert not any("987654321" in encode(frame) for told in desk.told.values() for frame in told)
