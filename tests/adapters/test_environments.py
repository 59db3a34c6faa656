"""PettingZoo and Gymnasium: their own suites, and what these do not ask: rules, hidden choices, seeds, rewards, impossible choices."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
from pettingzoo.test.max_cycles_test import max_cycles_test
from pettingzoo.utils import parallel_to_aec

import muang
from adapters.conformance import EVERY, Digest, Made, chosen, is_sound
from muang.adapters.episode import Story, setting, shown
from muang.adapters.gymnasium import IDS, SeatEnv
from muang.adapters.observation import decode, encode
from muang.adapters.pettingzoo import AEC_IDS, PARALLEL_IDS, BothEnv, TurnEnv, env, parallel_env
from muang.errors import BadAction, BadPosition, BadRuleset, IllegalAction
from muang.games import lots
from muang.search.players import PLAYERS, Greedy

FULL = "S=7,7,7,7,7,7,7/0 N=7,7,7,7,7,7,7/0"
DIGESTS = Path(__file__).parent / "digests.json"
PARALLEL = [made for made in EVERY if made.id in PARALLEL_IDS]
SHORT = Made("muang/mak-khum-race-v0", {"ruleset": "songkhla"})
"""An ``opening`` race can be over after two choices."""

pytestmark = [
    # PettingZoo's test asks for Box or Discrete and knows its own games with masks by name only
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    # … and looks at masks of agents whose episode is over
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros:UserWarning"),
]


def aec(made: Made, **more: Any) -> TurnEnv:
    found: TurnEnv = pettingzoo.make("aec", made.id, **made.choices, **more)
    return found


def both(made: Made, **more: Any) -> BothEnv:
    found: BothEnv = pettingzoo.make("parallel", made.id, **made.choices, **more)
    return found


def seat_env(made: Made, **more: Any) -> SeatEnv:
    found = gymnasium.make(made.id, **made.choices, **more).unwrapped
    assert isinstance(found, SeatEnv)
    return found


# ── their own suites ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("made", EVERY, ids=str)
def test_pettingzoos_own_tests_of_environments_in_turns(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(aec(made), num_cycles=60)
    assert "Passed API test" in capsys.readouterr().out
    seed_test(lambda: aec(made), num_cycles=40)


@pytest.mark.parametrize("illegal", ["lose", "system"])
@pytest.mark.parametrize("made", PARALLEL, ids=str)
def test_pettingzoos_own_tests_of_parallel_environments(made: Made, illegal: str, capsys: pytest.CaptureFixture[str]) -> None:
    parallel_api_test(both(made, illegal=illegal), num_cycles=60)
    assert "Passed Parallel API test" in capsys.readouterr().out
    parallel_seed_test(lambda: both(made, illegal=illegal), num_cycles=40)


@pytest.mark.parametrize("made", [made for made in PARALLEL if not {"holes", "columns"} & set(made.choices) and made != SHORT], ids=str)
def test_pettingzoos_own_test_of_max_cycles(made: Made) -> None:
    """It samples without masks, and wants the episode to go on for four steps: so the system chooses for who cannot, on whole boards."""
    make = partial(both, made, illegal="system")
    max_cycles_test(SimpleNamespace(parallel_env=make, env=lambda **given: parallel_to_aec(make(**given))))


@pytest.mark.parametrize("more", [{}, {"seat": "lot", "opponent": "level-2", "illegal": "system"}], ids=["lose", "system"])
@pytest.mark.parametrize("made", EVERY, ids=str)
def test_gymnasiums_own_check(made: Made, more: dict[str, Any]) -> None:
    check_env(seat_env(made, render_mode="ansi", **more))


def test_they_are_registered_and_gymnasium_finds_them_by_the_module() -> None:
    assert set(AEC_IDS) <= set(pettingzoo.aec_registry)
    assert set(PARALLEL_IDS) <= set(pettingzoo.parallel_registry)
    assert set(IDS) <= set(gymnasium.registry)
    made = gymnasium.make("muang.adapters.gymnasium:muang/ca-ngua-v0", opponent="random", seats=3)
    assert made.unwrapped.setting.seats == (0, 1, 2)  # type: ignore[attr-defined]


# ── whole games ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def played(environment: TurnEnv, seed: int, most: int = 250, look: bool = False) -> str:
    """A game by lot; its digest. ``look``: whether every observation is looked at."""
    environment.reset(seed=seed)
    digest = Digest()
    for n, agent in enumerate(environment.agent_iter(most)):
        seen, _, terminated, truncated, _ = environment.last()
        if look:
            is_sound(seen, environment.match, environment.setting.actions)
        action = None if terminated or truncated else chosen(seen["action_mask"], seed, n)
        digest.add(agent, seen, environment.rewards, action)
        environment.step(action)
    return str(digest)


@pytest.mark.parametrize("made", EVERY, ids=str)
def test_the_same_seed_is_the_same_game_everywhere(made: Made) -> None:
    """On every Python from 3.11 to 3.14: the digests of whole games stand in a file, which changes only with a new version of an id."""
    known = json.loads(DIGESTS.read_text(encoding="utf-8"))
    environment = aec(made)
    assert played(environment, 11, look=True) == known[str(made)]
    assert played(environment, 12) != known[str(made)]
    assert played(environment, 11) == known[str(made)]  # a game before it changes nothing, options stay


def test_a_seed_means_the_match_that_it_means_everywhere_else() -> None:
    environment = env("ca-ngua", seats=3)
    environment.reset(seed=9)
    match = muang.game("ca-ngua").start(9, seats=(0, 1, 2))
    while match.phase == "roll":
        match = match.roll(lots.dice(9, match.rolls))  # type: ignore[attr-defined]
    assert environment.match.position == match.position
    environment = env("mak-khum")
    for seed in range(6):
        environment.reset(seed=seed)
        assert environment.match.first == muang.game("mak-khum").start(seed).first


def test_episodes_without_a_seed_follow_from_the_last_one() -> None:
    def series(seed: int) -> list[int]:
        story = Story()
        return [story.next(seed), *(story.next(None) for _ in range(5))]

    assert series(1) == series(1)
    assert len({*series(1), *series(2)}) == 12
    fresh, other = Story(), Story()
    assert fresh.next(None) != other.next(None)
    for wrong in (-1, 1 << 64, True, "1", 1.0):
        with pytest.raises(BadAction, match=r"0 to 2\*\*64 - 1"):
            fresh.next(wrong)  # type: ignore[arg-type]


def test_options_survive_a_reset_and_those_of_one_episode_do_not() -> None:
    environment = env("mak-khum", ruleset="songkhla", holes=5, first="N", max_rounds=4)
    line = "mak-khum rules=songkhla,holes:5,max_rounds:4 round=2 first=N opened=N S=7,7,7,7,7/0 N=7,7,7,7,7/0 turn=S"
    for options in (None, {"first": "S"}, {"position": line}, {"position": muang.position(line)}):
        environment.reset(seed=3, options=options)
        assert environment.match.game == muang.game("mak-khum", "songkhla", holes=5, max_rounds=4)
        first = environment.match.first
        assert first == ("S" if options is not None and "first" in options else "N")
        assert (str(environment.match.position) == line) == (options is not None and "position" in options)
    environment.reset(seed=4)
    assert environment.match.first == "N"
    assert environment.match.phase == "race"


# ── races ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_second_of_two_who_choose_at_once_is_not_told_the_first_choice() -> None:
    environment = env("mak-khum")
    environment.reset(seed=1)
    assert environment.agent_selection == "player_0"
    before = environment.observe("player_1")["observation"]
    pictures = set()
    for action in range(7):
        environment.reset(seed=1)
        environment.step(action)
        assert environment.agent_selection == "player_1"
        seen = environment.observe("player_1")
        assert np.array_equal(seen["observation"], before)
        assert seen["action_mask"].tolist() == [1] * 7
        assert environment.observe("player_0")["action_mask"].tolist() == [0] * 7
        pictures.add(shown(environment.match))
    assert len(pictures) == 1


def test_a_race_in_parallel_is_the_race_in_turns() -> None:
    """The same choices by the same seats, one after the other or at once, give the same game."""
    made = Made("muang/mak-khum-race-v0")
    for seed in range(3):
        turns, parallel = aec(made), both(made)
        turns.reset(seed=seed)
        seen, _ = parallel.reset(seed=seed)
        n, rewards = 0, {}
        while parallel.agents:
            assert turns.match.position == parallel.match.position
            actions = {agent: chosen(seen[agent]["action_mask"], seed, n + i) for i, agent in enumerate(parallel.agents)}
            for agent, action in actions.items():
                if action != parallel.wait:
                    assert turns.agent_selection == agent
                    turns.step(action)
            seen, rewards, _, _, _ = parallel.step(actions)
            n += 2
        assert n > 20
        assert turns.rewards == rewards
        assert set(turns.terminations.values()) == {True}


def test_who_has_nothing_to_choose_waits() -> None:
    environment = parallel_env("abalalae", episode="round")
    seen, _ = environment.reset(seed=2)
    assert environment.match.phase == "turn"  # AB-20: the race had no choices
    on_turn = "player_0" if environment.match.turn == "S" else "player_1"
    other = "player_1" if on_turn == "player_0" else "player_0"
    assert seen[other]["action_mask"].tolist() == [0] * 9 + [1]
    assert seen[on_turn]["action_mask"][-1] == 0
    with pytest.raises(BadAction, match=f"no action for {other}"):
        environment.step({on_turn: 0})


@pytest.mark.parametrize(("ruleset", "phase"), [("trang", "turn"), ("songkhla", "turn")])
def test_an_episode_ends_with_its_race(ruleset: str, phase: str) -> None:
    """MK-22: with ``round`` the race is the round; with ``opening`` who died first has won it and moves first."""
    environment = env("mak-khum", ruleset=ruleset, episode="race")
    for seed in range(5):
        played(environment, seed)
        environment.reset(seed=seed)
        n = 0
        while environment.match.phase == "race":
            environment.step(chosen(environment.observe(environment.agent_selection)["action_mask"], seed, n))
            n += 1
        match = environment.match
        assert match.phase == phase
        assert set(environment.terminations.values()) == {True}
        winner = max(environment.rewards, key=lambda agent: environment.rewards[agent])
        if ruleset == "songkhla":
            assert environment.seat_of[winner] == match.turn
        else:
            seeds = match.view()["rounds"][0]["seeds"]
            assert environment.rewards == {"player_0": np.sign(seeds["S"] - seeds["N"]), "player_1": np.sign(seeds["N"] - seeds["S"])}


# ── rewards, ends, impossible choices ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("made", EVERY, ids=str)
def test_rewards_add_to_nothing_and_say_who_won(made: Made) -> None:
    environment = aec(made)
    environment.reset(seed=5)
    n = 0
    while not any(environment.terminations.values()):
        assert set(environment.rewards.values()) == {0.0}
        environment.step(chosen(environment.observe(environment.agent_selection)["action_mask"], 5, n))
        n += 1
    assert sum(environment.rewards.values()) == pytest.approx(0)
    of, match = environment.setting, environment.match
    best = {environment.seat_of[agent] for agent, reward in environment.rewards.items() if reward > 0}
    if of.episode == "match":
        assert match.result is not None
        assert best == ({match.result.winner} if match.result.winner is not None else set())
    elif of.reward == "seeds":
        seeds = match.view()["rounds"][0]["seeds"]
        assert environment.rewards["player_0"] == (seeds["S"] - seeds["N"]) / of.game.layout.total  # type: ignore[attr-defined]


def test_a_round_is_an_episode_from_any_round_on() -> None:
    environment = env("mak-khum", episode="round", reward="seeds")
    line = "mak-khum rules=trang round=2 first=S opened=S S=0,0,0,0,0,0,1/48 N=0,0,0,0,0,1,0/48 turn=S"
    environment.reset(seed=0, options={"position": line})
    environment.step(6)  # into the store; the row is empty, so S's turn is over, and N has a seed to choose
    assert environment.agent_selection == "player_1"
    environment.step(5)
    assert set(environment.terminations.values()) == {True}
    assert environment.match.phase == "over"
    assert environment.rewards == {"player_0": 0.0, "player_1": 0.0}


def test_an_impossible_choice_loses_is_made_by_the_system_or_is_an_error() -> None:
    line = "mak-khum rules=turns round=1 first=S opened=S S=0,3,0,2,0,0,1/50 N=1,1,1,1,1,1,1/35 turn=S"
    lose, system, error = (env("mak-khum", ruleset="turns", illegal=how) for how in ("lose", "system", "error"))
    for environment in (lose, system, error):
        environment.reset(seed=0, options={"position": line})
    lose.step(0)
    assert lose.rewards == {"player_0": -1.0, "player_1": 1.0}
    assert lose.infos["player_0"] == {"illegal": True}
    assert set(lose.terminations.values()) == {True}
    system.step(0)
    assert [entry.action for entry in system.match.log] == ["S2"]  # MK-26: the lowest legal hole
    assert system.infos["player_0"] == {"illegal": True}
    with pytest.raises(IllegalAction, match=r"MK-10: seat S cannot choose action 0 now \(allowed: 1, 3, 6\)"):
        error.step(0)
    assert str(error.match.position) == line
    for wrong in ("S2", 1.0, None, True):
        with pytest.raises(BadAction, match="an action is a whole number"):
            error.step(wrong)  # type: ignore[arg-type]
    error.step(np.int64(1))
    assert [entry.action for entry in error.match.log] == ["S2"]


def test_who_lets_the_system_choose_a_horse_gets_the_farthest_move() -> None:
    """CN-42; and among three a seat that loses by an impossible choice pays the others."""
    line = "ca-ngua rules=phone seats=0,1,2 0=3,20 1=stable,stable 2=stable,stable turn=0 dice=2,3"
    system, lose = env("ca-ngua", seats=3, illegal="system"), env("ca-ngua", seats=3)
    for environment in (system, lose):
        environment.reset(seed=0, options={"position": line})
        environment.step(5)
    assert system.match.log[0].action == "20-25"
    assert lose.rewards == {"player_0": -1.0, "player_1": 0.5, "player_2": 0.5}


def test_of_both_at_once_south_loses_as_in_turns() -> None:
    environment = parallel_env("mak-khum", episode="race")
    environment.reset(seed=1)
    seen, rewards, terminations, _, infos = environment.step({"player_0": 7, "player_1": 7})
    assert rewards == {"player_0": -1.0, "player_1": 1.0}
    assert terminations == {"player_0": True, "player_1": True}
    assert infos == {"player_0": {"illegal": True}, "player_1": {"illegal": True}}
    assert decode(seen["player_0"]["observation"]) == environment.match.position
    environment.reset(seed=1)
    _, rewards, _, _, infos = environment.step({"player_0": 3, "player_1": 7})
    assert rewards == {"player_0": 1.0, "player_1": -1.0}
    assert infos["player_0"] == {}


def test_max_cycles_counts_a_players_choices() -> None:
    environment = env("abalalae", max_cycles=3)
    environment.reset(seed=1)
    n = 0
    while not any(environment.truncations.values()):
        environment.step(chosen(environment.observe(environment.agent_selection)["action_mask"], 1, n))
        n += 1
    assert n == 5  # turns go to and fro: three of one seat, two of the other
    assert set(environment.terminations.values()) == {False}


# ── one seat ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("made", EVERY, ids=str)
def test_one_seat_plays_whole_games(made: Made) -> None:
    environment = seat_env(made, opponent="random", seat="lot")
    for seed in range(2):
        seen, info = environment.reset(seed=seed)
        over, n, reward = False, 0, 0.0
        while not over:
            if n % 8 == 0:
                is_sound(seen, environment.match, environment.setting.actions)
            assert np.array_equal(seen["action_mask"], info["action_mask"])
            assert environment.seat in environment.match.to_act
            seen, reward, over, truncated, info = environment.step(chosen(seen["action_mask"], seed, n))
            n += 1
            assert not truncated
        assert reward == environment.episode.rewards()[environment.seat]
        assert not seen["action_mask"].any()


def test_the_agents_seat_is_given_or_drawn() -> None:
    assert SeatEnv("mak-khum").seat == "S"
    assert SeatEnv("ca-ngua", seat=2).seat == 2
    environment = SeatEnv("ca-ngua", seat="lot", seats=4)
    drawn = []
    for seed in range(24):
        environment.reset(seed=seed)
        drawn.append(environment.seat)
    assert set(drawn) == {0, 1, 2, 3}
    given = SeatEnv("mak-khum", seat="N")
    for seed in range(3):
        seen, info = given.reset(seed=seed)
        assert (given.seat, info["seat"]) == ("N", "N")
        assert decode(seen["observation"]) == given.match.position


@pytest.mark.parametrize("opponent", PLAYERS[:-1])
def test_every_player_can_be_the_opponent(opponent: str) -> None:
    """But level 8, which thinks for a time; it is made in the same way."""
    for name in ("mak-khum-race", "ca-ngua"):
        environment = seat_env(Made(f"muang/{name}-v0"), opponent=opponent)
        seen, _ = environment.reset(seed=1)
        for n in range(2):
            seen, _, over, _, _ = environment.step(chosen(seen["action_mask"], 1, n))
            assert not over


def test_the_opponent_chooses_at_the_match_that_the_agent_saw() -> None:
    """In a race its choice does not depend on the agent's."""

    class Watching(Greedy):
        def __init__(self) -> None:
            self.saw: list[str] = []

        def choose(self, match: Any, seat: Any, seed: int, n: int) -> str:
            self.saw.append(f"{n} {match.position} {match.log}")
            return super().choose(match, seat, seed, n)

    saw = []
    for action in range(7):
        watching = Watching()
        environment = SeatEnv("mak-khum", opponent=watching, episode="race")
        environment.reset(seed=1)
        environment.step(action)
        saw.append(watching.saw[0])
    assert len(set(saw)) == 1
    assert saw[0].endswith(" ()")


