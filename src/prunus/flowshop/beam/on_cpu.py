"""Beam search on cores: the nodes of a level are shared out among threads."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from prunus.flowshop.bounds.johnson import heads_and_tails
from prunus.flowshop.cpu.tree import path_to_schedule
from prunus.flowshop.problem import FlowShop
from prunus.hardware.jit.compiled import inner, outer
from prunus.hardware.memory import usable_memory
from prunus.model.arrays import AnyArray
from prunus.treesearch.beam.core_beam import CoreBeam, Levels
from prunus.treesearch.beam.model import BeamResult
from prunus.treesearch.beam.select import least_keys


@dataclass(frozen=True, slots=True)
class CpuBeamTuning:
    """Settings of beams on cores."""

    chunk_steps: int = 2_000_000
    """Machine steps (children x machines) of a chunk, some milliseconds: between two chunks a
    thread can be stopped."""
    widest: int = 2**20
    """Nodes a level, whatever the memory."""
    memory_share: float = 0.5
    """Of the memory there is, so much may be used."""
    compact_share: float = 0.9
    """Tables are made anew where only this part of their jobs is left."""


TUNING = CpuBeamTuning()


class Level(NamedTuple):
    """The nodes of a level, one a row."""

    front: AnyArray
    """(nodes, machines): when a machine is free after the head (at the root, the least head)."""
    back: AnyArray
    """(nodes, machines): the same for the tail, from the end of the schedule."""
    head_work: AnyArray
    """(nodes, machines): the head's work."""
    tail_work: AnyArray
    """(nodes, machines): the tail's work."""
    fixed: AnyArray
    """(nodes, jobs) uint8: 1 where a job is fixed."""
    idle: AnyArray
    """(nodes, 2) float32: the share of idle time of head and tail, summed over the machines."""


class Shop(NamedTuple):
    """What is the same for all nodes."""

    times: AnyArray
    """(machines, jobs) processing times."""
    totals: AnyArray
    """(machines,) work of all jobs."""


class Aim(NamedTuple):
    """What a level's children are rated by."""

    cutoff: int
    weight: np.float32
    """Of idle time, at this level."""


class _Rating(NamedTuple):
    """What it takes to rate the children of a level's nodes, see ``_evaluate``."""

    shop: Shop
    level: Level
    aim: Aim
    keys: AnyArray
    at_tail: AnyArray


class Lines(NamedTuple):
    """A thread's scratch memory, a value a job."""

    time: AnyArray
    head_bound: AnyArray
    tail_bound: AnyArray
    idle: AnyArray


def _level(nodes: int, jobs: int, machines: int, kind: type) -> Level:
    """Make room for the nodes of a level."""
    rows: list[AnyArray] = [np.empty((nodes, machines), kind) for _ in range(4)]
    front, back, head_work, tail_work = rows
    fixed, idle = np.empty((nodes, jobs), np.uint8), np.empty((nodes, 2), np.float32)
    return Level(front, back, head_work, tail_work, fixed, idle)


@inner
def _bound(
    shop: Shop, free_at: AnyArray, load: AnyArray, backward: bool, lines: Lines, bound: AnyArray
) -> None:
    """Bound all jobs as the next ones of a side whose machines are free at ``free_at``."""
    machines, jobs = shop.times.shape
    time = lines.time
    kind = time.dtype.type  # sums of two would be 64 bits wide, and half as many at a time
    for j in range(jobs):
        time[j] = 0
        bound[j] = 0
    for step in range(machines):
        i = machines - 1 - step if backward else step
        free, left = free_at[i], load[i]
        for j in range(jobs):
            start = time[j] if time[j] > free else free
            end = kind(start + left)
            bound[j] = end if end > bound[j] else bound[j]
            time[j] = kind(start + shop.times[i, j])


