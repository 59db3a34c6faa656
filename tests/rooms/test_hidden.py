"""Simultaneous choices (MK-24): what one seat has chosen reaches nobody before the other has chosen too."""

from __future__ import annotations

import pytest

from muang.records import Record, write
from muang.rooms import Room
from muang.wire import encode
from rooms.desk import Desk, error, kinds, same_state, setup


def _race() -> Desk:
    desk = Desk(setup("mak-khum"))
    desk.join(1, "S")
    desk.join(2, "N")
    desk.join(3)
    return desk


def test_nothing_that_anybody_can_see_depends_on_a_hidden_choice() -> None:
    """Two matches that differ in the hidden choice alone are the same to every screen: frames, acks, late joiners, log views, records."""
    seen = []
    for hole in ("S3", "S6"):
        desk = _race()
        desk.play(1, "S", hole)
        desk.join(4)
        desk.resync(2)
        desk.play(2, "N", "S1", n=90)  # refused: must not tell more
        desk.play(1, "S", "S2", n=91)  # refused: it has chosen
        frames = {screen: [encode(frame) for frame in told] for screen, told in desk.told.items()}
        entries = [entry.model_dump() for entry in desk.room.state.public_entries()]
        record = write(Record.from_match(desk.room.shown, tell_seed=False))
        seen.append((frames, entries, record, desk.line, desk.room.state.hash))
    assert seen[0] == seen[1]


def test_the_second_choice_reveals_both() -> None:
    desk = _race()
    (hidden, ack) = desk.play(1, "S", "S3")
    assert (hidden.entry.seat, hidden.entry.action, hidden.events) == ("S", None, [])
    assert hidden.say == [("{seat} has chosen.", {"seat": "S"})]
    assert hidden.match["chosen"] == ["S"]
    assert ack.n == 1
    (told, _) = desk.play(2, "N", "N6", version=0)
    assert told.entry.action == "N6"
    lifts = [tuple(event) for event in told.events if event[1] == "lift"][:2]
    assert sorted(lifts) == [("N", "lift", "N6", 7), ("S", "lift", "S3", 7)]
    assert told.match["chosen"] == []
    assert [entry.action for entry in desk.room.state.public_entries()] == ["S3", "N6"]


def test_a_race_input_is_never_refused_for_its_version() -> None:
    desk = _race()
    desk.play(1, "S", "S3")
    for version in (0, None, 12345):
        assert error(desk.play(2, "N", "S3", version=version)).code == "illegal-action"
    assert kinds(desk.play(2, "N", "N6", version=0)) == ["event", "ack"]


def test_a_hidden_choice_survives_a_restart_and_stays_hidden() -> None:
    desk = _race()
    desk.play(1, "S", "S3")
    after = desk.again()
    after.join(2, "N")
    assert "S3" not in encode(after.told[2][0]).replace('"legal"', "").split('"board"')[0]
    assert after.room.shown.view()["chosen"] == ["S"]
    assert error(after.play(2, "S", "S3")).code == "not-your-seat"
    desk.play(2, "N", "N6")
    after.play(2, "N", "N6")
    assert after.line == desk.line


@pytest.mark.parametrize("choices", [["S3"], ["S3", "N6"]])
def test_the_log_with_a_hidden_choice_replays(choices: list[str]) -> None:
    desk = _race()
    for hole in choices:
        desk.play(1 if hole[0] == "S" else 2, hole[0], hole)
    assert same_state(Room.replay(desk.setup, desk.log), desk.room)
