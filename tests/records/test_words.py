"""What happened, in sentences: the same words for the page, the terminal and the screen reader."""

from __future__ import annotations

from itertools import pairwise

import pytest

import muang
from muang import Match
from muang.i18n import placeholders
from muang.records import Record
from muang.records.words import SEAT_ARGS, SEAT_NAMES, Phrase, render, result_phrase, tell
from records.played import HORSES, SMALL, horses, sowing


def said(before: Match, after: Match, names: dict[object, str] | None = None) -> str:
    return render(tell(before, after), "en", names)


def history(match: Match) -> list[Match]:
    """The match after every transition of its replay."""
    steps = list(Record.from_match(match).transitions())
    return [steps[0].before, *(step.after for step in steps)]


def test_a_walk_that_rests() -> None:
    start = muang.game("mak-khum", "turns").start(first="S")
    assert said(start, start.play("S", "S1")) == "South lifts 7 seeds from S1. The last seed falls into South's store: South chooses again."


def test_a_walk_that_relays_and_dies() -> None:
    start = muang.game("mak-khum", "turns").start(first="S")
    assert said(start, start.play("S", "S2"), {"S": "An"}) == (
        "An lifts 7 seeds from S2 and sows 2 laps. An captures 8 seeds from N6; the walk dies in S2."
    )


def test_a_capture_and_the_end_of_a_round() -> None:
    line = "mak-khum rules=turns,rounds:2 round=1 first=S opened=S S=1,0,0,0,0,0,0/60 N=0,0,0,0,0,3,0/34 turn=S"
    before = muang.position(line).start()
    assert said(before, before.play("S", "S1")) == (
        "South lifts 1 seed from S1. South captures 3 seeds from N6; the walk dies in S2. Round 1 is over: South has 64 seeds, North 34. "
        "North has 3 widows: N1, N2, N3. South has more seeds and opens round 2."
    )


def test_store_landing_end() -> None:
    """MK-12: with ``end`` nobody chooses again."""
    start = muang.game("mak-khum", "chongka").start(first="S")
    assert said(start, start.play("S", "S1")) == "South lifts 7 seeds from S1. The last seed falls into South's store: the walk is over."


def test_abalalae_begins_with_its_race() -> None:
    start = muang.game("abalalae", "single").start(first="S")
    after = start.play("S", "S1")
    text = said(start, after)
    assert text.startswith("South lifts 4 seeds from S1")
    assert "captures" in text


def test_choices_at_once_are_not_told_too_early() -> None:
    """MK-24: of a choice that the other seat must not know, only that it has been made."""
    start = muang.game("mak-khum").start(first="N")
    one = start.play("S", "S1")
    assert said(start, one) == "South has chosen."
    both = one.play("N", "N2")
    assert said(one, both) == (
        "North lifts 7 seeds from N2. North's walk dies in S1. South lifts 7 seeds from S1. The last seed falls into South's store: "
        "South chooses again."
    )


def test_who_opens_after_a_race() -> None:
    """MK-22: the hand that died first."""
    match = sowing("mak-khum", {"ruleset": "single"}, "lockstep", 3)
    steps = history(match)
    index = next(i for i, at in enumerate(steps) if at.phase == "turn")
    opener = SEAT_NAMES[steps[index].turn]
    assert f"{opener} died first in the race and opens the turns." in said(steps[index - 1], steps[index])


def test_by_hand_in_turns_every_drop_is_told() -> None:
    match = muang.game("mak-khum", "turns").start(first="S", pace="by_hand")
    lifted = match.play("S", "S2")
    assert said(match, lifted) == "South lifts 7 seeds from S2."
    dropped = lifted.play("S", "drop")
    assert said(lifted, dropped) == "South drops a seed into S3."
    for _ in range(5):
        dropped = dropped.play("S", "drop")
    assert said(dropped, dropped.play("S", "drop")) == "South lifts 8 seeds from N1 and goes on."


def test_a_slip() -> None:
    """MK-44."""
    line = "mak-khum rules=trang round=2 first=S opened=N pace=by_hand:80 S=-,7,7,7,7,7,7/7 N=7,7,7,7,7,7,7/0 turn=N"
    match = muang.position(line).start().play("N", "N7")
    match = match.play("N", "drop")
    assert said(match, match.play("N", "slip")) == "North slips into the widow S1: the seed goes to South."


def test_a_void_input() -> None:
    match = muang.game("mak-khum").start(1, pace="by_hand", first="S").play("S", "S3", at=0)
    assert said(match, match.play("S", "drop", at=10)) == "South was not able to do that just then: nothing changes."