@outer
def _evaluate(
    level: Level,
    shop: Shop,
    aim: Aim,
    part: tuple[int, int],
    lines: Lines,
    loads: AnyArray,
    keys: AnyArray,
    at_tail: AnyArray,
) -> None:
    """Rate the children of some nodes.

    ``part`` is the first of the nodes, and one past the last; ``loads``, (2, machines), scratch
    memory. Written are ``keys``, (nodes, jobs), of the children, infinite for what is no child, and
    ``at_tail``, (nodes,), 1 where children are fixed at the tail.
    """
    machines, jobs = shop.times.shape
    kind = lines.time.dtype.type
    for node in range(part[0], part[1]):
        for i in range(machines):
            left = shop.totals[i] - level.head_work[node, i] - level.tail_work[node, i]
            loads[0, i] = left + level.back[node, i]
            loads[1, i] = left + level.front[node, i]
        _bound(shop, level.front[node], loads[0], False, lines, lines.head_bound)
        _bound(shop, level.back[node], loads[1], True, lines, lines.tail_bound)
        count = 0
        difference = 0
        for j in range(jobs):
            if level.fixed[node, j] == 0:
                if lines.head_bound[j] < aim.cutoff:
                    count += 1
                    difference += lines.head_bound[j]
                if lines.tail_bound[j] < aim.cutoff:
                    count -= 1
                    difference -= lines.tail_bound[j]
        # The side with fewer children; if there are as many, the one with the larger bounds.
        side = 0 if count < 0 or (count == 0 and difference >= 0) else 1
        at_tail[node] = side
        bound = lines.head_bound if side == 0 else lines.tail_bound
        free_at = level.front[node] if side == 0 else level.back[node]
        work = level.head_work[node] if side == 0 else level.tail_work[node]
        for j in range(jobs):
            lines.time[j] = 0
            lines.idle[j] = 0
        for step in range(machines):
            i = machines - 1 - step if side == 1 else step
            free, done = free_at[i], work[i]
            for j in range(jobs):
                start = lines.time[j] if lines.time[j] > free else free
                time = kind(start + shop.times[i, j])
                lines.time[j] = time
                # As a ufunc, a division is not checked for zeros.
                waited, until = np.float32(kind(start - done)), np.float32(kind(time + 1))
                lines.idle[j] += np.divide(waited, until)
        other = level.idle[node, 1 - side]
        for j in range(jobs):
            key = np.float32(np.inf)
            if level.fixed[node, j] == 0 and bound[j] < aim.cutoff:
                length = np.float32(bound[j])
                key = length + aim.weight * (lines.idle[j] + other) * length
            keys[node, j] = key


@outer
def _descend(
    level: Level,
    shop: Shop,
    parents: AnyArray,
    jobs: AnyArray,
    at_tail: AnyArray,
    children: Level,
) -> None:
    """Make the nodes of the next level from the children that are kept."""
    machines = shop.times.shape[0]
    for child in range(parents.size):
        node, job = parents[child], jobs[child]
        side = at_tail[node]
        idle = np.float32(0)
        time = 0
        for i in range(machines):
            children.front[child, i] = level.front[node, i]
            children.back[child, i] = level.back[node, i]
            children.head_work[child, i] = level.head_work[node, i]
            children.tail_work[child, i] = level.tail_work[node, i]
        free_at = children.front[child] if side == 0 else children.back[child]
        work = children.head_work[child] if side == 0 else children.tail_work[child]
        for step in range(machines):
            i = machines - 1 - step if side == 1 else step
            start = max(time, free_at[i])
            time = start + shop.times[i, job]
            idle += np.float32(start - work[i]) / np.float32(time + 1)
            free_at[i] = time
            work[i] += shop.times[i, job]
        for j in range(level.fixed.shape[1]):
            children.fixed[child, j] = level.fixed[node, j]
        children.fixed[child, job] = 1
        children.idle[child, 0] = level.idle[node, 0]
        children.idle[child, 1] = level.idle[node, 1]
        children.idle[child, side] = idle


