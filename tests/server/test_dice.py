"""What a server tells of a match's lots: nothing too early, everything when it is over, and all of it fits (CN-50)."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from muang.records import Record, read
from muang.records.arrival import misjudged
from muang.records.proof import Proof, max_lag_of
from muang.rooms.proof import checks
from muang.wire import commitment_of
from server.desk import Client, aask, make, running


@pytest.fixture
async def base(tmp_path: Path) -> AsyncIterator[str]:
    async with running(tmp_path) as (address, _):
        yield address


async def dice(base: str, made: dict[str, Any]) -> dict[str, Any]:
    status, _, body = await aask(base, f"/api/matches/{made['id']}/dice")
    assert status == 200, body
    told: dict[str, Any] = json.loads(body)
    return told


async def record(base: str, made: dict[str, Any], form: str = "record") -> Record:
    return read((await aask(base, f"/api/matches/{made['id']}/{form}"))[2].decode())


async def test_a_match_of_dice_from_its_commitment_to_its_check(base: str) -> None:
    made = await make(base, "ca-ngua")
    one, two = Client(base, made, 0), Client(base, made, 2)
    one.entropy, two.entropy = "word-of-0", "word-of-2"
    lots = random.Random(1)
    async with asyncio.timeout(60), one, two:
        early = await dice(base, made)
        assert (early["commitment"], early["secret"], early["seed"]) == (made["commitment"], None, None)
        assert early["entropy"] == {"0": "word-of-0", "2": "word-of-2"}
        while one.n + two.n < 8:
            for client in (one, two):
                if client.mine():
                    seat = client.mine()[0]
                    await client.play(seat, lots.choice(client.match["legal"][str(seat)]))
            await one.hear()
            while (two.version or 0) < (one.version or 0):
                await two.hear()
        going = await dice(base, made)
        assert going["secret"] is None
        assert Proof.of(await record(base, made)) == Proof(made["id"], made["commitment"], None, {0: "word-of-0", 2: "word-of-2"})
        await one.order(0, "resign")
    told = await dice(base, made)
    assert commitment_of(told["secret"]) == told["commitment"] == made["commitment"]
    assert told["first_by"] == "lot"
    assert told["rolls"][: len(going["rolls"])] == going["rolls"], "what was rolled stays"
    assert [roll["n"] for roll in told["rolls"]] == list(range(len(told["rolls"])))
    for seat, counted in told["counts"].items():
        assert counted["total"] == sum(str(roll["seat"]) == seat for roll in told["rolls"])
        assert sum(counted["faces"]) == 2 * counted["total"] == pytest.approx(sum(told["expected"][seat]["faces"]))
    for form in ("record", "record.json"):
        kept = await record(base, made, form)
        proof = Proof.of(kept)
        assert proof is not None
        done = list(checks(kept, proof))
        assert len(done) == 3 + len(told["rolls"])
        assert all(check.fits for check in done)


async def test_a_match_with_a_given_seed_has_nothing_to_check(base: str) -> None:
    made = await make(base, "ca-ngua", seed=5, first=2)
    told = await dice(base, made)
    assert (told["commitment"], told["secret"], told["entropy"], told["rolls"]) == (None, None, {}, [])
    assert Proof.of(await record(base, made)) is None


async def test_who_is_first_by_choice_is_told(base: str) -> None:
    made = await make(base, "mak-khum", ruleset="turns", first="N")
    async with Client(base, made, "S", "N") as client:
        await client.order("S", "resign")
    told = await dice(base, made)
    assert (told["first"], told["first_by"], told["rolls"], told["counts"]) == ("N", "choice", [], {})
    kept = await record(base, made)
    proof = Proof.of(kept)
    assert proof is not None
    assert [check.what for check in checks(kept, proof) if check.fits] == ["commitment", "seed"]


async def test_no_such_match(base: str) -> None:
    status, _, body = await aask(base, "/api/matches/nowhere/dice")
    assert status == 404
    assert json.loads(body)["code"] == "no-such-match"


async def test_the_page_is_there(base: str) -> None:
    status, headers, body = await aask(base, "/dice?match=nowhere", headers={"accept-language": "pt"})
    assert (status, headers["content-language"]) == (200, "pt")
    assert b"/static/dice/page.js" in body


async def test_a_race_between_two_screens_can_be_judged_again(base: str) -> None:
    """One client's clock is years away, one's is its own; both echo probes. Every input's arrival is in the record and fits."""
    made = await make(base, "mak-khum", ruleset="songkhla", pace="by_hand", min_gap=1)
    lots = random.Random(2)
    async with asyncio.timeout(60), Client(base, made, "S") as south, Client(base, made, "N") as north:
        for client, seat in ((south, "S"), (north, "N")):
            await client.order(seat, "start")
        while not (south.match["phase"] != "race" or len((await record(base, made)).entries) > 30):
            for client, seat in ((south, "S"), (north, "N")):
                if client.mine():
                    await client.play(seat, lots.choice(client.match["legal"][seat]), at=time.monotonic() * 1000)
                else:
                    await client.hear()
        await south.order("S", "resign")
    kept = await record(base, made)
    assert max_lag_of(kept) == 250
    timed = [index for index, entry in enumerate(kept.entries) if entry.kind == "play" and entry.at is not None]
    assert set(kept.arrivals) == set(timed)
    assert {came.client for came in kept.arrivals.values()} == {1, 2}
    assert any(came.offset is not None for came in kept.arrivals.values())
    races = [index for index, heading in kept.headings.items() if heading.kind == "race"]
    assert list(misjudged(kept.entries, kept.arrivals, races, 250)) == []
    assert kept == await record(base, made, "record.json")
