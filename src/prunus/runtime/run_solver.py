"""Runs a solver under a monitor: the one place where a solve's end is put in order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from prunus.runtime.checkpoint import NOTHING_OPEN, Checkpoint
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome


def run_solver(solve: Callable[[], Outcome], start: Checkpoint, monitor: Monitor) -> Outcome:
    """Return what a solver found, whatever stopped it, or what a complete checkpoint says."""
    outcome = Outcome(complete=False, bound=None)
    with monitor.interruptible():
        if start.complete:
            outcome = _answer_of(start, monitor)
        elif not monitor.interrupts.acknowledge():
            outcome = solve()
    # Nothing is raised from here on: what was found must get out.
    monitor.interrupts.silence()
    if not outcome.complete and outcome.stop_reason is None:
        outcome = replace(outcome, stop_reason=monitor.stop_token.reason)
    if outcome.bound is not None:
        monitor.note_bound(outcome.bound)
    if outcome.bound != monitor.bound and not (outcome.complete and outcome.bound is None):
        outcome = replace(outcome, bound=monitor.bound)
    monitor.note_incumbents(outcome.nodes)
    writer = monitor.checkpoint_writer
    if writer is not None and not start.complete:
        behind = writer.is_behind(monitor.incumbent.objective, monitor.bound)
        # Stopped or proven before anything was searched: what was open still is, or nothing. Or
        # by what was found after the last checkpoint, whose open work is what there is to go on.
        if outcome.complete and (behind or writer.written == 0):
            proven = {"nodes": outcome.nodes, "leaves": outcome.leaves}
            writer.write(open_work=NOTHING_OPEN, **proven, **monitor.state())
        elif writer.written == 0:
            writer.write(**monitor.state())
        elif behind:
            writer.add(**monitor.state())
    return outcome


def _answer_of(start: Checkpoint, monitor: Monitor) -> Outcome:
    """Return what a complete checkpoint says."""
    incumbent = monitor.incumbent
    sign = -1 if incumbent.maximise else 1
    return Outcome(
        complete=True,
        bound=None if incumbent.proven is None else sign * incumbent.proven,
        nodes=start.nodes,
        leaves=start.leaves,
        explored=1.0,
    )
