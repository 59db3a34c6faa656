"""Boards drawn with letters: everything is told without colours, fits, and is plain ASCII where it has to be."""

from __future__ import annotations

import random
from typing import Any

import pytest
from rich.cells import cell_len

from muang.games.core import game
from muang.i18n import LANGUAGES, translate
from muang.records.rows import rows_of
from muang.tui import keys, track, words
from muang.tui.boards import Look, draw_sowing, size_of
from muang.tui.fold import Board, Mark
from muang.tui.paint import style_of
from muang.tui.plain import harmless, plainly

SIZES = [(80, 12), (120, 28)]
SOWING: list[tuple[str, dict[str, Any]]] = [
    ("mak-khum", {}),
    ("mak-khum", {"holes": 15}),
    ("mak-khum", {"holes": 1, "seeds": 3}),
    ("abalalae", {}),
    ("abalalae", {"columns": 10}),
    ("abalalae", {"columns": 2}),
]


def laid_out(name: str, options: dict[str, Any], pace: str = "by_hand") -> tuple[dict[str, Any], Board]:
    view = game(name, **options).start(1, pace=pace).view()
    board = Board()
    board.show(view)
    return view, board


@pytest.mark.parametrize("plain", [False, True], ids=["signs", "ascii"])
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize(("name", "options"), SOWING, ids=str)
def test_every_hole_stands_on_the_board(name: str, options: dict[str, Any], size: tuple[int, int], plain: bool) -> None:
    view, board = laid_out(name, options)
    board.hands = {}
    lots = random.Random(3)
    for hole in board.counts:
        board.counts[hole] = lots.choice([None, 0, 3, 98] if not hole.endswith("H") else [0, 98])
    sheet = draw_sowing(view, board, Look(), style_of(plain, False, True), *size)
    lines = sheet.lines()
    assert (sheet.width, sheet.height) == size_of(view, *size) == (len(lines[0]), len(lines))
    assert sheet.width <= size[0]
    assert all(cell_len(line) == sheet.width for line in lines)
    whole = "\n".join(lines)
    assert whole.isascii() == plain
    for x, y, wide, high, hole in sheet.areas:
        inside = "\n".join(line[x : x + wide] for line in lines[y : y + high]).split()
        assert inside[0] == hole
        seeds = board.counts[hole]
        assert inside[-1] == ("x" if plain else "×") if seeds is None else inside[-1] == str(seeds)
    assert [area[4] for area in sheet.areas] == [hole for row in rows_of(view) for hole in row]


def test_a_larger_terminal_shows_a_larger_board() -> None:
    for name in ("mak-khum", "abalalae"):
        view, board = laid_out(name, {})
        small, large = (
            draw_sowing(view, board, Look(), style_of(False, False, True), *size)
            for size in ((80, 13 if name[0] == "a" else 12), (120, 28))
        )
        assert small.width < large.width
        assert "●●●" in "\n".join(large.lines())
        assert "●" not in "\n".join(small.lines())


def test_what_colour_says_is_said_by_letters() -> None:
    view, board = laid_out("mak-khum", {})
    board.marks = {"S": Mark("S3", 7, "S6", {"N2": 9})}
    board.hands = {"S": {"at": "S6", "seeds": 4}, "N": {"at": "S6", "seeds": 12}}
    look = Look(focus="S1", legal=["S1"], hint="S2", path={"S7": 6})
    for plain, wanted in (
        (False, ("↑7", "−9", "•", "▲4", "▼12", "[ 7 ]", "★", "+6")),
        (True, ("^7", "-9", "*", "S4", "N12", "[ 7 ]", "!", "+6")),
    ):
        lines = draw_sowing(view, board, look, style_of(plain, False, True), 80, 12).lines()
        for sign in wanted:
            assert sign in "\n".join(lines), sign


def test_a_board_turned_round_is_turned_not_mirrored() -> None:
    for name in ("mak-khum", "abalalae"):
        view, _ = laid_out(name, {})
        assert [row[::-1] for row in rows_of(view)][::-1] == rows_of(view, flipped=True)
    assert rows_of(laid_out("mak-khum", {})[0])[1] == ["S7", "S6", "S5", "S4", "S3", "S2", "S1"]  # the store at the left end (MK-3)


