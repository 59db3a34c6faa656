"""The arena: fair groups, the same run whatever does the work, other programs with all their faults."""

from __future__ import annotations

import json
import math
import pickle
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import muang
from muang import RulesError, cli
from muang.errors import BadAction
from muang.games.lots import draw
from muang.lab.arena import Standing, run
from muang.lab.arena_group import Arena, Group, close_players, opening, play_group
from muang.lab.simulate import Forfeit
from muang.lab.sprt import Sprt
from muang.lab.workers import WorkFailed, in_order

ENGINE = "ugi:" + shlex.join([sys.executable, "-c", "from muang.cli import main; main()", "engine"])


@pytest.fixture(autouse=True)
def _no_program_is_left() -> Iterator[None]:
    yield
    close_players()


def arena(name: str = "ca-ngua", a: str = "greedy", b: str = "random", **more: object) -> Arena:
    ruleset = more.pop("ruleset", None)
    return Arena(muang.game(name, ruleset), (a, b), **more)  # type: ignore[arg-type]


# ── groups ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("name", "seats"), [("mak-khum", None), ("abalalae", None), ("ca-ngua", None), ("ca-ngua", (0, 1, 3))])
def test_equal_players_share_a_group_evenly(name: str, seats: tuple[int, ...] | None) -> None:
    """The same player on both sides plays the same match from every seat: whoever wins, A has just its share."""
    group = play_group(arena(name, "greedy", "greedy", seats=seats), 3)
    assert len(group.played) == (len(seats) if seats else 2)
    assert len({match.mark for match in group.played}) == 1
    assert len({(match.first, match.winner) for match in group.played}) == 1
    assert [match.seat for match in group.played] == list(arena(name, seats=seats).table())
    if group.played[0].winner is not None:
        assert group.score == pytest.approx(1 / len(group.played))


def test_random_players_draw_by_their_seats() -> None:
    """Their lots come from the match's seed, which both matches share; another group has another seed."""
    groups = [play_group(arena("mak-khum", "random", "random", ruleset="turns"), number) for number in range(6)]
    assert all(len({match.mark for match in group.played}) == 1 for group in groups)
    assert len({group.played[0].mark for group in groups}) == 6


def test_an_opening_is_drawn_from_the_seed_and_leaves_the_choice_open() -> None:
    start = muang.game("mak-khum").start(5)
    assert opening(start, 0) is start
    assert opening(start, 4).log == opening(start, 4).log
    assert len(opening(start, 4).log) >= 4
    assert len({str(opening(muang.game("mak-khum").start(seed), 4).log) for seed in range(30)}) > 25
    assert opening(start, 100_000).result is not None
    horses = opening(muang.game("ca-ngua").start(5), 3)
    assert sum(entry.kind == "play" for entry in horses.log) == 3
    assert horses.phase != "roll"


def test_dice_go_on_after_an_opening() -> None:
    """The rolls of the opening are the match's first: none comes twice."""
    from muang.games.lots import dice

    seen: list[tuple[int, int]] = []

    class Looks:
        name = "looks"

        def choose(self, match: muang.Match, seat: object, seed: int, n: int) -> str:
            seen[:] = [entry.dice for entry in match.log if entry.dice is not None]
            return match.legal(seat)[0]  # type: ignore[arg-type]

        def wait_ms(self, *_: object) -> int:
            return 0

    from muang.lab.simulate import play_one

    start = opening(muang.game("ca-ngua").start(5), 3)
    play_one(start, dict.fromkeys(start.seats, Looks()))
    assert len(seen) > 20
    assert seen == [dice(5, i) for i in range(len(seen))]


# ── runs ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_run_counts_what_it_should() -> None:
    told: list[int] = []
    standing = run(arena(seed=2), 41, workers=1, progress=lambda now: told.append(now.matches))
    summary = standing.summary()
    assert told == list(range(2, 43, 2))  # whole groups
    assert summary["matches"] == summary["won"] + summary["drawn"] + summary["lost"] == 42
    assert summary["share"] == pytest.approx(summary["won"] / 42, abs=1e-6)
    assert summary["share_95"][0] < summary["share"] < summary["share_95"][1]
    assert summary["elo"] > 0
    assert sum(summary["scores"].values()) == summary["groups"] == 21
    assert sum(summary["won_by_seat"].values()) == summary["won"]
    assert sum(summary["reasons"].values()) == 42
    assert summary["different"] > 21
    assert summary["faults"] == {}
    assert summary["sprt"] is None
    assert json.loads(json.dumps(summary)) == summary
    assert standing.ms(0) > 0


