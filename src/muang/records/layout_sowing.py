"""Owns the boards of the two sowing games as drawn: the boat of Mak Khum (MK-1…4) and the three rows of Abalala'e (AB-1…5).

Where places are and how they look. Which places there are, whose, and in which order they are sown comes from ``games.sowing.layout``.
"""

from __future__ import annotations

from copy import deepcopy
from functools import lru_cache
from math import cos, pi, sin
from typing import Any

from muang.games.lots import draw
from muang.games.sowing.layout import loop_layout, row_layout
from muang.records.layout_parts import SHAPES, Frame, arrows_along, gradient, number, scatter, smooth

__all__ = ["boat_layout", "three_row_layout"]

Shape = dict[str, Any]


def boat_layout(holes: int, upright: bool) -> dict[str, Any]:
    """Mak Khum's board. Wide it has the real proportions in millimetres (MK-1): 1300 × 200, holes 70, stores 110; with fewer or
    more holes a row it is shorter or longer by 120 for each. Upright: holes 52, one unit a pixel at 360."""
    if not 1 <= holes <= 15:
        raise ValueError(f"a row of {holes} holes cannot be drawn (allowed: 1 to 15)")
    return deepcopy(_boat(holes, upright))


def three_row_layout(holes: int, track: str, upright: bool) -> dict[str, Any]:
    """Abalala'e's board for ``holes`` a seat (9: three rows of 6)."""
    if holes % 3 or not 3 <= holes <= 15:
        raise ValueError(f"three rows cannot give {holes} holes to each seat (allowed: 3, 6, 9, 12, 15)")
    return deepcopy(_three_rows(holes, track, upright))


@lru_cache(maxsize=16)
def _boat(holes: int, upright: bool) -> dict[str, Any]:
    frame = Frame(upright)
    # sizes: pitch between holes, radius of hole and store, distance of a row from the middle line, half the board's width, the taper
    pitch, r, store_r, v, half = (54.0, 26.0, 35.0, 61.0, 119.0) if upright else (120.0, 35.0, 55.0, 46.0, 100.0)
    row = (holes - 1) / 2 * pitch
    store_u = row + (r + 6 + store_r if upright else 120.0)
    length = store_u + (store_r + 20 if upright else 170.0)
    taper = 150.0 if upright else 320.0
    rail = half + (25.0 if upright else 34.0)
    apart = 17.0 if upright else 27.0  # two hands at one place hover side by side
    plate = (15.0, 11.5, 17.0) if upright else (20.0, 14.5, 25.0)  # half width, half height, size of the digits
    big = (19.0, 14.0, 21.0) if upright else (27.0, 19.0, 34.0)
    seed = 5.4 if upright else 8.2

    model = row_layout(holes, 7)
    places: dict[str, Any] = {}
    for seat, side in (("S", 1.0), ("N", -1.0)):
        for i in range(1, holes + 1):
            u = side * (row - pitch * (i - 1))
            across = side * (v + r + (7 if upright else -4))
            mark = (u, side * (v - r - 13)) if upright else (u + side * r * 1.08, side * (v - r * 0.72))
            places[f"{seat}{i}"] = _place(frame, f"{seat}{i}", seat, (u, side * v), r, (u, across), plate, mark, seed) | {
                "hands": _hands(frame, u, side * rail, apart, side)
            }
        u = -side * store_u
        at = (u, side * (store_r + (6 if upright else -3)))
        places[f"{seat}H"] = _place(frame, f"{seat}H", seat, (u, 0.0), store_r, at, big, None, seed) | {
            # a little inwards: the corner is the name's
            "hands": _hands(frame, u if upright else u + side * 70, side * rail, apart, side),
            "kind": "store",
        }

    hull = _hull(frame, length, half, taper)
    inner = _hull(frame, length - (9 if upright else 16), half - 5, taper)
    edge = 4.0 if upright else 5.0
    seats = {}
    for seat, side in (("S", 1.0), ("N", -1.0)):
        if upright:
            name = {"x": side * 148.0, "y": side * (length - 24), "anchor": "middle", "size": 14.0, "room": 62.0}
        else:
            name = {
                "x": -side * (length - 34),
                "y": side * (half + 40),
                "anchor": "start" if side > 0 else "end",
                "size": 27.0,
                "room": 150.0,
            }
        seats[seat] = {"name": name, "sign": _sign(name, seat, upright), "edge": _edge(frame, side, length, half, taper, edge)}

    width, height = (360.0, 2 * length + 10) if upright else (2 * length + 40, 2 * half + 150)
    paths = {seat: [model.names[p] for p in model.paths[i]] for i, seat in enumerate("SN")}
    return {
        "game": "mak-khum",
        "upright": upright,
        "holes": holes,
        "viewBox": [-width / 2, -height / 2, width, height],
        "board": {"length": 2 * length, "width": 2 * half, "hole": 2 * r, "store": 2 * store_r},
        "seed": {"r": seed, "kind": "nut"},
        "hand": {"r": 15.0 if upright else 24.0, "size": 14.0 if upright else 22.0},
        "shapes": SHAPES,
        "defs": [
            gradient("wood", "linear", [(0, "wood-hi"), (0.45, "wood"), (1, "wood-lo")], **_down(upright)),
            gradient("deck", "linear", [(0, "wood"), (0.5, "wood-hi"), (1, "wood")], **_down(upright)),
            gradient("hollow", "radial", [(0, "hollow-hi"), (0.7, "hollow"), (1, "hollow-lo")], cx=0.5, cy=0.62, r=0.62),
            gradient("seed", "radial", [(0, "nut-hi"), (0.5, "nut"), (1, "nut-lo")], cx=0.36, cy=0.3, r=0.75),
            {"id": "hull", "kind": "clip", "d": inner},
        ],
        "art": [
            {"el": "path", "class": "shadow", "d": hull, "fill": "$shadow", "transform": f"translate(0 {4 if upright else 7})"},
            {"el": "path", "class": "hull", "d": hull, "fill": "url(#wood)", "stroke": "$wood-edge", "stroke-width": edge / 2},
            {"el": "path", "class": "deck", "d": inner, "fill": "url(#deck)"},
            *_grain(frame, length, half, "boat"),
            {"el": "path", "class": "bead", "d": inner, "fill": "none", "stroke": "$groove", "stroke-width": edge / 3, "opacity": 0.7},
            *_prows(frame, store_u + store_r, length, edge / 2.5),
            *_hollows(places),
        ],
        "places": places,
        "seats": seats,
        **_ways(paths, places, model.view(), r * 0.6, 90.0 if upright else 200.0),
    }


