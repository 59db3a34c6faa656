"""Rounds solved from the start: values, certificates that hold, and certificates that do not."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

import muang
from muang.cli import run
from muang.errors import BadRecord, BadRuleset
from muang.games.sowing.layout import SEATS
from muang.search.limits import Stop
from muang.search.turns import TurnSearch
from muang.solver.certificate import check_certificate
from muang.solver.turns import certificate, opening_board, solve_round, strategy
from muang.solver.work import Stopped


@pytest.fixture(scope="module")
def small() -> dict[str, Any]:
    """The certificate of the round with one seed a hole, both strategies in it."""
    game = muang.game("mak-khum", "turns", seeds=1)
    search, holes = solve_round(game, memory_mb=8, threads=1)
    told: dict[str, Any] = json.loads(json.dumps(certificate(search, holes)))
    return told


def test_one_seed_a_hole(small: dict[str, Any]) -> None:
    assert small["value"] == 8
    assert [hole["value"] for hole in small["holes"]] == [6, 2, 8, 8, 8, 8, 8]
    checked = check_certificate(json.loads(json.dumps(small)))
    assert checked.proved
    assert checked.value == 8


@pytest.mark.parametrize(("options", "value"), [({"capture_last": True}, 98), ({}, 98)])
def test_south_takes_all_98_seeds_and_a_short_strategy_proves_it(options: dict[str, Any], value: int) -> None:
    game = muang.game("mak-khum", "turns", **options)
    search = TurnSearch(opening_board(game)[0], memory_mb=64)
    board = search.at.pack(opening_board(game)[1], 0)
    if options:  # the second capture rule takes longer: its first hole is enough
        board = next(after for hole, _, after in search.at.kids(board) if hole == "S1" and after is not None)
        value -= 1
    won = strategy(search, board, 0, value)
    assert won is not None
    assert len(won) < 200
    assert worst(game, won, "S1" if options else None) == 98


def worst(game: Any, choices: dict[str, str], first: str | None) -> int:
    """What South gets at least by these choices, by the rules alone."""
    start = game.start(first="S")
    todo, least = [start if first is None else start.play("S", first)], 1000
    while todo:
        match = todo.pop()
        if match.result is not None:
            least = min(least, match.result.seeds["S"] - match.result.seeds["N"])
            continue
        board = match.view()["board"]
        key = f"{match.turn} {','.join(map(str, board['S']))} {','.join(map(str, board['N']))}"
        todo += [match.play(match.turn, hole) for hole in ([choices[key]] if match.turn == "S" else match.legal("N"))]
    return least


WRONG: list[tuple[str, Any]] = [
    ("value", 9),
    ("value", 6),
    ("best", "S1"),
    ("holes", []),
    ("rules", 99),
    ("form", 99),
    ("ruleset", "nothing"),
]


@pytest.mark.parametrize(("field", "value"), WRONG)
def test_a_certificate_that_claims_something_else_is_refused(small: dict[str, Any], field: str, value: Any) -> None:
    wrong = copy.deepcopy(small)
    wrong[field] = value
    if field == "value":  # as a forger would do it
        wrong["holes"][2]["value"] = value
    with pytest.raises(muang.MuangError):
        check_certificate(wrong)


def test_lines_and_strategies_are_played_not_believed(small: dict[str, Any]) -> None:
    cut = copy.deepcopy(small)
    cut["holes"][0]["line"].pop()
    with pytest.raises(BadRecord, match="stops before"):
        check_certificate(cut)
    more = copy.deepcopy(small)
    more["holes"][0]["line"].append("S1")
    with pytest.raises(BadRecord, match="goes on"):
        check_certificate(more)
    for seat, name in (("S", "south"), ("N", "north")):
        lazy = copy.deepcopy(small)
        key = next(iter(lazy[name]))
        del lazy[name][key]
        with pytest.raises(BadRecord, match="does not say"):
            check_certificate(lazy)
        bad = copy.deepcopy(small)
        bad[name][key] = f"{SEATS[1 - SEATS.index(seat)]}1"
        with pytest.raises(BadRecord, match="strategy"):
            check_certificate(bad)
    with pytest.raises(BadRecord, match="cannot be read as a certificate"):
        check_certificate([])


def test_only_mak_khum_has_rounds_that_are_solved_from_the_start() -> None:
    with pytest.raises(BadRuleset, match="only rounds of mak-khum"):
        solve_round(muang.game("abalalae"))


def test_stopped_work_keeps_what_it_has() -> None:
    game = muang.game("mak-khum", "turns", seeds=3)
    stop, heard = Stop(), []

    def hear(hole: Any) -> None:
        heard.append(hole)
        stop.set()

    with pytest.raises(Stopped):
        solve_round(game, memory_mb=8, threads=1, on_hole=hear, stop=stop)
    assert heard
    _, holes = solve_round(game, memory_mb=8, threads=2, known={hole.hole: hole for hole in heard})
    assert [hole.value for hole in holes] == [38, -24, -26, 0, 16, 0, -14]
    assert all(hole in holes for hole in heard)


def test_the_command_keeps_and_checks_certificates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MUANG_TABLES", str(tmp_path / "tables"))
    copy_of = tmp_path / "copy.json"
    command = ["solve", "turns", "--seeds", "1", "--memory-mb", "8", "-o", str(copy_of)]
    assert run(command) == 0
    first = capsys.readouterr().out
    assert "+8" in first
    kept = tmp_path / "tables" / "round-7x1-turns.json"
    assert json.loads(kept.read_text()) == json.loads(copy_of.read_text())
    assert run(command) == 0  # not solved again: the same date
    assert json.loads(kept.read_text())["created"] == json.loads(copy_of.read_text())["created"]
    assert run(["solve", "check", str(copy_of)]) == 0
    assert "the certificate holds" in capsys.readouterr().out
    copy_of.write_text(copy_of.read_text().replace('"best": "S3"', '"best": "S1"'))
    assert run(["solve", "check", str(copy_of)]) == 1
    copy_of.write_text("garbage")
    assert run(["solve", "check", str(copy_of)]) == 2
    kept.write_text('{"muang": "certificate"')
    assert run(["solve", "turns", "--seeds", "1", "--memory-mb", "8"]) == 0
    assert json.loads(kept.read_text())["value"] == 8
