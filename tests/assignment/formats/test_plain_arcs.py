"""The arcs of a DIMACS file read all at once are those read line by line, or are left to it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from prunus.assignment.formats import dimacs as assignment_dimacs
from prunus.assignment.formats.plain_arcs import plain_arcs
from prunus.errors import InputError
from prunus.files.textfile import TextFile

HEAD = "c of four\np asn 5 6\nn 4\nn 2\n"
ARCS = "a 2 1 7\na 2 3 -2\na 2 5 0\na 4 1 12\na 4 3 5\na 4 5 1\n"


def outcome(read, text):
    """Return what comes out of a text: the arcs of a problem, or a sentence."""
    try:
        problem = read(TextFile.from_text("x.asn", text))
    except InputError as error:
        return str(error)
    if problem is None:
        return None
    if problem.matrix is not None:
        return problem.matrix.tolist()
    return [part.tolist() for part in problem.arcs]


@given(
    st.integers(0, len(HEAD + ARCS) - 1),
    st.integers(0, 3),
    st.text("a n1259-\n +.#c\té", max_size=4),
)
@example(0, 0, "")
@example(len(HEAD), 0, "\n")
@example(len(HEAD) + 1, 0, " ")
@example(len(HEAD) + 6, 1, "-")
@example(len(HEAD) + 6, 1, "99999999999999999999")
@example(len(HEAD) + 8, 8, "")
def test_damaged_files(place, length, words):
    """Whatever is written over a part of a file, both ways give one outcome."""
    text = HEAD + ARCS
    text = text[:place] + words + text[place + length :]
    if not assignment_dimacs.recognises(TextFile.from_text("x.asn", text)):
        return
    slowly = outcome(assignment_dimacs._line_by_line, text)
    assert outcome(assignment_dimacs.loads, text) == slowly
    at_once = outcome_at_once(text)
    assert at_once in (None, slowly)


def outcome_at_once(text):
    """Return what the quick way makes of a text, None if it leaves it to the other."""
    return outcome(assignment_dimacs._all_at_once, text)


def test_plain_files_are_read_at_once():
    """With and without a line feed at the end, in any order, with forbidden pairs."""
    assert outcome_at_once(HEAD + ARCS) == [[12, 5, 1], [7, -2, 0]]
    assert outcome_at_once(HEAD + ARCS.rstrip()) == [[12, 5, 1], [7, -2, 0]]
    few = "".join(sorted(ARCS.splitlines(True)[1:], reverse=True))
    text = (HEAD + few).replace("asn 5 6", "asn 5 5")
    assert outcome_at_once(text) is not None
    assert outcome_at_once(text) == outcome(assignment_dimacs._line_by_line, text)


@pytest.mark.parametrize(
    "lines",
    [
        "a1 2 3 4\n",
        "a 1 2 \na1 2 3 4\n",
        "a 1 2 -\n",
        "a 1 2 1-2\n",
        "a 1 2 --3\n",
        "a 1 2 3\n\na 1 2 3\n",
        "a 1 2\n3 a 4 5 6\n",
        "a 1 2 9223372036854775807\n",
        "a 1 2 99999999999999999999\n",
        "a 1 2 1.5\n",
        "a 1 2 ३\n",
    ],
)
def test_lines_that_are_not_plain(lines):
    """Nothing is guessed."""
    assert plain_arcs(lines) is None
    assert plain_arcs("a 1 2 3\n" + lines) is None


def test_the_numbers():
    """One row a line."""
    assert np.array_equal(plain_arcs("a 1 2 -3\na 40 5 006\n"), [[1, 2, -3], [40, 5, 6]])
