"""Owns checking certificates of solved rounds: by replaying them through ``Match``, move by move. Searches nothing and trusts nothing.

What is checked: every principal line is legal to its end and ends with the value it claims; the best hole is the best; South's strategy
wins at least the value against every reply, North's loses by no more against every attack, position by position.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from muang.errors import BadRecord, MuangError
from muang.games.core import RULES_VERSION, Match, game
from muang.solver.turns import FORM, board_key

__all__ = ["Checked", "check_certificate"]


@dataclass(frozen=True, slots=True)
class Checked:
    """What a certificate has been found to prove: the value, lines replayed, and the positions of each strategy (None: it has none)."""

    value: int
    best: str
    lines: int
    south: int | None
    north: int | None

    @property
    def proved(self) -> bool:
        """Whether both strategies are there: the value is then proved, not only its lines."""
        return self.south is not None and self.north is not None


def check_certificate(data: Any) -> Checked:
    """Check a certificate's data. ``BadRecord`` says what does not hold."""
    try:
        if data["muang"] != "certificate" or data["form"] != FORM:
            raise BadRecord("this is no certificate of a form that can be checked")
        if data["rules"] != RULES_VERSION:
            raise BadRecord(f"made under version {data['rules']} of the rules; these are {RULES_VERSION}")
        of = game(data["game"], data["ruleset"], **data["options"])
        start = of.start(first="S")
        if start.phase != "turn":
            raise BadRecord(f"the ruleset {data['ruleset']} does not begin in turns")
        value, best = int(data["value"]), str(data["best"])
        holes = {str(entry["hole"]): entry for entry in data["holes"]}
        south, north = data.get("south"), data.get("north")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, MuangError):
            raise
        raise BadRecord("this cannot be read as a certificate: a part is missing or of the wrong kind") from error
    if set(holes) != set(start.legal("S")):
        raise BadRecord(f"the first holes are {', '.join(start.legal('S'))}, not {', '.join(holes)}")
    for hole, entry in holes.items():
        _replay(start, hole, entry)
    if holes[best]["value"] != value or any(entry["value"] > value for entry in holes.values()):
        raise BadRecord(f"{best} with {value:+d} is not the best of the first holes")
    found_south = found_north = None
    if south is not None:
        found_south, got = _worst(start, "S", south)
        if got < value:
            raise BadRecord(f"South's strategy makes sure of {got:+d} only, not {value:+d}")
    if north is not None and value == of.options["holes"] * of.options["seeds"] * 2:
        found_north = 0  # nobody can win more than all seeds
    elif north is not None:
        found_north, got = _worst(start, "N", north)
        if got < -value:
            raise BadRecord(f"North's strategy makes sure of {got:+d} only, not {-value:+d}")
    return Checked(value, best, len(holes), found_south, found_north)


def _difference(match: Match) -> int:
    assert match.result is not None
    return match.result.seeds["S"] - match.result.seeds["N"]


def _replay(start: Match, hole: str, entry: Any) -> None:
    match = start
    for number, choice in enumerate(entry["line"], 1):
        if match.turn is None:
            raise BadRecord(f"the line of {hole} goes on after the round is over", entry=number)
        try:
            match = match.play(match.turn, choice)
        except MuangError as error:
            raise BadRecord(f"the line of {hole}: {error}", entry=number) from error
    if match.result is None:
        raise BadRecord(f"the line of {hole} stops before the round is over")
    if entry["line"][0] != hole or _difference(match) != entry["value"]:
        raise BadRecord(f"the line of {hole} ends at {_difference(match):+d}, not {entry['value']:+d}")


def _key(match: Match) -> str:
    board = match.view()["board"]
    return board_key(tuple(board["S"]), tuple(board["N"]), str(match.turn))


def _worst(start: Match, seat: str, choices: Any) -> tuple[int, int]:
    """The positions that come up when ``seat`` follows its strategy, and the least final difference that it gets.

    Every position is looked at once: what is still to come does not depend on the seeds in the stores.
    """
    sign = 1 if seat == "S" else -1
    least: dict[str, int] = {}  # future difference for the seat
    # a frame: the match, its key, what it has in store, the choices still to be tried, the least so far
    frames: list[list[Any]] = []

    def enter(match: Match) -> None:
        key = _key(match)
        if match.turn == seat:
            if key not in choices:
                raise BadRecord(f"{seat}'s strategy does not say what to do at {key}")
            tries = [choices[key]]
        else:
            assert match.turn is not None
            tries = list(match.legal(match.turn))
        frames.append([match, key, tries, None])

    def stored(match: Match) -> int:
        stores = match.view()["board"]["stores"]
        return sign * int(stores["S"] - stores["N"])

    enter(start)
    while frames:
        match, key, tries, worst = frames[-1]
        if not tries:
            least[key] = worst
            frames.pop()
            if frames:
                _take(frames[-1], worst + stored(match) - stored(frames[-1][0]))
            continue
        try:
            after = match.play(match.turn, tries.pop())
        except MuangError as error:
            raise BadRecord(f"{seat}'s strategy at {key}: {error}") from error
        if after.result is not None:
            _take(frames[-1], sign * _difference(after) - stored(match))
        elif (known := least.get(_key(after))) is not None:
            _take(frames[-1], known + stored(after) - stored(match))
        else:
            enter(after)
    return len(least), least[_key(start)] + stored(start)


def _take(frame: list[Any], value: int) -> None:
    """A frame has heard of one more future difference."""
    frame[3] = value if frame[3] is None else min(frame[3], value)
