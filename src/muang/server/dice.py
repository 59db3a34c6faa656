"""Owns what a server tells of a match's lots, so that anybody can check them (CN-50): ``/api/matches/ID/dice``.

Draws nothing and checks nothing: the page ``/dice`` does that in the browser, ``muang dice verify`` from a record.
"""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel

from muang.records import Record
from muang.records.proof import Proof
from muang.rooms import Room
from muang.rooms.proof import counts, expected, rolls_of
from muang.server.answers import errors
from muang.server.api import record_of, table_of
from muang.wire.log import WireSeat

__all__ = ["Dice", "DiceRoll", "Rolled", "router"]

router = APIRouter(tags=["matches"])


class DiceRoll(BaseModel):
    """Roll ``n`` of the match, from 0, made for ``seat``."""

    n: int
    seat: WireSeat
    dice: tuple[int, int]


class Rolled(BaseModel):
    """``total`` rolls; how often each face came (two in a roll), doubles, and release rolls (CN-11)."""

    total: int
    faces: list[float]
    doubles: float
    releases: float


class Dice(BaseModel):
    """The lots of a match. ``commitment``: SHA-256 of the ``secret``, None where every lot came from a seed that was given; ``secret`` and
    ``seed`` (digits) are None until the match is over. ``first_by``: whether ``first`` was drawn too, or chosen."""

    match: str
    game: str
    seats: list[WireSeat]
    names: dict[str, str]
    commitment: str | None
    secret: str | None
    entropy: dict[str, str]
    first: WireSeat
    first_by: Literal["lot", "choice"]
    seed: str | None
    rolls: list[DiceRoll]
    counts: dict[str, Rolled]
    expected: dict[str, Rolled]


def dice_of(room: Room) -> Dice:
    """What is told of the lots of a match."""
    record: Record = record_of(room)
    proof = Proof.of(record)
    rolls = rolls_of(record)
    counted = counts(rolls)
    told: dict[str, Any] = {
        "match": room.state.setup.id,
        "game": record.game.name,
        "seats": list(record.seats),
        "names": {str(seat): name for seat, name in record.names.items()},
        "commitment": None if proof is None else proof.commitment,
        "secret": None if proof is None else proof.secret,
        "entropy": {} if proof is None else {str(seat): word for seat, word in proof.entropy.items()},
        "first": record.first,
        "first_by": "lot" if proof is None or proof.first_drawn else "choice",
        "seed": None if record.seed is None else str(record.seed),
        "rolls": [{"n": roll.n, "seat": roll.seat, "dice": roll.dice} for roll in rolls],
        "counts": counted,
        "expected": expected(counted),
    }
    return Dice.model_validate(told)


@router.get("/api/matches/{match_id}/dice", responses=errors(400, 404, 429))
async def show_dice(request: Request, match_id: str) -> Dice:
    """Every lot of a match, and all that is needed to check them; the secret when the match is over."""
    return await (await table_of(request, match_id, "costly")).ask(dice_of)
