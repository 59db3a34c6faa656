"""Kernels are compiled once before the servers of these tests start."""

from __future__ import annotations

import pytest

from muang.search.warm import warm_up


@pytest.fixture(scope="session", autouse=True)
def warm() -> None:
    warm_up()
