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

A state's string is the position's one line; histories serialize it. Actions are numbered as in ``episode``. Parameters: ``PARAMETERS``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from muang.adapters.episode import Setting, ended, numbered, setting, worth
from muang.adapters.observation import encode, form
from muang.errors import BadAction, BadPosition, MissingExtra
from muang.games.core import Entry, Game, Match, Position, Seat, position
from muang.games.notation import read_rules, write_rules

try:
    import pyspiel
except ModuleNotFoundError:
    raise MissingExtra("open-spiel", "openspiel", "the OpenSpiel games") from None

__all__ = ["DICE", "NAMES", "PARAMETERS", "line_of", "parameter_of"]

DICE = tuple((first, second) for first in range(1, 7) for second in range(first, 7))
"""The 21 outcomes of a roll, by number. Which die shows which number changes nothing, so a pair of unequal ones is likely twice."""
NAMES = {
    "python_muang_mak_khum": "mak-khum",
    "python_muang_mak_khum_turns": "mak-khum",
    "python_muang_abalalae": "abalalae",
    "python_muang_ca_ngua": "ca-ngua",
}
"""The registered names, and which game each is."""
LOT = "lot"
NONE = "none"
HORIZON = 10_000
_SOWING: dict[str, str | int] = {"first": LOT, "position": NONE, "episode": "match", "utility": "outcome", "seeds": 0, "horizon": HORIZON}
PARAMETERS: dict[str, dict[str, str | int]] = {
    "mak-khum": {"rules": "trang", "holes": 0, **_SOWING},
    "abalalae": {"rules": "pankhurst", "columns": 0, **_SOWING},
    "ca-ngua": {"rules": "phone", "track": 0, "players": 2, "first": LOT, "position": NONE, "horizon": HORIZON},
}
"""By game: the parameters and their defaults.

``rules``: ruleset and options as positions write them, ``;`` for ``,``: ``trang;rounds:4``. ``holes``, ``columns``, ``seeds``, ``track``:
the size of the board, 0 as the rules say. ``players``: 2 to 4. ``first``: who is first, ``lot`` for a chance node (MK-25, CN-14).
``position``: one to begin at, as ``parameter_of`` writes it. ``episode`` and ``utility`` (``outcome`` or ``seeds``, in seeds): see
``episode.setting``. ``horizon``: after so many moves, rolls included, it ends with 0 for all; no rule, but OpenSpiel wants an end.
"""


def parameter_of(at: Position | str) -> str:
    """A position as the parameter ``position``: OpenSpiel's own syntax needs ``,`` and ``=``, so they are ``;`` and ``:`` here."""
    return str(at).replace(",", ";").replace("=", ":")


def line_of(parameter: str) -> str:
    """The position's line that ``parameter_of`` wrote."""
    name, *words = parameter.replace(";", ",").split(" ")
    return " ".join([name, *(word.replace(":", "=", 1) for word in words)])


class _Kept:
    """OpenSpiel copies states deeply. What never changes is its own copy."""

    __slots__ = ()

    def __deepcopy__(self, memo: object) -> Any:
        return self


class _Held(_Kept):
    """A match in the hands of OpenSpiel. It is written down as how it began and its log, and read by playing that again."""

    __slots__ = ("begun", "match")

    def __init__(self, match: Match, begun: tuple[Any, ...]) -> None:
        self.match, self.begun = match, begun

    def then(self, match: Match) -> _Held:
        """What follows on this match."""
        return _Held(match, self.begun)

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.begun, tuple((e.kind, e.seat, e.action, e.dice) for e in self.match.log))


def _begin(line: str) -> _Held:
    return _Held(position(line).start(), (line,))


def _begin_at_first(of: Game, seats: tuple[Seat, ...], first: Seat | None) -> _Held:
    return _Held(of.start(first=first, seats=seats), (of.name, write_rules(of), seats, first))


def _again(begun: tuple[Any, ...], log: Sequence[tuple[Any, ...]]) -> _Held:
    if len(begun) == 1:
        held = _begin(*begun)
    else:
        name, rules, seats, first = begun
        held = _begin_at_first(read_rules(name, rules), seats, first)
    match = held.match
    for entry in log:
        match = match.apply(Entry(*entry))
    return held.then(match)


class _Plan(_Kept):
    """All that the parameters of a game say, checked. Apart from the game itself: states must not keep that alive."""

    __slots__ = ("given", "horizon", "in_turns", "lot", "raced", "setting", "start_at", "unit")

    def __init__(self, short_name: str, given: dict[str, Any]) -> None:
        self.given = (short_name, given)
        name = NAMES[short_name]
        self.start_at, self.setting = _read(name, given)
        self.horizon = int(given["horizon"])
        if self.horizon < 1:
            raise BadAction(f"the horizon cannot be {self.horizon}", allowed=("1 or more",))
        self.lot = self.start_at is None and self.setting.first is None
        self.in_turns = short_name.endswith("_turns")
        self.raced = name == "mak-khum" and self.setting.game.options["race"] != "none"
        # utilities in seeds, not in shares of all
        self.unit = float(self.setting.game.layout.total) if self.setting.reward == "seeds" else 1.0  # type: ignore[attr-defined]

    def __reduce__(self) -> tuple[Any, ...]:
        return _Plan, self.given


