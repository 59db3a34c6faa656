"""Levels in the form, hints by key and touch, what a screen reader hears of them, and players that play exactly."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from web.browser import Server, computer, open_match, open_page, person, phase, playable, trouble, wait_for

pytestmark = pytest.mark.browser

SMALL = {"holes": 3, "seeds": 2}


def said(page: Page) -> str:
    """What a screen reader is told."""
    live = page.locator("#live")
    assert live.get_attribute("role") == "status"
    assert live.get_attribute("aria-live") == "polite"
    return live.inner_text()


def hinted(page: Page) -> str:
    """The hole or move that is marked."""
    names: list[str] = page.evaluate(
        "[...document.querySelectorAll('.b-board .hinted')].map(node => node.dataset.place ?? node.dataset.move)"
    )
    assert len(names) == 1
    return names[0]


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with every board of a small Mak Khum solved."""
    folder: Path = tmp_path_factory.mktemp("solved")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MUANG_TABLES", str(folder / "tables"))
        options = [part for name, value in SMALL.items() for part in ("--option", f"{name}={value}")]
        command = [
            sys.executable,
            "-c",
            "from muang.cli import main; main()",
            "solve",
            "endgame",
            "mak-khum",
            "--ruleset",
            "turns",
            *options,
            "--seeds",
            "12",
        ]
        subprocess.run(command, check=True, capture_output=True)
        running = Server(folder)
    yield running
    running.stop()


def test_levels_are_offered_and_one_for_beginners_is_proposed(browser: Browser, server: Server) -> None:
    page = open_page(browser, server, [])
    page.goto(f"{server.address}/?game=ca-ngua")
    page.wait_for_selector("dialog[open]")
    field = page.locator("select[name='player-2']")
    assert field.input_value() == "level-2"
    offered = field.locator("option").all_inner_texts()
    assert [text.split(":")[0] for text in offered] == [*(f"Level {level}" for level in range(1, 9)), "Random", "Greedy"]
    assert len({text.split(":")[1] for text in offered}) == 10, "each has its own word"
    field.select_option("level-1")
    page.click("dialog button[type=submit]")
    page.wait_for_selector("#board .b-board")
    assert "Level 1" in page.inner_text("[data-seat='2'] .aside")
    assert trouble(page) == []
    page.context.close()


def test_a_hint_by_key(browser: Browser, solved: Server) -> None:
    """H marks a hole with a star, names it in the hole's own name and says what it is worth; it goes when the match goes on."""
    match = solved.make(
        "mak-khum", [person("S", "An"), computer("N", "level-1")], ruleset="turns", pace="lockstep", first="S", options=SMALL
    )
    page = open_page(browser, solved, [match])
    open_match(page, solved, match)
    page.keyboard.press("h")
    wait_for(page, "document.querySelector('.b-board .hinted')")
    hole = hinted(page)
    assert hole in playable(page)
    assert said(page).startswith(f"Hint: {hole}")
    assert "This is exact." in said(page), "there is a table of all its boards"
    assert "An" in said(page)
    assert "the hint" in (page.locator(f".b-place[data-place='{hole}']").get_attribute("aria-label") or "")
    assert page.locator(".b-board .hinted .b-hint").evaluate("node => getComputedStyle(node).visibility") == "visible", (
        "a star, not a colour"
    )
    page.keyboard.press("h")
    assert said(page).startswith(f"Hint: {hole}"), "asked again it is said again"
    page.keyboard.press(hole[1:])
    wait_for(page, "document.querySelector('.b-board .hinted') === null")
    assert trouble(page) == []
    page.context.close()


def test_a_hint_for_a_horse_on_a_small_screen(browser: Browser, server: Server) -> None:
    """By touch; the move is chosen on the board and in the list; everything still fits."""
    match = server.make("ca-ngua", [person(0), computer(2, "greedy")], first=0, seed=5)
    page = open_page(browser, server, [match], viewport={"width": 360, "height": 740}, has_touch=True)
    open_match(page, server, match)
    wait_for(page, "document.querySelector('#hint:not([disabled])')", 30)
    page.click("#hint")
    wait_for(page, "document.querySelector('.b-board .hinted')")
    move = hinted(page)
    assert said(page).startswith("Hint: ")
    assert "of 100 matches" in said(page)
    assert "the hint" in page.inner_text(".moves-list button[aria-current='true']")
    assert page.locator(f"[data-move='{move}']").get_attribute("class") in ("b-move now hinted", "b-move hinted now")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    bar = page.evaluate(
        "[...document.querySelectorAll('#tools button, #tools select')].filter(node => node.getClientRects().length)"
        ".map(node => { const box = node.getBoundingClientRect(); return [box.left, box.right, box.width]; })"
    )
    assert all(left >= 0 and right <= 360 and width >= 43.5 for left, right, width in bar)
    assert trouble(page) == []
    page.context.close()


