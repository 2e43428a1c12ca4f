"""Branch and bound on the cores of one machine, watched, stopped and kept in checkpoints."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np

from prunus.errors import InputError
from prunus.hardware import clock
from prunus.hardware.memory import usable_memory
from prunus.hardware.threads import reserve_threads
from prunus.runtime.checkpoint import Checkpoint, OpenWork
from prunus.runtime.incumbent import NO_INCUMBENT
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome
from prunus.treesearch.bestfirst.explorer import BestFirstExplorer
from prunus.treesearch.bestfirst.model import BestFirstModel
from prunus.treesearch.bestfirst.open_nodes import NodeBatch
from prunus.treesearch.bestfirst.team import BestFirstTeam, TeamStatus

__all__ = ["open_nodes", "search"]

POLL_S = 0.12
"""Seconds between two polls of the monitor."""

MEMORY_SHARE = 0.3
"""The part of the free memory that open nodes may take before the search goes depth first."""


def open_nodes(checkpoint: Checkpoint | None) -> NodeBatch | None:
    """Return the open nodes in a checkpoint of this engine, if it is one.

    Raises
    ------
    InputError
        If its arrays do not fit one another.
    """
    saved = None if checkpoint is None else checkpoint.open_work
    if saved is None:
        return None
    arrays = saved.arrays()
    batch = NodeBatch(*(arrays.get(name, np.zeros(0)) for name in NodeBatch._fields))
    kinds = (np.dtype(np.int64), np.dtype(np.float64), np.dtype(np.int64))
    whole = (
        saved.unit == "node"
        and tuple(array.dtype for array in batch) == kinds
        and tuple(array.ndim for array in batch) == (1, 1, 2)
        and all(len(array) == saved.count for array in batch)
    )
    if not whole:
        raise InputError("the checkpoint does not fit its problem: its open nodes are not whole")
    return batch


def search(
    model: BestFirstModel,
    monitor: Monitor,
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
    most
        Open nodes to keep before the search goes depth first; what fits in a part of the free
        memory by default.
    nodes, leaves
        Branched before, but for those in a checkpoint.

    Returns
    -------
    Outcome
        Also after Ctrl-C.
    """
    return _Search(model, monitor, cores, root_bound, max_open_nodes, nodes, leaves).run()


class _Search:
    """One search from its beginning, or from where an earlier run was, to its end or a stop."""

    def __init__(
        self,
        model: BestFirstModel,
        monitor: Monitor,
        cores: int,
        root_bound: int,
        max_open_nodes: int | None,
        nodes: int,
        leaves: int,
    ) -> None:
        if max_open_nodes is None:
            size = model.words * 8 + 40
            max_open_nodes = max(1000, usable_memory(MEMORY_SHARE) // (2 * size * cores))
        reserve_threads(cores)
        self._model, self._monitor = model, monitor
        explorers = [BestFirstExplorer(model, f"cpu:{i}", max_open_nodes) for i in range(cores)]
        self._team = BestFirstTeam(explorers, monitor.incumbent)
        self._proven = root_bound
        before = monitor.resumed
        self._nodes_before = nodes + (0 if before is None else before.nodes)
        self._leaves_before = leaves + (0 if before is None else before.leaves)
        self._began = clock.seconds()

    def run(self) -> Outcome:
        monitor, writer = self._monitor, self._monitor.checkpoint_writer
        pace = POLL_S if writer is None else min(POLL_S, max(0.005, writer.every))
        complete = False
        with monitor.interruptible():
            complete = self._team.run(self._model.root, self._look, pace)
        with monitor.interrupts.deferred():
            return self._outcome(complete)

    def _bound(self, now: TeamStatus) -> int:
        """Return what is proven: the least bound of an open node, or the incumbent."""
        return max(self._proven, min(now.bound, self._monitor.incumbent.cutoff))

    def _nodes(self, now: TeamStatus) -> int:
        return now.nodes + self._nodes_before

    def _look(self, now: TeamStatus) -> bool:
        monitor = self._monitor
        self._proven = self._bound(now)
        stop = monitor.poll(
            "tree search",
            bound=self._proven,
            explored=now.explored,
            nodes=self._nodes(now),
            active=now.active,
            explorers=len(self._team.cores),
        )
        writer = monitor.checkpoint_writer
        if not stop and writer is not None and writer.due(monitor.incumbent.objective):
            since = perf_counter()
            nodes = self._team.paused_open_nodes()
            held = perf_counter() - since
            share = 1 / len(self._team.cores)
            writer.write_aside(self._state(nodes, self._team.status()), held, share)
        return stop

    def _state(self, nodes: NodeBatch, now: TeamStatus) -> dict[str, Any]:
        """Return what a checkpoint keeps."""
        return {
            "open_work": OpenWork(
                "node", nodes.size, lambda: {**nodes._asdict(), **self._model.saved}
            ),
            "nodes": self._nodes(now),
            "leaves": now.leaves + self._leaves_before,
            **self._monitor.state(),
        }

    def _outcome(self, complete: bool) -> Outcome:
        """Write the last checkpoint and say what was found and proved."""
        monitor, team = self._monitor, self._team
        now = team.status()
        nodes = self._nodes(now)
        monitor.finish(nodes)
        if monitor.checkpoint_writer is not None:
            monitor.checkpoint_writer.write(**self._state(team.open_nodes(), now))
        cutoff = monitor.incumbent.cutoff
        bound: int | None = self._bound(now)
        if complete:
            bound = None if cutoff == NO_INCUMBENT else cutoff
        return Outcome(
            complete=complete,
            bound=bound,
            stop_reason=None if complete else monitor.stop_token.reason,
            nodes=nodes,
            leaves=now.leaves + self._leaves_before,
            explored=1.0 if complete else now.explored,
            devices=(f"cpu:{len(team.cores)}",),
            statistics=self._statistics(now),
            trace=team.recorder.trace(),
        )

    def _statistics(self, now: TeamStatus) -> dict[str, Any]:
        cores = self._team.cores
        return {
            "steals": sum(core.steals for core in cores),
            "open_nodes": now.open,
            "depth_first": any(core.depth_first for core in cores),
            "search_time": clock.seconds() - self._began,
            "explorers": [
                {
                    "name": core.name,
                    "nodes": core.nodes,
                    "steals": core.steals,
                    "idle_time": core.idle_time,
                }
                for core in cores
            ],
        }
