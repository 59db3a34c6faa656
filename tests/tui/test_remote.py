"""Matches on a server by their link: a seat is taken, played to the end, watched; a server that goes and comes back; bad links."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from muang.tui import seats
from muang.tui.remote import BadLink, Link, Remote, Unreachable, look
from muang.wire.told import EventFrame, ServerFrame, StateFrame
from server.desk import Client, aask, free_port, make
from server.desk import running as serving
from tui.desk import begun, running, screen_of, tap, text_of, until


@pytest.fixture
async def base(tmp_path: Path) -> AsyncIterator[str]:
    async with serving(tmp_path) as (address, _):
        yield address


async def made(base: str, game: str, seats: list[dict[str, Any]], **more: Any) -> Link:
    """A new match, as its link."""
    status, _, body = await aask(base, "/api/matches", {"game": game, "seats": seats, **more})
    assert status == 201, body
    return Link(f"http://{base}", json.loads(body)["id"])


class Ear:
    """Hears a driver."""

    def __init__(self) -> None:
        self.frames: list[ServerFrame] = []
        self.links: list[tuple[str, str]] = []

    def told(self, frame: ServerFrame) -> None:
        self.frames.append(frame)

    def linked(self, state: str, why: str) -> None:
        self.links.append((state, why))

    def last(self) -> dict[str, Any]:
        return next(frame.match for frame in reversed(self.frames) if isinstance(frame, (StateFrame, EventFrame)))


async def soon(true: Any, seconds: float = 20) -> None:
    async with asyncio.timeout(seconds):
        while not true():
            await asyncio.sleep(0.01)


async def test_a_free_seat_is_taken_and_the_match_played_to_its_end(base: str) -> None:
    seats = [{"seat": "S", "kind": "open"}, {"seat": "N", "kind": "computer", "player": "greedy"}]
    link = await made(base, "mak-khum", seats, ruleset="turns", first="S")
    async with running(link) as (app, pilot):
        await until(pilot, lambda: "Take a seat" in text_of(app))
        assert "Sit down: South" in text_of(app)
        await pilot.press("1")
        await until(pilot, lambda: "Your name" in text_of(app))
        await pilot.press("L", "a", "n", "enter")
        screen = await begun(app, pilot)
        session = screen.session
        await until(pilot, lambda: session.acting() == ["S"])
        assert "Lan" in text_of(app)
        async with asyncio.timeout(40):
            while not session.over:
                version = session.version
                if session.acting():
                    tap(app, session.legal("S")[-1][1:])
                    while session.version == version:
                        await asyncio.sleep(0.002)
                await asyncio.sleep(0.002)
        await pilot.pause()
        assert "has won" in text_of(app) or "Drawn" in text_of(app)
        assert session.view["result"]["seeds"]["S"] + session.view["result"]["seeds"]["N"] == 98


async def test_a_race_by_hand_against_another_screen(base: str) -> None:
    """Each at a screen of its own; probes are answered, so inputs count from when they were made."""
    link = await made(
        base, "abalalae", [{"seat": "S", "kind": "open"}, {"seat": "N", "kind": "open"}], pace="by_hand", min_gap=1, ruleset="single"
    )
    async with running(link, name="Lan") as (app, pilot):
        await until(pilot, lambda: "Take a seat" in text_of(app))
        await pilot.press("1")
        screen = await begun(app, pilot)
        assert "The match begins when everybody is here." in text_of(app)
        status, _, body = await aask(base, f"/api/matches/{link.id}/sit", {"name": "Minh"})
        assert status == 200
        other = Client(base, {"id": link.id, "tokens": {"N": json.loads(body)["token"]}}, "N")
        async with other:
            await until(pilot, lambda: screen.session.waits_to_race)
            await pilot.press("space")
            await other.order("N", "start")
            await until(pilot, lambda: screen.session.running)
            await soon(lambda: screen.driver is not None and screen.session.table.pings.get("S") is not None)
            await pilot.press("space")
            await until(
                pilot, lambda: any(event[0] == "S" and event[1] == "drop" for scene in screen.theatre.scenes for event in scene.events)
            )
            assert not screen.may_analyse()  # it would harm Minh
            await pilot.press("h")
            await until(pilot, lambda: "There are no hints" in text_of(app))


async def test_a_server_that_goes_is_waited_for_and_comes_back(tmp_path: Path) -> None:
    async with serving(tmp_path) as (base, _):
        link = await made(base, "mak-khum", [{"seat": "S", "kind": "open"}, {"seat": "N", "kind": "computer"}], ruleset="turns", first="S")
        port = int(base.rsplit(":", 1)[1])
        async with running(link, name="") as (app, pilot):
            await until(pilot, lambda: "Take a seat" in text_of(app))
            await pilot.press("1")
            screen = await begun(app, pilot)
            await until(pilot, lambda: screen.session.acting() == ["S"])
            gone = asyncio.Event()
            real = screen.linked

            def hear(state: str, why: str) -> None:
                real(state, why)
                if state == "lost":
                    gone.set()

            screen.linked = hear  # type: ignore[method-assign]
            driver = screen.driver
            assert isinstance(driver, Remote)
            there, driver.link = driver.link, Link(f"http://127.0.0.1:{free_port()}", link.id)  # where nobody listens
            for task in asyncio.all_tasks():
                if task.get_name() == "line":
                    transport = driver.socket_now
                    assert transport is not None
                    transport.transport.abort()
            await asyncio.wait_for(gone.wait(), 10)
            await until(pilot, lambda: "The server does not answer." in text_of(app))
            assert "Not connected" in text_of(app)
            await pilot.press("3")  # what is pressed meanwhile waits
            driver.link = there
            await until(pilot, lambda: screen.session.view["turn"] == "N" or len(screen.theatre.scenes) > 0)
            assert "The server does not answer." not in text_of(app)
            plays = [scene for scene in screen.theatre.scenes if scene.seat == "S"]
            assert len(plays) == 1  # it was sent again, and done once
            assert port


async def test_who_closes_the_terminal_finds_the_seat_again(base: str) -> None:
    link = await made(base, "mak-khum", [{"seat": "S", "kind": "open"}, {"seat": "N", "kind": "open"}], ruleset="turns")
    async with running(link, name="Lan") as (app, pilot):
        await until(pilot, lambda: "Take a seat" in text_of(app))
        await pilot.press("2")
        assert (await begun(app, pilot)).session.mine() == ["N"]
    assert seats.where().stat().st_mode & 0o077 == 0  # whoever has the token has the seat
    async with running(link) as (app, pilot):
        assert (await begun(app, pilot)).session.mine() == ["N"]
    seats.where().write_text("nonsense")
    assert seats.remembered(link) == ()
    seats.remember(link, "x")
    seats.forget(link)
    assert seats.remembered(link) == ()


async def test_a_gap_asks_for_everything(base: str) -> None:
    match = await make(base, "mak-khum", ruleset="turns", first="S")
    ear, link = Ear(), Link(f"http://{base}", match["id"])
    watching = Remote(link)
    await watching.start(ear)
    await soon(lambda: ear.links == [("open", "")])
    async with Client(base, match, "S", "N") as player:
        await soon(lambda: ear.last()["turn"] == "S")
        watching.version = (watching.version or 0) - 1  # as if one had been missed, twice over
        watching.version -= 1
        states = sum(isinstance(frame, StateFrame) for frame in ear.frames)
        await player.play("S", "S3")
        await soon(lambda: sum(isinstance(frame, StateFrame) for frame in ear.frames) > states)
        assert ear.last()["board"] == player.match["board"]
    record = await watching.record()
    assert [entry.action for entry in record.entries] == ["S3"]
    assert (await watching.match()).view()["board"] == ear.last()["board"]
    await watching.close()


async def test_who_comes_late_is_told_what_has_happened(base: str) -> None:
    match = await make(base, "mak-khum", ruleset="turns", first="S")
    async with Client(base, match, "S", "N") as player:
        await player.play("S", "S3")
        async with running(Link(f"http://{base}", match["id"])) as (app, pilot):
            screen = await begun(app, pilot)
            await until(pilot, lambda: "South lifts 7 seeds from S3" in text_of(app))
            await player.play("N", "N1")
            await until(pilot, lambda: "North lifts" in text_of(app))
            await screen.remember(0)
            assert [text.split(" lifts")[0] for _, text, _ in screen.lines] == ["South", "North"]  # each once


async def test_whoever_watches_takes_no_seat(base: str) -> None:
    link = await made(base, "ca-ngua", [{"seat": 0, "kind": "open"}, {"seat": 2, "kind": "computer"}])
    async with running(link, watch=True) as (app, pilot):
        screen = await begun(app, pilot)
        assert screen.session.mine() == []
        await pilot.press("enter", "right", "1")
        await pilot.press("m")
        await pilot.pause()
        assert [name for name, _ in app.screen.choices] == ["save", "rules", "new", "leave"]  # type: ignore[attr-defined]
    assert await look(link) == [0]


async def test_people_play_again_with_the_seats_changed(base: str) -> None:
    link = await made(
        base, "mak-khum", [{"seat": "S", "kind": "open"}, {"seat": "N", "kind": "computer", "player": "random"}], ruleset="turns"
    )
    async with running(link, name="Lan") as (app, pilot):
        await until(pilot, lambda: "Take a seat" in text_of(app))
        await pilot.press("1")
        screen = await begun(app, pilot)
        await until(pilot, lambda: not screen.session.meeting)
        assert screen.driver is not None
        screen.driver.command("S", "resign")
        await until(pilot, lambda: screen.session.over)
        screen.driver.command("S", "rematch")
        await until(pilot, lambda: screen_of(app) is not screen and bool(screen_of(app).session.view))
        assert screen_of(app).session.mine() == ["N"]


@pytest.mark.parametrize(
    "text",
    ["", "match.txt", "http://", "http://a b/play/x", "ftp://127.0.0.1/play/x", "http://127.0.0.1/play/", "http://127.0.0.1/x", "http://[::1/play/x",
     "http://127.0.0.1:99999/play/x", "http://u:p@127.0.0.1/play/x", "http://127.0.0.1/play/ก", "http://127.0.0.1/play/" + "x" * 65],
)  # fmt: skip
def test_what_is_no_link_is_said_to_be_none(text: str) -> None:
    with pytest.raises(BadLink, match="a link looks like"):
        Link.read(text)


def test_links_are_read() -> None:
    assert Link.read(" https://muang.example/play/a-B_1/?x#y ") == Link("https://muang.example", "a-B_1")
    assert Link.read("http://[::1]:8642/play/x").socket == "ws://[::1]:8642/ws/x"
    assert Link.read("https://example.org/games/play/x").api("/sit") == "https://example.org/games/api/matches/x/sit"


async def test_what_does_not_answer_is_named(base: str) -> None:
    with pytest.raises(Unreachable, match="cannot be reached"):
        await look(Link(f"http://127.0.0.1:{free_port()}", "x"))
    async with running(Link(f"http://{base}", "nosuchmatch")) as (app, pilot):
        await until(pilot, lambda: not app.is_running)
    assert "no such match" in str(app.return_value) or "there is no match" in str(app.return_value)


async def test_a_bad_link_on_the_start_screen_is_answered_there(base: str) -> None:
    async with running() as (app, pilot):
        await pilot.pause()
        line = app.screen.query_one("#link")
        line.focus()
        for typed, told in (("nonsense", "is no link"), (f"http://{base}/play/nosuch", "match")):
            line.value = typed  # type: ignore[attr-defined]
            await pilot.press("enter")
            await until(pilot, lambda told=told: told in str(app.screen.query_one("#problem").render()))  # type: ignore[misc]
            assert app.is_running
