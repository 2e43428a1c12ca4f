"""Record on a GPU how unequal the open intervals of real trees are, and what units cost.

    python -m benchmarks.cluster.record_gpu ta021 ta056 queens:20 own:15 --json recorded.json

As ``record`` does it on cores, here with a GPU's own open intervals: one search runs until half of
the tree is done, in slices whose rates are kept; then a sample of what is open is searched to its
end, an interval at a time, and some of them again in two halves. The time to take open intervals
from the card and to give them back to it, and the seconds until its explorers are at work, are
printed beside. ``own:15``, a quadratic assignment, has some 8 G nodes, of which an H200 was seen to
branch .27 G a second; it is searched twice and a half. For queens, whose units are ranges of a
list, it is the nodes of a sample of tasks.
"""

from __future__ import annotations

import argparse
import json
import random
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np

import prunus
from benchmarks.cluster.record import OPTIMA, Recording, own_problem
from benchmarks.cluster.trees import RECORDED
from prunus.custom.costs import CostProblem
from prunus.custom.explorer_factory import CustomExplorerFactory
from prunus.flowshop.explorer_factory import FlowShopExplorerFactory
from prunus.flowshop.problem import FlowShop
from prunus.flowshop.rules import Bound, Branching
from prunus.hardware.cuda import CudaDevice
from prunus.nqueens.explorer_factory import QueensExplorerFactory
from prunus.nqueens.problem import NQueens
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.interval.space import IntervalSpace
from prunus.treesearch.model import Explorer
from prunus.treesearch.options import StealingPolicy

TOTALS = {"ta021": (2297, 461_634_463), "ta056": (3679, 173_314_864_804)}
"""The optimum and the nodes of the whole tree, with the optimum given."""


@dataclass(frozen=True)
class Tree:
    """A search that is recorded."""

    explorer: Explorer
    """A GPU's."""
    cutoff: int | None
    """The optimum; None where there is none."""
    nodes: int
    """Of the whole tree."""
    radix: tuple[int, ...]
    """Of the tree."""


def shop_tree(name: str, device: CudaDevice) -> Tree:
    """Return the tree of a flow shop."""
    shop = prunus.read(name)
    assert isinstance(shop, FlowShop)
    cutoff, nodes = TOTALS.get(name) or (OPTIMA[name], 0)
    nodes = nodes or prunus.solve(shop, devices="cuda:0", upper_bound=cutoff).nodes
    factory = FlowShopExplorerFactory(shop, StealingPolicy.POWER, Bound.LB1, Branching.MINBRANCH)
    return Tree(factory.on_gpu(device), cutoff, nodes, tuple(factory.radix))


def own_tree(name: str, device: CudaDevice) -> Tree:
    """Return the tree of a problem of one's own."""
    problem = own_problem(name)
    best = prunus.solve(problem, devices="cuda:0").objective
    assert best is not None
    nodes = prunus.solve(problem, devices="cuda:0", upper_bound=int(best)).nodes
    factory = CustomExplorerFactory(CostProblem(problem, 0), StealingPolicy.POWER)
    return Tree(factory.on_gpu(device), int(best), nodes, tuple(factory.radix))


def count(explorer: Explorer, cutoff: int | None, work: Intervals) -> int:
    """Return the nodes below some intervals."""
    incumbent, nodes = Incumbent(cutoff), 0
    explorer.clear()
    explorer.load(work)
    while True:
        done = explorer.explore(incumbent, 1.0)
        nodes += done.nodes
        if done.exhausted:
            return nodes


def record_tree(tree: Tree, slice_s: float, sample: int) -> Recording:
    """Search half of a tree, and a sample of what is open then."""
    explorer, incumbent = tree.explorer, Incumbent(tree.cutoff)
    count(explorer, 0, Intervals.whole(len(tree.radix)))  # compiles
    explorer.clear()
    explorer.load(Intervals.whole(len(tree.radix)))
    rates, nodes, filled, began = [], 0, 0.0, perf_counter()
    while nodes < tree.nodes // 2:
        before = perf_counter()
        done = explorer.explore(incumbent, slice_s)
        nodes += done.nodes
        rates.append(done.nodes / (perf_counter() - before))
        if not filled and done.active >= 0.9 * done.explorers:
            filled = perf_counter() - began
    space = IntervalSpace(tree.radix)
    for _ in range(3):  # as workers do it; the last time counts
        began = perf_counter()
        work, _ = explorer.state()
        packed = space.pack(space.join(work))
        returned = perf_counter() - began
        explorer.clear()
        began = perf_counter()
        explorer.load(packed)
        explorer.explore(incumbent, 1e-6)
        taken = perf_counter() - began
    opened = packed.intervals()
    if not len(opened):
        raise SystemExit("the tree was searched before half of it could be taken")
    print(
        f"  {len(opened):,} open, {returned * 1e3:.1f} ms to return and {taken * 1e3:.1f} ms to"
        f" take up; {np.median(rates) / 1e9:.2f} G nodes/s, 9 in 10 at work after {filled:.3f} s",
        flush=True,
    )
    chosen = random.Random(1).sample(range(len(opened)), min(sample, len(opened)))
    found = [count(explorer, tree.cutoff, opened[i : i + 1]) for i in chosen]
    shares = []
    for i in chosen[: sample // 4]:
        left, right = opened[i : i + 1].halve(tree.radix)
        if len(right):
            counts = [count(explorer, tree.cutoff, half) for half in (left, right)]
            if sum(counts):
                shares.append(counts[0] / sum(counts))
    later = rates[len(rates) // 4 :]  # the first ones have few explorers at work
    return Recording(np.array(found, float), np.array(later), np.array(shares))


def record_queens(n: int, device: CudaDevice, sample: int) -> Recording:
    """Record the nodes of some tasks of a board."""
    factory = QueensExplorerFactory(NQueens(n), StealingPolicy.POWER, "all", 200_000)
    (tasks,) = factory.radix
    explorer = factory.on_gpu(device)
    chosen = random.Random(1).sample(range(tasks), min(sample, tasks))
    found = [count(explorer, None, Intervals.tasks(task, task + 1)) for task in chosen]
    rates = []
    for begin in range(0, tasks, -(-tasks // 16)):
        before = perf_counter()
        nodes = count(explorer, None, Intervals.tasks(begin, min(tasks, begin + tasks // 16)))
        rates.append(nodes / (perf_counter() - before))
    print(f"  {tasks:,} tasks, {np.median(rates) / 1e9:.1f} G nodes/s", flush=True)
    return Recording(np.array(found, float), np.array(rates), np.full(1, 0.5))


def main() -> None:
    """Record trees by name."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="+")
    parser.add_argument("--sample", type=int, default=4000, help="intervals searched alone")
    parser.add_argument("--slice", type=float, default=0.25, help="seconds")
    parser.add_argument("--json", type=Path, default=RECORDED)
    given = parser.parse_args()
    device = CudaDevice(0)
    known = json.loads(
        (given.json if given.json.exists() else RECORDED).read_text(encoding="utf-8")
    )
    for name in given.names:
        print(name, flush=True)
        if name.startswith("queens:"):
            recording = record_queens(int(name.partition(":")[2]), device, given.sample)
        else:
            tree = own_tree(name, device) if name.startswith("own:") else shop_tree(name, device)
            slice_s = min(given.slice, tree.nodes / 16e9 / 20)
            recording = record_tree(tree, slice_s, given.sample)
        summary = recording.summary()
        known[f"{name} on a GPU"] = summary
        print("  ", {k: v for k, v in summary.items() if k not in ("body", "halves")}, flush=True)
        given.json.write_text(json.dumps(known, indent=None) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
