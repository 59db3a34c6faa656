"""Owns finding solved tables: the ``Tables`` that a search is given, read from the user's folder. Works nothing out.

A table is opened once and stays mapped; where there is none, or one that cannot be used, a search does without.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import TypeVar

from muang.errors import MuangError, TableMissing
from muang.games.core import Game
from muang.search.limits import HorseTable, TurnTable
from muang.solver.files import Table, folder

__all__ = ["Library"]

T = TypeVar("T")

MOST_QUIET = 255
"""The longest quiet count (AB-44) that a search tells apart turn by turn."""


class Library:
    """The tables in a folder, by default the user's (``MUANG_TABLES``). Safe to share among threads.

    ``problems`` says of each table that was found and refused, why: whoever shows texts may show these.
    """

    def __init__(self, where: Path | None = None) -> None:
        self.folder = folder() if where is None else where
        self.problems: list[str] = []
        self._known: dict[object, Table | TurnTable | HorseTable | None] = {}
        self._lock = Lock()

    def turns(self, game: Game, widows: int = 0) -> TurnTable | None:
        """The endgame table of a sowing game's turns; None where there is none, or where widows are about.

        In Abalala'e the bounds suppose a number of quiet turns left (``TurnTable.calm``) wherever the game allows more (AB-44).
        """
        if widows:
            return None
        from muang.solver.endgame import canonical, load_endgame, turn_table

        of = canonical(game)
        table = self._found(("turns", of), Table, lambda: load_endgame(of, self.folder))
        if table is None:
            return None
        calm = table.parameters.get("calm", 1) <= game.options.get("quiet_turns", 0) <= MOST_QUIET
        return self._found(("turns", of, calm), TurnTable, lambda: turn_table(table, calm))

    def horses(self, game: Game, seats: tuple[int, int]) -> HorseTable | None:
        """The table of two players of Cờ cá ngựa on these seats; None where there is none."""
        from muang.solver.ca_ngua import load_ca_ngua

        return self._found(("horses", game, seats), HorseTable, lambda: load_ca_ngua(game, seats, self.folder))

    def forget(self) -> None:
        """Look anew: tables may have been made since."""
        with self._lock:
            self._known.clear()
            self.problems.clear()

    def _found(self, key: object, kind: type[T], load: Callable[[], T]) -> T | None:
        with self._lock:
            if key not in self._known:
                try:
                    self._known[key] = load()  # type: ignore[assignment]
                except TableMissing:
                    self._known[key] = None
                except (MuangError, OSError) as error:
                    self._known[key] = None
                    self.problems.append(str(error))
            found = self._known[key]
        return found if isinstance(found, kind) else None
