"""Who hears of a better solution."""

from __future__ import annotations

import numpy as np

from prunus.incumbent import Below, Incumbent

ORDER = np.arange(3)


def test_watchers_hear_of_improvements_only():
    """A watcher is called after each better solution, when the cell has it."""
    incumbent = Incumbent(100)
    seen = []
    incumbent.watch(lambda: seen.append(incumbent.to_beat))
    for objective in (90, 95, 80):
        incumbent.offer(objective, ORDER, "test")
    assert seen == [90, 80]


def test_watchers_of_a_target_hear_of_what_is_below_it():
    """Those who look only below a target learn of the solutions that their search offers."""
    below = Below(Incumbent(100), 50)
    seen = []
    below.watch(lambda: seen.append(below.to_beat))
    below.offer(40, ORDER, "test")
    below.offer(45, ORDER, "test")
    assert seen == [40]
