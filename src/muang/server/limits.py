"""Owns how much one address may ask of the server, and which address that is. Knows no route; whoever serves one says what it costs.

The counting itself is the ``limits`` library's. Counts live in this process: several workers count each for itself.
"""

from __future__ import annotations

import ipaddress
import math
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter

from muang.errors import RateLimited

__all__ = ["Limits", "TooMany", "address_of", "client_address", "in_networks", "read_rate"]

KINDS: Mapping[str, str] = {
    "matches": "making matches",
    "sits": "taking seats",
    "hints": "hints",
    "costly": "pictures, records and what has been told",
    "plays": "inputs over HTTP",
    "frames": "frames",
    "looks": "looking at matches",
}
"""What is counted → how it is called in the answer. The setting is ``rate_`` and the name."""


class TooMany(RateLimited):
    """More than an address may do. ``retry``: seconds after which it may again."""

    def __init__(self, message: str, retry: int = 1) -> None:
        self.retry = retry
        super().__init__(message)


def read_rate(text: str) -> RateLimitItem | None:
    """``240/minute`` → that limit; ``off`` → None. ``ValueError``."""
    return None if text == "off" else parse(text)


class Limits:
    """The counts of one server. ``rates``: kind → rate as text."""

    def __init__(self, rates: Mapping[str, str]) -> None:
        self._counter = FixedWindowRateLimiter(MemoryStorage())
        self._rates = {kind: read_rate(text) for kind, text in rates.items()}
        self._held: Counter[tuple[str, str]] = Counter()

    def hit(self, kind: str, who: str) -> None:
        """Count one more of ``kind`` for ``who`` (an address, or the number of a connection). ``TooMany``."""
        rate = self._rates.get(kind)
        if rate is None or self._counter.hit(rate, kind, who):
            return
        reset = self._counter.get_window_stats(rate, kind, who).reset_time
        retry = max(1, math.ceil(reset - time.time()))
        raise TooMany(f"too much at once: {KINDS[kind]}, at most {rate}; try again in {retry} s", retry)

    @contextmanager
    def holding(self, kind: str, who: str, most: int) -> Iterator[None]:
        """Hold one of ``most`` that ``who`` may hold at the same time. ``TooMany``."""
        self.take(kind, who, most)
        try:
            yield
        finally:
            self.give(kind, who)

    def take(self, kind: str, who: str, most: int) -> None:
        """Take one of ``most`` that ``who`` may have at the same time; ``give`` it back. ``TooMany``."""
        if self._held[kind, who] >= most:
            raise TooMany(f"one address may have {most} {kind} at the same time; close some of them first", 10)
        self._held[kind, who] += 1

    def give(self, kind: str, who: str) -> None:
        """Give back what was taken."""
        self._held[kind, who] -= 1
        if self._held[kind, who] <= 0:
            del self._held[kind, who]


def in_networks(address: str, networks: Iterable[str]) -> bool:
    """Whether an address lies in one of the networks (``10.0.0.0/8``, or a plain address)."""
    try:
        plain = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(plain in ipaddress.ip_network(network, strict=False) for network in networks)


def client_address(peer: str, forwarded: str, proxies: Iterable[str]) -> str:
    """The address of whoever asks: the peer, or what the trusted ``proxies`` say of it in ``X-Forwarded-For``.

    Anybody can write the left part of that header, so it is read from the right, as far as the addresses are proxies of ours.
    """
    trusted = tuple(proxies)
    found = peer
    for hop in reversed([part.strip() for part in forwarded.split(",") if part.strip()]):
        if not in_networks(found, trusted):
            break
        try:
            found = str(ipaddress.ip_address(hop))
        except ValueError:
            break
    return _one_household(found)


def _one_household(address: str) -> str:
    """What counts as one address: of IPv6 the /64, which one household or one machine has whole."""
    try:
        plain = ipaddress.ip_address(address)
    except ValueError:
        return address or "unknown"
    if isinstance(plain, ipaddress.IPv4Address):
        return str(plain)
    if plain.ipv4_mapped is not None:
        return str(plain.ipv4_mapped)
    return str(plain) if plain.is_loopback else str(ipaddress.ip_network((plain, 64), strict=False))


def address_of(scope: Mapping[str, Any]) -> str:
    """The address that the guard has found out for a request or a connection."""
    found: str = scope.get("muang.address", "unknown")
    return found
