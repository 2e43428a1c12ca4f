"""The course of every optimisation by tree search: a bound, first incumbents, the proof."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from prunus.monitor import Monitor
from prunus.outcome import Outcome
from prunus.treesearch.explorer import Explorer
from prunus.treesearch.policy import Policy
from prunus.treesearch.search import search

__all__ = ["prove"]


def prove(
    monitor: Monitor,
    *,
    root_bound: int,
    first_incumbents: Callable[[], object] | None,
    explorers: Callable[[], Sequence[Explorer]],
    seed: int,
    policy: Policy = Policy.POWER,
) -> Outcome:
    """Find first incumbents, then search the tree unless the root's bound already proves them.

    Parameters
    ----------
    monitor
        Holds the incumbent; stops everything.
    root_bound
        A lower bound on every solution.
    first_incumbents
        Offers solutions to the incumbent and looks at the monitor now and then; None to go without.
    explorers
        Makes the explorers of the tree, when they are needed.
    seed
        Seed of the choice of victims.
    policy
        How work moves between devices.

    Returns
    -------
    Outcome
        Also after Ctrl-C, which ends up in ``monitor.stopped_by``.
    """
    incumbent = monitor.incumbent
    nodes = 0 if monitor.resumed is None else monitor.resumed.nodes
    try:
        fresh = monitor.resumed is None or monitor.resumed.intervals is None
        if first_incumbents is not None and fresh and root_bound < incumbent.to_beat:
            first_incumbents()
        if root_bound >= incumbent.to_beat:
            monitor.stopped_by = None
            return Outcome(complete=True, bound=incumbent.to_beat, nodes=nodes, explored=1.0)
        if monitor.look("tree search", bound=root_bound):
            return Outcome(complete=False, bound=root_bound, nodes=nodes)
        team = explorers()
    except KeyboardInterrupt:
        monitor.stopped_by = "interrupt"
        return Outcome(complete=False, bound=root_bound, nodes=nodes)
    return search(team, monitor, root_bound=root_bound, seed=seed, policy=policy)
