"""Owns a match of a sowing game: whose choice it is, what an action leads to, how rounds follow each other. Sows nothing itself.

A match never changes. In turns only board, chooser and quiet count move, so ``play`` is one copy of the board and one kernel call;
everything that happens once a round takes the slower road. Events are told on demand: the walk is replayed with a trace.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from muang.errors import BadAction, IllegalAction
from muang.games.core import Entry, Event, Match, Result, Seat
from muang.games.sowing import kernel, lockstep, rounds
from muang.games.sowing.game import Round, SowingGame
from muang.games.sowing.layout import SEATS, TURN
from muang.games.sowing.live import FOREVER, Input, LiveRace, rows_to_events

__all__ = ["SowingMatch", "new_match"]

REASONS = ("left", "resigned", "flag")


class Setup:
    """What stays the same through a match, with the look-ups that ``play`` needs."""

    __slots__ = ("by_hand", "chances", "first", "game", "holes", "limit", "live", "min_gap", "names", "pace", "rules", "seed", "tempo")

    def __init__(self, game: SowingGame, seed: int, pace: str, tempo: int, min_gap: int, first: int) -> None:
        self.game, self.seed, self.pace, self.tempo, self.min_gap, self.first = game, seed, pace, tempo, min_gap, first
        layout = game.layout
        self.rules = game.record
        self.names = layout.names
        self.by_hand = pace == "by_hand"
        self.live = pace != "lockstep"
        self.limit = int(game.limits[rounds.QUIET])
        self.holes = game.holes
        self.chances = game.chances

    def choices(self, seat: int, mask: int) -> tuple[str, ...]:
        """The names of the holes in a mask."""
        found = self.chances.get((seat, mask))
        if found is None:
            layout = self.game.layout
            found = tuple(self.names[layout.base(seat) + i] for i in range(layout.holes) if mask >> i & 1)
            self.chances[seat, mask] = found
        return found


class SowingMatch(Match):
    """A match of Mak Khum or Abalala'e as it stands."""

    __slots__ = (
        "_after", "_before", "_board", "_can", "_hands", "_input", "_live", "_lockstep", "_mask", "_mode", "_outcome", "_picks",
        "_previous", "_quiet", "_round", "_setup", "_taken", "_turn", "_turns", "_walk",
    )  # fmt: skip

    _setup: Setup
    _round: Round
    _previous: SowingMatch | None
    _input: tuple[str, int | None, str | None, int | None] | None  # kind, seat, action, ms
    _board: NDArray[np.uint8]
    _mode: str  # race, turn, over
    _turn: int
    _mask: int
    _quiet: int
    _turns: int
    _hands: NDArray[np.int64] | None  # a hand under way in turns at by_hand, or both in a lockstep race
    _taken: bool  # something was captured by the hand under way
    _lockstep: NDArray[np.int64] | None  # the race at lockstep, as `lockstep` keeps it
    _live: LiveRace | None  # the race at a live pace
    _picks: tuple[str, ...]  # lockstep: the holes chosen in this race, in the order in which they were played
    _outcome: Result | None
    _can: tuple[tuple[str, ...], tuple[str, ...]] | None  # a race: what both can do, once somebody has asked
    _walk: tuple[NDArray[np.uint8], int, int] | None  # board before, seat, place: events still to be told
    _before: tuple[Event, ...]  # events told at once: before the walk …
    _after: tuple[Event, ...]  # … and after it

    # ---------------------------------------------------------------- what it is
    @property
    def game(self) -> SowingGame:  # type: ignore[override]
        return self._setup.game

    @property
    def seed(self) -> int:  # type: ignore[override]
        return self._setup.seed

    @property
    def pace(self) -> str:  # type: ignore[override]
        return self._setup.pace

    @property
    def tempo(self) -> int:
        """ms between two drops of a hand at ``steady``."""
        return self._setup.tempo

    @property
    def min_gap(self) -> int:
        """ms within which a second step of a hand at ``by_hand`` is void."""
        return self._setup.min_gap

    @property
    def first(self) -> str:  # type: ignore[override]
        return SEATS[self._setup.first]

    @property
    def seats(self) -> tuple[Seat, ...]:  # type: ignore[override]
        return SEATS

    @property
    def phase(self) -> str:
        return self._mode

    @property
    def turn(self) -> Seat | None:
        return SEATS[self._turn] if self._mode == "turn" else None

    @property
    def round(self) -> int:
        """The number of the round, from 1."""
        return self._round.number

    @property
    def result(self) -> Result | None:
        return self._outcome

    @property
    def ms(self) -> int | None:
        """The ms that a live race has reached; None outside one."""
        return None if self._live is None else self._live.now

    @property
    def next_due(self) -> int | None:
        return None if self._live is None else self._live.next_due

    @property
    def to_act(self) -> tuple[Seat, ...]:
        if self._mode == "turn":
            return (SEATS[self._turn],)
        if self._mode == "race":
            south, north = self._both_choices()
            return SEATS if south and north else SEATS[:1] if south else SEATS[1:] if north else ()
        return ()

    def legal(self, seat: Seat) -> tuple[str, ...]:
        if self._mode == "turn":
            if seat != SEATS[self._turn]:
                if seat in SEATS:
                    return ()
                raise _no_seat(seat)
            if self._hands is None:
                return self._setup.choices(self._turn, self._mask)
            return ("drop", "slip") if self._faces_widow() else ("drop",)
        if seat not in SEATS:
            raise _no_seat(seat)
        return self._both_choices()[SEATS.index(str(seat))] if self._mode == "race" else ()

    def _both_choices(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        if self._can is None:
            self._can = (self._race_choices(0), self._race_choices(1))
        return self._can

    def _race_choices(self, seat: int) -> tuple[str, ...]:
        if self._live is not None:
            return tuple(self._live.possible(seat))
        race = self._lockstep
        assert race is not None
        assert self._hands is not None
        if self._hands[seat, 1] > 0 or race[lockstep.DEAD + seat] or race[lockstep.PICK + seat] >= 0:
            return ()
        other = 1 - seat
        waits_for_other = race[lockstep.STEPPER] != seat and not (
            self._hands[other, 1] == 0 and not race[lockstep.DEAD + other] and kernel.row_mask(self._setup.rules, self._board, other)
        )
        return () if waits_for_other else self._setup.choices(seat, kernel.row_mask(self._setup.rules, self._board, seat))

    def _faces_widow(self) -> bool:
        assert self._hands is not None
        following = int(self._setup.rules[0]["next"][self._turn, self._hands[self._turn, 0]])
        return bool(self.game.options.get("slips")) and bool(self._round.widows >> following & 1)

    # ---------------------------------------------------------------- moving on
    def _next(self, board: NDArray[np.uint8], entry: tuple[str, int | None, str | None, int | None] | None) -> SowingMatch:
        m = object.__new__(SowingMatch)
        m._setup = self._setup
        m._round = self._round
        m._previous = self
        m._input = entry
        m._board = board
        m._mode = self._mode
        m._turn = self._turn
        m._mask = self._mask
        m._quiet = self._quiet
        m._turns = self._turns
        m._hands = None
        m._taken = False
        m._lockstep = None
        m._live = None
        m._picks = ()
        m._outcome = m._can = None
        m._walk = None
        m._before = m._after = ()
        return m

    def play(self, seat: Seat, action: str, at: int | None = None) -> SowingMatch:
        s = self._setup
        hole = s.holes.get(action) if type(action) is str else None
        if (
            self._mode != "turn"
            or s.by_hand
            or hole is None
            or seat != SEATS[self._turn]
            or hole[0] != self._turn
            or not self._mask >> hole[1] & 1
        ):
            return self._play_checked(seat, action, at)
        board = self._board.copy()
        code = kernel.turn(s.rules, board, self._turn, hole[2], self._round.widows)
        m = self._next(board, ("play", self._turn, action, None))
        m._walk = (self._board, self._turn, hole[2])
        m._settle(code, bool(code & 0x20000))
        return m

    def _play_checked(self, seat: Seat, action: str, at: int | None) -> SowingMatch:
        if seat not in SEATS:
            raise _no_seat(seat)
        if not isinstance(action, str) or (action not in self._setup.holes and action not in ("drop", "slip")):
            allowed = (*self._setup.holes, "drop", "slip")
            raise BadAction(f"cannot read the action {str(action)[:40]!r}", clause="MK-10", allowed=allowed)
        if at is not None and (type(at) is not int or not 0 <= at < 1 << 40):
            raise BadAction(f"the time of an action cannot be {at!r}", clause="MK-24", allowed=("whole ms from 0",))
        if self._mode == "over":
            raise IllegalAction("the match is over", clause="MK-50")
        who = SEATS.index(str(seat))
        if self._mode == "race":
            return self._play_live(who, action, at) if self._setup.live else self._play_lockstep(who, action)
        if who != self._turn:
            raise IllegalAction(f"it is {SEATS[self._turn]}'s turn, not {seat}'s", clause="MK-40", allowed=self.legal(SEATS[self._turn]))
        if action not in self.legal(seat):
            raise self._refusal(who, action)
        return self._play_by_hand(who, action)

    def _refusal(self, seat: int, action: str) -> IllegalAction:
        """Why a readable action is not legal in turns, by the clause that says so."""
        allowed = self.legal(SEATS[seat])
        cyclic = self._setup.game.name == "abalalae"
        if action == "slip":
            if self._setup.by_hand and self._hands is not None:
                return IllegalAction("the next place on the path is no widow, so nothing can slip", clause="MK-44", allowed=allowed)
            return IllegalAction("a slip needs a hand under way at by_hand", clause="MK-44", allowed=allowed)
        if action == "drop":
            if self._setup.by_hand:
                return IllegalAction("the hand is empty: choose a hole first", clause="MK-24", allowed=allowed)
            return IllegalAction("walks run by themselves in turns unless the pace is by_hand", clause="MK-24", allowed=allowed)
        if self._hands is not None:
            return IllegalAction("the hand still holds seeds", clause="MK-24", allowed=allowed)
        owner, _, place = self._setup.holes[action]
        if owner != seat:
            return IllegalAction(f"{action} is not a hole of {SEATS[seat]}", clause="AB-30" if cyclic else "MK-10", allowed=allowed)
        if self._round.widows >> place & 1:
            return IllegalAction(f"{action} is a widow", clause="MK-43", allowed=allowed)
        if self._board[place] == 0:
            return IllegalAction(f"{action} is empty", clause="AB-30" if cyclic else "MK-10", allowed=allowed)
        return IllegalAction(f"the walk from {action} would never end", clause="AB-45", allowed=allowed)

    def _play_by_hand(self, seat: int, action: str) -> SowingMatch:
        """MK-24: in turns at ``by_hand`` every seed is an action."""
        s = self._setup
        board = self._board.copy()
        m = self._next(board, ("play", seat, action, None))
        hands = np.zeros((2, 3), np.int64) if self._hands is None else self._hands.copy()
        trace = np.empty((8, 4), np.int16)
        state, taken = kernel.WALKING, 0
        if action == "drop":
            state, taken, n = kernel.advance(s.rules, board, hands, seat, TURN, 1, self._round.widows, trace, 0)
        elif action == "slip":
            state, n = kernel.slip(s.rules, board, hands, seat, trace, 0)
        else:
            n = kernel.lift(board, hands, seat, s.holes[action][2], trace, 0)
        m._before = tuple(rows_to_events(trace[:n], s.names))
        captured = self._taken or taken > 0
        if state == kernel.WALKING:
            m._hands, m._taken = hands, captured
        else:
            m._settle(kernel.after_walk(s.rules, board, hands, seat, state, self._round.widows), captured)
        return m

    def _settle(self, code: int, captured: bool) -> None:
        """After a whole walk: the next chooser, or the round's end."""
        seat = code >> 16 & 1
        if seat != self._turn or code & 0x80000:
            self._turns += 1
        self._turn, self._mask = seat, code & 0xFFFF
        limit = self._setup.limit
        if limit:
            self._quiet = 0 if captured else self._quiet + 1
        if code & 0x80000:
            self._end_round("empty")
        elif limit and self._quiet >= limit:
            self._end_round("quiet")
        elif not self._mask:
            self._pass(1)

    def _pass(self, passes: int) -> None:
        """AB-45: the seat on turn has seeds and only endless walks."""
        s = self._setup
        self._after += ((SEATS[self._turn], "pass"),)
        self._turns += 1
        self._quiet += 1
        self._turn = 1 - self._turn
        if self._quiet >= s.limit:
            self._end_round("quiet")
        elif passes == 2:
            self._end_round("endless")
        else:
            self._mask = kernel.legal_mask(s.rules, self._board, np.zeros((2, 3), np.int64), self._turn, self._round.widows)
            if not self._mask:
                self._pass(2)

    # ---------------------------------------------------------------- rounds
    def _begin_round(self) -> None:
        """Race or turns of the round that ``_round`` describes, on the board that lies there."""
        r, s = self._round, self._setup
        self._quiet = self._turns = 0
        if not r.raced:
            self._open(r.first if r.opened is None else r.opened)
            return
        self._mode = "race"
        self._after += (("-", "race", r.number),)
        if s.live:
            slips = bool(s.game.options.get("slips"))
            race = LiveRace(s.game.layout, s.rules, r.widows, s.pace, s.tempo, s.min_gap, slips, r.first, self._board)
            self._live = race
            self._after += tuple(race.begin())
            if race.over:
                self._end_live()
        elif s.rules[0]["race_mode"] == 2:
            race_state = lockstep.new_race(r.first)

            def walk_out(trace: NDArray[np.int16]) -> tuple[int, int]:
                race_state[:] = lockstep.new_race(r.first)
                won, n = lockstep.walk_out(s.rules, self._board, np.zeros((2, 3), np.int64), race_state, r.widows, trace, 0)
                return won, n

            (won, _), events = self._traced(walk_out)
            self._after += events
            self._end_race(tuple(sorted((0, 1), key=lambda seat: int(race_state[lockstep.DEAD + seat]))), won, r.first)
        else:
            self._lockstep, self._hands = lockstep.new_race(r.first), np.zeros((2, 3), np.int64)

    def _traced(self, run: Any) -> tuple[Any, tuple[Event, ...]]:
        """Run a kernel with a trace that is long enough. It changes the board, so a short trace is run again from a copy."""
        rows = 4096
        board = self._board.copy()
        while True:
            trace = np.empty((rows, 4), np.int16)
            result = run(trace)
            if result[1] <= rows:
                return result, tuple(rows_to_events(trace[: result[1]], self._setup.names))
            rows = result[1]
            self._board[:] = board

    def _open(self, seat: int) -> None:
        """Turns begin: the opener chooses, or the round is over at once (MK-30, AB-31)."""
        s = self._setup
        r = self._round
        opened = seat if r.opened is None else r.opened
        self._round = Round(r.number, r.raced, r.first, r.widows, opened, r.deaths, r.past)
        self._mode, self._turn = "turn", seat
        self._clear_race()
        rows = [kernel.row_mask(s.rules, self._board, each) for each in (0, 1)]
        if (s.rules[0]["either_row"] and not all(rows)) or not rows[seat]:
            self._end_round("empty")
            return
        self._after += ((SEATS[seat], "open", r.number),)
        self._mask = kernel.legal_mask(s.rules, self._board, np.zeros((2, 3), np.int64), seat, r.widows)
        if not self._mask:
            self._pass(1)

    def _clear_race(self) -> None:
        self._lockstep = self._live = self._hands = None
        self._picks = ()

    def _end_race(self, deaths: tuple[int, ...] | None, won: int | None, stepped_first: int) -> None:
        """MK-22, AB-22: the race is over; ``won`` moves first in the turns, None where the race was the whole round."""
        r = self._round
        # MK-45 asks who stepped first in a raced round; AB-24 who opened its turns
        opened = stepped_first if self.game.name == "mak-khum" else won
        self._round = Round(r.number, r.raced, r.first, r.widows, opened, deaths, r.past)
        self._clear_race()
        if won is None:
            self._end_round("empty")
        else:
            self._open(won)

    def _end_round(self, end: str) -> None:
        """MK-31, AB-31, AB-44: what is left goes to its own side's store; then the next round or the end of the match."""
        s, r = self._setup, self._round
        layout = s.game.layout
        board = self._board
        seeds = []
        for seat in (0, 1):
            own = layout.own(seat)
            left = int(board[own.start : own.stop].sum())
            board[own.start : own.stop] = 0
            board[layout.store(seat)] += left
            if left:
                self._after += ((SEATS[seat], "sweep", s.names[layout.store(seat)], left),)
            seeds.append(int(board[layout.store(seat)]))
        totals = (seeds[0], seeds[1])
        opener = None if self._mode == "race" else self._opener_of_turns()
        summary = {
            "round": r.number,
            "seeds": dict(zip(SEATS, totals, strict=True)),
            "opener": None if opener is None else SEATS[opener],
            "deaths": None if r.deaths is None else [SEATS[seat] for seat in r.deaths],
            "turns": self._turns,
            "end": end,
        }
        widows = s.game.widow_counts(totals)
        if widows is not None:
            summary["next_widows"] = dict(zip(SEATS, widows, strict=True))
        past = (*r.past, summary)
        self._clear_race()
        winner, reason = s.game.verdict(r.number, totals)
        if winner != rounds.GO_ON:
            self._round = Round(r.number, r.raced, r.first, r.widows, r.opened, r.deaths, past)
            self._finish(s.game.result(None if winner == rounds.DRAW else winner, totals, rounds.REASONS[reason]))
            return
        number = r.number + 1
        raced = s.game.raced(number)
        cells, closed = s.game.refill(totals)
        board[:] = s.game.board(cells)
        first = 1 - r.first if raced and r.raced else r.first  # MK-25
        opens = None if raced else rounds.opener(s.game.limits, *totals, r.first if r.opened is None else r.opened)
        self._round = Round(number, raced, first, closed, opens, None, past)
        self._after += (("-", "round", number),)
        self._begin_round()

    def _opener_of_turns(self) -> int | None:
        """The seat that moved first in this round's turns; None if there were none, or if a position does not tell."""
        r = self._round
        if r.raced and self.game.name == "mak-khum":  # ``opened`` is who stepped first in the race
            return None if r.deaths is None else r.deaths[0]
        return r.opened

    def _finish(self, result: Result) -> None:
        self._mode, self._outcome = "over", result
        self._mask = 0
        self._clear_race()
        self._after += ((result.winner or "-", "win", result.reason),)

    # ---------------------------------------------------------------- races
    def _play_lockstep(self, seat: int, action: str) -> SowingMatch:
        allowed = self.legal(SEATS[seat])
        if action in ("drop", "slip"):
            raise IllegalAction("at lockstep the hands sow by themselves", clause="MK-24", allowed=allowed)
        if not allowed:
            raise IllegalAction(f"{SEATS[seat]} has no choice to make now", clause="MK-24", allowed=[f"{s}: a hole" for s in self.to_act])
        if action not in allowed:
            raise IllegalAction(f"{action} is no hole that {SEATS[seat]} can lift", clause="MK-10", allowed=allowed)
        s, r = self._setup, self._round
        m = self._next(self._board.copy(), ("play", seat, action, None))
        assert self._lockstep is not None
        assert self._hands is not None
        race, hands = self._lockstep.copy(), self._hands.copy()
        race[lockstep.PICK + seat] = s.holes[action][2]
        m._lockstep, m._hands, m._picks = race, hands, (*self._picks, action)
        if race[lockstep.PICK + 1 - seat] >= 0 and race[lockstep.STEPPER] == seat:
            m._picks = (*self._picks[:-1], action, self._picks[-1])  # of two choices made at once, the one that is carried out first
        if len(self.to_act) == 2:  # the other seat chooses before anything is shown
            return m
        saved = race.copy(), hands.copy()

        def run(trace: NDArray[np.int16]) -> tuple[int, int]:
            race[:], hands[:] = saved
            due, n = lockstep.run(s.rules, m._board, hands, race, r.widows, FOREVER, trace, 0)
            return due, n

        _, m._before = m._traced(run)
        if lockstep.race_over(s.rules, m._board, hands, race):
            if s.rules[0]["race_mode"] == 0:
                m._end_race(None, None, r.first)
            else:
                deaths = (0, 1) if race[lockstep.DEAD] == 1 else (1, 0)
                m._end_race(deaths, deaths[0], r.first)
        return m

    def _play_live(self, seat: int, action: str, at: int | None) -> SowingMatch:
        race = self._live
        assert race is not None
        if at is None:
            if action not in race.possible(seat):
                allowed = race.possible(seat)
                why = "cannot do that now" if allowed else "has to wait"
                raise IllegalAction(f"{SEATS[seat]} {why}: {action}", clause="MK-24", allowed=allowed)
            at = race.earliest(seat)
        fresh = race.copy() if at > race.now else None
        if fresh is None:  # late: inserted, and the steps after it are made anew (design: rollback)
            events, fresh = self._again((seat, action, at))
        else:
            events = fresh.drive([(seat, action, at)], at)
        m = self._next(fresh.board, ("play", seat, action, at))
        m._live = fresh
        m._before = tuple(events)
        if fresh.over:
            m._end_live()
        return m

    def _again(self, late: Input) -> tuple[list[Event], LiveRace]:
        """The race with an input that belongs before its present moment; the events are those that differ from what has been told.

        It is driven anew from the last match before that moment, not from the start: taps of two hands often meet at one millisecond.
        """
        old = self._live
        assert old is not None
        m, base, since = self, old, late[2]
        while base.now >= since:
            earlier = m._previous
            if earlier is None or earlier._live is None or earlier._round.number != self._round.number:
                break  # the race's start
            if m._input is not None and m._input[3] is not None:
                since = min(since, m._input[3])
            m, base = earlier, earlier._live
        fresh, before, known = base.copy(), base.copy(), old.inputs[len(base.inputs) :]
        events = fresh.drive([*known, late], old.now)
        told = before.drive(known, old.now)
        same = 0
        while same < min(len(told), len(events)) and told[same] == events[same]:
            same += 1
        if same == len(told):
            return events[same:], fresh
        return [("-", "again", base.told + same), *events[same:]], fresh

    def race_start(self) -> SowingMatch:
        """The match as its race under way began."""
        m = self
        while m._previous is not None and m._previous._round.number == m._round.number and m._previous._mode == "race":
            m = m._previous
        return m

    def _end_live(self) -> None:
        race = self._live
        assert race is not None
        stepped_first = self._round.first if race.stepped_first is None else race.stepped_first
        deaths = tuple(race.deaths) if self._setup.rules[0]["race_mode"] != 0 else None
        self._end_race(deaths, race.winner if deaths is not None else None, stepped_first)

    def at(self, ms: int) -> SowingMatch:
        if type(ms) is not int or ms < 0:
            raise BadAction(f"the time cannot be {ms!r}", clause="MK-24", allowed=("whole ms from 0",))
        race = self._live
        if race is None or ms <= race.now:
            return self
        fresh = race.copy()
        events = fresh.drive([], ms)
        m = self._next(fresh.board, None)
        m._live = fresh
        m._before = tuple(events)
        if fresh.over:
            m._end_live()
        return m

    def apply(self, entry: Entry) -> SowingMatch:
        """As ``Match.apply``; a turn that follows a ``steady`` race lets that race run out first."""
        match = self
        if entry.kind == "play" and entry.at is None and self._live is not None:
            due = self.next_due
            while due is not None:
                match = match.at(due)
                due = match.next_due
        return Match.apply(match, entry)  # type: ignore[return-value]

    # ---------------------------------------------------------------- leaving, draws, taking back
    def leave(self, seat: Seat, reason: str = "left") -> SowingMatch:
        if seat not in SEATS:
            raise _no_seat(seat)
        if reason not in REASONS:
            raise BadAction(f"the reason cannot be {reason!r}", clause="MK-56", allowed=REASONS)
        if self._mode == "over":
            raise IllegalAction("the match is over", clause="MK-56")
        who = SEATS.index(str(seat))
        return self._stopped(("leave", who, reason, self.ms), 1 - who, reason)

    def agree_draw(self) -> SowingMatch:
        if self._mode == "over":
            raise IllegalAction("the match is over", clause="MK-56")
        return self._stopped(("draw", None, None, self.ms), None, "agreed")

    def _stopped(self, entry: tuple[str, int | None, str | None, int | None], winner: int | None, reason: str) -> SowingMatch:
        m = self._next(self._board.copy(), entry)
        m._finish(self.game.result(winner, self.totals(), reason))
        return m

    def totals(self) -> tuple[int, int]:
        """The seeds on each seat's side, its store and its hand included."""
        layout = self.game.layout
        hands = self._hands if self._live is None else self._live.hands
        south, north = (
            int(self._board[layout.base(seat) : layout.store(seat) + 1].sum()) + (0 if hands is None else int(hands[seat, 1]))
            for seat in (0, 1)
        )
        return south, north

    def take_back(self) -> SowingMatch:
        if self._input is not None and self._input[0] != "play":
            raise IllegalAction("only a turn is taken back, not a leave or an agreed draw", clause="MK-56")
        if self._mode == "race":
            raise IllegalAction("nothing is taken back in a race", clause="MK-56")
        m = self._previous
        while m is not None and not (m._mode == "turn" and m._hands is None and m._starts_turn()):
            if m._mode == "race":
                m = None
                break
            m = m._previous
        if m is None:
            raise IllegalAction("there is no turn to take back", clause="MK-56")
        return m

    def _starts_turn(self) -> bool:
        before = self._previous
        return before is None or before._mode != "turn" or before._turns != self._turns or before._round.number != self._round.number

    # ---------------------------------------------------------------- telling
    @property
    def events(self) -> tuple[Event, ...]:
        if self._walk is not None:
            board, seat, place = self._walk
            s = self._setup
            rows = 512
            while True:
                trace = np.empty((rows, 4), np.int16)
                hands = np.zeros((2, 3), np.int64)
                copy = board.copy()
                n = kernel.lift(copy, hands, seat, place, trace, 0)
                widows = self._previous._round.widows if self._previous is not None else 0
                _, _, n = kernel.advance(s.rules, copy, hands, seat, TURN, FOREVER, widows, trace, n)
                if n <= rows:
                    break
                rows = n
            self._before = tuple(rows_to_events(trace[:n], s.names))
            self._walk = None
        return self._before + self._after

    @property
    def log(self) -> tuple[Entry, ...]:
        entries = []
        m: SowingMatch | None = self
        while m is not None:
            if m._input is not None:
                kind, seat, action, at = m._input
                entries.append(Entry(kind, None if seat is None else SEATS[seat], action, None, at))
            m = m._previous
        return tuple(reversed(entries))

    @property
    def position(self) -> Any:
        from muang.games.sowing.position import position_of

        return position_of(self)

    def view(self) -> dict[str, Any]:
        from muang.games.sowing.position import view_of

        return view_of(self)

    def __repr__(self) -> str:
        return f"<{self.game.name} round {self.round} {self.phase}: {self.position}>"


def _no_seat(seat: object) -> BadAction:
    return BadAction(f"there is no seat {str(seat)[:40]!r}", clause="MK-2", allowed=SEATS)


def blank(setup: Setup, board: NDArray[np.uint8], of: Round) -> SowingMatch:
    """A match with nothing before it; the caller begins its round or sets its state."""
    m = object.__new__(SowingMatch)
    m._setup, m._round, m._previous, m._input, m._board = setup, of, None, None, board
    m._mode, m._turn, m._mask, m._quiet, m._turns = "turn", 0, 0, 0, 0
    m._hands, m._taken, m._lockstep, m._live, m._picks, m._outcome, m._can = None, False, None, None, (), None, None
    m._walk, m._before, m._after = None, (), ()
    return m


def new_match(game: SowingGame, seed: int, pace: str, tempo: int, min_gap: int, cells: list[int], opening: Round) -> SowingMatch:
    """A match from the board of its first round."""
    m = blank(Setup(game, seed, pace, tempo, min_gap, opening.first), game.board(cells), opening)
    m._begin_round()
    return m
