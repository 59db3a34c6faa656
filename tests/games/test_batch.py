"""Batches: every game of a batch is the match of the same seed with the same choices, whatever the batch is made of."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import muang
from muang.games import drawn, lots, table
from muang.games.table import PHASES, Batch

RULESETS = [(name, ruleset) for name in muang.GAMES for ruleset in muang.game(name).rulesets]
OTHERS: list[tuple[str, dict[str, Any]]] = [
    ("mak-khum", {"holes": 3, "seeds": 2, "rounds": "until_broke"}),  # small boards: widows and unequal rounds soon
    ("mak-khum", {"holes": 4, "seeds": 3, "race": "opening", "rounds": 6, "widows": "near", "opener": "smaller"}),
    ("mak-khum", {"holes": 5, "seeds": 3, "skip_origin": True, "capture_last": True, "rounds": 3}),
    ("mak-khum", {"holes": 9, "seeds": 2, "race": "none", "rounds": 3}),  # a board of more than 16 places
    ("mak-khum", {"holes": 15, "seeds": 8, "rounds": 1}),
    ("mak-khum", {"holes": 1, "seeds": 1, "race": "none", "rounds": 5}),
    ("abalalae", {"columns": 2, "seeds": 1, "max_rounds": 5, "quiet_turns": 3}),
    ("abalalae", {"columns": 4, "race_loser": "stop_lap", "race_rounds": "first", "max_rounds": 4}),
    ("abalalae", {"columns": 10, "seeds": 1, "race": "none", "max_rounds": 2, "quiet_turns": 9}),
    ("ca-ngua", {"doubles": "extra", "keep_repeat": False}),
    ("ca-ngua", {"doubles": "extra", "gate": "jump", "track": 48}),
    ("ca-ngua", {"doubles": "total", "track": 52}),
]


class Beside:
    """A batch and, beside it, the matches that it stands for."""

    def __init__(self, batch: Batch, **start: Any) -> None:
        self.batch, self.start = batch, start
        self.choices = [0] * batch.n
        self.rolls = [0] * batch.n
        self.matches = [self.fresh(i) for i in range(batch.n)]
        self.check()

    def fresh(self, i: int) -> muang.Match:
        seats = self.batch.seats if self.batch.game.name == "ca-ngua" else None
        return self.rolled(self.batch.game.start(int(self.batch.seeds[i]), seats=seats, **self.start), i, 0)

    def rolled(self, match: muang.Match, i: int, rolls: int) -> muang.Match:
        while match.phase == "roll":
            match = match.roll(lots.dice(match.seed, rolls))
            rolls += 1
        self.rolls[i] = rolls
        return match

    def step(self, actions: Any) -> None:
        batch = self.batch
        names = [
            batch.action_name(i, int(a)) if match.result is None else ""
            for i, (a, match) in enumerate(zip(actions, self.matches, strict=True))
        ]
        seats = [batch.seats[k] for k in batch.current_player]
        ended = []
        for i, match in enumerate(self.matches):
            if match.result is None:
                self.choices[i] += 1
                self.matches[i] = self.rolled(match.play(seats[i], names[i]), i, self.rolls[i])
                if self.matches[i].result is not None:
                    ended.append(i)
        rewards = batch.step(actions)
        for i in range(batch.n):
            result = self.matches[i].result
            winner = None if result is None else result.winner
            losers = -1 / (len(batch.seats) - 1)
            wanted = [0.0 if i not in ended or winner is None else 1.0 if seat == winner else losers for seat in batch.seats]
            assert rewards[i].tolist() == pytest.approx(wanted)
        self.check()

    def reset(self, mask: Any) -> None:
        self.batch.reset(mask)
        for i in np.flatnonzero(mask).tolist():
            self.choices[i] = self.rolls[i] = 0
            self.matches[i] = self.fresh(i)
        self.check()

    def check(self) -> None:
        batch = self.batch
        masks, players, over, phases = batch.legal_action_mask, batch.current_player, batch.terminated, batch.phase
        both, winners = batch.simultaneous, batch.winner
        assert batch.steps.tolist() == self.choices
        for i, match in enumerate(self.matches):
            assert str(batch.position(i)) == str(match.position), i
            assert PHASES[phases[i]] == match.phase
            assert over[i] == (match.result is not None)
            assert bool(both[i]) == (len(match.to_act) == 2)
            if match.result is None:
                seat = match.to_act[0]
                assert batch.seats[players[i]] == seat
                assert tuple(batch.action_name(i, a) for a in np.flatnonzero(masks[i]).tolist()) == match.legal(seat)
                assert winners[i] == -1
            else:
                assert players[i] == -1
                assert not masks[i].any()
                assert (None if winners[i] < 0 else batch.seats[winners[i]]) == match.result.winner


def by_mask(batch: Batch, rng: np.random.Generator) -> Any:
    """A legal action by lot for every game, as anybody would draw it with the mask."""
    return np.where(batch.legal_action_mask, rng.random((batch.n, batch.num_actions)), -1).argmax(axis=1)


def played(batch: Batch, seed: int, steps: int, **start: Any) -> Beside:
    """Half of the choices by ``sample``, half by the mask; matches that are over begin again now and then."""
    beside, rng = Beside(batch, **start), np.random.default_rng(seed)
    for step in range(steps):
        beside.step(batch.sample(9) if step % 2 else by_mask(batch, rng))
        if step % 7 == 6 and batch.terminated.any():
            beside.reset(batch.terminated)
    return beside


@pytest.mark.parametrize(("name", "ruleset"), RULESETS)
def test_every_ruleset_is_played_as_single_matches_are(name: str, ruleset: str) -> None:
    """Whole matches: until each of the batch has ended at least once."""
    batch = muang.batch(name, 4, seed=3, ruleset=ruleset, threads=1)
    beside, rng = Beside(batch), np.random.default_rng(4)
    while not (batch.episodes + batch.terminated).all():
        beside.step(batch.sample(9) if rng.random() < 0.5 else by_mask(batch, rng))
        if batch.terminated.any() and rng.random() < 0.1:
            beside.reset(batch.terminated)


@pytest.mark.parametrize(("name", "options"), OTHERS)
def test_other_boards_and_options(name: str, options: dict[str, Any]) -> None:
    played(muang.batch(name, 8, seed=5, threads=1, **options), 6, 90)


@pytest.mark.parametrize("seats", [(0, 1), (1, 3), (0, 1, 2), (1, 2, 3), (0, 1, 2, 3)])
def test_two_three_and_four_seats(seats: tuple[int, ...]) -> None:
    batch = muang.batch("ca-ngua", 5, seed=8, seats=seats, first=seats[-1])
    assert batch.seats == seats
    played(batch, 9, 200, first=seats[-1])


def state_of(batch: Batch) -> list[str]:
    return [str(batch.position(i)) for i in range(batch.n)]


@pytest.mark.parametrize("name", muang.GAMES)
def test_any_number_of_threads_gives_the_same_games(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "SLICE", 100)
    one, three = muang.batch(name, 1700, seed=11, threads=1), muang.batch(name, 1700, seed=11, threads=3)
    for _ in range(60):
        masks = one.legal_action_mask
        actions = one.sample(12)
        assert (masks == three.legal_action_mask).all()
        assert (actions == three.sample(12)).all()
        assert (one.step(actions) == three.step(actions)).all()
        one.reset()
        three.reset()
        assert (one.observation == three.observation).all()
    assert one.episodes.sum() > 0 or name == "mak-khum"
    assert (one.seeds == three.seeds).all()
    few = muang.batch(name, 3, seed=11)
    few.init(seed=11)
    assert (few.seeds == muang.batch(name, 1700, seed=11).seeds[:3]).all(), "a game does not depend on how many there are"


@pytest.mark.parametrize("name", muang.GAMES)
def test_copies_go_their_own_way(name: str) -> None:
    batch = played(muang.batch(name, 4, seed=2), 3, 25).batch
    before = state_of(batch)
    games, actions = np.nonzero(batch.legal_action_mask)
    after = batch.take(games)
    after.step(actions)
    assert state_of(batch) == before
    for j, (i, action) in enumerate(zip(games.tolist(), actions.tolist(), strict=True)):
        match, seat = batch.position(i).start(), batch.seats[batch.current_player[i]]
        if match.to_act[0] != seat:  # South has chosen, which no position tells
            continue
        match = match.play(seat, batch.action_name(i, action))
        if match.phase != "roll":  # dice are the batch's
            assert str(after.position(j)) == str(match.position)
    assert all(array.flags.c_contiguous for array in vars(after).values() if isinstance(array, np.ndarray)), "else kernels are made anew"
    again, third = pickle.loads(pickle.dumps(batch)), copy.copy(batch)
    assert state_of(again) == before
    chosen = batch.sample(1)
    batch.step(chosen)
    assert state_of(third) == before
    for one in (again, third):
        one.step(chosen)
        assert state_of(one) == state_of(batch)


def test_copies_with_a_seed_roll_other_dice() -> None:
    batch = muang.batch("ca-ngua", 1, seed=2)
    many = batch.take([0] * 200, seed=5)
    assert len(set(state_of(many))) == 1, "the choice that is due stays"
    many.step(np.full(200, np.flatnonzero(batch.legal_action_mask[0])[0]))
    assert len(set(state_of(many))) > 10
    alike = batch.take([0] * 200)
    alike.step(np.full(200, np.flatnonzero(batch.legal_action_mask[0])[0]))
    assert len(set(state_of(alike))) == 1


@pytest.mark.parametrize("name", muang.GAMES)
def test_what_is_illegal_changes_nothing(name: str) -> None:
    batch = muang.batch(name, 5, seed=6)
    while batch.legal_action_mask.all(axis=1).any():
        batch.step(batch.sample(9))
    before, good = state_of(batch), batch.sample(9)
    for wrong in (int(np.flatnonzero(~batch.legal_action_mask[3])[0]), -1, batch.num_actions, 1 << 40):
        bad = good.copy()
        bad[3] = wrong
        with pytest.raises(muang.IllegalAction, match=f"game 3 cannot play action {wrong} ") as caught:
            batch.step(bad)
        names = [batch.action_name(3, a) for a in np.flatnonzero(batch.legal_action_mask[3]).tolist()]
        assert [told.partition("(")[2][:-1] for told in caught.value.allowed] == names
        assert state_of(batch) == before
    for shape in (good[:4], good.astype(float), good[:, None], "up"):
        with pytest.raises(muang.BadAction):
            batch.step(shape)
    assert state_of(batch) == before
    number = int(good[2])
    assert batch.action_number(2, batch.action_name(2, number)) == number
    with pytest.raises(muang.IllegalAction):
        batch.action_number(2, "nowhere")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"game": "chess", "n": 4}, muang.BadRuleset),
        ({"game": "mak-khum", "n": 0}, muang.BadAction),
        ({"game": "mak-khum", "n": 2.0}, muang.BadAction),
        ({"game": "mak-khum", "n": 1 << 40}, muang.BadAction),
        ({"game": "mak-khum", "n": 4, "seed": -1}, muang.BadAction),
        ({"game": "mak-khum", "n": 4, "threads": 0}, muang.BadAction),
        ({"game": "mak-khum", "n": 4, "first": "W"}, muang.BadAction),
        ({"game": "mak-khum", "n": 4, "seats": (0, 1)}, muang.BadAction),
        ({"game": "ca-ngua", "n": 4, "seats": (0, 0)}, muang.BadAction),
        ({"game": "ca-ngua", "n": 4, "seats": 3}, muang.BadAction),
        ({"game": "ca-ngua", "n": 4, "seats": "012"}, muang.BadAction),
        ({"game": "ca-ngua", "n": 4, "rounds": 3}, muang.BadRuleset),
        ({"game": muang.game("abalalae"), "n": 4, "max_rounds": 3}, muang.BadAction),
    ],
)
def test_what_cannot_be_asked_for(arguments: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        muang.batch(**arguments)


def test_wrong_questions() -> None:
    batch = muang.batch(muang.game("mak-khum"), 3)
    with pytest.raises(muang.BadAction, match="bool"):
        batch.reset([1, 0, 1])
    with pytest.raises(muang.BadAction, match="0 to 2"):
        batch.take([3])
    with pytest.raises(muang.BadAction, match="no game -1"):
        batch.position(-1)
    with pytest.raises(muang.BadAction, match="no action 9"):
        batch.action_name(0, 9)
    with pytest.raises(muang.BadAction, match="seed"):
        batch.sample(-7)
    with pytest.raises(muang.BadAction, match="no game 3"):
        muang.batch("ca-ngua", 3).position(3)


def test_a_choice_that_the_other_must_not_know_is_not_shown() -> None:
    batch = muang.batch("mak-khum", 7, seed=1)
    assert batch.simultaneous.all()
    batch.step(np.arange(7))
    seen = batch.observation
    hidden = [name for name in batch.columns if name not in ("stepped", "steps_next")]
    columns = [batch.columns.index(name) for name in hidden]
    assert len(np.unique(seen[:, columns], axis=0)) == 1


def test_an_observation_tells_the_position_from_the_own_side() -> None:
    batch = muang.batch("mak-khum", 40, seed=3, holes=4, seeds=3, rounds=5)
    widows = 0
    for _ in range(120):
        batch.step(batch.sample(9))
        batch.reset()
        seen = [dict(zip(batch.columns, row, strict=True)) for row in batch.observation.tolist()]
        for i, row in enumerate(seen):
            view = batch.position(i).view()
            own, other = ("S", "N") if row["seat"] == 0 else ("N", "S")
            for whose, seat in (("own", own), ("other", other)):
                assert [row[f"{whose}_{k}"] for k in range(1, 5)] == [-1 if x is None else x for x in view["board"][seat]]
                assert row[f"{whose}_store"] == view["board"]["stores"][seat]
                hand = view["hands"][seat]
                name = "hand" if whose == "own" else "other_hand"
                assert row[name] == (hand["seeds"] if hand else 0)
                if hand:
                    places = [f"{own}{k}" for k in (1, 2, 3, 4, "H")] + [f"{other}{k}" for k in (1, 2, 3, 4, "H")]
                    assert places[row[f"{name}_at"] - 1] == hand["at"]
            assert (row["round"], row["quiet"], row["stepped"]) == (view["round"], view["quiet"], view["first"] == own)
            assert row["opened"] == (-1 if view["opened"] is None else int(view["opened"] == own))
            assert PHASES[batch.phase[i]] == view["phase"]
            widows += None in view["board"]["S"] + view["board"]["N"]
    assert widows > 0


def test_an_observation_of_horses() -> None:
    batch = muang.batch("ca-ngua", 20, seed=3, seats=(0, 1, 3), doubles="extra")
    extras = 0
    for _ in range(150):
        batch.step(batch.sample(9))
        batch.reset()
        for i, numbers in enumerate(batch.observation.tolist()):
            row, view = dict(zip(batch.columns, numbers, strict=True)), batch.position(i).view()
            assert batch.seats[row["seat"]] == view["turn"]
            assert [row["die_1"], row["die_2"]] == view["dice"]
            assert (row["extra"], row["again"]) == (view["extra"], view["again"])
            order = [batch.seats[(row["seat"] + k) % 3] for k in range(3)]
            for whose, seat in zip(("own", "next_1", "next_2"), order, strict=True):
                places = [0 if p == "stable" else 56 + int(p[4:]) if isinstance(p, str) else p + 1 for p in view["horses"][str(seat)]]
                assert [row[f"{whose}_back"], row[f"{whose}_front"]] == places
            extras += row["extra"]
    assert extras > 0


def test_samples_are_even_among_legal_actions() -> None:
    one = muang.batch("abalalae", 1, seed=0, race="none")
    assert one.legal_action_mask.any()  # decides once which walks end
    batch = one.take(np.zeros(18_000, np.int64), seed=6)
    counts = np.bincount(batch.sample(5), minlength=9)
    assert (batch.sample(5) == batch.sample(5)).all()
    legal = batch.legal_action_mask[0]
    assert (counts[~legal] == 0).all()
    expected = 18_000 / legal.sum()
    assert abs(counts[legal] - expected).max() < 5 * expected**0.5


def test_lots_in_kernels_are_the_lots() -> None:
    for n in (2, 3, 4, 36, 1000):
        for seed in (0, 7, (1 << 64) - 1):
            key = np.uint64(lots.stream_key(seed, "first"))
            for i in range(40):
                assert drawn.below(np.uint64(drawn.lot(key, i)), n, drawn.rejected(n)) == lots.below(seed, "first", i, n)
    refused = -(-2 * (1 << 64) // 36)
    assert refused * 36 & lots.MASK < drawn.rejected(36)
    assert drawn.below(np.uint64(refused), 36, drawn.rejected(36)) == below_again(refused, 36)


def below_again(x: int, n: int) -> int:
    """``lots.below`` from its text: a lot whose product is too low is replaced by ``mix`` of itself."""
    while x * n & lots.MASK < (1 << 64) % n:
        x = lots.mix(x)
    return x * n >> 64


def test_importing_muang_loads_neither_numpy_nor_numba() -> None:
    code = "import sys, muang; muang.batch; print(sorted({'numpy', 'numba'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_uncompiled_batches_play_the_same() -> None:
    code = """
import muang
for name in muang.GAMES:
    batch = muang.batch(name, 2, seed=4, **({} if name == "ca-ngua" else {"ruleset": "single"}))
    for _ in range(30):
        batch.step(batch.sample(9)); batch.reset()
    print(*[batch.position(i) for i in range(2)], batch.legal_action_mask.tolist(), batch.observation.tolist(), sep="\\n")
"""
    told = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True, env={**os.environ, "MUANG_JIT": jit}
        ).stdout
        for jit in ("on", "off")
    ]
    assert told[0] == told[1] != ""
