"""How the pages lie on small and wide screens: nothing overlaps, nothing has to be scrolled sideways, everything fits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from web.browser import Server, computer, open_match, open_page, person, trouble, wait_for

pytestmark = pytest.mark.browser

SIZES = {"360": {"width": 360, "height": 740}, "1440": {"width": 1440, "height": 900}}

LOOKS = [("en", "360"), ("th", "360"), ("vi", "360"), ("pt", "360"), ("en", "1440"), ("th", "1440")]
"""Every language where it is narrow; where it is wide, the plain one and the one with the tallest letters."""

OVERLAPS = """() => {
  const seen = node => {
    const style = getComputedStyle(node), box = node.getBoundingClientRect();
    return style.visibility !== 'hidden' && style.opacity !== '0' && box.width > 2 && box.height > 2 && !node.closest('[hidden], .unseen');
  };
  const root = document.querySelector('dialog[open]') || document.body;
  const wanted = 'a, button, input, select, summary, h1, h2, h3, p, td, th, .clause, #board .b-board, '
    + '.strip .who, .strip .status, .strip .score';
  const apart = '.skip, .log-list, svg *, .race-card, #round';
  const nodes = [...root.querySelectorAll(wanted)].filter(seen).filter(node => !node.closest(apart));
  const found = [];
  // what is scrolled out of its box is not seen there
  const clip = node => {
    let box = node.getBoundingClientRect();
    let [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom];
    for (let up = node.parentElement; up; up = up.parentElement) {
      if (getComputedStyle(up).overflowY === 'visible') continue;
      const edge = up.getBoundingClientRect();
      [left, top] = [Math.max(left, edge.left), Math.max(top, edge.top)];
      [right, bottom] = [Math.min(right, edge.right), Math.min(bottom, edge.bottom)];
    }
    return { left, top, right, bottom };
  };
  const boxes = nodes.map(clip);
  nodes.forEach((one, i) => nodes.slice(i + 1).forEach((other, k) => {
    if (one.contains(other) || other.contains(one) || one.closest('label') && one.closest('label') === other.closest('label')) return;
    const a = boxes[i], b = boxes[i + 1 + k];
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    const text = [one, other].map(node => node.outerHTML.slice(0, 60)).join(' over ');
    if (wide > 1.5 && high > 1.5) found.push(`${text} (${wide | 0} x ${high | 0})`);
  }));
  return found;
}"""

OUTSIDE = """() => [...document.querySelectorAll('body *')].filter(node => {
  const box = node.getBoundingClientRect(), style = getComputedStyle(node);
  if (style.visibility === 'hidden' || box.width <= 2) return false;
  if (node.closest('.unseen, .skip, dialog:not([open]), .b-board *')) return false;
  if (style.position === 'absolute' && style.clipPath !== 'none') return false;
  return box.right > innerWidth + 1 || box.left < -1;
}).map(node => node.outerHTML.slice(0, 90))"""

CUT = """() => [...document.querySelectorAll('button, .strip .name, .strip .status, a.button, .heading strong')].filter(node =>
  node.getClientRects().length && getComputedStyle(node).visibility !== 'hidden' && node.scrollWidth > node.clientWidth + 1
  && getComputedStyle(node).overflow !== 'visible').map(node => `${node.className}: ${node.textContent}`)"""


def check(page: Page, tmp_path: Path, name: str, one_screen: bool) -> None:
    page.screenshot(path=str(tmp_path / f"{name}.png"))
    measures: dict[str, Any] = page.evaluate(
        "(({scrollWidth, scrollHeight}) => ({wide: scrollWidth, high: scrollHeight, width: innerWidth, height: innerHeight}))"
        "(document.documentElement)"
    )
    assert measures["wide"] <= measures["width"], f"{name} scrolls sideways: {measures}"
    if one_screen:
        assert measures["high"] <= measures["height"], f"{name} does not fit on the screen: {measures}"
    assert page.evaluate(OUTSIDE) == [], name
    assert page.evaluate(OVERLAPS) == [], name
    assert page.evaluate(CUT) == [], name


@pytest.mark.parametrize(("lang", "size"), LOOKS)
def test_start_page(browser: Browser, server: Server, tmp_path: Path, lang: str, size: str) -> None:
    page = open_page(browser, server, [], viewport=SIZES[size], locale=lang)
    page.goto(f"{server.address}/")
    page.wait_for_selector(".game")
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.lang") == lang
    check(page, tmp_path, f"start-{lang}-{size}", one_screen=False)
    for game in ("mak-khum", "ca-ngua"):
        page.click(f"#play-{game}")
        page.click("#house-rules")
        check(page, tmp_path, f"setup-{game}-{lang}-{size}", one_screen=False)
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")
    assert trouble(page) == []
    page.context.close()


@pytest.mark.parametrize(("lang", "size"), LOOKS)
def test_boards(browser: Browser, server: Server, tmp_path: Path, lang: str, size: str) -> None:
    four: list[str | int] = [0, 1, 2, 3]
    matches = [
        server.make("mak-khum", [person("S"), computer("N")], ruleset="turns", pace="lockstep", first="S"),
        server.make("abalalae", [person("S", "Nguyễn Thị Hương"), person("N", "นกแก้ว")], ruleset="turns", pace="by_hand", first="S"),
        server.make("ca-ngua", [person(seat, f"Đặng {seat}") for seat in four], first=0, seed=1),
        server.make("mak-khum", [person("S"), person("N")], pace="steady", first="S"),
    ]
    page = open_page(browser, server, matches, viewport=SIZES[size], locale=lang)
    for match in matches:
        open_match(page, server, match)
        page.wait_for_timeout(150)
        check(page, tmp_path, f"{match['game']}-{match['request'].get('pace')}-{lang}-{size}", one_screen=True)
        board = page.evaluate("(({width, height}) => ({width, height}))(document.querySelector('#board').getBoundingClientRect())")
        share = board["width"] * board["height"] / (SIZES[size]["width"] * SIZES[size]["height"])
        assert share > 0.25, "the board has the most of the screen"
    assert trouble(page) == []
    page.context.close()


@pytest.mark.parametrize(("width", "height"), [(740, 360), (820, 1180), (360, 640), (1024, 700)])
def test_other_screens(browser: Browser, server: Server, tmp_path: Path, width: int, height: int) -> None:
    """Phones lying and small, tablets standing, small windows."""
    matches = [
        server.make("mak-khum", [person("S"), person("N")], ruleset="turns", pace="by_hand", first="S"),
        server.make("abalalae", [person("S"), computer("N")], ruleset="turns", pace="lockstep", first="S"),
        server.make("ca-ngua", [person(0), computer(2)], first=0, seed=1),
    ]
    page = open_page(browser, server, matches, viewport={"width": width, "height": height})
    for match in matches:
        open_match(page, server, match)
        page.wait_for_timeout(150)
        check(page, tmp_path, f"{match['game']}-{width}", one_screen=True)
    page.context.close()


def test_every_button_has_room_on_a_small_lying_phone(browser: Browser, server: Server, tmp_path: Path) -> None:
    """Where the words are longest."""
    match = server.make("mak-khum", [person("S"), person("N")], ruleset="turns", first="S")
    page = open_page(browser, server, [match], viewport={"width": 640, "height": 360}, has_touch=True)
    page.goto(f"{server.address}{match['url']}?lang=vi")
    page.wait_for_selector("#board .b-board")
    check(page, tmp_path, "mak-khum-640-vi", one_screen=True)
    seen = "[...document.querySelectorAll('#tools button')].filter(n => n.offsetParent)"
    ends = page.evaluate(f"{seen}.map(n => n.getBoundingClientRect().right)")
    assert ends
    assert max(ends) <= 640
    page.context.close()


@pytest.mark.parametrize("upright", [True, False])
def test_holes_are_large_enough_to_touch(browser: Browser, server: Server, upright: bool) -> None:
    """On a phone every hole answers within 44 px."""
    match = server.make("mak-khum", [person("S"), person("N")], ruleset="turns", pace="lockstep", first="S")
    page = open_page(browser, server, [match], viewport=SIZES["360" if upright else "1440"], has_touch=upright)
    open_match(page, server, match)
    wait_for(page, f"document.querySelector('.b-board').classList.contains('b-is-{'upright' if upright else 'wide'}')")
    sizes = page.evaluate("[...document.querySelectorAll('.b-hole .b-hit')].map(n => n.getBoundingClientRect().width)")
    assert len(sizes) == 14
    assert min(sizes) >= 44
    page.context.close()
