"""What raising targets costs on average, by how far a target may be above the last one.

``python -m benchmarks.treesearch.targets`` prints a table, by a model: a tree grows by a constant
factor with each unit of its target; the incumbent is optimal with some probability, and else above
the optimum by a geometrically distributed number of units; a target above the optimum costs the
tree below the optimum and about half of what its own has more (measured on ta056: 0.55).
"""

from __future__ import annotations

import math

FOUND_AFTER = 0.55
CASES = [(0.2, 1.7), (0.2, 3.5), (0.5, 1.3), (0.5, 2.5), (0.8, 1.3)]
"""Probability that the incumbent is optimal, and else by how much its tree is larger (log)."""


def cost(optimum: int, lower: int, growth: float, step: int, last_step: float) -> float:
    """Return the nodes of all trees, as multiples of the one below the incumbent, which is at 0."""
    factor = growth**step
    total = growth**lower * factor / (factor - 1)  # what was searched before
    while True:
        target = 0 if -lower <= last_step * step else lower + step
        if target > optimum:
            least = growth**optimum
            return total + least + FOUND_AFTER * (growth**target - least)
        total += growth**target
        if target == 0:
            return total
        lower = target


def expected(case: tuple[float, float], growth: float, step: int, last_step: float) -> list[float]:
    """Return the mean cost: as multiples of the incumbent's tree, and of the optimum's."""
    optimal, distance = case
    stay = 1 - min(0.99, math.log(growth) / distance)
    most = int(12 / math.log(growth))
    chances = [optimal, *((1 - optimal) * (1 - stay) * stay ** (k - 1) for k in range(1, most))]
    means = [0.0, 0.0]
    for phase in range(step):
        for units, chance in enumerate(chances):
            spent = cost(-units, -most - phase, growth, step, last_step)
            weight = chance / sum(chances) / step
            means[0] += weight * spent
            means[1] += weight * spent / growth**-units
    return means


def main() -> None:
    """Print the table."""
    print("growth a unit, factor, steps at the end:", CASES)
    for growth in (1.2, 1.51, 2.2):
        for factor in (2, 3, 4, 6, 9):
            step = max(1, int(math.log(factor) / math.log(growth)))
            for last_step in (1.0, 1.5, 2.0):
                means = (expected(case, growth, step, last_step) for case in CASES)
                text = "  ".join(f"{mean:.2f} {ratio:.2f}" for mean, ratio in means)
                print(f"{growth:4} {factor:3} ({growth**step:4.1f}) {last_step:3}  {text}")


if __name__ == "__main__":
    main()
