"""DIMACS assignment files: read, written and read again, refused with the line that is wrong."""

import numpy as np
import pytest

import prunus
from prunus import Assignment
from prunus.files.textfile import TextFile
from prunus.read import parse
from tests.reading import read

FULL = "c two by two\np asn 4 4\nn 1\nn 2\na 1 3 4\na 1 4 1\na 2 3 2\na 2 4 -7\n"


def load(tmp_path, text):
    path = tmp_path / "duo.asn"
    path.write_text(text)
    return read(path)


def test_a_full_file_is_a_matrix(tmp_path):
    """Every arc is there, so the values are a matrix of integers, named after the file."""
    problem = load(tmp_path, FULL)
    assert problem.matrix.tolist() == [[4, 1], [2, -7]]
    assert problem.name == "duo"
    assert prunus.solve(problem).objective == -3


def test_missing_arcs_are_forbidden(tmp_path):
    """Without one arc the problem is sparse."""
    problem = load(tmp_path, FULL.replace("asn 4 4", "asn 4 3").replace("a 2 4 -7\n", ""))
    assert problem.matrix is None
    assert prunus.solve(problem).solution.tolist() == [1, 0]


def test_agents_are_any_nodes_in_any_order(tmp_path):
    """Rows are agents as their lines come, columns the other nodes by number; a comment or not."""
    text = "p asn 5 6\nn 4\nn 2\na 4 1 1\na 4 3 2\na 4 5 3\na 2 1 4\na 2 3 5\na 2 5 6\n"
    for words in (text, text.replace("a 2 1", "c slow\na 2 1")):
        assert load(tmp_path, words).matrix.tolist() == [[1, 2, 3], [4, 5, 6]]


def test_written_and_read_again(tmp_path):
    """Dense and sparse problems come back as they were."""
    rng = np.random.default_rng(1)
    for problem in (
        prunus.Assignment(rng.integers(-5, 5, (4, 6))),
        prunus.Assignment.from_arcs(3, 3, [0, 1, 2], [2, 1, 0], [5, 6, 7]),
    ):
        prunus.write(problem, tmp_path / "again.asn")
        again = read(tmp_path / "again.asn", kind="assignment")
        assert (again.agents, again.jobs) == (problem.agents, problem.jobs)
        assert prunus.solve(again).objective == prunus.solve(problem).objective


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("a 2 4 -7\n", "", "there are 3 arcs, and the first line says 4"),
        ("asn 4 4", "asn 4 3", "there are 4 arcs, and the first line says 3"),
        ("a 1 4 1", "a 1 3 1", "line 6: the arc from 1 to 3 is given twice"),
        ("a 1 4 1", "a 3 4 1", "line 6: an arc must go from an agent"),
        ("a 1 4 1", "a 1 2 1", "line 6: an arc must go from an agent"),
        ("a 1 4 1", "a 1 5 1", "line 6: node 5 is beyond the 4 nodes"),
        ("a 1 4 1", "a 1 4 1.5", "line 6: '1.5' is not a whole number"),
        ("n 2", "n 1", "line 4: node 1 is given twice"),
        ("n 2", "x 2", "line 4: expected"),
        ("p asn 4 4", "p asn 4", "line 2: the first line must be"),
    ],
)
def test_damaged_files_are_refused(tmp_path, old, new, words):
    """In a sentence with the line."""
    with pytest.raises(prunus.InputError) as caught:
        load(tmp_path, FULL.replace(old, new))
    assert words in str(caught.value)


def test_an_arc_between_agents_is_refused_where_all_else_is_right(tmp_path):
    """Also where the arcs are read all at once, and as many as the first line says."""
    text = "p asn 4 3\nn 1\nn 2\na 1 2 1\na 2 3 2\na 2 4 3\n"
    with pytest.raises(prunus.InputError, match=r"line 4: .* this goes from 1 to 2"):
        load(tmp_path, text)


def test_what_the_format_cannot_hold_is_refused(tmp_path):
    """Fractions and maximisation have no place in it."""
    for problem in (prunus.Assignment([[0.5]]), prunus.Assignment([[1]], maximize=True)):
        with pytest.raises(prunus.InputError, match="DIMACS"):
            prunus.write(problem, tmp_path / "no.asn")


def test_a_large_file_is_told_by_its_first_lines() -> None:
    """No format that is asked before splits all of its lines: that took four times the reading."""
    file = TextFile.from_text("x.asn", "p asn 2 1\nn 1\na 1 2 3\n")
    assert isinstance(parse(file), Assignment)
    assert "lines" not in vars(file)
