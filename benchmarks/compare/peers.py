"""How each peer is called: a problem goes in, a solution and whether it is proven come out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from itertools import pairwise
from typing import Any

import numpy as np

import prunus

Answer = tuple[Any, bool]
"""A solution as ``evaluate`` takes it (None without one), and whether it is optimal."""


@dataclass(frozen=True)
class Peer:
    """A solver for one problem."""

    name: str
    """How it is shown."""
    package: str
    """The distribution that it comes with."""
    kind: str
    """The problem."""
    solve: Callable[[Any, float], Answer]
    """Solves a problem within so many seconds."""


def _prunus(problem: Any, limit: float) -> Answer:
    result = prunus.solve(problem, devices="cpu:2", time_limit=limit)
    return result.solution, result.status in ("optimal", "infeasible")


def _cp_sat(model: Any, limit: float) -> tuple[Any, int]:
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = limit
    solver.parameters.num_workers = 2
    status = solver.solve(model)
    known = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    return (solver if known else None), status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)


def _cp_sat_flow_shop(problem: Any, limit: float) -> Answer:
    """Intervals in the same order on all machines."""
    from ortools.sat.python import cp_model

    times, model = problem.processing_times.tolist(), cp_model.CpModel()
    horizon = int(problem.processing_times.sum())
    end = model.new_int_var(0, horizon, "end")
    starts = [[model.new_int_var(0, horizon, "") for _ in row] for row in times]
    for machine in range(problem.machines):
        model.add_no_overlap(
            model.new_fixed_size_interval_var(starts[job][machine], times[job][machine], "")
            for job in range(problem.jobs)
        )
    for job, row in enumerate(times):
        for machine in range(1, problem.machines):
            model.add(starts[job][machine] >= starts[job][machine - 1] + row[machine - 1])
        model.add(end >= starts[job][-1] + row[-1])
    for one in range(problem.jobs):
        for other in range(one):
            first = model.new_bool_var("")
            for a, b, literal in ((one, other, first), (other, one, first.negated())):
                for m in range(problem.machines):
                    model.add(starts[b][m] >= starts[a][m] + times[a][m]).only_enforce_if(literal)
    model.minimize(end)
    solver, proven = _cp_sat(model, limit)
    if solver is None:
        return None, proven
    return sorted(range(problem.jobs), key=lambda job: solver.value(starts[job][0])), proven


def _pyjobshop(problem: Any, limit: float) -> Answer:
    """Its permutation constraint; display off."""
    from pyjobshop import Model

    model = Model()
    machines = [model.add_machine() for _ in range(problem.machines)]
    tasks = []
    for row in problem.processing_times.tolist():
        job = model.add_job()
        tasks.append([model.add_task(job=job) for _ in row])
        for machine, task, time in zip(machines, tasks[-1], row, strict=True):
            model.add_mode(task, machine, time)
        for before, after in zip(tasks[-1], tasks[-1][1:], strict=False):
            model.add_end_before_start(before, after)
    # Its name has changed from one version to another.
    names = ("add_permutation", "add_same_sequence")
    add = next(getattr(model, name) for name in names if hasattr(model, name))
    for one, other in pairwise(machines):
        add(one, other)
    result = model.solve(time_limit=limit, display=False, num_workers=2)
    proven = result.status.value == "Optimal"
    if result.best is None or not result.best.tasks:
        return None, proven
    starts = [result.best.tasks[job * problem.machines].start for job in range(problem.jobs)]
    return np.argsort(starts, kind="stable").tolist(), proven


def _didppy(problem: Any, limit: float) -> Answer:
    """The usual dynamic program: a set of fixed jobs and the front of the machines, on one core."""
    import didppy as dp

    times, machines = problem.processing_times.tolist(), range(problem.machines)
    model = dp.Model(maximize=False, float_cost=False)
    jobs = model.add_object_type(number=problem.jobs)
    left = model.add_set_var(object_type=jobs, target=list(range(problem.jobs)))
    front = [model.add_int_resource_var(target=0, less_is_better=True) for _ in machines]
    for job in range(problem.jobs):
        ends: list[Any] = []
        for m in machines:
            begin = front[m] if m == 0 else dp.max(front[m], ends[-1])
            ends.append(begin + times[job][m])
        model.add_transition(
            dp.Transition(
                name=str(job),
                cost=dp.max(ends[-1] - front[-1], 0) + dp.IntExpr.state_cost(),
                effects=[(left, left.remove(job)), *zip(front, ends, strict=True)],
                preconditions=[left.contains(job)],
            )
        )
    model.add_base_case([left.is_empty()])
    last = model.add_int_table([row[-1] for row in times])
    model.add_dual_bound(last[left])
    solution = dp.CABS(model, time_limit=limit, quiet=True).search()
    order = [int(each.name) for each in solution.transitions]
    return (order or None), bool(solution.is_optimal)


def _scipy_assignment(problem: Any, limit: float) -> Answer:
    from scipy.optimize import linear_sum_assignment

    return linear_sum_assignment(problem.matrix)[1], True


def _lapx_assignment(problem: Any, limit: float) -> Answer:
    import lap

    return lap.lapjv(problem.matrix.astype(np.float64), return_cost=False)[0], True


def _ortools_assignment(problem: Any, limit: float) -> Answer:
    from ortools.graph.python import linear_sum_assignment

    solver, matrix = linear_sum_assignment.SimpleLinearSumAssignment(), problem.matrix
    rows, columns = np.indices(matrix.shape)
    solver.add_arcs_with_cost(rows.ravel(), columns.ravel(), matrix.ravel())
    done = solver.solve() == solver.OPTIMAL
    return ([solver.right_mate(k) for k in range(problem.agents)] if done else None), done


def _ortools_knapsack(problem: Any, limit: float) -> Answer:
    from ortools.algorithms.python import knapsack_solver

    kind = knapsack_solver.SolverType.KNAPSACK_MULTIDIMENSION_BRANCH_AND_BOUND_SOLVER
    solver = knapsack_solver.KnapsackSolver(kind, "")
    solver.set_time_limit(limit)
    solver.init(problem.profits.tolist(), [problem.weights.tolist()], [problem.capacity])
    solver.solve()
    chosen = [k for k in range(problem.items) if solver.best_solution_contains(k)]
    return chosen, bool(solver.is_solution_optimal())


def _highs_knapsack(problem: Any, limit: float) -> Answer:
    import highspy

    model = highspy.Highs()
    model.silent()
    for option, value in (("time_limit", limit), ("threads", 2), ("mip_rel_gap", 0.0)):
        model.setOptionValue(option, value)
    items = [model.addBinary() for _ in range(problem.items)]
    weights, profits = problem.weights.tolist(), problem.profits.tolist()
    load = sum(w * x for w, x in zip(weights, items, strict=True))
    model.addConstr(load <= problem.capacity)
    model.maximize(sum(p * x for p, x in zip(profits, items, strict=True)))
    values = model.getSolution().col_value
    proven = model.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return [k for k, value in enumerate(values) if value > 0.5], proven


def _cp_sat_subset_sum(problem: Any, limit: float) -> Answer:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    taken = [model.new_bool_var("") for _ in problem.weights]
    total = sum(w * x for w, x in zip(problem.weights, taken, strict=True))
    model.add(total == problem.target)
    solver, proven = _cp_sat(model, limit)
    if solver is None:
        return None, proven
    return [k for k, variable in enumerate(taken) if solver.value(variable)], True


def _cp_sat_atsp(problem: Any, limit: float) -> Answer:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    arcs = [
        (a, b, model.new_bool_var(""))
        for a in range(problem.cities)
        for b in range(problem.cities)
        if a != b
    ]
    model.add_circuit(arcs)
    model.minimize(sum(int(problem.distances[a, b]) * literal for a, b, literal in arcs))
    solver, proven = _cp_sat(model, limit)
    if solver is None:
        return None, proven
    after = {a: b for a, b, literal in arcs if solver.value(literal)}
    tour = [0]
    while after[tour[-1]] != 0:
        tour.append(after[tour[-1]])
    return tour, proven


def _elkai(problem: Any, limit: float) -> Answer:
    """LKH: no limit and no proof."""
    import elkai

    return elkai.DistanceMatrix(problem.distances.tolist()).solve_tsp()[:-1], False


KINDS = ("flow shop", "assignment", "knapsack", "subset sum", "ATSP")
PEERS = (
    *(Peer("prunus", "prunus", kind, _prunus) for kind in KINDS),
    Peer("CP-SAT", "ortools", "flow shop", _cp_sat_flow_shop),
    Peer("PyJobShop", "pyjobshop", "flow shop", _pyjobshop),
    Peer("DIDP (CABS)", "didppy", "flow shop", _didppy),
    Peer("SciPy", "scipy", "assignment", _scipy_assignment),
    Peer("lapx (lapjv)", "lapx", "assignment", _lapx_assignment),
    Peer("OR-Tools", "ortools", "assignment", _ortools_assignment),
    Peer("OR-Tools", "ortools", "knapsack", _ortools_knapsack),
    Peer("HiGHS", "highspy", "knapsack", _highs_knapsack),
    Peer("CP-SAT", "ortools", "subset sum", _cp_sat_subset_sum),
    Peer("CP-SAT", "ortools", "ATSP", _cp_sat_atsp),
    Peer("LKH (elkai)", "elkai", "ATSP", _elkai),
)


def version_of(package: str) -> str | None:
    """Return the version of a distribution, None if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        # A checkout of prunus need not be installed.
        return prunus.__version__ if package == "prunus" else None


def installed(kind: str) -> list[Peer]:
    """Return the peers for a problem that are there, and say which are not."""
    peers = [peer for peer in PEERS if peer.kind == kind and peer.package != "prunus"]
    for peer in peers:
        if version_of(peer.package) is None:
            print(f"{peer.name} is left out: {peer.package} is not installed")
    return [peer for peer in peers if version_of(peer.package) is not None]
