"""Matrices as CSV: processing times, jobs × machines, or distances, cities × cities.

What the rows are is said by ``kind`` of :func:`prunus.read`, or by the corner of the table
("job", "machine" or "city"), and is otherwise a job each. A square table that looks like
distances (the same names for rows and columns, or nothing but zeros or blanks on its diagonal) is
not guessed: the reader asks for the kind.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from prunus.atsp.problem import ATSP
from prunus.files.csvtable import DELIMITERS, Kind, Table, delimiter
from prunus.files.numerals import is_numeral, is_whole, whole
from prunus.files.textfile import TextFile
from prunus.flowshop.formats.grid import Rows
from prunus.flowshop.problem import FlowShop
from prunus.model.labels import meaningful

__all__ = ["cell_text", "certain", "dumps", "loads", "recognises"]

_NOTHING = ("", "-", "–")


def recognises(file: TextFile) -> bool:
    """Tell whether a file has a delimiter in its first line, or is called a CSV file."""
    return delimiter(file) is not None or _is_called_so(file)


def certain(file: TextFile) -> bool:
    """Tell whether it is both: ``3<tab>2`` alone could also be the head of a bare matrix."""
    return delimiter(file) is not None and _is_called_so(file)


def _is_called_so(file: TextFile) -> bool:
    return file.path.lower().endswith((".csv", ".tsv"))


def loads(file: TextFile, kind: Kind | Literal["flowshop"] | None = None) -> FlowShop | ATSP:
    """Read the instance.

    Names that only number the rows or columns, 0, 1, 2, …, count as none.

    Parameters
    ----------
    kind
        What a row is; ``"flowshop"`` for a job or a machine, as the corner says, a job if it says
        nothing; None to let the file say it.

    Raises
    ------
    InputError
        Naming line and column, if a cell is not a whole number from 0, if rows differ in length,
        or if it cannot be told what the table is.
    """
    table = Table.parse(file)
    rows_are = _what_rows_are(table, kind)
    if rows_are == "agents":
        raise file.error("the first cell says that rows are agents: that is kind='assignment'")
    return _atsp(table) if rows_are == "cities" else _flowshop(table, rows_are)


def _what_rows_are(table: Table, kind: Kind | Literal["flowshop"] | None) -> Kind:
    said = table.rows_are
    if said is None:
        if kind is None and _looks_like_distances(table):
            raise table.file.error(
                "a square table that looks like distances; say which it is with kind='atsp' or "
                "kind='flowshop' (or write 'city' or 'job' in its first cell, before names)"
            )
        return kind if kind is not None and kind != "flowshop" else "jobs"
    if kind not in (None, said) and (kind != "flowshop" or said == "cities"):
        raise table.file.error(
            f"the first cell says that rows are {said}, which does not go with the kind asked for"
        )
    return said


def _looks_like_distances(table: Table) -> bool:
    size = len(table.cells)
    if size != len(table.cells[0]) or size == 1:
        return False
    named = meaningful(table.row_names or ()) and table.row_names == table.column_names
    diagonal = [table.cells[k][k] for k in range(size)]
    zeros = (cell in _NOTHING or (is_whole(cell) and whole(cell) == 0) for cell in diagonal)
    return bool(named) or all(zeros)


def _number(table: Table, row: int, column: int, what: str) -> int:
    cell = table.cells[row][column]
    where = f"column {table.first_column + column}"
    if not cell:
        raise table.file.error(f"{where} is empty", table.line_numbers[row])
    try:
        number = whole(cell)
    except ValueError as error:
        raise table.file.error(f"{where}: {cell[:40]!r} {error}", table.line_numbers[row]) from None
    if number < 0:
        raise table.file.error(f"{where}: {what} {number} is negative", table.line_numbers[row])
    return number


def _flowshop(table: Table, rows: Rows) -> FlowShop:
    table.refuse_counting()
    times = [
        [_number(table, i, j, "processing time") for j in range(len(row))]
        for i, row in enumerate(table.cells)
    ]
    row_names = meaningful(table.row_names or ()) or None
    column_names = meaningful(table.column_names or ()) or None
    if rows == "machines":
        times = [list(column) for column in zip(*times, strict=True)]
        row_names, column_names = column_names, row_names
    return FlowShop(times, job_names=row_names, machine_names=column_names, name=table.file.stem)


def _atsp(table: Table) -> ATSP:
    size = len(table.cells)
    if len(table.cells[0]) != size:
        raise table.file.error(
            f"distances must be square, one row and one column a city; got {size} rows and "
            f"{len(table.cells[0])} columns"
        )
    if table.row_names and table.column_names and table.row_names != table.column_names:
        raise table.file.error("the rows and the columns have different names; a city has one")
    distances = np.zeros((size, size), dtype=np.int64)
    for i, row in enumerate(table.cells):
        for j, cell in enumerate(row):
            if i == j and (cell in _NOTHING or is_numeral(cell)):
                continue
            distances[i, j] = _number(table, i, j, "distance")
    cities = meaningful(table.row_names or table.column_names or ()) or None
    return ATSP(distances, city_names=cities, name=table.file.stem)


def dumps(problem: FlowShop | ATSP, separator: str = ",") -> str:
    """Write an instance with names and a corner that says what the rows are.

    Where there are no names, rows and columns are numbered from 0, which reads as none.
    """
    if isinstance(problem, ATSP):
        matrix, corner = problem.distances, "city"
        rows = columns = problem.city_names
    else:
        matrix, corner = problem.processing_times, "job"
        rows, columns = problem.job_names, problem.machine_names
    lines = [(corner, *(columns or range(matrix.shape[1])))]
    for name, row in zip(rows or range(matrix.shape[0]), matrix.tolist(), strict=True):
        lines.append((name, *row))
    return "".join(separator.join(map(cell_text, line)) + "\n" for line in lines)


def cell_text(value: object) -> str:
    """Quote a name that holds any delimiter, not only the one in use: a reader has to guess."""
    text = str(value)
    if any(mark in text for mark in (*DELIMITERS, '"')):
        return '"' + text.replace('"', '""') + '"'
    return text
