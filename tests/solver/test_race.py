"""The race solved: small boards against a second solver in exact fractions, openings against whole search, files that are continued."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest

import muang
from muang import BadRuleset
from muang.cli import run
from muang.errors import BadTable, NotEnough
from muang.games.core import Match
from muang.search.limits import Stop
from muang.solver.openings import Opening, Outcome, openings, solve_openings, south_wins, summary
from muang.solver.race import solve_race
from muang.solver.work import Stopped

# ── a second solver: matches, fractions, square parts of a matrix (Shapley and Snow 1950) ──────────────────────────────────────


def determinant(m: list[list[Fraction]]) -> Fraction:
    if not m:
        return Fraction(1)
    return sum(
        ((-1) ** j * m[0][j] * determinant([row[:j] + row[j + 1 :] for row in m[1:]]) for j in range(len(m))),
        Fraction(0),
    )


def minor(m: list[list[Fraction]], i: int, j: int) -> Fraction:
    return (-1) ** (i + j) * determinant([row[:j] + row[j + 1 :] for k, row in enumerate(m) if k != i])


def game_value(a: list[list[Fraction]]) -> Fraction:
    rows, columns = range(len(a)), range(len(a[0]))
    for size in range(1, min(len(rows), len(columns)) + 1):
        for rs in combinations(rows, size):
            for cs in combinations(columns, size):
                part = [[a[i][j] for j in cs] for i in rs]
                cofactors = [[minor(part, i, j) for j in range(size)] for i in range(size)]
                whole = sum((sum(row, Fraction(0)) for row in cofactors), Fraction(0))
                if not whole:
                    continue
                value = determinant(part) / whole
                x = [sum(row, Fraction(0)) / whole for row in cofactors]
                y = [sum(column, Fraction(0)) / whole for column in zip(*cofactors, strict=True)]
                if min(x) < 0 or min(y) < 0:
                    continue
                if min(sum(x[k] * a[i][j] for k, i in enumerate(rs)) for j in columns) != value:
                    continue
                if max(sum(y[k] * a[i][j] for k, j in enumerate(cs)) for i in rows) == value:
                    return value
    raise AssertionError("every matrix game has such a part")


class Fractions:
    """South's value of a match of one round, by playing everything; ``win``: of the sign of the difference."""

    def __init__(self, win: bool = False) -> None:
        self.win = win
        self.known: dict[str, Fraction] = {}

    def value(self, match: Match) -> Fraction:
        if match.result is not None:
            difference = match.result.seeds["S"] - match.result.seeds["N"]
            return Fraction((difference > 0) - (difference < 0) if self.win else difference)
        if match.phase == "race":
            return game_value(self.matrix(match))
        key = str(match.position)
        if key not in self.known:
            seat = match.turn
            assert seat is not None
            values = [self.value(match.play(seat, hole)) for hole in match.legal(seat)]
            self.known[key] = max(values) if seat == "S" else min(values)
        return self.known[key]

    def matrix(self, match: Match) -> list[list[Fraction]]:
        south, north = match.legal("S"), match.legal("N")
        if not north:
            return [[self.value(match.play("S", hole))] for hole in south]
        if not south:
            return [[self.value(match.play("N", hole)) for hole in north]]
        return [[self.value(match.play("S", s).play("N", n)) for n in north] for s in south]


@pytest.mark.parametrize(
    ("holes", "seeds", "options"),
    [
        (2, 2, {}),
        (2, 3, {}),
        (3, 2, {}),
        (3, 2, {"capture_last": True}),
        (3, 2, {"store_landing": "end"}),
        (3, 3, {}),
        (3, 4, {"skip_origin": True}),
        (2, 2, {"race": "round"}),
        (2, 3, {"race": "round"}),
        (3, 1, {"race": "round"}),
        (2, 3, {"race": "round", "skip_origin": True}),
    ],
)
@pytest.mark.parametrize("aim", ["seeds", "win"])
def test_the_equilibrium_is_that_of_exact_fractions(holes: int, seeds: int, options: dict[str, object], aim: str) -> None:
    game = muang.game("mak-khum", "single", holes=holes, seeds=seeds, **options)
    found = solve_race(game, aim, memory_mb=4)
    matrix = Fractions(aim == "win").matrix(game.start(first="S"))
    assert found.payoff.tolist() == [pytest.approx([float(cell) for cell in row], abs=1e-9) for row in matrix]
    assert found.value == pytest.approx(float(game_value(matrix)), abs=1e-9)
    assert min(found.south @ found.payoff) == pytest.approx(found.value, abs=1e-9)
    assert max(found.payoff @ found.north) == pytest.approx(found.value, abs=1e-9)


