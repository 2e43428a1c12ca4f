"""`linear_sum_assignment` of sparse matrices beside SciPy's `min_weight_full_bipartite_matching`.

    python -m benchmarks.assignment.sparse
    python -m benchmarks.assignment.sparse --n 100,10000 --density .001,.01

Processor time in milliseconds, medians of calls by turns, of two matrices each; sums must agree.
Values are uniform floats, or whole numbers from 1 to 9; there always is an assignment.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from prunus import linear_sum_assignment


def instance(rng: np.random.Generator, n: int, m: int, density: float, *, whole: bool) -> Any:
    """Return a matrix of about this density in which all rows can be matched."""
    places = rng.integers(0, n * m, round(-n * m * np.log1p(-min(density, 0.99))))
    own = np.arange(n) * m + rng.permutation(m)[:n]
    rows, columns = np.divmod(np.unique(np.concatenate([places, own])), m)
    values = rng.integers(1, 10, len(rows)).astype(float) if whole else rng.random(len(rows))
    return csr_array((values, (rows, columns)), shape=(n, m))


def main() -> None:
    """Print a row for each kind of matrix."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", default="100,300,1000,3000,10000", help="sizes, with commas")
    parser.add_argument("--density", default=".001,.003,.01,.02,.05,.1,.2,.5")
    parser.add_argument("--pairs", type=float, default=6e6, help="stored at most")
    given = parser.parse_args()
    solvers = {"prunus": linear_sum_assignment, "scipy": min_weight_full_bipartite_matching}
    for n in map(int, given.n.split(",")):
        for density in map(float, given.density.split(",")):
            for m, whole in ((n, False), (n, True), (2 * n, False), (2 * n, True)):
                if not n <= n * m * density <= given.pairs:
                    continue
                rng = np.random.default_rng(1)
                matrices = [instance(rng, n, m, density, whole=whole) for _ in range(2)]
                times: dict[str, list[float]] = {name: [] for name in solvers}
                for turn in range(9 if n < 5000 else 3):
                    matrix, sums = matrices[turn % 2], []
                    for name, solve in solvers.items():
                        begun = time.process_time()
                        pairs = solve(matrix)
                        times[name].append(1e3 * (time.process_time() - begun))
                        sums.append(matrix[pairs].sum())
                    assert np.isclose(*sums, rtol=1e-12)
                found = {name: statistics.median(some[1:]) for name, some in times.items()}
                print(
                    f"{n:>6} x {m:<6}{density:<6} {'1..9' if whole else 'floats':<7}"
                    + "".join(f"{name} {ms:9.3f}  " for name, ms in found.items())
                    + f"ratio {found['scipy'] / found['prunus']:.2f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
