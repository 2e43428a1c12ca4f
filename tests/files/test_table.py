"""CSV tables: what is names and what is numbers, what a row is, and what is refused."""

from __future__ import annotations

import pytest

from prunus.atsp.formats import csv_matrix as distances
from prunus.atsp.problem import ATSP
from prunus.errors import InputError
from prunus.files.formats import Request
from prunus.files.textfile import TextFile
from prunus.flowshop.formats import csv_matrix as times
from prunus.flowshop.problem import FlowShop
from prunus.read import parse

TIMES = [[5, 3, 7], [6, 4, 8]]


def loads(text, kind=None):
    """Parse a text as the file t.csv, by what it is found to be or as it is said to be."""
    file = TextFile.from_text("t.csv", text)
    if kind == "cities":
        return distances.loads(file)
    if kind is None:
        return parse(file)
    layout = {"jobs": "by-job", "machines": "by-machine"}.get(kind)
    return times.loads(file, Request(layout=layout))


@pytest.mark.parametrize(
    ("text", "jobs", "machines"),
    [
        ("5,3,7\n6,4,8\n", None, None),
        ("5;3;7\r\n6;4;8\r\n", None, None),
        ("5\t3\t7\n6\t4\t8", None, None),
        ("5.0, 3 ,7e0\n\n 6,4.,8\n", None, None),
        ('"5","3","7"\n"6","4","8"\n', None, None),
        ("a,b,c\n5,3,7\n6,4,8\n", None, "abc"),
        ("x,5,3,7\ny,6,4,8\n", "xy", None),
        (",a,b,c\nx,5,3,7\ny,6,4,8\n", "xy", "abc"),
        ("job,a,b,c\nx,5,3,7\ny,6,4,8\n", "xy", "abc"),
        ("Job;a;b;c\n17;5;3;7\n12;6;4;8\n", ("17", "12"), "abc"),
        (",0,1,2\n0,5,3,7\n1,6,4,8\n", None, None),
        (",0,1,2\n7,5,3,7\n9,6,4,8\n", "79", None),
        ("id,a,b,c\n1,5,3,7\n2,6,4,8\n", "12", "abc"),
        ('what,"a","b","c"\n"x",5,3,7\n"y",6,4,8\n', "xy", "abc"),
        ("machine,x,y\na,5,6\nb,3,4\nc,7,8\n", "xy", "abc"),
    ],
)
def test_layouts_of_one_flow_shop(text, jobs, machines):
    """All usual ways to write the same two jobs on three machines are read alike."""
    problem = loads(text)
    assert isinstance(problem, FlowShop)
    assert problem.processing_times.tolist() == TIMES
    assert problem.job_names == (None if jobs is None else tuple(jobs))
    assert problem.machine_names == (None if machines is None else tuple(machines))
    assert loads(text, "flowshop").processing_times.tolist() == TIMES


def test_rows_may_be_machines_on_request():
    """With rows said to be machines the matrix is turned, names included."""
    problem = loads(",x,y\na,5,6\nb,3,4\nc,7,8\n", "machines")
    assert problem.processing_times.tolist() == TIMES
    assert (problem.job_names, problem.machine_names) == (("x", "y"), ("a", "b", "c"))


@pytest.mark.parametrize(
    "text",
    [
        "0,1,2\n3,0,4\n5,6,0\n",
        ",1,2\n3,,4\n5,6,\n".replace(",1", "-,1", 1),
        "inf;1;2\n3;inf;4\n5;6;inf\n",
        "nan,1,2\n3,nan,4\n5,6,nan\n",
        "city,A,B,C\nA,0,1,2\nB,3,0,4\nC,5,6,0\n",
        ",A,B,C\nA,,1,2\nB,3,,4\nC,5,6,\n",
        "A,B,C\n0,1,2\n3,0,4\n5,6,0\n",
        "A,0,1,2\nB,3,0,4\nC,5,6,0\n",
    ],
)
def test_layouts_of_one_atsp(text):
    """Distances are read with any diagonal, with names or without."""
    problem = loads(text, "cities")
    assert isinstance(problem, ATSP)
    assert problem.distances.tolist() == [[0, 1, 2], [3, 0, 4], [5, 6, 0]]
    assert problem.city_names in (None, ("A", "B", "C"))
    assert (problem.city_names is None) == ("A" not in text)


def test_corner_city_means_distances():
    """A table whose first cell says city is an ATSP without being told."""
    assert isinstance(loads("city,0,1\n0,0,5\n1,6,0\n"), ATSP)


@pytest.mark.parametrize(
    "text", ["0,1\n2,0\n", ",A,B\nA,3,1\nB,2,4\n", "-,1\n2,-\n", ",A,B\nA,0,1\nB,2,0\n"]
)
def test_what_looks_like_distances_is_not_guessed(text):
    """A square table with a zero diagonal or equal names asks which problem it is."""
    with pytest.raises(
        InputError, match=r"this may be a flow shop, an ATSP.* or an assignment problem; say which"
    ):
        loads(text)
    assert isinstance(loads(text, "cities"), ATSP)


