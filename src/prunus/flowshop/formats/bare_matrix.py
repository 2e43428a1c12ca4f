"""A bare matrix: a line with the numbers of jobs and machines, then the processing times.

Lines of the matrix belong to machines, as in Taillard's published files, or to jobs; the shape
decides. A *square* matrix does not tell and is taken machine by machine; ``kind=
"flowshop-by-job"`` of :func:`prunus.read` says otherwise.
"""

from __future__ import annotations

from prunus.errors import InputError
from prunus.files.formats import ANYTHING, Evidence, Request
from prunus.files.numerals import is_whole
from prunus.files.table import is_certain
from prunus.files.textfile import TextFile
from prunus.flowshop.formats import vfr
from prunus.flowshop.formats.grid import read_grid, rows_of
from prunus.flowshop.problem import FlowShop


def recognises(file: TextFile) -> Evidence:
    """Tell whether a file begins with a line of two whole numbers and is not a VFR file."""
    tokens = file.lines[0].tokens
    head = len(tokens) == 2 and all(map(is_whole, tokens)) and not is_certain(file)
    return Evidence.LIKELY if head and not vfr.recognises(file) else Evidence.NONE


def loads(file: TextFile, request: Request = ANYTHING) -> FlowShop:
    """Read the instance; without a layout the shape says what a line stands for.

    Raises ``InputError`` naming the line, if anything is missing, superfluous or not a number.
    """
    head, *lines = file.lines
    jobs = file.positive(head.tokens[0], head, "the number of jobs")
    machines = file.positive(head.tokens[1], head, "the number of machines")
    return FlowShop(read_grid(file, lines, jobs, machines, rows_of(request)), name=file.stem)


def dumps(problem: FlowShop, separator: str = "") -> str:
    """Write an instance machine by machine. Names are lost.

    Raises ``InputError`` if the processing times happen to read as a VFR file.
    """
    head = f"{problem.jobs} {problem.machines}"
    # Written machine by machine, some matrices read as pairs of machine and time.
    for matrix in (problem.processing_times.T, problem.processing_times):
        text = "\n".join((head, *(" ".join(map(str, row)) for row in matrix.tolist()), ""))
        if recognises(TextFile.from_text("", text)):
            return text
        if problem.jobs == problem.machines:
            break
    raise InputError(
        "these processing times, written as a bare matrix, would read as a VFR file; "
        "write them in another format"
    )
