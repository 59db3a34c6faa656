"""The command ``muang``: what each command prints, its exit codes, and one clear line for every wrong use."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import muang
from muang import cli
from muang.records import Record, read, text

VECTORS = Path(__file__).parent.parent / "vectors"
START = "mak-khum rules=turns round=1 first=S opened=S S=7,7,7,7,7,7,7/0 N=7,7,7,7,7,7,7/0 turn=S"

RACE = "mak-khum rules=trang round=1 first=S S=7,7,7,7,7,7,7/0 N=7,7,7,7,7,7,7/0 race="


class Ran:
    """What a command printed and its exit code."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def ran(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    """Run a command in this process."""
    for name in ("MUANG_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: str, typed: str = "") -> Ran:
        lines = iter(typed.splitlines())

        def read_line(prompt: str = "") -> str:
            print(prompt)
            try:
                return next(lines)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", read_line)
        code = cli.run(arguments)
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A short record in a file."""
    match = muang.game("mak-khum", "turns").start(7, first="S").play("S", "S1").play("S", "S2").leave("N", "resigned")
    path = tmp_path / "match.txt"
    path.write_text(text.write(Record.from_match(match, {"S": "An"}, "2026-08-04", {1: ["nice"]})), encoding="utf-8")
    return path


def test_version_and_help(ran) -> None:
    assert ran("--version").out == f"muang {muang.__version__}\n"
    assert ran().code == 2
    shown = ran("--help")
    assert shown.code == 0
    for name in ("games", "rules", "play", "show", "replay", "picture", "conform", "perft", "simulate", "bench", "serve"):
        assert f"\n  {name} " in shown.out
        assert ran(name, "--help").code == 0


def test_games(ran) -> None:
    shown = ran("games").out
    assert "mak-khum" in shown
    assert "    songkhla  race: opening, rounds: until_broke" in shown
    assert "    phone (default)" in shown
    assert "หมากขุม" in ran("games", "--lang", "th").out
    assert "--option gate=run_in  CN-25  (run_in | climb | jump)" in ran("games", "--options").out


@pytest.mark.parametrize("lang", ["en", "th", "vi", "pt"])
def test_rules(ran, lang: str) -> None:
    for game, clause in (("mak-khum", "MK-57"), ("abalalae", "AB-46"), ("ca-ngua", "CN-50")):
        shown = ran("rules", game, "--lang", lang)
        assert shown.code == 0
        assert clause in shown.out
    assert ran("rules", "mak-khum", "--clause", "mk-12").out.startswith("MK-12 (reading)\n")


