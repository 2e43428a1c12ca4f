"""The flow-shop tree as the search on cores sees it."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from prunus.flowshop.cpu.machine_pairs import MachinePairs, lay_out
from prunus.flowshop.cpu.node import (
    Lb1Data,
    Lb2Data,
    branch_lb1,
    branch_lb2,
    descend_lb1,
    descend_lb2,
)
from prunus.flowshop.cpu.state import job_rows, padded, root_state
from prunus.flowshop.problem import FlowShop
from prunus.flowshop.rules import Bound, Branching
from prunus.model.arrays import Int64Array
from prunus.treesearch.interval.cpu.aligned import aligned_copy
from prunus.treesearch.interval.cpu.compiled_search import CompiledSearch, compile_search
from prunus.treesearch.interval.cpu.tree import Tree


@cache
def _search(with_lb2: bool) -> CompiledSearch:
    """Compile the search with LB2, or without its code, which takes half the time."""
    if with_lb2:
        return compile_search("flowshop_lb2", branch_lb2, descend_lb2)
    return compile_search("flowshop_lb1", branch_lb1, descend_lb1)


def smallest_type(processing_times: Int64Array) -> np.dtype[Any]:
    """Return the narrowest integer type in which no value of the search can overflow.

    A bound is at most the longest critical path through prefix and suffix plus the work of the
    jobs in between: one time for each job, the largest it has on any machine, and for each of the
    two paths one more for each machine change, at most the largest of all.
    """
    machines = processing_times.shape[1]
    largest = int(processing_times.max())
    limit = int(processing_times.max(1).sum()) + (2 * machines + 1) * largest
    for kind in (np.int16, np.int32):
        if limit <= np.iinfo(kind).max:
            return np.dtype(kind)
    return np.dtype(np.int64)


def path_to_schedule(items: Int64Array, directions: Int64Array) -> Int64Array:
    """Turn the jobs fixed from the outside in into the permutation they make."""
    return np.concatenate([items[directions == 0], items[directions == 1][::-1]])


def core_tree(problem: FlowShop, bound: Bound, branching: Branching) -> Tree:
    """Prepare an instance for explorers on cores."""
    times = problem.processing_times
    kind = smallest_type(times)
    lanes = padded(problem.jobs)
    columns = np.zeros((problem.machines, lanes), kind)
    columns[:, : problem.jobs] = times.T
    rows = job_rows(times, kind)
    pairs = lay_out(times, kind) if bound != Bound.LB1 and problem.machines > 1 else None

    def data() -> Lb1Data | Lb2Data:
        lb1 = Lb1Data(
            times=aligned_copy(columns),
            rows=aligned_copy(rows),
            rule=int(branching),
            survivors=np.zeros((2, lanes // 32), np.uint32),
        )
        if pairs is None:
            return lb1
        return Lb2Data(*lb1, int(bound), MachinePairs(*map(aligned_copy, pairs)))

    return Tree(
        radix=tuple(range(problem.jobs, 0, -1)),
        items=problem.jobs,
        search=_search(pairs is not None),
        root=root_state(times).astype(kind),
        data=data,
        solution=path_to_schedule,
        evaluate=problem.evaluate,
    )
