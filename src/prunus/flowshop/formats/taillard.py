"""Taillard's text format: a sentence that names five numbers, the numbers, the matrix.

::

    number of jobs, number of machines, initial seed, upper bound and lower bound :
              20           5   873654221        1278        1232
    processing times :
     54 83 15 71 77 …

A line of the matrix belongs to a machine, as Taillard published it. A file that is not square and
has a line for each job instead is recognised by its shape. A published file holds ten instances;
``tai20_5.txt#3`` means the third.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from prunus.files.formats import ANYTHING, Evidence, Request
from prunus.files.textfile import Line, TextFile
from prunus.flowshop.bounds.johnson import heads_and_tails
from prunus.flowshop.formats.grid import Rows, read_grid, rows_of
from prunus.flowshop.formats.taillard_set import BEST_KNOWN, TIME_SEEDS, instance, size
from prunus.flowshop.problem import FlowShop

_HEADER = "number of jobs, number of machines, initial seed, upper bound and lower bound :"


def recognises(file: TextFile) -> Evidence:
    """Tell whether a file holds Taillard's header (or that of his job and open shops)."""
    found = any(_is_header(line) or _is_job_shop(line) for line in file.lines)
    return Evidence.CERTAIN if found else Evidence.NONE


def loads(file: TextFile, request: Request = ANYTHING) -> FlowShop:
    """Read one instance. Without a layout a square matrix is taken machine by machine.

    Raises ``InputError`` naming the line, if anything is missing, superfluous or not a number.
    """
    index, rows = request.index, rows_of(request)
    for line in file.lines:
        if _is_job_shop(line):
            raise file.error("this is a job shop or open shop; prunus reads flow shops", line)
    starts = [k for k, line in enumerate(file.lines) if _is_header(line)]
    if starts[0] != 0:
        raise file.error(f"expected the line {_HEADER!r} first", file.lines[0])
    if index is None and len(starts) > 1:
        raise file.error(
            f"the file holds {len(starts)} instances; choose one with "
            f"{file.path}#1 to {file.path}#{len(starts)}"
        )
    if index is not None and not 1 <= index <= len(starts):
        raise file.error(f"there is no instance #{index}, the file holds {len(starts)}")
    chosen = (index or 1) - 1
    end = starts[chosen + 1] if chosen + 1 < len(starts) else len(file.lines)
    name = file.stem if index is None else f"{file.stem}#{index}"
    return _instance(file, file.lines[starts[chosen] : end], rows, name)


def _is_header(line: Line) -> bool:
    return line.text.casefold().lstrip().startswith("number of jobs")


def _is_job_shop(line: Line) -> bool:
    return line.text.casefold().lstrip().startswith("nb of jobs")


def _instance(file: TextFile, lines: Sequence[Line], rows: Rows | None, name: str) -> FlowShop:
    if len(lines) < 3:
        raise file.error("the instance ends before its matrix; is the file truncated?", lines[-1])
    _, numbers, label = lines[:3]
    if len(numbers.tokens) != 5:
        raise file.error(
            f"expected 5 numbers (jobs, machines, seed, upper and lower bound), "
            f"got {len(numbers.tokens)}",
            numbers,
        )
    jobs, machines = (
        file.positive(token, numbers, f"the number of {what}")
        for token, what in zip(numbers.tokens[:2], ("jobs", "machines"), strict=True)
    )
    for token in numbers.tokens[2:]:  # seed and bounds: facts about the instance, not part of it
        file.number(token, numbers)
    if not label.text.casefold().lstrip().startswith("processing times"):
        raise file.error("expected the line 'processing times :'", label)
    return FlowShop(read_grid(file, lines[3:], jobs, machines, rows), name=name)


def simple_lower_bound(problem: FlowShop) -> int:
    """Taillard's lower bound on the makespan, the one that his files state.

    No machine can do with less than its work plus the shortest way to it and the shortest way from
    it, and no job with less than its own work.
    """
    times = problem.processing_times
    head, tail = heads_and_tails(times)
    by_machine = head + times.sum(axis=0) + tail
    return int(max(by_machine.max(), times.sum(axis=1).max()))


def dumps(problem: FlowShop, separator: str = "") -> str:
    """Write an instance machine by machine, with bounds that hold.

    An instance of Taillard's own carries its seed and its best-known makespan; any other the seed
    0, which his generator cannot have, and the makespan of the jobs in the order given. Names are
    lost.
    """
    seed, upper = 0, int(problem.completion_times(range(problem.jobs))[-1, -1])
    name = problem.name or ""
    if name in TIME_SEEDS and (problem.jobs, problem.machines) == size(name):
        original = instance(name).processing_times
        if np.array_equal(original, problem.processing_times):
            seed, upper = TIME_SEEDS[name], BEST_KNOWN[name]
    facts = (problem.jobs, problem.machines, seed, upper, simple_lower_bound(problem))
    width = len(str(int(problem.processing_times.max())))
    matrix = (
        "".join(f" {time:{width}}" for time in row) for row in problem.processing_times.T.tolist()
    )
    return "\n".join(
        (_HEADER, "".join(f" {fact:11}" for fact in facts), "processing times :", *matrix, "")
    )
