"""Solve a subset-sum instance: check the options, reduce the instance, search what is left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from prunus.errors import OptionError
from prunus.hardware.devices import Devices
from prunus.model.spec import AUTO, OptionValue
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome
from prunus.subsetsum.estimates import Estimates
from prunus.subsetsum.heuristics.greedy import greedy
from prunus.subsetsum.problem import SubsetSum
from prunus.subsetsum.reductions import reduce_instance
from prunus.subsetsum.reporter import Reporter
from prunus.subsetsum.search import Search


@dataclass(frozen=True, slots=True)
class SubsetSumOptions:
    """What can be chosen; ``spec.py`` says what it means."""

    method: str
    memory: int | None
    divisor_test: bool
    """What was measured."""


def settings(
    problem: SubsetSum, options: Mapping[str, OptionValue], *, method: str | None
) -> SubsetSumOptions:
    """Return what was chosen; raise ``OptionError`` if it does not go together."""
    method = method or AUTO
    if method == "lattice" and problem.objective != "sum":
        raise OptionError("method", "only looks for a subset with the sum; leave it out", "lattice")
    if method == "four-list" and problem.objective == "closest":
        raise OptionError(
            "method", "cannot find the closest sum; use two-list or bitset", "four-list"
        )
    memory = options["memory"]
    return SubsetSumOptions(
        method=method,
        memory=None if memory is None else int(memory),
        divisor_test=bool(options["divisor_test"]),
    )


def run(
    problem: SubsetSum, options: SubsetSumOptions, devices: Devices, monitor: Monitor, seed: int
) -> Outcome:
    """Answer the problem's question as far as the monitor allows."""
    if devices.engine is not None and options.method == "two-list-unsplit":
        raise OptionError(
            "method", "is for one machine; with an executor: two-list", "two-list-unsplit"
        )
    reduced = reduce_instance(
        problem.weights, problem.target, problem.objective, test_divisor=options.divisor_test
    )
    report = Reporter(problem, reduced, monitor)
    settled = report.trivial_answer()
    if settled is None and problem.objective == "closest":
        chosen = greedy(reduced.weights, reduced.target, quick=not monitor.limited)
        if report.offer(chosen, "greedy") == problem.target:
            settled = report.end("greedy", chosen, complete=True)
    if settled is not None:
        return settled
    estimates = Estimates(max(1, devices.cores), options.memory)
    return Search(report, options.method, devices, estimates, seed).run()
