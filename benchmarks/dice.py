"""Whether the dice are fair: chi-square over a million rolls of ``rooms.fair``, and over who is first.

    .venv/bin/python benchmarks/dice.py [ROLLS] [MATCHES]

The rolls are spread over many matches, each with a secret of its own. Prints the statistic of the 36 pairs, of the six faces and of
neighbours (a roll's sum and the next one's), each with its chance p to be so high with fair dice; exit code 1 if one is below 1 in 100,000.
"""

from __future__ import annotations

import hashlib
import math
import sys
import time
from collections import Counter
from collections.abc import Mapping

from muang.rooms.fair import Lots

LEAST = 1e-5


def chance(statistic: float, degrees: int) -> float:
    """How likely a chi-square of so many degrees of freedom is at least this high."""
    half = statistic / 2
    terms = range(degrees // 2)
    if degrees % 2:
        tail = math.erfc(math.sqrt(half))
        return tail + sum(math.exp((j + 0.5) * math.log(half) - half - math.lgamma(j + 1.5)) for j in terms)
    return sum(math.exp(j * math.log(half) - half - math.lgamma(j + 1)) for j in terms)


def chi_square(found: Mapping[object, int], shares: Mapping[object, float]) -> float:
    """The statistic of counts against expected shares."""
    total = sum(found.values())
    return sum((found.get(what, 0) - total * share) ** 2 / (total * share) for what, share in shares.items())


def main(rolls: int = 1_000_000, matches: int = 1_000) -> int:
    """Roll, count, tell."""
    before = time.perf_counter()
    pairs: Counter[object] = Counter()
    faces: Counter[object] = Counter()
    neighbours: Counter[object] = Counter()
    firsts: dict[int, Counter[object]] = {n: Counter() for n in (2, 3, 4)}
    each = -(-rolls // matches)
    for number in range(matches):
        secret = hashlib.sha256(f"benchmark {number}".encode()).hexdigest()
        lots = Lots(secret, f"match-{number}", {0: f"word-{number}", 2: "other"})
        for n, firsts_of in firsts.items():
            firsts_of[lots.first(tuple(range(n)))] += 1
        last = 0
        for i in range(each):
            one, two = pair = lots.dice(i)
            pairs[pair] += 1
            faces[one] += 1
            faces[two] += 1
            if i % 2:
                neighbours[last, one + two] += 1
            last = one + two
    sums = {total: (6 - abs(total - 7)) / 36 for total in range(2, 13)}
    results = [
        ("36 pairs", chi_square(pairs, dict.fromkeys(((a, b) for a in range(1, 7) for b in range(1, 7)), 1 / 36)), 35),
        ("6 faces", chi_square(faces, dict.fromkeys(range(1, 7), 1 / 6)), 5),
        ("sum and next sum", chi_square(neighbours, {(a, b): sums[a] * sums[b] for a in sums for b in sums}), 120),
        *((f"first of {n}", chi_square(found, dict.fromkeys(range(n), 1 / n)), n - 1) for n, found in firsts.items()),
    ]
    seconds = time.perf_counter() - before
    print(f"{each * matches:,} rolls in {matches:,} matches, {seconds:.1f} s")
    for name, statistic, degrees in results:
        print(f"{name:>16}: chi-square {statistic:7.2f}, {degrees:3d} degrees of freedom, p = {chance(statistic, degrees):.3f}")
    return int(any(chance(statistic, degrees) < LEAST for _, statistic, degrees in results))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3])))
