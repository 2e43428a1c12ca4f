"""A knapsack as a CSV table: a column of profits, one of weights, perhaps one of names.

The first row says which is which; a row that begins with ``capacity`` holds the capacity::

    item,profit,weight
    tent,60,10
    stove,100,20
    capacity,,50
"""

from __future__ import annotations

import csv
import io

from prunus.files.csvtable import delimiter
from prunus.files.textfile import TextFile
from prunus.knapsack.problem import PROFIT_WORDS, WEIGHT_WORDS, Knapsack
from prunus.model.labels import meaningful

__all__ = ["dumps", "loads", "recognises"]

_CAPACITY = ("capacity", "c")


def recognises(file: TextFile) -> bool:
    """Tell whether the first row names a column of profits and one of weights."""
    mark = delimiter(file)
    if mark is None:
        return False
    # The capacity may stand first.
    for line in file.lines[:2]:
        cells = [cell.strip().strip('"').casefold() for cell in line.text.split(mark)]
        if cells[0] in _CAPACITY:
            continue
        return bool(set(cells) & set(PROFIT_WORDS)) and bool(set(cells) & set(WEIGHT_WORDS))
    return False


def loads(file: TextFile) -> Knapsack:
    """Read the instance.

    Raises
    ------
    InputError
        Naming the line, if a cell is missing or not a number, or if there is no capacity.
    """
    reader = csv.reader(
        io.StringIO(file.text, newline=""), delimiter=delimiter(file) or ",", strict=True
    )
    header: list[str] | None = None
    capacity: int | None = None
    profits, weights, names = [], [], []
    profit = weight = name = -1
    try:
        for raw in reader:
            cells, line = [cell.strip() for cell in raw], reader.line_num
            if not any(cells):
                continue
            if cells[0].casefold() in _CAPACITY:
                given = [cell for cell in cells[1:] if cell]
                if len(given) != 1 or capacity is not None:
                    raise file.error("one capacity is needed, in one row with one number", line)
                capacity = file.natural(given[0], line, "the capacity")
            elif header is None:
                header = [cell.casefold() for cell in cells]
                profit, weight = (
                    _find(file, header, w, line) for w in (PROFIT_WORDS, WEIGHT_WORDS)
                )
                rest = [k for k in range(len(header)) if k not in (profit, weight)]
                name = rest[0] if rest else -1
            else:
                if len(cells) != len(header):
                    raise file.error(f"{len(cells)} cells, but the header has {len(header)}", line)
                profits.append(file.natural(cells[profit], line, "profit"))
                weights.append(file.natural(cells[weight], line, "weight"))
                names.append(cells[name] if name >= 0 else "")
    except csv.Error as error:
        raise file.error(f"not a CSV file: {error}", reader.line_num) from None
    if capacity is None:
        raise file.error("there is no row 'capacity' with the capacity, e.g. capacity,,50")
    labels = meaningful(names) if name >= 0 and all(names) else None
    return Knapsack(profits, weights, capacity, item_names=labels, name=file.stem)


def _find(file: TextFile, header: list[str], words: tuple[str, ...], line: int) -> int:
    found = [k for k, cell in enumerate(header) if cell in words]
    if len(found) != 1:
        state = "no column is" if not found else f"{len(found)} columns are"
        raise file.error(f"{state} called {words[0]} (or {', '.join(words[1:])})", line)
    return found[0]


def dumps(problem: Knapsack, mark: str = ",") -> str:
    """Write an instance, with the names of the items."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=mark, lineterminator="\n")
    names = problem.item_names or tuple(str(k) for k in range(problem.items))
    writer.writerow(("item", "profit", "weight"))
    writer.writerows(zip(names, problem.profits.tolist(), problem.weights.tolist(), strict=True))
    writer.writerow(("capacity", "", problem.capacity))
    return text.getvalue()
