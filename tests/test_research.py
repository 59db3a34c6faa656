"""The researchers' page does what it says: its blocks run in order, as they stand, in an empty folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from muang.lab.dataset import COLUMNS

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "research.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(python|sh)\n(.*?)^```$", re.DOTALL | re.MULTILINE)

for package in ("pyarrow", "pandas", "polars", "pettingzoo", "gymnasium", "pyspiel"):
    pytest.importorskip(package)


def test_every_block_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    names: dict[str, Any] = {"__name__": "research"}
    blocks = BLOCK.findall(PAGE)
    assert {language for language, _ in blocks} == {"python", "sh"}
    for language, block in blocks:
        if language == "sh":
            done = subprocess.run(block, shell=True, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{block}\n{done.stdout}\n{done.stderr}"
        else:
            exec(compile(block, "docs/research.md", "exec"), names)
    assert (tmp_path / "learning.svg").read_text(encoding="utf-8").count("<svg") == 1
    assert (tmp_path / "matches.parquet").exists()


def test_every_column_is_described() -> None:
    for name, kind, about in COLUMNS:
        assert f"| `{name}` | {kind} | {about} |" in PAGE
