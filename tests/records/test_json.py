"""The JSON form of records: its shape, and what is said of data that has another one."""

from __future__ import annotations

import json as plain_json
from typing import Any

import pytest

import muang
from muang import BadRecord
from muang.records import Record, json
from records.played import horses


def data() -> dict[str, Any]:
    match = muang.game("mak-khum", "turns", rounds=2).start(7, first="S").play("S", "S1").play("S", "S2")
    return json.dump(Record.from_match(match, {"S": "An"}, "2026-08-04", {1: ["again"]}))


def test_the_fields() -> None:
    assert data() == {
        "format": "muang-record-1",
        "game": "mak-khum",
        "ruleset": "turns",
        "options": {"rounds": 2},
        "rules_version": 1,
        "position": None,
        "seats": ["S", "N"],
        "first": "S",
        "seed": "7",
        "pace": "lockstep",
        "tempo": 250,
        "min_gap": 80,
        "names": {"S": "An"},
        "date": "2026-08-04",
        "tags": {},
        "entries": [{"kind": "play", "seat": "S", "action": "S1"}, {"kind": "play", "seat": "S", "action": "S2"}],
        "headings": [{"before": 0, "kind": "round", "round": 1}],
        "comments": [{"before": 1, "texts": ["again"]}],
        "clock": None,
        "result": None,
    }


def test_horses() -> None:
    match = horses({}, (0, 2), 3)
    shown = json.dump(Record.from_match(match))
    assert shown["entries"][0] == {"kind": "roll", "seat": match.first, "dice": list(match.log[0].dice)}
    assert shown["result"] == {"winner": match.result.winner, "reason": "horses", "seeds": {}, "widows": {}}


def test_a_seed_beyond_the_whole_numbers_of_javascript_is_kept() -> None:
    match = muang.game("mak-khum").start((1 << 64) - 1)
    written = json.write(Record.from_match(match))
    assert '"18446744073709551615"' in written
    assert json.read(written).match().seed == (1 << 64) - 1


@pytest.mark.parametrize(
    ("path", "value", "why"),
    [
        (["format"], "other", "format must be"),
        (["game"], "chess", "there is no game"),
        (["game"], 3, "game must be a text"),
        (["ruleset"], "phone", "no ruleset"),
        (["options"], [], "options must be an object"),
        (["options"], {"rounds": True}, "MK-50"),
        (["options"], {"size": 1}, "no option"),
        (["seats"], "SN", "seats must be a list"),
        (["seats"], [0, 2], "there is no seat '0'"),
        (["first"], None, "first: there is no seat 'None'"),
        (["seed"], 7, "seed must be a text of digits"),
        (["seed"], str(1 << 64), "seed must be"),
        (["pace"], "slow", "pace must be one of"),
        (["pace"], [], "pace must be one of"),
        (["tempo"], -1, "tempo must be a whole number"),
        (["min_gap"], 1.5, "min_gap must be a whole number"),
        (["rules_version"], "1", "rules_version must be a whole number"),
        (["names"], {"W": "x"}, "names: there is no seat 'W'"),
        (["names"], {"S": 1}, "names must be a text"),
        (["date"], 2026, "date must be a text"),
        (["position"], 1, "position must be a text"),
        (["clock"], "1", "clock must be a whole number"),
        (["tags"], {"Event": None}, "tags must be a text"),
        (["extra"], 1, "the record has no field 'extra'"),
        (["entries"], {}, "entries must be a list"),
        (["entries", 0], "S1", "entry 0 must be an object"),
        (["entries", 0, "kind"], "move", "entry 0: kind must be one of play"),
        (["entries", 1, "seat"], 0, "entry 1: there is no seat"),
        (["entries", 1, "action"], 3, "entry 1 must be a text"),
        (["entries", 1, "dice"], [0, 7], "entry 1: dice must be two numbers"),
        (["entries", 1, "at"], "5", "entry 1: at must be a whole number"),
        (["entries", 1, "void"], 1, "entry 1: void must be true or false"),
        (["entries", 1, "note"], 1, "entry 1 has no field 'note'"),
        (["headings", 0, "kind"], "lap", "a heading's kind"),
        (["headings", 0, "before"], 9, "a heading's before must be a whole number from 0 to 2"),
        (["headings", 0, "round"], None, "a heading's round"),
        (["comments", 0, "before"], 9, "a comment's before"),
        (["comments", 0, "texts"], "x", "a comment's texts must be a list"),
        (["result"], "S", "result must be an object"),
        (["result"], {"winner": 2, "reason": "seeds"}, "winner: there is no seat"),
        (["result"], {"winner": "S"}, "reason must be a text"),
        (["result"], {"winner": "S", "reason": "seeds", "seeds": {"S": "9"}}, "seeds must be a whole number"),
    ],
)
def test_what_is_wrong_is_said(path: list[Any], value: Any, why: str) -> None:
    changed: Any = data()
    target = changed
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value
    with pytest.raises(BadRecord, match=why):
        json.read(plain_json.dumps(changed))


@pytest.mark.parametrize("text", ["{", "[]", "1", "null", '"x"', "{" * 100_000, "[" * 100_000])
def test_what_is_no_record(text: str) -> None:
    with pytest.raises(BadRecord):
        json.read(text)
