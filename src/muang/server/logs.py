"""Owns how the server's log lines look. They name no person, and neither a token nor a whole match id: whoever reads a log cannot enter.

``configure("json")`` for a machine that collects logs, ``"text"`` for a terminal, ``"off"`` for nothing below an error.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

__all__ = ["LOG_FORMS", "configure", "discreet"]

LOG_FORMS = ("text", "json", "off")
SECRETS = frozenset({"token", "tokens", "name", "names", "secret", "seed", "entropy", "authorization"})
# what new_id() makes: 22 letters of the URL alphabet by themselves
_ID = re.compile(r"(?<![A-Za-z0-9_-])([A-Za-z0-9_-]{4})[A-Za-z0-9_-]{18}(?![A-Za-z0-9_-])")


def discreet(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Leave out what nobody has to know: names and tokens go, ids are cut to what tells them apart."""
    for key in list(event):
        if key in SECRETS:
            del event[key]
        elif isinstance(event[key], str):
            event[key] = _ID.sub(r"\1…", event[key])
    return event


def configure(form: str) -> None:
    """Write log lines in ``form`` to stderr from now on."""
    last: list[Any] = [structlog.processors.format_exc_info, discreet]
    if form == "json":
        last.append(structlog.processors.JSONRenderer(ensure_ascii=False))
    else:
        last.append(structlog.dev.ConsoleRenderer(colors=False))
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *last,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR if form == "off" else logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
