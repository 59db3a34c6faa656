"""Owns a match out of a record as scenes, one for each step, with the boards before and after. Plays nothing, draws nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from muang.errors import BadRecord
from muang.games.core import Match, Seat
from muang.records import Record, read
from muang.rooms.frames import layout_of, said
from muang.tui.fold import Board, ticks
from muang.tui.session import Scene
from muang.wire.told import SeatView, StateFrame, TableView

__all__ = ["Replay", "read_file"]

MOST_STEPS = 30_000
MOST_BYTES = 50_000_000


def read_file(path: Path) -> Record:
    """The record in a file. ``BadRecord`` says why it cannot be read, ``OSError`` why there is none."""
    if path.stat().st_size > MOST_BYTES:
        raise BadRecord(f"{path} is too long for a record")
    try:
        return read(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise BadRecord(f"{path} is not UTF-8 text") from error


class Replay:
    """A record, step by step. ``BadRecord`` if it does not follow from its rules, or has more steps than can be gone through."""

    def __init__(self, record: Record) -> None:
        self.record = record
        start = record.start()
        self.first = start.view()
        self.layout: dict[str, Any] = layout_of(start)
        self.scenes: list[Scene] = []
        self.beginning = Board()
        self.beginning.show(self.first)
        board = self.beginning.copy()
        for scene in self._scenes(start):
            for tick in ticks(scene.events, scene.before, scene.after):
                tick.do(board)
            board.show(scene.after)
            scene.board = board.copy()
            self.scenes.append(scene)

    def _scenes(self, start: Match) -> Iterator[Scene]:
        view = self.first
        for number, step in enumerate(self.record.transitions()):
            if number >= MOST_STEPS:
                raise BadRecord(f"this record has more than {MOST_STEPS} steps")
            after = step.after.view()
            seat: Seat | None = None if step.entry is None else step.entry.seat
            yield Scene(view, after, step.after.events, said(step.before, step.after, (view, after)), seat)
            view = after

    def match(self, number: int) -> Match:
        """The match after so many steps."""
        match = self.record.start()
        for at, step in enumerate(self.record.transitions()):
            if at == number:
                break
            match = step.after
        return match

    def state(self) -> StateFrame:
        """The beginning, as a server would tell it to somebody who watches."""
        seats = [SeatView(seat=seat, kind="person", name=self.record.names.get(seat, "")) for seat in self.record.seats]
        return StateFrame(version=0, match=self.first, seats=seats, layout=self.layout, table=TableView())
