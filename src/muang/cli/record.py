"""Owns ``muang show``, ``muang replay`` and ``muang picture``: looking at matches and positions that are written down.

These look at one match, so the kernels run as plain Python: faster than loading Numba.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from muang.cli.board import draw
from muang.cli.common import FINDING, Lang, OptionPairs, Ruleset, WrongUse, build_game, choose_language, err, harmless, out, read_record
from muang.errors import BadRecord
from muang.games.core import GAMES
from muang.games.core import position as read_position

__all__ = ["picture", "replay", "show"]

RecordPath = Annotated[Path, typer.Argument(metavar="RECORD", help="A record, text or JSON; - for standard input.")]


def show(
    path: RecordPath,
    lang: Lang = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the record as JSON.")] = False,
    as_text: Annotated[bool, typer.Option("--text", help="Print the record as text, and nothing else.")] = False,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Draw with plain letters only.")] = False,
) -> int:
    """Show a record and the board at its end.

    With --json or --text it turns one form into the other.
    """
    from muang.games._jit import plain
    from muang.records import json, text
    from muang.records.words import render, result_phrase

    plain()
    language = choose_language(lang)
    record = read_record(path)
    if as_json or as_text:
        print(json.write(record, indent=2) if as_json else text.write(record), end="")
        return 0
    print(text.write(record))
    try:
        match = record.match()
    except BadRecord as error:
        err().print(f"muang: {path}: {error}")
        return FINDING
    print(draw(match.view(), language, plain=ascii_only))
    if match.result is not None:
        print(harmless(render([result_phrase(match)], language, record.names)))
    print(match.position)
    return 0


def replay(
    path: RecordPath,
    lang: Lang = None,
    verify: Annotated[bool, typer.Option("--verify", help="Only say whether it replays to the result it states.")] = False,
    boards: Annotated[bool, typer.Option("--boards", help="Draw the board after every action.")] = False,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Draw with plain letters only.")] = False,
) -> int:
    """Replay a record and tell what happens.

    Exit code 1 if the rules disagree with it.
    """
    from muang.games._jit import plain
    from muang.records.words import render, tell

    plain()
    language = choose_language(lang)
    record = read_record(path)
    console = out()
    try:
        match = record.start()
        for comment in () if verify else record.comments.get(0, ()):
            console.print(harmless(f"      {{{comment}}}"))
        for step in record.transitions():
            match = step.after
            if verify:
                continue
            told = render(tell(step.before, step.after), language, record.names)
            if told:
                console.print(harmless(f"{step.index + 1 if step.entry else '':>5} {told}"))
            if boards:
                console.print(draw(match.view(), language, plain=ascii_only))
            for comment in record.comments.get(step.index + 1, ()) if step.entry else ():
                console.print(harmless(f"      {{{comment}}}"))
    except BadRecord as error:
        console.print(f"{path}: {error}")
        return FINDING
    if verify:
        console.print(f"{path}: {len(record.entries)} actions, the same end")
    else:
        console.print(str(match.position))
    return 0


def picture(
    what: Annotated[str, typer.Argument(metavar="POSITION|GAME", help="A position's line in quotes, or a game's name for its start.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The SVG file to write; - for standard output.")],
    upright: Annotated[bool, typer.Option("--upright", help="Drawn upright, for a phone or a narrow page.")] = False,
    ruleset: Ruleset = None,
    option: OptionPairs = None,
    lang: Lang = None,
) -> None:
    """Draw a position as an SVG picture."""
    from muang.games._jit import plain
    from muang.records.picture import svg

    plain()
    view: dict[str, Any]
    if what in GAMES:
        view = build_game(what, ruleset, option).start(first=None).view()
    elif ruleset or option:
        raise WrongUse("a position brings its own rules: leave out --ruleset and --option")
    else:
        view = read_position(what).view()
    drawn = svg(view, upright=upright, lang=choose_language(lang))
    if str(output) == "-":
        print(drawn, end="")
    else:
        output.write_text(drawn, encoding="utf-8")
