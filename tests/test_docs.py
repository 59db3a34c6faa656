"""Documentation that cannot rot: every public name, command and module is described, every example of a record is a match."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import muang
from muang import records

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", ["docs/reference.md", "CHANGELOG.md"])
def test_every_public_name_is_told(page: str) -> None:
    names = set(muang.__all__) - {"__version__"}
    assert names
    assert not {name for name in names if not re.search(rf"`(?:muang\.)?{name}\b", text(page))}


def test_public_names_are_those_that_are_there() -> None:
    public = {name for name in vars(muang) if not name.startswith("_")}
    modules = {path.stem for path in (ROOT / "src" / "muang").iterdir()}
    assert public - modules == set(muang.__all__) - {"__version__"}


def test_every_command_is_told() -> None:
    import typer.main

    from muang.cli import app

    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    page = text("docs/command-line.md")
    assert len(commands) >= 11
    assert not {name for name in commands if f"`muang {name}" not in page}
    readme = text("README.md")
    assert "make play" in readme
    assert "make test" in readme


def test_every_module_says_what_it_owns() -> None:
    silent = []
    for path in (ROOT / "src" / "muang").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if tree.body and ast.get_docstring(tree) is None:
            silent.append(path.relative_to(ROOT).as_posix())
    assert not silent


def test_the_examples_of_records_are_matches() -> None:
    blocks = re.findall(r"```record\n(.*?)```", text("docs/record-format.md"), re.DOTALL)
    games = set()
    for block in blocks:
        record = records.read(block)
        games.add(record.match().game.name)
    assert games == set(muang.GAMES)
