"""Owns a sowing position: its one line, its checks, and the plain data that screens are given.

The line, after the game and ``rules``:

    round=2 first=S opened=N S=7,7,7,7,7,7,7/6 N=-,7,7,7,7,7,7/1 turn=N

A row stands in its owner's order, ``-`` for a widow, the store after the slash. ``pace=steady:250`` or ``pace=by_hand:80`` unless
lockstep; ``quiet=12`` (AB-44); ``hand=S4:3:S2:0`` a hand under way in turns at ``by_hand`` (place, seeds, lap's hole, captured already);
``race=S3,N5`` in a race: the board is then the round's start, and these the choices since; in a live race ``race=S3@0,Ndrop@310`` and
``now=400``; ``over=S:widows`` when it is over. A choice that the other seat must not know yet is left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from muang.errors import BadAction, BadPosition, IllegalAction
from muang.games.core import Position
from muang.games.notation import write_line
from muang.games.sowing.game import Round, SowingGame, check_pace
from muang.games.sowing.layout import SEATS

if TYPE_CHECKING:
    from muang.games.sowing.match import SowingMatch

__all__ = ["SowingPosition", "position_of", "read_fields", "view_of"]

FIELDS = ("round", "first", "opened", "pace", "S", "N", "quiet", "turn", "hand", "race", "now", "over")
TURN_INPUT = re.compile(r"([SN])(drop|slip|\d{1,2})(?:@(\d{1,12}))?")


@dataclass(frozen=True, slots=True)
class SowingPosition(Position):
    """A position. ``cells`` by place (widows 0, see ``widows``); ``turn`` None in a race and when it is over."""

    game: SowingGame
    cells: tuple[int, ...]
    widows: int
    number: int
    first: int
    opened: int | None
    turn: int | None
    quiet: int = 0
    pace: str = "lockstep"
    tempo: int = 250
    min_gap: int = 80
    hand: tuple[int, int, int, int] | None = None
    race: tuple[tuple[int, str, int | None], ...] | None = None
    now: int | None = None
    over: tuple[int | None, str] | None = None

    def __str__(self) -> str:
        layout = self.game.layout
        fields = {"round": str(self.number), "first": SEATS[self.first]}
        if self.opened is not None:
            fields["opened"] = SEATS[self.opened]
        if self.pace != "lockstep":
            fields["pace"] = f"steady:{self.tempo}" if self.pace == "steady" else f"by_hand:{self.min_gap}"
        for seat, name in enumerate(SEATS):
            row = ",".join("-" if self.widows >> p & 1 else str(self.cells[p]) for p in layout.own(seat))
            fields[name] = f"{row}/{self.cells[layout.store(seat)]}"
        if self.quiet:
            fields["quiet"] = str(self.quiet)
        if self.turn is not None:
            fields["turn"] = SEATS[self.turn]
        if self.hand is not None:
            at, count, origin, taken = self.hand
            fields["hand"] = f"{layout.names[at]}:{count}:{layout.names[origin]}:{taken}"
        if self.race is not None:
            fields["race"] = ",".join(
                (action if action[0] in SEATS else SEATS[seat] + action) + ("" if at is None else f"@{at}")
                for seat, action, at in self.race
            )
        if self.now is not None:
            fields["now"] = str(self.now)
        if self.over is not None:
            fields["over"] = ("-" if self.over[0] is None else SEATS[self.over[0]]) + ":" + self.over[1]
        return write_line(self.game, fields)

    def start(self, seed: int = 0) -> SowingMatch:
        """A match that goes on from here. Its log begins here; its seed decides only lots still to be drawn."""
        from muang.games.sowing.match import Setup, blank

        of = Round(self.number, self.game.raced(self.number), self.first, self.widows, self.opened)
        setup = Setup(self.game, seed, self.pace, self.tempo, self.min_gap, self.first)
        m = blank(setup, self.game.board(list(self.cells)), of)
        if self.over is not None:
            m._mode = "over"
            layout = self.game.layout
            totals = (sum(self.cells[: layout.holes + 1]), sum(self.cells[layout.holes + 1 :]))
            m._outcome = self.game.result(self.over[0], totals, self.over[1])
            return m
        if self.race is not None:
            m._begin_round()
            for seat, action, at in self.race:
                m = m.play(SEATS[seat], action, at)
            if self.now is not None:
                m = m.at(self.now)
            m._before = m._after = ()
            return m
        assert self.turn is not None
        m._quiet = self.quiet
        m._turn = self.turn
        m._mask = _mask(self.game, m._board, self.turn, self.widows)
        if self.hand is not None:
            at, count, origin, taken = self.hand
            m._hands = np.zeros((2, 3), np.int64)
            m._hands[self.turn] = (at, count, origin)
            m._taken = bool(taken)
        elif not m._mask:
            m._pass(1)
        return m

    def view(self) -> dict[str, Any]:
        """What ``Match.view`` gives for this position."""
        return self.start().view()


def _mask(game: SowingGame, board: Any, seat: int, widows: int) -> int:
    from muang.games.sowing.kernel import legal_mask

    return int(legal_mask(game.record, board, np.zeros((2, 3), np.int64), seat, widows))


def position_of(match: SowingMatch) -> SowingPosition:
    """The position of a match; a hidden simultaneous choice is left out."""
    s, r, game = match._setup, match._round, match.game
    cells: tuple[int, ...] = tuple(match._board[: 2 * game.layout.holes + 2].tolist())
    base = SowingPosition(game, cells, r.widows, r.number, r.first, r.opened, None, match._quiet, s.pace, s.tempo, s.min_gap)
    if match._outcome is not None:
        winner = match._outcome.winner
        over = (None if winner is None else SEATS.index(str(winner)), match._outcome.reason)
        return replace(base, cells=_with_hands(match, cells), quiet=0, over=over)
    if match._mode == "race":
        return replace(base, cells=_round_start(match), opened=None, race=_race_so_far(match), now=match.ms or None)
    if match._hands is None:
        return replace(base, turn=match._turn)
    at, count, origin = match._hands[match._turn].tolist()
    return replace(base, turn=match._turn, hand=(at, count, origin, int(match._taken)))


def _race_so_far(match: SowingMatch) -> tuple[tuple[int, str, int | None], ...]:
    """The inputs of a race: choices at lockstep, timed inputs at the live paces.

    A void input may come to count when one before it arrives late; only one that names the other seat's hole never can, and is left out.
    """
    if match._live is not None:
        return tuple(item for item in match._live.inputs if item[1] in ("drop", "slip") or item[1][0] == SEATS[item[0]])
    shown = match._picks[:-1] if _pending(match) else match._picks
    return tuple((match._setup.holes[action][0], action, None) for action in shown)


def _with_hands(match: SowingMatch, cells: tuple[int, ...]) -> tuple[int, ...]:
    """A match stopped in mid-walk: what the hands held stands in the stores, as in the result."""
    layout = match.game.layout
    assert match._outcome is not None
    row = list(cells)
    for seat, name in enumerate(SEATS):
        place = layout.store(seat)
        row[place] += match._outcome.seeds[name] - sum(row[layout.base(seat) : place + 1])
    return tuple(row)


def _round_start(match: SowingMatch) -> tuple[int, ...]:
    """The board on which the race under way began: what the totals before it laid out, or the position it was started from."""
    m = match.race_start()
    board = m._board.copy()
    if m._live is not None:  # Abalala'e's hands were lifted as the race began
        for at, count, _ in m._live.hands.tolist():
            if count:
                board[at] += count
    return tuple(board[: 2 * match.game.layout.holes + 2].tolist())


def _pending(match: SowingMatch) -> bool:
    """Whether a choice has been made that the other seat, still choosing, must not know."""
    from muang.games.sowing.lockstep import PICK

    race = match._lockstep
    if race is None or len(match.to_act) != 1 or not match._picks:
        return False
    seat = SEATS.index(str(match.to_act[0]))
    return bool(race[PICK + 1 - seat] >= 0) and match._setup.holes[match._picks[-1]][0] != seat


def view_of(match: SowingMatch) -> dict[str, Any]:
    """Plain data for screens: names of places only, hidden choices left out."""
    game, s, r = match.game, match._setup, match._round
    layout = game.layout
    cells, holes = match._board.tolist(), layout.holes
    board: dict[str, Any] = {name: cells[layout.base(seat) : layout.base(seat) + holes] for seat, name in enumerate(SEATS)}
    if r.widows:
        for seat, name in enumerate(SEATS):
            board[name] = [None if r.widows >> p & 1 else cells[p] for p in layout.own(seat)]
    board["stores"] = {name: cells[layout.store(seat)] for seat, name in enumerate(SEATS)}
    hands = match._hands if match._live is None else match._live.hands
    shown: dict[str, dict[str, Any] | None] = {"S": None, "N": None}
    if hands is not None:
        for name, (at, seeds, _) in zip(SEATS, hands.tolist(), strict=True):
            if seeds:
                shown[name] = {"at": layout.names[at], "seeds": seeds}
    to_act = match.to_act
    chosen = [name for name in SEATS if name not in to_act] if _pending(match) else []
    result = match.result
    return {
        "game": game.name,
        "ruleset": game.ruleset,
        "options": dict(game.options),
        "pace": s.pace,
        "tempo": s.tempo,
        "min_gap": s.min_gap,
        "round": r.number,
        "phase": match.phase,
        "first": SEATS[r.first],
        "opened": None if r.opened is None else SEATS[r.opened],
        "board": board,
        "hands": shown,
        "turn": match.turn,
        "to_act": list(to_act),
        "legal": {str(seat): list(match.legal(seat)) for seat in to_act},
        "chosen": chosen,
        "quiet": match._quiet,
        "ms": match.ms,
        "rounds": [dict(past) for past in r.past],
        "result": None
        if result is None
        else {"winner": result.winner, "seeds": dict(result.seeds), "widows": dict(result.widows), "reason": result.reason},
    }


# -------------------------------------------------------------------- reading
def _number(fields: Mapping[str, str], key: str, least: int, most: int, default: int | None = None) -> int:
    text = fields.get(key)
    if text is None:
        if default is None:
            raise BadPosition(f"the field {key!r} is missing", allowed=FIELDS)
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 14 and least <= int(text) <= most):
        raise BadPosition(f"{key} cannot be {text[:40]!r}", allowed=(f"{least} to {most}",))
    return int(text)


def _seat(fields: Mapping[str, str], key: str) -> int | None:
    text = fields.get(key)
    if text is None:
        return None
    if text not in SEATS:
        raise BadPosition(f"{key} cannot be {text[:40]!r}", allowed=SEATS)
    return SEATS.index(text)


def _row(game: SowingGame, fields: Mapping[str, str], seat: int) -> tuple[list[int | None], int]:
    name, holes = SEATS[seat], game.layout.holes
    text = fields.get(name)
    if text is None:
        raise BadPosition(f"the field {name!r} is missing", allowed=FIELDS)
    row, slash, store = text.partition("/")
    cells = row.split(",")
    if not slash or len(cells) != holes:
        raise BadPosition(f"{name} needs {holes} holes and a store, like {','.join(['7'] * holes)}/0, not {text[:60]!r}")
    seeds: list[int | None] = []
    for cell in (*cells, store):
        if cell == "-" and game.name == "mak-khum" and len(seeds) < holes:
            seeds.append(None)
        elif cell.isascii() and cell.isdigit() and len(cell) < 4:
            seeds.append(int(cell))
        else:
            raise BadPosition(f"{name} cannot hold {cell[:20]!r}: whole numbers, and - for a widow of Mak Khum", clause="MK-42")
    last = seeds.pop()
    assert last is not None
    return seeds, last


def _place(game: SowingGame, text: str) -> int:
    if text not in game.layout.index:
        raise BadPosition(f"there is no place {text[:20]!r}", allowed=game.layout.names)
    return game.layout.index[text]


def _pace(text: str | None) -> tuple[str, int, int]:
    if text is None:
        return "lockstep", 250, 80
    name, colon, value = text.partition(":")
    if name not in ("steady", "by_hand") or not (value.isascii() and value.isdigit() and len(value) < 6) or not colon:
        raise BadPosition(f"pace cannot be {text[:40]!r}", clause="MK-24", allowed=("steady:250", "by_hand:80"))
    pace = (name, int(value), 80) if name == "steady" else (name, 250, int(value))
    try:
        check_pace(*pace)
    except BadAction as error:
        raise BadPosition(error.reason, clause="MK-24", allowed=error.allowed) from None
    return pace


def _hand(game: SowingGame, text: str, turn: int) -> tuple[int, int, int, int]:
    parts = text.split(":")
    if len(parts) != 4 or not (parts[1].isdigit() and len(parts[1]) < 4) or parts[3] not in ("0", "1"):
        raise BadPosition(f"hand cannot be {text[:40]!r}: place, seeds, hole of its lap, captured (0 or 1), like S4:3:S2:0")
    at, count, origin = _place(game, parts[0]), int(parts[1]), _place(game, parts[2])
    if count < 1 or at not in game.layout.paths[turn] or origin not in game.layout.paths[turn]:
        raise BadPosition(f"hand cannot be {text[:40]!r}: it holds at least one seed and stands on its own path")
    return at, count, origin, int(parts[3])


def _race(text: str, live: bool) -> tuple[tuple[int, str, int | None], ...]:
    inputs: list[tuple[int, str, int | None]] = []
    for word in filter(None, text.split(",")):
        found = TURN_INPUT.fullmatch(word)
        if found is None or (found[3] is not None) != live:
            raise BadPosition(f"race cannot hold {word[:40]!r}: choices like S3, at live paces S3@0 or Ndrop@310")
        seat, what, at = found.groups()
        inputs.append((SEATS.index(seat), what if what in ("drop", "slip") else seat + what, None if at is None else int(at)))
    return tuple(inputs)


def read_fields(game: SowingGame, fields: Mapping[str, str]) -> SowingPosition:
    """A position from its fields. ``BadPosition`` says which field is wrong, and why."""
    for key in fields:
        if key not in FIELDS:
            raise BadPosition(f"there is no field {key[:40]!r}", allowed=FIELDS)
    number = _number(fields, "round", 1, 10**9, 1)
    pace, tempo, min_gap = _pace(fields.get("pace"))
    layout = game.layout
    cells, widows = [0] * (2 * layout.holes + 2), 0
    for seat in (0, 1):
        row, store = _row(game, fields, seat)
        for place, seeds in zip(layout.own(seat), row, strict=True):
            cells[place] = seeds or 0
            widows |= (1 << place) if seeds is None else 0
        cells[layout.store(seat)] = store
    first = _seat(fields, "first")
    turn = _seat(fields, "turn")
    quiet = _number(fields, "quiet", 0, max(0, int(game.limits[5]) - 1), 0)
    if sum(key in fields for key in ("turn", "race", "over")) != 1:
        raise BadPosition("a position has either a turn, a race or an end", allowed=("turn=", "race=", "over="))
    hand = None
    if "hand" in fields:
        if turn is None or pace != "by_hand":
            raise BadPosition("a hand under way needs a turn and the pace by_hand", clause="MK-24")
        hand = _hand(game, fields["hand"], turn)
    held = sum(cells) + (hand[1] if hand else 0)
    if held != layout.total:
        raise BadPosition(
            f"{held} seeds, but {game.name} is played with {layout.total}", clause="MK-2" if game.name == "mak-khum" else "AB-1"
        )
    over = _over(fields["over"]) if "over" in fields else None
    race = _race(fields["race"], pace != "lockstep") if "race" in fields else None
    now = _number(fields, "now", 0, 10**12) if "now" in fields else None
    if race is not None and not game.raced(number):
        raise BadPosition(f"round {number} has no race under these rules", clause="MK-22" if game.name == "mak-khum" else "AB-24")
    if now is not None and (race is None or pace == "lockstep"):
        raise BadPosition("now belongs to a live race", clause="MK-24")
    position = SowingPosition(
        game, tuple(cells), widows, number, first or 0, _seat(fields, "opened"), turn, quiet, pace, tempo, min_gap, hand, race, now, over
    )
    _check(position)
    return position


def _over(text: str) -> tuple[int | None, str]:
    winner, colon, reason = text.partition(":")
    if winner not in (*SEATS, "-") or not colon or not re.fullmatch(r"[a-z-]{1,20}", reason):
        raise BadPosition(f"over cannot be {text[:40]!r}", allowed=("S:seeds", "N:widows", "-:agreed"))
    return (None if winner == "-" else SEATS.index(winner)), reason


def _check(position: SowingPosition) -> None:
    """Refuse positions that cannot be played on from."""
    game, layout = position.game, position.game.layout
    rows = [any(position.cells[p] for p in layout.own(seat)) for seat in (0, 1)]
    if position.turn is not None and position.hand is None:
        if game.name == "abalalae" and not all(rows):
            raise BadPosition("a seat has no seed in its holes: the round is over", clause="AB-31")
        if not rows[position.turn]:
            raise BadPosition(f"{SEATS[position.turn]} is on turn and has no seed: the round is over", clause="MK-30")
    if position.hand is not None:
        for place in position.hand[::2][:2]:
            if position.widows >> place & 1 and position.hand[0] != place:
                raise BadPosition("a lap never begins in a widow", clause="MK-43")
    if position.race is not None:
        try:
            position.start()
        except (BadAction, IllegalAction) as error:
            raise BadPosition(f"the race cannot have gone so: {error}", clause=error.clause) from None
