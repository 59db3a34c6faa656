"""Owns the languages of everything people read: which there are, how a text is looked up, how placeholders are filled.

A text is named by its English form with ``{named}`` placeholders (the msgid). English needs no file; the other languages have one gettext
catalogue each, ``<lang>/messages.po``. Knows no game and no sentence of its own; the long texts of the rules are in ``muang.rulebook``.
``python -m muang.i18n update`` brings the catalogues in step with the sources.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

__all__ = ["LANGUAGES", "N_", "best_language", "catalogue", "fill", "language_name", "placeholders", "translate"]

LANGUAGES = ("en", "th", "vi", "pt")
_NAMES = {"en": "English", "th": "ไทย", "vi": "Tiếng Việt", "pt": "Português"}
_PLACEHOLDER = re.compile(r"\{([a-z_][a-z0-9_]*)\}")


def N_(msgid: str) -> str:  # noqa: N802, RUF100  the name that every gettext tool knows
    """The msgid itself: marks a text that is translated later, where the language is known."""
    return msgid


def language_name(lang: str) -> str:
    """What the language calls itself: ``"ไทย"``. ``KeyError`` for a language that is not in ``LANGUAGES``."""
    return _NAMES[lang]


@lru_cache(maxsize=len(LANGUAGES))
def catalogue(lang: str) -> Mapping[str, str]:
    """All translated texts of ``lang``, msgid → msgstr (read-only). English is empty: every msgid stands for itself.

    ``KeyError`` for a language that is not in ``LANGUAGES``.
    """
    language_name(lang)
    texts: dict[str, str] = {}
    path = Path(__file__).parent / lang / "messages.po"
    if lang != "en" and path.exists():
        from babel.messages.pofile import read_po  # only here: English starts without it

        with path.open("rb") as file:
            for message in read_po(file, locale=lang):
                if isinstance(message.id, str) and isinstance(message.string, str) and message.id and message.string:
                    texts[message.id] = message.string
    return MappingProxyType(texts)


def placeholders(text: str) -> frozenset[str]:
    """The names of the ``{named}`` placeholders in a text."""
    return frozenset(_PLACEHOLDER.findall(text))


def fill(text: str, args: Mapping[str, object]) -> str:
    """The text with its placeholders filled. One without an argument stays as it stands: a half sentence beats a stopped match.

    Only plain names are replaced (no attributes, no formats), exactly as the browser does it.
    """
    return _PLACEHOLDER.sub(lambda found: str(args.get(found[1], found[0])), text)


def translate(msgid: str, lang: str, /, **args: object) -> str:
    """The text in ``lang`` with its placeholders filled; in English if the catalogue has no such msgid."""
    return fill(catalogue(lang).get(msgid, msgid), args)


def best_language(header: str | None) -> str:
    """The language that suits an ``Accept-Language`` header (or a locale such as ``pt_BR.UTF-8``) best; English if none does."""
    wanted: list[tuple[float, int, str]] = []
    for place, item in enumerate((header or "").split(",")):
        tag, _, parameters = item.strip().partition(";")
        lang = re.split(r"[-_.@]", tag.strip().lower())[0]
        name, _, value = parameters.strip().partition("=")
        try:
            quality = float(value) if name.strip() == "q" else 1.0
        except ValueError:
            quality = 0.0
        if lang in LANGUAGES and quality > 0:
            wanted.append((-quality, place, lang))
    return min(wanted)[2] if wanted else "en"
