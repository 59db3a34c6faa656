"""Owns what players may ask of the table: begin the race, resign, draw, take back, let the computer sit in. Knows nothing of time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from muang.errors import BadAction, IllegalAction
from muang.games.core import Match, Seat
from muang.i18n import N_
from muang.rooms import meeting, waiting
from muang.wire import CommandFrame, LogEntry, NoticeFrame

if TYPE_CHECKING:
    from muang.rooms.people import Screen
    from muang.rooms.room import Room

__all__ = ["carry_out"]

SITS_IN = "level-3"
"""Who plays for somebody who is away: neither a present to the other side nor a master."""


def carry_out(room: Room, screen: Screen, frame: CommandFrame, now: int) -> None:
    """Do what the command asks. ``MuangError`` says why not; nothing changed then."""
    if frame.name == "rematch":
        meeting.wants_again(room, frame.seat, (screen.client, frame.n), now)
        return
    if room.shown.phase == "over":
        raise IllegalAction("the match is over")
    if frame.name == "fill":
        meeting.fill(room, frame.about, frame.player, (screen.client, frame.n), now)
        return
    if not room.state.begun:
        raise IllegalAction("the match has not begun: not everybody is there yet")
    order = _Orders(room, screen, frame, now)
    match frame.name:
        case "start":
            order.start()
        case "resign":
            order.leave(order.seat, "resigned")
        case "draw":
            order.offer("draw")
        case "draw-accept":
            order.accept("draw")
        case "takeback":
            order.offer("takeback")
        case "takeback-accept":
            order.accept("takeback")
        case "decline":
            order.decline()
        case "sit-in":
            order.record("seat", order.absent(), f"computer:{SITS_IN}")
        case "claim":
            order.leave(order.absent(), "left")
        case "return":
            order.come_back()


class _Orders:
    def __init__(self, room: Room, screen: Screen, frame: CommandFrame, now: int) -> None:
        self.room, self.state, self.screen, self.frame, self.now = room, room.state, screen, frame, now
        self.seat: Seat = frame.seat
        self.numbered = False

    def record(self, kind: str, seat: Seat | None = None, action: str | None = None) -> None:
        """Log an entry; the first one of a command carries the client's number."""
        fields: dict[str, object] = {"kind": kind, "seat": seat, "action": action}
        if not self.numbered:
            fields |= {"client": self.screen.client, "n": self.frame.n}
        self.room.record(LogEntry.model_validate(fields), self.now)
        self.numbered = True

    def people(self) -> list[Seat]:
        """The seats of other people, who have to be asked: not at this screen; also of those who are away."""
        theirs = (seat for seat, chair in self.state.chairs.items() if chair.kind == "person" or chair.token is not None)
        return [seat for seat in theirs if seat not in self.screen.seats]

    # ── the race ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def start(self) -> None:
        """Ready for the race: everybody at this screen is (MK-20; AB-20)."""
        if not self.state.live or self.state.started:
            raise IllegalAction("there is no race to begin", clause="MK-20")
        for seat in (self.seat, *self.screen.seats):
            if seat not in self.state.ready and self.state.chairs[seat].kind == "person":
                self.record("ready", seat)
        if not self.room.awaiting() and not self.room.counting:
            waiting.count_down(self.room, self.now)

    # ── leaving ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def leave(self, seat: Seat, reason: str) -> None:
        """MK-56, CN-31."""
        self.room.shown.leave(seat, reason)
        self.room.log_moment(self.now)
        self.record("leave", seat, reason)

    def absent(self) -> Seat:
        """The absent seat that the command is about (MK-26, CN-42)."""
        about = self.frame.about
        gone = [seat for seat, chair in self.state.chairs.items() if chair.kind == "absent"]
        if about not in gone:
            raise IllegalAction(f"seat {about} is not absent", clause="MK-26", allowed=gone)
        return about

    def come_back(self) -> None:
        """A player takes its own seat back."""
        if self.state.chairs[self.seat].kind == "person":
            raise IllegalAction("you are in your seat")
        self.record("seat", self.seat, "person")

    # ── agreements ───────────────────────────────────────────────────────────────────────────────────────────────────────────

    def offer(self, about: str) -> None:
        """Offer a draw or ask for a takeback (MK-56). With nobody else to ask it happens at once; computers refuse draws."""
        turns = self._possible(about, self.seat)
        if self.state.offer is not None and self.state.offer[1] == about and self.state.offer[0] not in self.screen.seats:
            self.accept(about)
        elif self.people():
            self.record("offer", self.seat, about)
        elif about == "takeback" or all(chair.kind == "person" for chair in self.state.chairs.values()):
            self._settle(about, turns)
        else:
            other = next(seat for seat, chair in self.state.chairs.items() if chair.kind != "person")
            self.room.send(NoticeFrame(say=[(N_("{seat} declines the draw."), {"seat": other})]))

    def accept(self, about: str) -> None:
        """Agree to the other player's offer."""
        offer = self.state.offer
        if offer is None or offer[1] != about or offer[0] == self.seat:
            raise IllegalAction(f"there is no {about} to accept", clause="MK-56")
        self._settle(about, self._possible(about, offer[0]))

    def decline(self) -> None:
        """Refuse an offer, or withdraw the own one."""
        if self.state.offer is None:
            raise IllegalAction("there is no offer to decline", clause="MK-56")
        self.record("decline", self.seat, self.state.offer[1])

    def _possible(self, about: str, asker: Seat) -> int:
        """Whether it can be done at all; for a takeback, how many turns back the asker's own last turn lies."""
        match = self.room.shown
        if about == "draw":
            match.agree_draw()
            return 0
        if match.phase == "race":
            raise IllegalAction("a race cannot be taken back", clause="MK-56")
        return _turns_back(match, asker)

    def _settle(self, about: str, turns: int) -> None:
        if about == "draw":
            self.room.log_moment(self.now)
            self.record("draw")
            return
        for _ in range(turns):
            self.record("takeback", self.seat)


def _turns_back(match: Match, asker: Seat) -> int:
    """How many turns to take back until it is the asker's turn again. ``IllegalAction`` if it has none to take back."""
    for turns in range(1, 1000):
        match = match.take_back()
        if match.phase == "race":
            raise IllegalAction("a race cannot be taken back", clause="MK-56")
        if match.turn == asker:
            return turns
    raise BadAction(f"seat {asker} has no turn to take back")
