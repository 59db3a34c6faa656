"""Owns the one connection through which the log is written to a SQLite file: a whole commit in one call, on a thread of its own.

A commit by way of SQLAlchemy's asyncio goes to a thread and back five times, and the driver takes the interpreter's lock anew for each row.
While a thousand matches are being played each of these waits for its turn; here it is one way there and one back.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import orjson

from muang.store.tables import entries

__all__ = ["SqliteWriter"]

_COLUMNS = [column.name for column in entries.columns]
_NAMES = ", ".join(f'"{name}"' for name in _COLUMNS)
_VALUES = ", ".join(f"json_extract(value, '$[{at}]')" for at in range(len(_COLUMNS)))
_PUT = f"INSERT INTO entries ({_NAMES}) SELECT {_VALUES} FROM json_each(?)"
_MARK = (  # an insertion that always meets the match that is there: ``UPDATE … FROM`` is younger than some systems' SQLite
    "INSERT INTO matches (id, game, rules_version, created, setup, touched, stage) "
    "SELECT known.id, '', 0, 0, '', json_extract(value, '$[1]'), coalesce(json_extract(value, '$[2]'), known.stage) "
    "FROM json_each(?) JOIN matches AS known ON known.id = json_extract(value, '$[0]') WHERE true "
    "ON CONFLICT (id) DO UPDATE SET touched = excluded.touched, stage = excluded.stage"
)

Rows = Sequence[Mapping[str, Any]]


class SqliteWriter:
    """Writes to the SQLite file at ``path``. ``connect``: what is set for every connection; ``seconds``: how long it waits for a lock."""

    def __init__(self, path: str, connect: Callable[[Any, Any], None], seconds: float) -> None:
        self._path, self._connect, self._seconds = path, connect, seconds
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store-writes")
        self._connection: sqlite3.Connection | None = None

    async def write(self, matches: Rows, new: Rows, marks: Rows) -> None:
        """Write new matches, entries and marks, all of them or none. ``sqlite3.Error``."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._write, matches, new, marks)

    async def close(self) -> None:
        """Let the file go."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._drop)
        self._thread.shutdown()

    def _write(self, matches: Rows, new: Rows, marks: Rows) -> None:
        connection = self._connection
        if connection is None:
            connection = self._connection = sqlite3.connect(self._path, timeout=self._seconds)
            self._connect(connection, None)
        connection.execute("BEGIN")
        try:
            for row in matches:
                names = ", ".join(row)
                connection.execute(f"INSERT INTO matches ({names}) VALUES ({', '.join(':' + name for name in row)})", dict(row))
            if new:
                connection.execute(_PUT, (_json(new, _COLUMNS),))
            if marks:
                connection.execute(_MARK, (_json(marks, ("which", "moment", "now_at")),))
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _json(rows: Rows, names: Sequence[str]) -> str:
    """The rows as one value: however many there are, they are one call of the driver, which takes the interpreter's lock anew for each."""
    return orjson.dumps([[row[name] for name in names] for row in rows]).decode()
