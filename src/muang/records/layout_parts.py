"""Owns the small things that layouts are made of: turned frames, path texts, scattered seeds, the drawn shapes. Knows no board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import atan2, cos, degrees, hypot, pi, sin, sqrt
from typing import Any

from muang.games.lots import draw

__all__ = ["HEAP", "SHAPES", "SPOTS", "Frame", "arrows_along", "number", "polyline", "scatter", "smooth"]

SPOTS, HEAP = 20, 18

Point = tuple[float, float]

SHAPES: dict[str, str] = {
    # a horse's head and neck on a foot, looking left, in a box from -50 to 50
    "horse": (
        "M -22 44 C -24 30 -14 22 -8 10 C -6 5 -8 2 -12 3 C -20 6 -27 13 -33 13 C -40 13 -44 8 -43 2 C -42 -4 -33 -14 -28 -22"
        " C -25 -27 -22 -31 -15 -35 L -16 -47 L -5 -39 C 16 -38 30 -22 33 0 C 35 17 31 30 32 44 Z"
    ),
    "mane": "M -5 -39 C 8 -30 16 -18 18 -2 C 19 10 17 22 20 34 M 8 -35 C 20 -26 26 -12 26 2 C 26 14 25 24 27 36",
    "face": "M -38 3 L -34 5 M -16 -35 C -12 -32 -9 -30 -7 -26",
    "foot": "M -32 50 C -32 45 -30 43 -26 43 L 36 43 C 40 43 42 45 42 50 Z",
    # a hand seen from above, fingers down to the board; its palm, where the number stands, is round (0, -14)
    "hand": (
        "M -24 -34 C -33 -26 -35 -14 -34 -2 L -33 14 C -32 22 -22 22 -22 14 L -21 9 L -20 30 C -19 39 -8 39 -8 30 L -7 12"
        " L -6 37 C -5 46 6 46 6 37 L 7 12 L 9 31 C 10 39 20 38 20 30 L 20 4 C 24 12 29 18 35 19 C 42 19 43 11 40 6"
        " C 34 -4 33 -24 22 -34 C 12 -43 -14 -43 -24 -34 Z"
    ),
    # seats are never told by colour alone: each has a sign, in a box from -10 to 10
    "sign-S": "M 0 -9 L 9 8 L -9 8 Z",
    "sign-N": "M 0 9 L 9 -8 L -9 -8 Z",
    "sign-0": "M -9 0 A 9 9 0 1 1 9 0 A 9 9 0 1 1 -9 0 Z",
    "sign-1": "M -8 -8 L 8 -8 L 8 8 L -8 8 Z",
    "sign-2": "M 0 -9.5 L 9.5 7.5 L -9.5 7.5 Z",
    "sign-3": "M 0 -10.5 L 9.5 0 L 0 10.5 L -9.5 0 Z",
}


def number(value: float) -> str:
    """A length in a path, short: at most two decimals."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


@dataclass(frozen=True)
class Frame:
    """Turns a board's own axes into the picture's. ``u`` runs along the board to South's right, ``v`` across it towards South.

    Upright the whole board is turned a quarter to the left (never mirrored): South's side comes to the right, its left end to the bottom.
    """

    upright: bool

    def point(self, u: float, v: float) -> Point:
        """Where (u, v) is drawn."""
        return (round(v, 2), round(-u, 2)) if self.upright else (round(u, 2), round(v, 2))

    def path(self, *parts: str | Sequence[float]) -> str:
        """A path's text from commands and points: ``path("M", (0, 0), "C", (1, 2), (3, 4), (5, 6), "Z")``."""
        words = []
        for part in parts:
            if isinstance(part, str):
                words.append(part)
            else:
                x, y = self.point(part[0], part[1])
                words.append(f"{number(x)} {number(y)}")
        return " ".join(words)


def polyline(points: Iterable[Point], closed: bool = False) -> str:
    """Straight lines through the points."""
    return "M " + " L ".join(f"{number(x)} {number(y)}" for x, y in points) + (" Z" if closed else "")


