"""Owns the HTML pages as they are sent: which file, in which language. What stands on them is ``web``'s and ``rulebook``'s matter."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

import muang
from muang.errors import BadRuleset
from muang.i18n import LANGUAGES, best_language, catalogue, translate
from muang.rulebook import BOOKS, html, load

__all__ = ["COOKIE", "WEB", "language_of", "router"]

WEB = Path(muang.__file__).parent / "web"
COOKIE = "muang_lang"
router = APIRouter()


def language_of(request: Request) -> str:
    """``?lang=``, else the cookie that an earlier ``?lang=`` left, else what the browser prefers."""
    for asked in (request.query_params.get("lang"), request.cookies.get(COOKIE)):
        if asked in LANGUAGES:
            return str(asked)
    return best_language(request.headers.get("accept-language"))


@lru_cache(maxsize=16)
def _file(name: str, lang: str) -> str:
    return (WEB / name).read_text(encoding="utf-8").replace('<html lang="en">', f'<html lang="{lang}">', 1)


def _page(request: Request, text: str, lang: str) -> HTMLResponse:
    answer = HTMLResponse(text, headers={"content-language": lang, "vary": "accept-language, cookie"})
    if request.query_params.get("lang") == lang:
        answer.set_cookie(COOKIE, lang, max_age=365 * 86_400, httponly=True, samesite="strict")
    return answer


@router.get("/", response_class=HTMLResponse, include_in_schema=False)
def start_page(request: Request) -> HTMLResponse:
    """The start page."""
    lang = language_of(request)
    return _page(request, _file("index.html", lang), lang)


@router.get("/play/{match_id}", response_class=HTMLResponse, include_in_schema=False)
def play_page(request: Request, match_id: str) -> HTMLResponse:
    """The page on which a match is played; it finds out by itself whether there is such a match."""
    lang = language_of(request)
    return _page(request, _file("play.html", lang), lang)


@router.get("/dice", response_class=HTMLResponse, include_in_schema=False)
def dice_page(request: Request) -> HTMLResponse:
    """The page that checks the lots of a match (``?match=ID``) or of a record in the browser (CN-50)."""
    lang = language_of(request)
    return _page(request, _file("dice.html", lang), lang)


@router.get("/class", response_class=HTMLResponse, include_in_schema=False)
def class_page(request: Request) -> HTMLResponse:
    """The page that sets up many tables at once."""
    lang = language_of(request)
    return _page(request, _file("class.html", lang), lang)


@router.get("/rules/{game}", response_class=HTMLResponse, include_in_schema=False)
def rules_page(request: Request, game: str) -> HTMLResponse:
    """The rules of a game, every clause with its id. ``BadRuleset`` for a game that does not exist."""
    if game not in BOOKS:
        raise BadRuleset(f"there is no game {game[:40]!r}", allowed=BOOKS)
    lang = language_of(request)
    return _page(request, _rules(game, lang), lang)


@lru_cache(maxsize=32)
def _rules(game: str, lang: str) -> str:
    title = escape(load(game).title(lang))
    back = escape(translate("Skip to the games", lang))
    return f"""<!doctype html>
<html lang="{lang}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <title>{title} · Muang</title>
    <link rel="icon" href="/static/icon.svg" type="image/svg+xml" />
    <script src="/static/look.js"></script>
    <link rel="stylesheet" href="/static/app.css" />
    <link rel="stylesheet" href="/static/rules.css" />
    <script type="module" src="/static/rules.js"></script>
  </head>
  <body data-game="{game}">
    <a class="skip" id="skip" href="#main">{back}</a>
    <header class="bar" id="bar"><a href="/">Muang</a></header>
    <main id="main" tabindex="-1">
{html(game, lang)}    </main>
  </body>
</html>
"""


@router.get("/i18n/{lang}.json")
def texts(lang: str) -> Response:
    """All texts of a language, English form → translation (empty for English)."""
    if lang not in LANGUAGES:
        return JSONResponse(
            {"code": "no-such-language", "clause": "", "message": f"there is no language {lang[:10]!r}", "allowed": list(LANGUAGES)}, 404
        )
    return JSONResponse(dict(catalogue(lang)))
