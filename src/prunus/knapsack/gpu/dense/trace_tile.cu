// Trace back which steps lead to the best value of a cell, pass by pass from the last: tiles.
//
// A block recomputes the cells that a pass can reach back to from one cell, records each decision in
// shared memory, follows the decisions, and continues with the pass before.
//
// Constants: VALUE_BITS, WORK_BITS (the same), ROWS (cells per thread), THREADS, STEPS (of a pass, at
// most).
#include "knapsack/gpu/dense/common.cuh"

#define CELLS (THREADS * ROWS)
#define GROUPS (CELLS / WARP)

KERNEL(THREADS, 1) dense_trace_tile(Trace* trace)
{
    DYNAMIC_SHARED(memory);
    value_t* shared = (value_t*)memory;
    lanes_t* bits = (lanes_t*)(shared + CELLS);
    i64* shared_cell = (i64*)(bits + STEPS * GROUPS);
    const Pass* passes = (const Pass*)trace->passes;
    const Step* steps = (const Step*)trace->steps;
    u8* chosen = (u8*)trace->chosen;
    i64 cell = trace->cell;
    for (u32 k = trace->last; k-- > trace->first;) {
        const Pass pass = passes[k];
        // Lines as long as the reach of a pass within a line, and as many as it spans.
        const int width = (int)pass.reach + 1, reach = width * ((int)pass.lines + 1) - 1;
        cell = lesser(cell, pass.high);
        value_t v[ROWS];
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            const int at = threadIdx.x + i * THREADS;
            const i64 c = cell - (reach - at) / width * pass.weight - (reach - at) % width;
            v[i] = at <= reach && c >= 0 ? row(pass.source)[lesser(c, pass.top)] : NOTHING;
        }
        for (u32 s = 0; s < pass.count; s++) {
            const Step step = steps[pass.first + s];
            const int weight = (int)(step.shift * width + step.weight);
            const value_t profit = (value_t)step.profit;
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
            for (u32 s = pass.count; s-- > 0;)
                if (bits[s * GROUPS + at / WARP] >> (at % WARP) & 1) {
                    chosen[pass.first + s] = 1;
                    at -= (int)(steps[pass.first + s].shift * width + steps[pass.first + s].weight);
                }
            *shared_cell = cell - (reach - at) / width * pass.weight - (reach - at) % width;
        }
        block_sync();
        cell = *shared_cell;
    }
    if (threadIdx.x == 0) trace->cell = cell;
}