def test_one_seat_is_told_what_went_wrong() -> None:
    environment = SeatEnv("mak-khum", ruleset="turns", first="S", illegal="error")
    with pytest.raises(BadAction, match="has to be reset first"):
        environment.step(0)
    line = "mak-khum rules=turns round=1 first=S opened=S S=0,3,0,2,0,0,1/50 N=1,1,1,1,1,1,1/35 turn=S"
    before, _ = environment.reset(seed=1, options={"position": line})
    with pytest.raises(IllegalAction, match="MK-10"):
        environment.step(0)
    assert np.array_equal(before["observation"], encode(environment.match, "S"))
    lose = SeatEnv("mak-khum", ruleset="turns", first="S")
    lose.reset(seed=1, options={"position": line})
    _, reward, over, _, info = lose.step(0)
    assert (reward, over, info["illegal"]) == (-1.0, True, True)


@pytest.mark.parametrize("name", ["abalalae", "ca-ngua"])
def test_an_environment_is_copied_and_pickled_in_the_middle_of_a_long_match(name: str) -> None:
    """A match knows all the matches before it: naively that would be too deep for Python. Both copies go on alike, by themselves."""
    environment = env(name, **({"seats": 4, "ruleset": "gate"} if name == "ca-ngua" else {}))
    environment.reset(seed=11)
    for n in range(250):
        environment.step(chosen(environment.observe(environment.agent_selection)["action_mask"], 11, n))
    at = str(environment.match.position)
    copies = [copy.deepcopy(environment), pickle.loads(pickle.dumps(environment))]
    for other in copies:
        for n in range(9):
            other.step(chosen(other.observe(other.agent_selection)["action_mask"], 3, n))
    assert str(environment.match.position) == at
    ends = {str(other.match.position) for other in copies}
    assert len(ends) == 1
    assert at not in ends
    one = SeatEnv(name, opponent="random")
    one.reset(seed=1)
    assert str(copy.deepcopy(one).match.position) == str(one.match.position)


