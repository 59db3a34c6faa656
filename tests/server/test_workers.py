"""Several workers on one PostgreSQL: a match belongs to one of them; another goes on when it dies, behind nginx as ``deploy/`` has it."""

from __future__ import annotations

import asyncio
import json
import random
import time
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from muang.server.owner import Elsewhere, SessionOwner, other_workers
from muang.server.retention import tidy
from muang.server.settings import Settings
from muang.store import Store, database_url
from server import proxy
from server.desk import Client, Program, aask, free_port, make, running
from store import postgres

pytestmark = pytest.mark.postgresql
LOST = (ConnectionClosed, InvalidHandshake, OSError)


@pytest.fixture(scope="module")
def postgres_server() -> Iterator[str]:
    with postgres.server() as address:
        yield address


@pytest.fixture
async def address(postgres_server: str) -> str:
    """An empty database with this version's tables."""
    name = f"m{uuid.uuid4().hex[:12]}"
    async with await psycopg.AsyncConnection.connect(f"{postgres_server}postgres", autocommit=True) as connection:
        await connection.execute(f"CREATE DATABASE {name}")  # type: ignore[arg-type]
    await (await Store.open(f"{postgres_server}{name}", upgrade=True)).close()
    return f"{postgres_server}{name}"


@pytest.fixture
async def owners(address: str) -> AsyncIterator[list[SessionOwner]]:
    made = [SessionOwner(database_url(address)) for _ in range(2)]
    for one in made:
        await one.open()
    yield made
    for one in made:
        await one.close()


async def end_sessions(address: str) -> None:
    async with await psycopg.AsyncConnection.connect(address, autocommit=True) as connection:
        await connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'muang-owner'")


# ── who owns a match ─────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_match_has_one_owner_until_every_claim_is_given_back(owners: list[SessionOwner]) -> None:
    one, two = owners
    assert await one.claim("m")
    assert not await two.claim("m")
    assert await two.claim("other")
    assert await one.claim("m")
    one.release("m")
    await asyncio.gather(*one._later)
    assert not await two.claim("m")
    one.release("m")
    assert await one.claim("m"), "given back and taken again at once: the order is kept"
    assert not await two.claim("m")
    one.release("m")
    await asyncio.gather(*one._later)
    assert await two.claim("m")


async def test_the_matches_of_a_worker_that_ends_are_free(owners: list[SessionOwner], address: str) -> None:
    one, two = owners
    store = await Store.open(address)
    assert await other_workers(store) == 2
    assert await one.claim("m")
    await one.close()
    while await other_workers(store) != 1:
        await asyncio.sleep(0.01)
    assert await two.claim("m")
    await store.close()


async def test_a_lost_session_is_noticed_at_once_and_comes_back(owners: list[SessionOwner], address: str) -> None:
    one, two = owners
    losses: list[str] = []
    one.on_lost, two.on_lost = lambda: losses.append("one"), lambda: losses.append("two")
    assert await one.claim("m")
    await end_sessions(address)
    with pytest.raises(Elsewhere):
        await one.claim("other")
    assert not one.holds("m")
    assert losses == ["one"]
    async with asyncio.timeout(20):
        while not (losses == ["one", "two"] and one._connection and two._connection):
            await asyncio.sleep(0.02)
    assert await two.claim("m")
    assert not await one.claim("m")


async def test_a_worker_that_hangs_loses_its_matches(owners: list[SessionOwner], monkeypatch: pytest.MonkeyPatch) -> None:
    """The database ends a session that says nothing: here one whose signs of life have stopped."""
    one, two = owners
    losses: list[str] = []
    one.on_lost = lambda: losses.append("one")
    assert one._watch is not None
    one._watch.cancel()
    assert one._connection is not None
    assert (await (await one._connection.execute("SHOW idle_session_timeout")).fetchone()) == ("15s",)
    await one._connection.execute("SET idle_session_timeout = 300")
    assert await one.claim("m")
    async with asyncio.timeout(30):
        while not await two.claim("m"):
            await asyncio.sleep(0.05)
    with pytest.raises(Elsewhere):
        await one.claim("other")
    assert losses == ["one"]


