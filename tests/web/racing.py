"""Helpers of the tests in which people race from browsers of their own. Owns no test."""

from __future__ import annotations

import time
from typing import Any

from playwright.sync_api import Browser, Page

from web.browser import Server, open_page, phase, playable, seeds, wait_for
from web.link import Link


def only(match: dict[str, Any], *seats: str) -> dict[str, Any]:
    """What a browser knows that holds these seats alone."""
    return {**match, "tokens": {seat: match["tokens"][seat] for seat in seats}}


def enter(browser: Browser, server: Server, match: dict[str, Any], *seats: str, line: Link | None = None, **context: Any) -> Page:
    """A browser of its own at the match, holding these seats; over a line, if one is given."""
    page = open_page(browser, server, [only(match, *seats)], **context)
    page.goto(f"{(line or server).address}{match['url']}")
    page.wait_for_selector("#board .b-board")
    wait_for(page, "document.body.dataset.phase !== undefined")
    return page


def both_ready(*pages: Page) -> None:
    """Everybody says that they are ready; the race has begun on all screens."""
    for page in pages:
        page.locator(".race-card:not(.meeting) .button").click()
    for page in pages:
        page.wait_for_selector(".race-clock:not([hidden])")


def holds(page: Page, seat: str) -> str:
    """What a hand shows on the board; "" for none."""
    return str(
        page.evaluate(
            "seat => { const hand = document.querySelector(`.b-hand-${seat}`);"
            " return hand.classList.contains('gone') ? '' : hand.querySelector('text').textContent }",
            seat,
        )
    )


def at_server(server: Server, match: dict[str, Any]) -> dict[str, str]:
    """The seeds as the server has them, in the words of ``seeds``."""
    board = server.get(f"/api/matches/{match['id']}")["match"]["board"]
    shown = {f"{seat}{i}": "" if count is None else str(count) for seat in "SN" for i, count in enumerate(board[seat], start=1)}
    return {**shown, **{f"{seat}H": str(board["stores"][seat]) for seat in "SN"}}


def settled(page: Page, server: Server, match: dict[str, Any]) -> None:
    """Until a page shows what the server has."""
    end = time.monotonic() + 15
    while (shown := seeds(page)) != (wanted := at_server(server, match)):
        assert time.monotonic() < end, f"the page shows {shown}, the server has {wanted}"
        page.wait_for_timeout(30)


def comes_to_show(page: Page, hand: str | None = None, **wanted: str) -> None:
    """Until a page shows these seeds, and South's hand so many: what is pressed last may still be on its way when all else is settled."""
    end = time.monotonic() + 15
    while True:
        shown = seeds(page)
        if all(shown[place] == count for place, count in wanted.items()) and (hand is None or holds(page, "S") == hand):
            return
        assert time.monotonic() < end, f"the page shows {shown}, {holds(page, 'S')} in South's hand, not {wanted}, {hand}"
        page.wait_for_timeout(30)


def at_rest(server: Server, match: dict[str, Any]) -> dict[str, str]:
    """The seeds as the server has them once nothing more comes in that was made before."""
    end = time.monotonic() + 20
    found = at_server(server, match)
    while True:
        time.sleep(1)
        again, found = found, at_server(server, match)
        if again == found:
            return found
        assert time.monotonic() < end


def race_on(*pages: Page) -> None:
    """Drop and lift whatever can be, turn about, until the race is over on all screens."""
    end = time.monotonic() + 120
    while any(phase(page) == "race" for page in pages):
        assert time.monotonic() < end, [page.inner_text("#live") for page in pages]
        for page in pages:
            names = [name for name in playable(page) if name[1:].isdigit()]
            if names:
                page.keyboard.press(names[0][1:])
            page.keyboard.press("Space")
