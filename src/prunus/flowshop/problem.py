"""The permutation flow shop: every job visits every machine in the same order."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.model.frame import as_frame, is_frame
from prunus.model.immutable import Immutable, frozen
from prunus.model.labels import counted, meaningful, names, one_name
from prunus.model.long_table import rows_are_machines, shop_columns, wide
from prunus.model.scalar import choose
from prunus.model.sequence import as_permutation
from prunus.model.validate import Matrix, integer_matrix

OBJECTIVES = ("makespan", "flowtime")
"""What is minimised: when the last job is completed, or the sum of all completion times."""


class FlowShop(Immutable):
    """A permutation flow shop, Fm | prmu | Cmax, or with total flow time, Fm | prmu | ΣCj.

    Each of the jobs passes machine 0, then machine 1, and so on; all machines process the jobs in
    the same order, one job at a time. The goal is the order with the smallest makespan, the time
    when the last job is completed, or with the smallest total flow time, the times when each of the
    jobs is completed added up.

    Parameters
    ----------
    processing_times
        Shape (jobs, machines), non-negative integers in any unit of time: nested sequences, an
        array of integers or of whole floats, or a pandas or polars DataFrame, whose index or first
        column of text then names the jobs and whose columns name the machines; or one of three
        columns, with a job, a machine and a duration in each row. Rows headed ``machine`` hold a
        machine each instead of a job. It is copied. The sum must be below 2**62.
    objective
        ``"makespan"``, or ``"flowtime"`` for the total flow time.
    job_names, machine_names
        Names for reports, one per job or machine; they take precedence over those of a DataFrame.
    name
        The name of the instance.

    Attributes
    ----------
    processing_times : ndarray of int64, shape (jobs, machines)
        Read-only, C-contiguous.
    objective : str
    jobs, machines : int
    job_names, machine_names : tuple of str, or None
    name : str or None

    Raises
    ------
    InputError
        If a value is negative, fractional, missing or too large, if the matrix is ragged or empty,
        if the number of names is wrong, or if there is no such objective.

    Examples
    --------
    >>> shop = FlowShop([[3, 2], [1, 4]], job_names=["gear", "shaft"])
    >>> shop
    FlowShop(2 jobs × 2 machines)
    >>> shop.evaluate([1, 0])
    7
    >>> shop.with_objective("flowtime").evaluate([1, 0])
    12
    """

    __slots__ = (
        *("job_names", "jobs", "machine_names", "machines"),
        *("name", "objective", "processing_times"),
    )

    maximise = False
    counts_solutions = False

    processing_times: NDArray[np.int64]
    objective: str
    jobs: int
    machines: int
    job_names: tuple[str, ...] | None
    machine_names: tuple[str, ...] | None
    name: str | None

    def __init__(
        self,
        processing_times: Any,
        *,
        objective: str = "makespan",
        job_names: Any = None,
        machine_names: Any = None,
        name: str | None = None,
    ) -> None:
        word = choose("objective", objective, OBJECTIVES)
        processing_times = as_frame(processing_times)
        by_machine = False
        if is_frame(processing_times) and (at := shop_columns(processing_times.columns)):
            rows = processing_times.to_numpy().tolist()
            found = wide((row[at.job], row[at.machine], row[at.duration]) for row in rows)
            job_names = meaningful(found[0]) if job_names is None else job_names
            machine_names = meaningful(found[1]) if machine_names is None else machine_names
            processing_times = found[2]
        elif is_frame(processing_times):
            by_machine = rows_are_machines(processing_times)
        matrix = integer_matrix(processing_times, "processing_times")
        if by_machine:
            matrix = Matrix(matrix.values.T.copy(), matrix.columns, matrix.rows)
        jobs, machines = matrix.values.shape
        self._set(
            processing_times=frozen(matrix.values),
            objective=word,
            jobs=jobs,
            machines=machines,
            job_names=matrix.rows if job_names is None else names(job_names, jobs, "job_names"),
            machine_names=(
                matrix.columns
                if machine_names is None
                else names(machine_names, machines, "machine_names")
            ),
            name=None if name is None else one_name(name, "name"),
        )

    def with_objective(self, objective: str) -> FlowShop:
        """Return the same instance with another objective.

        Parameters
        ----------
        objective
            As for the class.

        Returns
        -------
        FlowShop

        Raises
        ------
        InputError
            If there is no such objective.
        """
        return self._with(objective)(self.processing_times)

    def completion_times(self, permutation: Any) -> NDArray[np.int64]:
        """Return when each job of a schedule leaves each machine, all as early as possible.

        Parameters
        ----------
        permutation
            The jobs in the order in which they are processed.

        Returns
        -------
        ndarray of int64, shape (jobs, machines)
            Row k belongs to the k-th job *of the schedule*, not to job k.

        Raises
        ------
        InputError
            If it is not a permutation of all jobs.
        """
        completion = np.empty((self.jobs, self.machines), dtype=np.int64)
        for machine, ends in enumerate(self._ends(permutation)):
            completion[:, machine] = ends
        return completion

    def _ends(self, permutation: object) -> Iterator[NDArray[np.int64]]:
        """Yield, machine by machine, when each job of a schedule leaves it.

        All jobs of a machine together: one by one they would keep other threads from running for
        milliseconds. A job leaves it when all have passed from some job on, the last that the
        machine has waited for.
        """
        order = as_permutation(permutation, self.jobs, "a schedule", "jobs")
        ends = np.zeros(self.jobs, np.int64)
        for times in np.ascontiguousarray(self.processing_times[order].T):
            worked = times.cumsum()
            ends = np.maximum.accumulate(ends - worked + times) + worked
            yield ends

    def evaluate(self, permutation: Any) -> int:
        """Return the makespan of a schedule, or its total flow time if that is the objective.

        Parameters
        ----------
        permutation
            The jobs in the order in which they are processed.

        Returns
        -------
        int

        Raises
        ------
        InputError
            If it is not a permutation of all jobs.
        """
        *_, ends = self._ends(permutation)
        return sum(ends.tolist()) if self.objective == "flowtime" else int(ends[-1])

    def __repr__(self) -> str:
        name = "" if self.name is None else f"{self.name!r}, "
        size = f"{counted(self.jobs, 'job')} × {counted(self.machines, 'machine')}"
        asked = "" if self.objective == "makespan" else f", {self.objective}"
        return f"FlowShop({name}{size}{asked})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by building anew, so that the copy is read-only and validated as well."""
        return self._with(self.objective), (np.array(self.processing_times),)

    def _with(self, objective: str) -> partial[FlowShop]:
        """Return what makes a shop with these names of processing times."""
        return partial(
            type(self),
            objective=objective,
            job_names=self.job_names,
            machine_names=self.machine_names,
            name=self.name,
        )
