"""Table files: what is written comes back, and nothing else is taken for it."""

from __future__ import annotations

import itertools
import json
import shutil
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import muang
from muang.errors import BadTable, NotEnough, TableMissing
from muang.solver import files, work
from muang.solver.files import folder, read_table, write_table

GAME = muang.game("mak-khum", "turns", holes=3)
ARRAYS = {"low": np.arange(-5, 200, dtype=np.int16).reshape(5, 41), "empty": np.zeros(0, np.int8), "share": np.linspace(0, 1, 7)}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "deep" / "a.muang"
    write_table(path, "test", GAME, {"seeds": 4}, ARRAYS)
    return path


@pytest.mark.parametrize("mapped", [True, False])
def test_what_is_written_comes_back(path: Path, mapped: bool) -> None:
    table = read_table(path, "test", GAME, mapped=mapped)
    assert (table.kind, table.game, table.parameters, table.path) == ("test", GAME, {"seeds": 4}, path)
    assert set(table.arrays) == set(ARRAYS)
    for name, array in ARRAYS.items():
        assert table.arrays[name].dtype == array.dtype
        assert np.array_equal(table.arrays[name], array)
        assert table.arrays[name].flags.writeable == (not mapped or array.size == 0)
    assert [other.name for other in path.parent.iterdir()] == [path.name]


def test_big_endian_and_scattered_arrays_are_the_same_numbers(tmp_path: Path) -> None:
    array = np.arange(100, dtype=">i4").reshape(10, 10)[::2, ::3]
    write_table(tmp_path / "a", "test", None, {}, {"a": array})
    table = read_table(tmp_path / "a", "test")
    assert table.game is None
    assert np.array_equal(table.arrays["a"], array)
    assert table.arrays["a"].dtype.str == "<i4"


def test_a_missing_table_is_missing(tmp_path: Path) -> None:
    with pytest.raises(TableMissing, match=r"nowhere\.muang"):
        read_table(tmp_path / "nowhere.muang", "test")


def test_every_shortened_file_is_refused(path: Path, tmp_path: Path) -> None:
    whole = path.read_bytes()
    short = tmp_path / "short"
    for length in [0, 5, 16, 31, 100, *range(32, len(whole), 61), len(whole) - 1]:
        short.write_bytes(whole[:length])
        with pytest.raises(BadTable):
            read_table(short, "test", verify=False)
    short.write_bytes(whole + b"\0")
    with pytest.raises(BadTable, match="long"):
        read_table(short, "test", verify=False)


def test_every_changed_byte_of_header_and_arrays_is_noticed(path: Path, tmp_path: Path) -> None:
    whole = bytearray(path.read_bytes())
    arrays = int.from_bytes(whole[8:16], "little") + 32
    data = sum(-(-array.nbytes // 64) * 64 for array in ARRAYS.values())
    assert arrays + data == len(whole)
    changed = tmp_path / "changed"
    for at in [*range(0, arrays, 7), *range(arrays, arrays + ARRAYS["low"].nbytes, 13)]:
        whole[at] ^= 4
        changed.write_bytes(whole)
        with pytest.raises(BadTable):
            read_table(changed, "test")
        whole[at] ^= 4


def test_other_kinds_games_and_rules_are_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadTable, match="holds test, not endgame"):
        read_table(path, "endgame")
    with pytest.raises(BadTable, match="belongs to"):
        read_table(path, "test", muang.game("mak-khum", "turns", holes=3, capture_last=True))
    monkeypatch.setattr(files, "RULES_VERSION", files.RULES_VERSION + 1)
    with pytest.raises(BadTable, match="version"):
        read_table(path, "test")


def forged(path: Path, **changes: Any) -> None:
    """The file with another header, digest and all."""
    whole = path.read_bytes()
    length = int.from_bytes(whole[8:16], "little")
    text = json.dumps(json.loads(whole[32 : 32 + length]) | changes).encode()
    path.write_bytes(whole[:8] + len(text).to_bytes(8, "little") + blake2b(text, digest_size=16).digest() + text + whole[32 + length :])


@pytest.mark.parametrize(
    "changes",
    [
        {"form": 99},
        {"game": "chess"},
        {"options": {"holes": -4}},
        {"options": None},
        {"arrays": None},
        {"arrays": [{}]},
        {"arrays": [{"name": "a", "dtype": "O", "shape": [1], "offset": 0, "digest": ""}]},
        {"arrays": [{"name": "a", "dtype": "<i8", "shape": [-3], "offset": 0, "digest": ""}]},
        {"arrays": [{"name": "a", "dtype": "<i8", "shape": [1 << 60], "offset": 0, "digest": ""}]},
        {"arrays": [{"name": "a", "dtype": "no such", "shape": [1], "offset": 0, "digest": ""}]},
    ],
)
def test_a_forged_header_is_refused_not_believed(path: Path, changes: dict[str, Any]) -> None:
    forged(path, **changes)
    with pytest.raises(BadTable):
        read_table(path, "test", verify=False)


def test_a_full_disk_is_said_before_anything_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1000))
    with pytest.raises(NotEnough, match="1,000 are free"):
        write_table(tmp_path / "a", "test", None, {}, {"a": np.zeros(1000)})
    assert list(tmp_path.iterdir()) == []


