"""The method ``portfolio`` on cores: heuristics and the tree side by side, then the proof."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from importlib.util import find_spec

from prunus.flowshop.explorer_factory import FlowShopExplorerFactory
from prunus.flowshop.heuristics.neh import neh
from prunus.flowshop.portfolio.beside import HeuristicsBeside
from prunus.flowshop.portfolio.portfolio import Portfolio
from prunus.flowshop.portfolio.tree import TreeShare
from prunus.hardware import clock
from prunus.hardware.devices import Devices
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome
from prunus.treesearch.driver.explorers import explorers_on
from prunus.treesearch.driver.prove import prove
from prunus.treesearch.options import Proof

__all__ = ["search"]

_MAX_TREE_JOBS = 1000
"""With more jobs the tree is not searched beside heuristics: its numbers of leaves, as many digits
as jobs each, would take longer to compute than a slice lasts."""


def search(
    factory: FlowShopExplorerFactory,
    devices: Devices,
    monitor: Monitor,
    *,
    seed: int,
    root_bound: int,
    proof: Proof,
    beams: bool,
) -> Outcome:
    """Find better schedules and prove, each as far as it pays.

    Parameters
    ----------
    factory
        The instance with its tree.
    devices
        Cores.
    monitor
        Holds the incumbent; stops everything.
    seed
        Of everything random.
    root_bound
        A lower bound.
    proof
        How the proof is made. Where the user has chosen that, it has priority; also where the tree
        may go to a GPU, to which a tree is not hopeless that is so to cores.
    beams
        Whether there are beams beside iterated greedy.
    """
    problem, incumbent = factory.problem, monitor.incumbent
    cores = max(1, devices.cores)
    portfolio: Portfolio | None = None
    neh_s = 0.0

    def should_stop() -> bool:
        bound = root_bound if portfolio is None else portfolio.lower
        nodes = 0 if portfolio is None else portfolio.nodes
        writer = monitor.checkpoint_writer
        if writer is not None and writer.due(incumbent.objective):
            # What is open of the tree is so little by now that it is begun again.
            writer.write(**monitor.state())
        return monitor.poll("heuristics", bound=bound, nodes=nodes)

    with monitor.interruptible():
        monitor.note_bound(root_bound)
        fresh = monitor.resumed is None or monitor.resumed.open_work is None
        if fresh and root_bound < incumbent.cutoff:
            began = clock.seconds()
            permutation, _ = neh(problem, should_stop)
            incumbent.offer(problem.evaluate(permutation), permutation, "neh")
            neh_s = clock.seconds() - began
            if root_bound < incumbent.cutoff and not should_stop():
                beside = proof is not Proof.CLIMB and problem.jobs <= _MAX_TREE_JOBS
                rules = factory.bound, factory.branching
                portfolio = Portfolio(
                    problem,
                    TreeShare(problem, *rules, incumbent) if beside else None,
                    cores,
                    monitor,
                    seed=seed,
                    lower=root_bound,
                    beams=beams,
                    proof_first=proof is not Proof.AUTO
                    or math.isinf(monitor.time_left)
                    or monitor.checkpoint_writer is not None
                    or (devices.automatic and find_spec("cupy") is not None),
                )
                portfolio.run(should_stop)
    outcome = _end(monitor, portfolio)
    if outcome is None:
        prove_it = partial(
            prove,
            monitor,
            root_bound=root_bound if portfolio is None else portfolio.lower,
            first_incumbents=None if portfolio is None else portfolio.begun,
            explorers=lambda: explorers_on(devices, factory, monitor),
            seed=seed,
            policy=factory.policy,
            proof=proof,
            sampled=factory.tree,
        )
        # On a single core every run is to be the same.
        if portfolio is None or cores == 1 or (portfolio.tree is not None and portfolio.tree.done):
            outcome = prove_it()
        else:
            with HeuristicsBeside(portfolio.heuristics):
                outcome = prove_it()
        if portfolio is not None:
            outcome = replace(outcome, nodes=outcome.nodes + portfolio.side_nodes)
    sources = [entry.source for entry in incumbent.improvements]
    figures = {"neh": {"time": neh_s, "improvements": sources.count("neh")}}
    if portfolio is not None:
        figures |= portfolio.statistics()
    devices_used = outcome.devices or (f"cpu:{cores}",)
    statistics = {**outcome.statistics, "portfolio": figures}
    return replace(outcome, devices=devices_used, statistics=statistics)


def _end(monitor: Monitor, portfolio: Portfolio | None) -> Outcome | None:
    """Return what a portfolio has ended with, if the tree is not to be searched after it."""
    cutoff, reason = monitor.incumbent.cutoff, monitor.stop_token.reason
    if portfolio is None:
        return None
    nodes, tree = portfolio.nodes, portfolio.tree
    if portfolio.lower >= cutoff:
        return Outcome(complete=True, bound=cutoff, nodes=nodes, explored=1.0)
    if reason is None or (tree is not None and tree.done):
        return None
    explored = 0.0 if tree is None else tree.explored
    return Outcome(
        complete=False, bound=portfolio.lower, stop_reason=reason, nodes=nodes, explored=explored
    )
