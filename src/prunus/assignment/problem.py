"""Linear assignment: who does what, each agent one job, each job one agent, at the best total."""

from __future__ import annotations

from typing import Any

import numpy as np

from prunus.assignment import validation
from prunus.assignment.data import AssignmentData
from prunus.assignment.distances import METRICS
from prunus.errors import InputError
from prunus.hardware.resident import is_resident
from prunus.model.frame import as_frame, is_frame, taken_apart
from prunus.model.graph import bipartite_pairs, is_graph
from prunus.model.labels import meaningful
from prunus.model.scalar import choose, truth


class Assignment(AssignmentData):
    """A linear (sum) assignment problem, square or rectangular.

    The goal is a set of min(agents, jobs) pairs, with every agent and job in at most one of them,
    whose values have the smallest (or largest) sum.

    Parameters
    ----------
    values
        Shape (agents, jobs), the cost or the benefit of every pair: nested sequences, an array of
        float32, float64 or integers below 2**63, a pandas DataFrame, whose labels then name agents
        and jobs, any other array that NumPy can read (``__array__``, DLPack; xarray supplies
        labels too), a bipartite graph of networkx (agents are the nodes with
        ``bipartite=0``, pairs without an edge are forbidden), or a SciPy
        sparse matrix, in which pairs that are not stored are forbidden. In a dense array infinity
        (minus infinity when maximising) forbids a pair. Shape (batch, agents, jobs) is a stack
        of problems, solved together; the objective is the sum over the stack. It is copied,
        except for an array of float32, float64, int32 or int64 that is read-only, C-contiguous and
        owns its memory, and for an array of these types in the memory of a GPU (CuPy, PyTorch, JAX,
        or anything else that supports DLPack), which stays where it is and must not change during
        the solve. There, other real numbers of at most 64 bits (float16 and bfloat16 included) are
        copied into one of these types.
    maximize
        Find the largest sum instead of the smallest.
    cost_limit
        Pairs that cost more than this (or, when maximising, are worth less) stay unmatched; agents
        without a job are marked -1 in a solution. Each missing pair, out of min(agents, jobs),
        costs as much as the limit, so the sum of value minus limit over all pairs is optimised,
        and no problem is infeasible. Not available for points. A fractional limit turns integers
        into float64; for float32 values it is rounded to float32. Where floats would lose digits
        beside a limit far beyond all of them, the pairs are still as many as can be, of the best
        sum, but where some are missing there are no dual prices.
    agent_names, job_names
        Names for reports; they take precedence over those of a DataFrame.
    name
        The name of the instance.

    Attributes
    ----------
    matrix : ndarray or None
        Read-only, C-contiguous: float32, float64, int32 or int64; None for points, sparse matrices
        and arrays on a GPU.
    resident : cupy.ndarray or None
        Values on a GPU, see `on_host`.
    extremes : Extremes or None
        Facts about them, see `prunus.hardware.resident`.
    best_value : int, float or None
        For a matrix on the host, a value that no other is better than; None if all pairs are
        forbidden.
    points : tuple of two ndarrays of float64, or None
        Shapes (agents, d) and (jobs, d), see `from_points`.
    metric : str or None
    arcs : tuple of three ndarrays, or None
        A sparse matrix in row format: ``indptr``, ``indices``, ``data``; see `from_arcs`.
    agents, jobs : int
    cost_limit : int, float or None
        None if there is no limit, or an infinite one.
    batch : int or None
        The number of problems in a stack; None for a single problem.
    maximise : bool
    integral : bool
        Whether the values have an integer type; then the objective is an integer too.
    agent_names, job_names : tuple of str, or None
    name : str or None

    Raises
    ------
    InputError
        If a value is NaN or infinitely good, or the shape is none of those above.

    Examples
    --------
    >>> problem = Assignment([[4, 1, 3], [2, 0, 5], [3, 2, 2]])
    >>> problem
    Assignment(3 agents × 3 jobs)
    >>> problem.evaluate([1, 0, 2])
    5
    """

    __slots__ = ()

    counts_solutions = False

    def __init__(
        self,
        values: Any,
        *,
        maximize: bool = False,
        cost_limit: float | None = None,
        agent_names: Any = None,
        job_names: Any = None,
        name: str | None = None,
    ) -> None:
        rows = columns = None
        maximise = truth("maximize", maximize)
        values = as_frame(values)
        if is_frame(values):
            values, rows, columns = taken_apart(values, "values")
            if values.dtype == object:  # beside a column of names
                values = values.tolist()
        matrix = arcs = array = found = best = None
        shape: tuple[int, ...]
        if is_resident(values):
            array, found = validation.device_matrix(values, maximise)
            shape = array.shape
        elif is_graph(values):
            pairs = bipartite_pairs(values)
            rows, columns = meaningful(pairs.agents), meaningful(pairs.jobs)
            shape = len(pairs.agents), len(pairs.jobs)
            arcs = validation.sorted_arcs(*shape, pairs.tails, pairs.heads, pairs.values)
            validation.check_values(arcs[2], maximise, "weights[", "]")
        elif hasattr(values, "tocsr"):
            arcs, shape = validation.sparse_matrix(values)
            validation.check_values(arcs[2], maximise, "values (stored entry ", ")")
        else:
            matrix = validation.dense_matrix(values)
            best = validation.check_values(matrix, maximise, "values[", "]")
            shape = matrix.shape
        self._finish(
            shape,
            matrix=matrix,
            arcs=arcs,
            resident=array,
            given=None if array is None else values,
            extremes=found,
            best_value=best,
            cost_limit=cost_limit,
            maximise=maximise,
            agent_names=rows if agent_names is None else agent_names,
            job_names=columns if job_names is None else job_names,
            name=name,
        )

    def with_maximize(self, maximize: bool) -> Assignment:
        """Return the problem of maximising, or minimising, the same values.

        Forbidden pairs remain forbidden.

        Parameters
        ----------
        maximize
            As for the class.

        Returns
        -------
        Assignment
        """
        maximise = truth("maximize", maximize)
        if maximise == self.maximise:
            return self
        options: dict[str, Any] = {"agent_names": self.agent_names, "job_names": self.job_names}
        options |= {"maximize": maximise, "name": self.name}
        if self.points is not None:
            return Assignment.from_points(*self.points, metric=str(self.metric), **options)
        options["cost_limit"] = self.cost_limit
        if self.arcs is not None:
            start, jobs, costs = self.arcs
            agents = np.repeat(np.arange(self.agents), np.diff(start))
            return Assignment.from_arcs(self.agents, self.jobs, agents, jobs, costs, **options)
        values = self.on_host().matrix
        assert values is not None
        if not self.integral:
            values = np.where(np.isinf(values), -values, values)
        return Assignment(values, **options)

    def with_cost_limit(self, cost_limit: float | None) -> Assignment:
        """Return the same problem with a cost limit, or without one.

        Parameters
        ----------
        cost_limit
            As for the class.

        Returns
        -------
        Assignment
        """
        derived = ("agents", "jobs", "batch", "integral", "cost_limit")
        fields = {
            name: getattr(self, name) for name in AssignmentData.__slots__ if name not in derived
        }
        batch = () if self.batch is None else (self.batch,)
        shape = *batch, self.agents, self.jobs
        return Assignment._of(shape, cost_limit=cost_limit, **fields)

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
        """Build a problem from points whose values are distances, without storing the matrix.

        Parameters
        ----------
        left
            Shape (agents, d): the positions of the agents.
        right
            Shape (jobs, d): the positions of the jobs; by default those of the agents.
        metric
            ``"euclidean"``, ``"sqeuclidean"`` (its square), ``"cityblock"`` or ``"chebyshev"``.
        maximize, agent_names, job_names, name
            As for the class.

        Returns
        -------
        Assignment

        Raises
        ------
        InputError
            If a coordinate is not finite, the dimensions differ or the metric is not known.
        """
        maximise = truth("maximize", maximize)
        metric = choose("metric", metric, METRICS)
        one = validation.coordinates(left, "left")
        two = one if right is None else validation.coordinates(right, "right")
        if one.shape[1] != two.shape[1]:
            raise InputError(
                f"left has points of {one.shape[1]} coordinates and right of {two.shape[1]}"
            )
        return cls._of(
            (len(one), len(two)),
            points=(one, two),
            metric=metric,
            maximise=maximise,
            agent_names=agent_names,
            job_names=job_names,
            name=name,
        )

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
        cost_limit: float | None = None,
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
            The agent, the job and the value of each allowed pair: three sequences of equal length.
        maximize, cost_limit, agent_names, job_names, name
            As for the class.

        Returns
        -------
        Assignment

        Raises
        ------
        InputError
            If a pair is out of range or given twice, or a value is not finite.
        """
        maximise = truth("maximize", maximize)
        arcs = validation.sorted_arcs(agents, jobs, tails, heads, values)
        validation.check_values(arcs[2], maximise, "values[", "]")
        return cls._of(
            (agents, jobs),
            arcs=arcs,
            cost_limit=cost_limit,
            maximise=maximise,
            agent_names=agent_names,
            job_names=job_names,
            name=name,
        )
