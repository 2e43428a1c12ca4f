"""Tours under a limit: what is found and proven after some seconds, beside LKH and OR-Tools.

``python -m benchmarks.tours`` solves 150, 500, 1500 and 2500 cities of a map and as many with
uniform random distances, three seeds each, and prints medians: the tour's length over the best one
that anybody found, the proven gap, the seconds. ``--sizes 150,500 --seconds 1,2,10``, ``--seeds N``
and ``--cores N`` say what else is wanted; ``--peers`` adds LKH (the package elkai, one run, which
takes the time it takes, up to ``--most`` cities) and OR-Tools' routing library (guided local search
with the same limit, one core). ``--maps`` proves maps of
30 to 60 cities, twenty each, without a limit of interest.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable
from time import perf_counter

import numpy as np

import prunus
from prunus.model.arrays import Int64Array

Row = tuple[str, float, int, float | None]
"""Who, after how many seconds, the length, and the proven gap."""


def euclidean(cities: int, seed: int) -> Int64Array:
    """Draw cities in a square of side 10**6; distances are rounded."""
    points = np.random.default_rng(seed).integers(0, 10**6, (cities, 2))
    return np.rint(np.hypot(*(points[:, None] - points).transpose(2, 0, 1))).astype(np.int64)


def uniform(cities: int, seed: int) -> Int64Array:
    """Draw distances one by one, unrelated there and back."""
    distances = np.random.default_rng(seed).integers(1, 10**6, (cities, cities))
    np.fill_diagonal(distances, 0)
    return distances


CLASSES: dict[str, Callable[[int, int], Int64Array]] = {"map": euclidean, "uniform": uniform}


def ours(distances: Int64Array, seconds: float, cores: int) -> Row:
    """Solve with a limit."""
    problem = prunus.ATSP(distances)
    result = prunus.solve(problem, time_limit=seconds, devices=f"cpu:{cores}")
    assert problem.evaluate(result.solution) == result.objective
    return "prunus", result.runtime, int(result.objective or 0), result.gap


def lkh(distances: Int64Array) -> Row:
    """Ask LKH, which knows no limit."""
    import elkai

    began = perf_counter()
    tour = elkai.DistanceMatrix(distances.tolist()).solve_tsp(runs=1)[:-1]
    return "LKH", perf_counter() - began, prunus.ATSP(distances).whole_length(tour), None


def or_tools(distances: Int64Array, seconds: float) -> Row:
    """Ask OR-Tools' routing library."""
    from ortools.constraint_solver import pywrapcp, routing_enums_pb2

    began = perf_counter()
    manager = pywrapcp.RoutingIndexManager(len(distances), 1, 0)
    model = pywrapcp.RoutingModel(manager)
    model.SetArcCostEvaluatorOfAllVehicles(model.RegisterTransitMatrix(distances.tolist()))
    search = pywrapcp.DefaultRoutingSearchParameters()
    search.local_search_metaheuristic = (
        routing_enums_pb2.LocalSearchMetaheuristic.GUIDED_LOCAL_SEARCH
    )
    search.time_limit.FromMilliseconds(int(1000 * seconds))
    found = model.SolveWithParameters(search)
    return "OR-Tools", perf_counter() - began, found.ObjectiveValue(), None


def table(sizes: list[int], limits: list[float], arguments: argparse.Namespace) -> None:
    """Print a row for each class, size and solver."""
    print("| distances | cities | who | seconds | above the best found | proven gap |")
    print("|---|---|---|---|---|---|")
    for name, draw in CLASSES.items():
        for cities in sizes:
            rows: dict[tuple[str, float], list[Row]] = {}
            above: dict[tuple[str, float], list[float]] = {}
            for seed in range(1, arguments.seeds + 1):
                distances = draw(cities, seed)
                found = {("prunus", s): ours(distances, s, arguments.cores) for s in limits}
                if arguments.peers:
                    found |= {("OR-Tools", s): or_tools(distances, s) for s in limits}
                    if cities <= arguments.most:
                        found["LKH", 0] = lkh(distances)
                best = min(row[2] for row in found.values())
                for key, row in found.items():
                    rows.setdefault(key, []).append(row)
                    above.setdefault(key, []).append(row[2] / best - 1)
            for key, several in rows.items():
                seconds = statistics.median(row[1] for row in several)
                gaps = [row[3] for row in several if row[3] is not None]
                gap = f"{statistics.median(gaps):.2%}" if gaps else ""
                more = statistics.median(above[key])
                print(f"| {name} | {cities} | {key[0]} | {seconds:.1f} | {more:.2%} | {gap} |")


def maps(arguments: argparse.Namespace) -> None:
    """Print how long proofs of small maps take."""
    print("| cities | median s | slowest s | proven |")
    print("|---|---|---|---|")
    for cities in (30, 40, 50, 60):
        results = [
            prunus.solve(
                prunus.ATSP(euclidean(cities, seed)),
                time_limit=60,
                devices=f"cpu:{arguments.cores}",
            )
            for seed in range(1, 21)
        ]
        seconds = [result.runtime for result in results]
        proven = sum(result.status == "optimal" for result in results)
        print(f"| {cities} | {statistics.median(seconds):.2f} | {max(seconds):.2f} | {proven} |")


def main() -> None:
    """Read the command line and print what is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sizes", default="150,500,1500,2500")
    parser.add_argument("--seconds", default="1,2,10")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--most", type=int, default=500)
    parser.add_argument("--maps", action="store_true")
    arguments = parser.parse_args()
    if arguments.maps:
        maps(arguments)
        return
    sizes = [int(size) for size in arguments.sizes.split(",")]
    table(sizes, [float(seconds) for seconds in arguments.seconds.split(",")], arguments)


if __name__ == "__main__":
    main()
