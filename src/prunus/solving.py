"""From a problem and its settings to a result: what every solve and every resume goes through."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from prunus.files.paths import check_current_folder
from prunus.hardware.devices import available_cores, check_gpus, parse_devices
from prunus.model.options import (
    check_device_use,
    check_executor_use,
    checked_method,
    checked_options,
)
from prunus.model.problem import Problem
from prunus.model.registry import spec_of
from prunus.model.scalar import truth
from prunus.result import Result
from prunus.runtime.checkpoint import Checkpoint, CheckpointWriter
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.interrupts import Interrupts
from prunus.runtime.limits import check_limits, check_seconds
from prunus.runtime.monitor import IncumbentCallback, Monitor
from prunus.runtime.outcome import Outcome
from prunus.runtime.run_solver import run_solver
from prunus.runtime.solver import Solver
from prunus.runtime.status import Status, final_status
from prunus.runtime.stop_criterion import StoppingCriterion
from prunus.view.live import live

if TYPE_CHECKING:
    from prunus.hardware.executor import ExecutorEngine

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The arguments of `prunus.solve` that may differ from one run of a solve to the next."""

    devices: str | Sequence[str]
    executor: Any
    time_limit: float | None
    stop: StoppingCriterion | None
    display: bool | None
    on_incumbent: IncumbentCallback | None
    checkpoint_every: float

    def check(self, upper_bound: float | None, seed: int, *, signed: bool = False) -> None:
        """Raise ``InputError`` for the first of them, or of these, that is invalid."""
        check_limits(
            self.time_limit, self.stop, upper_bound, seed, self.on_incumbent, signed=signed
        )
        check_seconds("checkpoint_every", self.checkpoint_every)


def run(
    start: Checkpoint,
    how: RunOptions,
    *,
    keep: Callable[[Checkpoint], CheckpointWriter | None],
    begin: Callable[[Monitor], None],
) -> Result:
    """Solve from a start, which may be the very beginning.

    ``keep`` opens the checkpoint that is to be written, once all else has proved to be in order,
    for the start with its method checked; ``begin`` tells the monitor what is known already.
    """
    shown = how.display is not None and truth("display", how.display)
    with _CurrentFolder(), Interrupts() as interrupts, ExitStack() as closing:
        # Raised in the midst of an import, an interrupt would come out as anything.
        with interrupts.deferred():
            spec = spec_of(start.problem)
            method = checked_method(spec, start.method)
            if method != start.method:
                start = replace(start, method=method)
            options = checked_options(
                *(spec, start.problem, start.options),
                method=start.method,
                upper_bound=start.upper_bound,
            )
            solver: Solver[Problem, object] = spec.load_solver()
            settings = solver.settings(start.problem, options, method=start.method)
            engine = _engine(start, how.executor)
            if engine is not None:
                closing.callback(engine.close)
            chosen = parse_devices(how.devices, engine)
            check_device_use(start.problem, start.method, len(chosen.gpus))
            if engine is None:
                check_gpus(chosen)
                _warn_of_too_many(chosen.cores)
            incumbent = Incumbent(start.upper_bound, maximise=start.problem.maximise)
            writer = keep(start)
            if writer is not None:
                closing.callback(writer.close)
            monitor = Monitor(
                incumbent,
                time_limit=how.time_limit,
                stop=how.stop,
                show=closing.enter_context(live(start.problem)) if shown else None,
                on_incumbent=how.on_incumbent,
                interrupts=interrupts,
            )
            monitor.checkpoint_writer = writer
        _log.info("solving %r on %s", start.problem, chosen.words)
        with monitor.interruptible():
            begin(monitor)
        outcome = run_solver(
            lambda: solver.run(start.problem, settings, chosen, monitor, start.seed),
            start,
            monitor,
        )
        return _result(start.problem, outcome, monitor, start)


class _CurrentFolder:
    """Says that the current folder is gone where that is why a library could not go on."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None and issubclass(kind, FileNotFoundError):
            check_current_folder()


def _warn_of_too_many(cores: int) -> None:
    """Say that threads have to share cores: they will be no faster than those there are."""
    if cores > 1 and cores > (there := available_cores()):
        number = "1 core" if there == 1 else f"{there} cores"
        warnings.warn(f"cpu:{cores}: this process may use {number} only", stacklevel=3)


def _engine(start: Checkpoint, executor: Any) -> ExecutorEngine | None:
    """Return the executor that somebody may have passed, if its workers can do this problem."""
    if executor is None:
        return None
    from prunus.hardware.executor import ExecutorEngine

    check_executor_use(start.problem, start.method)
    return ExecutorEngine(executor)


def _result(problem: Problem, outcome: Outcome, monitor: Monitor, start: Checkpoint) -> Result:
    best = monitor.incumbent.best
    counting = problem.counts_solutions
    objective = outcome.leaves if counting else best.objective if best else None
    status, bound = final_status(
        complete=outcome.complete,
        objective=objective,
        bound=outcome.bound,
        upper_bound=start.upper_bound,
        maximise=problem.maximise,
        counting=counting,
    )
    stopped_by = None if outcome.stop_reason is None else outcome.stop_reason.text
    _log.info(
        "%.3f s: %s, objective %s, bound %s, %s nodes%s",
        *(monitor.elapsed, status, objective, bound, outcome.nodes),
        f", stopped by {stopped_by}" if stopped_by else "",
    )
    spec = spec_of(problem)
    only = "" if spec.chooses else spec.default_method
    return Result(
        problem=problem,
        status=status,
        objective=objective,
        bound=bound,
        solution=None if best is None else best.solution,
        runtime=monitor.elapsed,
        nodes=outcome.nodes,
        explored=outcome.explored,
        history=tuple(monitor.history),
        method=outcome.method or start.method or only,
        devices=outcome.devices,
        stopped_by=stopped_by,
        seed=start.seed,
        statistics={**outcome.statistics, **monitor.statistics()},
        trace=outcome.trace,
        duals=outcome.duals if status is Status.OPTIMAL else None,
        upper_bound=start.upper_bound,
    )
