// An instance begins: nobody has anything, nothing is known, and everything is free of charge.
#pragma once
#include "assignment/gpu/kernels/instance.cuh"

// Every row is in ``order``.
KERNEL(THREADS, 1) all_rows(Market* m)
{
    for (u32 i = blockIdx.x * THREADS + threadIdx.x; i < m->rows; i += gridDim.x * THREADS)
        m->order[i] = (int)i;
}

KERNEL(THREADS, 1) clear(Market* m)
{
    const u32 self = blockIdx.x * THREADS + threadIdx.x, threads = gridDim.x * THREADS;
    const u32 most = (u32)(m->rows > m->columns ? m->rows : m->columns);
    for (u32 i = self; i < m->rows; i += threads) {
        m->column[i] = NONE;
        m->length[i] = m->queued[i] = 0;
        m->order[i] = (int)i;
    }
    for (u32 j = self; j < m->columns; j += threads) {
        m->price[j] = 0;
        m->owner[j] = m->parent[j] = NONE;
    }
    for (u32 k = self; k < most; k += threads) m->lock[k] = 0, m->target[k] = NONE;
    if (self < FIGURES) m->figures[self] = 0;
    if (self < CONTROLS) m->control[self] = 0;
}
