"""Owns putting the app together: store, hub, routes, errors as JSON, and the order in which they begin and end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

import muang
from muang.errors import MuangError, NotYourSeat, RateLimited, RulesError
from muang.search.players import use_tables
from muang.search.warm import warm_up
from muang.server import api, hints, history, pages, sockets
from muang.server.guard import Guard
from muang.server.hub import Hub, ServerFull
from muang.server.settings import Settings
from muang.solver.library import Library
from muang.store import LogConflict, NoSuchMatch, Store, StoreBusy, StoreError

__all__ = ["create_app"]

log = structlog.get_logger("muang.server")


def create_app(settings: Settings | None = None, store: Store | None = None) -> FastAPI:
    """The ASGI app. ``store``: one that is open already (the app does not close it); otherwise the app opens and closes its own."""
    chosen = settings or Settings.from_env()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        chosen.data_dir.mkdir(parents=True, exist_ok=True)
        opened = store or await Store.open(chosen.address)
        hub = Hub(chosen, opened)
        app.state.hub = hub
        use_tables(Library())
        warming = asyncio.create_task(_warm(hub))
        try:
            yield
        finally:
            warming.cancel()
            await hub.close()
            if store is None:
                await opened.close()

    app = FastAPI(title="Muang", version=muang.__version__, lifespan=lifespan, docs_url=None, redoc_url=None)
    app.add_middleware(Guard, settings=chosen)
    app.include_router(api.router)
    app.include_router(hints.router)
    app.include_router(history.router)
    app.include_router(pages.router)
    app.include_router(sockets.router)
    app.mount("/static", StaticFiles(directory=pages.WEB / "static"), name="static")
    app.add_exception_handler(MuangError, _on_error)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_http)
    app.add_exception_handler(Exception, _on_mistake)
    return app


async def _warm(hub: Hub) -> None:
    """Compile what rooms need, beside the event loop; pages are answered meanwhile, matches wait."""
    try:
        if hub.settings.warm:
            await asyncio.to_thread(warm_up)
    except Exception:
        log.exception("server.warm")
    finally:
        hub.warm.set()


def _body(code: str, message: str, clause: str = "", allowed: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"code": code, "clause": clause, "message": message, "allowed": list(allowed)}


async def _on_error(_: Request, error: Exception) -> JSONResponse:
    """Errors of ours: what was wrong, by which clause, what is allowed."""
    if isinstance(error, RulesError):
        return JSONResponse(_body(error.code, error.reason, error.clause, error.allowed), 422)
    status = 400
    if isinstance(error, NoSuchMatch):
        status = 404
    elif isinstance(error, NotYourSeat):
        status = 403
    elif isinstance(error, RateLimited):
        status = 429
    elif isinstance(error, LogConflict):
        status = 409
    elif isinstance(error, (ServerFull, StoreBusy, StoreError)):
        status = 503
    code = error.code if isinstance(error, MuangError) else "error"
    return JSONResponse(_body(code, str(error)), status)


async def _on_invalid(_: Request, error: Exception) -> JSONResponse:
    first = error.errors()[0] if isinstance(error, RequestValidationError) else {"loc": (), "msg": str(error)}
    place = ".".join(str(part) for part in first["loc"] if part != "body")[:80]
    return JSONResponse(_body("bad-request", f"{place}: {first['msg']}"[:300]), 422)


async def _on_http(_: Request, error: Exception) -> JSONResponse:
    status = error.status_code if isinstance(error, HTTPException) else 500
    code = {404: "not-found", 405: "not-allowed", 413: "too-large"}.get(status, "http")
    return JSONResponse(_body(code, str(getattr(error, "detail", error))), status)


async def _on_mistake(_: Request, error: Exception) -> JSONResponse:
    log.error("server.mistake", error=f"{type(error).__name__}: {error}")
    return JSONResponse(_body("mistake", "the server has made a mistake; it is in its log"), 500)
