"""A file with a token that is lost or odd is read as what it was, or refused: never as another."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from prunus.assignment.problem import Assignment
from prunus.atsp.problem import ATSP
from prunus.errors import InputError
from prunus.flowshop.problem import FlowShop
from prunus.knapsack.problem import Knapsack
from prunus.read import read
from prunus.subsetsum.problem import SubsetSum
from prunus.write import format_names, write
from tests.fuzz.fuzzing import CASES

times = arrays(
    np.int64,
    array_shapes(min_dims=2, max_dims=2, max_side=5),
    elements=st.integers(0, 12) | st.integers(0, 2**50),
)
names = st.text(st.characters(codec="utf-8") | st.sampled_from(';," 1'), max_size=6).map(
    lambda text: "n" + "".join(c for c in " ".join(text.split()) if c.isprintable())
)


@st.composite
def problems(draw, least=2):
    """A small problem, with names or without, and a format that it can be written in.

    A single number is too little to tell formats apart once something is lost: `least` is how many
    there are.
    """
    matrix = draw(times)
    assume(matrix.size >= least)
    named = draw(st.booleans())
    if draw(st.booleans()):
        rows = draw(st.lists(names, min_size=len(matrix), max_size=len(matrix)))
        columns = draw(st.lists(names, min_size=matrix.shape[1], max_size=matrix.shape[1]))
        labels = {"job_names": rows, "machine_names": columns} if named else {}
        formats = ["taillard", "matrix", "vfr", "csv", "tsv"]
        return FlowShop(matrix, **labels), draw(st.sampled_from(formats))
    n = min(matrix.shape)
    assume(n >= min(least, 2))
    cities = draw(st.lists(names, min_size=n, max_size=n)) if named else None
    problem = ATSP(matrix[:n, :n], city_names=cities)
    return problem, draw(st.sampled_from(["tsplib", "csv", "tsv"]))


def content(problem):
    """The type and, of the problems that are written here, the numbers."""
    if isinstance(problem, (ATSP, FlowShop)):
        matrix = problem.distances if isinstance(problem, ATSP) else problem.processing_times
        return type(problem), matrix.tolist()
    return type(problem), repr(problem)


def written(problem, form):
    """The text of a problem in a format; examples that a format refuses are skipped."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.txt")
        try:
            write(problem, path, format=form)
        except InputError:
            assume(False)
        return path.read_bytes().decode()


def reread(text):
    """What a text is read as: its content, or None if it is refused with a sentence."""
    CASES["tokens of instance files"] += 1
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.txt")
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        try:
            return content(read(path))
        except InputError as error:
            complaint = str(error)
        assert complaint.startswith(str(path))
        return None


def tokens(text):
    """Where the tokens of a text lie; separators of CSV end a token too."""
    return [match.span() for match in re.finditer(r"[^\s,]+", text)]


@given(problems(least=1))
def test_round_trip(pair):
    """Every problem comes back from every format, from CSV with its names."""
    problem, form = pair
    assert reread(written(problem, form)) == content(problem)
    if form in ("csv", "tsv"):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "some name.txt")
            write(problem, path, format=form)
            copy = read(path)
        assert copy.name == "some name"
        for attribute in ("job_names", "machine_names", "city_names"):
            assert getattr(copy, attribute, None) == getattr(problem, attribute, None)


@settings(max_examples=150)
@given(problems(), st.data())
def test_a_lost_token_never_gives_another_problem(pair, data):
    """With any one token gone, the file is refused or read as before."""
    problem, form = pair
    text = written(problem, form)
    start, end = data.draw(st.sampled_from(tokens(text)))
    assert reread(text[:start] + text[end:]) in (None, content(problem))


@settings(max_examples=150)
@given(problems(), st.data())
def test_an_added_token_never_gives_another_problem(pair, data):
    """With one token more, anywhere, the file is refused or read as before."""
    problem, form = pair
    text = written(problem, form)
    start, _ = data.draw(st.sampled_from(tokens(text)))
    extra = data.draw(st.sampled_from(["7", "0", "x", "-1", "1.5", "EOF", "nan"]))
    assert reread(f"{text[:start]}{extra} {text[start:]}") in (None, content(problem))


