"""Knapsacks as bare numbers: kplib's ``.kp`` files, and those of Pisinger's generators.

kplib: the number of items, the capacity, then ``profit weight`` a line. Pisinger's generators, and
the instances of Jooken, Leyman and De Causmaecker: the number of items, then ``id profit weight`` a
line, then the capacity.
"""

from __future__ import annotations

from itertools import islice

from prunus.files.formats import ANYTHING, Evidence, Request
from prunus.files.numerals import is_whole
from prunus.files.table import is_called_table
from prunus.files.textfile import Line, TextFile
from prunus.knapsack.problem import Knapsack


def recognises(file: TextFile) -> Evidence:
    """Tell whether a file begins with a lone number, and a lone one or three come next."""
    lines = list(islice(file.numbered(), 2))
    if len(lines) < 2 or is_called_table(file):
        return Evidence.NONE
    first, second = (line.tokens for line in lines)
    # A second line that is cut off or damaged must not make the file one of another kind.
    fits = len(first) == 1 and len(second) in (1, 3) and is_whole(first[0])
    return Evidence.LIKELY if fits else Evidence.NONE


def loads(file: TextFile, request: Request = ANYTHING) -> Knapsack:
    """Read the instance.

    Raises ``InputError`` naming the line, if anything is missing, superfluous or not a number.
    """
    head, *lines = file.lines
    items = file.natural(head.tokens[0], head, "the number of items")
    if len(lines[0].tokens) == 1 and not (items == 0 and len(lines) > 1):
        capacity = _capacity(file, lines[0])
        rows, width = lines[1:], 2
    else:
        if len(lines) <= items or len(lines[items].tokens) != 1:
            given = sum(len(line.tokens) == 3 for line in lines)
            raise file.error(
                f"{items} items (id profit weight) and then the capacity should follow, but there "
                f"are {given} items; is the file truncated?",
                lines[min(items, len(lines) - 1)],
            )
        capacity = _capacity(file, lines[items])
        rows, width = lines[:items] + lines[items + 1 :], 3
    if len(rows) < items:
        raise file.error(
            f"the file ends after {len(rows)} of {items} items; is it truncated?", file.lines[-1]
        )
    if len(rows) > items:
        raise file.error(
            f"unexpected {rows[items].text.strip()[:40]!r} after the last of {items} items",
            rows[items],
        )
    pairs = [_item(file, row, width) for row in rows]
    return Knapsack([p for p, _ in pairs], [w for _, w in pairs], capacity, name=file.stem)


def _capacity(file: TextFile, line: Line) -> int:
    return file.natural(line.tokens[0], line, "the capacity")


def _item(file: TextFile, line: Line, width: int) -> tuple[int, int]:
    tokens = line.tokens
    if len(tokens) != width:
        words = "profit and weight" if width == 2 else "id, profit and weight"
        raise file.error(f"{len(tokens)} numbers, expected {width} ({words})", line)
    if width == 3:
        file.number(tokens[0], line)
    return (
        file.natural(tokens[-2], line, "profit"),
        file.natural(tokens[-1], line, "weight"),
    )


def dumps(problem: Knapsack, separator: str = "") -> str:
    """Write an instance as kplib does. Names are lost."""
    pairs = zip(problem.profits.tolist(), problem.weights.tolist(), strict=True)
    lines = [str(problem.items), str(problem.capacity), "", *(f"{p} {w}" for p, w in pairs)]
    return "\n".join([*lines, ""])
