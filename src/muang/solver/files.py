"""Owns the one file format of solved tables: written so that no half file ever has its name, read so that no wrong one passes.

A file is the 8 bytes ``MUANGTAB``, the length of the header (uint64), the header's BLAKE2b digest (16 bytes), the header (JSON in UTF-8),
and then the arrays as they lie in memory, little-endian, each from a multiple of 64 bytes. The header holds the form's number, the table's
``kind``, the game with all its options, ``RULES_VERSION``, the digest of the code that made it, free ``parameters``, the date, and for each
array its name, dtype, shape, offset and BLAKE2b digest. What the arrays mean is their solver's business.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray
from platformdirs import user_data_path

from muang.errors import BadTable, MuangError, NotEnough, TableMissing
from muang.games._jit import kernel_digest
from muang.games.core import RULES_VERSION, Game, game

__all__ = ["FORM", "Table", "folder", "read_table", "write_table"]

FORM = 1
"""The number of this form; a file of another form is refused."""

_MAGIC = b"MUANGTAB"
_ALIGN = 64
_MOST_HEADER = 1 << 20
_PIECE = 1 << 24


@dataclass(frozen=True)
class Table:
    """A table as it lies in its file. ``arrays`` by name; read-only where they are mapped from the disk.

    ``game`` is None for a table that belongs to no one game. ``code`` is the digest of the code that made it, ``created`` the UTC time.
    """

    kind: str
    game: Game | None
    parameters: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]]
    code: str = ""
    created: str = ""
    path: Path | None = field(default=None, compare=False)


def folder() -> Path:
    """Where tables are kept: ``MUANG_TABLES``, else ``tables`` in the user's data folder. It need not exist."""
    named = os.environ.get("MUANG_TABLES")
    return Path(named) if named else user_data_path("muang", appauthor=False) / "tables"


def write_table(
    path: Path,
    kind: str,
    of: Game | None,
    parameters: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
    *,
    module: str = "games",
) -> Table:
    """Write a table; gives what was written. ``parameters`` is plain data; ``module`` names the code that made it (``solver.endgame``).

    The file gets its name only when it is whole and on the disk: whoever reads meanwhile finds the old one or none. ``NotEnough`` before
    anything is written if the disk cannot hold it, ``OSError`` if the folder cannot be written.
    """
    flat = {name: _little(array) for name, array in arrays.items()}
    offset, rows = 0, []
    for name, array in flat.items():
        row = {"name": name, "dtype": array.dtype.str, "shape": list(array.shape), "offset": offset, "digest": _digest(array)}
        rows.append(row)
        offset = _aligned(offset + array.nbytes)
    created = datetime.now(UTC).isoformat(timespec="seconds")
    code = kernel_digest(module)
    header = {
        "form": FORM,
        "kind": kind,
        "game": None if of is None else of.name,
        "options": None if of is None else of.options,
        "rules": RULES_VERSION,
        "code": code,
        "created": created,
        "parameters": dict(parameters),
        "arrays": rows,
    }
    text = json.dumps(header, ensure_ascii=False).encode()
    text += b" " * (_aligned(len(text) + 32) - 32 - len(text))
    path.parent.mkdir(parents=True, exist_ok=True)
    room(path.parent, len(text) + 32 + offset)
    draft = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        with draft.open("wb") as file:
            file.write(_MAGIC + len(text).to_bytes(8, "little") + blake2b(text, digest_size=16).digest() + text)
            for array in flat.values():
                for piece in _pieces(array):
                    file.write(piece)
                file.write(b"\0" * (_aligned(array.nbytes) - array.nbytes))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        with suppress(FileNotFoundError):
            draft.unlink()
    return Table(kind, of, dict(parameters), dict(arrays), code, created, path)


def room(where: Path, need: int) -> None:
    """``NotEnough`` if the disk of the folder ``where`` has fewer than ``need`` bytes free. The folder, or one above it, must exist."""
    there = next(folder for folder in (where, *where.absolute().parents) if folder.exists())
    free = shutil.disk_usage(there).free
    if free < need:
        raise NotEnough(f"{need:,} bytes are needed on the disk of {where}, {free:,} are free")


