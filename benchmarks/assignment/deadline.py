"""Linear assignment under a deadline: what switching misses, and the proven gap over time.

    python -m benchmarks.assignment.deadline --table switching --n 1000,5000
    python -m benchmarks.assignment.deadline --table gaps --n 5000 --figure gaps.png --json out.json

The first table: milliseconds of the start and of the switching, how far the end is from the
optimum, and the gap that was proven for it. The second: for ever longer time limits the gap proven,
the distance to the optimum, and by how much the limit was overrun. Wall clock, medians.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import Any

import numpy as np

import prunus
from benchmarks.assignment.cores import CLASSES
from benchmarks.save import save

LIMITS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


def problem_of(label: str, n: int, seed: int) -> prunus.Assignment:
    """Make an instance of a class of the other benchmark."""
    maximise, make = CLASSES[label]
    return prunus.Assignment(make(n, np.random.default_rng([seed, n])), maximize=maximise)


def timed(problem: prunus.Assignment, repeats: int, **options: Any) -> list[tuple[float, Any]]:
    """Solve and time some times."""
    found = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = prunus.solve(problem, **options)
        found.append((time.perf_counter() - start, result))
    return found


def away(objective: float, optimum: float) -> float:
    """Return the distance to the optimum, relative to it."""
    return abs(objective - optimum) / max(abs(optimum), 1e-300)


def switching(label: str, n: int, given: argparse.Namespace) -> dict[str, Any]:
    """Return a row of the table of switching."""
    problem = problem_of(label, n, given.seed)
    optimum = prunus.solve(problem).objective
    row: dict[str, Any] = {"class": label, "n": n}
    for order in given.orders.split(","):
        runs = timed(problem, given.repeats, method="switching", order=order)
        result = runs[0][1]
        row[order] = {
            "start": statistics.median(r.statistics["start_time"] for _, r in runs),
            "switching": statistics.median(r.statistics["switching_time"] for _, r in runs),
            "deviation": away(result.objective, optimum),
            "gap": result.gap,
            "evaluations": result.statistics["evaluations"] / n,
        }
        figures = row[order]
        print(
            f"{label:<16} {n:>6} {order:<10} {1e3 * figures['start']:>8.1f} "
            f"{1e3 * figures['switching']:>9.1f} {100 * figures['deviation']:>10.4f} "
            f"{100 * figures['gap']:>9.4f} {figures['evaluations']:>7.1f}",
            flush=True,
        )
    return row


def gap_curve(label: str, n: int, given: argparse.Namespace) -> dict[str, Any]:
    """Return the rows of the table of gaps for one instance."""
    problem = problem_of(label, n, given.seed)
    seconds, proven = timed(problem, 1)[0]
    points = []
    for limit in LIMITS:
        runs = timed(problem, given.repeats, time_limit=limit)
        runs.sort(key=lambda run: run[1].gap)
        took, result = runs[len(runs) // 2]
        late = max(run[0] for run in runs) - limit
        points.append(
            {
                "limit": limit,
                "took": took,
                "gap": result.gap,
                "deviation": away(result.objective, proven.objective),
                "overrun": max(0.0, late),
            }
        )
        print(
            f"{label:<16} {n:>6} {1e3 * limit:>8.0f} {1e3 * took:>8.1f} {100 * result.gap:>10.4f} "
            f"{100 * points[-1]['deviation']:>10.4f} {1e3 * points[-1]['overrun']:>8.1f}",
            flush=True,
        )
        if result.gap == 0 and took < limit:
            break
    print(f"{label:<16} {n:>6} {'without':>8} {1e3 * seconds:>8.1f}", flush=True)
    return {"class": label, "n": n, "without_a_limit": seconds, "points": points}


def main() -> None:
    """Run the benchmark that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--table", choices=("switching", "gaps"), default="gaps")
    parser.add_argument("--n", default="1000,5000", help="sizes, with commas")
    parser.add_argument("--classes", default="geom,two,r=10n", help="parts of names, with commas")
    parser.add_argument("--orders", default="sequential", help="of the table of switching")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--figure", help="draw the gaps into this file")
    parser.add_argument("--json", help="write the figures to this file")
    given = parser.parse_args()
    for maximise in (False, True):  # compilation is not what is measured
        warm = prunus.Assignment(np.random.default_rng(0).integers(0, 999, (200, 200)) * 1.0)
        hubs = prunus.Assignment(CLASSES["GEOM, maximise"][1](200, np.random.default_rng(0)))
        for problem in (warm, hubs):
            problem = prunus.Assignment(problem.matrix, maximize=maximise)
            prunus.solve(problem)
            for order in given.orders.split(","):
                prunus.solve(problem, method="switching", order=order)
            prunus.solve(problem, time_limit=1.0)
    if given.table == "switching":
        print(
            "class                 n order      start ms  switch ms  deviation %  gap %  evals/row"
        )
    else:
        print("class                 n limit ms    took      gap %  deviation %  overrun ms")
    rows = []
    for label in CLASSES:
        if not any(part in label.lower() for part in given.classes.lower().split(",")):
            continue
        for n in map(int, given.n.split(",")):
            rows.append((switching if given.table == "switching" else gap_curve)(label, n, given))
            save({"arguments": vars(given), "rows": rows}, given.json)
    if given.figure:
        from prunus import plot

        curves = {
            f"{row['class']}, n = {row['n']}": [(p["took"], p["gap"]) for p in row["points"]]
            for row in rows
        }
        plot.save(plot.gaps(curves), given.figure)


if __name__ == "__main__":
    main()
