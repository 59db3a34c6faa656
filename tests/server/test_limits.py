"""What one address may ask, who the address is, what the server tells of itself, and its settings."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
import structlog
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from muang.server.limits import Limits, TooMany, client_address
from muang.server.logs import configure, discreet
from muang.server.settings import BadSetting, Settings
from server.desk import Client, aask, make, running
from server.test_bots import Stream

BOTH = {"game": "mak-khum", "seats": [{"seat": "S"}, {"seat": "N"}]}

# ── addresses ────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("peer", "forwarded", "proxies", "address"),
    [
        ("203.0.113.5", "", (), "203.0.113.5"),
        ("203.0.113.5", "198.51.100.1", ("127.0.0.1",), "203.0.113.5"),
        ("127.0.0.1", "198.51.100.1", ("127.0.0.1",), "198.51.100.1"),
        ("127.0.0.1", "198.51.100.1", (), "127.0.0.1"),
        ("127.0.0.1", "10.9.9.9, 198.51.100.1", ("127.0.0.1",), "198.51.100.1"),
        ("127.0.0.1", "198.51.100.1, 10.0.0.3", ("127.0.0.1", "10.0.0.0/8"), "198.51.100.1"),
        ("127.0.0.1", "nonsense", ("127.0.0.1",), "127.0.0.1"),
        ("127.0.0.1", "10.0.0.1", ("127.0.0.1", "10.0.0.0/8"), "10.0.0.1"),
        ("2001:db8:1:2:3:4:5:6", "", (), "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.5", "", (), "203.0.113.5"),
        ("::1", "", (), "::1"),
        ("unknown", "", (), "unknown"),
    ],
)
def test_who_asks(peer: str, forwarded: str, proxies: tuple[str, ...], address: str) -> None:
    assert client_address(peer, forwarded, proxies) == address


def test_counts_are_kept_by_kind_and_address() -> None:
    limits = Limits({"matches": "2/minute", "sits": "off"})
    limits.hit("matches", "a")
    limits.hit("matches", "a")
    with pytest.raises(TooMany, match="at most 2 per 1 minute") as refused:
        limits.hit("matches", "a")
    assert 1 <= refused.value.retry <= 60
    limits.hit("matches", "b")
    for _ in range(10):
        limits.hit("sits", "a")
        limits.hit("unknown", "a")


def test_what_is_held_is_given_back() -> None:
    limits = Limits({})
    with limits.holding("screens", "a", 1):
        with pytest.raises(TooMany, match="1 screens"):
            limits.take("screens", "a", 1)
        limits.take("screens", "b", 1)
    limits.take("screens", "a", 1)


# ── over the wire ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("setting", "path", "body"),
    [
        ("rate_matches", "/api/matches", BOTH),
        ("rate_sits", "/api/matches/{id}/sit", {}),
        ("rate_hints", "/api/matches/{id}/hint", {"tokens": []}),
        ("rate_costly", "/api/picture.svg?game=ca-ngua", None),
        ("rate_costly", "/api/matches/{id}/record", None),
        ("rate_costly", "/api/matches/{id}/qr.svg", None),
        ("rate_looks", "/api/matches/{id}", None),
        ("rate_looks", "/api/lobby", None),
        ("rate_looks", "/api/matches/{id}/stream?token=+", None),
        ("rate_plays", "/api/matches/{id}/play", {"token": "x", "n": 1, "seat": "S", "action": "S1"}),
    ],
)
async def test_too_much_is_refused_and_says_when_to_come_back(tmp_path: Path, setting: str, path: str, body: Any) -> None:
    async with running(tmp_path, **{setting: "3/hour"}) as (base, app):
        made = await make(base)
        statuses = []
        for _ in range(6):
            status, headers, text = await aask(base, path.format(id=made["id"]), body)
            statuses.append(status)
        if "token=+" in path:
            assert statuses == [422] * 6, "what cannot be read costs nothing"
            return
        assert 429 not in statuses[:2]
        assert statuses[3:] == [429] * 3
        told = json.loads(text)
        assert told["code"] == "rate-limited"
        assert 1 <= int(headers["retry-after"]) <= 3600
        elsewhere, _, _ = await aask(base, path.format(id=made["id"]), body, headers={"x-forwarded-for": "198.51.100.7"})
        assert elsewhere != 429, "another address behind our proxy has counts of its own"
        assert app.state.hub.settings.proxies == ("127.0.0.1", "::1")


async def test_a_flood_of_frames_is_refused_frame_by_frame_and_ended(tmp_path: Path) -> None:
    async with running(tmp_path, rate_frames="50/hour", outbox=2000) as (base, _):
        made = await make(base, "mak-khum", ruleset="turns", first="S", seed=1)
        async with Client(base, made, "S", "N") as client:
            for _ in range(50):
                await client.send({"v": 1, "type": "ping", "t": 1})
            for _ in range(50):
                assert (await client.until("pong", "error"))["type"] == "pong", "each frame counts once"
            answer = await client.play("S", "S3")
            assert (answer["code"], answer["n"]) == ("rate-limited", 1)
            for _ in range(250):
                await client.send({"v": 1, "type": "ping", "t": 1})
            with pytest.raises(ConnectionClosed) as closed:
                await client.until("never")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4429
        async with Client(base, made, "S", "N") as client:
            assert (await client.play("S", "S3"))["type"] == "ack", "a new connection, and nobody else was held up"


async def test_screens_of_one_address_are_limited_sockets_and_streams_alike(tmp_path: Path) -> None:
    async with running(tmp_path, sockets_per_address=2) as (base, _):
        made = await make(base)
        path = f"/api/matches/{made['id']}/stream"
        async with Client(base, made, "S"), Stream(base, path) as stream:
            await stream.until("state")
            status, headers, body = await aask(base, path)
            assert (status, json.loads(body)["code"], headers["retry-after"]) == (429, "rate-limited", "10")
            async with connect(f"ws://{base}/ws/{made['id']}") as socket:
                assert json.loads(await socket.recv())["code"] == "rate-limited"
                with pytest.raises(ConnectionClosed) as closed:
                    await socket.recv()
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 4429
            async with connect(f"ws://{base}/ws/{made['id']}", additional_headers={"x-forwarded-for": "198.51.100.7"}) as socket:
                await socket.send('{"v":1,"type":"hello","tokens":[]}')
                assert json.loads(await socket.recv())["type"] == "state"
        async with Client(base, made, "S"), Client(base, made, "N"):
            pass


async def test_matches_in_memory_of_one_address_are_limited(tmp_path: Path) -> None:
    async with running(tmp_path, tables_per_address=2, idle_seconds=0.2) as (base, app):
        made = [await make(base) for _ in range(3)]
        async with Client(base, made[0]), Client(base, made[1]):
            status, _, body = await aask(base, f"/api/matches/{made[2]['id']}")
            assert (status, json.loads(body)["code"]) == (429, "rate-limited")
            status, _, _ = await aask(base, f"/api/matches/{made[0]['id']}")
            assert status == 200, "one that is there anyway"
            status, _, _ = await aask(base, f"/api/matches/{made[2]['id']}", headers={"x-forwarded-for": "198.51.100.7"})
            assert status == 200
        while app.state.hub.tables:
            await asyncio.sleep(0.02)
        assert (await aask(base, f"/api/matches/{made[2]['id']}"))[0] == 200


async def test_a_full_server_says_so(tmp_path: Path) -> None:
    async with running(tmp_path, most_tables=1, most_sockets=1) as (base, _):
        made = [await make(base) for _ in range(2)]
        async with Client(base, made[0]):
            status, _, body = await aask(base, f"/api/matches/{made[1]['id']}")
            assert (status, json.loads(body)["code"]) == (503, "server-full")
            async with connect(f"ws://{base}/ws/{made[0]['id']}") as socket:
                with pytest.raises(ConnectionClosed) as closed:
                    await socket.recv()
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 1013


# ── what the server tells of itself ──────────────────────────────────────────────────────────────────────────────────────────


async def test_metrics_count_what_happens_and_name_nobody(tmp_path: Path) -> None:
    async with running(tmp_path) as (base, _):
        made = await make(base, "mak-khum", ruleset="turns", first="S", seed=1)
        async with Client(base, made, "S", "N") as client:
            await client.play("S", "S3")
            await client.play("S", "S3")
            status, headers, body = await aask(base, "/metrics")
        text = body.decode()
        assert status == 200
        assert headers["content-type"].startswith("text/plain")
        for line in (
            "muang_matches 1.0",
            "muang_sockets 1.0",
            "muang_matches_made_total 1.0",
            'muang_refusals_total{code="illegal-action"} 1.0',
        ):
            assert line in text.splitlines(), text
        assert float(re.findall(r"^muang_append_seconds_count (.*)$", text, re.M)[0]) >= 1
        assert float(re.findall(r"^muang_move_seconds_count (.*)$", text, re.M)[0]) >= 2
        assert float(re.findall(r'^muang_frames_total{direction="in"} (.*)$', text, re.M)[0]) >= 3
        assert made["id"] not in text
        status, _, body = await aask(base, "/metrics", headers={"x-forwarded-for": "198.51.100.7"})
        assert (status, json.loads(body)["code"]) == (403, "not-allowed")


async def test_health_says_whether_the_log_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("muang.server.hub.TRIED_MS", -1)
    async with running(tmp_path) as (base, app):
        assert json.loads((await aask(base, "/health"))[2])["writable"] is True

        async def broken() -> bool:
            return False

        monkeypatch.setattr(app.state.hub, "_try_to_write", broken)
        status, _, body = await aask(base, "/health")
        assert (status, json.loads(body)["status"]) == (503, "not-writable")


ID, SHORT = "AbCd5678901234567890-_", "AbCd…"


def test_log_lines_name_no_person_and_let_nobody_in(capsys: pytest.CaptureFixture[str]) -> None:
    event = discreet(None, "info", {"event": f"no match '{ID}'", "name": "Lan", "token": ID, "match": ID, "n": 3, "tokens": [ID]})
    assert event == {"event": f"no match '{SHORT}'", "match": SHORT, "n": 3}
    before = structlog.get_config()
    try:
        configure("json")
        log = structlog.get_logger("test")
        try:
            raise ValueError(f"match {ID} is broken")
        except ValueError:
            log.exception("table.broken", match=ID)
        line = json.loads(capsys.readouterr().err)
        assert (line["event"], line["level"], line["match"]) == ("table.broken", "error", SHORT)
        assert ID not in line["exception"]
        assert "is broken" in line["exception"]
        configure("off")
        log.info("quiet")
        assert capsys.readouterr().err == ""
        configure("text")
        log.info("loud", match=ID)
        assert SHORT in capsys.readouterr().err
    finally:
        structlog.configure(**before)


# ── settings ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_settings_come_from_the_environment() -> None:
    found = Settings.from_env(
        {
            "MUANG_RATE_MATCHES": "5/hour",
            "MUANG_RATE_FRAMES": "off",
            "MUANG_PROXIES": "10.0.0.0/8, ::1",
            "MUANG_METRICS_FROM": "192.168.1.7",
            "MUANG_PUBLIC_URL": "https://muang.example/",
            "MUANG_LOG": "json",
            "MUANG_SOCKETS_PER_ADDRESS": "7",
        }
    )
    assert found.rates["matches"] == "5/hour"
    assert found.rates["frames"] == "off"
    assert found.proxies == ("10.0.0.0/8", "::1/128")
    assert found.metrics_from == ("192.168.1.7/32",)
    assert (found.public_url, found.log, found.sockets_per_address) == ("https://muang.example", "json", 7)


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("MUANG_RATE_SITS", "often", "240/minute"),
        ("MUANG_RATE_SITS", "", "240/minute"),
        ("MUANG_PROXIES", "10.0.0.0/99", "networks"),
        ("MUANG_PUBLIC_URL", "muang.example", "https://"),
        ("MUANG_PUBLIC_URL", "javascript:alert(1)", "https://"),
        ("MUANG_PUBLIC_URL", "http://[", "https://"),
        ("MUANG_LOG", "loud", "text, json, off"),
        ("MUANG_WARM", "yes", "0, 1"),
        ("MUANG_MOST_TABLES", "many", "a whole number"),
    ],
)
def test_settings_that_cannot_be_read_say_what_can(name: str, value: str, allowed: str) -> None:
    with pytest.raises(BadSetting, match=re.escape(name)) as refused:
        Settings.from_env({name: value})
    assert allowed in str(refused.value)
