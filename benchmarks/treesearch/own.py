"""Problems of one's own, written in Python, beside the same ones built in: nodes a second.

The asymmetric TSP with the naive bound and the flow shop with the forward one-machine bound are in
the library; here they are written again as a user would. Two others, weighted tardiness and linear
ordering, have loops over the free items. Every search is given a value to beat and branches the
same nodes wherever it runs, which is checked.

    python -m benchmarks.treesearch.own                    on one core
    python -m benchmarks.treesearch.own --gpu              on the first GPU
    python -m benchmarks.treesearch.own --devices cuda:0,cuda:1
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

import prunus
from benchmarks.treesearch.own_problems import Ordering, Shop, Tardiness, Tour
from prunus.atsp.naive.program import atsp_program
from prunus.atsp.naive.tree import core_tree as tour_tree
from prunus.custom.costs import CostProblem
from prunus.custom.cpu.tree import core_tree
from prunus.custom.gpu.program import custom_program
from prunus.flowshop.cpu.tree import core_tree as shop_tree
from prunus.flowshop.gpu.program import flowshop_program
from prunus.flowshop.rules import Bound, Branching
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.interval.cpu.explorer import CoreExplorer
from prunus.treesearch.interval.gpu.program import GpuProgram
from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.model import Explorer


@dataclass(frozen=True)
class Case:
    """A problem, the same built in if it is, values to beat: of a small tree, a large one."""

    name: str
    own: prunus.PermutationProblem
    small: int
    large: int
    built_in: Any = None

    @property
    def costs(self) -> CostProblem:
        """The problem as the searches see it."""
        return CostProblem(self.own, 0)


def cases() -> list[Case]:
    """Return the problems; none has a solution below the values."""
    rng = np.random.default_rng(2026)
    distances = prunus.read("tsmat:15:1").distances
    times = rng.integers(1, 100, (20, 10))
    jobs = [rng.integers(1, high, 18) for high in (100, 11)]
    due = rng.integers(50, 500, 18)
    matrix = rng.integers(0, 100, (24, 24))
    return [
        Case("tour", Tour(distances), 1_428_487, 2_040_000, prunus.ATSP(distances)),
        Case("shop", Shop(times), 1484, 1530, prunus.FlowShop(times)),
        Case("tardiness", Tardiness(*jobs, due), 700, 4000),
        Case("ordering", Ordering(matrix), 10043, 10900),
    ]


def searched(explorer: Explorer, cutoff: int, seconds: float) -> tuple[int, float]:
    """Search below a value, or for so long; return the nodes and the time."""
    incumbent = Incumbent(cutoff)
    explorer.load(Intervals.whole(len(explorer.radix)))
    start, nodes = perf_counter(), 0
    while perf_counter() - start < seconds:
        report = explorer.explore(incumbent, seconds)
        nodes += report.nodes
        if report.exhausted:
            break
    took = perf_counter() - start
    explorer.clear()
    return nodes, took


def built_in_tree(case: Case) -> Any:
    """Return the tree that is in the library."""
    if isinstance(case.built_in, prunus.ATSP):
        return tour_tree(case.built_in)
    return shop_tree(case.built_in, Bound.LB1, Branching.FORWARD)


def built_in_program(case: Case) -> GpuProgram:
    """Return the hand-written kernels."""
    if isinstance(case.built_in, prunus.ATSP):
        return atsp_program(case.built_in)
    return flowshop_program(case.built_in, branching=Branching.FORWARD)


def on_core(repeats: int) -> None:
    """Time one core."""
    for case in cases():
        made = [("own", core_tree(case.costs))]
        if case.built_in is not None:
            made.append(("built in", built_in_tree(case)))
        rows = {}
        for which, tree in made:
            core = CoreExplorer(tree)
            searched(core, case.small, 60)  # compiles
            runs = [searched(core, case.small, 60) for _ in range(repeats)]
            rows[which] = {nodes for nodes, _ in runs}
            nodes, took = runs[0][0], median(took for _, took in runs)
            print(f"{case.name:10} {which:9} {nodes:12,} nodes {nodes / took / 1e6:8.2f} M/s")
        same = len(set.union(*rows.values())) == 1
        print(f"{case.name:10} {'the same nodes' if same else 'OTHER NODES'}", flush=True)


def ways(case: Case) -> Iterator[tuple[str, GpuProgram]]:
    """Give the ways of compiling a problem for a GPU that a user can choose between."""
    for bits in (64, 32):
        kind: Any = type(type(case.own).__name__, (type(case.own),), {"bits": bits})
        problem = kind.__new__(kind)
        problem.__dict__.update(case.own.__dict__)
        yield f"{bits} bits", custom_program(CostProblem(problem, 0))


def on_gpu(seconds: float, repeats: int) -> None:
    """Time the first GPU."""
    from prunus.hardware.cuda import CudaDevice
    from prunus.treesearch.interval.gpu import GpuExplorer

    device = CudaDevice(0)
    todo = []
    for case in cases():
        programs = list(ways(case))
        if case.built_in is not None:
            programs.append(("built in", built_in_program(case)))
        for _, program in programs:
            constants = {**program.constants, **program.launch_shape(device).constants}
            device.begin_compiling(program.file, constants)
        todo.append((case, programs))
    for case, programs in todo:
        expected, took = searched(CoreExplorer(core_tree(case.costs)), case.small, 60)
        print(f"{case.name:10} {'a core':10} {expected:12,} nodes {expected / took / 1e6:8.1f} M/s")
        for words, program in programs:
            explorer = GpuExplorer(program, device)
            nodes, took = searched(explorer, case.small, 10)
            verdict = "" if nodes == expected else f"  NOT THE {expected:,} NODES OF A CORE"
            runs = [searched(explorer, case.large, seconds) for _ in range(repeats)]
            many, long = sorted(runs, key=lambda run: run[0] / run[1])[repeats // 2]
            done = "all" if long < seconds else "in"
            print(
                f"{case.name:10} {words:10} {nodes:12,} nodes {nodes / took / 1e6:8.1f} M/s, "
                f"{many:14,} {done} {long:.3f} s {many / long / 1e6:9.1f} M/s{verdict}",
                flush=True,
            )


def on_devices(devices: str) -> None:
    """Solve on some devices, with everything that belongs to it."""
    for case in cases():
        counts = set()
        for where in (*devices.split(","), devices, devices):
            result = prunus.solve(
                case.own, devices=where, upper_bound=case.large, proof="direct", time_limit=5
            )
            if result.stopped_by is None:
                counts.add(result.nodes)
            took = result.statistics["search_time"]
            print(
                f"{case.name:10} {where:16} {result.nodes:14,} nodes in {took:7.3f} s", flush=True
            )
        print(
            f"{case.name:10} {'the same nodes' if len(counts) < 2 else 'OTHER NODES'}", flush=True
        )


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--gpu", action="store_true", help="the first GPU instead of a core")
    parser.add_argument("--devices", help="solve on these, each and together")
    parser.add_argument("--seconds", type=float, default=1.0, help="for a large tree on a GPU")
    parser.add_argument("--repeats", type=int, default=3)
    chosen = parser.parse_args()
    if chosen.devices:
        on_devices(chosen.devices)
    elif chosen.gpu:
        on_gpu(chosen.seconds, chosen.repeats)
    else:
        on_core(chosen.repeats)


if __name__ == "__main__":
    main()
