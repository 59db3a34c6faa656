"""Owns the JSON form of a record: the same content as the readable text, for programs. ``docs/record-format.md`` lists its fields.

``read(write(record)) == record``. Reading checks the shape of everything; whether the actions are allowed is ``Record.match``'s matter.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from muang.errors import BadRecord, RulesError
from muang.games.core import PACES, Entry, Result, Seat, game
from muang.records import arrival
from muang.records.record import MOST_ENTRIES, Heading, Record

__all__ = ["FORMAT", "dump", "load", "read", "write"]

FORMAT = "muang-record-1"
KINDS = ("play", "roll", "leave", "draw")
FIELDS = frozenset(
    {
        *("format", "game", "ruleset", "options", "rules_version", "position", "seats", "first", "seed", "pace", "tempo", "min_gap"),
        *("names", "date", "tags", "entries", "headings", "comments", "clock", "result"),
    }
)
ENTRY_FIELDS = frozenset({"kind", "seat", "action", "dice", "at", "void", "lag", "client", "client_at", "offset"})


def write(record: Record, indent: int | None = None) -> str:
    """The record as one JSON text."""
    return json.dumps(dump(record), ensure_ascii=True, indent=indent) + "\n"


def read(text: str) -> Record:
    """The record of a JSON text. ``BadRecord`` names the field that is wrong."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadRecord(f"this is not JSON: {error}") from error
    return load(data)


def dump(record: Record) -> dict[str, Any]:
    """The record as plain data."""
    entries = []
    for index, entry in enumerate(record.entries):
        item: dict[str, Any] = {"kind": entry.kind}
        for name, value in (("seat", entry.seat), ("action", entry.action), ("at", entry.at)):
            if value is not None:
                item[name] = value
        if entry.dice is not None:
            item["dice"] = list(entry.dice)
        if index in record.voids:
            item["void"] = True
        entries.append(item | arrival.dump(record.arrivals.get(index)))
    result = record.result
    return {
        "format": FORMAT,
        "game": record.game.name,
        "ruleset": record.game.ruleset,
        "options": record.game.changes(),
        "rules_version": record.rules_version,
        "position": record.position,
        "seats": list(record.seats),
        "first": record.first,
        "seed": None if record.seed is None else str(record.seed),
        "pace": record.pace,
        "tempo": record.tempo,
        "min_gap": record.min_gap,
        "names": {str(seat): name for seat, name in record.names.items()},
        "date": record.date,
        "tags": dict(record.tags),
        "entries": entries,
        "headings": [{"before": index, "kind": heading.kind, "round": heading.round} for index, heading in record.headings.items()],
        "comments": [{"before": index, "texts": list(texts)} for index, texts in record.comments.items()],
        "clock": record.clock,
        "result": None
        if result is None
        else {
            "winner": result.winner,
            "reason": result.reason,
            "seeds": {str(seat): count for seat, count in result.seeds.items()},
            "widows": {str(seat): count for seat, count in result.widows.items()},
        },
    }


def load(data: Any) -> Record:
    """The record of plain data. ``BadRecord`` names the field that is wrong."""
    top = _fields(data, "the record", FIELDS)
    if top.get("format") != FORMAT:
        raise BadRecord(f"format must be {FORMAT!r}, not {str(top.get('format'))[:60]!r}")
    name = _text(top.get("game"), "game")
    try:
        of = game(name, _text(top.get("ruleset"), "ruleset"), **_mapping(top.get("options", {}), "options"))
    except RulesError as error:
        raise BadRecord(str(error)) from error
    seats = tuple(_seat(seat, "seats", name) for seat in _list(top.get("seats"), "seats"))
    by_text = {str(seat): seat for seat in seats}
    entries = _list(top.get("entries", []), "entries")
    if len(entries) > MOST_ENTRIES:
        raise BadRecord(f"a record has at most {MOST_ENTRIES} actions, this has {len(entries)}")
    items = [_fields(item, f"entry {index}", ENTRY_FIELDS) for index, item in enumerate(entries)]
    seed = top.get("seed")
    if seed is not None and not (isinstance(seed, str) and seed.isascii() and seed.isdigit() and len(seed) <= 20 and int(seed) < 1 << 64):
        raise BadRecord(f"seed must be a text of digits below 2**64 or null, not {str(seed)[:40]!r}")
    pace = top.get("pace", "lockstep")
    if pace not in PACES:
        raise BadRecord(f"pace must be one of {', '.join(PACES)}, not {str(pace)[:40]!r}")
    arrivals = {index: came for index, item in enumerate(items) if (came := _arrival(item, index)) is not None}
    position = top.get("position")
    clock = top.get("clock")
    return Record(
        game=of,
        first=_seat(top.get("first"), "first", name),
        entries=tuple(_entry(item, index, name) for index, item in enumerate(items)),
        seats=seats,
        seed=None if seed is None else int(seed),
        pace=pace,
        tempo=_whole(top.get("tempo", 250), "tempo"),
        min_gap=_whole(top.get("min_gap", 80), "min_gap"),
        names={_known(by_text, key, "names"): _text(value, "names") for key, value in _mapping(top.get("names", {}), "names").items()},
        date=_text(top.get("date", ""), "date"),
        position=None if position is None else _text(position, "position"),
        headings=dict(_heading(item, len(entries)) for item in _list(top.get("headings", []), "headings")),
        voids=frozenset(index for index, item in enumerate(items) if _flag(item.get("void", False), f"entry {index}: void")),
        comments=dict(_comment(item, len(entries)) for item in _list(top.get("comments", []), "comments")),
        arrivals=arrivals,
        clock=None if clock is None else _whole(clock, "clock"),
        result=_result(top.get("result"), by_text, name),
        rules_version=_whole(top.get("rules_version", 1), "rules_version"),
        tags={key: _text(value, "tags") for key, value in _mapping(top.get("tags", {}), "tags").items()},
    )


