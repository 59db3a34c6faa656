"""OpenSpiel: its own simulations and playthroughs, its searches and solvers held to ours, and what is hidden from whom.

A playthrough is written anew by ``python -m adapters.test_openspiel`` from the folder ``tests``; look at what changed before it is kept.
"""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.python import policy, rl_environment
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability, generate_playthrough, mcts, minimax
from open_spiel.python.observation import make_observation

import muang
from adapters.conformance import chosen
from muang.adapters.observation import decode, encode
from muang.adapters.openspiel import DICE, NAMES, PARAMETERS, line_of, parameter_of
from muang.errors import BadAction, BadPosition, BadRuleset, MuangError
from muang.search.analyse import analyse
from muang.search.limits import Limits
from muang.solver.race import solve_race

MIXED = "rules=trang;race:opening;store_landing:end,holes=2,seeds=2,utility=seeds,first=S"
"""A race of 22 histories in which neither seat has a best hole: South's value is -0.4."""
SMALL = {
    "mak-khum": "python_muang_mak_khum(rules=trang;race:opening,holes=2,seeds=2)",
    "mak-khum-turns": f"python_muang_mak_khum_turns({MIXED.removesuffix(',first=S')},episode=round)",
    "abalalae": "python_muang_abalalae(rules=single,columns=2,seeds=2)",
    "ca-ngua": "python_muang_ca_ngua(position=ca-ngua rules:phone;track:48 seats:0;1;3 0:40;slot2 1:slot3;slot2 3:stable;30 turn:0)",
}
FULL = [
    "python_muang_mak_khum",
    "python_muang_mak_khum(rules=songkhla,holes=4,seeds=3,utility=seeds)",
    "python_muang_mak_khum(rules=single,episode=race)",
    "python_muang_mak_khum(rules=turns,first=N)",
    "python_muang_mak_khum_turns(episode=round,utility=seeds)",
    "python_muang_mak_khum_turns(rules=congkak,holes=3,seeds=2)",
    "python_muang_abalalae(rules=single)",
    "python_muang_abalalae(rules=courlander,columns=4,seeds=2,episode=round,utility=seeds)",
    *(f"python_muang_ca_ngua(players={players})" for players in (2, 3, 4)),
    "python_muang_ca_ngua(rules=gate,track=48,first=2)",
]
SHORT = {"mak-khum": "python_muang_mak_khum", "abalalae": "python_muang_abalalae", "ca-ngua": "python_muang_ca_ngua"}
PLAYTHROUGHS = Path(__file__).parent / "playthroughs"


def walk(text: str, seed: int = 0) -> list[Any]:
    """The states of one game by lot."""
    state = pyspiel.load_game(text).new_initial_state()
    states, n = [state.clone()], 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(chosen([action for action, _ in state.chance_outcomes()], seed, n))
        elif state.is_simultaneous_node():
            state.apply_actions([chosen(state.legal_actions(player), seed, 1000 * (player + 1) + n) for player in range(2)])
        else:
            state.apply_action(chosen(state.legal_actions(), seed, n))
        states.append(state.clone())
        n += 1
    return states


# ── its own tests ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("text", [*SMALL.values(), *FULL])
def test_openspiels_own_simulations(text: str, capfd: pytest.CaptureFixture[str]) -> None:
    game = pyspiel.load_game(text)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS and "holes" in text:
        pyspiel.random_sim_test(pyspiel.convert_to_turn_based(game), num_sims=1, serialize=True, verbose=False)
    capfd.readouterr()


@pytest.mark.parametrize("name", SMALL)
def test_a_whole_small_game_is_what_it_was(name: str) -> None:
    """``generate_playthrough``: parameters, every state, string, tensor, legal action and return of one game."""
    flags.FLAGS.mark_as_parsed()
    kept, now = generate_playthrough.replay(str(PLAYTHROUGHS / f"{name}.txt"))
    assert now == kept
    assert kept.startswith(f"game: {SMALL[name]}")


# ── what a game says of itself ───────────────────────────────────────────────────────────────────────────────────────────────


