"""A shop and a level's nodes as compiled code reads them: jobs in blocks, machines in fours."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.flowshop.beam.guides import emphasis, in_fours
from prunus.flowshop.bounds.johnson import heads_and_tails
from prunus.flowshop.problem import FlowShop
from prunus.model.arrays import AnyArray
from prunus.treesearch.interval.cpu.aligned import aligned_copy

BLOCK = 64
"""Jobs that are rated side by side."""


class Level(NamedTuple):
    """The nodes of a level, one a row; of both sides, the machines of the tail from the last."""

    free: AnyArray
    """(nodes, 2, machines): when a machine is free after head or tail (at the root, the least)."""
    work: AnyArray
    """(nodes, 2, machines): the work of head and tail."""
    fixed: AnyArray
    """(nodes, jobs) uint8: 1 where a job is fixed."""
    idle: AnyArray
    """(nodes, 2) float32: the share of idle time of head and tail, summed over the machines."""


class Shop(NamedTuple):
    """What is the same for all nodes; of both sides, the machines of the tail from the last.

    Machines are passed in fours, jobs in blocks: there are machines that take no time, and jobs
    that are fixed from the beginning.
    """

    times: AnyArray
    """(2, blocks, fours, 4 x jobs of a block) processing times."""
    lengths: AnyArray
    """The same times ``scale``, float32."""
    longest: AnyArray
    """(2, machines) float32: the longest of each machine, times ``scale``."""
    totals: AnyArray
    """(2, machines): work of all jobs."""
    scale: np.float32
    """So small that products of four times are no larger than what 32 bits can hold."""
    one: AnyArray
    """(2, machines) float32: 1, 0 for machines that take no time."""
    emphasis: AnyArray
    """(2, fours) float32: how many times idle time counts, see ``guides.emphasis``."""
    unreal: AnyArray
    """(2,) float32: what machines that take no time count."""


def shop_and_root(problem: FlowShop, cutoff: int, slant: float) -> tuple[Shop, Level]:
    """Return the tables of all jobs, and the root, in numbers that are as short as may be."""
    jobs, machines = problem.jobs, problem.machines
    times = np.zeros((filled(jobs), -(-machines // 4) * 4), np.int64)
    times[:jobs, :machines] = problem.processing_times
    heads, tails = heads_and_tails(times[:jobs])
    totals = times.sum(0)
    # No time of a child is later than its parent's bound and its job together.
    latest = max(cutoff, int((heads + totals + tails).max())) + int(times.sum(1).max())
    kinds = np.uint16, np.int32, np.int64
    kind = next(kind for kind in kinds if latest <= np.iinfo(kind).max or kind is np.int64)
    both = np.stack([times.T, times.T[::-1]]).astype(kind)
    blocked = _in_blocks(both)
    scale = np.float32(min(1.0, 2.0**30 / latest))
    real = np.arange(times.shape[1]) < machines
    fours = in_fours(machines)
    counts = np.stack([emphasis(fours, slant), emphasis(fours[::-1], slant)])
    shop = Shop(
        blocked,
        aligned_copy((blocked * scale).astype(np.float32)),
        (both.max(2) * scale).astype(np.float32),
        both.sum(2).astype(kind),
        scale,
        np.stack([real, real[::-1]]).astype(np.float32),
        counts,
        (times.shape[1] - machines) * np.array([counts[0, -1], counts[1, 0]]),
    )
    root = empty_level(1, times.shape[0], times.shape[1], kind)
    root.free[0] = heads, tails[::-1]
    root.work[:] = 0
    root.fixed[:] = (np.arange(times.shape[0]) >= jobs).reshape(-1, BLOCK)
    root.idle[:] = machines
    return shop, root


def empty_level(nodes: int, jobs: int, machines: int, kind: type) -> Level:
    """Make room for the nodes of a level."""
    rows: list[AnyArray] = [np.empty((nodes, 2, machines), kind) for _ in range(2)]
    free, work = rows
    fixed, idle = (
        np.empty((nodes, jobs // BLOCK, BLOCK), np.uint8),
        np.empty((nodes, 2), np.float32),
    )
    return Level(free, work, fixed, idle)


def filled(jobs: int) -> int:
    """Return how many jobs fill whole blocks."""
    return -(-jobs // BLOCK) * BLOCK


def _in_blocks(times: AnyArray) -> AnyArray:
    """Return (2, machines, jobs) times as they are in a shop."""
    _, machines, jobs = times.shape
    split = times.reshape(2, machines // 4, 4, jobs // BLOCK, BLOCK).transpose(0, 3, 1, 2, 4)
    return aligned_copy(split.reshape(2, jobs // BLOCK, machines // 4, 4 * BLOCK))


def jobs_left(level: Level) -> AnyArray:
    """Return which jobs are not fixed in all nodes of a level, and others that fill the last block.

    Nodes of a level have most of their jobs in common.
    """
    fixed = level.fixed.all(axis=0).ravel()
    free = np.flatnonzero(~fixed)
    return np.append(free, np.flatnonzero(fixed)[: filled(free.size) - free.size])


def of_some_jobs(shop: Shop, level: Level, jobs: AnyArray) -> tuple[Shop, Level]:
    """Return both with some of their jobs, as many as fill whole blocks."""
    times, lengths = (_table_of(each, jobs) for each in (shop.times, shop.lengths))
    nodes = len(level.fixed)
    fixed = np.ascontiguousarray(level.fixed.reshape(nodes, -1)[:, jobs])
    return (
        shop._replace(times=times, lengths=lengths),
        level._replace(fixed=fixed.reshape(nodes, -1, BLOCK)),
    )


def _table_of(times: AnyArray, jobs: AnyArray) -> AnyArray:
    """Return a shop's table of times for some of its jobs."""
    _, blocks, fours, _ = times.shape
    split = times.reshape(2, blocks, 4 * fours, BLOCK).transpose(0, 2, 1, 3)
    return _in_blocks(split.reshape(2, 4 * fours, -1)[:, :, jobs])
