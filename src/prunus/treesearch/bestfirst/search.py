"""Best-first search on the cores of one machine."""

from __future__ import annotations

from prunus.hardware.memory import usable_memory
from prunus.hardware.threads import reserve_threads
from prunus.runtime.outcome import Outcome
from prunus.treesearch.bestfirst.explorer import BestFirstExplorer
from prunus.treesearch.bestfirst.model import BestFirstModel
from prunus.treesearch.driver.resume_state import ResumeState
from prunus.treesearch.driver.search import search as search_tree
from prunus.treesearch.model import SearchMonitor

__all__ = ["search"]

MEMORY_SHARE = 0.3
"""The part of the free memory that open nodes may take before the search goes depth first."""


def search(
    model: BestFirstModel,
    monitor: SearchMonitor,
    cores: int,
    *,
    root_bound: int,
    max_open_nodes: int | None = None,
    nodes: int = 0,
    leaves: int = 0,
) -> Outcome:
    """Search until nothing is open, or until the monitor says stop.

    Parameters
    ----------
    model
        What a node is, and the nodes to begin with.
    monitor
        Holds the incumbent; stops the search; keeps checkpoints.
    cores
        How many cores search.
    root_bound
        A bound on every solution, known before.
    max_open_nodes
        Open nodes of a core before it goes depth first; what fits in a part of the free memory by
        default.
    nodes, leaves
        Branched before, but for those in a checkpoint.

    Returns
    -------
    Outcome
        Also after Ctrl-C.
    """
    if max_open_nodes is None:
        size = model.words * 8 + 40
        max_open_nodes = max(1000, usable_memory(MEMORY_SHARE) // (2 * size * cores))
    reserve_threads(cores)
    resumed = monitor.resumed
    if resumed is not None:
        nodes, leaves = nodes + resumed.nodes, leaves + resumed.leaves
    return search_tree(
        [BestFirstExplorer(model, f"cpu:{i}", max_open_nodes) for i in range(cores)],
        monitor,
        root_bound=root_bound,
        before=ResumeState(model.space, None, (nodes, leaves)),
    )
