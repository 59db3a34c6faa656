"""Owns what is said of a match before it begins: game, rules, pace, who sits where. Makes the setup of its room; plays nothing."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass, field

from muang.errors import BadAction, BadRuleset
from muang.games.core import PACES, Game, Seat, game
from muang.search.players import PLAYERS
from muang.wire import SeatSetup, Setup, hash_token

__all__ = ["PERSON", "Plan", "seat_sets"]

PERSON = "person"
USUAL = "level-2"
"""The computer that is proposed: one that a beginner may beat."""


def seat_sets(of: Game) -> tuple[tuple[Seat, ...], ...]:
    """Which seats can be taken together."""
    sets: tuple[tuple[Seat, ...], ...] = getattr(of, "seat_choices", (("S", "N"),))
    return sets


@dataclass
class Plan:
    """A match to be made at this terminal. ``sitters``: seat → ``person`` or a computer player; ``seed``: None for lots that nobody knows.

    ``check`` says what cannot be: ``BadRuleset`` or ``BadAction``.
    """

    game: Game = field(default_factory=lambda: game("mak-khum"))
    pace: str = "steady"
    tempo: int = 250
    min_gap: int = 80
    sitters: dict[Seat, str] = field(default_factory=dict)
    names: dict[Seat, str] = field(default_factory=dict)
    first: Seat | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        if not self.sitters:
            seats = seat_sets(self.game)[0]
            self.sitters = {seat: PERSON if index == 0 else USUAL for index, seat in enumerate(seats)}
        self.check()

    @property
    def raced(self) -> bool:
        """Whether there is a race, so that the pace makes a difference in it."""
        return bool(self.game.options.get("race", "none") != "none")

    def check(self) -> None:
        """Refuse what cannot be played."""
        if not any(set(seats) == set(self.sitters) for seats in seat_sets(self.game)):
            allowed = [",".join(map(str, seats)) for seats in seat_sets(self.game)]
            raise BadAction(f"nobody can sit at {','.join(map(str, self.sitters))}", allowed=allowed)
        for kind in self.sitters.values():
            if kind not in (PERSON, *PLAYERS):
                raise BadAction(f"there is no player {kind[:40]!r}", allowed=(PERSON, *PLAYERS))
        if self.pace not in PACES:
            raise BadRuleset(f"there is no pace {self.pace[:40]!r}", clause="MK-24", allowed=PACES)
        if self.first is not None and self.first not in self.sitters:
            raise BadAction(f"nobody sits at {self.first}", allowed=tuple(self.sitters))
        for what, ms in (("tempo", self.tempo), ("min_gap", self.min_gap)):
            if not 1 <= ms <= 60_000:
                raise BadRuleset(f"{what} cannot be {ms}", clause="MK-24", allowed=("1 to 60000 ms",))

    def setup(self) -> tuple[Setup, dict[Seat, str]]:
        """The setup of a room, and the token of each seat in which a person sits."""
        self.check()
        tokens = {seat: secrets.token_urlsafe(16) for seat, kind in self.sitters.items() if kind == PERSON}
        order = next(seats for seats in seat_sets(self.game) if set(seats) == set(self.sitters))
        seats = tuple(self._seat(seat, tokens.get(seat)) for seat in order)
        made = Setup(
            id=secrets.token_urlsafe(16),
            game=self.game.name,
            ruleset=self.game.ruleset,
            options=self.game.options,
            pace="lockstep" if self.game.name == "ca-ngua" else self.pace,
            tempo=self.tempo,
            min_gap=self.min_gap,
            first=self.first,
            seed=self.seed or 0,
            seats=seats,
            created=time.time_ns() // 1_000_000,
            secret=secrets.token_hex(32) if self.seed is None else None,
        )
        return made, tokens

    def _seat(self, seat: Seat, token: str | None) -> SeatSetup:
        if token is None:
            return SeatSetup(seat=seat, kind="computer", player=self.sitters[seat])
        return SeatSetup(seat=seat, kind="person", name=self.names.get(seat, "")[:40], token=hash_token(token))
