"""Assignment problems as tables: read with their names, written and read back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from prunus.assignment.formats import csv_matrix as assignment_csv
from prunus.assignment.problem import Assignment
from prunus.errors import InputError
from prunus.files.textfile import TextFile
from prunus.read import read
from prunus.write import write

_shapes = array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=5)
_whole = arrays(np.int64, _shapes, elements=st.integers(-(2**40), 2**40))
_decimal = arrays(np.float64, _shapes, elements=st.floats(-1e12, 1e12) | st.just(float("inf")))


@given(_whole | _decimal, st.sampled_from(",\t"))
def test_round_trip(values: Any, separator: str) -> None:
    """Every matrix comes back, with the same numbers."""
    text = assignment_csv.dumps(Assignment(values), separator)
    copy = assignment_csv.loads(TextFile.from_text("x.csv", text))
    assert copy.matrix is not None
    assert copy.agent_names is None
    assert copy.job_names is None
    assert np.array_equal(copy.matrix, values)


def test_names_come_back(tmp_path: Path) -> None:
    """The first cell says what it is, so that nobody need; the names are kept."""
    path = tmp_path / "crew.csv"
    problem = Assignment([[4, 1], [2, 7]], agent_names=["Ann", "Bo, jr"], job_names=["1", "roof"])
    write(problem, path)
    copy = read(path)
    assert isinstance(copy, Assignment)
    assert (copy.agent_names, copy.job_names) == (("Ann", "Bo, jr"), ("1", "roof"))
    assert (copy.name, copy.evaluate([1, 0])) == ("crew", 3)


def test_a_bare_table_is_one_if_it_is_said(tmp_path: Path) -> None:
    """``kind`` says what a table of numbers is; fractions and forbidden pairs are fine."""
    path = tmp_path / "costs.csv"
    path.write_text("4,1.5\ninf,7\n")
    problem = read(path, kind="assignment")
    assert isinstance(problem, Assignment)
    assert problem.evaluate([0, 1]) == 11
    with pytest.raises(InputError, match="whole"):
        read(path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("agent,a,b\nAnn,1\n", "cells"),
        ("agent,a,b\nAnn,1,\n", "line 2: column 3 is empty; write inf"),
        ("agent,a,b\nAnn,1,x\n", "line 2: column 3 is 'x'"),
        ("agent,a,b\nAnn,1,nan\n", "'nan'"),
        ("agent,a,b\nAnn,1,-inf\n", "'-inf'"),
        ("agent,a,b\nAnn,1,1e999\n", "'1e999'"),
        ("agent,a,b\nAnn,9007199254740993,0.5\n", "2\\*\\*53"),
        ("job,a,b\nAnn,1,2\n", "a flow shop, not an assignment problem"),
        ("agent,a,b\n", "no numbers"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, words: str) -> None:
    """With the line and the column."""
    path = tmp_path / "x.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=words):
        read(path, kind="assignment")


def test_agents_are_neither_jobs_nor_cities(tmp_path: Path) -> None:
    """A table that says what it is is not read as something else."""
    path = tmp_path / "x.csv"
    path.write_text("agent,a,b\nAnn,1,2\nBo,3,4\n")
    for kind in ("flowshop", "flowshop-by-job", "atsp"):
        with pytest.raises(InputError, match="an assignment problem, not a"):
            read(path, kind=kind)


def test_what_a_table_cannot_hold() -> None:
    """One full matrix that is minimised, nothing else."""
    for problem in (
        Assignment([[1, 2]], maximize=True),
        Assignment(np.ones((2, 2, 2))),
        Assignment.from_arcs(1, 2, [0], [1], [5]),
    ):
        with pytest.raises(InputError, match="one full matrix"):
            assignment_csv.dumps(problem)


def test_whole_numbers_of_64_bits_stay_whole() -> None:
    """Beyond 2**62 as well; longer ones are refused, and not turned into rounded floats."""
    for value in (2**62, 2**62 + 1, 2**63 - 1, -(2**63)):
        copy = assignment_csv.loads(TextFile.from_text("x.csv", f"agent,a,b\nx,{value},1\ny,2,3\n"))
        assert copy.matrix is not None
        assert copy.matrix.dtype == np.int64
        assert int(copy.matrix[0, 0]) == value
    for value in (2**63, -(2**63) - 1, 10**40):
        with pytest.raises(InputError, match="more than 64 bits"):
            assignment_csv.loads(TextFile.from_text("x.csv", f"agent,a,b\nx,{value},1\ny,2,3\n"))
