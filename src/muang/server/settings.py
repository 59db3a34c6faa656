"""Owns what can be set about a server. Reads the environment once, when asked to."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from platformdirs import user_data_path

from muang.errors import MuangError
from muang.rooms import Timing
from muang.server.limits import KINDS, read_rate
from muang.server.logs import LOG_FORMS
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
    (levels 6 to 8, hints) at once; ``thoughts_per_address``: how many of either are computed at once for the matches of one address, the
    others wait. ``public_url``: what links and QR codes say, e.g. ``https://muang.example``; without it they say the address under which
    the page was asked for. ``proxies``: networks of proxies whose ``X-Forwarded-For`` and ``X-Forwarded-Proto`` are believed;
    ``metrics_from``: networks that may read ``/metrics``. ``log``: ``text``, ``json`` or ``off``.

    ``keep_days``: a match is deleted so long after its last entry, names and all; ``keep_meeting_days``: one that never began. 0: never.

    ``most_…``: what the whole server carries. ``sockets_per_address`` (streams count too), ``tables_per_address`` (matches in memory):
    what one address may have at once. ``rate_…``: how often one address may do something, as ``240/minute`` or ``off``;
    ``rate_frames`` is for one connection.
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
    thoughts_per_address: int = 4
    sockets_per_address: int = 400
    tables_per_address: int = 400
    rate_matches: str = "240/minute"
    rate_sits: str = "240/minute"
    rate_hints: str = "120/minute"
    rate_costly: str = "600/minute"
    rate_looks: str = "1200/minute"
    rate_plays: str = "100/second"
    rate_frames: str = "120/second"
    keep_days: int = 180
    keep_meeting_days: int = 7
    public_url: str = ""
    proxies: tuple[str, ...] = ("127.0.0.1", "::1")
    metrics_from: tuple[str, ...] = ("127.0.0.1", "::1")
    log: str = "text"
    warm: bool = True
    timing: Timing = field(default_factory=Timing)

    @property
    def address(self) -> str:
        """The database's address."""
        return self.database or sqlite_url(self.data_dir / "muang.db")

    @property
    def rates(self) -> dict[str, str]:
        """What ``Limits`` counts by."""
        return {kind: getattr(self, f"rate_{kind}") for kind in KINDS}

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None, **given: Any) -> Settings:
        """Settings from ``MUANG_DATA_DIR``, ``MUANG_DATABASE``, ``MUANG_HOSTS``, ``MUANG_IDLE_SECONDS`` …, and ``MUANG_TIMING_ROLL``,
        ``MUANG_TIMING_NO_MOVE``, ``MUANG_TIMING_COUNTDOWN``, ``MUANG_TIMING_MAX_LAG`` in ms; ``given`` wins. Lists are parted by commas.
        ``BadSetting``."""
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
    if name in ("proxies", "metrics_from"):
        return _networks(name, text)
    if name.startswith("rate_"):
        return _rate(name, text)
    if name == "public_url":
        return _address(text)
    if name == "log":
        return _one_of(name, text, LOG_FORMS)
    if name == "warm":
        return _one_of(name, text, ("0", "1")) == "1"
    if name == "idle_seconds":
        return float(_whole(name, text))
    return _whole(name, text)


def _bad(name: str, text: str, allowed: str) -> BadSetting:
    return BadSetting(f"{PREFIX}{name.upper()} cannot be {text[:60]!r} (allowed: {allowed})")


def _one_of(name: str, text: str, words: tuple[str, ...]) -> str:
    if text not in words:
        raise _bad(name, text, ", ".join(words))
    return text


def _networks(name: str, text: str) -> tuple[str, ...]:
    found = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        try:
            found.append(str(ipaddress.ip_network(part, strict=False)))
        except ValueError:
            raise _bad(name, text, "networks as 10.0.0.0/8 or addresses, parted by commas") from None
    return tuple(found)


def _rate(name: str, text: str) -> str:
    try:
        read_rate(text)
    except ValueError:
        raise _bad(name, text, "off, or a rate such as 240/minute") from None
    return text


def _address(text: str) -> str:
    try:
        parts = urlsplit(text)
        good = not text or (parts.scheme in ("http", "https") and parts.hostname and not parts.query and not parts.fragment)
    except ValueError:
        good = False
    if not good:
        raise _bad("public_url", text, "an address such as https://muang.example")
    return text.rstrip("/")


def _whole(name: str, text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise _bad(name, text[:20], "a whole number")
    return int(text)
