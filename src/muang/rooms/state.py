"""Owns what a match's log means: the state that its entries add up to, and nothing that depends on clocks or on who is watching.

A room changes this state in one way only, ``fold``; replaying a log is folding its entries again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from muang.errors import BadAction, BadRecord, IllegalAction, MuangError
from muang.games.core import Match, Seat
from muang.games.lots import dice
from muang.rooms import rules
from muang.rooms.fair import Lots
from muang.rooms.turn_clock import left_after
from muang.wire import LogEntry, Setup, commitment_of, hash_state

__all__ = ["ABSENT_AFTER", "Chair", "State", "hidden_choice"]

ABSENT_AFTER = 3
"""So many choices in a row made by the system, and the seat is absent (MK-26, CN-42)."""
HASH_EVERY = 16
"""Every so many entries, and at the end, the log holds a fingerprint of the state; to write a state down costs as much as to play."""
PLAYED = ("play", "roll", "leave", "draw", "takeback", "time")


@dataclass(slots=True)
class Chair:
    """A seat now. ``missed``: choices in a row that the system made; ``plays``: actions so far; ``ticket`` names its next choice."""

    seat: Seat
    name: str
    token: str | None
    kind: str
    player: str | None
    missed: int = 0
    plays: int = 0
    ticket: int = 0


def hidden_choice(match: Match, entry: LogEntry) -> bool:
    """Whether ``entry`` is a simultaneous choice that must stay hidden in ``match`` (the state after it)."""
    return entry.kind == "play" and entry.seat in match.view().get("chosen", ())


class State:
    """What the entries so far add up to."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.seed = setup.seed
        """Decides what computer players choose; from the lots of the match once it has begun."""
        self.lots: Lots | None = None
        self._stand(rules.start(setup))
        self.chairs: dict[Seat, Chair] = {
            seat.seat: Chair(seat.seat, seat.name, seat.token, seat.kind, seat.player) for seat in setup.seats
        }
        if tuple(self.chairs) != self.match.seats:
            raise BadAction("the seats do not fit the game", allowed=self.match.seats)
        self.entries: list[LogEntry] = []
        self.ready: set[Seat] = set()
        self.started = False
        self.logged_ms = 0
        self.offer: tuple[Seat, str] | None = None
        self.rolls = 0
        self.changed = 0
        self.seen: dict[tuple[str, int], int] = {}
        self.clients: dict[str, tuple[Seat, ...]] = {}
        """Clients that have played → for which seats."""
        self.entropy: dict[Seat, str] = {}
        self.met: set[Seat] = set()
        """Seats whose players have been there."""
        self.commitment = None if setup.secret is None else commitment_of(setup.secret)
        self.again_by: set[Seat] = set()
        """Seats that want another match after this one."""
        self.again_match: str | None = None
        """That match, once it is made."""
        self.seated = 0
        """Counts what has changed about who sits where."""
        self.begun = setup.secret is None and all(chair.kind != "open" for chair in self.chairs.values())
        self.left: dict[Seat, int] = {}
        """Ms that each seat has on the clock of turns."""
        if setup.clock is not None:
            self.left = dict.fromkeys(self.chairs, setup.clock.seconds * 1000)

    @property
    def can_begin(self) -> bool:
        """Whether everybody is there and nothing has been played yet."""
        return not self.begun and all(
            chair.kind != "open" and (chair.kind != "person" or chair.seat in self.met) for chair in self.chairs.values()
        )

    def roll(self) -> tuple[int, int]:
        """The next pair of dice (CN-50)."""
        return dice(self.seed, self.rolls) if self.lots is None else self.lots.dice(self.rolls)

    def _stand(self, match: Match) -> None:
        self.match = match
        self.live = match.pace != "lockstep" and match.phase == "race"
        """Whether the match is in a race that is raced in time."""

    @property
    def hash(self) -> str:
        """The fingerprint of the match as logged; hidden choices are not in it."""
        result = self.match.result
        over = "" if result is None else f"{result.winner} {result.reason}"
        return hash_state(f"{self.match.position}|{self.match.phase}|{over}")

    def check(self, entry: LogEntry) -> Match:
        """The match after ``entry``; nothing changes. ``RulesError`` if it cannot follow."""
        if not self.begun and entry.kind in PLAYED:
            raise IllegalAction("the match has not begun: not everybody is there yet")
        match self.match, entry.kind:
            case before, "play" | "roll" | "leave" | "draw":
                return before.apply(entry.rules_entry())
            case before, "takeback":
                after = before.take_back()
                if after.phase == "race":
                    raise IllegalAction("a race cannot be taken back", clause="MK-56")
                return after
            case before, "time" if entry.at is not None:
                return before.at(entry.at)
            case before, _:
                return before

    def fold(self, entry: LogEntry, version: int, after: Match | None = None, t: int | None = None) -> LogEntry:
        """Take ``entry`` in, and give it back with version and hash filled in. ``RulesError`` if it cannot follow; nothing changed then.

        ``after``: what ``check`` has just said of this entry; ``t``: when it came, for a new one.
        """
        before = self.match
        if after is None:
            after = self.check(entry)
        self._stand(after)
        if entry.at is not None:
            self.logged_ms = max(self.logged_ms, entry.at)
        if entry.kind in PLAYED:
            self.changed = version
            self._moved_on(entry, before)
        else:
            self._arranged(entry)
        marked = entry.hash or len(self.entries) % HASH_EVERY == HASH_EVERY - 1 or self.match.phase == "over"
        print_of_it = self.hash if marked else ""
        entry = entry.but(version=version, hash=print_of_it, t=entry.t if t is None else t)
        self.entries.append(entry)
        if entry.client is not None and entry.n is not None:
            self.seen.setdefault((entry.client, entry.n), version)
            if entry.kind == "play" and entry.seat is not None and entry.seat not in self.clients.get(entry.client, ()):
                self.clients[entry.client] = (*self.clients.get(entry.client, ()), entry.seat)
        return entry

    def _moved_on(self, entry: LogEntry, before: Match) -> None:
        chair = self.chairs.get(entry.seat) if entry.seat is not None else None
        if entry.kind == "play" and chair is not None:
            chair.plays += 1
            chair.missed = chair.missed + 1 if entry.by == "system" else 0
        if entry.kind == "roll":
            self.rolls += 1
        if self.setup.clock is not None and entry.seat in self.left and (entry.spent is not None or entry.kind == "play"):
            passed = self.match.turn != before.turn
            self.left[entry.seat] = left_after(self.setup.clock, self.left[entry.seat], entry.spent or 0, passed)
        alone = self.live and entry.kind == "play"  # in a race the other hand's choice stands
        for one in self.chairs.values():
            if one is chair or not alone:
                one.ticket += 1
        if entry.kind != "time":
            self.offer = None
        if self.match.phase == "race" and self._new_race(before):
            self.ready, self.started, self.logged_ms = set(), False, 0

    def _new_race(self, before: Match) -> bool:
        return before.phase != "race" or any(event[:2] == ("-", "race") for event in self.match.events)

    def _arranged(self, entry: LogEntry) -> None:
        """What concerns the people at the table, not the board."""
        self.seated += 1
        if entry.kind == "ready" and entry.seat is not None:
            self.ready.add(entry.seat)
        elif entry.kind == "start":
            self.started = True
        elif entry.kind == "offer" and entry.seat is not None:
            self.offer = (entry.seat, entry.action or "")
        elif entry.kind == "decline":
            self.offer = None
        elif entry.kind == "sit" and entry.seat is not None:
            self._sat(entry.seat, entry)
        elif entry.kind == "begin":
            self._begin()
        elif entry.kind == "again" and entry.seat is not None:
            self.again_by.add(entry.seat)
        elif entry.kind == "again":
            self.again_match = entry.action
        elif entry.kind == "seat" and entry.seat is not None:
            chair = self.chairs[entry.seat]
            kind, _, player = (entry.action or "").partition(":")
            chair.kind, chair.player, chair.missed = kind, player or None, 0
            chair.ticket += 1

    def _sat(self, seat: Seat, entry: LogEntry) -> None:
        """A free seat is taken, or a player is there for the first time."""
        chair = self.chairs[seat]
        if chair.kind == "open":
            chair.kind, chair.name, chair.token = "person", entry.name or "", entry.token
        self.met.add(seat)
        if entry.entropy is not None:
            self.entropy[seat] = entry.entropy

    def _begin(self) -> None:
        """Everybody is there: what the lots decide is settled (CN-50, MK-25)."""
        self.begun = True
        setup = self.setup
        if setup.secret is None:
            return
        mixed = {seat: self.entropy[seat] for seat in self.chairs if seat in self.entropy}
        self.lots = Lots(setup.secret, setup.id, mixed)
        self.seed = self.lots.seed()
        self._stand(rules.start(setup, self.seed, self.lots.first(self.match.seats) if setup.first is None else setup.first))

    def replay(self, entries: Iterable[LogEntry]) -> None:
        """Fold a whole log. ``BadRecord`` names the entry that does not fit, ``RulesVersion`` one by rules that are not here."""
        for number, entry in enumerate(entries, start=1):
            if entry.rules_version != self.setup.rules_version:
                raise rules.RulesVersion(
                    f"entry {number} of match {self.setup.id} was played by version {entry.rules_version} of the rules, "
                    f"the match by version {self.setup.rules_version}"
                )
            try:
                again = self.fold(entry, entry.version)
            except MuangError as error:
                raise BadRecord(f"the log of match {self.setup.id} does not replay: {error}", entry=number) from error
            if entry.hash and again.hash != entry.hash:
                raise BadRecord(f"the log of match {self.setup.id} leads to another state than was written", entry=number)

    def public_entries(self) -> list[LogEntry]:
        """The log without what must stay hidden: simultaneous choices that wait for the other seat's."""
        chosen = set(self.match.view().get("chosen", ()))
        shown: list[LogEntry] = []
        for entry in reversed(self.entries):
            if chosen and entry.kind == "play" and entry.seat in chosen:
                chosen.discard(entry.seat)
                continue
            shown.append(entry)
        return shown[::-1]
