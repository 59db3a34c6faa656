"""Owns what the three games have in common: how a game is named, started and played from Python. Knows no rule.

A ``Match`` never changes; ``play`` gives the next one. Seats are ``"S"`` and ``"N"`` in the sowing games and ``0…3`` in Cờ cá ngựa;
actions are strings in all three.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from muang.errors import BadAction, BadRuleset, IllegalAction

__all__ = [
    "GAMES",
    "MOST",
    "PACES",
    "RULES_VERSION",
    "Entry",
    "Event",
    "Game",
    "Match",
    "Option",
    "Position",
    "Result",
    "Seat",
    "game",
    "lockstep",
    "position",
]

Seat: TypeAlias = str | int
Event: TypeAlias = tuple[Any, ...]

GAMES = ("mak-khum", "abalalae", "ca-ngua")
PACES = ("lockstep", "steady", "by_hand")
MOST = 999_999_999
"""The largest number that an option without a bound of its own takes: kernels count in 64 bits."""
RULES_VERSION = 1
"""Goes up whenever the same log could mean another match; written into every record and log."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One input of a match, as it is logged: everything else is recomputed from these.

    ``kind``: ``play`` · ``roll`` · ``leave`` (``action`` holds the reason) · ``draw``. ``at``: ms since the race began, in live races.
    """

    kind: str
    seat: Seat | None = None
    action: str | None = None
    dice: tuple[int, int] | None = None
    at: int | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended. ``winner`` is None for a draw; ``seeds`` and ``widows`` (MK-53) are empty where a game has none."""

    winner: Seat | None
    seeds: Mapping[Seat, int]
    widows: Mapping[Seat, int]
    reason: str


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a ruleset: its clause, default and what it may be.

    ``choices`` lists the named values; ``least``/``most`` bound whole numbers where those are allowed too.
    """

    name: str
    clause: str
    default: Any
    choices: tuple[Any, ...] = ()
    least: int | None = None
    most: int | None = None

    def check(self, value: Any) -> Any:
        """The value, if it is allowed; ``BadRuleset`` names what is."""
        for choice in self.choices:
            if value == choice and type(value) is type(choice):
                return choice
        if self.least is not None and type(value) is int and value >= self.least and (self.most is None or value <= self.most):
            return value
        raise BadRuleset(f"{self.name} cannot be {value!r}", clause=self.clause, allowed=self.allowed())

    def allowed(self) -> tuple[str, ...]:
        """What may be written, as texts."""
        texts = [text_of(choice) for choice in self.choices]
        if self.least is not None:
            texts.append(f"{self.least} or more" if self.most is None else f"{self.least} to {self.most}")
        return tuple(texts)

    def read(self, text: str) -> Any:
        """A value from its text, as options are written in positions, records and on the command line."""
        for choice in self.choices:
            if text == text_of(choice):
                return choice
        if self.least is not None and text.isascii() and text.isdigit() and len(text) < 10:
            return self.check(int(text))
        raise BadRuleset(f"{self.name} cannot be {text!r}", clause=self.clause, allowed=self.allowed())


def text_of(value: Any) -> str:
    """An option's value as text: ``true``, ``none``, ``opening``, ``4``."""
    if value is True:
        return "true"
    if value is False:
        return "false"
    return "none" if value is None else str(value)


