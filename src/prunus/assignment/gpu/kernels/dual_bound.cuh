// Prices bound every assignment: the bound needs the largest net value of each row.
#pragma once
#include "assignment/gpu/kernels/block_reductions.cuh"

DEVICE price_t best_of_row(const Instance* m, Shared* s, int i, int& j)
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

KERNEL(THREADS, FULL) find_best_net_values(Instance* m)
{
    DYNAMIC_SHARED(memory);
    Shared* s = (Shared*)memory;
    u32 k = blockIdx.x;
    for (int turn = 0; k < m->row_count; turn ^= 1) {
        const int i = m->row_order[k];
        int j;
        check_clock(m, s, turn);
        const price_t v = best_of_row(m, s, i, j);
        if (threadIdx.x == 0) m->best_value[i] = v, m->best_column[i] = j;
        k += gridDim.x;
        if (clock_ran_out(s, turn)) break;
    }
    // No time was left for these.
    for (k += threadIdx.x * gridDim.x; k < m->row_count; k += THREADS * gridDim.x)
        m->best_value[m->row_order[k]] = HIGHEST, m->best_column[m->row_order[k]] = 0;
}

// Count the columns that are the best of at least one row. ``raised_by`` must not contain 1 before.
KERNEL(THREADS, 1) count_distinct_columns(Instance* m)
{
    for (u32 k = blockIdx.x * THREADS + threadIdx.x; k < m->row_count; k += gridDim.x * THREADS)
        if (atomicExch(&m->raised_by[m->best_column[m->row_order[k]]], 1) != 1)
            atomicAdd(&m->counters->distinct_columns, (u64)1);
}

// Lower the price of each row's column until the row prefers no other. Rows read prices while others
// change; the bound holds for any prices.
KERNEL(THREADS, FULL) lower_prices(Instance* m)
{
    DYNAMIC_SHARED(memory);
    Shared* s = (Shared*)memory;
    u32 k = blockIdx.x;
    for (int turn = 0; k < m->row_count; turn ^= 1) {
        const int i = m->row_order[k];
        price_t v = LOWEST;
        int none = 0;
        check_clock(m, s, turn);
        for_row<true>(m, i, [&](int, price_t b, price_t p) {
            const price_t w = b - p;
            v = w > v ? w : v;
        });
        block_sync();
        block_best(s, 0, v, none);
        if (threadIdx.x == 0) {
            const int t = m->column[i];
            const price_t now = price_now(m, t), own = m->row_benefit[i] - now;
            if (v > own) store_volatile(&m->price[t], now - (v - own));
        }
        k += gridDim.x;
        if (clock_ran_out(s, turn)) break;
    }
}

// Merge the prices that another GPU lowered for its rows, given in ``row_buffer``. No two GPUs lower the
// same price.
KERNEL(THREADS, 1) merge_lowered_prices(Instance* m)
{
    for (u32 j = blockIdx.x * THREADS + threadIdx.x; j < m->columns; j += gridDim.x * THREADS)
        if (m->row_buffer[j] < m->price[j]) m->price[j] = m->row_buffer[j];
}
