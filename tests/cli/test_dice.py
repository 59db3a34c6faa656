"""``muang dice verify`` and the judging of ``muang replay --verify``: an honest record passes, every change of it is found."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import muang
from muang.cli import run
from muang.records import Record, text
from muang.records import json as record_json
from muang.records.arrival import Arrival
from muang.records.proof import Proof
from muang.rooms.fair import Lots
from muang.wire import commitment_of

SECRET = "5a" * 32
ENTROPY = {0: "left", 2: "right"}


def played(over: bool = True) -> Record:
    """A match of Cờ cá ngựa whose lots come from ``SECRET``; it ends by resigning after 30 rolls."""
    lots = Lots(SECRET, "abc", ENTROPY)
    match = muang.game("ca-ngua").start(lots.seed(), first=lots.first((0, 2)), seats=(0, 2))
    rolls = 0
    while rolls < 30 or match.phase == "move":
        if match.phase == "roll":
            match = match.roll(lots.dice(rolls))
            rolls += 1
        else:
            match = match.play(match.turn, match.legal(match.turn)[0])
    if over:
        match = match.leave(0, "resigned")
    proof = Proof("abc", commitment_of(SECRET), SECRET if over else None, ENTROPY)
    return Record.from_match(match, {0: "An"}, tags=proof.tags(), tell_seed=over)


def verify(record: Record, folder: Path, *options: str, form: str = "txt") -> int:
    path = folder / f"match.{form}"
    path.write_text(text.write(record) if form == "txt" else record_json.write(record), encoding="utf-8")
    return run(["dice", "verify", str(path), *options])


@pytest.mark.parametrize("form", ["txt", "json"])
def test_an_honest_record_fits(tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    assert verify(played(), tmp_path, form=form) == 0
    told = capsys.readouterr().out
    assert "commitment, first, seed and 30 rolls: every lot fits" in told
    assert "doubles" in told


def test_the_noted_commitment_has_to_be_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(played(), tmp_path, "--commitment", commitment_of(SECRET).upper()) == 0
    assert verify(played(), tmp_path, "--commitment", commitment_of("00" * 32)) == 1
    assert "not the one that you were shown" in capsys.readouterr().err


def test_every_changed_roll_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = played()
    entries = list(record.entries)
    index = [i for i, entry in enumerate(entries) if entry.kind == "roll"][11]
    one, two = entries[index].dice or (0, 0)
    entries[index] = replace(entries[index], dice=(one % 6 + 1, two))
    assert verify(replace(record, entries=tuple(entries)), tmp_path) == 1
    told = capsys.readouterr().out
    assert f"roll 12 does not fit: {one % 6 + 1}-{two} in the record, {one}-{two} from the secret" in told
    assert "1 of 33 do not fit" in told


@pytest.mark.parametrize(
    ("tag", "value", "what"),
    [
        ("Secret", "5b" * 32, "commitment"),
        ("Match", "abd", "seed"),
        ("Entropy", "0:left 2:wrong", "seed"),
        ("Entropy", "0:left", "seed"),
        ("Commitment", "00" * 32, "commitment"),
    ],
)
def test_every_part_is_held_to_the_secret(tmp_path: Path, capsys: pytest.CaptureFixture[str], tag: str, value: str, what: str) -> None:
    record = played()
    assert verify(replace(record, tags={**record.tags, tag: value}), tmp_path) == 1
    assert f"{what} does not fit" in capsys.readouterr().out


def test_who_is_first_is_checked_where_it_was_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = played()
    other = 2 if record.first == 0 else 0
    assert verify(replace(record, first=other), tmp_path) == 1
    assert "first does not fit" in capsys.readouterr().out
    assert verify(replace(record, first=other, tags={**record.tags, "FirstBy": "choice"}), tmp_path) == 0


def test_the_order_of_the_words_does_not_matter(tmp_path: Path) -> None:
    record = played()
    assert verify(replace(record, tags={**record.tags, "Entropy": "2:right 0:left"}), tmp_path) == 0


def test_what_cannot_be_checked_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(played(over=False), tmp_path) == 1
    assert "its secret is not in it yet" in capsys.readouterr().err
    assert verify(replace(played(), tags={}), tmp_path) == 1
    assert "it has no commitment" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("tag", "value"),
    [
        ("Secret", "xyz"),
        ("Commitment", "A" * 64),
        ("Match", "a b"),
        ("Match", ""),
        ("Entropy", "0:left 0:again"),
        ("Entropy", "1:left"),
        ("Entropy", "0:"),
        ("Entropy", "left"),
        ("FirstBy", "me"),
    ],
)
def test_tags_that_cannot_be_read_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str], tag: str, value: str) -> None:
    record = played()
    assert verify(replace(record, tags={**record.tags, tag: value}), tmp_path) == 2
    assert f"the tag {tag} " in capsys.readouterr().err


def test_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(played(), tmp_path, "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["fits"]
    assert report["match"] == "abc"
    assert sum(mine["total"] for mine in report["counts"].values()) == 30
    for seat, mine in report["counts"].items():
        assert sum(mine["faces"]) == 2 * mine["total"] == pytest.approx(sum(report["expected"][seat]["faces"]))


# ── races ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def raced(**tags: str) -> Record:
    match = muang.game("mak-khum").start(1, pace="by_hand", first="S")
    arrivals = {}
    for index, (seat, action, at, lag) in enumerate((("S", "S1", 100, 10), ("N", "N2", 160, 120), ("S", "drop", 295, 0))):
        match = match.play(seat, action, at=at)
        arrivals[index] = Arrival(lag, 1 if seat == "S" else 2, 5000 + at, -5000)
    return Record.from_match(match, arrivals=arrivals, tags={"MaxLag": "250", **tags})


def replayed(record: Record, folder: Path) -> int:
    path = folder / "race.txt"
    path.write_text(text.write(record), encoding="utf-8")
    return run(["replay", str(path), "--verify"])


def test_an_honest_race_is_judged_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert replayed(raced(), tmp_path) == 0
    assert "3 actions, 3 of them judged by their times, the same end" in capsys.readouterr().out


def test_a_misjudged_input_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = raced()
    moved = replace(record, arrivals={**record.arrivals, 1: replace(record.arrivals[1], client_at=5100)})
    assert replayed(moved, tmp_path) == 1
    assert "action 2: it counts at 160 ms; by its arrival and its client's clock it should at 100 ms" in capsys.readouterr().out
    assert replayed(raced(MaxLag="50"), tmp_path) == 1
    assert "action 2: it counts at 160 ms; by its arrival and its client's clock it should at 230 ms" in capsys.readouterr().out


def test_it_is_said_who_wins_by_the_right_times(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both hands of Abalala'e are dropped to the end, North's a little behind; then its inputs are found to count much earlier."""
    match = muang.game("abalalae", "single").start(1, pace="by_hand", first="S")
    arrivals, at = {}, 200
    while match.phase == "race":
        at += 100
        for seat, moment in (("S", at), ("N", at + 10)):
            if match.phase == "race" and match.legal(seat):
                arrivals[len(match.log)] = Arrival(0, 1 if seat == "S" else 2, moment, 0)
                match = match.play(seat, "drop", at=moment)
    winner, loser = match.turn, "N" if match.turn == "S" else "S"
    record = Record.from_match(match, arrivals=arrivals, tags={"MaxLag": "250"})
    assert replayed(record, tmp_path) == 0
    late = {index: replace(came, offset=-90 if record.entries[index].seat == loser else 0) for index, came in arrivals.items()}
    assert replayed(replace(record, arrivals=late), tmp_path) == 1
    assert f"race 1: judged rightly, {loser} moves first, not {winner}" in capsys.readouterr().out


def test_a_race_without_its_bound_cannot_be_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert replayed(replace(raced(), tags={}), tmp_path) == 1
    assert "the tag MaxLag is missing" in capsys.readouterr().out
    assert replayed(raced(MaxLag="soon"), tmp_path) == 2
    assert "the tag MaxLag must be a number" in capsys.readouterr().err
