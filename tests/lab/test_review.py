"""The review of a record: which choices it judges, what they lose, what that is called, and its plot. The search is a fake."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ElementTree

import pytest

import muang
from muang import Match
from muang.games.core import Seat
from muang.lab import evalplot
from muang.lab.review import GRADES, LOSSES, choices_of, grade_of, review, seeds_of, summaries
from muang.records import Record
from muang.search.limits import Info, Limits, Line, Stop
from records import played


def ladder(step: float, unit: str = "seeds"):
    """A search that finds the first legal action best and each further one ``step`` worse."""

    def analyse(match: Match, limits: Limits, *, seat: Seat, stop: Stop | None) -> Info:
        legal = match.legal(seat)
        assert limits.lines == len(legal)
        best = 0.75 if unit == "chance" else 30
        lines = tuple(Line(((seat, action),), best - step * place, exact=True) for place, action in enumerate(legal))
        return Info(seat, unit, lines, nodes=len(legal))

    return analyse


def turns_record() -> Record:
    match = muang.game("mak-khum", "turns").start(3, first="S")
    for n in range(14):
        seat = match.to_act[0]
        legal = match.legal(seat)
        match = match.play(seat, legal[n % len(legal)])
    assert match.result is None
    return Record.from_match(match, {"S": "An"})


def test_every_choice_is_judged_against_the_best() -> None:
    record = turns_record()
    choices = list(review(record, Limits(), ladder(4)))
    assert [(choice.seat, choice.action) for choice in choices] == [(entry.seat, entry.action) for entry in record.entries]
    match = record.start()
    for choice, entry in zip(choices, record.entries, strict=True):
        legal = match.legal(choice.seat)
        assert choice.best == 30
        assert choice.best_action == legal[0]
        assert choice.lost == 4 * legal.index(str(entry.action))
        assert choice.value == choice.best - choice.lost
        assert choice.exact
        match = match.apply(entry)


def test_what_a_loss_is_called() -> None:
    inaccuracy, mistake, blunder = GRADES
    assert [grade_of(lost, "seeds", 98) for lost in (0, 1.9, 2, 5, 6, 14, 15, 98)] == [
        "",
        "",
        inaccuracy,
        inaccuracy,
        mistake,
        mistake,
        blunder,
        blunder,
    ]
    assert [grade_of(lost, "seeds", 54) for lost in (0.9, 1, 3, 8)] == ["", *GRADES]
    assert [grade_of(lost, "chance") for lost in (0.019, 0.02, 0.05, 0.1)] == ["", *GRADES]
    # a board so small that no seed counts for a share: a seed is still something, half a seed is not
    assert grade_of(0.5, "seeds", 8) == ""
    assert grade_of(1, "seeds", 8) == blunder
    assert all(sorted(steps) == list(steps) for steps in LOSSES.values())


def test_seeds_are_counted_in_holes_stores_and_hands() -> None:
    match = muang.game("mak-khum", "turns").start(3, first="S")
    assert seeds_of(match) == 98
    assert seeds_of(match.play("S", "S3")) == 98
    assert seeds_of(muang.game("ca-ngua").start(1)) == 0


def test_a_forced_choice_has_no_name_and_is_not_counted() -> None:
    match = muang.position("mak-khum rules=turns round=1 first=S opened=S S=1,0,0,0,0,0,0/40 N=7,7,7,7,7,7,7/8 turn=S").start(0)
    assert match.legal("S") == ("S1",)
    record = Record.from_match(match.play("S", "S1"), position=str(match.position))
    choices = list(review(record, Limits(), ladder(50)))
    assert [choice.forced for choice in choices] == [True]
    assert choices[0].grade == ""
    assert summaries(choices, ("S", "N"))[0].choices == 0
    assert summaries(choices, ("S", "N"))[0].mean == 0


def test_a_seat_in_numbers() -> None:
    choices = list(review(turns_record(), Limits(), ladder(3)))
    south, north = summaries(choices, ("S", "N"))
    for summary in (south, north):
        own = [choice for choice in choices if choice.seat == summary.seat and not choice.forced]
        assert summary.choices == len(own) > 0
        assert summary.lost == sum(choice.lost for choice in own)
        assert summary.best == sum(choice.lost == 0 for choice in own)
        assert sum(summary.grades.values()) == sum(choice.grade != "" for choice in own)
    assert south.grades["inaccuracy"] + north.grades["inaccuracy"] + south.grades["mistake"] + north.grades["mistake"] > 0


def test_hidden_choices_are_judged_from_the_board_that_both_saw() -> None:
    match = muang.game("mak-khum", "trang").start(5).play("S", "S4").play("N", "N2")
    record = Record.from_match(match)
    seen = [board for _, board in choices_of(record)]
    assert [board.to_act for board in seen] == [("S", "N"), ("S", "N")]
    assert not any(board.view()["chosen"] for board in seen)


@pytest.mark.parametrize("pace", ["steady", "by_hand"])
def test_drops_and_inputs_that_came_to_nothing_are_no_choices(pace: str) -> None:
    match = played.sowing("mak-khum", {"holes": 3, "seeds": 3}, pace, 4, steps=200)
    record = Record.from_match(match)
    choices = list(review(record, Limits(), ladder(1)))
    entries = [entry for index, entry in enumerate(record.entries) if index not in record.voids]
    picks = [entry for entry in entries if entry.kind == "play" and entry.action not in ("drop", "slip")]
    assert 0 < len(choices) == len(picks)
    if pace == "by_hand":
        assert len(picks) < len(record.entries)


def test_a_lower_line_without_a_value_of_its_own_judges_nothing() -> None:
    def analyse(match: Match, limits: Limits, *, seat: Seat, stop: Stop | None) -> Info:
        legal = match.legal(seat)
        rest = tuple(Line(((seat, action),), 12, bound="upper") for action in legal[1:])
        return Info(seat, "seeds", (Line(((seat, legal[0]),), 12), *rest))

    match = muang.game("mak-khum", "turns").start(3, first="S").play("S", "S2")
    (choice,) = review(Record.from_match(match), Limits(), analyse)
    assert choice.value is None
    assert choice.grade == ""
    assert summaries([choice], ("S", "N"))[0].choices == 0


def test_a_review_ends_when_it_is_stopped() -> None:
    stop = Stop()
    choices = review(turns_record(), Limits(), ladder(1), stop)
    assert next(choices).index == 0
    stop.set()
    assert list(choices) == []


# ── the plot ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def svg(record: Record, choices: list, lang: str = "en", names=None) -> str:
    target = io.BytesIO()
    named = names or {}
    evalplot.draw(choices, record.seats, lambda seat: named.get(seat, str(seat)), target, "svg", lang, lambda lang: f"a title {lang}")
    return target.getvalue().decode()


def words(text: str) -> str:
    return " ".join(node.text or "" for node in ElementTree.fromstring(text).iter("{http://www.w3.org/2000/svg}text"))


def test_the_plot_is_an_svg_with_words() -> None:
    record = turns_record()
    choices = list(review(record, Limits(), ladder(2)))
    names = {"S": "An $x$ <b>", "N": "ก"}
    text = svg(record, choices, names=names)
    for word in ("a title en", "An $x$ <b>", "inaccuracy", "mistake", "Round 1", "choices"):
        assert word in words(text)
    assert text == svg(record, choices, names=names)  # nothing in it depends on when it was drawn


def test_the_plot_of_a_table_of_three_has_a_line_for_each() -> None:
    record = Record.from_match(played.horses({}, (0, 1, 2), 3, steps=120))
    choices = list(review(record, Limits(), ladder(0.03, "chance")))
    assert choices[0].unit == "chance"
    told = words(svg(record, choices, names={0: "Red one", 1: "Blue one", 2: "Yellow one"}))
    for name in ("Red one", "Blue one", "Yellow one", "chance to win"):
        assert name in told


def test_of_two_players_the_plot_shows_the_first_ones_view() -> None:
    record = Record.from_match(played.horses({}, (0, 2), 3, steps=200))
    choices = list(review(record, Limits(), ladder(0.03, "chance")))
    for choice in choices:
        assert choice.value is not None
        assert choice.for_seat(choice.seat) == choice.value
        other = 2 - int(choice.seat)
        assert choice.for_seat(other) == pytest.approx(1 - choice.value)