@lru_cache(maxsize=16)
def _three_rows(holes: int, track: str, upright: bool) -> dict[str, Any]:
    columns = holes // 3 * 2
    # more than six columns would be too narrow for a finger: those boards are turned like the boat
    turned = upright and columns > 6
    frame = Frame(turned)
    if turned:
        pitch, rows, r = 78.0, 104.0, 31.0
    elif upright:
        pitch, rows, r = 57.0, 92.0, 24.5
    else:
        pitch, rows, r = 108.0, 116.0, 37.0
    small = upright
    plate = (15.0, 11.5, 17.0) if small else (20.0, 15.0, 26.0)
    big = (19.0, 14.0, 21.0) if small else (27.0, 19.0, 34.0)
    seed = 5.6 if small else 8.6
    pile_r = 40.0 if small else 64.0
    rim = 8.0 if small else 34.0
    half_u, half_v = columns / 2 * pitch + rim / (1 if not small else 2), 1.5 * rows + (10.0 if small else 16.0)

    model = loop_layout(columns, 3, track)
    places: dict[str, Any] = {}
    for seat, side in (("S", 1.0), ("N", -1.0)):
        for i in range(1, holes + 1):
            near = i <= columns
            u = side * ((i - (columns + 1) / 2) * pitch if near else ((columns + 1) / 2 - (i - columns)) * pitch)
            across = side * rows if near else 0.0
            at = (u, across + side * (r + (3 if small else 1)))
            mark = (u - side * (r - (1 if small else 2)), across - side * r)
            hover = across - side * (r + (1 if small else 4))
            places[f"{seat}{i}"] = _place(frame, f"{seat}{i}", seat, (u, across), r, at, plate, mark, seed) | {
                "hands": _hands(frame, u, hover, 15.0 if small else 25.0, -side)
            }
        if turned:
            pile = (-side * (half_u + pile_r + 10), side * (half_v - pile_r))
        elif upright:
            pile = (side * (half_u - pile_r - 8), side * (half_v + pile_r + 14))
        else:
            pile = (side * (half_u + pile_r + 34), side * rows * 0.72)
        at = (pile[0] - side * (pile_r - 2), pile[1]) if turned else (pile[0], pile[1] + side * (pile_r - 2))
        places[f"{seat}H"] = _place(frame, f"{seat}H", seat, pile, pile_r, at, big, None, seed) | {
            "hands": _hands(frame, pile[0], pile[1], 15.0 if small else 25.0, -side),
            "kind": "pile",
        }

    seats = {}
    for seat, side in (("S", 1.0), ("N", -1.0)):
        home = places[f"{seat}H"]
        if turned:
            name = {"x": 0.0, "y": home["y"] + 5, "anchor": "middle", "size": 14.0, "room": 110.0}
        elif upright:
            name = {"x": -side * (half_u - 40), "y": home["y"], "anchor": "start" if side > 0 else "end", "size": 15.0, "room": 180.0}
        else:
            # towards the middle of the picture, away from the plate
            name = {
                "x": home["x"],
                "y": home["y"] - pile_r - 20 if side > 0 else home["y"] + pile_r + 66,
                "anchor": "middle",
                "size": 26.0,
                "room": 170.0,
            }
        ends = ((-half_u + 14, side * (half_v - 5)), (half_u - 14, side * (half_v - 5)))
        seats[seat] = {"name": name, "sign": _sign(name, seat, small), "edge": frame.path("M", ends[0], "L", ends[1])}

    if turned:
        width, height = 360.0, 2 * (half_u + 2 * pile_r + 28)
    elif upright:
        width, height = 360.0, 2 * (half_v + 2 * pile_r + 30)
    else:
        width, height = 2 * (half_u + 2 * pile_r + 60), 2 * half_v + 60
    slab = _slab(frame, half_u, half_v, 14.0 if small else 26.0)
    border = _border(frame, pitch, rows, half_u)
    line = 2.0 if small else 3.0
    paths = {seat: [model.names[p] for p in model.paths[i]] for i, seat in enumerate("SN")}
    return {
        "game": "abalalae",
        "upright": upright,
        "holes": holes,
        "viewBox": [-width / 2, -height / 2, width, height],
        "board": {"length": 2 * half_u, "width": 2 * half_v, "hole": 2 * r, "store": 2 * pile_r},
        "seed": {"r": seed, "kind": "pebble"},
        "hand": {"r": 14.0 if small else 22.0, "size": 14.0 if small else 21.0},
        "shapes": SHAPES,
        "defs": [
            gradient("wood", "linear", [(0, "clay-hi"), (0.5, "clay"), (1, "clay-lo")], **_down(turned)),
            gradient("hollow", "radial", [(0, "pit-hi"), (0.7, "pit"), (1, "pit-lo")], cx=0.5, cy=0.62, r=0.62),
            gradient("straw", "radial", [(0, "straw-hi"), (0.75, "straw"), (1, "straw-lo")], cx=0.5, cy=0.5, r=0.5),
            gradient("seed", "radial", [(0, "pebble-hi"), (0.5, "pebble"), (1, "pebble-lo")], cx=0.36, cy=0.3, r=0.75),
            {"id": "hull", "kind": "clip", "d": slab},
        ],
        "art": [
            {"el": "path", "class": "shadow", "d": slab, "fill": "$shadow", "transform": f"translate(0 {4 if small else 7})"},
            {"el": "path", "class": "hull", "d": slab, "fill": "url(#wood)", "stroke": "$clay-edge", "stroke-width": line},
            {"el": "path", "class": "land-N", "d": _land(frame, border, half_u, half_v), "fill": "$clay-north", "clip-path": "url(#hull)"},
            *_grain(frame, half_u, half_v, "slab"),
            *(
                {
                    "el": "path",
                    "class": "border",
                    "d": smooth(border, 8.0 if small else 14.0),
                    "fill": "none",
                    "stroke": c,
                    "stroke-width": w,
                }
                for c, w in (("$clay-edge", line * 2.2), ("$straw-hi", line * 0.7))
            ),
            *_dishes(places),
            *_hollows(places),
        ],
        "places": places,
        "seats": seats,
        **_ways(paths, places, model.view(), r * 0.6, 80.0 if small else 150.0),
    }


