"""Best first on a tree that knows no problem: every node once, whatever happens meanwhile."""

from __future__ import annotations

import ctypes
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prunus._native.treesearch import BestFirstSearch, function_tree
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor
from prunus.stop import MaxNodes
from prunus.treesearch.bestfirst.explorer import BestFirstExplorer
from prunus.treesearch.bestfirst.model import BestFirstModel
from prunus.treesearch.bestfirst.search import core_explorers, search
from prunus.treesearch.bestfirst.space import NodeBatch, nodes_in
from prunus.treesearch.scheduler.scheduler import Scheduler
from prunus.treesearch.scheduler.snapshot import SearchCounters
from prunus.treesearch.scheduler.tuning import SchedulerTuning

LEVELS = 13


NUMBERS = ctypes.POINTER(ctypes.c_int64)
BRANCH = ctypes.CFUNCTYPE(
    ctypes.c_int,
    *(NUMBERS, ctypes.c_int64, ctypes.c_int64, ctypes.c_int),
    *(NUMBERS, NUMBERS, NUMBERS),
)
COSTS = np.arange(1, LEVELS + 1)


def tree(bounded: bool, leaves: np.ndarray, levels: int = LEVELS) -> BestFirstModel:
    """Make the tree of all words of bits; bounded by what is chosen, or by nothing."""

    @BRANCH
    def branch(node, bound, cutoff, hurried, children, bounds, found):
        """Choose the next bit; a leaf has an objective, a node the bound of what its bits cost."""
        level, word = node[0], node[1]
        if level == levels:
            cost = bound if bounded else int(leaves[word])
            if cost < cutoff:
                found[0], found[1] = cost, word
            return 0
        for bit in range(2):
            children[2 * bit], children[2 * bit + 1] = level + 1, word * 2 + bit
            bounds[bit] = bound + (int(COSTS[level]) * bit if bounded else 0)
        return 2

    def evaluate(solution):
        assert branch is not None  # as long as the tree lives, so does what its searches call
        word = int(solution[0])
        bits = [(word >> (levels - 1 - b)) & 1 for b in range(levels)]
        return int(np.dot(bits, COSTS[:levels])) if bounded else int(leaves[word])

    address = ctypes.cast(branch, ctypes.c_void_p).value
    assert address is not None
    root = NodeBatch(np.zeros(1, np.int64), np.ones(1), np.zeros((1, 2), np.int64))
    make = partial(function_tree, address, 2, 2, 1)
    return BestFirstModel(root, make, lambda numbers: numbers, evaluate)


def unbounded(seed: int) -> tuple[BestFirstModel, int]:
    """Make a tree of which every node must be branched; its least leaf."""
    leaves = np.random.default_rng(seed).integers(5, 10**6, 2**LEVELS)
    return tree(False, leaves), int(leaves.min())


@pytest.mark.parametrize("most", [1, 20, 10**6])
@pytest.mark.parametrize("cores", [1, 2, 5])
def test_every_node_is_branched_once(cores, most):
    """However many cores there are, and however little memory."""
    bits, least = unbounded(cores)
    monitor = Monitor(Incumbent())
    outcome = search(bits, monitor, core_explorers(bits, cores, most), root_bound=0)
    assert outcome.complete
    assert outcome.nodes == 2 ** (LEVELS + 1) - 1
    assert outcome.leaves == 2**LEVELS
    assert outcome.bound == monitor.incumbent.objective == least
    assert outcome.explored == 1.0


def scheduler_of(bits: BestFirstModel, cores: int, incumbent: Incumbent) -> Scheduler:
    """Make cores that look around after every node or so."""
    explorers = [BestFirstExplorer(bits, f"cpu:{i}", 10**6) for i in range(cores)]
    tuning = SchedulerTuning(first_slice_s=1e-6, longest_slice_s=1e-6, short_slice_s=1e-6)
    return Scheduler(explorers, incumbent, tuning=tuning)


def test_snapshots_again_and_again_lose_nothing():
    """What is open, as a checkpoint would keep it, and what is done are the whole tree."""
    bits, least = unbounded(1)
    scheduler = scheduler_of(bits, 3, Incumbent())
    seen: list[int] = []

    def look(now: SearchCounters) -> bool:
        snapshot = scheduler.consistent_snapshot()
        if snapshot is not None:
            nodes = nodes_in(snapshot.work)
            assert bits.space.is_whole(snapshot.fathomed, nodes)
            assert len(np.unique(nodes.words, axis=0)) == len(nodes)
            seen.append(len(nodes))
        assert now.bound in (None, 0)
        return False

    assert scheduler.run(bits.root, look, poll_interval_s=0.0)
    assert scheduler.counters().nodes == 2 ** (LEVELS + 1) - 1
    assert scheduler.incumbent.objective == least
    assert len(seen) > 1


