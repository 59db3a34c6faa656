"""Owns how a rule book looks: as Markdown (``docs/rules``), as a fragment of HTML (the site) and as plain text (the command line).

All three walk the same outline, so they cannot say different things. Owns no rule and no file.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from muang.i18n import N_, translate

if TYPE_CHECKING:
    from muang.rulebook import Clause, RuleBook

__all__ = ["html", "markdown", "plain"]

_KINDS = {"source": N_("source"), "reading": N_("reading"), "digital": N_("digital")}
_MARKS = re.compile(r"`([^`]+)`|\*([^*]+)\*")


@dataclass(frozen=True, slots=True)
class _Block:
    """One piece of the outline. ``kind``: ``title`` · ``heading`` · ``clause`` · ``text`` · ``list`` · ``steps`` · ``options``."""

    kind: str
    lines: tuple[str, ...]
    anchor: str = ""
    note: str = ""


def _outline(game: str, lang: str) -> Iterator[_Block]:
    from muang.rulebook import load

    book = load(game)
    native = "" if book.native in book.title(lang) else book.native
    yield _Block("title", (book.title(lang),), note=native)
    yield _Block("text", (book.intro(lang),))
    yield _Block("heading", (translate(N_("How a turn goes"), lang),), "how")
    yield _Block("steps", book.turn(lang))
    for section in book.sections:
        yield _Block("heading", (section.title(lang),), section.id)
        for clause in section.clauses:
            yield _Block("clause", (clause.id,), clause.id, ", ".join(translate(_KINDS[kind], lang) for kind in clause.kinds))
            yield from _paragraphs(clause.text(lang))
            yield from _option_blocks(book, clause, lang)
    yield _Block("heading", (translate(N_("Named rulesets"), lang),), "rulesets")
    yield _Block("list", tuple(_ruleset_line(book, name, lang) for name in book.rulesets))
    yield _Block("heading", (translate(N_("Words"), lang),), "words")
    yield _Block("list", tuple(f"*{word}*: {meaning}" for word, meaning in book.words(lang)))
    yield _Block("heading", (translate(N_("Sources and readings"), lang),), "sources")
    yield _Block("text", (translate(N_("Source: stated in the description that these rules follow."), lang),))
    yield _Block("text", (translate(N_("Reading: left open there; our choice, and the others that can be made, are named."), lang),))
    yield _Block("text", (translate(N_("Digital: needed only because a program plays it."), lang),))
    yield _Block("list", book.sources(lang))
    yield _Block("text", (book.clash(lang),))


def _paragraphs(text: str) -> Iterator[_Block]:
    for part in text.split("\n\n"):
        lines = [line.strip() for line in part.strip().splitlines()]
        if all(line.startswith("- ") for line in lines):
            yield _Block("list", tuple(line[2:] for line in lines))
        else:
            yield _Block("text", (" ".join(lines),))


def _option_blocks(book: RuleBook, clause: Clause, lang: str) -> Iterator[_Block]:
    for name in clause.options:
        option = book.options[name]
        lines = [f"`{key}`: {option.describe(key, lang)}" for key in option.values]
        if option.number is not None:
            lines.append(translate(N_("any number from {least} up"), lang, least=option.least))
        default = option.describe(option.default, lang)
        head = translate(N_("Option {name}: {label}. Unless chosen otherwise: {default}."), lang).rstrip()
        args = {"name": f"`{name}`", "label": option.title(lang), "default": default}
        yield _Block("options", (_fill(head, args), *lines))


def _fill(text: str, args: dict[str, str]) -> str:
    for name, value in args.items():
        text = text.replace("{" + name + "}", value)
    return text


def _ruleset_line(book: RuleBook, name: str, lang: str) -> str:
    from muang.rulebook import value_text

    ruleset = book.rulesets[name]
    changes = ", ".join(f"`{option}: {value_text(value)}`" for option, value in ruleset.changes.items())
    line = f"`{name}` – {ruleset.title(lang)}: {ruleset.describe(lang)}"
    return f"{line} ({changes})" if changes else line


def markdown(game: str, lang: str) -> str:
    """The rule page as Markdown; every clause is a heading with its id as anchor."""
    out: list[str] = []
    for block in _outline(game, lang):
        text = block.lines[0]
        if block.kind == "title":
            out.append(f"# {text}" + (f" ({block.note})" if block.note else ""))
        elif block.kind == "heading":
            out.append(f'<a id="{block.anchor}"></a>\n\n## {text}')
        elif block.kind == "clause":
            out.append(f'<a id="{block.anchor}"></a>\n\n### {text} ({block.note})')
        elif block.kind == "text":
            out.append(text)
        elif block.kind == "steps":
            out.append("\n".join(f"{number}. {line}" for number, line in enumerate(block.lines, 1)))
        elif block.kind == "options":
            out.append(text + "\n\n" + "\n".join(f"- {line}" for line in block.lines[1:]))
        else:
            out.append("\n".join(f"- {line}" for line in block.lines))
    return "\n\n".join(out) + "\n"


def html(game: str, lang: str) -> str:
    """The rule page as an HTML fragment without scripts or styles; every clause has its id as anchor, links to itself."""
    from muang.rulebook import load

    native_lang = load(game).native_lang
    out: list[str] = []
    open_section = False
    for block in _outline(game, lang):
        text = _inline(block.lines[0])
        if block.kind == "title":
            note = f' <span class="native" lang="{escape(native_lang)}">{escape(block.note)}</span>' if block.note else ""
            out.append(f"<h1>{text}{note}</h1>")
        elif block.kind == "heading":
            out.append("</section>" if open_section else "")
            open_section = True
            out.append(f'<section aria-labelledby="{block.anchor}">\n<h2 id="{block.anchor}">{text}</h2>')
        elif block.kind == "clause":
            link = f'<a href="#{block.anchor}">{text}</a>'
            out.append(f'<h3 id="{block.anchor}" class="clause">{link} <span class="kind">{escape(block.note)}</span></h3>')
        elif block.kind == "text":
            out.append(f"<p>{text}</p>")
        elif block.kind == "options":
            out.append(f'<div class="option"><p>{text}</p>\n{_items("ul", block.lines[1:])}</div>')
        else:
            out.append(_items("ol" if block.kind == "steps" else "ul", block.lines))
    out.append("</section>")
    body = "\n".join(line for line in out if line)
    return f'<article class="rules" lang="{lang}">\n{body}\n</article>\n'


def _items(tag: str, lines: tuple[str, ...]) -> str:
    if not lines:
        return ""
    return f"<{tag}>" + "".join(f"<li>{_inline(line)}</li>" for line in lines) + f"</{tag}>"


def _inline(text: str) -> str:
    return _MARKS.sub(lambda found: f"<code>{found[1]}</code>" if found[1] else f"<em>{found[2]}</em>", escape(text, quote=False))


def plain(game: str, lang: str, width: int = 79) -> str:
    """The rule page for a terminal, ``width`` columns wide. Thai breaks only between phrases: its words carry no spaces."""
    out: list[str] = []
    for block in _outline(game, lang):
        lines = tuple(_MARKS.sub(lambda found: found[1] or found[2], line) for line in block.lines)
        if block.kind == "title":
            text = lines[0] + (f" ({block.note})" if block.note else "")
            out.append(f"{text}\n{'=' * min(width, len(text))}")
        elif block.kind == "heading":
            out.append(f"{lines[0]}\n{'-' * min(width, len(lines[0]))}")
        elif block.kind == "clause":
            out.append(f"[{lines[0]}] ({block.note})")
        elif block.kind == "text":
            out.append(_wrap(lines[0], width))
        elif block.kind == "steps":
            out.append("\n".join(_wrap(line, width, f"{number}. ") for number, line in enumerate(lines, 1)))
        elif block.kind == "options":
            out.append("\n".join((_wrap(lines[0], width, "  "), *(_wrap(line, width, "  - ") for line in lines[1:]))))
        else:
            out.append("\n".join(_wrap(line, width, "- ") for line in lines))
    return "\n\n".join(out) + "\n"


def _wrap(text: str, width: int, lead: str = "") -> str:
    return textwrap.fill(
        text, max(width, 20), initial_indent=lead, subsequent_indent=" " * len(lead), break_long_words=False, break_on_hyphens=False
    )
