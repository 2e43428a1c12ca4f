"""The first nodes of a tree, and how many there may be in all, as far as they tell.

Best bound first, the bound of a tree rises by about as much whenever the nodes are twice as many.
So after some nodes it can be said when it will meet the best tour.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass

from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.bestfirst.explorer import BestFirstExplorer
from prunus.treesearch.bestfirst.model import BestFirstModel
from prunus.treesearch.bestfirst.space import NodeBatch

FIRST_ESTIMATE = 3
"""So many bounds after the root's are noted before it is estimated how large a tree is."""


@dataclass(frozen=True, slots=True)
class ProbeTuning:
    """When a tree is given up; measured by ``benchmarks.atsp``."""

    first_nodes: int = 2**5
    last_nodes: int = 2**11
    """The bound is noted after so many nodes, and whenever they are twice as many, to the last."""
    hopeless_log2_size: float = 15.0
    """A tree that seems to have two to the power of this many nodes, or more, is given up."""
    work_between_polls: int = 2**15
    """Words of nodes that are branched between two questions whether to stop: milliseconds."""


TUNING = ProbeTuning()


@dataclass(frozen=True, slots=True, eq=False)
class Probed:
    """What is known after the first nodes."""

    open: NodeBatch
    """The nodes that are open."""
    bound: int
    """Of that: no tour of the tree that is better than the incumbent is shorter."""
    early_bound: int
    """The bound when it was first estimated how large the tree is: what another tree's root is
    compared with, since both may rise."""
    nodes: int
    leaves: int
    """That were branched."""
    hopeless: bool
    """Whether the tree seems to be very large."""


def probe(
    tree: BestFirstModel,
    incumbent: Incumbent,
    cap: int,
    should_stop: Callable[[int, int], bool],
) -> Probed:
    """Branch the first nodes of a tree, best bound first, on one core.

    The tree has at least one node. Only tours shorter than ``cap`` are of interest; ``should_stop``
    is asked now and then, with the bound and the nodes so far.
    """
    core = BestFirstExplorer(tree, "probe", sys.maxsize)
    core.load(tree.root)
    budget = max(1, TUNING.work_between_polls // tree.words)
    begun = bound = int(tree.root.bound.min())
    noted = [begun]
    mark = TUNING.first_nodes
    hopeless = False
    while core.branch(incumbent, min(mark - core.nodes, budget)):
        top = min(cap, incumbent.cutoff)
        bound = min(core.search.least, top)
        if should_stop(bound, core.nodes):
            break
        if core.nodes == mark:
            noted.append(bound)
            if len(noted) > FIRST_ESTIMATE:
                log2_size = log2_tree_size(mark, top - bound, noted)
                hopeless = log2_size >= TUNING.hopeless_log2_size
            if hopeless or mark == TUNING.last_nodes:
                break
            mark *= 2
    bound = min(core.search.least, cap, incumbent.cutoff)
    early = noted[FIRST_ESTIMATE] if len(noted) > FIRST_ESTIMATE else bound
    return Probed(core.open_nodes(), bound, early, core.nodes, core.leaves, hopeless)


def log2_tree_size(nodes: int, gap: int, noted: list[int]) -> float:
    """Estimate the logarithm of how many nodes there are from the bounds noted so far."""
    rise = (noted[-1] - noted[-3]) / 2
    if gap <= 0:
        return math.log2(nodes)
    return math.log2(nodes) + gap / rise if rise > 0 else math.inf
