"""Data sets: rows that can be replayed, runs that go on where they were stopped, files that others read."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

import muang
from muang import BadAction
from muang.cli import run
from muang.errors import MissingExtra
from muang.games import lots
from muang.lab import dataset
from muang.lab.arena_group import opening
from muang.lab.dataset import COLUMNS, DataSet, OtherRun, write

parquet = pytest.importorskip("pyarrow.parquet")


def rows(path: Path) -> list[dict[str, Any]]:
    return list(parquet.read_table(path).to_pylist())


@pytest.mark.parametrize(
    ("game", "players", "seats"),
    [
        (muang.game("mak-khum", holes=4, seeds=3), ("random", "search:nodes=50"), None),
        (muang.game("abalalae", "single"), ("greedy",), None),
        (muang.game("ca-ngua"), ("random", "greedy", "level-1"), (0, 1, 3)),
    ],
)
def test_every_row_is_a_choice_of_a_match_that_replays(tmp_path: Path, game: muang.Game, players: tuple[str, ...], seats: Any) -> None:
    of = DataSet(game, 4, players, 7, seats)
    count = write(of, tmp_path / "a.parquet", workers=1)
    table = rows(tmp_path / "a.parquet")
    assert len(table) == count
    assert list(table[0]) == [name for name, _, _ in COLUMNS]
    assert {row["player"] for row in table} == set(players)
    for number, group in groupby(table, key=lambda row: row["match"]):
        choices = list(group)
        assert [row["ply"] for row in choices] == list(range(len(choices)))
        seed = lots.draw(7, "dataset", number)
        start = opening(game.start(seed, seats=seats), of.about()["opening"])
        match, rolls = start, sum(entry.kind == "roll" for entry in start.log)
        for row in choices:
            while match.phase == "roll":
                match, rolls = match.roll(lots.dice(seed, rolls)), rolls + 1
            seat = next(seat for seat in match.seats if str(seat) == row["seat"])
            assert row["seed"] == seed
            assert row["phase"] == match.phase
            assert row["position"] == str(match.position)
            assert tuple(row["legal"]) == match.legal(seat)
            match = match.play(seat, row["action"])
            searched = row["player"].startswith("search") and len(row["legal"]) > 1
            assert (row["value"] is not None) == (row["exact"] is not None) == searched
            assert row["unit"] == ("seeds" if searched else None)
        while match.phase == "roll":
            match, rolls = match.roll(lots.dice(seed, rolls)), rolls + 1
        assert match.result is not None
        for row in choices:
            assert row["reason"] == match.result.reason
            winner = match.result.winner
            lost = -1 / (len(match.seats) - 1)
            assert row["result"] == pytest.approx(0 if winner is None else 1 if str(winner) == row["seat"] else lost)


def test_values_for_every_player_and_metadata(tmp_path: Path) -> None:
    game = muang.game("ca-ngua", track=48)
    path = tmp_path / "v.parquet"
    write(DataSet(game, 1, ("random",), 3, value_nodes=20), path, workers=1)
    assert all((row["value"] is None) == (len(row["legal"]) == 1) for row in rows(path))
    assert all(0 <= row["value"] <= 1 for row in rows(path) if row["value"] is not None)
    schema = parquet.read_schema(path)
    about = json.loads(schema.metadata[b"muang"])
    assert muang.game(about["game"], about["ruleset"], **about["options"]) == game
    assert (about["seed"], about["players"], about["matches"], about["version"]) == (3, ["random"], 1, muang.__version__)
    assert [field.metadata[b"about"].decode() for field in schema] == [about for _, _, about in COLUMNS]
    assert parquet.ParquetFile(path).metadata.row_group(0).column(0).compression == "ZSTD"


class Killed(Exception):
    pass


def test_a_run_that_was_stopped_goes_on_to_the_same_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset, "PART", 2)
    monkeypatch.setattr(dataset, "GROUP", 200)
    of = DataSet(muang.game("mak-khum", "turns"), 9, ("random", "greedy"), 1)
    whole, stopped = tmp_path / "whole.parquet", tmp_path / "stopped.parquet"
    write(of, whole, workers=1)

    played = 0

    def killed(done: int) -> None:
        nonlocal played
        played += done
        if played >= 4:
            raise Killed

    with pytest.raises(Killed):
        write(of, stopped, workers=1, progress=killed)
    assert not stopped.exists()
    parts = tmp_path / "stopped.parquet.parts"
    (parts / "000000004.4711").write_bytes(b"half a part")
    first = parts / "000000000.parquet"
    first.write_bytes(first.read_bytes()[:500])  # damaged: it is made again
    again: list[int] = []
    calls: list[int] = []
    part_of = dataset.part_of

    def counted(*job: Any) -> int:
        calls.append(job[2])
        return part_of(*job)

    monkeypatch.setattr(dataset, "part_of", counted)
    assert write(of, stopped, workers=1, progress=again.append) == parquet.read_metadata(whole).num_rows
    assert calls == [0, 4, 6, 8]
    assert sum(again) == 9
    assert stopped.read_bytes() == whole.read_bytes()
    assert parquet.ParquetFile(whole).num_row_groups > 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["stopped.parquet", "whole.parquet"]


def test_processes_give_the_same_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    of = DataSet(muang.game("ca-ngua"), 26, ("greedy", "random"), 2)
    one, two = tmp_path / "1.parquet", tmp_path / "2.parquet"
    write(of, one, workers=1)
    write(of, two, workers=2)
    assert one.read_bytes() == two.read_bytes()


def test_others_read_it(tmp_path: Path) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    path = tmp_path / "a.parquet"
    count = write(DataSet(muang.game("abalalae", "turns"), 2, ("search:depth=1", "random")), path, workers=1)
    frame, other = pandas.read_parquet(path), polars.read_parquet(path)
    assert len(frame) == other.height == count
    assert frame["seed"].tolist() == other["seed"].to_list()
    assert [list(legal) for legal in frame["legal"]] == other["legal"].to_list()
    assert frame["value"].notna().sum() == count - other["value"].null_count() > 0


def test_parts_of_another_run_and_files_that_are_there(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    of = DataSet(muang.game("mak-khum", "turns"), 1, ("random",))
    write(of, path, workers=1)
    before = path.read_bytes()
    with pytest.raises(OtherRun, match="--overwrite"):
        write(of, path, workers=1)
    assert path.read_bytes() == before
    write(of, path, workers=1, overwrite=True)
    assert path.read_bytes() == before
    parts = tmp_path / "b.parquet.parts"
    parts.mkdir()
    (parts / "000000000.parquet").write_bytes(before)
    with pytest.raises(OtherRun, match="no note"):
        write(of, tmp_path / "b.parquet", workers=1)
    (parts / "run.json").write_text(json.dumps({**of.about(), "seed": 5}))
    with pytest.raises(OtherRun, match="another run"):
        write(of, tmp_path / "b.parquet", workers=1)
    with pytest.raises(OtherRun, match="plain file"):
        write(of, tmp_path, workers=1)
    with pytest.raises(OtherRun, match="no folder"):
        write(of, tmp_path / "nowhere" / "c.parquet", workers=1)
    (tmp_path / "d.parquet.parts").mkdir()
    with FileLock(tmp_path / "d.parquet.parts" / "lock"), pytest.raises(OtherRun, match="another process"):
        write(of, tmp_path / "d.parquet", workers=1)


@pytest.mark.parametrize(
    "change", [{"players": ("bob",)}, {"players": ("random",) * 3}, {"players": ("search:nodes=x",)}, {"matches": 0}, {"value_nodes": -1}]
)
def test_what_no_data_set_can_be_made_of(change: dict[str, Any]) -> None:
    with pytest.raises(BadAction):
        DataSet(**{"game": muang.game("mak-khum"), "matches": 1, "players": ("random",), **change})


def test_without_pyarrow_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(dataset.importlib, "import_module", missing)
    with pytest.raises(MissingExtra, match=r"pip install 'muang\[data\]'"):
        write(DataSet(muang.game("mak-khum"), 1, ("random",)), tmp_path / "a.parquet")
    assert not list(tmp_path.iterdir())


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "c.parquet"
    words = ["dataset", "mak-khum", "--ruleset", "turns", "-n", "2", "--players", "search:depth=1,nodes=40,random", "-o", str(path)]
    assert run([*words, "--workers", "1"]) == 0
    assert "choices of 2 matches" in capsys.readouterr().out
    assert {row["player"] for row in rows(path)} == {"search:depth=1,nodes=40", "random"}
    for wrong, told in (
        ([*words], "--overwrite"),
        ([*words[:-1], str(tmp_path / "no" / "a.parquet")], "no folder"),
        (["dataset", "mak-khum"], "output"),
        (["dataset", "ca-ngua", "--seats", "0,x", "-o", str(tmp_path / "d")], "seats are numbers"),
        (["dataset", "mak-khum", "--players", "bob", "-o", str(tmp_path / "d")], "no computer player 'bob'"),
    ):
        assert run(wrong) == 2
        assert told in capsys.readouterr().err
