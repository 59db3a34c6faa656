"""Whole matches at the keyboard: every game to its end by keys, races with both hands, what a table offers, leaving."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from muang.games.core import game
from muang.records import read
from muang.tui import keys
from muang.tui.app import MuangApp
from muang.tui.match import MatchScreen
from muang.tui.plan import Plan
from muang.tui.session import clock
from muang.tui.stage import BoardView
from tui.desk import begun, moved, running, screen_of, tap, text_of, until


@pytest.fixture
def nimble(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test presses a key more often in a second than a finger: nothing of that is a key held down."""
    monkeypatch.setattr(keys.Held, "REPEAT_MS", 0)


def two(name: str, ruleset: str | None = None, pace: str = "steady", **options: object) -> Plan:
    """A match of two people at one keyboard."""
    return Plan(game(name, ruleset, **options), pace=pace, tempo=1, min_gap=1, sitters={"S": "person", "N": "person"}, first="S", seed=5)


async def test_mak_khum_from_the_start_screen_to_its_end() -> None:
    """A person against the computer: the form, a steady race, turns, the result."""
    async with running() as (app, pilot):
        await pilot.pause()
        assert "Mak Khum" in text_of(app)
        app.screen.plan.seed = 12  # type: ignore[attr-defined]
        app.screen.plan.tempo = 1  # type: ignore[attr-defined]
        app.screen.plan.sitters = {"S": "person", "N": "random"}  # type: ignore[attr-defined]
        app.screen.query_one("#play").focus()
        await pilot.press("enter")
        screen = await begun(app, pilot)
        assert screen.session.waits_to_race
        assert "Ready? Press Space." in text_of(app)
        await pilot.press("space")
        await until(pilot, lambda: screen.session.running or not screen.session.racing)
        await to_the_end(app, screen)
        await pilot.pause()
        text = text_of(app)
        assert "has won" in text or "Drawn" in text
        assert screen.session.view["rounds"][-1]["round"] == 2
        await pilot.press("q")
        await until(pilot, lambda: not isinstance(app.screen, MatchScreen))
        assert "Mak Khum" in text_of(app)  # the start screen again


async def to_the_end(app: MuangApp, screen: MatchScreen) -> None:
    """Choose the lowest hole whenever one is to be chosen, with the keys of its seat."""
    session = screen.session
    async with asyncio.timeout(30):
        while not session.over:
            while clock() < session.calm_until:  # nothing is awaited between the last look and the key: a race may end at any moment
                await asyncio.sleep(0.01)
            version = session.version
            for seat in session.acting():
                legal = session.legal(seat)
                if not legal or (session.racing and not session.running):
                    continue
                if "drop" in legal:
                    tap(app, ("space" if seat == "S" or not session.duel else "a"))
                elif session.duel and seat == "N":
                    tap(app, keys.NORTH_HOLES[int(legal[0][1:]) - 1])
                else:
                    tap(app, legal[0][1:])
                if not session.racing:
                    await moved(session, version)
            await asyncio.sleep(0.002)


async def test_both_hands_race_on_one_keyboard_at_steady() -> None:
    """South by digits, North by letters: each key is its own player's, whoever is first."""
    plan = two("mak-khum", "single")
    plan.tempo = 10  # slow enough that both have lifted before a walk comes by
    async with running(plan) as (app, pilot):
        screen = await begun(app, pilot)
        assert screen.session.duel
        assert "Q W E R T Y U" in text_of(app)
        await pilot.press("3", "w")
        assert screen.session.view["hands"] == {"S": None, "N": None}  # nothing is sown before the signal
        await pilot.press("space")
        await until(pilot, lambda: screen.session.running)
        tap(app, "3", "w")
        await until(pilot, lambda: len(screen.theatre.scenes) > 4)
        lifted = [tuple(event[:3]) for scene in screen.theatre.scenes for event in scene.events if event[1] == "lift"]
        assert ("S", "lift", "S3") in lifted
        assert ("N", "lift", "N2") in lifted
        await to_the_end(app, screen)
        await pilot.pause()
        assert "has won" in text_of(app) or "Drawn" in text_of(app)


