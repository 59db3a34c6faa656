"""Owns ``lots`` as compiled code: the same numbers from the same seeds, for kernels that draw for thousands of games. Knows no game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from muang.games import lots
from muang.games._jit import compiled, kernel

__all__ = ["below", "choice_of", "first_of", "keys_of", "lot", "mix", "rejected", "seed_of", "seeds_each", "stream_of", "streams_each"]

# kernels mix no signed with unsigned numbers: Numba would make floats of them; as plain Python both are int
_U: Callable[[Any], Any] = np.uint64 if compiled() else int
_I: Callable[[Any], Any] = np.int64 if compiled() else int
_MASK = lots.MASK
_GOLDEN = lots.GOLDEN
_LOW = (1 << 32) - 1
_FIRST = lots.stream_hash("first")


@kernel
def mix(z: Any) -> Any:
    """``lots.mix`` on an unsigned 64-bit number."""
    z = ((z ^ (z >> _U(30))) * _U(0xBF58476D1CE4E5B9)) & _U(_MASK)
    z = ((z ^ (z >> _U(27))) * _U(0x94D049BB133111EB)) & _U(_MASK)
    return z ^ (z >> _U(31))


@kernel
def lot(key: Any, i: int) -> Any:
    """Lot ``i`` (from 0) of the stream that begins at ``key``."""
    return mix((_U(key) + _U(i + 1) * _U(_GOLDEN)) & _U(_MASK))


@kernel
def below(x: Any, n: int, reject: Any) -> int:
    """A lot as a number below ``n`` (under 2**32), as ``lots.below`` takes it; ``reject`` is ``rejected(n)``."""
    while (x * _U(n)) & _U(_MASK) < _U(reject):
        x = mix(x)
    high = (x >> _U(32)) * _U(n) + (((x & _U(_LOW)) * _U(n)) >> _U(32))
    return _I(high >> _U(32))  # type: ignore[no-any-return]


def rejected(n: int) -> int:
    """How many of 2**64 lots ``lots.below`` refuses, so that none of ``n`` numbers is favoured."""
    return (1 << 64) % n


@kernel
def seed_of(lots: Any, g: int) -> Any:
    """The seed of game ``g``'s present match. ``lots``: (keys uint64[n], episodes int64[n]): a game's key begins a stream."""
    keys, episodes = lots
    return lot(keys[g], _I(episodes[g]))


@kernel
def stream_of(lots: Any, g: int, name: int) -> Any:
    """Where the stream whose name hashes to ``name`` begins in game ``g``'s present match."""
    return mix(_U(seed_of(lots, g)) ^ _U(name))


@kernel
def first_of(lots: Any, g: int, seats: int) -> int:
    """MK-25, CN-14: which of ``seats`` is first in game ``g``'s present match, as ``Game.start`` draws it."""
    reject = 1 if seats == 3 else 0  # ``rejected(seats)``
    return below(lot(stream_of(lots, g, _FIRST), 0), seats, reject)


@kernel
def choice_of(lots: Any, g: int, stream: Any, choice: int) -> Any:
    """The lot for choice number ``choice`` of game ``g``'s present match, for whoever draws from ``stream``."""
    keys, episodes = lots
    return lot(mix(_U(keys[g]) ^ _U(stream)), (_I(episodes[g]) << 32) + choice)


@kernel
def seeds_each(lots: Any, out: Any, start: int, stop: int) -> None:
    """``seed_of`` for games ``start…stop-1``: uint64[n]."""
    for g in range(start, stop):
        out[g] = seed_of(lots, g)


@kernel
def streams_each(lots: Any, name: Any, out: Any, start: int, stop: int) -> None:
    """``stream_of`` for games ``start…stop-1``: uint64[n]."""
    for g in range(start, stop):
        out[g] = stream_of(lots, g, name)


@kernel
def keys_of(stream: Any, out: Any) -> None:
    """``out[g]`` is lot ``g`` of a stream: uint64[n]."""
    for g in range(len(out)):
        out[g] = lot(stream, g)
