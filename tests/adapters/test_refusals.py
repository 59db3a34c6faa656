"""What environments refuse, that it changes nothing, and that an episode has something to choose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pyspiel
import pytest

import muang
import muang.adapters.openspiel
from muang.adapters.gymnasium import MOST_DRAWN, SeatEnv
from muang.adapters.observation import decode, encode, form
from muang.adapters.pettingzoo import BothEnv, TurnEnv, env, parallel_env
from muang.errors import BadAction, BadPosition, IllegalAction
from muang.search.players import Greedy

LAST_SEED = "mak-khum rules=turns round=1 first=S opened=S S=0,0,0,0,0,0,1/49 N=0,0,0,0,0,0,0/48 turn=S"
"""South's last seed falls into its store: North never chooses."""
NORTH = "mak-khum rules=turns round=1 first=S opened=S S=0,0,0,0,0,0,1/49 N=1,0,0,0,0,0,0/47 turn=N"


# ── an episode has something to choose ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("environment", "empty"),
    [
        (SeatEnv("ca-ngua", seats=4, seat=0), {144, 185}),
        (SeatEnv("abalalae", columns=2, seeds=2, episode="round"), {3, 6, 7}),
    ],
    ids=["ca-ngua", "abalalae"],
)
def test_a_match_without_a_choice_is_passed_over(environment: SeatEnv, empty: set[int]) -> None:
    for seed in (*empty, 1):
        seen, _ = environment.reset(seed=seed)
        assert seen["action_mask"].any()
        assert (environment.episode.seed != seed) == (seed in empty)
        first, then = str(environment.match.position), environment.reset()[0]
        assert then["action_mask"].any()
        after = str(environment.match.position)
        environment.reset(seed=seed)
        assert str(environment.match.position) == first  # the series too is the same again
        environment.reset()
        assert str(environment.match.position) == after


def test_a_position_that_gives_no_choice_is_refused_and_the_old_episode_goes_on() -> None:
    environment = SeatEnv("mak-khum", ruleset="turns", seat="N")
    environment.reset(seed=4)
    before = str(environment.match.position), environment.episode.seed
    with pytest.raises(BadAction, match=f"{MOST_DRAWN} matches in a row were over before seat N could choose .allowed: a position"):
        environment.reset(seed=9, options={"position": LAST_SEED})
    for seed in (-1, "x"):
        with pytest.raises(BadAction, match="the seed cannot be"):
            environment.reset(seed=seed)  # type: ignore[arg-type]
    assert (str(environment.match.position), environment.episode.seed) == before
    environment.reset()
    following = environment.episode.seed
    environment.reset(seed=4)
    environment.reset()
    assert environment.episode.seed == following


# ── what is refused changes nothing ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("make", [env, parallel_env])
def test_a_reset_that_is_refused_changes_nothing(make: Callable[..., TurnEnv | BothEnv]) -> None:
    environment, other = make("mak-khum"), make("mak-khum")
    for each in (environment, other):
        each.reset(seed=3)
    before = environment.episode
    for given in ({"seed": 8, "options": {"first": "X"}}, {"seed": -1}, {"options": "x"}, {"options": {"position": "x"}}):
        with pytest.raises((BadAction, BadPosition)):
            environment.reset(**given)
        assert environment.episode is before
    for each in (environment, other):
        each.reset()
    assert environment.episode.seed == other.episode.seed


def test_an_illegal_action_in_openspiel_says_what_is_allowed() -> None:
    """And neither the state nor its history knows of it."""

    def refuses(state: Any, action: int | list[int], why: str) -> None:
        before, history = str(state), state.history()
        with pytest.raises(IllegalAction, match=why) as caught:
            (state.apply_actions if isinstance(action, list) else state.apply_action)(action)
        assert caught.value.allowed
        assert (str(state), state.history()) == (before, history)

    for params, what in (("", "lot for the first seat"), ("(first=0)", "roll of the dice")):
        state = pyspiel.load_game(f"python_muang_ca_ngua{params}").new_initial_state()
        for action in (-5, -2, 21):  # OpenSpiel itself refuses -1
            refuses(state, action, f"the {what} cannot be action {action} here")
    state.apply_action(20)
    for action in (-2, 0, 99):
        refuses(state, action, f"the choice of seat 0 cannot be action {action} here .allowed: 4")
    refuses(state, [4, 4], "nobody chooses at once")
    state = pyspiel.load_game("python_muang_mak_khum(first=S,horizon=1)").new_initial_state()
    refuses(state, 0, "MK-24: both choose at once here")
    refuses(state, [0], "1 actions for 2 players")
    refuses(state, [0, -1], "the choice of seat N cannot be action -1 here")
    state.apply_actions([0, 0])
    refuses(state, 0, "the game is over")
    refuses(state, [0, 0], "nobody chooses at once")


