"""Owns what can be chosen about Cờ cá ngựa: its options with their clauses, named rulesets and seats. Moves no horse.

Imports neither NumPy nor Numba: listing games and reading a ruleset must not wait for a compiler.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar

from muang.errors import BadAction, BadRuleset
from muang.games import lots
from muang.games.core import PACES, Game, Option, Seat

if TYPE_CHECKING:
    from muang.games.ca_ngua.match import CaNguaMatch
    from muang.games.ca_ngua.position import CaNguaPosition

__all__ = ["DEFAULT_SEATS", "CaNgua", "check_seats"]

DEFAULT_SEATS = {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}
"""Who sits where by the number of players (CN-2)."""

SEAT_CHOICES = (*DEFAULT_SEATS.values(), *(c for n in (2, 3) for c in combinations(range(4), n) if c != DEFAULT_SEATS[n]))


def check_seats(seats: object) -> tuple[int, ...]:
    """Two to four different seats in rising order, from any order (CN-2). ``BadAction`` says what is allowed."""
    if (
        isinstance(seats, (tuple, list))
        and all(type(seat) is int and 0 <= seat <= 3 for seat in seats)
        and 2 <= len(seats) == len(set(seats)) <= 4
    ):
        return tuple(sorted(seats))
    raise BadAction(f"seats cannot be {seats!r}: two to four different seats are needed", clause="CN-2", allowed=range(4))


class CaNgua(Game):
    """Cờ cá ngựa, two horses and two dice, for two to four players.

    ======================  ==============================  =======
    option                  values (default first)          clause
    ======================  ==============================  =======
    ``track``               56, 52, 48                      CN-1
    ``doubles``             ``face``, ``total``, ``extra``  CN-22
    ``gate``                ``run_in``, ``climb``, ``jump``  CN-25
    ``keep_repeat``         true, false                     CN-12
    ``turn_seconds``        none, 1 to 3600                 CN-42
    ======================  ==============================  =======

    ``turn_seconds`` matters only to whoever keeps a clock; the rules themselves know no time.
    """

    name: ClassVar[str] = "ca-ngua"
    title: ClassVar[str] = "Cờ cá ngựa"
    rulesets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"phone": {}, "gate": {"gate": "climb"}}
    option_list: ClassVar[tuple[Option, ...]] = (
        Option("track", "CN-1", 56, (56, 52, 48)),
        Option("doubles", "CN-22", "face", ("face", "total", "extra")),
        Option("gate", "CN-25", "run_in", ("run_in", "climb", "jump")),
        Option("keep_repeat", "CN-12", True, (True, False)),
        Option("turn_seconds", "CN-42", None, (None,), least=1, most=3600),
    )
    seat_choices: ClassVar[tuple[tuple[int, ...], ...]] = SEAT_CHOICES

    numbers: tuple[int, int, int, int]
    """The options as kernels take them: track, doubles, gate (each its place among the option's values), keep_repeat as 0 or 1."""

    def _check(self) -> None:
        if self.options["doubles"] == "total" and self.options["gate"] != "run_in":
            raise BadRuleset(
                f"gate {self.options['gate']} with doubles total would leave a horse one step short of the gate stuck for ever",
                clause="CN-25",
                allowed=("gate run_in with doubles total", f"gate {self.options['gate']} with doubles face or extra"),
            )

        known = {option.name: option.choices for option in self.option_list}
        self.numbers = (
            self.options["track"],
            known["doubles"].index(self.options["doubles"]),
            known["gate"].index(self.options["gate"]),
            int(self.options["keep_repeat"]),
        )

    def start(
        self,
        seed: int = 0,
        *,
        pace: str = "lockstep",
        first: Seat | None = None,
        seats: tuple[Seat, ...] | None = None,
        tempo: int = 250,
        min_gap: int = 80,
    ) -> CaNguaMatch:
        """A new match: all horses in the stable (CN-2).

        ``seats``: two to four of 0…3, (0, 2) unless chosen otherwise. ``first`` rolls first; left out, it is drawn by lot from
        ``seed``, stream ``first`` (CN-14). This game has no race: ``pace``, ``tempo`` and ``min_gap`` change nothing.
        ``BadAction`` names the clause if a seat or the seed is not allowed.
        """
        from muang.games.ca_ngua.match import CaNguaMatch
        from muang.games.ca_ngua.position import CaNguaPosition

        if pace not in PACES:
            raise BadAction(f"there is no pace {pace!r}", allowed=PACES)
        if type(seed) is not int or not 0 <= seed < 1 << 64:
            raise BadAction(f"the seed cannot be {seed!r}", clause="CN-14", allowed=("0 to 2**64 - 1",))
        chosen = DEFAULT_SEATS[2] if seats is None else check_seats(seats)
        if first is None:
            starter = chosen[lots.below(seed, "first", 0, len(chosen))]
        elif type(first) is int and first in chosen:
            starter = first
        else:
            raise BadAction(f"seat {first!r} cannot be first: it does not play", clause="CN-14", allowed=chosen)
        return CaNguaMatch.begin(CaNguaPosition.initial(self, chosen, starter), seed=seed, pace=pace)

    def read_position(self, fields: Mapping[str, str]) -> CaNguaPosition:
        """The position that a line's fields describe (see ``CaNguaPosition``). ``BadPosition`` says which field is wrong."""
        from muang.games.ca_ngua.position import read_fields

        return read_fields(self, fields)
