"""The live protocol over real sockets: whole matches, spectators, resending, garbage, slow screens, trouble with the disk."""

from __future__ import annotations

import asyncio
import gc
import json
import random
import sqlite3
import time
import weakref
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from muang.server.owner import Alone
from muang.store import Store, sqlite_url
from server.desk import Client, aask, make, running


@pytest.fixture
async def base(tmp_path: Path) -> AsyncIterator[str]:
    async with running(tmp_path) as (address, _):
        yield address


async def to_the_end(client: Client, most: int = 200) -> dict[str, Any]:
    """Play the client's seats, at random, until the match is over; after ``most`` actions South resigns."""
    lots = random.Random(7)
    async with asyncio.timeout(60):
        while client.match["result"] is None:
            if client.n > most:
                assert (await client.order("S", "resign"))["type"] == "ack"
                continue
            if client.state["awaiting"]:
                await client.order(client.seats[0], "start")
            seats = client.mine()
            if not seats:
                await client.hear()
                continue
            seat = seats[0]
            answer = await client.play(seat, lots.choice(client.match["legal"][str(seat)]), at=time.monotonic() * 1000)
            assert answer["type"] == "ack", answer
    return client.match["result"]


@pytest.mark.parametrize(
    ("game", "computers", "more"),
    [
        ("ca-ngua", (2,), {}),
        ("mak-khum", (), {"ruleset": "single"}),
        ("mak-khum", (), {"ruleset": "turns", "pace": "by_hand"}),
        ("mak-khum", (), {"ruleset": "single", "pace": "steady", "tempo": 1}),
        ("abalalae", (), {"ruleset": "single", "pace": "steady", "tempo": 2, "options": {"quiet_turns": 10}}),
        ("abalalae", (), {"ruleset": "single", "pace": "by_hand", "min_gap": 1, "options": {"quiet_turns": 5}}),
    ],
)
async def test_a_whole_match(
    base: str, monkeypatch: pytest.MonkeyPatch, game: str, computers: tuple[Any, ...], more: dict[str, Any]
) -> None:
    monkeypatch.setattr("muang.search.players.THINK_MS", (1, 3))
    made = await make(base, game, computers, seed=3, **more)
    people = [seat for seat in (("S", "N") if game != "ca-ngua" else (0, 2)) if seat not in computers]
    async with Client(base, made, *people) as client, Client(base, made) as watcher:
        result = await to_the_end(client)
        assert result["reason"] in ("horses", "seeds", "resigned")
        assert (result["reason"] == "resigned") == (client.n > 200)
        while watcher.match["result"] is None:
            await watcher.hear()
        assert watcher.match == client.match, "a spectator has seen the same"
        assert [seat["yours"] for seat in watcher.state["seats"]] == [False, False]
    shown = json.loads((await aask(base, f"/api/matches/{made['id']}"))[2])
    assert shown["match"] == client.match


async def test_two_screens_and_a_computer_that_answers(base: str) -> None:
    made = await make(base, "mak-khum", ruleset="turns", first="S", seed=1)
    async with Client(base, made, "S") as south, Client(base, made, "N") as north:
        assert (await south.play("S", "S3"))["type"] == "ack"
        event = await north.until("event")
        assert event["entry"]["action"] == "S3"
        assert north.match == south.match
        assert (await north.play("S", "S1"))["code"] == "not-your-seat"
        await north.send({"v": 1, "type": "ping", "t": 12.25})
        pong = await north.until("pong")
        assert pong["t"] == 12.25
        assert abs(pong["now"] - time.time() * 1000) < 60_000
        await north.send({"v": 1, "type": "resync"})
        assert (await north.until("state"))["match"] == south.match


async def test_an_input_sent_again_after_a_lost_connection_is_applied_once(base: str) -> None:
    made = await make(base, "mak-khum", ruleset="turns", first="S", seed=1)
    async with Client(base, made, "S", "N", client="tab1") as client:
        await client.send({"v": 1, "type": "play", "n": 1, "seat": "S", "version": 0, "action": "S3"})
    async with Client(base, made, "S", "N", client="tab1") as client:
        assert (await client.play("S", "S3", n=1))["type"] == "ack"
        record = (await aask(base, f"/api/matches/{made['id']}/record"))[2].decode()
        assert record.split("\n\n")[1].count("S3") == 1