# ── what is refused ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "choices", "error", "why"),
    [
        ("chess", {}, BadRuleset, "there is no game 'chess'"),
        ("mak-khum", {"ruleset": "x"}, BadRuleset, "has no ruleset 'x'"),
        ("mak-khum", {"depth": 3}, BadRuleset, "has no option 'depth'"),
        ("mak-khum", {"episode": "game"}, BadAction, r"episode cannot be 'game' \(allowed: match, round, race\)"),
        ("mak-khum", {"reward": "x"}, BadAction, r"reward cannot be 'x' \(allowed: outcome, seeds\)"),
        ("mak-khum", {"illegal": "x"}, BadAction, r"illegal cannot be 'x' \(allowed: lose, system, error\)"),
        ("mak-khum", {"seats": 3}, BadAction, "played by two"),
        ("mak-khum", {"first": 0}, BadAction, r"MK-25: first cannot be 0 \(allowed: S, N\)"),
        ("mak-khum", {"ruleset": "turns", "episode": "race"}, BadRuleset, "MK-22: these rules have no race"),
        ("abalalae", {"episode": "race"}, BadRuleset, "AB-20: these rules have no race"),
        ("ca-ngua", {"seats": 5}, BadAction, "CN-2: 5 players cannot play"),
        ("ca-ngua", {"seats": (0, 0)}, BadAction, "CN-2"),
        ("ca-ngua", {"seats": True}, BadAction, "CN-2"),
        ("ca-ngua", {"episode": "round"}, BadAction, "CN-30: Cờ cá ngựa has neither rounds nor seeds"),
        ("ca-ngua", {"first": 1}, BadAction, r"CN-14: first cannot be 1 \(allowed: 0, 2\)"),
    ],
)
def test_wrong_settings_say_what_is_allowed(name: str, choices: dict[str, Any], error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=why):
        setting(name, **choices)


