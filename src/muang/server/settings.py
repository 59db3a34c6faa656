"""Owns what can be set about a server. Reads the environment once, when asked to."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from muang.errors import MuangError
from muang.rooms import Timing
from muang.store import sqlite_url

__all__ = ["BadSetting", "Settings", "default_data_dir"]

PREFIX = "MUANG_"


class BadSetting(MuangError):
    """A setting in the environment that cannot be read."""

    code = "bad-setting"


def default_data_dir() -> Path:
    """Where matches are kept if nothing else is said."""
    return user_data_path("muang", appauthor=False)


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything about a server that can be set.

    ``database``: an address, or "" for a SQLite file in ``data_dir``. ``hosts``: names under which the page may be asked for; names of
    this machine and plain addresses always may (a foreign name that leads here is an attack). ``idle_seconds``: a match that nobody
    watches for so long leaves the memory. ``thinkers``: quick computer moves computed at once; ``deep``: long thoughts
    (levels 6 to 8, hints) at once.
    """

    data_dir: Path = field(default_factory=default_data_dir)
    database: str = ""
    hosts: tuple[str, ...] = ()
    idle_seconds: float = 60.0
    thinkers: int = 2
    deep: int = 2
    outbox: int = 256
    inbox: int = 256
    most_sockets: int = 4000
    most_tables: int = 4000
    most_body: int = 65_536
    warm: bool = True
    timing: Timing = field(default_factory=Timing)

    @property
    def address(self) -> str:
        """The database's address."""
        return self.database or sqlite_url(self.data_dir / "muang.db")

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None, **given: Any) -> Settings:
        """Settings from ``MUANG_DATA_DIR``, ``MUANG_DATABASE``, ``MUANG_HOSTS``, ``MUANG_IDLE_SECONDS`` …, and ``MUANG_TIMING_ROLL``,
        ``MUANG_TIMING_NO_MOVE``, ``MUANG_TIMING_COUNTDOWN``, ``MUANG_TIMING_MAX_LAG`` in ms; ``given`` wins. ``BadSetting``."""
        env = os.environ if environ is None else environ
        found: dict[str, Any] = {}
        for one in fields(cls):
            text = env.get(PREFIX + one.name.upper())
            if text is not None and one.name != "timing" and one.name not in given:
                found[one.name] = _read(one.name, text)
        timing = {}
        for one in fields(Timing):
            text = env.get(f"{PREFIX}TIMING_{one.name.upper()}")
            if text is not None:
                timing[one.name] = _whole(f"timing_{one.name}", text)
        if timing and "timing" not in given:
            found["timing"] = Timing(**timing)
        return cls(**found, **given)


def _read(name: str, text: str) -> Any:
    if name == "data_dir":
        return Path(text)
    if name == "database":
        return text
    if name == "hosts":
        return tuple(host.strip().lower() for host in text.split(",") if host.strip())
    if name == "warm":
        if text not in ("0", "1"):
            raise BadSetting(f"{PREFIX}WARM cannot be {text!r} (allowed: 0, 1)")
        return text == "1"
    if name == "idle_seconds":
        return float(_whole(name, text))
    return _whole(name, text)


def _whole(name: str, text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise BadSetting(f"{PREFIX}{name.upper()} cannot be {text[:20]!r} (allowed: a whole number)")
    return int(text)
