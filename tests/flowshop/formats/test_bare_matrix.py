"""Bare matrices: which way round they are read, and what is refused."""

from __future__ import annotations

import pytest

from prunus.errors import InputError
from prunus.files.formats import Request
from prunus.files.textfile import TextFile
from prunus.flowshop.formats import bare_matrix as barematrix
from prunus.flowshop.problem import FlowShop


def loads(text, rows=None):
    """Parse a text as the file t.txt."""
    file = TextFile.from_text("t.txt", text)
    assert barematrix.recognises(file)
    layout = None if rows is None else f"by-{rows[:-1]}"
    return barematrix.loads(file, Request(layout=layout)).processing_times.tolist()


def test_shape_decides_what_a_line_is():
    """Three jobs on two machines read the same with a line a machine or a line a job."""
    assert loads("3 2\n1 2 3\n4 5 6\n") == [[1, 4], [2, 5], [3, 6]]
    assert loads("3 2\n1 4\n2 5\n3 6\n") == [[1, 4], [2, 5], [3, 6]]


def test_square_is_read_machine_by_machine_unless_told():
    """A square matrix follows Taillard's files, and the other way is there on request."""
    assert loads("2 2\n1 2\n3 4\n") == [[1, 3], [2, 4]]
    assert loads("2 2\n1 2\n3 4\n", "machines") == [[1, 3], [2, 4]]
    assert loads("2 2\n1 2\n3 4\n", "jobs") == [[1, 2], [3, 4]]


def test_one_job_one_machine():
    """The smallest shapes are read whichever way they are written."""
    assert loads("1 1\n7") == [[7]]
    assert loads("1 3\n7\n8\n9") == [[7, 8, 9]]
    assert loads("1 3\n7 8 9") == [[7, 8, 9]]
    assert loads("3 1\n7 8 9") == [[7], [8], [9]]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("3 2", "3 jobs on 2 machines is missing"),
        ("3 2\n1 2 3", "line 2: the matrix ends after 1 of 2 rows"),
        ("3 2\n1 2 3\n4 5", "line 3: 2 numbers, expected 3"),
        ("3 2\n1 2 3 4\n4 5 6", "not VFR|line 2: 4 numbers"),
        ("3 2\n1 2 3\n4 5 6\n7 8 9", "line 4: unexpected '7 8 9'"),
        ("3 2\n1 2 3\n4 5 -6", "line 3: processing time -6 is negative"),
        ("0 2\n1 2 3\n4 5 6", "line 1: the number of jobs is 0"),
        ("-3 2\n1 2 3\n4 5 6", "line 1: the number of jobs is -3"),
        ("99999999999 99999999999\n1", "line 2: 1 numbers, expected 99999999999"),
    ],
)
def test_every_defect_is_named_with_its_line(text, complaint):
    """A matrix that does not fill its shape exactly is refused."""
    file = TextFile.from_text("t.txt", text)
    with pytest.raises(InputError, match=complaint):
        barematrix.loads(file)


def test_matrix_that_would_read_as_vfr_is_written_the_other_way_or_not():
    """Times that look like numbers of machines never come back as another problem."""
    problem = FlowShop([[0, 0], [5, 6], [1, 1], [7, 8]])
    file = TextFile.from_text("t.txt", barematrix.dumps(problem))
    assert barematrix.recognises(file)
    assert barematrix.loads(file).processing_times.tolist() == problem.processing_times.tolist()
    square = FlowShop([[0, 0, 0, 0], [5, 6, 7, 8], [1, 1, 1, 1], [7, 8, 9, 9]])
    with pytest.raises(InputError, match="read as a VFR file"):
        barematrix.dumps(square)
