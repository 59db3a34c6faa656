"""Owns the games as Python games of OpenSpiel: chance nodes for lots and dice, simultaneous nodes for races, and a form in turns of it.

Importing this module registers them:

    import pyspiel, muang.adapters.openspiel
    game = pyspiel.load_game("python_muang_mak_khum(rules=songkhla,holes=3,seeds=3)")

===================================  ==========================================================================================
name                                 what it is
===================================  ==========================================================================================
``python_muang_mak_khum``            where both choose at once (MK-24) a simultaneous node, else turns
``python_muang_mak_khum_turns``      the same, one after the other; the second does not know the first one's choice
``python_muang_abalalae``            turns; the race has no choices (AB-20)
``python_muang_ca_ngua``             turns and dice, two to four players
===================================  ==========================================================================================

A state's string is the position's one line; histories serialize it. Actions are numbered as in ``episode``. Parameters: ``openspiel_plan``.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from muang.adapters.episode import ended, numbered, worth
from muang.adapters.held import Held, begin, begin_at
from muang.adapters.observation import encode, form
from muang.adapters.openspiel_plan import NAMES, PARAMETERS, Plan, line_of, parameter_of
from muang.errors import BadAction, IllegalAction, MissingExtra
from muang.games.core import Match, Seat
from muang.games.notation import write_rules

try:
    import pyspiel
except ModuleNotFoundError:
    raise MissingExtra("open-spiel", "openspiel", "the OpenSpiel games") from None

__all__ = ["DICE", "NAMES", "PARAMETERS", "line_of", "parameter_of"]

DICE = tuple((first, second) for first in range(1, 7) for second in range(first, 7))
"""The 21 outcomes of a roll, by number. Which die shows which number changes nothing, so a pair of unequal ones is likely twice."""


class _Game(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """A game with its parameters."""

    short_name = ""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**PARAMETERS[NAMES[self.short_name]], **(params or {})}
        self.plan = plan = Plan(self.short_name, given)
        seats = plan.setting.seats
        chance = len(DICE) if plan.setting.game.name == "ca-ngua" else len(seats) if plan.lot else 0
        info = pyspiel.GameInfo(
            num_distinct_actions=plan.setting.actions,
            max_chance_outcomes=chance,
            num_players=len(seats),
            min_utility=-plan.unit / (len(seats) - 1),
            max_utility=plan.unit,
            utility_sum=0.0,
            max_game_length=plan.horizon,
        )
        super().__init__(_type(self.short_name, plan.raced, chance > 0), info, given)

    def new_initial_state(self) -> _State:
        """The state at which a game begins."""
        return _State(self, self.plan)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
        """What shows a state to a player, as a string and as ``observation.encode`` does."""
        if params:
            raise BadAction(f"observers take no parameters, but got {params}", allowed=())
        return _Observer(self.plan, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


def _type(short_name: str, raced: bool = True, chance: bool = True) -> Any:
    """The type of a game; of one instance where the parameters decide."""
    name = NAMES[short_name]
    in_turns = short_name.endswith("_turns")
    kind = pyspiel.GameType
    at_once = name == "mak-khum" and raced and not in_turns
    hidden = name == "mak-khum" and raced and in_turns
    return kind(
        short_name=short_name,
        long_name={"mak-khum": "Mak Khum", "abalalae": "Abalala'e", "ca-ngua": "Co ca ngua"}[name]
        + (", races in turns" if in_turns else ""),
        dynamics=kind.Dynamics.SIMULTANEOUS if at_once else kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if chance else kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.IMPERFECT_INFORMATION if hidden else kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=4 if name == "ca-ngua" else 2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=PARAMETERS[name],
    )


class _State(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    """A state: a match, and what everybody has seen of the way to it."""

    def __init__(self, game: _Game, plan: Plan) -> None:
        super().__init__(game)
        self._plan = plan
        self._held: Held | None = None
        """None before the lot that says who is first."""
        self._begun = 1
        self._moves = 0
        self._told: tuple[str, ...] = ()
        """What everybody has seen happen, oldest first."""
        self._secret: tuple[int, str] | None = None
        """The player that has chosen, and what, while the other who chooses at once has not."""
        if plan.start_at is not None:
            self._held = begin_at(str(plan.start_at))
            self._begun = getattr(self._held.match, "round", 1)
        elif not plan.lot:
            self._start(plan.setting.first)

    def _start(self, first: Seat | None) -> None:
        of = self._plan.setting
        self._held = begin(of.game, of.seats, first)

    @property
    def match(self) -> Match | None:
        """The match as it stands; None before the lot that says who is first."""
        return None if self._held is None else self._held.match

    # ── what OpenSpiel asks ──────────────────────────────────────────────────────────────────────────────────────────────────
    def current_player(self) -> int:
        if self._held is None:
            return int(pyspiel.PlayerId.CHANCE)
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        match = self._held.match
        if match.phase == "roll":
            return int(pyspiel.PlayerId.CHANCE)
        if len(match.to_act) > 1 and not self._plan.in_turns:
            return int(pyspiel.PlayerId.SIMULTANEOUS)
        return self._plan.setting.seats.index(match.to_act[0])

    def is_terminal(self) -> bool:
        return self._held is not None and (self._moves >= self._plan.horizon or ended(self._plan.setting, self._held.match, self._begun))

    def _legal_actions(self, player: int) -> list[int]:
        return [] if self._held is None else sorted(numbered(self._held.match, self._plan.setting.seats[player]))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        if self._held is None:
            count = len(self._plan.setting.seats)
            return [(i, 1 / count) for i in range(count)]
        return [(i, (1 if first == second else 2) / 36) for i, (first, second) in enumerate(DICE)]

    # What is refused is refused before anything changes; OpenSpiel itself writes down only what these methods return from.
    def _apply_action(self, action: int) -> None:
        seats = self._plan.setting.seats
        if self._held is None:
            _check("the lot for the first seat", action, range(len(seats)))
            self._start(seats[action])
            self._told = (f"first={seats[action]}",)
            self._moves = 1
            return
        if self.is_terminal():
            raise IllegalAction("the game is over, so nothing can be played", allowed=("a new state",))
        match = self._held.match
        if match.phase == "roll":
            _check("the roll of the dice", action, range(len(DICE)))
            self._held = self._held.then(match.roll(DICE[action]))
            self._told = (*self._told, self._roll_name(action))
            self._moves += 1
            return
        at_once = len(match.to_act) > 1
        if at_once and not self._plan.in_turns:
            raise IllegalAction("both choose at once here", clause="MK-24", allowed=("apply_actions([one action of each player])",))
        seat = match.to_act[0]
        legal = numbered(match, seat)
        _check(f"the choice of seat {seat}", action, legal)
        chosen = legal[action]
        self._held = self._held.then(match.play(seat, chosen))
        self._moves += 1
        if at_once:
            self._secret = (seats.index(seat), chosen)
        else:
            before = () if self._secret is None else (self._secret[1],)
            self._told = (*self._told, "+".join((*before, chosen)))
            self._secret = None

    def _apply_actions(self, actions: Sequence[int]) -> None:
        if self._held is None or self.current_player() != pyspiel.PlayerId.SIMULTANEOUS:
            raise IllegalAction("nobody chooses at once here", clause="MK-24", allowed=("apply_action(action)",))
        seats = self._plan.setting.seats
        if len(actions) != len(seats):
            raise IllegalAction(f"{len(actions)} actions for {len(seats)} players", clause="MK-24", allowed=(f"{len(seats)} actions",))
        match = before = self._held.match
        chosen = []
        for seat, action in zip(seats, actions, strict=True):
            legal = numbered(before, seat)
            _check(f"the choice of seat {seat}", action, legal)
            chosen.append(legal[action])
            match = match.play(seat, chosen[-1])
        self._held = self._held.then(match)
        self._told = (*self._told, "+".join(chosen))
        self._moves += 1

    def _roll_name(self, action: int) -> str:
        return f"roll={DICE[action][0]},{DICE[action][1]}"

    def _action_to_string(self, player: int, action: int) -> str:
        seats = self._plan.setting.seats
        if player == pyspiel.PlayerId.CHANCE:
            return f"first={seats[action]}" if self._held is None else self._roll_name(action)
        if self._held is not None:
            found = numbered(self._held.match, seats[player]).get(action)
            if found is not None:
                return found
        return f"{seats[player]}:{action}" if self._plan.setting.game.name == "ca-ngua" else f"{seats[player]}{action + 1}"

    def returns(self) -> list[float]:
        of = self._plan.setting
        if self._held is None or not ended(of, self._held.match, self._begun):
            return [0.0] * len(of.seats)
        earned = worth(of, self._held.match, self._begun)
        return [round(earned[seat] * self._plan.unit, 12) + 0.0 for seat in of.seats]

    def __str__(self) -> str:
        return self.line() if self._secret is None else f"{self.line()} chosen={self._secret[1]}"

    # ── what it shows ────────────────────────────────────────────────────────────────────────────────────────────────────────
    def line(self) -> str:
        """The position's one line, without a hidden choice; before the lot the game and its rules."""
        if self._held is None:
            of = self._plan.setting.game
            return f"{of.name} rules={write_rules(of)} first=?"
        return str(self._held.match.position)

    def secret_of(self, player: int) -> str:
        """What this player has chosen and the other has not seen."""
        return self._secret[1] if self._secret is not None and self._secret[0] == player else ""

    def told(self) -> tuple[str, ...]:
        """What everybody has seen happen, oldest first."""
        return self._told


