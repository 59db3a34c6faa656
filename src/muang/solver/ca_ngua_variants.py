"""Owns how the value of two players' start depends on the rules of Cờ cá ngựa: every option, both kinds of seats. Keeps no table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from muang.errors import BadRuleset, BadTable
from muang.games._jit import kernel_digest
from muang.games.ca_ngua.rules import CaNgua
from muang.search.limits import Stop
from muang.solver.ca_ngua import file_name, solve_ca_ngua
from muang.solver.work import OnProgress, Progress

__all__ = ["by_rules", "games", "read_rows", "solve_variants"]

SEATS = ((0, 2), (0, 1))
Rows = dict[str, dict[str, Any]]
"""Results by the name that the table's file would have."""


def games() -> list[CaNgua]:
    """Every combination of the options that matter, and that the rules do not refuse: the default, then by how many options differ."""
    known = {option.name: option.choices for option in CaNgua.option_list if option.name != "turn_seconds"}
    found = []
    for values in product(*known.values()):
        try:
            found.append(CaNgua(None, **dict(zip(known, values, strict=True))))
        except BadRuleset:  # CN-25
            continue
    return sorted(found, key=lambda of: len(of.changes()))


def solve_variants(
    rows: Rows, *, epsilon: float, threads: int = 0, on_progress: OnProgress | None = None, stop: Stop | None = None
) -> Iterator[Rows]:
    """Solve what ``rows`` does not hold; gives all rows after each. ``Stopped`` when it is asked to stop, between two rows or in one."""
    rows = dict(rows)
    todo = [(of, seats) for of in games() for seats in SEATS]
    left = [(of, seats) for of, seats in todo if rows.get(file_name(of, seats), {}).get("code") != kernel_digest("solver.ca_ngua_kernel")]
    spent = 0.0
    for n, (of, seats) in enumerate(left):

        def heard(step: Progress, n: int = n, spent: float = spent) -> None:
            if on_progress is not None:
                done = n + step.done
                seconds = spent + step.seconds
                later = seconds * (len(left) - done) / done if done > 0.1 else None
                on_progress(Progress(len(todo) - len(left) + done, len(todo), seconds, later, f"{n + 1} of {len(left)}"))

        table = solve_ca_ngua(of, seats, epsilon=epsilon, threads=threads, on_progress=heard, stop=stop, keep=False)
        told = {name: table.parameters[name] for name in ("starts", "error", "states", "sweeps", "seconds", "threads")}
        options = {name: value for name, value in of.options.items() if name != "turn_seconds"}
        rows[file_name(of, seats)] = {"options": options, "opposite": table.parameters["opposite"], "code": table.code} | told
        spent += told["seconds"]
        yield dict(rows)


def read_rows(path: Path) -> Rows:
    """The rows that ``muang solve ca-ngua --variants -o`` wrote into a file; none if there is no file. ``BadTable`` if it holds others."""
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(rows, dict) or not all(isinstance(row, dict) and "starts" in row and "options" in row for row in rows.values()):
            raise ValueError
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise BadTable(f"{path} does not hold results of variants") from error
    return rows


def by_rules(rows: Rows) -> list[tuple[str, ...]]:
    """For each ruleset: its options, the chance of who rolls first on opposite seats, on neighbouring seats as 0 and as 1, and seconds."""
    told = []
    for of in games():
        found = [rows.get(file_name(of, seats)) for seats in SEATS]
        starts = [f"{sum(bounds) / 2:.9f}" for row in found if row is not None for bounds in row["starts"]]
        if all(row is not None for row in found):
            options = [str(of.options[name]).lower() for name in ("track", "doubles", "gate", "keep_repeat")]
            told.append((*options, *starts, f"{sum(row['seconds'] for row in found if row is not None):.0f}"))
    return told
