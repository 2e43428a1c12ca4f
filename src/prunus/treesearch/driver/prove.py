"""The course of every optimisation by tree search: a bound, first incumbents, the proof."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from prunus.runtime.outcome import Outcome
from prunus.runtime.translated_monitor import AnyMonitor
from prunus.treesearch.driver import tuning as driver_tuning
from prunus.treesearch.driver.resume_state import ResumeState
from prunus.treesearch.driver.search import search
from prunus.treesearch.driver.target_searches import TargetSearches
from prunus.treesearch.interval.cpu.tree import Tree
from prunus.treesearch.model import Explorer
from prunus.treesearch.options import Proof, StealingPolicy


def prove(
    monitor: AnyMonitor,
    *,
    root_bound: int,
    first_incumbents: Callable[[], object] | None = None,
    before: ResumeState | None = None,
    explorers: Callable[[], Sequence[Explorer]],
    seed: int,
    policy: StealingPolicy = StealingPolicy.POWER,
    proof: Proof = Proof.DIRECT,
    sampled: Callable[[], Tree] | None = None,
    raised: TargetSearches | None = None,
    direct_s: float | None = None,
    raise_s: float = math.inf,
) -> Outcome:
    """Find first incumbents, then search the tree unless the root's bound already proves them.

    ``first_incumbents`` offers solutions to the incumbent and looks at the monitor now and then.
    ``before`` is what was searched of the tree in this run, without raised targets. ``explorers``
    makes those of the tree, when they are needed, ``sampled`` the tree from which it is estimated
    how many nodes there are. The seed is that of the choice of victims. A search below the
    incumbent is given up after ``direct_s`` seconds, by default as ``proof`` says; then targets are
    raised for ``raise_s`` more. A search that ends after that has no reason to stop, and its
    explorers keep what is open. Returns also after Ctrl-C.
    """
    incumbent = monitor.incumbent
    earlier = monitor.resumed if before is None else before
    nodes = 0 if earlier is None else earlier.nodes
    made: Sequence[Explorer] | None = None
    with monitor.interruptible():
        monitor.note_bound(root_bound)
        root_bound = monitor.at_least(root_bound)
        fresh = monitor.resumed is None or monitor.resumed.open_work is None
        if first_incumbents is not None and fresh and root_bound < incumbent.cutoff:
            first_incumbents()
        if root_bound >= incumbent.cutoff or (before is not None and before.complete):
            outcome = Outcome(
                complete=True,
                bound=incumbent.proven,
                nodes=nodes,
                explored=1.0,
            )
            return outcome if before is None else _with_search(outcome, before)
        if not monitor.poll("tree search", bound=root_bound):
            made = explorers()
    if made is None:
        reason = monitor.stop_token.reason
        return Outcome(complete=False, bound=root_bound, stop_reason=reason, nodes=nodes)
    return search(
        made,
        monitor,
        root_bound=root_bound,
        seed=seed,
        policy=policy,
        direct_s=_direct_s(proof, made) if direct_s is None else direct_s,
        raise_s=raise_s,
        before=before,
        sampled=sampled,
        raised=raised,
    )


def _with_search(outcome: Outcome, before: ResumeState) -> Outcome:
    """Add what was searched beside the first incumbents, on one core."""
    return replace(
        outcome,
        leaves=before.leaves,
        devices=("cpu:1",),
        statistics={"search_time": before.search_time},
        trace=before.trace,
    )


def _direct_s(proof: Proof, explorers: Sequence[Explorer]) -> float:
    """Return how long to search below the incumbent before targets are raised from below."""
    if proof is Proof.AUTO:
        strong = any(explorer.power > 1 for explorer in explorers)
        tuning = driver_tuning.DEFAULT_TUNING
        return tuning.direct_gpu_s if strong else tuning.direct_cores_s
    return math.inf if proof is Proof.DIRECT else 0.0
