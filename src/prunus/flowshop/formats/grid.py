"""A flow shop's matrix as text: rows are machines or rows are jobs, decided by the shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from prunus.files.formats import Request
from prunus.files.textfile import Line, TextFile

Rows: TypeAlias = Literal["jobs", "machines"]
"""What a row of a matrix stands for."""


def rows_of(request: Request) -> Rows | None:
    """Return what a row of the matrix is, as the user may have said."""
    said: dict[str | None, Rows] = {"by-job": "jobs", "by-machine": "machines"}
    return said.get(request.layout)


def read_grid(
    file: TextFile, lines: Sequence[Line], jobs: int, machines: int, rows: Rows | None
) -> list[list[int]]:
    """Read processing times, one row a line, and return them jobs × machines.

    ``lines`` are all that is left of the file, or of the instance in it; ``rows`` says what a row
    stands for, None to decide by the shape, where a square matrix is taken machine by machine, as
    Taillard published his.

    Raises ``InputError`` naming the line, if the numbers do not fill the matrix exactly.
    """
    if not lines:
        raise file.error(f"the matrix of {jobs} jobs on {machines} machines is missing")
    if rows is None:
        # The first row tells. A width that is neither is complained about below.
        by_job = len(lines[0].tokens) == machines != jobs
        rows = "jobs" if by_job else "machines"
    height, width = (jobs, machines) if rows == "jobs" else (machines, jobs)
    matrix = []
    for line in lines[:height]:
        tokens = line.tokens
        matrix.append([file.natural(token, line, "processing time") for token in tokens])
        if len(tokens) != width:
            raise file.error(
                f"{len(tokens)} numbers, expected {width} (a row for each of the {height} {rows})",
                line,
            )
    if len(lines) < height:
        raise file.error(
            f"the matrix ends after {len(lines)} of {height} rows ({jobs} jobs on {machines} "
            f"machines, a row for each of the {rows}); is the file truncated?",
            lines[-1],
        )
    if len(lines) > height:
        raise file.error(
            f"unexpected {lines[height].text.strip()[:40]!r} after the last of {height} rows",
            lines[height],
        )
    return matrix if rows == "jobs" else [list(row) for row in zip(*matrix, strict=True)]