@settings(max_examples=150)
@given(problems(), st.data())
def test_a_truncated_file_never_gives_another_problem(pair, data):
    """Cut off after any token but the last, the file is refused or read as before.

    A CSV table of a flow shop does not say how many jobs it has, so that one cut off at the end of
    a line is a complete table; it is left out.
    """
    problem, form = pair
    assume(not (isinstance(problem, FlowShop) and form in ("csv", "tsv")))
    text = written(problem, form)
    _, end = data.draw(st.sampled_from(tokens(text)))
    assert reread(text[:end]) in (None, content(problem))


CUT = [
    (SubsetSum([3, 34, 4, 12], 19), "json"),
    (SubsetSum([3, 34, 4, 12], 19), "numbers"),
    (SubsetSum([3, 34, 4, 12], 19, item_names=list("abcd")), "csv"),
    (Knapsack([5, 6, 17, 8], [3, 4, 15, 6], 19), "kplib"),
    (Knapsack([5, 6, 17, 8], [3, 4, 15, 6], 19), "csv"),
    (Assignment([[1, 12], [13, 4]]), "dimacs"),
]


@pytest.mark.parametrize(("problem", "form"), CUT)
def test_a_file_cut_anywhere_never_becomes_another_kind(problem, form):
    """Of lists of numbers, only the last number can be cut short without being noticed."""
    text = written(problem, form).rstrip()
    last = len(text) - max(text.rfind("\n"), text.rfind(" "), text.rfind(",")) - 1
    for end in range(1, len(text)):
        found = reread(text[:end])
        if end <= len(text) - last:
            assert found is None, text[:end]
        else:
            assert found is None or found[0] is type(problem)


@settings(max_examples=150)
@given(problems(), st.data())
def test_a_changed_token_is_refused_or_read_as_it_stands(pair, data):
    """Garbage in place of a token is refused, or stood where it says nothing."""
    problem, form = pair
    text = written(problem, form)
    start, end = data.draw(st.sampled_from(tokens(text)))
    garbage = ["x7", "--", "1e", "0x10", "½", "٣", "1_0", "-3"]
    if isinstance(problem, FlowShop) or form == "tsplib":
        garbage += ["1.5", "inf"]  # distances in a table may be these
    garbage = data.draw(st.sampled_from(garbage))
    changed = reread(text[:start] + garbage + text[end:])
    assert changed in (None, content(problem))


@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode()))
def test_noise_is_a_sentence(noise):
    """Whatever bytes a file holds, the answer is a problem or an InputError that names it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.csv")
        path.write_bytes(noise)
        complaint = str(path)
        try:
            read(path)
        except InputError as error:
            complaint = str(error)
        assert complaint.startswith(str(path))


fragments = st.sampled_from(
    [
        "1",
        "2",
        "3",
        "0",
        "-1",
        "x",
        ",",
        ";",
        "\t",
        "\n",
        "\n",
        "EOF",
        "TYPE:ATSP",
        "DIMENSION:",
        "EDGE_WEIGHT_SECTION",
        "processing",
        "times",
        "number",
        "of",
        "jobs,",
        "city",
        "job",
        "machine",
        '"',
        "'",
    ]
)


@settings(max_examples=200)
@given(st.lists(fragments, max_size=25))
@example(["0", "\n", "1"])
def test_shuffled_fragments_are_a_sentence(parts):
    """The words of all formats in any order give a problem or an InputError, nothing else."""
    reread(" ".join(parts))


def test_all_formats_take_part():
    """The strategies above know every format of matrices; the others have tests of their own."""
    others = {"kplib", "numbers", "json", "dimacs"}
    assert set(format_names()) - others == {"taillard", "matrix", "vfr", "csv", "tsv", "tsplib"}
