"""A room with a hand-driven clock: what tests of rooms share. Keeps the log as a store would, and every frame of every screen."""

from __future__ import annotations

from typing import Any

from muang.rooms import Command, Computed, Join, Order, Outcome, Part, Play, Resync, Room, Timing
from muang.search.players import player
from muang.wire import CommandFrame, LogEntry, PlayFrame, SeatSetup, Setup, TableFrame, encode, hash_token

TIMING = Timing(countdown=3000, roll=400, no_move=1600, drop=3000, max_lag=250, away=10**9, probe=0, rare_probe=0)
"""People may be away for ever, and nobody is probed; tests of these say otherwise."""
SEATS: dict[str, tuple[Any, ...]] = {"mak-khum": ("S", "N"), "abalalae": ("S", "N"), "ca-ngua": (0, 2)}


def setup(
    game: str = "mak-khum",
    ruleset: str | None = None,
    pace: str = "lockstep",
    seed: int = 7,
    computers: str = "",
    seats: Any = None,
    **options: Any,
) -> Setup:
    """A match whose seat X is held by the token "token-X"; seats in ``computers`` (``"N"``, ``"2"``) are greedy."""
    from muang.games.core import game as build

    of = build(game, ruleset, **options)
    people = []
    for seat in seats or SEATS[game]:
        if str(seat) in computers:
            people.append(SeatSetup(seat=seat, kind="computer", player="greedy"))
        else:
            people.append(SeatSetup(seat=seat, kind="person", name=f"P{seat}", token=hash_token(f"token-{seat}")))
    return Setup(
        id="test", game=game, ruleset=of.ruleset, options=of.options, pace=pace, seed=seed, seats=tuple(people), first=people[0].seat
    )


class Desk:
    """A room, its clock and its log."""

    def __init__(self, of: Setup, room: Room | None = None, now: int = 1_000_000) -> None:
        self.setup, self.now = of, now
        self.room = room or Room.create(of, TIMING)
        self.log: list[LogEntry] = list(self.room.state.entries)
        self.told: dict[int, list[Any]] = {}
        self.sent: list[Any] = []
        self.numbers: dict[int, int] = {}
        self.tables = False
        """Whether frames about the people at the table are kept."""

    def take(self, outcome: Outcome) -> list[Any]:
        self.log += outcome.entries
        assert self.log == self.room.state.entries
        self.sent = []
        for outgoing in outcome.frames:
            encode(outgoing.frame)
            if isinstance(outgoing.frame, TableFrame) and not self.tables:
                continue
            self.sent.append(outgoing.frame)
            for screen in [outgoing.to] if outgoing.to is not None else list(self.told):
                self.told.setdefault(screen, []).append(outgoing.frame)
        return self.sent

    def do(self, command: Command) -> list[Any]:
        return self.take(self.room.handle(command, self.now))

    def join(self, screen: int, *seats: Any, client: str | None = None) -> list[Any]:
        self.told.setdefault(screen, [])
        self.numbers.setdefault(screen, 0)
        return self.do(Join(screen, client or f"client{screen}", tuple(f"token-{seat}" for seat in seats)))

    def part(self, screen: int) -> list[Any]:
        return self.do(Part(screen))

    def number(self, screen: int) -> int:
        self.numbers[screen] += 1
        return self.numbers[screen]

    def play(
        self, screen: int, seat: Any, action: str, version: int | None = -1, at: float | None = None, n: int | None = None
    ) -> list[Any]:
        """``version`` -1: the present one."""
        seen = self.room.version if version == -1 else version
        return self.do(Play(screen, PlayFrame(n=n or self.number(screen), seat=seat, version=seen, action=action, at=at)))

    def order(self, screen: int, seat: Any, name: Any, about: Any = None) -> list[Any]:
        return self.do(Order(screen, CommandFrame(n=self.number(screen), seat=seat, name=name, about=about)))

    def resync(self, screen: int) -> list[Any]:
        return self.do(Resync(screen))

    def wait(self, ms: int) -> list[Any]:
        """Let time pass, stopping at every deadline as a server would."""
        end, sent = self.now + ms, []
        while (due := self.room.next_deadline(self.now)) is not None and due <= end:
            self.now = max(self.now, due)
            sent += self.take(self.room.tick(self.now))
        self.now = end
        self.sent = sent + self.take(self.room.tick(self.now))
        return self.sent

    def compute(self) -> list[Any]:
        """Let the computer that is due first make its choice, at its time."""
        want = min(self.room.wanted(self.now), key=lambda one: one.due)
        sent = self.wait(max(0, want.due - self.now))
        again = [one for one in self.room.wanted(self.now) if one.seat == want.seat and one.ticket == want.ticket]
        if again:
            action = player(want.player).choose(self.room.shown, want.seat, self.setup.seed, want.n)
            sent = sent + self.do(Computed(want.seat, want.ticket, action))
        return sent

    def again(self) -> Desk:
        """The server was killed: a new room from the log, a moment later, with nobody there."""
        return Desk(self.setup, Room.replay(self.setup, self.log, TIMING), self.now + 60_000)

    def start_race(self, *screens_and_seats: tuple[int, Any]) -> None:
        for screen, seat in screens_and_seats:
            self.order(screen, seat, "start")
        self.wait(TIMING.countdown)
        assert self.room.state.started

    @property
    def line(self) -> str:
        return str(self.room.shown.position)


def kinds(frames: list[Any]) -> list[str]:
    return [frame.type for frame in frames]


def error(frames: list[Any]) -> Any:
    """The only error among the frames; nothing else must have been sent."""
    assert kinds(frames) == ["error"], frames
    return frames[0]


def events(frames: list[Any]) -> list[tuple[Any, ...]]:
    return [tuple(event) for frame in frames if frame.type == "event" for event in frame.events]


def same_state(one: Room, other: Room) -> bool:
    """Whether two rooms have come to the same state (versions and screens aside)."""

    def of(room: Room) -> tuple[Any, ...]:
        state = room.state
        chairs = tuple((c.seat, c.kind, c.player, c.missed, c.plays, c.ticket) for c in state.chairs.values())
        return (
            str(state.match.position), state.match.phase, state.match.view(), state.hash, chairs, state.ready, state.started,
            state.logged_ms, state.offer, state.rolls, state.changed, state.seen, state.entries,
        )  # fmt: skip

    return of(one) == of(other)
