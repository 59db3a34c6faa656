"""Owns the Gymnasium environment: one seat of a game, the others held by a computer player. ``episode`` plays.

Importing this module registers the ids with Gymnasium, which also imports it where an id names it:

    import gymnasium
    env = gymnasium.make("muang.adapters.gymnasium:muang/mak-khum-v0", opponent="level-3")

What may be chosen is in ``docs/environments``.
"""

from __future__ import annotations

from copy import copy
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from muang.adapters.episode import Episode, Playing, Story, only_races, setting, shown
from muang.adapters.observation import encode, form
from muang.errors import BadAction, IllegalAction, MissingExtra
from muang.games import lots
from muang.games.core import GAMES, Seat
from muang.search.players import PLAYERS, Player, player

try:
    import gymnasium
    from gymnasium import spaces
except ModuleNotFoundError as error:
    raise MissingExtra(error.name or "gymnasium", "rl", "the Gymnasium environments") from None

__all__ = ["IDS", "RaceEnv", "SeatEnv"]

VERSION = "v0"
IDS: dict[str, dict[str, Any]] = {
    **{f"muang/{name}-{VERSION}": {"game": name} for name in GAMES},
    f"muang/mak-khum-race-{VERSION}": {"game": "mak-khum", "episode": "race"},
}
"""The ids, and what each is made with."""
RENDER_MODES = ("ansi", "human")
DRAWN = "lot"
MOST_DRAWN = 200
"""So many matches of the series are tried for one in which the agent has a choice."""

Observation = dict[str, npt.NDArray[Any]]


