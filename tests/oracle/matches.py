"""Whole matches of the two sowing games: rounds, openers, refills, widows, quiet turns, results. MK-20 to MK-55, AB-20 to AB-45.

``Match`` is changed by ``play``. At ``lockstep`` a race is driven by ``sowing.Lockstep``, at the live paces by ``live.LiveRace``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from oracle.live import Input, LiveRace, live_race
from oracle.sowing import OTHER, SEATS, Board, Event, Lockstep, Race, Rules, Table, legal


def deal_mak_khum(rules: Rules, seeds: dict[str, int]) -> Board:
    """The board of a later round: MK-41 and MK-42."""
    board: Board = {}
    for seat in SEATS:
        row = rules.holes[seat]
        full = min(len(row), seeds[seat] // rules.seeds)
        # far: from the store outwards, so the widows are the rightmost holes; near: 1, 2, 3 ...
        filled = row[len(row) - full :] if rules["widows"] == "far" else row[:full]
        board.update({hole: rules.seeds if hole in filled else None for hole in row})
        board[f"{seat}H"] = seeds[seat] - full * rules.seeds
    return board


def deal_abalalae(rules: Rules, seeds: dict[str, int]) -> Board:
    """The board of a later round: AB-40 and AB-41."""
    board: Board = dict.fromkeys(rules.owner, 0)
    poor = min(SEATS, key=lambda seat: seeds[seat])
    rich = OTHER[poor]
    left = seeds[poor]
    used = 0
    for hole in rules.holes[poor]:
        put = min(rules.seeds, left)
        board[hole] = put
        left -= put
        used += put > 0
    assert left == 0
    for hole in rules.holes[rich][:used]:
        board[hole] = rules.seeds
    board[f"{poor}H"] = 0
    board[f"{rich}H"] = seeds[rich] - used * rules.seeds
    return board


def widows_to_come(rules: Rules, seeds: int) -> int:
    """MK-50: the holes that a player with so many seeds could not fill now."""
    n = len(rules.holes["S"])
    return n - min(n, seeds // rules.seeds)


class Match:
    """A match as it stands. ``phase``: ``race`` · ``turn`` · ``over``.

    ``board``: round one begins on it; with ``turn`` its race is over and that seat is on turn, as its opener.
    """

    def __init__(
        self,
        rules: Rules,
        first: str,
        pace: str = "lockstep",
        tempo: int = 250,
        min_gap: int = 80,
        *,
        board: Board | None = None,
        turn: str | None = None,
        quiet: int = 0,
    ) -> None:
        self.rules, self.first, self.pace, self.tempo, self.min_gap = rules, first, pace, tempo, min_gap
        self.round = 0
        self.rounds: list[dict[str, Any]] = []
        self.events: list[Event] = []
        self.winner: str | None = None
        self.reason = ""
        self.seeds: dict[str, int] = {}
        self.widows: dict[str, int] = {}
        self.phase = "turn"
        self.state, self.captured = "choose", False
        self.lock: Lockstep | None = None
        self.live: LiveRace | None = None
        self.inputs: list[Input] = []
        if turn is None:
            self._begin(board or rules.start_board())
            return
        self.round, self.quiet, self.passes = 1, quiet, 0
        self.record = self._blank_record(board or rules.start_board())
        self._open(turn, Table(rules, dict(board or rules.start_board())))
        if self._raced():  # its race is over; in Mak Khum ``turn`` is who stepped first in it, and who opened the turns is not known
            self.record |= {"after_race": dict(self.table.board), "first_stepper": turn, "opener": None if rules.mak_khum else turn}

    # looking

    @property
    def board(self) -> Board:
        return self.race.table.board if self.race else self.table.board

    @property
    def hands(self) -> dict[str, tuple[str, int] | None]:
        table = self.race.table if self.race else self.table
        return {seat: (hand.at, hand.seeds) if hand else None for seat, hand in table.hands.items()}

    @property
    def race(self) -> Race | None:
        """The race that is on."""
        if self.phase != "race":
            return None
        return self.lock.race if self.lock else self.live.race if self.live else None

    @property
    def to_act(self) -> list[str]:
        """Who has to choose or to drop now; the one that goes first at lockstep comes first."""
        if self.phase == "over":
            return []
        if self.phase == "turn":
            return [self.turn]
        if self.lock:
            return self.lock.due
        race = self.race
        assert race
        return [seat for seat in SEATS if race.can_lift(seat) or (self.pace == "by_hand" and race.walking(seat))]

    def legal(self, seat: str) -> list[str]:
        if seat not in self.to_act:
            return []
        race = self.race
        table = race.table if race else self.table
        if table.hands[seat]:
            return ["drop", "slip"] if table.can_slip(seat) else ["drop"]
        return race.choices(seat) if race else legal(self.rules, table.board, seat)

    # going on

    def play(self, seat: str, action: str, at: int | None = None) -> str:
        """``"done"``, or ``"void"`` in a live race. ``at`` only in live races."""
        self.events = []
        if self.phase == "race" and self.live:
            assert at is not None
            fate = self._play_live(at, seat, action)
            self._end_race_if_over()
            return fate
        assert action in self.legal(seat), (seat, action, self.legal(seat))
        if self.phase == "race":
            assert self.lock
            known = len(self.lock.race.events)
            self.lock.choose(seat, action)
            self.events = self.lock.race.events[known:]
            self._end_race_if_over()
            return "done"
        if action == "drop":
            self._note(*self.table.drop(seat))
        elif action == "slip":
            self._note(*self.table.slip(seat))
        else:
            self._note(*self.table.lift(seat, action))
        while self.pace != "by_hand" and self.state == "walk":
            self._note(*self.table.drop(seat))
        if self.state == "die" or (self.state == "rest" and not self.rules.filled(self.board, seat)):  # MK-12, MK-13
            self._end_turn()
        return "done"

    def _play_live(self, at: int, seat: str, action: str) -> str:
        """An input of a live race; one that is not later than what has been played is put in its place and the race made anew."""
        live = self.live
        assert live
        self.inputs.append((at, seat, action))
        if at <= live.now:
            self.live, _ = live_race(
                self.rules, self.record["start"], self.first, self.pace, self.inputs, self.tempo, self.min_gap, until=live.now
            )
            return "again"
        known = len(live.race.events)
        fate = live.play(at, seat, action)
        live.until(at)
        self.events = live.race.events[known:]
        return fate

    def until(self, ms: int) -> None:
        """Let time pass in a live race."""
        self.events = []
        if self.phase == "race" and self.live:
            known = len(self.live.race.events)
            self.live.until(ms)
            self.events = self.live.race.events[known:]
            self._end_race_if_over()

    def _note(self, events: list[Event], state: str) -> None:
        self.events += events
        self.state = state
        self.captured = self.captured or any(event[1] == "capture" for event in events)
        self.record["drops"] += sum(event[1] in ("drop", "slip") for event in events)

    # rounds

    def _raced(self) -> bool:
        """Whether this round begins with a race: MK-22, AB-24, AB-25."""
        if self.rules["race"] == "none":
            return False
        if self.rules.mak_khum:
            return self.round == 1
        return self.round == 1 or self.rules["race_rounds"] == "all"

    def _blank_record(self, board: Board) -> dict[str, Any]:
        record: dict[str, Any] = {"start": dict(board), "deaths": None, "after_race": None, "opener": None, "turns": 0, "drops": 0}
        record["widows"] = [hole for seat in SEATS for hole in self.rules.holes[seat] if board[hole] is None]
        return record

    def _begin(self, board: Board) -> None:
        self.round += 1
        self.quiet = self.passes = 0
        self.lock, self.live = None, None
        self.record = self._blank_record(board)
        if not self._raced():
            self._open(self._opener(), Table(self.rules, board))
            return
        if any("after_race" in before and before["after_race"] for before in self.rounds):
            self.first = OTHER[self.first]  # MK-25: with every further raced round
        self.phase = "race"
        if self.pace == "lockstep":
            self.lock = Lockstep(self.rules, board, self.first)
            self.events += self.lock.race.events
        else:
            self.inputs = []
            self.live = LiveRace(self.rules, board, self.first, self.pace, self.tempo, self.min_gap)
            self.events += self.live.race.events
        self._end_race_if_over()

    def _end_race_if_over(self) -> None:
        race = self.race
        if race is None or not race.over:
            return
        self.record["drops"] = sum(event[1] in ("drop", "slip") for event in race.events)
        self.record["after_race"] = dict(race.table.board)
        self.record["first_stepper"] = race.steps[0] if race.steps else race.first
        if self.rules.mak_khum and self.rules["race"] == "round":
            self.table = race.table
            self.phase = "turn"
            self._end_round_mak_khum()
            return
        self.record["deaths"] = list(race.deaths)
        assert race.winner
        if not self.rules.mak_khum and self._empty_side(race.table.board):  # AB-31: once when the race is over
            self.table = race.table
            self.phase = "turn"
            self.record["opener"] = race.winner
            self._end_round_abalalae("empty")
            return
        self._open(race.winner, race.table)

    def _opener(self) -> str:
        """Who opens a round that has no race: MK-45, AB-24, AB-25; ``first`` in round one."""
        if self.round == 1:
            return self.first
        last = self.rounds[-1]
        seeds = last["seeds"]
        if seeds["S"] == seeds["N"]:
            if self.rules.mak_khum and last["after_race"]:
                return OTHER[last["first_stepper"]]
            return OTHER[last["opener"]]
        larger = max(SEATS, key=lambda seat: seeds[seat])
        return OTHER[larger] if self.rules.mak_khum and self.rules["opener"] == "smaller" else larger

    def _open(self, seat: str, table: Table) -> None:
        self.phase = "turn"
        self.table = table
        self.turn = seat
        self.record["opener"] = seat
        self._start_turn()

    def _start_turn(self) -> None:
        self.state, self.captured = "choose", False
        if self.rules.mak_khum:
            if not self.rules.filled(self.board, self.turn):  # MK-30
                self._end_round_mak_khum()
            return
        if not legal(self.rules, self.board, self.turn):  # AB-45
            self.events.append([self.turn, "pass"])
            self.passes += 1
            self._end_turn(passed=True)

    def _end_turn(self, *, passed: bool = False) -> None:
        self.record["turns"] += 1
        if not self.rules.mak_khum:
            if not passed:
                self.passes = 0
            self.quiet = 0 if self.captured else self.quiet + 1
            end = None
            if self._empty_side(self.board):  # AB-31
                end = "empty"
            elif self.passes == 2:  # AB-45
                end = "endless"
            elif self.quiet >= self.rules["quiet_turns"]:  # AB-44
                end = "quiet"
            if end:
                self._end_round_abalalae(end)
                return
        self.turn = OTHER[self.turn]
        self._start_turn()

    def _empty_side(self, board: Board) -> str | None:
        for seat in SEATS:
            if not self.rules.filled(board, seat):
                return seat
        return None

    def _sweep(self, hole: str, store: str) -> None:
        board = self.table.board
        count = board[hole]
        if count:
            board[hole] = 0
            board[store] = (board[store] or 0) + count

    def _end_round_mak_khum(self) -> None:
        for seat in SEATS:  # MK-31
            for hole in self.rules.holes[seat]:
                self._sweep(hole, f"{seat}H")
        self._close()
        self.widows = self.record["next_widows"] = {seat: widows_to_come(self.rules, self.seeds[seat]) for seat in SEATS}
        broke = [seat for seat in SEATS if self.seeds[seat] < self.rules.seeds]  # MK-51
        rounds = self.rules["rounds"]
        if broke:
            self._win(OTHER[broke[0]], "broke")
        elif rounds == 1:  # MK-50
            self._win_by({seat: self.seeds[seat] for seat in SEATS}, "seeds")
        elif self.round == (self.rules["max_rounds"] if rounds == "until_broke" else rounds):
            self._win_by({seat: -self.widows[seat] for seat in SEATS}, "widows")
        else:
            self._begin(deal_mak_khum(self.rules, self.seeds))

    def _end_round_abalalae(self, end: str) -> None:
        empty = self._empty_side(self.board) if end == "empty" else None
        for hole, owner in self.rules.owner.items():
            taker = OTHER[empty] if empty else owner  # AB-31; AB-44 and AB-45
            self._sweep(hole, f"{taker}H")
        self.record["end"] = end
        self._close()
        if 0 in self.seeds.values():  # AB-42
            self._win_by(self.seeds, "all-seeds")
        elif self.round == self.rules["max_rounds"]:  # AB-43
            self._win_by(self.seeds, "seeds")
        else:
            self._begin(deal_abalalae(self.rules, self.seeds))

    def _close(self) -> None:
        self.seeds = {seat: self.board[f"{seat}H"] or 0 for seat in SEATS}
        assert sum(self.seeds.values()) == self.rules.total
        self.record["seeds"] = dict(self.seeds)
        self.rounds.append(self.record)

    def _win_by(self, points: dict[str, int], reason: str) -> None:
        winner = None if points["S"] == points["N"] else max(SEATS, key=lambda seat: points[seat])
        self._win(winner, reason)

    def _win(self, winner: str | None, reason: str) -> None:
        self.winner, self.reason, self.phase = winner, reason, "over"


def play_match(rules: Rules, first: str, choices: Iterable[str]) -> Match:
    """A whole match at lockstep from its choices in the order in which they fall due."""
    match = Match(rules, first)
    for hole in choices:
        match.play(match.to_act[0], hole)
    return match
