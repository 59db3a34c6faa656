"""Documentation that cannot rot: its examples run, its links lead somewhere, and every public name and command stands in it."""

from __future__ import annotations

import ast
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

import muang
from muang.cli import app
from muang.records import json as record_json
from muang.records import text as record_text

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "muang"
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
GUIDES = [page for page in PAGES if page.parent.name != "rules"]

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^)\s]+)\)|!\[[^\]\n]*\]\(([^)\s]+)\)")
COMMAND_LINE = re.compile(r"^(?: {4}|\$ )?(muang [a-z][^\n]*)$", re.MULTILINE)


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def fences(page: Path, language: str) -> list[str]:
    return [body for found, body in FENCE.findall(text_of(page)) if found == language]


def commands() -> dict[str, Any]:
    """Every command of ``muang``, as the command line itself knows it; one of a group by both words, ``solve endgame``."""
    found: dict[str, Any] = {}
    for name, command in typer.main.get_command(app).commands.items():
        parts = getattr(command, "commands", None)
        found |= {name: command} if parts is None else {f"{name} {part}": inner for part, inner in parts.items()}
    return found


def options(command: Any) -> set[str]:
    return {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts) if name.startswith("-")}


def label(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


# ── names ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", sorted(set(muang.__all__) - {"__version__"}))
def test_every_public_name_is_in_the_reference_and_in_the_change_log(name: str) -> None:
    assert re.search(rf"\bmuang\.{name}\b|`{name}`", text_of(ROOT / "docs" / "reference.md"))
    assert re.search(rf"\bmuang\.{name}\b|`{name}`", text_of(ROOT / "CHANGELOG.md"))


def test_every_public_name_exists() -> None:
    assert sorted(muang.__all__) == sorted(set(muang.__all__))
    public = {name for name in vars(muang) if not name.startswith("_")}
    parts = {path.stem for path in PACKAGE.iterdir()}
    assert public - parts == set(muang.__all__) - {"__version__"}


@pytest.mark.parametrize("module", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_modules_say_what_they_own(module: Path) -> None:
    """A docstring for the module and for every class and function in its ``__all__``."""
    tree = ast.parse(text_of(module))
    assert ast.get_docstring(tree), "a module opens with what it owns and what it does not"
    exported: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets):
            exported = ast.literal_eval(node.value)
    bare = [
        node.name
        for node in tree.body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        and node.name in exported
        and not ast.get_docstring(node)
        and not (isinstance(node, ast.ClassDef) and module.name == "errors.py")  # the tree at the top of errors.py describes them
    ]
    assert not bare


# ── the command line ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_command_is_in_the_readme_and_has_its_section() -> None:
    readme, page = text_of(ROOT / "README.md"), text_of(ROOT / "docs" / "command-line.md")
    for name in commands():
        assert f"muang {name}" in readme, name
        assert re.search(rf"^### muang {name}\b", page, re.MULTILINE), name
    assert "make play" in readme
    assert "make test" in readme


@pytest.mark.parametrize("name", sorted(commands()))
def test_every_option_is_described(name: str) -> None:
    page = text_of(ROOT / "docs" / "command-line.md")
    section = re.search(rf"^### muang {name}\b.*?(?=^##|\Z)", page, re.DOTALL | re.MULTILINE)
    assert section is not None
    for option in options(commands()[name]) - {"--help"}:
        assert re.search(rf"`{option}\b", section[0]), option


@pytest.mark.parametrize("page", GUIDES, ids=label)
def test_examples_of_commands_are_commands(page: Path) -> None:
    known = commands()
    for line in COMMAND_LINE.findall(text_of(page)):
        words = shlex.split(line.partition(" #")[0])[1:]
        name = " ".join(words[:2]) if " ".join(words[:2]) in known else words[0]
        for word in words:
            if word in ("|", ">"):
                break
            if word.startswith("-") and word != "-":
                assert word in options(known[name]), line
        assert name in known, line


# ── examples ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────


IN_ORDER = ROOT / "docs" / "research.md"
"""Its commands and its Python need each other: ``tests/test_research.py`` runs them in order."""


@pytest.mark.parametrize("page", [page for page in GUIDES if fences(page, "python") and page != IN_ORDER], ids=label)
def test_python_examples_run(page: Path) -> None:
    """The blocks of a page run one after another, as a reader would type them. A comment that shows a value shows the right one."""
    names: dict[str, Any] = {}
    for block in fences(page, "python"):
        tree = ast.parse(block)
        lines = block.splitlines()
        for node in tree.body:
            source = ast.Module([node], type_ignores=[])
            if not isinstance(node, ast.Expr):
                exec(compile(source, label(page), "exec"), names)
                continue
            value = eval(compile(ast.Expression(node.value), label(page), "eval"), names)
            shown = re.search(r"#\s*(\(.*?\)|'[^']*'|\"[^\"]*\"|\d+)(?=[:;,. ]|$)", lines[(node.end_lineno or 1) - 1])
            if shown is not None:
                assert value == ast.literal_eval(shown[1]), lines[(node.end_lineno or 1) - 1]


def test_records_in_the_documentation_replay() -> None:
    page = ROOT / "docs" / "record-format.md"
    games = set()
    records = [record_text.read(block) for block in fences(page, "record")]
    for block, record in zip(fences(page, "record"), records, strict=True):
        match = record.match()
        assert record_text.write(record) == block
        assert record_json.read(record_json.write(record)) == record
        if match.result is not None:
            games.add(record.game.name)
    assert games == set(muang.GAMES)
    assert {record.pace for record in records} == {"lockstep", "steady", "by_hand"}
    (shown,) = fences(page, "json")
    assert record_json.load(json.loads(shown)) == records[-1]


def test_every_tag_and_field_is_described() -> None:
    from muang.records.json import ENTRY_FIELDS, FIELDS
    from muang.records.reader import HORSELESS, HORSES
    from muang.records.text import KNOWN

    page = text_of(ROOT / "docs" / "record-format.md")
    for name in (KNOWN - {"Seat1", "Seat2"}) | HORSELESS | {"Seat0", "Seat3"} | FIELDS | ENTRY_FIELDS:
        assert f"`{name}`" in page, name
    assert HORSES < KNOWN


# ── links ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def anchors(page: Path) -> set[str]:
    """What a link into a page can point at: ids, and headings as they are turned into ids."""
    text = text_of(page)
    found = set(re.findall(r'\b(?:id|name)="([^"]+)"', text))
    for heading in re.findall(r"^#+ (.+)$", FENCE.sub("", text), re.MULTILINE):
        words = re.sub(r"[^\w\- ]", "", re.sub(r"<[^>]*>", "", heading).strip().lower())
        found.add(words.replace(" ", "-"))
    return found


@pytest.mark.parametrize("page", PAGES, ids=label)
def test_links_lead_somewhere(page: Path) -> None:
    wrong = []
    for link, picture in LINK.findall(FENCE.sub("", text_of(page))):
        target, _, anchor = (link or picture).partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        there = (page.parent / target).resolve() if target else page
        if not there.exists() or (anchor and there.suffix == ".md" and anchor not in anchors(there)):
            wrong.append(link or picture)
    assert not wrong


def test_every_page_can_be_reached_from_the_readme() -> None:
    seen: set[Path] = set()
    todo = [ROOT / "README.md"]
    while todo:
        page = todo.pop()
        if page in seen or page.suffix != ".md":
            continue
        seen.add(page)
        for link, _ in LINK.findall(text_of(page)):
            target = link.partition("#")[0]
            if target and not re.match(r"[a-z]+:", target):
                todo.append((page.parent / target).resolve())
    assert {label(page) for page in PAGES} - {label(page) for page in seen} == set()
