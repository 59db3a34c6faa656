"""Owns every lot that is drawn from a seed: who is ``first``, local dice, random players. Knows no game.

One generator, so that a seed means the same game everywhere and for ever: SplitMix64 (Steele, Lea and Flood 2014) read by
position. Lot ``i`` of ``stream`` is

    mix(mix(seed XOR fnv1a(stream)) + (i + 1) * 0x9E3779B97F4A7C15)        (all modulo 2**64)

where ``mix`` is SplitMix64's output function and ``fnv1a`` the 64-bit FNV-1a hash of the stream's name in UTF-8.
A number below ``n`` comes from the high bits by multiplication, with rejection (Lemire 2019), so no value is favoured; a
rejected lot is replaced by ``mix`` of itself.
"""

from __future__ import annotations

from functools import lru_cache

__all__ = ["below", "dice", "draw", "mix", "stream_hash", "stream_key"]

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(z: int) -> int:
    """SplitMix64's output function: a bijection of 64-bit numbers."""
    z &= MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


@lru_cache(maxsize=4096)
def stream_key(seed: int, stream: str) -> int:
    """The start of a stream; lot ``i`` is ``mix(key + (i + 1) * GOLDEN)``."""
    return mix((seed & MASK) ^ stream_hash(stream))


@lru_cache(maxsize=64)
def stream_hash(stream: str) -> int:
    """FNV-1a of a stream's name."""
    h = 0xCBF29CE484222325
    for byte in stream.encode():
        h = ((h ^ byte) * 0x100000001B3) & MASK
    return h


def draw(seed: int, stream: str, i: int) -> int:
    """Lot ``i`` (from 0) of a stream: a whole number from 0 to 2**64 - 1."""
    return mix(stream_key(seed, stream) + (i + 1) * GOLDEN)


def below(seed: int, stream: str, i: int, n: int) -> int:
    """Lot ``i`` as a number from 0 to ``n - 1``, each equally likely. ``ValueError`` if ``n`` < 1."""
    if n < 1:
        raise ValueError(f"cannot draw below {n}: at least 1 is needed")
    x = draw(seed, stream, i)
    limit = (1 << 64) % n
    while True:
        product = x * n
        if product & MASK >= limit:
            return product >> 64
        x = mix(x)


def dice(seed: int, i: int) -> tuple[int, int]:
    """Roll ``i`` (from 0) of a game: two dice, 1 to 6 each."""
    pair = below(seed, "dice", i, 36)
    return pair // 6 + 1, pair % 6 + 1
