"""Owns ``python -m muang.rulebook FOLDER``: writes the rule pages of all games and languages as Markdown files into a folder."""

from __future__ import annotations

import sys
from pathlib import Path

from muang.i18n import LANGUAGES, language_name
from muang.rulebook import BOOKS, markdown

__all__ = ["main", "pages"]


def file_name(game: str, lang: str) -> str:
    """``mak-khum.md`` is English, ``mak-khum.th.md`` Thai, …"""
    return f"{game}.md" if lang == "en" else f"{game}.{lang}.md"


def pages() -> dict[str, str]:
    """File name → text of every generated page."""
    note = "<!-- Made from src/muang/rulebook by `python -m muang.rulebook docs/rules`. Change it there. -->"
    texts = {}
    for game in BOOKS:
        for lang in LANGUAGES:
            others = " · ".join(f"[{language_name(other)}]({file_name(game, other)})" for other in LANGUAGES if other != lang)
            texts[file_name(game, lang)] = f"{note}\n\n{others}\n\n{markdown(game, lang)}"
    return texts


def main(arguments: list[str]) -> int:
    """Exit code 0, or 2 when no folder was named."""
    if len(arguments) != 1:
        print("usage: python -m muang.rulebook FOLDER", file=sys.stderr)
        return 2
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")
    print(f"{len(pages())} pages in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
