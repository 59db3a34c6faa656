"""Owns the PettingZoo environments: turn by turn (AEC) for all three games, parallel for the sowing games. ``episode`` plays.

Importing this module registers them with PettingZoo:

    import pettingzoo, muang.adapters.pettingzoo
    env = pettingzoo.make("aec", "muang/mak-khum-v0", ruleset="songkhla")

``env`` and ``parallel_env`` make the same without the registry. What may be chosen is in ``docs/environments``.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any

import numpy as np
import numpy.typing as npt

from muang.adapters.episode import Episode, Mask, Playing, Setting, Story, only_races, setting, shown
from muang.adapters.observation import encode, form
from muang.errors import BadAction, MissingExtra
from muang.games.core import GAMES, Seat

try:
    import pettingzoo
    from gymnasium import spaces
except ModuleNotFoundError as error:
    raise MissingExtra(error.name or "pettingzoo", "rl", "the PettingZoo environments") from None

__all__ = ["AEC_IDS", "PARALLEL_IDS", "BothEnv", "TurnEnv", "env", "parallel_env", "race_env", "race_parallel_env"]

VERSION = "v0"
AEC_IDS: dict[str, dict[str, Any]] = {
    **{f"muang/{name}-{VERSION}": {"game": name} for name in GAMES},
    f"muang/mak-khum-race-{VERSION}": {"game": "mak-khum", "episode": "race"},
}
"""The ids of the AEC environments, and what each is made with."""
PARALLEL_IDS: dict[str, dict[str, Any]] = {
    f"muang/mak-khum-race-{VERSION}": {"game": "mak-khum", "episode": "race"},
    f"muang/mak-khum-{VERSION}": {"game": "mak-khum", "episode": "round"},
    f"muang/abalalae-{VERSION}": {"game": "abalalae", "episode": "round"},
}
"""The ids of the parallel environments."""
RENDER_MODES = ("ansi", "human")

Observation = dict[str, npt.NDArray[Any]]


def _name(of: Setting) -> str:
    race = "_race" if of.episode == "race" else ""
    return f"muang_{of.game.name.replace('-', '_')}{race}_{VERSION}"


def _max_cycles(value: object) -> int | None:
    if value is None or (type(value) is int and value >= 1):
        return value
    raise BadAction(f"max_cycles cannot be {value!r}", allowed=("none", "1 or more"))


class _Shared(Playing):
    """What both kinds of environments have in common: spaces, observations, episodes and pictures."""

    def _prepare(self, of: Setting, actions: int, max_cycles: int | None, render_mode: str | None) -> None:
        if render_mode not in (None, *RENDER_MODES):
            raise BadAction(f"render_mode cannot be {render_mode!r}", allowed=("none", *RENDER_MODES))
        self.setting = of
        self.metadata = {"name": _name(of), "render_modes": list(RENDER_MODES), "is_parallelizable": False}
        self.render_mode = render_mode
        self.max_cycles = _max_cycles(max_cycles)
        self.possible_agents = [f"player_{i}" for i in range(len(of.seats))]
        self.agents: list[str] = []
        self.seat_of: dict[str, Seat] = dict(zip(self.possible_agents, of.seats, strict=True))
        """The seat of every agent: ``player_0`` is South, ``player_1`` North; in Cờ cá ngựa the seats in rising number."""
        found = form(of.game)
        self._spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(found.low, found.high, dtype=np.int32),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._actions = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._story = Story()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """``observation``: int32, as ``muang.adapters.observation`` lays it out; ``action_mask``: int8, 1 for what may be chosen."""
        return self._spaces[self._known(agent)]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """``Discrete``, numbered as ``muang.adapters.episode`` says."""
        return self._actions[self._known(agent)]

    def _known(self, agent: str) -> str:
        if agent not in self.possible_agents:
            raise BadAction(f"there is no agent {agent!r}"[:100], allowed=self.possible_agents)
        return agent

    def _begin(self, seed: int | None, options: dict[str, Any] | None) -> Episode:
        """The next episode. What cannot begin changes nothing: neither the seeds nor the episode under way."""
        story = copy(self._story)
        episode = Episode(self.setting, story.next(seed), options)
        self._story, self._episode = story, episode
        return episode

    def _seen(self, agent: str, mask: Mask) -> Observation:
        return {"observation": encode(self.episode.match, self.seat_of[agent]), "action_mask": mask}

    def render(self) -> str | None:
        """``ansi``: the board as text; ``human``: printed."""
        if self.render_mode is None:
            return None
        text = shown(self.episode.match)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Nothing is held open."""


