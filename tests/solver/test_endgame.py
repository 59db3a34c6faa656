"""Endgame tables: against the kernel of the rules, against whole matches, and bounds against every quiet count by brute force."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import muang
from muang.errors import BadRuleset, BadTable, NotEnough, TableMissing
from muang.games.core import Game
from muang.games.lots import below
from muang.games.sowing.game import SowingGame
from muang.games.sowing.kernel import legal_mask, turn
from muang.search.limits import Stop
from muang.search.ranks import binomials, boards, layer, rank, unrank
from muang.search.turns import TurnSearch
from muang.solver import endgame_kernel as kernels
from muang.solver import endgame_solve, work
from muang.solver.endgame import canonical, check, file_name, layers, load_endgame, turn_table
from muang.solver.endgame_solve import rows_by_distance, solve_endgame
from muang.solver.files import Table
from muang.solver.library import Library
from muang.solver.work import Progress, Stopped

ROWS = [
    {"holes": 3},
    {"holes": 3, "store_landing": "end"},
    {"holes": 3, "capture_last": True},
    {"holes": 3, "skip_origin": True},
    {"holes": 1, "capture_last": True},
    {"holes": 2, "store_landing": "end", "capture_last": True, "skip_origin": True},
    {"holes": 7},
]
LOOPS = [{"columns": 2}, {"columns": 2, "track": "courlander"}, {"columns": 6}, {"columns": 6, "track": "courlander"}]


def seeds_for(options: dict[str, Any]) -> int:
    return {1: 12, 2: 9, 3: 8, 7: 5}[options["holes"]] if "holes" in options else {2: 8, 6: 4}[options["columns"]]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Table]:
    """Tables, each worked out once."""
    where = tmp_path_factory.mktemp("tables")

    @cache
    def made(name: str, seeds: int, *pairs: tuple[str, Any]) -> Table:
        of = muang.game(name, "turns", **dict(pairs))
        return solve_endgame(of, seeds, path=where / f"{len(list(where.iterdir()))}.muang", threads=2)

    return lambda name, seeds, **options: made(name, seeds, *options.items())


def a_board(of: SowingGame, r: int) -> np.ndarray[Any, Any]:
    """The board of a rank with the mover South, by place."""
    board = np.zeros(32, np.uint8)
    unrank(r, board, 0, of.layout.holes + 1, of.layout.holes, binomials(of.layout.holes, 30))
    return board


# ── what a table is held to ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("options", ROWS, ids=str)
def test_a_whole_table_of_mak_khum_agrees_with_the_rules_one_choice_ahead(table: Callable[..., Table], options: dict[str, Any]) -> None:
    made = table("mak-khum", seeds_for(options), **options)
    of = made.game
    assert isinstance(of, SowingGame)
    values = made.arrays["values"]
    every = np.arange(len(values), dtype=np.int64)
    choose = binomials(of.layout.holes, seeds_for(options))
    assert kernels.check_row(of.record, every, choose, values) == 0
    wrong = values.copy()
    wrong[len(values) // 2] += 1
    assert kernels.check_row(of.record, every, choose, wrong) >= 1
    assert check(made, 500) == 0


@pytest.mark.parametrize("options", LOOPS, ids=str)
def test_whole_tables_of_abalalae_agree_with_the_rules_one_choice_ahead(table: Callable[..., Table], options: dict[str, Any]) -> None:
    made = table("abalalae", seeds_for(options), **options)
    of = made.game
    assert isinstance(of, SowingGame)
    choose = binomials(of.layout.holes, seeds_for(options))
    for calm in (False, True):
        read = turn_table(made, calm)
        every = np.arange(len(read.low), dtype=np.int64)
        assert np.all(read.low <= read.high)
        assert kernels.check_loop(of.record, every, choose, read.low, read.high, calm, True) == 0
        wrong = read.low.copy()
        wrong[len(wrong) // 2] += 1
        assert kernels.check_loop(of.record, every, choose, wrong, read.high, calm, True) >= 1
        assert kernels.check_loop(of.record, every, choose, wrong, read.high, calm, False) >= 1
        wrong[len(wrong) // 2] -= 2
        assert kernels.check_loop(of.record, every, choose, wrong, read.high, calm, True) >= 1
    assert np.all(made.arrays["low"] <= made.arrays["calm_low"])
    assert np.all(made.arrays["calm_high"] <= made.arrays["high"])
    assert check(made, 500) == 0


def played_out(match: Any, seat: str, memo: dict[Any, int]) -> int:
    """The final difference for ``seat`` with best play, through matches alone."""
    if match.result is not None:
        seeds = match.result.seeds
        return int(seeds[seat] - seeds["N" if seat == "S" else "S"])
    key = str(match.position)
    if key not in memo:
        mover = match.turn
        values = [played_out(match.play(mover, action), "S", memo) for action in match.legal(mover)]
        memo[key] = max(values) if mover == "S" else min(values)
    return memo[key] if seat == "S" else -memo[key]


@pytest.mark.parametrize("options", [ROWS[0], ROWS[1], ROWS[2], ROWS[5]], ids=str)
def test_mak_khum_values_are_what_whole_matches_come_to(table: Callable[..., Table], options: dict[str, Any]) -> None:
    seeds = seeds_for(options)
    made = table("mak-khum", seeds, **options)
    holes = options["holes"]
    full = ",".join(["0"] * holes)
    rules = str(muang.game("mak-khum", "turns", **options).start(first="S").position).split()[1]
    memo: dict[Any, int] = {}
    for i in range(40):
        r = below(1, "test", i, boards(holes, seeds))
        board = np.zeros(2 * holes, np.uint8)
        unrank(r, board, 0, holes, holes, binomials(holes, seeds))
        south, north = (",".join(map(str, row)) for row in (board[:holes], board[holes:]))
        if south == full:  # a position in which a round is over cannot be laid out: the table says what MK-31 says
            assert made.arrays["values"][r] == -int(board.sum())
            continue
        total = 2 * holes * made.game.options["seeds"]  # type: ignore[union-attr]
        line = f"mak-khum {rules} round=1 first=S opened=S S={south}/0 N={north}/{total - int(board.sum())} turn=S"
        match = muang.position(line).start()
        assert played_out(match, "S", memo) == made.arrays["values"][r] - (total - int(board.sum()))


def by_brute_force(of: SowingGame, quiet: int) -> Callable[[int, int], int]:
    """``V(b, r)`` of ``solver.endgame`` for every rank, from the kernel of the rules and the words of AB-31, 44 and 45 alone."""
    holes = of.layout.holes
    choose = binomials(holes, 30)
    hands = np.zeros((2, 3), np.int64)

    def own_minus_other(board: np.ndarray[Any, Any]) -> int:
        return int(board[:holes].sum()) - int(board[holes + 1 : 2 * holes + 1].sum())

    def seen_by_the_other(board: np.ndarray[Any, Any]) -> int:
        return int(rank(board, holes + 1, 0, holes, choose))

    @cache
    def walks(r: int) -> tuple[tuple[int, int, int, bool], ...]:
        board = a_board(of, r)
        found = []
        mask = legal_mask(of.record, board, hands, 0, 0)
        for hole in range(holes):
            if mask >> hole & 1:
                trial = board.copy()
                code = turn(of.record, trial, 0, hole, 0)
                found.append((int(trial[holes]), seen_by_the_other(trial), own_minus_other(trial), bool(code >> 19 & 1)))
        return tuple(found)

    @cache
    def value(r: int, left: int) -> int:
        board = a_board(of, r)
        if board[:holes].sum() == 0 or board[holes + 1 :].sum() == 0:
            return own_minus_other(board)
        found = []
        for gain, there, ends, over in walks(r):
            if over or (gain == 0 and left == 1):
                found.append(gain + ends)
            else:
                found.append(gain - value(there, quiet if gain else left - 1))
        if not found:
            there = seen_by_the_other(board)
            found.append(own_minus_other(board) if left == 1 or not walks(there) else -value(there, left - 1))
        return max(found)

    return value


@pytest.mark.parametrize("track", ["pankhurst", "courlander"])
def test_bounds_hold_for_every_quiet_count(table: Callable[..., Table], track: str) -> None:
    made = table("abalalae", 5, columns=2, track=track)
    low, high = made.arrays["low"].tolist(), made.arrays["high"].tolist()
    calm_low, calm_high = made.arrays["calm_low"].tolist(), made.arrays["calm_high"].tolist()
    calm = made.parameters["calm"]
    assert isinstance(made.game, SowingGame)
    assert calm > 1
    tight = [[99, -99] for _ in low]
    for quiet in (1, 2, 3, 5, calm, calm + 1, calm + 6):
        value = by_brute_force(made.game, quiet)
        for left in range(1, quiet + 1):
            for r in range(len(low)):
                v = value(r, left)
                assert low[r] <= v <= high[r], (r, left, quiet)
                tight[r] = [min(tight[r][0], v), max(tight[r][1], v)]
                if left >= calm:
                    assert calm_low[r] <= v <= calm_high[r], (r, left, quiet)
    # and they are no wider than need be on most boards
    met = [a == b for a, b in zip(low, high, strict=True)]
    assert sum(met) >= 0.8 * sum(a == b for a, b in tight)


@pytest.mark.parametrize("track", ["pankhurst", "courlander"])
@pytest.mark.parametrize("calm", [False, True])
def test_a_search_that_reads_bounds_is_right_at_every_quiet_count(table: Callable[..., Table], track: str, calm: bool) -> None:
    """Values that a search proves from a smaller table are those of brute force: also where a quiet end is near, and from a memory that
    it has filled at other counts.
    """
    made = table("abalalae", 3, columns=4, track=track)
    read = turn_table(made, calm)
    quiet = made.parameters["calm"] + 4
    of = muang.game("abalalae", "turns", columns=4, track=track, quiet_turns=quiet)
    assert isinstance(of, SowingGame)
    value = by_brute_force(of, quiet)
    search = TurnSearch(of, 0, 1, read, 1)
    proved = 0
    ranks = [*layer(6, 2), *layer(6, 3), *list(layer(6, 4))[::5]]
    for gone in (0, quiet - 2, 3, quiet - read.calm, min(quiet - read.calm + 1, quiet - 1), quiet - 3, quiet - 1, 1):
        for r in ranks:
            board = a_board(of, r)
            if board[:6].any() and board[7:13].any():
                found, exact = search.value(search.at.pack(board[:14].tolist(), 0, gone), 6)
                if exact:
                    assert found == value(r, quiet - gone), (r, gone)
                    proved += 1
    assert proved > 2 * len(ranks)


def test_walks_are_those_of_the_rules() -> None:
    """The loops of the solver against the kernel of the rules, on boards with many more seeds than tables hold; endless walks included."""
    endless = 0
    for options in LOOPS:
        of = muang.game("abalalae", "turns", **options)
        assert isinstance(of, SowingGame)
        holes = of.layout.holes
        following, facing = endgame_solve.loop_tables(of)
        hands = np.zeros((2, 3), np.int64)
        for i in range(400):
            board = np.zeros(32, np.uint8)
            for hole in [*range(holes), *range(holes + 1, 2 * holes + 1)]:
                board[hole] = below(i, "holes", hole, 1 + below(i, "most", 0, 4))
            mask = legal_mask(of.record, board, hands, 0, 0)
            for hole in range(holes):
                if board[hole]:
                    mine = np.concatenate([board[:holes], board[holes + 1 : 2 * holes + 1]])
                    taken = kernels.loop_walk(mine, np.zeros(2 * holes, np.uint8), following, facing, holes, hole)
                    if not mask >> hole & 1:
                        assert taken == kernels.ENDLESS
                        endless += 1
                        continue
                    trial = board.copy()
                    turn(of.record, trial, 0, hole, 0)
                    assert taken == trial[holes]
                    assert mine.tolist() == [*trial[:holes], *trial[holes + 1 : 2 * holes + 1]]
    assert endless > 0


NEVER_ENDING = [
    (3, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1),
    *((2, 0, *(1, 0) * k, 2, 1, *(0, 1) * (7 - k)) for k in range(8)),
]
"""The smallest walks that never end, from the lifted hole on along the mover's path: 12 seeds, nine patterns (docs/results.md)."""