def _entry(item: Mapping[str, Any], index: int, name: str) -> Entry:
    where = f"entry {index}"
    kind = item.get("kind")
    if kind not in KINDS:
        raise BadRecord(f"{where}: kind must be one of {', '.join(KINDS)}, not {str(kind)[:40]!r}")
    seat, action, dice, at = (item.get(field) for field in ("seat", "action", "dice", "at"))
    if dice is not None and not (isinstance(dice, list) and len(dice) == 2 and all(type(die) is int and 1 <= die <= 6 for die in dice)):
        raise BadRecord(f"{where}: dice must be two numbers from 1 to 6, not {str(dice)[:40]}")
    return Entry(
        kind,
        None if seat is None else _seat(seat, where, name),
        None if action is None else _text(action, where),
        None if dice is None else (dice[0], dice[1]),
        None if at is None else _whole(at, f"{where}: at"),
    )


def _arrival(item: Mapping[str, Any], index: int) -> arrival.Arrival | None:
    try:
        return arrival.load(item)
    except BadRecord as error:
        raise BadRecord(f"entry {index}: {error}") from error


def _heading(item: Any, count: int) -> tuple[int, Heading]:
    found = _fields(item, "a heading", frozenset({"before", "kind", "round"}))
    if found.get("kind") not in ("race", "round"):
        raise BadRecord(f"a heading's kind must be race or round, not {str(found.get('kind'))[:40]!r}")
    return _whole(found.get("before"), "a heading's before", count), Heading(found["kind"], _whole(found.get("round"), "a heading's round"))


def _comment(item: Any, count: int) -> tuple[int, tuple[str, ...]]:
    found = _fields(item, "a comment", frozenset({"before", "texts"}))
    texts = tuple(_text(text, "a comment") for text in _list(found.get("texts"), "a comment's texts"))
    return _whole(found.get("before"), "a comment's before", count), texts


def _result(data: Any, by_text: Mapping[str, Seat], name: str) -> Result | None:
    if data is None:
        return None
    found = _fields(data, "result", frozenset({"winner", "reason", "seeds", "widows"}))
    winner = found.get("winner")
    seeds, widows = (
        {_known(by_text, key, part): _whole(count, part) for key, count in _mapping(found.get(part, {}), part).items()}
        for part in ("seeds", "widows")
    )
    return Result(None if winner is None else _seat(winner, "winner", name), seeds, widows, _text(found.get("reason"), "reason"))


# ── shapes ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _fields(data: Any, where: str, known: frozenset[str]) -> dict[str, Any]:
    found = _mapping(data, where)
    for key in found:
        if key not in known:
            raise BadRecord(f"{where} has no field {key[:40]!r} (allowed: {', '.join(sorted(known))})")
    return found


def _mapping(data: Any, where: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise BadRecord(f"{where} must be an object, not {type(data).__name__}")
    return data


def _list(data: Any, where: str) -> list[Any]:
    if not isinstance(data, list):
        raise BadRecord(f"{where} must be a list, not {type(data).__name__}")
    return data


def _text(data: Any, where: str) -> str:
    if not isinstance(data, str):
        raise BadRecord(f"{where} must be a text, not {type(data).__name__}")
    return data


def _flag(data: Any, where: str) -> bool:
    if not isinstance(data, bool):
        raise BadRecord(f"{where} must be true or false, not {type(data).__name__}")
    return data


def _whole(data: Any, where: str, most: int = 10**15) -> int:
    if type(data) is not int or not 0 <= data <= most:
        raise BadRecord(f"{where} must be a whole number from 0 to {most}, not {str(data)[:40]!r}")
    return data


def _seat(data: Any, where: str, name: str) -> Seat:
    if name == "ca-ngua" and type(data) is int and 0 <= data <= 3:
        return data
    if name != "ca-ngua" and data in ("S", "N"):
        return str(data)
    raise BadRecord(f"{where}: there is no seat {str(data)[:40]!r} (allowed: {'0 … 3' if name == 'ca-ngua' else 'S, N'})")


def _known(by_text: Mapping[str, Seat], key: str, where: str) -> Seat:
    if key not in by_text:
        raise BadRecord(f"{where}: there is no seat {key[:40]!r} (allowed: {', '.join(by_text)})")
    return by_text[key]
