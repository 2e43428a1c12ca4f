"""Who hears of a better solution."""

from __future__ import annotations

import numpy as np

from prunus.runtime.incumbent import Incumbent, TargetIncumbent

ORDER = np.arange(3)


def test_watchers_hear_of_improvements_only():
    """A watcher is called after each better solution, when the cell has it."""
    incumbent = Incumbent(100)
    seen = []
    incumbent.watch(lambda: seen.append(incumbent.cutoff))
    for objective in (90, 95, 80):
        incumbent.offer(objective, ORDER, "test")
    assert seen == [90, 80]


def test_watchers_of_a_target_hear_of_what_is_below_it():
    """Those who look only below a target learn of the solutions that their search offers."""
    below = TargetIncumbent(Incumbent(100), 50)
    seen = []
    below.watch(lambda: seen.append(below.cutoff))
    below.offer(40, ORDER, "test")
    below.offer(45, ORDER, "test")
    assert seen == [40]


def test_only_what_is_better_is_taken():
    """An equal solution is none that improves; each that is taken is in the list, best last."""
    incumbent = Incumbent()
    taken = [incumbent.offer(objective, ORDER, "test") for objective in (9, 9, 10, 8)]
    assert taken == [True, False, False, True]
    assert [found.objective for found in incumbent.improvements] == [9, 8]
    most = Incumbent(maximise=True)
    assert [most.offer(objective, ORDER, "test") for objective in (8, 8, 7, 9)] == [
        True,
        False,
        False,
        True,
    ]
    assert most.cutoff == -9


def test_a_poor_solution_does_not_raise_what_is_to_be_beaten():
    """One above the upper bound is kept, and the search still looks below that bound."""
    incumbent = Incumbent(7)
    assert incumbent.offer(11, ORDER, "given")
    assert (incumbent.objective, incumbent.cutoff) == (11, 7)