@pytest.mark.parametrize("track", ["pankhurst", "courlander"])
def test_the_smallest_walks_that_never_end(track: str) -> None:
    of = muang.game("abalalae", "turns", track=track)
    assert isinstance(of, SowingGame)
    path = of.layout.paths[0]
    own = [i for i, place in enumerate(path) if place < 9]
    for pattern in NEVER_ENDING:
        assert (len(pattern), sum(pattern)) == (18, 12)
        for begin in own:
            board = np.zeros(32, np.uint8)
            for i, seeds in enumerate(pattern):
                board[path[(begin + i) % 18]] = seeds
            mask = legal_mask(of.record, board, np.zeros((2, 3), np.int64), 0, 0)
            assert not mask >> path[begin] & 1
            board[path[begin]] += 1  # with a seed more it does
            assert legal_mask(of.record, board, np.zeros((2, 3), np.int64), 0, 0) >> path[begin] & 1


@pytest.mark.parametrize("options", ROWS[:4], ids=str)
def test_walks_of_mak_khum_are_those_of_the_rules(options: dict[str, Any]) -> None:
    of = muang.game("mak-khum", "turns", **{**options, "holes": 7})
    assert isinstance(of, SowingGame)
    o = of.options
    flags = o["capture_last"] * kernels.CAPTURE_LAST + o["skip_origin"] * kernels.SKIP_ORIGIN
    for i in range(200):
        board = np.zeros(32, np.uint8)
        for hole in [*range(7), *range(8, 15)]:
            board[hole] = below(i, "holes", hole, 1 + below(i, "most", 0, 14))
        for hole in range(7):
            if board[hole]:
                mine, trial = board[:15].copy(), board.copy()
                rested = kernels.row_walk(mine, 7, hole, flags)
                code = turn(of.record, trial, 0, hole, 0)
                assert mine.tolist() == trial[:15].tolist()
                assert rested == bool(code >> 18 & 1)


