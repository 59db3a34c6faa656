"""The server killed in mid-match: the page says that it reconnects, comes back by itself, and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from web.browser import Server, open_match, open_page, person, phase, playable, seeds, trouble, wait_for

pytestmark = pytest.mark.browser


@pytest.fixture
def mortal(browser: Browser, tmp_path: Path) -> Iterator[Server]:
    """A server that may be killed."""
    running = Server(tmp_path)
    yield running
    running.stop()


def test_killed_in_mid_match_and_nothing_lost(browser: Browser, mortal: Server) -> None:
    match = mortal.make("mak-khum", [person("S", "Nok"), person("N", "Lek")], ruleset="turns", pace="lockstep", seed=9, first="S")
    page = open_page(browser, mortal, [match])
    open_match(page, mortal, match)
    for count in range(1, 7):
        page.keyboard.press(playable(page)[0][1:])
        page.keyboard.press("Escape")
        wait_for(page, f"document.querySelectorAll('.log-list li').length === {count}")
    before = seeds(page)
    status = page.inner_text("#north .status"), page.inner_text("#south .status")
    told = mortal.get(f"/api/matches/{match['id']}")

    mortal.kill()
    page.wait_for_selector("#link:not([hidden])")
    assert "Reconnecting" in page.inner_text("#link")
    hole = playable(page)[0]
    page.keyboard.press(hole[1:])  # pressed while nobody hears it: it is sent when somebody does
    assert seeds(page) == before
    mortal.start()
    page.wait_for_selector("#link", state="hidden", timeout=20_000)
    wait_for(page, f"document.querySelector('#live').textContent.includes('{hole}')")
    assert seeds(page) != before
    after = mortal.get(f"/api/matches/{match['id']}")
    assert after["version"] > told["version"]
    assert after["match"]["board"] != told["match"]["board"]

    page.keyboard.press("Escape")
    now = seeds(page)
    mortal.kill()
    mortal.start()
    page.reload()
    page.wait_for_selector("#board .b-board")
    wait_for(page, "document.body.dataset.phase !== undefined")
    assert seeds(page) == now, "the same board, from the log alone"
    assert status
    assert playable(page), "and it goes on"
    assert trouble(page) == []
    page.context.close()


def test_killed_in_mid_race_and_resumed(browser: Browser, mortal: Server) -> None:
    """A race stands still while the server is away; after a new countdown it goes on with the same hands."""
    match = mortal.make("abalalae", [person("S"), person("N")], pace="by_hand", min_gap=1, seed=2, first="S")
    page = open_page(browser, mortal, [match])
    open_match(page, mortal, match)
    page.keyboard.press("Enter")
    page.wait_for_selector(".race-clock:not([hidden])")
    for key in ("Space", "a", "Space", "a", "Space"):
        page.keyboard.press(key)
    wait_for(page, "document.querySelector('#south .status').textContent.startsWith('4')")  # a relay: 3, 2, 1, then four from S4
    wait_for(page, "document.querySelector('#north .status').textContent.startsWith('1')")
    page.wait_for_timeout(500)  # the last seed is still on its way
    before = seeds(page)
    mortal.kill()
    page.wait_for_selector("#link:not([hidden])")
    mortal.start()
    page.wait_for_selector("#link", state="hidden", timeout=20_000)
    assert phase(page) == "race"
    assert seeds(page) == before
    wait_for(page, "document.querySelector('.countdown').textContent === '' && !document.querySelector('.race-clock').hidden")
    page.keyboard.press("d")
    wait_for(page, "document.querySelector('#north .status').textContent.startsWith('4')")
    assert trouble(page) == []
    page.context.close()


def test_an_unknown_match_is_told(browser: Browser, server: Server) -> None:
    page = open_page(browser, server, [])
    page.goto(f"{server.address}/play/nosuchmatch")
    page.wait_for_selector(".gone a")
    assert "not on this server" in page.inner_text(".gone")
    page.context.close()
