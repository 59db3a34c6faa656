"""Frames: strict both ways, errors that say what is wrong, nothing that crashes the reader."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muang.errors import BadFrame, IllegalAction, StaleVersion
from muang.store import NoSuchMatch
from muang.store.errors import translate_error
from muang.wire import (
    COMMANDS,
    KINDS,
    MAX_FRAME_BYTES,
    AckFrame,
    CommandFrame,
    EventFrame,
    HelloFrame,
    LogEntry,
    PingFrame,
    PlayFrame,
    SeatSetup,
    Setup,
    StateFrame,
    ToldEntry,
    client_schema,
    encode,
    error_frame,
    hash_state,
    hash_token,
    parse_client,
    parse_server,
    seat_from_text,
    server_schema,
)

PLAY = {"v": 1, "type": "play", "n": 17, "seat": "S", "version": 12, "action": "S3", "at": 5321}


def test_frames_as_the_protocol_writes_them_are_read() -> None:
    assert parse_client('{"v":1,"type":"hello","tokens":["a-B_9"],"version":null}') == HelloFrame(tokens=["a-B_9"])
    assert parse_client(json.dumps(PLAY)) == PlayFrame(n=17, seat="S", version=12, action="S3", at=5321)
    horses = parse_client('{"v":1,"type":"play","n":1,"seat":2,"version":0,"action":"49-slot2","at":0.25}')
    assert horses == PlayFrame(n=1, seat=2, version=0, action="49-slot2", at=0.25)
    for name in COMMANDS:
        command = parse_client(json.dumps({"v": 1, "type": "command", "n": 18, "seat": "N", "name": name}))
        assert isinstance(command, CommandFrame)
        assert command.name == name
    assert parse_client('{"v":1,"type":"ping","t":12.5}') == PingFrame(t=12.5)
    assert parse_client('{"v":1,"type":"resync"}').type == "resync"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"more": 1}, "a play frame has no field 'more'"),
        ({"v": 2}, "field 'v'"),
        ({"n": "17"}, "field 'n'"),
        ({"n": 1.5}, "field 'n'"),
        ({"n": True}, "field 'n'"),
        ({"n": -1}, "field 'n'"),
        ({"n": 2**60}, "field 'n'"),
        ({"seat": "W"}, "field 'seat.*S or N, or 0 to 3"),
        ({"seat": 4}, "field 'seat"),
        ({"seat": True}, "field 'seat"),
        ({"seat": "0"}, "field 'seat"),
        ({"version": "12"}, "field 'version'"),
        ({"action": 3}, "field 'action'"),
        ({"action": "S3\n"}, "field 'action'"),
        ({"action": "x" * 25}, "field 'action'"),
        ({"action": "ส3"}, "field 'action'"),
        ({"at": "now"}, "field 'at'"),
        ({"at": -1}, "field 'at'"),
        ({"type": "move"}, "one of hello, play, command, ping, resync"),
        ({"type": None}, "one of hello, play, command, ping, resync"),
    ],
)
def test_a_frame_with_a_fault_is_refused_and_the_fault_is_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(BadFrame, match=message):
        parse_client(json.dumps({**PLAY, **change}))


@pytest.mark.parametrize("field", ["n", "seat", "action", "type"])
def test_a_frame_that_lacks_a_field_is_refused(field: str) -> None:
    with pytest.raises(BadFrame, match="type" if field == "type" else field):
        parse_client(json.dumps({key: value for key, value in PLAY.items() if key != field}))


@pytest.mark.parametrize(
    "text", ["", "null", "[]", "17", '"hello"', "{", "NaN", '{"v":1,"type":"ping","t":NaN}', "[" * 3000, "\ud800", "\x00"]
)
def test_what_is_no_frame_is_refused(text: str) -> None:
    with pytest.raises(BadFrame):
        parse_client(text)


def test_sizes_are_limited() -> None:
    with pytest.raises(BadFrame, match=f"at most {MAX_FRAME_BYTES} bytes"):
        parse_client(json.dumps({**PLAY, "action": "x" * MAX_FRAME_BYTES}))
    with pytest.raises(BadFrame, match=f"at most {MAX_FRAME_BYTES} bytes"):
        parse_client('{"v":1,"type":"' + "ห" * (MAX_FRAME_BYTES // 3) + '"}')
    with pytest.raises(BadFrame, match="tokens"):
        parse_client(json.dumps({"v": 1, "type": "hello", "tokens": ["a"] * 5}))
    with pytest.raises(BadFrame, match="tokens"):
        parse_client(json.dumps({"v": 1, "type": "hello", "tokens": ["a" * 65]}))


def test_a_fault_is_never_echoed_at_length() -> None:
    for change in ({"x" * 3000: 1}, {"action": "y" * 3000}, {"type": "z" * 3000}):
        with pytest.raises(BadFrame) as caught:
            parse_client(json.dumps({**PLAY, **change}))
        assert len(str(caught.value)) < 300


@settings(max_examples=300, deadline=None)
@given(
    st.one_of(st.text(max_size=200), st.recursive(st.none() | st.booleans() | st.floats() | st.text(max_size=5), st.lists).map(json.dumps))
)
def test_any_text_is_a_frame_or_a_bad_frame(text: str) -> None:
    try:
        frame = parse_client(text)
    except BadFrame:
        return
    assert parse_client(encode(frame)) == frame


def test_what_the_server_sends_is_read_back() -> None:
    told = ToldEntry(kind="roll", seat=2, dice=(3, 4), by="system")
    frames = [
        AckFrame(n=1, version=2),
        EventFrame(
            version=3, entry=told, events=[(2, "roll", 3, 4)], say=[("{seat} rolls.", {"seat": 2})], match={"phase": "move"}, pause=5
        ),
        StateFrame(version=1, match={}, seats=[], layout={}, offer={"seat": "S", "about": "draw"}),
        error_frame(IllegalAction("no", clause="MK-10", allowed=("S1",)), 4),
        error_frame(StaleVersion("late"), 4),
    ]
    for frame in frames:
        assert parse_server(encode(frame)) == frame
    assert json.loads(encode(frames[3])) == {
        "v": 1, "type": "error", "n": 4, "code": "illegal-action", "clause": "MK-10", "message": "no", "allowed": ["S1"],
    }  # fmt: skip
    with pytest.raises(BadFrame):
        parse_server('{"v":1,"type":"event"}')


def test_the_schema_names_every_frame() -> None:
    client, server = json.dumps(client_schema()), json.dumps(server_schema())
    for name in ("hello", "play", "command", "ping", "resync"):
        assert f'"{name}"' in client
    for name in ("state", "event", "ack", "error", "pong", "notice", "countdown"):
        assert f'"{name}"' in server


def test_log_entries_are_kept_whole() -> None:
    entry = LogEntry(
        kind="play", seat="S", action="S3", at=100, client="c", n=3, client_at=17, version=9, hash="ab", lag=20, offset=-7,
        entropy="e0", t=5, name="An", token="ff",
    )  # fmt: skip
    assert LogEntry.model_validate_json(entry.model_dump_json()) == entry
    assert entry.rules_entry().at == 100
    for kind in KINDS:
        assert LogEntry.model_validate({"kind": kind}).kind == kind
    for fault in ({"kind": "guess"}, {"kind": "play", "seat": "W"}, {"kind": "play", "x": 1}, {"kind": "play", "by": "nobody"}):
        with pytest.raises(ValueError, match="validation error"):
            LogEntry.model_validate(fault)


def test_a_setup_keeps_seats_of_both_kinds_and_big_seeds() -> None:
    setup = Setup(
        id="x",
        game="ca-ngua",
        ruleset="phone",
        seed=2**64 - 1,
        seats=(SeatSetup(seat=0, kind="person"), SeatSetup(seat=2, kind="computer")),
    )
    assert Setup.model_validate_json(setup.model_dump_json()) == setup
    with pytest.raises(ValueError, match="seed"):
        Setup(id="x", game="g", ruleset="r", seed=2**64, seats=())


def test_hashes_are_short_steady_and_tell_states_apart() -> None:
    assert hash_state("mak-khum rules=trang") == "6186b8ba58996c9b", "logs hold these: they never change"
    assert hash_state("a") == hash_state("a") != hash_state("b")
    assert hash_token("t") == "e3b98a4da31a127d4bde6e43033f66ba274cab0eb7eb1c70ec41402bf6273dd8"


def test_seats_are_read_from_texts() -> None:
    assert [seat_from_text(text) for text in ("S", "N", "0", "3")] == ["S", "N", 0, 3]
    with pytest.raises(ValueError, match="no seat"):
        seat_from_text("4")


def test_what_goes_wrong_inside_a_server_is_told_without_its_paths() -> None:
    error = translate_error(OSError("unable to open database file"), "/home/somebody/muang.db")
    assert "/home/somebody" in str(error)
    assert "/home" not in error_frame(error).message
    assert error_frame(NoSuchMatch("there is no match 'x'")).message == "there is no match 'x'"
