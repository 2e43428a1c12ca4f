// Prices bound every assignment: the largest net value of every row.
#pragma once
#include "assignment/gpu/kernels/block_reductions.cuh"

DEVICE price_t best_of_row(const Market* m, Shared* s, int i, int& j)
{
    price_t v = LOWEST;
    j = 0x7fffffff;
    for_row<true>(m, i, [&](int k, price_t b, price_t p) {
        const price_t w = b - p;
        if (w > v) v = w, j = k;
    });
    block_sync();
    block_best(s, 0, v, j);
    return v;
}

KERNEL(THREADS, FULL) certify(Market* m)
{
    DYNAMIC_SHARED(memory);
    Shared* s = (Shared*)memory;
    u32 k = blockIdx.x;
    for (int turn = 0; k < m->count; turn ^= 1) {
        const int i = m->order[k];
        int j;
        watch(m, s, turn);
        const price_t v = best_of_row(m, s, i, j);
        if (threadIdx.x == 0) m->best[i] = v, m->target[i] = j;
        k += gridDim.x;
        if (over(s, turn)) break;
    }
    // There was no time for these.
    for (k += threadIdx.x * gridDim.x; k < m->count; k += THREADS * gridDim.x)
        m->best[m->order[k]] = HIGHEST, m->target[m->order[k]] = 0;
}

// How many columns are the best of any of the rows; the columns' ``lock`` begins at 0.
KERNEL(THREADS, 1) count_distinct(Market* m)
{
    for (u32 k = blockIdx.x * THREADS + threadIdx.x; k < m->count; k += gridDim.x * THREADS)
        if (atomicExch(&m->parent[m->target[m->order[k]]], 1) != 1)
            atomicAdd(&m->figures[DISTINCT], (u64)1);
}

// The price of each row's column falls until the row would not rather have another one. Rows see the
// prices of their time: any prices make a bound.
KERNEL(THREADS, FULL) lower(Market* m)
{
    DYNAMIC_SHARED(memory);
    Shared* s = (Shared*)memory;
    u32 k = blockIdx.x;
    for (int turn = 0; k < m->count; turn ^= 1) {
        const int i = m->order[k];
        price_t v = LOWEST;
        int none = 0;
        watch(m, s, turn);
        for_row<true>(m, i, [&](int, price_t b, price_t p) {
            const price_t w = b - p;
            v = w > v ? w : v;
        });
        block_sync();
        block_best(s, 0, v, none);
        if (threadIdx.x == 0) {
            const int t = m->column[i];
            const price_t now = price_now(m, t), own = m->worth[i] - now;
            if (v > own) poke(&m->price[t], now - (v - own));
        }
        k += gridDim.x;
        if (over(s, turn)) break;
    }
}

// Prices that another card lowered for its rows, in ``claim``: no two cards lower the same one.
KERNEL(THREADS, 1) take_lower(Market* m)
{
    for (u32 j = blockIdx.x * THREADS + threadIdx.x; j < m->columns; j += gridDim.x * THREADS)
        if (m->claim[j] < m->price[j]) m->price[j] = m->claim[j];
}
