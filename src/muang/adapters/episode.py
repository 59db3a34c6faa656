"""Owns what all environments share: what an episode is, its actions as numbers, masks, lots, and what it is worth at its end.

Plays a ``Match`` at ``lockstep`` (MK-24) and decides nothing itself. Knows no environment package.

**Actions.** Sowing games: action ``i`` is the own hole ``i + 1``. Cờ cá ngựa: the numbers of ``games.ca_ngua.kernel``: 0 the horse ahead by
one die, 1 the same horse by the total (or a climb), 2 and 3 the same for the horse behind, 4 enter, 5 pass (CN-22).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from muang.adapters.held import Held, Kept, begin, begin_at
from muang.errors import BadAction, BadPosition, BadRuleset, IllegalAction
from muang.games import lots
from muang.games.core import Game, Match, Position, Seat, game

__all__ = [
    "EPISODES",
    "ILLEGAL",
    "REWARDS",
    "Episode",
    "Mask",
    "Playing",
    "Setting",
    "Story",
    "ended",
    "numbered",
    "only_races",
    "setting",
    "shown",
    "worth",
]

Mask = npt.NDArray[np.int8]

EPISODES = ("match", "round", "race")
REWARDS = ("outcome", "seeds")
ILLEGAL = ("lose", "system", "error")
HORSE_ACTIONS = 6
SEATS = ("S", "N")


@dataclass(frozen=True)
class Setting(Kept):
    """All that an environment is made with, checked. ``actions``: how many numbers of actions there are."""

    game: Game
    seats: tuple[Seat, ...]
    episode: str
    first: Seat | None
    reward: str
    illegal: str

    @property
    def actions(self) -> int:
        return HORSE_ACTIONS if self.game.name == "ca-ngua" else int(self.game.layout.holes)  # type: ignore[attr-defined]


def setting(
    name: str,
    ruleset: str | None = None,
    *,
    seats: int | Sequence[int] | None = None,
    episode: str = "match",
    first: Seat | None = None,
    reward: str = "outcome",
    illegal: str = "lose",
    **options: Any,
) -> Setting:
    """What the arguments of an environment mean.

    ``seats``: how many play (Cờ cá ngựa: 2 to 4, or which of 0…3; CN-2). ``episode``: a ``match``, one ``round``, or the ``race`` that
    it begins with (MK-22). ``first``: who is first (MK-25, CN-14), drawn from the seed unless given. ``reward``: ``outcome``, 1 won, -1
    lost, 0 drawn, or ``seeds``, the difference in seeds as a share of all. ``illegal``: what an impossible choice means, see
    ``Episode.choose``.
    ``options``: those of the game. ``BadRuleset`` or ``BadAction`` names what is allowed.
    """
    of = game(name, ruleset, **options)
    for what, value, allowed in (("episode", episode, EPISODES), ("reward", reward, REWARDS), ("illegal", illegal, ILLEGAL)):
        if value not in allowed:
            raise BadAction(f"{what} cannot be {value!r}", allowed=allowed)
    if of.name == "ca-ngua":
        from muang.games.ca_ngua.rules import DEFAULT_SEATS, check_seats

        if episode != "match" or reward != "outcome":
            raise BadAction("Cờ cá ngựa has neither rounds nor seeds", clause="CN-30", allowed=("episode match", "reward outcome"))
        if seats is None or type(seats) is int:
            if seats not in (None, *DEFAULT_SEATS):
                raise BadAction(f"{seats} players cannot play", clause="CN-2", allowed=DEFAULT_SEATS)
            chosen: tuple[Seat, ...] = DEFAULT_SEATS[seats or 2]
        else:
            chosen = check_seats(seats)
    else:
        if seats not in (None, 2):
            raise BadAction(f"{of.name} is played by two, not by {seats!r}", clause="MK-2", allowed=(2,))
        chosen = SEATS
        if episode == "race" and (of.name != "mak-khum" or of.options["race"] == "none"):
            raise BadRuleset(
                "these rules have no race with choices, so it cannot be an episode",
                clause="MK-22" if of.name == "mak-khum" else "AB-20",
                allowed=("mak-khum with race round or opening",),
            )
    if first is not None and first not in chosen:
        raise BadAction(f"first cannot be {first!r}", clause="CN-14" if of.name == "ca-ngua" else "MK-25", allowed=chosen)
    return Setting(of, chosen, episode, first, reward, illegal)


def only_races(episode: str) -> str:
    """The episode of an id that is a race. ``BadAction`` if another one is wanted of it."""
    if episode != "race":
        raise BadAction(f"this id is a race, so its episode cannot be {episode!r}", clause="MK-22", allowed=("race",))
    return episode


class Story:
    """The seeds of one environment's episodes: the one that is given, then lots drawn from it, so that one seed means one series.

    Without any seed the first one comes from the system. A reset that may fail draws from a copy and keeps it once all went well.
    """

    def __init__(self) -> None:
        self._base: int | None = None
        self._count = 0

    def next(self, seed: int | None) -> int:
        """The seed of the next episode. ``BadAction`` if it is no whole number from 0 to 2**64 - 1."""
        if seed is not None:
            if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < 1 << 64:
                raise BadAction(f"the seed cannot be {seed!r}"[:100], clause="MK-25", allowed=("0 to 2**64 - 1",))
            self._base, self._count = int(seed), 0
            return self._base
        if self._base is None:
            from secrets import randbits

            self._base = randbits(64)
        self._count += 1
        return lots.draw(self._base, "episode", self._count)


class Episode:
    """One episode as it is played. Dice that are due have been rolled (CN-10)."""

    def __init__(self, of: Setting, seed: int, options: dict[str, Any] | None = None) -> None:
        """``options``: ``first`` (a seat) or ``position`` (its line, or a ``Position``) for this episode only. Names of others are refused,
        but for ``options``, which the test of PettingZoo's own suite sends to everybody."""
        self.setting, self.seed = of, seed
        self.lost: Seat | None = None
        """Who has lost by an impossible choice."""
        if options is not None and not isinstance(options, Mapping):
            raise BadAction(f"the options of one episode are a dictionary, not {options!r}"[:100], allowed=("first", "position"))
        wanted = {key: value for key, value in (options or {}).items() if key != "options"}
        for key in wanted:
            if key not in ("first", "position"):
                raise BadAction(f"there is no option {key!r} for one episode", allowed=("first", "position"))
        if "position" in wanted:
            if "first" in wanted:
                raise BadAction("a position says itself who is first", allowed=("first", "position"))
            self._held = self._placed(wanted["position"])
        else:
            self._held = begin(of.game, of.seats, wanted.get("first", of.first), seed)
        self._begun: int = getattr(self.match, "round", 0)
        self.over = False
        """Whether the episode has ended."""
        self._go_on()

    @property
    def match(self) -> Match:
        """The match as it stands."""
        return self._held.match

    def _placed(self, wanted: str | Position) -> Held:
        held = begin_at(str(wanted), self.seed)
        match = held.match
        if match.game != self.setting.game:
            raise BadPosition("the position has other rules than this environment", allowed=(self.setting.game,))
        if match.seats != self.setting.seats or match.pace != "lockstep":
            raise BadPosition("the position has other seats or another pace than this environment", allowed=self.setting.seats)
        if match.phase == "over":
            raise BadPosition("the match is over at this position", allowed=("turn=", "race="))
        if self.setting.episode == "race" and match.phase != "race":
            raise BadPosition("the position is not in a race", clause="MK-22", allowed=("race=",))
        return held

    def _go_on(self) -> None:
        """Roll where a roll is due, and see whether it is over."""
        while self.match.phase == "roll":
            self._held = self._held.then(self.match.roll(lots.dice(self.seed, self.match.rolls)))  # type: ignore[attr-defined]
        self.over = ended(self.setting, self.match, self._begun)

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """Who has to choose; both seats where both choose at once and neither has."""
        return () if self.over else self.match.to_act

    def legal(self, seat: Seat) -> dict[int, str]:
        """The actions that a seat may choose now, by number."""
        return {} if self.over else numbered(self.match, seat)

    def mask(self, seat: Seat, size: int | None = None) -> Mask:
        """1 for every number that ``seat`` may choose now: int8[``size``], as many as there are actions unless given."""
        out = np.zeros(self.setting.actions if size is None else size, np.int8)
        for number in self.legal(seat):
            out[number] = 1
        return out

    def choose(self, choices: Mapping[Seat, object]) -> tuple[Seat, ...]:
        """Play choices that are made without knowing of each other, by seat; gives the seats whose choice was impossible.

        What then happens is the setting's ``illegal``. ``lose``: the episode ends and that seat has lost it, of several the one that is
        asked first; nothing is played.
        ``system``: the system chooses as it does for a player whose time is over (the lowest legal hole, MK-26; the move that goes
        farthest, CN-42), and nothing where nothing is to be chosen. ``error``: ``IllegalAction`` names what is legal; nothing has changed.
        What is no whole number at all is ``BadAction`` always.
        """
        asked = self.to_act
        names: dict[Seat, str] = {}
        wrong = []
        for seat, chosen in choices.items():
            number, legal = self._number(chosen), self.legal(seat)
            if number in legal:
                names[seat] = legal[number]
                continue
            if self.setting.illegal == "error":
                raise IllegalAction(f"seat {seat} cannot choose action {number} now", clause=self._clause(), allowed=sorted(legal))
            wrong.append(seat)
            if self.setting.illegal == "system" and seat in asked:
                names[seat] = self._system(seat)
        if wrong and self.setting.illegal == "lose":
            # in turns nobody is asked after the first one who loses so; whoever had nothing to choose comes last
            self.lost, self.over = next((seat for seat in asked if seat in wrong), wrong[0]), True
            return tuple(wrong)
        for seat, action in names.items():
            self._held = self._held.then(self.match.play(seat, action))
        self._go_on()
        return tuple(wrong)

    def _number(self, chosen: object) -> int:
        if isinstance(chosen, np.ndarray) and chosen.shape == ():
            chosen = chosen[()]
        if isinstance(chosen, bool) or not isinstance(chosen, (int, np.integer)):
            raise BadAction(f"an action is a whole number, not {chosen!r}"[:100], allowed=range(self.setting.actions))
        return int(chosen)

    def _clause(self) -> str:
        return {"mak-khum": "MK-10", "abalalae": "AB-30"}.get(self.setting.game.name, "CN-13")

    def _system(self, seat: Seat) -> str:
        if self.setting.game.name == "ca-ngua":
            return str(self.match.farthest)  # type: ignore[attr-defined]
        return self.match.legal(seat)[0]

    def rewards(self) -> dict[Seat, float]:
        """What the episode is worth to every seat: zeros until it is over, then ``worth``.

        A seat that lost by an impossible choice (``lose``) has -1, and the others share what that leaves. The sum is 0.
        """
        seats = self.setting.seats
        if not self.over:
            return dict.fromkeys(seats, 0.0)
        if self.lost is not None:
            return {seat: -1.0 if seat == self.lost else 1 / (len(seats) - 1) for seat in seats}
        return worth(self.setting, self.match, self._begun)


