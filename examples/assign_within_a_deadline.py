"""Send 1500 drivers to 1500 orders within a few hundredths of a second, with a proven gap."""

import numpy as np

import prunus


def main() -> None:
    """Solve the same problem under longer and longer deadlines; every answer has a proven gap."""
    rng = np.random.default_rng(7)
    drivers, orders = rng.random((1500, 2)), rng.random((1500, 2))
    problem = prunus.Assignment.from_points(drivers, orders, metric="cityblock")
    prunus.solve(prunus.Assignment.from_points(drivers[:200], orders[:200]), time_limit=1.0)

    best = prunus.solve(problem)
    print(f"shortest way in all: {best.objective:.3f}, {best.status.value}, {best.runtime:.2f} s")
    for limit in (0.01, 0.05, 0.2):
        result = prunus.solve(problem, time_limit=limit)
        assert result.objective is not None
        assert result.bound is not None
        assert result.bound <= best.objective + 1e-9 <= result.objective + 2e-9
        print(f"after {limit:4.2f} s: {result.objective:8.3f}, at least {result.bound:8.3f}")
    print("all within the gap that was proven for them")


if __name__ == "__main__":
    main()
