"""Owns what holds for every request: strict headers, names and origins that may ask, how much may be sent. Knows no route."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import socket
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from muang.server.limits import client_address, in_networks
from muang.server.patience import BODY_SECONDS
from muang.server.settings import Settings

__all__ = ["CSP", "Guard", "base_url", "host_allowed", "origin_allowed"]

CSP = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "font-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)
PICTURE_CSP = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),  # the address of a match is what lets people in
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
]
SAFE = ("GET", "HEAD", "OPTIONS")


def _name_of(host: str) -> str:
    """A host header without its port."""
    if host.startswith("["):
        return host.partition("]")[0][1:]
    return host.rpartition(":")[0] if ":" in host else host


def host_allowed(host: str, hosts: tuple[str, ...]) -> bool:
    """Whether the server may be asked for under this name.

    A name of somebody else's that leads to this machine would let a foreign page read what belongs to this one.
    """
    name = _name_of(host.strip().lower())
    if name in ("localhost", *hosts):
        return True
    try:
        ipaddress.ip_address(name)
        return True
    except ValueError:
        own = socket.gethostname().lower()
        return bool(own) and name in (own, f"{own.partition('.')[0]}.local")


def origin_allowed(origin: str | None, host: str) -> bool:
    """Whether a page from ``origin`` may act here: only the server's own pages may; programs that are no browsers send no origin."""
    if origin is None:
        return True
    return urlsplit(origin).netloc.lower() == host.strip().lower()


def base_url(scope: Scope, settings: Settings) -> str:
    """Under which address this request's page is reached, for links: the public one, or the one that was asked for."""
    if settings.public_url:
        return settings.public_url.rstrip("/")
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    scheme = {"wss": "https", "ws": "http"}.get(scope["scheme"], scope["scheme"])
    if in_networks(_peer(scope), settings.proxies) and headers.get(b"x-forwarded-proto") in ("http", "https"):
        scheme = headers[b"x-forwarded-proto"]
    return f"{scheme}://{headers.get(b'host', '')}"


def _peer(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else "unknown"


class Guard:
    """ASGI middleware around the whole app."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        host, origin = headers.get(b"host", ""), headers.get(b"origin")
        scope["muang.address"] = client_address(_peer(scope), headers.get(b"x-forwarded-for", ""), self.settings.proxies)
        refusal = None
        if not host_allowed(host, self.settings.hosts):
            refusal = (421, "bad-host", f"this server is not {host[:80]!r}; set MUANG_HOSTS if it should be")
        elif (scope["type"] == "websocket" or scope["method"] not in SAFE) and not origin_allowed(origin, host):
            refusal = (403, "bad-origin", "pages of other sites may not do this")
        if scope["type"] == "websocket":
            if refusal is None:
                await self.app(scope, receive, send)
            else:
                await receive()
                await send({"type": "websocket.close", "code": 4403, "reason": refusal[2]})
            return
        length = headers.get(b"content-length", "0")
        if refusal is None and (not length.isdigit() or int(length) > self.settings.most_body):
            refusal = (413, "too-large", f"at most {self.settings.most_body} bytes may be sent")
        if refusal is not None:
            await _refuse(send, *refusal)
            return
        await self._http(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        seen, whole = 0, False

        async def counted() -> Message:
            nonlocal seen, whole
            if whole:  # then it is waited for whether somebody hangs up, which may take its time
                return await receive()
            try:
                async with asyncio.timeout(BODY_SECONDS):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(408, f"the rest of the request has not come within {BODY_SECONDS:.0f} seconds") from None
            whole = not message.get("more_body", False)
            seen += len(message.get("body", b""))
            if seen > self.settings.most_body:
                raise HTTPException(413, f"at most {self.settings.most_body} bytes may be sent")
            return message

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name for name, _ in message["headers"]}
                picture = any(name == b"content-type" and value.startswith(b"image/svg") for name, value in message["headers"])
                csp = (PICTURE_CSP if picture else CSP).encode()
                extra = [(b"content-security-policy", csp), *HEADERS]
                if b"cache-control" not in present:
                    extra.append((b"cache-control", b"no-store" if scope["path"].startswith("/api/") else b"no-cache"))
                message = {**message, "headers": [*message["headers"], *(pair for pair in extra if pair[0] not in present)]}
            await send(message)

        await self.app(scope, counted, dressed)


async def _refuse(send: Send, status: int, code: str, message: str) -> None:
    body = json.dumps({"code": code, "clause": "", "message": message, "allowed": []}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
