"""Subset sum as plain text: the number of items, the weights, the target, in any lines.

Numbers may be as long as a weight can be. ``#`` begins a comment.
"""

from __future__ import annotations

import re

from prunus.files.formats import ANYTHING, Evidence, Request
from prunus.files.numerals import whole
from prunus.files.table import is_table
from prunus.files.textfile import Line, TextFile
from prunus.subsetsum.problem import SubsetSum

_TITLE = "# subset sum"
"""A comment in the first line that says what the numbers are."""

_LONG = re.compile(r"[+-]?[0-9]{1,60}", re.ASCII)


def recognises(file: TextFile) -> Evidence:
    """Tell whether a file is a number n alone, n more numbers, and another one alone.

    A knapsack that was cut off could count the same, but not with its pairs or triples of numbers;
    a flow shop of one job that lost a number of its header could be a single item, so there must be
    two.
    """
    if file.text.startswith(_TITLE):
        return Evidence.CERTAIN
    words = [] if is_table(file) else _words(file)
    if len(words) < 2:
        return Evidence.NONE
    first = words[0][0]
    if not (first.isascii() and first.isdigit() and len(first) < 10):
        return Evidence.NONE
    if len(words) < 4:
        return Evidence.POSSIBLE
    lines = [line.number for _, line in words]
    alone = lines[0] != lines[1] and lines[-1] != lines[-2]
    pairs = len(words) > 4 and lines[1] != lines[2] == lines[3]
    counted = alone and not pairs and len(words) == int(first) + 2
    return Evidence.COUNTED if counted else Evidence.POSSIBLE


def loads(file: TextFile, request: Request = ANYTHING) -> SubsetSum:
    """Read the instance.

    Raises ``InputError`` naming the line, if anything is missing, superfluous or not a whole
    number.
    """
    words = _words(file)
    if not words:
        raise file.error("there are no numbers in the file")
    items = file.natural(words[0][0], words[0][1], "the number of items")
    found = len(words) - 1
    if found != items + 1:
        raise file.error(
            f"{found} numbers after the number of items, expected {items + 1}: "
            f"{items} weights and the target",
            words[-1][1],
        )
    values = [number(file, token, line) for token, line in words[1:]]
    return SubsetSum(values[:-1], values[-1], name=file.stem)


def number(file: TextFile, token: str, line: Line | int) -> int:
    """Read a whole number of any size that a weight can have."""
    if _LONG.fullmatch(token):
        return int(token)
    try:
        return whole(token)
    except ValueError as error:
        raise file.no_number(token, error, line) from None


def dumps(problem: SubsetSum, separator: str = "") -> str:
    """Write an instance, one number a line. Names are lost.

    What is too short to be told from other formats is headed by a comment that says what it is.
    """
    numbers = (problem.items, *problem.weights, problem.target)
    title = f"{_TITLE}: items, weights, target\n" if problem.items < 2 else ""
    return title + "".join(f"{value}\n" for value in numbers)


def _words(file: TextFile) -> list[tuple[str, Line]]:
    return [(word, line) for line in file.lines for word in line.text.partition("#")[0].split()]
