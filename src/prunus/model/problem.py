"""What every problem has, a user's own included."""

from __future__ import annotations

from typing import Any, Protocol

from prunus.model.arrays import Int64Array, Number


class Problem(Protocol):
    """What every problem has, a user's own included."""

    @property
    def name(self) -> str | None:
        """The name of the instance."""

    @property
    def maximise(self) -> bool:
        """Whether larger objectives are better."""

    @property
    def counts_solutions(self) -> bool:
        """Whether the answer is the number of solutions and not a solution."""

    def evaluate(self, solution: Any, /) -> Number | None:
        """Return the objective of a solution, computed plainly."""


class Schedulable(Problem, Protocol):
    """A problem whose solutions are schedules on machines, of which Gantt charts are drawn."""

    jobs: int
    machines: int
    job_names: tuple[str, ...] | None
    machine_names: tuple[str, ...] | None
    processing_times: Int64Array

    def completion_times(self, permutation: Any) -> Int64Array:
        """When the k-th job of a schedule leaves each machine, in row k."""
