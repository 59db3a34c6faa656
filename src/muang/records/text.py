"""Owns the readable form of a record: tag pairs, then actions, in the manner of PGN. ``docs/record-format.md`` is its specification.

Nothing is lost on the way: ``read(write(record)) == record``, and ``write(read(text)) == text`` for every text that ``write`` made.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from muang.errors import BadRecord
from muang.games.core import Entry, Seat
from muang.games.notation import write_rules
from muang.records.arrival import Arrival
from muang.records.arrival import word as arrival_word
from muang.records.reader import HORSELESS, HORSES, SIDES, read, result_word, seat_word
from muang.records.record import Record

__all__ = ["quoted", "read", "write"]

WIDTH = 88
KNOWN = HORSES | HORSELESS | {"Game", "Ruleset", "Seed", "First", "Date", "Position", "RulesVersion", "Result"}

_TAG_NAME = re.compile(r"[A-Z][A-Za-z0-9]*")


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
            yield (f"Seat{seat}" if horses else SIDES[str(seat)]), record.names[seat]
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
        lead = ""  # never parted from the word it belongs to
        if entry.kind in ("play", "roll") and not racing and entry.seat != turn:
            if horses:
                out.end()
            number, turn = number + 1, entry.seat
            lead = f"{number}. "
        if horses and entry.seat is not None and entry.seat != spoken:
            spoken = entry.seat
            lead += f"{seat_word(spoken)} "
        times = 1
        while _repeats(record, index, index + times):
            times += 1
        void = "!void" if index in record.voids else ""
        out.add(lead + _word(entry, record.arrivals.get(index)) + void + (f"*{times}" if times > 1 else ""))
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
        and record.arrivals.get(index) == record.arrivals.get(first)
        and index not in record.headings
        and index not in record.comments
    )


def _word(entry: Entry, arrival: Arrival | None) -> str:
    if entry.kind == "roll":
        assert entry.dice is not None
        return f"{entry.dice[0]}-{entry.dice[1]}:"
    word = "draw" if entry.kind == "draw" else entry.action or ""
    if isinstance(entry.seat, str) and (entry.kind != "play" or not word.startswith(entry.seat)):
        word = f"{entry.seat}:{word}"
    return word if entry.at is None else f"{word}@{entry.at}{'' if arrival is None else arrival_word(arrival)}"


def _escape_comment(text: str) -> str:
    text = text.replace("\\", "\\\\").replace("{", "\\{").replace("}", "\\}").replace("\n", "\\n").replace("\r", "\\r")
    return re.sub("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff]", lambda found: f"\\u{ord(found[0]):04x}", text)