def test_horses() -> None:
    start = muang.game("ca-ngua").start(1, first=0)
    rolled = start.roll((3, 5))
    assert said(start, rolled) == "Red rolls 3 and 5: no move."
    assert said(rolled, rolled.roll((1, 6))) == "Yellow rolls 1 and 6."
    entered = rolled.roll((1, 6)).play(2, "stable-0")
    assert said(rolled.roll((1, 6)), entered) == "Yellow brings a horse onto the track. Yellow rolls again."
    again = muang.position("ca-ngua rules=phone seats=0,2 0=55,slot4 2=stable,stable turn=2").start().roll((2, 3))
    assert again.turn == 0
    line = "ca-ngua rules=phone seats=0,2 0=20,slot4 2=stable,stable turn=0 dice=6,6"
    match = muang.position(line).start()
    assert said(match, match.play(0, "20-32")) == "Red moves a horse from square 20 to square 32. Red rolls again."
    kick = muang.position("ca-ngua rules=phone seats=0,2 0=20,slot4 2=stable,0 turn=0 dice=3,5").start()
    assert said(kick, kick.play(0, "20-28")) == (
        "Red moves a horse from square 20 to square 28. Red kicks a horse of Yellow back to its stable."
    )
    lane = muang.position("ca-ngua rules=phone seats=0,2 0=50,slot4 2=stable,0 turn=0 dice=3,5").start()
    assert said(lane, lane.play(0, "50-slot3")) == (
        "Red moves a horse from square 50 into the lane, slot 3. Red wins: both horses stand in slots 4 and 3."
    )
    climb = muang.position("ca-ngua rules=phone seats=0,2 0=stable,slot1 2=stable,0 turn=0 dice=1,1").start()
    assert said(climb, climb.play(0, "slot1-slot2")) == "Red climbs to slot 2. Red rolls again."
    lost = muang.position("ca-ngua rules=phone seats=0,2 0=55,slot3 2=stable,0 turn=0").start()
    assert said(lost, lost.leave(0)) == "Red leaves the table; its horses are out of the game. Yellow wins: nobody else is left."


def test_the_extra_move() -> None:
    """CN-22."""
    match = muang.game("ca-ngua", doubles="extra").start(1, first=0).roll((3, 3))
    entered = match.play(0, "stable-0")
    assert said(match, entered) == "Red brings a horse onto the track. Red may move once more."
    assert said(entered, entered.play(0, "pass")) == "Red passes the extra move. Red rolls again."


def test_results() -> None:
    start = muang.game("mak-khum", "turns").start(first="S").play("S", "S2")
    assert said(start, start.leave("S", "resigned")) == "South resigns: North wins."
    assert said(start, start.leave("S", "flag")) == "South has run out of time: North wins."
    assert said(start, start.leave("S")) == "South has left: North wins."
    assert said(start, start.agree_draw()) == "The players agree on a draw."
    for line, text in (
        ("over=S:widows", "South wins: North has 3 widows to 0."),
        ("over=S:seeds", "South wins with 70 seeds to 28."),
        ("over=-:seeds", "The match is drawn: 70 seeds each."),
        ("over=S:broke", "South wins: North cannot fill a single hole."),
        ("over=S:all-seeds", "South wins with all 70 seeds."),
    ):
        match = muang.position(f"mak-khum rules=trang round=2 first=S S=0,0,0,0,0,0,0/70 N=0,0,0,0,0,0,0/28 {line}").start()
        assert render([result_phrase(match)]) == text
    with pytest.raises(ValueError, match="not over"):
        result_phrase(start)


@pytest.mark.parametrize(
    ("south", "north", "text"),
    [
        (49, 49, "The match is drawn: 0 widows each."),
        (56, 42, "South wins: North has 1 widow to 0."),
        (63, 35, "South wins: North has 2 widows to 0."),
    ],
)
def test_one_widow_is_no_widows(south: int, north: int, text: str) -> None:
    winner = "-" if south == north else "S"
    line = f"mak-khum rules=trang round=2 first=S S=0,0,0,0,0,0,0/{south} N=0,0,0,0,0,0,0/{north} over={winner}:widows"
    assert render([result_phrase(muang.position(line).start())]) == text


@pytest.mark.parametrize("pace", ["lockstep", "steady", "by_hand"])
def test_every_sentence_of_whole_matches_is_complete(pace: str) -> None:
    """No placeholder is left open, seats are seats, and the counts told of a match's rounds are those of its view."""
    matches = [sowing(name, options, pace, 2, 300) for name, options in SMALL]
    if pace == "lockstep":
        matches += [horses(options, (0, 1, 2, 3), 2) for options in HORSES]
    for match in matches:
        steps = history(match)
        over = []
        for before, after in pairwise(steps):
            for phrase in tell(before, after):
                assert placeholders(phrase.msgid) <= set(phrase.args)
                assert all(phrase.args[name] in match.seats for name in SEAT_ARGS if name in phrase.args)
                if phrase.msgid.startswith("Round {round} is over"):
                    over.append((phrase.args["round"], phrase.args["count"]))
            assert "{" not in said(before, after)
        if match.game.name != "ca-ngua":
            assert over == [(i, max(one["seeds"].values())) for i, one in enumerate(match.view()["rounds"], 1)]
        if match.result is not None:
            assert tell(steps[-2], steps[-1])[-1] == result_phrase(match)


def test_names_and_languages() -> None:
    phrase = Phrase("{seat} lifts {count} seeds from {hole}.", {"seat": "N", "count": 3, "hole": "N2"})
    assert render([phrase], "en", {"N": "สมชาย"}) == "สมชาย lifts 3 seeds from N2."
    for lang in ("th", "vi", "pt"):
        text = render([phrase], lang)
        assert "N2" in text
        assert "North" not in text
