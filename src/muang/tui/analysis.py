"""Owns the search beside a match: one at a time, in a thread, stopped when the position is another one. Draws nothing."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress

from muang.errors import MuangError
from muang.games.core import Match
from muang.search.analyse import analyse
from muang.search.limits import Info, Limits, Stop
from muang.search.players import solved_tables

__all__ = ["Analysis"]

SECONDS = 10.0
"""How long a position is looked at."""
LINES = 3


class Analysis:
    """``info`` is what is known by now, ``problem`` why nothing is. ``changed`` is called in the loop's own thread."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self.changed = changed
        self.stop = Stop()
        self.info: Info | None = None
        self.match: Match | None = None
        self.problem = ""
        self.running = False
        self.task: asyncio.Task[None] | None = None

    def start(self, fetch: Callable[[], Awaitable[Match]]) -> None:
        """Look at the match that ``fetch`` gives, and at no other any more."""
        self.end()
        self.stop, self.info, self.match, self.problem, self.running = Stop(), None, None, "", True
        self.task = asyncio.create_task(self._run(fetch, self.stop), name="analysis")

    def end(self) -> None:
        """Stop looking; what is known stays."""
        self.stop.set()
        self.running = False

    async def _run(self, fetch: Callable[[], Awaitable[Match]], stop: Stop) -> None:
        loop = asyncio.get_running_loop()
        problem = ""
        try:
            match = await fetch()
            if stop:
                return
            self.match = match
            done: asyncio.Future[None] = loop.create_future()

            def hear(info: Info) -> None:
                with suppress(RuntimeError):  # the app has ended, and its loop with it
                    loop.call_soon_threadsafe(self._hear, info, stop)

            def work() -> None:
                error: Exception | None = None
                try:
                    found = analyse(match, Limits(nodes=1), None, solved_tables(), stop=stop)
                    if not stop:
                        limits = Limits(time_ms=round(SECONDS * 1000), threads=os.cpu_count() or 1, lines=LINES)
                        found = analyse(match, limits, hear, solved_tables(), stop=stop)
                    hear(found)
                except Exception as wrong:
                    error = wrong
                with suppress(RuntimeError):
                    loop.call_soon_threadsafe(_settle, done, error)

            # its own: the search may be at work when the app ends, and nobody waits for it then
            threading.Thread(target=work, name="analysis", daemon=True).start()
            await done
        except (MuangError, OSError) as error:
            problem = error.told if isinstance(error, MuangError) else str(error)
        if stop is self.stop:
            self.problem, self.running = problem, False
            self.changed()

    def _hear(self, info: Info, stop: Stop) -> None:
        if stop is self.stop:
            self.info = info
            self.changed()


def _settle(done: asyncio.Future[None], error: Exception | None) -> None:
    if done.done():
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)
