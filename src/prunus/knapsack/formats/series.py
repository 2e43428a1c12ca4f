"""Pisinger's published series, ``knapPI_*.csv``: many knapsacks in a file, each with its optimum.

::

    knapPI_1_50_1000_1
    n 50
    c 995
    z 8373
    time 0.00
    1,94,485,0
    …
    -----
"""

from __future__ import annotations

from itertools import islice

from prunus.files.formats import ANYTHING, Evidence, Request
from prunus.files.textfile import Line, TextFile
from prunus.knapsack.problem import Knapsack


def recognises(file: TextFile) -> Evidence:
    """Tell whether a name, ``n`` and ``c`` begin the file."""
    heads = [line.tokens for line in islice(file.numbered(), 3)]
    fits = [tokens[0] for tokens in heads[1:]] == ["n", "c"] and len(heads[0]) == 1
    return Evidence.CERTAIN if fits else Evidence.NONE


def loads(file: TextFile, request: Request = ANYTHING) -> Knapsack:
    """Read one instance of the series, counted from 1.

    Raises ``InputError`` naming the line, if there is no such instance or something is wrong with
    it.
    """
    index = request.index
    blocks: list[list[Line]] = [[]]
    for line in file.lines:
        if set(line.text.strip()) == {"-"}:
            blocks.append([])
        else:
            blocks[-1].append(line)
    blocks = [block for block in blocks if block]
    if index is None and len(blocks) > 1:
        raise file.error(
            f"the file holds {len(blocks)} instances; name one, e.g. {file.path}#1 for the first"
        )
    if not 1 <= (index or 1) <= len(blocks):
        raise file.error(f"there is no instance #{index}; the file holds {len(blocks)}")
    return _block(file, blocks[(index or 1) - 1])


def _block(file: TextFile, block: list[Line]) -> Knapsack:
    head, *lines = block
    values: dict[str, Line] = {}
    while lines and "," not in lines[0].text:
        values[lines[0].tokens[0]] = lines[0]
        lines = lines[1:]
    for key in ("n", "c"):
        if key not in values or len(values[key].tokens) != 2:
            raise file.error(f"a line '{key} NUMBER' is missing after it", head)
    items = file.natural(values["n"].tokens[1], values["n"], "the number of items")
    capacity = file.natural(values["c"].tokens[1], values["c"], "the capacity")
    if len(lines) != items:
        raise file.error(
            f"{len(lines)} items follow, but n says {items}; is the file truncated?", head
        )
    profits, weights = [], []
    width = len(lines[0].text.split(",")) if lines else 4
    for line in lines:
        cells = [cell.strip() for cell in line.text.split(",")]
        if width not in (3, 4) or len(cells) != width:
            raise file.error(f"{len(cells)} cells, expected number,profit,weight,chosen", line)
        profits.append(file.natural(cells[1], line, "profit"))
        weights.append(file.natural(cells[2], line, "weight"))
    return Knapsack(profits, weights, capacity, name=head.text.strip())
