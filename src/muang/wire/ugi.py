"""Owns the text of the engine protocol: its lines read into commands and replies, and written. Specified in ``docs/engine-protocol.md``.

UGI, the Universal Game Interface, with what dice, races and more than two seats need. Pure: knows no search, no process and no clock;
which actions are allowed is the match's matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from muang.errors import BadAction, BadFrame
from muang.games.core import Match, Seat
from muang.wire.log import seat_from_text

__all__ = [
    "LONGEST",
    "QUESTIONS",
    "Command",
    "Dice",
    "Go",
    "Hello",
    "NewGame",
    "Place",
    "Query",
    "Quit",
    "Ready",
    "Reply",
    "SetOption",
    "Stop",
    "best",
    "follow",
    "info",
    "one_line",
    "option",
    "parse",
    "place",
    "read_reply",
    "result_word",
    "turn_words",
]

LONGEST = 1_000_000
"""Characters of a line, at most."""
MOST = 1 << 40
"""The largest number that a limit takes, and one more."""
QUESTIONS = ("turn", "gameover", "result", "legal", "fen", "p1turn", "p2turn", "p3turn", "p4turn")
LEAVES = ("resigned", "left", "flag")


@dataclass(frozen=True, slots=True)
class Hello:
    """``ugi``"""


@dataclass(frozen=True, slots=True)
class Ready:
    """``isready``"""


@dataclass(frozen=True, slots=True)
class NewGame:
    """``uginewgame``"""


@dataclass(frozen=True, slots=True)
class SetOption:
    """``setoption name NAME value VALUE``"""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Place:
    """``position startpos|fen LINE [moves WORD …]``; ``line`` is None for the start."""

    line: str | None
    moves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dice:
    """``dice 3 5``: the roll that is due."""

    dice: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Go:
    """``go …``: limits of one search. ``clocks`` and ``gains`` hold ms by the player's number, from 1 (``p1time``, ``p1inc``)."""

    seat: Seat | None = None
    movetime: int | None = None
    depth: int | None = None
    nodes: int | None = None
    level: str | None = None
    infinite: bool = False
    clocks: Mapping[int, int] = field(default_factory=dict)
    gains: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stop:
    """``stop``"""


@dataclass(frozen=True, slots=True)
class Query:
    """``query QUESTION [SEAT]``"""

    question: str
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Quit:
    """``quit``"""


Command: TypeAlias = Hello | Ready | NewGame | SetOption | Place | Dice | Go | Stop | Query | Quit

_BARE: Mapping[str, Command] = {
    "ugi": Hello(),
    "isready": Ready(),
    "uginewgame": NewGame(),
    "stop": Stop(),
    "quit": Quit(),
}
_COMMANDS = (*_BARE, "setoption", "position", "dice", "go", "query")
_SETOPTION = re.compile(r"setoption\s+name\s+(?P<name>\S.*?)(?:\s+value(?:\s+(?P<value>.*))?)?\s*", re.DOTALL)
_CLOCK = re.compile(r"p([1-4])(time|inc)")
_WORD = re.compile(
    r"(?:(?P<seat>[SN0-3]):)?(?P<action>[A-Za-z0-9]+(?:-[A-Za-z0-9]+)?)(?:@(?P<at>[0-9]{1,15}))?|(?P<a>[1-6])-(?P<b>[1-6]):|@(?P<now>[0-9]{1,15})"
)


def parse(line: str) -> Command | None:
    """The command that a line gives; None for an empty one. ``BadFrame`` says what is wrong and what is allowed."""
    if len(line) > LONGEST:
        raise BadFrame(f"a line has at most {LONGEST} characters, this has {len(line)}")
    words = line.split()
    if not words:
        return None
    name, rest = words[0], words[1:]
    if name in _BARE:
        if rest:
            raise BadFrame(f"{name} stands alone, not with {_short(rest[0])}")
        return _BARE[name]
    if name == "setoption":
        found = _SETOPTION.fullmatch(line.strip())
        if found is None:
            raise BadFrame("an option is set by: setoption name NAME value VALUE")
        return SetOption(found["name"], (found["value"] or "").strip())
    if name == "position":
        return _place(rest)
    if name == "dice":
        return _dice(rest)
    if name == "go":
        return _go(rest)
    if name == "query":
        return _query(rest)
    raise BadFrame(f"there is no command {_short(name)} (allowed: {', '.join(_COMMANDS)})")