def test_what_depends_on_the_parameters_is_said_by_every_game() -> None:
    kind = pyspiel.GameType
    for players in (2, 3, 4):
        game = pyspiel.load_game("python_muang_ca_ngua", {"players": players})
        assert game.num_players() == players
        assert game.min_utility() == pytest.approx(-1 / (players - 1))
        assert len(game.new_initial_state().chance_outcomes()) == players
        assert walk(str(game), players)[-1].returns().count(1.0) == 1
    race, turns = pyspiel.load_game("python_muang_mak_khum"), pyspiel.load_game("python_muang_mak_khum(rules=turns,first=S)")
    assert race.get_type().dynamics == kind.Dynamics.SIMULTANEOUS
    assert turns.get_type().dynamics == kind.Dynamics.SEQUENTIAL
    assert race.get_type().chance_mode == kind.ChanceMode.EXPLICIT_STOCHASTIC
    assert turns.get_type().chance_mode == kind.ChanceMode.DETERMINISTIC
    one_by_one = pyspiel.load_game("python_muang_mak_khum_turns")
    assert one_by_one.get_type().information == kind.Information.IMPERFECT_INFORMATION
    assert one_by_one.get_type().dynamics == kind.Dynamics.SEQUENTIAL
    assert pyspiel.load_game("python_muang_mak_khum(holes=3,seeds=4,utility=seeds)").max_utility() == 24
    assert pyspiel.load_game("python_muang_mak_khum(holes=3)").num_distinct_actions() == 3
    assert pyspiel.load_game("python_muang_abalalae(columns=4)").num_distinct_actions() == 6


@pytest.mark.parametrize("text", [*SMALL.values(), *FULL])
def test_a_states_string_is_the_positions_line_and_returns_add_to_nothing(text: str) -> None:
    states = walk(text, 3)
    for state in states[1 :: 1 + len(states) // 40]:
        at = muang.position(str(state).split(" chosen=")[0])
        assert str(at) in str(state)
        assert state.observation_string(0) == f"seat={at.start().seats[0]} {state}"
        assert np.array_equal(state.observation_tensor(0), encode(at.start(), at.start().seats[0]).astype(np.float32))
        assert decode(state.observation_tensor(1)) == at
        assert state.is_terminal() or state.returns() == [0] * state.num_players()
    assert sum(states[-1].returns()) == pytest.approx(0)


@pytest.mark.parametrize("text", SMALL.values())
def test_copies_and_what_is_written_down_go_on_alike(text: str) -> None:
    for state in walk(text, 5)[:: 1 + len(walk(text, 5)) // 6]:
        _, read = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))
        for other in (state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state)), read):
            assert str(other) == str(state)
            assert other.history() == state.history()
            if state.is_terminal() or state.is_simultaneous_node():
                assert other.returns() == state.returns()
                continue
            actions = state.legal_actions()
            assert other.legal_actions() == actions
            assert str(other.child(actions[-1])) == str(state.child(actions[-1]))


def test_a_long_match_is_written_down_too() -> None:
    """A match knows all the matches before it; pickled naively it would be too deep for Python."""
    states = walk("python_muang_abalalae(columns=4)", 10)
    assert len(states) > 300
    assert str(pickle.loads(pickle.dumps(states[-2]))) == str(states[-2])
    assert pickle.loads(pickle.dumps(states[-1])).returns() == states[-1].returns()


# ── lots and dice ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_lot_for_the_first_seat_is_a_chance_node_unless_it_is_given() -> None:
    """MK-25, CN-14."""
    for name, seats in (("python_muang_mak_khum", "SN"), ("python_muang_abalalae", "SN"), ("python_muang_ca_ngua", (0, 2))):
        state = pyspiel.load_game(name).new_initial_state()
        assert state.chance_outcomes() == [(0, 0.5), (1, 0.5)]
        assert [state.action_to_string(-1, i) for i in (0, 1)] == [f"first={seat}" for seat in seats]
        for i, seat in enumerate(seats):
            after = state.child(i)
            assert muang.position(str(after)).start().first == seat
            given = pyspiel.load_game(name, {"first": seat}).new_initial_state()
            assert str(given) == str(after)
    assert pyspiel.load_game("python_muang_mak_khum(first=N)").new_initial_state().is_simultaneous_node()


