"""Owns the order and the speed in which things that happened are seen: scenes one after the other, tick by tick. Knows no game.

The newest is never held back: whoever acts calls ``finish`` first. As on the page, races in time are shown as they happen.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from muang.tui.fold import Board, ticks
from muang.tui.session import Scene
from muang.tui.words import SPEEDS

__all__ = ["Theatre"]

MOST_SCENES = 3000
"""Scenes of a live match that are kept to be looked at again."""
USUAL = 1


class Theatre:
    """``board`` is what is seen now. ``changed`` is called whenever it changes, ``seen`` when a scene has been seen to its end."""

    def __init__(self, changed: Callable[[], None], seen: Callable[[Scene], None], speed: int = USUAL, motion: bool = True) -> None:
        self.changed, self.seen = changed, seen
        self.speed, self.motion = speed, motion
        self.now = Board()
        """The match as it stands when everything has been seen; ``past``: what is looked at instead."""
        self.past: Board | None = None
        self.shown: Mapping[str, Any] = {}
        """The view of ``now``."""
        self.scenes: list[Scene] = []
        """What has been seen; ``at`` so many of them lie before what is looked at."""
        self.at = 0
        self.beginning = Board()
        self.queue: deque[Scene] = deque()
        self.running: asyncio.Task[None] | None = None
        self.scene: Scene | None = None
        """The scene that is on."""
        self.going = asyncio.Event()
        self.going.set()

    @property
    def board(self) -> Board:
        return self.now if self.past is None else self.past

    @property
    def busy(self) -> bool:
        """Whether something is still to be seen."""
        return self.running is not None

    @property
    def looking(self) -> bool:
        """Whether the past is looked at."""
        return self.past is not None

    @property
    def paused(self) -> bool:
        return not self.going.is_set()

    # ── what happens ─────────────────────────────────────────────────────────────────────────────────────────────────────────

    def reset(self, view: Mapping[str, Any]) -> None:
        """Show a view now; what was waiting is forgotten."""
        self._stop()
        self.queue.clear()
        self.scene, self.past, self.shown = None, None, view
        self.now.marks = {}
        self.now.show(view)
        if not self.scenes:
            self.beginning = self.now.copy()
        self.at = len(self.scenes)
        self.changed()

    def push(self, scene: Scene) -> None:
        """Something has happened."""
        if self.looking or scene.live or scene.plain or not self.motion:
            if not self.looking:
                self.finish()
            self._at_once(scene)
            self.changed()
            return
        self.queue.append(scene)
        if self.running is None:
            self.running = asyncio.create_task(self._run(), name="theatre")

    def _at_once(self, scene: Scene) -> None:
        for tick in ticks(scene.events, scene.before, scene.after):
            tick.do(self.now)
        self._settle(scene)

    def _settle(self, scene: Scene) -> None:
        """A scene has been seen: the board is as it was told."""
        flash = self.now.flash if scene.live else {}
        self.now.show(scene.after)
        self.now.flash, self.shown = flash, scene.after
        scene.board = self.now.copy()
        if not self.looking:
            self.at += 1
        self.scenes.append(scene)
        if len(self.scenes) > MOST_SCENES:
            self.beginning = self.scenes[0].board or self.beginning
            del self.scenes[0]
            self.at = max(0, self.at - 1)
        self.seen(scene)

    async def _run(self) -> None:
        while self.queue:
            self.scene = self.queue.popleft()
            await self._play(self.scene, self.now)
            self._settle(self.scene)
            self.scene = None
        self.running = None
        self.changed()

    async def _play(self, scene: Scene, board: Board) -> None:
        for tick in ticks(scene.events, scene.before, scene.after):
            await self.going.wait()
            tick.do(board)
            self.changed()
            await asyncio.sleep(tick.ms / 1000 / SPEEDS[self.speed][2])

    def _stop(self) -> None:
        if self.running is not None:
            self.running.cancel()
            self.running = None

    # ── how it is shown ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def finish(self) -> None:
        """Show the end of everything at once."""
        self.to_now()
        self.going.set()
        if not self.busy:
            return
        self._stop()
        rest = list(self.queue)
        self.queue.clear()
        if self.scene is not None:
            self._settle(self.scene)
            self.scene = None
        for scene in rest:
            self._at_once(scene)
        self.changed()

    def pause(self) -> None:
        """Stop in the middle, or go on."""
        self.going.clear() if self.going.is_set() else self.going.set()
        self.changed()

    def set_speed(self, speed: int) -> None:
        """The place in ``SPEEDS``; the next tick has it."""
        self.speed = min(len(SPEEDS) - 1, max(0, speed))
        self.changed()

    # ── the past ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def look(self, at: int) -> None:
        """Look at the board as it stood after ``at`` scenes, and stay there."""
        if not self.looking:
            self.finish()
        self._stop()
        self.at = min(len(self.scenes), max(0, at))
        board = self.scenes[self.at - 1].board if self.at else self.beginning
        self.past = (board or self.beginning).copy()
        self.changed()

    def look_on(self) -> None:
        """See the next scene of the past; at its end stay there."""
        if self.looking and self.at < len(self.scenes):
            self._stop()
            self.look(self.at)
            self.running = asyncio.create_task(self._on(), name="looks-on")

    async def _on(self) -> None:
        scene = self.scenes[self.at]
        if self.past is not None and self.motion:
            await self._play(scene, self.past)
        self.running = None
        self.look(self.at + 1)

    def run_on(self) -> None:
        """See everything from here on by itself; again: stop there."""
        if self.busy:
            self._stop()
            self.look(self.at)
        elif self.looking and self.at < len(self.scenes):
            self.running = asyncio.create_task(self._all(), name="replays")

    async def _all(self) -> None:
        while self.at < len(self.scenes) and self.past is not None:
            scene = self.scenes[self.at]
            await self._play(scene, self.past)
            self.at += 1
            if scene.board is not None:
                self.past = scene.board.copy()
            self.changed()
            await asyncio.sleep(0)
        self.running = None
        self.changed()

    def to_now(self) -> None:
        """Come back from the past."""
        if self.looking:
            self._stop()
            self.past, self.at = None, len(self.scenes)
            self.going.set()
            self.changed()

    def again(self) -> None:
        """See the last scene in which something moved once more; what comes meanwhile is there afterwards."""
        last = next((n for n in range(len(self.scenes) - 1, -1, -1) if self.scenes[n].events), None)
        if self.busy or self.looking or last is None:
            return
        board = self.scenes[last - 1].board if last else self.beginning
        self.past = (board or self.beginning).copy()
        self.running = asyncio.create_task(self._again(self.scenes[last]), name="again")
        self.changed()

    async def _again(self, scene: Scene) -> None:
        if self.past is not None:
            await self._play(scene, self.past)
        self.past, self.running = None, None
        self.changed()

    async def close(self) -> None:
        """Nothing is shown any more."""
        task = self.running
        self._stop()
        if task is not None:
            with suppress(asyncio.CancelledError):
                await task
