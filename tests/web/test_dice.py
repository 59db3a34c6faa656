"""The page that checks lots: its own SHA-256 and HMAC against known vectors, its lots against Python's, matches and pasted records (CN-50).

The browser's own cryptography is taken away in all of them, as it is on plain http.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

import muang
from muang.records import Record, text
from muang.records import json as record_json
from muang.records.proof import Proof
from muang.rooms.fair import Lots
from muang.rooms.proof import counts, rolls_of
from muang.wire import commitment_of
from web.browser import Server, open_match, open_page, person, trouble
from web.test_access import faults

pytestmark = pytest.mark.browser

VECTORS = json.loads((Path(__file__).parent.parent / "rooms" / "dice-vectors.json").read_text(encoding="utf-8"))
SECRET = "c3" * 32
ENTROPY = {0: "left", 2: "right"}


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    fresh = open_page(browser, server, [])
    fresh.add_init_script("Object.defineProperty(Crypto.prototype, 'subtle', {get() { throw new Error('closed on plain http'); }})")
    fresh.goto(f"{server.address}/dice")
    fresh.wait_for_selector("#record")
    yield fresh
    assert trouble(fresh) == []
    fresh.context.close()


def played(name: str = "An") -> Record:
    """A finished match of Cờ cá ngựa, its lots from ``SECRET``, with a comment that looks like rolls."""
    lots = Lots(SECRET, "abc", ENTROPY)
    match = muang.game("ca-ngua").start(lots.seed(), first=lots.first((0, 2)), seats=(0, 2))
    rolls = 0
    while rolls < 40 or match.phase == "move":
        if match.phase == "roll":
            match = match.roll(lots.dice(rolls))
            rolls += 1
        else:
            match = match.play(match.turn, match.legal(match.turn)[0])
    match = match.leave(0, "resigned")
    tags = Proof("abc", commitment_of(SECRET), SECRET, ENTROPY).tags()
    return Record.from_match(match, {0: name}, tags=tags, comments={3: ["seat2 1-1: 6-6: \\ and } too"]})


def paste(page: Page, record: str) -> None:
    page.fill("#record", record)
    page.click("form .main")


def test_sha_256_and_hmac_are_the_known_ones(page: Page) -> None:
    found: dict[str, Any] = page.evaluate(
        """async (vectors) => {
          const { sha256, hmac, fromHex, toHex } = await import("/static/dice/sha256.js");
          return {
            sha256: vectors.sha256.map(({ data }) => toHex(sha256(fromHex(data)))),
            hmac: vectors.hmac.map(({ key, data }) => toHex(hmac(fromHex(key), fromHex(data)))),
          };
        }""",
        VECTORS,
    )
    assert found["sha256"] == [vector["hash"] for vector in VECTORS["sha256"]]
    assert found["hmac"] == [vector["mac"] for vector in VECTORS["hmac"]]


def test_lots_are_those_of_the_golden_vectors(page: Page) -> None:
    found: list[Any] = page.evaluate(
        """async (lots) => {
          const { Lots, commitmentOf } = await import("/static/dice/lots.js");
          return lots.map(({ secret, match, entropy, seats, dice, far }) => {
            const of = new Lots(secret, match, entropy);
            const rolls = dice.map((_, i) => of.dice(i));
            return { commitment: commitmentOf(secret), first: of.first(seats), seed: of.seed(), dice: rolls, far: of.dice(far[0]) };
          });
        }""",
        VECTORS["lots"],
    )
    for vector, drawn in zip(VECTORS["lots"], found, strict=True):
        assert drawn == {key: vector[key] for key in ("commitment", "first", "seed", "dice")} | {"far": vector["far"][1]}


def test_counts_are_the_servers(page: Page) -> None:
    rolls = rolls_of(played())
    found = page.evaluate(
        'async (rolls) => (await import("/static/dice/count.js")).count(rolls)',
        [{"n": roll.n, "seat": roll.seat, "dice": roll.dice} for roll in rolls],
    )
    assert found == counts(rolls)


def test_luck_is_told_in_words(page: Page) -> None:
    """Chi-square with 5 degrees of freedom: 11.07 is passed once in 20 times, 20.52 once in 1,000."""
    told = page.evaluate(
        """async (cases) => {
          const { verdict } = await import("/static/dice/count.js");
          return cases.map((faces) => verdict({ total: faces.reduce((a, b) => a + b) / 2, faces, doubles: 0, releases: 0 }));
        }""",
        [[4, 4, 4, 4, 4, 4], [20, 20, 20, 20, 20, 20], [20, 21, 17, 24, 19, 19], [34, 18, 17, 17, 17, 17], [45, 15, 15, 15, 15, 15]],
    )
    assert [sentence.split()[0] for sentence in told] == ["Too", "As", "As", "Unusual,", "Very"]


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_pasted_record_is_checked(page: Page, form: str) -> None:
    record = played()
    write = text.write if form == "text" else record_json.write
    paste(page, write(record))
    assert page.get_attribute("#verdict", "data-good") == "true"
    assert page.locator(".lots tr.fits").count() == 3 + len(rolls_of(record))
    total = page.locator(".rolls tbody tr").first.inner_text().split()
    assert sorted(map(int, total[1:])) == sorted(mine["total"] for mine in counts(rolls_of(record)).values())
    entries = list(record.entries)
    index = [i for i, entry in enumerate(entries) if entry.kind == "roll"][7]
    one, two = entries[index].dice or (0, 0)
    entries[index] = replace(entries[index], dice=(one % 6 + 1, two))
    paste(page, write(replace(record, entries=tuple(entries))))
    assert page.get_attribute("#verdict", "data-good") == "false"
    assert "Roll 8" in page.inner_text(".lots tr.wrong")


@pytest.mark.parametrize(
    ("tag", "value"), [("Secret", "c4" * 32), ("Commitment", "00" * 32), ("Match", "other"), ("Entropy", "0:left 2:wrong")]
)
def test_a_record_with_a_changed_tag_does_not_fit(page: Page, tag: str, value: str) -> None:
    record = played()
    paste(page, text.write(replace(record, tags={**record.tags, tag: value})))
    assert page.get_attribute("#verdict", "data-good") == "false"


@pytest.mark.parametrize(
    "nonsense",
    [
        "",
        "hello",
        "{",
        "{}",
        '{"format": "muang-record-1", "seats": {}}',
        '{"format": "muang-record-1", "game": "ca-ngua", "seats": [0, 2], "first": 0, "entries": [{"dice": [7, 1], "seat": 0}]}',
        '{"format": "muang-record-1", "game": "ca-ngua", "seats": [0, 2], "first": 0, "entries": [null]}',
        '[Game "ca-ngua"]\n[First "seat3"]\n\n*',
        '[Game "ca-ngua"]\n[First "seat0"]\n[Commitment "00"]\n\n*',
        '[Game "ca-ngua"]\n[First "seat0"]\n\n1-1:\n*',
    ],
)
def test_what_is_no_record_is_said(page: Page, nonsense: str) -> None:
    paste(page, nonsense)
    assert page.locator("#problem").count() == 1
    assert page.inner_text("#problem")
    assert page.locator("#result").count() == 0


def test_a_match_of_the_server(browser: Browser, server: Server, page: Page) -> None:
    """Its seal while it goes on, its check when it is over; a name that looks like markup stays a name."""
    match = server.make("ca-ngua", [person(0, "<b>An</b>"), person(2)])
    player = open_page(browser, server, [match])
    open_match(player, server, match)
    page.goto(f"{server.address}/dice?match={match['id']}")
    page.wait_for_selector("#verdict")
    assert page.get_attribute("#verdict", "data-good") == "null"
    assert match["commitment"] in page.inner_text("#result")
    player.wait_for_selector("#resign")
    player.click("#resign")
    player.click("#question .main")
    player.wait_for_selector("#result")
    page.reload()
    page.wait_for_selector("#verdict")
    assert page.get_attribute("#verdict", "data-good") == "true"
    assert trouble(player) == []
    player.context.close()
    page.goto(f"{server.address}/dice?match=nowhere")
    page.wait_for_selector("#problem")
    page.__dict__["told"][:] = [told for told in page.__dict__["told"] if "404" not in told]


def test_another_seal_than_before_the_match_is_noticed(page: Page, server: Server) -> None:
    """The browser keeps the seal of the matches in which it has a seat."""
    match = server.make("ca-ngua", [person(0), person(2)])
    kept = {
        "id": match["id"],
        "tokens": match["tokens"],
        "game": "ca-ngua",
        "url": match["url"],
        "created": 0,
        "request": {},
        "commitment": "0" * 64,
    }
    page.evaluate("(kept) => localStorage.setItem('muang.matches', JSON.stringify([kept]))", kept)
    page.goto(f"{server.address}/dice?match={match['id']}")
    page.wait_for_selector("#verdict")
    assert page.get_attribute("#verdict", "data-good") == "false"
    assert "another seal" in page.inner_text("#verdict")


@pytest.mark.parametrize(
    ("lang", "word"), [("en", "Everything fits"), ("th", "ตรงกันทั้งหมด"), ("vi", "Tất cả đều khớp"), ("pt", "Tudo confere")]
)
def test_on_a_phone_in_every_language(browser: Browser, server: Server, lang: str, word: str) -> None:
    page = open_page(
        browser, server, [], locale=lang, viewport={"width": 360, "height": 740}, color_scheme="dark" if lang in ("th", "pt") else "light"
    )
    page.goto(f"{server.address}/dice")
    page.wait_for_selector("#record")
    paste(page, text.write(played("An Nguyễn Thị Ánh Tuyết")))
    assert word in page.inner_text("#verdict")
    page.click(".lots summary")
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is cut off at the side"
    assert trouble(page) == []
    page.context.close()
