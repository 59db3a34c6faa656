"""Disks that fill up, files that are held or damaged while the log is written: a clear word, nothing half written, and it goes on after."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from muang.store import DamagedStore, Store, StoreBusy, StoreError, backup, restore, sqlite_url
from muang.wire import LogEntry
from store.test_store import ENTRIES, setup

FILLED = """
import asyncio, resource, sys
from pathlib import Path
from muang.store import Store, StoreError, backup, sqlite_url
from store.test_store import setup
from muang.wire import LogEntry

async def main(folder):
    store = await Store.open(sqlite_url(folder / "muang.db"))
    await store.create(setup("m"))
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))  # no file may grow beyond this, as on a full disk
    seq, told = 1, []
    while len(told) < 3:
        group = [LogEntry(kind="play", seat="S", action="x" * 60) for _ in range(3)]
        try:
            await store.append("m", seq, group)
            seq += 3
        except StoreError as error:
            told.append(str(error))
        if seq > 30_000:
            break
    print(seq - 1, len((await store.load("m"))[1]), sep="\\n")
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    await store.append("m", seq, group)
    print(len((await store.load("m"))[1]))
    await store.close()
    print("\\n".join(told))

asyncio.run(main(Path(sys.argv[1])))
"""


def test_files_that_cannot_grow(tmp_path: Path) -> None:
    """A process of its own, because the limit is the process's."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", FILLED, str(tmp_path)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    acknowledged, found, after, *told = done.stdout.splitlines()
    assert int(acknowledged) == int(found) > 0, "groups of three, whole or not at all"
    assert int(after) == int(found) + 3, "with room again it goes on"
    assert len(told) == 3
    assert all("disk" in line and "muang.db" in line for line in told), told


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 1 MB; left out where this process may not mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if (
        sys.platform != "linux"
        or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], capture_output=True).returncode
    ):
        pytest.skip("mounting a small disk takes root; the limit on files above stands for it")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


async def test_a_full_disk(small_disk: Path) -> None:
    (small_disk / "filler").write_bytes(b"x" * 200_000)
    store = await Store.open(sqlite_url(small_disk / "muang.db"))
    await store.create(setup("m"))
    written = await until_full(store)
    assert len((await store.load("m"))[1]) == written > 0
    fill_up(small_disk)
    with pytest.raises(StoreError, match="copy cannot be written"):
        await backup(store, small_disk / "copy.gz")
    assert not (small_disk / "copy.gz").exists()
    for path in small_disk.glob("filler*"):
        path.unlink()
    await store.append("m", written + 1, [ENTRIES[3]])
    await store.close()
    again = await Store.open(sqlite_url(small_disk / "muang.db"))
    assert len((await again.load("m"))[1]) == written + 1
    await again.close()


async def until_full(store: Store) -> int:
    """Write until the disk is full, and say how many entries could be written."""
    group = [LogEntry(kind="play", seat="S", action="x" * 60) for _ in range(50)]
    written = 0
    while True:
        try:
            await store.append("m", written + 1, group)
        except StoreError as error:
            if "muang.db: the disk is full" in str(error):
                return written
            raise
        written += len(group)


def fill_up(folder: Path) -> None:
    for i in range(1000):
        try:
            (folder / f"filler{i}").write_bytes(b"x" * 4096)
        except OSError:
            return


async def test_a_full_disk_while_a_copy_is_put_back(small_disk: Path, tmp_path: Path) -> None:
    big = await Store.open(sqlite_url(tmp_path / "big.db"))
    await asyncio.gather(*(big.create(setup(f"m{i}")) for i in range(3000)))
    await backup(big, tmp_path / "copy.gz")
    await big.close()
    store = await Store.open(sqlite_url(small_disk / "muang.db"))
    await store.create(setup("here"))
    await store.close()
    with pytest.raises(StoreError, match="disk is full"):
        await restore(sqlite_url(small_disk / "muang.db"), tmp_path / "copy.gz", replace=True)
    again = await Store.open(sqlite_url(small_disk / "muang.db"))
    assert [row.id for row in await again.list()] == ["here"]
    await again.close()
    assert [path.name for path in small_disk.iterdir() if path.name.startswith(".")] == []


HOLDER = """
import sqlite3, sys
holder = sqlite3.connect(sys.argv[1], isolation_level=None)
holder.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.readline()
holder.execute("ROLLBACK")
print("free", flush=True)
sys.stdin.readline()
"""


async def test_another_program_holds_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("muang.store.store.BUSY_SECONDS", 0.2)
    store = await Store.open(sqlite_url(tmp_path / "muang.db"))
    await store.create(setup("m"))
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path / "muang.db")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdin is not None
    assert holder.stdout is not None
    try:
        assert holder.stdout.readline() == "held\n"
        for what in (store.append("m", 1, ENTRIES), store.create(setup("n")), store.delete("m")):
            with pytest.raises(StoreBusy, match="locked by another program; close it"):
                await what
        assert (await store.load("m"))[1] == []
        assert (await backup(store, tmp_path / "copy.gz")).matches == 1, "a copy can be made meanwhile"
        holder.stdin.write("\n")
        holder.stdin.flush()
        assert holder.stdout.readline() == "free\n"
    finally:
        holder.communicate("\n")
    await store.append("m", 1, ENTRIES)
    assert (await store.load("m"))[1] == ENTRIES
    await store.close()


@pytest.mark.parametrize("seed", range(6))
async def test_noise_in_the_file_ends_in_words_of_ours_and_a_copy_helps(tmp_path: Path, seed: int) -> None:
    """A kilobyte of noise somewhere: whatever SQLite makes of it, opening and reading raise nothing but ``StoreError``."""
    lots = random.Random(seed)
    path = tmp_path / "muang.db"
    store = await Store.open(sqlite_url(path))
    for i in range(60):
        await store.create(setup(f"m{i}"))
        await store.append(f"m{i}", 1, ENTRIES)
    await backup(store, tmp_path / "copy.gz")
    await store.close()
    whole = bytearray(path.read_bytes())
    start = lots.randrange(100, len(whole) - 1024)
    whole[start : start + 1024] = lots.randbytes(1024)
    path.write_bytes(whole)
    with contextlib.suppress(StoreError):
        store = await Store.open(sqlite_url(path))
        for i in range(60):
            with contextlib.suppress(StoreError):
                await store.load(f"m{i}")
        await store.close()
    _, kept = await restore(sqlite_url(path), tmp_path / "copy.gz", replace=True)
    assert kept is not None
    store = await Store.open(sqlite_url(path))
    assert [(await store.load(f"m{i}"))[1] for i in range(60)] == [ENTRIES] * 60
    await store.close()


async def test_damage_that_comes_while_the_store_is_open(tmp_path: Path) -> None:
    path = tmp_path / "muang.db"
    store = await Store.open(sqlite_url(path))
    for i in range(200):
        await store.create(setup(f"m{i}"))
    await store.close()
    store = await Store.open(sqlite_url(path))
    async with store.engine.connect() as connection:  # what it remembers of the file would hide the damage
        await connection.execute(text("PRAGMA cache_size = 1"))
        await connection.execute(text("PRAGMA shrink_memory"))
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(8192)
        file.write(random.Random(1).randbytes(size - 8192))
    results = [await asyncio.gather(store.load(f"m{i}"), return_exceptions=True) for i in range(20)]
    damaged = [result for (result,) in results if isinstance(result, DamagedStore)]
    assert damaged
    assert "muang restore" in str(damaged[0])
    await store.close()
