"""Owns running the server as a program: port, addresses, browser, one server a database file, a clean end. The app is ``create_app``'s."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI

from muang.errors import MuangError
from muang.server.app import create_app
from muang.server.garbage import search_young
from muang.server.gathered import GatheredProtocol
from muang.server.lan import addresses, url_of, welcome
from muang.server.logs import configure
from muang.server.owner import open_owner
from muang.server.patience import TimedProtocol
from muang.server.settings import Settings
from muang.store import Store, StoreError

__all__ = ["DEFAULT_PORT", "config_of", "listen", "serve"]

DEFAULT_PORT = 8642
GRACE_SECONDS = 3


class Announced(uvicorn.Server):
    """Says when it listens, and stops the matches before it waits for the connections."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        app: Any = self.config.app
        if self.started:
            await app.state.hub.leave()  # streams end by themselves then, and nobody has to be cut off
        await super().shutdown(sockets)


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
    """What to type into a browser on this machine."""
    host, port = bound.getsockname()[:2]
    return url_of({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host), port)


def serve(
    host: str | None = None, port: int | None = None, data_dir: Path | None = None, open_browser: bool = True, lan: bool = False
) -> int:
    """Run the server until Ctrl-C or SIGTERM. Prints its address when it listens. Exit code: 0, or 1 with a message on stderr.

    ``lan``: for everybody on the network; prints every address of this machine, a QR code and what may keep others out.
    """
    at = host or ("0.0.0.0" if lan else "127.0.0.1")
    try:
        given: dict[str, Any] = {} if data_dir is None else {"data_dir": data_dir}
        settings = Settings.from_env(**given)
        settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        bound = listen(at, port)
    except (MuangError, OSError) as error:
        print(f"muang cannot serve at {at}:{port or DEFAULT_PORT}: {_why(error, port)}", file=sys.stderr)
        return 1
    configure(settings.log)
    # uvicorn raises the signal that stopped it once more when all is closed; these take it, so that the program ends as done
    search_young()
    sys.setswitchinterval(0.001)  # what the database's thread waits for while matches are being played: five times in each commit
    before = {sig: signal.signal(sig, lambda *_: None) for sig in (signal.SIGINT, signal.SIGTERM)}
    try:
        _run(_serve(settings, bound, open_browser, lan))
    except StoreError as error:
        print(f"muang cannot open its database: {error}", file=sys.stderr)
        return 1
    finally:
        bound.close()
        for sig, handler in before.items():
            signal.signal(sig, handler)
    return 0


def _why(error: Exception, port: int | None) -> str:
    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        return f"{error.strerror or error}; stop the other program, or choose another port than {port} with --port"
    return str(error)


def _run(main: Coroutine[Any, Any, None]) -> None:
    """Run it on uvloop where that is installed (not on Windows): a move costs a fifth less."""
    try:
        import uvloop
    except ImportError:
        asyncio.run(main)
    else:
        uvloop.run(main)


def config_of(app: FastAPI) -> uvicorn.Config:
    """How the app is served."""
    return uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        http=TimedProtocol,
        ws=GatheredProtocol,
        ws_max_size=16_384,
        ws_per_message_deflate=False,  # frames of 1 or 2 kB: each screen would cost 45 kB of memory and most of the time of a move
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


async def _serve(settings: Settings, bound: socket.socket, open_browser: bool, lan: bool) -> None:
    owner = await open_owner(settings.address)
    try:
        store = await Store.open(settings.address)
    except BaseException:
        await owner.close()
        raise
    address, port = address_of(bound), bound.getsockname()[1]
    told = f"Muang is at {address}  (Ctrl-C ends it)"
    if lan:
        near = addresses() if bound.getsockname()[0] == "0.0.0.0" else [bound.getsockname()[0]]
        told += "\n" + welcome(port, near, qr=(sys.stdout.encoding or "").lower().startswith("utf"))
        if near:  # links and QR codes on this machine's own screen are for the others
            address = url_of(near[0], port)
            settings = settings if settings.public_url else replace(settings, public_url=address.rstrip("/"))

    def ready() -> None:
        print(told, flush=True)
        if open_browser:
            threading.Thread(target=_browse, args=(address,), daemon=True).start()

    try:
        await Announced(config_of(create_app(settings, store, owner)), ready).serve([bound])
    finally:
        await owner.close()
        await store.close()


def _browse(address: str) -> None:
    """Open a browser window, where there is a screen to open it on."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    try:
        webbrowser.open(address)
    except webbrowser.Error:
        return