class TurnEnv(_Shared, pettingzoo.AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A game turn by turn. Who has to choose is ``agent_selection``, so a player may be selected twice running.

    Where both choose at once (a race, MK-24) South is asked first and North second; North's observation is the one that South had: it does
    not tell what South has chosen. The dice of Cờ cá ngựa are rolled between steps, from the seed of ``reset``.
    """

    def __init__(self, game: str, *, max_cycles: int | None = None, render_mode: str | None = None, **choices: Any) -> None:
        """``max_cycles``: the episode is cut off once a player has made so many choices. ``choices``: see ``episode.setting``."""
        pettingzoo.AECEnv.__init__(self)
        of = setting(game, **choices)
        self._prepare(of, of.actions, max_cycles, render_mode)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode: the match that ``muang.game(…).start(seed)`` gives. Without a seed the next lot of the last one is taken.

        ``options``: ``first`` or ``position``, for this episode only; everything that the environment was made with stays.
        """
        episode = self._begin(seed, options)
        self.agents = self.possible_agents[:]
        self._made = dict.fromkeys(self.agents, 0)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, episode.over)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def _select(self) -> None:
        to_act = self.episode.to_act
        if to_act:
            self.agent_selection = next(agent for agent, seat in self.seat_of.items() if seat == to_act[0])
        else:
            self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> Observation:
        """What ``agent`` sees; its mask is all zeros unless it has to choose."""
        return self._seen(agent, self.episode.mask(self.seat_of[self._known(agent)]))

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """What ``agent_selection`` sees and what came of its choice. ``BadAction`` before the first ``reset``."""
        _ = self.episode
        found: tuple[Observation | None, float, bool, bool, dict[str, Any]] = super().last(observe)
        return found

    def step(self, action: int | None) -> None:
        """Play the choice of ``agent_selection``; None once its episode is over."""
        episode, agent = self.episode, self.agent_selection
        if not self.agents:
            raise BadAction("the episode is over", allowed=("reset()",))
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        wrong = episode.choose({self.seat_of[agent]: action})
        self._cumulative_rewards[agent] = 0.0
        self.infos = {each: {} for each in self.agents}
        if wrong:
            self.infos[agent] = {"illegal": True}
        self._made[agent] += 1
        earned = episode.rewards()
        self.rewards = {each: earned[self.seat_of[each]] for each in self.agents}
        if episode.over:
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.max_cycles is not None and self._made[agent] >= self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._select()
        if self.render_mode == "human":
            self.render()


class BothEnv(_Shared, pettingzoo.ParallelEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A sowing game in which both seats are asked in every step; one number more, the last one, waits.

    In a race both choose at once, neither knowing the other's choice (MK-24). A seat that has nothing to choose waits: its mask allows that
    only. Abalala'e's race has no choices (AB-20) and is over before the first step.
    """

    def __init__(
        self, game: str, *, episode: str = "round", max_cycles: int | None = None, render_mode: str | None = None, **choices: Any
    ) -> None:
        """``episode``: a round unless given. ``max_cycles``: it is cut off after so many steps. ``choices``: see ``episode.setting``."""
        if game == "ca-ngua":
            raise BadAction("Cờ cá ngựa has no race, so nobody would choose at once", clause="CN-14", allowed=("the AEC environment",))
        of = setting(game, episode=episode, **choices)
        self._prepare(of, of.actions + 1, max_cycles, render_mode)
        self.wait = of.actions
        """The action of a seat that has nothing to choose."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin an episode, as ``TurnEnv.reset`` does."""
        self._begin(seed, options)
        self.agents = self.possible_agents[:]
        self._steps = 0
        return self._all_seen(), {agent: {} for agent in self.agents}

    def _all_seen(self) -> dict[str, Observation]:
        return {agent: self._seen(agent, self._mask(agent)) for agent in self.agents}

    def _mask(self, agent: str) -> Mask:
        mask = self.episode.mask(self.seat_of[agent], self.wait + 1)
        if not mask.any():
            mask[self.wait] = 1
        return mask

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Play the choices of both; those of agents that have gone are not read. ``BadAction`` if one is missing."""
        episode = self.episode
        if not self.agents:
            return {}, {}, {}, {}, {}
        if not isinstance(actions, Mapping):
            raise BadAction(f"a step takes a dictionary of actions, not {actions!r}"[:100], allowed=self.agents)
        missing = [agent for agent in self.agents if agent not in actions]
        if missing:
            raise BadAction(f"no action for {', '.join(missing)}", allowed=self.agents)
        asked = episode.to_act
        choices = {self.seat_of[agent]: actions[agent] for agent in self.agents}
        waiting = [seat for seat, chosen in choices.items() if seat not in asked and chosen == self.wait]
        wrong = episode.choose({seat: chosen for seat, chosen in choices.items() if seat not in waiting})
        infos = {agent: {"illegal": True} if self.seat_of[agent] in wrong else {} for agent in self.agents}
        self._steps += 1
        over = episode.over
        cut = not over and self.max_cycles is not None and self._steps >= self.max_cycles
        earned = episode.rewards()
        seen = self._all_seen()
        rewards = {agent: earned[self.seat_of[agent]] for agent in self.agents}
        terminations, truncations = dict.fromkeys(self.agents, over), dict.fromkeys(self.agents, cut)
        if over or cut:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return seen, rewards, terminations, truncations, infos


def env(game: str, **choices: Any) -> TurnEnv:
    """The AEC environment of a game: ``env("ca-ngua", seats=4)``."""
    return TurnEnv(game, **choices)


def parallel_env(game: str, **choices: Any) -> BothEnv:
    """The parallel environment of a sowing game: a round, or ``parallel_env("mak-khum", episode="race")``."""
    return BothEnv(game, **choices)


def race_env(game: str, *, episode: str = "race", **choices: Any) -> TurnEnv:
    """As ``env``, for the ids of races: another episode is ``BadAction``."""
    return TurnEnv(game, episode=only_races(episode), **choices)


def race_parallel_env(game: str, *, episode: str = "race", **choices: Any) -> BothEnv:
    """As ``parallel_env``, for the ids of races: another episode is ``BadAction``."""
    return BothEnv(game, episode=only_races(episode), **choices)


def _register() -> None:
    for kind, ids, made in (("aec", AEC_IDS, "env"), ("parallel", PARALLEL_IDS, "parallel_env")):
        known = pettingzoo.aec_registry if kind == "aec" else pettingzoo.parallel_registry
        for name, kwargs in ids.items():
            if name not in known:
                race = "race_" if kwargs.get("episode") == "race" else ""
                pettingzoo.register(kind, name, entry_point=f"{__name__}:{race}{made}", kwargs=kwargs)


_register()