def test_dice_fall_as_dice_do() -> None:
    """CN-26: a horse before slot 3 comes in with doubles, a 1 and a 6, or a total of 3: 10 of 36 rolls."""
    at = muang.position("ca-ngua rules=phone seats=0,2 0=slot2,slot4 2=stable,10 turn=0")
    state = pyspiel.load_game("python_muang_ca_ngua", {"position": parameter_of(at)}).new_initial_state()
    outcomes = state.chance_outcomes()
    assert len(outcomes) == len(DICE) == 21
    assert sum(chance for _, chance in outcomes) == pytest.approx(1)
    won = 0.0
    for action, chance in outcomes:
        after = state.child(action)
        if not after.is_chance_node():
            assert after.current_player() == 0
            won += chance * (after.child(after.legal_actions()[0]).returns() == [1, -1])
    assert won == pytest.approx(10 / 36)


def test_a_horizon_ends_what_the_rules_do_not() -> None:
    states = walk("python_muang_ca_ngua(horizon=9)")
    assert len(states) == 10
    assert states[-1].is_terminal()
    assert states[-1].returns() == [0, 0]


# ── races ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_second_to_choose_is_not_told_in_turns_either() -> None:
    """MK-24: what North sees after South's choice is what it saw before; South remembers it, and afterwards everybody knows."""
    for game in (
        pyspiel.load_game(f"python_muang_mak_khum_turns({MIXED})"),
        pyspiel.load_game_as_turn_based(f"python_muang_mak_khum({MIXED})"),
    ):
        start = game.new_initial_state()
        assert start.current_player() == 0
        one, two = start.child(0), start.child(1)
        assert (one.current_player(), two.current_player()) == (1, 1)
        assert one.information_state_string(1) == two.information_state_string(1)
        assert one.observation_string(1) == two.observation_string(1)
        assert one.information_state_string(0) != two.information_state_string(0)
        assert one.child(0).information_state_string(1) != two.child(0).information_state_string(1)
    start = pyspiel.load_game(f"python_muang_mak_khum_turns({MIXED})").new_initial_state()
    assert str(start.child(0)).endswith("race= chosen=S1")
    assert start.child(0).observation_tensor(1) == start.child(1).observation_tensor(1)


def test_what_one_knows_is_enough_to_tell_what_one_may_do() -> None:
    """States of one state of knowledge have the same legal actions; those of two players never share one."""
    known: dict[str, tuple[int, list[int]]] = {}

    def look(state: Any) -> None:
        if state.is_terminal():
            return
        said = (state.current_player(), state.legal_actions())
        assert known.setdefault(state.information_state_string(said[0]), said) == said
        for action in said[1]:
            look(state.child(action))

    look(pyspiel.load_game("python_muang_mak_khum_turns(holes=2,seeds=2,episode=race,first=S)").new_initial_state())
    assert len(known) > 20


def test_openspiel_solves_a_race_to_our_value() -> None:
    """CFR+: what is left to exploit bounds how far its value can be off, and ours lies within. Both forms in turns are one game."""
    ours = solve_race(muang.game("mak-khum", race="opening", store_landing="end", holes=2, seeds=2), memory_mb=16)
    assert ours.value == pytest.approx(-0.4)
    assert ours.south == pytest.approx((0.6, 0.4))
    native = pyspiel.load_game(f"python_muang_mak_khum_turns({MIXED},episode=round)")
    wrapped = pyspiel.load_game_as_turn_based(f"python_muang_mak_khum({MIXED},episode=round)")
    solver = cfr.CFRPlusSolver(native)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    left = exploitability.nash_conv(native, average)
    value = expected_game_score.policy_value(native.new_initial_state(), [average, average])[0]
    assert left < 0.15
    assert abs(value - ours.value) <= left
    assert average.action_probabilities(native.new_initial_state())[0] == pytest.approx(ours.south[0], abs=0.05)
    uniform = [exploitability.exploitability(game, policy.UniformRandomPolicy(game)) for game in (native, wrapped)]
    assert uniform[0] == pytest.approx(uniform[1])
    assert uniform[0] > 0.1


