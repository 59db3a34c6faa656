"""Owns the HTML pages as they are sent: which file, in which language. What stands on them is ``web``'s and ``rulebook``'s matter."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from pathlib import Path
from string import Template

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

import muang
from muang.errors import BadRuleset
from muang.i18n import LANGUAGES, N_, best_language, catalogue, translate
from muang.rulebook import BOOKS, html, load

__all__ = ["COOKIE", "WEB", "language_of", "router"]

WEB = Path(muang.__file__).parent / "web"
COOKIE = "muang_lang"
SKIP_GAMES = N_("Skip to the games")
router = APIRouter()


def language_of(request: Request) -> str:
    """``?lang=``, else the cookie that an earlier ``?lang=`` left, else what the browser prefers."""
    for asked in (request.query_params.get("lang"), request.cookies.get(COOKIE)):
        if asked in LANGUAGES:
            return str(asked)
    return best_language(request.headers.get("accept-language"))


NOSCRIPT = "      <noscript>This page works in your browser and needs JavaScript for it.</noscript>\n"


@lru_cache(maxsize=8)
def _play(lang: str) -> str:
    return (WEB / "play.html").read_text(encoding="utf-8").replace('<html lang="en">', f'<html lang="{lang}">', 1)


@lru_cache(maxsize=64)
def _shell(
    lang: str, skip: str, styles: tuple[str, ...], module: str, title: str = "Muang", data: str = "", bar: str = "", main: str = NOSCRIPT
) -> str:
    """A plain page: one head and one frame for all of them. ``styles`` and ``module``: files below ``/static``; ``main``: its content."""
    head = "".join(f'    <link rel="stylesheet" href="/static/{style}" />\n' for style in styles)
    head += f'    <script type="module" src="/static/{module}"></script>\n'
    told = {"lang": lang, "title": title, "head": head, "data": data, "skip": escape(translate(skip, lang)), "bar": bar, "main": main}
    return Template((WEB / "page.html").read_text(encoding="utf-8")).substitute(told)


def _page(request: Request, text: str, lang: str) -> HTMLResponse:
    address = request.app.state.hub.settings.public_url.rstrip("/")
    if address:  # links that people hand on lead there, from whatever name the page was asked for
        text = text.replace("<head>\n", f'<head>\n    <meta name="muang-address" content="{escape(address)}" />\n', 1)
    answer = HTMLResponse(text, headers={"content-language": lang, "vary": "accept-language, cookie"})
    if request.query_params.get("lang") == lang:
        answer.set_cookie(COOKIE, lang, max_age=365 * 86_400, httponly=True, samesite="strict")
    return answer


@router.get("/", response_class=HTMLResponse, include_in_schema=False)
def start_page(request: Request) -> HTMLResponse:
    """The start page."""
    lang = language_of(request)
    return _page(request, _shell(lang, SKIP_GAMES, ("start.css",), "start.js"), lang)


@router.get("/play/{match_id}", response_class=HTMLResponse, include_in_schema=False)
def play_page(request: Request, match_id: str) -> HTMLResponse:
    """The page on which a match is played; it finds out by itself whether there is such a match."""
    lang = language_of(request)
    return _page(request, _play(lang), lang)


@router.get("/dice", response_class=HTMLResponse, include_in_schema=False)
def dice_page(request: Request) -> HTMLResponse:
    """The page that checks the lots of a match (``?match=ID``) or of a record in the browser (CN-50)."""
    lang = language_of(request)
    return _page(request, _shell(lang, N_("Skip to the check"), ("dice/table.css", "dice/page.css"), "dice/page.js"), lang)


@router.get("/class", response_class=HTMLResponse, include_in_schema=False)
def class_page(request: Request) -> HTMLResponse:
    """The page that sets up many tables at once."""
    lang = language_of(request)
    return _page(request, _shell(lang, N_("Skip to the tables"), ("start.css", "class/page.css"), "class/page.js"), lang)


@router.get("/rules/{game}", response_class=HTMLResponse, include_in_schema=False)
def rules_page(request: Request, game: str) -> HTMLResponse:
    """The rules of a game, every clause with its id. ``BadRuleset`` for a game that does not exist."""
    if game not in BOOKS:
        raise BadRuleset(f"there is no game {game[:40]!r}", allowed=BOOKS)
    lang = language_of(request)
    return _page(request, _rules(game, lang), lang)


@lru_cache(maxsize=32)
def _rules(game: str, lang: str) -> str:
    title, data = f"{escape(load(game).title(lang))} · Muang", f' data-game="{game}"'
    return _shell(lang, SKIP_GAMES, ("rules.css",), "rules.js", title, data, '<a href="/">Muang</a>', html(game, lang))


@router.get("/i18n/{lang}.json")
def texts(lang: str) -> Response:
    """All texts of a language, English form → translation (empty for English)."""
    if lang not in LANGUAGES:
        return JSONResponse(
            {"code": "no-such-language", "clause": "", "message": f"there is no language {lang[:10]!r}", "allowed": list(LANGUAGES)}, 404
        )
    return JSONResponse(dict(catalogue(lang)))
