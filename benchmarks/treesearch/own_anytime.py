"""User-defined problems that are too large for a proof: what is found after 1, 3 and 10 seconds.

python -m benchmarks.treesearch.own_anytime
python -m benchmarks.treesearch.own_anytime --devices cuda:0 --problems assignment:60
"""

from __future__ import annotations

import argparse

import numpy as np

import prunus
from benchmarks.treesearch.own_problems import Assignment, Ordering, Tardiness, Tour


def problem(kind: str, size: int, seed: int) -> prunus.PermutationProblem:
    """Draw an instance."""
    rng = np.random.default_rng(seed)
    if kind == "assignment":
        flows, distances = (np.triu(rng.integers(0, 100, (size, size)), 1) for _ in range(2))
        return Assignment(flows + flows.T, distances + distances.T)
    if kind == "tour":
        places = rng.integers(0, 1000, (size, 2))
        apart = places[:, None] - places
        return Tour(np.rint(np.hypot(apart[..., 0], apart[..., 1])).astype(np.int64))
    if kind == "tardiness":
        times, weights = rng.integers(1, 100, size), rng.integers(1, 11, size)
        due = (times.sum() * rng.uniform(0.3, 0.9, size)).astype(np.int64)
        return Tardiness(times, weights, due)
    return Ordering(rng.integers(0, 100, (size, size)))


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--devices", default="cpu")
    parser.add_argument("--seconds", type=float, nargs="+", default=[1.0, 3.0, 10.0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2])
    usual = "assignment:60 assignment:30 tour:101 tour:200 tardiness:200 ordering:50"
    parser.add_argument("--problems", nargs="+", default=usual.split())
    chosen = parser.parse_args()
    for name in chosen.problems:
        kind, size = name.split(":")
        for seed in chosen.seeds:
            result = prunus.solve(
                problem(kind, int(size), seed),
                devices=chosen.devices,
                time_limit=max(chosen.seconds),
                seed=seed,
            )
            found = [
                min((entry.objective for entry in result.history if entry.time <= until), default=0)
                for until in chosen.seconds
            ]
            print(f"{name:15} seed {seed}  {found}  {result.runtime:.2f} s", flush=True)


if __name__ == "__main__":
    main()
