"""Owns what no test may leave to the next: solved tables, and whether kernels are compiled."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator

import pytest

import muang.games.sowing.kernel  # noqa: F401  compiled, before a command that needs no kernels can ask for plain Python in this process
from muang.search.players import use_tables

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that starts this in the background has turned Ctrl-C off

LONG = ("web", "server")
"""Folders whose files take minutes. Each file is one process's, so with these at the end all others would wait for the last one."""

REAL_TIME = ("web", "tui")
"""Where a browser or a terminal has to keep up with the clock. What a machine that stood still for a moment has spoilt is tried once more,
and the summary names it: a test that needs its second try again and again has a fault."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long files first; a second try where the machine's pace decides."""
    items.sort(key=lambda item: item.path.parent.name not in LONG)
    for item in items:
        if item.path.parent.name in REAL_TIME:
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(autouse=True)
def no_tables_but_a_tests_own(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Tests find no tables in the user's folder, and begin without any."""
    monkeypatch.setenv("MUANG_TABLES", str(tmp_path_factory.getbasetemp() / "no-tables"))
    use_tables(None)
    yield
    use_tables(None)
