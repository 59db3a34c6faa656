"""The server as a program: ``kill -9`` in the middle of matches, a clean end, its address, its port, a database that cannot be opened."""

from __future__ import annotations

import asyncio
import json
import random
import re
import signal
import socket
import time
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from muang.server.serve import DEFAULT_PORT, listen
from muang.server.upkeep import migrate_database
from muang.store import Store, sqlite_url
from server.desk import Client, Program, aask, free_port, make


async def play_until_killed(client: Client, lots: random.Random) -> None:
    """Play as fast as answers come, until the connection breaks."""
    try:
        while True:
            if client.state["awaiting"]:
                await client.order(client.seats[0], "start")
            seats = client.mine()
            if seats:
                await client.play(seats[0], lots.choice(client.match["legal"][str(seats[0])]), at=time.monotonic() * 1000)
            else:
                await client.hear()
    except ConnectionClosed:
        pass


MATCHES: list[tuple[str, dict[str, Any]]] = [
    ("mak-khum", {"ruleset": "turns", "options": {"rounds": "until_broke"}}),
    ("mak-khum", {}),
    ("mak-khum", {"pace": "by_hand", "min_gap": 1}),
    ("mak-khum", {"pace": "steady", "tempo": 20}),
    ("abalalae", {"pace": "by_hand", "min_gap": 1}),
    ("ca-ngua", {}),
]


async def test_killed_in_mid_match_and_started_again_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    port = free_port()
    base, lots = f"127.0.0.1:{port}", random.Random(5)
    program = Program(tmp_path, port)
    try:
        made = [await make(base, game, **more) for game, more in MATCHES]
        clients = [
            Client(base, match, *([0, 2] if game == "ca-ngua" else ["S", "N"]), client="tab")
            for match, (game, _) in zip(made, MATCHES, strict=True)
        ]
        for goes in (1, 2):
            for client in clients:
                await client.__aenter__()
            tasks = [asyncio.create_task(play_until_killed(client, lots)) for client in clients]
            async with asyncio.timeout(60):
                while sum(len(client.acked) for client in clients) < 100 * goes or not all(client.acked for client in clients):
                    await asyncio.sleep(lots.random() / 20)
            program.process.kill()
            await asyncio.wait_for(asyncio.gather(*tasks), 10)
            program.end()
            store, kept = await Store.open(sqlite_url(tmp_path / "muang.db")), {}
            for client in clients:
                await client.__aexit__()
                _, entries = await store.load(client.id)
                kept[client.id] = {entry.n for entry in entries if entry.client == "tab"}
            await store.close()
            for client in clients:
                assert set(client.acked) <= kept[client.id], "every acknowledged input is in the log"
            program = Program(tmp_path, port)
            for client in clients:
                async with client:
                    last = client.last  # sent again under its number: it was never answered, or the answer may have been lost
                    await client.send(last)
                    answer = await client.until("ack", "error")
                    assert answer["n"] == last["n"]
                    assert answer["type"] == "ack" or last["n"] not in kept[client.id]
    finally:
        program.end(kill=True)


async def test_the_same_position_stands_there_after_a_kill(tmp_path: Path) -> None:
    port = free_port()
    base = f"127.0.0.1:{port}"
    program = Program(tmp_path, port)
    try:
        turns = await make(base, "mak-khum", ruleset="turns", seed=4)
        race = await make(base, "mak-khum", pace="steady", seed=4, first="S")
        async with Client(base, turns, "S", "N") as one, Client(base, race, "S", "N") as two:
            for _ in range(5):
                turn = one.match["turn"]
                await one.play(turn, one.match["legal"][turn][0])
            await two.order("S", "start")
            while not two.state["race_clock"]["running"]:
                await two.hear()
            await two.play("S", "S3", at=1000)
            await two.play("N", "N3", at=1001)
            picked = two.match["ms"]
            program.process.kill()
            program.end()
        program = Program(tmp_path, port)
        async with Client(base, turns, "S", "N") as after:
            assert after.match == one.match
        async with Client(base, race, "S", "N") as after:
            assert after.match["phase"] == "race"
            assert after.state["race_clock"]["running"] is False
            assert after.match["ms"] == after.state["race_clock"]["ms"] == picked
            assert after.match["hands"] == {"S": {"at": "S3", "seeds": 7}, "N": {"at": "N3", "seeds": 7}}
            assert (await after.until("countdown"))["ms"] == 50
            while after.match["hands"]["S"] == {"at": "S3", "seeds": 7}:
                await after.hear()
            assert after.match["hands"]["S"]["at"] == "S4"
    finally:
        program.end(kill=True)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
