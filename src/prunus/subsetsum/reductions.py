"""Quick reductions: what can be said or left out of an instance before any search.

Negative weights are turned round, zeros and weights above the target dropped, all divided by their
greatest common divisor, and the target brought below half the sum by asking for the complement,
until nothing changes: superincreasing weights are settled by that alone. Many equal weights are
bundled by powers of two. What is left has the same answer, and a subset of it leads back to one of
the instance.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple


class Bundle(NamedTuple):
    """Items that are taken together or not at all, and what they weigh together."""

    weight: int
    items: tuple[int, ...]


@dataclass(frozen=True)
class ReducedInstance:
    """What is left to be answered."""

    bundles: tuple[Bundle, ...]
    """Positive weights, heaviest first."""
    target: int
    """From 0 to the sum of the weights, unless ``hopeless``."""
    flipped: frozenset[int]
    """Items that are in the subset exactly when the reduced problem leaves them out: those of
    negative weight, and all if the complement is sought."""
    factor: int
    """Each subset of the reduced problem stands for so many of the instance."""
    hopeless: bool
    """Proven: no subset has the target as its sum (or is not above it, if the closest is
    sought)."""

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """The weights of the bundles."""
        return tuple(bundle.weight for bundle in self.bundles)

    def subset(self, chosen: Iterable[int]) -> tuple[int, ...]:
        """Return the items of the instance that a choice of bundles stands for, in order."""
        taken = {item for index in chosen for item in self.bundles[index].items}
        return tuple(sorted(taken ^ self.flipped))


def reduce_instance(
    weights: tuple[int, ...], target: int, objective: str, *, test_divisor: bool = True
) -> ReducedInstance:
    """Apply all reductions that keep the answer to the objective.

    ``test_divisor``: divide by the greatest common divisor, and say no where it does not divide the
    target.
    """
    exact = objective != "closest"
    negative = frozenset(item for item, weight in enumerate(weights) if weight < 0)
    left = target - sum(weights[item] for item in negative)
    items = [(abs(weight), item) for item, weight in enumerate(weights) if weight]
    factor = 1 << len(weights) - len(items) if objective == "count" else 1
    flipped = set(negative)
    before: tuple[int, int] | None = None
    while (len(items), left) != before and left >= 0:
        before = len(items), left
        # No subset of what is left is heavier than its target, so heavier items stay outside.
        items = [(weight, item) for weight, item in items if weight <= left]
        total = sum(weight for weight, _ in items)
        if exact and left > total:
            left = -1
            break
        if exact and left > total - left:
            # Asking for the complement; what is heavier than its target will be dropped above.
            left = total - left
            flipped ^= {item for _, item in items}
        if not exact:
            left = min(left, total)
            heaviest = max(items, default=(0, -1))
            if 2 * heaviest[0] > total:
                # Alone it is more than all others together, so it is in every best subset.
                items.remove(heaviest)
                left -= heaviest[0]
                flipped ^= {heaviest[1]}
        if test_divisor and items:
            step = math.gcd(*(weight for weight, _ in items))
            if exact and left % step:
                left = -1
                break
            left //= step
            items = [(weight // step, item) for weight, item in items]
    bundles = _bundles(items, whole=objective != "count")
    bundles.sort(key=lambda bundle: (-bundle.weight, bundle.items))
    return ReducedInstance(tuple(bundles), left, frozenset(flipped), factor, left < 0)


def _bundles(items: list[tuple[int, int]], *, whole: bool) -> list[Bundle]:
    """Bundle c equal weights as 1, 2, 4, … and the rest: every number from 0 to c is their sum.

    Not for counting, where the subsets of equal weights differ.
    """
    if not whole or len({weight for weight, _ in items}) == len(items):
        return [Bundle(weight, (item,)) for weight, item in items]
    equal: dict[int, list[int]] = {}
    for weight, item in items:
        equal.setdefault(weight, []).append(item)
    bundles = []
    for weight, members in equal.items():
        size = 1
        while members:
            taken, members = members[:size], members[size:]
            bundles.append(Bundle(weight * len(taken), tuple(taken)))
            size *= 2
    return bundles
