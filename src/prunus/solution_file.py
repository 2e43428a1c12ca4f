"""Solutions in files: written as CSV or JSON, read back as a start for the next solve."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.custom.problem import CustomProblem
from prunus.errors import InputError
from prunus.files.atomic import write_text
from prunus.result import Result

__all__ = ["check_target", "parse", "read", "write"]

_SUFFIXES = (".csv", ".json")
_COLUMNS = ("job", "city", "item", "column", "value")
_OURS = ("position", "agent", "weight", "row")
"""Columns that the tables of `write` have, in which jobs, cities and items are indices."""


def check_target(path: Path) -> None:
    """Refuse a file that could not be written, before any work is done for it.

    Raises
    ------
    InputError
        If the suffix is neither ``.csv`` nor ``.json`` or the folder does not exist.
    """
    if path.suffix.lower() not in _SUFFIXES:
        raise InputError(f"{path}: a solution is written as .csv or .json, choose one of these")
    check_folder(path)


def check_folder(path: Path) -> None:
    """Refuse a file whose folder does not exist or takes none, or that is itself a folder."""
    if path.is_dir():
        raise InputError(f"{path}: this is a folder, name a file")
    if not path.parent.is_dir():
        raise InputError(f"{path}: the folder {path.parent} does not exist, make it first")
    target = Path(os.path.realpath(path))
    # A file is replaced by one that is made beside it; a device or a pipe is written to.
    if (target.is_file() or not target.exists()) and not os.access(target.parent, os.W_OK):
        raise InputError(f"{path}: the folder {target.parent} cannot be written to")


def write(result: Result, path: Path) -> None:
    """Write the solution of a result.

    Parameters
    ----------
    result
        A result; for a table, one with a solution.
    path
        ``.json`` gets everything the result says. ``.csv`` gets a table: one row for each
        operation of a flow shop in the order of the schedule (position, job, machine, start, end;
        names where there are any), each leg of a tour, each item chosen, each agent (its job is
        -1 where it has none), each queen, or each position of a user's own problem. All count
        from 0.
    """
    check_target(path)
    if path.suffix.lower() == ".json":
        content = json.dumps(result.to_dict(), indent=2) + "\n"
    else:
        table = io.StringIO()
        csv.writer(table, lineterminator="\n").writerows(_table(result))
        content = table.getvalue()
    write_text(str(path), content)


def parse(problem: object, words: str) -> NDArray[np.int64]:
    """Read a solution from the command line: the name of a file, or a list with commas.

    Parameters
    ----------
    problem
        The problem, for the names of its jobs or cities.
    words
        A path, or names or 0-based indices between commas or blanks.
    """
    path = Path(words)
    if "," not in words and (path.is_file() or path.suffix.lower() in (*_SUFFIXES, ".txt")):
        return read(problem, path)
    return _indices(problem, words.replace(",", " ").split(), "initial solution")


def read(problem: object, path: Path) -> NDArray[np.int64]:
    """Read a solution from a file that `write` has written, or from plain text.

    Raises
    ------
    InputError
        If there is no solution in the file or an item is neither a name nor an index.
    """
    try:
        content = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path}: this is not a text file") from None
    suffix = path.suffix.lower()
    numbered = False
    if suffix == ".json":
        items, numbered = _from_json(content, path)
    elif suffix == ".csv":
        items, numbered = _from_csv(content, path)
    else:
        items = content.replace(",", " ").split()
    return _indices(problem, items, str(path), numbered)


def _from_json(content: str, path: Path) -> tuple[list[str], bool]:
    """Return the items, and whether they are numbers and not names."""
    try:
        found = json.loads(content)
    except json.JSONDecodeError as error:
        raise InputError(f"{path}, line {error.lineno}: not JSON, {error.msg}") from None
    except (ValueError, RecursionError):
        raise InputError(f"{path}: its numbers are too long or its lists nested too deep") from None
    if isinstance(found, dict):
        found = found.get("solution")
    if not isinstance(found, list):
        raise InputError(f"{path}: neither a list nor an object with a list named solution")
    return [str(item) for item in found], all(isinstance(item, int) for item in found)


def _from_csv(content: str, path: Path) -> tuple[list[str], bool]:
    """Return the items, and whether they are indices, as in every table of `write`, not names."""
    table = csv.DictReader(content.splitlines())
    column = next((name for name in _COLUMNS if name in (table.fieldnames or ())), None)
    if column is None:
        raise InputError(f"{path}, line 1: no column named {' or '.join(_COLUMNS)}")
    items = [row[column] or "" for row in table]
    # A schedule has a row for each machine; a placement that uses a column twice must be refused,
    # and of an assignment every row counts: several agents may have no job, which is -1.
    whole = column in ("column", "value") or "agent" in (table.fieldnames or ())
    numbered = any(mark in (table.fieldnames or ()) for mark in _OURS)
    return (items if whole else list(dict.fromkeys(items))), numbered


def _indices(
    problem: object, items: Iterable[str], where: str, numbered: bool = False
) -> NDArray[np.int64]:
    """Return the indices of items that are names or indices; where both, a name.

    If they are ``numbered``, names that happen to be numbers do not matter.
    """
    kinds = ("job_names", "city_names", "item_names")
    names: tuple[str, ...] = next(
        (found for kind in kinds if (found := getattr(problem, kind, None))), ()
    )
    by_name = {name: index for index, name in enumerate(names)}
    found = []
    for number, item in enumerate(items, 1):
        if item in by_name and not (numbered and item.isdecimal()):
            found.append(by_name[item])
        elif (item.isdecimal() and len(item) < 10) or (item == "-1" and hasattr(problem, "agents")):
            found.append(int(item))
        else:
            known = "neither a known name nor a 0-based index" if names else "not a 0-based index"
            raise InputError(f"{where}: item {number}, {item!r}, is {known}")
    if not found:
        raise InputError(f"{where}: there is no solution in it")
    return np.array(found, dtype=np.int64)


def _table(result: Result) -> Iterator[tuple[Any, ...]]:
    problem = result.problem
    assert result.solution is not None
    if isinstance(problem, CustomProblem):  # first: it may have attributes of any name
        yield ("position", "value" if problem.repeating else "item")
        yield from enumerate(result.solution.tolist())
    elif hasattr(problem, "completion_times"):
        yield from _operations(problem, result.solution)
    elif hasattr(problem, "distances"):
        yield from _legs(problem, result.solution)
    elif hasattr(problem, "weights"):
        yield from _items(problem, result.solution)
    elif hasattr(problem, "agents"):
        yield from _pairs(problem, result.solution)
    else:
        yield ("row", "column")
        yield from enumerate(result.solution.tolist())


def _operations(problem: Any, schedule: NDArray[np.int64]) -> Iterator[tuple[Any, ...]]:
    jobs, machines = problem.job_names, problem.machine_names
    yield (
        "position",
        "job",
        *(("job_name",) if jobs else ()),
        "machine",
        *(("machine_name",) if machines else ()),
        "start",
        "end",
    )
    ends = problem.completion_times(schedule)
    for position, job in enumerate(schedule.tolist()):
        for machine in range(problem.machines):
            end = int(ends[position, machine])
            yield (
                position,
                job,
                *((jobs[job],) if jobs else ()),
                machine,
                *((machines[machine],) if machines else ()),
                end - int(problem.processing_times[job, machine]),
                end,
            )


def _legs(problem: Any, tour: NDArray[np.int64]) -> Iterator[tuple[Any, ...]]:
    names = problem.city_names
    yield ("position", "city", *(("city_name",) if names else ()), "distance_to_next")
    for position, city in enumerate(tour.tolist()):
        following = int(tour[(position + 1) % len(tour)])
        distance = int(problem.distances[city, following])
        yield (position, city, *((names[city],) if names else ()), distance)


def _pairs(problem: Any, jobs: NDArray[np.int64]) -> Iterator[tuple[Any, ...]]:
    agent_names, job_names = problem.agent_names, problem.job_names
    yield (
        "agent",
        *(("agent_name",) if agent_names else ()),
        "job",
        *(("job_name",) if job_names else ()),
    )
    for agent, job in enumerate(jobs.tolist()):
        yield (
            agent,
            *((agent_names[agent],) if agent_names else ()),
            job,
            # An agent without a job has -1.
            *((job_names[job] if job >= 0 else "",) if job_names else ()),
        )


def _items(problem: Any, chosen: NDArray[np.int64]) -> Iterator[tuple[Any, ...]]:
    names, profits = problem.item_names, getattr(problem, "profits", None)
    yield (
        "item",
        *(("item_name",) if names else ()),
        *(("profit",) if profits is not None else ()),
        "weight",
    )
    for item in chosen.tolist():
        yield (
            item,
            *((names[item],) if names else ()),
            *((int(profits[item]),) if profits is not None else ()),
            int(problem.weights[item]),
        )
