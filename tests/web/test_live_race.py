"""Races by hand between two browsers: own seeds are shown before the server has answered, and both ends agree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from muang.records import json
from web.browser import Server, open_match, open_page, person, seeds, trouble, wait_for
from web.link import Link
from web.racing import at_server, both_ready, comes_to_show, enter, holds, race_on, settled

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that dates inputs back as far as these tests hold them up."""
    running = Server(tmp_path_factory.mktemp("patient"), MUANG_TIMING_MAX_LAG="8000", MUANG_TIMING_COUNTDOWN="1000")
    yield running
    running.stop()


@pytest.fixture
def line(patient: Server) -> Iterator[Link]:
    """A line that can be held up."""
    link = Link(patient.port, 30)
    yield link
    link.let_go()
    link.close()


def test_own_seeds_are_seen_before_the_server_knows_of_them(browser: Browser, patient: Server, line: Link) -> None:
    seats = [person("S", "Nok"), person("N", "Lek")]
    match = patient.make("abalalae", seats, options={"max_rounds": 1}, pace="by_hand", min_gap=1, first="S")
    nok, lek = enter(browser, patient, match, "S", line=line), enter(browser, patient, match, "N")
    both_ready(nok, lek)
    settled(nok, patient, match)
    line.hold()
    name = "document.querySelector('.b-place[data-place=S2]').getAttribute('aria-label')"
    before = nok.evaluate(name)
    for _ in range(2):
        nok.keyboard.press("Space")
    shown = seeds(nok)
    assert (shown["S2"], shown["S3"], holds(nok, "S")) == ("4", "4", "1")
    assert nok.evaluate(name) == before, "what is read aloud is what is sure"
    for _ in range(3):
        nok.keyboard.press("Space")
    shown = seeds(nok)
    assert (shown["S4"], shown["S5"], holds(nok, "S")) == ("4", "3", ""), "what the landing does is not foretold"
    assert at_server(patient, match)["S2"] == "3", "nothing has come there yet"
    lek.keyboard.press("Space")
    settled(lek, patient, match)
    line.let_go()
    settled(nok, patient, match)
    comes_to_show(nok, S4="0", S5="4", S6="4", N2="4")  # every press has counted, two of them after the relay
    assert nok.evaluate(name) != before
    for page in (nok, lek):
        assert trouble(page) == []
        page.context.close()


def test_what_came_late_is_told_after_all(browser: Browser, patient: Server, line: Link) -> None:
    """Nok's relay was first and is heard of last: the board is put right at once, and the list of the other screen a moment later."""
    match = patient.make(
        "abalalae", [person("S", "Nok"), person("N", "Lek")], options={"max_rounds": 1}, pace="by_hand", min_gap=1, first="S"
    )
    nok, lek = enter(browser, patient, match, "S", line=line), enter(browser, patient, match, "N")
    both_ready(nok, lek)
    settled(nok, patient, match)
    line.hold()
    for page in (nok, lek):
        for _ in range(3):
            page.keyboard.press("Space")
    told = "document.querySelector('.log-list').textContent.includes('{}')"
    wait_for(lek, told.format("Lek lifts 4 seeds from N4"))
    assert not lek.evaluate(told.format("Nok lifts 4"))
    line.let_go()
    wait_for(lek, told.format("Nok lifts 4 seeds from S4"))
    for page in (nok, lek):
        assert trouble(page) == []
        page.context.close()


