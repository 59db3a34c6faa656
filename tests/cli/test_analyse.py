"""``muang analyse``: what it prints for positions and records, its exit codes, its complaints. Most of it over a fake search."""

from __future__ import annotations

import _thread
import json
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import muang
from muang import Match, cli
from muang.cli import analyse as command
from muang.games.core import Seat
from muang.records import Record, text
from muang.search import analyse as searches
from muang.search.limits import Info, Limits, Line, Stop
from records import played

START = "mak-khum rules=turns round=1 first=S opened=S S=7,7,7,7,7,7,7/0 N=7,7,7,7,7,7,7/0 turn=S"
RACE = "mak-khum rules=trang round=1 first=S S=7,7,7,7,7,7,7/0 N=7,7,7,7,7,7,7/0 race="
HORSES = "ca-ngua rules=phone seats=0,2 0=stable,12 2=slot2,55 turn=0"


class Fake:
    """A search that says what it is told to and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Limits] = []
        self.exact = True
        self.hook: Callable[[int], None] = lambda count: None

    def __call__(self, match: Match, limits: Limits, on_info=None, tables=None, *, seat: Seat, stop: Stop | None = None) -> Info:
        if limits != Limits(nodes=200):  # that one compiles, before any time runs
            self.asked.append(limits)
        self.hook(len(self.asked))
        if match.phase == "roll":
            return Info(seat, "chance", (Line((), 0.513865849, exact=self.exact),), table="ca-ngua 0,2")
        legal = match.legal(seat)[: limits.lines]
        unit = "chance" if match.game.name == "ca-ngua" else "seeds"
        top, step = (0.75, 0.06) if unit == "chance" else (12, 7)
        lines = [Line(((seat, action),), top - step * place, self.exact) for place, action in enumerate(legal)]
        if match.phase == "turn":
            after, chain = match, []
            while after.turn == seat and len(chain) < 3:
                chain.append((seat, after.legal(seat)[0]))
                after = after.play(*chain[-1])
            lines[0] = Line((*chain, ("N" if seat == "S" else "S", "X9")), top, self.exact)
        mix = dict(zip(match.legal(seat), (0.75, 0.25), strict=False)) if match.phase == "race" else {}
        info = Info(seat, unit, tuple(lines), depth=3, nodes=1234, time_ms=5, mix=mix)
        if on_info is not None:
            on_info(info)
        return info


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Fake:
    search = Fake()
    monkeypatch.setattr(searches, "analyse", search)
    return search


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    for name in ("MUANG_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)

    def ran(*arguments: object) -> tuple[int, str, str]:
        code = cli.run(["analyse", *map(str, arguments)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return ran


@pytest.fixture
def record(tmp_path: Path) -> Path:
    match = muang.game("mak-khum", "turns").start(3, first="S")
    for n in range(14):
        seat = match.to_act[0]
        match = match.play(seat, match.legal(seat)[n % len(match.legal(seat))])
    path = tmp_path / "match.txt"
    path.write_text(text.write(Record.from_match(match, {"S": "An"})), encoding="utf-8")
    return path


# ── positions ────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_position_in_turns(run, fake: Fake) -> None:
    code, out, err = run(START)
    assert (code, err) == (0, "")
    assert "South ends the round 12 seeds ahead with best play. This is exact." in out
    assert "+12 =" in out
    assert "+5 =" in out
    assert "North X9" in out
    assert "Best: South lifts 7 seeds from S1" in out
    assert "North lifts" not in out.partition("Best:")[2]  # the best line's own turn, and no more
    assert fake.asked == [Limits(time_ms=command.USUAL_MS, threads=fake.asked[0].threads, lines=3)]


def test_estimates_are_not_called_exact(run, fake: Fake) -> None:
    fake.exact = False
    out = run(START)[1]
    assert "about 12 seeds ahead, as far as can be seen" in out
    assert "exact" not in out
    assert "=" not in out


def test_a_race_shows_both_seats_and_their_mixed_choices(run, fake: Fake) -> None:
    code, out, _ = run(RACE)
    assert code == 0
    assert "75 %" in out
    assert "25 %" in out
    assert "Best: South lifts S1." in out
    assert "Best: North lifts N1." in out
    assert "Both choose at once" in out


def test_a_roll_that_is_due(run, fake: Fake) -> None:
    code, out, _ = run(HORSES)
    assert code == 0
    assert "Red wins in 51.4 of 100 matches with best play. This is exact." in out
    assert "nothing is to be chosen before it" in out
    assert "table ca-ngua 0,2" in out


def test_a_horses_move(run, fake: Fake) -> None:
    out = run(HORSES + " dice=1,6")[1]
    assert "75.0 % =" in out
    assert "69.0 % =" in out
    assert "→" in out
    assert "→" not in run(HORSES + " dice=1,6", "--ascii")[1]


def test_the_limits_that_are_asked_for(run, fake: Fake) -> None:
    run(START, "--nodes", 500, "--depth", 3, "--lines", 5)
    run(START, "--level", 2)
    run(START, "--level", 1, "--time", 700, "--threads", 2)
    assert fake.asked == [
        Limits(nodes=500, depth=3, lines=5),
        Limits(nodes=command.LEVEL_NODES[1], lines=3),
        Limits(nodes=command.LEVEL_NODES[0], time_ms=700, threads=2, lines=3),
    ]


def test_a_position_as_json(run, fake: Fake) -> None:
    code, out, _ = run(RACE, "--json")
    told = json.loads(out)
    assert code == 0
    assert told["position"] == str(muang.position(RACE))
    assert [seat["seat"] for seat in told["seats"]] == ["S", "N"]
    first = told["seats"][0]
    assert first["mix"] == {"S1": 0.75, "S2": 0.25}
    assert first["lines"][1] == {
        "action": "S2",
        "value": 5,
        "exact": True,
        "bound": "",
        "actions": [["S", "S2"]],
        "words": "South lifts S2.",
    }
    assert (first["depth"], first["nodes"], first["exact"], first["unit"]) == (3, 1234, True, "seeds")


@pytest.mark.parametrize("lang", ["th", "vi", "pt"])
def test_it_speaks_four_languages(run, fake: Fake, lang: str) -> None:
    out = run(START, "--lang", lang)[1]
    assert "with best play" not in out
    assert "Best:" not in out


def test_positions_come_on_standard_input_too(run, fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO(f"\n{START}\n"))
    assert "12 seeds ahead" in run("-")[1]


# ── records ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_record_is_reviewed(run, fake: Fake, record: Path) -> None:
    code, out, err = run(record)
    assert (code, err) == (0, "")
    assert "An" in out
    assert "Round 1" in out
    for grade in ("mistake", "blunder"):
        assert grade in out
    assert "An: " in out
    assert "North: " in out
    assert "lost on average" in out
    assert all(asked.time_ms == command.USUAL_CHOICE_MS for asked in fake.asked)


def test_a_record_as_json(run, fake: Fake, record: Path) -> None:
    told = json.loads(run(record, "--json")[1])
    assert len(told["choices"]) == 14
    assert told["thresholds"] == [0.02, 0.06, 0.15]
    first = told["choices"][0]
    assert (first["entry"], first["seat"], first["value"], first["best_value"], first["lost"]) == (1, "S", 12, 12, 0)
    assert {seat["seat"] for seat in told["seats"]} == {"S", "N"}
    assert sum(seat["choices"] for seat in told["seats"]) <= 14


@pytest.mark.parametrize(("ending", "magic"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_the_plot(run, fake: Fake, record: Path, tmp_path: Path, ending: str, magic: bytes) -> None:
    path = tmp_path / f"eval.{ending}"
    assert run(record, "-o", path)[0] == 0
    assert path.read_bytes().startswith(magic)


def test_stopping_keeps_what_is_known(run, fake: Fake, record: Path) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # programs in the background are started without it

    def interrupt(count: int) -> None:
        if count == 3:
            time.sleep(0.2)  # whoever presses Ctrl-C has seen that it works
            _thread.interrupt_main()
            time.sleep(3)

    fake.hook = interrupt
    try:
        code, out, _ = run(record)
    finally:
        signal.signal(signal.SIGINT, before)
    assert code == 130
    assert "Stopped after 3 of 14 choices." in out


# ── wrong use ────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nothing.txt"], "neither a record's file nor"),
        (["chess rnbq w"], "nor a position, which begins with its game"),
        (["mak-khum S=1"], "S needs 7 holes"),
        ([START, "-o", "x.svg"], "a plot needs a record"),
        ([START, "-o", "x.gif"], "must end in .svg, .png, .pdf"),
        ([START, "--level", "9"], "level"),
        ([START, "--time", "0"], "time"),
        ([START, "--lang", "xx"], "no language"),
    ],
)
def test_wrong_use_is_one_line(run, fake: Fake, arguments: list[str], said: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_a_match_that_is_over_has_nothing_to_choose(run, fake: Fake, tmp_path: Path) -> None:
    over = muang.game("mak-khum", "turns").start(3, first="S").leave("N", "resigned")
    path = tmp_path / "over.txt"
    path.write_text(text.write(Record.from_match(over)), encoding="utf-8")
    code, _, err = run(path)
    assert code == 2
    assert "nobody has chosen anything" in err


def test_a_record_that_does_not_replay_is_a_finding(run, fake: Fake, record: Path) -> None:
    record.write_text(record.read_text("utf-8").replace("S1", "S7", 1), encoding="utf-8")
    code, out, err = run(record)
    assert code == 1
    assert "action" in err
    assert out == ""
    assert fake.asked == []


def test_names_do_not_command_the_terminal(run, fake: Fake, tmp_path: Path) -> None:
    match = played.horses({}, (0, 2), 5, steps=30)
    path = tmp_path / "match.txt"
    path.write_text(text.write(Record.from_match(match, {0: "A\x1b[2J"})), encoding="utf-8")
    assert "\x1b" not in run(path)[1]
