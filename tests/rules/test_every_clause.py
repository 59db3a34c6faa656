"""Every clause of the rule book has a test that is named for it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from muang import rulebook

HERE = Path(__file__).parent
FILES = {"mak-khum": "test_mak_khum*.py", "abalalae": "test_abalalae*.py", "ca-ngua": "test_ca_ngua*.py"}


@pytest.mark.parametrize("game", FILES)
def test_every_clause_has_a_test(game: str) -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(HERE.glob(FILES[game])))
    named = {match.replace("_", "-") for match in re.findall(r"def test_([A-Z]{2}_\d+)", text)}
    clauses = {clause.id for clause in rulebook.load(game).clauses}
    assert len(clauses) > 20
    assert clauses - named == set(), "clauses without a test"
    assert named - clauses == set(), "tests of clauses that are not in the book"
