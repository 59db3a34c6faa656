"""Owns what every environment has to hold to, whichever package it speaks to; and whole games with chosen lots, for their digests."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import muang
from muang.adapters.observation import decode, form
from muang.games.core import Match
from muang.games.lots import below, dice

RULESETS = [(name, ruleset) for name in muang.GAMES for ruleset in muang.game(name).rulesets]


@dataclass(frozen=True)
class Made:
    """An environment to be tested: its id, and what it is made with beside that."""

    id: str
    choices: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return " ".join([self.id, *(f"{key}={value}" for key, value in self.choices.items())])


EVERY = [
    *(Made("muang/mak-khum-v0", {"ruleset": ruleset}) for ruleset in muang.game("mak-khum").rulesets),
    *(Made("muang/abalalae-v0", {"ruleset": ruleset}) for ruleset in muang.game("abalalae").rulesets),
    *(Made("muang/ca-ngua-v0", {"ruleset": ruleset, "seats": seats}) for ruleset, seats in (("phone", 2), ("phone", 3), ("gate", 4))),
    Made("muang/mak-khum-v0", {"episode": "round", "reward": "seeds", "holes": 5, "capture_last": True}),
    Made("muang/abalalae-v0", {"episode": "round", "reward": "seeds", "columns": 4}),
    Made("muang/mak-khum-race-v0"),
    Made("muang/mak-khum-race-v0", {"ruleset": "songkhla"}),
    Made("muang/ca-ngua-v0", {"seats": (1, 2), "doubles": "extra", "track": 48}),
]
"""Every game and ruleset, every kind of episode and of reward, two to four seats."""


def chosen(legal: Any, seed: int, n: int) -> int:
    """A legal number by lot: the same on every machine. ``legal``: a mask, or the numbers themselves."""
    numbers = np.flatnonzero(legal) if isinstance(legal, np.ndarray) else legal
    return int(numbers[below(seed, "test", n, len(numbers))])


def walked(match: Match, seed: int, most: int = 1 << 30) -> Iterator[Match]:
    """A match by lot, every transition of it up to ``most`` choices; dice by ``lots.dice``."""
    n = 0
    while match.phase != "over" and n < most:
        yield match
        if match.phase == "roll":
            match = match.roll(dice(seed, match.rolls))  # type: ignore[attr-defined]
            continue
        seat = match.to_act[below(seed, "who", n, len(match.to_act))]
        legal = match.legal(seat)
        match = match.play(seat, legal[below(seed, "what", n, len(legal))])
        n += 1
    yield match


def is_sound(seen: dict[str, np.ndarray], match: Match, actions: int) -> None:
    """What holds for every observation of every environment: shapes, types, bounds, and that the position is in it."""
    of = form(match.game)
    observation, mask = seen["observation"], seen["action_mask"]
    assert observation.dtype == np.int32
    assert observation.shape == (of.size,)
    assert np.all(of.low <= observation)
    assert np.all(observation <= of.high)
    assert mask.dtype == np.int8
    assert mask.shape == (actions,)
    assert set(mask.tolist()) <= {0, 1}
    assert decode(observation) == match.position


class Digest:
    """A digest of a whole game: what was seen, chosen and earned, by everybody, in order."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self.steps = 0

    def add(self, who: str, seen: dict[str, np.ndarray], rewards: dict[str, float], action: int | None) -> None:
        self._hash.update(who.encode())
        self._hash.update(seen["observation"].astype("<i4").tobytes() + seen["action_mask"].astype("<i1").tobytes())
        self._hash.update(";".join(f"{agent}:{reward:.9f}" for agent, reward in sorted(rewards.items())).encode())
        self._hash.update(str(action).encode())
        self.steps += 1

    def __str__(self) -> str:
        return f"{self.steps} {self._hash.hexdigest()[:32]}"