@pytest.mark.parametrize(
    ("game", "more"),
    [
        ("abalalae", {"options": {"max_rounds": 1}}),
        ("mak-khum", {"ruleset": "songkhla", "options": {"holes": 4, "seeds": 3}}),
    ],
)
def test_raced_to_the_end_and_both_see_the_same(browser: Browser, server: Server, game: str, more: dict[str, Any]) -> None:
    """Both forms of the race that decides who opens the turns, one side over a line of 150 ms."""
    line = Link(server.port, 150, 20)
    match = server.make(game, [person("S", "Nok"), person("N", "Lek")], pace="by_hand", min_gap=1, **more)
    nok, lek = enter(browser, server, match, "S", line=line), enter(browser, server, match, "N")
    both_ready(nok, lek)
    race_on(nok, lek)
    record = json.load(server.get(f"/api/matches/{match['id']}/record.json"))
    opener = next(one.after.turn for one in record.transitions() if one.after.phase == "turn")
    for page in (nok, lek):
        settled(page, server, match)
        wait_for(page, "document.querySelector('.log-list').textContent.includes('opens the turns')")
        name = "Nok" if opener == "S" else "Lek"
        assert re.search(f"{name} (died first in|has won) the race and opens the turns", page.inner_text(".log-list"))
        assert trouble(page) == []
        page.context.close()
    line.close()


def test_the_signal_comes_from_the_clock_that_both_share(browser: Browser, patient: Server, line: Link) -> None:
    """Whoever has heard of the countdown begins with it, whether or not the start itself has been heard."""
    match = patient.make("abalalae", [person("S"), person("N")], pace="by_hand", min_gap=1, first="S")
    nok, lek = enter(browser, patient, match, "S", line=line), enter(browser, patient, match, "N")
    nok.locator(".race-card:not(.meeting) .button").click()
    nok.wait_for_timeout(300)
    lek.locator(".race-card:not(.meeting) .button").click()
    wait_for(nok, "document.querySelector('.countdown').textContent !== ''")
    line.hold()
    nok.wait_for_selector(".race-clock:not([hidden])")
    nok.keyboard.press("Space")
    assert seeds(nok)["S2"] == "4"
    line.let_go()
    settled(nok, patient, match)
    settled(lek, patient, match)
    comes_to_show(lek, S2="4")
    for page in (nok, lek):
        assert trouble(page) == []
        page.context.close()


def test_choices_are_seen_at_once_and_may_be_made_before_the_hand_is_known_to_rest(browser: Browser, patient: Server, line: Link) -> None:
    options = {"holes": 3, "seeds": 3}
    match = patient.make("mak-khum", [person("S"), person("N")], options=options, pace="by_hand", min_gap=1, first="S")
    nok, lek = enter(browser, patient, match, "S", line=line), enter(browser, patient, match, "N")
    both_ready(nok, lek)
    line.hold()
    nok.keyboard.press("1")
    assert (seeds(nok)["S1"], holds(nok, "S")) == ("0", "3")
    for _ in range(3):
        nok.keyboard.press("Space")
    assert (seeds(nok)["SH"], holds(nok, "S")) == ("1", ""), "the last seed lies in the store: whether the hand rests is not foretold"
    nok.keyboard.press("3")
    assert seeds(nok)["S3"] == "4", "chosen, and seen when it is known that it could be"
    nok.keyboard.press("Space")
    line.let_go()
    settled(nok, patient, match)
    comes_to_show(nok, "3", S3="0", SH="2")
    for page in (nok, lek):
        assert trouble(page) == []
        page.context.close()


def test_a_press_on_a_hole_means_what_is_possible_when_it_counts(browser: Browser, patient: Server, line: Link) -> None:
    """Behind a landing of which nobody has heard: the hole is lifted if the hand rests, a seed dropped if it goes on."""
    for second, lifted in (("S1", True), ("S2", False)):
        match = patient.make("mak-khum", [person("S"), person("N")], options={"holes": 3, "seeds": 3}, pace="by_hand", min_gap=1, first="S")
        nok, lek = enter(browser, patient, match, "S", line=line), enter(browser, patient, match, "N")
        both_ready(nok, lek)
        line.hold()
        nok.keyboard.press(second[1])  # S1 ends in the store and rests, S2 ends in N1 and goes on with four
        for _ in range(3):
            nok.keyboard.press("Space")
        nok.focus(".b-place[data-place=S3]")
        nok.keyboard.press("Enter")
        line.let_go()
        settled(nok, patient, match)
        if lifted:
            comes_to_show(nok, "4", S3="0", SH="1")
        else:
            comes_to_show(nok, "3", S3="4", N1="0", N2="4")
        settled(nok, patient, match)
        for page in (nok, lek):
            assert trouble(page) == []
            page.context.close()


