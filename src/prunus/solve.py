"""The front door: a problem goes in, a result with its proof comes out. Composition only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.atsp import solver as atsp
from prunus.devices import parse_devices
from prunus.errors import InputError
from prunus.flowshop import solver as flowshop
from prunus.incumbent import Incumbent
from prunus.monitor import IncumbentCallback, Monitor
from prunus.options import choose
from prunus.outcome import Outcome
from prunus.problems import ATSP, FlowShop, NQueens
from prunus.progress import live
from prunus.queens import solver as queens
from prunus.result import Result, Status
from prunus.stop import StoppingCriterion

__all__ = ["solve"]

_SOLVERS: dict[type, Any] = {FlowShop: flowshop, NQueens: queens, ATSP: atsp}


def solve(
    problem: FlowShop | NQueens | ATSP,
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
    **options: Any,
) -> Result:
    """Solve a problem to proven optimality, or as well as the limits allow, with a proven bound.

    Parameters
    ----------
    problem
        A `FlowShop`, `NQueens` (all solutions are counted) or `ATSP`.
    method
        How; the default is the best there is for the problem.
    devices
        ``"auto"``, ``"cpu"``, ``"cpu:4"``, ``"cuda:0"``, or several with commas.
    time_limit
        Seconds, from the call on.
    stop
        A criterion asked about eight times a second, see `prunus.stop`.
    initial_solution
        A solution to start from: a permutation (flow shop) or a tour (ATSP).
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
    **options
        Of the problem. Flow shop: ``bound``, ``branching``, ``first_incumbent``. N-Queens:
        ``symmetry``. ATSP: ``first_incumbent``.

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
    solver = _SOLVERS.get(type(problem))
    if solver is None:
        known = ", ".join(kind.__name__ for kind in _SOLVERS)
        raise InputError(f"solve takes one of {known}, not {type(problem).__name__}")
    if method is not None:
        method = choose("method", method, solver.METHODS)
    chosen = parse_devices(devices)
    _check_limits(time_limit, stop, upper_bound, seed)
    settings = solver.settings(problem, options, method=method, upper_bound=upper_bound)
    incumbent = Incumbent(upper_bound, maximise=getattr(problem, "maximise", False))
    if initial_solution is not None:
        _offer_initial(problem, initial_solution, incumbent)
    with live(problem, enabled=bool(display)) as show:
        monitor = Monitor(
            incumbent, time_limit=time_limit, stop=stop, show=show, on_incumbent=on_incumbent
        )
        try:
            outcome = solver.run(problem, settings, chosen, monitor, seed)
        except KeyboardInterrupt:
            monitor.stopped_by = "interrupt"
            outcome = Outcome(complete=False, bound=None)
        monitor.finish(outcome.nodes)
    used = outcome.method or method or solver.METHODS[0]
    return _result(problem, outcome, monitor, used, seed)


def _check_limits(
    time_limit: float | None, stop: object, upper_bound: int | None, seed: int
) -> None:
    if time_limit is not None and not (
        isinstance(time_limit, (int, float)) and time_limit >= 0 and not math.isnan(time_limit)
    ):
        raise InputError(f"time_limit={time_limit!r} is not a number of seconds, 0 or more")
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
    objective = problem.evaluate(solution)
    incumbent.offer(objective, np.array(solution, dtype=np.int64), "given")


def _result(problem: Any, outcome: Outcome, monitor: Monitor, method: str, seed: int) -> Result:
    best = monitor.incumbent.best
    counting = isinstance(problem, NQueens)
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
        statistics=outcome.statistics,
    )


def _meets(monitor: Monitor, bound: int, objective: int) -> bool:
    return bound <= objective if monitor.incumbent.maximise else bound >= objective
