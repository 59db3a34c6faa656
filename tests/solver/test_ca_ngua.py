"""Cờ cá ngựa, two players: tables against a plain-Python solver on a small track, bounds, files; the default game to a loose bound."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import muang
from muang.cli import run
from muang.errors import BadAction, BadPosition, BadTable, TableMissing
from muang.games.ca_ngua.kernel import DUE_OVER
from muang.games.ca_ngua.match import CaNguaMatch
from muang.games.ca_ngua.position import CaNguaPosition, pack
from muang.games.ca_ngua.rules import CaNgua
from muang.games.core import Option
from muang.lab.ca_ngua_plot import draw, worth
from muang.search.limits import HorseTable, Stop
from muang.search.pairs import are_opposite, index, pairs, table_size, value
from muang.solver import ca_ngua as solver
from muang.solver.ca_ngua_check import chance_of, check, random_positions
from muang.solver.ca_ngua_setups import set_ups
from muang.solver.ca_ngua_variants import by_rules, games, read_rows, solve_variants
from muang.solver.work import Stopped

SMALL, SMALLEST = 8, 4
"""Tracks that the rules do not have (CN-1), of which all can be looked at."""
PROVED = 0.513865849
"""The chance of who rolls first in the default game (facts of the rules)."""
RULES: list[dict[str, Any]] = [
    {"doubles": doubles, "gate": gate, "keep_repeat": keep}
    for doubles in ("face", "total", "extra")
    for gate in ("run_in", "climb", "jump")
    for keep in (True, False)
    if doubles != "total" or gate == "run_in"
]
SEATS = [(0, 2), (0, 1), (0, 3), (1, 2)]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let the small track be chosen, and keep tables out of the user's folder."""
    options = tuple(Option("track", "CN-1", 56, (56, 52, 48, SMALL, SMALLEST)) if o.name == "track" else o for o in CaNgua.option_list)
    monkeypatch.setattr(CaNgua, "option_list", options)
    monkeypatch.setenv("MUANG_TABLES", str(tmp_path / "tables"))


def tiny(track: int = SMALL, **options: Any) -> CaNgua:
    of = muang.game("ca-ngua", track=track, **options)
    assert isinstance(of, CaNgua)
    return of


def solved(of: CaNgua, seats: tuple[int, int] = (0, 2), epsilon: float = 1e-9, threads: int = 1) -> HorseTable:
    return solver.horse_table(solver.solve_ca_ngua(of, seats, epsilon=epsilon, threads=threads, keep=False))


