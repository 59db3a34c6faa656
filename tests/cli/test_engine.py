"""``muang engine``: driven through whole matches as a separate process, and asked everything in this one."""

from __future__ import annotations

import itertools
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

import muang
from muang.cli import engine as engine_module
from muang.cli.engine import Engine, _read_lines
from muang.games.lots import dice
from muang.search.players import player
from muang.wire import ugi


def talk(*lines: str) -> list[str]:
    """What an engine answers to these lines, in this process."""
    said: list[str] = []
    Engine(said.append).run(iter(lines))
    return said


class Driven:
    """``muang engine`` as a process of its own."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", "from muang.cli import main; main()", "engine"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.timer = threading.Timer(120, self.process.kill)  # a hang becomes a failure
        self.timer.start()

    def __enter__(self) -> Driven:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()
        self.timer.cancel()

    def send(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def until(self, start: str) -> list[str]:
        """Lines up to the one that begins so."""
        assert self.process.stdout is not None
        lines = []
        for line in self.process.stdout:
            lines.append(line.rstrip("\n"))
            if line.startswith(start):
                return lines
        raise AssertionError(f"the engine ended before it said {start}: {lines}")

    def ask(self, line: str, start: str) -> str:
        self.send(line)
        return self.until(start)[-1].removeprefix(start).strip()


def moves(match: muang.Match) -> str:
    """The words of a match so far."""
    words = [f"{e.dice[0]}-{e.dice[1]}:" if e.dice else f"{e.seat}:{e.action}" for e in match.log]
    return f"position startpos moves {' '.join(words)}" if words else "position startpos"


@pytest.mark.parametrize(
    ("name", "ruleset", "seats", "ask"),
    [
        ("mak-khum", "trang", None, "go nodes 200"),
        ("abalalae", "single", None, "go nodes 200"),
        ("abalalae", "turns", None, "go level 2"),
        ("ca-ngua", "phone", None, "go nodes 200"),
        ("ca-ngua", "phone", "0,1,2", "go level greedy"),
    ],
)
def test_a_whole_match_with_another_program(name: str, ruleset: str, seats: str | None, ask: str) -> None:
    """The engine has the first seat, a random player the others; both keep the match, and agree on it at every choice."""
    table = tuple(int(seat) for seat in seats.split(",")) if seats else None
    match = muang.game(name, ruleset).start(5, seats=table)
    other, rolls = player("random"), 0
    with Driven() as driven:
        assert driven.ask("ugi", "ugiok") == ""
        driven.send(f"setoption name Game value {name}", f"setoption name Ruleset value {ruleset}", "setoption name Seed value 5")
        if seats:
            driven.send(f"setoption name Seats value {seats}")
        driven.send("uginewgame")
        for n in itertools.count():
            driven.send(moves(match))
            assert driven.ask("query turn", "response") == ugi.turn_words(match)
            if match.result is not None:
                break
            if match.phase == "roll":
                roll = dice(5, rolls)
                rolls += 1
                match = match.roll(roll)
                driven.send(f"dice {roll[0]} {roll[1]}")
                assert driven.ask("query fen", "response") == str(match.position)
                continue
            picks = []
            for seat in match.to_act:
                if seat != match.seats[0]:
                    picks.append((seat, other.choose(match, seat, 5, n)))
                    continue
                answer = ugi.read_reply("bestmove " + driven.ask(f"{ask} seat {seat}", "bestmove"))
                assert answer is not None
                assert answer.action in match.legal(seat)
                picks.append((seat, answer.action))
            for seat, action in picks:
                match = match.play(seat, action)
        assert driven.ask("query result", "response") == ugi.result_word(match)
        assert driven.ask("query gameover", "response") == "true"
        driven.send("quit")
        assert driven.process.wait() == 0
        assert driven.process.stderr is not None
        assert driven.process.stderr.read() == ""


def test_it_tells_its_options_and_those_of_the_game() -> None:
    said = talk("ugi", "setoption name game value abalalae", "setoption name race_rounds value first", "ugi", "isready")
    first = said[: said.index("ugiok")]
    assert first[0] == f"id name Muang {muang.__version__}"
    assert "option name Game type combo default mak-khum var mak-khum var abalalae var ca-ngua" in first
    assert any(line.startswith("option name store_landing ") for line in first)
    second = said[len(first) + 1 : -2]
    assert "option name Game type combo default abalalae var mak-khum var abalalae var ca-ngua" in second
    assert "option name race_rounds type combo default first var all var first" in second
    assert said[-2:] == ["ugiok", "readyok"]
    assert not any(line.startswith("error") for line in said), said


def test_options_make_the_start() -> None:
    said = talk(
        "setoption name Ruleset value songkhla,rounds:4",
        "setoption name First value N",
        "query fen",
        "setoption name Game value ca-ngua",
        "setoption name Seats value 0 1 3",
        "setoption name First value 3",
        "query fen",
        "query turn",
        "query p3turn",
        "query p4turn",
        "setoption name Seats value <empty>",
    )
    assert said[0].startswith("response mak-khum rules=songkhla,rounds:4 round=1 first=N ")
    assert said[1].startswith("response ca-ngua rules=phone seats=0,1,3 ")
    assert said[2:5] == ["response dice 3", "response true", "response false"]
    assert said[5].startswith("error")  # seat 3 is still first, and no longer there


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("setoption name Game value chess", "no game 'chess'"),
        ("setoption name Ruleset value bangkok", "no ruleset 'bangkok'"),
        ("setoption name rounds value 3000000000000", "rounds cannot be"),
        ("setoption name Speed value 9", "no option 'Speed'.*Threads"),
        ("setoption name Threads value 0", "1 to 1024"),
        ("setoption name Seed value -1", "Seed cannot be"),
        ("setoption name Level value genius", "no computer player"),
        ("setoption name Pace value fast", "lockstep"),
        ("setoption name First value 0", "first cannot be 0"),
        ("setoption name Seats value q", "no seat"),
        ("position fen nonsense", "begins with the game's name"),
        ("position startpos moves S1 S1 S9", "move 2, S1"),
        ("dice 3 3", "no dice"),
        ("go seat 2", "no seat '2'"),
        ("go level genius", "no computer player"),
        ("hello \x1b[31m", "no command"),
    ],
)
def test_a_bad_line_is_answered_and_changes_nothing(line: str, why: str) -> None:
    import re

    said = talk("setoption name Ruleset value turns", "setoption name First value S", "query fen", line, "query fen")
    errors = [answer for answer in said if answer.startswith("error ")]
    assert len(errors) == 1
    assert re.search(why, errors[0]), errors
    assert errors[0].isprintable()
    assert said[0] == said[-1]
    assert ("bestmove none" in said) == line.startswith("go")


def test_a_search_for_a_seat_that_waits() -> None:
    said = talk("setoption name Ruleset value turns", "setoption name First value S", "go level random seat N", "go level random seat S")
    assert said[:2] == ["error seat N has nothing to choose", "bestmove none"]
    assert said[2].startswith("bestmove S")
    assert len(said) == 3


def test_over_is_over() -> None:
    said = talk("position startpos moves S:resigned", "query gameover", "query result", "query turn", "query legal", "go level greedy")
    assert said[:4] == ["response true", "response p2win", "response none", "response none"]
    assert said[4:] == ["error the match is over", "bestmove none"]


def test_races_name_the_seat() -> None:
    said = talk("setoption name Level value greedy", "query turn", "query legal", "query legal N", "go seat N")
    assert said[0] == "response S N"
    assert said[1].startswith("response S:S1 S:S2 ")
    assert " N:N7" in said[1]
    assert said[2] == "response N1 N2 N3 N4 N5 N6 N7"
    assert said[3].startswith("bestmove N:N")


class Held:
    """A search that runs until it is stopped, in the place of the real one; it counts."""

    def __init__(self) -> None:
        self.begun = threading.Event()

    def __call__(self, match, limits, tell, tables, *, seat, stop):  # type: ignore[no-untyped-def]
        from muang.search.limits import Info, Line

        self.begun.set()
        while not stop and limits.time_ms is None and limits.nodes is None:
            threading.Event().wait(0.001)
        return Info(seat, "seeds", (Line(((seat, match.legal(seat)[-1]),), 3.0),), depth=1, nodes=7)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Held:
    search = Held()
    monkeypatch.setattr("muang.search.analyse.analyse", search)
    return search


TURNS = ("setoption name Ruleset value turns", "setoption name First value S")


def test_stop_ends_a_search_and_what_was_sent_meanwhile_is_done_then(held: Held) -> None:
    def lines() -> Iterator[str]:
        yield from TURNS
        yield "go infinite"
        assert held.begun.wait(60)
        yield from ("position startpos moves S1", "query legal", "isready", "stop")

    said: list[str] = []
    Engine(said.append).run(lines())
    assert said[0] == "readyok"
    assert said[1].startswith("info depth 1 multipv 1 score seeds 3 nodes 7")
    assert said[2:] == ["bestmove S7", "response " + " ".join(muang.game("mak-khum", "turns").start(first="S").play("S", "S1").legal("S"))]


def test_the_end_of_the_lines_stops_what_has_no_end_and_quit_does_not_wait(held: Held) -> None:
    assert talk(*TURNS, "go infinite")[-1] == "bestmove S7"
    assert talk(*TURNS, "go nodes 5", "go infinite", "query turn")[-2:] == ["bestmove S7", "response S"]
    assert talk(*TURNS, "go infinite", "quit") == []


def test_clocks_become_a_time(held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def search(match, limits, tell, tables, *, seat, stop):  # type: ignore[no-untyped-def]
        asked.append((limits.time_ms, limits.nodes, limits.depth))
        return held(match, limits, tell, tables, seat=seat, stop=stop)

    monkeypatch.setattr("muang.search.analyse.analyse", search)
    talk(
        *TURNS,
        "go p1time 10000 p2time 5",
        "go p1time 10000 p1inc 100",
        "go p1time 20",
        "go p2time 70",
        "go",
        "go movetime 9 p1time 100000",
        "go nodes 3",
    )
    assert asked == [
        (400, None, None),
        (480, None, None),
        (10, None, None),
        (1000, None, None),
        (1000, None, None),
        (9, None, None),
        (None, 3, None),
    ]


def test_a_fault_of_ours_is_told_and_survived(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("oh\nno")

    monkeypatch.setattr("muang.search.analyse.analyse", broken)
    monkeypatch.setattr(ugi, "turn_words", broken)
    fault = "error internal: ZeroDivisionError: oh no"
    assert talk(*TURNS, "query turn", "go nodes 3", "query gameover") == [fault, fault, "bestmove none", "response false"]


WORDS = (
    "ugi isready uginewgame setoption name value Game Ruleset mak-khum abalalae ca-ngua turns single phone position startpos fen moves S1",
    "S:S2 N3 N:N1 3-3: stable-0 0:0-3 draw N:left @5 S1@7 dice 1 6 query turn legal fen result p1turn S N 0 Pace by_hand steady lockstep",
    "Seats 0,1 First Seed -5 99999999999999999999 rounds=1 S=1,2,3/4",
)


def test_random_lines_never_end_it() -> None:
    """Words of the protocol in any order, and letters of any kind."""
    lots = random.Random(20261130)
    words = [*" ".join(WORDS).split(), "\x00", "\ufffd", "é", "🐴"]
    starts = [
        "setoption name",
        "position startpos moves",
        "position fen",
        "query",
        "dice",
        "go level random",
        "go level",
        "setoption name Game value",
        "",
    ]
    lines = [" ".join([lots.choice(starts), *lots.choices(words, k=lots.randrange(5))]) for _ in range(1500)]
    said = talk(*lines, "isready", "uginewgame", "query gameover")
    assert said[-1] == "response false"
    assert not [line for line in said if "internal" in line]
    assert sum(line.startswith("bestmove") for line in said) == sum(line.split()[:1] == ["go"] for line in lines)
    assert len(said) > 700


def test_lines_are_read_whole_whatever_the_pieces() -> None:
    inner, outer = os.pipe()
    with os.fdopen(inner, "rb") as reading:
        pieces = [b"is", b"ready\nug", b"i\r\n", b"\xff\xfe bad\n", b"last"]

        def write() -> None:
            with os.fdopen(outer, "wb", buffering=0) as writing:
                for piece in pieces:
                    writing.write(piece)

        writer = threading.Thread(target=write)
        writer.start()
        lines = list(_read_lines(reading.fileno()))
        writer.join()
    assert lines == ["isready", "ugi\r", "\ufffd\ufffd bad", "last"]


def test_a_line_without_end_is_refused_and_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ugi, "LONGEST", 1000)
    inner, outer = os.pipe()
    with os.fdopen(inner, "rb") as reading:

        def write() -> None:
            with os.fdopen(outer, "wb") as writing:
                writing.write(b"x" * 300_000 + b"\nisready\n")

        writer = threading.Thread(target=write)
        writer.start()
        said: list[str] = []
        Engine(said.append).run(_read_lines(reading.fileno()))
        writer.join()
    assert said[0].startswith("error a line has at most 1000 characters")
    assert said[1:] == ["readyok"]


def test_ctrl_c_ends_it_quietly() -> None:
    with Driven() as driven:
        driven.ask("isready", "readyok")
        driven.process.send_signal(signal.SIGINT)
        assert driven.process.wait() == 130
        assert driven.process.stderr is not None
        assert driven.process.stderr.read() == ""


def test_too_many_lines_wait(held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "MOST_WAITING", 3)

    def lines() -> Iterator[str]:
        yield from (*TURNS, "go infinite")
        assert held.begun.wait(60)
        yield from ["query turn"] * 5
        yield "stop"

    said: list[str] = []
    Engine(said.append).run(lines())
    assert sum("too many lines wait" in line for line in said) == 2
    assert said.count("response S") == 3


def test_lines_tell_the_best_actions_once_each(monkeypatch: pytest.MonkeyPatch) -> None:
    from muang.search.limits import Info, Line

    lines = tuple(Line((("S", f"S{i}"),), 7.0 - i, exact=i == 1, bound="upper" if i == 3 else "") for i in range(1, 5))

    def search(match, limits, tell, tables, *, seat, stop):  # type: ignore[no-untyped-def]
        assert limits.lines == 3
        tell(Info("S", "seeds", lines[:1], depth=1))
        tell(Info("S", "seeds", lines, depth=2, mix={"S1": 0.0, "S4": 1.0}, table="mine"))
        return Info("S", "seeds", lines, depth=2, time_ms=4, mix={"S1": 0.0, "S4": 1.0}, table="mine")

    monkeypatch.setattr("muang.search.analyse.analyse", search)
    assert talk("setoption name Lines value 3", "go nodes 3 seat S") == [
        "info depth 1 multipv 1 score seeds 6 exact nodes 0 time 0 pv S:S1",
        "info depth 2 multipv 1 score seeds 6 exact nodes 0 time 0 table mine pv S:S1",
        "info depth 2 multipv 2 score seeds 5 nodes 0 time 0 table mine pv S:S2",
        "info depth 2 multipv 3 score seeds 4 upperbound nodes 0 time 0 table mine pv S:S3",
        "info mix S1 0.0000 S4 1.0000",
        "bestmove S:S4",
    ]


def test_the_same_questions_have_the_same_answers() -> None:
    asked = (
        *TURNS,
        "go nodes 300",
        "setoption name Ruleset value trang",
        "go nodes 100 seat N",
        "go nodes 100 seat N",
        "go level random seat S",
    )

    def answers() -> list[str]:
        return [line for line in talk(*asked) if line.startswith("bestmove")]

    assert answers() == answers()
    assert len(answers()) == 4