def _short(text: str) -> str:
    return repr(text[:40])


def _place(words: list[str]) -> Place:
    moves: tuple[str, ...] = ()
    if "moves" in words:
        at = words.index("moves")
        words, moves = words[:at], tuple(words[at + 1 :])
    if words == ["startpos"]:
        return Place(None, moves)
    if words[:1] == ["fen"] and len(words) > 1:
        return Place(" ".join(words[1:]), moves)
    raise BadFrame("a position is set by: position startpos|fen LINE [moves WORD …]")


def _dice(words: list[str]) -> Dice:
    if len(words) != 2 or any(word not in ("1", "2", "3", "4", "5", "6") for word in words):
        raise BadFrame("a roll is told by: dice A B, two numbers from 1 to 6")
    return Dice((int(words[0]), int(words[1])))


def _number(name: str, word: str | None, least: int = 1) -> int:
    if word is None or not (word.isascii() and word.isdigit() and len(word) < 14 and least <= int(word) < MOST):
        raise BadFrame(f"go {name} needs a whole number from {least}, not {_short(word or '')}")
    return int(word)


def _go(words: list[str]) -> Go:
    rest = iter(words)
    numbers: dict[str, int] = {}
    clocks: dict[int, int] = {}
    gains: dict[int, int] = {}
    seat: Seat | None = None
    level: str | None = None
    infinite = False
    seen: set[str] = set()
    for name in rest:
        if name in seen:
            raise BadFrame(f"go {name[:40]} stands twice")
        seen.add(name)
        clock = _CLOCK.fullmatch(name)
        if clock is not None:
            (clocks if clock[2] == "time" else gains)[int(clock[1])] = _number(name, next(rest, None), 0)
        elif name in ("movetime", "depth", "nodes"):
            numbers[name] = _number(name, next(rest, None))
        elif name == "infinite":
            infinite = True
        elif name == "seat":
            seat = _seat(next(rest, ""))
        elif name == "level":
            level = next(rest, "")
            if not level:
                raise BadFrame("go level needs a number from 1 or a player's name")
        else:
            known = "p1time, p1inc, movetime, depth, nodes, level, seat, infinite"
            raise BadFrame(f"go does not know {_short(name)} (allowed: {known})")
    return Go(seat, numbers.get("movetime"), numbers.get("depth"), numbers.get("nodes"), level, infinite, clocks, gains)


def _seat(word: str) -> Seat:
    try:
        return seat_from_text(word)
    except BadAction as error:
        raise BadFrame(str(error)) from None


def _query(words: list[str]) -> Query:
    if not words or words[0] not in QUESTIONS or len(words) > (2 if words[0] == "legal" else 1):
        raise BadFrame(f"the questions are: query {', '.join(QUESTIONS)}; only legal may name a seat")
    return Query(words[0], _seat(words[1]) if len(words) == 2 else None)


# ── the words of a match ──────────────────────────────────────────────────────────────────────────────────────────────────────


def follow(match: Match, word: str) -> Match:
    """The match after one word of a move list.

    ``S3`` · ``S:S3`` · ``S:drop@1200`` · ``12-19`` · ``2:pass`` · ``3-5:`` (a roll) · ``N:resigned`` · ``draw`` · ``@1200`` (time passes,
    to that ms of the race). Without a seat it is the one that is to act. ``BadAction`` for what cannot be read, and what ``Match`` raises.
    """
    found = _WORD.fullmatch(word)
    if found is None:
        raise BadAction(f"cannot read {_short(word)}", allowed=("ACTION", "SEAT:ACTION", "ACTION@MS", "@MS", "A-B: (a roll)", "draw"))
    if found["now"] is not None:
        return match.at(int(found["now"]))
    if found["a"] is not None:
        return match.roll((int(found["a"]), int(found["b"])))
    action = found["action"]
    if action == "draw":
        return match.agree_draw()
    if found["seat"] is not None:
        seat = seat_from_text(found["seat"])
    elif action[0] in match.seats:  # a hole names its seat
        seat = action[0]
    elif len(match.to_act) == 1:
        seat = match.to_act[0]
    elif match.turn is not None:
        seat = match.turn
    else:
        raise BadAction(f"{_short(word)} needs its seat before it", allowed=tuple(f"{seat}:{action}" for seat in match.seats))
    if action in LEAVES:
        return match.leave(seat, action)
    return match.play(seat, action, None if found["at"] is None else int(found["at"]))


