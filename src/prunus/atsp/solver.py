"""Solve an asymmetric TSP: which method, with which options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from prunus.atsp.problem import ATSP
from prunus.hardware.devices import Devices
from prunus.model.spec import OptionValue
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome
from prunus.runtime.translated_monitor import AnyMonitor
from prunus.treesearch.options import Proof, StealingPolicy


@dataclass(frozen=True, slots=True)
class AtspOptions:
    """What can be chosen; ``spec.py`` says what it means."""

    method: str
    bound: str
    first_incumbent: str
    stealing: StealingPolicy
    proof: Proof


def settings(
    problem: ATSP, options: Mapping[str, OptionValue], *, method: str | None
) -> AtspOptions:
    """Return what was chosen."""
    return AtspOptions(
        method=method or "pool",
        bound=str(options["bound"]),
        first_incumbent=str(options["first_incumbent"]),
        stealing=StealingPolicy(str(options["stealing"])),
        proof=Proof(str(options["proof"])),
    )


def run(
    problem: ATSP, options: AtspOptions, devices: Devices, monitor: Monitor, seed: int
) -> Outcome:
    """Solve an instance as well as the monitor allows."""
    from prunus.atsp.transformations import IntegerMonitor, transformed

    instance = transformed(problem)
    if instance is None:
        return _run(problem, options, devices, monitor, seed)
    view = IntegerMonitor(monitor, instance)
    asked = monitor.incumbent.proven
    if instance.has_missing_arcs and monitor.incumbent.best is None:
        from prunus.atsp.connectivity import ArcConnections

        if ArcConnections(instance.exists).prevent_tours():
            proven = Outcome(complete=True, bound=view.incumbent.cutoff, explored=1.0)
            return instance.in_objectives(proven, None, None)
    found = _run(instance.integer, options, devices, view, seed)
    return instance.in_objectives(found, monitor.incumbent.objective, asked)


def _run(
    problem: ATSP, options: AtspOptions, devices: Devices, monitor: AnyMonitor, seed: int
) -> Outcome:
    """Solve an instance of whole numbers and closed tours."""
    heuristic = options.first_incumbent != "none"
    if options.method == "interval":
        from prunus.atsp.naive import solver as naive

        policy, proof = options.stealing, options.proof
        return naive.run(problem, heuristic, policy, proof, devices, monitor, seed)
    from prunus.atsp import branch_and_bound as bounded

    return bounded.run(problem, heuristic, options.bound, devices, monitor, seed)