def test_both_seats_see_the_same_board() -> None:
    """Tables are read as the mover sees the board: North's walks are South's on the turned board."""
    for name, options in [("mak-khum", {}), ("abalalae", {}), ("abalalae", {"track": "courlander"})]:
        of = muang.game(name, "turns", **options)
        assert isinstance(of, SowingGame)
        n = of.layout.holes + 1
        for i in range(100):
            board = np.zeros(32, np.uint8)
            for hole in range(2 * n):
                board[hole] = below(i, "seen", hole, 4) if hole % n != n - 1 else 0
            turned = board.copy()
            turned[:n], turned[n : 2 * n] = board[n : 2 * n], board[:n]
            for hole in range(n - 1):
                if board[hole] and legal_mask(of.record, board, np.zeros((2, 3), np.int64), 0, 0) >> hole & 1:
                    a, b = board.copy(), turned.copy()
                    turn(of.record, a, 0, hole, 0)
                    turn(of.record, b, 1, n + hole, 0)
                    assert a[:n].tolist() == b[n : 2 * n].tolist()
                    assert a[n : 2 * n].tolist() == b[:n].tolist()


def test_rows_by_distance() -> None:
    rows, groups = rows_by_distance(3, 4)
    assert len(rows) == 35
    assert len({tuple(row) for row in rows.tolist()}) == 35
    for (seeds, distance), (a, b) in groups.items():
        for row in rows[a:b].tolist():
            assert (sum(row), row[0] * 3 + row[1] * 2 + row[2]) == (seeds, distance)
    assert sum(b - a for a, b in groups.values()) == 35


