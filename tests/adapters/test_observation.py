"""Observations: the position can be rebuilt from every one, nothing hidden is in them, and what is no observation is refused."""

from __future__ import annotations

import contextlib
import re

import numpy as np
import pytest

import muang
from adapters.conformance import RULESETS, walked
from muang.adapters.observation import MISSING, PER_WORD, decode, encode, form
from muang.errors import BadAction, BadPosition, BadRuleset, RulesError

OPTIONS = [
    ("mak-khum", {"holes": 3, "seeds": 2, "rounds": 4, "widows": "near", "opener": "smaller"}),
    ("mak-khum", {"ruleset": "songkhla", "holes": 15, "seeds": 8, "skip_origin": True, "capture_last": True, "max_rounds": 3}),
    ("mak-khum", {"race": "opening", "store_landing": "end", "slips": False, "choice_seconds": 30}),
    ("abalalae", {"columns": 4, "seeds": 2, "quiet_turns": 7, "race_rounds": "first", "race_loser": "stop_lap"}),
    ("abalalae", {"track": "courlander", "race": "none", "max_rounds": 5, "choice_seconds": 3600}),
    ("ca-ngua", {"doubles": "extra", "keep_repeat": False, "track": 52}),
    ("ca-ngua", {"gate": "jump", "turn_seconds": 20, "track": 48}),
]
GAMES = [*((name, {"ruleset": ruleset}) for name, ruleset in RULESETS), *OPTIONS]


def same(match: muang.Match) -> None:
    of = form(match.game)
    for seat in match.seats:
        seen = encode(match, seat)
        assert np.all((of.low <= seen) & (seen <= of.high))
        again = decode(seen)
        assert again == match.position
        assert str(again) == str(match.position)  # the ruleset's name too


