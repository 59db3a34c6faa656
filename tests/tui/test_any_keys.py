"""Whatever keys come, in whatever order and however quickly: nothing breaks, and the match stays one that the rules know."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from muang.games.core import game
from muang.tui import analysis, keys
from muang.tui.match import MatchScreen
from muang.tui.plan import Plan
from tui.desk import running, tap

KEYS = [
    *"123456789qwertyuioasdASDfhkmnpry[]<>=.,?0ฟ",
    *(
        "enter",
        "space",
        "escape",
        "left",
        "right",
        "up",
        "down",
        "pageup",
        "pagedown",
        "home",
        "end",
        "f2",
        "tab",
        "backspace",
        "shift+space",
    ),
]
MATCHES: dict[str, tuple[str, str, dict[Any, str]]] = {
    "mak-khum": ("steady", "trang", {"S": "person", "N": "person"}),
    "abalalae": ("by_hand", "single", {"S": "person", "N": "random"}),
    "ca-ngua": ("lockstep", "phone", {0: "person", 1: "person", 3: "greedy"}),
}


@pytest.mark.parametrize("name", MATCHES)
async def test_any_keys_at_any_moment(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def stay(self: MatchScreen, to_start: bool = False) -> None:
        return None

    monkeypatch.setattr(MatchScreen, "leave", stay)  # a test of a match that is left at once would be none
    monkeypatch.setattr(keys.Held, "REPEAT_MS", 0)
    monkeypatch.setattr(analysis, "SECONDS", 0.05)
    monkeypatch.setattr("muang.tui.local.HINT_MS", 20)
    monkeypatch.chdir(tmp_path)  # records may be kept on the way
    lots = random.Random(name)
    pace, ruleset, sitters = MATCHES[name]
    plan = Plan(game(name, ruleset), pace=pace, tempo=3, min_gap=1, sitters=sitters, seed=1)
    async with running(plan, motion=True, lang=lots.choice(["en", "th", "vi", "pt"])) as (app, pilot):
        await pilot.pause(0.3)
        screen = app.screen_stack[-1]
        for number in range(150):
            if lots.random() < 0.02:
                await pilot.resize_terminal(lots.choice([40, 79, 80, 120, 200]), lots.choice([10, 24, 40, 60]))
            tap(app, lots.choice(["space", "enter", "1", "2", "3"]) if lots.random() < 0.3 else lots.choice(KEYS))
            await asyncio.sleep(lots.choice([0, 0, 0.002, 0.02]))
            if number % 75 == 0:
                await pilot.pause()
        tap(app, "escape")
        await pilot.pause(0.3)
        assert app.is_running
        assert isinstance(screen, MatchScreen)
        assert screen.driver is not None or screen.session.over  # None: they have played again
        if screen.driver is not None:
            record = await screen.driver.record()
            assert record.match().view()["phase"] == screen.session.view["phase"]
