"""The rule book has every clause in every language, and says of options and rulesets what the games themselves say."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import muang
from muang.errors import BadRuleset
from muang.i18n import LANGUAGES, catalogue
from muang.rulebook import BOOKS, KINDS, html, load, markdown, plain, value_text
from muang.rulebook.__main__ import main, pages

DOCS = Path(__file__).parents[2] / "docs" / "rules"
CLAUSES = {
    "mak-khum": (
        "MK-1 MK-2 MK-3 MK-4 MK-10 MK-11 MK-12 MK-13 MK-14 MK-15 MK-16 MK-20 MK-21 MK-22 MK-23 MK-24 MK-25 MK-26 MK-30 "
        "MK-31 MK-40 MK-41 MK-42 MK-43 MK-44 MK-45 MK-46 MK-50 MK-51 MK-52 MK-53 MK-54 MK-55 MK-56 MK-57"
    ),
    "abalalae": (
        "AB-0 AB-1 AB-2 AB-3 AB-4 AB-5 AB-10 AB-11 AB-12 AB-13 AB-14 AB-15 AB-20 AB-21 AB-22 AB-23 AB-24 AB-25 AB-30 "
        "AB-31 AB-40 AB-41 AB-42 AB-43 AB-44 AB-45 AB-46"
    ),
    "ca-ngua": (
        "CN-1 CN-2 CN-3 CN-10 CN-11 CN-12 CN-13 CN-14 CN-20 CN-21 CN-22 CN-23 CN-24 CN-25 CN-26 CN-27 CN-30 CN-31 CN-40 CN-41 CN-42 CN-50"
    ),
}
READINGS = """
    MK-12 MK-15 MK-16 MK-21 MK-22 MK-23 MK-30 MK-31 MK-42 MK-44 MK-45 MK-50 MK-51
    AB-0 AB-15 AB-23 AB-24 AB-30 AB-31 AB-41
    CN-1 CN-2 CN-12 CN-13 CN-20 CN-22 CN-24 CN-25
