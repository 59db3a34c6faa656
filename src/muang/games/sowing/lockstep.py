"""Owns the race at ``lockstep``, compiled: single steps in turn (MK-24), until a choice is due or the race is over.

``race`` is int64[8]: [STEPPER] who steps next, [DEAD], [DEAD + 1] when each seat died (1 first, 2 second, 0 not yet),
[PICK], [PICK + 1] a hole chosen and not yet lifted (-1 none), [STEPS] steps made, [SPILLS], [SPILLS + 1] hands that relay no more.
Other arrays as in ``kernel``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from muang.games._jit import kernel
from muang.games.sowing.kernel import DIED, RESTED, WALKING, advance, lift, row_mask
from muang.games.sowing.layout import RACE, SPILL

__all__ = ["DEAD", "PICK", "SPILLS", "STEPPER", "STEPS", "bury", "clear", "new_race", "race_over", "run", "walk_out"]

STEPPER, DEAD, PICK, STEPS, SPILLS = 0, 1, 3, 5, 6

ROUND, OPENING, FIXED = 0, 1, 2


@kernel
def new_race(first: int) -> Any:
    """The state of a race that ``first`` steps into first."""
    race = np.zeros(8, np.int64)
    clear(np.zeros((2, 3), np.int64), race, first)
    return race


@kernel
def clear(hands: Any, race: Any, first: int) -> None:
    """As ``new_race``, in an array that is there; both hands are emptied."""
    for seat in range(2):
        for i in range(3):
            hands[seat, i] = 0
    for i in range(8):
        race[i] = 0
    race[STEPPER] = first
    race[PICK] = -1
    race[PICK + 1] = -1


@kernel
def bury(race: Any, seat: int) -> None:
    """A hand has died for this race."""
    race[DEAD + seat] = 2 if race[DEAD + 1 - seat] > 0 else 1


@kernel
def race_over(rules: Any, board: Any, hands: Any, race: Any) -> bool:
    """MK-22, MK-23, AB-31: ``round`` is over when both hands are empty and either row has no seed, the others when both have died."""
    if rules[0]["race_mode"] != ROUND:
        return bool(race[DEAD] > 0 and race[DEAD + 1] > 0)
    if hands[0, 1] > 0 or hands[1, 1] > 0:
        return False
    return row_mask(rules, board, 0) == 0 or row_mask(rules, board, 1) == 0


@kernel
def settle(rules: Any, race: Any, seat: int, state: int) -> None:
    """What a walk's end means to the race: ``opening`` and Abalala'e count deaths, ``round`` does not."""
    g = rules[0]
    if g["race_mode"] != ROUND and (state == DIED or (state == RESTED and g["rest_ends"])):
        bury(race, seat)
        if g["stop_lap"]:  # AB-23
            race[SPILLS + 1 - seat] = 1


@kernel
def run(rules: Any, board: Any, hands: Any, race: Any, widows: int, budget: int, trace: Any, n: int) -> tuple[int, int]:
    """Up to ``budget`` steps of a race. Gives (who must choose, next trace row).

    Who must choose: 0 nobody (over, or the budget is used up) · 1 South · 2 North · 3 both, before either is shown (MK-24).
    """
    while budget > 0 and not race_over(rules, board, hands, race):
        seat = int(race[STEPPER])
        if hands[seat, 1] > 0:
            phase = SPILL if race[SPILLS + seat] else RACE
            state, _, n = advance(rules, board, hands, seat, phase, 1, widows, trace, n)
            if state != WALKING:
                settle(rules, race, seat, state)
            race[STEPS] += 1
            budget -= 1
        elif race[DEAD + seat] == 0:
            if row_mask(rules, board, seat) == 0:
                if rules[0]["race_mode"] == OPENING:  # MK-23: no seed to choose when its step comes
                    bury(race, seat)
            elif race[PICK + seat] < 0:
                due = 1 << seat
                other = 1 - seat
                if hands[other, 1] == 0 and race[DEAD + other] == 0 and race[PICK + other] < 0 and row_mask(rules, board, other) != 0:
                    due |= 1 << other
                return due, n
            else:
                n = lift(board, hands, seat, race[PICK + seat], trace, n)
                race[PICK + seat] = -1
                race[STEPS] += 1
                budget -= 1
        race[STEPPER] = 1 - seat
    return 0, n


@kernel
def alike(board_a: Any, hands_a: Any, race_a: Any, board_b: Any, hands_b: Any, race_b: Any) -> bool:
    """AB-45: the same situation: board, both hands, who has died, who steps next (while there is a choice of two)."""
    if race_a[STEPPER] != race_b[STEPPER] and race_a[DEAD] == 0 and race_a[DEAD + 1] == 0:
        return False
    for seat in range(2):
        if (race_a[DEAD + seat] > 0) != (race_b[DEAD + seat] > 0) or hands_a[seat, 1] != hands_b[seat, 1]:
            return False
        if hands_a[seat, 1] > 0 and hands_a[seat, 0] != hands_b[seat, 0]:
            return False
    for i in range(len(board_a)):  # noqa: SIM110  `all(...)` is not compiled
        if board_a[i] != board_b[i]:
            return False
    return True


@kernel
def first_return(rules: Any, board: Any, hands: Any, race: Any, widows: int) -> int:
    """The number of steps after which a situation first comes back, or 0 if the race ends before (AB-45). Changes nothing.

    Brent finds the length of the cycle, a second pass where it begins: exact, whatever the length.
    """
    b, h, r = board.copy(), hands.copy(), race.copy()
    sb, sh, sr = board.copy(), hands.copy(), race.copy()
    power, length = 1, 0
    while True:
        run(rules, b, h, r, widows, 1, None, 0)
        if race_over(rules, b, h, r):
            return 0
        length += 1
        if alike(b, h, r, sb, sh, sr):
            break
        if length == power:
            sb[:], sh[:], sr[:] = b, h, r
            power, length = 2 * power, 0
    b[:], h[:], r[:] = board, hands, race
    for _ in range(length):
        run(rules, b, h, r, widows, 1, None, 0)
    sb[:], sh[:], sr[:] = board, hands, race
    start = 0
    while not alike(b, h, r, sb, sh, sr):
        run(rules, b, h, r, widows, 1, None, 0)
        run(rules, sb, sh, sr, widows, 1, None, 0)
        start += 1
    return start + length


@kernel
def walk_out(rules: Any, board: Any, hands: Any, race: Any, widows: int, trace: Any, n: int) -> tuple[int, int]:
    """A race without choices from its first lift to its end (AB-20…23, AB-45). Gives (the seat that has won it, next trace row)."""
    g = rules[0]
    first = int(race[STEPPER])
    for i in range(2):
        seat = first if i == 0 else 1 - first
        n = lift(board, hands, seat, seat * (g["holes"] + 1), trace, n)
    tb, th, tr = board.copy(), hands.copy(), race.copy()
    run(rules, tb, th, tr, widows, 2048, None, 0)
    steps = 0 if race_over(rules, tb, th, tr) else first_return(rules, board, hands, race, widows)
    won = -1
    if steps > 0:
        _, n = run(rules, board, hands, race, widows, steps, trace, n)
        won = 0 if race[DEAD] > 0 else 1 if race[DEAD + 1] > 0 else first
        race[SPILLS] = 1
        race[SPILLS + 1] = 1
    _, n = run(rules, board, hands, race, widows, 1 << 62, trace, n)
    if won < 0:
        won = 0 if race[DEAD] == 1 else 1
    return won, n
