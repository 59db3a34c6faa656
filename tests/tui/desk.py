"""The app in a test: begun, driven by keys, read."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

from textual import events
from textual.pilot import Pilot

from muang.rooms import Timing
from muang.tui.app import Asked, MuangApp
from muang.tui.local import Local
from muang.tui.match import MatchScreen
from muang.tui.plan import Plan
from muang.tui.session import Session

QUICK = Timing(countdown=50, roll=1, no_move=2, drop=3000)


def at_once(plan: Plan) -> Local:
    """A match at the terminal in which nothing takes longer than it has to."""
    setup, tokens = plan.setup()
    return Local(setup, tokens, QUICK)


@contextlib.asynccontextmanager
async def running(
    begin: Any = None, size: tuple[int, int] = (80, 24), motion: bool = False, **asked: Any
) -> AsyncIterator[tuple[MuangApp, Pilot[str]]]:
    """The app on a terminal of this size."""
    app = MuangApp(Asked(begin=begin, **asked), at_once)
    if not motion:
        app.animation_level = "none"
    async with app.run_test(size=size) as pilot:
        yield app, pilot


def screen_of(app: MuangApp) -> MatchScreen:
    """The screen of the match."""
    return next(screen for screen in reversed(app.screen_stack) if isinstance(screen, MatchScreen))


def tap(app: MuangApp, *names: str) -> None:
    """Press keys as the terminal's driver does: nothing waits till everything has been drawn, as Pilot does."""
    for name in names:
        app.post_message(events.Key(name, name if len(name) == 1 else " " if name == "space" else None))


async def until(pilot: Pilot[str], true: Callable[[], bool], seconds: float = 30) -> None:
    """Wait till something is so, and is drawn."""
    async with asyncio.timeout(seconds):
        while not true():
            await asyncio.sleep(0.005)
    await pilot.pause()


async def moved(session: Session, version: int, seconds: float = 30) -> None:
    """Wait till the match has moved on."""
    async with asyncio.timeout(seconds):
        while session.version == version:
            await asyncio.sleep(0.002)


async def begun(app: MuangApp, pilot: Pilot[str]) -> MatchScreen:
    """The screen of the match when everything has been told."""
    await until(pilot, lambda: any(isinstance(screen, MatchScreen) for screen in app.screen_stack))
    screen = screen_of(app)
    await until(pilot, lambda: bool(screen.session.view) and not screen.dirty)
    return screen


def text_of(app: MuangApp) -> str:
    """What stands on the screen, line by line."""
    strips = app.screen._compositor.render_strips()
    if len(strips) != app.size.height or None in strips:
        return ""  # a window has just been opened and has no layout yet
    return "\n".join(strip.text.rstrip() for strip in strips)