def test_wrong_arguments_of_environments_say_what_is_allowed() -> None:
    for wrong in (0, -1, 1.5, "4"):
        with pytest.raises(BadAction, match="max_cycles cannot be"):
            env("mak-khum", max_cycles=wrong)
    for make in (env, parallel_env, SeatEnv):
        with pytest.raises(BadAction, match="render_mode cannot be 'rgb_array'"):
            make("mak-khum", render_mode="rgb_array")
    with pytest.raises(BadAction, match="has no race"):
        parallel_env("ca-ngua")
    with pytest.raises(BadAction, match="there is no computer player 'me'"):
        SeatEnv("mak-khum", opponent="me")
    with pytest.raises(BadAction, match=r"the agent's seat cannot be 'E' \(allowed: S, N, lot\)"):
        SeatEnv("mak-khum", seat="E")
    environment = env("mak-khum", episode="race")
    with pytest.raises(BadAction, match="has to be reset first"):
        environment.observe("player_0")
    for options, error, why in (
        ({"ruleset": "single"}, BadAction, r"there is no option 'ruleset' for one episode \(allowed: first, position\)"),
        ({"position": "x"}, BadPosition, "begins with the game's name"),
        ({"position": "mak-khum rules=turns round=1 first=S S=7,7,7,7,7,7,7/0 N=7,7,7,7,7,7,7/0 turn=S"}, BadPosition, "has other rules"),
        ({"position": "mak-khum rules=trang round=2 first=S S=7,7,7,7,7,7,7/0 N=7,7,7,7,7,7,7/0 turn=S"}, BadPosition, "MK-22"),
        (
            {"position": "mak-khum rules=trang round=1 first=S S=7,7,7,7,7,7,7/0 N=7,7,7,7,7,7,7/0 race=", "first": "S"},
            BadAction,
            "says itself",
        ),
        (
            {"position": "mak-khum rules=trang round=1 first=S pace=steady:250 S=7,7,7,7,7,7,7/0 N=7,7,7,7,7,7,7/0 race="},
            BadPosition,
            "pace",
        ),
        ({"position": f"mak-khum rules=trang round=2 first=S {FULL} over=S:widows"}, BadPosition, "the match is over"),
        ({"first": "X"}, BadAction, "MK-25"),
    ):
        with pytest.raises(error, match=why):
            environment.reset(options=options)


