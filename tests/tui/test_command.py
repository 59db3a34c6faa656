"""``muang tui`` as it is typed: what cannot be is told in one line before the screen is taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from muang.cli import run
from muang.cli.tui import LETTERS, _plan, _shows


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("--game mak-khum --players person,level-9", "there is no player 'level-9'"),
        ("--game mak-khum --players person", "--players needs 2"),
        ("--game chess", "there is no game 'chess'"),
        ("--game mak-khum --pace quickly", "there is no pace 'quickly'"),
        ("--game mak-khum --first W", "nobody sits at W"),
        ("--game ca-ngua --seats 0,9", "nobody can sit at 0,9"),
        ("--game mak-khum --option holes=99", "holes"),
        ("--game mak-khum --tempo 0", "tempo cannot be 0"),
        ("--game mak-khum --names a,b,c", "2 seats and 3 names"),
        ("--players person,person", "need a --game"),
        ("--speed warp", "there is no speed 'warp'"),
        ("nowhere.txt", "neither a link"),
        ("http://127.0.0.1/nothing", "is no link to a match"),
        ("http://127.0.0.1:8642/play/x --game mak-khum", "one of them"),
        ("--lang xx", "there is no language 'xx'"),
        ("", "this needs a terminal"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(arguments: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tui", *arguments.split()]) == 2
    said = capsys.readouterr().err
    assert told in said
    assert said.count("\n") == 1


def test_options_describe_a_match(tmp_path: Path) -> None:
    plan = _plan("ca-ngua", "gate", ["track=48"], "", (250, 80), "person,greedy,level-3", "0,1,3", "An", "3", 7)
    setup, tokens = plan.setup()
    assert [(seat.seat, seat.kind, seat.player, seat.name) for seat in setup.seats] == [
        (0, "person", None, "An"),
        (1, "computer", "greedy", ""),
        (3, "computer", "level-3", ""),
    ]
    assert (setup.first, setup.seed, setup.options["track"], setup.ruleset, list(tokens)) == (3, 7, 48, "gate", [0])
    assert _plan("abalalae", None, None, "", (250, 80), "", "", "", "", None).pace == "by_hand"
    assert not list(tmp_path.iterdir())


def test_a_terminal_without_these_letters_gets_plain_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    class Ascii:
        encoding = "ANSI_X3.4-1968"

    monkeypatch.setattr("sys.stdout", Ascii())
    assert not _shows(LETTERS)
    monkeypatch.setattr(Ascii, "encoding", "utf-8")
    assert _shows(LETTERS)
