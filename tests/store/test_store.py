"""The log on disk, on both databases: append-only, whole or not at all, errors that say what to do."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text

from muang.store import DamagedStore, LogConflict, NoSuchMatch, OldStore, Store, StoreBusy, StoreError, sqlite_url
from muang.store.store import _sqlite_connect
from muang.store.tables import metadata
from muang.wire import LogEntry, SeatSetup, Setup


def setup(match_id: str = "m1", created: int = 5) -> Setup:
    seats = (SeatSetup(seat="S", kind="person", name="นก", token="t" * 64), SeatSetup(seat="N", kind="computer", player="greedy"))
    return Setup(id=match_id, game="mak-khum", ruleset="trang", options={"rounds": 2}, seed=2**64 - 1, seats=seats, created=created)


ENTRIES = [
    LogEntry(kind="play", seat="S", action="S3", client="c", n=2**53, client_at=17, version=1, hash="ab"),
    LogEntry(kind="roll", seat=2, dice=(6, 1), by="system", version=2, hash="cd"),
    LogEntry(kind="play", seat=0, action="49-slot2", at=2**40, by="computer", version=2**40, lag=20, offset=-(2**40), entropy="e"),
    LogEntry(kind="seat", seat="N", action="computer:greedy"),
]


@pytest.fixture
async def store(address: str) -> AsyncIterator[Store]:
    opened = await Store.open(address, upgrade=True)
    yield opened
    await opened.close()


async def test_what_is_appended_is_read_back_in_its_order(store: Store) -> None:
    await store.create(setup())
    await store.append("m1", 1, ENTRIES[:1])
    await store.append("m1", 2, ENTRIES[1:])
    assert await store.load("m1") == (setup(), ENTRIES)


async def test_it_is_there_after_closing_and_opening_again(address: str) -> None:
    store = await Store.open(address, upgrade=True)
    await store.create(setup())
    await store.append("m1", 1, ENTRIES)
    await store.close()
    again = await Store.open(address)
    assert (await again.load("m1"))[1] == ENTRIES
    await again.close()
    with pytest.raises(StoreError, match="closed"):
        await again.append("m1", 5, ENTRIES)


async def test_a_match_that_is_not_there(store: Store) -> None:
    with pytest.raises(NoSuchMatch):
        await store.load("m1")
    with pytest.raises(LogConflict):
        await store.append("m1", 1, ENTRIES)
    with pytest.raises(NoSuchMatch):
        await store.delete("m1")
    await store.create(setup())
    with pytest.raises(LogConflict):
        await store.create(setup())


async def test_nobody_overwrites_and_nothing_is_half_written(store: Store) -> None:
    await store.create(setup())
    await store.append("m1", 1, ENTRIES[:2])
    with pytest.raises(LogConflict):
        await store.append("m1", 2, ENTRIES[2:])  # 2 is taken; 3 must not be written either
    assert (await store.load("m1"))[1] == ENTRIES[:2]
    with pytest.raises(LogConflict):
        await store.append("m1", 3, [ENTRIES[0]])  # the same number of the same client
    assert (await store.load("m1"))[1] == ENTRIES[:2]


async def test_many_matches_share_commits_and_one_fault_harms_nobody_else(store: Store) -> None:
    await asyncio.gather(*(store.create(setup(f"m{i}")) for i in range(100)))
    before = store.commits
    await asyncio.gather(*(store.append(f"m{i}", 1, ENTRIES) for i in range(100)))
    assert store.commits - before <= 4
    results = await asyncio.gather(*(store.append(f"m{i}", 1 if i == 7 else 5, ENTRIES[3:]) for i in range(20)), return_exceptions=True)
    assert [i for i, result in enumerate(results) if result is not None] == [7]
    assert isinstance(results[7], LogConflict)
    assert len((await store.load("m8"))[1]) == 5
    assert len((await store.load("m7"))[1]) == 4


async def test_lists_and_deletes(store: Store) -> None:
    for i in range(3):
        await store.create(setup(f"m{i}", created=i))
    await store.append("m1", 1, ENTRIES)
    assert [(row.id, row.length) for row in await store.list(2)] == [("m2", 0), ("m1", 4)]
    await store.delete("m1")
    assert [row.id for row in await store.list()] == ["m2", "m0"]
    with pytest.raises(NoSuchMatch):
        await store.load("m1")


async def test_a_caller_that_is_gone_does_not_stop_the_writer(store: Store) -> None:
    await store.create(setup())
    task = asyncio.create_task(store.append("m1", 1, ENTRIES[:1]))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await store.append("m1", 2, ENTRIES[1:2])
    assert (await store.load("m1"))[1] == ENTRIES[:2]


async def test_a_gap_or_nonsense_in_a_log_is_said_plainly(store: Store) -> None:
    await store.create(setup())
    await store.append("m1", 1, ENTRIES)
    async with store.engine.begin() as connection:
        await connection.execute(text("DELETE FROM entries WHERE seq = 2"))
    with pytest.raises(DamagedStore, match="gap"):
        await store.load("m1")
    async with store.engine.begin() as connection:
        await connection.execute(text("UPDATE matches SET setup = '{}'"))
        await connection.execute(text("DELETE FROM entries"))
    with pytest.raises(DamagedStore, match="cannot be read"):
        await store.load("m1")


# ── migrations ───────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_migrations_make_the_tables_that_the_code_uses(store: Store) -> None:
    async with store.engine.connect() as connection:
        differences = await connection.run_sync(lambda sync: compare_metadata(MigrationContext.configure(sync), metadata))
    assert differences == []


async def test_tables_that_are_missing_are_made_for_sqlite_and_named_for_postgresql(address: str) -> None:
    if address.startswith("sqlite"):
        await (await Store.open(address)).close()
        with pytest.raises(OldStore, match="tables of version none"):
            await Store.open(address.replace("muang.db", "other.db"), upgrade=False)
        return
    with pytest.raises(OldStore, match="muang migrate"):
        await Store.open(address)
    await (await Store.open(address, upgrade=True)).close()
    await (await Store.open(address)).close()


async def test_a_database_of_a_later_version_is_left_alone(address: str) -> None:
    store = await Store.open(address, upgrade=True)
    async with store.engine.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    await store.close()
    for upgrade in (True, False):
        with pytest.raises(OldStore, match=r"later version|9999"):
            await Store.open(address, upgrade=upgrade)


# ── SQLite's own troubles ────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_sqlite_writes_ahead_and_waits_for_the_disk(tmp_path: Path) -> None:
    store = await Store.open(sqlite_url(tmp_path / "a b ?%.db"))
    async with store.engine.connect() as connection:
        assert (await connection.execute(text("PRAGMA journal_mode"))).scalar() == "wal"
        assert (await connection.execute(text("PRAGMA synchronous"))).scalar() == 2
        assert (await connection.execute(text("PRAGMA foreign_keys"))).scalar() == 1
    await store.close()
    assert (tmp_path / "a b ?%.db").exists()


async def test_a_locked_database_says_so_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("muang.store.store.BUSY_SECONDS", 0.2)
    store = await Store.open(sqlite_url(tmp_path / "muang.db"))
    await store.create(setup())
    other = sqlite3.connect(tmp_path / "muang.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        with pytest.raises(StoreBusy, match="locked by another program"):
            await store.append("m1", 1, ENTRIES)
        assert (await store.load("m1"))[1] == [], "reading goes on"
    finally:
        other.execute("ROLLBACK")
        other.close()
    await store.append("m1", 1, ENTRIES)
    assert (await store.load("m1"))[1] == ENTRIES
    await store.close()


@pytest.mark.parametrize("damage", ["text", "middle", "cut"])
async def test_a_damaged_file_says_so(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "muang.db"
    store = await Store.open(sqlite_url(path))
    await asyncio.gather(*(store.create(setup(f"m{i}")) for i in range(200)))
    await store.close()
    whole = path.read_bytes()
    if damage == "text":
        path.write_bytes(b"this is a letter to my grandmother, not a database " * 100)
    elif damage == "middle":
        path.write_bytes(whole[:8192] + os.urandom(len(whole) - 8192))
    else:
        path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DamagedStore, match="damaged"):
        await Store.open(sqlite_url(path))


async def test_a_folder_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be written"):
        await Store.open(sqlite_url(tmp_path / "file" / "muang.db"))


async def test_a_full_disk_says_so_and_nothing_is_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = await Store.open(sqlite_url(tmp_path / "muang.db"))
    await store.create(setup())
    async with store.engine.connect() as connection:
        pages = (await connection.execute(text("PRAGMA page_count"))).scalar()
    await store.close()
    usual = _sqlite_connect

    def full(connection: Any, record: Any) -> None:
        usual(connection, record)
        connection.execute(f"PRAGMA max_page_count = {pages}").close()

    monkeypatch.setattr("muang.store.store._sqlite_connect", full)
    store = await Store.open(sqlite_url(tmp_path / "muang.db"))
    many = [LogEntry(kind="play", seat="S", action="x" * 60, hash="y" * 16) for _ in range(300)]
    with pytest.raises(StoreError, match="disk is full"):
        await store.append("m1", 1, many)
    assert (await store.load("m1"))[1] == []
    await store.close()


@pytest.mark.parametrize("address", ["mysql://u@h/d", "nonsense", "postgresql+asyncpg:/"])
async def test_an_address_that_cannot_be_used_names_those_that_can(address: str) -> None:
    with pytest.raises(StoreError, match=r"sqlite|postgresql"):
        await Store.open(address)


async def test_a_password_is_never_in_an_error() -> None:
    with pytest.raises(StoreError) as caught:
        await Store.open("postgresql://muang:hunter2@127.0.0.1:1/none?connect_timeout=2")
    assert "hunter2" not in str(caught.value)


WRITER = """
import asyncio, sys
from muang.store import Store
from muang.wire import LogEntry, SeatSetup, Setup

async def main():
    store = await Store.open(sys.argv[1])
    await store.create(Setup(id="m", game="g", ruleset="r", seed=1, seats=(SeatSetup(seat="S", kind="person"),)))
    seq = 1
    while True:
        group = [LogEntry(kind="play", seat="S", action=f"S{i}") for i in range(3)]
        await store.append("m", seq, group)
        seq += 3
        print(seq - 1, flush=True)

asyncio.run(main())
"""


async def test_killed_in_the_middle_of_writing_nothing_acknowledged_is_lost(address: str) -> None:
    await (await Store.open(address, upgrade=True)).close()
    writer = subprocess.Popen([sys.executable, "-c", WRITER, address], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    for _ in range(20):
        acknowledged = int(writer.stdout.readline())
    timer = threading.Timer(0.05, writer.kill)
    timer.start()
    for line in writer.stdout:
        acknowledged = int(line)
    writer.wait()
    writer.stdout.close()
    store = await Store.open(address)
    _, found = await store.load("m")
    await store.close()
    assert len(found) >= acknowledged
    assert len(found) % 3 == 0, "groups are written whole"
