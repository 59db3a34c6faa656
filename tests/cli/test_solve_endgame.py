"""``muang solve endgame``: what it prints, its exit codes, and that it begins nothing it cannot end."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from muang import cli
from muang.solver import endgame_kernel, endgame_solve
from muang.solver.files import write_table

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ran(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run a command in this process, with an empty folder of tables: exit code, output, errors."""
    monkeypatch.setenv("MUANG_TABLES", str(tmp_path / "tables"))

    def run(*arguments: str) -> tuple[int, str, str]:
        code = cli.run(["solve", "endgame", *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def test_a_table_is_made_once_and_told_each_time(ran: Run, tmp_path: Path) -> None:
    code, out, err = ran("mak-khum", "--option", "holes=3", "--seeds", "4", "--check", "100")
    assert (code, err) == (0, "")
    assert "mak-khum, holes 3, up to 4 seeds: 210 boards" in out
    assert "100 random entries re-derived: 0 wrong" in out
    (file,) = (tmp_path / "tables").iterdir()
    before = file.stat().st_mtime_ns
    code, out, _ = ran("mak-khum", "--ruleset", "songkhla", "--option", "holes=3", "--seeds", "4", "--json")
    told = json.loads(out)
    assert code == 0
    assert told["file"] == str(file)
    assert [row["boards"] for row in told["values"]] == [1, 6, 21, 56, 126]
    assert file.stat().st_mtime_ns == before
    assert ran("mak-khum", "--option", "holes=3", "--seeds", "4", "--again")[0] == 0
    assert file.stat().st_mtime_ns != before


def test_both_pairs_of_bounds_are_told(ran: Run) -> None:
    code, out, _ = ran("abalalae", "--option", "columns=2", "--seeds", "4", "--json", "--check", "50")
    told = json.loads(out)
    assert (code, told["checked"], told["wrong"]) == (0, 50, 0)
    assert told["calm"] > 1
    assert told["values"][4]["unmet"] > told["values"][4]["calm_unmet"]
    code, out, _ = ran("abalalae", "--option", "columns=2", "--seeds", "4")
    assert f"{told['calm']} quiet" in out  # the heading is broken where the screen is narrow


def test_a_wrong_entry_is_a_finding(ran: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def spoiled(path, kind, of, parameters, arrays, **more):  # type: ignore[no-untyped-def]
        arrays["values"][50:] = 1
        return write_table(path, kind, of, parameters, arrays, **more)

    monkeypatch.setattr(endgame_solve, "write_table", spoiled)
    code, out, _ = ran("mak-khum", "--option", "holes=3", "--seeds", "4", "--check", "100")
    assert code == 1
    assert "0 wrong" not in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ca-ngua"], "allowed: mak-khum, abalalae"),
        (["chess"], "no game 'chess'"),
        (["mak-khum", "--seeds", "61"], "60"),
        (["mak-khum", "--seeds", "45"], "are free"),
        (["mak-khum", "--option", "holes=99"], "MK-1"),
        (["mak-khum", "-o", "."], "is a folder"),
        (["mak-khum", "--threads", "many"], "threads"),
    ],
    ids=str,
)
def test_wrong_use_is_one_line(ran: Run, tmp_path: Path, arguments: list[str], said: str) -> None:
    code, out, err = ran(*arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert err.startswith("muang: ")
    assert err.count("\n") == 1
    assert not (tmp_path / "tables").exists()


def test_a_file_that_is_no_table_is_not_written_over(ran: Run, tmp_path: Path) -> None:
    file = tmp_path / "letter"
    file.write_text("dear all")
    code, _, err = ran("mak-khum", "--option", "holes=3", "--seeds", "3", "-o", str(file))
    assert code == 2
    assert "not a table of Muang" in err
    assert file.read_text() == "dear all"


def test_ctrl_c_keeps_what_is_done(ran: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    whole = endgame_kernel.row_level

    def interrupted(*arguments: object) -> None:
        calls.append(1)
        if len(calls) == 20:
            signal.raise_signal(signal.SIGINT)
        whole(*arguments)

    monkeypatch.setattr(endgame_kernel, "row_level", interrupted)
    arguments = ("mak-khum", "--option", "holes=3", "--seeds", "6")
    code, out, err = ran(*arguments)
    assert (code, out) == (130, "")
    assert err == "muang: stopped; what is done is kept: the same command goes on from here\n"
    assert [path.name for path in (tmp_path / "tables").iterdir()] == ["endgame-mak-khum-3-6.muang.part"]
    before = len(calls)
    assert before == 20
    assert ran(*arguments)[0] == 0
    begun_anew = len(calls) - before
    assert [path.name for path in (tmp_path / "tables").iterdir()] == ["endgame-mak-khum-3-6.muang"]
    assert ran(*arguments, "--again")[0] == 0
    assert len(calls) - before - begun_anew == begun_anew + before
