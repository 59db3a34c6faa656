"""Owns the evaluation plot of a reviewed record: who stands how after every choice, and where it was thrown away. Judges nothing."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from muang.games.core import Seat
from muang.i18n import translate
from muang.lab.review import GRADES, Choice

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["FORMATS", "draw"]

FORMATS = ("svg", "png", "pdf")
COLOURS = ("#1b6ca8", "#c2402a", "#a67c00", "#2f7d4f")
MARKS = dict(zip(GRADES, ("o", "^", "X"), strict=True))
"""Told apart by their shape, not by colour alone."""
THAI = ("Noto Sans Thai", "Noto Sans Thai Looped", "Loma", "Garuda", "Norasi", "Sarabun", "Leelawadee UI", "Tahoma", "Thonburi")


def draw(
    choices: Sequence[Choice],
    seats: tuple[Seat, ...],
    name: Callable[[Seat], str],
    target: Path | IO[bytes],
    form: str = "svg",
    lang: str = "en",
    title: Callable[[str], str] = lambda lang: "",
) -> None:
    """Write the plot of ``choices`` to ``target`` in one of ``FORMATS``.

    With two seats it is one line, as the first of them sees it; with more, one for each seat. ``name`` gives the players' names, ``title``
    the heading in a language: Thai becomes English where letters have to be drawn and no font here has them.
    """
    import matplotlib
    from matplotlib.figure import Figure

    family, lang = _family(lang, form)
    rules: dict[Any, Any] = {
        "font.family": [*family, "DejaVu Sans"],
        "svg.fonttype": "none",
        "svg.hashsalt": "muang",
        "text.parse_math": False,
    }
    with matplotlib.rc_context(rules), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a letter that no font here has: in an SVG the reader's own fonts draw it
        figure = Figure(figsize=(max(7.0, min(16.0, 4 + 0.12 * len(choices))), 4.2), layout="constrained")
        axes = figure.add_subplot()
        _lines(axes, choices, seats, name)
        _rounds(axes, choices, lang)
        _faults(axes, choices, seats, lang)
        _frame(axes, choices, seats, name, lang)
        axes.set_title(title(lang))
        metadata: dict[str, Any] = {"Date": None} if form == "svg" else {}
        figure.savefig(target, format=form, dpi=150, metadata=metadata)


def _family(lang: str, form: str) -> tuple[list[str], str]:
    """A font with Thai letters if one is here, else English words where letters are drawn and not written."""
    from matplotlib import font_manager

    if lang != "th":
        return [], lang
    here = {font.name for font in font_manager.fontManager.ttflist}
    found = [font for font in THAI if font in here]
    return found[:1], lang if found or form == "svg" else "en"


def _height(choice: Choice, seats: tuple[Seat, ...]) -> float | None:
    """How high a choice stands in the plot: its value as the line's seat sees it."""
    return choice.for_seat(seats[0]) if len(seats) == 2 else choice.value


def _lines(axes: Axes, choices: Sequence[Choice], seats: tuple[Seat, ...], name: Callable[[Seat], str]) -> None:
    for number, seat in enumerate(seats if len(seats) > 2 else seats[:1]):
        points = [
            (place, height)
            for place, choice in enumerate(choices, 1)
            if (len(seats) == 2 or choice.seat == seat) and (height := _height(choice, seats)) is not None
        ]
        where: tuple[list[int], list[float]] = ([place for place, _ in points], [height for _, height in points])
        middle = 0.5 if choices and choices[0].unit == "chance" else 0.0
        axes.plot(*where, color=COLOURS[number], linewidth=1.6, label=name(seat))
        if len(seats) == 2 and points:
            axes.fill_between(*where, middle, color=COLOURS[number], alpha=0.15, linewidth=0)


def _rounds(axes: Axes, choices: Sequence[Choice], lang: str) -> None:
    """A line where each round begins, and where a race ends."""
    last: tuple[int, bool] | None = None
    for place, choice in enumerate(choices, 1):
        here = (choice.round, choice.racing)
        if choice.round and here != last:
            words = translate("race", lang) if choice.racing else translate("Round {round}", lang, round=choice.round)
            if last is not None:
                axes.axvline(place - 0.5, color="#888888", linewidth=0.8, linestyle=":")
            axes.annotate(words, (place - 0.4, 1.0), xycoords=("data", "axes fraction"), va="top", fontsize=8, color="#555555", rotation=90)
        last = here


def _faults(axes: Axes, choices: Sequence[Choice], seats: tuple[Seat, ...], lang: str) -> None:
    for grade, mark in MARKS.items():
        found = [
            (place, height) for place, one in enumerate(choices, 1) if one.grade == grade and (height := _height(one, seats)) is not None
        ]
        if found:
            across, up = zip(*found, strict=True)
            axes.scatter(across, up, marker=mark, s=42, color="#222222", zorder=3, label=translate(grade, lang))


def _frame(axes: Axes, choices: Sequence[Choice], seats: tuple[Seat, ...], name: Callable[[Seat], str], lang: str) -> None:
    axes.set_xlabel(translate("choices", lang))
    from matplotlib.ticker import MaxNLocator

    chance = bool(choices) and choices[0].unit == "chance"
    axes.axhline(0.5 if chance and len(seats) == 2 else 0, color="#444444", linewidth=0.8)
    if chance:
        axes.set_ylim(0, 1)
        axes.set_ylabel(
            translate("chance to win", lang) if len(seats) > 2 else translate("chance of {seat} to win", lang, seat=name(seats[0]))
        )
    else:
        axes.set_ylabel(translate("seeds of {seat} ahead at the end of the round", lang, seat=name(seats[0])))
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.margins(x=0.02)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="best", fontsize=8, frameon=False)