# ── pictures and imports ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_board_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    environment = env("mak-khum", render_mode="ansi")
    line = "mak-khum rules=trang round=2 first=S opened=S S=-,2,3,4,5,6,17/12 N=21,20,0,1,-,-,3/4 turn=N"
    environment.reset(options={"position": line})
    assert environment.render() == (
        "mak-khum: round 2, turn, N to choose\n   21  20   0   1   -   -   3\n   17   6   5   4   3   2   -\n  stores: S 12, N 4"
    )
    human = SeatEnv("ca-ngua", render_mode="human", opponent="random")
    human.reset(seed=1)
    capsys.readouterr()
    human.render()
    assert capsys.readouterr().out.startswith("ca-ngua: move, 0 to choose, dice")


@pytest.mark.parametrize("package", ["pettingzoo", "gymnasium", "pyspiel"])
def test_heavy_packages_come_only_with_the_adapter_that_needs_them(package: str) -> None:
    """And one that is missing is named with the extra that brings it."""
    module, extra = {"pettingzoo": ("pettingzoo", "rl"), "gymnasium": ("gymnasium", "rl"), "pyspiel": ("openspiel", "openspiel")}[package]
    script = f"""
import sys
import muang, muang.adapters, muang.adapters.observation, muang.adapters.episode, muang.adapters.openspiel_plan
heavy = {{"pettingzoo", "gymnasium", "pyspiel", "numba"}} & set(sys.modules)
assert not heavy, heavy
sys.modules[{package!r}] = None
from muang.errors import MissingExtra
try:
    import muang.adapters.{module}
except MissingExtra as error:
    assert isinstance(error, ImportError)
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == ""
    assert f"which is not installed: pip install 'muang[{extra}]'" in done.stdout


def test_a_digest_tells_games_apart() -> None:
    """The digests would be worth nothing if they did not notice what is seen, chosen and earned."""
    seen = {"observation": np.zeros(3, np.int32), "action_mask": np.ones(2, np.int8)}
    other = {"observation": np.array([0, 0, 1], np.int32), "action_mask": np.ones(2, np.int8)}
    texts = set()
    for who, shown_, reward, action in (("a", seen, 0, 1), ("b", seen, 0, 1), ("a", other, 0, 1), ("a", seen, 1, 1), ("a", seen, 0, 0)):
        digest = Digest()
        digest.add(who, shown_, {"a": reward}, action)
        texts.add(str(digest))
    assert len(texts) == 5
    assert data_equivalence(seen, seen)
