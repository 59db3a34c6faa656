"""People meet in the page: by link or in the lobby, with clocks and phrases; they leave and come back, and play again, without accounts."""

from __future__ import annotations

import struct
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from muang.wire import PHRASES
from web.browser import Server, computer, open_page, person, playable, trouble, wait_for
from web.test_access import faults
from web.test_looks import CUT, OUTSIDE

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on which a seat counts as absent after a moment."""
    running = Server(tmp_path_factory.mktemp("hasty"), MUANG_TIMING_AWAY="1500")
    yield running
    running.stop()


def free(seat: str | int) -> dict[str, Any]:
    """A seat for whoever opens the link."""
    return {"seat": seat, "kind": "open"}


def come(browser: Browser, server: Server, match: dict[str, Any], name: str | None, **context: Any) -> Page:
    """Somebody opens the link of a match in a browser of their own, and takes the free seat under a name; None: only looks."""
    page = open_page(browser, server, [], **context)
    page.goto(f"{server.address}{match['url']}")
    page.wait_for_selector("#board .b-board")
    if name is not None:
        page.fill("#sit-name", name)
        page.click("#sit")
        page.wait_for_selector("#sit", state="detached")
    return page


def host(browser: Browser, server: Server, match: dict[str, Any], **context: Any) -> Page:
    """The browser in which the match was made."""
    page = open_page(browser, server, [match], **context)
    page.goto(f"{server.address}{match['url']}")
    page.wait_for_selector("#board .b-board")
    return page


def two(browser: Browser, server: Server, **request: Any) -> tuple[dict[str, Any], Page, Page]:
    """Nok, who plays South and has made the match, and Lan, who has come by the link."""
    match = server.make("mak-khum", [person("S", "Nok"), free("N")], **{"ruleset": "turns", "first": "S", **request})
    nok = host(browser, server, match)
    lan = come(browser, server, match, "Lan")
    for page in (nok, lan):
        wait_for(page, "!document.body.classList.contains('gathering')")
        # who sits down may play before the own screen has come back with the seat: only then nobody is missed
        wait_for(page, "['here', 'slow'].includes(document.querySelector('#north .presence')?.dataset.state)")
    return match, nok, lan


def close(*pages: Page) -> None:
    for page in pages:
        assert trouble(page) == []
        page.context.close()


def play(page: Page) -> str:
    """A hole whose walk dies at the start, so that the turn passes; by its key."""
    wait_for(page, "document.querySelectorAll('.b-place.can').length > 0")
    names = playable(page)
    hole = next((name for name in names if name[1:] == "3"), names[0])
    page.keyboard.press(hole[1:])
    return hole


def said(page: Page, text: str) -> None:
    wait_for(page, f"document.querySelector('#offer').textContent.includes({text!r})")


def test_two_meet_by_link_and_play_again(browser: Browser, server: Server) -> None:
    """From the form to the second match, in which each has the other side."""
    nok = open_page(browser, server, [])
    nok.goto(f"{server.address}/")
    nok.click("#play-mak-khum")
    nok.check("input[name=kind-N][value=open]", force=True)
    nok.check("input[name=ruleset][value=turns]", force=True)
    nok.check("input[name=first][value=S]", force=True)
    nok.fill("input[name=name-S]", "Nok")
    assert nok.inner_text("dialog [type=submit]") == "Make the link"
    nok.click("dialog [type=submit]")
    nok.wait_for_selector(".meeting:not([hidden])")
    assert nok.input_value(".link-field") == nok.url
    wait_for(nok, "document.querySelector('.qr').complete && document.querySelector('.qr').naturalWidth > 0")
    assert "free" in nok.inner_text(".table-seats")
    assert playable(nok) == [], "nothing is played before everybody is there"
    match = {"id": nok.url.rsplit("/", 1)[1], "url": nok.url.removeprefix(server.address)}

    lan = come(browser, server, match, None)
    assert "Nok" in lan.inner_text(".table-seats")
    assert "here" in lan.inner_text(".table-seats")
    lan.fill("#sit-name", "Lan")
    lan.keyboard.press("Enter")
    wait_for(nok, "document.querySelector('#north .name').textContent === 'Lan'")
    wait_for(nok, "document.querySelector('#live').textContent === 'Everybody is here: the match begins.'")
    wait_for(lan, "document.querySelector('#south .name')?.textContent === 'Lan'")  # the own side lies near
    assert lan.get_attribute("#south .strip", "data-seat") == "N"

    third = come(browser, server, match, None)
    wait_for(third, "document.querySelector('#subtitle').textContent.startsWith('you are watching')")
    assert third.locator("#sit").count() == 0
    wait_for(nok, "document.querySelector('#subtitle').textContent.includes('one is watching')")

    hole = play(nok)
    wait_for(lan, f"document.querySelector('.log-list').textContent.includes({hole!r})")
    wait_for(third, f"document.querySelector('.log-list').textContent.includes({hole!r})")
    assert playable(third) == []

    table = server.get(f"/api/matches/{match['id']}")["table"]
    assert set(table["entropy"]) == {"S", "N"}, "both have mixed a word into the lots"
    assert table["secret"] is None
    nok.click("#resign")
    nok.click("#question .main")
    for page in (nok, lan, third):
        page.wait_for_selector("#result")
    lan.click("#result:not([data-hasty]) #rematch")
    said(lan, "waiting for Nok")
    wait_for(nok, "document.querySelector('.again-note')?.textContent.includes('Lan would like to play again')")
    nok.click("#result:not([data-hasty]) #rematch")
    for page in (nok, lan):
        page.wait_for_url(lambda url: match["id"] not in url)
        page.wait_for_selector("#board .b-board")
        wait_for(page, "!document.body.classList.contains('gathering') && document.querySelector('#south .name') !== null")
    assert nok.url == lan.url
    assert nok.inner_text("#south .name") == "Nok"
    assert nok.get_attribute("#south .strip", "data-seat") == "N", "sides have changed"
    assert lan.get_attribute("#south .strip", "data-seat") == "S"
    third.keyboard.press("Escape")
    said(third, "They play again")
    assert third.get_attribute("#offer a", "href") == nok.url.removeprefix(server.address)
    nok.goto(f"{server.address}{match['url']}")  # the old match stays where it is
    nok.wait_for_selector("#result")
    assert nok.inner_text("#offer a") == "To the next match"
    close(nok, lan, third)


def test_a_seat_stays_with_its_browser(browser: Browser, server: Server) -> None:
    """Reloaded, or opened in another tab, the page has its seat back; what was offered meanwhile is still there."""
    _, nok, lan = two(browser, server)
    lan.reload()
    lan.wait_for_selector("#board .b-board")
    wait_for(lan, "document.querySelector('#south .name')?.textContent === 'Lan'")
    tab = lan.context.new_page()
    tab.goto(lan.url)
    wait_for(tab, "document.querySelector('#south .name')?.textContent === 'Lan'")
    lan.close()
    play(nok)
    play(tab)
    tab.click("#draw")
    said(nok, "Lan offers a draw")
    nok.reload()
    said(nok, "Lan offers a draw")
    nok.click("#offer .button:not(.main)")
    wait_for(tab, "document.querySelector('#offer').hidden")
    tab.click("#takeback")
    said(nok, "Lan asks to take back a turn")
    nok.click("#offer .main")
    wait_for(tab, "document.querySelectorAll('.b-place.can').length > 0")
    tab.click("#draw")
    said(nok, "Lan offers a draw")
    nok.click("#offer .main")
    for page in (nok, tab):
        page.wait_for_selector("#result")
        assert "drawn" in page.inner_text("#result h2")
    close(nok)
    tab.context.close()


def test_whose_link_is_opened_by_others_only_watches(browser: Browser, server: Server) -> None:
    """A teacher makes the match and two children play it; a seat that stays free goes to the computer."""
    match = server.make("ca-ngua", [free(0), free(1), free(2)])
    teacher = host(browser, server, match)
    teacher.click("#just-watch")
    assert teacher.locator(".meeting:not([hidden])").count() == 0
    mai = come(browser, server, match, None)
    mai.fill("#sit-name", "Mai")
    mai.check("input[name=sit-seat][value='2']", force=True)
    mai.click("#sit")
    mai.wait_for_selector(".way-in")
    tu = come(browser, server, match, "Tú")
    wait_for(mai, "document.querySelector('.table-seats').textContent.includes('Tú')")
    mai.click("#fill-1")
    for page in (teacher, mai, tu):
        wait_for(page, "!document.body.classList.contains('gathering')")
        wait_for(page, "document.querySelector('#south').textContent.includes('computer, Level 2')")
        assert "Mai" in page.inner_text("#south .strip[data-seat='2']")
    wait_for(teacher, "document.querySelector('#subtitle').textContent.startsWith('you are watching')")
    close(teacher, mai, tu)


def test_a_seat_is_taken_once(browser: Browser, server: Server) -> None:
    """Of two who want the last seat one gets it, and the other is told and may watch."""
    match = server.make("mak-khum", [person("S", "Nok"), free("N")], ruleset="turns", first="S")
    slow = come(browser, server, match, None)
    slow.route("**/sit", lambda route: route.abort())
    slow.click("#sit")
    wait_for(slow, "document.querySelector('.sit .problem')?.textContent.includes('does not answer')")
    slow.unroute("**/sit")
    quick = come(browser, server, match, "Quick")
    wait_for(slow, "document.querySelector('#sit') === null")
    wait_for(slow, "document.querySelector('.table-seats')?.textContent.includes('Quick')")
    assert "not here yet" in slow.inner_text(".table-seats"), "Nok has not opened the match"
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(
            urllib.request.Request(f"{server.address}/api/matches/{match['id']}/sit", b"{}", {"content-type": "application/json"})
        )
    assert refused.value.code == 409
    refused.value.close()
    quick.context.close()
    slow.context.close()


def test_phrases(browser: Browser, server: Server) -> None:
    """What is said is seen beside the speaker and heard; it can be turned off; the page knows the phrases of the server."""
    _, nok, lan = two(browser, server)
    known = nok.evaluate("import('/static/phrases.js').then(({phrases}) => phrases())")
    assert dict(known) == PHRASES
    lan.click("#say")
    lan.click("[data-phrase=good-luck]")
    wait_for(nok, "document.querySelector('.bubble') !== null")
    assert nok.inner_text("#north .bubble") == "Good luck!"
    wait_for(nok, "document.querySelector('#heard').textContent === 'Lan says: Good luck!'")
    wait_for(lan, "document.querySelector('#south .bubble') !== null")
    nok.click("#say")
    nok.check("#mute")
    assert nok.locator(".bubble").count() == 0
    assert faults(nok) == []
    nok.click("[data-phrase=thanks]")
    wait_for(lan, "document.querySelector('#north .bubble')?.textContent === 'Thank you!'")
    wait_for(nok, "document.querySelector('#south .bubble')?.textContent === 'Thank you!'")
    lan.wait_for_timeout(1600)  # nobody says two things at once
    lan.click("#say")
    lan.click("[data-phrase=wow]")
    wait_for(lan, "document.querySelector('#south .bubble')?.textContent === 'Wow!'")
    assert nok.locator("#north .bubble").count() == 0
    close(nok, lan)


def test_whoever_is_away_is_waited_for(browser: Browser, hasty: Server) -> None:
    """MK-26: a countdown only while the game waits for the seat; then the computer may sit in, and the seat is taken back."""
    match, nok, lan = two(browser, hasty)
    address, tokens = lan.url, lan.evaluate("localStorage.getItem('muang.matches')")
    lan.context.close()
    wait_for(nok, "document.querySelector('#north .presence').textContent === 'not here'")
    wait_for(nok, "document.querySelector('#heard').textContent === 'Lan is not connected.'")
    assert nok.inner_text("#offer") == "", "it is not Lan's turn yet"
    play(nok)
    said(nok, "Lan is not connected. The game waits")
    said(nok, "Lan is absent")
    assert faults(nok) == []
    nok.click("#offer .button:first-of-type")
    wait_for(nok, "document.querySelector('#north').textContent.includes('computer')")
    back = open_page(browser, hasty, [])
    back.goto(f"{hasty.address}/")
    back.evaluate("kept => localStorage.setItem('muang.matches', kept)", tokens)
    back.goto(address)
    said(back, "The computer plays for you")
    back.click("#offer .main")
    wait_for(back, "document.querySelector('#offer').hidden")
    wait_for(nok, "document.querySelector('#north .name').textContent === 'Lan'")
    assert [seat["kind"] for seat in hasty.get(f"/api/matches/{match['id']}")["seats"]] == ["person", "person"]
    close(nok, back)


def test_the_win_may_be_claimed(browser: Browser, hasty: Server) -> None:
    _, nok, lan = two(browser, hasty, first="N")
    lan.context.close()
    said(nok, "Lan is absent")
    nok.get_by_role("button", name="Claim the win").click()
    nok.wait_for_selector("#result")
    assert "You have won" in nok.inner_text("#result h2")
    close(nok)


def test_clocks_of_turns(browser: Browser, server: Server) -> None:
    """The clock of whose turn it is runs on both screens; that little is left is told once, to whom it concerns; a turn sets it back."""
    _, nok, lan = two(browser, server, clock={"kind": "per-turn", "seconds": 34})
    for page, side in ((nok, "#south"), (lan, "#north")):
        page.wait_for_selector(f"{side} .turn-clock[data-state=running]")
        assert page.get_attribute(f"{side} .turn-clock", "role") == "timer"
    wait_for(nok, "document.querySelector('#heard').textContent === '30 seconds left'")
    assert "seconds" not in lan.inner_text("#heard"), "it is not Lan's time"
    play(nok)
    wait_for(lan, "document.querySelector('#south .turn-clock').dataset.state !== ''")
    wait_for(nok, "document.querySelector('#south .turn-clock').dataset.state === ''")
    assert nok.inner_text("#south .turn-clock") == "0:34"
    close(nok, lan)


def test_a_clock_may_run_out_before_an_absence(browser: Browser, server: Server) -> None:
    """MK-56: where the flag falls first, that is the time the others are told."""
    _, nok, lan = two(browser, server, clock={"kind": "per-turn", "seconds": 20})
    play(nok)
    wait_for(lan, "document.querySelectorAll('.b-place.can').length > 0")
    lan.context.close()
    said(nok, "Lan is not connected. Time left on the clock:")
    # both in one look: a second may pass between two
    told, clock = nok.evaluate("['#offer .figure', '#north .turn-clock'].map(one => document.querySelector(one).textContent)")
    assert told == clock <= "0:20"
    close(nok)


LAST_SECONDS = """import('/static/clocks.js').then(({Warner, clockText}) => {
  const told = [];
  const session = {
    table: { clocks: null }, clock: {}, clockAt: 0, view: { phase: 'turn' }, isShared: false, lostAt: null, mine: () => ['S'],
  };
  const warner = new Warner(session, text => told.push(text));
  for (const ms of [31000, 29500, 12000, 9900, 9800, 31000, 9700]) {
    session.clock = { S: ms };
    session.clockAt = performance.now();
    warner.tick();
  }
  return [told, clockText(3_725_000), clockText(65_001), clockText(9_870), clockText(-1)];
})"""


def test_the_last_seconds_are_told(browser: Browser, server: Server) -> None:
    page = open_page(browser, server, [])
    page.goto(f"{server.address}/")
    told, *clocks = page.evaluate(LAST_SECONDS)
    assert told == ["30 seconds left", "10 seconds left", "10 seconds left"]
    assert clocks == ["1:02:05", "1:06", "9.8", "0.0"]
    close(page)


def test_lobby(browser: Browser, server: Server) -> None:
    """Only matches that are to be seen are shown; one takes a seat from there, later ones watch."""
    shown = server.make("mak-khum", [person("S", "Nok"), free("N")], ruleset="turns", first="S", public=True)
    hidden = server.make("mak-khum", [person("S", "Hid"), free("N")], ruleset="turns", first="S")
    nok = host(browser, server, shown)
    page = open_page(browser, server, [], **PHONE)
    page.goto(f"{server.address}/")
    line = f".lobby li[data-match='{shown['id']}']"
    page.wait_for_selector(line)
    assert "Nok" in page.inner_text(line)
    assert page.locator(f".lobby li[data-match='{hidden['id']}']").count() == 0
    assert page.evaluate(OUTSIDE) == []
    page.click(f"{line} a")
    page.fill("#sit-name", "Lan")
    page.click("#sit")
    wait_for(nok, "document.querySelector('#north .name').textContent === 'Lan'")
    other = open_page(browser, server, [])
    other.goto(f"{server.address}/")
    other.wait_for_selector(line)
    assert other.inner_text(f"{line} a") == "Watch"
    page.goto(f"{server.address}/")
    page.wait_for_selector(line)
    assert page.inner_text(f"{line} a") == "Go on"
    close(nok, page, other)


def test_a_match_is_deleted(browser: Browser, server: Server) -> None:
    match = server.make("mak-khum", [person("S", "Nok"), computer("N")], ruleset="turns")
    other = come(browser, server, match, None)
    page = open_page(browser, server, [match])
    page.goto(f"{server.address}/")
    page.click(".recent li button")
    page.get_by_role("button", name="Delete it for everybody").click()
    page.wait_for_selector(".recent", state="detached")
    with pytest.raises(urllib.error.HTTPError) as gone:
        server.get(f"/api/matches/{match['id']}")
    assert gone.value.code == 404
    gone.value.close()
    wait_for(other, "document.querySelector('.gone')?.textContent.includes('has been deleted')")
    close(page, other)


@pytest.mark.parametrize(("lang", "look"), [("en", "light"), ("th", "dark"), ("vi", "light"), ("pt", "dark")])
def test_the_card_fits_and_can_be_used_by_all(browser: Browser, server: Server, lang: str, look: Any) -> None:
    """On phones standing and lying: nothing sticks out or is cut off, fingers find everything, axe finds nothing serious."""
    match = server.make("ca-ngua", [person(0, "Nguyễn Thị Ngọc Ánh"), free(1), free(2), computer(3)], public=True)
    sizes = [{"width": 360, "height": 740}, {"width": 740, "height": 360}, {"width": 1440, "height": 900}]
    nok = host(browser, server, match, locale=lang, color_scheme=look, **PHONE)
    guest = come(browser, server, match, None, locale=lang, color_scheme=look, **PHONE)
    for page, wanted in ((nok, ".way-in"), (guest, "#sit")):
        page.wait_for_selector(wanted)
        page.click("#fair")
        for size in sizes:
            page.set_viewport_size(size)  # type: ignore[arg-type]
            page.wait_for_timeout(50)
            assert page.evaluate(OUTSIDE) == [], size
            assert page.evaluate(CUT) == [], size
            assert small(page) == [], size
        assert lang in ("vi", "pt") or faults(page) == []
    guest.click("#sit")
    guest.wait_for_selector(".way-in")
    guest.click("#fill-2")
    for page in (nok, guest):
        page.wait_for_selector("body:not(.gathering) .strip .presence:not([hidden])")
        for size in sizes:
            page.set_viewport_size(size)  # type: ignore[arg-type]
            page.wait_for_timeout(50)
            assert page.evaluate(OUTSIDE) == [], size
            assert page.evaluate(CUT) == [], size
            assert small(page) == [], size
    assert lang in ("vi", "pt") or faults(nok) == []
    close(nok, guest)


def small(page: Page) -> list[str]:
    """What is too small for a finger: under 44 px, less what rounding takes."""
    found: list[str] = page.evaluate(
        "[...document.querySelectorAll('button, a.button, select, input:not([type=radio], [type=checkbox]), summary, .choice')]"
        ".filter(node => node.getClientRects().length && !node.closest('.skip, .log-list'))"
        ".map(node => [node.outerHTML.slice(0, 80), node.getBoundingClientRect()])"
        ".filter(([, box]) => box.height < 43.5 || box.width < 43.5).map(([html, box]) => `${html} ${box.width}x${box.height}`)"
    )
    return found


def test_sound_is_off_until_it_is_wanted(browser: Browser, server: Server) -> None:
    match = server.make("mak-khum", [person("S"), computer("N")], ruleset="turns", first="S")
    page = host(browser, server, match)
    sound = "import('/static/sound.js').then(({sound}) => [sound.volume, sound.last])"
    wait_for(page, "document.querySelectorAll('.b-place.can').length > 0")
    assert page.evaluate(sound) == [0, "turn"], "asked for, and not heard"
    page.click("#bar [aria-label=Sound]")
    page.fill("#volume", "60")
    assert page.inner_text(".volume output") == "60 %"
    page.keyboard.press("Escape")
    play(page)
    page.reload()
    page.wait_for_selector("#board .b-board")
    assert page.evaluate(sound)[0] == 0.6
    close(page)


def test_the_page_says_when_it_is_offline(browser: Browser, server: Server) -> None:
    page = open_page(browser, server, [])
    page.goto(f"{server.address}/")
    page.wait_for_selector(".lobby:not([hidden])")
    page.context.set_offline(True)
    wait_for(page, "document.querySelector('.trouble:not([hidden])')?.textContent.includes('offline')")
    page.context.set_offline(False)
    page.wait_for_selector(".trouble", state="hidden")
    page.context.close()


def test_it_can_be_installed(server: Server) -> None:
    """The manifest names pictures of the sizes that they have."""
    with urllib.request.urlopen(f"{server.address}/static/manifest.webmanifest") as answer:
        assert "json" in answer.headers["content-type"]
    for icon in server.get("/static/manifest.webmanifest")["icons"]:
        with urllib.request.urlopen(server.address + icon["src"]) as answer:
            picture = answer.read()
        if icon["type"] == "image/png":
            assert picture[:8] == b"\x89PNG\r\n\x1a\n"
            wide, high = struct.unpack(">II", picture[16:24])
            assert f"{wide}x{high}" == icon["sizes"]
