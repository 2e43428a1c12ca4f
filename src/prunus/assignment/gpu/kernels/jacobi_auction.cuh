// The plain Jacobi auction that switching was compared with: in every round all unassigned rows scan
// every column and bid, and each column goes to its highest bidder (Vasconcelos and Rosenhahn 2009). No
// lists, three launches per round, deterministic.
#pragma once
#include "assignment/gpu/kernels/block_reductions.cuh"
#include "assignment/gpu/kernels/switching_rounds.cuh"

// Per column, ``row_buffer`` starts at the lowest value and ``raised_by`` at the largest number.
KERNEL(THREADS, 1) jacobi_begin(Instance* m)
{
    for (u32 j = blockIdx.x * THREADS + threadIdx.x; j < m->columns; j += gridDim.x * THREADS)
        m->row_buffer[j] = LOWEST, m->raised_by[j] = 0x7fffffff;
}

KERNEL(THREADS, 1) jacobi_bid(Instance* m)
{
    DYNAMIC_SHARED(memory);
    Shared* s = (Shared*)memory;
    for (u32 k = blockIdx.x; k < m->row_count; k += gridDim.x) {
        const int i = m->row_order[k];
        if (m->column[i] != NONE) continue;
        price_t first = LOWEST, second = LOWEST;
        int j = 0x7fffffff;
        for_row<true>(m, i, [&](int c, price_t b, price_t p) {
            const price_t w = b - p;
            if (w > first) second = first, first = w, j = c;
            else if (w > second) second = w;
        });
        block_sync();
        block_two(s, first, second, j);
        if (threadIdx.x == 0) {
            const price_t offer = benefit_of(m, i, j) - second + m->epsilon;
            m->best_value[i] = offer;
            m->best_column[i] = j;
            raise_to(&m->row_buffer[j], offer);
        }
    }
}

KERNEL(THREADS, 1) jacobi_compare(Instance* m)
{
    for (u32 k = blockIdx.x * THREADS + threadIdx.x; k < m->row_count; k += gridDim.x * THREADS) {
        const int i = m->row_order[k];
        if (m->column[i] == NONE && m->best_value[i] == m->row_buffer[m->best_column[i]])
            atomicMin(&m->raised_by[m->best_column[i]], i);
    }
}

KERNEL(THREADS, 1) jacobi_award(Instance* m)
{
    for (u32 j = blockIdx.x * THREADS + threadIdx.x; j < m->columns; j += gridDim.x * THREADS) {
        const int i = m->raised_by[j], before = m->owner[j];
        if (i == 0x7fffffff) continue;
        if (before != NONE) m->column[before] = NONE;
        else atomicSub(&m->status->unassigned, 1u);
        m->owner[j] = i;
        m->column[i] = (int)j;
        m->price[j] = m->row_buffer[j];
        m->row_buffer[j] = LOWEST;
        m->raised_by[j] = 0x7fffffff;
        atomicAdd(&m->counters->bids, (u64)1);
    }
}
