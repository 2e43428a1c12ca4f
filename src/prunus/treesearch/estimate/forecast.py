"""How many nodes a search will have branched at its end, told while it goes on."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

from prunus.treesearch.interval.work import intervals_in
from prunus.treesearch.model import Work

if TYPE_CHECKING:
    from prunus.treesearch.estimate.probes import SizeProbes
    from prunus.treesearch.interval.cpu.tree import Tree


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
    nodes_per_s: float = 16.0
    most_nodes: int = 300
    """Nodes a level that are sampled, for each second of the search; at most."""
    least_nodes: int = 12
    """And at least."""


class TreeForecast:
    """Estimates of the size of the tree below a cutoff, put together.

    Each estimate is of what is open at a moment, and with what has been done by then one of the
    whole. They are averaged, those of larger samples with more weight, until the cutoff changes.

    ``tree`` makes the tree, and is called once, when the first estimate is due; None where the
    leaves are tasks of about the same size: then the tasks that are done tell what the others will
    take. ``series``, for a result's statistics, has the time of each estimate in seconds of the
    search, the nodes branched by then and those that the whole search seemed to take.
    """

    def __init__(
        self, tree: Callable[[], Tree] | None, tuning: ForecastTuning = ForecastTuning()
    ) -> None:
        self.series: list[dict[str, float]] = []
        self._make, self._tuning = tree, tuning
        self._probes: SizeProbes | None = None
        self._cutoff: int | None = None
        self._sum = self._weight = 0.0
        self._next = tuning.first_s

    @property
    def samples(self) -> bool:
        """Whether it must know what is open."""
        return self._make is not None

    def due(self, elapsed: float) -> bool:
        """Return whether it is time for an estimate, after so many seconds of the search."""
        return elapsed >= self._next

    def restart(self, elapsed: float) -> None:
        """Note that another tree is begun."""
        self._cutoff, self._next = None, elapsed + self._tuning.first_s
        self._sum = self._weight = 0.0

    def update(
        self,
        elapsed: float,
        nodes: int,
        share: float,
        work: Work,
        cutoff: int,
        seconds: float = math.inf,
    ) -> None:
        """Estimate what is left.

        ``elapsed`` are seconds of the search, ``share`` of the leaves are open. ``work`` and
        ``cutoff``, the bound from which on nodes are fathomed, are not read for tasks. A sample
        that is not drawn after some ``seconds`` does not count.
        """
        began, tuning = perf_counter(), self._tuning
        if cutoff != self._cutoff:
            self._cutoff, self._sum, self._weight = cutoff, 0.0, 0.0
        size = int(min(tuning.most_nodes, max(tuning.least_nodes, tuning.nodes_per_s * elapsed)))
        if self._make is None:
            # What is known of tasks gets better with each: the last look is the best one.
            self._sum = self._weight = 0.0
            left = nodes * share / (1 - share) if share < 1 else 0.0
        else:
            if self._probes is None:
                from prunus.treesearch.estimate.probes import SizeProbes  # compiled code

                self._probes = SizeProbes(self._make())
            until = began + min(seconds, tuning.most_s)
            left = self._probes.remaining(intervals_in(work), cutoff, size, until=until)
        cost = perf_counter() - began
        self._next = max(tuning.growth * elapsed, elapsed + tuning.rest_per_cost * cost)
        if left == math.inf:
            return
        self._sum += size * (nodes + left)
        self._weight += size
        self.series.append(
            {"time": elapsed, "nodes": nodes, "total": float(self._sum / self._weight)}
        )

    def left(self, nodes: int) -> float | None:
        """Return the nodes that seem to be left after so many; None before the first estimate."""
        if not self._weight:
            return None
        # Near the end the tree may have proved to be larger than it seemed.
        return max(self._sum / self._weight - nodes, 0.02 * nodes)
