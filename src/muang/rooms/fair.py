"""Owns every lot of a match that anybody may check: dice, who is ``first``, the seed of computer players (CN-50). Reads no clock, draws
nothing at random, knows no game.

All lots come from a secret that was fixed before anybody could mix anything in. The server shows ``SHA-256(secret)`` first (the
commitment), the players mix in words of their own, the secret is told when the match is over. Lot ``number`` of a ``label`` is read
from the bytes of

    HMAC-SHA-256(key = the 32 bytes of the secret, message)

where the message is these lines in UTF-8, each ended by a line feed (U+000A):

    muang lots 1
    match <the match's id>
    entropy <seat> <word>          one line for each seat that mixed something in, in the order of the seats
    lot <label> <number> <counter>

Ids and words hold neither spaces nor line feeds, so no two different inputs give the same message. ``counter`` begins at 0.

- ``dice``, number ``i`` (rolls are counted from 0): the first byte ``b`` of the 32 that is below 252 = 7 · 36; the dice are
  ``b % 36 // 6 + 1`` and ``b % 6 + 1``.
- ``first``, number 0, of ``n`` seats: the first byte below the greatest multiple of ``n`` up to 256; the seat ``b % n`` of them.
- ``seed``, number 0: the first 8 bytes as one number, the highest first.

If no byte of the 32 is low enough, ``counter`` goes up by 1 and the 32 bytes of that message are read in the same way. So no pair and
no seat is favoured.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Mapping, Sequence

from muang.games.core import Seat

__all__ = ["Lots"]

WORD = re.compile(r"[A-Za-z0-9_-]{1,64}")
SECRET = re.compile(r"[0-9a-f]{64}")


class Lots:
    """The lots of one match.

    ``secret``: 64 hexadecimal digits; ``match``: its id; ``entropy``: what the players mixed in, in the order of the seats. ``ValueError``
    if one of them is not such a word: what is hashed must be unambiguous.
    """

    def __init__(self, secret: str, match: str, entropy: Mapping[Seat, str]) -> None:
        if not SECRET.fullmatch(secret):
            raise ValueError("a secret has 64 hexadecimal digits (0-9, a-f)")
        for what, word in (("the id of a match", match), *((f"the entropy of seat {seat}", word) for seat, word in entropy.items())):
            if not WORD.fullmatch(word):
                raise ValueError(f"{what} is 1 to 64 letters (A-Z, a-z), digits, - or _; this is {word[:70]!r}")
        self._key = bytes.fromhex(secret)
        self._head = f"muang lots 1\nmatch {match}\n" + "".join(f"entropy {seat} {word}\n" for seat, word in entropy.items())

    def message(self, label: str, number: int, counter: int = 0) -> bytes:
        """What is hashed for a lot."""
        return f"{self._head}lot {label} {number} {counter}\n".encode()

    def dice(self, i: int) -> tuple[int, int]:
        """Roll ``i`` (from 0) of the match: two dice, 1 to 6 each."""
        b = self._below(36, "dice", i)
        return b // 6 + 1, b % 6 + 1

    def first(self, seats: Sequence[Seat]) -> Seat:
        """Which of ``seats`` (1 to 4) is first."""
        return seats[self._below(len(seats), "first", 0)]

    def seed(self) -> int:
        """A number below 2**64 for everything that needs a seed."""
        return int.from_bytes(self._bytes("seed", 0, 0)[:8], "big")

    def _below(self, n: int, label: str, number: int) -> int:
        """A number below ``n`` (1 to 256), each equally likely: bytes of the last, incomplete multiple are passed over."""
        end = 256 - 256 % n
        counter = 0
        while True:
            for byte in self._bytes(label, number, counter):
                if byte < end:
                    return byte % n
            counter += 1

    def _bytes(self, label: str, number: int, counter: int) -> bytes:
        return hmac.digest(self._key, self.message(label, number, counter), hashlib.sha256)
