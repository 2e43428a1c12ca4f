"""Taillard's text format: published files, several instances, shapes, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.errors import InputError
from prunus.files.formats import Request
from prunus.files.textfile import TextFile
from prunus.flowshop.formats import taillard
from prunus.flowshop.problem import FlowShop

HEAD = "number of jobs, number of machines, initial seed, upper bound and lower bound :\n"
FIRST = HEAD + "  3  2  1  9  8\nprocessing times :\n 1 2 3\n 4 5 6\n"
SECOND = HEAD + "  2  2  5  9  8\nprocessing times :\n 7 8\n 9 10\n"


def loads(text, index=None, layout=None):
    """Parse a text as the file t.txt."""
    return taillard.loads(TextFile.from_text("dir/t.txt", text), Request(index, layout))


def test_lines_are_machines():
    """A line of a published file belongs to a machine; the problem is named after the file."""
    problem = loads(FIRST)
    assert problem.processing_times.tolist() == [[1, 4], [2, 5], [3, 6]]
    assert problem.name == "t"


def test_lines_may_be_jobs_where_the_shape_tells():
    """A matrix with a line a job is recognised when it is not square, and on request."""
    text = HEAD + "3 2 1 9 8\nprocessing times :\n1 4\n2 5\n3 6\n"
    assert loads(text).processing_times.tolist() == [[1, 4], [2, 5], [3, 6]]
    assert loads(SECOND).processing_times.tolist() == [[7, 9], [8, 10]]
    assert loads(SECOND, None, "by-job").processing_times.tolist() == [[7, 8], [9, 10]]


def test_ends_of_lines_and_blank_lines_do_not_matter():
    """DOS line ends, blank lines, capitals and blanks at the ends change nothing."""
    text = "\n\n" + FIRST.replace("\n", "  \r\n\r\n").replace("number of", "Number of", 1)
    assert loads(text).processing_times.tolist() == [[1, 4], [2, 5], [3, 6]]


def test_several_instances_must_be_chosen_from():
    """A file of ten asks for a choice and says how; each is found, and named with its number."""
    with pytest.raises(
        InputError, match=r"2 instances; choose one with dir/t.txt#1 to dir/t.txt#2"
    ):
        loads(FIRST + SECOND)
    assert loads(FIRST + SECOND, 1).jobs == 3
    second = loads(FIRST + SECOND, 2)
    assert second.processing_times.tolist() == [[7, 9], [8, 10]]
    assert second.name == "t#2"
    for index in (0, 3):
        with pytest.raises(InputError, match=f"no instance #{index}"):
            loads(FIRST + SECOND, index)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        (" 4 5 6\n", "", "line 4: the matrix ends after 1 of 2 rows"),
        ("1 2 3\n 4 5 6\n", "", "matrix .* is missing"),
        (" 1 2 3\n 4 5 6\n", " 1 2 3\n 4 5\n", "line 5: 2 numbers, expected 3"),
        (" 4 5 6\n", " 4 5 6 7\n", "line 5: 4 numbers, expected 3"),
        (" 4 5 6\n", " 4 5 6\n 7 8 9\n", "line 6: unexpected '7 8 9'"),
        (" 4 5 6\n", " 4 5 6\nthe end\n", "line 6: unexpected 'the end'"),
        ("4 5 6", "4 x 6", "line 5: 'x' is not a number"),
        ("4 5 6", "4 5.5 6", "line 5: '5.5' is not a whole number"),
        ("4 5 6", "4 -5 6", "line 5: processing time -5 is negative"),
        ("4 5 6", "4 nan 6", "line 5: 'nan' is not a finite"),
        ("4 5 6", "4 1_0 6", "line 5: '1_0' is not a number"),
        ("4 5 6", f"4 {2**62} 6", "line 5.*too large"),
        ("  3  2  1  9  8\n", "  3  2  1  9\n", "line 2: expected 5 numbers .* got 4"),
        ("  3  2  1  9  8\n", "  3  0  1  9  8\n", "line 2: the number of machines is 0"),
        ("  3  2  1  9  8\n", "  4  2  1  9  8\n", "line 4: 3 numbers, expected 4"),
        ("  3  2  1  9  8\n", "  3000000000  2  1  9  8\n", "line 4: 3 numbers, expected"),
        ("processing times :\n", "", "line 3: expected the line 'processing times :'"),
        ("processing times :\n 1 2 3\n 4 5 6\n", "", "ends before its matrix"),
        (HEAD, "garbage\n" + HEAD, "line 1|expected the line"),
        (HEAD, "Nb of jobs, Nb of Machines, Time seed\n", "job shop"),
    ],
)
def test_every_defect_is_named_with_its_line(old, new, complaint):
    """Truncated, superfluous or foreign text is refused, naming file and line."""
    assert old in FIRST
    with pytest.raises(InputError, match=f"^dir/t.txt.*{complaint}"):
        loads(FIRST.replace(old, new))


def test_written_instance_of_his_own_equals_the_published_file():
    """ta001 is written with seed, best-known makespan and lower bound as Taillard's file has."""
    lines = taillard.dumps(taillard.instance("ta001")).splitlines()
    assert lines[0] + "\n" == HEAD
    assert lines[1].split() == ["20", "5", "873654221", "1278", "1232"]
    assert lines[3].split()[:5] == ["54", "83", "15", "71", "77"]
    assert len(lines) == 8


def test_written_instance_of_another_has_no_seed():
    """A matrix that only bears one of his names gets seed 0 and bounds that hold."""
    problem = FlowShop(taillard.instance("ta001").processing_times + 1, name="ta001")
    seed, upper, lower = map(int, taillard.dumps(problem).splitlines()[1].split()[2:])
    assert seed == 0
    assert lower <= upper == problem.evaluate(range(20))


def test_simple_lower_bound_is_below_every_makespan():
    """Over all orders of a small shop no makespan lies below the bound."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        problem = FlowShop(rng.integers(0, 20, (4, 3)))
        least = min(problem.evaluate(rng.permutation(4)) for _ in range(60))
        assert taillard.simple_lower_bound(problem) <= least