def test_stopped_and_gone_on_with_it_branches_every_node_once():
    """The open nodes of a stopped search are all that is left of it."""
    bits, least = unbounded(2)
    nodes, total, best = bits.root, 0, []
    for _ in range(10_000):
        incumbent = Incumbent(min(best, default=None))
        scheduler = scheduler_of(bits, 2, incumbent)
        done = scheduler.run(nodes, lambda now: now.nodes > 500, poll_interval_s=0.0)
        total += scheduler.counters().nodes
        nodes = nodes_in(scheduler.final_snapshot().work)
        best += [found.objective for found in incumbent.improvements]
        if done:
            break
    assert done
    assert len(nodes) == 0
    assert total == 2 ** (LEVELS + 1) - 1
    assert min(best) == least


def test_a_scheduler_that_forgets_its_nodes_searches_again():
    """After ``clear`` a tree is searched from its root, and what is done adds up again."""
    bits, _ = unbounded(5)
    scheduler = scheduler_of(bits, 2, Incumbent())
    scheduler.run(bits.root, lambda now: now.nodes > 500, poll_interval_s=0.0)
    scheduler.clear()
    before = scheduler.final_snapshot()
    assert len(before.work) == 0
    assert scheduler.run(bits.root)
    after = scheduler.final_snapshot()
    assert after.nodes - before.nodes == 2 ** (LEVELS + 1) - 1
    assert bits.space.is_whole(after.fathomed - before.fathomed, after.work)


def test_the_least_bound_comes_first():
    """On a bounded tree, no node is branched whose bound is not below the optimum."""
    monitor = Monitor(Incumbent())
    bits = tree(True, np.zeros(1, np.int64))
    outcome = search(bits, monitor, core_explorers(bits, 1), root_bound=0)
    assert (outcome.complete, outcome.bound) == (True, 0)
    # Its nodes of bound 0 are one path: no other is branched, but what a plunge passes.
    assert outcome.nodes <= 2 * LEVELS


def test_a_stopped_search_has_the_least_bound_of_what_is_open():
    """The proven bound is below what is left, and not below what was known."""
    bits, _ = unbounded(3)
    monitor = Monitor(Incumbent(), stop=MaxNodes(0))
    outcome = search(bits, monitor, core_explorers(bits, 2), root_bound=-7)
    assert not outcome.complete or outcome.nodes == 2 ** (LEVELS + 1) - 1
    if not outcome.complete:
        assert outcome.bound == 0
        assert outcome.statistics["open_nodes"] > 0
        assert 0 <= outcome.explored <= 1


def test_an_error_in_a_core_comes_out():
    """What breaks in a thread is raised where the search was called."""
    bits, _ = unbounded(4)
    wrong = replace(bits, evaluate=lambda solution: -1)
    with pytest.raises(AssertionError, match="-1"):
        search(wrong, Monitor(Incumbent()), core_explorers(wrong, 2), root_bound=0)


def visiting(seen: list[int]) -> tuple[BestFirstSearch, object]:
    """Make a search whose nodes have no children, and note their bounds; what keeps it alive."""

    @BRANCH
    def branch(node, bound, *others):
        seen.append(bound)
        return 0

    address = ctypes.cast(branch, ctypes.c_void_p).value
    assert address is not None
    return function_tree(address, 3, 1, 0), branch


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 9), max_size=600), st.integers(0, 2**32))
def test_a_store_is_a_priority_queue(bounds, seed):
    """Nodes come back as they were put in, half of them by a donation, the best at each step."""
    rng = np.random.default_rng(seed)
    seen: list[int] = []
    store, alive = visiting(seen)
    words = rng.integers(-(2**62), 2**62, (len(bounds), 3))
    nodes = NodeBatch(np.array(bounds, np.int64), rng.random(len(bounds)), words)
    cut = len(bounds) // 2
    for part in (nodes[:cut], nodes[cut:]):
        store.put(part.bound, part.share, np.ascontiguousarray(part.words))
    assert store.open == len(bounds)
    assert store.least == min(bounds, default=BestFirstSearch.NO_BOUND)
    donated = NodeBatch(*store.donate())
    assert len(donated) == min(512, len(bounds) // 2)
    rest = NodeBatch(*store.all())
    assert sorted(map(tuple, np.concatenate([donated.words, rest.words]))) == sorted(
        map(tuple, words)
    )
    none = np.zeros(1, np.int64)
    store.explore(np.array([BestFirstSearch.NO_BOUND]), none, len(bounds) + 1, False)
    assert alive
    assert seen == sorted(rest.bound.tolist())


def test_nodes_of_another_tree_are_refused():
    """Rows of another width, or arrays of different lengths, are not read."""
    store, alive = visiting([])
    with pytest.raises(ValueError, match="another tree"):
        store.put(np.zeros(2, np.int64), np.zeros(2), np.zeros((2, 4), np.int64))
    with pytest.raises(ValueError, match="another tree"):
        store.put(np.zeros(2, np.int64), np.zeros(1), np.zeros((2, 3), np.int64))
    assert alive
    assert store.open == 0
