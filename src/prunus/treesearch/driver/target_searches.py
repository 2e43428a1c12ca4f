"""A destructive lower bound on one core, in parts: what it searches tells how fast trees grow."""

from __future__ import annotations

from prunus.runtime.incumbent import Incumbent, TargetIncumbent
from prunus.treesearch.driver.destructive_bound import DestructiveLowerBound
from prunus.treesearch.driver.trial import TrialSearch
from prunus.treesearch.driver.tuning import DriverTuning
from prunus.treesearch.estimate.growth import TreeGrowth
from prunus.treesearch.interval.cpu.tree import Tree

_AFFORDABLE_NODES = 1000.0
"""So many are cheap: from then on targets follow one another so that trees grow threefold. With ten
times as many there are so few small trees that what is extrapolated errs twice as far."""
_TUNING = DriverTuning(growth_factor=3.0)


class TargetSearches:
    """Searches the trees below target after target; see ``DestructiveLowerBound``.

    ``lower`` is what is proven; ``nodes`` counts those of all trees; ``growth`` gets the sizes of
    complete trees. The incumbent has a cutoff when they begin; ``source`` stands in the history
    beside what they find.
    """

    def __init__(
        self,
        tree: Tree,
        incumbent: Incumbent,
        lower: int,
        source: str,
        growth: TreeGrowth | None = None,
    ) -> None:
        self.lower, self.nodes = lower, 0
        self.growth = TreeGrowth() if growth is None else growth
        self._tree, self._incumbent, self._source = tree, incumbent, source
        self._bounds: DestructiveLowerBound | None = None
        self._search: TrialSearch | None = None
        self._target = lower

    @property
    def met(self) -> bool:
        """Whether the bounds have met: the incumbent is optimal."""
        return self.lower >= self._incumbent.cutoff

    def branch(self, nodes: int) -> int:
        """Branch so many nodes below targets, at most; return how many it were."""
        branched = 0
        while branched < nodes and not self.met:
            branched += self._branch_below_target(nodes - branched)
            if self._search is not None:
                break
        return branched

    def _branch_below_target(self, nodes: int) -> int:
        cutoff = self._incumbent.cutoff
        if self._bounds is None:
            self._bounds = DestructiveLowerBound(
                self.lower, cutoff, _AFFORDABLE_NODES, tuning=_TUNING, growth=self.growth
            )
        bounds = self._bounds
        if self._search is None:
            bounds.upper = cutoff
            self._target = bounds.target
            target = TargetIncumbent(self._incumbent, self._target)
            self._search = TrialSearch(self._tree, target, self._source)
        search, before = self._search, self._search.nodes
        search.branch(min(nodes, int(bounds.node_limit) - before + 1))
        branched = search.nodes - before
        self.nodes += branched
        if search.complete:
            bounds.searched(search.nodes, self._incumbent.cutoff)
            self.lower = bounds.lower
            self._search = None
        elif search.nodes > bounds.node_limit:
            bounds.given_up(self._incumbent.cutoff)
            self._search = None
        return branched

    def raise_lower(self, lower: int) -> None:
        """Note that another search has proven a lower bound."""
        if lower > self.lower:
            self.lower = lower
            self._bounds = self._search = None

    def interrupt(self) -> None:
        """Make ``branch`` return soon; may be called by any thread."""
        search = self._search
        if search is not None:
            search.interrupt()