class Playing:
    """What an environment shows of its episode, whichever library it is for."""

    _episode: Episode | None = None

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


def numbered(match: Match, seat: Seat) -> dict[int, str]:
    """The actions that a seat of this match may choose now, by number; empty if it is not to act."""
    if seat not in match.to_act:
        return {}
    if match.game.name == "ca-ngua":
        return {number: action for action, number in match.position.choices.items()}  # type: ignore[attr-defined]
    return {int(action[1:]) - 1: action for action in match.legal(seat)}


def ended(of: Setting, match: Match, begun: int) -> bool:
    """Whether an episode that began in round ``begun`` is over."""
    if match.phase == "over":
        return True
    if of.episode == "match":
        return False
    if match.round != begun:  # type: ignore[attr-defined]
        return True
    return of.episode == "race" and match.phase != "race"


def worth(of: Setting, match: Match, begun: int) -> dict[Seat, float]:
    """What an episode that has ended so is worth to every seat; the sum is 0.

    ``outcome``: 1 won, -1 lost, 0 drawn; among more than two, 1 to the winner, the others share the loss. A round goes to who holds more
    seeds; an ``opening`` race to who died first and so moves first (MK-22). ``seeds``: the seeds held, own minus the other's, as a share
    of all; after an ``opening`` race those in the stores.
    """
    if of.episode == "match":
        result = match.result
        assert result is not None
        return _by_seeds(of, result.seeds) if of.reward == "seeds" else _won_by(of, result.winner)
    view = match.view()
    summary = next((past for past in view["rounds"] if past["round"] == begun), None)
    if of.episode == "race" and of.reward == "outcome" and of.game.options["race"] == "opening":
        return _won_by(of, match.turn if summary is None else summary["deaths"][0])
    seeds = view["board"]["stores"] if summary is None else summary["seeds"]
    if of.reward == "seeds":
        return _by_seeds(of, seeds)
    return _won_by(of, None if seeds["S"] == seeds["N"] else max(SEATS, key=lambda seat: int(seeds[seat])))


