"""Owns ``muang dice``: checking the lots of a finished match from its record, with nothing but the record (CN-50)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from muang.cli.common import FINDING, err, harmless, out, read_record
from muang.records import Record
from muang.records.proof import Proof

__all__ = ["app"]

app = typer.Typer(name="dice", help="Check the dice and every other lot of a match.", no_args_is_help=True, rich_markup_mode=None)

SHOWN = 20
"""So many rolls that do not fit are told one by one."""


@app.callback()
def _group() -> None:
    """Check the dice and every other lot of a match."""


@app.command()
def verify(
    path: Annotated[Path, typer.Argument(metavar="RECORD", help="A record, text or JSON; - for standard input.")],
    commitment: Annotated[
        str, typer.Option(metavar="DIGITS", help="The commitment that you were shown before the match: the record's must be the same.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead.")] = False,
) -> int:
    """Draw every lot of a match again, from the secret in its record.

    Exit code 1 if one does not fit, or if there is nothing to check.
    """
    record = read_record(path)
    proof = Proof.of(record)
    report = _report(record, proof, commitment.strip().lower())
    if as_json:
        print(json.dumps(report))
    else:
        _print(str(path), report)
    return 0 if report["fits"] else FINDING


def _report(record: Record, proof: Proof | None, noted: str) -> dict[str, Any]:
    from muang.rooms.proof import checks, counts, expected, rolls_of

    counted = counts(rolls_of(record))
    report: dict[str, Any] = {"fits": False, "problem": "", "checks": [], "counts": counted, "expected": expected(counted)}
    if proof is None:
        report["problem"] = "it has no commitment: its lots come from a seed that was given, or it is no record of a server"
        return report
    report |= {"match": proof.match, "commitment": proof.commitment, "entropy": {str(seat): word for seat, word in proof.entropy.items()}}
    if noted and noted != proof.commitment:
        report["problem"] = f"its commitment is {proof.commitment}, not the one that you were shown"
    elif proof.secret is None:
        report["problem"] = "the match was not over, so its secret is not in it yet"
    done = list(checks(record, proof))
    report["checks"] = [{"what": one.what, "n": one.n, "said": one.said, "drawn": one.drawn, "fits": one.fits} for one in done]
    report["fits"] = bool(done) and not report["problem"] and all(one.fits for one in done)
    return report


def _print(path: str, report: dict[str, Any]) -> None:
    console = out()
    if report["problem"]:
        err().print(f"muang: {path}: {report['problem']}")
    wrong = [one for one in report["checks"] if not one["fits"]]
    for one in wrong[:SHOWN]:
        what = f"roll {one['n'] + 1}" if one["what"] == "roll" else one["what"]
        console.print(harmless(f"{path}: {what} does not fit: {one['said']} in the record, {one['drawn']} from the secret"))
    if len(wrong) > SHOWN:
        console.print(f"{path}: and {len(wrong) - SHOWN} more")
    if report["checks"]:
        rolls = sum(one["what"] == "roll" for one in report["checks"])
        others = ", ".join(one["what"] for one in report["checks"] if one["what"] != "roll")
        verdict = "every lot fits" if report["fits"] else f"{len(wrong)} of {len(report['checks'])} do not fit"
        console.print(harmless(f"{path}: {others} and {rolls} rolls: {verdict}"))
        if not any(one["what"] == "first" for one in report["checks"]):
            console.print(f"{path}: who goes first is said to have been chosen, not drawn; nothing proves that")
    if report["counts"]:
        _table(report["counts"], report["expected"])


def _table(counted: dict[str, Any], fair: dict[str, Any]) -> None:
    from rich.table import Table

    table = Table("", *(f"seat {seat}" for seat in counted), box=None)
    table.add_row("rolls", *(str(mine["total"]) for mine in counted.values()))
    for face in range(6):
        table.add_row(str(face + 1), *(f"{mine['faces'][face]} ({fair[seat]['faces'][face]:.1f})" for seat, mine in counted.items()))
    for name in ("doubles", "releases"):
        table.add_row(name, *(f"{mine[name]} ({fair[seat][name]:.1f})" for seat, mine in counted.items()))
    console = out()
    console.print("rolls, and in brackets what fair dice give on average")
    console.print(table)