def smooth(points: Sequence[Point], turn: float, closed: bool = False) -> str:
    """Straight lines with corners rounded off, each by at most ``turn``."""
    n = len(points)

    def towards(a: Point, b: Point) -> Point:
        length = hypot(b[0] - a[0], b[1] - a[1]) or 1.0
        share = min(turn, length / 2) / length
        return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share

    def text(p: Point) -> str:
        return f"{number(p[0])} {number(p[1])}"

    words = ["M", text(towards(points[0], points[1]) if closed else points[0])]
    for i in range(1, n + 1 if closed else n - 1):
        before, corner, after = points[i - 1], points[i % n], points[(i + 1) % n]
        words += ["L", text(towards(corner, before)), "Q", text(corner), text(towards(corner, after))]
    words += ["Z"] if closed else ["L", text(points[-1])]
    return " ".join(words)


def arrows_along(points: Sequence[Point], every: float, closed: bool = False) -> list[list[float]]:
    """Arrow heads ``[x, y, degrees]`` in the middle of lines, about ``every`` apart; each long line has at least one."""
    ends = [*points, points[0]] if closed else list(points)
    heads: list[list[float]] = []
    since = every
    for a, b in pairwise(ends):
        length = hypot(b[0] - a[0], b[1] - a[1])
        since += length
        if since >= every and length > 0:
            angle = degrees(atan2(b[1] - a[1], b[0] - a[0]))
            heads.append([round((a[0] + b[0]) / 2, 1), round((a[1] + b[1]) / 2, 1), round(angle, 1)])
            since = 0.0
    return heads


def scatter(name: str, x: float, y: float, reach: float, keep_off: Sequence[float]) -> tuple[list[list[float]], list[list[float]]]:
    """Where seeds lie in a round hollow: 20 spots and 18 on top of the heap, ``[x, y, turn]``; the same for ever for the same name.

    ``reach``: how far from the middle a seed's own middle may lie. ``keep_off``: ``(x, y, half width, half height)`` of the digits'
    plate, that no seed's middle may be under. Each seed takes, of 16 lots, the one farthest from those before it; the first few lie near
    the middle, as they do in a hollow.
    """
    lot = 0

    def toss(limit: float) -> Point:
        nonlocal lot
        while True:
            a = draw(0, f"seeds:{name}", lot) / 2**64
            b = draw(0, f"seeds:{name}", lot + 1) / 2**64
            lot += 2
            px, py = x + limit * sqrt(a) * cos(2 * pi * b), y + limit * sqrt(a) * sin(2 * pi * b)
            if abs(px - keep_off[0]) > keep_off[2] or abs(py - keep_off[1]) > keep_off[3]:
                return px, py
            limit = min(reach, limit * 1.1)  # the plate may cover all the middle

    def lay(count: int, limits: Sequence[float]) -> list[list[float]]:
        laid: list[Point] = []
        for i in range(count):
            limit = reach * limits[min(i, len(limits) - 1)]
            chances = [toss(limit) for _ in range(16)]
            laid.append(max(chances, key=lambda p: min((hypot(p[0] - q[0], p[1] - q[1]) for q in laid), default=0.0)))
        return [[round(px, 1), round(py, 1), draw(0, f"turn:{name}", i) % 360] for i, (px, py) in enumerate(laid)]

    return lay(SPOTS, [0.3, 0.62, 0.62, 0.7, 0.75, 0.85, 0.85, 0.95, 1.0]), lay(HEAP, [0.3, 0.45, 0.55, 0.6, 0.7, 0.75])


def gradient(name: str, kind: str, stops: Sequence[tuple[float, str] | tuple[float, str, float]], **ends: float) -> dict[str, Any]:
    """A gradient for ``defs``: ``kind`` linear or radial, stops (offset, colour name[, opacity]), ends in shares of the painted box."""
    return {"id": name, "kind": kind, "stops": [list(stop) for stop in stops], **ends}