def test_four_seats_one_against_three() -> None:
    summary = run(arena(seats=(0, 1, 2, 3)), 40, workers=1).summary()
    assert summary["matches"] == 40
    assert summary["groups"] == 10
    assert set(summary["scores"]) <= {"0", "0.25", "0.5", "0.75", "1"}
    assert summary["elo"] == pytest.approx(400 * math.log10(summary["share"] * 3 / (1 - summary["share"])), abs=0.01)


def test_the_same_run_whatever_the_number_of_processes() -> None:
    """With a test that ends it too: at the same group."""
    test = Sprt(0.5, 0.7, 0.1)
    alone = run(arena(seed=9), 400, test=test, workers=1).summary()
    together = run(arena(seed=9), 400, test=test, workers=2).summary()
    assert alone == together
    assert alone["matches"] < 400
    assert alone["sprt"]["verdict"] == "H1"
    assert run(arena(seed=9, a="random", b="greedy"), 400, test=test, workers=1).summary()["sprt"]["verdict"] == "H0"
    assert run(arena(seed=10), alone["matches"], workers=1).summary()["scores"] != alone["scores"]


def test_searches_are_repeatable_and_better_with_more_nodes() -> None:
    of = arena("mak-khum", "search:nodes=600", "search:depth=1,nodes=5", ruleset="turns")
    first, again = play_group(of, 1), play_group(of, 1)
    assert [match.mark for match in first.played] == [match.mark for match in again.played]
    assert run(of, 16, workers=1).summary()["share"] > 0.5


def test_an_arena_can_be_sent_to_another_process() -> None:
    of = Arena(muang.game("mak-khum", "songkhla", rounds=4), ("greedy", "random"), 3, nodes=5)
    assert pickle.loads(pickle.dumps(of)) == of


@pytest.mark.parametrize(
    "name", ["genius", "", "ugi:", "ugi:  ", "search", "search:", "search:nodes=0", "search:nodes=x", "search:speed=3", "level-99"]
)
def test_players_that_there_are_not(name: str) -> None:
    with pytest.raises(BadAction):
        arena(a=name)
    with pytest.raises(BadAction):
        arena(b=name)


def test_limits_of_a_search() -> None:
    of = arena(a="search", b="search:depth=2,threads=2", nodes=70, time_ms=9)
    assert (of.limits("search").nodes, of.limits("search").time_ms) == (70, 9)
    own = of.limits("search:depth=2,threads=2", 5)
    assert (own.nodes, own.time_ms, own.depth, own.threads, own.seed) == (None, None, 2, 2, 5)


# ── races in time ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("pace", ["steady", "by_hand"])
def test_races_in_time_are_the_same_again(pace: str) -> None:
    of = Arena(muang.game("mak-khum", "songkhla", max_rounds=2), ("greedy", "level-2"), 1, pace=pace)
    first = play_group(of, 0)
    assert first.played[0].mark == play_group(of, 0).played[0].mark
    assert first.played[0].mark != play_group(of, 1).played[0].mark
    assert {match.seat for match in first.played} == {"S", "N"}


class Hand:
    """Takes its first hole, and as long as it is told for everything."""

    def __init__(self, ms: int) -> None:
        self.name, self.ms = "hand", ms

    def choose(self, match: muang.Match, seat: str, seed: int, n: int) -> str:
        if self.ms == 666:
            raise Forfeit("my hand hurts")
        return match.legal(seat)[0]

    def wait_ms(self, *_: object) -> int:
        return self.ms


def test_a_race_by_hand_counts_every_step_at_its_time() -> None:
    """The faster hand drops twice as often, till one of them dies."""
    from muang.lab.simulate import play_one

    match = muang.game("mak-khum", "songkhla", max_rounds=1).start(3, pace="by_hand")
    end, counts = play_one(match, {"S": Hand(100), "N": Hand(200)})
    assert end.result is not None
    steps = [entry for entry in end.log if entry.at is not None]
    assert [entry.at for entry in steps if entry.seat == "S"][:4] == [100, 200, 300, 400]
    assert [entry.at for entry in steps if entry.seat == "N"][:3] == [200, 400, 600]
    assert counts["choices"] >= len(steps)
    assert counts["drops"] > 0


def test_whoever_fails_in_a_race_leaves_it() -> None:
    from muang.lab.simulate import play_one

    match = muang.game("mak-khum").start(3, pace="steady")
    end, _ = play_one(match, {"S": Hand(100), "N": Hand(666)})
    assert end.result is not None
    assert (end.result.winner, end.result.reason) == ("S", "left")


