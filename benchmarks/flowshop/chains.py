"""Chains of iterated greedy alone, on one GPU or on several together, from schedules on file.

Instances one after the other, each for so many seconds; chains begin with the schedules of the
files of ``--start`` in turn, or with NEH's. Each better schedule than the best of these is
evaluated by plain code and appended to ``--jsonl`` at once; ``check_schedules`` and
``merge_schedules`` take that file.

    python -m benchmarks.flowshop.chains VFR/VFR100_60_3_Gap.txt --start best.jsonl \
        --jsonl new.jsonl --seconds 31 --temperatures .2 .09 --gpus 0 1
"""

from __future__ import annotations

import argparse
import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

import prunus
from benchmarks.flowshop.schedules import name_of
from prunus.flowshop.chains.islands import Islands
from prunus.flowshop.chains.on_gpu import TUNING, ChainTuning, GpuChains
from prunus.flowshop.heuristics.neh import neh
from prunus.flowshop.problem import FlowShop
from prunus.hardware.devices import open_gpu
from prunus.model.arrays import Int64Array


class Best:
    """The best schedule of an instance; better ones go to a file at once."""

    def __init__(self, name: str, shop: FlowShop, starts: Int64Array, path: Path | None) -> None:
        self._name, self._shop, self._path = name, shop, path
        self._lock, self._began = Lock(), time.perf_counter()
        self.makespan, self.found = min(map(shop.evaluate, starts)), 0.0

    def offer(self, schedule: Int64Array) -> int:
        """Take a schedule if it is better; return its makespan."""
        makespan = self._shop.evaluate(schedule)
        with self._lock:
            if makespan < self.makespan:
                self.makespan, self.found = makespan, time.perf_counter() - self._began
                line = {"name": self._name, "makespan": makespan, "seconds": round(self.found, 2)}
                print("better:", *line.values(), flush=True)
                if self._path is not None:
                    with self._path.open("a") as file:
                        file.write(json.dumps(line | {"schedule": schedule.tolist()}) + "\n")
        return makespan


def iterate(chains: GpuChains, best: Best, given: argparse.Namespace, tells: bool) -> int:
    """Run chains in slices until the end; return the least makespan that they had."""
    began, iterations, least, told = time.perf_counter(), 1, 2**31, 0.0
    while (left := given.seconds - (time.perf_counter() - began)) > 0:
        before = time.perf_counter()
        found = best.offer(chains.run(iterations, 1 - left / given.seconds))
        took = time.perf_counter() - before
        least = min(least, found)
        iterations = max(1, min(2 * iterations, round(iterations * given.slice / took)))
        if tells and time.perf_counter() - told > given.seconds / 12:
            told = time.perf_counter()
            rows = np.unique(chains.schedules, axis=0)
            costs = chains.costs
            print(
                f"  {given.seconds - left:5.1f} s, {iterations} iterations a slice: slice {found}, "
                f"so far {least}, mean {costs.mean():.0f}, least {costs.min()}, "
                f"{len(rows)} different of {chains.chains}",
                flush=True,
            )
    return least


def improve(source: str, given: argparse.Namespace, starts: dict[str, list[list[int]]]) -> None:
    """Run the chains of one instance."""
    shop, name = prunus.read(source), name_of(source)
    begun = np.array(starts.get(name) or [neh(shop)[0]])
    tuning = ChainTuning(given.removed, *given.temperatures, tolerated=given.tolerated)
    islands = Islands()
    all_chains = [
        GpuChains(
            shop, open_gpu(gpu), begun, seed=(given.seed, gpu), tuning=tuning, islands=islands
        )
        for gpu in given.gpus
    ]
    best = Best(name, shop, begun, given.jsonl)
    first, began = best.makespan, time.perf_counter()
    with ThreadPoolExecutor(len(all_chains)) as threads:
        running = [
            threads.submit(iterate, chains, best, given, number == 0)
            for number, chains in enumerate(all_chains)
        ]
        least = [each.result() for each in running]
    seconds = time.perf_counter() - began
    rate = sum(chains.moves for chains in all_chains) / seconds / 1e6
    words: dict[str, Any] = {key: value for key, value in vars(given).items() if key != "instances"}
    print(
        f"{name}: from {first} to {min(least)} ({least}), best after {best.found:.1f} of "
        f"{seconds:.1f} s, {rate:.0f} moves/µs, {words}",
        flush=True,
    )


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("instances", nargs="+")
    parser.add_argument("--start", type=Path, nargs="*", default=[])
    parser.add_argument("--jsonl", type=Path)
    parser.add_argument("--seconds", type=float, default=31.0)
    temperatures = TUNING.temperature, TUNING.last_temperature
    parser.add_argument("--temperatures", type=float, nargs=2, default=temperatures)
    parser.add_argument("--slice", type=float, default=0.05, help="seconds between meetings")
    parser.add_argument("--removed", type=int, default=TUNING.removed_jobs)
    parser.add_argument("--tolerated", type=float, default=TUNING.tolerated)
    parser.add_argument("--gpus", type=int, nargs="*", default=[0])
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    starts: dict[str, list[list[int]]] = {}
    for path in given.start:
        for line in map(json.loads, path.read_text().splitlines()):
            starts.setdefault(line["name"], []).append(line["schedule"])
    for source in given.instances:
        improve(source, given, starts)


if __name__ == "__main__":
    main()