def test_a_write_that_fails_leaves_the_old_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = path.read_bytes()

    def broken(_: int) -> None:
        raise OSError(5, "the disk is gone")

    monkeypatch.setattr(files.os, "fsync", broken)
    with pytest.raises(OSError, match="gone"):
        write_table(path, "test", GAME, {}, ARRAYS)
    assert path.read_bytes() == before
    assert [other.name for other in path.parent.iterdir()] == [path.name]


def test_the_folder_of_tables(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MUANG_TABLES", str(tmp_path))
    assert folder() == tmp_path
    monkeypatch.delenv("MUANG_TABLES")
    assert folder().name == "tables"
    assert "muang" in folder().parts


# ── work ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("threads", [1, 2])
def test_work_runs_everything_in_order_and_tells_how_far_it_is(threads: int) -> None:
    heard: list[work.Progress] = []
    with work.Work(45, threads=threads, on_progress=heard.append) as job:
        assert job.run(lambda a, b: a * b, [(i, 2) for i in range(10)], weight=float) == [2 * i for i in range(10)]
    assert len(heard) == 10
    assert heard[-1].done == heard[-1].total == 45
    assert heard[-1].left == 0
    assert all(a.done <= b.done for a, b in itertools.pairwise(heard))


@pytest.mark.parametrize("threads", [1, 2])
def test_work_stops_where_it_is_asked_to(threads: int) -> None:
    ran: list[int] = []
    with work.Work(100, threads=threads) as job:

        def one(i: int) -> None:
            ran.append(i)
            if i == 5:
                job.stop.set()

        with pytest.raises(work.Stopped):
            job.run(one, [(i,) for i in range(100)], weight=lambda _: 1)
    assert 5 in ran
    assert len(ran) < 10


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_in_a_task_is_not_lost(threads: int) -> None:
    with work.Work(4, threads=threads) as job, pytest.raises(ZeroDivisionError):
        job.run(lambda i: 1 // i, [(3,), (0,), (2,), (1,)])


def test_an_earlier_run_counts_in_what_is_done_and_not_in_the_speed() -> None:
    job = work.Work(100, done=50)
    assert job.progress().left is None
    job.advance(25, "half of the rest")
    step = job.progress()
    assert step.left is not None
    assert step.note == "half of the rest"
    assert step.left == pytest.approx(step.seconds)


def test_ctrl_c_stops_once_and_breaks_off_twice() -> None:
    import signal

    stop = work.Stop()
    before = signal.getsignal(signal.SIGINT)
    with work.ctrl_c(stop):
        signal.raise_signal(signal.SIGINT)
        assert stop
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_what_does_not_fit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work.need(0, 0, tmp_path)
    monkeypatch.setattr(work, "memory_available", lambda: 5_000_000)
    with pytest.raises(NotEnough, match=r"this table needs 12 MB of memory, 5\.0 MB are free"):
        work.need(12_000_000, 0, tmp_path, "this table")
    with pytest.raises(NotEnough, match="disk"):
        work.need(0, 1 << 60, tmp_path / "not" / "there")