@pytest.mark.parametrize("plain", [False, True], ids=["signs", "ascii"])
@pytest.mark.parametrize("squares", [56, 52, 48])
def test_the_track_shows_every_horse_once(squares: int, plain: bool) -> None:
    view = game("ca-ngua", track=squares).start(1, seats=(0, 1, 2, 3)).view()
    board = Board()
    board.show(view)
    board.horses = {"0": [0, "slot4"], "1": ["stable", 5], "2": ["stable", "stable"], "3": [squares - 1, "slot1"]}
    for size in ((49, 20), (88, 36)):
        sheet = track.draw_horses(view, board, None, style_of(plain, False, True), *size)
        whole = "\n".join(sheet.lines())
        assert whole.isascii() == plain
        assert sheet.width <= size[0]
        for letter in "RBYG":
            for number in "12":
                assert whole.count(f"{letter}{number}") == 1
    assert track.size_of(squares, 88, 36)[0] > track.size_of(squares, 49, 20)[0]


def test_the_chosen_move_and_whom_it_kicks_are_shown() -> None:
    view = game("ca-ngua").start(1).view()
    board = Board()
    board.show(view)
    board.horses = {"0": ["stable", 3], "2": ["stable", 40]}
    style = style_of(True, False, True)
    free = track.draw_horses(view, board, track.Pointer("0", 3, 9), style, 49, 20)
    assert "[]" in "\n".join(free.lines())
    board.horses["2"] = ["stable", 37]  # 37 + 28 = 65, square 9 of the track
    kicks = track.draw_horses(view, board, track.Pointer("0", 3, 9, 2), style, 49, 20)
    assert "Yx" in "\n".join(kicks.lines())
    assert "Y2" not in "\n".join(kicks.lines())


def test_dice_have_as_many_pips_as_they_say() -> None:
    for one in range(1, 7):
        plain = track.dice_text((one, 7 - one), style_of(True, False, True), True).plain
        left = "".join(line[:9] for line in plain.split("\n"))
        assert (left.count("o"), plain.count("o")) == (one, 7)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_sign_of_a_cell_depends_on_the_language(lang: str) -> None:
    """No Thai in aligned cells: letters and signs of seats are the same in every language, and every key has a text in it."""
    assert all(len(letter) == cell_len(letter) == 1 and letter.isascii() for letter in words.LETTERS.values())
    assert all(cell_len(words.sign(seat, False)) == 1 for seat in words.LETTERS)
    for where in ("sowing", "horses", "record"):
        for key in keys.keys_for(where):
            assert not key.text or translate(key.text, lang)
            assert cell_len(key.shown) <= 12
        told = [key.text for key in keys.keys_for(where) if key.text]
        assert len(set(told)) == len(told), "no two keys of one screen say the same"


def test_a_key_that_is_held_down_counts_once() -> None:
    held = keys.Held()
    presses = [held.repeats("space", at) for at in (0, 500, 533, 566, 599, 900)]
    assert presses == [False, False, True, True, True, False]
    assert not held.repeats("enter", 901)  # another finger


def test_thai_letters_are_read_as_what_stands_on_the_key() -> None:
    assert "".join(keys.latin(letter, "th") for letter in "ๆไำพะัีรน") == keys.NORTH_HOLES
    assert "".join(keys.latin(letter, "th") for letter in "ฟหก") == keys.NORTH_DROPS
    assert "".join(keys.latin(letter, "th") for letter in "ฤฆฏ") == keys.NORTH_SLIPS
    assert "".join(keys.latin(letter, "th") for letter in "ๅ/-ภถ") == "12345"
    assert keys.latin("/", "en") == "/"


@pytest.mark.parametrize("text", ["Cờ cá ngựa · Bắc đã chọn …", "┌──┬──┐│ ├┤ ┗━┛ ▔▁█", "ฝ่ายใต้", "“Đá” → ← ↑ ↓ − ×", "南 北"])
def test_plain_text_is_ascii_and_as_wide(text: str) -> None:
    bare = plainly(text, letters=True)
    assert bare.isascii()
    assert cell_len(bare) == cell_len(text)
    signs = plainly(text, letters=False)
    assert all(one == two for one, two in zip(signs, text, strict=True) if two.isalpha())
    assert plainly("Cờ cá ngựa", letters=True) == "Co ca ngua"


def test_nothing_that_commands_a_terminal_comes_through() -> None:
    assert harmless("Lan\x1b[2J\x07\x9b31m\u202eNam\u200d\n") == "Lan[2J31mNam\u200d"
    assert harmless("หมิว Bắc") == "หมิว Bắc"
