"""TSPLIB files: published ones load, however wrapped; everything else is refused by name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from prunus.atsp.formats import tsplib
from prunus.errors import InputError
from prunus.files.textfile import TextFile

DATA = Path(__file__).parents[2] / "data"
SMALL = """NAME : three
TYPE : ATSP
COMMENT : made by hand: three cities
DIMENSION : 3
EDGE_WEIGHT_TYPE : EXPLICIT
EDGE_WEIGHT_FORMAT : FULL_MATRIX
EDGE_WEIGHT_SECTION
9999 1 2
3 9999 4
5 6 9999
EOF
"""
MATRIX = [[0, 1, 2], [3, 0, 4], [5, 6, 0]]


def loads(text):
    """Parse a text as the file t.atsp."""
    file = TextFile.from_text("t.atsp", text)
    assert tsplib.recognises(file)
    return tsplib.loads(file)


@pytest.mark.parametrize(("name", "cities"), [("br17", 17), ("ftv33", 34)])
def test_published_files(name, cities):
    """Published files load, with all weights in the order of the file."""
    file = TextFile.load(str(DATA / f"{name}.atsp"))
    problem = tsplib.loads(file)
    assert (problem.cities, problem.name) == (cities, name)
    numbers = file.text.split("EDGE_WEIGHT_SECTION")[1].split()
    numbers = np.array([int(token) for token in numbers if token != "EOF"]).reshape(cities, cities)
    np.fill_diagonal(numbers, 0)
    assert np.array_equal(problem.distances, numbers)


def test_a_tour_of_br17():
    """A tour of br17 of the published optimal length 39 evaluates to it."""
    problem = tsplib.loads(TextFile.load(str(DATA / "br17.atsp")))
    tour = [0, 11, 13, 2, 10, 9, 1, 12, 15, 14, 5, 6, 3, 4, 8, 7, 16]
    assert problem.evaluate(tour) == 39


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        (" : ", ":"),
        (" : ", ": "),
        (" : ", " :"),
        (" : ", "  :   "),
        ("EOF\n", ""),
        ("1 2\n3 9999 4\n5", "1\n2 3\n\n9999 4 5"),
        ("\n3 9999 4\n5 6 9999", " 3 9999 4 5 6 9999"),
        ("\n", "\r\n"),
        ("\n", "  \n"),
        ("9999", "-1"),
        ("9999", "nan"),
        ("EDGE_WEIGHT_SECTION", "EDGE_WEIGHT_SECTION:"),
        ("ATSP", "atsp"),
        ("COMMENT : made by hand: three cities\n", "COMMENT: a\nCOMMENT: b\n"),
        ("DIMENSION", "DISPLAY_DATA_TYPE: NO_DISPLAY\nDIMENSION"),
    ],
)
def test_layout_does_not_matter(old, new):
    """Blanks before colons, wrapping, line ends, EOF and the diagonal are all free."""
    assert loads(SMALL.replace(old, new) if old else SMALL).distances.tolist() == MATRIX


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("TYPE : ATSP", "TYPE : TSP", "line 2: TYPE is TSP"),
        ("EXPLICIT", "EUC_2D", "line 5: EDGE_WEIGHT_TYPE is EUC_2D"),
        ("FULL_MATRIX", "UPPER_ROW", "line 6: EDGE_WEIGHT_FORMAT is UPPER_ROW"),
        ("TYPE : ATSP\n", "", "line 6: TYPE is missing"),
        ("DIMENSION : 3\n", "", "line 6: DIMENSION is missing"),
        ("DIMENSION : 3", "DIMENSION : 3 3", "line 4: '3 3' is not a number"),
        ("DIMENSION : 3", "DIMENSION : 0", "line 4: DIMENSION is 0"),
        ("DIMENSION : 3", "DIMENSION : 4", "ends after 9 of 16 numbers"),
        ("DIMENSION : 3", "DIMENSION : 99999999", "ends after 9 of"),
        ("DIMENSION : 3", "DIMENSION : 2", "line 9: unexpected '9999' after the matrix"),
        ("DIMENSION : 3", "DIMENSION : 3\nDIMENSION : 3", "line 5: DIMENSION is given twice"),
        ("EDGE_WEIGHT_SECTION\n9999 1 2\n3 9999 4\n5 6 9999\nEOF\n", "", "truncated"),
        ("EDGE_WEIGHT_SECTION\n", "", "line 7: expected KEYWORD"),
        ("EDGE_WEIGHT_SECTION\n", "NODE_COORD_SECTION\n", "line 7: NODE_COORD_SECTION"),
        ("5 6 9999\nEOF\n", "5 6", "line 10: .* ends after 8 of 9 numbers"),
        ("5 6 9999\nEOF\n", "", "line 9: .* ends after 6 of 9 numbers"),
        ("5 6 9999", "5 6 9999 7", "line 10: unexpected '7'"),
        ("5 6 9999", "5 -6 9999", "line 10: distance -6 is negative"),
        ("5 6 9999", "5 6.5 9999", "line 10: '6.5' is not a whole"),
        ("5 6 9999", "5 6 x", "line 10: 'x' is not a number"),
        ("5 6 9999", "five 6 9999", "line 10: expected a number of the matrix or EOF"),
        ("EOF", "EOF\nmore", "line 12: unexpected 'more' after EOF"),
        ("EOF", "FIXED_EDGES_SECTION\n1 2\n-1\nEOF", "line 11: expected a number"),
    ],
)
def test_every_defect_is_named_with_its_line(old, new, complaint):
    """Other types, missing or superfluous content: refused, naming file and line."""
    assert old in SMALL
    with pytest.raises(InputError, match=f"^t.atsp.*{complaint}"):
        loads(SMALL.replace(old, new, 1))


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        ("NAME: x\nTYPE: TSP\n", True),
        ("name x\ndimension 3\n", True),
        ("name weight profit\n1 2 3\n", False),
        ("type, weight\nTYPE: a\n", False),
    ],
)
def test_one_word_of_the_format_is_not_the_format(text, ours):
    """Two different keywords make a file one of TSPLIB's; a table may have a column "name"."""
    assert bool(tsplib.recognises(TextFile.from_text("t", text))) == ours
