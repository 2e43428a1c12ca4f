"""Linear assignment: who does what, each agent one job, each job one agent, at the best total."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.errors import InputError
from prunus.problems import pairings
from prunus.problems.immutable import Immutable
from prunus.problems.labels import frame_labels, names, one_name

__all__ = ["METRICS", "Assignment"]

METRICS = ("euclidean", "sqeuclidean", "cityblock", "chebyshev")
"""The metrics of instances that are given by points."""


class Assignment(Immutable):
    """A linear (sum) assignment problem, rectangular if need be.

    Sought is a set of min(agents, jobs) pairs, no agent and no job in two of them, whose values
    have the smallest sum, or the largest.

    Parameters
    ----------
    values
        Shape (agents, jobs), the cost or the benefit of every pair: nested sequences, an array of
        float32, float64 or integers of any size, a pandas DataFrame, whose labels then name agents
        and jobs, any array on the host that NumPy can read (``__array__``, DLPack), or a SciPy
        sparse matrix, in which pairs that are not stored are forbidden. In a dense array infinity
        (minus infinity when maximising) forbids a pair. Shape (batch, agents, jobs) is as many
        problems of one size, solved together; the objective is the sum of theirs. It is copied.
    maximize
        Look for the largest sum and not for the smallest.
    agent_names, job_names
        Names to report; they take precedence over those of a DataFrame.
    name
        The name of the instance.

    Attributes
    ----------
    matrix : ndarray or None
        Read-only, C-contiguous: float32, float64, int32 or int64; None for points and sparse
        matrices.
    points : tuple of two ndarrays of float64, or None
        Shapes (agents, d) and (jobs, d), see `from_points`.
    metric : str or None
    arcs : tuple of three ndarrays, or None
        A sparse matrix by rows: ``indptr``, ``indices``, ``data``; see `from_arcs`.
    agents, jobs : int
    batch : int or None
        How many problems a stack holds; None for one that is not a stack.
    maximise : bool
    integral : bool
        The values are integers (by type), and so is the objective.
    agent_names, job_names : tuple of str, or None
    name : str or None

    Raises
    ------
    InputError
        If a value is NaN or infinitely good, or the shape is not one of those above.

    Examples
    --------
    >>> problem = Assignment([[4, 1, 3], [2, 0, 5], [3, 2, 2]])
    >>> problem
    Assignment(3 agents × 3 jobs)
    >>> problem.evaluate([1, 0, 2])
    5
    """

    __slots__ = (
        "agent_names",
        "agents",
        "arcs",
        "batch",
        "integral",
        "job_names",
        "jobs",
        "matrix",
        "maximise",
        "metric",
        "name",
        "points",
    )

    matrix: NDArray[Any] | None
    points: tuple[NDArray[np.float64], NDArray[np.float64]] | None
    metric: str | None
    arcs: tuple[NDArray[np.int64], NDArray[np.int32], NDArray[Any]] | None
    agents: int
    jobs: int
    batch: int | None
    maximise: bool
    integral: bool
    agent_names: tuple[str, ...] | None
    job_names: tuple[str, ...] | None
    name: str | None

    def __init__(
        self,
        values: Any,
        *,
        maximize: bool = False,
        agent_names: Any = None,
        job_names: Any = None,
        name: str | None = None,
    ) -> None:
        rows = columns = None
        if hasattr(values, "to_numpy") and hasattr(values, "columns"):
            rows = frame_labels(getattr(values, "index", None), "row name of values")
            columns = frame_labels(values.columns, "column name of values")
            values = values.to_numpy()
        matrix = arcs = None
        if hasattr(values, "tocsr"):
            arcs, shape = pairings.sparse_matrix(values)
            pairings.check_values(arcs[2], bool(maximize), "values (stored entry", "")
        else:
            matrix = pairings.dense_matrix(values)
            pairings.check_values(matrix, bool(maximize), "values[", "]")
            shape = matrix.shape
        self._finish(
            shape,
            matrix=matrix,
            points=None,
            metric=None,
            arcs=arcs,
            maximise=bool(maximize),
            agent_names=rows if agent_names is None else agent_names,
            job_names=columns if job_names is None else job_names,
            name=name,
        )

    @classmethod
    def from_points(
        cls,
        left: Any,
        right: Any = None,
        *,
        metric: str = "euclidean",
        maximize: bool = False,
        agent_names: Any = None,
        job_names: Any = None,
        name: str | None = None,
    ) -> Assignment:
        """Build a problem whose values are distances, without the matrix of all of them.

        Parameters
        ----------
        left
            Shape (agents, d): where the agents are.
        right
            Shape (jobs, d): where the jobs are; by default where the agents are.
        metric
            ``"euclidean"``, ``"sqeuclidean"`` (its square), ``"cityblock"`` or ``"chebyshev"``.
        maximize, agent_names, job_names, name
            As for the class.

        Raises
        ------
        InputError
            If a coordinate is not finite, the dimensions differ or the metric is not known.
        """
        if metric not in METRICS:
            raise InputError(f"metric={metric!r} is not one of {', '.join(METRICS)}")
        one = pairings.coordinates(left, "left")
        two = one if right is None else pairings.coordinates(right, "right")
        if one.shape[1] != two.shape[1]:
            raise InputError(
                f"left has points of {one.shape[1]} coordinates and right of {two.shape[1]}"
            )
        problem = cls.__new__(cls)
        problem._finish(
            (len(one), len(two)),
            matrix=None,
            points=(one, two),
            metric=metric,
            arcs=None,
            maximise=bool(maximize),
            agent_names=agent_names,
            job_names=job_names,
            name=name,
        )
        return problem

    @classmethod
    def from_arcs(
        cls,
        agents: int,
        jobs: int,
        tails: Any,
        heads: Any,
        values: Any,
        *,
        maximize: bool = False,
        agent_names: Any = None,
        job_names: Any = None,
        name: str | None = None,
    ) -> Assignment:
        """Build a sparse problem from its allowed pairs; all others are forbidden.

        Parameters
        ----------
        agents, jobs
            How many there are.
        tails, heads, values
            The agent, the job and the value of each allowed pair, three sequences of one length.
        maximize, agent_names, job_names, name
            As for the class.

        Raises
        ------
        InputError
            If a pair is out of range or given twice, or a value is not finite.
        """
        arcs = pairings.sorted_arcs(agents, jobs, tails, heads, values)
        pairings.check_values(arcs[2], bool(maximize), "values[", "]")
        problem = cls.__new__(cls)
        problem._finish(
            (agents, jobs),
            matrix=None,
            points=None,
            metric=None,
            arcs=arcs,
            maximise=bool(maximize),
            agent_names=agent_names,
            job_names=job_names,
            name=name,
        )
        return problem

    def _finish(self, shape: tuple[int, ...], **given: Any) -> None:
        *batch, agents, jobs = shape
        held = next(
            array
            for array in (
                given["matrix"],
                given["arcs"] and given["arcs"][2],
                given["points"] and given["points"][0],
            )
            if array is not None
        )
        name = given["name"]
        self._set(
            **{
                **given,
                "agents": agents,
                "jobs": jobs,
                "batch": batch[0] if batch else None,
                "integral": held.dtype.kind == "i",
                "agent_names": names(given["agent_names"], agents, "agent_names"),
                "job_names": names(given["job_names"], jobs, "job_names"),
                "name": None if name is None else one_name(name, "name"),
            }
        )

    def evaluate(self, solution: Any) -> int | float:
        """Return the sum of the values of an assignment.

        Parameters
        ----------
        solution
            Shape (agents,): the job of each agent, -1 for none where there are fewer jobs than
            agents. Shape (batch, agents) for a stack.

        Returns
        -------
        int or float
            Exact for integers, correctly rounded for floats.

        Raises
        ------
        InputError
            If it is not an assignment, or uses a forbidden pair.
        """
        jobs = pairings.as_assignment(solution, self.batch, self.agents, self.jobs)
        taken = np.nonzero(jobs >= 0)
        found = pairings.values_of(self, taken, jobs[taken])
        if self.integral:
            return sum(map(int, found.tolist()))
        return math.fsum(found.tolist())

    def __repr__(self) -> str:
        """Show the name, the size and the sense."""
        name = "" if self.name is None else f"{self.name!r}, "
        agents = "1 agent" if self.agents == 1 else f"{self.agents} agents"
        jobs = "1 job" if self.jobs == 1 else f"{self.jobs} jobs"
        stack = "" if self.batch is None else f"{self.batch} × "
        sense = ", maximise" if self.maximise else ""
        return f"Assignment({name}{stack}{agents} × {jobs}{sense})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by building anew, so that the copy is read-only as well."""
        return _rebuild, tuple(getattr(self, field) for field in _FIELDS)


_FIELDS = (
    "matrix",
    "points",
    "metric",
    "arcs",
    "agents",
    "jobs",
    "batch",
    "maximise",
    "agent_names",
    "job_names",
    "name",
)


def _rebuild(*fields: Any) -> Assignment:
    given = dict(zip(_FIELDS, fields, strict=True))
    batch, agents, jobs = given.pop("batch"), given.pop("agents"), given.pop("jobs")
    for key in ("points", "arcs"):
        if given[key] is not None:
            given[key] = tuple(pairings.read_only(array) for array in given[key])
    if given["matrix"] is not None:
        given["matrix"] = pairings.read_only(given["matrix"])
    problem = Assignment.__new__(Assignment)
    problem._finish((agents, jobs) if batch is None else (batch, agents, jobs), **given)
    return problem
