// Initialise an instance: all rows unassigned, all prices 0, all bounds unknown.
#pragma once
#include "assignment/gpu/kernels/instance.cuh"

// ``row_order`` contains every row.
KERNEL(THREADS, 1) order_all_rows(Instance* m)
{
    for (u32 i = blockIdx.x * THREADS + threadIdx.x; i < m->rows; i += gridDim.x * THREADS)
        m->row_order[i] = (int)i;
}

KERNEL(THREADS, 1) initialise(Instance* m)
{
    const u32 self = blockIdx.x * THREADS + threadIdx.x, threads = gridDim.x * THREADS;
    const u32 most = (u32)(m->rows > m->columns ? m->rows : m->columns);
    for (u32 i = self; i < m->rows; i += threads) {
        m->column[i] = NONE;
        m->list_length[i] = m->marked[i] = 0;
        m->row_order[i] = (int)i;
    }
    for (u32 j = self; j < m->columns; j += threads) {
        m->price[j] = 0;
        m->owner[j] = m->raised_by[j] = NONE;
    }
    for (u32 k = self; k < most; k += threads) m->lock[k] = 0, m->best_column[k] = NONE;
    if (self < COUNTERS) ((u64*)m->counters)[self] = 0;
    if (self < STATUS_WORDS) ((u32*)m->status)[self] = 0;
}
