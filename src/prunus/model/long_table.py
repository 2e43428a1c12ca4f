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
    lower = [str(name).strip().lower() for name in names]
    if len(lower) != len(_WORDS):
        return None
    places = [[k for k, name in enumerate(lower) if name in words] for words in _WORDS]
    if any(len(place) != 1 for place in places):
        return None
    return ShopColumns(*(place[0] for place in places))


def wide(
    operations: Iterable[tuple[Any, Any, Any]],
) -> tuple[list[str], list[str], list[list[Any]]]:
    """Return the names of jobs and machines as they first come, and the matrix of durations.

    Raises ``InputError`` if an operation is there twice, or missing: a time of 0 must be said.
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
    return jobs, machines, [[found[job, machine] for machine in machines] for job in jobs]
