"""What is solved in place of a problem with a limit of costs, and back to that."""

from __future__ import annotations

import math
from typing import Any, Self

import numpy as np

from prunus.assignment.cost_limit import clipped, wide_enough
from prunus.assignment.problem import Assignment
from prunus.model.arrays import AnyArray, Int64Array, Number
from prunus.runtime.duals import Duals


class ClippedAssignment(Assignment):
    """A problem in which nobody costs more than the limit, and everybody has a partner.

    In a matrix all pairs beyond the limit cost the limit. In a sparse problem, and where few pairs
    of a matrix are within the limit, each agent (job, where there are fewer of these) has a partner
    of its own that costs the limit.

    Attributes
    ----------
    limited : Assignment
        The problem that it stands for.
    """

    __slots__ = ("limited",)

    limited: Assignment

    def on_host(self) -> Self:
        """Return the same problem with its matrix in the host's memory; itself if it is there."""
        return self if self.resident is None else clip(self.limited.on_host())  # type: ignore[return-value]

    def shown(self, solution: AnyArray) -> AnyArray:
        """Return an assignment as one of the problem with the limit: without what is too dear."""
        limited = self.limited
        if self.arcs is not None:
            solution = solution[: limited.agents]
            return np.where(solution < limited.jobs, solution, -1)
        limit = limited.cost_limit
        assert limit is not None
        taken = np.nonzero(solution >= 0)
        values = limited.values_at(taken, solution[taken])
        dear = values < limit if limited.maximise else values > limit
        shown = np.array(solution)
        shown[tuple(axis[dear] for axis in taken)] = -1
        return shown

    def completed(self, solution: Int64Array) -> Int64Array:
        """Return an assignment of the problem with the limit as one of this."""
        limited = self.limited
        agents, jobs = limited.agents, limited.jobs
        if self.arcs is not None:
            if agents <= jobs:
                return np.where(solution >= 0, solution, jobs + np.arange(agents))
            own = np.arange(jobs)
            own[solution[solution >= 0]] = -1
            return np.concatenate([solution, own])
        whole = np.array(solution).reshape(-1, agents)
        for row in whole:
            left = np.setdiff1d(np.arange(jobs), row)
            free = np.flatnonzero(row < 0)[: len(left)]
            row[free] = left[: len(free)]
        return whole.reshape(solution.shape)

    def duals_of_limited(self, duals: Duals | None) -> Duals | None:
        """Return dual prices as those of the problem with the limit."""
        limited = self.limited
        if duals is None or self.arcs is None:
            return duals
        agents, jobs = limited.agents, limited.jobs
        # A partner of one's own has a price only where its agent's is above the limit.
        if agents <= jobs:
            return Duals(duals.agents + duals.jobs[jobs:], duals.jobs[:jobs])
        return Duals(duals.agents[:agents], duals.jobs + duals.agents[agents:])


LARGE, _FEW = 2**20, 1 / 32
"""Entries of a matrix from which on it is solved sooner as a sparse problem if so few of them, as a
part of all, are within the limit."""

_FEW_A_ROW = 50
"""Pairs a row, on average, from which on a GPU that holds the matrix is sooner done by itself."""


def few_pairs(problem: Assignment) -> Assignment | None:
    """Return a matrix as a sparse problem of the pairs within its limit, if these are few.

    All others are worth the same to a row, which methods for matrices find hard to tell apart.
    """
    limit, maximise, shape = problem.cost_limit, problem.maximise, (problem.agents, problem.jobs)
    assert limit is not None
    if problem.arcs is not None or problem.batch is not None or math.prod(shape) < LARGE:
        return None
    if problem.matrix is not None:
        return few_pairs_of(problem.matrix, limit, maximise)
    from prunus.hardware.cuda.arrays import device_of
    from prunus.hardware.cuda.within_limit import entries_within

    array = problem.resident
    most = min(_FEW * math.prod(shape), _FEW_A_ROW * min(shape))
    arcs = entries_within(device_of(array), array, limit, at_least=maximise, most=most)
    if arcs is None:
        return None
    return Assignment._of(
        shape, arcs=arcs, cost_limit=limit, maximise=maximise,
        agent_names=None, job_names=None, name=None,
    )  # fmt: skip


def few_pairs_of(matrix: AnyArray, limit: Number, maximise: bool) -> Assignment | None:
    """Do the same for a matrix on the host without NaN, and with nothing infinitely good."""
    if matrix.size < LARGE or _many(matrix, limit, maximise):
        return None
    agents, jobs = np.nonzero(_within(matrix, limit, maximise))
    if len(agents) > _FEW * matrix.size:
        return None
    return Assignment.from_arcs(
        len(matrix), matrix.shape[1], agents, jobs, matrix[agents, jobs],
        maximize=maximise, cost_limit=limit,
    )  # fmt: skip


_ASKED = 2**14
"""Entries that are asked first whether they are within a limit."""


def _many(matrix: AnyArray, limit: Number, maximise: bool) -> bool:
    """Tell whether many pairs are within a limit, as far as some tell."""
    rng = np.random.default_rng(0)
    some = matrix[tuple(rng.integers(0, end, _ASKED) for end in matrix.shape)]
    return bool(_within(some, limit, maximise).mean() > 2 * _FEW)


def _within(values: AnyArray, limit: Number, maximise: bool) -> AnyArray:
    within: AnyArray = values >= limit if maximise else values <= limit
    return within


def clip(problem: Assignment, sparse: Assignment | None = None) -> ClippedAssignment:
    """Return what is solved in place of a problem that has a limit, or of its ``few_pairs``."""
    limit, maximise = problem.cost_limit, problem.maximise
    assert limit is not None
    found: Any
    if sparse is None and problem.arcs is not None:
        sparse = problem
    if sparse is not None:
        found = _with_partners(sparse)
    else:
        values: Any = problem.matrix
        if problem.resident is not None:
            values = _clipped_there(problem.resident, limit, maximise)
        else:
            values = clipped(values, limit, maximise)
            values.setflags(write=False)  # then it is not copied
        found = ClippedAssignment(values, maximize=maximise)
    found._set(limited=problem)
    return found  # type: ignore[no-any-return]


def _with_partners(problem: Assignment) -> Assignment:
    """Return a sparse problem without dear pairs, each agent (job) with a partner of its own."""
    assert problem.arcs is not None
    assert problem.cost_limit is not None
    start, heads, values = problem.arcs
    limit, agents, jobs = problem.cost_limit, problem.agents, problem.jobs
    kept = values >= limit if problem.maximise else values <= limit
    tails = np.repeat(np.arange(agents), np.diff(start))[kept]
    own = np.arange(min(agents, jobs))
    more = (own, jobs + own) if agents <= jobs else (agents + own, own)
    tails, heads = (np.concatenate([a, b]) for a, b in zip((tails, heads[kept]), more, strict=True))
    values = np.concatenate([values[kept], np.full(len(own), limit, values.dtype)])
    size = (agents, jobs + agents) if agents <= jobs else (agents + jobs, jobs)
    return ClippedAssignment.from_arcs(*size, tails, heads, values, maximize=problem.maximise)


def _clipped_there(array: Any, limit: Number, maximise: bool) -> Any:
    """Return an array on a GPU of which no value is worse than the limit."""
    from prunus.hardware.cuda.borrowed import borrow
    from prunus.hardware.cuda.conversion import converted

    held = borrow(array, "values")
    return converted(held, wide_enough(array.dtype, limit), limit, at_least=maximise)