def test_a_larger_table_begins_like_a_smaller_one(table: Callable[..., Table]) -> None:
    small, large = table("mak-khum", 4, holes=7), table("mak-khum", 5, holes=7)
    assert np.array_equal(small.arrays["values"], large.arrays["values"][: boards(7, 4)])


def test_layers_say_what_the_table_holds(table: Callable[..., Table]) -> None:
    made = table("mak-khum", 8, holes=3)
    told = layers(made)
    for seeds, row in enumerate(told):
        ranks = layer(3, seeds)
        values = made.arrays["values"][ranks.start : ranks.stop].astype(int)
        assert (row.seeds, row.boards, row.unmet, row.calm_unmet) == (seeds, len(ranks), 0, 0)
        assert row.mean == pytest.approx(values.mean())
        assert row.ahead == pytest.approx((values > 0).mean())
        assert row.behind == pytest.approx((values < 0).mean())
    loops = table("abalalae", 4, columns=6)
    last = layers(loops)[-1]
    ranks = layer(9, 4)
    apart = loops.arrays["low"] != loops.arrays["high"]
    assert last.unmet == pytest.approx(apart[ranks.start : ranks.stop].mean())
    assert 0 < last.calm_unmet < last.unmet


# ── stopping, resuming, refusing ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("name", "seeds", "options", "steps"), [("mak-khum", 8, {"holes": 3}, 9), ("abalalae", 8, {"columns": 2}, 40)])
def test_stopped_work_goes_on_from_where_it_was(
    table: Callable[..., Table], tmp_path: Path, name: str, seeds: int, options: dict[str, Any], steps: int
) -> None:
    """Mak Khum goes on within a number of seeds, Abalala'e from its beginning."""
    of = muang.game(name, "turns", **options)
    path = tmp_path / "t.muang"
    runs, at = 0, []
    while True:
        stop, heard = Stop(), []

        def step(progress: Progress) -> None:
            heard.append(progress)  # noqa: B023  used at once
            if len(heard) == steps:  # noqa: B023
                stop.set()  # noqa: B023

        try:
            solve_endgame(of, seeds, path=path, threads=1, on_progress=step, stop=stop)
            break
        except Stopped:
            runs += 1
            at.append(heard[-1].done)
            assert not path.exists()
            assert path.with_name("t.muang.part").exists()
        assert runs < 200
    assert runs > 1
    assert at == sorted(at)
    assert [other.name for other in tmp_path.iterdir()] == ["t.muang"]
    for array, expected in zip(load_endgame(of, path).arrays.values(), table(name, seeds, **options).arrays.values(), strict=True):
        assert np.array_equal(array, expected)


