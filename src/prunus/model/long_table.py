"""Long tables of a shop: a row for each operation, made a matrix of jobs and machines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from prunus.errors import InputError

_WORDS = (
    ("job", "jobs", "job_id", "task", "order"),
    ("machine", "machines", "machine_id", "station", "resource"),
    ("duration", "time", "processing_time", "processing time", "p", "minutes", "seconds", "hours"),
)


class ShopColumns(NamedTuple):
    """Which of three columns is which."""

    job: int
    machine: int
    duration: int


def shop_columns(names: Sequence[Any]) -> ShopColumns | None:
    """Return where job, machine and duration are, in any order; None for any other heading."""
    lower = [_lower(name) for name in names]
    if len(lower) != len(_WORDS):
        return None
    places = [[k for k, name in enumerate(lower) if name in words] for words in _WORDS]
    if any(len(place) != 1 for place in places):
        return None
    return ShopColumns(*(place[0] for place in places))


def rows_are_machines(frame: Any) -> bool:
    """Tell whether the names of a data frame's rows stand under the heading of machines."""
    heading = getattr(getattr(frame, "index", None), "name", None)
    if heading is None and len(frame.columns):
        heading = frame.columns[0]
    words = _WORDS[1]
    return _lower(heading) in words and _lower(getattr(frame.columns, "name", None)) not in words


def wide(
    operations: Iterable[tuple[Any, Any, Any]],
) -> tuple[list[str], list[str], list[list[Any]]]:
    """Return the names of jobs as they first come and of machines in their order, and the times.

    The order of machines is that of the rows of each job. Rows that are shuffled do not tell it,
    unless the machines are numbered.

    Raises ``InputError`` if an operation is there twice, or missing (a time of 0 must be said), or
    if the order of the machines is not known.
    """
    found: dict[tuple[str, str], Any] = {}
    for job, machine, duration in operations:
        key = str(job), str(machine)
        if key in found:
            raise InputError(f"job {key[0]} is on machine {key[1]} twice, not once")
        found[key] = duration
    jobs = list(dict.fromkeys(job for job, _ in found))
    machines = list(dict.fromkeys(machine for _, machine in found))
    for job in jobs:
        for machine in machines:
            if (job, machine) not in found:
                raise InputError(f"job {job} has no row for machine {machine}; give it one with 0")
    machines = _in_order(jobs, machines, found)
    return jobs, machines, [[found[job, machine] for machine in machines] for job in jobs]


def _in_order(
    jobs: list[str], machines: list[str], operations: Iterable[tuple[str, str]]
) -> list[str]:
    routes: dict[str, list[str]] = {job: [] for job in jobs}
    for job, machine in operations:
        routes[job].append(machine)
    other = next((job for job in jobs if routes[job] != routes[jobs[0]]), None)
    if other is None:
        return routes[jobs[0]] if jobs else machines
    if all(machine.isdecimal() for machine in machines):
        return sorted(machines, key=int)
    raise InputError(
        f"the rows of job {other} name the machines in another order than those of job {jobs[0]}; "
        "sort the rows of each job in the order in which jobs visit the machines"
    )


def _lower(name: object) -> str:
    return str(name).strip().lower()