def test_openings_are_for_lockstep() -> None:
    with pytest.raises(BadAction, match="lockstep only"):
        arena("mak-khum", pace="steady", opening=2)
    with pytest.raises(RulesError, match="pace"):
        arena("mak-khum", pace="fast")


# ── programs ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────

PROGRAM = """
import os, sys, time
how = sys.argv[1]
if how == "well":
    os.environ["MUANG_JIT"] = "off"
    import muang
for line in sys.stdin:
    words = line.split()
    if words[0] == "ugi":
        if how == "mute":
            time.sleep(60)
        print("id name test\\nugiok", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "position" and how == "well":
        match = muang.position(line[13:]).start()
    elif words[0] == "go":
        if how == "dies":
            print("it hurts", file=sys.stderr, flush=True)
            sys.exit(3)
        if how == "hangs":
            time.sleep(60)
        while how == "chatters":
            print("info string la", flush=True)
        if how == "cheats":
            print("error I like this one\\nbestmove S99 really", flush=True)
            continue
        legal = match.legal(int(words[2]) if words[2].isdigit() else words[2])
        print("info depth 1 score cp 3 pv", legal[0], "\\n\\nsomething else", flush=True)
        print("bestmove", legal[0], flush=True)
"""


@pytest.fixture
def program(tmp_path: Path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    return lambda how: "ugi:" + shlex.join([sys.executable, str(path), how])


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("dies", "ended with code 3: it hurts"),
        ("hangs", r"no bestmove within 1 s"),
        ("chatters", r"no bestmove within 1 s"),
        ("cheats", "chose 'S99 really', which is not allowed after 'error I like this one'"),
    ],
)
def test_a_program_at_fault_loses_and_plays_the_next_match(program, how: str, why: str) -> None:  # type: ignore[no-untyped-def]
    import re

    timeout = 1 if how in ("hangs", "chatters") else 60
    standing = run(arena("mak-khum", program(how), "random", ruleset="turns", timeout=timeout), 2, workers=1)
    summary = standing.summary()
    assert summary["lost"] == 2
    assert summary["reasons"] == {"left": 2}
    assert summary["faults"] == {program(how): 2}
    assert all(re.search(why, fault["why"]) for fault in summary["first_faults"]), summary["first_faults"]
    assert [fault["player"] for fault in summary["first_faults"]] == [0, 0]


def test_at_a_larger_table_the_others_play_on(program) -> None:  # type: ignore[no-untyped-def]
    summary = run(arena("ca-ngua", "greedy", program("dies"), seats=(0, 1, 2)), 3, workers=1).summary()
    assert summary["won"] == 3
    assert summary["faults"][program("dies")] == 3


def test_a_program_that_keeps_to_the_rules_plays_whole_matches(program) -> None:  # type: ignore[no-untyped-def]
    for name in ("abalalae", "ca-ngua"):
        summary = run(arena(name, "greedy", program("well")), 2, workers=1).summary()
        assert summary["matches"] == 2
        assert summary["faults"] == {}
    race = run(arena("mak-khum", program("well"), program("well")), 2, workers=1).summary()
    assert race["faults"] == {}


