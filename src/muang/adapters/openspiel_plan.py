"""Owns what the parameters of the OpenSpiel games mean. Knows no OpenSpiel."""

from __future__ import annotations

from typing import Any

from muang.adapters.episode import Setting, setting
from muang.adapters.held import Kept
from muang.errors import BadAction, BadPosition
from muang.games.core import Game, Position, position
from muang.games.notation import read_rules

__all__ = ["NAMES", "PARAMETERS", "Plan", "line_of", "parameter_of"]

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
    "ca-ngua": {"rules": "phone", "track": 0, "players": 2, "first": -1, "position": NONE, "horizon": HORIZON},
}
"""By game: the parameters and their defaults.

``rules``: ruleset and options as positions write them, ``;`` for ``,``: ``trang;rounds:4``. ``holes``, ``columns``, ``seeds``, ``track``:
the size of the board, 0 as the rules say. ``players``: 2 to 4. ``first``: who is first, ``lot`` (in Cờ cá ngựa -1) for a chance node
(MK-25, CN-14).
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


class Plan(Kept):
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
        return Plan, self.given


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
    fixed: dict[str, Any] = {"first": None if given["first"] == default["first"] else given["first"]}
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
