"""Tree search over worker processes beside one process with the same devices: what work units cost.

    python -m benchmarks.treesearch.cluster --workers 2 --devices cpu --runs 3 ta022 queens:16
    python -m benchmarks.treesearch.cluster --devices cuda:0,cuda:1

Workers share the devices, so that both sides have the same ones. Every
search has its optimum given, and counts are checked. Seconds are of the search, medians of runs in
turn; CPU seconds are of all processes, the least; workers are warm, kernels compiled.
``--kill SECONDS`` also kills a worker in each search after so long; the pool is then made anew by a
function.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import signal
import statistics
import threading
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import prunus

TRUTH = {
    "ta021": (2297, 461_634_463),
    "ta022": (2099, 45_955_964),
    "ta023": (2326, 2_862_864_770),
    "ta024": (2223, 193_113_674),
    "ta025": (2291, 84_319_335),
    "ta028": (2200, 12_869_908),
    "ta029": (2237, 12_233_430),
    "ta030": (2178, 2_415_779),
    "ta056": (3679, 173_314_864_804),
    "queens:14": 365_596,
    "queens:15": 2_279_184,
    "queens:16": 14_772_512,
    "queens:17": 95_815_104,
    "queens:18": 666_090_624,
    "queens:19": 4_968_057_848,
    "queens:20": 39_029_188_884,
}


def one_run(name: str, **options):
    """Search one instance; check the count and return the result."""
    problem, truth = prunus.read(name), TRUTH[name]
    if isinstance(truth, int):
        result = prunus.solve(problem, **options)
        assert result.objective == truth, result
    else:
        result = prunus.solve(problem, upper_bound=truth[0], **options)
        assert (result.status, result.nodes) == ("infeasible", truth[1]), result
    assert result.explored == 1.0
    return result


def spent(pids) -> float:
    """Return the CPU seconds that some processes have taken."""
    total = 0
    for pid in pids:
        with open(f"/proc/{pid}/stat") as file:
            total += sum(map(int, file.read().rpartition(") ")[2].split()[11:13]))
    return total / os.sysconf("SC_CLK_TCK")


def compare(runs: int, name: str, devices: str, executor):
    """Search both ways in turn; return medians of seconds, least CPU seconds, the last result."""
    pids = [os.getpid(), *executor._processes]
    figures: dict[str, list] = {"alone": [], "both": []}
    for _ in range(runs):
        for way, where in (("alone", None), ("both", executor)):
            before = spent(pids)
            result = one_run(name, devices=devices, executor=where)
            figures[way].append((result.statistics["search_time"], spent(pids) - before))
    alone, both = figures["alone"], figures["both"]
    return (
        *(statistics.median(seconds for seconds, _ in way) for way in (alone, both)),
        *(min(cpu for _, cpu in way) for way in (alone, both)),
        result,
    )


def with_kill(name: str, pools: list, make, seconds: float, **options):
    """Search while a worker is killed after so many seconds."""

    def kill() -> None:
        os.kill(next(iter(pools[-1]._processes)), signal.SIGKILL)

    killer = threading.Timer(seconds, kill)
    killer.start()
    result = one_run(name, executor=make, **options)
    killer.cancel()
    return result


def main() -> None:
    """Print a line for each instance."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=["ta022", "queens:15", "queens:16"])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--devices", default="cpu")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--kill", type=float)
    given = parser.parse_args()
    pool = partial(ProcessPoolExecutor, given.workers, multiprocessing.get_context("spawn"))
    print(
        f"{'':10} one process {given.workers} workers  ratio  CPU alone  CPU pool   units "
        "searching   devices, units and nodes of each worker"
    )
    with pool() as executor:
        for name in given.names:
            prunus.solve(prunus.read(name), devices=given.devices, time_limit=0.1)
            one_run("queens:14" if "queens" in name else "ta030", executor=executor)
            alone, both, cpu_alone, cpu_both, result = compare(
                given.runs, name, given.devices, executor
            )
            workers = result.statistics["workers"]
            units = sum(w["work_units"] for w in workers)
            busy = sum(w["search_time"] for w in workers) / given.workers
            print(
                f"{name:10} {alone:11.3f} {both:9.3f} {alone / both:6.3f} {cpu_alone:10.2f} "
                f"{cpu_both:10.2f} {units:7} {busy / result.statistics['search_time']:9.3f}",
                [(*w["devices"], w["work_units"], w["nodes"]) for w in workers],
                flush=True,
            )
    for name in given.names if given.kill else []:
        pools: list = []

        def make(pools=pools):
            pools.append(pool())
            return pools[-1]

        result = with_kill(name, pools, make, given.kill, devices=given.devices)
        figures = result.statistics
        lost = figures["work_units_lost"]
        print(f"{name}, a worker killed: {figures['search_time']:.2f} s, {lost} lost, {len(pools)}")


if __name__ == "__main__":
    main()