# ── what both boards are made of ──────────────────────────────────────────────────────────────────────────────────────────────


def _place(
    frame: Frame,
    name: str,
    seat: str,
    at: tuple[float, float],
    r: float,
    plate_at: tuple[float, float],
    plate: tuple[float, float, float],
    mark: tuple[float, float] | None,
    seed: float,
) -> dict[str, Any]:
    x, y = frame.point(*at)
    px, py = frame.point(*plate_at)
    spots, heap = scatter(name, x, y, r - seed * 1.15, (px, py, plate[0] + seed * 0.4, plate[1] + seed * 0.4))
    place: dict[str, Any] = {
        "kind": "hole",
        "owner": seat,
        "x": x,
        "y": y,
        "r": r,
        "plate": {"x": px, "y": py, "w": 2 * plate[0], "h": 2 * plate[1], "size": plate[2]},
        "spots": spots,
        "heap": heap,
    }
    if mark is not None:
        mx, my = frame.point(*mark)
        place["number"] = {"x": mx, "y": my, "size": plate[2] * 0.58, "text": name[1:]}
    return place


def _hands(frame: Frame, u: float, v: float, apart: float, side: float) -> dict[str, list[float]]:
    """Where each seat's hand hovers, ``[x, y, turn]``: beside the place on its South (1) or North (-1) side, fingers towards it."""
    turn = 90.0 * side if frame.upright else 180.0 if side > 0 else 0.0
    return {"S": [*frame.point(u - apart, v), turn], "N": [*frame.point(u + apart, v), turn]}


