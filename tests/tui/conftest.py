"""Kernels are compiled before anything is timed by a person's patience."""

from __future__ import annotations

from pathlib import Path

import pytest

from muang.games.core import game
from muang.search.analyse import analyse
from muang.search.limits import Limits
from muang.search.players import Base


@pytest.fixture(scope="session", autouse=True)
def warm() -> None:
    turns, race, horses = game("mak-khum", "turns"), game("mak-khum", "single"), game("ca-ngua")
    for match in (turns.start(1), race.start(1), horses.start(1).roll((1, 6))):
        analyse(match, Limits(nodes=200))


@pytest.fixture(autouse=True)
def _quick_and_of_the_tests_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What the environment says of colours and motion plays no part; plain computer players choose at once."""
    monkeypatch.setenv("MUANG_STATE", str(tmp_path / "state"))
    for name in ("NO_COLOR", "TEXTUAL_ANIMATIONS", "TEXTUAL_THEME", "MUANG_LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Base, "think_ms", (1, 2))  # random and greedy: the others are waited for as people wait for them
    monkeypatch.setattr(Base, "drop_ms", (1, 2))
