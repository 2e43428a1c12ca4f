"""Raised targets: the proof is right, and its cost stays near that of the last tree."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from prunus.treesearch.driver.destructive_bound import DestructiveLowerBound
from prunus.treesearch.estimate.growth import TreeGrowth


class Tree:
    """A tree whose size grows with the target; solutions exist from ``optimum`` on."""

    def __init__(self, optimum, growth, size):
        self.optimum, self.growth, self.size = optimum, growth, size
        self.spent = 0.0

    def nodes(self, target):
        """The size of the tree below a target."""
        return max(1.0, self.size * self.growth ** (target - self.optimum))

    def raise_targets(self, bounds):
        """Search it; a solution is met after half of the nodes, which then shrinks the rest."""
        while not bounds.met:
            target, limit = bounds.target, bounds.node_limit
            assert bounds.lower < target <= bounds.upper
            total = self.nodes(target)
            if target > self.optimum:
                total = (total + self.nodes(self.optimum)) / 2
            self.spent += min(total, limit)
            if total > limit:
                bounds.given_up(bounds.upper)
            else:
                found = self.optimum if target > self.optimum else bounds.upper
                bounds.searched(int(total), found)
        return bounds.lower, bounds.upper


@given(st.integers(0, 300), st.integers(0, 60), st.floats(1.05, 3.0), st.floats(1.0, 1e12))
def test_the_bounds_meet_at_the_optimum(below, above, growth, size):
    """Whatever the tree, nothing is claimed but the optimum."""
    tree = Tree(1000, growth, size)
    assert tree.raise_targets(DestructiveLowerBound(1000 - below, 1000 + above, 1e6)) == (
        1000,
        1000,
    )


def test_a_bad_incumbent_does_not_cost_its_tree():
    """As on ta056: an incumbent 21 units too high would cost 400 times the proof."""
    tree = Tree(3679, 1.33, 173e9)
    assert tree.raise_targets(DestructiveLowerBound(3495, 3700, 1e8)) == (3679, 3679)
    assert tree.spent < 5 * 173e9
    assert tree.nodes(3700) > 300 * 173e9


def test_little_is_spent_below_an_incumbent_that_is_optimal():
    """As on ta056: all lower trees together take less than half of the last one."""
    tree = Tree(3679, 1.51, 173e9)
    assert tree.raise_targets(DestructiveLowerBound(3495, 3679, 1e6)) == (3679, 3679)
    assert tree.spent < 1.45 * 173e9


def test_the_first_target_follows_from_earlier_trees():
    """Neither far below nor far above what was searched before."""
    growth = TreeGrowth()
    for target in (3661, 3664, 3667, 3670):
        growth.note(target, int(3.8e9 * 1.51 ** (target - 3670)))
    bounds = DestructiveLowerBound(3670, 3700, 1e6, growth=growth)
    assert bounds.target == 3674
    assert bounds.node_limit > 1e10
    bounds.searched(20_000_000_000, 3700)
    assert growth.sizes[-1] == (3674, 20_000_000_000)


def test_targets_can_begin_at_a_given_target():
    """A search that was stopped goes on with the target it had."""
    bounds = DestructiveLowerBound(100, 200, 1e6, target=137)
    assert bounds.target == 137
    bounds.searched(10, 200)
    assert bounds.lower == 137
    assert bounds.target > 137


def test_a_given_target_does_not_follow_a_better_incumbent():
    """What was searched of the tree below it says nothing of a tree below a higher one."""
    assert DestructiveLowerBound(100, 200, 1e6).target == 125
    bounds = DestructiveLowerBound(100, 137, 1e6, target=125)
    assert bounds.target == 125  # a step to 137 would not be much longer
    bounds.searched(10, 137)
    assert (bounds.lower, bounds.target) == (125, 137)
    assert DestructiveLowerBound(100, 120, 1e6, target=125).target == 120


def test_an_incumbent_below_the_target_is_the_optimum():
    """What a completely searched tree has shown, nothing is below."""
    bounds = DestructiveLowerBound(100, 200, 1e6, target=150)
    bounds.searched(10, 144)
    assert bounds.met
    assert (bounds.lower, bounds.upper) == (144, 144)
