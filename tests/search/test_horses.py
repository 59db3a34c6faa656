"""The search in Cờ cá ngựa: repeatable, within its limits, exact with a table, and better than any priority list."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import muang
from muang import BadAction
from muang.games.lots import dice
from muang.search import horses_kernel as fast
from muang.search import pairs
from muang.search.analyse import analyse
from muang.search.horses import analyse_horses, shares, sight
from muang.search.limits import HorseTable, Info, Limits, Stop

FOUR = "ca-ngua rules=phone seats=0,1,2,3 0=stable,30 1=3,17 2=5,40 3=stable,50 turn=0 dice=1,1"
EXTRA = "ca-ngua rules=phone,doubles:extra seats=0,2 0=10,30 2=stable,20 turn=0 dice=3,3 extra=true"


def at(line: str) -> Any:
    return muang.position(line).start()


def values(info: Info) -> dict[str, float]:
    return {line.action: line.value for line in info.lines}


def test_every_action_has_a_line_best_first() -> None:
    match = at(FOUR)
    info = analyse(match, Limits(nodes=20_000))
    assert info.unit == "chance"
    assert info.seat == 0
    assert {line.action for line in info.lines} == set(match.legal(0))
    assert [line.value for line in info.lines] == sorted((line.value for line in info.lines), reverse=True)
    assert not info.exact
    assert not any(line.exact for line in info.lines)


def test_before_a_roll_there_is_one_line_without_actions() -> None:
    info = analyse(muang.game("ca-ngua").start(1, first=2), Limits(nodes=300_000, seed=1))
    assert info.seat == 2
    assert [line.actions for line in info.lines] == [()]
    assert abs(info.value - 0.5139) < 0.01


@pytest.mark.parametrize("line", [FOUR, EXTRA, "ca-ngua rules=gate seats=0,1,2 0=55,54 1=3,17 2=slot1,40 turn=0 dice=1,1"])
def test_the_same_lots_the_same_values_in_any_number_of_threads(line: str) -> None:
    told: list[list[tuple[int, dict[str, float]]]] = []
    for threads in (1, 2, 3):
        heard: list[Info] = []
        analyse(at(line), Limits(nodes=60_000, seed=5, threads=threads), heard.append)
        told.append([(info.nodes, values(info)) for info in heard])
    assert told[0] == told[1] == told[2]
    assert len(told[0]) > 3
    other = analyse(at(line), Limits(nodes=60_000, seed=6))
    assert values(other) != told[0][-1][1]


@pytest.mark.parametrize("nodes", [1, 30, 700, 5_000, 100_000])
def test_nodes_are_not_overdrawn_by_more_than_the_last_round(nodes: int) -> None:
    info = analyse(at(FOUR), Limits(nodes=nodes))
    assert info.nodes <= max(2, 1.3 * nodes)


def test_depth_one_and_two_look_at_all_rolls_and_draw_nothing() -> None:
    for depth in (1, 2):
        found = {str(values(analyse(at(FOUR), Limits(depth=depth, seed=seed)))) for seed in range(3)}
        assert len(found) == 1
        assert analyse(at(FOUR), Limits(depth=depth)).depth == depth
    cut = analyse(at(FOUR), Limits(depth=9, nodes=50_000))
    assert cut.depth <= 9


def test_a_set_switch_ends_it_with_something_known() -> None:
    stop = Stop()
    stop.set()
    info = analyse(at(FOUR), Limits(), stop=stop)
    assert info.action in at(FOUR).legal(0)
    assert info.depth == 0


def test_another_thread_ends_it() -> None:
    stop = Stop()
    started = threading.Event()
    found: list[Info] = []
    limits = Limits(nodes=1 << 39)
    work = threading.Thread(target=lambda: found.append(analyse(at(FOUR), limits, lambda info: started.set(), stop=stop)))
    work.start()
    assert started.wait(60)
    stop.set()
    work.join(60)
    assert not work.is_alive()
    assert found[0].nodes < 1 << 39


def test_a_win_is_seen_and_exact() -> None:
    info = analyse(at("ca-ngua rules=phone seats=0,1,2 0=50,slot4 1=stable,3 2=stable,stable turn=0 dice=3,5"))
    assert info.action == "50-slot3"
    assert info.exact
    assert info.value == 1.0


def made_up_table(match: Any) -> HorseTable:
    """Not a solved one: any numbers do to see what is read."""
    track = match.game.options["track"]
    return HorseTable("made up", np.random.default_rng(7).random(pairs.table_size(track, True)), 1e-10)


class Shelf:
    def __init__(self, table: HorseTable) -> None:
        self.table = table

    def turns(self, game: Any, widows: int = 0) -> None:
        return None

    def horses(self, game: Any, seats: tuple[int, int]) -> HorseTable:
        assert seats == (0, 2)
        return self.table


@pytest.mark.parametrize(
    "line",
    [
        "ca-ngua rules=phone seats=0,2 0=stable,30 2=3,17 turn=0 dice=6,6",
        "ca-ngua rules=phone seats=0,2 0=14,30 2=10,17 turn=0 dice=2,3",
        "ca-ngua rules=phone seats=0,1,2 0=stable,30 1=stable,stable 2=3,17 left=1 turn=2 dice=1,6",
        EXTRA,
    ],
)
def test_with_a_table_each_action_is_worth_what_the_table_says(line: str) -> None:
    match = at(line)
    table = made_up_table(match)
    track, seat = match.game.options["track"], match.turn
    info = analyse_horses(match, Limits(), None, Shelf(table))
    assert info.table == "made up"
    assert all(line.exact for line in info.lines)
    for action in match.legal(seat):
        after = match.play(seat, action)
        read = float(table.values[pairs.index(after.position.key, track)])
        assert values(info)[action] == (read if after.turn == seat else 1 - read)


def test_a_table_before_a_roll_and_three_who_play_without_one() -> None:
    match = muang.game("ca-ngua").start(1, first=0)
    table = made_up_table(match)
    info = analyse_horses(match, Limits(), None, Shelf(table))
    assert info.value == table.values[0]
    assert info.exact
    three = muang.game("ca-ngua").start(1, seats=(0, 1, 2))
    assert analyse_horses(three, Limits(nodes=1000), None, Shelf(table)).table == ""


def test_the_other_games_have_no_horses() -> None:
    with pytest.raises(BadAction, match="mak-khum has no horses"):
        analyse_horses(muang.game("mak-khum").start(1), Limits())


@pytest.mark.parametrize(
    "options", [{}, {"doubles": "total"}, {"doubles": "extra"}, {"gate": "climb"}, {"gate": "jump"}, {"keep_repeat": False}]
)
def test_turns_alone_are_those_that_games_alone_take(options: dict[str, Any]) -> None:
    """Mean and variance that the evaluation builds on, against games played alone, always for the fewest turns left."""
    game: Any = muang.game("ca-ngua", **options)
    seen = sight(game, 2)
    track = game.options["track"]
    start = (track - 3) | (track << 6)  # 4 and 1 squares short of the lane
    lengths = []
    for number in range(1500):
        key, lost, roll = start | 1 << 48, 0, 0
        while key >> 54 != 63:
            first, second = dice(number, roll)
            roll += 1
            again = first == second or {first, second} == {1, 6}
            moved = _least(game, key, first, second, seen)
            lost += not (again and (moved & 4095 != key & 4095 or game.options["keep_repeat"])) and moved >> 54 != 63
            key = moved
        lengths.append(lost)
    mean, variance = seen[start], seen[fast.VAR + start]
    assert abs(np.mean(lengths) - mean) < 5 * (variance / len(lengths)) ** 0.5
    assert abs(np.var(lengths) / variance - 1) < 0.25


def _least(game: Any, key: int, first: int, second: int, seen: Any) -> int:
    """The key after the move that leaves the fewest turns, found by trying every end of the roll through ``Match``."""
    from muang.games.ca_ngua.match import CaNguaMatch
    from muang.games.ca_ngua.position import CaNguaPosition

    match = CaNguaMatch.begin(CaNguaPosition(game, (0,), key)).roll((first, second))
    ends = []
    todo = [match]
    while todo:
        one = todo.pop()
        if one.phase == "move":
            todo += [one.play(0, action) for action in one.legal(0)]
        else:
            ends.append(one.position.key)
    return min(ends, key=lambda end: (end >> 54 != 63, seen[end & 4095]))


def test_shares_add_up_to_one_and_follow_the_race() -> None:
    match = at("ca-ngua rules=phone seats=0,1,2 0=slot1,slot4 1=3,17 2=stable,stable turn=1")
    found = shares(match)
    assert abs(sum(found.values()) - 1) < 1e-12
    assert found[0] > found[1] > found[2]
    assert shares(at(EXTRA))[0] > 0.5
    assert set(shares(at(FOUR))) == {0, 1, 2, 3}
