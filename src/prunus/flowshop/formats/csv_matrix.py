"""Processing times as CSV: jobs × machines, or machines × jobs where the corner says so."""

from __future__ import annotations

from prunus.files.formats import ANYTHING, Evidence, Request
from prunus.files.table import Table, is_table, matrix_text, parsed
from prunus.files.textfile import TextFile
from prunus.files.totals import refuse_total
from prunus.flowshop.formats import long_table
from prunus.flowshop.problem import FlowShop
from prunus.model.labels import meaningful

JOB_WORDS = ("job", "jobs", "task", "tasks", "order", "orders")
MACHINE_WORDS = ("machine", "machines")
"""What the first cell may say of the rows."""


def recognises(file: TextFile) -> Evidence:
    """Tell by the corner or the shape; a table of one column could be anything.

    Nor is a table taken for processing times that looks like distances.
    """
    if not is_table(file) or long_table.recognises(file):
        return Evidence.NONE
    table = parsed(file)
    if table is None:
        return Evidence.LIKELY  # what is wrong with it is said by whoever reads it
    if table.corner:
        ours = table.corner in (*JOB_WORDS, *MACHINE_WORDS)
        return Evidence.CERTAIN if ours else Evidence.NONE
    guessed = len(table.cells[0]) > 1 and not table.looks_like_distances()
    return Evidence.LIKELY if guessed else Evidence.POSSIBLE


def loads(file: TextFile, request: Request = ANYTHING) -> FlowShop:
    """Read the instance. Names that only number the rows or columns count as none.

    Raises ``InputError`` naming line and column, if a cell is not a whole number from 0, or if rows
    differ in length.
    """
    table = Table.parse(file)
    said = "machines" if table.corner in MACHINE_WORDS else "jobs" if table.corner else None
    table.refuse_corner((*JOB_WORDS, *MACHINE_WORDS))
    wanted = request.layout and request.layout.replace("by-", "") + "s"
    if said and wanted and said != wanted:
        raise file.error(
            f"the first cell says that rows are {said}, which contradicts the requested kind"
        )
    table.refuse_counting()
    times = [
        [table.natural(i, j, "processing time") for j in range(len(row))]
        for i, row in enumerate(table.cells)
    ]
    rows_are = "a machine" if "machines" in (said, wanted) else "a job"
    refuse_total(file, table.row_names or (), times, table.line_numbers[-1], rows_are)
    row_names = meaningful(table.row_names or ()) or None
    column_names = meaningful(table.column_names or ()) or None
    if "machines" in (said, wanted):
        times = [list(column) for column in zip(*times, strict=True)]
        row_names, column_names = column_names, row_names
    return FlowShop(times, job_names=row_names, machine_names=column_names, name=file.stem)


def dumps(problem: FlowShop, separator: str = ",") -> str:
    """Write an instance with the names of its jobs and machines."""
    names = problem.job_names, problem.machine_names
    return matrix_text("job", *names, problem.processing_times, separator)