@pytest.mark.usefixtures("nimble")
async def test_both_hands_race_on_one_keyboard_by_hand() -> None:
    """Abalala'e by hand: every seed is a key press, turns are sown by hand as well; one round to its end."""
    async with running(two("abalalae", "single", "by_hand", seeds=2)) as (app, pilot):
        screen = await begun(app, pilot)
        assert "Drop A S D" in text_of(app)
        await pilot.press("space")
        await until(pilot, lambda: screen.session.running)
        await pilot.press("space", "a", "s", "enter")
        dropped = [event[0] for scene in screen.theatre.scenes for event in scene.events if event[1] == "drop"]
        assert dropped == ["S", "N", "N", "S"]
        await to_the_end(app, screen)
        await pilot.pause()
        assert "has won" in text_of(app) or "Drawn" in text_of(app)


async def test_ca_ngua_to_its_end_with_the_centre_key() -> None:
    """Two people and two computers: arrows choose another move, Enter makes it."""
    sitters = {0: "person", 1: "random", 2: "person", 3: "greedy"}
    async with running(Plan(game("ca-ngua"), sitters=sitters, names={0: "Lan"}, seed=2, first=0)) as (app, pilot):  # type: ignore[arg-type]
        screen = await begun(app, pilot)
        session = screen.session
        several = 0
        async with asyncio.timeout(60):
            while not session.over:
                version = session.version
                if session.view["phase"] == "move" and session.acting():
                    moves = session.horse_moves()
                    if len(moves) > 1 and several < 5:
                        several += 1
                        await pilot.press("right")
                        assert screen.move_at == 1
                    tap(app, "enter")
                    await moved(session, version)
                else:
                    await asyncio.sleep(0.002)
        assert several == 5
        await pilot.pause()
        assert "has won" in text_of(app)


def board_of(text: str) -> list[str]:
    """The board without the focus, which goes on to whoever is to choose."""
    return [line.replace("[", " ").replace("]", " ") for line in text.splitlines() if "│" in line]


async def test_hidden_choices_in_step_are_not_shown() -> None:
    """MK-24 at lockstep with two people: South's hole is told by nothing until North has chosen too."""
    async with running(two("mak-khum", "single", "lockstep")) as (app, pilot):
        screen = await begun(app, pilot)
        await until(pilot, lambda: "chooses in secret" in text_of(app))
        before = text_of(app)
        await pilot.press("3")
        await until(pilot, lambda: screen.session.view["chosen"] == ["S"])
        after = text_of(app)
        assert board_of(before) == board_of(after)
        assert screen.session.acting() == ["N"]
        await pilot.press("2")
        await until(pilot, lambda: len(screen.theatre.scenes) > 0 and screen.session.view["chosen"] == [])
        assert "South lifts 7 seeds from S3." in text_of(app)


async def test_the_menu_resigns_only_after_a_question() -> None:
    async with running(two("mak-khum", "turns")) as (app, pilot):
        screen = await begun(app, pilot)
        await pilot.press("m")
        await pilot.pause()
        assert "South resigns" in text_of(app)
        names = [name for name, _ in app.screen.choices]  # type: ignore[attr-defined]
        await pilot.press(str(names.index("resign:S") + 1))
        await pilot.pause()
        assert "Resign the match?" in text_of(app)
        await pilot.press("1")
        await pilot.pause()
        assert not screen.session.over
        await pilot.press("m")
        await pilot.pause()
        await pilot.press(str(names.index("resign:S") + 1))
        await pilot.pause()
        await pilot.press("2")
        await until(pilot, lambda: screen.session.over)
        assert screen.session.view["result"]["winner"] == "N"


async def test_a_turn_is_taken_back_and_a_draw_agreed() -> None:
    async with running(two("mak-khum", "turns")) as (app, pilot):
        screen = await begun(app, pilot)
        await pilot.press("3")
        await until(pilot, lambda: screen.session.view["turn"] == "N")
        await pick(app, pilot, "takeback")
        await until(pilot, lambda: screen.session.view["turn"] == "S")
        assert screen.session.view["board"]["S"] == [7] * 7
        await pick(app, pilot, "draw")
        await pilot.press("2")
        await until(pilot, lambda: screen.session.over)
        assert "agreed by both" in text_of(app)
        await pick(app, pilot, "again")  # and once more: a match of its own, with the seats changed
        await until(pilot, lambda: screen_of(app) is not screen and bool(screen_of(app).session.view))
        again = await begun(app, pilot)
        assert not again.session.over
        assert again.session.view["board"]["S"] == [7] * 7


async def pick(app: object, pilot: object, name: str) -> None:
    """Choose from the menu."""
    await pilot.press("m")  # type: ignore[attr-defined]
    await pilot.pause()  # type: ignore[attr-defined]
    names = [one for one, _ in app.screen.choices]  # type: ignore[attr-defined]
    await pilot.press(str(names.index(name) + 1))  # type: ignore[attr-defined]
    await pilot.pause()  # type: ignore[attr-defined]


