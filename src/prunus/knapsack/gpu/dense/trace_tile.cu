// Trace back which steps lead to the best value of a cell, pass by pass from the last: tiles.
//
// A block recomputes the cells that a pass can reach back to from one cell, records each decision in
// shared memory, follows the decisions, and continues with the pass before.
//
// Constants: VALUE_BITS, ROWS (cells per thread), THREADS, STEPS (of a pass, at most).
#include "knapsack/gpu/dense/common.cuh"

#define CELLS (THREADS * ROWS)
#define GROUPS (CELLS / WARP)

KERNEL(THREADS, 1) dense_trace_tile(Trace* trace)
{
    DYNAMIC_SHARED(memory);
    value_t* shared = (value_t*)memory;
    lanes_t* bits = (lanes_t*)(shared + CELLS);
    i64* shared_cell = (i64*)(bits + STEPS * GROUPS);
    i64 cell = trace->cell;
    for (u32 k = trace->last; k-- > trace->first;) {
        const Pass pass = ((const Pass*)trace->passes)[k];
        const Step* steps = (const Step*)trace->steps + pass.first;
        const int reach = (int)pass.reach;
        cell = lesser(cell, pass.high);
        value_t v[ROWS];
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            const int at = threadIdx.x + i * THREADS;
            const i64 c = cell - reach + at;
            v[i] = at <= reach && c >= 0 ? row(pass.source)[lesser(c, pass.top)] : NOTHING;
        }
        for (u32 s = 0; s < pass.count; s++) {
            const int weight = (int)steps[s].weight;
            const value_t profit = (value_t)steps[s].profit;
#pragma unroll
            for (int i = 0; i < ROWS; i++)
                if (i * THREADS <= reach) shared[threadIdx.x + i * THREADS] = v[i];
            block_sync();
#pragma unroll
            for (int i = 0; i < ROWS; i++) {
                if (i * THREADS > reach) break;
                const int at = threadIdx.x + i * THREADS;
                const value_t other = at >= weight ? shared[at - weight] : NOTHING;
                const bool take = other >= 0 && other + profit > v[i];
                if (take) v[i] = other + profit;
                const lanes_t set = warp_ballot(take);
                if (lane() == 0) bits[s * GROUPS + at / WARP] = set;
            }
            block_sync();
        }
        if (threadIdx.x == 0) {
            int at = reach;
            u32 used = 0;
            for (u32 s = pass.count; s-- > 0;)
                if (bits[s * GROUPS + at / WARP] >> (at % WARP) & 1) {
                    used |= 1u << s;
                    at -= (int)steps[s].weight;
                }
            ((u32*)trace->used)[k] = used;
            *shared_cell = cell - reach + at;
        }
        block_sync();
        cell = *shared_cell;
    }
    if (threadIdx.x == 0) trace->cell = cell;
}
