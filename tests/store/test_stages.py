"""What a list needs to know of matches: their stage, when they were touched, the lobby; and that what is deleted is gone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from muang.store import NoSuchMatch, Stage, Store, lobby, sqlite_url
from muang.store.store import TOUCH_MS
from muang.store.tables import entries, matches
from muang.wire import LogEntry, SeatSetup, Setup

SECRET = "ab" * 32
HOUR = 3_600_000
DAY = 24 * HOUR


def setup(match_id: str, kinds: str = "person open", created: int = DAY, **more: Any) -> Setup:
    seats = tuple(SeatSetup(seat=seat, kind=kind, name=f"{kind} {seat}") for seat, kind in zip("SN", kinds.split(), strict=True))  # type: ignore[arg-type]
    return Setup(id=match_id, game="mak-khum", ruleset="trang", seed=0, seats=seats, created=created, **{"public": True, **more})


@pytest.fixture
async def store(address: str) -> AsyncIterator[Store]:
    opened = await Store.open(address, upgrade=True)
    yield opened
    await opened.close()


async def row(store: Store, match_id: str) -> tuple[int, str, int]:
    async with store.reading() as connection:
        query = select(matches.c.public, matches.c.stage, matches.c.touched).where(matches.c.id == match_id)
        public, stage, touched = (await connection.execute(query)).one()
    return public, stage, touched


async def test_a_new_match_is_meeting_while_somebody_may_still_come(store: Store) -> None:
    await store.create(setup("open"))
    await store.create(setup("secret", "person person", secret=SECRET))
    await store.create(setup("given", "person person", public=False))
    assert [await row(store, name) for name in ("open", "secret", "given")] == [
        (1, "meeting", DAY),
        (1, "meeting", DAY),
        (0, "playing", DAY),
    ]


async def test_the_stage_follows_begin_and_what_the_caller_says(store: Store) -> None:
    await store.create(setup("m"))
    await store.append("m", 1, [LogEntry(kind="sit", seat="N", name="An", t=DAY + 1)])
    assert (await row(store, "m"))[1] == "meeting"
    await store.append("m", 2, [LogEntry(kind="sit", seat="S", t=DAY + 2), LogEntry(kind="begin", t=DAY + 2)])
    assert await row(store, "m") == (1, "playing", DAY + 2)
    said: tuple[Stage, ...] = ("over", "playing")
    for i, stage in enumerate(said):  # over, and a takeback after the end
        await store.append("m", 4 + i, [LogEntry(kind="play", seat="S", action="S1", t=DAY + 5 + i)], stage=stage)
        assert await row(store, "m") == (1, stage, DAY + 5 + i)


async def test_the_stage_that_comes_last_counts_in_a_shared_commit(store: Store) -> None:
    await store.create(setup("m"))
    one = store.append("m", 1, [LogEntry(kind="begin", t=DAY + 1)])
    two = store.append("m", 2, [LogEntry(kind="leave", seat="S", t=DAY + 2)], stage="over")
    before = store.commits
    await asyncio.gather(one, two)
    assert store.commits == before + 1
    assert await row(store, "m") == (1, "over", DAY + 2)


async def test_touched_is_never_far_behind(store: Store) -> None:
    await store.create(setup("m", "person person"))
    for i in range(8):
        await store.append("m", i + 1, [LogEntry(kind="play", seat="S", action="S1", t=DAY + i * TOUCH_MS // 3)])
        assert DAY + i * TOUCH_MS // 3 - (await row(store, "m"))[2] < TOUCH_MS


async def test_a_failed_append_changes_no_stage(store: Store) -> None:
    await store.create(setup("m", "person person"))
    await store.append("m", 1, [LogEntry(kind="play", seat="S", action="S1", t=DAY)])
    with pytest.raises(Exception, match="another program"):
        await store.append("m", 1, [LogEntry(kind="leave", seat="S", t=2 * DAY)], stage="over")
    assert await row(store, "m") == (1, "playing", DAY)


# ── the lobby ────────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_lobby_shows_public_matches_with_who_sits_there_now(store: Store) -> None:
    await store.create(setup("waits", created=10 * DAY))
    await store.create(setup("private", created=10 * DAY, public=False))
    await store.create(setup("stale", created=8 * DAY))
    await store.create(setup("played", created=8 * DAY))
    await store.create(setup("done", created=10 * DAY))
    now = 10 * DAY + 5000
    log = [
        LogEntry(kind="sit", seat="N", name="Ân", t=now),
        LogEntry(kind="sit", seat="S", entropy="x", t=now),
        LogEntry(kind="begin", t=now),
        LogEntry(kind="seat", seat="S", action="computer:level-3", t=now),
    ]
    await store.append("played", 1, log)
    await store.append("done", 1, log, stage="over")
    shown = await lobby(store, now=now)
    assert [(match.id, match.stage) for match in shown] == [("waits", "meeting"), ("played", "playing")]
    assert [(seat.seat, seat.kind, seat.name, seat.player) for seat in shown[1].seats] == [
        ("S", "computer", "person S", "level-3"),
        ("N", "person", "Ân", None),
    ]
    assert [seat.kind for seat in shown[0].seats] == ["person", "open"]
    assert [match.id for match in await lobby(store, now=now + HOUR)] == ["waits"], "nothing was played for an hour"
    assert await lobby(store, now=now + 2 * DAY) == []


async def test_the_lobby_is_short_and_newest_first(store: Store) -> None:
    for i in range(6):
        await store.create(setup(f"m{i}", created=DAY + i))
    assert [match.id for match in await lobby(store, 3, now=DAY + 10)] == ["m5", "m4", "m3"]


# ── deleting ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_old_matches_expire_and_those_that_never_began_sooner(store: Store) -> None:
    await store.create(setup("new", "person person", created=200 * DAY))
    await store.create(setup("old", "person person", created=10 * DAY))
    await store.create(setup("played", "person person", created=10 * DAY))
    await store.create(setup("never", created=190 * DAY))
    await store.append("played", 1, [LogEntry(kind="play", seat="S", action="S1", t=150 * DAY)])
    assert await store.expired(100 * DAY, 195 * DAY) == ["old", "never"]
    assert await store.expired(100 * DAY, 195 * DAY, limit=1) == ["old"]
    assert await store.delete_all(["old", "never", "nobody"]) == 2
    assert await store.expired(100 * DAY, 195 * DAY) == []
    assert {match.id for match in await store.list()} == {"new", "played"}
    with pytest.raises(NoSuchMatch):
        await store.delete("old")
    async with store.reading() as connection:
        left = (await connection.execute(select(entries.c.match_id).distinct())).scalars().all()
    assert left == ["played"]


async def test_deleted_names_are_gone_from_every_file(tmp_path: Path) -> None:
    store = await Store.open(sqlite_url(tmp_path / "muang.db"))
    names = "Nguyễn Thị Minh", "ประภาส"
    for i in range(40):
        seats = (SeatSetup(seat="S", kind="person", name=names[0]), SeatSetup(seat="N", kind="open"))
        await store.create(Setup(id=f"m{i}", game="mak-khum", ruleset="trang", seed=0, seats=seats, created=1))
        await store.append(f"m{i}", 1, [LogEntry(kind="sit", seat="N", name=names[1], t=1)] * 1)

    def found() -> list[str]:
        files = [path.read_bytes() for path in tmp_path.iterdir()]
        return [name for name in names if any(name.encode() in bytes_ for bytes_ in files)]

    assert found() == list(names)
    await store.delete_all([f"m{i}" for i in range(40)])
    assert found() == []
    await store.close()
    assert found() == []
