"""Owns what can be set of ``muang engine``: its options, and the start of a match by them. Reads no line and searches nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from muang import __version__
from muang.errors import BadFrame, BadRuleset, MuangError
from muang.games.core import GAMES, PACES, Game, Match, game, text_of
from muang.games.notation import read_rules, write_rules
from muang.wire import seat_from_text, ugi

if TYPE_CHECKING:
    from muang.search.limits import Tables

__all__ = ["ANALYSE", "Options", "level_name"]

ANALYSE = "analyse"
"""The value of ``Level`` that searches."""
NUMBERS = {"Seed": (0, (1 << 64) - 1), "Threads": (1, 1024), "Memory": (1, 1 << 20), "Lines": (1, 100)}
"""What the options that are numbers may be."""


class Options:
    """The options as they stand. ``texts`` and ``numbers`` by name; the rules' own are in ``game``."""

    def __init__(self) -> None:
        self.texts = {"Level": ANALYSE, "Pace": PACES[0], "First": "", "Seats": "", "Tables": "true"}
        self.numbers = {"Seed": 0, "Threads": 1, "Memory": 64, "Lines": 1}
        self.game: Game = game(GAMES[0])
        self.library: Tables | None = None

    def hello(self, say: Callable[[str], None]) -> None:
        """Say who this is and what can be set, the rules' options being those of the game chosen."""
        from muang.search.players import PLAYERS

        of = self.game
        say(f"id name Muang {__version__}")
        say("id author the Muang authors")
        say(ugi.option("Game", "combo", of.name, choices=GAMES))
        say(ugi.option("Ruleset", "string", write_rules(of)))
        for option in of.option_list:
            kind = "combo" if option.least is None else "string" if option.choices else "spin"
            choices = [text_of(choice) for choice in option.choices]
            least, most = (option.least, option.most) if kind == "spin" else (None, None)
            say(ugi.option(option.name, kind, text_of(of.options[option.name]), choices=choices, least=least, most=most))
        say(ugi.option("Level", "combo", self.texts["Level"], choices=(ANALYSE, *PLAYERS)))
        say(ugi.option("Pace", "combo", self.texts["Pace"], choices=PACES))
        say(ugi.option("First", "string", self.texts["First"]))
        say(ugi.option("Seats", "string", self.texts["Seats"]))
        say(ugi.option("Tables", "check", self.texts["Tables"]))
        for name, value in self.numbers.items():
            least, most = NUMBERS[name]
            say(ugi.option(name, "spin", str(value), least=least, most=most))
        say("ugiok")

    def set(self, name: str, value: str) -> bool:
        """Set one option; nothing is changed if it cannot be. Whether the match begins anew by it."""
        from muang.search.players import player

        known = {each.lower(): each for each in ("Game", "Ruleset", *self.texts, *self.numbers)}
        key = known.get(name.lower(), name)
        if key in self.numbers:
            least, most = NUMBERS[key]
            if not (value.isascii() and value.isdigit() and len(value) < 21 and least <= int(value) <= most):
                raise BadFrame(f"{key} cannot be {value[:40]!r} (allowed: {least} to {most})")
            self.numbers[key] = int(value)
            return False
        if key == "Level":
            if value != ANALYSE:
                value = player(level_name(value)).name
            self.texts[key] = value
            return False
        if key == "Tables":
            if value not in ("true", "false"):
                raise BadFrame(f"Tables cannot be {value[:40]!r} (allowed: true, false)")
            self.texts[key], self.library = value, None  # set again, it looks anew for tables made since
            return False
        kept = self.game, dict(self.texts)
        try:
            if key == "Game":
                self.game = game(value)
                self.texts |= {"First": "", "Seats": ""}
            elif key == "Ruleset":
                self.game = read_rules(self.game.name, value)
            elif key == "Pace":
                if value not in PACES:
                    raise BadRuleset(f"the pace cannot be {value[:40]!r}", allowed=PACES)
                self.texts[key] = value
            elif key in self.texts:
                self.texts[key] = "" if value == "<empty>" else value
            else:
                rules = {option.name: option for option in self.game.option_list}
                if name not in rules:
                    raise BadRuleset(f"there is no option {name[:40]!r}", allowed=(*known.values(), *rules))
                changes = self.game.changes() | {name: rules[name].read(value)}
                self.game = game(self.game.name, self.game.ruleset, **changes)
            self.start()
        except MuangError:
            self.game, self.texts = kept
            raise
        return True

    def start(self) -> Match:
        """A new match by the options."""
        first, seats = self.texts["First"], self.texts["Seats"]
        table = tuple(seat_from_text(word) for word in seats.replace(",", " ").split())
        opens = seat_from_text(first) if first else None
        return self.game.start(self.numbers["Seed"], pace=self.texts["Pace"], first=opens, seats=table or None)

    def tables(self) -> Tables | None:
        """The solved tables kept on this machine, unless they are not wanted."""
        if self.library is None and self.texts["Tables"] == "true":
            from muang.solver.library import Library

            self.library = Library()
        return self.library


def level_name(text: str) -> str:
    """``3`` → ``level-3``; other names as they are."""
    return f"level-{text}" if text.isascii() and text.isdigit() else text
