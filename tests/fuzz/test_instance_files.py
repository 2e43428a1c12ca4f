"""Damaged instance files: read as what stands in them, or refused with a sentence."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import prunus
from prunus.model.registry import known_specs, spec_of
from prunus.read import kinds
from prunus.write import write
from tests.fuzz.fuzzing import damaged, outcome
from tests.fuzz.plain_readers import facts, names_in, readings

SEVERAL = "number of jobs, number of machines, initial seed, upper bound and lower bound :\n"
SEVERAL = f"{SEVERAL} 3 2 1 9 8\nprocessing times :\n1 2 3\n4 5 6\n" * 3
BY_HAND = [
    SEVERAL,
    "4 2\n1 2\n3 4\n5 6\n7 8\n",
    "3\n1 60 10\n2 100 20\n3 120 30\n50\n",
    "knapPI_1\nn 2\nc 9\nz 8\ntime 0.00\n1,9,4,0\n2,7,5,1\n-----\n\n"
    "knapPI_2\nn 1\nc 3\n1,2,3,1\n-----\n",
    "c a comment\np asn 4 3\nn 1\nn 3\na 1 2 5\na 3 4 -6\na 1 4 7\n",
    "item,profit,weight\ntent,60,10\ncapacity,,50\nstove,100,20\n",
    "machine;j1;j2\ncut;1;2\ndrill;3;4\n",
    "3 1 2\n4 5\n",
]


def problems() -> list[Any]:
    """Return small problems of all classes that have files, with names and without."""
    words = ["tent", "a,b", "7", 'say "x"']
    times = np.arange(12).reshape(4, 3) * 7 % 11
    return [
        prunus.FlowShop(times),
        prunus.FlowShop(times, job_names=words, machine_names=words[:3]),
        prunus.FlowShop([[2**55, 1], [0, 3]]),
        prunus.ATSP(times[:3] + 1),
        prunus.ATSP(times[:3], city_names=words[:3]),
        prunus.Knapsack([60, 100, 120], [10, 20, 30], 50),
        prunus.Knapsack([60, 100, 120], [10, 20, 30], 50, item_names=words[:3]),
        prunus.SubsetSum([3, 34, 4, 12], 19),
        prunus.SubsetSum([-3, 2**90, 4, 12], 2**90, objective="closest"),
        prunus.SubsetSum([3, 34, 4, 12], 19, item_names=words),
        prunus.NQueens(6),
        prunus.Assignment(times),
        prunus.Assignment([[0.5, np.inf], [2.25, 3]], agent_names=words[:2], job_names=words[2:]),
        prunus.Assignment.from_arcs(3, 3, [0, 1, 2, 0], [0, 1, 2, 2], [5, -6, 7, 8]),
    ]


@cache
def seeds() -> list[bytes]:
    """Return a whole file in every format, and the published ones that tests have."""
    data = Path(__file__).parents[1] / "data"
    found = [text.encode() for text in BY_HAND]
    found += [(data / name).read_bytes() for name in ("br17.atsp", "VFR10_5_1_Gap.txt")]
    taken = set()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x")
        for problem in problems():
            for form in spec_of(problem).formats:
                with suppress(prunus.InputError):  # not every format holds every problem
                    write(problem, path, format=form.name)
                    found.append(path.read_bytes())
                    taken.add(form.name)
    assert taken == {form.name for spec in known_specs() for form in spec.formats if form.writes}
    return found


@settings(max_examples=250)
@given(st.data())
def test_a_damaged_file_is_read_as_it_stands_or_refused(folder: Path, data: st.DataObject) -> None:
    """An answer holds the numbers and the names that a plain reader finds in the file."""
    content = data.draw(damaged(data.draw(st.sampled_from(seeds())), seeds()))
    suffix = data.draw(st.sampled_from([".txt", ".csv", ".tsv", ".json", ".atsp", ""]))
    kind = data.draw(st.none() | st.sampled_from(kinds()))
    index = data.draw(st.none() | st.integers(1, 3))
    path = folder / f"instance{suffix}"
    path.write_bytes(content)
    source = f"{path}#{index}" if index else str(path)
    problem = outcome("instance files", lambda: prunus.read(source, kind=kind), str(path))
    if problem is None:
        return
    text = content.decode("utf-8-sig")
    assert facts(problem) in readings(text, index), (kind, text)
    labels: Any = spec_of(problem).labels(problem)
    names = {name for axis in labels for name in axis or ()}
    assert names <= names_in(text), text
