"""Owns copies of the whole log: one form for both databases, written while the server runs, checked before anything is replaced.

A copy is gzipped text, one JSON object a line: a head, each match with the rows of its log as they stand in the tables, and an end with
the counts and the SHA-256 of all lines before it. So a copy that was cut off is noticed, and a match from SQLite can go to PostgreSQL.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import json
import os
import time
import zlib
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import delete, func, insert, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from muang.store.errors import OldStore, StoreError, translate_error
from muang.store.migrate import newest
from muang.store.store import Store
from muang.store.tables import entries, matches

__all__ = ["Copied", "backup", "fill", "inspect_copy", "sync_folder"]

FORM = 1
CHUNK = 200
MOST_LINE = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Copied:
    """What a copy holds. ``made``: ms since 1970."""

    matches: int
    entries: int
    made: int


def _bad(path: Path, why: str) -> StoreError:
    return StoreError(f"{path} is no whole copy made by `muang backup`: {why}; nothing was changed")


# ── making one ───────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def backup(store: Store, path: Path) -> Copied:
    """Write everything as it stands at one moment to ``path``, whole or not at all. The server may go on meanwhile. ``StoreError``.

    Only its owner may read the file: it holds names, and the secrets of matches that are not over.
    """
    made = time.time_ns() // 1_000_000
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    count, length, digest = 0, 0, hashlib.sha256()
    try:
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as raw:
            with gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=6, mtime=0) as out:

                def line(what: dict[str, Any]) -> None:
                    told = json.dumps(what, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
                    digest.update(told)
                    out.write(told)

                line({"muang-backup": FORM, "tables": newest(), "made": made})
                async for row, log in _all(store):
                    line({"match": row, "entries": log})
                    count, length = count + 1, length + len(log)
                line({"end": {"matches": count, "entries": length, "sha256": digest.hexdigest()}})
            raw.flush()
            os.fsync(raw.fileno())
        os.replace(beside, path)
        sync_folder(path.parent)
    except OSError as error:
        raise StoreError(f"the copy cannot be written: {path}: {error.strerror or error}") from error
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
    return Copied(count, length, made)


async def _all(store: Store) -> AsyncIterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Every match with its log, from one snapshot."""
    async with store.reading() as plain:
        connection = plain if store.sqlite else await plain.execution_options(isolation_level="REPEATABLE READ")
        last = ""
        while True:
            query = select(matches).where(matches.c.id > last).order_by(matches.c.id).limit(CHUNK)
            rows = [dict(row) for row in (await connection.execute(query)).mappings().all()]
            if not rows:
                return
            last = rows[-1]["id"]
            logs: dict[str, list[dict[str, Any]]] = {row["id"]: [] for row in rows}
            found = select(entries).where(entries.c.match_id.in_(list(logs))).order_by(entries.c.match_id, entries.c.seq)
            for entry in (await connection.execute(found)).mappings():
                kept = {name: value for name, value in entry.items() if value is not None and name != "match_id"}
                logs[entry["match_id"]].append(kept)
            for row in rows:
                yield row, logs[row["id"]]


def sync_folder(folder: Path) -> None:
    """See to it that a new name survives a crash, where a folder can be opened for that."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


# ── reading one ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def inspect_copy(path: Path) -> Copied:
    """Read a copy to its end and say what is in it.

    ``StoreError`` if it is none, was cut off or changed; ``OldStore`` if a later version wrote it.
    """
    copied: Copied | None = None
    for what in _lines(path):
        copied = what if isinstance(what, Copied) else None
    assert copied is not None
    return copied


def _lines(path: Path) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]] | Copied]:
    """Each match with its log, then what the whole copy was: only then is it known to be whole."""
    digest, head, end = hashlib.sha256(), None, None
    count = length = 0
    try:
        with gzip.open(path, "rb") as file:
            for line in _each(file, path):
                if end is not None:
                    raise _bad(path, "something stands behind its end")
                what = json.loads(line)
                if head is None:
                    head = _head(what, path)
                elif "end" in what:
                    end = what["end"]
                    if end != {"matches": count, "entries": length, "sha256": digest.hexdigest()}:
                        raise _bad(path, "its counts or its checksum are wrong")
                else:
                    row, log = _rows(what, path)
                    count, length = count + 1, length + len(log)
                    yield row, log
                digest.update(line)
    except FileNotFoundError:
        raise StoreError(f"there is no file {path}") from None
    except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise _bad(path, str(error).splitlines()[0][:100] if str(error) else type(error).__name__) from error
    if head is None or end is None:
        raise _bad(path, "it is empty" if head is None else "it was cut off")
    yield Copied(count, length, int(head["made"]))


def _each(file: gzip.GzipFile, path: Path) -> Iterator[bytes]:
    while line := file.readline(MOST_LINE):
        if not line.endswith(b"\n"):
            raise _bad(path, "a line has no end")
        yield line


def _head(what: Any, path: Path) -> dict[str, Any]:
    if not isinstance(what, dict) or what.get("muang-backup") != FORM or not isinstance(what.get("made"), int):
        raise _bad(path, "its first line is another one")
    if str(what["tables"]) > newest():
        raise OldStore(f"{path} was made by a later version of Muang (tables {what['tables']}, here {newest()}); use that one")
    return what


def _rows(what: Any, path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A match and its log with known columns only, and every entry under the match's id."""
    row, log = dict(what["match"]), [{**dict(entry), "match_id": what["match"]["id"]} for entry in what["entries"]]
    for table, found in ((matches, [row]), (entries, log)):
        known = {column.name for column in table.columns}
        strange = {name for one in found for name in one} - known
        if strange:
            raise _bad(path, f"it has a column {sorted(strange)[0]!r}")
    if [entry["seq"] for entry in log] != list(range(1, len(log) + 1)):
        raise _bad(path, f"the log of match {row['id']} has a gap")
    return row, log


# ── putting one back ─────────────────────────────────────────────────────────────────────────────────────────────────────────


async def fill(store: Store, path: Path, *, replace: bool) -> Copied:
    """Put a copy into the database, in one transaction: all of it or nothing.

    ``replace``: what was there goes; otherwise ``StoreError`` if anything was there.
    """
    copied = inspect_copy(path)
    try:
        async with store.engine.begin() as connection:
            if not store.sqlite:
                await connection.execute(text("LOCK TABLE matches IN ACCESS EXCLUSIVE MODE"))
            held = (await connection.execute(select(func.count()).select_from(matches))).scalar_one()
            if held and not replace:
                raise StoreError(f"{store.where} holds {held} matches; with --force the copy takes their place")
            await connection.execute(delete(entries))
            await connection.execute(delete(matches))
            await _insert(connection, path)
    except (SQLAlchemyError, OSError) as error:
        raise translate_error(error, store.where) from error
    return copied


async def _insert(connection: AsyncConnection, path: Path) -> None:
    blank = {column.name: None for column in entries.columns if column.nullable}
    row_pile: list[dict[str, Any]] = []
    pile: list[dict[str, Any]] = []

    async def write() -> None:
        if row_pile:
            await connection.execute(insert(matches), row_pile)
        if pile:
            await connection.execute(insert(entries), pile)
        row_pile.clear()
        pile.clear()

    for what in _lines(path):
        if isinstance(what, Copied):
            break
        row_pile.append(what[0])
        pile.extend({**blank, "t": 0, **entry} for entry in what[1])
        if len(pile) + len(row_pile) >= 5000:
            await write()
    await write()
