"""Owns looking a server over: settings, folder, database, every match's log, port, kernels, tables. Changes nothing; says what to do.

The checks come one after another; each finding is told as soon as it is known.
"""

from __future__ import annotations

import asyncio
import errno
import glob
import json
import os
import shutil
import socket
import stat
import sys
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal

from sqlalchemy.engine import make_url

from muang.errors import MuangError
from muang.games import _jit
from muang.rooms import Room, Timing
from muang.server.owner import hold_file, other_workers
from muang.server.serve import DEFAULT_PORT
from muang.server.settings import PREFIX, Settings
from muang.solver.files import folder as tables_folder
from muang.store import Store, StoreBusy, StoreError, database_file

__all__ = ["Finding", "examine"]

OTHERS = frozenset({"LANG", "JIT", "CACHE", "TABLES", "REQUIRE"})
"""Words behind the prefix that belong to other parts of Muang."""
LOW_BYTES, NO_BYTES = 1_000_000_000, 100_000_000
MOST_TOLD = 10


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. ``bad``: something has to be done; ``note``: it may be as wanted."""

    grade: Literal["ok", "note", "bad"]
    what: str


def examine(
    data_dir: Path | None = None, port: int | None = None, newest: int | None = None, environ: Mapping[str, str] | None = None
) -> Iterator[Finding]:
    """Look everything over. ``newest``: replay only so many of the newest matches. Yields findings; raises nothing of ours."""
    env = os.environ if environ is None else environ
    yield from _unknown(env)
    try:
        settings = Settings.from_env(env, **({} if data_dir is None else {"data_dir": data_dir}))
    except MuangError as error:
        yield Finding("bad", str(error))
        return
    yield Finding("ok", f"settings: database {_shown(settings)}")
    yield from _folder(settings)
    yield from _database(settings, newest)
    yield from _port(DEFAULT_PORT if port is None else port)
    yield from _kernels()
    yield from _tables()


def _shown(settings: Settings) -> str:
    try:
        return make_url(settings.address).render_as_string(hide_password=True)
    except Exception:  # an address that is none; the check of the database says so
        return "of an address that cannot be read"


def _unknown(env: Mapping[str, str]) -> Iterator[Finding]:
    known = {one.name.upper() for one in fields(Settings)} | {f"TIMING_{one.name.upper()}" for one in fields(Timing)} | OTHERS
    for name in sorted(env):
        if name.startswith(PREFIX) and name.removeprefix(PREFIX) not in known:
            yield Finding("note", f"{name} is set, and is no setting: is it spelt right? (docs/operations.md has the list)")


# ── the folder and the disk ──────────────────────────────────────────────────────────────────────────────────────────────────


def _folder(settings: Settings) -> Iterator[Finding]:
    where = settings.data_dir
    if not where.exists():
        yield Finding("note", f"{where} is not there yet; `muang serve` makes it")
        return
    if not where.is_dir():
        yield Finding("bad", f"{where} is no folder; name another with --data or MUANG_DATA_DIR")
        return
    if not os.access(where, os.W_OK | os.X_OK):
        yield Finding("bad", f"{where} cannot be written by this user; give it to the user that runs Muang (chown), or set MUANG_DATA_DIR")
    else:
        yield Finding("ok", f"folder {where} can be written")
    free = shutil.disk_usage(where).free
    told = f"{free / 1e9:.1f} GB free on the disk of {where}"
    if free < NO_BYTES:
        yield Finding("bad", f"{told}: make room, or matches will stop")
    else:
        yield Finding("ok" if free >= LOW_BYTES else "note", told)


# ── the database ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _database(settings: Settings, newest: int | None) -> Iterator[Finding]:
    try:
        file = database_file(settings.address)
    except StoreError as error:
        yield Finding("bad", str(error))
        return
    if file is not None:
        if not file.exists():
            yield Finding("note", f"there is no database {file} yet; `muang serve` makes it")
            return
        yield from _file(file)
    yield from _from_async(lambda: _inside(settings, newest))


def _file(file: Path) -> Iterator[Finding]:
    for path in (file, *(file.with_name(file.name + end) for end in ("-wal", "-shm"))):
        if path.exists() and not os.access(path, os.R_OK | os.W_OK):
            yield Finding("bad", f"{path} cannot be written by this user; give it to the user that runs Muang (chown)")
    others = stat.S_IRWXG | stat.S_IRWXO
    if sys.platform != "win32" and file.stat().st_mode & others and file.resolve().parent.stat().st_mode & others:
        yield Finding("note", f"other users of this machine may read {file}, names and secrets in it; close it with: chmod go= {file}")
    try:
        hold_file(file).release()
    except StoreBusy:
        yield Finding("ok", f"a server uses {file}")
    except StoreError as error:
        yield Finding("bad", str(error))


async def _inside(settings: Settings, newest: int | None) -> AsyncIterator[Finding]:
    try:
        store = await Store.open(settings.address, upgrade=False)
    except StoreError as error:
        yield Finding("bad", str(error))
        return
    try:
        if not store.sqlite:
            yield Finding("ok", f"{await other_workers(store)} servers use the database")
        listed = await store.list(2**31 - 1 if newest is None else newest)
        yield Finding("ok", f"the database opens and is whole: {len(listed)}{' newest' if newest is not None else ''} matches")
        wrong = 0
        for row in listed:
            try:
                setup, entries = await store.load(row.id)
                Room.replay(setup, entries, settings.timing)
            except MuangError as error:
                wrong += 1
                if wrong <= MOST_TOLD:
                    yield Finding("bad", f"match {row.id}: {error}; the others are not touched by it; `muang forget {row.id}` deletes it")
        if wrong > MOST_TOLD:
            yield Finding("bad", f"{wrong - MOST_TOLD} more matches cannot be replayed; is there a copy to go back to (muang restore)?")
        if listed and not wrong:
            yield Finding("ok", f"{sum(row.length for row in listed)} log entries replay to their hashes")
    except StoreError as error:
        yield Finding("bad", str(error))
    finally:
        await store.close()


def _from_async(make: Callable[[], AsyncIterator[Finding]]) -> Iterator[Finding]:
    """The findings of a coroutine as they come."""
    with asyncio.Runner() as runner:
        found = make()
        while True:
            try:
                yield runner.run(_next(found))
            except StopAsyncIteration:
                return


async def _next(found: AsyncIterator[Finding]) -> Finding:
    return await anext(found)


# ── the machine ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _port(port: int) -> Iterator[Finding]:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                yield Finding("bad", f"port {port} cannot be had ({error.strerror}); choose another with --port")
                return
        else:
            yield Finding("ok", f"port {port} is free")
            return
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=3) as answer:
            health = json.loads(answer.read(4096))
        ours = isinstance(health, dict) and "warm" in health
    except (OSError, ValueError, urllib.error.URLError):
        ours = False
    if ours:
        yield Finding(
            "ok", f"a Muang server answers at port {port}: version {health.get('version')}, {health.get('matches')} matches in memory"
        )
    else:
        yield Finding("note", f"another program uses port {port}; `muang serve` takes another one, or the one after --port")


def _kernels() -> Iterator[Finding]:
    if not _jit.compiled():
        yield Finding("note", "kernels are not compiled (MUANG_JIT=off): the computer plays slowly")
        return
    home = _jit._cache_home()
    near = home
    while not near.exists() and near != near.parent:
        near = near.parent
    if not os.access(near, os.W_OK | os.X_OK):
        yield Finding(
            "bad", f"compiled kernels cannot be kept in {home}: every start takes a minute; set MUANG_CACHE to a folder that can be written"
        )
    elif glob.glob(str(home / f"kernels-{_jit.kernel_digest()}-*")):
        yield Finding("ok", f"kernels of this version are in {home}")
    else:
        yield Finding("note", f"kernels of this version are not compiled yet ({home}): the first start takes a minute or two longer")


def _tables() -> Iterator[Finding]:
    where = tables_folder()
    found = sorted(path.name for path in where.iterdir() if path.is_file()) if where.is_dir() else []
    if found:
        size = sum((where / name).stat().st_size for name in found)
        yield Finding("ok", f"{len(found)} files of solved tables in {where} ({size / 1e6:.0f} MB)")
    else:
        yield Finding("note", f"no solved tables in {where}: the computer plays well without; `muang solve` makes them")
