"""Owns what a screen knows of its match: the last frames put together, and what follows from them. Draws nothing, decides nothing.

The same as the page's ``session.js``: everything is read from frames, and time is the terminal's own monotonic clock in ms.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from muang.games.core import Seat
from muang.i18n import translate
from muang.tui import words
from muang.tui.fold import Board
from muang.wire.told import EventFrame, RaceClockView, SeatView, StateFrame, TableView

__all__ = ["STEPS", "Said", "Scene", "Session", "clock"]

STEPS = ("drop", "slip")
CALM_MS = 700
"""How long after a race nothing can be chosen."""
Said = Sequence[tuple[str, Mapping[str, Any]]]


def clock() -> float:
    """The terminal's own clock in ms; it never goes back."""
    return time.monotonic() * 1000


@dataclass
class Scene:
    """Something that happened, with the views around it. ``live``: in time, waits for nothing; ``plain``: shown at once, without motion."""

    before: Mapping[str, Any]
    after: Mapping[str, Any]
    events: Sequence[Sequence[Any]] = ()
    say: Said = ()
    seat: Seat | None = None
    live: bool = False
    plain: bool = False
    version: int = 0
    """Of the match after it."""
    board: Board | None = None
    """The board as it stood when the scene had been seen, with its marks and the numbers of its horses."""


