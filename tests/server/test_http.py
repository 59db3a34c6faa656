"""The HTTP interface: pages, games, matches, records, pictures, errors as JSON, strict headers, limits."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from websockets.asyncio.client import connect

import muang
from muang.games.core import GAMES
from muang.i18n import LANGUAGES, catalogue
from muang.records import read
from muang.server import guard, patience
from muang.server.guard import CSP, host_allowed, origin_allowed
from server.desk import Client, aask, make, running


@pytest.fixture
async def base(tmp_path: Path) -> AsyncIterator[str]:
    async with running(tmp_path) as (address, _):
        yield address


async def json_of(base: str, path: str, body: Any = None) -> Any:
    return json.loads((await aask(base, path, body))[2])


async def test_pages_come_in_the_language_that_the_browser_prefers(base: str) -> None:
    for path in ("/", "/play/anything", "/rules/ca-ngua"):
        status, headers, body = await aask(base, path, headers={"accept-language": "fr, vi;q=0.9, th;q=0.5"})
        assert (status, headers["content-language"]) == (200, "vi")
        assert b'<html lang="vi">' in body
    status, headers, body = await aask(base, "/?lang=th", headers={"accept-language": "vi"})
    assert headers["content-language"] == "th"
    cookie = headers["set-cookie"]
    assert "httponly" in cookie.lower()
    _, headers, _ = await aask(base, "/", headers={"accept-language": "vi", "cookie": cookie.split(";")[0]})
    assert headers["content-language"] == "th"


async def test_rules_stand_under_their_clause_ids(base: str) -> None:
    for game, clause in (("mak-khum", "MK-14"), ("abalalae", "AB-13"), ("ca-ngua", "CN-24")):
        _, _, body = await aask(base, f"/rules/{game}?lang=en")
        assert f'id="{clause}"' in body.decode() or f'id="{clause.lower()}"' in body.decode()
        assert "<script>" not in body.decode()
        assert " style=" not in body.decode()
    status, _, body = await aask(base, "/rules/chess")
    assert status == 422
    assert json.loads(body)["allowed"] == ["mak-khum", "abalalae", "ca-ngua"]


async def test_everything_is_sent_with_strict_headers(base: str) -> None:
    for path in ("/", "/api/games", "/static/app.css", "/api/picture.svg?game=abalalae", "/none"):
        _, headers, _ = await aask(base, path)
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-frame-options"] == "DENY"
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        if not path.startswith("/api/picture"):
            assert policy == CSP
        assert "server" not in headers or "uvicorn" in headers["server"]
    assert "unsafe" not in CSP
    assert "http" not in CSP


async def test_texts_are_the_catalogues(base: str) -> None:
    for lang in LANGUAGES:
        assert await json_of(base, f"/i18n/{lang}.json") == dict(catalogue(lang))
    status, _, body = await aask(base, "/i18n/fr.json")
    assert (status, json.loads(body)["allowed"]) == (404, list(LANGUAGES))


async def test_games_with_rulesets_options_and_seats(base: str) -> None:
    told = await json_of(base, "/api/games")
    assert [game["name"] for game in told["games"]] == list(GAMES)
    assert told["players"] == ["random", "greedy", *(f"level-{level}" for level in range(1, 9))]
    for game in told["games"]:
        of = muang.game(game["name"])
        assert [ruleset["name"] for ruleset in game["rulesets"]] == list(of.rulesets)
        for ruleset in game["rulesets"]:
            assert ruleset["options"] == muang.game(game["name"], ruleset["name"]).options
            assert ruleset["label"]
        assert [option["name"] for option in game["options"]] == list(of.options)
        assert all(option["clause"] and option["label"] for option in game["options"])
    assert told["games"][2]["seats"][0] == [0, 2]


async def test_a_match_is_made_and_shown_without_its_secrets(base: str) -> None:
    made = await make(base, "ca-ngua", computers=(2,), seed=123456789012345678)
    assert made["url"] == f"/play/{made['id']}"
    assert list(made["tokens"]) == ["0"]
    assert len(made["id"]) >= 20
    assert len(made["tokens"]["0"]) >= 20
    body = (await aask(base, f"/api/matches/{made['id']}"))[2].decode()
    shown = json.loads(body)
    assert shown["match"]["game"] == "ca-ngua"
    assert shown["seats"][1] == {"seat": 2, "kind": "computer", "name": "", "player": "greedy"}
    record = (await aask(base, f"/api/matches/{made['id']}/record"))[2].decode()
    record_json = (await aask(base, f"/api/matches/{made['id']}/record.json"))[2].decode()
    for text in (body, record, record_json):
        assert "123456789012345678" not in text
        assert made["tokens"]["0"] not in text
    assert read(record).game == muang.game("ca-ngua")


async def test_the_record_of_a_match_that_is_over_tells_its_seed_and_reads_back(base: str) -> None:
    made = await make(base, "mak-khum", ruleset="turns", seed=5)
    async with Client(base, made, "S", "N") as client:
        await client.play(client.match["turn"], client.match["legal"][client.match["turn"]][0])
        await client.order("S", "resign")
    for path, told in (("record", '[Seed "5"]'), ("record.json", '"seed"')):
        text = (await aask(base, f"/api/matches/{made['id']}/{path}"))[2].decode()
        assert told in text
        match = read(text).match()
        assert match.result is not None
        assert (match.result.winner, match.result.reason) == ("N", "resigned")


async def test_names_are_cleaned(base: str) -> None:
    seats = [{"seat": "S", "kind": "person", "name": "  Bà\u202e \x00Tư\n\tn" + "o" * 60}, {"seat": "N", "kind": "person"}]
    _, _, body = await aask(base, "/api/matches", {"game": "mak-khum", "seats": seats})
    shown = await json_of(base, f"/api/matches/{json.loads(body)['id']}")
    name = shown["seats"][0]["name"]
    assert name.startswith("Bà Tư no")
    assert len(name) == 40


BOTH = [{"seat": "S"}, {"seat": "N"}]


@pytest.mark.parametrize(
    ("request_", "code", "part"),
    [
        ({"game": "chess", "seats": BOTH}, "bad-ruleset", "chess"),
        ({"game": "mak-khum", "ruleset": "x", "seats": BOTH}, "bad-ruleset", "trang"),
        ({"game": "mak-khum", "options": {"rounds": 0}, "seats": BOTH}, "bad-ruleset", "MK-50"),
        ({"game": "mak-khum", "options": {"house": 1}, "seats": BOTH}, "bad-ruleset", "house"),
        ({"game": "ca-ngua", "options": {"gate": "climb", "doubles": "total"}, "seats": [{"seat": 0}, {"seat": 2}]}, "bad-ruleset", "gate"),
        ({"game": "mak-khum", "seats": [{"seat": "S"}]}, "bad-action", "S, N"),
        ({"game": "mak-khum", "seats": [{"seat": "S"}, {"seat": "S"}]}, "bad-action", "sit"),
        ({"game": "ca-ngua", "seats": [{"seat": 0}]}, "bad-action", "0, 2"),
        ({"game": "mak-khum", "seats": [{"seat": "S"}, {"seat": "N", "kind": "computer", "player": "deep"}]}, "bad-action", "greedy"),
        ({"game": "mak-khum", "seats": [{"seat": "S"}, {"seat": "W"}]}, "bad-request", "seats"),
        ({"game": "mak-khum", "seats": BOTH, "pace": "slow"}, "bad-request", "pace"),
        ({"game": "mak-khum", "seats": BOTH, "tempo": 0}, "bad-request", "tempo"),
        ({"game": "mak-khum", "seats": BOTH, "seed": -1}, "bad-request", "seed"),
        ({"game": "mak-khum", "seats": BOTH, "first": "W"}, "bad-request", "first"),
        ({"game": "mak-khum", "seats": BOTH, "more": 1}, "bad-request", "more"),
        ({"seats": BOTH}, "bad-request", "game"),
        ([], "bad-request", ""),
    ],
)
async def test_a_match_that_cannot_be_is_refused_and_says_why(base: str, request_: Any, code: str, part: str) -> None:
    status, headers, body = await aask(base, "/api/matches", request_)
    told = json.loads(body)
    assert (status, told["code"]) == (422, code)
    assert part in body.decode()
    assert set(told) == {"code", "clause", "message", "allowed"}
    assert headers["content-type"] == "application/json"


async def test_what_is_not_there(base: str) -> None:
    for path in ("/api/matches/none", "/api/matches/none/record", "/api/matches/none/record.json"):
        status, _, body = await aask(base, path)
        assert (status, json.loads(body)["code"]) == (404, "no-such-match")
    for path in ("/none", "/static/none", "/static/../settings.py", "/static/%2e%2e/%2e%2e/errors.py"):
        status, _, body = await aask(base, path)
        assert (status, json.loads(body)["code"]) == (404, "not-found")
    status, _, body = await aask(base, "/api/matches", raw=b"{")
    assert (status, json.loads(body)["code"]) == (422, "bad-request")


async def test_pictures_and_layouts(base: str) -> None:
    status, headers, body = await aask(base, "/api/picture.svg?game=mak-khum&lang=th")
    assert (status, headers["content-type"]) == (200, "image/svg+xml")
    assert body.startswith(b"<svg")
    assert b'lang="th"' in body
    position = str(muang.game("ca-ngua").start(seed=1).position)
    status, _, body = await aask(base, f"/api/picture.svg?position={quote(position)}&upright=1")
    assert (status, body[:4]) == (200, b"<svg")
    for query, code in (("", "bad-ruleset"), ("?position=mak-khum+board=9", "bad-position"), ("?game=go", "bad-ruleset")):
        status, _, body = await aask(base, f"/api/picture.svg{query}")
        assert (status, json.loads(body)["code"]) == (422, code)
    wide = await json_of(base, "/api/layout?game=ca-ngua&seats=0,2&track=48")
    tall = await json_of(base, "/api/layout?game=ca-ngua&seats=0,2&track=48&upright=1")
    assert wide["viewBox"] != tall["viewBox"] or wide["upright"] != tall["upright"]
    assert tall["viewBox"][2] == 360
    for query in ("game=go", "game=ca-ngua&track=7", "game=mak-khum&track=48"):
        status, _, body = await aask(base, f"/api/layout?{query}")
        assert (status, json.loads(body)["code"]) == (422, "bad-ruleset")


async def test_sizes_are_limited(base: str) -> None:
    status, _, body = await aask(base, "/api/matches", raw=b" " * 70_000)
    assert (status, json.loads(body)["code"]) == (413, "too-large")
    host, port = base.split(":")

    def chunked() -> bytes:
        with socket.create_connection((host, int(port)), timeout=5) as raw:
            head = ["POST /api/matches HTTP/1.1", f"host: {base}", "content-type: application/json", "transfer-encoding: chunked", "", ""]
            raw.sendall("\r\n".join(head).encode())
            for _ in range(20):
                raw.sendall(b"1000\r\n" + b" " * 4096 + b"\r\n")
            return raw.recv(200)

    assert b" 413 " in await asyncio.to_thread(chunked)


async def test_requests_that_do_not_come_are_not_waited_for(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a head, nothing at all, half a body, half of a second head; what goes on for long is not cut off."""
    monkeypatch.setattr(patience, "HEAD_SECONDS", 0.3)
    monkeypatch.setattr(guard, "BODY_SECONDS", 0.3)
    host, port = base.split(":")

    async def said(*texts: str, seconds: float = 15) -> bytes:
        reader, writer = await asyncio.open_connection(host, int(port))
        try:
            async with asyncio.timeout(seconds):
                for text in texts:
                    writer.write(text.encode())
                    await asyncio.sleep(0.2)
                return await reader.read()
        finally:
            writer.close()

    whole = f"GET /api/games HTTP/1.1\r\nhost: {base}\r\n\r\n"
    assert await said("") == b""
    assert await said("GET /api/games HTTP/1.1\r\nhost:") == b""
    assert (await said(whole, whole, "GET /api/games HTTP/1.1\r\nhos")).count(b" 200 ") == 2
    half = await said(f"POST /api/matches HTTP/1.1\r\nhost: {base}\r\ncontent-length: 40\r\nconnection: close\r\n\r\n{{")
    assert b" 408 " in half
    assert b"too-slow" in half
    made = await make(base)
    with pytest.raises(TimeoutError):  # a stream has come whole, and may last
        await said(f"GET /api/matches/{made['id']}/stream HTTP/1.1\r\nhost: {base}\r\n\r\n", seconds=1)
    async with connect(f"ws://{base}/ws/{made['id']}") as screen:
        await asyncio.sleep(0.6)
        await asyncio.wait_for(await screen.ping(), 5)