class CpuBeam(CoreBeam):
    """Beam search of one instance on cores.

    The result does not depend on the number of threads.
    """

    def __init__(self, problem: FlowShop, threads: int = 1, tuning: CpuBeamTuning = TUNING) -> None:
        super().__init__(threads)
        times = problem.processing_times
        kind = np.int32 if int(times.sum()) < 2**31 else np.int64
        self._shop = Shop(np.ascontiguousarray(times.T.astype(kind)), times.sum(0).astype(kind))
        self._jobs, self._machines = problem.jobs, problem.machines
        self._kind, self._tuning = kind, tuning
        jobs, machines = times.shape
        self._chunk = max(1, tuning.chunk_steps // (machines * jobs))
        self._root = _level(1, jobs, machines, kind)
        self._root.front[0], self._root.back[0] = heads_and_tails(times)
        for array in (self._root.head_work, self._root.tail_work, self._root.fixed):
            array[:] = 0
        self._root.idle[:] = machines

    @property
    def widest(self) -> int:
        jobs, machines = self._jobs, self._machines
        # Two levels, the keys of a level twice, and what leads to each node of all levels.
        node: int = 2 * (4 * machines * 8 + jobs + 8) + 2 * 4 * jobs + 16 + 6 * jobs
        fitting = usable_memory(self._tuning.memory_share) // node
        return max(1, min(self._tuning.widest, fitting))

    def _levels(self, width: int, weight: float, cutoff: int) -> Levels:
        machines, jobs = self._shop.times.shape
        shop, level, complete, evaluated = self._shop, self._root, True, 0
        columns = np.arange(jobs)
        history: list[tuple[AnyArray, AnyArray]] = []
        scratch = [self._scratch() for _ in range(self._threads.cores)]
        for fixed in range(jobs):
            nodes = len(level.front)
            # Nodes of a level have most of their jobs in common: those that all have fixed are left
            # out.
            free = ~level.fixed.all(axis=0)
            if free.sum() <= self._tuning.compact_share * columns.size:
                columns = columns[free]
                shop = shop._replace(times=np.ascontiguousarray(shop.times[:, free]))
                level = level._replace(fixed=np.ascontiguousarray(level.fixed[:, free]))
            keys = np.empty((nodes, columns.size), np.float32)
            at_tail = np.empty(nodes, np.uint8)
            aim = Aim(cutoff, np.float32(weight * (jobs - fixed - 1) / jobs))
            rate = partial(self._rate, _Rating(shop, level, aim, keys, at_tail), scratch)
            yield -(-nodes // self._chunk), nodes * (jobs - fixed), rate
            evaluated += nodes * (jobs - fixed)
            kept, dropped = least_keys(keys.ravel(), width)
            complete = complete and not dropped
            if kept.size == 0:
                return BeamResult(None, None, complete, evaluated)
            parents, job = np.divmod(kept, columns.size)
            children = _level(len(kept), columns.size, machines, self._kind)
            _descend(level, shop, parents, job, at_tail, children)
            history.append(
                (parents.astype(np.int32), (columns[job] * 2 + at_tail[parents]).astype(np.uint16))
            )
            level = children
        makespans = (level.front + level.back).max(1)
        node = int(makespans.argmin())
        makespan = int(makespans[node])
        path = np.empty(jobs, np.int64)
        for place, (parent, job) in reversed(list(enumerate(history))):
            path[place] = job[node]
            node = int(parent[node])
        order = path_to_schedule(path >> 1, path & 1)
        return BeamResult(order, makespan, complete, evaluated)

    def _rate(
        self, rating: _Rating, scratch: list[tuple[Lines, AnyArray]], piece: int, thread: int
    ) -> None:
        """Rate the children of a piece of a level's nodes, in one thread."""
        lines, loads = scratch[thread]
        shop, level, aim, keys, at_tail = rating
        chunk = self._chunk
        part = piece * chunk, min(len(at_tail), (piece + 1) * chunk)
        _evaluate(level, shop, aim, part, lines, loads, keys, at_tail)

    def _scratch(self) -> tuple[Lines, AnyArray]:
        """Make what one thread needs."""
        time, head, tail = (np.empty(self._jobs, self._kind) for _ in range(3))
        idle = np.empty(self._jobs, np.float32)
        return Lines(time, head, tail, idle), np.empty((2, self._machines), self._kind)