def test_what_cannot_be_solved_is_refused() -> None:
    for game in (muang.game("mak-khum", "turns"), muang.game("abalalae"), muang.game("ca-ngua")):
        with pytest.raises(BadRuleset, match="no race with choices"):
            solve_race(game)
    with pytest.raises(BadRuleset, match=r"the aim cannot be 'draw' \(allowed: seeds, win\)"):
        solve_race(muang.game("mak-khum", "single", holes=2, seeds=2), "draw")
    with pytest.raises(NotEnough, match="does not hold this race"):
        solve_race(muang.game("mak-khum", "single", holes=4, seeds=4), memory_mb=1)
    with pytest.raises(NotEnough, match="do not fit into the keys"):
        solve_race(muang.game("mak-khum", "single", holes=9, seeds=8))
    stop = Stop()
    stop.set()
    with pytest.raises(Stopped):
        solve_race(muang.game("mak-khum", "single", holes=3, seeds=3), stop=stop)


# ── openings ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────

SMALL = muang.game("mak-khum", "single", holes=3, seeds=3)


def races() -> list[Opening]:
    return list(openings(SMALL, 30, (("last", 1), ("greedy", 1), ("search", 1), ("random", 2))))


def test_openings_are_all_pairs_and_the_same_again() -> None:
    listed = races()
    assert listed == races()
    assert len(listed) == 9 * 5 + 30
    for later, times in (("last", 1), ("greedy", 1), ("search", 1), ("random", 2)):
        assert [race.first for race in listed if race.later == later] == [(s, n) for s in range(3) for n in range(3) for _ in range(times)]
    assert {race.first for race in listed if not race.later} == {(s, n) for s in range(3) for n in range(3)}
    with pytest.raises(BadRuleset, match="only an opening race is followed by turns"):
        next(openings(muang.game("mak-khum"), 1))


def test_a_race_of_last_holes_is_the_one_that_matches_play() -> None:
    """The position of an opening is that of the match in which the same holes are lifted, seen from who died first."""
    for race in races():
        if race.later != "last":
            continue
        match = SMALL.start(first="S")
        begun = False
        while match.phase == "race":
            picks = {seat: match.legal(seat)[0] for seat in match.to_act}
            if not begun:
                picks = {"S": f"S{race.first[0] + 1}", "N": f"N{race.first[1] + 1}"}
                begun = True
            for seat, hole in picks.items():
                match = match.play(seat, hole)
        if match.phase == "over":
            continue
        board = match.view()["board"]
        assert match.turn == "SN"[race.died]
        other = "NS"[race.died]
        assert race.cells == (*board[match.turn], board["stores"][match.turn], *board[other], board["stores"][other])
        assert race.ahead == board["stores"][match.turn] - board["stores"][other]


def test_outcomes_are_those_of_whole_search(tmp_path: Path) -> None:
    outcomes = solve_openings(SMALL, races(), memory_mb=1, threads=2)
    whole = Fractions(win=True)
    assert {outcome.result for outcome in outcomes.values()} >= {1, -1}
    for race in races():
        result = outcomes[race.position].result
        if not any(race.cells[:3]):
            difference = race.ahead - sum(race.cells[4:7])
            assert result == (difference > 0) - (difference < 0)
        else:
            assert result == whole.value(muang.position(race.position).start())


def test_openings_go_on_where_they_stopped(tmp_path: Path) -> None:
    path = tmp_path / "openings.jsonl"
    stop = Stop()
    with pytest.raises(Stopped):
        solve_openings(SMALL, races(), memory_mb=1, threads=1, path=path, stop=stop, on_progress=lambda step: stop.set())
    first = path.read_text()
    assert len(first.splitlines()) == 2  # what it is of, and one position
    path.write_text(first + '{"position": "half a li')
    outcomes = solve_openings(SMALL, races(), memory_mb=1, threads=1, path=path)
    assert path.read_text().startswith(first)
    assert outcomes == solve_openings(SMALL, races(), memory_mb=1, path=path)  # nothing is proved twice: times are the same
    assert len(path.read_text().splitlines()) == 1 + len(outcomes)


