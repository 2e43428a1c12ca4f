"""A CSV file as a table: cells, and which of the first row and first column are names.

Comma, semicolon or tab. Names are recognised by not being numbers; an empty corner, as pandas
writes it, or one that says what the rows are ("job", "machine", "city", …, as the formats declare)
means that both the first row and the first column are names, numbers or not.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NoReturn

from prunus.errors import InputError
from prunus.files.numerals import is_numeral, is_whole, whole
from prunus.files.textfile import TextFile
from prunus.model.arrays import AnyArray
from prunus.model.registry import known_specs

DELIMITERS = ";\t,"
"""What may separate cells, surest first: a comma could be a decimal sign."""

NO_NUMBER = ("", "-", "–")
"""What stands for no number, as on the diagonal of distances."""

_NEUTRAL = ("", "id", "name", "names", "index", "no", "nr", "#", "unnamed: 0")
"""Words in the corner that make the first row and column names and say nothing of the rows."""


def _corners() -> set[str]:
    """Return the words in the corner that some format knows."""
    declared = (form.corners for spec in known_specs() for form in spec.formats)
    return {*_NEUTRAL, *(word for corners in declared for word in corners)}


def delimiter(file: TextFile) -> str | None:
    """Return what separates the cells of a file, or None if nothing does."""
    line = next(file.numbered()).text  # not all lines: a file may have millions
    first = re.sub(r'"[^"]*("|$)', "", line)  # a quoted name may hold anything
    return next((mark for mark in DELIMITERS if mark in first), None)


def is_called_table(file: TextFile) -> bool:
    """Tell whether the name of a file says that it is a table."""
    return file.path.lower().endswith((".csv", ".tsv"))


def is_table(file: TextFile) -> bool:
    """Tell whether a file has a delimiter in its first line, or is called a table."""
    return delimiter(file) is not None or is_called_table(file)


def is_certain(file: TextFile) -> bool:
    """Tell whether it is both: ``3<tab>2`` alone could also be the head of a bare matrix."""
    return delimiter(file) is not None and is_called_table(file)


def csv_rows(file: TextFile) -> Iterator[tuple[int, list[str]]]:
    """Go through the rows that are not blank, each with its line, runs of blanks made one.

    Raises ``InputError`` if quotes do not match, or a cell is too long.
    """
    separator = delimiter(file) or ","
    reader = csv.reader(io.StringIO(file.text, newline=""), delimiter=separator, strict=True)
    try:
        for row in reader:
            cells = [" ".join(cell.split()) for cell in row]
            if any(cells):
                yield reader.line_num, cells
    except csv.Error as error:
        raise file.error(f"not a CSV file: {error}", reader.line_num) from None


@dataclass(frozen=True, slots=True)
class Table:
    """The cells below and right of the names, as text."""

    file: TextFile
    """For messages."""
    cells: list[list[str]]
    line_numbers: list[int]
    """The rows, each with the line on which it stands."""
    first_column: int
    """The column of the file, from 1, in which the cells begin."""
    row_names: tuple[str, ...] | None
    column_names: tuple[str, ...] | None
    """None where the file has none."""
    corner: str
    """The first cell in lower case where it says what the rows are, else empty."""

    @classmethod
    def parse(cls, file: TextFile) -> Table:
        """Split a file into cells and names.

        Raises ``InputError`` if rows differ in length, or if it cannot be told names from numbers.
        """
        rows, numbers = _rows(file)
        corner = rows[0][0].casefold()
        framed = corner in _corners()
        header, index = (True, True) if framed else _find_names(rows)
        top, left = int(header), int(index)
        cells = [row[left:] for row in rows[top:]]
        if not cells or not cells[0]:
            raise file.error("there are names but no numbers", numbers[-1])
        table = cls(
            file,
            cells,
            numbers[top:],
            left + 1,
            tuple(row[0] for row in rows[top:]) if index else None,
            tuple(rows[0][left:]) if header else None,
            corner if framed and corner not in _NEUTRAL else "",
        )
        table._check_names(numbers[0])
        if rows[0][0] == "":
            table._check_empty_corner(numbers[0])
        return table

    def _check_names(self, header_line: int) -> None:
        """Every row or column has a name where one has: an empty one is a lost cell."""
        if self.column_names and "" in self.column_names:
            column = self.first_column + self.column_names.index("")
            raise self.file.error(f"the name of column {column} is empty", header_line)
        if self.row_names and "" in self.row_names:
            line = self.line_numbers[self.row_names.index("")]
            raise self.file.error("the name of the row is empty", line)

    def _check_empty_corner(self, header_line: int) -> None:
        """Refuse numbers as names below and beside an empty corner, unless they just count.

        The corner may be a number that was lost, or the blank diagonal of a distance matrix.
        """
        rows, columns = list(self.row_names or ()), list(self.column_names or ())
        if not all(is_numeral(name) for name in rows + columns):
            return
        from_zero = _counts(rows, 0, 1) and _counts(columns, 0, 1)
        if not from_zero and not any(
            _counts(axis, 0, 2) or _counts(axis, 1) for axis in (rows, columns)
        ):
            raise self.file.error(
                "the first cell is empty and all others in its row and column are numbers; write "
                "'job' or 'city' in it if those are names, the missing number if not",
                header_line,
            )

    def looks_like_distances(self) -> bool:
        """Tell whether it is square, with equal names or nothing on the diagonal."""
        size = len(self.cells)
        if size != len(self.cells[0]) or size == 1:
            return False
        names = self.row_names or ()
        named = names != tuple(map(str, range(len(names)))) and names == self.column_names
        diagonal = [self.cells[k][k] for k in range(size)]
        zeros = (cell in NO_NUMBER or (is_whole(cell) and whole(cell) == 0) for cell in diagonal)
        return bool(named) or all(zeros)

    def natural(self, row: int, column: int, what: str) -> int:
        """Return a cell that must be a whole number from 0; `what` says what it stands for."""
        cell, line = self.cells[row][column], self.line_numbers[row]
        where = f"column {self.first_column + column}"
        if not cell:
            raise self.file.error(f"{where} is empty", line)
        try:
            number = whole(cell)
        except ValueError as error:
            raise self.file.no_number(cell, error, line, f"{where}: ") from None
        if number < 0:
            raise self.file.error(f"{where}: {what} {number} is negative", line)
        return number

    def refuse_corner(self, known: Sequence[str]) -> None:
        """Refuse a table whose corner says that its rows are something else."""
        if self.corner and self.corner not in known:
            raise self.file.error(
                f"the first cell says that rows are of the kind {self.corner!r}, which "
                "contradicts the requested kind"
            )

    def refuse_counting(self) -> None:
        """Refuse a first row or column that counts 0, 1, 2, … where there are no names.

        It is what pandas writes for the labels of a frame without names, and would be taken for
        data. The column is refused for counting from 1 too if the row above holds names.
        """
        advice = "if it numbers them, leave the first cell of the file empty, else add names"
        first_row = self.cells[0]
        if self.column_names is None and _counts(first_row, 0):
            self._refuse(f"the first row is {', '.join(first_row[:3])}, …: {advice}")
        first_column = [row[0] for row in self.cells]
        starts = (0,) if self.column_names is None else (0, 1)
        if self.row_names is None and any(_counts(first_column, start) for start in starts):
            self._refuse(f"the first column is {', '.join(first_column[:3])}, …: {advice}")

    def _refuse(self, message: str) -> NoReturn:
        raise self.file.error(message, self.line_numbers[0])


def _find_names(rows: list[list[str]]) -> tuple[bool, bool]:
    """Tell whether the first row is names, and whether the first column is.

    All cells of it must be, not just some: a word among numbers is a mistake, and is complained
    about as such later. The corner may be anything if both are names.
    """
    first_row, first_column = rows[0][1:], [row[0] for row in rows[1:]]
    header = bool(first_row) and all(map(_is_word, first_row))
    index = bool(first_column) and all(map(_is_word, first_column))
    if header and index:
        return True, True
    if not _is_word(rows[0][0]):
        return False, False
    if header or index:
        return header, index
    # A single column below its name, or a single row beside its name.
    return not first_row, not first_column


def _is_word(cell: str) -> bool:
    return bool(cell) and not is_numeral(cell)


def _counts(cells: list[str], start: int, least: int = 3) -> bool:
    """Tell whether cells count up by one; fewer than `least` are too likely to be data."""
    return len(cells) >= least and cells == [str(start + k) for k in range(len(cells))]


def _rows(file: TextFile) -> tuple[list[list[str]], list[int]]:
    """Split a file into rows of cells of equal number, and the line of each row."""
    rows: list[list[str]] = []
    numbers: list[int] = []
    for number, row in csv_rows(file):
        rows.append(row)
        numbers.append(number)
    if not rows:
        raise file.error("there are delimiters but nothing between them", 1)
    for row, number in zip(rows, numbers, strict=True):
        if len(row) != len(rows[0]):
            raise file.error(f"{len(row)} cells, but line {numbers[0]} has {len(rows[0])}", number)
    return rows, numbers


def parsed(file: TextFile) -> Table | None:
    """Return the table in a file, None if it is none; it is parsed once for all that ask."""
    known = vars(file)
    if "_table" not in known:
        try:
            known["_table"] = Table.parse(file)
        except InputError:
            known["_table"] = None
    table: Table | None = known["_table"]
    return table


def matrix_text(
    corner: str,
    row_names: Sequence[str] | None,
    column_names: Sequence[str] | None,
    values: AnyArray,
    separator: str,
) -> str:
    """Write a matrix with names and a corner that says what the rows are.

    Where there are no names, rows and columns are numbered from 0, which reads as none.
    """
    rows, columns = values.shape
    lines: list[tuple[object, ...]] = [(corner, *(column_names or range(columns)))]
    for name, row in zip(row_names or range(rows), values.tolist(), strict=True):
        lines.append((name, *row))
    return "".join(separator.join(map(cell_text, line)) + "\n" for line in lines)


def cell_text(value: object) -> str:
    """Quote a name that holds any delimiter, not only the one in use: a reader has to guess."""
    text = str(value)
    if any(mark in text for mark in (*DELIMITERS, '"')):
        return '"' + text.replace('"', '""') + '"'
    return text