def test_our_mix_cannot_be_exploited_by_openspiels_best_response() -> None:
    """The mixed first choice that ``analyse`` gives, and its best holes after it, against OpenSpiel's exploitability."""
    game = pyspiel.load_game(f"python_muang_mak_khum_turns({MIXED},episode=round)")

    class Ours(policy.Policy):  # type: ignore[misc]  # OpenSpiel has no types
        def __init__(self) -> None:
            super().__init__(game, [0, 1])

        def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
            match = muang.position(str(state).split(" chosen=")[0]).start()
            seat = "SN"[state.current_player()]
            info = analyse(match, seat=seat)
            mix = info.mix or {info.action: 1.0}
            return {action: mix.get(f"{seat}{action + 1}", 0.0) for action in state.legal_actions()}

    assert exploitability.nash_conv(game, Ours()) == pytest.approx(0, abs=1e-9)


# ── turns ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "line",
    [
        "mak-khum rules=turns,holes:4,seeds:2 round=1 first=S opened=S S=1,2,0,1/3 N=0,2,1,1/5 turn=N",
        "mak-khum rules=turns,holes:3,seeds:3 round=1 first=S opened=S S=1,0,2/6 N=2,1,1/5 turn=S",
        "abalalae rules=turns,columns:2,quiet_turns:4,seeds:2 round=1 first=S opened=S S=1,2,0/4 N=0,2,1/2 turn=S",
    ],
)
def test_openspiels_alpha_beta_finds_our_value(line: str) -> None:
    match = muang.position(line).start()
    info = analyse(match)
    assert info.exact
    game = pyspiel.load_game(SHORT[match.game.name], {"position": parameter_of(line), "utility": "seeds", "episode": "round"})
    mover = game.new_initial_state().current_player()
    value, action = minimax.alpha_beta_search(game, maximum_depth=100, maximizing_player_id=mover)
    assert (match.seats[mover], value) == (info.seat, info.value)
    best = {one.action for one in analyse(match, Limits(lines=9)).lines if one.value == info.value}
    assert game.new_initial_state().action_to_string(mover, action) in best


@pytest.mark.parametrize(
    ("line", "best"),
    [
        # of three first choices one keeps the row's last seeds, by our own exact search
        ("mak-khum rules=turns,holes:3,seeds:2 round=1 first=S opened=S S=1,0,2/3 N=2,1,1/2 turn=S", None),
        ("abalalae rules=turns,columns:2,quiet_turns:9,seeds:2 round=1 first=S opened=S S=1,2,1/3 N=1,2,1/1 turn=S", None),
        # CN-25, CN-30: both dice together bring the second horse into slot 3 and win; one die brings it to the gate
        ("ca-ngua rules=phone seats=0,2 0=52,slot4 2=stable,54 turn=0 dice=3,3", "52-slot3"),
    ],
)
def test_openspiels_mcts_finds_the_best_choice(line: str, best: str | None) -> None:
    match = muang.position(line).start()
    if best is None:
        values = {one.action: one.value for one in analyse(match, Limits(lines=9)).lines}
        best = max(values, key=lambda action: values[action])
        assert sum(value == values[best] for value in values.values()) == 1 < len(values)
    more = {} if match.game.name == "ca-ngua" else {"utility": "seeds", "episode": "round"}
    game = pyspiel.load_game(SHORT[match.game.name], {"position": parameter_of(line), **more})
    state = game.new_initial_state()
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 2 * game.max_utility(), 150, evaluator, random_state=np.random.RandomState(2))
    assert state.action_to_string(bot.step(state)) == best