def read_table(path: Path, kind: str, of: Game | None = None, *, mapped: bool = True, verify: bool = True) -> Table:
    """The table in a file. ``of``: the game it has to belong to; left out, any.

    ``mapped``: the arrays stay on the disk and are read where they are touched; else they are read whole and can be written to. ``verify``
    compares every array with its digest, which reads the file once; the length and the header are always looked at. ``TableMissing``
    if there is no such file, ``BadTable`` if it is no table, is cut short or damaged, is of another kind, game or form, or was made
    under other rules.
    """
    try:
        file = path.open("rb")
    except FileNotFoundError as error:
        raise TableMissing(f"there is no table {path}") from error
    with file:
        try:
            header, start = _header(path, file)
            if header["kind"] != kind:
                raise BadTable(f"{path} holds {header['kind']}, not {kind}")
            if header["rules"] != RULES_VERSION:
                raise BadTable(f"{path} was made under version {header['rules']} of the rules; these are {RULES_VERSION}: solve it again")
            found = _game(path, header)
            if of is not None and found != of:
                raise BadTable(f"{path} belongs to {found!r}, not to {of!r}")
            arrays = _arrays(path, file, start, header["arrays"], mapped, verify)
            return Table(kind, found, header["parameters"], arrays, header["code"], header["created"], path)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadTable(f"{path} is damaged: its header does not say what it should") from error


def _arrays(path: Path, file: BinaryIO, start: int, rows: list[Any], mapped: bool, verify: bool) -> dict[str, NDArray[Any]]:
    """The arrays of a file, each as long as the header says."""
    size = os.fstat(file.fileno()).st_size
    arrays: dict[str, NDArray[Any]] = {}
    end = start
    for row in rows:
        dtype, shape, at = np.dtype(row["dtype"]), tuple(row["shape"]), start + row["offset"]
        if dtype.kind not in "biuf" or row["offset"] < 0 or any(length < 0 for length in shape):
            raise ValueError
        count = int(np.prod(shape, dtype=np.int64))
        end = at + count * dtype.itemsize
        if end > size:
            raise BadTable(f"{path} is cut short: {size:,} bytes, not {end:,}")
        if count == 0:
            array: NDArray[Any] = np.zeros(shape, dtype)
        elif mapped:
            array = np.memmap(path, dtype, "r", at, shape)
        else:
            array = np.empty(shape, dtype)
            file.seek(at)
            if file.readinto(array.reshape(-1).view(np.uint8).data) != array.nbytes:  # type: ignore[attr-defined]
                raise BadTable(f"{path} is cut short")
        if verify and _digest(array) != row["digest"]:
            raise BadTable(f"{path} is damaged: {row['name']} is not what was written")
        arrays[row["name"]] = array
    if size != start + _aligned(end - start):
        raise BadTable(f"{path} is {size:,} bytes long, not {start + _aligned(end - start):,}")
    return arrays


def _header(path: Path, file: BinaryIO) -> tuple[dict[str, Any], int]:
    """The header, and where the arrays begin."""
    head = file.read(32)
    if head[:8] != _MAGIC:
        raise BadTable(f"{path} is not a table of Muang")
    length = int.from_bytes(head[8:16], "little")
    text = file.read(min(length, _MOST_HEADER))
    if len(head) < 32 or length > _MOST_HEADER or blake2b(text, digest_size=16).digest() != head[16:]:
        raise BadTable(f"{path} is damaged or cut short: its header cannot be read")
    header: dict[str, Any] = json.loads(text)
    if header.get("form") != FORM:
        raise BadTable(f"{path} is written in form {header.get('form')!r}; this version reads form {FORM}: solve it again")
    return header, 32 + length


def _game(path: Path, header: Mapping[str, Any]) -> Game | None:
    """The game that a header names."""
    if header["game"] is None:
        return None
    try:
        return game(header["game"], **header["options"])
    except MuangError as error:
        raise BadTable(f"{path} belongs to rules that do not exist: {error}") from error


def _little(array: NDArray[Any]) -> NDArray[Any]:
    """The array in one piece, little-endian."""
    return np.ascontiguousarray(array, array.dtype.newbyteorder("<"))


def _pieces(array: NDArray[Any]) -> list[memoryview]:
    """The bytes of an array in pieces that a system call and a hash take at once."""
    whole = array.reshape(-1).view(np.uint8).data if array.size else memoryview(b"")
    return [whole[i : i + _PIECE] for i in range(0, len(whole), _PIECE)]


def _digest(array: NDArray[Any]) -> str:
    digest = blake2b(digest_size=32)
    for piece in _pieces(array):
        digest.update(piece)
    return digest.hexdigest()


def _aligned(size: int) -> int:
    return -(-size // _ALIGN) * _ALIGN
