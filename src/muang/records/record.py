"""Owns a match as it is kept: what has to be known to play it again, and playing it again. Owns no way of writing it down.

A record holds inputs (choices, drops, rolls, leaves, agreed draws); boards and results follow from them. ``match()`` replays them and
``BadRecord`` names the action at which the rules, the stated round or the stated result disagree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from muang.errors import BadRecord, RulesError
from muang.games.core import RULES_VERSION, Entry, Game, Match, Result, Seat, position
from muang.records.arrival import Arrival

__all__ = ["Heading", "Record", "Transition"]

MOST_ENTRIES = 1_000_000
"""More inputs than any real match: a record that claims more is refused before it fills the memory."""


class Heading(NamedTuple):
    """Where a part of a sowing match begins: ``kind`` is ``race`` or ``round`` (its turns), ``round`` counts from 1."""

    kind: str
    round: int


@dataclass(frozen=True, slots=True)
class Transition:
    """One step of a replay: entry number ``index`` (from 0), or None where only time has passed (the drops of a ``steady`` race)."""

    index: int
    entry: Entry | None
    before: Match
    after: Match


@dataclass(frozen=True)
class Record:
    """A match on paper.

    ``entries`` are the inputs in order. ``headings``, ``comments`` and ``voids`` point into them by index: a heading or comment at ``i``
    stands before entry ``i`` (at ``len(entries)``: at the end), an index in ``voids`` is an input that came to nothing (MK-24).
    ``arrivals``: index of an input of a live race → how it came to the server that judged it.
    ``seed`` is None where it is not told; the rolls stand in the entries, so nothing else depends on it. ``clock``: the ms of the race
    at which a match was left that is still racing at a live pace. ``tags`` are tag pairs of others, kept as they are.
    """

    game: Game
    first: Seat
    entries: tuple[Entry, ...] = ()
    seats: tuple[Seat, ...] = ("S", "N")
    seed: int | None = None
    pace: str = "lockstep"
    tempo: int = 250
    min_gap: int = 80
    names: Mapping[Seat, str] = field(default_factory=dict)
    date: str = ""
    position: str | None = None
    headings: Mapping[int, Heading] = field(default_factory=dict)
    voids: frozenset[int] = frozenset()
    comments: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    arrivals: Mapping[int, Arrival] = field(default_factory=dict)
    clock: int | None = None
    result: Result | None = None
    rules_version: int = RULES_VERSION
    tags: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        count = len(self.entries)
        if count > MOST_ENTRIES:
            raise BadRecord(f"a record has at most {MOST_ENTRIES} actions, this has {count}")
        for what, indices, end in (
            ("a comment", self.comments, count),
            ("a race or round", self.headings, count),
            ("a void input", self.voids, count - 1),
        ):
            if any(not 0 <= index <= end for index in indices):
                raise BadRecord(f"{what} stands outside the record's {count} actions")
        for index in self.arrivals:
            if not 0 <= index < count or self.entries[index].at is None:
                raise BadRecord("only an action with a time can have an arrival", entry=index + 1)

    @classmethod
    def from_match(
        cls,
        match: Match,
        names: Mapping[Seat, str] | None = None,
        date: str = "",
        comments: Mapping[int, Sequence[str]] | None = None,
        *,
        position: str | None = None,
        tell_seed: bool = True,
        tags: Mapping[str, str] | None = None,
        arrivals: Mapping[int, Arrival] | None = None,
    ) -> Record:
        """The record of ``match``, over or not. ``position`` is the line that it was started from, if it was started from one.

        ``comments``: index of the action that they stand before → texts; an index past the last action means the end.
        A choice that waits for the other seat's (MK-24) is left out, for a record may be read by anybody. ``tell_seed=False`` keeps the
        seed back: the dice of a match that goes on come from it.
        """
        log = match.log
        if match.phase == "race" and match.pace == "lockstep":
            log = log[: len(log) - len(match.view()["chosen"])]
        live = match.pace != "lockstep" and match.game.name != "ca-ngua"
        record = cls(
            game=match.game,
            first=match.first,
            entries=log,
            seats=match.seats,
            seed=match.seed if tell_seed else None,
            pace=match.pace if match.game.name != "ca-ngua" else "lockstep",
            tempo=match.view()["tempo"] if live else 250,
            min_gap=match.view()["min_gap"] if live else 80,
            names=dict(names or {}),
            date=date,
            position=position,
            comments=_clipped(comments or {}, len(log)),
            clock=match.view()["ms"] if live and match.phase == "race" else None,
            result=match.result,
            tags=dict(tags or {}),
            arrivals={index: arrival for index, arrival in (arrivals or {}).items() if index < len(log)},
        )
        return record._with_marks(match)

    def _with_marks(self, whole: Match) -> Record:
        """The same record with headings, voids and the seats of its rolls, found by replaying it beside the match it comes from."""
        headings: dict[int, Heading] = {}
        voids = set()
        entries = []
        match, current = self.start(), None
        for index, entry in enumerate(self.entries):
            match = _before_entry(match, entry)
            here = _standing(match)
            if here is not None and here != current:
                headings[index] = current = here
            if entry.kind == "roll":
                entry = Entry("roll", match.turn, None, entry.dice)
            entries.append(entry)
            match = match.apply(entry)
            if _is_void(match):
                voids.add(index)
        if str(_at_end(match, whole).position) != str(whole.position):
            raise BadRecord("the match does not follow from its own log")
        here = _standing(whole)
        if whole.result is None and here is not None and here != current and self.pace != "lockstep":
            headings[len(entries)] = here
        return replace(self, headings=headings, voids=frozenset(voids), entries=tuple(entries))

    def start(self) -> Match:
        """The match before its first entry. ``BadRecord`` if the record cannot begin."""
        if self.rules_version != RULES_VERSION:
            raise BadRecord(f"it was written by rules version {self.rules_version}; this program plays version {RULES_VERSION}")
        seed = self.seed or 0
        try:
            if self.position is not None:
                return self._start_from(position(self.position).start(seed))
            return self.game.start(seed, pace=self.pace, first=self.first, seats=self.seats, tempo=self.tempo, min_gap=self.min_gap)
        except RulesError as error:
            raise BadRecord(str(error)) from error

    def _start_from(self, match: Match) -> Match:
        for what, said, found in (
            ("the game", self.game, match.game),
            ("first", self.first, match.first),
            ("the seats", self.seats, match.seats),
        ):
            if said != found:
                raise BadRecord(f"{what} is {said!r} in its tags and {found!r} in its position")
        return match

    def transitions(self) -> Iterator[Transition]:
        """The replay, step by step. ``BadRecord`` at the action that does not fit, or at the end if the result does not."""
        match = self.start()
        for index, entry in enumerate(self.entries):
            if index in self.headings:
                for step in self._reach(match, index):
                    yield step
                    match = step.after
            if entry.kind in ("leave", "draw") and entry.at is not None and _racing_live(match) and match.at(entry.at) is not match:
                before, match = match, match.at(entry.at)
                yield Transition(index, None, before, match)
            before = match
            try:
                match = before.apply(entry)
            except RulesError as error:
                raise BadRecord(str(error), entry=index + 1) from error
            if _is_void(match) != (index in self.voids):
                said = "came to nothing" if index in self.voids else "counted"
                raise BadRecord(f"the record says that it {said}, the rules say otherwise", entry=index + 1)
            yield Transition(index, entry, before, match)
        end = len(self.entries)
        for step in self._ending(match, end):
            yield step
            match = step.after
        self._check_result(match)

    def match(self) -> Match:
        """The whole match, replayed. ``BadRecord`` as ``transitions``."""
        match = self.start()
        for step in self.transitions():
            match = step.after
        return match

    def _reach(self, match: Match, index: int) -> Iterator[Transition]:
        """Let time pass till the match stands where the heading says; ``BadRecord`` if it never does."""
        wanted = self.headings[index]
        while _standing(match) != wanted and _racing_live(match):
            before, match = match, _tick(match)
            if match is before:
                break
            yield Transition(index, None, before, match)
        if _standing(match) != wanted:
            found = _standing(match)
            where = "this game has no races and rounds" if found is None else f"the match stands at {found.kind} {found.round}"
            raise BadRecord(f"the record says {wanted.kind} {wanted.round}, but {where}", entry=min(index + 1, len(self.entries)) or None)

    def _ending(self, match: Match, end: int) -> Iterator[Transition]:
        if end in self.headings:
            for step in self._reach(match, end):
                yield step
                match = step.after
        if self.clock is not None:
            if not _racing_live(match):
                raise BadRecord("it has a clock but stands in no race with time")
            after = match.at(self.clock)
            yield Transition(end, None, match, after)
            match = after
        while self.result is not None and match.result is None and _racing_live(match):
            before, match = match, _tick(match)
            if match is before:
                return
            yield Transition(end, None, before, match)

    def _check_result(self, match: Match) -> None:
        said, found = self.result, match.result
        count = len(self.entries)
        if said is None and found is not None:
            raise BadRecord(f"the record goes on, but the match is over: {_result_text(found)}", entry=count or None)
        if said is not None and found is None:
            raise BadRecord(f"the record says {_result_text(said)}, but after its last action the match is not over", entry=count or None)
        if said is not None and found is not None and _plain(said) != _plain(found):
            raise BadRecord(f"the record says {_result_text(said)}, the rules say {_result_text(found)}", entry=count or None)


def _clipped(comments: Mapping[int, Sequence[str]], count: int) -> dict[int, tuple[str, ...]]:
    kept: dict[int, tuple[str, ...]] = {}
    for index in sorted(comments):
        if comments[index]:
            at = min(index, count)
            kept[at] = (*kept.get(at, ()), *comments[index])
    return kept


def _plain(result: Result) -> tuple[object, ...]:
    return result.winner, result.reason, dict(result.seeds), dict(result.widows)


def _result_text(result: Result) -> str:
    who = "a draw" if result.winner is None else f"seat {result.winner} wins"
    seeds = ", ".join(f"{seat} {count}" for seat, count in result.seeds.items())
    return f"{who} ({result.reason}{'; seeds ' + seeds if seeds else ''})"


def _is_void(match: Match) -> bool:
    return any(event[1] == "void" for event in match.events)


def _racing_live(match: Match) -> bool:
    return match.phase == "race" and match.pace != "lockstep"


def _standing(match: Match) -> Heading | None:
    """The race or the turns that the match stands in; None for a game without rounds and when it is over."""
    if match.phase not in ("race", "turn"):
        return None
    return Heading("race" if match.phase == "race" else "round", int(match.view()["round"]))


def _before_entry(match: Match, entry: Entry) -> Match:
    """The match as it stood when ``entry`` was logged, if time had to pass before it.

    An input without a time belongs to the turns after the race. One with a time belongs to the race under way: only one race of a
    ``steady`` match has inputs (Mak Khum races round one only, Abalala'e has nothing to choose), and at ``by_hand`` inputs end a race.
    """
    if not _racing_live(match):
        return match
    if entry.kind != "play":
        return match if entry.at is None else match.at(entry.at)
    return match if entry.at is not None else _settle(match)


def _at_end(match: Match, whole: Match) -> Match:
    """``match`` with as much time passed as in ``whole``."""
    if not _racing_live(match):
        return match
    if _standing(whole) == _standing(match):
        return match.at(whole.view()["ms"])
    match = _settle(match)
    return match.at(whole.view()["ms"]) if _racing_live(match) and _racing_live(whole) else match


def _tick(match: Match) -> Match:
    """The match after the next drop that happens by itself; the same match if none does."""
    return match if match.next_due is None else match.at(match.next_due)


def _settle(match: Match) -> Match:
    """The match after its live race has ended by itself, as far as it does: drops that are due happen, nobody chooses."""
    here = _standing(match)
    while _standing(match) == here:
        after = _tick(match)
        if after is match:
            break
        match = after
    return match
