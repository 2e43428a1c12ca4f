"""Best first on a tree that knows no problem: every node once, whatever happens meanwhile."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prunus.hardware.jit.compiled import inner
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor
from prunus.stop import MaxNodes
from prunus.treesearch.bestfirst.compiled_search import NO_BOUND, compile_search, pop
from prunus.treesearch.bestfirst.explorer import BestFirstExplorer
from prunus.treesearch.bestfirst.model import BestFirstModel
from prunus.treesearch.bestfirst.open_nodes import NodeBatch, OpenNodes
from prunus.treesearch.bestfirst.search import core_explorers, search
from prunus.treesearch.bestfirst.space import nodes_in
from prunus.treesearch.scheduler.scheduler import Scheduler
from prunus.treesearch.scheduler.snapshot import SearchCounters
from prunus.treesearch.scheduler.tuning import SchedulerTuning

LEVELS = 13


@inner
def branch(data, node, bound, ub, flag, children, bounds, found):
    """Choose the next bit; a leaf has an objective, a node the bound of what its bits cost."""
    level = node[0]
    if level == data[0].size:
        cost = bound if data[1][0] else data[2][node[1]]
        if cost < ub:
            found[0] = cost
            found[1] = node[1]
        return 0
    for bit in range(2):
        children[bit, 0] = level + 1
        children[bit, 1] = node[1] * 2 + bit
        bounds[bit] = bound + (data[0][level] if bit else 0) * data[1][0]
    return 2


explore = compile_search("bits", branch)
COSTS = np.arange(1, LEVELS + 1)


def tree(bounded: bool, leaves: np.ndarray, levels: int = LEVELS) -> BestFirstModel:
    """Make the tree of all words of bits; bounded by what is chosen, or by nothing."""

    def evaluate(solution):
        word = int(solution[0])
        bits = [(word >> (levels - 1 - b)) & 1 for b in range(levels)]
        return int(np.dot(bits, COSTS[:levels])) if bounded else int(leaves[word])

    root = NodeBatch(np.zeros(1, np.int64), np.ones(1), np.zeros((1, 2), np.int64))
    data = (COSTS[:levels], np.array([int(bounded)]), leaves)
    return BestFirstModel(root, 2, 1, explore, lambda: data, lambda numbers: numbers, evaluate)


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


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 9), max_size=600), st.integers(0, 2**32))
def test_a_store_is_a_priority_queue(bounds, seed):
    """NodeBatch come back as they were put in, half of them by a donated, the best at each step."""
    rng = np.random.default_rng(seed)
    store = OpenNodes(3, 2, 1)
    words = rng.integers(-(2**62), 2**62, (len(bounds), 3))
    nodes = NodeBatch(np.array(bounds, np.int64), rng.random(len(bounds)), words)
    cut = len(bounds) // 2
    for part in (slice(cut), slice(cut, None)):
        store.put(nodes[part])
    assert store.count == len(bounds)
    assert store.least() == min(bounds, default=NO_BOUND)
    donated = store.donate()
    assert len(donated) == min(512, len(bounds) // 2)
    rest = store.all()
    assert sorted(map(tuple, np.concatenate([donated.words, rest.words]))) == sorted(
        map(tuple, words)
    )
    heap, size, seen = store.arrays.heap, int(store.counts.in_heap), []
    while size:
        seen.append(int(store.arrays.bound[pop(store.arrays.bound, heap, size)]))
        size -= 1
    assert seen == sorted(int(b) for b in rest.bound)
