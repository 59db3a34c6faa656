"""Nonsense of every kind, over the wire and over HTTP: no crash, no 500, answers as described, and no bad frame changes anything.

A short form; ``MUANG_FUZZ=500`` tries so many examples of each instead.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from muang.errors import BadFrame
from muang.rooms import Room
from muang.server.app import create_app
from muang.server.settings import Settings
from muang.wire import COMMANDS, PHRASES, parse_client, parse_server
from server.desk import ask, running

EXAMPLES = int(os.environ.get("MUANG_FUZZ", "12"))
FUZZ = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=EXAMPLES < 50,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.filter_too_much,
        HealthCheck.function_scoped_fixture,
        HealthCheck.data_too_large,
    ],
)
LIMITS = ("matches", "sits", "hints", "costly", "looks", "plays", "frames")


class Server:
    """A server in a thread of its own, as Hypothesis cannot wait."""

    def __init__(self, data: Any) -> None:
        self.data = data
        self.ready, self.done = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=lambda: asyncio.run(self._run()))

    async def _run(self) -> None:
        off: dict[str, Any] = {f"rate_{kind}": "off" for kind in LIMITS}
        async with running(self.data, most_tables=100_000, tables_per_address=100_000, **off) as (self.base, self.app):
            self.loop = asyncio.get_running_loop()
            self.ready.set()
            await asyncio.to_thread(self.done.wait)

    def call(self, coroutine: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(20)

    @property
    def broken(self) -> float:
        return float(self.app.state.hub.metrics.broken._value.get())

    def make(self, **more: Any) -> dict[str, Any]:
        body = {"game": "mak-khum", "ruleset": "turns", "first": "S", "seed": 1, "seats": [{"seat": "S"}, {"seat": "N"}], **more}
        made: dict[str, Any] = json.loads(ask(self.base, "/api/matches", body)[2])
        return made

    def shown(self, made: dict[str, Any]) -> Any:
        told = json.loads(ask(self.base, f"/api/matches/{made['id']}")[2])
        return told["version"], told["match"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    one = Server(tmp_path_factory.mktemp("fuzz"))
    one.thread.start()
    assert one.ready.wait(20)
    yield one
    one.done.set()
    one.thread.join(20)


# ── the wire ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────

SEATS = st.sampled_from(["S", "N", 0, 1, 2, 3, "W", None, -1, 1.5, True])
NUMBERS = st.one_of(st.integers(-2, 60), st.integers(), st.none(), st.floats(allow_nan=False), st.text(max_size=4))
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=12)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)),
    max_leaves=8,
)
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "n": NUMBERS,
    "seat": SEATS,
    "version": NUMBERS,
    "action": st.one_of(st.sampled_from(["S1", "S3", "N2", "drop", "slip", "0-7", "pass", "S99", "--"]), st.text(max_size=30)),
    "at": NUMBERS,
    "name": st.one_of(st.sampled_from([*COMMANDS, "hack"]), st.text(max_size=8)),
    "about": SEATS,
    "player": st.sampled_from(["greedy", "level-1", "nobody", None, 3]),
    "t": NUMBERS,
    "s": NUMBERS,
    "phrase": st.sampled_from([*PHRASES, "no phrase"]),
    "tokens": st.lists(st.text(max_size=10), max_size=6),
    "client": st.text(max_size=70),
}
KINDS = st.sampled_from(["play", "command", "ping", "resync", "say", "echo", "hello", "nothing", 3, None])
FRAMES = st.fixed_dictionaries({"v": st.sampled_from([1, 1, 1, 1, 2, "1"]), "type": KINDS}, optional=FIELDS)
MEANT = st.one_of(
    st.fixed_dictionaries(
        {
            "v": st.just(1),
            "type": st.just("play"),
            "n": st.integers(0, 9),
            "seat": st.sampled_from(["S", "N"]),
            "version": st.integers(0, 60),
        }
        | {"action": st.sampled_from([f"{seat}{hole}" for seat in "SN" for hole in range(1, 8)] + ["drop"])}
    ),
    st.fixed_dictionaries(
        {"v": st.just(1), "type": st.just("command"), "n": st.integers(0, 9), "seat": st.sampled_from(["S", "N"])}
        | {"name": st.sampled_from(COMMANDS)}
    ),
)


def mutated(text: str, places: list[tuple[int, str]]) -> str:
    """The text with some of its letters put otherwise."""
    for place, letter in places:
        at = place % (len(text) + 1)
        text = text[:at] + letter + text[at + 1 :]
    return text


TEXTS = st.one_of(
    FRAMES.map(json.dumps),
    VALUES.map(json.dumps),
    st.text(max_size=60),
    st.builds(mutated, st.one_of(FRAMES, MEANT).map(json.dumps), st.lists(st.tuples(st.integers(0, 200), st.characters()), max_size=3)),
)


def is_bad(text: str) -> bool:
    try:
        return parse_client(text).type == "hello"  # good only as the first frame
    except BadFrame:
        return True


@contextlib.contextmanager
def screen(server: Server, made: dict[str, Any]) -> Iterator[ClientConnection]:
    with connect(f"ws://{server.base}/ws/{made['id']}") as socket:
        socket.send(json.dumps({"v": 1, "type": "hello", "tokens": list(made["tokens"].values()), "client": "fuzz"}))
        while parse_server(str(socket.recv(20))).type != "state":
            pass
        yield socket


def answers(socket: ClientConnection) -> list[str]:
    """Everything that comes up to the pong of a ping that is sent now, checked against the schema."""
    socket.send('{"v":1,"type":"ping","t":4711}')
    kinds = []
    while True:
        frame = parse_server(str(socket.recv(20)))
        if frame.type == "pong" and frame.t == 4711:
            return kinds
        kinds.append(frame.type)


@FUZZ
@given(texts=st.lists(TEXTS, min_size=1, max_size=12))
def test_a_bad_frame_is_answered_and_changes_nothing(server: Server, texts: list[str]) -> None:
    texts = [text for text in texts if is_bad(text)]
    assume(texts)
    made = server.make()
    before = server.shown(made)
    with screen(server, made) as socket:
        for text in texts:
            socket.send(text.encode("utf-8", "surrogatepass").decode("utf-8", "replace"))
        assert answers(socket).count("error") == len(texts)
    assert server.shown(made) == before
    assert server.broken == 0


@FUZZ
@given(texts=st.lists(st.one_of(MEANT.map(json.dumps), TEXTS), min_size=1, max_size=15))
def test_whatever_is_sent_the_match_goes_on_and_its_log_replays(server: Server, texts: list[str]) -> None:
    made = server.make()
    with screen(server, made) as socket, contextlib.suppress(ConnectionClosed):
        for text in texts:
            socket.send(text.encode("utf-8", "replace").decode())
        answers(socket)
    version, match = server.shown(made)
    setup, entries = server.call(server.app.state.hub.store.load(made["id"]))
    again = Room.replay(setup, entries)
    assert again.shown.view() == match
    assert version >= max((entry.version for entry in entries), default=0)
    assert server.broken == 0


@FUZZ
@given(first=st.one_of(TEXTS, st.binary(max_size=40)))
def test_whatever_comes_first_is_answered_or_ended(server: Server, first: str | bytes) -> None:
    made = server.make()
    with connect(f"ws://{server.base}/ws/{made['id']}") as socket:
        socket.send(first if isinstance(first, bytes) else first.encode("utf-8", "replace").decode())
        frame = parse_server(str(socket.recv(20)))
        assert frame.type in ("state", "error")
    assert server.broken == 0


# ── HTTP ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

CHECKS = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.negative_data_rejection,
]
DESCRIBED = create_app(Settings(warm=False)).openapi()
MODES = [schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE]
"""As the description says, and otherwise."""
ROUTES = [
    (path, method)
    for path, methods in DESCRIBED["paths"].items()
    for method in methods
    if not path.endswith("/stream")  # it does not end
]


@pytest.mark.parametrize(("path", "method"), ROUTES)
def test_the_http_interface_answers_as_it_says(server: Server, path: str, method: str) -> None:
    made = [server.make(), server.make(ruleset="single", pace="by_hand"), server.make(seats=[{"seat": "S"}, {"seat": "N", "kind": "open"}])]
    turns = itertools.count()
    route = schemathesis.openapi.from_dict(DESCRIBED)[path][method]
    possible = MODES if route.body or route.query or route.path_parameters else MODES[:1]

    @settings(FUZZ, max_examples=max(5, EXAMPLES // 2))
    @given(case=st.one_of(*(route.as_strategy(generation_mode=mode) for mode in MODES if mode in possible)))
    def asked(case: schemathesis.Case) -> None:
        if "match_id" in case.path_parameters and next(turns) % 3:
            case.path_parameters["match_id"] = made[next(turns) % len(made)]["id"]
        case.call_and_validate(base_url=f"http://{server.base}", checks=CHECKS)

    asked()
    assert server.broken == 0
