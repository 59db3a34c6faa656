"""Looking after a server from the shell: copies, putting them back, migrating, forgetting, the doctor; and what is forgotten by itself."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from muang.cli import run
from muang.games import _jit
from muang.rooms import Timing
from muang.server.doctor import OTHERS, examine
from muang.server.retention import DAY_MS, tidy
from muang.server.settings import Settings
from muang.store import Store, sqlite_url
from muang.wire import LogEntry, SeatSetup, Setup
from server.desk import Client, Program, aask, free_port, make, running

DOCS = Path(__file__).parents[2] / "docs"


def setup(match_id: str, created: int = 5, **more: Any) -> Setup:
    seats = (SeatSetup(seat="S", kind="person", name="Ân"), SeatSetup(seat="N", kind="person"))
    return Setup(id=match_id, game="mak-khum", ruleset="turns", seed=1, seats=seats, created=created, **more)


def fill(folder: Path, *setups: Setup) -> None:
    async def work() -> None:
        folder.mkdir(exist_ok=True)
        store = await Store.open(sqlite_url(folder / "muang.db"))
        for one in setups:
            await store.create(one)
        await store.close()

    asyncio.run(work())


def matches(folder: Path) -> list[str]:
    db = sqlite3.connect(folder / "muang.db")
    found = [row[0] for row in db.execute("SELECT id FROM matches ORDER BY id")]
    db.close()
    return found


@pytest.fixture
def shell(capfd: pytest.CaptureFixture[str]) -> Any:
    """Runs a command; gives its exit code and all that it printed."""

    def one(*words: str | Path) -> tuple[int, str]:
        code = run([str(word) for word in words])
        printed = capfd.readouterr()
        return code, printed.out + printed.err

    return one


# ── commands ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_copy_there_and_back(tmp_path: Path, shell: Any) -> None:
    fill(tmp_path / "a", setup("m1"), setup("m2"))
    copy = tmp_path / "copy.gz"
    code, text = shell("backup", copy, "--data", tmp_path / "a")
    assert (code, "2 matches with 0 entries" in text) == (0, True)
    code, text = shell("backup", copy, "--data", tmp_path / "a")
    assert (code, "--force" in text) == (2, True)
    assert shell("backup", copy, "--data", tmp_path / "a", "--force")[0] == 0
    assert shell("restore", copy, "--data", tmp_path / "new")[0] == 0
    assert matches(tmp_path / "new") == ["m1", "m2"]
    fill(tmp_path / "a", setup("m3"))
    code, text = shell("restore", copy, "--data", tmp_path / "a")
    assert (code, "holds 3 matches; with --force" in text) == (2, True)
    code, text = shell("restore", copy, "--data", tmp_path / "a", "--force")
    assert code == 0
    assert matches(tmp_path / "a") == ["m1", "m2"]
    kept = re.search(r"kept in (\S+);", text)
    assert kept is not None
    assert Path(kept[1]).exists()
    copy.write_bytes(copy.read_bytes()[:-20])
    code, text = shell("restore", copy, "--data", tmp_path / "a", "--force")
    assert (code, "no whole copy" in text) == (2, True)


@pytest.mark.parametrize("words", [("backup", "x.gz"), ("forget", "--older-than", "1", "--yes")])
def test_where_there_is_no_database_none_is_made(
    tmp_path: Path, shell: Any, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, text = shell(*words, "--data", tmp_path / "no")
    assert (code, "there is no database" in text) == (2, True)
    assert list(tmp_path.iterdir()) == []


def test_forgetting_by_name_and_by_age(tmp_path: Path, shell: Any) -> None:
    now = int(time.time() * 1000)
    fill(tmp_path, setup("old", now - 40 * DAY_MS), setup("new", now), setup("mid", now - 20 * DAY_MS), setup("mine", now))
    assert shell("forget", "--data", tmp_path)[0] == 2
    assert shell("forget", "mine", "--older-than", "1", "--data", tmp_path)[0] == 2
    code, text = shell("forget", "mine", "nobody", "--yes", "--data", tmp_path)
    assert (code, "no match 'nobody'; nothing was deleted" in text) == (2, True)
    assert len(matches(tmp_path)) == 4
    assert shell("forget", "mine", "--yes", "--compact", "--data", tmp_path)[0] == 0
    code, text = shell("forget", "--older-than", "30", "--yes", "--data", tmp_path)
    assert (code, text) == (0, "1 matches are deleted\n")
    assert matches(tmp_path) == ["mid", "new"]


async def test_a_server_on_the_file_keeps_others_out(tmp_path: Path, shell: Any) -> None:
    """All but those who only read: a copy and the doctor, and who deletes a row as the server itself would."""
    program = Program(tmp_path, free_port())
    try:
        again = Program(tmp_path, free_port())
        code, err = again.end()
        assert code == 1
        assert re.fullmatch(r"muang cannot open its database: another Muang server uses .*muang\.db; stop that one, .*\n", err)
        for words in (["migrate"], ["restore", str(tmp_path / "copy.gz"), "--force"]):
            if words[0] == "restore":
                assert (await asyncio.to_thread(shell, "backup", tmp_path / "copy.gz", "--data", tmp_path))[0] == 0
            code, text = await asyncio.to_thread(shell, *words, "--data", tmp_path)
            assert (code, "another Muang server uses" in text) == (2, True)
    finally:
        program.end(kill=True)
    assert (await asyncio.to_thread(shell, "migrate", "--data", tmp_path))[0] == 0, "killed, it keeps nobody out"


# ── the doctor ───────────────────────────────────────────────────────────────────────────────────────────────────────────────


def examined(folder: Path | None, env: dict[str, str] | None = None, **more: Any) -> list[str]:
    return [f"{finding.grade} {finding.what}" for finding in examine(folder, environ=env or {}, **{"port": free_port(), **more})]


def test_all_is_well(tmp_path: Path) -> None:
    fill(tmp_path, setup("m1"))
    os.chmod(tmp_path, 0o700)
    found = examined(tmp_path)
    assert not [line for line in found if line.startswith("bad")], found
    for words in ("folder", "GB free", "opens and is whole: 1 matches", "entries replay to their hashes", "port", "kernels"):
        assert any(words in line for line in found), words


def test_nothing_there_yet_is_nothing_bad(tmp_path: Path) -> None:
    found = examined(tmp_path / "no")
    assert not [line for line in found if line.startswith("bad")]
    assert not (tmp_path / "no").exists(), "looking makes nothing"


async def test_a_match_that_does_not_replay_is_named(tmp_path: Path) -> None:
    async with running(tmp_path) as (base, _):
        made = [await make(base, "mak-khum", ruleset="turns", first="S", seed=1) for _ in range(2)]
        for match in made:
            async with Client(base, match, "S", "N") as client:
                assert (await client.play("S", "S3"))["type"] == "ack"
    db = sqlite3.connect(tmp_path / "muang.db")
    db.execute("UPDATE entries SET action = 'S9' WHERE match_id = ? AND kind = 'play'", (made[0]["id"],))
    db.commit()
    db.close()
    found = await asyncio.to_thread(examined, tmp_path)
    bad = [line for line in found if line.startswith("bad")]
    assert len(bad) == 1
    assert f"match {made[0]['id']}" in bad[0]
    assert "muang forget" in bad[0]
    assert not [line for line in await asyncio.to_thread(examined, tmp_path, newest=0) if line.startswith("bad")]


def test_what_else_the_doctor_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shell: Any) -> None:
    fill(tmp_path, setup("m1"))
    os.chmod(tmp_path, 0o755)
    os.chmod(tmp_path / "muang.db", 0o644)
    assert any(line.startswith("note other users") for line in examined(tmp_path))
    assert any("MUANG_THINKRES is set, and is no setting" in line for line in examined(tmp_path, {"MUANG_THINKRES": "3"}))
    assert examined(tmp_path, {"MUANG_THINKERS": "many"})[-1].startswith("bad MUANG_THINKERS cannot be 'many'")
    assert any(line.startswith("bad") and "allowed: sqlite" in line for line in examined(tmp_path, {"MUANG_DATABASE": "mysql://x/y"}))
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        # nobody accepts: the question after a server has to give up
        assert any(line.startswith("note another program uses port") for line in examined(tmp_path, port=taken.getsockname()[1]))
    monkeypatch.setattr("shutil.disk_usage", lambda path: os.terminal_size((0, 0)) and type("Usage", (), {"free": 1000})())
    assert any(line.startswith("bad 0.0 GB free") for line in examined(tmp_path))
    monkeypatch.setattr(_jit, "_cache_home", lambda: tmp_path / "muang.db" / "cache")
    assert any(line.startswith("bad compiled kernels cannot be kept") for line in examined(tmp_path))
    (tmp_path / "muang.db").write_text("a letter to my grandmother" * 100)
    assert any(line.startswith("bad") and "damaged" in line and "muang restore" in line for line in examined(tmp_path))
    code, text = shell("doctor", "--data", tmp_path, "--port", str(free_port()))
    assert code == 1
    assert text.endswith("to be done\n")


async def test_a_server_that_runs_is_seen(tmp_path: Path) -> None:
    async with running(tmp_path) as (base, _):
        found = await asyncio.to_thread(examined, tmp_path, port=int(base.rpartition(":")[2]))
    assert any("a server uses" in line for line in found)
    assert any("a Muang server answers" in line for line in found)


# ── what is forgotten by itself ──────────────────────────────────────────────────────────────────────────────────────────────


async def test_old_matches_go_and_open_tables_stay(tmp_path: Path) -> None:
    async with running(tmp_path, keep_days=30, keep_meeting_days=2) as (base, app):
        hub = app.state.hub
        now = hub.now()
        await hub.store.create(setup("old", now - 31 * DAY_MS))
        await hub.store.create(setup("young", now - 29 * DAY_MS))
        await hub.store.create(setup("never", now - 3 * DAY_MS, secret="ab" * 32))
        await hub.store.create(setup("waits", now - 1 * DAY_MS, secret="ab" * 32))
        made = await make(base, "mak-khum", ruleset="turns", first="S", seed=1)
        async with Client(base, made, "S") as client:
            assert await tidy(hub, now) == 2
            assert {row.id for row in await hub.store.list()} == {"young", "waits", made["id"]}
            assert await tidy(hub, now + 100 * DAY_MS) == 2
            assert {row.id for row in await hub.store.list()} == {made["id"]}, "somebody looks at it"
            assert client.match["phase"] != "over"
        assert (await aask(base, "/api/matches/old"))[0] == 404


async def test_many_are_deleted_in_portions_and_nought_keeps_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(tmp_path, keep_days=0, keep_meeting_days=0) as (_, app):
        hub = app.state.hub
        await asyncio.gather(*(hub.store.create(setup(f"m{i}", created=1)) for i in range(450)))
        await asyncio.gather(*(hub.store.append(f"m{i}", 1, [LogEntry(kind="play", seat="S", action="S1", t=1)]) for i in range(3)))
        assert await tidy(hub, hub.now()) == 0
        object.__setattr__(hub.settings, "keep_days", 1)
        assert await tidy(hub, hub.now()) == 450


# ── the page about it ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_setting_stands_in_the_page_about_running_a_server_with_its_default() -> None:
    page = (DOCS / "operations.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| `MUANG_(\w+)` \| ([^|]*) \|", page, re.MULTILINE))
    fields = {name.upper(): field for name, field in Settings.__dataclass_fields__.items() if name != "timing"}
    timing = {f"TIMING_{name.upper()}": field for name, field in Timing.__dataclass_fields__.items()}
    assert set(told) == set(fields) | set(timing) | (OTHERS - {"REQUIRE"})
    for name, field in (fields | timing).items():
        default = field.default
        if isinstance(default, (int, float, str)) and not isinstance(default, bool) and default != "":
            shown = f"{default:g}" if isinstance(default, float) else str(default)
            assert told[name].strip() == f"`{shown}`", name
        elif isinstance(default, tuple) and default:
            assert told[name].strip() == f"`{','.join(default)}`", name