# ── parameters ───────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "params", "error", "why"),
    [
        ("mak_khum", {"rules": "nix"}, BadRuleset, "has no ruleset 'nix'"),
        ("mak_khum", {"rules": "trang;size:4"}, BadRuleset, "has no option 'size:4'"),
        ("mak_khum", {"holes": 99}, BadRuleset, "MK-1: holes cannot be 99"),
        ("mak_khum", {"first": "X"}, BadAction, r"MK-25: first cannot be 'X' \(allowed: S, N\)"),
        ("mak_khum", {"utility": "x"}, BadAction, "reward cannot be 'x'"),
        ("mak_khum", {"horizon": 0}, BadAction, "the horizon cannot be 0"),
        ("mak_khum", {"position": "ca-ngua rules:phone seats:0;2 0:stable;3 2:stable;stable turn:0"}, BadPosition, "is none of mak-khum"),
        ("mak_khum", {"position": "x"}, BadPosition, "begins with the game's name"),
        ("mak_khum", {"position": "mak-khum rules:turns S:1", "holes": 3}, BadPosition, "says itself what holes would say"),
        ("abalalae", {"columns": 5}, BadRuleset, "AB-2"),
        ("abalalae", {"episode": "race"}, BadRuleset, "AB-20"),
        ("ca_ngua", {"players": 5}, BadAction, "CN-2: 5 players cannot play"),
        ("ca_ngua", {"first": 1}, BadAction, r"CN-14: first cannot be 1 \(allowed: 0, 2\)"),
    ],
)
def test_wrong_parameters_say_what_is_allowed(name: str, params: dict[str, Any], error: type[MuangError], why: str) -> None:
    with pytest.raises(error, match=why):
        pyspiel.load_game(f"python_muang_{name}", params)


@pytest.mark.parametrize(
    "line",
    [
        "mak-khum rules=trang,rounds:4,widows:near round=2 first=S opened=N S=7,7,7,7,-,-,-/21 N=7,7,7,7,7,7,7/0 turn=N",
        "abalalae rules=pankhurst round=3 first=S opened=S S=1,2,3,4,5,6,0,0,0/6 N=3,3,3,3,3,3,3,3,3/0 quiet=99 turn=N",
        "ca-ngua rules=gate seats=0,1,3 0=stable,3 1=slot1,slot2 3=stable,stable left=3 turn=0 dice=4,4",
    ],
)
def test_a_position_goes_through_a_parameter(line: str) -> None:
    assert line_of(parameter_of(muang.position(line))) == line
    name = next(name for name, game in NAMES.items() if line.startswith(game))
    game = pyspiel.load_game(f"{name}(position={parameter_of(line)})")
    assert str(game.new_initial_state()) == line
    assert str(pyspiel.load_game(str(game)).new_initial_state()) == line


@pytest.mark.parametrize("text", ["python_muang_ca_ngua(players=3)", f"python_muang_mak_khum_turns({MIXED},episode=round)"])
def test_openspiels_environments_for_learners_take_them(text: str) -> None:
    """``rl_environment``, which needs nodes of one kind: turns."""
    environment = rl_environment.Environment(pyspiel.load_game(text), chance_event_sampler=rl_environment.ChanceEventSampler(seed=1))
    step, n = environment.reset(), 0
    while not step.last():
        player = step.observations["current_player"]
        step = environment.step([chosen(step.observations["legal_actions"][player], 1, n)])
        n += 1
    assert sum(step.rewards) == pytest.approx(0)
    assert max(step.rewards) > 0


def test_every_parameter_is_known_to_openspiel() -> None:
    for name, of in NAMES.items():
        game = pyspiel.load_game(name)
        assert str(pickle.loads(pickle.dumps(game))) == str(game)
        assert set(game.get_parameters()) == set(PARAMETERS[of])
        assert make_observation(game) is not None
        with pytest.raises(pyspiel.SpielError, match="Unknown parameter 'depth'"):
            pyspiel.load_game(name, {"depth": 3})


if __name__ == "__main__":
    flags.FLAGS.mark_as_parsed()
    for small, described in SMALL.items():
        (PLAYTHROUGHS / f"{small}.txt").write_text(generate_playthrough.playthrough(described, None, seed=7), encoding="utf-8")