class Game(ABC):
    """A game with its ruleset and every option fixed. Build it with ``muang.game``.

    Subclasses give ``name``, ``title``, ``rulesets`` (name → the options it changes), ``option_list`` and ``seat_choices``.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    rulesets: ClassVar[Mapping[str, Mapping[str, Any]]]
    option_list: ClassVar[tuple[Option, ...]]

    ruleset: str
    options: dict[str, Any]

    def __init__(self, ruleset: str | None = None, **changes: Any) -> None:
        names = tuple(self.rulesets)
        self.ruleset = names[0] if ruleset is None else ruleset
        if self.ruleset not in self.rulesets:
            raise BadRuleset(f"{self.name} has no ruleset {ruleset!r}", allowed=names)
        known = {option.name: option for option in self.option_list}
        self.options = {name: option.default for name, option in known.items()}
        for name, value in {**self.rulesets[self.ruleset], **changes}.items():
            if name not in known:
                raise BadRuleset(f"{self.name} has no option {name!r}", allowed=known)
            self.options[name] = known[name].check(value)
        self._check()

    def _check(self) -> None:  # noqa: B027  most games have nothing to refuse
        """Refuse options that contradict each other. ``BadRuleset``."""

    def changes(self) -> dict[str, Any]:
        """The options that differ from the ruleset's own: what has to be written beside its name."""
        base = {option.name: option.default for option in self.option_list} | dict(self.rulesets[self.ruleset])
        return {name: value for name, value in self.options.items() if value != base[name]}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and (self.name, self.options) == (other.name, other.options)

    def __hash__(self) -> int:
        return hash((self.name, tuple(sorted((k, str(v)) for k, v in self.options.items()))))

    def __repr__(self) -> str:
        extra = "".join(f", {name}={value!r}" for name, value in self.changes().items())
        return f"muang.game({self.name!r}, ruleset={self.ruleset!r}{extra})"

    @abstractmethod
    def start(
        self,
        seed: int = 0,
        *,
        pace: str = "lockstep",
        first: Seat | None = None,
        seats: tuple[Seat, ...] | None = None,
        tempo: int = 250,
        min_gap: int = 80,
    ) -> Match:
        """A new match. ``seed`` (0 to 2**64 - 1) decides every lot; ``first`` is drawn from it unless given (MK-25, CN-14).

        ``pace``: ``lockstep`` · ``steady`` · ``by_hand`` (MK-24; Cờ cá ngựa has no race and ignores it). ``tempo`` and ``min_gap`` in ms.
        """

    @abstractmethod
    def read_position(self, fields: Mapping[str, str]) -> Position:
        """The position that a line's fields describe. ``BadPosition`` says which field is wrong."""


class Position(ABC):
    """All that can change what follows, and nothing else. ``str()`` gives one line; ``muang.position`` reads it back."""

    game: Game

    @abstractmethod
    def start(self, seed: int = 0) -> Match:
        """A match that goes on from here."""

    @abstractmethod
    def view(self) -> dict[str, Any]:
        """The same as plain data, as ``Match.view`` gives it."""


