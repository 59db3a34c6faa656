"""Draws the PNG icons that the manifest names out of ``icon.svg``: ``cd tests; python -m web.icons`` after a change of that picture.

Owns no test. PNGs are there for the home screens of phones, which do not take SVG.
"""

from __future__ import annotations

import base64
from pathlib import Path

from playwright.sync_api import sync_playwright

import muang
from web.browser import CHROMIUM, CHROMIUM_ARGS

STATIC = Path(muang.__file__).parent / "web" / "static"
ICONS = {"icon-192.png": (192, 0.84), "icon-512.png": (512, 0.84), "icon-maskable-512.png": (512, 0.6)}
"""File → its side in pixels, and how much of it the picture takes: of a maskable icon the edges may be cut off."""


def main() -> None:
    """Write the icons into the page's folder."""
    picture = base64.b64encode((STATIC / "icon.svg").read_bytes()).decode()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
        for name, (side, share) in ICONS.items():
            page = browser.new_page(viewport={"width": side, "height": side})
            size = round(side * share)
            page.set_content(
                '<body style="margin:0;background:#f7f0e4;display:grid;place-items:center;height:100vh">'
                f'<img src="data:image/svg+xml;base64,{picture}" width="{size}" height="{size}"'
                f' style="position:relative;top:{size // 10}px">'  # the seed above the board is lighter than the board
            )
            page.locator("img").evaluate("image => image.decode()")
            page.screenshot(path=str(STATIC / name))
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
