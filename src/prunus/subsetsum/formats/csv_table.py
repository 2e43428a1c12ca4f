"""Subset sum as CSV: a row an item, its name and its weight, and a row called ``target``.

::

    item,weight
    invoice 17,3400
    invoice 18,1250
    target,4650
"""

from __future__ import annotations

import csv
import io

from prunus.files.csvtable import DELIMITERS, delimiter
from prunus.files.numerals import is_numeral
from prunus.files.textfile import TextFile
from prunus.subsetsum.formats.text import number
from prunus.subsetsum.problem import SubsetSum

__all__ = ["dumps", "loads", "recognises"]

_TARGET = "target"
_ITEMS = ("item", "items")
_WEIGHTS = ("weight", "weights")


def recognises(file: TextFile) -> bool:
    """Tell whether a table of two columns is headed as one of weights, or has a row ``target``.

    By its heading it is known even if that row was forgotten.
    """
    separator = delimiter(file)
    if separator is None:
        return False
    heading = True
    for row in csv.reader(io.StringIO(file.text, newline=""), delimiter=separator):
        words = [cell.strip().casefold() for cell in row]
        if len(words) == 2:
            if words[0] == _TARGET or (heading and (words[0] in _ITEMS or words[1] in _WEIGHTS)):
                return True
            heading = False
    return False


def loads(file: TextFile, objective: str = "sum") -> SubsetSum:
    """Read the instance.

    Raises
    ------
    InputError
        Naming the line, if a row has not two cells, a weight is not a whole number, or the target
        is missing or there twice.
    """
    names: list[str] = []
    weights: list[int] = []
    target: int | None = None
    separator = delimiter(file) or ","
    reader = csv.reader(io.StringIO(file.text, newline=""), delimiter=separator, strict=True)
    try:
        for row in reader:
            cells = [" ".join(cell.split()) for cell in row]
            if not any(cells):
                continue
            if len(cells) != 2:
                raise file.error(
                    f"{len(cells)} cells, expected a name and a weight", reader.line_num
                )
            name, token = cells
            if not names and target is None and not weights and not is_numeral(token):
                if not token:
                    raise file.error(f"the weight of {name!r} is missing", reader.line_num)
                names.append("")  # the heading
                continue
            value = number(file, token, reader.line_num)
            if name.casefold() == _TARGET:
                if target is not None:
                    raise file.error("there is a second target", reader.line_num)
                target = value
                continue
            names.append(name)
            weights.append(value)
    except csv.Error as error:
        raise file.error(f"not a CSV file: {error}", reader.line_num) from None
    if target is None:
        raise file.error("there is no row for the target; add one: target,NUMBER")
    names = names[-len(weights) :] if weights else []
    counted = names in ([str(k) for k in range(len(names))], [""] * len(names))
    return SubsetSum(
        weights,
        target,
        objective=objective,
        item_names=None if counted or not names else names,
        name=file.stem,
    )


def dumps(problem: SubsetSum, separator: str = ",") -> str:
    """Write an instance with the names of its items, or their numbers. The objective is lost.

    Raises
    ------
    InputError
        If an item is called like the row of the target.
    """
    names = problem.item_names or tuple(map(str, range(problem.items)))
    if any(name.casefold() == _TARGET for name in names):
        from prunus.errors import InputError

        raise InputError("an item is called target, which means another row in CSV; write JSON")
    rows = [("item", "weight"), *zip(names, problem.weights, strict=True)]
    rows.append((_TARGET, problem.target))
    return "".join(separator.join(map(_cell, row)) + "\n" for row in rows)


def _cell(value: object) -> str:
    text = str(value)
    if any(mark in text for mark in (*DELIMITERS, '"')):
        return '"' + text.replace('"', '""') + '"'
    return text
