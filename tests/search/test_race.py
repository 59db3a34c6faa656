"""Searching races: exact where that is possible, close to it by sampling, honest about what is hidden, at every pace."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import muang
from muang.games.core import Match
from muang.search import race
from muang.search.analyse import analyse
from muang.search.limits import Info, Limits, Stop
from muang.search.matrix import matrix_game
from muang.search.players import player
from muang.search.race import drawn

# what ``muang solve race --holes 3 --seeds 3`` gives, by South's and North's first hole (see tests/solver/test_race.py)
OPENING = np.array([[6, -8, 4], [8, 2, 12], [-2, -12, -1]], float)
ROUND = np.array([[0, -2, 8], [2, -2.4, 8], [-6, 0, -1.2]], float)


def small(way: str, **options: object) -> Match:
    return muang.game("mak-khum", "single", holes=3, seeds=3, race=way).start(first="S", **options)  # type: ignore[arg-type]


def replay(match: Match, info: Info) -> None:
    """Every line of an info is made of choices that match after match allows, in the order told."""
    for line in info.lines:
        at = match
        for seat, action in line.actions:
            if at.phase != "race":
                break
            assert action in at.legal(seat)
            at = at.play(seat, action)


@pytest.mark.parametrize(("way", "payoff"), [("opening", OPENING), ("round", ROUND)])
@pytest.mark.parametrize("seat", ["S", "N"])
def test_few_seeds_are_searched_to_the_end(way: str, payoff: np.ndarray, seat: str) -> None:  # type: ignore[type-arg]
    match = small(way)
    info = analyse(match, Limits(time_ms=60_000, lines=3), seat=seat)
    table = payoff if seat == "S" else -payoff.T
    value, _, answer = matrix_game(table)
    assert info.exact
    assert info.unit == "seeds"
    assert info.value == pytest.approx(value)
    assert [line.value for line in info.lines[:1]] == pytest.approx([value])
    for line in info.lines:
        assert line.exact
        assert line.value == pytest.approx(float(table[int(line.action[1]) - 1] @ answer))
    assert sum(info.mix.values()) == pytest.approx(1)
    mix = np.array([info.mix.get(f"{seat}{hole}", 0.0) for hole in (1, 2, 3)])
    assert (mix @ table).min() == pytest.approx(value)
    replay(match, info)


@pytest.mark.parametrize(("way", "payoff"), [("opening", OPENING), ("round", ROUND)])
@pytest.mark.parametrize("seat", ["S", "N"])
def test_sampling_comes_close_to_the_best_mix(
    monkeypatch: pytest.MonkeyPatch,
    way: str,
    payoff: np.ndarray,  # type: ignore[type-arg]
    seat: str,
) -> None:
    """The mix of 20,000 playouts gives away less than two seeds of eighteen to whoever knows it."""
    monkeypatch.setattr(race, "TRY_SEEDS", 0)
    info = analyse(small(way), Limits(nodes=20_000, lines=3), seat=seat)
    table = payoff if seat == "S" else -payoff.T
    assert not info.exact
    assert info.nodes == 20_000
    mix = np.array([info.mix.get(f"{seat}{hole}", 0.0) for hole in (1, 2, 3)])
    assert mix.sum() == pytest.approx(1)
    assert (mix @ table).min() > matrix_game(table)[0] - 2
    assert info.action == max(info.mix, key=lambda hole: info.mix[hole])


@pytest.mark.parametrize("ruleset", ["trang", "single"])
def test_one_thread_and_nodes_are_repeatable(ruleset: str) -> None:
    match = muang.game("mak-khum", ruleset).start(first="N")
    before = str(match.position), match.to_act

    def told(limits: Limits) -> tuple[object, ...]:
        info = analyse(match, limits, seat="N")
        replay(match, info)
        return info.lines, dict(info.mix), info.nodes, info.depth

    first = told(Limits(nodes=300, lines=7, seed=5))
    assert first == told(Limits(nodes=300, lines=7, seed=5))
    assert first != told(Limits(nodes=300, lines=7, seed=6))
    assert len(first[0]) == 7  # type: ignore[arg-type]
    assert told(Limits(nodes=301, lines=2, threads=2))[2] in (301, 302)
    assert before == (str(match.position), match.to_act)


def test_a_depth_is_kept() -> None:
    match = muang.game("mak-khum", "single").start(first="S")
    assert analyse(match, Limits(depth=1), seat="S").depth == 1
    assert 1 < analyse(match, Limits(depth=3), seat="S").depth <= 3


def test_what_the_other_has_chosen_in_secret_is_not_seen() -> None:
    match = muang.game("mak-khum").start(first="S")
    for hole in ("S1", "S5"):
        chosen = match.play("S", hole)
        assert chosen.to_act == ("N",)
        seen, unseen = (analyse(at, Limits(nodes=300), seat="N") for at in (chosen, match))
        assert (seen.lines, seen.mix) == (unseen.lines, unseen.mix)


def test_a_lone_choice_has_no_mix_and_its_lines_are_best_first() -> None:
    match = muang.game("mak-khum", "single").start(first="S").play("S", "S1").play("N", "N2")
    assert match.to_act == ("S",)
    heard: list[Info] = []
    info = analyse(match, Limits(nodes=6000, lines=7), on_info=heard.append)
    assert not info.mix
    assert {line.action for line in info.lines} == set(match.legal("S"))
    assert heard[-1] == info
    replay(match, info)


def test_searches_win_raced_rounds() -> None:
    """Against the player of best single walks: every race, by 20 seeds or more on average. Seeds fixed."""
    differences = []
    for seed in range(3):
        for me, other in (("S", "N"), ("N", "S")):

            def choose(match: Match, seat: str, me: str = me, seed: int = seed) -> str:
                if seat != me:
                    return player("greedy").choose(match, seat, 1, 0)
                return drawn(analyse(match, Limits(nodes=150, seed=seed), seat=seat), seed)

            match = muang.lockstep(muang.game("mak-khum", rounds=1).start(seed), S=choose, N=choose)
            assert match.result is not None
            differences.append(match.result.seeds[me] - match.result.seeds[other])
    assert min(differences) > 0
    assert sum(differences) / len(differences) > 20


# ── live paces ───────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("pace", ["steady", "by_hand"])
@pytest.mark.parametrize("ruleset", ["trang", "single"])
def test_live_races_are_searched_as_lockstep(pace: str, ruleset: str) -> None:
    """Where both rest it is the lockstep choice of whoever steps first; while the other walks it is a lone choice."""
    match = muang.game("mak-khum", ruleset).start(first="S", pace=pace)
    still = muang.game("mak-khum", ruleset).start(first="N")
    info = analyse(match, Limits(nodes=200), seat="N")
    assert dict(info.mix) == dict(analyse(still, Limits(nodes=200), seat="N").mix)
    match = match.play("S", "S3", at=100)
    info = analyse(match, Limits(nodes=200, lines=7), seat="N")
    assert not info.mix
    assert {line.action for line in info.lines} == set(match.legal("N"))


def test_a_whole_live_race() -> None:
    match = muang.game("mak-khum", "single").start(first="S", pace="steady")
    n = 0
    while match.phase == "race":
        for seat in match.to_act:
            info = analyse(match, Limits(nodes=60), seat=seat)
            assert info.action in match.legal(seat)
            match = match.play(seat, info.action)
            n += 1
            break
        else:
            assert match.next_due is not None
            match = match.at(match.next_due)
    assert match.phase in ("turn", "over")
    assert n >= 2


@pytest.mark.parametrize("game", ["mak-khum", "abalalae"])
def test_a_hand_at_by_hand_drops(game: str) -> None:
    match = muang.game(game).start(first="S", pace="by_hand")
    if game == "mak-khum":
        match = match.play("S", "S2", at=0)
    info = analyse(match, Limits(nodes=100), seat="S")
    assert info.action == "drop"
    assert len(info.lines) == 1
    assert -98 <= info.value <= 98


# ── stopping, drawing ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_stopped_search_still_answers() -> None:
    match = muang.game("mak-khum").start(first="S")
    stop = Stop()
    stop.set()
    info = analyse(match, Limits(), seat="S", stop=stop)
    assert info.action in match.legal("S")
    info = analyse(match, Limits(time_ms=1), seat="S")
    assert info.action in match.legal("S")
    stop = Stop()

    def enough(info: Info) -> None:
        if info.nodes > 500:
            stop.set()

    assert analyse(match, Limits(nodes=1_000_000_000), on_info=enough, seat="S", stop=stop).nodes < 1_000_000


def test_shares_are_drawn_as_they_are() -> None:
    info = analyse(small("round"), Limits(time_ms=60_000), seat="S")
    counts = Counter(drawn(info, 3, n) for n in range(2000))
    assert set(counts) == set(info.mix)
    for hole, share in info.mix.items():
        assert counts[hole] / 2000 == pytest.approx(share, abs=0.03)
    alone = analyse(small("opening").play("S", "S2").play("N", "N1"), Limits(time_ms=60_000))
    assert {drawn(alone, 3, n) for n in range(20)} == {alone.action}