class SeatEnv(Playing, gymnasium.Env[Observation, "int | np.integer[Any]"]):
    """One seat against computer players. The agent is asked only where it has to choose; the others' choices come in between.

    Where both choose at once (a race, MK-24) neither knows the other's choice: the opponent is asked at the very match that the agent saw.
    The reward is 0 until the episode is over. An impossible choice loses it (reward -1) unless ``illegal`` says otherwise.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 4}  # noqa: RUF012  Gymnasium reads it from the class

    def __init__(
        self,
        game: str,
        *,
        opponent: str | Player = "greedy",
        seat: Seat | None = None,
        render_mode: str | None = None,
        **choices: Any,
    ) -> None:
        """``opponent``: one of ``muang.search.players.PLAYERS``, or a ``Player``; it holds every other seat. ``seat``: the agent's, the
        first one unless given; ``"lot"`` draws it anew for every episode. ``choices``: see ``episode.setting``."""
        self.setting = of = setting(game, **choices)
        if render_mode not in (None, *RENDER_MODES):
            raise BadAction(f"render_mode cannot be {render_mode!r}", allowed=("none", *RENDER_MODES))
        if seat not in (None, DRAWN, *of.seats):
            raise BadAction(f"the agent's seat cannot be {seat!r}", allowed=(*of.seats, DRAWN))
        self.opponent = _opponent(opponent)
        self.render_mode = render_mode
        self._wanted = of.seats[0] if seat is None else seat
        self._story = Story()
        self._asked: dict[Seat, int] = {}
        """How often every seat's player has been asked."""
        self.seat: Seat = of.seats[0] if self._wanted == DRAWN else self._wanted
        """The agent's seat in this episode."""
        found = form(of.game)
        self.action_space = spaces.Discrete(of.actions)
        self.observation_space = spaces.Dict(  # type: ignore[assignment]  # Dict is typed more loosely than what is in it
            {
                "observation": spaces.Box(found.low, found.high, dtype=np.int32),
                "action_mask": spaces.Box(0, 1, (of.actions,), np.int8),
            }
        )

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode and let the others play up to the agent's first choice. Without a seed the next lot of the last one is taken.

        A match that is over before the agent has chosen anything is passed over for the next lot, so that every episode has a choice;
        ``BadAction`` if ``MOST_DRAWN`` of them have none, as from a ``position`` that gives none. What fails changes nothing.
        ``options``: ``first`` or ``position``, for this episode only; everything that the environment was made with stays.
        """
        before = self._story, self._episode, self.seat, self._asked
        self._story = copy(self._story)
        try:
            of = self._drawn(seed, options)
        except BaseException:
            self._story, self._episode, self.seat, self._asked = before
            raise
        if seed is not None:
            super().reset(seed=int(seed))
        elif self._np_random is None:  # Gymnasium's own generator, which draws nothing here
            super().reset(seed=of % 2**32)
        return self._seen(), self._info()

    def _drawn(self, seed: int | None, options: dict[str, Any] | None) -> int:
        """Begin the next match of the series in which the agent has a choice; gives its seed."""
        seats = self.setting.seats
        for n in range(MOST_DRAWN):
            of = self._story.next(seed if n == 0 else None)
            self.seat = seats[lots.below(of, "agent", 0, len(seats))] if self._wanted == DRAWN else self._wanted
            self._episode = Episode(self.setting, of, options)
            self._asked = dict.fromkeys(seats, 0)
            self._others()
            if not self._episode.over:
                return of
        raise BadAction(
            f"{MOST_DRAWN} matches in a row were over before seat {self.seat} could choose",
            allowed=("a position or rules in which the agent has a choice",),
        )

    def step(self, action: int | np.integer[Any]) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play the agent's choice, and the others' up to its next one: observation, reward, terminated, truncated (never), info.

        ``BadAction`` once the episode is over.
        """
        episode = self.episode
        if episode.over:
            raise BadAction("the episode is over", allowed=("reset()",))
        asked = dict(self._asked)
        try:
            both = {seat: self._number(seat) for seat in episode.to_act if seat != self.seat}
            wrong = episode.choose({self.seat: action, **both})
        except BaseException:
            self._asked = asked  # nothing has changed
            raise
        self._others()
        info = self._info()
        if wrong:
            info["illegal"] = True
        if self.render_mode == "human":
            self.render()
        return self._seen(), episode.rewards()[self.seat], episode.over, False, info

    def _others(self) -> None:
        """Let the opponents choose until the agent has to, or it is over."""
        episode = self.episode
        while episode.to_act and self.seat not in episode.to_act:
            episode.choose({seat: self._number(seat) for seat in episode.to_act})

    def _number(self, seat: Seat) -> int:
        episode = self.episode
        chosen = self.opponent.choose(episode.match, seat, episode.seed, self._asked[seat])
        self._asked[seat] += 1
        legal = episode.legal(seat)
        for number, action in legal.items():
            if action == chosen:
                return number
        raise IllegalAction(f"the opponent in seat {seat} cannot choose {chosen!r} now", allowed=legal.values())

    def _seen(self) -> Observation:
        return {"observation": encode(self.episode.match, self.seat), "action_mask": self.episode.mask(self.seat)}

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.episode.mask(self.seat), "seat": self.seat}

    def render(self) -> str | None:
        """``ansi``: the board as text; ``human``: printed."""
        if self.render_mode is None:
            return None
        text = shown(self.match)
        if self.render_mode == "human":
            print(text)
            return None
        return text


class RaceEnv(SeatEnv):
    """As ``SeatEnv``, for the ids of races: another episode is ``BadAction``."""

    def __init__(self, game: str, *, episode: str = "race", **choices: Any) -> None:
        super().__init__(game, episode=only_races(episode), **choices)


def _opponent(wanted: object) -> Player:
    if isinstance(wanted, str):
        return player(wanted)
    # a class instead of a player made from it would fail only when it is asked
    if isinstance(wanted, type) or not callable(getattr(wanted, "choose", None)):
        raise BadAction(f"the opponent cannot be {wanted!r}"[:100], allowed=(*PLAYERS, "a Player"))
    return cast(Player, wanted)


def _register() -> None:
    for name, kwargs in IDS.items():
        if name not in gymnasium.registry:
            made = "RaceEnv" if kwargs.get("episode") == "race" else "SeatEnv"
            gymnasium.register(name, entry_point=f"{__name__}:{made}", kwargs=kwargs)


_register()
