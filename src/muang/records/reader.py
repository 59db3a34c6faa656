"""Owns the reading of a record's readable form: tag pairs, then words. ``text`` writes it and is the door to both.

Whether the actions are allowed is ``Record.match``'s matter.
"""

from __future__ import annotations

import json
import re

from muang.errors import BadRecord, RulesError
from muang.games.core import GAMES, PACES, Entry, Result, Seat
from muang.games.core import position as read_position
from muang.games.notation import read_rules
from muang.records import arrival
from muang.records.record import MOST_ENTRIES, Heading, Record

__all__ = ["HORSELESS", "HORSES", "SIDES", "read", "result_word", "seat_word"]

LEAVES = ("resigned", "left", "flag")
SIDES = {"S": "South", "N": "North"}
HORSES = frozenset({"Seats", "Seat0", "Seat1", "Seat2", "Seat3"})
"""Tags that only Cờ cá ngựa has, and those that it has not."""
HORSELESS = frozenset({"Pace", "Tempo", "MinGap", "South", "North", "Clock", "Seeds", "Widows"})

_TAG = re.compile(r'\[([A-Z][A-Za-z0-9]*) ("(?:[^"\\\n]|\\.)*")\]')
_HEADING = re.compile(r"(race|round)[ \t\r\n]+([1-9][0-9]{0,5}):")
_NUMBER = re.compile(r"[0-9]{1,7}\.")
_SEAT = re.compile(r"seat([0-3])")
_ROLL = re.compile(r"([1-6])-([1-6]):")
_ACTION = re.compile(
    r"(?:([SN]):)?([A-Za-z0-9]+(?:-[A-Za-z0-9]+)?)(?:@([0-9]{1,15})(" + arrival.PATTERN + r"))?(!void)?(?:\*([1-9][0-9]{0,4}))?"
)
_COMMENT_END = re.compile(r"\\.|\}", re.DOTALL)


def seat_word(seat: Seat) -> str:
    """``S``, ``N`` or ``seat2``."""
    return f"seat{seat}" if isinstance(seat, int) else seat


def result_word(result: Result) -> str:
    """``S widows``, ``seat2 horses``, ``draw agreed``."""
    return f"{'draw' if result.winner is None else seat_word(result.winner)} {result.reason}"


def read(text: str) -> Record:
    """The record of a text. ``BadRecord`` says in which line or at which action it cannot be read."""
    tags: dict[str, str] = {}
    at = _skip(text, 0)
    while text.startswith("[", at):
        found = _TAG.match(text, at)
        if found is None:
            raise BadRecord(f'line {_line(text, at)}: a tag is written [Name "value"]')
        name, value = found[1], _unquote(found[2], _line(text, at))
        if name in tags:
            raise BadRecord(f"line {_line(text, at)}: the tag {name} stands twice")
        tags[name] = value
        at = _skip(text, found.end())
    return _Reader(text, at, tags).record()


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n\ufeff":
        at += 1
    return at


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _unquote(text: str, line: int) -> str:
    try:
        value = json.loads(text, strict=False)
    except ValueError as error:
        raise BadRecord(f"line {line}: cannot read the value {text[:60]}") from error
    return str(value)


