"""What a match keeps so that it can be checked: how its inputs came, what its lots were drawn from, nothing too early."""

from __future__ import annotations

from typing import Any

import pytest

from muang.records import Record
from muang.records.arrival import misjudged
from muang.records.proof import Proof, max_lag_of
from muang.rooms import Join, Room
from muang.rooms.fair import Lots
from muang.rooms.proof import Roll, arrivals_of, checks, counts, expected, rolls_of, tags_of
from muang.wire import commitment_of
from rooms.desk import Desk, error, setup

SECRET = "9b" * 32


def record_of(desk: Desk) -> Record:
    state, shown = desk.room.state, desk.room.shown
    over = shown.phase == "over"
    return Record.from_match(shown, tell_seed=over, tags=tags_of(state, over), arrivals=arrivals_of(state, shown))


def raced(**options: Any) -> Desk:
    """A race by hand between two screens, whose probes have found that South's clock is 1,000,000 ms behind, North's 400,000 ms."""
    desk = Desk(setup("mak-khum", "single", pace="by_hand", **options))
    desk.join(1, "S")
    desk.join(2, "N")
    desk.start_race((1, "S"), (2, "N"))
    for screen, behind in ((1, 1_000_000), (2, 400_000)):
        clock = desk.room.screens[screen].clock
        clock.probed(desk.now - 20)
        clock.echoed(desk.now - 20, desk.now, desk.now - 10 - behind)
    return desk


def found(desk: Desk) -> list[tuple[int, int, str]]:
    record = record_of(desk)
    races = [index for index, heading in record.headings.items() if heading.kind == "race"]
    return list(misjudged(record.entries, record.arrivals, races, max_lag_of(record) or 0))


def play(desk: Desk, seat: str, action: str, late: int) -> list[Any]:
    """An input that was made ``late`` ms ago by its client's own clock."""
    screen, behind = (1, 1_000_000) if seat == "S" else (2, 400_000)
    return desk.play(screen, seat, action, at=float(desk.now - late - behind))


def test_every_input_of_a_race_can_be_judged_again() -> None:
    desk = raced()
    start = desk.now
    for wait, seat, action, late in (
        (300, "S", "S1", 10),
        (100, "N", "N2", 150),
        (100, "S", "drop", 10),
        (200, "N", "drop", 900),
        (1, "N", "drop", 900),
    ):
        desk.wait(wait)
        play(desk, seat, action, late)
    record = record_of(desk)
    assert [entry.at for entry in record.entries] == [290, 250, 490, 450, 451]
    assert [record.arrivals[index].lag for index in range(5)] == [10, 150, 10, 250, 250]
    assert [record.arrivals[index].client for index in range(5)] == [1, 2, 1, 2, 2]
    assert {record.arrivals[index].offset for index in (0, 2)} == {1_000_000 - start}
    assert found(desk) == []


def test_an_input_that_is_refused_holds_back_none_that_counts() -> None:
    """Otherwise a player could spoil the check of a record with nonsense."""
    desk = raced()
    desk.wait(500)
    assert error(play(desk, "S", "S99", -5000)).code == "bad-action"
    play(desk, "S", "S1", 200)
    assert [entry.at for entry in record_of(desk).entries] == [300]
    assert found(desk) == []


def test_a_screen_that_sends_no_times_is_judged_by_arrival() -> None:
    desk = raced()
    desk.wait(500)
    desk.play(1, "S", "S1")
    (arrival,) = record_of(desk).arrivals.values()
    assert (arrival.lag, arrival.client, arrival.client_at, arrival.offset) == (0, 1, None, None)
    assert found(desk) == []


def test_what_the_computer_and_the_system_do_has_no_arrival() -> None:
    desk = Desk(setup("mak-khum", "single", pace="by_hand", computers="N"))
    desk.join(1, "S")
    desk.start_race((1, "S"))
    desk.compute()
    desk.wait(100)
    desk.play(1, "S", "S1", at=float(desk.now))
    record = record_of(desk)
    assert record.arrivals.keys() == {index for index, entry in enumerate(record.entries) if entry.seat == "S"}
    assert {entry.seat for entry in record.entries} == {"S", "N"}


def test_a_match_in_step_has_no_bound_and_no_arrivals() -> None:
    desk = Desk(setup("mak-khum", "turns"))
    desk.join(1, "S", "N")
    desk.play(1, "S", "S1", at=5.0)
    assert record_of(desk).arrivals == {}
    assert record_of(desk).tags == {}


# ── lots ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def drawn(entropy: tuple[str, str] = ("left", "right"), **changes: Any) -> Desk:
    of = setup("ca-ngua").model_copy(update={"secret": SECRET, "seed": 0, "first": None, **changes})
    desk = Desk(of, Room.create(of))
    for screen, (seat, word) in enumerate(zip((0, 2), entropy, strict=True), start=1):
        desk.told[screen], desk.numbers[screen] = [], 0
        desk.do(Join(screen, f"client{screen}", (f"token-{seat}",), word))
    return desk


def test_the_secret_and_the_seed_are_told_when_the_match_is_over() -> None:
    desk = drawn()
    going = Proof.of(record_of(desk))
    assert going == Proof("test", commitment_of(SECRET), None, {0: "left", 2: "right"}, True)
    assert record_of(desk).seed is None
    desk.wait(20_000)
    desk.order(1, 0, "resign")
    record = record_of(desk)
    proof = Proof.of(record)
    assert proof is not None
    assert proof.secret == SECRET
    lots = Lots(SECRET, "test", {0: "left", 2: "right"})
    assert record.seed == lots.seed()
    assert record.first == lots.first((0, 2))
    rolls = rolls_of(record)
    assert rolls
    assert [roll.dice for roll in rolls] == [lots.dice(roll.n) for roll in rolls]
    assert all(check.fits for check in checks(record, proof))


def test_what_was_chosen_is_not_checked_as_drawn() -> None:
    desk = drawn(first=2)
    desk.order(1, 0, "resign")
    proof = Proof.of(record_of(desk))
    assert proof is not None
    assert not proof.first_drawn
    assert "first" not in [check.what for check in checks(record_of(desk), proof)]


@pytest.mark.parametrize(("dice", "release"), [((3, 3), 1), ((1, 6), 1), ((6, 1), 1), ((2, 3), 0), ((5, 2), 0)])
def test_counts(dice: tuple[int, int], release: int) -> None:
    counted = counts([Roll(0, 2, dice)])["2"]
    assert counted["releases"] == release
    assert counted["doubles"] == (dice[0] == dice[1])
    assert sum(counted["faces"]) == 2
    assert expected({"2": counted})["2"] == {
        "total": 1,
        "faces": [pytest.approx(1 / 3)] * 6,
        "doubles": pytest.approx(1 / 6),
        "releases": pytest.approx(8 / 36),
    }
