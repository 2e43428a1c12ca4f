"""The flow shop as the search on a GPU sees it: constants and tables of its kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.errors import DeviceError
from prunus.flowshop.cpu.branching import Branching
from prunus.flowshop.problem import FlowShop
from prunus.treesearch.interval.gpu.program import Program

__all__ = ["BOUNDS", "flowshop_program", "longest"]

BOUNDS = {"lb1": 0, "lb2": 1, "mixed": 2}
SHARED_LIMIT = 96 * 1024
"""Bytes of tables that go to shared memory; every supported GPU has room for one such block."""


def longest(times: NDArray[np.int64]) -> int:
    """Return a bound on the makespan of any schedule, idle times included.

    A critical path steps to the next job or to the next machine; a step to a job costs at most
    that job's longest operation, a step to a machine at most that machine's.
    """
    return int(times.max(1).sum() + times.max(0).sum())


def _pack(low: NDArray[np.int64], high: NDArray[np.int64]) -> NDArray[np.uint32]:
    packed: NDArray[np.uint32] = (low | high << 16).astype(np.uint32)
    return packed


def _root(times: NDArray[np.int64]) -> tuple[NDArray[np.int64], ...]:
    """Return front, back and remaining work at the root: least heads, least tails, loads."""
    until = np.cumsum(times, 1)
    heads = (until - times).min(0)
    tails = (times.sum(1)[:, None] - until).min(0)
    return heads, tails, times.sum(0)


def _row(values: NDArray[Any], kind: Any) -> NDArray[np.uint32]:
    """Return rows of numbers as words, each padded to 16 bytes."""
    rows = np.atleast_2d(values).astype(kind)
    width = -(-rows.shape[1] * rows.itemsize // 16) * 16 // rows.itemsize
    padded = np.zeros((len(rows), width), kind)
    padded[:, : rows.shape[1]] = rows
    return padded.view(np.uint32).ravel()


def _johnson(times: NDArray[np.int64], kind: Any) -> list[NDArray[np.uint32]]:
    """Return the machine pairs and, for each, all jobs in Johnson's order with their steps."""
    jobs, machines = times.shape
    pairs, steps = [], []
    until = np.cumsum(times, 1)
    for u in range(machines):
        for v in range(machines - 1, u, -1):
            lag = until[:, v] - times[:, v] - until[:, u]
            first, second = times[:, u] + lag, lag + times[:, v]
            order = np.lexsort((np.where(first < second, first, -second), first >= second))
            pairs.append((u, v))
            steps.append(np.stack([np.arange(jobs), times[:, u], lag, times[:, v]], 1)[order])
    if not pairs:
        return []
    return [
        _row(np.array(pairs).ravel(), np.int32),
        np.stack(steps).astype(kind).ravel().view("u4"),
    ]


def flowshop_program(
    problem: FlowShop,
    *,
    bound: str = "lb1",
    branching: Branching = Branching.MINBRANCH,
    arithmetic: int | None = None,
) -> Program:
    """Describe an instance to the search on a GPU.

    Parameters
    ----------
    problem
        The instance.
    bound
        ``"lb1"``, ``"lb2"`` or ``"mixed"``.
    branching
        The branching rule.
    arithmetic
        Bits of a number: 16 (both directions packed in a word), 32 or 64. By default the narrowest
        in which no makespan overflows.
    """
    times = problem.processing_times
    jobs, machines = times.shape
    top = longest(times)
    narrowest = 16 if top < 2**15 - 1 else 32 if top < 2**30 else 64
    bits = max(narrowest, arithmetic or 0)
    if top >= 2**61:
        raise DeviceError("the processing times are too large for a GPU; use devices='cpu'")
    number, wide = ("long long", "long long") if bits == 64 else ("int", "long long")
    kind = np.int64 if bits == 64 else np.int32
    front, back, remaining = _root(times)
    if bits == 16:
        rows = _row(_pack(times, times[:, ::-1]), np.uint32)
        free_at = _pack(front, back[::-1])
        load = _pack(remaining + back, (remaining + front)[::-1])
        state = [_row(free_at, np.uint32), _row(load, np.uint32)]
    else:
        rows = _row(times, kind)
        state = [_row(values, kind) for values in (front, back, remaining)]
    largest = 2**15 - 1 if bits == 16 else 2 ** (bits - 1) - 1
    shared = rows.nbytes <= SHARED_LIMIT
    words = sum(part.size for part in state)
    registers = words + (machines if bits == 16 else 2 * machines)
    return Program(
        levels=jobs,
        file="flowshop/gpu/search.cu",
        constants={
            "LEVELS": jobs,
            "MACHINES": machines,
            "NUMBER": number,
            "NUMBER_BYTES": 8 if bits == 64 else 4,
            "SUM": "int" if bits == 16 else wide,
            "LARGEST": f"{largest}LL",
            "PACKED": int(bits == 16),
            "SHARED_ROWS": int(shared),
            "PAIRS": machines * (machines - 1) // 2,
            "BOUND": BOUNDS[bound],
            "RULE": int(branching),
        },
        tables=np.concatenate([rows, *state, *(_johnson(times, kind) if bound != "lb1" else [])]),
        state_words=words,
        shared_bytes=rows.nbytes if shared else 0,
        blocks=4 if registers <= 72 and bound == "lb1" else 2,
        largest=largest,
        solution=lambda path: path,
        evaluate=problem.evaluate,
    )
