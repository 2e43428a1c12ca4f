"""Subset sum as CSV: a row an item, its name and its weight, and a row called ``target``.

::

    item,weight
    invoice 17,3400
    invoice 18,1250
    target,4650
"""

from __future__ import annotations

from prunus.errors import InputError
from prunus.files.formats import ANYTHING, Evidence, Request
from prunus.files.numerals import is_numeral
from prunus.files.table import cell_text, csv_rows, delimiter
from prunus.files.textfile import TextFile
from prunus.files.totals import refuse_total
from prunus.subsetsum.formats.text import number
from prunus.subsetsum.problem import SubsetSum

_TARGET = "target"
_ITEMS = ("item", "items")
_WEIGHTS = ("weight", "weights")


def recognises(file: TextFile) -> Evidence:
    """Tell whether a table of two columns is headed as one of weights, or has a row ``target``.

    By its heading it is known even if that row was forgotten. Without both, a column of names and
    one of numbers may be weights as well as anything else.
    """
    if delimiter(file) is None:
        return Evidence.NONE
    first, pairs, named = True, True, False
    try:
        for _, row in csv_rows(file):
            words = [cell.casefold() for cell in row]
            pairs = pairs and len(words) == 2
            if len(words) == 2:
                headed = first and (words[0] in _ITEMS or words[1] in _WEIGHTS)
                if headed or words[0] == _TARGET:
                    return Evidence.CERTAIN
            first = False
            named = named or not is_numeral(words[0])
    except InputError:
        return Evidence.NONE
    return Evidence.POSSIBLE if pairs and named else Evidence.NONE


def loads(file: TextFile, request: Request = ANYTHING) -> SubsetSum:
    """Read the instance.

    Raises ``InputError`` naming the line, if a row has not two cells, a weight is not a whole
    number, or the target is missing or there twice.
    """
    names: list[str] = []
    weights: list[int] = []
    lines: list[int] = []
    target: int | None = None
    first = True
    for line, cells in csv_rows(file):
        if len(cells) != 2:
            raise file.error(f"{len(cells)} cells, expected a name and a weight", line)
        name, token = cells
        heading = first and bool(token) and not any(sign.isdigit() for sign in token)
        first = False
        if heading:
            continue
        if not token:
            raise file.error(f"the weight of {name!r} is missing", line)
        value = number(file, token, line)
        if name.casefold() == _TARGET:
            if target is not None:
                raise file.error("there is a second target", line)
            target = value
            continue
        names.append(name)
        weights.append(value)
        lines.append(line)
    if target is None:
        raise file.error("there is no row for the target; add one: target,NUMBER")
    if names:
        refuse_total(file, names, [[weight] for weight in weights], lines[-1], "an item")
    if any(names) and not all(names):
        raise file.error("the item has no name, but others have one", lines[names.index("")])
    named = any(names) and names != [str(k) for k in range(len(names))]
    return SubsetSum(weights, target, item_names=names if named else None, name=file.stem)


def dumps(problem: SubsetSum, separator: str = ",") -> str:
    """Write an instance with the names of its items, or their numbers.

    Raises ``InputError`` if an item is called like the row of the target, or the question is not
    for the sum.
    """
    names = problem.item_names or tuple(map(str, range(problem.items)))
    if any(name.casefold() == _TARGET for name in names):
        raise InputError("an item is called target, which has another meaning in CSV; write JSON")
    rows = [("item", "weight"), *zip(names, problem.weights, strict=True)]
    rows.append((_TARGET, problem.target))
    return "".join(separator.join(map(cell_text, row)) + "\n" for row in rows)
