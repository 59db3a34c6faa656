"""Owns the Gymnasium environment: one seat of a game, the others held by a computer player. ``episode`` plays.

Importing this module registers the ids with Gymnasium, which also imports it where an id names it:

    import gymnasium
    env = gymnasium.make("muang.adapters.gymnasium:muang/mak-khum-v0", opponent="level-3")

What may be chosen is in ``docs/environments``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from muang.adapters.episode import Episode, Story, setting, shown
from muang.adapters.observation import encode, form
from muang.errors import BadAction, MissingExtra, RulesError
from muang.games import lots
from muang.games.core import GAMES, Match, Seat
from muang.search.players import Player, player

try:
    import gymnasium
    from gymnasium import spaces
except ModuleNotFoundError as error:
    raise MissingExtra(error.name or "gymnasium", "rl", "the Gymnasium environments") from None

__all__ = ["IDS", "SeatEnv"]

VERSION = "v0"
IDS: dict[str, dict[str, Any]] = {
    **{f"muang/{name}-{VERSION}": {"game": name} for name in GAMES},
    f"muang/mak-khum-race-{VERSION}": {"game": "mak-khum", "episode": "race"},
}
"""The ids, and what each is made with."""
RENDER_MODES = ("ansi", "human")
DRAWN = "lot"

Observation = dict[str, npt.NDArray[Any]]


class SeatEnv(gymnasium.Env[Observation, "int | np.integer[Any]"]):
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
        self.opponent: Player = player(opponent) if isinstance(opponent, str) else opponent
        self.render_mode = render_mode
        self._wanted = of.seats[0] if seat is None else seat
        self._story = Story()
        self._episode: Episode | None = None
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

    @property
    def episode(self) -> Episode:
        """The episode under way. ``BadAction`` before the first ``reset``."""
        if self._episode is None:
            raise BadAction("the environment has to be reset first", allowed=("reset()",))
        return self._episode

    @property
    def match(self) -> Match:
        """The match as it stands; its ``position`` is one line of text."""
        return self.episode.match

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode and let the others play up to the agent's first choice. Without a seed the next lot of the last one is taken.

        ``options``: ``first`` or ``position``, for this episode only; everything that the environment was made with stays.
        """
        if seed is not None:
            super().reset(seed=seed)
        of = self._story.next(seed)
        if self._np_random is None:  # Gymnasium's own generator, which draws nothing here
            super().reset(seed=of % 2**32)
        seats = self.setting.seats
        self.seat = seats[lots.below(of, "agent", 0, len(seats))] if self._wanted == DRAWN else self._wanted
        self._episode = Episode(self.setting, of, options)
        self._asked = dict.fromkeys(seats, 0)
        self._others()
        return self._seen(), self._info()

    def step(self, action: int | np.integer[Any]) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play the agent's choice, and the others' up to its next one: observation, reward, terminated, truncated (never), info."""
        episode = self.episode
        if episode.over:
            return self._seen(), episode.rewards()[self.seat], True, False, self._info()
        asked = dict(self._asked)
        both = {seat: self._number(seat) for seat in episode.to_act if seat != self.seat}
        try:
            wrong = episode.choose({self.seat: action, **both})
        except RulesError:
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
        return next(number for number, action in legal.items() if action == chosen)

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


def _register() -> None:
    for name, kwargs in IDS.items():
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point=f"{__name__}:SeatEnv", kwargs=kwargs)


_register()
