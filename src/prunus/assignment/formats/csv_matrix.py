"""Assignment problems as CSV: a row for each agent, a column for each job, names or none.

The first cell is "agent" (or "worker"), or `read` is told that the table is one. Values are whole
or decimal numbers; ``inf`` forbids a pair. What the sum is to be is not part of the format: it is
minimised.
"""

from __future__ import annotations

import numpy as np

from prunus.assignment.problem import Assignment
from prunus.errors import InputError
from prunus.files.formats import ANYTHING, Evidence, Request
from prunus.files.numerals import is_numeral, is_whole, whole
from prunus.files.table import Table, cell_text, delimiter, is_table
from prunus.files.textfile import TextFile
from prunus.model.labels import meaningful

AGENT_WORDS = ("agent", "agents", "worker", "workers")
"""What the first cell may say of the rows."""

_EXACT = 2**53
"""Whole numbers up to this are exact among decimal ones."""

_DIGITS = 19
"""Of the largest whole numbers in 64 bits."""


def recognises(file: TextFile) -> Evidence:
    """Tell whether the first cell says that the rows are agents; other tables may be anything."""
    separator = delimiter(file)
    first = next(file.numbered()).text.split(separator)[0] if separator else ""
    if first.strip().strip('"').strip().casefold() in AGENT_WORDS:
        return Evidence.CERTAIN
    return Evidence.POSSIBLE if is_table(file) else Evidence.NONE


def loads(file: TextFile, request: Request = ANYTHING) -> Assignment:
    """Read the instance.

    Raises ``InputError`` naming line and column, if a cell is no number, or if rows differ in
    length.
    """
    table = Table.parse(file)
    table.refuse_corner(AGENT_WORDS)
    table.refuse_counting()
    values = [
        [_number(table, i, j) for j in range(len(table.cells[0]))] for i in range(len(table.cells))
    ]
    integral = all(isinstance(value, int) for row in values for value in row)
    if not integral and any(
        isinstance(value, int) and abs(value) > _EXACT for row in values for value in row
    ):
        raise file.error("whole numbers above 2**53 cannot be mixed with decimals or inf")
    return Assignment(
        np.array(values, np.int64 if integral else np.float64),
        agent_names=meaningful(table.row_names or ()) or None,
        job_names=meaningful(table.column_names or ()) or None,
        name=file.stem,
    )


def _number(table: Table, row: int, column: int) -> int | float:
    cell = table.cells[row][column]
    digits = cell[1:] if cell[:1] in ("+", "-") else cell
    if digits.isascii() and digits.isdigit():
        value = int(cell) if len(digits) <= _DIGITS else 2**63
        if -(2**63) <= value < 2**63:
            return value
        said = f"is {cell[:40]!r}, a whole number of more than 64 bits"
        line = table.line_numbers[row]
        raise table.file.error(f"column {table.first_column + column} {said}", line)
    if is_whole(cell):
        return whole(cell)
    if is_numeral(cell):
        number = float(cell)
        if number == number and number != float("-inf") and (np.isfinite(number) or "n" in cell):
            return number
    said = f"is {cell[:40]!r}, no number that an assignment can have"
    said = said if cell else "is empty; write inf for a pair that is forbidden"
    line = table.line_numbers[row]
    raise table.file.error(f"column {table.first_column + column} {said}", line)


def dumps(problem: Assignment, separator: str = ",") -> str:
    """Write an instance with its names; where there are none, agents and jobs are numbered from 0.

    Raises ``InputError`` if the problem is not one matrix that is minimised.
    """
    problem = problem.on_host() if problem.resident is not None else problem
    if problem.maximise or problem.batch is not None or problem.matrix is None:
        raise InputError(
            "a table holds one full matrix that is minimised; negate the values, split the stack, "
            "or write out the distances"
        )
    if problem.cost_limit is not None:
        raise InputError("a table has no cost_limit; write JSON, or with_cost_limit(None)")
    matrix = problem.matrix
    lines = [("agent", *map(cell_text, problem.job_names or range(problem.jobs)))]
    names = problem.agent_names or range(problem.agents)
    for name, row in zip(names, matrix.tolist(), strict=True):
        lines.append((cell_text(name), *(str(value) for value in row)))
    return "".join(separator.join(line) + "\n" for line in lines)
