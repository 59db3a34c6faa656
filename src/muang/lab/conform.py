"""Owns the reading of conformance files: JSON Lines of cases, each checked against the rules. The games' checkers know what a case means.

A line that cannot be read is a failed case with its reason, so that a damaged file never counts as agreement.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from muang.errors import MuangError
from muang.games.core import GAMES

__all__ = ["NoCases", "Outcome", "check", "files", "run"]


class NoCases(MuangError):
    """There is nothing to check where a path points."""

    code = "no-cases"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One case: where it stands, its id (empty if it has none) and how the product differs from it, None if it agrees."""

    path: Path
    line: int
    id: str
    differs: str | None


def files(paths: Iterable[Path]) -> list[Path]:
    """The case files that the paths name: files as they are, folders by their ``*.jsonl``. ``NoCases`` if one names none."""
    found: list[Path] = []
    for path in paths:
        inside = sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]
        if not path.exists():
            raise NoCases(f"there is no file or folder {path}")
        if not inside:
            raise NoCases(f"there is no .jsonl file in {path}")
        found += [one for one in inside if one not in found]
    return found


def run(paths: Iterable[Path]) -> Iterator[Outcome]:
    """Every case of the files, in order. Empty lines are no cases. ``NoCases`` for a file without any, and one that is not UTF-8."""
    for path in paths:
        empty = True
        try:
            with path.open(encoding="utf-8") as lines:
                for number, line in enumerate(lines, 1):
                    if line.strip():
                        empty = False
                        yield _outcome(path, number, line)
        except UnicodeDecodeError as error:
            raise NoCases(f"{path} is not UTF-8 text") from error
        if empty:
            raise NoCases(f"there are no cases in {path}")


def _outcome(path: Path, number: int, line: str) -> Outcome:
    try:
        case = json.loads(line)
    except (ValueError, RecursionError) as error:
        return Outcome(path, number, "", f"cannot read the line: {error}")
    if not isinstance(case, dict):
        return Outcome(path, number, "", f"a case is a JSON object, not {type(case).__name__}")
    return Outcome(path, number, str(case.get("id", "")), check(case))


def check(case: dict[str, Any]) -> str | None:
    """None if the product agrees with a case, else one sentence on the first difference, or on why the case cannot be read."""
    for name in ("id", "game", "rules", "kind"):
        if name not in case:
            return f"cannot read the case: it has no {name!r}"
    if case["game"] not in GAMES:
        return f"cannot read the case: there is no game {case['game']!r} (allowed: {', '.join(GAMES)})"
    try:
        if case["game"] == "ca-ngua":
            from muang.lab import conform_ca_ngua

            return conform_ca_ngua.check(case)
        from muang.lab import conform_sowing

        return conform_sowing.check(case)
    except MuangError as error:
        return f"cannot read the case: {error}"
    except (LookupError, TypeError, ValueError, AttributeError, AssertionError) as error:  # what damaged data does to a checker
        return f"cannot read the case: {type(error).__name__}: {error}"
