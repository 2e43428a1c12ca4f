"""Distances as CSV: a row and a column for each city, names or none."""

from __future__ import annotations

import numpy as np

from prunus.atsp.problem import ATSP
from prunus.atsp.validation import refuse_ends
from prunus.files.formats import ANYTHING, Evidence, Request
from prunus.files.numerals import is_numeral, is_whole
from prunus.files.table import NO_NUMBER, Table, is_table, matrix_text, parsed
from prunus.files.textfile import TextFile
from prunus.model.labels import meaningful

CITY_WORDS = ("city", "cities", "node", "nodes", "from")
"""What the first cell may say of the rows."""


def recognises(file: TextFile) -> Evidence:
    """Tell by the corner; a square table without one may be something else."""
    table = parsed(file) if is_table(file) else None
    if table is None:
        return Evidence.NONE
    if table.corner:
        return Evidence.CERTAIN if table.corner in CITY_WORDS else Evidence.NONE
    return Evidence.POSSIBLE if len(table.cells) == len(table.cells[0]) else Evidence.NONE


def loads(file: TextFile, request: Request = ANYTHING) -> ATSP:
    """Read the instance. Names that only number the cities count as none.

    Raises ``InputError`` naming line and column, if a cell is not a number from 0 or ``inf``, or
    the table is not square.
    """
    table = Table.parse(file)
    table.refuse_corner(CITY_WORDS)
    size = len(table.cells)
    if len(table.cells[0]) != size:
        raise file.error(
            f"distances must be square, with one row and one column per city; got {size} rows and "
            f"{len(table.cells[0])} columns"
        )
    if table.row_names and table.column_names and table.row_names != table.column_names:
        raise file.error("the rows and the columns have different names; give each city one name")
    distances: list[list[int | float]] = [[0] * size for _ in range(size)]
    for i, row in enumerate(table.cells):
        for j, cell in enumerate(row):
            if i == j and (cell in NO_NUMBER or is_numeral(cell)):
                continue
            distances[i][j] = _distance(table, i, j)
    cities = meaningful(table.row_names or table.column_names or ()) or None
    return ATSP(distances, city_names=cities, name=file.stem)


def _distance(table: Table, row: int, column: int) -> int | float:
    """Return a cell: a number from 0, or infinity where there is no way."""
    cell = table.cells[row][column]
    if is_numeral(cell) and not is_whole(cell):
        number = float(cell)
        if number >= 0 and (number < np.inf or "n" in cell.casefold()):
            return number
        where = f"column {table.first_column + column}"
        raise table.file.error(
            f"{where}: {cell[:40]!r} is not a distance, which is a number from 0, or inf",
            table.line_numbers[row],
        )
    return table.natural(row, column, "distance")


def dumps(problem: ATSP, separator: str = ",") -> str:
    """Write an instance with the names of its cities; ``inf`` where there is no way.

    Raises ``InputError`` if it is not a closed tour that is sought, or if the tour has a start.
    """
    refuse_ends(problem)
    names = problem.city_names
    return matrix_text("city", names, names, problem.distances, separator)
