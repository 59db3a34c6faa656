"""Owns the readable form of a record: tag pairs, then actions, in the manner of PGN. ``docs/record-format.md`` is its specification.

Nothing is lost on the way: ``read(write(record)) == record``, and ``write(read(text)) == text`` for every text that ``write`` made.
Whether the actions are allowed is ``Record.match``'s matter.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from muang.errors import BadRecord, RulesError
from muang.games.core import GAMES, PACES, Entry, Result, Seat
from muang.games.core import position as read_position
from muang.games.notation import read_rules, write_rules
from muang.records.record import MOST_ENTRIES, Heading, Record

__all__ = ["read", "write"]

WIDTH = 88
LEAVES = ("resigned", "left", "flag")
HORSES = frozenset({"Seats", "Seat0", "Seat1", "Seat2", "Seat3"})
"""Tags that only Cờ cá ngựa has, and those that it has not."""
HORSELESS = frozenset({"Pace", "Tempo", "MinGap", "South", "North", "Clock", "Seeds", "Widows"})
KNOWN = HORSES | HORSELESS | {"Game", "Ruleset", "Seed", "First", "Date", "Position", "RulesVersion", "Result"}

_TAG_NAME = re.compile(r"[A-Z][A-Za-z0-9]*")
_TAG = re.compile(r'\[([A-Z][A-Za-z0-9]*) ("(?:[^"\\\n]|\\.)*")\]')
_HEADING = re.compile(r"(race|round) ([1-9][0-9]{0,5}):")
_NUMBER = re.compile(r"[0-9]{1,7}\.")
_SEAT = re.compile(r"seat([0-3])")
_ROLL = re.compile(r"([1-6])-([1-6]):")
_ACTION = re.compile(r"(?:([SN]):)?([A-Za-z0-9]+(?:-[A-Za-z0-9]+)?)(?:@([0-9]{1,15}))?(!void)?(?:\*([1-9][0-9]{0,4}))?")
_COMMENT_END = re.compile(r"\\.|\}", re.DOTALL)


# ── writing ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def write(record: Record) -> str:
    """The record as text, ending in a newline."""
    lines = [f"[{name} {quoted(value)}]" for name, value in _tags(record)]
    lines.append("")
    lines += _movetext(record)
    lines.append("*" if record.result is None else f"= {result_word(record.result)}")
    return "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    """The text as a JSON string; only what would break a line or UTF-8 is escaped beyond that."""
    plain = json.dumps(text, ensure_ascii=False)
    return re.sub("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff]", lambda found: f"\\u{ord(found[0]):04x}", plain)


def seat_word(seat: Seat) -> str:
    """``S``, ``N`` or ``seat2``."""
    return f"seat{seat}" if isinstance(seat, int) else seat


def result_word(result: Result) -> str:
    """``S widows``, ``seat2 horses``, ``draw agreed``."""
    return f"{'draw' if result.winner is None else seat_word(result.winner)} {result.reason}"


def _counts(counts: Mapping[Seat, int]) -> str:
    return " ".join(f"{seat_word(seat)}:{count}" for seat, count in counts.items())


def _tags(record: Record) -> Iterator[tuple[str, str]]:
    horses = record.game.name == "ca-ngua"
    yield "Game", record.game.name
    yield "Ruleset", write_rules(record.game)
    if horses:
        yield "Seats", " ".join(str(seat) for seat in record.seats)
    if record.seed is not None:
        yield "Seed", str(record.seed)
    yield "First", seat_word(record.first)
    if not horses:
        yield "Pace", record.pace
        if record.tempo != 250 or record.pace == "steady":
            yield "Tempo", str(record.tempo)
        if record.min_gap != 80 or record.pace == "by_hand":
            yield "MinGap", str(record.min_gap)
    for seat in record.seats:
        if seat in record.names:
            yield (f"Seat{seat}" if horses else {"S": "South", "N": "North"}[str(seat)]), record.names[seat]
    if record.date:
        yield "Date", record.date
    if record.position is not None:
        yield "Position", record.position
    yield "RulesVersion", str(record.rules_version)
    if record.clock is not None:
        yield "Clock", str(record.clock)
    if record.result is not None:
        if record.result.seeds:
            yield "Seeds", _counts(record.result.seeds)
        if record.result.widows:
            yield "Widows", _counts(record.result.widows)
        yield "Result", result_word(record.result)
    for name, value in record.tags.items():
        if name in KNOWN or not _TAG_NAME.fullmatch(name):
            raise BadRecord(f"a tag of your own cannot be named {name!r}")
        yield name, value


class _Lines:
    """Words flowing into lines of at most ``WIDTH`` characters, unless one word alone is longer."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.open = ""

    def add(self, word: str) -> None:
        if self.open and len(self.open) + 1 + len(word) > WIDTH:
            self.end()
        self.open = f"{self.open} {word}" if self.open else word

    def end(self) -> None:
        if self.open:
            self.lines.append(self.open)
        self.open = ""


def _movetext(record: Record) -> list[str]:
    out = _Lines()
    racing, number = False, 0
    turn: Seat | None = None
    spoken: Seat | None = None
    horses = record.game.name == "ca-ngua"
    index = 0
    while index <= len(record.entries):
        for comment in record.comments.get(index, ()):
            out.end()
            out.lines.append("{" + _escape_comment(comment) + "}")
        if index in record.headings:
            out.end()
            heading = record.headings[index]
            out.add(f"{heading.kind} {heading.round}:")
            racing, number, turn = heading.kind == "race", 0, None
        if index == len(record.entries):
            break
        entry = record.entries[index]
        if entry.kind in ("play", "roll") and not racing and entry.seat != turn:
            if horses:
                out.end()
            number, turn = number + 1, entry.seat
            out.add(f"{number}.")
        if horses and entry.seat is not None and entry.seat != spoken:
            spoken = entry.seat
            out.add(seat_word(spoken))
        times = 1
        while _repeats(record, index, index + times):
            times += 1
        void = "!void" if index in record.voids else ""
        out.add(_word(entry) + void + (f"*{times}" if times > 1 else ""))
        index += times
        if entry.kind == "roll" and index < len(record.entries) and record.entries[index].kind == "roll":
            out.add("-")
    out.end()
    return out.lines


def _repeats(record: Record, first: int, index: int) -> bool:
    entry = record.entries[first]
    return (
        index < len(record.entries)
        and index - first < 9999
        and entry.kind == "play"
        and entry.action in ("drop", "slip")
        and record.entries[index] == entry
        and (index in record.voids) == (first in record.voids)
        and index not in record.headings
        and index not in record.comments
    )


def _word(entry: Entry) -> str:
    if entry.kind == "roll":
        assert entry.dice is not None
        return f"{entry.dice[0]}-{entry.dice[1]}:"
    word = "draw" if entry.kind == "draw" else entry.action or ""
    if isinstance(entry.seat, str) and (entry.kind != "play" or not word.startswith(entry.seat)):
        word = f"{entry.seat}:{word}"
    return word if entry.at is None else f"{word}@{entry.at}"


def _escape_comment(text: str) -> str:
    text = text.replace("\\", "\\\\").replace("{", "\\{").replace("}", "\\}").replace("\n", "\\n").replace("\r", "\\r")
    return re.sub("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff]", lambda found: f"\\u{ord(found[0]):04x}", text)


# ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────


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
            tag = f"Seat{seat}" if horses else {"S": "South", "N": "North"}[str(seat)]
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
                if text[self.at :].rstrip() != last:
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
        letter, action, at, void, times = found.groups()
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
