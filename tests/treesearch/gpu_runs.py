"""Whole searches on a GPU and on a core, and random flow shops for them."""

from __future__ import annotations

from prunus.flowshop.problem import FlowShop
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.interval.cpu.explorer import CoreExplorer
from prunus.treesearch.interval.gpu import GpuExplorer
from prunus.treesearch.interval.interval import Intervals, leaves
from tests.twins import flowshop as slow_flowshop

BIG = 2**62


def open_in(explorer):
    """Return everything that is open in an explorer, as intervals."""
    parts = [part.intervals() for part in explorer.state()[0]]
    return Intervals.concatenate([Intervals.empty(len(explorer.radix)), *parts])


def explored_by(explorer):
    """Return how many leaves an explorer has passed."""
    return explorer.state()[1]


def run(explorer, incumbent, *, limit=100_000):
    """Explore to the end; return the branched nodes."""
    nodes = 0
    for _ in range(limit):
        report = explorer.explore(incumbent, 60.0)
        nodes += report.nodes
        if report.exhausted:
            break
    assert len(open_in(explorer)) == 0
    assert explorer.bound() is None
    return nodes


def search(program, device, ub=None, **options):
    """Search a whole tree; return the branched nodes and the incumbent."""
    explorer = GpuExplorer(program, device, **options)
    incumbent = Incumbent(ub)
    explorer.load(Intervals.whole(program.levels))
    nodes = run(explorer, incumbent)
    assert explored_by(explorer) == leaves(explorer.radix)
    return nodes, incumbent


def on_core(tree, ub):
    """Search a whole tree on one core; return the branched nodes and the incumbent."""
    core, incumbent = CoreExplorer(tree), Incumbent(ub)
    core.load(Intervals.whole(len(tree.radix)))
    return run(core, incumbent), incumbent


def random_shop(rng, jobs, machines, high=100):
    """An instance with small random times."""
    return FlowShop(rng.integers(1, high, (jobs, machines)))


def optimum(problem):
    """The least makespan, by the plain search."""
    return slow_flowshop.search(problem.processing_times.tolist(), BIG).makespan
