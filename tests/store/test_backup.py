"""Copies of the log: made while it is written to, from either database into either, refused unless whole, never half put back."""

from __future__ import annotations

import asyncio
import gzip
import json
import sqlite3
import stat
from pathlib import Path

import pytest

from muang.store import OldStore, Store, StoreBusy, StoreError, backup, inspect_copy, restore, sqlite_url
from store.test_store import ENTRIES, setup


async def filled(address: str, matches: int = 3) -> Store:
    store = await Store.open(address, upgrade=True)
    await asyncio.gather(*(store.create(setup(f"m{i:04}", created=1000 + i)) for i in range(matches)))
    await asyncio.gather(*(store.append(f"m{i:04}", 1, ENTRIES, stage="over" if i == 1 else None) for i in range(matches)))
    return store


async def whole(store: Store) -> list[object]:
    return [await store.load(row.id) for row in await store.list(10_000)]


async def test_a_copy_is_put_back_into_either_database(address: str, tmp_path: Path) -> None:
    store = await filled(address, 210)
    before = await whole(store)
    copied = await backup(store, tmp_path / "copy")
    assert (copied.matches, copied.entries) == (210, 840)
    assert inspect_copy(tmp_path / "copy") == copied
    assert stat.S_IMODE((tmp_path / "copy").stat().st_mode) == 0o600
    await store.close()
    with pytest.raises(StoreError, match="holds 210 matches; with --force the copy takes"):
        await restore(address, tmp_path / "copy")
    other = sqlite_url(tmp_path / "new" / "other.db")
    for into, force in ((address, True), (other, False)):
        await restore(into, tmp_path / "copy", replace=force)
        again = await Store.open(into)
        assert await whole(again) == before
        await again.append("m0000", 5, ENTRIES[3:])
        await again.close()
    assert [path.name for path in tmp_path.rglob(".*")] == [], "nothing half written lies about"