def test_hints_are_not_offered_where_they_would_harm_somebody(browser: Browser, server: Server) -> None:
    match = server.make("mak-khum", [person("S"), person("N")], ruleset="turns", pace="lockstep", first="S")
    here = {**match, "tokens": {"S": match["tokens"]["S"]}}
    page = open_page(browser, server, [here])
    open_match(page, server, here)
    assert page.locator("#hint").count() == 0
    page.keyboard.press("h")
    assert said(page) == "There are no hints where people play from different screens."
    page.context.close()
    page = open_page(browser, server, [match])
    open_match(page, server, match)
    assert page.locator("#hint").count() == 1, "two at one screen both see it"
    page.context.close()


def test_a_hint_in_a_race_at_both_paces(browser: Browser, server: Server) -> None:
    for pace in ("lockstep", "steady"):
        match = server.make("mak-khum", [person("S"), computer("N", "level-2")], ruleset="single", pace=pace, seed=3)
        page = open_page(browser, server, [match])
        open_match(page, server, match)
        assert phase(page) == "race"
        page.keyboard.press("h")
        wait_for(page, "document.querySelector('.b-board .hinted')")
        assert said(page).startswith(f"Hint: {hinted(page)}")
        assert trouble(page) == []
        page.context.close()


def test_while_a_hand_drops_its_seeds_there_is_no_hint(browser: Browser, server: Server) -> None:
    match = server.make("mak-khum", [person("S"), computer("N")], ruleset="turns", pace="by_hand", first="S")
    page = open_page(browser, server, [match])
    open_match(page, server, match)
    assert page.is_enabled("#hint")
    page.keyboard.press("3")
    wait_for(page, "document.querySelector('#hint').disabled")
    page.keyboard.press("h")
    assert said(page) == "There is nothing to choose now."
    assert trouble(page) == []
    page.context.close()


def test_the_list_is_there_again_after_a_reload(browser: Browser, server: Server) -> None:
    match = server.make("mak-khum", [person("S", "An"), person("N", "Bình")], ruleset="turns", pace="lockstep", first="S", seed=1)
    page = open_page(browser, server, [match])
    open_match(page, server, match)
    for count in range(1, 5):
        page.keyboard.press(playable(page)[-1][1:])
        page.keyboard.press("Escape")
        wait_for(page, f"document.querySelectorAll('.log-list li').length === {count}")
    before = page.locator(".log-list li").all_inner_texts()
    assert any("An's store" in line or "Bình's store" in line for line in before)
    assert not any("South" in line or "North" in line for line in before), "one name for one player"
    page.reload()
    wait_for(page, "document.querySelectorAll('.log-list li').length === 4")
    assert page.locator(".log-list li").all_inner_texts() == before
    page.click(".log-list li:last-child button")
    wait_for(page, f"document.querySelector('#live').textContent === {before[-1]!r}")
    page.keyboard.press("Escape")
    page.keyboard.press(playable(page)[0][1:])
    page.keyboard.press("Escape")
    wait_for(page, "document.querySelectorAll('.log-list li').length === 5")
    assert trouble(page) == []
    page.context.close()


# ── exact players ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_player_that_plays_exactly_says_so(browser: Browser, solved: Server) -> None:
    seats = [person("S"), computer("N", "level-8")]
    match = solved.make("mak-khum", seats, ruleset="turns", pace="lockstep", first="S", options=SMALL)
    page = open_page(browser, solved, [match])
    open_match(page, solved, match)
    assert page.inner_text("[data-seat='N'] .exact") == "plays exactly"
    assert page.locator("[data-seat='S'] .exact").is_hidden()
    page.keyboard.press("2")
    wait_for(page, "document.querySelector('.log-list')?.textContent.includes('plays exactly from here on')")
    assert trouble(page) == []
    page.context.close()


def test_a_weaker_level_does_not(browser: Browser, solved: Server) -> None:
    seats = [person("S"), computer("N", "level-7")]
    match = solved.make("mak-khum", seats, ruleset="turns", pace="lockstep", first="S", options=SMALL)
    page = open_page(browser, solved, [match])
    open_match(page, solved, match)
    assert page.locator("[data-seat='N'] .exact").is_hidden()
    page.context.close()
