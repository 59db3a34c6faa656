"""Owns the computer players that need no search: ``random`` and ``greedy``. Knows the rules only through ``Match``.

A player is a pure function of the match, its seat and a lot: the same seed plays the same match everywhere. It says how long it would
wait, but never waits and never reads a clock. Stronger players come behind the same interface.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from muang.errors import BadAction, IllegalAction
from muang.games.core import Event, Match, Seat
from muang.games.lots import below

__all__ = ["PLAYERS", "Greedy", "Player", "Random", "player"]

PLAYERS = ("random", "greedy")

REST_WORTH = 2
"""What another walk at once is worth to the greedy player, in seeds."""
THINK_MS = (300, 1500)
DROP_MS = (200, 280)


class Player(Protocol):
    """Somebody who chooses actions for a seat."""

    @property
    def name(self) -> str:
        """One of ``PLAYERS``."""

    def choose(self, match: Match, seat: Seat, seed: int, n: int) -> str:
        """An action from ``match.legal(seat)``; ``n`` counts this seat's choices (from 0) and picks the lot.

        A hand that holds seeds at the pace ``by_hand`` just drops: computer players never slip. ``IllegalAction`` when the seat has
        nothing to choose.
        """

    def wait_ms(self, match: Match, seat: Seat, seed: int, n: int) -> int:
        """How long a nimble person would take for this choice: 300…1500 ms, or 200…280 ms for a drop (never within ``min_gap``)."""


class _Base:
    name = ""

    def choose(self, match: Match, seat: Seat, seed: int, n: int) -> str:
        legal = match.legal(seat)
        if not legal:
            raise IllegalAction(f"seat {seat} has nothing to choose", allowed=match.to_act)
        if "drop" in legal:
            return "drop"
        if len(legal) == 1:
            return legal[0]
        return self._pick(match, seat, legal, seed, n)

    def wait_ms(self, match: Match, seat: Seat, seed: int, n: int) -> int:
        dropping = "drop" in match.legal(seat)
        least, most = DROP_MS if dropping else THINK_MS
        wait = least + below(seed, f"wait:{seat}", n, most - least + 1)
        if dropping:
            gap = int(match.view()["min_gap"])
            wait = max(wait, gap + wait - least)
        return wait

    def _pick(self, match: Match, seat: Seat, legal: tuple[str, ...], seed: int, n: int) -> str:
        raise NotImplementedError


class Random(_Base):
    """Every legal action equally likely."""

    name = "random"

    def _pick(self, match: Match, seat: Seat, legal: tuple[str, ...], seed: int, n: int) -> str:
        return legal[below(seed, f"player:{seat}", n, len(legal))]


class Greedy(_Base):
    """The best single action, seen by itself.

    Sowing games: the walk that gains most seeds, a rest counting two more; the lowest hole among equals. In a race the walk is
    judged as if the other hand stood still. Cờ cá ngựa: win, else kick the horse that has come farthest, else move or climb what
    stands farthest, else enter, else pass.
    """

    name = "greedy"

    def _pick(self, match: Match, seat: Seat, legal: tuple[str, ...], seed: int, n: int) -> str:
        if match.game.name == "ca-ngua":
            return max(_horse_moves(match, seat, legal))[-1]
        return max(legal, key=lambda hole: (_walk_worth(match, seat, hole), -int(hole[1:])))


def player(name: str) -> Random | Greedy:
    """The player of that name. ``BadAction`` lists the names there are."""
    if name == "random":
        return Random()
    if name == "greedy":
        return Greedy()
    raise BadAction(f"there is no computer player {name!r}", allowed=PLAYERS)


# ── sowing ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _walk_worth(match: Match, seat: Seat, hole: str) -> int:
    return gain(seat, _walk_events(match, seat, hole))


def gain(seat: Seat, events: Iterable[Event]) -> int:
    """What the first walk of ``seat`` in ``events`` brings in: seeds dropped into its store and captured, a rest counting two."""
    store, seeds, lifted = f"{seat}H", 0, False
    for who, what, *rest in events:
        if who != seat:
            continue
        lifted = lifted or what == "lift"
        if what == "drop" and rest[0] == store:
            seeds += 1
        elif what == "capture":
            seeds += rest[1]
        elif what == "rest":
            return seeds + REST_WORTH
        elif what == "die" and lifted:
            return seeds
    return seeds


def _walk_events(match: Match, seat: Seat, hole: str) -> list[Event]:
    if match.phase == "race":
        return _lone_lap(match, seat, hole)
    after = match.play(seat, hole)
    events = list(after.events)
    while after.turn == seat and "drop" in after.legal(seat):  # by_hand: the walk is the player's own drops
        after = after.play(seat, "drop")
        events += after.events
    return events


def _lone_lap(match: Match, seat: Seat, hole: str) -> list[Event]:
    view = match.view()
    count = view["board"][seat][int(hole[1:]) - 1]
    to_store = sum(seeds is not None for seeds in view["board"][seat][int(hole[1:]) :]) + 1
    events: list[Event] = [(seat, "lift", hole, count)]
    if count >= to_store:
        events.append((seat, "drop", f"{seat}H"))
    if count == to_store:
        events.append((seat, "rest", f"{seat}H"))
    return events


# ── Cờ cá ngựa ───────────────────────────────────────────────────────────────────────────────────────────────────────────────


def progress(place: Any, track: int) -> int:
    """A horse's progress as a number: -1 in the stable, 0 … track - 1, then the four slots (CN-3)."""
    if place == "stable":
        return -1
    if isinstance(place, str) and place.startswith("slot"):
        return track - 1 + int(place[4:])
    return int(place)


def _horse_moves(match: Match, seat: Seat, legal: tuple[str, ...]) -> list[tuple[int, int, int, int, str]]:
    """Each action behind its rank: the largest is the one to play."""
    view = match.view()
    track = int(match.game.options["track"])

    def squares(horses: dict[str, list[Any]], owner: Seat) -> int:
        return sum(progress(place, track) for place in horses[str(owner)])

    ranked = []
    for order, action in enumerate(legal):
        move = next((move for move in view["moves"] if move["action"] == action), None)
        if move is None:  # pass
            ranked.append((0, 0, 0, -order, action))
            continue
        start, end = progress(move["from"], track), progress(move["to"], track)
        after = match.play(seat, action)
        if after.result is not None and after.result.winner == seat:
            ranked.append((4, 0, 0, -order, action))
        elif move["kicks"] is not None:
            lost = squares(view["horses"], move["kicks"]) - squares(after.view()["horses"], move["kicks"])
            ranked.append((3, lost, end, -order, action))
        else:
            ranked.append((2 if start >= 0 else 1, end, start, -order, action))
    return ranked
