"""Nodes of flow-shop trees for the tests of the kernels: an instance, a path, and all tables."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from prunus.flowshop.cpu.state import FORWARD, descend, job_rows, padded, root_state
from tests.twins import flowshop as twin

KINDS = (np.int16, np.int32, np.int64)


@dataclass
class Node:
    """A node reached by a path, in the plain form and in that of the kernels.

    ``p`` is the instance as lists; ``prefix`` and ``suffix`` are the fixed jobs in the order of the
    schedule; ``state`` and ``free`` are the kernels' rows, one a level.
    """

    p: list[list[int]]
    prefix: tuple[int, ...]
    suffix: tuple[int, ...]
    level: int
    times: np.ndarray
    rows: np.ndarray
    state: np.ndarray
    free: np.ndarray
    bounds: np.ndarray
    survivors: np.ndarray

    @property
    def machines(self):
        """The number of machines."""
        return len(self.p[0])

    @property
    def unscheduled(self):
        """The jobs that are not fixed, by index."""
        return twin.unscheduled(self.p, self.prefix, self.suffix)

    def row(self, level):
        """Return front, back, front load and back load of a row, as tuples."""
        parts = self.state[level].reshape(4, -1)[:, : self.machines]
        return tuple(tuple(part) for part in parts.tolist())

    def lb1(self, direction):
        """Return the plain LB1 of each unscheduled job."""
        return {
            j: twin.lb1(self.p, self.prefix, self.suffix, j, direction) for j in self.unscheduled
        }

    def surviving(self, direction):
        """Return the jobs in ``survivors``."""
        return {j for j in range(len(self.p)) if self.survivors[direction, j >> 5] >> (j & 31) & 1}


def make_node(matrix, path, kind):
    """Build a node; ``path`` is a list of (rank of the job among the unscheduled, direction)."""
    times = np.asarray(matrix, np.int64)
    jobs, machines = times.shape
    lanes = padded(jobs)
    columns = np.zeros((machines, lanes), kind)
    columns[:, :jobs] = times.T
    rows = job_rows(times, kind)
    root = root_state(times).astype(kind)
    state = np.zeros((jobs + 1, len(root)), kind)
    state[0] = root
    free = np.zeros((jobs + 1, lanes // 32), np.uint32)
    for j in range(jobs):
        free[0, j >> 5] |= np.uint32(1 << (j & 31))
    prefix, suffix = (), ()
    p = times.tolist()
    for level, (rank, direction) in enumerate(path):
        left = twin.unscheduled(p, prefix, suffix)
        job = left[rank % len(left)]
        descend(rows, state, level, job, direction)
        free[level + 1] = free[level]
        free[level + 1, job >> 5] &= np.uint32(~(1 << (job & 31)) & 0xFFFFFFFF)
        prefix, suffix = twin.child(prefix, suffix, job, direction)
    bounds = np.zeros((jobs, 2, lanes), kind)
    survivors = np.zeros((2, lanes // 32), np.uint32)
    return Node(p, prefix, suffix, len(path), columns, rows, state, free, bounds, survivors)


def limit(matrix):
    """The number that decides which type an instance's search needs; see ``smallest_type``."""
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
    """Strategy: nodes of small instances with small times, of any type."""
    jobs, machines = draw(st.integers(1, max_jobs)), draw(st.integers(1, max_machines))
    matrix = draw(arrays(np.int64, (jobs, machines), elements=st.integers(0, largest)))
    return make_node(matrix, draw(whole_paths(jobs)), draw(st.sampled_from(KINDS)))


def random_node(jobs, machines, kind, seed):
    """A node about half-way down a random instance, with times as large as the type allows."""
    rng = np.random.default_rng(seed)
    wanted = int(np.iinfo(kind).max) if kind != np.int64 else 2**50
    times = at_limit(jobs, machines, wanted - wanted % (jobs + 2 * machines + 1), rng)
    depth = int(rng.integers(jobs // 4, jobs // 2 + 1))
    path = [(int(rng.integers(jobs)), int(rng.integers(2))) for _ in range(depth)]
    return make_node(times, path, kind)


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

__all__ = ["FORWARD", "KINDS", "SHAPES", "Node", "at_limit", "limit", "make_node", "nodes"]
__all__ += ["random_node", "whole_paths"]
