"""Owns the rule book: every clause of the three games with its id, kind, options and a text in each language.

One source: ``<game>/book.toml`` holds what is the same in every language, ``<game>/<lang>.toml`` the texts. The rule pages of the site,
of the command line and of ``docs/rules`` are all made from it. Knows nothing of how a game is played: that a book agrees with the
game's own options is held by a test.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from muang.errors import BadRuleset
from muang.i18n import LANGUAGES, translate
from muang.rulebook.render import html, markdown, plain

__all__ = ["BOOKS", "KINDS", "Clause", "OptionText", "RuleBook", "RulesetText", "Section", "html", "load", "markdown", "plain"]

BOOKS = ("mak-khum", "abalalae", "ca-ngua")
KINDS = ("source", "reading", "digital")


@dataclass(frozen=True, slots=True)
class Clause:
    """One rule. ``kinds``: what it rests on, the weightiest first; ``options``: names of the options that change it."""

    id: str
    kinds: tuple[str, ...]
    options: tuple[str, ...]
    section: str
    texts: Mapping[str, str]

    @property
    def kind(self) -> str:
        """``source`` · ``reading`` · ``digital``."""
        return self.kinds[0]

    def text(self, lang: str) -> str:
        """The rule for players: paragraphs, ``- `` lists, ``*words*`` and names in backticks."""
        return self.texts[lang]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its clauses. ``id`` is the anchor on the page."""

    id: str
    titles: Mapping[str, str]
    clauses: tuple[Clause, ...]

    def title(self, lang: str) -> str:
        return self.titles[lang]


@dataclass(frozen=True, slots=True)
class OptionText:
    """What an option and its values are called. ``label``, the ``values`` and ``number`` are msgids of the catalogues.

    ``values`` maps a value's text (``opening``, ``true``, ``none``) to its msgid; ``number`` is the msgid of a whole number, or None.
    """

    name: str
    clause: str
    default: Any
    label: str
    values: Mapping[str, str]
    least: int | None
    number: str | None

    def title(self, lang: str) -> str:
        return translate(self.label, lang)

    def describe(self, value: object, lang: str) -> str:
        """What a value means, in words: ``"until both hands have died, then turns"``. ``BadRuleset`` if it can have no such value."""
        key = value_text(value)
        if key in self.values:
            return translate(self.values[key], lang)
        if self.number is not None and self.least is not None and key.isascii() and key.isdigit() and int(key) >= self.least:
            return translate(self.number, lang, n=key)
        raise BadRuleset(f"{self.name} cannot be {value!r}", clause=self.clause, allowed=(*self.values, *self._numbers()))

    def _numbers(self) -> tuple[str, ...]:
        return () if self.least is None else (f"{self.least} or more",)


@dataclass(frozen=True, slots=True)
class RulesetText:
    """A named ruleset: what it changes, its name and one line about it (both msgids)."""

    name: str
    changes: Mapping[str, Any]
    label: str
    text: str

    def title(self, lang: str) -> str:
        return translate(self.label, lang)

    def describe(self, lang: str) -> str:
        return translate(self.text, lang)


@dataclass(frozen=True, slots=True)
class RuleBook:
    """The rules of one game. ``native`` is its name in its own language, ``native_lang`` the tag of that language."""

    name: str
    native: str
    native_lang: str
    sections: tuple[Section, ...]
    options: Mapping[str, OptionText]
    rulesets: Mapping[str, RulesetText]
    pages: Mapping[str, Mapping[str, Any]]

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """All clauses, in the order of the book."""
        return tuple(clause for section in self.sections for clause in section.clauses)

    def clause(self, clause_id: str) -> Clause:
        """One clause by its id. ``KeyError`` if the book has none such."""
        for clause in self.clauses:
            if clause.id == clause_id:
                return clause
        raise KeyError(clause_id)

    def title(self, lang: str) -> str:
        return str(self.pages[lang]["title"])

    def intro(self, lang: str) -> str:
        """Two sentences for the start page."""
        return str(self.pages[lang]["intro"])

    def turn(self, lang: str) -> tuple[str, ...]:
        """How a turn goes, step by step."""
        return tuple(self.pages[lang]["turn"])

    def words(self, lang: str) -> tuple[tuple[str, str], ...]:
        """The game's own words and what they mean."""
        return tuple((word, meaning) for word, meaning in self.pages[lang]["words"])

    def sources(self, lang: str) -> tuple[str, ...]:
        """Who described the game."""
        return tuple(self.pages[lang]["sources"])

    def clash(self, lang: str) -> str:
        """Other games that go by the same name."""
        return str(self.pages[lang]["clash"])


def value_text(value: object) -> str:
    """An option's value as it is written in rulesets: ``true``, ``none``, ``opening``, ``4``."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "none" if value is None else str(value)


@lru_cache(maxsize=len(BOOKS))
def load(game: str) -> RuleBook:
    """The rule book of a game. ``BadRuleset`` if there is no such game."""
    if game not in BOOKS:
        raise BadRuleset(f"there is no game {game!r}", allowed=BOOKS)
    folder = Path(__file__).parent / game
    book = _read(folder / "book.toml")
    pages = {lang: _read(folder / f"{lang}.toml") for lang in LANGUAGES}
    sections = tuple(
        Section(
            id=part["id"],
            titles=MappingProxyType({lang: page["sections"][part["id"]] for lang, page in pages.items()}),
            clauses=tuple(_clause(entry, part["id"], pages) for entry in part["clauses"]),
        )
        for part in book["section"]
    )
    return RuleBook(
        name=game,
        native=book["native"],
        native_lang=book["native_lang"],
        sections=sections,
        options=MappingProxyType({name: _option(name, entry, sections) for name, entry in book["options"].items()}),
        rulesets=MappingProxyType(
            {
                name: RulesetText(name, MappingProxyType(entry["changes"]), entry["label"], entry["text"])
                for name, entry in book["rulesets"].items()
            }
        ),
        pages=MappingProxyType(pages),
    )


def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _clause(entry: Mapping[str, Any], section: str, pages: Mapping[str, Mapping[str, Any]]) -> Clause:
    texts = {lang: str(page["clauses"][entry["id"]]).strip() for lang, page in pages.items()}
    return Clause(entry["id"], tuple(entry["kinds"]), tuple(entry.get("options", ())), section, MappingProxyType(texts))


def _option(name: str, entry: Mapping[str, Any], sections: tuple[Section, ...]) -> OptionText:
    clause = next(clause.id for section in sections for clause in section.clauses if name in clause.options)
    return OptionText(
        name=name,
        clause=clause,
        default=None if entry["default"] == "none" and name.endswith("_seconds") else entry["default"],
        label=entry["label"],
        values=MappingProxyType(dict(entry["values"])),
        least=entry.get("least"),
        number=entry.get("number"),
    )
