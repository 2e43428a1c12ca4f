"""A first answer where the closest sum is sought: heavy items greedily, the best of the light ones.

Heaviest first, whatever still fits, leaves up to a light item's weight. So the heavy ones are taken
only until what is left is about half of the light ones, and of these the best subset is found by
two lists: with two dozens of them, what is missing is a few millionths of an item.
"""

from __future__ import annotations

from collections.abc import Sequence

_LIGHT = 22
"""Items of which the best subset is found, in two or three milliseconds."""


def greedy(weights: Sequence[int], target: int, *, quick: bool = False) -> tuple[int, ...]:
    """Return items that add up to no more than the target, and to half of it if all could.

    Weights are positive, of any size. ``quick``: heaviest first and no more.
    """
    order = sorted(range(len(weights)), key=lambda item: -weights[item])
    plain = _filled(weights, order, target, 0)
    heavy, light = order[:-_LIGHT], order[-_LIGHT:]
    if quick or not heavy:
        return plain
    chosen = _filled(weights, heavy, target, sum(weights[item] for item in light) // 2)
    left = target - sum(weights[item] for item in chosen)
    places = _best_of_few([weights[item] for item in light], left)
    better = *chosen, *(light[place] for place in places)
    return max(plain, better, key=lambda items: sum(weights[item] for item in items))


def _filled(
    weights: Sequence[int], order: Sequence[int], target: int, least: int
) -> tuple[int, ...]:
    """Take items in order that leave at least so much of the target."""
    left, chosen = target, []
    for item in order:
        if left - weights[item] >= least:
            chosen.append(item)
            left -= weights[item]
    return tuple(chosen)


def _best_of_few(weights: Sequence[int], target: int) -> tuple[int, ...]:
    """Return the places of weights with the largest sum that is not above the target."""
    half = len(weights) // 2
    low, high = _sums(weights[:half]), _sums(weights[half:])
    best, mask = -1, 0
    j = len(high) - 1
    for value, bits in low:
        while j >= 0 and value + high[j][0] > target:
            j -= 1
        if j < 0:
            break
        if value + high[j][0] > best:
            best, mask = value + high[j][0], bits | high[j][1] << half
    return tuple(place for place in range(len(weights)) if mask >> place & 1)


def _sums(weights: Sequence[int]) -> list[tuple[int, int]]:
    """Return the sums of all subsets in ascending order, with the bits of each."""
    found = [(0, 0)]
    for place, weight in enumerate(weights):
        found += [(value + weight, bits | 1 << place) for value, bits in found]
    return sorted(found)
