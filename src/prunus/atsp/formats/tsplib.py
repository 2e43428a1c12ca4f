"""TSPLIB's format for asymmetric instances: keywords, then a full matrix wrapped at will.

G. Reinelt, TSPLIB – a traveling salesman problem library, ORSA Journal on Computing 3 (1991)
376-384.
"""

from __future__ import annotations

from collections.abc import Iterator

from prunus.atsp.problem import ATSP
from prunus.atsp.validation import refuse_ends
from prunus.errors import InputError
from prunus.files.formats import ANYTHING, Evidence, Request
from prunus.files.numerals import is_numeral
from prunus.files.textfile import Line, TextFile

_EXPECTED = {
    "TYPE": "ATSP",
    "EDGE_WEIGHT_TYPE": "EXPLICIT",
    "EDGE_WEIGHT_FORMAT": "FULL_MATRIX",
}
_KEYWORDS = {"NAME", "COMMENT", "DIMENSION", "EDGE_WEIGHT_SECTION", *_EXPECTED}


def recognises(file: TextFile) -> Evidence:
    """Tell whether a file has any two of TSPLIB's keywords at the start of a line."""
    found = {_keyword(line)[0] for line in file.lines} & _KEYWORDS
    return Evidence.CERTAIN if len(found) >= 2 else Evidence.NONE


def loads(file: TextFile, request: Request = ANYTHING) -> ATSP:
    """Read the instance.

    Raises ``InputError`` naming the line, if anything is missing, superfluous or not a number, or
    if the file holds another type or format of TSPLIB's.
    """
    lines = iter(file.lines)
    cities = _specification(file, lines)
    weights: list[int] = []
    last = file.lines[-1]
    for line in lines:
        if not is_numeral(line.tokens[0]):
            last = line
            _check_tail(file, line, lines)
            break
        for token in line.tokens:
            row, column = divmod(len(weights), cities)
            if row == cities:
                raise file.error(f"unexpected {token[:40]!r} after the matrix", line)
            if row == column:  # the diagonal means nothing, so anything that is a number will do
                if not is_numeral(token):
                    raise file.error(f"{token[:40]!r} is not a number", line)
                weights.append(0)
            else:
                weights.append(file.natural(token, line, "distance"))
    if len(weights) != cities**2:
        raise file.error(
            f"the matrix ends after {len(weights)} of {cities**2} numbers ({cities} cities); "
            f"is the file truncated?",
            last,
        )
    rows = [weights[start : start + cities] for start in range(0, cities**2, cities)]
    return ATSP(rows, name=file.stem)


def _keyword(line: Line) -> tuple[str, str]:
    """Split ``KEY : value``; the colon may stand anywhere between, or be missing."""
    key, colon, value = line.text.partition(":")
    if not colon:
        key, _, value = line.text.strip().partition(" ")
    return key.strip().upper(), value.strip()


def _specification(file: TextFile, lines: Iterator[Line]) -> int:
    """Read the keywords up to the matrix and return the number of cities."""
    cities = None
    seen = set()
    for line in lines:
        key, value = _keyword(line)
        if key == "EDGE_WEIGHT_SECTION":
            if value:
                raise file.error(f"unexpected {value[:40]!r} after EDGE_WEIGHT_SECTION", line)
            break
        if key.endswith("_SECTION"):
            raise file.error(f"{key[:40]} is not supported, only EDGE_WEIGHT_SECTION", line)
        if not key.replace("_", "").isalpha():
            raise file.error(f"expected KEYWORD: value, got {line.text.strip()[:40]!r}", line)
        if key in seen and key != "COMMENT":
            raise file.error(f"{key} is given twice", line)
        seen.add(key)
        if key == "DIMENSION":
            cities = file.positive(value, line, "DIMENSION")
        elif key in _EXPECTED and value.upper() != _EXPECTED[key]:
            raise file.error(
                f"{key} is {value[:40] or 'missing'}; prunus reads TYPE ATSP with "
                f"EDGE_WEIGHT_TYPE EXPLICIT and EDGE_WEIGHT_FORMAT FULL_MATRIX",
                line,
            )
    else:
        raise file.error("EDGE_WEIGHT_SECTION is missing; is the file truncated?")
    if cities is None:
        raise file.error("DIMENSION is missing before EDGE_WEIGHT_SECTION", line)
    for key in _EXPECTED:
        if key not in seen:
            raise file.error(f"{key} is missing before EDGE_WEIGHT_SECTION", line)
    return cities


def _check_tail(file: TextFile, line: Line, lines: Iterator[Line]) -> None:
    """After the matrix nothing may come but EOF, and after that nothing."""
    if line.text.strip().upper() != "EOF":
        raise file.error(
            f"expected a number of the matrix or EOF, got {line.text.strip()[:40]!r}", line
        )
    for extra in lines:
        raise file.error(f"unexpected {extra.text.strip()[:40]!r} after EOF", extra)


def dumps(problem: ATSP, separator: str = "") -> str:
    """Write an instance, a line of the matrix a city. Names of the cities are lost.

    Raises ``InputError`` if TSPLIB has no words for it: fractions, missing arcs, paths, starts.
    """
    refuse_ends(problem)
    if problem.distances.dtype.kind == "f":
        raise InputError(
            "TSPLIB files hold integer distances between all cities; write fractions and "
            "missing arcs as csv"
        )
    matrix = problem.distances.tolist()
    width = len(str(int(problem.distances.max())))
    return "\n".join(
        (
            f"NAME: {problem.name or 'unnamed'}",
            "TYPE: ATSP",
            "COMMENT: written by prunus",
            f"DIMENSION: {problem.cities}",
            "EDGE_WEIGHT_TYPE: EXPLICIT",
            "EDGE_WEIGHT_FORMAT: FULL_MATRIX",
            "EDGE_WEIGHT_SECTION",
            *(" ".join(f"{distance:{width}}" for distance in row) for row in matrix),
            "EOF",
            "",
        )
    )
