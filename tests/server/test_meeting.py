"""People meet: open seats, the commitment, names, the lobby, QR codes, phrases, rematches, coming back, deleting."""

from __future__ import annotations

import asyncio
import http.client
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from muang.server.hub import Hub
from muang.store import StoreError
from muang.wire import commitment_of
from server.desk import Client, aask, make, running


@pytest.fixture
async def base(tmp_path: Path) -> AsyncIterator[str]:
    async with running(tmp_path) as (address, _):
        yield address


async def asked(base: str, path: str, body: Any = None, status: int = 200, **more: Any) -> Any:
    """The answer's JSON; it has to come with ``status``."""
    code, _, text = await aask(base, path, body, **more)
    assert code == status, text
    return json.loads(text) if text else None


async def open_match(base: str, game: str = "mak-khum", seats: tuple[Any, ...] = ("S", "N"), **more: Any) -> dict[str, Any]:
    """A match in which a person sits in the first seat, and the others are free."""
    wanted = [{"seat": seat, "kind": "open" if i else "person", "name": "" if i else "Lan"} for i, seat in enumerate(seats)]
    made: dict[str, Any] = await asked(base, "/api/matches", {"game": game, "seats": wanted, **more}, 201)
    return made


async def delete(base: str, match: str, token: str | None) -> tuple[int, Any]:
    def send() -> tuple[int, Any]:
        connection = http.client.HTTPConnection(base, timeout=10)
        headers = {"content-type": "application/json"}
        connection.request("DELETE", f"/api/matches/{match}", None if token is None else json.dumps({"token": token}), headers)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, json.loads(text) if text else None

    return await asyncio.to_thread(send)


# ── taking a seat ────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_whoever_opens_the_link_takes_the_free_seat_and_the_match_begins(base: str) -> None:
    made = await open_match(base, ruleset="turns", first="S")
    assert list(made["tokens"]) == ["S"]
    async with Client(base, made, "S") as host:
        assert host.table["stage"] == "meeting"
        assert host.table["commitment"] == made["commitment"]
        assert (await host.play("S", "S3"))["type"] == "error", "nothing can be played before everybody is there"
        seated = await asked(base, f"/api/matches/{made['id']}/sit", {"name": " Tư\u202e \n Ba ", "entropy": "abc"})
        assert seated["seat"] == "N"
        assert seated["url"] == made["url"]
        while host.state["seats"][1]["kind"] == "open":
            frame = await host.until("event")
            host.state["seats"] = frame["seats"] or host.state["seats"]
        assert host.state["seats"][1] == {"seat": "N", "kind": "person", "name": "Tư Ba", "player": None, "yours": False}
        assert host.table["stage"] == "meeting", "the guest has not been there yet"
        guest = Client(base, {**made, "tokens": {"N": seated["token"]}}, "N")
        async with guest:
            assert guest.table["stage"] == "playing"
            assert guest.table["entropy"]["N"] == "abc"
            assert [seat["yours"] for seat in guest.state["seats"]] == [False, True]
            assert (await host.play("S", "S3"))["type"] == "ack"
            assert guest.table["secret"] is None
            await guest.order("N", "resign")
            while host.table["stage"] != "over":
                await host.hear()
            assert commitment_of(host.table["secret"]) == made["commitment"]


async def test_a_seat_is_given_once(base: str) -> None:
    made = await open_match(base, "ca-ngua", (0, 1, 2, 3))
    path = f"/api/matches/{made['id']}/sit"
    first = await asked(base, path, {"seat": 2, "name": "A"})
    assert first["seat"] == 2
    assert (await asked(base, path, {"seat": 2}, 409))["code"] == "seat-taken"
    assert (await asked(base, path, {"seat": "S"}, 422))["allowed"] == ["0", "1", "2", "3"]
    taken = await asyncio.gather(*(aask(base, path, {}) for _ in range(6)))
    assert sorted(status for status, _, _ in taken) == [200, 200, 409, 409, 409, 409]
    assert len({json.loads(body).get("token") for _, _, body in taken}) == 3
    assert (await asked(base, f"/api/matches/{'x' * 22}/sit", {}, 404))["code"] == "no-such-match"
    assert (await asked(base, path, {"name": "n" * 300}, 422))["code"] == "bad-request"
    assert (await asked(base, path, {"entropy": "no word"}, 422))["code"] == "bad-request"


