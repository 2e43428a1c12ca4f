// The best place for a job in a schedule, all places at a time, by the threads of a block: as in
// heuristics/insertion.py.
//
// The schedule and its tables stay in shared memory. There are two pairs: heads and tails of the whole schedule,
// and of what is left when a job is taken out; of these, tails up to the job's place and heads behind it share
// one table (trial). One warp computes heads, another tails, at the same time: a lane has a few machines next to
// one another, and is one place behind the lane before it. The makespans of all places are computed at the same
// time, a thread a place.
#pragma once
#include "hardware/cuda/numbers.cuh"

#define THREADS 128
#define WARPS (THREADS / WARP)
#define PER_LANE ((MACHINES + WARP - 1) / WARP)
#define LANES ((MACHINES + PER_LANE - 1) / PER_LANE)
#define CELLS (MACHINES * COLUMNS)
#define ROUNDS ((JOBS + THREADS) / THREADS) // places a thread has, one more than there are jobs

#if LONG_TIMES
typedef u16 duration_t;
#else
typedef u8 duration_t;
#endif

struct Memory {
    u64 least[WARPS];
    int makespans[WARPS], tied[WARPS], found;
    u16 heads[CELLS], tails[CELLS], trial[CELLS]; // [machine][place]
    u16 beside[WARP + 2], sequence[JOBS + WARP + 3]; // what stands beside the sequence is some job
    u16 order[JOBS], taken[REMOVED];
    duration_t times[JOBS * MACHINES]; // [job][machine]
};
DEVICE Memory& memory_of_block()
{
    DYNAMIC_SHARED(memory);
    return *(Memory*)memory;
}
static_assert(sizeof(Memory) <= SHARED_BYTES, "the host gives a block less memory");

// The job at a place of the sequence without the one at the hole.
DEVICE int job_at(const Memory& m, int place, int hole) { return m.sequence[place + (place >= hole)]; }

// Takes the job at place `here` out and puts it back so that it is at place `there`.
DEVICE void move(Memory& m, int here, int there)
{
    int jobs[ROUNDS];
    const int low = here < there ? here : there, high = here < there ? there : here;
#pragma unroll
    for (int r = 0; r < ROUNDS; r++) {
        const int k = r * THREADS + (int)threadIdx.x;
        if (k < low || k > high) continue;
        jobs[r] = m.sequence[k == there ? here : here < there ? k + 1 : k - 1];
    }
    block_sync();
#pragma unroll
    for (int r = 0; r < ROUNDS; r++) {
        const int k = r * THREADS + (int)threadIdx.x;
        if (k >= low && k <= high) m.sequence[k] = (u16)jobs[r];
    }
    block_sync();
}

// Computes `count` columns of heads behind place `first`, or, BACK, of tails from place `first` down, by one
// warp. The column before them is that of the first pair, or zero if they are the first of all (`fresh`).
// TRIAL tables are without the job at the hole, where heads begin and tails end.
//
// Lanes that have not begun, or have ended, compute as well, of what stands beside the sequence: what they pass
// on is not used. A lane knows the times of its next job, and which job is the one after, before it needs them.
template <bool BACK, bool TRIAL>
APART void compute(int first, int count, bool fresh)
{
    Memory& m = memory_of_block();
    const bool begins = TRIAL ? BACK : fresh;
    if (count <= 0 && !begins) return;
    const int l = lane(), before = BACK ? first + 1 : first;
    u16* const table = TRIAL ? m.trial : BACK ? m.tails : m.heads;
    const u16* const from = (BACK ? m.tails : m.heads) + before + (TRIAL && BACK);
    // Behind the hole the sequence without its job is one place further on.
    const u16* job = m.sequence + (TRIAL && !BACK ? first + 1 : first) + (BACK ? l : -l);
    u16* cells[PER_LANE];
    const duration_t* rows[PER_LANE];
    int times[PER_LANE], free_at[PER_LANE];
    u32 ends[PER_LANE];
#pragma unroll
    for (int j = 0; j < PER_LANE; j++) {
        const int i = l * PER_LANE + j, machine = BACK ? MACHINES - 1 - i : i;
        const bool real = i < MACHINES;
        ends[j] = real && count > 0 ? count : 0;
        rows[j] = m.times + (real ? machine : 0);
        cells[j] = table + (real ? machine * COLUMNS : 0) + (BACK ? first : first + 1);
        free_at[j] = real && !fresh ? from[machine * COLUMNS] : 0;
        if (real && begins) cells[j][BACK ? 1 : -1] = (u16)free_at[j];
        times[j] = rows[j][*job * MACHINES];
        cells[j] += BACK ? l : -l;
    }
    if (count <= 0) return;
    job += BACK ? -1 : 1;
    int coming = *job, ready = 0;
#pragma unroll 2
    for (int done = -l; done < count + LANES - 1 - l; done++) {
        int time = warp_shuffle_up(ready, 1), then[PER_LANE];
        time = l == 0 ? 0 : time;
#pragma unroll
        for (int j = 0; j < PER_LANE; j++) then[j] = rows[j][coming * MACHINES];
        job += BACK ? -1 : 1;
        coming = *job;
#pragma unroll
        for (int j = 0; j < PER_LANE; j++) {
            time = add_max(time, times[j], free_at[j] + times[j]);
            if (done >= 0) free_at[j] = time;
            if ((u32)done < ends[j]) *cells[j] = (u16)time;
            cells[j] += BACK ? -1 : 1;
            times[j] = then[j];
        }
        ready = time;
    }
}

