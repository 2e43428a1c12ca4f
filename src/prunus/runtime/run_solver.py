"""Runs a solver under a monitor: the one place where a solve's end is put in order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from prunus.runtime.checkpoint import NOTHING_OPEN, Checkpoint, CheckpointWriter
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
    monitor.note_incumbents(outcome.nodes)
    writer = monitor.checkpoint_writer
    if (
        writer is not None
        and not start.complete
        and (writer.written == 0 or (outcome.complete and _is_behind(writer, monitor)))
    ):
        # Stopped or proven before anything was searched: what was open still is, or nothing. Or
        # proven by a solution that was made from what the search found, after its last checkpoint.
        if outcome.complete:
            proven = {"nodes": outcome.nodes, "leaves": outcome.leaves}
            writer.write(open_work=NOTHING_OPEN, **proven, **monitor.state())
        else:
            writer.write(**monitor.state())
    return outcome


def _is_behind(writer: CheckpointWriter, monitor: Monitor) -> bool:
    """Return whether the checkpoint lacks the incumbent."""
    best = monitor.incumbent.best
    return best is not None and writer.objective != best.objective


def _answer_of(start: Checkpoint, monitor: Monitor) -> Outcome:
    """Return what a complete checkpoint says."""
    return Outcome(
        complete=True,
        bound=monitor.incumbent.proven,
        nodes=start.nodes,
        leaves=start.leaves,
        explored=1.0,
    )
