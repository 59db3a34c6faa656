"""The search in turns: packed boards hold the same as the kernel's, values are those of plain minimax over ``Match``, limits are kept."""

from __future__ import annotations

import random
import threading
from typing import Any

import numpy as np
import pytest

import muang
from muang.errors import IllegalAction
from muang.games.core import Match
from muang.games.sowing import kernel
from muang.games.sowing.game import SowingGame
from muang.games.sowing.layout import SEATS
from muang.search import turns_kernel as k
from muang.search.analyse import analyse
from muang.search.limits import Info, Limits, Stop
from muang.search.turns import Packed, TurnSearch, packed

GAMES: list[tuple[str, str, dict[str, Any]]] = [
    ("mak-khum", "turns", {}),
    ("mak-khum", "turns", {"capture_last": True}),
    ("mak-khum", "turns", {"skip_origin": True}),
    ("mak-khum", "chongka", {}),
    ("mak-khum", "turns", {"holes": 12, "seeds": 5}),
    ("mak-khum", "turns", {"holes": 15, "seeds": 8, "capture_last": True}),
    ("abalalae", "turns", {}),
    ("abalalae", "turns", {"track": "courlander"}),
    ("abalalae", "turns", {"columns": 8}),
    ("abalalae", "turns", {"columns": 2, "seeds": 2}),
]


def sowing(name: str, ruleset: str, options: dict[str, Any]) -> SowingGame:
    of = muang.game(name, ruleset, **options)
    assert isinstance(of, SowingGame)
    return of


def random_cells(of: SowingGame, draw: random.Random, seeds: int, widows: int = 0) -> list[int]:
    """A board by place with so many seeds in play, none in widows."""
    cells = [0] * (2 * of.layout.holes + 2)
    places = [p for seat in (0, 1) for p in of.layout.own(seat) if not widows >> p & 1]
    for _ in range(seeds):
        cells[draw.choice(places)] += 1
    return cells


@pytest.mark.parametrize(("name", "ruleset", "options"), GAMES)
def test_every_choice_leads_where_the_kernel_of_the_rules_leads(name: str, ruleset: str, options: dict[str, Any]) -> None:
    of = sowing(name, ruleset, options)
    layout, draw = of.layout, random.Random(1)
    for number in range(60):
        widows = 0
        if name == "mak-khum" and number % 3 == 0 and layout.holes > 2:
            own = layout.own(number % 2)
            widows = sum(1 << own[i] for i in range(1 + number % (layout.holes - 1)))
        at = packed(of, widows)
        cells = random_cells(of, draw, draw.randint(1, layout.total), widows)
        seat = draw.randint(0, 1)
        if not any(cells[p] for p in layout.own(seat)):
            continue
        board = at.pack(cells, seat)
        assert at.rows(board) == tuple(tuple(cells[p] for p in layout.own(s)) for s in (0, 1))
        found = {hole: (gain, after) for hole, gain, after in at.kids(board)}
        mask = kernel.legal_mask(of.record, of.board(cells), np.zeros((2, 3), np.int64), seat, widows)
        names = {layout.names[layout.base(seat) + i] for i in range(layout.holes) if mask >> i & 1}
        assert set(found) == (names or {"pass"})
        for hole in names:
            after = of.board(cells)
            code = kernel.turn(of.record, after, seat, layout.index[hole], widows)
            gain, next_board = found[hole]
            stored = int(after[layout.store(seat)]) - cells[layout.store(seat)]
            rows = tuple(tuple(int(after[p]) for p in layout.own(s)) for s in (0, 1))
            if code & 0x80000:
                assert next_board is None
                assert gain == stored + sum(rows[seat]) - sum(rows[1 - seat])
            else:
                assert next_board is not None
                assert (gain, next_board.seat) == (stored, code >> 16 & 1)
                assert at.rows(next_board) == rows
                assert next_board.n == sum(map(sum, rows))


def minimax(match: Match, seat: str, memo: dict[str, int]) -> int:
    """The difference in seeds at the end of the round, by the rules alone."""
    if match.result is not None:
        return match.result.seeds[seat] - match.result.seeds[SEATS[1 - SEATS.index(seat)]]
    key = str(match.position)
    if key not in memo:
        assert match.turn is not None
        values = [minimax(match.play(match.turn, hole), seat, memo) for hole in match.legal(match.turn)]
        memo[key] = max(values) if match.turn == seat else min(values)
    return memo[key]


