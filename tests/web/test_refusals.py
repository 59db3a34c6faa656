"""What the page says when something is refused, offered or not there: in the reader's language, in sight, beside a whole board."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser

from muang.i18n import LANGUAGES, translate
from muang.wire.refusals import REFUSALS
from web.browser import Server, open_match, open_page, person, trouble, wait_for
from web.test_looks import OUTSIDE

pytestmark = pytest.mark.browser

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
LYING: dict[str, Any] = {"viewport": {"width": 740, "height": 360}, "has_touch": True}


def test_a_refusal_is_told_in_the_readers_language_and_in_sight(browser: Browser, server: Server) -> None:
    match = server.make("mak-khum", [person("S", "Nok"), person("N", "Lan")], ruleset="turns")
    tokens = match["tokens"]
    others = [{**match, "id": f"{match['id'][:-1]}{letter}", "tokens": {}} for letter in "abcdef"]
    for seat in ("S", "N"):  # both have been there: now it is no longer only the maker's
        there = open_page(browser, server, [{**match, "tokens": {seat: tokens[seat]}}])
        open_match(there, server, match)
        there.context.close()
    page = open_page(browser, server, [{**match, "tokens": {"S": tokens["S"]}}, *others], locale="th", **PHONE)
    page.goto(f"{server.address}/")
    row = page.locator(".recent li", has=page.locator(f"a[href*='{match['id']}']"))
    row.wait_for()  # the page has its words by then
    assert page.evaluate("import('/static/refusals.js').then(({refusals}) => refusals())") == {
        code: translate(text, "th") for code, text in REFUSALS.items()
    }
    row.locator("button").click()
    page.get_by_role("button", name=translate("Delete it for everybody", "th")).click()
    told = page.get_by_text(translate(REFUSALS["still-played"], "th"))
    told.wait_for()
    box = told.bounding_box()
    assert box is not None
    assert 0 <= box["y"] < 740
    page.context.close()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_offer_leaves_the_board_of_a_lying_phone_its_size(browser: Browser, server: Server, lang: str) -> None:
    match = server.make("mak-khum", [person("S", "Nok"), person("N", "Magdalena")], ruleset="turns", first="S")
    nok = open_page(browser, server, [{**match, "tokens": {"S": match["tokens"]["S"]}}], locale=lang, **LYING)
    other = open_page(browser, server, [{**match, "tokens": {"N": match["tokens"]["N"]}}])
    for page in (nok, other):
        open_match(page, server, match)
    wide = "document.querySelector('#board .b-board').getBoundingClientRect().width"
    before = nok.evaluate(wide)
    other.get_by_role("button", name="Offer a draw").click()
    nok.wait_for_selector("#offer .button.main")
    nok.wait_for_timeout(150)
    assert nok.evaluate(wide) >= before * 0.97
    assert nok.evaluate(OUTSIDE) == []
    assert all(
        size >= 40 for size in nok.evaluate("[...document.querySelectorAll('#offer .button')].map(n => n.getBoundingClientRect().height)")
    )
    nok.click("#offer .button:not(.main)")
    nok.wait_for_selector("#offer", state="hidden")
    assert trouble(nok) == []
    for page in (nok, other):
        page.context.close()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_narrow_pages_have_room_for_their_words(browser: Browser, server: Server, lang: str) -> None:
    """The list of languages above the rules, and the sentence where there is no match."""
    page = open_page(browser, server, [], locale=lang, **PHONE)
    page.goto(f"{server.address}/rules/mak-khum")
    box = page.locator("select.language").bounding_box()
    assert box is not None
    assert box["width"] >= 80
    assert page.evaluate(OUTSIDE) == []
    page.goto(f"{server.address}/play/no-such-match-0123456789")
    wait_for(page, "document.querySelector('.gone') !== null")
    box = page.locator(".gone").bounding_box()
    assert box is not None
    assert abs(box["x"] + box["width"] / 2 - 180) < 5
    button = page.locator(".gone .button").bounding_box()
    assert button is not None
    assert button["height"] < 60
    page.context.close()
