"""The tree searched on one core in parts, beside heuristics: a small one ends there.

Heuristics before a search are worth their time if the tree is large; how large it is shows in its
first nodes. What a trial has searched is not lost: the search proper goes on from what is open.
"""

from __future__ import annotations

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
