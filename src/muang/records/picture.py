"""Owns pictures of positions: one SVG document each, complete in itself, good enough for a printed page. Knows no rule.

Everything stands where ``records.layout`` puts it. Colours are written as attributes and nothing is fetched or styled from elsewhere, so
that any viewer, printer or typesetter shows the same picture. The same position always gives the same text.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, radians, sin
from typing import Any, Protocol
from xml.sax.saxutils import escape, quoteattr

from muang.i18n import N_, translate
from muang.records.colours import paint
from muang.records.layout import drawn_seeds, layout_of
from muang.records.layout_parts import number

__all__ = ["svg"]

FONT = "'Noto Sans', 'Noto Sans Thai', 'DejaVu Sans', 'Helvetica Neue', Arial, sans-serif"

TITLES = {"mak-khum": "Mak Khum", "abalalae": "Abalala'e", "ca-ngua": "Cờ cá ngựa"}

NAMES = {"S": N_("South"), "N": N_("North"), "0": N_("Red"), "1": N_("Blue"), "2": N_("Yellow"), "3": N_("Green")}


class HasView(Protocol):
    """A position or a match."""

    def view(self) -> dict[str, Any]: ...


def svg(of: HasView | Mapping[str, Any], upright: bool = False, lang: str = "en") -> str:
    """The picture of a position, match or view (``match.view()``): an SVG document with title and description in ``lang``.

    ``KeyError`` for a language that is not there, ``ValueError`` for a view whose board cannot be drawn.
    """
    view: Mapping[str, Any] = of if isinstance(of, Mapping) else of.view()
    plan = layout_of(view, upright)
    if view["game"] == "ca-ngua":
        parts, told = _Horses(plan, view, lang).draw()
    else:
        parts, told = _Sowing(plan, view, lang).draw()
    x, y, width, height = plan["viewBox"]
    title = TITLES[str(view["game"])]
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{number(x)} {number(y)} {number(width)} {number(height)}"'
        f' width="{number(width)}" height="{number(height)}" role="img" aria-labelledby="t d" lang={quoteattr(lang)}>',
        f'<title id="t">{escape(title)}</title>',
        f'<desc id="d">{escape(told)}</desc>',
        "<defs>" + "".join(_definition(item) for item in plan["defs"]) + "</defs>",
    ]
    art = [_element(shape) for shape in plan["art"]]
    return "\n".join([*head, "<g>", *art, "</g>", *parts, "</svg>", ""])


# ── writing elements ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _tag(name: str, text: str | None = None, **attributes: Any) -> str:
    """One element; ``stroke_width`` becomes ``stroke-width``, ``$names`` become colours, None is left out."""
    words = [name]
    for key, value in attributes.items():
        if value is not None:
            shown = number(value) if isinstance(value, float) else paint(str(value))
            words.append(f"{key.replace('_', '-')}={quoteattr(shown)}")
    return f"<{' '.join(words)}/>" if text is None else f"<{' '.join(words)}>{escape(text)}</{name}>"


def _element(shape: Mapping[str, Any]) -> str:
    attributes = {key: value for key, value in shape.items() if key not in ("el", "class", "text") and not key.startswith("data-")}
    if shape["el"] == "text":
        attributes["font-family"] = FONT
    return _tag(str(shape["el"]), shape.get("text"), **attributes)


def _definition(item: Mapping[str, Any]) -> str:
    if item["kind"] == "clip":
        return f'<clipPath id="{item["id"]}"><path d="{item["d"]}"/></clipPath>'
    ends = {key: number(float(item[key])) for key in ("x1", "y1", "x2", "y2", "cx", "cy", "r") if key in item}
    stops = "".join(_tag("stop", offset=number(float(stop[0])), stop_color=f"${stop[1]}") for stop in item["stops"])
    name = f"{item['kind']}Gradient"
    return f"<{name} id={quoteattr(item['id'])} {' '.join(f'{k}={quoteattr(v)}' for k, v in ends.items())}>{stops}</{name}>"


def _label(text: str, x: float, y: float, size: float, fill: str, anchor: str = "middle", weight: int = 700) -> str:
    font: dict[str, Any] = {"font_size": float(size), "text_anchor": anchor, "font_weight": weight, "font_family": FONT}
    return _tag("text", text, x=float(x), y=float(y), fill=fill, **font)


def _sign(plan: Mapping[str, Any], seat: str, x: float, y: float, size: float, fill: str) -> str:
    """A seat's sign, ``size`` high."""
    move = f"translate({number(x)} {number(y)}) scale({number(size / 20)})"
    line: dict[str, Any] = {"stroke": "$ink", "stroke_width": 1.6, "stroke_linejoin": "round"}
    return _tag("path", d=plan["shapes"][f"sign-{seat}"], transform=move, fill=fill, **line)


