"""The slow, obvious twin of every method: all subset sums, one by one."""

from __future__ import annotations

import random


def all_sums(weights):
    """The sum of each subset, in the order of its bit mask."""
    sums = [0]
    for weight in weights:
        sums += [total + weight for total in sums]
    return sums


def answer(weights, target, objective):
    """What the objective asks for: a sum or None, or a number of subsets."""
    sums = all_sums(weights)
    if objective == "count":
        return sums.count(target)
    if objective == "sum":
        return target if target in sums else None
    return max((total for total in sums if total <= target), default=None)


def instance(seed, *, positive=False, largest=None, most=11):
    """A small random instance: with zeros, repeated, negative and huge weights."""
    rng = random.Random(seed)
    n = rng.choice([0, 1, 2, 3, 5, 8, most])
    top = rng.choice([1, 3, 9, 60, 1000, 10**6, 2**40, 2**61, 2**64, 2**100, 2**127])
    top = min(top, largest or top)
    bottom = 1 if positive else rng.choice([0, 1, -top])
    weights = [rng.randint(bottom, top) for _ in range(n)]
    if n and rng.random() < 0.3:
        weights = [rng.choice(weights[:3]) for _ in weights]
    if rng.random() < 0.6:
        target = sum(weight for weight in weights if rng.random() < 0.5) + (rng.random() < 0.2)
    else:
        low = sum(weight for weight in weights if weight < 0)
        high = sum(weight for weight in weights if weight > 0)
        target = rng.randint(low - 3 * (not positive), high + 3 * (not positive))
    return weights, target


def even(n, bits, seed):
    """Even weights and an odd target near half their sum: no subset, and no shorter proof."""
    rng = random.Random(seed)
    weights = [2 * rng.randint(1, 2 ** (bits - 1)) for _ in range(n)]
    return weights, sum(weights) // 2 | 1


def planted(n, bits, seed):
    """Random weights, and half of them as the target."""
    rng = random.Random(seed)
    weights = [rng.randint(1, 2**bits) for _ in range(n)]
    chosen = sorted(rng.sample(range(n), n // 2))
    return weights, sum(weights[item] for item in chosen), chosen
