"""Subsets and counts by every method of cores, of narrow sums and wide ones."""

import prunus

CASES = [
    ("four-list", "sum", 32, 40),
    ("four-list", "count", 24, 9),
    ("four-list", "sum", 24, 110),
    ("two-list", "sum", 34, 50),
    ("two-list", "closest", 30, 50),
    ("two-list", "closest", 24, 100),
    ("two-list", "count", 24, 9),
    ("two-list-unsplit", "closest", 26, 40),
    ("bitset", "sum", 60, 12),
    ("bitset", "closest", 40, 14),
    ("bitset", "count", 30, 8),
]


def answers():
    """Return what is found, and what was looked at."""
    found = []
    for method, objective, n, bits in CASES:
        weights = [(k * k * 7919 + 104729 * k + 1) ** 7 % (1 << bits) + 1 for k in range(n)]
        for target in (sum(weights[::2]), sum(weights) // 2 + 1):
            problem = prunus.SubsetSum(weights, target, objective=objective)
            result = prunus.solve(problem, method=method, devices="cpu:1")
            chosen = [] if result.solution is None else list(map(int, result.solution))
            found.append((method, str(result.status), chosen, result.statistics.get("count")))
    return found
