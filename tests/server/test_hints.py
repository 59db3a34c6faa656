"""Hints, levels, exact players, and what a late screen is told, over HTTP and real sockets."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

import muang
from muang.games.core import Game
from muang.search import players
from muang.search.exact import plays_exactly
from muang.search.limits import HorseTable, Info, Limits, Line, TurnTable
from muang.server import hints
from server.desk import Client, aask, make, running


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[tuple[str, Any]]:
    async with running(tmp_path) as (address, app):
        yield address, app


@pytest.fixture
async def base(server: tuple[str, Any]) -> str:
    return server[0]


async def hint(base: str, made: dict[str, Any], *seats: Any) -> tuple[int, dict[str, Any]]:
    tokens = [made["tokens"][str(seat)] for seat in seats]
    status, _, body = await aask(base, f"/api/matches/{made['id']}/hint", {"tokens": tokens})
    return status, json.loads(body)


async def test_a_hint_names_a_legal_choice_and_what_it_is_worth(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "HINT_MS", 60_000)  # an exact value ends it sooner
    made = await make(base, "mak-khum", computers=("N",), ruleset="turns", first="S", options={"holes": 3, "seeds": 2})
    async with Client(base, made, "S") as south:
        status, told = await hint(base, made, "S")
        assert status == 200, told
        assert told["seat"] == "S"
        assert told["version"] == south.version
        assert told["actions"][0] in south.match["legal"]["S"]
        assert told["unit"] == "seeds"
        assert told["exact"] is True, "three holes with two seeds each are searched to the end"
        assert "This is exact." in told["say"][0][0]
        before = south.match
        assert json.loads((await aask(base, f"/api/matches/{made['id']}"))[2])["match"] == before, "a hint changes nothing"


async def test_a_hint_for_a_horse(base: str) -> None:
    made = await make(base, "ca-ngua", computers=(2,), first=0, seed=5)
    async with Client(base, made, 0) as red:
        while red.match["phase"] != "move" or red.match["turn"] != 0:
            await red.hear()
        status, told = await hint(base, made, 0)
        assert status == 200, told
        assert told["actions"][0] in red.match["legal"]["0"]
        assert 0 < told["value"] < 1


async def test_a_hint_in_a_race_does_not_know_what_the_other_has_chosen(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The computer chooses first, in secret: the hint is the same whatever it has chosen."""
    answers = set()
    for choice in ("N1", "N7"):
        monkeypatch.setattr(players.Greedy, "_pick", lambda *_, choice=choice: choice)
        monkeypatch.setattr(players, "THINK_MS", (1, 2))
        monkeypatch.setattr(players.Greedy, "think_ms", (1, 2), raising=False)
        monkeypatch.setattr(hints, "analyse", _by_nodes(hints.analyse))
        made = await make(base, "mak-khum", computers=("N",), ruleset="single", seed=1)
        async with Client(base, made, "S") as south:
            while "N" not in south.match["chosen"]:
                await south.hear()
            status, told = await hint(base, made, "S")
            assert status == 200, told
            answers.add((tuple(told["actions"]), told["value"], told["share"]))
    assert len(answers) == 1


def _by_nodes(analyse: Any) -> Any:
    def repeatable(match: Any, limits: Limits, *rest: Any, **more: Any) -> Info:
        return analyse(match, Limits(nodes=200), *rest, **more)  # type: ignore[no-any-return]

    return repeatable


async def test_there_are_no_hints_against_people_elsewhere(base: str) -> None:
    made = await make(base, "mak-khum", ruleset="turns", first="S")
    assert (await hint(base, made, "S"))[0] == 422
    assert (await hint(base, made, "S", "N"))[0] == 200, "two people at one screen see it both"


