"""Owns ``muang show``, ``muang replay`` and ``muang picture``: looking at matches and positions that are written down.

These look at one match, so the kernels run as plain Python: faster than loading Numba.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import typer

from muang.cli.board import draw
from muang.cli.common import FINDING, Lang, OptionPairs, Ruleset, WrongUse, build_game, choose_language, err, harmless, out, read_record
from muang.errors import BadRecord
from muang.games.core import GAMES
from muang.games.core import position as read_position
from muang.records import Record

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
    verify: Annotated[
        bool,
        typer.Option("--verify", help="Only say whether it replays to the result it states, races judged again by their times."),
    ] = False,
    boards: Annotated[bool, typer.Option("--boards", help="Draw the board after every action.")] = False,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Draw with plain letters only.")] = False,
) -> int:
    """Replay a record and tell what happens.

    Exit code 1 if the rules disagree with it, or an input of a live race does not count when it should.
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
    if not verify:
        console.print(str(match.position))
        return 0
    misjudged = list(_misjudged(record))
    for line in misjudged:
        console.print(f"{path}: {line}")
    judged = f", {len(record.arrivals)} of them judged by their times" if record.arrivals else ""
    console.print(f"{path}: {len(record.entries)} actions{judged}, the same end")
    return FINDING if misjudged else 0


def _misjudged(record: Record) -> Iterator[str]:
    """What is wrong with the times at which the inputs of live races count."""
    from muang.records.arrival import misjudged
    from muang.records.proof import MAX_LAG, max_lag_of

    bound = max_lag_of(record)
    if not record.arrivals:
        return
    if bound is None:
        yield f"its inputs have arrivals, but the tag {MAX_LAG} is missing: they cannot be judged"
        return
    races = [index for index, heading in record.headings.items() if heading.kind == "race"]
    moments: dict[int, int] = {}
    for index, moment, why in misjudged(record.entries, record.arrivals, races, bound):
        moments[index] = moment
        yield f"action {index + 1}: {why}"
    if moments:
        yield from _judged_anew(record, moments)


def _judged_anew(record: Record, moments: dict[int, int]) -> Iterator[str]:
    """How each race ends with its inputs at their right moments."""
    ends = [*sorted(record.headings), len(record.entries)]
    matches = {step.index: step.before for step in reversed(list(record.transitions()))}
    for start, end in pairwise(ends):
        if record.headings[start].kind != "race" or not any(start <= index < end for index in moments):
            continue
        said = right = matches[start]
        for index in range(start, end):
            entry = record.entries[index]
            said = said.apply(entry)
            if right.phase == "race":
                right = right.apply(replace(entry, at=moments.get(index, entry.at)))
        number = record.headings[start].round
        if right.phase == "race" or said.phase == "race":
            yield f"race {number}: judged rightly, it is not decided by these inputs"
        elif right.turn != said.turn:
            yield f"race {number}: judged rightly, {right.turn} moves first, not {said.turn}"
        elif said.turn is None:
            yield f"race {number}: judged rightly, nobody moves first either"
        else:
            yield f"race {number}: judged rightly, {said.turn} moves first too"


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