async def test_it_says_where_it_is_and_ends_cleanly(tmp_path: Path, how: signal.Signals) -> None:
    port = free_port()
    program = Program(tmp_path / "new" / "folder", port)
    assert program.first.startswith(f"Muang is at http://127.0.0.1:{port}/")
    base = f"127.0.0.1:{port}"
    race = await make(base, "mak-khum", pace="steady", first="S", seed=4)
    async with Client(base, race, "S", "N") as client:
        await client.order("S", "start")
        while not client.state["race_clock"]["running"]:
            await client.hear()
        await client.play("S", "S3")
        await asyncio.sleep(0.3)
        program.process.send_signal(how)
        with pytest.raises(ConnectionClosed):
            await client.until("never")
    code, err = await asyncio.to_thread(program.end)
    assert (code, err) == (0, "")
    store = await Store.open(sqlite_url(tmp_path / "new" / "folder" / "muang.db"))
    _, entries = await store.load(race["id"])
    await store.close()
    assert entries[-1].kind == "time", "how far the race had come is kept"
    assert (entries[-1].at or 0) >= 250


async def test_a_database_that_cannot_be_opened_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "muang.db").write_text("no database " * 1000)
    program = Program(tmp_path, free_port())
    code, err = program.end()
    assert program.first == ""
    assert code == 1
    assert re.fullmatch(r"muang cannot open its database: .*muang\.db is damaged .*\n", err)


def test_a_default_port_that_is_taken_is_replaced_and_a_chosen_one_is_not() -> None:
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            taken.bind(("127.0.0.1", DEFAULT_PORT))
            taken.listen()
        except OSError:
            pass  # something else has it: as good
        other = listen("127.0.0.1", None)
        assert other.getsockname()[1] != DEFAULT_PORT
        other.close()
        with pytest.raises(OSError, match="in use"):
            listen("127.0.0.1", DEFAULT_PORT)


def test_migrating_by_hand_makes_the_database(tmp_path: Path) -> None:
    assert migrate_database(tmp_path) == str(tmp_path / "muang.db")
    assert (tmp_path / "muang.db").exists()


async def test_it_answers_while_kernels_are_compiled(tmp_path: Path) -> None:
    program = Program(tmp_path, port := free_port())
    try:
        status, _, body = await aask(f"127.0.0.1:{port}", "/health")
        assert (status, json.loads(body)["status"]) == (200, "ok")
    finally:
        program.end()


async def test_the_wish_to_play_again_outlives_the_server(tmp_path: Path) -> None:
    """One wants another match, the server is killed, the other wants it too: it is made, and both find it, also after another kill."""
    port = free_port()
    base, program = f"127.0.0.1:{port}", Program(tmp_path, port)
    try:
        made = await make(base, ruleset="turns")
        async with Client(base, made, "S") as south, Client(base, made, "N"):
            await south.order("S", "resign")
            assert (await south.order("S", "rematch"))["type"] == "ack"
            program.end(kill=True)
        program = Program(tmp_path, port)
        async with Client(base, made, "S") as south, Client(base, made, "N") as north:
            assert south.table["rematch"] == north.table["rematch"] == {"by": ["S"], "match": None}
            await north.order("N", "rematch")
            while south.table["rematch"]["match"] is None:
                await south.hear()
            again = south.table["rematch"]["match"]
            program.end(kill=True)
        program = Program(tmp_path, port)
        async with Client(base, made, "S") as south:
            assert south.table["rematch"] == {"by": ["N", "S"], "match": again}
        assert (await aask(base, f"/api/matches/{again}"))[0] == 200
    finally:
        program.end(kill=True)