async def test_hints_and_the_analysis() -> None:
    async with running(Plan(game("mak-khum", "turns"), sitters={"S": "person", "N": "greedy"}, first="S", seed=1)) as (app, pilot):
        screen = await begun(app, pilot)
        await pilot.press("h")
        await until(pilot, lambda: "Hint: S" in text_of(app))
        assert "★" in text_of(app)
        await pilot.press("a")
        await until(pilot, lambda: screen.analysis.info is not None and screen.analysis.info.depth >= 2)
        await pilot.press("escape")
        await until(pilot, lambda: not screen.analysis.running)
        text = text_of(app)
        assert "Analysis" in text
        assert "depth" in text
        best = screen.analysis.info.lines[0]  # type: ignore[union-attr]
        assert any(line.strip().startswith("1 ") and best.action in line for line in text.splitlines())
        await pilot.press("a")
        await pilot.pause()
        assert "Analysis" not in text_of(app).replace("A Analysis", "")


async def test_the_animation_can_be_hurried_paused_and_ended() -> None:
    async with running(two("mak-khum", "turns"), motion=True) as (app, pilot):
        screen = await begun(app, pilot)
        await pilot.press(">", ">")
        assert "Very fast" in text_of(app)
        await pilot.press("<", "<", "<")
        assert "Slow" in text_of(app)
        await pilot.press("3")
        await until(pilot, lambda: screen.theatre.busy)
        await pilot.press("k")
        await pilot.pause(0.05)
        assert screen.theatre.paused
        held = screen.theatre.board.copy()
        await pilot.pause(0.3)
        assert screen.theatre.board == held
        await pilot.press("escape")
        assert not screen.theatre.busy
        assert screen.theatre.board.counts["S3"] == screen.session.view["board"]["S"][2]
        await pilot.press("[")
        assert screen.theatre.board.counts["S3"] == 7
        assert "Looking back: 0 of 1" in text_of(app)
        await pilot.press("]")
        assert not screen.theatre.looking


async def test_leaving_a_match_that_is_not_over_offers_its_record(tmp_path: Path) -> None:
    async with running(two("mak-khum", "turns")) as (app, pilot):
        screen = await begun(app, pilot)
        await pilot.press("3")
        await until(pilot, lambda: screen.session.view["turn"] == "N")
        await pilot.press("ctrl+c")
        await pilot.pause()
        assert "The match is not over." in text_of(app)
        await pilot.press("1")
        await pilot.pause()
        where = app.screen.query_one("Input")
        where.value = str(tmp_path / "kept.txt")  # type: ignore[attr-defined]
        await pilot.press("enter")
        await until(pilot, lambda: not app.is_running)
    kept = read((tmp_path / "kept.txt").read_text())
    assert [entry.action for entry in kept.entries] == ["S3"]
    assert kept.match().turn == "N"


async def test_a_record_that_was_asked_for_is_kept_without_a_question(tmp_path: Path) -> None:
    where = tmp_path / "kept.json"
    async with running(two("mak-khum", "turns"), save=where) as (app, pilot):
        screen = await begun(app, pilot)
        await pilot.press("3")
        await until(pilot, lambda: screen.session.view["turn"] == "N")
        await pilot.press("q")
        await until(pilot, lambda: not app.is_running)
    assert [entry.action for entry in read(where.read_text()).entries] == ["S3"]


async def test_a_click_on_a_hole_chooses_it() -> None:
    async with running(two("mak-khum", "turns")) as (app, pilot):
        screen = await begun(app, pilot)
        board = screen.query_one(BoardView)
        x, y, *_ = next(area for area in board.sheet.areas if area[4] == "S3")
        await pilot.click(board, offset=(x + 2, y + 1))
        await until(pilot, lambda: screen.session.view["turn"] == "N")
        assert screen.session.view["board"]["S"] != [7] * 7
        await pilot.click(board, offset=(x + 2, y + 1))  # South's hole, and it is North's turn
        await until(pilot, lambda: "S3 cannot be played now." in text_of(app))


async def test_a_small_terminal_is_told_so_and_the_match_goes_on() -> None:
    async with running(two("mak-khum", "turns"), size=(79, 24)) as (app, pilot):
        screen = await begun(app, pilot)
        assert "79 × 24" in text_of(app)
        assert "S1" not in text_of(app)
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: "S1" in text_of(app))
        await pilot.press("3")
        await until(pilot, lambda: screen.session.view["turn"] == "N")
