// Iterated greedy for the makespan, a chain a block: see prunus/flowshop/heuristics/iterated_greedy.py.
//
// All threads of a block draw the same random numbers and come to the same decisions.
#include "flowshop/chains/insertion.cuh"
#include "flowshop/chains/layout.h"
#include "hardware/cuda/splitmix.cuh"

// A number from 0 to n - 1.
DEVICE int draw(u64& random, int n)
{
    random += 0x9E3779B97F4A7C15ull;
    return (int)((mixed(random) >> 32) * (u64)n >> 32);
}

// Asks whether to stop. Only the first chain asks the host, which can answer a million times a second.
DEVICE bool is_stopped(const Chains& at)
{
    if (blockIdx.x == 0 && *(const volatile i64*)at.stop) *(volatile u64*)at.stopped = at.slice;
    return *(volatile u64*)at.stopped == at.slice;
}

// Says where the schedule ends: behind so many jobs.
DEVICE void end_at(Memory& m, int size)
{
    for (int k = size + (int)threadIdx.x; k <= JOBS; k += THREADS) put(m, k, NO_JOB);
    for (int k = threadIdx.x; k < (JOBS + 1 - size) * ROW; k += THREADS) tails_at(m, size)[k] = 0;
    block_sync();
}

// Moves single jobs, in random order and again in the same order, to where they are best, until all have been
// tried since the last that moved; returns the makespan.
//
// A job whose own place is as good as any stays there, so that few move. So as many as there are groups are rated
// at the same time, the first that is to move does, and those after it are rated again.
DEVICE int descend(const Chains& at, Memory& m, int size, u64& random, u64& moves, bool& stopped)
{
    end_at(m, size);
    for (int k = threadIdx.x; k < size; k += THREADS) m.order[k] = m.sequence[k];
    compute_tables(size, 0, size - 1);
    int makespan = (int)(heads_at(m, size)[cell_of(MACHINES - 1)] & 0xffffu), unmoved = size > 1 ? 0 : size;
    for (int k = 0, drawn = 0; unmoved < size && !stopped;) {
        if (k == 0) {
            block_sync();
            if (threadIdx.x == 0) m.stop = is_stopped(at);
            block_sync();
            stopped = m.stop;
            if (stopped) break;
        }
        const int first = k, left = size - (k > unmoved ? k : unmoved), end = k + (AT_ONCE < left ? AT_ONCE : left);
        for (; drawn < end; drawn++) {
            const int other = drawn + draw(random, size - drawn);
            if (threadIdx.x) continue;
            const u16 job = m.order[other];
            m.order[other] = m.order[drawn];
            m.order[drawn] = job;
        }
        block_sync();
        for (int n = threadIdx.x; n < end - k; n += THREADS) m.asked[n] = m.place[m.order[k + n]];
        find_places(size, end - k);
        for (bool better = false; k < end && !better; k += better ? 0 : WARP) {
            const int n = k - first + lane();
            const lanes_t set = warp_ballot(first + n < end && (int)(m.found[n] >> 32) < makespan);
            better = set != 0;
            if (better) k += lowest_lane(set);
        }
        k = k < end ? k : end;
        moves += k - first;
        unmoved += k - first;
        if (k < end) {
            const u64 found = m.found[k - first];
            const int here = m.place[m.order[k++]], there = (int)(u32)found;
            makespan = (int)(found >> 32);
            moves++;
            unmoved = 1;
            move(m, here, there);
            compute_tables(size, here < there ? here : there, here < there ? there : here);
        }
        k = k < size ? k : 0;
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
    for (int k = threadIdx.x; k < (JOBS + 1) * ROW; k += THREADS) m.times[k] = 0;
    for (int k = threadIdx.x; k < (JOBS + 1 + 2 * MARGIN) * ROW; k += THREADS) m.heads[k] = m.tails[k] = 0;
    for (int k = threadIdx.x; k < JOBS + 1 + 2 * FAR; k += THREADS) m.rows[k] = NO_JOB * ROW;
    block_sync();
    for (int k = threadIdx.x; k < JOBS * MACHINES; k += THREADS) {
        m.times[k / MACHINES * ROW + cell_of(k % MACHINES)] = (duration_t)(at.times[k] * (WIDE ? 0x10001u : 1u));
    }
    bool stopped = false;
    for (u64 n = 0; n < at.iterations && !stopped; n++) {
        for (int k = threadIdx.x; k < JOBS; k += THREADS) put(m, k, current[k]);
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
                if (threadIdx.x == 0) put(m, size + r, m.taken[r]);
                end_at(m, size + r + 1);
                if (threadIdx.x == 0) m.asked[0] = (u16)(size + r);
                find_places(size + r + 1, 1);
                const int there = (int)(u32)m.found[0];
                move(m, size + r, there);
                if (size + r + 1 < JOBS) compute_heads(size + r + 1, there);
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
