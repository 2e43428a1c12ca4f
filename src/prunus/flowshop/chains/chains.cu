// Iterated greedy for the makespan, a chain a block: see prunus/flowshop/heuristics/iterated_greedy.py.
//
// All threads of a block draw the same random numbers and come to the same decisions.
#include "flowshop/chains/insertion.cuh"
#include "flowshop/chains/layout.h"

DEVICE u64 mixed(u64 z)
{
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

// A number from 0 to n - 1.
DEVICE int draw(u64& random, int n)
{
    random += 0x9E3779B97F4A7C15ull;
    return (int)((mixed(random) >> 32) * (u64)n >> 32);
}

// Moves single jobs, in random order, to where they are best, until none improves; returns the makespan.
DEVICE int descend(const Chains& at, Memory& m, int size, u64& random, u64& moves, bool& stopped)
{
    compute_tables(size, 0, size - 1);
    int makespan = m.heads[(MACHINES - 1) * COLUMNS + size];
    bool improved = size > 1;
    while (improved && !stopped) {
        improved = false;
        if (threadIdx.x == 0) m.found = *(const volatile i64*)at.stop != 0;
        for (int k = threadIdx.x; k < size; k += THREADS) m.order[k] = m.sequence[k];
        block_sync();
        stopped = m.found != 0;
        block_sync();
        for (int k = 0; k < size && !stopped; k++) {
            const int other = k + draw(random, size - k);
            const u16 job = m.order[other], first = m.order[k];
            block_sync();
            if (threadIdx.x == 0) m.order[other] = first;
            for (int i = threadIdx.x; i < size; i += THREADS)
                if (m.sequence[i] == job) m.found = i;
            block_sync();
            const int here = m.found;
            compute_trial(size, here);
            const u64 found = best_place(job, size - 1, here);
            const int value = (int)(found >> 32);
            int there = (int)(u32)found;
            if (value > makespan) there = here;
            improved = improved || value < makespan;
            if (there != here) {
                makespan = value;
                move(m, here, there);
                compute_tables(size, here < there ? here : there, here < there ? there : here);
            }
        }
        moves += size;
    }
    return makespan;
}

KERNEL(THREADS, BLOCKS) iterate(const Chains* given)
{
    const Chains at = *given;
    Memory& m = memory_of_block();
    const u64 chain = blockIdx.x;
    const u32 source = at.source[chain];
    u64 random = at.random[chain], moves = at.moves[chain];
    u16 *current = at.to + chain * JOBS, *best = at.best + chain * JOBS;
    int cost = at.costs[source], best_cost = 0x7fffffff;
    const float temperature = (float)at.temperature;
    for (int k = threadIdx.x; k < JOBS; k += THREADS) current[k] = at.from[(u64)source * JOBS + k];
    for (int k = threadIdx.x; k < WARP + 2; k += THREADS) m.beside[k] = m.sequence[JOBS + k] = 0;
    for (int k = threadIdx.x; k < JOBS * MACHINES; k += THREADS) m.times[k] = (duration_t)at.times[k];
    block_sync();
    bool stopped = false;
    for (u64 n = 0; n < at.iterations && !stopped; n++) {
        for (int k = threadIdx.x; k < JOBS; k += THREADS) m.sequence[k] = current[k];
        block_sync();
        for (int r = 0; r < REMOVED; r++) {
            move(m, draw(random, JOBS - r), JOBS - 1);
            if (threadIdx.x == 0) m.taken[r] = m.sequence[JOBS - 1];
        }
        block_sync();
        int value = 0;
#pragma unroll 1
        for (int size = JOBS - REMOVED; size <= JOBS; size += REMOVED) {
            value = descend(at, m, size, random, moves, stopped);
            for (int r = 0; size + r < JOBS; r++) {
                const u16 job = m.taken[r];
                compute_tables(size + r, 0, size + r - 1);
                const int there = (int)(u32)best_place(job, size + r, size + r + 1);
                if (threadIdx.x == 0) m.sequence[size + r] = job;
                block_sync();
                move(m, size + r, there);
            }
        }
        moves += REMOVED;
        const int worse = value - cost;
        const float chance = draw(random, 1 << 24) * (1.0f / (1 << 24));
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
        at.random[chain] = random;
        at.moves[chain] = moves;
    }
}
