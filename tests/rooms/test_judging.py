"""Whatever way the inputs of a race come in, it is judged by when they were made: a property over random links."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muang.rooms import Answered, Room
from muang.wire import EchoFrame
from rooms.desk import TIMING, Desk, setup

GAMES = [("abalalae", "by_hand", {}), ("mak-khum", "by_hand", {"race": "opening"}), ("mak-khum", "steady", {"race": "opening"})]


def raced(game: str, pace: str, options: dict[str, Any], inputs: list[tuple[int, str, str]], ways: list[int]) -> Desk:
    """The race with these inputs ``(ms, seat, action)``, each ``ways[i]`` ms on its way; inputs of one seat keep their order."""
    of = setup(game, pace=pace, **options)
    desk = Desk(of, Room.create(of, replace(TIMING, countdown=1000)))
    desk.join(1, "S")
    desk.join(2, "N")
    for screen, seat in ((1, "S"), (2, "N")):
        desk.order(screen, seat, "start")
    desk.wait(1000)
    start = desk.now
    for screen in (1, 2):  # a probe has found that the clocks are the same
        desk.room.screens[screen].clock.probed(start)
        desk.do(Answered(screen, EchoFrame(s=start, t=float(start))))
    arrivals, last = [], {"S": 0, "N": 0}
    for (ms, seat, action), way in zip(inputs, ways, strict=True):
        last[seat] = max(last[seat], ms + way)
        arrivals.append((last[seat], ms, seat, action))
    for arrival, ms, seat, action in sorted(arrivals, key=lambda one: one[0]):
        desk.wait(start + arrival - desk.now)
        if desk.room.state.live:
            desk.play(1 if seat == "S" else 2, seat, action, at=float(start + ms))
    desk.wait(3000)
    return desk


@st.composite
def played(draw: st.DrawFn, pace: str, holes: int) -> list[tuple[int, str, str]]:
    """Inputs of two hands, each at its own rhythm, no two of them at one moment."""
    inputs: list[tuple[int, str, str]] = []
    for seat, odd in (("S", 0), ("N", 1)):
        ms = odd
        for _ in range(draw(st.integers(5, 70 if pace == "by_hand" else 8))):
            ms += 2 * draw(st.integers(40, 70 if pace == "by_hand" else 900))
            action = "drop" if pace == "by_hand" and draw(st.integers(0, 9)) else f"{seat}{draw(st.integers(1, holes))}"
            inputs.append((ms, seat, action))
    return sorted(inputs)


@pytest.mark.parametrize(("game", "pace", "options"), GAMES)
@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_mk_24_a_race_does_not_depend_on_how_long_its_inputs_were_on_their_way(
    game: str, pace: str, options: dict[str, Any], data: st.DataObject
) -> None:
    inputs = data.draw(played(pace, 7 if game == "mak-khum" else 6))
    ways = data.draw(st.lists(st.integers(0, 250), min_size=len(inputs), max_size=len(inputs)))
    at_once, late = raced(game, pace, options, inputs, [0] * len(inputs)), raced(game, pace, options, inputs, ways)
    assert str(late.room.state.match.at(10**7).position) == str(at_once.room.state.match.at(10**7).position)
    assert late.room.shown.phase == at_once.room.shown.phase
    again = Room.replay(late.setup, late.log, TIMING)
    assert str(again.state.match.position) == str(late.room.state.match.position)