class _Game(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """A game with its parameters."""

    short_name = ""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**PARAMETERS[NAMES[self.short_name]], **(params or {})}
        self.plan = plan = _Plan(self.short_name, given)
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


def _read(name: str, given: dict[str, Any]) -> tuple[Position | None, Setting]:
    """The position to begin at, or None, and all else that the parameters say."""
    default = PARAMETERS[name]
    sizes = {key: int(given[key]) for key in ("holes", "columns", "seeds", "track") if given.get(key, 0)}
    at = None
    if given["position"] != NONE:
        changed = [key for key in ("rules", "first", "players") if given.get(key) != default.get(key)] + list(sizes)
        if changed:
            raise BadPosition(f"the position says itself what {', '.join(changed)} would say", allowed=("position alone",))
        at = position(line_of(str(given["position"])))
        if at.game.name != name:
            raise BadPosition(f"a position of {at.game.name} is none of {name}", allowed=(name,))
        of: Game = at.game
    else:
        of = read_rules(name, str(given["rules"]).replace(";", ","))
    fixed: dict[str, Any] = {"first": None if given["first"] == LOT else _seat(str(given["first"]))}
    if name == "ca-ngua":
        fixed["seats"] = int(given["players"]) if at is None else at.start().seats
    else:
        fixed |= {"episode": given["episode"], "reward": given["utility"]}
    made = setting(name, of.ruleset, **{**of.changes(), **sizes}, **fixed)
    if at is not None:
        match = at.start()
        if match.pace != "lockstep" or (made.episode == "race" and match.phase != "race"):
            raise BadPosition("the position has to be at lockstep, and in its race if that is the episode", clause="MK-24")
    return at, made


def _seat(text: str) -> Seat:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else text


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

    def __init__(self, game: _Game, plan: _Plan) -> None:
        super().__init__(game)
        self._plan = plan
        self._held: _Held | None = None
        """None before the lot that says who is first."""
        self._begun = 1
        self._moves = 0
        self._told: tuple[str, ...] = ()
        """What everybody has seen happen, oldest first."""
        self._secret: tuple[int, str] | None = None
        """The player that has chosen, and what, while the other who chooses at once has not."""
        if plan.start_at is not None:
            self._held = _begin(str(plan.start_at))
            self._begun = getattr(self._held.match, "round", 1)
        elif not plan.lot:
            self._start(plan.setting.first)

    def _start(self, first: Seat | None) -> None:
        of = self._plan.setting
        self._held = _begin_at_first(of.game, of.seats, first)

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

    def _apply_action(self, action: int) -> None:
        seats = self._plan.setting.seats
        if self._held is None:
            self._start(seats[action])
            self._told = (f"first={seats[action]}",)
            self._moves = 1
            return
        match = self._held.match
        self._moves += 1
        if match.phase == "roll":
            self._held = self._held.then(match.roll(DICE[action]))
            self._told = (*self._told, self._roll_name(action))
            return
        seat = match.to_act[0]
        chosen = numbered(match, seat)[action]
        at_once = len(match.to_act) > 1
        self._held = self._held.then(match.play(seat, chosen))
        if at_once:
            self._secret = (seats.index(seat), chosen)
        else:
            before = () if self._secret is None else (self._secret[1],)
            self._told = (*self._told, "+".join((*before, chosen)))
            self._secret = None

    def _apply_actions(self, actions: Sequence[int]) -> None:
        assert self._held is not None
        match = before = self._held.match
        chosen = []
        for seat, action in zip(self._plan.setting.seats, actions, strict=True):
            chosen.append(numbered(before, seat)[action])
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


class _Observer:
    """Shows states to players: strings, and the arrays of ``observation`` as float32 (exact below 2**24)."""

    def __init__(self, plan: _Plan, what: Any) -> None:
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
        """The position's line; with perfect recall all that everybody saw happen; and what ``player`` alone knows."""
        parts = []
        if self._what.public_info:
            parts.append(state.line())
            if self._what.perfect_recall:
                parts.append("seen=" + ",".join(state.told()))
        if self._what.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER and state.secret_of(player):
            parts.append(f"chosen={state.secret_of(player)}")
        return " ".join(parts)


def _register() -> None:
    known = set(pyspiel.registered_names())
    for name in NAMES:
        if name not in known:
            made = type(f"_{name}", (_Game,), {"short_name": name, "__doc__": f"``{name}``."})
            pyspiel.register_game(_type(name), made)


_register()
