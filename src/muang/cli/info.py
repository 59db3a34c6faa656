"""Owns ``muang games`` and ``muang rules``: what can be played, and how. The texts are the rule book's."""

from __future__ import annotations

from typing import Annotated

import typer

from muang.cli.common import GameName, Lang, WrongUse, choose_language, out
from muang.games.core import GAMES, game, text_of
from muang.i18n import translate

__all__ = ["games", "rules"]


def games(
    lang: Lang = None,
    options: Annotated[bool, typer.Option("--options", help="Also list the options of each game.")] = False,
) -> None:
    """List the games and their named rulesets."""
    from muang import rulebook

    language = choose_language(lang)
    console = out()
    for name in GAMES:
        of, book = game(name), rulebook.load(name)
        console.print(f"{name}  {book.title(language)}", style="bold")
        for ruleset in of.rulesets:
            changes = ", ".join(f"{key}: {text_of(value)}" for key, value in of.rulesets[ruleset].items())
            note = f" ({translate('default', language)})" if ruleset == of.ruleset else ""
            console.print(f"    {ruleset}{note}{'  ' + changes if changes else ''}")
        for option in of.option_list if options else ():
            console.print(f"    --option {option.name}={text_of(option.default)}  {option.clause}  ({' | '.join(option.allowed())})")


def rules(
    name: GameName,
    lang: Lang = None,
    clause: Annotated[str, typer.Option(metavar="ID", help="Only this clause, for example MK-12.")] = "",
) -> None:
    """Print the rules of a game, clause by clause."""
    from muang import rulebook

    language = choose_language(lang)
    game(name)  # refuses an unknown name
    if not clause:
        print(rulebook.plain(name, language))
        return
    book = rulebook.load(name)
    found = next((one for one in book.clauses if one.id.lower() == clause.lower()), None)
    if found is None:
        raise WrongUse(f"{name} has no clause {clause!r} (allowed: {', '.join(one.id for one in book.clauses)})")
    print(f"{found.id} ({', '.join(found.kinds)})\n{found.text(language)}")