async def test_a_copy_is_one_moment_while_matches_go_on(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("muang.store.copies.CHUNK", 5)
    store = await filled(address, 60)

    async def play() -> None:
        for seq in range(5, 60):
            await asyncio.gather(*(store.append(f"m{i:04}", seq, ENTRIES[3:]) for i in range(60)))

    playing = asyncio.create_task(play())
    await asyncio.sleep(0.05)
    copied = await backup(store, tmp_path / "copy")
    assert not playing.done()
    assert copied.matches == 60
    await playing
    await store.close()
    await restore(sqlite_url(tmp_path / "back.db"), tmp_path / "copy")
    back = await Store.open(sqlite_url(tmp_path / "back.db"))
    lengths = [row.length for row in await back.list(100)]
    assert sum(lengths) == copied.entries
    assert max(lengths) - min(lengths) <= 1, "every match waits for all the others before its next entry"
    await back.close()


@pytest.fixture
async def copy(tmp_path: Path) -> Path:
    store = await filled(sqlite_url(tmp_path / "source.db"))
    await backup(store, tmp_path / "copy")
    await store.close()
    return tmp_path / "copy"


def spoil(copy: Path, how: str) -> None:
    packed, lines = copy.read_bytes(), gzip.decompress(copy.read_bytes()).splitlines(keepends=True)
    spoilt = {
        "empty": b"",
        "nonsense": b"a letter to my grandmother",
        "cut in the packing": packed[: len(packed) // 2],
        "flipped": packed[:60] + bytes([packed[60] ^ 255]) + packed[61:],
        "cut after a line": gzip.compress(b"".join(lines[:-1])),
        "a match left out": gzip.compress(b"".join(lines[:1] + lines[2:])),
        "changed": gzip.compress(b"".join(lines).replace(b"trang", b"tgang")),
        "a list": gzip.compress(b"[]\n"),
        "longer": gzip.compress(b"".join([*lines, lines[1]])),
        "another column": gzip.compress(b"".join(lines).replace(b'"kind":', b'"kond":')),
        "a gap": gzip.compress(b"".join(lines).replace(b'"seq":2', b'"seq":7')),
    }
    copy.write_bytes(spoilt[how])


@pytest.mark.parametrize(
    "how",
    [
        *("empty", "nonsense", "cut in the packing", "flipped", "cut after a line", "a match left out", "changed", "a list", "longer"),
        *("another column", "a gap"),
    ],
)
async def test_a_copy_that_is_not_whole_changes_nothing(copy: Path, tmp_path: Path, how: str) -> None:
    spoil(copy, how)
    store = await filled(sqlite_url(tmp_path / "muang.db"), 2)
    await store.close()
    before = (tmp_path / "muang.db").read_bytes()
    with pytest.raises(StoreError, match="no whole copy"):
        await restore(sqlite_url(tmp_path / "muang.db"), copy, replace=True)
    assert (tmp_path / "muang.db").read_bytes() == before
    with pytest.raises(StoreError, match="no whole copy"):
        await restore(sqlite_url(tmp_path / "none.db"), copy)
    assert not (tmp_path / "none.db").exists()


async def test_a_copy_of_a_later_version_names_it(copy: Path, tmp_path: Path) -> None:
    lines = gzip.decompress(copy.read_bytes()).splitlines()
    head = json.loads(lines[0]) | {"tables": "9999"}
    copy.write_bytes(gzip.compress(b"\n".join([json.dumps(head).encode(), *lines[1:]]) + b"\n"))
    with pytest.raises(OldStore, match="later version"):
        await restore(sqlite_url(tmp_path / "muang.db"), copy)


async def test_what_was_there_is_kept_beside_it(copy: Path, tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    address = sqlite_url(tmp_path / "d" / "muang.db")
    store = await filled(address, 7)
    await store.close()
    _, kept = await restore(address, copy, replace=True)
    assert kept is not None
    old, new = await Store.open(sqlite_url(kept)), await Store.open(address)
    assert (len(await old.list()), len(await new.list())) == (7, 3)
    await old.close()
    await new.close()
    _, again = await restore(address, copy, replace=True)
    assert again not in (None, kept)


async def test_a_damaged_file_is_replaced_and_kept(copy: Path, tmp_path: Path) -> None:
    (tmp_path / "muang.db").write_text("a letter to my grandmother" * 500)
    with pytest.raises(StoreError, match="damaged"):
        await restore(sqlite_url(tmp_path / "muang.db"), copy)
    _, kept = await restore(sqlite_url(tmp_path / "muang.db"), copy, replace=True)
    assert kept is not None
    assert kept.read_text().startswith("a letter")
    store = await Store.open(sqlite_url(tmp_path / "muang.db"))
    assert len(await store.list()) == 3
    await store.close()


async def test_a_file_that_is_in_use_is_not_replaced(copy: Path, tmp_path: Path) -> None:
    store = await filled(sqlite_url(tmp_path / "muang.db"), 2)
    holder = sqlite3.connect(tmp_path / "muang.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusy, match="by another program"):
        await restore(sqlite_url(tmp_path / "muang.db"), copy, replace=True)
    holder.execute("ROLLBACK")
    holder.close()
    await store.append("m0000", 5, ENTRIES[3:])
    assert len((await store.load("m0000"))[1]) == 5
    await store.close()


async def test_a_copy_that_cannot_be_written_leaves_the_old_one(copy: Path, tmp_path: Path) -> None:
    store = await filled(sqlite_url(tmp_path / "muang.db"), 2)
    with pytest.raises(StoreError, match="cannot be written"):
        await backup(store, tmp_path / "no" / "such" / "folder")
    (tmp_path / "folder").mkdir()
    with pytest.raises(StoreError, match="cannot be written"):
        await backup(store, tmp_path / "folder")
    await store.close()
    assert inspect_copy(copy).matches == 3
    with pytest.raises(StoreError, match="there is no file"):
        inspect_copy(tmp_path / "nothing")