@pytest.mark.parametrize(("name", "choices"), GAMES, ids=[" ".join(map(str, (name, *choices.values()))) for name, choices in GAMES])
def test_the_position_is_rebuilt_from_every_observation_of_random_play(name: str, choices: dict[str, object]) -> None:
    game = muang.game(name, **choices)  # type: ignore[arg-type]
    kinds = set()
    for seed in range(4):
        seats = {"seats": [(0, 2), (1, 2, 3), (0, 1, 2, 3), (1, 3)][seed]} if name == "ca-ngua" else {}
        met = list(walked(game.start(seed=seed, **seats), seed))  # type: ignore[arg-type]
        for match in met[seed :: 1 + len(met) // 60] + met[-1:]:
            same(match)
            line = str(match.position)
            kinds |= {match.phase, *(kind for kind in ("race=", "-,", "quiet=", "extra=", "opened=", "dice=") if kind in line)}
    expected = {"roll", "move", "over"} if name == "ca-ngua" else {"turn", "over"}
    if name == "mak-khum" and game.options["race"] != "none":
        expected |= {"race", "race="}
    if name == "abalalae":
        expected |= {"quiet="}
    assert expected <= kinds  # the sample has met what it should


def test_widows_left_seats_extra_choices_and_every_end_are_in_it() -> None:
    lines = [
        "mak-khum rules=trang round=2 first=S opened=N S=-,-,7,7,7,7,7/6 N=7,7,7,7,7,7,7/8 turn=S",
        "mak-khum rules=songkhla,widows:near round=5 first=N opened=S S=7,7,7,7,-,-,-/2 N=7,7,7,7,7,7,7/19 turn=N",
        "mak-khum rules=trang round=1 first=N S=7,7,7,7,7,7,7/0 N=7,7,7,7,7,7,7/0 race=N1,S2",
        "mak-khum rules=trang round=2 first=S opened=S S=0,0,0,0,0,0,0/49 N=0,0,0,0,0,0,0/49 over=-:widows",
        "abalalae rules=pankhurst round=3 first=S opened=S S=1,2,3,4,5,6,0,0,0/6 N=3,3,3,3,3,3,3,3,3/0 quiet=99 turn=N",
        "ca-ngua rules=phone,doubles:extra,keep_repeat:false seats=0,1,3 0=stable,3 1=slot1,slot2 3=stable,stable left=3 turn=0 dice=4,4 "
        "extra=true again=false",
        "ca-ngua rules=gate seats=0,2 0=slot3,slot4 2=stable,55 turn=-",
    ]
    for line in lines:
        match = muang.position(line).start()
        same(match)
        assert str(decode(encode(match, match.seats[-1]))) == line


@pytest.mark.parametrize("reason", ["left", "resigned", "flag"])
def test_a_match_that_was_left_in_the_middle(reason: str) -> None:
    match = muang.game("mak-khum").start(seed=5)
    for _ in range(5):
        seat = match.to_act[0]
        match = match.play(seat, match.legal(seat)[-1])
    same(match.leave("N", reason))
    same(match.agree_draw())
    same(muang.game("ca-ngua").start(seed=1, seats=(0, 1, 2)).leave(1, reason))


def test_nothing_tells_what_the_other_has_chosen_at_the_same_time() -> None:
    """MK-24: both choices are made before either is shown."""
    match = muang.game("mak-khum").start(seed=3)
    assert match.to_act == ("S", "N")
    seen = {choice: encode(match.play("S", choice), "N").tolist() for choice in match.legal("S")}
    assert {tuple(row) for row in seen.values()} == {tuple(encode(match, "N").tolist())}
    both = match.play("S", "S2").play("N", "N5")
    assert encode(both, "N").tolist() != seen["S2"]


def test_an_observation_is_told_from_the_seat_that_looks() -> None:
    """The same board seen from both sides is the same numbers, but for the seat's own."""
    south = muang.position("mak-khum rules=turns round=1 first=S opened=S S=0,1,2,3,4,5,6/20 N=9,8,7,6,5,4,3/15 turn=S").start()
    north = muang.position("mak-khum rules=turns round=1 first=N opened=N N=0,1,2,3,4,5,6/20 S=9,8,7,6,5,4,3/15 turn=N").start()
    a, b = encode(south, "S"), encode(north, "N")
    own = form(south.game).parts["seat"]
    assert (a[own], b[own]) == (0, 1)
    a[own] = b[own]
    assert a.tolist() == b.tolist()
    assert encode(south, "S")[form(south.game).parts["board"]].tolist() == [0, 1, 2, 3, 4, 5, 6, 20, 9, 8, 7, 6, 5, 4, 3, 15]


def test_what_a_learner_reads_of_a_race_is_what_everybody_sees() -> None:
    """Hands, who steps next and who has died, held to ``view`` and to the kernel's own rules."""
    game = muang.game("mak-khum", ruleset="songkhla")
    met = dead = 0
    for seed in range(60):
        for match in walked(game.start(seed=seed), seed, 12):
            if match.phase != "race":
                break
            parts = form(game).parts
            view = match.view()
            for who, (seat, other) in enumerate((("S", "N"), ("N", "S"))):
                seen = encode(match, seat)
                for i, each in enumerate((seat, other)):
                    hand = view["hands"][each]
                    place, seeds = seen[parts["hands"]][2 * i : 2 * i + 2].tolist()
                    assert seeds == (hand["seeds"] if hand else 0)
                    if hand:
                        names = game.layout.names  # type: ignore[attr-defined]
                        assert names[(place - 1 + who * len(names) // 2) % len(names)] == hand["at"]
                        met += 1
                    row_is_empty = not any(view["board"][each])
                    died = seen[parts["race"]][1 + i]
                    dead += int(died)
                    assert not (died and (hand or each in match.to_act))
                    # who has neither a hand nor a choice has died, or cannot choose yet, or waits for its step
                    assert died or hand or each in match.to_act or row_is_empty or view["chosen"] == [each]
                asked = [each in match.to_act or each in view["chosen"] for each in (seat, other)]
                assert seen[parts["to_act"]].astype(bool).tolist() == asked
    assert met > 10
    assert dead > 10


def test_whole_numbers_in_floats_are_read_too() -> None:
    match = muang.game("abalalae").start(seed=2)
    assert decode(encode(match, "N").astype(np.float32)) == match.position
    assert decode(encode(match, "N").tolist()) == match.position


def test_a_race_with_more_choices_than_fit_is_shown_and_not_decoded() -> None:
    """No such race is known: a match with a longer list of choices is made up from a shorter form."""
    match = muang.game("mak-khum", holes=1, seeds=1).start(seed=0)
    seen = encode(match, "S")
    trail = form(match.game).parts["trail"]
    assert PER_WORD * (trail.stop - trail.start) == PER_WORD * 2
    seen[trail.start] = MISSING
    with pytest.raises(BadPosition, match="more choices than"):
        decode(seen)


def garbage() -> list[tuple[str, object]]:
    fine = encode(muang.game("mak-khum").start(seed=1), "S")
    parts = form(muang.game("mak-khum")).parts

    def but(where: str | int, value: float) -> list[float]:
        row = [float(x) for x in fine]
        row[parts[where].start if isinstance(where, str) else where] = value
        return row

    return [
        ("one row of whole numbers", [[1, 2], [3, 4]]),
        ("one row of whole numbers", but(0, 0.5)),
        ("one row of whole numbers", np.array(["a"])),
        ("one row of whole numbers", but(0, float("nan"))),
        ("the last number names the game", []),
        ("the last number names the game", but(-1, 7)),
        ("cannot be read", [0]),
        ("an observation has", but(-1, 0)[:-5] + but(-1, 0)[-20:]),
        (r"number 0 \(board\) cannot be", but("board", 99)),
        (r"number 0 \(board\) cannot be", but("board", -1)),
        ("99 seeds, but mak-khum is played with 98", but("start", 8)),
        ("cannot have gone so", but("trail", 1 + 1 + (1 << 5) * 2)),
        ("no hole has the number", but("trail", 8)),
        ("an end needs a reason", but("over", 1)),
    ]


@pytest.mark.parametrize(("why", "row"), garbage(), ids=[f"{i} {re.sub(r'[^a-z ]', '', why)}" for i, (why, _) in enumerate(garbage())])
def test_what_is_no_observation_is_refused(why: str, row: object) -> None:
    with pytest.raises((BadPosition, BadRuleset), match=why):
        decode(row)  # type: ignore[arg-type]


def test_any_one_wrong_number_is_refused_or_another_position() -> None:
    """Never a crash: whatever number is put anywhere, there is a position that it stands for, or an error of ours."""
    for name, seat in (("mak-khum", "N"), ("abalalae", "S"), ("ca-ngua", 2)):
        game = muang.game(name)
        match = list(walked(game.start(seed=4), 4, 9))[-1]
        fine = encode(match, seat)
        for i in range(len(fine)):
            for value in (0, 1, 31, 10**9, -1):
                row = fine.astype(np.int64)
                row[i] = value
                with contextlib.suppress(RulesError):
                    found = decode(row)
                    assert muang.position(str(found)) == found


def test_who_cannot_look_is_told_so() -> None:
    match = muang.game("mak-khum").start(seed=1)
    with pytest.raises(BadAction, match="there is no seat 'X'"):
        encode(match, "X")
    with pytest.raises(BadAction, match="MK-24: a match at steady has no observation"):
        encode(muang.game("mak-khum").start(seed=1, pace="steady"), "S")
