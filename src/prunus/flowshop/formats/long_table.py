"""Processing times as a long table: a row for each operation: job, machine, duration."""

from __future__ import annotations

from typing import Any

from prunus.errors import InputError
from prunus.files.formats import ANYTHING, Evidence, Request
from prunus.files.table import csv_rows, is_table
from prunus.files.textfile import TextFile
from prunus.flowshop.problem import FlowShop
from prunus.model.long_table import ShopColumns, shop_columns, wide


def _heading(file: TextFile) -> ShopColumns | None:
    if not is_table(file):
        return None
    try:
        _, cells = next(csv_rows(file), (0, []))
    except InputError:
        return None
    return shop_columns(cells)


def recognises(file: TextFile) -> Evidence:
    """Tell by the heading, which has three words."""
    return Evidence.NONE if _heading(file) is None else Evidence.CERTAIN


def loads(file: TextFile, request: Request = ANYTHING) -> FlowShop:
    """Read the instance; jobs and machines are numbered as they first come.

    Raises ``InputError`` naming the line, if a row has not three cells, an operation is there twice
    or is missing.
    """
    columns = _heading(file)
    assert columns is not None
    rows = csv_rows(file)
    next(rows)
    triples = [_operation(file, line, cells, columns) for line, cells in rows]
    jobs, machines, times = wide(triples)
    return FlowShop(times, job_names=jobs, machine_names=machines, name=file.stem)


def _operation(
    file: TextFile, line: int, cells: list[str], columns: ShopColumns
) -> tuple[str, str, int]:
    if len(cells) != len(columns):
        raise file.error(f"{len(cells)} cells, but the heading has {len(columns)}", line)
    job, machine = cells[columns.job], cells[columns.machine]
    if not job or not machine:
        raise file.error("the job or the machine has no name", line)
    return job, machine, file.natural(cells[columns.duration], line, "duration")


def dumps(problem: Any, separator: str = ",") -> str:
    """Refuse: instances are written as a matrix."""
    raise InputError("a flow shop is written as a matrix, not as a long table")
