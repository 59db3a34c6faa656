"""Records step by step; whatever cannot be opened is told in one line."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from muang.errors import BadRecord
from muang.games.core import Match, game
from muang.records import Record, json, write
from muang.tui.replay import Replay, read_file
from muang.tui.table import TableScreen
from tui.desk import begun, running, screen_of, text_of, until


def played(name: str, steps: int, pace: str = "lockstep", **options: object) -> Match:
    """The beginning of a match, or all of it."""
    match = game(name, **options).start(3, pace=pace)
    rolls = itertools.cycle([(6, 6), (1, 6), (2, 3), (4, 4), (5, 1)])
    for number in range(steps):
        if match.phase == "over":
            break
        if match.phase == "roll":
            match = match.roll(next(rolls))
        elif match.to_act:
            seat = match.to_act[number % len(match.to_act)]
            match = match.play(seat, match.legal(seat)[0])
        elif match.next_due is not None:
            match = match.at(match.next_due)
    return match


def kept(match: Match, folder: Path, as_json: bool = False) -> Path:
    path = folder / ("match.json" if as_json else "match.txt")
    record = Record.from_match(match, {match.seats[0]: "หมิว", match.seats[1]: "Ana"}, "2026-07-14")
    path.write_text(json.write(record) if as_json else write(record), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "pace", "steps"),
    [("mak-khum", "lockstep", 60), ("mak-khum", "steady", 300), ("abalalae", "by_hand", 200), ("ca-ngua", "lockstep", 200)],
)
def test_every_step_shows_the_board_of_that_moment(name: str, pace: str, steps: int, tmp_path: Path) -> None:
    match = played(name, steps, pace)
    replay = Replay(read_file(kept(match, tmp_path, as_json=pace == "steady")))
    assert replay.scenes[-1].after == match.view()
    for number, scene in enumerate(replay.scenes):
        board, view = scene.board, scene.after
        assert board is not None
        if name == "ca-ngua":
            assert {seat: sorted(map(str, places)) for seat, places in board.horses.items()} == {
                seat: sorted(map(str, places)) for seat, places in view["horses"].items()
            }
        else:
            assert [board.counts[f"S{hole}"] for hole in range(1, len(view["board"]["S"]) + 1)] == view["board"]["S"]
        if number % 40 == 0:
            assert replay.match(number).view() == scene.before
    assert replay.match(len(replay.scenes)).view() == match.view()


async def test_a_name_cannot_command_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "match.txt"
    record = Record.from_match(played("mak-khum", 4, ruleset="turns"), {"S": "Eve\x1b[31m\x1b]0;owned\x07", "N": "\u202eNam"})
    path.write_text(write(record), encoding="utf-8")
    async with running(path) as (app, pilot):
        await begun(app, pilot)
        await pilot.press("end")
        text = text_of(app)
        assert "Eve[31m]0;owned" in text
        assert all(letter.isprintable() for line in text.splitlines() for letter in line)


async def test_keys_step_through_a_record(tmp_path: Path) -> None:
    path = kept(played("mak-khum", 40, ruleset="turns"), tmp_path)
    async with running(path) as (app, pilot):
        screen = await begun(app, pilot)
        theatre = screen.theatre
        steps = len(theatre.scenes)
        assert f"0 of {steps}" in text_of(app)
        assert "หมิว" in text_of(app)
        await pilot.press("right")
        assert theatre.at == 1
        assert "lifts 7 seeds" in text_of(app)
        first = text_of(app)
        await pilot.press("right", "left")
        assert text_of(app) == first
        await pilot.press("pagedown")
        assert theatre.at == min(11, steps)
        await pilot.press("end")
        assert f"{steps} of {steps}" in text_of(app)
        await pilot.press("right", "home", "left")
        assert theatre.at == 0
        await pilot.press("3", "y", "u")  # nothing to be played here
        assert theatre.at == 0


async def test_the_bar_and_the_result_are_of_the_moment_that_is_shown(tmp_path: Path) -> None:
    match = played("mak-khum", 1000)
    assert match.result is not None
    path = kept(match, tmp_path)
    async with running(path) as (app, pilot):
        await begun(app, pilot)
        assert "Round 1 of 2 · race" in text_of(app)
        assert "has won" not in text_of(app)
        await pilot.press("end")
        assert f"Round {len(match.view()['rounds'])} of 2 · over" in text_of(app)
        assert ("has won" in text_of(app)) == (match.result.winner is not None)
        await pilot.press("home")
        assert "Round 1 of 2 · race" in text_of(app)


async def test_a_record_plays_by_itself_at_a_speed(tmp_path: Path) -> None:
    path = kept(played("mak-khum", 2, ruleset="turns"), tmp_path)
    async with running(path, motion=True, speed="very-fast") as (app, pilot):
        screen = await begun(app, pilot)
        await pilot.press("space")
        await until(pilot, lambda: screen.theatre.at == 1)
        assert screen.theatre.busy
        await pilot.press("space")
        assert not screen.theatre.busy
        stands = screen.theatre.at
        await pilot.pause(0.3)
        assert screen.theatre.at == stands
        await pilot.press("space")
        await until(pilot, lambda: screen.theatre.at == len(screen.theatre.scenes) and not screen.theatre.busy)


async def test_the_position_that_is_shown_is_analysed(tmp_path: Path) -> None:
    path = kept(played("mak-khum", 6, ruleset="turns"), tmp_path)
    async with running(path) as (app, pilot):
        screen = await begun(app, pilot)
        await pilot.press("a")
        await until(pilot, lambda: screen.analysis.info is not None)
        assert screen.analysis.match is not None
        assert screen.analysis.match.view() == screen.theatre.scenes[0].before
        await pilot.press("right")
        await until(pilot, lambda: screen.analysis.match is not None and screen.analysis.match.view() == screen.theatre.scenes[0].after)
        await pilot.press("escape")
        assert not screen.analysis.running


async def test_a_record_is_opened_from_the_start_screen_and_left_to_it(tmp_path: Path) -> None:
    path = kept(played("ca-ngua", 30), tmp_path)
    async with running() as (app, pilot):
        await pilot.pause()
        start = app.screen
        line = start.query_one("#file")
        line.focus()
        line.value = str(path)  # type: ignore[attr-defined]
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, TableScreen) and bool(screen_of(app).session.view))
        await pilot.press("q")
        await until(pilot, lambda: app.screen is start)


DAMAGED = {
    "empty": ("", "Game"),
    "words": ("this is no record", "Game"),
    "half": ('[Game "mak-khum"]\n[Ruleset "turns"', "a tag is written"),
    "illegal": ('[Game "mak-khum"]\n[Ruleset "turns"]\n[First "S"]\n\nround 1:\n1. S3 N9 *\n', "N9"),
    "json": ('{"game": "mak-khum", "entries": [', ""),
}


@pytest.mark.parametrize("kind", DAMAGED)
async def test_a_damaged_record_is_told_in_one_line(kind: str, tmp_path: Path) -> None:
    text, told = DAMAGED[kind]
    path = tmp_path / "damaged.txt"
    path.write_text(text)
    async with running(path) as (app, pilot):
        await until(pilot, lambda: not app.is_running)
    assert told in str(app.return_value)
    assert "Traceback" not in str(app.return_value)


def test_what_is_no_text_is_said_to_be_none(tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\xff\xfe")
    with pytest.raises(BadRecord, match="not UTF-8"):
        read_file(path)