async def test_garbage_is_answered_and_changes_nothing_and_too_much_of_it_ends_the_connection(base: str) -> None:
    made = await make(base, "mak-khum", ruleset="turns", first="S", seed=1)
    async with Client(base, made, "S", "N") as client:
        before = client.match
        for text in ("", "{", "[]", '{"v":1,"type":"hello","tokens":[]}', '{"v":1,"type":"play"}', "x" * 5000, '{"v":9,"type":"ping"}'):
            await client.send(text)
            assert (await client.until("error"))["code"] == "bad-frame"
        await client.socket.send(b"\x00\x01")
        assert (await client.until("error"))["code"] == "bad-frame"
        await client.send({"v": 1, "type": "resync"})
        assert (await client.until("state"))["match"] == before
        assert (await client.play("S", "S3"))["type"] == "ack"
        for _ in range(12):
            await client.send("{")
        with pytest.raises(ConnectionClosed) as closed:
            await client.until("never")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4400


async def test_inputs_are_answered_in_the_order_in_which_they_came_by_whatever_way(tmp_path: Path) -> None:
    """Whole frames, frames in pieces, pings and bytes between them; more at once than the inbox of a table holds."""
    async with running(tmp_path, inbox=4) as (base, _):
        made = await make(base, "mak-khum", ruleset="turns", first="S", seed=1)
        async with Client(base, made, "S", "N") as client:
            lots, kinds = random.Random(5), ("whole", "whole", "whole", "pieces", "ping", "bytes")
            for n in range(1, 301):
                text = json.dumps({"v": 1, "type": "play", "n": n, "seat": "S", "version": client.version, "action": "S9"})
                match lots.choice(kinds):
                    case "pieces":
                        await client.socket.send([text[:20], text[20:50], text[50:]])
                        continue
                    case "ping":
                        await client.send({"v": 1, "type": "ping", "t": n})
                    case "bytes" if n < 100:
                        await client.socket.send(b"no text")
                await client.socket.send(text, text=True)
                if lots.random() < 0.05:
                    await asyncio.sleep(0.003)
            answered: list[int] = []
            while len(answered) < 300:
                frame = await client.until("error")
                if frame["n"] is not None:
                    assert frame["code"] == "bad-action"
                    answered.append(frame["n"])
            assert answered == list(range(1, 301))


@pytest.mark.parametrize(
    ("frame", "code"),
    [('{"v":1,"type":"ping"}', 4400), ("{", 4400), ('{"v":1,"type":"hello","tokens":[],"more":1}', 4400)],
)
async def test_the_first_frame_is_a_hello(base: str, frame: str, code: int) -> None:
    made = await make(base)
    async with connect(f"ws://{base}/ws/{made['id']}") as socket:
        await socket.send(frame)
        assert json.loads(await socket.recv())["code"] == "bad-frame"
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == code


async def test_a_match_that_is_not_there_is_said_and_closed(base: str) -> None:
    async with connect(f"ws://{base}/ws/none") as socket:
        await socket.send('{"v":1,"type":"hello","tokens":[]}')
        assert json.loads(await socket.recv())["code"] == "no-such-match"
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4404


async def test_pages_of_other_sites_get_no_connection(base: str) -> None:
    made = await make(base)
    for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}):
        with pytest.raises(InvalidStatus) as refused:
            await connect(f"ws://{base}/ws/{made['id']}", additional_headers=headers)
        assert refused.value.response.status_code == 403
    async with connect(f"ws://{base}/ws/{made['id']}", origin=f"http://{base}") as socket:  # type: ignore[arg-type]
        await socket.send('{"v":1,"type":"hello","tokens":[]}')
        assert json.loads(await socket.recv())["type"] == "state"


