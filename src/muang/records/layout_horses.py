"""Owns the board of Cờ cá ngựa as drawn (CN-1…3): the cross, its four stables, the squares with starts and gates, the numbered lanes."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

from muang.records.layout_parts import SHAPES, arrows_along, gradient, number, polyline, smooth

__all__ = ["SLOTS", "cross", "horse_layout"]

SLOTS = 4

Cell = tuple[int, int]
Shape = dict[str, Any]


def cross(track: int) -> tuple[list[Cell], list[list[Cell]], int]:
    """The squares of a track in order, each seat's lane from slot 1 inwards, and how far an arm reaches from the middle.

    Cells are (right, down) from the middle square. Seat 0's arm points down, seats follow counter-clockwise, as the horses run (CN-1).
    A quarter runs from a seat's start up its own arm, round the inner corner (on 52 squares across it) and out along the next arm to that
    seat's gate. ``ValueError`` for a track that is not 56, 52 or 48.
    """
    arms = {56: (6, True), 52: (6, False), 48: (5, True)}
    if track not in arms:
        raise ValueError(f"a track of {track} squares cannot be drawn (allowed: 56, 52, 48)")
    arm, corner = arms[track]
    reach = arm + 1
    quarter = [(1, y) for y in range(reach, 1, -1)] + [(1, 1)] * corner + [(x, 1) for x in range(2, reach + 1)] + [(reach, 0)]
    lane = [(0, reach - i) for i in range(1, SLOTS + 1)]
    squares: list[Cell] = []
    lanes = []
    for _ in range(4):
        squares += quarter
        lanes.append(lane)
        # a quarter turn to the left as one looks at it: right becomes up
        quarter = [(y, -x) for x, y in quarter]
        lane = [(y, -x) for x, y in lane]
    return squares, lanes, reach


def horse_layout(track: int, seats: tuple[int, ...], upright: bool) -> dict[str, Any]:
    """The layout for a track of 56, 52 or 48 squares. Upright it is 360 wide, the cross as large as that allows."""
    squares, lanes, reach = cross(track)
    span = 2 * reach + 1
    cell = (340.0 if upright else 720.0) / span
    size = cell * span
    margin = 10.0 if upright else 34.0
    half = size / 2 + margin
    r = cell * 0.43

    def at(c: tuple[float, float]) -> tuple[float, float]:
        return round(c[0] * cell, 2), round(c[1] * cell, 2)

    quarter = track // 4
    places: dict[str, Any] = {}
    for i, square in enumerate(squares):
        x, y = at(square)
        seat, offset = divmod(i, quarter)
        kind, owner = ("start", seat) if offset == 0 else ("gate", (seat + 1) % 4) if offset == quarter - 1 else ("square", None)
        places[f"sq{i}"] = {"kind": kind, "owner": owner, "x": x, "y": y, "r": round(r, 2), "number": i}
    for seat, lane in enumerate(lanes):
        for i, slot in enumerate(lane):
            x, y = at(slot)
            places[f"lane{seat}-{i + 1}"] = {"kind": "slot", "owner": seat, "x": x, "y": y, "r": round(r, 2), "number": i + 1}
    yard = (reach - 1) / 2 * cell  # half the width of a corner
    middle = (reach + 2) / 2 * cell
    corners = [(middle, middle), (middle, -middle), (-middle, -middle), (-middle, middle)]
    for seat, (x, y) in enumerate(corners):
        for i, side in enumerate((-1, 1)):
            places[f"stall{seat}-{i}"] = {
                "kind": "stall",
                "owner": seat,
                "x": round(x + side * yard * 0.4, 2),
                "y": round(y + yard * 0.25, 2),
                "r": round(yard * 0.33, 2),
            }

    seat_data: dict[str, Any] = {}
    text = max(cell * 0.46, 12.0)
    for seat, (x, y) in enumerate(corners):
        top = y - yard * 0.62
        seat_data[str(seat)] = {
            "name": {
                "x": round(x, 2),
                "y": round(top + text * 1.72, 2),
                "anchor": "middle",
                "size": round(text, 2),
                "room": round(yard * 1.5, 2),
            },
            "sign": {"x": round(x, 2), "y": round(top, 2), "size": round(text * 0.9, 2)},
            "yard": {"x": round(x - yard * 0.9, 2), "y": round(y - yard * 0.9, 2), "w": round(yard * 1.8, 2)},
            "leave": [round(x, 2), round(y, 2)],
            "playing": seat in seats,
        }

    paths = {}
    for s in range(4):
        lap = [f"sq{(s * quarter + i) % track}" for i in range(track)]
        paths[str(s)] = lap + [f"lane{s}-{i}" for i in range(1, SLOTS + 1)]
    routes = {}
    for key, path in paths.items():
        points = [(places[name]["x"], places[name]["y"]) for name in path]
        routes[key] = {"d": smooth(points, cell * 0.4), "arrows": arrows_along(_long_lines(points), cell * 4)}
    die = cell * 1.16
    return {
        "game": "ca-ngua",
        "upright": upright,
        "track": track,
        "viewBox": [-half, -half, 2 * half, 2 * half],
        "cell": round(cell, 3),
        "seats": seat_data,
        "starts": {str(s): s * quarter for s in range(4)},
        "horse": {"size": round(cell * 1.12, 2), "stalled": round(yard * 0.62, 2)},
        "dice": {"size": round(die, 2), "places": [[round(-die * 0.62, 2), 0.0], [round(die * 0.62, 2), 0.0]]},
        "shapes": SHAPES,
        "defs": [
            gradient("wood", "linear", [(0, "wood-hi"), (0.5, "wood"), (1, "wood-lo")], x1=0, y1=0, x2=1, y2=1),
            gradient("field", "radial", [(0, "paper-hi"), (1, "paper")], cx=0.5, cy=0.5, r=0.72),
            *(gradient(f"yard-{s}", "linear", [(0, f"seat-{s}-hi"), (1, f"seat-{s}")], x1=0, y1=0, x2=0, y2=1) for s in range(4)),
        ],
        "art": _art(places, seat_data, squares, cell, size, margin, reach, track),
        "places": places,
        "paths": paths,
        "routes": routes,
    }


def _long_lines(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Only the points where the way turns."""
    kept = [points[0]]
    for before, here, after in zip(points, points[1:], points[2:], strict=False):
        bend = (here[0] - before[0]) * (after[1] - here[1]) - (here[1] - before[1]) * (after[0] - here[0])
        if abs(bend) > 1e-6:
            kept.append(here)
    return [*kept, points[-1]]


