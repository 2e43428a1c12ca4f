"""Count subsets by dynamic programming over the sums up to a small target, exactly.

The numbers of subsets are kept modulo primes below 2**62, one pass for each, and put together by
the Chinese remainder theorem: they may be as large as 2**n.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from prunus.subsetsum.primes import prime_below

_PRIMES_FROM = 2**62


def passes(items: int) -> int:
    """Return how many passes it takes to count the subsets of so many items."""
    return items // 61 + 1


def bytes_needed(target: int) -> int:
    """Return the memory it takes."""
    return 32 * (target + 1)


def count_subsets(
    weights: Sequence[int], target: int, keep_going: Callable[[int], bool]
) -> int | None:
    """Return how many subsets have the target as their sum.

    Weights are positive. ``keep_going`` is called with the number of steps done, of ``passes(n) *
    n``; it ends all by returning False.

    Returns None if it was ended.
    """
    count, modulus = 0, 1
    candidate = _PRIMES_FROM
    for number in range(passes(len(weights))):
        prime = candidate = prime_below(candidate)
        ways = np.zeros(target + 1, np.int64)
        ways[0] = 1
        most = 0
        for step, weight in enumerate(weights):
            if not keep_going(number * len(weights) + step):
                return None
            most = min(target, most + weight)
            if weight > most:
                continue
            added = ways[weight : most + 1] + ways[: most + 1 - weight]
            np.subtract(added, prime, out=added, where=added >= prime)
            ways[weight : most + 1] = added
        residue = int(ways[target])
        count += modulus * ((residue - count) * pow(modulus, -1, prime) % prime)
        modulus *= prime
    return count
