"""Owns the check of a conformance case of the two sowing games against the engine. Reads no files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from muang.games.core import Event, game
from muang.games.sowing import kernel
from muang.games.sowing.game import Round, SowingGame
from muang.games.sowing.layout import RACE, SEATS, TURN
from muang.games.sowing.live import rows_to_events
from muang.games.sowing.match import Setup, SowingMatch, blank

__all__ = ["check"]


def check(case: dict[str, Any]) -> str | None:
    """None if the engine agrees with the case, else what differs."""
    of = game(case["game"], **case["rules"])
    assert isinstance(of, SowingGame)
    kind = case["kind"]
    if kind in ("walk", "legal"):
        problems = _walk(of, case)
    elif kind == "race":
        problems = _race(of, case)
    elif kind == "steps":
        problems = _steps(of, case)
    elif kind == "match":
        problems = _match(of, case)
    else:
        return f"unknown kind {kind!r}"
    return next(problems, None)


def differ(what: str, ours: object, theirs: object) -> Iterator[str]:
    """One line if two things are not equal."""
    if ours != theirs:
        yield f"{what}: we have {ours}, the case has {theirs}"


def _cells(of: SowingGame, board: dict[str, Any] | None) -> tuple[list[int], int]:
    if board is None:
        half = of.layout.total // 2
        return of.refill((half, half))
    cells: list[int] = []
    widows = 0
    for seat in SEATS:
        for seeds in board[seat]:
            widows |= (1 << len(cells)) if seeds is None else 0
            cells.append(seeds or 0)
        cells.append(board["stores"][seat])
    return cells, widows


def _board(of: SowingGame, board: Any, widows: int) -> dict[str, Any]:
    layout = of.layout
    view: dict[str, Any] = {name: [None if widows >> p & 1 else int(board[p]) for p in layout.own(seat)] for seat, name in enumerate(SEATS)}
    view["stores"] = {name: int(board[layout.store(seat)]) for seat, name in enumerate(SEATS)}
    return view


def _walk(of: SowingGame, case: dict[str, Any]) -> Iterator[str]:
    cells, widows = _cells(of, case["board"])
    seat, board = SEATS.index(case["seat"]), of.board(cells)
    layout, hands = of.layout, np.zeros((2, 3), np.int64)
    mask = kernel.legal_mask(of.record, board, hands, seat, widows)
    row = kernel.row_mask(of.record, board, seat)
    names = [layout.names[p] for p in layout.own(seat)]
    yield from differ("legal", [n for i, n in enumerate(names) if mask >> i & 1], case["legal"])
    yield from differ("endless", [n for i, n in enumerate(names) if (row & ~mask) >> i & 1], case.get("endless", []))
    if case["kind"] == "legal":
        return
    trace = np.empty((20_000, 4), np.int16)
    fast = board.copy()
    code = kernel.turn(of.record, fast, seat, layout.index[case["hole"]], widows)
    n = kernel.lift(board, hands, seat, layout.index[case["hole"]], trace, 0)
    state, _, n = kernel.advance(of.record, board, hands, seat, TURN, 1 << 62, widows, trace, n)
    yield from differ("events", [list(e[1:]) for e in rows_to_events(trace[:n], layout.names)], case["events"])
    yield from differ("after", _board(of, board, widows), case["after"])
    yield from differ("after, without a trace", fast.tolist(), board.tolist())
    rests = state == kernel.RESTED and not of.record[0]["rest_ends"]
    yield from differ("ends", "rest" if rests else "die", case["ends"])
    yield from differ("bit 18", bool(code & 0x40000), state == kernel.RESTED)


def _race(of: SowingGame, case: dict[str, Any]) -> Iterator[str]:
    cells, widows = _cells(of, case.get("board"))
    opening = Round(1, True, SEATS.index(case["first"]), widows)
    m = blank(Setup(of, 0, "lockstep", 250, 80, opening.first), of.board(cells), opening)
    m._begin_round()
    told = [list(e) for e in m.events]
    taken = 0
    for taken, choice in enumerate(case["choices"], 1):
        if m.phase != "race":
            yield f"the race is over after {taken - 1} choices, the case has {len(case['choices'])}"
            return
        m = m.play(choice[0], choice)
        told += [list(e) for e in m.events]
    end = next((i for i, e in enumerate(told) if (e[0] == "-" and e[1] == "round") or e[1] in ("open", "sweep", "win")), None)
    if m.phase == "race":
        yield f"the race goes on after {taken} choices"
        return
    walked = [e for e in told[:end] if e[0] != "-"]
    head = case["events_head"]
    yield from differ("events_head", walked[: len(head)], head)
    yield from differ("events_total", len(walked), case["events_total"])
    if "steps" in case:
        yield from differ("steps", sum(e[1] == "drop" for e in walked) + len(case["choices"]), case["steps"])
    summary = m._round
    deaths = summary.deaths if summary.number == 1 else None
    if summary.number != 1 or summary.past:
        deaths = summary.past[0]["deaths"]
        yield from differ("deaths", deaths, case["deaths"])
    else:
        yield from differ("deaths", None if deaths is None else [SEATS[d] for d in deaths], case["deaths"])
    board, closed = of.board(cells), widows
    yield from differ("after", _board(of, _fold(of, board, walked), closed), case["after"])


def _fold(of: SowingGame, board: Any, events: list[Any]) -> Any:
    """The board after events, from the events alone: what a screen does with a trace."""
    index = of.layout.index
    for seat, kind, place, *rest in events:
        if kind == "lift":
            board[index[place]] -= rest[0]
        elif kind == "drop":
            board[index[place]] += 1
        elif kind == "capture":
            board[index[place]] -= rest[0]
            board[index[f"{seat}H"]] += rest[0]
        elif kind == "slip":
            board[index["NH" if seat == "S" else "SH"]] += 1
    return board


def _steps(of: SowingGame, case: dict[str, Any]) -> Iterator[str]:
    cells, widows = _cells(of, case.get("board"))
    board, hands = of.board(cells), np.zeros((2, 3), np.int64)
    told: list[Event] = []
    layout = of.layout
    trace = np.empty((16, 4), np.int16)
    for seat_name, kind, *hole in case["steps"]:
        seat = SEATS.index(seat_name)
        if kind == "lift":
            n = kernel.lift(board, hands, seat, layout.index[hole[0]], trace, 0)
        elif kind == "slip":
            _, n = kernel.slip(of.record, board, hands, seat, trace, 0)
        else:
            _, _, n = kernel.advance(of.record, board, hands, seat, RACE, 1, widows, trace, 0)
        told += rows_to_events(trace[:n], layout.names)
    yield from differ("after", _board(of, board, widows), case["after"])
    if "hands" in case:
        ours = {name: {"at": layout.names[hands[i, 0]], "seeds": int(hands[i, 1])} if hands[i, 1] else None for i, name in enumerate(SEATS)}
        yield from differ("hands", ours, case["hands"])
    yield from differ("events_total", len(told), case["events_total"])
    tail = case["events_tail"]
    yield from differ("events_tail", [list(e) for e in told[len(told) - len(tail) :]], tail)


def _match(of: SowingGame, case: dict[str, Any]) -> Iterator[str]:
    m = of.start(first=case["first"], pace=case["pace"])
    assert isinstance(m, SowingMatch)
    starts = [_round_start(of, m)]
    drops = [0]
    after_race: list[dict[str, int] | None] = [None]

    def follow(m: SowingMatch) -> None:
        cells = dict(starts[-1][0]) if not follow_state else follow_state[0]
        follow_state[:] = [cells]
        for event in m.events:
            who, kind, *rest = event
            if kind == "round":
                seeds = m._round.past[rest[0] - 2]["seeds"]
                fresh, closed = of.refill((seeds["S"], seeds["N"]))
                starts.append((_named(of, fresh), _widows(of, closed)))
                drops.append(0)
                after_race.append(None)
                cells = dict(starts[-1][0])
                follow_state[:] = [cells]
            elif kind == "lift":
                cells[rest[0]] -= rest[1]
            elif kind == "drop":
                cells[rest[0]] += 1
                drops[-1] += 1
            elif kind == "capture":
                cells[rest[0]] -= rest[1]
                cells[f"{who}H"] += rest[1]
            elif kind in ("open", "sweep") and after_race[-1] is None and m.game.raced(len(starts)):
                after_race[-1] = dict(cells)

    follow_state: list[dict[str, int]] = []
    follow(m)
    for number, choice in enumerate(case["choices"], 1):
        if m.phase == "over":
            yield f"the match is over after {number - 1} choices, the case has {len(case['choices'])}"
            return
        m = m.play(choice[0], choice)
        follow(m)
    if m.result is None:
        yield f"the match goes on after all {len(case['choices'])} choices"
        return
    rounds = m._round.past
    yield from differ("rounds", len(rounds), len(case["rounds"]))
    for i, (ours, theirs) in enumerate(zip(rounds, case["rounds"], strict=True)):
        where = f"round {i + 1}"
        yield from differ(f"{where} start", starts[i][0], theirs["start"])
        if "widows" in theirs:
            yield from differ(f"{where} widows", sorted(starts[i][1]), sorted(theirs["widows"]))
        for key in ("deaths", "opener", "turns", "seeds", "end", "next_widows"):
            if key in theirs:
                yield from differ(f"{where} {key}", ours.get(key), theirs[key])
        if "after_race" in theirs:
            yield from differ(f"{where} after_race", after_race[i], theirs["after_race"])
        yield from differ(f"{where} drops", drops[i], theirs["drops"])
    yield from differ("winner", m.result.winner, case["winner"])
    yield from differ("seeds", dict(m.result.seeds), case["seeds"])
    if "widows" in case:
        yield from differ("widows", dict(m.result.widows), case["widows"])


def _named(of: SowingGame, cells: Any) -> dict[str, int]:
    return {name: int(cells[p]) for p, name in enumerate(of.layout.names)}


def _widows(of: SowingGame, mask: int) -> list[str]:
    return [name for p, name in enumerate(of.layout.names) if mask >> p & 1]


def _round_start(of: SowingGame, m: SowingMatch) -> tuple[dict[str, int], list[str]]:
    half = of.layout.total // 2
    cells, widows = of.refill((half, half))
    return _named(of, cells), _widows(of, widows)
