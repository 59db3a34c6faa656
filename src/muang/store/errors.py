"""Owns what can go wrong with the log on disk, in words that say what to do. Handles nothing."""

from __future__ import annotations

import sqlite3
from typing import TypeVar

from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError, SQLAlchemyError

from muang.errors import MuangError

__all__ = ["DamagedStore", "LogConflict", "NoSuchMatch", "OldStore", "StoreBusy", "StoreError", "damaged", "inside", "translate_error"]


class StoreError(MuangError):
    """The log could not be read or written; nothing was half written. ``inside``: its message names what only who runs the server may
    know."""

    code = "store"
    inside = False

    @property
    def told(self) -> str:
        """The message, or where it says too much, what it means for somebody who plays."""
        if not self.inside:
            return str(self)
        return "the server cannot read or write its matches just now; nothing that was acknowledged is lost"


class StoreBusy(StoreError):
    """Another program holds the database."""

    code = "store-busy"


class DamagedStore(StoreError):
    """The database file is damaged, or is no database."""

    code = "store-damaged"


class OldStore(StoreError):
    """The tables are not those of this version."""

    code = "store-old"


class NoSuchMatch(StoreError):
    """There is no match with that id."""

    code = "no-such-match"


class LogConflict(StoreError):
    """Somebody else has written to the same match."""

    code = "log-conflict"


E = TypeVar("E", bound=StoreError)


def inside(error: E) -> E:
    """The same error, with a message that is for who runs the server only."""
    error.inside = True
    return error


def damaged(where: str, why: str) -> DamagedStore:
    """The error for a file that SQLite cannot make sense of."""
    return inside(
        DamagedStore(f"{where} is damaged ({why}); put a copy in its place (muang restore), or move it away to begin with an empty one")
    )


def translate_error(error: SQLAlchemyError | sqlite3.Error | OSError, where: str) -> StoreError:
    """The error as one of ours, for who runs the server. ``where`` names the database without its password."""
    return inside(_translated(error, where))


def _translated(error: SQLAlchemyError | sqlite3.Error | OSError, where: str) -> StoreError:
    cause = getattr(error, "orig", None) or error
    text = str(cause).strip().splitlines()[0][:200] if str(cause).strip() else type(cause).__name__
    low = text.lower()
    if isinstance(error, (IntegrityError, sqlite3.IntegrityError)):
        return LogConflict(f"{where}: the log of this match was written to by another program ({text})")
    if "locked" in low or "busy" in low:
        return StoreBusy(f"{where} is locked by another program; close it and try again")
    if "i/o error" in low:
        return StoreError(
            f"{where} cannot be read or written ({text}); nothing was lost: see whether the disk is full, broken or taken out"
        )
    if "malformed" in low or "not a database" in low or "corrupt" in low:
        return DamagedStore(
            f"{where} is damaged ({text}); put a copy in its place with: muang restore, or move it away to begin with an empty one"
        )
    if ("full" in low and ("disk" in low or "space" in low)) or "no space left" in low or "could not extend" in low:
        return StoreError(f"{where}: the disk is full; nothing was lost, make room and go on")
    if "readonly" in low or "read-only" in low or "permission" in low or "unable to open" in low:
        return StoreError(f"{where} cannot be written ({text}); check the folder and its permissions")
    if "no such table" in low or ("relation" in low and "does not exist" in low):
        return OldStore(f"{where} has no tables for this version; bring it up to date with: muang migrate")
    if "connection failed" in low or "connection refused" in low or "could not connect" in low:
        return StoreError(f"{where} cannot be reached ({text}); is it running, and is MUANG_DATABASE right?")
    if isinstance(error, (OperationalError, DBAPIError, OSError)):
        return StoreError(f"{where}: {text}")
    return StoreError(f"{where}: {type(error).__name__}: {text}")