class _Reader:
    """The text after its tags, word by word."""

    def __init__(self, text: str, at: int, tags: dict[str, str]) -> None:
        self.text, self.at, self.tags = text, at, tags
        self.entries: list[Entry] = []
        self.headings: dict[int, Heading] = {}
        self.comments: dict[int, tuple[str, ...]] = {}
        self.voids: set[int] = set()
        self.arrivals: dict[int, arrival.Arrival] = {}
        self.seat: Seat | None = None

    def record(self) -> Record:
        tags = self.tags
        name = tags.pop("Game", None)
        if name not in GAMES:
            raise BadRecord(f"the tag Game must name one of {', '.join(GAMES)}, not {name!r}")
        try:
            game = read_rules(name, tags.pop("Ruleset", ""))
        except RulesError as error:
            raise BadRecord(f"the tag Ruleset: {error}") from error
        horses = name == "ca-ngua"
        for tag in HORSELESS if horses else HORSES:
            if tag in tags:
                raise BadRecord(f"the tag {tag} is not for {name}")
        seats: tuple[Seat, ...] = ("S", "N")
        if horses:
            seats = tuple(self._whole(word, "Seats", 3) for word in tags.pop("Seats", "0 2").split())
        names: dict[Seat, str] = {}
        for seat in seats:
            tag = f"Seat{seat}" if horses else SIDES[str(seat)]
            if tag in tags:
                names[seat] = tags.pop(tag)
        for tag in HORSES & tags.keys():
            raise BadRecord(f"the tag {tag} names a seat that is not at this table")
        numbers = {tag: self._number(tag) for tag in ("Seed", "Tempo", "MinGap", "Clock", "RulesVersion")}
        first = tags.pop("First", None)
        pace = tags.pop("Pace", "lockstep")
        if pace not in PACES:
            raise BadRecord(f"the tag Pace must be one of {', '.join(PACES)}, not {pace!r}")
        date, position = tags.pop("Date", ""), tags.pop("Position", None)
        result = self._result(horses)
        self._movetext(horses, "*" if result is None else f"= {result_word(result)}")
        seed = numbers["Seed"]
        if seed is not None and seed >= 1 << 64:
            raise BadRecord(f"the tag Seed must be below 2**64, not {seed}")
        try:
            if first is not None:
                chosen = self._seat(first, "First", horses)
            elif position is not None:
                chosen = read_position(position).start().first
            else:
                chosen = game.start(seed or 0, seats=seats).first
        except RulesError as error:
            raise BadRecord(str(error)) from error
        tempo, gap, version = numbers["Tempo"], numbers["MinGap"], numbers["RulesVersion"]
        return Record(
            game=game,
            first=chosen,
            entries=tuple(self.entries),
            seats=seats,
            seed=seed,
            pace=pace,
            tempo=250 if tempo is None else tempo,
            min_gap=80 if gap is None else gap,
            names=names,
            date=date,
            position=position,
            headings=self.headings,
            voids=frozenset(self.voids),
            comments=self.comments,
            arrivals=self.arrivals,
            clock=numbers["Clock"],
            result=result,
            rules_version=1 if version is None else version,
            tags=tags,
        )

    # tags

    def _whole(self, text: str, tag: str, most: int) -> int:
        if not (text.isascii() and text.isdigit() and len(text) <= 20 and int(text) <= most):
            raise BadRecord(f"the tag {tag} needs whole numbers from 0 to {most}, not {text[:40]!r}")
        return int(text)

    def _number(self, tag: str) -> int | None:
        value = self.tags.pop(tag, None)
        return None if value is None else self._whole(value, tag, (1 << 64) - 1)

    def _seat(self, word: str, tag: str, horses: bool) -> Seat:
        found = _SEAT.fullmatch(word)
        if horses and found is not None:
            return int(found[1])
        if not horses and word in ("S", "N"):
            return word
        raise BadRecord(f"the tag {tag}: there is no seat {word!r} (allowed: {'seat0 … seat3' if horses else 'S, N'})")

    def _result(self, horses: bool) -> Result | None:
        text = self.tags.pop("Result", "*")
        seeds, widows = (self._totals(tag, horses) for tag in ("Seeds", "Widows"))
        if text == "*":
            if seeds or widows:
                raise BadRecord("the tags Seeds and Widows tell a result, but there is no Result")
            return None
        who, _, reason = text.partition(" ")
        if not re.fullmatch("[a-z-]+", reason):
            raise BadRecord(f'the tag Result is written "S widows", "draw agreed" or "*", not {text[:60]!r}')
        return Result(None if who == "draw" else self._seat(who, "Result", horses), seeds, widows, reason)

    def _totals(self, tag: str, horses: bool) -> dict[Seat, int]:
        totals = {}
        for word in self.tags.pop(tag, "").split():
            seat, _, count = word.partition(":")
            totals[self._seat(seat, tag, horses)] = self._whole(count, tag, 9999)
        return totals

    # actions

    def _movetext(self, horses: bool, last: str) -> None:
        text = self.text
        while True:
            self.at = _skip(text, self.at)
            if self.at >= len(text):
                raise BadRecord(f"the record is cut off: its last line must be {last!r}", entry=len(self.entries) or None)
            if text[self.at] == "{":
                self._comment()
                continue
            heading = _HEADING.match(text, self.at)
            if heading is not None:
                if len(self.entries) in self.headings:
                    raise BadRecord(f"line {_line(text, self.at)}: a race or round without any action")
                self.headings[len(self.entries)] = Heading(heading[1], int(heading[2]))
                self.at = heading.end()
                continue
            if text[self.at] in "*=":
                if " ".join(text[self.at :].split()) != last:
                    raise BadRecord(f"line {_line(text, self.at)}: the last line must be {last!r}, as the tag Result says")
                return
            end = self.at
            while end < len(text) and text[end] not in " \t\r\n{":
                end += 1
            word, self.at = text[self.at : end], end
            if not _NUMBER.fullmatch(word):
                self._take(word, horses)
            if len(self.entries) > MOST_ENTRIES:
                raise BadRecord(f"a record has at most {MOST_ENTRIES} actions")

    def _comment(self) -> None:
        at = self.at + 1
        for found in _COMMENT_END.finditer(self.text, at):
            if found[0] == "}":
                raw = self.text[at : found.start()]
                index = len(self.entries)
                self.comments[index] = (*self.comments.get(index, ()), self._plain_comment(raw))
                self.at = found.end()
                return
        raise BadRecord(f"line {_line(self.text, self.at)}: a comment has no end")

    def _plain_comment(self, raw: str) -> str:
        def plain(found: re.Match[str]) -> str:
            if found[1] is not None:
                return chr(int(found[1], 16))
            return {"n": "\n", "r": "\r"}.get(found[0][1], found[0][1])

        return re.sub(r"\\u([0-9a-f]{4})|\\.", plain, raw, flags=re.DOTALL)

    def _bad(self, word: str, why: str) -> BadRecord:
        return BadRecord(f"line {_line(self.text, self.at)}: {why}: {word[:60]!r}", entry=len(self.entries) + 1)

    def _take(self, word: str, horses: bool) -> None:
        if horses:
            self._take_horses(word)
            return
        found = _ACTION.fullmatch(word)
        if found is None:
            raise self._bad(word, "cannot read")
        letter, action, at, came, void, times = found.groups()
        time = None if at is None else int(at)
        seat = letter or (action[0] if action[0] in "SN" else None)
        if action == "draw":
            entry = Entry("draw", seat, at=time)
        elif seat is None:
            raise self._bad(word, "no seat is named (S: or N:)")
        else:
            entry = Entry("leave" if action in LEAVES else "play", seat, action, at=time)
        for _ in range(int(times or 1)):
            if void:
                self.voids.add(len(self.entries))
            if came:
                self.arrivals[len(self.entries)] = arrival.parse(came)
            self.entries.append(entry)

    def _take_horses(self, word: str) -> None:
        seat, roll = _SEAT.fullmatch(word), _ROLL.fullmatch(word)
        if seat is not None:
            self.seat = int(seat[1])
        elif word == "-":
            if not self.entries or self.entries[-1].kind != "roll":
                raise self._bad(word, "no roll stands before")
        elif self.seat is None:
            raise self._bad(word, "no seat is named (seat0 … seat3)")
        elif roll is not None:
            self.entries.append(Entry("roll", self.seat, None, (int(roll[1]), int(roll[2]))))
        elif _ACTION.fullmatch(word) and not set(word) & set(":@!*"):
            self.entries.append(Entry("leave" if word in LEAVES else "play", self.seat, word))
        else:
            raise self._bad(word, "cannot read")
