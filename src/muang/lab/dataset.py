"""Owns data sets: matches between computer players as rows of a Parquet file, one choice a row, and a run that can be stopped and go on.

Playing is ``simulate``'s, searching ``search``'s. A run is cut into parts of some matches, each a file beside the result that is there
whole or not at all; they are joined at the end. So a run that was killed goes on by itself, and its result is the same to the byte.

PyArrow is an optional dependency (``pip install 'muang[data]'``) and imported when a data set is made.
"""

from __future__ import annotations

import importlib
import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from muang import __version__
from muang.errors import BadAction, MissingExtra, MuangError
from muang.games.core import RULES_VERSION, Game, Match, Seat, game
from muang.games.lots import draw
from muang.lab.arena_group import SEARCH, Arena, opening
from muang.lab.simulate import play_one
from muang.lab.workers import in_order
from muang.search.analyse import analyse
from muang.search.limits import Info, Limits
from muang.search.players import PLAYERS, Player, player

__all__ = ["COLUMNS", "STREAM", "DataSet", "OtherRun", "write"]

STREAM = "dataset"
PART = 25
"""Matches of a part: what is lost, for each process, when a run is killed."""
GROUP = 50_000
"""Rows after which a row group of the result ends."""
KEY = b"muang"

COLUMNS = (
    ("match", "int64", "the match's number in the data set, from 0"),
    ("seed", "uint64", "the seed that the match was started with; it decides every lot, dice too"),
    ("ply", "int32", "the choice's number in its match, from 0 after the opening"),
    ("seat", "string", "who chooses: S, N or 0 to 3"),
    ("player", "string", "the player on that seat"),
    ("phase", "string", "race, turn or move"),
    ("position", "string", "the position before the choice in one line, as `muang.position` reads it"),
    ("legal", "list<string>", "every legal action"),
    ("action", "string", "the one that was chosen"),
    ("value", "double", "what a search says the position is worth to the seat, in `unit`; null without a search or a choice"),
    ("unit", "string", "seeds: own minus other's at the end of the round; chance: to win the match; null where `value` is"),
    ("exact", "bool", "whether the value is proved; null where `value` is"),
    ("result", "float", "of the match, for the seat: 1 won, 0 drawn, lost -1 (with k seats -1 / (k - 1))"),
    ("reason", "string", "how the match ended, as `muang.Result` has it"),
)
"""Name, type and meaning of each column."""


class OtherRun(MuangError):
    """Beside the file lie the parts of another run, or the file is there already."""

    code = "other-run"


@dataclass(frozen=True)
class DataSet:
    """What a data set is made of; the same one is the same file. ``BadAction`` for what cannot be.

    ``players``: names of ``muang.search.players``, or ``search:nodes=2000`` (limits as in the arena). One sits everywhere, or there is one
    for each seat, and they change seats from match to match. ``value_nodes``: every choice gets the value of a search of so many nodes; 0:
    only those of players that search. ``opening``: choices drawn by lot at the start of each match, as in the arena, -1 for the game's own
    number: players without lots of their own would play one match over and over. They are no rows.
    """

    game: Game
    matches: int
    players: tuple[str, ...]
    seed: int = 0
    seats: tuple[Seat, ...] | None = None
    value_nodes: int = 0
    opening: int = -1

    def __post_init__(self) -> None:
        for name in self.players:
            if name.partition(":")[0] == SEARCH:
                self.arena(name)
            elif name not in PLAYERS:
                raise BadAction(f"there is no computer player {name!r}", allowed=(*PLAYERS, f"{SEARCH}:nodes=2000"))
        count = len(self.table())
        if len(self.players) not in (1, count):
            allowed = ("one player for all seats", f"{count} players")
            raise BadAction(f"there are {count} seats and {len(self.players)} players", allowed=allowed)
        if self.matches < 1 or self.value_nodes < 0:
            raise BadAction(
                f"cannot make {self.matches} matches with values of {self.value_nodes} nodes", allowed=("1 or more, 0 or more",)
            )

    def arena(self, name: str) -> Arena:
        """The arena's reading of a search with limits."""
        return Arena(self.game, (name, name), self.seed, self.seats, opening=self.opening)

    def table(self) -> tuple[Seat, ...]:
        """The seats of every match."""
        return self.game.start(self.seed, seats=self.seats).seats

    def about(self) -> dict[str, Any]:
        """What decides the rows; the metadata of the file, under the key ``muang``, is this as JSON."""
        return {
            "game": self.game.name,
            "ruleset": self.game.ruleset,
            "options": dict(self.game.options),
            "seats": [str(seat) for seat in self.table()],
            "players": list(self.players),
            "seed": self.seed,
            "matches": self.matches,
            "value_nodes": self.value_nodes,
            "opening": self.arena("random").drawn(),
            "version": __version__,
            "rules_version": RULES_VERSION,
        }

    def __getstate__(self) -> dict[str, Any]:
        """A game is sent to other processes by its name: it holds compiled records."""
        return {**self.__dict__, "game": (self.game.name, self.game.ruleset, self.game.changes())}

    def __setstate__(self, state: dict[str, Any]) -> None:
        name, ruleset, changes = state["game"]
        self.__dict__.update({**state, "game": game(name, ruleset, **changes)})


