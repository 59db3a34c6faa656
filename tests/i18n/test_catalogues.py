"""The catalogues hold every text of the sources, and nothing else; translations keep the placeholders."""

from pathlib import Path

import pytest

from muang.i18n import LANGUAGES, catalogue, placeholders
from muang.i18n.__main__ import main, merge, write_po
from muang.i18n.scan import PACKAGE, book_msgids, javascript_msgids, msgids, python_msgids

TRANSLATED = LANGUAGES[1:]


def entries(lang: str) -> dict[str, str]:
    """Everything in a catalogue file, empty translations too."""
    from babel.messages.pofile import read_po

    with (PACKAGE / "i18n" / lang / "messages.po").open("rb") as file:
        return {str(message.id): str(message.string) for message in read_po(file, locale=lang) if message.id}


@pytest.mark.parametrize("lang", TRANSLATED)
def test_every_text_is_translated(lang: str) -> None:
    missing = [f"{msgid!r} ({', '.join(places)})" for msgid, places in msgids().items() if not catalogue(lang).get(msgid)]
    assert not missing, "run `python -m muang.i18n update` and fill in:\n" + "\n".join(missing)


@pytest.mark.parametrize("lang", TRANSLATED)
def test_placeholders_are_kept(lang: str) -> None:
    wrong = [msgid for msgid, msgstr in entries(lang).items() if msgstr and placeholders(msgid) != placeholders(msgstr)]
    assert not wrong


@pytest.mark.parametrize("lang", TRANSLATED)
def test_no_text_is_left_over(lang: str) -> None:
    assert not set(entries(lang)) - set(msgids()), "run `python -m muang.i18n update`"


@pytest.mark.parametrize("lang", TRANSLATED)
def test_sentences_end_as_they_do_in_english(lang: str) -> None:
    """A full stop in English is one in Portuguese and Vietnamese; Thai writes none. Spaces round a prompt are kept."""
    wrong = []
    for msgid, msgstr in entries(lang).items():
        stop = msgid.endswith(".") and lang != "th"
        before, after = msgid[: len(msgid) - len(msgid.lstrip())], msgid[len(msgid.rstrip()) :]
        if msgstr and (msgstr.endswith(".") != stop or msgstr != before + msgstr.strip() + after or "  " in msgstr):
            wrong.append((msgid, msgstr))
    assert not wrong


def test_python_texts_are_found() -> None:
    source = """
a = N_("one") if x else N_("two")
b = i18n.translate("three {x}", lang, x=translate(a, lang))
c = Phrase("four", {}) if y else Phrase("five" if z else "six")
d = other("no"), f"translate({x})"
"""
    assert list(python_msgids(source)) == ["one", "two", "three {x}", "four", "five", "six"]


def test_javascript_texts_are_found() -> None:
    source = r"""
// t("in a comment")
/* t("in another") */
const a = t("one {x}", { x: t('it\'s two') });
const url = "http://t(\"no\")"; // t("no")
const b = `${t("three")} and ${cut("no")} ${x.t("no")}`;
const c = t(`four`) + t(`no ${x}`) + t(
  "fi\u0076e",
);
"""
    assert list(javascript_msgids(source)) == ["one {x}", "it's two", "three", "four", "five"]


def test_book_texts_are_found() -> None:
    source = """
[options.a]
label = "label"
values = { x = "value" }
number = "number"
[rulesets.r]
label = "ruleset"
text = "line"
"""
    assert list(book_msgids(source)) == ["label", "value", "number", "ruleset", "line"]


def test_an_update_keeps_order_adds_and_drops() -> None:
    merged = merge({"b": "B", "gone": "G", "a": "A"}, {"a": [], "new": [], "b": []})
    assert list(merged.items()) == [("b", "B"), ("a", "A"), ("new", "")]


def test_a_written_catalogue_reads_back(tmp_path: Path) -> None:
    from babel.messages.pofile import read_po

    texts = {'say "x" \\ {a}': "nói «x»\n\t{a}", "empty": ""}
    write_po(tmp_path / "vi" / "messages.po", "vi", texts, {"empty": ["web/a.js"]})
    with (tmp_path / "vi" / "messages.po").open("rb") as file:
        read = {message.id: message.string for message in read_po(file, locale="vi") if message.id}
    assert read == texts


def test_the_tool_says_what_it_takes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "update|missing" in capsys.readouterr().err
    assert main(["missing"]) == 0