def test_an_unfinished_file_of_other_rules_or_none_is_not_gone_on_from(table: Callable[..., Table], tmp_path: Path) -> None:
    path = tmp_path / "t.muang"
    stop = Stop()
    stop.set()
    with pytest.raises(Stopped):
        solve_endgame(muang.game("mak-khum", "turns", holes=3, capture_last=True), 8, path=path, stop=stop)
    made = solve_endgame(muang.game("mak-khum", "turns", holes=3), 8, path=path)
    assert np.array_equal(made.arrays["values"], table("mak-khum", 8, holes=3).arrays["values"])
    path.with_name("t.muang.part").write_bytes(b"rubbish")
    again = solve_endgame(muang.game("mak-khum", "turns", holes=3), 4, path=path)
    assert len(again.arrays["values"]) == boards(3, 4)


def test_what_cannot_be_worked_out_is_refused_before_it_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadRuleset, match="allowed"):
        solve_endgame(muang.game("ca-ngua"), 4, path=tmp_path / "t")
    with pytest.raises(BadRuleset, match="1 to 60"):
        solve_endgame(muang.game("mak-khum"), 61, path=tmp_path / "t")
    with pytest.raises(NotEnough, match="mak-khum with up to 60 seeds"):
        solve_endgame(muang.game("mak-khum"), 60, path=tmp_path / "t")
    monkeypatch.setattr(work, "memory_available", lambda: 1000)
    with pytest.raises(NotEnough, match="memory"):
        solve_endgame(muang.game("mak-khum"), 4, path=tmp_path / "t")
    assert list(tmp_path.iterdir()) == []


