"""How many nodes a search branches: exactly those of the plain search, whoever does the work.

Also the published counts of Taillard's instances with the optimum given. The root is counted here
and not there, which makes the difference where the rule is ``FORWARD``; with the other rules the
levels next to the root may differ more, by at most a few hundred nodes.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from prunus.flowshop.cpu.tree import core_tree
from prunus.flowshop.problem import FlowShop
from prunus.flowshop.rules import Bound, Branching
from prunus.read import read
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.interval.cpu.explorer import CoreExplorer, CoreTuning
from prunus.treesearch.interval.interval import Intervals, leaves
from prunus.treesearch.scheduler.scheduler import Scheduler
from tests.flowshop.nodes import at_limit, limit
from tests.twins import flowshop as twin


def search(problem, upper_bound, bound, rule, cores=1, *tuning):
    """Search the whole tree; return the number of nodes and the best makespan."""
    tree = core_tree(problem, bound, rule)
    incumbent = Incumbent(upper_bound)
    explorers = [CoreExplorer(tree, f"cpu:{i}", *tuning) for i in range(cores)]
    scheduler = Scheduler(explorers, incumbent, seed=1)
    assert scheduler.run(Intervals.whole(len(tree.radix)))
    assert scheduler.final_snapshot().fathomed == leaves(tree.radix)
    return scheduler.counters().nodes, incumbent.cutoff


def random_times(seed, jobs, machines, largest=99):
    """A random instance."""
    return np.random.default_rng(seed).integers(0, largest + 1, (jobs, machines))


@pytest.mark.parametrize("bound", list(Bound))
@pytest.mark.parametrize("rule", list(Branching))
def test_same_nodes_as_the_plain_search(bound, rule):
    """One core branches the nodes of the plain search, with the optimum and with nothing given."""

    @settings(max_examples=15, deadline=None)
    @given(
        arrays(
            np.int64, st.tuples(st.integers(1, 6), st.integers(1, 5)), elements=st.integers(0, 30)
        )
    )
    def check(times):
        p = times.tolist()
        names = bound.name.lower(), rule.name.lower()
        from_nothing = twin.search(p, 10**6, *names)
        nodes, best = search(FlowShop(times), None, bound, rule)
        assert (nodes, best) == (from_nothing.branched, from_nothing.makespan)
        assert best == twin.optimum(p)
        for upper_bound in (best, best + 1):
            expected = twin.search(p, upper_bound, *names).branched
            assert search(FlowShop(times), upper_bound, bound, rule)[0] == expected

    check()


@pytest.mark.parametrize("bound", [Bound.LB2, Bound.MIXED])
@pytest.mark.parametrize("machines", [12, 34])
def test_same_nodes_while_pairs_change_places(bound, machines):
    """With several blocks of machine pairs, whose order is learned on the way, the same holds."""
    for seed in range(4 if machines < 20 else 1):
        times = random_times(seed, 6, machines)
        expected = twin.search(times.tolist(), 10**6, bound.name.lower())
        found = search(FlowShop(times), None, bound, Branching.MINBRANCH)
        assert found == (expected.branched, expected.makespan)


@pytest.mark.parametrize("bound", list(Bound))
@pytest.mark.parametrize("rule", list(Branching))
def test_same_nodes_on_any_number_of_cores(bound, rule):
    """With the optimum given, 1, 2 and 3 cores that steal at every turn branch the same nodes."""
    tuning = CoreTuning(min_node_budget=4)
    for seed in range(3):
        problem = FlowShop(random_times(seed, 8, 9))
        _, best = search(problem, None, Bound.LB1, Branching.MINBRANCH)
        counts = {search(problem, best, bound, rule, n, tuning)[0] for n in (1, 2, 3)}
        assert len(counts) == 1


@pytest.mark.parametrize(("jobs", "machines"), [(33, 2), (40, 3), (33, 5), (70, 2)], ids=str)
@pytest.mark.parametrize("bound", list(Bound))
def test_more_jobs_than_lanes(jobs, machines, bound):
    """Instances of more than 32 jobs: all cores, bounds and rules agree on the optimum."""
    problem = FlowShop(random_times(jobs, jobs, machines, 20))
    best = search(problem, None, Bound.MIXED, Branching.MINBRANCH)[1]
    one = search(problem, best + 1, bound, Branching.MINBRANCH)
    assert one[1] == best
    counts = {search(problem, best, bound, Branching.MINBRANCH, n)[0] for n in (1, 2)}
    assert len(counts) == 1


@pytest.mark.parametrize(("end", "kind"), [(2**15, np.int16), (2**31, np.int32)])
@pytest.mark.parametrize(("jobs", "machines"), [(6, 3), (5, 2), (3, 40)])
def test_the_smallest_type_is_small_and_large_enough(end, kind, jobs, machines):
    """One below the end of a type's range the type is taken, at the end the next; both are right.

    Times are equal on all machines, so that bounds come as close to the limit as they can.
    """
    for seed in (None, 0, 1):
        for wanted in (end - 1, end):
            rng = None if seed is None else np.random.default_rng(seed)
            times = at_limit(jobs, machines, wanted, rng)
            assert limit(times) == wanted
            bits = core_tree(FlowShop(times), Bound.LB1, Branching.MINBRANCH).search().bits
            assert bits == (1 if wanted < end else 2) * np.iinfo(kind).bits
            p = times.tolist()
            for bound in Bound:
                expected = twin.search(p, 2**62, bound.name.lower())
                found_by = search(FlowShop(times), None, bound, Branching.MINBRANCH)
                assert found_by == (expected.branched, expected.makespan)


COUNTS = [
    ("ta030", "LB1", "MINBRANCH", 2_415_779, 2_415_800),
    ("ta030", "LB1", "MAXSUM", 3_045_636, 3_045_575),
    ("ta030", "LB1", "ALTERNATE", 7_978_351, 7_978_217),
    ("ta030", "LB2", "MINBRANCH", 1_313_802, 1_313_618),
    ("ta029", "LB1", "MINBRANCH", 12_233_430, 12_233_000),
]
"""Instance, bound, rule, our count, the count of independent programs (some are rounded)."""

SLOW_COUNTS = [
    ("ta029", "LB2", "FORWARD", 9_499_308, 9_499_307),
    ("ta028", "LB1", "MINBRANCH", 12_869_908, 12_870_000),
    ("ta030", "LB2", "FORWARD", 13_228_601, 13_228_600),
    ("ta022", "LB1", "MINBRANCH", 45_955_964, 45_956_000),
    ("ta025", "LB1", "MINBRANCH", 84_319_335, 84_319_000),
    ("ta030", "LB1", "FORWARD", 111_887_481, 111_887_480),
]

OPTIMA = {"ta022": 2099, "ta025": 2291, "ta028": 2200, "ta029": 2237, "ta030": 2178}


def check_count(name, bound, rule, ours, reference):
    """Count the nodes with the optimum given, on two cores."""
    nodes, best = search(read(name), OPTIMA[name], Bound[bound], Branching[rule], cores=2)
    assert best == OPTIMA[name]
    assert nodes == ours
    assert nodes == pytest.approx(reference, rel=1e-3)


@pytest.mark.parametrize(("name", "bound", "rule", "ours", "reference"), COUNTS)
def test_published_counts(name, bound, rule, ours, reference):
    """The tree of a Taillard instance has the size that independent programs report."""
    check_count(name, bound, rule, ours, reference)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "bound", "rule", "ours", "reference"), SLOW_COUNTS)
def test_published_counts_of_large_trees(name, bound, rule, ours, reference):
    """The same for trees that take more than a few seconds."""
    check_count(name, bound, rule, ours, reference)
