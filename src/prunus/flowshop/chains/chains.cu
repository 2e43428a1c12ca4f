// Iterated greedy for the makespan, a chain a block: see prunus/flowshop/heuristics/iterated_greedy.py.
//
// All threads of a block draw the same random numbers and come to the same decisions.
#include "flowshop/chains/descent.cuh"

KERNEL(THREADS, BLOCKS) iterate(const Chains* given)
{
    const Chains at = *given;
    Memory& m = memory_of_block();
    const u64 chain = blockIdx.x;
    const u32 source = at.source[chain];
    State state = {at.random[chain], at.moves[chain], 0, false};
    u16 *current = at.to + chain * JOBS, *best = at.best + chain * JOBS;
    int cost = at.costs[source], best_cost = 0x7fffffff;
    const float temperature = (float)at.temperature;
    for (int k = threadIdx.x; k < JOBS; k += THREADS) current[k] = at.from[(u64)source * JOBS + k];
    for (int k = threadIdx.x; k < (JOBS + 1) * ROW; k += THREADS) m.times[k] = 0;
    for (int k = threadIdx.x; k < (JOBS + 1 + 2 * MARGIN) * ROW; k += THREADS) m.heads[k] = m.tails[k] = 0;
    for (int k = threadIdx.x; k < JOBS + 1 + 2 * FAR; k += THREADS) m.rows[k] = NO_JOB * ROW;
    block_sync();
    for (int k = threadIdx.x; k < JOBS * MACHINES; k += THREADS) {
        m.times[k / MACHINES * ROW + cell_of(k % MACHINES)] = (duration_t)(at.times[k] * (WIDE ? 0x10001u : 1u));
    }
    for (int k = threadIdx.x; k < JOBS; k += THREADS) m.due[k] = 0;
    for (u64 n = 0; n < at.iterations && !state.stopped; n++) {
        for (int k = threadIdx.x; k < JOBS; k += THREADS) put(m, k, current[k]);
        block_sync();
        for (int r = 0; r < REMOVED; r++) {
            move(m, draw(state.random, JOBS - r), JOBS - 1);
            if (threadIdx.x == 0) m.taken[r] = m.sequence[JOBS - 1];
        }
        block_sync();
        int value = 0;
        state.changes += 2 * REMOVED; // out, and in again
#pragma unroll 1
        for (int size = JOBS - REMOVED; size <= JOBS; size += REMOVED) {
            value = descend(at, m, size, state);
            for (int r = 0; size + r < JOBS; r++) {
                if (threadIdx.x == 0) {
                    put(m, size + r, m.taken[r]);
                    m.due[m.taken[r]] = 0;
                }
                end_at(m, size + r + 1);
                if (threadIdx.x == 0) m.asked[0] = (u16)(size + r);
                find_places(size + r + 1, 1, true);
                const int there = (int)(u32)m.found[0];
                move(m, size + r, there);
                if (size + r + 1 < JOBS) compute_heads(size + r + 1, there);
            }
        }
        state.moves += REMOVED;
        const int worse = value - cost;
        const float chance = draw(state.random, 1 << 24) * (1.0f / (1 << 24));
        // e to the power of -x as (1 + x / 64) to the power of -64.
        float likely = 1.0f / (1.0f + (float)worse / (64.0f * temperature));
        for (int k = 0; k < 6; k++) likely *= likely;
        if (worse <= 0 || chance < likely) {
            cost = value;
            for (int k = threadIdx.x; k < JOBS; k += THREADS) current[k] = m.sequence[k];
        }
        if (value < best_cost) {
            best_cost = value;
            for (int k = threadIdx.x; k < JOBS; k += THREADS) best[k] = m.sequence[k];
        }
        block_sync();
    }
    if (threadIdx.x == 0) {
        at.next_costs[chain] = cost;
        at.best_costs[chain] = best_cost;
        at.random[chain] = state.random;
        at.moves[chain] = state.moves;
    }
}
