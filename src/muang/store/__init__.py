"""Owns the append-only log of matches on disk: SQLite by default, PostgreSQL by address. Knows no rule and no room.

``Store.open`` → ``create`` a match, ``append`` entries (returns when they are on disk), ``load`` them again.
"""

from muang.store.errors import DamagedStore, LogConflict, NoSuchMatch, OldStore, StoreBusy, StoreError
from muang.store.migrate import migrate
from muang.store.store import MatchRow, Store, sqlite_url

__all__ = [
    "DamagedStore",
    "LogConflict",
    "MatchRow",
    "NoSuchMatch",
    "OldStore",
    "Store",
    "StoreBusy",
    "StoreError",
    "migrate",
    "sqlite_url",
]
