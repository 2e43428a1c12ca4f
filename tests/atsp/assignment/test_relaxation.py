"""Which arcs the prices of the assignment leave for shorter tours."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.atsp.assignment import relaxation
from prunus.atsp.assignment.relaxation import assignment_relaxation
from prunus.atsp.problem import ATSP


@pytest.mark.parametrize("entries", [1, 50, 10**6])
def test_arcs_of_use_are_counted_as_far_as_it_matters(
    monkeypatch: pytest.MonkeyPatch, entries: int
) -> None:
    """A row at a time, several, or all: as many as are listed, and each as cheap as it must be."""
    monkeypatch.setattr(relaxation, "ENTRIES_COUNTED", entries)
    rng = np.random.default_rng(6)
    for cities in (2, 9, 23):
        problem = ATSP(rng.integers(0, 100, (cities, cities)))
        relaxed = assignment_relaxation(problem)
        for above in (0, 1, 20, 1000):
            cap = relaxed.bound + above
            tail, head = relaxed.useful_arcs(problem, cap)
            reduced = relaxed.reduced_costs(problem)
            expected = (reduced < above) & (problem.distances < cap) & ~np.eye(cities, dtype=bool)
            assert set(zip(tail, head, strict=True)) == set(zip(*np.nonzero(expected), strict=True))
            assert (np.diff(head) >= 0).all()
            for many in (len(tail), len(tail) + 1):
                assert relaxed.has_useful_arcs(problem, cap, many) == (many <= len(tail))
