"""The ATSP's branch and bound: time to the proven optimum, beside CP-SAT and LKH.

``python -m benchmarks.atsp [FOLDER]`` solves TSPLIB's instances in a folder (their optima are known
here), instances of the classes tsmat and crane with 20 to 100 cities, random points in a square,
whose distances are symmetric, and 100 to 1000 cities whose distances are drawn each for itself,
from 1 to as many as there are cities, to a thousand, to a million. ``--peers SECONDS`` gives each
instance also to the peers of ``benchmarks.compare`` with so many seconds; ``--cores N`` says how
many cores ``solve`` has; ``--bound`` is its option.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

import prunus
from benchmarks.compare.peers import Peer, installed
from prunus.atsp.assignment.relaxation import assignment_relaxation

OPTIMA = {
    "br17": 39,
    "ft53": 6905,
    "ft70": 38673,
    "ftv33": 1286,
    "ftv35": 1473,
    "ftv38": 1530,
    "ftv44": 1613,
    "ftv47": 1776,
    "ftv55": 1608,
    "ftv64": 1839,
    "ftv70": 1950,
    "ftv170": 2755,
    "kro124p": 36230,
    "p43": 5620,
    "rbg323": 1326,
    "rbg358": 1163,
    "rbg403": 2465,
    "rbg443": 2720,
    "ry48p": 14422,
}
"""Published optima of TSPLIB's instances."""


def euclidean(cities: int, seed: int) -> prunus.ATSP:
    """Draw points in a square."""
    points = np.random.default_rng(seed).random((cities, 2)) * 1000
    away = np.rint(np.hypot(*(points[:, None] - points).T)).astype(np.int64)
    return prunus.ATSP(away, name=f"euclidean:{cities}:{seed}")


def uniform(cities: int, largest: int, seed: int) -> prunus.ATSP:
    """Draw every distance for itself."""
    away = np.random.default_rng(seed).integers(1, largest + 1, (cities, cities))
    return prunus.ATSP(away, name=f"uniform:{cities}:{largest}:{seed}")


def instances(folder: Path | None) -> Iterator[tuple[prunus.ATSP, int | None]]:
    """Give the instances, with their optima where they are known."""
    if folder is not None:
        read = [prunus.read(path) for path in folder.glob("*.atsp")]
        for problem in sorted(read, key=lambda problem: problem.cities):
            yield problem, OPTIMA.get(str(problem.name))
    for kind in ("tsmat", "crane"):
        for cities in (20, 40, 60, 80, 100):
            for seed in (1, 2):
                yield prunus.read(f"{kind}:{cities}:{seed}"), None
    for cities, seed in ((30, 1), (40, 1), (40, 2), (50, 1), (60, 1)):
        yield euclidean(cities, seed), None
    for cities in (100, 200, 300, 500, 1000):
        for largest in sorted({cities, 1000, 10**6}):
            for seed in (1, 2, 3):
                yield uniform(cities, largest, seed), None


def line(
    problem: prunus.ATSP, optimum: int | None, peers: list[Peer], options: argparse.Namespace
) -> str:
    """Solve an instance; return a row of the table."""
    cores = options.cores
    assignment = assignment_relaxation(problem).bound
    begun, worked = perf_counter(), process_time()
    result = prunus.solve(
        problem, bound=options.bound, devices=f"cpu:{cores}", time_limit=options.limit
    )
    seconds, worked = perf_counter() - begun, process_time() - worked
    assert problem.evaluate(result.solution) == result.objective
    assert result.bound is not None
    assert result.bound <= result.objective
    if optimum is not None:
        assert result.bound <= optimum <= result.objective, problem.name
    last = result.history[-1]
    apart = 100 * (result.objective - assignment) / max(1, result.objective)
    row = (
        f"| {problem.name} | {problem.cities} | {result.objective} | {apart:.1f} % "
        f"| {last.time:.2f} | {seconds:.2f} | {worked:.2f} | {result.nodes} | "
    )
    row += "proven" if result.status == "optimal" else f"gap {100 * (result.gap or 0):.2f} %"
    for peer in peers:
        begun = perf_counter()
        tour, proven = peer.solve(problem, options.peers)
        seconds = perf_counter() - begun
        length = math.inf if tour is None else problem.evaluate(tour)
        if proven:
            assert result.status != "optimal" or length == result.objective
            row += f" | {seconds:.2f}"
        else:
            above = 100 * (length - result.objective) / max(1.0, result.objective)
            row += f" | {above:.1f} % above in {seconds:.0f}"
    return row + " |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="with TSPLIB's .atsp files")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds an instance")
    parser.add_argument(
        "--peers", type=float, default=0.0, help="seconds for each peer, an instance"
    )
    parser.add_argument("--bound", default="auto", help="auto, assignment or arborescence")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--only", default="", help="instances whose names begin with one of these")
    options = parser.parse_args()
    head = [
        "instance",
        "cities",
        "length",
        "assignment below",
        "found s",
        "proven s",
        "CPU s",
        "nodes",
        "",
    ]
    peers = installed("ATSP") if options.peers else []
    head += [f"{peer.name} s" for peer in peers]
    print("|", " | ".join(head), "|")
    print("|" + "---|" * len(head))
    for problem, optimum in instances(options.folder):
        if str(problem.name).startswith(tuple(options.only.split(","))):
            print(line(problem, optimum, peers, options), flush=True)


if __name__ == "__main__":
    main()
