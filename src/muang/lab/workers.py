"""Owns spreading work over processes and machines: the same results in the same order, whoever does the work. Knows no game.

A cluster is one of ``dask.distributed``, an optional dependency (``pip install "muang[cluster]"``). Work that was on a machine that dies is
done again on another.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import chain
from multiprocessing import connection
from typing import Any, TypeVar

from muang.errors import MuangError

__all__ = ["WorkFailed", "in_order"]

R = TypeVar("R")

AHEAD = 2
"""Jobs a process has waiting for it."""
KEPT = 64
"""Results a process, at most, that wait for one before them."""
CONNECT_SECONDS = 10


class WorkFailed(MuangError):
    """The processes or the cluster cannot do the work."""

    code = "work-failed"


def in_order(
    call: Callable[..., R], jobs: Iterable[tuple[Any, ...]], workers: int | None = None, cluster: str = ""
) -> Generator[R, None, None]:
    """``call(*job)`` for every job, results in the order of the jobs. Closing the iterator drops what has not begun.

    ``workers``: processes, all cores if left out, none but this one with 1. ``cluster``: the address of a Dask scheduler instead.
    ``call`` must be a function of a module. ``WorkFailed`` if a process dies or the cluster cannot be reached.
    """
    workers = workers or os.cpu_count() or 1
    todo = iter(jobs)
    if not cluster:
        first = list(zip(range(2), todo, strict=False))
        todo = chain((job for _, job in first), todo)
        if workers == 1 or len(first) < 2:
            for job in todo:
                yield call(*job)
            return
    with _cluster(cluster) if cluster else _processes(workers) as (pool, count):
        yield from _spread(pool, count, call, todo)


def _spread(pool: Executor, workers: int, call: Callable[..., R], todo: Iterator[tuple[Any, ...]]) -> Iterator[R]:
    line: deque[Future[R]] = deque()
    running: set[Future[R]] = set()
    more = True
    try:
        while True:
            while more and len(running) < AHEAD * workers and len(line) < KEPT * workers:
                job = next(todo, None)
                if job is None:
                    more = False
                    break
                future = pool.submit(call, *job)
                line.append(future)
                running.add(future)
            if not line:
                return
            _, running = wait(running, return_when=FIRST_COMPLETED)
            while line and line[0].done():
                yield line.popleft().result()
    except BrokenProcessPool as error:
        raise WorkFailed("a process that did part of the work has died; run it again, with fewer --workers if memory was short") from error
    finally:
        for future in line:
            future.cancel()


@contextmanager
def _processes(workers: int) -> Iterator[tuple[Executor, int]]:
    context = multiprocessing.get_context("spawn")  # forking a process with threads is not safe, and Numba starts some
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_quiet)
    try:
        yield pool, workers
    except BaseException:  # Ctrl-C, an error, or nobody wants more: a job that runs may take minutes
        for process in list((pool._processes or {}).values()):  # before Python 3.14 there is no public way
            process.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _quiet() -> None:
    """Ctrl-C is the business of the process that gives the work; without it there is nobody to work for."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


@contextmanager
def _cluster(address: str) -> Iterator[tuple[Executor, int]]:
    try:
        dask: Any = importlib.import_module("distributed")
    except ImportError as error:
        raise WorkFailed('a cluster needs dask.distributed: pip install "muang[cluster]"') from error
    try:
        client = dask.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise WorkFailed(f"no cluster answers at {address}: {error}") from error
    with client:
        hands = sum(client.nthreads().values())
        if not hands:
            raise WorkFailed(f"the cluster at {address} has no workers")
        yield client.get_executor(pure=False), hands
