"""Owns running the server as a program: port, address, browser, a clean end. The app itself is ``create_app``'s."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Any

import uvicorn

from muang.errors import MuangError
from muang.server.app import create_app
from muang.server.settings import Settings
from muang.store import Store, StoreError

__all__ = ["DEFAULT_PORT", "listen", "migrate_database", "serve"]

DEFAULT_PORT = 8642
GRACE_SECONDS = 3


class _Announced(uvicorn.Server):
    """Says when it listens."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()


def listen(host: str, port: int | None) -> socket.socket:
    """A socket at ``host``. ``port`` None: the default one, or any that is free if it is taken. ``OSError`` if it cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    wanted = DEFAULT_PORT if port is None else port
    for attempt in (wanted, 0):
        # named as TCP: only then does asyncio send small frames at once, without which each answer waits 40 ms for the next
        bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind((host, attempt))
            return bound
        except OSError:
            bound.close()
            if port is not None or attempt == 0:
                raise
    raise AssertionError("unreachable")


def address_of(bound: socket.socket) -> str:
    """What to type into a browser."""
    host, port = bound.getsockname()[:2]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}/"


def serve(
    host: str = "127.0.0.1", port: int | None = None, data_dir: Path | None = None, open_browser: bool = True, migrate: bool = False
) -> int:
    """Run the server until Ctrl-C or SIGTERM. Prints its address when it listens. Exit code: 0, or 1 with a message on stderr."""
    try:
        given: dict[str, Any] = {} if data_dir is None else {"data_dir": data_dir}
        settings = Settings.from_env(**given)
        settings.data_dir.mkdir(parents=True, exist_ok=True)
        bound = listen(host, port)
    except (MuangError, OSError) as error:
        print(f"muang cannot serve at {host}:{port or DEFAULT_PORT}: {error}", file=sys.stderr)
        return 1
    # uvicorn raises the signal that stopped it once more when all is closed; these take it, so that the program ends as done
    before = {sig: signal.signal(sig, lambda *_: None) for sig in (signal.SIGINT, signal.SIGTERM)}
    try:
        asyncio.run(_serve(settings, bound, open_browser, True if migrate else None))
    except StoreError as error:
        print(f"muang cannot open its database: {error}", file=sys.stderr)
        return 1
    finally:
        bound.close()
        for sig, handler in before.items():
            signal.signal(sig, handler)
    return 0


async def _serve(settings: Settings, bound: socket.socket, open_browser: bool, upgrade: bool | None) -> None:
    store = await Store.open(settings.address, upgrade=upgrade)
    address = address_of(bound)

    def ready() -> None:
        print(f"Muang is at {address}  (Ctrl-C ends it)", flush=True)
        if open_browser:
            threading.Thread(target=_browse, args=(address,), daemon=True).start()

    config = uvicorn.Config(
        create_app(settings, store),
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="websockets-sansio",
        ws_max_size=16_384,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    try:
        await _Announced(config, ready).serve([bound])
    finally:
        await store.close()


def _browse(address: str) -> None:
    """Open a browser window, where there is a screen to open it on."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    try:
        webbrowser.open(address)
    except webbrowser.Error:
        return


def migrate_database(data_dir: Path | None = None) -> str:
    """Bring the database up to date and say which one it was. ``StoreError``."""
    given: dict[str, Any] = {} if data_dir is None else {"data_dir": data_dir}
    settings = Settings.from_env(**given)
    settings.data_dir.mkdir(parents=True, exist_ok=True)

    async def run() -> str:
        store = await Store.open(settings.address, upgrade=True)
        await store.close()
        return store.where

    return asyncio.run(run())
