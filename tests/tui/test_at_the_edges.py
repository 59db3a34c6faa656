"""Where a match meets what is around it: the moment after a race, windows, long sentences, a server that is busy, files that cannot be."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual.pilot import Pilot

from muang.errors import MuangError
from muang.games.core import game
from muang.tui import keys, panels, remote, seats, words
from muang.tui import match as hands
from muang.tui.app import MuangApp
from muang.tui.dialogs import Choose, Reading
from muang.tui.match import MatchScreen
from muang.tui.plan import Plan
from muang.tui.remote import Link
from muang.tui.session import clock
from server.desk import running as serving
from tui.desk import begun, running, tap, text_of, until
from tui.test_remote import made
from tui.test_replay import kept, played

TWO = {"S": "person", "N": "person"}


def by_turns(**more: object) -> Plan:
    """Two people at one keyboard, without a race."""
    return Plan(game("mak-khum", "turns"), sitters=dict(TWO), first="S", seed=5, **more)  # type: ignore[arg-type]


async def test_hands_that_still_race_choose_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a race the keys of both sides are deaf until they have been still: no hole is lifted, no window opens, nothing is left."""
    monkeypatch.setattr(keys.Held, "REPEAT_MS", 0)
    monkeypatch.setattr(hands, "STILL_MS", 2000)  # a machine that stands still for a moment is no hand that does
    plan = Plan(game("abalalae", "single", seeds=2), pace="by_hand", min_gap=1, sitters=dict(TWO), first="S", seed=5)  # type: ignore[arg-type]
    async with running(plan) as (app, pilot):
        screen = await begun(app, pilot)
        session = screen.session
        await pilot.press("space")
        await until(pilot, lambda: session.running)
        async with asyncio.timeout(30):
            while session.racing:
                tap(app, "space", "a")
                await asyncio.sleep(0.002)
        for _ in range(20):
            tap(app, "space", "a", "q", "1")
            await asyncio.sleep(0.05)  # longer than the calm itself: each press asks for a little more
        await pilot.pause()
        assert session.view["phase"] == "turn"
        assert not any(scene.seat is not None and "turn" in scene.before.get("phase", "") for scene in screen.theatre.scenes)
        assert not screen.analysing
        assert app.screen is screen
        await until(pilot, lambda: clock() > session.calm_until)
        seat = next(iter(session.acting()))
        await pilot.press(session.legal(seat)[0][1:])
        await until(pilot, lambda: session.view["hands"] != {"S": None, "N": None})


async def test_ctrl_c_asks_whatever_is_open(tmp_path: Path) -> None:
    async with running(by_turns()) as (app, pilot):
        screen = await begun(app, pilot)
        await pilot.press("3")
        await until(pilot, lambda: screen.session.view["turn"] == "N")
        for key in ("?", "m"):
            await pilot.press(key)
            await until(pilot, lambda: isinstance(app.screen, Reading | Choose))
            await pilot.press("ctrl+c")
            await until(pilot, lambda: "The match is not over." in text_of(app))
            await pilot.press("3")
            await until(pilot, lambda: app.screen is screen and not app.stopping)
        await pilot.press("ctrl+c")
        await until(pilot, lambda: "The match is not over." in text_of(app))
        await pilot.press("1")
        await until(pilot, lambda: "Save the record" in text_of(app))
        await typed(app, pilot, str(tmp_path / "nowhere" / "x.txt"))
        await until(pilot, lambda: "No such file or directory" in text_of(app))
        assert "x.txt:" in " ".join(text_of(app).split()).replace(" ", "")
        assert ".x.txt." not in text_of(app)
        assert app.screen is screen


async def typed(app: MuangApp, pilot: Pilot[str], text: str) -> None:
    """Write a line into a window."""
    await pilot.pause()
    app.screen.query_one("Input").value = text  # type: ignore[attr-defined]
    await pilot.press("enter")


