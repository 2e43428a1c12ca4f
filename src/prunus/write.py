"""Write a problem to a file: which format, and nothing else."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from prunus.errors import InputError
from prunus.formats import atomic, barematrix, csvmatrix, taillard, tsplib, vfr
from prunus.formats.paths import path_text
from prunus.problems import ATSP, FlowShop, NQueens, Problem

__all__ = ["FORMATS", "write"]

_TABLES: dict[str, Callable[[Any], str]] = {
    "csv": csvmatrix.dumps,
    "tsv": lambda problem: csvmatrix.dumps(problem, "\t"),
}
_FLOW_SHOP: dict[str, Callable[[Any], str]] = {
    "taillard": taillard.dumps,
    "matrix": barematrix.dumps,
    "vfr": vfr.dumps,
    **_TABLES,
}
_ATSP: dict[str, Callable[[Any], str]] = {"tsplib": tsplib.dumps, **_TABLES}

FORMATS = tuple(_FLOW_SHOP | _ATSP)
"""What a problem may be written as."""


def write(problem: Problem, path: str | os.PathLike[str], *, format: str | None = None) -> None:
    """Write a problem to a file, so that :func:`prunus.read` gives it back.

    The file appears all at once, or not at all; an existing one is replaced. CSV keeps the names of
    jobs, machines and cities; the other formats have no place for them.

    Parameters
    ----------
    problem
        A FlowShop or an ATSP. (NQueens has no data: its name, ``"queens:16"``, is all.)
    path
        Where to.
    format
        For a flow shop ``"taillard"``, ``"matrix"`` (bare), ``"vfr"``, ``"csv"`` or ``"tsv"``, for
        an ATSP ``"tsplib"``, ``"csv"`` or ``"tsv"``. By default the suffixes .csv and .tsv mean
        these, and any other Taillard's or TSPLIB's format.

    Raises
    ------
    InputError
        If the format does not fit the problem, or the file cannot be written.
    """
    target = path_text(path)
    if isinstance(problem, NQueens):
        raise InputError(f"{problem.name} has no data to write; its name is all there is")
    if isinstance(problem, FlowShop):
        what, formats, default = "a flow shop", _FLOW_SHOP, "taillard"
    elif isinstance(problem, ATSP):
        what, formats, default = "an ATSP", _ATSP, "tsplib"
    else:
        raise InputError(f"only a FlowShop or an ATSP is written, got {type(problem).__name__}")
    if format is None:
        suffix = os.path.splitext(target)[1].lower()
        format = suffix[1:] if suffix in (".csv", ".tsv") else default
    if format not in formats:
        raise InputError(f"{what} is written as {', '.join(formats)}; got format={format!r}")
    atomic.write_text(target, formats[format](problem))