async def test_other_sites_cannot_use_the_server(base: str) -> None:
    status, _, body = await aask(base, "/api/matches", {"game": "mak-khum", "seats": BOTH}, headers={"origin": "https://evil.example"})
    assert (status, json.loads(body)["code"]) == (403, "bad-origin")
    status, _, body = await aask(base, "/api/games", headers={"host": "evil.example"})
    assert (status, json.loads(body)["code"]) == (421, "bad-host")
    status, _, _ = await aask(base, "/api/matches", {"game": "mak-khum", "seats": BOTH}, headers={"origin": f"http://{base}"})
    assert status == 201


@pytest.mark.parametrize(
    ("host", "hosts", "allowed"),
    [
        ("localhost:8642", (), True),
        ("127.0.0.1", (), True),
        ("192.168.1.7:80", (), True),
        ("[::1]:8642", (), True),
        ("LOCALHOST", (), True),
        ("evil.example", (), False),
        ("evil.example:8642", (), False),
        ("muang.example", ("muang.example",), True),
        ("", (), False),
        ("localhost.evil.example", (), False),
    ],
)
def test_names_that_lead_here(host: str, hosts: tuple[str, ...], allowed: bool) -> None:
    assert host_allowed(host, hosts) is allowed


def test_origins() -> None:
    assert origin_allowed(None, "localhost:1")
    assert origin_allowed("http://localhost:1", "localhost:1")
    for origin in ("http://localhost:2", "null", "http://localhost", "https://evil.example", "http://localhost:1.evil.example", ""):
        assert not origin_allowed(origin, "localhost:1")


async def test_health(base: str) -> None:
    assert (await json_of(base, "/health"))["status"] == "ok"
