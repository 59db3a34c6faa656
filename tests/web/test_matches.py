"""Whole matches in Chromium, by keyboard alone, from the start page to the result."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from web.browser import Server, computer, open_match, open_page, person, phase, playable, seeds, trouble, until, wait_for

pytestmark = pytest.mark.browser


def focused(page: Page, what: str) -> str:
    return str(page.evaluate(f"document.activeElement.{what} || ''"))


def press_until(page: Page, key: str, wanted: str, most: int = 60) -> None:
    """Press a key until the element with this id has the focus."""
    for _ in range(most):
        if focused(page, "id") == wanted:
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} never led to #{wanted}")


def result_shown(page: Page) -> bool:
    return page.locator("#result").count() > 0


def set_up_by_keyboard(page: Page, server: Server, game: str, north: str, choices: dict[str, str]) -> None:
    """From the start page to the board: Tab, Enter, and the arrow keys in the form."""
    page.goto(f"{server.address}/")
    page.wait_for_selector(f"#play-{game}")
    page.wait_for_load_state("networkidle")
    press_until(page, "Tab", f"play-{game}")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open]")
    for name, value in {f"kind-{north}": "person", **choices}.items():
        for _ in range(80):
            if focused(page, "name") == name:
                break
            page.keyboard.press("Tab")
        assert focused(page, "name") == name, f"Tab never led to {name}"
        for _ in range(12):
            if focused(page, "value") == value and page.evaluate("document.activeElement.checked"):
                break
            page.keyboard.press("ArrowDown")
        assert focused(page, "value") == value
    page.keyboard.press("Enter")
    page.wait_for_selector("#board .b-board")


def test_mak_khum_at_lockstep(browser: Browser, server: Server) -> None:
    page = open_page(browser, server, [])
    set_up_by_keyboard(page, server, "mak-khum", "N", {"ruleset": "single", "pace": "lockstep"})
    assert phase(page) == "race"
    assert {name[0] for name in playable(page)} == {"S"}, "one choice is made after the other, each alone"
    before = seeds(page)
    page.keyboard.press("3")
    wait_for(page, "document.querySelector('#south .status').textContent === 'has chosen'")
    assert seeds(page) == before, "a hidden choice shows nothing on the board"
    assert focused(page, "dataset.place")[:1] != "S"
    assert {name[0] for name in playable(page)} == {"N"}
    page.keyboard.press("5")

    def step() -> None:
        names = playable(page)
        if names:
            page.keyboard.press(names[0][1:])
        page.wait_for_timeout(25)

    until(page, lambda: result_shown(page), 60, step)
    text = page.inner_text("#result")
    won = page.locator("#result table").first.locator("tbody td:nth-of-type(1)").all_inner_texts()
    assert sum(int(figure) for figure in won) == 98, text
    assert focused(page, "id") == "rematch", "the result has the focus"
    if page.locator("#result[data-hasty]").count():
        page.keyboard.press("Enter")  # of a hand that is still at the board
    page.wait_for_selector("#result:not([data-hasty])")
    assert "again-note" not in page.content(), "nothing was wished by that"
    page.keyboard.press("Escape")
    page.wait_for_selector("#result", state="detached")
    assert page.locator(".log-list li").count() > 3
    assert trouble(page) == []
    page.context.close()


def test_abalalae(browser: Browser, server: Server) -> None:
    page = open_page(browser, server, [])
    match = server.make("abalalae", [person("S", "Selam"), person("N")], options={"max_rounds": 1}, pace="lockstep", seed=3)
    page.goto(f"{server.address}/")
    page.evaluate("match => localStorage.setItem('muang.matches', JSON.stringify([match]))", match)
    open_match(page, server, match)

    def step() -> None:
        names = playable(page)
        if names:
            page.keyboard.press(names[-1][1:])
        page.wait_for_timeout(25)

    until(page, lambda: result_shown(page), 60, step)
    assert "Selam" in page.inner_text("#result")
    shown = server.get(f"/api/matches/{match['id']}")["match"]
    assert shown["result"] is not None
    assert sum(shown["result"]["seeds"].values()) == 54
    assert trouble(page) == []
    page.context.close()


def test_arrows_and_enter_choose_a_hole(browser: Browser, server: Server) -> None:
    """MK-57: the arrow keys move the focus from hole to hole, Enter lifts; names say what is there."""
    match = server.make("mak-khum", [person("S"), person("N")], ruleset="turns", pace="lockstep", first="S")
    page = open_page(browser, server, [match])
    open_match(page, server, match)
    page.keyboard.press("ArrowRight")  # from nowhere: to the board
    assert "hole 1" in page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("ArrowLeft")
    name = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert "hole 2" in name
    assert "7 seeds" in name
    assert "playable" in name
    page.keyboard.press("Enter")
    wait_for(page, "document.querySelector('#live').textContent.includes('S2')")
    assert "South lifts 7 seeds from S2" in page.inner_text("#live")
    page.keyboard.press("Escape")
    wait_for(page, "document.querySelector('.log-list li') !== null")
    assert trouble(page) == []
    page.context.close()


def test_what_happened_is_listed_and_shown_again(browser: Browser, server: Server) -> None:
    """One stop for Tab; arrow keys go from line to line; Enter, or R for the last one, shows it, and the board is right afterwards."""
    match = server.make("mak-khum", [person("S"), person("N")], ruleset="turns", pace="lockstep", first="S")
    page = open_page(browser, server, [match])
    open_match(page, server, match)
    for count in range(1, 4):
        page.keyboard.press("3" if count == 1 else playable(page)[0][1:])
        page.keyboard.press("Escape")
        wait_for(page, f"document.querySelectorAll('.log-list li').length === {count}")
    now = seeds(page)
    assert page.locator(".log-line[tabindex='0']").count() == 1
    page.focus(".log-line[tabindex='0']")
    page.keyboard.press("Home")
    assert "S3" in focused(page, "textContent")
    page.keyboard.press("Enter")
    wait_for(page, "document.querySelector('#skip-motion:not([disabled])') !== null")
    assert seeds(page) != now, "the board goes back to show it"
    page.keyboard.press("Escape")
    wait_for(page, "document.querySelector('#skip-motion[disabled]') !== null")
    assert seeds(page) == now
    page.keyboard.press("r")
    wait_for(page, "document.querySelector('#skip-motion:not([disabled])') !== null")
    page.keyboard.press("Escape")
    wait_for(page, "document.querySelector('#skip-motion[disabled]') !== null")
    assert seeds(page) == now
    assert trouble(page) == []
    page.context.close()


def test_ca_ngua(browser: Browser, server: Server) -> None:
    """CN-40…41: arrows go round the possible moves, Enter makes the one that is shown, a lost roll is said."""
    match = server.make("ca-ngua", [person(0, "Lan"), person(2, "Minh")], seed=11, first=0)
    page = open_page(browser, server, [match])
    open_match(page, server, match)
    rounds: list[int] = []
    said: set[str] = set()

    def step() -> None:
        text = page.inner_text("#live")
        said.add(text)
        count = page.locator(".moves-list .move").count()
        if count > 1 and not rounds:
            first = page.inner_text(".moves-list .move[aria-current=true]")
            for _ in range(count):
                page.keyboard.press("ArrowDown")
            assert page.inner_text(".moves-list .move[aria-current=true]") == first, "going round"
            page.keyboard.press("ArrowUp")
            assert page.inner_text(".moves-list .move[aria-current=true]") != first
            assert page.locator(".b-move.now").count() == 1, "the board shows the same move"
            rounds.append(count)
        if count or phase(page) != "over":
            page.keyboard.press("Enter" if count else "Escape")  # Escape shows the end of what moves
        page.wait_for_timeout(10)

    until(page, lambda: result_shown(page), 90, step)
    assert rounds, "there never was a choice"
    assert any("no move" in text for text in said)
    assert "both horses home" in page.inner_text("#result")
    assert trouble(page) == []
    page.context.close()


def test_a_roll_can_be_read(browser: Browser, server: Server) -> None:
    """At normal speed the dice lie still for a while before anything can be chosen, and Enter does not move what has not been seen."""
    match = server.make("ca-ngua", [person(0), computer(2)], seed=4, first=0)
    page = open_page(browser, server, [match])
    page.add_init_script("localStorage.setItem('muang.speed', '\"normal\"')")
    open_match(page, server, match)
    page.wait_for_selector(".moves-list .move, .b-die", timeout=20_000)
    wait_for(page, "performance.now() > 700")
    assert page.locator(".b-die").count() == 2
    assert trouble(page) == []
    page.context.close()
