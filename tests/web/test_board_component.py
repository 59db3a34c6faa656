"""The board component alone in Chromium: keys (MK-57, CN-40), touch, slips, names, motion that never holds anything up."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

import muang
from muang.games.lots import dice
from muang.records.layout import layouts

pytestmark = pytest.mark.browser

STATIC = Path(muang.__file__).parent / "web" / "static"

HARNESS = b"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>board</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><link rel="icon" href="data:,">
<link rel="stylesheet" href="/app.css"><link rel="stylesheet" href="/board.css"></head>
<body><main><h1 class="unseen">board</h1><input aria-label="field" id="field"><div id="host"></div></main>
<script type="module" src="/harness.js"></script></body></html>"""

SCRIPT = b"""
import { createBoard } from "/board/board.js";
const t = (text, args = {}) => text.replace(/\\{(\\w+)\\}/g, (whole, name) => (name in args ? String(args[name]) : whole));
globalThis.make = ({ layout, view, mine, keys, reducedMotion }) => {
  globalThis.board?.destroy();
  globalThis.acts = [];
  globalThis.board = createBoard(document.getElementById("host"), {
    layout, t, keys, reducedMotion, onAct: (seat, action) => acts.push([seat, action]),
  });
  board.show(view, { mySeats: mine });
};
globalThis.shown = () => ({
  counts: Object.fromEntries([...document.querySelectorAll("[data-place]")].filter((n) => n.getAttribute("role")).map((n) => [
    n.dataset.place, n.querySelector(".b-digits").textContent])),
  hands: Object.fromEntries(["S", "N"].map((seat) => {
    const node = document.querySelector(`.b-hand-${seat}`);
    return [seat, node.classList.contains("gone") ? null : node.querySelector("text").textContent];
  })),
});
globalThis.ready = true;
"""