def _won_by(of: Setting, winner: Seat | None) -> dict[Seat, float]:
    if winner is None:
        return dict.fromkeys(of.seats, 0.0)
    return {seat: 1.0 if seat == winner else -1 / (len(of.seats) - 1) for seat in of.seats}


def _by_seeds(of: Setting, seeds: Mapping[Seat, int]) -> dict[Seat, float]:
    ahead = (seeds["S"] - seeds["N"]) / of.game.layout.total  # type: ignore[attr-defined]
    return {"S": ahead, "N": -ahead}


def shown(match: Match) -> str:
    """The match as text: its board as South sees it, and whose choice it is. For eyes; ``Match.position`` is for programs."""
    view = match.view()
    if view["phase"] == "over":
        head = f"over: {view['result']['reason']}, winner {view['result']['winner']}"
    else:
        # whoever has chosen in secret is shown as choosing still: a picture must tell no more than an observation
        choosing = [str(seat) for seat in match.seats if seat in view["to_act"] or seat in view.get("chosen", ())]
        head = f"{view['phase']}, {' and '.join(choosing) or view['turn']} to {'roll' if view['phase'] == 'roll' else 'choose'}"
    if view["game"] == "ca-ngua":
        dice = f", dice {view['dice'][0]} {view['dice'][1]}" if view["dice"] else ""
        rows = [f"  seat {seat}: {', '.join(str(place) for place in horses)}" for seat, horses in view["horses"].items()]
        return "\n".join([f"{view['game']}: {head}{dice}", *rows])
    board, hands = view["board"], view["hands"]
    held = "".join(f", {seat} holds {hand['seeds']} at {hand['at']}" for seat, hand in hands.items() if hand)
    south, north, stores = board["S"], board["N"], board["stores"]
    lines: Iterable[Sequence[int | None]]
    if view["game"] == "mak-khum":  # MK-3: South sows from its right to its left
        lines, ends = (north, south[::-1]), (stores["S"], stores["N"])
    else:  # AB-3, AB-4
        columns = match.game.options["columns"]
        lines, ends = (north[:columns][::-1], [*north[columns:], *south[columns:][::-1]], south[:columns]), (stores["S"], stores["N"])
    rows = ["  " + " ".join("  -" if seeds is None else f"{seeds:3}" for seeds in line) for line in lines]
    return "\n".join([f"{view['game']}: round {view['round']}, {head}{held}", *rows, f"  stores: S {ends[0]}, N {ends[1]}"])
