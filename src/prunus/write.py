"""Write a problem to a file: which format, and nothing else."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from prunus.assignment.formats import csv_matrix as assignment_csv
from prunus.assignment.formats import dimacs as assignment_dimacs
from prunus.assignment.problem import Assignment
from prunus.atsp.formats import tsplib
from prunus.atsp.problem import ATSP
from prunus.errors import InputError
from prunus.files import atomic, csvmatrix
from prunus.files.paths import path_text
from prunus.flowshop.formats import bare_matrix as barematrix
from prunus.flowshop.formats import taillard, vfr
from prunus.flowshop.problem import FlowShop
from prunus.knapsack.formats import csv_table as knapsack_csv
from prunus.knapsack.formats import text as knapsack_text
from prunus.knapsack.problem import Knapsack
from prunus.model.spec import Problem
from prunus.nqueens.problem import NQueens
from prunus.subsetsum.formats import csv_table as subsetsum_csv
from prunus.subsetsum.formats import json_object as subsetsum_json
from prunus.subsetsum.formats import text as subsetsum_text
from prunus.subsetsum.problem import SubsetSum

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

_KNAPSACK: dict[str, Callable[[Any], str]] = {
    "kplib": knapsack_text.dumps,
    "csv": knapsack_csv.dumps,
    "tsv": lambda problem: knapsack_csv.dumps(problem, "\t"),
}

_SUBSET_SUM: dict[str, Callable[[Any], str]] = {
    "numbers": subsetsum_text.dumps,
    "json": subsetsum_json.dumps,
    "csv": subsetsum_csv.dumps,
    "tsv": lambda problem: subsetsum_csv.dumps(problem, "\t"),
}

_ASSIGNMENT: dict[str, Callable[[Any], str]] = {
    "dimacs": assignment_dimacs.dumps,
    "csv": assignment_csv.dumps,
    "tsv": lambda problem: assignment_csv.dumps(problem, "\t"),
}

FORMATS = tuple(_FLOW_SHOP | _ATSP | _KNAPSACK | _SUBSET_SUM | _ASSIGNMENT)
"""What a problem may be written as."""


def write(problem: Problem, path: str | os.PathLike[str], *, format: str | None = None) -> None:
    """Write a problem to a file, so that :func:`prunus.read` gives it back.

    The file appears all at once, or not at all; an existing one is replaced. CSV keeps the names of
    jobs, machines and cities; the other formats have no place for them.

    Parameters
    ----------
    problem
        A FlowShop, an ATSP, a Knapsack, a SubsetSum or an Assignment. (NQueens has no data: its
        name, ``"queens:16"``, is all.)
    path
        Where to.
    format
        For an assignment problem ``"dimacs"``, ``"csv"`` or ``"tsv"``.
        For a flow shop ``"taillard"``, ``"matrix"`` (bare), ``"vfr"``, ``"csv"`` or ``"tsv"``, for
        an ATSP ``"tsplib"``, ``"csv"`` or ``"tsv"``, for a knapsack ``"kplib"``, ``"csv"`` or
        ``"tsv"``, for a subset sum ``"numbers"``, ``"json"``, ``"csv"`` or ``"tsv"``. By default
        the suffixes .csv, .tsv and .json mean these, and any other Taillard's, TSPLIB's or kplib's
        format, or bare numbers.

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
    elif isinstance(problem, Knapsack):
        what, formats, default = "a knapsack", _KNAPSACK, "kplib"
    elif isinstance(problem, SubsetSum):
        what, formats, default = "a subset sum", _SUBSET_SUM, "numbers"
    elif isinstance(problem, Assignment):
        what, formats, default = "an assignment problem", _ASSIGNMENT, "dimacs"
    else:
        raise InputError(f"only problems are written, got {type(problem).__name__}")
    if format is None:
        suffix = os.path.splitext(target)[1].lower()[1:]
        format = suffix if suffix in ("csv", "tsv", "json") and suffix in formats else default
    if not isinstance(format, str) or format not in formats:
        raise InputError(f"{what} is written as {', '.join(formats)}; got format={format!r}")
    atomic.write_text(target, formats[format](problem))
