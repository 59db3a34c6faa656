"""Random games, boards and positions to compare two programs on, all from one ``random.Random``, so a seed means the same case for ever.

Options come as plain dicts with the names that the rules use; a game's size is ``holes`` (Mak Khum) or ``columns`` (Abalala'e), and
``seeds`` in each hole.
"""

from __future__ import annotations

import random
from typing import Any

from oracle import ca_ngua
from oracle.sowing import SEATS, Board, Rules

MAK_KHUM_CHOICES: dict[str, tuple[Any, ...]] = {
    "store_landing": ("again", "again", "end"),
    "capture_last": (False, True),
    "skip_origin": (False, False, True),
    "race": ("round", "opening", "none"),
    "widows": ("far", "near"),
    "slips": (True, True, False),
    "opener": ("larger", "smaller"),
    "rounds": (1, 2, 3, 4, "until_broke"),
    "max_rounds": (1, 2, 5, 30),
}
ABALALAE_CHOICES: dict[str, tuple[Any, ...]] = {
    "track": ("pankhurst", "pankhurst", "courlander"),
    "race_loser": ("finish", "stop_lap"),
    "race_rounds": ("all", "first"),
    "race": ("opening", "opening", "none"),
    "max_rounds": (1, 2, 4, 30),
    "quiet_turns": (1, 2, 5, 20, 100),
}
CA_NGUA_CHOICES: dict[str, tuple[Any, ...]] = {
    "track": (56, 52, 48),
    "keep_repeat": (True, False),
    "doubles": ("face", "total", "extra"),
    "gate": ("run_in", "climb", "jump"),
}


def some(lots: random.Random, choices: dict[str, tuple[Any, ...]], share: float = 0.5) -> dict[str, Any]:
    """Some of the options, each with a value from its choices; what is left out keeps its default."""
    return {name: lots.choice(values) for name, values in choices.items() if lots.random() < share}


def mak_khum(lots: random.Random, *, sizes: bool = True, **fixed: Any) -> tuple[Rules, dict[str, Any]]:
    """Rules of Mak Khum, half of them with another board than 7 × 7, and the options that they stand for, size included."""
    options = some(lots, MAK_KHUM_CHOICES) | fixed
    size = {"holes": lots.choice((1, 2, 3, 4, 5, 6, 8, 9, 12, 15)), "seeds": lots.randint(1, 8)} if sizes and lots.random() < 0.5 else {}
    return Rules("mak-khum", options, size.get("holes"), size.get("seeds")), options | size


def abalalae(lots: random.Random, *, sizes: bool = True, **fixed: Any) -> tuple[Rules, dict[str, Any]]:
    """The same for Abalala'e."""
    options = some(lots, ABALALAE_CHOICES) | fixed
    size = {"columns": lots.choice((2, 4, 8, 10)), "seeds": lots.randint(1, 6)} if sizes and lots.random() < 0.5 else {}
    return Rules("abalalae", options, size.get("columns"), size.get("seeds")), options | size


def any_sowing(lots: random.Random, **fixed: Any) -> tuple[Rules, dict[str, Any]]:
    return lots.choice((mak_khum, abalalae))(lots, **fixed)


def board(lots: random.Random, rules: Rules, *, widows: bool = True, filled: tuple[str, ...] = ()) -> Board:
    """A board with all the seeds of its game: rows thin or full, stores anywhere between empty and full, in Mak Khum often with widows.

    ``filled``: holes that hold at least one seed; each seat has at least one anyway, so that anybody can move.
    """
    closed: set[str] = set()
    if widows and rules.mak_khum and lots.random() < 0.6:
        for seat in SEATS:
            row = rules.holes[seat]
            count = lots.randint(0, len(row) - 1)
            closed |= set(lots.choice((row[:count], row[len(row) - count :], lots.sample(row, count))))
    closed -= set(filled)
    open_holes = [hole for hole in rules.owner if hole not in closed]
    result: Board = {hole: None if hole in closed else 0 for hole in rules.owner} | {"SH": 0, "NH": 0}
    must = list(filled)
    for seat in SEATS:
        if not any(hole[0] == seat for hole in must):
            must.append(lots.choice([hole for hole in open_holes if hole[0] == seat]))
    left = rules.total
    for hole in must:
        result[hole] = 1
        left -= 1
    # how many of the rest lie in the rows, and over how many holes
    in_rows = lots.choice((left, lots.randint(0, left), min(left, lots.randint(0, 2 * len(open_holes)))))
    used = lots.sample(open_holes, lots.randint(1, len(open_holes)))
    for _ in range(in_rows):
        hole = lots.choice(used)
        result[hole] = (result[hole] or 0) + 1
    south = lots.randint(0, left - in_rows)
    result["SH"], result["NH"] = south, left - in_rows - south
    assert sum(count or 0 for count in result.values()) == rules.total
    return result


def ca_ngua_options(lots: random.Random) -> dict[str, Any]:
    """Options of Cờ cá ngựa, never the pair that CN-25 refuses."""
    options = some(lots, CA_NGUA_CHOICES)
    if options.get("doubles") == "total" and options.get("gate", "run_in") != "run_in":
        options["doubles"] = "face"
    return options


def ca_ngua_seats(lots: random.Random) -> tuple[int, ...]:
    return tuple(sorted(lots.sample(range(4), lots.randint(2, 4))))


def ca_ngua_horses(lots: random.Random, options: dict[str, Any], seats: tuple[int, ...]) -> ca_ngua.Horses:
    """Horses of a game under way that nobody has won: crowded near starts, gates and lanes, where the rules are."""
    track = ca_ngua.options(options)["track"]
    crowd = lots.randrange(track)
    taken: set[int] = set()
    horses: ca_ngua.Horses = {}
    for seat in seats:
        two: list[ca_ngua.Progress] = []
        while len(two) < 2:
            place: ca_ngua.Progress
            kind = lots.random()
            if kind < 0.2:
                place = "stable"
            elif kind < 0.45:
                place = f"slot{lots.randint(1, 4)}"
            elif kind < 0.6:
                place = lots.randint(track - 13, track - 1)
            elif kind < 0.65:
                place = 0
            elif kind < 0.8:
                place = (crowd + lots.randint(0, 14) - seat * track // 4) % track
            else:
                place = lots.randrange(track)
            square = ca_ngua.square(seat, place, track)
            if (place in two and place != "stable") or square in taken or (two and {*two, place} == {"slot3", "slot4"}):
                continue
            two.append(place)
            if square is not None:
                taken.add(square)
        horses[seat] = two
    return horses