# ── two workers in this process ──────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_worker_that_does_not_have_a_match_says_so_before_the_handshake(address: str, tmp_path: Path) -> None:
    async with (
        running(tmp_path / "1", database=address, idle_seconds=0.2) as (one, app),
        running(tmp_path / "2", database=address) as (two, _),
    ):
        made = await make(one, "mak-khum", ruleset="turns", first="S", seed=1)
        async with Client(one, made, "S", "N") as client:
            await client.play("S", "S3")
            with pytest.raises(InvalidStatus) as refused:
                await connect(f"ws://{two}/ws/{made['id']}")
            assert refused.value.response.status_code == 503
            status, _, body = await aask(two, f"/api/matches/{made['id']}")
            assert (status, json.loads(body)["code"]) == (503, "elsewhere")
            before = client.match
        while made["id"] in app.state.hub.tables:
            await asyncio.sleep(0.02)
        async with asyncio.timeout(10):
            while (await aask(two, f"/api/matches/{made['id']}"))[0] != 200:
                await asyncio.sleep(0.02)
        async with Client(two, made, "S", "N") as client:
            assert client.match == before, "it has been let go where nobody watches it, and goes on here"
            assert (await aask(one, f"/api/matches/{made['id']}"))[0] == 503


async def test_a_worker_that_loses_its_locks_stops_its_matches_at_once(address: str, tmp_path: Path) -> None:
    async with running(tmp_path, database=address) as (base, app):
        made = await make(base, "mak-khum", ruleset="turns", first="S", seed=1)
        async with Client(base, made, "S", "N") as client:
            await client.play("S", "S3")
            await end_sessions(address)
            with pytest.raises(ConnectionClosed) as closed:
                await client.until("never")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
            assert made["id"] not in app.state.hub.tables
            before = client.match
        async with asyncio.timeout(20):
            while (await aask(base, f"/api/matches/{made['id']}"))[0] == 503:
                await asyncio.sleep(0.05)
        async with Client(base, made, "S", "N") as client:
            assert client.match == before


async def test_what_expires_is_not_deleted_under_another_workers_hands(address: str, tmp_path: Path) -> None:
    async with running(tmp_path / "1", database=address) as (one, _), running(tmp_path / "2", database=address) as (two, app):
        played, idle = [await make(one, "mak-khum", ruleset="turns", first="S", seed=1) for _ in range(2)]
        async with Client(one, played, "S", "N") as client:
            later = int(time.time() * 1000) + 200 * 86_400_000
            assert await tidy(app.state.hub, later) == 1
            assert (await client.play("S", "S3"))["type"] == "ack"
        assert (await aask(two, f"/api/matches/{idle['id']}"))[0] == 404


# ── as they are deployed ─────────────────────────────────────────────────────────────────────────────────────────────────────


class Player:
    """Somebody at a seat whose page comes back by itself and sends again what was never answered, as pages do."""

    def __init__(self, base: str, match: dict[str, Any], seat: str) -> None:
        self.client = Client(base, match, seat, client=f"page-{seat}")
        self.seat, self.lots = seat, random.Random(f"{match['id']}{seat}")
        self.breaks = 0

    @property
    def over(self) -> bool:
        return bool(self.client.match) and self.client.match["phase"] == "over"

    async def play(self) -> None:
        """Until the match is over, whatever happens to the connection."""
        while not self.over:
            try:
                async with self.client as client:
                    if client.last and client.last["n"] not in client.acked:
                        await client.send(client.last)
                    while not self.over:
                        if self.seat in client.mine():
                            await client.play(self.seat, self.lots.choice(client.match["legal"][self.seat]))
                        else:
                            await client.hear()
            except LOST:
                self.breaks += 1
                await asyncio.sleep(0.1)


async def owner_of(match: dict[str, Any], workers: list[int]) -> list[int]:
    """The workers at which the match is."""
    return [port for port in workers if (await aask(f"127.0.0.1:{port}", f"/api/matches/{match['id']}"))[0] == 200]


