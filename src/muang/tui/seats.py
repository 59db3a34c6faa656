"""Owns the tokens of seats on servers that were taken at this terminal, so that whoever closes it by mistake finds the seat again.

One small file that only its owner may read. Where it cannot be written or read, nothing is remembered, and nothing else is lost.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

from platformdirs import user_state_path

from muang.tui.remote import Link

__all__ = ["forget", "remember", "remembered", "where"]

MOST = 50


def where() -> Path:
    """The file. ``MUANG_STATE`` names another folder."""
    named = os.environ.get("MUANG_STATE")
    return (Path(named) if named else user_state_path("muang", appauthor=False)) / "seats.json"


def _read() -> dict[str, str]:
    try:
        found = json.loads(where().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {key: token for key, token in found.items() if isinstance(token, str)} if isinstance(found, dict) else {}


def _write(seats: dict[str, str]) -> None:
    path = where()
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(".new")
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump(dict(list(seats.items())[-MOST:]), file)
        fresh.replace(path)


def _key(link: Link) -> str:
    return f"{link.base}/play/{link.id}"


def remembered(link: Link) -> tuple[str, ...]:
    """The token of the seat that was taken there, if one was."""
    token = _read().get(_key(link))
    return () if token is None else (token,)


def remember(link: Link, token: str) -> None:
    """Keep the token of a seat; the oldest ones are let go."""
    _write({**_read(), _key(link): token})


def forget(link: Link) -> None:
    """The match is not there any more."""
    seats = _read()
    if seats.pop(_key(link), None) is not None:
        _write(seats)
