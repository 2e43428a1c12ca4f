"""A lower bound that is raised from below in slices, on one core."""

from __future__ import annotations

from prunus.hardware import clock
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.driver.target_searches import TargetSearches
from prunus.treesearch.portfolio.activity import SLICE_NS
from prunus.treesearch.portfolio.tree import TreeShare

_TOLD_NS, _DOUBLINGS = 5e8, 16
"""After so many nanoseconds it shows how fast a lower bound rises; it will hardly have doubled its
nodes so many times before a limit."""


class RaisedBound:
    """A lower bound that is raised from below, on one core; an ``Activity``.

    See ``TargetSearches``. The tree and what its nodes cost are those of ``share``, which learns
    from it how fast the tree grows. ``searches`` does the work. Slices are timed, not counted, if
    ``timed``: where nodes take longer than nominally they would take others' time.
    """

    name = source = "lower bound"
    urgent = False

    def __init__(
        self, share: TreeShare, incumbent: Incumbent, lower: int, *, timed: bool = False
    ) -> None:
        self.share = 0.0
        self._node_ns, self._timed = share.node_ns, timed
        self._incumbent = incumbent
        self._doubled, self._before, self._risen = 0, lower, 0
        self.searches = TargetSearches(share.tree, incumbent, lower, self.source, share.growth)

    @property
    def lower(self) -> int:
        """What is proven."""
        return self.searches.lower

    @property
    def nodes(self) -> int:
        """The nodes branched below all targets."""
        return self.searches.nodes

    @property
    def done(self) -> bool:
        """Whether the bounds have met: the incumbent is optimal."""
        return self.searches.met

    @property
    def slow(self) -> bool:
        """Whether the bounds will hardly meet: twice the nodes raised the lower one by little."""
        gap = self._incumbent.cutoff - self.lower
        return self._doubled * self._node_ns >= _TOLD_NS and gap > _DOUBLINGS * self._risen

    def step(self) -> float:
        """Search below the present target; see ``Activity``."""
        began = clock.seconds()
        branched = self.searches.branch(max(1, round(SLICE_NS / self._node_ns)))
        if self.nodes >= 2 * self._doubled:
            self._risen, self._before = self.lower - self._before, self.lower
            self._doubled = self.nodes
        cost = 1e9 * (clock.seconds() - began) if self._timed else branched * self._node_ns
        return max(cost, 1e3)

    def interrupt(self) -> None:
        self.searches.interrupt()
