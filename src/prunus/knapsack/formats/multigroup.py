"""Noisy multi-group knapsacks: groups of items that weigh nearly C/2, C/4, C/8, …, and small ones.

J. Jooken, P. Leyman, P. De Causmaecker, A new class of hard problem instances for the 0-1 knapsack
problem, European Journal of Operational Research 301 (2022) 841-854. The class is theirs, the
random numbers are not.
"""

from __future__ import annotations

import numpy as np

from prunus.errors import InputError
from prunus.knapsack.formats.classes import Draw
from prunus.knapsack.problem import Knapsack

NOISE = 10**5


def generate(  # one parameter of the published class each
    items: int,
    capacity: int,
    groups: int,
    small_percent: int,
    noise: int,
    spread: int,
    seed: int,
    name: str | None = None,
) -> Knapsack:
    """Draw an instance.

    ``groups`` counts that of the small items, the last one, which are ``small_percent`` of all;
    ``noise`` is ε in hundred thousandths: 100 is the published ε = 0.001. Profits and weights lie 1
    to ``spread`` above their group's base, which is (2**-i + ε) C for group i and 0 for the small
    items. Raises ``InputError`` if a parameter is out of range.
    """
    for what, value, least, most in (
        ("number of items", items, 1, 10**6),
        ("capacity", capacity, 1, 10**15),
        ("number of groups", groups, 2, 50),
        ("percentage of small items", small_percent, 0, 100),
        ("noise in hundred thousandths", noise, 0, NOISE),
        ("spread", spread, 1, 10**9),
        ("seed", seed, 0, 2**62),
    ):
        if not least <= value <= most:
            raise InputError(
                f"the {what} of a multi-group knapsack is {least} to {most}, got {value}"
            )
    each = (items - items * small_percent // 100) // (groups - 1)
    bases = [capacity // 2**i + noise * capacity // NOISE for i in range(1, groups)]
    base = np.repeat(np.array([*bases, 0]), [*[each] * len(bases), items - each * len(bases)])
    draw = Draw(seed)
    profits = base + draw.uniform(1, spread, items)
    return Knapsack(profits, base + draw.uniform(1, spread, items), capacity, name=name)


def named(name: str, *parameters: int) -> Knapsack:
    """Draw an instance with a name, which comes first."""
    (items, capacity, groups, small_percent, noise, spread, seed) = parameters
    return generate(items, capacity, groups, small_percent, noise, spread, seed, name)