async def test_who_may_not_have_a_hint(base: str) -> None:
    made = await make(base, "mak-khum", computers=("N",), ruleset="turns", first="S")
    path = f"/api/matches/{made['id']}/hint"
    assert (await aask(base, path, {"tokens": []}))[0] == 403, "who watches"
    assert (await aask(base, path, {"tokens": ["x" * 20]}))[0] == 403
    assert (await aask(base, path, {"tokens": ["a b"]}))[0] == 422
    assert (await aask(base, path, {"tokens": ["x"] * 5}))[0] == 422
    assert (await aask(base, path, {}))[0] == 422
    assert (await aask(base, "/api/matches/none/hint", {"tokens": []}))[0] == 404
    async with Client(base, made, "S") as south:
        await south.order("S", "resign")
        status, told = await hint(base, made, "S")
        assert (status, told["code"]) == (422, "illegal-action")
        assert "over" in told["message"]


async def test_nothing_to_choose_is_said(base: str) -> None:
    made = await make(base, "mak-khum", computers=("N",), ruleset="turns", first="N", pace="by_hand")
    status, told = await hint(base, made, "S")
    assert status == 422
    assert "nothing to choose" in told["message"]
    made = await make(base, "mak-khum", computers=("N",), ruleset="turns", first="S", pace="by_hand")
    async with Client(base, made, "S") as south:
        await south.play("S", "S3")
        assert "drop" in south.match["legal"]["S"] or (await south.hear())
        status, told = await hint(base, made, "S")
        assert status == 422, "a hand that holds seeds drops them"