SMALL: list[tuple[str, str, dict[str, Any]]] = [
    ("mak-khum", "turns", {"holes": 3, "seeds": 2}),
    ("mak-khum", "turns", {"holes": 3, "seeds": 3, "capture_last": True}),
    ("mak-khum", "chongka", {"holes": 3, "seeds": 2}),
    ("mak-khum", "turns", {"holes": 4, "seeds": 1}),
    ("abalalae", "turns", {"columns": 2, "seeds": 1, "quiet_turns": 6}),
    ("abalalae", "turns", {"columns": 2, "seeds": 2, "quiet_turns": 4, "track": "courlander"}),
]


@pytest.mark.parametrize(("name", "ruleset", "options"), SMALL)
def test_every_value_is_that_of_minimax_over_the_rules(name: str, ruleset: str, options: dict[str, Any]) -> None:
    match = muang.game(name, ruleset, **options).start(first="S")
    info = analyse(match, Limits(lines=15))
    memo: dict[str, int] = {}
    assert info.exact
    assert {line.action for line in info.lines} == set(match.legal("S"))
    for line in info.lines:
        assert line.exact
        assert line.value == minimax(match.play("S", line.action), "S", memo)
    assert info.value == max(line.value for line in info.lines)


@pytest.mark.parametrize("first", ["S", "N"])
def test_widows_are_searched_as_they_lie(first: str) -> None:
    """A later round with two widows: the same values as minimax, whoever has them and whoever chooses."""
    text = f"mak-khum rules=trang,holes:3,seeds:3 round=2 first=S opened=N S=0,3,-/4 N=1,3,2/5 turn={first}"
    match = muang.position(text).start()
    info = analyse(match, Limits(lines=9))
    memo: dict[str, int] = {}
    for line in info.lines:
        after = match.play(first, line.action)
        assert line.exact
        assert line.value == minimax_of_round(after, first, memo)


def minimax_of_round(match: Match, seat: str, memo: dict[str, int]) -> int:
    """As ``minimax``, for a round after which the match may go on."""
    past = match.view()["rounds"]
    if past:
        seeds = past[-1]["seeds"]
        return int(seeds[seat] - seeds[SEATS[1 - SEATS.index(seat)]])
    key = str(match.position)
    if key not in memo:
        assert match.turn is not None
        values = [minimax_of_round(match.play(match.turn, hole), seat, memo) for hole in match.legal(match.turn)]
        memo[key] = max(values) if match.turn == seat else min(values)
    return memo[key]


def test_the_round_from_three_seeds_each_is_worth_38() -> None:
    match = muang.game("mak-khum", "turns", seeds=3).start(first="S")
    info = analyse(match, Limits())
    assert (info.value, info.action, info.exact) == (38, "S1", True)


def test_a_principal_line_can_be_played() -> None:
    match = muang.game("mak-khum", "turns").start(seed=3)
    for info in (analyse(match, Limits(nodes=30_000)), analyse(match, Limits(depth=3, lines=3))):
        for line in info.lines:
            after = match
            for seat, hole in line.actions:
                after = after.play(seat, hole)


def test_boards_of_more_seeds_than_a_byte_tells_are_remembered_too() -> None:
    match = muang.game("mak-khum", "turns", holes=9, seeds=8).start(first="S")
    info = analyse(match, Limits(depth=3))
    assert len(info.lines[0].actions) > 2
    for seat, hole in info.lines[0].actions:
        match = match.play(seat, hole)


def test_the_last_word_tells_what_it_took() -> None:
    match = muang.game("mak-khum", "turns").start(first="S")
    assert analyse(match, Limits(nodes=20_000)).nodes == 20_001


def test_one_thread_and_a_limit_of_nodes_repeat_to_the_node() -> None:
    match = muang.game("abalalae", "turns").start(first="S")
    one, two = (analyse(match, Limits(nodes=5000)) for _ in range(2))
    assert (one.nodes, one.lines, one.depth) == (two.nodes, two.lines, two.depth)
    assert 4900 < one.nodes <= 5001


