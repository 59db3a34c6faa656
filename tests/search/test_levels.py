"""Levels 1 to 8: legal, repeatable up to 7, with a person's mistakes below and none above, each stronger than the one below."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import muang
from muang.games.lots import dice, draw
from muang.search import levels, pairs
from muang.search.levels import EYES, THINK_8_MS, WAITS, Level
from muang.search.limits import HorseTable
from muang.search.players import PLAYERS, player, use_tables

GAMES = ("mak-khum", "abalalae", "ca-ngua")


def at(line: str) -> Any:
    return muang.position(line).start()


def choices_of(name: str, game: str, pace: str, most: int, seed: int = 3) -> list[str]:
    """The choices of one player for all seats, up to so many, each of them legal."""
    match = muang.game(game).start(seed, pace=pace)
    who = player(name)
    found: list[str] = []
    rolls = 0
    for n in range(2000):
        if match.result is not None or len(found) == most:
            break
        if match.phase == "roll":
            match = match.roll(dice(seed, rolls))
            rolls += 1
        elif match.to_act:
            seat = match.to_act[n % len(match.to_act)]
            action = who.choose(match, seat, 9, n)
            assert action in match.legal(seat)
            found += [action] if len(match.legal(seat)) > 1 else []
            match = match.play(seat, action)
        else:
            assert match.next_due is not None
            match = match.at(match.next_due)
    return found


@pytest.mark.parametrize("level", range(1, 8))
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("pace", ["lockstep", "steady", "by_hand"])
def test_levels_choose_legally_and_the_same_again(game: str, pace: str, level: int) -> None:
    most = 10 if level < 6 else 3
    first = choices_of(f"level-{level}", game, pace, most)
    assert len(first) == most
    assert first == choices_of(f"level-{level}", game, pace, most)


@pytest.mark.parametrize("game", GAMES)
def test_level_8_chooses_legally(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "THINK_8_MS", 30)
    assert len(choices_of("level-8", game, "lockstep", 8)) == 8


def test_every_level_is_a_player_and_each_has_its_waits() -> None:
    assert [name for name in PLAYERS if name.startswith("level-")] == [f"level-{n}" for n in range(1, 9)]
    for slow, quick in zip(range(1, 8), range(2, 9), strict=True):
        for kind in (0, 1):
            assert sum(WAITS[slow][kind]) > sum(WAITS[quick][kind])
    assert THINK_8_MS < 2000


@pytest.mark.parametrize("level", range(1, 9))
def test_waits_lie_in_their_range_and_never_within_min_gap(level: int) -> None:
    match: Any = muang.game("mak-khum").start(first="S", pace="by_hand", min_gap=1000)
    who = Level(level)
    waits = [who.wait_ms(match, "S", 1, n) for n in range(200)]
    (least, most), (quick, slow) = WAITS[level]
    assert least <= min(waits) < (3 * least + most) // 4
    assert (least + 3 * most) // 4 < max(waits) <= most
    match = match.play("S", "S2", at=0)
    drops = [who.wait_ms(match, "S", 1, n) for n in range(200)]
    assert min(drops) >= 1000
    usual = muang.game("mak-khum").start(first="S", pace="by_hand").play("S", "S2", at=0)
    drops = [who.wait_ms(usual, "S", 1, n) for n in range(200)]
    assert quick <= min(drops)
    assert max(drops) <= slow + 80


# ── what a level sees ────────────────────────────────────────────────────────────────────────────────────────────────────────

SEEN = {name: {level: levels.Eye(eye.laps, eye.walks, eye.answer) for level, eye in eyes.items()} for name, eyes in EYES.items()}
"""The same eyes, none of which overlooks a hole."""


def choose(line: str, level: int, seed: int = 1) -> str:
    match = at(line)
    return player(f"level-{level}").choose(match, match.turn, seed, 0)


@pytest.mark.parametrize(
    ("level", "row", "hole"),
    [
        (1, "S=0,0,0,0,5,6,1/39 N=1,1,1,1,1,1,1/40", "S6"),  # the fullest
        (2, "S=0,0,0,0,5,6,1/39 N=1,1,1,1,1,1,1/40", "S7"),  # ends in the store
        (2, "S=3,1,0,0,0,0,0/44 N=0,0,0,0,9,0,0/41", "S2"),  # its only lap captures the nine that face S3
        (2, "S=0,0,1,0,2,1,1/40 N=0,0,0,6,0,0,0/47", "S7"),  # not that S5's second lap rests too
        (3, "S=0,0,1,0,1,1,0/40 N=0,0,0,6,0,0,0/49", "S5"),  # its second lap, from S6, rests
    ],
)
def test_how_many_laps_a_level_follows(level: int, row: str, hole: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "EYES", SEEN)
    line = f"mak-khum rules=turns round=1 first=S opened=S {row} turn=S"
    assert choose(line, level) == hole


def test_a_walk_in_one_piece_or_a_chain_of_two(monkeypatch: pytest.MonkeyPatch) -> None:
    """Level 5 adds what the walk after a rest brings."""
    monkeypatch.setattr(levels, "EYES", SEEN)
    line = "mak-khum rules=turns round=1 first=S opened=S S=0,0,1,0,0,0,1/40 N=1,0,0,9,0,0,3/43 turn=S"
    match = at(line)
    gains = {}
    for hole in match.legal("S"):
        after = match.play("S", hole)
        gains[hole] = max(
            [after.play("S", then).view()["board"]["stores"]["S"] for then in after.legal("S")] or [after.view()["board"]["stores"]["S"]]
        )
    assert choose(line, 5) == max(gains, key=lambda hole: gains[hole])
    assert gains["S7"] > gains["S3"]


def test_level_5_of_abalalae_looks_at_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "EYES", SEEN)
    for seed in range(4):
        match: Any = muang.game("abalalae", "turns").start(seed, first="S")
        for n in range(6):
            match = match.play(match.turn, player("random").choose(match, match.turn, seed, n))
        seat = match.turn
        other = "N" if seat == "S" else "S"

        def lead(now: Any, seat: str = seat, other: str = other) -> int:
            stores = now.view()["board"]["stores"]
            return int(stores[seat] - stores[other])

        worth = {}
        for hole in match.legal(seat):
            after = match.play(seat, hole)
            worth[hole] = min(lead(after.play(other, answer)) for answer in after.legal(other))
        chosen = player("level-5").choose(match, seat, seed, 0)
        assert worth[chosen] == max(worth.values())


def test_weak_levels_overlook_far_holes_more_often() -> None:
    """The farther, the fuller: which hole is chosen tells what was overlooked."""
    line = "mak-khum rules=turns round=1 first=S opened=S S=9,8,7,6,5,4,3/0 N=7,7,7,7,7,7,7/7 turn=S"
    match = at(line)
    chosen = [player("level-1").choose(match, "S", 5, n) for n in range(300)]
    assert 0.4 < chosen.count("S1") / 300 < 0.6  # 50 of 100 looks miss it
    assert chosen.count("S2") > chosen.count("S3") > chosen.count("S5")
    assert chosen.count("S7") == 0


@pytest.mark.parametrize(
    ("level", "line", "action"),
    [
        (1, "0=stable,30 2=stable,stable turn=0 dice=1,6", "30-37"),  # no thought of the second horse
        (2, "0=stable,30 2=stable,stable turn=0 dice=1,6", "30-37"),
        (2, "0=stable,45 2=stable,stable turn=0 dice=1,6", "stable-0"),  # the first is nearly round
        (3, "0=stable,30 2=stable,stable turn=0 dice=1,6", "stable-0"),
        (3, "0=20,30 2=stable,0 turn=0 dice=3,5", "30-38"),  # forgets that 20-28 kicks
        (4, "0=20,30 2=stable,0 turn=0 dice=3,5", "20-28"),
        (5, "0=20,30 2=stable,0 turn=0 dice=3,5", "20-28"),
    ],
)
def test_habits_of_horses(level: int, line: str, action: str) -> None:
    assert choose(f"ca-ngua rules=phone seats=0,2 {line}", level) == action


def test_level_8_plays_from_the_table_and_says_nothing_to_the_others() -> None:
    """A made-up table that thinks the world of what level 7 would not do: only level 8 believes it."""
    match = at("ca-ngua rules=phone seats=0,2 0=20,30 2=stable,0 turn=0 dice=3,5")
    values = np.full(pairs.table_size(56, True), 0.5)
    usual = player("level-7").choose(match, 0, 1, 0)
    other = next(action for action in match.legal(0) if action != usual)
    liked = match.play(0, other)
    values[pairs.index(liked.position.key, 56)] = 0.0  # what seat 2 is left with

    class Shelf:
        def turns(self, game: Any, widows: int = 0) -> None:
            return None

        def horses(self, game: Any, seats: tuple[int, int]) -> HorseTable:
            return HorseTable("made up", values, 0.0)

    use_tables(Shelf())
    try:
        assert player("level-8").choose(match, 0, 1, 0) == other
        assert player("level-7").choose(match, 0, 1, 0) == usual
    finally:
        use_tables(None)


# ── who is stronger ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def share(game: Any, strong: str, weak: str, matches: int) -> float:
    """The share of the matches, the same ones with seats changed, that ``strong`` wins."""
    won = 0.0
    for i in range(matches):
        match = game.start(draw(5, "ladder", i // 2))
        names = {seat: (strong, weak)[(k + i) % 2] for k, seat in enumerate(match.seats)}
        counts = dict.fromkeys(match.seats, 0)
        rolls = 0
        while match.result is None:
            if match.phase == "roll":
                match = match.roll(dice(match.seed, rolls))
                rolls += 1
                continue
            picks = [(seat, player(names[seat]).choose(match, seat, match.seed, counts[seat])) for seat in match.to_act]
            for seat, action in picks:
                counts[seat] += 1
                match = match.play(seat, action)
        won += 0.5 if match.result.winner is None else names[match.result.winner] == strong
    return won / matches


@pytest.mark.parametrize("weak", [1, 2, 3])
@pytest.mark.parametrize(("game", "matches", "least"), [("mak-khum", 30, 0.55), ("abalalae", 6, 0.6), ("ca-ngua", 200, 0.5)])
def test_the_lower_levels_are_a_ladder(game: str, matches: int, least: float, weak: int) -> None:
    """Far fewer matches than the ladder was measured with: the seed is fixed, so this does not waver."""
    assert share(muang.game(game), f"level-{weak + 1}", f"level-{weak}", matches) > least


@pytest.mark.parametrize("game", GAMES)
def test_level_1_loses_to_a_careful_beginner(game: str) -> None:
    assert share(muang.game(game), "greedy", "level-1", {"mak-khum": 30, "abalalae": 4}.get(game, 200)) > 0.68
