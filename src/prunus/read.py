"""Read a problem from a file or by its name: which format it is, and nothing else."""

from __future__ import annotations

import os
import re

from prunus.assignment.formats import csv_matrix as assignment_csv
from prunus.assignment.formats import dimacs as assignment_dimacs
from prunus.assignment.problem import Assignment
from prunus.atsp.formats import tsplib
from prunus.atsp.problem import ATSP
from prunus.errors import InputError
from prunus.files import csvmatrix
from prunus.files.paths import path_text
from prunus.files.textfile import TextFile
from prunus.flowshop.formats import bare_matrix as barematrix
from prunus.flowshop.formats import taillard, vfr
from prunus.flowshop.formats.grid import Rows
from prunus.flowshop.problem import FlowShop
from prunus.instance_names import build, looks_like_a_name, published_name
from prunus.knapsack.formats import csv_table as knapsack_csv
from prunus.knapsack.formats import series as knapsack_series
from prunus.knapsack.formats import text as knapsack_text
from prunus.knapsack.problem import Knapsack
from prunus.model.spec import Problem
from prunus.subsetsum.formats import csv_table as subsetsum_csv
from prunus.subsetsum.formats import json_object as subsetsum_json
from prunus.subsetsum.formats import text as subsetsum_text
from prunus.subsetsum.problem import SubsetSum

__all__ = ["KINDS", "KINDS_TEXT", "read"]

KINDS = (
    "flowshop",
    "flowshop-by-job",
    "flowshop-by-machine",
    "atsp",
    "knapsack",
    "subsetsum",
    "assignment",
)
"""What a file may be said to hold."""

KINDS_TEXT = f"{', '.join(KINDS[:-1])} or {KINDS[-1]}"
"""The same, for a sentence."""

_CLASSES = {"atsp": ATSP, "knapsack": Knapsack, "subsetsum": SubsetSum, "assignment": Assignment}

_KNOWN = (
    "Taillard's text ('number of jobs, …'), a bare matrix (first line: jobs machines), VFR, "
    "TSPLIB ATSP, DIMACS assignment ('p asn'), "
    "knapsacks of kplib and of Pisinger's and Jooken's generators, "
    "subset sums (number of items, weights, target; or JSON), CSV (commas, semicolons or tabs)"
)


def read(source: str | os.PathLike[str], *, kind: str | None = None) -> Problem:
    """Read a problem from a file, or generate it from its name.

    Parameters
    ----------
    source
        The path of a file, or a name: ``"ta001"`` to ``"ta120"`` (Taillard's flow shops),
        ``"taillard:50:20:SEED"``, ``"queens:16"``, ``"crane:15:SEED"``, ``"tsmat:15:SEED"``,
        ``"knapsack:strongly:1000:1000:SEED"``, ``"subsetsum:48:50:SEED"`` and others, which
        ``prunus generate`` lists. Where both exist, the file is read. Of a file with several
        instances, ``"tai20_5.txt#3"`` is the third.

        The format is recognised by the content: Taillard's text and bare matrices, VFR, TSPLIB
        ATSP with a full matrix, CSV with or without names; DIMACS assignment (``p asn``), or a
        CSV table whose first cell is ``agent``;
        knapsacks of kplib (.kp), of Pisinger's and of Jooken's generators, and as CSV with columns
        ``profit`` and ``weight`` and a row ``capacity``; subset sums as text (the number of items,
        the weights, the target), as JSON
        (``{"weights": […], "target": …}``) and as CSV (a name and a weight a row, and a row
        ``target``).
    kind
        What the file holds, where its content leaves it open: ``"flowshop"``; ``"atsp"``;
        ``"knapsack"``; ``"subsetsum"``; ``"assignment"``; ``"flowshop-by-job"`` or
        ``"flowshop-by-machine"``, which say what a row of the matrix is.
        By default a CSV table is a flow shop with a row for each job, unless its first cell says
        otherwise; and a square matrix without names, whose shape does not tell, has a row for each
        machine, as Taillard published his.

    Returns
    -------
    FlowShop, ATSP, Knapsack, SubsetSum, Assignment or NQueens
        Named after the file or the name.

    Raises
    ------
    InputError
        Naming the file and the line, if there is no such file or name, or if the content is
        truncated, superfluous, not numbers, or of a format that is not known.

    Examples
    --------
    >>> read("ta056")
    FlowShop('ta056', 50 jobs × 20 machines)
    """
    if kind is not None and not (isinstance(kind, str) and kind in KINDS):
        raise InputError(f"kind must be one of {', '.join(KINDS)}, got {kind!r}")
    path = path_text(source)
    problem: Problem
    if isinstance(source, str) and not _exists(path) and _is_name(path):
        problem = build(path)
    else:
        problem = _read_file(path, kind)
    wanted = None if kind is None else _CLASSES.get(kind, FlowShop)
    if wanted is not None and not isinstance(problem, wanted):
        raise InputError(f"{path} is {_an(problem)}, not {_an(wanted)} as kind={kind!r} says")
    return problem


