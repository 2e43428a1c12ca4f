// How long kernels may work: a solve, and slices of it. What is to be done is marked in ``queued``.
#pragma once
#include "assignment/gpu/kernels/block_reductions.cuh"

DEVICE bool late(const Market* m)
{
    if (peek(&m->control[STOP])) return true;
    // Twice, since the two halves of the clock may have been read at different moments.
    if (ticks() < m->deadline || ticks() < m->deadline) return false;
    poke(&m->control[STOP], 1u);
    return true;
}

KERNEL(THREADS, 1) start_clock(Market* m)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) m->last = ticks() + m->budget;
}

// Begin a slice of the solve's time.
KERNEL(THREADS, 1) open_slice(Market* m)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        for (int k = 0; k < UNASSIGNED; k++) m->control[k] = 0;
        const u64 end = ticks() + m->slice;
        m->deadline = end < m->last ? end : m->last;
    }
}

KERNEL(THREADS, 1) mark_all(Market* m)
{
    for (u32 k = blockIdx.x * THREADS + threadIdx.x; k < m->count; k += gridDim.x * THREADS)
        m->queued[m->order[k]] = 1;
}
