"""How good the first incumbents of a flow shop are, and how soon, on one core.

For each instance: NEH, iterated greedy from several seeds until the best known makespan or the time
limit, and what ``first_incumbent`` gives with its default effort. CPU seconds of one thread, the
compiled code already there.

    python -m benchmarks.flowshop.incumbents ta022 ta056 --seeds 5 --seconds 10 --json out.json
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.save import save
from prunus.flowshop.explorer_factory import FlowShopExplorerFactory
from prunus.flowshop.formats.taillard_set import BEST_KNOWN
from prunus.flowshop.heuristics.first_incumbent import first_incumbent
from prunus.flowshop.heuristics.iterated_greedy import IteratedGreedy
from prunus.flowshop.heuristics.neh import neh
from prunus.flowshop.makespan import Makespan
from prunus.flowshop.problem import FlowShop
from prunus.flowshop.rules import Bound, Branching
from prunus.read import read
from prunus.treesearch.options import StealingPolicy

ITERATIONS = 10
"""Between two looks at the clock."""


def one_run(problem: FlowShop, best: int, seed: int, limit: float) -> tuple[int, float]:
    """Run until the best known makespan or the limit: makespan, CPU seconds when it was found."""
    began = time.thread_time()
    run = IteratedGreedy(problem, seed, target=best)
    found = time.thread_time() - began
    while run.best_cost > best and time.thread_time() - began < limit:
        if run.run(ITERATIONS):
            found = time.thread_time() - began
    return run.best_cost, found


def measure(name: str, seeds: int, limit: float) -> dict[str, Any]:
    """All figures of one instance."""
    problem = read(name)
    best = BEST_KNOWN[name]
    runs = [one_run(problem, best, seed, limit) for seed in range(seeds)]
    hits = sorted(seconds for makespan, seconds in runs if makespan <= best)
    began = time.perf_counter()
    rules = StealingPolicy.POWER, Bound.LB1, Branching.MINBRANCH
    _, first = first_incumbent(Makespan(FlowShopExplorerFactory(problem, *rules)))
    return {
        "instance": name,
        "best_known": best,
        "neh": neh(problem)[1],
        "runs": runs,
        "reached": len(hits),
        "median_makespan": statistics.median(makespan for makespan, _ in runs),
        "median_seconds": statistics.median(seconds for _, seconds in runs),
        "longest_seconds_to_best": hits[-1] if hits else None,
        "first_incumbent": first,
        "first_incumbent_seconds": time.perf_counter() - began,
    }


def main() -> None:
    """Measure, print a table, write JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("instances", nargs="*", default=[*(f"ta{k:03}" for k in range(21, 31))])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=5.0, help="limit of one run")
    parser.add_argument("--json", metavar="FILE")
    arguments = parser.parse_args()
    figures: dict[str, Any] = {"seeds": arguments.seeds, "limit": arguments.seconds}
    IteratedGreedy(read("ta001")).run(1)
    rows = [measure(name, arguments.seeds, arguments.seconds) for name in arguments.instances]
    table = Table("instance", "best known", "NEH", title="makespans; CPU seconds on one core")
    for column in ("reached", "median", "above", "found after", "first incumbent", "took"):
        table.add_column(column, justify="right")
    for row in rows:
        table.add_row(
            row["instance"],
            str(row["best_known"]),
            str(row["neh"]),
            f"{row['reached']}/{arguments.seeds}",
            f"{row['median_makespan']:.0f}",
            f"{100 * (row['median_makespan'] / row['best_known'] - 1):.2f} %",
            f"{row['median_seconds']:.2f} s",
            str(row["first_incumbent"]),
            f"{row['first_incumbent_seconds']:.2f} s",
        )
    Console(width=100).print(table)
    save({**figures, "instances": rows}, arguments.json)


if __name__ == "__main__":
    main()