async def test_esc_in_a_record_shows_the_end_of_what_moves(tmp_path: Path) -> None:
    async with running(kept(played("mak-khum", 6, ruleset="turns"), tmp_path), motion=True) as (app, pilot):
        screen = await begun(app, pilot)
        for at in (1, 2):
            await pilot.press("right")
            await until(pilot, lambda: screen.theatre.busy)
            await pilot.press("escape")
            assert (screen.theatre.at, screen.theatre.busy) == (at, False)
            assert screen.theatre.board.counts == screen.theatre.scenes[at - 1].board.counts  # type: ignore[union-attr]


@pytest.mark.parametrize("name", ["mak-khum", "abalalae", "ca-ngua"])
async def test_long_sentences_are_whole_at_80_columns(name: str) -> None:
    plan = by_turns() if name == "mak-khum" else Plan(game(name), seed=5)
    async with running(plan) as (app, pilot):
        screen = await begun(app, pilot)
        long = " ".join(f"word{number}" for number in range(28))
        screen.words(long)
        await until(pilot, lambda: "word27" in text_of(app))
        assert all(f"word{number}" in text_of(app) for number in range(28))
        assert "Leave" in text_of(app).splitlines()[-1]
        screen.words("short")
        await until(pilot, lambda: "word0" not in text_of(app))


async def test_the_last_rounds_of_a_long_match_are_told(tmp_path: Path) -> None:
    match = played("mak-khum", 4000, ruleset="turns", rounds="until_broke")
    assert match.result is not None
    rounds = match.view()["rounds"]
    assert len(rounds) > 4
    async with running(kept(match, tmp_path)) as (app, pilot):
        screen = await begun(app, pilot)
        await pilot.press("end")
        await until(pilot, lambda: screen.session.over and f"Round {rounds[-1]['round']} " in text_of(app))
        told = [line.plain for line in panels.result_lines(screen.session, 3)]
        assert [line.split("  ")[0] for line in told[1:]] == ["…", *(f"Round {one['round']}" for one in rounds[-3:])]
        assert words.reason_name(screen.session.view["result"], "en") in " ".join(text_of(app).split())
        await pilot.press("a")
        await until(pilot, lambda: "Analysis" in text_of(app))


async def test_a_server_that_is_busy_costs_no_seat(tmp_path: Path) -> None:
    """Only a match that is not there is forgotten."""
    async with serving(tmp_path / "data", rate_looks="3/hour") as (base, _):
        link = await made(base, "mak-khum", [{"seat": "S", "kind": "open"}, {"seat": "N", "kind": "open"}], ruleset="turns")
        seats.remember(link, "a-token")
        with pytest.raises(MuangError, match="too much at once"):
            await asyncio.gather(*(remote.look(link) for _ in range(9)))
        app = MuangApp()
        async with app.run_test() as pilot:
            app.join(link)
            await until(pilot, lambda: "too much at once" in " ".join(text_of(app).split()))
        assert seats.remembered(link) == ("a-token",)
    async with serving(tmp_path / "other") as (base, _):
        gone = Link(f"http://{base}", "nothing-here-1234567890")
        seats.remember(gone, "a-token")
        app = MuangApp()
        async with app.run_test() as pilot:
            app.join(gone)
            await until(pilot, lambda: not seats.remembered(gone))


async def test_what_cannot_be_seen_is_not_played() -> None:
    async with running(by_turns(), size=(60, 20)) as (app, pilot):
        await until(pilot, lambda: "Please make it larger." in " ".join(text_of(app).split()))
        screen = app.screen
        assert isinstance(screen, MatchScreen)
        version = screen.session.version
        await pilot.press("3", "m", "space")
        assert (screen.session.version, app.screen) == (version, screen)
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: "choose: S1" in text_of(app))
        await pilot.press("3")
        assert screen.session.version > version


async def test_a_first_move_that_still_moves_is_a_match_that_has_begun() -> None:
    async with running(by_turns(), motion=True) as (app, pilot):
        screen = await begun(app, pilot)
        await pilot.press("3")
        await until(pilot, lambda: screen.theatre.busy and not screen.theatre.scenes)
        await pilot.press("ctrl+c")
        await until(pilot, lambda: "The match is not over." in text_of(app))