async def test_a_match_with_its_seats_taken_gives_none(base: str) -> None:
    made = await make(base, "mak-khum", computers=("N",))
    assert (await asked(base, f"/api/matches/{made['id']}/sit", {}, 409))["code"] == "seat-taken"


async def test_the_computer_can_take_a_free_seat(base: str) -> None:
    made = await open_match(base, "ca-ngua", (0, 2))
    async with Client(base, made, 0) as host:
        assert (await host.order(0, "fill", about=2, player="nobody"))["code"] == "bad-action"
        assert (await host.order(0, "fill", about=0, player="greedy"))["type"] == "error"
        assert (await host.order(0, "fill", about=2, player="greedy"))["type"] == "ack"
        while host.table["stage"] == "meeting":
            await host.hear()
        shown = await asked(base, f"/api/matches/{made['id']}")
        assert shown["seats"][1]["player"] == "greedy"


async def test_a_given_seed_needs_nobody_to_come_and_tells_no_commitment(base: str) -> None:
    made = await make(base, "mak-khum", seed=5)
    assert made["commitment"] is None
    made = await make(base, "mak-khum")
    assert len(made["commitment"]) == 64
    shown = await asked(base, f"/api/matches/{made['id']}")
    assert shown["table"]["commitment"] == made["commitment"]
    assert shown["table"]["secret"] is None


@pytest.mark.parametrize(
    ("game", "wanted", "option", "value"),
    [
        ("mak-khum", {}, "choice_seconds", 20),
        ("abalalae", {"options": {"choice_seconds": 9}}, "choice_seconds", 9),
        ("mak-khum", {"options": {"choice_seconds": None}}, "choice_seconds", None),
        ("ca-ngua", {}, "turn_seconds", 20),
        ("ca-ngua", {"clock": {"kind": "per-turn", "seconds": 30}}, "turn_seconds", None),
    ],
)
async def test_over_a_network_there_is_a_time_to_choose(base: str, game: str, wanted: Any, option: str, value: Any) -> None:
    made = await open_match(base, game, ("S", "N") if game != "ca-ngua" else (0, 2), **wanted)
    shown = await asked(base, f"/api/matches/{made['id']}")
    assert shown["match"]["options"][option] == value
    here = await make(base, game)
    assert (await asked(base, f"/api/matches/{here['id']}"))["match"]["options"][option] is None


async def test_a_clock_of_turns_is_told(base: str) -> None:
    made = await make(base, "mak-khum", ruleset="turns", first="S", seed=1, clock={"kind": "fischer", "seconds": 60, "increment": 5})
    async with Client(base, made, "S", "N") as both:
        clocks = both.table["clocks"]
        assert clocks["kind"] == "fischer"
        assert clocks["left"] == {"S": 60_000, "N": 60_000}
        assert clocks["running"] == "S"
    for clock in ({"kind": "fischer"}, {"kind": "fischer", "seconds": 0}, {"kind": "hourglass", "seconds": 5}):
        body = {"game": "mak-khum", "seats": [{"seat": "S"}, {"seat": "N"}], "clock": clock}
        assert (await asked(base, "/api/matches", body, 422))["code"] == "bad-request"


# ── being at the table ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_phrases_reach_everybody_and_nothing_else_can_be_said(base: str) -> None:
    made = await make(base, "mak-khum", ruleset="turns")
    async with Client(base, made, "S") as south, Client(base, made) as watcher:
        await south.send({"v": 1, "type": "say", "seat": "S", "phrase": "well-played"})
        heard = await watcher.until("phrase")
        assert (heard["seat"], heard["phrase"]) == ("S", "well-played")
        await watcher.send({"v": 1, "type": "say", "seat": "S", "phrase": "well-played"})
        assert (await watcher.until("error", "phrase"))["code"] == "not-your-seat"
        await south.send({"v": 1, "type": "say", "seat": "S", "phrase": "come to my house"})
        assert (await south.until("error"))["code"] == "bad-frame"


