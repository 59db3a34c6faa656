"""The page about the protocol says what the frames are: every frame, field, command, phrase, error and close code stands there."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest

import muang.server.app  # so that every error of the server exists
from muang.errors import BadFrame, MuangError
from muang.server.sockets import CLOSE_CODES
from muang.wire import COMMANDS, KINDS, PHRASES, client_schema, parse_client, parse_server, server_schema
from muang.wire.log import LogEntry

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "protocol.md").read_text(encoding="utf-8")
HTTP = (DOCS / "http.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^### `?(\w+)`?\n(.*?)(?=^##|\Z)", PAGE, re.M | re.S))
NOT_ON_THE_WIRE = {
    "bad-position",
    "bad-ruleset",
    "bad-setting",
    "bad-table",
    "error",
    "missing-extra",
    "not-enough",
    "rules",
    "table-missing",
    "wire",
}
"""Errors of commands and of HTTP, and the names of whole kinds."""


def parts(schema: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Name of a frame (its type) or of a part of one → its fields."""
    found = {}
    for name, part in schema["$defs"].items():
        fields = part["properties"]
        found[fields["type"]["const"] if "type" in fields else name] = fields
    return found


EVERYTHING = {**parts(client_schema()), **parts(server_schema())}


@pytest.mark.parametrize("name", EVERYTHING)
def test_every_frame_and_part_has_its_fields_on_the_page_and_no_others(name: str) -> None:
    rows = re.findall(r"^\| ((?:`\w+` ?)+)\|", SECTIONS[name].split("\n| `name` | |")[0], re.M)
    said = [word for row in rows for word in re.findall(r"`(\w+)`", row)]
    assert sorted(said) == sorted(EVERYTHING[name])
    assert len(said) == len(set(said))


def test_every_section_about_a_frame_is_about_one_that_there_is() -> None:
    assert set(SECTIONS) <= set(EVERYTHING)


def test_every_word_that_a_field_may_have_stands_there() -> None:
    for word in COMMANDS:
        assert re.search(rf"^\| (`[a-z-]+` )*`{word}`", SECTIONS["command"], re.M), word
    for word in PHRASES:
        assert f"`{word}`" in SECTIONS["say"]
    for word in KINDS:
        assert f"`{word}`" in SECTIONS["ToldEntry"]
    assert set(KINDS) == set(get_args(LogEntry.model_fields["kind"].annotation))


def codes(kind: type[MuangError]) -> set[str]:
    found = {kind.code} if kind.__module__.split(".")[1] in ("errors", "rooms", "server", "store") else set()
    return found.union(*(codes(sub) for sub in kind.__subclasses__()))


def test_every_error_and_every_reason_to_close_stands_there() -> None:
    errors = PAGE.split("## Errors")[1].split("## ")[0]
    said = {word for row in re.findall(r"^\| ((?:`[a-z-]+` ?)+)\|", errors, re.M) for word in re.findall(r"`([a-z-]+)`", row)} - {"code"}
    known = codes(MuangError) - NOT_ON_THE_WIRE - {"still-played"}
    assert said == known
    assert "still-played" in HTTP
    closes = PAGE.split("## Why a connection ends")[1]
    assert [int(code) for code in re.findall(r"^\| (\d{4}) \|", closes, re.M)] == sorted(CLOSE_CODES)


def test_every_route_stands_on_the_page_about_http() -> None:
    for route in muang.server.app.create_app().openapi()["paths"]:
        short = route.replace("{match_id}", "ID").replace("{lang}", "LANG").replace("/record.json", "/record")
        assert short in HTTP, route


@pytest.mark.parametrize("name", [name for name in parts(server_schema()) if name.islower()])
def test_frames_of_the_server_are_checked_as_strictly_as_those_of_clients(name: str) -> None:
    with pytest.raises(BadFrame):
        parse_server(json.dumps({"v": 1, "type": name, "more": 1}))
    with pytest.raises(BadFrame):
        parse_client(json.dumps({"v": 2, "type": name}))
