"""Owns the append-only log of matches on disk: SQLite by default, PostgreSQL by address. Knows no rule and no room.

``Store.open`` → ``create`` a match, ``append`` entries (returns when they are on disk), ``load`` them
again; ``lobby`` lists the public ones. ``backup`` and ``restore`` copy everything.
"""

from muang.store.copies import Copied, backup, inspect_copy
from muang.store.errors import DamagedStore, LogConflict, NoSuchMatch, OldStore, StoreBusy, StoreError
from muang.store.lobby import LobbyMatch, LobbySeat, lobby
from muang.store.migrate import migrate
from muang.store.restore import database_file, restore
from muang.store.store import MatchRow, Stage, Store, database_url, sqlite_url

__all__ = [
    "Copied",
    "DamagedStore",
    "LobbyMatch",
    "LobbySeat",
    "LogConflict",
    "MatchRow",
    "NoSuchMatch",
    "OldStore",
    "Stage",
    "Store",
    "StoreBusy",
    "StoreError",
    "backup",
    "database_file",
    "database_url",
    "inspect_copy",
    "lobby",
    "migrate",
    "restore",
    "sqlite_url",
]
