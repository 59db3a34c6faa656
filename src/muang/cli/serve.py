"""Owns ``muang serve`` and ``muang bench``: starts the page, starts the benchmark. Owns neither."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["bench", "serve"]


def serve(
    lan: Annotated[
        bool, typer.Option("--lan", help="For everybody on the network: prints the addresses, a QR code, and what a firewall may block.")
    ] = False,
    host: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Listen at this address; 127.0.0.1, or with --lan all of them, if left out.")
    ] = None,
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="The usual one, or any that is free, if left out.")] = None,
    data: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Where matches are kept; the user's data folder if left out.")] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser where there is one.")] = True,
) -> int:
    """Start the page: play in a browser."""
    from muang.server.serve import serve as run

    return run(host, port, data, browser, lan)


def bench(as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False) -> int:
    """Measure speed on this machine."""
    from muang.lab.bench import run

    return int(run(as_json))