def test_a_square_table_of_times_is_a_flow_shop_with_a_row_a_job():
    """Nothing speaks for distances: rows are jobs, as in FlowShop itself."""
    assert loads("1,2,3\n4,5,6\n7,8,9\n").processing_times.tolist()[0] == [1, 2, 3]


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("5\n6\n7\n", (3, 1)),
        ("5,6,7\n", (1, 3)),
        ("x,5,6\n", (1, 2)),
        ("a\n5\n6\n", (2, 1)),
        ("x,5\ny,6\n", (2, 1)),
        ("a,b\n5,6\n", (1, 2)),
        ("what,a\nx,5\n", (1, 1)),
        ("5", (1, 1)),
    ],
)
def test_single_rows_and_columns(text, shape):
    """One job or one machine, with a name or without."""
    problem = loads(text, "flowshop")
    assert problem.processing_times.shape == shape
    if shape[1] == 1:
        with pytest.raises(InputError, match=r"this may be a flow shop.*; say which it is"):
            loads(text)


@pytest.mark.parametrize(
    ("text", "kind", "complaint"),
    [
        ("5,3\n6\n", None, "line 2: 1 cells, but line 1 has 2"),
        ("5,3\n6,4,\n", None, "line 2: 3 cells"),
        ("5,3\n6,\n", None, "line 2: column 2 is empty"),
        ("5,3\n\n6,-4\n", None, "line 3: column 2: processing time -4 is negative"),
        ("5,3\n6,-1\n", None, "line 2: column 2: processing time -1 is negative"),
        ("5,3\n6,4.5\n", None, "line 2: column 2: '4.5' is not a whole number"),
        ("5.5,3\n6,4.25\n", None, "line 1: .*'5.5' is not a whole .* by 100 and round"),
        ("5;3\n6;4,5\n", None, "line 2: column 2: '4,5' is not a number"),
        ("5,3\n6,nan\n", None, "line 2: column 2: 'nan' is not a finite"),
        ("5,3\n6,x\n", None, "line 2: column 2: 'x' is not a number"),
        ("a,b\nx,5\ny,z\n", "flowshop", "line 3: column 2: 'z' is not a number"),
        (",a,\nx,5,6\ny,7,8\n", None, "line 1: the name of column 3 is empty"),
        (",a,b\nx,5,6\n,7,8\n", None, "line 3: the name of the row is empty"),
        ("a,b\n", None, "no numbers"),
        ("foo,5\n6,7\n", None, "line 1: column 1: 'foo' is not a number"),
        ("5,x\n6,7\n", None, "line 1: column 2: 'x' is not a number"),
        ("5,x,y\n6,7,8\n", None, "line 1: column 2: 'x' is not a number"),
        ("5,-,3\n6,7,8\n", None, "line 1: column 2: '-' is not a number"),
        ("5,,3\n6,7,8\n", None, "line 1: column 2 is empty"),
        ("5,3\nx,7\n", None, "line 2: column 1: 'x' is not a number"),
        ("a,2,c\n5,6,7\n", None, "line 1: column 1: 'a' is not a number"),
        ("a\nb\n", None, "no numbers"),
        ('5,"3\n6,4\n', None, "not a CSV file"),
        ("5,3\n6,4\nThe end\n", None, "line 3: 1 cells"),
        # Labels that pandas writes for a frame without names would be taken for a job.
        ("0,1,2\n5,3,7\n6,4,8\n", None, "first row is 0, 1, 2"),
        ("0,5,3\n1,6,4\n2,7,8\n", None, "first column is 0, 1, 2"),
        ("nonce,a,b\n1,5,3\n2,6,4\n3,7,8\n", None, "first column is 1, 2, 3"),
        # A lost first number would turn numbers into names.
        (",3,7\n6,4,8\n", None, "the first cell is empty"),
        (",5,3\n5,,2\n3,2,\n", "cities", "the first cell is empty"),
        ("0,1,2\n3,0,4\n", "cities", "must be square"),
        (",A,B\nB,0,1\nA,2,0\n", "cities", "different names"),
        ("0,1\n,0\n", "cities", "line 2: column 1 is empty"),
        ("0,inf\n1,0\n", "flowshop", "line 1: column 2: 'inf' is not a finite"),
        ("city,a,b\na,0,1\nb,1,0\n", "flowshop", "the kind 'city'"),
        ("machine,a,b\nx,0,1\ny,1,0\n", "jobs", "rows are machines"),
        ("job,a,b\na,0,1\nb,1,0\n", "cities", "the kind 'job'"),
    ],
)
def test_every_defect_is_named_with_its_place(text, kind, complaint):
    """Ragged, incomplete, foreign or ambiguous tables are refused, naming line and column."""
    with pytest.raises(InputError, match=f"^t.csv.*{complaint}"):
        loads(text, kind)


def test_pandas_round_trip(tmp_path):
    """What pandas writes with its defaults is read back as the frame it came from."""
    pandas = pytest.importorskip("pandas")
    for frame in (
        pandas.DataFrame(TIMES, index=["x", "y"], columns=["a", "b", "c"]),
        pandas.DataFrame(TIMES),
        pandas.DataFrame([[0]]),
        pandas.DataFrame([[1.0, 2.0], [3.0, 0.0]]).iloc[[1, 0]],
    ):
        expected = FlowShop(frame)
        problem = loads(frame.to_csv(), "flowshop")
        assert problem.processing_times.tolist() == expected.processing_times.tolist()
        assert problem.job_names == expected.job_names
        assert problem.machine_names == expected.machine_names


def test_names_with_delimiters_and_quotes_come_back():
    """A name may hold commas, semicolons and quotation marks, in any format of table."""
    names = ["a;b", 'say "c"', "d,e", '"f"']
    problem = FlowShop([[1, 2, 3, 4]] * 4, job_names=names, machine_names=names[::-1])
    for separator in (",", "\t"):
        copy = loads(times.dumps(problem, separator))
        assert copy.job_names == tuple(names)
        assert copy.machine_names == tuple(names[::-1])
