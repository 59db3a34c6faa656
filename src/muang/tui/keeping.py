"""Owns how a record becomes a file: whole or not at all, and never in place of another one that nobody has given up."""

from __future__ import annotations

import os
from pathlib import Path

from muang.records import Record, json, write

__all__ = ["fresh", "holds", "why", "write_record"]


def write_record(record: Record, path: Path) -> None:
    """Keep a record; JSON if the file's name ends so. ``OSError`` if it cannot be written."""
    path = path.resolve()  # what a link points to is replaced, not the link
    part = path.with_name(f".{path.name[:200]}.{os.getpid()}")
    try:
        part.write_text(json.write(record, indent=2) if path.suffix == ".json" else write(record), encoding="utf-8")
        part.replace(path)  # whole or not at all
    finally:
        part.unlink(missing_ok=True)


def holds(path: Path) -> bool:
    """Whether something is kept there that must not be lost."""
    return path.exists() and path.stat().st_size > 0


def fresh(path: Path, kept: int) -> Path:
    """Where the next record of this run goes, after so many: a rematch is another match, and what is there already stays."""
    number = kept + 1
    named = path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")
    return fresh(path, number) if holds(named) else named


def why(error: Exception, path: object) -> str:
    """Why a file could not be read or written, with its name as people know it."""
    reason = getattr(error, "strerror", None)
    return f"{path}: {reason}" if reason else str(error)
