"""Pictures of every screen, small and large, in colour and without, kept as SVG; compared by the plugin of Textual's own makers.

After a change that is meant: ``pytest tests/tui/test_looks.py --snapshot-update``, and look at them before they are kept.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from textual.pilot import Pilot

from muang.games.core import game
from muang.tui.app import Asked, MuangApp
from muang.tui.plan import Plan
from tui.desk import at_once, begun, text_of, until

SMALL, LARGE = (80, 24), (120, 40)
BOTH = {"S": "person", "N": "person"}


@dataclass(frozen=True)
class Look:
    """A picture: what is begun, the size, keys that are pressed once all is laid out, what stands there then."""

    begin: Callable[[], Plan | None]
    size: tuple[int, int] = SMALL
    keys: tuple[str, ...] = ()
    stands: str = ""
    asked: dict[str, Any] = field(default_factory=dict)


def turns() -> Plan:
    return Plan(game("mak-khum", "turns"), sitters=dict(BOTH), first="S", seed=1)


def race() -> Plan:
    return Plan(game("mak-khum"), pace="steady", sitters=dict(BOTH), names={"S": "Lan"}, first="S", seed=1)


def by_hand() -> Plan:
    return Plan(game("abalalae"), pace="by_hand", sitters=dict(BOTH), first="S", seed=1)


def horses() -> Plan:
    sitters: dict[Any, str] = dict.fromkeys((0, 1, 2, 3), "person")
    return Plan(game("ca-ngua"), sitters=sitters, first=0, seed=1)


def nothing() -> None:
    return None


LOOKS = {
    "start": Look(nothing),
    "start-thai": Look(nothing, asked={"lang": "th"}),
    "turns": Look(turns, keys=("3",), stands="North, choose"),
    "turns-large": Look(turns, LARGE, ("3",), "North, choose"),
    "turns-no-colour": Look(turns, keys=("3",), stands="North, choose", asked={"colour": False}),
    "turns-ascii": Look(turns, keys=("3", "p"), stands="North, choose", asked={"colour": False, "plain": True}),
    "race-card": Look(race),
    "race-card-large-light": Look(race, LARGE, asked={"light": True}),
    "by-hand": Look(by_hand, stands="Drop A S D"),
    "by-hand-large-no-colour": Look(by_hand, LARGE, stands="Drop A S D", asked={"colour": False}),
    "horses": Look(horses, stands="choose a move"),
    "horses-large": Look(horses, LARGE, stands="choose a move"),
    "horses-no-colour": Look(horses, stands="choose a move", asked={"colour": False}),
    "help": Look(turns, keys=("?",), stands="Keys and help"),
    "menu-vietnamese": Look(turns, keys=("m",), stands="Trình đơn", asked={"lang": "vi"}),
    "too-small": Look(turns, (60, 20), stands="60 × 20"),
}


@pytest.mark.parametrize("name", LOOKS)
def test_looks(name: str, snap_compare: Callable[..., bool]) -> None:
    look = LOOKS[name]
    app = MuangApp(Asked(begin=look.begin(), **look.asked), at_once)
    app.animation_level = "none"

    async def before(pilot: Pilot[str]) -> None:
        if look.begin() is not None:
            await begun(app, pilot)
            if look.begin is horses:
                await until(pilot, lambda: "choose a move" in text_of(app))
        await pilot.press(*look.keys)
        await until(pilot, lambda: look.stands in text_of(app) and bool(text_of(app)))

    run: Callable[[Pilot[str]], Awaitable[None]] = before
    assert snap_compare(app, terminal_size=look.size, run_before=run)