def everywhere(of: CaNgua, seats: tuple[int, int]) -> Iterator[CaNguaPosition]:
    """All positions in which a roll is due, in no clever order."""
    track = of.options["track"]
    places = ["stable", *range(track), "slot1", "slot2", "slot3", "slot4"]
    both = [("stable", "stable")] + [(places[i], places[j]) for j in range(1, len(places)) for i in range(j)]
    for own in both:
        for other in both:
            squares = [
                {(p + seat * track // 4) % track for p in pair if isinstance(p, int)}
                for seat, pair in zip(seats, (own, other), strict=True)
            ]
            if squares[0] & squares[1] or ("slot3", "slot4") in (own, other):
                continue
            for turn in seats:
                yield CaNguaPosition.build(of, {seats[0]: own, seats[1]: other}, turn)


def outcomes(match: CaNguaMatch) -> Iterator[CaNguaPosition]:
    """Where the choices of a roll can lead."""
    if match.phase != "move":
        yield match.position
        return
    for action in match.legal(match.to_act[0]):
        yield from outcomes(match.play(match.to_act[0], action))


def by_hand(of: CaNgua, seats: tuple[int, int]) -> dict[int, float]:
    """The chances of who is to roll, by key: all matches listed, then plain iteration with no order, no closed forms, no bounds."""
    lists: dict[int, list[tuple[float, list[tuple[int, int]]]]] = {}
    for position in everywhere(of, seats):
        rolls = []
        for d1 in range(1, 7):
            for d2 in range(d1, 7):
                after = [
                    (-1 if at.over else pack(at), 1 if (at.winner if at.over else at.turn) == position.turn else -1)
                    for at in outcomes(position.start().roll((d1, d2)))
                ]
                rolls.append(((1 if d1 == d2 else 2) / 36, after))
        lists[pack(position)] = rolls
    number = {key: i for i, key in enumerate(lists)}
    number[-1] = len(lists)
    width = max(len(after) for rolls in lists.values() for _, after in rolls)
    to = np.zeros((len(lists), 21, width), np.int64)
    sign = np.zeros((len(lists), 21, width))
    weights = np.array([weight for weight, _ in next(iter(lists.values()))])
    for i, rolls in enumerate(lists.values()):
        for j, (_, after) in enumerate(rolls):
            padded = after + [after[0]] * (width - len(after))
            to[i, j] = [number[key] for key, _ in padded]
            sign[i, j] = [s for _, s in padded]
    # in wins minus losses, so that the other's chance is the own one with its sign turned
    spread = np.zeros(len(lists) + 1)
    spread[-1] = 1.0
    for _ in range(3000):
        new = ((spread[to] * sign).max(axis=2) * weights).sum(axis=1)
        change = np.abs(new - spread[:-1]).max()
        spread[:-1] = new
        if change < 1e-13:
            break
    return {key: (1 + spread[i]) / 2 for key, i in number.items() if key != -1}


@pytest.mark.parametrize("seats", [(0, 2), (0, 3)])
def test_every_entry_is_that_of_a_plain_solver(seats: tuple[int, int]) -> None:
    of = tiny(SMALLEST, doubles="extra" if seats == (0, 3) else "face")
    truth = by_hand(of, seats)
    table = solved(of, seats)
    assert len(truth) == int((set_ups(SMALLEST, are_opposite(seats)).states > 1).sum()) * (2 if are_opposite(seats) else 1)
    for key, chance in truth.items():
        assert value(table, of, key, key >> 52 & 3) == pytest.approx(chance, abs=1e-9)


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: "-".join(map(str, rules.values())))
@pytest.mark.parametrize("seats", SEATS)
def test_random_entries_are_the_mean_over_their_rolls(rules: dict[str, Any], seats: tuple[int, int]) -> None:
    of = tiny(**rules)
    table = solved(of, seats)
    assert table.error <= 0.6e-9
    found = check(table, of, seats, 40, seed=7)
    assert (found.entries, found.wrong) == (40, 0)
    assert found.most <= 1e-9


def test_a_wrong_entry_is_found() -> None:
    of = tiny()
    table = solved(of)
    at = next(random_positions(of, (0, 2), 1, 3))
    table.values[index(pack(at), SMALL)] += 1e-6
    assert check(table, of, (0, 2), 1, seed=3).wrong == 1


def test_bounds_hold_however_far_they_have_come_and_narrow() -> None:
    of = tiny(doubles="extra")
    truth = solver.solve_ca_ngua(of, epsilon=1e-11, threads=1, keep=False)
    exact = truth.arrays["values"]
    last = 1.0
    for epsilon in (0.5, 0.1, 1e-3, 1e-6):
        table = solver.solve_ca_ngua(of, epsilon=epsilon, threads=1, keep=False)
        error = table.parameters["error"]
        assert error <= epsilon / 2 + 1e-15
        assert error < last
        assert float(np.abs(table.arrays["values"] - exact).max()) <= error + truth.parameters["error"]
        last = error


def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("muang.solver.ca_ngua_setups.CHUNK", 16)
    for rules in ({}, {"doubles": "total", "keep_repeat": False}, {"gate": "climb"}):
        one, three = solved(tiny(**rules), epsilon=1e-3, threads=1), solved(tiny(**rules), epsilon=1e-3, threads=3)
        assert np.array_equal(one.values, three.values)


def test_threads_change_nothing_beyond_the_bounds_where_an_extra_choice_stays_in_a_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("muang.solver.ca_ngua_setups.CHUNK", 16)
    of = tiny(doubles="extra", keep_repeat=False)
    one, three = solved(of, (0, 1), threads=1), solved(of, (0, 1), threads=3)
    assert float(np.abs(one.values - three.values).max()) <= one.error + three.error


def test_neighbours_are_neighbours_wherever_they_sit() -> None:
    of = tiny()
    assert np.array_equal(solved(of, (0, 1)).values, solved(of, (0, 3)).values)


def test_rules_that_never_end_are_not_called_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    """``climb`` with ``total`` (CN-25): a horse one step short of the gate is stuck for ever."""

    def lenient(of: CaNgua) -> None:
        of.numbers = (SMALL, 1, 1, 1)

    monkeypatch.setattr(CaNgua, "_check", lenient)
    with pytest.raises(solver.NotSolved, match="may never end"):
        solved(tiny(doubles="total", gate="climb"))


def test_who_can_only_win_and_who_has_won() -> None:
    of = tiny()
    table = solved(of)
    start = of.start(first=0)
    at = CaNguaPosition.build(of, {0: ("slot3", "slot4"), 2: ("stable", 3)}, None)
    assert at.key >> 54 == DUE_OVER
    assert value(table, of, at.key, 0) == 1.0
    assert value(table, of, at.key, 2) == 0.0
    assert value(table, of, start.leave(2).position.key, 0) == 1.0
    assert value(table, of, start.leave(2).position.key, 2) == 0.0
    assert value(table, of, pack(start.position), 0) > 0.5
    assert value(table, of, pack(start.position), 0) + value(table, of, pack(start.position), 2) == 1.0


def test_a_choice_is_worth_its_best_move_and_an_extra_choice_too() -> None:
    of = tiny(doubles="extra", keep_repeat=False)
    table = solved(of)
    seen = set()
    for position in random_positions(of, (0, 2), 60, 5):
        for dice in ((1, 1), (2, 2), (6, 6), (1, 6), (2, 3)):
            match = position.start().roll(dice)
            own = position.turn
            ends = [(1.0 if at.over and at.winner == own else at) for at in outcomes(match)]
            chances = [
                at if isinstance(at, float) else (chance_of(table, at) if at.turn == own else 1 - chance_of(table, at)) for at in ends
            ]
            seen.add((match.phase, match.position.extra))
            assert own is not None
            assert value(table, of, pack(match.position), own) == pytest.approx(max(chances), abs=1e-15)
            assert value(table, of, pack(match.position), 2 - own) == pytest.approx(1 - max(chances), abs=1e-15)
    assert seen >= {("roll", False), ("move", False), ("move", True)}


def test_indexes_are_the_numbers_of_pairs_and_reach_no_farther() -> None:
    assert [pairs(track) for track in (48, 52, 56)] == [1379, 1597, 1831]
    assert table_size(56, True) == 1831**2
    assert table_size(56, False) == 2 * 1831**2
    found = {index(pack(at), SMALL) for at in everywhere(tiny(), (0, 3))}
    assert len(found) == sum(1 for _ in everywhere(tiny(), (0, 3)))
    assert max(found) < table_size(SMALL, False)
    assert are_opposite((1, 3))
    assert not are_opposite((0, 3))


def test_a_table_answers_only_for_its_own_players() -> None:
    of = tiny()
    table = solved(of)
    key = pack(of.start(first=0).position)
    with pytest.raises(BadPosition, match="seat 1"):
        value(table, of, key, 1)
    with pytest.raises(BadPosition, match="not one for seats"):
        value(table, of, pack(of.start(first=0, seats=(0, 1)).position), 0)
    with pytest.raises(BadPosition, match="not one for seats"):
        value(table, muang.game("ca-ngua"), key, 0)
    with pytest.raises(BadPosition, match="seats"):
        value(table, of, pack(of.start(first=0, seats=(0, 1, 2)).position), 0)


def test_the_start_of_the_default_game() -> None:
    """To a loose bound: ``muang solve ca-ngua`` gives all nine digits. Sizes are those of an independent count."""
    of = muang.game("ca-ngua")
    table = solver.solve_ca_ngua(of, epsilon=0.01, keep=False)  # type: ignore[arg-type]
    ((low, high),) = table.parameters["starts"]
    assert low <= PROVED - 5e-10
    assert high >= PROVED + 5e-10
    assert high - low < 0.004
    assert table.parameters["states"] == 3_148_840


def test_what_is_stopped_goes_on_and_comes_to_the_same(tmp_path: Path) -> None:
    of, path, stop = tiny(), tmp_path / "t.muang", Stop()
    notes = []

    def heard(step: Any) -> None:
        notes.append(step.note)
        if step.note.startswith("sweep 5"):
            stop.set()

    with pytest.raises(Stopped):
        solver.solve_ca_ngua(of, path=path, threads=2, on_progress=heard, stop=stop)
    assert not path.exists()
    assert path.with_name("t.muang.part").exists()
    notes.clear()
    table = solver.solve_ca_ngua(of, path=path, threads=1, on_progress=lambda step: notes.append(step.note))
    sweeps = [note.split(",")[0] for note in notes if note.startswith("sweep")]
    assert sweeps[0] == "sweep 5"
    assert not path.with_name("t.muang.part").exists()
    assert np.array_equal(table.arrays["values"], solved(of).values)


def test_what_was_left_by_other_rules_is_not_gone_on_from(tmp_path: Path) -> None:
    path, stop = tmp_path / "t.muang", Stop()
    with pytest.raises(Stopped):
        solver.solve_ca_ngua(
            tiny(gate="jump"), path=path, stop=stop, on_progress=lambda step: stop.set() if step.note.startswith("sweep 3") else None
        )
    table = solver.solve_ca_ngua(tiny(), path=path, threads=1)
    assert np.array_equal(table.arrays["values"], solved(tiny()).values)


def test_loading_says_what_is_missing_and_what_is_wrong(tmp_path: Path) -> None:
    of = tiny(gate="jump")
    with pytest.raises(TableMissing, match=r"muang solve ca-ngua --option track=8 --option gate=jump --seats 1,2"):
        solver.load_ca_ngua(of, (1, 2))
    solver.solve_ca_ngua(of, (1, 2), threads=1)
    table = solver.load_ca_ngua(tiny(gate="jump", turn_seconds=20), (0, 3))
    assert table.name == "ca-ngua-neighbours-8-gate-jump"
    assert np.array_equal(table.values, solved(of, (0, 1)).values)
    path = solver.folder() / "ca-ngua-neighbours-8-gate-jump.muang"
    with pytest.raises(BadTable, match="neighbouring seats"):
        solver.load_ca_ngua(of, (0, 2), path)
    with pytest.raises(BadTable, match="belongs to"):
        solver.load_ca_ngua(tiny(), (0, 1), path)
    path.write_bytes(path.read_bytes()[:-64])
    with pytest.raises(BadTable, match="cut short"):
        solver.load_ca_ngua(of, (0, 1), path)
    with pytest.raises(BadAction, match="two players"):
        solver.load_ca_ngua(of, (0, 1, 2))
    with pytest.raises(BadAction, match="no table"):
        solver.load_ca_ngua(muang.game("mak-khum"))
    with pytest.raises(BadAction, match="1e-11 to 1"):
        solver.solve_ca_ngua(of, epsilon=1e-20)


def test_rounding_loses_what_is_said_and_no_more(tmp_path: Path) -> None:
    of = tiny()
    exact = solver.solve_ca_ngua(of, threads=1)
    small = solver.round_ca_ngua(exact, threads=2)
    losses = small.parameters["losses"]
    assert 0 <= max(losses["start"]) <= losses["most"] < 1e-3
    assert small.arrays["values"].dtype == np.uint16
    table = solver.horse_table(small)
    assert float(np.abs(table.values - exact.arrays["values"]).max()) <= table.error
    assert check(table, of, (0, 2), 20).wrong == 0
    (solver.folder() / solver.file_name(of)).unlink()
    assert solver.load_ca_ngua(of).name.endswith("rounded")


def test_coarse_rounding_loses_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who sees no differences at all plays at random, of equal choices the worst: the measure must tell."""
    of = tiny()
    exact = solver.solve_ca_ngua(of, threads=1)
    monkeypatch.setattr(np, "rint", lambda values: np.where((values > 0) & (values < 65535), 32767.0, values))
    losses = solver.round_ca_ngua(exact, threads=1).parameters["losses"]
    assert max(losses["start"]) > 0.02
    assert losses["most"] > max(losses["start"])


def test_variants_are_all_the_rules_and_are_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    every = games()
    assert sum(of.options["track"] in (56, 52, 48) for of in every) == 3 * 7 * 2
    assert every[0] == muang.game("ca-ngua")
    monkeypatch.setattr("muang.solver.ca_ngua_variants.games", lambda: [tiny(), tiny(doubles="total")])
    begun = list(solve_variants({}, epsilon=1e-6, threads=1))
    assert [len(rows) for rows in begun] == [1, 2, 3, 4]
    rows = begun[-1]
    assert not list(solve_variants(rows, epsilon=1e-6))
    told = by_rules(rows)
    assert [row[1] for row in told] == ["face", "total"]
    assert all(len(row) == 8 for row in told)
    (tmp_path / "rows.json").write_text(json.dumps(rows), encoding="utf-8")
    assert read_rows(tmp_path / "rows.json") == rows
    (tmp_path / "rows.json").write_text("[1]", encoding="utf-8")
    with pytest.raises(BadTable, match="variants"):
        read_rows(tmp_path / "rows.json")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["solve", "ca-ngua", "--option", f"track={SMALL}", "--seats", "1,2", "--threads", "2", "--check", "20", "--rounded"]
    assert run(arguments) == 0
    told = capsys.readouterr()
    assert "of memory" in told.err
    assert "seat 1 rolls first and wins with chance 0." in told.out
    assert "seat 2 rolls first and wins with chance 0." in told.out
    assert "20 random entries re-derived: 0 wrong" in told.out
    assert run([*arguments[:-1], "--json"]) == 0
    told = capsys.readouterr()
    assert "of memory" not in told.err
    line = json.loads(told.out)
    assert line["checked"]["wrong"] == 0
    assert line["error"] <= 0.5e-9 + 1e-15
    assert set(line["first"]) == {"1", "2"}


def test_the_command_for_all_variants(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("muang.solver.ca_ngua_variants.games", lambda: [tiny(), tiny(gate="jump")])
    path = tmp_path / "rows.json"
    arguments = ["solve", "ca-ngua", "--variants", "--epsilon", "1e-6", "-o", str(path)]
    assert run(arguments) == 0
    told = capsys.readouterr().out
    assert [line.split()[2] for line in told.splitlines()[1:]] == ["gate", "run_in", "jump"]
    kept = read_rows(path)
    assert len(kept) == 4
    assert run([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == kept
    path.write_text("no rows", encoding="utf-8")
    assert run(arguments) == 2
    assert "variants" in capsys.readouterr().err


def test_the_picture_shows_what_the_table_says(tmp_path: Path) -> None:
    of = tiny()
    table = solved(of)
    lines = [worth(table, of, (0, 2), turn) for turn in (0, 2)]
    assert [place for place, _ in lines[0]] == ["stable", *range(SMALL), "slot1", "slot2", "slot3", "slot4"]
    assert lines[0][0][1] + lines[1][0][1] == pytest.approx(1.0, abs=1e-9)
    assert all(own > other for (_, own), (_, other) in zip(*lines, strict=True))
    draw(table, of, (0, 2), tmp_path / "a.svg")
    draw(table, of, (0, 2), tmp_path / "b.svg")
    told = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "chance to win" in told
    assert told == (tmp_path / "b.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--plot", "a.gif"], "svg, png or pdf"),
        (["--seats", "0,1,2"], "two players"),
        (["--seats", "0,x"], "numbers with commas"),
        (["--seats", "0,0"], "two to four different seats"),
        (["--epsilon", "0"], "1e-11 to 1"),
        (["--epsilon", "nan"], "1e-11 to 1"),
        (["--option", "gate=climb", "--option", "doubles=total"], "CN-25"),
        (["--option", "holes=7"], "no option"),
    ],
)
def test_the_command_refuses_nonsense(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "ca-ngua", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_the_command_refuses_a_damaged_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.muang"
    path.write_bytes(b"no table")
    assert run(["solve", "ca-ngua", "--option", f"track={SMALL}", "-o", str(path)]) == 2
    assert "not a table" in capsys.readouterr().err
    assert path.read_bytes() == b"no table"
