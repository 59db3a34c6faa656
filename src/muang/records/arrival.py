"""Owns when an input of a live race came and why it counts at its moment: what is kept of it, how it is written, and the check of it.

A server judges each timed input (design: races and time). The input carries its client's own clock; ``offset`` puts that on the clock of
the race; the input counts then, but never after it arrived, at most ``max_lag`` before that, and never before an earlier input of the
same seat. Everything that this needs is in the record, so anybody can judge again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from muang.errors import BadRecord
from muang.games.core import Entry, Seat

__all__ = ["PATTERN", "Arrival", "dump", "judged", "load", "misjudged", "parse", "word"]

FAR = 10**16
"""Beyond any clock in ms."""
PATTERN = r"(?:\+[0-9]{1,16}(?:\([1-9][0-9]{0,5}(?::[0-9]{1,16}(?:[+-][0-9]{1,16})?)?\))?)?"
_PARTS = re.compile(r"\+([0-9]+)(?:\(([0-9]+)(?::([0-9]+)([+-][0-9]+)?)?\))?")


@dataclass(frozen=True, slots=True)
class Arrival:
    """How an input of a live race came. Times in ms.

    ``lag``: it arrived so long after the moment at which it counts. ``client``: which of the clients sent it, counted from 1 in the
    order in which they first appear (None: not told). ``client_at``: what that client's own clock showed. ``offset``: what the server
    added to that to have it on the clock of the race (None: the server did not know the client's clock, or the input carried no time).
    """

    lag: int
    client: int | None = None
    client_at: int | None = None
    offset: int | None = None

    def __post_init__(self) -> None:
        numbers = [number for number in (self.lag, self.client, self.client_at) if number is not None]
        if any(type(number) is not int or not 0 <= number < FAR for number in numbers) or self.client == 0:
            raise BadRecord("an arrival has whole numbers: lag and client_at from 0, client from 1")
        if self.offset is not None and (type(self.offset) is not int or not -FAR < self.offset < FAR):
            raise BadRecord("the offset of an arrival is a whole number")
        if self.client_at is not None and self.client is None:
            raise BadRecord("an arrival with a client's time must say which client's")
        if self.offset is not None and self.client_at is None:
            raise BadRecord("an arrival with an offset must have the client's time")


def word(arrival: Arrival) -> str:
    """``+35(1:120345-120105)``: 35 ms after the moment at which it counts, from client 1, whose clock showed 120345; offset -120105."""
    if arrival.client is None:
        return f"+{arrival.lag}"
    inside = str(arrival.client)
    if arrival.client_at is not None:
        inside += f":{arrival.client_at}"
    if arrival.offset is not None:
        inside += f"{arrival.offset:+d}"
    return f"+{arrival.lag}({inside})"


def parse(text: str) -> Arrival:
    """The arrival of a word as ``word`` writes it (a match of ``PATTERN`` that is not empty)."""
    found = _PARTS.fullmatch(text)
    if found is None:
        raise BadRecord(f"an arrival is written +35, +35(1) or +35(1:120345-120105), not {text[:40]!r}")
    lag, client, client_at, offset = (None if part is None else int(part) for part in found.groups())
    return Arrival(lag or 0, client, client_at, offset)


def dump(arrival: Arrival | None) -> dict[str, int]:
    """The fields of the JSON form."""
    if arrival is None:
        return {}
    fields = {"lag": arrival.lag, "client": arrival.client, "client_at": arrival.client_at, "offset": arrival.offset}
    return {name: value for name, value in fields.items() if value is not None}


def load(item: Mapping[str, Any]) -> Arrival | None:
    """The arrival in an entry of the JSON form, if there is one. ``BadRecord`` if it is none."""
    parts = {name: item[name] for name in ("lag", "client", "client_at", "offset") if name in item}
    if not parts:
        return None
    if "lag" not in parts:
        raise BadRecord("an arrival needs a lag")
    return Arrival(**parts)


def judged(arrival: Arrival, at: int, max_lag: int, last: int | None) -> int:
    """The moment (ms of the race) at which an input counts that arrived at ``at + arrival.lag``. ``last``: when the seat's input before it
    counted."""
    arrived = at + arrival.lag
    if arrival.client_at is None or arrival.offset is None:
        moment = arrived
    else:
        moment = max(arrived - max_lag, min(arrived, arrival.client_at + arrival.offset))
    if last is not None:
        moment = max(moment, min(last, arrived))
    return max(0, moment)


def misjudged(
    entries: Sequence[Entry], arrivals: Mapping[int, Arrival], races: Sequence[int], max_lag: int
) -> Iterator[tuple[int, int, str]]:
    """``(index, moment, why)`` of every input that does not count when it should, counts before an earlier one of its seat, or stands
    before an earlier one of its client.

    ``races``: the indices at which a race begins; its clock begins anew there. ``moment``: when the input should count. Inputs of
    different clients stand in the order in which they were taken, which need not be that of their arrival: one that would end a race is
    taken only when no earlier one can come any more.
    """
    last: dict[Seat | None, int] = {}
    arrived: dict[int, int] = {}
    for index in sorted({*arrivals, *races}):
        if index in races:
            last, arrived = {}, {}
        arrival = arrivals.get(index)
        at = entries[index].at if arrival is not None else None
        if arrival is None or at is None:
            continue
        client, came, seat = arrival.client or 0, at + arrival.lag, entries[index].seat
        moment = judged(arrival, at, max_lag, last.get(seat))
        if moment != at:
            yield index, moment, f"it counts at {at} ms; by its arrival and its client's clock it should at {moment} ms"
        elif client and came < arrived.get(client, 0):
            yield index, moment, f"it arrived at {came} ms, but stands after one of the same client that arrived at {arrived[client]} ms"
        last[seat] = max(at, last.get(seat, 0))
        if client:
            arrived[client] = max(came, arrived.get(client, 0))