def _square(x: float, y: float, r: float, corner: float) -> Shape:
    side = round(2 * r, 2)
    return {"el": "rect", "x": round(x - r, 2), "y": round(y - r, 2), "width": side, "height": side, "rx": round(corner, 2)}


def _band(d: str, name: str, colour: str, width: float) -> Shape:
    return {"el": "path", "class": name, "d": d, "fill": "none", "stroke": colour, "stroke-width": round(width, 2)}


def _art(
    places: dict[str, Any], seats: dict[str, Any], squares: list[Cell], cell: float, size: float, margin: float, reach: int, track: int
) -> list[Shape]:
    half = size / 2
    thin, line = round(cell * 0.03, 2), round(cell * 0.05, 2)
    art: list[Shape] = [
        _square(0, margin * 0.14, half + margin * 0.8, margin * 0.7) | {"class": "shadow", "fill": "$shadow"},
        _square(0, 0, half + margin * 0.8, margin * 0.7)
        | {"class": "frame", "fill": "url(#wood)", "stroke": "$wood-edge", "stroke-width": line},
        _square(0, 0, half + margin * 0.22, margin * 0.3)
        | {"class": "field", "fill": "url(#field)", "stroke": "$groove", "stroke-width": thin},
        _square(0, 0, half + margin * 0.52, margin * 0.5)
        | {"class": "inlay", "fill": "none", "stroke": "$straw-hi", "stroke-width": thin, "opacity": 0.8},
    ]
    for seat, data in seats.items():
        art += _stable(seat, data, cell, thin, places)
    # the road that the squares lie on
    road = polyline([(x * cell, y * cell) for x, y in squares], closed=True)
    for colour, width in (("$road-edge", 1.06), ("$road", 1.0)):
        art.append(_band(road, "road", colour, cell * width) | {"stroke-linejoin": "round"})
    for s in range(4):
        lane = [places[f"lane{s}-{i}"] for i in range(1, SLOTS + 1)]
        d = polyline([(p["x"], p["y"]) for p in lane])
        for colour, width in (("$road-edge", 1.06), (f"$seat-{s}-hi", 1.0)):
            art.append(_band(d, "lane", colour, cell * width) | {"stroke-linecap": "square"})
    art += _rose(cell, reach, thin)
    for name, place in places.items():
        x, y, r, owner = place["x"], place["y"], place["r"], place["owner"]
        tile = _square(x, y, r, r * 0.34) | {"data-place": name}
        if place["kind"] == "square":
            art.append(tile | {"class": "square", "fill": "$square", "stroke": "$square-edge", "stroke-width": thin})
        elif place["kind"] == "start":
            art.append(tile | {"class": "start", "fill": f"$seat-{owner}", "stroke": "$ink", "stroke-width": line})
            art.append(_onward(place, places, track, r, owner))
        elif place["kind"] == "gate":
            art.append(tile | {"class": "gate", "fill": "$square", "stroke": f"$seat-{owner}", "stroke-width": round(line * 1.9, 2)})
            art.append(_arch(x, y, r, owner, line))
        elif place["kind"] == "slot":
            art.append(tile | {"class": "slot", "fill": f"$seat-{owner}", "stroke": "$ink", "stroke-width": thin})
            digits = {"el": "text", "class": "slot-number", "x": x, "y": round(y + r * 0.46, 2), "text-anchor": "middle"}
            style = {"font-size": round(r * 1.3, 1), "font-weight": 700, "fill": f"$on-seat-{owner}"}
            art.append(digits | style | {"text": str(place["number"])})
    return art


