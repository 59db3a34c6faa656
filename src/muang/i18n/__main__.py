"""Owns ``python -m muang.i18n update``: brings the catalogues in step with the sources, and ``missing``: lists what has no translation.

New msgids are appended with an empty msgstr, those that no source uses any more are dropped, everything else keeps its place.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from muang.i18n import LANGUAGES, catalogue
from muang.i18n.scan import PACKAGE, msgids

__all__ = ["main", "merge", "write_po"]

_HEADER = """\
# {name} texts of Muang. New msgids come from `python -m muang.i18n update`; fill in the msgstr.
msgid ""
msgstr ""
"Project-Id-Version: muang\\n"
"Language: {lang}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"""
_NAMES = {"th": "Thai", "vi": "Vietnamese", "pt": "Portuguese"}


def merge(known: Mapping[str, str], wanted: Mapping[str, list[str]]) -> dict[str, str]:
    """The catalogue after an update: what is still wanted in its old order, then what is new, empty."""
    kept = {msgid: msgstr for msgid, msgstr in known.items() if msgid in wanted}
    return kept | {msgid: "" for msgid in wanted if msgid not in kept}


def write_po(path: Path, lang: str, texts: Mapping[str, str], places: Mapping[str, list[str]]) -> None:
    """Write a catalogue; each entry names the files that use it, without line numbers, so that a moved line changes nothing."""
    parts = [_HEADER.format(lang=lang, name=_NAMES[lang])]
    for msgid, msgstr in texts.items():
        lines = [f"#: {place}" for place in places.get(msgid, ())]
        parts.append("\n".join((*lines, f"msgid {_quote(msgid)}", f"msgstr {_quote(msgstr)}")) + "\n")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(parts), encoding="utf-8")


def _quote(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t") + '"'


def main(arguments: list[str]) -> int:
    """Exit code 0; 1 if ``missing`` finds a text without a translation; 2 for wrong use."""
    if arguments not in (["update"], ["missing"]):
        print("usage: python -m muang.i18n update|missing", file=sys.stderr)
        return 2
    wanted = msgids()
    lacking = 0
    for lang in LANGUAGES[1:]:
        texts = merge(catalogue(lang), wanted)
        empty = [msgid for msgid, msgstr in texts.items() if not msgstr]
        lacking += len(empty)
        if arguments == ["update"]:
            write_po(PACKAGE / "i18n" / lang / "messages.po", lang, texts, wanted)
            print(f"{lang}: {len(texts)} texts, {len(empty)} without a translation")
        else:
            for msgid in empty:
                print(f"{lang}: {msgid}")
    return 1 if lacking and arguments == ["missing"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
