"""Small searches with the kernels of the tree search and of N-Queens, for NVIDIA's sanitizers.

    python -m benchmarks.treesearch.sanitized
    compute-sanitizer --tool memcheck python -m benchmarks.treesearch.sanitized

Counts are checked. The first run compiles the kernels, which would take minutes under a sanitizer,
as would the tests: few explorers and few launches are what makes these searches short.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from prunus.atsp.naive.program import atsp_program
from prunus.atsp.naive.tree import core_tree as atsp_tree
from prunus.atsp.problem import ATSP
from prunus.flowshop.cpu.tree import core_tree
from prunus.flowshop.gpu.program import flowshop_program
from prunus.flowshop.problem import FlowShop
from prunus.flowshop.rules import Bound, Branching
from prunus.nqueens.cpu.sweep import sweep
from prunus.nqueens.gpu.sweep import GpuSweeper, QueensGpuTuning
from prunus.nqueens.tasks.choose import queens_tasks
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.interval.cpu.explorer import CoreExplorer
from prunus.treesearch.interval.explorer import IntervalExplorer
from prunus.treesearch.interval.gpu import GpuExplorer, VictimSelection
from prunus.treesearch.interval.interval import Intervals, leaves
from prunus.treesearch.interval.work import intervals_in

EXPLORERS = 64


def to_the_end(explorer: IntervalExplorer, incumbent: Incumbent) -> int:
    """Explore what is open; return the branched nodes."""
    nodes = 0
    while True:
        report = explorer.explore(incumbent, 60.0)
        nodes += report.nodes
        if report.exhausted:
            return nodes


def whole(explorer: IntervalExplorer, ub: int | None) -> tuple[int, int]:
    """Search a whole tree; return the branched nodes and the best objective."""
    incumbent = Incumbent(ub)
    explorer.load(Intervals.whole(len(explorer.radix)))
    nodes = to_the_end(explorer, incumbent)
    assert explorer.state()[1] == leaves(explorer.radix)
    return nodes, incumbent.cutoff


def shared(explorers: list[GpuExplorer], ub: int) -> int:
    """Search a tree whose work is split, looked at and handed on; return the branched nodes."""
    incumbent, nodes = Incumbent(ub), 0
    first, second = explorers
    first.load(Intervals.whole(len(first.radix)))
    for step in range(4):
        nodes += first.explore(incumbent, 1e-9).nodes
        first.bound()
        part = first.split(0.5)
        second.load(part if step % 2 else intervals_in(part))
        first, second = second, first
    nodes += sum(to_the_end(explorer, incumbent) for explorer in explorers)
    assert sum(explorer.state()[1] for explorer in explorers) == leaves(first.radix)
    return nodes


def searches(device: Any) -> Iterator[tuple[str, int, int]]:
    """Search; say of each search what it was, how many nodes it had and how many are right."""
    rng = np.random.default_rng(3)
    shop, tour = FlowShop(rng.integers(1, 100, (10, 4))), ATSP(rng.integers(1, 50, (8, 8)))
    for bound in (Bound.LB2, Bound.LB1):
        tree = core_tree(shop, bound, Branching.FORWARD)
        best = whole(CoreExplorer(tree), None)[1]
        nodes, _ = whole(CoreExplorer(tree), best)
        program = flowshop_program(shop, bound=bound, branching=Branching.FORWARD)
        for victims in VictimSelection if bound is Bound.LB1 else [VictimSelection.DONATION]:
            explorer = GpuExplorer(program, device, explorers=EXPLORERS, victims=victims, trigger=2)
            name = f"flow shop, {bound.name}, {victims.name}"
            yield name, whole(explorer, best)[0], nodes
        explorer = GpuExplorer(program, device, explorers=EXPLORERS)
        yield f"flow shop, {bound.name}, nothing given", whole(explorer, None)[1], best
    pair = [GpuExplorer(program, device, explorers=4) for _ in range(2)]
    yield "flow shop, split and handed on", shared(pair, best), nodes
    best = whole(CoreExplorer(atsp_tree(tour)), None)[1]
    nodes, _ = whole(CoreExplorer(atsp_tree(tour)), best)
    explorer = GpuExplorer(atsp_program(tour), device, explorers=EXPLORERS)
    yield "tour", whole(explorer, best)[0], nodes
    go = np.zeros(1, np.int64)
    for symmetry in ("all", "mirror"):
        for seconds in (0.3, 0.0):  # nodes are given away, and kept from launch to launch
            tuning = QueensGpuTuning(launch_s=seconds)
            tasks = queens_tasks(10, symmetry, 40)
            found = GpuSweeper(device, tasks, device.warp, tuning).sweep(0, len(tasks), go)
            nodes = sweep(tasks, 0, len(tasks), go)[1]
            yield f"10 queens, {symmetry}, launches of {seconds:g} s", found[1], nodes


def main() -> None:
    """Run all searches on a GPU."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", type=int, default=0, help="which GPU")
    index = parser.parse_args().device
    from prunus.hardware.cuda import CudaDevice

    begin = time.perf_counter()
    for name, found, right in searches(CudaDevice(index)):
        print(f"{time.perf_counter() - begin:7.2f} s  {name}: {found:,}", flush=True)
        if found != right:
            sys.exit(f"WRONG: {right:,}")


if __name__ == "__main__":
    main()
