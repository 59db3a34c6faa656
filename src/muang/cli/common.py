"""Owns what every command needs: options of a game as they are typed, the language, the two consoles, reading a file. Owns no command."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from muang.errors import BadRuleset, MuangError
from muang.games.core import GAMES, Game, game
from muang.i18n import LANGUAGES, best_language
from muang.records.record import Record

__all__ = [
    "FINDING",
    "WRONG_USE",
    "GameName",
    "Lang",
    "OptionPairs",
    "Ruleset",
    "WrongUse",
    "build_game",
    "choose_language",
    "err",
    "harmless",
    "out",
    "read_record",
]

FINDING = 1
"""Exit code: the command worked and found something wrong."""
WRONG_USE = 2
"""Exit code: the command was not used as it can be."""


class WrongUse(MuangError):
    """A command that was not used as it can be; its text is the one line that is printed."""

    code = "wrong-use"


GameName = Annotated[str, typer.Argument(metavar="GAME", help=f"One of {', '.join(GAMES)}.")]
Ruleset = Annotated[str | None, typer.Option(metavar="NAME", help="A named ruleset; `muang games` lists them.")]
OptionPairs = Annotated[list[str] | None, typer.Option("--option", metavar="KEY=VALUE", help="An option of the ruleset; may be repeated.")]
Lang = Annotated[
    str | None,
    typer.Option(metavar="LANG", envvar="MUANG_LANG", help=f"One of {', '.join(LANGUAGES)}; the system's language if left out."),
]


def out(**kwargs: Any) -> Console:
    """A console on standard output. Texts are printed as they are: no markup, no colours by guess, no wrapping of long words."""
    return Console(file=sys.stdout, highlight=False, markup=False, emoji=False, soft_wrap=True, **kwargs)


def err(**kwargs: Any) -> Console:
    """A console on standard error, where progress and complaints go."""
    return Console(file=sys.stderr, highlight=False, markup=False, emoji=False, soft_wrap=True, **kwargs)


def harmless(told: str) -> str:
    """The text without control characters: names and comments of a record may be anybody's and must not command the terminal."""
    return re.sub("[\x00-\x08\x0b-\x1f\x7f-\x9f]", "\N{REPLACEMENT CHARACTER}", told)


def build_game(name: str, ruleset: str | None = None, pairs: Sequence[str] | None = None) -> Game:
    """The game with its options as they were typed. ``BadRuleset`` or ``WrongUse`` says what is wrong."""
    known = {option.name: option for option in game(name, ruleset).option_list}
    options = {}
    for pair in pairs or ():
        key, equals, value = pair.partition("=")
        if not equals:
            raise WrongUse(f"an option is written KEY=VALUE, not {pair!r}")
        if key not in known:
            raise BadRuleset(f"{name} has no option {key!r}", allowed=known)
        options[key] = known[key].read(value)
    return game(name, ruleset, **options)


def choose_language(lang: str | None) -> str:
    """The language asked for, else the system's, else English. ``WrongUse`` for one that is not there."""
    if lang:
        if lang not in LANGUAGES:
            raise WrongUse(f"there is no language {lang!r} (allowed: {', '.join(LANGUAGES)})")
        return lang
    return best_language(next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), None))


def read_record(path: Path) -> Record:
    """The record in a file, or on standard input for ``-``. ``BadRecord`` or ``WrongUse`` says why it cannot be read."""
    from muang.records import read

    try:
        text = sys.stdin.read() if str(path) == "-" else path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise WrongUse(f"{path} is not UTF-8 text") from error
    return read(text)
