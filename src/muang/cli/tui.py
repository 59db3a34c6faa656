"""Owns ``muang tui``: the terminal app, straight to a match, a link or a record where one is named. The app itself is ``muang.tui``."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from muang.cli.common import Lang, OptionPairs, Ruleset, WrongUse, build_game, choose_language
from muang.games.core import GAMES, PACES, Seat

if TYPE_CHECKING:
    from muang.tui.plan import Plan

__all__ = ["tui"]

LETTERS = "┌─┬┐│├┼┤└┴┘●■▲▼◆↑•−×·★→›"
"""What the boards are drawn with; a terminal that cannot show these gets plain letters."""
UNWRITABLE = ("th", "vi")
"""Languages that cannot be read in ASCII: with plain letters English stands for them."""


def tui(
    what: Annotated[str, typer.Argument(metavar="[LINK|RECORD]", help="A match on a server by its link, or a record's file.")] = "",
    game: Annotated[str, typer.Option(metavar="GAME", help=f"Play at once: one of {', '.join(GAMES)}.")] = "",
    players: Annotated[str, typer.Option(metavar="KINDS", help="person, level-1 to level-8, random or greedy; with commas.")] = "",
    ruleset: Ruleset = None,
    option: OptionPairs = None,
    pace: Annotated[str, typer.Option(metavar="PACE", help=f"Of the races: {', '.join(PACES)}.")] = "",
    tempo: Annotated[int, typer.Option(metavar="MS", help="At steady, ms for each seed.")] = 250,
    min_gap: Annotated[int, typer.Option(metavar="MS", help="At by_hand, the shortest time between two drops.")] = 80,
    seats: Annotated[str, typer.Option(metavar="SEATS", help="Cờ cá ngựa: who sits where, for example 0,1,2.")] = "",
    names: Annotated[str, typer.Option(metavar="NAMES", help="The players' names, in the order of the seats, with commas.")] = "",
    first: Annotated[str, typer.Option(metavar="SEAT", help="Who is first; drawn by lot if left out.")] = "",
    seed: Annotated[int | None, typer.Option(min=0, max=(1 << 64) - 1, help="Decides every lot; a fresh one if left out.")] = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep the record there, also of a match that is broken off.")] = None,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Your name, for a free seat of a link.")] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Take no seat of a link.")] = False,
    speed: Annotated[str, typer.Option(metavar="SPEED", help="slow, normal, fast or very-fast.")] = "normal",
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Draw with plain letters only.")] = False,
    no_colour: Annotated[bool, typer.Option("--no-colour", "--no-color", help="Without colours, as with NO_COLOR.")] = False,
    light: Annotated[bool, typer.Option("--light", help="Dark letters on a light ground.")] = False,
    lang: Lang = None,
) -> None:
    """Play in the whole terminal, by yourself, with others, on a server; or look at a record. Press ? for the keys."""
    language = choose_language(lang)
    speeds = ("slow", "normal", "fast", "very-fast")
    if speed not in speeds:
        raise WrongUse(f"there is no speed {speed[:40]!r} (allowed: {', '.join(speeds)})")
    if what and game:
        raise WrongUse("name a link, a record or a --game, one of them")
    planned = [players, ruleset, option, pace, seats, names, first, seed, save]
    if not game and any(value not in ("", None, []) for value in planned):
        raise WrongUse("--players, --ruleset, --option, --pace, --seats, --names, --first, --seed and --save need a --game")
    from muang.tui.remote import Link

    begin: Plan | Link | Path | None = None
    if game:
        begin = _plan(game, ruleset, option, pace, (tempo, min_gap), players, seats, names, first, seed)
    elif "://" in what:
        begin = Link.read(what)
    elif what:
        begin = Path(what)
        if not begin.is_file():
            raise WrongUse(f"{what[:80]!r} is neither a link (http://…/play/MATCH) nor a file")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise WrongUse("this needs a terminal; `muang play` and `muang replay` work through pipes")
    if save is not None:
        _can_keep(save)  # what cannot be written is said now, not after a whole match

    from muang.search.players import use_tables
    from muang.solver.library import Library
    from muang.tui.app import Asked, MuangApp

    use_tables(Library())
    bare = not (_shows(LETTERS) and _told_utf8(os.environ))
    plain = ascii_only or bare
    asked = Asked(
        lang="en" if plain and language in UNWRITABLE else language,
        plain=plain,
        bare=bare,
        colour=not no_colour and "NO_COLOR" not in os.environ,
        light=light,
        begin=begin,
        name=name,
        watch=watch,
        save=save,
        speed=speed,
    )
    for size in ("COLUMNS", "LINES"):
        os.environ.pop(size, None)  # the terminal knows its size, and may change it
    app = MuangApp(asked)
    problem = app.run()
    if app.code:
        raise typer.Exit(app.code)
    if problem:
        raise WrongUse(problem)


def _plan(
    name: str,
    ruleset: str | None,
    option: list[str] | None,
    pace: str,
    times: tuple[int, int],
    players: str,
    seats: str,
    names: str,
    first: str,
    seed: int | None,
) -> Plan:
    """The match that the options describe. ``WrongUse`` or an error of the rules says what cannot be."""
    from muang.tui.plan import PERSON, Plan, seat_sets

    of = build_game(name, ruleset, option)
    at = tuple(_seat(seat) for seat in seats.split(",")) if seats else seat_sets(of)[0]
    kinds = [kind.strip() for kind in players.split(",")] if players else [PERSON, *["level-2"] * (len(at) - 1)]
    if len(kinds) != len(at):
        raise WrongUse(f"--players needs {len(at)} kinds with commas, not {players[:80]!r}")
    called = [part.strip() for part in names.split(",")] if names else []
    if len(called) > len(at):
        raise WrongUse(f"there are {len(at)} seats and {len(called)} names")
    return Plan(
        of,
        pace=pace or ("by_hand" if name == "abalalae" else "steady"),
        tempo=times[0],
        min_gap=times[1],
        sitters=dict(zip(at, kinds, strict=True)),
        names={seat: one for seat, one in zip(at, called, strict=False) if one},
        first=_seat(first) if first else None,
        seed=seed,
    )


def _seat(text: str) -> Seat:
    """A seat as it is typed; whether it exists is the game's matter."""
    if not text or len(text) > 10:
        raise WrongUse(f"a seat is S or N, or a number, not {text[:40]!r}")
    return int(text) if text.isascii() and text.isdigit() else text


def _can_keep(path: Path) -> None:
    """``WrongUse`` if a record cannot be kept there without losing something."""
    from muang.tui.keeping import holds

    if path.is_dir() or holds(path):
        raise WrongUse(f"--save: {path} is there already; name another file")
    if not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        raise WrongUse(f"--save: nothing can be written into {path.parent}")


def _told_utf8(environment: Mapping[str, str]) -> bool:
    """Whether the environment speaks against UTF-8; Python's UTF-8 mode hides that from the streams."""
    if environment.get("TERM") == "dumb":
        return False
    kind, lang = environment.get("LC_CTYPE", ""), environment.get("LANG", "")
    if kind in ("C.UTF-8", "C.utf8", "UTF-8") and lang in ("C", "POSIX"):
        kind = ""  # Python itself has put this there, because LANG is C (PEP 538)
    locale = environment.get("LC_ALL") or kind or lang
    charset = locale.partition("@")[0].partition(".")[2].lower().replace("-", "")
    return locale not in ("C", "POSIX") and charset in ("", "utf8")


def _shows(text: str) -> bool:
    """Whether the terminal's encoding has these letters."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
