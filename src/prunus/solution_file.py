"""Solutions in files: written as CSV or JSON, read back as a start for the next solve."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from prunus.errors import InputError
from prunus.files.atomic import write_text
from prunus.files.json_object import load_json
from prunus.files.paths import check_current_folder
from prunus.files.table import csv_rows
from prunus.files.textfile import TextFile
from prunus.model.arrays import Int64Array
from prunus.model.problem import Problem
from prunus.model.registry import spec_of
from prunus.model.spec import SolutionTable
from prunus.result import Result

_SUFFIXES = (".csv", ".json")


def check_target(path: Path) -> None:
    """Refuse a file that could not be written, before any work is done for it.

    Raises ``InputError`` if the suffix is neither ``.csv`` nor ``.json`` or the folder does not
    exist.
    """
    if path.suffix.lower() not in _SUFFIXES:
        raise InputError(f"{path}: a solution is written as .csv or .json; choose one of them")
    check_folder(path)


def check_folder(path: Path) -> None:
    """Refuse a file whose folder does not exist or takes none, a folder, or a pipe.

    Where nobody reads a pipe, writing to it would wait for ever.
    """
    check_current_folder(str(path))
    if path.is_dir():
        raise InputError(f"{path}: this is a folder; name a file")
    if not path.parent.is_dir():
        raise InputError(f"{path}: the folder {path.parent} does not exist; create it first")
    if path.is_fifo():
        raise InputError(f"{path}: this is a pipe; name a file")
    target = Path(os.path.realpath(path))
    # A file is replaced by one that is made beside it; a device is written to.
    if (target.is_file() or not target.exists()) and not os.access(target.parent, os.W_OK):
        raise InputError(f"{path}: the folder {target.parent} cannot be written to")


def write(result: Result, path: Path) -> None:
    """Write the solution of a result.

    ``.json`` gets everything the result says. ``.csv`` gets a table: one row for each operation of
    a flow shop in the order of the schedule (position, job, machine, start, end; names where there
    are any), each leg of a tour, each item chosen, each agent (its job is -1 where it has none),
    each queen, or each position of a user's own problem. All count from 0.
    """
    check_target(path)
    if path.suffix.lower() == ".json":
        result.save(path, whole=False)
        return
    assert result.host_solution is not None
    rows = _table_of(result.problem).rows(result.problem, result.host_solution)
    table = io.StringIO()
    csv.writer(table, lineterminator="\n").writerows(rows)
    write_text(str(path), table.getvalue())


def parse(problem: Problem, words: str) -> Int64Array:
    """Read a solution from the command line: the name of a file, or a list with commas.

    ``words`` are a path, or names or 0-based indices between commas or blanks; ``problem`` knows
    the names of its jobs or cities.
    """
    path = Path(words)
    if "," not in words and (path.exists() or path.suffix.lower() in (*_SUFFIXES, ".txt")):
        return read(problem, path)
    return _indices(problem, words.replace(",", " ").split(), "initial solution")


def read(problem: Problem, path: Path) -> Int64Array:
    """Read a solution from a file that `write` has written, or from plain text.

    Raises ``InputError`` if there is no solution in the file or an item is neither a name nor an
    index.
    """
    file = TextFile.load(str(path))
    suffix = path.suffix.lower()
    numbered = False
    if suffix == ".json":
        items, numbered = _from_json(file)
    elif suffix == ".csv":
        items, numbered = _from_csv(problem, file)
    else:
        items = file.text.replace(",", " ").split()
    return _indices(problem, items, str(path), numbered)


def _from_json(file: TextFile) -> tuple[list[str], bool]:
    """Return the items, and whether they are numbers and not names."""
    found = load_json(file)
    if isinstance(found, dict):
        found = found.get("solution")
    if not isinstance(found, list):
        raise file.error("neither a list nor an object with a list named solution")
    return [str(item) for item in found], all(isinstance(item, int) for item in found)


def _from_csv(problem: Problem, file: TextFile) -> tuple[list[str], bool]:
    """Return the items, and whether they are indices, as in every table of `write`, not names."""
    form = _table_of(problem)
    column = form.column(problem)
    rows = csv_rows(file)
    _, heading = next(rows, (1, []))
    if column not in heading:
        raise file.error(f"no column named {column}", 1)
    place = heading.index(column)
    items = []
    for line, cells in rows:
        if len(cells) != len(heading):
            raise file.error(f"{len(cells)} cells, but the heading has {len(heading)}", line)
        items.append(cells[place])
    # Only a table of `write` has a second column, beside which an item is an index.
    return (list(dict.fromkeys(items)) if form.distinct else items), len(heading) > 1


def _indices(
    problem: Problem, items: Iterable[str], where: str, numbered: bool = False
) -> Int64Array:
    """Return the indices of items that are names or indices; where both, a name.

    If they are ``numbered``, names that happen to be numbers do not matter.
    """
    names = spec_of(problem).words.names(problem) or ()
    nothing = ("-1",) if _table_of(problem).gaps else ()
    by_name = {name: index for index, name in enumerate(names)}
    found = []
    for number, item in enumerate(items, 1):
        digits = item.isascii() and item.isdecimal() and len(item) < 10
        if item in by_name and not (numbered and digits):
            found.append(by_name[item])
        elif digits or item in nothing:
            found.append(int(item))
        else:
            known = "neither a known name nor a 0-based index" if names else "not a 0-based index"
            raise InputError(f"{where}: item {number}, {item!r}, is {known}")
    if not found:
        raise InputError(f"{where}: there is no solution in it")
    return np.array(found, dtype=np.int64)


def _table_of(problem: Problem) -> SolutionTable[Problem]:
    form = spec_of(problem).table
    if form is None:
        raise InputError(f"solutions of {type(problem).__name__} have no table; write .json")
    return form