# ── finding them ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_only_options_that_matter_in_turns_name_another_table() -> None:
    same: list[Game] = [muang.game("mak-khum", name) for name in ("trang", "songkhla", "single", "turns")]
    assert {file_name(of, 16) for of in same} == {"endgame-mak-khum-7-16.muang"}
    assert file_name(muang.game("mak-khum", "chongka"), 9) == "endgame-mak-khum-7-store_landing-end-9.muang"
    assert file_name(muang.game("mak-khum", "congkak", holes=5), 9) == "endgame-mak-khum-5-capture_last-true-9.muang"
    assert file_name(muang.game("abalalae", "courlander"), 12) == "endgame-abalalae-6-track-courlander-12.muang"
    assert canonical(muang.game("abalalae", quiet_turns=7, seeds=1)) == canonical(muang.game("abalalae", "single"))


def test_the_library_finds_the_largest_table_and_does_without_bad_ones(table: Callable[..., Table], tmp_path: Path) -> None:
    game = muang.game("mak-khum", "single", holes=3)
    library = Library(tmp_path)
    assert library.turns(game) is None
    for seeds in (2, 5):
        solve_endgame(game, seeds, path=tmp_path / file_name(game, seeds))
    assert library.turns(game) is None  # it has looked
    library.forget()
    found = library.turns(game)
    assert found is not None
    assert (found.seeds, found.name) == (5, "endgame-mak-khum-3-5")
    assert found.low is found.high
    assert library.turns(game) is found
    assert library.turns(game, widows=1) is None
    assert library.turns(muang.game("mak-khum", "congkak", holes=3)) is None
    assert library.problems == []
    loops = muang.game("abalalae", columns=2)
    made = solve_endgame(loops, 4, path=tmp_path / file_name(loops, 4))
    calm, every = library.turns(loops), library.turns(muang.game("abalalae", columns=2, quiet_turns=made.parameters["calm"] - 1))
    assert every is not None
    assert calm is not None
    assert (every.calm, calm.calm) == (1, made.parameters["calm"])
    assert np.count_nonzero(every.low == every.high) < np.count_nonzero(calm.low == calm.high)
    long = library.turns(muang.game("abalalae", columns=2, quiet_turns=1000))
    assert long is not None
    assert long.calm == 1
    whole = (tmp_path / file_name(game, 5)).read_bytes()
    (tmp_path / file_name(game, 5)).write_bytes(whole[:-70])
    library.forget()
    assert library.turns(game) is None
    assert len(library.problems) == 1


def test_a_missing_table_says_how_to_make_it(tmp_path: Path) -> None:
    with pytest.raises(TableMissing, match="muang solve endgame mak-khum --option capture_last=true"):
        load_endgame(muang.game("mak-khum", "congkak"), tmp_path)
    (tmp_path / "x.muang").write_bytes(b"MUANGTAB" + bytes(100))
    with pytest.raises(BadTable):
        load_endgame(muang.game("mak-khum"), tmp_path / "x.muang")
