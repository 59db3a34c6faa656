"""Kernels are compiled once before the servers of these tests start."""

from __future__ import annotations

import pytest

from muang.games.core import game
from muang.search.analyse import analyse
from muang.search.limits import Limits
from muang.search.warm import warm_up


@pytest.fixture(scope="session", autouse=True)
def warm() -> None:
    warm_up()
    turns, race, horses = game("mak-khum", "turns"), game("mak-khum", "single"), game("ca-ngua")
    for match in (turns.start(1), race.start(1), horses.start(1).roll((1, 6))):
        analyse(match, Limits(nodes=200))


@pytest.fixture(autouse=True)
def _no_tables(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """The solved tables of whoever runs the tests play no part."""
    monkeypatch.setenv("MUANG_TABLES", str(tmp_path_factory.getbasetemp() / "no-tables"))
