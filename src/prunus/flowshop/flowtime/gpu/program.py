"""The tree of total flow times as the search on a GPU sees it."""

from __future__ import annotations

import numpy as np

from prunus.flowshop.flowtime.root import number_type, shortest_first, tails_of
from prunus.flowshop.problem import FlowShop
from prunus.model.arrays import AnyArray, UInt32Array
from prunus.treesearch.interval.gpu.program import GpuProgram

MAX_SHARED_BYTES = 32 * 1024
"""Tables up to this size go to shared memory."""


def _words(values: AnyArray) -> UInt32Array:
    """Return an array as words, padded to 16 bytes."""
    raw = np.ascontiguousarray(values).view(np.uint8).ravel()
    return np.concatenate([raw, np.zeros(-len(raw) % 16, np.uint8)]).view(np.uint32)


def flowtime_program(problem: FlowShop) -> GpuProgram:
    """Describe an instance to the search on a GPU."""
    times = problem.processing_times
    jobs, machines = times.shape
    kind = number_type(times)
    parts = [_words(part.T.astype(kind)) for part in (times, tails_of(times))]
    tables = np.concatenate([*parts, _words(shortest_first(times).astype(np.uint16))])
    shared = tables.nbytes <= MAX_SHARED_BYTES
    return GpuProgram(
        levels=jobs,
        file="flowshop/flowtime/gpu/search.cu",
        bits=8 * kind.itemsize,
        choices={"MACHINES": machines, "SHARED_TABLES": int(shared)},
        tables=tables,
        state_words=-(-(machines + 1) * kind.itemsize // 16) * 4,
        shared_bytes=tables.nbytes if shared else 0,
        blocks=4,
        solution=lambda path: path,
        evaluate=problem.evaluate,
    )
