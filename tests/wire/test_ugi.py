"""The text of the engine protocol: every line that can be sent is read as it was meant, and every other is refused with a reason."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import muang
from muang import BadAction, IllegalAction, RulesError
from muang.errors import BadFrame
from muang.wire import ugi

LINE = "mak-khum rules=turns round=1 first=S opened=S S=7,7,7,7,7,7,7/0 N=7,7,7,7,7,7,7/0 turn=S"


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("ugi", ugi.Hello()),
        ("  isready \r", ugi.Ready()),
        ("uginewgame", ugi.NewGame()),
        ("stop", ugi.Stop()),
        ("quit", ugi.Quit()),
        ("", None),
        (" \t ", None),
        ("setoption name Game value ca-ngua", ugi.SetOption("Game", "ca-ngua")),
        ("setoption  name  Two words  value  a  b ", ugi.SetOption("Two words", "a  b")),
        ("setoption name First value", ugi.SetOption("First", "")),
        ("setoption name Clear", ugi.SetOption("Clear", "")),
        ("position startpos", ugi.Place(None)),
        ("position startpos moves", ugi.Place(None)),
        ("position startpos moves S1 N:N3", ugi.Place(None, ("S1", "N:N3"))),
        (f"position fen {LINE}", ugi.Place(LINE)),
        (f"position fen {LINE} moves S3", ugi.Place(LINE, ("S3",))),
        ("dice 3 5", ugi.Dice((3, 5))),
        ("go", ugi.Go()),
        ("go infinite", ugi.Go(infinite=True)),
        ("go nodes 200 depth 3 movetime 50", ugi.Go(movetime=50, depth=3, nodes=200)),
        ("go seat N nodes 7", ugi.Go("N", nodes=7)),
        ("go seat 2", ugi.Go(2)),
        ("go level 3", ugi.Go(level="3")),
        ("go p1time 1000 p2time 0 p1inc 10 p4inc 3", ugi.Go(clocks={1: 1000, 2: 0}, gains={1: 10, 4: 3})),
        ("query turn", ugi.Query("turn")),
        ("query p2turn", ugi.Query("p2turn")),
        ("query legal N", ugi.Query("legal", "N")),
        ("query legal 3", ugi.Query("legal", 3)),
    ],
)
def test_every_command_is_read(line: str, command: ugi.Command | None) -> None:
    assert ugi.parse(line) == command


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("help", "no command 'help'.*allowed: ugi"),
        ("UGI", "no command"),
        ("ugi now", "stands alone"),
        ("setoption Game value mak-khum", "setoption name NAME value VALUE"),
        ("setoption name", "setoption name NAME"),
        ("setoption named X", "setoption name NAME"),
        ("position", "startpos"),
        ("position fen", "startpos"),
        ("position fen moves S1", "startpos"),
        ("position startpos S1", "startpos"),
        ("dice 3", "1 to 6"),
        ("dice 0 3", "1 to 6"),
        ("dice 3 5 6", "1 to 6"),
        ("dice ３ 5", "1 to 6"),
        ("go nodes", "nodes needs a whole number"),
        ("go nodes 0", "nodes needs"),
        ("go nodes -3", "nodes needs"),
        ("go nodes 1.5", "nodes needs"),
        ("go nodes 99999999999999999999", "nodes needs"),
        ("go nodes ５", "nodes needs"),
        ("go nodes 5 nodes 6", "stands twice"),
        ("go p5time 3", "does not know"),
        ("go p1time x", "p1time needs"),
        ("go seat X", "no seat 'X'"),
        ("go seat", "no seat"),
        ("go level", "level needs"),
        ("go fast", "does not know 'fast'.*allowed"),
        ("query", "questions are"),
        ("query p5turn", "questions are"),
        ("query turn S", "only legal"),
        ("query legal X", "no seat"),
        ("x" * (ugi.LONGEST + 1), "at most 1000000 characters"),
    ],
)
def test_every_other_line_is_refused_with_a_reason(line: str, why: str) -> None:
    with pytest.raises(BadFrame, match=why) as caught:
        ugi.parse(line)
    assert len(str(caught.value)) < 300


@given(
    st.text(max_size=60) | st.lists(st.sampled_from(["go", "position", "fen", "moves", "seat", "S", "1", "nodes", "name"])).map(" ".join)
)
def test_any_text_is_read_or_refused(line: str) -> None:
    try:
        ugi.parse(line)
    except BadFrame as error:
        told = ugi.one_line(f"error {error}")
        assert told.isprintable()


# ── words of a match ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def follow(match: muang.Match, *words: str) -> muang.Match:
    for word in words:
        match = ugi.follow(match, word)
    return match


def test_a_turn_by_its_words() -> None:
    match = muang.game("mak-khum", "turns").start(first="S")
    assert follow(match, "S1", "S:S2").log == match.play("S", "S1").play("S", "S2").log
    assert follow(match, "N:resigned").result == match.leave("N", "resigned").result
    assert follow(match, "draw").result == match.agree_draw().result


def test_a_race_at_lockstep_and_in_time() -> None:
    match = muang.game("mak-khum").start(first="S")
    assert follow(match, "S1", "N:N3").log == match.play("S", "S1").play("N", "N3").log
    live = muang.game("mak-khum").start(first="S", pace="by_hand")
    assert (
        follow(live, "S:S1@100", "N:N3@120", "S:drop@400").log == live.play("S", "S1", 100).play("N", "N3", 120).play("S", "drop", 400).log
    )
    with pytest.raises(BadAction, match=r"'drop' needs its seat.*S:drop, N:drop"):
        follow(live, "drop")
    steady = muang.game("mak-khum").start(first="S", pace="steady")
    assert follow(steady, "S1@0", "@600").view() == steady.play("S", "S1", 0).at(600).view()


def test_horses_by_their_words() -> None:
    match = muang.game("ca-ngua").start(first=0, seats=(0, 1, 3))
    after = follow(match, "3-3:", "stable-0", "6-6:", "0:0-12", "1:left")
    assert after.log == match.roll((3, 3)).play(0, "stable-0").roll((6, 6)).play(0, "0-12").leave(1).log


@pytest.mark.parametrize(
    "word", ["", "S", "S1 S2", "S:", ":S1", "7-3:", "3-5", "S:@3", "S1@", "S1@x", "é", "@", "stable-0-1", "X:S1", "9:pass"]
)
def test_words_that_are_none(word: str) -> None:
    with pytest.raises(RulesError):
        ugi.follow(muang.game("mak-khum", "turns").start(first="S"), word)


def test_what_the_rules_do_not_allow_keeps_its_clause() -> None:
    with pytest.raises(IllegalAction):
        ugi.follow(muang.game("mak-khum", "turns").start(first="S"), "N1")
    with pytest.raises(IllegalAction, match="no dice"):
        ugi.follow(muang.game("mak-khum", "turns").start(first="S"), "3-3:")


def test_whose_turn_and_who_has_won() -> None:
    race = muang.game("mak-khum").start(first="S")
    assert ugi.turn_words(race) == "S N"
    assert ugi.turn_words(race.play("S", "S1")) == "N"
    horses = muang.game("ca-ngua").start(first=3, seats=(0, 1, 3))
    assert ugi.turn_words(horses) == "dice 3"
    assert ugi.result_word(horses) == "none"
    assert ugi.result_word(horses.leave(0).leave(1)) == "p3win"
    drawn = race.agree_draw()
    assert (ugi.turn_words(drawn), ugi.result_word(drawn)) == ("none", "draw")


# ── answers ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_what_an_engine_says_can_be_read_back() -> None:
    line = ugi.info("seeds", -4, [("S", "S3"), ("N", "N2")], depth=3, nodes=500, time_ms=10, exact=True, table="16 seeds", racing=True)
    assert line == "info depth 3 multipv 1 score seeds -4 exact nodes 500 time 10 nps 50000 table 16_seeds pv S:S3 N:N2"
    reply = ugi.read_reply(line)
    assert reply is not None
    assert dict(reply.values()) == {
        "depth": "3",
        "multipv": "1",
        "seeds": "-4",
        "bound": "exact",
        "nodes": "500",
        "time": "10",
        "nps": "50000",
        "table": "16_seeds",
        "pv": "S:S3 N:N2",
    }
    assert "score chance 0.513865849 lowerbound nodes" in ugi.info("chance", 0.5138658491, [], rank=2, bound="lower")


@pytest.mark.parametrize(
    ("line", "action"),
    [
        (ugi.best("S", "S3"), "S3"),
        (ugi.best("N", "drop", True), "drop"),
        (ugi.best(2, "slot1-slot2"), "slot1-slot2"),
        (ugi.best(None, "roll"), "roll"),
    ],
)
def test_best_moves(line: str, action: str) -> None:
    reply = ugi.read_reply(line + "\n")
    assert reply is not None
    assert (reply.kind, reply.action) == ("bestmove", action)


def test_replies_that_mean_nothing() -> None:
    assert ugi.read_reply(" \n") is None
    assert ugi.best(None, None) == "bestmove none"
    for line in ("bestmove", "bestmove ??? x", "info", "info score", "info pv", "info depth", "\x00"):
        reply = ugi.read_reply(line)
        assert reply is not None
        assert isinstance(reply.action, str)
        assert dict(reply.values()) is not None


def test_options_are_told() -> None:
    assert ugi.option("Seed", "spin", "0", least=0, most=9) == "option name Seed type spin default 0 min 0 max 9"
    assert ugi.option("First", "string", "") == "option name First type string default <empty>"
    assert ugi.option("Pace", "combo", "a", choices=("a", "b")) == "option name Pace type combo default a var a var b"
