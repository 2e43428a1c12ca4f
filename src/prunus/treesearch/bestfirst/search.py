"""Best-first search, on the cores of this machine or wherever there are explorers for it."""

from __future__ import annotations

from collections.abc import Sequence

from prunus.hardware.memory import usable_memory
from prunus.hardware.threads import reserve_threads
from prunus.runtime.outcome import Outcome
from prunus.runtime.translated_monitor import AnyMonitor
from prunus.treesearch.bestfirst.explorer import BestFirstExplorer
from prunus.treesearch.bestfirst.model import BestFirstModel
from prunus.treesearch.driver.resume_state import ResumeState
from prunus.treesearch.driver.search import search as search_tree
from prunus.treesearch.model import Explorer

MEMORY_SHARE = 0.3
"""The part of the free memory that open nodes may take before the search goes depth first."""


def max_open_nodes(model: BestFirstModel, cores: int) -> int:
    """Return how many open nodes each of so many cores has memory for."""
    size = model.words * 8 + 40
    return max(1000, usable_memory(MEMORY_SHARE) // (2 * size * cores))


def core_explorers(
    model: BestFirstModel, cores: int, most: int | None = None
) -> list[BestFirstExplorer]:
    """Make explorers on cores of this machine.

    Each goes depth first when it has ``most`` open nodes; by default what fits in a part of the
    free memory.
    """
    reserve_threads(cores)
    most = most or max_open_nodes(model, cores)
    return [BestFirstExplorer(model, f"cpu:{i}", most) for i in range(cores)]


def search(
    model: BestFirstModel,
    monitor: AnyMonitor,
    explorers: Sequence[Explorer],
    *,
    root_bound: int,
    nodes: int = 0,
    leaves: int = 0,
) -> Outcome:
    """Search until nothing is open, or until the monitor says stop.

    ``root_bound`` holds for every solution. ``nodes`` and ``leaves`` were branched before, but for
    those in a checkpoint. Returns also after Ctrl-C.
    """
    resumed = monitor.resumed
    if resumed is not None:
        nodes, leaves = nodes + resumed.nodes, leaves + resumed.leaves
    before = ResumeState(model.space, None, (nodes, leaves))
    return search_tree(explorers, monitor, root_bound=root_bound, before=before)
