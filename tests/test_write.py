"""write: the suffix chooses the format, and what does not fit is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest

from prunus.atsp.problem import ATSP
from prunus.errors import InputError
from prunus.flowshop.problem import FlowShop
from prunus.nqueens.problem import NQueens
from prunus.read import read
from prunus.write import write

SHOP = FlowShop([[1, 4], [2, 5], [3, 6]], job_names=["a", "b", "c"])
TOUR = ATSP([[0, 1], [2, 0]], city_names=["A", "B"])


@pytest.mark.parametrize(
    ("problem", "name", "start"),
    [
        (SHOP, "x.txt", "number of jobs"),
        (SHOP, "x", "number of jobs"),
        (SHOP, "x.csv", "job,0,1\na,1,4\n"),
        (SHOP, "x.TSV", "job\t0\t1\na\t1\t4\n"),
        (TOUR, "x.atsp", "NAME: unnamed\nTYPE: ATSP\n"),
        (TOUR, "x.txt", "NAME: unnamed\nTYPE: ATSP\n"),
        (TOUR, "x.csv", "city,A,B\nA,0,1\nB,2,0\n"),
    ],
)
def test_suffix_chooses_the_format(tmp_path, problem, name, start):
    """.csv and .tsv give tables, anything else the format of the field; all read back."""
    path = tmp_path / name
    write(problem, path)
    assert path.read_text().startswith(start)
    copy = read(path)
    assert type(copy) is type(problem)
    matrix = "distances" if isinstance(problem, ATSP) else "processing_times"
    assert np.array_equal(getattr(copy, matrix), getattr(problem, matrix))


@pytest.mark.parametrize("problem", [SHOP, TOUR, NQueens(8)])
def test_json_is_json(tmp_path, problem):
    """Every problem is written as JSON to a file that ends so."""
    write(problem, tmp_path / "x.json")
    assert "problem" in json.loads((tmp_path / "x.json").read_text())
    assert type(read(tmp_path / "x.json")) is type(problem)


def test_text_is_not_written_to_a_workbook(tmp_path):
    """A suffix of a format that is no text is refused, where Taillard's text was written."""
    with pytest.raises(InputError, match=r"not as \.xlsx; name a file \.csv or \.tsv or \.json"):
        write(SHOP, tmp_path / "shop.xlsx")
    assert not any(tmp_path.iterdir())


def test_format_goes_before_the_suffix(tmp_path):
    """An explicit format is written whatever the suffix."""
    write(SHOP, tmp_path / "x.csv", format="vfr")
    assert (tmp_path / "x.csv").read_text().split() == [
        "3",
        "2",
        "0",
        "1",
        "1",
        "4",
        "0",
        "2",
        "1",
        "5",
        "0",
        "3",
        "1",
        "6",
    ]
    write(SHOP, str(tmp_path / "x.csv"), format="matrix")
    assert (tmp_path / "x.csv").read_text() == "3 2\n1 2 3\n4 5 6\n"


@pytest.mark.parametrize(
    ("problem", "options", "complaint"),
    [
        (SHOP, {"format": "tsplib"}, "a flow shop is written as taillard, .*got 'tsplib'"),
        (TOUR, {"format": "vfr"}, "an ATSP is written as tsplib"),
        (SHOP, {"format": "xml"}, "got 'xml'"),
        (SHOP, {"format": ["csv"]}, r"got \['csv'\]"),
        (NQueens(8), {"format": "csv"}, "N-Queens is written as json"),
        ([[1]], {}, "a problem is one of .*not list"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path, problem, options, complaint):
    """A format of another problem, and what has no file format, is refused; nothing is written."""
    with pytest.raises(InputError, match=complaint):
        write(problem, tmp_path / "x", **options)
    assert not (tmp_path / "x").exists()


def test_bad_targets_are_refused(tmp_path):
    """A directory, a missing folder and nothing at all are no places to write to."""
    for target in (tmp_path, tmp_path / "no" / "x", "", None):
        with pytest.raises(InputError):
            write(SHOP, target)
