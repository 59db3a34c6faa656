"""What a fresh reader found wrong: computers by themselves, records that are kept, steps back, marks, several people at one link."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from muang.cli import run
from muang.cli.tui import _told_utf8
from muang.errors import MuangError
from muang.games.core import game
from muang.i18n import LANGUAGES, translate
from muang.records import Record
from muang.tui import keeping, panels, remote
from muang.tui.local import Local
from muang.tui.plan import Plan
from muang.tui.remote import Link, look
from muang.tui.session import Scene
from server.desk import running as serving
from tui.desk import begun, running, text_of, until
from tui.test_remote import made
from tui.test_replay import kept, played


async def test_computers_race_by_themselves_to_the_end() -> None:
    """Nobody is there to say that a race may begin, not even the second one."""
    sitters = {"S": "random", "N": "random"}
    plan = Plan(game("mak-khum"), pace="steady", tempo=1, sitters=dict(sitters), seed=5)  # type: ignore[arg-type]
    async with running(plan) as (app, pilot):
        screen = await begun(app, pilot)
        await until(pilot, lambda: screen.session.over)
        assert len(screen.session.view["rounds"]) == 2


def test_a_record_is_kept_whole_and_beside_what_is_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    there = tmp_path / "match.txt"
    there.write_text("mine")
    assert keeping.fresh(there, 0) == tmp_path / "match-2.txt"
    assert keeping.fresh(tmp_path / "new.txt", 0) == tmp_path / "new.txt"
    keeping.write_record(Record.from_match(played("mak-khum", 4, ruleset="turns"), {}), tmp_path / "new.txt")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["match.txt", "new.txt"]
    assert there.read_text() == "mine"
    from muang.cli.tui import _can_keep

    for path in (there, tmp_path, tmp_path / "nowhere" / "x.txt"):
        with pytest.raises(Exception, match="--save"):
            _can_keep(path)
    _can_keep(tmp_path / "free.txt")
    assert run(["tui", "--save", str(there)]) == 2
    assert capsys.readouterr().err


def test_the_environment_tells_of_letters() -> None:
    plain = [{"LC_ALL": "C"}, {"LANG": "POSIX"}, {"LANG": "C", "LC_CTYPE": "C.UTF-8"}, {"LANG": "th_TH.TIS-620"}, {"TERM": "dumb"}]
    assert not any(_told_utf8(one) for one in plain)
    shown = [
        {},
        {"LANG": "vi_VN.UTF-8"},
        {"LC_ALL": "C.utf8", "LANG": "C"},
        {"LANG": "C", "LC_CTYPE": "th_TH.UTF-8"},
        {"LANG": "de_DE.utf8@euro"},
    ]
    assert all(_told_utf8(one) for one in shown)


async def test_a_step_back_is_one_step_while_something_moves() -> None:
    plan = Plan(game("mak-khum", "turns"), sitters={"S": "person", "N": "person"}, first="S", seed=5)
    async with running(plan, motion=True) as (app, pilot):
        screen = await begun(app, pilot)
        await pilot.press("3")
        await until(pilot, lambda: screen.session.view["turn"] == "N")
        await pilot.press(screen.session.legal("N")[0][1:])
        theatre = screen.theatre
        await until(pilot, lambda: theatre.busy and len(theatre.scenes) + len(theatre.queue) == 1)
        await pilot.press("[")
        assert (screen.theatre.at, len(screen.theatre.scenes)) == (1, 2)


async def test_what_was_told_while_it_moved_is_not_listed_again() -> None:
    plan = Plan(game("mak-khum", "turns"), sitters={"S": "person", "N": "person"}, first="S", seed=5)
    async with running(plan) as (app, pilot):
        screen = await begun(app, pilot)
        say = [("{hole} cannot be played now.", {"hole": "S3"})]
        screen.listed = 7
        for version in (7, 8):
            screen.seen(Scene({}, {}, say=say, version=version))
        assert [version for _, _, version in screen.lines] == [8]


async def test_a_record_is_turned_round(tmp_path: Path) -> None:
    async with running(kept(played("mak-khum", 4, ruleset="turns"), tmp_path)) as (app, pilot):
        await begun(app, pilot)
        before = text_of(app)
        await pilot.press("f")
        await until(pilot, lambda: text_of(app) != before)


async def test_one_row_of_the_form_is_marked() -> None:
    async with running() as (app, pilot):
        await pilot.pause()
        await pilot.press("down", "down", "down", "up")
        await pilot.pause()
        assert sum(line.startswith((">", " >", "  >")) for line in text_of(app).splitlines()) == 1


async def test_who_was_slower_is_offered_what_is_still_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(tmp_path) as (base, _):
        link = await made(base, "mak-khum", [{"seat": "S", "kind": "open"}, {"seat": "N", "kind": "open"}], ruleset="turns")
        async with running(Link(link.base, link.id), name="Lan") as (app, pilot):
            await until(pilot, lambda: "Sit down: South" in text_of(app))
            await remote.sit(link, "S", "Minh")
            await pilot.press("1")
            await until(pilot, lambda: "Take a seat" in text_of(app) and "Sit down: South" not in text_of(app))
            await pilot.press("1")
            assert (await begun(app, pilot)).session.mine() == ["N"]
        assert await look(link) == []


async def test_a_match_that_is_not_laid_out_yet_has_no_record() -> None:
    from muang.tui.local import Local

    driver = Local(*Plan(game("mak-khum"), sitters={"S": "person", "N": "random"}).setup())
    with pytest.raises(MuangError):
        await driver.record()
    await asyncio.wait_for(driver.close(), 5)


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_players_and_keys_fit_into_80_columns(lang: str) -> None:
    """Four players of Cờ cá ngựa beside the board, the one who thinks with a computer's name: nothing is cut off, in no language."""
    sitters = {0: "person", 1: "level-2", 2: "level-3", 3: "random"}
    plan = Plan(game("ca-ngua"), sitters=dict(sitters), first=0, seed=5)  # type: ignore[arg-type]
    async with running(plan, lang=lang) as (app, pilot):
        screen = await begun(app, pilot)
        for info in screen.session.seats:
            told = panels.strip(screen.session, info.seat, screen.theatre.board, screen.look_of, 32)
            assert told.cell_len <= 32, told.plain
            assert screen.session.name(info.seat) in told.plain
            told = panels.strip(screen.session, info.seat, screen.theatre.board, screen.look_of, 60)
            assert screen.session.aside(info.seat) in told.plain
        foot = text_of(app).splitlines()[-1]
        assert "…" not in foot
        assert translate("Leave", lang) in foot


async def test_a_fast_table_has_fast_dice() -> None:
    """The speed is that of the dice and of rolls without a move too; a slow one waits longer than usual."""
    setup, tokens = Plan(game("ca-ngua"), seed=5).setup()
    table = Local(setup, tokens)
    usual = table.timing
    async with running(Plan(game("ca-ngua"), seed=5), speed="very-fast") as (app, pilot):
        screen = await begun(app, pilot)
        screen.driver = table
        screen.hasten(3)
        assert (table.timing.roll, table.timing.no_move) == (usual.roll // 5, usual.no_move // 5)
        screen.hasten(0)
        assert (table.timing.roll, table.timing.no_move) == (usual.roll * 2, usual.no_move * 2)
        screen.hasten(1)
        assert table.timing == usual
