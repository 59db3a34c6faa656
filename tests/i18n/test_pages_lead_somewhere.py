"""The README and the pages in docs: links lead somewhere, clause ids exist, and the Python that is shown runs."""

import re
from pathlib import Path
from typing import Any

import pytest

from muang.rulebook import BOOKS, load

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if target.startswith(("http://", "https://")):
            continue
        name, _, anchor = target.partition("#")
        other = (page.parent / name).resolve() if name else page
        assert other.exists(), target
        if anchor and other.parent.name == "rules":
            assert f'<a id="{anchor}"></a>' in other.read_text(encoding="utf-8"), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_clause_ids_exist(page: Path) -> None:
    known = {clause.id for game in BOOKS for clause in load(game).clauses}
    assert set(re.findall(r"\b(?:MK|AB|CN)-\d+", page.read_text(encoding="utf-8"))) <= known


def test_the_python_in_the_readme_runs() -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    names: dict[str, Any] = {}
    for block in blocks:
        exec(block, names)
    assert names["match"].legal(0) == ("stable-0",)
