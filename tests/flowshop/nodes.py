"""Nodes of flow-shop trees for the tests of the native search: an instance, and a path."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from prunus.flowshop.cpu.tree import core_tree
from prunus.flowshop.problem import FlowShop
from prunus.flowshop.rules import Branching
from tests.twins import flowshop as twin

KINDS = (np.int16, np.int32, np.int64)


@dataclass
class Node:
    """A node of the tree of the instance ``p`` that is reached by a path.

    ``prefix`` and ``suffix`` are the fixed jobs in the order of the schedule; ``digits`` and
    ``directions`` lead to it.
    """

    p: list[list[int]]
    prefix: tuple[int, ...]
    suffix: tuple[int, ...]
    digits: list[int]
    directions: list[int]

    @property
    def machines(self):
        """The number of machines."""
        return len(self.p[0])

    @property
    def level(self):
        """How many jobs are fixed."""
        return len(self.digits)

    @property
    def unscheduled(self):
        """The jobs that are not fixed, by index."""
        return twin.unscheduled(self.p, self.prefix, self.suffix)

    def search(self, bound, rule):
        """Make a search of the instance."""
        return core_tree(FlowShop(np.array(self.p)), bound, rule).search()

    def load(self, search, direction, cutoff):
        """Let a search stand at the node, branched in a direction."""
        jobs, level, left = len(self.p), self.level, len(self.unscheduled)
        digits, directions = np.zeros(jobs, np.uint32), np.zeros(jobs, np.uint8)
        digits[:level], directions[:level] = self.digits, self.directions
        directions[level] = direction
        search.load(digits, directions, (level + 1, level, left), np.array([cutoff]))

    def children(self, search, direction, cutoff):
        """Return the bounds of the children that survive in a direction, by job."""
        self.load(search, direction, cutoff)
        return open_children(search, self.level, self.unscheduled)

    def own_limit(self, bound, cutoff):
        """Return a cutoff, raised so that the node itself is below it."""
        if not self.level:
            return cutoff
        path = list(zip(self.digits, self.directions, strict=True))
        parent = make_node(self.p, path[:-1])
        search = self.search(bound, Branching.FORWARD)
        own = parent.children(search, self.directions[-1], 2**62)
        return max(cutoff, own[parent.unscheduled[self.digits[-1]]] + 1)

    def chosen(self, search, cutoff):
        """Return the direction that the rule takes at this node; None if nothing survives.

        The node is branched as the only child that is left of its parent.
        """
        jobs, level = len(self.p), self.level
        digits, directions = np.zeros(jobs, np.uint32), np.zeros(jobs, np.uint8)
        digits[:level], directions[:level] = self.digits, self.directions
        extent = (level, level - 1, self.digits[-1] + 1) if level else (0, 0, 0)
        search.load(digits, directions, extent, np.array([cutoff]))
        if level:
            search.explore(np.array([cutoff]), np.zeros(1, np.int64), 1)
        depth, _, _ = search.rest(digits, directions)
        return int(directions[level]) if depth == level + 1 else None


def open_children(search, level, items):
    """Return the bounds of a search's open nodes at a level, by item."""
    rows, levels = len(list(items)) + 1, search.levels
    digits, directions = np.zeros((rows, levels), np.uint32), np.zeros((rows, levels), np.uint8)
    levels_of, bounds = np.zeros(rows, np.int64), np.zeros(rows, np.int64)
    sample = digits, directions, levels_of, bounds, np.zeros(rows)
    count = search.sample(2**62, 10**6, np.zeros(1, np.uint64), sample)
    assert (levels_of[:count] == level).all()
    ranks = digits[:count, level].tolist()
    return {list(items)[rank]: bound for rank, bound in zip(ranks, bounds.tolist(), strict=False)}


def make_node(matrix, path):
    """Build a node; ``path`` is a list of (rank of the job among the unscheduled, direction)."""
    p = np.asarray(matrix, np.int64).tolist()
    prefix, suffix = (), ()
    digits, directions = [], []
    for rank, direction in path:
        left = twin.unscheduled(p, prefix, suffix)
        digits.append(rank % len(left))
        directions.append(direction)
        prefix, suffix = twin.child(prefix, suffix, left[digits[-1]], direction)
    return Node(p, prefix, suffix, digits, directions)


def limit(matrix):
    """The number that decides which type an instance's search needs: no bound is larger."""
    times = np.asarray(matrix)
    return int(times.max(1).sum()) + (2 * times.shape[1] + 1) * int(times.max())


def at_limit(jobs, machines, wanted, rng=None):
    """An instance whose ``limit`` is exactly ``wanted``, its times as large as they can be.

    Without ``rng`` a job takes the same time on all machines, so that bounds come close to it.
    """
    weight = 2 * machines + 1
    largest = -(-wanted // (jobs + weight))
    left = wanted - weight * largest - largest
    longest = [largest]
    for place in range(jobs - 1, 0, -1):
        longest.append(min(largest, -(-left // place)))
        left -= longest[-1]
    if left != 0:
        raise ValueError("no such instance")
    times = np.repeat(np.array(longest, np.int64)[:, None], machines, 1)
    if rng is not None:
        keep = rng.integers(0, machines, jobs)
        smaller = rng.integers(0, times + 1)
        smaller[np.arange(jobs), keep] = longest
        times = smaller
    return times


def whole_paths(jobs):
    """Strategy: a path to some node that is not a leaf."""
    step = st.tuples(st.integers(0, jobs), st.integers(0, 1))
    return st.lists(step, max_size=jobs - 1)


@st.composite
def nodes(draw, max_jobs=6, max_machines=6, largest=20):
    """Strategy: nodes of small instances with small times."""
    jobs, machines = draw(st.integers(1, max_jobs)), draw(st.integers(1, max_machines))
    matrix = draw(arrays(np.int64, (jobs, machines), elements=st.integers(0, largest)))
    return make_node(matrix, draw(whole_paths(jobs)))


def random_node(jobs, machines, kind, seed):
    """A node about half-way down a random instance, with times as large as the type allows."""
    rng = np.random.default_rng(seed)
    wanted = int(np.iinfo(kind).max) if kind != np.int64 else 2**50
    times = at_limit(jobs, machines, wanted - wanted % (jobs + 2 * machines + 1), rng)
    depth = int(rng.integers(jobs // 4, jobs // 2 + 1))
    path = [(int(rng.integers(jobs)), int(rng.integers(2))) for _ in range(depth)]
    return make_node(times, path)


SHAPES = [
    (1, 1),
    (1, 70),
    (70, 1),
    (2, 33),
    (31, 5),
    (32, 32),
    (33, 31),
    (64, 3),
    (65, 65),
    (70, 70),
]
"""Jobs and machines on both sides of whole blocks of 32 lanes."""