"""
"""Clauses in which the source leaves something open."""
BOTH = [(game, lang) for game in BOOKS for lang in LANGUAGES]


@pytest.mark.parametrize("game", BOOKS)
def test_the_book_has_every_clause_in_order(game: str) -> None:
    assert " ".join(clause.id for clause in load(game).clauses) == CLAUSES[game]


@pytest.mark.parametrize("game", BOOKS)
def test_kinds(game: str) -> None:
    for clause in load(game).clauses:
        assert clause.kinds
        assert set(clause.kinds) <= set(KINDS)
        assert ("reading" in clause.kinds) == (clause.id in READINGS.split())


@pytest.mark.parametrize(("game", "lang"), BOTH)
def test_every_text_is_there(game: str, lang: str) -> None:
    book = load(game)
    for text in (book.title(lang), book.intro(lang), book.clash(lang), *book.turn(lang), *book.sources(lang)):
        assert text.strip()
    assert len(book.turn(lang)) >= 4
    assert all(word and meaning for word, meaning in book.words(lang))
    for clause in book.clauses:
        assert len(clause.text(lang)) >= 10, clause.id
    assert {section.id for section in book.sections} == set(book.pages[lang]["sections"])
    assert {clause.id for clause in book.clauses} == set(book.pages[lang]["clauses"])


@pytest.mark.parametrize(("game", "lang"), BOTH)
def test_translations_keep_numbers_names_and_cross_references(game: str, lang: str) -> None:
    """Whatever cannot be translated, holes, option values, clause ids and numbers, is the same in every language."""
    exact = re.compile(r"`[^`]+`|[A-Z]{2}-\d+|\d[\d-]*")
    for clause in load(game).clauses:
        assert sorted(set(exact.findall(clause.text(lang)))) == sorted(set(exact.findall(clause.text("en")))), clause.id


def test_translations_are_not_english() -> None:
    for game in BOOKS:
        book = load(game)
        for lang in LANGUAGES[1:]:
            same = [clause.id for clause in book.clauses if clause.text(lang) == clause.text("en")]
            assert not same, lang


@pytest.mark.parametrize("game", BOOKS)
def test_references_lead_somewhere(game: str) -> None:
    known = {clause for clauses in CLAUSES.values() for clause in clauses.split()}
    for clause in load(game).clauses:
        assert set(re.findall(r"(?:MK|AB|CN)-\d+", clause.text("en"))) <= known


@pytest.mark.parametrize("name", BOOKS)
def test_options_are_those_of_the_game(name: str) -> None:
    options = {option.name: option for option in muang.game(name).option_list}
    texts = load(name).options
    assert set(texts) == set(options)
    for text in texts.values():
        option = options[text.name]
        assert (text.clause, text.default, text.least) == (option.clause, option.default, option.least), text.name
        assert type(text.default) is type(option.default), text.name
        assert set(text.values) == {value_text(choice) for choice in option.choices}, text.name
        assert (text.number is not None) == (option.least is not None), text.name


@pytest.mark.parametrize("name", BOOKS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_options_and_their_values_have_names(name: str, lang: str) -> None:
    for option in muang.game(name).option_list:
        text = load(name).options[option.name]
        names = [text.describe(value, lang) for value in (option.default, *option.choices)]
        if option.least is not None:
            names.append(text.describe(option.least + 3, lang))
            assert str(option.least + 3) in names[-1]
        assert all(names)
        assert len({text.describe(value, lang) for value in option.choices}) == len(option.choices), "two values read alike"
        if lang != "en":
            assert text.label in catalogue(lang)
            assert set(text.values.values()) <= set(catalogue(lang))


def test_a_value_that_an_option_cannot_have() -> None:
    rounds = load("mak-khum").options["rounds"]
    for value in (0, -1, "for ever", True):
        with pytest.raises(BadRuleset, match="until_broke"):
            rounds.describe(value, "en")
    with pytest.raises(BadRuleset, match="MK-22"):
        load("mak-khum").options["race"].describe(3, "en")


@pytest.mark.parametrize("name", BOOKS)
def test_rulesets_are_those_of_the_game(name: str) -> None:
    book = load(name)
    assert list(book.rulesets) == list(muang.game(name).rulesets)
    for ruleset, changes in muang.game(name).rulesets.items():
        text = book.rulesets[ruleset]
        assert dict(text.changes) == dict(changes)
        for lang in LANGUAGES:
            assert text.title(lang)
            assert text.describe(lang)


def test_the_title_of_a_game_is_its_own() -> None:
    for name in BOOKS:
        assert load(name).native in (muang.game(name).title, load(name).title(load(name).native_lang if name != "abalalae" else "en"))


def test_a_game_that_is_not_there() -> None:
    with pytest.raises(BadRuleset, match="mak-khum"):
        load("kalah")
    with pytest.raises(KeyError):
        load("mak-khum").clause("MK-99")
    assert load("mak-khum").clause("MK-12").kind == "reading"


class Outline(HTMLParser):
    """Checks that tags are closed in order and collects ids and tags."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.ids += [value for name, value in attrs if name == "id" and value]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize(("game", "lang"), BOTH)
def test_html_is_sound_and_safe(game: str, lang: str) -> None:
    outline = Outline()
    outline.feed(html(game, lang))
    assert not outline.open
    assert outline.tags <= {"article", "section", "h1", "h2", "h3", "p", "ul", "ol", "li", "div", "span", "code", "em", "a"}
    assert outline.attributes <= {"class", "id", "lang", "href", "aria-labelledby"}
    assert len(outline.ids) == len(set(outline.ids))
    assert set(CLAUSES[game].split()) <= set(outline.ids)
    assert "`" not in html(game, lang)


@pytest.mark.parametrize(("game", "lang"), BOTH)
def test_all_three_forms_hold_every_clause_and_ruleset(game: str, lang: str) -> None:
    for text in (markdown(game, lang), html(game, lang), plain(game, lang)):
        for clause in CLAUSES[game].split():
            assert re.search(rf"{clause}\b", text)
        for ruleset in load(game).rulesets:
            assert ruleset in text


@pytest.mark.parametrize("lang", ["en", "vi", "pt"])
def test_plain_text_keeps_its_width(lang: str) -> None:
    assert max(len(line) for line in plain("mak-khum", lang, width=60).splitlines()) <= 60


def test_the_pages_in_docs_are_current() -> None:
    assert {path.name for path in DOCS.glob("*.md")} == set(pages()), "run `python -m muang.rulebook docs/rules`"
    stale = [name for name, text in pages().items() if (DOCS / name).read_text(encoding="utf-8") != text]
    assert not stale, "run `python -m muang.rulebook docs/rules`"


def test_writing_the_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert main([str(tmp_path / "rules")]) == 0
    assert "12 pages" in capsys.readouterr().out
    assert len(list((tmp_path / "rules").iterdir())) == 12