def _name(plan: Mapping[str, Any], seat: str, lang: str, on_turn: bool) -> list[str]:
    """A seat's sign and name; on turn with the turn mark, a ring round the sign and a heavy name."""
    data = plan["seats"][seat]
    name, sign = data["name"], data["sign"]
    fill = f"$seat-{seat}"
    parts = []
    if on_turn:
        r = sign["size"] * 0.86
        parts.append(_tag("circle", cx=float(sign["x"]), cy=float(sign["y"]), r=r, fill="$light", stroke="$ink", stroke_width=r * 0.07))
    parts.append(_sign(plan, seat, sign["x"], sign["y"], sign["size"] * (0.82 if on_turn else 1.0), fill))
    parts.append(_label(translate(NAMES[seat], lang), name["x"], name["y"], name["size"], "$text", name["anchor"], 800 if on_turn else 600))
    return parts


# ── sowing boards ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


class _Sowing:
    def __init__(self, plan: Mapping[str, Any], view: Mapping[str, Any], lang: str) -> None:
        self.plan, self.view, self.lang = plan, view, lang
        board = view["board"]
        self.counts: dict[str, int | None] = {f"{seat}{i}": n for seat in "SN" for i, n in enumerate(board[seat], 1)}
        self.counts |= {f"{seat}H": board["stores"][seat] for seat in "SN"}

    def draw(self) -> tuple[list[str], str]:
        parts = []
        for name, place in self.plan["places"].items():
            parts += self._place(name, place)
        for seat in "SN":
            parts += _name(self.plan, seat, self.lang, self.view.get("turn") == seat)
            if self.view.get("turn") == seat:
                line: dict[str, Any] = {"stroke": "$light", "stroke_width": self.plan["hand"]["r"] * 0.3, "stroke_linecap": "round"}
                parts.append(_tag("path", d=self.plan["seats"][seat]["edge"], fill="none", **line))
        for seat, hand in (self.view.get("hands") or {}).items():
            if hand is not None and hand.get("seeds"):
                parts += self._hand(seat, hand)
        return parts, self._tell()

    def _place(self, name: str, place: Mapping[str, Any]) -> list[str]:
        count, x, y, r = self.counts[name], place["x"], place["y"], place["r"]
        parts = []
        mark = place.get("number")
        if mark:
            parts.append(_label(mark["text"], mark["x"], mark["y"] + mark["size"] * 0.36, mark["size"], "$groove"))
        if count is None:
            return [*parts, *self._widow(x, y, r)]
        single, heaped = drawn_seeds(count)
        parts += [self._seed(*spot) for spot in place["spots"][:single]]
        if heaped:
            parts.append(_tag("circle", cx=float(x), cy=float(y), r=r * 0.62, fill="$shadow"))
            parts += [self._seed(*spot) for spot in place["heap"][:heaped]]
        plate = place["plate"]
        parts.append(self._plate(place["owner"], plate))
        parts.append(_label(str(count), plate["x"], plate["y"] + plate["size"] * 0.36, plate["size"], "$ink", weight=800))
        return parts

    def _seed(self, x: float, y: float, turn: float) -> str:
        r, kind = self.plan["seed"]["r"], self.plan["seed"]["kind"]
        return _tag(
            "ellipse", cx=float(x), cy=float(y), rx=r, ry=r * 0.86, transform=f"rotate({number(turn)} {number(x)} {number(y)})",
            fill="url(#seed)", stroke=f"${kind}-edge", stroke_width=r * 0.1,
        )  # fmt: skip

    def _plate(self, owner: str, plate: Mapping[str, Any]) -> str:
        """The ivory plate under the digits: South's has round ends, North's pointed ones."""
        x, y, w, h = plate["x"], plate["y"], plate["w"], plate["h"]
        style = {"fill": "$plate", "stroke": "$plate-edge", "stroke_width": h * 0.05}
        return _tag("path", d=plate_path(owner, x, y, w, h), **style)

    def _widow(self, x: float, y: float, r: float) -> list[str]:
        """A widow is closed for the round: a lid with a cross."""
        a = r * 0.42
        left, right, top, foot = number(x - a), number(x + a), number(y - a), number(y + a)
        cross = f"M {left} {top} L {right} {foot} M {left} {foot} L {right} {top}"
        lid = _tag("circle", cx=float(x), cy=float(y), r=r * 0.86, fill="url(#wood)", stroke="$groove", stroke_width=r * 0.07)
        return [lid, _tag("path", d=cross, fill="none", stroke="$groove", stroke_width=r * 0.16, stroke_linecap="round")]

    def _hand(self, seat: str, hand: Mapping[str, Any]) -> list[str]:
        """A hand in the air over the place it last touched, with what it holds."""
        r, size = self.plan["hand"]["r"], self.plan["hand"]["size"]
        x, y, turn = self.plan["places"][hand["at"]]["hands"][seat]
        palm = f"translate({number(x)} {number(y)}) rotate({number(turn)}) scale({number(r / 32)})"
        line: dict[str, Any] = {"stroke": "$plate", "stroke_width": 4.0, "stroke_linejoin": "round"}
        # the digits stand upright in the middle of the palm
        middle = (x + 0.44 * r * sin(radians(turn)), y - 0.44 * r * cos(radians(turn)))
        return [
            _tag("path", d=self.plan["shapes"]["hand"], transform=palm, fill=f"$seat-{seat}", **line),
            _label(str(hand["seeds"]), middle[0], middle[1] + size * 0.36, size, "#ffffff", weight=800),
        ]

    def _tell(self) -> str:
        lang = self.lang
        names = {seat: translate(NAMES[seat], lang) for seat in "SN"}
        texts = []
        for seat in "SN":
            holes = ", ".join(translate("widow", lang) if n is None else str(n) for n in self.view["board"][seat])
            what = {"seat": names[seat], "holes": holes, "count": self.counts[f"{seat}H"]}
            texts.append(translate("{seat}: holes {holes}; store {count}.", lang, **what))
        for seat, hand in (self.view.get("hands") or {}).items():
            if hand is not None and hand.get("seeds"):
                what = {"seat": names[seat], "count": hand["seeds"], "hole": hand["at"]}
                texts.append(translate("{seat} holds {count} seeds over {hole}.", lang, **what))
        if self.view.get("turn") is not None:
            texts.append(translate("{seat} is on turn.", lang, seat=names[self.view["turn"]]))
        return " ".join(texts)


