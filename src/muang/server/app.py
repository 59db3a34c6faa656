"""Owns putting the app together: store, hub, routes, errors as JSON, and the order in which they begin and end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

import muang
from muang.errors import MuangError, NotYourSeat, RateLimited, RulesError, SeatTaken
from muang.search.players import use_tables
from muang.search.warm import warm_up
from muang.server import answers, api, boards, bots, dice, hints, history, lobby, pages
from muang.server.garbage import keep_clean
from muang.server.guard import Guard
from muang.server.hub import Hub, ServerFull, StillPlayed
from muang.server.limits import TooMany, address_of, in_networks
from muang.server.owner import Owner, open_owner
from muang.server.retention import keep_tidy
from muang.server.settings import Settings
from muang.server.sockets import Sockets
from muang.solver.library import Library
from muang.store import LogConflict, NoSuchMatch, Store, StoreError

__all__ = ["create_app"]

log = structlog.get_logger("muang.server")

ABOUT = """
Everything that a page or a program needs to make matches, to play in them and to read them. Live play goes over a WebSocket at
`/ws/{match_id}`, or over `stream`, `play` and `command` for programs that speak plain HTTP.

Every error has the same body: `code`, `clause` (of the rules), `message`, `allowed`.
"""
TAGS = {
    "matches": "Making, joining, reading and deleting matches.",
    "bots": "Playing over plain HTTP: a stream of frames, and inputs one by one.",
    "boards": "Games, pictures and layouts.",
    "server": "The server itself.",
}
STATUS: dict[type[MuangError], int] = {
    NoSuchMatch: 404,
    NotYourSeat: 403,
    RateLimited: 429,
    SeatTaken: 409,
    LogConflict: 409,
    StillPlayed: 409,
    ServerFull: 503,
    StoreError: 503,
}
"""The first kind that an error is of decides; any other one of ours is a 400."""
REFUSED = {NotYourSeat.code: 403, SeatTaken.code: 409, "stale-version": 409, RateLimited.code: 429, "store": 503, "store-busy": 503}


def create_app(settings: Settings | None = None, store: Store | None = None, owner: Owner | None = None) -> FastAPI:
    """The ASGI app. ``store``, ``owner``: such as are open already (the app does not close them); otherwise it opens and closes its own."""
    chosen = settings or Settings.from_env()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        chosen.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        held = owner or await open_owner(chosen.address if store is None else store.engine.url.render_as_string(hide_password=False))
        opened = store or await Store.open(chosen.address)
        hub = Hub(chosen, opened, held)
        app.state.hub = hub
        use_tables(Library())
        tasks = [asyncio.create_task(_warm(hub)), asyncio.create_task(keep_tidy(hub))]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await hub.close()
            if owner is None:
                await held.close()
            if store is None:
                await opened.close()

    app = FastAPI(
        title="Muang",
        version=muang.__version__,
        summary="Mak Khum, Abalala'e and Cờ cá ngựa, played live.",
        description=ABOUT,
        openapi_tags=[{"name": name, "description": text} for name, text in TAGS.items()],
        license_info={"name": "MIT"},
        responses=answers.ERRORS,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
    )
    app.openapi = partial(_describe, app)  # type: ignore[method-assign]
    app.add_middleware(Sockets)
    app.add_middleware(Guard, settings=chosen)  # around all
    for part in (api, bots, lobby, history, hints, dice, boards):
        app.include_router(part.router)
    app.include_router(pages.router, tags=["server"], responses=answers.errors(404))
    app.add_api_route("/metrics", _metrics, include_in_schema=False)
    app.mount("/static", StaticFiles(directory=pages.WEB / "static"), name="static")
    app.add_exception_handler(MuangError, _on_error)
    app.add_exception_handler(api.Refused, _on_refused)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_http)
    app.add_exception_handler(Exception, _on_mistake)
    return app


def _describe(app: FastAPI) -> dict[str, Any]:
    """The description of the interface: every error is JSON, of routes too whose good answers are pictures or text."""
    if app.openapi_schema is None:
        told = FastAPI.openapi(app)
        for methods in told["paths"].values():
            for route in methods.values():
                for status, answer in route["responses"].items():
                    if status >= "400" and "application/json" not in answer.get("content", {}):
                        answer["content"] = {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}}}
        app.openapi_schema = told
    return app.openapi_schema


async def _warm(hub: Hub) -> None:
    """Compile what rooms need, beside the event loop; pages are answered meanwhile, matches wait. Then keep memory clean."""
    try:
        if hub.settings.warm:
            await asyncio.to_thread(warm_up)
    except Exception:
        log.exception("server.warm")
    finally:
        hub.warm.set()
    if hub.settings.warm:
        await keep_clean(hub)


def _body(code: str, message: str, clause: str = "", allowed: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"code": code, "clause": clause, "message": message, "allowed": list(allowed)}


async def _on_error(_: Request, error: Exception) -> JSONResponse:
    """Errors of ours: what was wrong, by which clause, what is allowed."""
    if isinstance(error, RulesError):
        return JSONResponse(_body(error.code, error.reason, error.clause, error.allowed), 422)
    status = next((status for kind, status in STATUS.items() if isinstance(error, kind)), 400)
    code = error.code if isinstance(error, MuangError) else "error"
    headers = {"retry-after": str(error.retry)} if isinstance(error, TooMany) else None
    return JSONResponse(_body(code, error.told if isinstance(error, MuangError) else str(error)), status, headers)


async def _on_refused(_: Request, error: Exception) -> JSONResponse:
    """What a room has refused, in its own words."""
    assert isinstance(error, api.Refused)
    frame = error.frame
    return JSONResponse(_body(frame.code, frame.message, frame.clause, tuple(frame.allowed)), REFUSED.get(frame.code, 422))


async def _metrics(request: Request) -> Response:
    """The server's figures for Prometheus, for whoever may read them."""
    hub: Hub = request.app.state.hub
    if not in_networks(address_of(request.scope), hub.settings.metrics_from):
        raise HTTPException(403, "the figures of this server are not for this address; see MUANG_METRICS_FROM")
    return Response(hub.metrics.text(), media_type="text/plain; version=0.0.4")


async def _on_invalid(_: Request, error: Exception) -> JSONResponse:
    first = error.errors()[0] if isinstance(error, RequestValidationError) else {"loc": (), "msg": str(error)}
    place = ".".join(str(part) for part in first["loc"] if part != "body")[:80]
    return JSONResponse(_body("bad-request", f"{place}: {first['msg']}"[:300]), 422)


async def _on_http(_: Request, error: Exception) -> JSONResponse:
    status = error.status_code if isinstance(error, HTTPException) else 500
    if status == 400:  # a body that is no JSON text
        return JSONResponse(_body("bad-request", str(getattr(error, "detail", error))), 422)
    code = {403: "not-allowed", 404: "not-found", 405: "not-allowed", 408: "too-slow", 413: "too-large"}.get(status, "http")
    return JSONResponse(_body(code, str(getattr(error, "detail", error))), status)


async def _on_mistake(_: Request, error: Exception) -> JSONResponse:
    log.error("server.mistake", error=f"{type(error).__name__}: {error}")
    return JSONResponse(_body("mistake", "the server has made a mistake; it is in its log"), 500)
