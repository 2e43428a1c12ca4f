"""A knapsack as a CSV table: a column of profits, one of weights, perhaps one of names.

The first row says which is which; a row that begins with ``capacity`` holds the capacity::

    item,profit,weight
    tent,60,10
    stove,100,20
    capacity,,50
"""

from __future__ import annotations

from itertools import islice

from prunus.files.formats import ANYTHING, Evidence, Request
from prunus.files.table import cell_text, csv_rows, delimiter
from prunus.files.textfile import TextFile
from prunus.knapsack.problem import PROFIT_WORDS, WEIGHT_WORDS, Knapsack
from prunus.model.labels import meaningful

_CAPACITY = ("capacity", "c")


def recognises(file: TextFile) -> Evidence:
    """Tell whether the first row names a column of profits and one of weights."""
    mark = delimiter(file)
    if mark is None:
        return Evidence.NONE
    # The capacity may stand first.
    for line in islice(file.numbered(), 2):
        cells = {cell.strip().strip('"').strip().casefold() for cell in line.text.split(mark)}
        if cells & set(PROFIT_WORDS) and cells & set(WEIGHT_WORDS):
            return Evidence.CERTAIN
    return Evidence.NONE


def loads(file: TextFile, request: Request = ANYTHING) -> Knapsack:
    """Read the instance.

    Raises ``InputError`` naming the line, if a cell is missing or not a number, or if there is no
    capacity.
    """
    header: list[str] | None = None
    capacity: int | None = None
    full: int | None = None  # the line of an item called capacity, or of a capacity gone wrong
    profits, weights, names, lines = [], [], [], []
    profit = weight = name = -1
    for line, cells in csv_rows(file):
        if _is_capacity(cells, header):
            given = [cell for cell in cells[1:] if cell]
            if len(given) != 1 or capacity is not None:
                raise file.error("one capacity is needed, in one row with one number", line)
            capacity = file.natural(given[0], line, "the capacity")
        elif header is None:
            header = [cell.casefold() for cell in cells]
            profit, weight = (_find(file, header, w, line) for w in (PROFIT_WORDS, WEIGHT_WORDS))
            rest = [k for k in range(len(header)) if k not in (profit, weight)]
            name = rest[0] if rest else -1
        else:
            if len(cells) != len(header):
                raise file.error(f"{len(cells)} cells, but the header has {len(header)}", line)
            if cells[0].casefold() in _CAPACITY:
                full = line
            profits.append(file.natural(cells[profit], line, "profit"))
            weights.append(file.natural(cells[weight], line, "weight"))
            names.append(cells[name] if name >= 0 else "")
            lines.append(line)
    if capacity is None and full is not None:
        raise file.error("one capacity is needed, in one row with one number", full)
    if capacity is None:
        raise file.error("there is no row 'capacity' with the capacity, e.g. capacity,,50")
    if any(names) and not all(names):
        raise file.error("the item has no name, but others have one", lines[names.index("")])
    labels = meaningful(names) if any(names) else None
    return Knapsack(profits, weights, capacity, item_names=labels, name=file.stem)


def _is_capacity(cells: list[str], header: list[str] | None) -> bool:
    """Tell the row of the capacity from an item that is called so, which fills its row."""
    if cells[0].casefold() not in _CAPACITY:
        return False
    return header is None or len(cells) != len(header) or not all(cells)


def _find(file: TextFile, header: list[str], words: tuple[str, ...], line: int) -> int:
    found = [k for k, cell in enumerate(header) if cell in words]
    if len(found) != 1:
        state = "no column is" if not found else f"{len(found)} columns are"
        raise file.error(f"{state} called {words[0]} (or {', '.join(words[1:])})", line)
    return found[0]


def dumps(problem: Knapsack, separator: str = ",") -> str:
    """Write an instance, with the names of the items."""
    names = problem.item_names or tuple(map(str, range(problem.items)))
    items = zip(names, problem.profits.tolist(), problem.weights.tolist(), strict=True)
    rows = [("item", "profit", "weight"), *items, ("capacity", "", problem.capacity)]
    return "".join(separator.join(map(cell_text, row)) + "\n" for row in rows)