def test_a_choice_at_a_steady_pace_is_seen_at_once(browser: Browser, patient: Server, line: Link) -> None:
    match = patient.make("mak-khum", [person("S"), person("N")], pace="steady", tempo=4000, first="S")
    nok, lek = enter(browser, patient, match, "S", line=line), enter(browser, patient, match, "N")
    both_ready(nok, lek)
    line.hold()
    nok.keyboard.press("2")
    nok.keyboard.press("3")  # the hand is full
    assert (seeds(nok)["S2"], seeds(nok)["S3"], holds(nok, "S")) == ("0", "7", "7")
    line.let_go()
    settled(nok, patient, match)
    comes_to_show(lek, "7", S2="0")
    for page in (nok, lek):
        assert trouble(page) == []
        page.context.close()


def test_what_was_foretold_wrongly_is_taken_back(browser: Browser, patient: Server, line: Link) -> None:
    """Two screens hold one seat: the slow one does not know that the hand has just stepped, so its drop is void (MK-24)."""
    match = patient.make("abalalae", [person("S"), person("N")], pace="by_hand", min_gap=4000, first="S")
    slow, quick = enter(browser, patient, match, "S", line=line), enter(browser, patient, match, "S", "N")
    both_ready(quick)
    slow.wait_for_selector(".race-clock:not([hidden])")
    slow.wait_for_timeout(4100)  # the hands were filled at the signal
    line.hold()
    quick.keyboard.press("Space")
    settled(quick, patient, match)
    slow.keyboard.press("Space")
    assert (seeds(slow)["S2"], holds(slow, "S")) == ("4", "2")
    line.let_go()
    settled(slow, patient, match)
    comes_to_show(slow, "2", S2="4", S3="3")
    entries = patient.get(f"/api/matches/{match['id']}/record.json")["entries"]
    assert [entry.get("void", False) for entry in entries if entry["kind"] == "play"] == [False, True]
    assert "not able" not in slow.inner_text("#live"), "nobody is told"
    for page in (slow, quick):
        assert trouble(page) == []
        page.context.close()


def test_keys_come_no_faster_than_hands_may(browser: Browser, server: Server) -> None:
    match = server.make("abalalae", [person("S"), person("N")], pace="by_hand", min_gap=1500, first="S")
    page = open_page(browser, server, [match])
    sent: list[str] = []

    def note(text: str | bytes) -> None:
        sent.append(str(text))

    page.on("websocket", lambda socket: socket.on("framesent", note))
    open_match(page, server, match)
    both_ready(page)
    page.wait_for_timeout(1600)  # the hands were filled at the signal
    for key in ("Space", "Enter", "Space"):
        page.keyboard.press(key)
    wait_for(page, "document.querySelector('#south .status').textContent.startsWith('2')")
    assert len([text for text in sent if '"play"' in text]) == 1, "the others would be void"
    assert trouble(page) == []
    page.context.close()


def test_whoever_watches_may_look_back_without_disturbing(browser: Browser, server: Server) -> None:
    match = server.make("mak-khum", [person("S", "Nok"), person("N", "Lek")], ruleset="single", pace="by_hand", min_gap=1, first="S")
    players, third = open_page(browser, server, [match]), enter(browser, server, match)
    open_match(players, server, match)
    assert "ready" not in third.inner_text(".racers").replace("not ready yet", "")
    both_ready(players)
    third.wait_for_selector(".race-clock:not([hidden])")
    for key in ("1", "w", "Space", "a", "Space"):
        players.keyboard.press(key)
    settled(third, server, match)
    now = seeds(third)
    third.keyboard.press("[")
    third.keyboard.press("[")
    past = seeds(third)
    assert "Looking back" in third.inner_text(".back-bar")
    assert past != now
    players.keyboard.press("Space")
    settled(players, server, match)
    assert seeds(third) == past, "the match goes on, the past stands"
    third.click("#back-now")
    settled(third, server, match)
    assert not third.is_visible(".back-bar")
    players.keyboard.press("a")
    settled(third, server, match)
    for page in (players, third):
        assert trouble(page) == []
        page.context.close()


