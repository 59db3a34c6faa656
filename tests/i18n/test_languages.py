"""Looking texts up: languages, placeholders, and the choice of a language."""

import json
import subprocess
import sys

import pytest

from muang.i18n import LANGUAGES, best_language, catalogue, fill, language_name, placeholders, translate


@pytest.mark.parametrize(
    ("header", "lang"),
    [
        (None, "en"),
        ("", "en"),
        ("*", "en"),
        ("fr, de;q=0.9", "en"),
        ("pt-BR,pt;q=0.9,en;q=0.8", "pt"),
        ("en;q=0.4, th;q=0.5", "th"),
        ("fr, vi;q=0.2, en;q=0.1", "vi"),
        ("th;q=0, vi", "vi"),
        ("th;q=nonsense, pt;q=0.1", "pt"),
        ("TH-th", "th"),
        ("vi_VN.UTF-8", "vi"),
        ("en, th", "en"),
    ],
)
def test_the_best_language_for_a_header(header: str | None, lang: str) -> None:
    assert best_language(header) == lang


def test_every_language_names_itself() -> None:
    assert [language_name(lang) for lang in LANGUAGES] == ["English", "ไทย", "Tiếng Việt", "Português"]
    with pytest.raises(KeyError):
        language_name("xx")
    with pytest.raises(KeyError):
        catalogue("xx")


def test_a_text_without_translation_stays_english() -> None:
    assert translate("No such text, {name}.", "th", name="Ann") == "No such text, Ann."


def test_translations_are_found_and_filled() -> None:
    assert translate("South", "th") == "ฝ่ายใต้"
    assert translate("{seat} rolls {a} and {b}.", "vi", seat="Đỏ", a=1, b=6) == "Đỏ đổ 1 và 6."


def test_placeholders_are_plain_names_only() -> None:
    assert fill("{a} {b} {a.__class__} {0} {{a}}", {"a": "x"}) == "x {b} {a.__class__} {0} {x}"
    assert placeholders("{seat} lifts {count} seeds from {hole}.") == {"seat", "count", "hole"}


def test_an_argument_may_have_any_name() -> None:
    assert translate("{msgid} {lang}", "en", msgid=1, lang=2) == "1 2"


def test_the_catalogue_cannot_be_changed_by_accident() -> None:
    with pytest.raises(TypeError):
        catalogue("th")["South"] = "x"  # type: ignore[index]


def test_english_starts_without_babel_or_numba() -> None:
    code = """
import json, sys
from muang.i18n import translate
from muang.rulebook import plain
assert translate("South", "en") == "South" and plain("mak-khum", "en")
print(json.dumps([name for name in ("babel", "numba", "fastapi") if name in sys.modules]))
"""
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(answer.stdout) == []