def _sign(name: dict[str, Any], seat: str, small: bool) -> dict[str, float]:
    """The seat's sign: before its name, or above it where there is no room beside it."""
    size = name["size"]
    if name["anchor"] == "middle":
        return {"x": name["x"], "y": name["y"] - size * 1.45, "size": size * 0.95}
    reach = size * 0.95
    return {"x": name["x"] - reach if name["anchor"] == "start" else name["x"] + reach, "y": name["y"] - size * 0.34, "size": size * 0.8}


def _ways(paths: dict[str, list[str]], places: dict[str, Any], view: dict[str, Any], turn: float, every: float) -> dict[str, Any]:
    routes = {}
    for seat, path in paths.items():
        points = [(places[name]["x"], places[name]["y"]) for name in path]
        routes[seat] = {"d": smooth(points, turn, closed=True), "arrows": arrows_along(points, every, closed=True)}
    return {"paths": paths, "routes": routes, "facing": view["facing"], "owners": view["owners"]}


def _down(upright: bool) -> dict[str, float]:
    return {"x1": 0, "y1": 0, "x2": 1, "y2": 0} if upright else {"x1": 0, "y1": 0, "x2": 0, "y2": 1}


def _hollows(places: dict[str, Any]) -> list[Shape]:
    """The carved hollows. A rim's form tells whose a hole is: South's is a plain ring, North's is notched."""
    art: list[Shape] = []
    for name, place in places.items():
        if place["kind"] == "pile":
            continue
        x, y, r = place["x"], place["y"], place["r"]
        rim = {"el": "circle", "class": f"rim rim-{place['owner']}", "cx": x, "cy": y, "r": r, "fill": "none", "stroke": "$rim"}
        art.append({"el": "circle", "class": "hollow", "cx": x, "cy": y, "r": r, "fill": "url(#hollow)", "data-place": name})
        art.append(rim | {"stroke-width": number(r * 0.07), "opacity": 0.9})
        if place["owner"] == "N":
            notch = number(r * 0.105)
            art.append(rim | {"stroke": "$hollow-lo", "stroke-width": number(r * 0.09), "stroke-dasharray": f"{notch} {notch}"})
    return art


def _hull(frame: Frame, length: float, half: float, taper: float) -> str:
    """A boat seen from above: straight sides, both ends drawn in to a point."""
    a, b, c = length - 0.16 * taper, length - 0.5 * taper, length - taper
    w = 0.72 * half
    return frame.path(
        "M", (-length, 0), "C", (-a, -w), (-b, -half), (-c, -half), "L", (c, -half), "C", (b, -half), (a, -w), (length, 0),
        "C", (a, w), (b, half), (c, half), "L", (-c, half), "C", (-b, half), (-a, w), (-length, 0), "Z",
    )  # fmt: skip


def _edge(frame: Frame, side: float, length: float, half: float, taper: float, inset: float) -> str:
    """The middle part of a seat's side of the boat: it lights up when the seat is on turn."""
    end = length - taper
    return frame.path("M", (-end, side * (half - inset / 2)), "L", (end, side * (half - inset / 2)))


