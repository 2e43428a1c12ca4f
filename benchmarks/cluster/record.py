"""Record how unequal the open intervals of real trees are, for the simulation of large clusters.

    python -m benchmarks.cluster.record ta022 queens:15 own:12

Explorers of a core each, a thousand of them in turn, stand for those of a GPU: each branches some
hundred nodes, one that has none left takes half of what another has. When half of the tree is
done, what each has is taken apart into the children that are left at each level of its path, as a
GPU returns it, and each of these is searched to its end. Their numbers of nodes, divided by the
mean, are kept as quantiles; the largest twentieth as a Pareto tail, by Hill's estimator. For
queens, whose units are ranges of a list, it is the nodes of each task. ``rate_spread`` is of slices
of a tenth of a second of processor time. Everything goes to ``recorded.json``, where other trees
stay as they are.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from time import thread_time

import numpy as np

import prunus
from benchmarks.cluster.trees import RECORDED
from examples.quadratic_assignment import QuadraticAssignment
from prunus.custom.costs import CostProblem
from prunus.custom.explorer_factory import CustomExplorerFactory
from prunus.flowshop.explorer_factory import FlowShopExplorerFactory
from prunus.flowshop.problem import FlowShop
from prunus.flowshop.rules import Bound, Branching
from prunus.nqueens.explorer_factory import QueensExplorerFactory
from prunus.nqueens.problem import NQueens
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.interval.cpu.explorer import CoreExplorer
from prunus.treesearch.interval.cpu.tree import Tree
from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.options import StealingPolicy

QUANTILES, TAIL, HALVES = 401, 0.95, 100
OPTIMA = {"ta022": 2099, "ta025": 2291, "ta028": 2200, "ta029": 2237, "ta030": 2178}
SLICE_S = 0.1


@dataclass(frozen=True)
class Recording:
    """Nodes of open intervals, nodes a second of slices, shares of the left halves of intervals."""

    nodes: np.ndarray
    rates: np.ndarray
    left_shares: np.ndarray

    def summary(self) -> dict[str, object]:
        """Return what is kept."""
        sizes = np.sort(self.nodes / self.nodes.mean())
        cut = int(TAIL * len(sizes))
        hill = 1 / np.log(np.maximum(sizes[cut:], 1e-12) / max(sizes[cut], 1e-12)).mean()
        return {
            "body": [round(float(x), 6) for x in np.quantile(sizes, np.linspace(0, 1, QUANTILES))],
            "tail": [TAIL, round(float(max(1.05, hill)), 3)],
            "halves": self.halves(),
            "rate_spread": round(float(np.log(self.rates).std()), 4),
            "intervals": len(sizes),
            "mean_nodes": float(self.nodes.mean()),
            "largest": float(sizes[-1]),
        }

    def halves(self) -> list[float]:
        """Return quantiles of the power that a left half has for its share, see ``synthetic``."""
        powers = -np.log2(np.clip(self.left_shares, 1e-6, 1 - 1e-6))
        return [round(float(x), 5) for x in np.quantile(powers, np.linspace(0, 1, HALVES))]


def entries(intervals: Intervals, radix: tuple[int, ...]) -> Intervals:
    """Take intervals apart: the children that are left at each level of each path."""
    found = [Intervals.empty(len(radix))]
    for i in range(len(intervals)):
        depth, end_level = int(intervals.depth[i]), int(intervals.end_level[i])
        for level in range(end_level, depth):
            first = int(intervals.digits[i, level]) + (level < depth - 1)
            last = int(intervals.end_digit[i]) if level == end_level else radix[level]
            if first < last:
                one = intervals[i : i + 1]
                one = Intervals(*(getattr(one, name).copy() for name in Intervals.__slots__))
                one.digits[0, level] = first
                one.digits[0, level + 1 :] = one.directions[0, level + 1 :] = 0
                one.depth[0], one.end_level[0], one.end_digit[0] = level + 1, level, last
                found.append(one)
    return Intervals.concatenate(found)


def record_tree(tree: Tree, cutoff: int, nodes: int, explorers: int, step: int) -> Recording:
    """Record a tree of so many nodes."""
    rng, incumbent = random.Random(1), Incumbent(cutoff)
    team = [CoreExplorer(tree) for _ in range(explorers)]
    team[0].load(Intervals.whole(len(tree.radix)))
    working = [team[0]]
    idle = team[1:]
    while working and sum(one.counts[0] for one in team) < nodes // 2:
        for one in list(working):
            if not one.branch(incumbent, step):
                working.remove(one)
                idle.append(one)
        for thief in list(idle):
            given = rng.choice(working).split(0.5) if working else Intervals.empty(1)
            if len(given):
                thief.load(given)
                working.append(thief)
                idle.remove(thief)
    opened = Intervals.concatenate([one.open() for one in working])
    alone = CoreExplorer(tree)

    def count(one: Intervals) -> int:
        start = alone.counts[0]
        alone.load(one)
        while alone.branch(incumbent, 200_000):
            pass
        return alone.counts[0] - start

    found, rates, began, before = [], [], thread_time(), 0
    children = entries(opened, tree.radix)
    for i in range(len(children)):
        found.append(count(children[i : i + 1]))
        if thread_time() - began > SLICE_S:
            rates.append((alone.counts[0] - before) / (thread_time() - began))
            began, before = thread_time(), alone.counts[0]
    shares = []
    for i in range(len(opened)):
        left, right = opened[i : i + 1].halve(tree.radix)
        if len(right):
            counts = count(left), count(right)
            if sum(counts):
                shares.append(counts[0] / sum(counts))
    return Recording(np.array(found, float), np.array(rates), np.array(shares))


def record_queens(n: int, tasks: int) -> Recording:
    """Record the nodes of each task of a board."""
    factory = QueensExplorerFactory(NQueens(n), StealingPolicy.POWER, "all", tasks)
    (count,) = factory.radix
    explorer, incumbent = factory.on_core("cpu"), Incumbent()
    found, rates, began, before = [], [], thread_time(), 0
    for task in range(count):
        explorer.load(Intervals.tasks(task, task + 1))
        nodes = 0
        while True:
            done = explorer.explore(incumbent, 1.0)
            nodes += done.nodes
            if done.exhausted:
                break
        found.append(nodes)
        if thread_time() - began > SLICE_S:
            rates.append(sum(found[before:]) / (thread_time() - began))
            began, before = thread_time(), len(found)
    return Recording(np.array(found, float), np.array(rates), np.full(1, 0.5))


def own_problem(name: str) -> QuadraticAssignment:
    """Return the quadratic assignment that stands for a user's problem.

    ``own:12`` has 12 facilities. Each further facility makes the tree seven to nine times as large.
    """
    size = int(name.partition(":")[2])
    rng = np.random.default_rng(4)
    flows, distances = (rng.integers(0, 9, (size, size)) for _ in range(2))
    return QuadraticAssignment(*((one + one.T).tolist() for one in (flows, distances)))


def recorder(name: str, explorers: int, step: int) -> Callable[[], Recording]:
    """Return what records a tree."""
    if name.startswith("queens:"):
        return lambda: record_queens(int(name.partition(":")[2]), 4 * explorers)
    if name.startswith("own:"):
        problem = own_problem(name)
        best = prunus.solve(problem, devices="cpu")
        assert best.objective is not None
        costs = CostProblem(problem, 0)
        tree = CustomExplorerFactory(costs, StealingPolicy.POWER).tree()
        nodes = prunus.solve(problem, devices="cpu", upper_bound=int(best.objective)).nodes
        return lambda: record_tree(tree, int(best.objective or 0), nodes, explorers, step)
    shop = prunus.read(name)
    assert isinstance(shop, FlowShop)
    result = prunus.solve(shop, devices="cpu", upper_bound=OPTIMA[name])
    tree = FlowShopExplorerFactory(
        shop, StealingPolicy.POWER, Bound.LB1, Branching.MINBRANCH
    ).tree()
    return lambda: record_tree(tree, OPTIMA[name], result.nodes, explorers, step)


def main() -> None:
    """Record trees by name."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="+")
    parser.add_argument("--explorers", type=int, default=1024)
    parser.add_argument("--step", type=int, default=256, help="nodes between two steals")
    parser.add_argument("--suffix", default="", help="of the name it is kept by")
    given = parser.parse_args()
    known = json.loads(RECORDED.read_text(encoding="utf-8")) if RECORDED.exists() else {}
    for name in given.names:
        summary = recorder(name, given.explorers, given.step)().summary()
        known[name + given.suffix] = summary
        print(name, {k: v for k, v in summary.items() if k != "body"}, flush=True)
    RECORDED.write_text(json.dumps(known, indent=None) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
