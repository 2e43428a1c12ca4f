"""The expanding core on a GPU, on the classes where its lists of states are longest.

    python benchmarks/knapsack_core.py                        # both classes, three sizes
    python benchmarks/knapsack_core.py --devices cpu --sizes 1000
    python benchmarks/knapsack_core.py --repeats 3 --json out.json

A figure is the wall time of `prunus.solve` from the problem to the proven optimum and its items,
the median of the repeats; one run before them loads the kernels. States are those of all lists
together. combo's seconds are those of the project's notes: other random numbers of the same class.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time

import prunus

COMBO = {
    ("multiple-strongly", 1000): "4.9",
    ("multiple-strongly", 10_000): "27",
    ("multiple-strongly", 100_000): "> 60",
    ("circle", 10_000): "17",
    ("circle", 100_000): "39",
}
"""Seconds, measured for this project."""


def main() -> None:
    """Time every row."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--classes", default="multiple-strongly,circle")
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--range", type=int, default=10**6)
    parser.add_argument("--seeds", default="50")
    parser.add_argument("--devices", default="cuda:0")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--time-limit", type=float, default=120.0)
    parser.add_argument("--json")
    options = parser.parse_args()
    rows = []
    print("| class | n | seed | s | G states | G states/s | longest list | combo, s |")
    print("|---|---|---|---|---|---|---|---|")
    for kind in options.classes.split(","):
        for n in map(int, options.sizes.split(",")):
            for seed in options.seeds.split(","):
                problem = prunus.read(f"knapsack:{kind}:{n}:{options.range}:{seed}")
                seconds, results = [], []
                for _ in range(1 + options.repeats):
                    began = time.perf_counter()
                    result = prunus.solve(
                        problem, devices=options.devices, time_limit=options.time_limit
                    )
                    seconds.append(time.perf_counter() - began)
                    results.append((str(result.status), result.objective))
                s, states = statistics.median(seconds[1:]), result.statistics["states"] / 1e9
                assert len(set(results)) == 1, results
                longest = result.statistics.get("longest list", 0)
                combo = COMBO.get((kind, n), "") if options.range == 10**6 else ""
                mark = "" if results[0][0] == "optimal" else " (not proven)"
                print(
                    f"| {kind} | {n:,} | {seed} | {s:.3f}{mark} | {states:.2f} | {states / s:.1f} "
                    f"| {longest:,} | {combo} |",
                    flush=True,
                )
                rows.append(
                    {"class": kind, "n": n, "seed": seed, "seconds": seconds, "states": states,
                     "optimum": results[0][1], "status": results[0][0]}
                )  # fmt: skip
    if options.json:
        with open(options.json, "w", encoding="utf-8") as stream:
            json.dump({"devices": options.devices, "rows": rows}, stream, indent=1)


if __name__ == "__main__":
    main()
