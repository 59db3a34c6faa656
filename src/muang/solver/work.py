"""Owns how long work is done: on several threads, with an estimate of what is left, so that it can be stopped. Prints nothing.

A solver makes one ``Work``, runs its kernels through ``Work.run`` and keeps what it has when ``Stopped`` comes: see
``solver.endgame_solve`` for the pattern. Kernels release the GIL, so threads are enough.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, TypeVar

from muang.errors import MuangError, NotEnough
from muang.search.limits import Stop
from muang.solver.files import room

__all__ = ["OnProgress", "Progress", "Stopped", "Work", "ctrl_c", "memory_available", "need"]

T = TypeVar("T")


class Stopped(MuangError):
    """Work that was asked to stop before it was done; what it had is kept where its solver says so."""

    code = "stopped"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far work has come. ``done`` of ``total`` in whatever the work counts, ``seconds`` since it began, ``note`` what it is at."""

    done: float
    total: float
    seconds: float
    left: float | None
    note: str = ""


OnProgress = Callable[[Progress], None]


class Work:
    """Work in progress. As a context manager it ends its threads on the way out.

    ``total``: all there is to do, in any unit. ``done``: what an earlier run has done of it. ``threads``: 0 for one a core.
    ``on_progress`` hears of every step, from the thread that called ``advance`` or ``run``. ``stop``: ends it from another thread.
    """

    def __init__(
        self, total: float, *, done: float = 0, threads: int = 0, on_progress: OnProgress | None = None, stop: Stop | None = None
    ) -> None:
        self.total, self.done, self.begun_at = total, done, done
        self.threads = threads or cores()
        self.stop = Stop() if stop is None else stop
        self.note = ""
        self._on_progress = on_progress
        self._began = time.perf_counter()
        self._pool: ThreadPoolExecutor | None = None

    def __enter__(self) -> Work:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    @property
    def seconds(self) -> float:
        """Since this work began (or was taken up again)."""
        return time.perf_counter() - self._began

    def progress(self) -> Progress:
        """How far it has come; the estimate supposes the speed so far."""
        here, seconds = self.done - self.begun_at, self.seconds
        left = seconds * (self.total - self.done) / here if here > 0 else None
        return Progress(self.done, self.total, seconds, left, self.note)

    def advance(self, amount: float, note: str | None = None) -> None:
        """So much more is done. ``Stopped`` if it has been asked to stop: everything done so far counts."""
        self.done += amount
        if note is not None:
            self.note = note
        if self._on_progress is not None:
            self._on_progress(self.progress())
        self.check()

    def check(self) -> None:
        """``Stopped`` if it has been asked to stop."""
        if self.stop:
            raise Stopped("stopped")

    def run(self, function: Callable[..., T], tasks: Iterable[tuple[Any, ...]], weight: Callable[[int], float] | None = None) -> list[T]:
        """``function(*task)`` for every task, on all threads; the results in order. Whatever began is finished.

        ``weight(i)``: how far task ``i`` advances the work. ``Stopped`` as soon as it is asked to stop and nothing runs any more: then
        some tasks have not been done.
        """
        todo = list(tasks)
        results: list[Any] = [None] * len(todo)
        if self.threads == 1 or len(todo) < 2:
            for i, task in enumerate(todo):
                self.check()
                results[i] = function(*task)
                if weight is not None:
                    self.advance(weight(i))
            return results
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads, "muang-work")
        running: dict[Any, int] = {}
        waiting = iter(range(len(todo)))
        try:
            while True:
                while len(running) < self.threads and (i := next(waiting, -1)) >= 0:
                    running[self._pool.submit(function, *todo[i])] = i
                if not running:
                    return results
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    i = running.pop(future)
                    results[i] = future.result()
                    if weight is not None:
                        self.advance(weight(i))
                self.check()
        finally:
            wait(running)


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def ctrl_c(stop: Stop) -> Iterator[None]:
    """Within, Ctrl-C (or the signal to terminate) sets ``stop``, so that work ends where it can be taken up again; a second breaks off."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def handler(number: int, frame: FrameType | None) -> None:
        if stop:
            raise KeyboardInterrupt
        stop.set()

    before = {number: signal.signal(number, handler) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def memory_available() -> int | None:
    """Bytes of memory that this process can still take without swapping; None where the system does not say."""
    free: int | None = None
    if sys.platform == "linux":
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                free = int(line.split()[1]) * 1024
        try:  # a container may have less
            most = Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii").strip()
            used = int(Path("/sys/fs/cgroup/memory.current").read_text(encoding="ascii"))
            if most != "max" and free is not None:
                free = min(free, int(most) - used)
        except (OSError, ValueError):
            pass
    elif hasattr(os, "sysconf") and "SC_AVPHYS_PAGES" in os.sysconf_names:
        free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return free


def need(memory: int, disk: int, where: Path, what: str = "this") -> None:
    """``NotEnough`` if so many bytes of memory, or of disk in the folder ``where``, are not there: said before anything is begun."""
    free = memory_available()
    if free is not None and free < memory:
        raise NotEnough(f"{what} needs {in_units(memory)} of memory, {in_units(free)} are free")
    room(where, disk)


def in_units(size: int) -> str:
    """A number of bytes as people write it: ``145 MB``."""
    for unit, least in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= least:
            return f"{size / least:.{1 if size < 10 * least else 0}f} {unit}"
    return f"{size} bytes"
