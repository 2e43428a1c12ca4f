"""The tree searched on one core in parts, beside first incumbents: a small one ends there.

Heuristics before a search are worth their time if the tree is large; how large it is shows in its
first nodes. What a trial has searched is not lost: the search proper goes on from what is open.
"""

from __future__ import annotations

from collections.abc import Callable

from prunus.hardware import clock
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.trace import Recorder
from prunus.treesearch.driver.resume_state import ResumeState
from prunus.treesearch.interval.cpu.explorer import CoreExplorer
from prunus.treesearch.interval.cpu.tree import Tree
from prunus.treesearch.interval.interval import Intervals, leaves


class TrialSearch:
    """A search of a whole tree that is done in parts; what it does depends on no clock.

    ``name`` stands in the history beside what it finds. ``complete``: nothing is left open.
    ``seconds`` are those for which nodes were branched: others pass meanwhile in heuristics.
    """

    def __init__(self, tree: Tree, incumbent: Incumbent, name: str = "cpu:0") -> None:
        self.complete, self.seconds = False, 0.0
        self._incumbent = incumbent
        self._total = leaves(tree.radix)
        self._explorer = CoreExplorer(tree, name)
        self._explorer.load(Intervals.whole(len(tree.radix)))
        self._recorder = Recorder((self._explorer.name,))

    def branch(self, nodes: int) -> None:
        """Branch so many nodes, fewer after an interrupt or if no more are left."""
        if self.complete:
            return
        began = clock.seconds()
        open_nodes = self._explorer.branch(self._incumbent, nodes)
        self.seconds += clock.seconds() - began
        self._recorder.note(self.seconds, [(self.nodes, 0, 1, 0.0)])
        if open_nodes:
            return
        if self._explorer.explored() != self._total:
            raise AssertionError(
                f"{self._explorer.explored()} of {self._total} leaves are accounted for"
            )
        self.complete = True

    def branch_while_improving(
        self,
        first_nodes: int,
        last_nodes: int,
        poll_nodes: int,
        should_stop: Callable[[], bool],
    ) -> bool:
        """Branch the first nodes, and twice as many as long as better solutions are found.

        It branches ``first_nodes`` at first and ``last_nodes`` at most; `should_stop` is called
        every ``poll_nodes`` and ends it early. Returns whether it was not told to stop.
        """
        end, cutoff = first_nodes, self._incumbent.cutoff
        while not self.complete:
            if should_stop():
                return False
            if self.nodes >= end:
                if self._incumbent.cutoff == cutoff or end >= last_nodes:
                    break
                end, cutoff = 2 * end, self._incumbent.cutoff
            self.branch(min(poll_nodes, max(1, end - self.nodes)))
        return True

    def interrupt(self) -> None:
        """Make ``branch`` return soon; may be called by any thread."""
        self._explorer.interrupt()

    @property
    def nodes(self) -> int:
        """The nodes branched so far."""
        return self._explorer.counts[0]

    @property
    def explored(self) -> float:
        """The fraction of the tree's leaves that are visited or pruned."""
        return self._explorer.explored() / self._total

    def open(self) -> Intervals:
        return self._explorer.open()

    def state(self) -> ResumeState:
        """Return what the search proper goes on from."""
        nodes, reached = self._explorer.counts
        state = ResumeState(self._explorer.space, None, (nodes, reached))
        state.search_time, state.trace = self.seconds, self._recorder.trace()
        state.work, state.fathomed = self._explorer.open(), self._explorer.explored()
        return state
