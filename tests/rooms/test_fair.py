"""Lots that anybody may check (CN-50): golden vectors, made by a second program from the words of ``rooms.fair`` alone, and no favour."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from muang.rooms.fair import Lots
from muang.wire import commitment_of

VECTORS: dict[str, list[dict[str, Any]]] = json.loads((Path(__file__).parent / "dice-vectors.json").read_text(encoding="utf-8"))
SECRET = "0123456789abcdef" * 4


def test_there_are_enough_golden_vectors() -> None:
    assert len(VECTORS["lots"]) >= 20


@pytest.mark.parametrize("vector", VECTORS["lots"], ids=lambda vector: vector["match"][:12])
def test_golden(vector: dict[str, Any]) -> None:
    lots = Lots(vector["secret"], vector["match"], dict(vector["entropy"]))
    assert commitment_of(vector["secret"]) == vector["commitment"]
    assert lots.first(vector["seats"]) == vector["first"]
    assert str(lots.seed()) == vector["seed"]
    assert [list(lots.dice(i)) for i in range(len(vector["dice"]))] == vector["dice"]
    far, pair = vector["far"]
    assert list(lots.dice(far)) == pair


def test_the_vectors_pass_bytes_over() -> None:
    """Without a lot whose first byte is too high, the golden vectors would say nothing about rejection."""
    high = 0
    for vector in VECTORS["lots"]:
        lots = Lots(vector["secret"], vector["match"], dict(vector["entropy"]))
        high += sum(lots._bytes("dice", i, 0)[0] >= 252 for i in range(len(vector["dice"])))
    assert high >= 5


def test_every_part_of_the_message_counts() -> None:
    base = Lots(SECRET, "m", {"S": "a", "N": "b"})
    others = [
        Lots("f" * 64, "m", {"S": "a", "N": "b"}),
        Lots(SECRET, "n", {"S": "a", "N": "b"}),
        Lots(SECRET, "m", {"S": "b", "N": "a"}),
        Lots(SECRET, "m", {"S": "a"}),
        Lots(SECRET, "m", {"N": "b"}),
        Lots(SECRET, "m", {}),
    ]
    rolls = [tuple(lots.dice(i) for i in range(30)) for lots in (base, *others)]
    assert len(set(rolls)) == len(rolls)
    assert len({lots.seed() for lots in (base, *others)}) == len(rolls)


def test_what_is_hashed_is_as_documented() -> None:
    lots = Lots(SECRET, "abc", {0: "left", 2: "right"})
    assert lots.message("dice", 7) == b"muang lots 1\nmatch abc\nentropy 0 left\nentropy 2 right\nlot dice 7 0\n"


def test_a_lot_of_high_bytes_takes_the_next_counter(monkeypatch: pytest.MonkeyPatch) -> None:
    lots = Lots(SECRET, "abc", {})
    asked: list[int] = []

    def high(label: str, number: int, counter: int) -> bytes:
        asked.append(counter)
        return b"\xfc\xff" * 16 if counter < 2 else b"\xfe\xfb" + b"\x00" * 30

    monkeypatch.setattr(lots, "_bytes", high)
    assert lots.dice(0) == (251 % 36 // 6 + 1, 251 % 6 + 1)
    assert asked == [0, 1, 2]


def test_no_pair_and_no_seat_is_favoured() -> None:
    """Chi-square with 35 degrees of freedom over 36,000 rolls: below 66.6 in 999 of 1,000 seeds; the seed is fixed."""
    lots = Lots(SECRET, "many", {"S": "a"})
    pairs = Counter(lots.dice(i) for i in range(36_000))
    assert len(pairs) == 36
    assert sum((count - 1000) ** 2 / 1000 for count in pairs.values()) < 66.6
    for seats in (("S", "N"), (0, 1, 2), (0, 1, 2, 3)):
        firsts = Counter(Lots(SECRET, f"m{i}", {}).first(seats) for i in range(3000))
        fair = 3000 / len(seats)
        assert sum((firsts[seat] - fair) ** 2 / fair for seat in seats) < 16.3


@pytest.mark.parametrize(
    ("secret", "match", "entropy", "what"),
    [
        ("0" * 63, "m", {}, "64 hexadecimal"),
        ("G" * 64, "m", {}, "64 hexadecimal"),
        ("A" * 64, "m", {}, "64 hexadecimal"),
        ("0" * 64 + "\n", "m", {}, "64 hexadecimal"),
        (SECRET, "m\nentropy S a", {}, "id of a match"),
        (SECRET, "", {}, "id of a match"),
        (SECRET, "m", {"S": "a\nlot dice 0 0"}, "seat S"),
        (SECRET, "m", {"S": ""}, "seat S"),
        (SECRET, "m", {"S": "x" * 65}, "seat S"),
    ],
)
def test_ambiguous_words_are_refused(secret: str, match: str, entropy: dict[Any, str], what: str) -> None:
    with pytest.raises(ValueError, match=what):
        Lots(secret, match, entropy)