def _check(who: str, action: int, allowed: Collection[int]) -> None:
    if action not in allowed:
        raise IllegalAction(f"{who} cannot be action {action} here", allowed=sorted(allowed))


class _Observer:
    """Shows states to players: strings, and the arrays of ``observation`` as float32 (exact below 2**24)."""

    def __init__(self, plan: Plan, what: Any) -> None:
        self._plan, self._what = plan, what
        self.tensor = None
        self.dict: dict[str, Any] = {}
        if what.public_info and not what.perfect_recall:
            self.tensor = np.zeros(form(plan.setting.game).size, np.float32)
            self.dict["observation"] = self.tensor

    def set_from(self, state: _State, player: int) -> None:
        """Write what ``player`` sees of ``state``; zeros before the lot that says who is first."""
        if self.tensor is not None:
            match = state.match
            self.tensor[:] = 0 if match is None else encode(match, self._plan.setting.seats[player])

    def string_from(self, state: _State, player: int) -> str:
        """Who looks, the position's line, with perfect recall all that everybody saw happen, and what ``player`` alone knows.

        Who looks is in it because OpenSpiel keeps the states of knowledge of all players in one table.
        """
        parts = [] if self._what.private_info == pyspiel.PrivateInfoType.NONE else [f"seat={self._plan.setting.seats[player]}"]
        if self._what.public_info:
            parts.append(state.line())
            if self._what.perfect_recall:
                parts.append("seen=" + ",".join(state.told()))
        if self._what.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER and state.secret_of(player):
            parts.append(f"chosen={state.secret_of(player)}")
        return " ".join(parts)


class _MakKhum(_Game):
    short_name = "python_muang_mak_khum"


class _MakKhumTurns(_Game):
    short_name = "python_muang_mak_khum_turns"


class _Abalalae(_Game):
    short_name = "python_muang_abalalae"


class _CaNgua(_Game):
    short_name = "python_muang_ca_ngua"


def _register() -> None:
    known = set(pyspiel.registered_names())
    for made in (_MakKhum, _MakKhumTurns, _Abalalae, _CaNgua):
        if made.short_name not in known:
            pyspiel.register_game(_type(made.short_name), made)


_register()
