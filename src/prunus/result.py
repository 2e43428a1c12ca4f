"""The answer of a solve, with what proves it.

A result says how far it can be trusted: its status, the bound, the gap, the explored share of the
search space. It is immutable, prints well, and turns into JSON.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from dataclasses import fields as dataclass_fields
from enum import Enum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prunus.errors import InputError, PrunusError
from prunus.files.atomic import write_text
from prunus.files.json_instance import to_object
from prunus.files.paths import path_text
from prunus.model.registry import spec_of
from prunus.model.scalar import plain_number
from prunus.runtime.duals import Duals
from prunus.runtime.progress import relative_gap
from prunus.runtime.status import HistoryEntry, Status
from prunus.runtime.trace import Trace
from prunus.view import text, wording

RESULT_FORMAT = "prunus result 1"
"""What says that a JSON file holds a result, and of which version of the format."""


class BestSolution(NamedTuple):
    """The best solution that a solve has found.

    Attributes
    ----------
    objective
        Its objective.
    solution
        As in `Result`.
    """

    objective: int | float
    solution: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Result:
    """The answer of a solve.

    Attributes
    ----------
    problem
        The problem that was solved.
    status
        What is proven, see `Status`.
    objective
        The makespan, tour length, count, sum, profit or total; None without a solution.
    bound
        A proven bound on the optimum (a lower bound, or an upper bound when maximising), or None.
        For a count, the count itself once it is complete.
    solution
        Read-only int64 array of 0-based indices: the schedule, the tour, the chosen items, the job
        of each agent (-1 for none), or the column of each queen; None if there is none. For an
        assignment with values on a GPU, an array of the same library on that GPU.
    host_solution
        The solution as a read-only NumPy array, wherever ``solution`` lies.
    runtime
        Wall-clock seconds, without those spent compiling or loading code
        (``statistics["compile_time"]``); those of earlier runs of a resumed solve are in
        ``statistics["earlier_runtime"]``.
    nodes
        The branched nodes, the root included.
    explored
        The fraction of the search space that is explored; exactly 1.0 after a complete search.
    history
        The incumbents in the order in which they were found.
    method
        The method that was used.
    devices
        The devices that searched, e.g. ``("cpu:2",)``.
    stopped_by
        ``"time limit"``, ``"interrupt"``, the description of a criterion, or None if nothing
        stopped it.
    seed
        The seed of all random choices.
    statistics
        Further figures from the method, by name.
    trace
        What every device did over time, after a tree search.
    upper_bound
        The given upper bound: the search looked only for better solutions.
    duals
        For an assignment that the exact method has proven optimal, the prices of agents and jobs
        that prove it, see `Duals`; otherwise None.
    """

    problem: Any
    status: Status
    objective: int | float | None
    bound: int | float | None
    solution: NDArray[np.int64] | None
    runtime: float
    nodes: int = 0
    explored: float = 0.0
    history: tuple[HistoryEntry, ...] = ()
    method: str = ""
    devices: tuple[str, ...] = ()
    stopped_by: str | None = None
    seed: int = 0
    statistics: Mapping[str, Any] = field(default_factory=dict)
    trace: Trace | None = None
    upper_bound: int | None = None
    duals: Duals | None = None
    host_solution: NDArray[np.int64] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        """Take private, read-only copies, so that a result stays what it was."""
        if self.solution is not None:
            solution = np.array(self.solution, dtype=np.int64)
            solution.setflags(write=False)
            object.__setattr__(self, "host_solution", solution)
            given_back = spec_of(self.problem).given_back
            if given_back is not None:
                solution = given_back(self.problem, solution)
            object.__setattr__(self, "solution", solution)
        if self.duals is not None:
            object.__setattr__(self, "duals", Duals.frozen(*self.duals))
        for name in ("objective", "bound", "upper_bound"):
            value = getattr(self, name)
            object.__setattr__(self, name, plain_number(value))
        object.__setattr__(self, "status", Status(self.status))
        object.__setattr__(self, "history", tuple(self.history))
        object.__setattr__(self, "devices", tuple(self.devices))
        object.__setattr__(self, "statistics", dict(self.statistics))

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and what comes out of a pickle are made anew, and as read-only as this one."""
        names = [entry.name for entry in dataclass_fields(self) if entry.init]
        fields = {name: getattr(self, name) for name in names} | {"solution": self.host_solution}
        return type(self), tuple(fields.values())

    @property
    def gap(self) -> float | None:
        """The proven relative gap: 0.0 when optimal, None while it is unknown."""
        if self.status is Status.OPTIMAL:
            return 0.0
        if wording.counts_solutions(self.problem):
            # What is counted so far says nothing about how many there are.
            return None
        return relative_gap(self.objective, self.bound)

    @property
    def best(self) -> BestSolution:
        """The objective and the solution, neither of which is None.

        Raises
        ------
        PrunusError
            If there is no solution.
        """
        if self.objective is None or self.solution is None:
            raise PrunusError(f"there is no solution: the status is {self.status}")
        return BestSolution(self.objective, self.solution)

    @property
    def solution_names(self) -> tuple[str, ...] | None:
        """The names of the jobs or cities in the order of the solution, where they have names."""
        return wording.solution_names(self.problem, self.host_solution)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain types that `json.dumps` accepts.

        Returns
        -------
        dict[str, Any]
            The fields of the result, the gap, the names, and the problem's class, name and sizes.
        """
        names = self.solution_names
        return {
            "problem": wording.identity(self.problem),
            "status": self.status.value,
            "objective": _plain(self.objective),
            "bound": _plain(self.bound),
            "gap": _plain(self.gap),
            "solution": None if self.host_solution is None else self.host_solution.tolist(),
            "solution_names": None if names is None else list(names),
            "duals": None if self.duals is None else _plain(self.duals._asdict()),
            "runtime": _plain(self.runtime),
            "nodes": int(self.nodes),
            "explored": _plain(self.explored),
            "history": [
                {
                    "time": _plain(entry.time),
                    "objective": _plain(plain_number(entry.objective)),
                    "nodes": int(entry.nodes),
                    "source": entry.source,
                    "bound": _plain(plain_number(entry.bound)),
                }
                for entry in self.history
            ],
            "method": self.method,
            "devices": list(self.devices),
            "stopped_by": self.stopped_by,
            "seed": int(self.seed),
            "upper_bound": self.upper_bound,
            "statistics": _plain(self.statistics),
        }

    def save(self, path: str | os.PathLike[str], *, whole: bool = True) -> None:
        """Write everything to a JSON file, which `prunus.load_result` reads.

        Parameters
        ----------
        path
            A file that ends in .json; an existing one is replaced.
        whole
            False leaves out the problem and the trace. A problem of your own, which is made of
            code, is always left out.

        Raises
        ------
        InputError
            If the file has another suffix or cannot be written.
        """
        target = path_text(path)
        if os.path.splitext(target)[1].lower() != ".json":
            raise InputError(f"{target}: a result is saved as JSON; name a file that ends in .json")
        fields: dict[str, Any] = {"format": RESULT_FORMAT, **self.to_dict()}
        if whole and spec_of(self.problem).json is not None:
            fields["instance"] = to_object(self.problem)
        if whole and self.trace is not None:
            fields["trace"] = _plain(
                {entry.name: getattr(self.trace, entry.name) for entry in dataclass_fields(Trace)}
            )
        content = json.dumps(fields, indent=None if whole else 2, allow_nan=False)
        write_text(target, content + "\n")

    def __str__(self) -> str:
        """Write the result as a title and a few aligned lines."""
        from prunus.view.result import as_text

        return as_text(self)

    def __repr__(self) -> str:
        return (
            f"Result(status={self.status.value!r}, objective={self.objective}, "
            f"bound={self.bound}, nodes={self.nodes}, runtime={text.seconds(self.runtime)})"
        )

    def _repr_html_(self) -> str:
        from prunus.view.result import as_html

        return as_html(self)


def _plain(value: Any) -> Any:
    """Turn NumPy values, enums, paths and containers into what JSON knows."""
    if isinstance(value, Enum):
        return _plain(value.value)
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        # JSON has no infinity and no NaN.
        return value if math.isfinite(value) else None
    if isinstance(value, (np.generic, np.ndarray)):
        return _plain(value.tolist())
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(item) for item in value]
    return str(value)
