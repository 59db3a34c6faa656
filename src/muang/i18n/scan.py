"""Owns where the translatable texts stand: finds every msgid in the Python, JavaScript and rule-book sources of the package.

Only literals count: ``N_("…")``, ``translate("…", …)`` and ``Phrase("…", …)`` in Python, ``t("…")`` in JavaScript, and label, text,
values and number in ``rulebook/<game>/book.toml``. Used by the update tool and the tests, never while a game is played.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

__all__ = ["PACKAGE", "book_msgids", "javascript_msgids", "msgids", "python_msgids"]

PACKAGE = Path(__file__).parent.parent
_PYTHON_CALLS = frozenset({"N_", "translate", "Phrase"})
_STRING = r""""(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`"""
_STRING_OR_COMMENT = re.compile(rf"({_STRING})|//[^\n]*|/\*.*?\*/", re.DOTALL)
_JAVASCRIPT_CALL = re.compile(rf"(?<![\w$.])t\(\s*({_STRING})", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\n|.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "\n": ""}


def python_msgids(source: str) -> Iterator[str]:
    """The msgids in Python source, in the order in which they stand there."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        name = call.func.id if isinstance(call.func, ast.Name) else call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if name in _PYTHON_CALLS and call.args:
            yield from _literals(call.args[0])


def _literals(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):  # Phrase("one seed" if count == 1 else "{count} seeds", …)
        yield from _literals(node.body)
        yield from _literals(node.orelse)


def javascript_msgids(source: str) -> Iterator[str]:
    """The msgids in JavaScript source; comments do not count, nor do templates with ``${…}``."""
    bare = _STRING_OR_COMMENT.sub(lambda found: found[1] or " ", source)
    for found in _JAVASCRIPT_CALL.finditer(bare):
        literal = found[1]
        if literal[0] != "`" or "${" not in literal:
            yield _ESCAPE.sub(_unescape, literal[1:-1])


def _unescape(found: re.Match[str]) -> str:
    code = found[1] or found[2] or found[3]
    return chr(int(code, 16)) if code else _ESCAPED.get(found[4], found[4])


def book_msgids(source: str) -> Iterator[str]:
    """The msgids in a ``book.toml`` of the rule book."""
    book: dict[str, Any] = tomllib.loads(source)
    for option in book["options"].values():
        yield from (option["label"], *option["values"].values())
        if "number" in option:
            yield option["number"]
    for ruleset in book["rulesets"].values():
        yield from (ruleset["label"], ruleset["text"])


def msgids(package: Path = PACKAGE) -> dict[str, list[str]]:
    """Every msgid of the package → the files it stands in (relative to the package), in order of first appearance."""
    found: dict[str, list[str]] = {}
    for path in _sources(package):
        text = path.read_text(encoding="utf-8")
        place = path.relative_to(package).as_posix()
        read = {".py": python_msgids, ".js": javascript_msgids, ".toml": book_msgids}[path.suffix]
        for msgid in read(text):
            places = found.setdefault(msgid, [])
            if place not in places:
                places.append(place)
    return found


def _sources(package: Path) -> Iterable[Path]:
    yield from sorted(package.rglob("*.py"))
    yield from sorted((package / "web").rglob("*.js"))
    yield from sorted((package / "rulebook").glob("*/book.toml"))