async def test_hidden_choices_reach_no_other_screen(base: str) -> None:
    made = await make(base, "mak-khum", seed=1)
    async with Client(base, made, "S") as south, Client(base, made, "N") as north:
        await south.play("S", "S6")
        hidden = await north.until("event")
        assert hidden["entry"]["action"] is None
        assert hidden["match"]["chosen"] == ["S"]
        paths = (f"/api/matches/{made['id']}", f"/api/matches/{made['id']}/record", f"/api/matches/{made['id']}/record.json")
        texts = [(await aask(base, path))[2].decode() for path in paths]
        assert '"S6"' not in texts[0].replace(json.dumps(south.match["legal"]), "").split('"layout"')[0].split('"legal"')[0]
        assert "S6" not in texts[1]
        assert '"S6"' not in texts[2]
        await north.play("N", "N1")
        lifts = [event for event in north.frames[-2]["events"] if event[1] == "lift"]
        assert ["S", "lift", "S6", 7] in lifts
        assert "S6" in (await aask(base, paths[1]))[2].decode()


async def test_a_slow_screen_loses_what_waits_and_gets_the_whole_state(tmp_path: Path) -> None:
    async with running(tmp_path, outbox=4) as (base, app):
        made = await make(base, "mak-khum", ruleset="single", pace="by_hand", min_gap=1, first="S", seed=1)
        async with Client(base, made, "S", "N") as client, Client(base, made) as slow:
            table = app.state.hub.tables[made["id"]]
            outbox = table.screens[max(table.screens)].outbox
            real = outbox.get
            gate = asyncio.Event()

            async def held() -> str | None:
                await gate.wait()
                return await real()

            outbox.get, outbox._line = held, None
            await client.order("S", "start")
            while not client.state["race_clock"]["running"]:
                await client.hear()
            await client.play("S", "S3")
            for _ in range(7):
                await asyncio.sleep(0.002)
                await client.play("S", "drop")
            assert outbox.behind
            gate.set()
            await slow.send({"v": 1, "type": "ping", "t": 1})
            while slow.match != client.match:
                frame = json.loads(await asyncio.wait_for(slow.socket.recv(), 5))
                if frame["type"] in ("state", "event"):
                    slow.match = frame["match"]


async def test_a_screen_that_stops_reading_slows_nobody_and_takes_no_memory(tmp_path: Path) -> None:
    async with running(tmp_path, outbox=8, rate_frames="off") as (base, app):
        # so many rounds that the match goes on for as long as the flood takes
        made = await make(base, "mak-khum", ruleset="turns", first="S", seed=1, options={"rounds": "until_broke"})
        async with Client(base, made, "S", "N") as client, connect(f"ws://{base}/ws/{made['id']}", max_queue=1) as stalled:
            await stalled.send('{"v":1,"type":"hello","tokens":[]}')
            await stalled.recv()
            table = app.state.hub.tables[made["id"]]
            outbox = table.screens[max(table.screens)].outbox

            async def flood() -> None:
                while not outbox.behind:
                    await stalled.send('{"v":1,"type":"resync"}')
                    await asyncio.sleep(0)

            flooding = asyncio.create_task(flood())
            async with asyncio.timeout(60):
                while not flooding.done():
                    assert (await client.play(client.mine()[0], client.match["legal"][client.mine()[0]][0]))["type"] == "ack"
                    await asyncio.sleep(0.01)  # the flood has its turn
            for _ in range(3):
                assert (await client.play(client.mine()[0], client.match["legal"][client.mine()[0]][0]))["type"] == "ack"
            assert len(outbox._texts) <= 8
            while True:  # it reads again, and is in step in the end
                frame = json.loads(await asyncio.wait_for(stalled.recv(), 10))
                if frame["type"] in ("state", "event") and frame["version"] == client.version:
                    assert frame["match"] == client.match
                    break


async def test_a_match_that_nobody_watches_leaves_the_memory_and_comes_back(tmp_path: Path) -> None:
    async with running(tmp_path, idle_seconds=0.1) as (base, app):
        made = await make(base, "mak-khum", ruleset="turns", first="S", seed=1)
        async with Client(base, made, "S", "N") as client:
            await client.play("S", "S3")
            await asyncio.sleep(0.3)
            assert made["id"] in app.state.hub.tables
        for _ in range(100):
            if not app.state.hub.tables:
                break
            await asyncio.sleep(0.02)
        assert app.state.hub.tables == {}
        async with Client(base, made, "S", "N") as again:
            assert again.match == client.match
            assert again.version is not None
            assert client.version is not None
            assert again.version > client.version
            assert (await again.play(again.match["turn"], again.match["legal"][again.match["turn"]][0]))["type"] == "ack"


