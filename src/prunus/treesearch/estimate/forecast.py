"""How many nodes a search will have branched at its end, told while it goes on."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

import numpy as np

from prunus.hardware import clock
from prunus.runtime.incumbent import NO_INCUMBENT
from prunus.treesearch.estimate.growth import TreeGrowth, TreeSize
from prunus.treesearch.interval.work import intervals_in
from prunus.treesearch.model import Work

if TYPE_CHECKING:
    from prunus.treesearch.estimate.probes import SizeProbes
    from prunus.treesearch.interval.cpu.tree import Tree

TASKS_ERROR = 0.03
"""Of what tasks of about the same size foretell, see ``TreeSize``."""

PASSES = 2
"""How much of a tree is left tells what samples are worth, and these tell how much is left."""


@dataclass(frozen=True, slots=True)
class ForecastTuning:
    """When to estimate, and how well."""

    first_s: float = 0.5
    """Seconds of a search before the first estimate: shorter ones need none."""
    growth: float = 1.3
    """The next estimate comes when the search has lasted so many times as long."""
    rest_per_cost: float = 40.0
    """And not before so many times the seconds have passed that the last one took."""
    most_s: float = 2.0
    """Seconds that one may take: nothing else is heard meanwhile."""
    nodes_per_s: float = 32.0
    most_nodes: int = 1000
    """Nodes a level that are sampled, for each second of the search; at most."""
    least_nodes: int = 32
    """And at least."""
    least_left: float = 0.1
    """Looks at less than such a part of a tree count no more than those at so much."""
    early_share: float = 0.1
    early_s: float = 1.0
    later_share: float = 0.01
    """Trees below lower targets are searched for such a part of the time so far, of one core: at
    first, for so many seconds, and after that."""
    piece_s: float = 0.004
    """How long a piece of that takes, about."""
    target_factor: float = 4.5
    """Where targets are raised, each tree has about so many times the nodes of the last one."""
    few_items: int = 30
    """Samples of trees with more items are mostly too small."""


class LowerTrees(Protocol):
    """Searches of trees below lower targets, in parts."""

    growth: TreeGrowth
    lower: int
    """No solution is below this."""

    @property
    def met(self) -> bool:
        """Whether there is nothing left to search."""

    def branch(self, nodes: int) -> int:
        """Branch so many nodes, at most; return how many it were."""


class TreeForecast:
    """Estimates how many nodes the tree below a cutoff has, from one of three sources.

    - Samples, if ``tree`` is given, which makes the tree when the first estimate is due. What a
      sample says of the open nodes at some moment, and what had been branched by then, are together
      an estimate of the whole tree. These are averaged until the cutoff changes; larger samples,
      and those taken when less was left, have more weight. The average is combined with what the
      trees below lower targets say, see ``TreeGrowth``.
    - The sizes of lower trees alone, if only ``growth`` is given: GPUs are not held up for samples.
    - The tasks that are done, if neither is given: the leaves are tasks of about the same size.

    ``lower_trees`` makes what searches below lower targets, and shares ``growth``. ``series`` is
    for a result's statistics: the time of each estimate in seconds of the search, the nodes
    branched by then, those that the whole search seemed to take, and by which factor it may have
    been wrong.
    """

    def __init__(
        self,
        tree: Callable[[], Tree] | None,
        tuning: ForecastTuning = ForecastTuning(),
        lower_trees: Callable[[Tree], LowerTrees] | None = None,
        growth: TreeGrowth | None = None,
    ) -> None:
        self.series: list[dict[str, float]] = []
        self.growth = TreeGrowth() if growth is None else growth
        self._tasks = tree is None and growth is None
        self._make, self._make_lower, self._tuning = tree, lower_trees, tuning
        self._tree: Tree | None = None
        self._probes: SizeProbes | None = None
        self._lower: LowerTrees | None = None
        self._lower_s, self._piece = 0.0, 1000
        self._cutoff: int | None = None
        self._looks: list[tuple[float, float, float]] = []  # samples, nodes by then, all nodes
        self._others = 0
        self._target: int | None = None
        self._next = tuning.first_s

    @property
    def samples(self) -> bool:
        """Whether it must know what is open."""
        return self._make is not None

    @property
    def lower(self) -> int | None:
        """No solution is below this; None as long as no lower tree was searched."""
        return None if self._lower is None else self._lower.lower

    def due(self, elapsed: float) -> bool:
        """Return whether it is time for an estimate, after so many seconds of the search."""
        return elapsed >= self._next

    def restart(self, elapsed: float, nodes: int = 0, target: int | None = None) -> None:
        """Note that another tree is begun, after so many nodes of others.

        Beside a search that raises targets itself no lower trees are searched.
        """
        self._cutoff, self._next = None, elapsed + self._tuning.first_s
        self._looks = []
        self._others, self._target = nodes, target

    def note(self, elapsed: float, nodes: int, bound: int | None, share: float) -> None:
        """Note the least bound and the share of what is open; samples and lower trees tell more."""

    def update(
        self,
        elapsed: float,
        nodes: int,
        share: float,
        work: Work,
        cutoff: int,
        seconds: float = math.inf,
        upper: int | None = None,
    ) -> None:
        """Estimate what is left; ``upper`` as for ``left``.

        ``elapsed`` are seconds of the search, ``share`` of the leaves are open. ``work`` and
        ``cutoff``, the bound from which on nodes are fathomed, are not read for tasks. A sample
        that is not drawn after some ``seconds`` does not count.
        """
        tuning, began = self._tuning, clock.seconds()  # without what is compiled
        if cutoff != self._cutoff:
            self._cutoff, self._looks = cutoff, []
        size = int(min(tuning.most_nodes, max(tuning.least_nodes, tuning.nodes_per_s * elapsed)))
        until = perf_counter() + min(seconds, tuning.most_s)
        left = math.inf
        if self._tasks:
            # What is known of tasks gets better with each: the last look is the best one.
            self._looks = []
            left = nodes * share / (1 - share) if share < 1 else 0.0
        elif self._make is not None:
            if self._tree is None:
                self._tree = self._make()
            left = self._sampled(self._tree, work, cutoff, size, until)
        cost = clock.seconds() - began
        self._next = max(tuning.growth * elapsed, elapsed + tuning.rest_per_cost * cost)
        if self._tree is not None and self._target is None and cutoff < NO_INCUMBENT:
            self._search_lower_trees(self._tree, elapsed, until)
        if left < math.inf:
            done = nodes - self._others
            self._looks.append((size, done, max(1.0, done + left)))
        if (seems := self.left(nodes, upper)) is not None:
            self.series.append(
                {
                    "time": elapsed,
                    "nodes": nodes,
                    "total": nodes + seems,
                    "factor": self.factor(nodes, upper),
                }
            )

    def _sampled(self, tree: Tree, work: Work, cutoff: int, size: int, until: float) -> float:
        """Estimate the nodes that are left from so many of each level."""
        if self._probes is None:
            from prunus.treesearch.estimate.probes import SizeProbes  # compiled code

            self._probes = SizeProbes(tree)
        return self._probes.remaining(intervals_in(work), cutoff, size, until=until)

    def _search_lower_trees(self, tree: Tree, elapsed: float, until: float) -> None:
        """Search trees below lower targets for their part of the time."""
        tuning = self._tuning
        if self._lower is None:
            if self._make_lower is None:
                return
            self._lower = self._make_lower(tree)
            self.growth = self._lower.growth
        lower = self._lower
        most_s = min(tuning.early_share * elapsed, tuning.early_s + tuning.later_share * elapsed)
        now = clock.seconds()
        while self._lower_s < most_s and perf_counter() < until and not lower.met:
            branched, began = lower.branch(self._piece), now
            now = clock.seconds()
            self._lower_s += now - began
            if branched >= self._piece:  # a whole piece: how long it took tells its rate
                factor = min(2.0, self._tuning.piece_s / max(1e-9, now - began))
                self._piece = max(1, int(factor * self._piece))

    def _size(self, nodes: int, upper: int | None) -> TreeSize | None:
        """Return what is known of the present tree, after so many nodes of all trees."""
        tree, cutoff = self._tree, self._cutoff
        if not self._looks:
            cutoff = upper if self._target is None else self._target
            if self._tasks or self.samples or cutoff is None:
                return None
            known = self.growth.below(cutoff)
            return None if known is None else TreeSize(known.nodes, known.error)
        if tree is None or cutoff is None:
            return TreeSize(self._sampled_total(None)[0], TASKS_ERROR)
        size, many = None, tree.items > self._tuning.few_items
        for _ in range(PASSES):
            size = self.growth.with_samples(
                cutoff,
                *self._sampled_total(size),
                searched=nodes - self._others,
                many_items=many,
            )
        return size

    def _sampled_total(self, size: TreeSize | None) -> tuple[float, float]:
        """Return the mean of all looks, and how many samples it is worth.

        What had been searched by a look is known: only the rest of the tree is estimated. How much
        that was follows from the ``size`` that all together say: a sample that misses most of it
        would have it that little is left, and count all the more.
        """
        samples, done, totals = np.array(self._looks).T
        left = np.ones(len(done)) if size is None else 1 - done / size.nodes
        weights = samples / np.maximum(left, self._tuning.least_left) ** 2
        return float(np.average(totals, weights=weights)), float(weights.sum())

    def left(self, nodes: int, upper: int | None = None) -> float | None:
        """Return the nodes that seem to be left after so many; None as long as that is not known.

        Where targets are raised, those of later trees belong to them, up to the one below
        ``upper``.
        """
        size = self._size(nodes, upper)
        later = 0.0 if upper is None else self._later(upper)
        if size is None or later is None:
            return None
        # Near the end the tree may have proved to be larger than it seemed.
        return max(self._others + size.nodes - nodes, 0.02 * nodes) + later

    def factor(self, nodes: int, upper: int | None = None) -> float:
        """Return by how much the whole may be larger or smaller than it seems.

        It is within this factor at four of five looks.
        """
        size = self._size(nodes, upper)
        errors = [] if size is None else [size.error]
        if self._target is not None and upper is not None and self._target < upper:
            last = self.growth.below(upper)
            errors += [] if last is None else [last.error]
        return float(10.0 ** max(errors, default=0.0))

    def _later(self, upper: int) -> float | None:
        """Return the nodes of the trees after this one, up to the one below ``upper``."""
        target, factor = self._target, self._tuning.target_factor
        if target is None or target >= upper:
            return 0.0
        first, last = self.growth.below(target), self.growth.below(upper)
        if first is None or last is None:
            return None
        return max(last.nodes, (last.nodes - first.nodes) * factor / (factor - 1))