def _exists(path: str) -> bool:
    return os.path.exists(path) or os.path.isfile(_split_index(path)[0])


def _is_name(text: str) -> bool:
    """Tell a name from the path of a file that is missing: a path has a folder or a suffix."""
    return looks_like_a_name(text) or not ("/" in text or os.sep in text or "." in text)


def _split_index(path: str) -> tuple[str, int | None]:
    match = re.fullmatch(r"(.+)#([0-9]{1,6})", path, re.DOTALL)
    return (path, None) if match is None or os.path.exists(path) else (match[1], int(match[2]))


def _read_file(path: str, kind: str | None) -> FlowShop | ATSP | Knapsack | SubsetSum | Assignment:
    path, index = _split_index(path)
    if not os.path.exists(path):
        name = published_name(os.path.splitext(os.path.basename(path))[0])
        hint = f"; the instance {name} needs none, just say {name}" if name else ""
        raise InputError(f"there is no file {path}{hint}")
    file = TextFile.load(path)
    try:
        return _parse(file, index, kind)
    except InputError as error:
        if str(error.args[0]).startswith(path):
            raise
        raise file.error(str(error)) from None  # from the problem itself, which knows no file


def _parse(
    file: TextFile, index: int | None, kind: str | None
) -> FlowShop | ATSP | Knapsack | SubsetSum | Assignment:
    rows: Rows | None = None
    if kind in ("flowshop-by-job", "flowshop-by-machine"):
        rows = "jobs" if kind == "flowshop-by-job" else "machines"
    arcs = assignment_dimacs.recognises(file)  # first: such files are large, and one line tells
    if not arcs and taillard.recognises(file):
        return taillard.loads(file, index, rows)
    if not arcs and knapsack_series.recognises(file):
        return knapsack_series.loads(file, index)
    if index is not None:
        raise file.error(f"the file holds one instance; leave out #{index}")
    if arcs:
        return assignment_dimacs.loads(file)
    if (kind == "assignment" and csvmatrix.recognises(file)) or (
        kind is None and assignment_csv.recognises(file)
    ):
        return assignment_csv.loads(file)
    if tsplib.recognises(file):
        return tsplib.loads(file)
    if subsetsum_json.recognises(file):
        return subsetsum_json.loads(file)
    if subsetsum_csv.recognises(file) or (kind == "subsetsum" and csvmatrix.recognises(file)):
        return subsetsum_csv.loads(file)
    if kind == "subsetsum" or (kind is None and subsetsum_text.recognises(file)):
        return subsetsum_text.loads(file)
    if knapsack_csv.recognises(file):
        return knapsack_csv.loads(file)
    if knapsack_text.recognises(file):
        return knapsack_text.loads(file)
    table = csvmatrix.certain(file)
    if not table and vfr.recognises(file):
        return vfr.loads(file)
    if not table and barematrix.recognises(file):
        return barematrix.loads(file, rows)
    if csvmatrix.recognises(file):
        if kind == "atsp":
            return csvmatrix.loads(file, "cities")
        return csvmatrix.loads(file, rows or ("flowshop" if kind else None))
    raise file.error(
        f"not a format that prunus knows: it begins with {file.lines[0].text.strip()[:40]!r}. "
        f"Known are {_KNOWN}"
    )


def _an(problem: object) -> str:
    """Name the kind of a problem, given it or its class, in words."""
    kind = problem if isinstance(problem, type) else type(problem)
    words = {"FlowShop": "a flow shop", "ATSP": "an ATSP", "Knapsack": "a knapsack"}
    words |= {"SubsetSum": "a subset sum", "Assignment": "an assignment problem"}
    return words.get(kind.__name__, "an n-queens problem")
