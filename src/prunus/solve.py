"""The front door: a problem goes in, a result with its proof comes out. Composition only."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus import wording
from prunus.assignment import solver as assignment
from prunus.atsp import solver as atsp
from prunus.checkpoint import EVERY, Checkpoint, Keeper
from prunus.checkpoint.problem import to_parts
from prunus.devices import Devices, check_gpus, parse_devices
from prunus.errors import InputError
from prunus.flowshop import solver as flowshop
from prunus.incumbent import NO_INCUMBENT, Incumbent
from prunus.knapsack import solver as knapsack
from prunus.monitor import IncumbentCallback, Monitor
from prunus.options import choose
from prunus.outcome import Outcome
from prunus.problems import ATSP, Assignment, FlowShop, Knapsack, NQueens, Problem, SubsetSum
from prunus.progress import live
from prunus.queens import solver as queens
from prunus.result import Result, Status
from prunus.stop import StoppingCriterion
from prunus.subsetsum import solver as subsetsum
from prunus.treesearch.interval import Intervals

__all__ = ["check_limits", "check_seconds", "run", "solve", "solver_of"]

_SOLVERS: dict[type, Any] = {
    FlowShop: flowshop,
    NQueens: queens,
    ATSP: atsp,
    SubsetSum: subsetsum,
    Knapsack: knapsack,
    Assignment: assignment,
}


def solve(
    problem: Problem,
    *,
    method: str | None = None,
    devices: str | Sequence[str] = "auto",
    time_limit: float | None = None,
    stop: StoppingCriterion | None = None,
    initial_solution: Sequence[int] | NDArray[Any] | None = None,
    upper_bound: int | None = None,
    seed: int = 0,
    display: bool | None = None,
    on_incumbent: IncumbentCallback | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = EVERY,
    **options: Any,
) -> Result:
    """Solve a problem to proven optimality, or as well as the limits allow, with a proven bound.

    Parameters
    ----------
    problem
        A `FlowShop`, `NQueens` (all solutions are counted), `ATSP`, `SubsetSum`,
        `Knapsack` or `Assignment`.
    method
        How; the default is the best there is for the problem.
    devices
        ``"auto"``, ``"cpu"``, ``"cpu:4"``, ``"cuda:0"``, or several with commas.
    time_limit
        Seconds, from the call on.
    stop
        A criterion asked about eight times a second, see `prunus.stop`.
    initial_solution
        A solution to start from: a permutation (flow shop), a tour (ATSP), a choice of items
        (knapsack) or the job of each agent (assignment).
    upper_bound
        Look only for solutions better than this. With the optimum given, the search branches
        exactly the nodes whose bound is below it and proves that nothing is better. First
        incumbents are then skipped unless asked for.
    seed
        Seed of everything random. Where several devices race, the optimum and the counts are the
        same and only the path differs.
    display
        True shows a live display on standard error if that is a terminal. The default is off.
    on_incumbent
        Called in this thread with the objective and the solution of each new incumbent.
    checkpoint
        A file to keep the state of a tree search in, written every half minute, on improvement and
        at the end; `prunus.resume` goes on from it after a stop or a kill. It must not exist yet.
    checkpoint_every
        Seconds between two checkpoints.
    **options
        Of the problem. Flow shop: ``bound``, ``branching``, ``first_incumbent``, ``proof``.
        N-Queens: ``symmetry``. ATSP: ``first_incumbent``, ``proof``. Subset sum: ``executor``,
        ``memory``, ``divisor_test``. Knapsack: ``profile``.
        Assignment: ``start``, ``order``.

    Returns
    -------
    Result
        Also after Ctrl-C: the best solution so far with its bound.

    Raises
    ------
    InputError
        If the problem, an option or the initial solution is not what it must be.
    DeviceError
        If a device is asked for that cannot be used.
    """
    solver = solver_of(problem)
    if method is not None:
        method = choose("method", method, solver.METHODS)
    check_limits(time_limit, stop, upper_bound, seed)
    start = Checkpoint(problem, method, dict(options), upper_bound, seed)
    settings = solver.settings(problem, options, method=method, upper_bound=upper_bound)
    incumbent = Incumbent(upper_bound, maximise=getattr(problem, "maximise", False))
    chosen = parse_devices(devices)
    check_gpus(chosen)
    keeper = None if checkpoint is None else _keeper(checkpoint, start, checkpoint_every)
    try:
        if initial_solution is not None:
            _offer_initial(problem, initial_solution, incumbent)
        with live(problem, enabled=bool(display)) as show:
            monitor = Monitor(
                incumbent, time_limit=time_limit, stop=stop, show=show, on_incumbent=on_incumbent
            )
            monitor.keeper = keeper
            return run(start, solver, settings, chosen, monitor)
    finally:
        if keeper is not None:
            keeper.close()


def _keeper(path: str | os.PathLike[str], start: Checkpoint, every: float) -> Keeper:
    check_seconds("checkpoint_every", every)
    to_parts(start.problem)
    return Keeper(os.fspath(path), start, every=every)


def solver_of(problem: object) -> Any:
    """Return the module that solves a problem's class.

    Raises
    ------
    InputError
        If it is no problem.
    """
    solver = _SOLVERS.get(type(problem))
    if solver is None:
        known = ", ".join(kind.__name__ for kind in _SOLVERS)
        raise InputError(f"solve takes one of {known}, not {type(problem).__name__}")
    return solver


def run(
    start: Checkpoint, solver: Any, settings: Any, devices: Devices, monitor: Monitor
) -> Result:
    """Run a solver and make a result of what it found, whatever stopped it."""
    problem = start.problem
    try:
        if start.complete:
            outcome = _again(start, monitor)
        else:
            outcome = solver.run(problem, settings, devices, monitor, start.seed)
    except KeyboardInterrupt:
        monitor.stopped_by = "interrupt"
        outcome = Outcome(complete=False, bound=None)
    monitor.finish(outcome.nodes)
    if monitor.keeper is not None and monitor.keeper.written == 0 and not start.complete:
        # Stopped or proven before any tree was searched: what was open still is, or nothing.
        proven = {
            "intervals": Intervals.empty(1),
            "nodes": outcome.nodes,
            "leaves": outcome.leaves,
        }
        monitor.keeper.write(**(proven if outcome.complete else {}), **monitor.state())
    used = outcome.method or start.method or solver.METHODS[0]
    return _result(problem, outcome, monitor, used, start.seed)


def _again(start: Checkpoint, monitor: Monitor) -> Outcome:
    """Return what a complete checkpoint says."""
    bound = monitor.incumbent.to_beat
    return Outcome(
        complete=True,
        bound=None if bound == NO_INCUMBENT else bound,
        nodes=start.nodes,
        leaves=start.leaves,
        explored=1.0,
    )


def check_seconds(name: str, value: object) -> None:
    """Raise ``InputError`` unless a value is a number of seconds."""
    if not (isinstance(value, (int, float, np.integer, np.floating)) and value >= 0):
        raise InputError(f"{name}={value!r} is not a number of seconds, 0 or more")


def check_limits(
    time_limit: float | None, stop: object, upper_bound: int | None, seed: int
) -> None:
    """Raise ``InputError`` for the first limit that is not what it must be."""
    if time_limit is not None:
        check_seconds("time_limit", time_limit)
    if stop is not None and not callable(stop):
        raise InputError(f"stop={stop!r} cannot be called; use a criterion from prunus.stop")
    for name, value in (("upper_bound", upper_bound), ("seed", seed)):
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
            raise InputError(f"{name}={value!r} is not an integer")
        if not 0 <= value < 2**62:
            raise InputError(f"{name}={value} is not between 0 and 2**62 - 1")


def _offer_initial(problem: Any, solution: Any, incumbent: Incumbent) -> None:
    if isinstance(problem, NQueens):
        raise InputError("initial_solution: counting all placements of queens starts from none")
    if isinstance(problem, SubsetSum):
        raise InputError("initial_solution: subset sum starts from none")
    objective = problem.evaluate(solution)
    incumbent.offer(objective, np.array(solution, dtype=np.int64), "given")


def _result(problem: Any, outcome: Outcome, monitor: Monitor, method: str, seed: int) -> Result:
    best = monitor.incumbent.best
    counting = wording.counts_solutions(problem)
    objective = outcome.leaves if counting else best.objective if best else None
    bound = outcome.bound
    if counting:
        complete, partial = Status.OPTIMAL, Status.FEASIBLE
        bound = objective
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
        stopped_by=monitor.stopped_by,
        seed=seed,
        statistics={**outcome.statistics, **monitor.figures()},
        trace=outcome.trace,
    )


def _meets(monitor: Monitor, bound: int | float, objective: int | float) -> bool:
    return bound <= objective if monitor.incumbent.maximise else bound >= objective