async def test_one_of_two_workers_dies_and_every_match_is_finished(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    proxy.need()
    monkeypatch.setenv("MUANG_DATABASE", address)
    workers = [free_port(), free_port()]
    programs = {port: Program(tmp_path / str(port), port) for port in workers}
    try:
        with proxy.nginx(tmp_path / "nginx", free_port(), workers) as base:
            made = [await make(base, "mak-khum", ruleset="turns", options={"rounds": 2}) for _ in range(6)]
            players = [[Player(base, match, seat) for seat in ("S", "N")] for match in made]
            tasks = [asyncio.create_task(player.play()) for pair in players for player in pair]
            async with asyncio.timeout(60):
                while not all(len(player.client.acked) >= 2 for pair in players for player in pair):
                    await asyncio.sleep(0.01)
            homes = [await owner_of(match, workers) for match in made]
            assert all(len(home) == 1 for home in homes), "each match is with exactly one of them"
            assert {home[0] for home in homes} == set(workers), "and both have some"
            dies = homes[0][0]
            assert not players[0][0].over
            programs[dies].end(kill=True)
            moved = [pair for pair, home in zip(players, homes, strict=True) if home == [dies]]
            stayed = [pair for pair, home in zip(players, homes, strict=True) if home != [dies]]
            await asyncio.wait_for(asyncio.gather(*tasks), 60)
            assert all(player.breaks > 0 for player in moved[0])
            assert all(player.breaks == 0 for pair in stayed for player in pair), "nobody else has noticed anything"
            programs[dies] = Program(tmp_path / str(dies), dies)
            other = next(port for port in workers if port != dies)
            for match, home in zip(made, homes, strict=True):
                if home == [dies]:  # the one that is back does not take away what the other one has
                    async with Client(f"127.0.0.1:{other}", match, "S"), Client(base, match, "S") as through:
                        assert through.match["phase"] == "over"
                        assert await owner_of(match, workers) == [other]
                        status, _, body = await aask(base, f"/api/matches/{match['id']}/record")
                        assert (status, b"Muang" in body or b"[" in body) == (200, True)
    finally:
        for program in programs.values():
            program.end(kill=True)
    store = await Store.open(address)
    for match, pair in zip(made, players, strict=True):
        _, log = await store.load(match["id"])
        assert pair[0].client.match == pair[1].client.match
        for player in pair:
            kept = {entry.n for entry in log if entry.client == f"page-{player.seat}"}
            assert set(player.client.acked) <= kept, "what was acknowledged is in the log"
            assert len(kept) == sum(entry.client == f"page-{player.seat}" for entry in log), "and nothing counted twice"
    await store.close()


async def test_what_nginx_passes_on(address: str, tmp_path: Path) -> None:
    """The host that was asked for, the real client's address and nobody's own word for it; not the metrics."""
    proxy.need()
    async with running(tmp_path / "1", database=address, rate_costly="3/minute", hosts=("muang.example",)) as (one, _):
        port = int(one.rpartition(":")[2])
        with proxy.nginx(tmp_path / "nginx", free_port(), [port, free_port()]) as base:
            assert (await aask(base, "/health"))[0] == 200
            assert (await aask(base, "/metrics"))[0] == 404
            made = await make(base, "mak-khum", ruleset="turns")
            code = {await _qr(base, made, {"host": "muang.example", "x-forwarded-proto": "https"}) for _ in range(2)}
            assert code == {await _qr(one, made, {"host": "muang.example"})}, "http, whatever the client says"
            answers = [
                (await aask(base, "/api/picture.svg?game=mak-khum", headers={"x-forwarded-for": f"203.0.113.{i}"}))[0] for i in range(5)
            ]
            assert 429 in answers, "a client cannot pass for many"


async def _qr(base: str, made: dict[str, Any], headers: dict[str, str]) -> bytes:
    status, _, body = await aask(base, f"/api/matches/{made['id']}/qr.svg", headers=headers)
    assert status == 200, body
    return body


def test_what_is_deployed_fits_together() -> None:
    composed = yaml.safe_load((proxy.DEPLOY / "compose.yaml").read_text())
    conf = (proxy.DEPLOY / "nginx.conf").read_text()
    names = {field.upper() for field in Settings.__dataclass_fields__}
    for name, service in composed["services"].items():
        settings = {key.removeprefix("MUANG_") for key in service.get("environment", {}) if key.startswith("MUANG_")}
        assert settings <= names, name
        if name.startswith("muang-"):
            assert f"server {name}:{service['command'][service['command'].index('--port') + 1]} " in conf
    assert conf.count("server muang-") == sum(name.startswith("muang-") for name in composed["services"])
    unit = (proxy.DEPLOY / "muang@.service").read_text()
    used = {
        word.partition("=")[0].removeprefix("MUANG_")
        for line in unit.splitlines()
        if line.startswith("Environment=")
        for word in line[12:].split()
    }
    assert used <= names | {"TABLES", "CACHE"}