def _prows(frame: Frame, start: float, end: float, line: float) -> list[Shape]:
    """Carved lines that close in towards the two points, as on the bows of a boat."""
    art: list[Shape] = []
    for side in (1.0, -1.0):
        for i in range(3):
            u = start + (end - start) * (0.2 + 0.22 * i)
            w = (end - u) * (0.46 if not frame.upright else 0.9)
            d = frame.path("M", (side * (u - w * 0.35), -w), "Q", (side * (u + w * 0.5), 0), (side * (u - w * 0.35), w))
            art.append(
                {"el": "path", "class": "carving", "d": d, "fill": "none", "stroke": "$groove", "stroke-width": line, "opacity": 0.6}
            )
    return art


def _grain(frame: Frame, length: float, half: float, name: str) -> list[Shape]:
    """Lines of the wood, a little uneven, the same for ever."""
    art: list[Shape] = []
    lines = 15
    for i in range(lines):
        lots = [draw(0, f"grain:{name}", 8 * i + k) / 2**64 for k in range(6)]
        v = -half + (i + 0.5) * 2 * half / lines
        sway = half * 0.05
        parts: list[str | tuple[float, float]] = ["M", (-length, v)]
        steps = 6
        for k in range(steps):
            u0, u1 = -length + k * 2 * length / steps, -length + (k + 1) * 2 * length / steps
            bend = sway * sin(2 * pi * (lots[k % 6] + k / steps)) * (1 + cos(pi * v / half / 2))
            parts += ["Q", ((u0 + u1) / 2, v + bend), (u1, v)]
        art.append({
            "el": "path", "class": "grain", "d": frame.path(*parts), "fill": "none", "stroke": "$grain",
            "stroke-width": round(0.004 * half * (2 + 6 * lots[5]) + 0.3, 2), "opacity": round(0.18 + 0.3 * lots[4], 2),
            "clip-path": "url(#hull)",
        })  # fmt: skip
    return art


def _slab(frame: Frame, half_u: float, half_v: float, corner: float) -> str:
    """A slab with rounded corners and sides that swell a little, as if hewn."""
    s = corner * 0.12
    u, v, c = half_u, half_v, corner
    return frame.path(
        "M", (-u + c, -v), "Q", (0, -v - s), (u - c, -v), "Q", (u, -v), (u, -v + c), "Q", (u + s, 0), (u, v - c), "Q", (u, v), (u - c, v),
        "Q", (0, v + s), (-u + c, v), "Q", (-u, v), (-u, v - c), "Q", (-u - s, 0), (-u, -v + c), "Q", (-u, -v), (-u + c, -v), "Z",
    )  # fmt: skip


def _border(frame: Frame, pitch: float, rows: float, half_u: float) -> list[tuple[float, float]]:
    """The line between the two seats' holes (AB-2): below the left half of the middle row, above its right half."""
    return [frame.point(*p) for p in ((-half_u, rows / 2), (0, rows / 2), (0, -rows / 2), (half_u, -rows / 2))]


def _land(frame: Frame, border: list[tuple[float, float]], half_u: float, half_v: float) -> str:
    corners = [frame.point(half_u + 9, -half_v - 9), frame.point(-half_u - 9, -half_v - 9)]
    return "M " + " L ".join(f"{number(x)} {number(y)}" for x, y in (*border, *corners)) + " Z"


def _dishes(places: dict[str, Any]) -> list[Shape]:
    """Woven dishes for the captured seeds, beside the board."""
    art: list[Shape] = []
    for seat in "SN":
        place = places[f"{seat}H"]
        x, y, r = place["x"], place["y"], place["r"]
        base = {"el": "circle", "cx": x, "cy": y}
        art.append(base | {"class": "shadow", "cy": y + r * 0.08, "r": r, "fill": "$shadow"})
        art.append(
            base
            | {
                "class": "dish",
                "r": r,
                "fill": "url(#straw)",
                "stroke": "$straw-edge",
                "stroke-width": number(r * 0.04),
                "data-place": f"{seat}H",
            }
        )
        for i in range(1, 6):
            beat = number(r * (0.05 + 0.01 * i))
            weave = {"class": "weave", "r": number(r * (1 - 0.165 * i)), "fill": "none", "stroke": "$straw-edge"}
            art.append(
                base | weave | {"stroke-width": number(r * 0.03), "stroke-dasharray": f"{beat} {number(r * 0.035)}", "opacity": 0.45}
            )
        if seat == "N":
            notch = f"{number(r * 0.1)} {number(r * 0.1)}"
            ring = {"class": "notches", "r": number(r * 0.955), "fill": "none", "stroke": "$straw-edge", "stroke-width": number(r * 0.08)}
            art.append(base | ring | {"stroke-dasharray": notch})
    return art