# ── playing ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────


class _Noted:
    """A player whose choices become rows."""

    def __init__(self, of: DataSet, name: str, rows: list[dict[str, Any]]) -> None:
        self.of, self.name, self.rows = of, name, rows
        self.arena = of.arena(name) if name.partition(":")[0] == SEARCH else None
        self.inner: Player = player("random" if self.arena is not None else name)

    def choose(self, match: Match, seat: Seat, seed: int, n: int) -> str:
        legal = match.legal(seat)
        lot = draw(seed, f"search:{seat}", n)
        info: Info | None = None
        if len(legal) > 1 and self.arena is not None:
            info = analyse(match, self.arena.limits(self.name, lot), seat=seat)
            action = _drawn(info, lot)
        else:
            action = self.inner.choose(match, seat, seed, n)
        if len(legal) > 1 and self.of.value_nodes:
            info = analyse(match, Limits(nodes=self.of.value_nodes, memory_mb=4, seed=lot), seat=seat)
        row = {"seed": match.seed, "seat": str(seat), "player": self.name, "phase": match.phase, "position": str(match.position)}
        row |= {"legal": list(legal), "action": action}
        row |= {"value": info and float(info.value), "unit": info and info.unit, "exact": info and bool(info.exact)}
        self.rows.append(row)
        return action

    def wait_ms(self, match: Match, seat: Seat, seed: int, n: int) -> int:
        return self.inner.wait_ms(match, seat, seed, n)


def _drawn(info: Info, lot: int) -> str:
    if not info.mix:
        return info.action
    from muang.search.race import drawn

    return drawn(info, lot)


def rows_of(of: DataSet, number: int) -> list[dict[str, Any]]:
    """The rows of one match."""
    match = opening(of.game.start(draw(of.seed, STREAM, number), seats=of.seats), of.arena("random").drawn())
    rows: list[dict[str, Any]] = []
    count = len(match.seats)
    names = {seat: of.players[(place + number) % count if len(of.players) > 1 else 0] for place, seat in enumerate(match.seats)}
    seated: Mapping[Seat, Player] = {seat: _Noted(of, name, rows) for seat, name in names.items()}
    match, _ = play_one(match, seated)
    result = match.result
    assert result is not None
    winner = None if result.winner is None else str(result.winner)
    for ply, row in enumerate(rows):
        paid = 0.0 if winner is None else 1.0 if row["seat"] == winner else -1 / (count - 1)
        row |= {"match": number, "ply": ply, "result": paid, "reason": result.reason}
    return rows


# ── files ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def arrow() -> tuple[Any, Any]:
    """PyArrow and its Parquet. ``MissingExtra`` names the extra."""
    try:
        return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise MissingExtra("pyarrow", "data", "data sets") from None


def schema(about: Mapping[str, Any]) -> Any:
    """The columns with their meanings, and the metadata."""
    pa, _ = arrow()
    kinds = {name: getattr(pa, name)() for name in ("int64", "uint64", "int32", "string", "bool_", "float32", "float64")}
    kinds |= {"bool": kinds["bool_"], "float": kinds["float32"], "double": kinds["float64"], "list<string>": pa.list_(pa.string())}
    fields = [pa.field(name, kinds[kind], metadata={b"about": about.encode()}) for name, kind, about in COLUMNS]
    return pa.schema(fields, metadata={KEY: json.dumps(about, ensure_ascii=False).encode()})