def _stable(seat: str, data: dict[str, Any], cell: float, thin: float, places: dict[str, Any]) -> list[Shape]:
    """A stable: a fenced yard with two stalls."""
    yard = data["yard"]
    x, y, w = yard["x"], yard["y"], yard["w"]
    gap = cell * 0.22
    art: list[Shape] = [
        {"el": "rect", "class": "yard", "x": x, "y": y, "width": w, "height": w, "rx": round(cell * 0.5, 2)}
        | {"fill": f"url(#yard-{seat})", "stroke": "$ink", "stroke-width": round(thin * 1.6, 2)},
        _square(x + w / 2, y + w / 2, w / 2 - gap, cell * 0.34)
        | {"class": "fence", "fill": "$paper-hi", "stroke": f"$seat-{seat}-deep", "stroke-width": thin}
        | {"stroke-dasharray": f"{number(cell * 0.26)} {number(cell * 0.12)}"},
    ]
    for i in (0, 1):
        stall = places[f"stall{seat}-{i}"]
        style = {"fill": f"$seat-{seat}-hi", "stroke": f"$seat-{seat}-deep", "stroke-width": thin, "opacity": 0.75}
        art.append({"el": "circle", "class": "stall", "cx": stall["x"], "cy": stall["y"], "r": stall["r"]} | style)
    return art


def _onward(place: dict[str, Any], places: dict[str, Any], track: int, r: float, owner: int) -> Shape:
    """An arrow on a start square, the way the horses run."""
    following = places[f"sq{(place['number'] + 1) % track}"]
    dx, dy = following["x"] - place["x"], following["y"] - place["y"]
    n = abs(dx) + abs(dy)
    dx, dy = dx / n, dy / n
    x, y, a = place["x"], place["y"], r * 0.58

    def at(along: float, aside: float) -> tuple[float, float]:
        return x + a * (dx * along - dy * aside), y + a * (dy * along + dx * aside)

    points = [at(1, 0), at(-0.7, 0.85), at(-0.25, 0), at(-0.7, -0.85)]
    return {"el": "path", "class": "onward", "d": polyline(points, closed=True), "fill": f"$on-seat-{owner}"}


def _arch(x: float, y: float, r: float, owner: int, line: float) -> Shape:
    """A gate's arch."""
    w, h = r * 0.52, r * 0.62
    top, left, right, foot = number(y - h * 0.1), number(x - w), number(x + w), number(y + h)
    d = f"M {left} {foot} L {left} {top} A {number(w)} {number(w)} 0 0 1 {right} {top} L {right} {foot}"
    style = {"fill": "none", "stroke": f"$seat-{owner}-deep", "stroke-width": round(line * 1.6, 2), "stroke-linecap": "round"}
    return {"el": "path", "class": "arch", "d": d} | style


def _rose(cell: float, reach: int, thin: float) -> list[Shape]:
    """The middle: a star of eight points, one half of each in the shade, where the dice fall."""
    long = (reach - SLOTS - 0.5) * cell * 0.96
    art: list[Shape] = []
    for turn, length in ((pi / 4, min(long, cell * 1.45) * 0.98), (0.0, long)):
        for i in range(4):
            angle = turn + i * pi / 2
            tip = (length * cos(angle), length * sin(angle))
            for side, colour in ((-1, "$wood-hi"), (1, "$wood-lo")):
                inner = (length * 0.4 * cos(angle + side * pi / 4), length * 0.4 * sin(angle + side * pi / 4))
                d = polyline([(0.0, 0.0), tip, inner], closed=True)
                style = {"fill": colour, "stroke": "$wood-edge", "stroke-width": thin, "stroke-linejoin": "round"}
                art.append({"el": "path", "class": "rose", "d": d} | style)
    return art
