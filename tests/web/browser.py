"""Helpers of the browser tests: the server as a program of its own, Chromium, and matches opened in it. Owns no test."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

CHROMIUM = next((found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None)
CHROMIUM_ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PROGRAM = """
import sys
from pathlib import Path
from muang.server.serve import serve
raise SystemExit(serve(port=int(sys.argv[1]), data_dir=Path(sys.argv[2]), open_browser=False))
"""
QUICK = {"MUANG_TIMING_COUNTDOWN": "250", "MUANG_TIMING_ROLL": "1", "MUANG_TIMING_NO_MOVE": "1"}
"""Waits that are there for people's sake, shortened."""
AWAY = (
    "WebSocket",
    "net::ERR_CONNECTION",
    "net::ERR_EMPTY_RESPONSE",
    "net::ERR_INCOMPLETE_CHUNKED",
    "net::ERR_CONTENT_LENGTH",
    "net::ERR_SOCKET",
    "net::ERR_NETWORK",
)
"""What Chromium writes of a server that is away, or that was killed between a request and its answer."""


def free_port() -> int:
    """A port that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """``muang serve`` as a process, with a data folder and ``settings`` (environment) of its own; may be killed and started again."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder, self.settings = folder, settings
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it and wait until it answers and is warm."""
        env = {**os.environ, **QUICK, "MUANG_TABLES": str(self.folder / "tables"), **self.settings}  # not those of whoever runs the tests
        with (self.folder / "server.log").open("ab") as log:
            command = [sys.executable, "-c", PROGRAM, str(self.port), str(self.folder)]
            self.process = subprocess.Popen(command, env=env, stdout=log, stderr=log)
        until = time.monotonic() + 180
        while time.monotonic() < until:
            if self.process.poll() is not None:
                break
            try:
                with urllib.request.urlopen(f"{self.address}/health", timeout=5) as answer:
                    if json.load(answer)["warm"]:
                        return
            except (urllib.error.URLError, OSError):
                pass
            time.sleep(0.1)
        raise RuntimeError(f"the server did not start: {(self.folder / 'server.log').read_text()[-2000:]}")

    def kill(self) -> None:
        """End it as a power cut would."""
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(10)
            self.process = None

    def stop(self) -> None:
        """End it as Ctrl-C does."""
        if self.process is not None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()
            self.process = None

    def get(self, path: str) -> Any:
        """The JSON that the server answers with."""
        with urllib.request.urlopen(f"{self.address}{path}", timeout=30) as answer:
            return json.load(answer)

    def make(self, game: str, seats: list[dict[str, Any]], **request: Any) -> dict[str, Any]:
        """A new match, made through the HTTP interface."""
        body = {"game": game, "seats": seats, **request}
        asked = urllib.request.Request(
            f"{self.address}/api/matches", data=json.dumps(body).encode(), headers={"content-type": "application/json"}
        )
        with urllib.request.urlopen(asked, timeout=60) as answer:
            made: dict[str, Any] = json.load(answer)
        return {**made, "game": game, "created": 0, "request": body}


def person(seat: str | int, name: str = "") -> dict[str, Any]:
    """A person at this screen."""
    return {"seat": seat, "kind": "person", "name": name}


def computer(seat: str | int, player: str = "greedy") -> dict[str, Any]:
    """The computer in a seat."""
    return {"seat": seat, "kind": "computer", "player": player}


def open_page(browser: Browser, server: Server, matches: list[dict[str, Any]], **context: Any) -> Page:
    """A fresh browser that holds the seats of ``matches``; every error in the page fails the test that asks ``trouble(page)``."""
    kept = json.dumps([{key: match[key] for key in ("id", "tokens", "game", "url", "created", "request")} for match in matches])
    fresh: BrowserContext = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, "locale": "en", **context})
    fresh.add_init_script(
        f"if (!localStorage.getItem('muang.matches')) {{ localStorage.setItem('muang.matches', {json.dumps(kept)});"
        " localStorage.setItem('muang.speed', '\"very-fast\"'); }"
    )
    page = fresh.new_page()
    page.set_default_timeout(15_000)
    told: list[str] = []
    page.on("pageerror", lambda error: told.append(f"error: {error}"))
    page.on("console", lambda message: told.append(f"console: {message.text}") if message.type == "error" else None)
    page.__dict__["told"] = told
    return page


def trouble(page: Page) -> list[str]:
    """Errors that the page has had, but for a server that was away (or went in the middle of an answer)."""
    return [text for text in page.__dict__["told"] if not any(away in text for away in AWAY)]


def open_match(page: Page, server: Server, match: dict[str, Any]) -> None:
    """Go to a match and wait for its board."""
    page.goto(f"{server.address}{match['url']}")
    page.wait_for_selector("#board .b-board")
    wait_for(page, "document.body.dataset.phase !== undefined")


def phase(page: Page) -> str:
    """``race``, ``turn``, ``roll``, ``move`` or ``over``."""
    return str(page.evaluate("document.body.dataset.phase"))


def playable(page: Page) -> list[str]:
    """The holes that this screen may choose now, as the board marks them."""
    names: list[str] = page.evaluate("[...document.querySelectorAll('.b-place.can')].map(node => node.dataset.place)")
    return names


def seeds(page: Page) -> dict[str, str]:
    """What the board shows: place → digits."""
    shown: dict[str, str] = page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('.b-place')]"
        ".map(node => [node.dataset.place, node.querySelector('.b-digits').textContent]))"
    )
    return shown


def wait_for(page: Page, expression: str, seconds: float = 15) -> None:
    """Until a JavaScript expression is true. (The page's policy forbids what ``wait_for_function`` does.)"""
    end = time.monotonic() + seconds
    while not page.evaluate(f"Boolean({expression})"):
        if time.monotonic() > end:
            raise AssertionError(f"never true: {expression}; the page says {page.inner_text('body')[:600]!r}")
        page.wait_for_timeout(20)


def until(page: Page, done: Callable[[], bool], seconds: float, step: Callable[[], None]) -> None:
    """Take steps until it is done. ``AssertionError`` with what the page says if it takes too long."""
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() > end:
            raise AssertionError(f"not done after {seconds} s: {page.inner_text('#live')!r}, phase {phase(page)}")
        step()