def test_the_language_of_the_system(ran, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "vi_VN.UTF-8")
    assert ran("rules", "ca-ngua").out == ran("rules", "ca-ngua", "--lang", "vi").out
    monkeypatch.setenv("LC_ALL", "th_TH")
    assert ran("rules", "ca-ngua").out == ran("rules", "ca-ngua", "--lang", "th").out
    monkeypatch.setenv("MUANG_LANG", "pt")
    assert ran("rules", "ca-ngua").out == ran("rules", "ca-ngua", "--lang", "pt").out
    monkeypatch.setenv("MUANG_LANG", "")
    monkeypatch.setenv("LC_ALL", "C")
    assert ran("rules", "ca-ngua").out == ran("rules", "ca-ngua", "--lang", "en").out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["games", "--lang", "xx"], "there is no language 'xx' (allowed: en, th, vi, pt)"),
        (["rules", "chess"], "there is no game 'chess' (allowed: mak-khum, abalalae, ca-ngua)"),
        (["rules", "mak-khum", "--clause", "MK-99"], "no clause 'MK-99'"),
        (["rules"], "Missing argument"),
        (["dance"], "No such command"),
        (["show", "/nowhere/x"], "/nowhere/x: No such file or directory"),
        (["show", "."], ".: Is a directory"),
        (["perft", "mak-khum"], "Missing option '--depth'"),
        (["perft", "mak-khum", "--depth", "0"], "--depth"),
        (["perft", "mak-khum", "--depth", "x"], "--depth"),
        (["perft", "mak-khum", "--depth", "1", "--first", "W"], "first cannot be 'W'"),
        (["perft", "mak-khum", "--depth", "1", "--option", "rounds"], "an option is written KEY=VALUE, not 'rounds'"),
        (["perft", "mak-khum", "--depth", "1", "--option", "rounds=x"], "MK-50: rounds cannot be 'x'"),
        (["perft", "mak-khum", "--depth", "1", "--option", "size=3"], "mak-khum has no option 'size'"),
        (["perft", "mak-khum", "--depth", "1", "--ruleset", "phone"], "no ruleset 'phone'"),
        (["perft", "ca-ngua", "--depth", "1", "--option", "gate=climb", "--option", "doubles=total"], "CN-25"),
        (["perft", "mak-khum", "--depth", "1", "--position", "mak-khum S=99"], "S"),
        (["perft", "abalalae", "--depth", "1", "--position", START], "this is a position of mak-khum, not of abalalae"),
        (["perft", "mak-khum", "--depth", "1", "--position", START, "--first", "S"], "a position brings its own rules"),
        (["picture", "nonsense", "-o", "-"], "a position begins with the game's name"),
        (["picture", START, "-o", "-", "--ruleset", "turns"], "a position brings its own rules"),
        (["picture", "mak-khum", "-o", "/nowhere/x.svg"], "/nowhere/x.svg"),
        (["picture", "mak-khum"], "Missing option '--output'"),
        (["conform", "/nowhere"], "no file or folder /nowhere"),
        (["simulate", "mak-khum", "-n", "0"], "-n"),
        (["simulate", "mak-khum", "--players", "genius,random"], "no computer player 'genius'"),
        (["simulate", "mak-khum", "--players", "random,random,random"], "2 seats and 3 players"),
        (["simulate", "ca-ngua", "--seats", "a,b"], "seats are numbers"),
        (["simulate", "ca-ngua", "--seats", "0,0"], "CN-2"),
        (["play", "mak-khum", "--players", "person"], "--players needs 2 of person, random, greedy"),
        (["play", "mak-khum", "--players", "person,genius"], "--players needs 2"),
        (["play", "mak-khum", "--names", "a,b,c"], "2 seats and 3 names"),
        (["play", "mak-khum", "--first", "0"], "first cannot be 0"),
        (["play", "mak-khum", "--first", ""], ""),
        (["play", "abalalae", "--position", START], "this is a position of mak-khum"),
        (["play", "mak-khum", "--position", START, "--ruleset", "turns"], "brings its own rules"),
        (["play", "mak-khum", "--seed", "-1"], "--seed"),
        (["play", "mak-khum", "--position", START.replace("turn=S", "race=").replace("turns", "trang,pace")], "no option"),
        (["play", "mak-khum", "--position", RACE.replace("first=S", "first=S pace=steady:100")], "races go at lockstep"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(ran, arguments: list[str], why: str) -> None:
    result = ran(*arguments)
    if not why:
        assert result.code == 0
        return
    assert result.code == 2
    assert why in result.err
    assert result.err.startswith("muang: ")
    assert result.err.count("\n") == 1


def test_show_and_replay(ran, record: Path) -> None:
    shown = ran("show", str(record))
    assert shown.code == 0
    assert "round 1: 1. S1\n{nice}\nS2 N:resigned\n= S resigned" in shown.out
    assert "│ N1  13 │" in shown.out
    assert "North resigns: An wins." in shown.out
    assert "over=S:resigned" in shown.out
    told = ran("replay", str(record)).out
    assert "    1 An lifts 7 seeds from S1. The last seed falls into An's store: An chooses again." in told
    assert "{nice}" in told
    assert ran("replay", str(record), "--boards", "--ascii").out.count("+--------+") > 3
    assert ran("replay", str(record), "--verify").out == f"{record}: 3 actions, the same end\n"


def test_one_form_into_the_other(ran, record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    as_json = ran("show", str(record), "--json").out
    assert read(as_json) == read(record.read_text(encoding="utf-8"))
    import io

    monkeypatch.setattr(sys, "stdin", io.StringIO(as_json))
    assert ran("show", "-", "--text").out == record.read_text(encoding="utf-8")


def test_a_record_that_does_not_replay_is_a_finding(ran, record: Path) -> None:
    record.write_text(record.read_text(encoding="utf-8").replace("S2", "S1"), encoding="utf-8")
    for extra in ([], ["--verify"]):
        result = ran("replay", str(record), *extra)
        assert result.code == 1
        assert "action 2: MK-10: S1 is empty" in result.out
    shown = ran("show", str(record))
    assert shown.code == 1
    assert "action 2: MK-10" in shown.err


def test_a_record_that_cannot_be_read_is_wrong_use(ran, tmp_path: Path) -> None:
    path = tmp_path / "x"
    for content, why in ((b"nothing", "Game must name"), (b"\xff\xfe", "not UTF-8"), (b"{}", "format must be")):
        path.write_bytes(content)
        for command in ("show", "replay"):
            result = ran(command, str(path))
            assert result.code == 2
            assert why in result.err
            assert result.err.count("\n") == 1


def test_picture(ran, tmp_path: Path) -> None:
    path = tmp_path / "board.svg"
    for what in ("mak-khum", "abalalae", "ca-ngua", START):
        assert ran("picture", what, "-o", str(path), "--upright").code == 0
        assert path.read_text(encoding="utf-8").startswith("<svg")
    assert "</svg>" in ran("picture", "ca-ngua", "-o", "-", "--option", "track=48").out
    assert "ใต้" in ran("picture", "mak-khum", "-o", "-", "--lang", "th").out


def test_conform(ran, tmp_path: Path) -> None:
    good = (VECTORS / "slips.jsonl").read_text(encoding="utf-8").splitlines()[:3]
    path = tmp_path / "cases.jsonl"
    path.write_text("\n".join(good), encoding="utf-8")
    result = ran("conform", str(tmp_path))
    assert (result.code, result.out) == (0, "3 passed, 0 failed\n")
    changed = json.loads(good[0])
    changed["after"]["stores"]["S"] += 1
    path.write_text("\n".join([*good, json.dumps(changed), "{"]), encoding="utf-8")
    result = ran("conform", str(path))
    assert result.code == 1
    lines = result.out.splitlines()
    assert lines[0].startswith(f"{path}:4: slips-0001: after")
    assert lines[1].startswith(f"{path}:5: no id: cannot read the line")
    assert lines[2] == "3 passed, 2 failed"


def test_perft(ran) -> None:
    lines = ran("perft", "mak-khum", "--depth", "4", "--ruleset", "turns", "--first", "S").out.splitlines()
    assert [line.split()[:2] for line in lines[1:]] == [["1", "7"], ["2", "36"], ["3", "227"], ["4", "1,378"]]
    lines = ran("perft", "mak-khum", "--depth", "3", "--ruleset", "turns", "--option", "capture_last=true", "--first", "S").out.splitlines()
    assert lines[-1].split()[:2] == ["3", "230"]
    assert ran("perft", "mak-khum", "--depth", "3", "--position", START).out.splitlines()[-1].split()[:2] == ["3", "227"]


def test_simulate(ran) -> None:
    arguments = ("simulate", "ca-ngua", "-n", "30", "--players", "random,greedy", "--seed", "4", "--workers", "1")
    found = json.loads(ran(*arguments, "--json").out)
    assert found["games"] == 30
    assert found["players"] == ["random", "greedy"]
    assert found == json.loads(ran(*arguments, "--json").out)
    table = ran(*arguments).out
    assert "won by greedy" in table
    assert "no moves" in table


# ── playing ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_two_computers_play_a_whole_match(ran, tmp_path: Path) -> None:
    for game, players in (("mak-khum", "greedy,random"), ("abalalae", "random,greedy"), ("ca-ngua", "greedy,random")):
        path = tmp_path / f"{game}.json"
        result = ran("play", game, "--players", players, "--seed", "3", "--save", str(path))
        assert result.code == 0
        kept = read(path.read_text(encoding="utf-8"))
        assert kept.result is not None
        assert kept.match().result == kept.result
        assert set(kept.names.values()) == {"greedy", "random"}
        assert " wins" in result.out.splitlines()[-1] or "drawn" in result.out


def test_a_person_plays_by_number_and_by_name(ran, tmp_path: Path) -> None:
    path = tmp_path / "kept.txt"
    base = ("play", "mak-khum", "--ruleset", "turns", "--first", "S", "--seed", "1")
    result = ran(*base, "--names", "An", "--save", str(path), typed="1\ns2\n9\n?\nboard\nquit")
    assert result.code == 0
    assert "An lifts 7 seeds from S1. The last seed falls into An's store: An chooses again." in result.out
    assert "9 is not possible here" in result.out
    assert "resign" in result.out
    assert "The match is broken off." in result.out
    kept = read(path.read_text(encoding="utf-8"))
    assert [entry.action for entry in kept.entries][:2] == ["S1", "S2"]
    assert kept.names == {"S": "An", "N": "level-2"}
    assert kept.result is None


def test_choices_at_once_in_a_race(ran, tmp_path: Path) -> None:
    """MK-24: both are asked before either is shown."""
    path = tmp_path / "kept.txt"
    result = ran("play", "mak-khum", "--first", "S", "--seed", "1", "--players", "person,person", "--save", str(path), typed="1\n2\nquit")
    asked = result.out.index("North, choose: N1")
    assert result.out.index("South, choose: S1") < asked < result.out.index("South lifts")
    assert "S1" not in result.out[asked : result.out.index("South lifts")].replace("S1   ", "")
    assert [entry.action for entry in read(path.read_text(encoding="utf-8")).entries] == ["S1", "N2"]


def test_resigning_drawing_and_taking_back(ran, tmp_path: Path) -> None:
    base = ("play", "mak-khum", "--ruleset", "turns", "--first", "S", "--seed", "1")
    assert "South resigns: North wins." in ran(*base, typed="resign").out
    assert "North plays on." in ran(*base, typed="draw\nquit").out
    agreed = ran(*base, "--players", "person,person", typed="2\ndraw\ny")
    assert "The players agree on a draw." in agreed.out
    assert "The match is broken off." in ran(*base, "--players", "person,person", typed="draw\nn\nquit").out
    path = tmp_path / "kept.txt"
    ran(*base, "--save", str(path), typed="2\nback\n3\nquit")
    kept = read(path.read_text(encoding="utf-8"))
    assert kept.entries[0].action == "S3"
    assert "MK-56" in ran(*base, typed="back\nquit").out
    assert "CN-30" in ran("play", "ca-ngua", "--seed", "2", "--players", "person,person", typed="draw\nquit").out


def test_horses_by_the_number_of_the_move(ran, tmp_path: Path) -> None:
    path = tmp_path / "kept.txt"
    result = ran("play", "ca-ngua", "--seats", "0,1,2", "--seed", "5", "--save", str(path), typed="1\n" * 400)
    assert result.code == 0
    kept = read(path.read_text(encoding="utf-8"))
    assert kept.seats == (0, 1, 2)
    assert kept.match().result is not None
    assert "    1  " in result.out
    assert "→" in result.out


def test_from_a_position(ran, tmp_path: Path) -> None:
    path = tmp_path / "kept.txt"
    assert ran("play", "mak-khum", "--position", START, "--save", str(path), typed="2\nquit").code == 0
    kept = read(path.read_text(encoding="utf-8"))
    assert kept.position == START
    assert kept.entries[0].action == "S2"
    kept.match()


def test_a_by_hand_position_is_played_drop_by_drop(ran) -> None:
    line = START.replace("opened=S", "opened=S pace=by_hand:80")
    out = ran("play", "mak-khum", "--position", line, typed="1\ndrop\ndrop\nquit").out
    assert "South drops a seed into S3." in out


def test_other_languages_leave_no_english(ran) -> None:
    for lang, word in (("th", "เลือก"), ("vi", "chọn"), ("pt", "escolh")):
        out = ran("play", "mak-khum", "--ruleset", "turns", "--first", "S", "--seed", "1", "--lang", lang, typed="1\n?\n9\nquit").out
        assert word in out
        for english in ("choose", "possible", "broken off", "Type", "lifts"):
            assert english not in out


# ── processes of their own ────────────────────────────────────────────────────────────────────────────────────────────────────

WITHOUT_NUMBA = """
import sys
from muang.cli import run
code = run(sys.argv[1:])
assert "numba" not in sys.modules, "numba was loaded"
sys.exit(code)
"""


def process(*arguments: str, script: str = WITHOUT_NUMBA, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONUTF8": "1", **environment}
    return subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, encoding="utf-8", env=env, timeout=60)


def test_looking_does_not_load_numba(record: Path, tmp_path: Path) -> None:
    for arguments in (
        ("--help",),
        ("games",),
        ("rules", "mak-khum", "--lang", "th"),
        ("picture", "mak-khum", "-o", str(tmp_path / "a.svg")),
        ("picture", "ca-ngua", "-o", str(tmp_path / "b.svg")),
        ("show", str(record)),
        ("replay", str(record)),
    ):
        done = process(*arguments)
        assert done.returncode == 0, done.stderr
        assert done.stdout or arguments[0] == "picture"


def test_a_terminal_that_knows_only_ascii(record: Path) -> None:
    done = process("show", str(record), PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0
    assert "| N1  13 |" in done.stdout


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -c 'from muang.cli import main; main()' rules mak-khum | head -n 1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1