def test_more_threads_find_the_same_exact_values() -> None:
    match = muang.game("mak-khum", "turns", seeds=2).start(first="S")
    one, two = (analyse(match, Limits(threads=threads, lines=7)) for threads in (1, 3))
    assert {line.action: line.value for line in one.lines} == {line.action: line.value for line in two.lines}
    assert all(line.exact for line in two.lines)


def test_time_and_a_switch_end_a_search() -> None:
    match = muang.game("mak-khum", "turns").start(first="N")
    assert analyse(match, Limits(time_ms=50)).action in match.legal("N")
    stop = Stop()
    threading.Timer(0.05, stop.set).start()
    assert analyse(match, Limits(), stop=stop).action in match.legal("N")
    heard: list[Info] = []
    info = analyse(match, Limits(depth=4), heard.append)
    assert [step.depth for step in heard] == [1, 2, 3, 4]
    assert heard[-1].lines == info.lines


def test_a_table_at_the_leaves_changes_no_value() -> None:
    """Every board with up to three seeds, solved here one by one, read by the search instead of searched."""
    from muang.search.limits import TurnTable
    from muang.search.ranks import binomials, boards, unrank

    of = sowing("mak-khum", "turns", {"holes": 3, "seeds": 3})
    plain = TurnSearch(of, memory_mb=4)
    values = np.zeros(boards(3, 3), np.int8)
    for rank in range(len(values)):
        row = np.zeros(6, np.int64)
        unrank(rank, row, 0, 3, 3, binomials(3, 3))
        cells = [*row[:3], 0, *row[3:], 0]
        if not row[:3].any():  # the mover cannot choose: the round is over (MK-30)
            values[rank] = -row[3:].sum()
        else:
            values[rank], proved = plain.value(plain.at.pack(cells, 0), k.DEEPEST)
            assert proved
    match = of.start(first="S")

    class Tables:
        def turns(self, game: Any, widows: int = 0) -> TurnTable | None:
            return TurnTable("three seeds", 3, values, values)

        def horses(self, game: Any, seats: tuple[int, int]) -> None:
            return None

    with_table, without = analyse(match, Limits(lines=3), tables=Tables()), analyse(match, Limits(lines=3))
    assert [(line.action, line.value, line.exact) for line in with_table.lines] == [
        (line.action, line.value, line.exact) for line in without.lines
    ]
    assert with_table.nodes < without.nodes


def test_a_hand_under_way_can_only_drop_on() -> None:
    match = muang.game("mak-khum", "turns").start(first="S", pace="by_hand").play("S", "S1")
    info = analyse(match, Limits(nodes=2000))
    assert info.action == "drop"
    whole = muang.game("mak-khum", "turns").start(first="S").play("S", "S1")
    assert info.value == analyse(whole, Limits(nodes=2000)).value


def test_a_seat_without_a_choice_is_refused() -> None:
    match = muang.game("mak-khum", "turns").start(first="S")
    with pytest.raises(IllegalAction, match="nothing to choose"):
        analyse(match, seat="N")
    with pytest.raises(IllegalAction, match="over"):
        analyse(match.leave("S"))
    horses = muang.game("ca-ngua").start(seed=1).roll((6, 6))
    with pytest.raises(IllegalAction, match="nothing to choose"):
        analyse(horses, seat=9)


def test_the_longest_known_walk_is_walked() -> None:
    """947 drops in 149 laps (MK-55), on packed boards too."""
    of = sowing("mak-khum", "turns", {})
    cells = [10, 7, 3, 15, 8, 11, 14, 0, 5, 0, 1, 2, 8, 10, 4, 0]
    at = Packed(of, 0)
    after = of.board(cells)
    code = kernel.turn(of.record, after, 0, 5, 0)
    gain, board = next((gain, board) for hole, gain, board in at.kids(at.pack(cells, 0)) if hole == "S6")
    assert code & 0x40000
    assert board is not None
    assert gain == int(after[7])
    assert at.rows(board)[0] == tuple(int(seeds) for seeds in after[:7])
