"""Steps from one version's tables to the next, and back, with what was written by the version before standing in them."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from alembic import command
from sqlalchemy import inspect, text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from muang.store import OldStore, Store, database_url
from muang.store.migrate import _config
from muang.wire import LogEntry

SETUP_1 = (
    '{"id":"m1","game":"mak-khum","ruleset":"trang","options":{"rounds":2},"pace":"lockstep","tempo":250,"min_gap":80,"first":null,'
    '"seed":18446744073709551615,"seats":[{"seat":"S","kind":"person","name":"นก","player":null,"token":null},'
    '{"seat":"N","kind":"computer","name":"","player":"greedy","token":null}],"rules_version":1,"created":1700000000000}'
)
ENTRIES_1 = [
    {"seq": 1, "kind": "play", "seat": "S", "action": "S3", "at": None, "client": "c", "n": 2**53, "commitment": None},
    {"seq": 2, "kind": "play", "seat": "N", "action": "N1", "at": 2**40, "client": None, "n": None, "commitment": "x"},
]


@pytest.fixture
async def engine(address: str) -> AsyncIterator[AsyncEngine]:
    made = create_async_engine(database_url(address))
    yield made
    await made.dispose()


async def step(engine: AsyncEngine, to: str, back: bool = False) -> None:
    async with engine.begin() as connection:

        def run(sync: object) -> None:
            config = _config()
            config.attributes["connection"] = sync
            (command.downgrade if back else command.upgrade)(config, to)

        await connection.run_sync(run)


async def columns(engine: AsyncEngine, table: str) -> set[str]:
    async with engine.connect() as connection:
        return {column["name"] for column in await connection.run_sync(lambda sync: inspect(sync).get_columns(table))}


async def fill_version_1(engine: AsyncEngine) -> None:
    async with engine.begin() as connection:
        await connection.execute(
            text("INSERT INTO matches (id, game, rules_version, created, setup) VALUES ('m1', 'mak-khum', 1, 1700000000000, :setup)"),
            {"setup": SETUP_1},
        )
        await connection.execute(
            text(
                'INSERT INTO entries (match_id, seq, kind, seat, action, at, "by", client, n, version, rules_version, hash, commitment) '
                "VALUES ('m1', :seq, :kind, :seat, :action, :at, 'player', :client, :n, 1, 1, 'ab', :commitment)"
            ),
            ENTRIES_1,
        )


async def test_matches_of_version_1_are_read_and_go_on(engine: AsyncEngine, address: str) -> None:
    await step(engine, "0001")
    await fill_version_1(engine)
    await engine.dispose()
    with pytest.raises(OldStore, match=r"version 0001, not 0002; run: muang migrate"):
        await Store.open(address, upgrade=False)
    store = await Store.open(address, upgrade=True)
    setup, log = await store.load("m1")
    assert (setup.seed, setup.options, setup.secret, setup.public) == (2**64 - 1, {"rounds": 2}, None, False)
    assert [(entry.action, entry.at, entry.n, entry.t) for entry in log] == [("S3", None, 2**53, 0), ("N1", 2**40, None, 0)]
    await store.append("m1", 3, [LogEntry(kind="play", seat="S", action="S1", t=1700000009999)])
    day = 86_400_000
    assert await store.expired(1700000000000 + day, 0) == ["m1"], "old matches were touched when they were made, or later"
    assert await store.expired(1700000000000, 0) == []
    await store.close()


async def test_back_and_forth_nothing_of_version_1_is_lost(engine: AsyncEngine, address: str) -> None:
    await step(engine, "0001")
    before = {table: await columns(engine, table) for table in ("matches", "entries")}
    await fill_version_1(engine)
    await step(engine, "head")
    assert "touched" in await columns(engine, "matches")
    await step(engine, "0001", back=True)
    assert {table: await columns(engine, table) for table in ("matches", "entries")} == before
    async with engine.connect() as connection:
        found = (await connection.execute(text("SELECT seq, action, at, n FROM entries ORDER BY seq"))).all()
        assert [tuple(row) for row in found] == [(1, "S3", None, 2**53), (2, "N1", 2**40, None)]
        assert (await connection.execute(text("SELECT setup FROM matches"))).scalar() == SETUP_1
    await step(engine, "head")
    await engine.dispose()
    store = await Store.open(address)
    assert len((await store.load("m1"))[1]) == 2
    await store.close()


async def test_all_the_way_back_leaves_nothing(engine: AsyncEngine) -> None:
    await step(engine, "head")
    await step(engine, "base", back=True)
    async with engine.connect() as connection:
        assert set(await connection.run_sync(lambda sync: inspect(sync).get_table_names())) <= {"alembic_version"}