def part_of(of: DataSet, path: Path, start: int, stop: int) -> int:
    """Play matches ``start`` … ``stop - 1`` into a file, in a process of its own; gives how many."""
    pa, parquet = arrow()
    rows = [row for number in range(start, stop) for row in rows_of(of, number)]
    beside = path.with_suffix(f".{os.getpid()}")
    parquet.write_table(pa.Table.from_pylist(rows, schema(of.about())), beside, compression="zstd")
    os.replace(beside, path)
    return stop - start


def write(
    of: DataSet,
    path: Path,
    *,
    overwrite: bool = False,
    workers: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> int:
    """Make the data set at ``path``; gives its number of rows.

    Goes on where a run of the same data set was stopped: what is done lies in ``path`` + ``.parts``. ``progress`` is told how many more
    matches are there. ``OtherRun`` if the parts are another run's, or the file is there and not to be overwritten; ``MissingExtra`` without
    PyArrow; ``OSError`` where nothing can be written.
    """
    _, parquet = arrow()
    if path.exists() and not path.is_file():
        raise OtherRun(f"{path} is not a plain file")
    if path.exists() and not overwrite:
        raise OtherRun(f"{path} is there already; --overwrite makes it anew")
    if not path.parent.is_dir():
        raise OtherRun(f"there is no folder {path.parent}")
    folder = path.with_name(path.name + ".parts")
    folder.mkdir(exist_ok=True)
    try:
        with FileLock(folder / "lock", timeout=0):
            _claim(folder, of.about())
            rows = _go_on(of, path, folder, workers, progress or (lambda _: None), parquet)
    except Timeout:
        raise OtherRun(f"{path} is being made by another process") from None
    shutil.rmtree(folder)
    return rows


def _go_on(of: DataSet, path: Path, folder: Path, workers: int | None, progress: Callable[[int], None], parquet: Any) -> int:
    """Make the parts that are not there yet, and join all."""
    jobs = []
    for start in range(0, of.matches, PART):
        part = folder / f"{start:09}.parquet"
        stop = min(start + PART, of.matches)
        if _whole(part, parquet):
            progress(stop - start)
        else:
            jobs.append((of, part, start, stop))
    for done in in_order(part_of, jobs, workers):
        progress(done)
    return _join(of, sorted(folder.glob("*.parquet")), path)


def _whole(part: Path, parquet: Any) -> bool:
    """Whether a part is there and can be read; one that was damaged is made again."""
    try:
        parquet.read_table(part)
    except (OSError, ValueError):  # pyarrow's own errors are of these kinds
        return False
    return True


def _claim(folder: Path, about: dict[str, Any]) -> None:
    """A note in the folder of parts whose they are."""
    note = folder / "run.json"
    text = json.dumps(about, ensure_ascii=False, indent=2)
    if not note.exists():
        if any(folder.glob("*.parquet")):
            raise OtherRun(f"{folder} holds parts and no note whose they are: delete it, or write elsewhere")
        beside = note.with_suffix(".new")
        beside.write_text(text, encoding="utf-8")
        os.replace(beside, note)
    elif note.read_text(encoding="utf-8") != text:
        raise OtherRun(f"{folder} holds parts of another run (its run.json tells which): delete it, or write elsewhere")


def _join(of: DataSet, parts: list[Path], path: Path) -> int:
    """All parts as one file, which is there whole or not at all."""
    pa, parquet = arrow()
    beside = path.with_name(path.name + ".new")
    rows = 0
    with parquet.ParquetWriter(beside, schema(of.about()), compression="zstd") as writer:
        for table in _groups(pa, parquet, parts):
            writer.write_table(table)
            rows += table.num_rows
    os.replace(beside, path)
    return rows


def _groups(pa: Any, parquet: Any, parts: list[Path]) -> Iterator[Any]:
    waiting: list[Any] = []
    for part in parts:
        waiting.append(parquet.read_table(part))
        if sum(table.num_rows for table in waiting) >= GROUP:
            yield pa.concat_tables(waiting).combine_chunks()
            waiting = []
    if waiting:
        yield pa.concat_tables(waiting).combine_chunks()