async def test_who_is_there_is_told_to_everybody(base: str) -> None:
    made = await make(base, "mak-khum", ruleset="turns", seed=1)
    async with Client(base, made, "S") as south:
        assert south.table["here"] == ["S"]
        async with Client(base, made, "N") as north, Client(base, made):
            while south.table["watchers"] == 0 or "N" not in south.table["here"]:
                await south.hear()
            while not {"S", "N"} <= set(south.table["pings"]):
                await asyncio.gather(south.until("table"), north.send({"v": 1, "type": "ping", "t": 1}))
                await north.until("pong")
        while south.table["here"] != ["S"] or south.table["watchers"]:
            await south.hear()


async def test_a_rematch_swaps_the_seats(base: str, tmp_path: Path) -> None:
    made = await open_match(base, "ca-ngua", (0, 2))
    seated = await asked(base, f"/api/matches/{made['id']}/sit", {"name": "Guest"})
    made["tokens"]["2"] = seated["token"]
    async with Client(base, made, 0) as host, Client(base, made, 2) as guest:
        assert (await host.order(0, "rematch"))["type"] == "error", "the match is not over"
        await host.order(0, "resign")
        assert (await host.order(0, "rematch"))["type"] == "ack"
        while not (guest.table["rematch"] and guest.table["rematch"]["by"]):
            await guest.hear()
        assert guest.table["rematch"] == {"by": [0], "match": None}
        await guest.order(2, "rematch")
        for client in (host, guest):
            while client.table["rematch"]["match"] is None:
                await client.hear()
        again = host.table["rematch"]["match"]
        assert again == guest.table["rematch"]["match"] != made["id"]
    tokens = {"2": made["tokens"]["0"], "0": made["tokens"]["2"]}
    async with Client(base, {"id": again, "tokens": tokens}, 2) as host, Client(base, {"id": again, "tokens": tokens}, 0) as guest:
        assert [seat["name"] for seat in guest.state["seats"]] == ["Guest", "Lan"]
        assert guest.table["stage"] == "playing"
        assert guest.table["commitment"] not in (None, made["commitment"])


