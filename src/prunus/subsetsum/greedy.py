"""A first answer where the closest sum is sought: heaviest first, whatever still fits."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["greedy"]


def greedy(weights: Sequence[int], target: int) -> tuple[int, ...]:
    """Return items that add up to no more than the target, and to half of it if all could."""
    left, chosen = target, []
    for item in sorted(range(len(weights)), key=lambda item: -weights[item]):
        if weights[item] <= left:
            chosen.append(item)
            left -= weights[item]
    return tuple(chosen)
