"""Fixtures of the browser tests: one server for all of them, one Chromium for each file."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from web.browser import CHROMIUM, CHROMIUM_ARGS, Server


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, without a window. Ends with its file: while it is there an event loop runs, and no asynchronous test can."""
    if CHROMIUM is None:
        if os.environ.get("MUANG_REQUIRE") == "all":
            pytest.fail("there is no Chromium here, and MUANG_REQUIRE=all asks for it (apt-get install chromium)")
        pytest.skip("there is no Chromium here (apt-get install chromium)")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
        yield started
        started.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A running server with an empty data folder."""
    running = Server(tmp_path_factory.mktemp("data"))
    yield running
    running.stop()