class Handler(http.server.SimpleHTTPRequestHandler):
    """The static files as the server gives them, under the same strict policy, and the page of this test."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, directory=str(STATIC), **more)

    def do_GET(self) -> None:
        own = {"/": (HARNESS, "text/html"), "/harness.js": (SCRIPT, "text/javascript")}.get(self.path)
        if own is None:
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", own[1])
        self.end_headers()
        self.wfile.write(own[0])

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", "default-src 'self'; img-src 'self' data:")
        super().end_headers()

    def log_message(self, *args: Any) -> None:
        pass


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
    thread.join()


Open = Callable[..., Page]


@pytest.fixture
def board(browser: Browser, address: str) -> Iterator[Open]:
    """Opens a page with one board; fails if the page complained about anything."""
    complaints: list[str] = []
    contexts = []

    def open_board(view: dict[str, Any], mine: list[Any], width: int = 1200, height: int = 800, touch: bool = False, **more: Any) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height}, has_touch=touch, reduced_motion=more.pop("system", "no-preference")
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address)
        page.evaluate("() => new Promise((done) => { const look = () => (globalThis.ready ? done() : setTimeout(look, 10)); look(); })")
        page.evaluate("(one) => make(one)", {"layout": layouts(view), "view": view, "mine": mine, **more})
        return page

    yield open_board
    for context in contexts:
        context.close()
    assert not complaints


def acts(page: Page) -> list[list[Any]]:
    result: list[list[Any]] = page.evaluate("() => globalThis.acts.splice(0)")
    return result


def focused(page: Page) -> str | None:
    return page.evaluate("() => document.activeElement.dataset?.place ?? document.activeElement.dataset?.move ?? null")


def name_of(page: Page, place: str) -> str:
    return page.locator(f'[role=button][data-place="{place}"]').get_attribute("aria-label") or ""


def middle(page: Page, place: str) -> tuple[float, float]:
    x, y = page.evaluate(
        """(place) => { const box = document.querySelector(`[role=button][data-place="${place}"] > .b-hit`).getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2]; }""",
        place,
    )
    return x, y


def drawn(view: dict[str, Any]) -> dict[str, Any]:
    board = view["board"]
    counts = {f"{seat}{i}": "" if n is None else str(n) for seat in "SN" for i, n in enumerate(board[seat], 1)}
    counts |= {f"{seat}H": str(board["stores"][seat]) for seat in "SN"}
    hands = {seat: str(hand["seeds"]) if hand else None for seat, hand in view["hands"].items()}
    return {"counts": counts, "hands": hands}


def turns(**options: Any) -> Any:
    return muang.game("mak-khum", ruleset="turns", **options).start(seed=1, first="S")


def racing(pace: str) -> Any:
    return muang.game("mak-khum").start(seed=1, pace=pace)


def widowed() -> dict[str, Any]:
    """A hand of South at S3 with two widows next on its path."""
    view: dict[str, Any] = turns().view()
    view["pace"] = "by_hand"
    view["board"]["S"] = [7, 7, 0, None, None, 7, 7]
    view["hands"]["S"] = {"at": "S3", "seeds": 7}
    view["legal"] = {"S": ["drop", "slip"]}
    return view


# ── keys ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_MK_57_digits_choose_holes_of_the_main_keyboard(board: Open) -> None:
    page = board(turns().view(), ["S"])
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Numpad3")
    assert acts(page) == []
    page.keyboard.press("Digit3")
    assert acts(page) == [["S", "S3"]]
    assert focused(page) == "S3"
    # the same view is not acted on twice
    page.keyboard.press("Digit4")
    assert acts(page) == []


def test_a_digit_of_a_hole_that_cannot_be_played_only_goes_there(board: Open) -> None:
    view = turns().play("S", "S3").view()
    view["turn"], view["to_act"], view["legal"] = "S", ["S"], {"S": ["S1"]}
    page = board(view, ["S"])
    page.locator('[data-place="S1"]').last.focus()
    page.keyboard.press("Digit3")
    assert acts(page) == []
    assert focused(page) == "S3"


@pytest.mark.parametrize("key", ["Enter", "Space", "Numpad5", "NumpadEnter"])
def test_MK_57_centre_keys_lift_the_focused_hole(board: Open, key: str) -> None:
    page = board(turns().view(), ["S"])
    page.evaluate("() => board.focusHole('S6')")
    page.keyboard.press(key)
    assert acts(page) == [["S", "S6"]]


@pytest.mark.parametrize(
    ("upright", "start", "keys", "end"),
    [
        (False, "S1", ["ArrowLeft"], "S2"),
        (False, "S1", ["ArrowUp"], "N7"),
        (False, "S7", ["ArrowLeft"], "SH"),
        (False, "N7", ["ArrowRight"], "NH"),
        (False, "SH", ["ArrowRight", "ArrowRight", "ArrowRight"], "S5"),
        (False, "S4", ["ArrowDown"], "S4"),
        (True, "S1", ["ArrowDown"], "S2"),
        (True, "S7", ["ArrowDown"], "SH"),
        (True, "S2", ["ArrowLeft"], "N6"),
    ],
)
def test_MK_57_arrows_move_the_focus_as_the_board_lies(board: Open, upright: bool, start: str, keys: list[str], end: str) -> None:
    page = board(turns().view(), ["S"])
    if upright:
        page.evaluate("() => board.setOrientation('upright')")
    page.evaluate("(start) => board.focusHole(start)", start)
    for key in keys:
        page.keyboard.press(key)
    assert focused(page) == end


def test_every_place_can_be_reached_with_arrows(board: Open) -> None:
    for view in (turns().view(), muang.game("abalalae", ruleset="turns").start(seed=1).view()):
        page = board(view, ["S"])
        for way in ("wide", "upright"):
            page.evaluate("(way) => board.setOrientation(way)", way)
            seen, edge = {"S1"}, ["S1"]
            while edge:
                place = edge.pop()
                for key in ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"):
                    page.evaluate("(place) => board.focusHole(place)", place)
                    page.keyboard.press(key)
                    there = focused(page)
                    if there and there not in seen:
                        seen.add(there)
                        edge.append(there)
            assert seen == set(layouts(view)[way]["places"])


def test_the_board_is_one_tab_stop(board: Open) -> None:
    page = board(turns().view(), ["S"])
    assert page.locator(".b-board [tabindex='0']").count() == 1
    page.evaluate("() => board.focusHole('N2')")
    assert page.locator(".b-board [tabindex='0']").count() == 1
    page.keyboard.press("Tab")
    assert page.evaluate("() => !document.querySelector('.b-board').contains(document.activeElement)")


@pytest.mark.parametrize(("key", "action"), [("Enter", "drop"), ("Shift+Enter", "slip"), ("Shift+Space", "slip"), ("Numpad5", "drop")])
def test_MK_44_and_57_drop_and_slip(board: Open, key: str, action: str) -> None:
    page = board(widowed(), ["S"])
    page.evaluate("() => board.focusHole('S1')")
    page.keyboard.press(key)
    assert acts(page) == [["S", action]]
    # quick fingers: the next drop does not wait for an answer
    page.keyboard.press(key)
    assert acts(page) == [["S", action]]


def test_a_key_held_down_acts_once(board: Open) -> None:
    page = board(widowed(), ["S"])
    page.evaluate("() => board.focusHole('S1')")
    for _ in range(4):
        page.keyboard.down("Space")
    page.keyboard.up("Space")
    assert acts(page) == [["S", "drop"]]


def test_after_a_lift_by_hand_the_next_act_is_a_drop_before_any_answer(board: Open) -> None:
    page = board(racing("by_hand").view(), ["S"])
    page.evaluate("() => board.focusHole('S1')")
    page.keyboard.press("Digit5")
    page.keyboard.press("Space")
    page.keyboard.press("Digit2")
    assert acts(page) == [["S", "S5"], ["S", "drop"]]


def test_two_people_have_their_own_keys(board: Open) -> None:
    keys = {"S": {"KeyM": "hole:1", "KeyN": "act"}, "N": {"KeyQ": "hole:1", "KeyA": "act", "KeyZ": "slip"}}
    match = racing("by_hand").play("N", "N2", at=10)
    page = board(match.view(), ["S", "N"], keys=keys)
    for key in ("m", "a", "z", "n"):
        page.keyboard.press(key)
    assert acts(page) == [["S", "S1"], ["N", "drop"], ["N", "slip"], ["S", "drop"]]
    page.locator("#field").focus()
    page.keyboard.press("a")
    assert acts(page) == []


# ── touch ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_click_plays_a_hole_and_nothing_else(board: Open) -> None:
    page = board(turns().view(), ["S"])
    page.mouse.click(*middle(page, "N3"))
    assert acts(page) == []
    page.mouse.click(*middle(page, "S3"))
    assert acts(page) == [["S", "S3"]]


def test_MK_44_a_tap_on_the_widow_that_is_next_slips(board: Open) -> None:
    page = board(widowed(), ["S"])
    page.mouse.click(*middle(page, "S4"))
    page.mouse.click(*middle(page, "S5"))
    page.mouse.click(*middle(page, "N1"))
    assert [action for _, action in acts(page)] == ["slip", "drop", "drop"]


def test_in_a_race_each_half_of_the_screen_is_one_hand(board: Open) -> None:
    match = racing("by_hand").play("S", "S3", at=10).play("N", "N2", at=20)
    page = board(match.view(), ["S", "N"])
    box = page.locator(".b-board").bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] - 8)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 8)
    assert acts(page) == [["S", "drop"], ["N", "drop"]]


def test_touch_targets_are_44_px_on_a_phone(board: Open) -> None:
    for name in ("mak-khum", "abalalae"):
        page = board(muang.game(name, ruleset="turns").start(seed=1).view(), ["S"], width=360, height=740, touch=True)
        page.evaluate("() => board.setOrientation('upright')")
        sizes = page.evaluate(
            """() => [...document.querySelectorAll(".b-hit")].map((node) => {
                const { width, height } = node.getBoundingClientRect();
                return Math.min(width, height);
            })"""
        )
        assert len(sizes) >= 16
        assert min(sizes) >= 44
        assert page.evaluate("() => document.documentElement.scrollWidth <= 360")
        page.touchscreen.tap(*middle(page, "S2"))
        assert acts(page) == [["S", "S2"]]


# ── names ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_names_tell_everything(board: Open) -> None:
    page = board(turns().view(), ["S"])
    assert name_of(page, "S3") == "your hole 3, 7 seeds, playable"
    assert name_of(page, "N3") == "North's hole 3, 7 seeds"
    assert name_of(page, "SH") == "your store, empty"
    assert page.locator('[role=button][data-place="N3"]').get_attribute("aria-disabled") == "true"
    page = board(widowed(), ["S"])
    assert name_of(page, "S3") == "your hole 3, empty, your hand is here with 7"
    assert name_of(page, "S4") == "your hole 4, widow, next on your path"
    match = turns()
    page = board(match.view(), ["S", "N"])
    after = match.play("S", "S3")
    page.evaluate("([events, view]) => board.animate(events, view, { speed: Infinity })", [after.events, after.view()])
    assert "South's hole 3" in name_of(page, "S3")
    assert "the last move began here" in name_of(page, "S3")


def test_axe_finds_nothing_serious(board: Open) -> None:
    from axe_playwright_python.sync_playwright import Axe

    for view, mine in ((turns().view(), ["S"]), (widowed(), ["S"]), (choosing().view(), [choosing().turn])):
        page = board(view, mine)
        found = Axe().run(page).response["violations"]
        assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []


# ── Cờ cá ngựa ────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def choosing(least: int = 2, **options: Any) -> Any:
    """A match where somebody has to choose among several moves, one of them a kick."""
    match = muang.game("ca-ngua", **options).start(seed=5, seats=(0, 2))
    i = 0
    while match.phase != "over":
        if match.phase == "roll":
            match, i = match.roll(dice(11, i)), i + 1
            continue
        moves = match.view()["moves"]
        if len(moves) >= least and any(move["kicks"] is not None for move in moves):
            return match
        match = match.play(match.turn, match.legal(match.turn)[0])
    raise AssertionError("no such position came up")


def test_CN_40_arrows_go_round_the_moves_and_the_centre_key_makes_one(board: Open) -> None:
    match = choosing()
    moves = [move["action"] for move in match.view()["moves"]]
    page = board(match.view(), [match.turn])
    page.evaluate("() => board.focusHole()")
    assert focused(page) == moves[0]
    seen = []
    for key in ["ArrowRight"] * len(moves) + ["ArrowDown"]:
        page.keyboard.press(key)
        seen.append(focused(page))
    assert seen == [*moves[1:], moves[0], moves[1 % len(moves)]]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")
    assert focused(page) == moves[-1]
    page.keyboard.press("Numpad5")
    assert acts(page) == [[match.turn, moves[-1]]]


def test_CN_40_what_the_move_would_do_is_always_shown(board: Open) -> None:
    match = choosing()
    page = board(match.view(), [match.turn])
    for move in match.view()["moves"]:
        page.evaluate("(action) => board.point(action)", move["action"])
        assert page.locator(".b-from").count() == 1
        assert page.locator(".b-way").count() == 2
        assert page.locator(".b-move.now .b-ghost").count() == 1
        assert page.locator(".b-kick").count() == (0 if move["kicks"] is None else 2)
        label = page.locator(f'[data-move="{move["action"]}"]').get_attribute("aria-label") or ""
        assert ("kicks" in label) == (move["kicks"] is not None)
    # nobody else's choice is shown as ours
    page = board(match.view(), [])
    assert page.locator(".b-move").count() == 0


def test_a_move_is_made_by_touching_its_target(board: Open) -> None:
    match = choosing()
    for move in match.view()["moves"]:
        page = board(match.view(), [match.turn], width=360, height=740, touch=True)
        page.evaluate("() => board.setOrientation('upright')")
        hit = page.locator(f'[data-move="{move["action"]}"] > .b-hit')
        box = hit.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert acts(page) == [[match.turn, move["action"]]]


def test_an_extra_choice_can_be_passed(board: Open) -> None:
    match = muang.game("ca-ngua", doubles="extra").start(seed=5, seats=(0, 2))
    i = 0
    while not (match.phase == "move" and match.view()["extra"]):
        if match.phase == "roll":
            match, i = match.roll(dice(3, i)), i + 1
        else:
            match = match.play(match.turn, match.legal(match.turn)[0])
    page = board(match.view(), [match.turn])
    page.evaluate("() => board.focusHole()")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    assert acts(page) == [[match.turn, "pass"]]


def test_focus_stays_on_the_board_when_the_moves_change(board: Open) -> None:
    match = choosing()
    page = board(match.view(), [match.turn])
    page.evaluate("() => board.focusHole()")
    after = match.play(match.turn, match.legal(match.turn)[0])
    page.evaluate("([events, view]) => board.animate(events, view, { speed: Infinity })", [after.events, after.view()])
    assert page.evaluate("() => document.querySelector('.b-board').contains(document.activeElement)")
    page.evaluate("(view) => board.show(view)", match.view())
    assert focused(page) == match.view()["moves"][0]["action"]


# ── motion ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_motion_ends_where_the_match_stands(board: Open) -> None:
    """Seed by seed through whole matches at every pace: what is left standing is the view."""
    from muang.search.players import player

    choose = player("random").choose
    for name, pace in (("mak-khum", "lockstep"), ("mak-khum", "steady"), ("mak-khum", "by_hand"), ("abalalae", "lockstep")):
        match = muang.game(name).start(seed=4, pace=pace)
        page = board(match.view(), ["S", "N"])
        for n in range(40):
            if match.phase == "over":
                break
            if match.to_act:
                seat = match.to_act[n % len(match.to_act)]
                match = match.play(seat, choose(match, seat, 1, n))
            else:
                match = match.at(match.next_due)
            page.evaluate("([events, view]) => board.animate(events, view, { speed: 2000 })", [match.events, match.view()])
            assert page.evaluate("() => shown()") == drawn(match.view())


def test_an_act_never_waits_for_motion(board: Open) -> None:
    match = turns()
    after = match.play("S", "S1")
    assert after.turn == "S"
    page = board(match.view(), ["S"])
    page.evaluate(
        "([events, view]) => { globalThis.over = false; board.animate(events, view).then(() => (globalThis.over = true)); }",
        [after.events, after.view()],
    )
    assert page.evaluate("() => board.busy")
    page.evaluate("() => board.focusHole('S4')")
    page.keyboard.press("Enter")
    assert acts(page) == [["S", "S4"]]
    assert page.evaluate("() => [board.busy, over]") == [False, True]
    assert page.evaluate("() => shown()") == drawn(after.view())


def test_pause_resume_skip_and_replay(board: Open) -> None:
    match = turns()
    after = match.play("S", "S3")
    page = board(match.view(), ["S"])
    play = "([events, view]) => { globalThis.over = false; board.animate(events, view).then(() => (globalThis.over = true)); }"
    page.evaluate(play, [after.events, after.view()])
    page.evaluate("() => board.pause()")
    first = page.evaluate("() => shown()")
    page.wait_for_timeout(400)
    assert page.evaluate("() => shown()") == first != drawn(after.view())
    page.evaluate("() => { board.setSpeed(500); board.resume(); }")
    page.wait_for_timeout(300)
    assert page.evaluate("() => over")
    assert page.evaluate("() => shown()") == drawn(after.view())
    page.evaluate("() => { board.setSpeed(1); globalThis.again = board.replay(); }")
    assert page.evaluate("() => board.busy")
    assert page.evaluate("() => shown()") == drawn(match.view())
    page.evaluate("() => board.skip()")
    assert page.evaluate("() => shown()") == drawn(after.view())


def test_a_newer_view_ends_what_runs(board: Open) -> None:
    match = turns()
    one = match.play("S", "S3")
    two = one.play("N", "N3")
    page = board(match.view(), ["S"])
    page.evaluate("([events, view]) => { globalThis.first = board.animate(events, view); }", [one.events, one.view()])
    page.evaluate("async ([events, view]) => { globalThis.second = board.animate(events, view); await first; }", [two.events, two.view()])
    page.evaluate("(view) => board.show(view)", two.view())
    assert page.evaluate("() => [board.busy, shown()]") == [False, drawn(two.view())]


@pytest.mark.parametrize("how", [{"reducedMotion": True}, {"system": "reduce"}])
def test_less_motion_is_none(board: Open, how: dict[str, Any]) -> None:
    match = turns()
    after = match.play("S", "S3")
    page = board(match.view(), ["S"], **how)
    page.evaluate("([events, view]) => { board.animate(events, view); }", [after.events, after.view()])
    assert page.evaluate("() => [board.busy, shown()]") == [False, drawn(after.view())]
    assert page.locator(".b-flash").count() == 1
    assert page.locator(".b-mark").count() >= 2


def test_the_last_move_stays_marked(board: Open) -> None:
    match = turns()
    after = match.play("S", "S3")
    page = board(match.view(), ["S"])
    page.evaluate("([events, view]) => board.animate(events, view, { speed: 3000 })", [after.events, after.view()])
    taken = {event[2] for event in after.events if event[1] == "capture"}
    end = next(event[2] for event in after.events if event[1] == "die")
    marked = page.evaluate("""() => [...document.querySelectorAll(".b-mark")].map((n) => [n.closest("[data-place]").dataset.place,
        [...n.classList].find((c) => c.startsWith("b-mark-"))])""")
    assert {tuple(one) for one in marked} == {("S3", "b-mark-start"), (end, "b-mark-end"), *((hole, "b-mark-taken") for hole in taken)}


def test_horses_end_where_the_match_stands(board: Open) -> None:
    match = muang.game("ca-ngua").start(seed=5, seats=(0, 1, 2, 3))
    page = board(match.view(), [])
    where = "() => [...document.querySelectorAll('.b-horses > g > g:has(> .b-horse)')].map((n) => n.getAttribute('transform'))"
    for i in range(60):
        match = match.roll(dice(11, i)) if match.phase == "roll" else match.play(match.turn, match.legal(match.turn)[-1])
        page.evaluate("([events, view]) => board.animate(events, view, { speed: 3000 })", [match.events, match.view()])
        moved = page.evaluate(where)
        page.evaluate("(view) => board.show(view)", match.view())
        assert moved == page.evaluate(where)
        assert len(moved) == 8


@pytest.mark.parametrize("calm", [False, True])
def test_CN_41_no_move_can_be_read(board: Open, calm: bool) -> None:
    match = muang.game("ca-ngua").start(seed=5)
    after = match.roll((2, 3))
    assert after.events[-1][1] == "no-move"
    page = board(match.view(), [], reducedMotion=calm)
    page.evaluate("([events, view]) => { globalThis.done = board.animate(events, view); }", [after.events, after.view()])
    page.wait_for_timeout(1300)
    assert page.locator(".b-over text").text_content() == "No move"
    assert page.locator(".b-die").count() == 2
    page.evaluate("() => done")
    assert page.locator(".b-over text").count() == 0


# ── ways of lying ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_turned_board_is_the_same_board(board: Open) -> None:
    view = turns().play("S", "S3").view()
    page = board(view, ["N"])
    before = page.evaluate("() => shown()")
    south = middle(page, "S1")
    page.evaluate("() => board.setFlipped(true)")
    assert page.evaluate("() => shown()") == before
    north = middle(page, "N1")
    assert north == pytest.approx(south, abs=0.6)  # a turn by half puts N1 where S1 was: never a mirror image
    page.evaluate("() => board.focusHole('N1')")
    page.keyboard.press("ArrowLeft")
    assert focused(page) == "N2"


def test_nothing_is_left_behind(board: Open) -> None:
    page = board(turns().view(), ["S"], keys={"S": {"KeyA": "hole:1"}})
    page.evaluate("() => board.destroy()")
    assert page.locator("#host > *").count() == 0
    page.keyboard.press("a")
    assert acts(page) == []
