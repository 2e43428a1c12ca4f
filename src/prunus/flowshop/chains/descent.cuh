// A descent: single jobs move to where they are best, as heuristics/iterated_greedy.py has it, but for jobs that are
// passed over since their best other place was much worse.
#pragma once
#include "flowshop/chains/insertion.cuh"
#include "flowshop/chains/layout.h"
#include "flowshop/chains/tables.cuh"
#include "hardware/cuda/splitmix.cuh"

// What all threads of a chain know.
struct State {
    u64 random, moves;
    int changes; // of the schedule, in this slice
    bool stopped;
};

#define STEP 0x9E3779B97F4A7C15ull // of a generator's state

// A number from 0 to n - 1.
DEVICE int draw(u64& random, u32 n)
{
    random += STEP;
    return (int)((mixed(random) >> 32) * n >> 32);
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

// Draws the order in which the jobs have their turns: that of random numbers, one a job.
DEVICE void draw_order(Memory& m, int size, u64& random)
{
    for (int k = threadIdx.x; k < size; k += THREADS) {
        u64 state = random + (u64)k * STEP;
        m.keys[k] = draw(state, 1u << 30);
    }
    random += (u64)size * STEP;
    block_sync();
    for (int k = threadIdx.x; k < size; k += THREADS) {
        const int mine = m.keys[k];
        int rank = 0;
#pragma unroll 8
        for (int other = 0; other < size; other++) rank += m.keys[other] < mine + (other < k);
        m.order[rank] = m.sequence[k];
    }
}

// Asks for the jobs that are due, as many as can be rated at the same time, of the turns k to end - 1 in a cycle of so
// many jobs; returns how many.
DEVICE int ask(Memory& m, int size, int k, int end, int changes)
{
    int count = 0;
    for (; k < end && count < AT_ONCE; k += WARP) {
        const int turn = k + lane(), job = turn < end ? m.order[turn < size ? turn : turn - size] : NO_JOB;
        const bool due = job != NO_JOB && m.due[job] <= changes;
        const lanes_t set = warp_ballot(due);
        const int n = count + count_lanes(set & lanes_before(lane()));
        count += count_lanes(set);
        if (!due || n >= AT_ONCE) continue;
        m.asked[n] = m.place[job];
        m.turn[n] = (u16)turn;
    }
    return count < AT_ONCE ? count : AT_ONCE;
}

// Moves single jobs, in random order and again in the same order, to where they are best, until all have had a turn
// since the last that moved; returns the makespan.
//
// A job whose own place is as good as any stays there, so that few move. So many jobs are rated at the same time, the
// first that is to move does, and those after it have their turns again. The worse the best other place of a job was,
// the more changes of the schedule pass before it is rated again.
DEVICE int descend(const Chains& at, Memory& m, int size, State& state)
{
    end_at(m, size);
    compute_tables(size, 0, size - 1);
    draw_order(m, size, state.random);
    int makespan = (int)(heads_at(m, size)[cell_of(MACHINES - 1)] & 0xffffu), unmoved = size > 1 ? 0 : size;
    bool again = true;
    for (int k = 0; unmoved < size && !state.stopped;) {
        block_sync();
        if (again) {
            if (threadIdx.x == 0) m.stop = is_stopped(at);
            block_sync();
            state.stopped = m.stop;
            if (state.stopped) break;
        }
        int end = k + size - unmoved;
        const int count = ask(m, size, k, end, state.changes);
        if (count) find_places(size, count);
        if (count == AT_ONCE) end = m.turn[AT_ONCE - 1] + 1;
        int n = count;
        for (int first = 0; first < count && n == count; first += WARP) {
            const int l = first + lane();
            const lanes_t better = warp_ballot(l < count && (int)(m.found[l] >> 32) < makespan);
            if (better) n = first + lowest_lane(better);
        }
        for (int l = threadIdx.x; l < count; l += THREADS) {
            // Where a job that moves comes from is its best other place, as far as that is known.
            const int more = (int)(m.found[l] >> 32) - makespan, worse = l == n ? -more : more;
            m.due[m.sequence[m.asked[l]]] = state.changes + (int)((float)at.rest * ((float)worse - (float)at.close));
        }
        state.moves += n;
        unmoved += end - k;
        k = end;
        if (n < count) {
            const int here = m.asked[n], there = (int)(u32)m.found[n];
            makespan = (int)(m.found[n] >> 32);
            k = m.turn[n] + 1;
            state.moves++;
            state.changes++;
            unmoved = 1;
            move(m, here, there);
            compute_tables(size, here < there ? here : there, here < there ? there : here);
        }
        again = k >= size;
        if (again) k -= size;
    }
    return makespan;
}
