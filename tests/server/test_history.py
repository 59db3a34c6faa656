"""What a screen that comes late is told of a race: what has happened, once, also where an input came late."""

from __future__ import annotations

from muang.server.api import record_of
from muang.server.history import _told
from rooms.desk import Desk
from rooms.test_meeting import racing


def sentences(desk: Desk) -> list[tuple[str, str]]:
    return [(text, args["seat"]) for line in _told(record_of(desk.room)) for text, args in line["say"]]


def test_a_late_input_leaves_no_sentence_twice_and_none_that_is_not_true() -> None:
    desk = racing("by_hand", "mak-khum")
    desk.play(1, "S", "S3", at=float(desk.now))
    desk.play(2, "N", "N1", at=float(desk.now))
    for _ in range(9):
        desk.wait(100)
        desk.play(1, "S", "drop", at=float(desk.now))
    before = sentences(desk)
    desk.play(2, "N", "drop", at=float(desk.now - 150))
    assert any(frame.late for frame in desk.told[1] if frame.type == "event")
    assert sorted(sentences(desk)) == sorted(before), "the board is another one, but the same has been done"
    assert len(set(before)) == len(before) == 3