async def test_a_rematch_that_cannot_be_made_is_said(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = await make(base, "mak-khum", ruleset="turns", seed=1)

    async def full(*_: Any) -> None:
        raise StoreError("the disk is full")

    async with Client(base, made, "S", "N") as both:
        await both.order("S", "resign")
        monkeypatch.setattr(Hub, "create", full)
        await both.send({"v": 1, "type": "command", "n": 50, "seat": "S", "name": "rematch"})
        await both.send({"v": 1, "type": "command", "n": 51, "seat": "N", "name": "rematch"})
        while (error := await both.until("error"))["n"] is not None:
            pass
        assert "full" in error["message"]


async def test_who_comes_back_is_told_what_it_has_missed(base: str) -> None:
    made = await make(base, "mak-khum", ruleset="turns", first="S", seed=1)
    async with Client(base, made, "S") as south:
        north = Client(base, made, "N", client="tab")
        async with north:
            assert north.frames[0]["type"] == "state"
        for _ in range(3):
            await south.play(south.match["turn"], south.match["legal"][south.match["turn"]][0]) if south.mine() else None
            north.frames.clear()
            async with north:
                kinds = [frame["type"] for frame in north.frames]
                assert north.match == south.match
                assert north.version == south.version
                if north.mine():
                    await north.play("N", north.match["legal"]["N"][0])
                    await south.until("event")
            assert "state" not in kinds or kinds == ["state"]
            assert kinds[0] == "event", "it was told what it had missed, not everything"
        stranger = Client(base, made, client="other")
        stranger.version, stranger.state = 0, {"client": "other"}
        async with stranger:
            assert stranger.frames[0]["type"] == "state", "whoever was never here gets everything"
        other = Client(base, made, "S", "N", client="tab")
        other.version, other.state = 1, {"client": "tab"}
        async with other:
            assert other.frames[0]["type"] == "state", "with other tokens other seats are one's own"


# ── the lobby ────────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_lobby_shows_what_its_players_want_to_be_seen(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("muang.server.lobby.FRESH_MS", -1)
    assert await asked(base, "/api/lobby") == {"open": [], "live": []}
    await open_match(base)
    made = await open_match(base, "abalalae", public=True)
    waiting = await asked(base, "/api/lobby")
    assert waiting["live"] == []
    (match,) = waiting["open"]
    assert (match["id"], match["url"], match["game"], match["pace"]) == (made["id"], made["url"], "abalalae", "lockstep")
    assert match["seats"] == [{"seat": "S", "kind": "person", "name": "Lan"}, {"seat": "N", "kind": "open", "name": ""}]
    seated = await asked(base, f"/api/matches/{made['id']}/sit", {"name": "Guest"})
    made["tokens"]["N"] = seated["token"]
    async with Client(base, made, "S", "N"), Client(base, made):
        lobby = await asked(base, "/api/lobby")
        assert lobby["open"] == []
        (match,) = lobby["live"]
        assert match["seats"][1] == {"seat": "N", "kind": "person", "name": "Guest"}
        assert match["watchers"] == 1
        assert made["tokens"]["S"] not in json.dumps(lobby)


# ── codes and links ──────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_qr_code_is_the_address_under_which_the_page_was_asked_for(tmp_path: Path) -> None:
    async with running(tmp_path / "a") as (base, _), running(tmp_path / "b", public_url="https://muang.example/") as (public, _):
        made = await make(base)
        path = f"/api/matches/{made['id']}/qr.svg"
        _, headers, body = await aask(base, path)
        assert headers["content-type"] == "image/svg+xml"
        assert f"http://{base}/play/{made['id']}" in body.decode()
        assert "script" not in body.decode()
        _, _, body = await aask(base, path, headers={"host": "192.168.7.9:8642"})
        assert f"http://192.168.7.9:8642/play/{made['id']}" in body.decode()
        _, _, body = await aask(base, path, headers={"x-forwarded-proto": "https"})
        assert f"https://{base}/play/" in body.decode(), "behind a proxy of ours"
        other = await make(public)
        _, _, body = await aask(public, f"/api/matches/{other['id']}/qr.svg")
        assert f"https://muang.example/play/{other['id']}" in body.decode()
        for server, known in ((base, False), (public, True)):  # the page's own links say the same
            for page in ("/", f"/play/{other['id']}"):
                _, _, text = await aask(server, page)
                assert ('<meta name="muang-address" content="https://muang.example" />' in text.decode()) is known
        assert (await asked(base, f"/api/matches/{'x' * 22}/qr.svg", status=404))["code"] == "no-such-match"


# ── deleting ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_match_is_deleted_by_who_has_a_seat_when_nobody_else_plays_it(base: str) -> None:
    made = await make(base, "mak-khum", ruleset="turns", seed=1)
    other = await make(base)
    assert (await delete(base, made["id"], None))[0] == 403
    assert (await delete(base, made["id"], other["tokens"]["S"]))[1]["code"] == "not-your-seat"
    status, body = await delete(base, made["id"], made["tokens"]["S"])
    assert (status, body["code"]) == (409, "still-played")
    async with Client(base, made, "S") as south, Client(base, made) as watcher:
        await south.order("S", "resign")
        assert (await delete(base, made["id"], made["tokens"]["S"])) == (204, None)
        for client in (south, watcher):
            with pytest.raises(ConnectionClosed) as closed:
                await client.until("never")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4410
    for path in ("", "/record", "/told", "/dice"):
        assert (await asked(base, f"/api/matches/{made['id']}{path}", status=404))["code"] == "no-such-match"
    assert (await delete(base, made["id"], made["tokens"]["S"]))[0] == 404
    async with connect(f"ws://{base}/ws/{made['id']}") as socket:
        await socket.send('{"v":1,"type":"hello","tokens":[]}')
        assert json.loads(await socket.recv())["code"] == "no-such-match"


async def test_an_own_match_against_the_computer_and_one_that_has_not_begun_can_be_deleted(base: str) -> None:
    for made in (await make(base, "mak-khum", computers=("N",), seed=1), await open_match(base)):
        token = made["tokens"]["S"]
        assert (await delete(base, made["id"], token))[0] == 204
