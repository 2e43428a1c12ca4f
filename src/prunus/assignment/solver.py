"""Solve a linear assignment problem: switching under a deadline, then exactly, with a bound."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from prunus.assignment.clipped import clip, few_pairs
from prunus.assignment.cost_limit import nearer
from prunus.assignment.gpu.device_choice import chosen_devices
from prunus.assignment.points.applies import sooner_by_tree
from prunus.assignment.portfolio.direct import solve_empty
from prunus.assignment.portfolio.portfolio import Portfolio
from prunus.assignment.problem import Assignment
from prunus.assignment.stack import solve_stacked
from prunus.errors import DeviceError, OptionError
from prunus.hardware.devices import Devices, available_cores, warn_of_cpu
from prunus.hardware.threads import Threads
from prunus.model.arrays import Number
from prunus.model.spec import AUTO, OptionValue
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome

if TYPE_CHECKING:  # What GPUs need is imported where one is used.
    from prunus.assignment.gpu.portfolio import DevicePortfolio


@dataclass(frozen=True, slots=True)
class AssignmentOptions:
    """What can be chosen; ``spec.py`` says what it means."""

    method: str
    """``"exact"``: auction and shortest augmenting paths. ``"switching"``: deep greedy switching
    alone, with a bound. ``"auto"``: the first, after the second if there is a deadline.
    ``"auction"``: the plain auction on a GPU, for comparison."""
    start: str
    """Of the switching: ``"greedy"`` or ``"random"``. On a GPU the greedy start is by net values if
    a sample of the rows all wants the same few columns."""
    order: str


def settings(
    problem: Assignment, options: Mapping[str, OptionValue], *, method: str | None
) -> AssignmentOptions:
    """Return what was chosen; raise ``OptionError`` if it does not go together."""
    chosen = method or AUTO
    matrix = problem.arcs is None and problem.batch is None
    if chosen in ("switching", "auction") and not matrix:
        raise OptionError(
            "method",
            "needs one matrix or points; leave it out for sparse matrices and stacks",
            chosen,
        )
    return AssignmentOptions(
        method=chosen, start=str(options["start"]), order=str(options["order"])
    )


def run(
    problem: Assignment,
    options: AssignmentOptions,
    devices: Devices,
    monitor: Monitor,
    seed: int,
) -> Outcome:
    """Solve an instance as well as the monitor allows.

    On the GPUs that were chosen, if any were; what these do not solve to the end, on cores.
    """
    if problem.cost_limit is not None:
        limit = nearer(_some_values(problem), problem.cost_limit, min(problem.agents, problem.jobs))
        solve = _solve_limited if limit == problem.cost_limit else _solve_nearer
        return solve(problem, limit, options, devices, monitor, seed)
    if 0 in (problem.agents, problem.jobs, problem.batch):
        return solve_empty(problem, monitor)
    gpus = chosen_devices(problem, devices)
    threads = Threads(devices.cores or available_cores())
    if problem.batch is not None:
        return _solve_stack(problem, gpus, devices, monitor, threads)
    if gpus and options.method in (AUTO, "exact") and sooner_by_tree(problem):
        warnings.warn(
            "solving on the CPU, because a tree solves so many points faster than any GPU",
            stacklevel=2,
        )
        gpus = ()
    if gpus:
        from prunus.assignment.gpu.portfolio import DevicePortfolio

        on_gpus = DevicePortfolio(problem, options.method, monitor, gpus, threads, seed)
        if _solved_on_gpus(on_gpus, options, devices, monitor):
            return on_gpus.outcome()
    if options.method == "auction":
        raise OptionError(
            "method",
            "is for square problems on a GPU without "
            "forbidden pairs; write {devices:cuda:0} or leave the method out",
            "auction",
        )
    on_cores = Portfolio(problem.on_host(), options.method, monitor, threads, seed)
    with monitor.interruptible():
        on_cores.run(options.start, options.order)
    return on_cores.outcome()


def _solve_limited(
    problem: Assignment,
    limit: Number,
    options: AssignmentOptions,
    devices: Devices,
    monitor: Monitor,
    seed: int,
) -> Outcome:
    """Solve a problem that has a limit of costs."""
    exact = options.method in (AUTO, "exact")
    clipped = clip(problem, few_pairs(problem) if exact else None)
    found = run(clipped, options, devices, monitor, seed)
    return replace(found, duals=clipped.duals_of_limited(found.duals))


def _solve_nearer(
    problem: Assignment,
    limit: Number,
    options: AssignmentOptions,
    devices: Devices,
    monitor: Monitor,
    seed: int,
) -> Outcome:
    """Solve with a nearer limit, which has the same optimal assignments.

    Beside the problem's own the values lose digits, so that different objectives are the same
    number: what is found on the way is not shown. Dual prices prove an objective without it.
    """
    near = problem.with_cost_limit(limit)
    given, incumbent = monitor.incumbent.best, Incumbent(maximise=problem.maximise)
    if given is not None:
        incumbent.offer(near.evaluate(given.solution), given.solution, given.source)
    left = monitor.time_left if monitor.time_left < math.inf else None
    watch = Monitor(incumbent, time_limit=left, interrupts=monitor.interrupts)
    found, best = _solve_limited(near, limit, options, devices, watch, seed), incumbent.best
    if best is not None:
        monitor.incumbent.offer(problem.evaluate(best.solution), best.solution, best.source)
    bound = monitor.incumbent.objective if found.complete else None
    missing = best is None or np.count_nonzero(best.solution >= 0) < _most_pairs(problem)
    return replace(found, bound=bound, duals=None if missing else found.duals)


def _most_pairs(problem: Assignment) -> int:
    """Return how many pairs an assignment has, at most."""
    return min(problem.agents, problem.jobs) * (1 if problem.batch is None else problem.batch)


def _some_values(problem: Assignment) -> Any:
    """Return values of a matrix or a sparse problem, the least and the largest among them."""
    if problem.resident is not None:
        return np.array(problem.extremes[:2], problem.resident.dtype)
    return problem.matrix if problem.arcs is None else problem.arcs[2]


def _solve_stack(
    problem: Assignment,
    gpus: Sequence[Any],
    devices: Devices,
    monitor: Monitor,
    threads: Threads,
) -> Outcome:
    """Solve a stack on a GPU if there is one that can, else on cores."""
    outcome = None
    if gpus:
        from prunus.assignment.gpu import stack

        try:
            outcome = stack.solve_stacked_on(gpus[0], problem, monitor, threads)
            if outcome is None and not devices.automatic:
                warnings.warn(f"solving on the CPU, since {stack.TOO_LARGE}", stacklevel=3)
        except DeviceError as error:
            if not devices.automatic or problem.resident is not None:
                raise
            warn_of_cpu("solving", error)
    return outcome or solve_stacked(problem.on_host(), monitor, threads)


def _solved_on_gpus(
    on_gpus: DevicePortfolio, options: AssignmentOptions, devices: Devices, monitor: Monitor
) -> bool:
    """Solve on GPUs; return whether that was all, with a warning where it is left to cores."""
    from prunus.assignment.gpu.portfolio import Verdict

    verdict = Verdict.FINISHED
    try:
        with monitor.interruptible():
            verdict = on_gpus.run(options.start, options.order)
        if verdict is Verdict.FINISHED:
            return True
        if on_gpus.why_left and not devices.automatic:
            warnings.warn(f"solving on the CPU, since {on_gpus.why_left}", stacklevel=3)
    except DeviceError as error:
        if not devices.automatic or on_gpus.problem.resident is not None:
            raise
        warn_of_cpu("solving", error)
    return False
