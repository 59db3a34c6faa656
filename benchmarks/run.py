"""Runs the benchmark of ``muang bench`` with the C reference beside this file: ``python benchmarks/run.py [--json]``.

``--reference FILE.c`` measures against another C program that prints ``rounds seconds choices checksum``.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from muang.lab.bench import ALTERNATIONS, run

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--alternations", type=int, default=ALTERNATIONS)
    parser.add_argument("--reference", type=Path, default=Path(__file__).with_name("reference.c"))
    given = parser.parse_args()
    raise SystemExit(run(given.json, max(1, given.alternations), given.reference))