def test_what_was_given_up_is_tried_again_with_more_nodes(tmp_path: Path) -> None:
    path = tmp_path / "openings.jsonl"
    few = solve_openings(SMALL, races(), nodes=1, memory_mb=1, path=path)
    assert None in {outcome.result for outcome in few.values()}
    assert summary(races(), few).unproved > 0
    more = solve_openings(SMALL, races(), memory_mb=1, path=path)
    assert None not in {outcome.result for outcome in more.values()}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hello\n", "is no file of openings"),
        ('{"openings": 1, "game": "mak-khum"}\n', "is of other openings"),
        ("HEADER\n{}\n", "line 2, is no outcome"),
        ('HEADER\n{"position": "x", "result": 2, "nodes": 1, "seconds": 1}\n', "line 2, is no outcome"),
        ("HEADER\n\x00\x01\n", "line 2, is no outcome"),
    ],
)
def test_wrong_files_are_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "openings.jsonl"
    solve_openings(SMALL, races()[:1], memory_mb=1, path=path)
    header = path.read_text().splitlines()[0]
    path.write_text(text.replace("HEADER", header))
    with pytest.raises(BadTable, match=said):
        solve_openings(SMALL, races()[:1], memory_mb=1, path=path)


def test_counting() -> None:
    def race(first: tuple[int, int], died: int, ahead: int, position: str) -> Opening:
        return Opening(first, "last", 0, died, position, (), ahead)

    listed = [
        race((0, 0), 0, -5, "a"),
        race((0, 1), 1, -7, "b"),
        race((1, 0), 0, 3, "c"),
        race((1, 1), 1, -9, "d"),
        race((0, 0), 1, -5, "a"),
    ]
    outcomes = {"a": Outcome(1, 9, 0.0), "b": Outcome(0, 9, 0.0), "c": Outcome(-1, 9, 0.0), "d": Outcome(None, 9, 0.0)}
    counted = summary(listed, outcomes)
    assert (counted.races, counted.positions, counted.won, counted.drawn, counted.lost, counted.unproved) == (5, 4, 2, 1, 1, 1)
    assert (counted.ahead, counted.behind, counted.behind_won, counted.worst) == (-4.6, 3, 2, 5)
    grid = south_wins(listed, outcomes, 2)
    assert grid[0].tolist() == [0, 0]  # won as South and lost to North; drawn
    assert grid[1, 0] == -1
    assert grid[1, 1] != grid[1, 1]


# ── commands ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_solve_race(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "race", "--holes", "2", "--seeds", "2"]) == 0
    told = capsys.readouterr().out
    assert "value for South: +2.000000000 (seeds)" in told
    assert run(["solve", "race", "--holes", "2", "--seeds", "2", "--json", "--aim", "win"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["aim"], found["value"], found["options"]) == ("win", 1.0, {"holes": 2, "seeds": 2})
    assert run(["solve", "race", "--aim", "luck"]) == 2
    assert "the aim cannot be 'luck' (allowed: seeds, win)" in capsys.readouterr().err
    assert run(["solve", "race", "--option", "race=none"]) == 2
    assert "no race with choices" in capsys.readouterr().err


def test_solve_openings(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    board = [
        "solve",
        "openings",
        "--option",
        "holes=3",
        "--option",
        "seeds=3",
        "-n",
        "5",
        "--lots",
        "1",
        "--keep",
        str(tmp_path / "o.jsonl"),
    ]
    assert run([*board, "-o", str(tmp_path / "grid.svg")]) == 0
    told = capsys.readouterr().out
    assert "all by lot" in told
    assert (tmp_path / "grid.svg").read_text().startswith("<?xml")
    assert run([*board, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["groups"]["all"]["races"] == 9 * 4 + 5
    assert found["groups"]["all by lot"]["races"] == 5
    assert {way: len(grid) for way, grid in found["south_wins"].items()} == {"last": 3, "greedy": 3, "search": 3}
    assert run([*board[:-1], str(tmp_path / "grid.svg")]) == 2
    assert "is no file of openings" in capsys.readouterr().err
    assert run([*board, "-o", "grid.doc"]) == 2
    assert "the picture's file must end in" in capsys.readouterr().err