def turn_words(match: Match) -> str:
    """Whose turn: the seats that have to act, ``dice N`` where seat N's roll is due, ``none`` when it is over or time has to pass."""
    if match.phase == "roll":
        return f"dice {match.turn}"
    return " ".join(str(seat) for seat in match.to_act) or "none"


def result_word(match: Match) -> str:
    """``none``, ``draw`` or ``p1win`` … ``p4win``, by the order of ``match.seats``."""
    if match.result is None:
        return "none"
    winner = match.result.winner
    return "draw" if winner is None else f"p{match.seats.index(winner) + 1}win"


# ── what an engine says ───────────────────────────────────────────────────────────────────────────────────────────────────────


def one_line(text: object) -> str:
    """The text in one line: an error's message may quote what it was sent."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in str(text)).split())


def option(name: str, kind: str, default: str, *, choices: Iterable[str] = (), least: int | None = None, most: int | None = None) -> str:
    """One ``option`` line. ``kind``: ``combo`` · ``spin`` · ``string`` · ``check``."""
    line = f"option name {name} type {kind} default {default or '<empty>'}"
    if least is not None:
        line += f" min {least}"
    if most is not None:
        line += f" max {most}"
    return line + "".join(f" var {choice}" for choice in choices)


def info(
    unit: str,
    value: float,
    pv: Iterable[tuple[Seat, str]],
    *,
    rank: int = 1,
    depth: int = 0,
    nodes: int = 0,
    time_ms: int = 0,
    exact: bool = False,
    bound: str = "",
    table: str = "",
    racing: bool = False,
) -> str:
    """One ``info`` line. ``unit``: ``seeds`` or ``chance``; ``racing`` writes the seat before each action."""
    number = f"{value:g}" if unit == "seeds" else f"{value:.9f}"
    words = [f"info depth {depth} multipv {rank} score {unit} {number}"]
    if exact:
        words.append("exact")
    elif bound:
        words.append(f"{bound}bound")
    words.append(f"nodes {nodes} time {time_ms}")
    if time_ms > 0:
        words.append(f"nps {nodes * 1000 // time_ms}")
    if table:
        words.append(f"table {table.replace(' ', '_')}")
    line = [_action(seat, action, racing) for seat, action in pv]
    if line:
        words.append(f"pv {' '.join(line)}")
    return " ".join(words)


def best(seat: Seat | None, action: str | None, racing: bool = False) -> str:
    """The ``bestmove`` line; ``roll`` and ``none`` are told without a seat."""
    return f"bestmove {'none' if action is None else action if seat is None else _action(seat, action, racing)}"


def _action(seat: Seat, action: str, racing: bool) -> str:
    return f"{seat}:{action}" if racing else action


# ── what an engine is sent, and its replies read ──────────────────────────────────────────────────────────────────────────────


def place(line: str, moves: Iterable[str] = ()) -> str:
    """A ``position`` line."""
    words = " ".join(moves)
    return f"position fen {line}" + (f" moves {words}" if words else "")


@dataclass(frozen=True, slots=True)
class Reply:
    """A line that an engine wrote: its first word, and the rest. ``values``: pairs of an ``info`` line up to its ``pv``."""

    kind: str
    rest: str = ""

    @property
    def action(self) -> str:
        """Of ``bestmove``: the action without its seat."""
        word = self.rest.split()[0] if self.rest.split() else ""
        found = _WORD.fullmatch(word)
        return found["action"] if found is not None and found["action"] is not None else word

    def values(self) -> Iterator[tuple[str, str]]:
        """Of ``info``: each name and its value; the line of play as ``pv``."""
        words = self.rest.split()
        while words:
            name = words.pop(0)
            if name == "pv":
                yield name, " ".join(words)
                return
            if name == "score" and len(words) > 1:
                yield words[0], words[1]
                words = words[2:]
            elif name in ("exact", "lowerbound", "upperbound"):
                yield "bound", name
            elif words:
                yield name, words.pop(0)


def read_reply(line: str) -> Reply | None:
    """What an engine wrote; None for an empty line. Never raises: engines write what they like."""
    words = line.strip().split(None, 1)
    return Reply(words[0], words[1] if len(words) > 1 else "") if words else None
