"""Climbing upper bounds: the proof is right, and its cost stays near that of the last tree."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from prunus.treesearch.ladder import Rung, climb


class Tree:
    """A tree whose size grows with the target; solutions exist from ``optimum`` on."""

    def __init__(self, optimum, growth, size):
        self.optimum, self.growth, self.size = optimum, growth, size
        self.spent = 0.0

    def nodes(self, target):
        """The size of the tree below a target."""
        return max(1.0, self.size * self.growth ** (target - self.optimum))

    def search(self, target, limit):
        """Search it; a solution is met after half of the nodes, which then shrinks the rest."""
        total = self.nodes(target)
        if target > self.optimum:
            total = (total + self.nodes(self.optimum)) / 2
        self.spent += min(total, limit)
        if total > limit:
            return Rung(int(limit), complete=False, best=None)
        return Rung(int(total), complete=True, best=self.optimum if target > self.optimum else None)


@given(st.integers(0, 300), st.integers(0, 60), st.floats(1.05, 3.0), st.floats(1.0, 1e12))
def test_the_bounds_meet_at_the_optimum(below, above, growth, size):
    """Whatever the tree, nothing is claimed but the optimum."""
    tree = Tree(1000, growth, size)
    assert climb(tree.search, 1000 - below, 1000 + above, 1e6) == (1000, 1000)


def test_a_bad_incumbent_does_not_cost_its_tree():
    """As on ta056: an incumbent 21 units too high would cost 400 times the proof."""
    tree = Tree(3679, 1.33, 173e9)
    assert climb(tree.search, 3495, 3700, 1e8) == (3679, 3679)
    assert tree.spent < 5 * 173e9
    assert tree.nodes(3700) > 300 * 173e9


def test_a_stopped_search_reports_what_was_proven():
    """The bounds of the rungs that were completed remain."""
    seen = []

    def search(target, limit):
        seen.append(target)
        if len(seen) < 3:
            return Rung(10, complete=True, best=None)
        return Rung(5, complete=False, best=190, stopped=True)

    assert climb(search, 100, 200, 1e6) == (seen[1], 190)
