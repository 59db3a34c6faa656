"""Playing over plain HTTP: the example bot in every game at every pace, streams, inputs one by one, the description of the interface."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from muang.server import bots
from muang.wire import parse_server
from server.desk import Client, aask, make, running

EXAMPLE = Path(__file__).parents[2] / "examples" / "bot.py"


def example() -> ModuleType:
    """The example bot as a module."""
    spec = importlib.util.spec_from_file_location("example_bot", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


bot = example()


@pytest.fixture
async def base(tmp_path: Path) -> AsyncIterator[str]:
    async with running(tmp_path) as (address, _):
        yield address


class Stream:
    """The lines of a stream, read with the plainest of clients."""

    def __init__(self, base: str, path: str, headers: dict[str, str] | None = None) -> None:
        self.base, self.path, self.headers = base, path, headers or {}

    async def __aenter__(self) -> Stream:
        host, port = self.base.split(":")
        self.reader, self.writer = await asyncio.open_connection(host, int(port))
        head = [f"GET {self.path} HTTP/1.0", f"host: {self.base}", *(f"{name}: {value}" for name, value in self.headers.items()), "", ""]
        self.writer.write("\r\n".join(head).encode())
        self.status = int((await self.reader.readline()).split()[1])
        self.answer = {}
        while line := (await self.reader.readline()).strip():
            name, _, value = line.decode().partition(":")
            self.answer[name.lower()] = value.strip()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.writer.close()
        await self.writer.wait_closed()

    async def line(self) -> dict[str, Any] | None:
        text = await asyncio.wait_for(self.reader.readline(), 20)
        if not text:
            return None
        parse_server(text.decode())
        frame: dict[str, Any] = json.loads(text)
        return frame

    async def until(self, kind: str) -> dict[str, Any]:
        while True:
            frame = await self.line()
            assert frame is not None, "the stream has ended"
            if frame["type"] == kind:
                return frame


async def post(base: str, made: dict[str, Any], what: str, body: dict[str, Any]) -> tuple[int, Any]:
    status, _, text = await aask(base, f"/api/matches/{made['id']}/{what}", body)
    return status, json.loads(text)


# ── the example ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

MATCHES: list[tuple[str, list[Any], dict[str, Any]]] = [
    ("ca-ngua", [0, 1, 2, 3], {}),
    ("mak-khum", ["S", "N"], {"ruleset": "turns"}),
    ("mak-khum", ["S", "N"], {"ruleset": "single"}),
    ("mak-khum", ["S", "N"], {"ruleset": "single", "pace": "steady", "tempo": 1}),
    ("mak-khum", ["S", "N"], {"ruleset": "single", "pace": "by_hand", "min_gap": 1, "options": {"holes": 4, "seeds": 4}}),
    ("abalalae", ["S", "N"], {"ruleset": "single", "pace": "steady", "tempo": 1, "options": {"quiet_turns": 5}}),
    ("abalalae", ["S", "N"], {"ruleset": "single", "pace": "by_hand", "min_gap": 1, "options": {"quiet_turns": 2}}),
]


@pytest.mark.parametrize(("game", "seats", "more"), MATCHES)
async def test_bots_play_a_match_to_its_end(base: str, game: str, seats: list[Any], more: dict[str, Any]) -> None:
    """From the link alone; both see the same end."""
    _, _, body = await aask(base, "/api/matches", {"game": game, "seats": [{"seat": seat, "kind": "open"} for seat in seats], **more})
    made = json.loads(body)

    def play(seed: int) -> Any:
        player = bot.Bot(f"http://{base}{made['url']}", f"bot {seed}", seed, 0.0)
        return player.play(), player.match

    ends = await asyncio.wait_for(asyncio.gather(*(asyncio.to_thread(play, seed) for seed in range(len(seats)))), 60)
    assert all(end == ends[0] for end in ends)
    assert ends[0][0]["reason"] in ("horses", "seeds")


def run_example(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-W", "error", str(EXAMPLE), *arguments], capture_output=True, text=True, timeout=60)


async def test_the_example_as_a_program(base: str) -> None:
    made = await make(base, "ca-ngua", computers=(2,))
    link = f"http://{base}{made['url']}"
    refused = await asyncio.to_thread(run_example, link)
    assert refused.returncode == 1
    assert refused.stderr.startswith("cannot play: seat-taken")
    body = {"game": "ca-ngua", "seats": [{"seat": 0, "kind": "open"}, {"seat": 2, "kind": "computer", "player": "random"}]}
    made = json.loads((await aask(base, "/api/matches", body))[2])
    done = await asyncio.to_thread(run_example, f"http://{base}{made['url']}", "--seed", "1", "--wait", "0")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("plays in seat 0\nover: ")


# ── streams and inputs ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_stream_is_a_screen(base: str) -> None:
    made = await make(base, "mak-khum", ruleset="turns", first="S", seed=1)
    path = f"/api/matches/{made['id']}/stream"
    async with (
        Stream(base, f"{path}?token={made['tokens']['S']}") as south,
        Client(base, made, "N") as north,
        Stream(base, path) as watcher,
    ):
        assert south.answer["content-type"] == "application/x-ndjson"
        state, seen = await south.until("state"), await watcher.until("state")
        assert [seat["yours"] for seat in state["seats"]] == [True, False]
        assert [seat["yours"] for seat in seen["seats"]] == [False, False]
        assert set(north.table["here"]) <= {"S", "N"}
        status, ack = await post(base, made, "play", {"token": made["tokens"]["S"], "n": 1, "seat": "S", "action": "S3", "version": 0})
        assert (status, ack["type"], ack["n"]) == (200, "ack", 1)
        told = [await south.until("event"), await watcher.until("event"), await north.until("event")]
        assert [event["entry"]["action"] for event in told] == ["S3"] * 3
        version = told[0]["version"]
        assert version == ack["version"]
    again = {"authorization": f"Bearer {made['tokens']['S']}"}
    async with Client(base, made, "N") as north, Stream(base, f"{path}?version={version}", again) as south:
        await north.play("N", north.match["legal"]["N"][0])
        while (frame := await south.until("event"))["entry"]["seat"] != "N":
            pass
        assert frame["version"] > version


async def test_an_input_sent_again_is_applied_once(base: str) -> None:
    made = await make(base, "mak-khum", ruleset="turns", first="S", seed=1)
    async with Client(base, made):
        body = {"token": made["tokens"]["S"], "n": 1, "seat": "S", "action": "S3", "version": 0}
        first, again = await post(base, made, "play", body), await post(base, made, "play", body)
        assert first == again
        assert first[0] == 200


@pytest.mark.parametrize(
    ("what", "change", "status", "code"),
    [
        ("play", {"token": "x" * 22}, 403, "not-your-seat"),
        ("play", {"seat": "N"}, 403, "not-your-seat"),
        ("play", {"seat": 2}, 422, "bad-action"),
        ("play", {"action": "S9"}, 422, "bad-action"),
        ("play", {"action": "N1"}, 422, "illegal-action"),
        ("play", {"version": 900}, 409, "stale-version"),
        ("play", {"action": "a b"}, 422, "bad-request"),
        ("play", {"n": -1}, 422, "bad-request"),
        ("play", {"more": 1}, 422, "bad-request"),
        ("command", {"name": "start"}, 422, "illegal-action"),
        ("command", {"name": "dance"}, 422, "bad-request"),
        ("command", {"name": "claim", "about": "N"}, 422, "illegal-action"),
    ],
)
async def test_what_cannot_be_is_refused_and_says_why(base: str, what: str, change: dict[str, Any], status: int, code: str) -> None:
    made = await make(base, "mak-khum", ruleset="turns", first="S", seed=1)
    body: dict[str, Any] = {"token": made["tokens"]["S"], "n": 1, "seat": "S"}
    body |= {"action": "S3", "version": 0} if what == "play" else {}
    found, told = await post(base, made, what, body | change)
    assert (found, told["code"]) == (status, code), told
    assert set(told) == {"code", "clause", "message", "allowed"}
    shown = json.loads((await aask(base, f"/api/matches/{made['id']}"))[2])
    assert shown["version"] == 0


async def test_a_stream_says_that_it_lives_and_ends_with_its_match(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "HEARTBEAT", 0.05)
    made = await make(base, "mak-khum", ruleset="turns", computers=("N",), seed=1)
    async with Stream(base, f"/api/matches/{made['id']}/stream") as watcher:
        assert (await watcher.until("pong"))["t"] == 0
        from server.test_meeting import delete

        assert (await delete(base, made["id"], made["tokens"]["S"]))[0] == 204
        while await watcher.line() is not None:
            pass


async def test_a_stream_that_is_left_leaves_its_table(tmp_path: Path) -> None:
    async with running(tmp_path, idle_seconds=0.05) as (base, app):
        made = await make(base)
        async with Stream(base, f"/api/matches/{made['id']}/stream") as watcher:
            await watcher.until("state")
            assert app.state.hub.streams == 1
        for _ in range(200):
            if not app.state.hub.tables and not app.state.hub.streams:
                break
            await asyncio.sleep(0.02)
        assert (app.state.hub.tables, app.state.hub.streams) == ({}, 0)


async def test_what_a_stream_cannot_be_asked(base: str) -> None:
    made = await make(base)
    for path, status, code in (
        (f"/api/matches/{'x' * 22}/stream", 404, "no-such-match"),
        (f"/api/matches/{made['id']}/stream?token=a+b", 422, "bad-request"),
        (f"/api/matches/{made['id']}/stream?version=-1", 422, "bad-request"),
        (f"/api/matches/{made['id']}/stream?" + "&".join(["token=a"] * 5), 422, "bad-request"),
    ):
        found, _, body = await aask(base, path)
        assert (found, json.loads(body)["code"]) == (status, code)


# ── the description ──────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_description_names_every_route_its_errors_and_what_it_is_for(base: str) -> None:
    told = json.loads((await aask(base, "/openapi.json"))[2])
    tags = {tag["name"] for tag in told["tags"]}
    for path, methods in told["paths"].items():
        for method, route in methods.items():
            assert route["summary"], path
            assert route["description"], path
            assert set(route["tags"]) <= tags, path
            assert route["tags"], path
            for status, answer in route["responses"].items():
                if status >= "400" and path != "/health":
                    schema = answer["content"]["application/json"]["schema"]
                    assert schema == {"$ref": "#/components/schemas/ErrorBody"}, (path, method, status)
    for path in (
        "/api/matches",
        "/api/matches/{match_id}/sit",
        "/api/matches/{match_id}/stream",
        "/api/lobby",
        "/api/matches/{match_id}/play",
    ):
        assert path in told["paths"]
    assert "HTTPValidationError" not in told["components"]["schemas"]
