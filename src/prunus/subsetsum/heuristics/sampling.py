"""Dense instances: with far more subsets than sums, a few of the items suffice to find one.

The light items are left free, as many as give some dozens of subsets for each sum near half of
theirs; of the others, a random choice is made that leaves about that half. The free ones are then
a small instance with many solutions. It proves nothing when none is found.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_SOLUTIONS = 40
_SHUFFLES = 200


@dataclass(frozen=True, slots=True)
class Sample:
    """A small instance within a large one."""

    taken: tuple[int, ...]
    """Items that are in the subset for sure."""
    free: tuple[int, ...]
    """Items that are left to choose from."""
    target: int
    """What they have to add up to."""


def free_items(weights: Sequence[int], target: int) -> tuple[int, ...] | None:
    """Return the fewest light items with enough subsets for every sum near half; None if none do.

    The sums of m items are nearly normal, with the deviation that half their squares add up to.
    """
    order = sorted(range(len(weights)), key=lambda item: weights[item])
    total = squares = 0
    for count, item in enumerate(order, 1):
        total += weights[item]
        squares += weights[item] ** 2
        if total > 2 * target:
            return None
        if count - math.log2(1 + math.isqrt(squares)) > math.log2(_SOLUTIONS):
            return tuple(order[:count])
    return None


def samples(weights: Sequence[int], target: int, seed: int) -> Iterator[Sample]:
    """Generate small instances, each from another random choice of the heavy items."""
    free = free_items(weights, target)
    if free is None:
        return
    rng = random.Random(seed)
    light = set(free)
    heavy = [item for item in range(len(weights)) if item not in light]
    half = sum(weights[item] for item in free) // 2
    spread = math.isqrt(sum(weights[item] ** 2 for item in free)) // 2
    while True:
        best: tuple[int, list[int]] | None = None
        for _ in range(_SHUFFLES):
            rng.shuffle(heavy)
            left, taken = target, []
            for item in heavy:
                if left - weights[item] >= half:
                    left -= weights[item]
                    taken.append(item)
            if best is None or left < best[0]:
                best = left, taken
            if left - half <= spread:
                break
        if best is None or best[0] > 2 * half:
            return
        yield Sample(tuple(best[1]), free, best[0])
