"""From a problem and its settings to a result: what every solve and every resume goes through."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from prunus.hardware.devices import check_gpus, parse_devices
from prunus.hardware.engine import Engine
from prunus.model.options import check_executor_use, checked_method, checked_options
from prunus.model.registry import spec_of
from prunus.model.scalar import truth
from prunus.result import Result, Status
from prunus.runtime.checkpoint import Checkpoint, CheckpointWriter
from prunus.runtime.incumbent import NO_INCUMBENT, Incumbent
from prunus.runtime.interrupts import Interrupts
from prunus.runtime.monitor import IncumbentCallback, Monitor
from prunus.runtime.outcome import Outcome
from prunus.stop import StoppingCriterion
from prunus.treesearch.interval.interval import Intervals
from prunus.view import wording
from prunus.view.live import live

__all__ = ["run"]


def run(
    start: Checkpoint,
    *,
    devices: str | Sequence[str],
    executor: Any,
    time_limit: float | None,
    stop: StoppingCriterion | None,
    display: bool | None,
    on_incumbent: IncumbentCallback | None,
    keep: Callable[[Checkpoint], CheckpointWriter | None],
    begin: Callable[[Monitor], None],
) -> Result:
    """Solve from a start, which may be the very beginning.

    Parameters
    ----------
    start
        What is to be solved, and how far it has come.
    devices, executor, time_limit, stop, display, on_incumbent
        As for `prunus.solve`.
    keep
        Opens the checkpoint that is to be written, once all else has proved to be in order; it is
        given the start, its method checked.
    begin
        Tells the monitor what is known already.
    """
    shown = display is not None and truth("display", display)
    with Interrupts() as interrupts:
        spec = spec_of(start.problem)
        start = replace(start, method=checked_method(spec, start.method))
        options = checked_options(
            spec, start.problem, start.options, method=start.method, upper_bound=start.upper_bound
        )
        with interrupts.deferred():
            # Raised in the midst of an import, an interrupt would come out as anything.
            solver = spec.load_solver()
        settings = solver.settings(start.problem, options, method=start.method)
        engine = _engine(start.problem, executor)
        chosen = parse_devices(devices, engine)
        if engine is None:
            check_gpus(chosen)
        incumbent = Incumbent(start.upper_bound, maximise=start.problem.maximise)
        writer = keep(start)
        try:
            with live(start.problem, enabled=shown) as show:
                monitor = Monitor(
                    incumbent,
                    time_limit=time_limit,
                    stop=stop,
                    show=show,
                    on_incumbent=on_incumbent,
                    interrupts=interrupts,
                )
                monitor.checkpoint_writer = writer
                begin(monitor)
                outcome = _outcome(
                    start,
                    monitor,
                    lambda: solver.run(start.problem, settings, chosen, monitor, start.seed),
                )
                only = "" if spec.chooses else spec.default_method
                used = outcome.method or start.method or only
                return _result(start.problem, outcome, monitor, used, start.seed)
        finally:
            if engine is not None:
                engine.close()
            if writer is not None:
                writer.close()


def _engine(problem: Any, executor: Any) -> Engine | None:
    """Return the executor that somebody may have passed, if its workers can do this problem."""
    if executor is None:
        return None
    check_executor_use(problem)
    return Engine(executor)


def _outcome(start: Checkpoint, monitor: Monitor, solve: Callable[[], Outcome]) -> Outcome:
    """Return what a solver found, whatever stopped it, or what a complete checkpoint says."""
    outcome = Outcome(complete=False, bound=None)
    with monitor.interruptible():
        if start.complete:
            outcome = _again(start, monitor)
        elif not monitor.interrupts.acknowledge():
            outcome = solve()
    # Nothing is raised from here on: what was found must get out.
    monitor.interrupts.silence()
    if not outcome.complete and outcome.stop_reason is None:
        outcome = replace(outcome, stop_reason=monitor.stop_token.reason)
    monitor.finish(outcome.nodes)
    if (
        monitor.checkpoint_writer is not None
        and monitor.checkpoint_writer.written == 0
        and not start.complete
    ):
        # Stopped or proven before any tree was searched: what was open still is, or nothing.
        proven = {
            "intervals": Intervals.empty(1),
            "nodes": outcome.nodes,
            "leaves": outcome.leaves,
        }
        monitor.checkpoint_writer.write(**(proven if outcome.complete else {}), **monitor.state())
    return outcome


def _again(start: Checkpoint, monitor: Monitor) -> Outcome:
    """Return what a complete checkpoint says."""
    bound = monitor.incumbent.cutoff
    return Outcome(
        complete=True,
        bound=None if bound == NO_INCUMBENT else bound,
        nodes=start.nodes,
        leaves=start.leaves,
        explored=1.0,
    )


def _result(problem: Any, outcome: Outcome, monitor: Monitor, method: str, seed: int) -> Result:
    best = monitor.incumbent.best
    counting = wording.counts_solutions(problem)
    objective = outcome.leaves if counting else best.objective if best else None
    bound = outcome.bound
    if counting:
        complete, partial = Status.OPTIMAL, Status.FEASIBLE
        bound = objective if outcome.complete else None
    elif objective is not None and bound is not None and _meets(monitor, bound, objective):
        bound = objective
        complete = partial = Status.OPTIMAL
    else:
        complete = Status.INFEASIBLE if best is None else Status.FEASIBLE
        partial = Status.UNKNOWN if best is None else Status.FEASIBLE
    solution = None
    if best is not None:
        solution = np.array(best.solution, dtype=np.int64)
        solution.setflags(write=False)
    return Result(
        problem=problem,
        status=complete if outcome.complete else partial,
        objective=objective,
        bound=bound,
        solution=solution,
        runtime=monitor.elapsed,
        nodes=outcome.nodes,
        explored=outcome.explored,
        history=tuple(monitor.history),
        method=method,
        devices=outcome.devices,
        stopped_by=None if outcome.stop_reason is None else outcome.stop_reason.text,
        seed=seed,
        statistics={**outcome.statistics, **monitor.statistics()},
        trace=outcome.trace,
    )


def _meets(monitor: Monitor, bound: int | float, objective: int | float) -> bool:
    return bound <= objective if monitor.incumbent.maximise else bound >= objective
