"""A CSV file as a table: cells, and which of the first row and first column are names.

Comma, semicolon or tab. Names are recognised by not being numbers; an empty corner, as pandas
writes it, or one that says what the rows are ("job", "machine", "city", …) means that both the
first row and the first column are names, numbers or not.
"""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from typing import Literal, NoReturn, TypeAlias

from prunus.files.numerals import is_numeral
from prunus.files.textfile import TextFile

__all__ = ["AGENTS", "DELIMITERS", "Kind", "Table", "delimiter"]

DELIMITERS = ";\t,"
"""What may separate cells, surest first: a comma could be a decimal sign."""

Kind: TypeAlias = Literal["jobs", "machines", "cities", "agents"]
"""What a row of a table stands for."""

AGENTS = ("agent", "agents", "worker", "workers")
"""What the first cell says of the rows of an assignment problem."""

_CORNERS: dict[str, Kind | None] = {
    **dict.fromkeys(("job", "jobs", "task", "tasks", "order", "orders"), "jobs"),
    **dict.fromkeys(("machine", "machines"), "machines"),
    **dict.fromkeys(("city", "cities", "node", "nodes", "from"), "cities"),
    **dict.fromkeys(AGENTS, "agents"),
    **dict.fromkeys(("", "id", "name", "names", "index", "no", "nr", "#", "unnamed: 0")),
}
# Words in the corner that make the first column names, and what they say that the rows are.


def delimiter(file: TextFile) -> str | None:
    """Return what separates the cells of a file, or None if nothing does."""
    first = re.sub(r'"[^"]*("|$)', "", file.lines[0].text)  # a quoted name may hold anything
    return next((mark for mark in DELIMITERS if mark in first), None)


@dataclass(frozen=True, slots=True)
class Table:
    """The cells below and right of the names, as text.

    Attributes
    ----------
    file
        For messages.
    cells, line_numbers
        The rows, each with the line on which it stands.
    first_column
        The column of the file, from 1, in which the cells begin.
    row_names, column_names
        None where the file has none.
    rows_are
        What the corner says that a row is, None if it says nothing.
    """

    file: TextFile
    cells: list[list[str]]
    line_numbers: list[int]
    first_column: int
    row_names: tuple[str, ...] | None
    column_names: tuple[str, ...] | None
    rows_are: Kind | None

    @classmethod
    def parse(cls, file: TextFile) -> Table:
        """Split a file into cells and names.

        Raises
        ------
        InputError
            If rows differ in length, or if it cannot be told names from numbers.
        """
        rows, numbers = _rows(file)
        corner = rows[0][0].casefold()
        framed = corner in _CORNERS
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
            _CORNERS.get(corner),
        )
        table._check_names(numbers[0])
        if corner == "":
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
    separator = delimiter(file) or ","
    reader = csv.reader(io.StringIO(file.text, newline=""), delimiter=separator, strict=True)
    rows: list[list[str]] = []
    numbers: list[int] = []
    try:
        for row in reader:
            if row and any(cell.strip() for cell in row):
                rows.append([" ".join(cell.split()) for cell in row])
                numbers.append(reader.line_num)
    except csv.Error as error:
        raise file.error(f"not a CSV file: {error}", reader.line_num) from None
    if not rows:
        raise file.error("there are delimiters but nothing between them", 1)
    for row, number in zip(rows, numbers, strict=True):
        if len(row) != len(rows[0]):
            raise file.error(f"{len(row)} cells, but line {numbers[0]} has {len(rows[0])}", number)
    return rows, numbers
