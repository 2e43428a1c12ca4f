"""The front door: a problem goes in, a result with its proof comes out. Composition only."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.custom.problem import CustomProblem
from prunus.errors import OptionError
from prunus.files.paths import file_path
from prunus.model.arrays import AnyArray, Int64Array, Number
from prunus.model.options import check_checkpoint_use
from prunus.model.problem import Problem
from prunus.model.registry import spec_of
from prunus.model.scalar import plain_number
from prunus.result import Result
from prunus.resume import go_on
from prunus.runtime.checkpoint import CHECKPOINT_INTERVAL_S, Checkpoint, CheckpointWriter
from prunus.runtime.monitor import IncumbentCallback, Monitor
from prunus.same_solve import check_same, checked_resume
from prunus.solving import RunOptions, run
from prunus.stop import StoppingCriterion


def solve(
    problem: Problem,
    *,
    method: str | None = None,
    devices: str | Sequence[str] = "auto",
    executor: Any = None,
    time_limit: float | None = None,
    stop: StoppingCriterion | None = None,
    initial_solution: Sequence[int] | NDArray[Any] | None = None,
    upper_bound: float | None = None,
    seed: int = 0,
    display: bool | None = None,
    on_incumbent: IncumbentCallback | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = CHECKPOINT_INTERVAL_S,
    resume: str = "never",
    **options: Any,
) -> Result:
    """Solve a problem to proven optimality, or as well as the limits allow, with a proven bound.

    Parameters
    ----------
    problem
        An instance of one of the library's problem classes, or of a class of your own.
    method
        The method, for problems that have several: ``"dense"`` for a knapsack, for example.
        "Options and capabilities" in the documentation lists them. By default the library chooses.
    devices
        ``"auto"``, ``"cpu"``, ``"cpu:4"``, ``"cuda:0"``, or several separated by commas.
    executor
        A ``concurrent.futures.Executor`` whose workers search instead of this process, a Dask
        client, or a function that returns an executor, called again if that breaks. ``devices``
        then applies to each machine and is shared by its workers. Not every method supports
        executors.
    time_limit
        Seconds of solving. Compiling (once per machine) and loading compiled code (once per
        process) do not count; ``statistics["compile_time"]`` has their seconds.
    stop
        A criterion that is called about eight times a second, see `prunus.stop`.
    initial_solution
        A solution to start from: a permutation (flow shop), a tour (ATSP), a choice of items
        (knapsack), the job of each agent (assignment), or a permutation or an array of your own.
    upper_bound
        Look only for solutions better than this, a whole number. Given the optimum, the search
        branches exactly the nodes whose bound is below it and proves that nothing is better. The
        heuristics before the search are then skipped unless asked for.
    seed
        The seed of all random choices. With several devices, the course of the search can vary
        between runs, but the optimum and the counts do not.
    display
        True shows a live display: below the cell in a notebook, otherwise on standard error if that
        is a terminal. The default is off.
    on_incumbent
        Called in this thread with the objective and the solution of each new incumbent.
    checkpoint
        A file for the state of a tree search or of a subset sum, written every half minute, on
        improvement and at the end; `prunus.resume` continues from it after a stop or a kill. The
        file must not exist yet, unless ``resume="auto"``.
    checkpoint_every
        Seconds between two checkpoints.
    resume
        ``"auto"`` continues from the checkpoint if it exists and starts a new search otherwise, so
        that the same script or cluster job can simply be run again. The checkpoint must have this
        problem, method, options, upper bound and seed. ``"never"`` is the default.
    **options
        Options of the problem: ``bound="lb2"`` for a flow shop, for example. "Options and
        capabilities" in the documentation and ``prunus solve --help`` list them with their values.

    Returns
    -------
    Result
        The best solution with its bound, also after a limit or Ctrl-C in the main thread.

    Raises
    ------
    InputError
        If the problem, an option or the initial solution is invalid.
    DeviceError
        If a requested device cannot be used.
    """
    how = RunOptions(devices, executor, time_limit, stop, display, on_incumbent, checkpoint_every)
    how.check(upper_bound, seed, signed=spec_of(problem).signed)
    cutoff = None if upper_bound is None else int(upper_bound)
    start = Checkpoint(problem, method, dict(options), cutoff, seed)
    known = checked_resume(resume, checkpoint)

    def keep(start: Checkpoint) -> CheckpointWriter | None:
        if checkpoint is None:
            return None
        check_checkpoint_use(problem, start.method)
        return CheckpointWriter(
            file_path(checkpoint, "the path of a checkpoint"), start, every=checkpoint_every
        )

    def begin(monitor: Monitor) -> None:
        if initial_solution is not None:
            objective, solution = _evaluated(problem, initial_solution)
            monitor.incumbent.offer(objective, solution, "given")

    if known is not None:
        own = problem if isinstance(problem, CustomProblem) else None
        return go_on(known, own, how, check=lambda saved: check_same(saved, start), begin=begin)
    return run(start, how, keep=keep, begin=begin)


def _evaluated(problem: Problem, solution: Sequence[int] | AnyArray) -> tuple[Number, Int64Array]:
    """Return an initial solution with its objective; raise ``InputError`` if it is none."""
    spec = spec_of(problem)
    refusal = spec.refuses_initial_solution(problem)
    if refusal is not None:
        raise OptionError("initial_solution", refusal)
    if isinstance(solution, Iterator):  # it is read more than once
        solution = list(solution)
    checked = solution if spec.as_solution is None else spec.as_solution(problem, solution)
    objective = plain_number(problem.evaluate(checked))
    order = np.array(checked, dtype=np.int64)
    if objective is None:
        kind = type(problem).__name__
        raise OptionError(
            "initial_solution", f"{order.tolist()} is not feasible, evaluate of {kind} says"
        )
    return objective, order