@dataclass
class Session:
    """A match as this screen knows it."""

    lang: str
    view: dict[str, Any] = field(default_factory=dict)
    seats: list[SeatView] = field(default_factory=list)
    layout: dict[str, Any] = field(default_factory=dict)
    awaiting: list[Seat] = field(default_factory=list)
    offer: dict[str, Any] | None = None
    limits: dict[str, float] = field(default_factory=dict)
    """Seat → when its time to choose is over, on this screen's clock."""
    exact: list[Seat] = field(default_factory=list)
    table: TableView = field(default_factory=TableView)
    table_at: float = 0.0
    """When the table was told, on this screen's clock."""
    version: int = 0
    running: bool = False
    """Whether the clock of a race runs; it shows ``race_ms``, or began at ``zero`` of this screen's clock."""
    race_ms: float = 0.0
    zero: float = 0.0
    calm_until: float = 0.0
    """Until when, after a race, nothing can be chosen."""
    begins: float | None = None
    """When the race begins or goes on, on this screen's clock."""

    # ── frames ───────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def take_state(self, frame: StateFrame) -> None:
        """Everything is told anew."""
        self.seats, self.layout = frame.seats, frame.layout
        self._take(frame, frame.table)
        self.begins = None if frame.countdown is None else clock() + frame.countdown

    def take_event(self, frame: EventFrame) -> None:
        """Something happened."""
        if frame.seats is not None:
            self.seats = frame.seats
        self._take(frame, frame.table)

    def _take(self, frame: StateFrame | EventFrame, table: TableView | None) -> None:
        raced = self.racing and self.running
        self.version, self.view = frame.version, frame.match
        self.awaiting, self.offer, self.exact = list(frame.awaiting), frame.offer, list(frame.exact)
        now = clock()
        self.limits = {seat: now + ms for seat, ms in frame.clock.items()}
        self._race(frame.race_clock, now)
        if raced and not self.racing:
            self.calm_until = now + CALM_MS
        if table is not None:
            self.take_table(table)

    def take_table(self, table: TableView) -> None:
        """The people at the table have changed."""
        self.table, self.table_at = table, clock()

    def _race(self, told: RaceClockView | None, now: float) -> None:
        self.running, self.race_ms = (told.running, told.ms) if told else (False, 0)
        if self.running:
            self.zero, self.begins = now - self.race_ms, None

    def go(self, now: float) -> bool:
        """Let the race begin if its moment has come; everybody has the same moment, so nobody waits to be told."""
        if self.begins is None or now < self.begins:
            return False
        self.running, self.zero, self.begins = True, self.begins - self.race_ms, None
        return True

    # ── what follows ─────────────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def horses(self) -> bool:
        """Whether it is Cờ cá ngựa."""
        return bool(self.view.get("game") == "ca-ngua")

    @property
    def over(self) -> bool:
        return bool(self.view.get("phase") == "over")

    @property
    def meeting(self) -> bool:
        """Seats are free, or not everybody has been here yet: nothing can be played."""
        return self.table.stage == "meeting"

    @property
    def racing(self) -> bool:
        """A race in time, in which nothing waits for an animation."""
        return bool(self.view.get("phase") == "race" and self.view.get("pace") != "lockstep")

    @property
    def by_hand(self) -> bool:
        """Whether every seed is the player's own act."""
        return bool(self.view.get("pace") == "by_hand" and not self.horses)

    @property
    def waits_to_race(self) -> bool:
        """A race that waits for somebody to say that it may begin."""
        return self.racing and not self.meeting and not self.running and self.begins is None and bool(self.awaiting)

    @property
    def duel(self) -> bool:
        """Two people share the keyboard in a race in time."""
        return self.racing and len(self.mine()) > 1

    def race_time(self) -> float:
        """Ms since the race began."""
        return clock() - self.zero if self.running else self.race_ms

    def info(self, seat: Seat) -> SeatView | None:
        """Who sits there."""
        return next((one for one in self.seats if one.seat == seat), None)

    def mine(self) -> list[Seat]:
        """The seats that this screen plays, people only."""
        return [one.seat for one in self.seats if one.yours and one.kind != "computer"]

    def apart(self) -> bool:
        """Whether people play from other screens, or may come: also back to a seat that has their name."""
        return any((one.kind != "computer" or one.name) and not one.yours for one in self.seats)

    def legal(self, seat: Seat) -> list[str]:
        """What a seat may do now."""
        if self.meeting or seat not in self.view["to_act"]:
            return []
        return list(self.view["legal"].get(str(seat), ()))

    def acting(self) -> list[Seat]:
        """The seats of this screen that have to act now; in a race at lockstep the one whose hidden choice is due first."""
        view = self.view
        if not view or self.over or self.meeting:
            return []
        due = [seat for seat in self.mine() if seat in view["to_act"]]
        if not self.horses and view["phase"] == "race" and view["pace"] == "lockstep":
            return [seat for seat in due if seat not in view["chosen"]][:1]
        return due

    def hint_seat(self) -> Seat | None:
        """The seat of this screen that a hint would be about now; none where a hint would harm people at other screens."""
        if self.apart():
            return None
        return next((seat for seat in self.acting() if any(action not in STEPS for action in self.legal(seat))), None)

    def horse_moves(self) -> list[dict[str, Any]]:
        """What may be done with the roll, in the order of CN-40; passing (an extra move) comes last."""
        turn = self.view["turn"]
        legal = [] if turn is None else self.view["legal"].get(str(turn), [])
        moves = [dict(move) for move in self.view["moves"] if move["action"] in legal]
        if "pass" in legal and all(move["action"] != "pass" for move in moves):
            moves.append({"action": "pass", "from": "", "to": "", "kicks": None})
        return moves

    def called(self) -> dict[Seat, str]:
        """Seat → the name of the person who sits there, where there is one."""
        return {one.seat: one.name for one in self.seats if one.name and one.kind != "computer"}

    def name(self, seat: Seat) -> str:
        """The player's name, or South, Red …"""
        return self.called().get(seat) or words.seat_name(seat, self.lang)

    def aside(self, seat: Seat, short: bool = False) -> str:
        """What stands beside the name: the computer player (``short``: no more than which), that somebody is away, or nothing."""
        info = self.info(seat)
        if info is None:
            return ""
        if info.kind == "computer":
            player = words.player_name(info.player or "", self.lang)
            return player if short else translate("computer, {player}", self.lang, player=player)
        if info.kind in ("absent", "open"):
            return translate("absent" if info.kind == "absent" else "free", self.lang)
        return words.seat_name(seat, self.lang) if info.name else ""

    def tell(self, said: Said) -> str:
        """Sentences in the language of this screen."""
        return words.tell(said, self.lang, self.called())

    def standing(self, seat: Seat) -> str:
        """What a seat is to do, in a word or two."""
        msgid, args = self._standing(seat)
        return translate(msgid, self.lang, **args) if msgid else ""

    def _standing(self, seat: Seat) -> tuple[str, dict[str, Any]]:
        view, info = self.view, self.info(seat)
        computer = info is not None and info.kind == "computer"
        mine, shared = seat in self.mine(), len(self.mine()) > 1
        if self.meeting:
            here = computer or mine or seat in self.table.here
            return ("free" if info and info.kind == "open" else "ready" if here else "not here yet"), {}
        if self.over:
            return ("has won" if view["result"] and view["result"]["winner"] == seat else ""), {}
        move = "thinks" if computer else "your move" if mine and not shared else "to move"
        if self.horses:
            if seat in view["left"]:
                return "has left", {}
            return ("" if view["turn"] != seat else "rolls" if view["phase"] == "roll" else move), {}
        hand = view["hands"].get(str(seat))
        held = ("{count} in the hand", {"count": hand["seeds"]}) if hand else None
        if self.racing:
            if not self.running:
                return ("" if seat in self.awaiting else "ready"), {}
            chooses = ("choose a hole!" if mine else "chooses") if self.legal(seat) else "waits"
            return held or (chooses, {})
        if view["phase"] == "race":
            return self._hidden(seat, computer), {}
        return ("", {}) if view["turn"] != seat else held or (move, {})

    def _hidden(self, seat: Seat, computer: bool) -> str:
        """What a seat is to do in a race at lockstep, where choices are hidden until both are made."""
        view, shared = self.view, len(self.mine()) > 1
        if seat in view["chosen"]:
            return "has chosen"
        secret = shared and len(view["to_act"]) + len(view["chosen"]) > 1
        if seat in self.acting():
            return "chooses in secret" if secret else "to choose" if shared else "your choice"
        if seat in view["to_act"]:
            return "thinks" if computer else "looks away" if secret else "waits"
        return "waits"
