"""Taillard's acceleration: places and makespans are those of plain evaluation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prunus._native.flowshop import insert_jobs
from tests.flowshop.heuristics.slow_neh import best_insertion


@st.composite
def sequences(draw):
    """A few machines, and a sequence of some of the jobs; many ties."""
    largest = draw(st.sampled_from([0, 2, 9, 2**40]))
    jobs, machines = draw(st.integers(1, 8)), draw(st.integers(1, 5))
    row = st.lists(st.integers(0, largest), min_size=machines, max_size=machines)
    p = draw(st.lists(row, min_size=jobs, max_size=jobs))
    size = draw(st.integers(1, jobs))
    return p, draw(st.permutations(range(jobs)))[:size]


@settings(max_examples=100, deadline=None)
@given(sequences())
def test_inserting_jobs_one_by_one(case):
    """A sequence built by insertion is the one that plain evaluation builds."""
    p, order = case
    sequence = np.zeros(len(order), np.int32)
    value = insert_jobs(np.array(p), sequence, 0, np.array(order, np.int32))
    expected = []
    for job in order:
        best, _, place = best_insertion(p, expected, job)
        expected.insert(place, job)
    assert (sequence.tolist(), value) == (expected, best)


def test_what_is_no_sequence_is_refused():
    """Nothing is read or written out of bounds."""
    times, sequence = np.ones((4, 2), np.int64), np.zeros(4, np.int32)
    for size, jobs in ((0, [4]), (0, [-1]), (0, [1, 1]), (3, [0, 1]), (-1, [0])):
        with pytest.raises(ValueError, match="no "):
            insert_jobs(times, sequence, size, np.array(jobs, np.int32))
    with pytest.raises(ValueError, match="no sequence"):
        insert_jobs(times, sequence - 1, 2, np.array([0], np.int32))
