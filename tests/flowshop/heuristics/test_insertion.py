"""Taillard's acceleration: places and makespans are those of plain evaluation."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from prunus.flowshop.heuristics.insertion import (
    insert_all,
    insertion_tables,
    move,
    times_for,
)
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
    sequence = np.zeros(len(order), np.uint32)
    times = times_for(np.array(p))
    value = insert_all(times, sequence, 0, np.array(order, np.uint32), insertion_tables(times))
    expected = []
    for job in order:
        best, _, place = best_insertion(p, expected, job)
        expected.insert(place, job)
    assert (sequence.tolist(), value) == (expected, best)


@given(st.permutations(range(6)), st.integers(0, 5), st.integers(0, 5))
def test_move_shifts_the_jobs_in_between(order, here, there):
    """Moving a job is taking it out and inserting it."""
    sequence = np.array(order, np.uint32)
    move(sequence, here, there)
    job = order.pop(here)
    order.insert(there, job)
    assert sequence.tolist() == order
