"""Which work units are called back."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest

from prunus.treesearch.distributed.call_back import call_back


class Lines:
    """Work units by the moment at which their search began."""

    def __init__(self, began: dict[int, float]) -> None:
        self.began = began
        self.back: list[int] = []

    @property
    def called_back(self) -> int:
        """Return how many are on their way back."""
        return len(self.back)

    def search_began(self):
        """Return those that are searched."""
        return [one for one in self.began.items() if one[0] not in self.back]

    def call_back(self, ticket) -> None:
        """Call a unit back."""
        self.back.append(ticket)


@pytest.mark.parametrize(
    ("idle", "called", "wait"),
    [(0, [], math.inf), (1, [1], math.inf), (2, [1, 3], math.inf), (3, [1, 3], 4.0)],
)
def test_those_searched_longest_come_back_for_the_idle(idle, called, wait) -> None:
    """One for each that is idle, none that has only begun, none that nobody has heard of.

    What counts is how long a part has been searched since it was divided, earlier units included.
    """
    ages = {1: 20.0, 2: 99.0, 3: 0.0, 4: 50.0}
    units = Lines({3: 3.0, 1: 4.0, 2: 9.0})
    accounting = SimpleNamespace(
        is_out=ages.__contains__, out=lambda ticket: SimpleNamespace(age_s=ages[ticket])
    )
    for _ in range(2):
        assert call_back(idle, units, accounting, now=10.0, least_s=5.0) == wait
        assert units.back == called
