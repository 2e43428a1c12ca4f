"""The flow shop as the search on a GPU sees it: constants and tables of its kernels."""

from __future__ import annotations

import numpy as np
from numpy.typing import DTypeLike

from prunus.errors import DeviceError
from prunus.flowshop.bounds.johnson import heads_and_tails, johnson_pairs
from prunus.flowshop.problem import FlowShop
from prunus.flowshop.rules import Bound, Branching
from prunus.model.arrays import AnyArray, Int64Array, UInt32Array
from prunus.treesearch.interval.gpu.program import GpuProgram

MAX_SHARED_BYTES = 96 * 1024
"""Tables up to this size go to shared memory; every supported GPU has room for one such block."""

MAX_SMALL_NODE_WORDS = 72
"""Four blocks fit on a multiprocessor while a node needs so many registers; beyond that, two."""


def longest_makespan(times: Int64Array) -> int:
    """Return a bound on the makespan of any schedule, idle times included.

    A critical path steps to the next job or to the next machine; a step to a job costs at most
    that job's longest operation, a step to a machine at most that machine's.
    """
    return int(times.max(1).sum() + times.max(0).sum())


def packed(low: Int64Array, high: Int64Array) -> UInt32Array:
    """Return two numbers of 16 bits in a word."""
    return np.asarray(low | high << 16, np.uint32)


def _row(values: AnyArray, kind: DTypeLike) -> UInt32Array:
    """Return rows of numbers as words, each padded to 16 bytes."""
    rows = np.atleast_2d(values).astype(kind)
    width = -(-rows.shape[1] * rows.itemsize // 16) * 16 // rows.itemsize
    padded = np.zeros((len(rows), width), kind)
    padded[:, : rows.shape[1]] = rows
    return padded.view(np.uint32).ravel()


def _johnson(times: Int64Array, kind: DTypeLike) -> list[UInt32Array]:
    """Return the machine pairs and, for each, all jobs in Johnson's order with their steps.

    For each machine u the pairs with the machines farthest from it come first: they prune more.
    """
    pairs, steps = johnson_pairs(times)
    if len(pairs) == 0:
        return []
    order = np.lexsort((-pairs[:, 1], pairs[:, 0]))
    steps = steps[order].astype(kind)
    return [_row(pairs[order].ravel(), np.int32), steps.ravel().view(np.uint32)]


def flowshop_program(
    problem: FlowShop,
    *,
    bound: Bound = Bound.LB1,
    branching: Branching = Branching.MINBRANCH,
    arithmetic: int | None = None,
) -> GpuProgram:
    """Describe an instance to the search on a GPU.

    ``arithmetic`` is the bits of a number: 16 (both directions packed in a word), 32 or 64; by
    default the narrowest in which no makespan overflows.
    """
    times = problem.processing_times
    jobs, machines = times.shape
    top = longest_makespan(times)
    narrowest = 16 if top < 2**15 - 1 else 32 if top < 2**30 else 64
    bits = max(narrowest, arithmetic or 0)
    if top >= 2**61:
        raise DeviceError("the processing times are too large for a GPU; search on the CPU")
    kind = np.int64 if bits == 64 else np.int32
    (front, back), remaining = heads_and_tails(times), times.sum(0)
    if bits == 16:
        rows = _row(packed(times, times[:, ::-1]), np.uint32)
        free_at = packed(front, back[::-1])
        load = packed(remaining + back, (remaining + front)[::-1])
        state = [_row(free_at, np.uint32), _row(load, np.uint32)]
    else:
        rows = _row(times, kind)
        state = [_row(values, kind) for values in (front, back, remaining)]
    pairs = _johnson(times, kind) if bound != Bound.LB1 else []
    shared = rows.nbytes <= MAX_SHARED_BYTES
    words = sum(part.size for part in state)
    registers = words + (machines if bits == 16 else 2 * machines)
    return GpuProgram(
        levels=jobs,
        file="flowshop/gpu/search.cu",
        bits=bits,
        choices={
            "MACHINES": machines,
            "SUM": "int" if bits == 16 else "long long",
            "PACKED": int(bits == 16),
            "SHARED_ROWS": int(shared),
            "PAIRS": machines * (machines - 1) // 2,
            "BOUND": int(bound),
            "RULE": int(branching),
        },
        tables=np.concatenate([rows, *state, *pairs]),
        state_words=words,
        shared_bytes=rows.nbytes if shared else 0,
        blocks=4 if registers <= MAX_SMALL_NODE_WORDS and bound == Bound.LB1 else 2,
        solution=lambda path: path,
        evaluate=problem.evaluate,
    )
