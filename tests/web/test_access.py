"""Everybody can use the pages: axe finds no serious fault in any language or look, languages switch, less motion is honoured."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from web.browser import Server, computer, open_match, open_page, person, playable, seeds, trouble, wait_for

pytestmark = pytest.mark.browser

LANGUAGES = {"en": "Play", "th": "เล่น", "vi": "Chơi", "pt": "Jogar"}


def faults(page: Page) -> list[str]:
    """Serious and critical findings of axe, each with the elements it means."""
    results: dict[str, Any] = Axe().run(page).response
    return [
        f"{found['id']}: {[node['html'][:120] for node in found['nodes']][:3]}"
        for found in results["violations"]
        if found["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_axe_finds_nothing_serious(browser: Browser, server: Server, lang: str) -> None:
    matches = [
        server.make("mak-khum", [person("S", "Nok"), computer("N")], pace="steady", first="S"),
        server.make("abalalae", [person("S"), person("N")], ruleset="turns", pace="by_hand", first="S"),
        server.make("ca-ngua", [person(0), person(2)], first=0, seed=1),
    ]
    # each look in two languages: colours are the same in all of them
    for look in ("light",) if lang in ("en", "vi") else ("dark",):
        page = open_page(browser, server, matches, locale=lang, color_scheme=look)
        page.goto(f"{server.address}/")
        page.wait_for_selector(".game")
        page.wait_for_load_state("networkidle")
        assert faults(page) == [], f"start page, {lang}, {look}"
        page.click("#play-mak-khum")
        page.click("#house-rules")
        assert faults(page) == [], f"the form, {lang}, {look}"
        for match in matches:
            open_match(page, server, match)
            page.wait_for_timeout(100)
            assert faults(page) == [], f"{match['game']}, {lang}, {look}"
        page.keyboard.press("?")
        assert faults(page) == [], f"help, {lang}, {look}"
        page.keyboard.press("Escape")
        page.goto(f"{server.address}/rules/ca-ngua?lang={lang}")
        page.wait_for_selector("#bar select")
        assert faults(page) == [], f"rules, {lang}, {look}"
        page.context.close()


def test_the_result_is_told_well(browser: Browser, server: Server) -> None:
    """Resigning asks first; the result is a named dialog that axe has nothing against."""
    match = server.make("mak-khum", [person("S", "Nok"), computer("N")], ruleset="turns", pace="lockstep", first="S")
    page = open_page(browser, server, [match])
    open_match(page, server, match)
    page.click("#resign")
    page.wait_for_selector("#question")
    page.click("#question .main")
    page.wait_for_selector("#result")
    assert "North wins" in page.inner_text("#result h2")
    assert "resigned" in page.inner_text("#result .reason")
    assert faults(page) == []
    page.click("#result:not([data-hasty]) #rematch")
    page.wait_for_url(lambda url: match["id"] not in url)
    page.wait_for_selector("#board .b-board")
    assert "Nok" in page.inner_text("#south"), "sides have changed: Nok is North now, and has the board turned round"
    assert "▼" in page.inner_text("#south")
    assert trouble(page) == []
    page.context.close()


def test_languages_switch(browser: Browser, server: Server) -> None:
    """The browser's language first, then the chosen one, on every page and for screen readers too."""
    match = server.make("mak-khum", [person("S"), person("N")], ruleset="turns", pace="lockstep", first="S")
    page = open_page(browser, server, [match], locale="pt-BR")
    page.goto(f"{server.address}/")
    page.wait_for_selector(".game")
    for lang, play in [("th", "เล่น"), ("pt", "Jogar"), ("en", "Play"), ("vi", "Chơi")]:
        page.select_option("#language", lang)
        wait_for(page, f"document.documentElement.lang === '{lang}'")
        assert play in page.inner_text("#play-mak-khum")
        assert page.evaluate("document.activeElement.id") == "language", "the focus stays"
    open_match(page, server, match)
    assert page.evaluate("document.documentElement.lang") == "vi"
    vietnamese = page.get_attribute("[data-place=S1][role=button]", "aria-label")
    page.keyboard.press("1")
    wait_for(page, "document.querySelector('#live').textContent !== ''")
    told = page.inner_text("#live")
    page.select_option("#language", "th")
    wait_for(page, "document.documentElement.lang === 'th'")
    assert page.get_attribute("[data-place=S1][role=button]", "aria-label") != vietnamese
    assert page.inner_text(".log-list li") != told
    style = "(({lineHeight, fontSize}) => parseFloat(lineHeight) / parseFloat(fontSize))(getComputedStyle(document.querySelector('#live')))"
    assert page.evaluate(style) >= 1.6, "Thai stacks its marks"
    page.goto(f"{server.address}/rules/mak-khum")
    page.select_option("#bar select", "pt")
    page.wait_for_url("**lang=pt*")
    assert page.evaluate("document.documentElement.lang") == "pt"
    assert trouble(page) == []
    page.context.close()


def test_less_motion(browser: Browser, server: Server) -> None:
    """Nothing moves, but what happened stands long enough to be read, and the board is right at once."""
    match = server.make("mak-khum", [person("S"), person("N")], ruleset="turns", pace="lockstep", first="S")
    page = open_page(browser, server, [match], reduced_motion="reduce")
    open_match(page, server, match)
    page.keyboard.press("3")
    wait_for(page, "document.querySelector('[data-place=S3] .b-digits').textContent !== '7'")
    assert seeds(page)["SH"] == "9", "S3 from the start dies with nine seeds at home"
    wait_for(page, "document.querySelector('#live').textContent.includes('S3')")
    assert playable(page)[0][0] == "N"
    assert trouble(page) == []
    page.context.close()


def test_a_turn_is_taken_back_and_a_draw_agreed(browser: Browser, server: Server) -> None:
    match = server.make("mak-khum", [person("S"), person("N")], ruleset="turns", pace="lockstep", first="S")
    page = open_page(browser, server, [match])
    open_match(page, server, match)
    before = seeds(page)
    page.keyboard.press("3")
    wait_for(page, "document.querySelector('#live').textContent.includes('S3')")
    assert seeds(page) != before
    page.click("#takeback")
    wait_for(page, "document.querySelector('#live').textContent.includes('taken back')")
    assert seeds(page) == before
    assert {name[0] for name in playable(page)} == {"S"}
    page.click("#draw")
    page.click("#question .main")
    page.wait_for_selector("#result")
    assert "drawn" in page.inner_text("#result h2")
    assert trouble(page) == []
    page.context.close()
