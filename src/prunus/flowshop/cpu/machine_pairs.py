"""The machine pairs of LB2 laid out in vector lanes: a pair a lane, the steps of its order in rows.

Johnson's orders differ from pair to pair, so the i-th rows of a block of pairs hold the i-th steps
of 32 different orders. Which lanes take part in step i, because the job there is not yet scheduled,
is a 32-bit word.

A pair is judged by how often it prunes; the better it does, the earlier its block is tried.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import DTypeLike

from prunus.flowshop.bounds.johnson import johnson_pairs
from prunus.hardware.jit.compiled import inner
from prunus.hardware.jit.vector import BLOCK
from prunus.model.arrays import AnyArray, Int64Array, UInt32Array
from prunus.treesearch.interval.cpu.aligned import aligned_zeros

WORDS_ALIGNMENT = 16
"""Rows of 32-bit words are padded to a multiple of so many: a cache line."""


class MachinePairs(NamedTuple):
    """One explorer's tables and scratch memory; B blocks of 32 pairs, the last one filled up."""

    ends: AnyArray
    """The machines u < v of each pair. Shape (B, 2, 32)."""
    steps: AnyArray
    """Of the i-th job in each pair's order, ``p_v - p_u`` and ``lag + p_v``.
    Shape (B, jobs, 2, 32)."""
    places: UInt32Array
    """Word ``b * words + i`` of row j: the pairs of block b in whose order job j is the i-th.
    Shape (jobs, B * words)."""
    open: UInt32Array
    """The same word of row ``level``: the pairs whose i-th job is not yet scheduled there.
    Shape (jobs + 1, B * words)."""
    hits: Int64Array
    """How many children each pair has pruned, as far as counted. Shape (B, 32)."""
    pruned: Int64Array
    """The block and the lane of the pair that last pruned a child, if that was not in block 0.
    Shape (2,)."""
    best: AnyArray
    """The largest bounds of the child looked at. Shape (32,)."""


def lay_out(times: Int64Array, kind: DTypeLike) -> MachinePairs:
    """Lay out all pairs of machines of an instance.

    ``times`` has the shape (jobs, machines); ``kind`` is the type of the tables.
    """
    jobs = len(times)
    ends, steps = johnson_pairs(times)
    pairs = len(ends)
    blocks = -(-pairs // BLOCK)
    words = -(-jobs // WORDS_ALIGNMENT) * WORDS_ALIGNMENT
    all_ends = np.zeros((blocks * BLOCK, 2), kind)
    all_ends[:pairs] = ends
    all_steps = np.zeros((blocks * BLOCK, jobs, 2), kind)
    all_steps[:pairs, :, 0] = steps[..., 3] - steps[..., 1]
    all_steps[:pairs, :, 1] = steps[..., 2] + steps[..., 3]
    places = aligned_zeros((jobs, blocks * words), np.uint32)
    pair, place = np.indices((pairs, jobs))
    bit = np.uint32(1) << (pair % BLOCK).astype(np.uint32)
    np.bitwise_or.at(places, (steps[..., 0], pair // BLOCK * words + place), bit)
    opened = aligned_zeros((jobs + 1, blocks * words), np.uint32)
    opened[0] = np.bitwise_or.reduce(places)
    own_ends = aligned_zeros((blocks, 2, BLOCK), kind)
    own_ends[...] = all_ends.reshape(blocks, BLOCK, 2).transpose(0, 2, 1)
    own_steps = aligned_zeros((blocks, jobs, 2, BLOCK), kind)
    own_steps[...] = all_steps.reshape(blocks, BLOCK, jobs, 2).transpose(0, 2, 3, 1)
    return MachinePairs(
        ends=own_ends,
        steps=own_steps,
        places=places,
        open=opened,
        hits=np.zeros((blocks, BLOCK), np.int64),
        pruned=np.zeros(2, np.int64),
        best=aligned_zeros((BLOCK,), kind),
    )


@inner
def mark_scheduled(places: UInt32Array, open_: UInt32Array, level: int, job: int) -> None:
    """Write row ``level + 1`` of ``open``: that of row ``level`` without ``job``."""
    for i in range(open_.shape[1]):
        open_[level + 1, i] = open_[level, i] & ~places[job, i]


@inner
def promote_last_pruner(pairs: MachinePairs, level: int) -> None:
    """Let the pair named by ``pruned`` change places with the worst one of the block before.

    Nothing changes if that one has pruned as often. Rows of ``open`` are right down to ``level``
    afterwards.
    """
    ends, steps, places, hits = pairs.ends, pairs.steps, pairs.places, pairs.hits
    block = pairs.pruned[0]
    lane = pairs.pruned[1]
    pairs.pruned[0] = 0
    before = block - 1
    worst = 0
    for i in range(BLOCK):
        if hits[before, i] < hits[before, worst]:
            worst = i
    if hits[before, worst] >= hits[block, lane]:
        return
    hits[block, lane], hits[before, worst] = hits[before, worst], hits[block, lane]
    for i in range(2):
        ends[block, i, lane], ends[before, i, worst] = ends[before, i, worst], ends[block, i, lane]
    for step in range(steps.shape[1]):
        for i in range(2):
            kept = steps[block, step, i, lane]
            steps[block, step, i, lane] = steps[before, step, i, worst]
            steps[before, step, i, worst] = kept
    for job in range(places.shape[0]):
        _swap_bits(places, job, block, lane, worst, ends.shape[0])
    for row in range(level + 1):
        _swap_bits(pairs.open, row, block, lane, worst, ends.shape[0])


@inner
def _swap_bits(rows: UInt32Array, row: int, block: int, lane: int, worst: int, blocks: int) -> None:
    """Let bit ``lane`` of a block's words and bit ``worst`` of the block before change places."""
    words = rows.shape[1] // blocks
    for i in range(block * words, (block + 1) * words):
        differ = ((rows[row, i] >> lane) ^ (rows[row, i - words] >> worst)) & 1
        rows[row, i] ^= differ << lane
        rows[row, i - words] ^= differ << worst
