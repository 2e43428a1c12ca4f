"""The format of Vallada, Ruiz and Framinan: a line a job, pairs of machine and time.

::

    10 5
      0  45  1  31  2  54  3  54  4  64
    …

E. Vallada, R. Ruiz, J. M. Framinan, New hard benchmark for flowshop scheduling problems minimising
makespan, European Journal of Operational Research 240 (2015) 666-677.
"""

from __future__ import annotations

from prunus.files.formats import ANYTHING, Evidence, Request
from prunus.files.numerals import is_whole, whole
from prunus.files.table import is_certain
from prunus.files.textfile import Line, TextFile
from prunus.flowshop.problem import FlowShop


def recognises(file: TextFile) -> Evidence:
    """Tell whether two numbers, jobs and machines, and then lines of pairs make up a file.

    A line of pairs is as wide as a line of a bare matrix when the jobs are twice the machines, so
    the machines' numbers in it and the number of lines are looked at too. In doubt it is VFR, so
    that a truncated file is never taken for a complete bare matrix.
    """
    return Evidence.LIKELY if not is_certain(file) and _is_vfr(file) else Evidence.NONE


def _is_vfr(file: TextFile) -> bool:
    tokens = file.lines[0].tokens
    if len(tokens) != 2 or not all(map(is_whole, tokens)):
        return False
    jobs, machines = map(whole, tokens)
    rows = [line.tokens for line in file.lines[1:]]
    if not rows:
        return False
    paired = [_is_paired(row) for row in rows]
    if all(paired) and (len(rows[0]) > 2 or machines == 1):
        return True
    if jobs == 2 * machines:
        return len(rows) != machines and any(
            good and len(row) == jobs for good, row in zip(paired, rows, strict=True)
        )
    if jobs == 1 and len(rows) == 1 and len(rows[0]) == machines > 1:
        return _is_counting(rows[0][::2])  # the only line, cut off where a bare one would end
    return len(rows[0]) == 2 * machines


def _is_paired(row: list[str]) -> bool:
    """Tell whether a line is made of pairs, of which the first numbers count the machines."""
    return len(row) % 2 == 0 and _is_counting(row[::2])


def _is_counting(tokens: list[str]) -> bool:
    return tokens == [str(machine) for machine in range(len(tokens))]


def loads(file: TextFile, request: Request = ANYTHING) -> FlowShop:
    """Read the instance.

    Raises ``InputError`` naming the line, if anything is missing, superfluous, out of order or not
    a number.
    """
    head, *lines = file.lines
    jobs = file.positive(head.tokens[0], head, "the number of jobs")
    machines = file.positive(head.tokens[1], head, "the number of machines")
    times = [_job(file, line, machines) for line in lines[:jobs]]
    if len(lines) < jobs:
        raise file.error(
            f"the file ends after {len(lines)} of {jobs} jobs; is it truncated?", lines[-1]
        )
    if len(lines) > jobs:
        raise file.error(
            f"unexpected {lines[jobs].text.strip()[:40]!r} after the last of {jobs} jobs",
            lines[jobs],
        )
    return FlowShop(times, name=file.stem)


def _job(file: TextFile, line: Line, machines: int) -> list[int]:
    tokens = line.tokens
    if len(tokens) != 2 * machines:
        raise file.error(
            f"{len(tokens)} numbers, expected {2 * machines} (machine and time for each of "
            f"{machines} machines)",
            line,
        )
    for machine, token in enumerate(tokens[::2]):
        if file.number(token, line) != machine:
            raise file.error(
                f"expected machine {machine} (counted from 0, in order), got {token}", line
            )
    return [file.natural(token, line, "processing time") for token in tokens[1::2]]


def dumps(problem: FlowShop, separator: str = "") -> str:
    """Write an instance. Names are lost."""
    head = f"{problem.jobs}  {problem.machines}"
    lines = (
        "".join(f"  {machine}  {time}" for machine, time in enumerate(times))
        for times in problem.processing_times.tolist()
    )
    return "\n".join((head, *lines, ""))