// Computes heads behind place `first` and tails from place `last` down, of the schedule of so many jobs.
DEVICE void compute_tables(int size, int first, int last)
{
    const int warp = threadIdx.x / WARP;
    if (warp == 0) compute<false, false>(first, size - first, first == 0);
    if (warp == 1) compute<true, false>(last, last + 1, last == size - 1);
    block_sync();
}

// The same without the job at the hole, up to which heads, and behind which tails, are those of the schedule.
DEVICE void compute_trial(int size, int hole)
{
    const int warp = threadIdx.x / WARP;
    if (warp == 0) compute<false, true>(hole, size - 1 - hole, false);
    if (warp == 1) compute<true, true>(hole - 1, hole, false);
    block_sync();
}

// The idle time in front of and inside the schedule with a job at a place, up to a constant.
DEVICE int idle_time(const Memory& m, int job, int size, int k, int hole)
{
    const u16* heads = (k <= hole ? m.heads : m.trial) + k;
    const u16* behind = (k < hole ? m.heads : m.trial) + k + 1;
    const duration_t *row = m.times + job * MACHINES, *following = m.times + (k < size ? job_at(m, k, hole) : 0) * MACHINES;
    int idle = 0, time = heads[0] + row[0], done = time + following[0];
#pragma unroll 1
    for (int i = 1; i < MACHINES; i++) {
        const int free = heads[i * COLUMNS];
        time = row[i] + (time > free ? time : free);
        if (k < size) {
            const int wait = done > time ? done - time : 0;
            idle += time - behind[i * COLUMNS] + following[i] + wait;
            done = time + wait + following[i];
        } else {
            idle += time - free;
        }
    }
    return idle;
}

// The best place for a job among `size` others, and its makespan. The job comes from the hole; a new
// one has a hole behind all places, and only the first pair of tables is read. Returns makespan << 32 | place.
APART u64 best_place(int job, int size, int hole)
{
    Memory& m = memory_of_block();
    const bool fresh = hole > size;
    const duration_t* row = m.times + job * MACHINES;
    const int warp = threadIdx.x / WARP;
    int values[ROUNDS], least = 0x7fffffff;
#pragma unroll
    for (int r = 0; r < ROUNDS; r++) {
        const int k = r * THREADS + (int)threadIdx.x;
        values[r] = 0x7fffffff;
        if (k > size) continue;
        const u16* heads = (k <= hole ? m.heads : m.trial) + k;
        const u16* tails = fresh ? m.tails + k : k <= hole ? m.trial + k : m.tails + k + 1;
        int time = 0, whole = 0;
#pragma unroll 4
        for (int i = 0; i < MACHINES; i++) {
            const int free = heads[i * COLUMNS];
            time = (time > free ? time : free) + row[i];
            const int through = time + tails[i * COLUMNS];
            whole = through > whole ? through : whole;
        }
        values[r] = whole;
        least = whole < least ? whole : least;
    }
    least = (int)warp_min((u32)least);
    if (lane() == 0) m.makespans[warp] = least;
    block_sync();
    for (int w = 0; w < WARPS; w++) least = m.makespans[w] < least ? m.makespans[w] : least;
    int tied = 0;
#pragma unroll
    for (int r = 0; r < ROUNDS; r++) tied += count_lanes(warp_ballot(values[r] == least));
    if (lane() == 0) m.tied[warp] = tied;
    block_sync();
    tied = 0;
    for (int w = 0; w < WARPS; w++) tied += m.tied[w];
    u64 key = ~0ull;
#pragma unroll
    for (int r = 0; r < ROUNDS; r++) {
        const int k = r * THREADS + (int)threadIdx.x;
        if (values[r] != least) continue;
        const int idle = tied > 1 ? idle_time(m, job, size, k, hole) : 0;
        const u64 mine = (u64)((u32)idle + 0x80000000u) << 32 | (u32)k;
        key = mine < key ? mine : key;
    }
    key = warp_min(key);
    if (lane() == 0) m.least[warp] = key;
    block_sync();
    for (int w = 0; w < WARPS; w++) key = m.least[w] < key ? m.least[w] : key;
    return (u64)least << 32 | (u32)key;
}