def plate_path(owner: str, x: float, y: float, w: float, h: float) -> str:
    """The outline of a digits' plate, ``w`` × ``h``: round ends for South, pointed for North."""
    a, b = w / 2, h / 2
    if owner == "S":
        left, right, top, foot, bend = number(x - a + b), number(x + a - b), number(y - b), number(y + b), number(b)
        return f"M {left} {top} L {right} {top} A {bend} {bend} 0 0 1 {right} {foot} L {left} {foot} A {bend} {bend} 0 0 1 {left} {top} Z"
    c, e = b * 0.55, b * 0.35
    points = [(x - a + c, y - b), (x + a - c, y - b), (x + a + e, y), (x + a - c, y + b), (x - a + c, y + b), (x - a - e, y)]
    return "M " + " L ".join(f"{number(px)} {number(py)}" for px, py in points) + " Z"


# ── Cờ cá ngựa ────────────────────────────────────────────────────────────────────────────────────────────────────────────────


class _Horses:
    def __init__(self, plan: Mapping[str, Any], view: Mapping[str, Any], lang: str) -> None:
        self.plan, self.view, self.lang = plan, view, lang

    def place(self, seat: int, progress: Any, stall: int) -> str:
        """The name of the place where a horse of ``seat`` with this progress (CN-3) stands."""
        if progress == "stable":
            return f"stall{seat}-{stall}"
        if isinstance(progress, str):
            return f"lane{seat}-{progress.removeprefix('slot')}"
        return f"sq{(self.plan['starts'][str(seat)] + int(progress)) % self.plan['track']}"

    def draw(self) -> tuple[list[str], str]:
        parts = []
        left = [int(seat) for seat in self.view.get("left") or ()]
        for seat in range(4):
            playing = seat in self.view["seats"]
            on_turn = self.view.get("turn") == seat
            if playing:
                parts += _name(self.plan, str(seat), self.lang, on_turn)
            if seat in left or not playing:
                parts.append(self._closed(seat))
        for key, horses in self.view["horses"].items():
            for i, progress in enumerate(horses):
                if int(key) not in left:
                    parts += self._horse(int(key), progress, i)
        dice = self.view.get("dice")
        for value, (x, y) in zip(dice or (), self.plan["dice"]["places"], strict=False):
            parts += self._die(int(value), x, y)
        return parts, self._tell()

    def _closed(self, seat: int) -> str:
        """Nobody sits here (any more)."""
        yard = self.plan["seats"][str(seat)]["yard"]
        box: dict[str, Any] = {"x": float(yard["x"]), "y": float(yard["y"]), "width": float(yard["w"]), "height": float(yard["w"])}
        return _tag("rect", **box, rx=self.plan["cell"] * 0.5, fill="$paper", opacity=0.62)

    def _horse(self, seat: int, progress: Any, stall: int) -> list[str]:
        place = self.plan["places"][self.place(seat, progress, stall)]
        size = self.plan["horse"]["stalled" if place["kind"] == "stall" else "size"]
        x, y = place["x"], place["y"]
        shapes = self.plan["shapes"]
        base = f"translate({number(x)} {number(y)}) scale({number(size / 104)})"
        line: dict[str, Any] = {"stroke": "$ink", "stroke_linejoin": "round", "stroke_linecap": "round"}
        badge = f"translate({number(x + size * 0.07)} {number(y + size * 0.2)}) scale({number(size / 56)})"
        return [
            # a light edge, so that a horse stands out on a square of its own colour
            _tag(
                "path",
                d=f"{shapes['horse']} {shapes['foot']}",
                transform=base,
                stroke_width=15.0,
                fill="$plate",
                **line | {"stroke": "$plate"},
            ),
            _tag("path", d=shapes["horse"], transform=base, fill=f"$seat-{seat}", stroke_width=5.0, **line),
            _tag("path", d=shapes["foot"], transform=base, fill=f"$seat-{seat}", stroke_width=5.0, **line),
            _tag("path", d=shapes["mane"], transform=base, fill="none", stroke_width=4.0, **line),
            _tag("path", d=shapes["face"], transform=base, fill="none", stroke_width=4.0, **line),
            _tag("circle", cx=-17.0, cy=-14.0, r=4.6, transform=base, fill="$ink"),
            _tag("path", d=shapes[f"sign-{seat}"], transform=badge, fill="$plate", stroke="$ink", stroke_width=2.0),
        ]

    def _die(self, value: int, x: float, y: float) -> list[str]:
        size = self.plan["dice"]["size"]
        half, step, pip = size / 2, size * 0.27, size * 0.095
        box: dict[str, Any] = {"x": x - half, "width": float(size), "height": float(size), "rx": size * 0.2}
        parts = [
            _tag("rect", **box, y=y - half + size * 0.06, fill="$shadow"),
            _tag("rect", **box, y=y - half, fill="$die", stroke="$ink", stroke_width=size * 0.035),
        ]
        # a one is larger and red, as on dice in Vietnam
        r, fill = (pip * 1.35, "$pip-one") if value == 1 else (pip, "$pip")
        parts += [_tag("circle", cx=x + dx * step, cy=y + dy * step, r=r, fill=fill) for dx, dy in PIPS[value]]
        return parts

    def _tell(self) -> str:
        texts = []
        for key, horses in self.view["horses"].items():
            name = translate(NAMES[key], self.lang)
            where = ", ".join(self._where(progress) for progress in horses)
            texts.append(translate("{seat}: {places}.", self.lang, seat=name, places=where))
        if self.view.get("dice"):
            texts.append(translate("Dice: {first} and {second}.", self.lang, first=self.view["dice"][0], second=self.view["dice"][1]))
        if self.view.get("turn") is not None:
            texts.append(translate("{seat} is on turn.", self.lang, seat=translate(NAMES[str(self.view["turn"])], self.lang)))
        return " ".join(texts)

    def _where(self, progress: Any) -> str:
        if progress == "stable":
            return translate("in the stable", self.lang)
        if isinstance(progress, str):
            return translate("slot {number}", self.lang, number=progress.removeprefix("slot"))
        return translate("square {number}", self.lang, number=progress)


PIPS: Mapping[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
"""Where the pips of a die stand, in steps from its middle."""
