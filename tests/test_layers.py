"""Layers: which part of the package may import which, read from the sources. Nothing is imported, so a lazy import counts too."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "src" / "muang"

BELOW_THE_SERVER = {"games", "records", "rulebook", "search", "solver", "rooms", "wire", "store"}
EVERYTHING = BELOW_THE_SERVER | {"lab", "server", "tui", "adapters", "cli"}

MAY_IMPORT: dict[str, set[str]] = {
    "games": set(),
    "records": {"games"},
    "rulebook": {"games"},
    "search": {"games"},
    "solver": {"games", "search"},
    "wire": {"games", "records"},
    "rooms": {"games", "records", "search", "wire"},
    "store": {"wire", "records"},
    "lab": {"games", "records", "search", "solver", "wire", "rooms"},
    "server": BELOW_THE_SERVER,
    "tui": {"games", "records", "rulebook", "search", "solver", "wire", "rooms"},
    "adapters": {"games", "search"},
    "cli": EVERYTHING,
    "web": set(),
    # every layer may import these two; they import nothing of ours
    "errors": set(),
    "i18n": set(),
    # the package itself gives `muang.game` and the rest: names of games and errors
    "": {"games"},
}
FOR_ALL = {"errors", "i18n"}

PURE = ("games", "records", "search", "rooms", "wire")
"""Layers in which nothing may wait, read a clock or draw a lot that no seed decides."""
CLOCK = ROOT / "search" / "limits.py"
"""The one module of these that may: a limit in ms ends a search."""
IMPURE = {"time", "random", "asyncio", "sqlite3", "datetime", "secrets", "socket", "threading", "uuid"}


def modules() -> list[Path]:
    return sorted(path for path in ROOT.rglob("*.py"))


def layer(path: Path) -> str:
    """``games``, ``errors`` …, or empty for the package's own ``__init__``."""
    first = path.relative_to(ROOT).parts[0]
    return first.removesuffix(".py") if first != "__init__.py" else ""


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """``(line, dotted name)`` of everything that a module imports, wherever in it. ``from muang import x`` gives ``muang.x``."""
    package = ["muang", *path.relative_to(ROOT).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield node.lineno, name.name
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) + 1 - node.level] if node.level else []
            base = ".".join([*start, *([node.module] if node.module else [])])
            for name in node.names:
                yield node.lineno, f"{base}.{name.name}"


def ours(name: str) -> str | None:
    """The layer that an imported name belongs to; None for other people's packages."""
    parts = name.split(".")
    if parts[0] != "muang":
        return None
    known = {*MAY_IMPORT}
    return parts[1] if len(parts) > 1 and parts[1] in known else ""


def test_every_part_of_the_package_has_its_place_in_the_table() -> None:
    found = {layer(path) for path in modules()} | {path.name for path in ROOT.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert found <= set(MAY_IMPORT)


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_imports_go_downwards(path: Path) -> None:
    here = layer(path)
    allowed = MAY_IMPORT[here] | FOR_ALL | {here}
    if here != "":
        # `from muang import __version__` or `muang.game(…)`: the package's own names are those of games and errors
        allowed |= {""} if "games" in allowed or here == "rulebook" else set()
    if here in FOR_ALL:
        allowed = {here}
    wrong = [f"{path.name}:{line} imports {name}" for line, name in imports(path) if ours(name) is not None and ours(name) not in allowed]
    assert not wrong, f"{here or 'muang'} may import {', '.join(sorted(MAY_IMPORT[here])) or 'no other layer'}"


@pytest.mark.parametrize("name", PURE)
def test_pure_layers_read_no_clock_and_draw_no_lots(name: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {imported}"
        for path in sorted((ROOT / name).rglob("*.py"))
        for line, imported in imports(path)
        if imported.split(".")[0] in IMPURE and path != CLOCK
    ]
    assert not wrong


def test_games_import_nothing_but_numpy_and_numba() -> None:
    """And the standard library without its clocks, files of data and lots."""
    foreign = {
        "fastapi",
        "uvicorn",
        "sqlalchemy",
        "pydantic",
        "typer",
        "rich",
        "babel",
        "structlog",
        "alembic",
        "websockets",
        "platformdirs",
    }
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {imported}"
        for path in sorted((ROOT / "games").rglob("*.py"))
        for line, imported in imports(path)
        if imported.split(".")[0] in foreign
    ]
    assert not wrong


def test_only_the_decorator_imports_numba() -> None:
    """So that kernels can run as plain Python. The vector operations are compiled only and say so themselves."""
    users = {
        path.relative_to(ROOT).as_posix()
        for path in modules()
        for _, imported in imports(path)
        if imported.split(".")[0] in ("numba", "llvmlite")
    }
    assert users <= {"games/_jit.py", "games/sowing/simd.py"}


def test_no_lot_comes_from_numpy() -> None:
    """A seed means the same match everywhere and for ever: only ``games/lots`` draws."""
    wrong = [
        path.relative_to(ROOT).as_posix() for path in modules() if re.search(r"\b(np|numpy)\.random\b|default_rng", path.read_text("utf-8"))
    ]
    assert not wrong


def test_the_reader_of_imports_sees_what_it_should() -> None:
    seen = {name for _, name in imports(ROOT / "cli" / "record.py")}
    assert "muang.games._jit.plain" in seen  # inside a function
    assert ours("muang.games.core.Match") == "games"
    assert ours("muang.Match") == ""
    assert ours("numpy.random") is None
