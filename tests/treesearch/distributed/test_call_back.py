"""Which work units are called back."""

from __future__ import annotations

import math

import pytest

from prunus.treesearch.distributed.coordinator import call_back


class Lines:
    """Work units by the moment at which their search began; None if nobody has heard of them."""

    def __init__(self, **began) -> None:
        self.times = {int(name[1:]): time for name, time in began.items()}
        self.back: list[int] = []

    def search_began(self, ticket):
        """Return since when a unit is searched."""
        return self.times[ticket]

    def is_called_back(self, ticket):
        """Return whether a unit was called back."""
        return ticket in self.back

    def call_back(self, ticket):
        """Call a unit back."""
        self.back.append(ticket)


@pytest.mark.parametrize(
    ("idle", "called", "wait"),
    [(0, [], math.inf), (1, [3], math.inf), (2, [3, 1], math.inf), (3, [3, 1], 4.0)],
)
def test_those_searched_longest_come_back_for_the_idle(idle, called, wait) -> None:
    """One for each that is idle, none that has only begun, none that nobody has heard of."""
    lines = Lines(t1=4.0, t2=9.0, t3=3.0, t4=None)
    assert call_back(lines, idle, [1, 2, 3, 4], 5.0, 10.0) == wait
    assert lines.back == called
    assert call_back(lines, idle, [1, 2, 3, 4], 5.0, 10.0) == wait
    assert lines.back == called
