// Which steps lead to the best value of a cell, pass by pass from the last: chains.
//
// From one cell a pass of a chain reaches back to the few places below it on its chain. Their values
// before the pass are in the source row; a block applies the steps to these again, notes each
// decision, follows them, and goes on with the pass before. One block: the passes depend on
// each other.
//
// Constants: VALUE_BITS, WORK_BITS (the same), THREADS (more than a pass reaches), STEPS (of a pass,
// at most).
#include "knapsack/gpu/dense.cuh"
#include "knapsack/gpu/dense_trace.cuh"

#define GROUPS (THREADS / WARP)

KERNEL(THREADS, 1) dense_trace_chain(Trace* trace)
{
    DYNAMIC_SHARED(memory);
    value_t* old_values = (value_t*)memory; // two arrays of values, each as long again for places out of reach
    value_t* new_values = old_values + 2 * THREADS;
    lanes_t* bits = (lanes_t*)(new_values + 2 * THREADS);
    i64* shared_cell = (i64*)(bits + STEPS * GROUPS);
    const Pass* passes = (const Pass*)trace->passes;
    const Step* steps = (const Step*)trace->steps;
    u8* chosen = (u8*)trace->chosen;
    const int place = threadIdx.x;
    i64 cell = trace->cell;
    old_values[THREADS + place] = new_values[THREADS + place] = NOTHING;
    for (u32 k = trace->last; k-- > trace->first;) {
        const Pass pass = passes[k];
        cell = lesser(cell, pass.high);
        const i64 c = cell - place * pass.weight;
        value_t value = place <= (int)pass.reach && c >= 0 ? row(pass.source)[lesser(c, pass.top)] : NOTHING;
        old_values[place] = value;
        block_sync();
        for (u32 s = 0; s < pass.count; s++) {
            const Step step = steps[pass.first + s];
            const value_t other = old_values[place + (1 << step.shift)];
            const bool take = other >= 0 && other + (value_t)step.profit > value;
            if (take) value = other + (value_t)step.profit;
            const lanes_t set = warp_ballot(take);
            if (lane() == 0) bits[s * GROUPS + place / WARP] = set;
            new_values[place] = value;
            value_t* const swap = old_values;
            old_values = new_values;
            new_values = swap;
            block_sync();
        }
        if (place == 0) {
            int at = 0;
            for (u32 s = pass.count; s-- > 0;)
                if (bits[s * GROUPS + at / WARP] >> (at % WARP) & 1) {
                    chosen[pass.first + s] = 1;
                    at += 1 << steps[pass.first + s].shift;
                }
            *shared_cell = cell - at * pass.weight;
        }
        block_sync();
        cell = *shared_cell;
    }
    if (place == 0) trace->cell = cell;
}
