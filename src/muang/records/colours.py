"""Owns the colours of printed and saved pictures, by the names that layouts use. The page has the same names in ``web/static/board.css``.

Seat colours are Okabe and Ito's, that stay apart for the colour-blind; no seat is told by colour alone anyway.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["COLOURS", "paint"]

COLOURS: Mapping[str, str] = {
    # Mak Khum: an oiled board of tropical wood
    "wood-hi": "#d8a467",
    "wood": "#bd8247",
    "wood-lo": "#8f5a2c",
    "wood-edge": "#5a3517",
    "groove": "#4b2a11",
    "grain": "#7a4a22",
    "hollow-hi": "#8a5730",
    "hollow": "#6d4120",
    "hollow-lo": "#3d210e",
    "rim": "#ecc68c",
    "nut-hi": "#fbfaf6",
    "nut": "#c3c6be",
    "nut-lo": "#70766f",
    "nut-edge": "#3f4540",
    # Abalala'e: red earth, pebbles, woven straw
    "clay-hi": "#c98d62",
    "clay": "#b57649",
    "clay-lo": "#97592f",
    "clay-edge": "#5c3018",
    "clay-north": "#a0805f",
    "pit-hi": "#7d4a2b",
    "pit": "#613619",
    "pit-lo": "#371b0a",
    "pebble-hi": "#fffaf0",
    "pebble": "#e4d3b5",
    "pebble-lo": "#a58c66",
    "pebble-edge": "#54412a",
    "straw-hi": "#f1dcab",
    "straw": "#dcbd7d",
    "straw-lo": "#b8914f",
    "straw-edge": "#7c5a26",
    # Cờ cá ngựa: a printed field in a wooden frame
    "paper-hi": "#fdf6e6",
    "paper": "#f3e5c8",
    "road": "#e2cda4",
    "road-edge": "#8a6a3f",
    "square": "#fffaf0",
    "square-edge": "#a98a5c",
    "seat-0": "#d55e00",
    "seat-0-hi": "#f6b588",
    "seat-0-deep": "#8a3500",
    "on-seat-0": "#ffffff",
    "seat-1": "#0072b2",
    "seat-1-hi": "#93c6e6",
    "seat-1-deep": "#00456d",
    "on-seat-1": "#ffffff",
    "seat-2": "#f0e442",
    "seat-2-hi": "#faf4a8",
    "seat-2-deep": "#7a6a00",
    "on-seat-2": "#2a1a08",
    "seat-3": "#009e73",
    "seat-3-hi": "#8fd8c0",
    "seat-3-deep": "#005a41",
    "on-seat-3": "#ffffff",
    # all boards
    "seat-S": "#b34a00",
    "seat-N": "#00629b",
    "ink": "#2a1a0c",
    "text": "#2a1a0c",
    "plate": "#fdf4df",
    "plate-edge": "#5a3a1c",
    "die": "#fffdf6",
    "pip": "#2a1a0c",
    "pip-one": "#b3261e",
    "light": "#ffdf7e",
    "shadow": "#00000038",
}


def paint(colour: str) -> str:
    """What an attribute of a layout becomes in a picture: ``"$wood"`` a colour, anything else itself. ``KeyError`` for an unknown name."""
    return COLOURS[colour[1:]] if colour.startswith("$") else colour