def test_what_is_ahead_of_the_server(browser: Browser, server: Server) -> None:
    """The module alone: paths, widows, and what is forgotten when everything is told anew."""
    page = open_page(browser, server, [])
    page.goto(server.address)
    told = page.evaluate(
        """async () => {
      const { Ahead, foretells } = await import('/static/predict.js');
      const path = ['S1', 'S2', 'SH', 'N1', 'N2'];
      const view = { game: 'mak-khum', phase: 'race', pace: 'by_hand', min_gap: 80, options: { slips: true },
        board: { S: [0, null], N: [2, 2], stores: { S: 0, N: 0 } }, hands: { S: { at: 'S1', seeds: 3 }, N: null },
        to_act: ['S', 'N'], legal: { S: ['drop', 'slip'], N: ['N1', 'N2'] } };
      const ahead = new Ahead();
      ahead.restart({ S: path, N: path });
      const same = ahead.of(view) === view;
      ahead.add(1, { seat: 'S', action: 'drop', at: 1000 });
      const over = ahead.of(view);
      const soon = [ahead.tooSoon(view, 'S', 1079), ahead.tooSoon(view, 'S', 1080), ahead.tooSoon(view, 'N', 1010)];
      ahead.add(2, { seat: 'S', action: 'drop', at: 1100 });
      const two = ahead.of(view);
      const known = ahead.confirm({ kind: 'play', seat: 'S', action: 'drop', n: 1 }, true, [['S', 'drop', 'SH']]);
      const strange = ahead.confirm({ kind: 'play', seat: 'S', action: 'drop', n: 1 }, true, []);
      const moved = { ...view, board: { ...view.board, stores: { S: 1, N: 0 } }, hands: { S: { at: 'SH', seeds: 2 }, N: null } };
      const rest = ahead.of(moved);
      ahead.restart({ S: path, N: path });
      const slip = new Ahead();
      slip.restart({ S: path, N: path });
      slip.add(1, { seat: 'S', action: 'slip', at: 0 });
      const slipped = slip.of(view);
      const skip = new Ahead();
      skip.restart({ S: path, N: path });
      skip.add(1, { seat: 'S', action: 'drop', at: 0 });
      const unsure = skip.of({ ...view, options: { skip_origin: true } });
      return { same, over: [over.board.stores.S, over.hands.S, over.legal.S], soon, two: [two.board.N[0], two.hands.S],
        known, strange, rest: [rest.board.N[0], rest.hands.S], forgotten: ahead.of(moved) === moved,
        slipped: [slipped.board.stores.N, slipped.hands.S], unsure: unsure.hands.S,
        foretells: [foretells(view), foretells({ ...view, pace: 'lockstep' }), foretells({ game: 'ca-ngua' })] };
    }"""
    )
    assert told == {
        "same": True,
        "over": [1, {"at": "SH", "seeds": 2}, ["drop"]],  # the widow S2 is passed over (MK-43)
        "soon": [True, False, False],
        "two": [3, {"at": "N1", "seeds": 1}],
        "known": True,
        "strange": False,
        "rest": [3, {"at": "N1", "seeds": 1}],
        "forgotten": True,
        "slipped": [1, {"at": "S2", "seeds": 2}],  # MK-44
        "unsure": {"at": "S1", "seeds": 3},  # MK-16: from where the lap was lifted has not been told
        "foretells": [True, False, False],
    }
    page.context.close()
