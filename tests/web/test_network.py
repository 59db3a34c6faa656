"""Matches over bad lines: delayed, broken off, reloaded in the middle, the server killed under all of them. All end in the same state."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from web.browser import Server, open_page, person, phase, trouble, wait_for
from web.link import Link
from web.racing import at_rest, at_server, both_ready, enter, race_on, settled

pytestmark = pytest.mark.browser

AWAY_MS = 10_000
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}


@pytest.fixture(scope="module")
def mortal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that is killed."""
    running = Server(tmp_path_factory.mktemp("mortal"))
    yield running
    running.stop()


def line(server: Server, trip: float, jitter: float, seed: int) -> Link:
    """A line with so much delay."""
    return Link(server.port, trip, jitter, seed)


def in_step(pages: list[Page], seconds: float = 30) -> None:
    """Until all pages are connected again."""
    for page in pages:
        wait_for(page, "document.querySelector('#link')?.hidden", seconds)


def test_a_race_over_bad_lines(browser: Browser, mortal: Server) -> None:
    far, near = line(mortal, 250, 30, 1), line(mortal, 20, 5, 2)
    seats, small = [person("S", "Nok"), person("N", "Lek")], {"holes": 5, "seeds": 4}
    match = mortal.make("mak-khum", seats, ruleset="single", options=small, pace="by_hand", min_gap=20)
    nok = enter(browser, mortal, match, "S", line=far)
    lek = enter(browser, mortal, match, "N", line=near, **PHONE)
    third = enter(browser, mortal, match)
    pages = [nok, lek, third]
    wait_for(third, "document.querySelector('.racers li[data-seat=S] .slow') !== null")
    assert "not ready yet" in lek.inner_text(".racers")
    both_ready(nok, lek)
    for page in (nok, lek):
        page.keyboard.press("2")
        for _ in range(3):
            page.keyboard.press("Space")

    lek.reload()
    lek.wait_for_selector("#board .b-board")
    wait_for(lek, "document.body.dataset.phase !== undefined")
    for page in pages:
        settled(page, mortal, match)
    assert phase(lek) == "race"
    lek.keyboard.press("Space")

    far.cut()
    nok.wait_for_selector("#link:not([hidden])")
    assert "Reconnecting" in nok.inner_text("#link")
    nok.keyboard.press("Space")  # seen here, and sent when somebody hears it
    nok.wait_for_timeout(AWAY_MS)
    far.mend()
    in_step([nok])
    for page in pages:
        settled(page, mortal, match)

    before = at_rest(mortal, match)  # what was pressed without a network has come
    mortal.kill()
    for page in pages:
        page.wait_for_selector("#link:not([hidden])")
    mortal.start()
    in_step(pages)
    assert at_server(mortal, match) == before
    wait_for(nok, "!document.querySelector('.race-clock').hidden && document.querySelector('.countdown').textContent === ''")
    race_on(nok, lek)
    for page in pages:
        settled(page, mortal, match)
    lags = [entry.get("lag", 0) for entry in mortal.get(f"/api/matches/{match['id']}/record.json")["entries"] if entry.get("seat") == "S"]
    assert max(lags) > 0, "what came late was dated back, and the record says so"

    nok.click("#resign")
    nok.click("#question .button.main")
    for page in pages:
        page.wait_for_selector("#result")
        assert "Lek wins" in page.inner_text("#result") or "You have won" in page.inner_text("#result")
    wait_for(lek, "document.querySelector('#result').textContent.includes('dated back')")
    for page in pages:
        assert trouble(page) == []
        page.context.close()
    far.close()
    near.close()


def horses(page: Page) -> str:
    """The whole board as it is told to those who do not see it."""
    return str(page.evaluate("document.querySelector('#board desc').textContent"))


def whose_turn(pages: dict[int, Page], server: Server, match: dict[str, Any]) -> Page | None:
    """The page that has to move, if one has."""
    view = server.get(f"/api/matches/{match['id']}")["match"]
    return pages.get(view["turn"]) if view["phase"] == "move" else None


def play_on(pages: dict[int, Page], server: Server, match: dict[str, Any], moves: int) -> None:
    """So many more moves, each made by whoever has to make it."""
    end = time.monotonic() + 90
    while moves:
        assert time.monotonic() < end
        page = whose_turn(pages, server, match)
        if page is None:
            time.sleep(0.02)
            continue
        version = server.get(f"/api/matches/{match['id']}")["version"]
        page.keyboard.press("Enter")
        page.wait_for_timeout(60)
        moves -= server.get(f"/api/matches/{match['id']}")["version"] > version


def leave(page: Page) -> None:
    """Leave the match for good; on a phone the button is in the sheet with everything else."""
    if not page.is_visible("#resign"):
        page.click("#open-more")
    page.click("#resign")
    page.click("#question .button.main")


def test_four_play_cờ_cá_ngựa_and_one_leaves(browser: Browser, mortal: Server) -> None:
    match = mortal.make("ca-ngua", [person(seat, name) for seat, name in enumerate(("Anh", "Bình", "Chi", "Dũng"))])
    lines = [line(mortal, trip, 10, seat) for seat, trip in enumerate((20, 60, 120, 250))]
    pages: dict[int, Page] = {}
    for seat in range(4):
        page = open_page(browser, mortal, [{**match, "tokens": {str(seat): match["tokens"][str(seat)]}}], **(PHONE if seat == 3 else {}))
        page.goto(f"{lines[seat].address}{match['url']}")
        page.wait_for_selector("#board .b-board")
        pages[seat] = page
    play_on(pages, mortal, match, 4)
    leave(pages[3])
    wait_for(pages[0], "document.querySelector('.strip[data-seat=\"3\"]').textContent.includes('has left')")
    play_on(pages, mortal, match, 3)

    mortal.kill()
    for page in pages.values():
        page.wait_for_selector("#link:not([hidden])")
    mortal.start()
    in_step(list(pages.values()))
    play_on(pages, mortal, match, 3)
    leave(pages[1])
    wait_for(pages[2], "document.querySelector('.strip[data-seat=\"1\"]').textContent.includes('has left')")
    leave(pages[2])
    for page in pages.values():
        page.wait_for_selector("#result")
        assert "Anh wins" in page.inner_text("#result") or "You have won" in page.inner_text("#result")
        page.wait_for_selector("#result .rolls")
    assert len({horses(page) for page in pages.values()}) == 1, "the same board everywhere"
    info = mortal.get(f"/api/matches/{match['id']}/dice")
    assert info["secret"] in pages[0].inner_text("#result")
    for page in pages.values():
        assert trouble(page) == []
        page.context.close()
    for one in lines:
        one.close()
