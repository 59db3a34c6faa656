"""Races in time in Chromium: against the computer, and two people on one keyboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from web.browser import Server, computer, open_match, open_page, person, phase, playable, trouble, until, wait_for

pytestmark = pytest.mark.browser


def test_a_steady_race_against_the_computer(browser: Browser, server: Server) -> None:
    match = server.make("mak-khum", [person("S", "Nok"), computer("N")], ruleset="single", pace="steady", tempo=20, seed=5)
    page = open_page(browser, server, [match])
    open_match(page, server, match)
    assert page.is_visible(".race-card:not(.meeting)")
    page.keyboard.press("1")  # before the signal nothing is sown
    assert server.get(f"/api/matches/{match['id']}")["match"]["hands"] == {"S": None, "N": None}
    page.keyboard.press("Enter")
    wait_for(page, "document.querySelector('.countdown').textContent !== ''")
    page.wait_for_selector(".race-clock:not([hidden])")

    def step() -> None:
        names = playable(page)
        if names:
            page.keyboard.press(names[0][1:])
        page.wait_for_timeout(20)

    until(page, lambda: phase(page) != "race", 60, step)
    wait_for(page, "document.querySelector('#live').textContent.includes('opens the turns')")
    assert not page.is_visible(".race-clock")
    assert trouble(page) == []
    page.context.close()


def test_two_hands_on_one_keyboard(browser: Browser, server: Server) -> None:
    """Each has keys of an own: South Space, North A, S, D; and each a button in an own half of the screen."""
    match = server.make("abalalae", [person("S"), person("N")], options={"max_rounds": 1}, pace="by_hand", min_gap=1, first="S")
    page = open_page(browser, server, [match])
    open_match(page, server, match)
    assert "A" in page.inner_text(".legend-seat[data-seat=N]")
    page.keyboard.press("Space")
    wait_for(page, "document.querySelector('.race-clock:not([hidden])') !== null")

    def seeds_in_hand(seat: str) -> int:
        hand = server.get(f"/api/matches/{match['id']}")["match"]["hands"][seat]
        return int(hand["seeds"]) if hand else 0

    assert (seeds_in_hand("S"), seeds_in_hand("N")) == (3, 3)
    page.keyboard.press("Space")
    wait_for(page, "document.querySelector('#south .status').textContent.startsWith('2')")
    assert (seeds_in_hand("S"), seeds_in_hand("N")) == (2, 3), "South's key moves South's hand alone"
    page.keyboard.press("d")
    wait_for(page, "document.querySelector('#north .status').textContent.startsWith('2')")
    page.click("#north .drop")
    wait_for(page, "document.querySelector('#north .status').textContent.startsWith('1')")
    assert (seeds_in_hand("S"), seeds_in_hand("N")) == (2, 1)

    def step() -> None:
        for key in ("Space", "a", "Enter", "s"):
            page.keyboard.press(key)
        page.wait_for_timeout(10)

    until(page, lambda: phase(page) != "race", 40, step)
    wait_for(page, "document.querySelector('#live').textContent.includes('opens the turns')")
    assert trouble(page) == []
    page.context.close()


def test_holes_of_north_have_their_own_row_of_keys(browser: Browser, server: Server) -> None:
    match = server.make("mak-khum", [person("S"), person("N")], pace="by_hand", first="S")
    page = open_page(browser, server, [match])
    open_match(page, server, match)
    page.keyboard.press("Enter")
    wait_for(page, "document.querySelector('.race-clock:not([hidden])') !== null")
    page.keyboard.press("w")
    page.keyboard.press("4")
    wait_for(page, "document.querySelectorAll('.b-hand:not(.gone)').length === 2")
    hands = server.get(f"/api/matches/{match['id']}")["match"]["hands"]
    assert hands == {"S": {"at": "S4", "seeds": 7}, "N": {"at": "N2", "seeds": 7}}
    assert trouble(page) == []
    page.context.close()


def test_a_slip_by_key(browser: Browser, server: Server) -> None:
    """MK-44, MK-57: Shift with a key that drops slips into the widow that comes next; a button says that it can be done."""
    small = {"holes": 3, "seeds": 2, "rounds": 4}
    match = server.make(
        "mak-khum", [person("S"), person("N")], ruleset="turns", options=small, pace="by_hand", min_gap=1, seed=1, first="S"
    )
    page = open_page(browser, server, [match])
    open_match(page, server, match)

    def can_slip() -> bool:
        return bool(page.evaluate("[...document.querySelectorAll('.slip')].some(node => !node.hidden)"))

    def step() -> None:
        if page.locator("#round:not([hidden])").count():
            page.click("#round .button")
        names = playable(page)
        if any(name[1:].isdigit() for name in names):
            page.keyboard.press(names[0][1:])
        else:
            page.keyboard.press("Space")
        page.wait_for_timeout(30)

    until(page, can_slip, 40, step)
    page.keyboard.press("Shift+Space")
    wait_for(page, "document.querySelector('.log-list').textContent.includes('slips into the widow')")
    assert trouble(page) == []
    page.context.close()