# ── arguments ────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["mak-khum", "abalalae"])
def test_a_parallel_environment_is_a_round_by_its_id_and_without(name: str) -> None:
    assert parallel_env(name).setting == pettingzoo.make("parallel", f"muang/{name}-v0").setting
    assert parallel_env(name).setting.episode == "round"
    assert parallel_env(name, episode="match").setting.episode == "match"


def test_the_id_of_a_race_takes_no_other_episode() -> None:
    why = r"MK-22: this id is a race, so its episode cannot be 'match' \(allowed: race\)"
    for make in (pettingzoo.make, lambda _, name, **given: gymnasium.make(name, **given)):
        for kind in ("aec", "parallel"):
            with pytest.raises(BadAction, match=why):
                make(kind, "muang/mak-khum-race-v0", episode="match")


@pytest.mark.parametrize("opponent", [3, None, Greedy])
def test_what_is_no_opponent_is_refused_when_the_environment_is_made(opponent: Any) -> None:
    with pytest.raises(BadAction, match=r"the opponent cannot be .* \(allowed: random, greedy, level-1, .*, a Player\)"):
        SeatEnv("mak-khum", opponent=opponent)


def test_an_opponent_that_chooses_what_is_impossible_is_told_so() -> None:
    class Odd(Greedy):
        def choose(self, match: Any, seat: Any, seed: int, n: int) -> str:
            return "S9"

    environment = SeatEnv("mak-khum", opponent=Odd())
    environment.reset(seed=1)
    with pytest.raises(IllegalAction, match=r"the opponent in seat N cannot choose 'S9' now \(allowed: N1"):
        environment.step(0)
    assert environment.match.log == ()


def test_calls_that_make_no_sense_say_so() -> None:
    turns, parallel, one = env("mak-khum"), parallel_env("mak-khum"), SeatEnv("mak-khum", ruleset="turns", first="S")
    for call in (turns.last, lambda: turns.step(0), lambda: parallel.step({})):
        with pytest.raises(BadAction, match=r"has to be reset first \(allowed: reset\(\)\)"):
            call()
    turns.reset(seed=1)
    parallel.reset(seed=1)
    for ask in (turns.observe, turns.action_space, turns.observation_space, parallel.action_space):
        with pytest.raises(BadAction, match=r"there is no agent 'me' \(allowed: player_0, player_1\)"):
            ask("me")
    for environment in (turns, parallel, one):
        with pytest.raises(BadAction, match=r"the options of one episode are a dictionary, not 'x' \(allowed: first, position\)"):
            environment.reset(options="x")  # type: ignore[arg-type]
    with pytest.raises(BadAction, match=r"a step takes a dictionary of actions, not None \(allowed: player_0, player_1\)"):
        parallel.step(None)  # type: ignore[arg-type]
    one.reset(options={"position": LAST_SEED})
    assert one.step(6)[2]
    with pytest.raises(BadAction, match=r"the episode is over \(allowed: reset\(\)\)"):
        one.step(6)


def test_rewards_add_to_nothing_when_both_choose_what_is_impossible() -> None:
    """And when the seat that has nothing to choose does so as well, it is not the one that loses."""
    environment = parallel_env("mak-khum", ruleset="turns")
    for line, loser in ((LAST_SEED, "player_0"), (NORTH, "player_1")):
        environment.reset(seed=1, options={"position": line})
        _, rewards, _, _, infos = environment.step({"player_0": 3, "player_1": 3})
        assert rewards == {agent: -1.0 if agent == loser else 1.0 for agent in ("player_0", "player_1")}
        assert all(info == {"illegal": True} for info in infos.values())


def test_numbers_that_do_not_fit_together_are_no_observation() -> None:
    match = muang.game("mak-khum").start(seed=1).play("S", "S2").play("N", "N5")
    parts = form(match.game).parts
    for part in ("board", "hands", "race", "to_act"):
        row = encode(match, "S")
        row[parts[part].start] = 1 - min(row[parts[part].start], 1)
        with pytest.raises(BadPosition, match=rf"\({part}\) cannot be . beside the others"):
            decode(row)
    assert np.array_equal(encode(decode(encode(match, "S")).start(), "S"), encode(match, "S"))
