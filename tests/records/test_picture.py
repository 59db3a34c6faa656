"""Boards as drawn and pictures of positions: true to MK-1…4, AB-1…5 and CN-1…3, complete, legible, always the same."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import combinations, pairwise
from math import hypot
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import muang
from muang.i18n import LANGUAGES, translate
from muang.records.colours import COLOURS
from muang.records.layout import HEAP_FROM, drawn_seeds, layout, layout_of, layouts
from muang.records.layout_horses import cross
from muang.records.picture import svg

SVG = "{http://www.w3.org/2000/svg}"

BOARDS: list[tuple[str, dict[str, Any], tuple[Any, ...] | None]] = [
    ("mak-khum", {}, None),
    ("mak-khum", {"holes": 3}, None),
    ("mak-khum", {"holes": 1}, None),
    ("mak-khum", {"holes": 15}, None),
    ("abalalae", {}, None),
    ("abalalae", {"track": "courlander"}, None),
    ("abalalae", {"columns": 2}, None),
    ("abalalae", {"columns": 10}, None),
    ("ca-ngua", {}, (0, 2)),
    ("ca-ngua", {"track": 52}, (0, 1, 2)),
    ("ca-ngua", {"track": 48}, (0, 1, 2, 3)),
]
LAYOUTS = [pytest.param(name, options, seats, up, id=f"{name}-{options}-{up}") for name, options, seats in BOARDS for up in (False, True)]


def sowing(game: str = "mak-khum", **changes: Any) -> dict[str, Any]:
    holes = 7 if game == "mak-khum" else 9
    board = {"S": [0] * holes, "N": [0] * holes, "stores": {"S": 0, "N": 0}}
    board.update(changes.pop("board", {}))
    return {"game": game, "options": {}, "board": board, "hands": {"S": None, "N": None}, "turn": "S", **changes}


def horses(**changes: Any) -> dict[str, Any]:
    places = {"0": ["stable", 12], "1": [0, 55], "2": ["slot2", "slot4"], "3": ["stable", "stable"]}
    view = {"game": "ca-ngua", "options": {"track": 56}, "seats": [0, 1, 2, 3], "horses": places, "turn": 1, "dice": [1, 6], "left": []}
    return view | changes


VIEWS: dict[str, dict[str, Any]] = {
    "start": muang.game("mak-khum").start(seed=1).view(),
    "turns": muang.game("mak-khum", ruleset="turns").start(seed=1).view(),
    "heap": sowing(board={"stores": {"S": 98, "N": 0}}),
    "widows": sowing(board={"S": [None, None, 7, 7, 7, 7, 7], "N": [7, 7, 7, 7, 7, 7, 21]}),
    "hands": sowing(turn=None, hands={"S": {"at": "N4", "seeds": 5}, "N": {"at": "N4", "seeds": 12}}),
    "three holes": muang.game("mak-khum", holes=3, seeds=3).start(seed=1).view(),
    "fifteen holes": muang.game("mak-khum", holes=15, seeds=7).start(seed=1).view(),
    "abalalae": muang.game("abalalae").start(seed=1).view(),
    "abalalae pile": sowing("abalalae", board={"stores": {"S": 53, "N": 0}}),
    "ten columns": muang.game("abalalae", columns=10).start(seed=1).view(),
    "horses": horses(),
    "horses left": horses(left=[3], seats=[0, 1, 2, 3], dice=None, turn=None),
    "two players": muang.game("ca-ngua", track=48).start(seed=1).view(),
    "track 52": muang.game("ca-ngua", track=52).start(seed=1, seats=(1, 2, 3)).view(),
}


def parsed(view: dict[str, Any], **how: Any) -> ElementTree.Element:
    return ElementTree.fromstring(svg(view, **how))


def texts(view: dict[str, Any], **how: Any) -> list[str]:
    return [element.text or "" for element in parsed(view, **how).iter(f"{SVG}text")]


# ── layouts ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_MK_1_proportions() -> None:
    plan = layout("mak-khum")
    board = plan["board"]
    assert board["length"] / board["width"] == pytest.approx(130 / 20)
    assert board["hole"] / board["width"] == pytest.approx(7 / 20)
    assert board["store"] / board["width"] == pytest.approx(11 / 20)
    for name, place in plan["places"].items():
        assert 2 * place["r"] == (board["store"] if name.endswith("H") else board["hole"])
    # and the hull drawn is as long and as wide as it says
    hull = next(shape for shape in plan["art"] if shape["class"] == "hull")
    numbers = [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", hull["d"])]
    assert max(numbers[::2]) - min(numbers[::2]) == pytest.approx(board["length"])
    assert max(numbers[1::2]) - min(numbers[1::2]) == pytest.approx(board["width"])


@pytest.mark.parametrize("upright", [False, True])
def test_MK_3_sowing_is_clockwise_and_holes_face(upright: bool) -> None:
    plan = layout("mak-khum", upright=upright)
    places = plan["places"]
    for path in plan["paths"].values():
        ends = [(places[name]["x"], places[name]["y"]) for name in path]
        area = sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise([*ends, ends[0]]))
        assert area > 0  # y points down: positive is clockwise
    across = "y" if upright else "x"
    for i in range(1, 8):
        assert places[f"S{i}"][across] == places[f"N{8 - i}"][across]
    # a seat's store is at its left end; South sits below, or at the right where the board is turned
    if upright:
        assert places["SH"]["y"] > places["S7"]["y"] > places["S1"]["y"]
        assert places["S1"]["x"] > places["N1"]["x"]
    else:
        assert places["SH"]["x"] < places["S7"]["x"] < places["S1"]["x"]
        assert places["S1"]["y"] > places["N1"]["y"]


def test_AB_2_and_4_where_holes_lie() -> None:
    places = layout("abalalae")["places"]
    rows = sorted({places[f"{seat}{i}"]["y"] for seat in "SN" for i in range(1, 10)})
    columns = sorted({places[f"S{i}"]["x"] for i in range(1, 7)})
    at = {(place["x"], place["y"]): name for name, place in places.items() if place["kind"] == "hole"}
    named = ["".join(at[x, y].ljust(3) for x in columns).strip() for y in rows]
    assert named == ["N6 N5 N4 N3 N2 N1", "N7 N8 N9 S9 S8 S7", "S1 S2 S3 S4 S5 S6"]
    assert places["SH"]["kind"] == "pile"


@pytest.mark.parametrize("track", [56, 52, 48])
def test_CN_1_the_cross(track: int) -> None:
    squares, lanes, reach = cross(track)
    assert len(squares) == len(set(squares)) == track
    assert not set(squares) & {slot for lane in lanes for slot in lane}
    for a, b in pairwise([*squares, squares[0]]):
        assert max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1
    # counter-clockwise (y points down: negative area), the start beside the gate, the lane from the gate inwards
    assert sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise([*squares, squares[0]])) < 0
    for seat, lane in enumerate(lanes):
        start = seat * track // 4
        gate = squares[start - 1]
        steps = [gate, *lane]
        assert [abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in pairwise(steps)] == [1, 1, 1, 1]
        assert [max(abs(x), abs(y)) for x, y in steps] == [reach - i for i in range(5)]
        assert abs(squares[start][0] - gate[0]) + abs(squares[start][1] - gate[1]) == 1
        places = layout("ca-ngua", {"track": track})["places"]
        assert places[f"sq{start}"]["kind"] == "start"
        assert places[f"sq{(start - 1) % track}"]["kind"] == "gate"
        assert places[f"sq{start}"]["owner"] == places[f"sq{(start - 1) % track}"]["owner"] == seat


@pytest.mark.parametrize(("name", "options", "seats", "upright"), LAYOUTS)
def test_places_lie_apart_and_inside(name: str, options: dict[str, Any], seats: Any, upright: bool) -> None:
    plan = layout(name, options, seats, upright)
    left, top, width, height = plan["viewBox"]
    if upright:
        assert width == 360

    def inside(x: float, y: float, half_w: float, half_h: float) -> bool:
        return left <= x - half_w and x + half_w <= left + width and top <= y - half_h and y + half_h <= top + height

    for one, place in plan["places"].items():
        assert inside(place["x"], place["y"], place["r"], place["r"]), one
        if "plate" in place:
            plate = place["plate"]
            assert inside(plate["x"], plate["y"], plate["w"] / 2, plate["h"] / 2), one
    for (one, a), (two, b) in combinations(plan["places"].items(), 2):
        if name == "ca-ngua":
            clear = max(abs(a["x"] - b["x"]), abs(a["y"] - b["y"])) >= a["r"] + b["r"]
        else:
            clear = hypot(a["x"] - b["x"], a["y"] - b["y"]) >= a["r"] + b["r"]
            pa, pb = a["plate"], b["plate"]
            assert abs(pa["x"] - pb["x"]) >= (pa["w"] + pb["w"]) / 2 or abs(pa["y"] - pb["y"]) >= (pa["h"] + pb["h"]) / 2, (one, two)
        assert clear, (one, two)


@pytest.mark.parametrize("name", ["mak-khum", "abalalae"])
@pytest.mark.parametrize("size", [{}, {"holes": 3, "columns": 2}, {"holes": 15, "columns": 10}])
def test_upright_holes_are_targets_of_44_px_on_a_phone(name: str, size: dict[str, int]) -> None:
    plan = layout(name, size, upright=True)
    assert plan["viewBox"][2] == 360  # a unit is a pixel there
    assert all(2 * place["r"] >= 44 for place in plan["places"].values())


@pytest.mark.parametrize(("name", "options", "seats", "upright"), LAYOUTS)
def test_paths_seats_and_routes_are_complete(name: str, options: dict[str, Any], seats: Any, upright: bool) -> None:
    plan = layout(name, options, seats, upright)
    for seat, path in plan["paths"].items():
        assert len(set(path)) == len(path)
        assert set(path) <= set(plan["places"])
        assert plan["routes"][seat]["d"].startswith("M ")
        assert plan["routes"][seat]["arrows"]
        assert {"name", "sign"} <= set(plan["seats"][seat])
    if name != "ca-ngua":
        assert plan["paths"]["S"][0] == "S1"
        assert all(len(place["spots"]) == HEAP_FROM and set(place["hands"]) == {"S", "N"} for place in plan["places"].values())
    colours = re.findall(r"\$([\w-]+)", str(plan)) + [stop[1] for item in plan["defs"] for stop in item.get("stops", ())]
    assert set(colours) <= set(COLOURS)


def test_seeds_lie_in_their_hole_and_not_under_its_digits() -> None:
    for name in ("mak-khum", "abalalae"):
        for upright in (False, True):
            plan = layout(name, upright=upright)
            seed = plan["seed"]["r"]
            for place in plan["places"].values():
                plate = place["plate"]
                for x, y, _turn in place["spots"] + place["heap"]:
                    assert hypot(x - place["x"], y - place["y"]) <= place["r"] - seed
                    assert abs(x - plate["x"]) > plate["w"] / 2 or abs(y - plate["y"]) > plate["h"] / 2


def test_a_heap_is_drawn_beyond_twenty() -> None:
    assert [drawn_seeds(n) for n in (0, 1, 20, 21, 24, 25, 60, 98, 1000)] == [
        (0, 0),
        (1, 0),
        (20, 0),
        (20, 1),
        (20, 1),
        (20, 2),
        (20, 10),
        (20, 18),
        (20, 18),
    ]


def test_layouts_are_fresh_and_fit_the_view() -> None:
    both = layouts(VIEWS["three holes"])
    assert both["wide"]["holes"] == both["upright"]["holes"] == 3
    assert [plan["upright"] for plan in both.values()] == [False, True]
    both["wide"]["places"]["S1"]["x"] = 12345
    assert layout_of(VIEWS["three holes"])["places"]["S1"]["x"] != 12345


@pytest.mark.parametrize(
    ("name", "options"),
    [("chess", {}), ("mak-khum", {"holes": 16}), ("mak-khum", {"holes": -1}), ("abalalae", {"columns": 12}), ("ca-ngua", {"track": 50})],
)
def test_boards_that_cannot_be_drawn(name: str, options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="allowed"):
        layout(name, options)


# ── pictures ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("upright", [False, True])
@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_pictures_are_whole_documents(view: dict[str, Any], upright: bool) -> None:
    text = svg(view, upright)
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert [float(n) for n in root.attrib["viewBox"].split()] == pytest.approx(layout_of(view, upright)["viewBox"])
    assert root.find(f"{SVG}title") is not None
    assert root.attrib["aria-labelledby"].split() == [root[0].attrib["id"], root[1].attrib["id"]]
    # nothing from elsewhere, no styles or scripts, every reference leads somewhere, no colour name is left
    assert not re.search(r"href|<style|style=|<script|<image|@import", text)
    assert "http" not in text.replace('xmlns="http://www.w3.org/2000/svg"', "")
    ids = {element.attrib["id"] for element in root.iter() if "id" in element.attrib}
    assert set(re.findall(r"url\(#([\w-]+)\)", text)) <= ids
    assert "$" not in text
    assert not re.search(r"\b(nan|inf|None)\b", text)
    assert text == svg(view, upright)


@pytest.mark.parametrize("upright", [False, True])
@pytest.mark.parametrize("key", [key for key, view in VIEWS.items() if "board" in view])
def test_every_count_is_written_on_its_plate(key: str, upright: bool) -> None:
    view = VIEWS[key]
    plan = layout_of(view, upright)
    written = {
        (float(element.attrib["x"]), float(element.attrib["y"])): element.text
        for element in parsed(view, upright=upright).iter(f"{SVG}text")
    }
    board = view["board"]
    counts = {f"{seat}{i}": n for seat in "SN" for i, n in enumerate(board[seat], 1)} | {f"{seat}H": board["stores"][seat] for seat in "SN"}
    for name, place in plan["places"].items():
        plate = place["plate"]
        at = next(
            (text for (x, y), text in written.items() if abs(x - plate["x"]) < 0.02 and abs(y - plate["y"] - plate["size"] * 0.36) < 0.02),
            None,
        )
        assert at == (None if counts[name] is None else str(counts[name])), name


def test_seeds_widows_hands_and_turn_are_drawn() -> None:
    def seeds(view: dict[str, Any]) -> int:
        return sum(1 for _ in parsed(view).iter(f"{SVG}ellipse"))

    assert seeds(VIEWS["start"]) == 98
    assert seeds(VIEWS["heap"]) == 38
    lids = svg(VIEWS["widows"]).count('fill="url(#wood)"') - svg(VIEWS["heap"]).count('fill="url(#wood)"')
    assert lids == 2
    plain = len(parsed(sowing(turn=None)).findall(f"{SVG}path"))
    assert len(parsed(VIEWS["hands"]).findall(f"{SVG}path")) == plain + 2
    assert {"5", "12"} <= set(texts(VIEWS["hands"]))
    assert svg(sowing(turn="S")) != svg(sowing(turn="N")) != svg(sowing(turn=None))


def test_horses_stand_where_they_are() -> None:
    view = VIEWS["horses"]
    plan = layout_of(view)
    where = {"stall0-0", "sq12", "sq14", f"sq{(14 + 55) % 56}", "lane2-2", "lane2-4", "stall3-0", "stall3-1"}
    found = set()
    for element in parsed(view).iter(f"{SVG}path"):
        move = re.match(r"translate\((\S+) (\S+)\) scale", element.attrib.get("transform", ""))
        if move and element.attrib["d"] == plan["shapes"]["horse"]:
            x, y = float(move[1]), float(move[2])
            found |= {name for name, place in plan["places"].items() if hypot(place["x"] - x, place["y"] - y) < 0.02}
    assert found == where
    # a leaver's horses are gone (CN-31)
    assert svg(VIEWS["horses left"]).count(plan["shapes"]["horse"]) < svg(view).count(plan["shapes"]["horse"])


def test_slots_are_numbered_and_seats_signed() -> None:
    view = horses(dice=None)
    assert [text for text in texts(view) if text.isdigit()] == ["1", "2", "3", "4"] * 4
    signs = {layout_of(view)["shapes"][f"sign-{seat}"] for seat in range(4)}
    assert len(signs) == 4
    assert all(sign in svg(view) for sign in signs)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("key", ["hands", "horses"])
def test_descriptions_are_in_the_language(key: str, lang: str) -> None:
    root = parsed(VIEWS[key], lang=lang)
    told = root[1].text or ""
    assert translate("South" if key == "hands" else "Red", lang) in told
    assert root.attrib["lang"] == lang
    assert "{" not in told
    assert lang == "en" or told != parsed(VIEWS[key])[1].text


def test_positions_and_matches_are_drawn_too() -> None:
    for name in muang.GAMES:
        match = muang.game(name).start(seed=3)
        assert svg(match) == svg(match.view())
        assert ElementTree.fromstring(svg(match.position)).tag == f"{SVG}svg"


def test_drawing_does_not_load_numba() -> None:
    code = (
        "import sys; from muang.records.picture import svg;"
        "view = {'game': 'mak-khum', 'board': {'S': [7] * 7, 'N': [7] * 7, 'stores': {'S': 0, 'N': 0}}};"
        "svg(view); sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_page_has_the_same_colours() -> None:
    sheet = (Path(muang.__file__).parent / "web" / "static" / "board.css").read_text(encoding="utf-8")
    light = sheet[sheet.index(".b-board {") : sheet.index("}")]
    shown = dict(re.findall(r"--b-([\w-]+): (#[0-9a-f]+);", light))
    assert {name: shown.get(name) for name in COLOURS} == dict(COLOURS)