def test_our_engine_as_a_program_plays_as_the_search_itself(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MUANG_TABLES", str(tmp_path))  # the engine reads tables where there are some
    over = run(arena("mak-khum", ENGINE, "random", ruleset="turns", nodes=50), 2, workers=1).summary()
    here = run(arena("mak-khum", "search:nodes=50", "random", ruleset="turns"), 2, workers=1).summary()
    assert over["faults"] == {}
    assert (over["scores"], over["choices"]) == (here["scores"], here["choices"])


def test_programs_that_cannot_be_started(program, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    for command, why in (
        ("ugi:/no/such/program", "cannot be started"),
        ('ugi:"', "cannot be started"),
        (f"ugi:{sys.executable} -c pass", "does not speak"),
    ):
        with pytest.raises(WorkFailed, match=why):
            run(arena(a=command), 2, workers=1)
    monkeypatch.setattr("muang.lab.external.START_SECONDS", 0.5)
    with pytest.raises(WorkFailed, match="no ugiok within"):
        run(arena(a=program("mute")), 2, workers=1)


# ── work ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_results_come_in_the_order_of_the_jobs() -> None:
    assert list(in_order(divmod, ((i, 7) for i in range(50)), 2)) == [divmod(i, 7) for i in range(50)]
    assert list(in_order(divmod, iter(()), 2)) == []
    assert list(in_order(divmod, [(9, 2)], 2)) == [(4, 1)]


def test_jobs_are_taken_as_they_are_needed() -> None:
    taken: list[int] = []

    def jobs() -> Iterator[tuple[int, int]]:
        for i in range(100_000):
            taken.append(i)
            yield i, 7

    results = in_order(divmod, jobs(), 2)
    assert next(results) == (0, 0)
    results.close()
    assert len(taken) < 1000


def test_work_that_nobody_wants_any_more_is_not_waited_for() -> None:
    """The second job would take an hour."""
    results = in_order(time.sleep, [(0,), (3600,), (3600,)], 2)
    assert next(results) is None
    results.close()


def test_an_error_comes_through() -> None:
    with pytest.raises(ZeroDivisionError):
        list(in_order(divmod, [(1, 1), (1, 0), (1, 1)], 2))


def test_a_process_that_dies_is_said() -> None:
    import os

    with pytest.raises(WorkFailed, match="has died"):
        list(in_order(os._exit, [(1,), (1,)], 2))


def test_no_cluster_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(WorkFailed, match=r"muang\[cluster\]"):
        list(in_order(divmod, [(1, 1)], cluster="tcp://127.0.0.1:9"))


# ── the command ───────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_command_tells_a_table_and_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    assert cli.run(["arena", "greedy", "random", "ca-ngua", "-n", "20", "--seed", "4", "--workers", "1", "--json", str(path)]) == 0
    table = capsys.readouterr().out
    summary = json.loads(path.read_text(encoding="utf-8"))
    assert summary == run(arena(seed=4), 20, workers=1).summary()
    assert f"share of greedy: {100 * summary['share']:.1f} %" in table
    assert "20 of 20 matches are different" in table
    assert cli.run(["arena", "greedy", "random", "ca-ngua", "-n", "20", "--seed", "4", "--workers", "1", "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out) == summary


def test_the_command_tells_how_a_test_ended(capsys: pytest.CaptureFixture[str]) -> None:
    common = ["arena", "greedy", "random", "mak-khum", "--ruleset", "turns", "--workers", "1"]
    assert cli.run([*common, "--sprt", "0.5,0.8"]) == 0
    assert "test: 80.0 % or more, rather than 50.0 % or less? yes (LLR" in capsys.readouterr().out
    assert cli.run([*common, "--sprt", "0,5", "-n", "4"]) == 0
    assert "not decided" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["genius", "random", "mak-khum"], "no computer player 'genius'"),
        (["random", "search", "mak-khum"], "has no limit"),
        (["random", "greedy", "chess"], "no game 'chess'"),
        (["random", "greedy", "mak-khum", "--sprt", "0.6,0.5"], "smaller first"),
        (["random", "greedy", "mak-khum", "--sprt", "0.5,0.6", "--error", "0.7"], "chance of an error"),
        (["random", "greedy", "ca-ngua", "--seats", "0,x"], "seats are numbers"),
        (["random", "greedy", "ca-ngua", "--seats", "0,7"], "seat"),
        (["random", "greedy", "mak-khum", "--json", "/no/such/folder/x.json"], "No such file"),
        (["ugi:/no/such/program", "greedy", "mak-khum", "-n", "2", "--workers", "1"], "cannot be started"),
    ],
)
def test_wrong_use_is_one_clear_line(arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["arena", *arguments]) == 2
    captured = capsys.readouterr()
    assert why in captured.err
    assert captured.err.count("\n") == 1


def test_ctrl_c_tells_what_there_is(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []

    def interrupted(of: Arena, number: int) -> Group:
        if number == 3:
            raise KeyboardInterrupt
        played.append(number)
        return play_group(of, number)

    monkeypatch.setattr("muang.lab.arena.play_group", interrupted)
    assert cli.run(["arena", "greedy", "random", "ca-ngua", "--workers", "1"]) == 130
    captured = capsys.readouterr()
    assert "6 matches in" in captured.out
    assert captured.err == "muang: stopped before the end\n"
    assert played == [0, 1, 2]


def test_standing_without_matches() -> None:
    summary = Standing(arena(), Sprt(0.5, 0.6)).summary()
    assert summary["share_95"] == [0, 1]
    assert summary["elo_95"] == [None, None]
    assert summary["sprt"]["verdict"] is None


def test_seeds_of_groups_are_lots() -> None:
    first = [play_group(arena("mak-khum", seed=seed), 0).played[0].mark for seed in (0, 1)]
    assert first[0] != first[1]
    assert draw(0, "arena", 0) != draw(1, "arena", 0)
