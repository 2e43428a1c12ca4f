"""The nodes of the next level, made from the children that are kept."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.flowshop.beam.cores.tables import BLOCK, Level, Shop
from prunus.hardware.jit.compiled import outer
from prunus.model.arrays import AnyArray

MADE_TOGETHER = 1024
"""Nodes that a thread makes at a time."""


@outer
def descend(
    level: Level,
    shop: Shop,
    parents: AnyArray,
    jobs: AnyArray,
    at_tail: AnyArray,
    children: Level,
) -> None:
    """Make the nodes of the next level from the children that are kept."""
    machines = shop.totals.shape[1]
    one = np.float32(1)
    for child in range(parents.size):
        node, job = parents[child], jobs[child]
        side = at_tail[node]
        for k in range(2):
            for i in range(machines):
                children.free[child, k, i] = level.free[node, k, i]
                children.work[child, k, i] = level.work[node, k, i]
        free_at, work = children.free[child, side], children.work[child, side]
        block, j = job // BLOCK, job % BLOCK
        idle = -shop.unreal[side]
        time = 0
        for i in range(machines):
            start = max(time, free_at[i])
            took = shop.times[side, block, i // 4, i % 4 * BLOCK + j]
            time = start + took
            waited = np.float32(start - work[i]) * shop.scale + one - shop.one[side, i]
            share = waited / (np.float32(time) * shop.scale + one)
            idle += shop.emphasis[side, i // 4] * share
            free_at[i] = time
            work[i] += took
        for b in range(level.fixed.shape[1]):
            for k in range(BLOCK):
                children.fixed[child, b, k] = level.fixed[node, b, k]
        children.fixed[child, block, j] = 1
        children.idle[child, 1 - side] = level.idle[node, 1 - side]
        children.idle[child, side] = idle


class Made(NamedTuple):
    """What it takes to make the nodes of the next level, see ``descend``."""

    shop: Shop
    level: Level
    at_tail: AnyArray
    parents: AnyArray
    jobs: AnyArray
    children: Level

    def piece(self, number: int, thread: int) -> None:
        """Make a piece of them, in one thread."""
        some = slice(number * MADE_TOGETHER, (number + 1) * MADE_TOGETHER)
        rows = Level(*(each[some] for each in self.children))
        parents, jobs = self.parents[some], self.jobs[some]
        descend(self.level, self.shop, parents, jobs, self.at_tail, rows)
