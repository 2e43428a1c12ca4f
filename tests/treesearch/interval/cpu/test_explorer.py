"""The law of the unit of work: whatever happens to intervals, every leaf is reached once."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prunus.treesearch.interval.cpu.explorer import CoreExplorer, CoreTuning
from prunus.treesearch.interval.interval import Intervals
from tests.treesearch.permutations import Indifferent, permutation_tree

HASTY = CoreTuning(min_node_budget=3, first_rate=0.0)
"""Explorers stop every few nodes."""


def step(core):
    """Explore a few nodes."""
    return core.explore(Indifferent(), 1e-9)


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 5), st.integers(0, 2**32), st.integers(1, 5))
def test_any_sequence_of_splits_and_moves_reaches_every_leaf_once(n, seed, count):
    """Explorers that split, save, reload and swap work at random visit each permutation once."""
    rng = random.Random(seed)
    seen = Counter()
    tree = permutation_tree(n, lambda leaf: seen.update([leaf]))
    cores = [CoreExplorer(tree, f"cpu:{i}", HASTY) for i in range(count)]
    cores[0].load(Intervals.whole(n))
    retired = 0
    while any(len(core.open()) for core in cores):
        core, other = rng.choice(cores), rng.randrange(count)
        action = rng.random()
        if action < 0.6:
            step(core)
        elif action < 0.85:
            part = core.split(rng.choice([0.1, 0.5, 0.9, 1.0]))
            part.check(tree.radix)
            cores[other].load(part)
        else:
            # What is open moves into a fresh explorer, as after a checkpoint or a crash.
            saved = core.open()
            saved.check(tree.radix)
            retired += core.explored()
            fresh = CoreExplorer(tree, core.name, HASTY)
            fresh.load(saved)
            cores[cores.index(core)] = fresh
    assert set(seen) == set(itertools.permutations(range(n)))
    assert set(seen.values()) == {1}
    assert retired + sum(core.explored() for core in cores) == math.factorial(n)


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 6), st.integers(0, 2**32))
def test_the_slow_way_to_split_gives_intervals_that_explore_the_same(n, seed):
    """Halving records in plain Python between steps loses and repeats no leaf."""
    rng = random.Random(seed)
    seen = Counter()
    tree = permutation_tree(n, lambda leaf: seen.update([leaf]))
    pool = [Intervals.whole(n)]
    while pool:
        core = CoreExplorer(tree, tuning=HASTY)
        core.load(pool.pop(rng.randrange(len(pool))))
        for _ in range(rng.randrange(1, 6)):
            step(core)
        rest = core.open()
        if len(rest):
            left, right = rest.halve(tree.radix)
            pool += [left] + ([right] if len(right) else [])
    assert len(seen) == math.factorial(n)
    assert set(seen.values()) == {1}


def test_measure_of_done_and_open_is_the_whole_at_every_moment():
    """Explored leaves plus open leaves are n! after every step."""
    tree = permutation_tree(5, lambda leaf: None)
    core = CoreExplorer(tree, tuning=HASTY)
    core.load(Intervals.whole(5))
    while True:
        report = step(core)
        open_measure = sum(core.open().measure(tree.radix))
        assert core.explored() + open_measure == 120
        assert report.remaining == pytest.approx(open_measure / 120)
        if report.exhausted:
            break
    assert core.explored() == 120


def test_an_interrupt_before_exploring_is_not_lost():
    """A request that arrives between two slices makes the next one return at once."""
    core = CoreExplorer(permutation_tree(6, lambda leaf: None))
    core.load(Intervals.whole(6))
    core.interrupt()
    assert core.explore(Indifferent(), 10).nodes == 0
    assert core.explore(Indifferent(), 10).exhausted


def test_an_explorer_keeps_its_last_node():
    """A single open node cannot be split: the giver would be left with nothing."""
    tree = permutation_tree(1, lambda leaf: None)
    core = CoreExplorer(tree, tuning=HASTY)
    core.load(Intervals.whole(1))
    assert len(core.split(0.5)) == 0
    assert len(core.open()) == 1


def test_a_core_that_never_had_work_has_made_nothing_to_search_with():
    """It says that it has nothing, and gives nothing; so many cores beside a GPU cost nothing."""
    core = CoreExplorer(permutation_tree(6, lambda leaf: None))
    core.clear()
    assert (core.state(), core.bound(), core.explored()) == (([], 0), None, 0)
    assert [len(core.open()), len(core.split(0.5)), len(core.split(1.0))] == [0, 0, 0]
    assert "_ivm" not in vars(core)