async def test_one_hint_after_the_other(server: tuple[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    base, _ = server
    slow = asyncio.Event()
    loop = asyncio.get_running_loop()

    def analyse(match: Any, *_: Any, seat: Any, stop: Any) -> Info:
        loop.call_soon_threadsafe(slow.set)
        while not stop:
            pass
        return Info(seat, "seeds", (Line(((seat, "S1"),), 2.0),))

    monkeypatch.setattr(hints, "analyse", analyse)
    made = await make(base, "mak-khum", computers=("N",), ruleset="turns", first="S")
    first = asyncio.create_task(hint(base, made, "S"))
    await slow.wait()
    status, told = await hint(base, made, "S")
    assert (status, told["code"]) == (429, "rate-limited")
    table = server[1].state.hub.tables[made["id"]]
    await table.close()  # a match that is put away ends the hint that is being thought about
    assert (await first)[0] == 200


# ── levels ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_computer_that_is_not_named_is_a_gentle_level(base: str) -> None:
    seats = [{"seat": "S"}, {"seat": "N", "kind": "computer"}]
    made = json.loads((await aask(base, "/api/matches", {"game": "mak-khum", "seats": seats}))[2])
    shown = json.loads((await aask(base, f"/api/matches/{made['id']}"))[2])
    assert shown["seats"][1]["player"] == "level-2"


@pytest.mark.parametrize("level", range(1, 8))
async def test_every_level_answers(base: str, level: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("muang.search.levels.WAITS", dict.fromkeys(range(1, 9), ((1, 2), (1, 2))))
    made = await make(base, "mak-khum", computers={"N": f"level-{level}"}, ruleset="turns", first="N", options={"holes": 4, "seeds": 3})
    async with Client(base, made, "S") as south, asyncio.timeout(30):
        while south.match["turn"] != "S" and south.match["result"] is None:
            await south.hear()


async def test_a_match_that_is_left_while_level_8_thinks_ends(server: tuple[str, Any]) -> None:
    base, app = server
    made = await make(base, "mak-khum", computers={"N": "level-8"}, ruleset="turns", first="N")
    other = await make(base, "mak-khum", computers={"N": "greedy"}, ruleset="turns", first="N")
    async with Client(base, made, "S"), Client(base, other, "S") as quick, asyncio.timeout(30):
        table = app.state.hub.tables[made["id"]]
        while not table.thinking:
            await asyncio.sleep(0.01)
        event = await quick.until("event")  # whoever plays against a quick computer does not wait for a deep one
        assert event["entry"]["by"] == "computer"
        await table.close()
        assert table.task.done()


# ── exact players ────────────────────────────────────────────────────────────────────────────────────────────────────────────


class Shelf:
    """Tables that are there and hold nothing: who plays exactly is told by what there is."""

    def __init__(self, whole: bool = True) -> None:
        import numpy as np

        low = np.zeros(1, np.int8)
        self.table = TurnTable("few seeds", 5, low, low if whole else low.copy())

    def turns(self, game: Game, widows: int = 0) -> TurnTable | None:
        return None if widows else self.table

    def horses(self, game: Game, seats: tuple[int, int]) -> HorseTable | None:
        return HorseTable("horses", self.table.low) if seats == (0, 2) else None


@pytest.fixture
def shelf() -> Any:
    players.use_tables(Shelf())
    yield
    players.use_tables(None)


def test_who_plays_exactly(shelf: None) -> None:
    horses = muang.game("ca-ngua").start(1, seats=(0, 2))
    assert plays_exactly("level-8", horses)
    assert not plays_exactly("level-7", horses)
    assert not plays_exactly("greedy", horses)
    assert not plays_exactly(None, horses)
    assert not plays_exactly("level-8", muang.game("ca-ngua").start(1, seats=(0, 1)))
    assert not plays_exactly("level-8", muang.game("ca-ngua").start(1, seats=(0, 1, 2)))
    assert not plays_exactly("level-8", horses.leave(0))
    line = "mak-khum rules=turns round=1 first=S opened=S S={}/40 N={}/53 turn=S"
    few = muang.position(line.format("1,0,0,0,0,0,2", "0,0,0,1,0,1,0")).start(0)
    many = muang.position(line.format("1,0,0,0,0,0,2", "0,0,0,1,0,2,0").replace("/53", "/52")).start(0)
    assert plays_exactly("level-8", few)
    assert not plays_exactly("level-8", many)
    players.use_tables(Shelf(whole=False))
    assert not plays_exactly("level-8", few), "bounds that do not meet are no exact values"
    players.use_tables(None)
    assert not plays_exactly("level-8", few)


async def test_an_exact_player_says_so(base: str, shelf: None) -> None:
    players.use_tables(Shelf())
    made = await make(base, "ca-ngua", computers={2: "level-8"}, first=0, seed=1)
    async with Client(base, made, 0) as red, asyncio.timeout(20):
        assert red.state["exact"] == [2]
        said: list[str] = []
        while not said:
            event = await red.until("event")
            assert event["exact"] == [2]
            said = [text for text, args in event["say"] if "plays exactly" in text and args == {"seat": 2}]


# ── who comes late ───────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_late_screen_is_told_what_happened(base: str) -> None:
    made = await make(base, "mak-khum", ruleset="turns", first="S", seed=1)
    async with Client(base, made, "S", "N") as both:
        for _ in range(25):
            seat = both.mine()[0]
            assert (await both.play(seat, both.match["legal"][seat][0]))["type"] == "ack"
        version, match = both.version, both.match
    told = json.loads((await aask(base, f"/api/matches/{made['id']}/told"))[2])
    assert told["version"] == version
    lines = told["told"]
    assert len(lines) == 25
    assert lines[0]["say"][0][0].startswith("{seat} lifts")
    assert lines[0]["seat"] == "S"
    assert "after" not in lines[0]
    assert lines[-1]["after"] == match
    assert lines[-1]["before"] == lines[-2]["after"]
    assert lines[-1]["events"]


async def test_a_hidden_choice_is_not_told(base: str) -> None:
    made = await make(base, "mak-khum", ruleset="single", seed=1)
    async with Client(base, made, "S") as south:
        await south.play("S", "S3")
    body = (await aask(base, f"/api/matches/{made['id']}/told"))[2].decode()
    assert "S3" not in body
    assert json.loads(body)["told"] == []
