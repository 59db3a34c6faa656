"""Owns what a match's record keeps so that anybody can check it: what the lots were drawn from (CN-50), how inputs of races came. Owns the
check of the lots too, and how often each was to be expected. Draws nothing itself.

The browser checks the same in ``web/static/dice``; both are held to the same vectors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from muang.games.core import Match, Seat
from muang.records import Record
from muang.records.arrival import Arrival
from muang.records.proof import MAX_LAG, Proof
from muang.rooms.fair import Lots
from muang.wire.log import commitment_of

if TYPE_CHECKING:
    from muang.rooms.state import State

__all__ = ["Check", "Roll", "arrivals_of", "checks", "counts", "expected", "proof_of", "rolls_of", "tags_of"]

PAIRS = [(one, two) for one in range(1, 7) for two in range(1, 7)]


@dataclass(frozen=True, slots=True)
class Roll:
    """Roll ``n`` of a match (from 0), made for ``seat``."""

    n: int
    seat: Seat | None
    dice: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked. ``what``: ``commitment``, ``first``, ``seed`` or ``roll`` (number ``n``, from 0); ``said`` stands in the
    record, ``drawn`` follows from the secret."""

    what: str
    said: str
    drawn: str
    n: int | None = None

    @property
    def fits(self) -> bool:
        """Whether the record says what the secret gives."""
        return self.said == self.drawn


def proof_of(state: State, over: bool) -> Proof | None:
    """What the lots of a match were drawn from, the secret only when it is ``over``; None where every lot came from a given seed."""
    setup = state.setup
    if setup.secret is None:
        return None
    entropy = {seat: state.entropy[seat] for seat in state.chairs if seat in state.entropy}
    return Proof(setup.id, commitment_of(setup.secret), setup.secret if over else None, entropy, setup.first is None)


def tags_of(state: State, over: bool) -> dict[str, str]:
    """The tags of the record: what the lots were drawn from, and how far back an input of a live race could count."""
    proof = proof_of(state, over)
    tags = {} if proof is None else proof.tags()
    if state.setup.pace != "lockstep":
        tags[MAX_LAG] = str(state.setup.max_lag)
    return tags


def arrivals_of(state: State, match: Match) -> dict[int, Arrival]:
    """Index in ``match.log`` → how that input of a live race came. ``match`` is the state's own, or what is shown of it."""
    clients: dict[str, int] = {}
    known = (entry for entry in state.entries if entry.kind == "play" and entry.at is not None)
    found: dict[int, Arrival] = {}
    for index, entry in enumerate(match.log):
        if entry.kind != "play" or entry.at is None:
            continue
        logged = next(known)
        if logged.lag is None:
            continue  # the system's, or a computer's
        client = None if logged.client is None else clients.setdefault(logged.client, len(clients) + 1)
        offset = None if logged.client_at is None else logged.offset
        found[index] = Arrival(logged.lag, client, logged.client_at if client else None, offset if client else None)
    return found


def rolls_of(record: Record) -> list[Roll]:
    """Every roll of a match in its order."""
    rolled = [entry for entry in record.entries if entry.dice is not None]
    return [Roll(n, entry.seat, entry.dice) for n, entry in enumerate(rolled) if entry.dice is not None]


def checks(record: Record, proof: Proof) -> Iterator[Check]:
    """All that can be checked with the secret; nothing where it has not been told. What was chosen by people, not drawn, is left out."""
    if proof.secret is None:
        return
    lots = Lots(proof.secret, proof.match, proof.entropy)
    yield Check("commitment", proof.commitment, commitment_of(proof.secret))
    if proof.first_drawn:
        yield Check("first", str(record.first), str(lots.first(record.seats)))
    if record.seed is not None:
        yield Check("seed", str(record.seed), str(lots.seed()))
    for roll in rolls_of(record):
        yield Check("roll", _pair(roll.dice), _pair(lots.dice(roll.n)), roll.n)


def _pair(dice: tuple[int, int]) -> str:
    return f"{dice[0]}-{dice[1]}"


def _is_release(one: int, two: int) -> bool:
    """CN-11: doubles, or a 1 and a 6."""
    return one == two or {one, two} == {1, 6}


def counts(rolls: Iterable[Roll]) -> dict[str, dict[str, Any]]:
    """What each seat has rolled: ``total`` rolls, ``faces`` (how often each of 1 to 6 came, two in a roll), ``doubles``, ``releases``."""
    by_seat: dict[str, dict[str, Any]] = {}
    for roll in rolls:
        mine = by_seat.setdefault(str(roll.seat), {"total": 0, "faces": [0] * 6, "doubles": 0, "releases": 0})
        one, two = roll.dice
        mine["total"] += 1
        mine["faces"][one - 1] += 1
        mine["faces"][two - 1] += 1
        mine["doubles"] += one == two
        mine["releases"] += _is_release(one, two)
    return by_seat


def expected(counted: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """What as many rolls of fair dice give on average, in the shape of ``counts``."""
    doubles = sum(one == two for one, two in PAIRS) / len(PAIRS)
    releases = sum(_is_release(one, two) for one, two in PAIRS) / len(PAIRS)
    return {
        seat: {
            "total": mine["total"],
            "faces": [mine["total"] / 3] * 6,
            "doubles": mine["total"] * doubles,
            "releases": mine["total"] * releases,
        }
        for seat, mine in counted.items()
    }
