"""The course of every optimisation by tree search: a bound, first incumbents, the proof."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome
from prunus.treesearch.driver.search import search
from prunus.treesearch.model import Explorer
from prunus.treesearch.options import Proof, StealingPolicy

__all__ = ["prove"]

PATIENT, HASTY = 30.0, 2.0
"""Seconds that cores, and a GPU, search below the incumbent before they climb from below."""


def prove(
    monitor: Monitor,
    *,
    root_bound: int,
    first_incumbents: Callable[[], object] | None,
    explorers: Callable[[], Sequence[Explorer]],
    seed: int,
    policy: StealingPolicy = StealingPolicy.POWER,
    proof: Proof = Proof.DIRECT,
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
    proof
        Whether to search below the incumbent or to climb from below.

    Returns
    -------
    Outcome
        Also after Ctrl-C.
    """
    incumbent = monitor.incumbent
    nodes = 0 if monitor.resumed is None else monitor.resumed.nodes
    team: Sequence[Explorer] | None = None
    with monitor.interruptible():
        monitor.note_bound(root_bound)
        fresh = monitor.resumed is None or monitor.resumed.open_work is None
        if first_incumbents is not None and fresh and root_bound < incumbent.cutoff:
            first_incumbents()
        if root_bound >= incumbent.cutoff:
            return Outcome(complete=True, bound=incumbent.cutoff, nodes=nodes, explored=1.0)
        if not monitor.poll("tree search", bound=root_bound):
            team = explorers()
    if team is None:
        reason = monitor.stop_token.reason
        return Outcome(complete=False, bound=root_bound, stop_reason=reason, nodes=nodes)
    strong = any(explorer.power > 1 for explorer in team)
    seconds = {Proof.AUTO: HASTY if strong else PATIENT, Proof.DIRECT: math.inf, Proof.CLIMB: 0.0}
    return search(
        team, monitor, root_bound=root_bound, seed=seed, policy=policy, direct=seconds[proof]
    )
