"""The tree in slices, on one core: with an estimate of what is left of it, and of what it takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from prunus.hardware import clock
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.driver.resume_state import ResumeState
from prunus.treesearch.driver.trial import TrialSearch
from prunus.treesearch.estimate.growth import Extrapolated, TreeGrowth
from prunus.treesearch.estimate.probes import ProbeTuning, SizeProbes
from prunus.treesearch.interval.cpu.tree import Tree
from prunus.treesearch.portfolio.activity import SLICE_NS


@dataclass(frozen=True, slots=True)
class TreeTuning:
    """How far the tree is searched before anything else, and how often its size is estimated.

    Measured on Taillard's flow shops from 20 x 5 to 50 x 20 on two cores: with NEH's schedule the
    trees of 20 x 5, 20 x 10, 50 x 5 and most of 50 x 10 have less than a million nodes; of those no
    larger the first 100,000 improve the schedule.
    """

    first_nodes: int = 100_000
    """At least; some 10 to 40 ms."""
    last_nodes: int = 1_600_000
    """At most: the nodes are doubled as long as better solutions are met."""
    poll_nodes: int = 20_000
    """Between two questions whether to stop: milliseconds."""
    max_first_items: int = 100
    """With more items it is not searched then, nor its size estimated: it is either trivial or
    hopeless."""
    max_trusted_items: int = 30
    """With more items small samples miss what is large, and lower trees tell more."""
    sampled: int = 16
    """Nodes a level from which its size is estimated."""
    nodes_each: int = ProbeTuning().nodes_each
    """Nodes that are branched below each of them, at most."""
    sample_ns: float = 4e4
    """Nominal nanoseconds of a sampled node."""
    timed: bool = False
    """Estimates are timed, not counted."""
    estimates_share: float = 0.1
    """Estimates take at most this part of the time of all that goes on."""
    hopeless_ns: float = 1e15
    """A tree that takes longer is not estimated any further: ten days on a core."""


class TreeShare:
    """The search of the tree on one core; an ``Activity``.

    A node takes a core nominally ``node_ns``; the rest of the tree seems to take one ``left_ns``,
    None without an estimate, and all else has taken ``others_ns``. What was tried in vain says
    that it takes at least ``at_least_ns``, and ``growth`` what trees below lower targets were like.
    ``may_estimate``: whether its size is estimated at all.
    """

    name, source = "tree search", "cpu:0"

    def __init__(
        self,
        tree: Tree,
        node_ns: float,
        incumbent: Incumbent,
        tuning: TreeTuning,
    ) -> None:
        self.share = 0.0
        self._left_ns: float | None = None
        self.at_least_ns = 0.0
        self.others_ns = 0.0
        self.tree, self.node_ns, self.growth = tree, node_ns, TreeGrowth()
        self._incumbent, self._tuning = incumbent, tuning
        self._search = TrialSearch(self.tree, incumbent, self.source)
        self._probes = SizeProbes(self.tree, tuning=ProbeTuning(nodes_each=tuning.nodes_each))
        self.may_estimate = tree.items <= tuning.max_first_items
        self._estimated_at = -1
        self._estimates_ns = self._spent_ns = 0.0

    @property
    def left_ns(self) -> float | None:
        """What the rest of the tree seems to take one core, nominally; None without an estimate."""
        if self._left_ns is None or self.done:
            return self._left_ns
        done_ns = self.nodes * self.node_ns
        total = self.growth.with_samples(
            self._incumbent.cutoff,
            (done_ns + self._left_ns) / self.node_ns,
            self._tuning.sampled,
            searched=self.nodes,
            many_items=not self.trusted,
        )
        # Lower trees say it better than a search that was not ended.
        at_least_ns = self.at_least_ns if self.foretold is None else 0.0
        return max(total.nodes * self.node_ns - done_ns, at_least_ns)

    @property
    def foretold(self) -> Extrapolated | None:
        """What trees below lower targets say of it; None where samples are to be trusted."""
        return None if self.trusted else self.growth.below(self._incumbent.cutoff)

    @property
    def timed(self) -> bool:
        """Whether what it takes is timed, not counted."""
        return self._tuning.timed

    @property
    def trusted(self) -> bool:
        """Whether its estimates are mostly right: of many items, small samples miss what is large.

        Of ta084 (100 x 20), .00003 s, .5 s and 1500 s of a GPU were estimated with one cutoff.
        """
        return self.tree.items <= self._tuning.max_trusted_items

    @property
    def done(self) -> bool:
        return self._search.complete

    @property
    def urgent(self) -> bool:
        """There is a better solution since the last estimate, and time for another one."""
        return self._affords_estimate and self._incumbent.cutoff != self._estimated_at

    @property
    def _affords_estimate(self) -> bool:
        """Whether one is worth its time: not before others have tried to make the tree smaller."""
        spent = self._spent_ns + self.others_ns
        affordable = self._estimates_ns <= self._tuning.estimates_share * spent
        return self.may_estimate and self.others_ns > 0 and affordable

    @property
    def nodes(self) -> int:
        return self._search.nodes

    @property
    def explored(self) -> float:
        return self._search.explored

    def state(self) -> ResumeState:
        return self._search.state()

    def begin(self, should_stop: Callable[[], bool]) -> None:
        """Search with the first solution: twice as many nodes as long as it gets better."""
        tuning, search = self._tuning, self._search
        end, cutoff = tuning.first_nodes, self._incumbent.cutoff
        while self.may_estimate and not search.complete and not should_stop():
            if search.nodes >= end:
                if self._incumbent.cutoff == cutoff or end >= tuning.last_nodes:
                    break
                end, cutoff = 2 * end, self._incumbent.cutoff
            search.branch(min(tuning.poll_nodes, max(1, end - search.nodes)))
        self._spent_ns = search.nodes * self.node_ns

    def step(self) -> float:
        """Branch nodes, or estimate what is left after a better solution; see ``Activity``."""
        if self.urgent:
            return max(self.estimate(), 1e3)
        before = self._search.nodes
        self._search.branch(max(1, round(SLICE_NS / self.node_ns)))
        cost = (self._search.nodes - before) * self.node_ns
        self._spent_ns += cost
        if self._affords_estimate:
            cost += self.estimate()
        return max(cost, 1e3)

    def estimate(self) -> float:
        """Estimate what is left; return what that cost, nominally."""
        if self.done:
            self._left_ns = 0.0
            return 0.0
        cutoff, sampled = self._incumbent.cutoff, self._tuning.sampled
        began = clock.seconds()
        work, enough = self._search.open(), self._tuning.hopeless_ns / self.node_ns
        left = self._probes.remaining(work, cutoff, sampled, enough) * self.node_ns
        if cutoff == self._estimated_at and self._left_ns is not None:
            # One small sample says little, several say more.
            left = (2 * self._left_ns + left) / 3
        self._left_ns, self._estimated_at = left, cutoff
        cost = self._probes.samples * self._tuning.sample_ns
        if self._tuning.timed:
            cost = 1e9 * (clock.seconds() - began)
        self._estimates_ns += cost
        return cost

    def interrupt(self) -> None:
        self._search.interrupt()
        self._probes.interrupt()
