"""VFR files: published ones load, damaged ones are never taken for anything else."""

from __future__ import annotations

from pathlib import Path

import pytest

from prunus.errors import InputError
from prunus.files.textfile import TextFile
from prunus.flowshop.formats import vfr

DATA = Path(__file__).parents[2] / "data"


@pytest.mark.parametrize(
    ("name", "jobs", "machines", "first"),
    [
        ("VFR10_5_1_Gap", 10, 5, [45, 31, 54, 54, 64]),
        ("VFR10_10_1_Gap", 10, 10, None),
        ("VFR20_5_1_Gap", 20, 5, None),
    ],
)
def test_published_files(name, jobs, machines, first):
    """Published files load; the numbers agree with those seen in the file's first line."""
    file = TextFile.load(str(DATA / f"{name}.txt"))
    assert vfr.recognises(file)
    problem = vfr.loads(file)
    assert (problem.jobs, problem.machines, problem.name) == (jobs, machines, name)
    for job, line in enumerate(file.lines[1:]):
        assert problem.processing_times[job].tolist() == [int(t) for t in line.tokens[1::2]]
    if first:
        assert problem.processing_times[0].tolist() == first


def check(text, complaint):
    """A text is recognised as VFR and refused with a complaint."""
    file = TextFile.from_text("v.txt", text)
    assert vfr.recognises(file)
    with pytest.raises(InputError, match=complaint):
        vfr.loads(file)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("3 2\n0 5 1 6\n0 7 1 8\n", "line 3: the file ends after 2 of 3 jobs"),
        ("2 2\n0 5 1 6\n0 7 1\n", "line 3: 3 numbers, expected 4"),
        ("2 2\n0 5 1 6\n0 7 2 8\n", "line 3: expected machine 1 .* got 2"),
        ("2 2\n1 5 2 6\n1 7 2 8\n", "line 2: expected machine 0 .* got 1"),
        ("2 2\n0 5 1 6\n0 7 1 -8\n", "line 3: processing time -8 is negative"),
        ("2 2\n0 5 1 6\n0 7 1 x\n", "line 3: 'x' is not a number"),
        ("2 2\n0 5 1 6\n0 7 1 8\n0 9 1 9\n", "line 4: unexpected"),
        ("2 2\n0 5 1 6\n0 7 1 8\nbounds 5 6\n", "line 4: unexpected 'bounds"),
        # As wide as a bare matrix of 4 jobs on 2 machines, and as high after truncation.
        ("4 2\n0 5 1 6\n0 7 1 8\n", "ends after 2 of 4 jobs"),
        # As wide as a bare square matrix once the number of machines is wrong.
        ("4 4\n0 5 1 6\n0 7 1 8\n0 5 1 6\n0 7 1 8\n", "4 numbers, expected 8"),
        # A single line cut off where that of a bare matrix would end.
        ("1 4\n0 5 1 6\n", "4 numbers, expected 8"),
        ("1 3\n0 5 1\n", "3 numbers, expected 6"),
        ("2 1\n0 5\n", "ends after 1 of 2 jobs"),
    ],
)
def test_every_defect_is_named_with_its_line(text, complaint):
    """A damaged file is recognised all the same and refused, naming the line."""
    check(text, complaint)


@pytest.mark.parametrize(
    "text", ["4 2\n0 5 1 6\n1 7 2 8\n", "3 2\n0 5\n0 6\n0 7\n", "2 2\n0 5\n1 6", "7", "a b\n0 5"]
)
def test_bare_matrices_are_not_taken_for_vfr(text):
    """Small bare matrices with a zero in front are left to their own format."""
    assert not vfr.recognises(TextFile.from_text("v.txt", text))