async def test_a_table_that_everybody_has_left_is_let_go_without_a_search(tmp_path: Path) -> None:
    """By count alone: whole searches for garbage are put off while other matches are played."""
    async with running(tmp_path, idle_seconds=1) as (base, app):
        made = await make(base, "mak-khum", ruleset="turns", first="S", seed=1)
        gc.collect()
        gc.disable()
        try:
            async with Client(base, made, "S", "N") as client:
                await client.play("S", "S3")
                (table,) = app.state.hub.tables.values()
                seen = weakref.ref(table), weakref.ref(table.room)
                del table
            async with asyncio.timeout(20):
                while app.state.hub.tables:
                    await asyncio.sleep(0.05)
            await asyncio.sleep(0.2)
            assert [one() for one in seen] == [None, None]
        finally:
            gc.enable()


async def test_what_cannot_be_written_has_not_happened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("muang.store.store.BUSY_SECONDS", 0.1)
    store = await Store.open(sqlite_url(tmp_path / "muang.db"))
    async with running(tmp_path, store) as (base, _):
        made = await make(base, "mak-khum", ruleset="turns", first="S", seed=1)
        async with Client(base, made, "S", "N", client="tab") as client:
            before = client.match
            other = sqlite3.connect(tmp_path / "muang.db", isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            await client.send({"v": 1, "type": "play", "n": 1, "seat": "S", "version": 0, "action": "S3"})
            error = await client.until("error", "ack", "event")
            assert (error["code"], error["n"]) == ("store-busy", 1)
            assert "nothing that was acknowledged is lost" in error["message"]
            assert (await client.until("state"))["match"] == before
            other.execute("ROLLBACK")
            other.close()
            assert (await client.play("S", "S3", n=1))["type"] == "ack"
    await store.close()


async def test_another_server_on_the_same_file_is_noticed(tmp_path: Path) -> None:
    """Where the lock of the file does not work, as on some network drives, the log itself notices."""
    async with running(tmp_path) as (one, _), running(tmp_path, owner=Alone()) as (two, _):
        made = await make(one, "mak-khum", ruleset="turns", first="S", seed=1)
        async with Client(one, made, "S", "N") as here, Client(two, made, "S", "N") as there:
            await here.play("S", "S3")
            answer = await there.play("S", "S1")
            assert answer["code"] == "log-conflict"
            assert (await there.until("state"))["match"] == here.match, "it goes on from what the other one wrote"


async def test_a_broken_log_is_said_and_breaks_nothing_else(tmp_path: Path) -> None:
    async with running(tmp_path, idle_seconds=0.05) as (base, app):
        broken, whole = [await make(base, "mak-khum", ruleset="turns", first="S", seed=1) for _ in range(2)]
        async with Client(base, broken, "S", "N") as client:
            await client.play("S", "S3")
        while broken["id"] in app.state.hub.tables:
            await asyncio.sleep(0.02)
        db = sqlite3.connect(tmp_path / "muang.db")
        db.execute("UPDATE entries SET action = 'S9'")
        db.execute(
            "UPDATE matches SET rules_version = 0, setup = replace(setup, '\"rules_version\":1', '\"rules_version\":0') WHERE id = ?",
            (whole["id"],),
        )
        db.commit()
        db.close()
        for match, code, word in ((broken, "bad-record", "action 1"), (whole, "rules-version", "version 0 of the rules")):
            async with connect(f"ws://{base}/ws/{match['id']}") as socket:
                await socket.send('{"v":1,"type":"hello","tokens":[]}')
                told = json.loads(await socket.recv())
                assert told["code"] == code
                assert word in told["message"]
            status, _, body = await aask(base, f"/api/matches/{match['id']}")
            assert (status, json.loads(body)["code"]) == (400, code)
        async with Client(base, await make(base), "S") as fine:
            assert fine.match["phase"] == "race"