class Match(ABC):
    """A match as it stands. Immutable: every method that moves it on gives a new one."""

    game: Game
    seed: int
    pace: str
    first: Seat
    seats: tuple[Seat, ...]

    @property
    @abstractmethod
    def phase(self) -> str:
        """``race`` · ``turn`` (sowing games) · ``roll`` · ``move`` (Cờ cá ngựa) · ``over``."""

    @property
    @abstractmethod
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that have to act now; empty when it is over, a roll is due, or only time has to pass."""

    @property
    @abstractmethod
    def turn(self) -> Seat | None:
        """The seat on turn; None in a race and when it is over."""

    @abstractmethod
    def legal(self, seat: Seat) -> tuple[str, ...]:
        """The actions that ``seat`` has now; empty if it is not to act."""

    @abstractmethod
    def play(self, seat: Seat, action: str, at: int | None = None) -> Match:
        """The match after ``action``. ``BadAction`` or ``IllegalAction`` names the clause and what is allowed.

        ``at``: ms since this race began (live races only); left out, it is the earliest moment that is not void.
        """

    def roll(self, dice: tuple[int, int]) -> Match:
        """The match after the roll that is due (Cờ cá ngựa)."""
        raise IllegalAction("this game has no dice")

    @abstractmethod
    def leave(self, seat: Seat, reason: str = "left") -> Match:
        """The match after ``seat`` has gone (MK-56, CN-31). ``reason``: ``left`` · ``resigned`` · ``flag``."""

    def agree_draw(self) -> Match:
        """The match after both players have agreed on a draw (MK-56)."""
        raise IllegalAction("this game has no draws", clause="CN-30")

    def take_back(self) -> Match:
        """The match before the last turn (MK-56); not in a race."""
        raise IllegalAction("turns cannot be taken back in this game")

    def at(self, ms: int) -> Match:
        """The match as it stands ``ms`` after its race began: drops that happen by themselves have happened."""
        return self

    @property
    def next_due(self) -> int | None:
        """The ms at which the next drop happens by itself (pace ``steady``), or None."""
        return None

    @property
    @abstractmethod
    def events(self) -> tuple[Event, ...]:
        """What the last transition did, seat first: ``("S", "lift", "S3", 7)``."""

    @property
    @abstractmethod
    def log(self) -> tuple[Entry, ...]:
        """Every input since the start."""

    @property
    @abstractmethod
    def position(self) -> Position:
        """The position; simultaneous choices that one seat has made and the other has not are not in it."""

    @property
    @abstractmethod
    def result(self) -> Result | None:
        """None while it goes on."""

    @abstractmethod
    def view(self) -> dict[str, Any]:
        """Plain data for screens: what everybody may see."""

    def apply(self, entry: Entry) -> Match:
        """The match after one logged input: the one way in which logs and records are replayed."""
        if entry.kind == "play" and entry.seat is not None and entry.action is not None:
            return self.play(entry.seat, entry.action, at=entry.at)
        if entry.kind == "roll" and entry.dice is not None:
            return self.roll(entry.dice)
        if entry.kind == "leave" and entry.seat is not None:
            return self.leave(entry.seat, entry.action or "left")
        if entry.kind == "draw":
            return self.agree_draw()
        raise BadAction(f"cannot read the entry {entry}", allowed=("play", "roll", "leave", "draw"))


def game(name: str, ruleset: str | None = None, **options: Any) -> Game:
    """A game by its name: ``muang.game("mak-khum", ruleset="songkhla", rounds=4)``. ``BadRuleset`` says what is allowed."""
    if name == "mak-khum":
        from muang.games.mak_khum import MakKhum

        return MakKhum(ruleset, **options)
    if name == "abalalae":
        from muang.games.abalalae import Abalalae

        return Abalalae(ruleset, **options)
    if name == "ca-ngua":
        from muang.games.ca_ngua.rules import CaNgua

        return CaNgua(ruleset, **options)
    raise BadRuleset(f"there is no game {name!r}", allowed=GAMES)


def position(text: str) -> Position:
    """The position that one line describes: ``"mak-khum rules=trang round=2 …"``.

    The first word is the game, the rest are ``key=value`` fields; ``rules`` is the ruleset and the options that differ from it,
    ``trang,rounds:4``. ``BadPosition`` or ``BadRuleset`` says what is wrong.
    """
    from muang.games.notation import read_line

    return read_line(text)


def lockstep(match: Match, **choosers: Callable[[Match, str], str]) -> Match:
    """Drive a race at ``lockstep`` to its end: ``muang.lockstep(match, S=chooser, N=chooser)``.

    A chooser gets the match and its seat and gives a hole. When both seats must choose, both are asked before either is played.
    """
    if match.pace != "lockstep":
        raise IllegalAction(f"this match is played at {match.pace}", clause="MK-24", allowed=("lockstep",))
    for name in choosers:
        if name not in match.seats:
            raise BadAction(f"there is no seat {name!r}", allowed=match.seats)
    while match.phase == "race":
        picks = []
        for seat in match.to_act:
            if str(seat) not in choosers:
                raise BadAction(f"seat {seat} has to choose and has no chooser", allowed=match.seats)
            picks.append((seat, choosers[str(seat)](match, str(seat))))
        for seat, hole in picks:
            match = match.play(seat, hole)
    return match
