"""Solve a linear assignment problem: switching under a deadline, then exactly, with a bound."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from prunus.assignment.campaign import Campaign
from prunus.assignment.stack import solve_stacked
from prunus.assignment.switching import ORDERS
from prunus.assignment.threads import Threads
from prunus.devices import Devices
from prunus.errors import DeviceError, InputError
from prunus.monitor import Monitor
from prunus.options import choose, refuse_unknown
from prunus.outcome import Outcome
from prunus.problems.assignment import Assignment

__all__ = ["METHODS", "AssignmentOptions", "run", "settings"]

METHODS = ("auto", "exact", "switching")

_STARTS = ("greedy", "random")


@dataclass(frozen=True, slots=True)
class AssignmentOptions:
    """What can be chosen.

    Attributes
    ----------
    method
        ``"exact"``: auction and shortest augmenting paths. ``"switching"``: deep greedy switching
        alone, with a bound. ``"auto"``: the first, after the second if there is a deadline.
    start
        Of the switching: ``"greedy"`` or ``"random"``.
    order
        In which order exchanges are made: ``"sequential"``, ``"largest"`` or ``"parallel"``.
    """

    method: str
    start: str
    order: str


def settings(
    problem: Assignment, options: Mapping[str, Any], *, method: str | None, upper_bound: int | None
) -> AssignmentOptions:
    """Check options given by keyword; raise ``InputError`` for the first that is wrong."""
    refuse_unknown(options, ("start", "order"), "an assignment problem")
    if upper_bound is not None:
        raise InputError("upper_bound is for tree searches; an assignment problem is solved anyway")
    chosen = method or METHODS[0]
    if chosen == "switching" and (problem.arcs is not None or problem.batch is not None):
        raise InputError(
            "method='switching' needs one matrix or points; leave the method out for sparse "
            "matrices and stacks"
        )
    return AssignmentOptions(
        method=chosen,
        start=choose("start", options.get("start", _STARTS[0]), _STARTS),
        order=choose("order", options.get("order", ORDERS[0]), ORDERS),
    )


def run(
    problem: Assignment,
    options: AssignmentOptions,
    devices: Devices,
    monitor: Monitor,
    seed: int,
) -> Outcome:
    """Solve an instance as well as the monitor allows."""
    if devices.gpus:
        raise DeviceError(
            "assignment problems are not solved on GPUs yet; leave devices out or say cpu"
        )
    with Threads(devices.cores) as threads:
        if problem.batch is not None:
            return solve_stacked(problem, monitor, threads)
        campaign = Campaign(problem, options.method, monitor, threads, seed)
        try:
            campaign.run(options.start, options.order)
        except KeyboardInterrupt:
            monitor.stopped_by = "interrupt"
        return campaign.outcome()
