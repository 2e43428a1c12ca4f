"""What a built assignment problem is, whatever it was built from, and what a solution is worth."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np

from prunus.assignment import validation
from prunus.assignment.cost_limit import checked_limit, fitted
from prunus.assignment.solution import as_assignment, check_limit_kept, values_of
from prunus.errors import InputError, OptionError
from prunus.hardware.resident import Extremes
from prunus.model.arrays import AnyArray, FloatArray, Int32Array, Int64Array, Number
from prunus.model.exact_sum import exact_sum
from prunus.model.immutable import Immutable
from prunus.model.labels import counted, names, one_name


class AssignmentData(Immutable):
    """Pairs of agents and jobs with values, in one of three forms; see `Assignment`."""

    __slots__ = (
        "agent_names",
        "agents",
        "arcs",
        "batch",
        "best_value",
        "cost_limit",
        "extremes",
        "given",
        "integral",
        "job_names",
        "jobs",
        "matrix",
        "maximise",
        "metric",
        "name",
        "points",
        "resident",
    )

    matrix: AnyArray | None
    resident: Any
    extremes: Any
    given: Any
    points: tuple[FloatArray, FloatArray] | None
    metric: str | None
    best_value: Number | None
    cost_limit: Number | None
    arcs: tuple[Int64Array, Int32Array, AnyArray] | None
    agents: int
    jobs: int
    batch: int | None
    maximise: bool
    integral: bool
    agent_names: tuple[str, ...] | None
    job_names: tuple[str, ...] | None
    name: str | None

    @classmethod
    def _of(cls, shape: tuple[int, ...], **given: Any) -> Self:
        """Build from checked parts: those that are not given are None."""
        problem = cls.__new__(cls)
        problem._finish(shape, **given)
        return problem

    def _finish(
        self,
        shape: tuple[int, ...],
        *,
        matrix: AnyArray | None = None,
        points: tuple[AnyArray, AnyArray] | None = None,
        metric: str | None = None,
        arcs: tuple[AnyArray, AnyArray, AnyArray] | None = None,
        resident: Any = None,
        extremes: Extremes | None = None,
        given: Any = None,
        best_value: Number | None = None,
        cost_limit: Any = None,
        maximise: bool,
        agent_names: Any,
        job_names: Any,
        name: Any,
    ) -> None:
        *batch, agents, jobs = shape
        held: Any = arcs[2] if arcs is not None else matrix if resident is None else resident
        limit = checked_limit(cost_limit, maximise)
        if limit is not None:
            if points is not None:
                raise OptionError(
                    "cost_limit", "is not for points; give the distances as a matrix", cost_limit
                )
            rows = min(agents, jobs)
            if resident is None:
                fit, limit = fitted(held, limit, rows)
                if fit is not held:
                    held = validation.read_only(fit)
                    arcs = None if arcs is None else (arcs[0], arcs[1], held)
                    matrix = None if matrix is None else held
            else:
                assert extremes is not None
                resident, limit = validation.fitted_there(held, extremes, limit, rows)
                held = resident
        self._set(
            matrix=matrix,
            points=points,
            metric=metric,
            arcs=arcs,
            resident=resident,
            extremes=extremes,
            given=given,
            best_value=best_value,
            cost_limit=limit,
            agents=agents,
            jobs=jobs,
            batch=batch[0] if batch else None,
            maximise=maximise,
            integral=held is not None and held.dtype.kind == "i",
            agent_names=names(agent_names, agents, "agent_names"),
            job_names=names(job_names, jobs, "job_names"),
            name=None if name is None else one_name(name, "name"),
        )

    def on_host(self) -> Self:
        """Return the same problem with its matrix in the host's memory; itself if it is there."""
        if self.resident is None:
            return self
        fields = {field: getattr(self, field) for field in _FIELDS}
        fields["matrix"] = np.ascontiguousarray(self.resident.get())
        return _rebuild(type(self), *fields.values())  # type: ignore[return-value]

    def evaluate(self, solution: Any) -> Number:
        """Return the sum of the values of an assignment.

        With a ``cost_limit``, each pair that is missing counts as much as that.

        Parameters
        ----------
        solution
            Shape (agents,): the job of each agent, -1 for none where there are fewer jobs than
            agents, or a ``cost_limit``. Shape (batch, agents) for a stack. An array on a GPU is
            copied to the host.

        Returns
        -------
        int or float
            Exact for integers, correctly rounded for floats.

        Raises
        ------
        InputError
            If it is not an assignment, uses a forbidden pair or one beyond the ``cost_limit``, or
            its sum is beyond all floats.
        """
        limit = self.cost_limit
        jobs = as_assignment(
            solution, self.batch, self.agents, self.jobs, partial=limit is not None
        )
        if jobs.min(initial=0) >= 0:
            stack = () if self.batch is None else (np.arange(self.batch)[:, None],)
            found = values_of(self, (*stack, np.arange(self.agents)), jobs).ravel()
        else:
            taken = np.nonzero(jobs >= 0)
            found = values_of(self, taken, jobs[taken])
        if limit is not None:
            check_limit_kept(self, jobs, found)
            stacked = 1 if self.batch is None else self.batch
            missing = min(self.agents, self.jobs) * stacked - len(found)
            found = np.concatenate([found, np.full(missing, limit)])
        if not len(found):
            return 0 if self.integral else 0.0
        if self.integral:
            if len(found) * max(-int(found.min()), int(found.max())) < 2**63:
                return int(found.sum(dtype=np.int64))
            return sum(map(int, found.tolist()))
        try:
            return exact_sum(found)
        except OverflowError:
            raise InputError(
                "values: their sum is beyond the largest float; scale them down"
            ) from None

    def values_at(self, taken: tuple[AnyArray, ...], jobs: AnyArray) -> AnyArray:
        """Return the values of pairs: of agents, in a stack after their problems, and of jobs."""
        return values_of(self, taken, jobs, forbidden=True)

    def given_back(self, solution: Int64Array) -> Any:
        """Return a solution as an array of the library, and on the GPU, that the values are of.

        Whatever the library may refuse, an answer is not lost: it stays NumPy's, with a warning.
        """
        if self.given is None:
            return solution
        from prunus.hardware.cuda.borrowed import borrow

        try:
            return borrow(self.given, "values").put(solution)
        except Exception as error:
            warnings.warn(
                f"the solution stays on the host, as a NumPy array: {error}", stacklevel=2
            )
            return solution

    def shown(self, solution: AnyArray) -> AnyArray:
        """Return an assignment as the user sees it, who may have set a limit of costs."""
        return solution

    def completed(self, solution: Int64Array) -> Int64Array:
        """Return what the user calls an assignment as one of this problem."""
        return solution

    def __repr__(self) -> str:
        name = "" if self.name is None else f"{self.name!r}, "
        agents, jobs = counted(self.agents, "agent"), counted(self.jobs, "job")
        stack = "" if self.batch is None else f"{self.batch} × "
        sense = ", maximise" if self.maximise else ""
        limit = "" if self.cost_limit is None else f", cost_limit={self.cost_limit}"
        return f"Assignment({name}{stack}{agents} × {jobs}{sense}{limit})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by building anew, on the host, so that the copy is read-only as well."""
        held = self.on_host()
        return _rebuild, (type(self), *(getattr(held, field) for field in _FIELDS))


_FIELDS = (
    "matrix",
    "points",
    "metric",
    "arcs",
    "best_value",
    "cost_limit",
    "agents",
    "jobs",
    "batch",
    "maximise",
    "agent_names",
    "job_names",
    "name",
)


def _rebuild(cls: type[AssignmentData], *fields: Any) -> AssignmentData:
    given = dict(zip(_FIELDS, fields, strict=True))
    batch, agents, jobs = given.pop("batch"), given.pop("agents"), given.pop("jobs")
    for key in ("points", "arcs"):
        if given[key] is not None:
            given[key] = tuple(validation.read_only(array) for array in given[key])
    if given["matrix"] is not None:
        given["matrix"] = validation.read_only(given["matrix"])
    return cls._of((agents, jobs) if batch is None else (batch, agents, jobs), **given)
